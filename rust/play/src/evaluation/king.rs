//! The safety of the kings: pawns before ours, pieces about theirs.

use super::sheet::{Sheet, Trace};
use super::terms::{
    BLOCKED_STORM, FLANK_ATTACK, FLANK_DEFENCE, KING_ATTACK, KING_ATTACKERS, KING_DANGER, KING_OPEN_FILE,
    NO_ATTACKING_QUEEN, PAWNLESS_FLANK, SAFE_CHECK, SHELTER, STORM, WEAK_RING,
};
use super::view::View;
use betacut_core::board::{FILE_A, FLIP, bishop_attacks, bit, knight_attacks, rook_attacks};

/// What a safe check by a knight, a bishop, a rook, a queen adds to the danger that a king is in. Units of danger.
const CHECK_DANGER: [u32; 4] = [10, 6, 10, 8];
/// By how much the danger is less without a queen. Units of danger.
const NO_QUEEN_DANGER: u32 = 16;

/// The first three ranks of the side that attacks.
const OUR_THREE_RANKS: u64 = 0xff_ffff;

/// The files of the side of the board on which a king stands, by its file: three at the edge, four further in.
const FLANKS: [u64; 8] = {
    const QUEENSIDE: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    const CENTRE: u64 = 0x3c3c_3c3c_3c3c_3c3c;
    const KINGSIDE: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    [
        QUEENSIDE & !0x0808_0808_0808_0808,
        QUEENSIDE,
        QUEENSIDE,
        CENTRE,
        CENTRE,
        KINGSIDE,
        KINGSIDE,
        KINGSIDE & !0x1010_1010_1010_1010,
    ]
};

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
        let storm = squares & view.their_pawns;
        sheet.add(STORM + 8 * place + rank(storm));
        let nearest = storm & storm.wrapping_neg();
        if nearest & view.pawns << 8 != 0 {
            sheet.add(BLOCKED_STORM + rank(storm));
        }
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
    let weak_ring = (weak & view.their_ring).count_ones();
    sheet.add(WEAK_RING + weak_ring.min(8) as usize);
    // 2. Checks that cost nothing.
    let safe = !view.ours & (!view.their_attacks | weak & view.attacks_twice);
    let checks = count_checks(view, safe, sheet);
    // 3. The side of the board on which it stands.
    count_flank(view, sheet);
    // 4. All together: an attack is worth more than its parts.
    let danger = view.ring_units + 3 * view.ring_attackers + 3 * weak_ring + checks;
    let less = if view.queens == 0 { NO_QUEEN_DANGER } else { 0 };
    sheet.add(KING_DANGER + (danger.saturating_sub(less) / 2).min(63) as usize);
}

/// Counts our checks on safe squares; returns the danger they are.
#[inline(always)]
fn count_checks<T: Trace>(view: &View, safe: u64, sheet: &mut Sheet<'_, T>) -> u32 {
    let [knights, bishops, rooks, queens] = view.attacks_by;
    let diagonals = bishop_attacks(view.their_king, view.occupied & !bit(view.their_king));
    let straights = rook_attacks(view.their_king, view.occupied & !bit(view.their_king));
    let mut danger = 0;
    for (index, checks) in [
        knight_attacks(view.their_king) & knights,
        diagonals & bishops,
        straights & rooks,
        (diagonals | straights) & queens,
    ]
    .into_iter()
    .enumerate()
    {
        let count = (checks & safe).count_ones();
        sheet.add_times(SAFE_CHECK + index, count);
        danger += CHECK_DANGER[index] * count.min(2);
    }
    danger
}

/// Counts the attackers of the side of the board on which their king stands, up to its fifth rank.
#[inline(always)]
fn count_flank<T: Trace>(view: &View, sheet: &mut Sheet<'_, T>) {
    let flank = FLANKS[(view.their_king & 7) as usize];
    let camp = flank & !OUR_THREE_RANKS;
    let attacked = (view.attacks & camp).count_ones() + (view.attacks_twice & camp).count_ones();
    sheet.add(FLANK_ATTACK + attacked as usize);
    sheet.add(FLANK_DEFENCE + (view.their_attacks & camp).count_ones() as usize);
    if (view.pawns | view.their_pawns) & flank == 0 {
        sheet.add(PAWNLESS_FLANK);
    }
}
