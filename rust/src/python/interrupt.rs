//! Running the core: without the GIL, and with an ear for Ctrl-C.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How long a search may run before it asks Python for signals: half of what a person notices.
pub const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` with the GIL released. `work` is given a function to poll: every 50 ms that takes the GIL to look for
/// signals, and once it returns true the work is to end; the exception of the signal handler, such as
/// `KeyboardInterrupt`, is raised then.
///
/// # Errors
/// What `work` returns, or the exception that stopped it.
pub fn detached<T, E>(
    py: Python<'_>,
    work: impl Send + FnOnce(&mut dyn FnMut() -> bool) -> Result<T, E>,
) -> PyResult<T>
where
    T: Send,
    E: Send + Into<PyErr>,
{
    let mut raised = None;
    let done = py.detach(|| {
        let mut last = None;
        work(&mut || {
            // Once it was time to stop, it stays so.
            if raised.is_some() {
                return true;
            }
            // The first poll comes after some microseconds of work, so that the shortest searches read no clock.
            if last.get_or_insert_with(Instant::now).elapsed() < SIGNAL_INTERVAL {
                return false;
            }
            #[allow(clippy::redundant_closure_for_method_calls)] // the method alone is not general enough
            let asked = Python::attach(|py| py.check_signals());
            last = Some(Instant::now());
            raised = asked.err();
            raised.is_some()
        })
    });
    match raised {
        Some(exception) => Err(exception),
        None => done.map_err(Into::into),
    }
}
