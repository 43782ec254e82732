//! The evaluations that have names.

use std::sync::{Arc, LazyLock};

use shakmaty::{Color, Role, Square};

use super::phase::PhaseRule;
use super::phased::Phased;
use super::piece_square::Evaluation;
use super::simplified;
use crate::score::Score;

static SIMPLIFIED: LazyLock<Arc<Evaluation>> = LazyLock::new(|| {
    preset("simplified", PhaseRule::Simplified, |role, square| {
        let worth = simplified::piece_square(Color::White, role, square);
        // Both sides have a king, whatever it is worth.
        let king = if role == Role::King { simplified::PIECE_VALUES[5] } else { 0 };
        (worth.middlegame - king, worth.endgame - king)
    })
});

static MATERIAL: LazyLock<Arc<Evaluation>> = LazyLock::new(|| {
    preset("material", PhaseRule::Constant, |role, _| {
        let worth = [100, 300, 300, 500, 900, 0][role as usize - 1];
        (worth, worth)
    })
});

static TAPERED: LazyLock<Arc<Evaluation>> = LazyLock::new(|| {
    let numbers = numbers_of(TAPERED_FILE);
    preset("tapered", PhaseRule::Tapered, |role, square| tapered_worth(&numbers, role, square))
});

/// The Simplified Evaluation Function, which every search uses unless another evaluation is given.
#[inline]
pub fn simplified() -> &'static Arc<Evaluation> {
    &SIMPLIFIED
}

/// Material alone: 1, 3, 3, 5 and 9 pawns.
pub fn material() -> &'static Arc<Evaluation> {
    &MATERIAL
}

/// betacut's own set for the tapered rule, learned from its own games.
pub fn tapered() -> &'static Arc<Evaluation> {
    &TAPERED
}

/// The preset of this name.
pub fn named(name: &str) -> Option<&'static Arc<Evaluation>> {
    [simplified(), material(), tapered()].into_iter().find(|preset| preset.name() == Some(name))
}

fn preset(name: &str, rule: PhaseRule, worth: impl Fn(Role, Square) -> (Score, Score)) -> Arc<Evaluation> {
    let mut pieces = [[Phased::default(); 64]; 6];
    for (role, squares) in Role::ALL.into_iter().zip(&mut pieces) {
        for (square, phased) in Square::ALL.into_iter().zip(squares) {
            let (middlegame, endgame) = worth(role, square);
            *phased = Phased { middlegame, endgame };
        }
    }
    let evaluation = Evaluation::new(Some(name.to_owned()), rule, &pieces);
    Arc::new(evaluation.expect("a preset is worth less than a mate"))
}

/// The numbers of the set `tapered`, which Python reads too.
const TAPERED_FILE: &str = include_str!("../../../../python/betacut/evaluation/tapered.toml");

/// A piece of White's in both phases, by a file of five values a phase, then six tables a phase, from a8 to h1.
fn tapered_worth(numbers: &[Score], role: Role, square: Square) -> (Score, Score) {
    let kind = role as usize - 1;
    let worth = |phase: usize| {
        let value = if role == Role::King { 0 } else { numbers[5 * phase + kind] };
        value + numbers[10 + 64 * (6 * phase + kind) + usize::from(square.flip_vertical())]
    };
    (worth(0), worth(1))
}

fn numbers_of(file: &str) -> Vec<Score> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let words = lines.flat_map(|line| line.split(|c: char| !c.is_ascii_digit() && c != '-'));
    words.filter_map(|word| word.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn the_numbers_are_those_of_python() {
        assert_eq!(numbers_of(TAPERED_FILE).len(), 2 * (5 + 6 * 64));
        // As in tests/evaluation/test_evaluation.py.
        for (fen, score) in [
            ("r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1", -5),
            ("8/p5R1/1p4p1/4k3/r6P/6K1/5P2/8 b - - 4 50", -137),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(position.with_evaluation(tapered()).score(), score);
        }
    }
}
