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
    /// Reserves a memory, which a message calls `memory`, for an evaluation.
    /// Errors: [`EvaluationMismatch`] if it holds another one's values.
    pub fn make(&mut self, evaluation: &Evaluation, memory: &'static str) -> Result<(), EvaluationMismatch> {
        match &self.0 {
            Some((hash, _)) if *hash == evaluation.hash() => Ok(()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::presets;

    #[test]
    fn the_first_evaluation_stays() {
        let mut claim = Claim::default();
        assert_eq!(claim.make(presets::material(), "cache"), Ok(()));
        assert_eq!(claim.make(presets::material(), "cache"), Ok(()));
        let mismatch = claim.make(presets::simplified(), "cache").unwrap_err();
        assert_eq!(
            mismatch.to_string(),
            "this cache holds values by the evaluation material, not by simplified: use another Cache or clear() it"
        );
    }
}
