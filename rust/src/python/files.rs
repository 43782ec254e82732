//! Files of positions: where they may be cut, and the positions of PGN as plain buffers.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyEOFError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::interrupt::detached;
use crate::pgn::columns::Columns;
use crate::pgn::frames::Frames;
use crate::pgn::{Selection, main_line, read_game};
use crate::records::{Cut, Piece, divide};
use crate::texts::Texts;

/// How much is read at once. Bytes.
const BUFFER: usize = 256 << 10;

/// The greatest window of a compressed file: what the format allows. Logarithm to the base of two.
const MOST_WINDOW: u32 = 31;

/// Texts of so many bytes are handed over, whatever the number of rows.
const MOST_BYTES: usize = 64 << 20;

type Source = Box<dyn BufRead + Send>;

/// A failure of a file as Python's exception: `EOFError` where the compression is cut short, else `OSError`.
struct Failure(io::Error);

impl From<Failure> for PyErr {
    fn from(Failure(error): Failure) -> PyErr {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => PyEOFError::new_err(error.to_string()),
            _ if error.raw_os_error().is_some() => error.into(),
            _ => PyOSError::new_err(error.to_string()),
        }
    }
}

fn open(path: &Path, compressed: bool, start: u64) -> io::Result<Source> {
    let mut file = File::open(path)?;
    if !compressed {
        if start > 0 {
            // A pipe is read from its beginning alone.
            file.seek(SeekFrom::Start(start))?;
        }
        return Ok(Box::new(BufReader::with_capacity(BUFFER, file)));
    }
    let mut decoder = zstd::stream::read::Decoder::new(file)?;
    decoder.window_log_max(MOST_WINDOW)?;
    Ok(Box::new(BufReader::with_capacity(BUFFER, decoder)))
}

/// Cuts a text file into pieces of whole records: (start, stop, line ends before, records) each, and the line at which a
/// quoted field begins that never ends. `separator` is that of CSV.
///
/// # Errors
/// `OSError` if the file cannot be read.
#[pyfunction]
#[pyo3(signature = (path, records, bytes, start, stop, before, separator, /))]
#[allow(clippy::too_many_arguments, clippy::type_complexity, clippy::needless_pass_by_value)] // as PyO3 has it
pub fn text_pieces(
    py: Python<'_>,
    path: PathBuf,
    records: u64,
    bytes: u64,
    start: u64,
    stop: u64,
    before: u64,
    separator: Option<u8>,
) -> PyResult<(Vec<(u64, u64, u64, u64)>, Option<u64>)> {
    let cut = Cut { records: records.max(1), bytes: bytes.max(1), start, stop, before };
    let (pieces, open_quote) = detached(py, |poll| {
        let source = open(&path, false, start).map_err(Failure)?;
        divide(source, separator, cut, poll).map_err(Failure)
    })?;
    let tuple = |piece: Piece| (piece.start, piece.stop, piece.before, piece.records);
    Ok((pieces.into_iter().map(tuple).collect(), open_quote))
}

/// Cuts a PGN file between games into pieces of about so many rows: (start, stop, games before) each, in bytes, or if it is
/// compressed in games.
///
/// # Errors
/// `OSError` if the file cannot be read, `EOFError` if its compression is cut short.
#[pyfunction]
#[pyo3(signature = (path, compressed, rows, every, skip, /))]
#[allow(clippy::needless_pass_by_value)] // as PyO3 has it
pub fn pgn_pieces(
    py: Python<'_>,
    path: PathBuf,
    compressed: bool,
    rows: usize,
    every: usize,
    skip: usize,
) -> PyResult<Vec<(u64, u64, u64)>> {
    let selection = Selection { every: every.max(1), skip };
    detached(py, |poll| {
        let mut frames = Frames::new(open(&path, compressed, 0).map_err(Failure)?, 0, u64::MAX, 0);
        let (mut pieces, mut count) = (Vec::new(), 0);
        let mut piece: Option<(u64, u64)> = None;
        while let Some(game) = frames.next_game().map_err(Failure)? {
            if poll() {
                return Err(Failure(io::ErrorKind::Interrupted.into()));
            }
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
    })
}

struct State {
    frames: Frames<Source>,
    selection: Selection,
    tags: Vec<String>,
    /// Games up to this number are passed over.
    before: u64,
    /// The number of the first game that is not read; none if the bytes say it.
    last: Option<u64>,
}

impl State {
    /// Passes over the games before the first.
    fn advance(&mut self, poll: &mut dyn FnMut() -> bool) -> io::Result<()> {
        while self.frames.number() < self.before {
            if self.frames.next_game()?.is_none() {
                break;
            }
            if poll() {
                return Err(io::ErrorKind::Interrupted.into());
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.last.is_some_and(|last| self.frames.number() + 1 >= last)
    }
}

/// A column: validity (none if nothing is null), offsets (none for numbers), data.
type Buffers<'py> = (Option<Bound<'py, PyBytes>>, Option<Bound<'py, PyBytes>>, Bound<'py, PyBytes>);

fn text_buffers<'py>(py: Python<'py>, texts: &Texts) -> Buffers<'py> {
    let (validity, offsets, data) = texts.buffers();
    let validity = validity.map(|validity| PyBytes::new(py, &validity));
    (validity, Some(PyBytes::new(py, &offsets)), PyBytes::new(py, data))
}

