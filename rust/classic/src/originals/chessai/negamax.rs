//! `NegamaxSearch` and `NegamaxSearchMemo`: every line to a fixed depth.
//!
//! **Contract.** Scores stay in the view of the side that started the search, which takes the greatest while the other
//! takes the smallest: minimax, whatever its name. Of equal moves the first one counts. A node with a single legal move
//! costs no depth (the singular extension). A move that ends the game is valued and not entered. With a memo a node is
//! looked up before anything else and stored when it is done; leaves are not stored.
//!
//! **Quirk.** What is remembered was found on another path, whose score is part of it.
//!
//! **Cost.** All nodes: about w^depth leaves for w moves a position, none of them made unless it may be over.
//!
//! Source: the original's `NegamaxAlgorithm`.

use super::Search;
use super::evaluation::{FULL, Place};
use super::memo::NodeResult;
use crate::Result;
use crate::observer::Observer;
use crate::originals::node::Node;

impl<O: Observer> Search<'_, '_, '_, O> {
    /// The best of the moves of `node`, at the end of the line, with `place.depth >= 1`: the steps of
    /// [`super::alpha_beta`] without its cuts, so that the window stays as it is.
    pub(super) fn negamax(&mut self, node: &Node, place: Place) -> Result<NodeResult> {
        self.alpha_beta::<false>(node, place, FULL)
    }
}
