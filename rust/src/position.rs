//! A chess position as the searches see it: the rules of chess through shakmaty, plus what every search would otherwise
//! recompute at each node: the score, the phase and the key, all updated incrementally.
//!
//! # What a position is worth and when two are the same
//!
//! The score is [`crate::evaluation::simplified`]'s, White's view, without regard to the end of the game
//! ([`crate::rules`] knows that). Two positions are the same iff placement, side to move, castling rights and
//! en passant file are; the file counts only when a pawn of the side to move *attacks* the en passant square,
//! even if the capture would be illegal. The [`Key`] follows that rule. It has 128 bits, of which
//! the first 64 are the Polyglot key: among n positions that were not built for it, two different ones share a key with
//! a chance of about n²/2¹²⁹ (below 10⁻²⁰ for a billion).

use std::array;
use std::hash::{Hash, Hasher};
use std::ops::{BitXor, BitXorAssign};
use std::sync::LazyLock;

use shakmaty::{
    Bitboard, Board, ByColor, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, FromSetup, Move,
    Position as _, PositionError, Rank, Role, Setup, Square, attacks,
    fen::Fen,
    zobrist::{Zobrist128, ZobristValue},
};

use crate::checks::{self, pawn_pushes, pinned};
use crate::evaluation::simplified::{self, Phased};
use crate::move_order::chess_jl::LegalMoves;
use crate::score::Score;

/// 128 bits that tell positions apart: the exclusive or of the keys of what is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// The Polyglot key.
    pub low: u64,
    /// As many bits more, independent of the former.
    pub high: u64,
}

impl Key {
    /// The key of the position together with a number. The factors are odd, so no two numbers give the same key. (Of two
    /// numbers, one after the other, that is not true: pack them into one.)
    #[inline]
    #[must_use]
    pub const fn with(self, number: u64) -> Key {
        Key {
            low: self.low ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            high: self.high ^ number.wrapping_mul(0xd134_2543_de82_ef95),
        }
    }
}

impl BitXor for Key {
    type Output = Key;

    #[inline(always)]
    fn bitxor(self, other: Key) -> Key {
        Key { low: self.low ^ other.low, high: self.high ^ other.high }
    }
}

impl BitXorAssign for Key {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Key) {
        *self = *self ^ other;
    }
}

impl From<Zobrist128> for Key {
    #[inline]
    fn from(Zobrist128(key): Zobrist128) -> Key {
        Key { low: key as u64, high: (key >> u64::BITS) as u64 }
    }
}

impl From<Key> for u128 {
    fn from(key: Key) -> u128 {
        u128::from(key.high) << u64::BITS | u128::from(key.low)
    }
}

impl Hash for Key {
    /// For a dictionary one half is random enough; it compares both.
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.low);
    }
}

/// What identifies a position: the key of all of it, and the key of the pieces of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionKey {
    /// The whole position.
    pub whole: Key,
    /// The placement of the pieces of the side to move; a function of the position, like the other. It only says
    /// which positions are kept near one another.
    pub placement: u64,
}

/// A position cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid position: {0}")]
pub struct InvalidPosition(pub String);

/// A legal standard chess position with its score, phase and key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    chess: Chess,
    sum: Phased,
    endgame: bool,
    key: Key,
    /// The key with the other side to move: where the keys of the children start.
    null_key: Key,
    /// Kings and rooks that may castle: a move from or to these squares ends a right.
    castling_squares: Bitboard,
    /// The keys of each side's pieces, one half of them.
    placements: ByColor<u64>,
    /// Plies since the last capture or pawn move, as far back as the history goes: how far back a repetition
    /// can lie. Unlike the halfmove clock it never claims plies that are not in the history.
    reversible: u32,
}

impl Position {
    /// The start of the game.
    pub fn initial() -> Position {
        Position::new(Chess::default())
    }

