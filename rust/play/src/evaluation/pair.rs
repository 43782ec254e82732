//! A value for the middlegame and one for the endgame, added up together.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Two values in one word: the middlegame's in the lower half, the endgame's in the upper one.
///
/// Sums and differences act on both halves at once; each must stay within 16 bits.
///
/// ```
/// use betacut_play::evaluation::Pair;
/// let sum = Pair::new(100, -20) + Pair::new(-130, 50) * 2;
/// assert_eq!((sum.middlegame(), sum.endgame()), (-160, 80));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Pair(i32);

impl Pair {
    /// The pair of two values, within ±32,767.
    pub const fn new(middlegame: i32, endgame: i32) -> Pair {
        Pair((endgame << 16).wrapping_add(middlegame))
    }

    /// The value in the middlegame.
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value in the endgame.
    pub const fn endgame(self) -> i32 {
        // What a negative lower half has borrowed is given back.
        self.0.wrapping_add(0x8000) >> 16
    }
}

impl Add for Pair {
    type Output = Pair;

    fn add(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_add(other.0))
    }
}

impl Sub for Pair {
    type Output = Pair;

    fn sub(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Pair {
    type Output = Pair;

    fn neg(self) -> Pair {
        Pair(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;

    fn mul(self, times: i32) -> Pair {
        Pair(self.0.wrapping_mul(times))
    }
}

impl AddAssign for Pair {
    fn add_assign(&mut self, other: Pair) {
        *self = *self + other;
    }
}

impl SubAssign for Pair {
    fn sub_assign(&mut self, other: Pair) {
        *self = *self - other;
    }
}
