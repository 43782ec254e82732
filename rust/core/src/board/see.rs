//! Static exchange evaluation, asked for one bit: does a move win at least so much if both sides go on capturing on its
//! target square? That can be said before the exchange is over: a side that cannot reach its own threshold even if nothing
//! takes back has lost.
//!
//! **What it leaves out.** Pieces that are pinned to their king take no part while the piece that pins them stands; a
//! piece that promotes by taking back stays a pawn. Castling wins nothing.
//!
//! Source: chessprogramming.org "SEE - The Swap Algorithm", "Static Exchange Evaluation".

use super::geometry::{bishop_attacks, bit, rook_attacks};
use super::pieces::{BISHOP, Code, EMPTY, KING, KNIGHT, Move, PAWN, QUEEN, ROOK};
use super::{Carried, FlippedBoard};
use crate::score::Score;

/// What pieces are worth in an exchange, by code; centipawns.
pub const EXCHANGE_VALUES: [Score; 8] = [0, 325, 500, 950, 100, 325, 0, 0];

impl<C: Carried> FlippedBoard<C> {
    /// Whether a legal or pseudo-legal move wins at least `threshold` centipawns in the exchange on its target.
    pub fn wins_exchange(&self, m: Move, threshold: Score) -> bool {
        let (from, to) = (m.from(), m.to());
        let code = self.code(from);
        if self.castling_squares(code, m).is_some() {
            return threshold <= 0;
        }
        let en_passant = code == PAWN && to == self.en_passant as u32;
        let (captured, placed) = (
            if en_passant { PAWN } else { self.code(to) },
            if m.promotion() == EMPTY { code } else { m.promotion() },
        );
        // 1. What the move wins if nothing takes back.
        let mut balance =
            EXCHANGE_VALUES[captured] + EXCHANGE_VALUES[placed] - EXCHANGE_VALUES[code] - threshold;
        if balance < 0 {
            return false;
        }
        // 2. What it wins if the piece is lost for nothing.
        balance -= EXCHANGE_VALUES[placed];
        if balance >= 0 {
            return true;
        }
        let mut occupied = self.occupied() & !bit(from) | bit(to);
        if en_passant {
            occupied &= !bit(to - 8);
        }
        self.goes_on(to, occupied, balance)
    }

    /// Whether we come out ahead once they may take on `to`, where a piece of ours stands whose loss leaves us `balance`.
    fn goes_on(&self, to: u32, mut occupied: u64, mut balance: Score) -> bool {
        let (diagonal, straight) = (self.diagonal_sliders(), self.straight_sliders());
        let mut attackers = self.attackers(to, occupied);
        let (pinned_ours, pinned_theirs) = (
            self.blockers(self.our_king(), !self.ours) & self.ours,
            self.blockers(self.their_king(), self.ours) & !self.ours,
        );
        let mut ours = false;
        loop {
            attackers &= occupied;
            let side = if ours { self.ours } else { self.theirs() };
            let mut takers = attackers & side;
            // 1. Pinned pieces stay while a piece that may pin them stands.
            let pinned = if ours { pinned_ours } else { pinned_theirs };
            if takers & pinned != 0 && self.pinners(ours) & occupied != 0 {
                takers &= !pinned;
            }
            // 2. Nothing takes: the side that took last is ahead.
            let Some((code, from)) = self.cheapest(takers) else {
                break;
            };
            // 3. A king takes last, or not at all.
            if code == KING {
                let defended = attackers & !side != 0;
                return ours != defended;
            }
            occupied &= !bit(from);
            // 4. Ahead even if this piece is lost: the other side has no reason to go on.
            ours = !ours;
            balance = -balance - 1 - EXCHANGE_VALUES[code];
            if balance >= 0 {
                break;
            }
            // 5. What stood behind the taker joins in.
            if code & BISHOP != 0 && code != KNIGHT || code == PAWN {
                attackers |= bishop_attacks(to, occupied) & diagonal;
            }
            if code == ROOK || code == QUEEN {
                attackers |= rook_attacks(to, occupied) & straight;
            }
        }
        // The side to capture has lost.
        !ours
    }

    /// Pieces that can pin: sliders of the side that does not own the pinned ones.
    #[inline(always)]
    fn pinners(&self, ours: bool) -> u64 {
        let sliders = self.diagonal_sliders() | self.straight_sliders();
        if ours { sliders & !self.ours } else { sliders & self.ours }
    }

