//! `bench`: a number of nodes that signs the engine.
//!
//! A fixed set of positions to a fixed depth, each with an empty table, on one thread and with the default settings: the
//! number of nodes is the same on every machine, and changes if and only if the engine does.

use std::time::{Duration, Instant};

use shakmaty::CastlingMode;

use crate::{Control, Engine, Error, Game, Limit, Settings};

/// The depth if none is given. Plies.
pub const DEPTH: u32 = 11;

/// The positions: openings, middlegames, endgames, with mates, promotions, en passant and little left to move.
pub const POSITIONS: [&str; 16] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1",
    "rnbqkb1r/pppppp1p/5np1/8/2PP4/2N5/PP2PPPP/R1BQKBNR b KQkq - 1 3",
    "4r1k1/p1p1r1pp/1p2Pp1q/2pP1n1b/2P2p2/2Q2B1P/P2NRPP1/4R1K1 w - - 3 26",
    "2bqk1nr/1p1p1pbp/6p1/1pp1p3/1P2P3/5N2/2PP1PPP/BN1QR1K1 b k - 0 10",
    "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83",
    "8/p5R1/1p4p1/4k3/r6P/6K1/5P2/8 b - - 4 50",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/PBN2N2/1P3PPP/R1BQR1K1 b - - 2 13",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "8/8/1p1k2p1/p1p2p1p/P1P2P1P/1P1K2P1/8/8 w - - 0 40",
    "8/5pk1/4p1p1/7p/3R3P/1p4P1/r4PK1/8 w - - 0 38",
    "3r2k1/pp3pp1/2p1b2p/4P3/3P4/P1q1BPP1/2Q3KP/1R6 b - - 0 28",
    "5rk1/1p1n1pp1/p3p2p/3pP3/3P2P1/2q2N1P/P1Q2PK1/2R5 w - - 0 26",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
];

/// What is to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Plies.
    pub depth: u32,
    /// The size of the table, mebibytes.
    pub hash_mb: usize,
    /// Threads. The number of nodes is the same each time with one thread only.
    pub threads: usize,
}

impl Default for Setup {
    fn default() -> Setup {
        let Settings { hash_mb, threads, .. } = Settings::default();
        Setup { depth: DEPTH, hash_mb, threads }
    }
}

/// What was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The nodes of all positions.
    pub nodes: u64,
    /// The time they took.
    pub time: Duration,
}

/// Counts the nodes; `report` is given the number and the nodes of each position. `None` if `control` was stopped.
pub fn run(
    setup: Setup,
    control: &Control,
    report: &mut dyn FnMut(usize, u64),
) -> Result<Option<Signature>, Error> {
    let Setup { depth, hash_mb, threads } = setup;
    let mut engine = Engine::new(Settings { threads, hash_mb, ..Settings::default() })?;
    let start = Instant::now();
    let mut nodes = 0;
    for (index, fen) in POSITIONS.iter().enumerate() {
        engine.clear();
        let game = Game::from_fen(fen, CastlingMode::Standard).expect("a legal position");
        let limit = Limit { depth: Some(depth), ..Limit::default() };
        let mut counted = 0;
        let outcome = engine.search(&game, &limit, control, &mut |info| counted = info.nodes);
        if control.is_stopped() {
            return Ok(None);
        }
        counted = outcome.lines.iter().map(|line| line.nodes).fold(counted, u64::max);
        nodes += counted;
        report(index + 1, counted);
    }
    Ok(Some(Signature { nodes, time: start.elapsed() }))
}
