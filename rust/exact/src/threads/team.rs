//! What the threads of one search share beside the table: who searches what, and that it is done.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::Relaxed};

use crate::table::UNKNOWN;
use betacut_core::board::Move;
use betacut_core::score::{Depth, Score};

/// Marks of positions being searched; few at a time, so they rarely meet.
const MARKS: usize = 1 << 10;

/// What the threads of one search share beside the table.
pub struct Team {
    done: AtomicBool,
    marks: Vec<AtomicU64>,
    /// Nodes of all threads, but for the latest few.
    nodes: AtomicU64,
    /// The greatest value that was reported, for the side to move at the root.
    reached: AtomicI32,
}

impl Default for Team {
    fn default() -> Team {
        Team {
            done: AtomicBool::new(false),
            marks: (0..MARKS).map(|_| AtomicU64::new(0)).collect(),
            nodes: AtomicU64::new(0),
            reached: AtomicI32::new(-UNKNOWN),
        }
    }
}

impl Team {
    /// Tells the others that there is an answer, or that the search is to stop.
    pub fn finish(&self) {
        self.done.store(true, Relaxed);
    }

    /// Whether a thread has the answer, or the search is to stop.
    pub fn is_done(&self) -> bool {
        self.done.load(Relaxed)
    }

    /// Reports nodes of one thread; returns those of all threads so far.
    pub fn report(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Relaxed) + nodes
    }

    /// Reports that as many moves of the root as are wanted reach a value.
    pub fn report_reached(&self, value: Score) {
        self.reached.fetch_max(value, Relaxed);
    }

    /// What as many moves of the root as are wanted reach, as far as any thread knows; `-UNKNOWN` before.
    pub fn reached(&self) -> Score {
        self.reached.load(Relaxed)
    }

    fn mark(&self, key: u64, depth: Depth) -> (&AtomicU64, u64) {
        (&self.marks[(key >> 32) as usize % MARKS], key ^ (depth as u64) << 1 | 1)
    }

    /// Takes a position to search; false if another thread has it.
    pub fn take(&self, key: u64, depth: Depth) -> bool {
        let (place, mark) = self.mark(key, depth);
        place.swap(mark, Relaxed) != mark
    }

    pub fn give_back(&self, key: u64, depth: Depth) {
        let (place, mark) = self.mark(key, depth);
        if place.load(Relaxed) == mark {
            place.store(0, Relaxed);
        }
    }
}

/// The moves of one node that were put off because other threads search them. They come last: by then the table may
/// know them. All nodes of a path keep theirs in one list, each above those of its parent.
pub struct PutOff {
    first: usize,
    next: usize,
}

impl PutOff {
    pub fn new(list: &[Move]) -> PutOff {
        PutOff { first: list.len(), next: list.len() }
    }

    /// Whether moves can still be put off; those that were are searched, even if another thread is at them.
    pub fn is_open(&self) -> bool {
        self.next == self.first
    }

    pub fn next(&mut self, list: &[Move]) -> Option<Move> {
        let m = list.get(self.next).copied();
        self.next += usize::from(m.is_some());
        m
    }

    /// Takes them off the list, when the node is left.
    pub fn done(self, list: &mut Vec<Move>) {
        list.truncate(self.first);
    }
}
