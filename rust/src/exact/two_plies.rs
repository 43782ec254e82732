//! Two plies before the leaves.
use super::board::*;
use super::bounds;
use super::frontier;
use crate::score::Score;

/// A move of the other side that answers many of ours.
#[derive(Clone, Copy)]
struct Reply {
    gain: Score,
    /// Moves of ours that gain this level or more are not answered.
    level: usize,
    /// Moves of ours from or to these squares may make it illegal.
    from: u64,
    to: u64,
}

/// How many replies are kept.
const REPLIES: usize = 4;

struct Replies {
    list: [Reply; REPLIES],
    count: usize,
}

impl Replies {
    #[inline(always)]
    fn add(&mut self, reply: Reply) {
        let mut place = self.count;
        while place > 0 && self.list[place - 1].gain < reply.gain {
            if place < REPLIES {
                self.list[place] = self.list[place - 1];
            }
            place -= 1;
        }
        if place < REPLIES {
            self.list[place] = reply;
            self.count = (self.count + 1).min(REPLIES);
        }
    }
}

#[inline(never)]
fn gather(board: &Board, excess: Score, least: Score, replies: &mut Replies) {
    let ours = board.ours;
    let pawns = board.pawns();
    let occupied = board.occupied();
    let empty = !occupied;
    let theirs = board.theirs();
    let their_king = board.their_king();
    let wanted = bounds::level(least);
    let lines = rook_lines(their_king) | bishop_lines(their_king);
    let pinned = board.blockers(their_king, ours) & theirs;
    let their_free = theirs & !pinned;
    let starts_endgame = |victim: u32| {
        !board.endgame && pawns & bit(victim) == 0 && board.is_thin(theirs) && board.is_thin(ours & !bit(victim))
    };
    let victims = if least <= bounds::MOST_BY_PAWN { ours } else { ours & !pawns };
    let mut add = |code: Code, from: u32, to: u32, captured: Code| {
        // As they see it.
        let gain = value(code, turned(to)) - value(code, turned(from)) + value(captured, to);
        if gain < least || (captured & 3 != 0 && starts_endgame(to)) {
            return;
        }
        let line = if lines & bit(from) != 0 { line(their_king, from) } else { 0 };
        let path = between(from, to);
        let (leaves, enters) = if captured == EMPTY { (0, bit(to)) } else { (bit(to), 0) };
        replies.add(Reply {
            gain,
            level: bounds::level(gain - excess + 1),
            from: line | leaves,
            to: line | path | enters,
        });
    };
    let wanted_quiet = |code: Code, from: u32| bounds::at_least(code, turned(from), wanted).swap_bytes();
    for from in Squares(their_free & board.knights()) {
        let attacked = knight_attacks(from);
        for to in Squares(attacked & (victims | empty & wanted_quiet(KNIGHT, from))) {
            add(KNIGHT, from, to, board.code(to));
        }
    }
    let (diagonal, straight) = (board.diagonal_sliders(), board.straight_sliders());
    for from in Squares(their_free & diagonal) {
        let code = BISHOP + 2 * (straight >> from & 1) as usize;
        let attacked = bishop_attacks(from, occupied);
        for to in Squares(attacked & (victims | empty & wanted_quiet(code, from))) {
            add(code, from, to, board.code(to));
        }
    }
    for from in Squares(their_free & straight) {
        let code = ROOK + (diagonal >> from & 1) as usize;
        let attacked = rook_attacks(from, occupied);
        for to in Squares(attacked & (victims | empty & wanted_quiet(code, from))) {
            add(code, from, to, board.code(to));
        }
    }
    let their_pawns = their_free & pawns & !(0xff << 8);
    let steps = their_pawns >> 8 & empty;
    for to in Squares(steps & bounds::step_at_least(wanted).swap_bytes()) {
        add(PAWN, to + 8, to, EMPTY);
    }
    let doubles = (steps & 0xff << 40) >> 8 & empty;
    for to in Squares(doubles & bounds::double_at_least(wanted).swap_bytes()) {
        add(PAWN, to + 16, to, EMPTY);
    }
    for to in Squares(pawns_attack_down(their_pawns) & victims) {
        for from in Squares(pawns_attack_up(bit(to)) & their_pawns) {
            add(PAWN, from, to, board.code(to));
        }
    }
}

