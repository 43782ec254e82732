//! Positions of the games of a PGN file, as columns, a row a position: a [`Reader`] reads them for a part of a file.
//!
//! # Contract
//! - Every game gives its rows. One that is in error gives those of its moves before the error, if there are any, and then
//!   one row with the error and no position. What ends the reading of a file is an error of the file: it cannot be read, or
//!   its compression is cut short.
//! - Comments, NAGs and variations are skipped. A word that has a digit and is neither a number nor a result is a move,
//!   or the game is in error; other words (`N`, `+-`, `resigns`) are decoration.
//! - Games begin at the position of `[FEN]`, or at that of chess. `[Variant]` may be standard chess or Chess960, in which
//!   castling is written as king takes rook.
//! - Memory: one game, and the columns of the rows that were asked for at once.

pub mod columns;
pub mod frames;
mod reader;
mod words;

use std::io;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position as _, PositionError};

use betacut_core::limits::Poll;
use columns::Columns;
use frames::{Frames, Game};
pub use reader::{Reader, pieces};
use words::{UNREADABLE, read_move};

/// The plies of the longest game that is read: more than the rule of 75 moves allows.
const MOST_PLIES: usize = 20_000;

/// The length of the longest tag that is read, for it is written into each row. Bytes.
const MOST_TAG: usize = 4096;

/// Which positions of a game are rows.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// Every position of so many, counted from the first that is not skipped; at least 1.
    pub every: usize,
    /// So many plies at the beginning are skipped.
    pub skip: usize,
}

impl Selection {
    fn has(self, ply: usize) -> bool {
        ply.checked_sub(self.skip).is_some_and(|ply| ply.is_multiple_of(self.every.max(1)))
    }

    /// How many of the positions after 0 to `plies` plies are rows.
    pub fn count(self, plies: usize) -> usize {
        plies.checked_sub(self.skip).map_or(0, |rest| rest / self.every.max(1) + 1)
    }
}

/// Reads the next game of a file, and appends its rows.
pub fn read_game(
    frames: &mut Frames<impl io::BufRead>,
    selection: Selection,
    tags: &[String],
    columns: &mut Columns,
    poll: Poll<'_>,
) -> io::Result<bool> {
    let Some(game) = frames.next_game(poll)? else { return Ok(false) };
    append(game, selection, tags, columns);
    Ok(true)
}

/// Appends the rows of a game, and if it cannot be read to its end one that says why.
fn append(game: &Game, selection: Selection, tags: &[String], columns: &mut Columns) {
    if let Err((ply, reason)) = positions(game, selection, columns) {
        let place = format!("game {} (at byte {}): {reason}", game.number, game.offset);
        columns.push_error(game.number, ply, &place);
    }
    let short = |value: &&str| value.len() <= MOST_TAG;
    let values: Vec<Option<&str>> = tags.iter().map(|name| game.tag(name).filter(short)).collect();
    columns.repeat_tags(&values);
}

/// The moves of a game in UCI as far as it can be read; and why that is not to its end.
pub fn main_line(game: &Game) -> (Vec<String>, Option<String>) {
    let mut columns = Columns::new(0);
    let fault = positions(game, Selection { every: 1, skip: 0 }, &mut columns).err();
    let moves = (0..columns.len()).filter_map(|row| columns.moves.get(row));
    let moves = moves.map(|uci| String::from_utf8_lossy(uci).into_owned()).collect();
    (moves, fault.map(|(_, reason)| reason))
}

/// What is wrong with a game, and after how many plies.
type Fault = (usize, String);

/// Appends the positions of a game as far as it can be read, but none if that is not as far as its first move.
fn positions(game: &Game, selection: Selection, columns: &mut Columns) -> Result<(), Fault> {
    let (position, mode) = beginning(game).map_err(|reason| (0, reason))?;
    let mut plies = Plies { game, selection, columns, position, mode, ply: 0 };
    let fault = plies.play().err().or_else(|| game.fault.clone());
    let Some(fault) = fault else {
        plies.push(None);
        return Ok(());
    };
    if plies.ply == 0 {
        return Err((0, fault));
    }
    let last = plies.last();
    plies.push(None);
    Err((plies.ply, format!("{fault}; it is read up to {last}")))
}

/// Where a game begins, and how its castling is written, if that can be told.
fn beginning(game: &Game) -> Result<(Chess, CastlingMode), String> {
    if let Some(fault) = &game.tag_fault {
        return Err(fault.clone());
    }
    if let Some((name, value)) = game.tags.iter().find(|(_, value)| value.len() > MOST_TAG) {
        let name: String = name.chars().take(40).collect();
        return Err(format!("the tag {name} has {} bytes; at most {MOST_TAG} are read", value.len()));
    }
    let (position, mode) = start(game)?;
    if game.tags.is_empty()
        && let Some(first) = game.first_number
        && first != u64::from(position.fullmoves().get())
    {
        let hint = "is there an empty line inside a game?";
        return Err(format!("moves without tags that begin with number {first}; {hint}"));
    }
    Ok((position, mode))
}

