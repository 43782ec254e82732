//! What is learned: the weights, with the tables of squares taken apart into one that all kinds of kings' places share and
//! what is particular to each, which is pulled towards nothing (`docs/tuning.md`).

use super::gauge::{self, Weight};
use super::weights_file::boxed;
use betacut_play::evaluation::terms::{
    COUNT, KING_KINDS, MATERIAL, OTHER_KING_SQUARES, OWN_KING_SQUARES, SQUARES, TEMPO,
};
use betacut_play::evaluation::{Pair, Weights};

/// Where the tables start, and the part that their kinds share.
const TABLES: [(usize, usize); 2] = [(OWN_KING_SQUARES, COUNT), (OTHER_KING_SQUARES, COUNT + SQUARES)];
/// The number of parameters.
pub const PARAMETERS: usize = COUNT + 2 * SQUARES;

/// How strongly parameters are pulled towards 0: as if so many positions had said so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// What is particular to a kind of king's place.
    pub kinds: f32,
    /// Everything else but material.
    pub others: f32,
}

impl Pull {
    /// The pull of each parameter.
    pub fn of_all(&self) -> Vec<f32> {
        let mut pulls = vec![self.others; PARAMETERS];
        for (table, _) in TABLES {
            pulls[table..table + KING_KINDS * SQUARES].fill(self.kinds);
        }
        pulls[MATERIAL..MATERIAL + 5].fill(0.0);
        pulls[TEMPO] = 0.0;
        pulls
    }
}

/// The weights as numbers.
pub fn numbers(weights: &Weights) -> Vec<Weight> {
    weights.iter().map(|weight| [weight.middlegame() as f32, weight.endgame() as f32]).collect()
}

/// The weights as numbers to be learned.
pub fn unfold(weights: &Weights) -> Vec<Weight> {
    let mut parameters = numbers(weights);
    parameters.resize(PARAMETERS, [0.0; 2]);
    for (table, shared) in TABLES {
        for entry in 0..SQUARES {
            let places = || (0..KING_KINDS).map(|kind| table + kind * SQUARES + entry);
            let mean =
                [0, 1].map(|part| places().map(|at| parameters[at][part]).sum::<f32>() / KING_KINDS as f32);
            parameters[shared + entry] = mean;
            for at in places() {
                parameters[at][0] -= mean[0];
                parameters[at][1] -= mean[1];
            }
        }
    }
    parameters
}

/// The weights that parameters make up.
pub fn fold(parameters: &[Weight], weights: &mut [Weight]) {
    weights.copy_from_slice(&parameters[..COUNT]);
    for (table, shared) in TABLES {
        for (at, weight) in weights[table..table + KING_KINDS * SQUARES].iter_mut().enumerate() {
            let common = parameters[shared + at % SQUARES];
            weight[0] += common[0];
            weight[1] += common[1];
        }
    }
}

/// The gradient of the parameters, from that of the weights in the first places.
pub fn spread(gradient: &mut [Weight]) {
    for (table, shared) in TABLES {
        gradient[shared..shared + SQUARES].fill([0.0; 2]);
        for at in 0..KING_KINDS * SQUARES {
            let [middlegame, endgame] = gradient[table + at];
            gradient[shared + at % SQUARES][0] += middlegame;
            gradient[shared + at % SQUARES][1] += endgame;
        }
    }
}

/// The weights to be written, 0 where nothing was seen; or the number of one that does not fit into 16 bits.
pub fn finish(parameters: &[Weight], occurrences: &[u64]) -> Result<Box<Weights>, usize> {
    let mut weights = vec![[0.0; 2]; COUNT];
    fold(parameters, &mut weights);
    forget_unseen(&mut weights, occurrences);
    gauge::fix(&mut weights, occurrences);
    let mut rounded = vec![Pair::default(); COUNT];
    for (index, weight) in weights.iter().enumerate() {
        let [middlegame, endgame] = weight.map(f32::round);
        if middlegame.abs().max(endgame.abs()) > f32::from(i16::MAX) {
            return Err(index);
        }
        rounded[index] = Pair::new(middlegame as i32, endgame as i32);
    }
    // What can never count, such as a pawn on the last rank, is no gauge's business.
    for (table, _) in TABLES {
        for at in 0..KING_KINDS * SQUARES {
            if !seen_with_any_king(occurrences, table, at % SQUARES) {
                rounded[table + at] = Pair::default();
            }
        }
    }
    Ok(boxed(&rounded))
}

fn seen_with_any_king(occurrences: &[u64], table: usize, entry: usize) -> bool {
    (0..KING_KINDS).any(|kind| occurrences[table + kind * SQUARES + entry] > 0)
}

/// Steps of ladders that were never seen get the weight of the nearest step that was.
fn forget_unseen(weights: &mut [Weight], occurrences: &[u64]) {
    for &(start, len) in gauge::LADDERS {
        let seen: Vec<usize> = (0..len).filter(|step| occurrences[start + step] > 0).collect();
        for step in 0..len {
            if let Some(nearest) = seen.iter().min_by_key(|seen| seen.abs_diff(step)) {
                weights[start + step] = weights[start + nearest];
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // whole numbers
mod tests {
    use super::*;
    use betacut_play::evaluation::WEIGHTS;

    #[test]
    fn unfolding_and_folding_gives_the_weights_back() {
        let mut weights = Box::new(WEIGHTS);
        for (index, weight) in weights.iter_mut().enumerate() {
            *weight = Pair::new((index * index % 701) as i32 - 350, (index * 31 % 997) as i32 - 498);
        }
        let parameters = unfold(&weights);
        let mut folded = vec![[0.0; 2]; COUNT];
        fold(&parameters, &mut folded);
        for (weight, folded) in weights.iter().zip(folded) {
            assert!((weight.middlegame() as f32 - folded[0]).abs() < 1e-3);
            assert!((weight.endgame() as f32 - folded[1]).abs() < 1e-3);
        }
        // What is particular cancels out over the kinds.
        let sum: f32 =
            (0..KING_KINDS).map(|kind| parameters[OWN_KING_SQUARES + kind * SQUARES + 77][0]).sum();
        assert!(sum.abs() < 1e-2);
    }

    #[test]
    fn what_is_shared_learns_from_all_kinds() {
        let mut parameters = vec![[0.0; 2]; PARAMETERS];
        let entry = 2 * 64 + 27;
        parameters[COUNT + SQUARES + entry] = [5.0, 7.0];
        parameters[OTHER_KING_SQUARES + 3 * SQUARES + entry] = [1.0, -1.0];
        let mut weights = vec![[0.0; 2]; COUNT];
        fold(&parameters, &mut weights);
        for kind in 0..KING_KINDS {
            let expected = if kind == 3 { [6.0, 6.0] } else { [5.0, 7.0] };
            assert_eq!(weights[OTHER_KING_SQUARES + kind * SQUARES + entry], expected);
            assert_eq!(weights[OWN_KING_SQUARES + kind * SQUARES + entry], [0.0; 2]);
        }
        let mut gradient = vec![[0.0; 2]; PARAMETERS];
        for kind in 0..KING_KINDS {
            gradient[OWN_KING_SQUARES + kind * SQUARES + entry] = [kind as f32, 1.0];
        }
        spread(&mut gradient);
        assert_eq!(gradient[COUNT + entry], [21.0, 7.0]);
        assert_eq!(gradient[COUNT + SQUARES + entry], [0.0, 0.0]);
    }
}
