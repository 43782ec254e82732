//! The orders in which legal moves are looked at, and what a capture is worth before it is searched.

pub mod chess_jl;
pub mod see;
