//! The weights under which the values of positions foretell the results of their games best: `docs/tuning.md` has the loss
//! and its constant. It is made smaller by Adam, in batches of positions.
//!
//! Sources: P. Österlund, "Texel's tuning method" (2014), the loss; D. P. Kingma and J. Ba, "Adam: A Method for
//! Stochastic Optimization" (2015).

use std::collections::BTreeMap;

use super::dataset::{Dataset, Row, Split};
use super::logistic::{Aim, logistic};
use super::model::{PARAMETERS, Pull, finish, fold, numbers, spread, unfold};
use super::{error::Error, gauge::Weight, openings::shuffle, threads::share};
use betacut_play::evaluation::Weights;
use betacut_play::evaluation::terms::{COUNT, TERMS};

/// How to fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How often all positions are gone through.
    pub epochs: usize,
    /// How far a weight may go with a batch at first, in centipawns; it falls to a twentieth.
    pub rate: f32,
    /// The share of the result in the target; the rest is the score's.
    pub lambda: f32,
    /// Positions of a batch.
    pub batch: usize,
    /// What positions are shuffled by.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// The constant of the logistic function, if it is not to be found.
    pub constant: Option<f32>,
    /// What pulls towards 0.
    pub pull: Pull,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            epochs: 40,
            rate: 1.0,
            lambda: 0.5,
            batch: 16_384,
            seed: 1,
            threads: 2,
            constant: None,
            pull: Pull { kinds: 1000.0, others: 20.0 },
        }
    }
}

/// The losses after an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// The epoch, from 1.
    pub epoch: usize,
    /// On the positions learned from, while they were.
    pub training: f64,
    /// On the positions of other games.
    pub validation: f64,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The weights, rounded.
    pub weights: Box<Weights>,
    /// The constant of the logistic function, by centipawn.
    pub constant: f32,
    /// The losses of the epoch they come from.
    pub best: Losses,
    /// The loss of the rounded weights on the positions of other games.
    pub rounded: f64,
    /// The loss of the weights at the start there.
    pub start: f64,
}

fn target(aim: Aim, row: &Row<'_>) -> f32 {
    aim.target(aim.promised(row.facts.score), row.facts.result)
}

/// The value of a position, and what part the middlegame and the endgame have in it.
fn value(row: &Row<'_>, weights: &[Weight]) -> (f32, [f32; 2]) {
    let mut sum = [0.0; 2];
    for (&term, &times) in row.terms.iter().zip(row.times) {
        let [middlegame, endgame] = weights[term as usize];
        sum[0] += middlegame * f32::from(times);
        sum[1] += endgame * f32::from(times);
    }
    let shares = [row.facts.middlegame, row.facts.endgame[usize::from(sum[1] < 0.0)]];
    (sum[0] * shares[0] + sum[1] * shares[1], shares)
}

/// The sum of the losses of some positions; their gradient is added to `gradient`.
pub fn slope(dataset: &Dataset, rows: &[u32], weights: &[Weight], aim: Aim, gradient: &mut [Weight]) -> f64 {
    let mut loss = 0.0;
    for &number in rows {
        let row = dataset.row(number);
        let (value, shares) = value(&row, weights);
        let promised = aim.promised(value);
        let error = promised - target(aim, &row);
        loss += f64::from(error * error);
        let factor = 2.0 * error * promised * (1.0 - promised) * aim.constant;
        let by_part = shares.map(|share| share * factor);
        for (&term, &times) in row.terms.iter().zip(row.times) {
            let weight = &mut gradient[term as usize];
            weight[0] += by_part[0] * f32::from(times);
            weight[1] += by_part[1] * f32::from(times);
        }
    }
    loss
}

/// The mean loss of some positions; 0 of none.
pub fn loss(dataset: &Dataset, rows: &[u32], weights: &[Weight], aim: Aim, threads: usize) -> f64 {
    let part = |rows: &[u32]| -> f64 {
        let of = |&number: &u32| {
            let row = dataset.row(number);
            let error = aim.promised(value(&row, weights).0) - target(aim, &row);
            f64::from(error * error)
        };
        rows.iter().map(of).sum()
    };
    let mut sums = vec![0.0; threads.max(1)];
    let size = rows.len().div_ceil(sums.len()).max(1);
    share(threads, rows.chunks(size).zip(&mut sums), |(rows, sum)| *sum = part(rows));
    sums.iter().sum::<f64>() / rows.len().max(1) as f64
}

/// The scores and results of some positions.
fn scored(dataset: &Dataset, rows: &[u32]) -> impl Iterator<Item = (f32, f32)> {
    rows.iter().map(|&number| {
        let facts = dataset.row(number).facts;
        (facts.score, facts.result)
    })
}

