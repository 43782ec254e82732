//! What searches remember: a dictionary by key.
//!
//! Many small dictionaries instead of one large one: none of them takes long to grow, so that a search that is
//! interrupted stops soon. Positions are told apart by the 128 bits of their keys.
//!
//! **Cost.** An entry takes what is stored, 16 bytes for its key and one byte more; the vacant ones make that 1.1 to 2.3
//! times as much.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::Result;
use betacut_core::limits::{Headroom, Stopped};
use betacut_core::position::Key;

const PARTS: usize = 64;

/// The last value stored under each key.
#[derive(Clone, Debug)]
pub struct Dictionary<V> {
    /// [`PARTS`] of them, or none yet.
    parts: Vec<HashMap<Key, V, BuildHasherDefault<KeyHasher>>>,
    headroom: Headroom,
}

impl<V> Default for Dictionary<V> {
    fn default() -> Dictionary<V> {
        Dictionary { parts: Vec::new(), headroom: Headroom::default() }
    }
}

impl<V: Copy> Dictionary<V> {
    /// What was stored.
    #[inline]
    pub fn get(&self, key: Key) -> Option<V> {
        self.parts.get(part(key))?.get(&key).copied()
    }

    /// Stores a value, over whatever was there.
    /// Errors: [`Stopped::OutOfMemory`] if the dictionary cannot grow.
    #[inline]
    pub fn store(&mut self, key: Key, value: V) -> Result<()> {
        self.reserve(key)?;
        self.parts[part(key)].insert(key, value);
        Ok(())
    }

    /// Makes room for one more value.
    #[inline]
    pub(crate) fn reserve(&mut self, key: Key) -> Result<()> {
        if self.parts.is_empty() {
            self.parts.resize_with(PARTS, HashMap::default);
        }
        let part = &mut self.parts[part(key)];
        if part.len() == part.capacity() {
            self.headroom.take(2 * part.capacity() * size_of::<(Key, V)>())?;
            part.try_reserve(1).map_err(|_| Stopped::OutOfMemory)?;
        }
        Ok(())
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.parts.iter().map(HashMap::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is stored, in no particular order.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.parts.iter().flat_map(HashMap::values)
    }
}

/// Which of the parts a key belongs to. Of the bits here the dictionaries use the lowest and the highest.
#[inline]
fn part(key: Key) -> usize {
    (key.low >> 40) as usize % PARTS
}

/// Keys are as good as random already.
#[derive(Clone, Copy, Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
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
