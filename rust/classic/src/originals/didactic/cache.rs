//! `AlphaBetaCache`: a dictionary from positions to `(bound, value, depth)`.
//!
//! **Contract.** Positions are the same as in python-chess's transpositions: pieces, side to move, castling rights, and
//! the en passant square if a legal capture exists there. Neither clocks nor repetitions enter, so a value found where a
//! draw was near is reused where it is not. Values are the view of the side to move.
//!
//! [`Cache::load`] finds entries of at least the depth asked for. [`Cache::store`] keeps the old entry if it is as deep
//! or deeper: a bound is never refined by a search of the same depth. Finished games and leaves are stored too.
//!
//! **Cost.** 35 to 70 bytes an entry.
//!
//! Source: the original's section on iterative deepening.

use super::score::Value;
use crate::Result;
use crate::dictionary::Dictionary;
use betacut_core::position::Key;
use betacut_core::window::{Bound, Window};

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
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

/// The dictionary. Giving it back may take a while, so it is the caller's.
#[derive(Debug, Default)]
pub struct Cache(Dictionary<Entry>);

impl Cache {
    /// The number of entries.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// Counts the entries by type.
    pub fn types(&self) -> Types {
        let mut types = Types::default();
        for entry in self.0.values() {
            match entry.bound {
                Bound::Exact => types.exact += 1,
                Bound::Lower => types.lower += 1,
                Bound::Upper => types.upper += 1,
            }
        }
        types
    }

    /// The entry of a position, if it was searched at least to `depth`.
    #[inline]
    pub fn load(&self, key: Key, depth: i32) -> Option<Entry> {
        self.0.get(key).filter(|entry| i32::from(entry.depth) >= depth)
    }

    /// Stores what a search in the window found, unless as much is known.
    #[inline]
    pub fn store(&mut self, key: Key, value: Value, depth: i32, window: Window) -> Result<()> {
        if self.load(key, depth).is_some() {
            return Ok(());
        }
        self.0.store(key, Entry { value, depth: depth as i8, bound: window.proves(value) })
    }
}
