//! `MiniMaxEngine`: every line to a fixed depth.
//!
//! **Contract.** Values are compared in White's view; White takes the greatest, Black the smallest. A node is a leaf where the game is
//! over or no depth is left.
//!
//! **Quirk.** The original evaluates each child twice and forgets the first answer, so the work doubles with each ply below
//! the root's children. Here each child is evaluated once and counted as often as the original calls it; values and counts
//! are the same.
//!
//! **Cost.** All nodes: with w moves a position w^depth leaves, of which the original sees 2^(depth - 1) times as many.
//!
//! Source: the original's section on minimax.

use super::evaluation::{Evaluator, Leaves, Position, relative};
use super::score::{HIGHEST, LOWEST, Value};
use super::{Place, Result, Search};

impl<E: Evaluator> Search<'_, '_, E> {
    /// The value of a position, called `times` times: the view of the side to move.
    pub(super) fn minimax(&mut self, position: &Position<E>, depth: i32, times: u64) -> Result<Value> {
        let (turn, times_below) = (position.turn(), times.saturating_mul(2));
        self.called(position, depth, times, |search| {
            let leaves = (depth == 1).then(|| Leaves::of(position));
            let mut best = turn.fold_wb(LOWEST, HIGHEST);
            search.line.push(&position.node);
            search.observe_moves(position);
            for m in position.node.legal_moves() {
                let value = search.child(
                    position,
                    leaves.as_ref(),
                    m,
                    Place::whole(depth - 1, 0),
                    |search, leaves| search.leaf(leaves, m, times_below),
                    |search, child| search.minimax(child, depth - 1, times_below),
                )?;
                let value = relative(!turn, value);
                best = turn.fold_wb(best.max(value), best.min(value));
            }
            search.line.pop();
            Ok(relative(turn, best))
        })
    }
}
