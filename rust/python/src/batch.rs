//! Many positions: boards are read here, with the GIL; the threads of a [`Batch`] search them without it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyIterator, PyList};
use pyo3::{PyTraverseError, PyVisit};

use super::interrupt::{SIGNAL_INTERVAL, detached_at, signal};
use super::{board::ReadBoard, errors::raised, evaluation::PyEvaluation, exact::Arguments, results::Found};
use betacut_core::limits::{Poll, Stopped, check_memory};
use betacut_core::{position::Position, score::Depth};
use betacut_exact::many::batch::{self, Batch, Next, PARTS_AHEAD, Pace, Unsolved, part_size};

/// A part is searched when reading its boards has taken this long, be it full or not.
const READING_TIME: Duration = Duration::from_millis(1);

/// How long the GIL is held at most; longer than the 5 ms after which a waiting thread insists, so that it has woken up.
const TURN: Duration = Duration::from_millis(8);

type Part = batch::Part<Position<'static>, Found>;

/// Boards that were read: the part with the good ones, and the bad ones by their place among all of them.
struct Read {
    part: Arc<Part>,
    bad: VecDeque<(usize, PyErr)>,
    boards: usize,
}

struct State {
    /// Where boards come from, until it ends or fails.
    boards: Option<Py<PyIterator>>,
    /// A board that was taken from there, but could not be read before an interrupt.
    interrupted: Option<Py<PyAny>>,
    pace: Pace,
    /// What ended the boards or the searches, to be raised once everything before is handed over.
    failed: Option<PyErr>,
    ahead: VecDeque<Read>,
    ready: VecDeque<PyResult<Found>>,
    /// How many results were handed over one by one, and the last of them: an interrupt may take it from its receiver.
    handed_over: usize,
    last: Option<Py<PyAny>>,
    /// Since when the GIL is held.
    turn: Instant,
    /// When it was asked last whether results are waited for.
    asked: Instant,
}

/// An iterator over what was found: a [`Found`], or the exception of a bad board.
#[pyclass(frozen, module = "betacut._betacut")]
pub struct Stream {
    batch: Batch<Position<'static>, Found>,
    state: Mutex<State>,
    depth: Depth,
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (boards, depth, threads, table, best_moves, nodes, time, multipv, evaluation=None, /))]
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
        evaluation: Option<&Bound<'_, PyEvaluation>>,
    ) -> PyResult<Stream> {
        let one = PyInt::new(py, 1).into_any();
        let of = |threads| Arguments { depth, threads, table, best_moves, nodes, time, multipv, evaluation };
        let (workers, wish) = (of(threads).workers()?, of(&one).check(false)?);
        wish.claim()?;
        let depth = wish.question.depth;
        let solver = move |position: Position<'static>, stop: Poll<'_>| {
            let start = Instant::now();
            let answer = wish.search(&position, stop)?;
            Ok(wish.found(position, answer, start.elapsed()))
        };
        Ok(Stream {
            batch: Batch::new(workers, Box::new(solver)),
            state: Mutex::new(State {
                // What can be counted is there already.
                pace: Pace::new(boards.len().is_ok()),
                boards: Some(boards.try_iter()?.unbind()),
                interrupted: None,
                failed: None,
                ahead: VecDeque::new(),
                ready: VecDeque::new(),
                handed_over: 0,
                last: None,
                turn: Instant::now(),
                asked: Instant::now(),
            }),
            depth,
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
        let Some(found) = state.ready.pop_front() else { return Ok(None) };
        let found = object(py, found)?;
        state.handed_over += 1;
        state.last = Some(found.clone().unbind());
        Ok(Some(found))
    }

    /// Ends the searches at their next poll.
    fn close(&self) {
        self.batch.close();
    }

    /// Appends all that is left to `all`; what is done when it ends early is there too.
    fn collect(&self, py: Python<'_>, all: &Bound<'_, PyList>) -> PyResult<()> {
        let mut state = self.state.try_lock().map_err(|_| in_use())?;
        loop {
            let advanced = self.advance(py, &mut state, false);
            while advanced.is_err()
                && !self.batch.is_inherited()
                && let Some(solved) = state.ahead.front().and_then(|next| next.part.take())
            {
                Stream::hand_over(&mut state, solved);
            }
            let is_end = state.ready.is_empty();
            for found in state.ready.drain(..) {
                all.append(object(py, found)?)?;
            }
            advanced?;
            if is_end {
                return Ok(());
            }
        }
    }

    /// How many results were handed over one by one.
    #[getter]
    fn handed_over(&self) -> PyResult<usize> {
        Ok(self.state.try_lock().map_err(|_| in_use())?.handed_over)
    }

    /// The last of them.
    #[getter]
    fn last<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let state = self.state.try_lock().map_err(|_| in_use())?;
        Ok(state.last.as_ref().map(|last| last.bind(py).clone()))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // A stream that is locked is in use, so it is not garbage.
        match self.state.try_lock() {
            Ok(state) => {
                state.boards.as_ref().map_or(Ok(()), |boards| visit.call(boards))?;
                state.interrupted.as_ref().map_or(Ok(()), |board| visit.call(board))?;
                state.last.as_ref().map_or(Ok(()), |last| visit.call(last))
            }
            Err(_) => Ok(()),
        }
    }

    fn __clear__(&self) {
        self.batch.close();
        // The iterator may run code of its own when it goes, so it goes when nothing is locked.
        let held = self
            .state
            .try_lock()
            .ok()
            .map(|mut state| (state.boards.take(), state.interrupted.take(), state.last.take()));
        drop(held);
    }
}

