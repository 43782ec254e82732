//! The root: depth after depth, each with a window around the score of the one before, for as many lines as are wanted.
//! Moves that a tablebase ranks below others come after them, whatever their scores.
//!
//! Sources: chessprogramming.org "Iterative Deepening", "Aspiration Windows".

use std::ops::Range;

use super::values::{DRAW, INFINITE, is_decided};
use super::{evaluation::Board, node::RootMove, pruning, threats::Threats, worker::Worker};
use betacut_core::{board::Move, score::Score};

impl Worker<'_> {
    /// Searches one depth: the best `lines` moves come first then, with scores and lines. False if it was stopped.
    pub fn search_depth(&mut self, board: &Board<'_>, depth: i32, lines: usize) -> bool {
        self.root_depth = depth;
        for root in &mut self.root_moves {
            root.previous = root.score;
        }
        for first in 0..lines {
            self.selective_depth = 0;
            let RootMove { previous: guess, rank, .. } = self.root_moves[first];
            let end = self.root_moves.partition_point(|root| root.rank >= rank);
            if !self.around(board, guess, depth, first..end) {
                return false;
            }
        }
        // A later line may have come to more than an earlier one.
        RootMove::sort(&mut self.root_moves[..lines]);
        self.has_depth = true;
        true
    }

    /// One line, with a window around a guess that opens on the side where it fails.
    fn around(&mut self, board: &Board<'_>, guess: Score, depth: i32, moves: Range<usize>) -> bool {
        let parameters = self.shared.parameters;
        let mut width =
            parameters.aspiration_width + guess.abs().min(3_000) * parameters.aspiration_score / 1024;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if parameters.aspiration != 0 && depth >= parameters.aspiration_depth && !is_decided(guess) {
            (alpha, beta) = ((guess - width).max(-INFINITE), (guess + width).min(INFINITE));
        }
        let mut reduced = depth;
        loop {
            let score = self.search_root(board, alpha, beta, reduced.max(1), moves.clone());
            // What was found before a stop still counts: the moves are sorted by it.
            RootMove::sort(&mut self.root_moves[moves.clone()]);
            if self.is_stopped() {
                return false;
            }
            width += width * parameters.aspiration_growth / 100;
            if score <= alpha && alpha > -INFINITE {
                beta = i32::midpoint(alpha, beta);
                alpha = if is_decided(score) { -INFINITE } else { (score - width).max(-INFINITE) };
                reduced = depth;
            } else if score >= beta && beta < INFINITE {
                beta = if is_decided(score) { INFINITE } else { (score + width).min(INFINITE) };
                reduced = (reduced - 1).max(depth - parameters.aspiration_reduction);
            } else {
                return true;
            }
        }
    }

    /// Some of the moves, within a window.
    fn search_root(
        &mut self,
        board: &Board<'_>,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        moves: Range<usize>,
    ) -> Score {
        self.enter(0, true);
        self.frames[0].threats = Threats::new(board).all;
        self.frames[1].killers = [Move::NONE; 2];
        let checkers = board.checkers();
        if checkers == 0 {
            let evaluation = self.evaluate(board, 0);
            self.frames[0].static_value = self.corrected(board, evaluation, 0);
        }
        let mut best = -INFINITE;
        for root in &mut self.root_moves[moves.clone()] {
            root.score = -INFINITE;
        }
        for (index, count) in moves.zip(1..) {
            let before = self.nodes;
            let m = self.root_moves[index].m;
            let child = self.make(board, m, 0);
            let score = self.search_root_move(&child, alpha, beta, depth - 1, count, checkers != 0);
            self.unmake();
            let searched = self.nodes - before;
            self.root_moves[index].nodes += searched;
            if self.is_stopped() {
                return DRAW;
            }
            if count == 1 || score > alpha {
                self.note_line(0, m, score >= beta);
                let root = &mut self.root_moves[index];
                root.score = score;
                root.selective_depth = self.selective_depth;
                root.line.clear();
                root.line.extend_from_slice(&self.lines[0]);
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                if score >= beta {
                    break;
                }
            }
        }
        best
    }

    /// One move: as [`super::search`] does it.
    fn search_root_move(
        &mut self,
        child: &Board<'_>,
        alpha: Score,
        beta: Score,
        depth: i32,
        count: usize,
        in_check: bool,
    ) -> Score {
        if count == 1 {
            return -self.node(child, -beta, -alpha, depth, 1, false);
        }
        let parameters = self.shared.parameters;
        let mut reduction = 0;
        if parameters.late_move_reductions != 0
            && depth >= 2
            && count as i32 > parameters.reduction_root
            && !in_check
        {
            let late = pruning::table_of_reductions(parameters, depth + 1, count) - parameters.reduction_pv;
            reduction = late.max(0) / 1024;
        }
        let reduced = (depth - reduction).max(1.min(depth));
        let mut score = -self.node(child, -alpha - 1, -alpha, reduced, 1, true);
        if score > alpha && reduced < depth {
            score = -self.node(child, -alpha - 1, -alpha, depth, 1, true);
        }
        if score > alpha && beta - alpha > 1 {
            score = -self.node(child, -beta, -alpha, depth, 1, false);
        }
        score
    }
}
