//! What a search of another program leaves behind, node by node.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use shakmaty::Color;

use crate::lab::columns_as_bytes;
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

impl PyRecording {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A recorder for a search with this side to move; none if it has been given away.
    pub fn recorder(&self, root: Color) -> Option<Recorder> {
        self.lock().extent.take().map(|extent| Recorder::new(root, extent))
    }

    /// Keeps what was recorded.
    pub fn keep(&self, recorder: Recorder) {
        let (columns, complete) = recorder.into_columns();
        *self.lock() = State { extent: None, columns, full: !complete };
    }
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
        columns_as_bytes(py, &self.lock().columns)
    }

    /// Whether the search was stopped for want of rows.
    #[getter]
    fn is_full(&self) -> bool {
        self.lock().full
    }
}

/// The recorder that a search was promised, if it was promised one.
pub fn begun(record: Option<&Bound<'_, PyRecording>>, root: Color) -> Option<Recorder> {
    record.and_then(|record| record.get().recorder(root))
}

/// Gives back what the recorder holds.
pub fn ended(record: Option<&Bound<'_, PyRecording>>, recorder: Option<Recorder>) {
    if let (Some(record), Some(recorder)) = (record, recorder) {
        record.get().keep(recorder);
    }
}
