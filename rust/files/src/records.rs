//! Where a text file may be cut: between records, which are lines, or rows of CSV with their quoted line ends.

use std::io::{self, BufRead};

use betacut_core::limits::Poll;

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

/// The pieces as they are found, and where in the file that is.
struct Pieces {
    cut: Cut,
    done: Vec<Piece>,
    piece: Piece,
    at: u64,
    /// How many line ends there were.
    lines: u64,
    /// The record has nothing yet.
    is_empty: bool,
}

impl Pieces {
    /// A record ends here.
    fn end_record(&mut self) {
        self.lines += 1;
        self.piece.records += u64::from(!self.is_empty);
        self.is_empty = true;
        if self.piece.records >= self.cut.records || self.at - self.piece.start >= self.cut.bytes {
            self.piece.stop = self.at;
            self.done.push(self.piece);
            self.piece = Piece { start: self.at, stop: self.at, before: self.lines, records: 0 };
        }
    }

    fn finish(mut self) -> Vec<Piece> {
        if self.at > self.piece.start {
            self.piece.stop = self.at;
            self.piece.records += u64::from(!self.is_empty);
            self.done.push(self.piece);
        }
        self.done
    }
}

/// Cuts what a reader, which stands at `cut.start`, has up to `cut.stop`. `separator` is that of CSV, none where records are
/// lines; those that begin with `#` are none then. Empty lines are none either. The pieces, and the line from 1 at which a
/// quoted field begins that does not end.
///
/// A line ends with LF, CR LF or CR. A quotation mark opens a field only at its beginning, and two inside stand for one.
pub fn divide(
    mut reader: impl BufRead,
    separator: Option<u8>,
    cut: Cut,
    poll: Poll<'_>,
) -> io::Result<(Vec<Piece>, Option<u64>)> {
    let piece = Piece { start: cut.start, stop: cut.start, before: cut.before, records: 0 };
    let mut found = Pieces { cut, done: Vec::new(), piece, at: cut.start, lines: cut.before, is_empty: true };
    // At the beginning of a field; inside of quotation marks; after one that may have ended them.
    let (mut fresh, mut quoted, mut after_quote, mut opened) = (true, false, false, 0);
    let (mut after_return, mut is_remark) = (false, false);
    while found.at < cut.stop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        if poll() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let length = bytes.len().min(usize::try_from(cut.stop - found.at).unwrap_or(usize::MAX));
        for &byte in &bytes[..length] {
            if std::mem::take(&mut after_return) && byte != b'\n' {
                found.end_record();
                is_remark = false;
            }
            found.at += 1;
            if quoted {
                found.lines += u64::from(byte == b'\n');
                quoted = byte != b'"';
                after_quote = !quoted;
                continue;
            }
            if byte == b'"' && separator.is_some() && (fresh || after_quote) {
                if fresh {
                    opened = found.lines + 1;
                }
                (quoted, fresh, found.is_empty) = (true, false, false);
                continue;
            }
            after_quote = false;
            fresh = separator == Some(byte) || byte == b'\n' || byte == b'\r';
            match byte {
                b'\n' => {
                    found.end_record();
                    is_remark = false;
                }
                b'\r' => after_return = true,
                _ if separator.is_some() => found.is_empty = false,
                _ if found.is_empty && !is_remark && !byte.is_ascii_whitespace() => {
                    is_remark = byte == b'#';
                    found.is_empty = is_remark;
                }
                _ => {}
            }
        }
        reader.consume(length);
    }
    Ok((found.finish(), quoted.then_some(opened)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, separator: Option<u8>, records: u64) -> (Vec<(String, u64)>, Option<u64>) {
        let cut = Cut { records, bytes: u64::MAX, start: 0, stop: text.len() as u64, before: 0 };
        // However little is read at once.
        let reader = std::io::BufReader::with_capacity(1, text.as_bytes());
        let (pieces, open) = divide(reader, separator, cut, &mut || false).expect("it can be read");
        let piece =
            |piece: &Piece| (text[piece.start as usize..piece.stop as usize].to_owned(), piece.before);
        (pieces.iter().map(piece).collect(), open)
    }

    fn texts(text: &str, separator: Option<u8>) -> Vec<String> {
        cut(text, separator, 1).0.into_iter().map(|(text, _)| text).collect()
    }

    #[test]
    fn lines_end_in_three_ways() {
        assert_eq!(texts("a\nb\r\nc\rd", None), ["a\n", "b\r\n", "c\r", "d"]);
        assert_eq!(texts("a,b\rc\r\n\n\rd\r", Some(b',')), ["a,b\r", "c\r\n", "\n\rd\r"]);
        assert_eq!(cut("a\nb\r\nc\rd", None, 2).0, [("a\nb\r\n".to_owned(), 0), ("c\rd".to_owned(), 2)]);
    }

    #[test]
    fn pieces_are_the_whole() {
        let text = "a,\"b\n\"\r\n\n#,x\r\rc\n";
        for separator in [None, Some(b',')] {
            for records in 1..5 {
                let pieces = cut(text, separator, records).0;
                assert_eq!(pieces.iter().map(|(text, _)| text.as_str()).collect::<String>(), text);
            }
        }
    }
}
