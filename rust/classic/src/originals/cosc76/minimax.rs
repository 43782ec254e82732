//! `MinimaxAI`: every line to a fixed depth.
//!
//! **Contract.** Values are White's view. [`Search::value`] is the original's `max_value` where White chooses, the
//! greatest, and its `min_value` where Black does, the smallest, whoever is to move; they take turns from the child of the
//! root down. A node is a leaf at depth 0 or where the game is
//! over, and is then worth its evaluation. Every call is counted.
//!
//! **Cost.** All nodes: with w moves a position about w^(depth+1) leaves. The leaves below a depth-1 node are valued
//! without being made.
//!
//! Source: the original's `MinimaxAI`.

use super::evaluation::{Leaves, Position, Value, worst_for};
use super::{NO_WINDOW, Search};
use crate::Result;
use crate::observer::Observer;

impl<O: Observer> Search<'_, '_, O> {
    /// The value of a child of the root, at the end of the line.
    pub(super) fn minimax(&mut self, child: &Position, depth: u32) -> Result<Value> {
        self.calls.minimax += 1;
        if depth == 0 || child.node.ending(&self.line).is_some() {
            Ok(self.evaluate(child))
        } else {
            self.value(child, depth, self.settings.maximizing)
        }
    }

    /// The value at `depth >= 1` with White to choose, or Black.
    fn value(&mut self, position: &Position, depth: u32, white: bool) -> Result<Value> {
        // 1. Count the call; a finished game is worth its evaluation.
        let mut moves = position.node.legal_moves();
        if let Some(value) = self.enter(position, white, &mut moves)? {
            return Ok(value);
        }
        // 2. The best of the children, which are leaves at depth 1.
        let leaves = (depth == 1).then(|| Leaves::of(position));
        let mut best = worst_for(white);
        self.line.push(&position.node);
        for m in &mut moves {
            let value = self.visit(m, depth - 1, NO_WINDOW, |search| match &leaves {
                Some(leaves) => Ok(search.leaf(leaves, m, !white)),
                None => search.value(&position.play(m), depth - 1, !white),
            })?;
            best = if white { best.max(value) } else { best.min(value) };
        }
        self.line.pop();
        Ok(best)
    }
}
