//! The proofs: what a move can gain, and that a game does not end.
//!
//! The search leaves out moves because something is *known* about them, never because it is likely. Everything that it
//! may rely on is stated here, each with its reason; the two plies at the leaves apply it ([`crate::leaves::one_ply_before`],
//! [`crate::leaves::two_plies_before`]). Break one of these on purpose and the fuzzer finds a position that shows it
//! (`docs/verification.md`).
//!
//! # Values that no node can exceed
//!
//! [`of_node`]: a side is mated now at the worst, and mates with its next move at the best.
//!
//! # What a move gains
//!
//! [`Values`] has the proofs of what quiet moves and captures gain, derived from the tables of the
//! evaluation in use. What it says about captures holds as long as the capture does not start the endgame, which changes
//! the kings' tables; callers look out for that. An evaluation that has no such bounds is searched without the proofs
//! that need them ([`that_hold`]).
//!
//! Under the tapered rule the capture of an officer changes the phase, and with it what all other men are worth: by a step of
//! the phase for each unit of the victim's weight, times the slope of the position, which is known. Where another move of
//! ours comes before, the slope is what it was, give or take [`Tapers::most_slope`](betacut_core::evaluation::Tapers).
//!
//! # That the other side is not stalemated
//!
//! A stalemate is worth 0 whatever the score. Where a move is good because of its score, the reply must exist:
//!
//! - [`a_pawn_can_step`]: a pawn that stands on no line of its king is not pinned, and its step is legal unless its side
//!   is in check; then it is no stalemate.
//! - [`may_stalemate`]: the other side keeps a move if it has two pieces that one move cannot immobilise. Two are needed
//!   because our move may capture one of them, or stand before a pawn; it cannot do both, since it captures where a piece
//!   stands and a pawn steps where none does. One square to go to is enough for each: the only man of ours that has moved
//!   may stand on it, but then it can be taken, unless it stands before a pawn. A move can pin only what stands on a line
//!   of the king, and what is pinned along the way it moves goes on along the pin.
//! - [`StalemateGuard`]: we keep a move after our own move and the reply. Here one piece is enough if it has two squares,
//!   since callers leave out the piece that moves and the one that is taken: our move can stand on one
//!   square, and what the reply puts on another can be taken. Of pawns three are needed: one may move, or be blocked by
//!   our move, and the reply may take or block another. Where the king moves, the lines are those of the square that it
//!   goes to.

use super::question::Techniques;
use betacut_core::board::{
    BISHOP, Board, CLOCK_LIMIT, Code, EMPTY, FILE_A, FILE_H, FIRST_RANK, KING, KNIGHT, Move, NO_SQUARE,
    OUR_KING_SIDE, OUR_QUEEN_SIDE, PAWN, QUEEN, ROOK, SEVENTH_RANK, Squares, between, bishop_attacks,
    bishop_lines, bit, flipped, king_attacks, knight_attacks, pawns_attack_up, rook_attacks, rook_lines,
};
use betacut_core::evaluation::Values;
use betacut_core::evaluation::tapers::weight;
use betacut_core::score::{Depth, MATE, Score};

/// The least and the greatest value of a node with `depth` plies left, for the side to move.
pub const fn of_node(depth: Depth) -> (Score, Score) {
    (-MATE - depth, MATE + depth - 1)
}

/// The techniques that hold for an evaluation: those that rely on what a move gains need its bounds.
pub const fn that_hold(techniques: Techniques, values: &Values) -> Techniques {
    let has_bounds = values.has_bounds;
    Techniques {
        frontier: techniques.frontier && has_bounds,
        futility: techniques.futility && has_bounds,
        replies: techniques.replies && has_bounds,
        sibling_replies: techniques.sibling_replies && has_bounds,
        ..techniques
    }
}

