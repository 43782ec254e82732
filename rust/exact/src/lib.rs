//! The exact floor: the value of a position at a depth and every best move, those of textbook minimax, as fast as
//! the machine allows. `docs/exact.md` explains it, file by file.
//!
//! ```
//! use betacut_core::position::Position;
//! use betacut_exact::{Question, search};
//!
//! let position = Position::from_fen("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83").unwrap();
//! let answer = search(&position, &Question::new(6), None, &mut || false).unwrap();
//! assert_eq!(answer.score, 85);
//! assert_eq!(answer.best_moves.len(), 1);
//! ```

mod analysis;
pub mod bounds;
pub mod certificate;
mod driver;
pub mod leaves;
mod line;
pub mod many;
mod oracle;
pub mod ordering;
mod question;
mod root;
pub mod search;
mod shallow_roots;
pub mod table;
mod threads;
mod window;

pub use analysis::Analysis;
pub use driver::{Deepening, search};
pub use line::{principal_variation, search_with_line};
pub use oracle::ExactOracle;
pub use question::{Answer, Counts, Iteration, Question, Techniques, Wanted};
pub use table::{OutOfMemory, Table};
pub use window::value_within;
