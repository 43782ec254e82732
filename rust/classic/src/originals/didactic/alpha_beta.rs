//! `AlphaBetaEngine`: minimax that skips what cannot change the value, in the two forms of the original.
//!
//! **Contract.** [`Search::alpha_beta_white`] compares in White's view on both sides: White cuts at `value >= beta`, Black
//! at `alpha >= value`. [`Search::alpha_beta`] is its negamax form, with the view of the side to move. Both return the value
//! that cut (*fail-soft* above) and otherwise the bound (*fail-hard* below), and look at the same nodes. Every root move
//! has the whole window, so its value is minimax's.
//!
//! **Cost.** About the power 0.7 of minimax's nodes.
//!
//! Source: the original's section on alpha-beta pruning.

use super::evaluation::{Evaluator, Leaves, Position, relative};
use super::score::Value;
use super::{Place, Result, Search};
use crate::observer::{End, Observer as _};

impl<E: Evaluator> Search<'_, '_, E> {
    /// The value of a position in a window: the view of the side to move.
    pub(super) fn alpha_beta(&mut self, position: &Position<E>, place: Place) -> Result<Value> {
        self.called(position, place.depth, 1, |search| {
            search.best_child(
                position,
                place,
                position.node.legal_moves(),
                |search, leaves, m, _place| search.leaf(leaves, m, 1),
                Self::alpha_beta,
            )
        })
    }

    /// The same, found in White's view.
    pub(super) fn alpha_beta_white(&mut self, position: &Position<E>, place: Place) -> Result<Value> {
        let (turn, mut window) = (position.turn(), place.window.seen_by(position.turn()));
        self.called(position, place.depth, 1, |search| {
            let leaves = (place.depth == 1).then(|| Leaves::of(position));
            let mut cut = None;
            search.line.push(&position.node);
            search.observe_moves(position);
            for m in position.node.legal_moves() {
                let next = Place { window: window.seen_by(!turn), ..place.next() };
                let value = search.child(
                    position,
                    leaves.as_ref(),
                    m,
                    next,
                    |search, leaves| search.leaf(leaves, m, 1),
                    |search, child| search.alpha_beta_white(child, next),
                )?;
                // White raises alpha, Black lowers beta, until they meet.
                let value = relative(!turn, value);
                if turn.fold_wb(value >= window.beta, window.alpha >= value) {
                    search.watch.mark(End::Cutoff);
                    cut = Some(value);
                    break;
                }
                window = turn.fold_wb(window.raise_alpha(value), window.lower_beta(value));
            }
            search.line.pop();
            Ok(relative(turn, cut.unwrap_or(turn.fold_wb(window.alpha, window.beta))))
        })
    }
}
