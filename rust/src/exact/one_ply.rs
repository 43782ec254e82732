//! A question of one ply, answered without the machinery of the others.
//!
//! # The idea
//!
//! One ply is asked for thousands of positions at a time, and setting up a search takes longer than answering. A move's
//! value is the score plus what the move changes it by, so hardly any move is made: only moves that give check, for they
//! may mate, and moves that change more than two squares or the phase. Other moves can stalemate only in positions that
//! [`may_stalemate`] recognises; there every move is made.
//!
//! # What can go wrong
//!
//! The fifty-move rule and dead positions: where they are near, [`answer`] has none, and the search is asked. Nor has it
//! one for an evaluation in which more than the kings' tables changes with the phase.

use super::bounds::may_stalemate;
use super::frontier::leaf;
use super::ordering::gain;
use super::question::{Answer, Counts, Iteration, Wanted};
use crate::board::{
    BISHOP, Board, CLOCK_LIMIT, EMPTY, KING, KNIGHT, Move, PAWN, QUEEN, ROOK, bishop_attacks, bit,
    knight_attacks, pawns_attack_down, rook_attacks,
};
use crate::move_order::chess_jl;
use crate::position::Position;
use crate::score::Score;

/// The value and the best moves at depth 1; none if the end of the game is near, or if lines are wanted.
pub fn answer(position: &Position, wanted: Wanted) -> Option<Answer> {
    let board = Board::new(position);
    if board.clock + 1 >= CLOCK_LIMIT
        || board.men <= 4
        || !board.values.has_bounds()
        || matches!(wanted, Wanted::Lines(_))
    {
        return None;
    }
    let score = board.quick_score();
    let may_stalemate = may_stalemate(&board);
    let may_start_endgame = board.we_wait_for_endgame();
    let checks = Checks::new(&board);
    let mut best: Vec<Move> = Vec::with_capacity(8);
    let mut value = Score::MIN;
    board.any_legal_move(board.checkers(), |m| {
        let (code, captured) = (board.code(m.from()), board.code(m.to()));
        let changes_two_squares = m.promotion() == EMPTY
            && (code != PAWN || m.to() != u32::from(board.en_passant))
            && (code != KING || m.from().abs_diff(m.to()) != 2)
            && (!may_start_endgame || captured == EMPTY || captured == PAWN);
        let reached = if changes_two_squares && !may_stalemate && !checks.may_check(code, m) {
            score + gain(&board, code, m)
        } else {
            -leaf(&board.make_keyless(m))
        };
        if reached > value {
            value = reached;
            best.clear();
        }
        if reached == value {
            best.push(m);
        }
        false
    });
    if best.is_empty() {
        return None;
    }
    let mut best_moves: Vec<_> = best.iter().map(|&m| board.to_shakmaty(m)).collect();
    chess_jl::sort(&mut best_moves, position.chess());
    if wanted == Wanted::Value {
        best_moves.truncate(1);
    }
    let score = if board.black { -value } else { value };
    Some(Answer {
        score,
        lines: best_moves.iter().map(|&m| (m, score)).collect(),
        best_moves,
        depth: 1,
        complete: true,
        counts: Counts { nodes: 1, frontier_nodes: 1, ..Counts::default() },
        iterations: vec![Iteration { depth: 1, score, nodes: 1 }],
    })
}

/// What may give check.
struct Checks {
    /// Squares from which each piece attacks their king.
    from: [u64; 8],
    /// Pieces of ours that discover a check when they leave the line to the king.
    discoverers: u64,
}

impl Checks {
    fn new(board: &Board) -> Checks {
        let (king, occupied) = (board.their_king(), board.occupied());
        let (diagonal, straight) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
        let mut from = [0; 8];
        from[BISHOP] = diagonal;
        from[ROOK] = straight;
        from[QUEEN] = diagonal | straight;
        from[KNIGHT] = knight_attacks(king);
        from[PAWN] = pawns_attack_down(bit(king));
        Checks { from, discoverers: board.discoverers() }
    }

    /// Whether a move onto another square gives check or seems to.
    #[inline(always)]
    fn may_check(&self, code: usize, m: Move) -> bool {
        self.from[code & 7] & bit(m.to()) != 0 || self.discoverers & bit(m.from()) != 0
    }
}
