//! What pieces on squares are worth, as the side sees it that owns them.

use super::geometry::TURN;
use super::pieces::{BISHOP, Code, KING};
use crate::evaluation::simplified::{PIECE_VALUES, SQUARE_BONUS};
use crate::score::Score;

/// What one of our pieces on a square is worth, kings left out: `[code][square]`, in centipawns.
pub static VALUE: [[i16; 64]; 8] = values();
/// What our king's square is worth in the middlegame and in the endgame.
pub static KING_SQUARE: [[i16; 64]; 2] = [king_squares(5), king_squares(6)];

/// The published tables' number of a piece.
const TABLE_OF: [usize; 8] = [0, 2, 3, 4, 0, 1, 5, 5];

const fn values() -> [[i16; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut code = BISHOP;
    while code < KING {
        let published = TABLE_OF[code];
        let squares = SQUARE_BONUS[published];
        let mut square = 0;
        while square < 64 {
            table[code][square] = (PIECE_VALUES[published] + squares[square ^ TURN as usize]) as i16;
            square += 1;
        }
        code += 1;
    }
    table
}

const fn king_squares(published: usize) -> [i16; 64] {
    let squares = SQUARE_BONUS[published];
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = squares[square ^ TURN as usize] as i16;
        square += 1;
    }
    table
}

/// What one of our pieces on a square is worth.
#[inline(always)]
pub fn value(code: Code, square: u32) -> Score {
    VALUE[code & 7][(square & 63) as usize] as Score
}

/// What our king on a square is worth.
#[inline(always)]
pub fn king_value(endgame: bool, square: u32) -> Score {
    KING_SQUARE[endgame as usize][(square & 63) as usize] as Score
}
