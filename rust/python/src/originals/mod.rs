//! The bindings of the other published programs, a page each, which return plain tuples and dictionaries;
//! `betacut.originals` documents, checks arguments and shapes results.

pub mod chessai;
pub mod cosc76;
pub mod didactic;
mod recording;

pub use recording::PyRecording;

use std::sync::Arc;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict};
use shakmaty::{CastlingMode, Chess, Move};

use super::board::{ReadBoard, python_board, python_move};
use super::errors::checks;
use super::interrupt::attached;
use betacut_classic::originals::node::{Line, Node, transposition_key_of_setup};
use betacut_classic::originals::tablebase::Tablebase;
use betacut_core::limits::Stopped;
use betacut_core::rules::Ending;

/// Reads a board and the line that led there, as far back as a repetition can lie.
pub fn read(board: &Bound<'_, PyAny>) -> PyResult<(Node, Line)> {
    line_of(&read_standard(board)?)
}

/// Reads a board of standard chess: no original plays Chess960.
fn read_standard<'py>(board: &Bound<'py, PyAny>) -> PyResult<ReadBoard<'py>> {
    let read = ReadBoard::new(board)?;
    if read.position.mode().is_chess960() {
        checks(board.py())?.call_method1("check_standard", (read.board()?,))?;
    }
    Ok(read)
}

/// [`read`], and a legal move of the board.
pub fn read_with_move<'py>(board: &Bound<'py, PyAny>, m: &Bound<'py, PyAny>) -> PyResult<(Node, Line, Move)> {
    let read = read_standard(board)?;
    let (node, line) = line_of(&read)?;
    Ok((node, line, read.legal_move(m)?))
}

fn line_of(read: &ReadBoard) -> PyResult<(Node, Line)> {
    let history = read.history(transposition_key_of_setup)?;
    Ok(Line::new(read.position.chess().clone(), history))
}

/// The functions called at least once, by their names.
fn counts_by_name<'py>(py: Python<'py>, counts: &[(&str, u64)]) -> PyResult<Bound<'py, PyDict>> {
    counts.iter().filter(|(_, count)| *count > 0).collect::<Vec<_>>().into_py_dict(py)
}

/// An object with python-chess's `probe_dtm`, asked with the GIL attached.
pub struct PythonTablebase {
    object: Arc<Py<PyAny>>,
    /// Whether an exception says that there is no table.
    is_missing: fn(Python<'_>, &PyErr) -> bool,
    /// Why it could not be asked, which ended the search.
    pub raised: Option<PyErr>,
}

impl PythonTablebase {
    /// The tablebase that was given, if one was.
    pub fn new(
        object: Option<Py<PyAny>>,
        is_missing: fn(Python<'_>, &PyErr) -> bool,
    ) -> Option<PythonTablebase> {
        object.map(|object| PythonTablebase { object: Arc::new(object), is_missing, raised: None })
    }
}

impl Tablebase for PythonTablebase {
    fn probe_dtm(&mut self, chess: &Chess) -> Result<Option<i32>, Stopped> {
        let (object, chess, is_missing) = (Arc::clone(&self.object), chess.clone(), self.is_missing);
        let answer = attached(move |py| {
            py.check_signals()?;
            let board = python_board(py, &chess)?;
            match object.call_method1(py, intern!(py, "probe_dtm"), (&board,)) {
                Err(error) if is_missing(py, &error) => Ok(None),
                answer => {
                    let plies = checks(py)?.call_method1("check_plies_to_mate", (answer?, board))?;
                    plies.extract().map(Some)
                }
            }
        });
        answer.map_err(|raised| {
            self.raised = Some(raised);
            Stopped::Interrupted
        })
    }
}

/// The tablebase as the searches take it.
pub fn asked(tablebase: &mut Option<PythonTablebase>) -> Option<&mut dyn Tablebase> {
    tablebase.as_mut().map(|tablebase| tablebase as &mut dyn Tablebase)
}

/// `chess.Move` objects.
pub fn python_moves(
    py: Python<'_>,
    moves: impl IntoIterator<Item = Move>,
) -> PyResult<Vec<Bound<'_, PyAny>>> {
    moves.into_iter().map(|m| python_move(py, CastlingMode::Standard, m)).collect()
}

/// What the searches share, for the tests: moves, captures, python-chess's `Termination` by name, and three keys.
#[pyfunction]
pub fn python_chess_view<'py>(
    py: Python<'py>,
    board: &Bound<'py, PyAny>,
) -> PyResult<(Vec<Bound<'py, PyAny>>, Vec<Bound<'py, PyAny>>, Option<&'static str>, (u128, u128, u128))> {
    let (node, line) = read(board)?;
    let termination = node.ending(&line).map(|ending| match ending {
        Ending::Checkmate => "CHECKMATE",
        Ending::Stalemate => "STALEMATE",
        Ending::FiftyMoves => "FIFTY_MOVES",
        Ending::InsufficientMaterial => "INSUFFICIENT_MATERIAL",
        Ending::SeventyFiveMoves => "SEVENTYFIVE_MOVES",
        Ending::FivefoldRepetition => "FIVEFOLD_REPETITION",
    });
    Ok((
        python_moves(py, node.legal_moves())?,
        python_moves(py, node.legal_captures())?,
        termination,
        (node.placement_key().into(), node.state_key().into(), node.transposition_key().into()),
    ))
}
