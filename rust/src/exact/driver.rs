//! From a question to an answer: iterative deepening at the root.
//!
//! # The idea
//!
//! The root is solved at smaller depths first: each answer orders the moves of the next and guesses its value. An
//! evaluation without quiescence swings between odd and even depths, so the depths go in steps of two and the guess
//! comes from two plies before. (With a limit on nodes or time, every depth is visited, so that the deepest possible
//! one is complete when the limit is reached.)
//!
//! At one depth, the first move is searched with a window around the guess; every other move is asked whether it
//! reaches the best value so far (a null window), then whether it exceeds it, and only then for its value. Moves that
//! reach and do not exceed are ties: they are best moves too.
//!
//! # What can go wrong
//!
//! A move refused against an earlier, smaller best value is below the final one too, so nothing need be asked twice;
//! ties found earlier fall away when a better move turns up.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::board::{Board, CLOCK_LIMIT, Move};
use super::ordering::Experience;
use super::search::{Counts, Limits, Searcher, Techniques};
use super::{frontier, one_ply};
use super::{parallel, table::Table};
use crate::limits::{Stopped, check_memory};
use crate::position::Position;
use crate::score::{Depth, MATE, Score};

/// A window edge beyond every value.
const OPEN: Score = MATE + 500;
/// Half the width of the first window around a guess, in centipawns.
const ASPIRATION: Score = 30;

/// Which moves of the root are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// One best move: the first in canonical order among those found; the value is exact.
    Value,
    /// Every best move.
    BestMoves,
    /// Every best move, and the exact values of this many best moves at least.
    Lines(usize),
}

/// What is asked about a position.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// Plies to look ahead, at least 1.
    pub depth: Depth,
    /// Which moves are wanted.
    pub wanted: Wanted,
    /// Only these moves of the root are searched, if given. A move that is not legal is never searched; if none is
    /// legal, there are no best moves and the score says nothing.
    pub root_moves: Option<&'a [shakmaty::Move]>,
    /// Stop after this many nodes.
    pub nodes: Option<u64>,
    /// Stop after this time.
    pub time: Option<Duration>,
    /// Threads to search with, at least 1.
    pub threads: usize,
    /// What the search may use; for measurements.
    pub techniques: Techniques,
}

impl Question<'_> {
    /// The value and every best move at `depth`, on one thread, without limits.
    pub fn new(depth: Depth) -> Question<'static> {
        Question {
            depth,
            wanted: Wanted::BestMoves,
            root_moves: None,
            nodes: None,
            time: None,
            threads: 1,
            techniques: Techniques::ALL,
        }
    }
}

/// One completed depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Plies.
    pub depth: Depth,
    /// Centipawns, White's view.
    pub score: Score,
    /// Nodes of this depth alone.
    pub nodes: u64,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The value: centipawns, White's view.
    pub score: Score,
    /// Every best move in canonical order (the first alone for [`Wanted::Value`]); none if the game is over.
    pub best_moves: Vec<shakmaty::Move>,
    /// Moves with their values, White's view, best first and then in canonical order; all best moves, and for
    /// [`Wanted::Lines`] as many more as were wanted.
    pub lines: Vec<(shakmaty::Move, Score)>,
    /// The depth that was completed.
    pub depth: Depth,
    /// Whether it is the depth that was asked for.
    pub complete: bool,
    /// What was counted, unfinished depths included.
    pub counts: Counts,
    /// The completed depths.
    pub iterations: Vec<Iteration>,
}

/// A move of the root.
#[derive(Clone)]
pub(super) struct RootMove {
    m: Move,
    board: Board,
    /// Rank in canonical order.
    rank: usize,
    /// Its value, if it is one of the wanted, else an upper bound.
    value: Score,
    wanted: bool,
}

