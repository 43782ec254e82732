//! Three plies before the leaves: which moves a known reply refutes.
//!
//! # The idea
//!
//! Where no move is good enough, the other side answers nearly all of them with the same few replies: those that held
//! after the moves before, here or at nodes nearby. A move need not be made to see that such a reply refutes it too.
//! The reply is made once, as if we passed; our next moves from there are looked at once, as at [`crate::leaves::one_ply_before`].
//! A move of ours is refuted if it *does not disturb the reply*, gains too little for our next move to make up for
//! it, and brings no next move that was not there before, or none that matters. Each of these is some operations on
//! sets of squares.
//!
//! # Contract
//!
//! [`Refuter::refutes`] is true only if the value of the move at depth 3 is below `beta`. False says nothing.
//!
//! # The proof
//!
//! Let `m` be our move, of the piece `X`; `r` their reply, no castling and no double step; `n` any next move
//! of ours. *After* is the board if we pass and they reply. The move is refuted by `r` if `r` is legal after `m`, and
//! if every `n` leaves a leaf worth less than `beta`.
//!
//! - **The reply is legal.** It is, if we pass. `m` does not end on a square that `r` passes or, `r` being quiet,
//!   enters; it neither takes what moves nor moves what is taken. If what moves stands on a line of their king, `m`
//!   neither starts nor ends on that line, so it changes no pin. `m` gives no check: `X` does not end where it would
//!   attack their king before `r`, and is no discoverer. If their king makes `r`, it leaves a check by `X`; `m` does not
//!   attack the square that it goes to: `X` does not end where it would (our king does not end beside it), and *after* we
//!   have no discoverer that could open a line to it.
//! - **A leaf's score** is that *after*, and what `m` and `n` gain in the phase of then. Only captures of their
//!   officers can change that phase, and only if we wait for the endgame ([`Board::we_wait_for_endgame`]); `m` takes
//!   an officer only where that leaves their low material what it was. So it may change by `n` alone: all gains are
//!   then greater by what the change adds, and the king, on whose square that depends, does not make the move `m`. Under
//!   the tapered rule `m` takes no officer, and what `n` adds by a change of the phase is known but for what `m` changes
//!   the slope by, which the tables limit ([`bounds::gain_later`]).
//! - **What `n` gains.** Quiet moves and castling: no more than the tables allow, wherever they come from. Captures
//!   that are there *after*: added up. Captures by `X` from its new square: looked at for each `m`. Captures along a
//!   line that `X` leaves: `X` was a *shield*, and is not refuted. No pawn promotes, for none stands on the seventh
//!   rank or steps there; no capture is en passant, for `r` is no double step.
//! - **No `n` discovers a check.** None does *after*. For `m` to change that, a piece of ours must come to stand
//!   alone between their king and a slider of ours: because `X` leaves the line, where it was the first or the second
//!   of ours that their king sees; because `X` takes what their king sees and stands before the slider itself; or
//!   because `X` is the slider, and ends behind the first of ours that their king sees.
//! - **No `n` mates by a check of its own.** Checks that are there *after* leave their king a *flight*: a square that
//!   none of our other pieces attacks. `m` keeps it one: `X` does not attack it, does not start alone between it and a
//!   slider of ours (pieces that check are as good as gone) or what checks, and ends elsewhere. `m` opens no square to
//!   check from: `X` does not start where a knight or a pawn of ours could go to check, or step over to check, nor first
//!   on a line of their king with such a square behind it; and it was no shield of one. Checks by `X` from its new
//!   square leave a flight of their own. Castling gives no check, whatever leaves its way.
//! - **No `n` stalemates**, where `beta <= 0`: they keep a move after any two moves of ours
//!   ([`bounds::they_keep_a_move`]). **We are not stalemated**, where `beta < 0`: see [`StalemateGuard`]. Being mated
//!   by `r` only helps them.
//! - **No draw**: seven men are left, of whom three moves take three, and the clock stays below 100.
//!
//! # What is let go
//!
//! Promotions, castling and en passant of ours; castling as a reply; replies after which a piece of ours may discover
//! a check, or a check may mate; moves that give check or pin. They are searched.
//!
//! Source: as [`crate::leaves::two_plies_before`].

