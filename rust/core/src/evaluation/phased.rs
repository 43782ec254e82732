//! Two sums over the same pieces, and what a move changes them by.

use std::ops::{Add, Sub};

use shakmaty::{Board, CastlingSide, Color, Move, Piece, Role, Square};

use crate::score::Score;

/// Two sums over the same pieces: by the tables of the middlegame and by those of the endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phased {
    /// By the tables of the middlegame.
    pub middlegame: Score,
    /// By the tables of the endgame.
    pub endgame: Score,
}

impl Phased {
    /// The score of a position in the given phase.
    pub const fn score(self, endgame: bool) -> Score {
        self.phase(endgame as usize)
    }

    /// [`Phased::score`] with 0 for the middlegame and 1 for the endgame.
    #[inline(always)]
    pub const fn phase(self, phase: usize) -> Score {
        [self.middlegame, self.endgame][phase]
    }
}

impl Add for Phased {
    type Output = Phased;

    fn add(self, other: Phased) -> Phased {
        Phased { middlegame: self.middlegame + other.middlegame, endgame: self.endgame + other.endgame }
    }
}

impl Sub for Phased {
    type Output = Phased;

    fn sub(self, other: Phased) -> Phased {
        Phased { middlegame: self.middlegame - other.middlegame, endgame: self.endgame - other.endgame }
    }
}

/// What a piece on a square adds to the sums, by colour (Black first), piece and square; White's view.
pub type PieceSquare = [[[Phased; 64]; 6]; 2];

/// What one piece on one square adds to the sums (less than nothing for Black's pieces).
#[inline(always)]
pub fn piece_square(tables: &PieceSquare, color: Color, role: Role, square: Square) -> Phased {
    tables[usize::from(color.is_white())][role as usize - 1][square.to_usize()]
}

/// The sums over all pieces, from scratch.
pub fn sum(tables: &PieceSquare, board: &Board) -> Phased {
    let worth = |(square, piece): (Square, Piece)| piece_square(tables, piece.color, piece.role, square);
    board.iter().map(worth).fold(Phased::default(), Phased::add)
}

/// The change of the sums by a move of `color`: the moved piece, the captured piece, a promotion, the castling rook.
#[inline(always)]
pub fn delta(tables: &PieceSquare, color: Color, m: Move) -> Phased {
    let piece_square = |color, role, square| piece_square(tables, color, role, square);
    match m {
        Move::Normal { role, from, capture, to, promotion } => {
            let change = piece_square(color, promotion.unwrap_or(role), to) - piece_square(color, role, from);
            capture.map_or(change, |captured| change - piece_square(!color, captured, to))
        }
        Move::EnPassant { from, to } => {
            let captured = Square::from_coords(to.file(), from.rank());
            piece_square(color, Role::Pawn, to)
                - piece_square(color, Role::Pawn, from)
                - piece_square(!color, Role::Pawn, captured)
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            let (king_to, rook_to) = (side.king_to(color), side.rook_to(color));
            piece_square(color, Role::King, king_to) - piece_square(color, Role::King, king)
                + piece_square(color, Role::Rook, rook_to)
                - piece_square(color, Role::Rook, rook)
        }
        Move::Put { .. } => unreachable!("standard chess drops no pieces"),
    }
}
