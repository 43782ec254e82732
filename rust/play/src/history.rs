//! What a thread has learnt in its searches: which moves were good, and by how much static values were wrong.
//!
//! Each table keeps a number for a kind of move that goes up when such a move cuts and down when it was tried before the one
//! that did. The step gets smaller as the number nears its limit ("gravity"), so recent evidence counts most.
//!
//! Sources: J. Schaeffer, "The History Heuristic" (1983); chessprogramming.org "History Heuristic", "Static Evaluation Correction History".

use super::{evaluation::Board, evaluation::accumulator::PIECE_INDEX, parameters::Parameters};
use betacut_core::board::{Code, EMPTY, Move, PAWN, bit};
use betacut_core::score::Score;

/// The greatest number of a table.
pub const LIMIT: i32 = 16_384;
/// The greatest number of a correction.
const CORRECTION_LIMIT: i32 = 1_024;
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

/// Kinds of moves that may follow one: by piece and target.
const REPLIES: usize = 6 * 64;
const CONTINUATIONS: usize = MOVE_KINDS * REPLIES;
/// Pairs of squares, by whether each is attacked.
const SQUARES: usize = 4 * 4096;

/// All tables of a thread.
pub struct Histories {
    /// `[colour][from attacked][to attacked][from][to]`.
    quiet: Table<{ 2 * SQUARES }>,
    /// `[piece][to][captured]`.
    capture: Table<{ 2 * 6 * 64 * 6 }>,
    /// Replies, and moves that go on a plan: `[move before][piece][to]`.
    continuation: [Table<CONTINUATIONS>; 2],
    /// `[colour][pawns]`.
    pawn_correction: Table<{ 2 * CORRECTIONS }>,
    /// `[colour][pieces]`, for the pieces of each side.
    piece_correction: [Table<{ 2 * CORRECTIONS }>; 2],
    /// `[move before]`.
    move_correction: Table<{ 2 * MOVE_KINDS }>,
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

fn is_attacked(threats: u64, square: u32) -> usize {
    (threats & bit(square) != 0) as usize
}

/// The attacked squares that histories tell apart.
fn counted(threats: u64, parameters: &Parameters) -> u64 {
    if parameters.threat_history != 0 { threats } else { 0 }
}

/// Where a quiet move stands among those of its side.
#[inline(always)]
fn squares_index(m: Move, threats: u64) -> usize {
    let attacked = is_attacked(threats, m.from()) * 2 + is_attacked(threats, m.to());
    (attacked * 64 + m.from() as usize) * 64 + m.to() as usize
}

/// The histories of the quiet moves of a node: the rows of its tables that tell.
pub struct Quiets<'a> {
    squares: &'a [i16],
    threats: u64,
    rows: [&'a [i16]; 3],
    parts: [i32; 3],
}

impl Quiets<'_> {
    /// The history of a move by a piece of this code.
    #[inline(always)]
    pub fn of(&self, code: Code, m: Move) -> i32 {
        let kind = PIECE_INDEX[code] * 64 + m.to() as usize;
        let reply = |place: usize| i32::from(self.rows[place][kind]) * self.parts[place];
        i32::from(self.squares[squares_index(m, self.threats)]) + (reply(0) + reply(1) + reply(2)) / 128
    }
}

impl Default for Histories {
    fn default() -> Histories {
        Histories {
            quiet: zeros(),
            capture: zeros(),
            continuation: [zeros(), zeros()],
            pawn_correction: zeros(),
            piece_correction: [zeros(), zeros()],
            move_correction: zeros(),
        }
    }
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
    fn quiet_index(black: bool, m: Move, threats: u64, parameters: &Parameters) -> usize {
        black as usize * SQUARES + squares_index(m, counted(threats, parameters))
    }

    #[inline(always)]
    fn capture_index(board: &Board, m: Move) -> usize {
        let captured = match board.code(m.to()) {
            EMPTY => PAWN,
            code => code,
        };
        move_kind(board, m) * 6 + PIECE_INDEX[captured]
    }

    /// Which side moves follows from the move before.
    fn reply_index(before: u16, kind: u16) -> usize {
        before as usize * REPLIES + kind as usize % REPLIES
    }

    /// What is known of the quiet moves of a node.
    #[inline(always)]
    pub fn quiets(
        &self,
        black: bool,
        threats: u64,
        context: &Context,
        parameters: &Parameters,
    ) -> Quiets<'_> {
        let row = |place: usize| match context.moves[place] {
            Some(before) if parameters.continuation_history != 0 => {
                let at = Histories::reply_index(before, 0);
                &self.continuation[place.min(1)][at..at + REPLIES]
            }
            _ => &[0; REPLIES],
        };
        Quiets {
            squares: &self.quiet[black as usize * SQUARES..][..SQUARES],
            threats: counted(threats, parameters),
            rows: [row(0), row(1), row(2)],
            parts: [parameters.continuation_1, parameters.continuation_2, parameters.continuation_4],
        }
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
        self.learn_squares(board.black, m, threats, bonus, parameters);
        self.learn_continuation(board, m, context, bonus);
    }

    /// A quiet move of a side was good or bad, whatever came before.
    pub fn learn_squares(&mut self, black: bool, m: Move, threats: u64, bonus: i32, parameters: &Parameters) {
        learn(&mut self.quiet[Histories::quiet_index(black, m, threats, parameters)], bonus, LIMIT);
    }

    /// A move of a kind was good or bad after another one.
    pub fn learn_reply(&mut self, before: u16, kind: u16, bonus: i32) {
        learn(&mut self.continuation[0][Histories::reply_index(before, kind)], bonus, LIMIT);
    }

    /// A quiet move was good or bad after those before it.
    pub fn learn_continuation(&mut self, board: &Board, m: Move, context: &Context, bonus: i32) {
        for (place, before) in context.moves.iter().enumerate() {
            if let Some(before) = *before {
                let index = Histories::reply_index(before, move_kind(board, m) as u16);
                learn(&mut self.continuation[place.min(1)][index], bonus, LIMIT);
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
            + moves * parameters.correction_moves)
            / CORRECTION_LIMIT
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
    }
}
