//! A mate is announced only with the line that leads to it.
//!
//! # The idea
//!
//! The score of a mate says how many plies it takes. The line that comes with it must be legal, be as long, end in mate, and
//! not be spoilt by a draw on its way; if the search has cut it short, it is searched on from where it ends. A score that
//! has no such line is a win, but no mate.
//!
//! Who has announced a mate is expected to keep to it: [`Promise`].

use super::evaluation::Board;
use super::values::{INFINITE, MATE, MATE_BOUND};
use super::worker::Worker;
use crate::board::{CLOCK_LIMIT, Move};
use crate::score::Score;

/// Lines are searched on with this many plies more than they lack.
const EXTRA: i32 = 4;

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

/// A mate that was announced with the last move.
#[derive(Debug)]
pub struct Promise {
    /// The keys of the positions that the replies to it lead to.
    replies: Vec<u64>,
    /// How many plies the mate takes from there.
    plies: usize,
}

impl Promise {
    /// What a line that mates, if it does, promises; none if it mates at once.
    pub fn new(board: &Board<'_>, line: &[Move], mates: bool) -> Option<Promise> {
        let plies = line.len().checked_sub(2).filter(|plies| mates && plies % 2 == 1)?;
        let after = board.make(line[0]);
        let mut replies = Vec::new();
        after.any_legal_move(after.checkers(), |reply| {
            replies.push(after.make(reply).key);
            false
        });
        Some(Promise { replies, plies })
    }

    /// In how many plies the side to move at a position has promised to mate, if this is what the game has come to.
    pub fn due(&self, board: &Board<'_>) -> Option<usize> {
        self.replies.contains(&board.key).then_some(self.plies)
    }
}

impl Worker<'_> {
    /// Completes the line of a root move whose score is a mate; returns whether it mates as the score says.
    pub fn complete_mate(&mut self, board: &Board<'_>, index: usize) -> bool {
        let root = &self.root_moves[index];
        let Some(plies) = plies(root.score) else { return false };
        let mut line = root.line.clone();
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

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Position as _};

    use super::super::evaluation::WEIGHTS;
    use super::super::{Control, Engine, Game, Limit, Settings};
    use super::*;

    #[test]
    fn a_promise_holds_after_any_reply() {
        let mut game = Game::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1", CastlingMode::Standard).unwrap();
        let mut engine = Engine::new(Settings::default()).unwrap();
        let limit = Limit { depth: Some(8), ..Limit::default() };
        let found = engine.search(&game, &limit, &Control::new(), &mut |_| {});
        let line = &found.lines[0].pv;
        assert_eq!(line.len(), 3);
        let board = game.board(&WEIGHTS);
        let mut moves = Vec::new();
        board.any_legal_move(board.checkers(), |m| {
            moves.push(m);
            false
        });
        let first = moves.into_iter().find(|&m| board.to_shakmaty(m) == line[0]).unwrap();
        let promise = Promise::new(&board, &[first, Move::NONE, Move::NONE], true).unwrap();
        assert!(Promise::new(&board, &[first], true).is_none());
        assert!(Promise::new(&board, &[first, Move::NONE, Move::NONE], false).is_none());
        assert_eq!(promise.due(&board), None);
        game.play(line[0]);
        let replies = game.position().legal_moves();
        assert!(!replies.is_empty());
        for reply in replies {
            let mut game = game.clone();
            game.play(reply);
            assert_eq!(promise.due(&game.board(&WEIGHTS)), Some(1), "{reply:?}");
        }
    }
}
