//! What searches are measured by: another search, and the smallest tree.

pub mod alone;
pub mod minimal;
pub mod yardstick;
