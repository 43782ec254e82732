//! One position, searched depth after depth, for as long as the caller asks for more.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::driver::Deepening;
use super::question::{Answer, Question};
use super::table::{OutOfMemory, Table};
use betacut_core::evaluation::{Evaluation, presets};
use betacut_core::limits::{Limits, Stopped};
use betacut_core::position::Position;
use betacut_core::score::Depth;

/// An analysis: each step searches the next depth and starts from what those before have left behind.
///
/// ```
/// use betacut_core::position::Position;
/// use betacut_core::evaluation::presets;
/// use betacut_exact::{Analysis, Question};
///
/// let position = Position::from_fen("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83").unwrap();
/// let mut analysis = Analysis::new(&position, presets::simplified().clone(), Question::new(4), None).unwrap();
/// let mut scores = Vec::new();
/// while let Some(answer) = analysis.step(&mut || false).unwrap() {
///     scores.push(answer.score);
/// }
/// assert_eq!(scores, [150, 95, 155, 105]);
/// ```
pub struct Analysis {
    question: Question,
    table: Arc<Table>,
    evaluation: Arc<Evaluation>,
    /// With the values of the default evaluation between steps, so that it borrows nothing.
    deepening: Option<Deepening<'static>>,
    depth: Depth,
    /// The time that steps have taken, unfinished ones included.
    time: Duration,
    /// Whether a limit was reached.
    done: bool,
}

impl Analysis {
    /// The question's depth is the last one; its limits hold for all steps together, and time between steps does not
    /// count. `table` is kept by the caller or made for this analysis; `evaluation` is that of the position.
    pub fn new(
        position: &Position,
        evaluation: Arc<Evaluation>,
        question: Question,
        table: Option<Arc<Table>>,
    ) -> Result<Analysis, OutOfMemory> {
        let table = match table {
            Some(table) => table,
            None => Arc::new(Table::with_megabytes(match question.depth {
                ..=5 => 1,
                6..=7 => 8,
                _ => 64,
            })?),
        };
        let deepening = Deepening::new(&position.with_evaluation(&evaluation), &question);
        let deepening = Some(deepening.with_values(presets::simplified().values()));
        Ok(Analysis { question, table, evaluation, deepening, depth: 0, time: Duration::ZERO, done: false })
    }

    /// Searches the next depth; none after the last, or if a limit comes first. After [`Stopped`] it is searched again.
    pub fn step(&mut self, poll: &mut dyn FnMut() -> bool) -> Result<Option<Answer>, Stopped> {
        if self.done || self.depth >= self.question.depth {
            return Ok(None);
        }
        let start = Instant::now();
        let mut limits = Limits::new(poll);
        // The first depth is always completed.
        if self.depth > 0 {
            limits.nodes = self.question.nodes.unwrap_or(u64::MAX);
            limits.deadline = self.question.time.map(|time| start + time.saturating_sub(self.time));
        }
        // A step that panicked took it along.
        let Some(deepening) = self.deepening.take() else { return Ok(None) };
        let mut deepening = deepening.with_values(self.evaluation.values());
        let answer = deepening.search(self.depth + 1, &self.question, Some(&self.table), limits);
        self.deepening = Some(deepening.with_values(presets::simplified().values()));
        self.time += start.elapsed();
        match answer {
            Ok(answer) => {
                self.depth = answer.depth;
                Ok(Some(answer))
            }
            Err(Stopped::LimitReached) => {
                self.done = true;
                Ok(None)
            }
            Err(stopped) => Err(stopped),
        }
    }

    /// The time that all steps have taken.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// The table that the steps share.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }
}
