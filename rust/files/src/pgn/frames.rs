//! Where the games of a PGN file begin and end, and their tags.
//!
//! # Contract
//! A game is its tags and what follows, up to an empty line or a line that begins with `[`, both outside of comments. Tags
//! may have empty lines among them: a name that was there before the empty line begins another game. A comment that is not
//! closed ends at the next `[Event "` that follows an empty line, or at the end of the file, and its game is in error; so
//! one brace does not swallow a file.

use std::io::{self, BufRead};
use std::ops::Range;

use betacut_core::limits::Poll;

/// The size of the longest game that is read. Bytes.
const MOST_BYTES: usize = 64 << 20;
/// How many bytes are read between two looks at whether to go on.
const POLLED_BYTES: u64 = 64 << 10;

/// A game as it stands in the file.
#[derive(Debug, Default)]
pub struct Game {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Where its first line begins.
    pub offset: u64,
    /// All of it.
    pub text: Vec<u8>,
    /// Its tags, escapes resolved, in order.
    pub tags: Vec<(String, String)>,
    /// Where in the text the words of the main line are that have to be moves.
    pub moves: Vec<Range<usize>>,
    /// The first number in the moves.
    pub first_number: Option<u64>,
    /// Why it cannot be read to its end.
    pub fault: Option<String>,
    /// Why it cannot be read at all: a tag that says where it begins.
    pub tag_fault: Option<String>,
    /// Where the moves begin in the text. Bytes.
    pub moves_at: usize,
    has_result: bool,
}

impl Game {
    /// The value of a tag; the last, if there are several.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Where evaluations may be written: before the first move, and after each move of the main line. Bytes of the text.
    pub fn places(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.moves_at).chain(self.moves.iter().map(|range| range.end))
    }

    /// A word that has to be a move; empty if there are not so many.
    pub fn word(&self, ply: usize) -> &[u8] {
        self.moves.get(ply).and_then(|range| self.text.get(range.clone())).unwrap_or_default()
    }

    fn clear(&mut self) {
        self.text.clear();
        self.tags.clear();
        self.moves.clear();
        (self.fault, self.tag_fault) = (None, None);
        (self.first_number, self.moves_at, self.has_result) = (None, 0, false);
    }
}

/// Where in the moves a line begins.
#[derive(Default)]
struct Inside {
    comment: bool,
    variations: usize,
    /// Where the comment begins.
    opened: u64,
}

/// The games of a file, one after the other.
pub struct Frames<R> {
    reader: R,
    /// The line that comes next.
    line: Vec<u8>,
    /// Where that line begins; its end is `after`.
    at: u64,
    after: u64,
    /// Where `poll` is called next.
    poll_at: u64,
    /// Whether the line was looked at, but belongs to the next game.
    is_pending: bool,
    stop: u64,
    /// Whether the end is known to be that of a game.
    is_whole: bool,
    game: Game,
}

impl<R: BufRead> Frames<R> {
    /// The games before `stop`, of a reader at `start`, where a game begins; `first` games come before them.
    pub fn new(reader: R, start: u64, stop: u64, first: u64) -> Frames<R> {
        let game = Game { number: first, ..Game::default() };
        Frames {
            reader,
            line: Vec::new(),
            at: start,
            after: start,
            poll_at: start + POLLED_BYTES,
            is_pending: false,
            stop,
            is_whole: false,
            game,
        }
    }

    /// The games of a text that cannot have been cut short: the last one may have neither moves nor a result.
    pub fn of_text(reader: R) -> Frames<R> {
        Frames { is_whole: true, ..Frames::new(reader, 0, u64::MAX, 0) }
    }

    /// How many games were read, those before the first included.
    pub fn number(&self) -> u64 {
        self.game.number
    }

    /// Where the last line ends that was looked at. Bytes.
    pub fn read_so_far(&self) -> u64 {
        self.after
    }

    /// The next line, which ends with LF, CR LF or CR; false at the end of the file. Of lines that are too long, the
    /// beginning. Fails as [`io::ErrorKind::Interrupted`] if `poll` says so.
    fn next_line(&mut self, poll: Poll<'_>) -> io::Result<bool> {
        if self.is_pending {
            self.is_pending = false;
            return Ok(true);
        }
        self.at = self.after;
        self.line.clear();
        let mut last = 0;
        while last != b'\n' {
            if self.after >= self.poll_at {
                self.poll_at = self.after + POLLED_BYTES;
                if poll() {
                    return Err(io::ErrorKind::Interrupted.into());
                }
            }
            let bytes = self.reader.fill_buf()?;
            if bytes.is_empty() || (last == b'\r' && bytes[0] != b'\n') {
                break;
            }
            // One comparison for almost every byte.
            let ends = |&byte: &u8| byte <= b'\r' && (byte == b'\n' || byte == b'\r');
            let end = bytes.iter().position(ends).map_or(bytes.len(), |at| at + 1);
            last = bytes[end - 1];
            let room = (MOST_BYTES + 1).saturating_sub(self.line.len()).min(end);
            self.line.extend_from_slice(&bytes[..room]);
            self.reader.consume(end);
            self.after += end as u64;
        }
        // A file that was appended to another may have one too.
        if let Some(rest) = self.line.strip_prefix(b"\xef\xbb\xbf")
            && (self.at == 0 || rest.starts_with(b"["))
        {
            self.line.drain(..3);
        }
        Ok(self.after > self.at)
    }

