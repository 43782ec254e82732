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
//! A memoised search waits for memory most of the time: nine lookups in ten are for leaves, and in one large
//! table each is a cache miss and a TLB miss. So the table is many small ones, one for each placement of the
//! pieces of the side to move. The leaves below a node differ by a move of the *other* side; all but the captures
//! share a small table, which stays near while the node is looked at. (Measured against one table with the same
//! slots, see `docs/benchmarks.md`.) Small tables also grow quickly, so that no growth delays an interrupt.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::limits::Stopped;
use crate::position::PositionKey;
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

/// A memo from positions to entries. See the module's page.
#[derive(Debug)]
pub struct Cache {
    /// Where the table of a placement is.
    directory: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    tables: Vec<Table>,
    /// The placement that was asked for last, and its table.
    last: Option<(u64, u32)>,
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
    pub fn new(exact_depth: bool, max_entries: Option<usize>) -> Cache {
        Cache {
            directory: HashMap::default(),
            tables: Vec::new(),
            last: None,
            len: 0,
            max_entries: max_entries.unwrap_or(usize::MAX),
            exact_depth,
            family: None,
        }
    }

    /// An empty cache under the exactly-this-depth rule.
    pub fn exact() -> Cache {
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
    pub(crate) fn key(&self, key: PositionKey, halfmove_clock: u32, depth: Depth) -> PositionKey {
        let limit = crate::rules::CHESS_JL.halfmove_limit;
        if self.exact_depth && halfmove_clock + depth as u32 >= limit {
            PositionKey { whole: key.whole ^ scatter(u64::from(halfmove_clock) + 1), ..key }
        } else {
            key
        }
    }

    /// Whether an entry may answer a question at `depth`.
    #[inline]
    pub(crate) fn answers(&self, entry: Entry, depth: Depth) -> bool {
        if self.exact_depth { i32::from(entry.depth) == depth } else { i32::from(entry.depth) >= depth }
    }

    /// What is stored under `key`.
    #[inline]
    pub fn lookup(&self, key: PositionKey) -> Option<Entry> {
        self.find(key).and_then(|(_, entry)| entry)
    }

    /// What is stored under `key`, and where: a hint that makes storing it quick if not much happens in between.
    #[inline(always)]
    pub(crate) fn find(&self, key: PositionKey) -> Option<(Hint, Option<Entry>)> {
        let table = self.table_of(key.placement)?;
        let slots = &self.tables[table as usize];
        let index = slots.find(key.whole, slots.home(key.whole));
        let hint = Hint { table, index: index as u32, length: slots.slots.len() as u32 };
        Some((hint, slots.slots[index].entry))
    }

    /// Starts reading the slots of `keys`, all at once, so that the lookups that follow find them near.
    ///
    /// One lookup waits for one cache miss, because what it does next depends on what it finds; reads that nothing
    /// depends on overlap.
    #[inline]
    pub fn warm(&self, keys: &[PositionKey]) {
        let mut read = 0;
        for key in keys {
            if let Some(table) = self.table_of(key.placement) {
                let table = &self.tables[table as usize];
                read ^= table.slots[table.home(key.whole)].key;
            }
        }
        std::hint::black_box(read);
    }

    /// Stores an entry, replacing what is known under `key`. Returns whether it was taken in.
    ///
    /// # Errors
    /// [`Stopped::OutOfMemory`] if the table cannot grow.
    pub fn store(&mut self, key: PositionKey, entry: Entry) -> Result<bool, Stopped> {
        let hint = self.find(key).map(|(hint, _)| hint);
        self.store_at(hint, key, entry)
    }

    /// [`Cache::store`] with the hint of [`Cache::find`], from however long ago.
    #[inline(always)]
    pub(crate) fn store_at(
        &mut self,
        hint: Option<Hint>,
        key: PositionKey,
        entry: Entry,
    ) -> Result<bool, Stopped> {
        let table = match hint {
            Some(hint) => hint.table,
            None => match self.table_of(key.placement) {
                Some(table) => table,
                None => self.new_table(key.placement)?,
            },
        };
        self.last = Some((key.placement, table));
        let table = &mut self.tables[table as usize];
        let full = self.len >= self.max_entries;
        match table.insert(key.whole, hint, entry, full)? {
            Inserted::New => self.len += 1,
            Inserted::Replaced => {}
            Inserted::Refused => return Ok(false),
        }
        Ok(true)
    }

    #[inline]
    fn table_of(&self, placement: u64) -> Option<u32> {
        match self.last {
            Some((last, table)) if last == placement => Some(table),
            _ => self.directory.get(&placement).copied(),
        }
    }

    #[cold]
    fn new_table(&mut self, placement: u64) -> Result<u32, Stopped> {
        let out_of_memory = |_| Stopped::OutOfMemory;
        let table = u32::try_from(self.tables.len()).map_err(|_| Stopped::OutOfMemory)?;
        self.directory.try_reserve(1).map_err(out_of_memory)?;
        self.tables.try_reserve(1).map_err(out_of_memory)?;
        let mut empty = Table::default();
        empty.grow()?;
        self.directory.insert(placement, table);
        self.tables.push(empty);
        Ok(table)
    }
}

/// Keys are random already.
#[derive(Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only keys are hashed");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A number spread over 64 bits (the finaliser of `SplitMix64`).
pub(crate) const fn scatter(number: u64) -> u64 {
    let mut bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Where a key was found, or where it belonged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hint {
    table: u32,
    index: u32,
    length: u32,
}

/// What became of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inserted {
    New,
    Replaced,
    Refused,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    entry: Option<Entry>,
}

/// The slots of a table when its first entry comes.
const FIRST_SLOTS: usize = 16;

/// Open addressing with linear probing. The length is a power of two; at most seven tenths of it are used.
#[derive(Debug, Default)]
struct Table {
    slots: Vec<Slot>,
    used: usize,
}

impl Table {
    /// Where the search for `key` starts: at its highest bits, so that growing moves the entries in the order they
    /// lie in memory.
    #[inline]
    const fn home(&self, key: u64) -> usize {
        (key >> ((u64::BITS - self.slots.len().trailing_zeros()) % u64::BITS)) as usize
    }

