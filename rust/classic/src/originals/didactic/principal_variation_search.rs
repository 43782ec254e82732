//! `PrincipalVariationSearch`: one child in full, of the others only whether they are better.
//!
//! **Contract.** `_value` as in [`super::move_ordering`], with captures as in [`super::quiescence_move_ordering`], and:
//!
//! 1. Until a child has raised alpha, children are searched in the whole window.
//! 2. After that [`Search::zero_width_search`] asks of each child whether it is worth more than alpha, and only one that is,
//!    and less than beta, is searched in full.
//! 3. A mate counts its plies from the root.
//!
//! The zero-width search has neither memory nor move ordering: python-chess's order all the way down. Its window is
//! (beta - 1, beta) for centipawns, and for mates a ply of distance wide.
//!
//! **Quirk.** For a mate that is received, `increased_mate` makes the score *better*, so alpha lies above beta: the window
//! is inverted.
//!
//! **Cost.** On the original's middlegame position at depth 4, 274 calls in full and 28,383 of zero width: half more
//! than the calls of [`super::quiescence_move_ordering`], in half the time, since they neither remember nor sort.
//!
//! Source: the original's section on enhanced algorithms; chessprogramming.org "Principal Variation Search".

use shakmaty::Move;

use super::evaluation::{Incremental, Leaves, Position};
use super::score::{Value, increased_mate, is_mate};
use super::tree::Watch;
use super::{Search, SearchError};
use crate::observer::End;

impl<W: Watch> Search<'_, '_, Incremental, W> {
    /// `_value` at `ply` plies from the root.
    pub(super) fn principal_variation_search(
        &mut self,
        position: &Position<Incremental>,
        depth: i32,
        ply: i32,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, SearchError> {
        let key = position.node.transposition_key();
        self.cached(key, position.turn(), depth, alpha, beta, |search, alpha, beta| {
            // 1. A finished game, or a leaf.
            if let Some(value) = search.ended_or_quiet(position, depth, ply, alpha, beta)? {
                return Ok(value);
            }
            if depth < 0 {
                return Err(SearchError::Endless);
            }
            // 2. The children in their order, until one is too good for the other side to allow.
            let leaves = (depth == 1).then(|| Leaves::of(position));
            let mut best = alpha;
            search.line.push(&position.node);
            search.observe_moves(position);
            for m in search.ordered_moves(position, depth) {
                let mut value = best;
                // 3. Better than the best so far? The first that counts is searched without asking.
                let asked = best > alpha;
                if asked {
                    value =
                        -search.zero_width_child(position, leaves.as_ref(), m, depth - 1, ply + 1, -best)?;
                }
                // 4. By how much?
                if !asked || (best < value && value < beta) {
                    value = -search.child(
                        position,
                        leaves.as_ref(),
                        m,
                        depth - 1,
                        (-beta, -best),
                        |search, leaves| search.quiescence_leaf(leaves, m, ply + 1, -beta, -best),
                        |search, child| {
                            search.principal_variation_search(child, depth - 1, ply + 1, -beta, -best)
                        },
                    )?;
                }
                if value >= beta {
                    search.ends(End::Cutoff);
                    best = value;
                    break;
                }
                best = best.max(value);
            }
            search.line.pop();
            Ok(best)
        })
    }

    /// `_zero_width_search`: at least beta, or not.
    fn zero_width_search(
        &mut self,
        position: &Position<Incremental>,
        depth: i32,
        ply: i32,
        beta: Value,
    ) -> Result<Value, SearchError> {
        // 1. A finished game, or a leaf.
        self.counts.zero_width_search += 1;
        let alpha = just_below(beta);
        if let Some(value) = self.ended_or_quiet(position, depth, ply, alpha, beta)? {
            return Ok(value);
        }
        // 2. The children in python-chess's order, until one is good enough.
        let leaves = (depth == 1).then(|| Leaves::of(position));
        let mut found = alpha;
        self.line.push(&position.node);
        self.observe_moves(position);
        for m in position.node.legal_moves() {
            let value = -self.zero_width_child(position, leaves.as_ref(), m, depth - 1, ply + 1, -alpha)?;
            if value >= beta {
                self.ends(End::Cutoff);
                found = value;
                break;
            }
        }
        self.line.pop();
        Ok(found)
    }

    /// `_zero_width_search` of the child after `m`.
    #[inline(always)]
    fn zero_width_child(
        &mut self,
        position: &Position<Incremental>,
        leaves: Option<&Leaves<'_, Incremental>>,
        m: Move,
        depth: i32,
        ply: i32,
        beta: Value,
    ) -> Result<Value, SearchError> {
        self.child(
            position,
            leaves,
            m,
            depth,
            (just_below(beta), beta),
            |search, leaves| search.zero_width_leaf(leaves, m, ply, beta),
            |search, child| search.zero_width_search(child, depth, ply, beta),
        )
    }

    /// `_zero_width_search` of a child at depth 0.
    fn zero_width_leaf(
        &mut self,
        leaves: &Leaves<'_, Incremental>,
        m: Move,
        ply: i32,
        beta: Value,
    ) -> Result<Value, SearchError> {
        self.counts.zero_width_search += 1;
        if let Some(ended) = self.evaluate_after(leaves, m)? {
            return Ok(self.ended_at(ended, ply));
        }
        self.first_quiescence_after(leaves, m, just_below(beta), beta)
    }
}

/// The lower end of the narrowest window below `beta`.
const fn just_below(beta: Value) -> Value {
    if is_mate(beta) { increased_mate(beta, 1) } else { beta - 1 }
}
