//! The transposition table.
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::board::Move;
use crate::score::{Depth, MATE, Score};

/// What is known of a position at a remaining depth: its value lies in `lower..=upper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub lower: Score,
    pub upper: Score,
    pub depth: Depth,
    pub best: Move,
}

/// Beyond every value.
pub const UNKNOWN: Score = MATE + 1000;
const OFFSET: i32 = 1 << 18;

impl Entry {
    fn pack(self) -> u64 {
        (self.lower + OFFSET) as u64
            | ((self.upper + OFFSET) as u64) << 20
            | (self.depth as u64) << 40
            | u64::from(self.best.0) << 48
    }

    fn unpack(word: u64) -> Entry {
        Entry {
            lower: (word & 0xf_ffff) as i32 - OFFSET,
            upper: (word >> 20 & 0xf_ffff) as i32 - OFFSET,
            depth: (word >> 40 & 0xff) as i32,
            best: Move((word >> 48) as u16),
        }
    }
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

const WAYS: usize = 4;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

pub struct Table {
    buckets: Vec<Bucket>,
}

/// What a look into the table found.
#[derive(Clone, Copy)]
pub struct Found {
    /// The bounds at the depth asked for.
    pub lower: Score,
    pub upper: Score,
    /// The move remembered at this depth, or at the greatest other one.
    pub best: Move,
}

impl Table {
    pub fn new(buckets: usize) -> Table {
        let mut table = Vec::new();
        table.resize_with(buckets.next_power_of_two(), Bucket::default);
        Table { buckets: table }
    }

    /// A table for one search of this depth; a shallow search is quicker without one.
    pub fn for_depth(depth: Depth) -> Option<Table> {
        match depth {
            ..=4 => None,
            5 => Some(Table::new(1 << 10)),
            6 => Some(Table::new(1 << 12)),
            7 => Some(Table::new(1 << 15)),
            _ => Some(Table::new(1 << 18)),
        }
    }

    /// A table of at most this many mebibytes.
    pub fn with_megabytes(megabytes: usize) -> Table {
        let buckets = (megabytes << 20) / size_of::<Bucket>();
        Table::new(if buckets.is_power_of_two() { buckets } else { buckets.next_power_of_two() / 2 })
    }

    /// [`Table::with_megabytes`] where there may be no such memory.
    ///
    /// # Errors
    /// If there is none.
    pub fn try_with_megabytes(megabytes: usize) -> Result<Table, TryReserveError> {
        let most = megabytes.saturating_mul((1 << 20) / size_of::<Bucket>());
        let size = 1 << most.checked_ilog2().unwrap_or(0);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(size)?;
        buckets.resize_with(size, Bucket::default);
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
            slot.check.store(0, Relaxed);
        }
    }

    /// The share of the entries in use, from 0 to 1, judged by a thousand of them.
    pub fn filled(&self) -> f64 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample.iter().flat_map(|bucket| &bucket.0).filter(|slot| slot.data.load(Relaxed) != 0);
        used.count() as f64 / (sample.len() * WAYS) as f64
    }

    pub fn len(&self) -> usize {
        self.buckets.len() * WAYS
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }

    #[inline]
    pub fn find(&self, key: u64, depth: Depth) -> Found {
        let mut found = Found { lower: -UNKNOWN, upper: UNKNOWN, best: Move::NONE };
        let mut deepest = -1;
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key && data != 0 {
                let entry = Entry::unpack(data);
                if entry.depth == depth {
                    found.lower = entry.lower;
                    found.upper = entry.upper;
                    if entry.best != Move::NONE {
                        found.best = entry.best;
                        return found;
                    }
                } else if entry.depth > deepest && entry.best != Move::NONE {
                    deepest = entry.depth;
                    found.best = entry.best;
                }
            }
        }
        found
    }

    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let mut victim = 0;
        let mut worst = i32::MAX;
        let bucket = self.bucket(key);
        for (index, slot) in bucket.0.iter().enumerate() {
            let data = slot.data.load(Relaxed);
            if data == 0 {
                if worst > -1 {
                    (victim, worst) = (index, -1);
                }
                continue;
            }
            let old = Entry::unpack(data);
            if slot.check.load(Relaxed) ^ data == key && old.depth == entry.depth {
                let merged = Entry {
                    lower: entry.lower.max(old.lower),
                    upper: entry.upper.min(old.upper),
                    depth: entry.depth,
                    best: if entry.best == Move::NONE { old.best } else { entry.best },
                };
                let data = merged.pack();
                slot.data.store(data, Relaxed);
                slot.check.store(key ^ data, Relaxed);
                return;
            }
            if old.depth < worst {
                (victim, worst) = (index, old.depth);
            }
        }
        let data = entry.pack();
        bucket.0[victim].data.store(data, Relaxed);
        bucket.0[victim].check.store(key ^ data, Relaxed);
    }
}
