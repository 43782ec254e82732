//! A part of a PGN file, read game by game.

use std::io::{self, Cursor};

use super::columns::Columns;
use super::frames::{Frames, Game};
use super::{Selection, read_game};
use crate::source::Source;
use betacut_core::limits::Poll;

/// Texts of so many bytes are handed over, whatever the number of rows.
const MOST_BYTES: usize = 64 << 20;

/// The games of a part of a file.
pub struct Reader {
    frames: Frames<Source>,
    /// Games up to this number are passed over.
    before: u64,
    /// The number of the first game that is not read; none if the bytes say it.
    last: Option<u64>,
}

impl Reader {
    /// `start` and `stop` are bytes, at which games begin, and `before` is the number of games before them; or in a
    /// compressed file, which is read from its beginning, numbers of games from 1.
    pub fn new(source: Source, compressed: bool, start: u64, stop: u64, before: u64) -> Reader {
        if compressed {
            let frames = Frames::new(source, 0, u64::MAX, 0);
            Reader { frames, before: start.saturating_sub(1), last: Some(stop) }
        } else {
            Reader { frames: Frames::new(source, start, stop, before), before, last: None }
        }
    }

    /// The games of a text.
    pub fn of_text(text: Vec<u8>) -> Reader {
        Reader { frames: Frames::of_text(Box::new(Cursor::new(text)) as Source), before: 0, last: None }
    }

    /// How many games were read, those before the first included.
    pub fn number(&self) -> u64 {
        self.frames.number()
    }

    /// Goes on in a compressed file with the games from `start` to before `stop`; false if it is past them.
    pub fn go_on(&mut self, start: u64, stop: u64) -> bool {
        if self.last.is_none() || self.number() >= start {
            return false;
        }
        (self.before, self.last) = (start - 1, Some(stop));
        true
    }

    fn is_over(&self) -> bool {
        self.last.is_some_and(|last| self.number() + 1 >= last)
    }

    /// Passes over the games before the first.
    fn advance(&mut self, poll: Poll<'_>) -> io::Result<()> {
        while self.number() < self.before {
            if self.frames.next_game(poll)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Whole games until there are at least so many rows, or 64 MiB of tags and FENs. Fails if the input does, or as
    /// [`io::ErrorKind::Interrupted`] if `poll` says so.
    pub fn rows(
        &mut self,
        rows: usize,
        selection: Selection,
        tags: &[String],
        poll: Poll<'_>,
    ) -> io::Result<Columns> {
        self.advance(poll)?;
        let mut columns = Columns::new(tags.len());
        while columns.len() < rows.max(1) && columns.bytes() < MOST_BYTES && !self.is_over() {
            if !read_game(&mut self.frames, selection, tags, &mut columns, poll)? {
                break;
            }
        }
        Ok(columns)
    }

    /// The next game as it stands in the file; none at the end of the part.
    pub fn next_game(&mut self, poll: Poll<'_>) -> io::Result<Option<&Game>> {
        self.advance(poll)?;
        if self.is_over() { Ok(None) } else { self.frames.next_game(poll) }
    }
}

/// Pieces of a file of about so many rows: (start, stop, games before), in bytes, or in games if it is compressed.
pub fn pieces(
    source: Source,
    compressed: bool,
    rows: usize,
    selection: Selection,
    poll: Poll<'_>,
) -> io::Result<Vec<(u64, u64, u64)>> {
    let mut frames = Frames::new(source, 0, u64::MAX, 0);
    let (mut pieces, mut count) = (Vec::new(), 0);
    let mut piece: Option<(u64, u64)> = None;
    while let Some(game) = frames.next_game(poll)? {
        let place = (if compressed { game.number } else { game.offset }, game.number - 1);
        if let Some((start, before)) = piece
            && count >= rows.max(1)
        {
            pieces.push((start, place.0, before));
            (piece, count) = (None, 0);
        }
        piece.get_or_insert(place);
        count += selection.count(game.moves.len()).max(usize::from(game.fault.is_some()));
    }
    if let Some((start, before)) = piece {
        let stop = if compressed { frames.number() + 1 } else { frames.read_so_far() };
        pieces.push((start, stop, before));
    }
    Ok(pieces)
}
