//! What a thread has learnt in its searches: which moves were good, and by how much static values were wrong.
//!
//! Each table keeps a number for a kind of move that goes up when such a move cuts and down when it was tried before the one
//! that did. The step gets smaller as the number nears its limit ("gravity"), so recent evidence counts most.
//!
//! Sources: J. Schaeffer, "The History Heuristic" (1983); chessprogramming.org "History Heuristic", "Static Evaluation Correction History".

use super::{evaluation::Board, evaluation::accumulator::PIECE_INDEX, parameters::Parameters};
use betacut_core::board::{BISHOP, Code, EMPTY, KNIGHT, Move, PAWN, QUEEN, ROOK, bit};
use betacut_core::score::Score;

/// The greatest number of a table.
pub const LIMIT: i32 = 16_384;
/// The greatest number of a correction.
const CORRECTION_LIMIT: i32 = 1_024;
/// Structures of pawns that the history of quiet moves tells apart.
const PAWN_STRUCTURES: usize = 512;
/// Entries of a table of corrections.
const CORRECTIONS: usize = 16_384;
/// Kinds of moves: by colour, piece and target.
pub const MOVE_KINDS: usize = 2 * 6 * 64;

/// What kind of move this is, for the histories of moves after it.
pub fn move_kind(board: &Board, m: Move) -> usize {
    (board.black as usize * 6 + PIECE_INDEX[board.code(m.from())]) * 64 + m.to() as usize
}

/// The moves that led to a node: one and two plies, and four plies before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// By plies before: 1, 2, 4. None at the root and after a pass.
    pub moves: [Option<u16>; 3],
}

type Table<const N: usize> = Box<[i16; N]>;

const CONTINUATIONS: usize = MOVE_KINDS * 6 * 64;

/// All tables of a thread.
pub struct Histories {
    /// `[colour][from attacked][to attacked][from][to]`.
    quiet: Table<{ 2 * 4 * 4096 }>,
    /// `[piece][to][captured]`.
    capture: Table<{ 2 * 6 * 64 * 6 }>,
    /// Replies, and moves that go on a plan: `[move before][piece][to]`.
    continuation: [Table<CONTINUATIONS>; 3],
    /// `[pawns][move]`.
    pawn_quiet: Table<{ PAWN_STRUCTURES * MOVE_KINDS }>,
    /// `[colour][pawns]`.
    pawn_correction: Table<{ 2 * CORRECTIONS }>,
    /// `[colour][pieces]`, for the pieces of each side.
    piece_correction: [Table<{ 2 * CORRECTIONS }>; 2],
    /// `[move before]`.
    move_correction: Table<{ 2 * MOVE_KINDS }>,
    /// `[colour][minor pieces]`, and of major ones.
    kind_correction: [Table<{ 2 * CORRECTIONS }>; 2],
    /// `[earlier move][last move]`.
    pair_correction: Table<CONTINUATIONS>,
}

#[allow(clippy::unnecessary_box_returns)] // too large for the stack
fn zeros<const N: usize>() -> Table<N> {
    vec![0; N].into_boxed_slice().try_into().expect("as many as were made")
}

/// Moves a number towards the bonus's sign.
fn learn(number: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let now = i32::from(*number);
    *number = (now + bonus - now * bonus.abs() / limit) as i16;
}

/// The pairs of the last move with those two plies and four plies before the node.
fn pairs(context: &Context) -> impl Iterator<Item = usize> {
    let [last, earlier @ ..] = context.moves;
    earlier.into_iter().filter_map(move |earlier| Some(Histories::reply_index(earlier?, last?)))
}

fn is_attacked(threats: u64, square: u32) -> usize {
    (threats & bit(square) != 0) as usize
}

/// A key of the knights and bishops, and one of the rooks and queens.
fn kind_keys(board: &Board) -> [u64; 2] {
    let part = |code: Code, factor: u64| {
        let (pieces, ours) = (board.pieces(code), board.ours);
        (pieces & ours).wrapping_mul(factor)
            ^ (pieces & !ours).wrapping_mul(factor.rotate_left(21)).swap_bytes()
    };
    [[KNIGHT, BISHOP], [ROOK, QUEEN]].map(|[a, b]| {
        let key = part(a, 0x9e37_79b9_7f4a_7c15) ^ part(b, 0xc2b2_ae3d_27d4_eb4f);
        key.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 32
    })
}

