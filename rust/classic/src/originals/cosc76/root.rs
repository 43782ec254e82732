//! Which root move is played.
//!
//! **Contract.** A move at least as good as the best so far replaces it, so the last of the equally good moves wins; but
//! a move that is only as good does not replace if the player has chosen a move of the same name before, in whatever
//! position. With all moves lost (or won, for Black) the last one not played before is taken; if all were, there is no
//! move, and the original crashes.
//!
//! Source: the original's `choose_move`.

use std::collections::BTreeSet;

use shakmaty::{CastlingMode, Move};

use super::evaluation::{INFINITY, Value, worst_for};

/// The moves a player has chosen before, by their UCI names; `None` (chosen when there was no move) is a name too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayedMoves(BTreeSet<String>);

impl PlayedMoves {
    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Adds a choice.
    pub fn add(&mut self, m: Option<Move>) {
        self.0.insert(name_of(m));
    }

    fn contains(&self, m: Move) -> bool {
        !self.0.is_empty() && self.0.contains(&name_of(Some(m)))
    }
}

/// What Python's `str` makes of a move: UCI, castling as a king's move.
pub fn name_of(m: Option<Move>) -> String {
    m.map_or_else(|| "None".to_owned(), |m| m.to_uci(CastlingMode::Standard).to_string())
}

/// The best root move so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    /// Its value, White's view.
    pub value: Value,
    /// The move.
    pub m: Option<Move>,
    maximizing: bool,
}

impl Best {
    /// Nothing yet: the worst value there is.
    pub fn new(maximizing: bool) -> Best {
        Best { value: worst_for(maximizing), m: None, maximizing }
    }

    /// Nothing yet, from minus infinity upwards for Black too: a slip of the deepening players.
    pub fn from_below(maximizing: bool) -> Best {
        Best { value: -INFINITY, ..Best::new(maximizing) }
    }

    /// Looks at a root move of this value.
    pub fn offer(&mut self, m: Move, value: Value, played: &PlayedMoves) {
        let good = if self.maximizing { value >= self.value } else { value <= self.value };
        if good && (value != self.value || !played.contains(m)) {
            self.value = value;
            self.m = Some(m);
        }
    }
}
