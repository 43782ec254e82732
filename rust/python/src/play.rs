//! The session of the playing floor, of which `betacut.engine.play` makes chess.engine's conventions. A search runs in a
//! native thread that never needs Python, or where none can be started in the first thread that waits for it.

use std::process;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Instant;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use shakmaty::{CastlingMode, Chess, Position, Role};

use super::board::{python_board, python_move, read_game, read_move};
use super::errors::locked;
use super::interrupt::{Ear, SIGNAL_INTERVAL, duration, free, signal, spawned};
use betacut_play::session::search::Found;
use betacut_play::session::{End, Kind, OPTIONS, Options, Search, Session, Value, find};
use betacut_play::{Error, Game, Info, Limit, Verdict};

fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The engine, which searches one position at a time.
#[pyclass(frozen, module = "betacut._betacut")]
pub struct PlayEngine {
    /// None once it is dropped.
    session: Option<Arc<Mutex<Session>>>,
}

impl PlayEngine {
    fn session(&self) -> &Arc<Mutex<Session>> {
        self.session.as_ref().expect("an engine has its session until it is dropped")
    }
}

#[pymethods]
impl PlayEngine {
    #[new]
    fn new(py: Python<'_>) -> PyResult<PlayEngine> {
        make_names(py)?;
        let mut session = Session::default();
        py.detach(|| session.engine().map(drop))
            .map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        Ok(PlayEngine { session: Some(Arc::new(Mutex::new(session))) })
    }

    /// Sets all options, to their defaults if there is no value; the files of those that are `named` are read again. Waits for
    /// the end of a search.
    fn configure(
        &self,
        py: Python<'_>,
        values: Vec<(String, Bound<'_, PyAny>)>,
        named: Vec<String>,
    ) -> PyResult<()> {
        let mut options = Options::default();
        for (name, value) in values {
            let Some(spec) = find(&name) else {
                return Err(PyValueError::new_err(format!("there is no option {name:?}")));
            };
            let value = match spec.kind {
                Kind::Check { .. } => Value::Check(value.extract()?),
                Kind::Spin { .. } => Value::Spin(value.extract()?),
                Kind::Text => Value::Text(value.extract()?),
                Kind::Button => continue,
            };
            options = options.with(spec.name, value);
        }
        py.detach(|| {
            let named: Vec<&str> = named.iter().map(String::as_str).collect();
            locked(self.session()).configure(options, &named).map_err(|error| match error {
                Error::NoBook { error, .. } => error.into(),
                other => value_error(other),
            })
        })
    }

    /// A move of the book, drawn by a random number; none if there is no book to be used, or it has none.
    fn book_move<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, PyAny>,
        random: u64,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let game = read_game(board)?;
        let found = py.detach(|| locked(self.session()).book_move(game.position(), random))?;
        found.map(|m| python_move(py, game.mode(), m)).transpose()
    }

    /// Whether nothing uses the engine; after a fork, whether anything can: the thread of a search stayed behind.
    fn is_free(&self) -> bool {
        !matches!(self.session().try_lock(), Err(TryLockError::WouldBlock))
    }

    /// Forgets everything that was learned. Waits for the end of a search.
    fn clear(&self, py: Python<'_>) {
        py.detach(|| locked(self.session()).clear());
    }

    /// Starts once a running search has ended. Clocks are of the side to move and the other; times are in seconds.
    #[pyo3(signature = (
        board, *, depth=None, nodes=None, time=None, mate=None, clock=None, increment=0.0, moves_to_go=None,
        infinite=false, root_moves=None, ponder=false
    ))]
    fn start(
        &self,
        board: &Bound<'_, PyAny>,
        depth: Option<u32>,
        nodes: Option<u64>,
        time: Option<f64>,
        mate: Option<u32>,
        clock: Option<f64>,
        increment: f64,
        moves_to_go: Option<u32>,
        infinite: bool,
        root_moves: Option<Vec<Bound<'_, PyAny>>>,
        ponder: bool,
    ) -> PyResult<PlaySearch> {
        let game = read_game(board)?;
        let mode = game.mode();
        let read = |moves: Vec<Bound<'_, PyAny>>| {
            moves.iter().map(|m| read_move(game.position(), mode, m)).collect::<PyResult<Vec<_>>>()
        };
        let limit = Limit {
            depth,
            nodes,
            soft_nodes: None,
            time: time.map(duration),
            mate,
            clock: clock.map(duration),
            increment: duration(increment),
            moves_to_go,
            infinite,
            root_moves: root_moves.map(read).transpose()?,
        };
        let search = Arc::new(Search::default());
        if ponder {
            search.control.ponder();
        }
        let session = Arc::clone(self.session());
        let task = Arc::new(Task { session, game, limit, search: Arc::clone(&search) });
        let other = Arc::clone(&task);
        let here = if spawned(move || other.run())? { None } else { Some(task) };
        if here.is_some() && (infinite || ponder || !has_room()) {
            let text = "this search needs a thread of its own, and none can be started";
            return Err(PyRuntimeError::new_err(text));
        }
        Ok(PlaySearch { search, mode, process: process::id(), here: Mutex::new(here) })
    }
}

