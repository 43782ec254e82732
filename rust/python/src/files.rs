//! Files of positions: where they may be cut, and the positions of PGN as plain buffers.

use std::{io, path::PathBuf, sync::Mutex};

use pyo3::exceptions::{PyEOFError, PyException, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::errors::{Error, locked};
use super::interrupt::{attached, detached};
use betacut_core::texts::Texts;
use betacut_files::pgn::{Reader, Selection, main_line, pieces};
use betacut_files::records::{Cut, Piece, divide};
use betacut_files::{Source, buffered, open, plain};

/// Python's exception for a failure of a file: `EOFError` where the compression is cut short, else `OSError`.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error(match error.kind() {
            io::ErrorKind::UnexpectedEof => PyEOFError::new_err(error.to_string()),
            _ if error.raw_os_error().is_some() => error.into(),
            _ => match error.downcast::<PyErr>() {
                Ok(error) => error,
                Err(error) => PyOSError::new_err(error.to_string()),
            },
        })
    }
}

/// What is read: a file, by its path, or a stream of Python's, of bytes that are somewhere else or were compressed.
#[derive(FromPyObject)]
pub enum Place {
    Path(PathBuf),
    Stream(Py<PyAny>),
}

impl Place {
    /// Opens it at a byte; what is compressed at its beginning.
    fn open(self, compressed: bool, start: u64) -> io::Result<Source> {
        let stream = match self {
            Place::Path(path) => return open(&path, compressed, start),
            Place::Stream(stream) => Stream(stream),
        };
        if compressed {
            return Ok(buffered(stream));
        }
        if start > 0 {
            stream.call("seek", start)?;
        }
        plain(stream, start)
    }
}

/// A stream of Python's.
struct Stream(Py<PyAny>);

impl Stream {
    fn call(&self, method: &'static str, number: u64) -> io::Result<Py<PyAny>> {
        let stream = Python::attach(|py| self.0.clone_ref(py));
        attached(move |py| stream.call_method1(py, method, (number,)).map_err(|error| told(py, error)))
    }
}

/// What a stream has raised. An error of its own, such as that of zlib, is one of the file.
fn told(py: Python<'_>, error: PyErr) -> io::Error {
    if error.is_instance_of::<PyEOFError>(py) {
        return io::Error::new(io::ErrorKind::UnexpectedEof, error.value(py).to_string());
    }
    if error.is_instance_of::<PyException>(py) && !error.is_instance_of::<PyOSError>(py) {
        return io::Error::other(PyOSError::new_err(error.value(py).to_string()));
    }
    io::Error::other(error)
}

impl io::Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let found = self.call("read", buffer.len() as u64)?;
        Python::attach(|py| {
            let bytes: &[u8] = found.extract(py).map_err(|error| io::Error::other(PyErr::from(error)))?;
            let room =
                buffer.get_mut(..bytes.len()).ok_or_else(|| io::Error::other("a stream gave too much"))?;
            room.copy_from_slice(bytes);
            Ok(bytes.len())
        })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // What a stream says when it is closed is of no use any more.
        let _ = Python::try_attach(|py| self.0.call_method0(py, "close").map(drop));
    }
}

/// Pieces of whole records (start, stop, line ends before, records), and the line of a quoted field that never ends.
#[pyfunction]
#[pyo3(signature = (place, records, bytes, start, stop, before, separator, /))]
pub fn text_pieces(
    py: Python<'_>,
    place: Place,
    records: u64,
    bytes: u64,
    start: u64,
    stop: u64,
    before: u64,
    separator: Option<u8>,
) -> PyResult<(Vec<(u64, u64, u64, u64)>, Option<u64>)> {
    let cut = Cut { records: records.max(1), bytes: bytes.max(1), start, stop, before };
    let (pieces, open_quote) = detached(py, |poll| divide(place.open(false, start)?, separator, cut, poll))?;
    let tuple = |piece: Piece| (piece.start, piece.stop, piece.before, piece.records);
    Ok((pieces.into_iter().map(tuple).collect(), open_quote))
}

/// Pieces of a PGN file of about so many rows: (start, stop, games before), in bytes, or in games if compressed.
#[pyfunction]
#[pyo3(signature = (place, compressed, rows, every, skip, /))]
pub fn pgn_pieces(
    py: Python<'_>,
    place: Place,
    compressed: bool,
    rows: usize,
    every: usize,
    skip: usize,
) -> PyResult<Vec<(u64, u64, u64)>> {
    let selection = Selection { every: every.max(1), skip };
    detached(py, |poll| pieces(place.open(compressed, 0)?, compressed, rows, selection, poll))
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
type Read = (u64, u64, Vec<u8>, Vec<(String, String)>, usize, Vec<String>, Option<String>, usize);

/// Positions of the games of a PGN file, in batches of columns.
#[pyclass(frozen, module = "betacut._betacut")]
pub struct PgnReader {
    reader: Mutex<Reader>,
    selection: Selection,
    tags: Vec<String>,
}

#[pymethods]
impl PgnReader {
    /// `start` and `stop` are bytes at which games begin, `before` games come first; if compressed, numbers from 1.
    #[new]
    #[pyo3(signature = (place, compressed, start, stop, before, every, skip, tags, /))]
    fn new(
        py: Python<'_>,
        place: Place,
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
        let source = detached(py, |_| place.open(compressed, start))?;
        let reader = Mutex::new(Reader::new(source, compressed, start, stop, before));
        Ok(PgnReader { reader, selection: Selection { every, skip }, tags })
    }

    /// The games of a text.
    #[staticmethod]
    fn of_text(text: Vec<u8>) -> PgnReader {
        let reader = Mutex::new(Reader::of_text(text));
        PgnReader { reader, selection: Selection { every: 1, skip: 0 }, tags: Vec::new() }
    }

    /// Rows of whole games, at least so many: their number, `fen`, `game`, `ply`, `move`, tags, `error`; none at the end.
    fn read<'py>(&self, py: Python<'py>, rows: usize) -> PyResult<Option<(usize, Vec<Buffers<'py>>)>> {
        let columns = detached(py, |poll| locked(&self.reader).rows(rows, self.selection, &self.tags, poll))?;
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

    /// The next game: its number, its text, and where its moves begin and each of the main line ends; none at the end.
    fn text(&self, py: Python<'_>) -> PyResult<Option<(u64, Vec<u8>, Vec<usize>)>> {
        detached(py, |poll| {
            let mut reader = locked(&self.reader);
            let game = reader.next_game(poll)?;
            Ok::<_, io::Error>(game.map(|game| (game.number, game.text.clone(), game.places().collect())))
        })
    }

    /// The next game, read as far as it can be; none at the end.
    fn game(&self, py: Python<'_>) -> PyResult<Option<Read>> {
        detached(py, |poll| {
            let mut reader = locked(&self.reader);
            let game = reader.next_game(poll)?;
            Ok::<_, io::Error>(game.map(|game| {
                let (moves, fault) = main_line(game);
                let rest = game.moves.get(moves.len()).map_or(game.text.len(), |word| word.start);
                let (text, tags) = (game.text.clone(), game.tags.clone());
                (game.number, game.offset, text, tags, game.moves_at, moves, fault, rest)
            }))
        })
    }

    /// Goes on in a compressed file with the games from `start` to before `stop`; false if it is past them.
    fn go_on(&self, py: Python<'_>, start: u64, stop: u64) -> bool {
        py.detach(|| locked(&self.reader).go_on(start, stop))
    }

    /// How many games were read, those before the first included.
    #[getter]
    fn number(&self, py: Python<'_>) -> u64 {
        py.detach(|| locked(&self.reader).number())
    }
}
