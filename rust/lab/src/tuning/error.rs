//! What goes wrong outside of the program: files, texts, engines.

use std::fmt::Display;
use std::fs::{File, TryLockError};
use std::path::Path;

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(String);

impl Error {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Error {
        Error(message.into())
    }

    /// An error if there are no positions to learn from, or none to test by.
    pub fn if_too_few(training: usize, validation: usize) -> Result<(), Error> {
        if training > 0 && validation > 0 {
            return Ok(());
        }
        Err(Error(format!(
            "{training} positions to learn from and {validation} to test by are too few: there must be some of both"
        )))
    }

    /// Locks a file until it is closed; an error if another writer of the kind has locked it.
    pub fn if_locked(file: &File, path: &Path, writer: &str, kind: &str) -> Result<(), Error> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(Error::of_file(
                path,
                format!("another {writer} writes to it; another {kind} must be named"),
            )),
            _ => Ok(()), // some file systems have no locks
        }
    }

    /// An error with a file.
    pub fn of_file(path: &Path, reason: impl Display) -> Error {
        Error(format!("{}: {reason}", path.display()))
    }
}
