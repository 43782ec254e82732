//! The engine: what lasts from move to move, and the threads of a search. All search the same root on their own, with one
//! table between them. The first thread keeps the time and reports; the best answer counts.
//!
//! Source: chessprogramming.org "Lazy SMP".

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};
use std::{io, path::PathBuf, thread, time::Duration};

use super::evaluation::{Board, WEIGHTS, Weights};
use super::limit::{Info, Limit, MATE_NODES, Outcome, Verdict, speed};
use super::network::{Network, NoNetwork};
use super::table::{OutOfMemory, Table};
use super::tablebases::{NoTablebases, Tablebases};
use super::values::{INFINITE, MATE, MATE_BOUND, WIN_BOUND};
use super::worker::{Shared, Worker};
use super::{
    clock::Clock, control::Control, game::Game, handicap, history::Histories, mates, node::RootMove,
    parameters::Parameters, pruning::LOGARITHMS, repetition::REVERSIBLE, strategy::Strategy,
};
use betacut_core::score::Score;

/// The deepest iteration.
const MAX_DEPTH: i32 = 127;
/// The depth of the move that is played if there is no mate where one was asked for. Plies.
const ENOUGH: i32 = 8;
/// The odds of a win as e to (A s + B s / m + C / m + D), of a score of s centipawns with m men on the board: fitted to
/// 1,668,844 quiet positions of 25,837 games of the network, where neither side leads by more than 300.
const ODDS: [f64; 4] = [0.00545, 0.0726, -20.6, 0.248];
/// Stack of a thread, in bytes: some 200 plies of search and quiescence.
const STACK: usize = 16 << 20;

/// An engine cannot be what its settings want.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no memory for the table.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// There are no tablebases where they should be.
    #[error(transparent)]
    NoTablebases(#[from] NoTablebases),
    /// There is no network where one should be.
    #[error(transparent)]
    NoNetwork(#[from] NoNetwork),
    /// There is no book where one should be.
    #[error("cannot read the book '{}': {error}", path.display())]
    NoBook {
        /// Where.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// What an engine is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Threads to search with.
    pub threads: usize,
    /// The size of the transposition table, mebibytes.
    pub hash_mb: usize,
    /// Lines to report.
    pub multipv: usize,
    /// Time that a move takes to arrive.
    pub move_overhead: Duration,
    /// Nodes that count as a millisecond, on the clock and in the limits; 0 if time counts.
    pub nodes_per_ms: u64,
    /// Folders of Syzygy tablebases.
    pub syzygy_path: Option<PathBuf>,
    /// Plays like a player of this rating; at full strength if none. Ratings that choose among moves use one thread.
    pub elo: Option<u32>,
    /// What such a player draws its choices by.
    pub seed: u64,
    /// The numbers the search is tuned by.
    pub parameters: Parameters,
    /// The weights of the evaluation; the built-in ones if none.
    pub weights: Option<Arc<Weights>>,
    /// What evaluates positions; the hand-written evaluation if none.
    pub network: Option<Arc<Network>>,
    /// Whether positions are evaluated, and finished games valued, as on the exact floor.
    pub simplified: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            hash_mb: 16,
            multipv: 1,
            move_overhead: Duration::from_millis(20),
            nodes_per_ms: 0,
            syzygy_path: None,
            elo: None,
            seed: 0,
            parameters: Parameters::default(),
            weights: None,
            network: Some(Network::built_in()),
            simplified: false,
        }
    }
}

/// An engine, with what it remembers.
pub struct Engine {
    settings: Settings,
    table: Table,
    tablebases: Option<Tablebases>,
    histories: Vec<Histories>,
    /// The mates that the last search has proved.
    strategy: Strategy,
    /// What is left on the clock where nodes count as time; none before the first move.
    clock_left: Option<Duration>,
}

impl Engine {
    /// An engine that remembers nothing yet.
    pub fn new(settings: Settings) -> Result<Engine, Error> {
        // Before threads search: a fork while one makes a table would leave its child waiting for it.
        LazyLock::force(&REVERSIBLE);
        LazyLock::force(&LOGARITHMS);
        let table = Table::new(settings.hash_mb)?;
        let tablebases = settings.syzygy_path.as_deref().map(Tablebases::open).transpose()?;
        let (histories, strategy) = (Vec::new(), Strategy::default());
        let mut engine = Engine { settings, table, tablebases, histories, strategy, clock_left: None };
        engine.histories.resize_with(engine.settings.threads, Histories::default);
        Ok(engine)
    }

