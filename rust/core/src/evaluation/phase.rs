//! From the middlegame to the endgame: which of two sums counts, or how much of each.

use shakmaty::{Board, Color, Move, Role};

use super::phased::Phased;
use super::simplified;
use crate::score::Score;

crate::named! {
    /// How an evaluation tells the phases apart.
    pub enum PhaseRule {
        /// The Simplified Evaluation's switch: the tables of the endgame count as soon as each side has no queen, or no
        /// rook and at most one minor piece ([`simplified::is_endgame`]).
        Simplified = "simplified",
        /// By material: `(middlegame * phase + endgame * (24 - phase)) / 24`, rounded towards zero, where the phase is 1
        /// for each knight and bishop, 2 for each rook and 4 for each queen on the board, and [`FULL`] at most.
        Tapered = "tapered",
        /// The tables of the middlegame alone.
        Constant = "constant",
    }
}

/// The phase of the tapered rule with all pieces on the board.
pub const FULL: u32 = 24;

/// What a piece adds to the phase of the tapered rule.
const fn weight(role: Role) -> u32 {
    match role {
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
        Role::Pawn | Role::King => 0,
    }
}

/// The phase of the tapered rule, by the number of minor pieces, rooks and queens.
pub const fn tapered(minors: u32, rooks: u32, queens: u32) -> u32 {
    let phase = minors + 2 * rooks + 4 * queens;
    if phase < FULL { phase } else { FULL }
}

/// The score under the tapered rule.
#[inline(always)]
pub const fn blend(sum: Phased, phase: u32) -> Score {
    (sum.middlegame * phase as Score + sum.endgame * (FULL - phase) as Score) / FULL as Score
}

/// The phase of a position: the tables that count, or the phase of the tapered rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase(u8);

impl Phase {
    const MIDDLEGAME: Phase = Phase(0);
    /// Greater ones are tapered.
    const ENDGAME: Phase = Phase(1);

    const fn switched(endgame: bool) -> Phase {
        if endgame { Phase::ENDGAME } else { Phase::MIDDLEGAME }
    }

    const fn tapered(phase: u32) -> Phase {
        Phase(phase as u8 + 2)
    }

    /// The phase of a position.
    pub fn of(board: &Board, rule: PhaseRule) -> Phase {
        match rule {
            PhaseRule::Simplified => Phase::switched(simplified::is_endgame(board)),
            PhaseRule::Tapered => {
                let count = |pieces: shakmaty::Bitboard| pieces.count() as u32;
                let minors = count(board.knights() | board.bishops());
                Phase::tapered(tapered(minors, count(board.rooks()), count(board.queens())))
            }
            PhaseRule::Constant => Phase::MIDDLEGAME,
        }
    }

    /// The phase after `m`, a capture or a promotion of `color`, without making it; no other move changes it.
    #[inline]
    pub fn after(board: &Board, rule: PhaseRule, color: Color, m: Move) -> Phase {
        match rule {
            PhaseRule::Simplified => Phase::switched(simplified::is_endgame_after(board, color, m)),
            _ => Phase::unswitched_after(board, rule, m),
        }
    }

    #[cold]
    fn unswitched_after(board: &Board, rule: PhaseRule, m: Move) -> Phase {
        if rule == PhaseRule::Constant {
            return Phase::MIDDLEGAME;
        }
        let count = |pieces: shakmaty::Bitboard| pieces.count() as u32;
        let before =
            count(board.knights() | board.bishops()) + 2 * count(board.rooks()) + 4 * count(board.queens());
        let (lost, won) = (m.capture().map_or(0, weight), m.promotion().map_or(0, weight));
        Phase::tapered((before + won - lost).min(FULL))
    }

    /// Which sum counts, as [`Phased::phase`] takes it; none if both do.
    #[inline(always)]
    pub(crate) const fn table(self) -> Option<usize> {
        if self.0 <= Phase::ENDGAME.0 { Some(self.0 as usize) } else { None }
    }

    /// The score that two sums make in this phase.
    #[inline(always)]
    pub const fn score(self, sum: Phased) -> Score {
        match self.table() {
            Some(table) => sum.phase(table),
            None => blend(sum, self.0 as u32 - 2),
        }
    }
}
