//! What a search found, kept as the core left it. A search of one ply takes a fraction of a microsecond and a `chess.Move` a
//! tenth of one, so Python's values are made when they are asked for.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict as _, PyDict, PyTuple, PyType};
use shakmaty::{CastlingMode, Move};

use super::{
    board::python_move, errors::checks, evaluation::Chosen, interrupt::detached_at, modules::RESULTS,
};
use betacut_classic::statistics::{Calls, Statistics};
use betacut_classic::textbook;
use betacut_core::score::{Depth, Score};
use betacut_core::{limits::Stopped, position::Position};
use betacut_exact::{Answer, Table};

static STATISTICS_TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static ITERATION_TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The name under which the exact search counts its nodes.
const SEARCH: &str = "search";

/// The name under which it counts those of quiescence.
const QUIESCE: &str = "quiesce";

/// What the core returned.
pub enum Outcome {
    /// A search of the textbook floor, with the name of the algorithm.
    Textbook(Box<textbook::SearchResult>, &'static str),
    /// The exact search.
    Exact(Answer),
}

/// Where the line of an exact search is searched for.
#[derive(Default)]
pub struct LineSource {
    /// How the search values its leaves.
    pub evaluation: Chosen,
    /// The table of the search, as long as it is in use: it knows nearly everything.
    pub table: Weak<Table>,
    /// How often the search was told to stop: once more, and the search for a line ends too.
    pub stops: Arc<AtomicU32>,
}

impl LineSource {
    /// The line that starts with `first`, and whether it is whole: a search that was stopped leaves it shorter.
    pub fn search(
        &self,
        py: Python<'_>,
        position: &Position,
        first: Move,
        depth: Depth,
    ) -> PyResult<(Vec<Move>, bool)> {
        // A table that was cleared since may hold the values of another evaluation.
        let table = self.table.upgrade().filter(|table| table.is_of(&self.evaluation));
        let before = self.stops.load(Relaxed);
        let is_stopped = || self.stops.load(Relaxed) != before;
        let position = &position.with_evaluation(&self.evaluation);
        detached_at(py, depth as u32, |poll| {
            let mut line = Vec::new();
            let mut poll = || is_stopped() || poll();
            let searched = betacut_exact::principal_variation(
                &mut line,
                position,
                first,
                depth,
                self.evaluation.quiescence,
                table.as_deref(),
                &mut poll,
            );
            match searched {
                Err(Stopped::Interrupted) if is_stopped() => Ok((line, false)),
                searched => searched.map(|()| (line, true)),
            }
        })
    }
}

/// The outcome of a search, and the position that was searched.
#[pyclass(frozen, module = "betacut._betacut")]
pub struct Found {
    #[pyo3(get)]
    algorithm: &'static str,
    #[pyo3(get)]
    score: Score,
    /// All calls but the questions to a cache.
    #[pyo3(get)]
    nodes: u64,
    #[pyo3(get)]
    depth: Depth,
    /// Whether all was searched that was asked for.
    is_whole: AtomicBool,
    position: Position<'static>,
    outcome: Outcome,
    time: Duration,
    /// What took how long, if that was measured.
    pub profile: Vec<(&'static str, u64, Duration)>,
    /// Where the line comes from, if the search did not bring it along.
    pub line_source: LineSource,
    /// What `rng` drew.
    drawn: PyOnceLock<Py<PyAny>>,
    best_moves: PyOnceLock<Py<PyTuple>>,
    pv: PyOnceLock<Py<PyTuple>>,
    lines: PyOnceLock<Py<PyTuple>>,
    statistics: PyOnceLock<Py<PyAny>>,
}

impl Found {
    /// Keeps what was found in `position` after `time`.
    pub fn new(position: Position<'static>, outcome: Outcome, time: Duration) -> Found {
        let (algorithm, score, nodes, depth, is_whole) = match &outcome {
            Outcome::Textbook(result, name) => {
                (*name, result.score, result.statistics.calls.nodes(), result.depth, true)
            }
            Outcome::Exact(answer) => {
                (SEARCH, answer.score, answer.counts.nodes, answer.depth, answer.complete)
            }
        };
        Found {
            algorithm,
            score,
            nodes,
            depth,
            is_whole: AtomicBool::new(is_whole),
            position,
            outcome,
            time,
            profile: Vec::new(),
            line_source: LineSource::default(),
            drawn: PyOnceLock::new(),
            best_moves: PyOnceLock::new(),
            pv: PyOnceLock::new(),
            lines: PyOnceLock::new(),
            statistics: PyOnceLock::new(),
        }
    }

