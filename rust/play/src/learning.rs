//! What a search teaches the histories: by a cutoff, which says that a move was good and that those before it were not, and
//! by what else it comes across (the switches named learning in `docs/playing.md`).
//!
//! Sources: chessprogramming.org "History Heuristic", "Relative History Heuristic"; the uses beside cutoffs are common to
//! today's engines.

use super::picker::{Order, is_tactical};
use super::search::Best;
use super::table::{Entry, NO_EVALUATION};
use super::{evaluation::Board, history, node::Node, threats::Threats, worker::Worker};
use betacut_core::{board::Move, score::Score};

impl Worker<'_> {
    /// Learns from the move that was best, and from those tried in vain.
    pub fn learn(&mut self, node: &Node<'_>, best: &Best, order: &Order<'_>) {
        let (board, depth) = (node.board, node.depth);
        let parameters = self.shared.parameters;
        let bonus = history::bonus(parameters, depth);
        let malus = -history::malus(parameters, depth);
        if is_tactical(board, best.m) {
            self.histories.learn_capture(board, best.m, bonus);
        } else {
            self.histories.learn_quiet(board, best.m, order.threats.all, &order.context, bonus, parameters);
            for &m in best.quiets.moves() {
                self.histories.learn_quiet(board, m, order.threats.all, &order.context, malus, parameters);
            }
            let killers = &mut self.frames[node.ply].killers;
            if best.score >= node.beta && killers[0] != best.m {
                *killers = [best.m, killers[0]];
            }
        }
        for &m in best.captures.moves() {
            self.histories.learn_capture(board, m, malus);
        }
    }

    /// The table's move cuts without a search: it is good once more.
    pub fn learn_from_table(&mut self, node: &Node<'_>, entry: &Entry) {
        let (parameters, board) = (self.shared.parameters, node.board);
        let m = entry.best;
        if parameters.table_learning == 0
            || entry.score < node.beta
            || !board.is_legal(m, node.checkers)
            || is_tactical(board, m)
        {
            return;
        }
        let threats = Threats::new(board).all;
        let context = self.context(node.ply);
        let bonus = history::bonus(parameters, node.depth) * parameters.table_learning_part / 100;
        self.histories.learn_quiet(board, m, threats, &context, bonus, parameters);
    }

    /// The other side's move was as good as the static value has fallen for the side to move now.
    pub fn learn_from_difference(&mut self, board: &Board<'_>, static_value: Score, ply: usize) {
        if self.shared.parameters.difference_learning == 0 || ply == 0 || static_value == NO_EVALUATION {
            return;
        }
        let before = self.frames[ply - 1];
        if before.quiet == Move::NONE || before.static_value == NO_EVALUATION {
            return;
        }
        let parameters = self.shared.parameters;
        let gain = -(before.static_value + static_value) * parameters.difference_learning_part / 100;
        let bonus = gain.min(parameters.difference_limit).max(-parameters.difference_limit);
        self.histories.learn_squares(!board.black, before.quiet, before.threats, bonus, parameters);
    }

    /// A reduced move was searched again to its whole depth.
    pub fn learn_from_repeat(&mut self, node: &Node<'_>, m: Move, depth: i32, score: Score, alpha: Score) {
        if self.shared.parameters.repeat_learning == 0 || (score > alpha && score < node.beta) {
            return;
        }
        let parameters = self.shared.parameters;
        let bonus = if score <= alpha {
            -history::malus(parameters, depth)
        } else {
            history::bonus(parameters, depth)
        };
        let context = self.context(node.ply);
        self.histories.learn_continuation(node.board, m, &context, bonus);
    }

    /// Nothing helped against the move that led here.
    pub fn learn_from_failure(&mut self, node: &Node<'_>) {
        if self.shared.parameters.failure_learning == 0 || node.ply == 0 {
            return;
        }
        let before = self.frames[node.ply - 1];
        if before.quiet == Move::NONE {
            return;
        }
        let parameters = self.shared.parameters;
        let bonus = history::bonus(parameters, node.depth);
        self.histories.learn_squares(!node.board.black, before.quiet, before.threats, bonus, parameters);
        let earlier = node.ply.checked_sub(2).and_then(|at| self.frames[at].kind);
        if let (Some(kind), Some(earlier)) = (before.kind, earlier) {
            self.histories.learn_reply(earlier, kind, bonus);
        }
    }
}
