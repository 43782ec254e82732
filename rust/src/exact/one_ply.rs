//! A question of one ply, answered without the machinery of the others.
//!
//! # The idea
//!
//! Who asks for one ply asks for thousands of positions, and setting up a search takes longer than this one. Every
//! move is made without its key and its score read off. Only what may end the game is looked at twice: a move that
//! gives check may mate; one that does not may stalemate, but hardly ever, and [`bounds::their_movers`] says when.
//!
//! # What can go wrong
//!
//! The fifty-move rule and dead positions: where they are near, [`answer`] has none, and the search is asked.

use super::board::{Board, CLOCK_LIMIT, Move};
use super::bounds::{Movers, their_movers};
use super::driver::{Answer, Iteration};
use super::frontier::leaf;
use super::search::Counts;
use crate::position::Position;
use crate::score::{MATE, Score};

/// The value and every best move at depth 1; none if the end of the game is near.
pub fn answer(position: &Position) -> Option<Answer> {
    let board = Board::new(position);
    if board.clock + 1 >= CLOCK_LIMIT || board.men <= 4 {
        return None;
    }
    let may_stalemate = matches!(their_movers(&board), Movers::Few);
    let mut best: Vec<Move> = Vec::with_capacity(8);
    let mut value = Score::MIN;
    board.any_legal_move(board.checkers(), |m| {
        let child = board.make_keyless(m);
        let reached = if may_stalemate {
            -leaf(&child)
        } else {
            let checkers = child.checkers();
            if checkers != 0 && !child.has_legal_move(checkers) { MATE } else { -child.score() }
        };
        if reached > value {
            value = reached;
            best.clear();
        }
        if reached == value {
            best.push(m);
        }
        false
    });
    if best.is_empty() {
        return None;
    }
    let mut best_moves: Vec<_> = best.iter().map(|&m| board.to_shakmaty(m)).collect();
    sort_canonically(&mut best_moves, position);
    let score = if board.black { -value } else { value };
    Some(Answer {
        score,
        lines: best_moves.iter().map(|&m| (m, score)).collect(),
        best_moves,
        depth: 1,
        complete: true,
        counts: Counts { nodes: 1, frontier_nodes: 1, ..Counts::default() },
        iterations: vec![Iteration { depth: 1, score, nodes: 1 }],
    })
}

/// Puts legal moves into canonical order.
fn sort_canonically(moves: &mut [shakmaty::Move], position: &Position) {
    let mut canonical = position.legal_moves();
    let mut sorted = 0;
    while sorted + 1 < moves.len()
        && let Some(next) = canonical.next()
    {
        if let Some(at) = moves[sorted..].iter().position(|&m| m == next) {
            moves.swap(sorted, sorted + at);
            sorted += 1;
        }
    }
}
