//! The playing floor held against the exact one, and against the rules.

use betacut_core::position::Position;
use betacut_exact::{Question, search};
use betacut_play::{Control, Engine, Game, Info, Limit, Outcome, Parameters, Settings, Verdict};
use betacut_support::{fens, sampled};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Position as _};
use std::{thread, time::Duration};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn by_nodes(nodes: u64) -> Limit {
    Limit { nodes: Some(nodes), ..Limit::default() }
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
    for fen in fens() {
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
        fens().take(20).map(|fen| answer(&mut engine, fen, &limit).lines[0].nodes).collect::<Vec<_>>()
    };
    assert_eq!(count(), count());
}

#[test]
fn a_limit_of_nodes_is_kept_to_the_node() {
    let mut engine = Engine::new(Settings::default()).unwrap();
    let (mut ended, mut exact) = (0, 0);
    for fen in fens().chain(MATES) {
        for nodes in (1..4).chain((200..6_000).step_by(sampled(241, 61))) {
            let found = answer(&mut engine, fen, &by_nodes(nodes));
            let counted = found.lines.iter().map(|info| info.nodes).chain([found.nodes]).max().unwrap();
            assert!(counted <= nodes, "{fen}: {counted} of {nodes} nodes");
            assert_eq!(counted, found.nodes, "{fen}");
            // A finished game, a mate that is being carried out, and the greatest depth end a search sooner.
            if found.nodes < nodes { ended += 1 } else { exact += 1 }
        }
    }
    assert!(exact > 9 * ended, "{exact} used all nodes, {ended} did not");
}

