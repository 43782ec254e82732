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

static TAPERED: LazyLock<Arc<Evaluation>> =
    LazyLock::new(|| preset("tapered", PhaseRule::Tapered, tapered_worth));

/// The Simplified Evaluation Function, which every search uses unless another evaluation is given.
#[inline]
pub fn simplified() -> &'static Arc<Evaluation> {
    &SIMPLIFIED
}

/// Material alone: 1, 3, 3, 5 and 9 pawns.
pub fn material() -> &'static Arc<Evaluation> {
    &MATERIAL
}

/// betacut's own set for the tapered rule: see [`tapered_worth`].
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

/// What a piece of White's is worth in the middlegame and in the endgame, in the set `tapered`. Not copied from anywhere
/// and not tuned; a rule that can be read, by two numbers:
///
/// - *centre*: 3 on the four squares in the middle, one less for each step towards an edge, -3 in the corners;
/// - *flank*: 0 on the d- and the e-file, 3 on the a- and the h-file.
///
/// Minor pieces and the queen want the centre; pawns want to go forward, in the middlegame those in the middle, in the
/// endgame all of them, ever more; rooks want the middle files and the seventh rank; the king stays at home on a flank
/// until the endgame draws it to the centre.
fn tapered_worth(role: Role, square: Square) -> (Score, Score) {
    let (file, rank) = (Score::from(square.file() as u8), Score::from(square.rank() as u8));
    let from_middle = |line: Score| (3 - line).max(line - 4);
    let (flank, centre) = (from_middle(file), 3 - from_middle(file) - from_middle(rank));
    match role {
        Role::Pawn => (85 + (rank - 1) * (5 - flank), 100 + 3 * (rank - 1) * (rank - 1)),
        Role::Knight => (300 + 8 * centre, 290 + 6 * centre),
        Role::Bishop => (320 + 4 * centre, 320 + 3 * centre),
        Role::Rook => (480 + 5 * (3 - flank) + if rank == 6 { 10 } else { 0 }, 520),
        Role::Queen => (950 + centre, 970 + 4 * centre),
        Role::King => (6 * flank - 12 * rank, 8 * centre),
    }
}
