//! One run of an algorithm: what the pages share.
//!
//! A [`Search`] holds the statistics, the memo and the keys of the line being searched, and is dropped with its result.
//! Every algorithm returns its value through `?`, so a stopped search unwinds at once.

use shakmaty::{Color, Move};

use super::frontier::{Announced, Frontier};
use super::lab::{Lab, Moves};
use super::side::{Black, Side, White};
use super::{Algorithm, Function, SearchError, SssMethod, profile::Work};
use crate::Result;
use crate::cache::Cache;
use crate::observer::{End, NO_MOVE, Recorder, Unobserved, code};
use crate::statistics::{Calls, Iteration, Statistics};
use betacut_core::limits::Limits;
use betacut_core::position::{Key, Position, PositionKey};
use betacut_core::rules::{CHESS_JL, Ending};
use betacut_core::score::{Depth, Score, view_of};
use betacut_core::window::Window;

/// The result of one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The value of the root: centipawns, White's view.
    pub score: Score,
    /// Every move that reaches the score, in canonical order. Empty if the game is over, or if the function finds
    /// a value only.
    pub best_moves: Vec<Move>,
    /// The line both sides are expected to play, as far as it is known.
    pub pv: Vec<Move>,
    /// The depth that was reached, in plies.
    pub depth: Depth,
    /// What was counted.
    pub statistics: Statistics,
}

/// Runs `algorithm` on `position` to `depth` plies.
///
/// `history` are the keys of the positions before the root, oldest first, back to the last capture or pawn move;
/// only memoised searches and quiescence look at them (the third occurrence of a position is a draw there).
/// `cache` is the memo to use and to leave behind; algorithms without one ignore it.
/// Errors: [`SearchError`] if the limits stop the search or the cache belongs to another family. What the cache
/// has learned until then stays valid.
///
/// ```
/// use betacut_classic::cache::Cache;
/// use betacut_core::limits::Limits;
/// use betacut_core::position::Position;
/// use betacut_classic::textbook::{self, Algorithm};
/// let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").unwrap();
/// let mut never = || false;
/// let result = textbook::search(
///     Algorithm::AlphaBetaPruning, &position, &[], 3, &mut Cache::default(), Limits::new(&mut never)).unwrap();
/// assert_eq!(result.score, 100_002); // mate with two plies to spare
/// assert_eq!(result.best_moves.len(), 1);
/// ```
pub fn search(
    algorithm: Algorithm,
    position: &Position,
    history: &[Key],
    depth: Depth,
    cache: &mut Cache,
    limits: Limits<'_>,
) -> Result<SearchResult, SearchError> {
    search_with(Unobserved, algorithm, position, history, depth, cache, limits)
}