impl Drop for PlayEngine {
    fn drop(&mut self) {
        // The memory of a table takes a while to give back; a search that is running does it at its end.
        let session = self.session.take();
        Python::attach(|py| free(py, session));
    }
}

/// Makes the names and types that a search needs of Python. The lock of the interpreter is given away while each is
/// made, so that a fork may find it half made; the child would wait for it for ever.
fn make_names(py: Python<'_>) -> PyResult<()> {
    let chess = Chess::default();
    let knights = chess.legal_moves().into_iter().filter(|m| m.role() == Role::Knight);
    let pv: Vec<_> = knights.take(1).collect();
    let board = python_board(py, &chess)?;
    board.call_method1(intern!(py, "push"), (python_move(py, CastlingMode::Standard, pv[0])?,))?;
    read_game(&board)?;
    let info = Info { pv, ..Info::default() };
    PlayInfo::new(py, CastlingMode::Standard, &info)?.into_py_any(py)?;
    Ok(())
}

/// Stack for a search in the thread that waits for it: five times what its 200 plies take, 0.9 KiB each. Bytes.
const STACK: usize = 1 << 20;

/// Whether the calling thread has stack for a search.
fn has_room() -> bool {
    stacker::remaining_stack().is_none_or(|left| left >= STACK)
}

/// A search that is to be run.
struct Task {
    session: Arc<Mutex<Session>>,
    game: Game,
    limit: Limit,
    search: Arc<Search>,
}

impl Task {
    fn run(&self) {
        self.search.run(&self.session, &self.game, &self.limit);
    }

    /// Searches in the calling thread, until the handler of a signal raises.
    fn run_here(&self, py: Python<'_>) -> PyResult<()> {
        let ear = Arc::new(Mutex::new(Ear::default()));
        let listening = Arc::clone(&ear);
        self.search.control.poll_with(move || locked(&listening).hears());
        py.detach(|| self.run());
        locked(&ear).raised.take().map_or(Ok(()), Err)
    }
}

/// A search, which stops when its last handle is gone. A child of a fork has neither its thread nor its locks.
#[pyclass(frozen, module = "betacut._betacut")]
pub struct PlaySearch {
    search: Arc<Search>,
    mode: CastlingMode,
    /// The process that it runs in.
    process: u32,
    /// What is to be run by the first thread that waits for it, if there is no thread that does.
    here: Mutex<Option<Arc<Task>>>,
}

impl PlaySearch {
    /// The search.
    /// Errors: `RuntimeError` in a child of the process.
    fn search(&self) -> PyResult<&Search> {
        if self.is_inherited() {
            let text = "the search stayed in the process that forked; start one in this process";
            return Err(PyRuntimeError::new_err(text));
        }
        Ok(&self.search)
    }

