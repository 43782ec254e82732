//! The transposition table: what is known of positions met before.
//!
//! # The idea
//!
//! Different orders of moves lead to the same position; its value need be found once. An entry says that the value of
//! a position at a remaining depth lies between two bounds, and which move was best. The value depends on position and
//! remaining depth alone (and on the half-move clock where that can end the game: [`super::bounds::table_key`]), so an
//! entry is as true in the next search as in this one, and a table may be kept and shared as long as it pleases.
//!
//! An entry answers only the depth it was stored for. Its move orders the moves at every depth.
//!
//! # The price
//!
//! A question touches one cache line, nearly always a line that is not in the cache. So the last plies are searched
//! without asking, and a table made for one search is only as large as that search needs: a small one stays in the
//! cache, and memory that is not touched costs nothing.
//!
//! # What can go wrong
//!
//! Two threads may write the two words of an entry at the same time. The first word is stored mixed with the second, so
//! a torn entry belongs to no position (Hyatt's "lockless hashing"). Two positions may have the same 64-bit key, with a
//! chance of about n²/2⁶⁵ among n positions of one search: one in 10⁷ for a million.
//!
//! Sources: R. Hyatt and T. Mann, "A Lock-less Transposition Table Implementation for Parallel Search Chess Engines"
//! (2002); chessprogramming.org "Transposition Table".

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

use super::board::Move;
use crate::score::{Depth, MATE, Score};

/// Beyond every value: a bound that is not known.
pub const UNKNOWN: Score = MATE + 1000;

/// What is known of a position at a remaining depth: its value lies in `lower..=upper`, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// At least this.
    pub lower: Score,
    /// At most this.
    pub upper: Score,
    /// Plies left.
    pub depth: Depth,
    /// The move that reached the lower bound, or [`Move::NONE`].
    pub best: Move,
}

/// Makes a score positive, for packing.
const OFFSET: Score = 1 << 18;

impl Entry {
    /// Two scores of 20 bits, a depth of 8, a move of 16. Never 0, which is an empty slot.
    fn pack(self) -> u64 {
        (self.lower + OFFSET) as u64
            | ((self.upper + OFFSET) as u64) << 20
            | (self.depth as u64) << 40
            | u64::from(self.best.0) << 48
    }

    fn unpack(word: u64) -> Entry {
        Entry {
            lower: (word & 0xf_ffff) as Score - OFFSET,
            upper: (word >> 20 & 0xf_ffff) as Score - OFFSET,
            depth: (word >> 40 & 0xff) as Depth,
            best: Move((word >> 48) as u16),
        }
    }
}

/// An entry in memory: the key mixed with the data, and the data.
#[derive(Zeroable)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// The entry of `key`.
    #[inline(always)]
    fn entry(&self, key: u64) -> Option<Entry> {
        let data = self.data.load(Relaxed);
        (data != 0 && self.check.load(Relaxed) ^ data == key).then(|| Entry::unpack(data))
    }

    #[inline(always)]
    fn set(&self, key: u64, entry: Entry) {
        let data = entry.pack();
        self.data.store(data, Relaxed);
        self.check.store(key ^ data, Relaxed);
    }
}

/// Slots where a position may be kept: one cache line.
const WAYS: usize = 4;

#[derive(Zeroable)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

/// There is no memory for a table of so many mebibytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {0} mebibytes")]
pub struct OutOfMemory(usize);

/// A table that threads and searches can share.
pub struct Table {
    /// A power of two.
    buckets: Box<[Bucket]>,
}

/// What a table knows about a position.
#[derive(Clone, Copy)]
pub struct Found {
    /// At the depth asked for, the value is at least this.
    pub lower: Score,
    /// At the depth asked for, the value is at most this.
    pub upper: Score,
    /// The best move at this depth, or at the greatest other one known.
    pub best: Move,
}

impl Table {
    /// A table of this many buckets, rounded up to a power of two. Large ones get their memory page by page, when it is
    /// used.
    pub fn new(buckets: usize) -> Table {
        Table { buckets: bytemuck::zeroed_slice_box(buckets.next_power_of_two()) }
    }

    /// A table for one search of this depth; None where it is quicker without one.
    pub fn for_depth(depth: Depth) -> Option<Table> {
        match depth {
            ..5 => None,
            // A ply more takes about four times the positions; 2^19 buckets are 32 MiB.
            5.. => Some(Table::new(1 << (2 * depth - 1).min(19))),
        }
    }

