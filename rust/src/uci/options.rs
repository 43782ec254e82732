//! The options, as data: one table says how each is announced, read and kept.
//!
//! A value that an option cannot have is refused, and the old one stays. Names are understood in any mixture of capitals
//! and small letters, as the protocol asks. No name contains a word that has a meaning in the line that announces it
//! (`name`, `type`, `default`, `min`, `max`, `var`); a test sees to it.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use super::command::shown;
use crate::play::Settings;

/// The algorithm that is the engine of the playing floor.
pub const ENGINE: &str = "engine";

/// How the protocol writes an empty text.
const EMPTY: &str = "<empty>";

/// The least rating that can be asked for.
pub const LEAST_ELO: u64 = 1350;

/// The greatest rating that can be asked for.
pub const MOST_ELO: u64 = 2850;

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // each is an option
pub struct Options {
    /// The size of the table. Mebibytes.
    pub hash: u64,
    /// Threads.
    pub threads: u64,
    /// How many lines are shown.
    pub multipv: u64,
    /// Whether the other program lets us think on the opponent's time.
    pub ponder: bool,
    /// Where the tablebases are.
    pub syzygy_path: String,
    /// Whether moves are taken from the book.
    pub own_book: bool,
    /// The book.
    pub book_file: String,
    /// Whether castling is written as the king taking its rook.
    pub chess960: bool,
    /// Whether to play like someone with the rating [`Options::elo`].
    pub limit_strength: bool,
    /// A rating.
    pub elo: u64,
    /// Whether scores come with chances of winning, drawing, losing.
    pub show_wdl: bool,
    /// Whether this is analysis and no game.
    pub analyse_mode: bool,
    /// What is lost between engine and clock for each move. Milliseconds.
    pub move_overhead: u64,
    /// Who chooses the moves.
    pub algorithm: String,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 16,
            threads: 1,
            multipv: 1,
            ponder: false,
            syzygy_path: String::new(),
            own_book: false,
            book_file: String::new(),
            chess960: false,
            limit_strength: false,
            elo: LEAST_ELO,
            show_wdl: false,
            analyse_mode: false,
            move_overhead: 10,
            algorithm: ENGINE.to_owned(),
        }
    }
}

/// What an option is, and where its value is kept.
enum Kind {
    Spin { field: fn(&mut Options) -> &mut u64, least: u64, most: u64 },
    Check(fn(&mut Options) -> &mut bool),
    Text(fn(&mut Options) -> &mut String),
    Button,
    Algorithm,
}

/// What has to be done when an option has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    None,
    /// The engine is configured again.
    Engine,
    /// The book is opened.
    Book,
    /// The engine forgets what it knows.
    Clear,
}

struct Row {
    name: &'static str,
    kind: Kind,
    change: Change,
}

/// All options, in the order in which they are announced.
const TABLE: [Row; 15] = [
    row("Hash", Kind::Spin { field: |o| &mut o.hash, least: 1, most: 65_536 }, Change::Engine),
    row("Threads", Kind::Spin { field: |o| &mut o.threads, least: 1, most: 1024 }, Change::Engine),
    row("MultiPV", Kind::Spin { field: |o| &mut o.multipv, least: 1, most: 256 }, Change::Engine),
    row("Ponder", Kind::Check(|o| &mut o.ponder), Change::None),
    row("SyzygyPath", Kind::Text(|o| &mut o.syzygy_path), Change::Engine),
    row("OwnBook", Kind::Check(|o| &mut o.own_book), Change::Book),
    row("BookFile", Kind::Text(|o| &mut o.book_file), Change::Book),
    row("UCI_Chess960", Kind::Check(|o| &mut o.chess960), Change::None),
    row("UCI_LimitStrength", Kind::Check(|o| &mut o.limit_strength), Change::Engine),
    row("UCI_Elo", Kind::Spin { field: |o| &mut o.elo, least: LEAST_ELO, most: MOST_ELO }, Change::Engine),
    row("UCI_ShowWDL", Kind::Check(|o| &mut o.show_wdl), Change::None),
    row("UCI_AnalyseMode", Kind::Check(|o| &mut o.analyse_mode), Change::None),
    row(
        "Move Overhead",
        Kind::Spin { field: |o| &mut o.move_overhead, least: 0, most: 60_000 },
        Change::Engine,
    ),
    row("Clear Hash", Kind::Button, Change::Clear),
    row("Algorithm", Kind::Algorithm, Change::None),
];

