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
//! # What a quiet move gains
//!
//! All bonuses are multiples of five centipawns, so gains come in *levels* ([`level`]): the number of steps of five
//! that a move must gain at least. For each piece and level there is the set of squares whose bonus is high enough
//! ([`at_least`]); the quiet moves of a piece that gain a level are that set, cut with what the piece attacks.
//!
//! # What a capture gains at most
//!
//! [`MOST_BY_PAWN`] and its like: the victim's value on its best square, and the best change of squares of any taker,
//! which is the king's in the endgame, 90 (a corner to the centre). They hold as long as the capture does not start the
//! endgame, which changes the kings' tables; callers look out for that.
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

use crate::board::{
    Board, CLOCK_LIMIT, Code, KING, PAWN, SIMPLIFIED, Squares, bishop_lines, bit, king_attacks,
    knight_attacks, rook_lines,
};
use crate::evaluation::simplified::PIECE_VALUES;
use crate::score::{Depth, MATE, Score};

/// The least and the greatest value of a node with `depth` plies left, for the side to move.
pub const fn of_node(depth: Depth) -> (Score, Score) {
    (-MATE - depth, MATE + depth - 1)
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

/// The greatest change of squares: a king's, from a corner to the centre, in the endgame.
const MOST_BY_SQUARES: Score = 90;
/// What the capture of a pawn gains at most.
pub const MOST_BY_PAWN: Score = 100 + 50 + MOST_BY_SQUARES;
/// What the capture of a knight or bishop gains at most.
pub const MOST_BY_MINOR: Score = 330 + 20 + MOST_BY_SQUARES;
/// What the capture of a rook gains at most.
pub const MOST_BY_ROOK: Score = 500 + 10 + MOST_BY_SQUARES;
/// What the capture of a queen gains at most.
pub const MOST_BY_QUEEN: Score = 900 + 5 + MOST_BY_SQUARES;

/// Centipawns of a step between levels.
const STEP: Score = 5;
/// Steps that no quiet move gains: levels run from none of them lost to all of them gained.
const MOST_STEPS: Score = 21;
/// Number of entries of the tables of sets.
const LEVELS: usize = 64;
/// The index of bonus 0 in the tables of sets: bonuses are from -10 to 10 steps.
const ZERO: Score = 32;

/// The level of a gain of `need` centipawns: how many steps it takes at least, counted from [`MOST_STEPS`] lost.
#[inline(always)]
pub fn level(need: Score) -> usize {
    const MOST: Score = MOST_STEPS * STEP;
    ((need.clamp(-MOST, MOST) + MOST + STEP - 1) / STEP) as usize
}

/// Kings have two tables: code 6 in the middlegame, 7 in the endgame.
const ENDGAME_KING: Code = KING + 1;

/// The king's code in a phase, for [`at_least`].
#[inline(always)]
pub const fn king_code(endgame: bool) -> Code {
    KING + endgame as usize
}

/// By piece and square: the index of its bonus, lessened so that adding a level gives the index wanted.
static START: [[u8; 64]; 8] = starts();
/// By piece and index: the squares whose bonus is at least that.
static AT_LEAST: [[u64; LEVELS]; 8] = squares_at_least();
/// By level: where a pawn's single and double steps gain it.
static STEPS_AT_LEAST: [[u64; LEVELS]; 2] = [steps_at_least(8), steps_at_least(16)];

/// A square's bonus in steps.
const fn bonus(code: Code, square: usize) -> Score {
    // Codes of pieces in the order of the board's.
    const MATERIAL: [Score; 6] =
        [0, PIECE_VALUES[2], PIECE_VALUES[3], PIECE_VALUES[4], PIECE_VALUES[0], PIECE_VALUES[1]];
    let centipawns = match code {
        KING => SIMPLIFIED.king[0][square] as Score,
        ENDGAME_KING => SIMPLIFIED.king[1][square] as Score,
        _ => SIMPLIFIED.pieces[code][square] as Score - MATERIAL[code],
    };
    assert!(centipawns % STEP == 0);
    centipawns / STEP
}

const fn starts() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut code = 1;
    while code < 8 {
        let mut square = 0;
        while square < 64 {
            table[code][square] = (bonus(code, square) + ZERO - MOST_STEPS) as u8;
            square += 1;
        }
        code += 1;
    }
    table
}

