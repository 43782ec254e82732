//! `AlphaBetaCache`: a dictionary from positions to `(bound, value, depth)`.
//!
//! **Contract.** Positions are the same as in python-chess's transpositions: pieces, side to move, castling rights, and
//! the en passant square if a legal capture exists there. Neither clocks nor repetitions enter, so a value found where a
//! draw was near is reused where it is not. Values are the view of the side to move.
//!
//! [`Cache::load`] finds entries of at least the depth asked for. [`Cache::store`] keeps the old entry if it is as deep
//! or deeper: a bound is never refined by a search of the same depth. Finished games and leaves are stored too.
//!
//! **Cost.** 24 bytes an entry, in a table that is at most half full. Positions are told apart by 128 bits.
//!
//! Source: the original's section on iterative deepening.

use super::score::Value;
use crate::cache::Bound;
use crate::limits::Stopped;
use crate::position::Key;

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    key: Key,
    /// The view of the side to move.
    pub value: Value,
    depth: i8,
    /// How to read the value.
    pub bound: Bound,
}

/// How many entries there are of each type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Types {
    /// Values.
    pub exact: usize,
    /// Values that may be greater.
    pub lower: usize,
    /// Values that may be smaller.
    pub upper: usize,
}

/// The dictionary.
#[derive(Debug, Default)]
pub struct Cache {
    /// A power of two of them, or none.
    slots: Vec<Option<Entry>>,
    size: usize,
}

/// The slots of the first table.
const FIRST_SLOTS: usize = 64;

impl Cache {
    /// The number of entries.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Counts the entries by type.
    pub fn types(&self) -> Types {
        let count = |bound| self.slots.iter().flatten().filter(|entry| entry.bound == bound).count();
        Types { exact: count(Bound::Exact), lower: count(Bound::Lower), upper: count(Bound::Upper) }
    }

    /// The entry of a position, if it was searched at least to `depth`.
    #[inline]
    pub fn load(&self, key: Key, depth: i32) -> Option<Entry> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(key)].filter(|entry| i32::from(entry.depth) >= depth)
    }

    /// Stores what a search in the window (alpha, beta) found, unless as much is known.
    ///
    /// # Errors
    /// [`Stopped::OutOfMemory`] if the table cannot grow.
    #[inline]
    pub fn store(
        &mut self,
        key: Key,
        value: Value,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> Result<(), Stopped> {
        if 2 * self.size >= self.slots.len() {
            self.grow()?;
        }
        let slot = self.slot(key);
        match self.slots[slot] {
            Some(known) if i32::from(known.depth) >= depth => return Ok(()),
            Some(_) => {}
            None => self.size += 1,
        }
        let bound = if value <= alpha {
            Bound::Upper
        } else if value >= beta {
            Bound::Lower
        } else {
            Bound::Exact
        };
        self.slots[slot] = Some(Entry { key, value, depth: depth as i8, bound });
        Ok(())
    }

    /// Where the entry of a position is, or would be.
    #[inline]
    fn slot(&self, key: Key) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = key.low as usize & last;
        while self.slots[slot].is_some_and(|entry| entry.key != key) {
            slot = (slot + 1) & last;
        }
        slot
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Stopped> {
        let wanted = (2 * self.slots.len()).max(FIRST_SLOTS);
        let mut slots = Vec::new();
        slots.try_reserve_exact(wanted).map_err(|_| Stopped::OutOfMemory)?;
        slots.resize(wanted, None);
        let old = std::mem::replace(&mut self.slots, slots);
        for entry in old.into_iter().flatten() {
            let slot = self.slot(entry.key);
            self.slots[slot] = Some(entry);
        }
        Ok(())
    }
}
