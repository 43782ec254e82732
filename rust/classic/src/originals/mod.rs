//! The other published teaching programs, a folder each: their searches with their evaluations, rules and quirks.
//!
//! All of them are written on python-chess, so they share what they have from it, and only that: its order of moves and its
//! end of a game without claims ([`betacut_core`]), [`node`] and its three kinds of key, [`material`], [`tablebase`].
//!
//! A page per algorithm, as the textbook floor has them: contract, steps, source. Faithful means the original's score,
//! move, line and counts, quirks included, and each quirk named where it happens. Searches return their value through
//! `?`, so that a stopped search unwinds at once; what is counted is a plain struct of the program's own.

pub mod chessai;
pub mod cosc76;
pub mod didactic;
mod material;
pub mod node;
pub mod tablebase;

/// A win in the columns of a tree, beyond the textbook's mates (100,000) and within the open window (200,000).
const WIN: betacut_core::score::Score = 150_000;
