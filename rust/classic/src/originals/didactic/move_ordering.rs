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

use super::Search;
use super::evaluation::{Incremental, Position};
use betacut_core::move_order::sort_by_rank;

impl Search<'_, '_, Incremental> {
    /// `_get_moves`: the moves of a node at `depth`, best first as far as is known.
    pub(super) fn ordered_moves(
        &self,
        position: &Position<Incremental>,
        depth: i32,
    ) -> impl Iterator<Item = Move> + use<> {
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for m in position.node.legal_moves() {
            match self.cache.load(position.node.transposition_key_after(m), depth - 2) {
                Some(entry) => known.push((i64::from(entry.value), m)),
                None => unknown.push(m),
            }
        }
        sort_by_rank(&mut known);
        known.into_iter().map(|(_, m)| m).chain(unknown)
    }
}
