//! A mate is announced only if it is proved.
//!
//! The search leaves replies out, so the score of a mate is a claim. What proves it is a *strategy* ([`super::strategy`]),
//! built from the claim: where it needs a move, the table knows one, or a search finds it that asks for this mate and nothing
//! else. A claim that cannot be proved with a share of the nodes of the search is a win, but no mate. What is proved is kept,
//! so a mate that was announced is carried out. Mates of the side to move come with a line that ends in mate instead.
//!
//! **What can go wrong.** Draws by the history of the game cut strategies. The fifty moves: a strategy comes to no position
//! where they are over, and near that what is known holds for one clock. Repetitions: a strategy repeats no position of its
//! own; positions that the game has seen twice it does without.
//!
//! Source: chessprogramming.org "Mate Search".

use std::collections::HashSet;

use super::strategy::{Step, key_within, occurred_twice};
use super::values::{INFINITE, MATE, MATE_BOUND};
use super::{evaluation::Board, table::Bound, worker::Worker};
use betacut_core::board::{CLOCK_LIMIT, Move};
use betacut_core::score::Score;

/// Lines and claims are searched with this many plies more than they say.
const EXTRA: i32 = 4;
/// Nodes that proofs may take in each search, and a share of its other nodes that they may take in addition.
const FREE_NODES: u64 = 5_000;
const SHARE: u64 = 2;

/// How many plies a mate takes; none if the score is no mate.
pub fn plies(score: Score) -> Option<usize> {
    (MATE_BOUND + 1..=MATE).contains(&score.abs()).then(|| (MATE - score.abs()) as usize)
}

/// The position at the end of a line, unless a move is illegal or the game is drawn on its way.
fn end<'w>(board: &Board<'w>, line: &[Move]) -> Option<Board<'w>> {
    let mut board = *board;
    let mut keys = vec![board.key];
    for (index, &m) in line.iter().enumerate() {
        if !board.is_legal(m, board.checkers()) {
            return None;
        }
        board = board.make(m);
        let ends = index + 1 == line.len();
        if !ends && (board.clock >= CLOCK_LIMIT || board.is_dead() || keys.contains(&board.key)) {
            return None;
        }
        keys.push(board.key);
    }
    Some(board)
}

/// Whether a line mates in so many plies.
pub fn is_mate(board: &Board<'_>, line: &[Move], plies: usize) -> bool {
    line.len() == plies
        && end(board, line).is_some_and(|end| end.checkers() != 0 && !end.has_legal_move(end.checkers()))
}

