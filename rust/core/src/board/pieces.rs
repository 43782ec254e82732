//! Pieces and moves, in a few bits.

use std::fmt;

use super::geometry::{
    bishop_attacks, bit, king_attacks, knight_attacks, pawns_attack_up, rook_attacks, square,
};
pub use crate::piece_code::*;

/// The pieces a pawn can become, in canonical order.
pub const PROMOTIONS: [Code; 4] = [QUEEN, ROOK, BISHOP, KNIGHT];

/// Squares that a piece of the side to move attacks.
#[inline(always)]
pub fn attacks(code: Code, from: u32, occupied: u64) -> u64 {
    match code {
        BISHOP => bishop_attacks(from, occupied),
        ROOK => rook_attacks(from, occupied),
        QUEEN => bishop_attacks(from, occupied) | rook_attacks(from, occupied),
        KNIGHT => knight_attacks(from),
        PAWN => pawns_attack_up(bit(from)),
        _ => king_attacks(from),
    }
}

/// A move as the side to move sees it: from, to, what a pawn becomes. Castling is the king's two steps, or, in
/// Chess960, its move onto the rook.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Move(pub u16);

impl Move {
    /// No move.
    pub const NONE: Move = Move(0);

    /// A move that promotes to `promotion`, or to nothing.
    #[inline(always)]
    pub const fn new(from: u32, to: u32, promotion: Code) -> Move {
        Move((from | to << 6 | (promotion as u32) << 12) as u16)
    }

    /// Where it starts.
    #[inline(always)]
    pub const fn from(self) -> u32 {
        self.0 as u32 & 63
    }

    /// Where it ends.
    #[inline(always)]
    pub const fn to(self) -> u32 {
        self.0 as u32 >> 6 & 63
    }

    /// What a pawn becomes, or [`EMPTY`].
    #[inline(always)]
    pub const fn promotion(self) -> Code {
        self.0 as usize >> 12
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", square(self.from()), square(self.to()))?;
        match self.promotion() {
            EMPTY => Ok(()),
            code => write!(f, "{}", role(code).char()),
        }
    }
}
