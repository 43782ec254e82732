//! One ply before the leaves: whether the side to move has a move that is worth enough.
//!
//! # The idea
//!
//! Nine nodes of ten are leaves, and nearly all of them are asked for one bit: does *some* move reach the value `t`?
//! A leaf's value is the parent's score plus what the move gains, so no leaf needs to be made. Quiet moves are
//! answered by sets: among the squares a piece attacks, those that gain enough are one lookup away
//! ([`bounds::AT_LEAST`]). Captures are few and added up one by one. Only a move that gives check must be made, to
//! see whether it mates.
//!
//! # The price
//!
//! The common case stands apart from the rules' corners: in check, with the clock near its end, with little material,
//! before a promotion or an en passant capture the node is answered by [`value`], which makes every move.
//!
//! # What can go wrong
//!
//! A leaf is not worth its score if it ends the game. Checkmate is looked for among the moves that give check. A
//! stalemate is worth 0: where `t > 0` a move that reaches `t` must leave a reply, and where `t <= 0` a move that
//! gains too little might still stalemate. See [`bounds`] for the proofs that it does not.

use super::board::{
    BISHOP, Board, CLOCK_LIMIT, Code, EMPTY, FIRST_RANK, KING, KNIGHT, LAST_RANK, Move, NO_SQUARE, PAWN, QUEEN,
    ROOK, SEVENTH_RANK, Squares, THIRD_RANK, between, bishop_attacks, bishop_lines, bit, king_attacks, king_value,
    knight_attacks, line, pawns_attack_down, pawns_attack_up, rook_attacks, rook_lines, turned, value as piece_value,
};
use super::bounds::{self, Movers};
use crate::score::{Depth, MATE, Score};

/// The value of a finished game with `depth` plies left, for the side to move.
#[inline(always)]
pub const fn finished(in_check: bool, depth: Depth) -> Score {
    if in_check { -MATE - depth } else { -depth }
}

/// The value of a leaf for the side to move.
#[inline]
pub fn leaf(board: &Board) -> Score {
    let checkers = board.checkers();
    if !board.has_legal_move(checkers) {
        finished(checkers != 0, 0)
    } else if board.clock >= CLOCK_LIMIT || board.is_dead() {
        0
    } else {
        board.score()
    }
}

/// The value at depth 1 for the side to move, exact below `beta`: every move is made until one reaches `beta`.
pub fn value(board: &Board, beta: Score) -> (Score, Move) {
    let mut best = (-MATE * 2, Move::NONE);
    let checkers = board.checkers();
    board.any_legal_move(checkers, |m| {
        let value = -leaf(&board.make(m));
        if value > best.0 {
            best = (value, m);
        }
        best.0 >= beta
    });
    if best.1 == Move::NONE {
        return (finished(checkers != 0, 1), Move::NONE);
    }
    if board.clock >= CLOCK_LIMIT || board.is_dead() { (finished(false, 1), Move::NONE) } else { best }
}

/// Whether the value at depth 1 for the side to move is at least `t`.
#[inline(never)]
pub fn reaches(board: &Board, t: Score, in_check: bool) -> bool {
    if t > MATE {
        return false;
    }
    let rare = in_check
        || board.clock >= CLOCK_LIMIT - 1
        || board.men <= 4
        || board.en_passant != NO_SQUARE
        || board.ours & board.pawns() & SEVENTH_RANK != 0;
    if rare { by_list(board, t) } else { Node::new(board, t).reaches() }
}

#[cold]
#[inline(never)]
fn by_list(board: &Board, t: Score) -> bool {
    value(board, t).0 >= t
}

/// A node one ply before the leaves, not in check, far from the rules' corners.
struct Node<'a> {
    board: &'a Board,
    t: Score,
    /// What a move must gain.
    need: Score,
    occupied: u64,
    theirs: u64,
    king: u32,
    their_king: u32,
    /// Whether the capture of a piece may start the endgame.
    may_start_endgame: bool,
}

