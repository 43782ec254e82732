//! What goes wrong outside of the program: files, texts, engines.

use std::{fmt::Display, path::Path};

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

    /// An error with a file.
    pub fn of_file(path: &Path, reason: impl Display) -> Error {
        Error(format!("{}: {reason}", path.display()))
    }
}
