//! Many positions as rows of a table: the threads of a [`Batch`] read, search and write pieces of them as columns; the
//! caller, who may hold what others wait for, appends the columns in order and does next to nothing a row.
//!
//! **What can go wrong.** A row may hold what this crate cannot read, or something else than a text. Then the thread
//! gives the piece back and says which rows; the caller reads those ([`Ask`]), and puts the piece in again, before all
//! others. What is wrong with a row is written into its column of errors, a panic included: no row ends the others.

use std::collections::{HashMap, VecDeque};
use std::{ops::Range, sync::Arc, time::Duration};

use shakmaty::Move;

use crate::many::batch::{self, Batch, PARTS_AHEAD, Unsolved, caught, part_size};
use crate::{many::columns::Columns, question::Answer};
use betacut_core::limits::{Poll, Stopped, check_memory};
use betacut_core::{fen::read_canonical, position::Position, score::Depth};

/// How long is waited for a piece before the caller is asked whether to stop. Shorter than the caller's own interval.
const PATIENCE: Duration = Duration::from_millis(10);

/// What is said about a row that holds nothing.
pub const MISSING: &str = "there is no position: the value is null";

/// What a row holds before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    /// A text: where it lies.
    Text(Range<usize>),
    Missing,
    /// Something that only the caller can read.
    Other,
}

/// The rows to search.
#[derive(Debug, Default)]
pub struct Rows {
    data: Vec<u8>,
    values: Vec<Value>,
}

impl Rows {
    /// Texts in `data`, each up to one of the `ends`, where `is_there` says so; none if the ends do not fit the data.
    pub fn new(data: Vec<u8>, ends: &[usize], is_there: impl Fn(usize) -> bool) -> Option<Rows> {
        let pairs = ends.windows(2).enumerate();
        let fits = ends.is_sorted() && ends.last().is_some_and(|&last| last <= data.len());
        let value = |(row, pair): (usize, &[usize])| {
            if is_there(row) { Value::Text(pair[0]..pair[1]) } else { Value::Missing }
        };
        if fits { Some(Rows { values: pairs.map(value).collect(), data }) } else { None }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The text of a row, if it holds one.
    pub fn text(&self, row: usize) -> Option<&[u8]> {
        match &self.values[row] {
            Value::Text(place) => Some(&self.data[place.clone()]),
            _ => None,
        }
    }

    /// A row more, with a text.
    pub fn push_text(&mut self, text: &str) {
        let start = self.data.len();
        self.data.extend_from_slice(text.as_bytes());
        self.values.push(Value::Text(start..self.data.len()));
    }

    /// A row more that holds nothing.
    pub fn push_missing(&mut self) {
        self.values.push(Value::Missing);
    }

    /// A row more that only the caller can read.
    pub fn push_other(&mut self) {
        self.values.push(Value::Other);
    }
}

/// A position, or what is wrong with it.
pub type Read = Result<Position<'static>, String>;

/// How the caller reads rows: those of these numbers, in their order. An error ends everything.
pub type Ask<'a, E> = dyn FnMut(&[usize]) -> Result<Vec<Read>, E> + 'a;

/// How a position is answered, with the line if it is wanted.
pub type Search = dyn Fn(&Position<'static>, Poll<'_>) -> Result<(Answer, Vec<Move>), Stopped> + Send + Sync;

/// Rows that are searched together.
#[derive(Clone, Debug, Default)]
struct Piece {
    rows: Range<usize>,
    /// Those of them that the caller has read.
    read: HashMap<usize, Read>,
}

/// What becomes of a piece.
enum Done {
    Searched(Box<Columns>),
    /// These rows have to be read first.
    Unread(Vec<usize>),
}

type Part = batch::Part<Piece, Done>;

/// Why not all rows were searched.
#[derive(Debug)]
pub enum Ended<E> {
    /// The search was stopped, or there is no memory.
    Stopped(Stopped),
    /// What the caller's reading returned.
    Asked(E),
}

/// What is asked about every row.
#[derive(Clone)]
pub struct Job {
    /// How a position is answered.
    pub search: Arc<Search>,
    /// Whether the best moves are wanted.
    pub with_best_moves: bool,
    /// How deep is searched; says how many rows are taken at once, nothing else.
    pub depth: Depth,
    /// Rows at a time.
    pub workers: usize,
}

/// Searches all rows and appends what is found to `columns`, in their order, also when it ends early.
pub fn search<E>(
    rows: &Arc<Rows>,
    job: &Job,
    ask: &mut Ask<'_, E>,
    poll: Poll<'_>,
    columns: &mut Columns,
) -> Result<(), Ended<E>> {
    let solver = {
        let (rows, job) = (Arc::clone(rows), job.clone());
        move |piece: Piece, stop: Poll<'_>| solve(&rows, &job, &piece, stop)
    };
    let queue = Queue {
        batch: Batch::new(job.workers, Box::new(solver)),
        ahead: VecDeque::new(),
        next: 0,
        rows: rows.len(),
        size: part_size(job.depth),
    };
    queue.run(ask, poll, columns)
}

/// The pieces, and how far they have come.
struct Queue {
    batch: Batch<Piece, Done>,
    ahead: VecDeque<(Range<usize>, Arc<Part>)>,
    /// The first row that is in no piece yet.
    next: usize,
    rows: usize,
    /// Rows of a piece.
    size: usize,
}

impl Queue {
    fn run<E>(mut self, ask: &mut Ask<'_, E>, poll: Poll<'_>, columns: &mut Columns) -> Result<(), Ended<E>> {
        loop {
            if poll() {
                self.hand_over(columns);
                return Err(Ended::Stopped(Stopped::Interrupted));
            }
            // 1. No worker waits for rows.
            let may_put = self.next < self.rows && self.ahead.len() < PARTS_AHEAD * self.batch.workers();
            if may_put && self.batch.is_short_of_work() {
                self.put()?;
                continue;
            }
            // 2. What is done is appended; what could not be read is read here.
            let Some((rows, part)) = self.ahead.front() else { return Ok(()) };
            match part.take() {
                None => {}
                Some(solved) => {
                    if let Some(unread) = append(rows, solved, columns).map_err(Ended::Stopped)? {
                        let read = ask(&unread).map_err(Ended::Asked)?;
                        let piece =
                            Piece { rows: rows.clone(), read: unread.into_iter().zip(read).collect() };
                        let again = self.batch.put_first(vec![piece]);
                        self.ahead[0].1 = again;
                    } else {
                        self.ahead.pop_front();
                    }
                    continue;
                }
            }
            // 3. Pieces are put in ahead.
            if may_put {
                self.put()?;
                continue;
            }
            // 4. The caller answers itself if there is no thread.
            if self.batch.is_alone() {
                self.batch.answer_here(poll);
                continue;
            }
            // 5. Waking up takes a processor from a worker, so the caller sleeps until there is more to do.
            let middle = &self.ahead[self.ahead.len() / 2].1;
            self.batch.wait(if middle.is_solved() { &self.ahead[0].1 } else { middle }, PATIENCE);
        }
    }

