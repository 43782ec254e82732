//! The values of pieces on squares, from their owner's side, and the gains of moves that follow from them.
//!
//! # What a quiet move gains
//!
//! The bonuses of a piece's squares differ by multiples of a *step*, the greatest common divisor of all differences, so
//! gains come in *levels* ([`Values::level`]): the number of steps that a move must gain at least. For each piece and level
//! there is the set of squares whose bonus is high enough ([`Values::at_least`]); the quiet moves of a piece that gain a
//! level are that set, cut with what the piece attacks.
//!
//! # What a capture gains at most
//!
//! [`Values::most_by_pawn`] and its like: the victim's value on its best square, and the best change of squares of any
//! taker. Each bound holds for the victims of the bounds before it too, whatever the pieces are worth.
//!
//! # Where there are no bounds
//!
//! All this holds while a move changes the sums of one phase alone: [`Values::has_bounds`] is true if only the kings' tables
//! differ between the phases, which switch at once, and if the steps are few enough for the tables of sets.
//!
//! Under the tapered rule there are such values for each of its phases ([`super::tapers`]). What a piece is worth is
//! counted in 24ths of a centipawn there, so that sums are exact ([`Values::least`], [`Values::rounded`]), and a level may be
//! several steps: sets then have some squares too many ([`Values::is_coarse`]).

use std::sync::{Arc, OnceLock};

use shakmaty::Square;
use shakmaty::attacks::{king_attacks, knight_attacks};

use super::phase::{FULL, PhaseRule, blend, tapered};
use super::phased::Phased;
use crate::piece_code::{BISHOP, Code, KING, KNIGHT, PAWN, QUEEN, ROOK};
use crate::score::Score;

/// Numbers of sets that there is room for; a power of two.
const SETS: usize = 1 << 12;
/// Numbers of levels that there is room for; a power of two.
const LEVELS: usize = 1 << 9;
/// How many levels a gain has at most where they are coarse: sets of squares for twice as many are quickly looked up.
const COARSE_LEVELS: Score = 64;
/// Binary digits after the point of [`Values::reciprocal`].
const DIGITS: u32 = 44;

/// Kings have two tables: code 6 in the middlegame, 7 in the endgame.
const ENDGAME_KING: Code = KING + 1;

/// The codes of the pieces from pawn to king.
pub(super) const CODES: [Code; 6] = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING];

/// The king's code in a phase, for [`Values::at_least`].
#[inline(always)]
pub const fn king_code(endgame: bool) -> Code {
    KING + endgame as usize
}

/// By code and square.
pub(super) type Tables = [[Score; 64]; 8];

/// Material and squares of an evaluation, as the owner of a piece sees them; centipawns, or 24ths of them under the tapered
/// rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Values {
    /// What a piece on a square is worth in the middlegame, kings left out: `[code][square]`.
    pieces: Tables,
    /// What the king's square is worth in the middlegame and in the endgame.
    king: [[Score; 64]; 2],
    /// What the capture of a pawn gains at most.
    pub most_by_pawn: Score,
    /// What the capture of a pawn, a knight or a bishop gains at most.
    pub most_by_minor: Score,
    /// What the capture of any piece but a queen gains at most.
    pub most_by_rook: Score,
    /// What any capture gains at most.
    pub most_by_queen: Score,
    /// What no legal move loses more of, promotions to less than a queen aside; in centipawns, at least 2, under any rule.
    pub most_lost: Score,
    /// By piece: its best square against its worst.
    most_by_quiet: [Score; 8],
    /// More than any quiet move gains: levels run from that much lost to that much gained.
    most: Score,
    /// What is added for rounding up.
    round_up: Score,
    /// One divided by the step, in units of 2⁻⁴⁰.
    reciprocal: u64,
    /// By piece and square: the index of its bonus, where adding a level gives the index wanted.
    starts: [[u16; 64]; 8],
    /// By index: the squares whose bonus is at least that.
    sets: [u64; SETS],
    /// By level: where a pawn's single and double steps gain it.
    steps: [[u64; LEVELS]; 2],
    /// Whether the bounds hold. If not, they mean nothing.
    pub has_bounds: bool,
    /// Whether [`Values::at_least`] and its like have squares that gain less than the level.
    pub is_coarse: bool,
    /// Whether the sum of a position is its score.
    pub is_plain: bool,
    /// What ties the values of a phase of the tapered rule to those of the others.
    pub(super) tapers: Option<Box<Tapers>>,
    /// How to add up, if the kings' tables are not all that changes with the phase.
    phases: Option<Box<Phases>>,
}

