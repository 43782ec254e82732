//! `NegaScout`, or principal variation search: prove that the other moves are worse.
//!
//! **Contract.** That of [`super::alpha_beta_fail_soft`]. The first child gets the whole window, each other one the null
//! window `(a, a + 1)`, which tells whether it is better. Only one that is, and not so good that it cuts off, is searched
//! once more, from the bound that was found; and not at the last two plies, where a null window that fails high finds the
//! value itself.
//!
//! **Cost.** The minimal tree with perfect move order, like alpha-beta. Otherwise usually fewer leaves, but some of them
//! more than once.
//!
//! Source: A. Reinefeld, "An Improvement to the Scout Tree-Search Algorithm" (1983); T. Marsland and M. Campbell,
//! "Parallel Search of Strongly Ordered Game Trees" (1982); chessprogramming.org
//! "Principal Variation Search".

use super::prelude::*;

/// At this depth and below, a null window that fails high finds the exact value: the child that failed low has leaves
/// below it only, and has looked at all of them.
const EXACT_DEPTH: Depth = 2;

impl<L: Lab> Search<'_, '_, L> {
    /// `NegaScout`: the value and every best move.
    pub(super) fn negascout(&mut self, root: &Position, depth: Depth) -> Result<SearchResult> {
        self.all_best_moves_as(
            root,
            depth,
            |search| search.scout(root, depth, Window::FULL),
            |search, children, m| search.scout_child(children, m, depth - 1, Window::FULL),
        )
    }

    /// The value of `position` at `depth >= 1` in `window` for the side to move, whose window it is.
    fn scout(&mut self, position: &Position, depth: Depth, window: Window) -> Result<Score> {
        // 1. Count the call.
        self.enter(Function::Negascout)?;
        // 2. A finished game: its value, and sooner is better.
        let mut children = self.children(position, depth);
        if let Some(value) = self.finished(&mut children, depth)? {
            return Ok(view_of(position.turn(), value) - depth);
        }
        let (value, _) = self.best_child(&mut children, depth, window, |search, children, m, left| {
            // 3. The first child gets the whole window, the others a null window.
            let first = children.at_first();
            let narrow = if first { left } else { Window { beta: left.alpha + 1, ..left } };
            let child = -search.scout_child(children, m, depth - 1, narrow.turned())?;
            // 4. A later child that is better, and not too good: its value lies between what it has shown and beta.
            if !first && left.alpha < child && child < left.beta && depth > EXACT_DEPTH {
                let rest = Window { alpha: child, ..left };
                return Ok(-search.scout_child(children, m, depth - 1, rest.turned())?);
            }
            Ok(child)
        })?;
        Ok(value)
    }

    /// The value of the child after `m` in `window`, both for the side to move there.
    fn scout_child(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
        window: Window,
    ) -> Result<Score> {
        self.child_as(Function::Negascout, children, m, depth, window, |search, child| {
            search.scout(child, depth, window)
        })
    }
}
