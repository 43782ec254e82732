//! The transposition table of the playing floor: what was found about positions, shared by all threads without locks.
//!
//! **The idea.** An entry is two words: what was found, and the key mixed with it, so that an entry which two threads
//! wrote at once belongs to no position (Hyatt's "lockless hashing"). Four entries share a cache line; what is shallow
//! and old goes first.
//!
//! **What can go wrong.** Entries know nothing of the game's history, nor of the moves since the last capture: a score
//! may be wrong where a repetition or the fifty-move rule decides. The search asks for those before it asks the table.
//!
//! Source: R. Hyatt and T. Mann, "A Lock-less Transposition Table Implementation for Parallel Search Chess Engines" (2002).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::values::{from_table, to_table};
use betacut_core::{board::Move, huge_pages, score::Score};

/// What a score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Bound {
    /// Nothing: only the static value is known.
    #[default]
    None = 0,
    Upper = 1,
    Lower = 2,
    Exact = 3,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Entry {
    pub best: Move,
    /// As it counts from the root.
    pub score: Score,
    /// The evaluation, uncorrected.
    pub evaluation: Score,
    pub depth: i32,
    pub bound: Bound,
    /// Whether the position was once part of a principal variation.
    pub was_pv: bool,
}

impl Entry {
    /// Whether the score ends a node with this window.
    #[inline(always)]
    pub fn cuts(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
            Bound::None => false,
        }
    }
}

/// Entries of a bucket.
const WAYS: usize = 4;
/// Words of a bucket, 64 bytes.
const WORDS: usize = 2 * WAYS;
/// Searches that can be told apart.
const AGES: u8 = 32;
/// No evaluation is kept.
pub const NO_EVALUATION: Score = i16::MIN as Score;

/// A table that threads share.
pub struct Table {
    words: Box<[AtomicU64]>,
    /// The first word of the first bucket: buckets are cache lines.
    first: usize,
    buckets: usize,
    age: AtomicU8,
}

/// There is no memory for a table of so many mebibytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {0} MiB")]
pub struct OutOfMemory(pub usize);

impl Table {
    /// An empty table of at most so many mebibytes; its pages are taken as they are used.
    pub fn new(mebibytes: usize) -> Result<Table, OutOfMemory> {
        let buckets = (mebibytes << 20) / (8 * WORDS);
        let words = bytemuck::allocation::try_zeroed_slice_box::<AtomicU64>(buckets * WORDS + WORDS)
            .map_err(|()| OutOfMemory(mebibytes))?;
        huge_pages::ask_for(&words);
        let first = (64 - words.as_ptr().addr() % 64) % 64 / 8;
        Ok(Table { words, first, buckets, age: AtomicU8::new(0) })
    }

    pub fn clear(&self) {
        for word in &self.words {
            word.store(0, Relaxed);
        }
        self.age.store(0, Relaxed);
    }

    /// A new search begins: what is there is older now.
    pub fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// How many of a thousand entries the present search has written.
    pub fn full(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = self.buckets.min(250);
        let count = (0..sample * WAYS)
            .filter(|way| {
                let data = self.words[self.first + 2 * way + 1].load(Relaxed);
                data != 0 && age_of(data) == age
            })
            .count();
        (count * 1000 / (sample * WAYS).max(1)) as u32
    }

    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        let start = self.first + index * WORDS;
        &self.words[start..start + WORDS]
    }

    /// Asks the processor for the bucket of a position that will be looked up.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        safe_arch::prefetch_t0(&self.bucket(key)[0]);
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of a position that is so many plies from the root.
    pub fn find(&self, key: u64, ply: usize) -> Option<Entry> {
        let bucket = self.bucket(key);
        (0..WAYS).find_map(|way| {
            let data = bucket[2 * way + 1].load(Relaxed);
            (bucket[2 * way].load(Relaxed) ^ data == key && data != 0).then(|| unpack(data, ply))
        })
    }

    /// Keeps what was found.
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let bucket = self.bucket(key);
        let mut least = (i32::MAX, 0);
        for way in 0..WAYS {
            let data = bucket[2 * way + 1].load(Relaxed);
            if data == 0 {
                least = (i32::MIN, way);
                break;
            }
            if bucket[2 * way].load(Relaxed) ^ data == key {
                let known = unpack(data, ply);
                // What is known to greater depth stays, unless the new score is exact or of another search.
                if entry.bound != Bound::Exact && known.depth > entry.depth + 4 && age_of(data) == age {
                    return;
                }
                if entry.best == Move::NONE {
                    entry.best = known.best;
                }
                least = (i32::MIN, way);
                break;
            }
            let years = (AGES + age - age_of(data)) % AGES;
            let worth = depth_of(data) - 8 * i32::from(years);
            if worth < least.0 {
                least = (worth, way);
            }
        }
        let data = pack(&entry, ply, age);
        bucket[2 * least.1 + 1].store(data, Relaxed);
        bucket[2 * least.1].store(key ^ data, Relaxed);
    }
}

/// Added to depths, so that quiescence's are not negative.
const DEPTH_OFFSET: i32 = 4;

fn pack(entry: &Entry, ply: usize, age: u8) -> u64 {
    let score = to_table(entry.score, ply) as i16 as u16;
    u64::from(entry.best.0)
        | u64::from(score) << 16
        | u64::from(entry.evaluation as i16 as u16) << 32
        | ((entry.depth + DEPTH_OFFSET) as u64 & 0xff) << 48
        | (entry.bound as u64) << 56
        | u64::from(entry.was_pv) << 58
        | u64::from(age) << 59
}

fn depth_of(data: u64) -> i32 {
    (data >> 48 & 0xff) as i32 - DEPTH_OFFSET
}

fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

#[inline(always)]
fn unpack(data: u64, ply: usize) -> Entry {
    Entry {
        best: Move(data as u16),
        score: from_table(Score::from((data >> 16) as i16), ply),
        evaluation: Score::from((data >> 32) as i16),
        depth: depth_of(data),
        bound: match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => Bound::None,
        },
        was_pv: data >> 58 & 1 != 0,
    }
}
