//! Several threads, one answer.
//!
//! # The idea
//!
//! Every thread searches the whole tree, over one table. So that they do not all do the same, a thread that is about to
//! search a move (not the first of its node) looks whether another thread is searching it, and if so takes it last: by
//! then the table has the result. Whoever is through first has the answer, and the others stop.
//!
//! This is the simplified form of ABDADA: no thread waits, none is master, and a position is marked by one word.
//!
//! # The price
//!
//! Threads do search some positions twice: the first moves of the path to a position nobody has split yet, and results
//! that the table has lost. Starting threads costs some tens of microseconds, so small tasks are not shared.
//!
//! # What can go wrong
//!
//! Marks may be overwritten or left behind by a thread that was stopped; then work is done twice or later, never
//! wrongly. Values are exact for any timing because each depends on position, clock and remaining depth alone; which
//! thread is first decides node counts, nothing else.
//!
//! Sources: J.-C. Weill, "The ABDADA Distributed Minimax Search Algorithm" (1996); T. Kerrigan, "Simplified ABDADA"
//! (tckerrigan.com).

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use super::driver::{self, RootMove, Task};
use super::search::{Limits, Searcher};
use crate::limits::Stopped;
use crate::score::{Depth, Score};

/// A depth is shared if the depth two before took so many nodes: it then takes more than five milliseconds.
pub const WORTH_SHARING: u64 = 8000;

/// Marks of positions being searched; few at a time, so they rarely meet.
const MARKS: usize = 1 << 10;

/// What the threads of one search share beside the table.
pub struct Team {
    done: AtomicBool,
    marks: Vec<AtomicU64>,
    /// Nodes of all threads, but for the latest few.
    nodes: AtomicU64,
}

impl Team {
    fn new() -> Team {
        Team {
            done: AtomicBool::new(false),
            marks: (0..MARKS).map(|_| AtomicU64::new(0)).collect(),
            nodes: AtomicU64::new(0),
        }
    }

    /// Whether a thread is through, or the search is to stop.
    #[inline]
    pub fn is_done(&self) -> bool {
        self.done.load(Relaxed)
    }

    /// Reports nodes of one thread; returns those of all threads so far.
    pub fn report(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Relaxed) + nodes
    }

    fn mark(&self, key: u64, depth: Depth) -> (&AtomicU64, u64) {
        (&self.marks[(key >> 32) as usize % MARKS], key ^ (depth as u64) << 1 | 1)
    }

    /// Takes a position to search; false if another thread has it.
    #[inline]
    pub fn take(&self, key: u64, depth: Depth) -> bool {
        let (place, mark) = self.mark(key, depth);
        place.swap(mark, Relaxed) != mark
    }

    /// Gives a position back.
    #[inline]
    pub fn give_back(&self, key: u64, depth: Depth) {
        let (place, mark) = self.mark(key, depth);
        if place.load(Relaxed) == mark {
            place.store(0, Relaxed);
        }
    }
}

/// Solves the root at one depth ([`driver::solve`]) with `threads` threads, or with those that can be started; counts
/// what all of them did.
///
/// # Errors
/// [`Stopped`] if the limits of `searcher` stop the search.
pub(super) fn solve(
    searcher: &mut Searcher<'_>,
    moves: &mut Vec<RootMove>,
    task: Task,
    threads: usize,
) -> Result<Score, Stopped> {
    if threads <= 1 {
        return driver::solve(searcher, moves, task);
    }
    let team = Arc::new(Team::new());
    let work = |searcher: &mut Searcher<'_>, moves: &mut Vec<RootMove>| {
        searcher.set_team(Some(Arc::clone(&team)));
        let solved = driver::solve(searcher, moves, task);
        team.done.store(true, Relaxed);
        searcher.set_team(None);
        solved
    };
    thread::scope(|scope| {
        // 1. The other threads.
        let others: Vec<_> = (1..threads)
            .map_while(|_| {
                let ((techniques, table, experience), mut moves) = (searcher.outfit(), moves.clone());
                let other = move || {
                    let mut never = || false;
                    let mut other = Searcher::new(techniques, table, experience, Limits::new(&mut never));
                    let solved = work(&mut other, &mut moves);
                    (solved, moves, other.counts)
                };
                thread::Builder::new().name("betacut search".to_owned()).spawn_scoped(scope, other).ok()
            })
            .collect();
        // 2. This thread, which alone watches the limits.
        let mut solved = work(searcher, moves);
        // 3. The answer is that of the thread that was through.
        for other in others {
            let joined = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            let (others_solved, others_moves, counts) = joined;
            searcher.counts += counts;
            if solved.is_err()
                && others_solved.is_ok()
                && !searcher.limits.reached
                && !searcher.limits.interrupted
            {
                solved = others_solved;
                *moves = others_moves;
            }
        }
        solved
    })
}
