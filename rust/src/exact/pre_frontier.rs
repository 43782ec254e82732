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
//! Let `s` be our score now, `m` a move of ours that gains `g`, not castling, not promoting, giving no check; `r` their
//! move, of a piece that is not their king and not pinned now, gaining `h`. After `m` and `r` we have the score
//! `s + g - h`. The node stays below `beta` on account of `m` if `s + g - h < beta`, where
//!
//! - `r` is legal after `m`: `m` does not end on a square that `r` passes or, `r` being quiet, enters; if `r` captures,
//!   `m` does not move the victim away; `m` does not capture what moves; their king is not in check after `m`; and the
//!   taker is not pinned by `m`, which it could be only if it stands on a line of its king and `m` starts or ends on
//!   that line;
//! - the leaf is worth its score: the kings' phase is the same after `r` (a capture that starts the endgame is no
//!   reply, and a capture of ours that leaves them low on material is not refuted); the clock is below 100 after both;
//!   at least five men are left, so the position is not dead; and we are not stalemated, or it does no harm because
//!   `beta >= 1` ([`StalemateGuard`]). Being mated by `r` only helps them.
//!
//! A refuted move need not even be legal.
//!
//! Source: the idea of answering sibling moves by one reply is that of chessprogramming.org "Refutation Move", made a
//! proof; compare "Sibling Prediction Pruning" (J. Carolus 2006).

use super::bounds::StalemateGuard;
use super::ordering::{MOST_GAIN, gain, with_score};
use crate::board::{
    BISHOP, Board, CLOCK_LIMIT, Code, EMPTY, KING, KNIGHT, Move, NO_SQUARE, PAWN, QUEEN, ROOK, SEVENTH_RANK,
    Squares, THIRD_RANK, between, bishop_attacks, bishop_lines, bit, flipped, king_attacks, knight_attacks,
    line, pawns_attack_down, pawns_attack_up, rook_attacks, rook_lines,
};
use crate::evaluation::values::king_code;
use crate::score::Score;

/// How many replies are kept.
const REPLIES: usize = 4;
/// Enough replies not to look for poorer ones.
const ENOUGH: usize = 2;

/// A move of the other side.
#[derive(Clone, Copy, Default)]
struct Reply {
    gain: Score,
    /// A capture of ours that gains this much is not refuted.
    least: Score,
    /// A quiet move of ours that gains this level is not refuted.
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
pub fn applies(board: &Board, checkers: u64) -> bool {
    checkers == 0
        && board.clock < CLOCK_LIMIT - 2
        && board.men > 5
        && board.en_passant == NO_SQUARE
        && board.ours & board.pawns() & SEVENTH_RANK == 0
}

/// Lists all legal moves, ranked by their gain; whether there is one.
#[inline(never)]
pub fn list_all(board: &Board, checkers: u64, scored: &mut Vec<u64>) -> bool {
    let before = scored.len();
    board.any_legal_move(checkers, |m| {
        push(board, board.code(m.from()), m, scored);
        false
    });
    scored.len() > before
}

#[inline(always)]
fn push(board: &Board, code: Code, m: Move, scored: &mut Vec<u64>) {
    scored.push(with_score((gain(board, code, m) + MOST_GAIN) as u64, m));
}

/// Lists the legal moves that no reply refutes, scored by their gain, at a position where the proof [`applies`]; whether
/// there is a legal move at all (or it does not matter, a stalemate being worth less than `beta`).
#[inline(never)]
pub fn list_unrefuted(board: &Board, beta: Score, scored: &mut Vec<u64>) -> bool {
    let before = scored.len();
    // 1. Replies: those that answer any move but captures, else those that answer at least the poor ones.
    let excess = board.quick_score() - beta + 1;
    let mut replies = Replies::default();
    gather(board, excess, (excess + 40).max(10), &mut replies);
    if replies.count < ENOUGH {
        replies.count = 0;
        gather(board, excess, (excess - 10).max(-30), &mut replies);
    }
    // 2. What is left of our moves.
    let node = Node::new(board, beta, &replies.list[..replies.count]);
    node.list_pieces(scored);
    node.list_pawns(scored);
    node.list_king(scored);
    // Refuted moves need not have been legal; a stalemate of ours matters only where it reaches beta.
    scored.len() > before || node.guard.is_none() || board.has_legal_move(0)
}

/// A node whose moves are listed, and the replies that refute them.
struct Node<'a> {
    board: &'a Board<'a>,
    replies: &'a [Reply],
    /// What keeps us from being stalemated, if that would do harm.
    guard: Option<StalemateGuard>,
    occupied: u64,
    king: u32,
    their_king: u32,
    pinned: u64,
    discoverers: u64,
}

