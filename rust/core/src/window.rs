//! The window of an alpha-beta search.

use shakmaty::Color;

use crate::score::{INFINITY, Score};

/// What a value that was found says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// `=`: the value itself.
    Exact,
    /// `<=`: the search failed low, the true value is at most this.
    Upper,
    /// `>=`: the search was cut off, the true value is at least this.
    Lower,
}

impl Bound {
    /// Whether a value that is such a bound answers what is asked in `window`.
    #[inline]
    pub const fn settles(self, value: Score, window: Window) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Upper => value <= window.alpha,
            Bound::Lower => value >= window.beta,
        }
    }

    /// The same of a value of `color`'s from White's view, or the other way round.
    #[must_use]
    pub fn seen_by(self, color: Color) -> Bound {
        match self {
            Bound::Upper if color.is_black() => Bound::Lower,
            Bound::Lower if color.is_black() => Bound::Upper,
            bound => bound,
        }
    }
}

/// The open interval `(alpha, beta)` a search is asked about: what White and Black are sure of elsewhere in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// White (the maximiser) already has this much.
    pub alpha: Score,
    /// Black (the minimiser) already holds White down to this.
    pub beta: Score,
}

impl Window {
    /// The window that contains every score.
    pub const FULL: Window = Window { alpha: -INFINITY, beta: INFINITY };

    /// The window of a single value: the search answers "less", "exactly this" or "more".
    pub const fn around(value: Score) -> Window {
        Window { alpha: value - 1, beta: value + 1 }
    }

    /// What the result `value` of a search in this window says about the true value.
    pub fn proves(self, value: Score) -> Bound {
        if value <= self.alpha {
            Bound::Upper
        } else if value < self.beta {
            Bound::Exact
        } else {
            Bound::Lower
        }
    }

    /// The same window from the view of the other side.
    #[must_use]
    pub const fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// A window of `color`'s from White's view, or the other way round.
    #[must_use]
    pub fn seen_by(self, color: Color) -> Window {
        color.fold_wb(self, self.turned())
    }

    /// What is left of the window by a bound that does not settle it.
    #[inline]
    #[must_use]
    pub fn narrowed(self, bound: Bound, value: Score) -> Window {
        if bound == Bound::Upper { self.lower_beta(value) } else { self.raise_alpha(value) }
    }

    /// The maximiser found `value`: the same window with `alpha` raised to it.
    #[must_use]
    pub fn raise_alpha(self, value: Score) -> Window {
        Window { alpha: self.alpha.max(value), ..self }
    }

    /// The minimiser found `value`: the same window with `beta` lowered to it.
    #[must_use]
    pub fn lower_beta(self, value: Score) -> Window {
        Window { beta: self.beta.min(value), ..self }
    }
}