#[test]
fn a_limit_of_nodes_is_kept_by_several_threads() {
    for threads in [2, 3, 8] {
        let mut engine = Engine::new(Settings { threads, ..Settings::default() }).unwrap();
        for nodes in [1, 2, 1_000, 1_025, 5_000, 60_000] {
            let found = answer(&mut engine, START, &by_nodes(nodes));
            assert!(found.best.is_some());
            assert!(found.nodes <= nodes, "{threads} threads: {} of {nodes} nodes", found.nodes);
            let least = nodes.saturating_sub(1_024 * (threads as u64 - 1));
            assert!(found.nodes >= least, "{threads} threads: {} of {nodes} nodes", found.nodes);
        }
    }
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
    for fen in fens() {
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
    for fen in fens() {
        for nodes in (200..sampled(2_000, 6_000)).step_by(sampled(23, 41)) {
            let game = Game::from_fen(fen, CastlingMode::Standard).unwrap();
            let mut finished = 0;
            let found =
                engine.search(&game, &by_nodes(nodes), &Control::new(), &mut |info| finished = info.depth);
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

/// Mates in 2 to 6 moves, and one that is too far away.
const MATES: [&str; 10] = [
    "7n/3NR3/1P3p2/1p1kbN1B/1p6/1K6/6b1/1Q6 w - - 0 1",
    "8/8/5p2/5p2/2K5/2R2P2/2R2PN1/5Nk1 w - - 0 1",
    "8/3k1P2/1K3B2/3B4/8/8/8/8 w - - 0 1",
    "R1q3k1/2p1npp1/4P3/3N4/8/8/2Q5/1B4K1 w - - 0 1",
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "2k5/8/4K3/8/8/8/8/7R w - - 0 1",
    "6k1/8/3K4/8/8/8/8/7Q w - - 0 1",
    "8/2k5/8/4K3/8/8/8/Q7 w - - 0 1",
    "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
];

#[test]
fn a_mate_that_is_announced_is_a_mate() {
    let mut engine = Engine::new(Settings { multipv: 2, ..Settings::default() }).unwrap();
    let mut announced = 0;
    for fen in fens().chain(MATES) {
        let game = Game::from_fen(fen, CastlingMode::Standard).unwrap();
        engine.search(&game, &by_nodes(60_000), &Control::new(), &mut |info| {
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

/// Plays on with a node a move against every reply; returns how many positions there were.
fn carried_out(engine: &mut Engine, game: &Game, most: i32) -> usize {
    let found = engine.search(game, &by_nodes(1), &Control::new(), &mut |_| {});
    let Verdict::Mate(moves @ 1..) = found.lines[0].score else {
        panic!("{:?}: mate in {most} was announced, not {:?}", game.position(), found.lines[0])
    };
    assert!(moves <= most, "{:?}: mate in {most} was announced, not {moves}", game.position());
    let mut game = game.clone();
    game.play(found.best.unwrap());
    if game.position().is_checkmate() {
        return 1;
    }
    assert!(moves > 1, "{:?} was to be mate", game.position());
    assert!(game.occurrences() < 3, "{:?} is a draw", game.position());
    let replies = game.position().legal_moves();
    assert!(!replies.is_empty(), "{:?} is stalemate", game.position());
    let after = |reply| {
        let mut game = game.clone();
        game.play(reply);
        game
    };
    1 + replies.into_iter().map(|reply| carried_out(engine, &after(reply), moves - 1)).sum::<usize>()
}

#[test]
fn an_announced_mate_is_carried_out_against_every_reply() {
    let mut engine = Engine::new(Settings::default()).unwrap();
    let mut positions_seen = 0;
    for (fen, nodes) in
        fens().chain(MATES).flat_map(|fen| [2_000, 8_000, 25_000, 60_000].map(|nodes| (fen, nodes)))
    {
        let mut game = Game::from_fen(fen, CastlingMode::Standard).unwrap();
        engine.clear();
        let found = engine.search(&game, &by_nodes(nodes), &Control::new(), &mut |_| {});
        let Verdict::Mate(moves @ 2..) = found.lines[0].score else { continue };
        game.play(found.best.unwrap());
        for reply in game.position().legal_moves() {
            let mut game = game.clone();
            game.play(reply);
            positions_seen += carried_out(&mut engine, &game, moves - 1);
        }
    }
    assert!(positions_seen > 200, "only {positions_seen}");
}

#[test]
fn an_announced_mate_does_without_positions_that_would_be_drawn() {
    let mut engine = Engine::new(Settings::default()).unwrap();
    let mut search = |game: &Game| engine.search(game, &by_nodes(100_000), &Control::new(), &mut |_| {});
    // Rb6 and Ra6 mate in three moves. One of them was played, and everything went back, twice.
    for there in ["b1b6", "a2a6"] {
        let mut game = Game::from_fen("8/5k2/8/8/8/8/R7/1R2K3 w - - 0 1", CastlingMode::Standard).unwrap();
        assert_eq!(search(&game).lines[0].score, Verdict::Mate(3));
        let back = format!("{}{}", &there[2..], &there[..2]);
        play(&mut game, &[there, "f7e7", &back, "e7f7"].repeat(2).join(" "));
        let found = search(&game);
        assert_eq!(found.lines[0].score, Verdict::Mate(3), "{there}");
        assert_ne!(found.best.unwrap().to_uci(CastlingMode::Standard).to_string(), there);
    }
}

/// A move that is written in UCI.
fn read(game: &Game, text: &str) -> shakmaty::Move {
    text.parse::<UciMove>().unwrap().to_move(game.position()).unwrap()
}

fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        game.play(read(game, text));
    }
}

/// An engine that has announced a mate in three moves, the first of them Rb6.
fn announced_with_rb6(game: &Game) -> Engine {
    let mut engine = Engine::new(Settings::default()).unwrap();
    let root_moves = Some(vec![read(game, "b1b6")]);
    let limit = Limit { nodes: Some(20_000), root_moves, ..Limit::default() };
    let found = engine.search(game, &limit, &Control::new(), &mut |_| {});
    assert_eq!(found.lines[0].score, Verdict::Mate(3));
    engine
}

#[test]
fn an_announced_mate_may_pass_positions_that_the_game_has_seen_once() {
    let mut game = Game::from_fen("8/5k2/8/8/8/8/R7/1R2K3 w - - 0 1", CastlingMode::Standard).unwrap();
    play(&mut game, "b1b6 f7e7 a2a7 e7d8 a7a2 d8c7 b6b1 c7d7 b1b2 d7e7 b2b1 e7f7");
    let mut engine = announced_with_rb6(&game);
    play(&mut game, "b1b6 f7e7");
    assert!(carried_out(&mut engine, &game, 2) > 1);
}

#[test]
fn a_strategy_that_would_repeat_a_position_is_dropped() {
    let mut game = Game::from_fen("8/5k2/8/8/8/8/RR6/4K3 w - - 0 1", CastlingMode::Standard).unwrap();
    play(&mut game, "b2b6 f7e7 b6b1 e7f7");
    let mut engine = announced_with_rb6(&game);
    // Other replies, and the rook goes back: with Rb6 the position after it would be there for the third time.
    play(&mut game, "b1b6 f7g7 b6b1 g7f7");
    let first = read(&game, "b1b6");
    let limit = Limit { clock: Some(Duration::from_mins(1)), ..Limit::default() };
    let found = engine.search(&game, &limit, &Control::new(), &mut |_| {});
    assert_ne!(found.best.unwrap(), first, "{found:?}");
}

#[test]
fn no_mate_is_announced_that_the_fifty_moves_spoil() {
    let mut engine = Engine::new(Settings::default()).unwrap();
    let limit = by_nodes(100_000);
    // Mate in three moves, five plies, without a capture or a pawn's move.
    for (clock, announced) in [(0, true), (95, true), (96, false), (99, false)] {
        engine.clear();
        let found = answer(&mut engine, &format!("8/5k2/8/8/8/8/R7/1R2K3 w - - {clock} 80"), &limit);
        assert_eq!(matches!(found.lines[0].score, Verdict::Mate(1..)), announced, "{clock}: {found:?}");
    }
}

#[test]
fn a_mate_comes_in_time_if_a_capture_puts_the_clock_back() {
    let mut engine = Engine::new(Settings::default()).unwrap();
    // Rxd8+ Rxd8 Rxd8 mate, which takes three plies; a mate in one move, after which nothing can be claimed.
    for (fen, clocks, mate) in
        [("2rr2k1/5ppp/8/8/8/8/3R1PPP/3R2K1 w - -", 96..102, 2), ("7k/8/5K2/8/8/8/8/6Q1 w - -", 98..103, 1)]
    {
        for (clock, alone) in clocks.flat_map(|clock| [(clock, false), (clock, true)]) {
            engine.clear();
            let nodes = if alone { None } else { Some(100_000) };
            let limit = Limit { nodes, mate: alone.then_some(mate), ..Limit::default() };
            let mut game = Game::from_fen(&format!("{fen} {clock} 90"), CastlingMode::Standard).unwrap();
            let found = engine.search(&game, &limit, &Control::new(), &mut |_| {});
            assert_eq!(found.lines[0].score, Verdict::Mate(mate as i32), "{fen} {clock}");
            game.play(found.best.unwrap());
            for reply in game.position().legal_moves() {
                let mut game = game.clone();
                game.play(reply);
                carried_out(&mut engine, &game, 1);
            }
        }
    }
}

#[test]
fn lines_after_the_first_are_in_order_and_of_their_depth() {
    let mut engine = Engine::new(Settings { multipv: 4, ..Settings::default() }).unwrap();
    let value = |info: &Info| match info.score {
        Verdict::Cp(score) => score,
        Verdict::Mate(moves) => moves.signum() * 100_000 - moves,
    };
    let mut unfinished = 0;
    for fen in fens() {
        for nodes in (200..6_000).step_by(211) {
            let found = answer(&mut engine, fen, &by_nodes(nodes));
            let others = &found.lines[1..];
            assert!(others.is_sorted_by(|a, b| value(a) >= value(b)), "{fen}: {:?}", found.lines);
            let depths: Vec<u32> = found.lines.iter().map(|info| info.depth).collect();
            assert!(depths.iter().all(|&depth| depth <= depths[0]), "{fen}: {depths:?}");
            unfinished += u32::from(depths.iter().any(|&depth| depth < depths[0]));
        }
    }
    assert!(unfinished > 20, "only {unfinished}");
}

#[test]
fn a_rating_costs_nodes_and_changes_choices() {
    let answers = |elo: Option<u32>| {
        let mut engine = Engine::new(Settings { elo, ..Settings::default() }).unwrap();
        let limit = Limit { depth: Some(9), ..Limit::default() };
        fens().map(|fen| answer(&mut engine, fen, &limit)).collect::<Vec<_>>()
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
fn a_rating_knows_nothing_of_a_search_at_full_strength() {
    let weak = Settings { elo: Some(2200), ..Settings::default() };
    let (mut fresh, mut changed) =
        (Engine::new(weak.clone()).unwrap(), Engine::new(Settings::default()).unwrap());
    answer(&mut changed, START, &by_nodes(20_000));
    changed.configure(weak, false).unwrap();
    let [fresh, changed] = [&mut fresh, &mut changed].map(|engine| answer(engine, START, &Limit::default()));
    assert!(fresh.lines[0].says_the_same(&changed.lines[0]), "{fresh:?} {changed:?}");
}

#[test]
fn lines_that_are_shown_leave_a_rating_its_nodes_and_choices() {
    for (elo, multipv, nodes) in [(2850, 3, 3 * 5190), (1350, 8, 2 * 266), (1350, 2, 266)] {
        for seed in 0..4 {
            let settings = Settings { elo: Some(elo), multipv, seed, ..Settings::default() };
            let found = answer(&mut Engine::new(settings).unwrap(), START, &Limit::default());
            assert_eq!((found.lines.len(), found.nodes), (multipv, nodes));
            let best = found.lines.iter().position(|line| line.pv.first() == found.best.as_ref());
            assert!(best.is_none_or(|best| best < 4), "{found:?}");
        }
    }
}

#[test]
fn a_weak_rating_plays_the_same_game_again_by_its_seed() {
    let answers = |elo, seed, threads| {
        let settings = Settings { elo: Some(elo), seed, threads, ..Settings::default() };
        let mut engine = Engine::new(settings).unwrap();
        fens().map(|fen| answer(&mut engine, fen, &Limit::default()).best).collect::<Vec<_>>()
    };
    for elo in [500, 1300, 1999] {
        let first = answers(elo, 1, 1);
        assert_eq!(first, answers(elo, 1, 3), "{elo}");
        assert_ne!(first, answers(elo, 2, 1), "{elo}");
    }
}

#[test]
fn a_mate_in_one_is_found_from_800_on() {
    let found = |elo: u32, seed: u64| {
        let mut engine = Engine::new(Settings { elo: Some(elo), seed, ..Settings::default() }).unwrap();
        let fens = [
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1",
            "3R4/5ppk/7p/8/8/2q5/5PPP/6K1 b - - 0 1",
            // 218 moves.
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ];
        let mates = |fen: &&str| {
            let game = Game::from_fen(fen, CastlingMode::Standard).unwrap();
            let found = engine.search(&game, &Limit::default(), &Control::new(), &mut |_| {});
            let after = game.position().clone().play(found.best.unwrap()).unwrap();
            after.is_checkmate()
        };
        fens.iter().all(mates)
    };
    for elo in [800, 1000, 1349, 1350, 1999, 2400] {
        assert!((0..3).all(|seed| found(elo, seed)), "{elo}");
    }
    assert!((0..20).any(|seed| !found(500, seed)));
}

#[test]
fn nodes_that_count_as_time() {
    let settings = Settings { nodes_per_ms: 10, move_overhead: Duration::ZERO, ..Settings::default() };
    let mut engine = Engine::new(settings).unwrap();
    let time = Limit { time: Some(Duration::from_secs(1)), ..Limit::default() };
    let nodes = answer(&mut engine, START, &time).nodes;
    assert!((10_000..11_100).contains(&nodes), "{nodes}");
    // The engine keeps its clock itself, as long as the game lasts.
    let clock = Limit { clock: Some(Duration::from_secs(2)), ..Limit::default() };
    let mut moves = || {
        engine.clear();
        (0..8).map(|_| answer(&mut engine, START, &clock).nodes).collect::<Vec<_>>()
    };
    let game = moves();
    assert!(game[7] < game[0], "{game:?}");
    assert!(game.iter().sum::<u64>() < 20_000, "{game:?}");
    assert_eq!(moves(), game);
    // But not the time of a search for a move that was not played, nor that of a search by time.
    let (control, game) = (Control::new(), Game::from_fen(START, CastlingMode::Standard).unwrap());
    control.ponder();
    engine.clear();
    engine.search(&game, &clock, &control, &mut |info| {
        if info.nodes > 20_000 {
            control.stop();
        }
    });
    assert!(answer(&mut engine, START, &clock).nodes > 100);
    engine.clear();
    engine.configure(Settings { nodes_per_ms: 0, ..engine.settings().clone() }, false).unwrap();
    answer(&mut engine, START, &Limit { clock: Some(Duration::ZERO), ..Limit::default() });
    engine.configure(Settings { nodes_per_ms: 10, ..engine.settings().clone() }, false).unwrap();
    assert!(answer(&mut engine, START, &clock).nodes > 100);
}

#[test]
fn a_clock_runs_from_the_question_on() {
    let mut engine = Engine::new(Settings::default()).unwrap();
    let game = Game::from_fen(START, CastlingMode::Standard).unwrap();
    let (time, control) = (Duration::from_millis(100), Control::new());
    control.start();
    thread::sleep(time);
    let limit = Limit { time: Some(time), ..Limit::default() };
    let found = engine.search(&game, &limit, &control, &mut |_| {});
    assert!(found.best.is_some() && found.lines[0].time >= time, "{found:?}");
}

#[test]
fn an_illegal_capture_en_passant_makes_no_other_position() {
    for (fen, occurrences) in
        [("8/8/8/8/k2p3R/8/4P3/K7 w - - 0 1", 3), ("8/8/8/8/k2p4/8/4P3/K6R w - - 0 1", 2)]
    {
        let mut game = Game::from_fen(fen, CastlingMode::Standard).unwrap();
        play(&mut game, "e2e4 a4a5 a1a2 a5a4 a2a1 a4b4 a1b1 b4a4 b1a1");
        assert_eq!(game.occurrences(), occurrences, "{fen}");
    }
}

#[test]
fn the_signature_is_the_one_kept() {
    let signature = betacut_play::uci::bench::run(
        betacut_play::uci::bench::Setup::default(),
        &Control::new(),
        &mut |_, _| {},
    );
    let nodes = signature.unwrap().expect("nothing stopped it").nodes;
    let kept = include_str!("../../../tests/engine_signature.json");
    assert_eq!(kept.trim(), format!("{{\"bench\": {nodes}}}"));
}
