//! The exact search is the textbook, on generated positions of every kind; and its laws.

use std::sync::Arc;
use std::time::{Duration, Instant};

use betacut_core::evaluation::presets;
use betacut_core::position::Position;
use betacut_core::score::{Depth, Score};
use betacut_exact::{Answer, Question, Table, Techniques, search};
use betacut_lab::fuzz::{self, Fuzzer, Kind, Pairs, Random};
use betacut_lab::measure::yardstick;
use betacut_support::{positions, sampled};
use shakmaty::Move;

fn ask(position: &Position, question: &Question, table: Option<&Table>) -> Answer {
    search(position, question, table, &mut || false).unwrap()
}

/// Two positions of each kind.
fn generated() -> impl Iterator<Item = Position<'static>> {
    (0..30).map(|case| fuzz::position(Kind::ALL[case % Kind::ALL.len()], &mut Random::new(7, case as u64)))
}

/// Checks so many cases.
fn run(mut fuzzer: Fuzzer, cases: u64) -> Fuzzer {
    let failure = fuzzer.run(cases, &mut || false);
    assert!(failure.is_none(), "{}", failure.unwrap());
    fuzzer
}

#[test]
fn the_exact_search_is_the_textbook() {
    for seed in 1..=sampled(1, 3) {
        let fuzzer = run(Fuzzer::new(seed).unwrap(), 2000);
        assert!(fuzzer.checked() > 2000);
        assert!(fuzzer.counts().all(|(_, count)| count > 0));
    }
}

#[test]
fn the_tapered_rule_is_the_textbook_too() {
    let fuzzer = Fuzzer::new(5).unwrap().with_evaluation(Arc::clone(presets::tapered()));
    assert!(run(fuzzer, 1000).checked() > 1000);
}

#[test]
fn every_kind_alone() {
    for kind in Kind::ALL {
        let fuzzer = run(Fuzzer::new(4).unwrap().with_kind(kind).with_depth(2), sampled(40, 100));
        assert!(fuzzer.counts().all(|(other, count)| (count > 0) == (other == kind)), "{}", kind.name());
        assert_eq!(Kind::from_name(kind.name()), Some(kind));
    }
}

#[test]
fn every_way_to_ask_at_known_corners() {
    let corners = [
        // The side to move is stalemated, mated, or has a dead draw.
        "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        "8/3k4/8/8/4B3/8/2K5/8 b - - 0 1",
        // The last capture leaves a dead draw; a move too many before the fifty-move rule.
        "8/3k4/8/8/4B3/1n6/2K5/8 b - - 0 1",
        "7k/8/5KQ1/8/8/8/8/8 w - - 99 80",
        "7k/8/5K2/6Q1/8/8/8/8 w - - 100 80",
        // Taking the last piece that moves is stalemate.
        "k7/P7/1K6/8/8/8/6r1/6R1 w - - 0 1",
        "5k2/5P2/4K3/8/8/8/8/r7 b - - 0 1",
        // Castling gives check along the file and along the rank, and is barred.
        "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
        "8/8/8/8/8/8/7p/k3K2R w K - 0 1",
        "3k4/3p4/8/8/8/8/8/R3K3 w Q - 0 1",
        "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1",
        // En passant: pinned along the rank and along a diagonal, as a way out of check, with a check.
        "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2",
        "8/b7/8/2pP4/8/8/5K2/7k w - c6 0 2",
        "8/8/8/2pP4/1K6/8/8/7k w - c6 0 2",
        "8/5R2/8/3pPK1k/8/8/6R1/8 w - d6 0 2",
        // A promotion to a queen is stalemate; another takes what shuts the king in.
        "8/5P1k/5K2/8/8/8/8/8 w - - 0 1",
        "6rk/5Ppp/8/8/8/8/8/K7 w - - 0 1",
        // Captures that end the middlegame, and a promotion that brings it back.
        "3qk3/8/8/8/8/8/3Q4/R2RK3 w - - 0 1",
        "2q3k1/3P4/8/8/8/8/8/RR2K3 w - - 0 1",
        // After Ne4 Black's only reply pins the knight and stalemates White: one of two free pawns is blocked by the
        // knight, the other by the reply.
        "b7/1p4p1/6p1/1P4p1/6p1/4P1Pk/3N3p/7K w - - 0 1",
        // Far more moves than a game has.
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    ];
    for fen in corners {
        let position = Position::from_fen(fen).unwrap();
        for depth in 1..=3 {
            fuzz::check(&position, depth).unwrap_or_else(|difference| panic!("{difference}"));
        }
    }
}

#[test]
fn every_way_to_ask_at_the_positions_of_the_tests() {
    for position in positions() {
        for depth in 1..=2 {
            fuzz::check(&position, depth).unwrap_or_else(|difference| panic!("{difference}"));
        }
    }
}

#[test]
fn quiet_leaves_are_those_of_the_literal_search() {
    for (position, depth) in positions().iter().flat_map(|position| [(position, 1), (position, 2)]) {
        let answer = ask(position, &Question { quiescence: true, ..Question::new(depth) }, None);
        let literal = yardstick::search(position.chess(), depth, true, &mut || false).unwrap();
        let expected = (literal.score, literal.best_moves);
        assert_eq!((answer.score, answer.best_moves.len()), expected, "{} at depth {depth}", position.fen());
    }
}

