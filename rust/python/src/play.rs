//! The playing floor. A search runs in a native thread of its own, which never needs Python: what it finds it writes
//! down, and a caller waits for it without the GIL. So it can be stopped from any thread, and it stops by itself when its
//! last handle is gone. Where no thread can be started the first that waits for it runs it.
//! `betacut.engine.play` makes chess.engine's conventions of this.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};
use shakmaty::CastlingMode;

use super::board::{python_move_in, read_game, read_move};
use super::interrupt::{Ear, SIGNAL_INTERVAL, free, signal, spawned};
use betacut_play::options::{Choice, Kind, OPTIONS, Value, find};
use betacut_play::{Bound as Side, Control, Game, Info, Limit, Outcome, Verdict};

/// A limit of time that no search reaches.
const FOREVER: Duration = Duration::from_secs(1 << 32);

/// The lock, also after a panic in another thread: whoever reads what it guards looks whether the search failed.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The engine, which searches one position at a time.
#[pyclass(frozen, module = "betacut._betacut")]
pub struct PlayEngine {
    /// None once it is dropped.
    core: Option<Arc<Mutex<betacut_play::Engine>>>,
}

impl PlayEngine {
    fn core(&self) -> &Arc<Mutex<betacut_play::Engine>> {
        self.core.as_ref().expect("an engine has its core until it is dropped")
    }
}

#[pymethods]
impl PlayEngine {
    #[new]
    fn new(py: Python<'_>) -> PyResult<PlayEngine> {
        let made = py.detach(|| betacut_play::Engine::new(Choice::default().settings()));
        let core = made.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(PlayEngine { core: Some(Arc::new(Mutex::new(core))) })
    }

    /// Sets all options: what is not named gets its default. Waits for the end of a search.
    /// Errors: `ValueError` if the engine cannot be set so.
    fn configure(&self, py: Python<'_>, values: Vec<(String, Bound<'_, PyAny>)>) -> PyResult<()> {
        let mut choice = Choice::default();
        for (name, value) in values {
            let Some(spec) = find(&name) else {
                return Err(PyValueError::new_err(format!("there is no option {name:?}")));
            };
            let value = match spec.kind {
                Kind::Check { .. } => Value::Check(value.extract()?),
                Kind::Spin { .. } => Value::Spin(value.extract()?),
                Kind::Text { .. } => Value::Text(value.extract()?),
                Kind::Button => continue,
            };
            choice.set(spec.name, &value);
        }
        let done = py.detach(|| locked(self.core()).configure(choice.settings()));
        done.map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Whether nothing uses the engine. In a process that has just been forked that says whether anything ever will be
    /// able to: the thread of a search stayed in the other process.
    fn is_free(&self) -> bool {
        !matches!(self.core().try_lock(), Err(TryLockError::WouldBlock))
    }

    /// Forgets everything that was learned. Waits for the end of a search.
    fn clear(&self, py: Python<'_>) {
        py.detach(|| locked(self.core()).clear());
    }

    /// Starts to search, once a search that is running has ended. Without any limit it is stopped by `stop` alone. The
    /// clocks are those of the side to move and of the other; times are in seconds.
    /// Errors: `InvalidPositionError`, `ValueError`; `RuntimeError` or `MemoryError` if it needs a thread and
    /// there is none.
    #[pyo3(signature = (
        board, *, depth=None, nodes=None, time=None, mate=None, clock=None, opponent_clock=None, increment=0.0,
        opponent_increment=0.0, moves_to_go=None, infinite=false, root_moves=None, ponder=false
    ))]
    #[allow(clippy::too_many_arguments)]
    fn start(
        &self,
        board: &Bound<'_, PyAny>,
        depth: Option<u32>,
        nodes: Option<u64>,
        time: Option<f64>,
        mate: Option<u32>,
        clock: Option<f64>,
        opponent_clock: Option<f64>,
        increment: f64,
        opponent_increment: f64,
        moves_to_go: Option<u32>,
        infinite: bool,
        root_moves: Option<Vec<Bound<'_, PyAny>>>,
        ponder: bool,
    ) -> PyResult<PlaySearch> {
        let game = read_game(board)?;
        let mode = game.mode();
        let root_moves = match root_moves {
            Some(moves) => Some(
                moves.iter().map(|m| read_move(game.position(), mode, m)).collect::<PyResult<Vec<_>>>()?,
            ),
            None => None,
        };
        #[allow(clippy::needless_update)] // another front end may have more to say
        let limit = Limit {
            depth,
            nodes,
            time: time.map(duration),
            mate,
            clock: clock.map(duration),
            opponent_clock: opponent_clock.map(duration),
            increment: duration(increment),
            opponent_increment: duration(opponent_increment),
            moves_to_go,
            infinite,
            root_moves,
            ..Limit::default()
        };
        let (control, news) = (Arc::new(Control::new()), Arc::new(News::default()));
        if ponder {
            control.ponder();
        }
        let core = Arc::clone(self.core());
        let task = Task { core, game, limit, control: Arc::clone(&control), news: Arc::clone(&news) };
        let (task, own) = {
            let task = Arc::new(task);
            (Arc::clone(&task), task)
        };
        let here = if spawned(move || task.run())? { None } else { Some(own) };
        if here.is_some() && (infinite || ponder || !has_room()) {
            let text = "this search needs a thread of its own, and none can be started";
            return Err(PyRuntimeError::new_err(text));
        }
        Ok(PlaySearch { control, news, mode, process: process::id(), here: Mutex::new(here) })
    }
}

