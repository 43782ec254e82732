//! What quiescence remembers.

use betacut_core::board::Board;
use betacut_core::score::{MATE, Score};

/// What quiescence found about positions, the latest of each place.
#[derive(Default)]
pub struct QuietTable {
    entries: Vec<Known>,
}

/// A position's men as the side to move sees them, and bounds of its value.
#[derive(Clone, Copy, Default)]
struct Known {
    men: [u64; 4],
    least: Score,
    most: Score,
}

/// How many positions a [`QuietTable`] holds.
const PLACES: usize = 1 << 13;

impl QuietTable {
    #[inline(always)]
    fn place(board: &Board) -> usize {
        board.products() as usize & (PLACES - 1)
    }

    #[inline(always)]
    pub(super) fn look_up(&self, board: &Board, alpha: Score, beta: Score) -> Option<Score> {
        let known = self.entries.get(QuietTable::place(board))?;
        if known.men != board.men_by_plane() {
            return None;
        }
        if known.least >= beta || known.least == known.most {
            Some(known.least)
        } else {
            (known.most <= alpha).then_some(known.most)
        }
    }

    pub(super) fn store(&mut self, board: &Board, value: Score, (alpha, beta): (Score, Score)) {
        if self.entries.is_empty() {
            self.entries = vec![Known::default(); PLACES];
        }
        let least = if value > alpha { value } else { -INFINITE };
        let most = if value < beta { value } else { INFINITE };
        self.entries[QuietTable::place(board)] = Known { men: board.men_by_plane(), least, most };
    }
}

/// More than any value.
const INFINITE: Score = MATE * 2;