    /// The slot of `key`, looked for from `index` on: its own, or the empty one where it belongs.
    #[inline]
    fn find(&self, key: u64, mut index: usize) -> usize {
        let mask = self.slots.len() - 1;
        while self.slots[index].entry.is_some() && self.slots[index].key != key {
            index = (index + 1) & mask;
        }
        index
    }

    /// Puts an entry in, unless it is new and the cache is `full`. With a `hint` for a table of this length the
    /// search goes on where it ended then: nothing is ever taken out, so the slots before cannot be the key's.
    #[inline]
    fn insert(
        &mut self,
        key: u64,
        hint: Option<Hint>,
        entry: Entry,
        full: bool,
    ) -> Result<Inserted, Stopped> {
        if (self.used + 1) * 10 > self.slots.len() * 7 {
            self.grow()?;
        }
        let start = match hint {
            Some(hint) if hint.length as usize == self.slots.len() => hint.index as usize,
            _ => self.home(key),
        };
        let index = self.find(key, start);
        let inserted = match self.slots[index].entry {
            Some(_) => Inserted::Replaced,
            None if full => return Ok(Inserted::Refused),
            None => Inserted::New,
        };
        self.slots[index] = Slot { key, entry: Some(entry) };
        self.used += usize::from(inserted == Inserted::New);
        Ok(inserted)
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
                let index = self.find(slot.key, self.home(slot.key));
                self.slots[index] = slot;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u64) -> PositionKey {
        PositionKey { whole: scatter(number), placement: scatter(number % 7) }
    }

    #[test]
    fn keeps_every_entry_while_it_grows() {
        let mut cache = Cache::default();
        for number in 0..20_000 {
            let entry = Entry::new(Bound::Exact, number as Score, 3);
            assert_eq!(cache.store(key(number), entry), Ok(true));
        }
        assert_eq!(cache.len(), 20_000);
        for number in 0..20_000 {
            assert_eq!(cache.lookup(key(number)).and_then(Entry::exact), Some(number as Score));
        }
        assert_eq!(cache.lookup(key(20_000)), None);
        cache.clear();
        assert!(cache.is_empty() && cache.lookup(key(1)).is_none());
    }

    #[test]
    fn a_full_cache_updates_but_takes_nothing_new() {
        let mut cache = Cache::new(false, Some(2));
        let entry = |value| Entry::new(Bound::Lower, value, 1);
        assert_eq!(cache.store(key(1), entry(10)), Ok(true));
        assert_eq!(cache.store(key(2), entry(20)), Ok(true));
        assert_eq!(cache.store(key(3), entry(30)), Ok(false));
        assert_eq!(cache.store(key(2), entry(25)), Ok(true));
        assert_eq!((cache.len(), cache.lookup(key(3))), (2, None));
        assert_eq!(cache.lookup(key(2)).map(|entry| entry.value), Some(25));
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
