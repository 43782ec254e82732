//! Counting the leaves of the tree of legal moves, for correctness and as a yardstick of speed.
//!
//! Source: chessprogramming.org "Perft".

use shakmaty::Position as _;

use crate::limits::{Limits, Stopped};
use crate::position::Position;

/// The number of move sequences of length `depth`, through betacut's own canonical move list. The last ply is
/// counted, not made.
///
/// ```
/// use betacut_core::limits::Limits;
/// use betacut_core::position::Position;
/// use betacut_core::perft::perft;
/// let mut never = || false;
/// assert_eq!(perft(&Position::initial(), 3, &mut Limits::new(&mut never)).unwrap(), 8902);
/// ```
pub fn perft(position: &Position, depth: u32, limits: &mut Limits<'_>) -> Result<u64, Stopped> {
    if depth == 0 {
        return Ok(1);
    }
    limits.node()?;
    let moves = position.legal_moves();
    if depth == 1 {
        return Ok(moves.count() as u64);
    }
    let mut count = 0;
    for m in moves {
        count += perft(&position.play(m), depth - 1, limits)?;
    }
    Ok(count)
}

/// The yardstick: all nodes to `depth`, made with shakmaty's move list and `play_unchecked`; how many.
pub fn yardstick(position: &shakmaty::Chess, depth: u32, limits: &mut Limits<'_>) -> Result<u64, Stopped> {
    if depth == 0 {
        return Ok(0);
    }
    limits.node()?;
    let mut made = 0;
    for m in position.legal_moves() {
        let mut child = position.clone();
        child.play_unchecked(m);
        std::hint::black_box(&child);
        made += 1 + yardstick(&child, depth - 1, limits)?;
    }
    Ok(made)
}

/// The yardstick of what a search saves: leaves listed by shakmaty, neither made nor examined ("bulk counting").
pub fn bulk(position: &shakmaty::Chess, depth: u32, limits: &mut Limits<'_>) -> Result<u64, Stopped> {
    if depth == 0 {
        return Ok(1);
    }
    limits.node()?;
    let moves = position.legal_moves();
    if depth == 1 {
        return Ok(moves.len() as u64);
    }
    let mut count = 0;
    for m in moves {
        let mut child = position.clone();
        child.play_unchecked(m);
        count += bulk(&child, depth - 1, limits)?;
    }
    Ok(count)
}
