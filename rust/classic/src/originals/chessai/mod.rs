//! `ChessAI`, a program of students in Mannheim: minimax and alpha-beta on a path score, with a memory, with progressive
//! deepening, and with captures extended.
//!
//! A node is a call of the original's `get_best_move`: at the root, where the memory answers, and at leaves; not where
//! the game is over, for such a move is valued by its parent. Every move looked at is one call of `evaluate_move`.
//!
//! Source: <https://github.com/MoritzMueller2508/ChessAI_Implementation>.

pub mod alpha_beta;
pub mod deepening;
pub mod evaluation;
mod memo;

use shakmaty::{Color, Move};

use crate::Result;
use crate::observer::{End, Observer as _, Recorder, code};
use crate::originals::node::{Line, Node};
use crate::originals::tablebase::has_few_men;
use crate::terminal_filter::TerminalFilter;
use betacut_core::limits::Limits;
use betacut_core::move_order::python_chess::LegalMoves;
use betacut_core::score::{Depth, Score, view_of};
use betacut_core::window::Window;
use evaluation::{Evaluation, Evaluator, FULL, MAX_SCORE, Place, recorded};
use memo::{LineId, Lines, Memo, NodeResult};

pub use memo::Memory;

betacut_core::named! {
    /// The searches; the names are those of the functions in Python.
    #[allow(missing_docs)] // The names say it.
    pub enum Algorithm {
        Negamax = "negamax_search",
        NegamaxMemo = "negamax_search_memo",
        AlphaBeta = "alpha_beta_pruning",
        AlphaBetaMemo = "alpha_beta_pruning_memo",
        ProgressiveDeepening = "alpha_beta_pruning_pd",
        Quiescence = "alpha_beta_pruning_quiescence",
    }
}

impl Algorithm {
    fn has_memo(self) -> bool {
        !matches!(self, Algorithm::Negamax | Algorithm::AlphaBeta)
    }

    fn deepens(self) -> bool {
        matches!(self, Algorithm::ProgressiveDeepening | Algorithm::Quiescence)
    }
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls of `get_best_move`.
    pub nodes: u64,
    /// Calls of `evaluate_move`.
    pub evals: u64,
    /// Nodes as deep as their parent because their move was the only one.
    pub single_extensions: u64,
    /// Nodes as deep as their parent because their move was a capture.
    pub capture_extensions: u64,
    /// How many plies from the root the farthest node lies.
    pub max_ply: u32,
    /// Nodes the memory answered.
    pub cache_hits: u64,
}

impl Counts {
    /// Counts a node.
    #[inline(always)]
    fn node(&mut self, ply: u32) {
        self.nodes += 1;
        self.max_ply = self.max_ply.max(ply);
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Centipawns, in the view of the side to move at the root.
    pub score: Score,
    /// The expected line, the best move first; empty if the game is over.
    pub path: Vec<Move>,
    /// Whether a tablebase was part of it.
    pub used_endgame: bool,
    /// What was counted.
    pub counts: Counts,
    /// The number of entries of the memory, if there is one.
    pub cache_size: Option<usize>,
}

/// A call of the original's `get_best_move` by itself, and what it is given besides a depth.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The window, which minimax does not look at.
    pub window: Window,
    /// Whether the side that started the search is to move.
    pub ai_turn: bool,
    /// What the path to the position is worth.
    pub score: Score,
}

/// Searches `root`, at the end of `line`, to `depth >= 1`; `memory` is empty at first. Does what the original's `make_move`
/// does, or only `call`, in the view of the side that started the search. To an observer each limit of the
/// deepening is a root, moves that end the game are nodes, and a static score is the sum of the path.
#[allow(clippy::too_many_arguments)]
pub fn search(
    algorithm: Algorithm,
    root: &Node,
    line: Line,
    depth: u32,
    call: Option<Call>,
    mut evaluator: Evaluator<'_>,
    memory: &mut Memory,
    limits: Limits<'_>,
    observer: Option<&mut Recorder>,
) -> Result<Outcome> {
    evaluator.tablebase = evaluator.tablebase.filter(|_| has_few_men(root.board()));
    let mut search = Search {
        evaluator,
        line,
        limits,
        memo: algorithm.has_memo().then_some(&mut memory.memo),
        lines: &mut memory.lines,
        counts: Counts::default(),
        extend_captures: algorithm == Algorithm::Quiescence,
        order_moves: algorithm.deepens(),
        observer,
    };
    let found = search.run(algorithm, root, depth, call)?;
    let Search { memo, lines, counts, .. } = search;
    Ok(Outcome {
        score: found.score,
        path: lines.moves(found.line),
        used_endgame: found.used_endgame,
        counts,
        cache_size: memo.map(|memo| memo.len()),
    })
}

