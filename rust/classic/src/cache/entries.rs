//! Full entries: what a [`Cache`](super::Cache) keeps of positions of which more is known than a mark can say.

use betacut_core::score::{Depth, Score};
use betacut_core::window::{Bound, Window};

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Centipawns, White's view.
    pub value: Score,
    /// The depth it was searched to.
    pub depth: i8,
    /// How to read the value.
    pub bound: Bound,
}

impl Entry {
    /// An entry; `depth` is at most [`betacut_core::score::MAX_DEPTH`].
    #[inline]
    pub const fn new(bound: Bound, value: Score, depth: Depth) -> Entry {
        Entry { value, depth: depth as i8, bound }
    }

    /// Whether the entry answers what is asked in `window`.
    #[inline]
    pub(crate) fn settles(self, window: Window) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Upper => self.value <= window.alpha,
            Bound::Lower => self.value >= window.beta,
        }
    }

    /// What is left of `window` by an entry that does not settle it.
    #[inline]
    pub(crate) fn narrowed(self, window: Window) -> Window {
        if self.bound == Bound::Upper {
            window.lower_beta(self.value)
        } else {
            window.raise_alpha(self.value)
        }
    }

    /// The exact value, if that is what the entry holds.
    #[inline]
    pub fn exact(self) -> Option<Score> {
        (self.bound == Bound::Exact).then_some(self.value)
    }
}
