//! The structure of the pawns alone.

use super::sheet::{Sheet, Trace};
use super::terms::{
    BACKWARD_PAWN, CANDIDATE_PASSER, DEFENDED_PAWN, DOUBLED_PAWN, ISOLATED_PAWN, PASSED_PAWN, PHALANX,
    WEAK_UNOPPOSED,
};
use super::{pawn_cache::PawnTerms, view::View};
use betacut_core::board::{FILE_A, Squares, beside, bit, pawns_attack_down, pawns_attack_up};

/// The squares before a square, on its file.
pub fn ahead(at: u32) -> u64 {
    (FILE_A << 8) << at
}

/// The squares that a pawn of ours could attack on its way up, or from which one of theirs attacks ours on its way.
pub fn attack_span(at: u32) -> u64 {
    beside(ahead(at))
}

/// Counts the terms of both sides' pawns alone, ours first.
#[inline(always)]
pub fn count_both<T: Trace>(views: &[View; 2], sheet: &mut Sheet<'_, T>) -> PawnTerms {
    let ours = count(&views[0], sheet);
    sheet.turn();
    let theirs = count(&views[1], sheet);
    sheet.turn();
    PawnTerms { sum: sheet.sum(), passed: [ours, theirs] }
}

/// Counts the terms of pawns alone, and returns those that are passed.
#[inline(always)]
fn count<T: Trace>(view: &View, sheet: &mut Sheet<'_, T>) -> u64 {
    let mut passed = 0;
    for at in Squares(view.pawns) {
        let (file, rank) = (at & 7, (at >> 3) as usize);
        let neighbours = beside(FILE_A << file) & view.pawns;
        let supporters = pawns_attack_down(bit(at)) & view.pawns;
        let beside_it = beside(bit(at)) & view.pawns;
        let stoppers = (ahead(at) | attack_span(at)) & view.their_pawns;
        // 1. Help from other pawns.
        if neighbours == 0 {
            sheet.add(ISOLATED_PAWN + file.min(7 - file) as usize);
            if ahead(at) & view.their_pawns == 0 {
                sheet.add(WEAK_UNOPPOSED);
            }
        } else if neighbours & !attack_span(at) & !beside(bit(at)) == 0
            && supporters | beside_it == 0
            && bit(at) << 8 & (view.their_pawn_attacks | view.their_pawns) != 0
        {
            sheet.add(BACKWARD_PAWN);
            if ahead(at) & view.their_pawns == 0 {
                sheet.add(WEAK_UNOPPOSED + 1);
            }
        }
        if ahead(at) & view.pawns != 0 {
            sheet.add(DOUBLED_PAWN);
        }
        if beside_it != 0 {
            sheet.add(PHALANX + rank);
        }
        if supporters != 0 {
            sheet.add(DEFENDED_PAWN + rank);
        }
        // 2. The way to the last rank.
        if stoppers == 0 {
            if ahead(at) & view.pawns == 0 {
                passed |= bit(at);
                sheet.add(PASSED_PAWN + rank);
            }
        } else if ahead(at) & (view.their_pawns | view.pawns) == 0 {
            // As many helpers as enemies, where it stands and one step on.
            let enemies = pawns_attack_up(bit(at)) & view.their_pawns;
            let next = pawns_attack_up(bit(at) << 8) & view.their_pawns;
            if stoppers == enemies | next
                && supporters.count_ones() >= enemies.count_ones()
                && beside_it.count_ones() >= next.count_ones()
            {
                sheet.add(CANDIDATE_PASSER + rank);
            }
        }
    }
    passed
}
