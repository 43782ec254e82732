//! What is asked of the exact search, and what it answers.

use std::time::Duration;

use betacut_core::score::{Depth, Score};

/// Which moves of the root are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// One best move: the first in canonical order among those found; the value is exact.
    Value,
    /// Every best move.
    BestMoves,
    /// Every best move, and the exact values of this many best moves at least.
    Lines(usize),
}

/// What is asked about a position.
#[derive(Clone, Debug)]
pub struct Question {
    /// Plies to look ahead, at least 1.
    pub depth: Depth,
    /// Which moves are wanted.
    pub wanted: Wanted,
    /// Only these moves of the root are searched, if legal; without one there are no best moves, and the score is none.
    pub root_moves: Option<Vec<shakmaty::Move>>,
    /// Whether leaves are worth what is left once every capture has been answered ([`crate::leaves::quiescence`]).
    pub quiescence: bool,
    /// Stop after this many nodes.
    pub nodes: Option<u64>,
    /// Stop after this time.
    pub time: Option<Duration>,
    /// Threads to search with, at least 1.
    pub threads: usize,
    /// What the search may use; for measurements.
    pub techniques: Techniques,
}

impl Question {
    /// The value and every best move at `depth`, on one thread, without limits.
    pub fn new(depth: Depth) -> Question {
        Question {
            depth,
            wanted: Wanted::BestMoves,
            root_moves: None,
            quiescence: false,
            nodes: None,
            time: None,
            threads: 1,
            techniques: Techniques::ALL,
        }
    }

    /// Whether nodes or time may end the search before its depth is complete.
    pub const fn is_limited(&self) -> bool {
        self.nodes.is_some() || self.time.is_some()
    }
}

/// One completed depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Plies.
    pub depth: Depth,
    /// Centipawns, White's view.
    pub score: Score,
    /// Nodes of this depth alone.
    pub nodes: u64,
    /// Those of quiescence.
    pub quiescence_nodes: u64,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The value: centipawns, White's view.
    pub score: Score,
    /// Every best move in canonical order (the first alone for [`Wanted::Value`]); none if the game is over.
    pub best_moves: Vec<shakmaty::Move>,
    /// Moves with their values, White's view, best first and then in canonical order; all best moves, and for
    /// [`Wanted::Lines`] as many more as were wanted.
    pub lines: Vec<(shakmaty::Move, Score)>,
    /// The depth that was completed.
    pub depth: Depth,
    /// Whether it is the depth that was asked for.
    pub complete: bool,
    /// What was counted, unfinished depths included.
    pub counts: Counts,
    /// The completed depths.
    pub iterations: Vec<Iteration>,
}

/// What a search did, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Nodes at depth 1 and more, and those of quiescence. Children that a proof refutes unmade are none.
    pub nodes: u64,
    /// Those at depth 1.
    pub frontier_nodes: u64,
    /// Those of quiescence.
    pub quiescence_nodes: u64,
    /// Nodes left early because a move reached `beta`.
    pub cutoffs: u64,
    /// Those of them where the first move did.
    pub first_move_cutoffs: u64,
    /// Questions to the table.
    pub table_lookups: u64,
    /// Questions that it answered.
    pub table_hits: u64,
    /// Results stored.
    pub table_stores: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.nodes += other.nodes;
        self.frontier_nodes += other.frontier_nodes;
        self.quiescence_nodes += other.quiescence_nodes;
        self.cutoffs += other.cutoffs;
        self.first_move_cutoffs += other.first_move_cutoffs;
        self.table_lookups += other.table_lookups;
        self.table_hits += other.table_hits;
        self.table_stores += other.table_stores;
    }
}

/// Makes the techniques, a row each.
macro_rules! techniques {
    ($( $(#[$doc:meta])* $name:ident; )+) => {
        /// What makes the search quick, each to be left out for measuring what it contributes. None changes a value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(clippy::struct_excessive_bools)] // a list of switches
        pub struct Techniques {
            $( $(#[$doc])* pub $name: bool, )+
        }

        impl Techniques {
            /// All of them.
            pub const ALL: Techniques = Techniques { $($name: true,)+ };

            /// Each technique by its name.
            pub fn switches(&mut self) -> [(&'static str, &mut bool); [$(stringify!($name)),+].len()] {
                [$((stringify!($name), &mut self.$name)),+]
            }
        }
    };
}

techniques! {
    /// Depth 1 is answered by sets of squares, not by making every move.
    frontier;
    /// Depths 2 and 4 are answered as if they were one less, far behind.
    futility;
    /// Quiescence leaves out captures that gain too little.
    quiet_bounds;
    /// Depth 2 refutes most moves by replies found once for the node.
    replies;
    /// Depth 3 refutes moves by the replies that refuted others, there and at nodes nearby.
    sibling_replies;
    /// Depth 2 first tries the moves that held at nodes nearby.
    refutation_moves;
    /// Positions are remembered.
    table;
    /// Killers and history order quiet moves.
    history;
    /// All moves but the first are searched with a null window.
    null_windows;
    /// The root's window opens around a guess.
    aspiration;
    /// Smaller depths of the same parity come first.
    deepening;
}

impl Techniques {
    /// All but the one of this name, if there is one.
    pub fn without(name: &str) -> Option<Techniques> {
        let mut techniques = Techniques::ALL;
        let (_, switch) = techniques.switches().into_iter().find(|&(other, _)| other == name)?;
        *switch = false;
        Some(techniques)
    }
}
