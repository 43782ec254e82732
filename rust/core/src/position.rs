//! A chess position as the searches see it: the rules of chess through shakmaty, plus what every search would otherwise
//! recompute at each node: the score, the phase and the key, all updated incrementally.
//!
//! # What a position is worth and when two are the same
//!
//! The score is that of an [`Evaluation`], of the Simplified Evaluation Function unless another is given
//! ([`Position::with_evaluation`]); White's view, without regard to the end of the game ([`crate::rules`] knows that). Two positions are the same iff placement, side to move, castling rights and
//! en passant file are; the file counts only when a pawn of the side to move *attacks* the en passant square,
//! even if the capture would be illegal. The [`Key`] follows that rule. It has 128 bits, of which
//! the first 64 are the Polyglot key: among n positions that were not built for it, two different ones share a key with
//! a chance of about n²/2¹²⁹ (below 10⁻²⁰ for a billion).

use shakmaty::{
    Bitboard, Board, ByColor, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, FromSetup, Move,
    Position as _, PositionError, Rank, Role, Setup, Square, attacks,
    fen::Fen,
    zobrist::{Zobrist128, ZobristValue},
};

use crate::checks::{self, pawn_pushes, pinned};
use crate::evaluation::piece_square::OnSquare;
use crate::evaluation::{Evaluation, Phase, Phased, presets, simplified};
pub use crate::key::Key;
pub use crate::key::piece_key;
use crate::{move_order::chess_jl::LegalMoves, score::Score};

/// What identifies a position: the key of all of it, and the key of the pieces of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionKey {
    /// The whole position.
    pub whole: Key,
    /// The placement of the side to move, which only says which positions are kept near one another.
    pub placement: u64,
}

/// A position cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid position: {0}")]
pub struct InvalidPosition(pub String);

/// A legal position of standard chess or Chess960 with its score, phase and key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position<'v> {
    chess: Chess,
    evaluation: &'v Evaluation,
    sum: Phased,
    phase: Phase,
    key: Key,
    /// The key with the other side to move: where the keys of the children start.
    null_key: Key,
    /// Kings and rooks that may castle: a move from or to these squares ends a right.
    castling_squares: Bitboard,
    /// The keys of each side's pieces, one half of them.
    placements: ByColor<u64>,
    /// How far back a repetition can lie: unlike the halfmove clock, never past the history.
    reversible: u32,
}

impl Position<'static> {
    /// The start of the game.
    pub fn initial() -> Position<'static> {
        Position::new(Chess::default())
    }

    fn new(chess: Chess) -> Position<'static> {
        let evaluation = presets::simplified();
        let mut placements = ByColor { black: 0, white: 0 };
        for color in Color::ALL {
            for role in Role::ALL {
                for square in chess.board().by_piece(role.of(color)) {
                    placements[color] ^= piece_key(color, role, square).low;
                }
            }
        }
        let (sum, phase) = (evaluation.sum(chess.board()), Phase::of(chess.board(), evaluation.rule()));
        let key = Key::from(chess.zobrist_hash::<Zobrist128>(EnPassantMode::PseudoLegal));
        let key = key ^ other_rooks_key(&chess);
        let (null_key, castling_squares) = (null_key(&chess, key), castling_squares(&chess));
        Position { chess, evaluation, sum, phase, key, null_key, castling_squares, placements, reversible: 0 }
    }

    /// Reads a FEN, an X-FEN or a Shredder-FEN: Chess960 where castling rights are none of standard chess.
    ///
    /// ```
    /// use betacut_core::position::Position;
    /// let position = Position::from_fen("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1").unwrap();
    /// assert!(position.legal_moves().next().is_none());
    /// assert!(Position::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").is_err());
    /// ```
    pub fn from_fen(fen: &str) -> Result<Position<'static>, InvalidPosition> {
        let fen: Fen = fen.parse().map_err(|error| InvalidPosition(format!("{fen:?}: {error}")))?;
        Position::from_setup(fen.into_setup())
    }

    /// [`Position::from_setup_in`] Chess960 where castling rights are none of standard chess.
    pub fn from_setup(setup: Setup) -> Result<Position<'static>, InvalidPosition> {
        let mode = CastlingMode::detect(&setup);
        Position::from_setup_in(setup, mode)
    }

    /// Builds the position of a setup that python-chess calls valid, or names what is wrong. Unlike under shakmaty's rules a
    /// side may own more promoted pieces than it lost pawns, and two pawns or knights may give check together.
    pub fn from_setup_in(setup: Setup, mode: CastlingMode) -> Result<Position<'static>, InvalidPosition> {
        for color in Color::ALL {
            let side = setup.board.by_color(color);
            let (pieces, pawns) = (side.count(), (side & setup.board.pawns()).count());
            if pieces > 16 || pawns > 8 {
                return Err(InvalidPosition(format!("{color:?} has {pieces} pieces and {pawns} pawns")));
            }
        }
        let asked = setup.clone();
        match Chess::from_setup(setup, mode) {
            Ok(chess) => Ok(Position::new(chess)),
            Err(error) => Position::from_odd_setup(&asked, error),
        }
    }

    #[cold]
    fn from_odd_setup(
        setup: &Setup,
        error: PositionError<Chess>,
    ) -> Result<Position<'static>, InvalidPosition> {
        let chess = match error.ignore_too_much_material() {
            Err(error) if checked_by_two_steppers(setup) => error.ignore_impossible_check(),
            chess => chess,
        };
        chess.map(Position::new).map_err(|error| InvalidPosition(error.to_string()))
    }
}