macro_rules! dispatch {
    ($(
        $(#[$doc:meta])*
        $variant:ident $({ $($field:ident: $type:ty),+ })? = $name:literal,
            memo: $memo:expr, history: $history:expr, |$search:ident, $root:ident, $depth:ident| $run:expr;
    )+) => {
        impl<L: Lab> Search<'_, '_, L> {
            /// Runs an algorithm on a root with the side `S` to move.
            fn call<S: Side>(&mut self, algorithm: Algorithm, root: &Position, depth: Depth) -> Result<SearchResult> {
                match algorithm {
                    $( Algorithm::$variant { $($($field),+)? } => {
                        let ($search, $root, $depth) = (self, root, depth);
                        $run
                    } )+
                }
            }
        }
    };
}
catalogue!(dispatch);

/// [`search`] under the conditions of `lab`: with moves in another order, another evaluation, or a recorder.
/// Errors: those of [`search`], and what the instruments report.
pub fn search_with<L: Lab>(
    lab: L,
    algorithm: Algorithm,
    position: &Position,
    history: &[Key],
    depth: Depth,
    cache: &mut Cache,
    limits: Limits<'_>,
) -> Result<SearchResult, SearchError> {
    if let Some(family) = algorithm.family_at(position.turn()) {
        cache.claim(family, position.evaluation())?;
    }
    let mut root = position.clone();
    root.set_reversible(history.len() as u32);
    let mut search = Search {
        statistics: Statistics::default(),
        cache,
        limits,
        path: history.to_vec(),
        leaves: Vec::new(),
        captures: false,
        lab,
    };
    let result = if root.turn().is_white() {
        search.call::<White>(algorithm, &root, depth)?
    } else {
        search.call::<Black>(algorithm, &root, depth)?
    };
    Ok(result)
}

/// The third occurrence of a position lies at least this many plies after the first. (Eight by the rules of chess; a
/// game with null moves can come back after two.)
pub(super) const FIRST_THIRD_OCCURRENCE: u32 = 4;

/// One run of an algorithm.
pub(super) struct Search<'c, 'l, L> {
    pub(super) statistics: Statistics,
    pub(super) cache: &'c mut Cache,
    pub(super) limits: Limits<'l>,
    /// Keys of the game before the root and of the line down to the current node, without that.
    pub(super) path: Vec<Key>,
    /// Room for the leaves that are looked at together.
    pub(super) leaves: Vec<Announced>,
    /// Whether captures are played out at the leaves.
    pub(super) captures: bool,
    /// The conditions.
    pub(super) lab: L,
}

impl<L: Lab> Search<'_, '_, L> {
    /// Counts a call of `function` that expands a node, and stops here if the limits say so.
    #[inline]
    pub(super) fn enter(&mut self, function: Function) -> Result<()> {
        self.statistics.calls[function] += 1;
        let calls = &self.statistics.calls;
        self.limits.node_of(|| calls.nodes())
    }

    /// A node, the root or the one after `m`: `look` finds its value in `window`. The recorder is told.
    #[inline(always)]
    pub(super) fn visit(
        &mut self,
        m: Option<Move>,
        depth: Depth,
        window: Window,
        look: impl FnOnce(&mut Self) -> Result<Score>,
    ) -> Result<Score> {
        if L::BARE { look(self) } else { self.visit_as(Color::White, code(m), depth, window, look) }
    }

    /// [`Search::visit`] on a page whose values and windows are those of the side to move, `turn`. `m` is the code of the
    /// move.
    #[inline(always)]
    pub(super) fn visit_as(
        &mut self,
        turn: Color,
        m: u16,
        depth: Depth,
        window: Window,
        look: impl FnOnce(&mut Self) -> Result<Score>,
    ) -> Result<Score> {
        if L::BARE {
            return look(self);
        }
        self.lab.enter(m, depth, window.seen_by(turn))?;
        let value = look(self);
        let left = self.lab.leave(value.ok().map(|value| view_of(turn, value)));
        value.and_then(|value| left.map(|()| value))
    }

    /// The value of a finished game, which is a leaf, or none: then the children are put in order, to be looked at.
    #[inline(always)]
    pub(super) fn finished(&mut self, children: &mut Children<'_, L>, depth: Depth) -> Result<Option<Score>> {
        if !L::BARE {
            self.observe(children);
            if children.ending.is_none() {
                self.sort(children, depth)?;
            }
        }
        if children.ending.is_some() {
            self.statistics.leaves += 1;
        }
        Ok(children.ending)
    }

    /// How the game ends at a position whose moves are not wanted, if it does.
    #[inline(always)]
    pub(super) fn ending(&mut self, position: &Position) -> Option<Ending> {
        let start = self.lab.start();
        let ending = CHESS_JL.ending(position);
        self.lab.stop(Work::Ending, start);
        ending
    }

    /// Tells the recorder how many moves there are, the static score, or why the game is over.
    #[inline(always)]
    pub(super) fn observe(&mut self, children: &Children<'_, L>) {
        self.lab.tell(|recorder| recorder.has_moves(children.parent.legal_moves().count()));
        match children.ending.and_then(|_| CHESS_JL.ending(children.parent)) {
            Some(ending) => self.lab.mark(ending.into()),
            None => self.observe_score(children.parent),
        }
    }

    /// Tells the recorder the static score of a position in which the game is not over, if that needs no function of the caller.
    #[inline(always)]
    pub(super) fn observe_score(&mut self, position: &Position) {
        if let Some(score) = self.lab.known_score(position) {
            self.lab.tell(|recorder| recorder.scored(score));
        }
    }

    /// Puts the children into the order in which they are to be looked at.
    #[inline(always)]
    pub(super) fn sort(&mut self, children: &mut Children<'_, L>, depth: Depth) -> Result<()> {
        self.lab.sort(children.parent, depth, &mut children.moves)
    }

    /// `guess`, or else the static score of the root; White's view.
    pub(super) fn guess_or_score(&mut self, root: &Position, guess: Option<Score>) -> Result<Score> {
        match (guess, CHESS_JL.ending(root)) {
            (Some(guess), _) => Ok(guess),
            (None, Some(ending)) => Ok(ending.value(root.turn())),
            (None, None) => self.lab.score(root),
        }
    }

    /// Counts a cutoff of `position` by `m`, the first of the children or not.
    #[inline(always)]
    pub(super) fn cutoff(&mut self, position: &Position, m: Move, depth: Depth, first: bool) {
        self.statistics.cutoff(first);
        self.lab.cut_off(position, m, depth);
        self.lab.was_best(position, Some(m));
        self.lab.mark(End::Cutoff);
    }

    /// The value of the child after `m` in `window`, both for the side to move there: a call of `function` if it is a leaf,
    /// else what `look` finds.
    #[inline(always)]
    pub(super) fn child_as(
        &mut self,
        function: Function,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
        window: Window,
        look: impl FnOnce(&mut Self, &Position) -> Result<Score>,
    ) -> Result<Score> {
        let turn = !children.parent.turn();
        self.visit_as(turn, code(Some(m)), depth, window, |search| {
            if let Some(frontier) = &children.frontier {
                return Ok(view_of(turn, search.leaf_after(function, frontier, m)?));
            }
            let child = search.lab.play(children.parent, m);
            look(search, &child)
        })
    }

    /// Looks at the children of `position`: while `look` runs, the position is part of the path.
    #[inline]
    pub(super) fn below<T>(
        &mut self,
        position: &Position,
        look: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.path.push(position.key().whole);
        let found = look(self);
        self.path.pop();
        found
    }

    /// Whether a position with this key occurred twice among the positions up to `reversible` plies back.
    #[inline]
    pub(super) fn is_third_occurrence(&self, key: Key, reversible: u32) -> bool {
        reversible >= FIRST_THIRD_OCCURRENCE && self.occurrences(key, reversible) >= 2
    }

    /// How often a position with this key occurred among the positions up to `reversible` plies back.
    #[inline]
    pub(super) fn occurrences(&self, key: Key, reversible: u32) -> usize {
        // The same side is to move every second ply.
        self.path
            .iter()
            .rev()
            .take(reversible as usize)
            .skip(1)
            .step_by(2)
            .filter(|&&seen| seen == key)
            .count()
    }

    /// The value of the root alone, as `look` finds it in `window`.
    pub(super) fn value_only(
        &mut self,
        depth: Depth,
        window: Window,
        look: impl FnOnce(&mut Self) -> Result<Score>,
    ) -> Result<SearchResult> {
        let score = self.visit(None, depth, window, look)?;
        self.statistics.root_calls = self.statistics.calls;
        Ok(self.result(depth, score, Vec::new()))
    }

    /// The result without its line.
    pub(super) fn result(&self, depth: Depth, score: Score, best_moves: Vec<Move>) -> SearchResult {
        SearchResult { score, best_moves, pv: Vec::new(), depth, statistics: self.statistics.clone() }
    }

    /// Keeps a record of one depth, or of one look at the root, since there were so many calls.
    pub(super) fn iterated(&mut self, before: Calls, depth: Depth, score: Score, cache_size: usize) {
        let calls = self.statistics.calls.since(&before);
        self.statistics.iterations.push(Iteration { depth, score, cache_size, calls });
    }

    /// The root step that minimax and alpha-beta share: the value of the root, then each child again with the full
    /// window; every move whose value equals the root's is a best move.
    pub(super) fn all_best_moves(
        &mut self,
        root: &Position,
        depth: Depth,
        value: impl FnOnce(&mut Self) -> Result<Score>,
        child_value: impl Fn(&mut Self, &Children<'_, L>, Move) -> Result<Score>,
    ) -> Result<SearchResult> {
        let score = self.visit(None, depth, Window::FULL, value)?;
        self.best_moves(root, depth, score, child_value)
    }

    /// The second part of the root step, once the value is known: the moves that reach it; a finished game has none.
    #[inline(always)]
    pub(super) fn best_moves(
        &mut self,
        root: &Position,
        depth: Depth,
        score: Score,
        child_value: impl Fn(&mut Self, &Children<'_, L>, Move) -> Result<Score>,
    ) -> Result<SearchResult> {
        self.root_is_known();
        let mut best_moves = Vec::new();
        let mut children = self.children(root, depth);
        if children.ending.is_none() {
            self.below(root, |search| {
                while let Some(m) = children.next() {
                    if child_value(search, &children, m)? == score {
                        best_moves.push(m);
                    }
                }
                Ok(())
            })?;
        }
        self.statistics.cache_size = self.cache.len();
        Ok(self.result(depth, score, best_moves))
    }

    /// The root step of a page whose values are those of the side to move, and the line.
    pub(super) fn all_best_moves_as(
        &mut self,
        root: &Position,
        depth: Depth,
        value: impl FnOnce(&mut Self) -> Result<Score>,
        child_value: impl Fn(&mut Self, &Children<'_, L>, Move) -> Result<Score>,
    ) -> Result<SearchResult> {
        let value = self.visit_as(root.turn(), NO_MOVE, depth, Window::FULL, value)?;
        self.best_moves_as(root, depth, value, child_value)
    }

    /// The second part of it.
    #[inline(always)]
    pub(super) fn best_moves_as(
        &mut self,
        root: &Position,
        depth: Depth,
        value: Score,
        child_value: impl Fn(&mut Self, &Children<'_, L>, Move) -> Result<Score>,
    ) -> Result<SearchResult> {
        let turn = root.turn();
        let result = self.best_moves(root, depth, view_of(turn, value), |search, children, m| {
            Ok(view_of(!turn, child_value(search, children, m)?))
        })?;
        self.with_exact_line(root, result)
    }

    /// Keeps the counts of the search for the value.
    #[inline(always)]
    pub(super) fn root_is_known(&mut self) {
        self.statistics.root_calls = self.statistics.calls;
        self.statistics.root_cache_size = self.cache.len();
        self.lab.second_step();
    }

    /// The root step of a search that knows of one best move only, which `value` leaves in its argument. The value is that
    /// of the side to move.
    pub(super) fn one_best_move(
        &mut self,
        root: &Position,
        depth: Depth,
        value: impl FnOnce(&mut Self, &mut Option<Move>) -> Result<Score>,
    ) -> Result<SearchResult> {
        let (turn, mut best) = (root.turn(), None);
        let value = self.visit_as(turn, NO_MOVE, depth, Window::FULL, |search| value(search, &mut best))?;
        self.root_is_known();
        let result = self.result(depth, view_of(turn, value), best.into_iter().collect());
        self.with_exact_line(root, result)
    }

    /// Adds the principal variation of an exact value: at each ply the first move in canonical order whose exact value
    /// equals the node's. Found by null windows around the value; nothing of it is counted.
    pub(super) fn with_exact_line(&mut self, root: &Position, result: SearchResult) -> Result<SearchResult> {
        let Some(&first) = result.best_moves.first() else {
            return Ok(result);
        };
        self.lab.tell(Recorder::pause);
        let mut line = vec![first];
        let mut position = root.play(first);
        let window = Window::around(result.score);
        for depth in (1..result.depth).rev() {
            let mut children = self.children(&position, depth);
            let mut next = None;
            if children.ending.is_none() {
                while let Some(m) = children.next() {
                    if self.alpha_beta_child(&children, m, depth - 1, window)? == result.score {
                        next = Some(m);
                        break;
                    }
                }
            }
            drop(children);
            let Some(m) = next else {
                break;
            };
            line.push(m);
            position = position.play(m);
        }
        Ok(SearchResult { pv: line, ..result })
    }

    /// The principal variation as far as the memo knows it: at each ply the first child in canonical order whose
    /// exact value is stored and equals the root's. `known` says which stored value, if any, counts for a child; with
    /// `repetition` a child that occurs for the third time counts as unknown.
    pub(super) fn remembered_line(
        &self,
        root: &Position,
        result: &SearchResult,
        repetition: bool,
        known: impl Fn(&Cache, Node, Depth) -> Option<Score>,
    ) -> Vec<Move> {
        let Some(&first) = result.best_moves.first() else {
            return Vec::new();
        };
        let mut line = vec![first];
        let mut path = vec![root.key().whole];
        let mut position = root.play(first);
        for depth in (0..result.depth - 1).rev() {
            let mut children = Children::<L>::new(&position, depth + 1);
            if children.ending.is_some() {
                break;
            }
            path.push(position.key().whole);
            let next = children.moves.find(|&m| {
                let node = Node::after(&position, m);
                let earlier = self.path.iter().chain(&path).filter(|&&seen| seen == node.key.whole).count();
                (!repetition || earlier < 2) && known(self.cache, node, depth) == Some(result.score)
            });
            drop(children);
            let Some(m) = next else {
                break;
            };
            line.push(m);
            position = position.play(m);
        }
        line
    }
}

/// The children of a node: its legal moves in canonical order, or why there are none to look at.
pub(super) struct Children<'a, L: Lab> {
    pub(super) parent: &'a Position<'a>,
    pub(super) moves: L::Moves<'a>,
    /// How many of the moves have been tried.
    pub(super) looked_at: u32,
    /// The terminal value, if the game is over at the parent.
    pub(super) ending: Option<Score>,
    /// Set at depth 1, where the children are leaves.
    pub(super) frontier: Option<Frontier<'a>>,
}

impl<'a, L: Lab> Children<'a, L> {
    // Inlined so that the move list is built in place.
    #[inline(always)]
    pub(super) fn new(parent: &'a Position<'a>, depth: Depth) -> Children<'a, L> {
        let moves = L::canonical(parent);
        let mut children: Children<'a, L> =
            Children { parent, moves, looked_at: 0, ending: None, frontier: None };
        let ending = if children.moves.none_left() {
            Some(if children.moves.is_check() { Ending::Checkmate } else { Ending::Stalemate })
        } else {
            CHESS_JL.draw(parent)
        };
        children.ending = ending.map(|ending| ending.value(parent.turn()));
        if depth == 1 && children.ending.is_none() {
            children.frontier = Some(Frontier::new(parent));
        }
        children
    }

    /// Whether the child taken last is the first.
    #[inline]
    pub(super) fn at_first(&self) -> bool {
        self.looked_at == 1
    }
}

impl<L: Lab> Iterator for Children<'_, L> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.looked_at += 1;
        self.moves.next()
    }
}

/// A node as the memo sees it.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) key: PositionKey,
    pub(super) score: Score,
    pub(super) halfmove_clock: u32,
    pub(super) reversible: u32,
}

impl Node {
    /// A position that has been made.
    pub(super) fn of(position: &Position) -> Node {
        Node {
            key: position.key(),
            score: position.score(),
            halfmove_clock: position.halfmove_clock(),
            reversible: position.reversible_plies(),
        }
    }

    /// The position after `m`, which need not be made for this.
    #[inline]
    pub(super) fn after(parent: &Position, m: Move) -> Node {
        Node {
            key: parent.key_after(m),
            score: parent.score_after(m),
            halfmove_clock: parent.halfmove_clock_after(m),
            reversible: parent.reversible_after(m),
        }
    }
}
