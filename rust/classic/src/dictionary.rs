//! What searches remember: a dictionary by key.
//!
//! Many small tables by open addressing instead of one large one: none of them takes long to grow, so that a search that
//! is interrupted stops soon. Positions are told apart by the 128 bits of their keys.
//!
//! **Cost.** An entry takes what is stored and 16 bytes for its key; the vacant ones make that 1.4 to 2.9 times as much.

use crate::Result;
use betacut_core::limits::{Headroom, Stopped};
use betacut_core::position::Key;

const PARTS: usize = 32;

/// The slots of a part when its first entry comes.
const FIRST_SLOTS: usize = 8;

/// The last value stored under each key.
#[derive(Clone, Debug)]
pub struct Dictionary<V> {
    parts: [Part<V>; PARTS],
    headroom: Headroom,
}

#[derive(Clone, Debug)]
struct Part<V> {
    slots: Vec<(Key, Option<V>)>,
    used: usize,
}

impl<V> Default for Dictionary<V> {
    fn default() -> Dictionary<V> {
        let parts = std::array::from_fn(|_| Part { slots: Vec::new(), used: 0 });
        Dictionary { parts, headroom: Headroom::default() }
    }
}

impl<V: Copy> Dictionary<V> {
    /// What was stored.
    #[inline]
    pub fn get(&self, key: Key) -> Option<V> {
        let part = &self.parts[part(key)];
        if part.slots.is_empty() { None } else { part.slots[part.find(key)].1 }
    }

    /// Stores a value, over whatever was there.
    #[inline]
    pub fn store(&mut self, key: Key, value: V) -> Result<()> {
        self.reserve(key)?;
        self.insert(key, value);
        Ok(())
    }

    /// Makes room for one more value.
    #[inline]
    pub(crate) fn reserve(&mut self, key: Key) -> Result<()> {
        let part = &mut self.parts[part(key)];
        if (part.used + 1) * 10 > part.slots.len() * 7 { part.grow(&mut self.headroom) } else { Ok(()) }
    }

    /// Stores a value for which there is room.
    #[inline]
    pub(crate) fn insert(&mut self, key: Key, value: V) {
        let part = &mut self.parts[part(key)];
        let index = part.find(key);
        part.used += usize::from(part.slots[index].1.is_none());
        part.slots[index] = (key, Some(value));
    }

    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.used).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is stored, in no particular order.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.parts.iter().flat_map(|part| &part.slots).filter_map(|(_, value)| value.as_ref())
    }
}

/// Which of the parts a key belongs to.
#[inline]
fn part(key: Key) -> usize {
    (key.low % PARTS as u64) as usize
}

impl<V: Copy> Part<V> {
    /// The slot of `key`: its own, or the empty one where it belongs.
    #[inline]
    fn find(&self, key: Key) -> usize {
        let mask = self.slots.len() - 1;
        let mut index = (key.low >> ((u64::BITS - self.slots.len().trailing_zeros()) % u64::BITS)) as usize;
        while self.slots[index].1.is_some() && self.slots[index].0 != key {
            index = (index + 1) & mask;
        }
        index
    }

    #[cold]
    fn grow(&mut self, headroom: &mut Headroom) -> Result<()> {
        let length = (self.slots.len() * 2).max(FIRST_SLOTS);
        headroom.take(length * size_of::<(Key, Option<V>)>())?;
        let mut slots = Vec::new();
        slots.try_reserve_exact(length).map_err(|_| Stopped::OutOfMemory)?;
        slots.resize(length, (Key::default(), None));
        let old = std::mem::replace(&mut self.slots, slots);
        for slot in old.into_iter().filter(|slot| slot.1.is_some()) {
            let index = self.find(slot.0);
            self.slots[index] = slot;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_of_a_key_count() {
        let mut dictionary = Dictionary::default();
        let keys = [(1, 1), (1, 2), (2, 1), (2, 2)].map(|(low, high)| Key { low, high });
        for (value, key) in keys.into_iter().enumerate() {
            assert_eq!(dictionary.get(key), None);
            dictionary.store(key, value).unwrap();
        }
        assert_eq!(dictionary.len(), 4);
        assert_eq!(keys.map(|key| dictionary.get(key)), [Some(0), Some(1), Some(2), Some(3)]);
    }
}
