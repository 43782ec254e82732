//! Running the core: without the GIL, and with an ear for Ctrl-C.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::limits::Limits;

/// How long a search may run before it asks Python for signals: half of what a person notices.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` with the GIL released. Every 50 ms the GIL is taken to look for signals; the exception of a signal
/// handler, such as `KeyboardInterrupt`, stops the work and is raised.
///
/// # Errors
/// What `work` returns, or the exception that stopped it.
pub fn detached<T, E>(py: Python<'_>, work: impl Send + FnOnce(Limits<'_>) -> Result<T, E>) -> PyResult<T>
where
    T: Send,
    E: Send + Into<PyErr>,
{
    polling(py, |poll| work(Limits::new(poll)))
}

/// The same for work that asks by itself whether it is to stop.
///
/// # Errors
/// As [`detached`].
pub fn polling<T, E>(
    py: Python<'_>,
    work: impl Send + FnOnce(&mut dyn FnMut() -> bool) -> Result<T, E>,
) -> PyResult<T>
where
    T: Send,
    E: Send + Into<PyErr>,
{
    let mut raised = None;
    let done = py.detach(|| {
        let mut last = Instant::now();
        let mut poll = || {
            // Once it was time to stop, it stays so.
            if raised.is_some() || last.elapsed() < SIGNAL_INTERVAL {
                return raised.is_some();
            }
            #[allow(clippy::redundant_closure_for_method_calls)] // the method alone is not general enough
            let asked = Python::attach(|py| py.check_signals());
            last = Instant::now();
            raised = asked.err();
            raised.is_some()
        };
        work(&mut poll)
    });
    match raised {
        Some(exception) => Err(exception),
        None => done.map_err(Into::into),
    }
}
