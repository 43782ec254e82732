//! The board of the exact search, and of the playing floor: 64 bytes, a cache line, always seen by the side to move.
//!
//! It is flipped with every move: *ours* are the pieces of the side to move, they move up, and the score is from their point
//! of view. The pieces are three planes of bits: a square's bits, read as a number, name what stands there ([`Code`]). What
//! a floor keeps besides, such as the sums of its evaluation, travels with the board ([`Carried`]).
//!
//! **The price.** Four byte swaps a move. Keys are of the position as it stands, so a key needs the colour of the side to
//! move.
//!
//! **What can go wrong.** A square kept over a move must be flipped too ([`flipped`]). The halfmove clock is capped at 100,
//! where every game is over.

mod generate;
mod geometry;
mod keys;
mod pieces;
mod see;
mod sums;

use shakmaty::{Bitboard, CastlingSide, Chess, Square};

use keys::{CASTLING_KEYS, EN_PASSANT_KEYS, FACTORS, KEYS, product};

pub use geometry::*;
pub use keys::{TURN_KEY, placed_key};
pub use pieces::*;
pub use see::EXCHANGE_VALUES;
pub use sums::{Board, Sums};

/// No en passant square.
pub const NO_SQUARE: u8 = 64;

/// The halfmove clock at which the game is drawn.
pub const CLOCK_LIMIT: u8 = 100;

/// Castling rights: ours to the king's side and to the queen's side, then theirs.
pub const OUR_KING_SIDE: u8 = 1;
/// See [`OUR_KING_SIDE`].
pub const OUR_QUEEN_SIDE: u8 = 2;

/// Where the rooks of standard chess castle from, for each right from [`OUR_KING_SIDE`] on.
const CORNERS: [u32; 4] = [7, 0, 63, 56];

/// What a move does to the pieces; squares as the side that moves sees them.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Where it starts.
    pub from: u32,
    /// Where the piece ends; castling is the king's way.
    pub to: u32,
    /// What moves.
    pub code: Code,
    /// What stands on `to` then.
    pub placed: Code,
    /// What is captured, or [`EMPTY`].
    pub captured: Code,
    /// Where it stood.
    pub victim: u32,
    /// Castling: where the rook comes from and where it goes.
    pub rook: Option<(u32, u32)>,
}

/// What a floor keeps beside the pieces, brought up to date with every move.
pub trait Carried: Copy {
    /// Whether all castling is written as the king's move onto its rook; else only that of Chess960, and that of standard
    /// chess as the king's two steps.
    const KING_TAKES_ROOK: bool;

    /// Carried after a move, as the *other* side sees it; `after` is not flipped yet, and carries what was before.
    #[must_use]
    fn moved(before: &FlippedBoard<Self>, after: &FlippedBoard<Self>, change: &Change) -> Self;

    /// What is carried after a pass, as the other side sees it.
    #[must_use]
    fn passed(before: &FlippedBoard<Self>) -> Self;
}

/// A position, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlippedBoard<C> {
    /// What the floor keeps.
    pub carried: C,
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
    /// Plies since the last capture or pawn move, at most [`CLOCK_LIMIT`].
    pub clock: u8,
    /// See [`OUR_KING_SIDE`].
    pub castling: u8,
    /// Where a pawn of ours may take en passant, or [`NO_SQUARE`]; set only if one attacks it.
    pub en_passant: u8,
    /// How many pieces stand on the board, kings and pawns included.
    pub men: u8,
    /// Whether the side to move is Black.
    pub black: bool,
    /// Rights that standard chess does not know, half a byte each from [`OUR_KING_SIDE`] on: 8 and the file of the rook; 0
    /// for no right, and for one of a king on its e-file with a rook in the corner.
    other_rooks: u16,
}

