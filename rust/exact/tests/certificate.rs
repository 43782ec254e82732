//! Certificates, followed by the rules of shakmaty and the textbook's ends of the game.

use betacut_core::limits::Stopped;
use betacut_core::position::Position;
use betacut_core::rules::CHESS_JL;
use betacut_core::score::{Depth, Score};
use betacut_exact::certificate::{Certificate, Most, Unproved, make};
use betacut_lab::fuzz::{self, Kind, Random};
use shakmaty::{CastlingMode, Color, Move};

/// The legal moves in the order of their names.
fn sorted(position: &Position) -> Vec<Move> {
    let mut moves: Vec<_> = position.legal_moves().collect();
    moves.sort_by_key(|m| m.to_uci(CastlingMode::Standard).to_string());
    moves
}

/// The score of a finished game, with the plies left.
fn ended(position: &Position, depth: Depth) -> Option<Score> {
    let late = position.turn().fold_wb(-depth, depth);
    CHESS_JL.ending(position).map(|ending| ending.value(position.turn()) + late)
}

/// Whether the choices prove that `side` gets at least or at most `bound`, White's view.
fn follow(
    position: &Position,
    depth: Depth,
    side: Color,
    bound: Score,
    choices: &mut impl Iterator<Item = u8>,
) -> bool {
    if let Some(score) = ended(position, depth).or((depth == 0).then(|| position.score())) {
        return side.fold_wb(score >= bound, score <= bound);
    }
    let mut moves = sorted(position);
    if position.turn() == side {
        let Some(&m) = choices.next().and_then(|index| moves.get(index as usize)) else { return false };
        moves = vec![m];
    }
    moves.into_iter().all(|m| follow(&position.play(m), depth - 1, side, bound, choices))
}

/// Whether a certificate proves what it says.
fn holds(position: &Position, depth: Depth, certificate: &Certificate) -> bool {
    let Certificate { score, best_moves, choices } = certificate;
    let mut choices = choices.iter().copied();
    if let Some(value) = ended(position, depth) {
        return value == *score && best_moves.is_empty() && choices.next().is_none();
    }
    let turn = position.turn();
    let proved = sorted(position).into_iter().all(|m| {
        let child = position.play(m);
        if best_moves.contains(&m) {
            follow(&child, depth - 1, Color::White, *score, &mut choices)
                && follow(&child, depth - 1, Color::Black, *score, &mut choices)
        } else {
            follow(&child, depth - 1, turn.other(), score + turn.fold_wb(-1, 1), &mut choices)
        }
    });
    proved && !best_moves.is_empty() && choices.next().is_none()
}

#[test]
fn every_certificate_holds_and_no_other_value_does() {
    for (kind, seed) in Kind::ALL.into_iter().flat_map(|kind| (0..20).map(move |seed| (kind, seed))) {
        let position = fuzz::position(kind, &mut Random::new(seed, 3));
        for depth in 1..=4 {
            let made = make(&position, depth, Most::ANY, &mut || false).unwrap();
            assert!(holds(&position, depth, &made), "{} at depth {depth}", position.fen());
            for by in [-1, 1] {
                let other = Certificate { score: made.score + by, ..made.clone() };
                assert!(!holds(&position, depth, &other), "{} at depth {depth}", position.fen());
            }
            if let Some((_, others)) = made.best_moves.split_first() {
                let less = Certificate { best_moves: others.to_vec(), ..made.clone() };
                assert!(!holds(&position, depth, &less), "{} at depth {depth}", position.fen());
            }
        }
    }
}

#[test]
fn making_one_can_be_stopped() {
    let mut looks = 0;
    let stopped = make(&Position::initial(), 8, Most::ANY, &mut || {
        looks += 1;
        looks == 1000
    });
    assert_eq!(stopped, Err(Unproved::Stopped(Stopped::Interrupted)));
}
