//! The playing floor: strength counts, not exactness.

pub mod evaluation;
