//! `QuiescenceEngine`: where the depth ends, captures go on until the score can be trusted.
//!
//! **Contract.** `_value` is the cached alpha-beta with [`Search::quiescence`] in place of the heuristic. That has the view
//! of the side to move, which may always *stand pat* on the score it has:
//!
//! 1. A score of at least beta returns beta (*fail-hard*).
//! 2. Captures are looked at in python-chess's order. Unless it promotes, a capture is skipped if the score, what it takes
//!    and a margin of 200 do not reach alpha (*delta pruning*), or if its exchange loses ([`super::see`]).
//! 3. A value of at least beta returns that value (*fail-soft*).
//!
//! There is no test for the end of the game, no care for checks, no limit of depth and no memory in it.
//!
//! **Cost.** One to five calls of `_quiescence` for each leaf, and about as many exchanges.
//!
//! Source: the original's section on quiescence search.

use shakmaty::{Chess, Move, Position as _};

use super::evaluation::{Evaluator, Incremental, Leaves, Position, relative};
use super::score::{Value, increased_mate};
use super::see::captured_value;
use super::tree::Watch;
use super::{Captures, Search, SearchError};
use crate::observer::End;
use betacut_core::move_order::python_chess::LegalMoves;

/// What a capture may miss alpha by: about two pawns for what the position may be worth besides.
pub(super) const DELTA: Value = 200;

/// What `_quiescence` needs of a position: the moves, and the evaluator's sum.
#[derive(Clone, Debug)]
pub(super) struct Calm {
    pub(super) chess: Chess,
    pub(super) sum: Value,
}

impl Calm {
    /// The score, the view of the side to move.
    #[inline]
    pub(super) fn score(&self) -> Value {
        relative(self.chess.turn(), self.sum)
    }
}