use crate::bounds::{self, LastingGuard, StalemateGuard};
use crate::ordering::gain;
use betacut_core::board::{
    BISHOP, Board, CLOCK_LIMIT, Code, EMPTY, FIRST_RANK, KING, KNIGHT, Move, NO_SQUARE, PAWN, QUEEN, ROOK,
    SEVENTH_RANK, Squares, THIRD_RANK, attacks, between, bishop_attacks, bishop_lines, bit, flipped,
    king_attacks, knight_attacks, line, pawns_attack_down, pawns_attack_up, rook_attacks, rook_lines,
};
use betacut_core::score::{MATE, Score};

/// The rank where a double step ends.
const FOURTH_RANK: u64 = THIRD_RANK << 8;

/// Whether the proof applies to a position: no check, no promotion or en passant capture of ours, no castling of ours that
/// standard chess does not know, clock and men far from a draw.
#[inline(always)]
pub fn applies(board: &Board, beta: Score, checkers: u64) -> bool {
    checkers == 0
        && board.clock < CLOCK_LIMIT - 3
        && board.men > 6
        && board.en_passant == NO_SQUARE
        && board.ours & board.pawns() & SEVENTH_RANK == 0
        && !board.we_castle_as_in_chess960()
        && (1 - MATE..MATE).contains(&beta)
}

/// How many replies refute the moves of a node, and how many are looked at.
const REFUTERS: usize = 3;
const LOOKED_AT: usize = 4;

/// The replies that refute moves of one node.
pub struct Refuters<'v> {
    /// Whether we must keep a move after one more reply, too.
    lasting: bool,
    /// The first `count` are there.
    known: [Option<Refuter<'v>>; REFUTERS],
    count: usize,
    looked_at: [Move; LOOKED_AT],
    tries: usize,
}

impl<'v> Refuters<'v> {
    /// None yet. `lasting` replies refute only moves after which, one ply later, we surely keep a move.
    pub fn new(lasting: bool) -> Refuters<'v> {
        Refuters {
            lasting,
            known: Default::default(),
            count: 0,
            looked_at: [Move::NONE; LOOKED_AT],
            tries: 0,
        }
    }

    /// Adds a reply that has held, here or nearby, if there is room and it refutes anything; see [`Refuter::new`].
    #[inline(never)]
    pub fn add(&mut self, board: &Board<'v>, beta: Score, reply: Move) {
        if self.count == REFUTERS
            || self.tries == LOOKED_AT
            || reply == Move::NONE
            || self.looked_at[..self.tries].contains(&reply)
        {
            return;
        }
        self.looked_at[self.tries] = reply;
        self.tries += 1;
        let known = &mut self.known[self.count];
        *known = Refuter::new(board, beta, reply);
        if self.lasting && known.as_mut().is_some_and(|refuter| !refuter.last()) {
            *known = None;
        }
        self.count += usize::from(self.known[self.count].is_some());
    }

    /// Whether one of them refutes a legal move of ours.
    #[inline]
    pub fn refute(&self, board: &Board, m: Move) -> bool {
        let code = board.code(m.from());
        self.known[..self.count].iter().flatten().any(|refuter| refuter.refutes(board, code, m))
    }
}

