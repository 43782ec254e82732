//! Moves in the order of their names in UCI.
//!
//! # The idea
//!
//! A name begins with the square where a move starts, then the one where it ends. So sorted moves are sorted pieces, and the
//! squares where each piece can go, if squares are taken file by file: a1, a2, …, h8. A set of squares that is mirrored
//! at its long diagonal has its bits in this order. A move's index is the number of bits before its own: no
//! list is made, and none is sorted.

use betacut_core::board::{
    BISHOP, Board, Code, EMPTY, KING, KNIGHT, LAST_RANK, Move, NO_SQUARE, PAWN, QUEEN, ROOK, Squares, bit,
    flipped, king_attacks, line,
};

/// What a pawn becomes, in the order of the letters b, n, q, r.
const PROMOTIONS_BY_NAME: [Code; 4] = [BISHOP, KNIGHT, QUEEN, ROOK];

/// A piece of the side to move.
pub struct Piece {
    /// Where it stands.
    pub from: u32,
    /// What it is.
    pub code: Code,
    /// Where it can go, legally.
    pub to: u64,
    /// How many moves the pieces before it have.
    before: u32,
}

impl Piece {
    /// How many moves lead to each square.
    fn moves_to_each(&self) -> u32 {
        if self.code == PAWN && self.to & LAST_RANK != 0 { PROMOTIONS_BY_NAME.len() as u32 } else { 1 }
    }

    /// The index of one of its moves among all moves of the position.
    pub fn index(&self, board: &Board, m: Move) -> u8 {
        let less = bit(place(board, m.to())) - 1;
        let promotion = PROMOTIONS_BY_NAME.iter().position(|&code| code == m.promotion());
        let own = (by_name(board, self.to) & less).count_ones() * self.moves_to_each();
        // No position has so many moves.
        (self.before + own + promotion.unwrap_or(0) as u32) as u8
    }

    /// Calls `visit` with its moves, sorted, until it says stop.
    #[inline(always)]
    pub fn any_move(&self, board: &Board, mut visit: impl FnMut(Move) -> bool) -> bool {
        Squares(by_name(board, self.to)).map(|place| square(board, place)).any(|to| {
            if self.moves_to_each() == 1 {
                visit(Move::new(self.from, to, EMPTY))
            } else {
                PROMOTIONS_BY_NAME.into_iter().any(|code| visit(Move::new(self.from, to, code)))
            }
        })
    }
}

/// Calls `visit` with the pieces of the side to move, sorted, until it says stop.
#[inline(always)]
pub fn any_piece(board: &Board, mut visit: impl FnMut(&Piece) -> bool) -> bool {
    let checkers = board.checkers();
    let (king, occupied, pinned) = (board.our_king(), board.occupied(), board.pinned());
    let targets = board.targets(checkers) & !board.ours;
    let mut takers = 0;
    if board.en_passant != NO_SQUARE {
        board.any_en_passant(|m| {
            takers |= bit(m.from());
            false
        });
    }
    let mut before = 0;
    Squares(by_name(board, board.ours)).any(|place| {
        let from = square(board, place);
        let code = board.code(from);
        let to = if code == KING {
            king_moves(board, checkers)
        } else {
            let on_line = if pinned & bit(from) != 0 { line(king, from) } else { !0 };
            if code == PAWN {
                let en_passant = if takers & bit(from) != 0 { bit(board.en_passant as u32) } else { 0 };
                board.pawn_targets(from, occupied) & targets & on_line | en_passant
            } else {
                board.piece_attacks(from, occupied) & targets & on_line
            }
        };
        let piece = Piece { from, code, to, before };
        before += to.count_ones() * piece.moves_to_each();
        visit(&piece)
    })
}

/// Where the king can go, castling too.
fn king_moves(board: &Board, checkers: u64) -> u64 {
    let king = board.our_king();
    let without_king = board.occupied() ^ bit(king);
    let mut moves = 0;
    for to in Squares(king_attacks(king) & !board.ours) {
        if board.their_attackers(to, without_king) == 0 {
            moves |= bit(to);
        }
    }
    if checkers == 0 && board.castling & 3 != 0 {
        for m in board.castling_moves().into_iter().flatten() {
            moves |= bit(m.to());
        }
    }
    moves
}

/// Lists all legal moves, sorted.
pub fn list_by_name(board: &Board, listed: &mut Vec<Move>) {
    any_piece(board, |piece| {
        piece.any_move(board, |m| {
            listed.push(m);
            false
        })
    });
}

/// Counts the legal moves.
pub fn count(board: &Board) -> u64 {
    let mut moves = 0;
    any_piece(board, |piece| {
        moves = piece.before + piece.to.count_ones() * piece.moves_to_each();
        false
    });
    u64::from(moves)
}

/// The index of a legal move among all legal moves.
pub fn index_by_name(board: &Board, m: Move) -> u8 {
    let mut index = 0;
    any_piece(board, |piece| {
        let moves = piece.from == m.from();
        if moves {
            index = piece.index(board, m);
        }
        moves
    });
    index
}

/// A set of squares with its bits in the order of the names.
#[inline(always)]
fn by_name(board: &Board, set: u64) -> u64 {
    let mut set = if board.black { set.swap_bytes() } else { set };
    for (shift, mask) in
        [(7, 0x00aa_00aa_00aa_00aa_u64), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let differ = (set ^ set >> shift) & mask;
        set ^= differ ^ differ << shift;
    }
    set
}

/// The place of a square among the names of all squares.
fn place(board: &Board, square: u32) -> u32 {
    let at = if board.black { flipped(square) } else { square };
    (at & 7) << 3 | at >> 3
}

fn square(board: &Board, place: u32) -> u32 {
    let at = (place & 7) << 3 | place >> 3;
    if board.black { flipped(at) } else { at }
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;
    use betacut_core::position::Position;

    #[test]
    fn moves_are_sorted_as_their_names_are() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "r1n1k3/1P4P1/8/2pPp3/8/8/6p1/4K2R w K c6 0 1",
            "r3k3/6P1/8/8/2PpP3/8/1p4p1/4K1NR b q e3 0 1",
            "3k4/8/8/8/7b/8/4RR2/4K3 w - - 0 1",
            "4k3/8/8/1b6/8/3r4/8/4K3 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut expected: Vec<_> =
                position.legal_moves().map(|m| m.to_uci(CastlingMode::Standard).to_string()).collect();
            expected.sort();
            let board = Board::new(&position);
            let mut listed = Vec::new();
            list_by_name(&board, &mut listed);
            assert_eq!(count(&board), listed.len() as u64, "{fen}");
            let names: Vec<_> = listed
                .iter()
                .map(|&m| board.to_shakmaty(m).to_uci(CastlingMode::Standard).to_string())
                .collect();
            assert_eq!(names, expected, "{fen}");
            for (index, &m) in listed.iter().enumerate() {
                assert_eq!(usize::from(index_by_name(&board, m)), index, "{fen}");
            }
        }
    }
}
