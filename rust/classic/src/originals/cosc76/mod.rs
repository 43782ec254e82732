//! The chess programs of a report for Dartmouth's COSC 76: minimax, alpha-beta, alpha-beta with a memory and a heap, and
//! two kinds of deepening that count root searches instead of seconds.
//!
//! **The quirk they all share.** A [`Player`] is told whether it maximises (White) or minimises (Black); the side to move is
//! never asked. It makes each root move and calls `max_value` on the *child* when it maximises, though it is the other
//! side's turn there. So depth d looks d+1 plies ahead, and the other side's first reply is chosen as if it wanted to help.
//!
//! Source: github.com/lostflux/artificial-intelligence, 03-ChessAI.

pub mod alpha_beta;
pub mod deepening;
pub mod enhanced;
pub mod evaluation;
pub mod heap;
pub mod memory;
pub mod root;

use shakmaty::{Color, Move};

use crate::Result;
use crate::observer::{End, Observer as _, Recorder, code};
use crate::originals::node::{Line, Node};
use betacut_core::limits::Limits;
use betacut_core::move_order::python_chess::LegalMoves;
use betacut_core::score::{self, Depth};
use betacut_core::window::Window;
use evaluation::{Evaluation, INFINITY, Leaves, Value, recorded};
use memory::{Memory, Scores};
use root::{Best, PlayedMoves};

pub use evaluation::Position;

betacut_core::named! {
    /// What a player searches by; the names are those of the functions in Python.
    #[allow(missing_docs)] // The names say it.
    pub enum Algorithm {
        Minimax = "minimax_ai",
        AlphaBeta = "alpha_beta_ai",
        Enhanced = "enhanced_alpha_beta_ai",
        IterativeDeepening = "iterative_deepening_ai",
        Better = "better_ai",
    }
}

/// What a player is told.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)]
pub struct Settings {
    /// What it searches by.
    pub algorithm: Algorithm,
    /// Whether it chooses for White.
    pub maximizing: bool,
    /// Plies below each root move; for the algorithms that deepen, one more than the last of them.
    pub depth: u32,
    /// How many of a node's moves are looked at, the root's included, by those that order moves.
    pub move_count: usize,
    /// Whether `EnhancedAlphaBetaAI` remembers boards.
    pub memoized: bool,
    /// Whether it remembers the scores that order moves.
    pub ids: bool,
    /// Root searches, but one, of the algorithms that deepen.
    pub timeout: u64,
    /// Whether `IterativeDeepeningAI` is that of the report, and not the repository's.
    pub report: bool,
}

/// How often each function was called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it.
pub struct Calls {
    pub minimax: u64,
    pub alpha_beta_search: u64,
    pub max_value: u64,
    pub min_value: u64,
    pub evaluate: u64,
    pub reorder_moves: u64,
}

impl Calls {
    /// Those of the function that lets White choose, or Black.
    fn of_value(&mut self, white: bool) -> &mut u64 {
        if white { &mut self.max_value } else { &mut self.min_value }
    }
}

/// A search of one root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootSearch {
    /// The move that was made.
    pub m: Move,
    /// The depth it was searched to, if that was the search's choice: by deepening.
    pub depth: Option<u32>,
    /// What it is worth: White's view.
    pub value: Value,
}

/// What a player chose, and how it got there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The best value, White's view: pawns, or plus or minus infinity.
    pub value: Value,
    /// The move; none if there is none, or none was good enough.
    pub m: Option<Move>,
    /// The root searches in order.
    pub root_searches: Vec<RootSearch>,
    /// What was called.
    pub calls: Calls,
    /// Cutoffs of this search.
    pub pruned: u64,
    /// Answers of the memory in this search.
    pub remembered: u64,
}

/// A player of one side of one game; what it keeps from move to move changes what it plays.
#[derive(Clone, Debug)]
pub struct Player {
    settings: Settings,
    played: PlayedMoves,
    memory: Option<Memory>,
    scores: Option<Scores>,
}

impl Player {
    /// A player that has not moved yet.
    pub fn new(settings: Settings) -> Player {
        let memory = settings.memoized.then(Memory::new);
        let scores = settings.ids.then(Scores::default);
        Player { settings, played: PlayedMoves::default(), memory, scores }
    }

    /// The side that it chooses for.
    pub fn side(&self) -> Color {
        Color::from_white(self.settings.maximizing)
    }

