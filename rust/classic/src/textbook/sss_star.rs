//! SSS*: best-first search, twice.
//!
//! **Contract.** The value of minimax. Stockman's SSS* keeps a list of states (OPEN): a position, whether it is solved, and
//! its merit, an upper bound of what the side to move at the root can reach through it. The state with the greatest merit,
//! the leftmost among equals, is replaced by others by six rules (the operator Γ) until the root is solved. Plaat,
//! Schaeffer, Pijls and de Bruin showed that this is MTD(f) ([`super::mtd_f`]) with the guess plus infinity. Both are here:
//! where a position that is reached in two ways counts as two, they visit the same leaves in the same order. With Black
//! to move at the root everything is meant from Black's view.
//!
//! **Cost.** No leaf that alpha-beta would leave out. The list holds about the square root of minimax's leaves, and takes
//! logarithmic time for each state.
//!
//! Source: G. Stockman, "A minimax algorithm better than alpha-beta?" (1979); A. Plaat, J. Schaeffer, W. Pijls and A. de
//! Bruin, "Best-first fixed-depth minimax algorithms" (1996).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::rc::Rc;

use super::mtd_f::Line;
use super::prelude::*;
use betacut_core::limits::Headroom;

/// What a state takes, with its places in both indices. Bytes.
const STATE_SIZE: usize = 256;

impl<L: Lab> Search<'_, '_, L> {
    /// SSS* by null windows from above, with a memo of positions, or of lines (`LINES`): the value and every best move.
    pub(super) fn sss_star_by_table<const LINES: bool>(
        &mut self,
        root: &Position,
        depth: Depth,
    ) -> Result<SearchResult> {
        let turn = root.turn();
        let value = self.converge(turn, depth, INFINITY, true, |search, window| {
            search.memo_root::<LINES>(root, depth, window)
        })?;
        self.best_moves_as(root, depth, value, |search, children, m| {
            search.converge(!turn, depth - 1, INFINITY, false, |search, window| {
                search.memo_child::<LINES>(children, m, Line::default(), depth - 1, window)
            })
        })
    }

    /// SSS* by Stockman's list: the value and every best move. It cannot be recorded, for it jumps about in the tree.
    pub(super) fn sss_star_by_list(&mut self, root: &Position, depth: Depth) -> Result<SearchResult> {
        let value = self.stockman(root, depth)?;
        self.best_moves_as(root, depth, value, |search, children, m| {
            search.stockman(&children.parent.play(m), depth - 1)
        })
    }

    /// The value of `root` at `depth >= 0` for the side to move, by Stockman's rules.
    fn stockman(&mut self, root: &Position, depth: Depth) -> Result<Score> {
        // 1. The root is live, and everything can be hoped for.
        let mut open = Open::default();
        open.insert(Path::from([]), State { above: None, is_solved: false, merit: INFINITY })?;
        while let Some((path, state)) = open.take_best() {
            // 2. The root is solved.
            if state.is_solved && path.is_empty() {
                return Ok(state.merit);
            }
            // 3. Otherwise the state is replaced by others.
            if state.is_solved {
                after_solved(&path, state, &mut open)?;
            } else {
                self.after_live(path, state, root, depth, &mut open)?;
            }
        }
        unreachable!("the root is solved before the list is empty")
    }

    /// Replaces a live state (Stockman's cases 4 to 6): this is where positions are looked at.
    fn after_live<'v>(
        &mut self,
        path: Path,
        state: State<'v>,
        root: &Position<'v>,
        depth: Depth,
        open: &mut Open<'v>,
    ) -> Result<()> {
        self.enter(Function::SssStar)?;
        let left = depth - path.len() as Depth;
        let played = state.m(&path).map(|(above, m)| self.lab.play(&above.position, m));
        let position = played.as_ref().unwrap_or(root);
        let mut children = self.children(position, left);
        // 4. A leaf is solved: by its score, if that is less than was hoped for.
        let value = match children.ending {
            Some(value) => Some(view_of(position.turn(), value) - left),
            None if left == 0 => Some(view_of(position.turn(), self.lab.score(position)?)),
            None => None,
        };
        if let Some(value) = value {
            self.statistics.leaves += 1;
            let value = if is_max(&path) { value } else { -value };
            return open.insert(path, State { is_solved: true, merit: state.merit.min(value), ..state });
        }
        // 5. Where the other side is to move, its first move. 6. Where the side of the root is to move, all moves.
        self.sort(&mut children, left)?;
        let moves: Vec<Move> = children.by_ref().collect();
        drop(children);
        let count = if is_max(&path) { moves.len() } else { 1 };
        let merit = state.merit;
        let position = played.unwrap_or_else(|| root.clone());
        let above = Rc::new(Expanded { position, moves, above: state.above });
        for index in 0..count {
            let state = State { above: Some(Rc::clone(&above)), is_solved: false, merit };
            open.insert(below(&path, index), state)?;
        }
        Ok(())
    }
}

