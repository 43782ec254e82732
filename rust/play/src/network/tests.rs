//! The laws of a network, by networks of random weights.

use std::collections::HashSet;
use std::sync::Arc;

use betacut_core::board::{CLOCK_LIMIT, EMPTY, Move, PAWN};
use betacut_core::{random, score::Score};
use betacut_support::{Random, positions, random_games};
use fearless_simd::{Level, dispatch};
use shakmaty::{Board, CastlingMode, Chess, FromSetup, Position as _, Setup, fen::Fen};

use super::*;
use crate::engine::verdict;
use crate::evaluation::{self, WEIGHTS, board_of};
use crate::values::{DRAW, EVALUATION_LIMIT, mated_in};
use crate::{Control, Engine, Game, Limit, Outcome, Parameters, Settings};

/// A network of random weights, all that a weight may be.
fn network(hidden: usize, seed: u64) -> Network {
    let mut state = seed;
    let mut within = |limit: i16| {
        let range = 2 * u64::from(limit.unsigned_abs()) + 1;
        (random::next(&mut state) % range) as i16 - limit
    };
    let mut some = |count: usize, limit: i16| (0..count).map(|_| within(limit)).collect::<Vec<_>>();
    Network {
        hidden,
        note: format!("random weights, seed {seed}"),
        input_biases: some(hidden, INPUT_LIMIT),
        input_weights: some(INPUTS * hidden, INPUT_LIMIT / 8),
        output_weights: some(2 * BUCKETS * hidden, OUTPUT_LIMIT),
        output_biases: std::array::from_fn(|bucket| 1_000 * bucket as i32 - 3_500),
    }
}

