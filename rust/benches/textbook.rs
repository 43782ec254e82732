//! Speed of the textbook floor as a ratio to shakmaty's make-every-node perft: `cargo bench`.
//!
//! Everything runs interleaved in one process; the best of some rounds counts. The node counts are asserted: a change
//! of speed that changes them is a change of behaviour. `betacut bench` measures the same through Python.

#![allow(clippy::print_stdout)]

mod positions;

use std::time::Instant;

use betacut::cache::Cache;
use betacut::limits::Limits;
use betacut::perft::yardstick;
use betacut::position::Position;
use betacut::textbook::{self, Algorithm};
use positions::POSITIONS;

const ROUNDS: usize = 5;
const DEPTH: i32 = 5;
const PERFT_DEPTH: u32 = 4;

/// Nodes of the plain and of the memoised alpha-beta at [`DEPTH`], for the first eight of [`POSITIONS`].
const NODES: [(u64, u64); 8] = [
    (1_997_022, 761_634),
    (2_770_033, 884_650),
    (2_437_110, 724_168),
    (1_907_553, 451_778),
    (453_666, 121_157),
    (229_420, 69_741),
    (1_130_024, 332_011),
    (6_933_353, 2_034_283),
];

/// Nodes and seconds of one run.
fn timed(run: impl FnOnce() -> u64) -> (u64, f64) {
    let start = Instant::now();
    let nodes = run();
    (nodes, start.elapsed().as_secs_f64())
}

fn main() {
    // `cargo test --benches` and the like only want to know that it builds.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!("{:9} {:>9} {:>9} {:>9}   plain/perft memo/perft", "", "perft", "plain", "memo");
    let mut logarithms = [0.0; 2];
    for ((name, fen), nodes) in POSITIONS.into_iter().zip(NODES) {
        let position = Position::from_fen(fen).expect("a valid position");
        let search = |algorithm| {
            let (cache, poll) = (&mut Cache::default(), &mut || false);
            let result = textbook::search(algorithm, &position, &[], DEPTH, cache, Limits::new(poll));
            result.expect("nothing stops it").statistics.calls.nodes()
        };
        let mut best = [0.0_f64; 3];
        for _ in 0..ROUNDS {
            let perft = timed(|| {
                yardstick(position.chess(), PERFT_DEPTH, &mut Limits::new(&mut || false))
                    .expect("nothing stops it")
            });
            let plain = timed(|| search(Algorithm::AlphaBetaPruningNoMemo));
            let memo = timed(|| search(Algorithm::AlphaBetaPruning));
            assert_eq!((plain.0, memo.0), nodes, "the node counts of {name} changed");
            for (best, (nodes, seconds)) in best.iter_mut().zip([perft, plain, memo]) {
                *best = best.max(nodes as f64 / seconds / 1e6);
            }
        }
        let [perft, plain, memo] = best;
        println!(
            "{name:9} {perft:9.1} {plain:9.1} {memo:9.1}   {:11.2} {:10.2}",
            plain / perft,
            memo / perft
        );
        logarithms[0] += (plain / perft).ln();
        logarithms[1] += (memo / perft).ln();
    }
    let [plain, memo] = logarithms.map(|sum| (sum / NODES.len() as f64).exp());
    println!("geometric mean of the ratios: {plain:.2} and {memo:.2} (millions of nodes a second above)");
}
