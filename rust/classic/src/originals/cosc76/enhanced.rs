//! `EnhancedAlphaBetaAI`: alpha-beta with ordered moves, forward pruning and a memory of boards.
//!
//! **Contract.** As [`super::alpha_beta`], but:
//!
//! 1. Moves come from a [`Heap`] by the evaluation after them. *Every* node orders by the player's wish, the greatest
//!    value first if it maximises, where the other side chooses too.
//! 2. Only the first `move_count` of them are looked at, at the root too, on both sides: the rest is pruned unseen.
//! 3. Every value is remembered by the board's picture alone ([`super::memory`]), bounds as if they were exact, and reused
//!    wherever the picture comes back: at another depth, with the other side to move, in a later search of the game.
//! 4. At the root a value of plus infinity ends the loop, also where it is the *worst* there is: a minimising player
//!    whose first move loses by force stops there, and may play it.
//!
//! With `ids` every value is also kept in a second dictionary, by picture too and for the player's life, and a value known
//! there orders moves in place of the evaluation.
//!
//! **Cost.** An evaluation for each legal move of a node; with four moves a node some two thousand of them at depth 3.
//! 35 to 70 bytes for each board remembered.
//!
//! Source: the original's `EnhancedAlphaBetaAI`.

use std::iter::Take;

use shakmaty::Move;

use super::evaluation::{Evaluation, INFINITY, Leaves, Position, Value, worst_for};
use super::heap::{Heap, Ordered};
use super::root::{Best, name_of};
use super::{NO_WINDOW, Search};
use crate::Result;
use crate::observer::{End, Observer as _};
use betacut_core::position::Key;
use betacut_core::window::Window;

impl Search<'_, '_> {
    /// Chooses among the first `move_count` root moves, each searched to `depth` plies below it.
    pub(super) fn enhanced_alpha_beta_ai(&mut self, root: &Position) -> Result<Best> {
        let depth = self.settings.depth;
        // 1. Each root move in order: from memory, or searched.
        let mut best = Best::new(self.settings.maximizing);
        let mut last = None;
        self.visit_root(root, depth, &mut best, |search, best| {
            search.line.push(&root.node);
            for ordered in search.reorder_moves(root, search.settings.maximizing)? {
                let child = root.node.placement_key_after(ordered.m);
                let value = search.visit(ordered.m, depth, NO_WINDOW, |search| {
                    if let Some(value) = search.recall(child) {
                        return Ok(value);
                    }
                    let value = search.enhanced_search(root, ordered, depth)?;
                    search.searched(ordered.m, None, value);
                    search.remember(child, value)?;
                    Ok(value)
                })?;
                last = Some(value);
                best.offer(ordered.m, value, search.played);
                if best.value == INFINITY {
                    break;
                }
            }
            search.line.pop();
            Ok(())
        })?;
        // 2. Remember the choice.
        self.played.add(best.m);
        if let Some(memory) = &mut self.memory {
            memory.store_name(name_of(best.m));
        }
        if let (Some(scores), Some(last)) = (&mut self.scores, last) {
            scores.store(root.node.placement_key(), last)?;
        }
        Ok(best)
    }

    /// The original's `alpha_beta_search` on the child after a root move; the line ends with the root.
    pub(super) fn enhanced_search(&mut self, root: &Position, ordered: Ordered, depth: u32) -> Result<Value> {
        self.calls.alpha_beta_search += 1;
        if depth == 0 || ordered.child.over {
            self.calls.evaluate += 1;
            self.observe_leaf_after(root, ordered.m, ordered.child);
            let value = ordered.child.value;
            self.remember(root.node.placement_key_after(ordered.m), value)?;
            return Ok(value);
        }
        let child = root.play(ordered.m);
        *self.calls.of_value(self.settings.maximizing) += 1;
        self.enhanced_alpha_beta(&child, depth, self.settings.maximizing, NO_WINDOW)
    }

    /// The value at `depth >= 1` of a game that goes on and is not remembered, with White to choose, or Black.
    fn enhanced_alpha_beta(
        &mut self,
        position: &Position,
        depth: u32,
        white: bool,
        mut window: Window,
    ) -> Result<Value> {
        let mut best = worst_for(white);
        self.observe_inner(position);
        self.line.push(&position.node);
        for ordered in self.reorder_moves(position, self.settings.maximizing)? {
            let child = position.node.placement_key_after(ordered.m);
            let value = self.visit(ordered.m, depth - 1, window, |search| {
                if let Some(value) = search.known(position, ordered, child, depth - 1, !white)? {
                    return Ok(value);
                }
                let position = position.play(ordered.m);
                search.enhanced_alpha_beta(&position, depth - 1, !white, window)
            })?;
            if self.cuts(white, value, &mut best, &mut window) {
                break;
            }
        }
        self.line.pop();
        self.remember(position.node.placement_key(), best)?;
        Ok(best)
    }

    /// The value of a child that is remembered, or else, after counting the call, of a leaf or finished game.
    fn known(
        &mut self,
        parent: &Position,
        ordered: Ordered,
        placement: Key,
        depth: u32,
        white: bool,
    ) -> Result<Option<Value>> {
        if let Some(value) = self.recall(placement) {
            return Ok(Some(value));
        }
        *self.calls.of_value(white) += 1;
        let child = ordered.child;
        if depth > 0 && !child.over {
            return Ok(None);
        }
        self.calls.evaluate += 1;
        self.observe_leaf_after(parent, ordered.m, child);
        self.remember(placement, child.value)?;
        Ok(Some(child.value))
    }

    /// The first `move_count` moves of a position from a heap by the value after them; the line ends with the position.
    pub(super) fn reorder_moves(&mut self, position: &Position, greatest_first: bool) -> Result<Take<Heap>> {
        self.calls.reorder_moves += 1;
        self.limits.node()?;
        let leaves = Leaves::of(position);
        let mut heap = Heap::new(greatest_first);
        for m in position.node.legal_moves() {
            let child = leaves.evaluate(m, &self.line);
            let score = self.score(position, m, child);
            heap.push(Ordered { score, m, child });
        }
        Ok(heap.take(self.settings.move_count))
    }

    /// What a move is ordered by: the evaluation after it, or with `ids` the score kept for that board.
    #[inline]
    fn score(&mut self, position: &Position, m: Move, child: Evaluation) -> Value {
        let known = self.scores.as_ref().and_then(|scores| scores.get(position.node.placement_key_after(m)));
        known.unwrap_or_else(|| {
            self.calls.evaluate += 1;
            child.value
        })
    }

    /// Asks the memory for a board.
    #[inline]
    fn recall(&mut self, placement: Key) -> Option<Value> {
        let value = self.memory.as_ref()?.get(placement);
        self.remembered += u64::from(value.is_some());
        if value.is_some() {
            self.observer.mark(End::Table);
        }
        value
    }

    /// Tells the memory and the scores, as far as there are any, the value of a board.
    #[inline]
    fn remember(&mut self, placement: Key, value: Value) -> Result<()> {
        if let Some(memory) = &mut self.memory {
            memory.store(placement, value)?;
        }
        if let Some(scores) = &mut self.scores {
            scores.store(placement, value)?;
        }
        Ok(())
    }
}
