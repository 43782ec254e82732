//! What the exact floor's board carries: the sums of its evaluation.

use std::ops::Deref;

use super::{Carried, Change, Code, FlippedBoard, Squares, bit, flipped};
use crate::evaluation::phase::FULL;
use crate::evaluation::tapers::weight;
use crate::evaluation::{Tapers, Values};
use crate::piece_code::{KING, ROOK};
use crate::position::Position;
use crate::score::Score;

/// The tapered rule is in use. These are the bits of a captured officer's code, so that one question asks for both.
const TAPERED: u32 = 3;
/// Only the side to move has low material: captures change the phase, and so with [`THEIRS_LOW`] if it is tapered.
const OURS_LOW: u32 = 4;
/// The other side is low on material, the side to move is not.
const THEIRS_LOW: u32 = 8;
/// Both are.
const BOTH_LOW: u32 = 16;

/// The same as the other side sees it.
const SWAPPED: [u8; 32] = {
    let mut swapped = [0; 32];
    swapped[OURS_LOW as usize] = THEIRS_LOW as u8;
    swapped[THEIRS_LOW as usize] = OURS_LOW as u8;
    swapped[BOTH_LOW as usize] = BOTH_LOW as u8;
    swapped
};

/// Material and squares for the side to move; the kings' squares, which depend on the phase, are left to
/// [`Board::score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums<'v> {
    /// What the score is made of; under the tapered rule, by the phase of the position.
    pub values: &'v Values,
    /// Material and squares without the kings: in the units of the values, for the side to move.
    base: i32,
    /// [`OURS_LOW`], [`THEIRS_LOW`] or [`BOTH_LOW`]; or what [`tapered`] packs, so that there is no more to copy.
    state: u32,
}

/// [`TAPERED`] with [`OURS_LOW`] and [`THEIRS_LOW`] in the lowest byte; in the next the officers' weight ([`weight`]); above,
/// what the sum of the middlegame is more than that of the endgame, kings too.
const fn tapered(slope: Score, material: u32) -> u32 {
    (slope as u32) << 16 | material << 8 | TAPERED | OURS_LOW | THEIRS_LOW
}

/// The board of the exact floor.
pub type Board<'v> = FlippedBoard<Sums<'v>>;

impl<'v> Deref for Board<'v> {
    type Target = Sums<'v>;

    #[inline(always)]
    fn deref(&self) -> &Sums<'v> {
        &self.carried
    }
}

impl Carried for Sums<'_> {
    const KING_TAKES_ROOK: bool = false;

    #[inline(always)]
    fn moved(before: &FlippedBoard<Self>, after: &FlippedBoard<Self>, change: &Change) -> Self {
        let Change { from, to, code, placed, captured, victim, rook } = *change;
        let Sums { values, mut base, mut state } = after.carried;
        base += values.piece(placed, to) - values.piece(code, from) + values.piece(captured, flipped(victim));
        if let Some((rook_from, rook_to)) = rook {
            base += values.piece(ROOK, rook_to) - values.piece(ROOK, rook_from);
        }
        if (captured as u32 | state) & TAPERED != 0 || placed != code {
            if let Some(tapers) = values.tapers() {
                return moved_tapered(before, change, tapers);
            }
            state = low_material_of(after);
        }
        Sums { values, base, state }.flipped()
    }

    #[inline(always)]
    fn passed(before: &FlippedBoard<Self>) -> Self {
        let sums = before.carried;
        if sums.state & TAPERED != 0 { passed_tapered(sums) } else { sums.flipped() }
    }
}

#[cold]
#[inline(never)]
fn passed_tapered(sums: Sums) -> Sums {
    Sums { base: -sums.base, state: tapered(-sums.slope(), sums.material()), ..sums }
}

