//! Where a text file may be cut: between records, which are lines, or rows of CSV with their quoted line ends.

use std::io::{self, BufRead};

/// A part of a file that holds whole records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins. Bytes.
    pub start: u64,
    /// Where it ends. Bytes.
    pub stop: u64,
    /// How many line ends are before it; of games, how many games.
    pub before: u64,
    /// How many records it has.
    pub records: u64,
}

/// How large pieces are, and where the first begins.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// Records of a piece, at least 1.
    pub records: u64,
    /// A piece that has so many bytes ends at the next record.
    pub bytes: u64,
    /// Where the first begins.
    pub start: u64,
    /// Where the last ends.
    pub stop: u64,
    /// How many line ends are before the first.
    pub before: u64,
}

/// Cuts what a reader, which stands at `cut.start`, has up to `cut.stop`. `separator` is that of CSV, none where records are
/// lines; those that begin with `#` are none then, nor are empty ones. The pieces, and the line from 1 at which a quoted field begins that does not end.
///
/// A quotation mark opens a field only at the field's beginning, and two of them inside stand for one.
///
/// # Errors
/// If the file cannot be read, or the poll says so (`Interrupted`).
pub fn divide(
    mut reader: impl BufRead,
    separator: Option<u8>,
    cut: Cut,
    poll: &mut dyn FnMut() -> bool,
) -> io::Result<(Vec<Piece>, Option<u64>)> {
    let mut pieces = Vec::new();
    let mut piece = Piece { start: cut.start, stop: cut.start, before: cut.before, records: 0 };
    let (mut at, mut lines) = (cut.start, cut.before);
    // At the beginning of a field; inside of quotation marks; after one that may have ended them.
    let (mut fresh, mut quoted, mut after_quote, mut opened) = (true, false, false, 0);
    let (mut is_empty, mut is_remark) = (true, false);
    while at < cut.stop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        if poll() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let length = bytes.len().min(usize::try_from(cut.stop - at).unwrap_or(usize::MAX));
        for &byte in &bytes[..length] {
            at += 1;
            lines += u64::from(byte == b'\n');
            if let Some(separator) = separator {
                if quoted {
                    quoted = byte != b'"';
                    after_quote = !quoted;
                    continue;
                }
                if byte == b'"' && (fresh || after_quote) {
                    if fresh {
                        opened = lines + 1;
                    }
                    (quoted, fresh, after_quote) = (true, false, false);
                    is_empty = false;
                    continue;
                }
                after_quote = false;
                fresh = byte == separator || byte == b'\n' || byte == b'\r';
            }
            if byte == b'\n' {
                piece.records += u64::from(!is_empty);
                is_empty = true;
                if piece.records >= cut.records || at - piece.start >= cut.bytes {
                    piece.stop = at;
                    pieces.push(piece);
                    piece = Piece { start: at, stop: at, before: lines, records: 0 };
                }
                is_remark = false;
            } else if separator.is_some() {
                is_empty &= byte == b'\r';
            } else if is_empty && !is_remark && !byte.is_ascii_whitespace() {
                is_remark = byte == b'#';
                is_empty = is_remark;
            }
        }
        reader.consume(length);
    }
    if at > piece.start {
        piece.stop = at;
        piece.records += u64::from(!is_empty);
        pieces.push(piece);
    }
    Ok((pieces, quoted.then_some(opened)))
}
