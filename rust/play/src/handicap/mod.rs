//! Playing like a player with a rating. It sets how many nodes a move may take; below [`BLUNDERS_BELOW`], how often a move
//! is chosen that looks somewhat worse than the best one; and below [`FULL_VIEW`], how much of the position is overlooked
//! ([`view`]). All choices depend on the position, the rating and a seed alone.
//!
//! All of it was found by matches between levels 200 points apart, of which the lower one is to score 24 %; the rating 1350
//! is that of Stockfish 15.1: `docs/strength.md`.

mod view;

use super::evaluation::Board;
use super::limit::Info;
use betacut_core::random::splitmix64;
use view::{View, chance, value};

/// The least rating, and the greatest one that still costs strength.
pub const RATINGS: (u32, u32) = (500, 2850);
/// Ratings from this one on see all that the search does: nodes set their strength. Those below search a fixed depth.
pub const FULL_VIEW: u32 = 1350;
/// The depth of ratings below. Plies.
const SHALLOW: i32 = 2;
/// Ratings from this one on never overlook a mate in one.
pub const SEES_MATE: u32 = 800;
/// The level of skill that costs no strength.
pub const FULL_SKILL: u32 = 20;
/// Lines to choose from.
const LINES: usize = 4;
/// Ratings below this one choose among moves.
const BLUNDERS_BELOW: u32 = 2000;
/// Points of rating for a centipawn of temperature.
const POINTS_A_CENTIPAWN: f64 = 20.0;
/// Ratings and the nodes that a move takes at each. Below [`BLUNDERS_BELOW`] they are shared by [`LINES`].
const CALIBRATION: [(u32, f64); 11] = [
    (FULL_VIEW, 266.0),
    (1550, 382.0),
    (1750, 564.0),
    (1950, 770.0),
    (BLUNDERS_BELOW - 1, 832.0),
    (BLUNDERS_BELOW, 455.0),
    (2150, 705.0),
    (2350, 1235.0),
    (2550, 2182.0),
    (2750, 3986.0),
    (2850, 5190.0),
];

/// Ratings and the chance to overlook what takes an average effort to see.
const BLINDNESS: [(u32, f64); 6] =
    [(500, 0.254), (700, 0.150), (900, 0.078), (1100, 0.034), (1300, 0.007), (FULL_VIEW, 0.0)];

/// The values of a table at the ratings around this one, and how far it has come from the first to the second: 0 to 1.
fn around(table: &[(u32, f64)], elo: u32) -> (f64, f64, f64) {
    let elo = elo.clamp(table[0].0, table[table.len() - 1].0);
    let above = table.iter().position(|&(rating, _)| rating >= elo).unwrap_or(0).max(1);
    let ((low, first), (high, second)) = (table[above - 1], table[above]);
    (first, second, f64::from(elo - low) / f64::from(high - low))
}

/// The nodes a move may take: between two ratings of the calibration, each point multiplies them alike. Ratings that
/// search a fixed depth may take any number.
pub fn nodes(elo: u32) -> u64 {
    if elo < FULL_VIEW {
        return u64::MAX;
    }
    let (fewer, more, share) = around(&CALIBRATION, elo);
    (fewer * (more / fewer).powf(share)).round() as u64
}

/// The deepest iteration. Plies.
pub const fn depth(elo: u32) -> i32 {
    if elo < FULL_VIEW { SHALLOW } else { i32::MAX }
}

/// The chance to overlook a move that takes an average effort to see.
fn blindness(elo: u32) -> f64 {
    let (more, less, share) = around(&BLINDNESS, elo);
    more + (less - more) * share
}

/// Centipawns for which a move becomes less likely by e.
fn temperature(elo: u32) -> f64 {
    f64::from(BLUNDERS_BELOW.saturating_sub(elo)) / POINTS_A_CENTIPAWN
}

/// The rating of a level of skill, from 0 to 20; none for full strength.
///
/// Stockfish 15.1 reads its ratings as levels, `((rating - 1346.6) / 143.4)^(1 / 0.806)`; here it is read the other way
/// round, for the ratings are those of that version.
///
/// Source: pull request 2225 of Stockfish (2019), where the formula is a fit to games.
pub fn rating_of_skill(level: u32) -> Option<u32> {
    let rating = 1346.6 + 143.4 * f64::from(level).powf(0.806);
    (level < FULL_SKILL).then(|| (rating.round() as u32).clamp(FULL_VIEW, RATINGS.1))
}

/// How many lines are to be searched: all where replies are overlooked, for any move may look best then.
pub const fn lines(elo: u32) -> usize {
    if elo < FULL_VIEW {
        usize::MAX
    } else if elo < BLUNDERS_BELOW {
        LINES
    } else {
        1
    }
}

/// Which line is played: its index.
pub fn choose(elo: u32, seed: u64, board: &Board<'_>, lines: &[Info]) -> usize {
    let (temperature, draw) = (temperature(elo), board.key ^ u64::from(elo) ^ seed << 32);
    let view = View { blindness: blindness(elo), draw: splitmix64(draw) };
    let score = |line: &Info| if elo < FULL_VIEW { view.value(board, line) } else { value(line.score) };
    let scores: Vec<f64> = lines.iter().map(score).collect();
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if temperature == 0.0 {
        return 0;
    }
    let weights: Vec<f64> = scores.iter().map(|score| ((score - best) / temperature).exp()).collect();
    let mut rest = chance(draw) * weights.iter().sum::<f64>();
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
    fn the_higher_a_rating_the_more_it_sees() {
        let ratings = RATINGS.0..FULL_VIEW;
        assert!(ratings.clone().all(|elo| blindness(elo) > blindness(elo + 1)));
        assert!((RATINGS.0..BLUNDERS_BELOW).all(|elo| temperature(elo) > temperature(elo + 1)));
        assert_eq!((blindness(FULL_VIEW), BLINDNESS[0].0), (0.0, RATINGS.0));
        assert!(blindness(RATINGS.0) < 1.0);
        assert!(ratings.map(|elo| (depth(elo), lines(elo))).all(|of| of == (SHALLOW, usize::MAX)));
        assert_eq!([1350, 1999, 2000].map(lines), [4, 4, 1]);
    }

    #[test]
    fn ratings_grow_with_nodes() {
        for (rating, nodes_of_rating) in CALIBRATION {
            assert_eq!(nodes(rating), nodes_of_rating as u64);
        }
        assert_eq!((CALIBRATION[0].0, CALIBRATION[10].0), (FULL_VIEW, RATINGS.1));
        for kind in [FULL_VIEW..BLUNDERS_BELOW - 1, BLUNDERS_BELOW..RATINGS.1] {
            assert!(kind.into_iter().all(|elo| nodes(elo) <= nodes(elo + 1)));
        }
        assert_eq!([nodes(0), nodes(9999)], [nodes(RATINGS.0), nodes(RATINGS.1)]);
    }
}
