//! `AlphaBetaAI`: minimax that skips what cannot change the value of a root move.
//!
//! **Contract.** As [`super::minimax`], in a window: `best` is what White is sure of elsewhere, `worst` what Black is.
//! Fail-soft, cutting where a value equals the bound; a cutoff counts even after the last move. Every root move has the
//! whole window, so its value is minimax's: no window is shared between root moves, and a mate in the first of them
//! saves nothing in the others. Inside a root move a win cuts at once, because infinity reaches the bound.
//!
//! **Cost.** About the power 0.8 of minimax's leaves.
//!
//! Source: the original's `AlphaBetaAI`.

use super::evaluation::{INFINITY, Leaves, Value, value_of_ending};
use super::root::{Best, PlayedMoves};
use super::{NO_WINDOW, Position, Search};
use crate::originals::record::Observer;
use betacut_core::limits::Stopped;

impl<O: Observer> Search<'_, '_, O> {
    /// Chooses among all root moves, each searched to `depth` plies below it.
    pub(super) fn alpha_beta_ai(
        &mut self,
        root: &Position,
        depth: u32,
        played: &mut PlayedMoves,
    ) -> Result<Best, Stopped> {
        let mut best = self.best();
        self.visit_root(root, depth, &mut best, |search, best| {
            search.line.push(&root.node);
            for m in root.node.legal_moves() {
                let value = search
                    .visit(m, depth, NO_WINDOW, |search| search.alpha_beta_search(&root.play(m), depth))?;
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
    fn alpha_beta_search(&mut self, child: &Position, depth: u32) -> Result<Value, Stopped> {
        self.calls.alpha_beta_search += 1;
        if depth == 0 || child.node.ending(&self.line).is_some() {
            Ok(self.evaluate(child))
        } else if self.maximizing {
            self.alpha_beta_max(child, depth, -INFINITY, INFINITY)
        } else {
            self.alpha_beta_min(child, depth, -INFINITY, INFINITY)
        }
    }

    /// The value at `depth >= 1` with White to choose.
    fn alpha_beta_max(
        &mut self,
        position: &Position,
        depth: u32,
        mut best: Value,
        worst: Value,
    ) -> Result<Value, Stopped> {
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
        // 2. The best of the children, until one is too good for Black to allow.
        let leaves = (depth == 1).then(|| Leaves::of(position));
        let mut highest = -INFINITY;
        self.line.push(&position.node);
        for m in &mut moves {
            let value = self.visit(m, depth - 1, (best, worst), |search| match &leaves {
                Some(leaves) => {
                    search.calls.min_value += 1;
                    search.calls.evaluate += 1;
                    let leaf = leaves.evaluate(m, &search.line);
                    search.observe_leaf_after(position, m, leaf);
                    Ok(leaf.value)
                }
                None => search.alpha_beta_min(&position.play(m), depth - 1, best, worst),
            })?;
            highest = highest.max(value);
            if highest >= worst {
                self.cut();
                break;
            }
            best = best.max(highest);
        }
        self.line.pop();
        Ok(highest)
    }

    /// The value at `depth >= 1` with Black to choose.
    fn alpha_beta_min(
        &mut self,
        position: &Position,
        depth: u32,
        best: Value,
        mut worst: Value,
    ) -> Result<Value, Stopped> {
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
        // 2. The best of the children, until one is too good for White to allow.
        let leaves = (depth == 1).then(|| Leaves::of(position));
        let mut lowest = INFINITY;
        self.line.push(&position.node);
        for m in &mut moves {
            let value = self.visit(m, depth - 1, (best, worst), |search| match &leaves {
                Some(leaves) => {
                    search.calls.max_value += 1;
                    search.calls.evaluate += 1;
                    let leaf = leaves.evaluate(m, &search.line);
                    search.observe_leaf_after(position, m, leaf);
                    Ok(leaf.value)
                }
                None => search.alpha_beta_max(&position.play(m), depth - 1, best, worst),
            })?;
            lowest = lowest.min(value);
            if lowest <= best {
                self.cut();
                break;
            }
            worst = worst.min(lowest);
        }
        self.line.pop();
        Ok(lowest)
    }
}
