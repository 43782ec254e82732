//! Aspiration windows: search around the value that is expected.
//!
//! **Contract.** The value of minimax. A first pass searches a narrow window around a guess. If it fails, low or high, a
//! second one searches from the bound that was found to infinity; as the inner search is fail-soft
//! ([`super::alpha_beta_fail_soft`]), there is no third. Each pass is a record in the statistics' iterations.
//!
//! **Cost.** Less than alpha-beta with a good guess, up to two searches with a bad one.
//!
//! Source: T. Marsland, "A Review of Game-Tree Pruning" (1986); chessprogramming.org "Aspiration Windows".

use super::prelude::*;

impl<L: Lab> Search<'_, '_, L> {
    /// Fail-soft alpha-beta with a window of `width` centipawns to either side of `guess` (White's view; without one, the
    /// static score): the value and every best move.
    pub(super) fn aspiration(
        &mut self,
        root: &Position,
        depth: Depth,
        guess: Option<Score>,
        width: Score,
    ) -> Result<SearchResult> {
        let guess = self.guess_or_score(root, guess)?;
        let value = self.aspire(root, depth, view_of(root.turn(), guess), width)?;
        self.best_moves_as(root, depth, value, |search, children, m| {
            search.fail_soft_child(children, m, depth - 1, Window::FULL)
        })
    }

    /// The value of the root for the side to move.
    fn aspire(&mut self, root: &Position, depth: Depth, guess: Score, width: Score) -> Result<Score> {
        // 1. A window around the guess.
        let window = Window { alpha: (guess - width).max(-INFINITY), beta: (guess + width).min(INFINITY) };
        let value = self.one_pass(root, depth, window)?;
        // 2. It failed low: the value is at most what was returned.
        if value <= window.alpha {
            return self.one_pass(root, depth, Window { alpha: -INFINITY, beta: value + 1 });
        }
        // 3. It failed high: the value is at least what was returned.
        if value >= window.beta {
            return self.one_pass(root, depth, Window { alpha: value - 1, beta: INFINITY });
        }
        // 4. The value lies in the window.
        Ok(value)
    }

    /// Searches once with a window, and keeps a record of it.
    fn one_pass(&mut self, root: &Position, depth: Depth, window: Window) -> Result<Score> {
        let (turn, before) = (root.turn(), self.statistics.calls);
        let value =
            self.visit_as(turn, NO_MOVE, depth, window, |search| search.fail_soft(root, depth, window))?;
        self.iterated(before, depth, view_of(turn, value), 0);
        Ok(value)
    }
}
