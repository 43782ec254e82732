//! What the python-chess programs share, against shakmaty and against computing from scratch, on random games.

use betacut_classic::observer::Nobody;
use betacut_classic::originals::chessai::evaluation::{ENDGAME, Evaluator};
use betacut_classic::originals::chessai::{self, Algorithm, Memory, Outcome};
use betacut_classic::originals::didactic::cache::Cache;
use betacut_classic::originals::didactic::tree::Tree;
use betacut_classic::originals::didactic::{self, BadCapture, Engine, Question};
use betacut_classic::originals::node::{Line, Node};
use betacut_classic::originals::tablebase::Tablebase;
use betacut_core::limits::{Limits, Stopped};
use betacut_core::position::Position;
use betacut_core::rules::Ending;
use betacut_support::random_games;
use shakmaty::{Move, Position as _};

const GAMES: u64 = 20;
const PLIES: usize = 120;

/// A position without history.
fn node_of(position: &Position) -> Node {
    Node::new(position.chess().clone())
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_by_key(ToString::to_string);
    moves
}

#[test]
fn the_move_list_is_shakmatys() {
    random_games(GAMES, PLIES, |position| {
        let node = node_of(position);
        let all = position.chess().legal_moves().to_vec();
        let captures = all.iter().copied().filter(|m| m.is_capture()).collect();
        assert_eq!(sorted(node.legal_moves().collect()), sorted(all), "{}", position.fen());
        assert_eq!(sorted(node.legal_captures().collect()), sorted(captures), "{}", position.fen());
    });
}

#[test]
fn keys_by_increments_are_keys_from_scratch() {
    random_games(GAMES, PLIES, |position| {
        let node = node_of(position);
        for m in node.legal_moves() {
            let child = node.play(m);
            let again = Node::new(child.chess().clone());
            assert_eq!(child.placement_key(), again.placement_key(), "{} {m}", position.fen());
            assert_eq!(child.transposition_key(), again.transposition_key(), "{} {m}", position.fen());
            assert_eq!(node.transposition_key_after(m), again.transposition_key(), "{} {m}", position.fen());
        }
    });
}

#[test]
fn terminal_filter_never_overlooks_an_ending() {
    let (mut foreseen, mut endings) = (0, 0);
    random_games(GAMES, PLIES, |position| {
        let (node, line) = Line::new(position.chess().clone(), Vec::new());
        let terminal_filter = node.terminal_filter();
        for m in node.legal_moves() {
            let ending = node.play(m).ending(&line);
            endings += usize::from(ending.is_some());
            if terminal_filter.cannot_end_the_game(m) {
                foreseen += 1;
                assert_eq!(ending, None, "{} {m}", position.fen());
            }
        }
    });
    assert!(endings > 100, "only {endings} moves ended a game: the test proves nothing");
    assert!(foreseen > 1000 * GAMES, "only {foreseen} moves were foreseen");
}

#[test]
fn the_didactic_engines_grow_the_published_trees() {
    let middlegame = "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11";
    let root = node_of(&Position::from_fen(middlegame).unwrap());
    for (engine, bad_captures, nodes, printed) in [
        (Engine::PrototypeV1, BadCapture::Defended, 25_139, 810_486),
        (Engine::MoveOrdering, BadCapture::Defended, 12_911, 513_446),
        (Engine::QuiescenceMoveOrdering, BadCapture::Exchange, 12_911, 468_023),
        (Engine::QuiescenceMoveOrdering, BadCapture::Defended, 16_372, 319_376),
    ] {
        let question = Question { engine, simplified: false, bad_captures, analyse: false, depth: 4 };
        let (mut tree, mut poll) = (Tree::default(), || false);
        let mut limits = Limits::new(&mut poll);
        let cache = &mut Cache::default();
        didactic::search(question, root.clone(), Line::default(), None, cache, &mut tree, &mut limits)
            .unwrap();
        let count = tree.count(&root, &mut limits).unwrap();
        assert_eq!((count.nodes_visited, count.quiesce_nodes_as_printed()), (nodes, printed), "{engine:?}");
    }
}

#[test]
fn the_fifth_occurrence_ends_the_game() {
    let start = Node::new(shakmaty::Chess::default());
    let (mut node, mut line) = (start, Line::default());
    for ply in 0..16 {
        assert_eq!(node.ending(&line), None, "ply {ply}");
        let there = ["Ng1-f3", "Ng8-f6", "Nf3-g1", "Nf6-g8"][ply % 4];
        let m = node.legal_moves().find(|m| m.to_string() == there).unwrap();
        line.push(&node);
        node = node.play(m);
    }
    assert_eq!(node.ending(&line), Some(Ending::FivefoldRepetition));
}