    /// Waits until what is found is enough, but not past the deadline and not past a signal: whether it is.
    fn wait_until(
        &self,
        py: Python<'_>,
        timeout: Option<f64>,
        is_enough: impl Fn(&Found) -> bool + Sync,
    ) -> PyResult<bool> {
        let deadline = timeout.map(|seconds| Instant::now() + duration(seconds));
        let task = locked(&self.here).take();
        if let Some(task) = task {
            task.run_here(py)?;
        }
        loop {
            // The handler of a signal may have forked.
            let search = self.search()?;
            let left = deadline.map_or(SIGNAL_INTERVAL, |deadline| {
                deadline.saturating_duration_since(Instant::now()).min(SIGNAL_INTERVAL)
            });
            if py.detach(|| search.wait(left, &is_enough)) {
                return Ok(true);
            }
            signal().map_or(Ok(()), Err)?;
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

    fn stop(&self) {
        if !self.is_inherited() {
            self.search.control.stop();
        }
    }

    /// The move that was pondered on was played.
    fn ponder_hit(&self) {
        self.search.control.ponder_hit();
    }

    /// Waits for more than `count` lines or the end of the search, `timeout` seconds at most: whether they came.
    fn wait(&self, py: Python<'_>, count: usize, timeout: Option<f64>) -> PyResult<bool> {
        self.wait_until(py, timeout, |found| found.end.is_some() || found.infos.len() > count)
    }

    /// The same for the end of the search.
    fn wait_for_end(&self, py: Python<'_>, timeout: Option<f64>) -> PyResult<bool> {
        self.wait_until(py, timeout, |found| found.end.is_some())
    }

    /// Whether the search has ended.
    fn has_ended(&self) -> PyResult<bool> {
        Ok(self.search()?.found().end.is_some())
    }

    /// The lines that were reported, from the one with this number on.
    fn infos<'py>(&self, py: Python<'py>, start: usize) -> PyResult<Vec<PlayInfo<'py>>> {
        // Python may run while its objects are made, and must not find the lock taken.
        let new = self.search()?.found().infos.get(start..).unwrap_or_default().to_vec();
        new.iter().map(|info| PlayInfo::new(py, self.mode, info)).collect()
    }

    /// The best move of a search that has ended, and the reply that is expected, each if there is one.
    fn best<'py>(&self, py: Python<'py>) -> PyResult<(Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>)> {
        let (best, ponder) = match &self.search()?.found().end {
            Some(End::Found(outcome)) => (outcome.best, outcome.ponder),
            Some(End::Failed) => return Err(PyRuntimeError::new_err("the search failed")),
            None => return Err(PyRuntimeError::new_err("the search is running")),
        };
        let python = |m: Option<shakmaty::Move>| m.map(|m| python_move(py, self.mode, m)).transpose();
        Ok((python(best)?, python(ponder)?))
    }
}

impl Drop for PlaySearch {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A line that a search reported: a dictionary with the keys of chess.engine, but of the score centipawns or moves.
#[derive(IntoPyObject)]
struct PlayInfo<'py> {
    depth: u32,
    seldepth: u32,
    multipv: usize,
    nodes: u64,
    nps: u64,
    hashfull: u32,
    tbhits: u64,
    time: f64,
    cp: Option<i32>,
    mate: Option<i32>,
    wdl: (u32, u32, u32),
    pv: Vec<Bound<'py, PyAny>>,
}

impl<'py> PlayInfo<'py> {
    fn new(py: Python<'py>, mode: CastlingMode, info: &Info) -> PyResult<PlayInfo<'py>> {
        let (cp, mate) = match info.score {
            Verdict::Cp(value) => (Some(value), None),
            Verdict::Mate(moves) => (None, Some(moves)),
        };
        Ok(PlayInfo {
            depth: info.depth,
            seldepth: info.selective_depth,
            multipv: info.multipv,
            nodes: info.nodes,
            nps: info.nodes_per_second,
            hashfull: info.hash_full,
            tbhits: info.tablebase_hits,
            time: info.time.as_secs_f64(),
            cp,
            mate,
            wdl: info.wdl.into(),
            pv: info.pv.iter().map(|&m| python_move(py, mode, m)).collect::<PyResult<_>>()?,
        })
    }
}

/// An option: name, type, default, and for numbers the least and the greatest.
type Listed<'py> = (&'static str, &'static str, Bound<'py, PyAny>, Option<u64>, Option<u64>);

/// The options of the engine, as UCI lists them.
#[pyfunction]
pub fn play_options(py: Python<'_>) -> PyResult<Vec<Listed<'_>>> {
    let listed = |spec: &betacut_play::session::Spec| {
        Ok(match spec.kind {
            Kind::Check { default } => (spec.name, "check", default.into_bound_py_any(py)?, None, None),
            Kind::Spin { default, min, max } => {
                (spec.name, "spin", default.into_bound_py_any(py)?, Some(min), Some(max))
            }
            Kind::Text => (spec.name, "string", "".into_bound_py_any(py)?, None, None),
            Kind::Button => (spec.name, "button", py.None().into_bound(py), None, None),
        })
    };
    OPTIONS.iter().map(listed).collect()
}