impl Stream {
    /// Puts boards for one part into the batch. An exception of the iterator waits in `failed`, unless it ends programs.
    fn read(&self, py: Python<'_>, state: &mut State) -> PyResult<()> {
        let Some(boards) = &state.boards else { return Ok(()) };
        if let Err(stopped) = check_memory() {
            (state.boards, state.failed) = (None, Some(raised(stopped)));
            return Ok(());
        }
        let mut boards = boards.bind(py).clone();
        // A board that does not come quickly is searched at once.
        let most = if state.pace.is_quick() { part_size(self.depth) } else { 1 };
        let mut positions = Vec::with_capacity(most);
        let mut bad = VecDeque::new();
        let mut read = 0;
        let mut raised = None;
        let mut start = Instant::now();
        let end = start + READING_TIME;
        while read < most && (read == 0 || start < end) {
            let next = state.interrupted.take().map(|board| Ok(board.into_bound(py)));
            let Some(board) = next.or_else(|| boards.next()) else {
                state.boards = None;
                break;
            };
            state.pace.came(start);
            start = Instant::now();
            match board.map(|board| (ReadBoard::new(&board), board)) {
                Ok((Ok(root), _)) => positions.push(root.position),
                Ok((Err(error), _)) if error.is_instance_of::<PyException>(py) => {
                    bad.push_back((read, error));
                }
                // After an interrupt the boards go on where they were.
                Ok((Err(error), board)) => {
                    (state.interrupted, raised) = (Some(board.unbind()), Some(error));
                    break;
                }
                Err(error) => {
                    if error.is_instance_of::<PyException>(py) {
                        state.boards = None;
                    }
                    raised = Some(error);
                    break;
                }
            }
            read += 1;
        }
        if read > 0 {
            state.ahead.push_back(Read { part: self.batch.put(positions), bad, boards: read });
        }
        match raised {
            Some(error) if !error.is_instance_of::<PyException>(py) => Err(error),
            raised => {
                state.failed = state.failed.take().or(raised);
                Ok(())
            }
        }
    }

    /// Reads ahead and waits until there are results of the boards that come next, with `hurry` no longer than needed.
    fn advance(&self, py: Python<'_>, state: &mut State, hurry: bool) -> PyResult<()> {
        if self.batch.is_inherited() {
            return Err(PyRuntimeError::new_err(
                "the threads that search for this stream stayed in the process that forked; open a stream here",
            ));
        }
        while state.ready.is_empty() && !self.batch.is_closed() {
            py.check_signals()?;
            if state.asked.elapsed() > SIGNAL_INTERVAL {
                state.asked = Instant::now();
                signal().map_or(Ok(()), Err)?;
            }
            if state.turn.elapsed() > TURN {
                py.detach(|| ());
                state.turn = Instant::now();
            }
            let workers = self.batch.workers();
            let may_read = state.boards.is_some() && state.ahead.len() < PARTS_AHEAD * workers;
            let is_quick = !hurry || state.pace.is_quick();
            // 1. No worker waits for boards that come quickly.
            if may_read && is_quick && self.batch.is_short_of_work() {
                self.read(py, state)?;
                continue;
            }
            // 2. What is there is handed over.
            if let Some(solved) = state.ahead.front().and_then(|next| next.part.take()) {
                Stream::hand_over(state, solved);
                continue;
            }
            // 3. Boards are read ahead, unless results are to be waited for first.
            let mut most = SIGNAL_INTERVAL;
            if may_read {
                match state.pace.next(state.ahead.len(), workers, SIGNAL_INTERVAL) {
                    Next::Wait(wait) if !is_quick => most = wait,
                    _ => {
                        self.read(py, state)?;
                        continue;
                    }
                }
            }
            // 4. The end.
            let Some(next) = state.ahead.front() else {
                return state.failed.take().map_or(Ok(()), Err);
            };
            // 5. There is no thread: the caller searches.
            if self.batch.is_alone() {
                detached_at(py, self.depth as u32, |poll| {
                    self.batch.answer_here(poll);
                    Ok::<_, Stopped>(())
                })?;
                state.turn = Instant::now();
                continue;
            }
            // 6. Waking up takes a processor from a worker, so a caller that wants all results sleeps longer.
            let middle = &state.ahead[state.ahead.len() / 2].part;
            let awaited = if hurry || middle.is_solved() { &next.part } else { middle };
            py.detach(|| self.batch.wait(awaited, most));
            state.turn = Instant::now();
        }
        Ok(())
    }

    /// Makes results of the part that comes next.
    fn hand_over(state: &mut State, solved: Vec<batch::Solved<Found>>) {
        let Some(mut read) = state.ahead.pop_front() else { return };
        let mut solved = solved.into_iter();
        for place in 0..read.boards {
            if let Some((_, error)) = read.bad.pop_front_if(|(at, _)| *at == place) {
                state.ready.push_back(Err(error));
                continue;
            }
            state.ready.push_back(match solved.next() {
                Some(Ok(found)) => Ok(found),
                Some(Err(Unsolved::Stopped(stopped))) => {
                    // No fault of the board: everything ends here.
                    (state.boards, state.failed) = (None, Some(raised(stopped)));
                    state.ahead.clear();
                    return;
                }
                Some(Err(Unsolved::Panic(text))) => Err(failure(&text)),
                None => Err(failure("no answer")),
            });
        }
    }
}

fn failure(text: &str) -> PyErr {
    PyRuntimeError::new_err(Unsolved::report(text))
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