    /// The settings in use.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings; what was found is kept where it still fits. The tablebases are opened again if `reopens`, or if
    /// there are others. After an error the old settings stay.
    pub fn configure(&mut self, settings: Settings, reopens: bool) -> Result<(), Error> {
        // What can fail comes first.
        let table =
            (settings.hash_mb != self.settings.hash_mb).then(|| Table::new(settings.hash_mb)).transpose()?;
        if reopens || settings.syzygy_path != self.settings.syzygy_path {
            self.tablebases = settings.syzygy_path.as_deref().map(Tablebases::open).transpose()?;
        }
        if let Some(table) = table {
            self.table = table;
        }
        let found_by = |settings: &Settings| (settings.simplified, settings.network.clone(), settings.elo);
        if found_by(&settings) != found_by(&self.settings) {
            self.forget();
        }
        self.histories.resize_with(settings.threads, Histories::default);
        self.settings = settings;
        Ok(())
    }

    /// Forgets the game: everything that was found, and its own clock.
    pub fn clear(&mut self) {
        self.forget();
        self.clock_left = None;
    }

    fn forget(&mut self) {
        self.table.clear();
        self.strategy = Strategy::default();
        for histories in &mut self.histories {
            *histories = Histories::default();
        }
    }

    /// Searches a position. Blocks until the limit is reached or `control` ends the search; `report` is called for each
    /// line of each finished depth. With [`Limit::infinite`], or while `control` ponders, it does not return before it
    /// is stopped or the expected move was played.
    pub fn search(
        &mut self,
        game: &Game,
        limit: &Limit,
        control: &Control,
        report: &mut dyn FnMut(&Info),
    ) -> Outcome {
        let limit = &self.with_own_clock(limit);
        let clock =
            Clock::new(control.start(), limit, self.settings.move_overhead, self.settings.nodes_per_ms);
        let weights = self.settings.weights.clone();
        let weights = weights.as_deref().unwrap_or(&WEIGHTS);
        let mut board = game.board(weights);
        board.carried.is_counted = self.settings.network.is_none();
        // 1. The moves of the root.
        let moves = self.root_moves(game, &board, limit);
        if moves.is_empty() {
            let line = over(&board);
            report(&line);
            control.wait(limit.infinite);
            return Outcome { lines: vec![line], ..Outcome::default() };
        }
        self.table.grow_older();
        // 2. The threads. A rating has its nodes for the lines that it chooses from: more of them cost nodes of their own.
        let choices = self.settings.elo.map_or(1, handicap::lines);
        let reported = self.settings.multipv.min(moves.len());
        let lines = reported.max(choices).min(moves.len());
        let most_nodes = self.settings.elo.map_or(u64::MAX, handicap::nodes);
        let most_nodes = most_nodes.saturating_mul(lines as u64) / choices.min(lines) as u64;
        let counts: Vec<AtomicU64> = (0..self.settings.threads).map(|_| AtomicU64::new(0)).collect();
        let shared = Shared {
            table: &self.table,
            parameters: &self.settings.parameters,
            simplified: self.settings.simplified,
            network: self.settings.network.as_deref().filter(|_| !self.settings.simplified),
            tablebases: self.tablebases.as_ref(),
            control,
            done: &AtomicBool::new(false),
            clock: &clock,
            node_limit: limit
                .nodes
                .unwrap_or(if limit.is_mate_alone() { MATE_NODES } else { u64::MAX })
                .min(most_nodes),
            taken: &AtomicU64::new(0),
            nodes: &counts,
            tablebase_hits: &AtomicU64::new(0),
        };
        let path = game.path();
        let strategy = std::mem::take(&mut self.strategy).at(&board, &path.keys);
        let last_depth = limit.depth.map_or(MAX_DEPTH, |depth| (depth as i32).clamp(1, MAX_DEPTH));
        let last_depth = last_depth.min(self.settings.elo.map_or(MAX_DEPTH, handicap::depth));
        let search = Search { board: &board, limit, last_depth, lines, reported };
        let (first, others) = self.histories.split_first_mut().expect("an engine has a thread at least");
        // The first thread takes its nodes first: a limit that is less than what a thread takes at once is all its own.
        let mut worker = Worker::new(&shared, 0, first, path, moves.clone());
        worker.strategy = strategy;
        let outcome = thread::scope(|scope| {
            // A choice that is to be the same again is between lines that are.
            let helpers = if choices > 1 { 0 } else { others.len() };
            for (index, histories) in others.iter_mut().take(helpers).enumerate() {
                let (moves, shared, search) = (moves.clone(), &shared, &search);
                let helper = move || {
                    let mut worker = Worker::new(shared, index + 1, histories, game.path(), moves);
                    search.help(&mut worker);
                };
                // Fewer threads search as well.
                let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, helper);
            }
            let outcome = search.lead(&mut worker, report);
            control.wait(limit.infinite);
            shared.done.store(true, Relaxed);
            outcome
        });
        worker.publish_nodes();
        let outcome = Outcome { nodes: worker.all_nodes(), ..outcome };
        self.strategy = worker.strategy;
        // A search on the opponent's time costs none of our own, unless the expected move came.
        if let Some(left) = limit.clock
            && self.settings.nodes_per_ms > 0
            && !control.is_pondering()
        {
            self.clock_left = Some(left.saturating_sub(clock.taken(outcome.nodes)) + limit.increment);
        }
        self.handicapped(outcome, &game.board(weights), &moves)
    }

    /// The moves to search, those first that a tablebase ranks first; no others where one line is wanted.
    fn root_moves<'w>(&self, game: &Game, board: &Board<'w>, limit: &Limit) -> Vec<RootMove<'w>> {
        // A table's own move need not mate as soon as can be.
        let tablebases = self.tablebases.as_ref().filter(|_| limit.mate.is_none());
        let ranks = tablebases.and_then(|tables| tables.ranks(game.position())).unwrap_or_default();
        let mut moves = Vec::new();
        for m in board.legal_moves() {
            let named = board.to_shakmaty(m);
            if limit.root_moves.as_ref().is_none_or(|only| only.contains(&named)) {
                let rank = ranks.iter().find(|(ranked, _)| *ranked == named).map_or(0, |&(_, rank)| rank);
                moves.push(RootMove::new(m, board.make(m), rank));
            }
        }
        RootMove::sort(&mut moves);
        if self.settings.multipv == 1
            && let Some(best) = moves.first().map(|root| root.rank)
        {
            moves.retain(|root| root.rank == best);
        }
        moves
    }

    /// Where nodes count as time, the engine keeps its clock itself: it is read at the first move of a game.
    fn with_own_clock(&self, limit: &Limit) -> Limit {
        let left = self.clock_left.filter(|_| self.settings.nodes_per_ms > 0);
        Limit { clock: limit.clock.map(|clock| left.unwrap_or(clock)), ..limit.clone() }
    }

    /// What a player of the rating asked for makes of it.
    fn handicapped(&self, mut outcome: Outcome, board: &Board<'_>, moves: &[RootMove<'_>]) -> Outcome {
        if let Some(elo) = self.settings.elo {
            let choices = handicap::lines(elo).min(outcome.lines.len());
            let line = handicap::choose(elo, self.settings.seed, board, &outcome.lines[..choices]);
            let line = outcome.lines.get(line);
            if let Some(line) = line {
                (outcome.best, outcome.ponder) = (line.pv.first().copied(), line.pv.get(1).copied());
            }
            if elo >= handicap::SEES_MATE
                && line.is_none_or(|line| line.score != Verdict::Mate(1))
                && let Some(root) = moves.iter().find(|root| mates::is_mate(board, &[root.m], 1))
            {
                (outcome.best, outcome.ponder) = (Some(board.to_shakmaty(root.m)), None);
            }
            outcome.lines.truncate(self.settings.multipv);
        }
        outcome
    }
}

