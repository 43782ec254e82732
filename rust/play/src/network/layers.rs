//! The sums of a network, written so that the compiler makes vectors of them: loops over [`STEP`] neurons at once.

use super::{Network, QA, STEP};
use std::array;

/// Neurons, or weights for them, in steps.
pub type Steps = [[i16; STEP]];

/// Steps of neurons whose squares, weighted, fit in 32 bits together.
const BLOCK: usize = 256 / STEP;

impl Network {
    /// What an input adds to the neurons.
    #[inline(always)]
    fn row(&self, input: u16) -> &Steps {
        let steps = self.hidden / STEP;
        &self.input_weights.as_chunks().0[usize::from(input) * steps..][..steps]
    }

    /// The neurons `from` without the inputs that go and with those that come. What moves do is done at one go.
    pub(super) fn replace(&self, from: &Steps, neurons: &mut Steps, going: &[u16], coming: &[u16]) {
        match (going, coming) {
            (&[a], &[b]) => self.replace_few(from, neurons, [a], [b]),
            (&[a, b], &[c]) => self.replace_few(from, neurons, [a, b], [c]),
            (&[a], &[b, c]) => self.replace_few(from, neurons, [a], [b, c]),
            (&[a, b], &[c, d]) => self.replace_few(from, neurons, [a, b], [c, d]),
            _ => {
                neurons.copy_from_slice(from);
                for &input in going {
                    self.change(neurons, input, i16::wrapping_sub);
                }
                for &input in coming {
                    self.change(neurons, input, i16::wrapping_add);
                }
            }
        }
    }

    /// [`Network::replace`] for so many inputs.
    fn replace_few<const GOING: usize, const COMING: usize>(
        &self,
        from: &Steps,
        neurons: &mut Steps,
        going: [u16; GOING],
        coming: [u16; COMING],
    ) {
        let steps = neurons.len();
        let (going, coming) = (going.map(|input| self.row(input)), coming.map(|input| self.row(input)));
        let (going, coming) = (going.map(|row| &row[..steps]), coming.map(|row| &row[..steps]));
        for (step, (neurons, from)) in neurons.iter_mut().zip(from).enumerate() {
            *neurons = array::from_fn(|index| {
                let without = going.iter().fold(from[index], |sum, row| sum.wrapping_sub(row[step][index]));
                coming.iter().fold(without, |sum, row| sum.wrapping_add(row[step][index]))
            });
        }
    }

    /// Adds an input, or takes it off.
    #[inline(always)]
    fn change(&self, neurons: &mut Steps, input: u16, change: impl Fn(i16, i16) -> i16) {
        for (neurons, weights) in neurons.iter_mut().zip(self.row(input)) {
            *neurons = array::from_fn(|index| change(neurons[index], weights[index]));
        }
    }
}

/// The sum of the neurons' squares, each cut to what lies between 0 and 1 and times its weight.
#[inline(always)]
pub fn weighted(neurons: &Steps, weights: &Steps) -> i64 {
    let (first, second) = neurons.split_at(neurons.len().min(BLOCK));
    let (first_weights, second_weights) = weights.split_at(first.len());
    let rest = if second.is_empty() { 0 } else { weighted_block(second, second_weights) };
    i64::from(weighted_block(first, first_weights)) + i64::from(rest)
}

#[inline(never)]
fn weighted_block(neurons: &Steps, weights: &Steps) -> i32 {
    let mut sum = 0i32;
    for (neurons, weights) in neurons.iter().zip(weights) {
        let mut part = 0i32;
        for (&neuron, &weight) in neurons.iter().zip(weights) {
            let cut = neuron.clamp(0, QA as i16);
            // The weight is small enough: the first product fits in 16 bits.
            part = part.wrapping_add(i32::from(cut.wrapping_mul(weight)) * i32::from(cut));
        }
        // It never saturates. But such sums have an order, so that the compiler makes vectors of the inner loop and not of
        // this one, which takes three times as long.
        sum = sum.saturating_add(part);
    }
    sum
}
