//! An endgame tablebase, as the programs ask python-chess for one.

use betacut_core::limits::Stopped;
use shakmaty::{Board, Chess};

/// The most men, kings and pawns included, on a board about which a tablebase is asked.
const MEN: usize = 5;

/// Something that knows how far from mate a position is.
pub trait Tablebase: Send {
    /// Plies to mate: positive if the side to move wins, negative if it is mated, 0 for a draw (and for a mate on the board);
    /// none if there is no table. The implementation remembers why a probe failed.
    fn probe_dtm(&mut self, chess: &Chess) -> Result<Option<i32>, Stopped>;
}

/// Whether a tablebase is asked about this board.
pub fn has_few_men(board: &Board) -> bool {
    board.occupied().count() <= MEN
}
