//! The textbook floor: the published algorithms, one page each, with their values, best moves and node counts. This file
//! is their catalogue: a new algorithm is its page, its `mod` and its row.
//!
//! The trees are those of the original programs, and of the pages in Python (`betacut.reference`), node for node; only
//! the way they are walked is faster: the leaves below a depth-1 node are valued without being made ([`frontier`]). So the
//! pages never reach depth 0 themselves; where the textbook says "at depth 0 return the score", they ask the frontier one
//! ply earlier.

use shakmaty::Color;

use betacut_core::limits::Stopped;
use betacut_core::position::Position;
use betacut_core::score::{Depth, MAX_DEPTH, Score, view_of};
use betacut_core::window::Window;

use crate::cache::{Cache, CacheMismatch, Entry};

pub use search::{SearchResult, search, search_with};

/// What the pages are written with.
mod prelude {
    pub(super) use super::Function;
    pub(super) use super::lab::Lab;
    pub(super) use super::profile::Work;
    pub(super) use super::search::{Children, Node, Search, SearchResult};
    pub(super) use super::side::{Black, Side, White};
    pub(super) use crate::Result;
    pub(super) use crate::observer::{End, NO_MOVE};
    pub(super) use betacut_core::position::Position;
    pub(super) use betacut_core::rules::CHESS_JL;
    pub(super) use betacut_core::score::{Depth, INFINITY, MATE, Score, view_of};
    pub(super) use betacut_core::window::Window;
    pub(super) use shakmaty::Move;
}

betacut_core::named! {
    /// The functions whose calls are counted, nodes first; the names are those of the Python reference.
    #[allow(missing_docs)] // The names say it.
    pub enum Function {
        /// Minimax and iterative deepening, White to choose.
        MaxValue = "max_value",
        /// Minimax and iterative deepening, Black to choose.
        MinValue = "min_value",
        AlphaBetaMax = "alpha_beta_max",
        AlphaBetaMin = "alpha_beta_min",
        QuiesceMax = "quiesce_max",
        QuiesceMin = "quiesce_min",
        Negamax = "negamax",
        /// Fail-soft alpha-beta, alone or inside of another algorithm.
        AlphaBetaFailSoft = "alpha_beta_fail_soft",
        /// `NegaScout`.
        Negascout = "negascout",
        /// Live states of SSS*'s list.
        SssStar = "sss_star",
        /// Alpha-beta with null moves.
        NullMove = "null_move",
        /// Alpha-beta with late move reductions.
        LateMoveReductions = "late_move_reductions",
        /// The memo in front of another function.
        Evaluate = "evaluate",
    }
}

/// The memo of minimax, which has an entry for each position and depth.
const MINIMAX: &str = "minimax";

/// The memo of alpha-beta.
const ALPHA_BETA: &str = "alpha_beta";

/// The same where the other side than the one to move chooses at the root: values of that side alone.
const ALPHA_BETA_OTHER_SIDE: &str = "alpha_beta+other_side";

/// The memo that MTD(f) and SSS* share, of values from the view of the side to move.
const MTD: &str = "mtd";

