//! Many positions as rows of a table: buffers come in and buffers go out, and no Python object a row is made.

use std::sync::{Arc, Mutex};

use pyo3::exceptions::{PyException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList, PyString};

use super::interrupt::{attached, detached_at};
use super::{board::ReadBoard, errors::raised, evaluation::PyEvaluation, exact::Arguments};
use betacut_core::limits::{Poll, Stopped, check_memory};
use betacut_core::position::Position;
use betacut_exact::many::columns::Columns;
use betacut_exact::many::rows::{self, Ended, Job, MISSING, Read, Rows};

/// A column: a bit a row that says whether there is a value, if not all have one; one buffer for numbers, two for texts.
type Column<'py> = (Option<Bound<'py, PyBytes>>, Vec<Bound<'py, PyBytes>>);

/// More rows than this at a time are refused: their texts might need longer offsets.
const MOST_ROWS: usize = 1 << 20;

/// Searches rows, and keeps what is found until it is taken as columns.
#[pyclass(frozen, module = "betacut._betacut")]
pub struct TableSearch {
    job: Job,
    found: Mutex<Columns>,
}

#[pymethods]
impl TableSearch {
    #[new]
    #[pyo3(signature = (depth, threads, table, nodes, time, evaluation, with_best_moves, with_line, /))]
    fn new(
        py: Python<'_>,
        depth: &Bound<'_, PyAny>,
        threads: &Bound<'_, PyAny>,
        table: &Bound<'_, PyAny>,
        nodes: &Bound<'_, PyAny>,
        time: &Bound<'_, PyAny>,
        evaluation: Option<&Bound<'_, PyEvaluation>>,
        with_best_moves: bool,
        with_line: bool,
    ) -> PyResult<TableSearch> {
        let (one, none) = (PyInt::new(py, 1).into_any(), py.None().into_bound(py));
        // Which move is the first of the line depends on all best moves.
        let best_moves = (with_best_moves || with_line).into_pyobject(py)?.to_owned().into_any();
        let of = |threads| Arguments {
            depth,
            threads,
            table,
            best_moves: &best_moves,
            nodes,
            time,
            multipv: &none,
            evaluation,
        };
        let (workers, wish) = (of(threads).workers()?, of(&one).check(false)?);
        wish.claim()?;
        let depth = wish.question.depth;
        let search = move |position: &Position<'static>, stop: Poll<'_>| {
            if with_line {
                wish.search_with_line(position, stop)
            } else {
                Ok((wish.search(position, stop)?, Vec::new()))
            }
        };
        Ok(TableSearch {
            job: Job { search: Arc::new(search), with_best_moves, depth, workers },
            found: Mutex::default(),
        })
    }

    /// Searches texts in `data`, between `offsets` of 64 bits; bits of `valid` from `first` on say which rows hold one.
    fn texts(
        &self,
        py: Python<'_>,
        offsets: &[u8],
        data: &[u8],
        valid: Option<&[u8]>,
        first: usize,
    ) -> PyResult<()> {
        check_memory().map_err(raised)?;
        let (offsets, rest) = offsets.as_chunks();
        let begin = offsets.first().map_or(0, |&first| i64::from_ne_bytes(first));
        let end = |&end: &[u8; 8]| usize::try_from(i64::from_ne_bytes(end).checked_sub(begin)?).ok();
        let ends = offsets.iter().map(end).collect::<Option<Vec<_>>>().filter(|_| rest.is_empty());
        let rows = ends.as_ref().map_or(0, |ends| ends.len().saturating_sub(1));
        let is_long_enough = valid.is_none_or(|valid| valid.len() * 8 >= first.saturating_add(rows));
        let is_there =
            |row: usize| valid.is_none_or(|valid| valid[(first + row) / 8] & 1 << ((first + row) % 8) != 0);
        let mut owned = Vec::new();
        owned.try_reserve_exact(data.len()).map_err(|_| raised(Stopped::NoMemory))?;
        owned.extend_from_slice(data);
        let rows = ends
            .filter(|_| is_long_enough && rows <= MOST_ROWS)
            .and_then(|ends| Rows::new(owned, &ends, is_there))
            .ok_or_else(|| PyValueError::new_err("the buffers are not those of a column of texts"))?;
        self.search(py, rows, None)
    }