/// The constant with which scores foretell results best, by centipawn: of positions with their scores and results.
pub fn best_constant(scored: impl Iterator<Item = (f32, f32)>) -> f32 {
    // By score: positions, the sum of their results and that of the results' squares.
    let mut sums: BTreeMap<i32, [f64; 3]> = BTreeMap::new();
    for (score, result) in scored {
        let result = f64::from(result);
        let sum = sums.entry(score as i32).or_default();
        *sum = [sum[0] + 1.0, sum[1] + result, sum[2] + result * result];
    }
    let loss = |constant: f64| -> f64 {
        let of = |(&score, &[count, results, squares]): (&i32, &[f64; 3])| {
            let promised = f64::from(logistic((constant * f64::from(score)) as f32));
            count * promised * promised - 2.0 * promised * results + squares
        };
        sums.iter().map(of).sum()
    };
    // The golden section.
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (0.0001, 0.1);
    let mut inner = [high - ratio * (high - low), low + ratio * (high - low)];
    let mut losses = inner.map(loss);
    while high - low > 1e-7 {
        if losses[0] < losses[1] {
            high = inner[1];
            inner = [high - ratio * (high - low), inner[0]];
            losses = [loss(inner[0]), losses[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + ratio * (high - low)];
            losses = [losses[1], loss(inner[1])];
        }
    }
    f64::midpoint(low, high) as f32
}

/// Adam's memory: the means of gradients and of their squares.
struct Adam {
    mean: Vec<Weight>,
    square: Vec<Weight>,
    step: i32,
}

impl Adam {
    const MEAN: f32 = 0.9;
    const SQUARE: f32 = 0.999;

    fn new(len: usize) -> Adam {
        Adam { mean: vec![[0.0; 2]; len], square: vec![[0.0; 2]; len], step: 0 }
    }

    /// One step down the gradient.
    fn descend(&mut self, parameters: &mut [Weight], gradient: &[Weight], rate: f32) {
        self.step += 1;
        let mean_sum = 1.0 - Self::MEAN.powi(self.step);
        let square_sum = 1.0 - Self::SQUARE.powi(self.step);
        for (at, parameter) in parameters.iter_mut().enumerate() {
            for part in 0..2 {
                let slope = gradient[at][part];
                let mean = &mut self.mean[at][part];
                let square = &mut self.square[at][part];
                *mean += (1.0 - Self::MEAN) * (slope - *mean);
                *square += (1.0 - Self::SQUARE) * (slope * slope - *square);
                // Slopes are small: a weight that counts once in a million positions has some 1e-9.
                parameter[part] -= rate * (*mean / mean_sum) / ((*square / square_sum).sqrt() + 1e-10);
            }
        }
    }
}

/// What a fit goes on with from batch to batch.
struct Descent<'a> {
    dataset: &'a Dataset,
    aim: Aim,
    options: &'a Options,
    parameters: Vec<Weight>,
    weights: Vec<Weight>,
    /// For each thread.
    gradients: Vec<Vec<Weight>>,
    /// What each parameter is pulled by, ready to be multiplied with it.
    pulls: Vec<f32>,
    adam: Adam,
}

impl Descent<'_> {
    /// One batch; returns the sum of its losses.
    fn batch(&mut self, rows: &[u32], rate: f32) -> f64 {
        fold(&self.parameters, &mut self.weights);
        let (dataset, aim, weights) = (self.dataset, self.aim, &self.weights);
        self.gradients.iter_mut().for_each(|gradient| gradient.fill([0.0; 2]));
        let threads = self.gradients.len();
        let mut losses = vec![0.0; threads];
        let parts = rows.chunks(rows.len().div_ceil(threads)).zip(&mut self.gradients).zip(&mut losses);
        share(threads, parts, |((rows, gradient), loss)| {
            *loss = slope(dataset, rows, weights, aim, gradient);
        });
        let loss = losses.iter().sum();
        // Always added in the same order, so that the sum is the same whichever thread is done first.
        let Some((total, others)) = self.gradients.split_first_mut() else { return loss };
        for other in others {
            for (sum, part) in total.iter_mut().zip(other) {
                sum[0] += part[0];
                sum[1] += part[1];
            }
        }
        spread(total);
        let size = rows.len() as f32;
        for ((slope, parameter), &pull) in total.iter_mut().zip(&self.parameters).zip(&self.pulls) {
            *slope = [0, 1].map(|part| slope[part] / size + pull * parameter[part]);
        }
        self.adam.descend(&mut self.parameters, total, rate);
        loss
    }
}

