//! From a question to an answer: iterative deepening at the root ([`super::root`]), in steps of two, for an evaluation
//! without quiescence swings between odd and even depths. With a limit on nodes or time every depth is visited.

use std::time::Instant;

use super::bounds;
use super::leaves::one_ply_before;
use super::ordering::History;
use super::question::{Answer, Counts, Iteration, Question, Techniques, Wanted};
use super::root::{RootMove, Task};
use super::search::{NODES_PER_LOOK, Searcher};
use super::shallow_roots::{one_ply, two_plies};
use super::table::Table;
use super::threads::parallel;
use betacut_core::board::{Board, CLOCK_LIMIT};
use betacut_core::evaluation::Values;
use betacut_core::limits::{Limits, Stopped, check_memory};
use betacut_core::position::Position;
use betacut_core::score::{Depth, Score};

/// Answers a question; a limit of it is no error. `table` is kept by the caller or made for this call.
pub fn search(
    position: &Position,
    question: &Question,
    table: Option<&Table>,
    poll: &mut dyn FnMut() -> bool,
) -> Result<Answer, Stopped> {
    // 0. One ply needs no search, and two need little.
    if question.depth <= 2
        && !question.quiescence
        && let Some(answer) = at_once(position, question)
    {
        return Ok(answer);
    }
    let start = question.time.map(|_| Instant::now());
    // 1. The table.
    let own = match table {
        None if question.techniques.table => Table::for_search(question.depth, question.nodes)?,
        _ => None,
    };
    if own.is_some() {
        check_memory()?;
    }
    let table = table.or(own.as_ref());
    // 2. Deepen. The first depth is always completed.
    let limited = question.is_limited();
    let mut deepening = Deepening::new(position, question);
    let mut depth = match (limited, question.techniques.deepening) {
        (true, _) => 1,
        (false, true) => 2 - question.depth % 2,
        (false, false) => question.depth,
    };
    let mut answer = deepening.search(depth, question, table, Limits::new(poll))?;
    while answer.depth < question.depth {
        depth += if limited { 1 } else { 2 };
        let mut limits = Limits::new(poll);
        limits.nodes = question.nodes.unwrap_or(u64::MAX);
        limits.deadline = start.zip(question.time).map(|(start, time)| start + time);
        match deepening.search(depth, question, table, limits) {
            Ok(deeper) => answer = deeper,
            Err(Stopped::LimitReached) => {
                answer.counts = deepening.counts;
                break;
            }
            Err(stopped) => return Err(stopped),
        }
    }
    Ok(answer)
}

/// The answer to a question of one or two plies, where there is a short way to it.
fn at_once(position: &Position, question: &Question) -> Option<Answer> {
    match question.depth {
        1 if question.root_moves.is_none() => one_ply::answer(position, question.wanted),
        2 if !question.is_limited() && question.techniques == Techniques::ALL => {
            two_plies::answer(position, question.wanted, question.root_moves.as_deref())
        }
        _ => None,
    }
}

/// Depth after depth of one position: what each leaves for the next.
pub struct Deepening<'v> {
    board: Board<'v>,
    moves: Vec<RootMove<'v>>,
    /// Whether there is a move to search, and if not whether the side to move is mated.
    finished: Option<bool>,
    history: History,
    /// What was counted so far, unfinished depths included.
    pub counts: Counts,
    /// The completed depths.
    pub iterations: Vec<Iteration>,
}

