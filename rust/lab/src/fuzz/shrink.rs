//! From a position that shows a difference to one from which nothing more can be removed: play a move and search one ply
//! less, lower the depth, remove a piece, forget the clock, the castling rights and the en passant square.

use shakmaty::{Bitboard, Role, Setup};

use super::difference::{Compared, Difference, Halt};
use super::{check::Checker, kinds::setup_of};
use betacut_core::limits::{Poll, Stopped};
use betacut_core::{position::Position, score::Depth};

/// Steps that are tried at most.
const MOST_STEPS: usize = 20_000;

/// The smallest position found that shows a difference to fresh tables, from one that does; less far if stopped.
pub(super) fn shrink(position: &Position, depth: Depth, difference: Difference, poll: Poll) -> Difference {
    let mut smallest = difference;
    let (mut position, mut depth) = (position.clone(), depth);
    let mut steps = 0;
    'again: loop {
        for (smaller, at) in smaller(&position, depth) {
            steps += 1;
            if steps > MOST_STEPS {
                return smallest;
            }
            match compare(&smaller, at, poll) {
                Err(Halt::Differs(difference)) => {
                    (smallest, position, depth) = (*difference, smaller, at);
                    continue 'again;
                }
                Ok(()) => {}
                Err(Halt::Stopped(_)) => return smallest,
            }
        }
        return smallest;
    }
}

/// Compares with fresh tables.
pub(super) fn compare(position: &Position, depth: Depth, poll: Poll<'_>) -> Compared {
    Checker::fresh().map_err(Stopped::from)?.check(position, depth, None, poll)
}

/// Everything one step smaller, the greatest steps first.
fn smaller<'v>(position: &Position<'v>, depth: Depth) -> Vec<(Position<'v>, Depth)> {
    let mut found = Vec::new();
    if depth > 1 {
        found.push((position.clone(), depth - 1));
        found.extend(position.legal_moves().map(|m| (position.play(m), depth - 1)));
    }
    let (setup, evaluation) = (setup_of(position), position.evaluation());
    let mut offer = |change: &dyn Fn(&mut Setup)| {
        let mut other = setup.clone();
        change(&mut other);
        if other != setup
            && let Ok(position) = Position::from_setup(other)
        {
            found.push((position.with_evaluation(evaluation), depth));
        }
    };
    for (square, piece) in &setup.board {
        if piece.role != Role::King {
            offer(&|setup| {
                setup.board.discard_piece_at(square);
                setup.castling_rights.discard(square);
            });
        }
    }
    offer(&|setup| setup.halfmoves = 0);
    offer(&|setup| setup.castling_rights = Bitboard::EMPTY);
    for square in setup.castling_rights {
        offer(&|setup| setup.castling_rights.discard(square));
    }
    offer(&|setup| setup.ep_square = None);
    // The full-move number changes nothing, and reads best as 1.
    offer(&|setup| setup.fullmoves = std::num::NonZeroU32::MIN);
    found
}
