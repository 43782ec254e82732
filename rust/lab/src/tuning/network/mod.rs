//! Trains the network that [`betacut_play::network`] plays with, from positions of games.
//!
//! **The loss.** The network's value v is worth 400 v centipawns, of the kind that the scores are in, so that the margins of
//! the search stay what they are. A lead of c centipawns promises the result σ(kc), σ being the logistic function; k
//! is chosen so that the scores foretell the results best, as for the weights (`fit`). So the network promises σ(400 k v),
//! and the target is λ times the result of the game plus 1 − λ times what the score promises. The loss is the mean square
//! of the difference. Where λ is 0 and nothing is left to learn, 400 v is the score itself.
//!
//! **Lessons.** Before it learns from games, the network can learn what the hand-written evaluation knows, from millions of
//! positions that cost nothing: those of games after some moves at random, with its value as the score ([`sample::lessons`]).
//! A share of lessons in the epochs too keeps what few games would make it forget.
//!
//! **Determinism.** Batches, their parts and their sums do not depend on the threads, and no function of a library is used
//! that differs between machines: equal seeds make equal networks, byte by byte.

mod descent;
mod gradient;
mod model;
mod sample;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

use betacut_play::network::{MAX_HIDDEN, Network, NetworkError, STEP, features};
use shakmaty::Chess;

use super::archive::StoredGame;
use super::dataset::is_for_validation;
use super::error::Error;
use super::fit::best_constant;
use super::logistic::Aim;
use super::openings::shuffle;
use super::packed::Record;
use super::threads::share;
use descent::{Descent, Pace};
use model::{Model, centipawns};
use sample::{lesson_samples, lessons, static_value};

/// Positions of a block that one thread looks at.
const BLOCK: usize = 1 << 13;
/// Lessons that the network is tested by.
const TESTS: usize = 20_000;
/// Lessons with a value beyond this do not count in the mean difference. Centipawns.
const CLOSE: f32 = 300.0;

/// How to train.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Neurons of a side: a multiple of 16, at most 512.
    pub hidden: usize,
    /// How often all positions are gone through.
    pub epochs: usize,
    /// Lessons before.
    pub lessons: u64,
    /// Lessons beside each position of a game.
    pub share: f64,
    /// The share of the result in the target; the rest is the score's.
    pub lambda: f32,
    /// Positions of a batch.
    pub batch: usize,
    /// How far a weight may go with a batch of positions; it falls to a hundredth.
    pub rate: f32,
    /// The same with a batch of lessons.
    pub lesson_rate: f32,
    /// The part of itself that a weight loses with a batch, times the rate: what keeps weights small through many lessons.
    pub decay: f32,
    /// What the network begins with and positions are shuffled by.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// The constant of the logistic function, if it is not to be found.
    pub constant: Option<f32>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hidden: 64,
            epochs: 3,
            lessons: 40_000_000,
            share: 0.25,
            lambda: 0.1,
            batch: 4096,
            rate: 0.001,
            lesson_rate: 0.01,
            decay: 0.1,
            seed: 1,
            threads: 2,
            constant: None,
        }
    }
}

/// Positions of games.
#[derive(Debug, Default)]
pub struct Positions {
    /// Those to learn from.
    pub training: Vec<Record>,
    /// Those of other games.
    pub validation: Vec<Record>,
    /// What is wrong with those that were left out.
    pub problems: Vec<String>,
}

impl Positions {
    /// The positions of games. One game in `one_in` is kept for validation, by the seed.
    pub fn of_games(games: Vec<StoredGame>, seed: u64, one_in: u64, threads: usize) -> Positions {
        let mut positions = Positions::default();
        let mut problems = vec![Vec::new(); games.len()];
        share(threads, games.iter().zip(&mut problems), |(game, problems)| {
            let bad = |(at, record): (usize, &Record)| Some((at, record.unpack().err()?.to_string()));
            *problems = game.records.iter().enumerate().filter_map(bad).collect();
        });
        for (index, (mut game, mut problems)) in games.into_iter().zip(problems).enumerate() {
            while let Some((at, reason)) = problems.pop() {
                let place = format!("game {}, ply {}", game.number, game.records.remove(at).ply());
                positions.problems.push(format!("{place}: {reason}"));
            }
            let kept = is_for_validation(index, seed, one_in);
            let list = if kept { &mut positions.validation } else { &mut positions.training };
            list.append(&mut game.records);
        }
        positions
    }
}

/// The losses on the positions of other games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// Against the targets.
    pub targets: f64,
    /// Against the results alone.
    pub results: f64,
    /// Against what the scores promise alone. The scores are those of a search with an evaluation, which is at home here.
    pub scores: f64,
}

/// What the other ways to foretell the targets lose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rivals {
    /// The constant of the logistic function, by centipawn.
    pub constant: f32,
    /// The hand-written evaluation: a network that plays must lose less.
    pub evaluation: Losses,
    /// The search's score.
    pub score: Losses,
}

