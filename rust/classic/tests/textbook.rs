//! The laws of the textbook floor.

use betacut_classic::cache::Cache;
use betacut_classic::textbook::frontier::{Frontier, terminal_or_score};
use betacut_classic::textbook::{self, Algorithm, SearchError, SearchResult, SssMethod};
use betacut_core::limits::{Limits, Stopped};
use betacut_core::position::{Key, Position};
use betacut_core::rules::CHESS_JL;
use betacut_support::{positions, random_games, sampled};

const MINIMAX: Algorithm = Algorithm::MinimaxNoMemo { captures: false };
const ALPHA_BETA: Algorithm = Algorithm::AlphaBetaPruningNoMemo { captures: false };

fn search(algorithm: Algorithm, position: &Position, depth: i32, cache: &mut Cache) -> SearchResult {
    textbook::search(algorithm, position, &[], depth, cache, Limits::new(&mut || false)).unwrap()
}

/// Searches until it has looked so many times whether it is to stop.
fn stopped(algorithm: Algorithm, position: &Position, depth: i32, cache: &mut Cache, looks: u32) -> bool {
    let mut looked = 0;
    let poll = &mut || {
        looked += 1;
        looked > looks
    };
    let found = textbook::search(algorithm, position, &[], depth, cache, Limits::new(poll));
    found == Err(SearchError::Stopped(Stopped::Interrupted))
}

#[test]
fn quiet_alpha_beta_is_quiet_minimax() {
    let algorithms =
        [Algorithm::MinimaxNoMemo { captures: true }, Algorithm::AlphaBetaPruningNoMemo { captures: true }];
    let fresh = &mut Cache::default();
    // Without a window the captures of a full board are too many.
    let mut checked = 0;
    random_games(sampled(1, 4), 300, |position| {
        if position.board().occupied().count() <= 9 {
            checked += 1;
            let [plain, pruned] = algorithms.map(|algorithm| search(algorithm, position, 2, fresh));
            let expected = (plain.score, plain.best_moves);
            assert_eq!((pruned.score, pruned.best_moves), expected, "{}", position.fen());
        }
    });
    assert!(checked > 100);
}

#[test]
fn a_stopped_search_leaves_a_usable_cache() {
    let position = &positions()[0];
    let mut cache = Cache::default();
    for _ in 0..2 {
        assert!(stopped(Algorithm::AlphaBetaPruning, position, 5, &mut cache, 3));
        assert!(!cache.is_empty());
    }
    // Everything it holds was searched to the depth it says, so the value is that of a fresh search.
    let plain = search(ALPHA_BETA, position, 3, &mut Cache::default());
    let mut exact = Cache::exact();
    assert!(stopped(Algorithm::AlphaBetaPruning, position, 5, &mut exact, 2));
    assert_eq!(search(Algorithm::AlphaBetaPruning, position, 3, &mut exact).score, plain.score);
}

#[test]
fn a_third_occurrence_is_a_draw_to_the_memo_alone() {
    // White is a queen down. Before the root, the position after Kb8-a8 has occurred twice already.
    let position = Position::from_fen("1K6/P6p/3q4/3p1k2/8/8/8/8 w - - 6 4").unwrap();
    let earlier = Position::from_fen("K7/P6p/3q4/3p1k2/8/8/8/8 b - - 1 1").unwrap().key().whole;
    let other = |low| Key { low, high: 0 };
    let history = [earlier, other(1), other(2), other(3), earlier, other(4), other(5)];
    let value = |algorithm, history: &[Key], mut cache| {
        textbook::search(algorithm, &position, history, 1, &mut cache, Limits::new(&mut || false)).unwrap()
    };
    let memo = value(Algorithm::AlphaBetaPruning, &history, Cache::default());
    assert_eq!((memo.score, memo.statistics.repetitions), (0, 2));
    assert_ne!(value(ALPHA_BETA, &history, Cache::default()).score, 0);
    assert_ne!(value(Algorithm::AlphaBetaPruning, &history, Cache::exact()).score, 0);
    // All bits of the key count.
    for other in [Key { low: earlier.low ^ 1, ..earlier }, Key { high: earlier.high ^ 1, ..earlier }] {
        let history = history.map(|key| if key == earlier { other } else { key });
        let found = value(Algorithm::AlphaBetaPruning, &history, Cache::default());
        assert_eq!(found.statistics.repetitions, 0);
    }
}

