//! Running the core: without the GIL, with an ear for Ctrl-C, and on a stack that is large enough.
//!
//! Threads that Python starts may have too little stack: 128 KiB under musl, 32 KiB at the least. So a search is told how
//! many plies it goes down; if the calling thread has no room for them, it runs in a thread of its own ([`OWN_STACK`]), while
//! the calling thread waits, looks for signals and does whatever needs Python ([`attached`]).

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{cell::RefCell, panic::resume_unwind, thread};

use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PySystemExit};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::errors::{Error, locked, raised};
use super::modules::AWAITED;
use betacut_core::limits::{Poll, is_to_be_had};

/// How long a search may run before it asks Python for signals: half of what a person notices.
pub const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// A limit of time that no search reaches.
const FOREVER: Duration = Duration::from_secs(1 << 32);

/// A number of seconds that was checked.
pub fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(FOREVER).min(FOREVER)
}

/// Stack for a search of no depth, reading the arguments and making an error of it included. Bytes.
const STACK_AT_LEAST: usize = 64 << 10;

/// Stack for a ply more, in bytes. The textbook takes 5 KiB, the originals 1.2 KiB, the exact search less than half a KiB.
const STACK_A_PLY: usize = 8 << 10;

/// More than any search goes down: a depth of 100, and what quiescence and extensions add.
pub const MOST_PLIES: u32 = 120;

/// The stack of a thread that a search gets for itself; with the usual sizes no search needs one. Bytes.
const OWN_STACK: usize = 8 << 20;

/// A thread is started only where there is that much memory: one that finds none for itself ends the process. Bytes.
const PLENTY: usize = 64 << 20;

