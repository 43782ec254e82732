//! Random numbers of which the keys of positions are made.

use super::pieces::{BISHOP, KING};

/// Random numbers for keys, by colour, piece and square as it stands.
pub static KEYS: [[[u64; 64]; 8]; 2] = keys();
/// By colour of the side to move and rights as it sees them.
pub static CASTLING_KEYS: [[u64; 16]; 2] = castling_keys();
/// By file.
pub static EN_PASSANT_KEYS: [u64; 8] = [
    random(2001),
    random(2002),
    random(2003),
    random(2004),
    random(2005),
    random(2006),
    random(2007),
    random(2008),
];
/// For Black to move.
pub const TURN_KEY: u64 = random(2000);

/// The `index`th number of the generator `SplitMix64` (Steele, Lea and Flood 2014).
const fn random(index: u64) -> u64 {
    let mut word = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// For [`super::Board::products`].
pub const FACTORS: [u64; 5] = [random(4001), random(4002), random(4003), random(4004), random(4005) | 1];

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
                table[colour][code][square] = random((colour * 512 + code * 64 + square) as u64);
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
        let key = if rights == 0 { 0 } else { random(3000 + rights as u64) };
        table[0][rights] = key;
        table[1][(rights & 3) << 2 | rights >> 2] = key;
        rights += 1;
    }
    table
}