/// A game and what can be read of it: its number, where it begins in the file, its text, its tags, where in the text its
/// moves begin, the moves in UCI, and if that is not all of them why, and where in the text the others begin.
type Read<'py> =
    (u64, u64, Bound<'py, PyBytes>, Vec<(String, String)>, usize, Vec<String>, Option<String>, usize);

/// Positions of the games of a PGN file, in batches of columns.
#[pyclass(frozen, module = "betacut._betacut")]
pub struct PgnReader {
    state: Mutex<State>,
}

#[pymethods]
impl PgnReader {
    /// `start` and `stop` are bytes, at which games begin, and `before` is the number of games before them; or in a
    /// compressed file, numbers of games from 1.
    #[new]
    #[pyo3(signature = (path, compressed, start, stop, before, every, skip, tags, /))]
    #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // as PyO3 has it
    fn new(
        path: PathBuf,
        compressed: bool,
        start: u64,
        stop: u64,
        before: u64,
        every: usize,
        skip: usize,
        tags: Vec<String>,
    ) -> PyResult<PgnReader> {
        if every == 0 {
            return Err(PyValueError::new_err("every must be at least 1, not 0"));
        }
        let source = open(&path, compressed, start).map_err(Failure)?;
        let frames = if compressed {
            Frames::new(source, 0, u64::MAX, 0)
        } else {
            Frames::new(source, start, stop, before)
        };
        let state = State {
            frames,
            selection: Selection { every, skip },
            tags,
            before: if compressed { start.saturating_sub(1) } else { before },
            last: compressed.then_some(stop),
        };
        Ok(PgnReader { state: Mutex::new(state) })
    }

    /// The games of a text.
    #[staticmethod]
    fn of_text(text: Vec<u8>) -> PgnReader {
        let frames = Frames::of_text(Box::new(Cursor::new(text)) as Source);
        let selection = Selection { every: 1, skip: 0 };
        PgnReader { state: Mutex::new(State { frames, selection, tags: Vec::new(), before: 0, last: None }) }
    }

    /// Whole games until there are at least so many rows: how many rows, and the columns `fen`, `game` (int64), `ply`
    /// (int32), `move`, the tags, `error`. None at the end.
    #[allow(clippy::type_complexity)]
    fn read<'py>(&self, py: Python<'py>, rows: usize) -> PyResult<Option<(usize, Vec<Buffers<'py>>)>> {
        let columns = detached(py, |poll| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.advance(poll).map_err(Failure)?;
            let mut columns = Columns::new(state.tags.len());
            let State { frames, selection, tags, last, .. } = &mut *state;
            while columns.len() < rows.max(1) && columns.bytes() < MOST_BYTES {
                if last.is_some_and(|last| frames.number() + 1 >= last)
                    || !read_game(frames, *selection, tags, &mut columns).map_err(Failure)?
                {
                    break;
                }
                if poll() {
                    return Err(Failure(io::ErrorKind::Interrupted.into()));
                }
            }
            Ok::<Columns, Failure>(columns)
        })?;
        if columns.is_empty() {
            return Ok(None);
        }
        let games: Vec<u8> = columns.game.iter().flat_map(|game| game.to_le_bytes()).collect();
        let plies: Vec<u8> = columns.ply.iter().flat_map(|ply| ply.to_le_bytes()).collect();
        let mut buffers = vec![
            text_buffers(py, &columns.fen),
            (None, None, PyBytes::new(py, &games)),
            (None, None, PyBytes::new(py, &plies)),
            text_buffers(py, &columns.moves),
        ];
        buffers.extend(columns.tags.iter().map(|texts| text_buffers(py, texts)));
        buffers.push(text_buffers(py, &columns.error));
        Ok(Some((columns.len(), buffers)))
    }

    /// The next game as it stands in the file: its number, its text, and the bytes of the text at which its moves begin and
    /// at which each move of its main line ends; none at the end.
    #[allow(clippy::type_complexity)]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Option<(u64, Bound<'py, PyBytes>, Vec<usize>)>> {
        let game = detached(py, |poll| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.advance(poll).map_err(Failure)?;
            if state.is_over() {
                return Ok(None);
            }
            let game = state.frames.next_game().map_err(Failure)?;
            Ok::<_, Failure>(game.map(|game| (game.number, game.text.clone(), game.places().collect())))
        })?;
        Ok(game.map(|(number, text, places): (u64, Vec<u8>, Vec<usize>)| {
            (number, PyBytes::new(py, &text), places)
        }))
    }

    /// The next game, read as far as it can be; none at the end.
    fn game<'py>(&self, py: Python<'py>) -> PyResult<Option<Read<'py>>> {
        let found = detached(py, |poll| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.advance(poll).map_err(Failure)?;
            let game = state.frames.next_game().map_err(Failure)?;
            Ok::<_, Failure>(game.map(|game| {
                let (moves, fault) = main_line(game);
                let rest = game.moves.get(moves.len()).map_or(game.text.len(), |word| word.start);
                (
                    game.number,
                    game.offset,
                    game.text.clone(),
                    game.tags.clone(),
                    game.moves_at(),
                    moves,
                    fault,
                    rest,
                )
            }))
        })?;
        Ok(found.map(|(number, offset, text, tags, moves_at, moves, fault, rest)| {
            (number, offset, PyBytes::new(py, &text), tags, moves_at, moves, fault, rest)
        }))
    }

    /// Goes on in a compressed file with the games from `start` to before `stop`; false if it is past them.
    fn go_on(&self, start: u64, stop: u64) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.last.is_none() || state.frames.number() >= start {
            return false;
        }
        (state.before, state.last) = (start - 1, Some(stop));
        true
    }

    /// How many games were read, those before the first included.
    #[getter]
    fn number(&self) -> u64 {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).frames.number()
    }
}
