//! What all searches stand on: the rules of chess, boards, evaluations, orders of moves, limits.

pub mod board;
pub mod checks;
pub mod evaluation;
pub mod fen;
pub mod huge_pages;
pub mod key;
pub mod limits;
pub mod move_order;
mod named;
pub mod perft;
pub mod piece_code;
pub mod position;
pub mod random;
pub mod rules;
pub mod score;
pub mod texts;
pub mod window;
