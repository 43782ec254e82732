//! What a search is asked for, and what it answers.

use std::time::Duration;

/// Nodes after which a search for a mate, which nothing else limits, gives up: about a minute.
pub const MATE_NODES: u64 = 30_000_000;

/// What limits a search; without any limit it goes on until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limit {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes, of all threads: never more. One thread visits just as many, unless its search ends sooner; of several, some
    /// may have taken up to 1,024 each that they did not come to.
    pub nodes: Option<u64>,
    /// Nodes after which no further depth is begun: the last one is finished, unless another limit ends it.
    pub soft_nodes: Option<u64>,
    /// This time for the move, less the overhead or a tenth, whichever is less; a clock may give it less.
    pub time: Option<Duration>,
    /// Until a mate in so many moves is found. Alone: or until there is known to be none, or at [`MATE_NODES`].
    pub mate: Option<u32>,
    /// What is left on the clock of the side to move.
    pub clock: Option<Duration>,
    /// What the side to move gets for each move.
    pub increment: Duration,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// The search does not return before it is stopped.
    pub infinite: bool,
    /// Only these moves of the root are searched.
    pub root_moves: Option<Vec<shakmaty::Move>>,
}

impl Limit {
    /// Whether nothing but a mate ends the search.
    pub fn is_mate_alone(&self) -> bool {
        let ends = self.depth.is_some()
            || self.nodes.or(self.soft_nodes).is_some()
            || self.time.is_some()
            || self.clock.is_some();
        self.mate.is_some() && !ends && !self.infinite
    }
}

/// A score as people read it, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Centipawns.
    Cp(i32),
    /// Mate in so many moves; 0 or less if the side to move is mated.
    Mate(i32),
}

impl Default for Verdict {
    fn default() -> Verdict {
        Verdict::Cp(0)
    }
}

/// What a finished depth has found, for one of the lines asked for.
#[derive(Clone, Debug, Default)]
pub struct Info {
    /// Plies.
    pub depth: u32,
    /// The greatest number of plies of a line.
    pub selective_depth: u32,
    /// Which line, from 1.
    pub multipv: usize,
    /// For the side to move.
    pub score: Verdict,
    /// Of all threads.
    pub nodes: u64,
    /// Since the start.
    pub time: Duration,
    /// Nodes a second.
    pub nodes_per_second: u64,
    /// How full the table is, per mille.
    pub hash_full: u32,
    /// Answers of the tablebases.
    pub tablebase_hits: u64,
    /// Chances to win, draw and lose, per mille.
    pub wdl: [u32; 3],
    /// The line.
    pub pv: Vec<shakmaty::Move>,
}

impl Info {
    /// The same, after so many nodes and so much time.
    #[must_use]
    pub fn after(self, nodes: u64, time: Duration) -> Info {
        Info { nodes, time, nodes_per_second: speed(nodes, time), ..self }
    }

    /// Whether another line says the same, time and nodes apart.
    pub fn says_the_same(&self, other: &Info) -> bool {
        (self.depth, self.multipv, self.score, &self.pv)
            == (other.depth, other.multipv, other.score, &other.pv)
    }
}

/// Nodes a second.
pub fn speed(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}

/// The answer of a search.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The move to play; none if the game is over.
    pub best: Option<shakmaty::Move>,
    /// The reply that is expected.
    pub ponder: Option<shakmaty::Move>,
    /// The last finished depth, a line for each asked for.
    pub lines: Vec<Info>,
    /// All nodes of the search, of all threads: also those of a depth that was not finished.
    pub nodes: u64,
}

impl Outcome {
    /// The lines once more with what was searched after the last depth that was finished; none if that is nothing.
    pub fn last_lines(&self, time: Duration) -> impl Iterator<Item = Info> {
        let late = self.lines.iter().filter(|line| line.nodes < self.nodes);
        late.map(move |line| line.clone().after(self.nodes, time))
    }
}
