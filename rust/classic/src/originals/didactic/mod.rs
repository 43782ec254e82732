//! The engines of "Chess Engine - a didactic introduction": from minimax to a principal variation search with quiescence,
//! each the one before with something added.
//!
//! | page | what it adds |
//! |---|---|
//! | [`evaluation`], [`score`] | the evaluators; scores in python-chess's order |
//! | [`minimax`] | `MiniMaxEngine` |
//! | [`alpha_beta`] | `AlphaBetaEngine`, in White's view and as negamax |
//! | [`iterative`], with [`cache`] | `IterativeAlphaBeta`, `IterativeAlphaBetaCached`, `IncrementalIterativeAlphaBetaCached` |
//! | [`quiescence`], with [`see`] | `QuiescenceEngine` |
//! | [`prototype_v1`] | `PrototypeV1Engine`: mates count plies; the move is looked up in the memory |
//! | [`move_ordering`] | `MoveOrderingEngine`: children by what the memory says |
//! | [`quiescence_move_ordering`] | captures by MVV-LVA, and three ways to leave out the bad ones |
//! | [`principal_variation_search`] | `PrincipalVariationSearch` |
//! | [`prototype_v2`] | `PrototypeV2Engine`: a tablebase |
//! | [`tree`] | the tree of a search, counted as the original counts it |
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

use crate::observer::{End, UNKNOWN};
use crate::originals::node::{Line, Node};
use crate::originals::record::{code, for_white, mark};
use crate::originals::tablebase::Tablebase;
use betacut_core::limits::{Limits, Stopped};
use betacut_core::window::Window;
use cache::{Cache, Types};
use evaluation::{Evaluator, Incremental, Leaves, Position, Simplified, Standard, of_ending, relative};
use score::{HIGHEST, LOWEST, Value, recorded};
use see::Exchange;
use tree::Watch;

/// Which captures that take less than they risk are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadCapture {
    /// Those on an attacked square.
    Defended,
    /// Those that lose the exchange, played out on the board.
    Exchange,
    /// Those that lose the exchange, without moves.
    OptimizedExchange,
}

/// Which heuristic the engines use that can be given one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// [`Standard`].
    Standard,
    /// [`Simplified`].
    Simplified,
}

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// `MiniMaxEngine`.
    MiniMax(Heuristic),
    /// The first `AlphaBetaEngine`, with White's view.
    AlphaBetaWhite(Heuristic),
    /// The second, as negamax.
    AlphaBeta(Heuristic),
    /// `IterativeAlphaBeta`.
    IterativeAlphaBeta(Heuristic),
    /// `IterativeAlphaBetaCached`.
    IterativeAlphaBetaCached(Heuristic),
    /// `IncrementalIterativeAlphaBetaCached`.
    IncrementalIterativeAlphaBetaCached,
    /// `QuiescenceEngine`.
    Quiescence,
    /// `PrototypeV1Engine`.
    PrototypeV1,
    /// `MoveOrderingEngine`.
    MoveOrdering,
    /// `QuiescenceMoveOrderingEngine` and, with optimized exchanges, `OptimizedQuiescenceMoveOrderingEngine`.
    QuiescenceMoveOrdering(BadCapture),
    /// `PrincipalVariationSearch`.
    PrincipalVariationSearch(BadCapture),
    /// `PrototypeV2Engine`.
    PrototypeV2(BadCapture),
}

/// How an engine is asked for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Each root move has its own value. The engines before the first prototype play by it too.
    Analyse,
    /// The root is searched; the engines before the first prototype analyse.
    Play,
}

/// What is asked of which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The engine.
    pub engine: Engine,
    /// How it is asked.
    pub mode: Mode,
    /// The last depth, in plies from the root.
    pub depth: i32,
}

/// How often each function was called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Of `_value`, answers of the memory included.
    pub value: u64,
    /// Of `evaluate`.
    pub evaluate: u64,
    /// Of `heuristic`.
    pub heuristic: u64,
    /// Of `_quiescence`.
    pub quiescence: u64,
    /// Of `_zero_width_search`.
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

