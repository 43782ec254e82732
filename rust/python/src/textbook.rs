//! The textbook floor and the building blocks. Arguments other than the board arrive checked by `betacut.engine`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::board::{ReadBoard, python_move};
use super::evaluation::{Chosen, PyEvaluation};
use super::interrupt::{MOST_PLIES, detached_at, detached_with};
use super::lab::{Left, Wanted, columns_as_bytes, equipped};
use super::results::{Found, Outcome, python_moves};
use super::{cache::PyCache, errors::unknown};
use betacut_classic::observer::{Extent, Recorder};
use betacut_classic::textbook::lab::Equipped;
use betacut_classic::textbook::{self, Algorithm, Options, SearchError, SssMethod, proof_number_search};
use betacut_classic::{cache::Cache, textbook::frontier};
use betacut_core::evaluation::simplified::{PIECE_VALUES, SQUARE_BONUS};
use betacut_core::limits::{Limits, Poll, Stopped};
use betacut_core::position::key_of_setup;
use betacut_core::rules::CHESS_JL;
use betacut_core::score::{Depth, Score};

/// The algorithm of this name, with the keyword arguments that it takes; what it does not look at may be left out.
fn algorithm_of(name: &str, given: Option<&Bound<'_, PyDict>>) -> PyResult<Algorithm> {
    let mut options = Options::default();
    for (key, value) in given.into_iter().flatten() {
        match key.cast::<PyString>()?.to_cow()?.as_ref() {
            "alpha" => options.window.alpha = value.extract()?,
            "beta" => options.window.beta = value.extract()?,
            "memoised" => options.memoised = value.extract()?,
            "quiescence" => options.quiescence = value.extract()?,
            "captures" => options.captures = value.extract()?,
            "increase_depth_below" => options.increase_depth_below = value.extract()?,
            "guess" => options.guess = value.extract()?,
            "width" => options.width = value.extract()?,
            "reduction" => options.reduction = value.extract()?,
            // More moves than any position has.
            "full_moves" => options.full_moves = value.extract().unwrap_or(u32::MAX),
            "method" => {
                let method = value.extract::<String>()?;
                options.method = SssMethod::from_name(&method).ok_or_else(|| unknown("method", &method))?;
            }
            key => return Err(PyTypeError::new_err(format!("unexpected keyword argument {key:?}"))),
        }
    }
    Algorithm::from_name(name, &options).ok_or_else(|| unknown("algorithm", name))
}

/// What may end a search before its depth is done: about so many nodes, or so much time.
#[derive(Clone, Copy, Default)]
struct Ends {
    nodes: Option<u64>,
    time: Option<Duration>,
}

/// Nodes that are expanded between two looks at [`Ends`]: fewer than usual, for each may have many leaves.
const NODES_PER_LOOK: u32 = 32;

impl Ends {
    fn is_nothing(self) -> bool {
        self.nodes.is_none() && self.time.is_none()
    }

    fn limits(self, poll: Poll<'_>) -> Limits<'_> {
        let limits = Limits::new(poll);
        if self.is_nothing() {
            return limits;
        }
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time)); // none beyond all clocks
        let mut limits = limits.every(NODES_PER_LOOK);
        limits.nodes = self.nodes.unwrap_or(u64::MAX);
        limits.deadline = deadline;
        limits
    }

    /// None instead of the error of a search that was ended.
    fn answer<T>(self, result: Result<T, SearchError>) -> Result<Option<T>, SearchError> {
        match result {
            Err(SearchError::Stopped(Stopped::LimitReached)) if !self.is_nothing() => Ok(None),
            result => result.map(Some),
        }
    }
}

