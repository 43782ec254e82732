//! Shaping what the core found into what `betacut.engine` turns into a `SearchResult`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use shakmaty::Move;

use super::board::{Root, python_move};
use crate::position::Position;
use crate::statistics::{Calls, Statistics};
use crate::textbook::SearchResult;

/// `(score, best_moves, pv, depth, counts, root)`; `counts` are the keyword arguments of `betacut.Statistics`,
/// with the iterations as tuples.
///
/// # Errors
/// If Python cannot allocate, or python-chess cannot be imported.
pub fn result_tuple<'py>(
    py: Python<'py>,
    position: Position,
    result: &SearchResult,
    seconds: f64,
) -> PyResult<Bound<'py, PyTuple>> {
    let counts = counts(py, &result.statistics)?;
    counts.set_item("seconds", seconds)?;
    (
        result.score,
        moves(py, &result.best_moves)?,
        moves(py, &result.pv)?,
        result.depth,
        counts,
        Bound::new(py, Root(position))?,
    )
        .into_pyobject(py)
}

fn moves<'py>(py: Python<'py>, moves: &[Move]) -> PyResult<Bound<'py, PyTuple>> {
    let moves: Vec<_> = moves.iter().map(|&m| python_move(py, m)).collect::<PyResult<_>>()?;
    PyTuple::new(py, moves)
}

fn counts<'py>(py: Python<'py>, statistics: &Statistics) -> PyResult<Bound<'py, PyDict>> {
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
    let iterations = statistics
        .iterations
        .iter()
        .map(|iteration| {
            (iteration.depth, iteration.score, iteration.cache_size, calls(py, &iteration.calls)?)
                .into_pyobject(py)
        })
        .collect::<PyResult<Vec<_>>>()?;
    counts.set_item("iterations", PyTuple::new(py, iterations)?)?;
    Ok(counts)
}

fn calls<'py>(py: Python<'py>, calls: &Calls) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (function, count) in calls.iter() {
        dict.set_item(function.name(), count)?;
    }
    Ok(dict)
}
