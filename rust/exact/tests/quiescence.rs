//! The exact search with quiescence is the literal search.

use betacut_core::position::Position;
use betacut_core::score::Depth;
use betacut_exact::{Question, Techniques, search};
use betacut_lab::fuzz::{self, Kind, Random};
use betacut_lab::measure::yardstick;
use betacut_support::positions;

fn check(position: &Position, depth: Depth, techniques: Techniques) {
    let question = Question { quiescence: true, techniques, ..Question::new(depth) };
    let answer = search(position, &question, None, &mut || false).unwrap();
    let expected = yardstick::search(position.chess(), depth, true, &mut || false).unwrap();
    assert_eq!(
        (answer.score, answer.best_moves.len()),
        (expected.score, expected.best_moves),
        "{} at depth {depth}",
        position.fen()
    );
}

#[test]
fn the_literal_search() {
    for position in positions() {
        check(&position, 1, Techniques::ALL);
        check(&position, 2, Techniques::ALL);
    }
}

#[test]
fn generated_positions() {
    for case in 0..3000 {
        let kind = Kind::ALL[case % Kind::ALL.len()];
        let position = fuzz::position(kind, &mut Random::new(7, case as u64));
        for depth in 1..=3 {
            let question = Question { quiescence: true, ..Question::new(depth) };
            let mut looks = 0;
            let literal = yardstick::search(position.chess(), depth, true, &mut || {
                looks += 1;
                looks > 200_000
            });
            let Ok(expected) = literal else { continue };
            let answer = search(&position, &question, None, &mut || false).unwrap();
            assert_eq!(
                (answer.score, answer.best_moves.len()),
                (expected.score, expected.best_moves),
                "{} at depth {depth}",
                position.fen()
            );
        }
    }
}