/// What has to be done in the thread that called from Python.
type Job = Box<dyn FnOnce(Python<'_>) + Send>;

thread_local! {
    /// In a thread that a search has for itself: the one that called from Python.
    static CALLER: RefCell<Option<Sender<Job>>> = const { RefCell::new(None) };
}

/// [`detached_at`] for searches of any depth.
pub fn detached<T: Send, E: Send + Into<Error>>(
    py: Python<'_>,
    work: impl Send + FnOnce(Poll<'_>) -> Result<T, E>,
) -> PyResult<T> {
    detached_at(py, MOST_PLIES, work)
}

/// Runs `work`, which goes down that many plies, without the GIL; it is to end once its poll returns true, as it does
/// after a signal whose handler raised. Errors: what `work` returns, that exception, or that there is no thread for it.
pub fn detached_at<T: Send, E: Send + Into<Error>>(
    py: Python<'_>,
    plies: u32,
    work: impl Send + FnOnce(Poll<'_>) -> Result<T, E>,
) -> PyResult<T> {
    let (mut work, mut done) = (Some(work), None);
    run(py, plies, &mut |poll| done = work.take().map(|work| work(poll)))?;
    done.expect("the work has run").map_err(raised)
}

/// Work that keeps what it finds: how it is run is compiled once, not for each search.
type Work<'a> = &'a mut (dyn FnMut(Poll<'_>) + Send + 'a);

/// Runs `work` once, in this thread if it has the stack.
fn run(py: Python<'_>, plies: u32, work: Work<'_>) -> PyResult<()> {
    let needed = STACK_AT_LEAST + STACK_A_PLY * plies.min(MOST_PLIES) as usize;
    // Where the system does not tell how much there is, it is the usual.
    if stacker::remaining_stack().is_some_and(|left| left < needed) {
        return run_elsewhere(py, work);
    }
    let mut ear = Ear::default();
    py.detach(|| work(&mut || ear.hears()));
    ear.raised.map_or(Ok(()), Err)
}

/// [`detached_at`] with a memory, given back without the GIL, and after an interrupt in a thread of its own.
pub fn detached_with<M: Default + Send + 'static, T: Send, E: Send + Into<Error>>(
    py: Python<'_>,
    plies: u32,
    work: impl Send + FnOnce(&mut M, Poll<'_>) -> Result<T, E>,
) -> PyResult<T> {
    let mut left = None;
    let done = detached_at(py, plies, |poll| {
        let mut memory = M::default();
        let mut stopped = false;
        let done = work(&mut memory, &mut || {
            stopped = poll();
            stopped
        });
        if stopped {
            left = Some(memory);
        }
        done
    });
    if let Some(memory) = left {
        free_later(py, Box::new(memory));
    }
    done
}

/// Listens for signals, every 50 ms.
#[derive(Default)]
pub struct Ear {
    last: Option<Instant>,
    /// Why the work is to end.
    pub raised: Option<PyErr>,
}

impl Ear {
    /// Whether the work is to end. To be asked by the thread that called from Python.
    pub fn hears(&mut self) -> bool {
        // Once it was time to stop, it stays so. The first poll comes after some microseconds of work, so that the
        // shortest searches read no clock.
        if self.raised.is_none() && self.last.get_or_insert_with(Instant::now).elapsed() >= SIGNAL_INTERVAL {
            self.raised = signal();
            self.last = Some(Instant::now());
        }
        self.raised.is_some()
    }
}

/// [`run`] in a thread of its own.
fn run_elsewhere(py: Python<'_>, work: Work<'_>) -> PyResult<()> {
    let stop = &AtomicBool::new(false);
    let (caller, jobs) = mpsc::channel::<Job>();
    let work = || {
        CALLER.set(Some(caller));
        work(&mut || stop.load(Relaxed));
    };
    py.detach(move || {
        if !is_to_be_had(PLENTY) {
            let text = "out of memory: no thread for a search that needs more stack than the calling thread has";
            return Err(PyMemoryError::new_err(text));
        }
        thread::scope(|scope| {
            let builder = thread::Builder::new().name("betacut".to_owned()).stack_size(OWN_STACK);
            let thread = builder.spawn_scoped(scope, work).map_err(|error| {
                PyRuntimeError::new_err(format!(
                    "a search needs more stack than the calling thread has, and no other thread can be started: {error}"
                ))
            })?;
            let signalled = serve(&jobs, stop);
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            signalled.map_or(Ok(()), Err)
        })
    })
}

/// Does what a thread asks for, and sets `stop` if there is a signal, until the thread is done.
fn serve(jobs: &Receiver<Job>, stop: &AtomicBool) -> Option<PyErr> {
    let mut raised = None;
    loop {
        match jobs.recv_timeout(SIGNAL_INTERVAL) {
            Ok(job) => Python::attach(job),
            Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                raised = signal();
                stop.store(raised.is_some(), Relaxed);
            }
            Err(RecvTimeoutError::Timeout) => {}
            // What the thread knew of its caller is gone.
            Err(RecvTimeoutError::Disconnected) => return raised,
        }
    }
}

/// Runs `work`, which never needs Python, in a thread that is not waited for; whether there is one.
pub fn spawned(work: impl FnOnce() + Send + 'static) -> PyResult<bool> {
    if !is_to_be_had(PLENTY) {
        return Err(PyMemoryError::new_err("out of memory: no thread to search in"));
    }
    let builder = thread::Builder::new().name("betacut".to_owned()).stack_size(OWN_STACK);
    Ok(builder.spawn(work).is_ok())
}

static CHECK_AWAITED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// The check that [`signal`] makes. It is imported with this module: later there may be no right to read its file.
pub fn check_awaited(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    CHECK_AWAITED.import(py, AWAITED, "check_awaited")
}

/// What a handler of a signal raises, or `CancelledError` once the coroutine that awaits the work was cancelled; `SystemExit`
/// if Python has ended meanwhile, around a thread that is a daemon.
pub fn signal() -> Option<PyErr> {
    let look = |py: Python<'_>| {
        py.check_signals()?;
        check_awaited(py)?.call0()?;
        Ok(())
    };
    Python::try_attach(look).unwrap_or_else(|| Err(PySystemExit::new_err("Python has ended"))).err()
}

/// Runs `job` with the GIL, in the thread that called from Python. To be called by the work of [`detached`].
pub fn attached<T: Send + 'static>(job: impl FnOnce(Python<'_>) -> T + Send + 'static) -> T {
    let Some(caller) = CALLER.with_borrow(Option::clone) else {
        return Python::attach(job);
    };
    let found = Arc::new(Mutex::new(None));
    let kept = Arc::clone(&found);
    ask(&caller, Box::new(move |py| *locked(&kept) = Some(job(py))));
    let answer = locked(&found).take();
    answer.expect("the job is done")
}

/// Has `job` done by the thread that called from Python, and waits for it.
fn ask(caller: &Sender<Job>, job: Job) {
    let (answer, answered) = mpsc::channel();
    let job: Job = Box::new(move |py| {
        job(py);
        // The thread that asks waits for the answer.
        let _ = answer.send(());
    });
    let asked = caller.send(job);
    asked.ok().and_then(|()| answered.recv().ok()).expect("the calling thread serves until the work is done");
}

/// Gives `memory` back; other Python threads run meanwhile.
pub fn free<T: Send>(py: Python<'_>, memory: T) {
    py.detach(|| drop(memory));
}

/// Gives `memory` back in a thread of its own, so that no caller waits; here, if no thread can be started.
fn free_later(py: Python<'_>, memory: Box<dyn Any + Send>) {
    py.detach(|| {
        if is_to_be_had(PLENTY) {
            // If there is no thread, that drops the closure, and so the memory.
            let _ = thread::Builder::new().name("betacut".to_owned()).spawn(move || drop(memory));
        } else {
            drop(memory);
        }
    });
}
