//! The move order of python-chess, which the programs written on it use.
//!
//! Squares are scanned from h8 down to a1: h8 g8 … a8 h7 … a1; "by square" below means this order. Promotions come
//! as queen, rook, bishop, knight.
//!
//! Out of check:
//! 1. all pieces but pawns, the king among them, by origin whatever their kind, then by target;
//! 2. castling, king's side first;
//! 3. pawn captures by origin, then by target;
//! 4. single pawn steps by target, then double steps by target;
//! 5. en passant captures by origin.
//!
//! In check the king's moves come first, then (against a single checker) captures of it and interpositions in the
//! order above.
//!
//! python-chess generates pseudo-legal moves and filters them; here the checkers and the pinned pieces are found once,
//! so that only legal moves are generated, one at a time and lazily.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, File, Move, Position as _, Rank, Role, Square, attacks,
};

use super::{PROMOTIONS, castling_rook, safe_for_king, step_back};
use crate::checks::{pawn_pushes, pinned};

/// The legal moves of a position in python-chess's order, generated lazily.
///
/// The end of the game plays no part: a position drawn by rule has moves.
///
/// ```
/// use betacut_core::move_order::python_chess::LegalMoves;
/// let start = shakmaty::Chess::default();
/// let first: Vec<_> = LegalMoves::new(&start).take(3).map(|m| m.to_string()).collect();
/// assert_eq!(first, ["Ng1-h3", "Ng1-f3", "Nb1-c3"]);
/// ```
#[derive(Clone)]
pub struct LegalMoves<'a> {
    chess: &'a Chess,
    board: &'a Board,
    us: Color,
    king: Square,
    theirs: Bitboard,
    checkers: Bitboard,
    pinned: Bitboard,
    /// Where anything but the king may go: everywhere, or onto captures only, or to where it answers a check.
    targets: Bitboard,
    /// Where the king may go, were it safe there.
    king_targets: Bitboard,
    may_castle: bool,
    stage: Stage,
    /// The origins that the stage has still to look at.
    origins: Bitboard,
    /// What moves, from where (or how far, if pawns step), and where it can still go.
    role: Role,
    from: Square,
    step: i32,
    to: Bitboard,
    /// How many kinds of the current promotion have been listed.
    promoted: usize,
}

/// What is listed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The moves of a king in check.
    Evasions,
    Pieces,
    Castling(CastlingSide),
    PawnCaptures,
    SingleSteps,
    DoubleSteps,
    EnPassant(Square),
    Done,
}

