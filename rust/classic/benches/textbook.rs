//! Speed of the textbook floor as a ratio to shakmaty's make-every-node perft: `cargo bench`.
//!
//! Everything runs interleaved in one process; the best of some rounds counts. The node counts are asserted: a change
//! of speed that changes them is a change of behaviour. `betacut bench` measures the same through Python.
//!
//! `cargo bench --bench textbook -- instructions` has valgrind count the instructions of the searches instead, at depth
//! 4: the same on a busy machine as on an idle one.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use betacut_classic::cache::Cache;
use betacut_classic::textbook::{self, Algorithm};
use betacut_core::limits::Limits;
use betacut_core::perft::yardstick;
use betacut_core::position::Position;
use betacut_support::{POSITIONS, bench_arguments, callgrind};

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

const ALPHA_BETA: Algorithm = Algorithm::AlphaBetaPruningNoMemo { captures: false };

/// The searches whose instructions are counted, and the depth they are counted at.
const COUNTED: [(&str, Algorithm); 4] = [
    ("plain", ALPHA_BETA),
    ("memo", Algorithm::AlphaBetaPruning),
    ("minimax", Algorithm::Minimax),
    ("deepening", Algorithm::IterativeDeepening { quiescence: true, increase_depth_below: 0.0 }),
];
const COUNTED_DEPTH: i32 = 4;

/// A search that begins with an empty memo and that nothing stops: its nodes.
fn nodes(algorithm: Algorithm, position: &Position, depth: i32) -> u64 {
    let (cache, poll) = (&mut Cache::default(), &mut || false);
    let result = textbook::search(algorithm, position, &[], depth, cache, Limits::new(poll));
    result.expect("nothing stops it").statistics.calls.nodes()
}

/// Runs this program under callgrind, for one search: the instructions, from the start of the program to its end.
fn instructions(position: usize, algorithm: usize) -> u64 {
    let profile = callgrind(&["--search", &position.to_string(), &algorithm.to_string()]);
    let total = profile.lines().find_map(|line| line.strip_prefix("totals: "));
    total.and_then(|total| total.trim().parse().ok()).expect("a total")
}

/// Counts the instructions of all searches.
fn count_instructions() {
    println!("millions of instructions at depth {COUNTED_DEPTH}");
    println!("{:9} {}", "", COUNTED.map(|(name, _)| format!("{name:>10}")).concat());
    let mut sums = [0; COUNTED.len()];
    for (position, (name, _)) in POSITIONS.into_iter().take(NODES.len()).enumerate() {
        let counts: [u64; COUNTED.len()] = std::array::from_fn(|algorithm| instructions(position, algorithm));
        println!("{name:9} {}", counts.map(|count| format!("{:10.2}", count as f64 / 1e6)).concat());
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    println!("{:9} {}", "sum", sums.map(|sum| format!("{:10.2}", sum as f64 / 1e6)).concat());
}

/// Nodes and seconds of one run.
fn timed(run: impl FnOnce() -> u64) -> (u64, f64) {
    let start = Instant::now();
    let nodes = run();
    (nodes, start.elapsed().as_secs_f64())
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    // 1. Under callgrind: one search.
    if let [option, position, algorithm] = &arguments[..]
        && option == "--search"
    {
        let number = |text: &String| text.parse::<usize>().expect("a number");
        let position = Position::from_fen(POSITIONS[number(position)].1).expect("a valid position");
        println!("{}", nodes(COUNTED[number(algorithm)].1, &position, COUNTED_DEPTH));
        return;
    }
    let Some(arguments) = bench_arguments() else { return };
    // 2. Instructions, if they were asked for.
    if arguments.iter().any(|argument| argument == "instructions") {
        count_instructions();
        return;
    }
    // 3. Time.
    println!("{:9} {:>9} {:>9} {:>9}   plain/perft memo/perft", "", "perft", "plain", "memo");
    let mut logarithms = [0.0; 2];
    for ((name, fen), expected) in POSITIONS.into_iter().zip(NODES) {
        let position = Position::from_fen(fen).expect("a valid position");
        let search = |algorithm| nodes(algorithm, &position, DEPTH);
        let mut best = [0.0_f64; 3];
        for _ in 0..ROUNDS {
            let perft = timed(|| {
                yardstick(position.chess(), PERFT_DEPTH, &mut Limits::new(&mut || false))
                    .expect("nothing stops it")
            });
            let plain = timed(|| search(ALPHA_BETA));
            let memo = timed(|| search(Algorithm::AlphaBetaPruning));
            assert_eq!((plain.0, memo.0), expected, "the node counts of {name} changed");
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
