//! What a search of another program leaves behind, node by node.

use std::sync::Mutex;
use std::time::Instant;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use shakmaty::{CastlingMode, Color};

use crate::{errors::locked, lab::columns_as_bytes};
use betacut_classic::observer::{Columns, Extent, Recorder};

/// Records one search: the first that is given it.
#[pyclass(frozen, name = "Recording", module = "betacut._betacut")]
pub struct PyRecording(Mutex<State>);

/// Before and after that search.
#[derive(Default)]
struct State {
    extent: Option<Extent>,
    columns: Columns,
    full: bool,
}

#[pymethods]
impl PyRecording {
    /// `line` is a list of codes of moves.
    #[new]
    #[pyo3(signature = (*, max_nodes, max_ply=255, line=Vec::new()))]
    fn new(max_nodes: usize, max_ply: u8, line: Vec<u16>) -> PyRecording {
        let extent = Extent { max_nodes, max_ply, line, best_moves: true };
        PyRecording(Mutex::new(State { extent: Some(extent), ..State::default() }))
    }

    /// The columns as bytes, by name.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns_as_bytes(py, &locked(&self.0).columns)
    }

    /// Whether the search was stopped for want of rows.
    #[getter]
    fn is_full(&self) -> bool {
        locked(&self.0).full
    }
}

/// Runs a search with this side to move, which is given a recorder if there is one to give; also how many seconds it took.
pub fn recorded<T>(
    record: Option<&Bound<'_, PyRecording>>,
    root: Color,
    search: impl FnOnce(Option<&mut Recorder>) -> T,
) -> (T, f64) {
    let extent = record.and_then(|record| locked(&record.get().0).extent.take());
    let mut recorder = extent.map(|extent| Recorder::new(root, CastlingMode::Standard, extent));
    let start = Instant::now();
    let found = search(recorder.as_mut());
    let seconds = start.elapsed().as_secs_f64();
    if let (Some(record), Some(recorder)) = (record, recorder) {
        let (columns, complete) = recorder.into_columns();
        *locked(&record.get().0) = State { extent: None, columns, full: !complete };
    }
    (found, seconds)
}
