//! What the exact floor's board carries: the sums of its evaluation.

use std::ops::Deref;

use super::{Carried, Change, FlippedBoard, Squares, bit, flipped};
use crate::{evaluation::Values, piece_code::ROOK, position::Position, score::Score};

/// The side to move is low on material; see [`FlippedBoard::has_low_material`].
const OURS_LOW: u8 = 1;
/// The other side has.
const THEIRS_LOW: u8 = 2;

/// The sums of material and squares, for the side to move.
///
/// The score is kept without the kings: `base` is material and squares of everything else, and the kings' squares,
/// which depend on the phase, are looked up when the whole is asked for ([`Board::score`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums<'v> {
    /// What the score is made of.
    pub values: &'v Values,
    /// Material and squares without the kings: centipawns, for the side to move.
    base: i32,
    /// Which sides are low on material: [`OURS_LOW`], [`THEIRS_LOW`].
    low_material: u8,
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
    fn castling_rooks(&self) -> [u8; 4] {
        [7, 0, 63, 56]
    }

    #[inline(always)]
    fn moved(_: &FlippedBoard<Self>, after: &FlippedBoard<Self>, change: &Change) -> Self {
        let Change { from, to, code, placed, captured, victim, rook } = *change;
        let Sums { values, mut base, mut low_material } = after.carried;
        base += values.piece(placed, to) - values.piece(code, from) + values.piece(captured, flipped(victim));
        if let Some((rook_from, rook_to)) = rook {
            base += values.piece(ROOK, rook_to) - values.piece(ROOK, rook_from);
        }
        if captured & 3 != 0 || placed != code {
            low_material = low_material_of(after);
        }
        Sums { values, base, low_material }.flipped()
    }

    fn passed(before: &FlippedBoard<Self>) -> Self {
        before.carried.flipped()
    }
}

/// Which sides are low on material.
#[inline]
fn low_material_of<C>(board: &FlippedBoard<C>) -> u8 {
    let ours = if board.has_low_material(board.ours) { OURS_LOW } else { 0 };
    let theirs = if board.has_low_material(board.theirs()) { THEIRS_LOW } else { 0 };
    ours | theirs
}

impl<'v> Sums<'v> {
    /// The same, as the other side sees it.
    #[inline(always)]
    fn flipped(self) -> Sums<'v> {
        let low_material = self.low_material << 1 & THEIRS_LOW | self.low_material >> 1;
        Sums { base: -self.base, low_material, ..self }
    }

    fn from_scratch<C>(values: &'v Values, board: &FlippedBoard<C>) -> Sums<'v> {
        let side = |pieces: u64, turn: u32| -> i32 {
            Squares(pieces & !board.kings()).map(|at| values.piece(board.code(at), at ^ turn)).sum()
        };
        let base = side(board.ours, 0) - side(board.theirs(), 56);
        Sums { values, base, low_material: low_material_of(board) }
    }
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
        if self.values.must_add_up() { self.score_from_scratch() } else { self.quick_score() }
    }

    /// [`Board::score`] where the kings' tables are all that changes with the phase.
    #[inline(always)]
    pub fn quick_score(&self) -> Score {
        self.base + self.kings_score(self.endgame())
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
        self.carried.low_material == OURS_LOW | THEIRS_LOW
    }

    /// Whether the endgame starts once their side is low on material.
    #[inline(always)]
    pub const fn we_wait_for_endgame(&self) -> bool {
        self.carried.low_material == OURS_LOW
    }

    /// Whether the endgame starts once our side is low on material.
    #[inline(always)]
    pub const fn they_wait_for_endgame(&self) -> bool {
        self.carried.low_material == THEIRS_LOW
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
