//! What a position keeps by increments equals what is computed from scratch, and the canonical move list is
//! shakmaty's: on every position of some hundred random games.

use betacut_core::checks::CheckInfo;
use betacut_core::evaluation::simplified;
use betacut_core::position::Position;
use betacut_core::rules::{CHESS_JL, Ending};
use betacut_support::random_games;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position as _};

const GAMES: u64 = 20;
const PLIES: usize = 120;

#[test]
fn increments_equal_computing_from_scratch() {
    random_games(GAMES, PLIES, |position| {
        let fen = position.fen();
        let endgame = simplified::is_endgame(position.board());
        assert_eq!(position.is_endgame(), endgame, "{fen}");
        assert_eq!(position.score(), simplified::evaluate_board(position.board()).score(endgame), "{fen}");
        let polyglot = position.chess().zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0;
        assert_eq!(position.key().whole.low, polyglot, "{fen}");
        let again = Position::from_fen(&fen).unwrap();
        assert_eq!(position.key(), again.key(), "{fen}");
        for m in position.legal_moves() {
            let child = position.play(m);
            assert_eq!(position.key_after(m), child.key(), "{fen} {m}");
            assert_eq!(position.score_after(m), child.score(), "{fen} {m}");
            assert_eq!(position.halfmove_clock_after(m), child.halfmove_clock(), "{fen} {m}");
        }
    });
}

#[test]
fn the_move_list_is_shakmatys() {
    random_games(GAMES, PLIES, |position| {
        let sorted = |moves: &mut Vec<shakmaty::Move>| moves.sort_by_key(ToString::to_string);
        let mut ours: Vec<_> = position.legal_moves().collect();
        let mut theirs = position.chess().legal_moves().to_vec();
        let count = ours.len();
        sorted(&mut ours);
        sorted(&mut theirs);
        assert_eq!(ours, theirs, "{}", position.fen());
        assert_eq!(position.has_legal_move(), count > 0, "{}", position.fen());
    });
}

#[test]
fn checks_are_foreseen() {
    random_games(GAMES, PLIES, |position| {
        let checks = CheckInfo::new(position.chess());
        for m in position.legal_moves() {
            if let Some(gives_check) = checks.gives_check(m) {
                assert_eq!(gives_check, position.play(m).is_check(), "{} {m}", position.fen());
            }
        }
    });
}

#[test]
fn endings_in_their_order() {
    for (fen, ending) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80", Some(Ending::Checkmate)),
        ("8/8/8/8/8/6k1/6p1/6K1 w - - 100 80", Some(Ending::Stalemate)),
        ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 100 90", Some(Ending::FiftyMoves)),
        ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 99 90", None),
        ("8/3k4/8/8/4B3/8/2K5/8 b - - 0 1", Some(Ending::InsufficientMaterial)),
        // Bishops on one colour: drawn elsewhere, not by Chess.jl.
        ("8/3k4/8/8/4B3/8/2K3b1/8 b - - 0 1", None),
    ] {
        assert_eq!(CHESS_JL.ending(&Position::from_fen(fen).unwrap()), ending, "{fen}");
    }
}

#[test]
fn impossible_positions_are_refused() {
    for fen in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "k7/8/8/8/8/8/8/K6r b - - 0 1",
        "k6P/8/8/8/8/8/8/K7 w - - 0 1",
        "PPPPPPPP/PP6/8/8/8/8/8/K6k w - - 0 1",
        "not a position",
    ] {
        assert!(Position::from_fen(fen).is_err(), "{fen}");
    }
}
