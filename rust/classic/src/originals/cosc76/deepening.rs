//! `IterativeDeepeningAI` and `BetterAI`: depth after depth, until so many root moves have been searched.
//!
//! **Contract.** Depths 1 to `max_depth - 1`. Before each depth but the first the best move so far is searched again
//! and its value may be replaced ([`Recheck`]; `BetterAI` takes any new value). Then the root moves are searched in order
//! and offered to the choice of the depths before: a value from depth 1 stands beside those of depth 2. The original's
//! `timeout` is a counter: it falls by one with each root move, and the move that meets it at 0 is the last one, so at
//! most `timeout + 1` root moves are searched in all, re-checks not counted.
//!
//! **Quirks.** The choice starts from minus infinity for Black too, so a minimising player finds a move only if it can
//! mate by force. The name that is remembered as played is that of the move looked at last, not of the one chosen. The
//! inner `MinimaxAI` and `EnhancedAlphaBetaAI` remember nothing.
//!
//! Source: the original's `IterativeDeepeningAI` and `BetterAI`; the report and the repository differ in [`Recheck`].

use shakmaty::Move;

use super::evaluation::Position;
use super::evaluation::{Value, evaluate};
use super::heap::Ordered;
use super::root::Recheck;
use super::root::{Best, PlayedMoves};
use super::{NO_WINDOW, Search};
use crate::originals::record::Observer;
use betacut_core::limits::Stopped;

/// The counter that stands for a clock.
struct Countdown(u64);

impl Countdown {
    /// Counts a root move; whether it was the last one.
    fn root_move(&mut self) -> bool {
        let last = self.0 == 0;
        self.0 = self.0.saturating_sub(1);
        last
    }

    fn is_over(&self) -> bool {
        self.0 == 0
    }
}

impl<O: Observer> Search<'_, '_, O> {
    /// Deepens minimax.
    pub(super) fn iterative_deepening_ai(
        &mut self,
        root: &Position,
        max_depth: u32,
        timeout: u64,
        recheck: Recheck,
        played: &mut PlayedMoves,
    ) -> Result<Best, Stopped> {
        self.deepen(
            root,
            max_depth,
            timeout,
            recheck,
            played,
            |search, m, depth| search.minimax_at(root, m, depth),
            |_| Ok(root.node.legal_moves()),
            |search, m, depth| Ok((m, search.minimax_at(root, m, depth)?)),
        )
    }

    /// Deepens alpha-beta with ordered moves and forward pruning; the greatest evaluation is first for Black too.
    pub(super) fn better_ai(
        &mut self,
        root: &Position,
        max_depth: u32,
        move_count: usize,
        timeout: u64,
        played: &mut PlayedMoves,
    ) -> Result<Best, Stopped> {
        self.deepen(
            root,
            max_depth,
            timeout,
            Recheck::Different,
            played,
            |search, m, depth| {
                let child = evaluate(&root.play(m), &search.line);
                let ordered = Ordered { score: child.value, m, child };
                search.enhanced_at(root, ordered, depth, move_count)
            },
            |search| Ok(search.reorder_moves(root, true)?.take(move_count)),
            |search, ordered, depth| Ok((ordered.m, search.enhanced_at(root, ordered, depth, move_count)?)),
        )
    }

    /// Searches to depth 1, 2, …: first the best move so far `again`, then all `moves`, each by `search_move`.
    #[allow(clippy::too_many_arguments)]
    fn deepen<M, Moves: Iterator<Item = M>>(
        &mut self,
        root: &Position,
        max_depth: u32,
        timeout: u64,
        recheck: Recheck,
        played: &mut PlayedMoves,
        again: impl Fn(&mut Self, Move, u32) -> Result<Value, Stopped>,
        moves: impl Fn(&mut Self) -> Result<Moves, Stopped>,
        search_move: impl Fn(&mut Self, M, u32) -> Result<(Move, Value), Stopped>,
    ) -> Result<Best, Stopped> {
        let mut best = Best::from_below(self.maximizing);
        let mut counter = Countdown(timeout);
        let mut last = None;
        self.line.push(&root.node);
        for depth in 1..max_depth {
            // 1. The best move so far, one ply deeper.
            if let Some(m) = best.m {
                self.visit_root(root, depth, &mut best, |search, best| {
                    let value = again(search, m, depth)?;
                    if recheck.replaces(value, best.value) {
                        best.value = value;
                    }
                    Ok(())
                })?;
            }
            // 2. All moves, the best one among them once more.
            self.visit_root(root, depth, &mut best, |search, best| {
                for one in moves(search)? {
                    let (m, value) = search_move(search, one, depth)?;
                    best.offer(m, value, played);
                    last = Some(m);
                    if counter.root_move() {
                        break;
                    }
                }
                Ok(())
            })?;
            if counter.is_over() {
                break;
            }
        }
        self.line.pop();
        // What these players take for the move they played.
        if last.is_some() {
            played.add(last);
        }
        Ok(best)
    }

    fn minimax_at(&mut self, root: &Position, m: Move, depth: u32) -> Result<Value, Stopped> {
        let value = self.visit(m, depth, NO_WINDOW, |search| search.minimax(&root.play(m), depth))?;
        self.searched(m, Some(depth), value);
        Ok(value)
    }

    fn enhanced_at(
        &mut self,
        root: &Position,
        ordered: Ordered,
        depth: u32,
        move_count: usize,
    ) -> Result<Value, Stopped> {
        let value = self.visit(ordered.m, depth, NO_WINDOW, |search| {
            search.enhanced_search(root, ordered, depth, move_count)
        })?;
        self.searched(ordered.m, Some(depth), value);
        Ok(value)
    }
}
