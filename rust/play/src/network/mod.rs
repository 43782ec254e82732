//! A small neural network that says what a position is worth, in whole numbers.
//!
//! **What it sees.** Both sides look at the board, the side to move first. Each sees 768 inputs, one for every kind of man,
//! own or the other's, on every square; the board is turned so that its men move up, and mirrored so that its king stands
//! on the files from a to d ([`features`]).
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
#[cfg(test)]
mod tests;

pub use accumulators::Accumulators;
pub use features::{Features, features};
pub use format::{NetworkError, NoNetwork};

use std::sync::{Arc, LazyLock};

use super::values::EVALUATION_LIMIT;
use betacut_core::{board::FlippedBoard, score::Score};
use features::features_of;
use layers::Steps;

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

/// The file of the network that is built in; none until one has shown that it plays better than the hand-written evaluation.
const BUILT_IN: Option<&[u8]> = None;

/// A network.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    /// The neurons of a side: a multiple of [`STEP`], at most [`MAX_HIDDEN`].
    pub hidden: usize,
    /// How it was made.
    pub note: String,
    /// What the neurons hold before any man is seen.
    pub input_biases: Vec<i16>,
    /// What each input adds to each neuron: all of an input side by side.
    pub input_weights: Vec<i16>,
    /// What each neuron counts, by output: those of the side to move, then those of the other.
    pub output_weights: Vec<i16>,
    /// What each output begins with, in parts of [`QA`] times [`QB`].
    pub output_biases: [i32; BUCKETS],
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Network { hidden, note, .. } = self;
        f.debug_struct("Network").field("hidden", hidden).field("note", note).finish_non_exhaustive()
    }
}

impl Network {
    /// The network that is built in, if there is one.
    pub fn built_in() -> Option<Arc<Network>> {
        static NETWORK: LazyLock<Option<Arc<Network>>> =
            LazyLock::new(|| BUILT_IN.map(|bytes| Arc::new(Network::read(bytes).expect("a whole network"))));
        NETWORK.clone()
    }

    /// What a position is worth to the side to move, in centipawns.
    pub fn evaluate(&self, position: &shakmaty::Chess) -> Score {
        self.evaluate_board(&FlippedBoard::read_keyless(position, |_| ()))
    }

    /// [`Network::evaluate`] of a board, from scratch.
    pub(crate) fn evaluate_board<C>(&self, board: &FlippedBoard<C>) -> Score {
        let seen = features_of(board);
        let biases = self.input_biases.as_chunks().0;
        let [us, them] = [&seen.us, &seen.them].map(|inputs| {
            let mut neurons = biases.to_vec();
            self.replace(biases, &mut neurons, &[], &inputs[..seen.count]);
            neurons
        });
        self.output(&us, &them, seen.bucket)
    }

    /// What the neurons of the side to move and of the other come to, in centipawns for the side to move.
    #[inline(always)]
    fn output(&self, us: &Steps, them: &Steps, bucket: usize) -> Score {
        let weights = &self.output_weights.as_chunks().0[2 * us.len() * bucket..][..2 * us.len()];
        let (ours, theirs) = weights.split_at(us.len());
        let sum = layers::weighted(us, ours) + layers::weighted(them, theirs);
        let output = sum / i64::from(QA) + i64::from(self.output_biases[bucket]);
        let score = output * i64::from(SCALE) / i64::from(QA * QB);
        score.clamp(i64::from(-EVALUATION_LIMIT), i64::from(EVALUATION_LIMIT)) as Score
    }
}
