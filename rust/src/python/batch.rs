//! Many positions: boards are read here, with the GIL; threads without it search them; results come in order.
//!
//! # How
//!
//! The calling thread takes boards from an iterator and puts their positions, some at a time, on a queue. The workers
//! take from it. What they found is fetched in the order of the boards. The queue is kept full but bounded, so an
//! endless iterator can be searched, and no worker waits while the calling thread reads. Workers never touch Python.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyIterator, PyList};

use super::board::ReadBoard;
use super::exact::{Arguments, Wish};
use super::interrupt::SIGNAL_INTERVAL;
use super::results::{Found, Outcome};
use crate::exact::Answer;
use crate::position::Position;

/// How many parts are read ahead for each worker. Results come in order, so while one search takes long, or its
/// thread waits for a processor, the others need something to go on with.
const PARTS_AHEAD: usize = 128;

/// A part is searched when reading its boards has taken this long, be it full or not.
const READING_TIME: Duration = Duration::from_millis(1);

/// Boards that a worker takes at once: enough that taking them costs nothing beside searching them.
fn part_size(wish: &Wish) -> usize {
    match wish.depth {
        1 | 2 => 64,
        3 => 16,
        4 => 4,
        _ => 1,
    }
}

/// What a worker found about a position.
type Solved = thread::Result<(Position, Answer, Duration)>;

/// Some positions that follow one another, and then what was found about them.
#[derive(Default)]
struct Part {
    positions: Mutex<Vec<Position>>,
    solved: Mutex<Option<Vec<Solved>>>,
    /// Whether the calling thread sleeps until this part is solved.
    awaited: AtomicBool,
}

/// What the calling thread and the workers share.
struct Shared {
    wish: Wish,
    queue: Mutex<VecDeque<Arc<Part>>>,
    /// There is something in the queue, or it is time to stop.
    queued: Condvar,
    /// Some part is solved; locked together with the queue.
    solved: Condvar,
    stop: AtomicBool,
}

