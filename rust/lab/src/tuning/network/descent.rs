//! The descent: batch after batch, the numbers of a network go where its loss falls (`AdamW`).
//!
//! A batch is cut into [`PARTS`], whatever the number of threads; each has a gradient of its own, and these are added in
//! their order. So the sums, and with them the network, are the same on any number of threads.
//!
//! Source: I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization" (2019).

use std::sync::{Mutex, PoisonError};
use std::thread;

use super::gradient::slope;
use super::model::{LANES, Model, Row, add};
use super::sample::Sample;

/// The parts of a batch.
const PARTS: usize = 8;
/// How much of its mean a gradient keeps with a step, and of the mean of its squares.
const KEPT: [f32; 2] = [0.9, 0.999];
/// Is added to the root of the mean square. Slopes are small: an input of few positions has some 1e-8.
const TINY: f32 = 1e-9;
/// Rows of a step that one thread makes at once.
const CHUNK: usize = 1024;

/// Does work on several threads, the present one included; each item is taken by one of them.
pub fn share<T: Send>(threads: usize, items: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
    let items = Mutex::new(items);
    let take = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some(item) = take() {
            work(item);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}

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
    /// The network.
    pub model: Model,
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
        let mut losses = [0.0; PARTS];
        let (model, sharpness) = (&self.model, self.sharpness);
        let parts = self.gradients.iter_mut().zip(&mut losses).enumerate();
        share(self.threads, parts, |(part, (gradient, loss))| {
            gradient.fill([0.0; LANES]);
            let range = part * len / PARTS..(part + 1) * len / PARTS;
            *loss = slope(model, samples(range), sharpness, gradient);
        });
        self.step(len, pace);
        losses.iter().sum()
    }

    /// A step by the gradients of a batch.
    fn step(&mut self, len: usize, pace: Pace) {
        for (power, kept) in self.powers.iter_mut().zip(KEPT) {
            *power *= kept;
        }
        let whole = self.powers.map(|power| 1.0 / (1.0 - power));
        let shrink = 1.0 - pace.rate * pace.decay;
        let (gradients, shape) = (&self.gradients, self.model.shape);
        let [means, squares] = &mut self.means;
        let chunks = self.model.rows.chunks_mut(CHUNK).zip(means.chunks_mut(CHUNK)).zip(squares.chunks_mut(CHUNK));
        share(self.threads, chunks.enumerate(), |(chunk, ((rows, means), squares))| {
            for (at, ((row, mean), square)) in rows.iter_mut().zip(means).zip(squares).enumerate() {
                let at = chunk * CHUNK + at;
                let mut slope = [0.0; LANES];
                for gradient in gradients {
                    add(&mut slope, &gradient[at]);
                }
                let limit = shape.limit(at);
                for lane in 0..LANES {
                    let slope = slope[lane] / len as f32;
                    mean[lane] += (1.0 - KEPT[0]) * (slope - mean[lane]);
                    square[lane] += (1.0 - KEPT[1]) * (slope * slope - square[lane]);
                    let way = mean[lane] * whole[0] / ((square[lane] * whole[1]).sqrt() + TINY);
                    row[lane] = (row[lane] * shrink - pace.rate * way).clamp(-limit, limit);
                }
            }
        });
    }
}
