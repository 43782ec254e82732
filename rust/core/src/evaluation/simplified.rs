//! Tomasz Michniewski's Simplified Evaluation Function, with piece-square tables in White's view.
//!
//! Every piece is worth its value plus a bonus for its square; a position is worth White's pieces minus
//! Black's. Only the king has two tables, one for the middlegame and one for the endgame, so a position
//! carries both sums ([`Phased`]) and picks one: a capture that ends the middlegame then changes the score by
//! the switch alone, and no move needs the board to be summed again.
//!
//! Source: chessprogramming.org "Simplified Evaluation Function"; the numbers and the endgame rule are those of
//! the original Julia program.

use shakmaty::{Bitboard, Board, Color, Move, Role, Square};

pub use super::phased::Phased;
use super::phased::{self, PieceSquare};
use crate::score::Score;

/// Material values, pawn to king, in centipawns.
pub const PIECE_VALUES: [Score; 6] = [100, 320, 330, 500, 900, 20_000];

/// Bonus per square as White sees the board: the first row is rank 8, the first column file a. Black uses the
/// table flipped top to bottom. The queen's table is not left-right symmetric; that is how it was published.
#[rustfmt::skip]
pub const SQUARE_BONUS: [[Score; 64]; 7] = [
    // pawn
    [  0,   0,   0,   0,   0,   0,   0,   0,
      50,  50,  50,  50,  50,  50,  50,  50,
      10,  10,  20,  30,  30,  20,  10,  10,
       5,   5,  10,  25,  25,  10,   5,   5,
       0,   0,   0,  20,  20,   0,   0,   0,
       5,  -5, -10,   0,   0, -10,  -5,   5,
       5,  10,  10, -20, -20,  10,  10,   5,
       0,   0,   0,   0,   0,   0,   0,   0],
    // knight
    [-50, -40, -30, -30, -30, -30, -40, -50,
     -40, -20,   0,   0,   0,   0, -20, -40,
     -30,   0,  10,  15,  15,  10,   0, -30,
     -30,   5,  15,  20,  20,  15,   5, -30,
     -30,   0,  15,  20,  20,  15,   0, -30,
     -30,   5,  10,  15,  15,  10,   5, -30,
     -40, -20,   0,   5,   5,   0, -20, -40,
     -50, -40, -30, -30, -30, -30, -40, -50],
    // bishop
    [-20, -10, -10, -10, -10, -10, -10, -20,
     -10,   0,   0,   0,   0,   0,   0, -10,
     -10,   0,   5,  10,  10,   5,   0, -10,
     -10,   5,   5,  10,  10,   5,   5, -10,
     -10,   0,  10,  10,  10,  10,   0, -10,
     -10,  10,  10,  10,  10,  10,  10, -10,
     -10,   5,   0,   0,   0,   0,   5, -10,
     -20, -10, -10, -10, -10, -10, -10, -20],
    // rook
    [  0,   0,   0,   0,   0,   0,   0,   0,
       5,  10,  10,  10,  10,  10,  10,   5,
      -5,   0,   0,   0,   0,   0,   0,  -5,
      -5,   0,   0,   0,   0,   0,   0,  -5,
      -5,   0,   0,   0,   0,   0,   0,  -5,
      -5,   0,   0,   0,   0,   0,   0,  -5,
      -5,   0,   0,   0,   0,   0,   0,  -5,
       0,   0,   0,   5,   5,   0,   0,   0],
    // queen
    [-20, -10, -10,  -5,  -5, -10, -10, -20,
     -10,   0,   0,   0,   0,   0,   0, -10,
     -10,   0,   5,   5,   5,   5,   0, -10,
      -5,   0,   5,   5,   5,   5,   0,  -5,
       0,   0,   5,   5,   5,   5,   0,  -5,
     -10,   5,   5,   5,   5,   5,   0, -10,
     -10,   0,   5,   0,   0,   0,   0, -10,
     -20, -10, -10,  -5,  -5, -10, -10, -20],
    // king, middlegame
    [-30, -40, -40, -50, -50, -40, -40, -30,
     -30, -40, -40, -50, -50, -40, -40, -30,
     -30, -40, -40, -50, -50, -40, -40, -30,
     -30, -40, -40, -50, -50, -40, -40, -30,
     -20, -30, -30, -40, -40, -30, -30, -20,
     -10, -20, -20, -20, -20, -20, -20, -10,
      20,  20,   0,   0,   0,   0,  20,  20,
      20,  30,  10,   0,   0,  10,  30,  20],
    // king, endgame
    [-50, -40, -30, -20, -20, -30, -40, -50,
     -30, -20, -10,   0,   0, -10, -20, -30,
     -30, -10,  20,  30,  30,  20, -10, -30,
     -30, -10,  30,  40,  40,  30, -10, -30,
     -30, -10,  30,  40,  40,  30, -10, -30,
     -30, -10,  20,  30,  30,  20, -10, -30,
     -30, -30,   0,   0,   0,   0, -30, -30,
     -50, -30, -30, -30, -30, -30, -30, -50],
];

