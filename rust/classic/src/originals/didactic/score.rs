//! Scores, ordered as python-chess orders its `chess.engine.Score`, in one integer.
//!
//! ```text
//! LOWEST < Mate(-0) < Mate(-1) < Mate(-2) < … < Cp(any) < … < Mate(2) < Mate(1) < MateGiven < HIGHEST
//! ```
//!
//! A `Cp` is its own number. A mate lies [`MATE_GIVEN`] away from 0, less the plies it is away, so that the order is that
//! of the integers and the other side's view is the negative.

use crate::originals::WIN;
use betacut_core::score::{self, Score};

/// A score; whose view, says who returns it.
pub type Value = i32;

/// The checkmate that stands on the board, seen by the winner: `MateGiven`.
pub const MATE_GIVEN: Value = 1_000_000;

/// The same, seen by the loser: `Mate(-0)`.
pub const MATED: Value = -MATE_GIVEN;

/// Above every score: `HighestScore`.
pub const HIGHEST: Value = 2_000_000;

/// Below every score: `LowestScore`.
pub const LOWEST: Value = -HIGHEST;

/// No mate is so many plies away, and no evaluation comes near what is left.
pub const FARTHEST_MATE: Value = MATE_GIVEN / 2;

/// Whether the score is a mate; [`HIGHEST`] and [`LOWEST`] are none.
#[inline]
pub const fn is_mate(value: Value) -> bool {
    MATE_GIVEN - FARTHEST_MATE < value.abs() && value.abs() <= MATE_GIVEN
}

/// The mate, if it is one, so many plies further away: `increased_mate`.
#[inline]
pub const fn increased_mate(value: Value, plies: i32) -> Value {
    match () {
        () if !is_mate(value) => value,
        () if value > 0 => value - plies,
        () => value + plies,
    }
}

/// The mate that is given in so many plies, or for a negative number received; 0 is being mated.
#[inline]
pub const fn mate(plies: i32) -> Value {
    if plies > 0 { MATE_GIVEN - plies } else { MATED.saturating_sub(plies) }
}

/// A score in the columns of a tree; a mate is [`WIN`] less the plies it is away, if the engine counts them.
pub fn recorded(value: Value) -> Score {
    let size = match value.saturating_abs() {
        size if size >= HIGHEST => score::INFINITY,
        size if is_mate(size) => (WIN + size - MATE_GIVEN).max(score::MATE),
        size => size.min(score::MATE),
    };
    if value < 0 { -size } else { size }
}
