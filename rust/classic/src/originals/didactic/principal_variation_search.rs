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
use super::{Place, Result, Search, SearchError};
use crate::observer::{End, Observer as _};
use betacut_core::window::Window;

impl Search<'_, '_, Incremental> {
    /// What `_value` does with the children of a node in their order, until one is too good for the other side to allow.
    pub(super) fn principal_variation(
        &mut self,
        position: &Position<Incremental>,
        place: Place,
    ) -> Result<Value> {
        if place.depth < 0 {
            return Err(SearchError::Endless);
        }
        let Window { alpha, beta } = place.window;
        let leaves = (place.depth == 1).then(|| Leaves::of(position));
        let mut best = alpha;
        self.line.push(&position.node);
        self.observe_moves(position);
        for m in self.ordered_moves(position, place.depth) {
            let mut value = best;
            // 1. Better than the best so far? The first that counts is searched without asking.
            let asked = best > alpha;
            if asked {
                value = -self.zero_width_child(position, leaves.as_ref(), m, place, -best)?;
            }
            // 2. By how much?
            if !asked || (best < value && value < beta) {
                let next = Place { window: Window { alpha: best, beta }, ..place }.next();
                value = -self.child(
                    position,
                    leaves.as_ref(),
                    m,
                    next,
                    |search, leaves| search.quiescence_leaf(leaves, m, next),
                    |search, child| search.value(child, next),
                )?;
            }
            if value >= beta {
                self.watch.mark(End::Cutoff);
                best = value;
                break;
            }
            best = best.max(value);
        }
        self.line.pop();
        Ok(best)
    }

    /// `_zero_width_search`: at least beta, or not.
    fn zero_width_search(&mut self, position: &Position<Incremental>, place: Place) -> Result<Value> {
        // 1. A finished game, or a leaf.
        self.counts.zero_width_search += 1;
        if let Some(value) = self.ended_or_quiet(position, place)? {
            return Ok(value);
        }
        // 2. The children in python-chess's order, until one is good enough.
        let Window { alpha, beta } = place.window;
        let leaves = (place.depth == 1).then(|| Leaves::of(position));
        let mut found = alpha;
        self.line.push(&position.node);
        self.observe_moves(position);
        for m in position.node.legal_moves() {
            let value = -self.zero_width_child(position, leaves.as_ref(), m, place, -alpha)?;
            if value >= beta {
                self.watch.mark(End::Cutoff);
                found = value;
                break;
            }
        }
        self.line.pop();
        Ok(found)
    }

    /// `_zero_width_search` of the child after `m`, below its own `beta`.
    #[inline(always)]
    fn zero_width_child(
        &mut self,
        position: &Position<Incremental>,
        leaves: Option<&Leaves<'_, Incremental>>,
        m: Move,
        place: Place,
        beta: Value,
    ) -> Result<Value> {
        let alpha = if is_mate(beta) { increased_mate(beta, 1) } else { beta - 1 };
        let next = Place { window: Window { alpha, beta }, ..place.next() };
        self.child(
            position,
            leaves,
            m,
            next,
            |search, leaves| {
                search.counts.zero_width_search += 1;
                search.ended_or_quiet_after(leaves, m, next)
            },
            |search, child| search.zero_width_search(child, next),
        )
    }
}