impl Worker<'_> {
    /// Whether the score of a root move is a mate that may be announced; if so, the move's line mates as it says.
    pub fn confirm_mate(&mut self, board: &Board<'_>, index: usize) -> bool {
        let root = &self.root_moves[index];
        let Some(plies) = plies(root.score) else { return false };
        if root.score < 0 {
            return self.complete_line(board, index, plies);
        }
        let before = self.nodes;
        self.strategy.failed.clear();
        let others = before - self.strategy.spent;
        self.strategy.until = before + (FREE_NODES + others / SHARE).saturating_sub(self.strategy.spent);
        let m = root.m;
        let proved = self.prove_move(board, m, plies, 0);
        self.strategy.spent += self.nodes - before;
        if let Some(plies) = proved {
            self.strategy.add(board, m, plies);
            self.follow(board, index);
        }
        proved.is_some()
    }

    /// Gives a root move, which is proved to mate, the line of its strategy, unless its own mates as its score says.
    fn follow(&mut self, board: &Board<'_>, index: usize) {
        let root = &mut self.root_moves[index];
        if plies(root.score).is_some_and(|plies| is_mate(board, &root.line, plies)) {
            return;
        }
        root.score = MATE - self.strategy.measure(board, root.m, &mut HashSet::new()) as Score;
        root.line = self.strategy.line(board, root.m);
    }

    /// Plays what the strategy knows for the root, if it does: the move becomes the first of the list.
    pub fn keep_to_strategy(&mut self, board: &Board<'_>) -> bool {
        let Some(Step { m, plies, .. }) = self.strategy.step(board) else { return false };
        let Some(index) = self.root_moves.iter().position(|root| root.m == m) else { return false };
        let root = &mut self.root_moves[index];
        root.score = MATE - plies as Score;
        root.line.clear();
        self.follow(board, index);
        self.root_moves[..=index].rotate_right(1);
        true
    }

    /// Proves that the side to move mates in so many plies at most; returns in how many.
    fn prove(&mut self, board: &Board<'_>, plies: usize, ply: usize) -> Option<usize> {
        // 1. What is known.
        if board.clock >= CLOCK_LIMIT {
            return None;
        }
        if let Some(step) = self.strategy.step(board)
            && step.plies <= plies
        {
            return Some(step.plies);
        }
        let key = key_within(board, plies);
        let failed = self.strategy.failed.get(&key).is_some_and(|&failed| failed >= plies);
        if failed || self.is_stopped() || self.nodes >= self.strategy.until || self.is_spent(board) {
            return None;
        }
        self.enter(ply, false);
        // 2. The move that the table claims to mate, then the one that a search does; or the one that is known to.
        let claimed = if self.mates.is_found {
            self.mating_move(board, plies, ply).ok().flatten()
        } else {
            self.claimed_by_table(board, plies, ply)
        };
        let mut proved = claimed.and_then(|m| Some((m, self.prove_move(board, m, plies, ply)?)));
        if proved.is_none() && !self.mates.is_found && self.nodes < self.strategy.until {
            let found = self.find_claim(board, plies, ply).filter(|&m| Some(m) != claimed);
            proved = found.and_then(|m| Some((m, self.prove_move(board, m, plies, ply)?)));
        }
        // 3. What came of it.
        if self.is_stopped() {
            return None;
        }
        if proved.is_none() {
            self.strategy.failed.insert(key, plies);
        }
        proved.map(|(m, plies)| self.strategy.add(board, m, plies))
    }

    /// Proves that a move mates in so many plies at most, whatever the reply; returns in how many.
    pub fn prove_move(&mut self, board: &Board<'_>, m: Move, plies: usize, ply: usize) -> Option<usize> {
        let after = self.make(board, m, ply);
        let checkers = after.checkers();
        let replies = after.legal_moves();
        let mut longest = (checkers != 0 || !replies.is_empty()).then_some(0);
        let is_late = plies < 3 || after.clock >= CLOCK_LIMIT;
        if after.is_dead() || self.is_spent(&after) || (is_late && !replies.is_empty()) {
            longest = None;
        }
        for reply in replies {
            let Some(most) = longest else { break };
            let next = self.make(&after, reply, ply + 1);
            longest = self.prove(&next, plies - 2, ply + 2).map(|rest| most.max(rest + 1));
            self.unmake();
        }
        self.unmake();
        longest.map(|rest| rest + 1)
    }

    /// Whether a position is drawn by the game's history.
    fn is_spent(&self, board: &Board<'_>) -> bool {
        occurred_twice(&self.path.keys[..=self.path.root], board.key)
    }

    /// The move that mates in time, if the table knows one.
    fn claimed_by_table(&self, board: &Board<'_>, plies: usize, ply: usize) -> Option<Move> {
        let entry = self.shared.table.find(board.key, ply)?;
        let mates = entry.score >= MATE - (ply + plies) as Score
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && board.is_legal(entry.best, board.checkers());
        mates.then_some(entry.best)
    }

    /// The move that mates in time, if a search finds one.
    fn find_claim(&mut self, board: &Board<'_>, plies: usize, ply: usize) -> Option<Move> {
        let least = MATE - (ply + plies) as Score;
        // No deeper than the search that made the claim.
        let depth = (plies as i32).min(self.root_depth) + EXTRA;
        let score = self.node(board, least - 1, least + 1, depth, ply, false);
        let claim = self.lines[ply].first().copied();
        claim.filter(|_| score >= least && !self.is_stopped())
    }

    /// Searches on from the end of a root move's line that is too short for its mate; returns whether it mates then.
    fn complete_line(&mut self, board: &Board<'_>, index: usize, plies: usize) -> bool {
        let mut line = self.root_moves[index].line.clone();
        if is_mate(board, &line, plies) {
            return true;
        }
        if line.len() >= plies {
            return false;
        }
        let Some(tail) = end(board, &line) else { return false };
        // The path of the line, as the search would have made it.
        let mut at = *board;
        for (ply, &m) in line.iter().enumerate() {
            at = self.make(&at, m, ply);
        }
        let ply = line.len();
        let depth = (plies - ply) as i32 + EXTRA;
        self.node(&tail, -INFINITE, INFINITE, depth, ply, false);
        for _ in &line {
            self.unmake();
        }
        if self.is_stopped() {
            return false;
        }
        line.extend_from_slice(&self.lines[ply]);
        let complete = is_mate(board, &line, plies);
        if complete {
            self.root_moves[index].line = line;
        }
        complete
    }
}
