//! Pseudo-random numbers from a seed.

/// The `index`th number, from 0, of the generator `SplitMix64` that starts at 0 (Steele, Lea and Flood 2014).
pub const fn splitmix64(index: u64) -> u64 {
    mix(index.wrapping_add(1).wrapping_mul(GOLDEN))
}

/// The next number of a `SplitMix64` with this state.
pub const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(GOLDEN);
    mix(*state)
}

/// 2 to the power of 64, divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

const fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence() {
        let published = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        let mut state = 1_234_567;
        assert!(published.into_iter().all(|number| number == next(&mut state)));
        let mut state = 0;
        assert!((0..10).all(|index| splitmix64(index) == next(&mut state)));
    }
}
