//! The board of the exact search: five words and a few bytes, always seen by the side to move.
//!
//! # The idea
//!
//! A search spends its time copying boards, asking them for attacks and adding up scores. So the board is 64 bytes, a
//! cache line, and it is flipped with every move: *ours* are the pieces of the side to move, they move up, and the score
//! is from their point of view. There is then one code for both colours and one sign for every score.
//!
//! The pieces are three planes of bits. A square's bits, read as a number, name what stands there ([`Code`]); the
//! planes are chosen so that the questions asked most often are two operations away: what moves like a bishop, what
//! moves like a rook, what is a pawn. `ours` says whose it is.
//!
//! The score is kept without the kings: `base` is material and squares of everything else, and the kings' squares,
//! which depend on the phase, are looked up when the whole is asked for ([`Board::score`]).
//!
//! # The price
//!
//! Flipping the board takes four byte swaps a move. Keys are of the position as it stands (not as it is seen), so a
//! key needs the colour of the side to move.
//!
//! # What can go wrong
//!
//! A square is a number from a1 = 0 to h8 = 63 *as the side to move sees it*: a square kept over a move must be
//! flipped too ([`flipped`]). The halfmove clock is capped at 100, where every game is over.

mod generate;
mod geometry;
mod keys;
mod pieces;

use shakmaty::{Bitboard, CastlingSide, Square};

use crate::evaluation::Values;
use crate::position::Position;
use crate::score::Score;
use keys::{CASTLING_KEYS, EN_PASSANT_KEYS, FACTORS, KEYS, TURN_KEY, product};

pub use geometry::*;
pub use pieces::*;

/// No en passant square.
pub const NO_SQUARE: u8 = 64;

/// The halfmove clock at which the game is drawn.
pub const CLOCK_LIMIT: u8 = 100;

/// Castling rights: ours to the king's side and to the queen's side, then theirs.
pub const OUR_KING_SIDE: u8 = 1;
/// See [`OUR_KING_SIDE`].
pub const OUR_QUEEN_SIDE: u8 = 2;

/// The side to move is low on material; see [`Board::has_low_material`].
const OURS_LOW: u8 = 1;
/// The other side has.
const THEIRS_LOW: u8 = 2;

/// Rights that end when a move touches a square.
static RIGHTS_LOST: [u8; 64] = {
    let mut table = [0; 64];
    table[0] = OUR_QUEEN_SIDE;
    table[7] = OUR_KING_SIDE;
    table[4] = OUR_KING_SIDE | OUR_QUEEN_SIDE;
    table[56] = OUR_QUEEN_SIDE << 2;
    table[63] = OUR_KING_SIDE << 2;
    table[60] = (OUR_KING_SIDE | OUR_QUEEN_SIDE) << 2;
    table
};

/// A position, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board<'v> {
    /// What the score is made of.
    pub values: &'v Values,
    /// Bishops, queens and knights.
    diagonal: u64,
    /// Rooks, queens and kings.
    straight: u64,
    /// Pawns, knights and kings.
    stepping: u64,
    /// Pieces of the side to move.
    pub ours: u64,
    /// Placement, side to move, castling rights and, if a pawn attacks it, en passant file; nothing else.
    pub key: u64,
    /// Material and squares without the kings: centipawns, for the side to move.
    base: i32,
    /// Plies since the last capture or pawn move, at most [`CLOCK_LIMIT`].
    pub clock: u8,
    /// See [`OUR_KING_SIDE`].
    pub castling: u8,
    /// Where a pawn of ours may take en passant, or [`NO_SQUARE`]; set only if one attacks it.
    pub en_passant: u8,
    /// How many pieces stand on the board, kings and pawns included.
    pub men: u8,
    /// Which sides are low on material, as [`Board::has_low_material`] says: [`OURS_LOW`], [`THEIRS_LOW`].
    low_material: u8,
    /// Whether the side to move is Black.
    pub black: bool,
}

