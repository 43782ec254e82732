//! Two plies before the leaves: which moves a simple reply does not refute.
//!
//! # The idea
//!
//! At most nodes of depth 2 every move fails: the other side is ahead and answers nearly all of them with the same few
//! replies. So the replies are looked for once, as if the other side were to move now. A reply `r` that gains `h`
//! refutes every move of ours that gains less than `h` by enough *and does not disturb it*: that leaves `r` legal and
//! its gain what it is. Moves that gain little enough and do not disturb are sets of squares again, so a whole node is
//! refuted with some operations a piece. The moves that are left are made and answered at [`super::frontier`].
//!
//! # The proof
//!
//! Let `s` be our score now, `m` a quiet move of ours that gains `g`, not castling, not promoting, giving no check; `r`
//! their move, of a piece that is not their king and not pinned now, gaining `h`. After `m` and `r` we have the score
//! `s + g - h`. The node stays below `t` on account of `m` if `s + g - h < t`, where
//!
//! - `r` is legal after `m`: `m` does not end on a square that `r` passes or, `r` being quiet, enters; if `r` captures,
//!   `m` does not move the victim away; their king is not in check after `m`; and the taker is not pinned by `m`, which
//!   it could be only if it stands on a line of its king and `m` starts or ends on that line;
//! - the leaf is worth its score: the kings' phase is the same after `r` (a capture that starts the endgame is no
//!   reply); the clock is below 100 after both; at least four men are left, so the position is not dead; and we are not
//!   stalemated, or it does no harm because `t >= 1` ([`Keepers`]). Being mated by `r` only helps them.
//!
//! A refuted move need not even be legal.
//!
//! Source: the idea of answering sibling moves by one reply is that of chessprogramming.org "Refutation Move", made a
//! proof; compare "Sibling Prediction Pruning" (J. Carolus 2006).

use super::bounds::{self, Keepers};
use super::ordering::{gain, ranked};
use crate::board::{
    BISHOP, Board, CLOCK_LIMIT, Code, EMPTY, KING, KNIGHT, Move, NO_SQUARE, PAWN, QUEEN, ROOK, SEVENTH_RANK,
    Squares, THIRD_RANK, between, bishop_attacks, bishop_lines, bit, king_attacks, knight_attacks, line,
    pawns_attack_down, pawns_attack_up, rook_attacks, rook_lines, turned,
};
use crate::score::Score;

/// How many replies are kept.
const REPLIES: usize = 4;
/// Enough replies not to look for poorer ones.
const ENOUGH: usize = 2;

/// A move of the other side.
#[derive(Clone, Copy, Default)]
struct Reply {
    gain: Score,
    /// A move of ours that gains this level is not refuted.
    level: usize,
    /// A move of ours from or to these squares may disturb.
    from: u64,
    to: u64,
    /// What it captures.
    victim: u64,
}

/// The best replies found so far, greatest gain first.
#[derive(Default)]
struct Replies {
    list: [Reply; REPLIES],
    count: usize,
}

impl Replies {
    #[inline(always)]
    fn add(&mut self, reply: Reply) {
        let mut place = self.count.min(REPLIES - 1);
        if self.count == REPLIES && self.list[place].gain >= reply.gain {
            return;
        }
        while place > 0 && self.list[place - 1].gain < reply.gain {
            self.list[place] = self.list[place - 1];
            place -= 1;
        }
        self.list[place] = reply;
        self.count = (self.count + 1).min(REPLIES);
    }
}

/// Whether the proof applies to a position: no check, no promotion or en passant capture of ours, clock and men far
/// from a draw.
#[inline(always)]
pub fn is_plain(board: &Board, checkers: u64) -> bool {
    checkers == 0
        && board.clock < CLOCK_LIMIT - 2
        && board.men > 5
        && board.en_passant == NO_SQUARE
        && board.ours & board.pawns() & SEVENTH_RANK == 0
}

/// Lists all legal moves, ranked by their gain; whether there is one.
#[inline(never)]
pub fn list_all(board: &Board, checkers: u64, pairs: &mut Vec<u64>) -> bool {
    let before = pairs.len();
    board.any_legal_move(checkers, |m| {
        push(board, board.code(m.from()), m, pairs);
        false
    });
    pairs.len() > before
}

