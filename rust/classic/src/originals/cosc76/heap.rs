//! The order of moves: Python's `heapq`, which is not stable.
//!
//! Moves of equal value come out in an order that depends on how the heap was filled, and the order decides what is
//! searched at all, so the heap is built step by step as `heapq` does: each push sifts towards the root; each pop puts the
//! last element at the root, lets it sink to a leaf along the smaller children (the right one unless the left one is
//! smaller), then rise again. Only values are compared.
//!
//! Source: Python's standard library.

use shakmaty::Move;

use super::evaluation::{Evaluation, Value};

/// A move with its place in the order.
#[derive(Clone, Copy, Debug)]
pub struct Ordered {
    /// What it is ordered by.
    pub score: Value,
    /// The move.
    pub m: Move,
    /// What the child is worth by itself, and whether the game is over there.
    pub child: Evaluation,
}

/// A heap of moves, taken as an iterator: the greatest score first, or the smallest.
#[derive(Clone, Debug)]
pub struct Heap {
    greatest_first: bool,
    moves: Vec<Ordered>,
}

impl Heap {
    /// An empty heap.
    pub fn new(greatest_first: bool) -> Heap {
        Heap { greatest_first, moves: Vec::with_capacity(48) }
    }

    /// `heappush`.
    pub fn push(&mut self, new: Ordered) {
        self.moves.push(new);
        self.rise(self.moves.len() - 1);
    }

    #[inline]
    fn before(&self, one: &Ordered, other: &Ordered) -> bool {
        if self.greatest_first { one.score > other.score } else { one.score < other.score }
    }

    /// `heapq._siftdown`: the element moves towards the root while it comes before its parent.
    fn rise(&mut self, mut position: usize) {
        let new = self.moves[position];
        while position > 0 {
            let parent = (position - 1) / 2;
            if !self.before(&new, &self.moves[parent]) {
                break;
            }
            self.moves[position] = self.moves[parent];
            position = parent;
        }
        self.moves[position] = new;
    }

    /// `heapq._siftup`: the root sinks to a leaf, then rises.
    fn sink(&mut self) {
        let mut position = 0;
        let new = self.moves[position];
        loop {
            let mut child = 2 * position + 1;
            if child >= self.moves.len() {
                break;
            }
            let right = child + 1;
            if right < self.moves.len() && !self.before(&self.moves[child], &self.moves[right]) {
                child = right;
            }
            self.moves[position] = self.moves[child];
            position = child;
        }
        self.moves[position] = new;
        self.rise(position);
    }
}

impl Iterator for Heap {
    type Item = Ordered;

    fn next(&mut self) -> Option<Ordered> {
        let last = self.moves.pop()?;
        let Some(root) = self.moves.first_mut() else {
            return Some(last);
        };
        let first = std::mem::replace(root, last);
        self.sink();
        Some(first)
    }
}
