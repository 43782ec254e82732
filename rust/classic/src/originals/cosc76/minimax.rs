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

use super::evaluation::{Leaves, Value, worst_for};
use super::root::{Best, PlayedMoves};
use super::{NO_WINDOW, Position, Search};
use crate::originals::record::Observer;
use betacut_core::limits::Stopped;

impl<O: Observer> Search<'_, '_, O> {
    /// Chooses among all root moves, each searched to `depth` plies below it.
    pub(super) fn minimax_ai(
        &mut self,
        root: &Position,
        depth: u32,
        played: &mut PlayedMoves,
    ) -> Result<Best, Stopped> {
        self.choose(root, depth, played, |search, child| search.minimax(child, depth))
    }

    /// The value of a child of the root, at the end of the line.
    pub(super) fn minimax(&mut self, child: &Position, depth: u32) -> Result<Value, Stopped> {
        self.calls.minimax += 1;
        if depth == 0 || child.node.ending(&self.line).is_some() {
            Ok(self.evaluate(child))
        } else {
            self.value(child, depth, self.maximizing)
        }
    }

    /// The value at `depth >= 1` with White to choose, or Black.
    fn value(&mut self, position: &Position, depth: u32, white: bool) -> Result<Value, Stopped> {
        // 1. Count the call; a finished game is worth its evaluation.
        let mut moves = position.node.legal_moves();
        if let Some(value) = self.enter(position, white, &mut moves)? {
            return Ok(value);
        }
        // 2. The best of the children, which are leaves at depth 1.
        let better = if white { Value::max } else { Value::min };
        let mut best = worst_for(white);
        self.line.push(&position.node);
        if depth == 1 {
            let leaves = Leaves::of(position);
            let mut count = 0;
            for m in &mut moves {
                count += 1;
                let value = self.visit(m, 0, NO_WINDOW, |search| {
                    let leaf = leaves.evaluate(m, &search.line);
                    search.observe_leaf_after(position, m, leaf);
                    Ok(leaf.value)
                })?;
                best = better(best, value);
            }
            *self.calls.of_value(!white) += count;
            self.calls.evaluate += count;
        } else {
            for m in &mut moves {
                let value = self.visit(m, depth - 1, NO_WINDOW, |search| {
                    search.value(&position.play(m), depth - 1, !white)
                })?;
                best = better(best, value);
            }
        }
        self.line.pop();
        Ok(best)
    }
}