/// What tells positions apart in a table: two numbers, and what makes one agree does not make the other agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableKey {
    /// The lower half chooses the bucket, the upper half is compared: the board's Zobrist key, a sum of its parts.
    pub index: u64,
    /// Compared too: products of its planes.
    pub check: u64,
}

impl TableKey {
    /// The part of `index` that is compared.
    #[inline(always)]
    pub const fn tag(self) -> u32 {
        (self.index >> 32) as u32
    }
}

/// The key under which a value at `depth` is stored. Where the halfmove clock can end the game within the depth, the
/// value depends on it, and so does the key. It depends too on whether leaves are valued by quiescence.
#[inline(always)]
pub fn table_key(board: &Board, depth: Depth, quiescence: bool) -> TableKey {
    let counts = board.clock as Depth + depth >= CLOCK_LIMIT as Depth;
    let clock = if counts { u64::from(board.clock) + 1 } else { 0 } | u64::from(quiescence) << 8;
    TableKey {
        index: board.key ^ clock.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        check: board.products() ^ clock.wrapping_mul(0xd6e8_feb8_6659_fd93),
    }
}

/// Their pieces whose capture may gain so much.
#[inline(always)]
pub fn victims(board: &Board, need: Score) -> u64 {
    worth(board, board.theirs(), board.we_wait_for_endgame(), need)
}

/// Our pieces whose capture may gain them so much, after a quiet move too.
#[inline(always)]
pub fn exposed(board: &Board, need: Score) -> u64 {
    worth(board, board.ours, board.they_wait_for_endgame(), need)
}

/// Those of a side whose capture may gain so much; `waiting` if it may start the endgame.
#[inline(always)]
pub fn worth(board: &Board, side: u64, waiting: bool, need: Score) -> u64 {
    let values = board.values;
    if need <= values.most_by_pawn {
        side
    } else if waiting {
        worth_waiting(board, side, need, side == board.ours)
    } else if need <= values.most_by_minor {
        side & !board.pawns()
    } else if need <= values.most_by_rook {
        side & board.straight_sliders()
    } else if need <= values.most_by_queen {
        side & board.straight_sliders() & board.diagonal_sliders()
    } else {
        0
    }
}

/// [`worth`] where a capture may change the phase, of a value above that of pawns; `later` if another move of ours may come
/// before.
#[inline(never)]
fn worth_waiting(board: &Board, side: u64, need: Score, later: bool) -> u64 {
    let values = board.values;
    let Some(tapers) = values.tapers() else { return side };
    let slope = if side == board.ours { board.slope() } else { -board.slope() };
    // What a step of the phase adds at most.
    let step = (slope + if later { tapers.most_slope } else { 0 }).max(0);
    let officers = side & !board.pawns();
    if need <= values.most_by_minor + step {
        officers
    } else if need <= values.most_by_rook + 2 * step {
        officers & board.straight_sliders()
    } else if need <= values.most_by_queen + 4 * step {
        officers & board.straight_sliders() & board.diagonal_sliders()
    } else {
        0
    }
}

/// Their pieces whose capture may gain so much after another move of ours that changes no phase.
#[inline(always)]
pub fn victims_later(board: &Board, need: Score) -> u64 {
    if board.values.tapers().is_some() && need > board.values.most_by_pawn {
        worth_waiting(board, board.theirs(), need, true)
    } else {
        victims(board, need)
    }
}

/// What a capture gains at most after another move of ours that changes no phase.
#[inline(always)]
pub fn gain_later(board: &Board, code: Code, from: u32, to: u32) -> Score {
    let Some(tapers) = board.values.tapers() else { return gain_of_capture(board, code, from, to) };
    gain_by_phase(board, code, from, to) + weight(board.code(to)) as Score * tapers.most_slope
}

/// [`gain_of_capture`] under the tapered rule, wherever our king comes from.
#[inline(never)]
fn gain_by_phase(board: &Board, code: Code, from: u32, to: u32) -> Score {
    let captured = board.code(to);
    let (values, change) = board.without(captured);
    values.placed(code, false, to) - values.placed(code, false, from)
        + values.piece(captured, flipped(to))
        + change
}

