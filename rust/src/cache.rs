//! The memo of the textbook floor: what is already known about a position.
//!
//! The original keeps a dictionary from positions to `(bound, value, depth)` and never forgets. So does this one,
//! and its size is part of the result. Two rules say when an entry answers a question at depth `d`:
//!
//! * **at least this depth** (the original's): a deeper entry answers a shallower question. Often a better move,
//!   but not the value minimax gives at depth `d`, and the answer depends on what was searched before.
//! * **exactly this depth** ([`Cache::exact`]): only an entry of depth `d` answers. To keep its promise, that the
//!   result is minimax's whatever was searched before, this rule also leaves the third occurrence of a position
//!   to the caller's history (`evaluate` does not return 0 for it) and keys an entry by the halfmove clock
//!   wherever the fifty-move rule is within reach.
//!
//! # Price and limits
//!
//! An entry takes 16 bytes and a table between 1.4 and 2.9 times its entries. With `max_entries` a full cache
//! keeps what it has: known positions are still updated, new ones are not taken in. That never changes a result
//! under the exact rule, and is deterministic under both.
//!
//! The table is open addressing with linear probing: one cache miss a lookup where a general hash map takes two,
//! and memory access is what a memoised search waits for. It grows in 64 independent segments, so that no single
//! growth takes long enough to delay an interrupt.

use crate::limits::Stopped;
use crate::score::{Depth, Score};

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// `=`: the value itself.
    Exact,
    /// `<=`: the search failed low, the true value is at most this.
    Upper,
    /// `>=`: the search was cut off, the true value is at least this.
    Lower,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Centipawns, White's view.
    pub value: Score,
    /// The depth it was searched to.
    pub depth: i8,
    /// How to read the value.
    pub bound: Bound,
}

impl Entry {
    /// An entry; `depth` is at most [`crate::score::MAX_DEPTH`].
    #[inline]
    pub const fn new(bound: Bound, value: Score, depth: Depth) -> Entry {
        Entry { value, depth: depth as i8, bound }
    }

    /// The exact value, if that is what the entry holds.
    #[inline]
    pub fn exact(self) -> Option<Score> {
        (self.bound == Bound::Exact).then_some(self.value)
    }
}

/// The family of functions whose values a cache holds. Their values differ, so they do not mix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `minimax`.
    Minimax,
    /// `alpha_beta_pruning`.
    AlphaBeta,
    /// `iterative_deepening` without quiescence.
    IterativeDeepening,
    /// `iterative_deepening` with quiescence.
    IterativeDeepeningQuiescence,
}

impl Family {
    /// The name used in messages, as in the Python reference.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Minimax => "minimax",
            Family::AlphaBeta => "alpha_beta",
            Family::IterativeDeepening => "iterative_deepening",
            Family::IterativeDeepeningQuiescence => "iterative_deepening+quiescence",
        }
    }
}

/// A cache was handed to a function whose values it does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this cache holds values of {}, not of {}: use another Cache or clear() it", .holds.name(), .wanted.name())]
pub struct CacheMismatch {
    holds: Family,
    wanted: Family,
}

const SEGMENTS: usize = 64;
const FIRST_SLOTS: usize = 16;

/// A memo from positions to entries. See the module's page.
#[derive(Debug)]
pub struct Cache {
    segments: Vec<Segment>,
    len: usize,
    max_entries: usize,
    exact_depth: bool,
    family: Option<Family>,
}

impl Default for Cache {
    fn default() -> Cache {
        Cache::new(false, None)
    }
}

impl Cache {
    /// An empty cache under either rule, bounded to `max_entries` if given.
    pub const fn new(exact_depth: bool, max_entries: Option<usize>) -> Cache {
        let max_entries = match max_entries {
            Some(bound) => bound,
            None => usize::MAX,
        };
        Cache { segments: Vec::new(), len: 0, max_entries, exact_depth, family: None }
    }

    /// An empty cache under the exactly-this-depth rule.
    pub const fn exact() -> Cache {
        Cache::new(true, None)
    }

    /// Whether the exactly-this-depth rule holds.
    #[inline]
    pub const fn is_exact(&self) -> bool {
        self.exact_depth
    }

    /// The bound on the number of entries.
    pub fn max_entries(&self) -> Option<usize> {
        (self.max_entries != usize::MAX).then_some(self.max_entries)
    }

    /// The number of entries.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is stored.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets everything, the family included, and gives the memory back.
    pub fn clear(&mut self) {
        *self = Cache::new(self.exact_depth, self.max_entries());
    }

    /// Reserves the cache for one family of functions.
    ///
    /// # Errors
    /// [`CacheMismatch`] if it holds another family's values.
    pub fn claim(&mut self, family: Family) -> Result<(), CacheMismatch> {
        match self.family {
            Some(holds) if holds != family => Err(CacheMismatch { holds, wanted: family }),
            _ => {
                self.family = Some(family);
                Ok(())
            }
        }
    }

    /// The key under which a position's value at `depth` is kept: the position's, unless the exact rule holds and
    /// the fifty-move rule is within `depth` plies; then the clock is part of it.
    #[inline]
    pub(crate) fn key(&self, position_key: u64, halfmove_clock: u32, depth: Depth) -> u64 {
        let limit = crate::rules::CHESS_JL.halfmove_limit;
        if self.exact_depth && halfmove_clock + depth as u32 >= limit {
            position_key ^ scatter(u64::from(halfmove_clock) + 1)
        } else {
            position_key
        }
    }

