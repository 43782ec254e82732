//! The value of a position.
//!
//! A score is a number of centipawns from **White's** point of view: positive is good for White, and White is
//! the side that maximises, whichever side is to move. Evaluations of real positions stay far below [`MATE`].

use shakmaty::Color;

/// Centipawns from White's point of view.
pub type Score = i32;

/// Plies left to search. Quiescence counts on below zero.
pub type Depth = i32;

/// The value of a checkmated Black king; with `d` plies to spare it is `±(MATE + d)`, so a quicker mate is worth more.
pub const MATE: Score = 100_000;

/// A bound that no score reaches: the open end of a search window.
pub const INFINITY: Score = 200_000;

/// The deepest search that is accepted, in plies: the recursion stays far inside an ordinary stack, Python's too.
pub const MAX_DEPTH: Depth = 100;

/// A score from White's view as `color` sees it, or the other way round.
pub fn view_of(color: Color, score: Score) -> Score {
    color.fold_wb(score, -score)
}

/// The moves to the mate that a search of `depth` plies found: positive if White mates, negative if Black does, 0 if the
/// side to move is mated already. None if the score is no mate.
///
/// ```
/// use betacut_core::score::{MATE, moves_to_mate};
/// assert_eq!(moves_to_mate(MATE, 3), Some(2));
/// assert_eq!(moves_to_mate(-(MATE + 2), 4), Some(-1));
/// assert_eq!(moves_to_mate(MATE + 4, 4), Some(0));
/// assert_eq!(moves_to_mate(35, 4), None);
/// ```
pub fn moves_to_mate(score: Score, depth: Depth) -> Option<i32> {
    let left = score.abs() - MATE;
    // After an odd number of plies it is the side to move that mates, after an even number it is mated.
    (0..=MAX_DEPTH).contains(&left).then(|| score.signum() * (((depth - left).max(0) + 1) / 2))
}
