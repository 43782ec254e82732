//! The orders in which legal moves are tried, and what a capture is worth before it is searched.

pub mod chess_jl;
pub mod order;
pub mod python_chess;
pub mod see;

use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, Move, MoveList, Position as _, Role, Square,
    attacks,
};

/// The pieces a pawn may promote to, in every published program's order.
pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Where a move ends as python-chess writes it: castling at the king's square, or in Chess960 at the rook's.
pub fn written_target(m: Move, mode: CastlingMode) -> Square {
    if mode.is_standard() { see::target(m) } else { m.to() }
}

/// A move in two bytes: from, to ([`written_target`]), python-chess's number of a promotion.
pub fn move_code(m: Move, mode: CastlingMode) -> u16 {
    let from = m.from().map_or(0, u32::from);
    let promotion = m.promotion().map_or(0, u32::from);
    (from | u32::from(written_target(m, mode)) << 6 | promotion << 12) as u16
}

/// Sorts moves by their ranks, the lowest first; equals keep their order.
#[inline(never)]
pub fn sort_by_rank(moves: &mut [(i64, Move)]) {
    moves.sort_by_key(|&(rank, _)| rank);
}

/// Takes the moves of a stage as they are found.
pub trait Sink {
    /// A move that is not a promotion, castling or an en passant capture.
    fn push_normal(&mut self, role: Role, from: Square, to: Square, capture: Option<Role>);

    /// Any other move.
    fn push_rare(&mut self, m: Move);

    /// The stage is over.
    fn clear(&mut self);
}

impl Sink for MoveList {
    fn push_normal(&mut self, role: Role, from: Square, to: Square, capture: Option<Role>) {
        self.push(Move::Normal { role, from, capture, to, promotion: None });
    }

    fn push_rare(&mut self, m: Move) {
        self.push(m);
    }

    fn clear(&mut self) {
        self.truncate(0);
    }
}

/// The square `step` squares before `to`.
fn step_back(to: Square, step: i32) -> Square {
    // Only called with the target of a step that was just made from a square of the board.
    Square::new((to.to_u32() as i32 - step) as u32)
}

/// Of some squares those where the king of `us`, on `king`, is not attacked once it has left its own.
#[inline]
fn safe_for_king(board: &Board, us: Color, king: Square, mut squares: Bitboard) -> Bitboard {
    let occupied = board.occupied().without(king);
    for to in squares {
        if board.attacks_to(to, !us, occupied).any() {
            squares.discard(to);
        }
    }
    squares
}

/// The rook to castle with on a side: nothing stands between, and the king crosses no attacked square.
fn castling_rook(chess: &Chess, king: Square, side: CastlingSide) -> Option<Square> {
    let (us, castles, occupied) = (chess.turn(), chess.castles(), chess.board().occupied());
    let rook = castles.rook(us, side)?;
    let king_to = side.king_to(us);
    let is_safe = |square, occupied| chess.board().attacks_to(square, !us, occupied).is_empty();
    // The rook shields the king where it ends, and may have shielded it before.
    let without_king = occupied.without(king);
    let after = without_king.without(rook).with(side.rook_to(us));
    let is_free = (castles.path(us, side) & occupied).is_empty()
        && attacks::between(king, king_to).into_iter().all(|square| is_safe(square, without_king))
        && is_safe(king_to, after);
    is_free.then_some(rook)
}
