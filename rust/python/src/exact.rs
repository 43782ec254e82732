//! The exact floor: one search. Arguments arrive as the caller gave them: those of the usual kind are taken as they
//! are, for a search of one ply takes less time than a look at them in Python; `betacut.core.arguments` checks the others.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyTuple};
use shakmaty::Move;

use super::errors::{checks, raised};
use super::evaluation::{Chosen, PyEvaluation};
use super::interrupt::{detached, detached_at, duration};
use super::results::{Found, LineSource, Outcome, python_moves};
use super::{board::ReadBoard, table::PyTable};
use betacut_core::limits::{Poll, Stopped, processors};
use betacut_core::position::Position;
use betacut_core::score::{Depth, MAX_DEPTH, Score};
use betacut_exact::certificate::{self, Most};
use betacut_exact::{Answer, Counts, Question, Table, Wanted, search_with_line};

/// The greatest number of threads.
const MAX_THREADS: usize = 1024;

/// What is asked, whatever the position, and the table to use.
pub struct Wish {
    pub question: Question,
    pub table: Option<Arc<Table>>,
    pub evaluation: Chosen,
}

/// The arguments of a search as they are given in Python.
pub struct Arguments<'a, 'py> {
    pub depth: &'a Bound<'py, PyAny>,
    pub threads: &'a Bound<'py, PyAny>,
    pub table: &'a Bound<'py, PyAny>,
    pub best_moves: &'a Bound<'py, PyAny>,
    pub nodes: &'a Bound<'py, PyAny>,
    pub time: &'a Bound<'py, PyAny>,
    pub multipv: &'a Bound<'py, PyAny>,
    pub evaluation: Option<&'a Bound<'py, PyEvaluation>>,
}

impl<'py> Arguments<'_, 'py> {
    /// Checks them. A depth of None needs a limit, or else that `endless` searches are allowed.
    pub fn check(&self, endless: bool) -> PyResult<Wish> {
        let py = self.depth.py();
        let check = |name: &str, value: &Bound<'py, PyAny>| checks(py)?.call_method1(name, (value,));
        // A limit that no search reaches is none.
        let nodes = |given| PyResult::Ok(check("check_nodes", given)?.extract().unwrap_or(u64::MAX));
        let nodes = given(self.nodes).map(nodes).transpose()?;
        let seconds = |given| checks(py)?.call_method1("check_seconds", (given, "time"))?.extract();
        let time = given(self.time).map(seconds).transpose()?.map(duration);
        let depth = match small_int(self.depth) {
            Some(depth @ 1..=MAX_DEPTH) => depth,
            _ if self.depth.is_none() && (endless || nodes.is_some() || time.is_some()) => MAX_DEPTH,
            _ => check("check_search_depth", self.depth)?.extract()?,
        };
        let threads = match small_int(self.threads) {
            Some(1) => 1,
            Some(threads @ 2..=MAX_THREADS) => processors().min(threads),
            _ => processors().min(check("check_threads", self.threads)?.extract()?),
        };
        let wanted = if let Some(multipv) = given(self.multipv) {
            // More lines than there are moves are all of them.
            Wanted::Lines(check("check_multipv", multipv)?.extract().unwrap_or(usize::MAX))
        } else if self.best_moves.is_truthy()? {
            Wanted::BestMoves
        } else {
            Wanted::Value
        };
        let table = if self.table.is_none() {
            None
        } else if let Ok(table) = self.table.cast::<PyTable>() {
            table.get().share()
        } else {
            check("check_table", self.table)?;
            None
        };
        let evaluation = Chosen::new(self.evaluation);
        let quiescence = evaluation.quiescence;
        let question = Question { wanted, quiescence, nodes, time, threads, ..Question::new(depth) };
        Ok(Wish { question, table, evaluation })
    }

    /// The threads that search many positions, one each; all processors if none are given.
    pub fn workers(&self) -> PyResult<usize> {
        given(self.threads).map_or(Ok(processors()), |_| Ok(self.check(false)?.question.threads))
    }
}

