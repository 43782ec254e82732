//! A question of one ply, answered without the machinery of the others: a move's value is the score plus what the move
//! changes it by. Only moves that give check are made, for they may mate, and moves that change more than two squares or the
//! phase; and all of them where one may stalemate ([`may_stalemate`]).
//!
//! **What can go wrong.** The fifty-move rule and dead positions: where they are near, [`answer`] has none, and the
//! search is asked. Nor has it one for an evaluation in which more than the kings' tables changes with the phase.

use crate::leaves::one_ply_before::{finished, leaf};
use crate::ordering::{gain, is_ordinary};
use crate::question::{Answer, Counts, Iteration, Wanted};
use crate::{bounds::may_stalemate, leaves::checks::Checks};
use betacut_core::board::{Board, CLOCK_LIMIT, EMPTY, Move, PAWN};
use betacut_core::score::{Depth, Score};
use betacut_core::{move_order::chess_jl, position::Position};

/// The value and the best moves at depth 1; none if the end of the game is near, or if lines are wanted.
pub fn answer(position: &Position, wanted: Wanted) -> Option<Answer> {
    let board = Board::keyless(position);
    if board.clock + 1 >= CLOCK_LIMIT
        || board.men <= 4
        || !board.values.has_bounds
        || matches!(wanted, Wanted::Lines(_))
    {
        return None;
    }
    let mut best: Vec<Move> = Vec::with_capacity(8);
    let value = value(&board, |m, is_better| {
        if is_better {
            best.clear();
        }
        best.push(m);
    });
    if best.is_empty() {
        return None;
    }
    let counts = Counts { nodes: 1, frontier_nodes: 1, ..Counts::default() };
    Some(report(position, &board, wanted, (value, &best), 1, counts))
}

/// The value at depth 1, far from draws and with bounds; `best` is told of moves as good as before, and if better.
pub fn value(board: &Board, mut best: impl FnMut(Move, bool)) -> Score {
    let score = board.quick_score();
    let may_stalemate = may_stalemate(board);
    let may_start_endgame = board.we_wait_for_endgame();
    let checks = Checks::new(board);
    let checkers = board.checkers();
    let mut value = Score::MIN;
    board.any_legal_move(checkers, |m| {
        let (code, captured) = (board.code(m.from()), board.code(m.to()));
        let keeps_phase = !may_start_endgame || captured == EMPTY || captured == PAWN;
        let reached =
            if is_ordinary(board, code, m) && keeps_phase && !may_stalemate && !checks.may_check(code, m) {
                board.values.rounded(score + gain(board, code, m))
            } else {
                -leaf(&board.make_keyless(m))
            };
        if reached >= value {
            best(m, reached > value);
            value = reached;
        }
        false
    });
    if value == Score::MIN { finished(checkers != 0, 1) } else { value }
}

/// What was found by one of the short ways to an answer: the value for the side to move, and the moves that reach it.
pub fn report(
    position: &Position,
    board: &Board,
    wanted: Wanted,
    (value, best): (Score, &[Move]),
    depth: Depth,
    counts: Counts,
) -> Answer {
    let mut best_moves: Vec<_> = best.iter().map(|&m| board.to_shakmaty(m)).collect();
    chess_jl::sort(&mut best_moves, position.chess());
    if wanted == Wanted::Value {
        best_moves.truncate(1);
    }
    let score = if board.black { -value } else { value };
    Answer {
        score,
        lines: best_moves.iter().map(|&m| (m, score)).collect(),
        best_moves,
        depth,
        complete: true,
        counts,
        iterations: vec![Iteration { depth, score, nodes: counts.nodes, quiescence_nodes: 0 }],
    }
}