/// Gives `$make` the algorithms, a row each: the name; the family of searches that share its memo, if it has one;
/// whether the positions before the root matter (a third occurrence is a draw to those that keep a memo by position
/// and to quiescence); and the call, for a root with the side `S` to move. The fields are those of [`Options`].
macro_rules! catalogue {
    ($make:ident) => {
        $make! {
            /// Minimax without a memo.
            MinimaxNoMemo { captures: bool } = "minimax_no_memo", memo: None, history: false,
                |search, root, depth| search.minimax_no_memo::<S>(root, depth, captures);

            /// Minimax with a memo keyed by position and depth.
            Minimax = "minimax", memo: Some(MINIMAX), history: false,
                |search, root, depth| search.minimax::<S>(root, depth);

            /// Alpha-beta without a memo.
            AlphaBetaPruningNoMemo { captures: bool } = "alpha_beta_pruning_no_memo", memo: None, history: false,
                |search, root, depth| search.alpha_beta_pruning_no_memo::<S>(root, depth, captures);

            /// Alpha-beta with a memo of bounds.
            AlphaBetaPruning = "alpha_beta_pruning", memo: Some(ALPHA_BETA), history: true,
                |search, root, depth| search.alpha_beta_pruning::<S>(root, depth);

            /// Iterative deepening alpha-beta, moves ordered by the values of the depth before.
            IterativeDeepening { quiescence: bool, increase_depth_below: f64 } = "iterative_deepening",
                memo: Some(if quiescence { "iterative_deepening+quiescence" } else { "iterative_deepening" }),
                history: true,
                |search, root, depth| {
                    search.iterative_deepening::<S>(root, depth, quiescence, increase_depth_below)
                };

            /// Negamax: minimax in one function.
            Negamax = "negamax", memo: None, history: false,
                |search, root, depth| search.negamax(root, depth);

            /// Fail-soft alpha-beta in negamax form.
            AlphaBetaFailSoft = "alpha_beta_fail_soft", memo: None, history: false,
                |search, root, depth| search.alpha_beta_fail_soft(root, depth);

            /// Fail-soft alpha-beta in a window around a guess.
            Aspiration { guess: Option<Score>, width: Score } = "aspiration", memo: None, history: false,
                |search, root, depth| search.aspiration(root, depth, guess, width);

            /// `NegaScout`.
            Negascout = "negascout", memo: None, history: false,
                |search, root, depth| search.negascout(root, depth);

            /// MTD(f).
            MtdF { guess: Option<Score> } = "mtd_f", memo: Some(MTD), history: true,
                |search, root, depth| search.mtd_f(root, depth, guess);

            /// SSS*.
            SssStar { method: SssMethod } = "sss_star",
                memo: if matches!(method, SssMethod::List) { None } else { Some(MTD) },
                history: matches!(method, SssMethod::Table),
                |search, root, depth| match method {
                    SssMethod::Table => search.sss_star_by_table::<false>(root, depth),
                    SssMethod::Lines => search.sss_star_by_table::<true>(root, depth),
                    SssMethod::List => search.sss_star_by_list(root, depth),
                };

            /// Alpha-beta with null moves.
            NullMove { reduction: Depth } = "null_move", memo: None, history: false,
                |search, root, depth| search.null_move(root, depth, reduction);

            /// Alpha-beta with late move reductions.
            LateMoveReductions { full_moves: u32, reduction: Depth } = "late_move_reductions",
                memo: None, history: false,
                |search, root, depth| search.late_move_reductions(root, depth, full_moves, reduction);

            /// The value with White to choose, by minimax.
            MaxValue = "max_value", memo: None, history: false,
                |search, root, depth| {
                    search.value_only(depth, Window::FULL, |search| search.minimax_by::<White, false>(root, depth))
                };

            /// The value with Black to choose, by minimax.
            MinValue = "min_value", memo: None, history: false,
                |search, root, depth| {
                    search.value_only(depth, Window::FULL, |search| search.minimax_by::<Black, false>(root, depth))
                };

            /// The value with White to choose, by alpha-beta in a window, with or without a memo.
            AlphaBetaMax { window: Window, memoised: bool } = "alpha_beta_max",
                memo: if memoised { Some(ALPHA_BETA) } else { None }, history: memoised,
                |search, root, depth| search.alpha_beta_value::<White>(root, depth, window, memoised);

            /// The value with Black to choose, by alpha-beta in a window, with or without a memo.
            AlphaBetaMin { window: Window, memoised: bool } = "alpha_beta_min",
                memo: if memoised { Some(ALPHA_BETA) } else { None }, history: memoised,
                |search, root, depth| search.alpha_beta_value::<Black>(root, depth, window, memoised);

            /// Quiescence with White to choose, in a window.
            QuiesceMax { window: Window } = "quiesce_max", memo: None, history: true,
                |search, root, depth| {
                    search.value_only(depth, window, |search| search.quiesce_by::<White>(root, depth, window))
                };

            /// Quiescence with Black to choose, in a window.
            QuiesceMin { window: Window } = "quiesce_min", memo: None, history: true,
                |search, root, depth| {
                    search.value_only(depth, window, |search| search.quiesce_by::<Black>(root, depth, window))
                };

            /// The best static exchange.
            QuiesceSee = "quiesce_see", memo: None, history: false,
                |search, root, depth| {
                    Ok(search.result(depth, super::quiescence::quiesce_see(root, root.turn().is_white()), Vec::new()))
                };
        }
    };
}

pub mod alpha_beta;
pub mod alpha_beta_fail_soft;
pub mod aspiration;
pub mod captures;
pub mod frontier;
pub mod iterative_deepening;
pub mod lab;
pub mod late_move_reductions;
pub mod minimax;
pub mod mtd_f;
pub mod negamax;
pub mod negascout;
pub mod null_move;
pub mod profile;
pub mod proof_number_search;
pub mod quiescence;
mod search;
mod side;
pub mod sss_star;
pub mod trace;