/// What a capture changes the score by; promotions and en passant captures are more.
#[inline(always)]
pub fn gain_of_capture(board: &Board, code: Code, from: u32, to: u32) -> Score {
    gain_of_capturing(board, board.code(to), code, from, to)
}

/// The same, if what is captured is known.
#[inline(always)]
fn gain_of_capturing(board: &Board, captured: Code, code: Code, from: u32, to: u32) -> Score {
    let mut gain = board.values.piece(code, to) - board.values.piece(code, from)
        + board.values.piece(captured, flipped(to));
    if code == KING || (board.we_wait_for_endgame() && captured & 3 != 0) {
        if captured & 3 != 0 && board.values.tapers().is_some() {
            return gain_by_phase(board, code, from, to);
        }
        let endgame = board.endgame()
            || (board.we_wait_for_endgame() && board.has_low_material(board.theirs() & !bit(to)));
        let king = if code == KING { to } else { board.our_king() };
        let kings =
            board.values.king(endgame, king) - board.values.king(endgame, flipped(board.their_king()));
        gain += kings - board.kings_score(board.endgame());
    }
    gain
}

/// The squares that sliders attack if `occupied` is what stands on the board.
#[inline(always)]
pub fn attacked_by_sliders(board: &Board, sliders: u64, occupied: u64) -> u64 {
    let mut attacked = 0;
    for from in Squares(sliders & board.diagonal_sliders()) {
        attacked |= bishop_attacks(from, occupied);
    }
    for from in Squares(sliders & board.straight_sliders()) {
        attacked |= rook_attacks(from, occupied);
    }
    attacked
}

/// The squares that knights attack.
#[inline(always)]
pub fn attacked_by_knights(knights: u64) -> u64 {
    let mut attacked = 0;
    for from in Squares(knights) {
        attacked |= knight_attacks(from);
    }
    attacked
}

/// The squares that some of our men attack, our king among them.
#[inline(always)]
pub fn attacked_by(board: &Board, men: u64, occupied: u64) -> u64 {
    attacked_by_sliders(board, men, occupied)
        | attacked_by_knights(men & board.knights())
        | pawns_attack_up(men & board.pawns())
        | king_attacks(board.our_king())
}

/// Whether the side to move may have a capture or a promotion that gains so much, more than nothing; false is certain.
#[inline]
pub fn may_gain(board: &Board, need: Score) -> bool {
    if any_promotion(board) || board.en_passant != NO_SQUARE {
        return true;
    }
    Captures::new(board, victims(board, need))
        .any(|capture| capture.gain >= need && !is_taken_back(board, capture, need))
}

/// A capture that may leave the king in check.
#[derive(Clone, Copy)]
pub struct Capture {
    /// What captures.
    pub code: Code,
    /// Where it stands.
    pub from: u32,
    /// Where the victim stands.
    pub to: u32,
    /// What it changes the score by.
    pub gain: Score,
}

/// Captures of some pieces: the most valuable victim first, taken by the least valuable piece. Promotions and en passant
/// captures are none of them.
pub struct Captures<'a> {
    board: &'a Board<'a>,
    victims: u64,
    captured: Code,
    to: u32,
    takers: u64,
}

impl<'a> Captures<'a> {
    /// Of these pieces, which has no king.
    #[inline(always)]
    pub fn new(board: &'a Board<'a>, mut victims: u64) -> Captures<'a> {
        // Most are not attacked: one look at all that we attack is cheaper than one at each square, even for two of them.
        if victims != 0 {
            victims &= attacked_by(board, board.ours, board.occupied());
        }
        Captures { board, victims, captured: EMPTY, to: 0, takers: 0 }
    }
}

