//! Certificates: the choices that prove a value.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use super::{board::ReadBoard, interrupt::detached_at, results::python_moves};
use betacut_core::score::{Depth, Score};
use betacut_exact::certificate::{self, Most};

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
