//! Alpha-beta: minimax that skips what cannot matter.
//!
//! **Contract.** Asked about a window `(alpha, beta)`, [`Search::alpha_beta_max`] chooses for White and returns `r`
//! with, for the minimax value `v`:
//!
//! * `alpha < v < beta`: `r = v`;
//! * `v <= alpha`: `r = alpha` (it fails low, fail-hard);
//! * `v >= beta`: `beta <= r <= v` (a cutoff: the value of the child that caused it, fail-soft).
//!
//! [`Search::alpha_beta_min`] is its mirror image. Terminal values and depth 0 are minimax's
//! ([`super::minimax`]), and the value of a finished game is returned as it is, even outside the window.
//!
//! **Memo.** In [`Search::alpha_beta_pruning`] every call, the root's included, goes through
//! [`Search::evaluate`], which keeps for each position the last result and what it proves: `=`, `<=` or `>=`. With the
//! original's rule a deeper entry answers a shallower question, so its value can differ from minimax's (in 2 to 8 per
//! cent of positions at depths 5 and 6); with the exact rule ([`crate::cache`]) it never does.
//!
//! **Cost.** In the best case the square root of the number of minimax's leaves; the canonical order, which ignores
//! what moves are worth, reaches about the power 0.8.
//!
//! Source: D. Knuth and R. Moore, "An Analysis of Alpha-Beta Pruning" (1975); the original Julia program's
//! `alphaBetaMax`, `alphaBetaMin`, `evaluate`, `store_cache`; chessprogramming.org "Alpha-Beta".

use shakmaty::Move;

use super::frontier::{Frontier, Leaves};
use super::lab::{Lab, mark};
use super::search::{Children, FIRST_THIRD_OCCURRENCE, Search};
use super::{Function, SearchResult};
use crate::cache::{Entry, Leaf};
use crate::observer::End;
use crate::statistics::LeafCounts;
use betacut_core::limits::Stopped;
use betacut_core::move_order::chess_jl::LegalMoves;
use betacut_core::position::{Position, PositionKey};
use betacut_core::rules::CHESS_JL;
use betacut_core::score::{Depth, Score};
use betacut_core::window::Window;

impl<L: Lab> Search<'_, '_, L> {
    /// Alpha-beta without a memo: the value and every best move.
    pub(super) fn alpha_beta_pruning_no_memo(
        &mut self,
        root: &Position,
        depth: Depth,
        captures: bool,
    ) -> Result<SearchResult, Stopped> {
        self.captures = captures;
        let mut result = self.all_best_moves(
            root,
            depth,
            |search| search.alpha_beta::<false>(root, depth, Window::FULL),
            |search, children, m| search.alpha_beta_child::<false>(children, m, depth - 1, Window::FULL),
        )?;
        result.pv = self.exact_line(root, &result)?;
        Ok(result)
    }

    /// Alpha-beta with a memo: the value and every best move.
    pub(super) fn alpha_beta_pruning(
        &mut self,
        root: &Position,
        depth: Depth,
    ) -> Result<SearchResult, Stopped> {
        let mut result = self.all_best_moves(
            root,
            depth,
            |search| {
                let node = Node::of(root);
                search.evaluate(node, depth, Window::FULL, |search, window| {
                    search.alpha_beta::<true>(root, depth, window)
                })
            },
            |search, children, m| search.alpha_beta_child::<true>(children, m, depth - 1, Window::FULL),
        )?;
        result.pv =
            self.remembered_line(root, &result, !self.cache.is_exact(), |cache, key, score, clock, depth| {
                let entry = cache.lookup(cache.key(key, clock, depth), score)?;
                entry.exact().filter(|_| cache.answers(entry, depth))
            });
        Ok(result)
    }

    /// The function of the pair that chooses for the side to move.
    fn alpha_beta<const MEMO: bool>(
        &mut self,
        position: &Position,
        depth: Depth,
        window: Window,
    ) -> Result<Score, Stopped> {
        if position.turn().is_white() {
            self.alpha_beta_max::<MEMO>(position, depth, window)
        } else {
            self.alpha_beta_min::<MEMO>(position, depth, window)
        }
    }

