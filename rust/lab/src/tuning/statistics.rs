//! What the games of a match say about strength.
//!
//! Games come in pairs, the same opening with colours changed. The two games of a pair are not independent, pairs are; so
//! what counts is how many pairs scored 0, ½, 1, 1½ and 2 points.
//!
//! Sources: A. E. Elo, "The Rating of Chessplayers, Past and Present" (1978); M. Van den Bergh, "A Practical Introduction
//! to the GSPRT" (2019) and "Normalized Elo" (2020); A. Wald, "Sequential Analysis" (1947); C. J. Clopper and
//! E. S. Pearson, "The Use of Confidence or Fiducial Limits" (1934).

use std::fmt;

/// The score of a pair, as a share of its two points.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// How many spreads of the mean on either side hold the truth 95 times of 100.
const REACH: f64 = 1.959_964;
/// What a cell of the sequential test counts that no pair has come to: samples of wins only would have no likelihood.
const EMPTY_CELL: f64 = 0.5;
/// Ln(0.95 / 0.05): errors of either kind are allowed in 5 tests of 100.
const BOUND: f64 = 2.944_438_979_166_44;

/// The points of the pairs of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games lost, drawn, won.
    pub games: [u64; 3],
    /// Pairs with 0 to 4 half points.
    pub pairs: [u64; 5],
}

/// A figure with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reach = (self.high - self.low) / 2.0;
        if reach.is_finite() && (self.value - self.low - reach).abs() < 1.0 {
            write!(f, "{:+.1} ± {reach:.1}", self.value)
        } else {
            write!(f, "{:+.1} ({:+.1} to {:+.1})", self.value, self.low, self.high)
        }
    }
}

/// The difference in Elo that goes with an expected score.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

impl Tally {
    /// Counts a pair, by the half points of its games.
    pub fn add(&mut self, half_points: [u8; 2]) {
        for half in half_points {
            self.games[half.min(2) as usize] += 1;
        }
        self.pairs[half_points.iter().sum::<u8>().min(4) as usize] += 1;
    }

    /// The number of pairs.
    pub fn size(&self) -> u64 {
        self.pairs.iter().sum()
    }

    fn mean(&self) -> f64 {
        let sum: f64 = self.pairs.iter().zip(SCORES).map(|(&count, score)| count as f64 * score).sum();
        sum / self.size() as f64
    }

    fn variance(&self) -> f64 {
        let mean = self.mean();
        let sum: f64 =
            self.pairs.iter().zip(SCORES).map(|(&count, score)| count as f64 * (score - mean).powi(2)).sum();
        sum / self.size() as f64
    }

    fn is_without_spread(&self) -> bool {
        self.pairs.iter().filter(|&&count| count > 0).count() <= 1
    }

