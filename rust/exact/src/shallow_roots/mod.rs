//! Questions of one and two plies, answered without a search.

pub mod one_ply;
pub mod two_plies;