    /// The value of `position` in `window` with White to choose.
    pub(super) fn alpha_beta_max<const MEMO: bool>(
        &mut self,
        position: &Position,
        depth: Depth,
        mut window: Window,
    ) -> Result<Score, Stopped> {
        // 1. Count the call.
        self.enter(Function::AlphaBetaMax)?;
        if !MEMO && depth == 0 {
            return self.quiet_leaf_of_alpha_beta(position, window);
        }
        if L::BARE && MEMO && depth == 1 {
            return self.alpha_beta_leaves::<true>(position, window);
        }
        // 2. A finished game: its value, and sooner is better.
        let mut children = self.children(position, depth);
        self.prepare(&mut children, depth)?;
        if let Some(value) = children.ending {
            self.statistics.leaves += 1;
            return Ok(value - depth);
        }
        // 3. Each child raises alpha, or refutes Black's way into this position.
        let mut best = None;
        self.below(position, |search| {
            while let Some(m) = children.next() {
                let value = search.alpha_beta_min_child::<MEMO>(&children, m, depth - 1, window)?;
                if value >= window.beta {
                    search.cutoff(position, m, depth, children.at_first());
                    return Ok(value); // beta cutoff
                }
                best = if value > window.alpha { Some(m) } else { best };
                window = window.raise_alpha(value);
            }
            search.lab.was_best(position, best);
            Ok(window.alpha)
        })
    }

    /// The value of `position` in `window` with Black to choose.
    pub(super) fn alpha_beta_min<const MEMO: bool>(
        &mut self,
        position: &Position,
        depth: Depth,
        mut window: Window,
    ) -> Result<Score, Stopped> {
        // 1. Count the call.
        self.enter(Function::AlphaBetaMin)?;
        if !MEMO && depth == 0 {
            return self.quiet_leaf_of_alpha_beta(position, window);
        }
        if L::BARE && MEMO && depth == 1 {
            return self.alpha_beta_leaves::<false>(position, window);
        }
        // 2. A finished game: its value, and sooner is better.
        let mut children = self.children(position, depth);
        self.prepare(&mut children, depth)?;
        if let Some(value) = children.ending {
            self.statistics.leaves += 1;
            return Ok(value + depth);
        }
        // 3. Each child lowers beta, or refutes White's way into this position.
        let mut best = None;
        self.below(position, |search| {
            while let Some(m) = children.next() {
                let value = search.alpha_beta_max_child::<MEMO>(&children, m, depth - 1, window)?;
                if value <= window.alpha {
                    search.cutoff(position, m, depth, children.at_first());
                    return Ok(value); // alpha cutoff
                }
                best = if value < window.beta { Some(m) } else { best };
                window = window.lower_beta(value);
            }
            search.lab.was_best(position, best);
            Ok(window.beta)
        })
    }

    /// The value of the child after `m`, for whoever is to move there.
    pub(super) fn alpha_beta_child<const MEMO: bool>(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
        window: Window,
    ) -> Result<Score, Stopped> {
        if children.parent.turn().is_white() {
            self.alpha_beta_min_child::<MEMO>(children, m, depth, window)
        } else {
            self.alpha_beta_max_child::<MEMO>(children, m, depth, window)
        }
    }

    /// The value of the child after `m` with White to choose, through the memo if there is one.
    #[inline]
    fn alpha_beta_max_child<const MEMO: bool>(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
        window: Window,
    ) -> Result<Score, Stopped> {
        self.visit(Some(m), depth, window, move |search| match &children.frontier {
            Some(frontier) => {
                search.alpha_beta_leaf::<MEMO>(Function::AlphaBetaMax, children, frontier, m, window)
            }
            None if MEMO => {
                search.evaluate(Node::after(children.parent, m), depth, window, |search, window| {
                    search.alpha_beta_max::<MEMO>(&children.parent.play(m), depth, window)
                })
            }
            None => search.alpha_beta_max::<MEMO>(&children.parent.play(m), depth, window),
        })
    }

    /// The value of the child after `m` with Black to choose, through the memo if there is one.
    #[inline]
    fn alpha_beta_min_child<const MEMO: bool>(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
        window: Window,
    ) -> Result<Score, Stopped> {
        self.visit(Some(m), depth, window, move |search| match &children.frontier {
            Some(frontier) => {
                search.alpha_beta_leaf::<MEMO>(Function::AlphaBetaMin, children, frontier, m, window)
            }
            None if MEMO => {
                search.evaluate(Node::after(children.parent, m), depth, window, |search, window| {
                    search.alpha_beta_min::<MEMO>(&children.parent.play(m), depth, window)
                })
            }
            None => search.alpha_beta_min::<MEMO>(&children.parent.play(m), depth, window),
        })
    }

    /// The value of the child after `m` at depth 0, as a call of `function`, through the memo if there is one.
    #[inline]
    fn alpha_beta_leaf<const MEMO: bool>(
        &mut self,
        function: Function,
        children: &Children<'_, L>,
        frontier: &Frontier<'_>,
        m: Move,
        window: Window,
    ) -> Result<Score, Stopped> {
        if !MEMO {
            return self.leaf_after(function, frontier, m);
        }
        self.evaluate(Node::after(children.parent, m), 0, window, |search, _| {
            search.leaf_after(function, frontier, m)
        })
    }