    /// Whether an entry may answer a question at `depth`.
    #[inline]
    pub(crate) fn answers(&self, entry: Entry, depth: Depth) -> bool {
        if self.exact_depth { i32::from(entry.depth) == depth } else { i32::from(entry.depth) >= depth }
    }

    /// What is stored under `key`.
    #[inline]
    pub fn lookup(&self, key: u64) -> Option<Entry> {
        self.segments.get(segment_of(key))?.lookup(key)
    }

    /// Stores an entry, replacing what is known under `key`. Returns whether it was taken in.
    ///
    /// # Errors
    /// [`Stopped::OutOfMemory`] if the table cannot grow.
    #[inline]
    pub fn store(&mut self, key: u64, entry: Entry) -> Result<bool, Stopped> {
        if self.segments.is_empty() {
            self.segments.resize_with(SEGMENTS, Segment::default);
        }
        let segment = &mut self.segments[segment_of(key)];
        if self.len >= self.max_entries && segment.lookup(key).is_none() {
            return Ok(false);
        }
        self.len += usize::from(segment.insert(key, entry)?);
        Ok(true)
    }
}

/// The low bits choose the segment, the high ones the place in it.
#[inline]
const fn segment_of(key: u64) -> usize {
    key as usize % SEGMENTS
}

/// A number spread over 64 bits (the finaliser of `SplitMix64`).
pub(crate) const fn scatter(number: u64) -> u64 {
    let mut bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    entry: Option<Entry>,
}

/// A table whose length is a power of two; at most seven tenths of it are used.
#[derive(Debug, Default)]
struct Segment {
    slots: Vec<Slot>,
    used: usize,
}

impl Segment {
    /// The slot of `key`: its own, or the empty one where it belongs. The table is not empty and never full.
    #[inline]
    fn find(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        // The highest bits: growing then moves the entries in the order they lie in memory.
        let mut index = (key >> (u64::BITS - self.slots.len().trailing_zeros())) as usize;
        while self.slots[index].entry.is_some() && self.slots[index].key != key {
            index = (index + 1) & mask;
        }
        index
    }

    #[inline]
    fn lookup(&self, key: u64) -> Option<Entry> {
        if self.slots.is_empty() { None } else { self.slots[self.find(key)].entry }
    }

    /// Whether the key is new.
    #[inline]
    fn insert(&mut self, key: u64, entry: Entry) -> Result<bool, Stopped> {
        if self.used * 10 >= self.slots.len() * 7 {
            self.grow()?;
        }
        let index = self.find(key);
        let new = self.slots[index].entry.is_none();
        self.slots[index] = Slot { key, entry: Some(entry) };
        self.used += usize::from(new);
        Ok(new)
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Stopped> {
        let length = (self.slots.len() * 2).max(FIRST_SLOTS);
        let mut slots = Vec::new();
        slots.try_reserve_exact(length).map_err(|_| Stopped::OutOfMemory)?;
        slots.resize(length, Slot::default());
        let old = std::mem::replace(&mut self.slots, slots);
        for slot in old {
            if slot.entry.is_some() {
                let index = self.find(slot.key);
                self.slots[index] = slot;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_every_entry_while_it_grows() {
        let mut cache = Cache::default();
        for number in 0..20_000 {
            let entry = Entry::new(Bound::Exact, number as Score, 3);
            assert_eq!(cache.store(scatter(number), entry), Ok(true));
        }
        assert_eq!(cache.len(), 20_000);
        for number in 0..20_000 {
            assert_eq!(cache.lookup(scatter(number)).and_then(Entry::exact), Some(number as Score));
        }
        assert_eq!(cache.lookup(scatter(20_000)), None);
        cache.clear();
        assert!(cache.is_empty() && cache.lookup(scatter(1)).is_none());
    }

    #[test]
    fn a_full_cache_updates_but_takes_nothing_new() {
        let mut cache = Cache::new(false, Some(2));
        let entry = |value| Entry::new(Bound::Lower, value, 1);
        assert_eq!(cache.store(1, entry(10)), Ok(true));
        assert_eq!(cache.store(2, entry(20)), Ok(true));
        assert_eq!(cache.store(3, entry(30)), Ok(false));
        assert_eq!(cache.store(2, entry(25)), Ok(true));
        assert_eq!((cache.len(), cache.lookup(3)), (2, None));
        assert_eq!(cache.lookup(2).map(|entry| entry.value), Some(25));
    }

    #[test]
    fn one_family_a_cache() {
        let mut cache = Cache::default();
        cache.claim(Family::AlphaBeta).unwrap();
        let message = cache.claim(Family::Minimax).unwrap_err().to_string();
        assert!(message.starts_with("this cache holds values of alpha_beta, not of minimax"), "{message}");
        cache.clear();
        cache.claim(Family::Minimax).unwrap();
    }

    #[test]
    fn an_entry_takes_sixteen_bytes() {
        assert_eq!(size_of::<Slot>(), 16);
    }
}
