//! Passed pawns among the pieces.

use super::sheet::{Sheet, Trace};
use super::terms::{
    BLOCKED_PASSER, DEFENDED_PASSER, FREE_PASSER, PASSER_OTHER_KING, PASSER_OWN_KING, ROOK_BEHIND_PASSER,
    SAFE_STEP_PASSER,
};
use super::{pawns::ahead, view::View};
use betacut_core::board::{FILE_A, Squares, bit};

/// Counts the terms of the passed pawns.
#[inline(always)]
pub fn count<T: Trace>(view: &View, passed: u64, sheet: &mut Sheet<'_, T>) {
    for at in Squares(passed) {
        let rank = (at >> 3) as usize;
        let front = at + 8;
        if view.occupied & bit(front) != 0 {
            sheet.add(BLOCKED_PASSER + rank);
        }
        if ahead(at) & (view.their_attacks | view.theirs) == 0 {
            sheet.add(FREE_PASSER + rank);
        }
        if bit(front) & (view.occupied | view.their_attacks) == 0 {
            sheet.add(SAFE_STEP_PASSER + rank);
        }
        if view.pawn_attacks & bit(at) != 0 {
            sheet.add(DEFENDED_PASSER + rank);
        }
        if rank >= 3 {
            sheet.add(PASSER_OWN_KING + 8 * (rank - 3) + distance(view.king, front));
            sheet.add(PASSER_OTHER_KING + 8 * (rank - 3) + distance(view.their_king, front));
        }
        let behind = FILE_A << (at & 7) & (bit(at) - 1);
        if behind & view.rooks != 0 {
            sheet.add(ROOK_BEHIND_PASSER);
        }
    }
}

/// Steps of a king from one square to another.
pub fn distance(a: u32, b: u32) -> usize {
    (a & 7).abs_diff(b & 7).max((a >> 3).abs_diff(b >> 3)) as usize
}
