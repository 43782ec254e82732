//! `bench`: a number of nodes that signs the engine.
//!
//! A fixed set of positions to a fixed depth, each with an empty table, on one thread and with the default settings: the
//! number of nodes is the same on every machine, and changes if and only if the engine does.

use std::time::{Duration, Instant};

use shakmaty::CastlingMode;

use crate::play::{Control, Engine, Error, Game, Limit, Settings};

/// The depth if none is given. Plies.
pub const DEPTH: u32 = 5;

/// The positions: openings, middlegames, endgames, with mates, promotions, en passant and little left to move.
pub const POSITIONS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "rnbq1rk1/ppp1bppp/4pn2/3p2B1/2PP4/2N2N2/PP2PPPP/R2QKB1R b KQ - 5 6",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rq1rk1/pb1n1ppp/1p2pn2/8/1bBP4/2N1PN2/PP2QPPP/R1BR2K1 w - - 4 12",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
    "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1",
    "8/1P3k2/8/8/5K2/8/1p6/8 w - - 0 1",
    "3r2k1/1p3ppp/2pq4/p1n5/P6P/1P6/1PB2QP1/1K2R3 w - - 0 1",
    "7k/8/8/8/8/8/1r6/K7 w - - 0 1",
];

/// What was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The nodes of all positions.
    pub nodes: u64,
    /// The time they took.
    pub time: Duration,
}

/// Counts the nodes; `report` is given the number and the nodes of each position. `None` if `control` was stopped.
///
/// # Errors
/// If there can be no engine.
pub fn run(
    depth: u32,
    control: &Control,
    report: &mut dyn FnMut(usize, u64),
) -> Result<Option<Signature>, Error> {
    let mut engine = Engine::new(Settings::default())?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_twice() {
        let count = || run(2, &Control::new(), &mut |_, _| ()).unwrap().unwrap().nodes;
        let nodes = count();
        assert!(nodes > 100 && nodes == count());
    }

    #[test]
    fn stopped() {
        let control = Control::new();
        control.stop();
        assert_eq!(run(30, &control, &mut |_, _| ()).unwrap(), None);
    }
}
