//! The tree of a search as the original records and counts it.
//!
//! **Contract.** A node is a *line of moves* from the root, not a call: however often a line is reached, it is one node.
//! `_value` and `_quiescence` each mark the node of their line when they return, whatever answered, the cache included;
//! the last one to do so decides which of the two it was. What lies between two marked nodes becomes a node of `_value`.
//! When deepening comes to the first root move that is known already at a greater depth, the tree starts anew, so what
//! remains is that of the last depth.
//!
//! At the end each node that has a child is given its untried legal moves as *pruned* paths, of the kind of the node
//! itself. (So the captures that were not tried right below the depth count as pruned by `_value`.)
//!
//! **A slip of the original's.** The number it prints as "quiesce nodes visited" counts every node, whatever it is: both
//! kinds, visited and pruned. The number it means is [`TreeCount::quiesce_nodes`].
//!
//! **Gap.** `_zero_width_search` marks nothing; only the quiescence below it does.
//!
//! Source: the original's `min_max_tree`.

use shakmaty::Move;

use crate::Result;
use crate::observer::{Observer, Recorder};
use crate::originals::node::Node;
use betacut_core::limits::{Headroom, Limits, Stopped};

/// What looks on at a search.
#[derive(Debug)]
pub enum Watch<'a> {
    /// Nothing does.
    Nothing,
    /// A recorder.
    Recorder(&'a mut Recorder),
    /// A tree, which is told where the search is.
    Tree(&'a mut Tree),
}

impl Observer for Watch<'_> {
    #[inline(always)]
    fn recorder(&mut self) -> Option<&mut Recorder> {
        if let Watch::Recorder(recorder) = self { Some(recorder) } else { None }
    }
}

impl Watch<'_> {
    /// Whether a recorder looks on.
    #[inline(always)]
    pub(super) fn records(&self) -> bool {
        matches!(self, Watch::Recorder(_))
    }

    #[inline(always)]
    fn tree(&mut self) -> Option<&mut Tree> {
        if let Watch::Tree(tree) = self { Some(tree) } else { None }
    }

    /// A move is made.
    #[inline(always)]
    pub(super) fn descend(&mut self, m: Move) {
        if let Some(tree) = self.tree() {
            tree.line.push(m);
        }
    }

    /// The last move is taken back.
    #[inline(always)]
    pub(super) fn ascend(&mut self) {
        if let Some(tree) = self.tree() {
            tree.line.pop();
        }
    }

    /// `_value` is called.
    #[inline(always)]
    pub(super) fn value_called(&mut self, depth: i32) {
        if let Some(tree) = self.tree() {
            tree.value_called(depth);
        }
    }

    /// `_value` returns.
    #[inline(always)]
    pub(super) fn value_returned(&mut self) -> Result<()> {
        self.tree().map_or(Ok(()), |tree| tree.mark(false))
    }

    /// `_quiescence` returns.
    #[inline(always)]
    pub(super) fn quiescence_returned(&mut self) -> Result<()> {
        self.tree().map_or(Ok(()), |tree| tree.mark(true))
    }
}

/// The counts that the original prints, but for its slip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeCount {
    /// Nodes of `_value`, the root included.
    pub nodes_visited: u64,
    /// Pruned children of such nodes.
    pub paths_pruned: u64,
    /// Nodes of `_quiescence` alone.
    pub quiesce_nodes: u64,
    /// Pruned children of such nodes.
    pub quiesce_paths_pruned: u64,
}

/// A node: what marked it last, and its children.
#[derive(Clone, Debug, Default)]
struct Marked {
    quiescence: bool,
    children: Vec<(Move, usize)>,
}

/// The recorded tree.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The root first.
    nodes: Vec<Marked>,
    /// The moves from the root to where the search is.
    line: Vec<Move>,
    /// The depth at which the tree started.
    depth: i32,
    headroom: Headroom,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree { nodes: vec![Marked::default()], line: Vec::new(), depth: 0, headroom: Headroom::default() }
    }
}

impl Tree {
    /// Starts anew at the first root move that is known already at a greater depth.
    fn value_called(&mut self, depth: i32) {
        if let [m] = self.line[..]
            && depth > self.depth
            && self.nodes[0].children.iter().any(|&(known, _)| known == m)
        {
            self.nodes.clear();
            self.nodes.push(Marked::default());
            self.depth = depth;
        }
    }

    /// Marks the node at the end of the line.
    fn mark(&mut self, quiescence: bool) -> Result<()> {
        let mut at = 0;
        for index in 0..self.line.len() {
            let m = self.line[index];
            let known = self.nodes[at].children.iter().find(|&&(known, _)| known == m);
            at = match known {
                Some(&(_, child)) => child,
                None => self.add(at, m)?,
            };
        }
        self.nodes[at].quiescence = quiescence;
        Ok(())
    }

    fn add(&mut self, parent: usize, m: Move) -> Result<usize> {
        self.headroom.take(size_of::<Marked>() + size_of::<(Move, usize)>())?;
        let child = self.nodes.len();
        let out_of_memory = |_| Stopped::OutOfMemory;
        self.nodes.try_reserve(1).map_err(out_of_memory)?;
        let children = &mut self.nodes[parent].children;
        children.try_reserve(1).map_err(out_of_memory)?;
        children.push((m, child));
        self.nodes.push(Marked::default());
        Ok(child)
    }

    /// Counts the tree, which was recorded at `root`.
    pub fn count(&self, root: &Node, limits: &mut Limits<'_>) -> Result<TreeCount> {
        let mut count = TreeCount::default();
        self.count_below(0, root, &mut count, limits)?;
        Ok(count)
    }

    fn count_below(
        &self,
        at: usize,
        node: &Node,
        count: &mut TreeCount,
        limits: &mut Limits<'_>,
    ) -> Result<()> {
        limits.node()?;
        let Marked { quiescence, children } = &self.nodes[at];
        let pruned = if children.is_empty() { 0 } else { node.legal_moves().count() - children.len() };
        if *quiescence {
            count.quiesce_nodes += 1;
            count.quiesce_paths_pruned += pruned as u64;
        } else {
            count.nodes_visited += 1;
            count.paths_pruned += pruned as u64;
        }
        for &(m, child) in children {
            self.count_below(child, &node.play(m), count, limits)?;
        }
        Ok(())
    }
}
