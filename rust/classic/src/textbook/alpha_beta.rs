//! Alpha-beta: minimax that skips what cannot matter.
//!
//! **Contract.** Asked about a window `(alpha, beta)`, [`Search::alpha_beta_by`] returns `r` where White chooses (the
//! original's `alphaBetaMax`) with, for the minimax value `v`:
//!
//! * `alpha < v < beta`: `r = v`;
//! * `v <= alpha`: `r = alpha` (it fails low, fail-hard);
//! * `v >= beta`: `beta <= r <= v` (a cutoff: the value of the child that caused it, fail-soft).
//!
//! Where Black chooses (`alphaBetaMin`) it is the mirror image. Terminal values and depth 0 are minimax's
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

use shakmaty::Color;

use super::frontier::{Frontier, Leaves};
use super::prelude::*;
use super::search::FIRST_THIRD_OCCURRENCE;
use crate::cache::{Cache, Entry, Leaf};
use crate::statistics::LeafCounts;
use betacut_core::move_order::chess_jl::LegalMoves;
use betacut_core::position::PositionKey;
use betacut_core::window::Bound;

impl<L: Lab> Search<'_, '_, L> {
    /// Alpha-beta without a memo: the value and every best move.
    pub(super) fn alpha_beta_pruning_no_memo<S: Side>(
        &mut self,
        root: &Position,
        depth: Depth,
        captures: bool,
    ) -> Result<SearchResult> {
        self.captures = captures;
        let result = self.all_best_moves(
            root,
            depth,
            |search| search.alpha_beta_by::<S, false>(root, depth, Window::FULL),
            |search, children, m| {
                search.alpha_beta_child_by::<S::Other, false>(children, m, depth - 1, Window::FULL)
            },
        )?;
        self.with_exact_line(root, result)
    }

    /// Alpha-beta with a memo: the value and every best move.
    pub(super) fn alpha_beta_pruning<S: Side>(
        &mut self,
        root: &Position,
        depth: Depth,
    ) -> Result<SearchResult> {
        let result = self.all_best_moves(
            root,
            depth,
            |search| {
                search.evaluate(Node::of(root), depth, Window::FULL, |search, window| {
                    search.alpha_beta_by::<S, true>(root, depth, window)
                })
            },
            |search, children, m| {
                search.alpha_beta_child_by::<S::Other, true>(children, m, depth - 1, Window::FULL)
            },
        )?;
        Ok(self.with_line_of_bounds(root, result))
    }

    /// The value of the root alone in `window` with the side `S` to choose. The root is searched whatever the memo knows
    /// about it, and not stored.
    pub(super) fn alpha_beta_value<S: Side>(
        &mut self,
        root: &Position,
        depth: Depth,
        window: Window,
        memoised: bool,
    ) -> Result<SearchResult> {
        if !memoised {
            return self
                .value_only(depth, window, |search| search.alpha_beta_by::<S, false>(root, depth, window));
        }
        let mut result =
            self.value_only(depth, window, |search| search.alpha_beta_by::<S, true>(root, depth, window))?;
        (result.statistics.root_cache_size, result.statistics.cache_size) =
            (self.cache.len(), self.cache.len());
        Ok(result)
    }

    /// Adds the line of the exact values that [`Search::evaluate`] has left in the memo.
    pub(super) fn with_line_of_bounds(&self, root: &Position, result: SearchResult) -> SearchResult {
        let pv = self.remembered_line(root, &result, !self.cache.is_exact(), |cache, node, depth| {
            let entry = cache.lookup(cache.key(node.key, node.halfmove_clock, depth), node.score)?;
            entry.exact().filter(|_| cache.answers(entry, depth))
        });
        SearchResult { pv, ..result }
    }

    /// The value of `position` in `window` with the side `S` to choose.
    pub(super) fn alpha_beta_by<S: Side, const MEMO: bool>(
        &mut self,
        position: &Position,
        depth: Depth,
        mut window: Window,
    ) -> Result<Score> {
        // 1. Count the call.
        self.enter(S::own(Function::AlphaBetaMax, Function::AlphaBetaMin))?;
        if !MEMO && depth == 0 {
            return self.quiet_leaf::<true>(position, window);
        }
        if L::BARE && MEMO && depth == 1 {
            return self.alpha_beta_leaves::<S>(position, window);
        }
        // 2. A finished game: its value, and sooner is better.
        let mut children = self.children(position, depth);
        if let Some(value) = self.finished(&mut children, depth)? {
            return Ok(S::sooner(value, depth));
        }
        // 3. Each child narrows the window, or refutes the other side's way into this position.
        let mut best = None;
        self.below(position, |search| {
            while let Some(m) = children.next() {
                let value = search.alpha_beta_child_by::<S::Other, MEMO>(&children, m, depth - 1, window)?;
                if S::cuts(value, window) {
                    search.cutoff(position, m, depth, children.at_first());
                    return Ok(value); // beta cutoff, or for Black alpha cutoff
                }
                best = if S::is_better(value, S::sure(window)) { Some(m) } else { best };
                window = S::narrowed(window, value);
            }
            search.lab.was_best(position, best);
            Ok(S::sure(window))
        })
    }

