//! One ply before the leaves: a move that gains enough.
//!
//! A leaf is worth the score before the last move and what this move gains, if the game goes on and the phase stays. So
//! sets of squares name the moves that gain enough, and hardly any is made to see what it is worth.

use super::names::{Piece, any_piece};
use crate::ordering::{gain, is_ordinary};
use crate::{bounds, leaves::one_ply_before::leaf};
use betacut_core::board::{
    Board, CLOCK_LIMIT, Code, EMPTY, KING, LAST_RANK, Move, PAWN, QUEEN, Squares, bit,
};
use betacut_core::{evaluation::values::king_code, score::Score};

/// Whether a move leads to a leaf worth at least `bound` to the side that makes it.
pub fn reaches(board: &Board, m: Move, bound: Score) -> bool {
    -leaf(&board.make_keyless(m)) >= bound
}

/// The index of a move of the first piece by name that gains enough at first sight to a leaf worth at least `bound`.
pub fn first_gain(board: &Board, bound: Score) -> Option<u8> {
    let values = board.values;
    let need = if values.has_bounds { board.need(bound) } else { bound - board.score() };
    let (level, occupied) = (values.level(need), board.occupied());
    let goes_on = values.has_bounds && board.clock < CLOCK_LIMIT - 1;
    let mut found = None;
    any_piece(board, |piece| {
        let &Piece { from, code, to, .. } = piece;
        let quiet = to & !occupied;
        let gaining = match code {
            PAWN => quiet,
            KING => quiet & values.at_least(king_code(board.endgame()), from, level),
            _ => quiet & values.at_least(code, from, level),
        };
        let chosen = Squares(gaining | to & occupied).find_map(|to| {
            let promotion = if code == PAWN && bit(to) & LAST_RANK != 0 { QUEEN } else { EMPTY };
            let m = Move::new(from, to, promotion);
            let gains =
                bit(to) & gaining != 0 && code != PAWN && !values.is_coarse || gain(board, code, m) >= need;
            let holds = gains && (goes_on && is_plain(board, code, m) || reaches(board, m, bound));
            holds.then_some(m)
        });
        found = chosen.map(|m| piece.index(board, m));
        found.is_some()
    });
    found
}

/// Whether a move surely leads to a leaf that is worth the score before it and the move's [`gain`], or more, as long as the
/// clock does not end the game: it changes no phase, and they have a move left, or are mated.
pub fn is_plain(board: &Board, code: Code, m: Move) -> bool {
    let captured = board.code(m.to());
    is_ordinary(board, code, m)
        && (captured == EMPTY || captured == PAWN)
        && bounds::a_pawn_can_step(board, m.to())
}
