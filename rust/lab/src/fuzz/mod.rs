//! The differential fuzzer: the exact search against the textbook floor, on positions that no author of tests would think of.
//!
//! `docs/verification.md` says what is asked, and of which positions ([`Kind`]). Every fourth case has an evaluation of its
//! own ([`mod@evaluations`]), and every eighth the preset `tapered`, with tables of their own too, since a table holds the
//! values of one evaluation. Nearly all the time goes into the textbook.
//!
//! **Repeating.** A run is a function of its seed: case `n` has the same positions and questions every time, however
//! long the run. A difference is reported with the smallest position that shows it ([`Failure`]). If fresh tables do
//! not show it, it is the tables' memory, and the report says what they had seen before.
//!
//! ```
//! use betacut_lab::fuzz::Fuzzer;
//! let mut fuzzer = Fuzzer::new(1).unwrap();
//! assert!(fuzzer.run(100, &mut || false).is_none());
//! assert!(fuzzer.checked() >= 100);
//! ```

mod check;
mod difference;
mod evaluations;
mod guards;
mod kinds;
mod random;
mod refutations;
mod shrink;

use std::fmt;
use std::panic::{set_hook, take_hook};
use std::sync::Arc;

use check::Checker;
pub use check::check;
pub use difference::Difference;
use difference::{Compared, Halt};
pub use kinds::{Kind, position};
pub use random::Random;
pub use refutations::{
    Pairs, WrongRefutation, check_futile, check_refutations, check_taken_back, check_unrefuted,
};

use betacut_core::evaluation::{Evaluation, presets};
use betacut_core::limits::{Poll, Stopped};
use betacut_core::position::Position;
use betacut_core::score::{Depth, Score};
use betacut_exact::OutOfMemory;

/// The greatest depth that is chosen.
const MOST_DEPTH: Depth = 5;
/// Nodes of plain minimax that a depth may cost at most, for the textbook to be done in milliseconds.
const MOST_NODES: f64 = 150_000.0;
/// Every kind has its turn; stalemates, which take the most luck, have three.
const TURNS: u64 = Kind::ALL.len() as u64 + 2;
/// One in this many cases is also searched by several threads, as deep as that takes.
const CASES_PER_SHARED: u64 = 1999;
/// Pairs of a move and a reply that each position is asked about, and those of a kind that is made for them.
const PAIRS: usize = 8;
const PAIRS_OF_CROWDED: usize = 64;
/// How many cases back a difference may lie that only the tables' memory explains.
const LOOK_BACK: u64 = 4096;

/// A run of the fuzzer.
pub struct Fuzzer {
    seed: u64,
    depth: Option<Depth>,
    kind: Option<Kind>,
    evaluation: Option<Arc<Evaluation>>,
    quiescence: bool,
    next_case: u64,
    checker: Checker,
    counts: [u64; Kind::ALL.len()],
}

/// A case that shows a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The seed of the run.
    pub seed: u64,
    /// The number of the case in the run.
    pub case: u64,
    /// What it was made for.
    pub kind: Kind,
    /// The difference as it was met.
    pub met: Difference,
    /// The smallest one that was found from there.
    pub smallest: Difference,
    /// What the tables must have seen before, if anything: positions as FEN, and depths.
    pub before: Vec<(String, Depth)>,
    /// The evaluation, if it is not the default: as JSON, which `betacut.Evaluation.from_json` reads.
    pub evaluation: Option<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { seed, case, kind, met, smallest, before, evaluation } = self;
        writeln!(f, "seed {seed}, case {case} ({}):\n{met}", kind.name())?;
        if smallest != met {
            write!(f, "smallest:\n{smallest}")?;
        }
        if !before.is_empty() {
            write!(f, "after the tables have seen:")?;
            for (fen, depth) in before {
                write!(f, "\n  {fen}, depth {depth}")?;
            }
        }
        if let Some(evaluation) = evaluation {
            write!(f, "\nwith the evaluation:\n{evaluation}")?;
        }
        Ok(())
    }
}

impl Fuzzer {
    /// A run over all kinds of positions, each as deep as is affordable.
    pub fn new(seed: u64) -> Result<Fuzzer, OutOfMemory> {
        Ok(Fuzzer {
            seed,
            depth: None,
            kind: None,
            evaluation: None,
            quiescence: false,
            next_case: 0,
            checker: Checker::for_a_run()?,
            counts: [0; Kind::ALL.len()],
        })
    }

    /// The same with one depth alone, whatever it costs.
    #[must_use]
    pub fn with_depth(self, depth: Depth) -> Fuzzer {
        Fuzzer { depth: Some(depth), ..self }
    }

    /// The same with one kind alone.
    #[must_use]
    pub fn with_kind(self, kind: Kind) -> Fuzzer {
        Fuzzer { kind: Some(kind), ..self }
    }

