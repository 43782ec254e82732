//! The exact search against its yardstick.
#![allow(clippy::print_stdout)]
use betacut::exact::{Question, search};
use betacut::position::Position;
use std::time::Instant;
mod yardstick;

const POSITIONS: [(&str, &str); 10] = [
    ("P1", "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1"),
    ("P2", "rnbqkb1r/pppppp1p/5np1/8/2PP4/2N5/PP2PPPP/R1BQKBNR b KQkq - 1 3"),
    ("P3", "4r1k1/p1p1r1pp/1p2Pp1q/2pP1n1b/2P2p2/2Q2B1P/P2NRPP1/4R1K1 w - - 3 26"),
    ("P4", "2bqk1nr/1p1p1pbp/6p1/1pp1p3/1P2P3/5N2/2PP1PPP/BN1QR1K1 b k - 0 10"),
    ("P5", "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83"),
    ("P6", "8/p5R1/1p4p1/4k3/r6P/6K1/5P2/8 b - - 4 50"),
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("Q1", "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 1 5"),
    ("Q2", "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 3 8"),
];

fn main() {
    let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
    let depth: i32 = args.next().map_or(6, |a| a.parse().unwrap());
    let threads: usize = std::env::var("T").map_or(1, |t| t.parse().unwrap());
    let yard = args.next().is_none();
    let (mut logs, mut nodes) = (0.0, 0.0);
    let rounds = if std::env::var("N").is_ok() { 1 } else { 5 };
    for (name, fen) in POSITIONS {
        let position = Position::from_fen(fen).unwrap();
        let mut best = f64::MAX;
        let mut naive = 0.0;
        if yard {
            let t = Instant::now();
            let y = yardstick::search(position.chess(), depth);
            naive = t.elapsed().as_secs_f64();
            let s = search(&position, &Question { threads, ..Question::new(depth) }, None, &mut || false)
                .unwrap();
            assert_eq!((s.score, s.best_moves.len()), y, "{name}");
        }
        let mut s = None;
        for _ in 0..rounds {
            let t = Instant::now();
            s = Some(
                search(&position, &Question { threads, ..Question::new(depth) }, None, &mut || false)
                    .unwrap(),
            );
            best = best.min(t.elapsed().as_secs_f64());
        }
        let s = s.unwrap();
        if std::env::var("LFMG").is_ok() {
            let g = betacut::exact::minimal::left_first_minimal_graph(
                &position,
                depth,
                &mut betacut::Limits::new(&mut || false),
            )
            .unwrap();
            println!(
                "{name} LFMG {g} last/ {:.3} all/ {:.3}",
                s.iterations.last().unwrap().nodes as f64 / g as f64,
                s.counts.nodes as f64 / g as f64
            );
        }
        println!(
            "{name:9} {:7} {:3} {:9.3} ms naive {:8.1} ratio {:7.1} nodes {:8} last {:8} fmc {:.3} {:?}",
            s.score,
            s.best_moves.len(),
            best * 1e3,
            naive * 1e3,
            naive / best,
            s.counts.nodes,
            s.iterations.last().unwrap().nodes,
            s.counts.first_move_cutoffs as f64 / s.counts.cutoffs as f64,
            s.counts
        );
        nodes += (s.counts.nodes as f64).ln();
        logs += if yard { (naive / best).ln() } else { best.ln() };
    }
    println!(
        "geometric mean nodes {:.0} time {:.4}",
        (nodes / 10.0).exp(),
        (logs / 10.0).exp() * if yard { 1.0 } else { 1000.0 }
    );
}