/// Whether time that is not used is of use for later moves.
fn may_save(worker: &Worker<'_>) -> bool {
    worker.shared.clock.is_shared_out() && !worker.shared.control.is_pondering()
}

/// In how many moves the side to move mates, if the best line says so.
fn announced(lines: &[Info]) -> Option<u32> {
    match lines.first()?.score {
        Verdict::Mate(moves @ 1..) => Some(moves as u32),
        _ => None,
    }
}

/// What a finished game is worth.
fn over(board: &Board<'_>) -> Info {
    let (score, wdl) =
        if board.checkers() == 0 { (Verdict::Cp(0), [0, 1000, 0]) } else { (Verdict::Mate(0), [0, 0, 1000]) };
    Info { multipv: 1, score, wdl, ..Info::default() }
}

/// One question, as all threads see it.
struct Search<'a> {
    board: &'a Board<'a>,
    limit: &'a Limit,
    last_depth: i32,
    /// Lines to search, and how many of them are reported.
    lines: usize,
    reported: usize,
}

impl Search<'_> {
    /// The first thread: depth after depth, until a limit is reached.
    fn lead(&self, worker: &mut Worker<'_>, report: &mut dyn FnMut(&Info)) -> Outcome {
        // A mate that was announced takes no time.
        if may_save(worker) && self.lines == 1 && worker.keep_to_strategy(self.board) {
            return self.carry_out(worker, report);
        }
        let shared = worker.shared;
        let mut sureness = Sureness::default();
        let mut infos = Vec::new();
        for depth in 1..=self.last_depth {
            let finished = worker.search_depth(self.board, depth, self.lines);
            worker.publish_nodes();
            if !finished {
                break;
            }
            infos = self.infos(worker, depth);
            infos[..self.reported].iter().for_each(&mut *report);
            let (best, only) = (&worker.root_moves[0], worker.root_moves.len() == 1);
            let factor = sureness.factor(best, worker.nodes, shared.parameters);
            let mate = announced(&infos);
            self.look_for_mate(worker, mate, false);
            // A mate needs no more time: later moves may.
            let sure = mate.is_some_and(|moves| 2 * moves <= depth as u32 + 1);
            let no_mate = worker.mates.answer == Some(false) && self.limit.is_mate_alone();
            if worker.mates.answer == Some(true)
                || (no_mate && depth >= ENOUGH)
                || (may_save(worker) && ((only && depth >= 8) || sure))
                || shared.clock.should_stop(shared.control, worker.all_nodes(), factor)
                || self.limit.soft_nodes.is_some_and(|nodes| worker.all_nodes() >= nodes)
                || shared.control.is_stopped()
            {
                break;
            }
        }
        if self.limit.is_mate_alone() {
            self.look_for_mate(worker, announced(&infos), true);
        }
        let line = self.named(&worker.root_moves[0].line);
        // The depth that was not finished has found a better move, or there was no time for any depth.
        if infos.first().is_none_or(|info| info.pv.first() != line.first()) {
            infos = self.infos(worker, worker.root_depth);
        }
        // Nor may one be forgotten, however little was searched.
        let known = worker.strategy.step(self.board).map(|step| step.plies as u32);
        let forgotten =
            known.is_some_and(|known| announced(&infos).is_none_or(|moves| 2 * moves > known + 1));
        if forgotten && worker.keep_to_strategy(self.board) {
            return self.carry_out(worker, report);
        }
        Outcome { best: line.first().copied(), ponder: line.get(1).copied(), lines: infos, nodes: 0 }
    }

    /// Whether there is a mate in as many moves as are asked for: one that is announced, or else one that is looked for.
    fn look_for_mate(&self, worker: &mut Worker<'_>, announced: Option<u32>, to_the_end: bool) {
        let Some(wanted) = self.limit.mate else { return };
        if announced.is_some_and(|moves| moves <= wanted) {
            worker.mates.answer = Some(true);
        } else if worker.mates.answer.is_none() && !worker.is_stopped() {
            worker.mates.answer = worker.look_for_mate(self.board, wanted, to_the_end);
        }
    }

    /// The next move of the mate that was announced, which is the first of the root.
    fn carry_out(&self, worker: &mut Worker<'_>, report: &mut dyn FnMut(&Info)) -> Outcome {
        let depth = worker.root_moves[0].line.len() as i32;
        let lines = self.infos(worker, depth);
        lines[..self.reported].iter().for_each(report);
        let line = &lines[0].pv;
        Outcome { best: line.first().copied(), ponder: line.get(1).copied(), lines, nodes: 0 }
    }

    /// The other threads: the same, out of step, until they are stopped.
    fn help(&self, worker: &mut Worker<'_>) {
        for depth in 1..=MAX_DEPTH {
            // Every other thread is a depth ahead.
            let ahead = (worker.index % 2) as i32;
            if !worker.search_depth(self.board, (depth + ahead).min(MAX_DEPTH), self.lines) {
                break;
            }
        }
        worker.publish_nodes();
    }

    /// A line in the words of shakmaty.
    fn named(&self, line: &[betacut_core::board::Move]) -> Vec<shakmaty::Move> {
        let mut board = *self.board;
        let mut named = Vec::with_capacity(line.len());
        for &m in line {
            named.push(board.to_shakmaty(m));
            board = board.make(m);
        }
        named
    }

    fn infos(&self, worker: &mut Worker<'_>, depth: i32) -> Vec<Info> {
        // Moves that a depth had no time for are worth what they were at the one before.
        let depths: Vec<i32> = (worker.root_moves[..self.lines].iter_mut())
            .map(|root| {
                let is_searched = root.score > -INFINITE;
                root.score = if is_searched { root.score } else { root.previous };
                (depth - i32::from(!is_searched)).max(1)
            })
            .collect();
        let mates: Vec<bool> = (0..self.lines).map(|index| worker.confirm_mate(self.board, index)).collect();
        // What there was no time for is worth what the evaluation says.
        let own = if self.board.checkers() == 0 { worker.evaluate(self.board, 0) } else { 0 };
        let shared = worker.shared;
        let (time, nodes) = (shared.clock.elapsed(), worker.all_nodes().max(worker.nodes));
        let score = |index: usize| {
            let score = worker.root_moves[index].score;
            if score > -INFINITE { score } else { own }
        };
        let clamped = |index| score(index).clamp(-MATE_BOUND, MATE_BOUND);
        let told: Vec<_> =
            (0..self.lines).map(|index| if mates[index] { score(index) } else { clamped(index) }).collect();
        // The move that is played stays the first, whatever the others were worth at the depth before.
        let mut order: Vec<usize> = (0..self.lines).collect();
        order[1..self.reported].sort_by_key(|&index| (-worker.root_moves[index].rank, -told[index]));
        let info = |(index, multipv): (usize, usize)| {
            let root = &worker.root_moves[index];
            Info {
                depth: depths[index] as u32,
                selective_depth: root.selective_depth as u32,
                multipv,
                score: verdict(told[index]),
                nodes,
                time,
                nodes_per_second: speed(nodes, time),
                hash_full: shared.table.full(),
                tablebase_hits: shared.tablebase_hits.load(Relaxed),
                wdl: chances(score(index), self.board.occupied().count_ones()),
                pv: self.named(&root.line),
            }
        };
        order.into_iter().zip(1..).map(info).collect()
    }
}