    fn new(chess: Chess) -> Position {
        let mut sum = Phased::default();
        let mut placements = ByColor { black: 0, white: 0 };
        for color in Color::ALL {
            for role in Role::ALL {
                for square in chess.board().by_piece(role.of(color)) {
                    sum += simplified::piece_square(color, role, square);
                    placements[color] ^= piece_key(color, role, square).low;
                }
            }
        }
        let endgame = simplified::is_endgame(chess.board());
        let key = chess.zobrist_hash::<Zobrist128>(EnPassantMode::PseudoLegal).into();
        let (null_key, castling_squares) = (null_key(&chess, key), castling_squares(&chess));
        Position { chess, sum, endgame, key, null_key, castling_squares, placements, reversible: 0 }
    }

    /// Reads a FEN.
    ///
    /// # Errors
    /// [`InvalidPosition`] if the text is no FEN or the position cannot be searched.
    ///
    /// ```
    /// use betacut::Position;
    /// let position = Position::from_fen("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1").unwrap();
    /// assert!(position.legal_moves().next().is_none());
    /// assert!(Position::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").is_err());
    /// ```
    pub fn from_fen(fen: &str) -> Result<Position, InvalidPosition> {
        let fen: Fen = fen.parse().map_err(|error| InvalidPosition(format!("{fen:?}: {error}")))?;
        Position::from_setup(fen.into_setup())
    }

    /// Checks a setup and builds the position.
    ///
    /// What python-chess calls valid: standard chess with at most 16 pieces and 8 pawns a side. Unlike under
    /// shakmaty's strictest rules a side may own more promoted pieces than it lost pawns, and two pawns or
    /// knights may give check together.
    ///
    /// # Errors
    /// [`InvalidPosition`] naming what is wrong.
    pub fn from_setup(setup: Setup) -> Result<Position, InvalidPosition> {
        for color in Color::ALL {
            let side = setup.board.by_color(color);
            let (pieces, pawns) = (side.count(), (side & setup.board.pawns()).count());
            if pieces > 16 || pawns > 8 {
                return Err(InvalidPosition(format!("{color:?} has {pieces} pieces and {pawns} pawns")));
            }
        }
        let asked = setup.clone();
        match Chess::from_setup(setup, CastlingMode::Standard) {
            Ok(chess) => Ok(Position::new(chess)),
            Err(error) => Position::from_odd_setup(&asked, error),
        }
    }

    #[cold]
    fn from_odd_setup(setup: &Setup, error: PositionError<Chess>) -> Result<Position, InvalidPosition> {
        let chess = match error.ignore_too_much_material() {
            Err(error) if checked_by_two_steppers(setup) => error.ignore_impossible_check(),
            chess => chess,
        };
        chess.map(Position::new).map_err(|error| InvalidPosition(error.to_string()))
    }

    /// Records that `plies` earlier positions, with no capture or pawn move in between, are known.
    pub(crate) fn set_reversible(&mut self, plies: u32) {
        self.reversible = plies;
    }

    /// The position as FEN.
    pub fn fen(&self) -> String {
        Fen::from_position(&self.chess, EnPassantMode::PseudoLegal).to_string()
    }

    /// shakmaty's view of the position.
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// The pieces.
    #[inline]
    pub fn board(&self) -> &Board {
        self.chess.board()
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.chess.turn()
    }

    /// The evaluation without regard to the end of the game: centipawns, White's view.
    #[inline]
    pub fn score(&self) -> Score {
        self.sum.score(self.endgame)
    }

    /// Whether the kings use their endgame table.
    #[inline]
    pub fn is_endgame(&self) -> bool {
        self.endgame
    }

    /// The key, with the key of the placement of the side to move's pieces.
    #[inline]
    pub fn key(&self) -> PositionKey {
        PositionKey { whole: self.key, placement: self.placements[self.turn()] }
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u32 {
        self.chess.halfmoves()
    }

    /// How many plies back the last position lies that could be the same as this one.
    #[inline]
    pub fn reversible_plies(&self) -> u32 {
        self.reversible
    }

    /// The square of `color`'s king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        checks::king(self.board(), color)
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.chess.checkers().any()
    }

