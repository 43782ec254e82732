//! One position, one depth: every way to ask the exact search, against the textbook.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{cell::OnceCell, fmt};

use shakmaty::Move;

use super::difference::{Compared, Difference, Halt, uci};
use super::random::Random;
use super::{guards, refutations};
use betacut_classic::textbook::{self, Algorithm, SearchError};
use betacut_classic::{cache::Cache, textbook::frontier::terminal_or_score};
use betacut_core::limits::{Limits, Poll, Stopped};
use betacut_core::score::{Depth, Score};
use betacut_core::{board::Board, position::Position, window::Window};
use betacut_exact::{Answer, OutOfMemory, Question, Table, Techniques, Wanted};
use betacut_exact::{bounds, ordering::History, search::Searcher};

/// Up to this depth every position is asked whether it reaches some values.
const CHEAP_DEPTH: Depth = 2;
/// Up to this depth minimax is the oracle, beyond it alpha-beta.
const MINIMAX_DEPTH: Depth = 2;
/// Quiet leaves are compared where the textbook needs no more nodes than these for a depth.
const QUIET_NODES: u64 = 10_000;
/// Buckets of the table that is always too small.
const SMALL_TABLE: usize = 64;
/// Mebibytes of the table that is kept.
const LARGE_TABLE: usize = 16;
/// A search that polls this often whether to stop (every few hundred nodes) does not end.
const ENDLESS: u32 = 1 << 18;

/// About how many nodes a search needs before the next depths may be shared between threads.
const WORTH_SHARING: u64 = 2000;
/// The greatest depth at which threads are compared, less one.
const MOST_SHARED_DEPTH: Depth = 7;

type Moves = Vec<Move>;
type Lines = Vec<(Move, Score)>;

/// Compares every way to ask the exact search about a position with the textbook, with tables of its own.
///
/// # Panics
/// If there is no memory for its tables.
///
/// ```
/// use betacut_core::position::Position;
/// use betacut_lab::fuzz;
/// let position = Position::from_fen("8/8/8/K2pP2r/8/8/8/7k w - d6 0 2").unwrap();
/// assert_eq!(fuzz::check(&position, 3), Ok(()));
/// ```
pub fn check(position: &Position, depth: Depth) -> Result<(), Box<Difference>> {
    let checker = Checker::fresh().map_err(|full| Halt::Stopped(full.into()));
    match checker.and_then(|checker| checker.check(position, depth, None, &mut || false)) {
        Ok(()) => Ok(()),
        Err(Halt::Differs(difference)) => Err(difference),
        // It is never asked to stop.
        Err(Halt::Stopped(stopped)) => panic!("{stopped}"),
    }
}

/// The table of a question.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    None,
    Small,
    Large,
}

/// A way to ask; its depth is set when it is asked.
#[derive(Clone)]
struct Asked {
    memory: Memory,
    question: Question,
}

impl Asked {
    fn new(memory: Memory, question: Question) -> Asked {
        Asked { memory, question }
    }
}

/// All techniques but this one.
fn techniques_without(left_out: usize) -> Techniques {
    let mut techniques = Techniques::ALL;
    *techniques.switches()[left_out].1 = false;
    techniques
}

/// How many techniques there are.
const TECHNIQUES: usize = 10;

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Question { wanted, quiescence, root_moves, nodes, threads, techniques, .. } = &self.question;
        match wanted {
            Wanted::Value => write!(f, "the value alone"),
            Wanted::BestMoves => write!(f, "value and best moves"),
            Wanted::Lines(lines) => write!(f, "the {lines} best moves with their values"),
        }?;
        if let Some(moves) = root_moves {
            write!(f, " of {}", named(moves))?;
        }
        if *quiescence {
            write!(f, ", quiet leaves")?;
        }
        if let Some(nodes) = nodes {
            write!(f, ", at most {nodes} nodes")?;
        }
        if *threads > 1 {
            write!(f, ", {threads} threads")?;
        }
        if *techniques != Techniques::ALL {
            write!(f, ", {techniques:?}")?;
        }
        match self.memory {
            Memory::None => write!(f, ", no table"),
            Memory::Small => write!(f, ", the small table"),
            Memory::Large => write!(f, ", the large table"),
        }
    }
}

/// What the textbook says about a position at one depth, as far as it has been asked.
struct Truth<'a> {
    position: &'a Position<'a>,
    depth: Depth,
    quiescence: bool,
    whole: OnceCell<(Score, Moves)>,
    values: OnceCell<Lines>,
}

