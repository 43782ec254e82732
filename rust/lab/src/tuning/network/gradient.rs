//! The loss of a network on positions, and its gradient.

use super::model::{LANES, Model, Pair, Row, Shape, add, sum};
use super::sample::Sample;
use crate::tuning::logistic::logistic;
use betacut_play::network::INPUTS;

/// Positions that are done together, one row of neurons after the other: what the inputs add to a row stays in the
/// processor's cache, and what they add to all of them does not.
const TOGETHER: usize = 512;

/// The sum of the losses of some positions; its gradient is added to `gradient`, whose rows are those of the model.
/// `sharpness` is what values are multiplied with before the logistic function.
pub fn slope(
    model: &Model,
    mut samples: impl Iterator<Item = Sample>,
    sharpness: f32,
    gradient: &mut [Row],
) -> f64 {
    let mut neurons = vec![[[0.0; LANES]; 2]; model.shape.rows * TOGETHER];
    let mut total = 0.0;
    loop {
        let together: Vec<Sample> = samples.by_ref().take(TOGETHER).collect();
        if together.is_empty() {
            return total;
        }
        total += slope_together(model, &together, sharpness, &mut neurons, gradient);
    }
}

/// [`slope`] of at most [`TOGETHER`] positions; `neurons` has room for theirs.
fn slope_together(
    model: &Model,
    samples: &[Sample],
    sharpness: f32,
    neurons: &mut [Pair],
    gradient: &mut [Row],
) -> f64 {
    let shape = model.shape;
    // 1. The values.
    let mut sums = vec![[0.0; LANES]; samples.len()];
    for (row, neurons) in neurons.chunks_mut(TOGETHER).enumerate() {
        for ((Sample { seen, .. }, neurons), sums) in samples.iter().zip(neurons).zip(&mut sums) {
            *neurons = model.neurons(row, seen);
            model.weigh(row, seen.bucket, neurons, sums);
        }
    }
    // 2. What they owe to the outputs' biases.
    let biases = shape.output_biases();
    let mut total = 0.0;
    let mut factors = Vec::with_capacity(samples.len());
    for (Sample { seen, target }, sums) in samples.iter().zip(&sums) {
        let promised = logistic(sharpness * (model.rows[biases][seen.bucket] + sum(sums)));
        let error = promised - target;
        total += f64::from(error * error);
        let factor = 2.0 * error * promised * (1.0 - promised) * sharpness;
        gradient[biases][seen.bucket] += factor;
        factors.push(factor);
    }
    for (row, neurons) in neurons.chunks(TOGETHER).enumerate() {
        for ((Sample { seen, .. }, sides), factor) in samples.iter().zip(neurons).zip(&factors) {
            // 3. To the outputs' weights, then to the neurons.
            let mut slopes = [[0.0; LANES]; 2];
            for side in 0..2 {
                let output = shape.weights(seen.bucket, side) + row;
                let (weights, gradient) = (&model.rows[output], &mut gradient[output]);
                for lane in 0..LANES {
                    let neuron = sides[side][lane];
                    let cut = neuron.clamp(0.0, 1.0);
                    gradient[lane] += factor * cut * cut;
                    // A neuron that is cut owes nothing.
                    let moves = if neuron > 0.0 && neuron < 1.0 { 2.0 * neuron } else { 0.0 };
                    slopes[side][lane] = factor * weights[lane] * moves;
                }
            }
            // 4. And to the inputs that are there.
            let [us, them] = &slopes;
            let inputs = &mut gradient[Shape::inputs(row)..][..INPUTS];
            for (&ours, &theirs) in seen.us[..seen.count].iter().zip(&seen.them[..seen.count]) {
                add(&mut inputs[usize::from(ours)], us);
                add(&mut inputs[usize::from(theirs)], them);
            }
            let bias = &mut gradient[shape.biases() + row];
            add(bias, us);
            add(bias, them);
        }
    }
    total
}