    /// Steps 2 and 3 with a memo at depth 1, where the children are leaves: the same as a call of
    /// [`Search::evaluate`] for each, but a stage of the move list at a time (see [`super::frontier`]).
    fn alpha_beta_leaves<const MAXIMISE: bool>(
        &mut self,
        parent: &Position,
        mut window: Window,
    ) -> Result<Score, Stopped> {
        let function = if MAXIMISE { Function::AlphaBetaMin } else { Function::AlphaBetaMax };
        // 2. A finished game.
        if let Some(ending) = CHESS_JL.ending(parent) {
            self.statistics.leaves += 1;
            return Ok(ending.value(parent.turn()) + if MAXIMISE { -1 } else { 1 });
        }
        // 3. The children.
        self.path.push(parent.key().whole);
        let mut moves =
            LegalMoves::into_sink(parent.chess(), Leaves::new(parent, std::mem::take(&mut self.leaves)));
        let repeatable = !self.cache.is_exact() && parent.reversible_plies() + 1 >= FIRST_THIRD_OCCURRENCE;
        let mut counts = LeafCounts::default();
        let mut first = true;
        let mut cutoff = None;
        'stages: while moves.another_stage() {
            let leaves = moves.sink();
            leaves.announce(self.cache);
            for leaf in leaves.announced() {
                // The value, through the memo; special cases take the general path.
                let outcome = if leaf.quick
                    && !(repeatable
                        && self.is_third_occurrence(leaf.key.whole, parent.reversible_after(leaf.m)))
                {
                    self.cache.leaf(leaf.table, leaf.key, leaf.score, window)?
                } else {
                    Leaf::Elsewhere
                };
                let value = match outcome {
                    Leaf::Elsewhere => {
                        self.evaluate(Node::after(parent, leaf.m), 0, window, |search, _| {
                            Ok(search.leaf(function, leaves.value(leaf.m)))
                        })?
                    }
                    outcome => {
                        counts.add(outcome);
                        leaf.score
                    }
                };
                // A cutoff, or a narrower window.
                if MAXIMISE && value >= window.beta || !MAXIMISE && value <= window.alpha {
                    cutoff = Some(value);
                    break 'stages;
                }
                window = if MAXIMISE { window.raise_alpha(value) } else { window.lower_beta(value) };
                first = false;
            }
        }
        self.leaves = moves.sink().room();
        self.path.pop();
        self.statistics.remembered_leaves(function, counts);
        Ok(match cutoff {
            Some(value) => {
                self.statistics.cutoff(first);
                value
            }
            None if MAXIMISE => window.alpha,
            None => window.beta,
        })
    }

    /// The memo in front of a search function: what is known about the node at `depth` in `window`, or else what
    /// `compute` finds in the window that is left.
    ///
    /// Counts a call of `evaluate`, and what became of it.
    #[inline]
    pub(super) fn evaluate(
        &mut self,
        node: Node,
        depth: Depth,
        mut window: Window,
        compute: impl FnOnce(&mut Self, Window) -> Result<Score, Stopped>,
    ) -> Result<Score, Stopped> {
        self.statistics.calls[Function::Evaluate] += 1;
        // 1. The third occurrence is a draw. (A value that depends on the path has no place under the exact rule.)
        if !self.cache.is_exact() && self.is_third_occurrence(node.key.whole, node.reversible) {
            self.statistics.repetitions += 1;
            mark(&mut self.lab, End::Repetition);
            return Ok(0);
        }
        // 2. A stored value answers, or narrows the window.
        let key = self.cache.key(node.key, node.halfmove_clock, depth);
        self.statistics.cache_lookups += 1;
        let place = self.cache.find(key);
        if let Some(entry) = self.cache.entry(place, key, node.score)
            && self.cache.answers(entry, depth)
        {
            if entry.settles(window) {
                self.statistics.cache_hits += 1;
                mark(&mut self.lab, End::Table);
                return Ok(entry.value);
            }
            window = entry.narrowed(window);
            if let Some(recorder) = self.lab.recorder() {
                recorder.narrowed(window);
            }
        }
        // 3. Search.
        let value = compute(self, window)?;
        // 4. Store what the result proves; the last result always wins.
        let entry = Entry::new(window.proves(value), value, depth);
        let stored = self.cache.store_at(place, key, node.score, entry)?;
        self.statistics.cache_stores += u64::from(stored);
        Ok(value)
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
