//! The weights that tuning begins with, before any game has been played: the Simplified Evaluation, and guesses.

use shakmaty::{Color, Role, Square};

use betacut_core::evaluation::simplified::{PIECE_VALUES, piece_square};
use betacut_play::evaluation::terms::{
    BISHOP_MOBILITY, BISHOP_PAIR, COUNT, KING_KINDS, KNIGHT_MOBILITY, MATERIAL, OWN_KING_SQUARES,
    PASSED_PAWN, QUEEN_MOBILITY, ROOK_MOBILITY, SQUARES, TEMPO,
};
use betacut_play::evaluation::{Pair, Weights};

/// What a passed pawn is guessed to be worth, by rank.
const PASSED: [(i32, i32); 8] = [(0, 0), (0, 5), (0, 10), (5, 20), (15, 40), (30, 70), (50, 110), (0, 0)];

/// The Simplified Evaluation's squares; guesses for mobility, passed pawns, bishops and the move; no other weights.
pub fn start() -> Box<Weights> {
    let mut weights: Box<Weights> = super::weights_file::boxed(&vec![Pair::default(); COUNT]);
    for (index, role) in Role::ALL.into_iter().enumerate() {
        let value = PIECE_VALUES[index];
        if role != Role::King {
            weights[MATERIAL + index] = Pair::new(value, value);
        }
        for square in Square::ALL {
            let worth = piece_square(Color::White, role, square);
            for kind in 0..KING_KINDS {
                let at = OWN_KING_SQUARES + kind * SQUARES + 64 * index + usize::from(square);
                weights[at] = Pair::new(worth.middlegame - value, worth.endgame - value);
            }
        }
    }
    for (term, steps, worth) in
        [(KNIGHT_MOBILITY, 9, 4), (BISHOP_MOBILITY, 14, 4), (ROOK_MOBILITY, 15, 3), (QUEEN_MOBILITY, 28, 2)]
    {
        for step in 0..steps {
            let worth = worth * (step as i32 - steps as i32 / 2);
            weights[term + step] = Pair::new(worth, worth);
        }
    }
    for (rank, (middlegame, endgame)) in PASSED.into_iter().enumerate() {
        weights[PASSED_PAWN + rank] = Pair::new(middlegame, endgame);
    }
    weights[BISHOP_PAIR] = Pair::new(30, 40);
    weights[TEMPO] = Pair::new(15, 5);
    weights
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use betacut_play::{Game, evaluation::evaluate};

    #[test]
    fn the_start_of_the_game_is_level() {
        let game = Game::new(Chess::default(), CastlingMode::Standard);
        // Nothing but the move tells the sides apart.
        assert_eq!(evaluate(&game.board(&start())), 15);
    }
}
