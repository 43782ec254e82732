//! What a search did, node by node: a [`Recorder`] is told when a node is entered and left, by hooks that compile to nothing
//! without one in the textbook, and keeps a row of columns for each, in the order of the visits.
//!
//! A subtree's rows follow that of its node, and [`Columns::size`] says how far to skip. A search that looks at the root
//! several times (iterations, passes of MTD(f)) leaves a forest: each pass begins with a row without a parent.

use shakmaty::{CastlingMode, Color, Move};

use crate::Result;
use betacut_core::limits::Stopped;
use betacut_core::move_order::move_code;
use betacut_core::rules::Ending;
use betacut_core::score::{Depth, Score};
use betacut_core::window::{Bound, Window};

/// No row: the parent of a root, the first child of a leaf.
pub const NONE: i32 = -1;

/// No score: the value of a node that was not finished, the static score of one that was not asked for it.
pub const UNKNOWN: Score = Score::MIN;

/// The code of no move: a root, or quiescence that begins where the depth ends.
pub const NO_MOVE: u16 = 0xffff;

/// The code of a null move.
pub const NULL_MOVE: u16 = 0xfffe;

/// The child records of a node were left out.
const UNRECORDED_CHILDREN: u8 = 4;
/// The move was searched to a reduced depth.
const REDUCED: u8 = 2;
/// The move was searched before at the same node.
const SEARCHED_BEFORE: u8 = 1;

/// What the hooks add to the code of castling: they do not know how the game writes it.
const CASTLING: u16 = 1 << 15;

/// How the hooks name the child after `m`, or a root: castling as the king's move onto its rook, marked.
pub(crate) fn code(m: Option<Move>) -> u16 {
    m.map_or(NO_MOVE, |m| move_code(m, CastlingMode::Chess960) | if m.is_castle() { CASTLING } else { 0 })
}

/// The code of a move as the game writes it.
fn written(m: u16, mode: CastlingMode) -> u16 {
    let (from, to) = (m & 63, m >> 6 & 63);
    match m {
        NO_MOVE | NULL_MOVE => m,
        _ if m < CASTLING => m,
        _ if mode.is_chess960() => m & !CASTLING,
        _ => from | (if to > from { from + 2 } else { from - 2 }) << 6,
    }
}

/// What looks on at a search. The textbook is written for any, and has no hooks without one; the originals ask for it.
pub trait Observer {
    /// The recorder, if there is one.
    fn recorder(&mut self) -> Option<&mut Recorder>;

    /// Tells the recorder.
    #[inline(always)]
    fn tell(&mut self, what: impl FnOnce(&mut Recorder)) {
        if let Some(recorder) = self.recorder() {
            what(recorder);
        }
    }

    /// Tells the recorder why the current node ends.
    #[inline(always)]
    fn mark(&mut self, end: End) {
        self.tell(|recorder| recorder.ends(end));
    }
}

/// No observer: every hook compiles to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    #[inline(always)]
    fn recorder(&mut self) -> Option<&mut Recorder> {
        None
    }
}

impl Observer for Option<&mut Recorder> {
    #[inline(always)]
    fn recorder(&mut self) -> Option<&mut Recorder> {
        self.as_deref_mut()
    }
}

betacut_core::named! {
    /// Why the search went no further at a node.
    pub enum End {
        /// It looked at all moves.
        Searched = "searched",
        /// No depth was left.
        Leaf = "leaf",
        /// The side to move is mated.
        Checkmate = "checkmate",
        /// The side to move has no move.
        Stalemate = "stalemate",
        /// A draw by the fifty-move rule.
        FiftyMoves = "fifty_moves",
        /// A draw by too little material.
        InsufficientMaterial = "insufficient_material",
        /// A draw by repetition.
        Repetition = "repetition",
        /// The table knew the answer.
        Table = "table",
        /// A child's value reached the other bound.
        Cutoff = "cutoff",
        /// The static score reached the other bound.
        StandPat = "stand_pat",
        /// The search was stopped.
        Unfinished = "unfinished",
        /// The last ply of quiescence.
        Deepest = "deepest",
    }
}

impl End {
    /// Whether moves may have been left out.
    const fn leaves_moves_out(self) -> bool {
        matches!(self, End::Searched | End::Cutoff | End::StandPat)
    }
}

impl From<Ending> for End {
    fn from(ending: Ending) -> End {
        match ending {
            Ending::Checkmate => End::Checkmate,
            Ending::Stalemate => End::Stalemate,
            Ending::FiftyMoves | Ending::SeventyFiveMoves => End::FiftyMoves,
            Ending::InsufficientMaterial => End::InsufficientMaterial,
            Ending::FivefoldRepetition => End::Repetition,
        }
    }
}

