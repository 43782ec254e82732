//! Games of the engine against itself, and the positions that are kept of them. A game is a function of the run's seed and
//! its number, so a run can be stopped and continued, and its games are the same on any number of threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::{path::Path, time::Instant};

use shakmaty::{Chess, Position as _};

use super::archive::{Archive, Origin, StoredGame};
use super::game::{Adjudication, Thought, after, play};
use super::openings::{Opening, below, random_opening, stream};
use super::players::{HASH_MB, Player, play_all};
use super::{error::Error, packed::Record};
use betacut_play::evaluation::{WEIGHTS, Weights};
use betacut_play::{Limit, Parameters, Settings};

/// Openings after which the score is beyond this are left out. Centipawns.
const DECIDED: i32 = 400;
/// Positions with scores beyond this are left out.
const WON: i32 = 1500;
/// The fewest plies of an opening; every other one has one more.
const OPENING_PLIES: usize = 8;
/// So many openings are tried for a game.
const TRIES: usize = 1000;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many games the file is to hold in the end.
    pub games: u32,
    /// Nodes of a move, and those after which no further depth is begun; 0 if that does not matter.
    pub nodes: u32,
    /// See [`Plan::nodes`].
    pub soft_nodes: u32,
    /// Games at a time.
    pub threads: usize,
    /// What the openings are drawn by.
    pub seed: u64,
    /// The settings of the engine.
    pub settings: Settings,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Games in the file.
    pub games: usize,
    /// Positions in the file.
    pub positions: usize,
    /// Positions of this run, and the seconds it has taken.
    pub new_positions: usize,
    /// See [`Progress::new_positions`].
    pub seconds: f64,
    /// Games of this run that White lost, that were drawn, that White won.
    pub results: [usize; 3],
    /// Games that could not be played to their end.
    pub faults: usize,
}

/// A number that tells sets of weights apart.
pub fn weights_number(weights: &Weights) -> u64 {
    weights.iter().fold(0, |number, weight| {
        let pair = (weight.middlegame() as u16 as u64) << 16 | weight.endgame() as u16 as u64;
        betacut_core::random::splitmix64(number ^ pair)
    })
}

/// A number that tells what evaluates apart: of the network if there is one, else of the weights.
pub fn evaluation_number(settings: &Settings) -> u64 {
    let weights = || weights_number(settings.weights.as_deref().unwrap_or(&WEIGHTS));
    settings.network.as_ref().map_or_else(weights, |network| network.checksum())
}

/// [`evaluation_number`], changed by what is not as usual: parameters, the rating, the table.
fn player_number(settings: &Settings) -> u64 {
    let Settings { parameters, elo, hash_mb, .. } = settings;
    let usual = Parameters::default();
    let mut changes = String::new();
    for name in Parameters::NAMES {
        let value = parameters.get(name).filter(|&value| usual.get(name) != Some(value));
        changes.extend(value.map(|value| format!("{name}={value},")));
    }
    changes.extend(elo.map(|elo| format!("elo={elo},")));
    changes.extend((*hash_mb != HASH_MB).then(|| format!("hash={hash_mb},")));
    let mix = |number, byte| betacut_core::random::splitmix64(number ^ u64::from(byte));
    changes.bytes().fold(evaluation_number(settings), mix)
}

/// Whether a position may stand for itself: no check is due, and the best move is no capture.
fn is_quiet(position: &Chess, thought: &Thought, score: i32) -> bool {
    let best = thought.best;
    !position.is_check() && !best.is_capture() && !best.is_promotion() && score.abs() < WON
}

/// An opening that has not decided the game.
fn opening(player: &mut Player, numbers: &mut u64) -> Result<Opening, String> {
    for _ in 0..TRIES {
        let plies = OPENING_PLIES + below(numbers, 2);
        let Some(opening) = random_opening(numbers, plies) else { continue };
        let thought = player.think(&after(&opening))?;
        if thought.score.is_some_and(|score| score.abs() <= DECIDED) {
            return Ok(opening);
        }
    }
    Err(format!("none of {TRIES} openings is undecided"))
}

/// Plays a game and keeps its quiet positions.
fn play_one(player: &mut Player, seed: u64, number: u32) -> Result<StoredGame, String> {
    player.clear();
    let opening = opening(player, &mut stream(seed, u64::from(number)))?;
    let mut records = Vec::new();
    let finished = play(
        &opening,
        &Adjudication::USUAL,
        &mut |game| player.think(game),
        &mut |position, thought, ply| {
            if let Some(score) = thought.score.filter(|&score| is_quiet(position, thought, score)) {
                records.push(Record::pack(position, score as i16, ply as u16));
            }
        },
    )
    .map_err(|fault| fault.to_string())?;
    let records = records.into_iter().map(|record| record.with_result(finished.result)).collect();
    Ok(StoredGame { number, result: finished.result, records })
}

/// Is told how far a run has come, and what went wrong with a game.
type Report<'a> = &'a mut (dyn FnMut(&Progress, Option<&str>) + Send + 'a);

/// The state that the threads share.
struct Shared<'a> {
    archive: Archive,
    progress: Progress,
    report: Report<'a>,
}