/// A reply, and what it refutes.
pub struct Refuter<'v> {
    /// The board if we pass and they reply.
    after: Board<'v>,
    /// What two more moves of ours must gain together.
    need: Score,
    /// What our next move gains at most, as far as our first move has nothing to do with it.
    threat: Score,
    /// Whether a capture of ours may start the endgame.
    waits: bool,
    /// What the start of the endgame adds to a capture at most, our king staying where it is.
    extra: Score,
    /// Moves that start here are not refuted.
    start: u64,
    /// Captures that start here are not refuted.
    capture_start: u64,
    /// Moves that end here are not refuted.
    end: u64,
    /// Captures that end here are not refuted.
    capture_end: u64,
    /// By piece: moves that end here are not refuted.
    ends: [u64; 8],
    /// By piece: squares from which it gives check after the reply.
    checks: [u64; 8],
    /// Squares that their king needs to flee from our checks.
    flights: u64,
    /// Their king and the pieces of ours whose checks it flees: lines to the flights may lead through them.
    ghosts: u64,
    /// Squares that our bishops and queens, and our rooks and queens, attack after the reply, in all their ways.
    covered: [u64; 2],
    their_king: u32,
    ours: u64,
    theirs: u64,
    occupied: u64,
    /// What keeps us from being stalemated, if that would do harm.
    guard: Option<StalemateGuard>,
    /// What keeps us from being stalemated one reply later, if that is asked for.
    lasting: Option<LastingGuard>,
    /// What the reply captures.
    victim: u64,
}

impl<'v> Refuter<'v> {
    /// For a position where the proof [`applies`], the value asked for, and a move of theirs as they see it, which need
    /// not be legal. None if the reply refutes nothing.
    #[inline(never)]
    pub fn new(board: &Board<'v>, beta: Score, reply: Move) -> Option<Refuter<'v>> {
        // 1. The reply is legal if we pass.
        let passed = board.pass();
        let code = passed.code(reply.from());
        let doubles = code == PAWN && reply.to() == reply.from() + 16;
        if doubles || !passed.is_legal_ordinary(reply) {
            return None;
        }
        // 2. What is left to gain after it.
        let after = passed.make_keyless(reply);
        let need = after.need(beta);
        let threat = most_by_quiet(&after);
        if need <= threat || after.discoverers() != 0 || (beta <= 0 && !bounds::they_keep_a_move(&after)) {
            return None;
        }
        // 3. What it refutes.
        let mut refuter = Refuter::plain(board, after, need, reply);
        refuter.threat = threat;
        refuter.guard = (beta < 0).then(|| StalemateGuard::new(board));
        let refutes =
            refuter.castling_is_harmless() && refuter.pawns_are_harmless() && refuter.pieces_are_harmless();
        if !refutes {
            return None;
        }
        refuter.keep_flights();
        refuter.keep_lines();
        Some(refuter)
    }

    /// Makes it refute only moves after which, one ply later, we surely keep a move; false if these are none.
    pub fn last(&mut self) -> bool {
        self.lasting = LastingGuard::new(&self.after);
        self.lasting.is_some()
    }

    /// What the reply alone forbids.
    #[inline(always)]
    fn plain(board: &Board<'v>, after: Board<'v>, need: Score, reply: Move) -> Refuter<'v> {
        let (from, to) = (flipped(reply.from()), flipped(reply.to()));
        // Where their king is before the reply, and after.
        let (was, king) = (board.their_king(), after.their_king());
        let (ours, theirs, occupied) = (after.ours, after.theirs(), after.occupied());
        let pin = if (rook_lines(was) | bishop_lines(was)) & bit(from) == 0 { 0 } else { line(was, from) };
        let (victim, entered) = if board.code(to) == EMPTY { (0, bit(to)) } else { (bit(to), 0) };
        // What their king sees, before and after; and after, without our first piece on each line.
        let (diagonal_before, straight_before) =
            (bishop_attacks(king, board.occupied()), rook_attacks(king, board.occupied()));
        let checks = after.check_squares();
        let (diagonal, straight) = (checks[BISHOP], checks[ROOK]);
        let diagonal_beyond = bishop_attacks(king, occupied & !(diagonal & ours));
        let straight_beyond = rook_attacks(king, occupied & !(straight & ours));
        let (by_knight, by_pawn) = (checks[KNIGHT], checks[PAWN]);
        let mut ends = [0; 8];
        ends[BISHOP] = diagonal_before | diagonal_beyond;
        ends[ROOK] = straight_before | straight_beyond;
        ends[QUEEN] = ends[BISHOP] | ends[ROOK];
        ends[KNIGHT] = by_knight;
        ends[PAWN] = by_pawn | SEVENTH_RANK;
        ends[KING] = king_attacks(king);
        let waits = after.we_wait_for_endgame() && after.values.tapers().is_none();
        let extra = if waits { (after.kings_score(true) - after.kings_score(false)).max(0) } else { 0 };
        let start = pin | victim | board.discoverers() | entered_to_check(&after, by_knight, by_pawn);
        Refuter {
            need,
            threat: 0,
            waits,
            extra,
            start,
            capture_start: 0,
            end: pin | entered | between(from, to) | bit(from),
            capture_end: 0,
            ends,
            checks,
            flights: 0,
            ghosts: bit(king),
            covered: [0; 2],
            their_king: king,
            ours,
            theirs,
            occupied,
            guard: None,
            lasting: None,
            victim,
            after,
        }
    }

