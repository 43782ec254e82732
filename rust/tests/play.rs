//! The playing floor held against the exact one, and against the rules.

use betacut::Position;
use betacut::exact::{Question, search};
use betacut::play::{Control, Engine, Game, Info, Limit, Outcome, Parameters, Settings, Verdict};
use shakmaty::{CastlingMode, Position as _};
use std::time::Duration;

fn positions() -> impl Iterator<Item = &'static str> {
    include_str!("../../tests/positions/searched.fen").lines().filter(|line| !line.starts_with('#'))
}

fn answer(engine: &mut Engine, fen: &str, limit: &Limit) -> Outcome {
    let game = Game::from_fen(fen, CastlingMode::Standard).unwrap();
    engine.search(&game, limit, &Control::new(), &mut |_| {})
}

/// The exact floor counts mates by plies left; the playing floor by plies from the root.
fn as_exact(line: &Info, depth: i32) -> i32 {
    let mated = |plies: i32| 100_000 + depth - plies;
    match line.score {
        Verdict::Cp(score) => score,
        Verdict::Mate(moves) if moves > 0 => mated(2 * moves - 1),
        Verdict::Mate(moves) => -mated(-2 * moves),
    }
}

#[test]
fn without_selection_the_value_is_that_of_minimax() {
    let settings = Settings { parameters: Parameters::plain(), simplified: true, ..Settings::default() };
    let mut engine = Engine::new(settings).unwrap();
    let mut compared = 0;
    for fen in positions() {
        let Ok(position) = Position::from_fen(fen) else { continue };
        if position.legal_moves().next().is_none() {
            continue;
        }
        for depth in 1..=5 {
            let exact = search(&position, &Question::new(depth), None, &mut || false).unwrap();
            let limit = Limit { depth: Some(depth as u32), ..Limit::default() };
            engine.clear();
            let found = answer(&mut engine, fen, &limit);
            let sign = if position.turn().is_white() { 1 } else { -1 };
            if exact.best_moves.is_empty() {
                continue;
            }
            assert_eq!(sign * as_exact(&found.lines[0], depth), exact.score, "{fen} at depth {depth}");
            assert!(exact.best_moves.contains(&found.best.unwrap()), "{fen} at depth {depth}");
            compared += 1;
        }
    }
    assert!(compared > 80, "only {compared}");
}

#[test]
fn the_same_question_has_the_same_answer() {
    let count = || {
        let mut engine = Engine::new(Settings::default()).unwrap();
        let limit = Limit { depth: Some(9), ..Limit::default() };
        positions().take(20).map(|fen| answer(&mut engine, fen, &limit).lines[0].nodes).collect::<Vec<_>>()
    };
    assert_eq!(count(), count());
}

#[test]
fn a_limit_of_nodes_is_kept() {
    let mut engine = Engine::new(Settings::default()).unwrap();
    let limit = Limit { nodes: Some(5_000), ..Limit::default() };
    let found = answer(&mut engine, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &limit);
    assert!(found.lines[0].nodes <= 5_000);
}

fn assert_legal(game: &Game, info: &Info) {
    let mut position = game.position().clone();
    for &m in &info.pv {
        position = position.play(m).unwrap_or_else(|_| panic!("{:?}: {:?}", game.position(), info.pv));
    }
}

#[test]
fn lines_are_legal() {
    let mut engine = Engine::new(Settings { multipv: 3, ..Settings::default() }).unwrap();
    for fen in positions() {
        let game = Game::from_fen(fen, CastlingMode::Standard).unwrap();
        let limit = Limit { depth: Some(8), ..Limit::default() };
        let found = engine.search(&game, &limit, &Control::new(), &mut |info| assert_legal(&game, info));
        assert_eq!(found.best.is_none(), game.position().legal_moves().is_empty());
    }
}

#[test]
fn lines_of_a_depth_that_was_not_finished_are_legal() {
    let mut engine = Engine::new(Settings::default()).unwrap();
    let mut unfinished = 0;
    for fen in positions() {
        for nodes in (200..6_000).step_by(97) {
            let game = Game::from_fen(fen, CastlingMode::Standard).unwrap();
            let limit = Limit { nodes: Some(nodes), ..Limit::default() };
            let mut finished = 0;
            let found = engine.search(&game, &limit, &Control::new(), &mut |info| finished = info.depth);
            found.lines.iter().for_each(|info| assert_legal(&game, info));
            unfinished += u32::from(found.lines[0].depth > finished);
        }
    }
    assert!(unfinished > 20, "only {unfinished}");
}

#[test]
fn a_mate_that_was_found_saves_time() {
    let mut engine = Engine::new(Settings::default()).unwrap();
    let limit = Limit { clock: Some(Duration::from_secs(1_000)), ..Limit::default() };
    let found = answer(&mut engine, "7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", &limit);
    assert!(matches!(found.lines[0].score, Verdict::Mate(1..)), "{:?}", found.lines[0]);
    assert!(found.lines[0].depth < 30, "{:?}", found.lines[0]);
}

#[test]
fn a_mate_that_is_announced_is_a_mate() {
    let mut engine = Engine::new(Settings { multipv: 2, ..Settings::default() }).unwrap();
    let mut announced = 0;
    for fen in positions().chain([
        "7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1",
        "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPPP1P/RNB1K2R w KQ - 0 1",
        "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1",
        "4k3/8/4K3/8/8/8/8/7R w - - 0 1",
        "8/8/8/8/8/5k2/7q/5K2 b - - 0 1",
    ]) {
        let game = Game::from_fen(fen, CastlingMode::Standard).unwrap();
        let limit = Limit { nodes: Some(60_000), ..Limit::default() };
        engine.search(&game, &limit, &Control::new(), &mut |info| {
            let Verdict::Mate(moves) = info.score else { return };
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            assert_eq!(info.pv.len(), plies as usize, "{fen}: {moves} {:?}", info.pv);
            let mut position = game.position().clone();
            for &m in &info.pv {
                position = position.play(m).unwrap();
            }
            assert!(position.is_checkmate(), "{fen}: {moves} {:?}", info.pv);
            announced += 1;
        });
    }
    assert!(announced > 20, "only {announced}");
}

#[test]
fn a_rating_costs_nodes_and_changes_choices() {
    let answers = |elo: Option<u32>| {
        let mut engine = Engine::new(Settings { elo, ..Settings::default() }).unwrap();
        let limit = Limit { depth: Some(9), ..Limit::default() };
        positions().map(|fen| answer(&mut engine, fen, &limit)).collect::<Vec<_>>()
    };
    let (strong, weak) = (answers(None), answers(Some(1350)));
    assert!(weak.iter().all(|outcome| outcome.lines.len() == 1 && outcome.lines[0].nodes < 600));
    let different = strong.iter().zip(&weak).filter(|(a, b)| a.best != b.best).count();
    assert!(different >= 3, "only {different}");
    // The choice is a function of the position.
    let again = answers(Some(1350));
    assert!(again.iter().zip(&weak).all(|(a, b)| a.best == b.best));
}

#[test]
fn the_signature_is_the_one_kept() {
    let nodes = || {
        let signature = betacut::uci::bench::run(betacut::uci::bench::DEPTH, &Control::new(), &mut |_, _| {});
        signature.unwrap().expect("nobody stopped it").nodes
    };
    let kept = include_str!("../../tests/engine_signature.json");
    assert_eq!(kept.trim(), format!("{{\"bench\": {}}}", nodes()));
    assert_eq!(nodes(), nodes());
}
