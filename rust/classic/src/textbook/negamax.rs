//! Negamax: minimax written once for both sides.
//!
//! **Contract.** What is good for one side is as bad for the other: max(a, b) = -min(-a, -b). So inside, values are from
//! the view of the side to move, and the value of a position is the greatest of the negated values of its children. Values
//! and nodes are those of [`super::minimax`]. The pages that build on this one use the same form; what they take and
//! return at the root is from White's view, as everywhere.
//!
//! **Cost.** All nodes, as minimax.
//!
//! Source: D. Knuth and R. Moore, "An Analysis of Alpha-Beta Pruning" (1975), function F; chessprogramming.org "Negamax".

use super::prelude::*;

impl<L: Lab> Search<'_, '_, L> {
    /// Negamax: the value and every best move.
    pub(super) fn negamax(&mut self, root: &Position, depth: Depth) -> Result<SearchResult> {
        self.all_best_moves_as(
            root,
            depth,
            |search| search.negamax_value(root, depth),
            |search, children, m| search.negamax_child(children, m, depth - 1),
        )
    }

    /// The value of `position` at `depth >= 1` for the side to move.
    fn negamax_value(&mut self, position: &Position, depth: Depth) -> Result<Score> {
        // 1. Count the call.
        self.enter(Function::Negamax)?;
        // 2. A finished game: its value, and sooner is better.
        let mut children = self.children(position, depth);
        if let Some(value) = self.finished(&mut children, depth)? {
            return Ok(view_of(position.turn(), value) - depth);
        }
        // 3. The greatest value of the children, each seen from this side.
        let (mut value, mut best) = (-INFINITY, None);
        while let Some(m) = children.next() {
            let child = -self.negamax_child(&children, m, depth - 1)?;
            if child > value {
                (value, best) = (child, Some(m));
            }
        }
        self.lab.was_best(position, best);
        Ok(value)
    }

    /// The value of the child after `m` for the side to move there.
    fn negamax_child(&mut self, children: &Children<'_, L>, m: Move, depth: Depth) -> Result<Score> {
        self.child_as(Function::Negamax, children, m, depth, Window::FULL, |search, child| {
            search.negamax_value(child, depth)
        })
    }
}
