//! The exact search against its yardstick: `cargo bench --bench exact`.
//!
//! Value and every best move at depth 6, on one thread, nothing remembered, as a ratio to the textbook translated to
//! shakmaty ([`yardstick`]). Both run in turns in one process, in CPU time of the thread; the best of some rounds
//! counts. The answers must be equal, and the node counts those of [`NODES`]: a change of speed that changes them is a
//! change of the tree. `betacut bench --exact` measures the same through Python, and more.
//!
//! `cargo bench --bench exact -- 5` takes another depth, where counts are not compared.

#![allow(clippy::print_stdout)]

use betacut_core::position::Position;
use betacut_exact::{Question, search};
use betacut_lab::measure::yardstick;
use betacut_support::{POSITIONS, bench_arguments};
use cpu_time::ThreadTime;

const ROUNDS: usize = 3;
const DEPTH: i32 = 6;

/// A run is repeated until it has taken so many seconds.
const SAMPLE: f64 = 0.03;

/// The nodes of the exact search at [`DEPTH`], of all depths on the way to it, in the order of [`POSITIONS`].
const NODES: [u64; 10] = [5795, 12372, 11745, 3563, 4760, 3732, 4064, 6028, 15135, 10650];

/// What a run returns, and the seconds it takes.
fn timed<T>(mut run: impl FnMut() -> T) -> (T, f64) {
    let start = ThreadTime::now();
    for runs in 1.. {
        let result = std::hint::black_box(run());
        let seconds = start.elapsed().as_secs_f64();
        if seconds >= SAMPLE {
            return (result, seconds / f64::from(runs));
        }
    }
    unreachable!("the clock runs")
}

fn main() {
    let Some(arguments) = bench_arguments() else { return };
    let depth = arguments.first().map_or(DEPTH, |depth| depth.parse().expect("a depth"));
    println!("depth {depth}   yardstick ms  search ms    ratio  its nodes      nodes");
    let mut logarithms = 0.0;
    let mut counted = Vec::new();
    for (name, fen) in POSITIONS {
        let position = Position::from_fen(fen).expect("a valid position");
        let question = Question::new(depth);
        let mut best = [f64::MAX; 2];
        let mut nodes = [0; 2];
        for _ in 0..ROUNDS {
            let (expected, yardstick) =
                timed(|| yardstick::search(position.chess(), depth, false, &mut || false));
            let (answer, searched) = timed(|| search(&position, &question, None, &mut || false));
            let (expected, answer) = (expected.expect("nothing stops it"), answer.expect("nothing stops it"));
            let right = (expected.score, expected.best_moves);
            assert_eq!((answer.score, answer.best_moves.len()), right, "the answer to {name} is wrong");
            best = [best[0].min(yardstick), best[1].min(searched)];
            nodes = [expected.nodes, answer.counts.nodes];
        }
        let [yardstick, searched] = best;
        let ratio = yardstick / searched;
        let (yardstick, searched) = (yardstick * 1e3, searched * 1e3);
        let [its_nodes, nodes] = nodes;
        println!("{name:9} {yardstick:12.1} {searched:10.3} {ratio:8.1} {its_nodes:10} {nodes:10}");
        logarithms += ratio.ln();
        counted.push(nodes);
    }
    println!("geometric mean of the ratios: {:.1}", (logarithms / POSITIONS.len() as f64).exp());
    if depth == DEPTH {
        assert_eq!(counted, NODES, "the node counts changed");
    }
}
