//! The proofs: what a move can gain, and that a game does not end.
//!
//! The search leaves out moves because something is *known* about them, never because it is likely. Everything that it
//! may rely on is stated here, each with its reason; the two plies at the leaves apply it ([`super::frontier`],
//! [`super::pre_frontier`]). Break one of these on purpose and the fuzzer finds a position that shows it
//! (`docs/verification.md`).
//!
//! # Values that no node can exceed
//!
//! [`of_node`]: a side is mated now at the worst, and mates with its next move at the best.
//!
//! # What a move gains
//!
//! [`Values`] has the proofs of what quiet moves and captures gain, derived from the tables of the
//! evaluation in use. What it says about captures holds as long as the capture does not start the endgame, which changes
//! the kings' tables; callers look out for that. An evaluation that has no such bounds is searched without the proofs
//! that need them ([`that_hold`]).
//!
//! # That the other side is not stalemated
//!
//! A stalemate is worth 0 whatever the score. Where a move is good because of its score, the reply must exist:
//!
//! - [`a_pawn_can_step`]: a pawn that stands on no line of its king is not pinned, and its step is legal unless its side
//!   is in check; then it is no stalemate.
//! - [`may_stalemate`]: the other side keeps a move if it has two pieces that one move cannot immobilise. Two are needed
//!   because our move may capture one of them, or stand before a pawn; it cannot do both, since it captures where a piece
//!   stands and a pawn steps where none does. One square to go to is enough for each: the only man of ours that has moved
//!   may stand on it, but then it can be taken, unless it stands before a pawn. A move can pin only what stands on a line
//!   of the king, and what is pinned along the way it moves goes on along the pin.
//! - [`StalemateGuard`]: we keep a move after our own move and the reply. Here one piece is enough if it has two squares,
//!   since callers leave out the piece that moves and the one that is taken (`holds_without`): our move can stand on one
//!   square, and what the reply puts on another can be taken. Of pawns three are needed: one may move, or be blocked by
//!   our move, and the reply may take or block another.

use super::question::Techniques;
use crate::board::{
    Board, CLOCK_LIMIT, Squares, bishop_lines, bit, king_attacks, knight_attacks, rook_lines,
};
use crate::evaluation::Values;
use crate::score::{Depth, MATE, Score};

/// The least and the greatest value of a node with `depth` plies left, for the side to move.
pub const fn of_node(depth: Depth) -> (Score, Score) {
    (-MATE - depth, MATE + depth - 1)
}

/// The techniques that hold for an evaluation: those that rely on what a move gains need its bounds.
pub const fn that_hold(techniques: Techniques, values: &Values) -> Techniques {
    let has_bounds = values.has_bounds();
    Techniques {
        frontier: techniques.frontier && has_bounds,
        replies: techniques.replies && has_bounds,
        sibling_replies: techniques.sibling_replies && has_bounds,
        ..techniques
    }
}

/// What tells positions apart in a table: two numbers that know nothing of each other, so that what makes two positions
/// agree in one does not make them agree in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableKey {
    /// The lower half chooses the bucket, the upper half is compared: the board's Zobrist key, a sum of its parts.
    pub index: u64,
    /// Compared too: products of its planes.
    pub check: u64,
}

impl TableKey {
    /// The part of `index` that is compared.
    #[inline(always)]
    pub const fn tag(self) -> u32 {
        (self.index >> 32) as u32
    }
}

/// The key under which a value at `depth` is stored. Where the halfmove clock can end the game within the depth, the
/// value depends on it, and so does the key.
#[inline(always)]
pub fn table_key(board: &Board, depth: Depth) -> TableKey {
    let counts = board.clock as Depth + depth >= CLOCK_LIMIT as Depth;
    let clock = if counts { u64::from(board.clock) + 1 } else { 0 };
    TableKey {
        index: board.key ^ clock.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        check: board.products() ^ clock.wrapping_mul(0xd6e8_feb8_6659_fd93),
    }
}

/// Whether a pawn of theirs surely can step after a move of ours to `to`, unless they are in check.
#[inline(always)]
pub fn a_pawn_can_step(board: &Board, to: u32) -> bool {
    let king = board.their_king();
    let free = board.theirs() & board.pawns() & !rook_lines(king) & !bishop_lines(king) & !bit(to);
    free >> 8 & !board.occupied() & !bit(to) != 0
}