/// The order of the captures in a quiescence search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Captures {
    InOrder,
    Sorted(BadCapture),
}

/// What the engines that keep their evaluator by increments differ in.
#[derive(Clone, Copy, Debug)]
struct Style {
    value: ValueFunction,
    captures: Captures,
    /// Whether a mate is the worse the further it is from the root.
    mates_count_plies: bool,
    /// Whether a capture may be worth a mate.
    mates_in_quiescence: bool,
}

impl Style {
    fn of(engine: Engine) -> Style {
        use ValueFunction::{Cached, Ordered, PrincipalVariation, Quiescence};
        let (value, captures, mates_count_plies) = match engine {
            Engine::Quiescence => (Quiescence, Captures::InOrder, false),
            Engine::PrototypeV1 => (Quiescence, Captures::InOrder, true),
            Engine::MoveOrdering => (Ordered, Captures::InOrder, false),
            Engine::QuiescenceMoveOrdering(bad) => (Ordered, Captures::Sorted(bad), false),
            Engine::PrincipalVariationSearch(bad) | Engine::PrototypeV2(bad) => {
                (PrincipalVariation, Captures::Sorted(bad), true)
            }
            _ => (Cached, Captures::InOrder, false),
        };
        let mates_in_quiescence = matches!(engine, Engine::PrototypeV2(_));
        Style { value, captures, mates_count_plies, mates_in_quiescence }
    }
}

/// A search of one position.
struct Search<'a, 'l, E: Evaluator, W: Watch> {
    evaluator: E,
    style: Style,
    line: Line,
    limits: &'a mut Limits<'l>,
    tablebase: Option<&'a mut dyn Tablebase>,
    cache: &'a mut Cache,
    counts: Counts,
    watch: &'a mut W,
}

/// Searches the position at the end of `line`; `cache` is empty at first, `watch` is told about the tree, and `tablebase`
/// is asked by the second prototype. A [`crate::observer::Recorder`] that watches has a root for each depth: where the root
/// moves are analysed that is no call of `_value`. `_quiescence` of a position is a node below its `_value`.
/// Errors: [`SearchError`] if the limits stop the search or the original crashes.
pub fn search<'a, W: Watch>(
    question: Question,
    root: Node,
    line: Line,
    tablebase: Option<&'a mut dyn Tablebase>,
    cache: &'a mut Cache,
    watch: &'a mut W,
    limits: &'a mut Limits<'_>,
) -> Result<Outcome, SearchError> {
    let engine = question.engine;
    match engine {
        Engine::MiniMax(heuristic)
        | Engine::AlphaBetaWhite(heuristic)
        | Engine::AlphaBeta(heuristic)
        | Engine::IterativeAlphaBeta(heuristic)
        | Engine::IterativeAlphaBetaCached(heuristic) => match heuristic {
            Heuristic::Standard => {
                Search::new(engine, Standard, line, None, cache, watch, limits).with_heuristic(question, root)
            }
            Heuristic::Simplified => Search::new(engine, Simplified, line, None, cache, watch, limits)
                .with_heuristic(question, root),
        },
        _ => {
            let evaluator = Incremental::start(root.board());
            Search::new(engine, evaluator, line, tablebase, cache, watch, limits).incremental(question, root)
        }
    }
}

impl<'a, 'l, E: Evaluator, W: Watch> Search<'a, 'l, E, W> {
    fn new(
        engine: Engine,
        evaluator: E,
        line: Line,
        tablebase: Option<&'a mut dyn Tablebase>,
        cache: &'a mut Cache,
        watch: &'a mut W,
        limits: &'a mut Limits<'l>,
    ) -> Self {
        Search {
            evaluator,
            style: Style::of(engine),
            line,
            limits,
            tablebase,
            cache,
            counts: Counts::default(),
            watch,
        }
    }