    /// The value of the child after `m`, chosen by the side to move there, without a memo.
    pub(super) fn alpha_beta_child(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
        window: Window,
    ) -> Result<Score> {
        if children.parent.turn().is_white() {
            self.alpha_beta_child_by::<Black, false>(children, m, depth, window)
        } else {
            self.alpha_beta_child_by::<White, false>(children, m, depth, window)
        }
    }

    /// The value of the child after `m` with the side `S` to choose, through the memo if there is one.
    #[inline]
    fn alpha_beta_child_by<S: Side, const MEMO: bool>(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
        window: Window,
    ) -> Result<Score> {
        let parent = children.parent;
        self.visit(Some(m), depth, window, move |search| match &children.frontier {
            Some(frontier) => search.alpha_beta_leaf::<S, MEMO>(frontier, m, window),
            None if MEMO => search.evaluate(Node::after(parent, m), depth, window, |search, window| {
                let child = search.lab.play(parent, m);
                search.alpha_beta_by::<S, MEMO>(&child, depth, window)
            }),
            None => {
                let child = search.lab.play(parent, m);
                search.alpha_beta_by::<S, MEMO>(&child, depth, window)
            }
        })
    }

    /// The value of the child after `m` at depth 0, through the memo if there is one.
    #[inline]
    fn alpha_beta_leaf<S: Side, const MEMO: bool>(
        &mut self,
        frontier: &Frontier<'_>,
        m: Move,
        window: Window,
    ) -> Result<Score> {
        let function = S::own(Function::AlphaBetaMax, Function::AlphaBetaMin);
        if !MEMO {
            return self.leaf_after(function, frontier, m);
        }
        self.evaluate(Node::after(frontier.parent, m), 0, window, |search, _| {
            search.leaf_after(function, frontier, m)
        })
    }

    /// Steps 2 and 3 with a memo at depth 1, where the children are leaves: the same as a call of
    /// [`Search::evaluate`] for each, but a stage of the move list at a time (see [`super::frontier`]).
    fn alpha_beta_leaves<S: Side>(&mut self, parent: &Position, mut window: Window) -> Result<Score> {
        let function = S::own(Function::AlphaBetaMin, Function::AlphaBetaMax);
        // 2. A finished game.
        if let Some(ending) = CHESS_JL.ending(parent) {
            self.statistics.leaves += 1;
            return Ok(S::sooner(ending.value(parent.turn()), 1));
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
            for leaf in &leaves.announced {
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
                            Ok(search.leaf(function, leaves.frontier.value(leaf.m)))
                        })?
                    }
                    outcome => {
                        counts.add(outcome);
                        leaf.score
                    }
                };
                // A cutoff, or a narrower window.
                if S::cuts(value, window) {
                    cutoff = Some(value);
                    break 'stages;
                }
                window = S::narrowed(window, value);
                first = false;
            }
        }
        self.leaves = std::mem::take(&mut moves.sink().announced);
        self.path.pop();
        self.statistics.remembered_leaves(function, counts);
        if cutoff.is_some() {
            self.statistics.cutoff(first);
        }
        Ok(cutoff.unwrap_or(S::sure(window)))
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
        window: Window,
        compute: impl FnOnce(&mut Self, Window) -> Result<Score>,
    ) -> Result<Score> {
        let key = |cache: &Cache| cache.key(node.key, node.halfmove_clock, depth);
        self.evaluate_as(Color::White, node, key, depth, window, |search, window| {
            Ok((compute(search, window)?, false))
        })
    }

    /// [`Search::evaluate`] from the view of `turn`, under its `key` in the cache. `compute` also says whether the value is exact
    /// wherever it lies against the window.
    #[inline(always)]
    pub(super) fn evaluate_as(
        &mut self,
        turn: Color,
        node: Node,
        key: impl FnOnce(&Cache) -> PositionKey,
        depth: Depth,
        mut window: Window,
        compute: impl FnOnce(&mut Self, Window) -> Result<(Score, bool)>,
    ) -> Result<Score> {
        self.statistics.calls[Function::Evaluate] += 1;
        // 1. The third occurrence is a draw. (A value that depends on the path has no place under the exact rule.)
        if !self.cache.is_exact() && self.is_third_occurrence(node.key.whole, node.reversible) {
            self.statistics.repetitions += 1;
            self.lab.mark(End::Repetition);
            return Ok(0);
        }
        // 2. A stored value answers, or narrows the window.
        let start = self.lab.start();
        let (key, score) = (key(self.cache), view_of(turn, node.score));
        self.statistics.cache_lookups += 1;
        let place = self.cache.find(key);
        let known = self.cache.entry(place, key, score);
        self.lab.stop(Work::Table, start);
        if let Some(entry) = known
            && self.cache.answers(entry, depth)
        {
            if entry.bound.settles(entry.value, window) {
                self.statistics.cache_hits += 1;
                self.lab.mark(End::Table);
                return Ok(entry.value);
            }
            window = window.narrowed(entry.bound, entry.value);
            self.lab.tell(|recorder| recorder.narrowed(window.seen_by(turn)));
        }
        // 3. Search.
        let (value, is_exact) = compute(self, window)?;
        // 4. Store what the result proves; the last result always wins.
        let bound = if is_exact { Bound::Exact } else { window.proves(value) };
        let start = self.lab.start();
        let stored = self.cache.store_at(place, key, score, Entry::new(bound, value, depth))?;
        self.lab.stop(Work::Table, start);
        self.statistics.cache_stores += u64::from(stored);
        Ok(value)
    }
}