/// Puts the moves first that are worth `score` for certain, the others by what they are worth at most.
fn sort(moves: &mut [RootMove<'_>], score: Option<Score>) {
    moves.sort_by_cached_key(|root| (!(root.wanted && Some(root.value) == score), -root.value, root.rank));
}

impl<'v> Deepening<'v> {
    /// Nothing is searched yet.
    pub fn new(position: &Position<'v>, question: &Question) -> Deepening<'v> {
        let board = Board::new(position);
        // 1. The moves, in canonical order.
        let mut canonical = position.legal_moves();
        let is_mated = canonical.listed().is_empty() && position.is_check();
        let is_asked =
            |named: &shakmaty::Move| question.root_moves.as_ref().is_none_or(|only| only.contains(named));
        let read = |(rank, named): (usize, shakmaty::Move)| {
            let m = board.of_shakmaty(&named);
            let child = board.make(m);
            RootMove { m, board: child, rank, value: -child.score(), wanted: false }
        };
        let mut moves: Vec<_> =
            canonical.enumerate().filter(|(_, named)| is_asked(named)).map(read).collect();
        sort(&mut moves, None);
        // 2. A finished game has none.
        let over = board.clock >= CLOCK_LIMIT || board.is_dead() || moves.is_empty();
        Deepening {
            board,
            moves,
            finished: over.then_some(is_mated),
            history: History::default(),
            counts: Counts::default(),
            iterations: Vec::new(),
        }
    }

    /// The same with the values of an equal evaluation, to be kept for longer than the first one.
    #[must_use]
    pub fn with_values(self, values: &Values) -> Deepening<'_> {
        let with_values = |root: RootMove<'v>| {
            let RootMove { m, board, rank, value, wanted } = root;
            RootMove { m, board: board.with_values(values), rank, value, wanted }
        };
        let Deepening { board, moves, finished, history, counts, iterations } = self;
        let (board, moves) = (board.with_values(values), moves.into_iter().map(with_values).collect());
        Deepening { board, moves, finished, history, counts, iterations }
    }

    /// Searches one depth, deeper than those before, which the counts include; once stopped, it can be resumed.
    pub fn search<'a>(
        &mut self,
        depth: Depth,
        question: &Question,
        table: Option<&'a Table>,
        limits: Limits<'a>,
    ) -> Result<Answer, Stopped> {
        let sign = if self.board.black { -1 } else { 1 };
        // 1. A finished game has a value at any depth.
        if let Some(mated) = self.finished {
            return Ok(Answer {
                score: sign * one_ply_before::finished(mated, depth),
                depth,
                complete: depth >= question.depth,
                ..Answer::default()
            });
        }
        if limits.are_reached(self.counts.nodes) {
            return Err(Stopped::LimitReached);
        }
        // 2. What the depth two plies less was worth, and how many nodes it took: this one takes several times as many.
        let last = self.iterations.iter().rev().find(|done| (depth - done.depth) % 2 == 0);
        let guess = last.filter(|_| question.techniques.aspiration).map(|done| sign * done.score);
        let is_large = last.is_some_and(|done| done.nodes >= parallel::WORTH_SHARING);
        let threads = if is_large { question.threads } else { 1 };
        // 3. This depth.
        let Counts { nodes, quiescence_nodes, .. } = self.counts;
        let history = std::mem::take(&mut self.history);
        let techniques = bounds::that_hold(question.techniques, self.board.values);
        let mut searcher = Searcher::new(techniques, table, history, limits.every(NODES_PER_LOOK))
            .with_quiescence(question.quiescence);
        searcher.counts = self.counts;
        let task = Task { depth, guess, wanted: question.wanted };
        let solved = parallel::solve(&mut searcher, &mut self.moves, task, threads);
        (self.counts, self.history) = (searcher.counts, searcher.history);
        let score = solved?;
        self.iterations.push(Iteration {
            depth,
            score: sign * score,
            nodes: self.counts.nodes - nodes,
            quiescence_nodes: self.counts.quiescence_nodes - quiescence_nodes,
        });
        let answer = self.report(question, depth, sign, score);
        // 4. For the next: the best first, the rest by what they are worth at most.
        if !answer.complete {
            sort(&mut self.moves, Some(score));
        }
        Ok(answer)
    }

    /// The answer at a completed depth.
    fn report(&self, question: &Question, depth: Depth, sign: Score, score: Score) -> Answer {
        let mut found: Vec<_> = self.moves.iter().filter(|root| root.wanted).collect();
        found.sort_by_key(|root| (-root.value, root.rank));
        let best = found.iter().take_while(|root| root.value == score).count();
        let count = match question.wanted {
            Wanted::Value => 1,
            Wanted::BestMoves => best,
            Wanted::Lines(lines) => lines.max(best),
        };
        found.truncate(count);
        let named = |root: &&RootMove<'_>| self.board.to_shakmaty(root.m);
        Answer {
            score: sign * score,
            best_moves: found.iter().take(best).map(named).collect(),
            lines: found.iter().map(|root| (named(root), sign * root.value)).collect(),
            depth,
            complete: depth >= question.depth,
            counts: self.counts,
            iterations: self.iterations.clone(),
        }
    }
}