    /// The moves it has chosen, or, if it deepens, looked at last.
    pub fn played(&self) -> &PlayedMoves {
        &self.played
    }

    /// Takes away all that it remembers of boards; giving that back may take a while.
    pub fn take_memory(&mut self) -> Vec<Scores> {
        let memory = self.memory.take().map(Memory::into_scores);
        memory.into_iter().chain(self.scores.take()).filter(|scores| !scores.is_empty()).collect()
    }

    /// What it remembers of boards.
    pub fn memory(&self) -> Option<&Memory> {
        self.memory.as_ref()
    }

    /// Chooses a move at the end of `line`, for White or Black as it was told, whichever side is to move. Once stopped, the
    /// memory stays; the moves played do not change.
    ///
    /// In a record the choice among the root moves is a root; with deepening, each depth is one, and each re-check too. The
    /// recorder is made for the side that chooses at the root's children, as if it were the other one's turn: then a cut
    /// node is one that fails high for the side that chooses there.
    pub fn choose_move(
        &mut self,
        root: Node,
        line: Line,
        limits: Limits<'_>,
        observer: Option<&mut Recorder>,
    ) -> Result<Choice> {
        let root = Position::new(root);
        let settings = self.settings;
        let mut search = Search {
            settings,
            played: &mut self.played,
            line,
            limits,
            memory: self.memory.as_mut(),
            scores: self.scores.as_mut(),
            calls: Calls::default(),
            pruned: 0,
            remembered: 0,
            root_searches: Vec::new(),
            observer,
        };
        let Best { value, m, .. } = match settings.algorithm {
            Algorithm::Minimax => search.choose(&root, |search, child| search.minimax(child, settings.depth)),
            Algorithm::AlphaBeta => {
                search.choose(&root, |search, child| search.alpha_beta_search(child, settings.depth))
            }
            Algorithm::Enhanced => search.enhanced_alpha_beta_ai(&root),
            Algorithm::IterativeDeepening => search.iterative_deepening_ai(&root),
            Algorithm::Better => search.better_ai(&root),
        }?;
        let Search { root_searches, calls, pruned, remembered, .. } = search;
        Ok(Choice { value, m, root_searches, calls, pruned, remembered })
    }
}

/// One choice of a move.
struct Search<'a, 'l> {
    settings: Settings,
    played: &'a mut PlayedMoves,
    line: Line,
    limits: Limits<'l>,
    memory: Option<&'a mut Memory>,
    scores: Option<&'a mut Scores>,
    calls: Calls,
    pruned: u64,
    remembered: u64,
    root_searches: Vec<RootSearch>,
    observer: Option<&'a mut Recorder>,
}

/// The window of a root, and of everything that has none.
const NO_WINDOW: Window = Window { alpha: -INFINITY, beta: INFINITY };

impl Search<'_, '_> {
    /// Chooses among all root moves by the values of the children, as `search_child` finds them.
    #[inline(always)]
    fn choose(
        &mut self,
        root: &Position,
        search_child: impl Fn(&mut Self, &Position) -> Result<Value>,
    ) -> Result<Best> {
        let depth = self.settings.depth;
        let mut best = Best::new(self.settings.maximizing);
        self.visit_root(root, depth, &mut best, |search, best| {
            search.line.push(&root.node);
            for m in root.node.legal_moves() {
                let value =
                    search.visit(m, depth, NO_WINDOW, |search| search_child(search, &root.play(m)))?;
                search.searched(m, None, value);
                best.offer(m, value, search.played);
            }
            search.line.pop();
            Ok(())
        })?;
        self.played.add(best.m);
        Ok(best)
    }

    /// Counts a call of `max_value`, or of `min_value`, and returns what a finished game is worth.
    #[inline(always)]
    fn enter(
        &mut self,
        position: &Position,
        white: bool,
        moves: &mut LegalMoves<'_>,
    ) -> Result<Option<Value>> {
        *self.calls.of_value(white) += 1;
        self.limits.node()?;
        let Some(ending) = position.node.ending_knowing(&self.line, !moves.is_empty()) else {
            self.observe_inner(position);
            return Ok(None);
        };
        self.calls.evaluate += 1;
        self.observer.mark(ending.into());
        Ok(Some(evaluation::value_of_ending(ending, position.turn())))
    }

