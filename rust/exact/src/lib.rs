//! The exact floor: the value of a position at a depth and every best move, those of textbook minimax, as fast as
//! the machine allows.
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

pub mod analysis;
pub mod batch;
pub mod bounds;
pub mod certificate;
pub mod checks;
pub mod columns;
pub mod driver;
pub mod frontier;
pub mod futility;
pub mod line;
pub mod one_ply;
pub mod oracle;
pub mod ordering;
pub mod parallel;
pub mod pre_frontier;
pub mod question;
pub mod root;
pub mod rows;
pub mod search;
pub mod table;
pub mod team;
pub mod three_plies;
pub mod two_ply;
pub mod window;

pub use analysis::Analysis;
pub use driver::{Deepening, search};
pub use line::{principal_variation, search_with_line};
pub use oracle::ExactOracle;
pub use question::{Answer, Counts, Iteration, Question, Techniques, Wanted};
pub use table::{OutOfMemory, Table};
pub use window::value_within;