/// Runs the algorithm of this name, with its [`Options`]; None if it was not done after `nodes` or `seconds`.
#[pyfunction]
#[pyo3(signature = (
    algorithm, board, depth, *, cache=None, rng=None, order=None, evaluation=None, trace=None, profile=false,
    nodes=None, seconds=None, **options
))]
pub fn search(
    py: Python<'_>,
    algorithm: &str,
    board: &Bound<'_, PyAny>,
    depth: Depth,
    cache: Option<&Bound<'_, PyCache>>,
    rng: Option<&Bound<'_, PyAny>>,
    order: Option<Vec<(String, u64)>>,
    evaluation: Option<&Bound<'_, PyAny>>,
    trace: Option<Py<PyAny>>,
    profile: bool,
    nodes: Option<u64>,
    seconds: Option<f64>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<Found>> {
    let algorithm = algorithm_of(algorithm, options)?;
    let (evaluation, function) = chosen(evaluation);
    if trace.is_some() {
        refuse_list(algorithm, "trace")?;
    }
    let deepens = matches!(algorithm, Algorithm::IterativeDeepening { .. });
    let trace = trace.map(|function| (Arc::new(function), deepens));
    let wanted = Wanted { trace, is_profiled: profile, ..Wanted::new(order, function)? };
    let time = seconds.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    let (found, _) = run(py, algorithm, board, depth, cache, &evaluation, wanted, Ends { nodes, time })?;
    found.map(|found| found.drawn(rng)).transpose()
}

/// The columns of an algorithm's tree, and the result unless there were more than `max_nodes`; `line` has codes of moves.
#[pyfunction]
#[pyo3(signature = (
    algorithm, board, depth, *, max_nodes, max_ply=255, line=Vec::new(), best_moves=false, cache=None, rng=None,
    order=None, evaluation=None, **options
))]
pub fn record<'py>(
    py: Python<'py>,
    algorithm: &str,
    board: &Bound<'py, PyAny>,
    depth: Depth,
    max_nodes: usize,
    max_ply: u8,
    line: Vec<u16>,
    best_moves: bool,
    cache: Option<&Bound<'py, PyCache>>,
    rng: Option<&Bound<'py, PyAny>>,
    order: Option<Vec<(String, u64)>>,
    evaluation: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<(Bound<'py, PyDict>, Option<Found>)> {
    let algorithm = algorithm_of(algorithm, options)?;
    refuse_list(algorithm, "record")?;
    let extent = Extent { max_nodes, max_ply, line, best_moves };
    let (evaluation, function) = chosen(evaluation);
    let wanted = Wanted { extent: Some(extent), ..Wanted::new(order, function)? };
    let ends = Ends::default();
    let (found, recorder) = run(py, algorithm, board, depth, cache, &evaluation, wanted, ends)?;
    let (columns, _) = recorder.map(Recorder::into_columns).unwrap_or_default();
    let found = found.map(|found| found.drawn(rng)).transpose()?;
    Ok((columns_as_bytes(py, &columns)?, found))
}

/// Refuses to look on at a search whose nodes have no order.
fn refuse_list(algorithm: Algorithm, verb: &str) -> PyResult<()> {
    if algorithm == (Algorithm::SssStar { method: SssMethod::List }) {
        let text = format!("the list of method='list' jumps about in the tree: {verb} method='table'");
        return Err(PyValueError::new_err(text));
    }
    Ok(())
}

/// An evaluation that is data, or a function.
fn chosen<'a, 'py>(evaluation: Option<&'a Bound<'py, PyAny>>) -> (Chosen, Option<&'a Bound<'py, PyAny>>) {
    match evaluation.map(|evaluation| evaluation.cast::<PyEvaluation>()) {
        Some(Ok(data)) => (Chosen::new(Some(data)), None),
        Some(Err(_)) | None => (Chosen::default(), evaluation),
    }
}

/// Runs an algorithm: what was found, unless it was ended or a recorder was full, and the recorder.
fn run(
    py: Python<'_>,
    algorithm: Algorithm,
    board: &Bound<'_, PyAny>,
    depth: Depth,
    cache: Option<&Bound<'_, PyCache>>,
    evaluation: &Chosen,
    wanted: Wanted,
    ends: Ends,
) -> PyResult<(Option<Found>, Option<Recorder>)> {
    let root = ReadBoard::new(board)?;
    let history = if algorithm.uses_history() { root.history(key_of_setup)? } else { Vec::new() };
    let position = root.position;
    let mut guard = cache.map(|cache| cache.get().lock()).transpose()?;
    let family = algorithm.family_at(position.turn());
    if let (Some(cache), Some(memo), Some(family)) = (cache, guard.as_deref_mut(), family) {
        cache.get().claim(memo, family, evaluation, wanted.callable(py))?;
    }
    let cache = guard.as_deref_mut();
    // Depths may be added, and captures have no last depth.
    let plies = match algorithm {
        Algorithm::IterativeDeepening { increase_depth_below, .. } if increase_depth_below > 0.0 => {
            MOST_PLIES
        }
        Algorithm::MinimaxNoMemo { captures: true }
        | Algorithm::AlphaBetaPruningNoMemo { captures: true } => MOST_PLIES,
        _ => depth.unsigned_abs(),
    };
    let start = Instant::now();
    let (mut left, mut profile) = (Left::default(), Vec::new());
    let result = detached_with(py, plies, |own: &mut Cache, poll| {
        let cache = cache.unwrap_or_else(|| {
            *own = algorithm.new_cache();
            own
        });
        let position = position.with_evaluation(evaluation);
        if wanted.is_nothing() {
            let limits = ends.limits(poll);
            return ends.answer(textbook::search(algorithm, &position, &history, depth, cache, limits));
        }
        let (result, what_is_left) = equipped(wanted, &position, poll, |instruments, poll| {
            let (limits, lab) = (ends.limits(poll), Equipped(&mut *instruments));
            let result = textbook::search_with(lab, algorithm, &position, &history, depth, cache, limits)?;
            if let Some(watch) = &instruments.stopwatch {
                profile = watch.read(result.statistics.calls.nodes());
            }
            Ok(result)
        });
        left = what_is_left;
        ends.answer(result)
    });
    let time = start.elapsed();
    drop(guard);
    if let Some(raised) = left.raised {
        return Err(raised);
    }
    let is_full = left.recorder.as_ref().is_some_and(Recorder::is_full);
    let found = match result {
        Err(_) if is_full => None,
        result => result?.map(|result| {
            let outcome = Outcome::Textbook(Box::new(result), algorithm.name());
            let mut found = Found::new(position, outcome, time);
            found.profile = profile;
            found
        }),
    };
    Ok((found, left.recorder))
}

