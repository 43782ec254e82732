//! The sums of a network, written so that the compiler makes vectors of them.

use super::QA;

/// Neurons whose squares, weighted, fit in 32 bits together.
const BLOCK: usize = 256;

/// Adds a row of weights to neurons.
#[inline(always)]
pub fn add(neurons: &mut [i16], row: &[i16]) {
    for (neuron, &weight) in neurons.iter_mut().zip(row) {
        *neuron = neuron.wrapping_add(weight);
    }
}

/// The sum of the neurons' squares, each cut to what lies between 0 and 1 and times its weight.
#[inline(always)]
pub fn weighted(neurons: &[i16], weights: &[i16]) -> i64 {
    let blocks = neurons.chunks(BLOCK).zip(weights.chunks(BLOCK));
    blocks.map(|(neurons, weights)| i64::from(weighted_block(neurons, weights))).sum()
}

#[inline(always)]
fn weighted_block(neurons: &[i16], weights: &[i16]) -> i32 {
    let mut sum = 0i32;
    for (&neuron, &weight) in neurons.iter().zip(weights) {
        let cut = neuron.clamp(0, QA as i16);
        // The weight is small enough: the first product fits in 16 bits.
        sum = sum.wrapping_add(i32::from(cut.wrapping_mul(weight)) * i32::from(cut));
    }
    sum
}
