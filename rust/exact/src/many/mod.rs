//! Many questions at once: in the order in which they were asked, or as rows of a table.

pub mod batch;
pub mod columns;
pub mod rows;