    /// Legal moves in the order of Chess.jl, the canonical order of the textbook floor, generated lazily.
    #[inline(always)]
    pub fn legal_moves(&self) -> LegalMoves<'_> {
        LegalMoves::new(&self.chess)
    }

    /// The position after the legal move `m`.
    #[must_use]
    #[inline]
    pub fn play(&self, m: Move) -> Position {
        let us = self.turn();
        let mut chess = self.chess.clone();
        chess.play_unchecked(m);
        let mut placements = self.placements;
        placements[us] ^= moved_key(us, m).low;
        placements[!us] ^= captured_key(us, m).low;
        let key = self.key_after(m).whole;
        Position {
            sum: self.sum + simplified::delta(us, m),
            endgame: self.is_endgame_after(m),
            key,
            null_key: null_key(&chess, key),
            castling_squares: castling_squares(&chess),
            chess,
            placements,
            reversible: self.reversible_after(m),
        }
    }

    /// The position after a null move: the other side to move, no en passant square, and a ply more on the clock. The side
    /// to move must not be in check.
    #[must_use]
    pub fn play_null(&self) -> Position {
        let mut setup = self.chess.to_setup(EnPassantMode::Always);
        setup.turn = !setup.turn;
        setup.ep_square = None;
        setup.halfmoves += 1;
        let chess = Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(PositionError::ignore_too_much_material)
            .expect("a side that is not in check may pass");
        let key = self.null_key;
        Position {
            null_key: null_key(&chess, key),
            chess,
            key,
            reversible: self.reversible + 1,
            ..self.clone()
        }
    }

    /// The score after the legal move `m`, without making it.
    #[inline(always)]
    pub fn score_after(&self, m: Move) -> Score {
        (self.sum + simplified::delta(self.turn(), m)).score(self.is_endgame_after(m))
    }

    #[inline]
    fn is_endgame_after(&self, m: Move) -> bool {
        if m.is_capture() || m.is_promotion() {
            simplified::is_endgame_after(self.board(), self.turn(), m)
        } else {
            self.endgame
        }
    }

    /// [`Position::is_endgame_after`] for a capture that is neither a promotion nor en passant.
    #[inline]
    fn is_endgame_after_capture(&self, role: Role, from: Square, to: Square, captured: Role) -> bool {
        match captured {
            // Pawns do not matter.
            Role::Pawn => self.endgame,
            _ => self.is_endgame_after(Move::Normal {
                role,
                from,
                capture: Some(captured),
                to,
                promotion: None,
            }),
        }
    }

    /// [`Position::halfmove_clock`] after the legal move `m`.
    #[inline]
    pub fn halfmove_clock_after(&self, m: Move) -> u32 {
        if m.is_zeroing() { 0 } else { self.halfmove_clock().saturating_add(1) }
    }

    /// [`Position::reversible_plies`] after the legal move `m`.
    #[inline]
    pub fn reversible_after(&self, m: Move) -> u32 {
        if m.is_zeroing() { 0 } else { self.reversible + 1 }
    }

    /// The key after the legal move `m`, without making it.
    #[inline(always)]
    pub fn key_after(&self, m: Move) -> PositionKey {
        // Most moves: no promotion, no castling right at stake.
        if let Move::Normal { role, from, capture, to, promotion: None } = m
            && !self.castling_squares.contains(from)
            && !self.castling_squares.contains(to)
        {
            let us = self.turn();
            let mut whole = self.null_key ^ piece_key(us, role, from) ^ piece_key(us, role, to);
            let mut placement = self.placements[!us];
            if let Some(captured) = capture {
                let captured = piece_key(!us, captured, to);
                whole ^= captured;
                placement ^= captured.low;
            }
            if role == Role::Pawn && from.abs_diff(to) == 16 {
                whole ^= self.passed_key(from, to);
            }
            return PositionKey { whole, placement };
        }
        self.rare_key_after(m)
    }

    /// [`Position::key_after`] for any move.
    #[cold]
    fn rare_key_after(&self, m: Move) -> PositionKey {
        let us = self.turn();
        let captured = captured_key(us, m);
        let mut whole = self.null_key ^ moved_key(us, m) ^ captured;
        // A castling move starts on the king's square, so it ends rights like any other king move.
        let touched = Bitboard::from(m.to()).with(m.from().unwrap_or(m.to()));
        if touched.intersects(self.castling_squares) {
            whole ^= self.lost_castling_rights(touched);
        }
        PositionKey { whole, placement: self.placements[!us] ^ captured.low }
    }

    /// The key of the en passant file after a double step, if a pawn attacks the square that was passed.
    fn passed_key(&self, from: Square, to: Square) -> Key {
        let passed = Square::from_coords(from.file(), self.turn().fold_wb(Rank::Third, Rank::Sixth));
        debug_assert_eq!(passed.abs_diff(to), 8);
        let attackers = attacks::pawn_attacks(self.turn(), passed) & self.chess.their(Role::Pawn);
        if attackers.any() { en_passant_file_key(passed.file()) } else { Key::default() }
    }

    /// The keys of the castling rights that end when a move touches these squares.
    fn lost_castling_rights(&self, touched: Bitboard) -> Key {
        let castles = self.chess.castles();
        let mut lost = Key::default();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = castles.rook(color, side)
                    && (touched.contains(rook) || touched.contains(self.king(color)))
                {
                    lost ^= Zobrist128::zobrist_for_castling_right(color, side).into();
                }
            }
        }
        lost
    }

    /// Whether the side to move has a legal move at all, without listing them.
    ///
    /// In most positions the first pawn that can be pushed settles it; only the rare rest needs the whole list.
    pub fn has_legal_move(&self) -> bool {
        let board = self.board();
        let us = self.turn();
        let king = self.king(us);
        if !self.is_check() {
            let free = self.chess.us() & !pinned(board, king, us);
            let pushes = pawn_pushes(free & board.pawns(), us) & !board.occupied();
            if pushes.any() {
                return true;
            }
            let ours = self.chess.us();
            let moves = |square: Square| match board.role_at(square) {
                Some(Role::Knight) => attacks::knight_attacks(square),
                // One step decides: a slider that can go further can also go one step.
                Some(Role::Bishop) => attacks::bishop_attacks(square, board.occupied()),
                Some(Role::Rook) => attacks::rook_attacks(square, board.occupied()),
                Some(Role::Queen) => attacks::king_attacks(square),
                _ => Bitboard::EMPTY,
            };
            if (free & !board.pawns() & !board.kings())
                .into_iter()
                .any(|square| (moves(square) & !ours).any())
            {
                return true;
            }
        }
        let occupied = board.occupied().without(king);
        let safe = |square: Square| board.attacks_to(square, !us, occupied).is_empty();
        (attacks::king_attacks(king) & !self.chess.us()).into_iter().any(safe)
            || !self.chess.legal_moves().is_empty()
    }
}

