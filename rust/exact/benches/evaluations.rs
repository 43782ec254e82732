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
use betacut_exact::{Question, search};
use betacut_support::{bench_arguments, games};

fn main() {
    let Some(arguments) = bench_arguments() else { return };
    let name = arguments.first().map_or("tapered", String::as_str);
    let depth = arguments.get(1).map_or(4, |depth| depth.parse().expect("a depth"));
    let quiescence = arguments.get(2).is_some_and(|argument| argument == "quiet");
    let evaluation = presets::named(name).expect("the name of a preset");
    let (mut nodes, mut scores) = (0, 0);
    for position in games() {
        let position = position.with_evaluation(evaluation);
        let question = Question { quiescence, ..Question::new(depth) };
        let answer = search(&position, &question, None, &mut || false).expect("nothing stops it");
        nodes += answer.counts.nodes;
        scores = scores * 31 % 1_000_003 + answer.score + answer.best_moves.len() as i32;
    }
    println!("{name} depth {depth}{}: {nodes} nodes, {scores}", if quiescence { " quiet" } else { "" });
}
