//! What stops a search before it is done: [`Stopped`] through `?` all the way up, so that there is no flag to forget and no
//! score that means "ignore me". The core never asks why: the caller gives it a function to poll.

use std::{sync::OnceLock, thread, time::Instant};

/// Why a search did not finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The caller's poll asked for it.
    #[error("the search was interrupted")]
    Interrupted,
    /// A limit on nodes or time was reached.
    #[error("the search has reached its limit")]
    LimitReached,
    /// Another thread of the same search was quicker.
    #[error("another thread has the answer")]
    Overtaken,
    /// The memo could not grow.
    #[error("out of memory: the memo cannot grow; a Cache can be bounded with max_entries")]
    OutOfMemory,
    /// There was no memory to search with.
    #[error("out of memory: there is none to search with, or for the transposition table")]
    NoMemory,
}

/// The number of processors for this process. More threads than these only take turns, and take longer to stop.
pub fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

/// What must be left for the many small things whose allocation cannot fail softly; near the limit each may take a page.
const SPARE: usize = 16 << 20;

/// Keeps a memo from taking the last of the memory, which would end the process: now and then it tries whether there is
/// much more than the memo is about to take, and if not, the memo is to stop.
#[derive(Clone, Debug, Default)]
pub struct Headroom {
    /// Bytes taken since the last trial.
    taken: usize,
}

impl Headroom {
    /// What a memo may take before the next trial.
    const BETWEEN_TRIALS: usize = 256 << 10;

    /// What is to remain for others.
    const REMAINING: usize = 2 << 20;

    /// To be called before a memo takes that many bytes; stops it if too little would remain.
    pub fn take(&mut self, bytes: usize) -> Result<(), Stopped> {
        self.taken += bytes;
        if self.taken < Headroom::BETWEEN_TRIALS { Ok(()) } else { self.try_more() }
    }

    #[cold]
    fn try_more(&mut self) -> Result<(), Stopped> {
        let wanted = self.taken.saturating_add(Headroom::REMAINING);
        if !is_to_be_had(wanted) {
            return Err(Stopped::OutOfMemory);
        }
        self.taken = 0;
        Ok(())
    }
}

/// Checks that there is memory for a search's small allocations before it starts.
pub fn check_memory() -> Result<(), Stopped> {
    if is_to_be_had(SPARE) { Ok(()) } else { Err(Stopped::NoMemory) }
}

/// Whether so many bytes of memory could be had at this moment.
pub fn is_to_be_had(bytes: usize) -> bool {
    let mut memory: Vec<u8> = Vec::new();
    // The compiler may remove an allocation that is never used, which would then always succeed.
    std::hint::black_box(&mut memory).try_reserve_exact(bytes).is_ok()
}

/// Nodes between two looks, for searches that make every node: well below a millisecond's work.
const NODES_PER_LOOK: u32 = 512;

/// The caller's function that says whether the search must stop; called now and then.
pub type Poll<'a> = &'a mut (dyn FnMut() -> bool + 'a);

/// What ends a search early: the caller, whose function is asked now and then, a number of nodes, a time.
pub struct Limits<'a> {
    poll: Poll<'a>,
    /// Nodes between two looks.
    interval: u32,
    countdown: u32,
    /// Stop at this many nodes.
    pub nodes: u64,
    /// Stop at this time.
    pub deadline: Option<Instant>,
}

impl<'a> Limits<'a> {
    /// Nothing but the caller ends the search, once `poll`, which is asked now and then, returns true.
    pub fn new(poll: Poll<'a>) -> Limits<'a> {
        Limits { poll, interval: 0, countdown: 0, nodes: u64::MAX, deadline: None }.every(NODES_PER_LOOK)
    }

    /// The same, with this many nodes between two looks.
    #[must_use]
    pub fn every(self, interval: u32) -> Limits<'a> {
        Limits { interval, countdown: interval, ..self }
    }

    /// Called at every node that is expanded, by searches that do without a limit on nodes.
    pub fn node(&mut self) -> Result<(), Stopped> {
        self.node_of(|| 0)
    }

    /// The same for searches that count leaves with their node; `nodes` is asked at every look alone.
    pub fn node_of(&mut self, nodes: impl FnOnce() -> u64) -> Result<(), Stopped> {
        self.countdown -= 1;
        if self.countdown == 0 { self.look(nodes()) } else { Ok(()) }
    }

    /// Whether it is time to [`Limits::look`], after so many nodes; called at every node.
    pub fn is_time_to_look(&mut self, nodes: u64) -> bool {
        self.countdown -= 1;
        self.countdown == 0 || nodes >= self.nodes
    }

    /// Stops the search if its limits are reached after so many nodes, or if the caller asks for it.
    #[cold]
    pub fn look(&mut self, nodes: u64) -> Result<(), Stopped> {
        self.countdown = self.interval;
        if self.are_reached(nodes) {
            Err(Stopped::LimitReached)
        } else if (self.poll)() {
            Err(Stopped::Interrupted)
        } else {
            Ok(())
        }
    }

    /// Whether the limits are reached after so many nodes.
    pub fn are_reached(&self, nodes: u64) -> bool {
        nodes >= self.nodes || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
