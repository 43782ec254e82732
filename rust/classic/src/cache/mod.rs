//! The memo of the textbook floor: what is already known about a position.
//!
//! The original keeps a dictionary from positions to `(bound, value, depth)` and never forgets. So does this one,
//! and its size is part of the result. Two rules say when an entry answers a question at depth `d`:
//!
//! * **at least this depth** (the original's): a deeper entry answers a shallower question. Often a better move, but
//!   not the value that minimax gives at depth `d`, and it depends on what was searched before.
//! * **exactly this depth** ([`Cache::exact`]): only an entry of depth `d` answers. To keep its promise, that the
//!   result is minimax's whatever was searched before, this rule also leaves the third occurrence of a position
//!   to the caller's history (`evaluate` does not return 0 for it) and keys an entry by the halfmove clock
//!   wherever the fifty-move rule is within reach. Quiescence, which looks beyond `d`, makes no such promise.
//!
//! # How it is kept
//!
//! Nine lookups in ten are for leaves. Three things make those cheap:
//!
//! * **A leaf's value is not stored.** At depth 0 a position that is not over is worth its score, and the caller knows
//!   the score (the searches update it incrementally). What must be kept is that the position was visited, and what
//!   that proved: `=`, `<=` or `>=`. So every position has a *mark* of 16 bytes: 125 bits of its key and three bits
//!   of what is known, either a bound of the score at depth 0 or "elsewhere". Elsewhere means the full entries of 24
//!   bytes: everything deeper, and leaves where the game is over. A position has one mark and so one entry; the last
//!   one stored wins.
//! * **Marks lie in groups.** In one large table each lookup is a cache miss and a TLB miss. So there are many
//!   small ones, one for each placement of the pieces of the side to move. The leaves below a node differ by a
//!   move of the *other* side; all but the captures share a small table, which stays in the processor's cache while the
//!   node is searched. Small tables also grow quickly, so that no growth delays an interrupt.
//! * **Leaves are announced.** One lookup waits for one cache miss, because what it does next depends on what it
//!   finds; reads that nothing depends on overlap (`Cache::peek`).
//!
//! # Cost and limits
//!
//! A mark takes 16 bytes, and a table of marks takes 1.3 to 5.3 times the size of its marks, a long one at most 2.7
//! times; a full entry takes another 24 bytes, times 1.4 to 2.9. In all, a position takes 35 to 90 bytes. With
//! `max_entries` a full cache keeps what it has: known positions are still updated, new ones are not accepted. That never
//! changes a result under the exact rule, and is deterministic under both.
//!
//! What can go wrong: a lookup with the wrong score returns a wrong value; and two positions whose keys agree in 125 bits
//! are taken for one. A lookup is wrong with a probability below n/2¹²⁵ in a cache of n positions, so below 10⁻²⁸ for a
//! billion of them, if the positions were not built to collide. (The keys are linear, so that can be done.)

mod marks;

use crate::Result;
use crate::dictionary::Dictionary;
use betacut_core::evaluation::{Claim, Evaluation, EvaluationMismatch};
use betacut_core::limits::{Headroom, Stopped};
use betacut_core::position::PositionKey;
use betacut_core::score::{Depth, Score};
use betacut_core::window::{Bound, Window};

use marks::{ELSEWHERE, FIRST_SLOTS, Known, Mark, Place, Table, VACANT, known, mark_of};

