//! Weights that mean the same, made readable: the mean of a group that can be shifted without changing any value is made 0,
//! over the positions it was learned from, and goes where it belongs (`docs/tuning.md`).

use betacut_play::evaluation::terms::{
    BISHOP_ALL_PAWNS, BISHOP_MOBILITY, BISHOP_PAWNS, FLANK_ATTACK, FLANK_DEFENCE, KING_ATTACK,
    KING_ATTACKERS, KING_DANGER, KING_KINDS, KNIGHT_MOBILITY, KNIGHT_PAWNS, MATERIAL, OTHER_KING_SQUARES,
    OWN_KING_SQUARES, PASSED_PAWN, PASSER_OTHER_KING, PASSER_OWN_KING, QUEEN_MOBILITY, ROOK_BEHIND_PASSER,
    ROOK_MOBILITY, ROOK_PAWNS, SHELTER, SPACE, SQUARES, STORM, WEAK_RING,
};

/// A weight as it is learned: middlegame and endgame.
pub type Weight = [f32; 2];

/// Terms of which a piece, a side or a pawn has exactly one step: first weight, number of weights.
pub const LADDERS: &[(usize, usize)] = &[
    (KNIGHT_MOBILITY, 9),
    (BISHOP_MOBILITY, 14),
    (ROOK_MOBILITY, 15),
    (QUEEN_MOBILITY, 28),
    (BISHOP_PAWNS, 9),
    (KING_ATTACK, 32),
    (KING_ATTACKERS, 8),
    (WEAK_RING, 9),
    (KING_DANGER, 64),
    (KNIGHT_PAWNS, 17),
    (BISHOP_ALL_PAWNS, 17),
    (ROOK_PAWNS, 17),
    (SPACE, 17),
    (FLANK_ATTACK, 41),
    (FLANK_DEFENCE, 21),
    (PASSER_OWN_KING, 8),
    (PASSER_OWN_KING + 8, 8),
    (PASSER_OWN_KING + 16, 8),
    (PASSER_OWN_KING + 24, 8),
    (PASSER_OTHER_KING, 8),
    (PASSER_OTHER_KING + 8, 8),
    (PASSER_OTHER_KING + 16, 8),
    (PASSER_OTHER_KING + 24, 8),
];

/// A group of weights of which exactly one counts wherever the receiver does, or once for each side.
struct Group {
    members: Vec<usize>,
    /// Where the mean goes; to neither side if both always have it.
    receiver: Option<usize>,
}

fn groups() -> Vec<Group> {
    let mut groups = Vec::new();
    // 1. Tables of squares: every piece stands on one square.
    for table in [OWN_KING_SQUARES, OTHER_KING_SQUARES] {
        for piece in 0..6 {
            let squares = |kind: usize| table + kind * SQUARES + piece * 64;
            let members = (0..KING_KINDS).flat_map(|kind| squares(kind)..squares(kind) + 64).collect();
            groups.push(Group { members, receiver: (piece < 5).then_some(MATERIAL + piece) });
        }
    }
    // 2. What every piece of a kind has one step of, every passed pawn from its fourth rank on, or every side.
    for &(start, len) in LADDERS {
        let receiver = match start {
            KNIGHT_MOBILITY | KNIGHT_PAWNS => Some(MATERIAL + 1),
            BISHOP_MOBILITY | BISHOP_PAWNS | BISHOP_ALL_PAWNS => Some(MATERIAL + 2),
            ROOK_MOBILITY | ROOK_PAWNS => Some(MATERIAL + 3),
            QUEEN_MOBILITY => Some(MATERIAL + 4),
            PASSER_OWN_KING..ROOK_BEHIND_PASSER => Some(PASSED_PAWN + 3 + (start - PASSER_OWN_KING) / 8 % 4),
            _ => None,
        };
        groups.push(Group { members: (start..start + len).collect(), receiver });
    }
    // Before a king there is its own file, and two more: those beside it, or the same side of it twice.
    for term in [SHELTER, STORM] {
        groups.push(Group { members: (term..term + 8).collect(), receiver: None });
        groups.push(Group { members: (term + 8..term + 24).collect(), receiver: None });
    }
    groups
}

/// Makes the mean of each group 0; `occurrences` says how often each weight counts.
pub fn fix(weights: &mut [Weight], occurrences: &[u64]) {
    for Group { members, receiver } in groups() {
        let total: u64 = members.iter().map(|&member| occurrences[member]).sum();
        if total == 0 {
            continue;
        }
        let mean = [0, 1].map(|part| {
            let weighed = |&member: &usize| occurrences[member] as f64 * f64::from(weights[member][part]);
            (members.iter().map(weighed).sum::<f64>() / total as f64) as f32
        });
        for member in members {
            weights[member][0] -= mean[0];
            weights[member][1] -= mean[1];
        }
        if let Some(receiver) = receiver {
            weights[receiver][0] += mean[0];
            weights[receiver][1] += mean[1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::dataset::{Dataset, of_evaluation, tests::positions};
    use betacut_play::evaluation::terms::COUNT;

    #[test]
    fn no_value_changes() {
        let mut all = positions(60, 30);
        all.extend(positions(60, 200));
        let dataset = Dataset::of_positions(all.iter().map(|position| (position, 0, 1)), &of_evaluation);
        let rows: Vec<u32> = (0..dataset.len as u32).collect();
        let occurrences = dataset.occurrences(&rows);
        let mut weights: Vec<Weight> =
            (0..COUNT).map(|at| [(at * at % 101) as f32, (at * 7 % 53) as f32 - 90.0]).collect();
        let sums = |weights: &[Weight]| -> Vec<[f32; 2]> {
            let sum = |&number: &u32| {
                let row = dataset.row(number);
                row.terms.iter().zip(row.times).fold([0.0; 2], |[a, b], (&term, &times)| {
                    let [x, y] = weights[term as usize];
                    [a + x * f32::from(times), b + y * f32::from(times)]
                })
            };
            rows.iter().map(sum).collect()
        };
        let before = sums(&weights);
        let bishop = weights[MATERIAL + 2];
        fix(&mut weights, &occurrences);
        assert!((weights[MATERIAL + 2][0] - bishop[0]).abs() > 1.0);
        for (before, after) in before.iter().zip(sums(&weights)) {
            assert!(
                (before[0] - after[0]).abs() < 0.1 && (before[1] - after[1]).abs() < 0.1,
                "{before:?} {after:?}"
            );
        }
        // And the means are gone.
        let mean: f64 = (0..9)
            .map(|step| {
                occurrences[KNIGHT_MOBILITY + step] as f64 * f64::from(weights[KNIGHT_MOBILITY + step][0])
            })
            .sum();
        assert!(mean.abs() < 0.1);
    }
}