impl Iterator for Captures<'_> {
    type Item = Capture;

    #[inline(always)]
    fn next(&mut self) -> Option<Capture> {
        let board = self.board;
        while self.takers == 0 {
            if self.victims == 0 {
                return None;
            }
            let (captured, kind) = most_valuable(board, self.victims);
            (self.captured, self.to) = (captured, kind.trailing_zeros());
            self.victims ^= bit(self.to);
            self.takers = board.our_attackers(self.to, board.occupied());
        }
        let (code, kind) = least_valuable(board, self.takers);
        let from = kind.trailing_zeros();
        self.takers ^= bit(from);
        let gain = gain_of_capturing(board, self.captured, code, from, self.to);
        Some(Capture { code, from, to: self.to, gain })
    }
}

/// What a capture that is taken back must lose to be looked at, in centipawns.
const WORTH_LOOKING: Score = 120;

/// Whether a capture whose victim is protected surely brings less than `need`, because the other side takes back: then neither
/// the score nor a capture of ours reaches it. Under the tapered rule nothing is known.
///
/// What takes back must leave its king safe; what we can take then, and with what, follows from the men that are left. No pawn
/// may stand on the seventh rank, lest one promotes then. Where we lose enough for the endgame, the exchange may start it, or
/// our next capture.
#[inline(never)]
pub fn is_taken_back(board: &Board, capture: Capture, need: Score) -> bool {
    let Capture { code, from, to, gain } = capture;
    let values = board.values;
    // What our next capture must gain.
    let mut left = need - gain + values.piece(code, to);
    if left <= WORTH_LOOKING
        || code == KING
        || board.ours & board.pawns() & SEVENTH_RANK != 0
        || values.tapers().is_some()
    {
        return false;
    }
    // 1. What takes back.
    let ours = board.ours & !bit(from);
    let takers = board.their_attackers(to, board.occupied() ^ bit(from));
    if takers == 0 {
        return false;
    }
    let (taker, kind) = least_valuable(board, takers);
    let back = kind.trailing_zeros();
    let occupied = board.occupied() ^ bit(from) ^ bit(back);
    let king = if taker == KING { to } else { board.their_king() };
    if board.our_attackers(king, occupied) & ours != 0 || (taker == PAWN && bit(to) & FIRST_RANK != 0) {
        return false;
    }
    // 2. The phase then.
    let mut endgame = board.endgame();
    let mut may_start_endgame = false;
    if !endgame && board.has_low_material(ours) {
        if taker == KING {
            return false;
        }
        let change = board.kings_score(true) - board.kings_score(false);
        endgame = board.has_low_material(board.theirs() & !bit(to));
        may_start_endgame = !endgame;
        if may_start_endgame {
            left -= change.max(0);
        } else if !board.we_wait_for_endgame() {
            left -= change;
        }
    }
    let placed = |at: u32| values.placed(taker, endgame, flipped(at));
    left += placed(to) - placed(back);
    // 3. What we can take then.
    let others = worth(board, board.theirs(), false, left) & !bit(back) & !bit(to);
    let victims = if taker == KING { others } else { others | bit(to) };
    for at in Squares(victims & attacked_by(board, ours, occupied)) {
        let victim = if at == to { placed(to) } else { values.piece(board.code(at), flipped(at)) };
        for third in Squares(board.our_attackers(at, occupied) & ours) {
            let code = board.code(third);
            let placed = |at: u32| values.placed(code, endgame, at);
            if victim + placed(at) - placed(third) >= left || (code == KING && may_start_endgame) {
                return false;
            }
        }
    }
    left > 0
}

/// The most valuable kind of piece in a set that is not empty and has no king, and those of that kind.
#[inline(always)]
fn most_valuable(board: &Board, set: u64) -> (Code, u64) {
    let (diagonal, straight) = (set & board.diagonal_sliders(), set & board.straight_sliders());
    if diagonal & straight != 0 {
        (QUEEN, diagonal & straight)
    } else if straight != 0 {
        (ROOK, straight)
    } else if diagonal != 0 {
        (BISHOP, diagonal)
    } else if set & board.knights() != 0 {
        (KNIGHT, set & board.knights())
    } else {
        (PAWN, set)
    }
}

