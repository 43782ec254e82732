//! Minimax: the value of a position is the best its side to move can reach against the best replies.
//!
//! **Contract.** Values are centipawns from White's view; [`Search::max_value`] chooses for White,
//! [`Search::min_value`] for Black, whoever is to move. A finished game is worth its terminal value, and sooner is
//! better: `value - depth` where White chooses, `value + depth` where Black does, so that a mate counts ±(100000 +
//! remaining depth) and a draw ∓(remaining depth). At depth 0 a position is worth its score, or what
//! is left of it once captures have been played out ([`super::captures`]). Every call is counted, those the memo
//! answers included.
//!
//! **Memo.** [`Search::minimax`] stores every result under (position, depth); it looks before anything else. The
//! same position at the same depth always has the same value, so the memo changes the time and nothing else
//! (but for the halfmove clock, which is no part of the original's key; see [`crate::cache`]).
//!
//! **Cost.** All nodes: with w moves per position about w^depth leaves, and the root's children once more.
//!
//! Source: C. Shannon, "Programming a Computer for Playing Chess" (1950); the original Julia program's `maxValue`,
//! `minValue`; chessprogramming.org "Minimax".

use shakmaty::Move;

use super::alpha_beta::Node;
use super::frontier::Frontier;
use super::lab::{Lab, mark};
use super::search::{Children, Search};
use super::{Function, SearchResult};
use crate::cache::Entry;
use crate::observer::End;
use betacut_core::limits::Stopped;
use betacut_core::position::Position;
use betacut_core::rules::CHESS_JL;
use betacut_core::score::{Depth, INFINITY, Score};
use betacut_core::window::{Bound, Window};

impl<L: Lab> Search<'_, '_, L> {
    /// Minimax without a memo: the value and every best move.
    pub(super) fn minimax_no_memo(
        &mut self,
        root: &Position,
        depth: Depth,
        captures: bool,
    ) -> Result<SearchResult, Stopped> {
        self.captures = captures;
        let mut result = self.minimax_root::<false>(root, depth)?;
        result.pv = self.exact_line(root, &result)?;
        Ok(result)
    }

    /// Minimax with a memo: the value and every best move.
    pub(super) fn minimax(&mut self, root: &Position, depth: Depth) -> Result<SearchResult, Stopped> {
        let mut result = self.minimax_root::<true>(root, depth)?;
        result.pv = self.remembered_line(root, &result, false, |cache, key, score, clock, depth| {
            cache.lookup(cache.key_at(key, clock, depth), score).and_then(Entry::exact)
        });
        Ok(result)
    }

    fn minimax_root<const MEMO: bool>(
        &mut self,
        root: &Position,
        depth: Depth,
    ) -> Result<SearchResult, Stopped> {
        self.all_best_moves(
            root,
            depth,
            |search| {
                let function = if root.turn().is_white() { Function::MaxValue } else { Function::MinValue };
                search.remember::<MEMO>(function, Node::of(root), depth, |search| {
                    if root.turn().is_white() {
                        search.max_value::<MEMO>(root, depth)
                    } else {
                        search.min_value::<MEMO>(root, depth)
                    }
                })
            },
            |search, children, m| {
                if root.turn().is_white() {
                    search.min_child::<MEMO>(children, m, depth - 1)
                } else {
                    search.max_child::<MEMO>(children, m, depth - 1)
                }
            },
        )
    }

    /// The value of `position` with White to choose.
    pub(super) fn max_value<const MEMO: bool>(
        &mut self,
        position: &Position,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        // 1. Count the call.
        self.enter(Function::MaxValue)?;
        if !MEMO && depth == 0 {
            return self.quiet_leaf_of_minimax(position);
        }
        // 2. A finished game: its value, and sooner is better.
        let mut children = self.children(position, depth);
        self.prepare(&mut children, depth)?;
        if let Some(value) = children.ending {
            self.statistics.leaves += 1;
            return Ok(value - depth);
        }
        // 3. The best of the children.
        let (mut value, mut best) = (-INFINITY, None);
        while let Some(m) = children.next() {
            let child = self.min_child::<MEMO>(&children, m, depth - 1)?;
            best = if !L::BARE && child > value { Some(m) } else { best };
            value = value.max(child);
        }
        self.lab.was_best(position, best);
        Ok(value)
    }

