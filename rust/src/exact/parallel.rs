//! Several threads, one answer.
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::score::Depth;

const SLOTS: usize = 1 << 12;

/// What the threads of one search share beside the table.
pub struct Team {
    done: AtomicBool,
    searched: Vec<AtomicU64>,
}

impl Team {
    pub fn new() -> Team {
        Team { done: AtomicBool::new(false), searched: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }

    #[inline]
    pub fn is_done(&self) -> bool {
        self.done.load(Relaxed)
    }

    pub fn set_done(&self, done: bool) {
        self.done.store(done, Relaxed);
    }

    fn slot(&self, key: u64, depth: Depth) -> (&AtomicU64, u64) {
        let mark = key ^ (depth as u64) << 1 | 1;
        (&self.searched[(key >> 40) as usize % SLOTS], mark)
    }

    /// Takes a position to search; false if another thread has it.
    #[inline]
    pub fn take(&self, key: u64, depth: Depth) -> bool {
        let (slot, mark) = self.slot(key, depth);
        if slot.load(Relaxed) == mark {
            return false;
        }
        slot.store(mark, Relaxed);
        true
    }

    /// Gives a position back.
    #[inline]
    pub fn give_back(&self, key: u64, depth: Depth) {
        let (slot, mark) = self.slot(key, depth);
        if slot.load(Relaxed) == mark {
            slot.store(0, Relaxed);
        }
    }
}