impl<'v> Board<'v> {
    /// The board of a position, with its evaluation.
    pub fn new(position: &Position<'v>) -> Board<'v> {
        let values = position.evaluation().values();
        let chess = position.chess();
        let pieces = position.board();
        let black = position.turn().is_black();
        let seen = |bits: Bitboard| if black { bits.0.swap_bytes() } else { bits.0 };
        let mut board = Board {
            values,
            diagonal: seen(pieces.bishops_and_queens() | pieces.knights()),
            straight: seen(pieces.rooks_and_queens() | pieces.kings()),
            stepping: seen(pieces.pawns() | pieces.knights() | pieces.kings()),
            ours: seen(pieces.by_color(position.turn())),
            key: 0,
            base: 0,
            clock: position.halfmove_clock().min(CLOCK_LIMIT as u32) as u8,
            castling: 0,
            en_passant: NO_SQUARE,
            men: pieces.occupied().count() as u8,
            low_material: 0,
            black,
        };
        for (index, side) in [position.turn(), position.turn().other()].into_iter().enumerate() {
            for (right, castling) in [CastlingSide::KingSide, CastlingSide::QueenSide].into_iter().enumerate()
            {
                if shakmaty::Position::castles(chess).has(side, castling) {
                    board.castling |= 1 << (2 * index + right);
                }
            }
        }
        if let Some(target) = shakmaty::Position::pseudo_legal_ep_square(chess) {
            let target = board.seen(target);
            if pawns_attack_down(bit(target)) & board.pawns() & board.ours != 0 {
                board.en_passant = target as u8;
            }
        }
        board.low_material = board.low_material_from_scratch();
        board.base = board.base_from_scratch();
        board.key = board.key_from_scratch();
        board
    }

    /// A square of the board as the side to move sees it.
    #[inline]
    fn seen(&self, square: Square) -> u32 {
        u32::from(square) ^ self.flip_mask()
    }

    /// The move in the words of shakmaty.
    pub fn to_shakmaty(&self, m: Move) -> shakmaty::Move {
        let stands = |index: u32| square(index ^ self.flip_mask());
        let (from, to) = (stands(m.from()), stands(m.to()));
        let code = self.code(m.from());
        if code == KING && m.from().abs_diff(m.to()) == 2 {
            let rook = if m.to() > m.from() { m.from() + 3 } else { m.from() - 4 };
            return shakmaty::Move::Castle { king: from, rook: stands(rook) };
        }
        if code == PAWN && m.to() == self.en_passant as u32 {
            return shakmaty::Move::EnPassant { from, to };
        }
        let captured = self.code(m.to());
        shakmaty::Move::Normal {
            role: role(code),
            from,
            capture: (captured != EMPTY).then(|| role(captured)),
            to,
            promotion: (m.promotion() != EMPTY).then(|| role(m.promotion())),
        }
    }

    fn base_from_scratch(&self) -> i32 {
        let side = |pieces: u64, turn: u32| -> i32 {
            Squares(pieces & !self.kings()).map(|at| self.values.piece(self.code(at), at ^ turn)).sum()
        };
        side(self.ours, 0) - side(self.theirs(), 56)
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = if self.black { TURN_KEY } else { 0 };
        for at in Squares(self.occupied()) {
            let black = self.black == (self.ours & bit(at) != 0);
            key ^= self.piece_key(black, self.code(at), at);
        }
        key ^ self.rights_key() ^ self.en_passant_key()
    }

    /// A second key of what [`Board::key`] is the key of, found when it is asked for. It multiplies where that adds, so
    /// positions that agree in one are no likelier than others to agree in the other.
    #[inline(always)]
    pub fn products(&self) -> u64 {
        let state = u64::from(self.castling) | u64::from(self.en_passant) << 8 | u64::from(self.black) << 16;
        let pieces = product(self.diagonal ^ FACTORS[0], self.straight ^ FACTORS[1])
            ^ product(self.stepping ^ FACTORS[2], self.ours ^ FACTORS[3]);
        product(pieces ^ state, FACTORS[4])
    }

    #[inline(always)]
    fn flip_mask(&self) -> u32 {
        (self.black as u32) * 56
    }

    #[inline(always)]
    fn piece_key(&self, black: bool, code: Code, at: u32) -> u64 {
        KEYS[black as usize][code & 7][((at ^ self.flip_mask()) & 63) as usize]
    }

    #[inline(always)]
    fn rights_key(&self) -> u64 {
        CASTLING_KEYS[self.black as usize][(self.castling & 15) as usize]
    }

    #[inline(always)]
    fn en_passant_key(&self) -> u64 {
        if self.en_passant == NO_SQUARE { 0 } else { EN_PASSANT_KEYS[(self.en_passant & 7) as usize] }
    }

    /// All pieces.
    #[inline(always)]
    pub const fn occupied(&self) -> u64 {
        self.diagonal | self.straight | self.stepping
    }

    /// Pieces of the side that is not to move.
    #[inline(always)]
    pub const fn theirs(&self) -> u64 {
        self.occupied() & !self.ours
    }

    /// Bishops and queens of both sides.
    #[inline(always)]
    pub const fn diagonal_sliders(&self) -> u64 {
        self.diagonal & !self.stepping
    }

    /// Rooks and queens of both sides.
    #[inline(always)]
    pub const fn straight_sliders(&self) -> u64 {
        self.straight & !self.stepping
    }

    /// Pawns of both sides.
    #[inline(always)]
    pub const fn pawns(&self) -> u64 {
        self.stepping & !self.diagonal & !self.straight
    }

    /// Knights of both sides.
    #[inline(always)]
    pub const fn knights(&self) -> u64 {
        self.stepping & self.diagonal
    }

    /// Kings of both sides.
    #[inline(always)]
    pub const fn kings(&self) -> u64 {
        self.stepping & self.straight
    }

    /// The square of our king.
    #[inline(always)]
    pub const fn our_king(&self) -> u32 {
        (self.kings() & self.ours).trailing_zeros() & 63
    }

    /// The square of their king.
    #[inline(always)]
    pub const fn their_king(&self) -> u32 {
        (self.kings() & !self.ours).trailing_zeros() & 63
    }

    /// What stands on a square.
    #[inline(always)]
    pub const fn code(&self, at: u32) -> Code {
        let at = at & 63;
        (self.diagonal >> at & 1 | (self.straight >> at & 1) << 1 | (self.stepping >> at & 1) << 2) as Code
    }

    /// The same position with the score that other values make. The key stays the same.
    #[must_use]
    pub fn with_values<'w>(&self, values: &'w Values) -> Board<'w> {
        let mut board = Board { values, ..*self };
        board.base = board.base_from_scratch();
        board
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

