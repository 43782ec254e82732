//! One thread of a search: its stack, its histories, what it has counted.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::evaluation::{Board, PawnCache, evaluate_with};
use super::history::{Context, Histories, move_kind};
use super::network::{Accumulators, Network};
use super::node::{Node, RootMove};
use super::picker::{Scored, is_tactical};
use super::table::{Entry, NO_EVALUATION, Table};
use super::values::{EVALUATION_LIMIT, MAX_PLY, TABLEBASE_WIN};
use super::{
    clock::Clock, control::Control, mate_memory::MateMemory, parameters::Parameters, repetition::Path,
    strategy::Strategy, tablebases::Tablebases,
};
use betacut_core::{board::Move, evaluation::presets, score::Score};

/// What all threads of a search share.
pub struct Shared<'a> {
    pub table: &'a Table,
    pub parameters: &'a Parameters,
    /// Whether positions are evaluated, and finished games valued, as on the exact floor.
    pub simplified: bool,
    /// What evaluates positions otherwise; the hand-written evaluation if none.
    pub network: Option<&'a Network>,
    pub tablebases: Option<&'a Tablebases>,
    pub control: &'a Control,
    /// One of the threads is done: the others are to end.
    pub done: &'a AtomicBool,
    pub clock: &'a Clock,
    /// The nodes that all threads together may visit.
    pub node_limit: u64,
    /// How many of them the threads have taken for themselves, each before it visits them.
    pub taken: &'a AtomicU64,
    /// Nodes of each thread, now and then.
    pub nodes: &'a [AtomicU64],
    pub tablebase_hits: &'a AtomicU64,
}

/// What a thread remembers of a ply of the line it is in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// The static value for the side to move; [`NO_EVALUATION`] in check.
    pub static_value: Score,
    /// The kind of move made here; none for a pass.
    pub kind: Option<u16>,
    pub excluded: Move,
    /// Quiet moves that refuted nodes at this ply.
    pub killers: [Move; 2],
    pub after_pass: bool,
    /// The move made here if it is quiet, else none.
    pub quiet: Move,
    /// Squares that the other side attacks here.
    pub threats: u64,
}

/// The most nodes between two looks at the clock.
const NODES_PER_LOOK: u32 = 1_024;

impl Shared<'_> {
    /// Takes some of the nodes that are left, for the thread that asks: so that no limit is exceeded, however many
    /// threads there are. None if there are none.
    fn take(&self) -> Option<u32> {
        let taken = self.taken.fetch_add(NODES_PER_LOOK.into(), Relaxed);
        let left = self.node_limit.saturating_sub(taken).min(NODES_PER_LOOK.into());
        (left > 0).then_some(left as u32)
    }
}

/// One thread of a search.
pub struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    /// Its number; 0 keeps the time.
    pub index: usize,
    pub histories: &'a mut Histories,
    pawns: PawnCache,
    accumulators: Option<Accumulators<'a>>,
    /// By ply.
    pub frames: Vec<Frame>,
    pub path: Path,
    pub list: Vec<Scored>,
    /// The best line from each ply on.
    pub lines: Vec<Vec<Move>>,
    pub root_moves: Vec<RootMove<'a>>,
    /// The depth of the present iteration.
    pub root_depth: i32,
    /// Whether a depth is done: until then no clock ends the search.
    pub has_depth: bool,
    pub selective_depth: usize,
    pub nodes: u64,
    /// No pass is tried before this ply.
    pub no_pass_before: usize,
    pub strategy: Strategy,
    /// What is known about a mate that is asked for.
    pub mates: MateMemory,
    /// Nodes until the next look: those that the thread has taken and not visited yet.
    countdown: u32,
    stopped: bool,
}

