//! What a search counts. Everything is counted here, once, and nowhere else; the counts of the textbook floor are
//! part of its result and equal those of the original program and of the Python reference.

use std::ops::{Index, IndexMut};

use crate::cache::Leaf;
use crate::textbook::Function;

/// Calls per function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls([u64; Function::ALL.len()]);

impl Calls {
    /// Nodes: all calls but those of the memo's `evaluate`.
    pub fn nodes(&self) -> u64 {
        self.0.iter().sum::<u64>() - self[Function::Evaluate]
    }

    /// The functions called at least once, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Function, u64)> + '_ {
        Function::ALL.into_iter().map(|function| (function, self[function])).filter(|&(_, calls)| calls > 0)
    }

    /// The calls since `earlier`.
    #[must_use]
    pub fn since(&self, earlier: &Calls) -> Calls {
        Calls(std::array::from_fn(|index| self.0[index] - earlier.0[index]))
    }
}

impl Index<Function> for Calls {
    type Output = u64;

    #[inline]
    fn index(&self, function: Function) -> &u64 {
        &self.0[function as usize]
    }
}

impl IndexMut<Function> for Calls {
    #[inline]
    fn index_mut(&mut self, function: Function) -> &mut u64 {
        &mut self.0[function as usize]
    }
}

/// The counts of one search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Calls per function.
    pub calls: Calls,
    /// The same when the value of the root was known, before the search for all best moves.
    pub root_calls: Calls,
    /// Calls of the max and min functions (not quiescence) that looked at no move: the game is over, or depth 0.
    pub leaves: u64,
    /// Nodes left early because a child's value reached the other bound.
    pub cutoffs: u64,
    /// Those of the cutoffs that the first child caused.
    pub first_move_cutoffs: u64,
    /// Times the memo was asked.
    pub cache_lookups: u64,
    /// Times the memo's answer was used.
    pub cache_hits: u64,
    /// Values put into the memo.
    pub cache_stores: u64,
    /// Times `evaluate` returned the draw of a third occurrence.
    pub repetitions: u64,
    /// Entries of the memo at the end.
    pub cache_size: usize,
    /// Entries of the memo when the value of the root was known.
    pub root_cache_size: usize,
    /// One record per completed depth of iterative deepening, or per pass of a search that looks at the root again.
    pub iterations: Vec<Iteration>,
    /// Whether iterative deepening had to search again for its best moves.
    pub best_moves_recalculated: bool,
}

/// What the memo did for the leaves of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LeafCounts {
    asked: u64,
    answered: u64,
    refused: u64,
}

impl LeafCounts {
    #[inline(always)]
    pub(crate) fn add(&mut self, leaf: Leaf) {
        self.asked += 1;
        self.answered += u64::from(leaf == Leaf::Answered);
        self.refused += u64::from(leaf == Leaf::Refused);
    }
}

/// One depth of iterative deepening, or one pass over the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The depth, in plies.
    pub depth: i32,
    /// The value of the root at that depth.
    pub score: i32,
    /// Entries of the memo after it.
    pub cache_size: usize,
    /// The calls of this depth alone.
    pub calls: Calls,
}

impl Statistics {
    /// Counts a leaf, a call of `function` that looks at no move.
    #[inline]
    pub fn leaf(&mut self, function: Function) {
        self.calls[function] += 1;
        self.leaves += 1;
    }

    /// Counts leaves that went through the memo.
    #[inline]
    pub(crate) fn remembered_leaves(&mut self, function: Function, leaves: LeafCounts) {
        let LeafCounts { asked, answered, refused } = leaves;
        let computed = asked - answered;
        self.calls[Function::Evaluate] += asked;
        self.cache_lookups += asked;
        self.cache_hits += answered;
        self.calls[function] += computed;
        self.leaves += computed;
        self.cache_stores += computed - refused;
    }

    /// Counts a cutoff, by the first child or a later one.
    #[inline]
    pub fn cutoff(&mut self, first: bool) {
        self.cutoffs += 1;
        self.first_move_cutoffs += u64::from(first);
    }
}
