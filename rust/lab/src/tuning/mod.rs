//! What makes the playing floor stronger: games against itself ([`generate()`]), weights learned from them ([`fit()`]),
//! matches between settings ([`contest()`]), parameters of the search ([`spsa`]). The program `betacut-tune` offers it;
//! `docs/tuning.md` explains it.
//!
//! **Determinism.** Everything is a function of its seed: a game is played by one thread, by nodes, with an engine that
//! has forgotten all games before.

pub mod archive;
pub mod arguments;
mod contest;
mod dataset;
mod error;
mod fit;
mod game;
mod gauge;
mod generate;
mod logistic;
mod model;
pub mod network;
mod openings;
mod packed;
mod players;
pub mod queue;
mod show;
pub mod spsa;
mod start;
pub mod tables;
mod threads;
pub mod weights_file;

pub use contest::{Plan as MatchPlan, Standing, Verdict, contest};
pub use dataset::{Dataset, Split, Terms, of_evaluation};
pub use error::Error;
pub use fit::{Fitted, Losses, Options, fit};
pub use game::Adjudication;
pub use generate::{Plan as GamesPlan, Progress, generate};
pub use model::Pull;
pub use openings::read_epd;
pub use players::{HASH_MB, settings};
pub use show::show;
pub use start::start;
