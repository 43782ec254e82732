//! Iterative deepening: alpha-beta to depth 1, 2, 3, …, each depth ordering the moves by what the one before
//! found.
//!
//! **Contract.** Each depth calls [`Search::evaluate`] (see [`super::alpha_beta`]) on the root with the window
//! (-100000, 100000). The pair here differs from alpha-beta's in four ways: a finished game is worth its plain
//! terminal value; the last depth, if asked, ends in quiescence; the children come in the order of their values in
//! the memo; and the value starts at the bound, so a failing search returns it (fail-hard on the low side).
//! Deepening stops at once when the value is ±100000: one side mates by force.
//!
//! **Best moves** are read from the memo: every child with an exact entry of the root's value. The entry may come
//! from any depth, unless the cache is exact, and a cut-off child has none, so the list can be incomplete, or differ
//! from minimax's. If it is empty every child is searched once more with the full window.
//!
//! **Ordering.** A child counts with the value of whatever entry the memo has for it, if that was stored for a
//! depth of at least `depth - 2`, and otherwise comes last. The queue is a binary heap, and which of two equal
//! children it yields first is part of the node counts, so the heap is written out ([`Queue`]).
//!
//! Source: the original Julia program's iterative deepening; chessprogramming.org "Iterative Deepening".

use std::time::Instant;

use super::frontier::Frontier;
use super::prelude::*;
use crate::cache::Entry;
use betacut_core::score::MAX_DEPTH;

/// The root's window: nothing is better than mate.
const ROOT_WINDOW: Window = Window { alpha: -MATE, beta: MATE };

/// How much shallower than asked an entry may be to order a child.
const ORDERING_DEPTH_GAP: Depth = 2;

impl<L: Lab> Search<'_, '_, L> {
    /// The value of the last depth reached, with the best moves the memo knows, of a root with the side `S` to move.
    pub(super) fn iterative_deepening<S: Side>(
        &mut self,
        root: &Position,
        depth: Depth,
        quiescence: bool,
        increase_depth_below: f64,
    ) -> Result<SearchResult> {
        let start = Instant::now();
        let mut last = depth;
        let mut reached = 0;
        let mut score = 0;
        // 1. Deepen.
        while reached < last {
            reached += 1;
            let before = self.statistics.calls;
            let quiesce = quiescence && reached == last;
            score = self.visit(None, reached, ROOT_WINDOW, |search| {
                search.evaluate(Node::of(root), reached, ROOT_WINDOW, |search, window| {
                    search.deepen_by::<S>(root, reached, window, quiesce)
                })
            })?;
            self.iterated(before, reached, score, self.cache.len());
            // 2. One side mates by force: no greater depth changes that.
            if score.abs() == MATE {
                break;
            }
            // 3. Time left for another depth.
            if reached == last && last < MAX_DEPTH && start.elapsed().as_secs_f64() < increase_depth_below {
                last += 1;
            }
        }
        self.root_is_known();
        // 4. The moves.
        let best_moves = self.best_moves_of_memo::<S>(root, reached, score, quiescence)?;
        self.statistics.cache_size = self.cache.len();
        Ok(self.with_line_of_bounds(root, self.result(reached, score, best_moves)))
    }

    /// The moves whose exact value in the memo is the score; if there are none, those that reach it when searched
    /// again.
    fn best_moves_of_memo<S: Side>(
        &mut self,
        root: &Position,
        depth: Depth,
        score: Score,
        quiescence: bool,
    ) -> Result<Vec<Move>> {
        let mut children = Children::<L>::new(root, depth);
        let moves: Vec<Move> = children.by_ref().collect();
        if children.ending.is_some() {
            return Ok(Vec::new());
        }
        self.below(root, |search| {
            // 1. From the memo.
            let mut best_moves = moves.clone();
            best_moves.retain(|&m| {
                let (exact, known) = (search.cache.is_exact(), search.known(root, m, depth - 1));
                known.filter(|&entry| !exact || search.cache.answers(entry, depth - 1)).and_then(Entry::exact)
                    == Some(score)
                    && (exact || search.earlier_occurrences(root, m) != 3)
            });
            if !best_moves.is_empty() {
                return Ok(best_moves);
            }
            // 2. By searching again; a third occurrence is worth 0 without asking.
            search.statistics.best_moves_recalculated = true;
            for &m in &moves {
                let value = if !search.cache.is_exact() && search.earlier_occurrences(root, m) + 1 == 3 {
                    0
                } else {
                    search.deepen_child_by::<S::Other>(&children, m, depth - 1, ROOT_WINDOW, quiescence)?
                };
                if value == score {
                    best_moves.push(m);
                }
            }
            Ok(best_moves)
        })
    }

    /// What the memo has for the child after `m` at `depth`.
    #[inline(always)]
    fn known(&self, parent: &Position, m: Move, depth: Depth) -> Option<Entry> {
        let key = self.cache.key(parent.key_after(m), parent.halfmove_clock_after(m), depth);
        self.cache.lookup(key, parent.score_after(m))
    }

