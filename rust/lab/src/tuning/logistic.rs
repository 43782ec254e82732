//! The logistic function by additions and multiplications alone, so that it is the same on every machine.

use std::f32::consts::LOG2_E;

/// The natural logarithm of 2 in two parts: the first has few digits, so that small multiples of it are exact.
const LN_2: [f32; 2] = [355.0 / 512.0, -2.121_944_4e-4];
/// 1 / n! for n from 7 down to 0.
const SERIES: [f32; 8] = [1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
/// Beyond this nothing changes in 32 bits.
const FAR: f32 = 80.0;

/// e to the power of x, for x from -[`FAR`] to [`FAR`].
fn exp(x: f32) -> f32 {
    // x = n ln 2 + rest, where the rest is at most half of ln 2.
    let n = (x * LOG2_E + 256.5) as i32 - 256;
    let rest = x - n as f32 * LN_2[0] - n as f32 * LN_2[1];
    let power = SERIES.iter().fold(0.0, |sum, factor| sum * rest + factor);
    power * f32::from_bits(((n + 127) as u32) << 23)
}

/// 1 / (1 + e^-x).
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + exp((-x).clamp(-FAR, FAR)))
}

/// What positions are to promise, and by what function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The constant of the logistic function, by centipawn.
    pub constant: f32,
    /// The share of the result in the target; the rest is the score's.
    pub lambda: f32,
}

impl Aim {
    /// The result that a lead of so many centipawns promises, 0 to 1.
    pub fn promised(self, centipawns: f32) -> f32 {
        logistic(self.constant * centipawns)
    }

    /// What is to be promised where the score promises this, and the game had this result.
    pub fn target(self, promised: f32, result: f32) -> f32 {
        self.lambda * result + (1.0 - self.lambda) * promised
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_function_of_the_library() {
        for step in -20_000..20_000 {
            let x = step as f32 / 200.0;
            let expected = 1.0 / (1.0 + (-f64::from(x)).exp());
            let found = f64::from(logistic(x));
            assert!((found - expected).abs() <= 2e-7 * expected.max(1e-27), "{x}: {found} {expected}");
        }
        assert_eq!((logistic(1e30), logistic(0.0).to_bits()), (1.0, 0.5f32.to_bits()));
    }
}
