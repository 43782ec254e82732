//! What quiescence remembers.

use std::cell::Cell;

use betacut_core::board::Board;
use betacut_core::score::{MATE, Score};

/// What quiescence found about positions in one search, the latest of each place.
#[derive(Default)]
pub struct QuietTable {
    entries: Vec<Known>,
    /// Which search this is: what an entry of another one says is not used, so that counts do not depend on the past.
    search: u32,
}

/// A position's men as the side to move sees them, and bounds of its value.
#[derive(Clone, Copy, Default)]
struct Known {
    men: [u64; 4],
    least: Score,
    most: Score,
    search: u32,
}

/// How many positions a [`QuietTable`] holds.
const PLACES: usize = 1 << 13;

thread_local! {
    /// Entries and number of the last search of this thread: to make them takes as long as a search of depth 2.
    static SPARE: Cell<(Vec<Known>, u32)> = const { Cell::new((Vec::new(), 0)) };
}

impl QuietTable {
    #[inline(always)]
    fn place(board: &Board) -> usize {
        board.products() as usize & (PLACES - 1)
    }

    #[inline(always)]
    pub(super) fn look_up(&self, board: &Board, alpha: Score, beta: Score) -> Option<Score> {
        let known = self.entries.get(QuietTable::place(board))?;
        if known.men != board.men_by_plane() || known.search != self.search {
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
            self.begin();
        }
        let least = if value > alpha { value } else { -INFINITE };
        let most = if value < beta { value } else { INFINITE };
        let known = Known { men: board.men_by_plane(), least, most, search: self.search };
        self.entries[QuietTable::place(board)] = known;
    }

    /// Takes the spare entries, or makes some.
    #[cold]
    fn begin(&mut self) {
        let (entries, last) = SPARE.try_with(Cell::take).unwrap_or_default();
        let search = last.wrapping_add(1);
        let is_usable = !entries.is_empty() && search != 0;
        self.entries = if is_usable { entries } else { vec![Known::default(); PLACES] };
        self.search = if is_usable { search } else { 1 };
    }
}

impl Drop for QuietTable {
    fn drop(&mut self) {
        if !self.entries.is_empty() {
            let _ = SPARE.try_with(|spare| spare.set((std::mem::take(&mut self.entries), self.search)));
        }
    }
}

/// More than any value.
const INFINITE: Score = MATE * 2;
