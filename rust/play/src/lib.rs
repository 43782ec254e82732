//! The playing floor: a selective search that is asked for a good move in little time. Strength counts, not exactness.
//!
//! # The map
//!
//! | file | what it holds |
//! |---|---|
//! | [`engine`] | what lasts from move to move; the threads |
//! | [`game`], [`limit`], [`control`], [`clock`] | what is asked, what is answered, what ends a search |
//! | [`root`], [`search`], [`quiescence`] | depth after depth; one node; where the depth ends |
//! | [`pruning`] | what need not be searched, and why |
//! | [`picker`], [`history`], [`learning`] | the order of moves, and what it learns from |
//! | [`table`], [`repetition`], [`tablebases`], [`strategy`], [`mates`] | what is known of positions |
//! | [`mate_search`], [`mate_memory`] | whether there is a mate in so many moves |
//! | [`handicap`] | how to play worse |
//! | [`session`], [`uci`] | the engine with options and a book; the protocol |
//! | [`evaluation`] | what a quiet position is worth |
//! | [`parameters`], [`values`] | all numbers, with a switch for each technique; the range of scores |
//!
//! ```
//! use betacut_play::{Control, Engine, Game, Limit, Settings, Verdict};
//! use shakmaty::CastlingMode;
//!
//! let game = Game::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", CastlingMode::Standard).unwrap();
//! let mut engine = Engine::new(Settings::default()).unwrap();
//! let limit = Limit { depth: Some(4), ..Limit::default() };
//! let outcome = engine.search(&game, &limit, &Control::new(), &mut |_| {});
//! assert_eq!(outcome.best.unwrap().to_string(), "Rd1-d8");
//! assert_eq!(outcome.lines[0].score, Verdict::Mate(1));
//! ```

pub mod clock;
pub mod control;
pub mod engine;
pub mod evaluation;
pub mod game;
pub mod handicap;
pub mod history;
pub mod learning;
pub mod limit;
pub mod mate_memory;
pub mod mate_search;
pub mod mates;
pub mod node;
pub mod parameters;
pub mod picker;
pub mod pruning;
pub mod quiescence;
pub mod repetition;
pub mod root;
pub mod search;
pub mod session;
pub mod strategy;
pub mod table;
pub mod tablebases;
pub mod uci;
pub mod values;
pub mod worker;

pub use control::Control;
pub use engine::{Engine, Error, Settings};
pub use game::Game;
pub use limit::{Info, Limit, Outcome, Verdict};
pub use parameters::{Parameters, UnknownParameter};

/// What the evaluation says of a position, in centipawns for the side to move, without any search.
pub fn evaluate(game: &Game) -> betacut_core::score::Score {
    evaluation::evaluate(&game.board(&evaluation::WEIGHTS))
}
