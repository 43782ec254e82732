//! The engines of "Chess Engine - a didactic introduction": from minimax to a principal variation search with quiescence,
//! each the one before with something added, on a page of its own.
//!
//! All of them search a copy of the board, end a game as python-chess does without claims, and look at moves in its order
//! unless the page says otherwise.
//!
//! Source: github.com/Leon0402/chess-engine.

pub mod alpha_beta;
pub mod cache;
pub mod evaluation;
pub mod iterative;
pub mod minimax;
pub mod move_ordering;
pub mod principal_variation_search;
pub mod prototype_v1;
pub mod prototype_v2;
pub mod quiescence;
pub mod quiescence_move_ordering;
pub mod score;
pub mod see;
pub mod tree;

use shakmaty::{Color, Move};

use crate::observer::{End, Observer as _, UNKNOWN, code};
use crate::originals::node::{Line, Node};
use crate::originals::tablebase::Tablebase;
use betacut_core::limits::{Limits, Stopped};
use betacut_core::window::Window;
use cache::{Cache, Types};
use evaluation::{Evaluator, Incremental, Leaves, Position, Simplified, Standard, of_ending, relative};
use score::{HIGHEST, LOWEST, Value, recorded};
use see::Exchange;
use tree::Watch;

type Result<T> = crate::Result<T, SearchError>;

betacut_core::named! {
    /// Which captures that take less than they risk are left out.
    pub enum BadCapture {
        /// Those on an attacked square.
        Defended = "defended",
        /// Those that lose the exchange, played out on the board.
        Exchange = "exchange",
        /// Those that lose the exchange, without moves.
        OptimizedExchange = "optimized",
    }
}

betacut_core::named! {
    /// The engines; the names are those of the functions in Python.
    #[allow(missing_docs)] // The names say it.
    pub enum Engine {
        MiniMax = "minimax",
        /// The first `AlphaBetaEngine`, with White's view; the second is negamax.
        AlphaBetaWhite = "alpha_beta_white",
        AlphaBeta = "alpha_beta",
        IterativeAlphaBeta = "iterative_alpha_beta",
        IterativeAlphaBetaCached = "iterative_alpha_beta_cached",
        IncrementalIterativeAlphaBetaCached = "incremental_iterative_alpha_beta_cached",
        Quiescence = "quiescence",
        PrototypeV1 = "prototype_v1",
        MoveOrdering = "move_ordering",
        /// `QuiescenceMoveOrderingEngine` and, with optimized exchanges, `OptimizedQuiescenceMoveOrderingEngine`.
        QuiescenceMoveOrdering = "quiescence_move_ordering",
        PrincipalVariationSearch = "principal_variation_search",
        PrototypeV2 = "prototype_v2",
    }
}

/// What is asked of which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The engine.
    pub engine: Engine,
    /// Whether an engine that can be given its heuristic uses [`Simplified`], and not [`Standard`].
    pub simplified: bool,
    /// Which captures an engine leaves out that sorts them.
    pub bad_captures: BadCapture,
    /// Whether each root move has its own value. The engines before the first prototype always analyse, and play by it.
    pub analyse: bool,
    /// The last depth, in plies from the root.
    pub depth: i32,
}

/// How often each function was called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it.
pub struct Counts {
    /// Of `_value`, answers of the memory included.
    pub value: u64,
    pub evaluate: u64,
    pub heuristic: u64,
    pub quiescence: u64,
    pub zero_width_search: u64,
    /// Of `see_capture` and `see`.
    pub exchange: Exchange,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The score, White's view; on a finished game what that is worth.
    pub score: Value,
    /// Analysed: the root moves and their values, White's view.
    pub scores: Vec<(Move, Value)>,
    /// The moves that have the score, in python-chess's order; none if the game is over.
    pub best_moves: Vec<Move>,
    /// What was called.
    pub counts: Counts,
    /// The memory's entries by type, if the engine has one.
    pub cache: Option<Types>,
}

/// Why a search has no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// It was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A capture is worth a mate, and the original calls a method that it does not have.
    #[error(
        "the original crashes here: a capture is worth a mate, and it calls _rise_mate, which does not exist"
    )]
    NoRiseMate,
    /// The original searches below depth 0 and does not come back.
    #[error("the original does not come back from here: it searches root moves to depth -1")]
    Endless,
}

/// Which `_value` an engine has that keeps its evaluator by increments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueFunction {
    Cached,
    Quiescence,
    Ordered,
    PrincipalVariation,
}

/// What the engines differ in.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)]
struct Style {
    value: ValueFunction,
    sorts_captures: bool,
    /// Whether a mate is the worse the further it is from the root.
    mates_count_plies: bool,
    /// Whether a capture may be worth a mate, and root moves are looked at once the root of few men is one.
    is_second_prototype: bool,
    remembers: bool,
}