/// Looks for a mate: in how many moves, whether that is proven, a line, and the nodes.
#[pyfunction]
pub fn find_mate(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    moves: u32,
    table_mb: usize,
    nodes: Option<u64>,
) -> PyResult<(Option<u32>, bool, Py<PyTuple>, u64)> {
    let position = ReadBoard::new(board)?.position;
    let found = detached_at(py, 2 * moves, |poll| {
        proof_number_search::find_mate(&position, moves, table_mb, nodes, Limits::new(poll))
    })?;
    Ok((found.mate, found.is_proven, python_moves(py, position.mode(), &found.line)?, found.nodes))
}

/// The evaluation of a position: its terminal value if the game is over, else the score.
#[pyfunction]
#[pyo3(signature = (board, evaluation=None))]
pub fn evaluate_position(
    board: &Bound<'_, PyAny>,
    evaluation: Option<&Bound<'_, PyEvaluation>>,
) -> PyResult<Score> {
    let (root, evaluation) = (ReadBoard::new(board)?, Chosen::new(evaluation));
    Ok(frontier::terminal_or_score(&root.position.with_evaluation(&evaluation)))
}

/// The evaluation after a legal move, by increments.
#[pyfunction]
#[pyo3(signature = (board, r#move, evaluation=None))]
pub fn evaluate_move(
    board: &Bound<'_, PyAny>,
    r#move: &Bound<'_, PyAny>,
    evaluation: Option<&Bound<'_, PyEvaluation>>,
) -> PyResult<Score> {
    let (root, evaluation) = (ReadBoard::new(board)?, Chosen::new(evaluation));
    let m = root.legal_move(r#move)?;
    Ok(frontier::Frontier::new(&root.position.with_evaluation(&evaluation)).value(m))
}

/// Whether the game is over, and what its end is worth; a third occurrence has a worth, but is no end.
#[pyfunction]
pub fn terminal(board: &Bound<'_, PyAny>) -> PyResult<(bool, Option<Score>)> {
    let root = ReadBoard::new(board)?;
    if let Some(ending) = CHESS_JL.ending(&root.position) {
        return Ok((true, Some(ending.value(root.position.turn()))));
    }
    let key = root.position.key().whole;
    let earlier = root.history(key_of_setup)?.into_iter().filter(|&seen| seen == key).count();
    Ok((false, (earlier >= 2).then_some(0)))
}

/// Whether the kings use their endgame table.
#[pyfunction]
pub fn is_endgame(board: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(ReadBoard::new(board)?.position.is_endgame())
}

/// The static exchange evaluation of a legal move.
#[pyfunction]
pub fn see(board: &Bound<'_, PyAny>, r#move: &Bound<'_, PyAny>) -> PyResult<i32> {
    let root = ReadBoard::new(board)?;
    let m = root.legal_move(r#move)?;
    Ok(betacut_core::move_order::see::see(&root.position, m))
}

/// The legal moves in canonical order.
#[pyfunction]
pub fn legal_moves<'py>(py: Python<'py>, board: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let root = ReadBoard::new(board)?;
    root.position.legal_moves().map(|m| python_move(py, root.position.mode(), m)).collect()
}

/// The number of move sequences of this length.
#[pyfunction]
pub fn perft(py: Python<'_>, board: &Bound<'_, PyAny>, depth: u32) -> PyResult<u64> {
    let position = ReadBoard::new(board)?.position;
    detached_at(py, depth, |poll| betacut_core::perft::perft(&position, depth, &mut Limits::new(poll)))
}

/// Piece values and square bonuses of the evaluation, as published.
#[pyfunction]
pub fn tables() -> (Vec<Score>, Vec<Vec<Score>>) {
    (PIECE_VALUES.to_vec(), SQUARE_BONUS.iter().map(|table| table.to_vec()).collect())
}