impl Drop for PlayEngine {
    fn drop(&mut self) {
        // The memory of a table takes a while to give back; a search that is running does it at its end.
        let core = self.core.take();
        Python::attach(|py| free(py, core));
    }
}

/// A number of seconds that was checked.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(FOREVER).min(FOREVER)
}

/// Stack for a search in the thread that waits for it: five times what its 200 plies take, 0.9 KiB each. Bytes.
const STACK: usize = 1 << 20;

/// Whether the calling thread has stack for a search.
fn has_room() -> bool {
    stacker::remaining_stack().is_none_or(|left| left >= STACK)
}

/// A search that is to be run.
struct Task {
    core: Arc<Mutex<betacut_play::Engine>>,
    game: Game,
    limit: Limit,
    control: Arc<Control>,
    news: Arc<News>,
}

impl Task {
    /// Searches. If that panics, the end is written down all the same.
    fn run(&self) {
        let end = EndOfSearch(Arc::clone(&self.news));
        let found =
            locked(&self.core).search(&self.game, &self.limit, &self.control, &mut |info| end.0.report(info));
        end.found(found);
    }

    /// Searches in the calling thread.
    /// Errors: what the handler of a signal raises; the search has ended then.
    fn run_here(&self, py: Python<'_>) -> PyResult<()> {
        let ear = Arc::new(Mutex::new(Ear::default()));
        let listening = Arc::clone(&ear);
        self.control.poll_with(move || locked(&listening).hears());
        // What a panic leaves is the end of a search that failed.
        let _ = py.detach(|| catch_unwind(AssertUnwindSafe(|| self.run())));
        locked(&ear).raised.take().map_or(Ok(()), Err)
    }
}

/// What became of a search.
enum End {
    Found(Outcome),
    Failed,
}

/// Writes down the end of a search, whatever it is.
struct EndOfSearch(Arc<News>);

impl EndOfSearch {
    fn found(self, outcome: Outcome) {
        for line in &outcome.lines {
            self.0.report_last(line);
        }
        self.0.end(End::Found(outcome));
        // What `drop` writes comes too late to count.
    }
}

impl Drop for EndOfSearch {
    fn drop(&mut self) {
        self.0.end(End::Failed);
    }
}

/// What a search has found until now.
#[derive(Default)]
struct Known {
    infos: Vec<Info>,
    end: Option<End>,
}

/// What a search has found, and a bell that rings when it finds more.
#[derive(Default)]
struct News {
    known: Mutex<Known>,
    bell: Condvar,
}

impl News {
    fn report(&self, info: &Info) {
        locked(&self.known).infos.push(info.clone());
        self.bell.notify_all();
    }