    /// The same with one evaluation alone.
    #[must_use]
    pub fn with_evaluation(self, evaluation: Arc<Evaluation>) -> Fuzzer {
        Fuzzer { evaluation: Some(evaluation), ..self }
    }

    /// The same with quiet leaves alone.
    #[must_use]
    pub fn with_quiescence(self) -> Fuzzer {
        Fuzzer { quiescence: true, ..self }
    }

    /// How many positions of each kind have been checked.
    pub fn counts(&self) -> impl Iterator<Item = (Kind, u64)> + '_ {
        Kind::ALL.into_iter().zip(self.counts)
    }

    /// How many positions have been checked.
    pub fn checked(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Checks the next cases, this many; fewer if `poll` wants to stop, or if a difference is met.
    pub fn run(&mut self, cases: u64, poll: Poll<'_>) -> Option<Failure> {
        let end = self.next_case.saturating_add(cases);
        while self.next_case < end && !poll() {
            let case = self.case(self.next_case);
            let mut index = 0;
            match self.check_case(&case, &mut index, poll) {
                Ok(()) => {}
                // The case is not counted, and is the first of the next run.
                Err(Halt::Stopped(_)) => break,
                Err(Halt::Differs(met)) => {
                    let failure = self.explain(&case, index, *met, poll);
                    self.next_case += 1;
                    return Some(failure);
                }
            }
            self.counts[case.kind as usize] += case.asked.len() as u64;
            self.next_case += 1;
        }
        None
    }

    /// A case: a position, and relatives of it that a table must not mistake for it.
    fn case(&self, number: u64) -> Case {
        let mut random = Random::new(self.seed, number);
        let turn = (number % TURNS) as usize;
        let kind = self.kind.unwrap_or(*Kind::ALL.get(turn).unwrap_or(&Kind::Stalemate));
        let case = case(kind, self.depth, number, &mut random);
        match &self.evaluation {
            Some(evaluation) => Case { evaluation: Some(Arc::clone(evaluation)), ..case },
            None => case,
        }
    }

    /// Compares at the positions of a case, one after the other; `index` is that of the last.
    fn check_case(&self, case: &Case, index: &mut usize, poll: Poll<'_>) -> Compared {
        // Not the stream that made the positions: so a case shrinks without changing its questions.
        let mut random = Random::new(!self.seed, case.number);
        let pairs = if case.kind == Kind::Crowded { PAIRS_OF_CROWDED } else { PAIRS };
        let own = case.evaluation.as_deref();
        let fresh = own.map(|_| Checker::fresh()).transpose().map_err(Stopped::from)?;
        let checker = fresh.as_ref().unwrap_or(&self.checker);
        for (at, (position, depth)) in case.asked.iter().enumerate() {
            *index = at;
            let position = &position.with_evaluation(own.unwrap_or(position.evaluation()));
            if self.quiescence {
                checker.compare_quiet_leaves(position, *depth, Some(&mut random), poll)?;
                continue;
            }
            // Single refutations, and guards against stalemate.
            let less = random.below(40) as Score;
            let wrong = refutations::first(position, less, Some((pairs, &mut random)))
                .or_else(|| guards::some(position, pairs / 8, &mut random));
            wrong.map_or(Ok(()), |wrong| Err(Halt::Differs(wrong)))?;
            checker.check(position, *depth, Some(&mut random), poll)?;
        }
        if case.number % CASES_PER_SHARED == CASES_PER_SHARED - 1
            && self.depth.is_none()
            && own.is_none()
            && !self.quiescence
        {
            *index = 0;
            checker.check_threads(&case.asked[0].0, &mut random, poll)?;
        }
        Ok(())
    }

    /// The smallest position that shows the difference, or else what the tables must have seen.
    fn explain(&self, case: &Case, index: usize, met: Difference, poll: Poll<'_>) -> Failure {
        // A panic is reported once.
        let hook = take_hook();
        set_hook(Box::new(|_| {}));
        let (position, depth) = &case.asked[index];
        let own = case.evaluation.as_deref();
        let position = &position.with_evaluation(own.unwrap_or(position.evaluation()));
        let (mut smallest, mut before) = (met.clone(), Vec::new());
        match shrink::compare(position, *depth, poll) {
            Err(Halt::Differs(difference)) => {
                smallest = shrink::shrink(position, *depth, *difference, poll);
            }
            Ok(()) if own.is_none() => {
                if let Ok(Some((difference, seen))) = self.memory(case, index, poll) {
                    smallest = *difference;
                    before = seen.iter().map(|(position, depth)| (position.fen(), *depth)).collect();
                }
            }
            Ok(()) | Err(Halt::Stopped(_)) => {}
        }
        set_hook(hook);
        let evaluation = own.map(evaluations::to_json);
        Failure { seed: self.seed, case: case.number, kind: case.kind, met, smallest, before, evaluation }
    }

    /// A short list of positions, of the last cases, that the tables must have seen for a difference to show.
    #[allow(clippy::type_complexity)]
    fn memory(
        &self,
        case: &Case,
        index: usize,
        poll: Poll<'_>,
    ) -> Result<Option<(Box<Difference>, Vec<(Position<'static>, Depth)>)>, Stopped> {
        let (position, depth) = &case.asked[index];
        let mut differs = |seen: &[(Position<'static>, Depth)]| {
            let checker = Checker::fresh()?;
            for (position, depth) in seen {
                checker.remember(position, *depth, poll)?;
            }
            match checker.check(position, *depth, None, poll) {
                Ok(()) => Ok(None),
                Err(Halt::Differs(difference)) => Ok(Some(difference)),
                Err(Halt::Stopped(stopped)) => Err(stopped),
            }
        };
        // 1. Far enough back.
        let mut back = 0;
        let (mut seen, mut found);
        loop {
            seen = (case.number.saturating_sub(back)..case.number)
                .map(|number| self.case(number))
                .filter(|case| case.evaluation.is_none())
                .flat_map(|case| case.asked)
                .chain(case.asked[..index].iter().cloned())
                .collect::<Vec<_>>();
            found = differs(&seen)?;
            if found.is_some() || back >= LOOK_BACK || back > case.number {
                break;
            }
            back = (back * 4).max(1);
        }
        let Some(mut difference) = found else {
            return Ok(None);
        };
        // 2. As few as possible: leave out halves, quarters, and in the end single positions.
        let mut part = seen.len();
        while part > 0 {
            let mut start = 0;
            while start < seen.len() {
                let mut fewer = seen.clone();
                fewer.drain(start..(start + part).min(seen.len()));
                if let Some(smaller) = differs(&fewer)? {
                    (seen, difference) = (fewer, smaller);
                } else {
                    start += part;
                }
            }
            part /= 2;
        }
        Ok(Some((difference, seen)))
    }
}

/// Positions to check one after the other, with their depths.
struct Case {
    number: u64,
    kind: Kind,
    asked: Vec<(Position<'static>, Depth)>,
    /// If it is not the default.
    evaluation: Option<Arc<Evaluation>>,
}

fn case(kind: Kind, depth: Option<Depth>, number: u64, random: &mut Random<'_>) -> Case {
    let first = position(kind, random);
    let mut asked = vec![(first.clone(), depth.unwrap_or_else(|| choose_depth(&first, random)))];
    if random.once_in(if kind == Kind::Castling { 2 } else { 4 }) {
        let depth = asked[0].1;
        let relatives = kinds::relatives(&first, random);
        asked.extend(relatives.into_iter().map(|relative| {
            let affordable = greatest_depth(&relative);
            (relative, depth.min(affordable))
        }));
        // And again, less deep: what was found deeper must not answer.
        if depth > 1 {
            asked.push((first, depth - 1));
        }
    }
    let evaluation = match number % 8 {
        3 | 7 => Some(Arc::new(evaluations::random(random))),
        5 => Some(Arc::clone(presets::tapered())),
        _ => None,
    };
    Case { number, kind, asked, evaluation }
}

/// Checks what these bytes stand for, for fuzzers that look for bytes: a kind, a depth, and choices.
pub fn check_bytes(bytes: &[u8]) -> Result<(), Box<Difference>> {
    let mut random = Random::from_bytes(bytes);
    let kind = random.pick(&Kind::ALL);
    let depth = random.between(1, MOST_DEPTH as usize) as Depth;
    let position = position(kind, &mut random);
    let depth = depth.min(greatest_depth(&position));
    if random.once_in(4) {
        return check(&position.with_evaluation(&evaluations::random(&mut random)), depth);
    }
    check(&position, depth)
}

/// A depth that the textbook can afford: mostly 1 or 2, which is quick and shows every bug in the last plies.
fn choose_depth(position: &Position, random: &mut Random<'_>) -> Depth {
    let greatest = greatest_depth(position) as usize;
    let deep = random.once_in(8);
    let (least, most) = if deep { (3.min(greatest), greatest) } else { (1, 2.min(greatest)) };
    random.between(least, most) as Depth
}

/// The greatest depth that the textbook can afford, by the number of moves of both sides.
fn greatest_depth(position: &Position) -> Depth {
    let ours = position.legal_moves().count().max(1) as f64;
    let theirs =
        position.legal_moves().next().map_or(1.0, |m| position.play(m).legal_moves().count().max(1) as f64);
    let mut nodes = 1.0;
    let mut depth = 0;
    for moves in [ours, theirs, ours, theirs, ours] {
        nodes *= moves;
        if depth >= 1 && nodes > MOST_NODES {
            break;
        }
        depth += 1;
    }
    depth.min(MOST_DEPTH)
}