    fn put<E>(&mut self) -> Result<(), Ended<E>> {
        check_memory().map_err(Ended::Stopped)?;
        let rows = self.next..(self.next + self.size).min(self.rows);
        let piece = Piece { rows: rows.clone(), ..Piece::default() };
        let part = self.batch.put(vec![piece]);
        self.ahead.push_back((rows.clone(), part));
        self.next = rows.end;
        Ok(())
    }

    /// Appends what is done of the rows that come next.
    fn hand_over(&mut self, columns: &mut Columns) {
        while let Some((rows, part)) = self.ahead.pop_front()
            && let Some(solved) = part.take()
            && let Ok(None) = append(&rows, solved, columns)
        {}
    }
}

/// Appends the columns of a piece; if there are none, returns the rows that have to be read first.
fn append(
    rows: &Range<usize>,
    solved: Vec<batch::Solved<Done>>,
    columns: &mut Columns,
) -> Result<Option<Vec<usize>>, Stopped> {
    for done in solved {
        match done {
            Ok(Done::Searched(done)) => columns.append(&done),
            Ok(Done::Unread(unread)) => return Ok(Some(unread)),
            Err(Unsolved::Stopped(stopped)) => return Err(stopped),
            Err(Unsolved::Panic(text)) => {
                for _ in rows.clone() {
                    columns.push_error(&Unsolved::report(&text));
                }
            }
        }
    }
    Ok(None)
}

/// Reads a piece, and searches it if all of it can be read.
fn solve(rows: &Rows, job: &Job, piece: &Piece, stop: Poll<'_>) -> Result<Done, Stopped> {
    let mut positions = Vec::with_capacity(piece.rows.len());
    let mut unread = Vec::new();
    for row in piece.rows.clone() {
        match (&rows.values[row], piece.read.get(&row)) {
            (_, Some(read)) => positions.push(read.clone()),
            (Value::Missing, None) => positions.push(Err(MISSING.to_owned())),
            (_, None) => match rows.text(row).and_then(|text| read_canonical(str::from_utf8(text).ok()?)) {
                Some(position) => positions.push(Ok(position)),
                None => unread.push(row),
            },
        }
    }
    if !unread.is_empty() {
        return Ok(Done::Unread(unread));
    }
    let mut columns = Columns::default();
    for position in positions {
        match position.map(|position| (position.mode(), caught(|| (job.search)(&position, stop)))) {
            Ok((mode, Ok((answer, line)))) => columns.push(&answer, mode, job.with_best_moves, &line),
            Ok((_, Err(Unsolved::Stopped(stopped)))) => return Err(stopped),
            Ok((_, Err(Unsolved::Panic(text)))) => columns.push_error(&Unsolved::report(&text)),
            Err(error) => columns.push_error(&error),
        }
    }
    Ok(Done::Searched(Box::new(columns)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{line::search_with_line, question::Question};

    #[test]
    fn a_panic_is_the_error_of_its_row() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let mut rows = Rows::default();
        for clock in [1, 99, 1] {
            rows.push_text(&format!("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - {clock} 83"));
        }
        let search_one = |position: &Position<'static>, stop: Poll<'_>| {
            assert!(position.halfmove_clock() != 99, "a clock of 99");
            search_with_line(position, &Question::new(2), None, stop)
        };
        let job = Job { search: Arc::new(search_one), with_best_moves: true, depth: 2, workers: 2 };
        let mut columns = Columns::default();
        let done = search::<()>(&Arc::new(rows), &job, &mut |_| Err(()), &mut || false, &mut columns);
        std::panic::set_hook(hook);
        assert!(done.is_ok());
        assert_eq!(columns.rows(), 3);
        let errors = columns.buffers("error").unwrap();
        assert_eq!(errors.valid, Some(vec![0b010]));
        assert_eq!(errors.values[1], Unsolved::report("a clock of 99").into_bytes());
    }
}
