//! What an evaluation costs the exact search: `cargo bench --bench evaluations -- NAME DEPTH [quiet]`.
//!
//! Value and every best move of positions of games under an evaluation, on one thread, nothing remembered. It prints the
//! nodes and a sum of the scores, which shows whether a change of speed changes an answer. For counting instructions:
//!
//! ```text
//! cargo bench --no-run --bench evaluations
//! valgrind --tool=callgrind target/release/deps/evaluations-… --bench tapered 6
//! ```

#![allow(clippy::print_stdout)]

use betacut_core::evaluation::presets;
use betacut_core::position::Position;
use betacut_exact::{Question, search};

const GAMES: &str = include_str!("../../../tests/positions/games.fen");

fn main() {
    // `cargo test --benches` and the like only want to know that it builds.
    let mut arguments: Vec<_> = std::env::args().skip(1).collect();
    if arguments.iter().all(|argument| argument != "--bench") {
        return;
    }
    arguments.retain(|argument| argument != "--bench");
    let name = arguments.first().map_or("tapered", String::as_str);
    let depth = arguments.get(1).map_or(4, |depth| depth.parse().expect("a depth"));
    let quiescence = arguments.get(2).is_some_and(|argument| argument == "quiet");
    let evaluation = presets::named(name).expect("the name of a preset");
    let (mut nodes, mut scores) = (0, 0);
    for fen in GAMES.lines().filter(|line| !line.starts_with('#')) {
        let position = Position::from_fen(fen).expect("a valid position").with_evaluation(evaluation);
        let question = Question { quiescence, ..Question::new(depth) };
        let answer = search(&position, &question, None, &mut || false).expect("nothing stops it");
        nodes += answer.counts.nodes;
        scores = scores * 31 % 1_000_003 + answer.score + answer.best_moves.len() as i32;
    }
    println!("{name} depth {depth}{}: {nodes} nodes, {scores}", if quiescence { " quiet" } else { "" });
}