impl Style {
    fn of(engine: Engine) -> Style {
        use ValueFunction::{Cached, Ordered, PrincipalVariation, Quiescence};
        let (value, sorts_captures, mates_count_plies) = match engine {
            Engine::Quiescence => (Quiescence, false, false),
            Engine::PrototypeV1 => (Quiescence, false, true),
            Engine::MoveOrdering => (Ordered, false, false),
            Engine::QuiescenceMoveOrdering => (Ordered, true, false),
            Engine::PrincipalVariationSearch | Engine::PrototypeV2 => (PrincipalVariation, true, true),
            _ => (Cached, false, false),
        };
        let is_second_prototype = engine == Engine::PrototypeV2;
        let remembers = engine as usize >= Engine::IterativeAlphaBetaCached as usize;
        Style { value, sorts_captures, mates_count_plies, is_second_prototype, remembers }
    }
}

/// Where a search stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Plies left.
    depth: i32,
    /// Plies from the root.
    ply: i32,
    /// In the view of the side to move.
    window: Window,
}

impl Place {
    /// The window that contains every score.
    fn whole(depth: i32, ply: i32) -> Place {
        Place { depth, ply, window: Window { alpha: LOWEST, beta: HIGHEST } }
    }

    /// One move on.
    #[inline(always)]
    fn next(self) -> Place {
        Place { depth: self.depth - 1, ply: self.ply + 1, window: self.window.turned() }
    }
}

/// A search of one position.
struct Search<'a, 'l, E: Evaluator> {
    question: Question,
    style: Style,
    evaluator: E,
    line: Line,
    limits: &'a mut Limits<'l>,
    tablebase: Option<&'a mut dyn Tablebase>,
    cache: &'a mut Cache,
    counts: Counts,
    watch: Watch<'a>,
}

/// Searches the position at the end of `line`; `cache` is empty at first, `watch` is told about the tree, and `tablebase`
/// is asked by the second prototype. A [`crate::observer::Recorder`] that watches has a root for each depth: where the root
/// moves are analysed that is no call of `_value`. `_quiescence` of a position is a node below its `_value`.
/// Errors: [`SearchError`] if the limits stop the search or the original crashes.
pub fn search<'a>(
    question: Question,
    root: Node,
    line: Line,
    tablebase: Option<&'a mut dyn Tablebase>,
    cache: &'a mut Cache,
    watch: Watch<'a>,
    limits: &'a mut Limits<'_>,
) -> Result<Outcome> {
    if question.engine as usize > Engine::IterativeAlphaBetaCached as usize {
        let evaluator = Incremental::start(root.board());
        Search::new(question, evaluator, line, tablebase, cache, watch, limits).incremental(root)
    } else if question.simplified {
        Search::new(question, Simplified, line, tablebase, cache, watch, limits).with_heuristic(root)
    } else {
        Search::new(question, Standard, line, tablebase, cache, watch, limits).with_heuristic(root)
    }
}

impl<'a, 'l, E: Evaluator> Search<'a, 'l, E> {
    fn new(
        question: Question,
        evaluator: E,
        line: Line,
        tablebase: Option<&'a mut dyn Tablebase>,
        cache: &'a mut Cache,
        watch: Watch<'a>,
        limits: &'a mut Limits<'l>,
    ) -> Self {
        let (style, counts) = (Style::of(question.engine), Counts::default());
        Search { question, style, evaluator, line, limits, tablebase, cache, counts, watch }
    }

    /// The engines that take a heuristic: every root move has its value in the whole window.
    fn with_heuristic(self, root: Node) -> Result<Outcome> {
        let Question { engine, depth, .. } = self.question;
        let root = Position::new(root, self.evaluator);
        let deepens = matches!(engine, Engine::IterativeAlphaBeta | Engine::IterativeAlphaBetaCached);
        let first = if deepens { 1 } else { depth };
        self.analyse(&root, first, |search, m, place| {
            let child = root.play(m, search.evaluator);
            match engine {
                Engine::MiniMax => search.minimax(&child, place.depth, 1),
                Engine::AlphaBetaWhite => search.alpha_beta_white(&child, place),
                Engine::IterativeAlphaBetaCached => search.cached_alpha_beta(&child, place),
                _ => search.alpha_beta(&child, place),
            }
        })
    }

