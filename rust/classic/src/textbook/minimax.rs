//! Minimax: the value of a position is the best its side to move can reach against the best replies.
//!
//! **Contract.** Values are centipawns from White's view; [`Search::minimax_by`] chooses for White (the original's
//! `maxValue`) or for Black (`minValue`), whichever side is to move. A finished game is worth its terminal value, and sooner
//! is better: `value - depth` where White chooses, `value + depth` where Black does, so that a mate counts ±(100000 +
//! remaining depth) and a draw ∓(remaining depth). At depth 0 a position is worth its score, or what is left of it
//! once captures have been played out ([`super::captures`]). Every call is counted, those the memo answers included.
//!
//! **Memo.** [`Search::minimax`] stores every result under (position, depth); it looks before anything else. The
//! same position at the same depth always has the same value, so the memo changes the time and nothing else
//! (but for the halfmove clock, which is no part of the original's key; see [`crate::cache`]).
//!
//! **Cost.** All nodes: with w moves per position about w^depth leaves, and the root's children once more.
//!
//! Source: C. Shannon, "Programming a Computer for Playing Chess" (1950); the original Julia program's `maxValue`,
//! `minValue`; chessprogramming.org "Minimax".

use super::frontier::Frontier;
use super::prelude::*;
use crate::cache::Entry;
use betacut_core::window::Bound;

impl<L: Lab> Search<'_, '_, L> {
    /// Minimax without a memo: the value and every best move.
    pub(super) fn minimax_no_memo<S: Side>(
        &mut self,
        root: &Position,
        depth: Depth,
        captures: bool,
    ) -> Result<SearchResult> {
        self.captures = captures;
        let result = self.minimax_root::<S, false>(root, depth)?;
        self.with_exact_line(root, result)
    }

    /// Minimax with a memo: the value and every best move.
    pub(super) fn minimax<S: Side>(&mut self, root: &Position, depth: Depth) -> Result<SearchResult> {
        let result = self.minimax_root::<S, true>(root, depth)?;
        let pv = self.remembered_line(root, &result, false, |cache, node, depth| {
            let key = cache.key_at(node.key, node.halfmove_clock, depth);
            cache.lookup(key, node.score).and_then(Entry::exact)
        });
        Ok(SearchResult { pv, ..result })
    }

    /// The value and every best move of a root with the side `S` to move.
    fn minimax_root<S: Side, const MEMO: bool>(
        &mut self,
        root: &Position,
        depth: Depth,
    ) -> Result<SearchResult> {
        self.all_best_moves(
            root,
            depth,
            |search| {
                search.remember::<S, MEMO>(Node::of(root), depth, |search| {
                    search.minimax_by::<S, MEMO>(root, depth)
                })
            },
            |search, children, m| search.minimax_child_by::<S::Other, MEMO>(children, m, depth - 1),
        )
    }

    /// The value of `position` with the side `S` to choose.
    pub(super) fn minimax_by<S: Side, const MEMO: bool>(
        &mut self,
        position: &Position,
        depth: Depth,
    ) -> Result<Score> {
        // 1. Count the call.
        self.enter(S::own(Function::MaxValue, Function::MinValue))?;
        if !MEMO && depth == 0 {
            return self.quiet_leaf::<false>(position, Window::FULL);
        }
        // 2. A finished game: its value, and sooner is better.
        let mut children = self.children(position, depth);
        if let Some(value) = self.finished(&mut children, depth)? {
            return Ok(S::sooner(value, depth));
        }
        // 3. The best of the children.
        let (mut value, mut best) = (S::WORST, None);
        while let Some(m) = children.next() {
            let child = self.minimax_child_by::<S::Other, MEMO>(&children, m, depth - 1)?;
            best = if !L::BARE && S::is_better(child, value) { Some(m) } else { best };
            value = S::best(value, child);
        }
        self.lab.was_best(position, best);
        Ok(value)
    }

    /// The value of the child after `m` with the side `S` to choose.
    #[inline]
    fn minimax_child_by<S: Side, const MEMO: bool>(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
    ) -> Result<Score> {
        let (parent, function) = (children.parent, S::own(Function::MaxValue, Function::MinValue));
        self.visit(Some(m), depth, Window::FULL, move |search| {
            search.remember::<S, MEMO>(Node::after(parent, m), depth, |search| match &children.frontier {
                Some(frontier) if L::BARE => Ok(search.leaf(function, frontier.value(m))),
                Some(frontier) => search.leaf_after(function, frontier, m),
                None => {
                    let child = search.lab.play(parent, m);
                    search.minimax_by::<S, MEMO>(&child, depth)
                }
            })
        })
    }

    /// Counts a call of `function` that is answered with `value` at depth 0.
    #[inline]
    pub(super) fn leaf(&mut self, function: Function, value: Score) -> Score {
        self.statistics.leaf(function);
        value
    }

    /// Counts a call of `function` at depth 0, after `m`, and answers it.
    #[inline]
    pub(super) fn leaf_after(
        &mut self,
        function: Function,
        frontier: &Frontier<'_>,
        m: Move,
    ) -> Result<Score> {
        self.statistics.leaf(function);
        if L::BARE {
            return Ok(frontier.value(m));
        }
        let leaf = self.lab.play(frontier.parent, m);
        self.value_of_leaf(&leaf)
    }

    /// Counts a call of `function` at depth 0, in a position that has been made, and answers it.
    pub(super) fn leaf_at(&mut self, function: Function, leaf: &Position) -> Result<Score> {
        self.statistics.leaf(function);
        self.value_of_leaf(leaf)
    }

    /// The value at depth 0: the terminal value if the game is over, else what the evaluation says.
    fn value_of_leaf(&mut self, leaf: &Position) -> Result<Score> {
        let ending = self.ending(leaf);
        self.lab.mark(ending.map_or(End::Leaf, End::from));
        if let Some(ending) = ending {
            return Ok(ending.value(leaf.turn()));
        }
        let score = self.lab.score(leaf)?;
        self.lab.tell(|recorder| recorder.scored(score));
        Ok(score)
    }

    /// The memo of minimax: the stored value of (position, depth), or `compute`'s, which is then stored.
    #[inline]
    fn remember<S: Side, const MEMO: bool>(
        &mut self,
        node: Node,
        depth: Depth,
        compute: impl FnOnce(&mut Self) -> Result<Score>,
    ) -> Result<Score> {
        if !MEMO {
            return compute(self);
        }
        // 1. Look before anything else; an answered call counts as a call. (Which function it is follows from the side to
        //    move.)
        let start = self.lab.start();
        let key = self.cache.key_at(node.key, node.halfmove_clock, depth);
        self.statistics.cache_lookups += 1;
        let place = self.cache.find(key);
        let known = self.cache.entry(place, key, node.score);
        self.lab.stop(Work::Table, start);
        if let Some(entry) = known {
            self.statistics.calls[S::own(Function::MaxValue, Function::MinValue)] += 1;
            self.statistics.cache_hits += 1;
            self.lab.mark(End::Table);
            return Ok(entry.value);
        }
        // 2. Compute and store.
        let value = compute(self)?;
        let entry = Entry::new(Bound::Exact, value, depth);
        let start = self.lab.start();
        let stored = self.cache.store_at(place, key, node.score, entry)?;
        self.lab.stop(Work::Table, start);
        self.statistics.cache_stores += u64::from(stored);
        Ok(value)
    }
}
