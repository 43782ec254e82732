//! The sums of a network, written so that the compiler makes vectors of them: plain loops over slices of one length.

use super::{Network, QA};

/// Neurons whose squares, weighted, fit in 32 bits together.
const BLOCK: usize = 256;

impl Network {
    /// What an input adds to the neurons.
    #[inline(always)]
    fn row(&self, input: u16) -> &[i16] {
        &self.input_weights[usize::from(input) * self.hidden..][..self.hidden]
    }

    /// The neurons `from` without the inputs that go and with those that come. What a move does is done at one go.
    pub(super) fn replace(&self, from: &[i16], neurons: &mut [i16], going: &[u16], coming: &[u16]) {
        let changed = neurons.iter_mut().zip(from);
        match (going, coming) {
            (&[a], &[b]) => {
                for (((neuron, from), a), b) in changed.zip(self.row(a)).zip(self.row(b)) {
                    *neuron = from.wrapping_sub(*a).wrapping_add(*b);
                }
            }
            (&[a, c], &[b]) => {
                let rows = self.row(a).iter().zip(self.row(b)).zip(self.row(c));
                for ((neuron, from), ((a, b), c)) in changed.zip(rows) {
                    *neuron = from.wrapping_sub(*a).wrapping_add(*b).wrapping_sub(*c);
                }
            }
            _ => {
                neurons.copy_from_slice(from);
                self.replace_here(neurons, going, coming);
            }
        }
    }

    /// [`Network::replace`] in place.
    pub(super) fn replace_here(&self, neurons: &mut [i16], going: &[u16], coming: &[u16]) {
        let both = going.len().min(coming.len());
        for (&a, &b) in going.iter().zip(coming) {
            for ((neuron, a), b) in neurons.iter_mut().zip(self.row(a)).zip(self.row(b)) {
                *neuron = neuron.wrapping_sub(*a).wrapping_add(*b);
            }
        }
        for &a in &going[both..] {
            for (neuron, a) in neurons.iter_mut().zip(self.row(a)) {
                *neuron = neuron.wrapping_sub(*a);
            }
        }
        for &b in &coming[both..] {
            for (neuron, b) in neurons.iter_mut().zip(self.row(b)) {
                *neuron = neuron.wrapping_add(*b);
            }
        }
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
