//! Leads that are hard to win: what part of the endgame's value counts.

use super::accumulator::{Board, PHASE};
use betacut_core::board::{BISHOP, DARK_SQUARES, KNIGHT, PAWN, QUEEN, ROOK, Squares};
use betacut_core::score::Score;

/// All of it.
const WHOLE: i32 = 64;

/// In 64ths, for the side that is ahead; `endgame` is the value for the side to move.
#[inline(always)]
pub fn scale(board: &Board, endgame: Score) -> i32 {
    let (strong, weak) =
        if endgame >= 0 { (board.ours, board.theirs()) } else { (board.theirs(), board.ours) };
    let pawns = (board.pawns() & strong).count_ones() as i32;
    if pawns == 0 {
        return without_pawns(board, strong, weak);
    }
    // Bishops on squares of different colours hold many endings with a pawn or two less.
    let (ours, theirs) = (board.pieces(BISHOP) & board.ours, board.pieces(BISHOP) & board.theirs());
    let opposite = ours.is_power_of_two()
        && theirs.is_power_of_two()
        && (ours & DARK_SQUARES != 0) != (theirs & DARK_SQUARES != 0);
    if opposite {
        let alone = board.pieces(KNIGHT) | board.pieces(ROOK) | board.pieces(QUEEN) == 0;
        return if alone { 32 } else { 48 };
    }
    // The fewer pawns, the fewer chances to get a queen.
    (40 + 6 * pawns).min(WHOLE)
}

/// Without pawns it takes a rook more to win, or the other side's last piece.
#[cold]
fn without_pawns(board: &Board, strong: u64, weak: u64) -> i32 {
    let phase = |side: u64| -> i32 { Squares(side).map(|at| PHASE[board.code(at)] as i32).sum() };
    let (strong_phase, weak_phase) = (phase(strong), phase(weak));
    let knights_alone = strong & (board.pieces(BISHOP) | board.pieces(ROOK) | board.pieces(QUEEN)) == 0;
    if strong_phase <= 1 || (knights_alone && strong_phase == 2 && board.pieces(PAWN) == 0) {
        0
    } else if strong_phase - weak_phase <= 1 {
        8
    } else {
        WHOLE
    }
}
