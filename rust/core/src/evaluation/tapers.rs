//! The values of an evaluation under the tapered rule: one [`Values`] for each phase, as `docs/exact.md` explains.
//!
//! Captures lead to values of a smaller phase, which each `Values` owns as a chain. Promotions lead to another set of all
//! phases, made when the first pawn promotes: references cannot go round in circles.

use std::fmt;
use std::sync::Arc;

use super::phase::FULL;
use super::values::{CODES, Tables, Tapers, Values, most_lost, range};
use crate::piece_code::{BISHOP, Code, KING, KNIGHT, PAWN, QUEEN, ROOK};
use crate::score::Score;

/// The most officers' weight that a capture takes away, and that a promotion adds.
const MOST_WEIGHT: u32 = 4;

/// What a piece adds to the phase, before it is limited to [`FULL`].
#[inline(always)]
pub const fn weight(code: Code) -> u32 {
    // Nothing, bishop, rook, queen, pawn, knight, king.
    0x010_4210_u32 >> (4 * (code as u32 & 7)) & 7
}

/// The tables of a phase; the step of which all gains are multiples, and what a quiet move gains at most.
fn of_one_phase([middlegame, endgame]: &[Tables; 2], phase: u32) -> (Box<Values>, Score, Score) {
    let mut tables = *middlegame;
    for (squares, endgame) in tables.iter_mut().zip(endgame) {
        for (worth, endgame) in squares.iter_mut().zip(endgame) {
            *worth = *worth * phase as Score + endgame * (FULL - phase) as Score;
        }
    }
    let mut values = Values::without_bounds(&tables, &tables[KING]);
    let (step, most) = values.find_step();
    (values, step, most)
}

/// What castling changes the slope by at most.
fn slope_of_castling(slope: &impl Fn(Code, usize) -> Score) -> Score {
    let castling = |(king_to, rook_from, rook_to): (usize, usize, usize)| {
        slope(KING, king_to) - slope(KING, 4) + slope(ROOK, rook_to) - slope(ROOK, rook_from)
    };
    castling((6, 7, 5)).abs().max(castling((2, 0, 3)).abs())
}

impl Tapers {
    /// What a piece on a square is worth more in the middlegame than in the endgame.
    #[inline(always)]
    pub fn slope(&self, code: Code, square: u32) -> Score {
        self.slopes[code & 7][(square & 63) as usize].into()
    }
}

impl Values {
    /// The values of the last phase, from which all others can be reached, if slopes are small enough.
    pub(super) fn of_all_phases(pieces: &Arc<[Tables; 2]>) -> Option<Box<Values>> {
        let [middlegame, endgame] = &**pieces;
        // 1. The slopes, and what they add up to.
        let slope = |code: Code, square: usize| middlegame[code][square] - endgame[code][square];
        let of = |code: Code| {
            let squares = if code == PAWN { 8..56 } else { 0..64 };
            range(&squares.map(|square| slope(code, square)).collect::<Vec<_>>())
        };
        let ranges = CODES.map(of);
        let (least, most) = ranges[..5].iter().fold((0, 0), |all, one| (one.0.min(all.0), one.1.max(all.1)));
        let kings = ranges[5].1 - ranges[5].0;
        let most_sum = 15 * (most - least) + kings;
        if most_sum > i16::MAX.into() {
            return None;
        }
        let by_squares = ranges.iter().map(|(least, most)| most - least).max().unwrap_or(0);
        let pawn = ranges[0].1.max(-ranges[0].0);
        let most_slope = (by_squares + pawn.max(0)).max(slope_of_castling(&slope));
        let mut slopes = [[0; 64]; 8];
        for code in CODES {
            for (square, worth) in slopes[code].iter_mut().enumerate() {
                *worth = slope(code, square) as i16;
            }
        }
        // 2. Each phase: the tables, and what follows from them alone.
        let mut phases: Vec<_> = (0..=FULL).map(|phase| of_one_phase(pieces, phase)).collect();
        // Worth is linear in the phase, so the greatest loss is that of the first phase or the last; it is in centipawns.
        let most_lost = most_lost(&[&phases[0].0, &phases[FULL as usize].0], MOST_WEIGHT as Score * most_sum);
        let most_lost = (most_lost.max(0) as u32).div_ceil(FULL).max(2) as Score;
        // 3. What takes the phases after a capture to know.
        let gained: Vec<[Score; 8]> = phases
            .iter()
            .map(|(values, _, most)| {
                let mut gained = [0; 8];
                for code in [PAWN, KNIGHT, BISHOP, ROOK, QUEEN] {
                    gained[code] = values.gained(code, *most);
                }
                gained
            })
            .collect();
        let promoted = Arc::default();
        let mut below = None;
        for (phase, (mut values, step, most)) in phases.drain(..).enumerate() {
            let most_by = |victim: Code| {
                let least = phase.saturating_sub(weight(victim) as usize);
                gained[least..=phase].iter().map(|gained| gained[victim]).max().unwrap_or(0)
            };
            let by_pawn = most_by(PAWN);
            let by_minor = by_pawn.max(most_by(KNIGHT)).max(most_by(BISHOP));
            let by_rook = by_minor.max(most_by(ROOK));
            (values.most_by_pawn, values.most_by_minor, values.most_by_rook, values.most_by_queen) =
                (by_pawn, by_minor, by_rook, by_rook.max(most_by(QUEEN)));
            values.most_lost = most_lost;
            values.is_plain = false;
            values.list_coarse_levels(step, most);
            if !values.has_bounds {
                return None;
            }
            let promoted = Arc::clone(&promoted);
            let pieces = Arc::clone(pieces);
            let phase = phase as u32;
            values.tapers = Some(Box::new(Tapers { phase, slopes, most_slope, below, promoted, pieces }));
            below = Some(values);
        }
        below
    }

