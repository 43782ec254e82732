//! `MinimaxAI`: every line to a fixed depth.
//!
//! **Contract.** Values are White's view: the greatest where White chooses (the original's `max_value`), the smallest where
//! Black does (its `min_value`), whichever side is to move; they take turns from the child of the root down. A node is a leaf at
//! depth 0 or where the game is over, and is then worth its evaluation. Every call is counted.
//!
//! **Cost.** All nodes: with w moves a position about w^(depth+1) leaves. The leaves below a depth-1 node are valued
//! without being made.
//!
//! Source: the original's `MinimaxAI`.

use super::Search;
use super::evaluation::{Position, Value};
use crate::Result;
use crate::observer::Observer;

impl<O: Observer> Search<'_, '_, O> {
    /// The original's `minimax` of a child of the root: the steps of [`super::alpha_beta`] without its cuts.
    pub(super) fn minimax(&mut self, child: &Position, depth: u32) -> Result<Value> {
        self.calls.minimax += 1;
        self.child_of_root::<false>(child, depth)
    }
}