/// What ties the values of one phase to those of the others.
pub struct Tapers {
    /// The phase of these values, from 0 to [`FULL`].
    pub phase: u32,
    /// What a piece on a square is worth more in the middlegame than in the endgame, kings too: `[code][square]`.
    pub(super) slopes: [[i16; 64]; 8],
    /// What a move that takes no officer and does not promote changes the slope by at most.
    pub most_slope: Score,
    /// The values of the phase before.
    pub(super) below: Option<Box<Values>>,
    /// The values of the last phase, for positions after a promotion.
    pub(super) promoted: Arc<OnceLock<Box<Values>>>,
    /// By phase: what a piece on a square is worth.
    pub(super) pieces: Arc<[Tables; 2]>,
}

/// What it takes to compute a score from scratch.
#[derive(Debug, PartialEq, Eq)]
struct Phases {
    rule: PhaseRule,
    /// By phase, code and square.
    pieces: [Tables; 2],
}

impl Values {
    /// By what each piece is worth on each square, from pawn to king and from a1 to h8.
    pub(super) fn new(rule: PhaseRule, worth: &[[Phased; 64]; 6]) -> Box<Values> {
        let mut pieces = [[[0; 64]; 8]; 2];
        for (code, squares) in CODES.into_iter().zip(worth) {
            for (square, phased) in squares.iter().enumerate() {
                pieces[0][code][square] = phased.middlegame;
                pieces[1][code][square] = phased.endgame;
            }
        }
        let [middlegame, endgame] = &pieces;
        let kings_alone = middlegame[..KING] == endgame[..KING];
        let tapers = rule == PhaseRule::Tapered && middlegame != endgame;
        if tapers && let Some(values) = Values::of_all_phases(&Arc::new(pieces)) {
            return values;
        }
        let mut values = Values::without_bounds(middlegame, &endgame[KING]);
        if kings_alone && !tapers {
            values.derive_bounds();
        } else {
            values.is_plain = false;
            values.phases = Some(Box::new(Phases { rule, pieces }));
        }
        values
    }

    /// The tables of one phase, and the kings' of the other. This takes some 100 KiB of stack.
    #[allow(clippy::large_stack_arrays)] // one of a few, and soon in a box
    pub(super) fn without_bounds(pieces: &Tables, endgame_king: &[Score; 64]) -> Box<Values> {
        let mut values = Box::new(Values {
            pieces: *pieces,
            king: [pieces[KING], *endgame_king],
            most_by_pawn: 0,
            most_by_minor: 0,
            most_by_rook: 0,
            most_by_queen: 0,
            most_lost: 2,
            most_by_quiet: [0; 8],
            most: 1,
            round_up: 1,
            reciprocal: 1 << DIGITS,
            starts: [[0; 64]; 8],
            sets: [0; SETS],
            steps: [[0; LEVELS]; 2],
            has_bounds: false,
            is_coarse: false,
            is_plain: true,
            tapers: None,
            phases: None,
        });
        values.pieces[KING] = [0; 64];
        values
    }

    /// Fills in what follows from the tables, if there is room for it.
    fn derive_bounds(&mut self) {
        let (step, most) = self.find_step();
        // Captures: each bound is one for the victims before, too.
        let by_minor = self.gained(PAWN, most).max(self.gained(KNIGHT, most)).max(self.gained(BISHOP, most));
        let by_rook = by_minor.max(self.gained(ROOK, most));
        (self.most_by_pawn, self.most_by_minor, self.most_by_rook, self.most_by_queen) =
            (self.gained(PAWN, most), by_minor, by_rook, by_rook.max(self.gained(QUEEN, most)));
        let [middlegame, endgame] = &self.king;
        let (fewest, greatest) =
            range(&middlegame.iter().zip(endgame).map(|(a, b)| b - a).collect::<Vec<_>>());
        self.most_lost = most_lost(&[self], greatest - fewest).max(2);
        self.has_bounds = self.list_levels(step, most / step + 1);
    }