    /// Whether castling gives no check.
    #[inline(always)]
    fn castling_is_harmless(&self) -> bool {
        let may_castle = self.after.castling & 3 != 0;
        !may_castle || (self.checks[ROOK] & (bit(3) | bit(5)) == 0 && bit(self.their_king) & FIRST_RANK == 0)
    }

    /// Whether our pawns neither gain enough after the reply nor mate.
    #[inline(always)]
    fn pawns_are_harmless(&mut self) -> bool {
        let &mut Refuter { ours, theirs, occupied, .. } = self;
        let pawns = ours & self.after.pawns();
        let takes = pawns_attack_up(pawns) & theirs;
        for to in Squares(takes & self.victims(self.threat + 1)) {
            for from in Squares(pawns_attack_down(bit(to)) & pawns) {
                self.threaten(PAWN, from, to);
            }
        }
        let steps = pawns << 8 & !occupied;
        let doubles = (steps & THIRD_RANK) << 8 & !occupied;
        let checks = self.checks[PAWN];
        self.threat < self.limit()
            && Squares(takes & checks)
                .all(|to| Squares(pawns_attack_down(bit(to)) & pawns).all(|from| self.flees(PAWN, from, to)))
            && Squares(steps & checks).all(|to| self.flees(PAWN, to - 8, to))
            && Squares(doubles & checks).all(|to| self.flees(PAWN, to - 16, to))
    }

    /// Whether our other pieces neither gain enough after the reply nor mate; finds the shields.
    #[inline(always)]
    fn pieces_are_harmless(&mut self) -> bool {
        let &mut Refuter { ours, occupied, .. } = self;
        for from in Squares(ours & !self.after.pawns()) {
            let code = self.after.code(from);
            let attacked = attacks(code, from, occupied);
            for to in Squares(attacked & self.victims(self.threat + 1)) {
                self.threaten(code, from, to);
            }
            if self.threat >= self.limit() {
                return false;
            }
            let checks = attacked & self.checks[code] & !ours;
            if !Squares(checks).all(|to| self.flees(code, from, to)) {
                return false;
            }
            if code & 4 == 0 {
                for (index, covered) in self.covered.iter_mut().enumerate() {
                    *covered |= if code >> index & 1 != 0 { attacked } else { 0 };
                }
                self.find_shields(code, from, attacked);
            }
        }
        true
    }

    /// Notes what a capture that is there after the reply gains.
    #[inline(always)]
    fn threaten(&mut self, code: Code, from: u32, to: u32) {
        self.threat = self.threat.max(self.gain_of_capture(code, from, to));
    }

    /// No move of ours can be refuted if the next gains that much.
    #[inline(always)]
    fn limit(&self) -> Score {
        self.need + self.after.values.most_by_any_quiet()
    }

    /// Their pieces whose capture may gain that much.
    #[inline(always)]
    fn victims(&self, worth: Score) -> u64 {
        let board = &self.after;
        if board.values.tapers().is_some() {
            return bounds::victims_later(board, worth);
        }
        bounds::worth(board, self.theirs, false, worth - self.extra)
    }

