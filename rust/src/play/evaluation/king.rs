//! The safety of the kings: pawns before ours, pieces about theirs.

use super::sheet::{Sheet, Trace};
use super::terms::{
    KING_ATTACK, KING_ATTACKERS, KING_OPEN_FILE, NO_ATTACKING_QUEEN, SAFE_CHECK, SHELTER, STORM, WEAK_RING,
};
use super::view::View;
use crate::board::{FILE_A, FLIP, bishop_attacks, bit, knight_attacks, rook_attacks};

/// Counts the pawns before our king, of both sides.
#[inline(always)]
pub fn count_shelter<T: Trace>(view: &View, sheet: &mut Sheet<'_, T>) {
    let king_file = view.king & 7;
    let centre = king_file.clamp(1, 6);
    let not_behind = !0 << (view.king & FLIP);
    for file in centre - 1..=centre + 1 {
        // The king's file, the one beside it towards the edge, the one towards the middle.
        let place = if file == king_file { 0 } else { 1 + ((file < king_file) ^ (king_file < 4)) as usize };
        let squares = FILE_A << file & not_behind;
        // Rank 0, where no pawn stands, is for none.
        let rank = |pawns: u64| if pawns == 0 { 0 } else { (pawns.trailing_zeros() >> 3) as usize };
        sheet.add(SHELTER + 8 * place + rank(squares & view.pawns));
        sheet.add(STORM + 8 * place + rank(squares & view.their_pawns));
    }
    let file = FILE_A << king_file;
    if file & view.pawns == 0 {
        sheet.add(KING_OPEN_FILE + (file & view.their_pawns != 0) as usize);
    }
}

/// Counts our attack on their king.
#[inline(always)]
pub fn count_attack<T: Trace>(view: &View, sheet: &mut Sheet<'_, T>) {
    sheet.add(KING_ATTACK + view.ring_units.min(31) as usize);
    sheet.add(KING_ATTACKERS + view.ring_attackers.min(7) as usize);
    if view.queens == 0 {
        sheet.add(NO_ATTACKING_QUEEN);
    }
    // 1. Squares that only king or queen defend.
    let weak =
        view.attacks & (!view.their_attacks | view.their_king_queen_attacks & !view.their_attacks_twice);
    sheet.add(WEAK_RING + (weak & view.their_ring).count_ones().min(8) as usize);
    // 2. Checks that cost nothing.
    let safe = !view.ours & (!view.their_attacks | weak & view.attacks_twice);
    let [knights, bishops, rooks, queens] = view.attacks_by;
    let diagonals = bishop_attacks(view.their_king, view.occupied & !bit(view.their_king));
    let straights = rook_attacks(view.their_king, view.occupied & !bit(view.their_king));
    for (index, checks) in [
        knight_attacks(view.their_king) & knights,
        diagonals & bishops,
        straights & rooks,
        (diagonals | straights) & queens,
    ]
    .into_iter()
    .enumerate()
    {
        sheet.add_times(SAFE_CHECK + index, (checks & safe).count_ones());
    }
}
