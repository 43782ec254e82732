//! `PrototypeV1Engine`: deepening, memory, incremental evaluation and quiescence in one engine.
//!
//! **Contract.** `_value` is that of [`super::quiescence`], with mates that count the plies from the root (a mate found in
//! the memory keeps the count of its first visit). The evaluator is started once, at the root. There are two ways to ask:
//!
//! - [`Search::analyse`] searches each root move at depths 1, 2, … in the whole window, so that each has its own value.
//! - [`Search::play`] searches the root itself at depths 0, 1, …, which lets root moves share a window, and then looks for
//!   its moves in the memory ([`Search::find_moves`]): those whose entry is exact and equal to the root's score. The
//!   original draws one of them.
//!
//! **Where the original crashes.** If no move is found, as on a finished game, an assertion fails.
//!
//! The engines with ordered moves play and analyse alike.
//!
//! Source: the original's section on the first prototype.

use shakmaty::Move;

use super::evaluation::{Incremental, Position};
use super::score::{Value, is_mate};
use super::{Place, Result, Search};
use crate::originals::tablebase::has_few_men;
use betacut_core::window::Bound;

impl Search<'_, '_, Incremental> {
    /// `play`: the root's value at the last depth, its own view, and the moves that have it.
    pub(super) fn play(
        &mut self,
        root: &Position<Incremental>,
        max_depth: i32,
    ) -> Result<(Value, Vec<Move>)> {
        let mut score = 0;
        for depth in 0..=max_depth {
            let place = Place::whole(depth, 0);
            score = self.visit(None, root.turn(), place, |search| search.value(root, place))?;
            if self.style.is_second_prototype && is_mate(score) && has_few_men(root.node.board()) {
                return self.look_at_root_moves(root, depth, score);
            }
        }
        Ok((score, self.find_moves(root, max_depth, score)))
    }

    /// `_find_move`: the root moves that the memory knows to have the root's score.
    fn find_moves(&self, root: &Position<Incremental>, max_depth: i32, score: Value) -> Vec<Move> {
        let has_the_score = |m: &Move| {
            let entry = self.cache.load(root.node.transposition_key_after(*m), max_depth - 1);
            entry.is_some_and(|entry| entry.bound == Bound::Exact && -entry.value == score)
        };
        root.node.legal_moves().filter(has_the_score).collect()
    }
}
