//! Full entries: what a [`Cache`](super::Cache) keeps of positions of which more is known than a mark can say.

use betacut_core::limits::{Headroom, Stopped};
use betacut_core::position::Key;
use betacut_core::score::{Depth, Score};
use betacut_core::window::{Bound, Window};

use super::marks::FIRST_SLOTS;

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

    /// Whether the entry answers what is asked in `window`.
    #[inline]
    pub(crate) fn settles(self, window: Window) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Upper => self.value <= window.alpha,
            Bound::Lower => self.value >= window.beta,
        }
    }

    /// What is left of `window` by an entry that does not settle it.
    #[inline]
    pub(crate) fn narrowed(self, window: Window) -> Window {
        if self.bound == Bound::Upper {
            window.lower_beta(self.value)
        } else {
            window.raise_alpha(self.value)
        }
    }

    /// The exact value, if that is what the entry holds.
    #[inline]
    pub fn exact(self) -> Option<Score> {
        (self.bound == Bound::Exact).then_some(self.value)
    }
}

/// The full entries, in parts by key so that each grows quickly.
#[derive(Debug, Default)]
pub(super) struct Entries([Part; 32]);

#[derive(Debug, Default)]
struct Part {
    slots: Vec<Slot>,
    used: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    key: Key,
    entry: Option<Entry>,
}

impl Entries {
    #[inline]
    fn part(key: Key) -> usize {
        (key.low % 32) as usize
    }

    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Entry> {
        let part = &self.0[Entries::part(key)];
        if part.slots.is_empty() { None } else { part.slots[part.find(key)].entry }
    }

    /// Makes room for one more entry.
    #[inline]
    pub(super) fn reserve(&mut self, key: Key, headroom: &mut Headroom) -> Result<(), Stopped> {
        let part = &mut self.0[Entries::part(key)];
        if (part.used + 1) * 10 > part.slots.len() * 7 { part.grow(headroom) } else { Ok(()) }
    }

    /// Puts an entry in, for which there is room.
    #[inline]
    pub(super) fn insert(&mut self, key: Key, entry: Entry) {
        let part = &mut self.0[Entries::part(key)];
        let index = part.find(key);
        part.used += usize::from(part.slots[index].entry.is_none());
        part.slots[index] = Slot { key, entry: Some(entry) };
    }
}

impl Part {
    /// The slot of `key`: its own, or the empty one where it belongs.
    #[inline]
    fn find(&self, key: Key) -> usize {
        let mask = self.slots.len() - 1;
        let mut index = (key.low >> ((u64::BITS - self.slots.len().trailing_zeros()) % u64::BITS)) as usize;
        while self.slots[index].entry.is_some() && self.slots[index].key != key {
            index = (index + 1) & mask;
        }
        index
    }

    #[cold]
    fn grow(&mut self, headroom: &mut Headroom) -> Result<(), Stopped> {
        let length = (self.slots.len() * 2).max(FIRST_SLOTS);
        headroom.take(length * size_of::<Slot>())?;
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
