//! The words of a command line: files, and options with values.

use std::{collections::BTreeMap, fmt::Display, str::FromStr};

use super::error::Error;

/// What an option may take that is a number.
pub trait Number: FromStr + PartialOrd + Display + Copy {}

impl<T: FromStr + PartialOrd + Display + Copy> Number for T {}

/// What was given: `--name value` or `--name=value`, `--switch`, and other words.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// By their names; those of switches are empty.
    values: BTreeMap<String, String>,
    /// What is no option.
    pub words: Vec<String>,
}

impl Arguments {
    /// Sorts words; `options` take a value, `switches` do not. The names of either are separated by blanks.
    pub fn read(
        given: impl IntoIterator<Item = String>,
        options: &str,
        switches: &str,
    ) -> Result<Arguments, Error> {
        let is_of = |names: &str, name: &str| names.split_whitespace().any(|known| known == name);
        let mut arguments = Arguments::default();
        let mut given = given.into_iter();
        while let Some(word) = given.next() {
            let Some(option) = word.strip_prefix("--") else {
                arguments.words.push(word);
                continue;
            };
            let (name, value) =
                option.split_once('=').map_or((option, None), |(a, b)| (a, Some(b.to_owned())));
            let value = if value.is_none() && is_of(switches, name) {
                String::new()
            } else if is_of(options, name) {
                let needed = || Error::new(format!("--{name} needs a value"));
                value.or_else(|| given.next()).ok_or_else(needed)?
            } else {
                let known = options.split_whitespace().chain(switches.split_whitespace());
                let known: Vec<String> = known.map(|name| format!("--{name}")).collect();
                return Err(Error::new(format!("there is no option {word}; there are {}", known.join(", "))));
            };
            if arguments.values.insert(name.to_owned(), value).is_some() {
                return Err(Error::new(format!("--{name} is given twice")));
            }
        }
        Ok(arguments)
    }

    /// Whether a switch is given.
    pub fn has(&self, switch: &str) -> bool {
        self.values.contains_key(switch)
    }

    /// The text of an option.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// The number of an option from `low` to `high`, if it is given.
    pub fn number<T: Number>(&self, name: &str, low: T, high: T) -> Result<Option<T>, Error> {
        let Some(text) = self.text(name) else { return Ok(None) };
        match text.replace('_', "").parse() {
            Ok(number) if low <= number && number <= high => Ok(Some(number)),
            _ => Err(Error::new(format!("--{name} must be a number from {low} to {high}, not {text:?}"))),
        }
    }

    /// The number of an option that must be given.
    pub fn needed<T: Number>(&self, name: &str, low: T, high: T) -> Result<T, Error> {
        self.number(name, low, high)?.ok_or_else(|| Error::new(format!("--{name} must be given")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Arguments, Error> {
        Arguments::read(line.split_whitespace().map(str::to_owned), "games rate", "quiet")
    }

    #[test]
    fn options_words_and_switches() {
        let arguments = read("a --games 1_000 --quiet --rate=-0.5 b").unwrap();
        assert_eq!(arguments.words, ["a", "b"]);
        assert_eq!(arguments.needed("games", 1, 5000), Ok(1000));
        assert_eq!(arguments.number("rate", -1.0, 1.0), Ok(Some(-0.5)));
        assert!(arguments.has("quiet"));
        assert_eq!(read("").unwrap().number::<u32>("games", 0, 1), Ok(None));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let said = |line: &str| read(line).unwrap_err().to_string();
        assert_eq!(said("--game 1"), "there is no option --game; there are --games, --rate, --quiet");
        assert_eq!(said("--games"), "--games needs a value");
        assert_eq!(said("--games 1 --games 2"), "--games is given twice");
        assert_eq!(said("--quiet --quiet"), "--quiet is given twice");
        let arguments = read("--games many --rate 2").unwrap();
        assert_eq!(
            arguments.needed("games", 1, 10).unwrap_err().to_string(),
            "--games must be a number from 1 to 10, not \"many\""
        );
        assert!(arguments.number("rate", 0.0, 1.0).is_err());
        assert_eq!(read("").unwrap().needed("games", 1, 2).unwrap_err().to_string(), "--games must be given");
    }
}
