//! What need not be searched: nodes that are decided by how far ahead a side is, and moves that are unlikely to matter.
//!
//! Each technique is a function with its reason and its source; [`super::parameters`] has their numbers.

use std::sync::LazyLock;

use super::picker::{Order, Picker, is_capture};
use super::table::{Bound, Entry};
use super::threats::Threats;
use super::values::{MATE_BOUND, WIN_BOUND, is_decided};
use super::{evaluation::Board, node::Node, parameters::Parameters, worker::Worker};
use betacut_core::board::{KING, Move, PAWN};
use betacut_core::score::Score;

/// Logarithms of depths and of numbers of moves, in 1024ths.
pub static LOGARITHMS: LazyLock<[i32; 256]> =
    LazyLock::new(|| std::array::from_fn(|n| ((n.max(1) as f64).ln() * 1024.0) as i32));

/// By how much a late move is reduced if nothing else is known; 1024ths of a ply.
///
/// The later a move and the deeper the search, the less likely it is the best; both count by their logarithms.
/// Source: chessprogramming.org "Late Move Reductions".
pub fn table_of_reductions(parameters: &Parameters, depth: i32, count: usize) -> i32 {
    let (depth, count) = (LOGARITHMS[depth.clamp(0, 255) as usize], LOGARITHMS[count.min(255)]);
    parameters.reduction_base + (depth * count / 1024) * parameters.reduction_factor / 1024
}

/// Whether the side to move has a piece beside king and pawns: without one it may be in zugzwang.
fn has_pieces(board: &Board) -> bool {
    board.ours & !board.pieces(PAWN) & !board.pieces(KING) != 0
}