    /// The value of `position` with Black to choose.
    pub(super) fn min_value<const MEMO: bool>(
        &mut self,
        position: &Position,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        // 1. Count the call.
        self.enter(Function::MinValue)?;
        if !MEMO && depth == 0 {
            return self.quiet_leaf_of_minimax(position);
        }
        // 2. A finished game: its value, and sooner is better.
        let mut children = self.children(position, depth);
        self.prepare(&mut children, depth)?;
        if let Some(value) = children.ending {
            self.statistics.leaves += 1;
            return Ok(value + depth);
        }
        // 3. The best of the children.
        let (mut value, mut best) = (INFINITY, None);
        while let Some(m) = children.next() {
            let child = self.max_child::<MEMO>(&children, m, depth - 1)?;
            best = if !L::BARE && child < value { Some(m) } else { best };
            value = value.min(child);
        }
        self.lab.was_best(position, best);
        Ok(value)
    }

    /// The value of the child after `m` with White to choose.
    #[inline]
    fn max_child<const MEMO: bool>(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        let parent = children.parent;
        self.visit(Some(m), depth, Window::FULL, move |search| {
            search.remember::<MEMO>(Function::MaxValue, Node::after(parent, m), depth, |search| {
                match &children.frontier {
                    Some(frontier) if L::BARE => Ok(search.leaf(Function::MaxValue, frontier.value(m))),
                    Some(frontier) => search.leaf_after(Function::MaxValue, frontier, m),
                    None => search.max_value::<MEMO>(&parent.play(m), depth),
                }
            })
        })
    }

    /// The value of the child after `m` with Black to choose.
    #[inline]
    fn min_child<const MEMO: bool>(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        let parent = children.parent;
        self.visit(Some(m), depth, Window::FULL, move |search| {
            search.remember::<MEMO>(Function::MinValue, Node::after(parent, m), depth, |search| {
                match &children.frontier {
                    Some(frontier) if L::BARE => Ok(search.leaf(Function::MinValue, frontier.value(m))),
                    Some(frontier) => search.leaf_after(Function::MinValue, frontier, m),
                    None => search.min_value::<MEMO>(&parent.play(m), depth),
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
    ) -> Result<Score, Stopped> {
        self.statistics.leaf(function);
        if L::BARE { Ok(frontier.value(m)) } else { self.value_of_leaf(&frontier.parent().play(m)) }
    }

    /// Counts a call of `function` at depth 0, in a position that has been made, and answers it.
    pub(super) fn leaf_at(&mut self, function: Function, leaf: &Position) -> Result<Score, Stopped> {
        self.statistics.leaf(function);
        self.value_of_leaf(leaf)
    }

    /// The value at depth 0: the terminal value if the game is over, else what the evaluation says.
    fn value_of_leaf(&mut self, leaf: &Position) -> Result<Score, Stopped> {
        let ending = CHESS_JL.ending(leaf);
        mark(&mut self.lab, ending.map_or(End::Leaf, End::from));
        if let Some(ending) = ending {
            return Ok(ending.value(leaf.turn()));
        }
        let score = self.lab.score(leaf)?;
        if let Some(recorder) = self.lab.recorder() {
            recorder.scored(score);
        }
        Ok(score)
    }

    /// The memo of minimax: the stored value of (position, depth), or `compute`'s, which is then stored.
    #[inline]
    fn remember<const MEMO: bool>(
        &mut self,
        function: Function,
        node: Node,
        depth: Depth,
        compute: impl FnOnce(&mut Self) -> Result<Score, Stopped>,
    ) -> Result<Score, Stopped> {
        if !MEMO {
            return compute(self);
        }
        // 1. Look before anything else; an answered call counts as a call. (Which function it is follows from the side to
        //    move.)
        let key = self.cache.key_at(node.key, node.halfmove_clock, depth);
        self.statistics.cache_lookups += 1;
        let place = self.cache.find(key);
        if let Some(entry) = self.cache.entry(place, key, node.score) {
            self.statistics.calls[function] += 1;
            self.statistics.cache_hits += 1;
            mark(&mut self.lab, End::Table);
            return Ok(entry.value);
        }
        // 2. Compute and store.
        let value = compute(self)?;
        let entry = Entry::new(Bound::Exact, value, depth);
        let stored = self.cache.store_at(place, key, node.score, entry)?;
        self.statistics.cache_stores += u64::from(stored);
        Ok(value)
    }
}
