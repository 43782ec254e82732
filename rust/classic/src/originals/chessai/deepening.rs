//! `AlphaBetaPruningPD` and `AlphaBetaPruningQuiescence`: progressive deepening.
//!
//! **Contract.** Alpha-beta with a memo to depth 1, 2, … up to the depth asked for, all with one memo. Its keys hold the
//! depth, so no limit is answered by an earlier one; what an earlier one found orders the moves: by the score of the child
//! at the depth the last limit searched it to, the best for the side to move first, 0 for a child not found there, equal
//! scores in the order they had. Leaves are not stored, so this begins at nodes with depth 3.
//!
//! A limit that finds a mate for the side that started the search ends it. The score is then corrected to what a search
//! with the full depth would have given, if the limit found the mate with its last ply.
//!
//! **Quirks.** Bounds order moves as if they were exact. Mates against the side that started the search do not stop it.
//!
//! Source: the original's `AlphaBetaAlgorithm`.

use shakmaty::Move;

use super::Search;
use super::evaluation::{CHECKMATE, FULL, Place};
use super::memo::{LineId, NodeResult};
use crate::Result;
use crate::originals::node::Node;
use betacut_core::move_order::sort_by_rank;
use betacut_core::score::Score;

impl Search<'_, '_, '_> {
    /// Searches `root`, where the game is not over, to depth 1, 2, … `depth`.
    pub(super) fn progressive_deepening(&mut self, root: &Node, depth: u32) -> Result<NodeResult> {
        let mut found = NodeResult { score: 0, used_endgame: false, line: LineId::EMPTY };
        for limit in 1..=depth {
            let place = Place::root(limit);
            found = self.visit(None, limit, FULL, |search| search.alpha_beta::<true>(root, place, FULL))?;
            if found.score >= CHECKMATE {
                let score = CHECKMATE + (depth - limit + 1) as Score;
                return Ok(NodeResult { score, ..found });
            }
        }
        Ok(found)
    }

    /// The moves of `node` by what the memo knows of their children; none if that is nothing in any case.
    pub(super) fn ordered_moves(&self, node: &Node, place: Place) -> Option<Vec<Move>> {
        let memo = self.memo.as_ref().filter(|_| self.order_moves && place.depth >= 3)?;
        let known = |m: Move| memo.get(node.play(m).state_key_with(place.depth - 2));
        let score = |m: Move| known(m).map_or(0, |entry| entry.found.score);
        let rank = |m| i64::from(if place.ai_turn { -score(m) } else { score(m) });
        let mut moves: Vec<_> = node.legal_moves().map(|m| (rank(m), m)).collect();
        sort_by_rank(&mut moves);
        Some(moves.into_iter().map(|(_, m)| m).collect())
    }
}
