//! Searches and nothing else: what a batch or a table of positions takes beyond them is its own.

use betacut_core::limits::{Poll, Stopped};
use betacut_core::{position::Position, score::Depth};
use betacut_exact::{Question, Wanted, search, search_with_line};

/// Searches all positions one after the other, to this depth; the nodes of all.
pub fn search_all(
    positions: &[Position],
    depth: Depth,
    with_best_moves: bool,
    with_line: bool,
    poll: Poll<'_>,
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
