//! Tunes parameters of the search by SPSA: simultaneous perturbation stochastic approximation (J. C. Spall, 1992), with the
//! gains that fishtest made usual for chess engines.
//!
//! Iteration k of N draws a sign Δ for each parameter, plays θ + cΔ against θ - cΔ, and moves θ by aΔ/c for each win of the
//! first and back for each loss; c = `c_end` (N/k)^γ and a = `r_end` `c_end`² ((A+N)/(A+k))^α. Draws of an iteration
//! depend on the seed and k alone, so a run is a function of its plan and can be stopped after any iteration.

use std::fmt::{self, Write as _};
use std::fs::{self, File};
use std::{io, path::Path};

use betacut_core::random;
use betacut_play::{Limit, Parameters, Settings, UnknownParameter};

use super::contest::{Plan as MatchPlan, Standing, contest};
use super::error::Error;
use super::{game::Adjudication, generate::evaluation_number, openings::stream};

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// A, as a part of all iterations.
const STABILITY: f64 = 0.1;
/// What `r_end` is if a line does not say it.
const R_END: f64 = 0.002;
/// No number of a line is beyond this.
const GREATEST: f64 = 1e6;
/// The fields of a line; only a state has the last.
const FIELDS: [&str; 7] = ["name", "start", "min", "max", "c_end", "r_end", "value"];

/// A parameter that is tuned. Its text is the line that [`parameters`] reads.
#[derive(Clone, Debug)]
pub struct Tuned {
    name: String,
    start: f64,
    min: f64,
    max: f64,
    /// How far from θ it is played in the last iteration.
    c_end: f64,
    /// How far a game moves θ then, as a part of `c_end`.
    r_end: f64,
    /// Its part of θ.
    value: f64,
}

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tuned { name, start, min, max, c_end, r_end, .. } = self;
        write!(f, "{name}, {start}, {min}, {max}, {c_end}, {r_end}")
    }
}

impl Tuned {
    fn parse(line: &str) -> Result<Tuned, String> {
        let mut fields: Vec<&str> = line.split(',').map(str::trim).collect();
        if fields.get(1) == Some(&"int") {
            fields.remove(1); // OpenBench's lines have a type.
        }
        if !(4..=FIELDS.len()).contains(&fields.len()) {
            return Err(format!("must be name, start, min, max[, c_end[, r_end]], not {line:?}"));
        }
        let name = fields[0].to_owned();
        if Parameters::default().get(&name).is_none() {
            return Err(UnknownParameter(name).to_string());
        }
        // A field that is not there is what is usual.
        let number = |at: usize, low: f64, high: f64, usual: f64| {
            let Some(text) = fields.get(at) else { return Ok(usual) };
            let parsed = text.parse().ok().filter(|number| (low..=high).contains(number));
            let field = FIELDS[at];
            parsed.ok_or_else(|| format!("{field} must be a number from {low} to {high}, not {text:?}"))
        };
        let min = number(2, -GREATEST, GREATEST, 0.0)?;
        let max = number(3, min, GREATEST, 0.0)?;
        let start = number(1, min, max, 0.0)?;
        Ok(Tuned {
            name,
            start,
            min,
            max,
            c_end: number(4, 0.0, GREATEST, ((max - min) / 20.0).max(0.5))?,
            r_end: number(5, 0.0, 1.0, R_END)?,
            value: number(6, min, max, start)?,
        })
    }
}

/// Reads `name, start, min, max[, c_end[, r_end]]` from each line that is neither empty nor begins with `#`. A missing `c_end`
/// is a twentieth of the range, at least 0.5; a missing `r_end` is 0.002. An error names the line.
pub fn parameters(text: &str) -> Result<Vec<Tuned>, Error> {
    let mut tuned: Vec<Tuned> = Vec::new();
    for (index, line) in text.lines().map(str::trim).enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |reason| Error::new(format!("line {}: {reason}", index + 1));
        let parameter = Tuned::parse(line).map_err(wrong)?;
        if tuned.iter().any(|other| other.name == parameter.name) {
            return Err(wrong(format!("{:?} is given twice", parameter.name)));
        }
        tuned.push(parameter);
    }
    if tuned.is_empty() { Err(Error::new("no line has a parameter")) } else { Ok(tuned) }
}

