//! Single refutations three plies before the leaves, against plain search.
//!
//! # The idea
//!
//! A search asks for few of the refutations it could ask for, and most wrong ones would not change its answer. So they are
//! asked for one by one: a position, a move and a reply, whether they fit or not. After both the position is worth some
//! `v`, one ply being left; all moves are made to find it. [`Refuter`] may say that the reply refutes the move for
//! any bound above `v`, and must not for `v` itself. If the reply is not legal after the move, it must not for any bound.
//!
//! So each pair is asked at the bounds where a mistake shows first: `v`, a little less, and where a game that ends counts
//! (0, -1, far above).

use crate::board::{Board, EMPTY, Move};
use crate::exact::frontier;
use crate::exact::three_plies::{self, Refuter};
use crate::position::Position;
use crate::score::{MATE, Score};

use super::random::Random;

/// A bound that no score reaches by pieces.
const FAR: Score = MATE - 1;
/// Bounds of one pair of moves.
const BOUNDS: usize = 8;

/// A refutation that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongRefutation {
    /// Our move, as the side to move sees it.
    pub m: Move,
    /// Their reply, as they see it.
    pub reply: Move,
    /// What was said to be out of reach.
    pub beta: Score,
    /// What the move and the reply lead to, if the reply is legal.
    pub value: Option<Score>,
}

/// How many pairs of a move and a reply were asked about, and how many of them are refutations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Pairs.
    pub asked: u64,
    /// Pairs that are refutations for a bound that the value misses by a queen.
    pub refuted: u64,
}

/// Asks about pairs of a move of the side to move and a reply: `count` of them chosen by `random`, or else all.
pub(super) fn check(
    position: &Position,
    random: Option<(usize, &mut Random<'_>)>,
    pairs: &mut Pairs,
) -> Option<WrongRefutation> {
    let board = Board::new(position);
    if !three_plies::applies(&board, 0, board.checkers()) || !board.values.has_bounds() {
        return None;
    }
    let list = |board: &Board| {
        let mut moves = Vec::new();
        board.any_legal_move(board.checkers(), |m| {
            moves.push(m);
            false
        });
        moves.retain(|m| m.promotion() == EMPTY);
        moves
    };
    // A reply need not be legal if we pass; one that only passing allows must not refute.
    let (moves, replies) = (list(&board), list(&board.pass()));
    if moves.is_empty() || replies.is_empty() {
        return None;
    }
    match random {
        None => moves
            .iter()
            .flat_map(|&m| replies.iter().map(move |&reply| (m, reply)))
            .find_map(|(m, reply)| check_pair(&board, m, reply, 5, pairs)),
        Some((count, random)) => (0..count).find_map(|_| {
            let (m, reply) = (random.pick(&moves), random.pick(&replies));
            check_pair(&board, m, reply, random.below(40) as Score, pairs)
        }),
    }
}

/// Asks about one pair; `less` is how much less than the value is asked for too.
fn check_pair(
    board: &Board,
    m: Move,
    reply: Move,
    less: Score,
    pairs: &mut Pairs,
) -> Option<WrongRefutation> {
    let child = board.make_keyless(m);
    let checkers = child.checkers();
    let mut legal = false;
    child.any_legal_move(checkers, |other| {
        legal |= other == reply;
        legal
    });
    let value = legal.then(|| frontier::value(&child.make_keyless(reply), Score::MAX).0);
    let refuted = |beta: Score| {
        three_plies::applies(board, beta, 0)
            && Refuter::new(board, beta, reply)
                .is_some_and(|refuter| refuter.refutes(board, board.code(m.from()), m))
    };
    let top = value.unwrap_or(FAR);
    let bounds: [Score; BOUNDS] = [top, top - less, 0, -1, 1, -less, board.score() + 100, FAR];
    pairs.asked += 1;
    if let Some(value) = value.filter(|&value| value < FAR - 2000) {
        pairs.refuted += u64::from(refuted(value + 900));
    }
    let wrong = bounds.into_iter().find(|&beta| beta <= top && refuted(beta))?;
    Some(WrongRefutation { m, reply, beta: wrong, value })
}
