//! Random numbers of which the keys of positions are made.

use super::pieces::{BISHOP, Code, KING};
use crate::random::splitmix64;

/// Random numbers for keys, by colour, piece and square as it stands.
pub static KEYS: [[[u64; 64]; 8]; 2] = keys();
/// By colour of the side to move and rights as it sees them.
pub static CASTLING_KEYS: [[u64; 16]; 2] = castling_keys();
/// By file.
pub static EN_PASSANT_KEYS: [u64; 8] = [
    splitmix64(2001),
    splitmix64(2002),
    splitmix64(2003),
    splitmix64(2004),
    splitmix64(2005),
    splitmix64(2006),
    splitmix64(2007),
    splitmix64(2008),
];
/// For Black to move.
pub const TURN_KEY: u64 = splitmix64(2000);

/// The number that a piece of a colour adds, on a square as it stands.
pub fn placed_key(black: bool, code: Code, square: u32) -> u64 {
    KEYS[black as usize][code & 7][(square & 63) as usize]
}

/// For [`super::FlippedBoard::products`].
pub const FACTORS: [u64; 5] =
    [splitmix64(4001), splitmix64(4002), splitmix64(4003), splitmix64(4004), splitmix64(4005) | 1];

/// Both halves of the product of two words, one laid over the other.
#[inline(always)]
pub const fn product(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product >> 64) as u64 ^ product as u64
}

const fn keys() -> [[[u64; 64]; 8]; 2] {
    let mut table = [[[0; 64]; 8]; 2];
    let mut colour = 0;
    while colour < 2 {
        let mut code = BISHOP;
        while code <= KING {
            let mut square = 0;
            while square < 64 {
                table[colour][code][square] = splitmix64((colour * 512 + code * 64 + square) as u64);
                square += 1;
            }
            code += 1;
        }
        colour += 1;
    }
    table
}

const fn castling_keys() -> [[u64; 16]; 2] {
    let mut table = [[0; 16]; 2];
    let mut rights = 0;
    while rights < 16 {
        let key = if rights == 0 { 0 } else { splitmix64(3000 + rights as u64) };
        table[0][rights] = key;
        table[1][(rights & 3) << 2 | rights >> 2] = key;
        rights += 1;
    }
    table
}
