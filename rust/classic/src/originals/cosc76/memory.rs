//! What a player remembers of boards: a dictionary by picture.
//!
//! The original's keys are the 8x8 pictures that `str(board)` draws. A picture shows the placement and nothing else: not
//! the side to move, castling or en passant, nor how deep the value was searched. Here the key is the placement's
//! [`Key`]. The dictionary also holds two kinds of keys that are no boards, which matter for its size: `"*"` from the
//! start, and the names of the moves that were chosen.

use std::collections::BTreeSet;

use super::evaluation::Value;
use crate::Result;
use crate::dictionary::Dictionary;
use betacut_core::position::Key;

/// Values by placement key.
pub type Scores = Dictionary<Value>;

/// The original's transposition table.
#[derive(Clone, Debug)]
pub struct Memory {
    boards: Scores,
    /// The keys that are no boards.
    names: BTreeSet<String>,
    stores: u64,
}

impl Memory {
    /// A memory with its first entry, `"*"`.
    pub(super) fn new() -> Memory {
        Memory { boards: Scores::default(), names: BTreeSet::from(["*".to_owned()]), stores: 1 }
    }

    /// The value of a placement.
    #[inline]
    pub(super) fn get(&self, placement: Key) -> Option<Value> {
        self.boards.get(placement)
    }

    /// Stores the value of a placement, over whatever was there.
    #[inline]
    pub(super) fn store(&mut self, placement: Key, value: Value) -> Result<()> {
        self.stores += 1;
        self.boards.store(placement, value)
    }

    /// Stores something under the name of a move, where no lookup ever goes.
    pub(super) fn store_name(&mut self, name: String) {
        self.stores += 1;
        self.names.insert(name);
    }

    /// The values of the boards.
    pub(super) fn into_scores(self) -> Scores {
        self.boards
    }

    /// How often something was stored: the original's `len`, overwriting included.
    pub fn stores(&self) -> u64 {
        self.stores
    }

    /// The number of different keys.
    pub fn size(&self) -> usize {
        self.boards.len() + self.names.len()
    }
}