    /// The same, with the move that `rng`, if given, draws.
    pub fn drawn(self, rng: Option<&Bound<'_, PyAny>>) -> PyResult<Found> {
        rng.map(|rng| self.draw(rng)).transpose()?;
        Ok(self)
    }

    fn moves(&self) -> &[Move] {
        match &self.outcome {
            Outcome::Textbook(result, _) => &result.best_moves,
            Outcome::Exact(answer) => &answer.best_moves,
        }
    }
}

#[pymethods]
impl Found {
    #[getter]
    fn complete(&self) -> bool {
        self.is_whole.load(Relaxed)
    }

    #[getter]
    fn chess960(&self) -> bool {
        self.position.mode().is_chess960()
    }

    /// Says whether all was searched that was asked for: more may have been than this depth, or a mate is enough.
    fn set_complete(&self, complete: bool) {
        self.is_whole.store(complete, Relaxed);
    }

    /// Lets `rng.choice` draw the move from the best ones, if there are any.
    #[pyo3(signature = (rng, /))]
    fn draw(&self, rng: &Bound<'_, PyAny>) -> PyResult<()> {
        if !self.moves().is_empty() {
            let moves = self.best_moves(rng.py())?;
            let drawn = rng.call_method1("choice", (&moves,))?;
            checks(rng.py())?.call_method1("check_choice", (&drawn, moves))?;
            let _ = self.drawn.set(rng.py(), drawn.unbind());
        }
        Ok(())
    }

    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.drawn.get(py) {
            Some(drawn) => Ok(Some(drawn.bind(py).clone())),
            None if self.moves().is_empty() => Ok(None),
            None => self.best_moves(py)?.get_item(0).map(Some),
        }
    }

    #[getter]
    fn best_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let tuple =
            self.best_moves.get_or_try_init(py, || python_moves(py, self.position.mode(), self.moves()))?;
        Ok(tuple.bind(py).clone())
    }

    /// The line, if it is known without a search, or needs an evaluation or quiescence that only this result knows.
    #[getter]
    fn known_pv<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        match &self.outcome {
            Outcome::Exact(answer)
                if answer.depth > 1
                    && !answer.best_moves.is_empty()
                    && self.line_source.evaluation.is_default()
                    && !self.line_source.evaluation.quiescence =>
            {
                Ok(self.pv.get(py).map(|pv| pv.bind(py).clone()))
            }
            _ => self.pv(py).map(Some),
        }
    }

    #[getter]
    fn pv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        if let Some(pv) = self.pv.get(py) {
            return Ok(pv.bind(py).clone());
        }
        let mode = self.position.mode();
        let line = match &self.outcome {
            Outcome::Textbook(result, _) => python_moves(py, mode, &result.pv)?,
            Outcome::Exact(Answer { best_moves, depth, .. }) => match best_moves.first() {
                None => python_moves(py, mode, &[])?,
                Some(&first) => {
                    let (line, is_whole) = self.line_source.search(py, &self.position, first, *depth)?;
                    let line = python_moves(py, mode, &line)?;
                    if !is_whole {
                        return Ok(line.into_bound(py));
                    }
                    line
                }
            },
        };
        Ok(self.pv.get_or_init(py, || line).bind(py).clone())
    }

    /// `(move, score)` for each move whose value is known, best first; None if nothing but the best moves is known.
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Outcome::Exact(answer) = &self.outcome else {
            return Ok(None);
        };
        let make = || {
            let mode = self.position.mode();
            let lines = answer.lines.iter();
            let lines = lines.map(|&(m, score)| (python_move(py, mode, m)?, score).into_pyobject(py));
            PyTuple::new(py, lines.collect::<PyResult<Vec<_>>>()?).map(Bound::unbind)
        };
        Ok(Some(self.lines.get_or_try_init(py, make)?.bind(py).clone()))
    }

    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let make = || {
            let counts = match &self.outcome {
                Outcome::Textbook(result, _) => textbook_counts(py, &result.statistics)?,
                Outcome::Exact(answer) => exact_counts(py, answer)?,
            };
            counts.set_item("seconds", self.time.as_secs_f64())?;
            if !self.profile.is_empty() {
                let rows = self.profile.iter();
                let rows = rows.map(|(name, calls, time)| (name, (calls, time.as_secs_f64())));
                counts.set_item("profile", rows.collect::<Vec<_>>().into_py_dict(py)?)?;
            }
            let statistics = STATISTICS_TYPE.import(py, RESULTS, "Statistics")?;
            statistics.call((), Some(&counts)).map(Bound::unbind)
        };
        Ok(self.statistics.get_or_try_init(py, make)?.bind(py).clone())
    }

    /// The position as FEN.
    fn fen(&self) -> String {
        self.position.fen()
    }
}

