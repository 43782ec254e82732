//! Where the time of a search goes: time stamps around what a search is made of.
//!
//! A stamp costs about as much as what it measures, so what the stamps themselves take is measured too, and left out.
//! A search that is not profiled has none.

use std::time::{Duration, Instant};

betacut_core::named! {
    /// What takes time.
    pub enum Work {
        /// The moves of a node are generated, or there are none and the game is over.
        Moves = "move generation",
        /// A move is made: a position with its key.
        Play = "making moves",
        /// A position is valued: what a move changes of the score, or a function that is asked.
        Evaluation = "evaluation",
        /// A leaf is looked at: whether the game is over.
        Ending = "end of the game",
        /// Moves are put in order, and the order learns.
        Ordering = "ordering",
        /// The memo is asked, and keeps what was found.
        Table = "table",
    }
}

/// What is left: the search itself.
const REST: &str = "search";

/// So many measurements are followed by one of nothing: what a stamp takes depends on what else the machine does.
const STAMPS_A_CHECK: u64 = 16;

/// A stamp that takes longer was interrupted.
const LONGEST_STAMP: Duration = Duration::from_micros(1);

/// Adds up how often there was work of each kind, and how long it took.
#[derive(Debug)]
pub struct Stopwatch {
    spent: [Duration; Work::ALL.len()],
    counts: [u64; Work::ALL.len()],
    /// Measurements of nothing, and what they took.
    nothing: (u64, Duration),
    /// Whether what took time as evaluation is a part of making a move, and was done once more to be measured.
    pub(super) evaluates_moves: bool,
    start: Instant,
}

impl Default for Stopwatch {
    fn default() -> Stopwatch {
        Stopwatch {
            spent: Default::default(),
            counts: Default::default(),
            nothing: (0, Duration::ZERO),
            evaluates_moves: false,
            start: Instant::now(),
        }
    }
}

impl Stopwatch {
    /// Ends what began at `start`, and was work of this kind.
    #[inline]
    pub(super) fn stop(&mut self, work: Work, start: Instant) {
        self.spent[work as usize] += start.elapsed();
        self.counts[work as usize] += 1;
        if self.counts[work as usize].is_multiple_of(STAMPS_A_CHECK) {
            let nothing = Instant::now().elapsed();
            if nothing < LONGEST_STAMP {
                self.nothing = (self.nothing.0 + 1, self.nothing.1 + nothing);
            }
        }
    }

    /// The name, the calls and the time of each kind of work there was since the watch was made, and of the `nodes` of the
    /// search itself.
    pub fn read(&self, nodes: u64) -> Vec<(&'static str, u64, Duration)> {
        let mut rest = self.start.elapsed();
        let (checks, nothing) = self.nothing;
        let stamps = |count: u64| nothing.mul_f64(count as f64 / checks.max(1) as f64);
        // 1. Each measurement has a stamp inside and one outside.
        rest = rest.saturating_sub(stamps(2 * checks));
        let mut rows = Vec::new();
        for work in Work::ALL {
            let (count, spent) = (self.counts[work as usize], self.spent[work as usize]);
            rest = rest.saturating_sub(spent + stamps(count));
            if count > 0 {
                rows.push((work.name(), count, spent.saturating_sub(stamps(count))));
            }
        }
        // 2. What was done twice counts once.
        if let [_, (_, _, play), (_, _, evaluation), ..] = rows.as_mut_slice()
            && self.evaluates_moves
        {
            *play = play.saturating_sub(*evaluation);
        }
        rows.push((REST, nodes, rest));
        rows
    }
}