    /// Analyses the root at this depth and those after it: each root move by `value_of`, the view of the other side.
    fn analyse(
        mut self,
        root: &Position<E>,
        first: i32,
        mut value_of: impl FnMut(&mut Self, Move, Place) -> Result<Value>,
    ) -> Result<Outcome> {
        let mut scores = Vec::new();
        self.line.push(&root.node);
        for depth in first..=self.question.depth {
            scores = self.root_moves(root, depth, &mut value_of)?;
        }
        self.line.pop();
        let best = best_of(&scores);
        let best_moves = scores.iter().filter(|&&(_, value)| Some(value) == best).map(|&(m, _)| m).collect();
        let score = best.or_else(|| self.ended(root)).unwrap_or(0);
        let white = |(m, value)| (m, relative(root.turn(), value));
        Ok(self.outcome(root, score, scores.into_iter().map(white).collect(), best_moves))
    }

    /// The outcome, from the score in the root's view.
    fn outcome(
        self,
        root: &Position<E>,
        score: Value,
        scores: Vec<(Move, Value)>,
        best_moves: Vec<Move>,
    ) -> Outcome {
        Outcome {
            score: relative(root.turn(), score),
            scores,
            best_moves,
            counts: self.counts,
            cache: self.style.remembers.then(|| self.cache.types()),
        }
    }

    /// What `evaluate` says of a finished game, the view of the side to move; not counted.
    #[inline]
    fn ended(&mut self, position: &Position<E>) -> Option<Value> {
        if self.watch.records()
            && let Some(ending) = position.node.ending(&self.line)
        {
            self.watch.mark(ending.into());
        }
        position.node.ending(&self.line).map(of_ending)
    }

    /// `heuristic`, called `times` times: the view of the side to move.
    #[inline]
    fn heuristic(&mut self, position: &Position<E>, times: u64) -> Value {
        self.counts.heuristic += if E::AT_LEAVES { times } else { 0 };
        if self.watch.records() {
            self.observe_leaf(position.turn(), position.heuristic(self.evaluator));
        }
        position.heuristic(self.evaluator)
    }

    /// Calls of `_value` without a memory: a finished game, a leaf, or what `look` finds; for the side to move.
    #[inline(always)]
    fn called(
        &mut self,
        position: &Position<E>,
        depth: i32,
        times: u64,
        look: impl FnOnce(&mut Self) -> Result<Value>,
    ) -> Result<Value> {
        self.watch.value_called(depth);
        self.counts.value += times;
        self.counts.evaluate += times;
        self.limits.node()?;
        let value = match self.ended(position) {
            Some(ended) => ended,
            None if depth == 0 => self.heuristic(position, times),
            None => look(self)?,
        };
        self.watch.value_returned()?;
        Ok(value)
    }

    /// The value of a child at depth 0, called `times` times: the view of the side to move there.
    #[inline(always)]
    fn leaf(&mut self, leaves: &Leaves<'_, E>, m: Move, times: u64) -> Result<Value> {
        self.watch.value_called(0);
        self.counts.value += times;
        self.counts.evaluate += times;
        let value = self.leaf_value(leaves, m, times);
        self.watch.value_returned()?;
        Ok(value)
    }

    /// What a child at depth 0 is worth, without counting more than the heuristic.
    #[inline(always)]
    fn leaf_value(&mut self, leaves: &Leaves<'_, E>, m: Move, times: u64) -> Value {
        if self.watch.records() {
            self.observe_leaf(!leaves.parent.turn(), leaves.heuristic(m, self.evaluator));
            self.observe_ending_after(leaves, m);
        }
        leaves.ended(m, &self.line).unwrap_or_else(|| {
            self.counts.heuristic += if E::AT_LEAVES { times } else { 0 };
            leaves.heuristic(m, self.evaluator)
        })
    }

    /// Looks at the node after `m`, or the root, or quiescence; window and value are in the view of `turn`, to move there.
    #[inline(always)]
    fn visit(
        &mut self,
        m: Option<Move>,
        turn: Color,
        place: Place,
        look: impl FnOnce(&mut Self) -> Result<Value>,
    ) -> Result<Value> {
        if let Some(recorder) = self.watch.recorder() {
            recorder.enter(code(m), place.depth, fitted(turn, place.window))?;
        }
        let value = look(self);
        self.watch.tell(|recorder| {
            recorder.leave(value.as_ref().ok().map(|&value| recorded(relative(turn, value))));
        });
        value
    }

