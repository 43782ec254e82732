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
    #[error("out of memory: the memo cannot grow; a Cache can be bounded with max_entries")]
    OutOfMemory,
}

/// Keeps a memo from taking the last of the memory: an allocation that fails elsewhere would end the process.
///
/// A memo tells it what it is about to take. Now and then it tries whether there is much more than that, and if not, the
/// memo is to stop: what everybody else needs, to tell of it too, is still there then.
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

    /// To be called before a memo takes that many bytes.
    ///
    /// # Errors
    /// [`Stopped::OutOfMemory`] if too little would remain.
    #[inline]
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), Stopped> {
        self.taken += bytes;
        if self.taken < Headroom::BETWEEN_TRIALS { Ok(()) } else { self.try_more() }
    }

    #[cold]
    fn try_more(&mut self) -> Result<(), Stopped> {
        let wanted = self.taken.saturating_add(Headroom::REMAINING);
        Vec::<u8>::new().try_reserve_exact(wanted).map_err(|_| Stopped::OutOfMemory)?;
        self.taken = 0;
        Ok(())
    }
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
