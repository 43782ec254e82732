//! When a game is over and what that is worth.
//!
//! The published programs differ in their rules, so a rule set is data ([`RuleSet`]); the searches ask it.

use shakmaty::{Board, Chess, Color, Position as _};

use crate::position::Position;
use crate::score::{MATE, Score};

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The side to move is in check and cannot get out of it.
    Checkmate,
    /// The side to move is not in check and has no move.
    Stalemate,
    /// No capture and no pawn move for fifty moves of each side.
    FiftyMoves,
    /// Too little material to win.
    InsufficientMaterial,
    /// No capture and no pawn move for seventy-five moves of each side.
    SeventyFiveMoves,
    /// The position occurred for the fifth time.
    FivefoldRepetition,
}

impl Ending {
    /// The value of the ending with `turn` to move: ∓[`MATE`] for checkmate, 0 for a draw; White's view.
    pub fn value(self, turn: Color) -> Score {
        match self {
            Ending::Checkmate => turn.fold_wb(-MATE, MATE),
            _ => 0,
        }
    }
}

/// A program's idea of the end of a game. Checkmate counts first, so a mating move wins even as the hundredth
/// ply without progress. Repetition is no part of it: that depends on more than the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// The game is drawn once the halfmove clock reaches this many plies.
    pub halfmove_limit: u32,
    /// The game is drawn once no pawn, rook or queen is left and at most this many minor pieces in all.
    pub dead_minor_pieces: usize,
}

/// The rules of Chess.jl, which the Julia program plays by: bishop against bishop goes on whatever their
/// colours.
pub const CHESS_JL: RuleSet = RuleSet { halfmove_limit: 100, dead_minor_pieces: 1 };

impl RuleSet {
    /// Whether and why the game is over in `position`.
    pub fn ending(&self, position: &Position) -> Option<Ending> {
        // 1. Checkmate, before any draw.
        if !position.has_legal_move() {
            return Some(if position.is_check() { Ending::Checkmate } else { Ending::Stalemate });
        }
        // 2. Draws.
        self.draw(position)
    }

    /// Whether a position with a legal move is drawn nevertheless.
    pub fn draw(&self, position: &Position) -> Option<Ending> {
        if position.halfmove_clock() >= self.halfmove_limit {
            return Some(Ending::FiftyMoves);
        }
        self.is_dead(position.board()).then_some(Ending::InsufficientMaterial)
    }

    fn is_dead(&self, board: &Board) -> bool {
        (board.pawns() | board.rooks_and_queens()).is_empty()
            && (board.knights() | board.bishops()).count() <= self.dead_minor_pieces
    }
}

/// The end of a game without a claim: python-chess's `outcome()` and `is_game_over()`.
///
/// In this order: checkmate; insufficient material, if neither side could mate by any sequence of moves as far as the
/// material alone tells; stalemate; seventy-five moves of each side without progress; fivefold repetition. The third
/// occurrence and fifty moves end nothing.
///
/// `has_legal_move` and `is_fivefold` are asked at most once; the latter seldom.
pub fn automatic_ending(
    chess: &Chess,
    has_legal_move: bool,
    is_fivefold: impl FnOnce() -> bool,
) -> Option<Ending> {
    let dead = is_dead_for_both(chess);
    if !has_legal_move && chess.is_check() {
        Some(Ending::Checkmate)
    } else if dead {
        Some(Ending::InsufficientMaterial)
    } else if !has_legal_move {
        Some(Ending::Stalemate)
    } else if chess.halfmoves() >= SEVENTY_FIVE_MOVES {
        Some(Ending::SeventyFiveMoves)
    } else if is_fivefold() {
        Some(Ending::FivefoldRepetition)
    } else {
        None
    }
}

/// Whether no ordinary move of `chess` (no promotion, castling or en passant capture) can bring a draw of
/// [`automatic_ending`] other than stalemate or repetition.
pub fn is_far_from_automatic_draws(chess: &Chess) -> bool {
    let board = chess.board();
    let strong = board.pawns() | board.rooks_and_queens();
    strong.more_than_one() && chess.halfmoves() + 1 < SEVENTY_FIVE_MOVES
}

/// Plies without progress after which the game is drawn without a claim.
pub const SEVENTY_FIVE_MOVES: u32 = 150;

/// python-chess's `is_insufficient_material()`.
fn is_dead_for_both(chess: &Chess) -> bool {
    let board = chess.board();
    // A pawn, rook or queen is enough for its owner.
    (board.pawns() | board.rooks_and_queens()).is_empty() && chess.is_insufficient_material()
}