impl<'a> LegalMoves<'a> {
    /// All legal moves.
    pub fn new(chess: &'a Chess) -> LegalMoves<'a> {
        LegalMoves::onto(chess, Bitboard::FULL)
    }

    /// The legal captures, in the order of python-chess's `generate_legal_captures`: the moves onto the other side's
    /// pieces in the order of all moves, then en passant captures.
    pub fn captures(chess: &'a Chess) -> LegalMoves<'a> {
        LegalMoves::onto(chess, chess.them())
    }

    fn onto(chess: &'a Chess, wanted: Bitboard) -> LegalMoves<'a> {
        let board = chess.board();
        let us = chess.turn();
        let king = board.king_of(us).expect("both kings stand on the board");
        let ours = board.by_color(us);
        let checkers = chess.checkers();
        // What answers a check: capturing the checker or interposing; nothing answers a double check.
        let answers = if checkers.is_empty() {
            Bitboard::FULL
        } else {
            checkers
                .single_square()
                .map_or(Bitboard::EMPTY, |checker| attacks::between(king, checker).with(checker))
        };
        LegalMoves {
            chess,
            board,
            us,
            king,
            theirs: board.by_color(!us),
            checkers,
            pinned: pinned(board, king, us),
            targets: wanted & answers & !ours,
            king_targets: wanted & !ours,
            may_castle: checkers.is_empty() && wanted == Bitboard::FULL,
            stage: if checkers.is_empty() { Stage::Pieces } else { Stage::Evasions },
            origins: if checkers.is_empty() { ours & !board.pawns() } else { Bitboard::from(king) },
            role: Role::King,
            from: king,
            step: 0,
            to: Bitboard::EMPTY,
            promoted: 0,
        }
    }

    /// Whether there is no move, or none left.
    pub fn is_empty(&mut self) -> bool {
        self.to.is_empty() && !self.advance()
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// Where the piece on `from` can go.
    fn look_at_piece(&mut self, from: Square) {
        self.from = from;
        if from == self.king {
            self.role = Role::King;
            self.to = self.safe_king_targets();
        } else {
            let board = self.board;
            let occupied = board.occupied();
            let reach;
            (self.role, reach) = if board.knights().contains(from) {
                (Role::Knight, attacks::knight_attacks(from))
            } else if board.bishops().contains(from) {
                (Role::Bishop, attacks::bishop_attacks(from, occupied))
            } else if board.rooks().contains(from) {
                (Role::Rook, attacks::rook_attacks(from, occupied))
            } else {
                (Role::Queen, attacks::queen_attacks(from, occupied))
            };
            self.to = self.along_pin(from, reach & self.targets);
        }
    }

    /// The targets of a piece that is not the king, those along its pin if it is pinned.
    fn along_pin(&self, from: Square, targets: Bitboard) -> Bitboard {
        if self.pinned.contains(from) { targets & attacks::ray(self.king, from) } else { targets }
    }

    /// King steps onto squares the other side does not attack once the king has left.
    fn safe_king_targets(&self) -> Bitboard {
        let targets = attacks::king_attacks(self.king) & self.king_targets;
        safe_for_king(self.board, self.us, self.king, targets)
    }

    /// Where pawns that are not held by a pin can step. A pin along the king's file does not hold a pawn.
    fn single_steps(&self) -> Bitboard {
        let pawns = self.chess.us() & self.board.pawns();
        let movable = pawns & (!self.pinned | Bitboard::from_file(self.king.file()));
        pawn_pushes(movable, self.us) & !self.board.occupied()
    }

    /// The pawns that have something to capture.
    fn capturing_pawns(&self) -> Bitboard {
        let pawns = self.chess.us() & self.board.pawns();
        let (left, right) = self.us.fold_wb((7, 9), (-9, -7));
        let wanted = self.theirs & self.targets;
        // From each target back to where a pawn would come from.
        let from_right = (wanted & !Bitboard::from_file(File::H)).shift(-left);
        let from_left = (wanted & !Bitboard::from_file(File::A)).shift(-right);
        pawns & (from_left | from_right)
    }

    /// The rook to castle with on this side, if that is legal.
    fn castle(&self, side: CastlingSide) -> Bitboard {
        let rook = if self.may_castle { castling_rook(self.chess, self.king, side) } else { None };
        rook.map_or(Bitboard::EMPTY, Bitboard::from)
    }

    /// The move of whatever is being looked at to `to`, the last of its targets.
    #[inline(always)]
    fn arrive(&mut self, to: Square) -> Move {
        let (from, capture) = match self.stage {
            Stage::SingleSteps | Stage::DoubleSteps => (step_back(to, self.step), None),
            Stage::Castling(_) => return Move::Castle { king: self.king, rook: to },
            Stage::EnPassant(_) => return Move::EnPassant { from: self.from, to },
            _ => (self.from, if self.theirs.contains(to) { self.board.role_at(to) } else { None }),
        };
        let mut promotion = None;
        if self.role == Role::Pawn && to.rank() == self.us.fold_wb(Rank::Eighth, Rank::First) {
            // The target stays until all four kinds are listed.
            promotion = Some(PROMOTIONS[self.promoted]);
            self.promoted = (self.promoted + 1) % PROMOTIONS.len();
            if self.promoted > 0 {
                self.to.add(to);
            }
        }
        Move::Normal { role: self.role, from, capture, to, promotion }
    }

    /// Goes on to the next piece that has a move. Returns whether there is one.
    fn advance(&mut self) -> bool {
        while self.to.is_empty() {
            match self.stage {
                Stage::Evasions | Stage::Pieces => {
                    if let Some(from) = self.origins.pop_back() {
                        self.look_at_piece(from);
                    } else if self.stage == Stage::Evasions {
                        self.origins = self.chess.us().without(self.king) & !self.board.pawns();
                        self.stage = Stage::Pieces;
                    } else {
                        self.stage = Stage::Castling(CastlingSide::KingSide);
                        self.to = self.castle(CastlingSide::KingSide);
                    }
                }
                Stage::Castling(CastlingSide::KingSide) => {
                    self.stage = Stage::Castling(CastlingSide::QueenSide);
                    self.to = self.castle(CastlingSide::QueenSide);
                }
                Stage::Castling(CastlingSide::QueenSide) => {
                    self.role = Role::Pawn;
                    self.origins = self.capturing_pawns();
                    self.stage = Stage::PawnCaptures;
                }
                Stage::PawnCaptures => {
                    if let Some(from) = self.origins.pop_back() {
                        self.from = from;
                        let reach = attacks::pawn_attacks(self.us, from) & self.theirs & self.targets;
                        self.to = self.along_pin(from, reach);
                    } else {
                        self.to = self.single_steps() & self.targets;
                        self.step = self.us.fold_wb(8, -8);
                        self.stage = Stage::SingleSteps;
                    }
                }
                Stage::SingleSteps => {
                    let third = Bitboard::from_rank(self.us.fold_wb(Rank::Third, Rank::Sixth));
                    let passed = self.single_steps() & third;
                    self.to = pawn_pushes(passed, self.us) & !self.board.occupied() & self.targets;
                    self.step = self.us.fold_wb(16, -16);
                    self.stage = Stage::DoubleSteps;
                }
                Stage::DoubleSteps => {
                    let ep_square = self.chess.maybe_ep_square();
                    self.origins = legal_en_passant(self.board, self.us, ep_square);
                    self.stage = ep_square.map_or(Stage::Done, Stage::EnPassant);
                }
                Stage::EnPassant(ep_square) => match self.origins.pop_back() {
                    Some(from) => {
                        self.from = from;
                        self.to = ep_square.into();
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return false,
            }
        }
        true
    }
}

impl Iterator for LegalMoves<'_> {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        if self.is_empty() {
            return None;
        }
        let to = self.to.pop_back()?;
        Some(self.arrive(to))
    }
}

/// The pawns of `turn` that may legally capture en passant on `ep_square`; not asked of valid positions only.
pub fn legal_en_passant(board: &Board, turn: Color, ep_square: Option<Square>) -> Bitboard {
    let Some(to) = ep_square else {
        return Bitboard::EMPTY;
    };
    let mut legal = attacks::pawn_attacks(!turn, to) & board.by_color(turn) & board.pawns();
    if let Some(king) = board.king_of(turn) {
        for from in legal {
            let captured = Square::from_coords(to.file(), from.rank());
            let occupied = board.occupied().without(from).without(captured).with(to);
            if board.attacks_to(king, !turn, occupied).without(captured).any() {
                legal.discard(from);
            }
        }
    }
    legal
}
