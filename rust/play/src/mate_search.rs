//! Is there a mate in so many moves? What `go mate` asks.
//!
//! Every move of the side that mates is tried against every reply, first for a mate in one move, then in two, and so on: so
//! the shortest mate is found, and that there is none is a fact too. Moves that leave few replies come first, and replies
//! that refuted the move before. What is known of a position holds for fewer moves (no mate) or for more (a mate).
//!
//! The lead of a search ([`super::engine`]) divides its nodes between this and the search for a good move, which finds long
//! mates sooner. What is found is proved once more, as a strategy ([`super::mates`]), with the same care for draws by the
//! history of the game. Each move more takes some thirty times as long.
//!
//! Source: chessprogramming.org "Mate Search".

use super::{evaluation::Board, mate_memory::Entry, strategy::key_within, worker::Worker};
use betacut_core::board::{CLOCK_LIMIT, Move};

/// Nodes that a first look may take.
const FIRST_LOOK: u64 = 20_000;

/// It is not known yet.
pub struct OutOfNodes;

impl Worker<'_> {
    /// Whether the root is a mate in so many moves, if that is known in the end: with as many nodes as the search has taken,
    /// or `to_the_end` with all. A mate that is found is part of the strategy.
    pub fn look_for_mate(&mut self, board: &Board<'_>, moves: u32, to_the_end: bool) -> Option<bool> {
        self.mates.begin(&self.path.keys[..=self.path.root]);
        let before = self.nodes;
        let share = (before - self.mates.nodes).max(FIRST_LOOK).saturating_sub(self.mates.nodes);
        self.mates.until = if to_the_end { u64::MAX } else { before + share };
        let found = self.mate_of_root(moves);
        self.mates.nodes += self.nodes - before;
        let (m, plies) = match found {
            Ok(Some(found)) => found,
            Ok(None) => return Some(false),
            Err(OutOfNodes) => return None,
        };
        (self.mates.is_found, self.mates.until, self.strategy.until) = (true, u64::MAX, u64::MAX);
        self.strategy.failed.clear();
        let proved = self.prove_move(board, m, plies, 0);
        self.mates.is_found = false;
        proved.map(|plies| self.strategy.add(board, m, plies)).map(|_| true)
    }

    /// The move of the root that mates, and in how many plies.
    fn mate_of_root(&mut self, moves: u32) -> Result<Option<(Move, usize)>, OutOfNodes> {
        let most = (2usize.saturating_mul(moves as usize)).saturating_sub(1).min(CLOCK_LIMIT.into());
        for plies in (1..=most).step_by(2) {
            if plies <= self.mates.refuted {
                continue;
            }
            for index in 0..self.root_moves.len() {
                let root = &self.root_moves[index];
                let (m, after) = (root.m, root.board);
                if self.is_mated(&after, plies - 1, 1)? {
                    return Ok(Some((m, plies)));
                }
            }
            self.mates.refuted = plies;
        }
        Ok(None)
    }

    /// A move that mates in so many plies at most, an odd number, if there is one.
    pub fn mating_move(
        &mut self,
        board: &Board<'_>,
        plies: usize,
        ply: usize,
    ) -> Result<Option<Move>, OutOfNodes> {
        // 1. What is known.
        if board.clock >= CLOCK_LIMIT {
            return Ok(None);
        }
        let known = self.mates.known(key_within(board, plies));
        if known.mates != 0 && usize::from(known.mates) <= plies {
            return Ok(Some(known.m));
        }
        if usize::from(known.fails) >= plies {
            return Ok(None);
        }
        self.enter(ply, false);
        if self.is_stopped() || self.nodes >= self.mates.until {
            return Err(OutOfNodes);
        }
        // 2. Each move, those first that leave few replies. The last one has to give check.
        let mut tries: Vec<(usize, Move)> = Vec::new();
        let mut mating = None;
        board.any_legal_move(board.checkers(), |m| {
            let after = board.make(m);
            let checkers = after.checkers();
            if plies == 1 {
                if checkers != 0 && !after.has_legal_move(checkers) {
                    mating = Some(m);
                }
            } else {
                let mut replies = 0;
                after.any_legal_move(checkers, |_| {
                    replies += 1;
                    false
                });
                tries.push((replies, m));
            }
            mating.is_some()
        });
        tries.sort_by_key(|&(replies, _)| replies);
        for &(_, m) in &tries {
            if self.is_mated(&board.make(m), plies - 1, ply + 1)? {
                mating = Some(m);
                break;
            }
        }
        // 3. What came of it.
        self.mates.keep(match mating {
            Some(m) => Entry { m, mates: plies as u8, ..known },
            None => Entry { fails: plies as u8, ..known },
        });
        Ok(mating)
    }

    /// Whether the side to move is mated in so many plies at most, whatever it does. The number is even.
    fn is_mated(&mut self, board: &Board<'_>, plies: usize, ply: usize) -> Result<bool, OutOfNodes> {
        let checkers = board.checkers();
        let mut replies: Vec<Move> = Vec::new();
        board.any_legal_move(checkers, |m| {
            replies.push(m);
            plies == 0
        });
        if replies.is_empty() {
            return Ok(checkers != 0);
        }
        if plies == 0 || board.clock >= CLOCK_LIMIT || self.mates.spent.contains(&board.key) {
            return Ok(false);
        }
        let refutation = self.mates.refutations[ply];
        if let Some(index) = replies.iter().position(|&m| m == refutation) {
            replies.swap(0, index);
        }
        for m in replies {
            let next = board.make(m);
            if self.mates.spent.contains(&next.key) || self.mating_move(&next, plies - 1, ply + 1)?.is_none()
            {
                self.mates.refutations[ply] = m;
                return Ok(false);
            }
        }
        Ok(true)
    }
}