impl<C> FlippedBoard<C> {
    /// The board of a position, carrying what `carried` makes of it.
    pub fn read(chess: &Chess, carried: impl FnOnce(&FlippedBoard<()>) -> C) -> FlippedBoard<C> {
        let mut board = FlippedBoard::read_keyless(chess, carried);
        board.key = board.key_from_scratch();
        board
    }

    /// [`FlippedBoard::read`] without a key.
    pub fn read_keyless(chess: &Chess, carried: impl FnOnce(&FlippedBoard<()>) -> C) -> FlippedBoard<C> {
        let pieces = shakmaty::Position::board(chess);
        let turn = shakmaty::Position::turn(chess);
        let black = turn.is_black();
        let seen = |bits: Bitboard| if black { bits.0.swap_bytes() } else { bits.0 };
        let mut board = FlippedBoard {
            carried: (),
            diagonal: seen(pieces.bishops_and_queens() | pieces.knights()),
            straight: seen(pieces.rooks_and_queens() | pieces.kings()),
            stepping: seen(pieces.pawns() | pieces.knights() | pieces.kings()),
            ours: seen(pieces.by_color(turn)),
            key: 0,
            clock: shakmaty::Position::halfmoves(chess).min(CLOCK_LIMIT as u32) as u8,
            castling: 0,
            en_passant: NO_SQUARE,
            men: pieces.occupied().count() as u8,
            black,
            other_rooks: 0,
        };
        for (right, corner) in CORNERS.into_iter().enumerate() {
            let (side, king) =
                if right < 2 { (turn, board.our_king()) } else { (turn.other(), board.their_king()) };
            let castling = CastlingSide::from_king_side(right % 2 == 0);
            if let Some(rook) = shakmaty::Position::castles(chess).rook(side, castling) {
                let rook = board.seen(rook);
                board.castling |= 1 << right;
                if rook != corner || king & 7 != 4 {
                    board.other_rooks |= (8 | rook as u16 & 7) << (4 * right);
                }
            }
        }
        if let Some(target) = shakmaty::Position::pseudo_legal_ep_square(chess) {
            let target = board.seen(target);
            if pawns_attack_down(bit(target)) & board.pawns() & board.ours != 0 {
                board.en_passant = target as u8;
            }
        }
        let carried = carried(&board);
        board.carrying(carried)
    }

    /// The same board with something else to carry.
    #[inline(always)]
    fn carrying<D>(self, carried: D) -> FlippedBoard<D> {
        FlippedBoard {
            carried,
            diagonal: self.diagonal,
            straight: self.straight,
            stepping: self.stepping,
            ours: self.ours,
            key: self.key,
            clock: self.clock,
            castling: self.castling,
            en_passant: self.en_passant,
            men: self.men,
            black: self.black,
            other_rooks: self.other_rooks,
        }
    }

    /// Whether there is a right to castle that standard chess does not know.
    #[inline(always)]
    pub const fn is_chess960(&self) -> bool {
        self.other_rooks != 0
    }

    /// Whether we have such a right.
    #[inline(always)]
    pub const fn we_castle_as_in_chess960(&self) -> bool {
        self.other_rooks & 0xff != 0
    }

    /// Where the rooks stand that may castle, for each right from [`OUR_KING_SIDE`] on.
    fn castling_rooks(&self) -> [u32; 4] {
        let mut rooks = CORNERS;
        for (right, rook) in rooks.iter_mut().enumerate() {
            let other = u32::from(self.other_rooks >> (4 * right) & 15);
            if other != 0 {
                *rook = *rook & FLIP | other & 7;
            }
        }
        rooks
    }

    /// A square of the board as the side to move sees it.
    #[inline]
    pub fn seen(&self, square: Square) -> u32 {
        u32::from(square) ^ self.flip_mask()
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = if self.black { TURN_KEY } else { 0 };
        for at in Squares(self.occupied()) {
            let black = self.black == (self.ours & bit(at) != 0);
            key ^= self.piece_key(black, self.code(at), at);
        }
        key ^ self.rights_key() ^ self.other_rooks_key() ^ self.en_passant_key()
    }