impl<'a> Truth<'a> {
    fn new(position: &'a Position<'a>, depth: Depth, quiescence: bool) -> Truth<'a> {
        Truth { position, depth, quiescence, whole: OnceCell::new(), values: OnceCell::new() }
    }

    /// Its value and its best moves in canonical order.
    fn whole(&self, poll: Poll<'_>) -> Result<&(Score, Moves), Stopped> {
        if self.whole.get().is_none() {
            let captures = self.quiescence;
            let algorithm = if self.depth <= MINIMAX_DEPTH && !captures {
                Algorithm::MinimaxNoMemo { captures }
            } else {
                Algorithm::AlphaBetaPruningNoMemo { captures }
            };
            let mut limits = Limits::new(poll);
            limits.nodes = if captures { QUIET_NODES } else { u64::MAX };
            let found = ask_textbook(algorithm, self.position, self.depth, limits)?;
            let _ = self.whole.set((found.score, found.best_moves));
        }
        Ok(self.whole.get().expect("it has just been set"))
    }

    /// The value of each move, best first and then in canonical order; nothing if the game is over.
    fn values(&self, poll: Poll<'_>) -> Result<&Lines, Stopped> {
        if self.values.get().is_none() {
            let mut values = Vec::new();
            if !self.whole(poll)?.1.is_empty() {
                for m in self.position.legal_moves() {
                    values.push((m, value(&self.position.play(m), self.depth - 1, poll)?));
                }
                let sign = if self.position.turn().is_white() { -1 } else { 1 };
                values.sort_by_key(|&(_, value)| sign * value);
            }
            let _ = self.values.set(values);
        }
        Ok(self.values.get().expect("it has just been set"))
    }
}

/// The textbook's value of a position at a depth from 0.
fn value(position: &Position, depth: Depth, poll: Poll<'_>) -> Result<Score, Stopped> {
    let white = position.turn().is_white();
    let algorithm = match (depth, white) {
        (0, _) => return Ok(terminal_or_score(position)),
        (..=MINIMAX_DEPTH, true) => Algorithm::MaxValue,
        (..=MINIMAX_DEPTH, false) => Algorithm::MinValue,
        (_, true) => Algorithm::AlphaBetaMax { window: Window::FULL, memoised: false },
        (_, false) => Algorithm::AlphaBetaMin { window: Window::FULL, memoised: false },
    };
    Ok(ask_textbook(algorithm, position, depth, Limits::new(poll))?.score)
}

fn ask_textbook(
    algorithm: Algorithm,
    position: &Position,
    depth: Depth,
    limits: Limits<'_>,
) -> Result<textbook::SearchResult, Stopped> {
    textbook::search(algorithm, position, &[], depth, &mut Cache::default(), limits).map_err(|error| {
        match error {
            SearchError::Stopped(stopped) => stopped,
            SearchError::CacheMismatch(mismatch) => unreachable!("{mismatch}"),
        }
    })
}

/// Asks, compares, and keeps the tables: whatever they have seen, they must not change an answer.
pub(super) struct Checker {
    small: Table,
    large: Table,
}

impl Checker {
    /// With fresh tables, for a few questions.
    pub fn fresh() -> Result<Checker, OutOfMemory> {
        Ok(Checker { small: Table::new(SMALL_TABLE)?, large: Table::new(1 << 10)? })
    }

    /// With room for a long run.
    pub fn for_a_run() -> Result<Checker, OutOfMemory> {
        Ok(Checker { small: Table::new(SMALL_TABLE)?, large: Table::with_megabytes(LARGE_TABLE)? })
    }

    /// Compares at one position and depth: some ways to ask, chosen by `random`, or else all.
    pub fn check(
        &self,
        position: &Position,
        depth: Depth,
        mut random: Option<&mut Random<'_>>,
        poll: Poll<'_>,
    ) -> Compared {
        let legal: Moves = position.legal_moves().collect();
        let ways = match random.as_deref_mut() {
            Some(random) => some_ways(&legal, depth, random),
            None => all_ways(&legal),
        };
        if random.is_none()
            && let Some(wrong) = refutations::first(position, 5, None).or_else(|| guards::all(position))
        {
            return Err(Halt::Differs(wrong));
        }
        self.compare_quiet_leaves(position, depth, random.as_deref_mut(), poll)?;
        let truths: Vec<_> = (0..=depth).map(|depth| Truth::new(position, depth, false)).collect();
        // The frontier first: what is wrong there is wrong everywhere, and shows best without a search around it.
        for truth in &truths[1..=depth.min(CHEAP_DEPTH) as usize] {
            self.compare_windows(truth, random.as_deref_mut(), poll)?;
        }
        ways.iter().try_for_each(|asked| self.compare(&truths, asked, poll))
    }