/// Where a game begins, and how its castling is written.
fn start(game: &Game) -> Result<(Chess, CastlingMode), String> {
    let variant = game.tag("Variant").unwrap_or("").trim();
    let is_960 = match variant.to_ascii_lowercase().as_str() {
        "" | "?" | "-" | "standard" | "chess" | "normal" | "from position" | "from_position"
        | "fromposition" => false,
        "chess960" | "chess 960" | "chess-960" | "fischerandom" | "fischerrandom" | "fischer random"
        | "fischer-random" => true,
        _ => {
            let variant: String = variant.chars().take(40).collect();
            return Err(format!("the variant {variant:?} is not chess"));
        }
    };
    let Some(text) = game.tag("FEN") else {
        return Ok((Chess::default(), CastlingMode::from_chess960(is_960)));
    };
    let quoted: String = text.chars().take(100).collect();
    let fen: Fen = text.trim().parse().map_err(|error| format!("cannot read the FEN {quoted:?}: {error}"))?;
    let setup = fen.into_setup();
    let mode = if is_960 { CastlingMode::Chess960 } else { CastlingMode::detect(&setup) };
    let position = setup
        .position::<Chess>(mode)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|error| format!("the FEN {quoted:?} is no position of chess: {error}"))?;
    Ok((position, mode))
}

/// Plays a game and appends its rows.
struct Plies<'a> {
    game: &'a Game,
    selection: Selection,
    columns: &'a mut Columns,
    position: Chess,
    mode: CastlingMode,
    ply: usize,
}

impl Plies<'_> {
    /// Plays the moves of the game as far as they can be read.
    fn play(&mut self) -> Result<(), String> {
        let game = self.game;
        for ply in 0..game.moves.len() {
            if ply >= MOST_PLIES {
                return Err(format!("more than {MOST_PLIES} plies"));
            }
            let m = read_move(game.word(ply), &self.position).map_err(|wrong| {
                let word: String = String::from_utf8_lossy(game.word(ply)).chars().take(40).collect();
                let word = if wrong == UNREADABLE { format!("{word:?}") } else { word };
                format!("{} {word} {wrong}", self.number())
            })?;
            self.push(Some(m));
            self.position.play_unchecked(m);
            self.ply += 1;
        }
        Ok(())
    }

    fn number(&self) -> String {
        let dots = self.position.turn().fold_wb(".", "...");
        format!("{}{dots}", self.position.fullmoves())
    }

    /// The last move that was read, with its number.
    fn last(&self) -> String {
        let number = self.position.fullmoves().get();
        let word = String::from_utf8_lossy(self.game.word(self.ply - 1));
        match self.position.turn() {
            Color::White => format!("{}... {word}", number.saturating_sub(1)),
            Color::Black => format!("{number}. {word}"),
        }
    }

    /// Appends the position, and the move that follows unless it is the last, if it is to be a row.
    fn push(&mut self, m: Option<shakmaty::Move>) {
        if self.selection.has(self.ply) {
            let fen = Fen::from_position(&self.position, EnPassantMode::Legal);
            self.columns.fen.push_with(|text| fen.append_ascii_to(text));
            self.columns.game.push(self.game.number as i64);
            self.columns.ply.push(self.ply as i32);
            match m {
                Some(m) => self.columns.moves.push_with(|text| m.to_uci(self.mode).append_ascii_to(text)),
                None => self.columns.moves.push(None),
            }
            self.columns.error.push(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], selection: Selection) -> Columns {
        let mut frames = Frames::new(io::BufReader::with_capacity(7, text), 0, u64::MAX, 0);
        let mut columns = Columns::new(1);
        let tags = ["White".to_owned()];
        while read_game(&mut frames, selection, &tags, &mut columns, &mut || false)
            .expect("bytes can be read")
        {}
        columns
    }

    #[test]
    fn any_bytes_are_read() {
        let text = b"[White \"a\\\"\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O {a\n\n} (1. Rh8) Kd7 1-0\n\n1. e4 *\n";
        let mut random = 1_u64;
        let mut chance = move |most: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % most
        };
        for _ in 0..20_000 {
            let mut changed = text.to_vec();
            for _ in 0..=chance(4) {
                let at = chance(changed.len());
                match chance(3) {
                    0 => changed[at] = b"{}()[];%\"\\\n\r $*.0-\xff\0"[chance(20)],
                    1 => drop(changed.drain(at..(at + chance(9)).min(text.len() / 2).max(at))),
                    _ => changed[at] = chance(256) as u8,
                }
            }
            changed.truncate(changed.len() - chance(2) * chance(changed.len()));
            let Columns { fen, game, error, .. } = read(&changed, Selection { every: 1, skip: 0 });
            assert!((0..game.len()).all(|row| fen.get(row).is_none() == error.get(row).is_some()));
            // Each game has a row, in order.
            assert!(game.is_sorted() && game.windows(2).all(|pair| pair[1] - pair[0] <= 1));
        }
    }
}
