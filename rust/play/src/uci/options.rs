//! The options as the protocol writes them. What there is, with its values, is the engine's table
//! ([`crate::options`]); the protocol adds who chooses the moves.
//!
//! A value that an option cannot have is refused, and the old one stays. Names are understood in any mixture of capitals
//! and small letters, as the protocol asks. No name contains a word that has a meaning in the line that announces it
//! (`name`, `type`, `default`, `min`, `max`, `var`); a test sees to it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::command::shown;
use crate::Settings;
use crate::options::{Choice, Kind, OPTIONS, Value, find};

/// The algorithm that is the engine of the playing floor.
pub const ENGINE: &str = "engine";

/// The option that says who chooses the moves.
const ALGORITHM: &str = "Algorithm";

/// How the protocol writes an empty text.
const EMPTY: &str = "<empty>";

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    values: BTreeMap<&'static str, Value>,
    /// Who chooses the moves.
    pub algorithm: String,
}

impl Default for Options {
    fn default() -> Options {
        let values = OPTIONS.iter().filter_map(|spec| Some((spec.name, spec.kind.initial()?)));
        Options { values: values.collect(), algorithm: ENGINE.to_owned() }
    }
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

impl Options {
    /// Sets an option, and says what has to be done then. `others` are the algorithms beside the engine.
    /// Errors: what is wrong with the name or the value.
    ///
    /// ```
    /// use betacut_play::uci::options::{Change, Options};
    /// let mut options = Options::default();
    /// assert_eq!(options.set("hash", Some("64"), &[]), Ok(Change::Engine));
    /// assert_eq!(options.settings().hash_mb, 64);
    /// let refused = options.set("Hash", Some("0"), &[]).unwrap_err();
    /// assert_eq!(refused, "Hash must be a number from 1 to 65536, not '0'");
    /// ```
    pub fn set(&mut self, name: &str, value: Option<&str>, others: &[String]) -> Result<Change, String> {
        let text = value.map(str::trim).unwrap_or_default();
        let wrong = |name: &str, what: &str| {
            let value = value.map_or_else(|| "nothing".to_owned(), shown);
            format!("{name} must be {what}, not {value}")
        };
        if name.eq_ignore_ascii_case(ALGORITHM) {
            let known = std::iter::once(ENGINE).chain(others.iter().map(String::as_str));
            let found = known.into_iter().find(|name| name.eq_ignore_ascii_case(text));
            found
                .ok_or_else(|| wrong(ALGORITHM, "one of the names that 'uci' lists"))?
                .clone_into(&mut self.algorithm);
            return Ok(Change::None);
        }
        let Some(spec) = find(name) else {
            return Err(format!("unknown option {}; 'uci' lists the options", shown(name)));
        };
        let read = match spec.kind {
            Kind::Button => None,
            Kind::Spin { min, max, .. } => {
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                let number =
                    number.ok_or_else(|| wrong(spec.name, &format!("a number from {min} to {max}")))?;
                Some(Value::Spin(number))
            }
            Kind::Check { .. } => match text.to_ascii_lowercase().as_str() {
                "true" => Some(Value::Check(true)),
                "false" => Some(Value::Check(false)),
                _ => return Err(wrong(spec.name, "true or false")),
            },
            Kind::Text { .. } => {
                Some(Value::Text(if text == EMPTY { String::new() } else { text.to_owned() }))
            }
        };
        if let Some(read) = read {
            self.values.insert(spec.name, read);
        }
        Ok(match spec.name {
            "Clear Hash" => Change::Clear,
            "OwnBook" | "BookFile" => Change::Book,
            "Ponder" | "UCI_Chess960" | "UCI_ShowWDL" | "UCI_AnalyseMode" => Change::None,
            _ => Change::Engine,
        })
    }

    fn is_on(&self, name: &str) -> bool {
        self.values.get(name) == Some(&Value::Check(true))
    }

    /// Whether castling is written as the king taking its rook.
    pub fn chess960(&self) -> bool {
        self.is_on("UCI_Chess960")
    }

    /// Whether scores come with chances of winning, drawing, losing.
    pub fn show_wdl(&self) -> bool {
        self.is_on("UCI_ShowWDL")
    }

    /// Whether moves are taken from the book: not in analysis.
    pub fn from_book(&self) -> bool {
        self.is_on("OwnBook") && !self.is_on("UCI_AnalyseMode")
    }

    /// The engine's settings by these options.
    pub fn settings(&self) -> Settings {
        let mut choice = Choice::default();
        for (name, value) in &self.values {
            choice.set(name, value);
        }
        choice.settings()
    }

    /// The book to be used, if any.
    pub fn book(&self) -> Option<PathBuf> {
        match self.values.get("BookFile") {
            Some(Value::Text(path)) if self.is_on("OwnBook") && !path.is_empty() => Some(PathBuf::from(path)),
            _ => None,
        }
    }
}

/// The lines that announce the options.
pub fn announcements(others: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    for spec in OPTIONS.iter() {
        let kind = match spec.kind {
            Kind::Spin { default, min, max } => format!("spin default {default} min {min} max {max}"),
            Kind::Check { default } => format!("check default {default}"),
            Kind::Text { default: "" } => format!("string default {EMPTY}"),
            Kind::Text { default } => format!("string default {default}"),
            Kind::Button => "button".to_owned(),
        };
        lines.push(format!("option name {} type {kind}", spec.name));
    }
    let known: Vec<&str> = std::iter::once(ENGINE).chain(others.iter().map(String::as_str)).collect();
    lines.push(format!("option name {ALGORITHM} type combo default {ENGINE} var {}", known.join(" var ")));
    lines
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn names_have_no_word_with_a_meaning() {
        for name in OPTIONS.iter().map(|spec| spec.name).chain([ALGORITHM]) {
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
        assert_eq!(lines.len(), OPTIONS.len() + 1);
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
