//! `IterativeDeepeningAI` and `BetterAI`: depth after depth, until so many root moves have been searched.
//!
//! **Contract.** Depths 1 to `max_depth - 1`. Before each depth but the first the best move so far is searched again
//! and its value may be replaced: in the repository by a smaller one, in the report, and by `BetterAI`, by any other. Then the root moves are searched in order
//! and offered to the choice of the depths before: a value from depth 1 stands beside those of depth 2. The original's
//! `timeout` is a counter: it falls by one with each root move, and the move that meets it at 0 is the last one, so at
//! most `timeout + 1` root moves are searched in all, re-checks not counted.
//!
//! **Quirks.** The choice starts from minus infinity for Black too, so a minimising player finds a move only if it can
//! mate by force. The name that is remembered as played is that of the move looked at last, not of the one chosen. The
//! inner `MinimaxAI` and `EnhancedAlphaBetaAI` remember nothing.
//!
//! Source: the original's `IterativeDeepeningAI`, in the report and in the repository, and `BetterAI`.

use shakmaty::Move;

use super::evaluation::{Position, Value, evaluate};
use super::heap::Ordered;
use super::root::Best;
use super::{NO_WINDOW, Search};
use crate::Result;

impl Search<'_, '_> {
    /// Deepens minimax.
    pub(super) fn iterative_deepening_ai(&mut self, root: &Position) -> Result<Best> {
        self.deepen(
            root,
            self.settings.report,
            |_| Ok(root.node.legal_moves()),
            |search, m, depth| search.minimax(&root.play(m), depth),
        )
    }

    /// Deepens alpha-beta with ordered moves and forward pruning; the greatest evaluation is first for Black too.
    pub(super) fn better_ai(&mut self, root: &Position) -> Result<Best> {
        self.deepen(
            root,
            true,
            |search| Ok(search.reorder_moves(root, true)?.map(|ordered| ordered.m)),
            |search, m, depth| {
                let child = evaluate(&root.play(m), &search.line);
                search.enhanced_search(root, Ordered { score: child.value, m, child }, depth)
            },
        )
    }

    /// Depths 1, 2, …: first the best move again, replaced by any other value if `different`, else a smaller; then `moves`.
    fn deepen<Moves: Iterator<Item = Move>>(
        &mut self,
        root: &Position,
        different: bool,
        moves: impl Fn(&mut Self) -> Result<Moves>,
        search_move: impl Fn(&mut Self, Move, u32) -> Result<Value>,
    ) -> Result<Best> {
        let search_move = |search: &mut Self, m: Move, depth: u32| {
            let value = search.visit(m, depth, NO_WINDOW, |search| search_move(search, m, depth))?;
            search.searched(m, Some(depth), value);
            Ok(value)
        };
        let mut best = Best::from_below(self.settings.maximizing);
        let mut left = self.settings.timeout;
        let mut last = None;
        self.line.push(&root.node);
        for depth in 1..self.settings.depth {
            // 1. The best move so far, one ply deeper.
            if let Some(m) = best.m {
                self.visit_root(root, depth, &mut best, |search, best| {
                    let value = search_move(search, m, depth)?;
                    if value < best.value || (different && value > best.value) {
                        best.value = value;
                    }
                    Ok(())
                })?;
            }
            // 2. All moves, the best one among them once more, until the counter that stands for a clock has run out.
            self.visit_root(root, depth, &mut best, |search, best| {
                for m in moves(search)? {
                    let value = search_move(search, m, depth)?;
                    best.offer(m, value, search.played);
                    last = Some(m);
                    if left == 0 {
                        break;
                    }
                    left -= 1;
                }
                Ok(())
            })?;
            if left == 0 {
                break;
            }
        }
        self.line.pop();
        // What these players take for the move they played.
        if last.is_some() {
            self.played.add(last);
        }
        Ok(best)
    }
}