/// Answers a question. `table` is kept by the caller or made for this call; `poll` may stop the search, as a limit
/// does.
///
/// # Errors
/// [`Stopped`] if `poll` returns true, or if there is no memory for a table; a limit of the question is no error.
pub fn search(
    position: &Position,
    question: &Question<'_>,
    table: Option<&Table>,
    poll: &mut dyn FnMut() -> bool,
) -> Result<Answer, Stopped> {
    // 0. One ply needs no search.
    let best_only = !matches!(question.wanted, Wanted::Lines(_));
    if question.depth == 1
        && best_only
        && question.root_moves.is_none()
        && let Some(mut answer) = one_ply::answer(position)
    {
        if question.wanted == Wanted::Value {
            answer.best_moves.truncate(1);
            answer.lines.truncate(1);
        }
        return Ok(answer);
    }
    let start = question.time.map(|_| Instant::now());
    let board = Board::new(position);
    let sign = if board.black { -1 } else { 1 };
    // 1. The moves, in canonical order.
    let canonical: Vec<_> = position.legal_moves().collect();
    let mut moves = Vec::with_capacity(canonical.len());
    board.any_legal_move(board.checkers(), |m| {
        let named = board.to_shakmaty(m);
        if question.root_moves.is_none_or(|only| only.contains(&named)) {
            let rank = canonical.iter().position(|&other| other == named).unwrap_or(usize::MAX);
            let child = board.make(m);
            moves.push(RootMove { m, board: child, rank, value: -child.score(), wanted: false });
        }
        false
    });
    // 2. A finished game has a value and no moves.
    if canonical.is_empty() || board.clock >= CLOCK_LIMIT || board.is_dead() || moves.is_empty() {
        let mated = canonical.is_empty() && position.is_check();
        return Ok(Answer {
            score: sign * frontier::finished(mated, question.depth),
            best_moves: Vec::new(),
            lines: Vec::new(),
            depth: question.depth,
            complete: true,
            counts: Counts::default(),
            iterations: Vec::new(),
        });
    }
    // 3. Deepen.
    let techniques = question.techniques;
    let own;
    let table = if table.is_some() {
        table
    } else {
        own = if techniques.table { Table::for_search(question.depth, question.nodes)? } else { None };
        if own.is_some() {
            check_memory()?;
        }
        own.as_ref()
    };
    let limited = question.nodes.is_some() || question.time.is_some();
    let mut searcher = Searcher::new(techniques, table, Experience::default(), Limits::new(poll));
    let mut answer: Option<Answer> = None;
    let mut iterations: Vec<Iteration> = Vec::new();
    let step = if limited { 1 } else { 2 };
    let mut depth = match (limited, techniques.deepening) {
        (true, _) => 1,
        (false, true) => 2 - question.depth % 2,
        (false, false) => question.depth,
    };
    moves.sort_by_key(|root| (-root.value, root.rank));
    loop {
        // The first depth is always completed.
        if answer.is_some() {
            searcher.limits.nodes = question.nodes.unwrap_or(u64::MAX);
            searcher.limits.deadline = start.zip(question.time).map(|(start, time)| start + time);
            if searcher.limits.are_reached(searcher.counts.nodes) {
                break;
            }
        }
        let before = searcher.counts.nodes;
        // What the depth two plies less was worth, and how many nodes it took: this one takes several times as many.
        let last = iterations.iter().rev().find(|done| (depth - done.depth) % 2 == 0);
        let guess = last.filter(|_| techniques.aspiration).map(|done| sign * done.score);
        let is_large = last.is_some_and(|done| done.nodes >= parallel::WORTH_SHARING);
        let threads = if is_large { question.threads } else { 1 };
        let task = Task { depth, guess, wanted: question.wanted };
        match parallel::solve(&mut searcher, &mut moves, task, threads) {
            Ok(score) => {
                let nodes = searcher.counts.nodes - before;
                iterations.push(Iteration { depth, score: sign * score, nodes });
                answer = Some(report(&board, &moves, question, depth, sign, score));
            }
            Err(Stopped::Interrupted) if searcher.limits.reached => break,
            Err(stopped) => return Err(stopped),
        }
        if depth >= question.depth {
            break;
        }
        depth += step;
        // The best first, the rest by what they are worth at most.
        let score = iterations.last().map_or(0, |done| sign * done.score);
        moves.sort_by_key(|root| (!(root.wanted && root.value == score), -root.value, root.rank));
    }
    // The first depth is completed whatever the limits, so there is an answer.
    let mut answer = answer.ok_or(Stopped::Interrupted)?;
    answer.counts = searcher.counts;
    answer.iterations = iterations;
    Ok(answer)
}

/// One depth of the root.
#[derive(Clone, Copy)]
pub(super) struct Task {
    depth: Depth,
    guess: Option<Score>,
    wanted: Wanted,
}