struct Search<'a, 'm, 'l> {
    evaluator: Evaluator<'a>,
    line: Line,
    limits: Limits<'l>,
    memo: Option<&'m mut Memo>,
    lines: &'m mut Lines,
    counts: Counts,
    extend_captures: bool,
    order_moves: bool,
    observer: Option<&'m mut Recorder>,
}

impl Search<'_, '_, '_> {
    fn run(
        &mut self,
        algorithm: Algorithm,
        root: &Node,
        depth: u32,
        call: Option<Call>,
    ) -> Result<NodeResult> {
        let deepens = algorithm.deepens() && call.is_none();
        let Call { window, ai_turn, score } = call.unwrap_or(Call { window: FULL, ai_turn: true, score: 0 });
        let place = Place { ai_turn, score, ..Place::root(depth) };
        // A game that is over has a value, and no move; every limit of the deepening looks at it once.
        if let Some(ending) = root.ending(&self.line) {
            self.counts.nodes = if deepens { u64::from(depth) } else { 1 };
            let score = self.evaluator.finished(root, ending, place);
            let found = NodeResult { score, used_endgame: false, line: LineId::EMPTY };
            let first = if deepens { 1 } else { depth };
            for limit in first..=depth {
                self.visit(None, limit, FULL, |search| {
                    search.observer.mark(ending.into());
                    Ok(found)
                })?;
            }
            return Ok(found);
        }
        match algorithm {
            Algorithm::Negamax | Algorithm::NegamaxMemo => {
                self.visit(None, depth, FULL, |search| search.alpha_beta::<false>(root, place, FULL))
            }
            _ if deepens => self.progressive_deepening(root, depth),
            _ => self.visit(None, depth, window, |search| search.alpha_beta::<true>(root, place, window)),
        }
    }

    /// Looks at the node after `m`, or at the root, with this depth left, in this window.
    #[inline(always)]
    fn visit(
        &mut self,
        m: Option<Move>,
        depth: u32,
        window: Window,
        look: impl FnOnce(&mut Self) -> Result<NodeResult>,
    ) -> Result<NodeResult> {
        if let Some(recorder) = &mut self.observer {
            recorder.enter(code(m), depth as Depth, fitted(recorder.root, window))?;
            if m.is_none() {
                recorder.scored(0);
            }
        }
        let found = look(self);
        self.observer.tell(|recorder| {
            let score = found.as_ref().ok().map(|found| recorded(view_of(recorder.root, found.score)));
            recorder.leave(score);
        });
        found
    }

    /// Tells the recorder what a move is worth, and whether it ends the game or the search.
    #[cold]
    fn observe_move(&mut self, node: &Node, m: Move, evaluation: Evaluation, leaf: bool) {
        let ending = evaluation.over.then(|| node.play(m).ending(&self.line)).flatten();
        self.observer.tell(|recorder| {
            if ending.is_none() {
                recorder.scored(recorded(view_of(recorder.root, evaluation.score)));
            }
            if leaf || ending.is_some() {
                recorder.ends(ending.map_or(End::Leaf, End::from));
            }
        });
    }

    /// Counts a node that is not a leaf.
    #[inline]
    fn enter(&mut self, place: Place) -> Result<()> {
        self.counts.node(place.ply);
        self.limits.node()
    }

    /// Values a move that was made.
    #[inline]
    fn evaluate_move(&mut self, node: &Node, m: Move, child: &Node, place: Place) -> Result<Evaluation> {
        self.counts.evals += 1;
        self.evaluator.evaluate_move(node, m, child, &self.line, place)
    }

    /// What spares making the leaves below `node`, if there are any and no tablebase wants to see them.
    #[inline]
    fn terminal_filter(&self, node: &Node, leaves: bool) -> Option<TerminalFilter> {
        (leaves && self.evaluator.tablebase.is_none()).then(|| node.terminal_filter())
    }

    /// The value of a move that is searched no further.
    #[inline(always)]
    fn leaf(
        &mut self,
        node: &Node,
        m: Move,
        place: Place,
        terminal_filter: Option<&TerminalFilter>,
    ) -> Result<NodeResult> {
        let evaluation = match terminal_filter {
            Some(terminal_filter) if terminal_filter.cannot_end_the_game(m) => {
                self.counts.evals += 1;
                self.evaluator.path_score(node.turn(), m, place)
            }
            _ => self.evaluate_made(node, m, place)?,
        };
        if self.observer.is_some() {
            self.observe_move(node, m, evaluation, true);
        }
        if !evaluation.over {
            self.counts.node(place.ply + 1);
        }
        Ok(NodeResult::leaf(evaluation))
    }

    /// The value of a move that is searched on, by `search` of its node.
    #[inline(always)]
    fn child(
        &mut self,
        node: &Node,
        m: Move,
        place: Place,
        step: Step,
        search: impl FnOnce(&mut Self, &Node, Place) -> Result<NodeResult>,
    ) -> Result<NodeResult> {
        let child = node.play(m);
        let evaluation = self.evaluate_move(node, m, &child, place)?;
        if self.observer.is_some() {
            self.observe_move(node, m, evaluation, false);
        }
        if evaluation.over {
            return Ok(NodeResult::leaf(evaluation));
        }
        self.counts.single_extensions += u64::from(step.single);
        self.counts.capture_extensions += u64::from(step.capture);
        let found = search(self, &child, place.next(step.depth, evaluation.score))?;
        Ok(found.after(evaluation))
    }

    #[inline(never)]
    fn evaluate_made(&mut self, node: &Node, m: Move, place: Place) -> Result<Evaluation> {
        self.evaluate_move(node, m, &node.play(m), place)
    }

    /// Forgets the lines of a move that was not better, unless a memo refers to them.
    #[inline(always)]
    fn forget_lines(&mut self, len: usize) {
        if self.memo.is_none() {
            self.lines.truncate(len);
        }
    }
}

