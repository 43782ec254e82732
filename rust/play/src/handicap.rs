//! Playing like someone with a rating: it sets how many nodes a move may take, and, below [`BLUNDERS_BELOW`], how often a
//! move is chosen that looks somewhat worse than the best one, by the position and the rating alone.
//!
//! The nodes were found by matches against Stockfish 15.1 at the same ratings, up to 2000; above they are extrapolated:
//! `docs/strength.md`.

use super::limit::{Info, Verdict};
use betacut_core::random::splitmix64;

/// The least rating, and the greatest one that still costs strength.
pub const RATINGS: (u32, u32) = (1350, 2850);
/// The level of skill that costs no strength.
pub const FULL_SKILL: u32 = 20;
/// Lines to choose from.
const LINES: usize = 4;
/// Ratings below this one choose among moves.
const BLUNDERS_BELOW: u32 = 2000;
/// Points of rating for a centipawn of temperature.
const POINTS_A_CENTIPAWN: f64 = 20.0;
/// Ratings and the nodes that a move takes at each.
const CALIBRATION: [(u32, f64); 6] = [
    (1350, 320.0),
    (1700, 1_400.0),
    (2000, 14_000.0),
    (2200, 110_000.0),
    (2400, 500_000.0),
    (2850, 40_000_000.0),
];

/// The nodes a move may take: between two ratings of the calibration, each point multiplies them alike.
pub fn nodes(elo: u32) -> u64 {
    let elo = elo.clamp(RATINGS.0, RATINGS.1);
    let above = CALIBRATION.iter().position(|&(rating, _)| rating >= elo).unwrap_or(0).max(1);
    let ((low, fewer), (high, more)) = (CALIBRATION[above - 1], CALIBRATION[above]);
    let share = f64::from(elo - low) / f64::from(high - low);
    (fewer * (more / fewer).powf(share)).round() as u64
}

/// The rating of a level of skill, from 0 to 20; none for full strength.
///
/// Stockfish 15.1 reads its ratings as levels, `((rating - 1346.6) / 143.4)^(1 / 0.806)`; here it is read the other way
/// round, for the ratings are those of that version.
///
/// Source: pull request 2225 of Stockfish (2019), where the formula is a fit to games.
pub fn rating_of_skill(level: u32) -> Option<u32> {
    let rating = 1346.6 + 143.4 * f64::from(level).powf(0.806);
    (level < FULL_SKILL).then(|| (rating.round() as u32).clamp(RATINGS.0, RATINGS.1))
}

/// How many lines are to be searched.
pub const fn lines(elo: u32) -> usize {
    if elo < BLUNDERS_BELOW { LINES } else { 1 }
}

/// Which line is played: its index.
pub fn choose(elo: u32, key: u64, lines: &[Info]) -> usize {
    // Centipawns for which a move becomes less likely by e.
    let temperature = f64::from(BLUNDERS_BELOW.saturating_sub(elo)) / POINTS_A_CENTIPAWN;
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
    fn levels_of_skill() {
        let ratings = [0, 1, 2, 5, 10, 15, 19, 20, 99].map(rating_of_skill);
        let expected = [1350, 1490, 1597, 1871, 2264, 2619, 2850];
        assert_eq!(&ratings[..7], expected.map(Some));
        assert_eq!(ratings[7..], [None, None]);
        let all: Vec<_> = (0..FULL_SKILL).map(rating_of_skill).collect();
        assert!(all.is_sorted(), "{all:?}");
    }

    #[test]
    fn ratings_grow_with_nodes() {
        for (rating, nodes_of_rating) in CALIBRATION {
            assert_eq!(nodes(rating), nodes_of_rating as u64);
        }
        assert_eq!((CALIBRATION[0].0, CALIBRATION[5].0), RATINGS);
        assert!((RATINGS.0..RATINGS.1).all(|elo| nodes(elo) < nodes(elo + 1)));
        assert_eq!([nodes(0), nodes(9999)], [nodes(RATINGS.0), nodes(RATINGS.1)]);
    }
}
