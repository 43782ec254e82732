//! The transposition table of the exact search as a Python object.

use std::sync::{Arc, PoisonError, RwLock};

use pyo3::prelude::*;

use super::board::checks;
use crate::exact::Table;

/// The base of `betacut.engine.Table`.
#[pyclass(frozen, subclass, name = "Table", module = "betacut._betacut")]
pub struct PyTable {
    /// A search that runs keeps the table it began with.
    table: RwLock<Arc<Table>>,
    mb: usize,
}

impl PyTable {
    /// The table, to be used by any number of searches at once.
    pub fn get_table(&self) -> Arc<Table> {
        Arc::clone(&self.table.read().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl PyTable {
    #[new]
    #[pyo3(signature = (mb=None))]
    fn new(py: Python<'_>, mb: Option<&Bound<'_, PyAny>>) -> PyResult<PyTable> {
        let mb: usize = match mb {
            None => 64,
            Some(mb) => checks(py)?.call_method1("check_mb", (mb,))?.extract()?,
        };
        let table = py.detach(|| Table::with_megabytes(mb));
        Ok(PyTable { table: RwLock::new(Arc::new(table)), mb })
    }

    fn clear(&self, py: Python<'_>) {
        py.detach(|| {
            let empty = Arc::new(Table::with_megabytes(self.mb));
            *self.table.write().unwrap_or_else(PoisonError::into_inner) = empty;
        });
    }

    #[getter]
    fn mb(&self) -> usize {
        self.mb
    }
}
