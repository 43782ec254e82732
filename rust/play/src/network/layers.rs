//! The sums of a network, [`STEP`] neurons at once, by the widest vectors of the processor at hand.

use fearless_simd::{i16x16, i32x8, prelude::*};

use super::{Network, QA, STEP};

/// Neurons, or weights for them, in steps.
pub type Steps = [[i16; STEP]];

impl Network {
    /// What an input adds to the neurons.
    #[inline(always)]
    fn row(&self, input: u16) -> &Steps {
        let steps = self.hidden / STEP;
        &self.input_weights.as_chunks().0[usize::from(input) * steps..][..steps]
    }

    /// The neurons `from` without the inputs that go and with those that come. What moves do is done at one go.
    #[inline(always)]
    pub(super) fn replace<S: Simd>(
        &self,
        simd: S,
        from: &Steps,
        neurons: &mut Steps,
        going: &[u16],
        coming: &[u16],
    ) {
        match (going, coming) {
            (&[a], &[b]) => self.replace_few(simd, from, neurons, [a], [b]),
            (&[a, b], &[c]) => self.replace_few(simd, from, neurons, [a, b], [c]),
            (&[a], &[b, c]) => self.replace_few(simd, from, neurons, [a], [b, c]),
            (&[a, b], &[c, d]) => self.replace_few(simd, from, neurons, [a, b], [c, d]),
            _ => {
                neurons.copy_from_slice(from);
                for &input in going {
                    self.change(simd, neurons, input, |sum, weights| sum - weights);
                }
                for &input in coming {
                    self.change(simd, neurons, input, |sum, weights| sum + weights);
                }
            }
        }
    }

    /// [`Network::replace`] for so many inputs.
    #[inline(always)]
    fn replace_few<S: Simd, const GOING: usize, const COMING: usize>(
        &self,
        simd: S,
        from: &Steps,
        neurons: &mut Steps,
        going: [u16; GOING],
        coming: [u16; COMING],
    ) {
        let steps = neurons.len();
        let (going, coming) = (going.map(|input| self.row(input)), coming.map(|input| self.row(input)));
        let (going, coming) = (going.map(|row| &row[..steps]), coming.map(|row| &row[..steps]));
        for (step, (neurons, from)) in neurons.iter_mut().zip(from).enumerate() {
            let mut sum = i16x16::simd_from(simd, *from);
            for row in going {
                sum -= i16x16::simd_from(simd, row[step]);
            }
            for row in coming {
                sum += i16x16::simd_from(simd, row[step]);
            }
            *neurons = sum.into();
        }
    }

    /// Adds an input, or takes it off.
    #[inline(always)]
    fn change<S: Simd>(
        &self,
        simd: S,
        neurons: &mut Steps,
        input: u16,
        change: impl Fn(i16x16<S>, i16x16<S>) -> i16x16<S>,
    ) {
        for (neurons, weights) in neurons.iter_mut().zip(self.row(input)) {
            *neurons = change(i16x16::simd_from(simd, *neurons), i16x16::simd_from(simd, *weights)).into();
        }
    }
}

/// The sum of a side's neurons, each cut to what lies between 0 and 1 and squared, times their weights.
#[inline(always)]
pub fn weighted<S: Simd>(simd: S, neurons: &Steps, weights: &Steps) -> i64 {
    // An eighth of the sum fits in 32 bits: two neurons in sixteen of at most MAX_HIDDEN.
    let mut sums = i32x8::splat(simd, 0);
    for (neurons, weights) in neurons.iter().zip(weights) {
        let cut = i16x16::simd_from(simd, *neurons).max(0).min(QA as i16);
        // The weight is small enough: the first product fits in 16 bits.
        sums += (cut * i16x16::simd_from(simd, *weights)).pairwise_dot_product(cut);
    }
    <[i32; 8]>::from(sums).into_iter().map(i64::from).sum()
}
