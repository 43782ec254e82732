//! A choice that answers many replies, none of which is made.
//!
//! # The idea
//!
//! Two plies before the leaves each reply of the other side needs a choice of its own, and mostly the same one will do: a
//! pawn steps forward, whatever they do. So it is looked for once, as if they passed.
//!
//! **Contract.** After a reply that is [`Premove::answered`], the move at the index is legal, and leads to a leaf worth at
//! least `bound` to the side that makes it.
//!
//! # Why it holds
//!
//! *The index.* It counts the moves of the pieces that come before by name, and those of the move's own piece; the king is not
//! among them. They depend on what these pieces see, on checks and on pins. So a reply changes none of them if it
//! neither leaves nor enters a square where one of these pieces stands or that it sees, or that our king sees, past them
//! too. What it captures elsewhere comes later by name.
//!
//! *The leaf.* It is worth the score before the reply, less what the reply gains, and what the move gains, as long as neither
//! changes the phase: so it is clear how much a reply may gain. The game goes on, since a pawn of theirs can step which
//! the reply does not move, does not block, and does not bring onto a line of its king; or they are in check and have no
//! move, which is worth more.
//!
//! Replies that promote, castle, or take or allow to take en passant are not answered.

use super::leaves::is_plain;
use super::names::{Piece, any_piece};
use crate::{bounds, ordering::gain};
use betacut_core::board::{
    Board, CLOCK_LIMIT, Code, EMPTY, KING, LAST_RANK, Move, PAWN, Squares, THIRD_RANK, beside,
    bishop_attacks, bit, flipped, king_attacks, knight_attacks, pawns_attack_up, rook_attacks,
};
use betacut_core::score::Score;

/// What few quiet replies gain more of. Centipawns.
const USUAL_GAIN: Score = 15;

/// A move that is chosen before the other side has replied. Squares are seen by the side that replies.
pub struct Premove {
    /// Its index among all moves, sorted by name.
    pub index: u8,
    /// What a reply may gain. Centipawns.
    slack: Score,
    /// What a reply must neither leave nor enter.
    touched: u64,
    /// Pawns of the side that replies which can step after it, pins aside.
    steppers: u64,
    /// Those on no line of their king.
    free_steppers: u64,
    /// Pawns of the side that chooses.
    pawns: u64,
}

impl Premove {
    /// Looks for one, for the side that is not to move, which is to get `bound` from its own view.
    pub fn new(board: &Board, bound: Score) -> Option<Premove> {
        let may_prove = board.values.has_bounds && board.values.tapers().is_none();
        if !may_prove || board.clock + 2 >= CLOCK_LIMIT || board.checkers() != 0 {
            return None;
        }
        // 1. What it must gain, if it is to make up for what most replies gain.
        let ours = board.pass();
        let short = bound - ours.score();
        let enough = short + USUAL_GAIN;
        // 2. The first by name that does so, or else the one that gains most.
        let mut found = None;
        let (mut most, mut touched, mut visited) = (Score::MIN, 0, 0);
        any_piece(&ours, |piece| {
            if piece.code == KING {
                return true; // where it can go, all their pieces have a say
            }
            visited |= bit(piece.from);
            touched |= bit(piece.from) | sees(&ours, piece);
            for to in Squares(piece.to & (!ours.occupied() | ours.pawns())) {
                let m = Move::new(piece.from, to, EMPTY);
                let gained = gain(&ours, piece.code, m);
                let promotes = piece.code == PAWN && bit(to) & LAST_RANK != 0;
                if gained > most && !promotes && is_plain(&ours, piece.code, m) {
                    most = gained;
                    found = Some((m, piece.index(&ours, m), touched, visited));
                }
            }
            most >= enough
        });
        let (m, index, touched, visited) = found?;
        let to = bit(flipped(m.to()));
        let steppers = bounds::steppers(board) & !(to | to >> 8);
        Some(Premove {
            index,
            slack: most - short,
            touched: (touched | lines_of_the_king(&ours, visited)).swap_bytes(),
            steppers,
            free_steppers: bounds::off_lines(steppers, board.our_king()),
            pawns: board.theirs() & board.pawns(),
        })
    }

