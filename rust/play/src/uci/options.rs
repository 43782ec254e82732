//! The options as the protocol writes them: the table of the session, and the player that chooses the moves.
//!
//! A value that an option cannot have is refused, and the old one stays. Names are understood in any mixture of capitals
//! and small letters, as the protocol asks. No name contains a word that has a meaning in the line that announces it
//! (`name`, `type`, `default`, `min`, `max`, `var`); a test sees to it.

use super::command::shown;
use crate::session::{Kind, OPTIONS, Value, find, nearest};

/// The algorithm that is the engine of the playing floor.
pub const ENGINE: &str = "engine";

/// The option that names the player that chooses the moves.
const ALGORITHM: &str = "Algorithm";

/// How the protocol writes an empty text.
const EMPTY: &str = "<empty>";

/// What an option is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// An option of the session has this value.
    Set(&'static str, Value),
    /// What the button says.
    Press(&'static str),
    /// The player that chooses the moves.
    Algorithm(String),
}

/// Reads the value of an option. `others` are the algorithms beside the engine.
/// Errors: what is wrong with the name or the value.
///
/// ```
/// use betacut_play::session::Value;
/// use betacut_play::uci::options::{Change, read};
/// assert_eq!(read("hash", Some("64"), &[]), Ok(Change::Set("Hash", Value::Spin(64))));
/// let refused = read("Hash", Some("0"), &[]).unwrap_err();
/// assert_eq!(refused, "Hash must be a number from 1 to 65536, not '0'");
/// assert_eq!(read("Hahs", None, &[]).unwrap_err(), "unknown option 'Hahs'; did you mean 'Hash'?");
/// assert_eq!(read("Contempt", None, &[]).unwrap_err(), "unknown option 'Contempt'; 'uci' lists the options");
/// ```
pub fn read(name: &str, value: Option<&str>, others: &[String]) -> Result<Change, String> {
    let text = value.map(str::trim).unwrap_or_default();
    let wrong = |name: &str, what: &str| {
        let value = value.map_or_else(|| "nothing".to_owned(), shown);
        format!("{name} must be {what}, not {value}")
    };
    if name.eq_ignore_ascii_case(ALGORITHM) {
        let found = algorithms(others).find(|name| name.eq_ignore_ascii_case(text));
        let found = found.ok_or_else(|| wrong(ALGORITHM, "one of the names that 'uci' lists"))?;
        return Ok(Change::Algorithm(found.to_owned()));
    }
    let spec = find(name).ok_or_else(|| {
        let hint = nearest(name).map(|near| format!("did you mean '{near}'?"));
        format!("unknown option {}; {}", shown(name), hint.as_deref().unwrap_or("'uci' lists the options"))
    })?;
    let value = match spec.kind {
        Kind::Button => return Ok(Change::Press(spec.name)),
        Kind::Spin { min, max, .. } => {
            let number = text.parse().ok().filter(|number| (min..=max).contains(number));
            Value::Spin(number.ok_or_else(|| wrong(spec.name, &format!("a number from {min} to {max}")))?)
        }
        Kind::Check { .. } => {
            let on = text.to_ascii_lowercase().parse();
            Value::Check(on.map_err(|_| wrong(spec.name, "true or false"))?)
        }
        Kind::Text => Value::Text(if text == EMPTY { String::new() } else { text.to_owned() }),
    };
    Ok(Change::Set(spec.name, value))
}

fn algorithms(others: &[String]) -> impl Iterator<Item = &str> {
    std::iter::once(ENGINE).chain(others.iter().map(String::as_str))
}

/// The lines that announce the options.
pub fn announcements(others: &[String]) -> Vec<String> {
    let line = |spec: &crate::session::Spec| {
        let kind = match spec.kind {
            Kind::Spin { default, min, max } => format!("spin default {default} min {min} max {max}"),
            Kind::Check { default } => format!("check default {default}"),
            Kind::Text => format!("string default {EMPTY}"),
            Kind::Button => "button".to_owned(),
        };
        format!("option name {} type {kind}", spec.name)
    };
    let known: Vec<&str> = algorithms(others).collect();
    let combo = format!("option name {ALGORITHM} type combo default {ENGINE} var {}", known.join(" var "));
    OPTIONS.iter().map(line).chain([combo]).collect()
}

#[cfg(test)]
mod tests {
    use std::{path::PathBuf, time::Duration};

    use super::*;
    use crate::session::Options;

    fn set(options: &mut Options, name: &str, value: &str) {
        match read(name, Some(value), &[]).unwrap() {
            Change::Set(name, value) => *options = options.clone().with(name, value),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_option_is_announced_with_a_value_that_it_accepts() {
        let others = ["minimax".to_owned(), "random".to_owned()];
        let lines = announcements(&others);
        assert_eq!(lines.len(), OPTIONS.len() + 1);
        assert_eq!(lines[0], "option name Hash type spin default 16 min 1 max 65536");
        assert_eq!(
            lines[19],
            "option name Algorithm type combo default engine var engine var minimax var random"
        );
        for line in &lines {
            let (name, rest) = line["option name ".len()..].split_once(" type ").unwrap();
            let value = rest.split_once("default ").map(|(_, value)| value.split(' ').next().unwrap());
            match read(name, value, &others).unwrap() {
                Change::Set(name, value) => {
                    assert_eq!(Options::default().with(name, value), Options::default(), "{line}");
                }
                Change::Press(button) => assert_eq!(button, "Clear Hash"),
                Change::Algorithm(name) => assert_eq!(name, ENGINE),
            }
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
            ("UCI_LimitStrength", "true"),
            ("UCI_Elo", "2000"),
        ] {
            set(&mut options, name, value);
        }
        assert_eq!(read("algorithm", Some("MiniMax"), &others), Ok(Change::Algorithm("minimax".to_owned())));
        assert_eq!(options.path("BookFile"), Some(PathBuf::from("book.bin")));
        assert!(options.is_on("OwnBook"));
        let settings = options.settings();
        assert_eq!(settings.move_overhead, Duration::from_millis(100));
        assert_eq!(settings.syzygy_path, Some(PathBuf::from("/a b/c:/d")));
        assert_eq!(settings.elo, Some(2000));
        // A level of skill counts where there is no rating.
        set(&mut options, "skill level", "10");
        assert_eq!(options.settings().elo, Some(2000));
        set(&mut options, "UCI_LimitStrength", "false");
        assert_eq!(options.settings().elo, Some(2264));
        set(&mut options, "Skill Level", "20");
        assert_eq!(options.settings().elo, None);
        // The empty text has a name, and none.
        set(&mut options, "BookFile", "<empty>");
        assert_eq!(options.path("BookFile"), None);
        set(&mut options, "SyzygyPath", "");
        assert_eq!(options.settings().syzygy_path, None);
    }
}