    /// The engines that take a heuristic: every root move has its value in the whole window.
    fn with_heuristic(mut self, question: Question, root: Node) -> Result<Outcome, SearchError> {
        let Question { engine, depth, .. } = question;
        let root = Position::new(root, self.evaluator);
        let deepens = matches!(engine, Engine::IterativeAlphaBeta(_) | Engine::IterativeAlphaBetaCached(_));
        let first = if deepens { 1 } else { depth };
        let turn = root.turn();
        let mut scores = Vec::new();
        self.line.push(&root.node);
        for depth in first..=depth {
            scores = self.root_moves(&root, depth, |search, m| {
                let child = root.play(m, search.evaluator);
                search.visit(Some(m), depth - 1, !turn, WHOLE, |search| match engine {
                    Engine::MiniMax(_) => Ok(relative(!turn, search.minimax(&child, depth - 1, 1)?)),
                    Engine::AlphaBetaWhite(_) => {
                        let value = search.alpha_beta_white(&child, depth - 1, LOWEST, HIGHEST)?;
                        Ok(relative(!turn, value))
                    }
                    Engine::IterativeAlphaBetaCached(_) => {
                        search.cached_alpha_beta(&child, depth - 1, LOWEST, HIGHEST)
                    }
                    _ => search.alpha_beta(&child, depth - 1, LOWEST, HIGHEST),
                })
            })?;
        }
        self.line.pop();
        let remembers = matches!(engine, Engine::IterativeAlphaBetaCached(_));
        Ok(self.analysed(&root, scores, remembers))
    }

    /// The outcome of an analysis, from the values in the root's view.
    fn analysed(mut self, root: &Position<E>, scores: Vec<(Move, Value)>, remembers: bool) -> Outcome {
        let best = best_of(&scores);
        let best_moves = scores.iter().filter(|&&(_, value)| Some(value) == best).map(|&(m, _)| m).collect();
        let turn = root.turn();
        Outcome {
            score: relative(turn, best.or_else(|| self.ended(root)).unwrap_or(0)),
            scores: scores.into_iter().map(|(m, value)| (m, relative(turn, value))).collect(),
            best_moves,
            counts: self.counts,
            cache: remembers.then(|| self.cache.types()),
        }
    }

    /// What `evaluate` says of a finished game, the view of the side to move; not counted.
    #[inline]
    fn ended(&mut self, position: &Position<E>) -> Option<Value> {
        if W::OBSERVED
            && let Some(ending) = position.node.ending(&self.line)
        {
            mark(self.watch, ending.into());
        }
        position.node.ending(&self.line).map(of_ending)
    }

    /// `heuristic`, the view of the side to move.
    #[inline]
    fn heuristic(&mut self, position: &Position<E>) -> Value {
        self.counts.heuristic += u64::from(E::AT_LEAVES);
        if W::OBSERVED {
            self.observe_leaf(position.turn(), position.heuristic(self.evaluator));
        }
        position.heuristic(self.evaluator)
    }

    /// The value of a child at depth 0, called `times` times: the view of the side to move there.
    #[inline(always)]
    fn leaf(&mut self, leaves: &Leaves<'_, E>, m: Move, times: u64) -> Result<Value, SearchError> {
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
        if W::OBSERVED {
            self.observe_leaf(!leaves.parent.turn(), leaves.heuristic(m, self.evaluator));
            self.observe_ending_after(leaves, m);
        }
        leaves.ended(m, &self.line).unwrap_or_else(|| {
            self.counts.heuristic += if E::AT_LEAVES { times } else { 0 };
            leaves.heuristic(m, self.evaluator)
        })
    }

