//! Guards against stalemate ([`bounds`](betacut_exact::bounds)), against all moves and replies: those that a guard speaks
//! of are made, all of them or some, and each position is looked at. A whole search seldom depends on one.

use super::{difference::Difference, random::Random};
use betacut_core::board::{Board, EMPTY, Move};
use betacut_core::position::Position;
use betacut_exact::{bounds::LastingGuard, leaves::futility};

/// A stalemate that a guard rules out, after a move and a reply or two more; then `count` first moves are chosen.
pub(super) fn some(position: &Position, count: usize, random: &mut Random<'_>) -> Option<Box<Difference>> {
    find(position, |firsts| (0..count.min(firsts.len())).map(|_| random.pick(firsts)).collect())
}

/// The same with all first moves.
pub(super) fn all(position: &Position) -> Option<Box<Difference>> {
    find(position, <[Move]>::to_vec)
}

/// A stalemate that a guard rules out; of the first moves, those of `choose` count.
fn find(position: &Position, choose: impl FnOnce(&[Move]) -> Vec<Move>) -> Option<Box<Difference>> {
    let board = Board::new(position);
    let moves = if futility::keeps_a_move(&board) { stalemate(&board).map(|found| (2, found)) } else { None };
    let (depth, moves) = moves.or_else(|| lasting(&board, choose).map(|found| (4, found)))?;
    Some(Box::new(Difference {
        fen: position.fen(),
        depth,
        asked: "whether a stalemate of the side to move is ruled out".to_owned(),
        expected: format!("false: {moves:?}, as who moves sees them"),
        found: "true".to_owned(),
    }))
}

/// A move and a reply that stalemate who moved.
fn stalemate(board: &Board) -> Option<Vec<Move>> {
    board.legal_moves().into_iter().find_map(|m| {
        let child = board.make_keyless(m);
        let stalemates = |reply: &Move| {
            let last = child.make_keyless(*reply);
            let checkers = last.checkers();
            checkers == 0 && !last.has_legal_move(checkers)
        };
        let reply = child.legal_moves().into_iter().find(stalemates)?;
        Some(vec![m, reply])
    })
}

/// The same with a move before, the reply to it having been made.
fn lasting(board: &Board, choose: impl FnOnce(&[Move]) -> Vec<Move>) -> Option<Vec<Move>> {
    let guard = LastingGuard::new(board)?;
    let is_first = |m: &Move| {
        m.promotion() == EMPTY
            && m.to() != u32::from(board.en_passant)
            && guard.holds_after(board.code(m.from()), *m)
    };
    let firsts: Vec<_> = board.legal_moves().into_iter().filter(is_first).collect();
    choose(&firsts).into_iter().find_map(|first| {
        let child = board.make_keyless(first);
        let mut found = if child.checkers() == 0 { stalemate(&child.pass())? } else { return None };
        found.insert(0, first);
        Some(found)
    })
}
