//! The transposition table of the exact search as a Python object.

use std::sync::Arc;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use super::{errors::checks, interrupt::detached};
use betacut_exact::Table;

/// The base of `betacut.engine.Table`. Any number of searches may use it at once.
#[pyclass(frozen, subclass, name = "Table", module = "betacut._betacut")]
pub struct PyTable {
    /// There until the object goes.
    table: Option<Arc<Table>>,
}

impl PyTable {
    /// The table, to be shared with a search.
    pub fn share(&self) -> Option<Arc<Table>> {
        self.table.clone()
    }
}

impl Drop for PyTable {
    fn drop(&mut self) {
        // Giving back gibibytes takes a while.
        let table = self.table.take();
        Python::attach(|py| py.detach(|| drop(table)));
    }
}

#[pymethods]
impl PyTable {
    #[new]
    #[pyo3(signature = (mb, /))]
    fn new(mb: &Bound<'_, PyAny>) -> PyResult<PyTable> {
        let mb: usize = checks(mb.py())?.call_method1("check_mb", (mb,))?.extract()?;
        let table = Table::with_megabytes(mb).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        Ok(PyTable { table: Some(Arc::new(table)) })
    }

    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.table.as_ref().map_or(Ok(()), |table| detached(py, |poll| table.clear(poll)))
    }

    #[getter]
    fn mb(&self) -> usize {
        self.table.as_ref().map_or(0, |table| table.megabytes())
    }

    #[getter]
    fn filled(&self) -> f64 {
        self.table.as_ref().map_or(0.0, |table| table.filled())
    }
}