impl<'a> Node<'a> {
    #[inline(always)]
    fn new(board: &'a Board<'a>, beta: Score, replies: &'a [Reply]) -> Node<'a> {
        Node {
            board,
            replies,
            // A stalemate does harm where 0 reaches beta.
            guard: (beta <= 0).then(|| StalemateGuard::new(board)),
            occupied: board.occupied(),
            king: board.our_king(),
            their_king: board.their_king(),
            pinned: board.pinned(),
            discoverers: board.discoverers(),
        }
    }

    /// Knights, what moves like a bishop, what moves like a rook.
    #[inline(always)]
    fn list_pieces(&self, scored: &mut Vec<u64>) {
        let &Node { board, occupied, their_king, .. } = self;
        let (diagonal, straight) = (board.diagonal_sliders(), board.straight_sliders());
        let diagonal_checks = bishop_attacks(their_king, occupied);
        let straight_checks = rook_attacks(their_king, occupied);
        for from in Squares(board.ours & board.knights()) {
            self.list_piece(KNIGHT, from, knight_attacks(from), knight_attacks(their_king), scored);
        }
        for from in Squares(board.ours & diagonal) {
            let code = BISHOP + 2 * (straight >> from & 1) as usize;
            let checks = if code == QUEEN { diagonal_checks | straight_checks } else { diagonal_checks };
            self.list_piece(code, from, bishop_attacks(from, occupied), checks, scored);
        }
        for from in Squares(board.ours & straight) {
            let code = ROOK + (diagonal >> from & 1) as usize;
            let checks = if code == QUEEN { diagonal_checks | straight_checks } else { straight_checks };
            self.list_piece(code, from, rook_attacks(from, occupied), checks, scored);
        }
    }

    /// A piece that attacks `attacked` and gives check from `checks`.
    #[inline(always)]
    fn list_piece(&self, code: Code, from: u32, attacked: u64, checks: u64, scored: &mut Vec<u64>) {
        let mut open = attacked & !self.occupied;
        if self.discoverers & bit(from) == 0 {
            for reply in self.replies {
                let gone = bit(from) | reply.victim;
                if reply.from & bit(from) == 0 && self.guard.is_none_or(|guard| guard.holds_without(gone)) {
                    open &= reply.to | checks | self.board.values.at_least(code, from, reply.level);
                }
            }
        }
        let mut takes = attacked & self.board.theirs();
        if self.pinned & bit(from) != 0 {
            open &= line(self.king, from);
            takes &= line(self.king, from);
        }
        for to in Squares(open) {
            push(self.board, code, Move::new(from, to, EMPTY), scored);
        }
        for to in Squares(takes) {
            self.list_capture(code, Move::new(from, to, EMPTY), checks, scored);
        }
    }

    /// A legal capture, if no reply refutes it; the piece gives check from `checks`.
    #[inline(always)]
    fn list_capture(&self, code: Code, m: Move, checks: u64, scored: &mut Vec<u64>) {
        let gained = gain(self.board, code, m);
        if !self.refutes_capture(code, m, checks, gained) {
            scored.push(with_score((gained + MOST_GAIN) as u64, m));
        }
    }

    #[inline(never)]
    fn refutes_capture(&self, code: Code, m: Move, checks: u64, gained: Score) -> bool {
        let (from, to, theirs) = (bit(m.from()), bit(m.to()), self.board.theirs());
        let low = |side: u64| self.board.has_low_material(side);
        if checks & to != 0 || self.discoverers & from != 0 {
            return false;
        }
        let refutes = |reply: &Reply| {
            gained < reply.least
                && reply.from & from == 0
                && reply.to & to == 0
                && self.guard.is_none_or(|guard| code != KING && guard.holds_without(from | reply.victim))
        };
        self.replies.iter().any(refutes)
            && (self.board.code(m.to()) == PAWN || low(theirs & !to) == low(theirs))
    }

    /// Pawns, all at once.
    #[inline(always)]
    fn list_pawns(&self, scored: &mut Vec<u64>) {
        let &Node { board, occupied, king, their_king, pinned, discoverers, .. } = self;
        let empty = !occupied;
        let pawns = board.ours & board.pawns();
        let pawn_checks = pawns_attack_down(bit(their_king));
        let mut steps = pawns << 8 & empty;
        let mut doubles = (steps & THIRD_RANK) << 8 & empty;
        for reply in self.replies {
            let from = reply.from | discoverers;
            let to = reply.to | pawn_checks;
            // Whichever pawn moves, it is none of the pieces that keep a move.
            if self.guard.is_none_or(|guard| guard.pieces_hold_without(reply.victim)) {
                steps &= to | from << 8 | board.values.step_at_least(reply.level);
                doubles &= to | from << 16 | board.values.double_at_least(reply.level);
            }
        }
        let mut list = |from: u32, to: u32| {
            if pinned & bit(from) == 0 || line(king, from) & bit(to) != 0 {
                push(board, PAWN, Move::new(from, to, EMPTY), scored);
            }
        };
        Squares(steps).for_each(|to| list(to - 8, to));
        Squares(doubles).for_each(|to| list(to - 16, to));
        for to in Squares(pawns_attack_up(pawns) & board.theirs()) {
            for from in Squares(pawns_attack_down(bit(to)) & pawns) {
                if pinned & bit(from) == 0 || line(king, from) & bit(to) != 0 {
                    self.list_capture(PAWN, Move::new(from, to, EMPTY), pawn_checks, scored);
                }
            }
        }
    }

    /// The king: its steps change which pieces can be pinned, so they are refuted only where no stalemate does harm.
    #[inline(always)]
    fn list_king(&self, scored: &mut Vec<u64>) {
        let &Node { board, occupied, king, .. } = self;
        let mut open = king_attacks(king) & !occupied;
        if self.guard.is_none() && self.discoverers & bit(king) == 0 {
            let code = king_code(board.endgame());
            for reply in self.replies {
                if reply.from & bit(king) == 0 {
                    open &= reply.to | board.values.at_least(code, king, reply.level);
                }
            }
        }
        let takes = king_attacks(king) & board.theirs();
        for to in Squares(open | takes) {
            if board.their_attackers(to, occupied ^ bit(king)) == 0 {
                let m = Move::new(king, to, EMPTY);
                if takes & bit(to) == 0 {
                    push(board, KING, m, scored);
                } else {
                    self.list_capture(KING, m, 0, scored);
                }
            }
        }
        if board.castling & 3 != 0 {
            for m in board.castling_moves().into_iter().flatten() {
                push(board, KING, m, scored);
            }
        }
    }
}

/// Gathers replies that gain at least `least`.
#[inline(never)]
fn gather(board: &Board, excess: Score, least: Score, replies: &mut Replies) {
    let values = board.values;
    let ours = board.ours;
    let pawns = board.pawns();
    let occupied = board.occupied();
    let empty = !occupied;
    let theirs = board.theirs();
    let their_king = board.their_king();
    let lines = rook_lines(their_king) | bishop_lines(their_king);
    let free = theirs & !board.blockers(their_king, ours);
    let starts_endgame =
        |victim: u32| board.they_wait_for_endgame() && board.has_low_material(ours & !bit(victim));
    let mut add = |code: Code, from: u32, to: u32| {
        let captured = board.code(to);
        let gain = board.values.piece(code, flipped(to)) - board.values.piece(code, flipped(from))
            + board.values.piece(captured, to);
        if gain < least || (captured & 3 != 0 && starts_endgame(to)) {
            return;
        }
        let line = if lines & bit(from) != 0 { line(their_king, from) } else { 0 };
        let (victim, entered) = if captured == EMPTY { (0, bit(to)) } else { (bit(to), 0) };
        replies.add(Reply {
            gain,
            least: gain - excess + 1,
            level: values.level(gain - excess + 1),
            from: line | victim,
            to: line | entered | between(from, to) | bit(from),
            victim,
        });
    };
    // Squares worth going to, as the other side sees them.
    let level = values.level(least);
    let victims = if least <= values.most_by_pawn { ours } else { ours & !pawns };
    let worth =
        |code: Code, from: u32| victims | empty & values.at_least(code, flipped(from), level).swap_bytes();
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
    Squares(steps & values.step_at_least(level).swap_bytes()).for_each(|to| add(PAWN, to + 8, to));
    Squares(doubles & values.double_at_least(level).swap_bytes()).for_each(|to| add(PAWN, to + 16, to));
    for to in Squares(pawns_attack_down(pawns) & victims) {
        Squares(pawns_attack_up(bit(to)) & pawns).for_each(|from| add(PAWN, from, to));
    }
}