    /// What the capture of one of their pieces, where it stands after the reply, gains at most.
    #[inline(always)]
    fn gain_of_capture(&self, code: Code, from: u32, to: u32) -> Score {
        let board = &self.after;
        if board.values.tapers().is_some() {
            return bounds::gain_later(board, code, from, to);
        }
        let squares = if code == KING && self.waits {
            let placed = |endgame| board.values.king(endgame, to) - board.values.king(endgame, from);
            placed(true).max(placed(false))
        } else if code == KING {
            board.values.king(board.endgame(), to) - board.values.king(board.endgame(), from)
        } else {
            board.values.piece(code, to) - board.values.piece(code, from)
        };
        squares + board.values.piece(board.code(to), flipped(to)) + self.extra
    }

    /// Whether their king has a flight from a check by a piece, whatever else stands between; remembers it.
    #[inline(always)]
    fn flees(&mut self, code: Code, from: u32, to: u32) -> bool {
        let occupied = self.occupied & !bit(from) & !bit(self.their_king) | bit(to);
        let flight = self.flight(code, to, occupied, bit(from));
        if flight == 0 {
            return false;
        }
        self.flights |= flight;
        self.ghosts |= bit(from);
        // What stands alone between the piece that checks and the flight has to stay.
        let lines = (if code & 1 != 0 { bishop_lines(to) } else { 0 })
            | (if code & 2 != 0 { rook_lines(to) } else { 0 });
        if code & 4 == 0 && lines & flight != 0 {
            let stay = between(to, flight.trailing_zeros()) & occupied;
            self.start |= if stay.is_power_of_two() { stay } else { 0 };
        }
        true
    }

    /// A square where their king is safe from a piece that gives check and from all of ours but those that are `gone`, if
    /// there is one; `occupied` is what stands on the board without the king.
    #[inline(never)]
    fn flight(&self, code: Code, checks_from: u32, occupied: u64, gone: u64) -> u64 {
        let guarded = attacks(code, checks_from, occupied);
        let squares = king_attacks(self.their_king) & !(self.theirs & !bit(checks_from)) & !guarded;
        let safe = |at: &u32| self.after.our_attackers(*at, occupied) & !gone == 0;
        let known = Squares(squares & self.flights).find(safe);
        known.or_else(|| Squares(squares & !self.flights).find(safe)).map_or(0, bit)
    }

    /// Finds the pieces of ours before a slider that must stay, lest it captures or gives check.
    #[inline(always)]
    fn find_shields(&mut self, code: Code, from: u32, attacked: u64) {
        let shields = attacked & self.ours & !self.start;
        self.capture_start |= shields;
        let most = self.after.values.most_by_any_quiet();
        for shield in Squares(shields) {
            let opened = attacks(code, from, self.occupied & !bit(shield)) & !attacked;
            let gains = |to| self.gain_of_capture(code, from, to) >= self.need - most;
            if opened & self.checks[code] & !self.ours != 0
                || Squares(opened & self.victims(self.need - most)).any(gains)
            {
                self.start |= bit(shield);
            }
        }
    }

    /// Forbids what would open a line to a flight or take it.
    #[inline(always)]
    fn keep_flights(&mut self) {
        let board = &self.after;
        for at in Squares(self.flights) {
            let sliders =
                rook_lines(at) & board.straight_sliders() | bishop_lines(at) & board.diagonal_sliders();
            for slider in Squares(sliders & self.ours) {
                let way = between(at, slider);
                let stay = way & self.occupied & !self.ghosts;
                if stay & stay.wrapping_sub(1) == 0 {
                    self.start |= if stay == 0 { way } else { stay };
                }
            }
        }
        self.end |= self.flights;
    }