#[inline(always)]
fn push(board: &Board, code: Code, m: Move, pairs: &mut Vec<u64>) {
    pairs.push(ranked((gain(board, code, m) + 4096) as u64, m));
}

/// Lists the legal moves that no reply refutes, ranked by their gain, at a position that [`is_plain`]; whether
/// there is a legal move at all (or it does not matter, a stalemate being worth less than `t`).
#[inline(never)]
pub fn list_unrefuted(board: &Board, t: Score, pairs: &mut Vec<u64>) -> bool {
    let before = pairs.len();
    let ours = board.ours;
    let occupied = board.occupied();
    let empty = !occupied;
    let theirs = board.theirs();
    let (king, their_king) = (board.our_king(), board.their_king());
    let (diagonal, straight) = (board.diagonal_sliders(), board.straight_sliders());
    // A stalemate does harm where 0 reaches t.
    let keepers = (t <= 0).then(|| Keepers::new(board));
    let keeps = |gone: u64| keepers.is_none_or(|keepers| keepers.without(gone));

    // 1. Replies: those that answer any move but captures, else those that answer at least the poor ones.
    let excess = board.score() - t + 1;
    let mut replies = Replies::default();
    gather(board, excess, (excess + 40).max(10), &mut replies);
    if replies.count < ENOUGH {
        replies.count = 0;
        gather(board, excess, (excess - 10).max(-30), &mut replies);
    }
    let replies = &replies.list[..replies.count];

    // 2. Pieces: what is left of their moves.
    let pinned = board.pinned();
    let uncovering = board.uncovering();
    let diagonal_checks = bishop_attacks(their_king, occupied);
    let straight_checks = rook_attacks(their_king, occupied);
    let mut list = |code: Code, from: u32, attacked: u64, checks: u64| {
        let quiet = attacked & empty;
        let mut open = quiet;
        if uncovering & bit(from) == 0 {
            for reply in replies {
                if reply.from & bit(from) == 0 && keeps(bit(from) | reply.victim) {
                    open &= reply.to | checks | bounds::at_least(code, from, reply.level);
                }
            }
        }
        let mut to = open | attacked & theirs;
        if pinned & bit(from) != 0 {
            to &= line(king, from);
        }
        for to in Squares(to) {
            push(board, code, Move::new(from, to, EMPTY), pairs);
        }
    };
    for from in Squares(ours & board.knights()) {
        list(KNIGHT, from, knight_attacks(from), knight_attacks(their_king));
    }
    for from in Squares(ours & diagonal) {
        let code = BISHOP + 2 * (straight >> from & 1) as usize;
        let checks = if code == QUEEN { diagonal_checks | straight_checks } else { diagonal_checks };
        list(code, from, bishop_attacks(from, occupied), checks);
    }
    for from in Squares(ours & straight) {
        let code = ROOK + (diagonal >> from & 1) as usize;
        let checks = if code == QUEEN { diagonal_checks | straight_checks } else { straight_checks };
        list(code, from, rook_attacks(from, occupied), checks);
    }
    // 3. Pawns, all at once.
    let pawns = ours & board.pawns();
    let pawn_checks = pawns_attack_down(bit(their_king));
    let mut steps = pawns << 8 & empty;
    let mut doubles = (steps & THIRD_RANK) << 8 & empty;
    for reply in replies {
        let from = reply.from | uncovering;
        let to = reply.to | pawn_checks;
        // Whichever pawn moves, it is none of the pieces that keep a move.
        if keepers.is_none_or(|keepers| keepers.pieces_without(reply.victim)) {
            steps &= to | from << 8 | bounds::step_at_least(reply.level);
            doubles &= to | from << 16 | bounds::double_at_least(reply.level);
        }
    }
    let mut list = |from: u32, to: u32| {
        if pinned & bit(from) == 0 || line(king, from) & bit(to) != 0 {
            push(board, PAWN, Move::new(from, to, EMPTY), pairs);
        }
    };
    Squares(steps).for_each(|to| list(to - 8, to));
    Squares(doubles).for_each(|to| list(to - 16, to));
    for to in Squares(pawns_attack_up(pawns) & theirs) {
        Squares(pawns_attack_down(bit(to)) & pawns).for_each(|from| list(from, to));
    }
    // 4. The king: its steps change which pieces can be pinned, so they are refuted only where no stalemate does harm.
    let mut open = king_attacks(king) & empty;
    if keepers.is_none() && uncovering & bit(king) == 0 {
        let code = bounds::king_code(board.endgame());
        for reply in replies {
            if reply.from & bit(king) == 0 {
                open &= reply.to | bounds::at_least(code, king, reply.level);
            }
        }
    }
    for to in Squares(open | king_attacks(king) & theirs) {
        if board.their_attackers(to, occupied ^ bit(king)) == 0 {
            push(board, KING, Move::new(king, to, EMPTY), pairs);
        }
    }
    if board.castling & 3 != 0 {
        for m in board.castling_moves().into_iter().flatten() {
            push(board, KING, m, pairs);
        }
    }
    // Refuted moves need not have been legal; a stalemate of ours matters only where it reaches t.
    pairs.len() > before || keepers.is_none() || board.has_legal_move(0)
}

