//! Two plies before the leaves: which moves a simple reply does not refute.
//!
//! # The idea
//!
//! At most nodes of depth 2 every move fails: the other side is ahead and answers nearly all of them with the same few
//! replies. So the replies are looked for once, as if the other side were to move now. A reply `r` that gains `h`
//! refutes every move of ours that gains less than `h` by enough *and does not disturb it*: that leaves `r` legal and
//! its gain what it is. Moves that gain little enough and do not disturb are sets of squares again, so a whole node is
//! refuted with some operations a piece. Checks are answered one by one, by a step of their king or by taking what gives
//! them. The moves that are left are made and answered at [`crate::leaves::one_ply_before`].
//!
//! # The proof
//!
//! Let `s` be our score now, `m` a move of ours that gains `g`, not promoting and, at first, giving no check; `r` their move,
//! of a piece that is not their king and not pinned now, gaining `h`. After `m` and `r` we have the score `s + g - h`. The
//! node stays below `beta` on account of `m` if `s + g - h < beta`, where
//!
//! - `r` is legal after `m`: `m` does not end on a square that `r` passes or, `r` being quiet, enters; if `r` captures,
//!   `m` does not move the victim away; `m` does not capture what moves; their king is not in check after `m`; and the
//!   taker is not pinned by `m`, which it could be only if it stands on a line of its king and `m` starts or ends on
//!   that line;
//! - the leaf is worth its score: the kings' phase is the same after `r` (a capture that starts the endgame is no
//!   reply, and a capture of ours that leaves them low on material is not refuted); the clock is below 100 after both;
//!   at least four men are left, so the position is not dead; and we are not stalemated, or it does no harm because
//!   `beta >= 1` ([`StalemateGuard`]). Being mated by `r` only helps them.
//!
//! A check needs a reply of its own: a step of their king to a square that neither the piece which gives it nor any other of
//! ours attacks then, or a capture of that piece. It is not refuted if it discovers another. After a step the piece that
//! gave check, if it is no pawn and took nothing, keeps us a move, to where the king was or towards it. For it is not pinned
//! across that way: on the line of a pin it has moved itself, or their king has left it, or we would have been in check. What
//! takes it is not pinned now, nor by what `m` opens.
//!
//! Castling starts and ends on two squares each. It gives no check if the rook gives none and their king does not stand on
//! the rank where both move; and it leaves the rook a move, to where the king stood. That of Chess960 is not refuted.
//!
//! Under the tapered rule a reply may change the phase. Then our move is counted by the values of the phase after the reply,
//! and so is the reply; what the change alone adds to `s` is known ([`Board::without`]). A capture of ours that changes the
//! phase is not refuted.
//!
//! A refuted move need not even be legal.
//!
//! The same replies say what a move is worth at most ([`bound_moves`]): `s + g - h`, for being mated is worth less, and so is
//! being stalemated, unless `s + g - h` is below 0; then the guard must hold.
//!
//! Source: the idea of answering sibling moves by one reply is that of chessprogramming.org "Refutation Move", made a
//! proof; compare "Sibling Prediction Pruning" (J. Carolus 2006).

use crate::bounds::{self, StalemateGuard};
use crate::leaves::checks::Checks;
use crate::leaves::gathered::{Gathered, REPLIES, gather};
use crate::ordering::{MOST_GAIN, gain, gain_by, is_ordinary, with_score};
use betacut_core::board::{
    BISHOP, Board, CLOCK_LIMIT, Code, EMPTY, FIRST_RANK, KING, KNIGHT, Move, NO_SQUARE, PAWN, QUEEN, ROOK,
    SEVENTH_RANK, Squares, THIRD_RANK, attacks, between, bishop_attacks, bishop_lines, bit, flipped,
    king_attacks, knight_attacks, line, pawns_attack_down, pawns_attack_up, rook_attacks, rook_lines,
};
use betacut_core::evaluation::Values;
use betacut_core::evaluation::values::king_code;
use betacut_core::score::Score;

/// Enough replies not to look for poorer ones.
const ENOUGH: usize = 2;

/// No reply is looked for that gains less.
const POOR: Score = -30;

/// A move of the other side, and what it refutes.
#[derive(Clone, Copy)]
struct Reply<'v> {
    /// By what gains are counted: the values of the phase after it.
    values: &'v Values,
    /// A capture of ours that gains this much is not refuted.
    least: Score,
    /// A quiet move of ours that gains this level is not refuted.
    level: usize,
    /// A move of ours from or to these squares may disturb.
    from: u64,
    to: u64,
    victim: u64,
}

