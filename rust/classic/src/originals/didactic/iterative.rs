//! `IterativeAlphaBeta` and `IterativeAlphaBetaCached`: depth after depth, the second with a memory.
//!
//! **Contract.** The root moves are searched at depths 1, 2, … one after the other, and the last depth is the answer.
//! Without a memory that is alpha-beta again and the shallower depths are wasted. With it each call of `_value` goes
//! through [`Search::cached`]:
//!
//! 1. An entry of at least this depth answers if it is exact; a bound narrows the window, and answers if nothing is left
//!    of it. So a position may get the value of a deeper search.
//! 2. What is found in the *narrowed* window is stored as exact or as a bound of that window.
//!
//! The memory starts empty with each search and is shared by the depths and root moves of it.
//! `IncrementalIterativeAlphaBetaCached` is the same with the evaluator kept by increments, started anew *after* each
//! root move: whether the kings are in the endgame may differ from one root move to the next, and values of both kinds
//! meet in the memory.
//!
//! **Cost.** At small depths more than alpha-beta's: transpositions are rare there.
//!
//! Source: the original's sections on iterative deepening and on the simplified evaluation.

use shakmaty::{Color, Move};

use super::evaluation::{Evaluator, Leaves, Position};
use super::score::Value;
use super::{Place, Result, Search, fitted};
use crate::observer::{End, Observer as _};
use betacut_core::position::Key;
use betacut_core::window::Bound;

impl<E: Evaluator> Search<'_, '_, E> {
    /// A call of `_value` with `turn` to move: from memory, or else by `search` in what is left of the window.
    #[inline(always)]
    pub(super) fn cached(
        &mut self,
        key: Key,
        turn: Color,
        mut place: Place,
        search: impl FnOnce(&mut Self, Place) -> Result<Value>,
    ) -> Result<Value> {
        self.watch.value_called(place.depth);
        self.counts.value += 1;
        // 1. What is known.
        if let Some(known) = self.cache.load(key, place.depth) {
            let is_exact = known.bound == Bound::Exact;
            if !is_exact {
                place.window = place.window.narrowed(known.bound, known.value);
            }
            if is_exact || place.window.alpha >= place.window.beta {
                self.watch.mark(End::Table);
                self.watch.value_returned()?;
                return Ok(known.value);
            }
            self.watch.tell(|recorder| recorder.narrowed(fitted(turn, place.window)));
        }
        // 2. What is found.
        let value = search(self, place)?;
        self.cache.store(key, value, place.depth, place.window)?;
        self.watch.value_returned()?;
        Ok(value)
    }

    /// [`Search::alpha_beta`] with a memory.
    pub(super) fn cached_alpha_beta(&mut self, position: &Position<E>, place: Place) -> Result<Value> {
        let key = position.node.transposition_key();
        self.cached(key, position.turn(), place, |search, place| {
            // 1. Count; a finished game and a leaf are worth what the evaluator says.
            search.counts.evaluate += 1;
            search.limits.node()?;
            if let Some(ended) = search.ended(position) {
                return Ok(ended);
            }
            if place.depth == 0 {
                return Ok(search.heuristic(position, 1));
            }
            // 2. Otherwise the best of the children, until one is too good for the other side to allow.
            let moves = position.node.legal_moves();
            search.best_child(position, place, moves, Self::cached_leaf, Self::cached_alpha_beta)
        })
    }

    /// The same for a child at depth 0.
    fn cached_leaf(&mut self, leaves: &Leaves<'_, E>, m: Move, place: Place) -> Result<Value> {
        let key = leaves.parent.node.transposition_key_after(m);
        self.cached(key, !leaves.parent.turn(), place, |search, _place| {
            search.counts.evaluate += 1;
            Ok(search.leaf_value(leaves, m, 1))
        })
    }
}
