//! The side that chooses, as a type: a page whose published program has a function for White and one for Black is written
//! once, for either [`Side`]. Values and windows are White's view.

use betacut_core::score::{Depth, INFINITY, Score};
use betacut_core::window::Window;

/// A side that chooses: White the greatest value, Black the least.
pub trait Side {
    /// The side that replies.
    type Other: Side<Other = Self>;

    const WHITE: bool;

    /// Worse than every value.
    const WORST: Score = if Self::WHITE { -INFINITY } else { INFINITY };

    /// What is this side's.
    #[inline(always)]
    fn own<T>(white: T, black: T) -> T {
        if Self::WHITE { white } else { black }
    }

    #[inline(always)]
    fn is_better(value: Score, than: Score) -> bool {
        Self::own(value > than, value < than)
    }

    #[inline(always)]
    fn best(one: Score, other: Score) -> Score {
        Self::own(one.max(other), one.min(other))
    }

    /// The value of a finished game with `depth` plies left: sooner is better where this side chooses.
    #[inline(always)]
    fn sooner(value: Score, depth: Depth) -> Score {
        Self::own(value - depth, value + depth)
    }

    /// The bound that this side is sure of elsewhere: alpha, or beta.
    #[inline(always)]
    fn sure(window: Window) -> Score {
        Self::own(window.alpha, window.beta)
    }

    /// The window of a side that is sure of `value`.
    #[inline(always)]
    fn with_sure(window: Window, value: Score) -> Window {
        Self::own(Window { alpha: value, ..window }, Window { beta: value, ..window })
    }

    /// The window once this side has found `value`: alpha raised, or beta lowered to it.
    #[inline(always)]
    fn narrowed(window: Window, value: Score) -> Window {
        Self::own(window.raise_alpha(value), window.lower_beta(value))
    }

    /// Whether a value reaches the other bound, so that the other side would not let the game come here.
    #[inline(always)]
    fn cuts(value: Score, window: Window) -> bool {
        Self::own(value >= window.beta, value <= window.alpha)
    }
}

pub struct White;

impl Side for White {
    type Other = Black;
    const WHITE: bool = true;
}

pub struct Black;

impl Side for Black {
    type Other = White;
    const WHITE: bool = false;
}
