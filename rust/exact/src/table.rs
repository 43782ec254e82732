//! The transposition table: two bounds for a position at a remaining depth, and the move that was best, which orders the
//! moves at the depths next to it too. The value depends on position and depth alone (and on the halfmove clock where that
//! can end the game: [`super::bounds::table_key`]), so a table may be kept and shared. `docs/exact.md` has its price.
//!
//! # What can go wrong
//!
//! Two threads may write the words of an entry at the same time. The first word is stored mixed with the second, so a
//! torn entry belongs to no position (Hyatt's "lockless hashing").
//!
//! Two positions may be taken for one if their keys agree ([`super::bounds::TableKey`]). A question is decided by 96
//! bits and by those that choose the bucket, nine at the least: 105 bits. So an answer is another position's with a
//! probability below 2⁻¹⁰³ (three entries are compared) per lookup, for positions not built to collide. A search
//! that uses no table is certain.
//!
//! Sources: R. Hyatt and T. Mann, "A Lock-less Transposition Table Implementation for Parallel Search Chess Engines"
//! (2002); chessprogramming.org "Transposition Table".

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::bounds::TableKey;
use betacut_core::board::Move;
use betacut_core::evaluation::{Claim, Evaluation, EvaluationMismatch};
use betacut_core::huge_pages;
use betacut_core::limits::Stopped;
use betacut_core::score::{Depth, MATE, Score};

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

/// Entries that a bucket holds.
const WAYS: usize = 3;

/// Words of a bucket, 64 bytes: for each entry its check mixed with its data, and the data; then tags, two to a word.
const WORDS: usize = 8;

/// Where a position may be kept: one cache line.
#[derive(Clone, Copy)]
struct Bucket<'a>(&'a [AtomicU64; WORDS]);

impl Bucket<'_> {
    #[inline(always)]
    fn data(self, way: usize) -> u64 {
        self.0[2 * way + 1].load(Relaxed)
    }

    /// The entry of `key` in this place.
    #[inline(always)]
    fn entry(self, way: usize, key: TableKey) -> Option<Entry> {
        let data = self.data(way);
        let is_of = self.0[2 * way].load(Relaxed) ^ data == key.check
            && (self.0[2 * WAYS + way / 2].load(Relaxed) >> (way % 2 * 32)) as u32 == key.tag()
            && data != 0;
        is_of.then(|| Entry::unpack(data))
    }

    /// Writes an entry. Two threads that write to one bucket may spoil each other's tags: then an entry is lost.
    #[inline(always)]
    fn set(self, way: usize, key: TableKey, entry: Entry) {
        let data = entry.pack();
        let (tags, shift) = (&self.0[2 * WAYS + way / 2], way % 2 * 32);
        let others = tags.load(Relaxed) & !(u64::from(u32::MAX) << shift);
        tags.store(others | u64::from(key.tag()) << shift, Relaxed);
        self.0[2 * way + 1].store(data, Relaxed);
        self.0[2 * way].store(key.check ^ data, Relaxed);
    }
}

/// There is no memory for a table of so many mebibytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {0} mebibytes")]
pub struct OutOfMemory(pub usize);

impl From<OutOfMemory> for Stopped {
    fn from(_: OutOfMemory) -> Stopped {
        Stopped::NoMemory
    }
}

/// A table that threads and searches can share.
pub struct Table {
    /// The buckets, and a few words before and after them.
    words: Box<[AtomicU64]>,
    /// Where the first bucket starts, so that each is a cache line.
    first: usize,
    /// The number of buckets, a power of two, less one.
    mask: usize,
    /// The evaluation whose values it holds, if it is kept from search to search.
    evaluation: Mutex<Claim>,
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

/// The depth from which a search is quicker with a table.
pub const LEAST_DEPTH: Depth = 5;

/// The fewest buckets of a table made for a search, 2 to the power of this.
const LEAST: Depth = 9;
/// The most: 32 MiB.
const MOST: Depth = 19;

/// Buckets that are cleared between two looks for a reason to stop: some tenths of a millisecond.
const BUCKETS_PER_LOOK: usize = 1 << 14;

impl Table {
    /// A table of this many buckets, rounded up to a power of two; a large one gets its memory page by page.
    pub fn new(buckets: usize) -> Result<Table, OutOfMemory> {
        let error = OutOfMemory(buckets.saturating_mul(WORDS * 8) >> 20);
        let buckets = buckets.checked_next_power_of_two().ok_or(error)?;
        let words = buckets.checked_mul(WORDS).and_then(|words| words.checked_add(WORDS)).ok_or(error)?;
        // A greater alignment than that of a word would have every page written here and now.
        let words = bytemuck::try_zeroed_slice_box::<AtomicU64>(words).map_err(|()| error)?;
        huge_pages::ask_for(&words);
        let first = words.as_ptr().align_offset(WORDS * 8).min(WORDS);
        Ok(Table { words, first, mask: buckets - 1, evaluation: Mutex::default() })
    }

