//! Endings that are solved.

use super::evaluation::Board;

/// Tables of solved endings.
pub struct Tablebases;

impl Tablebases {
    /// The greatest number of men of a table.
    #[allow(clippy::unused_self)]
    pub fn men(&self) -> u32 {
        0
    }

    /// 2 for a win, -2 for a loss, 1 and -1 for those that the fifty moves spoil, 0 for a draw.
    #[allow(clippy::unused_self)]
    pub fn wdl(&self, _: &Board<'_>) -> Option<i32> {
        None
    }
}
