//! Opening books in the format of Polyglot.
//!
//! Source: "Book format" of the documentation of Polyglot (Michel Van den Bergh). A file is a sorted list of entries of
//! 16 bytes: key, move, weight, what was learnt; all big-endian. The key is [`Zobrist64`] of the position.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use shakmaty::{Chess, EnPassantMode, Move, Position as _, Role, Square};
use shakmaty::{uci::UciMove, zobrist::Zobrist64};

/// An entry. Bytes.
const ENTRY: u64 = 16;

/// An open book.
pub struct Book<R = File> {
    source: R,
    entries: u64,
}

impl Book {
    /// Opens a book.
    /// Errors: if the file cannot be read or is no book. Only a regular file is opened: a pipe would wait for
    /// its other end.
    pub fn open(path: &Path) -> io::Result<Book> {
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
        }
        Book::new(File::open(path)?)
    }
}

impl<R: Read + Seek> Book<R> {
    /// A book that is read from `source`.
    pub fn new(mut source: R) -> io::Result<Book<R>> {
        let bytes = source.seek(SeekFrom::End(0))?;
        if bytes == 0 || bytes % ENTRY != 0 {
            let text = format!("{bytes} bytes are no entries of {ENTRY} bytes each");
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        Ok(Book { source, entries: bytes / ENTRY })
    }

    /// A move of the book, drawn by weight with a random number; none if the position is not in it. Entries with weight 0,
    /// and moves that are not legal, are never drawn.
    pub fn choose(&mut self, position: &Chess, random: u64) -> io::Result<Option<Move>> {
        let moves = self.moves(position)?;
        let total: u64 = moves.iter().map(|(_, weight)| u64::from(*weight)).sum();
        if total == 0 {
            return Ok(None);
        }
        let mut drawn = random % total;
        for (m, weight) in moves {
            if drawn < u64::from(weight) {
                return Ok(Some(m));
            }
            drawn -= u64::from(weight);
        }
        Ok(None)
    }

    /// The legal moves of the book, with their weights.
    fn moves(&mut self, position: &Chess) -> io::Result<Vec<(Move, u16)>> {
        let key = position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0;
        // The first entry with this key or a greater one.
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low.midpoint(high);
            if self.entry(middle)?.0 < key { low = middle + 1 } else { high = middle }
        }
        let mut moves = Vec::new();
        while low < self.entries {
            let (found, code, weight) = self.entry(low)?;
            if found != key {
                break;
            }
            moves.extend(decode(code).to_move(position).ok().map(|m| (m, weight)));
            low += 1;
        }
        Ok(moves)
    }

    /// Key, move and weight of an entry.
    fn entry(&mut self, index: u64) -> io::Result<(u64, u16, u16)> {
        let mut bytes = [0; ENTRY as usize];
        self.source.seek(SeekFrom::Start(index * ENTRY))?;
        self.source.read_exact(&mut bytes)?;
        let number = |range: std::ops::Range<usize>| {
            bytes[range].iter().fold(0, |number: u64, &byte| number << 8 | u64::from(byte))
        };
        Ok((number(0..8), number(8..10) as u16, number(10..12) as u16))
    }
}

/// A move of a book: two squares and a promotion, three bits a number. Castling is the king taking its rook.
fn decode(code: u16) -> UciMove {
    let square = |shift: u16| Square::new(u32::from(code >> shift & 63));
    let promotion = match code >> 12 & 7 {
        1 => Some(Role::Knight),
        2 => Some(Role::Bishop),
        3 => Some(Role::Rook),
        4 => Some(Role::Queen),
        _ => None,
    };
    UciMove::Normal { from: square(6), to: square(0), promotion }
}

#[cfg(test)]
mod tests {
    use super::*;
    use betacut_core::random;
    use std::io::Cursor;

    fn entry(key: u64, from: Square, to: Square, weight: u16) -> Vec<u8> {
        let code = u16::from(from) << 6 | u16::from(to);
        let mut bytes = key.to_be_bytes().to_vec();
        bytes.extend(code.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
        bytes
    }

    fn book(mut entries: Vec<Vec<u8>>) -> Book<Cursor<Vec<u8>>> {
        entries.sort_by_key(|entry| entry[..8].to_vec());
        Book::new(Cursor::new(entries.concat())).unwrap()
    }

    /// The key of the initial position in the documentation of the format.
    const START: u64 = 0x463b_9618_1691_fc9c;

    #[test]
    fn moves_are_drawn_by_weight() {
        let mut book = book(vec![
            entry(START - 1, Square::A2, Square::A3, 9),
            entry(START, Square::E2, Square::E4, 3),
            entry(START, Square::D2, Square::D4, 1),
            entry(START, Square::C2, Square::C4, 0),
            entry(START, Square::E1, Square::E2, 100),
            entry(START + 1, Square::H2, Square::H3, 9),
        ]);
        let (mut counts, mut state) = ([0; 2], 1);
        for _ in 0..400 {
            match book.choose(&Chess::default(), random::next(&mut state)).unwrap().unwrap().to() {
                Square::E4 => counts[0] += 1,
                Square::D4 => counts[1] += 1,
                other => panic!("{other}"),
            }
        }
        assert!((250..350).contains(&counts[0]) && counts[0] + counts[1] == 400, "{counts:?}");
    }

    #[test]
    fn positions_that_are_not_there() {
        let mut other = book(vec![entry(5, Square::E2, Square::E4, 3)]);
        assert_eq!(other.choose(&Chess::default(), 0).unwrap(), None);
        for length in [0, 15, 17] {
            assert!(Book::new(Cursor::new(vec![0; length])).is_err(), "{length}");
        }
    }
}