    /// Pieces of ours and theirs that attack a square if `occupied` is what stands on the board.
    #[inline(always)]
    fn attackers(&self, at: u32, occupied: u64) -> u64 {
        (bishop_attacks(at, occupied) & self.diagonal_sliders())
            | (rook_attacks(at, occupied) & self.straight_sliders())
            | (knight_attacks(at) & self.knights())
            | (king_attacks(at) & self.kings())
            | (pawns_attack_up(bit(at)) & self.pawns() & !self.ours)
            | (pawns_attack_down(bit(at)) & self.pawns() & self.ours)
    }

    /// Their pieces that attack a square if `occupied` is what stands on the board.
    #[inline(always)]
    pub fn their_attackers(&self, at: u32, occupied: u64) -> u64 {
        self.attackers(at, occupied) & !self.ours
    }

    /// Our pieces that attack a square if `occupied` is what stands on the board.
    #[inline(always)]
    pub fn our_attackers(&self, at: u32, occupied: u64) -> u64 {
        self.attackers(at, occupied) & self.ours
    }

    /// Their pieces that give check.
    #[inline(always)]
    pub fn checkers(&self) -> u64 {
        let king = self.our_king();
        let occupied = self.occupied();
        let theirs = !self.ours;
        ((bishop_attacks(king, occupied) & self.diagonal_sliders())
            | (rook_attacks(king, occupied) & self.straight_sliders())
            | (knight_attacks(king) & self.knights())
            | (pawns_attack_up(bit(king)) & self.pawns()))
            & theirs
    }

    /// Our pieces that may not leave the line of our king.
    #[inline(always)]
    pub fn pinned(&self) -> u64 {
        self.blockers(self.our_king(), !self.ours) & self.ours
    }

    /// Our pieces that discover a check when they leave the line to their king.
    #[inline(always)]
    pub fn discoverers(&self) -> u64 {
        self.blockers(self.their_king(), self.ours) & self.ours
    }

    /// Pieces that stand alone between `king` and a slider of `side`.
    #[inline(always)]
    pub fn blockers(&self, king: u32, side: u64) -> u64 {
        let occupied = self.occupied();
        let snipers = ((rook_lines(king) & self.straight_sliders())
            | (bishop_lines(king) & self.diagonal_sliders()))
            & side;
        let mut blockers = 0;
        for sniper in Squares(snipers) {
            let shield = between(king, sniper) & occupied;
            if shield & shield.wrapping_sub(1) == 0 {
                blockers |= shield;
            }
        }
        blockers
    }

