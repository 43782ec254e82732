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
    /// The key of the position after it.
    pub after: u64,
}

/// Steps to mate by keys of positions: a reply leads to a step at least two plies shorter, or there is none: mate.
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
        let Some(&Step { plies, .. }) = self.steps.get(&here) else { return Strategy::default() };
        let spent: Vec<u64> = game.iter().copied().filter(|&key| occurred_twice(game, key)).collect();
        let is_spoilt = !spent.is_empty()
            && self.steps.iter().any(|(&key, step)| {
                let is_nearer = step.plies < plies;
                is_nearer && spent.contains(&key) || (is_nearer || key == here) && spent.contains(&step.after)
            });
        if is_spoilt || !is_in_time(board, plies) {
            return Strategy::default();
        }
        Strategy { steps: self.steps, ..Strategy::default() }
    }

    /// What to play at a position, and in how many plies it mates, if that is known.
    pub fn step(&self, board: &Board<'_>) -> Option<Step> {
        self.steps.get(&board.key).copied()
    }

    /// Keeps a step, unless one is known that mates as soon: steps only ever get shorter. In how many plies it mates.
    pub fn add(&mut self, board: &Board<'_>, m: Move, plies: usize) -> usize {
        let step = Step { m, plies, after: board.make(m).key };
        let known = self.steps.entry(board.key).or_insert(step);
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
            let Some(&step) = self.steps.get(&next.key) else { continue };
            let plies =
                if measured.insert(next.key) { self.measure(&next, step.m, measured) } else { step.plies };
            self.steps.insert(next.key, Step { plies, ..step });
            longest = longest.max(plies + 1);
        }
        longest + 1
    }

    /// The line that a move begins; the replies are those that hold out longest.
    pub fn line(&self, board: &Board<'_>, m: Move) -> Vec<Move> {
        let mut line = vec![m];
        let mut after = board.make(m);
        loop {
            let known = |reply| Some((reply, *self.steps.get(&after.make(reply).key)?));
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

/// Whether a mate in so many plies comes before the fifty moves are over.
pub fn is_in_time(board: &Board<'_>, plies: usize) -> bool {
    board.clock as usize + plies <= CLOCK_LIMIT as usize
}