/// Gathers replies that gain at least `least`.
#[inline(never)]
fn gather(board: &Board, excess: Score, least: Score, replies: &mut Replies) {
    let ours = board.ours;
    let pawns = board.pawns();
    let occupied = board.occupied();
    let empty = !occupied;
    let theirs = board.theirs();
    let their_king = board.their_king();
    let lines = rook_lines(their_king) | bishop_lines(their_king);
    let free = theirs & !board.blockers(their_king, ours);
    let starts_endgame = |victim: u32| board.they_wait_for_endgame() && board.is_thin(ours & !bit(victim));
    let mut add = |code: Code, from: u32, to: u32| {
        let captured = board.code(to);
        let gain = board.values.piece(code, turned(to)) - board.values.piece(code, turned(from))
            + board.values.piece(captured, to);
        if gain < least || (captured & 3 != 0 && starts_endgame(to)) {
            return;
        }
        let line = if lines & bit(from) != 0 { line(their_king, from) } else { 0 };
        let (victim, entered) = if captured == EMPTY { (0, bit(to)) } else { (bit(to), 0) };
        replies.add(Reply {
            gain,
            level: bounds::level(gain - excess + 1),
            from: line | victim,
            to: line | entered | between(from, to),
            victim,
        });
    };
    // Squares worth going to, as the other side sees them.
    let level = bounds::level(least);
    let victims = if least <= bounds::MOST_BY_PAWN { ours } else { ours & !pawns };
    let worth =
        |code: Code, from: u32| victims | empty & bounds::at_least(code, turned(from), level).swap_bytes();
    for from in Squares(free & board.knights()) {
        Squares(knight_attacks(from) & worth(KNIGHT, from)).for_each(|to| add(KNIGHT, from, to));
    }
    let (diagonal, straight) = (board.diagonal_sliders(), board.straight_sliders());
    for from in Squares(free & diagonal) {
        let code = BISHOP + 2 * (straight >> from & 1) as usize;
        Squares(bishop_attacks(from, occupied) & worth(code, from)).for_each(|to| add(code, from, to));
    }
    for from in Squares(free & straight) {
        let code = ROOK + (diagonal >> from & 1) as usize;
        Squares(rook_attacks(from, occupied) & worth(code, from)).for_each(|to| add(code, from, to));
    }
    // Their pawns move down; those that would promote stay out.
    let pawns = free & pawns & !(SEVENTH_RANK.swap_bytes());
    let steps = pawns >> 8 & empty;
    let doubles = (steps & THIRD_RANK.swap_bytes()) >> 8 & empty;
    Squares(steps & bounds::step_at_least(level).swap_bytes()).for_each(|to| add(PAWN, to + 8, to));
    Squares(doubles & bounds::double_at_least(level).swap_bytes()).for_each(|to| add(PAWN, to + 16, to));
    for to in Squares(pawns_attack_down(pawns) & victims) {
        Squares(pawns_attack_up(bit(to)) & pawns).for_each(|from| add(PAWN, from, to));
    }
}