/// An argument, unless it is None.
fn given<'a, 'py>(argument: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, PyAny>> {
    (!argument.is_none()).then_some(argument)
}

/// The value of an ordinary `int`.
fn small_int<'py, T: FromPyObjectOwned<'py>>(value: &Bound<'py, PyAny>) -> Option<T> {
    if value.is_exact_instance_of::<PyInt>() { value.extract().ok() } else { None }
}

impl Wish {
    /// Reserves the table, if there is one, for the evaluation; a call that fails before it searches leaves it free.
    pub fn claim(&self) -> PyResult<()> {
        self.table.as_ref().map_or(Ok(()), |table| table.claim(&self.evaluation)).map_err(raised)
    }

    /// Asks the question about a position, with the evaluation that is wanted.
    fn ask<T>(&self, position: &Position, ask: impl FnOnce(&Position, &Question, Option<&Table>) -> T) -> T {
        let (question, table) = (&self.question, self.table.as_deref());
        if self.evaluation.is_default() {
            return ask(position, question, table);
        }
        ask(&position.with_evaluation(&self.evaluation), question, table)
    }

    /// Answers the question about a position.
    pub fn search(&self, position: &Position, poll: Poll<'_>) -> Result<Answer, Stopped> {
        self.ask(position, |position, asked, table| betacut_exact::search(position, asked, table, poll))
    }

    /// [`Wish::search`], and the line of what it finds.
    pub fn search_with_line(&self, position: &Position, poll: Poll) -> Result<(Answer, Vec<Move>), Stopped> {
        self.ask(position, |position, asked, table| search_with_line(position, asked, table, poll))
    }

    /// What was found. Of more best moves than lines were wanted, the lines have as many as were.
    pub fn found(&self, position: Position<'static>, mut answer: Answer, time: Duration) -> Found {
        if let Wanted::Lines(lines) = self.question.wanted {
            answer.lines.truncate(lines);
        }
        let mut found = Found::new(position, Outcome::Exact(answer), time);
        found.line_source.evaluation = self.evaluation.clone();
        found
    }
}

/// The moves of the root that the search is restricted to, if it is.
pub fn root_moves(root: &ReadBoard<'_>, moves: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Move>>> {
    let Some(moves) = given(moves) else { return Ok(None) };
    let checked = checks(moves.py())?.call_method1("check_root_moves", (root.board()?, moves))?;
    let found = checked.try_iter()?.map(|m| root.legal_move(&m?)).collect::<PyResult<Vec<_>>>()?;
    Ok(Some(found))
}

/// The exact search.
#[pyfunction]
#[pyo3(signature = (board, depth, threads, table, best_moves, nodes, time, root_moves, multipv, rng, evaluation=None, /))]
pub fn search_exact<'py>(
    py: Python<'py>,
    board: &Bound<'py, PyAny>,
    depth: &Bound<'py, PyAny>,
    threads: &Bound<'py, PyAny>,
    table: &Bound<'py, PyAny>,
    best_moves: &Bound<'py, PyAny>,
    nodes: &Bound<'py, PyAny>,
    time: &Bound<'py, PyAny>,
    root_moves: &Bound<'py, PyAny>,
    multipv: &Bound<'py, PyAny>,
    rng: &Bound<'py, PyAny>,
    evaluation: Option<&Bound<'py, PyEvaluation>>,
) -> PyResult<Bound<'py, PyAny>> {
    let arguments = Arguments { depth, threads, table, best_moves, nodes, time, multipv, evaluation };
    let mut wish = arguments.check(false)?;
    let rng = given(rng);
    rng.map(|rng| checks(py)?.call_method1("check_rng", (rng,))).transpose()?;
    let root = ReadBoard::new(board)?;
    wish.question.root_moves = self::root_moves(&root, root_moves)?;
    wish.claim()?;
    let position = root.position;
    let start = Instant::now();
    let plies = wish.question.depth as u32;
    let answer = detached_at(py, plies, |poll| wish.search(&position, poll))?;
    let mut found = wish.found(position, answer, start.elapsed());
    if let Some(table) = &wish.table {
        found.line_source.table = Arc::downgrade(table);
    }
    Ok(Bound::new(py, found.drawn(rng)?)?.into_any())
}

/// A value within a window, both for the side to move, and what it took: `betacut.engine.split` asks, and alone.
#[pyfunction]
#[pyo3(signature = (board, depth, window, table=None, evaluation=None, /))]
pub fn search_window(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    depth: Depth,
    window: (Score, Score),
    table: Option<&Bound<'_, PyTable>>,
    evaluation: Option<&Bound<'_, PyEvaluation>>,
) -> PyResult<(Score, [u64; 6])> {
    let (table, evaluation) = (table.and_then(|table| table.get().share()), Chosen::new(evaluation));
    let position = ReadBoard::new(board)?.position;
    if let Some(table) = &table {
        table.claim(&evaluation).map_err(raised)?;
    }
    let (value, counts) = detached_at(py, depth as u32, |poll| {
        let position = position.with_evaluation(&evaluation);
        betacut_exact::value_within(&position, depth, window, table.as_deref(), poll)
    })?;
    let Counts { nodes, cutoffs, first_move_cutoffs, table_lookups, table_hits, table_stores, .. } = counts;
    Ok((value, [nodes, cutoffs, first_move_cutoffs, table_lookups, table_hits, table_stores]))
}

