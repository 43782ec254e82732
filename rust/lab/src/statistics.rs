//! What the games of a match say about strength: the figures of `betacut.match` and of `betacut-tune`.
//!
//! The two games of a pair are not independent, pairs are. So pairs are counted by their score, the pentanomial counts;
//! single games only where there are no pairs.
//!
//! Sources: A. E. Elo, "The Rating of Chessplayers, Past and Present" (1978); M. Van den Bergh, "A Practical Introduction
//! to the GSPRT" (2019) and "Normalized Elo" (2020); A. Wald, "Sequential Analysis" (1947); C. J. Clopper and
//! E. S. Pearson, "The Use of Confidence or Fiducial Limits" (1934); Abramowitz and Stegun, "Handbook of Mathematical
//! Functions" (1964), 26.2.11, 26.7.3 and 26.7.4.

use std::f64::consts::{LN_10, PI};

/// Normalized Elo by spread of a game: 347.4.
const NORMALIZED: f64 = 800.0 / LN_10;
/// What a cell of the sequential test counts that has nothing yet: wins alone would have no likelihood.
const EMPTY_CELL: f64 = 0.5;
/// In so many steps the likeliest shares are led from those that were found to a hypothesis about normalized Elo.
const STEPS: u32 = 16;
/// From so many degrees of freedom on Student's distribution is taken to be normal.
const ALMOST_NORMAL: f64 = 300.0;

/// A figure with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// Whether the interval is the exact binomial one, for want of a spread.
    pub exact: bool,
}

impl Estimate {
    const UNKNOWN: Estimate =
        Estimate { value: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY, exact: true };
}

