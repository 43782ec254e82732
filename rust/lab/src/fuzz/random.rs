//! Choices: by a seed, or by the bytes that a fuzzer passes in.

use betacut_core::random;

/// A stream of numbers. It is a function of its seed, so every run can be repeated.
#[derive(Clone, Debug)]
pub struct Random<'a> {
    state: u64,
    /// Bytes to choose by, as long as there are any.
    bytes: &'a [u8],
}

impl<'a> Random<'a> {
    /// The stream of a case: the same for the same seed and case.
    pub fn new(seed: u64, case: u64) -> Random<'static> {
        let mut random = Random { state: seed, bytes: &[] };
        random.state = random.word() ^ case.wrapping_mul(0xd134_2543_de82_ef95);
        random
    }

    /// Chooses by these bytes, and by a fixed stream when they are used up.
    pub fn from_bytes(bytes: &'a [u8]) -> Random<'a> {
        Random { state: 0, bytes }
    }

    fn word(&mut self) -> u64 {
        random::next(&mut self.state)
    }

    /// A number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        match *self.bytes {
            [byte, ref rest @ ..] if bound <= 256 => {
                self.bytes = rest;
                byte as usize % bound
            }
            [high, low, ref rest @ ..] => {
                self.bytes = rest;
                (high as usize * 256 + low as usize) % bound
            }
            _ => (self.word() % bound as u64) as usize,
        }
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True once in `bound` times.
    pub fn once_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    /// One of the items, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
