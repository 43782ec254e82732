//! Evaluations of unusual kinds.

use shakmaty::Role;

use super::random::Random;
use betacut_core::evaluation::{Evaluation, PhaseRule, Phased};
use betacut_core::score::Score;

/// An evaluation: mostly one with bounds for the exact search to prove with, of any step and any size.
pub fn random(random: &mut Random<'_>) -> Evaluation {
    loop {
        let [simplified, constant, tapered] =
            [PhaseRule::Simplified, PhaseRule::Constant, PhaseRule::Tapered];
        let rule = random.pick(&[simplified, simplified, constant, tapered]);
        // The tables may be worth nothing, like the kings', or everything.
        let step = random.pick(&[1, 1, 2, 3, 5, 5, 7, 10, 25]);
        let steps = random.pick(&[0, 1, 2, 10, 20, 60]);
        let kings_alone = !random.once_in(4);
        let mut pieces = [[Phased::default(); 64]; 6];
        for (role, squares) in Role::ALL.into_iter().zip(&mut pieces) {
            let material = [material(role, random), material(role, random)];
            let steps = if random.once_in(4) { 0 } else { steps };
            let bonus =
                |random: &mut Random<'_>| step * (random.below(2 * steps + 1) as Score - steps as Score);
            for worth in squares {
                worth.middlegame = material[0] + bonus(random);
                worth.endgame = if role == Role::King || !kings_alone {
                    material[1] + bonus(random)
                } else {
                    worth.middlegame
                };
            }
        }
        if let Ok(evaluation) = Evaluation::new(None, rule, &pieces) {
            return evaluation;
        }
    }
}

/// What a kind of piece is worth on any square: about what it usually is, or anything, less than nothing too.
fn material(role: Role, random: &mut Random<'_>) -> Score {
    let usual = [100, 320, 330, 500, 900, 0][role as usize - 1];
    match random.below(6) {
        _ if role == Role::King => 0,
        0 => random.between(0, 1200) as Score - 300,
        1 => random.between(0, 60) as Score - 30,
        _ => usual + random.between(0, 40) as Score - 20,
    }
}

/// The evaluation in the form that `betacut.Evaluation.from_json` reads: from a8 to h1.
pub fn to_json(evaluation: &Evaluation) -> String {
    let tables = |phase: fn(&Phased) -> Score| {
        let pieces = evaluation.pieces().iter().zip("PNBRQK".chars()).map(|(squares, letter)| {
            let rows = squares.chunks(8).rev().flatten().map(|worth| phase(worth).to_string());
            format!("\"{letter}\": [{}]", rows.collect::<Vec<_>>().join(", "))
        });
        pieces.collect::<Vec<_>>().join(", ")
    };
    let rule = evaluation.rule();
    let endgame = match rule {
        PhaseRule::Constant => String::new(),
        _ => format!(", \"endgame_squares\": {{{}}}", tables(|worth| worth.endgame)),
    };
    format!(
        "{{\"phase\": \"{}\", \"piece_values\": [0, 0, 0, 0, 0], \"squares\": {{{}}}{endgame}}}",
        rule.name(),
        tables(|worth| worth.middlegame),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::{Kind, position};
    use betacut_core::board::{Board, EMPTY, QUEEN};

    #[test]
    fn no_move_loses_more_than_the_bound() {
        let (mut moves, mut sharp) = (0, 0);
        for case in 0..3000 {
            let mut random = Random::new(3, case);
            let evaluation = super::random(&mut random);
            let values = evaluation.values();
            if !values.has_bounds {
                continue;
            }
            let position = position(random.pick(&Kind::ALL), &mut random);
            let board = Board::new(&position.with_evaluation(&evaluation));
            for m in board.legal_moves().into_iter().filter(|m| [EMPTY, QUEEN].contains(&m.promotion())) {
                let lost = board.score() + board.make(m).score();
                assert!(lost <= values.most_lost, "{} {m:?} loses {lost}", position.fen());
                moves += 1;
                sharp += u32::from(2 * lost > values.most_lost);
            }
        }
        assert!(moves > 20_000 && sharp > 500, "{sharp} of {moves}");
    }
}
