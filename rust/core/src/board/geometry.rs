//! Squares, sets of squares, and what attacks what on an empty or an occupied board.
//!
//! A square is a number from a1 = 0 to h8 = 63 as the side to move sees it, a set of squares a word with a bit for each.

use shakmaty::{Bitboard, Square, attacks};

/// Our first rank.
pub const FIRST_RANK: u64 = 0xff;
/// The rank that pawns reach with a single step, from which a double step goes on.
pub const THIRD_RANK: u64 = 0xff << 16;
/// The rank from which our pawns promote.
pub const SEVENTH_RANK: u64 = 0xff << 48;
/// Our last rank.
pub const LAST_RANK: u64 = 0xff << 56;
/// The a-file.
pub const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The h-file.
pub const FILE_H: u64 = FILE_A << 7;
/// The squares of the colour of a1.
pub const DARK_SQUARES: u64 = 0xaa55_aa55_aa55_aa55;

/// Turns a square's rank.
pub const FLIP: u32 = 0x38;

/// A square as the other side sees it.
#[inline(always)]
pub const fn flipped(square: u32) -> u32 {
    square ^ FLIP
}

/// The bit of a square.
#[inline(always)]
pub const fn bit(square: u32) -> u64 {
    1 << (square & 63)
}

/// The squares of a set, lowest first.
pub struct Squares(pub u64);

impl Iterator for Squares {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let square = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// A square in shakmaty's words.
#[inline(always)]
pub fn square(index: u32) -> Square {
    Square::new(index & 63)
}

/// Squares a bishop on `from` attacks.
#[inline(always)]
pub fn bishop_attacks(from: u32, occupied: u64) -> u64 {
    attacks::bishop_attacks(square(from), Bitboard(occupied)).0
}

/// Squares a rook on `from` attacks.
#[inline(always)]
pub fn rook_attacks(from: u32, occupied: u64) -> u64 {
    attacks::rook_attacks(square(from), Bitboard(occupied)).0
}

/// Squares a knight on `from` attacks.
#[inline(always)]
pub fn knight_attacks(from: u32) -> u64 {
    attacks::knight_attacks(square(from)).0
}

/// Squares a king on `from` attacks.
#[inline(always)]
pub fn king_attacks(from: u32) -> u64 {
    attacks::king_attacks(square(from)).0
}

/// The squares beside some, on their ranks.
#[inline(always)]
pub const fn beside(squares: u64) -> u64 {
    (squares & !FILE_A) >> 1 | (squares & !FILE_H) << 1
}

/// Squares that pawns moving up attack.
#[inline(always)]
pub const fn pawns_attack_up(pawns: u64) -> u64 {
    (pawns & !FILE_A) << 7 | (pawns & !FILE_H) << 9
}

/// Squares that pawns moving down attack.
#[inline(always)]
pub const fn pawns_attack_down(pawns: u64) -> u64 {
    (pawns & !FILE_A) >> 9 | (pawns & !FILE_H) >> 7
}

/// The squares strictly between two squares of one line.
#[inline(always)]
pub fn between(a: u32, b: u32) -> u64 {
    attacks::between(square(a), square(b)).0
}

/// The whole line through two squares, or nothing.
#[inline(always)]
pub fn line(a: u32, b: u32) -> u64 {
    attacks::ray(square(a), square(b)).0
}

/// Rank and file of a square.
#[inline(always)]
pub fn rook_lines(from: u32) -> u64 {
    ROOK_LINES[(from & 63) as usize]
}

/// The diagonals of a square.
#[inline(always)]
pub fn bishop_lines(from: u32) -> u64 {
    BISHOP_LINES[(from & 63) as usize]
}

static ROOK_LINES: [u64; 64] = lines(true);
static BISHOP_LINES: [u64; 64] = lines(false);

const fn lines(straight: bool) -> [u64; 64] {
    let mut table = [0; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            let (files, ranks) = (from % 8 - to % 8, from / 8 - to / 8);
            let on_line = if straight { files == 0 || ranks == 0 } else { files == ranks || files == -ranks };
            if from != to && on_line {
                table[from as usize] |= 1 << to;
            }
            to += 1;
        }
        from += 1_i32;
    }
    table
}