/// Value plus square bonus by colour (Black first), piece and square; Black's entries are negative.
static PIECE_SQUARE: PieceSquare = piece_square_tables();

const fn piece_square_tables() -> PieceSquare {
    let mut tables = [[[Phased { middlegame: 0, endgame: 0 }; 64]; 6]; 2];
    let mut role = 0;
    while role < 6 {
        let endgame_role = if role == 5 { 6 } else { role };
        let mut square = 0;
        while square < 64 {
            // The published tables start at a8; squares are numbered from a1.
            let seen_by_white = square ^ 0x38;
            let (middlegame, endgame) = (SQUARE_BONUS[role], SQUARE_BONUS[endgame_role]);
            tables[1][role][square] = Phased {
                middlegame: PIECE_VALUES[role] + middlegame[seen_by_white],
                endgame: PIECE_VALUES[role] + endgame[seen_by_white],
            };
            tables[0][role][square] = Phased {
                middlegame: -PIECE_VALUES[role] - middlegame[square],
                endgame: -PIECE_VALUES[role] - endgame[square],
            };
            square += 1;
        }
        role += 1;
    }
    tables
}

/// What one piece on one square adds to the score (negative for Black's pieces).
#[inline(always)]
pub fn piece_square(color: Color, role: Role, square: Square) -> Phased {
    phased::piece_square(&PIECE_SQUARE, color, role, square)
}

/// The sum over all pieces, from scratch.
pub fn evaluate_board(board: &Board) -> Phased {
    phased::sum(&PIECE_SQUARE, board)
}

/// The change of the sum by a move of `color`: the moved piece, the captured piece, a promotion, the castling
/// rook.
#[inline(always)]
pub fn delta(color: Color, m: Move) -> Phased {
    phased::delta(&PIECE_SQUARE, color, m)
}

/// Whether the kings use their endgame table: each side has no queen, or no rook and at most one minor piece.
pub fn is_endgame(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| thin(board, board.by_color(color)))
}

/// [`is_endgame`] after `m`, a legal move of `color`, without making it. Only captures and promotions matter.
#[inline(never)]
pub fn is_endgame_after(board: &Board, color: Color, m: Move) -> bool {
    let mut theirs = board.by_color(!color);
    if m.is_capture() {
        theirs.discard(m.to());
    }
    let ours = board.by_color(color);
    let ours_thin = match m.promotion() {
        None => thin(board, ours),
        Some(role) => {
            let count = |roles: Bitboard, promoted: bool| (ours & roles).count() + usize::from(promoted);
            is_thin(
                count(board.queens(), role == Role::Queen),
                count(board.rooks(), role == Role::Rook),
                count(board.knights() | board.bishops(), matches!(role, Role::Knight | Role::Bishop)),
            )
        }
    };
    ours_thin && thin(board, theirs)
}

/// Whether one side's pieces are few enough for the endgame.
#[inline]
fn thin(board: &Board, side: Bitboard) -> bool {
    is_thin(
        (side & board.queens()).count(),
        (side & board.rooks()).count(),
        (side & (board.knights() | board.bishops())).count(),
    )
}

#[inline]
const fn is_thin(queens: usize, rooks: usize, minors: usize) -> bool {
    queens == 0 || (rooks == 0 && minors <= 1)
}
