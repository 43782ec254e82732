//! Answers as columns, in plain buffers laid out as Arrow lays out its own: numbers in the machine's byte order, texts as
//! [`betacut_core::texts`] lays them out, and a bit a row that says whether there is a value.

use shakmaty::{CastlingMode, Move};

use crate::question::Answer;
use betacut_core::score::{MATE, moves_to_mate};
use betacut_core::texts::{Texts, bits};

/// A column: which rows have a value (none if all), and a buffer for numbers, or offsets and bytes of texts.
pub struct Buffers {
    /// A bit a row; none if every row has a value.
    pub valid: Option<Vec<u8>>,
    /// What the rows hold.
    pub values: Vec<Vec<u8>>,
}

/// A value a row, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers<T>(Vec<Option<T>>);

/// What was found for some rows, column by column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Centipawns, White's view, where there is no mate.
    pub cp: Numbers<i32>,
    /// The moves to a mate, as [`moves_to_mate`] counts them.
    pub mate: Numbers<i32>,
    /// The depth that was completed.
    pub depth: Numbers<i16>,
    /// What was counted.
    pub nodes: Numbers<i64>,
    /// The principal variation, in UCI notation, or nothing if it is not wanted.
    pub line: Texts,
    /// The best moves, in the same way.
    pub best_moves: Texts,
    /// Why there is nothing of all that.
    pub error: Texts,
}

impl Columns {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.error.rows()
    }

    /// A row more, with what was found, the best moves if they are wanted, and the line; castling is written by the mode.
    pub fn push(&mut self, answer: &Answer, mode: CastlingMode, with_best_moves: bool, line: &[Move]) {
        let mate = moves_to_mate(answer.score, answer.depth);
        debug_assert_eq!(mate.is_some(), answer.score.abs() >= MATE);
        self.cp.0.push(if mate.is_none() { Some(answer.score) } else { None });
        self.mate.0.push(mate);
        self.depth.0.push(Some(answer.depth as i16));
        self.nodes.0.push(Some(answer.counts.nodes as i64));
        push_moves(&mut self.line, mode, line);
        push_moves(&mut self.best_moves, mode, if with_best_moves { &answer.best_moves } else { &[] });
        self.error.push(None);
    }

    /// A row more, with what is wrong with it.
    pub fn push_error(&mut self, error: &str) {
        self.cp.0.push(None);
        self.mate.0.push(None);
        self.depth.0.push(None);
        self.nodes.0.push(None);
        self.line.push(None);
        self.best_moves.push(None);
        self.error.push(Some(error));
    }

    /// The rows of another, after those of this one.
    pub fn append(&mut self, other: &Columns) {
        self.cp.0.extend_from_slice(&other.cp.0);
        self.mate.0.extend_from_slice(&other.mate.0);
        self.depth.0.extend_from_slice(&other.depth.0);
        self.nodes.0.extend_from_slice(&other.nodes.0);
        self.line.append(&other.line);
        self.best_moves.append(&other.best_moves);
        self.error.append(&other.error);
    }

    /// The buffers of a column by its name; none if there is no such column.
    pub fn buffers(&self, name: &str) -> Option<Buffers> {
        Some(match name {
            "cp" => self.cp.buffers(i32::to_ne_bytes),
            "mate" => self.mate.buffers(i32::to_ne_bytes),
            "depth" => self.depth.buffers(i16::to_ne_bytes),
            "nodes" => self.nodes.buffers(i64::to_ne_bytes),
            "line" => text_buffers(&self.line),
            "best_moves" => text_buffers(&self.best_moves),
            "error" => text_buffers(&self.error),
            _ => return None,
        })
    }
}

impl<T: Copy + Default> Numbers<T> {
    fn buffers<const N: usize>(&self, bytes_of: fn(T) -> [u8; N]) -> Buffers {
        let values = self.0.iter().flat_map(|value| bytes_of(value.unwrap_or_default())).collect();
        Buffers { valid: bits(self.0.iter().map(Option::is_some)), values: vec![values] }
    }
}

/// Appends moves in UCI notation, with blanks between them.
fn push_moves(texts: &mut Texts, mode: CastlingMode, moves: &[Move]) {
    texts.push_with(|bytes| {
        for (index, &m) in moves.iter().enumerate() {
            if index > 0 {
                bytes.push(b' ');
            }
            m.to_uci(mode).append_ascii_to(bytes);
        }
    });
}

fn text_buffers(texts: &Texts) -> Buffers {
    let (valid, offsets, bytes) = texts.buffers();
    Buffers { valid, values: vec![offsets, bytes.to_vec()] }
}
