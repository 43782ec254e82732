//! The proofs: what a move can gain at most, and that a move does not end the game.
use super::board::*;
use crate::score::{Depth, MATE, Score};

/// Levels of five centipawns, all bonuses being multiples of five.
const STEP: Score = 5;
const LEVELS: usize = 64;
const MIDDLE: i32 = 32;
/// Beyond these no bonus differs.
const MOST_LEVEL: i32 = 21;

/// What the capture of a pawn gains at most: its value, its best square, the taker's best change of squares.
pub const MOST_BY_PAWN: Score = 100 + 50 + 90;
/// The same for a minor piece.
pub const MOST_BY_MINOR: Score = 330 + 20 + 90;
/// The same for a rook.
pub const MOST_BY_ROOK: Score = 500 + 10 + 90;
/// The same for a queen.
pub const MOST_BY_QUEEN: Score = 900 + 5 + 90;

/// The level of a gain: how many steps of five centipawns it takes at least.
#[inline(always)]
pub fn level(need: Score) -> usize {
    let need = need.clamp(-MOST_LEVEL * STEP, MOST_LEVEL * STEP);
    ((need + MOST_LEVEL * STEP + STEP - 1) / STEP) as usize
}

/// Bonus in steps, offset; kings twice: code 6 in the middlegame, 7 in the endgame.
static BONUS: [[u8; 64]; 8] = bonuses();
static AT_LEAST: [[u64; LEVELS]; 8] = at_least_sets();
static STEP_AT_LEAST: [u64; LEVELS] = step_sets(8);
static DOUBLE_AT_LEAST: [u64; LEVELS] = step_sets(16);

const BASE_VALUE: [i16; 8] = [0, 330, 500, 900, 100, 320, 0, 0];

const fn bonus_of(code: usize, square: usize) -> i32 {
    let bonus = match code {
        6 => KING_SQUARE[0][square],
        7 => KING_SQUARE[1][square],
        _ => VALUE[code][square] - BASE_VALUE[code],
    };
    bonus as i32 / STEP
}

const fn bonuses() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut code = 1;
    while code < 8 {
        let mut square = 0;
        while square < 64 {
            // A level is offset by MOST_LEVEL.
            table[code][square] = (bonus_of(code, square) + MIDDLE - MOST_LEVEL) as u8;
            square += 1;
        }
        code += 1;
    }
    table
}

const fn at_least_sets() -> [[u64; LEVELS]; 8] {
    let mut table = [[0; LEVELS]; 8];
    let mut code = 1;
    while code < 8 {
        let mut level = 0;
        while level < LEVELS {
            let mut square = 0;
            while square < 64 {
                if bonus_of(code, square) + MIDDLE >= level as i32 {
                    table[code][level] |= 1 << square;
                }
                square += 1;
            }
            level += 1;
        }
        code += 1;
    }
    table
}

const fn step_sets(distance: usize) -> [u64; LEVELS] {
    let mut table = [0; LEVELS];
    let mut level = 0;
    while level < LEVELS {
        let mut to = distance;
        while to < 64 {
            let gain = bonus_of(PAWN, to) - bonus_of(PAWN, to - distance);
            if gain + MOST_LEVEL >= level as i32 {
                table[level] |= 1 << to;
            }
            to += 1;
        }
        level += 1;
    }
    table
}

/// The table of the king.
#[inline(always)]
pub const fn king_code(endgame: bool) -> Code {
    KING + endgame as usize
}

/// The squares on which a piece that comes from `from` gains the level.
#[inline(always)]
pub fn at_least(code: Code, from: u32, level: usize) -> u64 {
    let index = BONUS[code & 7][(from & 63) as usize] as usize + level;
    AT_LEAST[code & 7][index & 63]
}

/// Squares to which a pawn's single step gains the level.
#[inline(always)]
pub fn step_at_least(level: usize) -> u64 {
    STEP_AT_LEAST[level & 63]
}

/// Squares to which a pawn's double step gains the level.
#[inline(always)]
pub fn double_at_least(level: usize) -> u64 {
    DOUBLE_AT_LEAST[level & 63]
}

/// After a move of ours to `to` a pawn of theirs can step: it stands on no line of their king, so it is not pinned.
#[inline(always)]
pub fn a_pawn_can_step(board: &Board, to: u32) -> bool {
    let king = board.their_king();
    let free = board.theirs() & board.pawns() & !rook_lines(king) & !bishop_lines(king) & !bit(to);
    free >> 8 & !board.occupied() & !bit(to) != 0
}