    /// A table for one search of this depth and at most so many nodes; None where it is quicker without one.
    pub fn for_search(depth: Depth, nodes: Option<u64>) -> Result<Option<Table>, OutOfMemory> {
        if depth < LEAST_DEPTH {
            return Ok(None);
        }
        // A ply more takes about four times the positions. A node stores one entry at most.
        let most = nodes.map_or(MOST, |nodes| (nodes.max(1).ilog2() as Depth).max(LEAST));
        Table::new(1 << (2 * depth - 1).min(MOST).min(most)).map(Some)
    }

    /// A table of at most this many mebibytes, the largest power of two that fits.
    pub fn with_megabytes(megabytes: usize) -> Result<Table, OutOfMemory> {
        let most = megabytes.max(1).saturating_mul((1 << 20) / (WORDS * 8));
        Table::new(1 << most.ilog2()).map_err(|_| OutOfMemory(megabytes))
    }

    /// The size in mebibytes, rounded down.
    pub fn megabytes(&self) -> usize {
        ((self.mask + 1) * WORDS * 8) >> 20
    }

    /// Reserves the table for one evaluation; to be asked before each search by those who keep a table.
    pub fn claim(&self, evaluation: &Evaluation) -> Result<(), EvaluationMismatch> {
        self.evaluation.lock().unwrap_or_else(PoisonError::into_inner).make(evaluation, "table")
    }

    /// Whether it is reserved for this evaluation.
    pub fn is_of(&self, evaluation: &Evaluation) -> bool {
        self.evaluation.lock().unwrap_or_else(PoisonError::into_inner).is_of(evaluation)
    }

    /// Forgets everything, and lets any evaluation in; a part, if `poll` stops it. Searches may go on meanwhile.
    pub fn clear(&self, poll: &mut dyn FnMut() -> bool) -> Result<(), Stopped> {
        for part in self.words.chunks(WORDS * BUCKETS_PER_LOOK) {
            if poll() {
                return Err(Stopped::Interrupted);
            }
            for word in part {
                // Writing to a page that was never used would make it take memory.
                if word.load(Relaxed) != 0 {
                    word.store(0, Relaxed);
                }
            }
        }
        *self.evaluation.lock().unwrap_or_else(PoisonError::into_inner) = Claim::default();
        Ok(())
    }

    /// The share of the entries in use, from 0 to 1, judged by a thousand of them.
    pub fn filled(&self) -> f64 {
        let sample = (self.mask + 1).min(333);
        let in_use = |bucket: Bucket<'_>| (0..WAYS).filter(|&way| bucket.data(way) != 0).count();
        let used: usize = (0..sample).map(|index| in_use(self.bucket(index as u64, 0))).sum();
        used as f64 / (sample * WAYS) as f64
    }

    /// The bucket for a position at a depth. Those of a position lie near each other, two depths in each, so that a
    /// position that is met at many depths, as in endgames, does not push itself out.
    #[inline(always)]
    fn bucket(&self, index: u64, depth: Depth) -> Bucket<'_> {
        let at = self.first + ((index ^ (depth as u64 >> 1)) as usize & self.mask) * WORDS;
        Bucket(self.words[at..].first_chunk().expect("there are words after the last bucket"))
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn find(&self, key: TableKey, depth: Depth) -> Found {
        let mut found = Found { lower: -UNKNOWN, upper: UNKNOWN, best: Move::NONE };
        let mut depth_of_best = -1;
        let bucket = self.bucket(key.index, depth);
        for entry in (0..WAYS).filter_map(|way| bucket.entry(way, key)) {
            if entry.depth == depth {
                (found.lower, found.upper) = (entry.lower, entry.upper);
            }
            let rank = if entry.depth == depth { Depth::MAX } else { entry.depth };
            if entry.best != Move::NONE && rank > depth_of_best {
                (found.best, depth_of_best) = (entry.best, rank);
            }
        }
        if found.best == Move::NONE {
            found.best = self.best_at(key, depth - 2);
        }
        found
    }

    /// The best move known from a search of this depth or its neighbour: the one before, as depths go in steps of two.
    #[inline(always)]
    fn best_at(&self, key: TableKey, depth: Depth) -> Move {
        let bucket = self.bucket(key.index, depth);
        (0..WAYS)
            .filter_map(|way| bucket.entry(way, key))
            .map(|entry| entry.best)
            .fold(Move::NONE, |best, m| if m == Move::NONE { best } else { m })
    }