/// Whether one move of ours, of any kind, may leave the other side without a move; false is certain.
///
/// Counts pieces of theirs that one move of ours can immobilise only by capturing them, or a pawn by standing before
/// it. Two are needed, for the move may capture one. This holds for castling too, since a pawn that stands before a
/// square of the castling rook or king attacks the king's path; for promotions; and for captures, since a piece is
/// captured where it stands and a pawn steps where nothing does. En passant captures are the exception: callers make
/// them and look.
#[inline(always)]
pub fn may_stalemate(board: &Board) -> bool {
    let king = board.their_king();
    let theirs = board.theirs();
    let steps = their_steps(board, king);
    if at_least_two(steps) {
        return false;
    }
    let pieces = mobile_pieces(board, king, theirs, |targets| targets != 0);
    !at_least_two(pieces) && (pieces == 0 || steps == 0)
}

/// Where pawns of theirs that no pin can keep from moving can step.
#[inline(always)]
fn their_steps(board: &Board, king: u32) -> u64 {
    let theirs = board.theirs();
    (theirs & board.pawns() & !rook_lines(king) & !bishop_lines(king)) >> 8 & !board.occupied()
}

/// Knights, bishops, rooks and queens of a side that no pin can keep from moving, with enough squares to go to: any
/// that stands on no line of its king; a queen anywhere, a rook on ranks and files and a bishop on diagonals of its
/// king, for a piece that is pinned along the way it moves can go towards the piece that pins it.
#[inline(always)]
fn mobile_pieces(board: &Board, king: u32, side: u64, enough: impl Fn(u64) -> bool) -> u64 {
    let (straight_lines, diagonal_lines) = (rook_lines(king), bishop_lines(king));
    let mut mobile = 0;
    for from in Squares(side & board.knights() & !straight_lines & !diagonal_lines) {
        if enough(knight_attacks(from) & !side) {
            mobile |= bit(from);
        }
    }
    let (diagonal, straight) = (board.diagonal_sliders(), board.straight_sliders());
    let unpinnable = diagonal & straight | diagonal & !straight_lines | straight & !diagonal_lines;
    for from in Squares(side & unpinnable) {
        // The next square of each way it goes: a slider that can go far can go one step.
        let mut near = king_attacks(from);
        if diagonal & bit(from) == 0 {
            near &= rook_lines(from);
        } else if straight & bit(from) == 0 {
            near &= bishop_lines(from);
        }
        if enough(near & !side) {
            mobile |= bit(from);
        }
    }
    mobile
}

/// Whether the other side surely keeps a move, or is in check, after any two moves of ours that neither promote nor take
/// en passant, the first of them not castling either; a move of theirs in between has been made already.
///
/// As in [`may_stalemate`], with one more: each of the two moves can immobilise one of those that count.
#[inline]
pub fn they_keep_a_move(board: &Board) -> bool {
    let king = board.their_king();
    let theirs = board.theirs();
    let steps = their_steps(board, king);
    let pieces = || mobile_pieces(board, king, theirs, |targets| targets != 0).count_ones();
    let count = steps.count_ones();
    count >= 3 || count + pieces() >= 3
}

#[inline(always)]
const fn at_least_two(set: u64) -> bool {
    set & set.wrapping_sub(1) != 0
}

/// Pieces of ours that keep a move after a move of ours, not the king's, and a reply, unless they move or are taken.
///
/// No pin can immobilise the *pieces*, and they have two squares to go to: our own move can block one, and what the other
/// side puts on another can be captured. *Pawns* stand on no line of our king and can step; our move can block one of
/// them and the reply another.
#[derive(Clone, Copy)]
pub struct StalemateGuard {
    pieces: u64,
    pawns: u64,
}

impl StalemateGuard {
    /// Those of the side to move.
    #[inline(always)]
    pub fn new(board: &Board) -> StalemateGuard {
        let king = board.our_king();
        let pawns = board.ours & board.pawns() & !rook_lines(king) & !bishop_lines(king);
        StalemateGuard {
            pieces: mobile_pieces(board, king, board.ours, at_least_two),
            pawns: pawns & !(board.occupied() >> 8),
        }
    }

    /// Whether a piece is left that keeps a move, those on `gone` not counted.
    #[inline(always)]
    pub const fn pieces_hold_without(self, gone: u64) -> bool {
        self.pieces & !gone != 0
    }

    /// Whether a piece or, of three pawns, one is left that keeps a move, those on `gone` not counted.
    #[inline(always)]
    pub const fn holds_without(self, gone: u64) -> bool {
        let pawns = self.pawns & !gone;
        self.pieces_hold_without(gone) || at_least_two(pawns & pawns.wrapping_sub(1))
    }
}
