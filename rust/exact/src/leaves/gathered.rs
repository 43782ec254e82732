//! The replies that gain most, if the other side were to move now.

use betacut_core::board::{
    BISHOP, Board, Code, EMPTY, KNIGHT, Move, PAWN, ROOK, SEVENTH_RANK, Squares, THIRD_RANK, bishop_attacks,
    bit, flipped, knight_attacks, pawns_attack_down, pawns_attack_up, rook_attacks,
};
use betacut_core::score::Score;

/// How many replies are kept.
pub(super) const REPLIES: usize = 4;

/// The best replies found so far with what they gain, greatest gain first.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) list: [(Score, Move); REPLIES],
    pub(super) count: usize,
}

impl Gathered {
    #[inline(always)]
    fn add(&mut self, gain: Score, m: Move) {
        let mut place = self.count.min(REPLIES - 1);
        if self.count == REPLIES && self.list[place].0 >= gain {
            return;
        }
        while place > 0 && self.list[place - 1].0 < gain {
            self.list[place] = self.list[place - 1];
            place -= 1;
        }
        self.list[place] = (gain, m);
        self.count = (self.count + 1).min(REPLIES);
    }
}

/// Gathers the replies that gain most, and at least `least`.
#[inline(never)]
pub(super) fn gather<const TAPERED: bool>(board: &Board, least: Score) -> Gathered {
    let mut gathered = Gathered::default();
    let values = board.values;
    let ours = board.ours;
    let pawns = board.pawns();
    let occupied = board.occupied();
    let empty = !occupied;
    let theirs = board.theirs();
    let free = theirs & !board.blockers(board.their_king(), ours);
    let may_start_endgame = board.they_wait_for_endgame() && !(TAPERED && values.tapers().is_some());
    let starts_endgame = |victim: u32| may_start_endgame && board.has_low_material(ours & !bit(victim));
    let mut add = |code: Code, from: u32, to: u32| {
        let captured = board.code(to);
        let (values, change) = if TAPERED { board.without(captured) } else { (values, 0) };
        let gain = values.piece(code, flipped(to)) - values.piece(code, flipped(from))
            + values.piece(captured, to)
            - change;
        if gain >= least && !(captured & 3 != 0 && starts_endgame(to)) {
            gathered.add(gain, Move::new(from, to, EMPTY));
        }
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
    gathered
}