impl<W: Watch> Search<'_, '_, Incremental, W> {
    /// `_value` at `ply` plies from the root.
    pub(super) fn quiescence_value(
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
            // The best of the children, until one is too good for the other side to allow.
            let moves = position.node.legal_moves();
            search.best_child(
                position,
                depth,
                (alpha, beta),
                moves,
                |search, leaves, m, (alpha, beta)| search.quiescence_leaf(leaves, m, ply + 1, alpha, beta),
                |search, child, (alpha, beta)| {
                    search.quiescence_value(child, depth - 1, ply + 1, alpha, beta)
                },
            )
        })
    }

    /// The value of a finished game or of a leaf, at `ply` plies from the root.
    #[inline(always)]
    pub(super) fn ended_or_quiet(
        &mut self,
        position: &Position<Incremental>,
        depth: i32,
        ply: i32,
        alpha: Value,
        beta: Value,
    ) -> Result<Option<Value>, SearchError> {
        if let Some(ended) = self.evaluate(position)? {
            return Ok(Some(self.ended_at(ended, ply)));
        }
        self.limits.node()?;
        if depth == 0 { self.quiescence(position, alpha, beta).map(Some) } else { Ok(None) }
    }

    /// `_value` of a child at depth 0, which is `ply` plies from the root.
    pub(super) fn quiescence_leaf(
        &mut self,
        leaves: &Leaves<'_, Incremental>,
        m: Move,
        ply: i32,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, SearchError> {
        let key = leaves.parent.node.transposition_key_after(m);
        self.cached(key, !leaves.parent.turn(), 0, alpha, beta, |search, alpha, beta| {
            if let Some(ended) = search.evaluate_after(leaves, m)? {
                return Ok(search.ended_at(ended, ply));
            }
            search.first_quiescence_after(leaves, m, alpha, beta)
        })
    }

    /// [`Search::quiescence_after`] where the depth ends.
    #[inline]
    pub(super) fn first_quiescence_after(
        &mut self,
        leaves: &Leaves<'_, Incremental>,
        m: Move,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, SearchError> {
        self.visit(None, 0, !leaves.parent.turn(), (alpha, beta), |search| {
            search.quiescence_after(leaves.parent.node.chess(), leaves.parent.sum, m, alpha, beta)
        })
    }

    /// A finished game's value, at `ply` plies from the root: some engines count a mate's distance.
    #[inline]
    pub(super) fn ended_at(&self, ended: Value, ply: i32) -> Value {
        if self.style.mates_count_plies { increased_mate(ended, ply) } else { ended }
    }

    /// `_quiescence`.
    pub(super) fn quiescence(
        &mut self,
        position: &Position<Incremental>,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, SearchError> {
        let calm = Calm { chess: position.node.chess().clone(), sum: position.sum };
        self.visit(None, 0, position.turn(), (alpha, beta), |search| {
            search.counts.quiescence += 1;
            let stand_pat = calm.score();
            if W::OBSERVED {
                search.observe_calm(&calm, stand_pat >= beta);
            }
            let value =
                if stand_pat >= beta { beta } else { search.captures(&calm, alpha.max(stand_pat), beta)? };
            search.watch.quiescence_returned()?;
            Ok(value)
        })
    }

    /// Tells whoever records how many moves there are, the score, and whether it decides.
    #[cold]
    fn observe_calm(&mut self, calm: &Calm, decides: bool) {
        if let Some(recorder) = self.watch.recorder() {
            recorder.has_moves(calm.chess.legal_moves().len());
            recorder.scored(calm.sum);
            if decides {
                recorder.ends(End::StandPat);
            }
        }
    }

    /// `_quiescence` after the legal move `m`, which is made only if the score does not decide.
    #[inline]
    pub(super) fn quiescence_after(
        &mut self,
        parent: &Chess,
        sum: Value,
        m: Move,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, SearchError> {
        self.counts.quiescence += 1;
        let sum = self.evaluator.sum_after(sum, parent.turn(), m);
        let stand_pat = relative(!parent.turn(), sum);
        if W::OBSERVED {
            let mut chess = parent.clone();
            chess.play_unchecked(m);
            self.observe_calm(&Calm { chess, sum }, stand_pat >= beta);
        }
        let value = if stand_pat >= beta {
            beta
        } else {
            let mut chess = parent.clone();
            chess.play_unchecked(m);
            self.captures(&Calm { chess, sum }, alpha.max(stand_pat), beta)?
        };
        self.watch.quiescence_returned()?;
        Ok(value)
    }

    /// The captures of a position whose score is in the window; alpha has been raised to it.
    fn captures(&mut self, calm: &Calm, alpha: Value, beta: Value) -> Result<Value, SearchError> {
        self.limits.node()?;
        match self.style.captures {
            Captures::InOrder => self.captures_in_order(calm, alpha, beta),
            Captures::Sorted(bad) => self.captures_sorted(calm, bad, alpha, beta),
        }
    }

    /// `_quiescence` after a capture.
    #[inline(always)]
    pub(super) fn next_quiescence(
        &mut self,
        calm: &Calm,
        m: Move,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, SearchError> {
        // The original counts no depth here; a recorder does.
        let depth = self.watch.recorder().map_or(0, |recorder| recorder.depth() - 1);
        self.visit(Some(m), depth, !calm.chess.turn(), (alpha, beta), |search| {
            search.quiescence_after(&calm.chess, calm.sum, m, alpha, beta)
        })
    }

    /// The captures in python-chess's order.
    fn captures_in_order(
        &mut self,
        calm: &Calm,
        mut alpha: Value,
        beta: Value,
    ) -> Result<Value, SearchError> {
        let stand_pat = calm.score();
        for m in LegalMoves::captures(&calm.chess) {
            if m.promotion().is_none() {
                if stand_pat + captured_value(m) + DELTA < alpha {
                    continue;
                }
                if self.counts.exchange.push_pop(&calm.chess, m) < 0 {
                    continue;
                }
            }
            self.watch.descend(m);
            let value = -self.next_quiescence(calm, m, -beta, -alpha)?;
            self.watch.ascend();
            if value >= beta {
                self.ends(End::Cutoff);
                return Ok(value);
            }
            alpha = alpha.max(value);
        }
        Ok(alpha)
    }
}