    /// Compares several threads with one, at a depth that is worth sharing; the textbook cannot afford it.
    pub fn check_threads(&self, position: &Position, random: &mut Random<'_>, poll: Poll<'_>) -> Compared {
        let memory = random.pick(&[Memory::None, Memory::Small, Memory::Large]);
        let every = Wanted::Lines(usize::MAX);
        let wanted = random.pick(&[Wanted::BestMoves, Wanted::Value, Wanted::Lines(3), every]);
        let alone_wanted = if wanted == Wanted::Value { Wanted::BestMoves } else { wanted };
        let one = Asked::new(Memory::None, Question { wanted: alone_wanted, ..Question::new(0) });
        let threads = random.between(2, 4);
        let many = Asked::new(memory, Question { wanted, threads, ..Question::new(0) });
        for depth in MINIMAX_DEPTH..=MOST_SHARED_DEPTH {
            let Ok(alone) = self.ask(position, depth, &one, poll)? else { break };
            // Depth by depth, until the depth two before has enough nodes for several threads.
            if alone.counts.nodes < 2 * WORTH_SHARING && depth < MOST_SHARED_DEPTH && alone.counts.nodes > 0 {
                continue;
            }
            let found = self.ask(position, depth + 1, &many, poll)?;
            let Ok(alone) = self.ask(position, depth + 1, &one, poll)? else { break };
            let said = |answer: &Answer| {
                if wanted == Wanted::Value {
                    // Which of the best moves it names is open.
                    let is_best = answer.best_moves.iter().all(|m| alone.best_moves.contains(m));
                    return format!("{}, a best move: {is_best}", answer.score);
                }
                format!("{}, {}: {}", answer.score, named(&answer.best_moves), lines_named(&answer.lines))
            };
            let (expected, found) = (said(&alone), found.map_or_else(|error| error, |answer| said(&answer)));
            if expected != found {
                let expected = format!("(one thread) {expected}");
                return differs(position, depth + 1, many.to_string(), expected, found);
            }
            break;
        }
        Ok(())
    }

    /// Lets the tables see a position.
    pub fn remember(&self, position: &Position, depth: Depth, poll: Poll<'_>) -> Result<(), Stopped> {
        for memory in [Memory::Small, Memory::Large] {
            // What is wrong with the answer is not asked here.
            let _ = self.ask(position, depth, &Asked::new(memory, Question::new(0)), poll)?;
        }
        Ok(())
    }

