//! Bare material, as two of the programs count it: pawn 1, knight and bishop 3, rook 5, queen 9.

use shakmaty::{Board, Color, Move, Role};

/// White's material minus Black's, in pawns.
pub type Material = i32;

/// Pawn to king.
const VALUES: [Material; 6] = [1, 3, 3, 5, 9, 0];

const fn value_of(role: Role) -> Material {
    VALUES[role as usize - 1]
}

/// The material of a board.
pub fn material(board: &Board) -> Material {
    let difference = |role: Role| {
        let count = |color: Color| board.by_piece(role.of(color)).count() as Material;
        value_of(role) * (count(Color::White) - count(Color::Black))
    };
    Role::ALL.into_iter().map(difference).sum()
}

/// The change of [`material`] by a move of `turn`.
#[inline(always)]
pub fn gain(turn: Color, m: Move) -> Material {
    let captured = captured(m).map_or(0, value_of);
    let promoted = m.promotion().map_or(0, |role| value_of(role) - value_of(Role::Pawn));
    turn.fold_wb(captured + promoted, -captured - promoted)
}

/// What a move captures.
#[inline(always)]
pub fn captured(m: Move) -> Option<Role> {
    match m {
        Move::Normal { capture, .. } => capture,
        Move::EnPassant { .. } => Some(Role::Pawn),
        _ => None,
    }
}
