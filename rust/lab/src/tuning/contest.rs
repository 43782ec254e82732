//! A match between two settings of the engine. By nodes, every pair of games is a function of the seed and its number. Pairs
//! are counted in that order, so a sequential test ends at the same pair on any number of threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::{collections::BTreeMap, fmt, time::Duration};

use super::error::Error;
use super::game::{Adjudication, after, play};
use super::openings::{Opening, random_opening, shuffle, stream};
use super::players::{Effort, Player, play_all};
use crate::statistics::{Estimate, Sample};
use betacut_play::{Limit, Settings};

/// Openings at random are left out if the score after them is beyond this. Centipawns.
const UNBALANCED: i32 = 150;
/// Plies of such an opening.
const OPENING_PLIES: usize = 8;
/// So many are tried for a pair.
const TRIES: usize = 1000;

/// A match.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The settings of A and of B.
    pub players: [Settings; 2],
    /// What ends each search.
    pub limit: Limit,
    /// The games to be played, at most; two a pair.
    pub games: u64,
    /// Games at a time.
    pub threads: usize,
    /// What openings are drawn by.
    pub seed: u64,
    /// The openings to be used; at random if there are none.
    pub openings: Vec<Opening>,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// A sequential test of normalized Elo: the smaller and the greater difference.
    pub sprt: Option<[f64; 2]>,
}

/// Ln(0.95 / 0.05): errors of either kind are allowed in 5 tests of 100.
const BOUND: f64 = 2.944_438_979_166_44;
/// How often intervals are to hold the truth.
const CONFIDENCE: f64 = 0.95;

/// The results of a match, for A.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games lost, drawn, won.
    pub games: [u64; 3],
    /// Pairs with 0 to 4 half points.
    pub pairs: [u64; 5],
}

impl Tally {
    fn add(&mut self, half_points: [u8; 2]) {
        for half in half_points {
            self.games[half.min(2) as usize] += 1;
        }
        self.pairs[half_points.iter().sum::<u8>().min(4) as usize] += 1;
    }

    fn sample(&self) -> Sample {
        Sample(self.pairs.map(|count| count as f64).to_vec())
    }
}

/// Whether a sequential test is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes on.
    Open,
    /// The smaller difference is accepted.
    H0,
    /// The greater difference is.
    H1,
}

impl Verdict {
    /// By the logarithm of the likelihood ratio.
    fn of(llr: f64) -> Verdict {
        if llr >= BOUND {
            Verdict::H1
        } else if llr <= -BOUND {
            Verdict::H0
        } else {
            Verdict::Open
        }
    }
}

/// How a match stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// The results, for A.
    pub tally: Tally,
    /// What A and B have spent.
    pub efforts: [Effort; 2],
    /// Plies of all games.
    pub plies: u64,
    /// Pairs that could not be played to their end.
    pub faults: u64,
    /// The differences of the sequential test.
    pub sprt: Option<[f64; 2]>,
}

impl Standing {
    /// Pairs that are counted, those with faults included; the number of the next one.
    pub fn counted(&self) -> u64 {
        self.tally.pairs.iter().sum::<u64>() + self.faults
    }

    /// The standing, if any pair could be played.
    pub fn if_played(self) -> Result<Standing, Error> {
        match (self.tally.pairs.iter().sum(), self.faults) {
            (0u64, 1..) => Err(Error::new(format!("none of the {} pairs could be played", self.faults))),
            _ => Ok(self),
        }
    }

    /// The same without times, the only figures of a match by nodes that differ from run to run.
    pub(super) fn without_times(mut self) -> Standing {
        self.efforts.iter_mut().for_each(|effort| effort.time = Duration::ZERO);
        self
    }

    /// Whether the sequential test is over.
    pub fn verdict(&self) -> Verdict {
        self.sprt.map_or(Verdict::Open, |sprt| Verdict::of(self.tally.sample().llr(sprt, true)))
    }
}

