//! A small neural network that says what a position is worth, in whole numbers.
//!
//! **What it sees.** Both sides look at the board, the side to move first. Each sees 768 inputs, one for every kind of man,
//! own or the other's, on every square; the board is turned so that its men move up, and mirrored so that its king stands
//! on the files from a to d ([`features()`]).
//!
//! **What it computes.** Each side's inputs are summed up to a row of hidden neurons. A neuron counts with the square of what
//! it holds, cut to what lies between 0 and 1; one output of eight, by the number of men, adds up those of both sides.
//!
//! **The numbers.** Weights of inputs are whole 255ths ([`QA`]), those of outputs whole 64ths ([`QB`]), both in 16 bits. They
//! are so small that no sum overflows ([`INPUT_LIMIT`], [`OUTPUT_LIMIT`]). The result divides towards zero.
//!
//! Source: chessprogramming.org "NNUE", "Stockfish NNUE".

mod accumulators;
mod features;
mod format;
mod layers;
mod net;

pub use accumulators::Accumulators;
pub use features::{Features, features};
pub use format::{MAX_NOTE, NetworkError, NoNetwork};
pub use net::Network;

/// The inputs of a side.
pub const INPUTS: usize = 768;
/// The outputs, one for every four men.
pub const BUCKETS: usize = 8;
/// What 1 is in the weights of the inputs, and in a neuron.
pub const QA: i32 = 255;
/// What 1 is in the weights of the outputs.
pub const QB: i32 = 64;
/// The centipawns of an output of 1, where the side to move expects e times as many points as the other.
pub const SCALE: i32 = 400;
/// Neurons come in so many at once.
pub const STEP: usize = 16;
/// The most neurons of a side.
pub const MAX_HIDDEN: usize = 512;
/// What a weight or bias of the inputs may be at most, with either sign: 32 of them and a bias fit in 16 bits.
pub const INPUT_LIMIT: i16 = i16::MAX / 33;
/// What a weight of the outputs may be at most, with either sign: times [`QA`] it fits in 16 bits.
pub const OUTPUT_LIMIT: i16 = 127;

#[cfg(test)]
mod tests;
