//! What the searches with a memory remember: results by position and depth, and the lines that belong to them.
//!
//! **Contract.** The key is the remaining depth with the original's `get_state_repr`: placement, side to move and
//! castling rights. It knows nothing of en passant, repetitions, clocks, nor of the path's score, on which the result
//! depends: the quirk of all the searches that remember. An entry is never old: the last result stands.
//!
//! **Cost.** 50 to 100 bytes for each position and depth. Positions are told apart by 128 bits.
//!
//! Source: the dictionaries of the original's searches.

use shakmaty::Move;

use super::evaluation::Evaluation;
use crate::Result;
use crate::dictionary::Dictionary;
use betacut_core::limits::{Headroom, Stopped};
use betacut_core::score::Score;
use betacut_core::window::Bound;

/// A result and what it proves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub found: NodeResult,
    pub bound: Bound,
}

/// What one search keeps, empty at first. Giving it back may take a while, so it is the caller's.
#[derive(Debug, Default)]
pub struct Memory {
    pub(super) memo: Memo,
    pub(super) lines: Lines,
}

/// Results by position and depth: [`Node::state_key_with`](crate::originals::node::Node::state_key_with) is the key.
pub(super) type Memo = Dictionary<Entry>;

/// A line of moves, as a number in [`Lines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineId(u32);

impl LineId {
    /// No moves.
    pub const EMPTY: LineId = LineId(u32::MAX);
}

/// Lines that share their ends: each is a move and the line after it.
#[derive(Debug, Default)]
pub(super) struct Lines {
    lines: Vec<(Move, LineId)>,
    headroom: Headroom,
}

impl Lines {
    /// The line of `m` and then `rest`.
    #[inline]
    pub fn push(&mut self, m: Move, rest: LineId) -> Result<LineId> {
        if self.lines.len() == self.lines.capacity() {
            self.headroom.take(2 * self.lines.capacity() * size_of::<(Move, LineId)>())?;
            self.lines.try_reserve(1).map_err(|_| Stopped::OutOfMemory)?;
        }
        let id = u32::try_from(self.lines.len()).ok().filter(|&id| id != LineId::EMPTY.0);
        self.lines.push((m, rest));
        Ok(LineId(id.ok_or(Stopped::OutOfMemory)?))
    }

    /// The moves of a line.
    pub fn moves(&self, line: LineId) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut rest = line;
        while rest != LineId::EMPTY {
            let (m, after) = self.lines[rest.0 as usize];
            moves.push(m);
            rest = after;
        }
        moves
    }

    /// The number of lines.
    #[inline]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Forgets the lines made since there were `len`.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.lines.truncate(len);
    }
}

/// What was found at a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeResult {
    /// In the view of the side that started the search.
    pub score: Score,
    /// Whether a tablebase was part of it.
    pub used_endgame: bool,
    /// The expected moves.
    pub line: LineId,
}

impl NodeResult {
    /// The value of a move after which nothing is searched.
    #[inline(always)]
    pub fn leaf(evaluation: Evaluation) -> NodeResult {
        NodeResult { score: evaluation.score, used_endgame: evaluation.used_endgame, line: LineId::EMPTY }
    }

    /// What was found below a move of this value.
    pub fn after(self, evaluation: Evaluation) -> NodeResult {
        NodeResult { used_endgame: self.used_endgame || evaluation.used_endgame, ..self }
    }
}
