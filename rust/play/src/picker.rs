//! Moves one by one, the most promising first, in stages, each sorted only as far as it is read: the table's move, captures
//! that do not lose in the exchange, quiet moves by what histories say, and the losing captures.

use super::history::{Context, Histories};
use super::{evaluation::Board, parameters::Parameters, threats::Threats};
use betacut_core::board::{Code, EMPTY, EXCHANGE_VALUES, Move, PAWN, QUEEN, bit};

/// A move and how promising it is.
#[derive(Clone, Copy)]
pub struct Scored {
    score: i32,
    m: Move,
}

/// Which moves come next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    ListCaptures,
    Captures,
    ListQuiets,
    Quiets,
    LosingCaptures,
}

/// What the order depends on.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    pub board: &'a Board<'a>,
    pub checkers: u64,
    /// The move of the table, if it is legal here.
    pub table_move: Move,
    /// Moves that refuted nodes beside this one.
    pub killers: [Move; 2],
    pub threats: Threats,
    pub context: Context,
    pub quiets: bool,
}

/// Whether a move captures or promotes to a queen.
pub fn is_tactical(board: &Board, m: Move) -> bool {
    is_capture(board, m) || m.promotion() == QUEEN
}

pub fn is_capture(board: &Board, m: Move) -> bool {
    let code = board.code(m.from());
    (board.code(m.to()) != EMPTY && board.castling_squares(code, m).is_none())
        || (code == PAWN && m.to() == u32::from(board.en_passant))
}

/// The moves of one node; they stand in a list that all nodes of a line share.
pub struct Picker {
    stage: Stage,
    /// Where the moves of this node begin in the list.
    start: usize,
    /// The next one to be taken.
    next: usize,
    /// Where the losing captures end, which are kept at the beginning.
    losing: usize,
    /// Whether the quiet moves still to come are left out.
    skip_quiets: bool,
}

impl Picker {
    pub fn new(list: &[Scored]) -> Picker {
        let start = list.len();
        Picker { stage: Stage::Table, start, next: start, losing: start, skip_quiets: false }
    }

    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Gives the list back as it was.
    pub fn finish(&self, list: &mut Vec<Scored>) {
        list.truncate(self.start);
    }

    /// The next move, if there is one.
    pub fn next(
        &mut self,
        order: &Order<'_>,
        histories: &Histories,
        parameters: &Parameters,
        list: &mut Vec<Scored>,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::ListCaptures;
                    if order.table_move != Move::NONE {
                        return Some(order.table_move);
                    }
                }
                Stage::ListCaptures => {
                    list_captures(order, histories, parameters, list);
                    self.stage = Stage::Captures;
                }
                Stage::Captures => {
                    let Some(best) = self.take_best(list) else {
                        self.stage = Stage::ListQuiets;
                        continue;
                    };
                    let threshold = -best.score * parameters.see_ordering_part / 1024;
                    if parameters.see_ordering != 0 && !order.board.wins_exchange(best.m, threshold) {
                        list[self.losing] = best;
                        self.losing += 1;
                    } else {
                        return Some(best.m);
                    }
                }
                Stage::ListQuiets => {
                    self.stage = Stage::Quiets;
                    list.truncate(self.losing);
                    self.next = list.len();
                    if order.quiets && !self.skip_quiets {
                        list_quiets(order, histories, parameters, list);
                    }
                }
                Stage::Quiets => {
                    if !self.skip_quiets
                        && let Some(best) = self.take_best(list)
                    {
                        return Some(best.m);
                    }
                    self.stage = Stage::LosingCaptures;
                    self.next = self.start;
                }
                Stage::LosingCaptures => {
                    if self.next == self.losing {
                        return None;
                    }
                    self.next += 1;
                    return Some(list[self.next - 1].m);
                }
            }
        }
    }

    /// Whether the moves that come now lose in the exchange.
    pub fn is_losing(&self) -> bool {
        self.stage == Stage::LosingCaptures
    }

    /// The best of the moves not yet taken.
    fn take_best(&mut self, list: &mut [Scored]) -> Option<Scored> {
        let rest = &mut list[self.next..];
        let first = rest.first()?;
        let (mut best, mut index) = (first.score, 0);
        for (at, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > best {
                (best, index) = (scored.score, at);
            }
        }
        rest.swap(0, index);
        self.next += 1;
        Some(list[self.next - 1])
    }
}

fn list_captures(order: &Order<'_>, histories: &Histories, parameters: &Parameters, list: &mut Vec<Scored>) {
    let board = order.board;
    board.any_legal_move_to(order.checkers, board.theirs(), true, |m| {
        if m != order.table_move {
            // What is taken counts most, then what histories say.
            let captured = if m.to() == u32::from(board.en_passant) { PAWN } else { board.code(m.to()) };
            let mut score = EXCHANGE_VALUES[captured] * 16;
            if m.promotion() == QUEEN {
                score += EXCHANGE_VALUES[QUEEN] * 16;
            } else if m.promotion() != EMPTY {
                score -= EXCHANGE_VALUES[QUEEN] * 16;
            }
            if parameters.capture_history != 0 {
                score += histories.capture(board, m) * parameters.capture_history_part / 128;
            } else {
                score -= EXCHANGE_VALUES[board.code(m.from())];
            }
            list.push(Scored { score, m });
        }
        false
    });
}

fn list_quiets(order: &Order<'_>, histories: &Histories, parameters: &Parameters, list: &mut Vec<Scored>) {
    let board = order.board;
    let checks = board.check_squares();
    let quiets = histories.quiets(board.black, order.threats.all, &order.context, parameters);
    let mut add = |m: Move| {
        if m != order.table_move {
            let code = board.code(m.from());
            let mut score = quiets.of(code, m) + flight(code, m, &order.threats) * parameters.flight;
            if checks[code] & bit(m.to()) != 0 {
                score += parameters.quiet_checks;
            }
            if m == order.killers[0] {
                score += 1 << 17;
            } else if m == order.killers[1] {
                score += 1 << 16;
            }
            list.push(Scored { score, m });
        }
        false
    };
    board.any_legal_move_to(order.checkers, !board.occupied(), false, &mut add);
    if order.checkers == 0 && board.castling & 3 != 0 {
        board.castling_moves().into_iter().flatten().any(&mut add);
    }
}

/// What a move saves of the piece that moves, if a lesser one attacks it, or risks; its value.
fn flight(code: Code, m: Move, threats: &Threats) -> i32 {
    let attacked = threats.by_lesser(code);
    let is_attacked = |square: u32| (attacked >> square & 1) as i32;
    (is_attacked(m.from()) - is_attacked(m.to())) * EXCHANGE_VALUES[code]
}