/// How well the lessons were learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taught {
    /// The loss on the lessons learned from, in the last of them.
    pub training: f64,
    /// The root of the mean squared difference on other lessons with values within three pawns. Centipawns.
    pub difference: f64,
    /// The losses after them.
    pub validation: Losses,
}

/// What is told while a network is trained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Report {
    /// What is to be beaten.
    Rivals(Rivals),
    /// So many lessons were learned, the last of them with this loss.
    Lessons(u64, f64),
    /// The lessons are over.
    Taught(Taught),
    /// An epoch is: its number from 1, the loss while it lasted, and those on the positions of other games.
    Epoch(usize, f64, Losses),
}

/// What was made.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The network, without a note.
    pub network: Network,
    /// What it was compared with.
    pub rivals: Rivals,
    /// What it learned from the lessons.
    pub taught: Option<Taught>,
    /// The epoch it comes from: the one that foretold the positions of other games best; 0 for the lessons.
    pub epoch: usize,
    /// Its losses on these as it was learned...
    pub losses: Losses,
    /// ... and as it is played with.
    pub whole: Losses,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Report::Rivals(rivals) => rivals.fmt(f),
            Report::Lessons(number, loss) => write!(f, "{number} lessons: loss {loss:.6}"),
            Report::Taught(taught) => taught.fmt(f),
            Report::Epoch(epoch, training, validation) => {
                write!(f, "epoch {epoch:3}: loss {training:.6}, validation {validation}")
            }
        }
    }
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Losses { targets, results, scores } = self;
        write!(f, "{targets:.6} (results alone {results:.6}, scores alone {scores:.6})")
    }
}

impl fmt::Display for Rivals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rivals { constant, evaluation, score } = self;
        write!(
            f,
            "constant {constant:.6}; validation of the hand-written evaluation {evaluation}, of the score {score}"
        )
    }
}

impl fmt::Display for Taught {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Taught { training, difference, validation } = self;
        write!(
            f,
            "lessons: loss {training:.6}, {difference:.1} centipawns off between -300 and 300; validation {validation}"
        )
    }
}

impl fmt::Display for Trained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trained { rivals, taught, epoch, losses, whole, .. } = self;
        writeln!(f, "{rivals}")?;
        if let Some(taught) = taught {
            writeln!(f, "{taught}")?;
        }
        write!(f, "epoch {epoch}: validation {losses}, in whole numbers {whole}")
    }
}

/// What is the same all through a training.
struct Training<'a> {
    options: &'a Options,
    validation: &'a [Record],
    aim: Aim,
}

impl Training<'_> {
    /// The mean losses of a way to promise results.
    fn losses(&self, promise: impl Fn(&Record) -> f32 + Sync) -> Losses {
        let mut sums = vec![[0.0; 3]; self.validation.len().div_ceil(BLOCK)];
        share(self.options.threads, self.validation.chunks(BLOCK).zip(&mut sums), |(records, sums)| {
            for record in records {
                let ([score, result], promised) = (self.aim.parts(record), promise(record));
                let targets = [self.aim.target(score, result), result, score];
                for (sum, target) in sums.iter_mut().zip(targets) {
                    *sum += f64::from(promised - target).powi(2);
                }
            }
        });
        let mean =
            |part: usize| sums.iter().map(|sums| sums[part]).sum::<f64>() / self.validation.len() as f64;
        Losses { targets: mean(0), results: mean(1), scores: mean(2) }
    }

    /// The losses of what says how much a position is worth to the side to move, in centipawns.
    fn losses_of(&self, value: impl Fn(&Chess) -> f32 + Sync) -> Losses {
        self.losses(|record| record.unpack().map_or(f32::NAN, |chess| self.aim.promised(value(&chess))))
    }

    fn losses_of_model(&self, model: &Model) -> Losses {
        self.losses(|record| self.aim.promised(centipawns(model.value(&self.aim.sample(record).seen))))
    }

    fn rivals(&self) -> Rivals {
        Rivals {
            constant: self.aim.constant,
            evaluation: self.losses_of(static_value),
            score: self.losses(|record| self.aim.parts(record)[0]),
        }
    }

    /// Learns from lessons. Those that the network is tested by are made of the positions of other games.
    fn teach(&self, descent: &mut Descent, records: &[Record], tell: &mut dyn FnMut(u64, f64)) -> Taught {
        let Options { lessons, batch, seed, lesson_rate, decay, .. } = *self.options;
        let (mut number, mut told, mut sum) = (0, 0, 0.0);
        let mut training = f64::NAN;
        while number < lessons {
            let len = (lessons - number).min(batch as u64);
            let samples = |range: Range<usize>| {
                lesson_samples(records, seed, number + range.start as u64, self.aim).take(range.len())
            };
            let pace = Pace { rate: lesson_rate, decay }.at(number as f32 / lessons as f32);
            sum += descent.batch(len as usize, samples, pace);
            number += len;
            if number * 10 / lessons > told * 10 / lessons {
                training = sum / (number - told) as f64;
                (told, sum) = (number, 0.0);
                tell(number, training);
            }
        }
        let difference = self.difference(&descent.model);
        Taught { training, difference, validation: self.losses_of_model(&descent.model) }
    }

    /// See [`Taught::difference`].
    fn difference(&self, model: &Model) -> f64 {
        let tests: Vec<Chess> = lessons(self.validation, self.options.seed, 0).take(TESTS).collect();
        let of = |position: &Chess| {
            let value = static_value(position);
            let difference = f64::from(centipawns(model.value(&features(position))) - value);
            (value.abs() < CLOSE).then_some(difference * difference)
        };
        let squares: Vec<f64> = tests.iter().filter_map(of).collect();
        (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
    }

    /// Goes through the positions of games once, and returns the mean loss on the way, that of lessons included.
    fn epoch(&self, descent: &mut Descent, records: &[Record], epoch: usize) -> f64 {
        let Options { epochs, lessons, batch, rate, decay, seed, .. } = *self.options;
        let batches = records.len().div_ceil(batch);
        let (mut sum, mut count) = (0.0, 0);
        for (index, chosen) in records.chunks(batch).enumerate() {
            let index = epoch * batches + index;
            let len = chosen.len() + (chosen.len() as f64 * self.options.share) as usize;
            // The positions come first, then the lessons.
            let first_lesson = lessons + (index * len) as u64;
            let samples = |range: Range<usize>| {
                let own = range.start.min(chosen.len())..range.end.min(chosen.len());
                let others = lesson_samples(records, seed, first_lesson + range.start as u64, self.aim)
                    .take(range.len() - own.len());
                chosen[own].iter().map(|record| self.aim.sample(record)).chain(others)
            };
            let pace = Pace { rate, decay }.at(index as f32 / (epochs * batches) as f32);
            sum += descent.batch(len, samples, pace);
            count += len;
        }
        sum / count as f64
    }
}

