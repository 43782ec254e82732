//! A tapered evaluation of nothing but pieces on squares, fitted to the same games. Its terms are among those of the playing
//! evaluation, so the fit is the same; all other terms count in no position and stay as they were.

use std::fmt::Write as _;

use shakmaty::{Chess, File, Position as _, Role, Square};

use super::dataset::{Counter, Shares};
use betacut_core::evaluation::phase::{FULL, tapered};
use betacut_play::evaluation::terms::{MATERIAL, OWN_KING_SQUARES};
use betacut_play::evaluation::{Pair, Trace as _, Weights};

/// Counts material and squares, seen from the side to move.
pub fn of_tables(position: &Chess, symmetric: bool, counter: &mut Counter) -> Shares {
    let board = position.board();
    for (square, piece) in board {
        let times = if piece.color == position.turn() { 1 } else { -1 };
        let kind = piece.role as usize - 1;
        if piece.role != Role::King {
            counter.count(MATERIAL + kind, times);
        }
        counter.count(term(kind, piece.color.fold_wb(square, square.flip_vertical()), symmetric), times);
    }
    let count = |pieces: shakmaty::Bitboard| pieces.count() as u32;
    let minors = count(board.knights() | board.bishops());
    let middlegame = tapered(minors, count(board.rooks()), count(board.queens())) as f32 / FULL as f32;
    (middlegame, [1.0 - middlegame; 2])
}

/// The term of a piece on a square of White's; if tables are symmetric, of a square on the files from a to d.
fn term(kind: usize, square: Square, symmetric: bool) -> usize {
    let square = if symmetric && square.file() > File::D { square.flip_horizontal() } else { square };
    OWN_KING_SQUARES + 64 * kind + usize::from(square)
}

/// A TOML file for `betacut.Evaluation`, after `notes`, in which a pawn's mean worth is 100 centipawns.
pub fn format(weights: &Weights, symmetric: bool, notes: &[String]) -> String {
    let pawn = weights[MATERIAL];
    let scale = 200.0 / (pawn.middlegame() + pawn.endgame()).max(1) as f32;
    let mut text = String::from("# A tapered evaluation: data, written by `betacut-tune tables`.\n#\n");
    for note in notes {
        let _ = writeln!(text, "# {note}");
    }
    let _ = writeln!(text, "# All numbers are then multiplied by {scale:.4}.\n\nphase = \"tapered\"");
    let parts: [fn(Pair) -> i32; 2] = [Pair::middlegame, Pair::endgame];
    let line = |terms: &mut dyn Iterator<Item = usize>, part: fn(Pair) -> i32| {
        let scaled = |term: usize| (part(weights[term]) as f32 * scale).round().to_string();
        terms.map(scaled).collect::<Vec<_>>().join(", ")
    };
    for (values, part) in ["piece_values", "endgame_values"].into_iter().zip(parts) {
        let _ = writeln!(text, "{values} = [{}]", line(&mut (MATERIAL..MATERIAL + 5), part));
    }
    for (squares, part) in ["squares", "endgame_squares"].into_iter().zip(parts) {
        let _ = writeln!(text, "\n[{squares}]");
        for (kind, letter) in "PNBRQK".chars().enumerate() {
            let _ = writeln!(text, "{letter} = [");
            for rank in (0..8).rev() {
                let mut row =
                    (8 * rank..8 * rank + 8).map(|square| term(kind, Square::new(square), symmetric));
                let _ = writeln!(text, "  {},", line(&mut row, part));
            }
            text += "]\n";
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::dataset::{Dataset, tests::positions};
    use crate::tuning::fit::{Options, fit};
    use crate::tuning::{Split, start};
    use betacut_core::evaluation::presets;
    use betacut_core::position::Position;

    #[test]
    fn the_tables_that_made_the_scores_are_found_again() {
        let all: Vec<Chess> =
            [30, 60, 100, 150].into_iter().flat_map(|plies| positions(500, plies)).collect();
        let truth = presets::tapered();
        let dataset = Dataset::of_positions(
            all.iter().map(|position| (position, truth.score(position.board()), 1)),
            &|position, counter| of_tables(position, false, counter),
        );
        let (validation, training) = (0..dataset.len as u32).partition(|row| row % 10 == 0);
        let split = Split { training, validation, problems: Vec::new() };
        let mut options = Options { epochs: 60, rate: 4.0, lambda: 0.0, batch: 256, ..Options::default() };
        options.constant = Some(0.004);
        (options.pull.kinds, options.pull.others) = (1.0, 0.2);
        let fitted = fit(&dataset, &split, &start(), &options, &mut |_| {}).unwrap();
        assert!(fitted.rounded < fitted.start / 10.0, "{} {}", fitted.rounded, fitted.start);
    }

    #[test]
    fn the_numbers_are_scaled_and_mirrored() {
        let mut weights = start();
        weights[MATERIAL] = Pair::new(40, 60);
        weights[MATERIAL + 1] = Pair::new(150, 140);
        weights[term(1, Square::B1, true)] = Pair::new(-7, 3);
        let text = format(&weights, true, &["From nothing.".to_owned()]);
        assert!(
            text.contains("#\n# From nothing.\n# All numbers are then multiplied by 2.0000.\n"),
            "{text}"
        );
        assert!(text.contains("piece_values = [80, 300,") && text.contains("endgame_values = [120, 280,"));
        let knights = text.split("N = [").nth(1).unwrap();
        let first: Vec<&str> = knights.lines().nth(8).unwrap().split(',').map(str::trim).collect();
        assert_eq!((first[1], first[6]), ("-14", "-14"));
        assert!(Position::initial().with_evaluation(presets::tapered()).score() == 0);
    }
}