/// A window in the view of `root`, who started the search, as the columns have it.
fn fitted(root: Color, window: Window) -> Window {
    let Window { alpha, beta } = window.seen_by(root);
    Window { alpha: recorded(alpha), beta: recorded(beta) }
}

/// How a move is searched on.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The depth of its node.
    depth: u32,
    /// Whether it costs no depth for being the only move.
    single: bool,
    /// Whether it costs no depth for being a capture.
    capture: bool,
}

/// The best move of a node so far.
#[derive(Clone, Copy, Debug)]
struct Best {
    score: Score,
    /// The move and what was found below it.
    choice: Option<(Move, NodeResult)>,
    ai_turn: bool,
}

impl Best {
    /// Nothing yet: worse than any score.
    #[inline]
    fn new(ai_turn: bool) -> Best {
        Best { score: if ai_turn { -MAX_SCORE } else { MAX_SCORE }, choice: None, ai_turn }
    }

    /// Looks at a move; whether it is better than those before.
    #[inline(always)]
    fn offer(&mut self, m: Move, found: NodeResult) -> bool {
        // The first move counts, whatever a tablebase says of it.
        let better = self.choice.is_none()
            || if self.ai_turn { found.score > self.score } else { found.score < self.score };
        if better {
            self.score = found.score;
            self.choice = Some((m, found));
        }
        better
    }

    #[inline]
    fn found(self, lines: &mut Lines) -> Result<NodeResult> {
        let (m, found) = self.choice.expect("a game that is not over has a move");
        Ok(NodeResult { line: lines.push(m, found.line)?, ..found })
    }
}

/// Whether there is exactly one move, or none.
#[inline]
fn is_single(moves: &LegalMoves<'_>) -> bool {
    moves.clone().nth(1).is_none()
}
