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

use crate::bounds::{self, Capture, Captures};
use crate::leaves::one_ply_before::finished;
use crate::leaves::quiescence::table::Question;
use crate::ordering::{greatest_first, is_ordinary, with_score};
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
        let standing = board.score();
        if beta - alpha == 1 && standing < beta {
            return Ok(alpha + Score::from(self.captures_reach(board, beta, board.need(beta))?));
        }
        self.counts.nodes += 1;
        self.counts.quiescence_nodes += 1;
        self.pause()?;
        // 1. Stand pat.
        if standing >= beta {
            return Ok(standing);
        }
        alpha = alpha.max(standing);
        // 2. Captures and promotions, if they bring anything.
        if self.has_quiet_bounds(board) && !self.captures_reach(board, alpha + 1, board.need(alpha + 1))? {
            return Ok(alpha);
        }
        self.take_all(board, alpha, beta)
    }

    /// Whether `Q` is at least `beta`, for a side to move that must gain `need` for it: more than nothing, in the units of the
    /// values.
    fn captures_reach(&mut self, board: &Board, beta: Score, need: Score) -> Result<bool, Stopped> {
        self.counts.nodes += 1;
        self.counts.quiescence_nodes += 1;
        self.pause()?;
        // 1. Promotions gain more than one can say in advance.
        if !self.has_quiet_bounds(board) || board.en_passant != NO_SQUARE || bounds::any_promotion(board) {
            return Ok(self.take_all(board, beta - 1, beta)? >= beta);
        }
        // 2. Captures that gain enough, for the other side may stand pat after them.
        let victims = bounds::victims(board, need);
        if victims == 0 {
            return Ok(false);
        }
        let mut targets = None;
        let mut reached = false;
        for capture in Captures::new(board, victims) {
            let Capture { code, from, to, gain } = capture;
            if gain < need || bounds::is_taken_back(board, capture, need) {
                continue;
            }
            if targets.is_none()
                && let Some((known, _)) = self.quiet.look_up(board, Question::CAPTURES, need)
            {
                return Ok(known);
            }
            let targets = *targets.get_or_insert_with(|| board.targets(board.checkers()));
            if !may_take(board, code, from, to, targets) {
                continue;
            }
            // 3. What the other side must gain then.
            let (child, theirs) = (board.take(code, from, to), gain - need + 1);
            debug_assert_eq!(
                child.need(1 - beta),
                theirs,
                "what {code} from {from} to {to} gains in {board:?}"
            );
            if !self.captures_reach(&child, 1 - beta, theirs)? {
                reached = true;
                break;
            }
        }
        if targets.is_some() {
            self.quiet.store(board, Question::CAPTURES, need, reached, Move::NONE);
        }
        Ok(reached)
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
            let m = greatest_first(&mut self.scored[index..]);
            let code = board.code(m.from());
            let gains = !bounded
                || !is_ordinary(board, code, m)
                || bounds::gain_of_capture(board, code, m.from(), m.to()) >= board.need(alpha + 1);
            if !gains {
                continue;
            }
            let child = board.make_keyless(m);
            if beta - alpha > 1 && -self.quiesce(&child, -alpha - 1, -alpha)? <= alpha {
                continue;
            }
            alpha = alpha.max(-self.quiesce(&child, -beta, -alpha)?);
            if alpha >= beta {
                break;
            }
        }
        self.scored.truncate(first);
        Ok(alpha)
    }

    /// Whether the proofs hold that need bounds of what captures gain.
    #[inline(always)]
    pub fn has_quiet_bounds(&self, board: &Board) -> bool {
        self.techniques.quiet_bounds && board.values.has_bounds
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
