//! Playing like someone with a rating.
//!
//! # The idea
//!
//! Two things make a player weaker: seeing less, and choosing worse. A rating sets how many nodes a move may take, and, below
//! [`BLUNDERS_BELOW`], how often a move is chosen that looks somewhat worse than the best one. What is chosen depends on the
//! position and the rating alone.

use super::limit::{Info, Verdict};
use crate::random::splitmix64;

/// The least rating, and the greatest one that still costs strength.
pub const RATINGS: (u32, u32) = (1350, 2850);
/// Lines to choose from.
pub const LINES: usize = 4;
/// Ratings below this one choose among moves.
const BLUNDERS_BELOW: u32 = 2400;
/// Nodes of the greatest rating.
const MOST_NODES: f64 = 700_000.0;
/// Points of rating that half of the nodes cost.
const POINTS_A_HALVING: f64 = 95.0;

/// The nodes a move may take.
pub fn nodes(elo: u32) -> u64 {
    let missing = f64::from(RATINGS.1.saturating_sub(elo));
    (MOST_NODES * (-missing / POINTS_A_HALVING).exp2()).max(1.0) as u64
}

/// Which line is played: its index.
pub fn choose(elo: u32, key: u64, lines: &[Info]) -> usize {
    // Centipawns for which a move becomes less likely by e.
    let temperature = f64::from(BLUNDERS_BELOW.saturating_sub(elo)) / 15.0;
    let score = |line: &Info| match line.score {
        Verdict::Cp(score) => f64::from(score),
        Verdict::Mate(moves) => 100_000.0 * if moves > 0 { 1.0 } else { -1.0 },
    };
    let Some(best) = lines.first().map(score).filter(|_| temperature > 0.0) else { return 0 };
    let weights: Vec<f64> = lines.iter().map(|line| ((score(line) - best) / temperature).exp()).collect();
    let drawn = (splitmix64(key ^ u64::from(elo)) >> 11) as f64 / (1_u64 << 53) as f64;
    let mut rest = drawn * weights.iter().sum::<f64>();
    for (index, weight) in weights.iter().enumerate() {
        if rest < *weight {
            return index;
        }
        rest -= weight;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_grow_with_nodes() {
        assert_eq!(nodes(RATINGS.1), 700_000);
        assert!(nodes(RATINGS.0) >= 10);
        assert!((RATINGS.0..RATINGS.1).all(|elo| nodes(elo) <= nodes(elo + 1)));
    }
}
