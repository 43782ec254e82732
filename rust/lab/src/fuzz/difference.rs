//! What the fuzzer reports.

use shakmaty::{CastlingMode, File, Move};

use betacut_core::{limits::Stopped, score::Depth};

/// The exact search and the textbook do not agree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fen}, depth {depth}, {asked}\n  textbook: {expected}\n  exact:    {found}")]
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

/// What ends a comparison before all is compared.
#[derive(Debug, thiserror::Error)]
pub(super) enum Halt {
    #[error("{0}")]
    Differs(Box<Difference>),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// What comes of a comparison.
pub(super) type Compared = Result<(), Halt>;

/// A move by its name: castling as the king's, unless it is none of standard chess.
pub(super) fn uci(m: Move) -> String {
    let mode = match m {
        Move::Castle { king, rook } => {
            CastlingMode::from_standard(king.file() == File::E && matches!(rook.file(), File::A | File::H))
        }
        _ => CastlingMode::Standard,
    };
    m.to_uci(mode).to_string()
}
