//! The memo as a Python object.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use super::board::ReadBoard;
use super::errors::{alone, cache_evaluation_mismatch, cache_in_use, checks, locked, raised};
use super::{evaluation::Chosen, interrupt::free, modules::RESULTS};
use betacut_classic::{cache::Cache, textbook};
use betacut_core::window::Bound as Kind;

static ENTRY_TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();

// The text is Python's; rustdoc would take its examples for Rust.
#[cfg_attr(
    not(doctest),
    doc = r#"A memo for the searches that take one, kept and reused by the caller.

A cache serves one family of functions: `minimax`, `alpha_beta_pruning`, `iterative_deepening` with or without
quiescence, or `mtd_f` and `sss_star`; and one evaluation. The first search decides; `clear()` lets another one in. It
serves one search at a time.

Args:
    exact_depth: Whether only a value of exactly the asked depth answers. Then the score is always that of
        minimax, whatever was searched before, except with quiescence; without it, as in the original program, a
        value of at least the asked depth answers.
    max_entries: The greatest number of positions, or None for no bound. A full cache updates the positions it
        knows and takes no new ones.

Raises:
    TypeError: If `max_entries` is no integer.
    ValueError: If it is less than 1.

Cost:
    35 to 90 bytes for each position. Positions are told apart by 125 bits: a lookup is wrong with a probability
    below 1e-28 in a cache of a billion positions, if they were not built to collide.

Examples:
    >>> from betacut import engine
    >>> cache = engine.Cache(exact_depth=True, max_entries=10_000)
    >>> board = "8/p5R1/1p4p1/4k3/r6P/6K1/5P2/8 b - - 4 50"
    >>> engine.alpha_beta_pruning(board, 5, cache=cache).score
    -180
    >>> cache
    Cache(exact_depth=True, max_entries=10000) with 10000 entries
    >>> engine.minimax(board, 2, cache=cache)
    Traceback (most recent call last):
    ...
    betacut.core.exceptions.CacheMismatchError: this cache holds values of alpha_beta, not of minimax: use another Cache or clear() it"#
)]
#[allow(clippy::doc_markdown)]
#[pyclass(frozen, name = "Cache", module = "betacut.engine")]
pub struct PyCache {
    /// Empty when it is used for the last time: see [`Drop`].
    cache: Mutex<Cache>,
    /// The function that made the values, if it was one.
    callable: Mutex<Option<Py<PyAny>>>,
    /// The data that made them, if not.
    evaluation: Mutex<Chosen>,
    exact_depth: bool,
    max_entries: Option<usize>,
}

impl PyCache {
    /// The cache, for this thread alone; `CacheInUseError` if another search holds it.
    pub fn lock(&self) -> PyResult<MutexGuard<'_, Cache>> {
        alone(&self.cache, cache_in_use)
    }

    /// Reserves `memo`, this cache locked, for a family and a Python function, if any; the core tells data apart.
    pub fn claim(
        &self,
        memo: &mut Cache,
        family: &'static str,
        evaluation: &Chosen,
        wanted: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (mut held, mut made_by) = (locked(&self.callable), locked(&self.evaluation));
        let is_same = match (&*held, &wanted) {
            (None, None) => true,
            (Some(held), Some(wanted)) => {
                checks(wanted.py())?.call_method1("is_same_function", (held, wanted))?.is_truthy()?
            }
            _ => false,
        };
        if memo.family() == Some(family) && !is_same {
            let name = |is_callable: bool, data: &Chosen| {
                if is_callable { "callable".to_owned() } else { data.to_string() }
            };
            let [held, wanted] = [name(held.is_some(), &made_by), name(wanted.is_some(), evaluation)];
            return Err(cache_evaluation_mismatch(&held, &wanted));
        }
        let is_new = memo.family().is_none();
        memo.claim(family, evaluation).map_err(raised)?;
        if is_new {
            (*held, *made_by) = (wanted.map(Bound::unbind), evaluation.clone());
        }
        Ok(())
    }
}

