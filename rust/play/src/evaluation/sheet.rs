//! Where the terms of a position are added up.

use super::{pair::Pair, terms::Weights};

/// Learns how often each weight counts; the search learns nothing.
pub trait Trace {
    /// The weight counts so many times more, for the side to move.
    fn count(&mut self, term: usize, times: i32);
}

/// No sheet is kept: compiled away.
pub struct Untraced;

impl Trace for Untraced {
    fn count(&mut self, _: usize, _: i32) {}
}

/// Where terms are added up, for one side at a time.
pub struct Sheet<'a, T> {
    weights: &'a Weights,
    trace: &'a mut T,
    sum: Pair,
    /// 1 while our terms are counted, -1 while theirs are.
    sign: i32,
}

impl<'a, T: Trace> Sheet<'a, T> {
    /// Nothing is counted yet, and ours comes first.
    pub fn new(weights: &'a Weights, trace: &'a mut T) -> Sheet<'a, T> {
        Sheet { weights, trace, sum: Pair::default(), sign: 1 }
    }

    /// All that was counted, for the side whose terms are being counted.
    pub fn sum(&self) -> Pair {
        self.sum
    }

    /// What was counted elsewhere.
    pub fn add_sum(&mut self, sum: Pair) {
        self.sum += sum;
    }

    /// A term counts once.
    pub fn add(&mut self, term: usize) {
        self.trace.count(term, self.sign);
        self.sum += self.weights[term];
    }

    /// A term counts several times.
    pub fn add_times(&mut self, term: usize, times: u32) {
        self.trace.count(term, self.sign * times as i32);
        self.sum += self.weights[term] * times as i32;
    }

    /// From here on the other side's terms are counted.
    pub fn turn(&mut self) {
        self.sum = -self.sum;
        self.sign = -self.sign;
    }
}