    /// The greatest step of which all gains are multiples, and what a quiet move gains at most.
    #[inline(never)]
    pub(super) fn find_step(&mut self) -> (Score, Score) {
        let (mut step, mut most) = (0, 0);
        for code in BISHOP..=ENDGAME_KING {
            let bonuses = self.bonuses(code);
            let (least, greatest) = range(&bonuses);
            step = bonuses.iter().fold(step, |step, bonus| greatest_divisor(step, bonus - least));
            self.most_by_quiet[code] = greatest - least;
            most = most.max(greatest - least);
        }
        (step.max(1), most)
    }

    /// What the capture of a piece gains at most, where a change of squares gains no more than `most`.
    #[inline(never)]
    pub(super) fn gained(&self, victim: Code, most: Score) -> Score {
        range(&self.bonuses(victim)).1 + most
    }

    /// Lists the sets of all levels, of which one is `step`; false if there is no room for them.
    #[inline(never)]
    fn list_levels(&mut self, step: Score, most_steps: Score) -> bool {
        self.set_step(step, most_steps);
        self.list_sets(step, most_steps) && self.list_steps(step, most_steps)
    }

    fn set_step(&mut self, step: Score, most_steps: Score) {
        self.most = most_steps * step;
        self.round_up = self.most + step - 1;
        self.reciprocal = (1_u64 << DIGITS).div_ceil(step as u64);
    }

    /// The same with levels of several steps, so that there is room: a gain counts for the level below it.
    pub(super) fn list_coarse_levels(&mut self, step: Score, most: Score) {
        let coarse = (most / COARSE_LEVELS / step + 1) * step;
        self.has_bounds = self.list_levels(coarse, most / coarse + 1);
        self.is_coarse = coarse != step;
        if self.is_coarse {
            self.round_up = self.most;
        }
    }

    /// What a change of squares loses at most: of a slider on any two squares, of the others where their moves end. Pawns
    /// are allowed some ends more.
    fn most_lost_by_squares(&self) -> Score {
        let lost = |table: &[Score; 64], from: usize, to: usize| table[from] - table[to];
        let mut most =
            [BISHOP, ROOK, QUEEN].map(|code| self.most_by_quiet[code]).into_iter().max().unwrap_or(0);
        for from in Square::ALL {
            for to in knight_attacks(from) {
                most = most.max(lost(&self.pieces[KNIGHT], from.to_usize(), to.to_usize()));
            }
            for (table, to) in
                self.king.iter().flat_map(|table| king_attacks(from).into_iter().map(move |to| (table, to)))
            {
                most = most.max(lost(table, from.to_usize(), to.to_usize()));
            }
        }
        for (from, distance) in (8..48).flat_map(|from| [7, 8, 9, 16].map(|distance| (from, distance))) {
            if from + distance < 56 {
                most = most.max(lost(&self.pieces[PAWN], from, from + distance));
            }
        }
        for (king_to, rook_from, rook_to) in [(6, 7, 5), (2, 0, 3)] {
            for table in &self.king {
                most = most.max(lost(table, 4, king_to) + lost(&self.pieces[ROOK], rook_from, rook_to));
            }
        }
        most
    }

    /// Lists the sets of squares of each piece; false if there is no room for them.
    fn list_sets(&mut self, step: Score, most_steps: Score) -> bool {
        let mut first = 0;
        for code in [BISHOP, ROOK, QUEEN, KNIGHT, KING, ENDGAME_KING] {
            let bonuses = self.bonuses(code);
            let (least, greatest) = range(&bonuses);
            let length = ((greatest - least) / step + 2 * most_steps + 1) as usize;
            if first + length > SETS {
                return false;
            }
            // Each square in the set of its own bonus, and so in those of all lesser ones.
            for (square, bonus) in bonuses.iter().enumerate() {
                let steps = (bonus - least) / step;
                self.starts[code][square] = (first + steps as usize) as u16;
                self.sets[first + (steps + most_steps) as usize] |= 1 << square;
            }
            lesser_too(&mut self.sets[first..first + length]);
            first += length;
        }
        true
    }

    /// Lists the sets of a pawn's steps; false if there is no room for them.
    fn list_steps(&mut self, step: Score, most_steps: Score) -> bool {
        let levels = (2 * most_steps + 1) as usize;
        if levels > LEVELS {
            return false;
        }
        let pawn = &self.pieces[PAWN];
        for (distance, sets) in [8, 16].into_iter().zip(&mut self.steps) {
            for to in 8 + distance..56 {
                let gain = (pawn[to] - pawn[to - distance]).div_euclid(step);
                sets[(gain + most_steps) as usize] |= 1 << to;
            }
            lesser_too(&mut sets[..levels]);
        }
        true
    }