/// What a piece on a square adds to the key and to the score in the middlegame and in the endgame.
#[derive(Clone, Copy)]
struct OnSquare {
    key: Key,
    value: [Score; 2],
}

/// All of them by colour (Black first), piece and square.
static ON_SQUARE: LazyLock<[[[OnSquare; 64]; 6]; 2]> = LazyLock::new(|| {
    let on_square = |color: Color, role: usize, square: usize| {
        let (role, square) = (Role::ALL[role], Square::new(square as u32));
        let Phased { middlegame, endgame } = simplified::piece_square(color, role, square);
        OnSquare { key: piece_key(color, role, square), value: [middlegame, endgame] }
    };
    [Color::Black, Color::White]
        .map(|color| array::from_fn(|role| array::from_fn(|square| on_square(color, role, square))))
});

/// Key and score after each of many moves of one position.
pub struct Increments<'a> {
    position: &'a Position,
    ours: &'static [[OnSquare; 64]; 6],
    theirs: &'static [[OnSquare; 64]; 6],
    placement: u64,
}

impl<'a> Increments<'a> {
    /// For the moves of `position`.
    #[inline]
    pub fn new(position: &'a Position) -> Increments<'a> {
        let us = position.turn();
        let [black, white] = &*ON_SQUARE;
        let (ours, theirs) = us.fold_wb((white, black), (black, white));
        Increments { position, ours, theirs, placement: position.placements[!us] }
    }

    /// [`PositionKey::placement`] after a move that captures nothing.
    #[inline]
    pub fn quiet_placement(&self) -> u64 {
        self.placement
    }

    /// [`Position::key_after`] and [`Position::score_after`] for a move that is no promotion, castling or en passant
    /// capture; none if it ends a castling right.
    #[inline(always)]
    pub fn after(
        &self,
        role: Role,
        from: Square,
        to: Square,
        capture: Option<Role>,
    ) -> Option<(PositionKey, Score)> {
        let position = self.position;
        if position.castling_squares.contains(from) || position.castling_squares.contains(to) {
            return None;
        }
        let ours = &self.ours[role as usize - 1];
        let (left, reached) = (&ours[from.to_usize()], &ours[to.to_usize()]);
        let mut whole = position.null_key ^ left.key ^ reached.key;
        let mut placement = self.placement;
        let score;
        if let Some(captured) = capture {
            let taken = &self.theirs[captured as usize - 1][to.to_usize()];
            whole ^= taken.key;
            placement ^= taken.key.low;
            let phase = usize::from(position.is_endgame_after_capture(role, from, to, captured));
            score = position.sum.phase(phase) + reached.value[phase] - left.value[phase] - taken.value[phase];
        } else {
            let phase = usize::from(position.endgame);
            score = position.sum.phase(phase) + reached.value[phase] - left.value[phase];
            if role == Role::Pawn && from.abs_diff(to) == 16 {
                whole ^= position.passed_key(from, to);
            }
        }
        Some((PositionKey { whole, placement }, score))
    }
}

/// The key with the other side to move, and so without an en passant file.
#[inline]
fn null_key(chess: &Chess, key: Key) -> Key {
    let mut key = key ^ white_turn_key();
    if chess.maybe_ep_square().is_some()
        && let Some(square) = chess.pseudo_legal_ep_square()
    {
        key ^= en_passant_file_key(square.file());
    }
    key
}

/// The squares of kings and rooks that may still castle.
#[inline]
fn castling_squares(chess: &Chess) -> Bitboard {
    let castles = chess.castles();
    let mut squares = castles.castling_rights();
    for color in Color::ALL {
        if castles.has_color(color) {
            squares |= chess.board().by_piece(Role::King.of(color));
        }
    }
    squares
}

/// shakmaty's keys of the pieces by colour (Black first), piece and square, in one array.
static PIECE_KEYS: LazyLock<[[[Key; 64]; 6]; 2]> = LazyLock::new(|| {
    let key = |color: Color, role: usize, square: usize| {
        Key::from(Zobrist128::zobrist_for_piece(Square::new(square as u32), Role::ALL[role].of(color)))
    };
    [Color::Black, Color::White]
        .map(|color| array::from_fn(|role| array::from_fn(|square| key(color, role, square))))
});

/// Whether the only thing wrong with the checks can be that two of the pieces that do not slide give them. No game
/// leads there, but shakmaty alone refuses it.
fn checked_by_two_steppers(setup: &Setup) -> bool {
    let board = &setup.board;
    let Some(king) = board.king_of(setup.turn) else {
        return false;
    };
    let checkers = board.attacks_to(king, !setup.turn, board.occupied());
    let (first, last) = (checkers.first(), checkers.last());
    checkers.count() == 2
        && checkers.is_subset(board.steppers())
        && setup.ep_square.is_none()
        && !first.zip(last).is_some_and(|(first, last)| attacks::aligned(first, king, last))
}

#[inline]
pub(crate) fn piece_key(color: Color, role: Role, square: Square) -> Key {
    PIECE_KEYS[usize::from(color.is_white())][role as usize - 1][square.to_usize()]
}

/// The change of the key by the pieces that `color` moves.
#[inline]
pub(crate) fn moved_key(color: Color, m: Move) -> Key {
    match m {
        Move::Normal { role, from, to, promotion, .. } => {
            piece_key(color, role, from) ^ piece_key(color, promotion.unwrap_or(role), to)
        }
        Move::EnPassant { from, to } => piece_key(color, Role::Pawn, from) ^ piece_key(color, Role::Pawn, to),
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            piece_key(color, Role::King, king)
                ^ piece_key(color, Role::King, side.king_to(color))
                ^ piece_key(color, Role::Rook, rook)
                ^ piece_key(color, Role::Rook, side.rook_to(color))
        }
        Move::Put { .. } => unreachable!("standard chess drops no pieces"),
    }
}