impl<'a> Node<'a> {
    #[inline(always)]
    fn new(board: &'a Board, t: Score) -> Node<'a> {
        Node {
            board,
            t,
            need: t - board.score(),
            occupied: board.occupied(),
            theirs: board.theirs(),
            king: board.our_king(),
            their_king: board.their_king(),
            may_start_endgame: !board.endgame && board.is_thin(board.ours),
        }
    }

    #[inline(always)]
    fn reaches(&self) -> bool {
        let &Node { board, t, need, occupied, theirs, king, their_king, .. } = self;
        let ours = board.ours;
        let empty = !occupied;
        let level = bounds::level(need);
        let victims = self.victims();
        // Pieces that can give check, and squares from which each kind does.
        let (diagonal_checks, straight_checks) =
            (bishop_attacks(their_king, occupied), rook_attacks(their_king, occupied));
        let mut checking = 0;

        // 1. Pawns.
        let pawns = ours & board.pawns();
        let steps = pawns << 8 & empty;
        let doubles = (steps & THIRD_RANK) << 8 & empty;
        let hits = steps & bounds::step_at_least(level);
        if hits != 0 && Squares(hits).any(|to| self.is_good_quiet(to - 8, to)) {
            return true;
        }
        let hits = doubles & bounds::double_at_least(level);
        if hits != 0 && Squares(hits).any(|to| self.is_good_quiet(to - 16, to)) {
            return true;
        }
        if pawns_attack_up(pawns) & victims != 0 {
            for to in Squares(pawns_attack_up(pawns) & victims) {
                let takers = pawns_attack_down(bit(to)) & pawns;
                if Squares(takers).any(|from| self.is_good_capture(PAWN, from, to)) {
                    return true;
                }
            }
        }
        // 2. Knights, what moves like a bishop, what moves like a rook.
        let knight_checks = knight_attacks(their_king);
        for from in Squares(ours & board.knights()) {
            let attacked = knight_attacks(from);
            if self.hits(KNIGHT, from, attacked, level, victims) {
                return true;
            }
            if attacked & knight_checks & !ours != 0 {
                checking |= bit(from);
            }
        }
        let straight = board.straight_sliders();
        for from in Squares(ours & board.diagonal_sliders()) {
            let attacked = bishop_attacks(from, occupied);
            let code = BISHOP + 2 * (straight >> from & 1) as usize;
            if self.hits(code, from, attacked, level, victims) {
                return true;
            }
            let checks = if code == QUEEN { diagonal_checks | straight_checks } else { diagonal_checks };
            if attacked & checks & !ours != 0 {
                checking |= bit(from);
            }
        }
        let diagonal = board.diagonal_sliders();
        for from in Squares(ours & straight) {
            let attacked = rook_attacks(from, occupied);
            let code = ROOK + (diagonal >> from & 1) as usize;
            if self.hits(code, from, attacked, level, victims) {
                return true;
            }
            let checks = if code == QUEEN { diagonal_checks | straight_checks } else { straight_checks };
            if attacked & checks & !ours != 0 {
                checking |= bit(from);
            }
        }
        // 3. The king.
        let steps_of_king = king_attacks(king) & !ours;
        let table = bounds::king_code(board.endgame);
        let hits = steps_of_king & (empty & bounds::at_least(table, king, level) | victims);
        if hits != 0 {
            for to in Squares(hits) {
                let safe = || board.their_attackers(to, occupied ^ bit(king)) == 0;
                if (bit(to) & empty != 0 || self.gain_of_capture(KING, king, to) >= need)
                    && safe()
                    && self.leaves_a_reply(king, to)
                {
                    return true;
                }
            }
        }
        // 4. Castling, if it gains enough or may give check.
        if board.castling & 3 != 0 && self.castling_reaches(straight_checks) {
            return true;
        }
        // 5. Checkmate: moves that give check, directly or by leaving a line.
        let pawn_checks = pawns_attack_down(bit(their_king));
        let pawn_moves = steps | doubles | pawns_attack_up(pawns) & theirs;
        let uncovering = board.uncovering();
        if (checking | uncovering | pawn_moves & pawn_checks) != 0 && self.mates(checking, uncovering, pawn_checks) {
            return true;
        }
        // 6. A stalemate, theirs after a move of ours or ours now.
        t <= 0 && self.stalemate_reaches()
    }

    /// Their pieces whose capture may gain enough.
    #[inline(always)]
    fn victims(&self) -> u64 {
        let board = self.board;
        if self.need <= bounds::MOST_BY_PAWN || self.may_start_endgame {
            self.theirs
        } else if self.need <= bounds::MOST_BY_MINOR {
            self.theirs & !board.pawns()
        } else if self.need <= bounds::MOST_BY_ROOK {
            self.theirs & board.straight_sliders()
        } else if self.need <= bounds::MOST_BY_QUEEN {
            self.theirs & board.straight_sliders() & board.diagonal_sliders()
        } else {
            0
        }
    }

    /// Whether a piece that attacks these squares has a move that gains enough.
    #[inline(always)]
    fn hits(&self, code: Code, from: u32, attacked: u64, level: usize, victims: u64) -> bool {
        let quiet = attacked & !self.occupied & bounds::at_least(code, from, level);
        if quiet != 0 && Squares(quiet).any(|to| self.is_good_quiet(from, to)) {
            return true;
        }
        let captures = attacked & victims;
        captures != 0 && Squares(captures).any(|to| self.is_good_capture(code, from, to))
    }

    /// Whether a quiet move that gains enough is legal and leaves a reply.
    #[inline(always)]
    fn is_good_quiet(&self, from: u32, to: u32) -> bool {
        self.is_unpinned(from, to) && self.leaves_a_reply(from, to)
    }

    /// Whether a capture gains enough, is legal and leaves a reply. Not for the king.
    #[inline(always)]
    fn is_good_capture(&self, code: Code, from: u32, to: u32) -> bool {
        self.gain_of_capture(code, from, to) >= self.need
            && self.is_unpinned(from, to)
            && self.leaves_a_reply(from, to)
    }

    /// What a capture changes the score by.
    #[inline(always)]
    fn gain_of_capture(&self, code: Code, from: u32, to: u32) -> Score {
        let board = self.board;
        let captured = board.code(to);
        let mut gain = piece_value(code, to) - piece_value(code, from) + piece_value(captured, turned(to));
        if code == KING || (self.may_start_endgame && captured != PAWN) {
            let endgame = board.endgame || (self.may_start_endgame && board.is_thin(self.theirs & !bit(to)));
            let king = if code == KING { to } else { self.king };
            let kings = king_value(endgame, king) - king_value(endgame, turned(self.their_king));
            gain += kings - board.kings_score(board.endgame);
        }
        gain
    }

    /// Whether a piece may move to `to` without leaving its king in check.
    #[inline(always)]
    fn is_unpinned(&self, from: u32, to: u32) -> bool {
        let lines = rook_lines(self.king) | bishop_lines(self.king);
        lines & bit(from) == 0
            || self.board.pinned() & bit(from) == 0
            || line(self.king, from) & bit(to) != 0
    }

    /// Whether a move does not stalemate, where that matters.
    #[inline(always)]
    fn leaves_a_reply(&self, from: u32, to: u32) -> bool {
        // Where 0 is enough, a stalemate is.
        self.t <= 0 || bounds::a_pawn_can_step(self.board, to) || self.leaves_a_reply_on_the_board(from, to)
    }

    #[cold]
    #[inline(never)]
    fn leaves_a_reply_on_the_board(&self, from: u32, to: u32) -> bool {
        let child = self.board.make(Move::new(from, to, EMPTY));
        let checkers = child.checkers();
        checkers != 0 || child.has_legal_move(checkers)
    }

    /// Whether castling reaches `t`; a rook that arrives may give check, along its file or the first rank.
    #[inline(never)]
    fn castling_reaches(&self, straight_checks: u64) -> bool {
        let board = self.board;
        let may_check = |rook: u32| (straight_checks & bit(rook)) | (bit(self.their_king) & FIRST_RANK) != 0;
        [(0x60, self.king + 2, 7, 5), (0x0e, self.king.wrapping_sub(2), 0, 3)].into_iter().any(
            |(path, to, rook_from, rook_to)| {
                let gain = king_value(board.endgame, to) - king_value(board.endgame, self.king)
                    + piece_value(ROOK, rook_to)
                    - piece_value(ROOK, rook_from);
                path & self.occupied == 0
                    && (gain >= self.need || may_check(rook_to))
                    && board.castling_moves().into_iter().flatten().any(|m| m.to() == to && self.made_reaches(m))
            },
        )
    }

    /// Whether a legal move reaches `t`, by making it.
    #[inline(never)]
    fn made_reaches(&self, m: Move) -> bool {
        -leaf(&self.board.make(m)) >= self.t
    }

    /// Whether one of the moves that give check mates.
    #[inline(never)]
    fn mates(&self, checking: u64, uncovering: u64, pawn_checks: u64) -> bool {
        let &Node { board, occupied, king, their_king, .. } = self;
        let ours = board.ours;
        let pawns = ours & board.pawns();
        let mut pinned = None;
        for from in Squares(checking | uncovering | pawns) {
            let code = board.code(from);
            let mut targets = match code {
                PAWN => board.pawn_targets(from, occupied),
                _ => board.piece_attacks(from, occupied) & !ours,
            };
            if uncovering & bit(from) == 0 {
                targets &= match code {
                    PAWN => pawn_checks,
                    KNIGHT => knight_attacks(their_king),
                    BISHOP => bishop_attacks(their_king, occupied),
                    ROOK => rook_attacks(their_king, occupied),
                    _ => bishop_attacks(their_king, occupied) | rook_attacks(their_king, occupied),
                };
            }
            for to in Squares(targets) {
                let legal = if code == KING {
                    board.their_attackers(to, occupied ^ bit(king)) == 0
                } else {
                    *pinned.get_or_insert_with(|| board.pinned()) & bit(from) == 0
                        || line(king, from) & bit(to) != 0
                };
                if legal && !self.king_can_flee(from, to) {
                    let child = board.make(Move::new(from, to, EMPTY));
                    let checkers = child.checkers();
                    if checkers != 0 && !child.has_legal_move(checkers) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether their king has a square to go to after a move of ours; pieces they could take with it are left out.
    #[inline(always)]
    fn king_can_flee(&self, from: u32, to: u32) -> bool {
        let board = self.board;
        let after = self.occupied & !bit(from) & !bit(self.their_king) | bit(to);
        // The moved piece guards some squares around; it is asked first.
        let guarded = match board.code(from) {
            BISHOP => bishop_attacks(to, after),
            ROOK => rook_attacks(to, after),
            QUEEN => bishop_attacks(to, after) | rook_attacks(to, after),
            KNIGHT => knight_attacks(to),
            PAWN => pawns_attack_up(bit(to)),
            _ => king_attacks(to),
        };
        let flights = king_attacks(self.their_king) & !self.occupied & !guarded & !bit(to);
        Squares(flights).any(|at| board.our_attackers(at, after) & !bit(from) == 0)
    }

    /// Whether a stalemate makes the node worth `t <= 0`, every other move having failed.
    #[inline(always)]
    fn stalemate_reaches(&self) -> bool {
        // A stalemate of ours is worth -1, one of theirs 0.
        (self.t < 0 && !self.board.has_legal_move(0))
            || match bounds::their_movers(self.board) {
                Movers::Enough => false,
                Movers::Few => self.some_move_stalemates(),
            }
    }

    #[cold]
    #[inline(never)]
    fn some_move_stalemates(&self) -> bool {
        self.board.any_legal_move(0, |m| {
            let child = self.board.make(m);
            let checkers = child.checkers();
            checkers == 0 && !child.has_legal_move(checkers)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn sets_answer_as_the_list_does() {
        let _ = (between(0, 1), LAST_RANK);
        let position = Position::from_fen("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1").unwrap();
        let board = Board::new(&position);
        let (exact, _) = value(&board, MATE * 2);
        assert!(reaches(&board, exact, false) && !reaches(&board, exact + 1, false));
    }
}
