//! `PrototypeV1Engine`: deepening, memory, incremental evaluation and quiescence in one engine.
//!
//! **Contract.** `_value` is that of [`super::quiescence`], with mates that count the plies from the root (a mate found in
//! the memory keeps the count of its first visit). The evaluator is started once, at the root. There are two ways to ask:
//!
//! - [`Search::analyse_incremental`] searches each root move at depths 1, 2, … in the whole window, so that each has its
//!   own value.
//! - [`Search::play`] searches the root itself at depths 0, 1, …, which lets root moves share a window, and then looks for
//!   its moves in the memory ([`Search::find_moves`]): those whose entry is exact and equal to the root's score. The
//!   original draws one of them.
//!
//! **Where the original crashes.** If no move is found, as on a finished game, an assertion fails.
//!
//! The engines with ordered moves play and analyse alike.
//!
//! Source: the original's section on the first prototype.

use shakmaty::Move;

use super::evaluation::{Incremental, Position};
use super::score::{HIGHEST, LOWEST, Value};
use super::tree::Watch;
use super::{Search, SearchError, ValueFunction, WHOLE};
use betacut_core::window::Bound;

impl<W: Watch> Search<'_, '_, Incremental, W> {
    /// `_value` of the engine that searches.
    pub(super) fn value(
        &mut self,
        position: &Position<Incremental>,
        depth: i32,
        ply: i32,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, SearchError> {
        match self.style.value {
            ValueFunction::Cached => self.cached_alpha_beta(position, depth, alpha, beta),
            ValueFunction::Quiescence => self.quiescence_value(position, depth, ply, alpha, beta),
            ValueFunction::Ordered => self.ordered_value(position, depth, ply, alpha, beta),
            ValueFunction::PrincipalVariation => {
                self.principal_variation_search(position, depth, ply, alpha, beta)
            }
        }
    }

    /// `_value` of the root in the whole window.
    pub(super) fn root_value(
        &mut self,
        root: &Position<Incremental>,
        depth: i32,
    ) -> Result<Value, SearchError> {
        self.visit(None, depth, root.turn(), WHOLE, |search| search.value(root, depth, 0, LOWEST, HIGHEST))
    }

    /// `_evaluate_move` of every root move: the values after them, the root's view; the line ends with the root.
    pub(super) fn evaluate_moves(
        &mut self,
        root: &Position<Incremental>,
        depth: i32,
    ) -> Result<Vec<(Move, Value)>, SearchError> {
        self.root_moves(root, depth, |search, m| {
            search.visit(Some(m), depth - 1, !root.turn(), WHOLE, |search| {
                search.value(&root.play(m, search.evaluator), depth - 1, 1, LOWEST, HIGHEST)
            })
        })
    }

    /// `analyse`: the root moves with their values at the last depth, the root's view.
    pub(super) fn analyse_incremental(
        &mut self,
        root: &Position<Incremental>,
        max_depth: i32,
    ) -> Result<Vec<(Move, Value)>, SearchError> {
        self.line.push(&root.node);
        let mut scores = Vec::new();
        for depth in 1..=max_depth {
            scores = self.evaluate_moves(root, depth)?;
        }
        self.line.pop();
        Ok(scores)
    }

    /// `play`: the root's value at the last depth, its own view, and the moves that have it.
    pub(super) fn play(
        &mut self,
        root: &Position<Incremental>,
        max_depth: i32,
    ) -> Result<(Value, Vec<Move>), SearchError> {
        let mut score = 0;
        for depth in 0..=max_depth {
            score = self.root_value(root, depth)?;
        }
        Ok((score, self.find_moves(root, max_depth, score)))
    }

    /// `_find_move`: the root moves that the memory knows to have the root's score.
    pub(super) fn find_moves(&self, root: &Position<Incremental>, max_depth: i32, score: Value) -> Vec<Move> {
        let has_the_score = |m: &Move| {
            let entry = self.cache.load(root.node.transposition_key_after(*m), max_depth - 1);
            entry.is_some_and(|entry| entry.bound == Bound::Exact && -entry.value == score)
        };
        root.node.legal_moves().filter(has_the_score).collect()
    }
}
