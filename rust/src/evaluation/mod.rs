//! Static evaluations, one per file: what a position is worth without looking ahead.

pub mod simplified;
