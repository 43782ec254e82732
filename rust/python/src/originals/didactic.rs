//! The engines of "Chess Engine - a didactic introduction". Arguments other than the board arrive checked by
//! `betacut.originals.didactic`.

use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use shakmaty::CastlingMode;

use super::recording::{PyRecording, recorded};
use super::{PythonTablebase, asked, counts_by_name, python_moves, read, read_with_move};
use crate::board::python_move;
use crate::errors::unknown;
use crate::interrupt::detached_with;
use betacut_classic::originals::didactic::cache::Cache;
use betacut_classic::originals::didactic::evaluation::{
    Evaluator as _, Incremental, Position, Simplified, Standard, is_endgame, of_ending, relative,
};
use betacut_classic::originals::didactic::score::Value;
use betacut_classic::originals::didactic::see::Exchange;
use betacut_classic::originals::didactic::tree::{Tree, Watch};
use betacut_classic::originals::didactic::{BadCapture, Engine, Outcome, Question, SearchError, search};
use betacut_core::limits::Limits;

/// The question of these words.
fn question(engine: &str, depth: u32, analyse: bool, simplified: bool, captures: &str) -> PyResult<Question> {
    let bad_captures = BadCapture::from_name(captures).ok_or_else(|| unknown("captures", captures))?;
    let engine = Engine::from_name(engine).ok_or_else(|| unknown("engine", engine))?;
    Ok(Question { engine, simplified, bad_captures, analyse, depth: depth as i32 })
}

/// `(score, scores, best_moves, counts, cache_types, seconds)`: scores are White's view, in the core's integers.
#[pyfunction]
#[pyo3(signature = (
    engine, board, depth, *, analyse=false, simplified=false, captures="defended", tablebase=None, record=None
))]
pub fn didactic_search<'py>(
    engine: &str,
    board: &Bound<'py, PyAny>,
    depth: u32,
    analyse: bool,
    simplified: bool,
    captures: &str,
    tablebase: Option<Py<PyAny>>,
    record: Option<&Bound<'py, PyRecording>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = board.py();
    let question = question(engine, depth, analyse, simplified, captures)?;
    let (root, line) = read(board)?;
    let mut tablebase = PythonTablebase::new(tablebase, |py, error| error.is_instance_of::<PyException>(py));
    let (found, seconds) = recorded(record, root.turn(), |recorder| {
        detached_with(py, depth, |cache: &mut Cache, poll| {
            let (tablebase, mut limits) = (asked(&mut tablebase), Limits::new(poll));
            let watch = recorder.map_or(Watch::Nothing, Watch::Recorder);
            search(question, root, line, tablebase, cache, watch, &mut limits)
        })
    });
    if let Some(raised) = tablebase.and_then(|tablebase| tablebase.raised) {
        return Err(raised);
    }
    let Outcome { score, scores, best_moves, counts, cache } = found?;
    let scores = scores
        .into_iter()
        .map(|(m, value)| Ok((python_move(py, CastlingMode::Standard, m)?, value)))
        .collect::<PyResult<Vec<_>>>()?;
    let types = cache.map(|types| {
        let types = [("EXACT", types.exact), ("LOWER_BOUND", types.lower), ("UPPER_BOUND", types.upper)];
        counts_by_name(py, &types.map(|(name, count)| (name, count as u64)))
    });
    let counts = [
        ("_value", counts.value),
        ("evaluate", counts.evaluate),
        ("heuristic", counts.heuristic),
        ("_quiescence", counts.quiescence),
        ("_zero_width_search", counts.zero_width_search),
        ("_see_capture", counts.exchange.captures),
        ("_see", counts.exchange.steps),
    ];
    let counts = counts_by_name(py, &counts)?;
    let found = (score, scores, python_moves(py, best_moves)?, counts, types.transpose()?, seconds);
    Ok(found.into_pyobject(py)?.into_any())
}

/// `(nodes_visited, paths_pruned, quiesce_nodes, quiesce_paths_pruned)` of the tree of a search.
#[pyfunction]
#[pyo3(signature = (engine, board, depth, *, analyse=false, simplified=false, captures="defended"))]
pub fn didactic_tree_count(
    engine: &str,
    board: &Bound<'_, PyAny>,
    depth: u32,
    analyse: bool,
    simplified: bool,
    captures: &str,
) -> PyResult<(u64, u64, u64, u64)> {
    let question = question(engine, depth, analyse, simplified, captures)?;
    let (root, line) = read(board)?;
    let count = detached_with(board.py(), depth, |(cache, tree): &mut (Cache, Tree), poll| {
        let mut limits = Limits::new(poll);
        search(question, root.clone(), line, None, cache, Watch::Tree(tree), &mut limits)?;
        Ok::<_, SearchError>(tree.count(&root, &mut limits)?)
    })?;
    Ok((count.nodes_visited, count.paths_pruned, count.quiesce_nodes, count.quiesce_paths_pruned))
}

/// `evaluate`: the score of a finished game, the view of the side to move, or None.
#[pyfunction]
pub fn didactic_evaluate(board: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    let (node, line) = read(board)?;
    Ok(node.ending(&line).map(of_ending))
}

/// `heuristic`, the view of the side to move.
#[pyfunction]
#[pyo3(signature = (board, *, simplified))]
pub fn didactic_heuristic(board: &Bound<'_, PyAny>, simplified: bool) -> PyResult<Value> {
    let (node, _) = read(board)?;
    Ok(if simplified {
        Position::new(node, Simplified).heuristic(Simplified)
    } else {
        Position::new(node, Standard).heuristic(Standard)
    })
}

/// What the incremental evaluator adds for a legal move, the view of the side that moves.
#[pyfunction]
#[pyo3(signature = (board, r#move, *, endgame))]
pub fn didactic_increment(
    board: &Bound<'_, PyAny>,
    r#move: &Bound<'_, PyAny>,
    endgame: bool,
) -> PyResult<Value> {
    let (node, _, m) = read_with_move(board, r#move)?;
    Ok(relative(node.turn(), Incremental::in_phase(endgame).sum_after(0, node.turn(), m)))
}

/// `check_endgame`.
#[pyfunction]
pub fn didactic_is_endgame(board: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (node, _) = read(board)?;
    Ok(is_endgame(node.board()))
}

/// `see_capture`: what a legal capture wins, centipawns, and the steps of the exchange.
#[pyfunction]
#[pyo3(signature = (board, r#move, *, optimized=false))]
pub fn didactic_see_capture(
    board: &Bound<'_, PyAny>,
    r#move: &Bound<'_, PyAny>,
    optimized: bool,
) -> PyResult<(Value, u64)> {
    let (node, _, m) = read_with_move(board, r#move)?;
    if !m.is_capture() {
        let text = format!("move must be a capture, not {}", m.to_uci(CastlingMode::Standard));
        return Err(PyValueError::new_err(text));
    }
    let mut exchange = Exchange::default();
    let chess = node.chess();
    let value = if optimized { exchange.optimized(chess, m) } else { exchange.push_pop(chess, m) };
    Ok((value, exchange.steps))
}