/// What algorithms take besides a position and a depth.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The window of a search that finds a value only.
    pub window: Window,
    /// Whether it keeps a memo.
    pub memoised: bool,
    /// Whether the last depth of iterative deepening ends in quiescence.
    pub quiescence: bool,
    /// Whether captures are played out at the leaves ([`captures`]).
    pub captures: bool,
    /// Iterative deepening adds a depth while less than this many seconds have passed.
    pub increase_depth_below: f64,
    /// The value expected, White's view; without one, the static score.
    pub guess: Option<Score>,
    /// How far an aspiration window reaches to either side of the guess.
    pub width: Score,
    /// Plies by which a null move, or a late move at first, is searched less deeply.
    pub reduction: Depth,
    /// How many moves of each position are searched in full at once.
    pub full_moves: u32,
    /// The way of SSS*.
    pub method: SssMethod,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            window: Window::FULL,
            memoised: false,
            quiescence: false,
            captures: false,
            increase_depth_below: 0.0,
            guess: None,
            width: 1,
            reduction: 1,
            full_moves: 1,
            method: SssMethod::Table,
        }
    }
}

betacut_core::named! {
    /// The ways of SSS*.
    pub enum SssMethod {
        /// Null windows from above, with a memo of positions.
        Table = "table",
        /// The same with a memo of lines. It needs an exact cache of its own.
        Lines = "lines",
        /// Stockman's list of states.
        List = "list",
    }
}

macro_rules! algorithms {
    ($(
        $(#[$doc:meta])*
        $variant:ident $({ $($field:ident: $type:ty),+ })? = $name:literal,
            memo: $memo:expr, history: $history:expr, $run:expr;
    )+) => {
        /// An algorithm of this floor, with those of the [`Options`] that it takes.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(missing_docs)] // the fields: they are those of the options
        pub enum Algorithm {
            $( $(#[$doc])* $variant $({ $($field: $type),+ })?, )+
        }

        #[allow(unused_variables)] // not each row looks at its fields
        impl Algorithm {
            /// The algorithm of this name.
            pub fn from_name(name: &str, options: &Options) -> Option<Algorithm> {
                Some(match name {
                    $( $name => Algorithm::$variant { $($($field: options.$field),+)? }, )+
                    _ => return None,
                })
            }

            /// The name, that of the function in Python.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Algorithm::$variant { .. } => $name, )+
                }
            }

            /// The family of algorithms that share a memo, if it has one.
            pub const fn family(self) -> Option<&'static str> {
                match self {
                    $( Algorithm::$variant { $($($field),+)? } => $memo, )+
                }
            }

            /// Whether the positions before the root matter.
            pub const fn uses_history(self) -> bool {
                match self {
                    $( Algorithm::$variant { $($($field),+)? } => $history, )+
                }
            }
        }
    };
}
catalogue!(algorithms);

impl Algorithm {
    /// The family of algorithms that share a memo with this one in a position with `turn` to move, if it has one.
    pub fn family_at(self, turn: Color) -> Option<&'static str> {
        match (self, turn) {
            (Algorithm::AlphaBetaMax { memoised: true, .. }, Color::Black)
            | (Algorithm::AlphaBetaMin { memoised: true, .. }, Color::White) => Some(ALPHA_BETA_OTHER_SIDE),
            _ => self.family(),
        }
    }

    /// The memo that a search begins with if it is given none.
    pub fn new_cache(self) -> Cache {
        if self.family() == Some(MTD) { Cache::exact() } else { Cache::default() }
    }
}

/// The deepest entry of `cache` for `position`, White's view.
pub fn remembered(cache: &Cache, position: &Position) -> Option<Entry> {
    let (key, clock, family) = (position.key(), position.halfmove_clock(), cache.family());
    let view = if family == Some(MTD) { position.turn() } else { Color::White };
    let score = view_of(view, position.score());
    let entry = (0..=MAX_DEPTH).rev().find_map(|depth| {
        let by_depth = family == Some(MINIMAX);
        let key = if by_depth { cache.key_at(key, clock, depth) } else { cache.key(key, clock, depth) };
        cache.lookup(key, score).filter(|entry| Depth::from(entry.depth) == depth)
    })?;
    Some(Entry { value: view_of(view, entry.value), bound: entry.bound.seen_by(view), ..entry })
}

/// A search failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// It was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Its cache holds other values.
    #[error(transparent)]
    CacheMismatch(#[from] CacheMismatch),
}
