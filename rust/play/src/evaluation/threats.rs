//! What may be taken next.

use super::sheet::{Sheet, Trace};
use super::terms::{
    BISHOP_THREAT, HANGING, KING_THREAT, KNIGHT_THREAT, PAWN_THREAT, PUSH_THREAT, QUEEN_THREAT, RESTRICTED,
    ROOK_THREAT,
};
use super::view::View;
use betacut_core::board::{
    THIRD_RANK, bishop_attacks, king_attacks, knight_attacks, pawns_attack_up, rook_attacks,
};

/// Counts our threats.
#[inline(always)]
pub fn count<T: Trace>(view: &View, sheet: &mut Sheet<'_, T>) {
    let [knights, bishops, rooks, queens] = view.their_pieces;
    let pieces = knights | bishops | rooks | queens;
    // 1. By pawns: now, or after a step.
    if view.pawn_attacks & pieces != 0 {
        for (index, kind) in view.their_pieces.into_iter().enumerate() {
            sheet.add_times(PAWN_THREAT + index, (view.pawn_attacks & kind).count_ones());
        }
    }
    let empty = !view.occupied;
    let steps = view.pawns << 8 & empty;
    let steps = (steps | (steps & THIRD_RANK) << 8 & empty) & !view.their_pawn_attacks;
    let safe = steps & (view.attacks | !view.their_attacks);
    sheet.add_times(PUSH_THREAT, (pawns_attack_up(safe) & pieces).count_ones());
    // 2. By pieces, on what a pawn does not defend or what is worth more.
    let weak = view.theirs & !view.their_pawn_attacks;
    let [by_knights, by_bishops, by_rooks, _] = view.attacks_by;
    for (attacks, term, worthy) in [
        (by_knights, KNIGHT_THREAT, rooks | queens),
        (by_bishops, BISHOP_THREAT, rooks | queens),
        (by_rooks, ROOK_THREAT, queens),
    ] {
        let attacked = attacks & (weak | worthy);
        if attacked != 0 {
            for (index, kind) in [view.their_pawns, knights, bishops, rooks, queens].into_iter().enumerate() {
                sheet.add_times(term + index, (attacked & kind).count_ones());
            }
        }
    }
    // 3. On what nothing defends.
    let hanging = view.attacks & view.theirs & !view.their_attacks;
    if hanging != 0 {
        sheet.add_times(HANGING, (hanging & view.their_pawns).count_ones());
        sheet.add_times(HANGING + 1, (hanging & pieces).count_ones());
    }
    // 4. On what is contested, and next on a queen.
    let firm = view.their_pawn_attacks | view.their_attacks_twice & !view.attacks_twice;
    sheet.add_times(RESTRICTED, (view.attacks & view.their_attacks & !firm).count_ones());
    if queens.is_power_of_two() {
        let at = queens.trailing_zeros();
        let safe = !view.ours & !firm & (view.attacks_twice | !view.their_attacks);
        sheet.add_times(QUEEN_THREAT, (knight_attacks(at) & by_knights & safe).count_ones());
        let diagonal = bishop_attacks(at, view.occupied) & by_bishops & safe;
        let straight = rook_attacks(at, view.occupied) & by_rooks & safe;
        sheet.add_times(QUEEN_THREAT + 1, (diagonal | straight).count_ones());
    }
    if king_attacks(view.king) & view.theirs & !view.their_attacks != 0 {
        sheet.add(KING_THREAT);
    }
}
