//! `QuiescenceMoveOrderingEngine` and `OptimizedQuiescenceMoveOrderingEngine`: the captures of a quiescence search, filtered
//! first and then the best of them first.
//!
//! **Contract.** As [`super::quiescence`], but all captures are filtered before any is made, with alpha as the score alone
//! has raised it. Unless it promotes, a capture is left out by delta pruning, or if it is *bad*: it takes less than it risks,
//! and
//!
//! - [`BadCapture::Exchange`], [`BadCapture::OptimizedExchange`]: its exchange loses;
//! - [`BadCapture::Defended`], without exchanges: the other side attacks the square now.
//!
//! What is left is sorted by what it takes, the most first, then by what takes it, the least first (*MVV-LVA*).
//!
//! **Where the original crashes.** When a capture's value is a mate it calls a method that does not exist
//! ([`SearchError::NoRiseMate`]). That takes a promotion by capture where a mate is known already: alpha is a mate, and
//! delta pruning leaves out everything else. The second prototype does without that call.
//!
//! Source: the original's section on enhanced algorithms; chessprogramming.org "MVV-LVA".

use shakmaty::Move;

use super::evaluation::Incremental;
use super::quiescence::{Calm, DELTA};
use super::score::{Value, is_mate};
use super::see::{captured_value, is_defended, value_of};
use super::{BadCapture, Result, Search, SearchError};
use crate::observer::{End, Observer as _};
use betacut_core::move_order::python_chess::LegalMoves;
use betacut_core::move_order::sort_by_rank;
use betacut_core::window::Window;

impl Search<'_, '_, Incremental> {
    /// The captures worth a look, the best first; alpha has been raised to the score.
    pub(super) fn captures_sorted(&mut self, calm: &Calm, mut window: Window) -> Result<Value> {
        // 1. Filter and sort.
        let stand_pat = calm.score();
        let mut captures = Vec::new();
        for m in LegalMoves::captures(&calm.chess) {
            let (victim, attacker) = (captured_value(m), value_of(m.role()));
            let pruned = m.promotion().is_none()
                && (stand_pat + victim + DELTA < window.alpha || self.is_bad_capture(calm, m));
            if !pruned {
                // By the victim first.
                captures.push((i64::from(attacker) - (i64::from(victim) << 32), m));
            }
        }
        sort_by_rank(&mut captures);
        // 2. The best of them, until one is too good for the other side to allow.
        for (_, m) in captures {
            let value = self.after_capture(calm, m, window)?;
            if is_mate(value) && !self.style.is_second_prototype {
                return Err(SearchError::NoRiseMate);
            }
            if value >= window.beta {
                self.watch.mark(End::Cutoff);
                return Ok(value);
            }
            window = window.raise_alpha(value);
        }
        Ok(window.alpha)
    }

    fn is_bad_capture(&mut self, calm: &Calm, m: Move) -> bool {
        if captured_value(m) >= value_of(m.role()) {
            return false;
        }
        match self.question.bad_captures {
            BadCapture::Defended => is_defended(&calm.chess, m),
            BadCapture::Exchange => self.counts.exchange.push_pop(&calm.chess, m) < 0,
            BadCapture::OptimizedExchange => self.counts.exchange.optimized(&calm.chess, m) < 0,
        }
    }
}
