//! What ends a search from outside: the caller, who holds the same [`Control`] as the search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Shared by a search and whoever may end it.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    /// The threads of the search itself are to end: the first of them is done.
    done: AtomicBool,
    pondering: AtomicBool,
    changed: (Mutex<()>, Condvar),
}

impl Control {
    /// Nobody has said anything yet.
    pub fn new() -> Control {
        Control::default()
    }

    /// The search thinks on the opponent's time: no clock ends it before [`Control::ponder_hit`].
    pub fn ponder(&self) {
        self.pondering.store(true, Relaxed);
    }

    /// The opponent has played the expected move: from now on the limits hold.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Relaxed);
        self.wake();
    }

    /// Ends the search; what it has found so far is its answer.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
        self.pondering.store(false, Relaxed);
        self.wake();
    }

    fn wake(&self) {
        drop(self.changed.0.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.1.notify_all();
    }

    /// Whether the search thinks on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Whether the caller has ended the search.
    pub fn is_ended(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Whether a thread of the search is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed) || self.done.load(Relaxed)
    }

    /// The other threads of the search are to end.
    pub fn stop_helpers(&self) {
        self.done.store(true, Relaxed);
    }

    /// Waits until the caller ends a search that has nothing left to do, or, if it only ponders, until the move comes.
    pub fn wait(&self, infinite: bool) {
        let mut guard = self.changed.0.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_ended() && (infinite || self.is_pondering()) {
            // A missed wake costs a moment only.
            let waited = self.changed.1.wait_timeout(guard, Duration::from_millis(50));
            guard = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