impl Default for Histories {
    fn default() -> Histories {
        Histories {
            quiet: zeros(),
            capture: zeros(),
            continuation: [zeros(), zeros(), zeros()],
            pawn_correction: zeros(),
            piece_correction: [zeros(), zeros()],
            move_correction: zeros(),
            pawn_quiet: zeros(),
            kind_correction: [zeros(), zeros()],
            pair_correction: zeros(),
        }
    }
}

/// Which table a place of the context has.
#[inline(always)]
fn table_of_place(place: usize, parameters: &Parameters) -> usize {
    if parameters.continuation_separate != 0 { place } else { place.min(1) }
}

/// The number added to history by a cutoff at a depth.
pub fn bonus(parameters: &Parameters, depth: i32) -> i32 {
    (parameters.bonus_slope * depth - parameters.bonus_base).min(parameters.bonus_limit).max(0)
}

/// The number taken from it.
pub fn malus(parameters: &Parameters, depth: i32) -> i32 {
    (parameters.malus_slope * depth - parameters.malus_base).min(parameters.malus_limit).max(0)
}

impl Histories {
    fn quiet_index(black: bool, m: Move, threats: u64) -> usize {
        let attacked = is_attacked(threats, m.from()) * 2 + is_attacked(threats, m.to());
        ((black as usize * 4 + attacked) * 64 + m.from() as usize) * 64 + m.to() as usize
    }

    #[inline(always)]
    fn capture_index(board: &Board, m: Move) -> usize {
        let captured = match board.code(m.to()) {
            EMPTY => PAWN,
            code => code,
        };
        move_kind(board, m) * 6 + PIECE_INDEX[captured]
    }

    fn continuation_index(board: &Board, before: u16, m: Move) -> usize {
        Histories::reply_index(before, move_kind(board, m) as u16)
    }

    fn pawn_index(board: &Board, m: Move) -> usize {
        let structure = board.carried.pawn_key as usize & (PAWN_STRUCTURES - 1);
        structure * MOVE_KINDS + move_kind(board, m)
    }

    /// Which side moves follows from the move before.
    fn reply_index(before: u16, kind: u16) -> usize {
        before as usize * (MOVE_KINDS / 2) + kind as usize % (MOVE_KINDS / 2)
    }

    #[inline]
    pub fn quiet(
        &self,
        board: &Board,
        m: Move,
        threats: u64,
        context: &Context,
        parameters: &Parameters,
    ) -> i32 {
        let threats = if parameters.threat_history != 0 { threats } else { 0 };
        let mut sum = i32::from(self.quiet[Histories::quiet_index(board.black, m, threats)]);
        if parameters.continuation_history != 0 {
            let kind = move_kind(board, m) as u16;
            let reply = |place: usize| match context.moves[place] {
                Some(before) => {
                    let table = &self.continuation[table_of_place(place, parameters)];
                    i32::from(table[Histories::reply_index(before, kind)])
                }
                None => 0,
            };
            sum += (reply(0) * parameters.continuation_1
                + reply(1) * parameters.continuation_2
                + reply(2) * parameters.continuation_4)
                / 128;
        }
        if parameters.pawn_history != 0 {
            sum +=
                i32::from(self.pawn_quiet[Histories::pawn_index(board, m)]) * parameters.pawn_history / 128;
        }
        sum
    }

    pub fn capture(&self, board: &Board, m: Move) -> i32 {
        i32::from(self.capture[Histories::capture_index(board, m)])
    }

    pub fn learn_quiet(
        &mut self,
        board: &Board,
        m: Move,
        threats: u64,
        context: &Context,
        bonus: i32,
        parameters: &Parameters,
    ) {
        let threats = if parameters.threat_history != 0 { threats } else { 0 };
        self.learn_squares(board.black, m, threats, bonus);
        self.learn_continuation(board, m, context, bonus, parameters);
        if parameters.pawn_history != 0 {
            learn(&mut self.pawn_quiet[Histories::pawn_index(board, m)], bonus, LIMIT);
        }
    }

    /// A quiet move of a side was good or bad, whatever came before.
    pub fn learn_squares(&mut self, black: bool, m: Move, threats: u64, bonus: i32) {
        learn(&mut self.quiet[Histories::quiet_index(black, m, threats)], bonus, LIMIT);
    }

