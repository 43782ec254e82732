//! The published algorithms ([`textbook`]) and programs ([`originals`]), node for node.
//!
//! ```
//! use betacut_classic::cache::Cache;
//! use betacut_classic::textbook::{self, Algorithm};
//! use betacut_core::limits::Limits;
//! use betacut_core::position::Position;
//!
//! let position = Position::from_fen("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83").unwrap();
//! let search = |cache: &mut Cache| {
//!     textbook::search(Algorithm::AlphaBetaPruning, &position, &[], 6, cache, Limits::new(&mut || false)).unwrap()
//! };
//! // The original's table lets deeper entries answer shallower questions; the exact one does not.
//! assert_eq!(search(&mut Cache::default()).score, 95);
//! assert_eq!(search(&mut Cache::exact()).score, 85);
//! ```

use betacut_core::limits::Stopped;

/// What was found, unless the search was stopped.
pub(crate) type Result<T, E = Stopped> = std::result::Result<T, E>;

pub mod cache;
mod dictionary;
pub mod observer;
pub mod originals;
pub mod statistics;
mod terminal_filter;
pub mod textbook;