/// A tuple of `chess.Move`.
pub fn python_moves(py: Python<'_>, mode: CastlingMode, moves: &[Move]) -> PyResult<Py<PyTuple>> {
    let moves = moves.iter().map(|&m| python_move(py, mode, m)).collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, moves).map(Bound::unbind)
}

/// The keyword arguments of `betacut.Statistics`, all but the seconds.
fn textbook_counts<'py>(py: Python<'py>, statistics: &Statistics) -> PyResult<Bound<'py, PyDict>> {
    let counts = PyDict::new(py);
    counts.set_item("calls", calls(py, &statistics.calls)?)?;
    counts.set_item("root_calls", calls(py, &statistics.root_calls)?)?;
    counts.set_item("leaves", statistics.leaves)?;
    counts.set_item("cutoffs", statistics.cutoffs)?;
    counts.set_item("first_move_cutoffs", statistics.first_move_cutoffs)?;
    counts.set_item("cache_lookups", statistics.cache_lookups)?;
    counts.set_item("cache_hits", statistics.cache_hits)?;
    counts.set_item("cache_stores", statistics.cache_stores)?;
    counts.set_item("cache_size", statistics.cache_size)?;
    counts.set_item("root_cache_size", statistics.root_cache_size)?;
    counts.set_item("repetitions", statistics.repetitions)?;
    counts.set_item("best_moves_recalculated", statistics.best_moves_recalculated)?;
    let done = statistics.iterations.iter();
    let done = done.map(|done| Ok((done.depth, done.score, done.cache_size, calls(py, &done.calls)?)));
    counts.set_item("iterations", iterations(py, done)?)?;
    Ok(counts)
}

/// The same for the exact search, which counts nodes and cutoffs.
fn exact_counts<'py>(py: Python<'py>, answer: &Answer) -> PyResult<Bound<'py, PyDict>> {
    let calls = |nodes: u64, quiescence: u64| {
        let calls = PyDict::new(py);
        calls.set_item(SEARCH, nodes - quiescence)?;
        calls.set_item(QUIESCE, quiescence)?;
        PyResult::Ok(calls)
    };
    let counts = PyDict::new(py);
    counts.set_item("calls", calls(answer.counts.nodes, answer.counts.quiescence_nodes)?)?;
    counts.set_item("root_calls", PyDict::new(py))?;
    counts.set_item("cutoffs", answer.counts.cutoffs)?;
    counts.set_item("first_move_cutoffs", answer.counts.first_move_cutoffs)?;
    counts.set_item("cache_lookups", answer.counts.table_lookups)?;
    counts.set_item("cache_hits", answer.counts.table_hits)?;
    counts.set_item("cache_stores", answer.counts.table_stores)?;
    let done = answer.iterations.iter();
    let done = done.map(|done| Ok((done.depth, done.score, 0, calls(done.nodes, done.quiescence_nodes)?)));
    counts.set_item("iterations", iterations(py, done)?)?;
    Ok(counts)
}

/// A tuple of `betacut.results.Iteration`.
fn iterations<'py>(
    py: Python<'py>,
    done: impl Iterator<Item = PyResult<(Depth, Score, usize, Bound<'py, PyDict>)>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let iteration = ITERATION_TYPE.import(py, RESULTS, "Iteration")?;
    PyTuple::new(py, done.map(|done| iteration.call1(done?)).collect::<PyResult<Vec<_>>>()?)
}

fn calls<'py>(py: Python<'py>, calls: &Calls) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (function, count) in calls.iter() {
        dict.set_item(function.name(), count)?;
    }
    Ok(dict)
}
