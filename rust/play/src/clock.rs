//! How much time a move may take. The *soft* bound is a fair share of what is left, after which no new depth is begun; it
//! shrinks while the search is sure of its move and grows when it changes its mind. The *hard* one ends the search anywhere.
//!
//! Nodes may count as time ("nodestime"): then a search is the same on every machine, busy or not, with one thread.
//!
//! Moves take time to travel: the *overhead* is set aside for each. An almost empty clock still gives a millisecond.
//!
//! Source: chessprogramming.org "Time Management".

use std::time::{Duration, Instant};

use super::{control::Control, limit::Limit};

/// Moves that a clock is thought to have to last for.
const MOVES_LEFT: f64 = 28.0;
/// The hard bound, in soft ones.
const HARD_FACTOR: f64 = 3.5;
/// No move takes more than this part of the clock.
const GREATEST_PART: f64 = 0.6;

/// When a search has to end.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// When it began.
    pub start: Instant,
    /// Nodes that count as a millisecond; 0 if time counts.
    nodes_per_ms: u64,
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl Clock {
    /// The clock of a search that began then.
    pub fn new(start: Instant, limit: &Limit, overhead: Duration, nodes_per_ms: u64) -> Clock {
        let least = Duration::from_millis(1);
        let time = limit.time.map(|time| time.saturating_sub(overhead.min(time / 10)).max(least));
        let Some(left) = limit.clock else {
            return Clock { start, nodes_per_ms, soft: None, hard: time };
        };
        let left = left.saturating_sub(overhead).max(least).as_secs_f64();
        let increment = limit.increment.as_secs_f64();
        let moves = limit.moves_to_go.map_or(MOVES_LEFT, |moves| f64::from(moves.max(1)).min(MOVES_LEFT));
        let part = if limit.moves_to_go == Some(1) { 0.9 } else { GREATEST_PART };
        let soft = (left / moves + 0.75 * increment).min(part * left);
        let hard = (HARD_FACTOR * soft).min(part * left);
        let duration =
            |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX).max(least);
        let hard = duration(hard).min(time.unwrap_or(Duration::MAX));
        Clock { start, nodes_per_ms, soft: Some(duration(soft)), hard: Some(hard) }
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// What a search of so many nodes has taken, as its limits count it.
    pub fn taken(&self, nodes: u64) -> Duration {
        match nodes.saturating_mul(1000).checked_div(self.nodes_per_ms) {
            Some(microseconds) => Duration::from_micros(microseconds),
            None => self.elapsed(),
        }
    }

    /// Whether the search, after so many nodes, has to end at once.
    pub fn must_stop(&self, control: &Control, nodes: u64) -> bool {
        self.hard.is_some_and(|hard| !control.is_pondering() && self.taken(nodes) >= hard)
    }

    /// Whether a new depth should not be begun; `factor` makes the soft bound longer or shorter.
    pub fn should_stop(&self, control: &Control, nodes: u64, factor: f64) -> bool {
        self.soft.is_some_and(|soft| !control.is_pondering() && self.taken(nodes) >= soft.mul_f64(factor))
    }

    /// Whether the time is a share of a clock, so that a forced move may be played at once.
    pub fn is_shared_out(&self) -> bool {
        self.soft.is_some()
    }
}
