//! `MinimaxAI`: every line to a fixed depth.
//!
//! **Contract.** Values are White's view. [`Search::max_value`] chooses the greatest, [`Search::min_value`] the smallest,
//! whoever is to move; they take turns from the child of the root down. A node is a leaf at depth 0 or where the game is
//! over, and is then worth its evaluation. Every call is counted.
//!
//! **Cost.** All nodes: with w moves a position about w^(depth+1) leaves. The leaves below a depth-1 node are valued
//! without being made.
//!
//! Source: the original's `MinimaxAI`.

use super::evaluation::{INFINITY, Leaves, Value, value_of_ending};
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
        let mut best = self.best();
        self.visit_root(root, depth, &mut best, |search, best| {
            search.line.push(&root.node);
            for m in root.node.legal_moves() {
                let value =
                    search.visit(m, depth, NO_WINDOW, |search| search.minimax(&root.play(m), depth))?;
                search.searched(m, None, value);
                best.offer(m, value, played);
            }
            search.line.pop();
            Ok(())
        })?;
        played.add(best.m);
        Ok(best)
    }

    /// The value of a child of the root, at the end of the line.
    pub(super) fn minimax(&mut self, child: &Position, depth: u32) -> Result<Value, Stopped> {
        self.calls.minimax += 1;
        if depth == 0 || child.node.ending(&self.line).is_some() {
            Ok(self.evaluate(child))
        } else if self.maximizing {
            self.max_value(child, depth)
        } else {
            self.min_value(child, depth)
        }
    }

    /// The value at `depth >= 1` with White to choose.
    fn max_value(&mut self, position: &Position, depth: u32) -> Result<Value, Stopped> {
        // 1. Count the call; a finished game is worth its evaluation.
        self.calls.max_value += 1;
        self.limits.node()?;
        let mut moves = position.node.legal_moves();
        if let Some(ending) = position.node.ending_knowing(&self.line, !moves.is_empty()) {
            self.calls.evaluate += 1;
            if let Some(recorder) = self.observer.recorder() {
                recorder.ends(ending.into());
            }
            return Ok(value_of_ending(ending, position.turn()));
        }
        self.observe_inner(position);
        // 2. The best of the children, which are leaves at depth 1.
        let mut highest = -INFINITY;
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
                highest = highest.max(value);
            }
            self.calls.min_value += count;
            self.calls.evaluate += count;
        } else {
            for m in &mut moves {
                let value = self.visit(m, depth - 1, NO_WINDOW, |search| {
                    search.min_value(&position.play(m), depth - 1)
                })?;
                highest = highest.max(value);
            }
        }
        self.line.pop();
        Ok(highest)
    }

    /// The value at `depth >= 1` with Black to choose.
    fn min_value(&mut self, position: &Position, depth: u32) -> Result<Value, Stopped> {
        // 1. Count the call; a finished game is worth its evaluation.
        self.calls.min_value += 1;
        self.limits.node()?;
        let mut moves = position.node.legal_moves();
        if let Some(ending) = position.node.ending_knowing(&self.line, !moves.is_empty()) {
            self.calls.evaluate += 1;
            if let Some(recorder) = self.observer.recorder() {
                recorder.ends(ending.into());
            }
            return Ok(value_of_ending(ending, position.turn()));
        }
        self.observe_inner(position);
        // 2. The best of the children, which are leaves at depth 1.
        let mut lowest = INFINITY;
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
                lowest = lowest.min(value);
            }
            self.calls.max_value += count;
            self.calls.evaluate += count;
        } else {
            for m in &mut moves {
                let value = self.visit(m, depth - 1, NO_WINDOW, |search| {
                    search.max_value(&position.play(m), depth - 1)
                })?;
                lowest = lowest.min(value);
            }
        }
        self.line.pop();
        Ok(lowest)
    }
}
