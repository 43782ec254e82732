//! Single refutations two and three plies before the leaves, futile positions, and captures that are taken back, against
//! plain search: the questions of `docs/verification.md`. Each is asked at the bounds where a mistake shows first: the value,
//! a little less, and where a game that ends counts (0, -1, far above).

use super::difference::{Difference, uci};
use super::random::Random;
use betacut_core::board::{Board, EMPTY, Move};
use betacut_core::score::{Depth, MATE, Score};
use betacut_core::{limits::Limits, position::Position};
use betacut_exact::bounds::{self, Captures};
use betacut_exact::leaves::three_plies_before::{self, Refuter};
use betacut_exact::leaves::{futility, one_ply_before, two_plies_before};
use betacut_exact::ordering::{History, move_of};
use betacut_exact::search::Searcher;
use betacut_exact::{Question, Techniques};

/// A bound that no score reaches by pieces.
const FAR: Score = MATE - 1;
/// Bounds of one pair of moves.
const BOUNDS: usize = 8;
/// Nodes of quiescence for all captures of a position.
const CAPTURES: u64 = 5_000;

/// A refutation that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongRefutation {
    /// How many plies are left.
    pub depth: Depth,
    /// Our move, as the side to move sees it.
    pub m: Move,
    /// Their reply, as they see it; none two plies before the leaves, where the search finds it.
    pub reply: Option<Move>,
    /// What was said to be out of reach.
    pub beta: Score,
    /// What they lead to, if the reply is legal.
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

