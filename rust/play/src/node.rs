//! What is known of a node, and of a move of the root.

use super::{evaluation::Board, table::Entry, values::INFINITE};
use betacut_core::{board::Move, score::Score};

/// What is known of a node before its moves are tried.
pub struct Node<'a> {
    pub board: &'a Board<'a>,
    pub ply: usize,
    pub depth: i32,
    /// The window's lower end at the start.
    pub alpha: Score,
    pub beta: Score,
    /// Whether the window is open: the node may be part of the principal variation.
    pub pv: bool,
    /// Whether a cutoff is expected.
    pub cut: bool,
    pub checkers: u64,
    pub entry: Option<Entry>,
    pub table_move: Move,
    /// The evaluation, corrected; meaningless in check.
    pub static_value: Score,
    /// The evaluation as it is, for the table.
    pub evaluation: Score,
    /// The best guess of the value: the static value, or the table's score.
    pub guess: Score,
    /// Whether the static value has risen since our last move.
    pub improving: bool,
    /// The move that is left out, to see whether it is the only good one.
    pub excluded: Move,
}

/// A move of the root.
#[derive(Clone)]
pub struct RootMove<'w> {
    pub m: Move,
    pub board: Board<'w>,
    /// What a tablebase says of it beside the others: more is better.
    pub rank: i32,
    /// Its score in this depth, if it was searched for its value; else far below.
    pub score: Score,
    /// Its score in the depth before.
    pub previous: Score,
    /// The deepest ply of its search.
    pub selective_depth: usize,
    /// Nodes that its searches took, all depths together.
    pub nodes: u64,
    pub line: Vec<Move>,
}

impl<'w> RootMove<'w> {
    pub fn new(m: Move, board: Board<'w>, rank: i32) -> RootMove<'w> {
        RootMove {
            m,
            board,
            rank,
            score: -INFINITE,
            previous: -INFINITE,
            selective_depth: 0,
            nodes: 0,
            line: vec![m],
        }
    }

    /// Puts the best first, as far as is known; others keep their order.
    pub fn sort(roots: &mut [RootMove]) {
        roots.sort_by_key(|root| (-root.rank, -root.score));
    }
}
