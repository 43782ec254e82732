//! Which move is searched first; the rest is not even listed until it is needed:
//!
//! 1. the move the table remembers, from this depth or from another;
//! 2. captures and promotions that do not lose at first sight, the most valuable victim first;
//! 3. killers: quiet moves that cut at this depth lately;
//! 4. all other moves: quiet ones by how often they cut lately, then by what they gain; losing captures last.
//!
//! **The price.** A move taken before its list exists is tested for legality by itself ([`Board::is_legal_ordinary`]) and
//! left out of the list later. The order decides how much is searched, never what is found.
//!
//! Sources: chessprogramming.org "Move Ordering", "MVV-LVA", "Killer Heuristic", "History Heuristic"; J. Schaeffer, "The
//! History Heuristic and Alpha-Beta Search Enhancements in Practice" (1989).

use betacut_core::board::{Board, Code, EMPTY, KING, Move, NO_SQUARE, PAWN, SEVENTH_RANK, bit, flipped};
use betacut_core::evaluation::Values;
use betacut_core::score::{Depth, MAX_DEPTH, Score};

/// What earlier nodes teach about quiet moves. Squares and colours are those of the side to move.
#[derive(Clone)]
pub struct History {
    /// By remaining depth.
    killers: Vec<[Move; 2]>,
    /// By colour, piece and target.
    earned: Box<[[[u32; 64]; 8]; 2]>,
    /// Two plies before the leaves, by colour: moves that no reply answered.
    refutations: [[Move; 2]; 2],
}

/// The most a quiet move can have earned; losing captures are below, all else is above.
const MOST_EARNED: u32 = 1 << 20;
const QUIET: u64 = 1 << 12;
/// More than a move gains or loses at once: positions are worth 90,000 centipawns at most, or 24ths of them.
pub const MOST_GAIN: Score = 1 << 23;

impl Default for History {
    fn default() -> History {
        History {
            killers: vec![[Move::NONE; 2]; MAX_DEPTH as usize + 2],
            earned: Box::new([[[0; 64]; 8]; 2]),
            refutations: [[Move::NONE; 2]; 2],
        }
    }
}

impl History {
    /// Learns that `best` cut a node after the quiet moves of `tried` had not.
    pub fn learn(&mut self, board: &Board, depth: Depth, best: Move, tried: &[u64]) {
        if !is_quiet(board, best) {
            return;
        }
        let killers = &mut self.killers[depth as usize];
        if killers[0] != best {
            *killers = [best, killers[0]];
        }
        let history = &mut self.earned[board.black as usize];
        let earned = &mut history[board.code(best.from())][best.to() as usize];
        *earned = (*earned + (depth * depth) as u32).min(MOST_EARNED);
        for m in tried.iter().map(|&pair| move_of(pair)) {
            if m != best && is_quiet(board, m) {
                let earned = &mut history[board.code(m.from())][m.to() as usize];
                *earned -= *earned / 16;
            }
        }
    }

    /// Moves that no reply answered lately; they need not be legal here.
    #[inline]
    pub fn refutations(&self, board: &Board) -> [Move; 2] {
        self.refutations[board.black as usize]
    }

    /// Moves of the side that is not to move, as it sees them, that no reply answered lately.
    #[inline]
    pub fn their_refutations(&self, board: &Board) -> [Move; 2] {
        self.refutations[!board.black as usize]
    }

    /// Learns a move that no reply answered.
    #[inline]
    pub fn learn_refutation(&mut self, board: &Board, m: Move) {
        let refutations = &mut self.refutations[board.black as usize];
        if refutations[0] != m {
            *refutations = [m, refutations[0]];
        }
    }
}

fn is_quiet(board: &Board, m: Move) -> bool {
    // Castling may end where the rook stands.
    board.theirs() & bit(m.to()) == 0 && m.promotion() == EMPTY
}

/// What a move changes the score by, phases and castling rooks aside.
#[inline(always)]
pub fn gain(board: &Board, code: Code, m: Move) -> Score {
    gain_by(board.values, board, code, m)
}

/// The same by the values of another phase.
#[inline(always)]
pub fn gain_by(values: &Values, board: &Board, code: Code, m: Move) -> Score {
    let squares = if code == KING {
        let king = |at: u32| values.king(board.endgame(), at);
        if board.ours & bit(m.to()) != 0 {
            return king(if m.to() > m.from() { 6 } else { 2 }) - king(m.from());
        }
        king(m.to()) - king(m.from())
    } else {
        let placed = if m.promotion() == EMPTY { code } else { m.promotion() };
        values.piece(placed, m.to()) - values.piece(code, m.from())
    };
    squares + values.piece(board.code(m.to()), flipped(m.to()))
}

/// Whether a legal move is neither a promotion nor en passant nor castling: it changes two squares, and its [`gain`] is all
/// that it changes the score by, phases aside.
#[inline(always)]
pub fn is_ordinary(board: &Board, code: Code, m: Move) -> bool {
    m.promotion() == EMPTY
        && (code != PAWN || m.to() != u32::from(board.en_passant))
        && board.castling_squares(code, m).is_none()
}

/// Packs a move with its rank.
#[inline(always)]
pub fn with_score(rank: u64, m: Move) -> u64 {
    rank << 16 | u64::from(m.0)
}

/// The move of a packed pair.
#[inline(always)]
pub fn move_of(pair: u64) -> Move {
    Move(pair as u16)
}

