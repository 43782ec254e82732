//! Where the bytes of a file come from: the file itself, or what it was compressed from.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::{fs::File, path::Path};

/// How much is read at once. Bytes.
const BUFFER: usize = 256 << 10;

/// The greatest window of a compressed file: what the format allows. Logarithm to the base of two.
const MOST_WINDOW: u32 = 31;

/// What games and records are read from.
pub type Source = Box<dyn BufRead + Send>;

/// Opens a file at a byte, or one that Zstandard compressed at its beginning.
pub fn open(path: &Path, compressed: bool, start: u64) -> io::Result<Source> {
    let mut file = File::open(path)?;
    if !compressed {
        if start > 0 {
            // A pipe is read from its beginning alone.
            file.seek(SeekFrom::Start(start))?;
        }
        return plain(file, start);
    }
    let mut decoder = zstd::stream::read::Decoder::new(file)?;
    decoder.window_log_max(MOST_WINDOW)?;
    Ok(buffered(decoder))
}

/// What is read by large pieces, from wherever they come.
pub fn buffered(bytes: impl Read + Send + 'static) -> Source {
    Box::new(BufReader::with_capacity(BUFFER, bytes))
}

/// [`buffered`] of a file that is not compressed, from a byte on; fails if that is the first and the file is in UTF-16.
pub fn plain(bytes: impl Read + Send + 'static, start: u64) -> io::Result<Source> {
    let mut source = buffered(bytes);
    if start == 0 && matches!(source.fill_buf()?, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is in UTF-16; write it in UTF-8"));
    }
    Ok(source)
}