impl<'v> Reply<'v> {
    /// None.
    #[inline(always)]
    const fn none(values: &'v Values) -> Reply<'v> {
        Reply { values, least: 0, level: 0, from: 0, to: 0, victim: 0 }
    }

    /// A reply that gains so much; we gain too much if we gain as much as it does, less `excess`.
    #[inline(always)]
    fn new<const TAPERED: bool>(board: &Board<'v>, excess: Score, (gain, m): (Score, Move)) -> Reply<'v> {
        let (from, to, their_king) = (m.from(), m.to(), board.their_king());
        let pin = if (rook_lines(their_king) | bishop_lines(their_king)) & bit(from) == 0 {
            0
        } else {
            line(their_king, from)
        };
        let (victim, entered) = if board.code(to) == EMPTY { (0, bit(to)) } else { (bit(to), 0) };
        let least = gain - excess + 1;
        let values = if TAPERED { board.without(board.code(to)).0 } else { board.values };
        Reply {
            values,
            least,
            level: values.level(least),
            from: pin | victim,
            to: pin | entered | between(from, to) | bit(from),
            victim,
        }
    }

    /// Whether a move of ours that starts on the squares `from` and ends on the squares `to` does not disturb it.
    #[inline(always)]
    const fn stands(&self, from: u64, to: u64) -> bool {
        self.from & from == 0 && self.to & to == 0
    }
}

impl Gathered {
    /// What they refute; see [`Reply::new`]. As many as were found count.
    #[inline(always)]
    fn replies<'v, const TAPERED: bool>(&self, board: &Board<'v>, excess: Score) -> [Reply<'v>; REPLIES] {
        let mut replies = [Reply::none(board.values); REPLIES];
        for (reply, &found) in replies.iter_mut().zip(&self.list[..self.count]) {
            *reply = Reply::new::<TAPERED>(board, excess, found);
        }
        replies
    }
}

/// Whether the proof applies to a position: no check, no promotion or en passant capture of ours, clock and men far
/// from a draw.
#[inline(always)]
pub fn applies(board: &Board, checkers: u64) -> bool {
    may_bound(board, checkers)
        && board.en_passant == NO_SQUARE
        && board.ours & board.pawns() & SEVENTH_RANK == 0
}

/// Whether the proof applies to the moves that neither promote nor take en passant, as [`bound_moves`] needs it.
#[inline(always)]
pub fn may_bound(board: &Board, checkers: u64) -> bool {
    checkers == 0 && board.clock < CLOCK_LIMIT - 2 && board.men > 5
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
#[inline]
pub fn list_unrefuted(board: &Board, beta: Score, scored: &mut Vec<u64>) -> bool {
    if board.values.tapers().is_some() {
        list_unrefuted_by::<true>(board, beta, scored)
    } else {
        list_unrefuted_by::<false>(board, beta, scored)
    }
}

/// The same, by the tapered rule or by another.
#[inline(never)]
fn list_unrefuted_by<const TAPERED: bool>(board: &Board, beta: Score, scored: &mut Vec<u64>) -> bool {
    let before = scored.len();
    // 1. Replies: those that answer any move but captures, else those that answer at least the poor ones.
    let (need, units) =
        if TAPERED { (board.need(beta), board.values.units()) } else { (beta - board.quick_score(), 1) };
    let excess = 1 - need;
    let mut gathered = gather::<TAPERED>(board, (excess + 40 * units).max(10 * units));
    if gathered.count < ENOUGH {
        gathered = gather::<TAPERED>(board, (excess - 10 * units).max(POOR * units));
    }
    let replies = gathered.replies::<TAPERED>(board, excess);
    // 2. What is left of our moves.
    let node = Node::<false, TAPERED>::new(board, beta, &replies[..gathered.count], &[]);
    node.list_pieces(scored);
    node.list_pawns(scored);
    node.list_king(scored);
    // Refuted moves need not have been legal; a stalemate of ours matters only where it reaches beta.
    scored.len() > before || node.guard.is_none() || board.has_legal_move(0)
}

/// The same where leaves are valued by quiescence, a stalemate apart; says nothing of whether there is a legal move.
///
/// After the reply we may capture, and then the other side may stand pat: so a reply refutes less by the greatest gain of a
/// single capture, and no move after which another piece would be attacked that is worth more.
#[inline(never)]
pub fn list_unrefuted_quiet(board: &Board, beta: Score, scored: &mut Vec<u64>) {
    let excess = 1 - board.need(beta);
    let units = board.values.units();
    let gathered = gather::<true>(board, (excess - 10 * units).max(POOR * units));
    let quiet = QuietReplies::new(board, &gathered, excess);
    let node = Node::<true, true>::new(board, beta, &quiet.replies[..quiet.count], &quiet.menaces);
    node.list_pieces(scored);
    node.list_pawns(scored);
    node.list_king(scored);
}

/// Replies with what they refute where leaves are valued by quiescence.
struct QuietReplies<'v> {
    replies: [Reply<'v>; REPLIES],
    menaces: [[u64; 8]; REPLIES],
    count: usize,
}

impl<'v> QuietReplies<'v> {
    fn new(board: &Board<'v>, gathered: &Gathered, excess: Score) -> QuietReplies<'v> {
        let replies = [Reply::none(board.values); REPLIES];
        let mut quiet = QuietReplies { replies, menaces: [[0; 8]; REPLIES], count: 0 };
        for &(gain, m) in &gathered.list[..gathered.count] {
            if let Some((lost, from, menace)) = menace(board, m, gain - excess + 1) {
                let mut reply = Reply::new::<true>(board, excess, (gain - lost, m));
                reply.from |= from;
                (quiet.replies[quiet.count], quiet.menaces[quiet.count]) = (reply, menace);
                quiet.count += 1;
            }
        }
        quiet
    }
}

/// The least that a reply must refute to be worth its while, and what makes it refute nearly all quiet moves.
const WORTH_KEEPING: Score = -20;
const NEARLY_ALL: Score = 40;

/// What a single capture of ours gains at most after a reply that refutes moves which gain less than `least`, if we make a move
/// elsewhere; squares that such a move must not start on, lest it opens a line; and by piece where it must not end,
/// lest it attacks something that is worth more. None if the reply is worth nothing.
fn menace(board: &Board, reply: Move, least: Score) -> Option<(Score, u64, [u64; 8])> {
    let (from, to) = (flipped(reply.from()), flipped(reply.to()));
    let after = board.pass().make_keyless(Move::new(from, to, EMPTY));
    let waits = after.we_wait_for_endgame() && after.values.tapers().is_none();
    if waits || after.en_passant != NO_SQUARE {
        return None;
    }
    let (values, occupied) = (after.values, after.occupied());
    let units = values.units();
    // 1. What can be captured now.
    let mut most = 0;
    for at in Squares(after.theirs() & bounds::attacked_by(&after, after.ours, occupied)) {
        for taker in Squares(after.our_attackers(at, occupied)) {
            most = most.max(bounds::gain_later(&after, after.code(taker), taker, at));
        }
    }
    if least - most < WORTH_KEEPING * units {
        return None;
    }
    // 2. More, if there is room for it: the fewer pieces are worth attacking, the better.
    let steps = [values.most_by_queen, values.most_by_rook, values.most_by_minor, values.most_by_pawn];
    let most =
        steps.into_iter().find(|&step| step > most && least - step >= NEARLY_ALL * units).unwrap_or(most);
    if reply.from().abs_diff(reply.to()) == 16 && board.pass().code(to) == PAWN && most < values.most_by_pawn
    {
        return None;
    }
    let victims = bounds::victims_later(&after, most + 1);
    // 3. Where they are attacked from, and what stands before them.
    let mut menace = [0; 8];
    let mut start = 0;
    for at in Squares(victims) {
        let (diagonal, straight) = (bishop_attacks(at, occupied), rook_attacks(at, occupied));
        menace[BISHOP] |= diagonal;
        menace[ROOK] |= straight;
        menace[QUEEN] |= diagonal | straight;
        menace[KNIGHT] |= knight_attacks(at);
        menace[KING] |= king_attacks(at);
        start |= after.blockers(at, after.ours);
    }
    menace[PAWN] = pawns_attack_down(victims) | SEVENTH_RANK;
    Some((most, start, menace))
}

/// Tells `each` every legal move, and what it is worth at most, if a reply shows it; returns what passing would be worth at
/// most, if a reply does. Only for positions where [`may_bound`] holds.
#[inline(never)]
pub fn bound_moves(board: &Board, mut each: impl FnMut(Move, Option<Score>)) -> Option<Score> {
    let gathered = gather::<true>(board, POOR * board.values.units());
    // An excess of 1 makes `least` what the reply gains, and below a beta of 0 there is a guard.
    let replies = gathered.replies::<true>(board, 1);
    let node = Node::<false, true>::new(board, 0, &replies[..gathered.count], &[]);
    let checks = Checks::new(board);
    board.any_legal_move(0, |m| {
        each(m, node.bound(m, &checks));
        false
    });
    node.replies.first().map(|reply| board.values.rounded(board.quick_score() - reply.least))
}

/// A node whose moves are listed, and the replies that refute them; by any rule, or by another than the tapered one.
struct Node<'a, const QUIET: bool, const TAPERED: bool> {
    board: &'a Board<'a>,
    replies: &'a [Reply<'a>],
    /// With quiescence, where each piece would attack something worth taking after each reply.
    menaces: &'a [[u64; 8]],
    /// What keeps us from being stalemated, if that would do harm.
    guard: Option<StalemateGuard>,
    occupied: u64,
    king: u32,
    their_king: u32,
    /// What our king can be pinned against: squares on its lines.
    lines: u64,
    discoverers: u64,
    /// How far we are above `beta`: a reply that gains more than this and a move of ours together refutes the move.
    lead: Score,
}

impl<'a, const QUIET: bool, const TAPERED: bool> Node<'a, QUIET, TAPERED> {
    #[inline(always)]
    fn new(
        board: &'a Board<'a>,
        beta: Score,
        replies: &'a [Reply<'a>],
        menaces: &'a [[u64; 8]],
    ) -> Node<'a, QUIET, TAPERED> {
        let king = board.our_king();
        Node {
            board,
            replies,
            menaces,
            lead: if TAPERED { -board.need(beta) } else { board.quick_score() - beta },
            // A stalemate does harm where 0 reaches beta.
            guard: (beta <= 0).then(|| StalemateGuard::new(board)),
            occupied: board.occupied(),
            king,
            their_king: board.their_king(),
            lines: rook_lines(king) | bishop_lines(king),
            discoverers: board.discoverers(),
        }
    }

    /// Where a piece of ours would attack something worth taking after a reply.
    #[inline(always)]
    const fn menace(&self, reply: usize, code: Code) -> u64 {
        if QUIET { self.menaces[reply][code & 7] } else { 0 }
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
            for (index, reply) in self.replies.iter().enumerate() {
                if open == 0 {
                    break;
                }
                let gone = bit(from) | reply.victim;
                if reply.from & bit(from) == 0
                    && self.guard.as_ref().is_none_or(|guard| guard.holds_without(gone))
                {
                    open &= reply.to
                        | checks
                        | self.menace(index, code)
                        | self.values_after(reply).at_least(code, from, reply.level);
                }
            }
        }
        let mut takes = attacked & self.board.theirs();
        if open | takes == 0 {
            return;
        }
        if self.is_pinned(from) {
            open &= line(self.king, from);
            takes &= line(self.king, from);
        }
        for to in Squares(open) {
            self.list_quiet(code, Move::new(from, to, EMPTY), checks, scored);
        }
        for to in Squares(takes) {
            self.list_capture(code, Move::new(from, to, EMPTY), checks, scored);
        }
    }

    /// By what gains are counted after a reply.
    #[inline(always)]
    fn values_after(&self, reply: &Reply<'a>) -> &'a Values {
        if TAPERED { reply.values } else { self.board.values }
    }

    /// Whether a piece may not leave the line of our king; few stand on one.
    #[inline(always)]
    fn is_pinned(&self, from: u32) -> bool {
        self.lines & bit(from) != 0 && self.board.pinned() & bit(from) != 0
    }

    /// A legal quiet move, unless it is a check that a reply refutes; the piece gives check from `checks`.
    #[inline(always)]
    fn list_quiet(&self, code: Code, m: Move, checks: u64, scored: &mut Vec<u64>) {
        let gained = gain(self.board, code, m);
        if QUIET || checks & bit(m.to()) == 0 || !self.refutes_check(code, m, gained) {
            scored.push(with_score((gained + MOST_GAIN) as u64, m));
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
        let (from, to) = (bit(m.from()), bit(m.to()));
        let refuted = if checks & to != 0 {
            !QUIET && self.refutes_check(code, m, gained)
        } else {
            let gained_by =
                |values: &Values| if TAPERED { gain_by(values, self.board, code, m) } else { gained };
            let keeps_a_move = |guard: &StalemateGuard, victim: u64| guard.holds_after(code, m, victim);
            self.refutes(code, gained_by, from, to, keeps_a_move)
        };
        refuted && !self.board.changes_phase(self.board.theirs(), m.to())
    }

    /// Whether a reply refutes a check: a step of their king, or that the piece which gives it is taken.
    #[inline(never)]
    fn refutes_check(&self, code: Code, m: Move, gained: Score) -> bool {
        let &Node { board, occupied, their_king, .. } = self;
        let (from, to) = (bit(m.from()), bit(m.to()));
        if self.discoverers & from != 0 {
            return false;
        }
        // What the reply must gain more than, and where their king is safe after it.
        let least = gained + self.lead;
        let placed = |at: u32| board.values.king(board.endgame(), flipped(at));
        let after = occupied & !from | to;
        let is_safe = |at: u32| board.our_attackers(at, after) & !from == 0;
        // 1. Their king steps aside. The piece that gave check can go to where it was then.
        let keeps_a_move = self.guard.as_ref().is_none_or(|guard| guard.holds_without(from));
        if keeps_a_move || (code != PAWN && board.code(m.to()) == EMPTY) {
            let guarded = attacks(code, m.to(), after & !bit(their_king));
            let steps = king_attacks(their_king) & !after & !guarded;
            if Squares(steps).any(|at| placed(at) - placed(their_king) > least && is_safe(at)) {
                return true;
            }
        }
        // 2. The piece is taken.
        let tapers = TAPERED && board.values.tapers().is_some();
        let starts_endgame =
            !tapers && board.they_wait_for_endgame() && board.has_low_material(board.ours & !from);
        if !keeps_a_move || starts_endgame {
            return false;
        }
        let (values, change) = if TAPERED { board.without(code) } else { (board.values, 0) };
        let gained = if tapers { gain_by(values, board, code, m) + change } else { gained };
        let least = gained + self.lead - values.piece(code, m.to());
        let placed = |at: u32| values.king(board.endgame(), flipped(at));
        if king_attacks(their_king) & to != 0
            && placed(m.to()) - placed(their_king) > least
            && is_safe(m.to())
        {
            return true;
        }
        let takers = board.their_attackers(m.to(), after)
            & !bit(their_king)
            & !board.blockers(their_king, board.ours)
            & !(if to & FIRST_RANK != 0 { board.pawns() } else { 0 });
        let king_lines = rook_lines(their_king) | bishop_lines(their_king);
        Squares(takers).any(|taker| {
            let code = board.code(taker);
            let placed = |at: u32| values.piece(code, flipped(at));
            placed(m.to()) - placed(taker) > least
                && (king_lines & bit(taker) == 0 || line(their_king, taker) & from == 0)
        })
    }

    /// Whether a reply refutes a move that gives no check itself and leaves the phase what it is. It starts on the squares
    /// `from` and ends on the squares `to`; `keeps_a_move` says whether we surely are not stalemated after a reply that
    /// takes the victim. What the move gains is told by the values after the reply.
    #[inline(always)]
    fn refutes(
        &self,
        code: Code,
        gained_by: impl Fn(&Values) -> Score,
        from: u64,
        to: u64,
        keeps_a_move: impl Fn(&StalemateGuard, u64) -> bool,
    ) -> bool {
        let refutes = |(index, reply): (usize, &Reply<'a>)| {
            gained_by(self.values_after(reply)) < reply.least
                && reply.stands(from, to)
                && self.menace(index, code) & to == 0
                && self.guard.as_ref().is_none_or(|guard| keeps_a_move(guard, reply.victim))
        };
        self.discoverers & from == 0 && self.replies.iter().enumerate().any(refutes)
    }

    /// What a legal move is worth at most, if a reply shows it.
    #[inline(always)]
    fn bound(&self, m: Move, checks: &Checks) -> Option<Score> {
        let Node { board, guard, .. } = self;
        let code = board.code(m.from());
        let (from, to) = (bit(m.from()), bit(m.to()));
        if checks.may_check(code, m)
            || !is_ordinary(board, code, m)
            || board.changes_phase(board.theirs(), m.to())
        {
            return None;
        }
        // The reply that gains most comes first. Where we are worth 0 or more, being stalemated does no harm.
        let reached = |reply: &Reply<'_>| board.quick_score() + gain_by(reply.values, board, code, m);
        let refutes = |(index, reply): &(usize, &Reply<'_>)| {
            reply.stands(from, to)
                && self.menace(*index, code) & to == 0
                && (reached(reply) >= reply.least
                    || guard.as_ref().is_none_or(|guard| guard.holds_after(code, m, reply.victim)))
        };
        self.replies
            .iter()
            .enumerate()
            .find(refutes)
            .map(|(_, reply)| board.values.rounded(reached(reply) - reply.least))
    }

    /// Pawns, all at once.
    #[inline(always)]
    fn list_pawns(&self, scored: &mut Vec<u64>) {
        let &Node { board, occupied, king, their_king, discoverers, .. } = self;
        let empty = !occupied;
        let pawns = board.ours & board.pawns();
        let pawn_checks = pawns_attack_down(bit(their_king));
        let mut steps = pawns << 8 & empty;
        let mut doubles = (steps & THIRD_RANK) << 8 & empty;
        for (index, reply) in self.replies.iter().enumerate() {
            let from = reply.from | discoverers;
            let to = reply.to | pawn_checks | self.menace(index, PAWN);
            // Of three pawns that keep a move one is left, whichever moves.
            if self.guard.as_ref().is_none_or(|guard| guard.holds_without(reply.victim)) {
                steps &= to | from << 8 | self.values_after(reply).step_at_least(reply.level);
                doubles &= to | from << 16 | self.values_after(reply).double_at_least(reply.level);
            }
        }
        let mut list = |from: u32, to: u32| {
            if !self.is_pinned(from) || line(king, from) & bit(to) != 0 {
                self.list_quiet(PAWN, Move::new(from, to, EMPTY), pawn_checks, scored);
            }
        };
        Squares(steps).for_each(|to| list(to - 8, to));
        Squares(doubles).for_each(|to| list(to - 16, to));
        for to in Squares(pawns_attack_up(pawns) & board.theirs()) {
            for from in Squares(pawns_attack_down(bit(to)) & pawns) {
                if !self.is_pinned(from) || line(king, from) & bit(to) != 0 {
                    self.list_capture(PAWN, Move::new(from, to, EMPTY), pawn_checks, scored);
                }
            }
        }
    }

    /// The king's steps, and castling.
    #[inline(always)]
    fn list_king(&self, scored: &mut Vec<u64>) {
        let &Node { board, occupied, king, .. } = self;
        let mut open = king_attacks(king) & !occupied;
        if self.discoverers & bit(king) == 0 {
            let code = king_code(board.endgame());
            for (index, reply) in self.replies.iter().enumerate() {
                if open == 0 {
                    break;
                }
                if reply.from & bit(king) == 0 {
                    let left = open
                        & (reply.to
                            | self.menace(index, KING)
                            | self.values_after(reply).at_least(code, king, reply.level));
                    open = left | self.without_guard(open & !left, reply.victim);
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
            self.list_castling(scored);
        }
    }

    /// Those of `steps` of the king after which we might be stalemated, and it would do harm.
    #[inline(always)]
    fn without_guard(&self, steps: u64, victim: u64) -> u64 {
        let Some(guard) = &self.guard else { return 0 };
        let stalemates = |to: &u32| !guard.holds_after_king(*to, victim);
        Squares(steps).filter(stalemates).fold(0, |found, to| found | bit(to))
    }

    /// Castling, which gains what king and rook gain.
    #[inline(never)]
    fn list_castling(&self, scored: &mut Vec<u64>) {
        let &Node { board, king, their_king, .. } = self;
        for m in board.castling_moves().into_iter().flatten() {
            let refuted = board.castling_squares(KING, m).is_some_and(|(rook, king_to, rook_to)| {
                let gained_by = |values: &Values| {
                    gain_by(values, board, KING, m) + values.piece(ROOK, rook_to) - values.piece(ROOK, rook)
                };
                let checks = bit(their_king) & FIRST_RANK != 0
                    || rook_attacks(their_king, self.occupied) & bit(rook_to) != 0;
                let (from, to) = (bit(king) | bit(rook), bit(king_to) | bit(rook_to));
                let proved = !QUIET && !checks && !board.we_castle_as_in_chess960();
                proved && self.refutes(KING, gained_by, from, to, |_, _| true)
            });
            if !refuted {
                push(board, KING, m, scored);
            }
        }
    }
}
