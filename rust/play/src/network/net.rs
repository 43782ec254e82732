//! A network, and what it says of a position from scratch.

use std::sync::{Arc, LazyLock};

use fearless_simd::{Level, Simd, dispatch};

use super::features::features_of;
use super::layers::{self, Steps};
use super::{BUCKETS, QA, QB, SCALE};
use crate::values::EVALUATION_LIMIT;
use betacut_core::{board::FlippedBoard, score::Score};

/// The file of the network that is built in.
const BUILT_IN: &[u8] = include_bytes!("default.bin");

/// A network.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    /// The neurons of a side: a multiple of [`STEP`](super::STEP), at most [`MAX_HIDDEN`](super::MAX_HIDDEN).
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
    /// The network that is built in.
    pub fn built_in() -> Arc<Network> {
        static NETWORK: LazyLock<Arc<Network>> =
            LazyLock::new(|| Arc::new(Network::read(BUILT_IN).expect("a whole network")));
        NETWORK.clone()
    }

    /// What a position is worth to the side to move, in centipawns.
    pub fn evaluate(&self, position: &shakmaty::Chess) -> Score {
        self.evaluate_board(&FlippedBoard::read_keyless(position, |_| ()))
    }

    /// [`Network::evaluate`] of a board, from scratch.
    pub(crate) fn evaluate_board<C>(&self, board: &FlippedBoard<C>) -> Score {
        self.evaluate_by(Level::new(), board)
    }

    /// [`Network::evaluate_board`] by these vectors.
    pub(super) fn evaluate_by<C>(&self, level: Level, board: &FlippedBoard<C>) -> Score {
        let seen = features_of(board);
        let biases = self.input_biases.as_chunks().0;
        let (mut us, mut them) = (biases.to_vec(), biases.to_vec());
        dispatch!(level, simd => {
            self.replace(simd, biases, &mut us, &[], &seen.us[..seen.count]);
            self.replace(simd, biases, &mut them, &[], &seen.them[..seen.count]);
            self.output(simd, &us, &them, seen.bucket)
        })
    }

    /// What the neurons of the side to move and of the other come to, in centipawns for the side to move.
    #[inline(always)]
    pub(super) fn output<S: Simd>(&self, simd: S, us: &Steps, them: &Steps, bucket: usize) -> Score {
        let weights = &self.output_weights.as_chunks().0[2 * us.len() * bucket..][..2 * us.len()];
        let (ours, theirs) = weights.split_at(us.len());
        let sum = layers::weighted(simd, us, ours) + layers::weighted(simd, them, theirs);
        let output = sum / i64::from(QA) + i64::from(self.output_biases[bucket]);
        let score = output * i64::from(SCALE) / i64::from(QA * QB);
        score.clamp(i64::from(-EVALUATION_LIMIT), i64::from(EVALUATION_LIMIT)) as Score
    }
}