/// A search by the program `ChessAI` that nothing stops.
fn chessai_search(
    algorithm: Algorithm,
    position: &Position,
    depth: u32,
    tablebase: Option<&mut dyn Tablebase>,
) -> Result<Outcome, Stopped> {
    let (root, line) = Line::new(position.chess().clone(), Vec::new());
    let evaluator = Evaluator { use_heuristic: true, ending: false, tablebase };
    chessai::search(
        algorithm,
        &root,
        line,
        depth,
        evaluator,
        &mut Memory::default(),
        Limits::new(&mut || false),
        Nobody,
    )
}

#[test]
fn chessai_alpha_beta_is_its_negamax() {
    random_games(GAMES / 4, PLIES, |position| {
        let [all, pruned] = [Algorithm::Negamax, Algorithm::AlphaBeta]
            .map(|algorithm| chessai_search(algorithm, position, 2, None).unwrap());
        assert_eq!((all.score, all.path), (pruned.score, pruned.path), "{}", position.fen());
        assert!(pruned.counts.nodes <= all.counts.nodes, "{}", position.fen());
    });
}

/// Answers so many times, then stops the search.
struct Patience(u32);

impl Tablebase for Patience {
    fn probe_dtm(&mut self, _: &shakmaty::Chess) -> Result<Option<i32>, Stopped> {
        self.0 = self.0.checked_sub(1).ok_or(Stopped::Interrupted)?;
        Ok(Some(-7))
    }
}

#[test]
fn a_tablebase_is_asked_about_few_men_and_can_stop_a_search() {
    let few = Position::from_fen("8/8/8/8/4k3/7r/8/K7 b - - 0 1").unwrap();
    let mut patience = Patience(100);
    let found = chessai_search(Algorithm::AlphaBeta, &few, 1, Some(&mut patience)).unwrap();
    assert_eq!((found.score, found.used_endgame), (ENDGAME - 7, true));
    assert_eq!(u64::from(100 - patience.0), found.counts.evals);
    let stopped = chessai_search(Algorithm::AlphaBeta, &few, 1, Some(&mut Patience(3)));
    assert_eq!(stopped, Err(Stopped::Interrupted));
    let many = chessai_search(Algorithm::AlphaBeta, &Position::initial(), 1, Some(&mut Patience(0))).unwrap();
    assert!(!many.used_endgame);
}

/// Answers with any number there is, now and then.
struct Nonsense(u64);

impl Tablebase for Nonsense {
    fn probe_dtm(&mut self, _: &shakmaty::Chess) -> Result<Option<i32>, Stopped> {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let answers = [i32::MIN, i32::MIN + 1, i32::MAX, -1_000_000, 1_000_000, 0, 1, -1];
        Ok(answers.get((self.0 >> 33) as usize % 12).copied())
    }
}

#[test]
fn a_tablebase_that_talks_nonsense_breaks_nothing() {
    for fen in ["8/8/8/8/4k3/7r/8/K7 b - - 0 1", "8/P7/8/4k3/8/8/8/K7 w - - 0 1"] {
        let position = Position::from_fen(fen).unwrap();
        for seed in 0..50 {
            for name in [
                "negamax_search",
                "negamax_search_memo",
                "alpha_beta_pruning",
                "alpha_beta_pruning_memo",
                "alpha_beta_pruning_pd",
                "alpha_beta_pruning_quiescence",
            ] {
                let algorithm = Algorithm::from_name(name).unwrap();
                let found = chessai_search(algorithm, &position, 3, Some(&mut Nonsense(seed))).unwrap();
                assert!(!found.path.is_empty(), "{fen} {name} {seed}");
            }
            let (root, line) = Line::new(position.chess().clone(), Vec::new());
            let (engine, bad_captures) = (Engine::PrototypeV2, BadCapture::Defended);
            let question = Question { engine, simplified: false, bad_captures, analyse: false, depth: 2 };
            let mut nonsense = Nonsense(seed);
            let (mut cache, mut tree, mut never) = (Cache::default(), Tree::default(), || false);
            let mut limits = Limits::new(&mut never);
            // It may end where the original would not, but it ends.
            let tablebase = Some(&mut nonsense as _);
            let _ = didactic::search(question, root, line, tablebase, &mut cache, &mut tree, &mut limits);
        }
    }
}