/// The weights of the epoch that foretold the validation positions best; `report` is told the losses of each.
pub fn fit(
    dataset: &Dataset,
    split: &Split,
    start: &Weights,
    options: &Options,
    report: &mut dyn FnMut(&Losses),
) -> Result<Fitted, Error> {
    Error::if_too_few(split.training.len(), split.validation.len())?;
    let constant = options.constant.unwrap_or_else(|| best_constant(scored(dataset, &split.training)));
    let aim = Aim { constant, lambda: options.lambda };
    // The pull of one position: the slope of (k·w/4)², what it costs if a level position is wrong by the weight.
    let unit = 2.0 * (constant / 4.0).powi(2) / split.training.len() as f32;
    let mut descent = Descent {
        dataset,
        aim,
        options,
        parameters: unfold(start),
        weights: vec![[0.0; 2]; COUNT],
        gradients: vec![vec![[0.0; 2]; PARAMETERS]; options.threads.max(1)],
        pulls: options.pull.of_all().iter().map(|pull| pull * unit).collect(),
        adam: Adam::new(PARAMETERS),
    };
    fold(&descent.parameters, &mut descent.weights);
    let validation = |weights: &[Weight]| loss(dataset, &split.validation, weights, aim, options.threads);
    let start_loss = validation(&descent.weights);
    let mut best =
        (Losses { epoch: 0, training: f64::NAN, validation: start_loss }, descent.parameters.clone());
    let mut rows = split.training.clone();
    let mut stream = options.seed;
    for epoch in 1..=options.epochs {
        shuffle(&mut rows, &mut stream);
        let training = descent.epoch(&rows, epoch);
        fold(&descent.parameters, &mut descent.weights);
        let losses = Losses { epoch, training, validation: validation(&descent.weights) };
        report(&losses);
        if losses.validation < best.0.validation {
            best = (losses, descent.parameters.clone());
        }
    }
    let weights = finish(&best.1, &dataset.occurrences(&split.training)).map_err(|at| {
        let name = TERMS.iter().rev().find(|(_, first, _)| *first <= at).map_or("", |(name, ..)| name);
        Error::new(format!("a weight of {name} does not fit into 16 bits: the rate may be too high"))
    })?;
    Ok(Fitted { rounded: validation(&numbers(&weights)), weights, constant, best: best.0, start: start_loss })
}

