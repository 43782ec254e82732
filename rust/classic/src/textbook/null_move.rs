//! Null-move pruning: if even passing is good enough, a move will be too.
//!
//! **Contract.** Fail-soft alpha-beta ([`super::alpha_beta_fail_soft`]) of the tree that is left. Before a node looks at its
//! moves it passes: what follows is searched `reduction` plies less deeply, with a null window at beta. If the value is
//! beta or more all the same, the node returns beta. That is no proof: in zugzwang passing is better than any move, and a
//! shallower search may miss what the full one would see. There is no null move at the root, after a null move, in
//! check, with `reduction` plies left or fewer, without a piece besides king and pawns, or if beta is the score of a mate.
//!
//! Source: C. Donninger, "Null Move and Deep Search" (1993); chessprogramming.org "Null Move Pruning".

use super::prelude::*;
use crate::observer::NULL_MOVE;

impl<L: Lab> Search<'_, '_, L> {
    /// Alpha-beta with null moves: the value, and the first move that reached it.
    pub(super) fn null_move(
        &mut self,
        root: &Position,
        depth: Depth,
        reduction: Depth,
    ) -> Result<SearchResult> {
        self.one_best_move(root, depth, |search, best| {
            search.null_move_search(root, depth, Window::FULL, reduction, false, best)
        })
    }

    /// The value of `position` at `depth >= 1` in `window` for the side to move, whose window it is; `may_pass` says
    /// whether a null move may be tried here. `best` becomes the last move that was better than alpha and the moves before.
    fn null_move_search(
        &mut self,
        position: &Position,
        depth: Depth,
        window: Window,
        reduction: Depth,
        may_pass: bool,
        best: &mut Option<Move>,
    ) -> Result<Score> {
        // 1. Count the call; 2. a finished game.
        self.enter(Function::NullMove)?;
        let mut children = self.children(position, depth);
        if !L::BARE {
            self.observe(&children);
        }
        if let Some(value) = children.ending {
            self.statistics.leaves += 1;
            return Ok(view_of(position.turn(), value) - depth);
        }
        // 3. Is passing good enough? The cutoff is none by the first move.
        if may_pass && depth > reduction && is_worth_passing(position, window.beta) {
            let value = -self.pass(position, depth - 1 - reduction, window.beta, reduction)?;
            if value >= window.beta {
                self.statistics.cutoff(false);
                self.lab.mark(End::Cutoff);
                return Ok(window.beta); // more than beta would be more than is known
            }
        }
        // 4. The children, as in fail-soft alpha-beta. (What the null move has taught helps to order them.)
        self.sort(&mut children, depth)?;
        let (value, found) = self.best_child(&mut children, depth, window, |search, children, m, left| {
            Ok(-search.null_move_child(children, m, depth - 1, left.turned(), reduction)?)
        })?;
        *best = found;
        Ok(value)
    }

    /// The value after a null move, for the other side, in the null window below `beta`.
    fn pass(&mut self, position: &Position, depth: Depth, beta: Score, reduction: Depth) -> Result<Score> {
        let window = Window { alpha: beta - 1, beta }.turned();
        let passed = position.play_null();
        self.visit_as(passed.turn(), NULL_MOVE, depth, window, |search| {
            if depth == 0 {
                Ok(view_of(passed.turn(), search.leaf_at(Function::NullMove, &passed)?))
            } else {
                search.null_move_search(&passed, depth, window, reduction, false, &mut None)
            }
        })
    }

    /// The value of the child after `m` in `window`, both for the side to move there.
    fn null_move_child(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
        window: Window,
        reduction: Depth,
    ) -> Result<Score> {
        self.child_as(Function::NullMove, children, m, depth, window, |search, child| {
            search.null_move_search(child, depth, window, reduction, true, &mut None)
        })
    }
}

/// Whether a null move may be tried, as far as the position and beta decide it.
fn is_worth_passing(position: &Position, beta: Score) -> bool {
    let board = position.board();
    let pieces = board.by_color(position.turn()) & !(board.pawns() | board.kings());
    -MATE < beta && beta < MATE && pieces.any() && !position.is_check()
}