/// Brings the greatest of `scored` to the front; its move.
#[inline(always)]
pub fn greatest_first(scored: &mut [u64]) -> Move {
    let mut best = 0;
    for other in 1..scored.len() {
        if scored[other] > scored[best] {
            best = other;
        }
    }
    scored.swap(0, best);
    move_of(scored[0])
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    ListCaptures,
    Captures,
    Killer(usize),
    Rest,
    Listed,
}

/// Takes the moves of one node, best first. The lists live on a stack that all nodes of a search share.
pub struct Picker {
    stage: Stage,
    checkers: u64,
    table_move: Move,
    killers: [Move; 2],
    /// Moves given without a list: not to be given again.
    given: [Move; 3],
    first: usize,
    next: usize,
}

impl Picker {
    /// For a node; `scored` is the stack.
    pub fn new(depth: Depth, checkers: u64, table_move: Move, history: &History, scored: &[u64]) -> Picker {
        Picker {
            // In check there are few moves: they are listed at once.
            stage: if checkers == 0 { Stage::Table } else { Stage::Rest },
            checkers,
            table_move,
            killers: history.killers[depth as usize],
            given: [Move::NONE; 3],
            first: scored.len(),
            next: scored.len(),
        }
    }

    /// The next move.
    #[inline]
    pub fn next(&mut self, board: &Board, history: &History, scored: &mut Vec<u64>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::ListCaptures;
                    if self.table_move != Move::NONE && board.is_legal_ordinary(self.table_move) {
                        self.given[0] = self.table_move;
                        return Some(self.table_move);
                    }
                }
                Stage::ListCaptures => {
                    self.list_captures(board, scored);
                    self.stage = Stage::Captures;
                }
                Stage::Captures => {
                    // Losing captures stay on the stack for the last stage.
                    if self.next < scored.len() {
                        let m = greatest_first(&mut scored[self.next..]);
                        if scored[self.next] >> 16 >= QUIET {
                            self.next += 1;
                            return Some(m);
                        }
                    }
                    self.stage = Stage::Killer(0);
                }
                Stage::Killer(index) => {
                    self.stage = if index == 0 { Stage::Killer(1) } else { Stage::Rest };
                    let m = self.killers[index];
                    if m != Move::NONE
                        && m != self.given[0]
                        && is_quiet(board, m)
                        && board.is_legal_ordinary(m)
                    {
                        self.given[1 + index] = m;
                        return Some(m);
                    }
                }
                Stage::Rest => {
                    self.list_rest(board, history, scored);
                    scored[self.next..].sort_unstable_by(|a, b| b.cmp(a));
                    self.stage = Stage::Listed;
                }
                Stage::Listed => {
                    let m = move_of(*scored.get(self.next)?);
                    self.next += 1;
                    return Some(m);
                }
            }
        }
    }

    // Not inlined: the search is smaller without, and the processor's instruction cache is not.
    #[inline(never)]
    fn list_captures(&self, board: &Board, scored: &mut Vec<u64>) {
        let add = |m: Move| {
            if m != self.given[0] {
                scored.push(with_score(capture_rank(board, m), m));
            }
            false
        };
        if board.ours & board.pawns() & SEVENTH_RANK != 0 || board.en_passant != NO_SQUARE {
            board.any_legal_move_to(0, board.theirs(), true, add);
        } else {
            board.any_plain_capture(board.theirs(), add);
        }
    }

    #[inline(never)]
    fn list_rest(&self, board: &Board, history: &History, scored: &mut Vec<u64>) {
        let history = &history.earned[board.black as usize];
        let rank = |m: Move| {
            let code = board.code(m.from());
            if m == self.table_move {
                1 << 32
            } else if is_quiet(board, m) {
                let earned = if m == self.killers[0] || m == self.killers[1] {
                    MOST_EARNED
                } else {
                    history[code][m.to() as usize]
                };
                QUIET + u64::from(earned) + (gain(board, code, m) + MOST_GAIN) as u64
            } else {
                capture_rank(board, m)
            }
        };
        let mut add = |m: Move| {
            if !self.given.contains(&m) {
                scored.push(with_score(rank(m), m));
            }
            false
        };
        if self.checkers == 0 {
            board.any_legal_move_to(0, !board.occupied(), false, &mut add);
            if board.castling & 3 != 0 {
                board.castling_moves().into_iter().flatten().any(&mut add);
            }
        } else {
            board.any_legal_move(self.checkers, &mut add);
        }
    }

    /// The moves taken from the lists so far.
    pub fn tried<'a>(&self, scored: &'a [u64]) -> &'a [u64] {
        &scored[self.first..self.next]
    }

    /// Gives the part of the stack back.
    pub fn done(self, scored: &mut Vec<u64>) {
        scored.truncate(self.first);
    }
}

/// By the victim's value; below quiet moves if the taker is worth more and the square is defended.
#[inline]
fn capture_rank(board: &Board, m: Move) -> u64 {
    let code = board.code(m.from());
    let victim = board.values.piece(board.code(m.to()), flipped(m.to()));
    let taker = if code == KING { 0 } else { board.values.piece(code, m.from()) };
    let won = victim + if m.promotion() == EMPTY { 0 } else { board.values.piece(m.promotion(), m.to()) };
    let loses = taker > won + 50
        && code != PAWN
        && board.their_attackers(m.to(), board.occupied() & !bit(m.from())) != 0;
    if loses {
        (won + 1000 - taker).max(0) as u64
    } else {
        (1 << 24) + (won * 16 + 1000 - taker).max(0) as u64
    }
}
