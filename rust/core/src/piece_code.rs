//! The pieces in three bits, as the board of the exact search names them.

use shakmaty::Role;

/// What stands on a square: bit 0 for what moves like a bishop, bit 1 for what moves like a rook, bit 2 for what
/// steps. A knight is written as a stepping bishop and a king as a stepping rook.
pub type Code = usize;

/// Nothing stands here.
pub const EMPTY: Code = 0;
/// A bishop.
pub const BISHOP: Code = 1;
/// A rook.
pub const ROOK: Code = 2;
/// A queen.
pub const QUEEN: Code = 3;
/// A pawn.
pub const PAWN: Code = 4;
/// A knight.
pub const KNIGHT: Code = 5;
/// A king.
pub const KING: Code = 6;

/// The kind of piece, in shakmaty's words.
pub const fn role(code: Code) -> Role {
    match code {
        BISHOP => Role::Bishop,
        ROOK => Role::Rook,
        QUEEN => Role::Queen,
        KNIGHT => Role::Knight,
        PAWN => Role::Pawn,
        _ => Role::King,
    }
}

/// The code of a kind of piece.
pub const fn code(role: Role) -> Code {
    match role {
        Role::Bishop => BISHOP,
        Role::Rook => ROOK,
        Role::Queen => QUEEN,
        Role::Knight => KNIGHT,
        Role::Pawn => PAWN,
        Role::King => KING,
    }
}