/// The change of the key by the piece that a move of `color` captures.
#[inline]
pub(crate) fn captured_key(color: Color, m: Move) -> Key {
    match m {
        Move::Normal { capture: Some(role), to, .. } => piece_key(!color, role, to),
        Move::EnPassant { from, to } => {
            piece_key(!color, Role::Pawn, Square::from_coords(to.file(), from.rank()))
        }
        _ => Key::default(),
    }
}

/// The key of White to move.
#[inline]
pub(crate) fn white_turn_key() -> Key {
    Zobrist128::zobrist_for_white_turn().into()
}

/// The key of an en passant file.
#[inline]
pub(crate) fn en_passant_file_key(file: File) -> Key {
    Zobrist128::zobrist_for_en_passant_file(file).into()
}

/// The key of a setup that need not be a valid position, such as one a game has passed through.
pub fn key_of_setup(setup: &Setup) -> Key {
    let mut key = Zobrist128::default();
    for (square, piece) in &setup.board {
        key ^= Zobrist128::zobrist_for_piece(square, piece);
    }
    if setup.turn.is_white() {
        key ^= Zobrist128::zobrist_for_white_turn();
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let rook =
                Square::from_coords(if side.is_king_side() { File::H } else { File::A }, color.backrank());
            if setup.castling_rights.contains(rook) {
                key ^= Zobrist128::zobrist_for_castling_right(color, side);
            }
        }
    }
    if let Some(square) = setup.ep_square {
        let pawns = setup.board.by_piece(Role::Pawn.of(setup.turn));
        if (attacks::pawn_attacks(!setup.turn, square) & pawns).any() {
            key ^= Zobrist128::zobrist_for_en_passant_file(square.file());
        }
    }
    key.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All the numbers that keys are made of.
    fn numbers() -> Vec<u128> {
        let mut keys = vec![white_turn_key()];
        keys.extend(File::ALL.map(en_passant_file_key));
        for color in Color::ALL {
            keys.extend(
                CastlingSide::ALL.map(|side| Key::from(Zobrist128::zobrist_for_castling_right(color, side))),
            );
            for role in Role::ALL {
                keys.extend(Square::ALL.map(|square| piece_key(color, role, square)));
            }
        }
        keys.into_iter().map(u128::from).collect()
    }

    /// How many of them are independent, under the exclusive or.
    fn rank(mut numbers: Vec<u128>) -> usize {
        let mut rank = 0;
        while let Some(number) = numbers.pop() {
            if number != 0 {
                rank += 1;
                let lowest = number & number.wrapping_neg();
                for other in numbers.iter_mut().filter(|other| **other & lowest != 0) {
                    *other ^= number;
                }
            }
        }
        rank
    }

    #[test]
    fn a_null_move_changes_the_side_to_move() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 7",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR b KQkq e3 0 3",
            "7k/8/8/8/8/8/NNNNNNNN/NNN1K3 w - - 4 9",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let passed = position.play_null();
            let fresh = Position { reversible: 1, ..Position::from_fen(&passed.fen()).unwrap() };
            assert_eq!(passed, fresh, "{fen}");
            assert_eq!(passed.turn(), !position.turn());
            assert_eq!(passed.halfmove_clock(), position.halfmove_clock() + 1);
            assert_eq!(passed.fen().split(' ').nth(3), Some("-"));
            let setup = passed.chess().to_setup(EnPassantMode::Always);
            assert_eq!(passed.key().whole, key_of_setup(&setup));
        }
    }

    #[test]
    fn all_bits_of_a_key_are_independent() {
        assert_eq!(rank(numbers()), 128);
        // Nor is one half a shifted or turned copy of the other for some kinds of pieces: any 140 numbers span them all.
        for part in numbers().chunks_exact(140) {
            assert_eq!(rank(part.to_vec()), 128);
        }
    }
}
