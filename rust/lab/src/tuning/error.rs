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

    /// An error with a file.
    pub fn of_file(path: &Path, reason: impl Display) -> Error {
        Error(format!("{}: {reason}", path.display()))
    }
}