    /// Looks at the node after `m`, or at the root or the quiescence of the same position, with this depth left; the
    /// window and the value are in the view of `turn`, whose move it is there.
    #[inline(always)]
    fn visit(
        &mut self,
        m: Option<Move>,
        depth: i32,
        turn: Color,
        window: AlphaBeta,
        look: impl FnOnce(&mut Self) -> Result<Value, SearchError>,
    ) -> Result<Value, SearchError> {
        if !W::OBSERVED {
            return look(self);
        }
        if let Some(recorder) = self.watch.recorder() {
            recorder.enter(code(m), depth, fitted(turn, window))?;
        }
        let value = look(self);
        let seen = value.as_ref().ok().map(|&value| recorded(relative(turn, value)));
        if let Some(recorder) = self.watch.recorder() {
            recorder.leave(seen);
        }
        value
    }

    /// The value of the child after `m`, with this depth left, in its own view: from `leaf` where the node knows its
    /// leaves, else from `below`. The line ends with the node.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn child(
        &mut self,
        position: &Position<E>,
        leaves: Option<&Leaves<'_, E>>,
        m: Move,
        depth: i32,
        window: AlphaBeta,
        leaf: impl FnOnce(&mut Self, &Leaves<'_, E>) -> Result<Value, SearchError>,
        below: impl FnOnce(&mut Self, &Position<E>) -> Result<Value, SearchError>,
    ) -> Result<Value, SearchError> {
        self.watch.descend(m);
        let value = self.visit(Some(m), depth, !position.turn(), window, |search| match leaves {
            Some(leaves) => leaf(search, leaves),
            None => below(search, &position.play(m, search.evaluator)),
        })?;
        self.watch.ascend();
        Ok(value)
    }

