//! The loss of a network on positions, and its gradient.

use super::model::{LANES, Model, Row, add, sum};
use super::sample::Sample;
use crate::tuning::logistic::logistic;

/// Rows of neurons of the largest network.
const MAX_ROWS: usize = betacut_play::network::MAX_HIDDEN / LANES;

/// The sum of the losses of some positions; its gradient is added to `gradient`, whose rows are those of the model.
/// `sharpness` is what values are multiplied with before the logistic function.
pub fn slope(
    model: &Model,
    samples: impl Iterator<Item = Sample>,
    sharpness: f32,
    gradient: &mut [Row],
) -> f64 {
    let shape = model.shape;
    let mut neurons = [[[0.0; LANES]; 2]; MAX_ROWS];
    let neurons = &mut neurons[..shape.rows];
    let mut total = 0.0;
    for Sample { seen, target } in samples {
        // 1. The value.
        let output = shape.output(seen.bucket);
        let outputs = [output, output + shape.rows];
        let mut sums = [0.0; LANES];
        model.neurons(&seen, |row, us, them| {
            for (side, neurons) in [us, them].iter().enumerate() {
                let weights = &model.rows[outputs[side] + row];
                for lane in 0..LANES {
                    let cut = neurons[lane].clamp(0.0, 1.0);
                    sums[lane] += cut * cut * weights[lane];
                }
            }
            neurons[row] = [us, them];
        });
        let biases = shape.output_biases();
        let promised = logistic(sharpness * (model.rows[biases][seen.bucket] + sum(&sums)));
        let error = promised - target;
        total += f64::from(error * error);
        // 2. What it owes to the output's numbers, then to the neurons.
        let factor = 2.0 * error * promised * (1.0 - promised) * sharpness;
        gradient[biases][seen.bucket] += factor;
        for (row, sides) in neurons.iter().enumerate() {
            let mut slopes = [[0.0; LANES]; 2];
            for side in 0..2 {
                let weights = &model.rows[outputs[side] + row];
                let gradient = &mut gradient[outputs[side] + row];
                for lane in 0..LANES {
                    let neuron = sides[side][lane];
                    let cut = neuron.clamp(0.0, 1.0);
                    gradient[lane] += factor * cut * cut;
                    // A neuron that is cut owes nothing.
                    let moves = if neuron > 0.0 && neuron < 1.0 { 2.0 * neuron } else { 0.0 };
                    slopes[side][lane] = factor * weights[lane] * moves;
                }
            }
            // 3. And to the inputs that are there.
            let [us, them] = &slopes;
            for (&ours, &theirs) in seen.us[..seen.count].iter().zip(&seen.them[..seen.count]) {
                add(&mut gradient[usize::from(ours) * shape.rows + row], us);
                add(&mut gradient[usize::from(theirs) * shape.rows + row], them);
            }
            let bias = &mut gradient[shape.biases() + row];
            add(bias, us);
            add(bias, them);
        }
    }
    total
}