    /// The next game; none at the end. Fails as [`io::ErrorKind::Interrupted`] if `poll` says so.
    pub fn next_game(&mut self, poll: Poll<'_>) -> io::Result<Option<&Game>> {
        self.game.clear();
        loop {
            if !self.next_line(poll)? {
                return Ok(None);
            }
            if !is_blank(&self.line) && !is_remark(&self.line) {
                break;
            }
        }
        if self.at >= self.stop {
            self.is_pending = true;
            return Ok(None);
        }
        self.game.number += 1;
        self.game.offset = self.at;
        self.is_pending = true;
        let mut inside = Inside::default();
        let ends = self.read_tags(&mut inside, poll)? || self.read_moves(&mut inside, poll)?;
        if inside.variations > 0 && !inside.comment {
            self.fault("a variation is never closed");
        }
        let cut_short = !ends && !self.is_whole && !self.game.has_result && !self.game.tags.is_empty();
        if cut_short && (self.game.tag("Result").is_some() || self.game.moves_at == self.game.text.len()) {
            self.fault("the file ends inside this game; get the whole file, or cut it after the game before");
        }
        if self.game.tags.is_empty() && self.game.moves.is_empty() && !self.game.has_result {
            self.fault("there is neither a tag nor a move in it");
        }
        if self.game.text.len() > MOST_BYTES {
            self.fault("it has more than 64 MiB");
        }
        Ok(Some(&self.game))
    }

    /// Notes what is wrong with the game, the first time.
    fn fault(&mut self, reason: &str) {
        self.game.fault.get_or_insert_with(|| reason.to_owned());
    }

    /// Appends the line to the game's text; of a game that is too long, the beginning.
    fn keep(&mut self) {
        if self.game.text.len() <= MOST_BYTES {
            self.game.text.extend_from_slice(&self.line);
        }
    }

    /// Whether the line is the rest of CR CR LF, which some programs for Windows write.
    fn is_half_a_line_end(&self) -> bool {
        self.line == b"\r\n" && self.game.text.ends_with(b"\r")
    }

    /// Reads the tags; whether the game ends with them, before the file does.
    fn read_tags(&mut self, inside: &mut Inside, poll: Poll<'_>) -> io::Result<bool> {
        let mut before_blank = None;
        while self.next_line(poll)? {
            if is_remark(&self.line) {
                self.keep();
            } else if is_blank(&self.line) {
                if !self.is_half_a_line_end() {
                    before_blank = Some(self.game.tags.len());
                }
                self.keep();
            } else if self.line.starts_with(b"[") {
                let known = self.game.tags.len();
                let (rest, is_bad) = parse_tags(&self.line, &mut self.game.tags);
                if let Some(before) = before_blank
                    && self.game.tags[known..]
                        .iter()
                        .any(|(name, _)| self.game.tags[..before].iter().any(|(other, _)| other == name))
                {
                    self.game.tags.truncate(known);
                    self.game.moves_at = self.game.text.len();
                    self.is_pending = true;
                    return Ok(true);
                }
                if is_bad && is_decisive(&self.line) {
                    let line: String = latin(&self.line).trim().chars().take(80).collect();
                    self.game.tag_fault.get_or_insert(format!("the tag {line:?} cannot be read"));
                }
                self.keep();
                if let Some(rest) = rest {
                    // Moves on the line of the last tag.
                    let before = self.game.text.len().saturating_sub(self.line.len());
                    self.game.moves_at = (before + rest).min(self.game.text.len());
                    inside.opened = scan(&self.line, rest, before, inside, &mut self.game)
                        .map_or(0, |at| self.at + at as u64);
                    return Ok(false);
                }
            } else {
                self.is_pending = true;
                break;
            }
        }
        self.game.moves_at = self.game.text.len();
        Ok(false)
    }

    /// Reads the moves; whether the game ends before the file does.
    fn read_moves(&mut self, inside: &mut Inside, poll: Poll<'_>) -> io::Result<bool> {
        let mut after_blank = false;
        while self.next_line(poll)? {
            let blank = is_blank(&self.line) && !self.is_half_a_line_end();
            if inside.comment {
                if after_blank && self.line.starts_with(b"[Event \"") {
                    self.fault(&format!("the comment that begins at byte {} is never closed", inside.opened));
                    self.is_pending = true;
                    return Ok(true);
                }
                after_blank = blank;
            } else if blank {
                return Ok(true);
            } else if self.line.starts_with(b"[") {
                self.is_pending = true;
                return Ok(true);
            }
            if inside.comment || !self.line.starts_with(b"%") {
                let base = self.game.text.len();
                if let Some(at) = scan(&self.line, 0, base, inside, &mut self.game) {
                    inside.opened = self.at + at as u64;
                    after_blank = false;
                }
            }
            self.keep();
        }
        if inside.comment {
            self.fault(&format!(
                "the comment that begins at byte {} is never closed; the file may be cut short",
                inside.opened
            ));
        }
        Ok(false)
    }
}

