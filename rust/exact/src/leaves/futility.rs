//! Two and four plies before the leaves: positions so poor that any reply will do.
//!
//! # The idea
//!
//! Far behind the value that is asked for, no reply need be looked for: whatever the other side moves, it loses no more
//! than one move can lose by the tables. So the question is asked one ply earlier. If no move of ours comes so near to
//! `beta`, which [`crate::leaves::one_ply_before`] answers by sets of squares, then none reaches it, and the node costs as much as one of
//! depth 1.
//!
//! # Contract
//!
//! [`is_futile`] is true only if the value at depth 2 is below `beta`. False says nothing.
//!
//! # The proof
//!
//! Let `w` be [`Values::most_lost`](betacut_core::evaluation::Values::most_lost), and let the value at depth 1 be below
//! `beta - w`. Then each legal move of ours leads to a leaf worth less than `beta - w`; one ply later:
//!
//! - *The leaf is a finished game.* No move mates, for that is worth enough. If we stalemate, the value changes by the ply
//!   that is left, and that is less than `w`.
//! - *The leaf is worth its score.* There is a reply that changes the score by `w` at most to our advantage: any but the
//!   promotion to less than a queen. The score is what the position after the reply is worth, unless that is finished
//!   too: being mated only helps them; the clock is below 100 after both moves, and at least four men are left, so there
//!   is no draw; and we are not stalemated, or it does no harm because `beta >= 1` ([`StalemateGuard`]).
//!
//! # Four plies before the leaves
//!
//! Let the value at depth 3 be below `beta - w`. Then each move of ours stalemates, and a ply more changes that value
//! by less than `w`, or there is a reply after which the value at depth 1 is below `beta - w`, or we are mated. That
//! is what the proof above begins with, so the value at depth 2 is below `beta`, provided that we keep a move there
//! after any move and any reply. Where `beta < 1` the search of depth 3 takes only such replies, and refutes moves
//! unmade only by replies that leave us one ([`crate::bounds::LastingGuard`]); it is
//! [`crate::search::Searcher::is_futile`].
//!
//! Source: "Extended Futility Pruning" (E. A. Heinz, ICCA Journal 21, 1998), whose margins are estimates, made a proof.

use crate::bounds::StalemateGuard;
use crate::leaves::one_ply_before;
use betacut_core::board::{Board, CLOCK_LIMIT};
use betacut_core::score::{Depth, Score};

/// How far behind, beyond what a reply may lose, it pays to ask.
const WORTH_ASKING: Score = 60;

/// Whether we are so far behind that it pays to ask whether a position is futile.
#[inline(always)]
pub fn is_worth_asking(board: &Board, beta: Score) -> bool {
    beta - board.score() >= board.values.most_lost + WORTH_ASKING
}

/// Whether no draw by the clock or by dead material is near `depth` plies before the leaves. In Chess960 castling may be the
/// only reply, and lose more than a move of standard chess.
#[inline(always)]
pub fn applies(board: &Board, depth: Depth) -> bool {
    Depth::from(board.clock) + depth < Depth::from(CLOCK_LIMIT)
        && Depth::from(board.men) > depth + 3
        && !board.is_chess960()
}

/// Whether a position where the proof [`applies`] is surely worth less than `beta` at depth 2, whatever the replies; `checkers`
/// are the pieces that give check.
#[inline(always)]
pub fn is_futile(board: &Board, beta: Score, checkers: u64) -> bool {
    !one_ply_before::reaches(board, beta - board.values.most_lost, checkers)
        && (beta > 0 || keeps_a_move(board))
}

/// Whether we surely keep a move after any move and any reply.
#[inline(always)]
pub fn keeps_a_move(board: &Board) -> bool {
    StalemateGuard::new(board).holds_always(board)
}