    /// Whether no pawn, rook or queen is left and at most one minor piece.
    #[inline(always)]
    pub const fn is_dead(&self) -> bool {
        self.men <= 3 && self.pawns() | self.straight_sliders() == 0
    }

    /// Whether the kings use their endgame table: both sides are low on material.
    #[inline(always)]
    pub const fn endgame(&self) -> bool {
        self.low_material == OURS_LOW | THEIRS_LOW
    }

    /// Whether the endgame starts once their side is low on material.
    #[inline(always)]
    pub const fn we_wait_for_endgame(&self) -> bool {
        self.low_material == OURS_LOW
    }

    /// Whether the endgame starts once our side is low on material.
    #[inline(always)]
    pub const fn they_wait_for_endgame(&self) -> bool {
        self.low_material == THEIRS_LOW
    }

    #[inline]
    fn low_material_from_scratch(&self) -> u8 {
        let ours = if self.has_low_material(self.ours) { OURS_LOW } else { 0 };
        let theirs = if self.has_low_material(self.theirs()) { THEIRS_LOW } else { 0 };
        ours | theirs
    }

    /// Whether a side has no queen, or no rook and at most one minor piece.
    #[inline(always)]
    pub const fn has_low_material(&self, side: u64) -> bool {
        let queens = self.diagonal & self.straight & side;
        let rooks = self.straight_sliders() & !self.diagonal & side;
        let minors = self.diagonal & !self.straight & side;
        queens == 0 || (rooks == 0 && minors & minors.wrapping_sub(1) == 0)
    }

