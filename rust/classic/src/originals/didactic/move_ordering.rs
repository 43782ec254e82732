//! `MoveOrderingEngine`: the first prototype with the children of a node in the order of what the memory says.
//!
//! **Contract.** `_value` as in [`super::quiescence`], but [`Search::ordered_moves`] come in the order of their entries in
//! the memory, the child that is worst for the other side first, those without an entry after them as python-chess lists
//! them. An entry counts if it is of at least the node's depth less two, exact or not.
//!
//! **Quirk.** A mate is worth the same at any distance, unlike in the prototypes.
//!
//! **Cost.** A lookup for each legal move of a node; on the middlegame position of the original half the nodes at depth 4.
//!
//! Source: the original's section on enhanced algorithms.

use shakmaty::Move;

use super::evaluation::{Incremental, Position};
use super::score::Value;
use super::tree::Watch;
use super::{Search, SearchError};

impl<W: Watch> Search<'_, '_, Incremental, W> {
    /// `_value` at `ply` plies from the root.
    pub(super) fn ordered_value(
        &mut self,
        position: &Position<Incremental>,
        depth: i32,
        ply: i32,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, SearchError> {
        let key = position.node.transposition_key();
        self.cached(key, position.turn(), depth, alpha, beta, |search, alpha, beta| {
            if let Some(value) = search.ended_or_quiet(position, depth, ply, alpha, beta)? {
                return Ok(value);
            }
            // The best of the children in their order, until one is too good for the other side to allow.
            let moves = search.ordered_moves(position, depth);
            search.best_child(
                position,
                depth,
                (alpha, beta),
                moves,
                |search, leaves, m, (alpha, beta)| search.quiescence_leaf(leaves, m, ply + 1, alpha, beta),
                |search, child, (alpha, beta)| search.ordered_value(child, depth - 1, ply + 1, alpha, beta),
            )
        })
    }

    /// `_get_moves`: the moves of a node at `depth`, best first as far as is known.
    pub(super) fn ordered_moves(
        &self,
        position: &Position<Incremental>,
        depth: i32,
    ) -> impl Iterator<Item = Move> + use<W> {
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for m in position.node.legal_moves() {
            match self.cache.load(position.node.transposition_key_after(m), depth - 2) {
                Some(entry) => known.push((entry.value, m)),
                None => unknown.push(m),
            }
        }
        known.sort_by_key(|&(value, _)| value);
        known.into_iter().map(|(_, m)| m).chain(unknown)
    }
}