    /// How often the position after `m` occurred before the move. `parent` is the last position of the path.
    fn earlier_occurrences(&self, parent: &Position, m: Move) -> usize {
        self.occurrences(parent.key_after(m).whole, parent.reversible_after(m))
    }

    /// The value of `position` at `depth >= 1` in `window` with the side `S` to choose: the original's `max_value` or
    /// `min_value` of iterative deepening.
    fn deepen_by<S: Side>(
        &mut self,
        position: &Position,
        depth: Depth,
        window: Window,
        quiescence: bool,
    ) -> Result<Score> {
        // 1. Count the call; 2. a finished game.
        self.enter(S::own(Function::MaxValue, Function::MinValue))?;
        let mut children = self.children(position, depth);
        if let Some(value) = self.finished(&mut children, depth)? {
            return Ok(value);
        }
        // 3. The children, best first as far as the memo knows.
        let start = self.lab.start();
        let mut queue = self.ordered::<S>(&mut children, depth);
        self.lab.stop(Work::Ordering, start);
        self.below(position, |search| {
            let mut best = None;
            let mut value = S::sure(window);
            for index in 0.. {
                let Some(m) = queue.pop() else {
                    break;
                };
                let window = S::with_sure(window, value);
                let found =
                    search.deepen_child_by::<S::Other>(&children, m, depth - 1, window, quiescence)?;
                best = if S::is_better(found, value) { Some(m) } else { best };
                value = S::best(value, found);
                if S::cuts(value, window) {
                    search.cutoff(position, m, depth, index == 0);
                    return Ok(value); // beta cutoff, or for Black alpha cutoff
                }
            }
            search.lab.was_best(position, best);
            Ok(value)
        })
    }

    /// The value of the child after `m` with the side `S` to choose, through the memo.
    fn deepen_child_by<S: Side>(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
        window: Window,
        quiescence: bool,
    ) -> Result<Score> {
        let parent = children.parent;
        self.visit(Some(m), depth, window, |search| {
            search.evaluate(Node::after(parent, m), depth, window, |search, window| {
                match &children.frontier {
                    Some(frontier) if quiescence => search.quiesced_leaf::<S>(frontier, m, window),
                    Some(frontier) => {
                        search.leaf_after(S::own(Function::MaxValue, Function::MinValue), frontier, m)
                    }
                    None => {
                        let child = search.lab.play(parent, m);
                        search.deepen_by::<S>(&child, depth, window, quiescence)
                    }
                }
            })
        })
    }

    /// Depth 0 of the last iteration: a finished game is worth its terminal value, everything else is quiesced.
    fn quiesced_leaf<S: Side>(&mut self, frontier: &Frontier<'_>, m: Move, window: Window) -> Result<Score> {
        let child = self.lab.play(frontier.parent, m);
        let ending = self.ending(&child);
        self.statistics.leaf(S::own(Function::MaxValue, Function::MinValue));
        self.lab.mark(ending.map_or(End::Leaf, End::from));
        if let Some(ending) = ending {
            return Ok(ending.value(child.turn()));
        }
        self.observe_score(&child);
        // A call of its own, in the same position.
        self.visit(None, 0, window, |search| search.quiesce_by::<S>(&child, 0, window))
    }

    /// The children in a queue, the best first by their values in the memo; unknown ones come last.
    fn ordered<S: Side>(&self, children: &mut Children<'_, L>, depth: Depth) -> Queue {
        let parent = children.parent;
        let mut queue = Queue::default();
        for m in children {
            let known = self
                .known(parent, m, depth - 1)
                .filter(|entry| Depth::from(entry.depth) >= depth - ORDERING_DEPTH_GAP);
            queue.push(known.map_or(INFINITY, |entry| S::own(-entry.value, entry.value)), m);
        }
        queue
    }
}

/// A binary min-heap. Among equal priorities its order is that of the original's heap: it is neither first in,
/// first out nor the reverse, and the node counts depend on it.
#[derive(Debug, Default)]
struct Queue {
    heap: Vec<(Score, Move)>,
}

impl Queue {
    /// Appends an element and lets it rise while it is strictly smaller than its parent.
    fn push(&mut self, priority: Score, m: Move) {
        let mut index = self.heap.len();
        self.heap.push((priority, m));
        while index > 0 {
            let parent = (index - 1) / 2;
            if priority >= self.heap[parent].0 {
                break;
            }
            self.heap.swap(index, parent);
            index = parent;
        }
    }

    /// Takes the smallest element. The last one replaces it and sinks while the smaller child, the right one if they
    /// are equal, is strictly smaller than it.
    fn pop(&mut self) -> Option<Move> {
        if self.heap.is_empty() {
            return None;
        }
        let (_, m) = self.heap.swap_remove(0);
        let mut index = 0;
        loop {
            let (left, right) = (2 * index + 1, 2 * index + 2);
            if left >= self.heap.len() {
                break;
            }
            let child =
                if right >= self.heap.len() || self.heap[left].0 < self.heap[right].0 { left } else { right };
            if self.heap[child].0 >= self.heap[index].0 {
                break;
            }
            self.heap.swap(index, child);
            index = child;
        }
        Some(m)
    }
}