    /// What the rooks of rights that standard chess does not know add: the numbers of pawns, which never stand there.
    fn other_rooks_key(&self) -> u64 {
        let rooks = self.castling_rooks().into_iter().enumerate();
        rooks
            .filter(|(right, _)| self.other_rooks >> (4 * right) & 15 != 0)
            .fold(0, |key, (right, rook)| key ^ self.piece_key(self.black ^ (right > 1), PAWN, rook))
    }

    /// A second key, found when asked for: it multiplies where [`Board::key`] adds, so they do not collide together.
    #[inline(always)]
    pub fn products(&self) -> u64 {
        let state = u64::from(self.castling)
            | u64::from(self.en_passant) << 8
            | u64::from(self.black) << 16
            | u64::from(self.other_rooks) << 32;
        let pieces = product(self.diagonal ^ FACTORS[0], self.straight ^ FACTORS[1])
            ^ product(self.stepping ^ FACTORS[2], self.ours ^ FACTORS[3]);
        product(pieces ^ state, FACTORS[4])
    }

    /// The men as the side to move sees them: equal for equal men, whatever the rights and clocks.
    #[inline(always)]
    pub const fn men_by_plane(&self) -> [u64; 4] {
        [self.diagonal, self.straight, self.stepping, self.ours]
    }

    #[inline(always)]
    fn flip_mask(&self) -> u32 {
        (self.black as u32) * 56
    }

    /// The number that a piece of a colour on a square adds to keys.
    #[inline(always)]
    pub fn piece_key(&self, black: bool, code: Code, at: u32) -> u64 {
        KEYS[black as usize][code & 7][((at ^ self.flip_mask()) & 63) as usize]
    }

    #[inline(always)]
    fn rights_key(&self) -> u64 {
        CASTLING_KEYS[self.black as usize][(self.castling & 15) as usize]
    }

