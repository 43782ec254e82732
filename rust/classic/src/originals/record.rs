//! Whoever looks on while a search runs.
//!
//! The searches are written for any [`Observer`]. Each hook asks [`Observer::OBSERVED`], which is a constant, so that a
//! search that nobody looks at has none. What is recorded goes through [`Observer::recorder`]; values and counts are the
//! same either way.
//!
//! The columns of a recorded tree have a scale of their own: centipawns, mates beyond 100,000, the open window 200,000.
//! Each program says how its scores are fitted into it.

use shakmaty::Color;

use crate::observer::{End, NO_MOVE, Recorder};
use betacut_core::move_order::move_code;
use betacut_core::score::Score;
use betacut_core::window::Window;

/// A win whose distance the columns cannot tell as the textbook's mates tell it.
pub const WIN: Score = 150_000;

/// Somebody who may look on.
pub trait Observer {
    /// Whether anybody does.
    const OBSERVED: bool;

    /// Who records.
    fn recorder(&mut self) -> Option<&mut Recorder>;
}

/// Nobody looks; compiles to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Observer for Nobody {
    const OBSERVED: bool = false;

    #[inline(always)]
    fn recorder(&mut self) -> Option<&mut Recorder> {
        None
    }
}

impl Observer for &mut Recorder {
    const OBSERVED: bool = true;

    fn recorder(&mut self) -> Option<&mut Recorder> {
        Some(self)
    }
}

/// Marks why the current node ends.
#[inline(always)]
pub(super) fn mark<O: Observer>(observer: &mut O, end: End) {
    if let Some(recorder) = observer.recorder() {
        recorder.ends(end);
    }
}

/// How the hooks name the child after `m`, or a root.
pub(super) fn code(m: Option<shakmaty::Move>) -> u16 {
    m.map_or(NO_MOVE, move_code)
}

/// A window in the view of `color`, in White's.
pub(super) fn for_white(color: Color, window: Window) -> Window {
    color.fold_wb(window, Window { alpha: -window.beta, beta: -window.alpha })
}