impl<'v> Position<'v> {
    /// The same position with the score that another evaluation gives it.
    #[must_use]
    pub fn with_evaluation<'w>(&self, evaluation: &'w Evaluation) -> Position<'w> {
        let board = self.board();
        let (sum, phase) = (evaluation.sum(board), Phase::of(board, evaluation.rule()));
        Position { chess: self.chess.clone(), evaluation, sum, phase, ..*self }
    }

    /// What the score is made by.
    pub fn evaluation(&self) -> &'v Evaluation {
        self.evaluation
    }

    /// Records that `plies` earlier positions, with no capture or pawn move in between, are known.
    pub fn set_reversible(&mut self, plies: u32) {
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
    pub fn board(&self) -> &Board {
        self.chess.board()
    }

    /// Whether castling is that of standard chess or of Chess960, and written so.
    pub fn mode(&self) -> CastlingMode {
        self.chess.castles().mode()
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.chess.turn()
    }

    /// The evaluation without regard to the end of the game: centipawns, White's view.
    pub fn score(&self) -> Score {
        self.phase.score(self.sum)
    }

    /// Whether it is an endgame by the rule of the Simplified Evaluation Function.
    pub fn is_endgame(&self) -> bool {
        simplified::is_endgame(self.board())
    }

    /// The key, with the key of the placement of the side to move's pieces.
    pub fn key(&self) -> PositionKey {
        PositionKey { whole: self.key, placement: self.placements[self.turn()] }
    }

    /// Plies since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u32 {
        self.chess.halfmoves()
    }

    /// How many plies back the last position lies that could be the same as this one.
    pub fn reversible_plies(&self) -> u32 {
        self.reversible
    }

    /// The square of `color`'s king.
    pub fn king(&self, color: Color) -> Square {
        checks::king(self.board(), color)
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.chess.checkers().any()
    }

    /// Legal moves in the order of Chess.jl, the canonical order of the textbook floor, generated lazily.
    pub fn legal_moves(&self) -> LegalMoves<'_> {
        LegalMoves::new(&self.chess)
    }

    /// The position after the legal move `m`.
    #[must_use]
    pub fn play(&self, m: Move) -> Position<'v> {
        let us = self.turn();
        let mut chess = self.chess.clone();
        chess.play_unchecked(m);
        let mut placements = self.placements;
        placements[us] ^= moved_key(us, m).low;
        placements[!us] ^= captured_key(us, m).low;
        let key = self.key_after(m).whole;
        Position {
            evaluation: self.evaluation,
            sum: self.sum + self.evaluation.delta(us, m),
            phase: self.phase_after(m),
            key,
            null_key: null_key(&chess, key),
            castling_squares: castling_squares(&chess),
            chess,
            placements,
            reversible: self.reversible_after(m),
        }
    }

    /// The position after a null move, a ply more on the clock; the side to move must not be in check.
    #[must_use]
    pub fn play_null(&self) -> Position<'v> {
        let mut setup = self.chess.to_setup(EnPassantMode::Always);
        setup.turn = !setup.turn;
        setup.ep_square = None;
        setup.halfmoves += 1;
        let chess = Chess::from_setup(setup, self.mode())
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
    pub fn score_after(&self, m: Move) -> Score {
        self.phase_after(m).score(self.sum + self.evaluation.delta(self.turn(), m))
    }

    #[inline(always)]
    fn phase_after(&self, m: Move) -> Phase {
        if m.is_capture() || m.is_promotion() {
            Phase::after(self.board(), self.evaluation.rule(), self.turn(), m)
        } else {
            self.phase
        }
    }

    /// [`Position::phase_after`] for a capture that is neither a promotion nor en passant.
    fn phase_after_capture(&self, role: Role, from: Square, to: Square, captured: Role) -> Phase {
        match captured {
            // Pawns do not matter.
            Role::Pawn => self.phase,
            _ => self.phase_after(Move::Normal { role, from, capture: Some(captured), to, promotion: None }),
        }
    }

    /// [`Position::halfmove_clock`] after the legal move `m`.
    pub fn halfmove_clock_after(&self, m: Move) -> u32 {
        if m.is_zeroing() { 0 } else { self.halfmove_clock().saturating_add(1) }
    }

    /// [`Position::reversible_plies`] after the legal move `m`.
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
                    lost ^= right_key(color, side, rook);
                }
            }
        }
        lost
    }

    /// Whether there is a legal move; mostly the first pawn that can be pushed settles it without a list.
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