/// The least valuable kind of piece in a set that is not empty, and those of that kind.
#[inline(always)]
fn least_valuable(board: &Board, set: u64) -> (Code, u64) {
    let (diagonal, straight) = (set & board.diagonal_sliders(), set & board.straight_sliders());
    if set & board.pawns() != 0 {
        (PAWN, set & board.pawns())
    } else if set & board.knights() != 0 {
        (KNIGHT, set & board.knights())
    } else if diagonal & !straight != 0 {
        (BISHOP, diagonal & !straight)
    } else if straight & !diagonal != 0 {
        (ROOK, straight & !diagonal)
    } else if diagonal != 0 {
        (QUEEN, diagonal)
    } else {
        (KING, set)
    }
}

/// Whether a pawn of the side to move can step or take to the last rank, pins aside.
#[inline(always)]
pub fn any_promotion(board: &Board) -> bool {
    let pawns = board.ours & board.pawns() & SEVENTH_RANK;
    pawns << 8 & !board.occupied() | pawns_attack_up(pawns) & board.theirs() != 0
}

/// Whether a pawn of theirs surely can step after a move of ours to `to`, unless they are in check.
#[inline(always)]
pub fn a_pawn_can_step(board: &Board, to: u32) -> bool {
    let king = board.their_king();
    let free = board.theirs() & board.pawns() & !rook_lines(king) & !bishop_lines(king) & !bit(to);
    free >> 8 & !board.occupied() & !bit(to) != 0
}

/// Whether one move of ours, of any kind, may leave the other side without a move; false is certain.
///
/// Counts pieces of theirs that one move of ours can immobilise only by capturing them, or a pawn by standing before
/// it. Two are needed, for the move may capture one. This holds for castling too, since a pawn that stands before a
/// square of the castling rook or king attacks the king's path; for promotions; and for captures, since a piece is
/// captured where it stands and a pawn steps where nothing does. En passant captures are the exception: callers make
/// them and look.
#[inline(always)]
pub fn may_stalemate(board: &Board) -> bool {
    stalemating_ends(board) != 0
}

/// Where a move of ours that stalemates ends, if [`may_stalemate`]: on the only piece of theirs that counts, on the only pawn
/// or before it, or anywhere if there is none. En passant captures are the exception again.
#[inline(always)]
pub fn stalemating_ends(board: &Board) -> u64 {
    let king = board.their_king();
    let theirs = board.theirs();
    let steps = their_steps(board, king);
    if at_least_two(steps) {
        return 0;
    }
    let pieces = Mobile::new::<1>(board, theirs).unpinnable(king);
    match (pieces, steps) {
        (0, 0) => !0,
        (0, step) => step | step << 8,
        (piece, 0) if !at_least_two(piece) => piece,
        _ => 0,
    }
}

/// Where pawns of theirs that no pin can keep from moving can step.
#[inline(always)]
fn their_steps(board: &Board, king: u32) -> u64 {
    let theirs = board.theirs();
    (theirs & board.pawns() & !rook_lines(king) & !bishop_lines(king)) >> 8 & !board.occupied()
}

/// The pieces of a side, king and pawns aside, that have squares to go to, pins aside.
#[derive(Clone, Copy, Default)]
struct Mobile {
    queens: u64,
    rooks: u64,
    bishops: u64,
    knights: u64,
}

