//! `PrototypeV2Engine`: principal variation search with quick exchanges and an endgame tablebase.
//!
//! **Contract.** As [`super::principal_variation_search`], and:
//!
//! 1. With at most five men on the board and neither side mated or stalemated, `evaluate` asks the tablebase
//!    ([`Tablebase`](crate::originals::tablebase::Tablebase)): a known position is a draw or a mate in so many plies, and no longer searched. A position that
//!    it does not know goes on as without it.
//! 2. `play` looks after each depth whether the score is a mate and at most five men are left. Then every root move is
//!    searched in the whole window at this depth, and the first of the best is played.
//! 3. Otherwise the first of the moves with the root's score is played, not one at random.
//!
//! **Where the original crashes.** The look at the root moves after depth 0 searches them to depth -1. That is no matter
//! where the tablebase answers or the game is over; anywhere else the search never ends ([`super::SearchError::Endless`]).
//!
//! Source: the original's section on the second prototype.

use shakmaty::Move;

use super::evaluation::{Incremental, Leaves, Position};
use super::score::{Value, mate};
use super::{Result, Search, best_of};
use crate::observer::{End, Observer as _};
use crate::originals::node::Node;
use crate::originals::tablebase::has_few_men;

impl Search<'_, '_, Incremental> {
    /// `evaluate`: the value of a position that is over or that the tablebase knows, the view of the side to move.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position<Incremental>) -> Result<Option<Value>> {
        self.counts.evaluate += 1;
        match self.ended(position) {
            None if self.tablebase.is_some() => self.probe(&position.node),
            ended => Ok(ended),
        }
    }

    /// `evaluate` after the legal move `m`; the line ends with the parent.
    #[inline]
    pub(super) fn evaluate_after(
        &mut self,
        leaves: &Leaves<'_, Incremental>,
        m: Move,
    ) -> Result<Option<Value>> {
        self.counts.evaluate += 1;
        if self.watch.records() {
            self.observe_ending_after(leaves, m);
        }
        match leaves.ended(m, &self.line) {
            None if self.tablebase.is_some() => self.probe(&leaves.parent.node.play(m)),
            ended => Ok(ended),
        }
    }

    fn probe(&mut self, node: &Node) -> Result<Option<Value>> {
        match &mut self.tablebase {
            Some(tablebase) if has_few_men(node.board()) => {
                let dtm = tablebase.probe_dtm(node.chess())?;
                if dtm.is_some() {
                    self.watch.mark(End::Table);
                }
                Ok(dtm.map(|plies| if plies == 0 { 0 } else { mate(plies) }))
            }
            _ => Ok(None),
        }
    }

    /// The best root moves at a depth, each searched in the whole window; `score` if there is none.
    pub(super) fn look_at_root_moves(
        &mut self,
        root: &Position<Incremental>,
        depth: i32,
        score: Value,
    ) -> Result<(Value, Vec<Move>)> {
        self.line.push(&root.node);
        let scores = self.root_moves(root, depth, |search, m, place| {
            search.value(&root.play(m, search.evaluator), place)
        })?;
        self.line.pop();
        let best = best_of(&scores).unwrap_or(score);
        Ok((best, scores.into_iter().filter(|&(_, value)| value == best).map(|(m, _)| m).collect()))
    }
}
