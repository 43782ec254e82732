//! The last plies, where nearly all the work is: moves are answered by sets of squares, and few are made.

pub mod checks;
pub mod futility;
mod gathered;
pub mod one_ply_before;
pub mod quiescence;
pub mod three_plies_before;
pub mod two_plies_before;