    /// Stores an entry: together with what is known at the same depth, or in the place of the shallowest entry.
    #[inline]
    pub fn store(&self, key: TableKey, entry: Entry) {
        let bucket = self.bucket(key.index, entry.depth);
        let (mut place, mut least) = (0, Depth::MAX);
        for way in 0..WAYS {
            if let Some(old) = bucket.entry(way, key)
                && old.depth == entry.depth
            {
                let best = if entry.best == Move::NONE { old.best } else { entry.best };
                let (lower, upper) = (entry.lower.max(old.lower), entry.upper.min(old.upper));
                bucket.set(way, key, Entry { lower, upper, best, ..entry });
                return;
            }
            let data = bucket.data(way);
            let depth = if data == 0 { -1 } else { Entry::unpack(data).depth };
            if depth < least {
                (place, least) = (way, depth);
            }
        }
        bucket.set(place, key, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn key(number: u64) -> TableKey {
        TableKey { index: number << 32, check: number }
    }

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
        let table = Table::new(1).unwrap();
        let best = Move::new(12, 28, 0);
        table.store(key(7), Entry { lower: 10, upper: UNKNOWN, depth: 4, best });
        table.store(key(7), Entry { lower: -UNKNOWN, upper: 30, depth: 4, best: Move::NONE });
        table.store(key(7), Entry { lower: 50, upper: 50, depth: 2, best: Move::new(1, 18, 0) });
        let found = table.find(key(7), 4);
        assert_eq!((found.lower, found.upper, found.best), (10, 30, best));
        assert_eq!((table.find(key(7), 2).lower, table.find(key(7), 2).upper), (50, 50));
        // Another depth: no bounds, the move of the deepest in the bucket.
        let found = table.find(key(7), 6);
        assert_eq!((found.lower, found.upper, found.best), (-UNKNOWN, UNKNOWN, best));
        // A full bucket gives up its shallowest entry.
        for number in 8..10 {
            table.store(key(number), Entry { lower: 0, upper: 0, depth: 5, best });
        }
        assert_eq!(table.find(key(7), 2).upper, UNKNOWN);
        assert_eq!(table.find(key(7), 4).upper, 30);
        assert_eq!(table.clear(&mut || false), Ok(()));
        assert_eq!(table.find(key(7), 4).upper, UNKNOWN);
        assert!(table.filled() == 0.0 && table.megabytes() == 0);
    }

    #[test]
    fn a_position_keeps_what_is_known_at_many_depths() {
        let table = Table::new(1 << 10).unwrap();
        let entry =
            |depth| Entry { lower: depth, upper: depth, depth, best: Move::new(depth as u32 / 2, 63, 0) };
        for depth in 1..=100 {
            table.store(key(7), entry(depth));
        }
        for depth in 1..=100 {
            let found = table.find(key(7), depth);
            assert_eq!((found.lower, found.best), (depth, entry(depth).best));
        }
        // Two plies deeper, the move is known; farther away it is not.
        assert_eq!(table.find(key(7), 102).best, entry(100).best);
        assert_eq!(table.find(key(7), 104).best, Move::NONE);
    }

    #[test]
    fn every_bit_of_a_key_counts() {
        let entry = Entry { lower: 1, upper: 2, depth: 3, best: Move::NONE };
        let one = TableKey { index: 0x0123_4567_89ab_cdef, check: 0xfedc_ba98_7654_3210 };
        for way in 0..WAYS {
            let table = Table::new(1 << 10).unwrap();
            for other in 0..way {
                table.store(TableKey { check: one.check ^ 3 << (2 * other), ..one }, entry);
            }
            table.store(one, entry);
            assert_eq!(table.find(one, 3).lower, 1);
            for bit in (0..10).chain(32..64) {
                let other = TableKey { index: one.index ^ 1 << bit, ..one };
                assert_eq!(table.find(other, 3).lower, -UNKNOWN, "bit {bit} of the index");
            }
            for bit in 0..64 {
                let other = TableKey { check: one.check ^ 1 << bit, ..one };
                assert_eq!(table.find(other, 3).lower, -UNKNOWN, "bit {bit} of the check");
            }
        }
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        for buckets in [1, 2, 1 << 9, 1 << 15] {
            let table = Table::new(buckets).unwrap();
            for index in [0, buckets as u64 - 1] {
                assert_eq!(table.bucket(index, 0).0.as_ptr() as usize % 64, 0);
            }
        }
    }

    #[test]
    fn what_cannot_be_had_is_an_error() {
        assert_eq!(Table::new(usize::MAX).err(), Some(OutOfMemory(usize::MAX >> 20)));
        assert!(Table::with_megabytes(usize::MAX).is_err());
    }

    #[test]
    fn clearing_can_be_stopped() {
        let table = Table::new(BUCKETS_PER_LOOK * 2).unwrap();
        let mut looks = 0;
        let stopped = table.clear(&mut || {
            looks += 1;
            looks == 2
        });
        assert_eq!((stopped, looks), (Err(Stopped::Interrupted), 2));
    }
}