/// Key and score after each of many moves of one position.
pub struct Increments<'a> {
    position: &'a Position<'a>,
    ours: &'a [[OnSquare; 64]; 6],
    theirs: &'a [[OnSquare; 64]; 6],
    /// [`PositionKey::placement`] after a move that captures nothing.
    pub quiet_placement: u64,
}

impl<'a> Increments<'a> {
    /// For the moves of `position`.
    pub fn new(position: &'a Position<'a>) -> Increments<'a> {
        let us = position.turn();
        let [black, white] = &*position.evaluation.on_square;
        let (ours, theirs) = us.fold_wb((white, black), (black, white));
        Increments { position, ours, theirs, quiet_placement: position.placements[!us] }
    }

    /// [`Position::key_after`] and [`Position::score_after`] for a plain move; none if it ends a castling right.
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
        let mut placement = self.quiet_placement;
        let score = if let Some(captured) = capture {
            let taken = &self.theirs[captured as usize - 1][to.to_usize()];
            whole ^= taken.key;
            placement ^= taken.key.low;
            let phase = position.phase_after_capture(role, from, to, captured);
            match phase.table() {
                Some(table) => {
                    position.sum.phase(table) + reached.value[table] - left.value[table] - taken.value[table]
                }
                None => phase.score(position.sum + reached.phased() - left.phased() - taken.phased()),
            }
        } else {
            if role == Role::Pawn && from.abs_diff(to) == 16 {
                whole ^= position.passed_key(from, to);
            }
            match position.phase.table() {
                Some(table) => position.sum.phase(table) + reached.value[table] - left.value[table],
                None => position.phase.score(position.sum + reached.phased() - left.phased()),
            }
        };
        Some((PositionKey { whole, placement }, score))
    }
}

/// The key with the other side to move, and so without an en passant file.
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

/// Whether the only thing wrong can be a check by two pieces that do not slide, which shakmaty alone refuses.
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

/// The change of the key by the pieces that `color` moves.
pub fn moved_key(color: Color, m: Move) -> Key {
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
pub fn captured_key(color: Color, m: Move) -> Key {
    match m {
        Move::Normal { capture: Some(role), to, .. } => piece_key(!color, role, to),
        Move::EnPassant { from, to } => {
            piece_key(!color, Role::Pawn, Square::from_coords(to.file(), from.rank()))
        }
        _ => Key::default(),
    }
}

/// The key of White to move.
pub fn white_turn_key() -> Key {
    Zobrist128::zobrist_for_white_turn().into()
}

/// The key of an en passant file.
pub fn en_passant_file_key(file: File) -> Key {
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
    let mut rights = Key::default();
    for color in Color::ALL {
        let king = setup.board.king_of(color).map_or(File::E, Square::file);
        for rook in setup.castling_rights & color.backrank() {
            rights ^= right_key(color, CastlingSide::from_king_side(king < rook.file()), rook);
        }
    }
    if let Some(square) = setup.ep_square {
        let pawns = setup.board.by_piece(Role::Pawn.of(setup.turn));
        if (attacks::pawn_attacks(!setup.turn, square) & pawns).any() {
            key ^= Zobrist128::zobrist_for_en_passant_file(square.file());
        }
    }
    rights ^ key.into()
}

/// The key of a castling right.
fn right_key(color: Color, side: CastlingSide, rook: Square) -> Key {
    Key::from(Zobrist128::zobrist_for_castling_right(color, side)) ^ other_rook_key(color, side, rook)
}

/// What a rook that may castle adds to the key of its right, if it stands in no corner: the key of a pawn, which never stands
/// there, but not to the Polyglot key, which knows no such rooks.
fn other_rook_key(color: Color, side: CastlingSide, rook: Square) -> Key {
    let corner = if side.is_king_side() { File::H } else { File::A };
    if rook.file() == corner { Key::default() } else { Key { low: 0, ..piece_key(color, Role::Pawn, rook) } }
}

/// The same for all rights of a position.
fn other_rooks_key(chess: &Chess) -> Key {
    let castles = chess.castles();
    let mut key = Key::default();
    if castles.mode().is_chess960() {
        for (color, side) in
            Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.map(|side| (color, side)))
        {
            key ^= castles.rook(color, side).map_or(Key::default(), |rook| other_rook_key(color, side, rook));
        }
    }
    key
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