    /// The value of the child after `m` in its own view: from `leaf` where the node knows its leaves, else from `below`.
    #[inline(always)]
    fn child(
        &mut self,
        position: &Position<E>,
        leaves: Option<&Leaves<'_, E>>,
        m: Move,
        place: Place,
        leaf: impl FnOnce(&mut Self, &Leaves<'_, E>) -> Result<Value>,
        below: impl FnOnce(&mut Self, &Position<E>) -> Result<Value>,
    ) -> Result<Value> {
        self.watch.descend(m);
        let value = self.visit(Some(m), !position.turn(), place, |search| match leaves {
            Some(leaves) => leaf(search, leaves),
            None => below(search, &position.play(m, search.evaluator)),
        })?;
        self.watch.ascend();
        Ok(value)
    }

    /// The best child, until one is too good for the other side to allow: fail-soft above, the bound below.
    #[inline(always)]
    fn best_child(
        &mut self,
        position: &Position<E>,
        mut place: Place,
        moves: impl Iterator<Item = Move>,
        leaf: impl Fn(&mut Self, &Leaves<'_, E>, Move, Place) -> Result<Value>,
        below: impl Fn(&mut Self, &Position<E>, Place) -> Result<Value>,
    ) -> Result<Value> {
        let leaves = (place.depth == 1).then(|| Leaves::of(position));
        self.line.push(&position.node);
        self.observe_moves(position);
        for m in moves {
            let next = place.next();
            let value = -self.child(
                position,
                leaves.as_ref(),
                m,
                next,
                |search, leaves| leaf(search, leaves, m, next),
                |search, child| below(search, child, next),
            )?;
            if value >= place.window.beta {
                self.watch.mark(End::Cutoff);
                place.window.alpha = value;
                break;
            }
            place.window = place.window.raise_alpha(value);
        }
        self.line.pop();
        Ok(place.window.alpha)
    }

    /// The root moves with their values, the root's view, from `value_of` at this depth; the line ends with the root.
    #[inline(always)]
    fn root_moves(
        &mut self,
        root: &Position<E>,
        depth: i32,
        mut value_of: impl FnMut(&mut Self, Move, Place) -> Result<Value>,
    ) -> Result<Vec<(Move, Value)>> {
        let place = Place::whole(depth - 1, 1);
        let mut scores = Vec::new();
        self.visit(None, root.turn(), Place::whole(depth, 0), |search| {
            search.observe_moves(root);
            for m in root.node.legal_moves() {
                search.watch.descend(m);
                let value =
                    search.visit(Some(m), !root.turn(), place, |search| value_of(search, m, place))?;
                scores.push((m, -value));
                search.watch.ascend();
            }
            Ok(best_of(&scores).or_else(|| search.ended(root)).unwrap_or(0))
        })?;
        Ok(scores)
    }

    /// Tells the recorder how many moves a node has.
    #[inline(always)]
    fn observe_moves(&mut self, position: &Position<E>) {
        self.watch.tell(|recorder| recorder.has_moves(position.node.legal_moves().count()));
    }

    /// Tells the recorder the static score of a leaf, in the view of `turn`.
    #[inline(always)]
    fn observe_leaf(&mut self, turn: Color, value: Value) {
        self.watch.tell(|recorder| {
            recorder.scored(recorded(relative(turn, value)));
            recorder.ends(End::Leaf);
        });
    }

    /// Tells the recorder why the game is over after `m`, if it is. It has no static score then.
    #[cold]
    fn observe_ending_after(&mut self, leaves: &Leaves<'_, E>, m: Move) {
        if let Some(ending) = leaves.parent.node.play(m).ending(&self.line)
            && let Some(recorder) = self.watch.recorder()
        {
            recorder.scored(UNKNOWN);
            recorder.ends(ending.into());
        }
    }
}

/// The best of the root moves' values.
fn best_of(scores: &[(Move, Value)]) -> Option<Value> {
    scores.iter().map(|&(_, value)| value).max()
}

/// A window of `turn` as the columns have it.
fn fitted(turn: Color, window: Window) -> Window {
    let window = window.seen_by(turn);
    Window { alpha: recorded(window.alpha), beta: recorded(window.beta) }
}

impl Search<'_, '_, Incremental> {
    /// The engines that keep their evaluator by increments.
    fn incremental(mut self, root: Node) -> Result<Outcome> {
        let Question { engine, depth, analyse, .. } = self.question;
        let root = Position::new(root, self.evaluator);
        // The evaluator is started anew after each root move.
        if matches!(engine, Engine::IncrementalIterativeAlphaBetaCached | Engine::Quiescence) {
            return self.analyse(&root, 1, |search, m, place| {
                let child = root.node.play(m);
                search.evaluator = Incremental::start(child.board());
                search.counts.heuristic += 1;
                search.value(&Position::new(child, search.evaluator), place)
            });
        }
        self.counts.heuristic += 1;
        if analyse {
            return self
                .analyse(&root, 1, |search, m, place| search.value(&root.play(m, search.evaluator), place));
        }
        let (score, best_moves) = self.play(&root, depth)?;
        Ok(self.outcome(&root, score, Vec::new(), best_moves))
    }
}