impl<'a> Worker<'a> {
    pub fn new(
        shared: &'a Shared<'a>,
        index: usize,
        histories: &'a mut Histories,
        path: Path,
        root_moves: Vec<RootMove<'a>>,
    ) -> Worker<'a> {
        let taken = shared.take();
        Worker {
            shared,
            index,
            histories,
            pawns: PawnCache::default(),
            accumulators: shared.network.map(|network| Accumulators::new(network, MAX_PLY + 4)),
            frames: vec![Frame { static_value: NO_EVALUATION, ..Frame::default() }; MAX_PLY + 4],
            path,
            list: Vec::with_capacity(4_096),
            lines: vec![Vec::new(); MAX_PLY + 4],
            root_moves,
            root_depth: 0,
            has_depth: false,
            selective_depth: 0,
            nodes: 0,
            no_pass_before: 0,
            strategy: Strategy::default(),
            mates: MateMemory::default(),
            countdown: taken.unwrap_or(1),
            stopped: taken.is_none(),
        }
    }

    /// Whether the search is to end, and no score means anything any more.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Counts a node, unless the search has ended, and looks now and then whether it is to end.
    #[inline(always)]
    pub fn enter(&mut self, ply: usize, pv: bool) {
        self.nodes += 1;
        self.countdown -= 1;
        if self.countdown == 0 {
            self.look();
        }
        if pv {
            self.selective_depth = self.selective_depth.max(ply);
            self.lines[ply].clear();
        }
    }

    /// Every thread looks at the clock: the first may wait for a processor until long after the time is over.
    #[cold]
    fn look(&mut self) {
        self.countdown = 1;
        if self.stopped {
            // On its way back to the root a search enters a node or two more, and looks at none of them.
            self.nodes -= 1;
            return;
        }
        self.publish_nodes();
        if self.index == 0 {
            self.shared.control.poll();
        }
        let is_late = self.shared.clock.must_stop(self.shared.control, self.all_nodes());
        let is_over = self.shared.control.is_stopped() || self.shared.done.load(Relaxed);
        if is_over || (self.index == 0 && self.has_depth && is_late) {
            self.stopped = true;
            self.shared.done.store(true, Relaxed);
        } else if self.index > 0 && is_late {
            self.stopped = true;
        } else if let Some(taken) = self.shared.take() {
            self.countdown = taken;
        } else {
            // The others visit what they have taken; but the first, which answers, waits for none of them.
            self.stopped = true;
            self.shared.done.fetch_or(self.index == 0, Relaxed);
        }
    }

    /// Lets the others know how many nodes there were.
    pub fn publish_nodes(&self) {
        self.shared.nodes[self.index].store(self.nodes, Relaxed);
    }

    pub fn all_nodes(&self) -> u64 {
        self.shared.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }

    #[inline(always)]
    pub fn make<'b>(&mut self, board: &Board<'b>, m: Move, ply: usize) -> Board<'b> {
        self.frames[ply].kind = Some(move_kind(board, m) as u16);
        self.frames[ply].quiet = if is_tactical(board, m) { Move::NONE } else { m };
        self.frames[ply + 1].after_pass = false;
        let child = board.make(m);
        if let Some(accumulators) = &mut self.accumulators {
            // Not only where the value is asked for: meanwhile the child's entry of the table comes from memory.
            accumulators.follow(&child, ply + 1);
        }
        self.path.keys.push(child.key);
        child
    }

    /// Makes no move; returns what [`Path::unpass`] needs, too.
    pub fn pass<'b>(&mut self, board: &Board<'b>, ply: usize) -> (Board<'b>, usize) {
        self.frames[ply].kind = None;
        self.frames[ply].quiet = Move::NONE;
        self.frames[ply + 1].after_pass = true;
        let child = board.pass();
        self.shared.table.prefetch(child.key);
        let first = self.path.pass(child.key);
        (child, first)
    }

    pub fn unmake(&mut self) {
        self.path.keys.pop();
    }

    /// The line from here on is this move and the line after it, unless it reaches beta: then that was not searched.
    pub fn note_line(&mut self, ply: usize, m: Move, reaches_beta: bool) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(m);
        if !reaches_beta {
            line.extend_from_slice(&after[0]);
        }
    }

    pub fn context(&self, ply: usize) -> Context {
        let before = |plies: usize| ply.checked_sub(plies).and_then(|at| self.frames[at].kind);
        Context { moves: [before(1), before(2), before(4)] }
    }

    /// The evaluation of a position that is not in check.
    pub fn evaluate(&mut self, board: &Board<'_>, ply: usize) -> Score {
        if self.shared.simplified {
            return board.with_values(presets::simplified().values()).score();
        }
        if let Some(accumulators) = &mut self.accumulators {
            return accumulators.evaluate(board, ply);
        }
        evaluate_with(board, &mut self.pawns).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// The evaluation of a position that is not in check, from the table if it is there.
    pub fn known_evaluation(&mut self, board: &Board<'_>, entry: Option<&Entry>, ply: usize) -> Score {
        match entry {
            Some(entry) if entry.evaluation != NO_EVALUATION => entry.evaluation,
            _ => self.evaluate(board, ply),
        }
    }

    /// The evaluation with what was learnt about such positions, nearer to a draw the longer nothing happens.
    pub fn corrected(&self, board: &Board<'_>, evaluation: Score, ply: usize) -> Score {
        if self.shared.simplified {
            return evaluation;
        }
        let correction = self.histories.correction(board, &self.context(ply), self.shared.parameters);
        let clock = Score::from(board.clock);
        let faded = evaluation * (220 - clock) / 220;
        (faded + correction).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// What a tablebase says of the node, as a score that ends it.
    pub fn ask_tablebase(&mut self, node: &Node) -> Option<Score> {
        let (tablebases, board) = (self.shared.tablebases?, node.board);
        let men = u32::from(board.men);
        if board.clock != 0 || board.castling != 0 || node.depth < 1 || men > tablebases.men() {
            return None;
        }
        let wdl = tablebases.wdl(board)?;
        self.shared.tablebase_hits.fetch_add(1, Relaxed);
        let win = TABLEBASE_WIN - node.ply as Score;
        let score = match wdl {
            2.. => win,
            ..=-2 => -win,
            // Wins that the fifty moves spoil are draws, but one would rather have them.
            _ => wdl,
        };
        if node.pv && (score > node.alpha && score < node.beta || wdl.abs() == 2) {
            // The principal variation goes on to where the game ends.
            return None;
        }
        Some(score)
    }
}