/// What is carried after a move under the tapered rule, as the other side sees it.
#[cold]
#[inline(never)]
fn moved_tapered<'v>(before: &Board<'v>, change: &Change, tapers: &Tapers) -> Sums<'v> {
    let Change { from, to, code, placed, captured, victim, rook } = *change;
    let Sums { mut values, mut base, .. } = before.carried;
    let mut slope = before.slope();
    // 1. The phase, and with it what was there before.
    let mut officers = before.carried.material();
    if captured & 3 != 0 || placed != code {
        officers = officers + weight(placed) - weight(code) - weight(captured);
        let phase = officers.min(FULL);
        if phase != tapers.phase {
            let kings =
                tapers.slope(KING, before.our_king()) - tapers.slope(KING, flipped(before.their_king()));
            base += (phase as Score - tapers.phase as Score) * (slope - kings);
            values = values.of_phase(phase);
        }
    }
    // 2. What the move changes.
    let flipped_victim = flipped(victim);
    base += values.piece(placed, to) - values.piece(code, from) + values.piece(captured, flipped_victim);
    slope += tapers.slope(placed, to) - tapers.slope(code, from) + tapers.slope(captured, flipped_victim);
    if let Some((rook_from, rook_to)) = rook {
        base += values.piece(ROOK, rook_to) - values.piece(ROOK, rook_from);
        slope += tapers.slope(ROOK, rook_to) - tapers.slope(ROOK, rook_from);
    }
    Sums { values, base: -base, state: tapered(-slope, officers) }
}

/// Which sides are low on material.
#[inline]
fn low_material_of<C>(board: &FlippedBoard<C>) -> u32 {
    match (board.has_low_material(board.ours), board.has_low_material(board.theirs())) {
        (false, false) => 0,
        (true, false) => OURS_LOW,
        (false, true) => THEIRS_LOW,
        (true, true) => BOTH_LOW,
    }
}

