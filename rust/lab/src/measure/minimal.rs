//! The left-first minimal graph: how few nodes a perfectly ordered alpha-beta would need. It is no lower bound, as
//! `docs/benchmarks.md` says.
//!
//! A position is solved by plain alpha-beta with a table; then only the *moves* of the table are kept, and the same question
//! ([`betacut_exact::search()`]'s, for the value and every best move) is asked again with the answer known, each node trying
//! its kept move first. The nodes of that search are counted; it is repeated with the moves it finds, as long as it shrinks.
//!
//! **Cost.** It visits every node of depth 1 and more, so about ten times what the search takes.
//!
//! Source: A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "Best-First Fixed-Depth Minimax Algorithms" (1996).

use std::collections::HashMap;

use betacut_core::board::{Board, CLOCK_LIMIT, Move};
use betacut_core::limits::{Limits, Stopped};
use betacut_core::position::Position;
use betacut_core::score::{Depth, Score};
use betacut_exact::bounds::{self, TableKey};
use betacut_exact::ordering::{History, Picker};
use betacut_exact::{leaves::one_ply_before, table::UNKNOWN};

/// What is known of a position at a depth.
#[derive(Clone, Copy)]
struct Known {
    lower: Score,
    upper: Score,
    best: Move,
}

struct Search<'a, 'b> {
    known: HashMap<(TableKey, Depth), Known>,
    history: History,
    scored: Vec<u64>,
    nodes: u64,
    limits: &'a mut Limits<'b>,
}

/// The number of nodes of depth 1 and more in the left-first minimal graph of the root's value and best moves.
pub fn left_first_minimal_graph(
    position: &Position,
    depth: Depth,
    limits: &mut Limits<'_>,
) -> Result<u64, Stopped> {
    let board = Board::new(position);
    let mut search =
        Search { known: HashMap::new(), history: History::default(), scored: Vec::new(), nodes: 0, limits };
    // 1. Solve, deepening for the sake of the moves.
    let mut value = 0;
    for depth in 1..=depth {
        value = search.node(&board, depth, -UNKNOWN, UNKNOWN)?;
    }
    // 2. Ask again with the answer known, until it shrinks no more.
    let mut least = u64::MAX;
    loop {
        for known in search.known.values_mut() {
            (known.lower, known.upper) = (-UNKNOWN, UNKNOWN);
        }
        search.nodes = 0;
        search.prove(&board, depth, value)?;
        if search.nodes >= least {
            return Ok(least);
        }
        least = search.nodes;
    }
}

impl Search<'_, '_> {
    /// Shows which moves of the root reach `value`, the root's, and that none exceeds it.
    fn prove(&mut self, board: &Board, depth: Depth, value: Score) -> Result<(), Stopped> {
        for m in board.legal_moves() {
            let child = board.make(m);
            if depth > 1 && -self.node(&child, depth - 1, -value, -value + 1)? >= value {
                self.node(&child, depth - 1, -value - 1, -value)?;
            }
        }
        Ok(())
    }

    fn node(&mut self, board: &Board, depth: Depth, mut alpha: Score, beta: Score) -> Result<Score, Stopped> {
        self.nodes += 1;
        if depth == 1 {
            return Ok(one_ply_before::value(board, beta).0);
        }
        self.limits.node()?;
        let checkers = board.checkers();
        if board.clock >= CLOCK_LIMIT || board.is_dead() {
            return Ok(one_ply_before::finished(checkers != 0 && !board.has_legal_move(checkers), depth));
        }
        let key = (bounds::table_key(board, depth, false), depth);
        let known = self.known.get(&key).copied();
        if let Some(Known { lower, upper, .. }) = known {
            if lower >= beta || lower == upper {
                return Ok(lower);
            }
            if upper <= alpha {
                return Ok(upper);
            }
        }
        let remembered = known.map_or_else(|| self.shallower(key), |known| known.best);
        let window_alpha = alpha;
        let (mut best, mut best_move) = (-UNKNOWN, remembered);
        let mut picker = Picker::new(depth, checkers, remembered, &self.history, &self.scored);
        while let Some(m) = picker.next(board, &self.history, &mut self.scored) {
            let child = board.make(m);
            // The first move's value, then whether another exceeds the best, and only then by how much.
            let mut value = alpha + 1;
            if best > -UNKNOWN {
                value = -self.node(&child, depth - 1, -alpha - 1, -alpha)?;
            }
            if best == -UNKNOWN || (value > alpha && value < beta) {
                value = -self.node(&child, depth - 1, -beta, -alpha)?;
            }
            best = best.max(value);
            if value > alpha {
                (alpha, best_move) = (value, m);
                if value >= beta {
                    self.history.learn(board, depth, m, picker.tried(&self.scored));
                    break;
                }
            }
        }
        picker.done(&mut self.scored);
        if best == -UNKNOWN {
            return Ok(one_ply_before::finished(checkers != 0, depth));
        }
        let entry =
            self.known.entry(key).or_insert(Known { lower: -UNKNOWN, upper: UNKNOWN, best: best_move });
        if best > window_alpha {
            entry.lower = entry.lower.max(best);
        }
        if best < beta {
            entry.upper = entry.upper.min(best);
        }
        entry.best = best_move;
        Ok(best)
    }

    /// The move kept for a smaller depth.
    fn shallower(&self, (key, depth): (TableKey, Depth)) -> Move {
        [2, 1, 3]
            .into_iter()
            .find_map(|less| self.known.get(&(key, depth - less)))
            .map_or(Move::NONE, |known| known.best)
    }
}
