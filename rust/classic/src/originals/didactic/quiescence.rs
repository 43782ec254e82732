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

use shakmaty::{Chess, Color, Move, Position as _};

use super::evaluation::{Evaluator, Incremental, Leaves, Position, relative};
use super::score::{Value, increased_mate};
use super::see::captured_value;
use super::{Place, Result, Search, ValueFunction};
use crate::observer::{End, Observer as _};
use betacut_core::move_order::python_chess::LegalMoves;
use betacut_core::window::Window;

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

impl Search<'_, '_, Incremental> {
    /// `_value` of the engines that keep their evaluator by increments.
    pub(super) fn value(&mut self, position: &Position<Incremental>, place: Place) -> Result<Value> {
        if self.style.value == ValueFunction::Cached {
            return self.cached_alpha_beta(position, place);
        }
        let key = position.node.transposition_key();
        self.cached(key, position.turn(), place, |search, place| {
            // 1. A finished game, or a leaf.
            if let Some(value) = search.ended_or_quiet(position, place)? {
                return Ok(value);
            }
            // 2. The best of the children, until one is too good for the other side to allow.
            match search.style.value {
                ValueFunction::PrincipalVariation => search.principal_variation(position, place),
                ValueFunction::Ordered => {
                    let moves = search.ordered_moves(position, place.depth);
                    search.best_child(position, place, moves, Self::quiescence_leaf, Self::value)
                }
                _ => {
                    let moves = position.node.legal_moves();
                    search.best_child(position, place, moves, Self::quiescence_leaf, Self::value)
                }
            }
        })
    }

    /// The value of a finished game or of a leaf.
    #[inline(always)]
    pub(super) fn ended_or_quiet(
        &mut self,
        position: &Position<Incremental>,
        place: Place,
    ) -> Result<Option<Value>> {
        if let Some(ended) = self.evaluate(position)? {
            return Ok(Some(self.ended_at(ended, place.ply)));
        }
        self.limits.node()?;
        if place.depth != 0 {
            return Ok(None);
        }
        let (turn, sum, window) = (position.turn(), position.sum, place.window);
        self.visit(None, turn, place, |search| {
            search.quiescence(turn, sum, window, || position.node.chess().clone())
        })
        .map(Some)
    }

    /// `_value` of a child at depth 0.
    pub(super) fn quiescence_leaf(
        &mut self,
        leaves: &Leaves<'_, Incremental>,
        m: Move,
        place: Place,
    ) -> Result<Value> {
        let key = leaves.parent.node.transposition_key_after(m);
        self.cached(key, !leaves.parent.turn(), place, |search, place| {
            search.ended_or_quiet_after(leaves, m, place)
        })
    }

    /// [`Search::ended_or_quiet`] of a child at depth 0.
    #[inline]
    pub(super) fn ended_or_quiet_after(
        &mut self,
        leaves: &Leaves<'_, Incremental>,
        m: Move,
        place: Place,
    ) -> Result<Value> {
        if let Some(ended) = self.evaluate_after(leaves, m)? {
            return Ok(self.ended_at(ended, place.ply));
        }
        let parent = leaves.parent;
        self.visit(None, !parent.turn(), place, |search| {
            search.quiescence_after(parent.node.chess(), parent.sum, m, place.window)
        })
    }

    /// A finished game's value, at `ply` plies from the root: some engines count a mate's distance.
    #[inline]
    fn ended_at(&self, ended: Value, ply: i32) -> Value {
        if self.style.mates_count_plies { increased_mate(ended, ply) } else { ended }
    }

    /// `_quiescence` of a position with `turn` to move and this sum, which is made only if the score does not decide.
    #[inline(always)]
    fn quiescence(
        &mut self,
        turn: Color,
        sum: Value,
        window: Window,
        make: impl Fn() -> Chess,
    ) -> Result<Value> {
        self.counts.quiescence += 1;
        let stand_pat = relative(turn, sum);
        let decides = stand_pat >= window.beta;
        self.watch.tell(|recorder| {
            recorder.has_moves(make().legal_moves().len());
            recorder.scored(sum);
            if decides {
                recorder.ends(End::StandPat);
            }
        });
        let value = if decides {
            window.beta
        } else {
            self.captures(&Calm { chess: make(), sum }, window.raise_alpha(stand_pat))?
        };
        self.watch.quiescence_returned()?;
        Ok(value)
    }

    /// `_quiescence` after the legal move `m`.
    #[inline]
    fn quiescence_after(&mut self, parent: &Chess, sum: Value, m: Move, window: Window) -> Result<Value> {
        let sum = self.evaluator.sum_after(sum, parent.turn(), m);
        self.quiescence(!parent.turn(), sum, window, || {
            let mut chess = parent.clone();
            chess.play_unchecked(m);
            chess
        })
    }

    /// The captures of a position whose score is in the window; alpha has been raised to it.
    fn captures(&mut self, calm: &Calm, window: Window) -> Result<Value> {
        self.limits.node()?;
        if self.style.sorts_captures {
            self.captures_sorted(calm, window)
        } else {
            self.captures_in_order(calm, window)
        }
    }

    /// `_quiescence` after a capture, in the window before it; the value for the side that captures.
    #[inline(always)]
    pub(super) fn after_capture(&mut self, calm: &Calm, m: Move, window: Window) -> Result<Value> {
        // The original counts no depth here; a recorder does.
        let depth = self.watch.recorder().map_or(0, |recorder| recorder.depth() - 1);
        let place = Place { window: window.turned(), ..Place::whole(depth, 0) };
        self.watch.descend(m);
        let value = -self.visit(Some(m), !calm.chess.turn(), place, |search| {
            search.quiescence_after(&calm.chess, calm.sum, m, place.window)
        })?;
        self.watch.ascend();
        Ok(value)
    }

    /// The captures in python-chess's order.
    fn captures_in_order(&mut self, calm: &Calm, mut window: Window) -> Result<Value> {
        let stand_pat = calm.score();
        for m in LegalMoves::captures(&calm.chess) {
            if m.promotion().is_none()
                && (stand_pat + captured_value(m) + DELTA < window.alpha
                    || self.counts.exchange.push_pop(&calm.chess, m) < 0)
            {
                continue;
            }
            let value = self.after_capture(calm, m, window)?;
            if value >= window.beta {
                self.watch.mark(End::Cutoff);
                return Ok(value);
            }
            window = window.raise_alpha(value);
        }
        Ok(window.alpha)
    }
}