/// All parameters that are neither switches nor 0, which is off, from half of their value to double.
pub fn all_parameters() -> Result<Vec<Tuned>, Error> {
    let values = Parameters::default();
    let numbers = Parameters::NAMES.iter().filter(|&&name| Parameters::switches().all(|other| other != name));
    let lines = numbers.filter_map(|name| {
        let value = values.get(name).filter(|&value| value != 0)?;
        Some(format!("{name}, {value}, {}, {}\n", value / 2, 2 * value))
    });
    parameters(&lines.collect::<String>())
}

/// How to tune.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The players, but for the parameters tuned.
    pub settings: Settings,
    /// What ends each search.
    pub limit: Limit,
    /// All iterations.
    pub iterations: u64,
    /// Pairs of games of an iteration.
    pub pairs: u64,
    /// Games at a time.
    pub threads: usize,
    /// What is drawn by.
    pub seed: u64,
}

/// What decides a run beside its parameters.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plan { settings, limit, iterations, pairs, seed, .. } = self;
        let (nodes, soft_nodes) = (limit.nodes.unwrap_or(0), limit.soft_nodes.unwrap_or(0));
        write!(f, "iterations {iterations}, pairs {pairs}, nodes {nodes}, soft nodes {soft_nodes}, ")?;
        write!(f, "seed {seed}, hash {}, evaluation {:016x}", settings.hash_mb, evaluation_number(settings))
    }
}

/// How far a run is. Its text says what has become of each parameter; the last line is for a match.
#[derive(Clone, Debug)]
pub struct State {
    /// What decides the run, as it is written.
    plan: String,
    /// Iterations done.
    pub iteration: u64,
    tuned: Vec<Tuned>,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Tuned { name, start, value, .. } in &self.tuned {
            writeln!(f, "{name}: {start} -> {value:.2}")?;
        }
        let changes = self.tuned.iter().map(|tuned| format!("{}={:.0}", tuned.name, tuned.value));
        write!(f, "{}", changes.collect::<Vec<_>>().join(","))
    }
}

/// Keeps other runs from a state, until it is dropped. Each state takes the place of the one before, so a file beside them
/// is locked.
pub fn lock(path: &Path) -> Result<File, Error> {
    let beside = path.with_added_extension("lock");
    let file = File::create(&beside).map_err(|error| Error::of_file(&beside, error))?;
    Error::if_locked(&file, path, "run", "file").map(|()| file)
}

