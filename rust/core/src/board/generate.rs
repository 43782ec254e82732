//! Legal moves, by sets of squares.

use super::geometry::{
    LAST_RANK, Squares, THIRD_RANK, between, bishop_attacks, bishop_lines, bit, king_attacks, knight_attacks,
    line, pawns_attack_down, pawns_attack_up, rook_attacks, rook_lines,
};
use super::pieces::{EMPTY, KING, Move, PAWN, PROMOTIONS, attacks};
use super::{Carried, FlippedBoard, NO_SQUARE, OUR_KING_SIDE, OUR_QUEEN_SIDE};

impl<C: Carried> FlippedBoard<C> {
    /// Where a piece other than the king must go: anywhere, or to the piece that checks or between, or, twice, nowhere.
    #[inline(always)]
    pub fn targets(&self, checkers: u64) -> u64 {
        if checkers == 0 {
            !0
        } else if checkers.is_power_of_two() {
            between(self.our_king(), checkers.trailing_zeros()) | checkers
        } else {
            0
        }
    }

    /// Visits legal moves until `visit` says stop: pieces by square, pawns, the king, castling; `checkers` give check.
    #[inline(always)]
    pub fn any_legal_move(&self, checkers: u64, mut visit: impl FnMut(Move) -> bool) -> bool {
        self.any_legal_move_to(checkers, !self.ours, true, &mut visit)
            || (checkers == 0
                && self.castling & 3 != 0
                && self.castling_moves().into_iter().flatten().any(visit))
    }

