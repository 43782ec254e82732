//! Where the depth ends: captures, until the position is quiet.
//!
//! **Contract.** As [`super::search`]: for the side to move, fail-soft. In check every move is tried; else captures and
//! promotions that do not lose in the exchange, or none: the side to move may leave it at the static value ("stand
//! pat").
//!
//! Source: chessprogramming.org "Quiescence Search".

use super::picker::{Order, Picker, is_capture, is_tactical};
use super::table::{Bound, Entry, NO_EVALUATION};
use super::threats::Threats;
use super::values::{DRAW, INFINITE, MAX_PLY, WIN_BOUND, mated_in};
use super::{evaluation::Board, worker::Worker};
use betacut_core::board::{CLOCK_LIMIT, EMPTY, EXCHANGE_VALUES, Move};
use betacut_core::score::Score;

impl Worker<'_> {
    /// The value of a position in which the depth has ended.
    pub fn quiescence(&mut self, board: &Board<'_>, mut alpha: Score, beta: Score, ply: usize) -> Score {
        let pv = beta - alpha > 1;
        self.enter(ply, pv);
        if self.is_stopped() {
            return DRAW;
        }
        let checkers = board.checkers();
        if self.shared.parameters.quiescence == 0 {
            return self.leaf(board, checkers, ply);
        }
        // 1. Draws.
        if self.path.is_repeated(board)
            || board.clock >= CLOCK_LIMIT && board.has_legal_move(checkers)
            || board.is_dead()
        {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return if checkers != 0 { DRAW } else { self.evaluate(board, ply) };
        }
        // 2. The table.
        let entry = self.shared.table.find(board.key, ply);
        if let Some(entry) = &entry
            && !pv
            && entry.cuts(alpha, beta)
        {
            return entry.score;
        }
        // 3. Stand pat.
        let mut best = -INFINITE;
        let mut evaluation = NO_EVALUATION;
        if checkers == 0 {
            evaluation = self.known_evaluation(board, entry.as_ref(), ply);
            best = self.corrected(board, evaluation, ply);
            if let Some(entry) = &entry
                && entry.score.abs() < WIN_BOUND
                && match entry.bound {
                    Bound::Exact => true,
                    Bound::Lower => entry.score > best,
                    Bound::Upper => entry.score < best,
                    Bound::None => false,
                }
            {
                best = entry.score;
            }
            if best >= beta {
                if entry.is_none() {
                    let (bound, was_pv) = (Bound::Lower, false);
                    let entry = Entry { best: Move::NONE, score: best, evaluation, depth: -1, bound, was_pv };
                    self.shared.table.store(board.key, ply, entry);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        // 4. Captures, or all that gets out of check.
        self.tactical_moves(board, Quiet { alpha, beta, ply, checkers, entry, evaluation, best })
    }

    fn tactical_moves(&mut self, board: &Board<'_>, node: Quiet) -> Score {
        let Quiet { mut alpha, beta, ply, checkers, entry, evaluation, mut best } = node;
        let (first, stand_pat) = (alpha, best);
        let table_move = entry.map_or(Move::NONE, |entry| entry.best);
        let usable =
            board.is_legal(table_move, checkers) && (checkers != 0 || is_tactical(board, table_move));
        let order = Order {
            board,
            checkers,
            table_move: if usable { table_move } else { Move::NONE },
            killers: [Move::NONE; 2],
            threats: Threats::default(),
            context: self.context(ply),
            quiets: checkers != 0,
        };
        let mut picker = Picker::new(&self.list);
        let mut best_move = Move::NONE;
        let mut count = 0;
        while let Some(m) = picker.next(&order, self.histories, self.shared.parameters, &mut self.list) {
            count += 1;
            self.shared.table.prefetch(board.likely_key(m));
            if best > -WIN_BOUND {
                if checkers == 0 {
                    let most = self.shared.parameters.quiescence_moves;
                    if most > 0 && count > most {
                        break;
                    }
                    if let Some(reached) = self.hopeless(board, m, &picker, stand_pat, alpha) {
                        best = best.max(reached);
                        continue;
                    }
                }
                // Out of check one quiet move that does not lose is enough.
                if checkers != 0
                    && !is_capture(board, m)
                    && count > self.shared.parameters.quiescence_evasions
                {
                    picker.skip_quiets();
                    continue;
                }
            }
            let child = self.make(board, m, ply);
            let score = -self.quiescence(&child, -beta, -alpha, ply + 1);
            self.unmake();
            if self.is_stopped() {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = m;
                    alpha = score;
                    if beta - first > 1 {
                        self.note_line(ply, m, false);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        picker.finish(&mut self.list);
        if self.is_stopped() {
            return DRAW;
        }
        if checkers != 0 && count == 0 {
            return mated_in(ply);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let was_pv = entry.is_some_and(|entry| entry.was_pv);
        let entry = Entry { best: best_move, score: best, evaluation, depth: 0, bound, was_pv };
        self.shared.table.store(board.key, ply, entry);
        best
    }

    /// What a capture reaches at most, not above alpha, if it loses in the exchange or wins too little.
    fn hopeless(
        &self,
        board: &Board,
        m: Move,
        picker: &Picker,
        stand_pat: Score,
        alpha: Score,
    ) -> Option<Score> {
        let parameters = self.shared.parameters;
        if picker.is_losing() && parameters.see_ordering != 0 {
            return Some(-INFINITE);
        }
        if parameters.delta_pruning == 0 || m.promotion() != EMPTY {
            return None;
        }
        let base = stand_pat + parameters.delta_margin;
        let most = base + EXCHANGE_VALUES[board.code(m.to())].max(100);
        let wins_nothing = || parameters.see_ordering == 0 || !board.wins_exchange(m, 1);
        if most <= alpha {
            return Some(most);
        }
        (base <= alpha && wins_nothing()).then_some(base)
    }

    /// The value of a position that is not searched any further, as on the exact floor.
    fn leaf(&mut self, board: &Board<'_>, checkers: u64, ply: usize) -> Score {
        if !board.has_legal_move(checkers) {
            self.finished(checkers, 0, ply)
        } else if board.clock >= CLOCK_LIMIT || board.is_dead() {
            DRAW
        } else {
            self.evaluate(board, ply)
        }
    }
}

/// What is known of a node of quiescence before its moves are tried.
#[derive(Clone, Copy)]
struct Quiet {
    alpha: Score,
    beta: Score,
    ply: usize,
    checkers: u64,
    entry: Option<Entry>,
    evaluation: Score,
    best: Score,
}
