//! The search of one node: principal variation search with a table, pruning and reductions.
//!
//! **Contract.** Scores are for the side to move, fail-soft: what is returned bounds the value from above if it is at
//! most alpha, from below if it is at least beta. Nothing is proved: the techniques of [`super::pruning`] leave out
//! what is unlikely to matter. A search that is stopped returns at once, with a score that means nothing;
//! [`Worker::is_stopped`] tells.
//!
//! Sources: T. A. Marsland and M. Campbell, "Parallel Search of Strongly Ordered Game Trees" (1982);
//! chessprogramming.org "Principal Variation Search", "Late Move Reductions", "Singular Extensions".

use super::picker::{Order, Picker, is_tactical};
use super::table::{Bound, Entry, NO_EVALUATION};
use super::threats::Threats;
use super::values::{DRAW, INFINITE, MATE, MATE_BOUND, MAX_PLY, WIN_BOUND, is_decided, mated_in};
use super::{evaluation::Board, node::Node, parameters::Parameters, pruning, worker::Worker};
use betacut_core::board::{CLOCK_LIMIT, Move};
use betacut_core::score::Score;

/// What the moves of a node came to.
pub struct Best {
    pub score: Score,
    /// The move that raised alpha last, or none.
    pub m: Move,
    /// The window's lower end after it.
    pub alpha: Score,
    pub count: usize,
    /// Quiet moves that were tried before the best one.
    pub quiets: Tried,
    /// Captures that were.
    pub captures: Tried,
}

/// The first 32 moves of a kind that were tried.
#[derive(Default)]
pub struct Tried {
    moves: [Move; 32],
    count: usize,
}

impl Tried {
    pub fn push(&mut self, m: Move) {
        if let Some(place) = self.moves.get_mut(self.count) {
            *place = m;
            self.count += 1;
        }
    }

    pub fn moves(&self) -> &[Move] {
        &self.moves[..self.count]
    }
}