    /// The difference in Elo; with no pairs it may be anything.
    ///
    /// If all pairs have the same score, their spread says nothing: the interval is then what the exact binomial limit leaves
    /// for other scores.
    pub fn elo(&self) -> Estimate {
        let size = self.size() as f64;
        if size == 0.0 {
            return Estimate { value: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let mean = self.mean();
        let (low, high) = if self.is_without_spread() {
            let share = 0.025_f64.powf(1.0 / size);
            (mean * share, mean * share + 1.0 - share)
        } else {
            let reach = REACH * (self.variance() / (size - 1.0)).sqrt();
            ((mean - reach).max(0.0), (mean + reach).min(1.0))
        };
        Estimate { value: elo_of_score(mean), low: elo_of_score(low), high: elo_of_score(high) }
    }

    /// The difference in normalized Elo, the distance from ½ in spreads of a game, and the same of the ends of
    /// the interval of the mean; none if the pairs have no spread.
    pub fn normalized_elo(&self) -> Option<Estimate> {
        if self.is_without_spread() {
            return None;
        }
        let spread = self.variance().sqrt();
        let value = (self.mean() - 0.5) / spread;
        let reach = REACH / ((self.size() - 1) as f64).sqrt();
        let unit = normalized_unit();
        Some(Estimate { value: unit * value, low: unit * (value - reach), high: unit * (value + reach) })
    }

    /// The logarithm of how much likelier the pairs are with a normalized Elo of `elo1` than with `elo0`.
    ///
    /// The ratio is the generalised one: under either hypothesis those probabilities of the five results are taken that make
    /// the pairs likeliest.
    pub fn llr(&self, elo0: f64, elo1: f64) -> f64 {
        if self.size() == 0 {
            return 0.0;
        }
        let cells = self.pairs.map(|count| if count == 0 { EMPTY_CELL } else { count as f64 });
        let total: f64 = cells.iter().sum();
        let shares = cells.map(|cell| cell / total);
        let [zero, one] = [elo0, elo1].map(|elo| likeliest(&shares, elo / normalized_unit()));
        let ratio: f64 = shares
            .iter()
            .zip(zero.iter().zip(&one))
            .map(|(share, (zero, one))| share * (one / zero).ln())
            .sum();
        self.size() as f64 * ratio
    }
}

/// Normalized Elo by spread of the score of a pair.
fn normalized_unit() -> f64 {
    800.0 / std::f64::consts::LN_10 / std::f64::consts::SQRT_2
}

/// Whether a sequential test is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes on.
    Open,
    /// The smaller difference is accepted.
    H0,
    /// The greater difference is.
    H1,
}

impl Verdict {
    /// By the logarithm of the likelihood ratio.
    pub fn of(llr: f64) -> Verdict {
        if llr >= BOUND {
            Verdict::H1
        } else if llr <= -BOUND {
            Verdict::H0
        } else {
            Verdict::Open
        }
    }
}

/// The probabilities with a mean so many spreads above ½ under which the shares are likeliest.
///
/// The condition is not linear; about some probabilities with mean m and spread s it is, to the first order, that the
/// expectation of x − ½ − wanted · s · (1 + ((x − m) / s)²) / 2 is 0. So the linear problem is solved again and
/// again, each time about its last solution.
fn likeliest(shares: &[f64; 5], wanted: f64) -> [f64; 5] {
    let mut found = *shares;
    for _ in 0..100 {
        let mean: f64 = found.iter().zip(SCORES).map(|(p, x)| p * x).sum();
        let spread = found.iter().zip(SCORES).map(|(p, x)| p * (x - mean).powi(2)).sum::<f64>().sqrt();
        let bent = SCORES.map(|x| x - 0.5 - wanted * spread * (1.0 + ((x - mean) / spread).powi(2)) / 2.0);
        let next = likeliest_about_zero(shares, &bent);
        let change = next.iter().zip(found).map(|(p, q)| (p - q).abs()).fold(0.0, f64::max);
        found = next;
        if change < 1e-12 {
            break;
        }
    }
    found
}

/// The probabilities under which the values have the expectation 0 and the shares are likeliest: by Lagrange,
/// shareᵢ / (1 + θ valueᵢ) with the θ for which that holds.
fn likeliest_about_zero(shares: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    for _ in 0..200 {
        let theta = f64::midpoint(low, high);
        // Falls as theta grows.
        let expectation: f64 = shares.iter().zip(values).map(|(p, x)| p * x / (1.0 + theta * x)).sum();
        if expectation > 0.0 { low = theta } else { high = theta }
    }
    let theta = f64::midpoint(low, high);
    std::array::from_fn(|at| shares[at] / (1.0 + theta * values[at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u64; 5]) -> Tally {
        Tally { games: [0; 3], pairs }
    }

    fn is_near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 0.006
    }

    #[test]
    fn pairs_are_counted() {
        let mut tally = Tally::default();
        for pair in [[2, 1], [0, 2], [1, 1], [2, 2], [0, 1]] {
            tally.add(pair);
        }
        assert_eq!(tally, Tally { games: [2, 4, 4], pairs: [0, 1, 2, 1, 1] });
    }

    #[test]
    fn elo_by_hand() {
        assert!(is_near(elo_of_score(0.75), 190.85));
        // 200 games, 105 points; the variance of a pair's score is 0.5·0.0625 − 0.025² + ... = 0.030625.
        let sample = tally([0, 20, 50, 30, 0]);
        let (mean, variance) = (0.525, 0.5 * 0.0625 - 0.025 * 0.025);
        assert!((sample.mean() - mean).abs() < 1e-12 && (sample.variance() - variance).abs() < 1e-12);
        let estimate = sample.elo();
        assert!(is_near(estimate.value, 17.39), "{estimate:?}");
        let reach = 1.96 * (variance / 99.0_f64).sqrt();
        assert!(is_near(estimate.low, elo_of_score(mean - reach)));
        assert!(is_near(estimate.high, elo_of_score(mean + reach)));
        // 0.025 / √(2 · 0.030625) · 800 / ln 10.
        assert!(is_near(sample.normalized_elo().unwrap().value, 35.10));
        assert_eq!(estimate.to_string(), "+17.4 ± 24.1");
    }

    #[test]
    fn samples_without_spread_have_wide_intervals() {
        let drawn = tally([0, 0, 10, 0, 0]).elo();
        assert!(drawn.value.abs() < 1e-9 && drawn.low < -50.0 && drawn.high > 50.0, "{drawn:?}");
        let won = tally([0, 0, 0, 0, 10]).elo();
        // The share of won pairs is at least 0.025^(1/10) = 0.6915.
        assert!(won.value.is_infinite() && won.high.is_infinite() && is_near(won.low, 140.22), "{won:?}");
        assert_eq!(won.to_string(), "+inf (+140.2 to +inf)");
        assert!(tally([0, 0, 10, 0, 0]).normalized_elo().is_none());
        assert!(Tally::default().elo().low.is_infinite());
    }

    #[test]
    fn the_likelihood_ratio() {
        // The first sample is level, so that the ratio for 0 against 5 is −n·t²/2 with t = 5/245.68: −0.0414, nearly.
        let level = tally([20, 60, 40, 60, 20]);
        assert!((level.llr(0.0, 5.0) + 200.0 * (5.0_f64 / 245.68).powi(2) / 2.0).abs() < 1e-4);
        // A hypothesis against itself, and turned round.
        assert!(level.llr(3.0, 3.0).abs() < 1e-9);
        let better = tally([5, 180, 500, 300, 15]);
        assert!((better.llr(0.0, 5.0) + better.llr(5.0, 0.0)).abs() < 1e-9);
        assert!((better.llr(0.0, 5.0) - tally([15, 300, 500, 180, 5]).llr(0.0, -5.0)).abs() < 1e-6);
        // Nearly n·(t1 − t0)·(t − (t0 + t1)/2), where the differences are small.
        let t = (better.mean() - 0.5) / better.variance().sqrt();
        let (t0, t1) = (0.0, 5.0 / 245.68);
        let expected = 1000.0 * (t1 - t0) * (t - f64::midpoint(t0, t1));
        assert!((better.llr(0.0, 5.0) / expected - 1.0).abs() < 0.05, "{expected}");
        assert_eq!(Verdict::of(better.llr(0.0, 5.0)), Verdict::H1);
        assert_eq!(Verdict::of(2.94), Verdict::Open);
        assert_eq!(Verdict::of(-2.945), Verdict::H0);
        // Wins alone decide nothing at once.
        assert!(tally([0, 0, 0, 0, 3]).llr(0.0, 5.0).is_finite());
        assert!(Tally::default().llr(0.0, 5.0).abs() < 1e-12);
    }
}
