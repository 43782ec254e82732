//! What the search for a mate ([`super::mate_search`]) remembers.

use super::strategy::occurred_twice;
use betacut_core::board::{CLOCK_LIMIT, Move};

/// Places of the table: a power of two.
const PLACES: usize = 1 << 20;

/// What is known of a position; 0 plies where nothing is.
#[derive(Clone, Copy, Default)]
pub struct Entry {
    pub key: u64,
    pub m: Move,
    /// In how many plies, at most.
    pub mates: u8,
    /// In how many plies none does.
    pub fails: u8,
}

/// A search for a mate, and how far it has come.
#[derive(Default)]
pub struct MateMemory {
    /// Empty until it is needed.
    table: Vec<Entry>,
    /// The reply that refuted a move last, by ply.
    pub refutations: Vec<Move>,
    /// Positions that would be drawn.
    pub spent: Vec<u64>,
    /// Plies in which there is no mate.
    pub refuted: usize,
    /// Its nodes until now.
    pub nodes: u64,
    /// The count of all nodes at which it has to pause.
    pub until: u64,
    /// Whether there is a mate, once that is known.
    pub answer: Option<bool>,
    /// Whether a mate that was found is being proved as a strategy.
    pub is_found: bool,
}

impl MateMemory {
    /// Makes room, if there is none yet; positions that the game has seen twice would be drawn.
    pub fn begin(&mut self, game: &[u64]) {
        if self.table.is_empty() {
            self.table = vec![Entry::default(); PLACES];
            self.refutations = vec![Move::NONE; usize::from(CLOCK_LIMIT) + 2];
            self.spent = game.iter().copied().filter(|&key| occurred_twice(game, key)).collect();
        }
    }

    fn place(key: u64) -> usize {
        key as usize & (PLACES - 1)
    }

    pub fn known(&self, key: u64) -> Entry {
        let entry = self.table[MateMemory::place(key)];
        if entry.key == key { entry } else { Entry { key, ..Entry::default() } }
    }

    /// Keeps what is known of a position, in place of another one.
    pub fn keep(&mut self, entry: Entry) {
        self.table[MateMemory::place(entry.key)] = entry;
    }
}
