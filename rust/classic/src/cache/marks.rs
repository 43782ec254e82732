//! Marks: what a [`Cache`](super::Cache) keeps of every position, in tables.

use crate::Result;
use betacut_core::limits::{Headroom, Stopped};
use betacut_core::position::Key;
use betacut_core::window::Bound;

/// What a mark says, in its lowest bits; zero is no mark.
const KNOWN: u64 = 0b111;
pub(super) const ELSEWHERE: u64 = 4;
pub(super) const VACANT: u64 = 0;

/// [`KNOWN`] of a mark, in words.
pub(super) enum Known {
    Nothing,
    /// The score at depth 0, to be read like this.
    Score(Bound),
    /// There is a full entry.
    Elsewhere,
}

#[inline(always)]
pub(super) const fn mark_of(bound: Bound) -> u64 {
    bound as u64 + 1
}

#[inline(always)]
pub(super) const fn known(mark: u64) -> Known {
    match mark & KNOWN {
        0 => Known::Nothing,
        1 => Known::Score(Bound::Exact),
        2 => Known::Score(Bound::Upper),
        3 => Known::Score(Bound::Lower),
        _ => Known::Elsewhere,
    }
}

/// What is kept of every position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    /// The first half of the key, but for its lowest bits: those are [`KNOWN`].
    pub(super) word: u64,
    /// The second half of the key.
    check: u64,
}

impl Mark {
    #[inline(always)]
    pub(super) const fn new(key: Key, known: u64) -> Mark {
        Mark { word: (key.low & !KNOWN) | known, check: key.high }
    }

    /// Whether a slot with this content is the one of `key`, or vacant.
    #[inline(always)]
    pub(super) const fn is_of_or_vacant(self, key: Key) -> bool {
        self.word == VACANT || (self.word ^ key.low <= KNOWN && self.check == key.high)
    }
}

/// Where a mark was found, or where it belonged; `mark` is its word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(super) table: usize,
    pub(super) slot: usize,
    /// How long the table was.
    pub(super) length: usize,
    pub(super) mark: u64,
}

impl Place {
    /// There is no table yet.
    pub(super) const NOWHERE: Place = Place { table: usize::MAX, slot: 0, length: 0, mark: VACANT };
}

/// The slots of a table when its first mark comes.
pub(super) const FIRST_SLOTS: usize = 8;

/// A table with fewer slots grows fourfold, a longer one twofold.
const SMALL: usize = 512;

/// Marks by open addressing with linear probing. The length is a power of two; at most three quarters are used.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) placement: u64,
    /// Empty if there is no table here.
    pub(super) slots: Box<[Mark]>,
    /// How many marks it takes before it grows.
    pub(super) free: u32,
    /// How far a key is shifted for its place.
    shift: u32,
}

impl Table {
    /// A table of a placement with room for its first marks.
    pub(super) fn new(placement: u64, headroom: &mut Headroom) -> Result<Table> {
        let mut table = Table { placement, ..Table::default() };
        table.grow(headroom)?;
        Ok(table)
    }

    /// Whether this is the table of a placement, and not a vacancy.
    #[inline(always)]
    pub(super) fn is_of(&self, placement: u64) -> bool {
        self.placement == placement && !self.slots.is_empty()
    }

    /// Where the search for a key starts: at the highest bits of its first half, so that growing moves the marks in the
    /// order they lie in memory.
    #[inline(always)]
    pub(super) const fn home(&self, word: u64) -> usize {
        (word >> (self.shift % u64::BITS)) as usize
    }

    /// The slot of `key`, its own or the vacant one where it belongs, and what it holds.
    #[inline(always)]
    pub(super) fn find(&self, key: Key) -> (usize, u64) {
        let mask = self.slots.len() - 1;
        let mut slot = self.home(key.low);
        loop {
            let mark = self.slots[slot];
            if mark.is_of_or_vacant(key) {
                return (slot, mark.word);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    pub(super) fn grow(&mut self, headroom: &mut Headroom) -> Result<()> {
        let factor = if self.slots.len() < SMALL { 4 } else { 2 };
        let length = (self.slots.len() * factor).max(FIRST_SLOTS);
        headroom.take(length * size_of::<Mark>())?;
        let free = u32::try_from(length / 4 * 3).map_err(|_| Stopped::OutOfMemory)?;
        let mut slots = Vec::new();
        slots.try_reserve_exact(length).map_err(|_| Stopped::OutOfMemory)?;
        slots.resize(length, Mark::default());
        let old = std::mem::replace(&mut self.slots, slots.into_boxed_slice());
        self.shift = u64::BITS - length.trailing_zeros();
        self.free = free;
        for &mark in old.iter().filter(|mark| mark.word != VACANT) {
            let mut slot = self.home(mark.word);
            while self.slots[slot].word != VACANT {
                slot = (slot + 1) & (length - 1);
            }
            self.slots[slot] = mark;
            self.free -= 1;
        }
        Ok(())
    }
}