    /// The best of the children after `moves`, until one is too good for the other side to allow: fail-soft above, the
    /// bound below.
    #[inline(always)]
    fn best_child(
        &mut self,
        position: &Position<E>,
        depth: i32,
        (mut alpha, beta): AlphaBeta,
        moves: impl Iterator<Item = Move>,
        leaf: impl Fn(&mut Self, &Leaves<'_, E>, Move, AlphaBeta) -> Result<Value, SearchError>,
        below: impl Fn(&mut Self, &Position<E>, AlphaBeta) -> Result<Value, SearchError>,
    ) -> Result<Value, SearchError> {
        let leaves = (depth == 1).then(|| Leaves::of(position));
        self.line.push(&position.node);
        self.observe_moves(position);
        for m in moves {
            let window = (-beta, -alpha);
            let value = -self.child(
                position,
                leaves.as_ref(),
                m,
                depth - 1,
                window,
                |search, leaves| leaf(search, leaves, m, window),
                |search, child| below(search, child, window),
            )?;
            if value >= beta {
                self.ends(End::Cutoff);
                alpha = value;
                break;
            }
            alpha = alpha.max(value);
        }
        self.line.pop();
        Ok(alpha)
    }

    /// The root moves with their values, the root's view, from `value_of` at this depth; the line ends with the root.
    #[inline(always)]
    fn root_moves(
        &mut self,
        root: &Position<E>,
        depth: i32,
        mut value_of: impl FnMut(&mut Self, Move) -> Result<Value, SearchError>,
    ) -> Result<Vec<(Move, Value)>, SearchError> {
        let mut scores = Vec::new();
        self.visit_root(root, depth, |search| {
            for m in root.node.legal_moves() {
                search.watch.descend(m);
                scores.push((m, -value_of(search, m)?));
                search.watch.ascend();
            }
            Ok(best_of(&scores))
        })?;
        Ok(scores)
    }

    /// Analyses the root moves to this depth; `look` returns the value of the best, if there is any.
    #[inline(always)]
    fn visit_root(
        &mut self,
        root: &Position<E>,
        depth: i32,
        look: impl FnOnce(&mut Self) -> Result<Option<Value>, SearchError>,
    ) -> Result<(), SearchError> {
        if !W::OBSERVED {
            look(self)?;
            return Ok(());
        }
        self.visit(None, depth, root.turn(), WHOLE, |search| {
            search.observe_moves(root);
            let best = look(search)?;
            Ok(best.or_else(|| search.ended(root)).unwrap_or(0))
        })?;
        Ok(())
    }

    /// Tells whoever records how many moves a node has.
    #[inline(always)]
    fn observe_moves(&mut self, position: &Position<E>) {
        if let Some(recorder) = self.watch.recorder() {
            recorder.has_moves(position.node.legal_moves().count());
        }
    }

    /// Tells whoever records the static score of a leaf, in the view of `turn`.
    #[inline(always)]
    fn observe_leaf(&mut self, turn: Color, value: Value) {
        if let Some(recorder) = self.watch.recorder() {
            recorder.scored(recorded(relative(turn, value)));
            recorder.ends(End::Leaf);
        }
    }

    /// Tells whoever records why the game is over after `m`, if it is. It has no static score then.
    #[cold]
    fn observe_ending_after(&mut self, leaves: &Leaves<'_, E>, m: Move) {
        if let Some(ending) = leaves.parent.node.play(m).ending(&self.line)
            && let Some(recorder) = self.watch.recorder()
        {
            recorder.scored(UNKNOWN);
            recorder.ends(ending.into());
        }
    }

    /// Tells whoever records why the node ends.
    #[inline(always)]
    fn ends(&mut self, end: End) {
        mark(self.watch, end);
    }

    /// Tells whoever records what is left of the window, in the view of `turn`.
    #[inline(always)]
    fn narrowed(&mut self, turn: Color, window: (Value, Value)) {
        if let Some(recorder) = self.watch.recorder() {
            recorder.narrowed(fitted(turn, window));
        }
    }
}

/// A window: alpha and beta.
type AlphaBeta = (Value, Value);

/// The window that contains every score.
const WHOLE: AlphaBeta = (LOWEST, HIGHEST);

/// The best of the root moves' values.
fn best_of(scores: &[(Move, Value)]) -> Option<Value> {
    scores.iter().map(|&(_, value)| value).max()
}

/// A window of `turn` as the columns have it.
fn fitted(turn: Color, (alpha, beta): AlphaBeta) -> Window {
    let window = for_white(turn, Window { alpha, beta });
    Window { alpha: recorded(window.alpha), beta: recorded(window.beta) }
}

impl<W: Watch> Search<'_, '_, Incremental, W> {
    /// The engines that keep their evaluator by increments.
    fn incremental(mut self, question: Question, root: Node) -> Result<Outcome, SearchError> {
        let Question { engine, mode, depth } = question;
        let root = Position::new(root, self.evaluator);
        match engine {
            Engine::IncrementalIterativeAlphaBetaCached | Engine::Quiescence => {
                let scores = self.analyse_started_anew(&root, depth)?;
                return Ok(self.analysed(&root, scores, true));
            }
            _ => self.counts.heuristic += 1,
        }
        if mode == Mode::Analyse {
            let scores = self.analyse_incremental(&root, depth)?;
            return Ok(self.analysed(&root, scores, true));
        }
        let (score, best_moves) = match engine {
            Engine::PrototypeV2(_) => self.find_best_moves(&root, depth)?,
            _ => self.play(&root, depth)?,
        };
        Ok(Outcome {
            score: relative(root.turn(), score),
            scores: Vec::new(),
            best_moves,
            counts: self.counts,
            cache: Some(self.cache.types()),
        })
    }

    /// Depth after depth, with the evaluator started anew after each root move.
    fn analyse_started_anew(
        &mut self,
        root: &Position<Incremental>,
        max_depth: i32,
    ) -> Result<Vec<(Move, Value)>, SearchError> {
        let mut scores = Vec::new();
        self.line.push(&root.node);
        for depth in 1..=max_depth {
            scores = self.root_moves(root, depth, |search, m| {
                let child = root.node.play(m);
                search.evaluator = Incremental::start(child.board());
                search.counts.heuristic += 1;
                let child = Position::new(child, search.evaluator);
                search.visit(Some(m), depth - 1, child.turn(), WHOLE, |search| {
                    search.value(&child, depth - 1, 1, LOWEST, HIGHEST)
                })
            })?;
        }
        self.line.pop();
        Ok(scores)
    }
}