/// Depth after depth of one position.
#[pyclass(frozen, module = "betacut._betacut")]
pub struct Analysis {
    position: Position<'static>,
    wish: Wish,
    core: Mutex<betacut_exact::Analysis>,
    /// How often it was stopped.
    stops: Arc<AtomicU32>,
}

#[pymethods]
impl Analysis {
    #[new]
    #[pyo3(signature = (
        board, depth, threads, table, best_moves, nodes, time, root_moves, multipv, evaluation=None, /
    ))]
    fn new(
        board: &Bound<'_, PyAny>,
        depth: &Bound<'_, PyAny>,
        threads: &Bound<'_, PyAny>,
        table: &Bound<'_, PyAny>,
        best_moves: &Bound<'_, PyAny>,
        nodes: &Bound<'_, PyAny>,
        time: &Bound<'_, PyAny>,
        root_moves: &Bound<'_, PyAny>,
        multipv: &Bound<'_, PyAny>,
        evaluation: Option<&Bound<'_, PyEvaluation>>,
    ) -> PyResult<Analysis> {
        let arguments = Arguments { depth, threads, table, best_moves, nodes, time, multipv, evaluation };
        let mut wish = arguments.check(true)?;
        let root = ReadBoard::new(board)?;
        wish.question.root_moves = self::root_moves(&root, root_moves)?;
        wish.claim()?;
        let core = betacut_exact::Analysis::new(
            &root.position,
            wish.evaluation.share(),
            wish.question.clone(),
            wish.table.clone(),
        );
        Ok(Analysis {
            core: Mutex::new(core.map_err(|full| raised(Stopped::from(full)))?),
            position: root.position,
            wish,
            stops: Arc::default(),
        })
    }

    /// Searches the next depth; None if there is none, or if a limit or `stop` came before its end.
    fn step(&self, py: Python<'_>) -> PyResult<Option<Found>> {
        let Ok(mut analysis) = self.core.try_lock() else {
            return Err(PyRuntimeError::new_err("this analysis is running in another thread"));
        };
        self.wish.claim()?;
        let analysis = &mut *analysis;
        let is_stopped = || self.stops.load(Relaxed) > 0;
        if is_stopped() {
            return Ok(None);
        }
        let answer = detached(py, |poll| match analysis.step(&mut || is_stopped() || poll()) {
            Err(Stopped::Interrupted) if is_stopped() => Ok(None),
            answer => answer,
        })?;
        Ok(answer.map(|answer| {
            let mut found = self.wish.found(self.position.clone(), answer, analysis.time());
            found.line_source.table = Arc::downgrade(analysis.table());
            found.line_source.stops = Arc::clone(&self.stops);
            found
        }))
    }

    /// Ends the step that is running, the search for a line of a result if one is running, and the analysis.
    fn stop(&self) {
        self.stops.fetch_add(1, Relaxed);
    }
}

/// The line of the exact search that starts with this move.
#[pyfunction]
#[pyo3(signature = (board, first, depth, evaluation=None))]
pub fn line<'py>(
    py: Python<'py>,
    board: &Bound<'py, PyAny>,
    first: &Bound<'py, PyAny>,
    depth: Depth,
    evaluation: Option<&Bound<'py, PyEvaluation>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let root = ReadBoard::new(board)?;
    let first = root.legal_move(first)?;
    let source = LineSource { evaluation: Chosen::new(evaluation), ..LineSource::default() };
    let (line, _) = source.search(py, &root.position, first, depth)?;
    Ok(python_moves(py, root.position.mode(), &line)?.into_bound(py))
}

/// The value of a position at a depth, White's view, its best moves, and the choices that prove them.
#[pyfunction]
#[pyo3(signature = (board, depth, quiescence, max_positions, max_choices, /))]
pub fn certify<'py>(
    py: Python<'py>,
    board: &Bound<'py, PyAny>,
    depth: Depth,
    quiescence: bool,
    max_positions: Option<u64>,
    max_choices: usize,
) -> PyResult<(Score, Py<PyTuple>, Bound<'py, PyBytes>)> {
    let position = ReadBoard::new(board)?.position;
    let most = Most { positions: max_positions.unwrap_or(u64::MAX), choices: max_choices };
    let made =
        detached_at(py, depth as u32, |poll| certificate::make(&position, depth, quiescence, most, poll))?;
    Ok((made.score, python_moves(py, position.mode(), &made.best_moves)?, PyBytes::new(py, &made.choices)))
}