const fn row(name: &'static str, kind: Kind, change: Change) -> Row {
    Row { name, kind, change }
}

impl Options {
    /// Sets an option, and says what has to be done then. `others` are the algorithms beside the engine.
    ///
    /// # Errors
    /// What is wrong with the name or the value.
    ///
    /// ```
    /// use betacut::uci::options::{Change, Options};
    /// let mut options = Options::default();
    /// assert_eq!(options.set("hash", Some("64"), &[]), Ok(Change::Engine));
    /// assert_eq!(options.hash, 64);
    /// let refused = options.set("Hash", Some("0"), &[]).unwrap_err();
    /// assert_eq!(refused, "Hash must be a number from 1 to 65536, not '0'");
    /// ```
    pub fn set(&mut self, name: &str, value: Option<&str>, others: &[String]) -> Result<Change, String> {
        let Some(row) = TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name)) else {
            return Err(format!("unknown option {}; 'uci' lists the options", shown(name)));
        };
        let wrong = |what: &str| {
            let value = value.map_or_else(|| "nothing".to_owned(), shown);
            format!("{} must be {what}, not {value}", row.name)
        };
        match (&row.kind, value.map(str::trim)) {
            (Kind::Button, _) => {}
            (Kind::Spin { field, least, most }, text) => {
                let number = text.and_then(|text| text.parse().ok());
                let number = number.filter(|number| (least..=most).contains(&number));
                *field(self) = number.ok_or_else(|| wrong(&format!("a number from {least} to {most}")))?;
            }
            (Kind::Check(field), text) => {
                let text = text.unwrap_or_default();
                *field(self) = match () {
                    () if text.eq_ignore_ascii_case("true") => true,
                    () if text.eq_ignore_ascii_case("false") => false,
                    () => return Err(wrong("true or false")),
                };
            }
            (Kind::Text(field), text) => {
                let text = text.unwrap_or_default();
                *field(self) = if text == EMPTY { String::new() } else { text.to_owned() };
            }
            (Kind::Algorithm, text) => {
                let text = text.unwrap_or_default();
                let known = std::iter::once(ENGINE).chain(others.iter().map(String::as_str));
                let found = known.into_iter().find(|name| name.eq_ignore_ascii_case(text));
                found
                    .ok_or_else(|| wrong("one of the names that 'uci' lists"))?
                    .clone_into(&mut self.algorithm);
            }
        }
        Ok(row.change)
    }

    /// The engine's settings by these options.
    pub fn settings(&self) -> Settings {
        Settings {
            threads: self.threads as usize,
            hash_mb: self.hash as usize,
            multipv: self.multipv as usize,
            move_overhead: Duration::from_millis(self.move_overhead),
            syzygy_path: Some(&self.syzygy_path).filter(|path| !path.is_empty()).map(PathBuf::from),
            elo: self.limit_strength.then_some(self.elo as u32),
            ..Settings::default()
        }
    }

    /// The book to be used, if any.
    pub fn book(&self) -> Option<PathBuf> {
        (self.own_book && !self.book_file.is_empty()).then(|| PathBuf::from(&self.book_file))
    }
}