/// A figure as people read it.
fn shown(Estimate { value, low, high, .. }: Estimate) -> String {
    let reach = (high - low) / 2.0;
    if reach.is_finite() && (value - low - reach).abs() < 1.0 {
        format!("{value:+.1} ± {reach:.1}")
    } else {
        format!("{value:+.1} ({low:+.1} to {high:+.1})")
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { games: [losses, draws, wins], pairs } = self.tally;
        write!(f, "{} games: +{wins} ={draws} -{losses}, pairs {pairs:?}; ", wins + draws + losses)?;
        let sample = self.tally.sample();
        write!(f, "Elo {}", shown(sample.elo(CONFIDENCE)))?;
        let normalized = sample.normalized_elo(CONFIDENCE);
        if !normalized.exact {
            write!(f, ", nElo {}", shown(normalized))?;
        }
        if let Some([elo0, elo1]) = self.sprt {
            let said = match self.verdict() {
                Verdict::Open => "open",
                Verdict::H0 => "H0",
                Verdict::H1 => "H1",
            };
            write!(f, ", LLR {:+.2} [{elo0}, {elo1}] {said}", sample.llr([elo0, elo1], true))?;
        }
        let [a, b] = &self.efforts;
        write!(f, "; depth {:.2} and {:.2}", a.mean_depth(), b.mean_depth())?;
        write!(f, ", {:.0} and {:.0} kn/s", a.speed() / 1000.0, b.speed() / 1000.0)?;
        let faults = self.faults;
        if faults > 0 { write!(f, "; {faults} pairs could not be played") } else { Ok(()) }
    }
}

/// A pair of games.
#[derive(Clone, Copy, Debug)]
struct Pair {
    half_points: [u8; 2],
    efforts: [Effort; 2],
    plies: u32,
}

/// The opening of a pair: from the list, each once in an order that the seed decides, or at random.
fn opening(plan: &Plan, order: &[usize], players: &mut [Player; 2], number: u64) -> Result<Opening, String> {
    if let Some(&index) = order.get(number as usize % order.len().max(1)) {
        return Ok(plan.openings[index].clone());
    }
    let mut numbers = stream(plan.seed, number);
    for _ in 0..TRIES {
        let Some(opening) = random_opening(&mut numbers, OPENING_PLIES) else { continue };
        // The judge has no memory of it when the game begins.
        let thought = players[1].think(&after(&opening))?;
        players[1].clear();
        if thought.score.is_some_and(|score| score.abs() <= UNBALANCED) {
            return Ok(opening);
        }
    }
    Err(format!("none of {TRIES} openings is balanced"))
}

fn play_pair(plan: &Plan, order: &[usize], players: &mut [Player; 2], number: u64) -> Result<Pair, String> {
    players.iter_mut().for_each(Player::clear);
    let opening = opening(plan, order, players, number)?;
    for player in players.iter_mut() {
        player.take_effort();
    }
    let mut pair = Pair { half_points: [0; 2], efforts: [Effort::default(); 2], plies: 0 };
    for game in 0..2 {
        players.iter_mut().for_each(Player::clear);
        let finished = play(
            &opening,
            &plan.adjudication,
            &mut |state| {
                // A is White first, then Black.
                let black = shakmaty::Position::turn(state.position()).is_black();
                players[usize::from(black) ^ game].think(state)
            },
            &mut |_, _, _| {},
        )
        .map_err(|fault| format!("game {}: {fault}", game + 1))?;
        pair.half_points[game] = if game == 0 { finished.result } else { 2 - finished.result };
        pair.plies += finished.plies;
    }
    for (effort, player) in pair.efforts.iter_mut().zip(players) {
        *effort = player.take_effort();
    }
    Ok(pair)
}

/// Is told how the match stands, and what went wrong with a pair.
pub(super) type Report<'a> = &'a mut (dyn FnMut(&Standing, Option<&str>) + Send + 'a);

/// The state that the threads share.
struct Shared<'a> {
    /// Pairs that are over, but not some pair before them.
    waiting: BTreeMap<u64, Result<Pair, String>>,
    standing: Standing,
    report: Report<'a>,
}

impl Shared<'_> {
    /// Takes a pair, and counts those whose turn it is. Says whether the match is over.
    fn note(&mut self, number: u64, pair: Result<Pair, String>) -> bool {
        self.waiting.insert(number, pair);
        while self.standing.verdict() == Verdict::Open {
            let next = self.standing.counted();
            let Some(pair) = self.waiting.remove(&next) else { return false };
            match pair {
                Ok(pair) => {
                    self.standing.tally.add(pair.half_points);
                    self.standing.plies += u64::from(pair.plies);
                    for (sum, effort) in self.standing.efforts.iter_mut().zip(pair.efforts) {
                        *sum += effort;
                    }
                    (self.report)(&self.standing, None);
                }
                Err(reason) => {
                    self.standing.faults += 1;
                    (self.report)(&self.standing, Some(&format!("pair {next}: {reason}")));
                }
            }
        }
        true
    }
}

