//! Files of any size: the positions of their games ([`pgn`]), and where they may be cut ([`records`]).

pub mod pgn;
pub mod records;
mod source;

pub use source::{Source, buffered, open, plain};
