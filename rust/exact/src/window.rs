//! A position's value within a window: what one worker does of a search that is divided among many. Smaller depths of the
//! same parity come first, with the same window: they order the moves.
//!
//! **Contract.** [`value_within`] returns, for the side to move, the exact value if it lies inside `(alpha, beta)`; a
//! result `<= alpha` is an upper bound and a result `>= beta` a lower bound (fail-soft). The table changes the counts and
//! nothing else.

use super::bounds;
use super::ordering::History;
use super::question::{Counts, Techniques};
use super::search::{NODES_PER_LOOK, Searcher};
use super::table::Table;
use betacut_core::board::Board;
use betacut_core::limits::{Limits, Stopped, check_memory};
use betacut_core::position::Position;
use betacut_core::score::{Depth, Score};

/// The value of a position at `depth >= 1` within the window `alpha < beta`, for the side to move, and what was counted.
/// `table` is kept by the caller or made for this call.
/// Errors: [`Stopped`] if `poll` returns true, or if there is no memory for a table.
///
/// ```
/// use betacut_core::position::Position;
/// use betacut_exact::value_within;
///
/// let position = Position::from_fen("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83").unwrap();
/// let value = |alpha, beta| value_within(&position, 6, (alpha, beta), None, &mut || false).unwrap().0;
/// assert_eq!(value(84, 86), 85);
/// assert!(value(85, 86) <= 85);
/// assert!(value(84, 85) >= 85);
/// ```
pub fn value_within(
    position: &Position,
    depth: Depth,
    (alpha, beta): (Score, Score),
    table: Option<&Table>,
    poll: &mut dyn FnMut() -> bool,
) -> Result<(Score, Counts), Stopped> {
    let own = if table.is_none() { Table::for_search(depth, None)? } else { None };
    check_memory()?;
    let board = Board::new(position);
    let mut searcher = Searcher::new(
        bounds::that_hold(Techniques::ALL, board.values),
        table.or(own.as_ref()),
        History::default(),
        Limits::new(poll).every(NODES_PER_LOOK),
    );
    let mut shallow = 2 - depth % 2;
    loop {
        let value = searcher.node(&board, shallow, alpha, beta)?;
        if shallow >= depth {
            return Ok((value, searcher.counts));
        }
        shallow += 2;
    }
}
