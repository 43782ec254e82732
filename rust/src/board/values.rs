//! What pieces on squares are worth, as the side sees it that owns them.

use super::geometry::FLIP;
use super::pieces::{BISHOP, Code, KING};
use crate::evaluation::simplified::{PIECE_VALUES, SQUARE_BONUS};
use crate::score::Score;

/// Material and squares of an evaluation, as the owner of a piece sees them; centipawns.
#[derive(Debug, PartialEq, Eq)]
pub struct Values {
    /// What a piece on a square is worth, kings left out: `[code][square]`.
    pub pieces: [[i16; 64]; 8],
    /// What the king's square is worth in the middlegame and in the endgame.
    pub king: [[i16; 64]; 2],
}

/// Those of the Simplified Evaluation Function.
pub static SIMPLIFIED: Values = Values { pieces: pieces(), king: [king(5), king(6)] };

impl Values {
    /// What a piece on a square is worth to its owner; nothing for the king or where no piece is.
    #[inline(always)]
    pub fn piece(&self, code: Code, square: u32) -> Score {
        self.pieces[code & 7][(square & 63) as usize] as Score
    }

    /// What the king on a square is worth to its owner.
    #[inline(always)]
    pub fn king(&self, endgame: bool, square: u32) -> Score {
        self.king[endgame as usize][(square & 63) as usize] as Score
    }
}

/// The published tables' number of a piece.
const TABLE_OF: [usize; 8] = [0, 2, 3, 4, 0, 1, 5, 5];

const fn pieces() -> [[i16; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut code = BISHOP;
    while code < KING {
        let published = TABLE_OF[code];
        let squares = SQUARE_BONUS[published];
        let mut square = 0;
        while square < 64 {
            table[code][square] = (PIECE_VALUES[published] + squares[square ^ FLIP as usize]) as i16;
            square += 1;
        }
        code += 1;
    }
    table
}

const fn king(published: usize) -> [i16; 64] {
    let squares = SQUARE_BONUS[published];
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = squares[square ^ FLIP as usize] as i16;
        square += 1;
    }
    table
}
