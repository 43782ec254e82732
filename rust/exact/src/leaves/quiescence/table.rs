//! What is remembered of the last plies and of quiescence.

use std::cell::Cell;

use betacut_core::board::{Board, Move};
use betacut_core::score::{MATE, Score};

/// Answers found in one search, the latest of each place: whether positions reach a value.
#[derive(Default)]
pub struct QuietTable {
    entries: Vec<Known>,
    /// Which search this is: what an entry of another one says is not used, so that counts do not depend on the past.
    search: u32,
}

/// A position, and bounds of what was asked about it.
#[derive(Clone, Copy, Default)]
struct Known {
    /// The men as the side to move sees them.
    men: [u64; 4],
    question: Question,
    /// The move that reaches the lower bound, if it is known.
    best: Move,
    least: Score,
    most: Score,
    search: u32,
}

/// What is asked: how many plies before the leaves the position stands, and what its value depends on beside the men. No
/// corner of the clock may be near.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Question(u16);

impl Question {
    /// What captures gain. Neither rights nor en passant play a part.
    pub(super) const CAPTURES: Question = Question(0);

    /// One whose answer is not kept.
    const ONCE: Question = Question(u16::MAX);

    /// The value at depth 1 or 2. The table knows no rooks of Chess960: what depends on them is not kept.
    #[inline(always)]
    pub(super) fn value(board: &Board, depth: u16) -> Question {
        if board.is_chess960() {
            return Question::ONCE;
        }
        Question(depth | u16::from(board.castling) << 4 | u16::from(board.en_passant) << 8)
    }

    /// Captures have one half of the table, values the other: there are many more of the former.
    #[inline(always)]
    fn place(self, board: &Board) -> usize {
        let half = if self == Question::CAPTURES { 0 } else { PLACES };
        half + (board.products() as usize & (PLACES - 1))
    }
}

/// How many positions each half of a [`QuietTable`] holds.
const PLACES: usize = 1 << 13;

thread_local! {
    /// Entries and number of the last search of this thread: to make them takes as long as a search of depth 2.
    static SPARE: Cell<(Vec<Known>, u32)> = const { Cell::new((Vec::new(), 0)) };
}

impl QuietTable {
    /// Whether so much is reached, and by what move, if both are known.
    #[inline(always)]
    pub(super) fn look_up(&self, board: &Board, question: Question, least: Score) -> Option<(bool, Move)> {
        let known = self.entries.get(question.place(board))?;
        if known.men != board.men_by_plane() || known.search != self.search || known.question != question {
            None
        } else if known.least >= least {
            Some((true, known.best))
        } else {
            (known.most < least).then_some((false, Move::NONE))
        }
    }

    /// Keeps whether so much is reached, and by what move.
    pub(super) fn store(
        &mut self,
        board: &Board,
        question: Question,
        least: Score,
        reached: bool,
        best: Move,
    ) {
        if question == Question::ONCE {
            return;
        }
        if self.entries.is_empty() {
            self.begin();
        }
        let (least, most) = if reached { (least, INFINITE) } else { (-INFINITE, least - 1) };
        let known = Known { men: board.men_by_plane(), question, best, least, most, search: self.search };
        self.entries[question.place(board)] = known;
    }

    /// Takes the spare entries, or makes some.
    #[cold]
    fn begin(&mut self) {
        let (entries, last) = SPARE.try_with(Cell::take).unwrap_or_default();
        let search = last.wrapping_add(1);
        let is_usable = !entries.is_empty() && search != 0;
        self.entries = if is_usable { entries } else { vec![Known::default(); 2 * PLACES] };
        self.search = if is_usable { search } else { 1 };
    }
}

impl Drop for QuietTable {
    fn drop(&mut self) {
        if !self.entries.is_empty() {
            let _ = SPARE.try_with(|spare| spare.set((std::mem::take(&mut self.entries), self.search)));
        }
    }
}

/// More than any value.
const INFINITE: Score = MATE * 2;

#[cfg(test)]
mod tests {
    use super::*;
    use betacut_core::position::Position;

    /// What a search hardly meets: the same men, and something else that the value depends on.
    #[test]
    fn an_answer_is_that_of_its_question_alone() {
        let read = |rest: &str| {
            let fen = format!("4k3/8/8/3pP3/8/8/8/4K2R w {rest} 0 1");
            Board::new(&Position::from_fen(&fen).unwrap())
        };
        let boards = [read("K d6"), read("- d6"), read("K -"), read("- -")];
        for (index, asked) in boards.iter().enumerate() {
            let mut table = QuietTable::default();
            table.store(asked, Question::value(asked, 1), 20, false, Move::NONE);
            assert_eq!(table.look_up(asked, Question::CAPTURES, 20), None);
            for (other, board) in boards.iter().enumerate() {
                let known = [1, 2].map(|depth| table.look_up(board, Question::value(board, depth), 20));
                assert_eq!(known, [(index == other).then_some((false, Move::NONE)), None]);
            }
        }
    }
}