/// A cache was passed to a search whose values it does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CacheMismatch {
    /// They are those of another family of functions.
    #[error("this cache holds values of {holds}, not of {wanted}: use another Cache or clear() it")]
    Family {
        /// Whose they are.
        holds: &'static str,
        /// Who wants to use it.
        wanted: &'static str,
    },
    /// They are made by another evaluation.
    #[error(transparent)]
    Evaluation(#[from] EvaluationMismatch),
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
    /// An entry; `depth` is at most [`betacut_core::score::MAX_DEPTH`].
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

/// A memo from positions to entries. See the module's page.
#[derive(Debug)]
pub struct Cache {
    /// The tables of marks, by placement: a hash table of hash tables.
    tables: Vec<Table>,
    tables_used: usize,
    /// The full entries.
    entries: Dictionary<Entry>,
    len: usize,
    max_entries: usize,
    exact_depth: bool,
    family: Option<&'static str>,
    evaluation: Claim,
    headroom: Headroom,
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
            tables: Vec::new(),
            tables_used: 0,
            entries: Dictionary::default(),
            len: 0,
            max_entries: max_entries.unwrap_or(usize::MAX),
            exact_depth,
            family: None,
            evaluation: Claim::default(),
            headroom: Headroom::default(),
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

    /// Forgets everything, the family included, and frees the memory.
    pub fn clear(&mut self) {
        *self = Cache::new(self.exact_depth, self.max_entries());
    }

    /// The family of functions whose values it holds, if it was used.
    pub fn family(&self) -> Option<&'static str> {
        self.family
    }

    /// Reserves the cache for one family of functions and one evaluation, unless it holds other values.
    pub fn claim(&mut self, family: &'static str, evaluation: &Evaluation) -> Result<(), CacheMismatch> {
        match self.family {
            Some(holds) if holds != family => return Err(CacheMismatch::Family { holds, wanted: family }),
            _ => self.evaluation.make(evaluation, "cache")?,
        }
        self.family = Some(family);
        Ok(())
    }

    /// The key under which a position's value at `depth` is kept: the position's, unless the exact rule holds and
    /// the fifty-move rule is within `depth` plies; then the clock is part of it.
    #[inline]
    pub(crate) fn key(&self, key: PositionKey, halfmove_clock: u32, depth: Depth) -> PositionKey {
        if self.is_clock_part(halfmove_clock, depth) {
            PositionKey { whole: key.whole.with(u64::from(halfmove_clock) + 1), ..key }
        } else {
            key
        }
    }

    /// [`Cache::key`] for values of `depth` that no question at another depth may find.
    #[inline]
    pub(crate) fn key_at(&self, key: PositionKey, halfmove_clock: u32, depth: Depth) -> PositionKey {
        let clock = if self.is_clock_part(halfmove_clock, depth) { u64::from(halfmove_clock) + 1 } else { 0 };
        // One number, so that no clock makes up for a depth.
        PositionKey { whole: key.whole.with(clock << 8 | (depth as u64 + 1)), ..key }
    }

    #[inline]
    fn is_clock_part(&self, halfmove_clock: u32, depth: Depth) -> bool {
        self.exact_depth && halfmove_clock + depth as u32 >= betacut_core::rules::CHESS_JL.halfmove_limit
    }

    /// Whether an entry may answer a question at `depth`.
    #[inline]
    pub(crate) fn answers(&self, entry: Entry, depth: Depth) -> bool {
        if self.exact_depth { i32::from(entry.depth) == depth } else { i32::from(entry.depth) >= depth }
    }

    /// What is stored under `key`, the key of a position with this `score`.
    #[inline]
    pub fn lookup(&self, key: PositionKey, score: Score) -> Option<Entry> {
        self.entry(self.find(key), key, score)
    }

    /// Stores an entry of a position with this `score`, replacing what is known under `key`. Returns whether it was
    /// stored.
    pub fn store(&mut self, key: PositionKey, score: Score, entry: Entry) -> Result<bool> {
        self.store_at(self.find(key), key, score, entry)
    }

    /// Where the mark of `key` is, or belongs.
    #[inline(always)]
    pub(crate) fn find(&self, key: PositionKey) -> Place {
        self.table_of(key.placement).map_or(Place::NOWHERE, |table| {
            let marks = &self.tables[table];
            let (slot, mark) = marks.find(key.whole);
            Place { table, slot, length: marks.slots.len(), mark }
        })
    }

    /// The entry of a position with this `score` whose mark is at `place`.
    #[inline(always)]
    pub(crate) fn entry(&self, place: Place, key: PositionKey, score: Score) -> Option<Entry> {
        match known(place.mark) {
            Known::Nothing => None,
            Known::Score(bound) => Some(Entry::new(bound, score, 0)),
            Known::Elsewhere => self.entries.get(key.whole),
        }
    }

    /// [`Cache::store`] for a key that was found at `place`, however long ago.
    #[inline]
    pub(crate) fn store_at(
        &mut self,
        place: Place,
        key: PositionKey,
        score: Score,
        entry: Entry,
    ) -> Result<bool> {
        if entry.depth == 0 && entry.value == score {
            return self.mark(place, key, mark_of(entry.bound));
        }
        self.entries.reserve(key.whole)?;
        let stored = self.mark(place, key, ELSEWHERE)?;
        if stored {
            self.entries.insert(key.whole, entry);
        }
        Ok(stored)
    }

    /// Lookup and store at once, for a leaf that is worth its `score`: looks up what is known, and stores what the
    /// score proves in `window` as narrowed by it. Both rules read a leaf alike.
    #[inline(always)]
    pub(crate) fn leaf(
        &mut self,
        table: Option<usize>,
        key: PositionKey,
        score: Score,
        window: Window,
    ) -> Result<Leaf> {
        // 1. The table, which may have been made or moved since it was looked for.
        let table = match table {
            Some(table) if self.tables[table].is_of(key.placement) => Some(table),
            _ => self.table_of(key.placement),
        };
        let bound = if let Some(table) = table {
            let table = &mut self.tables[table];
            let (slot, mark) = table.find(key.whole);
            // 2. A bound that does not answer closes the window on the score, from its side; the score then proves
            //    the opposite one.
            let bound = match known(mark) {
                Known::Nothing => window.proves(score),
                Known::Score(Bound::Upper) if score > window.alpha => Bound::Lower,
                Known::Score(Bound::Lower) if score < window.beta => Bound::Upper,
                Known::Score(_) => return Ok(Leaf::Answered),
                Known::Elsewhere => return Ok(Leaf::Elsewhere),
            };
            // 3. Note it, here if there is room.
            if mark != VACANT || (table.free > 0 && self.len < self.max_entries) {
                table.slots[slot] = Mark::new(key.whole, mark_of(bound));
                table.free -= u32::from(mark == VACANT);
                self.len += usize::from(mark == VACANT);
                return Ok(Leaf::Stored);
            }
            bound
        } else {
            window.proves(score)
        };
        let stored = self.mark(Place::NOWHERE, key, mark_of(bound))?;
        Ok(if stored { Leaf::Stored } else { Leaf::Refused })
    }

    /// Reads what [`Cache::leaf`] will read first, so that it is cached by then. The value means nothing.
    #[inline(always)]
    pub(crate) fn peek(&self, table: Option<usize>, key: PositionKey) -> u64 {
        table
            .and_then(|table| self.tables.get(table))
            .map_or(0, |table| table.slots[table.home(key.whole.low)].word)
    }

    /// Where the table of a placement is. Valid until a table is added; users of it check.
    #[inline(always)]
    pub(crate) fn table_of(&self, placement: u64) -> Option<usize> {
        if self.tables.is_empty() {
            return None;
        }
        let table = self.vacancy_or(placement);
        (!self.tables[table].slots.is_empty()).then_some(table)
    }

    /// The table of a placement, or the vacant one where it belongs. Some are always vacant.
    #[inline(always)]
    fn vacancy_or(&self, placement: u64) -> usize {
        let mask = self.tables.len() - 1;
        let mut index = placement as usize & mask;
        while self.tables[index].placement != placement && !self.tables[index].slots.is_empty() {
            index = (index + 1) & mask;
        }
        index
    }

    /// Sets the mark of `key`, which was found at `place` some time ago. Returns whether it was stored.
    #[inline]
    fn mark(&mut self, place: Place, key: PositionKey, known: u64) -> Result<bool> {
        let mark = Mark::new(key.whole, known);
        // 1. Nothing is ever taken out, so if the table is as long as it was, the slots before are not the key's.
        let place = match self.tables.get(place.table) {
            Some(table)
                if table.placement == key.placement
                    && table.slots.len() == place.length
                    && table.slots[place.slot].is_of_or_vacant(key.whole) =>
            {
                Place { mark: table.slots[place.slot].word, ..place }
            }
            _ => self.find(key),
        };
        // 2. A known position.
        if place.mark != VACANT {
            self.tables[place.table].slots[place.slot] = mark;
            return Ok(true);
        }
        // 3. A new one.
        if self.len >= self.max_entries {
            return Ok(false);
        }
        let table = if place.length == 0 { self.new_table(key.placement)? } else { place.table };
        let table = &mut self.tables[table];
        let mut slot = place.slot;
        if table.free == 0 {
            table.grow(&mut self.headroom)?;
            (slot, _) = table.find(key.whole);
        } else if place.length == 0 {
            (slot, _) = table.find(key.whole);
        }
        table.slots[slot] = mark;
        table.free -= 1;
        self.len += 1;
        Ok(true)
    }

    #[cold]
    fn new_table(&mut self, placement: u64) -> Result<usize> {
        if (self.tables_used + 1) * 8 > self.tables.len() * 5 {
            let length = (self.tables.len() * 2).max(FIRST_SLOTS);
            self.headroom.take(length * size_of::<Table>())?;
            let mut tables = Vec::new();
            tables.try_reserve_exact(length).map_err(|_| Stopped::OutOfMemory)?;
            tables.resize_with(length, Table::default);
            let old = std::mem::replace(&mut self.tables, tables);
            for table in old.into_iter().filter(|table| !table.slots.is_empty()) {
                let index = self.vacancy_or(table.placement);
                self.tables[index] = table;
            }
        }
        let index = self.vacancy_or(placement);
        self.tables[index] = Table::new(placement, &mut self.headroom)?;
        self.tables_used += 1;
        Ok(index)
    }
}