/// How sure the search is of its move.
#[derive(Default)]
struct Sureness {
    best: Option<betacut_core::board::Move>,
    /// Depths since the move changed.
    stable: i32,
    score: Score,
}

impl Sureness {
    /// What part of the soft bound the search deserves.
    fn factor(&mut self, best: &RootMove<'_>, nodes: u64, parameters: &Parameters) -> f64 {
        if parameters.time_stability == 0 {
            return 1.0;
        }
        self.stable = if self.best == Some(best.m) { (self.stable + 1).min(8) } else { 0 };
        let drop =
            if self.best.is_some() { f64::from((self.score - best.score).clamp(-20, 60)) } else { 0.0 };
        (self.best, self.score) = (Some(best.m), best.score);
        // The more of the work went into the best move, the less is there to be found in the others.
        let effort = best.nodes as f64 / nodes.max(1) as f64;
        (1.35 - 0.08 * f64::from(self.stable)) * (1.0 + drop / 120.0) * (1.65 - effort).clamp(0.5, 1.5)
    }
}

/// A score as people read it.
pub fn verdict(score: Score) -> Verdict {
    if score > MATE_BOUND {
        Verdict::Mate((MATE - score + 1) / 2)
    } else if score < -MATE_BOUND {
        Verdict::Mate(-i32::midpoint(MATE, score))
    } else {
        Verdict::Cp(score)
    }
}