    /// Reports a line as it is at the end, unless that is what was said of it last.
    fn report_last(&self, line: &Info) {
        let is_known = {
            let known = locked(&self.known);
            known.infos.iter().rev().find(|info| info.multipv == line.multipv).is_some_and(|info| {
                (info.depth, info.score, info.bound) == (line.depth, line.score, line.bound)
                    && info.pv == line.pv
            })
        };
        if !is_known {
            self.report(line);
        }
    }

    fn end(&self, end: End) {
        locked(&self.known).end.get_or_insert(end);
        self.bell.notify_all();
    }
}

/// A search that is running, or that has ended. It stops when its last handle is gone. A child of a fork has no part in it:
/// there the thread is missing that would answer, and its locks may be held for ever.
#[pyclass(frozen, module = "betacut._betacut")]
pub struct PlaySearch {
    control: Arc<Control>,
    news: Arc<News>,
    mode: CastlingMode,
    /// The process that it runs in.
    process: u32,
    /// What is to be run by the first thread that waits for it, if there is no thread that does.
    here: Mutex<Option<Arc<Task>>>,
}

impl PlaySearch {
    /// What it has found.
    /// Errors: `RuntimeError` in a child of the process.
    fn news(&self) -> PyResult<&News> {
        if self.is_inherited() {
            let text = "the search stayed in the process that forked; start one in this process";
            return Err(PyRuntimeError::new_err(text));
        }
        Ok(&self.news)
    }

    /// Waits until `is_enough` of what is known, but not past the deadline and not past a signal: whether it is.
    fn wait_until(
        &self,
        py: Python<'_>,
        timeout: Option<f64>,
        is_enough: impl Fn(&Known) -> bool + Sync,
    ) -> PyResult<bool> {
        let deadline = timeout.map(|seconds| Instant::now() + duration(seconds));
        let task = locked(&self.here).take();
        if let Some(task) = task {
            task.run_here(py)?;
        }
        loop {
            // The handler of a signal may have forked.
            let news = self.news()?;
            let left = deadline.map_or(SIGNAL_INTERVAL, |deadline| {
                deadline.saturating_duration_since(Instant::now()).min(SIGNAL_INTERVAL)
            });
            let is_here = py.detach(|| {
                let known = locked(&news.known);
                let waited = news.bell.wait_timeout_while(known, left, |known| !is_enough(known));
                is_enough(&waited.unwrap_or_else(PoisonError::into_inner).0)
            });
            if is_here {
                return Ok(true);
            }
            if let Some(raised) = signal() {
                return Err(raised);
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(false);
            }
        }
    }
}

#[pymethods]
impl PlaySearch {
    /// Whether this process is a child of the one that searches.
    fn is_inherited(&self) -> bool {
        self.process != process::id()
    }

    /// Ends the search as soon as possible.
    fn stop(&self) {
        if !self.is_inherited() {
            self.control.stop();
        }
    }

    /// The move that was pondered on was played.
    fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Waits until more than `count` lines were reported, or the search has ended: whether it is so, or, after `timeout`
    /// seconds, not yet.
    fn wait(&self, py: Python<'_>, count: usize, timeout: Option<f64>) -> PyResult<bool> {
        self.wait_until(py, timeout, |known| known.end.is_some() || known.infos.len() > count)
    }

    /// The same for the end of the search.
    fn wait_for_end(&self, py: Python<'_>, timeout: Option<f64>) -> PyResult<bool> {
        self.wait_until(py, timeout, |known| known.end.is_some())
    }

    /// Whether the search has ended, and how many lines were reported.
    fn state(&self) -> PyResult<(bool, usize)> {
        let known = locked(&self.news()?.known);
        Ok((known.end.is_some(), known.infos.len()))
    }

    /// The lines that were reported, from the one with this number on.
    fn infos(&self, start: usize) -> PyResult<Vec<PlayInfo>> {
        let known = locked(&self.news()?.known);
        let new = known.infos.get(start..).unwrap_or_default();
        Ok(new.iter().map(|info| PlayInfo { info: info.clone(), mode: self.mode }).collect())
    }