/// The lines that announce the options.
pub fn announcements(others: &[String]) -> Vec<String> {
    let mut defaults = Options::default();
    let mut lines = Vec::new();
    for Row { name, kind, .. } in &TABLE {
        let mut line = format!("option name {name} type ");
        // Writing to a string cannot fail.
        let _ = match kind {
            Kind::Spin { field, least, most } => {
                write!(line, "spin default {} min {least} max {most}", field(&mut defaults))
            }
            Kind::Check(field) => write!(line, "check default {}", field(&mut defaults)),
            Kind::Text(field) => {
                let text = &*field(&mut defaults);
                write!(line, "string default {}", if text.is_empty() { EMPTY } else { text })
            }
            Kind::Button => write!(line, "button"),
            Kind::Algorithm => {
                let others = others.iter().map(String::as_str);
                let known: Vec<&str> = std::iter::once(ENGINE).chain(others).collect();
                write!(line, "combo default {ENGINE} var {}", known.join(" var "))
            }
        };
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_no_word_with_a_meaning() {
        for Row { name, .. } in &TABLE {
            for word in name.to_ascii_lowercase().split([' ', '_']) {
                let keywords = ["name", "type", "default", "min", "max", "var", "value"];
                assert!(!keywords.contains(&word), "{name}");
            }
        }
    }

    #[test]
    fn every_option_is_announced_with_a_value_that_it_accepts() {
        let others = ["minimax".to_owned(), "random".to_owned()];
        let lines = announcements(&others);
        assert_eq!(lines.len(), TABLE.len());
        assert_eq!(lines[0], "option name Hash type spin default 16 min 1 max 65536");
        assert_eq!(
            lines[14],
            "option name Algorithm type combo default engine var engine var minimax var random"
        );
        let mut options = Options::default();
        for line in &lines {
            let (name, rest) = line["option name ".len()..].split_once(" type ").unwrap();
            let value = rest.split_once("default ").map(|(_, value)| value.split(' ').next().unwrap());
            assert!(options.set(name, value, &others).is_ok(), "{line}");
            assert_eq!(options, Options::default(), "{line}");
        }
    }

    #[test]
    fn wrong_values_change_nothing() {
        let mut options = Options::default();
        for (name, value) in [
            ("Hash", Some("0")),
            ("Hash", Some("much")),
            ("Hash", None),
            ("Hash", Some("99999999999999999999999")),
            ("Threads", Some("-1")),
            ("Ponder", Some("maybe")),
            ("Ponder", None),
            ("UCI_Elo", Some("100")),
            ("Algorithm", Some("deep blue")),
            ("Algorithm", None),
            ("Nonsense", Some("1")),
        ] {
            let said = options.set(name, value, &[]).unwrap_err();
            assert!(said.contains(name), "{said}");
            assert_eq!(options, Options::default());
        }
    }

    #[test]
    fn values_in_any_writing() {
        let mut options = Options::default();
        let others = ["minimax".to_owned()];
        for (name, value) in [
            ("move overhead", "100"),
            ("PONDER", "True"),
            ("syzygypath", "/a b/c:/d"),
            ("OwnBook", "true"),
            ("BookFile", "book.bin"),
            ("algorithm", "MiniMax"),
            ("UCI_LimitStrength", "true"),
            ("UCI_Elo", "2000"),
        ] {
            assert!(options.set(name, Some(value), &others).is_ok(), "{name}");
        }
        assert_eq!(options.algorithm, "minimax");
        assert_eq!(options.book(), Some(PathBuf::from("book.bin")));
        let settings = options.settings();
        assert_eq!(settings.move_overhead, Duration::from_millis(100));
        assert_eq!(settings.syzygy_path, Some(PathBuf::from("/a b/c:/d")));
        assert_eq!(settings.elo, Some(2000));
        // The empty text has a name, and none.
        assert_eq!(options.set("BookFile", Some("<empty>"), &others), Ok(Change::Book));
        assert_eq!(options.book(), None);
        assert_eq!(options.set("SyzygyPath", Some(""), &others), Ok(Change::Engine));
        assert_eq!(options.settings().syzygy_path, None);
    }
}