    /// The piece that takes first: the cheapest.
    #[inline(always)]
    fn cheapest(&self, takers: u64) -> Option<(Code, u32)> {
        if takers == 0 {
            return None;
        }
        let of = |code: Code| takers & self.pieces(code);
        [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING]
            .into_iter()
            .find(|&code| of(code) != 0)
            .map(|code| (code, of(code).trailing_zeros()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{board::Board, position::Position};

    /// What the side to capture on `to` wins there, by the definition: it takes with its cheapest piece or leaves it.
    fn wins(board: &Board, to: u32, occupied: u64, ours: bool, standing: Score) -> Score {
        let side = if ours { board.ours } else { board.theirs() };
        let attackers = board.attackers(to, occupied) & occupied;
        let pinned = if ours {
            board.blockers(board.our_king(), !board.ours) & board.ours
        } else {
            board.blockers(board.their_king(), board.ours) & !board.ours
        };
        let mut takers = attackers & side;
        if board.pinners(ours) & occupied != 0 {
            takers &= !pinned;
        }
        match board.cheapest(takers) {
            None => 0,
            Some((KING, _)) if attackers & !side != 0 => 0,
            Some((code, from)) => {
                let rest = occupied & !bit(from);
                (standing - wins(board, to, rest, !ours, EXCHANGE_VALUES[code])).max(0)
            }
        }
    }

    #[test]
    fn the_threshold_is_that_of_the_definition() {
        let mut compared = 0;
        for fen in betacut_support::fens() {
            let board = Board::new(&Position::from_fen(fen).unwrap());
            for m in board.legal_moves() {
                if board.castling_squares(board.code(m.from()), m).is_some() {
                    assert!(board.wins_exchange(m, 0) && !board.wins_exchange(m, 1));
                    continue;
                }
                let (from, to, code) = (m.from(), m.to(), board.code(m.from()));
                let passing = code == PAWN && to == board.en_passant as u32;
                let captured = if passing { PAWN } else { board.code(to) };
                let placed = if m.promotion() == EMPTY { code } else { m.promotion() };
                let mut occupied = board.occupied() & !bit(from) | bit(to);
                if passing {
                    occupied &= !bit(to - 8);
                }
                let won = EXCHANGE_VALUES[captured] + EXCHANGE_VALUES[placed]
                    - EXCHANGE_VALUES[code]
                    - wins(&board, to, occupied, false, EXCHANGE_VALUES[placed]);
                assert!(board.wins_exchange(m, won), "{fen} {m:?} wins {won}");
                assert!(!board.wins_exchange(m, won + 1), "{fen} {m:?} wins no more than {won}");
                compared += 1;
            }
        }
        assert!(compared > 400, "only {compared}");
    }

    #[test]
    fn exchanges_with_batteries_pins_and_kings() {
        for (fen, from, to, wins) in [
            // A rook takes a pawn that a pawn defends.
            ("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1", "d5", -400),
            // Behind it stands another rook, behind theirs a queen.
            ("3qk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2", "d5", -400),
            ("4k3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2", "d5", 100),
            // The defender is pinned to its king.
            ("3rk3/4n3/8/3p4/8/4R3/8/3RK3 w - - 0 1", "d1", "d5", -400),
            ("4k3/4n3/8/3p4/8/4R3/8/3RK3 w - - 0 1", "d1", "d5", 100),
            // A king takes what is not defended.
            ("8/8/8/3pk3/8/8/8/3RK3 w - - 0 1", "d1", "d5", -400),
            ("8/8/8/3pk3/8/8/3R4/3RK3 w - - 0 1", "d2", "d5", 100),
        ] {
            let board = Board::new(&Position::from_fen(fen).unwrap());
            let square = |name: &str| u32::from(name.parse::<shakmaty::Square>().unwrap());
            let m = Move::new(square(from), square(to), EMPTY);
            assert!(board.wins_exchange(m, wins), "{fen}");
            assert!(!board.wins_exchange(m, wins + 1), "{fen}");
        }
    }

    #[test]
    fn every_move_that_is_legal_is_known_to_be() {
        for fen in betacut_support::fens().chain(betacut_support::chess960_fens()) {
            let board = Board::new(&Position::from_fen(fen).unwrap());
            let checkers = board.checkers();
            let legal = board.legal_moves();
            for from in 0..64 {
                for to in 0..64 {
                    for promotion in [EMPTY, QUEEN, ROOK, BISHOP, KNIGHT] {
                        let m = Move::new(from, to, promotion);
                        assert_eq!(board.is_legal(m, checkers), legal.contains(&m), "{fen} {m:?}");
                    }
                }
            }
        }
    }
}
