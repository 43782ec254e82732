//! Quiescence: what a leaf is worth once every capture has been answered.
//!
//! # The value
//!
//! A leaf is worth what a finished game is, if the plain search sees it as finished; else `Q`, for the side to move:
//!
//! ```text
//! Q(p) = max(score of p, -Q(child) over captures and promotions)
//! ```
//!
//! The side to move may always stand pat, in check too. En passant is a capture, and a pawn promotes to four pieces.
//! Inside, neither the clock nor the end of the game plays a part, so `Q` depends on the men, on castling rights that do
//! not matter, and on the en passant square alone.
//!
//! **Contract.** Fail-soft: [`Searcher::quiet_leaf`] and [`Searcher::quiesce`] return the exact value if it lies inside
//! `(alpha, beta)`; a result `<= alpha` is an upper bound and a result `>= beta` a lower bound.
//!
//! Sources: C. Shannon, "Programming a Computer for Playing Chess" (1950); chessprogramming.org "Quiescence Search".

mod one_ply_before;
pub mod table;
pub mod two_plies_before;

use crate::bounds::{self, Capture};
use crate::leaves::one_ply_before::finished;
use crate::ordering::{greatest_first, is_ordinary, move_of, with_score};
use crate::search::Searcher;
use betacut_core::board::{
    Board, CLOCK_LIMIT, Code, EMPTY, KING, Move, NO_SQUARE, bishop_lines, bit, flipped, line, rook_lines,
};
use betacut_core::limits::Stopped;
use betacut_core::score::{MATE, Score};

impl Searcher<'_> {
    /// The value of a leaf within the window, for the side to move.
    pub fn quiet_leaf(&mut self, board: &Board, alpha: Score, beta: Score) -> Result<Score, Stopped> {
        let checkers = board.checkers();
        if !board.has_legal_move(checkers) {
            Ok(finished(checkers != 0, 0))
        } else if board.clock >= CLOCK_LIMIT || board.is_dead() {
            Ok(0)
        } else {
            self.quiesce(board, alpha, beta)
        }
    }

    /// `Q` within the window, for the side to move.
    pub fn quiesce(&mut self, board: &Board, mut alpha: Score, beta: Score) -> Result<Score, Stopped> {
        self.counts.nodes += 1;
        self.counts.quiescence_nodes += 1;
        self.pause()?;
        // 1. Stand pat.
        let standing = board.score();
        if standing >= beta {
            return Ok(standing);
        }
        alpha = alpha.max(standing);
        if !self.has_quiet_bounds(board) || board.en_passant != NO_SQUARE || bounds::any_promotion(board) {
            return self.take_all(board, alpha, beta);
        }
        // 2. Captures, the most valuable victim and the least valuable taker first. After one the other side may stand pat,
        // so those that gain too little are worth alpha at most.
        let mut need = board.need(alpha + 1);
        let victims = bounds::victims(board, need);
        if victims == 0 {
            return Ok(alpha);
        }
        if let Some(known) = self.quiet.look_up(board, alpha, beta) {
            return Ok(known);
        }
        let window = (alpha, beta);
        let mut targets = None;
        let mut stopped = Ok(());
        bounds::any_capture(board, victims, |Capture { code, from, to, gain }| {
            if gain < need {
                return false;
            }
            let targets = *targets.get_or_insert_with(|| board.targets(board.checkers()));
            if !may_take(board, code, from, to, targets) {
                return false;
            }
            match self.quiesce(&board.make_keyless(Move::new(from, to, EMPTY)), -beta, -alpha) {
                Ok(value) if -value > alpha => (alpha, need) = (-value, board.need(1 - value)),
                Ok(_) => {}
                Err(error) => stopped = Err(error),
            }
            alpha >= beta || stopped.is_err()
        });
        stopped?;
        if targets.is_some() {
            self.quiet.store(board, alpha, window);
        }
        Ok(alpha)
    }

    /// The same after standing pat, with every capture and promotion.
    #[inline(never)]
    fn take_all(&mut self, board: &Board, mut alpha: Score, beta: Score) -> Result<Score, Stopped> {
        let bounded = self.has_quiet_bounds(board);
        let first = self.scored.len();
        board.any_legal_move_to(board.checkers(), board.theirs(), true, |m| {
            self.scored.push(with_score(rank(board, m), m));
            false
        });
        for index in first..self.scored.len() {
            greatest_first(&mut self.scored[index..]);
            let m = move_of(self.scored[index]);
            let code = board.code(m.from());
            let gains = !bounded
                || !is_ordinary(board, code, m)
                || bounds::gain_of_capture(board, code, m.from(), m.to()) >= board.need(alpha + 1);
            if gains {
                alpha = alpha.max(-self.quiesce(&board.make_keyless(m), -beta, -alpha)?);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.scored.truncate(first);
        Ok(alpha)
    }

    /// Whether the proofs hold that need bounds of what captures gain.
    #[inline(always)]
    pub fn has_quiet_bounds(&self, board: &Board) -> bool {
        self.techniques().quiet_bounds && board.values.has_bounds()
    }
}

/// Whether a capture is legal; out of check, only onto `targets`, but for the king.
#[inline(always)]
fn may_take(board: &Board, code: Code, from: u32, at: u32, targets: u64) -> bool {
    let king = board.our_king();
    if code == KING {
        return board.their_attackers(at, board.occupied() ^ bit(king)) == 0;
    }
    targets & bit(at) != 0
        && ((rook_lines(king) | bishop_lines(king)) & bit(from) == 0
            || board.pinned() & bit(from) == 0
            || line(king, from) & bit(at) != 0)
}

/// The most valuable victim first, the least valuable attacker first among those that take it.
fn rank(board: &Board, m: Move) -> u64 {
    let value =
        |code: Code, at: u32| if code == KING { MATE / 100 } else { board.values.piece(code, at).max(0) };
    let promoted = if m.promotion() == EMPTY { 0 } else { value(m.promotion(), m.to()) };
    let won = value(board.code(m.to()), flipped(m.to())) + promoted;
    (64 * won + MATE - value(board.code(m.from()), m.from())).max(0) as u64
}
