//! The values the textbook is looking for, known beforehand: for the best and the worst order of moves.

use super::driver::search;
use super::question::{Question, Wanted};
use super::table::{OutOfMemory, Table};
use betacut_core::limits::Stopped;
use betacut_core::move_order::order::Oracle;
use betacut_core::position::Position;
use betacut_core::score::{Depth, Score};

/// Memory for what an oracle remembers, in MiB.
const TABLE_MB: usize = 16;

/// The exact search as an oracle, with a table of its own.
pub struct ExactOracle<'a> {
    table: Table,
    poll: &'a mut dyn FnMut() -> bool,
}

impl<'a> ExactOracle<'a> {
    /// An oracle that `poll` stops.
    pub fn new(poll: &'a mut dyn FnMut() -> bool) -> Result<ExactOracle<'a>, OutOfMemory> {
        Ok(ExactOracle { table: Table::with_megabytes(TABLE_MB)?, poll })
    }
}

impl Oracle for ExactOracle<'_> {
    fn best_move(&mut self, position: &Position, depth: Depth) -> Result<shakmaty::Move, Stopped> {
        let answer = search(position, &Question::new(depth), Some(&self.table), self.poll)?;
        Ok(answer.best_moves[0])
    }

    fn values(&mut self, position: &Position, depth: Depth) -> Result<Vec<(shakmaty::Move, Score)>, Stopped> {
        let question = Question { wanted: Wanted::Lines(usize::MAX), ..Question::new(depth) };
        Ok(search(position, &question, Some(&self.table), self.poll)?.lines)
    }
}
