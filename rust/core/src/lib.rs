//! What all searches stand on: the rules of chess, boards, evaluations, orders of moves.
//!
//! | module | what it holds |
//! |---|---|
//! | [`score`], [`window`] | the two values every search passes about |
//! | [`position`], [`key`], [`rules`] | the rules of chess through shakmaty, with score and key by increments; when a game is over |
//! | [`fen`] | FENs about which there is no doubt |
//! | [`checks`] | pins and checks |
//! | [`evaluation`], [`move_order`] | what a position is worth; in which order moves are looked at |
//! | [`board`], [`piece_code`] | the fast board of the exact and the playing search, and how it names the pieces |
//! | [`limits`] | what stops a search |
//! | [`mod@perft`] | counting the tree |
//! | [`random`], [`texts`], [`named!`] | numbers that look like chance; columns of texts; enumerations with names |

pub mod board;
pub mod checks;
pub mod evaluation;
pub mod fen;
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
