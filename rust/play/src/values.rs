//! Scores of the playing floor: centipawns for the side to move, mates counted from the root.
//!
//! Scores fit in 16 bits. From the middle outwards: what the evaluation says, up to [`EVALUATION_LIMIT`]; wins that a
//! tablebase knows, [`TABLEBASE_WIN`] less the plies to where it was asked; mates, [`MATE`] less the plies to it.

use betacut_core::score::Score;

/// Beyond every score.
pub const INFINITE: Score = 32_500;
/// The side to move has been mated at the root, with the other sign; in n plies, n less.
pub const MATE: Score = 32_000;
/// The deepest ply that is searched.
pub const MAX_PLY: usize = 200;
/// Scores beyond this are mates.
pub const MATE_BOUND: Score = MATE - MAX_PLY as Score - 1;
/// A win that a tablebase knows, at the root; in n plies, n less.
pub const TABLEBASE_WIN: Score = 31_000;
/// Scores beyond this are wins, by mate or by tablebase.
pub const WIN_BOUND: Score = TABLEBASE_WIN - MAX_PLY as Score - 1;
/// The evaluation stays within.
pub const EVALUATION_LIMIT: Score = 30_000;
pub const DRAW: Score = 0;

/// The side to move is mated so many plies from the root.
pub const fn mated_in(ply: usize) -> Score {
    ply as Score - MATE
}

/// Whether a score is a win or a loss for certain.
pub const fn is_decided(score: Score) -> bool {
    score.abs() > WIN_BOUND
}

/// A score as it is kept in the table: wins and losses count from the position it belongs to.
#[inline(always)]
pub const fn to_table(score: Score, ply: usize) -> Score {
    if score > WIN_BOUND {
        score + ply as Score
    } else if score < -WIN_BOUND {
        score - ply as Score
    } else {
        score
    }
}

/// A score of the table as it counts from the root.
#[inline(always)]
pub const fn from_table(score: Score, ply: usize) -> Score {
    if score > WIN_BOUND {
        score - ply as Score
    } else if score < -WIN_BOUND {
        score + ply as Score
    } else {
        score
    }
}
