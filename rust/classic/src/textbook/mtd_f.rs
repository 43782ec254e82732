//! MTD(f): close in on the value from one side, with nothing but null windows.
//!
//! **Contract.** A search with the window `(beta - 1, beta)` tells whether the value is beta or more, and by fail-soft
//! bounds often more than that. The driver ([`Search::converge`]) asks again and again until the two bounds meet; each
//! pass is a record in the statistics' iterations. The value is minimax's with an exact cache; with the other rule a
//! deeper entry answers a shallower question.
//!
//! **Memo.** Fail-soft alpha-beta through [`Search::evaluate_as`], which keeps values from the view of the side to move. The
//! value of a leaf is stored as exact, wherever it lies against the window, so that no later pass looks at the leaf again.
//! [`super::sss_star`] is the same with the guess plus infinity; for it, the memo may also know a position by the line
//! that led there (`LINES`).
//!
//! Source: A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "Best-first fixed-depth minimax algorithms" (1996);
//! chessprogramming.org "MTD(f)".

use shakmaty::{CastlingMode, Color};

use super::prelude::*;
use crate::cache::Cache;
use crate::observer::code;
use betacut_core::move_order::move_code;
use betacut_core::position::{Key, PositionKey};
use betacut_core::random::splitmix64;

impl<L: Lab> Search<'_, '_, L> {
    /// MTD(f) from `guess` (White's view; without one, the static score): the value and every best move.
    pub(super) fn mtd_f(
        &mut self,
        root: &Position,
        depth: Depth,
        guess: Option<Score>,
    ) -> Result<SearchResult> {
        let turn = root.turn();
        // 1. The value of the root, pass by pass.
        let guess = self.guess_or_score(root, guess)?;
        let value = self.converge(turn, depth, view_of(turn, guess), true, |search, window| {
            search.memo_root::<false>(root, depth, window)
        })?;
        // 2. The best moves, with the full window.
        self.best_moves_as(root, depth, value, |search, children, m| {
            search.memo_child::<false>(children, m, Line::default(), depth - 1, Window::FULL)
        })
    }

    /// The value for the side to move, `turn`, of the position that `ask` searches in the windows it is given. `recorded`
    /// says whether the passes are kept.
    pub(super) fn converge(
        &mut self,
        turn: Color,
        depth: Depth,
        guess: Score,
        recorded: bool,
        mut ask: impl FnMut(&mut Self, Window) -> Result<Score>,
    ) -> Result<Score> {
        // 1. Nothing is known yet.
        let mut bounds = Window::FULL;
        let mut value = guess;
        while bounds.alpha < bounds.beta {
            // 2. Is the value as great as the last one? If that is known already: is it greater?
            let beta = if value == bounds.alpha { value + 1 } else { value };
            let before = self.statistics.calls;
            value = ask(self, Window { alpha: beta - 1, beta })?;
            // 3. One of the two bounds moves, often by more than the one centipawn.
            if value < beta {
                bounds.beta = value;
            } else {
                bounds.alpha = value;
            }
            if recorded {
                self.iterated(before, depth, view_of(turn, value), self.cache.len());
            }
        }
        Ok(value)
    }

    /// The value of the root in `window`, both for the side to move, through the memo.
    pub(super) fn memo_root<const LINES: bool>(
        &mut self,
        root: &Position,
        depth: Depth,
        window: Window,
    ) -> Result<Score> {
        let line = Line::default();
        self.visit_as(root.turn(), NO_MOVE, depth, window, |search| {
            search.ask_memo::<LINES>(Node::of(root), root.turn(), line, depth, window, |search, window| {
                search.memo_search::<LINES>(root, line, depth, window)
            })
        })
    }

    /// The value of the child after `m` in `window`, both for the side to move there, through the memo. `line` leads to
    /// the parent.
    pub(super) fn memo_child<const LINES: bool>(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        line: Line,
        depth: Depth,
        window: Window,
    ) -> Result<Score> {
        let parent = children.parent;
        let (turn, node) = (!parent.turn(), Node::after(parent, m));
        let line = if LINES { line.then(m) } else { line };
        self.visit_as(turn, code(Some(m)), depth, window, |search| {
            search.ask_memo::<LINES>(node, turn, line, depth, window, |search, window| {
                if let Some(frontier) = &children.frontier {
                    let score = search.leaf_after(Function::AlphaBetaFailSoft, frontier, m)?;
                    return Ok((view_of(turn, score), true));
                }
                let child = search.lab.play(parent, m);
                search.memo_search::<LINES>(&child, line, depth, window)
            })
        })
    }

    /// [`Search::fail_soft`] whose children go through the memo: the value, and whether it is that of the end of the game.
    fn memo_search<const LINES: bool>(
        &mut self,
        position: &Position,
        line: Line,
        depth: Depth,
        window: Window,
    ) -> Result<(Score, bool)> {
        // 1. Count the call.
        self.enter(Function::AlphaBetaFailSoft)?;
        // 2. A finished game: its value, and sooner is better.
        let mut children = self.children(position, depth);
        if let Some(value) = self.finished(&mut children, depth)? {
            return Ok((view_of(position.turn(), value) - depth, true));
        }
        // 3. The children, as in fail-soft alpha-beta.
        let (value, _) = self.below(position, |search| {
            search.best_child(&mut children, depth, window, |search, children, m, left| {
                Ok(-search.memo_child::<LINES>(children, m, line, depth - 1, left.turned())?)
            })
        })?;
        Ok((value, false))
    }

    /// The memo in front of [`Search::memo_search`], from the view of `turn`, the side to move. `compute` also says whether
    /// the value is exact wherever it lies.
    fn ask_memo<const LINES: bool>(
        &mut self,
        node: Node,
        turn: Color,
        line: Line,
        depth: Depth,
        window: Window,
        compute: impl FnOnce(&mut Self, Window) -> Result<(Score, bool)>,
    ) -> Result<Score> {
        let key = |cache: &Cache| {
            if LINES {
                PositionKey { whole: line.0, ..node.key }
            } else {
                cache.key(node.key, node.halfmove_clock, depth)
            }
        };
        self.evaluate_as(turn, node, key, depth, window, compute)
    }
}

/// The moves from the root to a position, as a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Line(Key);

impl Line {
    /// The line that goes on with `m`.
    pub(super) fn then(self, m: Move) -> Line {
        // Each half is mixed with a number of its own, so that the order of the moves counts in both.
        let code = u64::from(move_code(m, CastlingMode::Chess960)) + 1;
        let Key { low, high } = self.0.with(code);
        Line(Key { low: splitmix64(low), high: splitmix64(high ^ 0x5851_f42d_4c95_7f2d) })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_line_is_known_by_its_moves_and_their_order() {
        let moves: Vec<Move> = Position::initial().legal_moves().collect();
        let mut lines = HashSet::from([u128::from(Line::default().0)]);
        for &first in &moves {
            let line = Line::default().then(first);
            lines.insert(line.0.into());
            lines.extend(moves.iter().map(|&second| u128::from(line.then(second).0)));
        }
        assert_eq!(lines.len(), 1 + 20 + 400);
    }
}
