//! Alpha-beta, fail-soft: a search that fails tells by how much.
//!
//! **Contract.** Asked about a window `(alpha, beta)`, [`Search::fail_soft`] returns `r` with, for the minimax value `v`,
//! all from the view of the side to move:
//!
//! * `alpha < r < beta`: `r = v`;
//! * `r <= alpha`: `v <= r`, an upper bound;
//! * `r >= beta`: `v >= r`, a lower bound.
//!
//! The value of a node starts at minus infinity instead of at alpha; nothing else differs from fail-hard alpha-beta, and
//! the tree is the same. Searches that come back to a position with another window, and tables, live on the bounds.
//!
//! **Cost.** The nodes of [`super::alpha_beta`] without a memo.
//!
//! Source: J. Fishburn, "Another optimization of alpha-beta search" (1983); chessprogramming.org "Fail-Soft".

use super::prelude::*;

impl<L: Lab> Search<'_, '_, L> {
    /// Fail-soft alpha-beta: the value and every best move.
    pub(super) fn alpha_beta_fail_soft(&mut self, root: &Position, depth: Depth) -> Result<SearchResult> {
        self.all_best_moves_as(
            root,
            depth,
            |search| search.fail_soft(root, depth, Window::FULL),
            |search, children, m| search.fail_soft_child(children, m, depth - 1, Window::FULL),
        )
    }

    /// The value of `position` at `depth >= 1` in `window` for the side to move, whose window it is.
    pub(super) fn fail_soft(&mut self, position: &Position, depth: Depth, window: Window) -> Result<Score> {
        // 1. Count the call.
        self.enter(Function::AlphaBetaFailSoft)?;
        // 2. A finished game: its value, and sooner is better.
        let mut children = self.children(position, depth);
        if let Some(value) = self.finished(&mut children, depth)? {
            return Ok(view_of(position.turn(), value) - depth);
        }
        // 3. The children.
        let (value, _) = self.best_child(&mut children, depth, window, |search, children, m, left| {
            Ok(-search.fail_soft_child(children, m, depth - 1, left.turned())?)
        })?;
        Ok(value)
    }

    /// The value of the best of the children, looked at as long as the other side would let the game come here, and the last
    /// move that was better than alpha and the moves before. `value_of` finds what a move is worth in the window that is left.
    /// All for the side to move at the parent, whose window it is.
    pub(super) fn best_child(
        &mut self,
        children: &mut Children<'_, L>,
        depth: Depth,
        window: Window,
        mut value_of: impl FnMut(&mut Self, &Children<'_, L>, Move, Window) -> Result<Score>,
    ) -> Result<(Score, Option<Move>)> {
        let (mut value, mut best) = (-INFINITY, None);
        while let Some(m) = children.next() {
            // The value may stay below alpha; the window of a child may not.
            let left = window.raise_alpha(value);
            let child = value_of(self, children, m, left)?;
            best = if child > left.alpha { Some(m) } else { best };
            value = value.max(child);
            if value >= window.beta {
                self.cutoff(children.parent, m, depth, children.at_first());
                return Ok((value, best)); // beta cutoff
            }
        }
        self.lab.was_best(children.parent, best);
        Ok((value, best))
    }

    /// The value of the child after `m` in `window`, both for the side to move there.
    pub(super) fn fail_soft_child(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
        window: Window,
    ) -> Result<Score> {
        self.child_as(Function::AlphaBetaFailSoft, children, m, depth, window, |search, child| {
            search.fail_soft(child, depth, window)
        })
    }
}
