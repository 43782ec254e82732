//! The playing floor: a selective search that is asked for a good move in little time. Strength counts, not exactness.
//! `docs/playing.md` has the contract and the techniques.
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

mod clock;
mod control;
mod engine;
pub mod evaluation;
mod game;
mod handicap;
mod history;
mod learning;
mod limit;
mod mate_memory;
mod mate_search;
mod mates;
pub mod network;
mod node;
mod parameters;
mod picker;
mod pruning;
mod quiescence;
mod repetition;
mod root;
mod search;
pub mod session;
mod strategy;
mod table;
mod tablebases;
mod threats;
pub mod uci;
mod values;
mod worker;

pub use control::Control;
pub use engine::{Engine, Error, Settings};
pub use game::Game;
pub use handicap::RATINGS;
pub use limit::{Info, Limit, Outcome, Verdict};
pub use parameters::{Parameters, UnknownParameter};

/// What the evaluation says of a position, in centipawns for the side to move, without any search.
pub fn evaluate(game: &Game) -> betacut_core::score::Score {
    evaluation::evaluate(&game.board(&evaluation::WEIGHTS))
}