/// Solves the root at one depth: the value for the side to move. Afterwards `wanted` marks the best moves, and the
/// moves whose values were wanted; their `value` is exact.
///
/// # Errors
/// [`Stopped`] if the limits stop the search, or another thread was quicker.
pub(super) fn solve(
    searcher: &mut Searcher<'_>,
    moves: &mut [RootMove],
    task: Task,
) -> Result<Score, Stopped> {
    let Task { depth, guess, wanted } = task;
    let lines = match wanted {
        Wanted::Lines(lines) => lines.clamp(1, moves.len()),
        _ => 1,
    };
    if depth == 1 {
        // The root is the only node; its moves lead to leaves.
        searcher.counts.nodes += 1;
        searcher.counts.frontier_nodes += 1;
    }
    // Values of the wanted moves, greatest first.
    let mut values: Vec<Score> = Vec::with_capacity(lines + 1);
    // Moves that another thread searches come last: by then the table knows them.
    let mut order: VecDeque<(usize, bool)> = (0..moves.len()).map(|index| (index, false)).collect();
    while let Some((index, deferred)) = order.pop_front() {
        let root = &mut moves[index];
        let team = searcher.team().filter(|_| !values.is_empty()).cloned();
        if let Some(team) = &team
            && !deferred
            && !team.take(root.board.key, depth)
        {
            order.push_back((index, true));
            continue;
        }
        searcher.pause()?;
        let mut ask = |alpha: Score, beta: Score| {
            if depth == 1 {
                Ok(-frontier::leaf(&root.board))
            } else {
                searcher.node(&root.board, depth - 1, -beta, -alpha).map(|value| -value)
            }
        };
        (root.value, root.wanted) = if values.len() < lines {
            // 1. The first moves: their values, from a window around the guess.
            (around(guess.filter(|_| values.is_empty()), &mut ask)?, true)
        } else {
            // 2. Does it reach the least of the wanted values, and does it exceed it?
            let least = values[lines - 1];
            let beaten = if wanted == Wanted::Value { least + 1 } else { least };
            let bound = ask(beaten - 1, beaten)?;
            if bound < beaten {
                (bound, false)
            } else if beaten == least && ask(least, least + 1)? <= least {
                (least, true)
            } else {
                (ask(least, OPEN)?, true)
            }
        };
        if let Some(team) = &team {
            team.give_back(root.board.key, depth);
        }
        if root.wanted {
            let place = values.partition_point(|&value| value >= root.value);
            values.insert(place, root.value);
            values.truncate(lines);
        }
    }
    let least = values[lines - 1];
    for root in moves.iter_mut() {
        root.wanted &= root.value >= least;
    }
    Ok(values[0])
}

/// An exact value, asked for with a window around a guess that opens on the side where it fails.
fn around(
    guess: Option<Score>,
    ask: &mut impl FnMut(Score, Score) -> Result<Score, Stopped>,
) -> Result<Score, Stopped> {
    let Some(guess) = guess else {
        return ask(-OPEN, OPEN);
    };
    let (mut low, mut high) = (guess - ASPIRATION, guess + ASPIRATION);
    let mut width = ASPIRATION;
    loop {
        let value = ask(low, high)?;
        width = if width > 8 * ASPIRATION { 2 * OPEN } else { width * 4 };
        if value <= low {
            (low, high) = ((value - width).max(-OPEN), value + 1);
        } else if value >= high {
            (low, high) = (value - 1, (value + width).min(OPEN));
        } else {
            return Ok(value);
        }
    }
}

/// The answer at a completed depth.
fn report(
    board: &Board,
    moves: &[RootMove],
    question: &Question<'_>,
    depth: Depth,
    sign: Score,
    score: Score,
) -> Answer {
    let mut found: Vec<_> = moves.iter().filter(|root| root.wanted).collect();
    found.sort_by_key(|root| (-root.value, root.rank));
    let best = found.iter().take_while(|root| root.value == score).count();
    let count = match question.wanted {
        Wanted::Value => 1,
        Wanted::BestMoves => best,
        Wanted::Lines(lines) => lines.max(best),
    };
    found.truncate(count);
    let named = |root: &&RootMove| board.to_shakmaty(root.m);
    Answer {
        score: sign * score,
        best_moves: found.iter().take(best).map(named).collect(),
        lines: found.iter().map(|root| (named(root), sign * root.value)).collect(),
        depth,
        complete: depth >= question.depth,
        counts: Counts::default(),
        iterations: Vec::new(),
    }
}