/// No panic leaves what these locks guard half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// What a worker does until it is told to stop.
    fn work(&self) {
        while let Some(part) = self.take() {
            let positions = std::mem::take(&mut *lock(&part.positions));
            let mut all = Vec::with_capacity(positions.len());
            for position in positions {
                let start = Instant::now();
                let mut poll = || self.stop.load(Relaxed);
                let question = self.wish.question(None);
                let search = || self.wish.search(&position, &question, &mut poll);
                match catch_unwind(AssertUnwindSafe(search)) {
                    Ok(Ok(answer)) => all.push(Ok((position, answer, start.elapsed()))),
                    Ok(Err(_)) => return, // nobody waits any more
                    Err(panic) => all.push(Err(panic)),
                }
            }
            *lock(&part.solved) = Some(all);
            let _queue = lock(&self.queue);
            if part.awaited.load(Relaxed) {
                self.solved.notify_all();
            }
        }
    }

    fn take(&self) -> Option<Arc<Part>> {
        let mut queue = lock(&self.queue);
        loop {
            if self.stop.load(Relaxed) {
                return None;
            }
            match queue.pop_front() {
                Some(part) => return Some(part),
                None => queue = self.queued.wait(queue).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Whether the workers will soon have nothing left to take.
    fn is_short_of_work(&self, workers: usize) -> bool {
        lock(&self.queue).len() < 2 * workers
    }

    /// Waits until a part is solved, but not longer than until `end`.
    fn wait(&self, part: &Part, end: Instant) {
        let mut queue = lock(&self.queue);
        part.awaited.store(true, Relaxed);
        while !self.stop.load(Relaxed) && lock(&part.solved).is_none() {
            let Some(left) = end.checked_duration_since(Instant::now()) else {
                return;
            };
            queue = self.solved.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Boards that were read: the part with the good ones, and the bad ones by their place among all of them.
struct Read {
    part: Arc<Part>,
    bad: VecDeque<(usize, PyErr)>,
    boards: usize,
}

struct State {
    /// Where boards come from, until it ends or fails.
    boards: Option<Py<PyIterator>>,
    /// What it raised, to be passed on once all boards before are dealt with.
    failed: Option<PyErr>,
    ahead: VecDeque<Read>,
    ready: VecDeque<PyResult<Found>>,
    /// How many workers were started: one for each part, until there are enough.
    started: usize,
}

/// An iterator over what was found: a [`Found`], or the exception of a bad board.
#[pyclass(frozen, module = "betacut._betacut")]
pub struct Stream {
    shared: Arc<Shared>,
    state: Mutex<State>,
    workers: usize,
    part_size: usize,
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (boards, depth, threads, table, best_moves, nodes, time, multipv, /))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        boards: &Bound<'_, PyAny>,
        depth: &Bound<'_, PyAny>,
        threads: &Bound<'_, PyAny>,
        table: &Bound<'_, PyAny>,
        best_moves: &Bound<'_, PyAny>,
        nodes: &Bound<'_, PyAny>,
        time: &Bound<'_, PyAny>,
        multipv: &Bound<'_, PyAny>,
    ) -> PyResult<Stream> {
        let one = PyInt::new(py, 1).into_any();
        let count = if threads.is_none() {
            thread::available_parallelism().map_or(1, usize::from)
        } else {
            Arguments { depth, threads, table, best_moves, nodes, time, multipv }.check(false)?.threads
        };
        let arguments = Arguments { depth, threads: &one, table, best_moves, nodes, time, multipv };
        let wish = arguments.check(false)?;
        let part_size = part_size(&wish);
        Ok(Stream {
            shared: Arc::new(Shared {
                wish,
                queue: Mutex::default(),
                queued: Condvar::new(),
                solved: Condvar::new(),
                stop: AtomicBool::new(false),
            }),
            state: Mutex::new(State {
                boards: Some(boards.try_iter()?.unbind()),
                failed: None,
                ahead: VecDeque::new(),
                ready: VecDeque::new(),
                started: 0,
            }),
            workers: count,
            part_size,
        })
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut state = self.state.try_lock().map_err(|_| in_use())?;
        if state.ready.is_empty() {
            self.advance(py, &mut state, true)?;
        }
        state.ready.pop_front().map(|found| object(py, found)).transpose()
    }

    /// Ends the searches at their next poll. The threads touch nothing but what they share, so nobody waits for them.
    fn close(&self) {
        self.shared.stop.store(true, Relaxed);
        let _queue = lock(&self.shared.queue);
        self.shared.queued.notify_all();
    }

    /// All that is left.
    fn collect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut state = self.state.try_lock().map_err(|_| in_use())?;
        let all = PyList::empty(py);
        loop {
            for found in state.ready.drain(..) {
                all.append(object(py, found)?)?;
            }
            self.advance(py, &mut state, false)?;
            if state.ready.is_empty() {
                return Ok(all);
            }
        }
    }
}

impl Stream {
    /// Reads boards for one part, and queues it.
    fn read(&self, py: Python<'_>, state: &mut State) -> PyResult<()> {
        let Some(boards) = &state.boards else { return Ok(()) };
        let mut boards = boards.bind(py).clone();
        let mut positions = Vec::with_capacity(self.part_size);
        let mut read = Read { part: Arc::default(), bad: VecDeque::new(), boards: 0 };
        let end = Instant::now() + READING_TIME;
        while read.boards < self.part_size && (read.boards == 0 || Instant::now() < end) {
            let Some(board) = boards.next() else {
                state.boards = None;
                break;
            };
            match board.map(|board| ReadBoard::new(&board)) {
                Ok(Ok(root)) => positions.push(root.position),
                Ok(Err(error)) if error.is_instance_of::<PyException>(py) => {
                    read.bad.push_back((read.boards, error));
                }
                Ok(Err(error)) | Err(error) => {
                    (state.boards, state.failed) = (None, Some(error));
                    break;
                }
            }
            read.boards += 1;
        }
        *lock(&read.part.positions) = positions;
        lock(&self.shared.queue).push_back(Arc::clone(&read.part));
        self.shared.queued.notify_one();
        state.ahead.push_back(read);
        if state.started < self.workers {
            let shared = Arc::clone(&self.shared);
            thread::Builder::new().name("betacut batch".to_owned()).spawn(move || shared.work())?;
            state.started += 1;
        }
        Ok(())
    }

    /// Reads ahead and waits until there are results of the boards that come next; none at the end. `hurry` says that
    /// these are wanted as soon as they are there.
    fn advance(&self, py: Python<'_>, state: &mut State, hurry: bool) -> PyResult<()> {
        let workers = self.workers;
        let solved = loop {
            if self.shared.stop.load(Relaxed) {
                return Ok(());
            }
            let may_read = state.boards.is_some() && state.ahead.len() < PARTS_AHEAD * workers;
            if may_read && self.shared.is_short_of_work(workers) {
                self.read(py, state)?;
                continue;
            }
            let Some(next) = state.ahead.front() else {
                return state.failed.take().map_or(Ok(()), Err);
            };
            if let Some(solved) = lock(&next.part.solved).take() {
                break solved;
            }
            if may_read {
                self.read(py, state)?;
                continue;
            }
            // Waking up takes a processor from a worker: who wants all results need not see each at once.
            let middle = &state.ahead[state.ahead.len() / 2].part;
            let awaited = if hurry || lock(&middle.solved).is_some() { &next.part } else { middle };
            let end = Instant::now() + SIGNAL_INTERVAL;
            py.detach(|| self.shared.wait(awaited, end));
            py.check_signals()?;
        };
        py.check_signals()?;
        let Some(mut read) = state.ahead.pop_front() else { return Ok(()) };
        let mut solved = solved.into_iter();
        for place in 0..read.boards {
            state.ready.push_back(match read.bad.pop_front_if(|(at, _)| *at == place) {
                Some((_, error)) => Err(error),
                None => match solved.next() {
                    Some(Ok((position, answer, time))) => {
                        Ok(Found::new(position, Outcome::Exact(answer), time))
                    }
                    _ => Err(PyRuntimeError::new_err("a search failed; please report this position")),
                },
            });
        }
        Ok(())
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.close();
    }
}

fn object(py: Python<'_>, found: PyResult<Found>) -> PyResult<Bound<'_, PyAny>> {
    match found {
        Ok(found) => Bound::new(py, found).map(Bound::into_any),
        Err(error) => Ok(error.into_value(py).into_bound(py).into_any()),
    }
}

fn in_use() -> PyErr {
    PyRuntimeError::new_err("another thread is taking from these results; give every thread its own")
}