/// What became of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// The memo knew its value.
    Answered,
    /// It is known now.
    Stored,
    /// It was not known, and the cache is full.
    Refused,
    /// Nothing yet: there is a full entry, so look it up as for any other node.
    Elsewhere,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use betacut_core::position::Key;

    fn key(number: u64) -> PositionKey {
        PositionKey { whole: Key::default().with(number + 1), placement: Key::default().with(number % 7).low }
    }

    #[test]
    fn keeps_every_entry_while_it_grows() {
        let mut cache = Cache::default();
        for number in 0..20_000 {
            let entry = Entry::new(Bound::Exact, number as Score, 3);
            assert_eq!(cache.store(key(number), 0, entry), Ok(true));
        }
        assert_eq!(cache.len(), 20_000);
        for number in 0..20_000 {
            assert_eq!(cache.lookup(key(number), 0).and_then(Entry::exact), Some(number as Score));
        }
        assert_eq!(cache.lookup(key(20_000), 0), None);
        cache.clear();
        assert!(cache.is_empty() && cache.lookup(key(1), 0).is_none());
    }

    #[test]
    fn a_full_cache_updates_but_takes_nothing_new() {
        let mut cache = Cache::new(false, Some(2));
        let entry = |value| Entry::new(Bound::Lower, value, 1);
        assert_eq!(cache.store(key(1), 0, entry(10)), Ok(true));
        assert_eq!(cache.store(key(2), 0, entry(20)), Ok(true));
        assert_eq!(cache.store(key(3), 0, entry(30)), Ok(false));
        assert_eq!(cache.store(key(2), 0, entry(25)), Ok(true));
        assert_eq!((cache.len(), cache.lookup(key(3), 0)), (2, None));
        assert_eq!(cache.lookup(key(2), 0).map(|entry| entry.value), Some(25));
    }

    #[test]
    fn depths_and_clocks_are_told_apart() {
        let cache = Cache::exact();
        let keys: BTreeSet<u128> = (0..=300)
            .flat_map(|clock| (0..=100).map(move |depth| (clock, depth)))
            .map(|(clock, depth)| cache.key_at(key(1), clock, depth).whole.into())
            .collect();
        // A clock of 100 - depth and more counts, each by itself; all below are one.
        let clocks = |depth: usize| 201 + depth + usize::from(depth < 100);
        assert_eq!(keys.len(), (0..=100).map(clocks).sum::<usize>());
    }

    #[test]
    fn a_position_has_one_entry_whatever_its_kind() {
        let mut cache = Cache::default();
        let score_as_value = Entry::new(Bound::Lower, 15, 0);
        let deeper = Entry::new(Bound::Exact, 40, 3);
        for entry in [score_as_value, deeper, score_as_value, Entry::new(Bound::Exact, -7, 0), deeper] {
            cache.store(key(1), 15, entry).unwrap();
            assert_eq!((cache.len(), cache.lookup(key(1), 15)), (1, Some(entry)));
        }
    }

    #[test]
    fn both_halves_of_a_key_count() {
        let known = key(1);
        let Key { low, high } = known.whole;
        for depth in [0, 3] {
            let mut cache = Cache::default();
            cache.store(known, 15, Entry::new(Bound::Exact, 15, depth)).unwrap();
            for bit in 0..u64::BITS {
                let other = PositionKey { whole: Key { low, high: high ^ 1 << bit }, ..known };
                assert_eq!(cache.lookup(other, 15), None, "depth {depth}, bit {bit} of the second half");
                let other = PositionKey { whole: Key { low: low ^ 1 << bit, high }, ..known };
                let found = cache.lookup(other, 15);
                assert_eq!(
                    found.is_some(),
                    depth == 0 && bit < 3,
                    "depth {depth}, bit {bit} of the first half"
                );
            }
        }
    }

    #[test]
    fn a_leaf_is_stored_as_its_score_proves() {
        let mut cache = Cache::default();
        let table = cache.table_of(key(1).placement);
        let window = |alpha, beta| Window { alpha, beta };
        let mut ask = |window| cache.leaf(table, key(1), 15, window).unwrap();
        assert_eq!(ask(window(20, 30)), Leaf::Stored); // <= 15
        assert_eq!(ask(window(15, 30)), Leaf::Answered);
        assert_eq!(ask(window(10, 30)), Leaf::Stored); // beta falls to 15: >= 15
        assert_eq!(ask(window(10, 15)), Leaf::Answered);
        assert_eq!(ask(window(10, 30)), Leaf::Stored); // alpha rises to 15: <= 15
        assert_eq!(cache.lookup(key(1), 15), Some(Entry::new(Bound::Upper, 15, 0)));
    }

    #[test]
    fn a_mark_takes_sixteen_bytes_and_an_entry_twenty_four() {
        assert_eq!((size_of::<Mark>(), size_of::<(Key, Option<Entry>)>()), (16, 24));
    }
}