    /// A table of at most this many mebibytes, the largest power of two that fits.
    ///
    /// # Errors
    /// [`OutOfMemory`] if there is no such memory.
    pub fn with_megabytes(megabytes: usize) -> Result<Table, OutOfMemory> {
        let most = megabytes.max(1).saturating_mul((1 << 20) / size_of::<Bucket>());
        let buckets =
            bytemuck::try_zeroed_slice_box(1 << most.ilog2()).map_err(|()| OutOfMemory(megabytes))?;
        Ok(Table { buckets })
    }

    /// The size in mebibytes, rounded down.
    pub fn megabytes(&self) -> usize {
        size_of_val(&*self.buckets) >> 20
    }

    /// Forgets everything. Searches that use the table may go on meanwhile.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.data.store(0, Relaxed);
        }
    }

    /// The share of the entries in use, from 0 to 1, judged by a thousand of them.
    pub fn filled(&self) -> f64 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample.iter().flat_map(|bucket| &bucket.0).filter(|slot| slot.data.load(Relaxed) != 0);
        used.count() as f64 / (sample.len() * WAYS) as f64
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn find(&self, key: u64, depth: Depth) -> Found {
        let mut found = Found { lower: -UNKNOWN, upper: UNKNOWN, best: Move::NONE };
        let mut depth_of_best = -1;
        for entry in self.bucket(key).0.iter().filter_map(|slot| slot.entry(key)) {
            if entry.depth == depth {
                (found.lower, found.upper) = (entry.lower, entry.upper);
            }
            let rank = if entry.depth == depth { Depth::MAX } else { entry.depth };
            if entry.best != Move::NONE && rank > depth_of_best {
                (found.best, depth_of_best) = (entry.best, rank);
            }
        }
        found
    }

    /// Stores an entry: together with what is known at the same depth, or in the place of the shallowest entry.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let slots = &self.bucket(key).0;
        let (mut place, mut least) = (&slots[0], Depth::MAX);
        for slot in slots {
            if let Some(old) = slot.entry(key)
                && old.depth == entry.depth
            {
                let best = if entry.best == Move::NONE { old.best } else { entry.best };
                let (lower, upper) = (entry.lower.max(old.lower), entry.upper.min(old.upper));
                slot.set(key, Entry { lower, upper, best, ..entry });
                return;
            }
            let data = slot.data.load(Relaxed);
            let depth = if data == 0 { -1 } else { Entry::unpack(data).depth };
            if depth < least {
                (place, least) = (slot, depth);
            }
        }
        place.set(key, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_comes_back_as_it_was() {
        let m = Move::new(12, 28, 0);
        for entry in [
            Entry { lower: -UNKNOWN, upper: UNKNOWN, depth: 100, best: Move::NONE },
            Entry { lower: -MATE - 100, upper: -5, depth: 1, best: m },
            Entry { lower: 35, upper: MATE + 99, depth: 6, best: Move::new(52, 60, 3) },
        ] {
            assert_eq!(Entry::unpack(entry.pack()), entry);
        }
    }

    #[test]
    fn bounds_of_one_depth_meet_and_others_keep_apart() {
        let table = Table::new(1);
        let best = Move::new(12, 28, 0);
        table.store(7, Entry { lower: 10, upper: UNKNOWN, depth: 4, best });
        table.store(7, Entry { lower: -UNKNOWN, upper: 30, depth: 4, best: Move::NONE });
        table.store(7, Entry { lower: 50, upper: 50, depth: 2, best: Move::new(1, 18, 0) });
        let found = table.find(7, 4);
        assert_eq!((found.lower, found.upper, found.best), (10, 30, best));
        assert_eq!((table.find(7, 2).lower, table.find(7, 2).upper), (50, 50));
        // Another depth: no bounds, the move of the deepest.
        let found = table.find(7, 6);
        assert_eq!((found.lower, found.upper, found.best), (-UNKNOWN, UNKNOWN, best));
        // A full bucket gives up its shallowest entry.
        for key in 8..11 {
            table.store(key, Entry { lower: 0, upper: 0, depth: 5, best });
        }
        assert_eq!(table.find(7, 2).upper, UNKNOWN);
        assert_eq!(table.find(7, 4).upper, 30);
        table.clear();
        assert_eq!(table.find(7, 4).upper, UNKNOWN);
        assert!(table.filled() == 0.0 && table.megabytes() == 0);
    }
}
