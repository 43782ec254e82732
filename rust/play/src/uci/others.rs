//! The other algorithms of betacut, as the protocol sees them: names, and a function that chooses a move.

use super::{command::Go, standing::Standing};
use crate::{Control, Verdict};

/// What another algorithm is asked.
pub struct Question {
    /// The algorithm.
    pub name: String,
    /// The game.
    pub standing: Standing,
    /// When the search ends.
    pub limit: Go,
}

/// What another algorithm answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The move to play.
    pub best: String,
    /// The answer to expect.
    pub ponder: Option<String>,
    /// The score, if it has one; from the side to move.
    pub score: Option<Verdict>,
    /// How deep it looked, if it knows. Plies.
    pub depth: Option<u32>,
    /// How much it looked at, if it knows.
    pub nodes: Option<u64>,
    /// The line it expects.
    pub pv: Vec<String>,
}

/// Everything that can choose a move beside the engine of the playing floor.
pub trait Others: Send {
    /// The names of the algorithms.
    fn names(&self) -> Vec<String>;

    /// An algorithm is about to be used: whatever takes time before its first move may be done now.
    fn select(&mut self, name: &str) -> Result<(), String>;

    /// Chooses a move. Once `control` is stopped it is to come to an end soon, with whatever move it has.
    fn choose(&mut self, question: Question, control: &Control) -> Result<Choice, String>;

    /// Another game begins: what was learnt from the last one is forgotten.
    fn new_game(&mut self);
}