    /// A move of a kind was good or bad after another one.
    pub fn learn_reply(&mut self, before: u16, kind: u16, bonus: i32) {
        learn(&mut self.continuation[0][Histories::reply_index(before, kind)], bonus, LIMIT);
    }

    /// A quiet move was good or bad after those before it.
    pub fn learn_continuation(
        &mut self,
        board: &Board,
        m: Move,
        context: &Context,
        bonus: i32,
        parameters: &Parameters,
    ) {
        for (place, before) in context.moves.iter().enumerate() {
            if let Some(before) = *before {
                let index = Histories::continuation_index(board, before, m);
                learn(&mut self.continuation[table_of_place(place, parameters)][index], bonus, LIMIT);
            }
        }
    }

    pub fn learn_capture(&mut self, board: &Board, m: Move, bonus: i32) {
        learn(&mut self.capture[Histories::capture_index(board, m)], bonus, LIMIT);
    }

    fn correction_index(board: &Board, key: u64) -> usize {
        board.black as usize * CORRECTIONS + (key as usize & (CORRECTIONS - 1))
    }

    /// By how much the evaluation of such positions was wrong; centipawns.
    pub fn correction(&self, board: &Board, context: &Context, parameters: &Parameters) -> Score {
        if parameters.correction == 0 {
            return 0;
        }
        let carried = &board.carried;
        let pawns = self.pawn_correction[Histories::correction_index(board, carried.pawn_key)];
        let pieces: i32 = (0..2)
            .map(|side| {
                let index = Histories::correction_index(board, carried.piece_keys[side]);
                i32::from(self.piece_correction[side][index])
            })
            .sum();
        let moves = context.moves[0].map_or(0, |before| {
            i32::from(self.move_correction[board.black as usize * MOVE_KINDS + before as usize])
        });
        (i32::from(pawns) * parameters.correction_pawns
            + pieces * parameters.correction_pieces
            + moves * parameters.correction_moves
            + self.further_correction(board, context, parameters))
            / CORRECTION_LIMIT
    }

    /// What the kinds of pieces and the pairs of moves say.
    fn further_correction(&self, board: &Board, context: &Context, parameters: &Parameters) -> i32 {
        let weights = [parameters.correction_minor, parameters.correction_major];
        let mut sum = 0;
        if weights != [0; 2] {
            for ((key, table), weight) in kind_keys(board).into_iter().zip(&self.kind_correction).zip(weights)
            {
                sum += weight * i32::from(table[Histories::correction_index(board, key)]);
            }
        }
        if parameters.correction_continuation != 0 {
            for index in pairs(context) {
                sum += parameters.correction_continuation * i32::from(self.pair_correction[index]);
            }
        }
        sum
    }

    /// The search of a position found `error` more than its static value.
    pub fn learn_correction(
        &mut self,
        board: &Board,
        context: &Context,
        depth: i32,
        error: Score,
        parameters: &Parameters,
    ) {
        let bonus = (error * depth * parameters.correction_gain / 1024)
            .min(parameters.correction_step)
            .max(-parameters.correction_step);
        let carried = &board.carried;
        let index = Histories::correction_index(board, carried.pawn_key);
        learn(&mut self.pawn_correction[index], bonus, CORRECTION_LIMIT);
        for side in 0..2 {
            let index = Histories::correction_index(board, carried.piece_keys[side]);
            learn(&mut self.piece_correction[side][index], bonus, CORRECTION_LIMIT);
        }
        if let Some(before) = context.moves[0] {
            let index = board.black as usize * MOVE_KINDS + before as usize;
            learn(&mut self.move_correction[index], bonus, CORRECTION_LIMIT);
        }
        if [parameters.correction_minor, parameters.correction_major] != [0; 2] {
            for (key, table) in kind_keys(board).into_iter().zip(&mut self.kind_correction) {
                learn(&mut table[Histories::correction_index(board, key)], bonus, CORRECTION_LIMIT);
            }
        }
        if parameters.correction_continuation != 0 {
            for index in pairs(context) {
                learn(&mut self.pair_correction[index], bonus, CORRECTION_LIMIT);
            }
        }
    }
}
