//! `MiniMaxEngine`: every line to a fixed depth.
//!
//! **Contract.** Values are White's view; White takes the greatest, Black the smallest. A node is a leaf where the game is
//! over or no depth is left.
//!
//! **Quirk.** The original evaluates each child twice and forgets the first answer, so the work doubles with each ply below
//! the root's children. Here each child is evaluated once and counted as often as the original calls it; values and counts
//! are the same.
//!
//! **Cost.** All nodes: with w moves a position w^depth leaves, of which the original sees 2^(depth - 1) times as many.
//!
//! Source: the original's section on minimax.

use shakmaty::Color;

use super::evaluation::{Evaluator, Leaves, Position, relative};
use super::score::{HIGHEST, LOWEST, Value};
use super::tree::Watch;
use super::{Search, SearchError, WHOLE};

impl<E: Evaluator, W: Watch> Search<'_, '_, E, W> {
    /// The value of a position, called `times` times: White's view.
    pub(super) fn minimax(
        &mut self,
        position: &Position<E>,
        depth: i32,
        times: u64,
    ) -> Result<Value, SearchError> {
        // 1. Count; a finished game and a leaf are worth what the evaluator says.
        self.watch.value_called(depth);
        self.counts.value += times;
        self.counts.evaluate += times;
        self.limits.node()?;
        let turn = position.turn();
        let value = if let Some(ended) = self.ended(position) {
            relative(turn, ended)
        } else if depth == 0 {
            self.counts.heuristic += times;
            let value = position.heuristic(self.evaluator);
            self.observe_leaf(turn, value);
            relative(turn, value)
        } else {
            self.best_of_all(position, depth, times.saturating_mul(2))?
        };
        self.watch.value_returned()?;
        Ok(value)
    }

    /// 2. Otherwise the best of the children, each called `times` times.
    fn best_of_all(&mut self, position: &Position<E>, depth: i32, times: u64) -> Result<Value, SearchError> {
        let leaves = (depth == 1).then(|| Leaves::of(position));
        let white = position.turn() == Color::White;
        let mut best = if white { LOWEST } else { HIGHEST };
        self.line.push(&position.node);
        self.observe_moves(position);
        for m in position.node.legal_moves() {
            let turn = !position.turn();
            let value = self.child(
                position,
                leaves.as_ref(),
                m,
                depth - 1,
                WHOLE,
                |search, leaves| search.leaf(leaves, m, times),
                |search, child| Ok(relative(turn, search.minimax(child, depth - 1, times)?)),
            )?;
            let value = relative(turn, value);
            best = if white { best.max(value) } else { best.min(value) };
        }
        self.line.pop();
        Ok(best)
    }
}
