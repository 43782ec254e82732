//! Mobility, and where pieces stand well or badly; on the way, what each side attacks.

use super::sheet::{Sheet, Trace};
use super::terms::{
    BEHIND_PAWN, BISHOP_ALL_PAWNS, BISHOP_MOBILITY, BISHOP_PAIR, BISHOP_PAWNS, KNIGHT_MOBILITY, KNIGHT_PAWNS,
    LONG_DIAGONAL, OUTPOST, QUEEN_MOBILITY, QUEEN_OPEN_FILE, ROOK_MOBILITY, ROOK_OPEN_FILE, ROOK_PAWNS,
    ROOK_SEVENTH, SPACE, TRAPPED_ROOK,
};
use super::view::View;
use betacut_core::board::{DARK_SQUARES, FILE_A, Squares, bishop_attacks, bit, knight_attacks, rook_attacks};

/// What an attacked square near the king counts, by kind of attacker: knight, bishop, rook, queen.
const ATTACK_UNITS: [u32; 4] = [2, 2, 3, 4];

/// The four squares in the middle.
const CENTRE: u64 = 0x18_1800_0000;
/// The squares on which outposts count: the fourth to the sixth rank.
const OUTPOSTS: u64 = 0xffff_ff00_0000;
/// The files from c to f, from the second rank to the fourth.
const SPACE_SQUARES: u64 = 0x3c3c_3c00;

/// Counts the terms of pieces, and fills in what they attack.
#[inline(always)]
pub fn count<T: Trace>(view: &mut View, sheet: &mut Sheet<'_, T>) {
    let area = mobility_area(view);
    let occupied = view.occupied;
    for from in Squares(view.knights) {
        let moves = view.attack(0, knight_attacks(from));
        sheet.add(KNIGHT_MOBILITY + (moves & area).count_ones() as usize);
        count_minor(view, 0, from, sheet);
    }
    // Sliders see through what moves like them.
    for from in Squares(view.bishops) {
        let moves = view.attack(1, bishop_attacks(from, occupied ^ view.queens));
        sheet.add(BISHOP_MOBILITY + (moves & area).count_ones() as usize);
        count_minor(view, 1, from, sheet);
        let colour = if DARK_SQUARES & bit(from) != 0 { DARK_SQUARES } else { !DARK_SQUARES };
        sheet.add(BISHOP_PAWNS + (view.pawns & colour).count_ones() as usize);
        if bishop_attacks(from, view.pawns | view.their_pawns) & CENTRE & !bit(from) & colour
            == CENTRE & colour
        {
            sheet.add(LONG_DIAGONAL);
        }
    }
    for from in Squares(view.rooks) {
        let moves = view.attack(2, rook_attacks(from, occupied ^ view.queens ^ view.rooks));
        let mobility = (moves & area).count_ones() as usize;
        sheet.add(ROOK_MOBILITY + mobility);
        count_file(view, from, ROOK_OPEN_FILE, sheet);
        if from >> 3 == 6 {
            sheet.add(ROOK_SEVENTH);
        }
        if mobility <= 3 && !view.may_castle && is_shut_in(view.king, from) {
            sheet.add(TRAPPED_ROOK);
        }
    }
    for from in Squares(view.queens) {
        let moves = view.attack(3, bishop_attacks(from, occupied) | rook_attacks(from, occupied));
        sheet.add(QUEEN_MOBILITY + (moves & area).count_ones() as usize);
        count_file(view, from, QUEEN_OPEN_FILE, sheet);
    }
    if view.bishops & DARK_SQUARES != 0 && view.bishops & !DARK_SQUARES != 0 {
        sheet.add(BISHOP_PAIR);
    }
    let pawns = (view.pawns | view.their_pawns).count_ones() as usize;
    sheet.add_times(KNIGHT_PAWNS + pawns, view.knights.count_ones());
    sheet.add_times(BISHOP_ALL_PAWNS + pawns, view.bishops.count_ones());
    sheet.add_times(ROOK_PAWNS + pawns, view.rooks.count_ones());
    let space = SPACE_SQUARES & !view.pawns & !view.their_pawn_attacks;
    sheet.add(SPACE + space.count_ones() as usize);
}

impl View {
    /// Notes that a piece of a kind attacks these squares, and returns them.
    #[inline(always)]
    fn attack(&mut self, kind: usize, squares: u64) -> u64 {
        self.attacks_twice |= self.attacks & squares;
        self.attacks |= squares;
        self.attacks_by[kind] |= squares;
        let ring = squares & self.their_ring;
        if ring != 0 {
            self.ring_attackers += 1;
            self.ring_units += ATTACK_UNITS[kind] * ring.count_ones();
        }
        squares
    }
}

/// Squares that count for mobility: neither attacked by their pawns nor under our king or a pawn that has hardly stepped.
fn mobility_area(view: &View) -> u64 {
    let stuck = view.pawns & (view.occupied >> 8 | 0xff_ff00);
    !(view.their_pawn_attacks | stuck | bit(view.king))
}

/// A knight (0) or bishop (1): outposts, and shelter behind a pawn.
#[inline(always)]
fn count_minor<T: Trace>(view: &View, kind: usize, at: u32, sheet: &mut Sheet<'_, T>) {
    if bit(at) & OUTPOSTS & view.pawn_attacks != 0 && super::pawns::attack_span(at) & view.their_pawns == 0 {
        sheet.add(OUTPOST + kind);
    }
    if bit(at) << 8 & (view.pawns | view.their_pawns) != 0 {
        sheet.add(BEHIND_PAWN + kind);
    }
}

/// A rook or a queen on a file without pawns, or without pawns of its side.
#[inline(always)]
fn count_file<T: Trace>(view: &View, from: u32, term: usize, sheet: &mut Sheet<'_, T>) {
    let file = FILE_A << (from & 7);
    if file & view.pawns == 0 {
        sheet.add(term + (file & view.their_pawns != 0) as usize);
    }
}

/// Whether a rook stands between its king and the edge, on their first rank.
fn is_shut_in(king: u32, rook: u32) -> bool {
    let (king_file, rook_file) = (king & 7, rook & 7);
    king < 8 && rook < 16 && if king_file >= 4 { rook_file > king_file } else { rook_file < king_file }
}
