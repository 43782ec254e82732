//! Certificates, followed by the rules of shakmaty and the textbook's ends of the game.

use betacut_core::limits::Stopped;
use betacut_core::position::Position;
use betacut_core::rules::CHESS_JL;
use betacut_core::score::{Depth, Score};
use betacut_exact::certificate::{Certificate, Most, Unproved, make};
use betacut_exact::{Question, search};
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

/// What is claimed: that a side gets at least or at most `bound`, White's view.
#[derive(Clone, Copy)]
struct Claim {
    side: Color,
    bound: Score,
    quiescence: bool,
}

impl Claim {
    fn is_kept_by(self, score: Score) -> bool {
        self.side.fold_wb(score >= self.bound, score <= self.bound)
    }

    /// Whether the choices prove it.
    fn follow(self, position: &Position, depth: Depth, choices: &mut impl Iterator<Item = u8>) -> bool {
        if let Some(score) = ended(position, depth).filter(|_| depth >= 0) {
            return self.is_kept_by(score);
        }
        let claims = position.turn() == self.side;
        let mut moves = sorted(position);
        if depth <= 0 {
            let stands_pat = self.is_kept_by(position.score());
            if !self.quiescence || claims == stands_pat {
                return stands_pat;
            }
            moves.retain(|m| m.is_capture() || m.is_promotion());
        }
        if claims {
            let Some(&m) = choices.next().and_then(|index| moves.get(index as usize)) else { return false };
            moves = vec![m];
        }
        moves.into_iter().all(|m| self.follow(&position.play(m), depth - 1, choices))
    }
}

/// Whether a certificate proves what it says.
fn holds(position: &Position, depth: Depth, quiescence: bool, certificate: &Certificate) -> bool {
    let Certificate { score, best_moves, choices } = certificate;
    let mut choices = choices.iter().copied();
    if let Some(value) = ended(position, depth) {
        return value == *score && best_moves.is_empty() && choices.next().is_none();
    }
    let turn = position.turn();
    let proved = sorted(position).into_iter().all(|m| {
        let child = position.play(m);
        let mut follow =
            |side, bound| Claim { side, bound, quiescence }.follow(&child, depth - 1, &mut choices);
        if best_moves.contains(&m) {
            follow(Color::White, *score) && follow(Color::Black, *score)
        } else {
            follow(turn.other(), score + turn.fold_wb(-1, 1))
        }
    });
    proved && !best_moves.is_empty() && choices.next().is_none()
}

/// Where many men stand everything hangs, and a proof of quiet leaves is endless.
fn is_small(position: &Position, depth: Depth) -> bool {
    let question = Question { quiescence: true, nodes: Some(500), ..Question::new(depth) };
    search(position, &question, None, &mut || false).is_ok_and(|answer| answer.complete)
}

#[test]
fn every_certificate_holds_and_no_other_value_does() {
    for (kind, seed) in Kind::ALL.into_iter().flat_map(|kind| (0..20).map(move |seed| (kind, seed))) {
        let position = fuzz::position(kind, &mut Random::new(seed, 3));
        for (depth, quiescence) in (1..=4).flat_map(|depth| [(depth, false), (depth, true)]) {
            if quiescence && !is_small(&position, depth) {
                continue;
            }
            let made = make(&position, depth, quiescence, Most::ANY, &mut || false).unwrap();
            let holds = |certificate: &Certificate| holds(&position, depth, quiescence, certificate);
            assert!(holds(&made), "{} at depth {depth}", position.fen());
            for by in [-1, 1] {
                let other = Certificate { score: made.score + by, ..made.clone() };
                assert!(!holds(&other), "{} at depth {depth}", position.fen());
            }
            if let Some((_, others)) = made.best_moves.split_first() {
                let less = Certificate { best_moves: others.to_vec(), ..made.clone() };
                assert!(!holds(&less), "{} at depth {depth}", position.fen());
            }
        }
    }
}

#[test]
fn making_one_can_be_stopped() {
    let mut looks = 0;
    let stopped = make(&Position::initial(), 8, false, Most::ANY, &mut || {
        looks += 1;
        looks == 1000
    });
    assert_eq!(stopped, Err(Unproved::Stopped(Stopped::Interrupted)));
}
