//! The players of the COSC 76 program. Arguments other than the board arrive checked by `betacut.originals.cosc76`.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use shakmaty::CastlingMode;

use super::recording::{PyRecording, recorded};
use super::{counts_by_name, read};
use crate::board::python_move;
use crate::errors::{alone, player_in_use, unknown};
use crate::interrupt::{detached, free};
use betacut_classic::originals::cosc76::evaluation::{INFINITY, Value, evaluate};
use betacut_classic::originals::cosc76::{Algorithm, Choice, Player, Position, Settings};
use betacut_core::limits::Limits;

/// A player of one side of one game.
#[pyclass(frozen, name = "Cosc76Player", module = "betacut._betacut")]
pub struct PyPlayer(Mutex<Player>);

impl Drop for PyPlayer {
    fn drop(&mut self) {
        let memory = self.0.get_mut().unwrap_or_else(PoisonError::into_inner).take_memory();
        if !memory.is_empty() {
            Python::attach(|py| free(py, memory));
        }
    }
}

#[pymethods]
impl PyPlayer {
    #[new]
    #[pyo3(signature = (
        algorithm, depth, *, maximizing, move_count=None, memoized=false, ids=false, timeout=0, report=false
    ))]
    #[allow(clippy::fn_params_excessive_bools)]
    fn new(
        algorithm: &str,
        depth: u32,
        maximizing: bool,
        move_count: Option<usize>,
        memoized: bool,
        ids: bool,
        timeout: u64,
        report: bool,
    ) -> PyResult<PyPlayer> {
        let algorithm = Algorithm::from_name(algorithm).ok_or_else(|| unknown("algorithm", algorithm))?;
        let move_count = move_count.unwrap_or(usize::MAX);
        let settings = Settings { algorithm, maximizing, depth, move_count, memoized, ids, timeout, report };
        Ok(PyPlayer(Mutex::new(Player::new(settings))))
    }

    /// `(score, move, root_searches, calls, pruned, remembered, seconds)`; a root search is `(move, depth, score)`.
    #[pyo3(signature = (board, *, record=None))]
    fn choose_move<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, PyAny>,
        record: Option<&Bound<'py, PyRecording>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (root, line) = read(board)?;
        let mut player = alone(&self.0, player_in_use)?;
        let player = &mut *player;
        // The side that chooses at the root chooses at its children again.
        let (choice, seconds) = recorded(record, !player.side(), |recorder| {
            detached(py, |poll| player.choose_move(root, line, Limits::new(poll), recorder))
        });
        let Choice { value, m, root_searches, calls, pruned, remembered } = choice?;
        let calls = [
            ("minimax", calls.minimax),
            ("alpha_beta_search", calls.alpha_beta_search),
            ("max_value", calls.max_value),
            ("min_value", calls.min_value),
            ("evaluate", calls.evaluate),
            ("reorder_moves", calls.reorder_moves),
        ];
        let python = |m| python_move(py, CastlingMode::Standard, m);
        let searches = root_searches.into_iter();
        let searches = searches.map(|search| Ok((python(search.m)?, search.depth, score(py, search.value)?)));
        let root_searches = searches.collect::<PyResult<Vec<_>>>()?;
        let m = m.map(python).transpose()?;
        let found =
            (score(py, value)?, m, root_searches, counts_by_name(py, &calls)?, pruned, remembered, seconds);
        Ok(found.into_pyobject(py)?.into_any())
    }

    /// The names of the moves that count as played, in order.
    #[getter]
    fn played(&self) -> PyResult<Vec<String>> {
        Ok(alone(&self.0, player_in_use)?.played().names().map(str::to_owned).collect())
    }

    /// Stores and different keys of the memory; None without one.
    #[getter]
    fn memory(&self) -> PyResult<Option<(u64, usize)>> {
        Ok(alone(&self.0, player_in_use)?.memory().map(|memory| (memory.stores(), memory.size())))
    }
}

/// The evaluation of a position.
#[pyfunction]
pub fn cosc76_evaluate<'py>(board: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (node, line) = read(board)?;
    score(board.py(), evaluate(&Position::new(node), &line).value)
}

/// An int, or a float if it is infinite.
fn score(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    Ok(match value {
        INFINITY => f64::INFINITY.into_pyobject(py)?.into_any(),
        value if value == -INFINITY => f64::NEG_INFINITY.into_pyobject(py)?.into_any(),
        value => value.into_pyobject(py)?.into_any(),
    })
}
