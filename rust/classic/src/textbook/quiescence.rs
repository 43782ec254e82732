//! Quiescence: going on with tactical moves only, until the score can be trusted.
//!
//! **Contract.** [`Search::quiesce_by`] chooses for White (the original's `quiesceMax`) or for Black (`quiesceMin`) in a
//! window `(alpha, beta)` and returns a value in `[alpha, beta]` (fail-hard). The depth runs 0, -1, -2, … and at
//! -4 the score is returned as it is. The side to move may stand pat on the score, in check too. A finished game
//! has its terminal value as score; there is no other test for the end, except that a fifty-move draw and the third
//! occurrence of a position are worth 0, even outside the window.
//!
//! A move is **tactical** if it gives check, promotes, or its target is occupied or is the en passant square,
//! whatever piece moves there; that square exists only if a pawn of the side to move attacks it.
//!
//! [`quiesce_see`] is the original's cheap alternative: the score plus the best static exchange.
//!
//! Source: the original Julia program's `quiesceMax`, `quiesceMin`, `quiesceSee`; chessprogramming.org
//! "Quiescence Search".

use shakmaty::Position as _;

use super::frontier::terminal_or_score;
use super::prelude::*;
use betacut_core::checks::CheckInfo;
use betacut_core::move_order::see::{see, target};
use betacut_core::rules::Ending;

/// Quiescence goes no deeper than this.
const LAST_DEPTH: Depth = -4;

/// What a static exchange is worth in centipawns, a pawn being 1.
const EXCHANGE_UNIT: Score = 100;

impl<L: Lab> Search<'_, '_, L> {
    /// The quiet value of `position` in `window` with the side `S` to choose; `depth` is 0 or below.
    pub(super) fn quiesce_by<S: Side>(
        &mut self,
        position: &Position,
        depth: Depth,
        window: Window,
    ) -> Result<Score> {
        // 1. Count the call; 2. draws by repetition and by the fifty-move rule.
        self.enter(S::own(Function::QuiesceMax, Function::QuiesceMin))?;
        let Some(score) = self.quiet_score(position)? else {
            return Ok(0);
        };
        // 3. Deep enough: the score.
        if depth <= LAST_DEPTH {
            self.lab.tell(|recorder| recorder.ends_unless_over(End::Deepest));
            return Ok(score);
        }
        // 4. Stand pat.
        let limit = S::Other::sure(window);
        if S::cuts(score, window) {
            self.lab.tell(|recorder| recorder.ends_unless_over(End::StandPat));
            return Ok(limit);
        }
        let mut window = S::narrowed(window, score);
        let mut best = None;
        // 5. Tactical moves.
        let start = self.lab.start();
        let mut moves = tactical_moves(position);
        self.lab.stop(Work::Moves, start);
        self.lab.sort_list(position, depth, &mut moves)?;
        self.below(position, |search| {
            for (index, m) in moves.into_iter().enumerate() {
                let value = search.visit(Some(m), depth - 1, window, |search| {
                    let child = search.lab.play(position, m);
                    search.quiesce_by::<S::Other>(&child, depth - 1, window)
                })?;
                if S::cuts(value, window) {
                    search.cutoff(position, m, depth, index == 0);
                    return Ok(limit);
                }
                best = if S::is_better(value, S::sure(window)) { Some(m) } else { best };
                window = S::narrowed(window, value);
            }
            search.lab.was_best(position, best);
            Ok(S::sure(window))
        })
    }

    /// The score to stand pat on; none for a draw by repetition or by the fifty-move rule.
    #[inline]
    fn quiet_score(&mut self, position: &Position) -> Result<Option<Score>> {
        if self.occurrences(position.key().whole, position.reversible_plies()) + 1 == 3 {
            self.lab.mark(End::Repetition);
            return Ok(None);
        }
        let ending = self.ending(position);
        self.lab.tell(|recorder| {
            recorder.has_moves(position.legal_moves().count());
            if let Some(ending) = ending {
                recorder.ends(ending.into());
            }
        });
        match ending {
            Some(Ending::FiftyMoves) => Ok(None),
            Some(ending) => Ok(Some(ending.value(position.turn()))),
            None => {
                let score = self.lab.score(position)?;
                self.lab.tell(|recorder| recorder.scored(score));
                Ok(Some(score))
            }
        }
    }
}

/// The tactical moves of a position in canonical order.
pub fn tactical_moves(position: &Position) -> Vec<Move> {
    let en_passant = position.chess().pseudo_legal_ep_square();
    let checks = CheckInfo::new(position.chess());
    position
        .legal_moves()
        .filter(|&m| {
            m.is_capture()
                || m.is_promotion()
                || Some(target(m)) == en_passant
                || checks.gives_check(m).unwrap_or_else(|| position.play(m).is_check())
        })
        .collect()
}

/// The score plus 100 centipawns for each unit of the best static exchange: the largest for White (`maximise`),
/// the smallest for Black; from -100000 or +100000 units if there is no move.
///
/// The original's oddity is kept: an exchange counts for its mover, so the smallest one, which Black takes, is the
/// one that loses Black the most.
pub fn quiesce_see(position: &Position, maximise: bool) -> Score {
    let exchanges = position.legal_moves().map(|m| see(position, m));
    let best = if maximise { exchanges.fold(-MATE, Score::max) } else { exchanges.fold(MATE, Score::min) };
    terminal_or_score(position) + EXCHANGE_UNIT * best
}