    /// Searches boards and texts.
    fn objects(&self, py: Python<'_>, objects: &Bound<'_, PyList>) -> PyResult<()> {
        if objects.len() > MOST_ROWS {
            return Err(PyValueError::new_err(format!("at most {MOST_ROWS} rows at a time")));
        }
        check_memory().map_err(raised)?;
        let mut rows = Rows::default();
        for object in objects {
            match object.cast::<PyString>().ok().and_then(|text| text.to_cow().ok()) {
                Some(text) => rows.push_text(&text),
                None if object.is_none() => rows.push_missing(),
                None => rows.push_other(),
            }
        }
        self.search(py, rows, Some(objects))
    }

    /// The number of rows to take.
    #[getter]
    fn rows(&self) -> PyResult<usize> {
        Ok(self.found.try_lock().map_err(|_| in_use())?.rows())
    }

    /// Takes these columns of all rows that were searched since the last time.
    fn take<'py>(&self, py: Python<'py>, names: Vec<String>) -> PyResult<Vec<Column<'py>>> {
        let found = std::mem::take(&mut *self.found.try_lock().map_err(|_| in_use())?);
        let column = |name: &String| {
            let buffers = found
                .buffers(name)
                .ok_or_else(|| PyValueError::new_err(format!("no column has the name {name:?}")))?;
            let values = buffers.values.iter().map(|values| PyBytes::new(py, values)).collect();
            Ok((buffers.valid.map(|valid| PyBytes::new(py, &valid)), values))
        };
        names.iter().map(column).collect()
    }
}

impl TableSearch {
    fn search(&self, py: Python<'_>, rows: Rows, objects: Option<&Bound<'_, PyList>>) -> PyResult<()> {
        let mut found = self.found.try_lock().map_err(|_| in_use())?;
        let (found, rows) = (&mut *found, Arc::new(rows));
        let objects = objects.map(|objects| Arc::new(objects.clone().unbind()));
        // A search needs stack here if there is no thread for it.
        detached_at(py, self.job.depth as u32, |poll| {
            let mut ask = |wanted: &[usize]| {
                let (rows, objects, wanted) = (Arc::clone(&rows), objects.clone(), wanted.to_vec());
                attached(move |py| read(py, &rows, objects.as_deref(), &wanted))
            };
            rows::search(&rows, &self.job, &mut ask, poll, found).map_err(|ended| match ended {
                Ended::Stopped(stopped) => raised(stopped),
                Ended::Asked(error) => error,
            })
        })
    }
}

/// Reads rows, the objects there or else the texts. Errors: what ends a program and no more than that.
fn read(py: Python, rows: &Rows, objects: Option<&Py<PyList>>, wanted: &[usize]) -> Result<Vec<Read>, PyErr> {
    let of = |&row: &usize| {
        let board = match (objects, rows.text(row).map(str::from_utf8)) {
            (Some(objects), _) => objects.bind(py).get_item(row)?,
            (None, Some(Ok(text))) => PyString::new(py, text).into_any(),
            (None, Some(Err(error))) => return Ok(Err(format!("the text is not UTF-8: {error}"))),
            (None, None) => return Ok(Err(MISSING.to_owned())),
        };
        match ReadBoard::new(&board) {
            Ok(board) => Ok(Ok(board.position)),
            Err(error) if error.is_instance_of::<PyException>(py) => Ok(Err(error.value(py).to_string())),
            Err(error) => Err(error),
        }
    };
    wanted.iter().map(of).collect()
}

fn in_use() -> PyErr {
    PyRuntimeError::new_err("another thread is searching rows with this object")
}