    /// What the exact search says, or why it says nothing.
    fn ask(
        &self,
        position: &Position,
        depth: Depth,
        asked: &Asked,
        poll: Poll<'_>,
    ) -> Result<Result<Answer, String>, Stopped> {
        let question = Question { depth, ..asked.question.clone() };
        let table = match asked.memory {
            Memory::None => None,
            Memory::Small => Some(&self.small),
            Memory::Large => Some(&self.large),
        };
        let (mut polls, mut stopped) = (0, false);
        let mut poll = || {
            polls += 1;
            stopped = poll();
            stopped || polls > ENDLESS
        };
        let answer =
            catch_unwind(AssertUnwindSafe(|| betacut_exact::search(position, &question, table, &mut poll)));
        Ok(match answer {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(interrupted)) if stopped => return Err(interrupted),
            Ok(Err(_)) => Err("does not end".to_owned()),
            Err(_) => Err("panics".to_owned()),
        })
    }

    /// Compares with quiet leaves, as deep as the textbook can afford.
    pub fn compare_quiet_leaves(
        &self,
        position: &Position,
        depth: Depth,
        random: Option<&mut Random<'_>>,
        poll: Poll<'_>,
    ) -> Compared {
        let usual = Question { quiescence: true, ..Question::new(0) };
        let mut ways = vec![Asked::new(Memory::Small, usual.clone())];
        if let Some(random) = random {
            let techniques = techniques_without(random.below(TECHNIQUES));
            ways.push(Asked::new(Memory::Small, Question { techniques, ..usual }));
        }
        let mut truths = vec![Truth::new(position, 0, true)];
        for depth in 1..=depth {
            let truth = Truth::new(position, depth, true);
            match truth.whole(poll) {
                Ok(_) => truths.push(truth),
                Err(Stopped::LimitReached) => break,
                Err(stopped) => return Err(stopped.into()),
            }
            ways.iter().try_for_each(|asked| self.compare(&truths, asked, poll))?;
        }
        Ok(())
    }

    /// Asks whether the value reaches some other values: it does up to itself.
    fn compare_windows(&self, truth: &Truth, random: Option<&mut Random>, poll: Poll) -> Compared {
        let &Truth { position, depth, .. } = truth;
        let sign = if position.turn().is_white() { 1 } else { -1 };
        let value = sign * truth.whole(poll)?.0;
        let score = sign * position.score();
        let mut asked = vec![value, value + 1, 0, 1, 1 - depth];
        match random {
            Some(random) => {
                asked.push(score + 5 * random.below(61) as Score - 150);
                // Not every evaluation goes in steps of five.
                asked.push(value + random.below(41) as Score - 20);
            }
            None => asked.extend((-40..=40).flat_map(|step| [value + 5 * step, score + 5 * step, step])),
        }
        let board = Board::new(position);
        let limits = Limits::new(poll);
        let techniques = bounds::that_hold(Techniques::ALL, board.values);
        let mut searcher = Searcher::new(techniques, Some(&self.small), History::default(), limits);
        for t in asked {
            let found = catch_unwind(AssertUnwindSafe(|| searcher.node(&board, depth, t - 1, t)));
            let found = match found {
                Ok(found) => Some(found? >= t),
                Err(_) => None,
            };
            if found != Some(value >= t) {
                let asked = format!("whether the side to move reaches {t}");
                let found = found.map_or("panics".to_owned(), |found| found.to_string());
                let expected = format!("{}: its value is {value}", value >= t);
                return differs(position, depth, asked, expected, found);
            }
        }
        Ok(())
    }

    fn compare(&self, truths: &[Truth<'_>], asked: &Asked, poll: Poll<'_>) -> Compared {
        let depth = truths.len() as Depth - 1;
        let (position, question) = (truths[0].position, &asked.question);
        let differs = |expected, found| differs(position, depth, asked.to_string(), expected, found);
        // 1. The answer. A limit may have stopped it earlier; what it then says is about that depth.
        let answer = match self.ask(position, depth, asked, poll)? {
            Ok(answer) => answer,
            Err(found) => {
                let (score, best) = truths[depth as usize].whole(poll)?;
                return differs(format!("{score}, {}", named(best)), found);
            }
        };
        if answer.depth > depth
            || answer.depth < if question.nodes.is_some() { 1 } else { depth }
            || answer.complete != (answer.depth == depth)
        {
            let found = format!("depth {}, complete: {}", answer.depth, answer.complete);
            return differs(format!("depth {depth}"), found);
        }
        let truth = &truths[answer.depth as usize];
        // 2. The value and the best moves.
        let (score, best) = match &question.root_moves {
            None => truth.whole(poll)?.clone(),
            Some(only) => {
                let mut values = truth.values(poll)?.iter().filter(|(m, _)| only.contains(m)).peekable();
                let score = values.peek().map_or(truth.whole(poll)?.0, |line| line.1);
                (score, values.take_while(|line| line.1 == score).map(|line| line.0).collect())
            }
        };
        let agrees = answer.score == score
            && match question.wanted {
                Wanted::Value => {
                    answer.best_moves.len() == best.len().min(1)
                        && answer.best_moves.iter().all(|m| best.contains(m))
                }
                _ => answer.best_moves == best,
            };
        if !agrees {
            let at = if answer.depth < depth { format!(" at depth {}", answer.depth) } else { String::new() };
            let found = format!("{}, {}{at}", answer.score, named(&answer.best_moves));
            return differs(format!("{score}, {}{at}", named(&best)), found);
        }
        // 3. The lines.
        let expected: Lines = match question.wanted {
            Wanted::Value => answer.best_moves.iter().map(|&m| (m, score)).collect(),
            Wanted::BestMoves => best.iter().map(|&m| (m, score)).collect(),
            Wanted::Lines(lines) => {
                let listed = |m: &Move| question.root_moves.as_ref().is_none_or(|only| only.contains(m));
                let values = truth.values(poll)?.iter().filter(|(m, _)| listed(m));
                values.take(lines.max(best.len())).copied().collect()
            }
        };
        if answer.lines != expected {
            return differs(lines_named(&expected), lines_named(&answer.lines));
        }
        // 4. The depths before the last.
        if question.root_moves.is_none() && question.nodes.is_some() {
            for done in &answer.iterations {
                let score = truths[done.depth as usize].whole(poll)?.0;
                if done.score != score {
                    let at = format!("at depth {}", done.depth);
                    return differs(format!("{score} {at}"), format!("{} {at}", done.score));
                }
            }
        }
        Ok(())
    }
}

