//! Pins and checks, over shakmaty's board.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position as _, Role, Square, attacks};

/// The square of `color`'s king. A position that can be searched has both, and no legal move takes one.
pub fn king(board: &Board, color: Color) -> Square {
    board.king_of(color).expect("both kings stand on the board")
}

/// The squares in front of `pawns`.
pub fn pawn_pushes(pawns: Bitboard, color: Color) -> Bitboard {
    pawns.shift(color.fold_wb(8, -8))
}

/// The pieces of either colour that alone stand between `color`'s king and a slider of the other side.
pub fn slider_blockers(board: &Board, king: Square, color: Color) -> Bitboard {
    let snipers = (attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens())
        | (attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens());
    let mut blockers = Bitboard::EMPTY;
    for sniper in snipers & board.by_color(!color) {
        let between = attacks::between(king, sniper) & board.occupied();
        if !between.more_than_one() {
            blockers |= between;
        }
    }
    blockers
}

/// The pieces of `color` that are pinned to their king.
pub fn pinned(board: &Board, king: Square, color: Color) -> Bitboard {
    slider_blockers(board, king, color) & board.by_color(color)
}

/// Which moves of the side to move give check, found once for all of them.
#[derive(Clone, Debug)]
pub struct CheckInfo {
    /// The king that would be in check.
    pub king: Square,
    /// Squares from which a pawn, knight, bishop, rook, queen would attack it.
    squares: [Bitboard; 5],
    /// Our pieces whose departure may uncover a check.
    pub discoverers: Bitboard,
    /// Their pieces that are pinned to that king.
    pub pinned: Bitboard,
}

impl CheckInfo {
    /// The check squares of the side to move.
    pub fn new(chess: &Chess) -> CheckInfo {
        let board = chess.board();
        let us = chess.turn();
        let king = king(board, !us);
        let blockers = slider_blockers(board, king, !us);
        let rook = attacks::rook_attacks(king, board.occupied());
        let bishop = attacks::bishop_attacks(king, board.occupied());
        CheckInfo {
            king,
            squares: [
                attacks::pawn_attacks(!us, king),
                attacks::knight_attacks(king),
                bishop,
                rook,
                bishop | rook,
            ],
            discoverers: blockers & board.by_color(us),
            pinned: blockers & board.by_color(!us),
        }
    }

    /// Whether `m` gives check; none for castling, en passant and promotion, which have to be made to know.
    pub fn gives_check(&self, m: Move) -> Option<bool> {
        let Move::Normal { role, from, to, promotion: None, .. } = m else {
            return None;
        };
        Some(self.is_check_after(role, from, to))
    }

    /// [`CheckInfo::gives_check`] for a move of none of those kinds.
    pub fn is_check_after(&self, role: Role, from: Square, to: Square) -> bool {
        let direct = role != Role::King && self.squares[role as usize - 1].contains(to);
        direct || (self.discoverers.contains(from) && !attacks::aligned(self.king, from, to))
    }
}