impl State {
    /// Begins a run, or goes on with that of the file. A file of another plan or of other parameters is an error.
    pub fn open(plan: &Plan, tuned: Vec<Tuned>, path: &Path) -> Result<State, Error> {
        let new = State { plan: plan.to_string(), iteration: 0, tuned };
        if fs::metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return new.write(path).map(|()| new);
        }
        let found = State::read(path)?;
        let lines = |state: &State| state.tuned.iter().map(Tuned::to_string).collect::<Vec<_>>();
        if found.plan == new.plan && lines(&found) == lines(&new) {
            return Ok(found);
        }
        let other = if found.plan == new.plan { "other parameters" } else { &found.plan };
        Err(Error::of_file(path, format!("has a run of {other}; another file must be named")))
    }

    /// Reads the file of a run.
    pub fn read(path: &Path) -> Result<State, Error> {
        let wrong = |reason: &dyn fmt::Display| Error::of_file(path, reason);
        let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
        let head = text.lines().next().and_then(|line| line.strip_prefix("# ")?.split_once(" done: "));
        let Some((Ok(iteration), plan)) = head.map(|(done, plan)| (done.parse(), plan.to_owned())) else {
            return Err(wrong(&"no state that betacut-tune spsa has written"));
        };
        Ok(State { plan, iteration, tuned: parameters(&text).map_err(|error| wrong(&error))? })
    }

    /// Writes the file; whoever reads it finds the old state or the new one.
    fn write(&self, path: &Path) -> Result<(), Error> {
        let mut text = format!("# {} done: {}\n", self.iteration, self.plan);
        for tuned in &self.tuned {
            let _ = writeln!(text, "{tuned}, {}", tuned.value);
        }
        let part = path.with_added_extension("part");
        let written = fs::write(&part, text).and_then(|()| fs::rename(&part, path));
        written.map_err(|error| Error::of_file(path, error))
    }

    /// Plays an iteration and writes the state; false if none is left. `tell` hears of what went wrong with a pair.
    pub fn play(&mut self, plan: &Plan, path: &Path, tell: fn(Option<&str>)) -> Result<bool, Error> {
        if self.iteration >= plan.iterations {
            return Ok(false);
        }
        self.step(plan, |seed, players| {
            let plan = MatchPlan {
                players: players.map(|parameters| Settings { parameters, ..plan.settings.clone() }),
                limit: plan.limit.clone(),
                games: 2 * plan.pairs,
                threads: plan.threads,
                seed,
                openings: Vec::new(),
                adjudication: Adjudication::USUAL,
                sprt: None,
            };
            let [losses, _, wins] =
                contest(&plan, Standing::default(), &mut |_, problem| tell(problem))?.tally.games;
            Ok(wins as f64 - losses as f64)
        })?;
        self.write(path).map(|()| true)
    }

    /// An iteration. `play` gets a seed and both players' parameters, and answers with the first one's wins less its losses.
    fn step<F>(&mut self, plan: &Plan, play: F) -> Result<(), Error>
    where
        F: FnOnce(u64, [Parameters; 2]) -> Result<f64, Error>,
    {
        // k / N.
        let part = (self.iteration + 1) as f64 / plan.iterations as f64;
        let (spread, pace) = (part.powf(-GAMMA), ((STABILITY + 1.0) / (STABILITY + part)).powf(ALPHA));
        let mut numbers = stream(plan.seed, self.iteration);
        let seed = random::next(&mut numbers);
        let mut players = [plan.settings.parameters.clone(), plan.settings.parameters.clone()];
        let mut signs = Vec::new();
        for Tuned { name, min, max, c_end, value, .. } in &self.tuned {
            let number = random::next(&mut numbers);
            let sign = if number & 1 == 0 { 1.0 } else { -1.0 };
            // Both are rounded by the same draw, so they differ wherever 2c is 1 at least.
            let draw = (number >> 32) as f64 / (1_u64 << 32) as f64;
            for (player, side) in players.iter_mut().zip([sign, -sign]) {
                let rounded = (value + side * c_end * spread + draw).floor().clamp(*min, *max);
                player.set(name, rounded as i32).map_err(|error| Error::new(error.to_string()))?;
            }
            signs.push(sign);
        }
        let result = play(seed, players)?;
        for (Tuned { min, max, c_end, r_end, value, .. }, sign) in self.tuned.iter_mut().zip(signs) {
            *value = (*value + *r_end * *c_end * pace / spread * result * sign).clamp(*min, *max);
        }
        self.iteration += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::archive::tests::temporary;
    use crate::tuning::players::settings;

    fn plan(iterations: u64, threads: usize) -> Plan {
        let limit = Limit { nodes: Some(150), ..Limit::default() };
        Plan { settings: settings("", None, 1).unwrap(), limit, iterations, pairs: 2, threads, seed: 3 }
    }

    fn state(iteration: u64, lines: &str) -> State {
        State { plan: String::new(), iteration, tuned: parameters(lines).unwrap() }
    }

    #[test]
    fn it_finds_the_top_of_a_noisy_hill() {
        let lines =
            "futility_margin, 75, 38, 150\nnull_move_reduction, 4, 2, 8\nsee_pruning_quiet, 20, 10, 40";
        let mut state = state(0, lines);
        let height = |player: &Parameters| {
            let far = |value: i32, best: f64, range: f64| ((f64::from(value) - best) / range).powi(2);
            -far(player.futility_margin, 130.0, 112.0)
                - far(player.null_move_reduction, 6.5, 6.0)
                - far(player.see_pruning_quiet, 12.0, 30.0)
        };
        let (plan, mut noise) = (plan(4000, 1), 1);
        for _ in 0..4000 {
            let games = |_, [a, b]: [Parameters; 2]| {
                // 16 games without draws; half a range away from the top costs 89 Elo.
                let chance = 0.5 + (height(&a) - height(&b)) / 2.0;
                let wins = (0..16).filter(|_| random::next(&mut noise) as f64 / u64::MAX as f64 <= chance);
                Ok(2.0 * wins.count() as f64 - 16.0)
            };
            state.step(&plan, games).unwrap();
        }
        for (tuned, best) in state.tuned.iter().zip([130.0, 6.5, 12.0]) {
            assert!((tuned.value - best).abs() < 1.5 * tuned.c_end, "{tuned}: {} for {best}", tuned.value);
        }
    }

    #[test]
    fn players_keep_their_distance_and_their_range() {
        let mut sum = 0;
        for seed in 0..1000 {
            let mut state = state(99, "razoring_depth, 4.25, 2, 8\ndelta_margin, 198, 100, 200, 5, 0.01");
            let mut sign = 0.0;
            let games = |_, [a, b]: [Parameters; 2]| {
                assert_eq!(a.razoring_depth.abs_diff(b.razoring_depth), 1);
                sum += a.razoring_depth + b.razoring_depth;
                assert_eq!(a.delta_margin.max(b.delta_margin), 200);
                assert!((193..=194).contains(&a.delta_margin.min(b.delta_margin)));
                sign = f64::from((a.delta_margin - b.delta_margin).signum());
                Ok(2.0)
            };
            state.step(&Plan { seed, ..plan(100, 1) }, games).unwrap();
            // In the last iteration a win is worth r_end c_end.
            assert!((state.tuned[1].value - 198.0 - 0.1 * sign).abs() < 1e-9);
        }
        let mean = f64::from(sum) / 2000.0;
        assert!((mean - 4.25).abs() < 0.05, "{mean}");
    }

    #[test]
    fn lines_are_read_and_bad_ones_told() {
        let shown = |text| {
            parameters(text).map(|read| read.iter().map(Tuned::to_string).collect::<Vec<_>>().join("; "))
        };
        let read = shown("# some\n\nrazoring_depth, int, 4, 2, 8\nfutility_base,100,50,200,3,0.004").unwrap();
        assert_eq!(read, "razoring_depth, 4, 2, 8, 0.5, 0.002; futility_base, 100, 50, 200, 3, 0.004");
        for (line, wrong) in [
            ("futility_bass, 1, 0, 2", "there is no parameter \"futility_bass\""),
            ("futility_base, 1", "must be name, start, min, max[, c_end[, r_end]], not \"futility_base, 1\""),
            ("futility_base, 3, 0, 2", "start must be a number from 0 to 2, not \"3\""),
            ("futility_base, 1, 0, x", "max must be a number from 0 to 1000000, not \"x\""),
            ("futility_base, 1, 0, 2, NaN", "c_end must be a number from 0 to 1000000, not \"NaN\""),
            ("razoring_depth, 4, 2, 8", "\"razoring_depth\" is given twice"),
        ] {
            let said = parameters(&format!("razoring_depth, 4, 2, 8\n{line}")).unwrap_err().to_string();
            assert_eq!(said, format!("line 2: {wrong}"));
        }
        let all = all_parameters().unwrap();
        let values = Parameters::default();
        let off = Parameters::NAMES.iter().filter(|name| values.get(name) == Some(0)).count();
        assert_eq!(all.len() + Parameters::switches().count() + off, Parameters::NAMES.len());
        assert!(all.iter().all(|tuned| tuned.min < tuned.start && tuned.start < tuned.max));
    }

    #[test]
    fn a_continued_run_ends_as_an_uninterrupted_one() {
        let [whole, parts] = ["spsa-whole", "spsa-parts"].map(temporary);
        let tuned = || parameters("delta_margin, 150, -400, 700, 300\nrazoring_margin, 280, 0, 500").unwrap();
        let tell: fn(Option<&str>) = |problem| assert_eq!(problem, None);
        let run = |threads, path, iterations| {
            let plan = plan(4, threads);
            let mut state = State::open(&plan, tuned(), path).unwrap();
            let played = (0..iterations).filter(|_| state.play(&plan, path, tell).unwrap()).count();
            (played, state)
        };
        assert_eq!([run(1, &whole, 9).0, run(3, &parts, 1).0], [4, 1]);
        let (played, state) = run(2, &parts, 9);
        assert_eq!(played, 3);
        assert_eq!(fs::read(&whole).unwrap(), fs::read(&parts).unwrap());
        assert!(state.tuned.iter().all(|tuned| (tuned.value - tuned.start).abs() > 0.01), "{state}");

        // Its last line is what a match takes.
        let told = State::read(&parts).unwrap().to_string();
        let changed = settings(told.lines().last().unwrap(), None, 1).unwrap().parameters;
        assert!((f64::from(changed.delta_margin) - state.tuned[0].value).abs() <= 0.5);

        let locked = lock(&parts).unwrap();
        assert!(lock(&parts).unwrap_err().to_string().contains("another run writes to it"));
        drop(locked);
        let said = |plan, tuned| State::open(&plan, tuned, &parts).unwrap_err().to_string();
        let other = said(plan(5, 1), tuned());
        assert!(
            other.contains("has a run of iterations 4, pairs 2, nodes 150, soft nodes 0, seed 3"),
            "{other}"
        );
        let other = said(plan(4, 1), tuned().split_off(1));
        assert!(other.contains("has a run of other parameters"), "{other}");
        let locked = lock(&parts).map(|_| parts.with_added_extension("lock")).unwrap();
        for path in [whole, parts, locked] {
            fs::remove_file(path).unwrap();
        }
    }
}