impl Mobile {
    /// Those that have at least `SQUARES` of them, one or two. Of a slider the squares beside it count: if it can go far,
    /// it can go one step.
    #[inline(always)]
    fn new<const SQUARES: u32>(board: &Board, side: u64) -> Mobile {
        let free = !side;
        let (not_a, not_h) = (free & !FILE_A, free & !FILE_H);
        let straight = Beside::new([free >> 8, free << 8, not_a >> 1, not_h << 1]);
        let diagonal = Beside::new([not_a >> 9, not_h >> 7, not_a << 7, not_h << 9]);
        let enough = |beside: &Beside| if SQUARES == 1 { beside.one } else { beside.two };
        let both = enough(&straight) | enough(&diagonal) | straight.one & diagonal.one;
        let (bishops, rooks) = (side & board.diagonal_sliders(), side & board.straight_sliders());
        let can_go = |from: &u32| (knight_attacks(*from) & free).count_ones() >= SQUARES;
        Mobile {
            queens: bishops & rooks & both,
            rooks: rooks & !bishops & enough(&straight),
            bishops: bishops & !rooks & enough(&diagonal),
            knights: Squares(side & board.knights()).filter(can_go).fold(0, |found, from| found | bit(from)),
        }
    }

    /// All of them.
    #[inline(always)]
    const fn all(&self) -> u64 {
        self.queens | self.rooks | self.bishops | self.knights
    }

    /// Those of the side to move that have at least `least` squares, whichever.
    fn with(board: &Board, least: u32) -> Mobile {
        let mut mobile = Mobile::default();
        for from in Squares(board.ours & !board.pawns() & !board.kings()) {
            let code = board.code(from);
            let (around, kind) = match code {
                KNIGHT => (knight_attacks(from), &mut mobile.knights),
                BISHOP => (king_attacks(from) & bishop_lines(from), &mut mobile.bishops),
                ROOK => (king_attacks(from) & rook_lines(from), &mut mobile.rooks),
                _ => (king_attacks(from), &mut mobile.queens),
            };
            *kind |= if (around & !board.ours).count_ones() >= least { bit(from) } else { 0 };
        }
        mobile
    }

    /// Those that no pin can keep from moving where their king stands: any that stands on no line of it; a queen
    /// anywhere, a rook on its ranks and files and a bishop on its diagonals, for a piece that is pinned along the way it
    /// moves can go towards the piece that pins it.
    #[inline(always)]
    fn unpinnable(&self, king: u32) -> u64 {
        let (straight, diagonal) = (rook_lines(king), bishop_lines(king));
        self.queens
            | self.rooks & !diagonal
            | self.bishops & !straight
            | self.knights & !(straight | diagonal)
    }
}

/// Squares that are beside one or two squares of a set.
struct Beside {
    one: u64,
    two: u64,
}

impl Beside {
    /// For the squares that are beside one in each of four directions.
    #[inline(always)]
    const fn new([a, b, c, d]: [u64; 4]) -> Beside {
        Beside { one: a | b | c | d, two: a & b | c & d | (a | b) & (c | d) }
    }
}

/// Whether the other side surely keeps a move, or is in check, after any two moves of ours that neither promote nor take
/// en passant, the first of them not castling either; a move of theirs in between has been made already.
///
/// As in [`may_stalemate`], with one more: each of the two moves can immobilise one of those that count.
#[inline]
pub fn they_keep_a_move(board: &Board) -> bool {
    let king = board.their_king();
    let theirs = board.theirs();
    let steps = their_steps(board, king);
    let pieces = || Mobile::new::<1>(board, theirs).unpinnable(king).count_ones();
    let count = steps.count_ones();
    count >= 3 || count + pieces() >= 3
}

/// Of some pieces and pawns of ours, whether more than `spent` are left that are not pinned, if our king stands on a square.
/// Lines to it that are a pin as soon as three pieces have left them are spent, too, but no more than `opened` of them.
#[inline(never)]
fn more_than(board: &Board, units: u64, king: u32, spent: u32, opened: u32) -> bool {
    let occupied = board.occupied() & !bit(board.our_king());
    let straight = rook_lines(king) & board.straight_sliders();
    let snipers = (straight | bishop_lines(king) & board.diagonal_sliders()) & board.theirs();
    let (mut pinned, mut lines) = (0, 0);
    for sniper in Squares(snipers) {
        let shields = between(king, sniper) & occupied;
        if !at_least_two(shields) {
            pinned |= shields;
        } else if !at_least_two(without_one(without_one(without_one(shields)))) {
            lines += 1;
        }
    }
    (units & !pinned).count_ones() > spent + lines.min(opened)
}

