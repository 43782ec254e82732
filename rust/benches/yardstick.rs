//! The yardstick of the exact search: the textbook's root and alpha-beta, translated to shakmaty word for word.
//!
//! At every node it lists the legal moves, clones the position and plays; at the root every move is searched again
//! with the full window, as the original program does. It is what a competent programmer writes first, and stays as
//! it is.

use betacut::evaluation::simplified::{Phased, delta, evaluate_board, is_endgame, is_endgame_after};
use shakmaty::{Chess, Position};

const INFINITY: i32 = 200_000;
const MATE: i32 = 100_000;

/// A position with its score.
#[derive(Clone)]
struct Node {
    chess: Chess,
    sum: Phased,
    endgame: bool,
}

impl Node {
    fn play(&self, m: shakmaty::Move) -> Node {
        let us = self.chess.turn();
        let endgame = if m.is_capture() || m.is_promotion() {
            is_endgame_after(self.chess.board(), us, m)
        } else {
            self.endgame
        };
        let mut chess = self.chess.clone();
        chess.play_unchecked(m);
        Node { chess, sum: self.sum + delta(us, m), endgame }
    }

    /// The value of the position if its game is over.
    fn ending(&self, any_move: bool) -> Option<i32> {
        if !any_move {
            return Some(match (self.chess.is_check(), self.chess.turn().is_white()) {
                (false, _) => 0,
                (true, true) => -MATE,
                (true, false) => MATE,
            });
        }
        let board = self.chess.board();
        let dead = (board.pawns() | board.rooks_and_queens()).is_empty()
            && (board.knights() | board.bishops()).count() <= 1;
        (self.chess.halfmoves() >= 100 || dead).then_some(0)
    }
}

/// The value of the root and how many moves reach it.
pub fn search(chess: &Chess, depth: i32) -> (i32, usize) {
    let board = chess.board();
    let root = Node { chess: chess.clone(), sum: evaluate_board(board), endgame: is_endgame(board) };
    let white = chess.turn().is_white();
    let value = |node: &Node, white: bool, depth: i32| {
        if white {
            alpha_beta_max(node, depth, -INFINITY, INFINITY)
        } else {
            alpha_beta_min(node, depth, -INFINITY, INFINITY)
        }
    };
    let score = value(&root, white, depth);
    let moves = chess.legal_moves();
    if root.ending(!moves.is_empty()).is_some() {
        return (score, 0);
    }
    (score, moves.into_iter().filter(|&m| value(&root.play(m), !white, depth - 1) == score).count())
}

fn alpha_beta_max(node: &Node, depth: i32, mut alpha: i32, beta: i32) -> i32 {
    let moves = node.chess.legal_moves();
    if let Some(value) = node.ending(!moves.is_empty()) {
        return value - depth;
    }
    if depth == 0 {
        return node.sum.score(node.endgame);
    }
    for m in moves {
        let value = alpha_beta_min(&node.play(m), depth - 1, alpha, beta);
        if value >= beta {
            return value;
        }
        alpha = alpha.max(value);
    }
    alpha
}

fn alpha_beta_min(node: &Node, depth: i32, alpha: i32, mut beta: i32) -> i32 {
    let moves = node.chess.legal_moves();
    if let Some(value) = node.ending(!moves.is_empty()) {
        return value + depth;
    }
    if depth == 0 {
        return node.sum.score(node.endgame);
    }
    for m in moves {
        let value = alpha_beta_max(&node.play(m), depth - 1, alpha, beta);
        if value <= alpha {
            return value;
        }
        beta = beta.min(value);
    }
    beta
}
