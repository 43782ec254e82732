//! A question of two plies, answered without making most of the root's moves.
//!
//! # The idea
//!
//! A move is worth at most what one known reply leaves of it ([`two_plies_before::bound_moves`]). So the moves are searched in
//! the order of these bounds, and as soon as the next bound is below the best value, all moves that are left are.
//!
//! A move is asked first whether it reaches the best value so far, which takes sets of squares, and only then for its value.
//! Before there is one, it is asked whether it is worth nearly as much as passing: some move nearly always is.
//!
//! **What can go wrong.** In zugzwang no move is worth that much, and the proof of [`two_plies_before`] does not apply
//! everywhere. There [`answer`] has none, and the search is asked.

use crate::ordering::{greatest_first, with_score};
use crate::question::{Answer, Counts, Wanted};
use crate::shallow_roots::one_ply::{self, report};
use crate::{leaves::one_ply_before, leaves::two_plies_before};
use betacut_core::board::{Board, Move};
use betacut_core::position::Position;
use betacut_core::score::{MATE, Score};

/// Above every value, and what is added to a bound so that it can be packed with its move.
const ABOVE: Score = 2 * MATE;

/// The value and the best moves at depth 2; none if lines are wanted, in zugzwang, or where the proof fails.
pub fn answer(position: &Position, wanted: Wanted, root_moves: Option<&[shakmaty::Move]>) -> Option<Answer> {
    let board = Board::keyless(position);
    if !board.values.has_bounds
        || matches!(wanted, Wanted::Lines(_))
        || !two_plies_before::may_bound(&board, board.checkers())
    {
        return None;
    }
    // 1. What each move is worth at most, and what passing is.
    let mut bounds = Vec::with_capacity(64);
    let pass = two_plies_before::bound_moves(&board, |m, most| {
        if root_moves.is_none_or(|only| only.contains(&board.to_shakmaty(m))) {
            bounds.push(with_score((most.unwrap_or(ABOVE) + ABOVE) as u64, m));
        }
    });
    // 2. The moves that are worth enough.
    let mut root = Root {
        board: &board,
        value: pass.map_or(-ABOVE, |pass| pass - board.values.most_lost),
        best: Vec::with_capacity(8),
        nodes: 0,
    };
    root.search(&mut bounds);
    if root.best.is_empty() {
        return None;
    }
    let counts = Counts { nodes: root.nodes, frontier_nodes: root.nodes, ..Counts::default() };
    Some(report(position, &board, wanted, (root.value, &root.best), 2, counts))
}

/// A root two plies before the leaves.
struct Root<'a> {
    board: &'a Board<'a>,
    /// The value of the best moves so far, or what a move should be worth.
    value: Score,
    best: Vec<Move>,
    nodes: u64,
}

impl Root<'_> {
    /// Searches moves, the greatest bound first, as long as a bound reaches the best value.
    fn search(&mut self, bounds: &mut [u64]) {
        for index in 0..bounds.len() {
            let m = greatest_first(&mut bounds[index..]);
            if (bounds[index] >> 16) as Score - ABOVE < self.value {
                break;
            }
            let child = self.board.make_keyless(m);
            self.nodes += 1;
            if one_ply_before::reaches(&child, 1 - self.value, child.checkers()) {
                continue;
            }
            self.nodes += 1;
            let value = -one_ply::value(&child, |_, _| ());
            if value > self.value {
                self.value = value;
                self.best.clear();
            }
            self.best.push(m);
        }
    }
}
