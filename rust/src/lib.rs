//! Classical game-tree search for chess: exact, measured and fast.
//!
//! The crate is the core of the Python package `betacut`; everything but [`mod@python`] works without Python.
//!
//! # The map
//!
//! | module | what it holds |
//! |---|---|
//! | [`score`], [`window`] | the two values every search passes about |
//! | [`position`], [`key`], [`rules`] | the rules of chess through shakmaty, with score and key by increments; when a game is over |
//! | [`fen`] | FENs about which there is no doubt |
//! | [`checks`] | pins and checks |
//! | [`evaluation`], [`move_order`] | what a position is worth; in which order moves are looked at |
//! | [`terminal_filter`] | which moves cannot end the game, told without making them |
//! | [`board`], [`piece_code`] | the fast board of the exact search, and how it names the pieces |
//! | [`cache`], [`limits`], [`statistics`], [`observer`] | the memo, what stops a search, what is counted, what is recorded |
//! | [`textbook`] | the published algorithms, one page each, node for node |
//! | [`exact`] | the same answers, as fast as the machine allows |
//! | [`play`] | a selective search that plays: strength instead of exactness |
//! | [`certificate`] | the answers of the exact search with their proofs |
//! | [`fuzz`] | the two floors compared |
//! | [`tuning`] | games of the playing floor against itself; the weights learned from them |
//! | [`measure`], [`random`] | what searches are measured by; numbers that look like chance |
//! | [`originals`] | other published programs, faithful to the node |
//! | [`pgn`], [`records`], [`texts`] | positions of the games of a file; where files may be cut; columns of texts |
//! | [`uci`] | the protocol by which other programs play against all of them |
//! | [`mod@perft`] | counting the tree |
//!
//! # The textbook floor
//!
//! ```
//! use betacut::{Cache, Limits, Position, textbook::{self, Algorithm}};
//!
//! let position = Position::from_fen("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83").unwrap();
//! let search = |cache: &mut Cache| {
//!     textbook::search(Algorithm::AlphaBetaPruning, &position, &[], 6, cache, Limits::new(&mut || false)).unwrap()
//! };
//! // The original's table lets deeper entries answer shallower questions; the exact one does not.
//! assert_eq!(search(&mut Cache::default()).score, 95);
//! assert_eq!(search(&mut Cache::exact()).score, 85);
//! ```

pub mod board;
pub mod cache;
pub mod certificate;
pub mod checks;
pub mod evaluation;
pub mod exact;
pub mod fen;
pub mod fuzz;
pub mod key;
pub mod limits;
pub mod measure;
pub mod move_order;
pub mod observer;
pub mod originals;
pub mod perft;
pub mod pgn;
pub mod piece_code;
pub mod play;
pub mod position;
#[cfg(feature = "python")]
pub mod python;
pub mod random;
pub mod records;
pub mod rules;
pub mod score;
pub mod statistics;
pub mod terminal_filter;
pub mod textbook;
pub mod texts;
pub mod tuning;
pub mod uci;
pub mod window;

pub use cache::Cache;
pub use limits::Limits;
pub use position::Position;