    /// All legal moves, in the order of [`FlippedBoard::any_legal_move`].
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.any_legal_move(self.checkers(), |m| {
            moves.push(m);
            false
        });
        moves
    }

    /// The moves of [`FlippedBoard::any_legal_move`] that end on one of `squares`, without castling; pawn moves to the last
    /// rank and en passant captures count as captures: they are visited if `captures` is set, wherever they end.
    #[inline(always)]
    pub fn any_legal_move_to(
        &self,
        checkers: u64,
        squares: u64,
        captures: bool,
        mut visit: impl FnMut(Move) -> bool,
    ) -> bool {
        let occupied = self.occupied();
        let king = self.our_king();
        // 1. Out of a double check only the king moves; out of a check also what takes or stands between.
        let targets = self.targets(checkers) & !self.ours;
        if targets != 0 {
            let pinned = self.pinned();
            // 2. Pieces.
            for from in Squares(self.ours & !self.pawns() & !bit(king)) {
                let mut to = self.piece_attacks(from, occupied) & targets & squares;
                if pinned & bit(from) != 0 {
                    to &= line(king, from);
                }
                for to in Squares(to) {
                    if visit(Move::new(from, to, EMPTY)) {
                        return true;
                    }
                }
            }
            // 3. Pawns.
            let squares = if captures { squares | LAST_RANK } else { squares & !LAST_RANK };
            for from in Squares(self.ours & self.pawns()) {
                let mut to = self.pawn_targets(from, occupied) & targets & squares;
                if pinned & bit(from) != 0 {
                    to &= line(king, from);
                }
                for to in Squares(to) {
                    if bit(to) & LAST_RANK == 0 {
                        if visit(Move::new(from, to, EMPTY)) {
                            return true;
                        }
                    } else if PROMOTIONS.into_iter().any(|code| visit(Move::new(from, to, code))) {
                        return true;
                    }
                }
            }
            if captures && self.en_passant != NO_SQUARE && self.any_en_passant(&mut visit) {
                return true;
            }
        }
        // 4. The king.
        for to in Squares(king_attacks(king) & !self.ours & squares) {
            if self.their_attackers(to, occupied ^ bit(king)) == 0 && visit(Move::new(king, to, EMPTY)) {
                return true;
            }
        }
        false
    }

    /// Calls `visit` with every legal capture of one of `victims` until it says stop, where we are not in check and no pawn
    /// can promote or take en passant. Needs less than [`FlippedBoard::any_legal_move_to`].
    #[inline(always)]
    pub fn any_plain_capture(&self, victims: u64, mut visit: impl FnMut(Move) -> bool) -> bool {
        let (ours, occupied, king) = (self.ours, self.occupied(), self.our_king());
        let lines = rook_lines(king) | bishop_lines(king);
        let mut visit_all = |from: u32, mut to: u64| {
            // Few captures start on a line of the king: only then it is looked whether the piece is pinned.
            if to != 0 && lines & bit(from) != 0 && self.pinned() & bit(from) != 0 {
                to &= line(king, from);
            }
            Squares(to).any(|to| visit(Move::new(from, to, EMPTY)))
        };
        let pawns = ours & self.pawns();
        Squares(ours & self.knights()).any(|from| visit_all(from, knight_attacks(from) & victims))
            || Squares(ours & self.diagonal_sliders())
                .any(|from| visit_all(from, bishop_attacks(from, occupied) & victims))
            || Squares(ours & self.straight_sliders())
                .any(|from| visit_all(from, rook_attacks(from, occupied) & victims))
            || Squares(pawns & pawns_attack_down(victims))
                .any(|from| visit_all(from, pawns_attack_up(bit(from)) & victims))
            || Squares(king_attacks(king) & victims).any(|to| {
                self.their_attackers(to, occupied ^ bit(king)) == 0 && visit(Move::new(king, to, EMPTY))
            })
    }

    /// The castling moves that are legal when not in check.
    #[inline]
    pub fn castling_moves(&self) -> [Option<Move>; 2] {
        if C::KING_TAKES_ROOK || self.is_chess960() {
            return self.castling_anywhere();
        }
        let occupied = self.occupied();
        let king = self.our_king();
        let safe = |at: u32| self.their_attackers(at, occupied) == 0;
        let path = |squares: u64| squares & occupied == 0;
        let king_side = self.castling & OUR_KING_SIDE != 0 && path(0x60) && safe(5) && safe(6);
        let queen_side = self.castling & OUR_QUEEN_SIDE != 0 && path(0x0e) && safe(3) && safe(2);
        [
            king_side.then(|| Move::new(king, king + 2, EMPTY)),
            queen_side.then(|| Move::new(king, king.wrapping_sub(2), EMPTY)),
        ]
    }

    /// [`FlippedBoard::castling_moves`] wherever king and rooks stand.
    #[inline(never)]
    fn castling_anywhere(&self) -> [Option<Move>; 2] {
        let king = self.our_king();
        let rooks = self.castling_rooks();
        let castling = |right: u8, rook: u32, king_to: u32, rook_to: u32| {
            if self.castling & right == 0 {
                return None;
            }
            // 1. Nothing but the two stands where they go through.
            let others = self.occupied() & !bit(king) & !bit(rook);
            let way = between(king, king_to) | bit(king_to);
            if (way | between(rook, rook_to) | bit(rook_to)) & others != 0 {
                return None;
            }
            // 2. The king is attacked nowhere on its way; the rook shields it where it ends.
            let safe = Squares(way & !bit(king_to)).all(|at| self.their_attackers(at, others) == 0)
                && self.their_attackers(king_to, others | bit(rook_to)) == 0;
            safe.then(|| self.castling_move(king, rook))
        };
        [castling(OUR_KING_SIDE, rooks[0], 6, 5), castling(OUR_QUEEN_SIDE, rooks[1], 2, 3)]
    }

    /// Calls `visit` with the legal en passant captures until it says stop.
    #[inline]
    pub fn any_en_passant(&self, mut visit: impl FnMut(Move) -> bool) -> bool {
        let (king, target) = (self.our_king(), self.en_passant as u32);
        let takers = pawns_attack_down(bit(target)) & self.pawns() & self.ours;
        Squares(takers).any(|from| {
            // Two pawns leave their lines at once: look at the board that results.
            let victim = bit(target - 8);
            let occupied = self.occupied() & !victim & !bit(from) | bit(target);
            self.their_attackers(king, occupied) & !victim == 0 && visit(Move::new(from, target, EMPTY))
        })
    }

    /// Squares a pawn may step or take to, but for en passant, pins aside.
    #[inline(always)]
    pub fn pawn_targets(&self, from: u32, occupied: u64) -> u64 {
        let step = bit(from) << 8 & !occupied;
        let double = (step & THIRD_RANK) << 8 & !occupied;
        step | double | pawns_attack_up(bit(from)) & occupied & !self.ours
    }

    /// Squares a piece attacks that is no pawn.
    #[inline(always)]
    pub fn piece_attacks(&self, from: u32, occupied: u64) -> u64 {
        attacks(self.code(from), from, occupied)
    }

    /// Whether a move is legal, not in check; castling and en passant count as not legal.
    #[inline]
    pub fn is_legal_ordinary(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        if self.ours & bit(from) == 0 || self.ours & bit(to) != 0 {
            return false;
        }
        let occupied = self.occupied();
        let king = self.our_king();
        let code = self.code(from);
        if (m.promotion() != EMPTY) != (code == PAWN && bit(to) & LAST_RANK != 0) {
            return false;
        }
        let targets = match code {
            PAWN => self.pawn_targets(from, occupied),
            KING => {
                return king_attacks(from) & bit(to) != 0
                    && self.their_attackers(to, occupied ^ bit(king)) == 0;
            }
            _ => self.piece_attacks(from, occupied),
        };
        targets & bit(to) != 0
            && ((rook_lines(king) | bishop_lines(king)) & bit(from) == 0
                || self.pinned() & bit(from) == 0
                || line(king, from) & bit(to) != 0)
    }

    /// Whether any move whatever is legal here, such as another position's; `checkers` are the pieces that give check.
    pub fn is_legal(&self, m: Move, checkers: u64) -> bool {
        let (from, to) = (m.from(), m.to());
        let code = self.code(from);
        if m == Move::NONE || self.ours & bit(from) == 0 {
            return false;
        }
        // 1. Castling and en passant: as they are listed.
        if self.castling_squares(code, m).is_some() {
            return checkers == 0 && self.castling_moves().contains(&Some(m));
        }
        if code == PAWN && to == self.en_passant as u32 {
            return m.promotion() == EMPTY
                && pawns_attack_up(bit(from)) & bit(to) != 0
                && self.any_en_passant(|other| other == m);
        }
        // 2. Out of check: onto the line, and not for what is pinned.
        self.is_legal_ordinary(m) && (code == KING || self.targets(checkers) & bit(to) != 0)
    }

    /// Whether the side to move has a legal move.
    #[inline]
    pub fn has_legal_move(&self, checkers: u64) -> bool {
        // Most positions: a pawn off the king's lines can step.
        if checkers == 0 {
            let king = self.our_king();
            let free = self.ours & self.pawns() & !rook_lines(king) & !bishop_lines(king);
            if free << 8 & !self.occupied() != 0 {
                return true;
            }
        }
        self.any_legal_move(checkers, |_| true)
    }
}
