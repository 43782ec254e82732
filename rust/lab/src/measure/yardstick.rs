//! The yardstick of the exact search: the textbook's root and alpha-beta, translated to shakmaty word for word. It is what
//! a competent programmer writes first, and stays as it is.
//!
//! At every node it lists the legal moves, clones the position and plays; at the root every move is searched again with the
//! full window. It counts its nodes, and asks now and then whether to stop: a thousandth of the work.

use betacut_core::evaluation::simplified::{Phased, delta, evaluate_board, is_endgame, is_endgame_after};
use betacut_core::limits::{Poll, Stopped};
use shakmaty::{Chess, Position, Role};

const INFINITY: i32 = 200_000;
const MATE: i32 = 100_000;

/// Nodes of this depth and more ask whether to stop: every millisecond or so.
const ASKING_DEPTH: i32 = 3;

/// What a part of the search comes to.
type Value = Result<i32, Stopped>;

/// What the yardstick found.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The value of the root, White's view.
    pub score: i32,
    /// How many moves reach it.
    pub best_moves: usize,
    /// The nodes it visited, leaves and the repeated searches of the root's moves included.
    pub nodes: u64,
}

/// What goes on beside the search.
struct Watch<'a> {
    nodes: u64,
    /// Whether leaves are valued by quiescence.
    quiescence: bool,
    stop: Poll<'a>,
}

impl Watch<'_> {
    fn node(&mut self, depth: i32) -> Result<(), Stopped> {
        self.nodes += 1;
        if depth >= ASKING_DEPTH && (self.stop)() { Err(Stopped::Interrupted) } else { Ok(()) }
    }
}

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

    /// The value of the position, White's view, its end left out.
    fn score(&self) -> i32 {
        self.sum.score(self.endgame)
    }

    /// Captures and promotions, the most valuable victim first, taken by the least valuable.
    fn captures(&self) -> impl Iterator<Item = Node> {
        let mut moves = self.chess.legal_moves();
        moves.retain(|m| m.is_capture() || m.is_promotion());
        let worth = |role: Option<Role>| role.map_or(0, |role| 16 * role as i32);
        moves.sort_by_key(|m| m.role() as i32 - worth(m.capture()) - worth(m.promotion()));
        moves.into_iter().map(|m| self.play(m))
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
pub fn search(chess: &Chess, depth: i32, quiescence: bool, stop: Poll<'_>) -> Result<Found, Stopped> {
    let board = chess.board();
    let root = Node { chess: chess.clone(), sum: evaluate_board(board), endgame: is_endgame(board) };
    let white = chess.turn().is_white();
    let watch = &mut Watch { nodes: 0, quiescence, stop };
    let mut value = |node: &Node, white: bool, depth: i32| {
        if white {
            alpha_beta_max(node, depth, -INFINITY, INFINITY, watch)
        } else {
            alpha_beta_min(node, depth, -INFINITY, INFINITY, watch)
        }
    };
    let score = value(&root, white, depth)?;
    let moves = chess.legal_moves();
    let mut best_moves = 0;
    if root.ending(!moves.is_empty()).is_none() {
        for m in moves {
            best_moves += usize::from(value(&root.play(m), !white, depth - 1)? == score);
        }
    }
    Ok(Found { score, best_moves, nodes: watch.nodes })
}

fn alpha_beta_max(node: &Node, depth: i32, mut alpha: i32, beta: i32, watch: &mut Watch) -> Value {
    watch.node(depth)?;
    let moves = node.chess.legal_moves();
    if let Some(value) = node.ending(!moves.is_empty()) {
        return Ok(value - depth);
    }
    if depth == 0 {
        return if watch.quiescence { quiesce_max(node, alpha, beta, watch) } else { Ok(node.score()) };
    }
    for m in moves {
        let value = alpha_beta_min(&node.play(m), depth - 1, alpha, beta, watch)?;
        if value >= beta {
            return Ok(value);
        }
        alpha = alpha.max(value);
    }
    Ok(alpha)
}

fn alpha_beta_min(node: &Node, depth: i32, alpha: i32, mut beta: i32, watch: &mut Watch) -> Value {
    watch.node(depth)?;
    let moves = node.chess.legal_moves();
    if let Some(value) = node.ending(!moves.is_empty()) {
        return Ok(value + depth);
    }
    if depth == 0 {
        return if watch.quiescence { quiesce_min(node, alpha, beta, watch) } else { Ok(node.score()) };
    }
    for m in moves {
        let value = alpha_beta_max(&node.play(m), depth - 1, alpha, beta, watch)?;
        if value <= alpha {
            return Ok(value);
        }
        beta = beta.min(value);
    }
    Ok(beta)
}

fn quiesce_max(node: &Node, alpha: i32, beta: i32, watch: &mut Watch) -> Value {
    watch.node(ASKING_DEPTH)?;
    let mut best = node.score();
    for child in node.captures() {
        if best >= beta {
            break;
        }
        best = best.max(quiesce_min(&child, alpha.max(best), beta, watch)?);
    }
    Ok(best)
}

fn quiesce_min(node: &Node, alpha: i32, beta: i32, watch: &mut Watch) -> Value {
    watch.node(ASKING_DEPTH)?;
    let mut best = node.score();
    for child in node.captures() {
        if best <= alpha {
            break;
        }
        best = best.min(quiesce_max(&child, alpha, beta.min(best), watch)?);
    }
    Ok(best)
}