    /// What a piece is worth on the squares where it can stand.
    pub(super) fn bonuses(&self, code: Code) -> Vec<Score> {
        match code {
            PAWN => &self.pieces[PAWN][8..56],
            KING | ENDGAME_KING => &self.king[code - KING][..],
            code => &self.pieces[code][..],
        }
        .to_vec()
    }

    /// What a piece on a square is worth to its owner in the middlegame; nothing for the king or where no piece is.
    #[inline(always)]
    pub fn piece(&self, code: Code, square: u32) -> Score {
        self.pieces[code & 7][(square & 63) as usize]
    }

    /// What a piece on a square is worth to its owner, kings too.
    #[inline(always)]
    pub fn placed(&self, code: Code, endgame: bool, square: u32) -> Score {
        if code == KING { self.king(endgame, square) } else { self.piece(code, square) }
    }

    /// What the king on a square is worth to its owner.
    #[inline(always)]
    pub fn king(&self, endgame: bool, square: u32) -> Score {
        self.king[endgame as usize][(square & 63) as usize]
    }

    /// What ties these values to those of other phases, under the tapered rule and if there are bounds.
    #[inline(always)]
    pub fn tapers(&self) -> Option<&Tapers> {
        self.tapers.as_deref()
    }

    /// The units of a centipawn in which pieces and gains are counted.
    #[inline(always)]
    pub const fn units(&self) -> Score {
        if self.tapers.is_some() { FULL as Score } else { 1 }
    }

    /// The least sum that is worth so many centipawns.
    #[inline(always)]
    pub const fn least(&self, value: Score) -> Score {
        if self.tapers.is_some() { Tapers::least(value) } else { value }
    }

    /// The centipawns that a sum is worth.
    #[inline(always)]
    pub const fn rounded(&self, sum: Score) -> Score {
        if self.tapers.is_some() { sum / FULL as Score } else { sum }
    }

    /// The level of a gain of `need` centipawns: how many steps it takes at least, counted from the most that can be lost.
    #[inline(always)]
    pub fn level(&self, need: Score) -> usize {
        let above_least = (need.max(-self.most).min(self.most) + self.round_up) as u64;
        ((above_least * self.reciprocal) >> DIGITS) as usize
    }

    /// The squares on which a piece of ours that comes from `from` and is no pawn gains the level.
    #[inline(always)]
    pub fn at_least(&self, code: Code, from: u32, level: usize) -> u64 {
        let start = self.starts[code & 7][(from & 63) as usize] as usize;
        self.sets[(start + level) & (SETS - 1)]
    }

    /// What a quiet move of a piece that is no pawn gains at most, in centipawns: its best square against its worst.
    #[inline(always)]
    pub fn most_by_quiet(&self, code: Code) -> Score {
        self.most_by_quiet[code & 7]
    }

    /// The most that a quiet move of any piece gains, castling aside.
    #[inline(always)]
    pub const fn most_by_any_quiet(&self) -> Score {
        self.most
    }

    /// Squares on which a single step of a pawn of ours gains the level.
    #[inline(always)]
    pub fn step_at_least(&self, level: usize) -> u64 {
        self.steps[0][level & (LEVELS - 1)]
    }

    /// Squares on which a double step of a pawn of ours gains the level.
    #[inline(always)]
    pub fn double_at_least(&self, level: usize) -> u64 {
        self.steps[1][level & (LEVELS - 1)]
    }

    /// Whether a score must be added up from scratch ([`Values::add_up`]).
    #[inline(always)]
    pub const fn must_add_up(&self) -> bool {
        self.phases.is_some()
    }