/// Asks about pairs of a move of the side to move and a reply, `count` of them chosen by `random`, or else all: the first
/// wrong refutation. `pairs` counts on. A pair takes some ten microseconds.
///
/// ```
/// use betacut_core::position::Position;
/// use betacut_lab::fuzz::{Pairs, check_refutations};
/// let mut pairs = Pairs::default();
/// assert_eq!(check_refutations(&Position::initial(), None, &mut pairs), None);
/// assert_eq!(pairs.asked, 400);
/// ```
pub fn check_refutations(
    position: &Position,
    random: Option<(usize, &mut Random<'_>)>,
    pairs: &mut Pairs,
) -> Option<WrongRefutation> {
    let board = Board::new(position);
    if !three_plies_before::applies(&board, 0, board.checkers()) || !board.values.has_bounds {
        return None;
    }
    // A reply need not be legal if we pass; one that only passing allows must not refute.
    let (moves, replies) = (board.legal_moves(), board.pass().legal_moves());
    if moves.is_empty() || replies.is_empty() {
        return None;
    }
    match random {
        None => moves
            .iter()
            .flat_map(|&m| replies.iter().map(move |&reply| (m, reply)))
            .find_map(|(m, reply)| check_pair(&board, m, reply, 5, pairs)),
        Some((count, random)) => (0..count).find_map(|_| {
            let m = random.pick(&moves);
            // Of the replies that are legal after the move some are not if we pass.
            let others = if random.once_in(4) { board.make_keyless(m).legal_moves() } else { Vec::new() };
            let reply = random.pick(if others.is_empty() { &replies } else { &others });
            check_pair(&board, m, reply, random.below(40) as Score, pairs)
        }),
    }
}

/// The moves of a position two plies before the leaves that are refuted, and should not be: the first of them.
///
/// ```
/// use betacut_core::position::Position;
/// use betacut_lab::fuzz::check_unrefuted;
/// assert_eq!(check_unrefuted(&Position::initial(), 0), None);
/// ```
pub fn check_unrefuted(position: &Position, less: Score) -> Option<WrongRefutation> {
    let board = Board::new(position);
    let checkers = board.checkers();
    if !two_plies_before::may_bound(&board, checkers) || !board.values.has_bounds {
        return None;
    }
    let value = |m: Move| -one_ply_before::value(&board.make_keyless(m), Score::MAX).0;
    let values: Vec<_> = board.legal_moves().into_iter().map(|m| (m, value(m))).collect();
    let mut wrong = None;
    two_plies_before::bound_moves(&board, |m, most| {
        if wrong.is_none()
            && let Some(most) = most
            && let Some(&(_, value)) = values.iter().find(|&&(other, _)| other == m)
            && value > most
        {
            wrong = Some(WrongRefutation { depth: 2, m, reply: None, beta: most + 1, value: Some(value) });
        }
    });
    if wrong.is_some() || !two_plies_before::applies(&board, checkers) {
        return wrong;
    }
    let mut bounds: Vec<Score> = values.iter().flat_map(|&(_, value)| [value, value - less]).collect();
    bounds.extend([0, -1, 1]);
    bounds.sort_unstable();
    bounds.dedup();
    let mut listed = Vec::new();
    bounds.into_iter().filter(|beta| (1 - MATE..MATE).contains(beta)).find_map(|beta| {
        listed.clear();
        two_plies_before::list_unrefuted(&board, beta, &mut listed);
        let missing = |m: Move| listed.iter().all(|&scored| move_of(scored) != m);
        let &(m, value) = values.iter().find(|&&(m, value)| value >= beta && missing(m))?;
        Some(WrongRefutation { depth: 2, m, reply: None, beta, value: Some(value) })
    })
}

/// A position two or four plies before the leaves that is said to be worth less than it is, because it is worth so little one
/// ply earlier ([`futility`]): its best move.
///
/// ```
/// use betacut_core::position::Position;
/// use betacut_lab::fuzz::check_futile;
/// assert_eq!(check_futile(&Position::initial(), 0), None);
/// ```
pub fn check_futile(position: &Position, less: Score) -> Option<WrongRefutation> {
    let board = Board::new(position);
    let checkers = board.checkers();
    if !futility::applies(&board, 2) || !board.values.has_bounds {
        return None;
    }
    let value = |m: Move| -one_ply_before::value(&board.make_keyless(m), Score::MAX).0;
    let (value, m) = board.legal_moves().into_iter().map(|m| (value(m), m.0)).max()?;
    let bounds =
        |value: Score| [value, value - less, 0, -1, 1].into_iter().filter(move |&beta| beta <= value);
    let wrong = |depth, m, value, beta| WrongRefutation { depth, m, reply: None, beta, value: Some(value) };
    if let Some(beta) = bounds(value).find(|&beta| futility::is_futile(&board, beta, checkers)) {
        return Some(wrong(2, Move(m), value, beta));
    }
    // At depth 4, against the search without that proof.
    let techniques = Techniques::without("futility")?;
    let question = Question { techniques, ..Question::new(4) };
    let answer = betacut_exact::search(position, &question, None, &mut || false).ok()?;
    let value = if board.black { -answer.score } else { answer.score };
    let mut never = || false;
    let mut searcher = Searcher::new(Techniques::ALL, None, History::default(), Limits::new(&mut never));
    let mut is_futile = |beta: Score| searcher.is_futile(&board, beta, checkers, Move::NONE).unwrap_or(false);
    let beta = bounds(value).find(|&beta| is_futile(beta))?;
    Some(wrong(4, board.of_shakmaty(&answer.best_moves[0]), value, beta))
}

/// A capture that is said to bring less than it does, because it is taken back ([`bounds::is_taken_back`]); what it brings is
/// what quiescence without proofs says.
///
/// ```
/// use betacut_core::position::Position;
/// use betacut_lab::fuzz::check_taken_back;
/// let position = Position::from_fen("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1").unwrap();
/// assert_eq!(check_taken_back(&position, 5), None);
/// ```
pub fn check_taken_back(position: &Position, less: Score) -> Option<WrongRefutation> {
    let board = Board::new(position);
    let mut never = || false;
    let mut limits = Limits::new(&mut never);
    limits.nodes = CAPTURES;
    let techniques = Techniques::without("quiet_bounds")?;
    let mut searcher = Searcher::new(techniques, None, History::default(), limits.every(1));
    let checkers = board.checkers();
    let victims = if board.values.has_bounds { board.theirs() & !board.kings() } else { 0 };
    Captures::new(&board, victims).find_map(|capture| {
        let m = Move::new(capture.from, capture.to, EMPTY);
        // What is not claimed for a value far above is claimed for none.
        let claims = |beta: Score| bounds::is_taken_back(&board, capture, board.need(beta));
        if !board.is_legal(m, checkers) || !claims(FAR) {
            return None;
        }
        let value = -searcher.quiesce(&board.make_keyless(m), -FAR, FAR).ok()?;
        let beta = [value, value - less].into_iter().find(|&beta| claims(beta))?;
        Some(WrongRefutation { depth: 1, m, reply: None, beta, value: Some(value) })
    })
}

/// The first answer of the checkers that is wrong; `chosen` as for [`check_refutations`].
pub(super) fn first(
    position: &Position,
    less: Score,
    chosen: Option<(usize, &mut Random<'_>)>,
) -> Option<Box<Difference>> {
    check_unrefuted(position, less)
        .or_else(|| check_futile(position, less))
        .or_else(|| check_taken_back(position, less))
        .or_else(|| check_refutations(position, chosen, &mut Pairs::default()))
        .map(|wrong| Box::new(wrong.difference(position)))
}

impl WrongRefutation {
    /// In the words of the fuzzer.
    fn difference(&self, position: &Position) -> Difference {
        let board = Board::new(position);
        let m = uci(board.to_shakmaty(self.m));
        let by =
            self.reply.map_or_else(|| "a reply".to_owned(), |reply| uci(board.pass().to_shakmaty(reply)));
        Difference {
            fen: position.fen(),
            depth: self.depth,
            asked: format!("whether {by} keeps {m} below {}", self.beta),
            expected: match self.value {
                Some(value) => format!("false: they lead to {value}"),
                None => "false: it is not legal then".to_owned(),
            },
            found: "true".to_owned(),
        }
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
    let value = legal.then(|| one_ply_before::value(&child.make_keyless(reply), Score::MAX).0);
    let refuted = |beta: Score| {
        three_plies_before::applies(board, beta, 0)
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
    Some(WrongRefutation { depth: 3, m, reply: Some(reply), beta: wrong, value })
}