    /// What a capture en passant adds to keys.
    #[inline(always)]
    pub fn en_passant_key(&self) -> u64 {
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

    /// All pieces of a kind, of both sides.
    #[inline(always)]
    pub fn pieces(&self, code: Code) -> u64 {
        let plane = |set: bool, bits: u64| if set { bits } else { !bits };
        plane(code & 1 != 0, self.diagonal)
            & plane(code & 2 != 0, self.straight)
            & plane(code & 4 != 0, self.stepping)
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

    /// Squares from which each piece attacks their king, by code; promotions, castling and discoveries apart.
    #[inline(always)]
    pub fn check_squares(&self) -> [u64; 8] {
        let (king, occupied) = (self.their_king(), self.occupied());
        let (diagonal, straight) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
        let mut squares = [0; 8];
        squares[BISHOP] = diagonal;
        squares[ROOK] = straight;
        squares[QUEEN] = diagonal | straight;
        squares[KNIGHT] = knight_attacks(king);
        squares[PAWN] = pawns_attack_down(bit(king));
        squares
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
}

impl<C: Carried> FlippedBoard<C> {
    /// The move in the words of shakmaty.
    pub fn to_shakmaty(&self, m: Move) -> shakmaty::Move {
        let stands = |index: u32| square(index ^ self.flip_mask());
        let (from, to) = (stands(m.from()), stands(m.to()));
        let code = self.code(m.from());
        if let Some((rook, _, _)) = self.castling_squares(code, m) {
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

    /// A move in the words of shakmaty, as the side to move sees it; the inverse of [`FlippedBoard::to_shakmaty`].
    pub fn of_shakmaty(&self, m: &shakmaty::Move) -> Move {
        let seen = |square: Square| square.to_u32() ^ self.flip_mask();
        if let shakmaty::Move::Castle { king, rook } = *m {
            return self.castling_move(seen(king), seen(rook));
        }
        let from = m.from().expect("pieces are not dropped on the board");
        Move::new(seen(from), seen(m.to()), m.promotion().map_or(EMPTY, code))
    }

    /// The move that castles with a rook of ours.
    fn castling_move(&self, king: u32, rook: u32) -> Move {
        let king_side = rook > king;
        let other = self.other_rooks & if king_side { 0x0f } else { 0xf0 } != 0;
        let to = if C::KING_TAKES_ROOK || other {
            rook
        } else if king_side {
            king + 2
        } else {
            king - 2
        };
        Move::new(king, to, EMPTY)
    }

    /// If a move of the piece `code` castles: where the rook comes from, and where king and rook go.
    #[inline(always)]
    pub fn castling_squares(&self, code: Code, m: Move) -> Option<(u32, u32, u32)> {
        let (from, to) = (m.from(), m.to());
        if code != KING {
            return None;
        }
        if self.ours & bit(to) != 0 {
            return Some(if to > from { (to, 6, 5) } else { (to, 2, 3) });
        }
        if C::KING_TAKES_ROOK || from.abs_diff(to) != 2 {
            return None;
        }
        Some(if to > from { (from + 3, to, from + 1) } else { (from - 4, to, from - 1) })
    }

    /// The position after a legal move, seen by the other side.
    #[must_use]
    pub fn make(&self, m: Move) -> FlippedBoard<C> {
        self.make_move::<true>(m)
    }

    /// [`FlippedBoard::make`] without the key, for positions that are looked at and forgotten.
    #[must_use]
    pub fn make_keyless(&self, m: Move) -> FlippedBoard<C> {
        self.make_move::<false>(m)
    }

    /// The key after a move, but for castling, en passant and the rights that end: enough to fetch what is kept by it.
    #[inline(always)]
    #[must_use]
    pub fn likely_key(&self, m: Move) -> u64 {
        let (from, to) = (m.from(), m.to());
        let code = self.code(from);
        let placed = if m.promotion() == EMPTY { code } else { m.promotion() };
        self.key
            ^ TURN_KEY
            ^ self.en_passant_key()
            ^ self.displaced_key(from, to, code, placed, self.code(to))
    }

    /// How the key changes with a piece that goes, what is placed then, and what stood there.
    #[inline(always)]
    fn displaced_key(&self, from: u32, to: u32, code: Code, placed: Code, captured: Code) -> u64 {
        self.piece_key(self.black, code, from)
            ^ self.piece_key(self.black, placed, to)
            ^ self.piece_key(!self.black, captured, to)
    }

    /// [`FlippedBoard::make_keyless`] for a plain capture, in searches that ask for no castling rights.
    #[inline(always)]
    #[must_use]
    pub fn take(&self, code: Code, from: u32, to: u32) -> FlippedBoard<C> {
        let captured = self.code(to);
        let change = Change { from, to, code, placed: code, captured, victim: to, rook: None };
        let mut board = *self;
        (board.clock, board.castling, board.other_rooks, board.en_passant) = (0, 0, 0, NO_SQUARE);
        board.men -= 1;
        board.place(from, to, code);
        board.carried = C::moved(self, &board, &change);
        board.flip();
        board
    }

    /// Moves one piece, which is `placed` then.
    #[inline(always)]
    fn place(&mut self, from: u32, to: u32, placed: Code) {
        let untouched = !(bit(from) | bit(to));
        let plane = |index: usize| ((placed >> index & 1) as u64) << to;
        self.diagonal = self.diagonal & untouched | plane(0);
        self.straight = self.straight & untouched | plane(1);
        self.stepping = self.stepping & untouched | plane(2);
        self.ours = self.ours & untouched | bit(to);
    }

    /// The position if the side to move passes; it must not be in check.
    #[inline]
    #[must_use]
    pub fn pass(&self) -> FlippedBoard<C> {
        let mut board = *self;
        board.key ^= TURN_KEY ^ self.en_passant_key() ^ self.rights_key();
        board.en_passant = NO_SQUARE;
        board.clock = (self.clock + 1).min(CLOCK_LIMIT);
        board.castling = self.castling << 2 & 15 | self.castling >> 2;
        board.other_rooks = self.other_rooks.rotate_left(8);
        board.carried = C::passed(self);
        board.flip();
        board.key ^= board.rights_key();
        board
    }

    /// Lets the other side see the pieces.
    #[inline(always)]
    fn flip(&mut self) {
        self.ours = self.theirs().swap_bytes();
        self.diagonal = self.diagonal.swap_bytes();
        self.straight = self.straight.swap_bytes();
        self.stepping = self.stepping.swap_bytes();
        self.black = !self.black;
    }

    #[inline(always)]
    fn make_move<const KEY: bool>(&self, m: Move) -> FlippedBoard<C> {
        let (from, to) = (m.from(), m.to());
        let code = self.code(from);
        let mut board = *self;
        if KEY {
            board.key ^= TURN_KEY ^ self.en_passant_key() ^ self.rights_key();
        }
        board.clock = (self.clock + 1).min(CLOCK_LIMIT);
        // 1. The pieces, the clock, and what only pawns and captures change.
        let change = match self.castling_squares(code, m) {
            Some(squares) => board.castle::<KEY>(from, squares),
            None => board.displace::<KEY>(m, code),
        };
        // 2. Castling rights that end.
        if self.castling != 0 {
            let lost = if self.is_chess960() {
                board.lose_other_rights::<KEY>(self, code, from, to)
            } else {
                RIGHTS_LOST[from as usize] | RIGHTS_LOST[to as usize]
            };
            let left = self.castling & !lost;
            board.castling = left << 2 & 15 | left >> 2;
        }
        // 3. What the floor keeps.
        board.carried = C::moved(self, &board, &change);
        // 4. Flip the board.
        board.flip();
        if KEY {
            board.key ^= board.rights_key();
        }
        board
    }

    /// Moves one piece, and takes what it captures.
    #[inline(always)]
    fn displace<const KEY: bool>(&mut self, m: Move, code: Code) -> Change {
        let (from, to) = (m.from(), m.to());
        let placed = if m.promotion() == EMPTY { code } else { m.promotion() };
        let mut change = Change { from, to, code, placed, captured: self.code(to), victim: to, rook: None };
        let en_passant = self.en_passant as u32;
        self.en_passant = NO_SQUARE;
        self.place(from, to, placed);
        if KEY {
            self.key ^= self.displaced_key(from, to, code, placed, change.captured);
        }
        if change.captured != EMPTY {
            self.clock = 0;
            self.men -= 1;
        }
        if code == PAWN {
            self.clock = 0;
            if to == en_passant {
                (change.captured, change.victim) = (PAWN, to - 8);
                self.stepping &= !bit(to - 8);
                if KEY {
                    self.key ^= self.piece_key(!self.black, PAWN, to - 8);
                }
                self.men -= 1;
            } else if to == from + 16 && beside(bit(to)) & self.pawns() & !self.ours != 0 {
                self.en_passant = flipped(from + 8) as u8;
                if KEY {
                    self.key ^= EN_PASSANT_KEYS[(from & 7) as usize];
                }
            }
        }
        change
    }

    /// Moves king and rook.
    #[inline(always)]
    fn castle<const KEY: bool>(&mut self, from: u32, (rook_from, to, rook_to): (u32, u32, u32)) -> Change {
        self.en_passant = NO_SQUARE;
        // In Chess960 each may go where the other stood.
        let (left, entered) = (bit(from) | bit(rook_from), bit(to) | bit(rook_to));
        self.straight = self.straight & !left | entered;
        self.stepping = self.stepping & !left | bit(to);
        self.ours = self.ours & !left | entered;
        if KEY {
            self.key ^= self.piece_key(self.black, KING, from)
                ^ self.piece_key(self.black, KING, to)
                ^ self.piece_key(self.black, ROOK, rook_from)
                ^ self.piece_key(self.black, ROOK, rook_to);
        }
        let rook = Some((rook_from, rook_to));
        Change { from, to, code: KING, placed: KING, captured: EMPTY, victim: to, rook }
    }

    /// Castling rights that end when a piece moves, in Chess960; brings the rooks and their keys up to date.
    #[cold]
    #[inline(never)]
    fn lose_other_rights<const KEY: bool>(&mut self, before: &Self, code: Code, from: u32, to: u32) -> u8 {
        let mut lost = if code == KING { OUR_KING_SIDE | OUR_QUEEN_SIDE } else { 0 };
        for (right, rook) in before.castling_rooks().into_iter().enumerate() {
            lost |= u8::from(rook == from || rook == to) << right;
            if lost >> right & 1 != 0 {
                self.other_rooks &= !(15 << (4 * right));
            }
        }
        if KEY {
            self.key ^= before.other_rooks_key() ^ self.other_rooks_key();
        }
        self.other_rooks = self.other_rooks.rotate_left(8);
        lost
    }
}

/// Rights that end when a move touches a square, in standard chess.
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

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::{evaluation::presets, limits::Limits, perft::perft, position::Position};

    fn count(board: &Board, depth: u32) -> u64 {
        let mut total = 0;
        for m in board.legal_moves() {
            let child = board.make(m);
            assert_eq!(child.key, child.key_from_scratch(), "the key after {m:?} in {board:?}");
            assert_eq!(child, child.with_values(board.values), "the score after {m:?} in {board:?}");
            assert_eq!(child.men as u32, child.occupied().count_ones());
            total += if depth == 1 { 1 } else { count(&child, depth - 1) };
        }
        assert_eq!(total > 0, board.has_legal_move(board.checkers()));
        total
    }

    #[test]
    fn moves_keys_and_scores_are_those_of_the_rules() {
        for fen in betacut_support::fens().chain(betacut_support::chess960_fens()) {
            let position = Position::from_fen(fen).unwrap();
            let depth = 3;
            let expected = perft(&position, depth, &mut Limits::new(&mut || false)).unwrap();
            for evaluation in [presets::simplified(), presets::tapered()] {
                let position = position.with_evaluation(evaluation);
                let board = Board::new(&position);
                assert_eq!(board.score() * if board.black { -1 } else { 1 }, position.score());
                assert_eq!(count(&board, depth), expected, "{fen}");
            }
        }
    }

    #[test]
    fn both_keys_tell_the_same_positions_apart() {
        fn visit(board: &Board<'static>, depth: u32, seen: &mut HashMap<u64, Board<'static>>) {
            // What neither key knows: the clock, and what follows from the rest.
            let placed = Board { clock: 0, ..*board };
            let first = seen.entry(board.products()).or_insert(placed);
            assert_eq!(*first, placed);
            for m in board.legal_moves().into_iter().filter(|_| depth > 0) {
                visit(&board.make(m), depth - 1, seen);
            }
        }
        let mut seen = HashMap::new();
        for fen in betacut_support::fens().chain(betacut_support::chess960_fens()) {
            visit(&Board::new(&Position::from_fen(fen).unwrap()), 3, &mut seen);
        }
        let keys: HashSet<u64> = seen.values().map(|board| board.key).collect();
        assert!(seen.len() > 100_000);
        assert_eq!(keys.len(), seen.len());
    }

    #[test]
    fn a_made_position_is_the_position_read() {
        for fen in betacut_support::fens().chain(betacut_support::chess960_fens()) {
            let position = Position::from_fen(fen).unwrap().with_evaluation(presets::tapered());
            let board = Board::new(&position);
            for m in board.legal_moves() {
                assert_eq!(board.of_shakmaty(&board.to_shakmaty(m)), m, "{fen}");
                let (made, read) = (board.make(m), Board::new(&position.play(board.to_shakmaty(m))));
                assert_eq!(made, read, "{fen} {m:?}");
            }
        }
    }
}