/// Lists the moves that no simple reply refutes, each with what it gains, as `gain << 16 | move`; None if the position
/// is one of the rare kinds.
#[inline(never)]
pub fn open_moves(board: &Board, t: Score, moves: &mut Vec<u64>) -> bool {
    let ours = board.ours;
    let pawns = board.pawns();
    let rare = board.clock >= CLOCK_LIMIT - 2
        || board.men <= 5
        || board.en_passant != NO_SQUARE
        || ours & pawns & SEVENTH_RANK != 0
        || !(t >= 1 || bounds::we_keep_a_move(board));
    if rare {
        return false;
    }
    let occupied = board.occupied();
    let empty = !occupied;
    let theirs = board.theirs();
    let (king, their_king) = (board.our_king(), board.their_king());
    // What a reply must gain beyond the move it answers.
    let excess = board.score() - t + 1;

    // 1. Replies: first those that answer any quiet move, then those that answer at least the poor ones.
    let mut replies = Replies { list: [Reply { gain: 0, level: 0, from: 0, to: 0 }; REPLIES], count: 0 };
    gather(board, excess, (excess + 40).max(10), &mut replies);
    if replies.count < 2 {
        replies.count = 0;
        gather(board, excess, (excess - 10).max(-30), &mut replies);
    }
    let replies = &replies.list[..replies.count];

    // 2. Our moves that are left.
    let (diagonal, straight) = (board.diagonal_sliders(), board.straight_sliders());
    let our_pinned = board.pinned();
    let uncovering = board.uncovering();
    let (diagonal_checks, straight_checks) =
        (bishop_attacks(their_king, occupied), rook_attacks(their_king, occupied));
    let mut list = |code: Code, from: u32, attacked: u64, checks: u64| {
        let quiet = attacked & empty;
        let mut open = quiet;
        if uncovering & bit(from) == 0 {
            let answerable = quiet & !checks;
            for reply in replies {
                if reply.from & bit(from) == 0 {
                    open &= !(answerable & !reply.to & !bounds::at_least(code, from, reply.level));
                }
            }
        }
        let mut open = open | attacked & theirs;
        if our_pinned & bit(from) != 0 {
            open &= line(king, from);
        }
        for to in Squares(open) {
            let gain = value(code, to) - value(code, from) + value(board.code(to), turned(to));
            moves.push(((gain + 4096) as u64) << 16 | u64::from(Move::new(from, to, EMPTY).0));
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
    // 3. Pawns.
    let our_pawns = ours & pawns;
    let pawn_checks = pawns_attack_down(bit(their_king));
    let steps = our_pawns << 8 & empty;
    let doubles = (steps & THIRD_RANK) << 8 & empty;
    let (mut open_steps, mut open_doubles) = (steps, doubles);
    for reply in replies {
        let from = reply.from | uncovering;
        let to = reply.to | pawn_checks;
        open_steps &= !(steps & !to & !(from << 8)) | bounds::step_at_least(reply.level);
        open_doubles &= !(doubles & !to & !(from << 16)) | bounds::double_at_least(reply.level);
    }
    let mut push = |from: u32, to: u32| {
        if our_pinned & bit(from) == 0 || line(king, from) & bit(to) != 0 {
            let gain = value(PAWN, to) - value(PAWN, from) + value(board.code(to), turned(to));
            moves.push(((gain + 4096) as u64) << 16 | u64::from(Move::new(from, to, EMPTY).0));
        }
    };
    for to in Squares(open_steps) {
        push(to - 8, to);
    }
    for to in Squares(open_doubles) {
        push(to - 16, to);
    }
    for to in Squares(pawns_attack_up(our_pawns) & theirs) {
        for from in Squares(pawns_attack_down(bit(to)) & our_pawns) {
            push(from, to);
        }
    }
    // 4. The king, whose steps change which pieces of ours are free: only where a stalemate does no harm.
    let quiet = king_attacks(king) & empty;
    let mut open = quiet;
    if t >= 1 && uncovering & bit(king) == 0 {
        for reply in replies {
            if reply.from & bit(king) == 0 {
                open &= !(quiet & !reply.to & !bounds::at_least(bounds::king_code(board.endgame), king, reply.level));
            }
        }
    }
    for to in Squares(open | king_attacks(king) & theirs) {
        if board.their_attackers(to, occupied ^ bit(king)) == 0 {
            let gain = king_value(board.endgame, to) - king_value(board.endgame, king) + value(board.code(to), turned(to));
            moves.push(((gain + 4096) as u64) << 16 | u64::from(Move::new(king, to, EMPTY).0));
        }
    }
    if board.castling & 3 != 0 {
        for m in board.castling_moves().into_iter().flatten() {
            moves.push(4096 << 16 | u64::from(m.0));
        }
    }
    let _ = frontier::leaf;
    true
}