impl Descent<'_> {
    /// Goes through all positions once, and returns their mean loss on the way.
    fn epoch(&mut self, rows: &[u32], epoch: usize) -> f64 {
        let batches = rows.len().div_ceil(self.options.batch.max(1));
        let mut sum = 0.0;
        for (index, batch) in rows.chunks(self.options.batch.max(1)).enumerate() {
            let done = ((epoch - 1) as f32 + index as f32 / batches as f32) / self.options.epochs as f32;
            // Half a cosine, from the whole rate to a twentieth of it.
            let fall = f32::midpoint(1.0, (std::f32::consts::PI * done).cos());
            sum += self.batch(batch, self.options.rate * (0.05 + 0.95 * fall));
        }
        sum / rows.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::dataset::{of_evaluation, tests::positions};
    use betacut_play::evaluation::terms::{BISHOP_PAIR, KNIGHT_MOBILITY, MATERIAL, TEMPO};
    use betacut_play::evaluation::{Pair, WEIGHTS, board_of, evaluate};

    #[test]
    fn the_gradient_is_what_small_steps_show() {
        let mut all = positions(20, 40);
        all.extend(positions(20, 180));
        let dataset = Dataset::of_positions(
            all.iter().enumerate().map(|(at, position)| (position, 37 - at as i32, at as u8 % 3)),
            &of_evaluation,
        );
        let rows: Vec<u32> = (0..dataset.len as u32).collect();
        let aim = Aim { constant: 0.004, lambda: 0.7 };
        let mut weights = numbers(&WEIGHTS);
        let mut gradient = vec![[0.0; 2]; PARAMETERS];
        let sum = slope(&dataset, &rows, &weights, aim, &mut gradient);
        let mean = |weights: &[Weight]| loss(&dataset, &rows, weights, aim, 2);
        assert!((sum / rows.len() as f64 - mean(&weights)).abs() < 1e-9);
        let mut compared = 0;
        for term in (0..COUNT).filter(|term| term % 7 == 0 || *term < 5) {
            for part in 0..2 {
                let slope = f64::from(gradient[term][part]) / rows.len() as f64;
                if slope.abs() < 1e-6 {
                    continue;
                }
                let kept = weights[term][part];
                let mut at = |value: f32| {
                    weights[term][part] = value;
                    mean(&weights)
                };
                let steps = (at(kept + 2.0) - at(kept - 2.0)) / 4.0;
                at(kept);
                assert!((steps - slope).abs() < 0.02 * slope.abs() + 1e-8, "{term}: {steps} {slope}");
                compared += 1;
            }
        }
        assert!(compared > 50, "only {compared}");
    }

    #[test]
    fn the_constant_of_the_results_is_found() {
        // Of a hundred positions with the same score, as many are won as it promises.
        let position = shakmaty::Chess::default();
        let mut samples = Vec::new();
        for score in [-400, -200, -50, 100, 300] {
            let won = (100.0 * logistic(0.005 * score as f32)).round() as usize;
            samples.extend((0..100).map(|at| (&position, score, if at < won { 2 } else { 0 })));
        }
        let dataset = Dataset::of_positions(samples.into_iter(), &of_evaluation);
        let rows: Vec<u32> = (0..dataset.len as u32).collect();
        let found = best_constant(scored(&dataset, &rows));
        assert!((found - 0.005).abs() < 0.0001, "{found}");
    }

    #[test]
    fn weights_that_made_the_scores_are_found_again() {
        // The scores are those of other weights: they must be found from the scores alone.
        let mut truth = Box::new(WEIGHTS);
        truth[MATERIAL] = Pair::new(80, 120);
        truth[MATERIAL + 1] = Pair::new(350, 280);
        truth[BISHOP_PAIR] = Pair::new(30, 60);
        truth[TEMPO] = Pair::new(20, 10);
        for step in 0..9 {
            truth[KNIGHT_MOBILITY + step as usize] = Pair::new(8 * step - 20, 5 * step - 15);
        }
        let mut all = Vec::new();
        for plies in [20, 60, 90, 120, 150, 180] {
            all.extend(positions(1500, plies));
        }
        let scored: Vec<i32> = all
            .iter()
            .map(|position| {
                let value = evaluate(&board_of(position, &truth));
                shakmaty::Position::turn(position).fold_wb(value, -value)
            })
            .collect();
        let scored = all.iter().zip(&scored).map(|(position, &score)| (position, score, 1));
        let dataset = Dataset::of_positions(scored, &of_evaluation);
        let (validation, training) = (0..dataset.len as u32).partition(|row| row % 10 == 0);
        let split = Split { training, validation, problems: Vec::new() };
        let options = Options {
            epochs: 60,
            rate: 4.0,
            lambda: 0.0,
            batch: 256,
            constant: Some(0.004),
            pull: Pull { kinds: 100.0, others: 0.2 },
            ..Options::default()
        };
        let mut losses = Vec::new();
        let fitted = fit(&dataset, &split, &WEIGHTS, &options, &mut |loss| losses.push(*loss)).unwrap();
        assert_eq!(losses.len(), 60);
        assert!(fitted.rounded < fitted.start / 50.0, "{} {}", fitted.rounded, fitted.start);
        // Differences that no gauge touches.
        let steps = |weights: &Weights, part: fn(Pair) -> i32| {
            part(weights[KNIGHT_MOBILITY + 6]) - part(weights[KNIGHT_MOBILITY + 1])
        };
        for (part, expected) in [(Pair::middlegame as fn(Pair) -> i32, 40), (Pair::endgame, 25)] {
            let found = steps(&fitted.weights, part);
            assert!((found - expected).abs() <= 8, "{found} {expected}");
        }
        let pair = fitted.weights[BISHOP_PAIR];
        assert!((pair.middlegame() - 30).abs() <= 10 && (pair.endgame() - 60).abs() <= 10, "{pair:?}");
        let tempo = fitted.weights[TEMPO];
        assert!((tempo.middlegame() - 20).abs() <= 4 && (tempo.endgame() - 10).abs() <= 4, "{tempo:?}");
        // The same again, whatever the threads do.
        let again = fit(&dataset, &split, &WEIGHTS, &Options { epochs: 2, ..options }, &mut |_| {}).unwrap();
        let same = fit(&dataset, &split, &WEIGHTS, &Options { epochs: 2, ..options }, &mut |_| {}).unwrap();
        assert!(again.weights == same.weights);
    }

    #[test]
    fn nothing_to_learn_from_is_refused() {
        let error = fit(&Dataset::default(), &Split::default(), &WEIGHTS, &Options::default(), &mut |_| {});
        assert!(error.unwrap_err().to_string().starts_with("0 positions to learn from"));
    }
}
