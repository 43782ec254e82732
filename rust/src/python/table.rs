//! The transposition table of the exact search as a Python object.

use std::sync::Arc;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use super::board::checks;
use crate::exact::Table;

/// The base of `betacut.engine.Table`. Any number of searches may use it at once.
#[pyclass(frozen, subclass, name = "Table", module = "betacut._betacut")]
pub struct PyTable(pub Arc<Table>);

/// A table of `mb` mebibytes.
///
/// # Errors
/// `MemoryError` if there is no such memory.
pub fn new_table(mb: usize) -> PyResult<Table> {
    Table::with_megabytes(mb).map_err(|error| PyMemoryError::new_err(error.to_string()))
}

#[pymethods]
impl PyTable {
    #[new]
    #[pyo3(signature = (mb, /))]
    fn new(py: Python<'_>, mb: &Bound<'_, PyAny>) -> PyResult<PyTable> {
        let mb: usize = checks(py)?.call_method1("check_mb", (mb,))?.extract()?;
        py.detach(|| new_table(mb)).map(|table| PyTable(Arc::new(table)))
    }

    fn clear(&self, py: Python<'_>) {
        py.detach(|| self.0.clear());
    }

    #[getter]
    fn mb(&self) -> usize {
        self.0.megabytes()
    }

    #[getter]
    fn filled(&self) -> f64 {
        self.0.filled()
    }
}