impl Worker<'_> {
    /// A score, if the node need not be searched. Changes the depth of nodes about which too little is known.
    pub fn prune_node(&mut self, node: &mut Node<'_>) -> Option<Score> {
        if node.checkers == 0 && !node.pv && node.excluded == Move::NONE {
            let score = self.reverse_futility(node).or_else(|| self.razoring(node));
            let score = score.or_else(|| self.null_move(node)).or_else(|| self.probcut(node));
            if score.is_some() {
                return score;
            }
        }
        // Internal iterative reduction: without a move to begin with the search is dear; the next time there will be one.
        // Source: E. Schröder, "Internal Iterative Reductions" (talkchess, 2020).
        let parameters = self.shared.parameters;
        if parameters.internal_reduction != 0
            && node.depth >= parameters.internal_reduction_depth
            && node.table_move == Move::NONE
            && node.excluded == Move::NONE
            && (node.pv || node.cut)
        {
            node.depth -= 1;
        }
        None
    }

    /// Reverse futility: so far ahead that the depth left will not cost it.
    /// Source: chessprogramming.org "Reverse Futility Pruning".
    fn reverse_futility(&self, node: &Node<'_>) -> Option<Score> {
        let parameters = self.shared.parameters;
        let less = i32::from(node.improving) * parameters.reverse_futility_improving;
        let margin = parameters.reverse_futility_margin * (100 * node.depth - less) / 100
            + parameters.reverse_futility_base;
        (parameters.reverse_futility != 0
            && node.depth <= parameters.reverse_futility_depth
            && node.guess - margin >= node.beta
            && !is_decided(node.beta)
            && !is_decided(node.guess))
        .then(|| node.beta + (node.guess - node.beta) / parameters.reverse_futility_part.max(1))
    }

    /// Razoring: so far behind that only captures can help.
    /// Source: chessprogramming.org "Razoring".
    fn razoring(&mut self, node: &Node<'_>) -> Option<Score> {
        let parameters = self.shared.parameters;
        if parameters.razoring == 0
            || node.depth > parameters.razoring_depth
            || node.static_value + parameters.razoring_margin * node.depth > node.alpha
            || is_decided(node.alpha)
        {
            return None;
        }
        let score = self.quiescence(node.board, node.alpha, node.alpha + 1, node.ply);
        (score <= node.alpha && !self.is_stopped()).then_some(score)
    }

    /// Null move: a side that stays ahead after passing is ahead, but for zugzwang.
    /// Source: C. Donninger, "Null Move and Deep Search" (1993).
    fn null_move(&mut self, node: &Node<'_>) -> Option<Score> {
        let parameters = self.shared.parameters;
        if parameters.null_move == 0
            || node.depth < parameters.null_move_depth
            || node.guess < node.beta
            || node.static_value
                < node.beta - parameters.null_move_slope * node.depth + parameters.null_move_margin
            || is_decided(node.beta)
            || !has_pieces(node.board)
            || self.frames[node.ply].after_pass
            || node.ply < self.no_pass_before
        {
            return None;
        }
        let lead = ((node.guess - node.beta) / parameters.null_move_lead.max(1))
            .min(parameters.null_move_lead_limit);
        let reduction =
            parameters.null_move_reduction + node.depth / parameters.null_move_divisor.max(1) + lead;
        let depth = node.depth - reduction;
        let (child, first) = self.pass(node.board, node.ply);
        let score = -self.node(&child, -node.beta, -node.beta + 1, depth, node.ply + 1, !node.cut);
        self.path.unpass(first);
        if score < node.beta || self.is_stopped() {
            return None;
        }
        // A mate found by passing is none.
        let score = if is_decided(score) { node.beta } else { score };
        if node.depth < parameters.null_move_check || self.no_pass_before > 0 {
            return Some(score);
        }
        // At great depth the answer is checked without passing.
        self.no_pass_before = node.ply + 3 * depth.max(0) as usize / 4;
        let check = self.node(node.board, node.beta - 1, node.beta, depth, node.ply, false);
        self.no_pass_before = 0;
        (check >= node.beta && !self.is_stopped()).then_some(score)
    }

    /// Probcut: a capture that reaches much more than beta at small depth will reach beta.
    /// Source: M. Buro, "`ProbCut`: An Effective Selective Extension of the Alpha-Beta Algorithm" (1995).
    fn probcut(&mut self, node: &Node<'_>) -> Option<Score> {
        let parameters = self.shared.parameters;
        let target = node.beta + parameters.probcut_margin;
        if parameters.probcut == 0
            || node.depth < parameters.probcut_depth
            || node.beta.abs() >= WIN_BOUND
            || node.entry.is_some_and(|entry| {
                entry.depth > node.depth - parameters.probcut_reduction && entry.score < target
            })
        {
            return None;
        }
        let order = Order {
            board: node.board,
            checkers: 0,
            table_move: if is_capture(node.board, node.table_move) { node.table_move } else { Move::NONE },
            killers: [Move::NONE; 2],
            threats: Threats::default(),
            context: self.context(node.ply),
            quiets: false,
        };
        let mut picker = Picker::new(&self.list);
        let mut found = None;
        while let Some(m) = picker.next(&order, self.histories, parameters, &mut self.list) {
            if picker.is_losing() {
                break;
            }
            if !node.board.wins_exchange(m, target - node.static_value) {
                continue;
            }
            let child = self.make(node.board, m, node.ply);
            let mut score = -self.quiescence(&child, -target, -target + 1, node.ply + 1);
            if score >= target {
                let depth = node.depth - parameters.probcut_reduction;
                score = -self.node(&child, -target, -target + 1, depth, node.ply + 1, !node.cut);
            }
            self.unmake();
            if self.is_stopped() {
                break;
            }
            if score >= target && score < MATE_BOUND {
                let entry = Entry {
                    best: m,
                    score,
                    evaluation: node.evaluation,
                    depth: node.depth - parameters.probcut_reduction + 1,
                    bound: Bound::Lower,
                    was_pv: false,
                };
                self.shared.table.store(node.board.key, node.ply, entry);
                found = Some(score - parameters.probcut_margin);
                break;
            }
        }
        picker.finish(&mut self.list);
        found
    }

    /// Whether a move may be left out.
    pub fn may_skip(
        &self,
        node: &Node<'_>,
        picker: &mut Picker,
        m: Move,
        tactical: bool,
        history: i32,
        count: usize,
    ) -> bool {
        if !has_pieces(node.board) {
            return false;
        }
        let parameters = self.shared.parameters;
        // The depth that is left after the reduction, for the techniques that go by it.
        let left = if tactical {
            node.depth
        } else {
            (node.depth - self.reduction(node, false, history, count + 1, false)).max(1)
        };
        if !tactical && node.checkers == 0 {
            if is_late(parameters, node, count) || is_futile(parameters, node, left, history) {
                picker.skip_quiets();
                return !gives_check(node.board, m);
            }
            // History pruning: moves that have failed again and again.
            // Source: chessprogramming.org "History Leaf Pruning".
            let depth = node.depth;
            if parameters.history_pruning != 0
                && depth <= parameters.history_pruning_depth
                && history < -parameters.history_pruning_margin * depth
            {
                return true;
            }
        }
        // Exchanges that lose too much.
        // Source: chessprogramming.org "Static Exchange Evaluation", "Pruning".
        let depth = left;
        if parameters.see_pruning == 0 || depth > parameters.see_pruning_depth || count == 0 {
            return false;
        }
        let threshold = if tactical {
            -parameters.see_pruning_capture * depth
        } else {
            -parameters.see_pruning_quiet * depth * depth
        };
        !node.board.wins_exchange(m, threshold)
    }
}

fn gives_check(board: &Board<'_>, m: Move) -> bool {
    board.make_keyless(m).checkers() != 0
}

/// Late-move pruning: beyond a number of moves a quiet one is hardly ever the best.
/// Source: chessprogramming.org "Futility Pruning", "Move Count Based Pruning".
fn is_late(parameters: &Parameters, node: &Node<'_>, count: usize) -> bool {
    let depth = node.depth;
    let part = if node.improving { 100 } else { parameters.late_move_pruning_worse };
    let limit = (100 * parameters.late_move_pruning_base
        + parameters.late_move_pruning_square * depth * depth)
        * part
        / 10_000;
    parameters.late_move_pruning != 0 && depth <= parameters.late_move_pruning_depth && count as i32 >= limit
}

/// Futility: a quiet move cannot make good what is lacking.
/// Source: E. Heinz, "Extended Futility Pruning" (1998).
fn is_futile(parameters: &Parameters, node: &Node<'_>, depth: i32, history: i32) -> bool {
    parameters.futility != 0
        && depth <= parameters.futility_depth
        && node.static_value
            + parameters.futility_base
            + parameters.futility_margin * depth
            + history * parameters.futility_history / 16_384
            <= node.alpha
        && !is_decided(node.alpha)
}
