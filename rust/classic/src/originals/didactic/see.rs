//! Static exchange evaluation, in the two ways of the original: what a capture wins if both sides go on capturing on its
//! square with their cheapest piece and stop when it pays.
//!
//! **Contract.** Centipawns of the Simplified Evaluation, the king 20,000; the view of the side that captures. Equally
//! cheap attackers capture in the order of their squares, a1 first.
//!
//! [`Exchange::push_pop`] makes the captures on the board: sliders behind a capturer join in, pieces pinned to their king
//! do not (not even along the pin), a promotion on the first move counts as what was promoted to, later ones stay pawns,
//! and kings capture into attacks and are captured.
//!
//! [`Exchange::optimized`] only takes the attackers off: pins do not count, a promoting pawn stays a pawn, and a pawn
//! taken en passant stays where it was and may hide a slider.
//!
//! **Counted.** Every exchange that is looked at, and every step of it, the one that finds no attacker included.
//!
//! Source: the original's sections on quiescence and on enhanced algorithms;
//! chessprogramming.org "Static Exchange Evaluation".

use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position as _, Role, Square};

use super::score::Value;
use crate::originals::material::captured;
use betacut_core::checks::pinned;
use betacut_core::evaluation::simplified::PIECE_VALUES;
use betacut_core::move_order::see::target;

/// The value of a piece.
#[inline]
pub const fn value_of(role: Role) -> Value {
    PIECE_VALUES[role as usize - 1]
}

/// What a move captures is worth.
#[inline]
pub fn captured_value(m: Move) -> Value {
    captured(m).map_or(0, value_of)
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// Calls of `see_capture`.
    pub captures: u64,
    /// Calls of `see`.
    pub steps: u64,
}

impl Exchange {
    /// `see_capture` of the legal capture `m`.
    pub fn push_pop(&mut self, chess: &Chess, m: Move) -> Value {
        self.captures += 1;
        let square = target(m);
        let mut board = chess.board().clone();
        let mut side = chess.turn();
        // 1. The capture itself.
        if let Move::EnPassant { from, to } = m {
            board.discard_piece_at(Square::from_coords(to.file(), from.rank()));
        }
        let arrived = m.promotion().unwrap_or(m.role());
        capture(&mut board, m.from(), square, arrived.of(side));
        // 2. Recaptures, as long as there is an attacker that may move.
        let mut gains = Gains::default();
        let mut on_square = arrived;
        loop {
            self.steps += 1;
            side = !side;
            let attackers = board.attacks_to(square, side, board.occupied());
            if attackers.is_empty() {
                break;
            }
            let pinned = board.king_of(side).map_or(Bitboard::EMPTY, |king| pinned(&board, king, side));
            let Some((role, from)) = cheapest(&board, attackers & !pinned) else {
                break;
            };
            gains.push(value_of(on_square));
            capture(&mut board, Some(from), square, role.of(side));
            on_square = role;
        }
        // 3. Each side captures only if that is better than to stop.
        captured_value(m) - gains.best()
    }

    /// `see_capture` of the legal capture `m`, without moves.
    pub fn optimized(&mut self, chess: &Chess, m: Move) -> Value {
        self.captures += 1;
        let square = target(m);
        let board = chess.board();
        let mut side = chess.turn();
        // 1. The capturing piece leaves its square, and sliders behind it see through.
        let mut occupied = board.occupied();
        if let Some(from) = m.from() {
            occupied.discard(from);
        }
        // 2. So do the others in turn.
        let mut gains = Gains::default();
        let mut on_square = m.role();
        loop {
            self.steps += 1;
            side = !side;
            let attackers = board.attacks_to(square, side, occupied) & occupied;
            let Some((role, from)) = cheapest(board, attackers) else {
                break;
            };
            gains.push(value_of(on_square));
            occupied.discard(from);
            on_square = role;
        }
        // 3. Each side captures only if that is better than to stop.
        captured_value(m) - gains.best()
    }
}

/// What each recapture takes, in order.
struct Gains {
    taken: [Value; 32],
    count: usize,
}

impl Default for Gains {
    #[inline]
    fn default() -> Gains {
        Gains { taken: [0; 32], count: 0 }
    }
}

impl Gains {
    /// Each of the at most 32 pieces captures once, and the first one has done so already.
    #[inline]
    fn push(&mut self, value: Value) {
        self.taken[self.count] = value;
        self.count += 1;
    }

    /// What the side to recapture wins.
    #[inline]
    fn best(&self) -> Value {
        self.taken[..self.count].iter().rev().fold(0, |rest, taken| (taken - rest).max(0))
    }
}

/// Moves a piece onto `square`, whatever stands there.
#[inline]
fn capture(board: &mut Board, from: Option<Square>, square: Square, piece: Piece) {
    if let Some(from) = from {
        board.discard_piece_at(from);
    }
    board.set_piece_at(square, piece);
}

/// The attacker of the least value, the first by square among equals.
#[inline]
fn cheapest(board: &Board, attackers: Bitboard) -> Option<(Role, Square)> {
    if attackers.is_empty() {
        return None;
    }
    Role::ALL.into_iter().find_map(|role| Some((role, (attackers & board.by_role(role)).first()?)))
}

/// Whether the other side attacks the square that `m` captures on.
#[inline]
pub fn is_defended(chess: &Chess, m: Move) -> bool {
    let board = chess.board();
    let other: Color = !chess.turn();
    board.attacks_to(target(m), other, board.occupied()).any()
}
