//! `MinimaxAI`, every line to a fixed depth, and `AlphaBetaAI`, which skips what cannot change the value of a root move.
//!
//! **Contract.** Values are White's view: the greatest where White chooses (the original's `max_value`), the smallest where
//! Black does (its `min_value`), whichever side is to move; they take turns from the child of the root down. A node is a leaf at
//! depth 0 or where the game is over, and is then worth its evaluation. Every call is counted.
//!
//! Alpha-beta does so in a window: alpha (`best`) is what White is sure of elsewhere, beta (`worst`) what Black is.
//! Fail-soft, cutting where a value equals the bound; a cutoff counts even after the last move. Every root move has the
//! whole window, so its value is minimax's: no window is shared between root moves, and a mate in the first of them
//! saves nothing in the others. Inside a root move a win cuts at once, because infinity reaches the bound.
//!
//! **Cost.** Of minimax all nodes: with w moves a position about w^(depth+1) leaves; of alpha-beta about the power 0.8 of
//! them. Those below a depth-1 node are valued without being made.
//!
//! Source: the original's `MinimaxAI` and `AlphaBetaAI`.

use super::evaluation::{Leaves, Position, Value, worst_for};
use super::{NO_WINDOW, Search};
use crate::Result;
use betacut_core::window::Window;

impl Search<'_, '_> {
    /// The original's `minimax` of a child of the root, at the end of the line.
    pub(super) fn minimax(&mut self, child: &Position, depth: u32) -> Result<Value> {
        self.calls.minimax += 1;
        self.child_of_root::<false>(child, depth)
    }

    /// The original's `alpha_beta_search` of a child of the root, at the end of the line.
    pub(super) fn alpha_beta_search(&mut self, child: &Position, depth: u32) -> Result<Value> {
        self.calls.alpha_beta_search += 1;
        self.child_of_root::<true>(child, depth)
    }

    /// The value of a child of the root, with `CUTS` or from all lines.
    fn child_of_root<const CUTS: bool>(&mut self, child: &Position, depth: u32) -> Result<Value> {
        if depth == 0 || child.node.ending(&self.line).is_some() {
            Ok(self.evaluate(child))
        } else {
            self.alpha_beta::<CUTS>(child, depth, self.settings.maximizing, NO_WINDOW)
        }
    }

    /// The value at `depth >= 1` with White to choose (the original's `max_value`), or Black (its `min_value`).
    fn alpha_beta<const CUTS: bool>(
        &mut self,
        position: &Position,
        depth: u32,
        white: bool,
        mut window: Window,
    ) -> Result<Value> {
        // 1. Count the call; a finished game is worth its evaluation.
        let mut moves = position.node.legal_moves();
        if let Some(value) = self.enter(position, white, &mut moves)? {
            return Ok(value);
        }
        // 2. The best of the children, until one is too good for the other side to allow.
        let leaves = (depth == 1).then(|| Leaves::of(position));
        let mut best = worst_for(white);
        self.line.push(&position.node);
        for m in &mut moves {
            let value = self.visit(m, depth - 1, window, |search| match &leaves {
                Some(leaves) => Ok(search.leaf(leaves, m, !white)),
                None => search.alpha_beta::<CUTS>(&position.play(m), depth - 1, !white, window),
            })?;
            if !CUTS {
                best = if white { best.max(value) } else { best.min(value) };
            } else if self.cuts(white, value, &mut best, &mut window) {
                break;
            }
        }
        self.line.pop();
        Ok(best)
    }
}