impl Worker<'_> {
    /// Searches a position below the root. `cut`: whether it is expected to fail high.
    pub fn node(
        &mut self,
        board: &Board<'_>,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        // 1. The depth ends.
        if depth <= 0 {
            return self.quiescence(board, alpha, beta, ply);
        }
        let pv = beta - alpha > 1;
        self.enter(ply, pv);
        if self.is_stopped() {
            return DRAW;
        }
        let mut node = Node {
            board,
            ply,
            depth,
            alpha,
            beta,
            pv,
            cut,
            checkers: board.checkers(),
            entry: None,
            table_move: Move::NONE,
            static_value: NO_EVALUATION,
            evaluation: NO_EVALUATION,
            guess: NO_EVALUATION,
            improving: false,
            excluded: self.frames[ply].excluded,
        };
        // 2. Draws, and mates that come too late.
        if let Some(score) = self.early_end(&mut node) {
            return score;
        }
        // 3. The table.
        if node.excluded == Move::NONE {
            node.entry = self.shared.table.find(board.key, ply);
        }
        if let Some(entry) = node.entry {
            if !pv && self.answers(&node, &entry) {
                self.learn_from_table(&node, &entry);
                return entry.score;
            }
            if board.is_legal(entry.best, node.checkers) {
                node.table_move = entry.best;
            }
        }
        // 4. Tablebases.
        if let Some(score) = self.ask_tablebase(&node) {
            return score;
        }
        // 5. The static value.
        self.set_static_value(&mut node);
        if node.excluded == Move::NONE {
            self.learn_from_difference(board, node.static_value, ply);
        }
        self.frames[ply + 1].killers = [Move::NONE; 2];
        // 6. Nodes that need not be searched.
        if let Some(score) = self.prune_node(&mut node) {
            return score;
        }
        // 7. The moves.
        let best = self.search_moves(&node);
        if self.is_stopped() {
            return DRAW;
        }
        if best.count == 0 {
            return self.without_moves(&node);
        }
        self.remember(&node, &best);
        best.score
    }

    /// Step 2: a score, if the node is over; else the window may become narrower.
    fn early_end(&mut self, node: &mut Node) -> Option<Score> {
        let (parameters, board) = (self.shared.parameters, node.board);
        if parameters.repetition != 0 && self.path.is_repeated(board) {
            return Some(DRAW);
        }
        if board.clock >= CLOCK_LIMIT || board.is_dead() {
            // Mate comes before the fifty moves.
            let checkers = if board.has_legal_move(node.checkers) { 0 } else { node.checkers };
            return Some(self.finished(checkers, node.depth, node.ply));
        }
        if node.ply >= MAX_PLY {
            return Some(if node.checkers != 0 { DRAW } else { self.evaluate(board, node.ply) });
        }
        if parameters.upcoming_repetition != 0 && node.alpha < DRAW && self.path.can_repeat(board) {
            node.alpha = DRAW;
            if node.alpha >= node.beta {
                return Some(DRAW);
            }
        }
        if parameters.mate_distance != 0 {
            node.alpha = node.alpha.max(mated_in(node.ply));
            node.beta = node.beta.min(MATE - node.ply as Score - 1);
            if node.alpha >= node.beta {
                return Some(node.alpha);
            }
        }
        None
    }

    /// The value of a finished game: lost by mate, or drawn.
    pub fn finished(&self, checkers: u64, depth: i32, ply: usize) -> Score {
        if checkers != 0 {
            mated_in(ply)
        } else if self.shared.simplified {
            // As on the exact floor.
            -depth
        } else {
            DRAW
        }
    }

    /// No move was searched: the game is over, or the only move is the one left out.
    fn without_moves(&self, node: &Node<'_>) -> Score {
        if node.excluded == Move::NONE {
            self.finished(node.checkers, node.depth, node.ply)
        } else {
            node.alpha
        }
    }

    /// Whether an entry ends the node.
    fn answers(&self, node: &Node, entry: &Entry) -> bool {
        let is_deep_enough = if self.shared.parameters.deeper_entries != 0 {
            entry.depth >= node.depth
        } else {
            entry.depth == node.depth
        };
        // Near the fifty moves a score of another clock may be far off.
        is_deep_enough && entry.cuts(node.alpha, node.beta) && node.board.clock < 90
    }

    /// Step 5: the evaluation, what corrections and the table make of it, and whether it has risen.
    fn set_static_value(&mut self, node: &mut Node) {
        if node.checkers == 0 {
            node.evaluation = self.known_evaluation(node.board, node.entry.as_ref(), node.ply);
            node.static_value = self.corrected(node.board, node.evaluation, node.ply);
        }
        self.frames[node.ply].static_value = node.static_value;
        node.guess = better_guess(node.static_value, node.entry.as_ref());
        node.improving = self.is_improving(node);
    }

    fn is_improving(&self, node: &Node) -> bool {
        if node.checkers != 0 || self.shared.parameters.improving == 0 {
            return false;
        }
        let before = |plies: usize| {
            node.ply.checked_sub(plies).map_or(NO_EVALUATION, |at| self.frames[at].static_value)
        };
        match (before(2), before(4)) {
            (NO_EVALUATION, NO_EVALUATION) => true,
            (NO_EVALUATION, earlier) | (earlier, _) => node.static_value > earlier,
        }
    }

    /// Step 7: the moves in turn, until one reaches beta.
    fn search_moves(&mut self, node: &Node<'_>) -> Best {
        let (board, ply) = (node.board, node.ply);
        let order = Order {
            board,
            checkers: node.checkers,
            table_move: node.table_move,
            killers: if self.shared.parameters.killers != 0 {
                self.frames[ply].killers
            } else {
                [Move::NONE; 2]
            },
            threats: Threats::new(board),
            context: self.context(ply),
            quiets: true,
        };
        self.frames[ply].threats = order.threats.all;
        let mut picker = Picker::new(&self.list);
        let mut best = Best {
            score: -INFINITE,
            m: Move::NONE,
            alpha: node.alpha,
            count: 0,
            quiets: Tried::default(),
            captures: Tried::default(),
        };
        while let Some(m) = picker.next(&order, self.histories, self.shared.parameters, &mut self.list) {
            if m == node.excluded {
                continue;
            }
            self.shared.table.prefetch(board.likely_key(m));
            let tactical = is_tactical(board, m);
            let history = if tactical {
                self.histories.capture(board, m)
            } else {
                let parameters = self.shared.parameters;
                let quiets =
                    self.histories.quiets(board.black, order.threats.all, &order.context, parameters);
                quiets.of(board.code(m.from()), m)
            };
            // 1. Moves that need not be searched, once there is one that does not lose.
            if best.score > -WIN_BOUND && self.may_skip(node, &mut picker, m, tactical, history, best.count) {
                continue;
            }
            // 2. Extension.
            let extension = self.extension(node, m);
            if self.is_stopped() {
                break;
            }
            best.count += 1;
            // 3. The move.
            let score = self.search_move(node, m, extension, tactical, history, &best);
            if self.is_stopped() {
                break;
            }
            // 4. What it came to.
            if score > best.score {
                best.score = score;
                if score > best.alpha {
                    best.m = m;
                    best.alpha = score;
                    if node.pv {
                        self.note_line(ply, m, score >= node.beta);
                    }
                    if score >= node.beta {
                        break;
                    }
                }
            }
            if m != best.m {
                let tried = if tactical { &mut best.captures } else { &mut best.quiets };
                tried.push(m);
            }
        }
        picker.finish(&mut self.list);
        if best.score >= node.beta || best.m != Move::NONE && best.alpha > node.alpha {
            self.learn(node, &best, &order);
        }
        best
    }

    /// A move with the depth it deserves: late ones are searched less deep, and again if they surprise.
    fn search_move(
        &mut self,
        node: &Node<'_>,
        m: Move,
        extension: i32,
        tactical: bool,
        history: i32,
        best: &Best,
    ) -> Score {
        let (ply, alpha, beta) = (node.ply, best.alpha, node.beta);
        let mut depth = node.depth - 1 + extension;
        let child = self.make(node.board, m, ply);
        let mut score;
        if best.count == 1 {
            score = -self.node(&child, -beta, -alpha, depth, ply + 1, !node.pv && !node.cut);
        } else {
            // 1. Reduced, with a null window.
            let reduction = self.reduction(node, tactical, history, best.count, child.checkers() != 0);
            let reduced = (depth - reduction).max(1.min(depth));
            score = -self.node(&child, -alpha - 1, -alpha, reduced, ply + 1, true);
            // 2. It surprises: with the whole depth.
            if score > alpha && reduced < depth {
                depth += self.repeat_extension(depth, score, best.score);
                if reduced < depth {
                    score = -self.node(&child, -alpha - 1, -alpha, depth, ply + 1, !node.cut);
                }
                if !tactical {
                    self.learn_from_repeat(node, m, depth, score, alpha);
                }
            }
            // 3. It may be the best one: for its value.
            if node.pv && score > alpha && score < beta {
                score = -self.node(&child, -beta, -alpha, depth, ply + 1, false);
            }
        }
        self.unmake();
        score
    }

    /// A reduced move that has surprised is searched a ply deeper if it did so by much, and a ply less if by little.
    fn repeat_extension(&self, depth: i32, score: Score, best: Score) -> i32 {
        let parameters = self.shared.parameters;
        if parameters.repeat_extension == 0 {
            return 0;
        }
        let deeper = score > best + parameters.repeat_deeper + parameters.repeat_deeper_slope * depth;
        i32::from(deeper) - i32::from(score < best + parameters.repeat_shallower)
    }

    /// By how many plies a late move is searched less deep.
    pub fn reduction(
        &self,
        node: &Node,
        tactical: bool,
        history: i32,
        count: usize,
        gives_check: bool,
    ) -> i32 {
        let parameters = self.shared.parameters;
        if parameters.late_move_reductions == 0
            || node.depth < parameters.reduction_depth
            || (count as i32) < parameters.reduction_count + i32::from(node.pv)
        {
            return 0;
        }
        let mut reduction = pruning::table_of_reductions(parameters, node.depth, count);
        if tactical {
            reduction = reduction * parameters.reduction_capture / 1024;
        }
        if node.cut {
            reduction += parameters.reduction_cut;
            if node.table_move == Move::NONE {
                reduction += parameters.reduction_unknown;
            }
        }
        if node.table_move != Move::NONE && is_tactical(node.board, node.table_move) {
            reduction += parameters.reduction_table_capture;
        }
        if !node.improving {
            reduction += parameters.reduction_not_improving;
        }
        if node.pv || node.entry.is_some_and(|entry| entry.was_pv) {
            reduction -= parameters.reduction_pv;
        }
        if gives_check {
            reduction -= parameters.reduction_check;
        }
        reduction -= history * 1024 / parameters.reduction_history.max(1);
        reduction.max(0) / 1024
    }

    /// Keeps what was found, in the table and in the corrections.
    fn remember(&mut self, node: &Node<'_>, best: &Best) {
        if node.excluded != Move::NONE {
            return;
        }
        let bound = if best.score >= node.beta {
            Bound::Lower
        } else if best.alpha > node.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let quiet = best.m == Move::NONE || !is_tactical(node.board, best.m);
        let one_sided = match bound {
            Bound::Lower => best.score <= node.static_value,
            Bound::Upper => best.score >= node.static_value,
            _ => false,
        };
        if node.checkers == 0 && quiet && !one_sided && !is_decided(best.score) {
            let context = self.context(node.ply);
            let error = best.score - node.static_value;
            let parameters = self.shared.parameters;
            self.histories.learn_correction(node.board, &context, node.depth, error, parameters);
        }
        if bound == Bound::Upper {
            self.learn_from_failure(node);
        }
        let was_pv = node.pv || node.entry.is_some_and(|entry| entry.was_pv);
        let entry = Entry {
            best: best.m,
            score: best.score,
            evaluation: node.evaluation,
            depth: node.depth,
            bound,
            was_pv,
        };
        self.shared.table.store(node.board.key, node.ply, entry);
    }

    /// By how many plies a move is searched deeper.
    fn extension(&mut self, node: &Node<'_>, m: Move) -> i32 {
        let parameters = self.shared.parameters;
        if node.ply >= 2 * self.root_depth as usize {
            return 0;
        }
        if parameters.singular != 0
            && m == node.table_move
            && node.depth >= parameters.singular_depth
            && node.excluded == Move::NONE
            && let Some(entry) = node.entry
            && entry.depth >= node.depth - parameters.singular_entry
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && entry.score.abs() < WIN_BOUND
        {
            return self.singular_extension(node, &entry);
        }
        i32::from(parameters.check_extension != 0 && node.checkers != 0)
    }

    /// Searches the other moves to half the depth: if none comes near the table's score, its move is the only good one.
    fn singular_extension(&mut self, node: &Node<'_>, entry: &Entry) -> i32 {
        let parameters = self.shared.parameters;
        let Parameters { singular_margin: margin, singular_double: double, .. } = *parameters;
        let target = entry.score - node.depth * margin / 16;
        self.frames[node.ply].excluded = node.table_move;
        let score = self.node(node.board, target - 1, target, (node.depth - 1) / 2, node.ply, node.cut);
        self.frames[node.ply].excluded = Move::NONE;
        if score < target {
            1 + i32::from(!node.pv && score < target - double)
        } else if entry.score >= node.beta {
            -parameters.singular_less
        } else {
            -i32::from(node.cut)
        }
    }
}

/// The table's score says more than the static value if it bounds on the right side.
fn better_guess(static_value: Score, entry: Option<&Entry>) -> Score {
    match entry {
        Some(entry) if static_value != NO_EVALUATION && entry.score.abs() < MATE_BOUND => match entry.bound {
            Bound::Exact => entry.score,
            Bound::Lower => static_value.max(entry.score),
            Bound::Upper => static_value.min(entry.score),
            Bound::None => static_value,
        },
        _ => static_value,
    }
}
