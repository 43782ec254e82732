//! Speed of the textbook floor as a ratio to shakmaty's make-every-node perft: `cargo bench`.
//!
//! Everything runs interleaved in one process; the best of some rounds counts. The node counts are asserted: a change
//! of speed that changes them is a change of behaviour. `betacut bench` measures the same through Python.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use betacut::cache::Cache;
use betacut::limits::Limits;
use betacut::perft::yardstick;
use betacut::position::Position;
use betacut::textbook::{self, Algorithm};

const ROUNDS: usize = 5;
const DEPTH: i32 = 5;
const PERFT_DEPTH: u32 = 4;

/// Name, position, nodes of the plain and of the memoised alpha-beta at [`DEPTH`].
const POSITIONS: [(&str, &str, u64, u64); 8] = [
    ("P1", "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1", 1_997_022, 761_634),
    ("P2", "rnbqkb1r/pppppp1p/5np1/8/2PP4/2N5/PP2PPPP/R1BQKBNR b KQkq - 1 3", 2_770_033, 884_650),
    ("P3", "4r1k1/p1p1r1pp/1p2Pp1q/2pP1n1b/2P2p2/2Q2B1P/P2NRPP1/4R1K1 w - - 3 26", 2_437_110, 724_168),
    ("P4", "2bqk1nr/1p1p1pbp/6p1/1pp1p3/1P2P3/5N2/2PP1PPP/BN1QR1K1 b k - 0 10", 1_907_553, 451_778),
    ("P5", "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83", 453_666, 121_157),
    ("P6", "8/p5R1/1p4p1/4k3/r6P/6K1/5P2/8 b - - 4 50", 229_420, 69_741),
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1_130_024, 332_011),
    (
        "Kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        6_933_353,
        2_034_283,
    ),
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
    for (name, fen, plain_nodes, memo_nodes) in POSITIONS {
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
            assert_eq!((plain.0, memo.0), (plain_nodes, memo_nodes), "the node counts of {name} changed");
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
    let [plain, memo] = logarithms.map(|sum| (sum / POSITIONS.len() as f64).exp());
    println!("geometric mean of the ratios: {plain:.2} and {memo:.2} (millions of nodes a second above)");
}