/// Whether one move can take every move from the other side.
pub enum Movers {
    /// It cannot.
    Enough,
    /// Perhaps.
    Few,
}

/// Pieces of theirs that one move of ours cannot immobilise but by taking them, or a pawn by standing before it. Two
/// are enough: a move does one of the two, once.
///
/// A piece that stands on no line of its king cannot be pinned. A queen can go along any pin, a rook along any but a
/// diagonal one, a bishop along any but a straight one. What stands on a free neighbouring square can be taken.
#[inline(always)]
pub fn their_movers(board: &Board) -> Movers {
    let king = board.their_king();
    let (straight_lines, diagonal_lines) = (rook_lines(king), bishop_lines(king));
    let lines = straight_lines | diagonal_lines;
    let theirs = board.theirs();
    let steps = (theirs & board.pawns() & !lines) >> 8 & !board.occupied();
    if steps & steps.wrapping_sub(1) != 0 {
        return Movers::Enough;
    }
    let mut count = u32::from(steps != 0);
    for from in Squares(theirs & board.knights() & !lines) {
        count += u32::from(knight_attacks(from) & !theirs != 0);
    }
    let (diagonal, straight) = (board.diagonal_sliders(), board.straight_sliders());
    let steady = diagonal & straight | diagonal & !straight_lines | straight & !diagonal_lines;
    for from in Squares(theirs & steady) {
        let mut near = king_attacks(from);
        if diagonal & bit(from) == 0 {
            near &= rook_lines(from);
        } else if straight & bit(from) == 0 {
            near &= bishop_lines(from);
        }
        count += u32::from(near & !theirs != 0);
    }
    if count >= 2 { Movers::Enough } else { Movers::Few }
}

/// The least and the greatest value that a node can have: mated now, or mating with the next move.
pub const fn of_node(depth: Depth) -> (Score, Score) {
    (-MATE - depth, MATE + depth - 1)
}

/// The key under which a value at `depth` is stored. Where the half-move clock can end the game within the depth, the
/// value depends on it, and so does the key.
#[inline(always)]
pub fn table_key(board: &Board, depth: Depth) -> u64 {
    if board.clock as Depth + depth < CLOCK_LIMIT as Depth {
        board.key
    } else {
        board.key ^ (board.clock as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Pieces of ours that keep a move after a move of ours and a reply, unless they move or are taken themselves.
///
/// *Pieces* stand on no line of our king or can go along every pin, and have two squares to go to, of which our own
/// move can block one; what the other side puts before them can be taken. *Pawns* stand on no line of our king and can
/// step; our move and the reply can each block one.
#[derive(Clone, Copy)]
pub struct Keepers {
    pieces: u64,
    pawns: u64,
}

impl Keepers {
    /// Ours, for moves that are not the king's.
    #[inline(always)]
    pub fn new(board: &Board) -> Keepers {
        let king = board.our_king();
        let (straight_lines, diagonal_lines) = (rook_lines(king), bishop_lines(king));
        let lines = straight_lines | diagonal_lines;
        let ours = board.ours;
        let pawns = (ours & board.pawns() & !lines) << 8 & !board.occupied();
        let two = |targets: u64| targets & targets.wrapping_sub(1) != 0;
        let mut pieces = 0;
        for from in Squares(ours & board.knights() & !lines) {
            if two(knight_attacks(from) & !ours) {
                pieces |= bit(from);
            }
        }
        let (diagonal, straight) = (board.diagonal_sliders(), board.straight_sliders());
        let steady = diagonal & straight | diagonal & !straight_lines | straight & !diagonal_lines;
        for from in Squares(ours & steady) {
            let mut near = king_attacks(from);
            if diagonal & bit(from) == 0 {
                near &= rook_lines(from);
            } else if straight & bit(from) == 0 {
                near &= bishop_lines(from);
            }
            if two(near & !ours) {
                pieces |= bit(from);
            }
        }
        Keepers { pieces, pawns: pawns >> 8 }
    }

    /// Whether a piece, not a pawn, is left that keeps a move, those on `gone` not counted.
    #[inline(always)]
    pub fn pieces_without(self, gone: u64) -> bool {
        self.pieces & !gone != 0
    }

    /// Whether one is left that keeps a move, those on `gone` not counted.
    #[inline(always)]
    pub fn without(self, gone: u64) -> bool {
        let pawns = self.pawns & !gone;
        let but_one = pawns & pawns.wrapping_sub(1);
        self.pieces & !gone != 0 || but_one & but_one.wrapping_sub(1) != 0
    }
}