/// Plays a match, or goes on with one that stood at `from`. `report` is told of each pair that is counted, and what went
/// wrong with it.
pub fn contest(plan: &Plan, from: Standing, report: Report<'_>) -> Result<Standing, Error> {
    let mut order: Vec<usize> = (0..plan.openings.len()).collect();
    shuffle(&mut order, &mut stream(plan.seed, u64::MAX));
    let standing = Standing { sprt: plan.sprt, ..from };
    let pairs = if standing.verdict() == Verdict::Open { plan.games.div_ceil(2) } else { 0 };
    let next = AtomicU64::new(standing.counted());
    let shared = Mutex::new(Shared { waiting: BTreeMap::new(), standing, report });
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let new_player = |settings: &Settings| Player::new(settings.clone(), plan.limit.clone());
    play_all(
        plan.threads,
        "an engine panicked",
        || Some(next.fetch_add(1, Relaxed)).filter(|&number| number < pairs),
        || Ok([new_player(&plan.players[0])?, new_player(&plan.players[1])?]),
        |players, number| play_pair(plan, &order, players, number),
        |number, pair| Ok(lock().note(number, pair)),
    )?;
    Ok(lock().standing)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::tuning::players::settings;

    pub fn plan(a: &str, games: u64, threads: usize) -> Plan {
        let player = |changes| settings(changes, None, 1).unwrap();
        Plan {
            players: [player(a), player("")],
            limit: Limit { nodes: Some(100), ..Limit::default() },
            games,
            threads,
            seed: 5,
            openings: Vec::new(),
            adjudication: Adjudication::USUAL,
            sprt: None,
        }
    }

    fn played(plan: &Plan) -> Standing {
        let start = Standing::default();
        contest(plan, start, &mut |_, problem| assert_eq!(problem, None)).unwrap().without_times()
    }

    #[test]
    fn pairs_are_counted_and_told() {
        let mut tally = Tally::default();
        for pair in [[2, 1], [0, 2], [1, 1], [2, 2], [0, 1]] {
            tally.add(pair);
        }
        assert_eq!(tally, Tally { games: [2, 4, 4], pairs: [0, 1, 2, 1, 1] });
        let told =
            |pairs| Standing { tally: Tally { games: [0; 3], pairs }, ..Standing::default() }.to_string();
        let spread = told([0, 20, 50, 30, 0]);
        assert!(spread.contains("; Elo +17.4 ± 24.4, nElo +35.1 ± 49.6; "), "{spread}");
        assert!(told([0, 0, 0, 0, 10]).contains("; Elo +inf (+140.2 to +inf); "));
        assert!(told([0; 5]).contains("; Elo +0.0 (-inf to +inf); "));
        assert_eq!([2.945, 2.94, -2.945].map(Verdict::of), [Verdict::H1, Verdict::Open, Verdict::H0]);
    }

    #[test]
    fn against_itself_every_pair_is_level() {
        // The second game of a pair is the first one again, with names changed.
        let standing = played(&plan("", 6, 2));
        assert_eq!(standing.tally.pairs, [0, 0, 3, 0, 0]);
        assert_eq!(standing.efforts[0], standing.efforts[1]);
        assert_eq!(standing.tally.games[0], standing.tally.games[2]);
    }

    #[test]
    fn a_match_is_the_same_on_any_number_of_threads() {
        let one = played(&plan("null_move=0,quiescence=0", 8, 1));
        assert_eq!(one.tally.pairs.iter().sum::<u64>(), 4);
        assert_ne!(one.efforts[0], one.efforts[1]);
        assert_eq!(one, played(&plan("null_move=0,quiescence=0", 8, 3)));
    }

    #[test]
    fn a_sequential_test_ends_a_match() {
        let plan = Plan { sprt: Some([0.0, 100.0]), ..plan("quiescence=0", 400, 2) };
        let standing = played(&plan);
        assert_eq!(standing.verdict(), Verdict::H0, "{standing}");
        assert!(standing.tally.pairs.iter().sum::<u64>() < 200);
    }

    #[test]
    fn openings_of_a_list_are_all_used() {
        let openings = crate::tuning::openings::read_epd(
            "4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/4p3/8/8/8/8/8/4K3 w - -\n6k1/5ppp/8/8/8/8/8/K2R4 w - -",
        )
        .0;
        let order = [2, 0, 1];
        let plan = Plan { openings: openings.clone(), ..plan("", 6, 1) };
        let mut players = plan.players.clone().map(|s| Player::new(s, plan.limit.clone()).unwrap());
        let mut of = |number| opening(&plan, &order, &mut players, number).unwrap();
        assert_eq!([of(0), of(1), of(2)], order.map(|at| openings[at].clone()));
        assert_eq!(of(3), of(0));
        assert_eq!(played(&plan).tally.pairs, [0, 0, 3, 0, 0]);
    }
}
