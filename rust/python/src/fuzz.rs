//! The fuzzer as a Python object that runs in slices.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::errors::{locked, unknown};
use super::interrupt::detached;
use betacut_core::{limits::Stopped, score::Depth};
use betacut_lab::fuzz::{Fuzzer, Kind, Random, position};

/// A run of the fuzzer: the exact search against the textbook. Use `betacut.lab.fuzz`.
#[pyclass(frozen, name = "Fuzzer", module = "betacut._betacut")]
pub struct PyFuzzer(Mutex<Fuzzer>);

#[pymethods]
impl PyFuzzer {
    #[new]
    #[pyo3(signature = (seed, *, depth=None, kind=None, quiescence=false))]
    fn new(seed: u64, depth: Option<Depth>, kind: Option<&str>, quiescence: bool) -> PyResult<PyFuzzer> {
        let mut fuzzer = Fuzzer::new(seed).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        if let Some(depth) = depth {
            fuzzer = fuzzer.with_depth(depth);
        }
        if let Some(name) = kind {
            let kind = Kind::from_name(name).ok_or_else(|| unknown("kind", name))?;
            fuzzer = fuzzer.with_kind(kind);
        }
        if quiescence {
            fuzzer = fuzzer.with_quiescence();
        }
        Ok(PyFuzzer(Mutex::new(fuzzer)))
    }

    /// Check positions for this many seconds; return the first difference, as text, or None.
    fn run(&self, py: Python<'_>, seconds: f64) -> PyResult<Option<String>> {
        let slice = Duration::try_from_secs_f64(seconds)
            .map_err(|error| PyValueError::new_err(format!("seconds: {error}")))?;
        detached(py, |poll| {
            let start = Instant::now();
            let mut fuzzer = locked(&self.0);
            // A difference is made small even if that takes longer, unless there is a signal.
            let mut failure = None;
            while failure.is_none() && start.elapsed() < slice && !poll() {
                failure = fuzzer.run(1, poll);
            }
            Ok::<_, Stopped>(failure.map(|failure| failure.to_string()))
        })
    }

    /// How many positions of each kind have been checked.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts: Vec<_> = py.detach(|| locked(&self.0).counts().collect());
        let dict = PyDict::new(py);
        for (kind, count) in counts {
            dict.set_item(kind.name(), count)?;
        }
        Ok(dict)
    }
}

/// The names of the kinds of positions.
#[pyfunction]
pub fn fuzz_kinds() -> Vec<&'static str> {
    Kind::ALL.into_iter().map(Kind::name).collect()
}

/// A position of a kind, as a FEN. The same seed and case make the same position on every machine.
#[pyfunction]
pub fn fuzz_position(kind: &str, seed: u64, case: u64) -> PyResult<String> {
    let kind = Kind::from_name(kind).ok_or_else(|| unknown("kind", kind))?;
    Ok(position(kind, &mut Random::new(seed, case)).fen())
}
