//! How to mate: what a proof of [`super::mates`] leaves behind. A *strategy* has one move for each position where the side
//! that mates is to move, down to mate, whatever the other side replies. Each step leads to steps shorter than itself.
//!
//! Source: chessprogramming.org "Mate Search".

use std::collections::{HashMap, HashSet};

use super::evaluation::Board;
use betacut_core::board::{CLOCK_LIMIT, Move};

/// What to play at a position, and in how many plies at most it mates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub m: Move,
    /// Plies to the mate, at most.
    pub plies: usize,
    /// The keys of the positions before and after it.
    pub before: u64,
    pub after: u64,
}

/// Steps to mate by [`key_within`] their plies: a reply leads to a step at least two plies shorter, or there is none: mate.
#[derive(Clone, Debug, Default)]
pub struct Strategy {
    steps: HashMap<u64, Step>,
    /// Positions that could not be proved to mate in so many plies.
    pub failed: HashMap<u64, usize>,
    /// Nodes that proofs took in this search.
    pub spent: u64,
    /// The count of nodes at which the present proof has to end.
    pub until: u64,
}

impl Strategy {
    /// The strategy, if the game has come to it and no draw by the history of the game can spoil it; else nothing.
    #[must_use]
    pub fn at(self, board: &Board<'_>, game: &[u64]) -> Strategy {
        let here = board.key;
        let Some(Step { plies, .. }) = self.step(board) else { return Strategy::default() };
        let spent: Vec<u64> = game.iter().copied().filter(|&key| occurred_twice(game, key)).collect();
        let is_spoilt = !spent.is_empty()
            && self.steps.values().any(|step| {
                let is_nearer = step.plies < plies;
                is_nearer && spent.contains(&step.before)
                    || (is_nearer || step.before == here) && spent.contains(&step.after)
            });
        if is_spoilt {
            return Strategy::default();
        }
        Strategy { steps: self.steps, ..Strategy::default() }
    }

    /// What to play at a position, and in how many plies it mates, if that is known.
    pub fn step(&self, board: &Board<'_>) -> Option<Step> {
        let timely = self.steps.get(&board.key).filter(|step| is_in_time(board, step.plies));
        timely.or_else(|| self.steps.get(&late_key(board))).copied()
    }

    /// Keeps a step, unless one is known that mates as soon: steps only ever get shorter. In how many plies it mates.
    pub fn add(&mut self, board: &Board<'_>, m: Move, plies: usize) -> usize {
        let step = Step { m, plies, before: board.key, after: board.make(m).key };
        let known = self.steps.entry(key_within(board, plies)).or_insert(step);
        if step.plies < known.plies {
            *known = step;
        }
        known.plies
    }

    /// Finds in how many plies a move mates, and all steps that it leads to: they may do so sooner than was asked for.
    pub fn measure(&mut self, board: &Board<'_>, m: Move, measured: &mut HashSet<u64>) -> usize {
        let after = board.make(m);
        let mut longest = 0;
        for reply in after.legal_moves() {
            let next = after.make(reply);
            let Some(step) = self.step(&next) else { continue };
            let plies =
                if measured.insert(next.key) { self.measure(&next, step.m, measured) } else { step.plies };
            self.steps.insert(key_within(&next, plies), Step { plies, ..step });
            longest = longest.max(plies + 1);
        }
        longest + 1
    }

    /// The line that a move begins; the replies are those that hold out longest.
    pub fn line(&self, board: &Board<'_>, m: Move) -> Vec<Move> {
        let mut line = vec![m];
        let mut after = board.make(m);
        loop {
            let known = |reply| Some((reply, self.step(&after.make(reply))?));
            let replies = after.legal_moves().into_iter().filter_map(known);
            let longest = replies.reduce(|a, b| if b.1.plies > a.1.plies { b } else { a });
            let Some((reply, step)) = longest else { return line };
            line.extend([reply, step.m]);
            after = after.make(reply).make(step.m);
        }
    }
}

/// Whether the game has seen a position twice: once more, and it is drawn.
pub fn occurred_twice(game: &[u64], key: u64) -> bool {
    game.iter().filter(|&&other| other == key).count() >= 2
}

/// Whether a mate in so many plies comes before the fifty moves are over, whatever the moves.
fn is_in_time(board: &Board<'_>, plies: usize) -> bool {
    plies == 1 || board.clock as usize + plies <= CLOCK_LIMIT as usize
}

/// The key of a position with its clock.
fn late_key(board: &Board<'_>) -> u64 {
    board.key ^ (u64::from(board.clock) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The key of what is known for so many plies: it holds for other clocks too, unless the fifty moves may be over then.
pub fn key_within(board: &Board<'_>, plies: usize) -> u64 {
    if is_in_time(board, plies) { board.key } else { late_key(board) }
}
