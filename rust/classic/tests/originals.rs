//! What the python-chess programs share, against computing from scratch, on random games.

use betacut_classic::originals::chessai::evaluation::Evaluator;
use betacut_classic::originals::chessai::{self, Algorithm, Memory};
use betacut_classic::originals::didactic::cache::Cache;
use betacut_classic::originals::didactic::tree::{Tree, Watch};
use betacut_classic::originals::didactic::{self, BadCapture, Engine, Question};
use betacut_classic::originals::node::{Line, Node};
use betacut_classic::originals::tablebase::Tablebase;
use betacut_core::limits::{Limits, Stopped};
use betacut_core::position::Position;
use betacut_support::random_games;

const GAMES: u64 = 20;
const PLIES: usize = 120;

#[test]
fn keys_by_increments_are_keys_from_scratch() {
    random_games(GAMES, PLIES, |position| {
        let node = Node::new(position.chess().clone());
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
            for algorithm in Algorithm::ALL {
                let (root, line) = Line::new(position.chess().clone(), Vec::new());
                let mut nonsense = Nonsense(seed);
                let tablebase = Some(&mut nonsense as &mut dyn Tablebase);
                let evaluator = Evaluator { use_heuristic: true, ending: false, tablebase };
                let (mut memory, mut never) = (Memory::default(), || false);
                let limits = Limits::new(&mut never);
                let found =
                    chessai::search(algorithm, &root, line, 3, None, evaluator, &mut memory, limits, None);
                let found = found.unwrap();
                assert!(!found.path.is_empty(), "{fen} {algorithm:?} {seed}");
            }
            let (root, line) = Line::new(position.chess().clone(), Vec::new());
            let (engine, bad_captures) = (Engine::PrototypeV2, BadCapture::Defended);
            let question = Question { engine, simplified: false, bad_captures, analyse: false, depth: 2 };
            let mut nonsense = Nonsense(seed);
            let (mut cache, mut tree, mut never) = (Cache::default(), Tree::default(), || false);
            let mut limits = Limits::new(&mut never);
            // It may end where the original would not, but it ends.
            let tablebase = Some(&mut nonsense as _);
            let _ = didactic::search(
                question,
                root,
                line,
                tablebase,
                &mut cache,
                Watch::Tree(&mut tree),
                &mut limits,
            );
        }
    }
}