fn elo_of_score(score: f64) -> f64 {
    // There is no -0.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// How often each score came up, the lowest first: five counts are of pairs, three of single games.
#[derive(Clone, Debug)]
pub struct Sample(pub Vec<f64>);

impl Sample {
    fn size(&self) -> f64 {
        self.0.iter().sum()
    }

    /// The possible scores, 0 to 1.
    fn scores(&self) -> Vec<f64> {
        let last = (self.0.len() - 1) as f64;
        (0..self.0.len()).map(|at| at as f64 / last).collect()
    }

    fn games_each(&self) -> f64 {
        ((self.0.len() - 1) / 2) as f64
    }

    /// The mean of a power of the distance from the centre.
    fn moment(&self, power: i32, center: f64) -> f64 {
        let terms =
            self.0.iter().zip(self.scores()).map(|(count, score)| count * (score - center).powi(power));
        terms.sum::<f64>() / self.size()
    }

    fn mean(&self) -> f64 {
        self.moment(1, 0.0)
    }

    fn is_without_spread(&self) -> bool {
        self.0.iter().filter(|&&count| count > 0.0).count() <= 1
    }

    /// The exact lower limit for the share of what came up every time.
    fn least_share(&self, confidence: f64) -> f64 {
        ((1.0 - confidence) / 2.0).powf(1.0 / self.size())
    }

    /// Normalized Elo by spread of an observation.
    fn unit(&self) -> f64 {
        NORMALIZED / self.games_each().sqrt()
    }

    /// The difference in Elo, by the spread of the scores, or where they are all the same by the exact binomial limit.
    pub fn elo(&self, confidence: f64) -> Estimate {
        let size = self.size();
        if size == 0.0 {
            return Estimate::UNKNOWN;
        }
        let (mean, exact) = (self.mean(), self.is_without_spread());
        let (low, high) = if exact {
            let share = self.least_share(confidence);
            (mean * share, 1.0 - (1.0 - mean) * share)
        } else {
            let error = (self.moment(2, mean) / (size - 1.0)).sqrt();
            let reach = student_quantile(f64::midpoint(1.0, confidence), size - 1.0) * error;
            ((mean - reach).max(0.0), (mean + reach).min(1.0))
        };
        Estimate { value: elo_of_score(mean), low: elo_of_score(low), high: elo_of_score(high), exact }
    }

    /// The difference in normalized Elo; the interval is by the delta method, for a ratio of estimates.
    pub fn normalized_elo(&self, confidence: f64) -> Estimate {
        if self.is_without_spread() {
            return self.normalized_elo_without_spread(confidence);
        }
        let (mean, unit, size) = (self.mean(), self.unit(), self.size());
        let spread = self.moment(2, mean).sqrt();
        let value = (mean - 0.5) / spread;
        let skewness = self.moment(3, mean) / spread.powi(3);
        let kurtosis = self.moment(4, mean) / spread.powi(4);
        let variance = (1.0 - value * skewness + value.powi(2) * (kurtosis - 1.0) / 4.0).max(0.0);
        let reach =
            student_quantile(f64::midpoint(1.0, confidence), size - 1.0) * (variance / (size - 1.0)).sqrt();
        Estimate {
            value: unit * value,
            low: unit * (value - reach),
            high: unit * (value + reach),
            exact: false,
        }
    }

    /// The spread may have any value: what is not known to be won or lost may be at the other end.
    fn normalized_elo_without_spread(&self, confidence: f64) -> Estimate {
        let (share, lead) = (self.least_share(confidence), self.mean() - 0.5);
        if self.size() == 0.0 || lead == 0.0 {
            return Estimate::UNKNOWN;
        }
        let distance = 0.5 + lead.abs();
        let least = self.unit() * (share * distance - 0.5) / (distance * (share * (1.0 - share)).sqrt());
        let infinite = f64::INFINITY.copysign(lead);
        let (low, high) = if lead > 0.0 { (least, infinite) } else { (infinite, -least) };
        Estimate { value: infinite, low, high, exact: true }
    }

    /// The probability that the mean score is above ½.
    pub fn superiority(&self) -> f64 {
        let size = self.size();
        if size == 0.0 {
            return 0.5;
        }
        let lead = self.mean() - 0.5;
        let unsure = if self.is_without_spread() {
            let decisive = (2.0 * lead.abs() * self.games_each()).round_ties_even() * size;
            0.5_f64.powf(decisive + 1.0)
        } else {
            let error = (self.moment(2, self.mean()) / (size - 1.0)).sqrt();
            // Which is rounded, and may be a little above 1.
            (1.0 - student(lead.abs() / error, size - 1.0)).max(0.0)
        };
        if lead > 0.0 { 1.0 - unsure } else { unsure }
    }

    /// How much likelier the second difference in Elo is than the first, the logarithm: the generalised ratio.
    pub fn llr(&self, hypotheses: [f64; 2], normalized: bool) -> f64 {
        if self.size() == 0.0 {
            return 0.0;
        }
        let cells: Vec<f64> =
            self.0.iter().map(|&count| if count == 0.0 { EMPTY_CELL } else { count }).collect();
        let total: f64 = cells.iter().sum();
        let shares: Vec<f64> = cells.iter().map(|cell| cell / total).collect();
        let scores = self.scores();
        let [zero, one] = hypotheses.map(|elo| {
            if normalized {
                likeliest_with_spread(&shares, &scores, elo / self.unit())
            } else {
                likeliest(&shares, &scores, score_of_elo(elo))
            }
        });
        let terms =
            shares.iter().zip(zero.iter().zip(&one)).map(|(share, (zero, one))| share * (one / zero).ln());
        self.size() * terms.sum::<f64>()
    }
}

/// The probability that Student's t is not greater than a value of 0 or more.
fn student(value: f64, freedom: f64) -> f64 {
    if freedom >= ALMOST_NORMAL {
        return normal(value);
    }
    let freedom = freedom as u32;
    let angle = (value / f64::from(freedom).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let first = if freedom.is_multiple_of(2) { 1 } else { 2 };
    let mut term = if first == 1 { 1.0 } else { cosine };
    let mut total = if freedom == 1 { 0.0 } else { term };
    for step in (first..freedom.saturating_sub(2)).step_by(2) {
        term *= cosine.powi(2) * f64::from(step) / f64::from(step + 1);
        total += term;
    }
    let inside = if first == 1 { sine * total } else { (angle + sine * total) * 2.0 / PI };
    0.5 + inside / 2.0
}

/// The same for the normal distribution.
fn normal(value: f64) -> f64 {
    // Above 9 it is 1 in all digits.
    let value = value.min(9.0);
    let (mut term, mut total, mut odd) = (value, 0.0, 1.0);
    while total + term > total {
        total += term;
        odd += 2.0;
        term *= value * value / odd;
    }
    (0.5 + total * (-value * value / 2.0).exp() / (2.0 * PI).sqrt()).min(1.0)
}

/// What Student's t stays below with a probability of ½ or more.
fn student_quantile(probability: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while student(high, freedom) < probability && high < 1e9 {
        high *= 2.0;
    }
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if student(middle, freedom) < probability { low = middle } else { high = middle }
    }
    high
}

/// By Lagrange: shareᵢ / (1 + θ (valueᵢ - expected)), the likeliest of this mean, with the θ that sums them to 1.
fn likeliest(shares: &[f64], values: &[f64], expected: f64) -> Vec<f64> {
    let distances: Vec<f64> = values.iter().map(|value| value - expected).collect();
    let greatest = distances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    for _ in 0..100 {
        let theta = f64::midpoint(low, high);
        // At the ends a probability is infinite.
        if theta <= low || theta >= high {
            break;
        }
        // Falls as theta grows.
        let slope: f64 = shares.iter().zip(&distances).map(|(share, x)| share * x / (1.0 + theta * x)).sum();
        if slope > 0.0 { low = theta } else { high = theta }
    }
    let theta = f64::midpoint(low, high);
    shares.iter().zip(&distances).map(|(share, x)| share / (1.0 + theta * x)).collect()
}

/// The same for a distance of the mean from ½ of so many spreads.
///
/// That is no linear condition. About the mean m and the spread s of some probabilities it is, to the first order, that the
/// expectation of x − ½ − wanted · s · (1 + ((x − m) / s)²) / 2 is 0. So the linear problem is solved again and
/// again, each time about its last solution. From far away that leads nowhere; so the condition moves step by step from the
/// one that the shares meet, by equal angles.
fn likeliest_with_spread(shares: &[f64], values: &[f64], wanted: f64) -> Vec<f64> {
    let moments = |of: &[f64]| {
        let mean: f64 = of.iter().zip(values).map(|(p, x)| p * x).sum();
        (mean, of.iter().zip(values).map(|(p, x)| p * (x - mean).powi(2)).sum::<f64>().sqrt())
    };
    let mut found = shares.to_vec();
    let (mean, spread) = moments(&found);
    let begin = ((mean - 0.5) / spread).atan();
    for step in 1..=STEPS {
        let (target, rounds) = if step == STEPS {
            (wanted, 100)
        } else {
            ((begin + (wanted.atan() - begin) * f64::from(step) / f64::from(STEPS)).tan(), 6)
        };
        for _ in 0..rounds {
            let (mean, spread) = moments(&found);
            let bent: Vec<f64> = values
                .iter()
                .map(|x| x - 0.5 - target * spread * (1.0 + ((x - mean) / spread).powi(2)) / 2.0)
                .collect();
            let before = std::mem::replace(&mut found, likeliest(shares, &bent, 0.0));
            let change = found.iter().zip(before).map(|(p, q)| (p - q).abs()).fold(0.0, f64::max);
            if change < 1e-12 {
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
    const SHARES: [f64; 5] = [0.1, 0.2, 0.3, 0.25, 0.15];

    fn is_near(found: f64, expected: f64, by: f64) -> bool {
        (found - expected).abs() < by
    }

    #[test]
    fn student_as_in_tables() {
        let table =
            [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (30, 2.0423), (120, 1.9799)];
        for (freedom, quantile) in table {
            assert!(is_near(student_quantile(0.975, f64::from(freedom)), quantile, 1e-4), "{freedom}");
            assert!(is_near(student(quantile, f64::from(freedom)), 0.975, 1e-5), "{freedom}");
        }
        for value in [0.0_f64, 0.3, 1.0, 7.0] {
            assert!(is_near(student(value, 1.0), 0.5 + value.atan() / PI, 1e-12));
            let two = 0.5 + value / (2.0 * (2.0 + value.powi(2)).sqrt());
            assert!(is_near(student(value, 2.0), two, 1e-12));
        }
    }

    #[test]
    fn student_becomes_normal() {
        // The quantile, to 15 digits.
        let expected = 1.959_963_984_540_054;
        assert!(is_near(student_quantile(0.975, 299.0), expected, 1e-2));
        assert!(is_near(student_quantile(0.975, 300.0), expected, 1e-14));
        assert!(is_near(normal(8.5), 1.0, 1e-15) && is_near(normal(1e9), 1.0, 1e-15));
        assert!(is_near(normal(3.0), 0.998_650_101_968_369_9, 1e-15));
    }

    #[test]
    fn the_likeliest_probabilities_meet_their_condition() {
        let about = |found: &[f64]| {
            assert!(is_near(found.iter().sum(), 1.0, 1e-9));
            let sample = Sample(found.to_vec());
            (sample.mean(), sample.moment(2, sample.mean()))
        };
        for step in 0..=40 {
            let wanted = 0.3 + 0.01 * f64::from(step);
            assert!(is_near(about(&likeliest(&SHARES, &SCORES, wanted)).0, wanted, 1e-9), "{wanted}");
            let wanted = -0.5 + 0.025 * f64::from(step);
            let (mean, variance) = about(&likeliest_with_spread(&SHARES, &SCORES, wanted));
            assert!(is_near((mean - 0.5) / variance.sqrt(), wanted, 1e-6), "{wanted}");
        }
        // Far from what was found.
        for counts in [[490.0, 501.0, 7.0, 1.0, 1.0], [1e5, 0.5, 0.5, 0.5, 0.5], [1.0, 1.0, 1.0, 1.0, 1.0]] {
            let shares = counts.map(|count| count / counts.iter().sum::<f64>());
            for wanted in [-4.0, -0.3, 0.0, 0.3, 1.2, 4.0] {
                let found = likeliest_with_spread(&shares, &SCORES, wanted);
                let (mean, variance) = about(&found);
                assert!(found.iter().all(|&p| p > 0.0), "{counts:?}, {wanted}");
                assert!(is_near((mean - 0.5) / variance.sqrt(), wanted, 1e-6), "{counts:?}, {wanted}");
            }
        }
    }

    #[test]
    fn no_other_probabilities_are_likelier() {
        let found = likeliest(&SHARES, &SCORES, 0.5);
        let likelihood = |of: &[f64]| SHARES.iter().zip(of).map(|(share, p)| share * p.ln()).sum::<f64>();
        // Each keeps the sum and the mean.
        for step in [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -2.0, 1.0, 0.0], [0.0, 0.0, 1.0, -2.0, 1.0]] {
            for size in [0.001, -0.001] {
                let other: Vec<f64> = found.iter().zip(step).map(|(p, change)| p + size * change).collect();
                assert!(likelihood(&other) < likelihood(&found));
            }
        }
    }
}
