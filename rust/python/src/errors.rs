//! Every Rust error becomes its Python exception here, and only here.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::modules::{ARGUMENTS, exceptions};
use betacut_classic::{cache::CacheMismatch, originals::didactic, textbook::SearchError};
use betacut_core::{evaluation::EvaluationMismatch, limits::Stopped, position::InvalidPosition};
use betacut_exact::certificate::Unproved;

/// The module with the argument checks and their messages.
pub fn checks(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(ARGUMENTS)
}

/// A Python exception that a Rust error became.
pub struct Error(pub PyErr);

/// The exception for an error.
pub fn raised(error: impl Into<Error>) -> PyErr {
    error.into().0
}

impl From<PyErr> for Error {
    fn from(error: PyErr) -> Error {
        Error(error)
    }
}

impl From<Stopped> for Error {
    fn from(error: Stopped) -> Error {
        match error {
            Stopped::Interrupted => PyKeyboardInterrupt::new_err(()).into(),
            Stopped::OutOfMemory | Stopped::NoMemory => PyMemoryError::new_err(error.to_string()).into(),
            // These end inside the core.
            Stopped::LimitReached | Stopped::Overtaken => PyRuntimeError::new_err(error.to_string()).into(),
        }
    }
}

impl From<Unproved> for Error {
    fn from(error: Unproved) -> Error {
        match error {
            Unproved::Stopped(error) => error.into(),
            Unproved::MostPositions(_) | Unproved::MostChoices(_) => {
                exceptions::CertificateError::new_err(error.to_string()).into()
            }
        }
    }
}

impl From<CacheMismatch> for Error {
    fn from(error: CacheMismatch) -> Error {
        exceptions::CacheMismatchError::new_err(error.to_string()).into()
    }
}

impl From<EvaluationMismatch> for Error {
    fn from(error: EvaluationMismatch) -> Error {
        exceptions::CacheMismatchError::new_err(error.to_string()).into()
    }
}

impl From<SearchError> for Error {
    fn from(error: SearchError) -> Error {
        match error {
            SearchError::Stopped(error) => error.into(),
            SearchError::CacheMismatch(error) => error.into(),
        }
    }
}

impl From<didactic::SearchError> for Error {
    fn from(error: didactic::SearchError) -> Error {
        match error {
            didactic::SearchError::Stopped(error) => error.into(),
            error => exceptions::OriginalCrashError::new_err(error.to_string()).into(),
        }
    }
}

impl From<InvalidPosition> for Error {
    fn from(error: InvalidPosition) -> Error {
        exceptions::InvalidPositionError::new_err(error.to_string()).into()
    }
}

/// What a mutex guards, for this thread alone; poisoned or not, what is kept is stored whole or not at all.
pub fn alone<T>(mutex: &Mutex<T>, in_use: fn() -> PyErr) -> PyResult<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Ok(guard),
        Err(TryLockError::WouldBlock) => Err(in_use()),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
    }
}

/// The same, waited for.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A value with its type, shortened, as `betacut.core.arguments` writes it in messages.
pub fn described(value: &Bound<'_, PyAny>) -> String {
    checks(value.py())
        .and_then(|checks| checks.call_method1("described", (value,))?.extract())
        .unwrap_or_else(|_| "a value that cannot be shown".to_owned())
}

/// There is nothing of this name.
pub fn unknown(what: &str, name: &str) -> PyErr {
    let name: String = name.chars().take(80).collect();
    PyValueError::new_err(format!("unknown {what} {name:?}"))
}

/// A cache is used by two searches at once.
pub fn cache_in_use() -> PyErr {
    exceptions::CacheInUseError::new_err(
        "the cache is in use by another search; give every thread a Cache of its own",
    )
}

/// A cache holds values by another evaluation.
pub fn cache_evaluation_mismatch(held: &str, wanted: &str) -> PyErr {
    let other =
        if held == wanted { "another evaluation".to_owned() } else { format!("the evaluation {held}") };
    exceptions::CacheMismatchError::new_err(format!(
        "this cache holds values by {other}, not by {wanted}: use another Cache or clear() it"
    ))
}

/// A player chooses two moves at once.
pub fn player_in_use() -> PyErr {
    exceptions::PlayerInUseError::new_err(
        "the player is choosing a move at this moment; give every game a player of its own",
    )
}
