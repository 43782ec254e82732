//! Static evaluations, one a file: what a position is worth without looking ahead.

pub mod simplified;
