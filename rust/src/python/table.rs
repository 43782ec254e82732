//! The transposition table of the exact search as a Python object.

use std::sync::Arc;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use super::board::checks;
use crate::exact::Table;

/// The base of `betacut.engine.Table`. Any number of searches may use it at once.
#[pyclass(frozen, subclass, name = "Table", module = "betacut._betacut")]
pub struct PyTable(pub Arc<Table>);

#[pymethods]
impl PyTable {
    #[new]
    #[pyo3(signature = (mb, /))]
    fn new(py: Python<'_>, mb: &Bound<'_, PyAny>) -> PyResult<PyTable> {
        let mb: usize = checks(py)?.call_method1("check_mb", (mb,))?.extract()?;
        let table = py.detach(|| Table::try_with_megabytes(mb));
        match table {
            Ok(table) => Ok(PyTable(Arc::new(table))),
            Err(_) => Err(PyMemoryError::new_err(format!("no memory for a table of {mb} mebibytes"))),
        }
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
