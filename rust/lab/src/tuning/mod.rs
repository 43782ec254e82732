//! What makes the playing floor stronger: games against itself, weights learned from them, matches between settings.
//!
//! The program `betacut-tune` offers it at a prompt.
//!
//! # The idea
//!
//! 1. [`generate()`] lets the engine play against itself, from openings at random, with a fixed number of nodes a move, and keeps the
//!    quiet positions with their scores and the results of their games ([`archive`]).
//! 2. [`Dataset`] counts once how often each term of the evaluation counts in each position.
//! 3. [`fit()`] finds the weights with which the evaluation foretells results and scores best; [`weights_file`] writes them.
//!    [`tables`] are the terms of an evaluation of pieces on squares alone, found in the same way.
//! 4. [`contest()`] lets two settings play each other by nodes, and says what the difference is worth.
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
mod model;
mod openings;
mod packed;
mod players;
mod show;
mod start;
pub mod tables;
pub mod weights_file;

pub use contest::{Plan as MatchPlan, Standing, Tally, Verdict, contest};
pub use dataset::{Dataset, Split, Terms, of_evaluation};
pub use error::Error;
pub use fit::{Fitted, Losses, Options, fit};
pub use game::{Adjudication, Ending, Fault, Finished, Thought, play};
pub use generate::{Plan as GamesPlan, Progress, generate, weights_number};
pub use model::Pull;
pub use openings::{Opening, read_epd};
pub use packed::Record;
pub use players::{Effort, Player, settings};
pub use show::show;
pub use start::start;