/// Whether a line is empty but for blanks.
fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// Whether a line outside of games and comments is to be skipped.
fn is_remark(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'%' | b';'))
}

/// Whether a tag that cannot be read says which positions the game has.
fn is_decisive(line: &[u8]) -> bool {
    [&b"[FEN"[..], b"[SetUp", b"[Variant"].iter().any(|start| line.starts_with(start))
}

/// A text in UTF-8, or else in Latin-1, which the standard of PGN asks for.
fn latin(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// Reads the tags of a line; where moves begin after them, and whether something is no tag.
fn parse_tags(line: &[u8], tags: &mut Vec<(String, String)>) -> (Option<usize>, bool) {
    let mut at = 0;
    loop {
        let rest = &line[at..];
        let Some(skipped) = rest.iter().position(|byte| !byte.is_ascii_whitespace()) else {
            return (None, false);
        };
        at += skipped;
        if line[at] != b'[' {
            return (Some(at), false);
        }
        let Some((name, value, length)) = parse_tag(&line[at..]) else { return (None, true) };
        tags.push((name, value));
        at += length;
    }
}

/// Reads a tag; its name, its value and its length. A quotation mark inside ends nothing unless `]` follows it.
fn parse_tag(text: &[u8]) -> Option<(String, String, usize)> {
    let quote = text.iter().position(|&byte| byte == b'"')?;
    let name = text[1..quote].trim_ascii();
    if name.is_empty() || !name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_+#=:-".contains(byte)) {
        return None;
    }
    let mut value = Vec::new();
    let mut at = quote + 1;
    while at < text.len() {
        match text[at] {
            b'\\' if matches!(text.get(at + 1), Some(b'"' | b'\\')) => {
                value.push(text[at + 1]);
                at += 2;
                continue;
            }
            b'"' => {
                let after = text[at + 1..].iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
                if text[at + 1 + after] == b']' {
                    return Some((latin(name), latin(&value), at + after + 2));
                }
            }
            _ => {}
        }
        value.push(text[at]);
        at += 1;
    }
    None
}

/// Whether a byte ends a word, as pgn-reader sees it.
fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"{}()!?$;.*".contains(&byte)
}

/// Goes through a line of moves from `at` on, which begins at `base` in the text: notes the words that have to be moves,
/// and where it is at the end of the line. Where the comment begins that the line opens and leaves open.
fn scan(line: &[u8], mut at: usize, base: usize, inside: &mut Inside, game: &mut Game) -> Option<usize> {
    let mut opened = None;
    while at < line.len() {
        if inside.comment {
            match line[at..].iter().position(|&byte| byte == b'}') {
                Some(length) => (at, inside.comment) = (at + length + 1, false),
                None => return opened,
            }
            continue;
        }
        let byte = line[at];
        at += 1;
        match byte {
            b'{' => (inside.comment, opened) = (true, Some(at - 1)),
            b';' => return None,
            b'(' => inside.variations += 1,
            b')' => inside.variations = inside.variations.saturating_sub(1),
            b'*' if inside.variations == 0 => game.has_result = true,
            b'$' => at += line[at..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
            _ if ends_word(byte) => {}
            _ => {
                let end = at + line[at..].iter().take_while(|&&byte| !ends_word(byte)).count();
                if inside.variations == 0 {
                    note_word(&line[at - 1..end], base + at - 1, game);
                }
                at = end;
            }
        }
    }
    opened.filter(|_| inside.comment)
}

/// Notes what a word of the main line is: a result, a number, a move.
fn note_word(word: &[u8], at: usize, game: &mut Game) {
    if matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"1/2") {
        game.has_result = true;
        return;
    }
    let is_whole = word.starts_with(b"0-0") || word == b"0000";
    let digits = if is_whole { 0 } else { word.iter().take_while(|byte| byte.is_ascii_digit()).count() };
    if digits > 0 {
        let number = word[..digits]
            .iter()
            .fold(0_u64, |number, &digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
        game.first_number.get_or_insert(number);
    }
    let rest = &word[digits..];
    let is_castling = rest.len() >= 3 && rest[..3].eq_ignore_ascii_case(b"o-o");
    let has = |test: fn(&u8) -> bool| rest.iter().any(test);
    if is_whole || is_castling || rest == b"--" || (has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)) {
        game.moves.push(at + digits..at + word.len());
    }
}