/// A row for each node; 40 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// The row of the parent, or [`NONE`].
    pub parent: Vec<i32>,
    /// The row of the first child, or [`NONE`].
    pub first_child: Vec<i32>,
    /// The move that led here ([`betacut_core::move_order::move_code`]), [`NO_MOVE`] or [`NULL_MOVE`].
    pub moves: Vec<u16>,
    /// Plies below the root.
    pub ply: Vec<u8>,
    /// Plies left, below zero in quiescence.
    pub depth: Vec<i8>,
    /// The window as it was searched with, White's view.
    pub alpha: Vec<Score>,
    /// Its upper end.
    pub beta: Vec<Score>,
    /// The value, White's view, or [`UNKNOWN`].
    pub value: Vec<Score>,
    /// The static score, White's view, or [`UNKNOWN`].
    pub static_score: Vec<Score>,
    /// What the value says against the window: 0 exact, 1 an upper bound, 2 a lower bound, 3 nothing.
    pub bound: Vec<u8>,
    /// The kind of node by what became of it: 0 PV, 1 CUT, 2 ALL, 3 none.
    pub kind: Vec<u8>,
    /// Why it ended ([`End`]).
    pub end: Vec<u8>,
    /// Child rows; a move that was searched twice counts twice.
    pub children: Vec<u16>,
    /// Legal moves that were never searched.
    pub pruned: Vec<u16>,
    /// Nodes of the subtree, this one and those without rows included.
    pub size: Vec<u32>,
    /// 1 for a move searched before at the same node, 2 for a reduced depth, 4 for children without rows.
    pub flags: Vec<u8>,
}

impl Columns {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// Appends a row for a node that has just been entered.
    fn push(&mut self, parent: i32, m: u16, ply: u8, depth: Depth, window: Window) {
        self.parent.push(parent);
        self.first_child.push(NONE);
        self.moves.push(m);
        self.ply.push(ply);
        self.depth.push(depth.clamp(i8::MIN.into(), i8::MAX.into()) as i8);
        self.alpha.push(window.alpha);
        self.beta.push(window.beta);
        self.value.push(UNKNOWN);
        self.static_score.push(UNKNOWN);
        self.bound.push(3);
        self.kind.push(3);
        self.end.push(End::Unfinished as u8);
        self.children.push(0);
        self.pruned.push(0);
        self.size.push(1);
        self.flags.push(0);
    }
}

/// Which nodes get a row.
#[derive(Clone, Debug)]
pub struct Extent {
    /// At most this many rows; a search that needs more is stopped.
    pub max_nodes: usize,
    /// Only nodes this many plies below the root or fewer.
    pub max_ply: u8,
    /// Only what lies below this line, given as codes of moves, and the node at its end.
    pub line: Vec<u16>,
    /// Whether the searches for all best moves, after the value is known, are recorded too.
    pub best_moves: bool,
}

/// A node between its entry and its end.
#[derive(Clone, Debug)]
struct Open {
    /// Its row, if it has one.
    row: Option<usize>,
    /// The row of the nearest ancestor with one, or its own.
    nearest: i32,
    /// Nodes of the subtree so far.
    size: u32,
    m: u16,
    /// Whether the moves down to here are those of the line.
    on_line: bool,
    depth: Depth,
    end: End,
    legal: u32,
    /// Different legal moves searched, and the last move.
    searched: u32,
    last: Option<u16>,
}

/// Records a search.
#[derive(Clone, Debug)]
pub struct Recorder {
    columns: Columns,
    extent: Extent,
    /// The side to move at the root.
    pub(crate) root: Color,
    mode: CastlingMode,
    path: Vec<Open>,
    /// Plies below the root where the path begins.
    base: u8,
    paused: u32,
    /// Whether the next node is searched with less depth than its siblings.
    reduced: bool,
    full: bool,
}

impl Recorder {
    /// Nothing is recorded yet of a search from a position with this side to move, in a game that writes castling so.
    pub fn new(root: Color, mode: CastlingMode, extent: Extent) -> Recorder {
        Recorder {
            columns: Columns::default(),
            extent,
            root,
            mode,
            path: Vec::new(),
            base: 0,
            paused: 0,
            reduced: false,
            full: false,
        }
    }

    /// The columns, and whether everything is in them.
    pub fn into_columns(self) -> (Columns, bool) {
        let complete = !self.full;
        (self.columns, complete)
    }

    /// Whether the search was stopped for want of rows.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// From here on the searches for all best moves: they begin at the root's children.
    pub(crate) fn second_step(&mut self) {
        self.base = 1;
        if !self.extent.best_moves {
            self.pause();
        }
    }

    /// Nothing is recorded from here on.
    pub(crate) fn pause(&mut self) {
        self.paused += 1;
    }

