//! What stops a search before it is done.
//!
//! A search that is stopped returns [`Stopped`] through `?` all the way up: there is no flag to forget and no
//! score that means "ignore me". The core never asks why: the caller gives it a function to poll.

/// Why a search did not finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The caller's poll asked for it.
    #[error("the search was interrupted")]
    Interrupted,
    /// The memo could not grow.
    #[error("out of memory: the cache cannot grow; bound it with max_entries")]
    OutOfMemory,
    /// There was no memory to search with.
    #[error("out of memory: there is none to search with, or for the transposition table")]
    NoMemory,
}

/// What must be left for the many small things whose allocation cannot fail softly; near the limit each may take a page.
const SPARE: usize = 16 << 20;

/// Looks whether there is memory for what a search allocates by the way, before it does.
///
/// # Errors
/// [`Stopped::NoMemory`] if there is hardly any left.
pub fn check_memory() -> Result<(), Stopped> {
    let mut spare: Vec<u8> = Vec::new();
    let enough = std::hint::black_box(&mut spare).try_reserve_exact(SPARE);
    enough.map_err(|_| Stopped::NoMemory)
}

/// Nodes between two polls: well below a millisecond's work, so that polling costs nothing.
const NODES_PER_POLL: u32 = 512;

/// The stop condition of one search.
pub struct Limits<'a> {
    poll: &'a mut dyn FnMut() -> bool,
    countdown: u32,
}

impl<'a> Limits<'a> {
    /// Asks `poll` now and then; the search stops once it returns true.
    pub fn new(poll: &'a mut dyn FnMut() -> bool) -> Limits<'a> {
        Limits { poll, countdown: NODES_PER_POLL }
    }

    /// Called at every node that is expanded.
    #[inline]
    pub(crate) fn node(&mut self) -> Result<(), Stopped> {
        self.countdown -= 1;
        if self.countdown == 0 { self.ask() } else { Ok(()) }
    }

    #[cold]
    fn ask(&mut self) -> Result<(), Stopped> {
        self.countdown = NODES_PER_POLL;
        if (self.poll)() { Err(Stopped::Interrupted) } else { Ok(()) }
    }
}