const fn squares_at_least() -> [[u64; LEVELS]; 8] {
    let mut table = [[0; LEVELS]; 8];
    let mut code = 1;
    while code < 8 {
        let mut index = 0;
        while index < LEVELS {
            let mut square = 0;
            while square < 64 {
                if bonus(code, square) + ZERO >= index as Score {
                    table[code][index] |= 1 << square;
                }
                square += 1;
            }
            index += 1;
        }
        code += 1;
    }
    table
}

const fn steps_at_least(distance: usize) -> [u64; LEVELS] {
    let mut table = [0; LEVELS];
    let mut level = 0;
    while level < LEVELS {
        let mut to = distance;
        while to < 64 {
            if bonus(PAWN, to) - bonus(PAWN, to - distance) + MOST_STEPS >= level as Score {
                table[level] |= 1 << to;
            }
            to += 1;
        }
        level += 1;
    }
    table
}

/// The squares on which a piece of ours that comes from `from` gains the level.
#[inline(always)]
pub fn at_least(code: Code, from: u32, level: usize) -> u64 {
    let index = START[code & 7][(from & 63) as usize] as usize + level;
    AT_LEAST[code & 7][index & (LEVELS - 1)]
}

/// What a quiet move of a piece that is no pawn gains at most, in centipawns: its best square against its worst.
#[inline(always)]
pub fn most_by_quiet(code: Code) -> Score {
    MOST_BY_QUIET[code & 7]
}

static MOST_BY_QUIET: [Score; 8] = {
    let mut table = [0; 8];
    let mut code = 1;
    while code < 8 {
        let (mut least, mut most) = (bonus(code, 0), bonus(code, 0));
        let mut square = 1;
        while square < 64 {
            let bonus = bonus(code, square);
            least = if bonus < least { bonus } else { least };
            most = if bonus > most { bonus } else { most };
            square += 1;
        }
        table[code] = (most - least) * STEP;
        code += 1;
    }
    table
};

/// Squares on which a single step of a pawn of ours gains the level.
#[inline(always)]
pub fn step_at_least(level: usize) -> u64 {
    STEPS_AT_LEAST[0][level & (LEVELS - 1)]
}

/// Squares on which a double step of a pawn of ours gains the level.
#[inline(always)]
pub fn double_at_least(level: usize) -> u64 {
    STEPS_AT_LEAST[1][level & (LEVELS - 1)]
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
    let steps = (theirs & board.pawns() & !rook_lines(king) & !bishop_lines(king)) >> 8 & !board.occupied();
    if at_least_two(steps) {
        return false;
    }
    let pieces = mobile_pieces(board, king, theirs, |targets| targets != 0);
    !at_least_two(pieces) && (pieces == 0 || steps == 0)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{BISHOP, KNIGHT, QUEEN, ROOK};

    #[test]
    fn levels_are_sets_of_gains() {
        for code in [BISHOP, ROOK, QUEEN, KNIGHT, KING, ENDGAME_KING] {
            for from in 0..64 {
                for need in (-130..130).step_by(3) {
                    let set = at_least(code, from, level(need));
                    for to in 0..64 {
                        let gain = STEP * (bonus(code, to as usize) - bonus(code, from as usize));
                        assert_eq!(set & bit(to) != 0, gain >= need, "{code} {from} {to} {need}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_change_of_squares_is_greater_than_the_greatest() {
        let most = (1..8).map(most_by_quiet);
        assert_eq!(most.collect::<Vec<_>>(), [30, 15, 25, 70, 70, 80, 90]);
        assert_eq!(MOST_BY_SQUARES, 90);
        const { assert!(MOST_BY_SQUARES < MOST_STEPS * STEP) };
    }
}
