//! Keys that tell positions apart, and those of the pieces, which they are made of.

use std::hash::{Hash, Hasher};
use std::ops::{BitXor, BitXorAssign};
use std::{array, sync::LazyLock};

use shakmaty::{
    Color, Role, Square,
    zobrist::{Zobrist128, ZobristValue},
};

/// 128 bits that tell positions apart: the exclusive or of the keys of what is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// The Polyglot key.
    pub low: u64,
    /// As many bits more, independent of the former.
    pub high: u64,
}

impl Key {
    /// The key of the position together with a number. The factors are odd, so no two numbers give the same key. (Of two
    /// numbers, one after the other, that is not true: pack them into one.)
    #[must_use]
    pub const fn with(self, number: u64) -> Key {
        Key {
            low: self.low ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            high: self.high ^ number.wrapping_mul(0xd134_2543_de82_ef95),
        }
    }
}

impl BitXor for Key {
    type Output = Key;

    fn bitxor(self, other: Key) -> Key {
        Key { low: self.low ^ other.low, high: self.high ^ other.high }
    }
}

impl BitXorAssign for Key {
    fn bitxor_assign(&mut self, other: Key) {
        *self = *self ^ other;
    }
}

impl From<Zobrist128> for Key {
    fn from(Zobrist128(key): Zobrist128) -> Key {
        Key { low: key as u64, high: (key >> u64::BITS) as u64 }
    }
}

impl From<Key> for u128 {
    fn from(key: Key) -> u128 {
        u128::from(key.high) << u64::BITS | u128::from(key.low)
    }
}

impl Hash for Key {
    /// For a dictionary one half is random enough; it compares both.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.low);
    }
}

/// shakmaty's keys of the pieces by colour (Black first), piece and square, in one array.
static PIECE_KEYS: LazyLock<[[[Key; 64]; 6]; 2]> = LazyLock::new(|| {
    let key = |color: Color, role: usize, square: usize| {
        Key::from(Zobrist128::zobrist_for_piece(Square::new(square as u32), Role::ALL[role].of(color)))
    };
    [Color::Black, Color::White]
        .map(|color| array::from_fn(|role| array::from_fn(|square| key(color, role, square))))
});

/// Makes the table of keys; for callers whose process may fork while a thread first asks for one.
pub fn make_table() {
    LazyLock::force(&PIECE_KEYS);
}

/// The key of a piece on a square.
pub fn piece_key(color: Color, role: Role, square: Square) -> Key {
    PIECE_KEYS[usize::from(color.is_white())][role as usize - 1][square.to_usize()]
}
