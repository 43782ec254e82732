//! `NegamaxSearch` and `NegamaxSearchMemo`: every line to a fixed depth.
//!
//! **Contract.** Scores stay in the view of the side that started the search, which takes the greatest while the other
//! takes the smallest: minimax, whatever its name. Of equal moves the first one counts. A node with a single legal move
//! costs no depth (the singular extension). A move that ends the game is valued and not entered. With a memo a node is
//! looked up before anything else and stored when it is done; leaves are not stored.
//!
//! **Quirk.** What is remembered was found on another path, whose score is part of it.
//!
//! **Cost.** All nodes: about w^depth leaves for w moves a position, none of them made unless it may be over.
//!
//! Source: the original's `NegamaxAlgorithm`.

use super::alpha_beta::FULL;
use super::evaluation::Place;
use super::memo::{Entry, NodeResult};
use super::{Best, Search, Step, is_single};
use crate::Result;
use crate::observer::{End, Observer};
use crate::originals::node::Node;
use betacut_core::position::Key;
use betacut_core::window::Bound;

impl<O: Observer> Search<'_, '_, '_, O> {
    /// The best of the moves of `node`, at the end of the line, with `place.depth >= 1`.
    pub(super) fn negamax(&mut self, node: &Node, place: Place) -> Result<NodeResult> {
        self.enter(place)?;
        // 1. What was found at this depth before.
        let key = self.memo.is_some().then(|| node.state_key_with(place.depth));
        if let Some(found) = self.remembered(key) {
            return Ok(found);
        }
        // 2. A single move costs no depth.
        let moves = node.legal_moves();
        let single = is_single(&moves);
        let step = Step { depth: if single { place.depth } else { place.depth - 1 }, single, capture: false };
        // 3. The best of the moves, the first one if there are several.
        let terminal_filter = self.terminal_filter(node, step.depth == 0);
        let mut best = Best::new(place.ai_turn);
        self.line.push(node);
        self.observer.tell(|recorder| recorder.has_moves(node.legal_moves().count()));
        for m in moves {
            let lines = self.lines.len();
            let found = if step.depth == 0 {
                self.visit(Some(m), 0, FULL, |search| search.leaf(node, m, place, terminal_filter.as_ref()))?
            } else {
                self.visit(Some(m), step.depth, FULL, |search| {
                    search.child(node, m, place, step, Self::negamax)
                })?
            };
            if !best.offer(m, found) {
                self.forget_lines(lines);
            }
        }
        self.line.pop();
        // 4. Its line and, with a memo, a place to be found in.
        let found = best.found(self.lines)?;
        if let (Some(memo), Some(key)) = (&mut self.memo, key) {
            memo.store(key, Entry { found, bound: Bound::Exact })?;
        }
        Ok(found)
    }

    /// What the memo knows under a key; counted if it does.
    #[inline]
    fn remembered(&mut self, key: Option<Key>) -> Option<NodeResult> {
        let entry = self.memo.as_ref()?.get(key?)?;
        self.counts.cache_hits += 1;
        self.observer.mark(End::Table);
        Some(entry.found)
    }
}