    /// The position after a legal move, seen by the other side.
    #[must_use]
    pub fn make(&self, m: Move) -> Board<'v> {
        self.make_move::<true>(m)
    }

    /// [`Board::make`] without the key, for positions that are looked at and forgotten.
    #[must_use]
    pub fn make_keyless(&self, m: Move) -> Board<'v> {
        self.make_move::<false>(m)
    }

    #[inline(always)]
    fn make_move<const KEY: bool>(&self, m: Move) -> Board<'v> {
        let (from, to) = (m.from(), m.to());
        let (code, captured) = (self.code(from), self.code(to));
        let placed = if m.promotion() == EMPTY { code } else { m.promotion() };
        let mut board = *self;
        // 1. The pieces.
        let untouched = !(bit(from) | bit(to));
        let plane = |index: usize| ((placed >> index & 1) as u64) << to;
        board.diagonal = self.diagonal & untouched | plane(0);
        board.straight = self.straight & untouched | plane(1);
        board.stepping = self.stepping & untouched | plane(2);
        board.ours = self.ours & untouched | bit(to);
        board.base += self.values.piece(placed, to) - self.values.piece(code, from)
            + self.values.piece(captured, flipped(to));
        board.en_passant = NO_SQUARE;
        if KEY {
            board.key ^= TURN_KEY
                ^ self.piece_key(self.black, code, from)
                ^ self.piece_key(self.black, placed, to)
                ^ self.piece_key(!self.black, captured, to)
                ^ self.en_passant_key()
                ^ self.rights_key();
        }
        // 2. The clock, and what only pawns and captures change.
        board.clock = (self.clock + 1).min(CLOCK_LIMIT);
        if captured != EMPTY {
            board.clock = 0;
            board.men -= 1;
        }
        if code == PAWN {
            board.clock = 0;
            if to == self.en_passant as u32 {
                let victim = to - 8;
                board.stepping &= !bit(victim);
                board.base += self.values.piece(PAWN, flipped(victim));
                if KEY {
                    board.key ^= self.piece_key(!self.black, PAWN, victim);
                }
                board.men -= 1;
            } else if to == from + 16 {
                let beside = (bit(to) & !FILE_A) >> 1 | (bit(to) & !FILE_H) << 1;
                if beside & self.pawns() & !self.ours != 0 {
                    board.en_passant = flipped(from + 8) as u8;
                    if KEY {
                        board.key ^= EN_PASSANT_KEYS[(from & 7) as usize];
                    }
                }
            }
        }
        // 3. Castling: the rook, and the rights that end.
        if code == KING && from.abs_diff(to) == 2 {
            let (rook_from, rook_to) = if to > from { (from + 3, from + 1) } else { (from - 4, from - 1) };
            board.straight ^= bit(rook_from) | bit(rook_to);
            board.ours ^= bit(rook_from) | bit(rook_to);
            board.base += self.values.piece(ROOK, rook_to) - self.values.piece(ROOK, rook_from);
            if KEY {
                board.key ^=
                    self.piece_key(self.black, ROOK, rook_from) ^ self.piece_key(self.black, ROOK, rook_to);
            }
        }
        if self.castling != 0 {
            let left = self.castling & !(RIGHTS_LOST[from as usize] | RIGHTS_LOST[to as usize]);
            board.castling = left << 2 & 15 | left >> 2;
        }
        // 4. The phase.
        if (captured & 3) != 0 || m.promotion() != EMPTY {
            board.low_material = board.low_material_from_scratch();
        }
        // 5. Flip the board.
        board.ours = board.theirs().swap_bytes();
        board.diagonal = board.diagonal.swap_bytes();
        board.straight = board.straight.swap_bytes();
        board.stepping = board.stepping.swap_bytes();
        board.low_material = board.low_material << 1 & THEIRS_LOW | board.low_material >> 1;
        board.base = -board.base;
        board.black = !self.black;
        if KEY {
            board.key ^= board.rights_key();
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::limits::Limits;
    use crate::perft::perft;

    fn count(board: &Board, depth: u32) -> u64 {
        let mut total = 0;
        board.any_legal_move(board.checkers(), |m| {
            let child = board.make(m);
            assert_eq!(child.key, child.key_from_scratch(), "the key after {m:?} in {board:?}");
            assert_eq!(child.base, child.base_from_scratch(), "the score after {m:?} in {board:?}");
            assert_eq!(child.low_material, child.low_material_from_scratch());
            assert_eq!(child.men as u32, child.occupied().count_ones());
            total += if depth == 1 { 1 } else { count(&child, depth - 1) };
            false
        });
        assert_eq!(total > 0, board.has_legal_move(board.checkers()));
        total
    }

    #[test]
    fn moves_keys_and_scores_are_those_of_the_rules() {
        for fen in include_str!("../../../tests/positions/searched.fen")
            .lines()
            .filter(|line| !line.starts_with('#'))
        {
            let position = Position::from_fen(fen).unwrap();
            let board = Board::new(&position);
            assert_eq!(board.score() * if board.black { -1 } else { 1 }, position.score());
            let depth = 3;
            let expected = perft(&position, depth, &mut Limits::new(&mut || false)).unwrap();
            assert_eq!(count(&board, depth), expected, "{fen}");
        }
    }

    #[test]
    fn both_keys_tell_the_same_positions_apart() {
        fn visit(board: &Board<'static>, depth: u32, seen: &mut HashMap<u64, Board<'static>>) {
            // What neither key knows: the clock, and what follows from the rest.
            let placed = Board { clock: 0, ..*board };
            let first = seen.entry(board.products()).or_insert(placed);
            assert_eq!(*first, placed);
            if depth > 0 {
                board.any_legal_move(board.checkers(), |m| {
                    visit(&board.make(m), depth - 1, seen);
                    false
                });
            }
        }
        let mut seen = HashMap::new();
        for fen in include_str!("../../../tests/positions/searched.fen")
            .lines()
            .filter(|line| !line.starts_with('#'))
        {
            visit(&Board::new(&Position::from_fen(fen).unwrap()), 3, &mut seen);
        }
        let keys: HashSet<u64> = seen.values().map(|board| board.key).collect();
        assert!(seen.len() > 100_000);
        assert_eq!(keys.len(), seen.len());
    }

    #[test]
    fn a_made_position_is_the_position_read() {
        for fen in include_str!("../../../tests/positions/searched.fen")
            .lines()
            .filter(|line| !line.starts_with('#'))
        {
            let position = Position::from_fen(fen).unwrap();
            let board = Board::new(&position);
            board.any_legal_move(board.checkers(), |m| {
                let (made, read) = (board.make(m), Board::new(&position.play(board.to_shakmaty(m))));
                assert_eq!(made, read, "{fen} {m:?}");
                false
            });
        }
    }
}
