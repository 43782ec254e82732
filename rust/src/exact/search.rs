//! The recursion.
use std::time::Instant;

use super::board::*;
use super::frontier;
use super::two_plies;
use super::table::{Entry, Table, UNKNOWN};
use crate::limits::Stopped;
use crate::score::{Depth, MATE, MAX_DEPTH, Score};

#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub nodes: u64,
    pub by_depth: [u64; 16],
    pub cutoffs: u64,
    pub first_move_cutoffs: u64,
    pub two_bulk: u64,
    pub two_tried: u64,
    pub two_cut: u64,
    pub two_killer: u64,
    pub two_killer_cut: u64,
}

pub struct Searcher<'a> {
    pub table: Option<&'a Table>,
    moves: Vec<u64>,
    killers: Vec<[Move; 2]>,
    history: Box<[[[u32; 64]; 8]; 2]>,
    pub counts: Counts,
    pub poll: &'a mut dyn FnMut() -> bool,
    countdown: u32,
    node_limit: u64,
    deadline: Option<Instant>,
    limit_reached: bool,
}

impl<'a> Searcher<'a> {
    pub fn new(table: Option<&'a Table>, poll: &'a mut dyn FnMut() -> bool) -> Searcher<'a> {
        Searcher {
            table,
            moves: Vec::with_capacity(1024),
            killers: vec![[Move::NONE; 2]; MAX_DEPTH as usize + 2],
            history: Box::new([[[0; 64]; 8]; 2]),
            counts: Counts::default(),
            poll,
            countdown: 256,
            node_limit: u64::MAX,
            deadline: None,
            limit_reached: false,
        }
    }

    pub fn limit_nodes(&mut self, nodes: u64) {
        self.node_limit = nodes;
    }

    pub fn limit_time(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    pub fn limit_reached(&self) -> bool {
        self.limit_reached
    }

    #[inline]
    fn enter(&mut self, depth: Depth) -> Result<(), Stopped> {
        self.counts.nodes += 1;
        self.counts.by_depth[depth as usize & 15] += 1;
        self.countdown -= 1;
        if self.countdown == 0 || self.counts.nodes >= self.node_limit { self.ask() } else { Ok(()) }
    }

    #[cold]
    fn ask(&mut self) -> Result<(), Stopped> {
        self.countdown = 256;
        self.limit_reached = self.counts.nodes >= self.node_limit
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if self.limit_reached || (self.poll)() { Err(Stopped::Interrupted) } else { Ok(()) }
    }

    pub fn node(&mut self, board: &Board, depth: Depth, mut alpha: Score, beta: Score) -> Result<Score, Stopped> {
        if depth == 1 {
            self.counts.nodes += 1;
            self.counts.by_depth[1] += 1;
            if beta - alpha == 1 {
                return Ok(if frontier::reaches(board, beta, board.checkers()) { beta } else { alpha });
            }
            return Ok(frontier::value(board, beta).0);
        }
        self.enter(depth)?;
        // 1. Finished games.
        let checkers = board.checkers();
        if board.clock >= CLOCK_LIMIT || board.is_dead() {
            let mated = checkers != 0 && !board.has_legal_move(checkers);
            return Ok(frontier::finished(mated, depth));
        }
        // 2. No mate is quicker than the next move.
        if alpha >= MATE + depth - 1 {
            return Ok(alpha);
        }
        if depth == 2 && beta - alpha == 1 && checkers == 0 {
            if let Some(reached) = self.two_plies(board, beta) {
                return Ok(if reached { beta } else { alpha });
            }
        }
        // 3. Table.
        let key = if board.clock as i32 + depth >= 100 {
            board.key ^ (board.clock as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        } else {
            board.key
        };
        let table = self.table.filter(|_| depth >= 2);
        let mut table_move = Move::NONE;
        if let Some(table) = table {
            let found = table.find(key, depth);
            if found.lower >= beta {
                return Ok(found.lower);
            }
            if found.upper <= alpha {
                return Ok(found.upper);
            }
            if found.lower == found.upper {
                return Ok(found.lower);
            }
            table_move = found.best;
        }
        // 4. Moves.
        let first = self.moves.len();
        self.list(board, depth, checkers, table_move);
        if self.moves.len() == first {
            return Ok(frontier::finished(checkers != 0, depth));
        }
        // 5. Search.
        let original_alpha = alpha;
        let mut best = -UNKNOWN;
        let mut best_move = Move::NONE;
        let mut index = first;
        while index < self.moves.len() {
            if index == first {
                self.pick(index);
            } else if index == first + 1 {
                self.moves[index..].sort_unstable_by(|a, b| b.cmp(a));
            }
            let m = Move(self.moves[index] as u16);
            let child = board.make(m);
            let value = if index == first {
                -self.node(&child, depth - 1, -beta, -alpha)?
            } else {
                let mut value = -self.node(&child, depth - 1, -alpha - 1, -alpha)?;
                if value > alpha && value < beta {
                    value = -self.node(&child, depth - 1, -beta, -alpha)?;
                }
                value
            };
            if value > best {
                best = value;
                if value > alpha {
                    best_move = m;
                    alpha = value;
                    if value >= beta {
                        self.counts.cutoffs += 1;
                        self.counts.first_move_cutoffs += u64::from(index == first);
                        self.reward(board, m, depth, first, index);
                        break;
                    }
                }
            }
            index += 1;
        }
        self.moves.truncate(first);
        // 6. Store.
        if let Some(table) = table {
            table.store(
                key,
                Entry {
                    lower: if best > original_alpha { best } else { -UNKNOWN },
                    upper: if best < beta { best } else { UNKNOWN },
                    depth,
                    best: best_move,
                },
            );
        }
        Ok(best)
    }

    /// Whether the value at depth 2 is at least `t`.
    fn two_plies(&mut self, board: &Board, t: Score) -> Option<bool> {
        self.counts.two_bulk += 1;
        let killers = self.killers[board.black as usize];
        for m in killers {
            if board.is_plain_legal(m) {
                self.counts.two_killer += 1;
                if self.stands(board, m, t) {
                    self.counts.two_killer_cut += 1;
                    return Some(true);
                }
            }
        }
        let first = self.moves.len();
        if !two_plies::open_moves(board, t, &mut self.moves) {
            return None;
        }
        let mut reached = false;
        for index in first..self.moves.len() {
            let m = self.pick(index);
            if killers.contains(&m) { continue; }
            self.counts.two_tried += 1;
            if self.stands(board, m, t) {
                reached = true;
                self.counts.two_cut += 1;
                let killers = &mut self.killers[board.black as usize];
                killers[1] = killers[0];
                killers[0] = m;
                break;
            }
        }
        self.moves.truncate(first);
        Some(reached)
    }

    #[inline]
    fn stands(&mut self, board: &Board, m: Move, t: Score) -> bool {
        self.counts.nodes += 1;
        self.counts.by_depth[1] += 1;
        let child = board.make_keyless(m);
        !frontier::reaches(&child, 1 - t, child.checkers())
    }

    fn list(&mut self, board: &Board, depth: Depth, checkers: u64, table_move: Move) {
        let killers = self.killers[depth as usize];
        let history = &self.history[board.black as usize];
        let moves = &mut self.moves;
        board.any_legal_move(checkers, |m| {
            let code = board.code(m.from());
            let captured = board.code(m.to());
            let score = if m == table_move {
                u32::MAX
            } else if captured != EMPTY || m.promotion() != EMPTY {
                let gain = value(captured, turned(m.to())) * 16 - value(code, m.from()) + 16 * value(m.promotion(), m.to());
                (1 << 29) + gain.max(0) as u32
            } else if m == killers[0] {
                (1 << 28) + 1
            } else if m == killers[1] {
                1 << 28
            } else {
                let gain = if code == KING {
                    king_value(board.endgame, m.to()) - king_value(board.endgame, m.from())
                } else {
                    value(code, m.to()) - value(code, m.from())
                };
                history[code][m.to() as usize] + (gain + 200) as u32
            };
            moves.push(u64::from(score) << 16 | u64::from(m.0));
            false
        });
    }

    #[inline]
    fn pick(&mut self, index: usize) -> Move {
        let rest = &mut self.moves[index..];
        let mut best = 0;
        for other in 1..rest.len() {
            if rest[other] >> 16 > rest[best] >> 16 {
                best = other;
            }
        }
        rest.swap(0, best);
        Move(rest[0] as u16)
    }

    fn reward(&mut self, board: &Board, m: Move, depth: Depth, first: usize, index: usize) {
        if board.code(m.to()) != EMPTY || m.promotion() != EMPTY {
            return;
        }
        let killers = &mut self.killers[depth as usize];
        if killers[0] != m {
            killers[1] = killers[0];
            killers[0] = m;
        }
        let history = &mut self.history[board.black as usize];
        let entry = &mut history[board.code(m.from())][m.to() as usize];
        *entry = (*entry + (depth * depth) as u32).min(1 << 27);
        for &other in &self.moves[first..index] {
            let other = Move(other as u16);
            if board.code(other.to()) == EMPTY {
                let entry = &mut history[board.code(other.from())][other.to() as usize];
                *entry -= *entry / 16;
            }
        }
    }
}
