//! When a game is over and what that is worth.
//!
//! The published programs differ in their rules, so a rule set is data ([`RuleSet`]); the searches ask it.

use shakmaty::{Board, Color};

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
}

impl Ending {
    /// The value of the ending with `turn` to move: ∓[`MATE`] for checkmate, 0 for a draw; White's view.
    #[inline]
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
    #[inline]
    pub fn ending(&self, position: &Position) -> Option<Ending> {
        // 1. Checkmate, before any draw.
        if !position.has_legal_move() {
            return Some(if position.is_check() { Ending::Checkmate } else { Ending::Stalemate });
        }
        // 2. Draws.
        self.draw(position)
    }

    /// Whether a position with a legal move is drawn all the same.
    #[inline]
    pub fn draw(&self, position: &Position) -> Option<Ending> {
        if position.halfmove_clock() >= self.halfmove_limit {
            return Some(Ending::FiftyMoves);
        }
        self.is_dead(position.board()).then_some(Ending::InsufficientMaterial)
    }

    #[inline]
    fn is_dead(&self, board: &Board) -> bool {
        (board.pawns() | board.rooks_and_queens()).is_empty()
            && (board.knights() | board.bishops()).count() <= self.dead_minor_pieces
    }
}