/// Plays the games that the file lacks. `report` is told of each game, and what went wrong with it.
pub fn generate(plan: &Plan, path: &Path, report: Report<'_>) -> Result<Progress, Error> {
    let origin = Origin {
        seed: plan.seed,
        nodes: plan.nodes,
        soft_nodes: plan.soft_nodes,
        weights: player_number(&plan.settings),
    };
    let archive = Archive::open(path, origin)?;
    let (games, positions) = (archive.games(), archive.positions());
    let progress = Progress { games, positions, ..Progress::default() };
    let there = archive.numbers().clone();
    let (shared, next) = (Mutex::new(Shared { archive, progress, report }), AtomicU64::new(0));
    let missing = || {
        let mut numbers = std::iter::repeat_with(|| u32::try_from(next.fetch_add(1, Relaxed)).ok());
        numbers.find(|number| number.is_none_or(|number| !there.contains(&number))).flatten()
    };
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let soft_nodes = (plan.soft_nodes > 0).then_some(plan.soft_nodes.into());
    let limit = Limit { nodes: Some(plan.nodes.into()), soft_nodes, ..Limit::default() };
    let start = Instant::now();
    play_all(
        plan.threads,
        "the engine panicked",
        || missing().filter(|&number| number < plan.games),
        || Player::new(plan.settings.clone(), limit.clone()),
        |player, number| play_one(player, plan.seed, number),
        |number, game| lock().note(number, game, start),
    )?;
    Ok(lock().progress)
}

impl Shared<'_> {
    /// Keeps a game, or counts what went wrong; it is never over before its end.
    fn note(&mut self, number: u32, game: Result<StoredGame, String>, start: Instant) -> Result<bool, Error> {
        self.progress.seconds = start.elapsed().as_secs_f64();
        match game {
            Ok(game) => {
                self.archive.append(&game)?;
                self.progress.games = self.archive.games();
                self.progress.positions = self.archive.positions();
                self.progress.new_positions += game.records.len();
                self.progress.results[game.result as usize] += 1;
                (self.report)(&self.progress, None);
            }
            Err(reason) => {
                self.progress.faults += 1;
                (self.report)(&self.progress, Some(&format!("game {number}: {reason}")));
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::archive::{read, tests::temporary};
    use crate::tuning::players::settings;
    use betacut_play::network::{BUCKETS, INPUTS, Network};

    fn games(path: &Path, games: u32, threads: usize) -> Vec<StoredGame> {
        let settings = settings("", None, 1).unwrap();
        let plan = Plan { games, nodes: 400, soft_nodes: 100, threads, seed: 3, settings };
        let progress = generate(&plan, path, &mut |_, problem| assert_eq!(problem, None)).unwrap();
        let mut contents = read(path).unwrap();
        assert_eq!((progress.games, progress.positions), (contents.games.len(), contents.positions()));
        contents.games.sort_by_key(|game| game.number);
        contents.games
    }

    #[test]
    fn games_are_the_same_in_one_run_or_two_on_one_thread_or_more() {
        let (one, two) = (temporary("one"), temporary("two"));
        let at_once = games(&one, 5, 3);
        assert_eq!(games(&two, 2, 1), at_once[..2]);
        assert_eq!(games(&two, 5, 1), at_once);
        assert_eq!(at_once.iter().map(|game| game.number).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        let records: Vec<&Record> = at_once.iter().flat_map(|game| &game.records).collect();
        assert!(records.len() > 50);
        for record in records {
            let position = record.unpack().unwrap();
            assert!(!position.is_check() && record.ply() >= 8 && record.score().abs() < 1500);
        }
        for path in [one, two] {
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn games_of_another_player_are_refused() {
        let path = temporary("networks");
        let play = |bias, changes, hash_mb| {
            let network = Network {
                hidden: 16,
                note: String::new(),
                input_biases: vec![0; 16],
                input_weights: vec![0; 16 * INPUTS],
                output_weights: vec![0; 32 * BUCKETS],
                output_biases: [bias; BUCKETS],
            };
            let checksum = network.checksum();
            let settings =
                Settings { network: Some(network.into()), ..settings(changes, None, hash_mb).unwrap() };
            let plan = Plan { games: 1, nodes: 50, soft_nodes: 0, threads: 1, seed: 3, settings };
            generate(&plan, &path, &mut |_, _| {}).map(|_| checksum).map_err(|error| error.to_string())
        };
        assert_eq!(play(0, "", 8).unwrap(), read(&path).unwrap().origin.weights);
        play(0, "", 8).unwrap();
        for (bias, changes, hash_mb) in [(1, "", 8), (0, "null_move=0", 8), (0, "elo=2000", 8), (0, "", 1)] {
            let said = play(bias, changes, hash_mb).unwrap_err();
            assert!(said.contains("has games of other weights or settings"), "{said}");
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn weights_have_numbers() {
        let mut other = Box::new(WEIGHTS);
        other[7] += betacut_play::evaluation::Pair::new(0, 1);
        assert_ne!(weights_number(&other), weights_number(&WEIGHTS));
    }
}