/// Chances to win, draw and lose with so many men on the board, per mille.
fn chances(score: Score, men: u32) -> [u32; 3] {
    if score.abs() > WIN_BOUND {
        return if score > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let men = f64::from(men);
    let wins = |score: f64| {
        let [a, b, c, d] = ODDS;
        (1000.0 / (1.0 + (-(a * score + (b * score + c) / men + d)).exp())).round() as u32
    };
    let (win, loss) = (wins(f64::from(score)), wins(f64::from(-score)));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_symmetric_and_the_fewer_men_the_more_draws() {
        for men in 2..=32 {
            for score in [0, 17, 100, 250, 3_000, WIN_BOUND] {
                let ([win, draw, loss], other) = (chances(score, men), chances(-score, men));
                assert_eq!((win + draw + loss, other), (1000, [loss, draw, win]));
                assert!(win >= loss && win <= chances(score + 50, men)[0]);
            }
            assert!(men == 2 || chances(50, men - 1)[1] > chances(50, men)[1]);
        }
        assert_eq!(chances(WIN_BOUND + 1, 32), [1000, 0, 0]);
        // Of 58,902 positions of games with 17 to 20 men and a lead of 100 to 199 centipawns 64.5 % were won, of 307,866
        // with 29 to 32 men and up to 99 centipawns 45.5 %.
        assert!(chances(145, 19)[0].abs_diff(645) < 30 && chances(45, 31)[0].abs_diff(455) < 30);
    }
}
