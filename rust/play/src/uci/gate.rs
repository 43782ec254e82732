//! What holds a `bestmove` back.
//!
//! Each search has a gate of its own, so a `stop` can reach it before it has begun, and never reaches the next one. A
//! search may be done long before its answer may be given: after `go infinite` that is only after `stop`, after
//! `go ponder` after `stop` or `ponderhit`, whatever the reason that there is nothing left to search.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::Control;

#[derive(Clone, Copy, Debug)]
struct State {
    stopped: bool,
    pondering: bool,
}

/// The gate of one search.
pub struct Gate {
    /// What the engine is told.
    pub control: Control,
    state: Mutex<State>,
    changed: Condvar,
}

impl Gate {
    /// A gate for a search that begins now, on the opponent's time if `pondering`.
    pub fn new(pondering: bool) -> Gate {
        let control = Control::new();
        if pondering {
            control.ponder();
        }
        Gate { control, state: Mutex::new(State { stopped: false, pondering }), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.state().stopped = true;
        self.control.stop();
        self.changed.notify_all();
    }

    /// The opponent has made the expected move: the search goes on, on our time.
    pub fn ponder_hit(&self) {
        let was_pondering = std::mem::take(&mut self.state().pondering);
        if was_pondering {
            self.control.ponder_hit();
            self.changed.notify_all();
        }
    }

    /// Whether the search has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.state().stopped
    }

    /// Waits until an answer may be given.
    pub fn wait(&self, infinite: bool) {
        let mut state = self.state();
        while !state.stopped && (infinite || state.pondering) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::thread;

    #[test]
    fn what_need_not_wait() {
        Gate::new(false).wait(false);
        let gate = Gate::new(true);
        gate.ponder_hit();
        gate.wait(false);
        for gate in [Gate::new(true), Gate::new(false)] {
            gate.stop();
            gate.wait(true);
            assert!(gate.is_stopped() && gate.control.is_stopped());
        }
    }

    #[test]
    fn only_stop_ends_an_infinite_search() {
        let gate = Arc::new(Gate::new(true));
        let waiting = thread::spawn({
            let gate = Arc::clone(&gate);
            move || gate.wait(true)
        });
        gate.ponder_hit();
        assert!(!waiting.is_finished());
        gate.stop();
        waiting.join().unwrap();
    }
}