    /// Counts a search of a root move.
    fn searched(&mut self, m: Move, depth: Option<u32>, value: Value) {
        self.root_searches.push(RootSearch { m, depth, value });
    }

    /// What `evaluate` says about the end of `line`.
    fn evaluate(&mut self, position: &Position) -> Value {
        self.calls.evaluate += 1;
        let Evaluation { value, over } = evaluation::evaluate(position, &self.line);
        if self.observer.is_some() {
            self.observe_leaf(position, value, over);
        }
        value
    }

    /// The value of the leaf after `m`, as a call of the function that lets White choose, or Black.
    #[inline(always)]
    fn leaf(&mut self, leaves: &Leaves<'_>, m: Move, white: bool) -> Value {
        *self.calls.of_value(white) += 1;
        self.calls.evaluate += 1;
        let leaf = leaves.evaluate(m, &self.line);
        self.observe_leaf_after(leaves.parent, m, leaf);
        leaf.value
    }

    /// Looks at the node after `m` with this depth left, in this window.
    #[inline(always)]
    fn visit(
        &mut self,
        m: Move,
        depth: u32,
        window: Window,
        look: impl FnOnce(&mut Self) -> Result<Value>,
    ) -> Result<Value> {
        self.observe_entry(Some(m), depth, window)?;
        let value = look(self);
        self.observer.tell(|recorder| recorder.leave(value.ok().map(recorded)));
        value
    }

    /// Chooses among root moves that are searched to `depth` plies below them; `choose` leaves the choice so far in `best`.
    #[inline(always)]
    fn visit_root(
        &mut self,
        root: &Position,
        depth: u32,
        best: &mut Best,
        choose: impl FnOnce(&mut Self, &mut Best) -> Result<()>,
    ) -> Result<()> {
        self.observe_entry(None, depth.saturating_add(1), NO_WINDOW)?;
        self.observe_inner(root);
        if self.observer.is_some() && root.node.legal_moves().is_empty() {
            self.observe_leaf(root, evaluation::evaluate(root, &self.line).value, true);
        }
        let done = choose(self, best);
        self.observer.tell(|recorder| recorder.leave(done.is_ok().then_some(recorded(best.value))));
        done
    }

    #[inline(always)]
    fn observe_entry(&mut self, m: Option<Move>, depth: u32, Window { alpha, beta }: Window) -> Result<()> {
        let Some(recorder) = &mut self.observer else {
            return Ok(());
        };
        let open = |value: Value, end: Value| {
            if value == end.signum() * INFINITY { end } else { recorded(value) }
        };
        let window = Window { alpha: open(alpha, -score::INFINITY), beta: open(beta, score::INFINITY) };
        recorder.enter(code(m), depth as Depth, window)
    }

    /// Tells the recorder how many moves a node has, and its material.
    #[inline(always)]
    fn observe_inner(&mut self, position: &Position) {
        self.observer.tell(|recorder| {
            recorder.has_moves(position.node.legal_moves().count());
            recorder.scored(position.material);
        });
    }

    /// Tells the recorder that a node is a leaf, or the end of the game.
    #[cold]
    fn observe_leaf(&mut self, position: &Position, value: Value, over: bool) {
        let ending = over.then(|| position.node.ending(&self.line)).flatten();
        self.observer.tell(|recorder| {
            if ending.is_none() {
                recorder.scored(value);
            }
            recorder.ends(ending.map_or(End::Leaf, End::from));
        });
    }

    /// [`Search::observe_leaf`] of the child after `m`; the line ends with the parent.
    #[inline(always)]
    fn observe_leaf_after(&mut self, parent: &Position, m: Move, Evaluation { value, over }: Evaluation) {
        if self.observer.is_some() {
            self.observe_leaf(&parent.play(m), value, over);
        }
    }

    /// Takes the value of a child; whether it is too good for the other side to allow. Else it narrows the window.
    #[inline(always)]
    fn cuts(&mut self, white: bool, value: Value, best: &mut Value, window: &mut Window) -> bool {
        let cuts = if white {
            *best = (*best).max(value);
            *best >= window.beta
        } else {
            *best = (*best).min(value);
            *best <= window.alpha
        };
        if cuts {
            self.pruned += 1;
            self.observer.mark(End::Cutoff);
        } else if white {
            *window = window.raise_alpha(*best);
        } else {
            *window = window.lower_beta(*best);
        }
        cuts
    }
}