    /// The values of a phase, reached from those of another one by captures, or by a promotion.
    #[inline]
    pub fn of_phase(&self, phase: u32) -> &Values {
        let mut values = self;
        while let Some(tapers) = &values.tapers {
            values = match (tapers.phase.cmp(&phase), &tapers.below) {
                (std::cmp::Ordering::Greater, Some(below)) => below,
                (std::cmp::Ordering::Less, _) => tapers.promoted(),
                _ => break,
            };
        }
        values
    }
}

impl Tapers {
    /// The least sum of 24ths that is worth `value` centipawns.
    #[inline(always)]
    pub(super) const fn least(value: Score) -> Score {
        let whole = value * FULL as Score;
        if value > 0 { whole } else { whole - (FULL as Score - 1) }
    }

    #[cold]
    fn promoted(&self) -> &Values {
        self.promoted
            .get_or_init(|| Values::of_all_phases(&self.pieces).expect("there are bounds, as before"))
    }
}

impl PartialEq for Tapers {
    /// Whether both are of the same phase; where they lead to follows from it.
    fn eq(&self, other: &Tapers) -> bool {
        self.phase == other.phase && self.pieces == other.pieces
    }
}

impl Eq for Tapers {}

impl fmt::Debug for Tapers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tapers({})", self.phase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::phase::blend;
    use crate::evaluation::{Phased, presets};

    #[test]
    fn a_score_is_reached_by_the_least_sum() {
        for sum in -100..100 {
            let score = blend(Phased { middlegame: sum, endgame: 0 }, 1);
            for value in -6..6 {
                assert_eq!(score >= value, sum >= Tapers::least(value), "{sum} {value}");
            }
        }
    }

    #[test]
    fn every_phase_is_reached_from_every_other() {
        let values = presets::tapered().values();
        for from in 0..=FULL {
            for to in 0..=FULL {
                let found = values.of_phase(from).of_phase(to);
                assert_eq!(found.tapers().map(|tapers| tapers.phase), Some(to));
                assert_eq!(found, values.of_phase(to));
                assert!(found.has_bounds);
            }
        }
    }

    #[test]
    fn sets_of_levels_leave_no_gain_out() {
        let values = presets::tapered().values();
        for phase in [0, 7, FULL] {
            let values = values.of_phase(phase);
            let mut surplus = 0;
            for code in [BISHOP, ROOK, QUEEN, KNIGHT, KING] {
                let bonuses = values.bonuses(code);
                for from in 0..64 {
                    for need in (-3000..3000).step_by(7) {
                        let set = values.at_least(code, from as u32, values.level(need));
                        for to in 0..64 {
                            let gain = bonuses[to] - bonuses[from];
                            assert!(set & 1 << to != 0 || gain < need, "{code} {from} {to} {need}");
                            surplus = surplus.max(if set & 1 << to != 0 { need - gain } else { 0 });
                        }
                    }
                }
            }
            assert!(surplus < 150, "{surplus}");
        }
    }
}
