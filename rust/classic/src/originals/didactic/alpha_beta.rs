//! `AlphaBetaEngine`: minimax that skips what cannot change the value, in the two forms of the original.
//!
//! **Contract.** [`Search::alpha_beta_white`] has White's view on both sides: White cuts at `value >= beta`, Black at
//! `alpha >= value`. [`Search::alpha_beta`] is its negamax form, with the view of the side to move. Both return the value
//! that cut (*fail-soft* above) and otherwise the bound (*fail-hard* below), and look at the same nodes. Every root move
//! has the whole window, so its value is minimax's.
//!
//! **Cost.** About the power 0.7 of minimax's nodes.
//!
//! Source: the original's section on alpha-beta pruning.

use shakmaty::Color;

use super::evaluation::{Evaluator, Leaves, Position, relative};
use super::score::Value;
use super::tree::Watch;
use super::{Search, SearchError};
use crate::observer::End;

impl<E: Evaluator, W: Watch> Search<'_, '_, E, W> {
    /// The value of a position in a window: the view of the side to move.
    pub(super) fn alpha_beta(
        &mut self,
        position: &Position<E>,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, SearchError> {
        // 1. Count; a finished game and a leaf are worth what the evaluator says.
        self.watch.value_called(depth);
        self.counts.value += 1;
        self.counts.evaluate += 1;
        self.limits.node()?;
        let value = if let Some(ended) = self.ended(position) {
            ended
        } else if depth == 0 {
            self.heuristic(position)
        } else {
            // 2. Otherwise the best of the children, until one is too good for the other side to allow.
            let moves = position.node.legal_moves();
            self.best_child(
                position,
                depth,
                (alpha, beta),
                moves,
                |search, leaves, m, _window| search.leaf(leaves, m, 1),
                |search, child, (alpha, beta)| search.alpha_beta(child, depth - 1, alpha, beta),
            )?
        };
        self.watch.value_returned()?;
        Ok(value)
    }

    /// The value of a position in a window: White's view.
    pub(super) fn alpha_beta_white(
        &mut self,
        position: &Position<E>,
        depth: i32,
        mut alpha: Value,
        mut beta: Value,
    ) -> Result<Value, SearchError> {
        // 1. Count; a finished game and a leaf are worth what the evaluator says.
        self.watch.value_called(depth);
        self.counts.value += 1;
        self.counts.evaluate += 1;
        self.limits.node()?;
        let turn = position.turn();
        if let Some(ended) = self.ended(position) {
            self.watch.value_returned()?;
            return Ok(relative(turn, ended));
        }
        if depth == 0 {
            self.watch.value_returned()?;
            return Ok(relative(turn, self.heuristic(position)));
        }
        // 2. Otherwise the best of the children: White raises alpha, Black lowers beta, until they meet.
        let leaves = (depth == 1).then(|| Leaves::of(position));
        let mut cut = None;
        self.line.push(&position.node);
        self.observe_moves(position);
        for m in position.node.legal_moves() {
            let window = turn.fold_wb((-beta, -alpha), (alpha, beta));
            let value = self.child(
                position,
                leaves.as_ref(),
                m,
                depth - 1,
                window,
                |search, leaves| search.leaf(leaves, m, 1),
                |search, child| Ok(relative(!turn, search.alpha_beta_white(child, depth - 1, alpha, beta)?)),
            )?;
            let value = relative(!turn, value);
            let too_good = if turn == Color::White { value >= beta } else { alpha >= value };
            if too_good {
                self.ends(End::Cutoff);
                cut = Some(value);
                break;
            }
            if turn == Color::White {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
        }
        self.line.pop();
        self.watch.value_returned()?;
        Ok(cut.unwrap_or(turn.fold_wb(alpha, beta)))
    }
}
