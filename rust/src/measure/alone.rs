//! Searches and nothing else: what a batch or a table of positions takes beyond them is its own.

use crate::exact::{Question, Wanted, search, search_with_line};
use crate::limits::Stopped;
use crate::position::Position;
use crate::score::Depth;

/// Searches all positions one after the other, to this depth; the nodes of all.
///
/// # Errors
/// [`Stopped`] if `poll` returns true, or if there is no memory.
pub fn search_all(
    positions: &[Position],
    depth: Depth,
    with_best_moves: bool,
    with_line: bool,
    poll: &mut dyn FnMut() -> bool,
) -> Result<u64, Stopped> {
    let wanted = if with_best_moves || with_line { Wanted::BestMoves } else { Wanted::Value };
    let question = Question { wanted, ..Question::new(depth) };
    let mut nodes = 0;
    for position in positions {
        let answer = if with_line {
            search_with_line(position, &question, None, poll)?.0
        } else {
            search(position, &question, None, poll)?
        };
        nodes += answer.counts.nodes;
    }
    Ok(nodes)
}