fn differs(position: &Position, depth: Depth, asked: String, expected: String, found: String) -> Compared {
    Err(Halt::Differs(Box::new(Difference { fen: position.fen(), depth, asked, expected, found })))
}

/// All ways to ask that cost no more than a few searches each.
fn all_ways(legal: &[Move]) -> Vec<Asked> {
    let (mut ways, usual) = (Vec::new(), Question::new(0));
    for memory in [Memory::None, Memory::Small, Memory::Large] {
        // The second time the table knows the answer.
        ways.extend([Asked::new(memory, usual.clone()), Asked::new(memory, usual.clone())]);
    }
    for memory in [Memory::None, Memory::Small] {
        ways.push(Asked::new(memory, Question { wanted: Wanted::Value, ..usual.clone() }));
        for threads in [2, 4] {
            ways.push(Asked::new(memory, Question { threads, ..usual.clone() }));
        }
    }
    for lines in (1..=legal.len().min(6)).chain([legal.len().max(1)]) {
        ways.push(Asked::new(Memory::None, Question { wanted: Wanted::Lines(lines), ..usual.clone() }));
    }
    for left_out in 0..TECHNIQUES {
        let techniques = techniques_without(left_out);
        ways.push(Asked::new(Memory::None, Question { techniques, ..usual.clone() }));
    }
    for nodes in [1, 20, 300, 5_000] {
        ways.push(Asked::new(Memory::None, Question { nodes: Some(nodes), ..usual.clone() }));
    }
    if legal.len() > 1 {
        for part in [&legal[1..], &legal[..legal.len() / 2]] {
            let root_moves = Some(part.to_vec());
            ways.push(Asked::new(Memory::None, Question { root_moves, ..usual.clone() }));
        }
    }
    ways
}

/// The usual question with and without a table, and some of the others.
fn some_ways(legal: &[Move], depth: Depth, random: &mut Random<'_>) -> Vec<Asked> {
    let usual = Question::new(0);
    let mut ways = [Memory::None, Memory::Small].map(|memory| Asked::new(memory, usual.clone())).to_vec();
    if depth > 2 || random.once_in(4) {
        ways.push(Asked::new(Memory::Large, usual.clone()));
    }
    let memory = random.pick(&[Memory::None, Memory::Small, Memory::Large]);
    if random.once_in(4) {
        ways.push(Asked::new(memory, Question { wanted: Wanted::Value, ..usual.clone() }));
    }
    // The values of the moves cost the textbook much. Each number of lines asks the nodes below for another value.
    if random.once_in(2) {
        for _ in 0..if depth <= 2 { 4 } else { 2 } {
            let wanted = Wanted::Lines(random.between(1, legal.len() + 1));
            ways.push(Asked::new(memory, Question { wanted, ..usual.clone() }));
        }
        if legal.len() > 1 && random.once_in(2) {
            let mut only: Moves = legal.iter().copied().filter(|_| random.once_in(2)).collect();
            if only.is_empty() {
                only.push(random.pick(legal));
            }
            let wanted = random.pick(&[Wanted::BestMoves, Wanted::Value, Wanted::Lines(2)]);
            ways.push(Asked::new(memory, Question { wanted, root_moves: Some(only), ..usual.clone() }));
        }
    }
    if depth > 1 && random.once_in(4) {
        let most = random.pick(&[50, 500, 5_000]);
        let nodes = random.between(1, most) as u64;
        ways.push(Asked::new(memory, Question { nodes: Some(nodes), ..usual.clone() }));
    }
    if random.once_in(16) {
        ways.push(Asked::new(memory, Question { threads: random.between(2, 4), ..usual.clone() }));
    }
    if depth > 1 && random.once_in(4) {
        let techniques = techniques_without(random.below(TECHNIQUES));
        ways.push(Asked::new(memory, Question { techniques, ..usual }));
    }
    ways
}

fn named(moves: &[Move]) -> String {
    if moves.is_empty() {
        "no moves".to_owned()
    } else {
        moves.iter().map(|&m| uci(m)).collect::<Vec<_>>().join(" ")
    }
}

fn lines_named(lines: &Lines) -> String {
    lines.iter().map(|&(m, value)| format!("{} {value}", uci(m))).collect::<Vec<_>>().join(", ")
}
