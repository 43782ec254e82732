//! The children of a depth-1 node, valued without making a move.
//!
//! The score of a leaf is the parent's plus the move's delta, and [`TerminalFilter`] mostly proves that the game is not over
//! there. Under these rules no draw is near as long as the clock is at least two plies short of the limit and five men
//! are left after a capture. Where there is no proof, the move is made and the position examined. The values, and so
//! every count, are those of the plain search; only the time differs.

use shakmaty::{Move, Role, Square};

use crate::cache::Cache;
use crate::terminal_filter::TerminalFilter;
use betacut_core::move_order::Sink;
use betacut_core::position::{Increments, Key, Position, PositionKey};
use betacut_core::rules::{CHESS_JL, Ending};
use betacut_core::score::Score;

/// A depth-1 node that knows enough about itself to value its children.
pub struct Frontier<'a> {
    /// The position whose children are valued.
    pub(super) parent: &'a Position<'a>,
    terminal_filter: TerminalFilter,
}

impl<'a> Frontier<'a> {
    /// Looks once at the position whose children are to be valued.
    #[inline]
    pub fn new(parent: &'a Position<'a>) -> Frontier<'a> {
        let far_from_draws =
            parent.halfmove_clock() + 1 < CHESS_JL.halfmove_limit && parent.board().occupied().count() > 5;
        Frontier { parent, terminal_filter: TerminalFilter::new(parent.chess(), far_from_draws) }
    }

    /// The value at depth 0 of the child after the legal move `m`: the terminal value if the game is over there,
    /// else the score. Centipawns, White's view.
    #[inline(always)]
    pub fn value(&self, m: Move) -> Score {
        if self.terminal_filter.cannot_end_the_game(m) {
            self.parent.score_after(m)
        } else {
            evaluate_move(self.parent, m)
        }
    }
}

/// The leaves of one stage of a node's move list, as the memo is asked about them.
///
/// With a memo a leaf costs its lookup and little else, so everything about it is computed as its move is generated,
/// when most of that is in registers, and the memo reads ahead for all leaves of a stage.
pub(super) struct Leaves<'a> {
    /// What values a leaf after any kind of move.
    pub(super) frontier: Frontier<'a>,
    increments: Increments<'a>,
    /// The leaves of the stage in order.
    pub(super) announced: Vec<Announced>,
}

/// A leaf that will be visited unless there is a cutoff before.
#[derive(Clone, Copy)]
pub(super) struct Announced {
    pub(super) m: Move,
    /// Whether the game cannot be over there, so that its value at depth 0 is the score. If not, the rest means
    /// nothing.
    pub(super) quick: bool,
    pub(super) score: Score,
    pub(super) key: PositionKey,
    /// Where the memo keeps it.
    pub(super) table: Option<usize>,
}

impl<'a> Leaves<'a> {
    /// The leaves below `parent`, with room for them from the node before.
    pub(super) fn new(parent: &'a Position<'a>, room: Vec<Announced>) -> Leaves<'a> {
        Leaves { frontier: Frontier::new(parent), increments: Increments::new(parent), announced: room }
    }

    /// Tells `cache` of the leaves of the stage.
    #[inline(always)]
    pub(super) fn announce(&mut self, cache: &Cache) {
        let quiet = self.increments.quiet_placement;
        let quiet_table = cache.table_of(quiet);
        let mut read = 0;
        for leaf in &mut self.announced {
            leaf.table =
                if leaf.key.placement == quiet { quiet_table } else { cache.table_of(leaf.key.placement) };
            read ^= cache.peek(leaf.table, leaf.key);
        }
        std::hint::black_box(read);
    }
}

impl Sink for Leaves<'_> {
    #[inline(always)]
    fn push_normal(&mut self, role: Role, from: Square, to: Square, capture: Option<Role>) {
        let m = Move::Normal { role, from, capture, to, promotion: None };
        if let Some((key, score)) = self.increments.after(role, from, to, capture)
            && self.frontier.terminal_filter.is_harmless(role, from, to)
        {
            self.announced.push(Announced { m, quick: true, score, key, table: None });
        } else {
            self.push_rare(m);
        }
    }

    #[inline]
    fn push_rare(&mut self, m: Move) {
        let key = PositionKey { whole: Key::default(), placement: self.increments.quiet_placement };
        self.announced.push(Announced { m, quick: false, score: 0, key, table: None });
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.announced.clear();
    }
}

/// The score after the legal move `m`: the terminal value if the game is over, else the incremental score. Always equal
/// to the full evaluation of the position after the move.
#[inline(never)]
pub fn evaluate_move(position: &Position, m: Move) -> Score {
    terminal_or_score(&position.play(m))
}

/// What a position is worth at depth 0: its terminal value if the game is over, else its score.
pub fn terminal_or_score(position: &Position) -> Score {
    let ending = CHESS_JL.ending(position);
    ending.map_or_else(|| position.score(), |ending: Ending| ending.value(position.turn()))
}
