//! Static evaluations: what a position is worth without looking ahead.
//!
//! An [`Evaluation`] is data: what each piece is worth on each square in the middlegame and in the endgame, and a rule
//! that tells the phases apart. [`simplified`] is the one that all searches use unless another is given.

pub mod claim;
pub mod phase;
pub mod phased;
pub mod piece_square;
pub mod presets;
pub mod simplified;
pub mod tapers;
pub mod values;

pub use claim::{Claim, EvaluationMismatch};
pub use phase::{Phase, PhaseRule};
pub use phased::Phased;
pub use piece_square::{Evaluation, InvalidEvaluation};
pub use values::{Tapers, Values};