    /// Forbids what would let a slider of ours give a check, or discover one, that it does not give after the reply.
    #[inline(always)]
    fn keep_lines(&mut self) {
        let &mut Refuter { ours, occupied, their_king: king, .. } = self;
        for (index, covered) in self.covered.into_iter().enumerate() {
            if covered == 0 {
                continue;
            }
            let code = BISHOP << index;
            let seen = self.checks[code];
            // 1. Our first piece on a line: it opens squares to check from, or bares the next piece.
            for first in Squares(seen & ours) {
                let opened = attacks(code, king, occupied & !bit(first)) & !seen;
                if (opened | bit(first)) & covered != 0 {
                    self.start |= bit(first);
                }
            }
            // 2. Our next piece behind it: it bares the first one.
            let beyond = attacks(code, king, occupied & !(seen & ours)) & !seen;
            self.start |= beyond & ours & covered;
            // 3. A piece that takes their first one stands before a slider.
            self.capture_end |= seen & covered;
        }
    }

    /// Whether the reply refutes a legal move of ours, of the piece `code`. Pawns on the seventh rank are none of the
    /// position's, so no move promotes.
    #[inline(never)]
    pub fn refutes(&self, board: &Board, code: Code, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        if (self.start & bit(from)) | ((self.end | self.ends[code & 7]) & bit(to)) != 0
            || (code == KING && (from.abs_diff(to) == 2 || self.waits))
            || (board.code(to) != EMPTY && !self.is_plain_capture(from, to))
            || !self.guard.as_ref().is_none_or(|guard| guard.holds_after(code, m, self.victim))
            || !self.lasting.as_ref().is_none_or(|guard| guard.holds_after(code, m))
        {
            return false;
        }
        let need = self.need - gain(&self.after, code, m);
        need > self.threat && self.next_is_harmless(code, from, to, need)
    }

    /// Whether a capture leaves the phase and the lines what they are.
    #[inline(always)]
    fn is_plain_capture(&self, from: u32, to: u32) -> bool {
        self.capture_start & bit(from) == 0
            && self.capture_end & bit(to) == 0
            && !self.after.changes_phase(self.theirs, to)
    }

    /// Whether the piece that has moved to `to` has no next move that gains `need` or mates.
    #[inline(always)]
    fn next_is_harmless(&self, code: Code, from: u32, to: u32, need: Score) -> bool {
        let occupied = self.occupied & !bit(from) & !bit(to);
        let attacked = attacks(code, to, occupied);
        if attacks(code, to, occupied & !self.ghosts) & self.flights != 0 {
            return false;
        }
        let theirs = self.theirs & !bit(to);
        let gains = |at| self.gain_of_capture(code, to, at) >= need;
        if Squares(attacked & theirs & self.victims(need)).any(gains) {
            return false;
        }
        let mut next = attacked & !(self.ours & !bit(from));
        if code == PAWN {
            next = attacked & theirs | bit(to) << 8 & !occupied;
        }
        let ghosts = bit(from) | bit(to) | bit(self.their_king);
        Squares(next & self.checks[code & 7]).all(|at| {
            let occupied = self.occupied & !ghosts | bit(at);
            self.flight(code, at, occupied, bit(from)) != 0
        })
    }
}

/// Squares of ours that a knight or a pawn of ours could enter, or step over, to give check from `by_knight` or
/// `by_pawn`.
#[inline(always)]
fn entered_to_check(board: &Board, by_knight: u64, by_pawn: u64) -> u64 {
    let knights = Squares(board.ours & board.knights()).fold(0, |found, from| found | knight_attacks(from));
    let steps = (board.ours & board.pawns()) << 8;
    by_knight & knights
        | by_pawn & steps
        | (by_pawn & FOURTH_RANK) >> 8 & steps
        | by_pawn & (steps & THIRD_RANK) << 8
}

/// What a quiet move or castling gains at most.
#[inline(always)]
fn most_by_quiet(board: &Board) -> Score {
    let values = board.values;
    let most = values.most_by_any_quiet();
    if board.castling & 3 != 0 { most + values.most_by_quiet(ROOK) } else { most }
}