/// Pawns of ours that nothing stands before.
#[inline(always)]
pub fn steppers(board: &Board) -> u64 {
    board.ours & board.pawns() & !(board.occupied() >> 8)
}

/// Those of some pieces that no line leads from to a king there.
#[inline(always)]
pub fn off_lines(pieces: u64, king: u32) -> u64 {
    pieces & !rook_lines(king) & !bishop_lines(king)
}

/// Where our king would stand if it castled.
#[inline(always)]
fn castled_kings(board: &Board) -> u64 {
    let to = |right: u8, at: u32| if board.castling & right == 0 { 0 } else { bit(at) };
    to(OUR_KING_SIDE, 6) | to(OUR_QUEEN_SIDE, 2)
}

/// A set without its first member.
#[inline(always)]
const fn without_one(set: u64) -> u64 {
    set & set.wrapping_sub(1)
}

#[inline(always)]
const fn at_least_two(set: u64) -> bool {
    without_one(set) != 0
}

/// Pieces of ours that keep a move after a move of ours and a reply, unless they move or are taken.
///
/// No pin can immobilise the *pieces*, and they have two squares to go to: our own move can block one, and what the other
/// side puts on another can be captured. *Pawns* stand on no line of our king and can step; our move can block one of
/// them or move it, and the reply can block or take another.
#[derive(Clone, Copy)]
pub struct StalemateGuard {
    /// Wherever our king stands.
    mobile: Mobile,
    steppers: u64,
    /// Where it stands now.
    pieces: u64,
    pawns: u64,
}

impl StalemateGuard {
    /// Those of the side to move.
    #[inline(always)]
    pub fn new(board: &Board) -> StalemateGuard {
        let king = board.our_king();
        let mobile = Mobile::new::<2>(board, board.ours);
        let steppers = steppers(board);
        StalemateGuard { mobile, steppers, pieces: mobile.unpinnable(king), pawns: off_lines(steppers, king) }
    }

    /// After a move that is not the king's: whether a piece or, of three pawns, one is left that keeps a move, those on
    /// `gone` not counted.
    #[inline(always)]
    pub const fn holds_without(&self, gone: u64) -> bool {
        let pawns = self.pawns & !gone;
        self.pieces & !gone != 0 || at_least_two(without_one(pawns))
    }

    /// After our king's step `to` a square: the same, except that two pawns are enough, for the king moves none of them, and
    /// blocks none that stands on no line of it.
    #[inline(always)]
    pub fn holds_after_king(&self, to: u32, gone: u64) -> bool {
        let pawns = off_lines(self.steppers, to);
        self.mobile.unpinnable(to) & !gone != 0 || at_least_two(pawns & !gone)
    }

    /// After any move of ours and any reply.
    ///
    /// A move moves one of those that count and may stand before a pawn; the reply takes one, or stands before a pawn. The king's
    /// steps do neither. Where that leaves too few, those that might be pinned count too: then the king may stand before a
    /// pawn, the reply may pin one, and both may open lines, en passant one more. After castling the rook can go where the
    /// king was, unless it is taken; nothing is said of castling in Chess960.
    #[inline(always)]
    pub fn holds_always(&self, board: &Board) -> bool {
        if board.we_castle_as_in_chess960() {
            return false;
        }
        let king = board.our_king();
        let pawns = |to: u32| off_lines(self.steppers, to);
        let all = self.mobile.all() | self.steppers;
        let after_step = |to: u32| {
            at_least_two(self.mobile.unpinnable(to) | pawns(to))
                || board.their_attackers(to, board.occupied() ^ bit(king)) != 0
                || more_than(board, all, to, 3, 1)
        };
        let opened = if board.en_passant == NO_SQUARE { 2 } else { 3 };
        (at_least_two(without_one(self.pieces))
            || at_least_two(without_one(without_one(self.pieces | self.pawns)))
            || more_than(board, all, king, 4, opened))
            && Squares(king_attacks(king) & !board.ours).all(after_step)
            && Squares(castled_kings(board))
                .all(|to| pawns(to) != 0 || more_than(board, self.steppers, to, 0, 1))
    }

