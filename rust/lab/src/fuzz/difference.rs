//! What the fuzzer reports.

use std::fmt;

use betacut_core::limits::Stopped;
use betacut_core::score::Depth;

/// The exact search and the textbook do not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The position.
    pub fen: String,
    /// The depth that was asked for.
    pub depth: Depth,
    /// How the exact search was asked.
    pub asked: String,
    /// What the textbook says.
    pub expected: String,
    /// What the exact search says.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { fen, depth, asked, expected, found } = self;
        write!(f, "{fen}, depth {depth}, {asked}\n  textbook: {expected}\n  exact:    {found}")
    }
}

/// What ends a comparison before all is compared.
pub(super) enum Halt {
    Differs(Box<Difference>),
    Stopped(Stopped),
}

impl From<Stopped> for Halt {
    fn from(stopped: Stopped) -> Halt {
        Halt::Stopped(stopped)
    }
}

/// What comes of a comparison.
pub(super) type Compared = Result<(), Halt>;