/// The pages that prove the value, with a memo that they can use.
fn proofs() -> [(Algorithm, Cache); 9] {
    [
        (Algorithm::Negamax, Cache::default()),
        (Algorithm::AlphaBetaFailSoft, Cache::default()),
        (Algorithm::Aspiration { guess: None, width: 20 }, Cache::default()),
        (Algorithm::Aspiration { guess: Some(-700), width: 1 }, Cache::default()),
        (Algorithm::Negascout, Cache::default()),
        (Algorithm::MtdF { guess: None }, Cache::exact()),
        (Algorithm::SssStar { method: SssMethod::Table }, Cache::exact()),
        (Algorithm::SssStar { method: SssMethod::Lines }, Cache::exact()),
        (Algorithm::SssStar { method: SssMethod::List }, Cache::default()),
    ]
}

#[test]
fn the_descendants_of_alpha_beta_are_minimax() {
    let mut checked = 0;
    random_games(1, 30, |position| {
        checked += 1;
        let depth = if checked % 5 == 0 { 3 } else { 2 };
        let minimax = search(MINIMAX, position, depth, &mut Cache::default());
        for (algorithm, mut cache) in proofs() {
            let found = search(algorithm, position, depth, &mut cache);
            assert_eq!(found.score, minimax.score, "{algorithm:?}: {} at depth {depth}", position.fen());
            assert_eq!(found.best_moves, minimax.best_moves, "{algorithm:?}: {}", position.fen());
            assert_eq!(found.pv, minimax.pv, "{algorithm:?}: {}", position.fen());
        }
    });
}

#[test]
fn selective_searches_of_nothing_left_out_are_fail_soft() {
    for position in positions() {
        let whole = search(Algorithm::AlphaBetaFailSoft, &position, 4, &mut Cache::default());
        let reduction = 4;
        for algorithm in [
            Algorithm::NullMove { reduction },
            Algorithm::LateMoveReductions { full_moves: u32::MAX, reduction },
        ] {
            let found = search(algorithm, &position, 4, &mut Cache::default());
            assert_eq!((found.score, found.best_moves.first()), (whole.score, whole.best_moves.first()));
            assert_eq!(found.statistics.root_calls.nodes(), whole.statistics.root_calls.nodes());
            assert_eq!(found.best_moves.len(), 1);
        }
    }
}

#[test]
fn the_pages_of_the_mover_fit_the_stack() {
    // As deep as allowed, until it is stopped: the first line of play has gone all the way down by then.
    let position = Position::from_fen("7k/8/8/p1p1p1p1/P1P1P1P1/8/8/K6N w - - 0 1").unwrap();
    let selective =
        [Algorithm::NullMove { reduction: 1 }, Algorithm::LateMoveReductions { full_moves: 1, reduction: 1 }];
    let proofs = proofs().map(|(algorithm, _)| algorithm);
    for algorithm in selective.into_iter().chain(proofs) {
        let position = position.clone();
        let deep = move || stopped(algorithm, &position, 100, &mut algorithm.new_cache(), 20);
        let thread = std::thread::Builder::new().stack_size(800 << 10).spawn(deep).unwrap();
        assert!(thread.join().unwrap());
    }
}

#[test]
fn the_deepest_search_fits_the_stack() {
    // Locked pawns keep the kings apart: little to search, as deep as allowed.
    let position = Position::from_fen("7k/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1").unwrap();
    let deep = move || search(Algorithm::Minimax, &position, 100, &mut Cache::default()).pv.len();
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(deep).unwrap();
    assert_eq!(thread.join().unwrap(), 100);
}

#[test]
fn leaves_are_valued_as_if_they_were_made() {
    let mut endings = 0;
    random_games(20, 120, |position| {
        let frontier = Frontier::new(position);
        for m in position.legal_moves() {
            let child = position.play(m);
            endings += usize::from(CHESS_JL.ending(&child).is_some());
            assert_eq!(frontier.value(m), terminal_or_score(&child), "{} {m}", position.fen());
        }
    });
    assert!(endings > 1000, "only {endings} of the leaves ended a game: the test proves nothing");
}
