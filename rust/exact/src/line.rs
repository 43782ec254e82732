//! The principal variation: at each ply the first best move in canonical order, found on request by a search of the depth
//! that is left. It is a function of the position, the first move and the depth: no threads and no table change it.
//!
//! **The price.** The first step is a search one ply shallower than the one that found the first move. The others are asked
//! of the table that it filled, so the whole costs about as much, and next to nothing with the table of the search itself.

use shakmaty::Move;

use super::driver::search;
use super::question::{Answer, Question};
use super::table::Table;
use betacut_core::limits::{Stopped, check_memory};
use betacut_core::position::Position;
use betacut_core::score::Depth;

/// Puts the line that starts with `first` into `line`: `depth` moves, fewer if the game ends, the search is stopped, or
/// a quiet leaf comes. `table` is asked and filled, if one is given.
///
/// ```
/// use betacut_core::position::Position;
/// use betacut_exact::{Question, principal_variation, search};
///
/// let position = Position::from_fen("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83").unwrap();
/// let answer = search(&position, &Question::new(4), None, &mut || false).unwrap();
/// let mut line = Vec::new();
/// principal_variation(&mut line, &position, answer.best_moves[0], 4, false, None, &mut || false).unwrap();
/// let line: Vec<_> = line.iter().map(|m| m.to_uci(shakmaty::CastlingMode::Standard).to_string()).collect();
/// assert_eq!(line, ["e2d4", "g6f6", "a7a6", "d5c6"]);
/// ```
pub fn principal_variation(
    line: &mut Vec<Move>,
    position: &Position,
    first: Move,
    depth: Depth,
    quiescence: bool,
    table: Option<&Table>,
    poll: &mut dyn FnMut() -> bool,
) -> Result<(), Stopped> {
    line.push(first);
    let own = if table.is_none() { Table::for_search(depth - 1, None)? } else { None };
    let table = table.or(own.as_ref());
    let mut position = position.play(first);
    for left in (1..depth).rev() {
        let answer = search(&position, &Question { quiescence, ..Question::new(left) }, table, poll)?;
        let Some(&m) = answer.best_moves.first() else { break };
        line.push(m);
        position = position.play(m);
    }
    Ok(())
}

/// A search and its line, with one `table`, given or made. The limits of the question are those of the search alone.
pub fn search_with_line(
    position: &Position,
    question: &Question,
    table: Option<&Table>,
    poll: &mut dyn FnMut() -> bool,
) -> Result<(Answer, Vec<Move>), Stopped> {
    let own = match table {
        None => Table::for_search(question.depth, question.nodes)?,
        Some(_) => None,
    };
    if own.is_some() {
        check_memory()?;
    }
    let table = table.or(own.as_ref());
    let answer = search(position, question, table, poll)?;
    let mut line = Vec::new();
    if let Some(&first) = answer.best_moves.first() {
        principal_variation(&mut line, position, first, answer.depth, question.quiescence, table, poll)?;
    }
    Ok((answer, line))
}
