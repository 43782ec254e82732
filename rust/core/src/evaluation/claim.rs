//! Memories hold the values of one evaluation.

use super::piece_square::Evaluation;

/// A memory was given to a search with another evaluation than that of the values it holds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this {memory} holds values by {}, not by {wanted}: use another {} or clear() it",
    holds_in_words(.holds, .wanted),
    capitalised(.memory)
)]
pub struct EvaluationMismatch {
    memory: &'static str,
    holds: String,
    wanted: String,
}

fn holds_in_words(holds: &str, wanted: &str) -> String {
    if holds == wanted { "another evaluation".to_owned() } else { format!("the evaluation {holds}") }
}

fn capitalised(memory: &str) -> String {
    let (first, rest) = memory.split_at(1);
    first.to_uppercase() + rest
}

/// Which evaluation's values a memory holds: that of the first search that used it.
#[derive(Clone, Debug, Default)]
pub struct Claim(Option<(u64, String)>);

impl Claim {
    /// Whether a memory holds values of this evaluation.
    pub fn is_of(&self, evaluation: &Evaluation) -> bool {
        self.0.as_ref().is_some_and(|(hash, _)| *hash == evaluation.hash())
    }

    /// Reserves a memory, which a message calls `memory`, for an evaluation, unless it holds another one's values.
    pub fn make(&mut self, evaluation: &Evaluation, memory: &'static str) -> Result<(), EvaluationMismatch> {
        match &self.0 {
            Some(_) if self.is_of(evaluation) => Ok(()),
            Some((_, name)) => {
                Err(EvaluationMismatch { memory, holds: name.clone(), wanted: evaluation.to_string() })
            }
            None => {
                self.0 = Some((evaluation.hash(), evaluation.to_string()));
                Ok(())
            }
        }
    }
}