    /// The score from scratch, for the side that owns `ours`: codes and squares of its pieces as it sees them, and of the
    /// others as their owner does; `endgame` is the switch of the simplified rule.
    #[cold]
    pub fn add_up(
        &self,
        ours: impl Iterator<Item = (Code, u32)>,
        theirs: impl Iterator<Item = (Code, u32)>,
        endgame: bool,
    ) -> Score {
        let Some(phases) = &self.phases else { return 0 };
        let mut sum = Phased::default();
        let (mut minors, mut rooks, mut queens) = (0, 0, 0);
        let signed = ours.map(|piece| (1, piece)).chain(theirs.map(|piece| (-1, piece)));
        for (sign, (code, square)) in signed {
            let worth = |phase: usize| sign * phases.pieces[phase][code & 7][(square & 63) as usize];
            sum = sum + Phased { middlegame: worth(0), endgame: worth(1) };
            match code {
                KNIGHT | BISHOP => minors += 1,
                ROOK => rooks += 1,
                QUEEN => queens += 1,
                _ => {}
            }
        }
        match phases.rule {
            PhaseRule::Simplified => sum.score(endgame),
            PhaseRule::Tapered => blend(sum, tapered(minors, rooks, queens)),
            PhaseRule::Constant => sum.middlegame,
        }
    }
}

/// What a legal move but an underpromotion loses at most, by the values of any of some phases: by the change of squares,
/// unless what it takes or becomes is worth less than nothing, or more is lost by the `change` of the phase.
pub(super) fn most_lost(phases: &[&Values], change: Score) -> Score {
    let of = |code: Code| range(&phases.iter().flat_map(|values| values.bonuses(code)).collect::<Vec<_>>());
    let least = |code: Code| of(code).0;
    let lost = phases.iter().map(|values| values.most_lost_by_squares()).max().unwrap_or(0);
    // 1. What officers or a promotion add to a change of the phase.
    let officer = [KNIGHT, BISHOP, ROOK, QUEEN].map(least).into_iter().min().unwrap_or(0);
    let capture = (-least(PAWN)).max(change - officer);
    // 2. A promotion may capture too.
    let promotion = of(PAWN).1 - least(QUEEN) + change - officer.min(least(PAWN)).min(0);
    lost.max(lost + capture).max(promotion)
}

/// Adds the members of each set to all sets before it.
fn lesser_too(sets: &mut [u64]) {
    let mut members = 0;
    for set in sets.iter_mut().rev() {
        members |= *set;
        *set = members;
    }
}

pub(super) fn range(bonuses: &[Score]) -> (Score, Score) {
    bonuses.iter().fold((Score::MAX, Score::MIN), |(least, most), &bonus| (least.min(bonus), most.max(bonus)))
}

const fn greatest_divisor(a: Score, b: Score) -> Score {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::presets;

    const PIECES: [Code; 6] = [BISHOP, ROOK, QUEEN, KNIGHT, KING, ENDGAME_KING];

    #[test]
    fn levels_are_exact_for_every_step() {
        let mut values = Values::without_bounds(&[[0; 64]; 8], &[0; 64]);
        // What squares add differs by up to 65,534 centipawns, 24 times as much under the tapered rule.
        for (step, unit) in (1..=65_534).flat_map(|step| [(step, 1), (step, 24)]) {
            let (most, step) = ((65_534 / step).min(256), step * unit);
            values.set_step(step, most);
            for level in [-most, -1, 0, 1, most] {
                for need in [level * step - 1, level * step, level * step + 1] {
                    let wanted = most - (-need).clamp(-most * step, most * step).div_euclid(step);
                    assert_eq!(values.level(need), wanted as usize, "{step} {need}");
                }
            }
        }
    }

    #[test]
    fn levels_are_sets_of_gains() {
        for evaluation in [presets::simplified(), presets::material()] {
            let values = evaluation.values();
            assert!(values.has_bounds);
            for code in PIECES {
                let bonuses = values.bonuses(code);
                for from in 0..64 {
                    for need in -130..130 {
                        let set = values.at_least(code, from as u32, values.level(need));
                        for to in 0..64 {
                            let gain = bonuses[to] - bonuses[from];
                            assert_eq!(set & 1 << to != 0, gain >= need, "{code} {from} {to} {need}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_bounds_of_the_simplified_evaluation() {
        let values = presets::simplified().values();
        assert_eq!(
            (1..8).map(|code| values.most_by_quiet(code)).collect::<Vec<_>>(),
            [30, 15, 25, 70, 70, 80, 90]
        );
        let most = [values.most_by_pawn, values.most_by_minor, values.most_by_rook, values.most_by_queen];
        assert_eq!(most, [100 + 50 + 90, 340 + 90, 500 + 10 + 90, 900 + 5 + 90]);
        assert_eq!(values.level(5) - values.level(0), 1);
        // A knight from b3 or c2 to a1.
        assert_eq!(values.most_lost, 55);
        assert!(presets::tapered().values().has_bounds);
    }
}