    /// A node is entered by a move, with this depth left, in this window, unless there are no rows left.
    pub(crate) fn enter(&mut self, m: u16, depth: Depth, window: Window) -> Result<()> {
        if self.paused > 0 {
            return Ok(());
        }
        let m = written(m, self.mode);
        // Quiescence begins in the same position.
        let ply = match self.path.last() {
            None => self.base,
            Some(_) if m == NO_MOVE => self.ply(),
            Some(_) => self.ply() + 1,
        };
        let (mut nearest, mut on_line) = (NONE, true);
        let mut flags = if std::mem::take(&mut self.reduced) { REDUCED } else { 0 };
        if let Some(parent) = self.path.last_mut() {
            nearest = parent.nearest;
            if parent.last == Some(m) {
                flags |= SEARCHED_BEFORE;
            } else {
                parent.searched += u32::from(m < NULL_MOVE);
            }
            parent.last = Some(m);
            on_line = parent.on_line;
        }
        let line = &self.extent.line;
        if m != NO_MOVE && on_line && usize::from(ply) <= line.len() {
            on_line = line[usize::from(ply) - 1] == m;
        }
        let mut row = None;
        if on_line && usize::from(ply) >= line.len() && ply <= self.extent.max_ply {
            if self.columns.len() >= self.extent.max_nodes {
                self.full = true;
                return Err(Stopped::LimitReached);
            }
            let index = self.columns.len();
            self.columns.push(nearest, m, ply, depth, window);
            self.columns.flags[index] = flags;
            if let Ok(parent) = usize::try_from(nearest) {
                if self.columns.first_child[parent] == NONE {
                    self.columns.first_child[parent] = index as i32;
                }
                self.columns.children[parent] += 1;
            }
            nearest = index as i32;
            row = Some(index);
        } else if let Ok(parent) = usize::try_from(nearest) {
            self.columns.flags[parent] |= UNRECORDED_CHILDREN;
        }
        self.path.push(Open {
            row,
            nearest,
            size: 1,
            m,
            on_line,
            depth,
            end: End::Searched,
            legal: 0,
            searched: 0,
            last: None,
        });
        Ok(())
    }

    /// Plies left at the last node of the path; 0 if there is none.
    pub(crate) fn depth(&self) -> Depth {
        self.path.last().map_or(0, |open| open.depth)
    }

    /// Plies of the last node of the path.
    fn ply(&self) -> u8 {
        let moves = self.path.iter().skip(1).filter(|open| open.m != NO_MOVE).count();
        self.base + moves as u8
    }

    /// The next node is searched with less depth than its siblings.
    pub(crate) fn reduce(&mut self) {
        self.reduced = self.paused == 0;
    }

    /// The window of the node became narrower.
    pub(crate) fn narrowed(&mut self, window: Window) {
        if let Some(row) = self.row() {
            (self.columns.alpha[row], self.columns.beta[row]) = (window.alpha, window.beta);
        }
    }

    /// The static score of the node, and of the leaf in whose position it begins.
    pub(crate) fn scored(&mut self, score: Score) {
        if self.paused > 0 {
            return;
        }
        for open in self.path.iter().rev() {
            if let Some(row) = open.row {
                self.columns.static_score[row] = score;
            }
            if open.m != NO_MOVE {
                break;
            }
        }
    }

    /// How many legal moves the node has.
    pub(crate) fn has_moves(&mut self, legal: usize) {
        if let Some(open) = self.open() {
            open.legal = legal as u32;
        }
    }

    /// Why the node ends.
    pub(crate) fn ends(&mut self, end: End) {
        if let Some(open) = self.open() {
            open.end = end;
        }
    }

    /// The same, unless the end of the game is the reason.
    pub(crate) fn ends_unless_over(&mut self, end: End) {
        if let Some(open) = self.open().filter(|open| open.end == End::Searched) {
            open.end = end;
        }
    }

    fn open(&mut self) -> Option<&mut Open> {
        if self.paused > 0 { None } else { self.path.last_mut() }
    }

    fn row(&self) -> Option<usize> {
        if self.paused > 0 { None } else { self.path.last().and_then(|open| open.row) }
    }

    /// The node is left with this value, White's view; with none, if the search is stopped.
    pub(crate) fn leave(&mut self, value: Option<Score>) {
        if self.paused > 0 {
            return;
        }
        let turn = if self.ply().is_multiple_of(2) { self.root } else { !self.root };
        let Some(open) = self.path.pop() else {
            return;
        };
        if let Some(row) = open.row {
            let columns = &mut self.columns;
            columns.size[row] = open.size;
            if let Some(value) = value {
                columns.value[row] = value;
                let bound = Window { alpha: columns.alpha[row], beta: columns.beta[row] }.proves(value);
                (columns.bound[row], columns.kind[row]) = match (bound, turn) {
                    (Bound::Exact, _) => (0, 0),
                    (Bound::Upper, Color::White) => (1, 2),
                    (Bound::Upper, Color::Black) => (1, 1),
                    (Bound::Lower, Color::White) => (2, 1),
                    (Bound::Lower, Color::Black) => (2, 2),
                };
                columns.end[row] = open.end as u8;
                if open.end.leaves_moves_out() {
                    columns.pruned[row] = open.legal.saturating_sub(open.searched) as u16;
                }
            }
        }
        if let Some(parent) = self.path.last_mut() {
            parent.size = parent.size.saturating_add(open.size);
        }
    }
}