    /// Where the replies of a piece end after which it is the choice.
    pub fn answered(&self, board: &Board, piece: &Piece) -> u64 {
        let &Piece { from, code, to, .. } = piece;
        if bit(from) & self.touched != 0 {
            return 0;
        }
        // 1. A pawn of theirs can still step. A step of the king comes below.
        let steppers = if code == KING { self.steppers } else { self.free_steppers & !bit(from) };
        let steps = steppers << 8;
        let blocked = if steps & steps.wrapping_sub(1) == 0 { steps } else { 0 };
        // Castling onto a rook is none of the replies that are answered.
        let to = if steps == 0 { 0 } else { to & !self.touched & !blocked & !board.ours };
        // 2. The reply gains no more than it may.
        let by_sets = if code == PAWN || code == KING { 0 } else { to & !board.occupied() };
        let gaining = board.values.at_least(code, from, board.values.level(self.slack + 1));
        Squares(to & !by_sets)
            .filter(|&to| self.answers(board, code, Move::new(from, to, EMPTY)))
            .fold(by_sets & !gaining, |answered, to| answered | bit(to))
    }

    /// Whether it is the choice after a capture, or a move of a pawn or the king.
    fn answers(&self, board: &Board, code: Code, reply: Move) -> bool {
        let (from, to) = (reply.from(), bit(reply.to()));
        let captured = board.code(reply.to());
        let is_plain = match code {
            KING => {
                king_attacks(from) & to != 0 && bounds::off_lines(self.steppers, reply.to()) << 8 & !to != 0
            }
            PAWN if to & LAST_RANK != 0 => false,
            PAWN if captured != EMPTY => true,
            PAWN => to == bit(from) << 8 || to == bit(from) << 16 && beside(to) & self.pawns == 0,
            _ => true,
        };
        let phase_stays = captured == EMPTY || captured == PAWN || !board.we_wait_for_endgame();
        is_plain && phase_stays && gain(board, code, reply) <= self.slack
    }
}

/// The squares that the moves of a piece depend on, pins aside.
fn sees(board: &Board, piece: &Piece) -> u64 {
    match piece.code {
        PAWN => {
            bit(piece.from) << 8 | (bit(piece.from) << 8 & THIRD_RANK) << 8 | pawns_attack_up(bit(piece.from))
        }
        _ => board.piece_attacks(piece.from, board.occupied()),
    }
}

/// Where a piece of theirs gives check to our king, or pins one of `pieces`, or stops doing so.
fn lines_of_the_king(board: &Board, pieces: u64) -> u64 {
    let (king, occupied) = (board.our_king(), board.occupied());
    let lines = |occupied| bishop_attacks(king, occupied) | rook_attacks(king, occupied);
    lines(occupied & !(pieces & lines(occupied))) | knight_attacks(king)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{certificate::names::list_by_name, leaves::one_ply_before::leaf};
    use betacut_lab::fuzz::{self, Kind, Random};

    #[test]
    fn a_reply_that_is_answered_is_answered() {
        let mut answered = 0;
        for (kind, seed) in Kind::ALL.into_iter().flat_map(|kind| (0..200).map(move |seed| (kind, seed))) {
            let position = fuzz::position(kind, &mut Random::new(seed, 17));
            let board = Board::new(&position);
            for by in [-300, -60, -20, 0, 20, 60] {
                let bound = by - board.score();
                let Some(premove) = Premove::new(&board, bound) else { continue };
                any_piece(&board, |piece| {
                    for to in Squares(premove.answered(&board, piece)) {
                        let reply = Move::new(piece.from, to, EMPTY);
                        let child = board.make(reply);
                        let mut moves = Vec::new();
                        list_by_name(&child, &mut moves);
                        let value = -leaf(&child.make(moves[usize::from(premove.index)]));
                        assert!(value >= bound, "{} {:?}", position.fen(), board.to_shakmaty(reply));
                        answered += 1;
                    }
                    false
                });
            }
        }
        assert!(answered > 20_000, "{answered}");
    }
}
