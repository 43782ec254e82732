//! The exact search with quiescence against the one without: `cargo bench --bench quiescence`.
//!
//! Value and every best move of positions of games, on one thread, nothing remembered, in CPU time of the thread. Both
//! run in turns; the best of some rounds counts. With a depth as argument, ten positions are searched by the yardstick
//! too, the literal search on shakmaty ([`yardstick`]), whose answers must be equal.

#![allow(clippy::print_stdout)]

use betacut_core::position::Position;
use betacut_core::score::Depth;
use betacut_exact::{Answer, Counts, Question, search};
use betacut_lab::measure::yardstick;
use betacut_support::{bench_arguments, games};
use cpu_time::ThreadTime;

/// Depths and the rounds of each.
const DEPTHS: [(Depth, usize); 4] = [(2, 20), (4, 5), (6, 2), (8, 1)];

fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let start = ThreadTime::now();
    let result = run();
    (result, start.elapsed().as_secs_f64())
}

fn answer(position: &Position, depth: Depth, quiescence: bool) -> Answer {
    let question = Question { quiescence, ..Question::new(depth) };
    search(position, &question, None, &mut || false).expect("nothing stops it")
}

/// The least seconds of some rounds, plain and quiet, and what the quiet search counted.
fn compare(positions: &[Position], depth: Depth, rounds: usize) -> ([f64; 2], Counts) {
    let mut counts = Counts::default();
    let mut seconds = [0.0; 2];
    for position in positions {
        let mut best = [f64::INFINITY; 2];
        for _ in 0..rounds {
            for quiescence in [false, true] {
                let (answer, taken) = timed(|| answer(position, depth, quiescence));
                let least = &mut best[usize::from(quiescence)];
                if quiescence && least.is_infinite() {
                    counts += answer.counts;
                }
                *least = least.min(taken);
            }
        }
        seconds = [seconds[0] + best[0], seconds[1] + best[1]];
    }
    (seconds, counts)
}

fn main() {
    let Some(arguments) = bench_arguments() else { return };
    let positions = games();
    println!("depth  plain ms  quiet ms  ratio  quiet per s  nodes of quiescence");
    for (depth, rounds) in DEPTHS {
        let ([plain, quiet], counts) = compare(&positions, depth, rounds);
        let share = 100.0 * counts.quiescence_nodes as f64 / counts.nodes as f64;
        let (speed, ratio) = (positions.len() as f64 / quiet, quiet / plain);
        println!("{depth:5} {:9.1} {:9.1} {ratio:6.2} {speed:12.0} {share:18.1} %", plain * 1e3, quiet * 1e3);
    }
    if let Some(depth) = arguments.first() {
        let depth = depth.parse().expect("a depth");
        let (mut literal, mut quiet) = (0.0, 0.0);
        for position in positions.iter().step_by(6) {
            let (expected, slow) = timed(|| yardstick::search(position.chess(), depth, true, &mut || false));
            let (found, fast) = timed(|| answer(position, depth, true));
            let expected = expected.expect("nothing stops it");
            assert_eq!((found.score, found.best_moves.len()), (expected.score, expected.best_moves));
            (literal, quiet) = (literal + slow, quiet + fast);
        }
        println!("yardstick / search at depth {depth}: {:.0}", literal / quiet);
    }
}