impl<'v> Sums<'v> {
    /// The same, as the other side sees it; not under the tapered rule.
    #[inline(always)]
    fn flipped(self) -> Sums<'v> {
        Sums { base: -self.base, state: u32::from(SWAPPED[(self.state & 31) as usize]), ..self }
    }

    /// Under the tapered rule, what the sum of the middlegame is more than that of the endgame, for the side to move.
    #[inline(always)]
    pub const fn slope(&self) -> Score {
        self.state as Score >> 16
    }

    /// Under the tapered rule, the officers' weight.
    const fn material(&self) -> u32 {
        self.state >> 8 & 0xff
    }

    fn from_scratch<C>(values: &'v Values, board: &FlippedBoard<C>) -> Sums<'v> {
        if let Some(tapers) = values.tapers() {
            return Sums::from_scratch_tapered(values, tapers, board);
        }
        let base = sum(board, !board.kings(), |code, at| values.piece(code, at));
        Sums { values, base, state: low_material_of(board) }
    }

    fn from_scratch_tapered<C>(values: &'v Values, tapers: &Tapers, board: &FlippedBoard<C>) -> Sums<'v> {
        let material: u32 = Squares(board.occupied()).map(|at| weight(board.code(at))).sum();
        let values = values.of_phase(material.min(FULL));
        let base = sum(board, !board.kings(), |code, at| values.piece(code, at));
        let slope = sum(board, !0, |code, at| tapers.slope(code, at));
        Sums { values, base, state: tapered(slope, material) }
    }
}

/// What pieces add up to, ours less theirs, where one on a square counts so much to its owner.
fn sum<C>(board: &FlippedBoard<C>, pieces: u64, worth: impl Fn(Code, u32) -> Score) -> Score {
    let side = |side: u64, turn: u32| -> Score {
        Squares(pieces & side).map(|at| worth(board.code(at), at ^ turn)).sum()
    };
    side(board.ours, 0) - side(board.theirs(), 56)
}

impl<'v> Board<'v> {
    /// The board of a position, with its evaluation.
    pub fn new(position: &Position<'v>) -> Board<'v> {
        let values = position.evaluation().values();
        FlippedBoard::read(position.chess(), |board| Sums::from_scratch(values, board))
    }

    /// [`Board::new`] without a key: for what no table is asked about.
    pub fn keyless(position: &Position<'v>) -> Board<'v> {
        let values = position.evaluation().values();
        FlippedBoard::read_keyless(position.chess(), |board| Sums::from_scratch(values, board))
    }

    /// The score of the position for the side to move, in centipawns, without regard to the end of the game.
    #[inline(always)]
    pub fn score(&self) -> Score {
        if self.values.is_plain { self.quick_score() } else { self.score_otherwise() }
    }

    #[inline(never)]
    fn score_otherwise(&self) -> Score {
        if self.values.must_add_up() {
            self.score_from_scratch()
        } else {
            self.values.rounded(self.quick_score())
        }
    }

    /// The sum that the score is made of, in units of the values; [`Board::score`] where only the kings' tables change.
    #[inline(always)]
    pub fn quick_score(&self) -> Score {
        self.base + self.kings_score(self.endgame())
    }

    /// What a move must gain, in the units of the values, for the score to be at least `value`.
    #[inline(always)]
    pub fn need(&self, value: Score) -> Score {
        self.values.least(value) - self.quick_score()
    }

    #[cold]
    #[inline(never)]
    fn score_from_scratch(&self) -> Score {
        let side = |pieces: u64, turn: u32| Squares(pieces).map(move |at| (self.code(at), at ^ turn));
        self.values.add_up(side(self.ours, 0), side(self.theirs(), 56), self.endgame())
    }

    /// What the kings' squares add in a phase, for the side to move.
    #[inline(always)]
    pub fn kings_score(&self, endgame: bool) -> Score {
        self.values.king(endgame, self.our_king()) - self.values.king(endgame, flipped(self.their_king()))
    }

    /// Whether the kings use their endgame table: both sides are low on material.
    #[inline(always)]
    pub const fn endgame(&self) -> bool {
        self.carried.state == BOTH_LOW
    }

    /// Whether the endgame starts once their side is low on material; under the tapered rule, always.
    #[inline(always)]
    pub const fn we_wait_for_endgame(&self) -> bool {
        self.carried.state & OURS_LOW != 0
    }

    /// Whether the endgame starts once our side is low on material; under the tapered rule, always.
    #[inline(always)]
    pub const fn they_wait_for_endgame(&self) -> bool {
        self.carried.state & THEIRS_LOW != 0
    }

    /// Whether a capture on `to` may change the phase: of a side's material, or of an officer under the tapered rule.
    #[inline(always)]
    pub fn changes_phase(&self, side: u64, to: u32) -> bool {
        if self.values.tapers().is_some() { self.code(to) & 3 != 0 } else { self.becomes_low(side, to) }
    }

    /// Under the tapered rule: the values after a capture, by either side, and what the change of the phase alone adds.
    #[inline(always)]
    pub fn without(&self, captured: Code) -> (&'v Values, Score) {
        let values: &'v Values = self.carried.values;
        values.tapers().map_or((values, 0), |tapers| self.without_weight(weight(captured), tapers))
    }

    #[inline(never)]
    fn without_weight(&self, captured: u32, tapers: &Tapers) -> (&'v Values, Score) {
        let values: &'v Values = self.carried.values;
        let phase = (self.carried.material() - captured).min(FULL);
        (values.of_phase(phase), (phase as Score - tapers.phase as Score) * self.slope())
    }
}

impl<C: Copy> FlippedBoard<C> {
    /// The same position with the score that other values make. The key stays the same.
    #[must_use]
    pub fn with_values<'w>(&self, values: &'w Values) -> Board<'w> {
        self.carrying(Sums::from_scratch(values, self))
    }
}

impl<C> FlippedBoard<C> {
    /// Whether a side has no queen, or no rook and at most one minor piece.
    #[inline(always)]
    pub const fn has_low_material(&self, side: u64) -> bool {
        let queens = self.diagonal & self.straight & side;
        let rooks = self.straight_sliders() & !self.diagonal & side;
        let minors = self.diagonal & !self.straight & side;
        queens == 0 || (rooks == 0 && minors & minors.wrapping_sub(1) == 0)
    }

    /// Whether a side becomes low on material if what stands on `to` is taken from it: the endgame may start.
    #[inline(always)]
    pub const fn becomes_low(&self, side: u64, to: u32) -> bool {
        // Pawns do not count.
        self.code(to) & 3 != 0 && self.has_low_material(side & !bit(to)) != self.has_low_material(side)
    }
}
