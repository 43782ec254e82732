//! The descent: batch after batch, the numbers of a network go where its loss falls (`AdamW`).
//!
//! A batch is cut into parts, whatever the number of threads; each has a gradient of its own, and these are added in
//! their order. So the sums, and with them the network, are the same on any number of threads.
//!
//! The network that is played with has whole numbers, so the one that learns is rounded to them: what it loses by that is in
//! its loss, and the numbers that are behind the rounded ones make up for it.
//!
//! Source: I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization" (2019).

use super::gradient::slope;
use super::model::{Grid, LANES, Model, Row, add, rounded};
use super::sample::Sample;
use crate::tuning::threads::share;

/// The most parts of a batch.
const PARTS: usize = 8;
/// The fewest samples that are worth a gradient of their own.
const PART: usize = 512;
/// How much of its mean a gradient keeps with a step, and of the mean of its squares.
const KEPT: [f32; 2] = [0.9, 0.999];
/// Is added to the root of the mean square. Slopes are small: an input of few positions has some 1e-8.
const TINY: f32 = 1e-9;
/// Rows of a step that one thread makes at once.
const CHUNK: usize = 1024;

/// How fast to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// How far a number goes with a step, at most about.
    pub rate: f32,
    /// The part of itself that it loses with a step, by `rate`.
    pub decay: f32,
}

impl Pace {
    /// The pace when a part of the way is done, 0 to 1: it rises in the first fiftieth and falls to a hundredth, as half a
    /// cosine would.
    pub fn at(self, done: f32) -> Pace {
        const RISE: f32 = 0.02;
        let factor = if done < RISE {
            done / RISE
        } else {
            let left = (1.0 - done) / (1.0 - RISE);
            left * left * (3.0 - 2.0 * left)
        };
        Pace { rate: self.rate * (0.01 + 0.99 * factor), ..self }
    }
}

/// What a descent goes on with from batch to batch.
#[derive(Debug)]
pub struct Descent {
    /// The network, rounded.
    pub model: Model,
    /// The numbers behind those of the network.
    numbers: Vec<Row>,
    threads: usize,
    /// What values are multiplied with before the logistic function.
    sharpness: f32,
    gradients: Vec<Vec<Row>>,
    /// The mean of the gradients, and of their squares.
    means: [Vec<Row>; 2],
    /// What powers of [`KEPT`] are left.
    powers: [f32; 2],
}

impl Descent {
    /// A descent that begins with a network.
    pub fn new(model: Model, sharpness: f32, threads: usize) -> Descent {
        let zero = vec![[0.0; LANES]; model.rows.len()];
        Descent {
            gradients: vec![zero.clone(); PARTS],
            means: [zero.clone(), zero],
            numbers: model.rows.clone(),
            powers: [1.0; 2],
            model,
            threads,
            sharpness,
        }
    }

    /// One step by a batch of `len` samples, of which `samples` makes those of a range; returns the sum of their losses.
    pub fn batch<S, I>(&mut self, len: usize, samples: S, pace: Pace) -> f64
    where
        S: Fn(std::ops::Range<usize>) -> I + Sync,
        I: Iterator<Item = Sample>,
    {
        let parts = (len / PART).clamp(1, PARTS);
        let mut losses = [0.0; PARTS];
        let (model, sharpness) = (&self.model, self.sharpness);
        let work = self.gradients[..parts].iter_mut().zip(&mut losses).enumerate();
        share(self.threads, work, |(part, (gradient, loss))| {
            gradient.fill([0.0; LANES]);
            let range = part * len / parts..(part + 1) * len / parts;
            *loss = slope(model, samples(range), sharpness, gradient);
        });
        self.step(len, parts, pace);
        losses.iter().sum()
    }

    /// A step by the gradients of a batch.
    fn step(&mut self, len: usize, parts: usize, pace: Pace) {
        for (power, kept) in self.powers.iter_mut().zip(KEPT) {
            *power *= kept;
        }
        let whole = self.powers.map(|power| 1.0 / (1.0 - power));
        let shrink = 1.0 - pace.rate * pace.decay;
        let (gradients, shape) = (&self.gradients[..parts], self.model.shape);
        let step = |at: usize, number: &mut Row, [mean, square]: [&mut Row; 2]| {
            let mut slope = [0.0; LANES];
            for gradient in gradients {
                add(&mut slope, &gradient[at]);
            }
            let Grid { limit, one } = shape.grid(at);
            for lane in 0..LANES {
                let slope = slope[lane] / len as f32;
                mean[lane] += (1.0 - KEPT[0]) * (slope - mean[lane]);
                square[lane] += (1.0 - KEPT[1]) * (slope * slope - square[lane]);
                let way = mean[lane] * whole[0] / ((square[lane] * whole[1]).sqrt() + TINY);
                number[lane] = (number[lane] * shrink - pace.rate * way).clamp(-limit, limit);
            }
            number.map(|number| rounded(number, one))
        };
        let [means, squares] = &mut self.means;
        let numbers = self.numbers.chunks_mut(CHUNK).zip(self.model.rows.chunks_mut(CHUNK));
        let means = means.chunks_mut(CHUNK).zip(squares.chunks_mut(CHUNK));
        share(
            self.threads,
            numbers.zip(means).enumerate(),
            |(chunk, ((numbers, rows), (means, squares)))| {
                let numbers = numbers.iter_mut().zip(rows).zip(means.iter_mut().zip(squares));
                for (at, ((number, row), (mean, square))) in numbers.enumerate() {
                    *row = step(chunk * CHUNK + at, number, [mean, square]);
                }
            },
        );
    }
}