    /// The best move and the reply that is expected, each if there is one, of a search that has ended.
    /// Errors: `RuntimeError` if it has not, or if it failed.
    #[allow(clippy::type_complexity)]
    fn best<'py>(&self, py: Python<'py>) -> PyResult<(Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>)> {
        let (best, ponder) = match &locked(&self.news()?.known).end {
            Some(End::Found(outcome)) => (outcome.best, outcome.ponder),
            Some(End::Failed) => return Err(PyRuntimeError::new_err("the search failed")),
            None => return Err(PyRuntimeError::new_err("the search is running")),
        };
        let python = |m: Option<shakmaty::Move>| m.map(|m| python_move_in(py, self.mode, m)).transpose();
        Ok((python(best)?, python(ponder)?))
    }
}

impl Drop for PlaySearch {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A line that a search reported.
#[pyclass(frozen, module = "betacut._betacut")]
pub struct PlayInfo {
    info: Info,
    mode: CastlingMode,
}

#[pymethods]
impl PlayInfo {
    #[getter]
    fn depth(&self) -> u32 {
        self.info.depth
    }

    #[getter]
    fn seldepth(&self) -> u32 {
        self.info.selective_depth
    }

    #[getter]
    fn multipv(&self) -> usize {
        self.info.multipv
    }

    /// Centipawns, from the view of the side to move; none if it is a mate.
    #[getter]
    fn cp(&self) -> Option<i32> {
        match self.info.score {
            Verdict::Cp(value) => Some(value),
            Verdict::Mate(_) => None,
        }
    }

    /// The moves until the side to move mates, 0 or less until it is mated; none if nobody mates.
    #[getter]
    fn mate(&self) -> Option<i32> {
        match self.info.score {
            Verdict::Cp(_) => None,
            Verdict::Mate(moves) => Some(moves),
        }
    }

    /// Below 0 if the value is at most the score, above 0 if it is at least that.
    #[getter]
    fn bound(&self) -> i32 {
        match self.info.bound {
            Side::Exact => 0,
            Side::Lower => 1,
            Side::Upper => -1,
        }
    }

    #[getter]
    fn nodes(&self) -> u64 {
        self.info.nodes
    }

    /// Seconds since the start.
    #[getter]
    fn time(&self) -> f64 {
        self.info.time.as_secs_f64()
    }

    #[getter]
    fn nps(&self) -> u64 {
        self.info.nodes_per_second
    }

    #[getter]
    fn hashfull(&self) -> u32 {
        self.info.hash_full
    }

    #[getter]
    fn tbhits(&self) -> u64 {
        self.info.tablebase_hits
    }

    /// Wins, draws and losses of a thousand games, from the view of the side to move.
    #[getter]
    fn wdl(&self) -> (u32, u32, u32) {
        self.info.wdl.into()
    }

    #[getter]
    fn pv<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.info.pv.iter().map(|&m| python_move_in(py, self.mode, m)).collect()
    }
}

/// The options: name, type, default, and for numbers the least and the greatest.
type Listed = (&'static str, &'static str, Option<Py<PyAny>>, Option<u64>, Option<u64>);

/// The options of the engine, as UCI lists them.
#[pyfunction]
pub fn play_options(py: Python<'_>) -> PyResult<Vec<Listed>> {
    OPTIONS
        .iter()
        .map(|spec| {
            Ok(match spec.kind {
                Kind::Check { default } => {
                    let default = PyBool::new(py, default).to_owned().into_any().unbind();
                    (spec.name, "check", Some(default), None, None)
                }
                Kind::Spin { default, min, max } => {
                    let default = PyInt::new(py, default).into_any().unbind();
                    (spec.name, "spin", Some(default), Some(min), Some(max))
                }
                Kind::Text { default } => {
                    let default = default.into_pyobject(py)?.into_any().unbind();
                    (spec.name, "string", Some(default), None, None)
                }
                Kind::Button => (spec.name, "button", None, None, None),
            })
        })
        .collect()
}