#[test]
fn single_refutations_are_refutations() {
    let mut pairs = Pairs::default();
    for case in 0..600 {
        let mut random = Random::new(20, case);
        let position =
            fuzz::position(if case % 2 == 0 { Kind::Crowded } else { Kind::RandomPlay }, &mut random);
        let wrong = fuzz::check_unrefuted(&position, random.below(40) as Score)
            .or_else(|| fuzz::check_futile(&position, random.below(40) as Score))
            .or_else(|| fuzz::check_taken_back(&position, random.below(40) as Score))
            .or_else(|| fuzz::check_refutations(&position, Some((16, &mut random)), &mut pairs));
        assert_eq!(wrong, None, "{}", position.fen());
    }
    // Neither are there too few to say anything, nor are hardly any of them refutations.
    assert!(pairs.asked > 3_000, "{pairs:?}");
    assert!(pairs.refuted * 10 > pairs.asked, "{pairs:?}");
}

#[test]
fn a_piece_that_leaves_may_open_the_line_from_what_checks_to_a_flight() {
    let position = Position::from_fen("K1B5/Q7/1rkB4/8/7p/8/8/8 w - - 0 1").unwrap();
    let mut pairs = Pairs::default();
    assert_eq!(fuzz::check_refutations(&position, None, &mut pairs), None);
    assert!(pairs.asked > 100, "{pairs:?}");
}

#[test]
fn all_moves_of_the_root_are_no_restriction() {
    let whole = |position: &Position, depth: Depth, root_moves: Option<Vec<Move>>| {
        let answer = ask(position, &Question { root_moves, ..Question::new(depth) }, None);
        (answer.score, answer.best_moves, answer.lines, answer.counts.nodes)
    };
    for position in positions().into_iter().chain(generated()) {
        let all: Vec<Move> = position.legal_moves().collect();
        for depth in 1..=3 {
            let restricted = whole(&position, depth, Some(all.clone()));
            assert_eq!(whole(&position, depth, None), restricted, "{} at depth {depth}", position.fen());
        }
    }
}

#[test]
fn a_run_is_a_function_of_its_seed() {
    let counts = |seed| run(Fuzzer::new(seed).unwrap(), 100).counts().collect::<Vec<_>>();
    assert_eq!(counts(5), counts(5));
    let fens =
        |seed| (0..50).map(move |case| fuzz::position(Kind::Sparse, &mut Random::new(seed, case)).fen());
    assert!(fens(5).eq(fens(5)) && fens(5).ne(fens(6)));
}

#[test]
fn bytes_are_positions_too() {
    let mut random = Random::new(8, 0);
    for length in 0..200 {
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        fuzz::check_bytes(&bytes).unwrap_or_else(|difference| panic!("{difference}"));
    }
}

/// As long as `BETACUT_FUZZ_SECONDS` says, from `BETACUT_FUZZ_SEED`, without Python:
/// `BETACUT_FUZZ_SECONDS=60 cargo test --release --test exact -- --ignored --nocapture`
#[test]
#[ignore = "as long as it is told"]
#[allow(clippy::print_stdout)]
fn a_long_run() {
    let variable = |name: &str| std::env::var(name).ok();
    let number = |name: &str| variable(name).map(|text| text.parse::<u32>().expect("a number"));
    let seconds = Duration::from_secs(number("BETACUT_FUZZ_SECONDS").unwrap_or(30).into());
    let seed = number("BETACUT_FUZZ_SEED").unwrap_or(1);
    let mut fuzzer = Fuzzer::new(seed.into()).unwrap();
    if let Some(depth) = number("BETACUT_FUZZ_DEPTH") {
        fuzzer = fuzzer.with_depth(depth as Depth);
    }
    if let Some(name) = variable("BETACUT_FUZZ_KIND") {
        fuzzer = fuzzer.with_kind(Kind::from_name(&name).expect("the name of a kind"));
    }
    let start = Instant::now();
    if let Some(fen) = variable("BETACUT_FUZZ_FEN") {
        let depth = number("BETACUT_FUZZ_DEPTH").expect("a depth") as Depth;
        let checked = fuzz::check(&Position::from_fen(&fen).unwrap(), depth);
        println!("1 positions in {:.2} s", start.elapsed().as_secs_f64());
        checked.unwrap_or_else(|difference| panic!("case 0 (position):\n{difference}"));
        return;
    }
    let mut failure = None;
    let mut met = start.elapsed();
    while failure.is_none() && met < seconds {
        failure = fuzzer.run(1, &mut || false);
        if failure.is_none() {
            met = start.elapsed();
        }
    }
    // The time until the case that fails, without the search for a smaller one.
    let (seconds, checked) = (met.as_secs_f64(), fuzzer.checked());
    println!("seed {seed}: {checked} positions in {seconds:.2} s, {:.0} a second", checked as f64 / seconds);
    for (kind, count) in fuzzer.counts() {
        println!("  {:16}{count}", kind.name());
    }
    assert!(failure.is_none(), "{}", failure.unwrap());
}

#[test]
fn a_technique_has_a_name() {
    let mut all = Techniques::ALL;
    for (name, _) in all.switches() {
        assert_ne!(Techniques::without(name).unwrap(), Techniques::ALL);
    }
    assert_eq!(Techniques::without("luck"), None);
}