/// Trains a network, `start` or a new one; puts the positions into another order on the way.
pub fn train(
    positions: &mut Positions,
    start: Option<&Network>,
    options: &Options,
    report: &mut dyn FnMut(&Report),
) -> Result<Trained, Error> {
    check(positions, start, options)?;
    let Positions { training: records, validation, .. } = positions;
    let result = |record: &Record| (f32::from(record.score()), f32::from(record.result()) / 2.0);
    let constant = options.constant.unwrap_or_else(|| best_constant(records.iter().map(result)));
    let training = Training { options, validation, aim: Aim { constant, lambda: options.lambda } };
    let rivals = training.rivals();
    report(&Report::Rivals(rivals));
    let model = match start {
        Some(start) => Model::of(start, options.hidden, options.seed),
        None => Model::new(options.hidden, options.seed),
    };
    let sharpness = centipawns(constant);
    let mut descent = Descent::new(model, sharpness, options.threads);
    let mut taught = None;
    if options.lessons > 0 {
        let tell = &mut |number, loss| report(&Report::Lessons(number, loss));
        let result = training.teach(&mut descent, records, tell);
        report(&Report::Taught(result));
        taught = Some(result);
        descent = Descent::new(descent.model, sharpness, options.threads);
    }
    // The start is no candidate: the scores favour it if searches with it have found them.
    let mut best: Option<(usize, Losses, Model)> = None;
    let mut stream = options.seed;
    for epoch in 0..options.epochs {
        shuffle(records, &mut stream);
        let loss = training.epoch(&mut descent, records, epoch);
        let validation = training.losses_of_model(&descent.model);
        report(&Report::Epoch(epoch + 1, loss, validation));
        if best.as_ref().is_none_or(|(_, losses, _)| validation.targets < losses.targets) {
            best = Some((epoch + 1, validation, descent.model.clone()));
        }
    }
    let (epoch, losses, model) =
        best.unwrap_or_else(|| (0, training.losses_of_model(&descent.model), descent.model));
    let network = model.quantised(String::new());
    let whole = training.losses_of(|position| network.evaluate(position) as f32);
    Ok(Trained { network, rivals, taught, epoch, losses, whole })
}

/// Refuses what cannot be trained, or from.
fn check(positions: &Positions, start: Option<&Network>, options: &Options) -> Result<(), Error> {
    Error::if_too_few(positions.training.len(), positions.validation.len())?;
    let hidden = options.hidden;
    if hidden == 0 || hidden > MAX_HIDDEN || !hidden.is_multiple_of(STEP) {
        return Err(Error::new(NetworkError::Hidden(hidden).to_string()));
    }
    match start {
        Some(start) if start.hidden > hidden => Err(Error::new(format!(
            "the network to start from has {} neurons, more than {hidden}",
            start.hidden
        ))),
        _ => Ok(()),
    }
}
