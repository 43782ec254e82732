//! The weights as a person reads them.

use std::fmt::Write as _;

use betacut_play::evaluation::terms::{KING_KINDS, OTHER_KING_SQUARES, OWN_KING_SQUARES, SQUARES, TERMS};
use betacut_play::evaluation::{Pair, Weights};

/// The pieces in the order of the tables.
const PIECES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
/// The kinds of places of a king that has been mirrored onto the files from a to d.
const PLACES: [&str; KING_KINDS] =
    ["a1 b1", "c1", "d1", "a2 b2", "c2 d2", "third and fourth rank", "beyond the fourth rank"];

/// Each term (of `names`, if there are any) with its weights; tables as boards, the eighth rank first.
pub fn show(weights: &Weights, names: &[String]) -> String {
    let mut text = String::new();
    for &(name, start, len) in TERMS {
        if !names.is_empty() && !names.iter().any(|wanted| wanted.eq_ignore_ascii_case(name)) {
            continue;
        }
        let values = &weights[start..start + len];
        if start == OWN_KING_SQUARES || start == OTHER_KING_SQUARES {
            for (kind, place) in PLACES.iter().enumerate() {
                for (piece, called) in PIECES.iter().enumerate() {
                    let table = &values[kind * SQUARES + piece * 64..][..64];
                    let _ = writeln!(text, "{name}: {called}, king on {place}");
                    show_board(&mut text, table);
                }
            }
        } else {
            let _ = writeln!(text, "{name}");
            let [first, second] = in_a_line(values, 6);
            let _ = writeln!(text, "  middlegame{first}\n  endgame   {second}");
        }
    }
    text
}

fn show_board(text: &mut String, table: &[Pair]) {
    for rank in (0..8).rev() {
        let [middlegame, endgame] = in_a_line(&table[8 * rank..8 * rank + 8], 5);
        let _ = writeln!(text, "  {middlegame}    {endgame}");
    }
}

/// The weights of the middlegame and those of the endgame, so many letters each.
fn in_a_line(weights: &[Pair], width: usize) -> [String; 2] {
    let mut lines = [String::new(), String::new()];
    for weight in weights {
        let _ = write!(lines[0], "{:width$}", weight.middlegame());
        let _ = write!(lines[1], "{:width$}", weight.endgame());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use betacut_play::{evaluation::WEIGHTS, evaluation::terms::MATERIAL};

    #[test]
    fn every_weight_is_shown() {
        let mut weights = Box::new(WEIGHTS);
        weights[MATERIAL + 4] = Pair::new(991, 1002);
        // A king's pawn on e4 with its king on d1.
        weights[OTHER_KING_SQUARES + 2 * SQUARES + 28] = Pair::new(17, -23);
        let text = show(&weights, &[]);
        assert!(text.contains("MATERIAL\n  middlegame"), "{text}");
        assert!(text.lines().any(|line| line.ends_with("  1002") && line.starts_with("  endgame")));
        let board = text.split("OTHER_KING_SQUARES: pawn, king on d1\n").nth(1).unwrap();
        let fourth: Vec<&str> = board.lines().nth(4).unwrap().split_whitespace().collect();
        assert_eq!((fourth[4], fourth[12]), ("17", "-23"));
        let numbers = text
            .lines()
            .filter(|line| line.starts_with("  "))
            .flat_map(str::split_whitespace)
            .filter(|word| word.parse::<i32>().is_ok());
        assert_eq!(numbers.count(), 2 * WEIGHTS.len());
        assert_eq!(show(&weights, &["tempo".to_owned()]).lines().count(), 3);
    }
}
