//! A search told while it runs, in the words that the COSC 76 program prints: the first move found, and each better one.
//! The caller, who may draw one of the best moves, says itself which it recommends.

use super::prelude::*;
use crate::observer::{NULL_MOVE, code};

/// Takes the lines.
pub trait Listener {
    /// Errors: [`Stopped`](betacut_core::limits::Stopped) if the search is to end.
    fn line(&mut self, text: String) -> Result<()>;
}

/// Tells what becomes of the root's moves, pass by pass over the root.
pub struct Tracer<'a> {
    listener: &'a mut dyn Listener,
    root: &'a Position<'a>,
    /// Whether the passes are depths of one search, which the lines then name.
    deepens: bool,
    depth: Depth,
    /// The root's move that is being searched.
    current: u16,
    best: Option<(Score, u16)>,
}

impl<'a> Tracer<'a> {
    /// Tells a search of `root` to `listener`.
    pub fn new(listener: &'a mut dyn Listener, root: &'a Position<'a>, deepens: bool) -> Tracer<'a> {
        Tracer { listener, root, deepens, depth: 0, current: NO_MOVE, best: None }
    }

    /// A pass over the root begins.
    pub(super) fn begins(&mut self, depth: Depth) {
        (self.depth, self.best) = (depth, None);
    }

    /// A move of the root is searched.
    pub(super) fn tries(&mut self, m: u16) {
        self.current = m;
    }

    /// The move was worth this, White's view.
    pub(super) fn tried(&mut self, value: Score) -> Result<()> {
        let (turn, depth, deepens) = (self.root.turn(), self.depth, self.deepens);
        let is_better = |(best, _)| view_of(turn, value) > view_of(turn, best);
        if self.current >= NULL_MOVE || !self.best.is_none_or(is_better) {
            return Ok(());
        }
        let text = match self.best.replace((value, self.current)) {
            None if deepens => format!("First move found at depth {depth}; score = {value}."),
            None => format!("First move found, score = {value}."),
            Some((best, _)) => {
                let shift = format!("etter move found, score shift from {best} to {value}.");
                if deepens { format!("Depth {depth}; b{shift}") } else { format!("B{shift}") }
            }
        };
        self.listener.line(text)
    }

    /// The pass ends.
    pub(super) fn ends(&mut self) -> Result<()> {
        let Some((value, best)) = self.best.filter(|_| self.deepens) else {
            return Ok(());
        };
        let m = self.root.legal_moves().find(|&m| code(Some(m)) == best);
        let m = m.map_or_else(|| "None".to_owned(), |m| m.to_uci(self.root.mode()).to_string());
        self.listener.line(format!("Depth {}, best move: {m}, cost: {value}.", self.depth))
    }
}
