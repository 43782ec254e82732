//! Which moves may give check.

use betacut_core::board::{Board, Code, Move, bit};

/// What gives check where a piece moves to another square: promotions, castling and en passant captures may do more.
pub struct Checks {
    /// Squares from which each piece attacks their king.
    from: [u64; 8],
    /// Pieces of ours that discover a check when they leave the line to the king.
    discoverers: u64,
}

impl Checks {
    /// For moves of the side to move.
    #[inline]
    pub fn new(board: &Board) -> Checks {
        Checks { from: board.check_squares(), discoverers: board.discoverers() }
    }

    /// Squares from which a piece attacks their king.
    #[inline(always)]
    pub const fn squares(&self, code: Code) -> u64 {
        self.from[code & 7]
    }

    /// Whether a move onto another square gives check or seems to.
    #[inline(always)]
    pub fn may_check(&self, code: Code, m: Move) -> bool {
        self.squares(code) & bit(m.to()) != 0 || self.discoverers & bit(m.from()) != 0
    }
}
