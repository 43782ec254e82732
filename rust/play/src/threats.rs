//! The squares that the other side attacks, and by what: a piece does not stay where a lesser one attacks it.
//!
//! Source: chessprogramming.org "Attack and Defend Maps".

use super::evaluation::Board;
use betacut_core::board::{
    BISHOP, Code, KNIGHT, QUEEN, ROOK, Squares, bishop_attacks, king_attacks, knight_attacks,
    pawns_attack_down, rook_attacks,
};

/// Squares that the other side attacks.
#[derive(Clone, Copy, Default)]
pub struct Threats {
    by_pawns: u64,
    /// By pawns, knights or bishops.
    by_minors: u64,
    /// By these or rooks.
    by_rooks: u64,
    /// By any piece.
    pub all: u64,
}

impl Threats {
    /// Those of a position.
    pub fn new(board: &Board) -> Threats {
        let (theirs, occupied) = (board.theirs(), board.occupied());
        let diagonal = |from| bishop_attacks(from, occupied);
        let straight = |from| rook_attacks(from, occupied);
        let by_pawns = pawns_attack_down(board.pawns() & theirs);
        let by_minors = by_pawns
            | attacked(board.knights() & theirs, knight_attacks)
            | attacked(board.pieces(BISHOP) & theirs, diagonal);
        let by_rooks = by_minors | attacked(board.pieces(ROOK) & theirs, straight);
        let by_queens = attacked(board.pieces(QUEEN) & theirs, |from| diagonal(from) | straight(from));
        let all = by_rooks | by_queens | king_attacks(board.their_king());
        Threats { by_pawns, by_minors, by_rooks, all }
    }

    /// Those by pieces that are worth less than this one.
    pub const fn by_lesser(&self, code: Code) -> u64 {
        match code {
            KNIGHT | BISHOP => self.by_pawns,
            ROOK => self.by_minors,
            QUEEN => self.by_rooks,
            _ => 0,
        }
    }
}

/// What pieces on these squares attack.
fn attacked(from: u64, attacks: impl Fn(u32) -> u64) -> u64 {
    Squares(from).fold(0, |found, from| found | attacks(from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, evaluation::WEIGHTS};
    use betacut_core::board::{PAWN, bit, square};
    use shakmaty::CastlingMode;

    #[test]
    fn a_piece_is_threatened_by_lesser_ones_alone() {
        let fen = "4k3/8/3p4/8/1n3q2/8/8/R3K2Q w - - 0 1";
        let game = Game::from_fen(fen, CastlingMode::Standard).unwrap();
        let threats = Threats::new(&game.board(&WEIGHTS));
        let names = |squares: u64| Squares(squares).map(|at| square(at).to_string()).collect::<Vec<_>>();
        assert_eq!(names(threats.by_lesser(BISHOP)), ["c5", "e5"]);
        assert_eq!(names(threats.by_lesser(ROOK)), ["a2", "c2", "d3", "c5", "d5", "e5", "a6", "c6"]);
        assert_eq!(threats.by_lesser(QUEEN), threats.by_lesser(ROOK));
        assert_eq!(threats.by_lesser(PAWN), 0);
        assert!(threats.all & bit(5) != 0, "the queen attacks f1");
    }
}
