//! Several threads that answer one question.

pub mod parallel;
pub mod team;