impl Drop for PyCache {
    fn drop(&mut self) {
        let cache = std::mem::take(self.cache.get_mut().unwrap_or_else(PoisonError::into_inner));
        if !cache.is_empty() {
            Python::attach(|py| free(py, cache));
        }
    }
}

#[pymethods]
impl PyCache {
    #[new]
    #[pyo3(
        signature = (*, exact_depth=None, max_entries=None),
        text_signature = "(*, exact_depth=False, max_entries=None)"
    )]
    fn new(
        exact_depth: Option<&Bound<'_, PyAny>>,
        max_entries: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyCache> {
        let exact_depth = exact_depth.map_or(Ok(false), Bound::is_truthy)?;
        let max_entries = match max_entries {
            None => None,
            Some(bound) => {
                let checked = checks(bound.py())?.call_method1("check_max_entries", (bound,))?;
                // More entries than fit an address space are no bound at all.
                checked.extract::<usize>().ok()
            }
        };
        Ok(PyCache {
            cache: Mutex::new(Cache::new(exact_depth, max_entries)),
            callable: Mutex::new(None),
            evaluation: Mutex::default(),
            exact_depth,
            max_entries,
        })
    }

    /// The function may know the cache that knows it.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.callable.try_lock() {
            Ok(callable) => visit.call(&*callable),
            Err(_) => Ok(()),
        }
    }

    fn __clear__(&self) {
        let callable = self.callable.try_lock().ok().and_then(|mut callable| callable.take());
        drop(callable);
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.lock()?.len())
    }

    /// A cache is true even when it is empty.
    #[allow(clippy::unused_self)]
    fn __bool__(&self) -> bool {
        true
    }

    #[cfg_attr(
        not(doctest),
        doc = r#"Look up what is known about a position; nothing is counted or changed.

Args:
    board: The position. Its clock matters under `exact_depth` where the fifty-move rule is near, its move stack never.

Returns:
    A `CacheEntry`, which unpacks into flag, value (centipawns, White's view) and depth, or None. A cache of `minimax`
    has an entry for each depth: the deepest.

Raises:
    TypeError: If `board` is none.
    ValueError: If it cannot be searched.
    CacheInUseError: If a search is using the cache.

Examples:
    >>> from betacut import engine
    >>> cache = engine.Cache()
    >>> engine.alpha_beta_pruning("P5", 4, cache=cache).score
    105
    >>> cache.get("P5")
    CacheEntry(flag='=', value=105, depth=4)
    >>> cache.get("P6") is None
    True"#
    )]
    #[allow(clippy::doc_markdown)]
    fn get<'py>(&self, board: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (py, root) = (board.py(), ReadBoard::new(board)?);
        let cache = self.lock()?;
        let evaluation = locked(&self.evaluation).clone();
        let Some(entry) = textbook::remembered(&cache, &root.position.with_evaluation(&evaluation)) else {
            return Ok(None);
        };
        let flag = match entry.bound {
            Kind::Exact => "=",
            Kind::Upper => "<=",
            Kind::Lower => ">=",
        };
        let entry_type = ENTRY_TYPE.import(py, RESULTS, "CacheEntry")?;
        entry_type.call1((flag, entry.value, entry.depth)).map(Some)
    }

    /// Forget everything, and let any function use the cache next.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let cache = &mut *self.lock()?;
        py.detach(|| cache.clear());
        let callable = locked(&self.callable).take();
        drop(callable);
        Ok(())
    }

    /// Whether only an entry of exactly the depth in question answers.
    #[getter]
    fn exact_depth(&self) -> bool {
        self.exact_depth
    }

    /// The bound on the number of entries, or None.
    #[getter]
    fn max_entries(&self) -> Option<usize> {
        self.max_entries
    }

    fn __repr__(&self) -> String {
        let rule = if self.exact_depth { "True" } else { "False" };
        let bound = self.max_entries.map_or("None".to_owned(), |bound| bound.to_string());
        let entries =
            self.lock().map_or("in use".to_owned(), |cache| format!("with {} entries", cache.len()));
        format!("Cache(exact_depth={rule}, max_entries={bound}) {entries}")
    }
}