    /// After a move of ours, of the king or not, and a reply that takes `victim`.
    #[inline(always)]
    pub fn holds_after(&self, code: Code, m: Move, victim: u64) -> bool {
        if code == KING {
            self.holds_after_king(m.to(), victim)
        } else {
            self.holds_without(bit(m.from()) | victim)
        }
    }
}

/// What keeps a move after two moves of ours, the first of them not the king's, and two replies, the first of them made
/// already.
///
/// As [`StalemateGuard`], with one move more, which moves one of those that count and may stand before a pawn. A piece has a
/// square more to go to, since each of our moves can block one.
#[derive(Clone, Copy)]
pub struct LastingGuard {
    pieces: u64,
    pawns: u64,
    /// Pieces of ours on squares where our king would spoil it.
    stay: u64,
    /// What attacks such squares, and what lies between.
    keep: u64,
}

impl LastingGuard {
    /// Those of the side to move; none if they never hold, nor with castling of Chess960.
    #[inline(never)]
    pub fn new(board: &Board) -> Option<LastingGuard> {
        if board.we_castle_as_in_chess960() {
            return None;
        }
        let king = board.our_king();
        let mobile = Mobile::with(board, 3);
        let steppers = steppers(board);
        let pawns = |king: u32| off_lines(steppers, king);
        let after_step = |to: u32| {
            let (pieces, pawns) = (mobile.unpinnable(to), pawns(to));
            at_least_two(without_one(pieces))
                || at_least_two(without_one(without_one(pieces | pawns)))
                || more_than(board, mobile.all() | steppers, to, 5, 2)
        };
        // The rook can go where the king was, unless it is taken.
        let after_castling =
            |to: u32| at_least_two(without_one(pawns(to))) || more_than(board, steppers, to, 2, 2);
        let mut guard =
            LastingGuard { pieces: mobile.unpinnable(king), pawns: pawns(king), stay: 0, keep: 0 };
        if !guard.holds(0, 0) || !Squares(castled_kings(board)).all(after_castling) {
            return None;
        }
        for to in Squares(king_attacks(king)).filter(|to| !after_step(*to)) {
            let attackers = board.their_attackers(to, board.occupied() ^ bit(king));
            if board.ours & bit(to) != 0 {
                guard.stay |= bit(to);
            } else if let Some(attacker) = Squares(attackers).next() {
                guard.keep |= bit(attacker) | between(to, attacker);
            } else {
                return None;
            }
        }
        Some(guard)
    }

    /// Whether something is left that keeps a move if the first move is this one. False for a move of the king.
    #[inline(always)]
    pub const fn holds_after(&self, code: Code, m: Move) -> bool {
        code != KING && self.holds(bit(m.from()), bit(m.to()))
    }

    /// The same for a move that starts on `from` and ends on `to`; what it moves is not counted. It may stand before a pawn;
    /// the second moves one of those that count and may stand before a pawn; the reply does one of the two.
    #[inline(always)]
    const fn holds(&self, from: u64, to: u64) -> bool {
        let pieces = self.pieces & !from;
        let both = pieces | self.pawns & !from;
        (self.stay & from) | (self.keep & to) == 0
            && (at_least_two(without_one(pieces))
                || at_least_two(without_one(without_one(without_one(both)))))
    }
}
