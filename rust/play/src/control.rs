//! Ends a search from outside: the caller holds the same [`Control`] as the search.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Once it returns true the search is to end.
type Poll = Box<dyn FnMut() -> bool + Send>;

/// Shared by a search and its callers, which may end it; a clone is the same control.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<State>);

#[derive(Default)]
struct State {
    start: OnceLock<Instant>,
    stopped: AtomicBool,
    pondering: AtomicBool,
    changed: (Mutex<()>, Condvar),
    poll: Mutex<Option<Poll>>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut state = f.debug_struct("State");
        state.field("stopped", &self.stopped).field("pondering", &self.pondering).finish_non_exhaustive()
    }
}

impl Control {
    /// No caller has said anything yet.
    pub fn new() -> Control {
        Control::default()
    }

    /// Starts the clock, as the search does unless it runs already: when it was started.
    pub fn start(&self) -> Instant {
        *self.0.start.get_or_init(Instant::now)
    }

    /// The search thinks on the opponent's time: no clock ends it before [`Control::ponder_hit`].
    pub fn ponder(&self) {
        self.0.pondering.store(true, Relaxed);
    }

    /// The opponent has played the expected move: from now on the limits hold.
    pub fn ponder_hit(&self) {
        self.0.pondering.store(false, Relaxed);
        self.wake();
    }

    /// Ends the search; what it has found so far is its answer.
    pub fn stop(&self) {
        self.0.stopped.store(true, Relaxed);
        self.wake();
    }

    fn wake(&self) {
        drop(self.0.changed.0.lock().unwrap_or_else(PoisonError::into_inner));
        self.0.changed.1.notify_all();
    }

    /// Whether the search thinks on the opponent's time, or did when it was stopped.
    pub fn is_pondering(&self) -> bool {
        self.0.pondering.load(Relaxed)
    }

    /// Whether the caller has ended the search.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Relaxed)
    }

    /// For a search in the caller's thread: `poll` is called every millisecond or so, and ends it by returning true.
    pub fn poll_with(&self, poll: impl FnMut() -> bool + Send + 'static) {
        *self.0.poll.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(poll));
    }

    /// Asks the caller whether the search is to end.
    pub(super) fn poll(&self) {
        let mut poll = self.0.poll.lock().unwrap_or_else(PoisonError::into_inner);
        if poll.as_mut().is_some_and(|poll| poll()) {
            self.stop();
        }
    }

    /// Waits until the caller ends a search that has nothing left to do, or, if it only ponders, until the move comes.
    pub fn wait(&self, infinite: bool) {
        let mut guard = self.0.changed.0.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            // A missed wake costs a moment only.
            let waited = self.0.changed.1.wait_timeout(guard, Duration::from_millis(50));
            guard = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
