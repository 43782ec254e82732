//! Moves that cannot end the game, told apart without making them.
//!
//! Nine nodes in ten are leaves, and all a leaf needs is its score and whether the game is over there. The game is
//! hardly ever over, and mostly that can be proved from the parent:
//!
//! 1. A move that gives no check cannot mate. It can only stalemate, and it does not while the other side keeps
//!    a piece that can move. Count those pieces once at the parent (no king, nothing pinned). A single move of
//!    ours takes away at most three of them: one by capturing it or by standing in front of it, one by pinning it
//!    with the moved slider, and one by opening the line on which another slider pins it. The three are looked at
//!    one by one ([`TerminalFilter::is_harmless`]); with more movers than losses the other side has a move. And a
//!    slider that no slider of ours can pin across its lines (a queen always) can only be captured: pinned, it can
//!    still take the pinning piece.
//! 2. Draws by rule are out of reach of one ply; whether they are depends on the rules, so the caller says it.
//!
//! What is not proved (checks, promotions, castling, en passant, few pieces, a late clock) has to be made and asked.

use shakmaty::{Bitboard, Board, Chess, Move, Position as _, Role, Square, attacks};

use betacut_core::checks::{CheckInfo, pawn_pushes};

/// What a position knows about the moves that cannot end the game.
pub struct TerminalFilter {
    checks: CheckInfo,
    /// Their pieces, without the king and pinned ones, that have a move.
    movers: u32,
    /// Those of them that only a capture can stop.
    steady: Bitboard,
    /// Squares where our arrival may cost them a mover: the movers' own, and those in front of movable pawns.
    sensitive: Bitboard,
    /// Squares from which a departure may open a line to their king.
    lines_to_king: Bitboard,
    far_from_draws: bool,
}

impl TerminalFilter {
    /// Looks once at the position whose moves are asked about. `far_from_draws` says that no move which is neither a
    /// promotion nor castling nor en passant can draw by rule.
    #[inline]
    pub fn new(chess: &Chess, far_from_draws: bool) -> TerminalFilter {
        let board = chess.board();
        let checks = CheckInfo::new(chess);
        let (movers, steady, sensitive) = movers(chess, board, checks.pinned);
        let lines_to_king = attacks::queen_attacks(checks.king, Bitboard::EMPTY);
        TerminalFilter { checks, movers, steady, sensitive, lines_to_king, far_from_draws }
    }

    /// Whether the game is certainly not over after the legal move `m`.
    #[inline(always)]
    pub fn cannot_end_the_game(&self, m: Move) -> bool {
        match m {
            Move::Normal { role, from, to, promotion: None, .. } => self.is_harmless(role, from, to),
            _ => false,
        }
    }

    /// [`TerminalFilter::cannot_end_the_game`] for a move that is no promotion, castling or en passant capture.
    #[inline(always)]
    pub fn is_harmless(&self, role: Role, from: Square, to: Square) -> bool {
        if !self.far_from_draws || self.checks.is_check_after(role, from, to) {
            return false;
        }
        if self.movers >= ENOUGH {
            return true;
        }
        if self.steady.without(to).any() {
            return true;
        }
        let lost = u32::from(self.sensitive.contains(to))
            + u32::from(matches!(role, Role::Bishop | Role::Rook | Role::Queen))
            + u32::from(self.lines_to_king.contains(from));
        self.movers > lost
    }
}

/// More movers than a single move can take away.
const ENOUGH: u32 = 4;

/// The other side's movable pieces, counted up to what any proof needs; the steady ones of them; and the squares they
/// can be lost on.
#[inline]
fn movers(chess: &Chess, board: &Board, pinned: Bitboard) -> (u32, Bitboard, Bitboard) {
    let them = !chess.turn();
    let free = chess.them() & !pinned;
    // 1. Pawns with an empty square ahead.
    let pushes = pawn_pushes(free & board.pawns(), them) & !board.occupied();
    let mut count = pushes.count() as u32;
    let mut sensitive = pushes | pawn_pushes(pushes, !them);
    // 2. Pieces with a step onto a square that is not their own.
    // A pinned slider can still go along its pin, if that is how it moves.
    let diagonal = chess.us() & board.bishops_and_queens();
    let straight = chess.us() & board.rooks_and_queens();
    let mut unpinnable = board.queens();
    if diagonal.is_empty() {
        unpinnable |= board.rooks();
    }
    if straight.is_empty() {
        unpinnable |= board.bishops();
    }
    let mut steady = Bitboard::EMPTY;
    for square in free & !board.pawns() & !board.kings() {
        if count >= ENOUGH {
            break;
        }
        if (first_steps(board, square) & !chess.them()).any() {
            count += 1;
            sensitive.add(square);
            if unpinnable.contains(square) {
                steady.add(square);
            }
        }
    }
    (count, steady, sensitive)
}

/// The squares one step away in each direction the piece moves in.
#[inline]
fn first_steps(board: &Board, square: Square) -> Bitboard {
    let around = attacks::king_attacks(square);
    match board.role_at(square) {
        Some(Role::Knight) => attacks::knight_attacks(square),
        Some(Role::Bishop) => around & attacks::bishop_attacks(square, Bitboard::EMPTY),
        Some(Role::Rook) => around & attacks::rook_attacks(square, Bitboard::EMPTY),
        Some(Role::Queen) => around,
        _ => Bitboard::EMPTY,
    }
}
