//! The other published teaching programs, a folder each: their searches with their evaluations, rules and quirks.
//!
//! All of them are written on python-chess, so they share what they have from it, and only that:
//!
//! | component | what it holds |
//! |---|---|
//! | [`betacut_core::move_order::python_chess`] | the order of legal moves and of legal captures |
//! | [`betacut_core::rules::automatic_ending`] | the end of a game that nobody claims |
//! | [`node`] | a position with three kinds of key, and the line with its repetitions |
//! | [`crate::dictionary`] | what is remembered, by key |
//! | [`material`] | bare material |
//! | [`crate::observer`] | whoever looks on, and how the searches tell |
//! | [`tablebase`] | an endgame tablebase, and when it is asked |
//! | [`crate::terminal_filter`] | which moves cannot end the game, so that leaves need not be made |
//!
//! # The programs
//!
//! | program | what it is |
//! |---|---|
//! | [`chessai`] | students' work in Mannheim: path scores, a memory, progressive deepening, captures extended |
//! | [`cosc76`] | a report for Dartmouth's COSC 76: bare material, a memory of pictures, counted deepening |
//! | [`didactic`] | "Chess Engine - a didactic introduction": from minimax to principal variation search with quiescence |
//!
//! # How a program is written
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

/// A win in the columns of a recorded tree, where its distance is not told as the textbook's mates tell it. The columns
/// have a scale of their own: centipawns, mates beyond 100,000, the open window 200,000. Each program says how its scores
/// are fitted into it.
const WIN: betacut_core::score::Score = 150_000;