/// Replaces a solved state, not the root (Stockman's cases 1 to 3).
fn after_solved<'v>(path: &Path, mut state: State<'v>, open: &mut Open<'v>) -> Result<()> {
    let (Some(above), Some((&index, parent))) = (state.above.take(), path.split_last()) else {
        unreachable!("only the root has nothing above");
    };
    let next = usize::from(index) + 1;
    if is_max(path) && next < above.moves.len() {
        // 2. Its parent minimises and has more moves: the next one may be worse still.
        return open.insert(below(parent, next), State { above: Some(above), is_solved: false, ..state });
    }
    if !is_max(path) {
        // 1. Its parent maximises, and no sibling has a greater merit: the parent is solved, and nothing else below the
        //    parent matters any more.
        open.purge(parent);
    }
    // 3. Or it was the last move of a parent that minimises: the parent is solved.
    open.insert(parent.into(), State { above: above.above.clone(), is_solved: true, ..state })
}

/// How to come to a position from the root: the indices of the moves among their siblings.
type Path = Rc<[u16]>;

/// The path that goes on with the move of this index.
fn below(path: &[u16], index: usize) -> Path {
    path.iter().copied().chain([index as u16]).collect()
}

/// Whether the side that moves at the root is to move there.
fn is_max(path: &[u16]) -> bool {
    path.len().is_multiple_of(2)
}

/// A position whose moves are known.
struct Expanded<'v> {
    position: Position<'v>,
    moves: Vec<Move>,
    /// The one before.
    above: Option<Rc<Expanded<'v>>>,
}

/// An element of the list: a position that can be reached from the root.
struct State<'v> {
    /// The position before the last move; none at the root.
    above: Option<Rc<Expanded<'v>>>,
    /// Whether the merit is the value found for it; otherwise it is still live.
    is_solved: bool,
    /// What the side to move at the root can hope for here, at most; from its view.
    merit: Score,
}

impl<'v> State<'v> {
    /// The last move of the path that leads here, and the position before it.
    fn m(&self, path: &[u16]) -> Option<(&Expanded<'v>, Move)> {
        let above = self.above.as_deref()?;
        Some((above, above.moves[usize::from(*path.last()?)]))
    }
}

/// The list: by merit and place, and by path.
#[derive(Default)]
struct Open<'v> {
    states: BTreeMap<Path, State<'v>>,
    places: BTreeSet<(Reverse<Score>, Path)>,
    headroom: Headroom,
}

impl<'v> Open<'v> {
    fn insert(&mut self, path: Path, state: State<'v>) -> Result<()> {
        self.headroom.take(STATE_SIZE)?;
        self.places.insert((Reverse(state.merit), Rc::clone(&path)));
        self.states.insert(path, state);
        Ok(())
    }

    /// Takes the state with the greatest merit, the leftmost among equals.
    fn take_best(&mut self) -> Option<(Path, State<'v>)> {
        let (_, path) = self.places.pop_first()?;
        let state = self.states.remove(&path)?;
        Some((path, state))
    }

    /// Takes out everything at this path and below.
    fn purge(&mut self, path: &[u16]) {
        let below: Vec<Path> = self
            .states
            .range::<[u16], _>((Bound::Included(path), Bound::Unbounded))
            .map(|(below, _)| below)
            .take_while(|below| below.starts_with(path))
            .cloned()
            .collect();
        for path in below {
            if let Some(state) = self.states.remove(&path) {
                self.places.remove(&(Reverse(state.merit), path));
            }
        }
    }
}
