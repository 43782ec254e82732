//! The exact floor: the value of a position at a depth and every best move, those of textbook minimax, as fast as
//! the machine allows. `docs/exact.md` explains it.
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
//!
//! **Tried, without gain**, at the depths named: enhanced transposition cutoffs (7 to 9: 2 to 4 % fewer nodes, their own
//! cost not counted); counter moves before or after the killers (6 to 8: 0.6 % fewer to 1.6 % more instructions); internal
//! iterative deepening at nodes without a table move (0 to 5 % more nodes); values by yes-or-no questions alone, MTD by
//! doubling steps, then bisection (5 to 8: 1.5 to 1.6 times the nodes); a table of 16 MiB at depth 8 instead of 2 MiB (up
//! to 20 % more time). Perfect order, the moves that cut in an identical search first, would save 18 to 28 % of the nodes
//! at depths 6 to 8: all that order can still save.

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
