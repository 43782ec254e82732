//! The exact floor: the value of a position at a depth and every best move, those of textbook minimax, as fast as
//! the machine allows.
//!
//! # The map
//!
//! | file | what it holds |
//! |---|---|
//! | [`question`] | what is asked, and what is answered |
//! | [`driver`], [`analysis`], [`window`] | from a question to its answer, depth after depth |
//! | [`root`], [`mod@search`] | one depth of the root; one node |
//! | [`shallow_roots`] | questions of one and two plies, which need no search |
//! | [`leaves`] | one, two and three plies before the leaves, where nearly all the work is |
//! | [`bounds`], [`ordering`], [`table`] | what is known of moves, which is tried first, what is remembered |
//! | [`mod@line`], [`oracle`] | the principal variation; values known beforehand |
//! | [`threads`], [`many`] | several threads for one question; many questions |
//! | [`certificate`] | answers with their proofs |
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
pub mod bounds;
pub mod certificate;
pub mod driver;
pub mod leaves;
pub mod line;
pub mod many;
pub mod oracle;
pub mod ordering;
pub mod question;
pub mod root;
pub mod search;
pub mod shallow_roots;
pub mod table;
pub mod threads;
pub mod window;

pub use analysis::Analysis;
pub use driver::{Deepening, search};
pub use line::{principal_variation, search_with_line};
pub use oracle::ExactOracle;
pub use question::{Answer, Counts, Iteration, Question, Techniques, Wanted};
pub use table::{OutOfMemory, Table};
pub use window::value_within;