fn chess(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

#[test]
fn a_network_is_read_as_it_was_written() {
    for hidden in [16, 48, 512] {
        let network = network(hidden, 1);
        let bytes = network.to_bytes();
        let read = Network::read(&bytes).unwrap();
        assert!(read == network && read.to_bytes() == bytes);
        assert_eq!(bytes[bytes.len() - 8..], network.checksum().to_le_bytes());
    }
}

#[test]
fn every_damage_is_named() {
    let whole = network(16, 2);
    let bytes = whole.to_bytes();
    let error = |bytes: &[u8]| Network::read(bytes).unwrap_err().to_string();
    let damaged = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] ^= byte;
        error(&bytes)
    };
    assert_eq!(error(b""), r#"not a network: it must begin with "bcnet-2\n", not """#);
    assert_eq!(damaged(6, 3), r#"not a network: it must begin with "bcnet-2\n", not "bcnet-1\n""#);
    for (byte, found) in [(16, 0), (1, 17)] {
        let expected = format!("a network must have a multiple of 16 neurons, at most 512, not {found}");
        assert_eq!(damaged(8, byte), expected);
    }
    assert!(damaged(9, 4).ends_with("at most 512, not 1040"));
    assert!(damaged(13, 0x80).contains("of at most 4096 bytes, not of 327"), "{}", damaged(13, 0x80));
    assert!(damaged(12, 1).contains("must have "), "{}", damaged(12, 1));
    let (lost, length) = (&bytes[..bytes.len() - 1], bytes.len());
    assert!(error(lost).ends_with(&format!("must have {length} bytes, not {}", length - 1)));
    assert!(error(&[&bytes[..], b"\n"].concat()).ends_with(&format!("bytes, not {}", length + 1)));
    // A byte is what it was, or the file is refused, wherever it stands.
    for at in (16..length).step_by(7) {
        assert!(damaged(at, 0x20).starts_with("the network is damaged: its checksum must be "), "{at}");
    }
    // What is written by its own checksum is still no network if sums could overflow.
    let too_large = Network { input_biases: vec![-993; 16], ..whole.clone() };
    assert_eq!(error(&too_large.to_bytes()), "a weight of the inputs must be within ±992, not -993");
    let mut too_large = whole;
    too_large.output_weights[3] = 128;
    assert_eq!(error(&too_large.to_bytes()), "a weight of the outputs must be within ±127, not 128");
}

/// The value in the words of the definition, in real numbers.
fn by_definition(network: &Network, position: &Chess) -> f64 {
    let board = position.board();
    let mut sum = 0.0;
    let men = board.occupied().count();
    let bucket = ((men - 2) / 4).min(7);
    for (half, side) in [position.turn(), !position.turn()].into_iter().enumerate() {
        let seen = |square: shakmaty::Square| if side.is_black() { square.flip_vertical() } else { square };
        let mirrored = seen(board.king_of(side).unwrap()).file() >= shakmaty::File::E;
        for neuron in 0..network.hidden {
            let mut held = f64::from(network.input_biases[neuron]);
            for (square, piece) in board {
                let square = seen(square);
                let square = if mirrored { square.flip_horizontal() } else { square };
                let kind = usize::from(piece.color != side) * 6 + piece.role as usize - 1;
                let input = kind * 64 + usize::from(square);
                held += f64::from(network.input_weights[input * network.hidden + neuron]);
            }
            let active = (held / f64::from(QA)).clamp(0.0, 1.0);
            let weight = network.output_weights[(2 * bucket + half) * network.hidden + neuron];
            sum += active * active * f64::from(weight) / f64::from(QB);
        }
    }
    f64::from(SCALE) * (sum + f64::from(network.output_biases[bucket]) / f64::from(QA * QB))
}

#[test]
fn whole_numbers_are_what_the_definition_says() {
    let (small, large) = (network(16, 3), network(48, 4));
    let mut values = HashSet::new();
    random_games(1, 40, |position| {
        for network in [&small, &large] {
            let value = network.evaluate(position.chess());
            let exact = by_definition(network, position.chess()).clamp(-30_000.0, 30_000.0);
            assert!((f64::from(value) - exact).abs() < 1.1, "{value} is not {exact}");
            let narrow = network.evaluate_by(Level::baseline(), &board_of(position.chess(), &WEIGHTS));
            assert_eq!(narrow, value, "by the vectors of every processor");
            values.insert(value);
        }
    });
    assert!(values.len() > 500, "only {}", values.len());
}

#[test]
fn the_most_that_weights_may_be_overflows_nothing() {
    let most = Network {
        input_biases: vec![INPUT_LIMIT; 512],
        input_weights: vec![INPUT_LIMIT; 512 * INPUTS],
        output_weights: vec![OUTPUT_LIMIT; 2 * 512 * BUCKETS],
        output_biases: [i32::MAX; BUCKETS],
        ..network(512, 5)
    };
    assert_eq!(most.evaluate(&Chess::default()), EVALUATION_LIMIT);
    let least = Network {
        output_weights: vec![-OUTPUT_LIMIT; 2 * 512 * BUCKETS],
        output_biases: [i32::MIN; BUCKETS],
        ..most
    };
    assert_eq!(least.evaluate(&Chess::default()), -EVALUATION_LIMIT);
    // 1,024 neurons that are full, each by 127 / 64.
    let full = Network { output_biases: [0; BUCKETS], ..least };
    assert_eq!(full.evaluate(&Chess::default()), -EVALUATION_LIMIT);
    let sum = dispatch!(Level::new(), simd => layers::weighted(simd, &[[255; 16]; 32], &[[-127; 16]; 32]));
    assert_eq!(sum, -512 * 255 * 255 * 127);
}

/// The position with the colours changed, or with left and right; none if there is no such position.
fn turned(position: &Chess, turn: impl Fn(&mut Board), colours: bool) -> Option<Chess> {
    let mut board = position.board().clone();
    turn(&mut board);
    let turn = if colours { !position.turn() } else { position.turn() };
    let setup = Setup { board, turn, ..Setup::empty() };
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

#[test]
fn colours_and_sides_are_seen_alike() {
    let network = network(32, 6);
    let mut compared = 0;
    random_games(1, 60, |position| {
        let (chess, value) = (position.chess(), network.evaluate(position.chess()));
        let swap = |board: &mut Board| {
            board.flip_vertical();
            board.swap_colors();
        };
        for (turn, colours) in [(swap as fn(&mut Board), true), (Board::flip_horizontal, false)] {
            if let Some(other) = turned(chess, turn, colours) {
                assert_eq!(network.evaluate(&other), value, "{chess:?}");
                compared += 1;
            }
        }
    });
    assert!(compared > 1_000, "only {compared}");
}

#[test]
fn the_number_of_men_chooses_the_output() {
    let bucket = |fen| features(&chess(fen)).bucket;
    assert_eq!(bucket("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), 0);
    assert_eq!(bucket("4k3/ppp5/8/8/8/8/8/4K3 w - - 0 1"), 0);
    assert_eq!(bucket("4k3/pppp4/8/8/8/8/8/4K3 w - - 0 1"), 1);
    assert_eq!(bucket("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB2 w Qkq - 0 1"), 7);
    assert_eq!(bucket("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK3 w Qkq - 0 1"), 6);
    // More men than a game has are a position that can be set up.
    let crowd =
        Game::from_fen("nnnnknnn/8/nnnnnnnn/8/NNNNNNNN/NNNNNNNN/8/4K3 w - - 0 1", CastlingMode::Standard);
    assert_eq!(features(crowd.unwrap().position()).bucket, 7);
}

/// Plays at random, passes and goes back, and values most positions on the way: as a search does. What has happened is
/// counted: castling, promotions, en passant captures, passes, kings that have crossed the middle, returns.
fn wander(network: &Network, start: &Chess, random: &mut Random, seen: &mut [usize; 6]) {
    let mut accumulators = Accumulators::new(network, 101);
    let mut line = vec![board_of(start, &WEIGHTS)];
    for _ in 0..200 {
        let (board, ply) = (line[line.len() - 1], line.len() - 1);
        if random.below(4) > 0 {
            assert_eq!(
                accumulators.evaluate(&board, ply),
                network.evaluate_board(&board),
                "{board:?} at ply {ply}"
            );
        }
        let moves = board.legal_moves();
        if moves.is_empty() || ply == 100 || random.below(8) == 0 {
            line.truncate(1 + random.below(line.len()));
            seen[5] += 1;
        } else if board.checkers() == 0 && random.below(8) == 0 {
            line.push(board.pass());
            seen[3] += 1;
        } else {
            let is_castling = |m: Move| board.castling_squares(board.code(m.from()), m).is_some();
            let is_en_passant =
                |m: Move| board.code(m.from()) == PAWN && m.to() == u32::from(board.en_passant);
            let is_rare = |m: &Move| is_castling(*m) || m.promotion() != EMPTY || is_en_passant(*m);
            let rare = moves.iter().copied().find(|m| random.below(2) == 0 && is_rare(m));
            let m = rare.unwrap_or(moves[random.below(moves.len())]);
            seen[0] += usize::from(is_castling(m));
            seen[1] += usize::from(m.promotion() != EMPTY);
            seen[2] += usize::from(is_en_passant(m));
            let after = board.make(m);
            seen[4] += usize::from((board.our_king() ^ after.their_king()) & 4 != 0);
            line.push(after);
        }
    }
}

#[test]
fn brought_up_to_date_is_from_scratch() {
    let (network, mut random, mut seen) = (network(16, 7), Random(8), [0; 6]);
    let chess960 = |fen: &str| fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
    let starts = positions().into_iter().map(|position| position.chess().clone());
    for start in starts.chain(betacut_support::chess960_fens().map(chess960)) {
        wander(&network, &start, &mut random, &mut seen);
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

/// A network that is small and whose values are those of a game.
fn of_a_game(seed: u64) -> Arc<Network> {
    let mut network = network(16, seed);
    let weights = network.input_weights.iter_mut().chain(&mut network.input_biases);
    weights.for_each(|weight| *weight /= 8);
    Arc::new(network)
}

fn engine(network: Option<Arc<Network>>, parameters: Parameters) -> Engine {
    Engine::new(Settings { parameters, network, ..Settings::default() }).unwrap()
}

fn found(engine: &mut Engine, position: &Chess, depth: u32) -> Outcome {
    let game = Game::new(position.clone(), CastlingMode::Standard);
    engine.clear();
    let limit = Limit { depth: Some(depth), ..Limit::default() };
    engine.search(&game, &limit, &Control::new(), &mut |_| {})
}

/// Minimax, with the values of finished games that a search gives them.
fn minimax(network: &Network, board: &evaluation::Board, depth: u32, ply: usize) -> Score {
    let moves = board.legal_moves();
    if moves.is_empty() {
        return if board.checkers() != 0 { mated_in(ply) } else { DRAW };
    }
    if ply > 0 && (board.clock >= CLOCK_LIMIT || board.is_dead()) {
        return DRAW;
    }
    if depth == 0 {
        return network.evaluate_board(board);
    }
    let value = |m| -minimax(network, &board.make(m), depth - 1, ply + 1);
    moves.into_iter().map(value).max().expect("there are moves")
}

#[test]
fn without_selection_the_value_is_that_of_minimax() {
    let network = of_a_game(9);
    let mut engine = engine(Some(Arc::clone(&network)), Parameters::plain());
    let mut values = HashSet::new();
    for position in positions() {
        let chess = position.chess();
        for depth in (1..=3).take_while(|_| !chess.legal_moves().is_empty()) {
            let value = minimax(&network, &board_of(chess, &WEIGHTS), depth, 0);
            let found = found(&mut engine, chess, depth);
            assert_eq!(found.lines[0].score, verdict(value), "{chess:?} at depth {depth}");
            values.insert(value);
        }
    }
    assert!(values.len() > 50, "only {}", values.len());
}

#[test]
fn the_same_question_has_the_same_answer() {
    let nodes = |network: Option<Arc<Network>>| {
        let mut engine = engine(network, Parameters::default());
        let all = positions();
        all.iter().map(|position| found(&mut engine, position.chess(), 6).nodes).collect::<Vec<_>>()
    };
    let first = nodes(Some(of_a_game(10)));
    assert_eq!(first, nodes(Some(of_a_game(10))));
    assert_ne!(first, nodes(Some(of_a_game(11))));
    assert_ne!(first, nodes(None));
}

#[test]
fn another_network_makes_what_was_found_worthless() {
    let [first, second] =
        [12, 13].map(|seed| Settings { network: Some(of_a_game(seed)), ..Settings::default() });
    let game = Game::new(Chess::default(), CastlingMode::Standard);
    let limit = Limit { depth: Some(7), ..Limit::default() };
    let ask = |engine: &mut Engine| engine.search(&game, &limit, &Control::new(), &mut |_| {}).nodes;
    let mut fresh = Engine::new(second.clone()).unwrap();
    let mut changed = Engine::new(first).unwrap();
    ask(&mut changed);
    changed.configure(second, false).unwrap();
    assert_eq!(ask(&mut changed), ask(&mut fresh));
}
