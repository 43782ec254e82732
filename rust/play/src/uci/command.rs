//! Lines into commands.
//!
//! Every line is one of three: a command, nothing (a blank one), or malformed, and then a sentence says why. Nothing here
//! panics, whatever the line holds.
//!
//! As the protocol asks, words before the first known command are skipped: `joho debug on` is `debug on`. The commands
//! that are betacut's own (`bench`, `compiler`, `d`, `eval`, `help`, `perft`) are understood as first word only.

use std::time::Duration;

use shakmaty::{ByColor, Color};

use super::bench::Setup;
use crate::session::{Kind, find};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: introduce yourself.
    Uci,
    /// `debug on` and `debug off`.
    Debug(bool),
    /// `isready`.
    IsReady,
    /// `setoption name … value …`.
    SetOption {
        /// As it was written.
        name: String,
        /// What follows `value`, if that is there.
        value: Option<String>,
    },
    /// `register`: there is nothing to register.
    Register,
    /// `ucinewgame`.
    NewGame,
    /// `position …`.
    Position(Placement),
    /// `go …`.
    Go(Box<Go>),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// `bench …`.
    Bench(Setup),
    /// `perft depth`, and `go perft depth`.
    Perft(u32),
    /// `eval`: what the position is worth without search.
    Eval,
    /// `d`: show the position.
    Display,
    /// `compiler`: what the program was made with, and for.
    Compiler,
    /// `help`.
    Help,
}

/// The position that a line names: where the game began, and its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// A FEN; none for the initial position.
    pub fen: Option<String>,
    /// Moves, as they were written.
    pub moves: Vec<String>,
}

/// What is to be searched, and when that ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// On the time of the opponent.
    pub ponder: bool,
    /// Until being stopped.
    pub infinite: bool,
    /// What the clocks show.
    pub clocks: ByColor<Option<Duration>>,
    /// What is added to them for each move.
    pub increments: ByColor<Duration>,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Moves to mate.
    pub mate: Option<u32>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// The moves to choose from, as they were written; none if all may be chosen.
    pub root_moves: Option<Vec<String>>,
    /// What was not understood: words, and parameters whose value is no number.
    pub ignored: Vec<String>,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Malformed {
    /// What is wrong with it.
    pub text: String,
    /// Whether it should have named a position.
    pub is_position: bool,
}

/// The words of a line.
type Words<'a> = std::iter::Peekable<std::str::SplitAsciiWhitespace<'a>>;

/// The parameters of `go`.
const GO_WORDS: &str =
    "searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime infinite perft";

fn is_parameter(word: &str) -> bool {
    GO_WORDS.split(' ').any(|known| known == word)
}

/// The deepest `perft` and `bench`. Plies.
const MOST_PLIES: u32 = 100;

/// The longest clock that is told from a longer one, some 3,000 years: sums of such cannot overflow. Milliseconds.
const MOST_MILLISECONDS: u64 = 100_000_000_000_000;

/// The longest quotation in a message. Characters.
const SHORT: usize = 60;

/// Text as a message quotes it: printable, on one line, not long.
pub fn shown(text: &str) -> String {
    let mut letters = text.chars().map(|letter| if letter.is_control() { '?' } else { letter });
    let mut short: String = letters.by_ref().take(SHORT).collect();
    if letters.next().is_some() {
        short.push_str("...");
    }
    format!("'{short}'")
}

/// Reads a line; `None` if it is blank.
///
/// ```
/// use betacut_play::uci::command::{Command, parse};
/// assert_eq!(parse("joho debug on").unwrap(), Some(Command::Debug(true)));
/// assert_eq!(parse(" \t").unwrap(), None);
/// assert!(parse("debug maybe").is_err());
/// // Own commands are no part of the protocol.
/// assert!(parse("please help me").is_err());
/// ```
pub fn parse(line: &str) -> Result<Option<Command>, Malformed> {
    let mut words = line.split_ascii_whitespace().peekable();
    let Some(&first) = words.peek() else { return Ok(None) };
    let mut is_first = true;
    while let Some(word) = words.next() {
        let command = match word {
            "uci" => Command::Uci,
            "debug" => match words.next() {
                Some("on") => Command::Debug(true),
                Some("off") => Command::Debug(false),
                other => return Err(expected("debug", "on or off", other)),
            },
            "isready" => Command::IsReady,
            "setoption" => parse_option(line, &mut words)?,
            "register" => Command::Register,
            "ucinewgame" => Command::NewGame,
            "position" => {
                let placement = parse_position(&mut words);
                Command::Position(placement.map_err(|error| Malformed { is_position: true, ..error })?)
            }
            "go" => parse_go(words)?,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            "d" if is_first => Command::Display,
            "eval" if is_first => Command::Eval,
            "help" if is_first => Command::Help,
            "perft" if is_first => Command::Perft(plies("perft", words.next())?),
            "compiler" if is_first => Command::Compiler,
            "bench" if is_first => Command::Bench(parse_bench(words)?),
            // Unknown words before a command are skipped.
            _ => {
                is_first = false;
                continue;
            }
        };
        return Ok(Some(command));
    }
    let text = format!("unknown command {}; 'help' lists the commands", shown(first));
    Err(Malformed { text, is_position: false })
}

fn expected(command: &str, what: &str, found: Option<&str>) -> Malformed {
    let found = found.map_or_else(|| "nothing".to_owned(), shown);
    Malformed { text: format!("{command} needs {what}, not {found}"), is_position: false }
}

fn plies(command: &str, word: Option<&str>) -> Result<u32, Malformed> {
    let number = word.and_then(|word| word.parse().ok()).filter(|&number| number <= MOST_PLIES);
    number.ok_or_else(|| expected(command, &format!("a depth of {MOST_PLIES} at most"), word))
}

/// One number is the depth. More are what Stockfish takes: the table, the threads, the depth; then the words for a depth on
/// the positions that are built in, which are the only ones.
fn parse_bench(mut words: Words<'_>) -> Result<Setup, Malformed> {
    let mut setup = Setup::default();
    let first = words.next();
    if first.is_some() && words.peek().is_none() {
        setup.depth = plies("bench", first)?.max(1);
    } else if first.is_some() {
        setup.hash_mb = bench_number("Hash", first)?;
        setup.threads = bench_number("Threads", words.next())?;
        if let Some(word) = words.next() {
            setup.depth = plies("bench", Some(word))?.max(1);
        }
        for known in ["default", "depth"] {
            if let Some(other) = words.next().filter(|&word| word != known) {
                let what = format!("'{known}' there: a depth of the positions that are built in");
                return Err(expected("bench", &what, Some(other)));
            }
        }
    }
    Ok(setup)
}

/// A value of an option that is a number.
fn bench_number(option: &str, word: Option<&str>) -> Result<usize, Malformed> {
    let Some(Kind::Spin { min, max, .. }) = find(option).map(|spec| spec.kind) else { return Ok(1) };
    let number = word.and_then(|word| word.parse().ok()).filter(|number| (min..=max).contains(number));
    let what = format!("{option}, a number from {min} to {max}");
    number.and_then(|number| usize::try_from(number).ok()).ok_or_else(|| expected("bench", &what, word))
}

/// `name`, and the rest of the line after `value`, each of several words.
fn parse_option(line: &str, words: &mut Words<'_>) -> Result<Command, Malformed> {
    match words.next() {
        Some("name") => {}
        other => return Err(expected("setoption", "'name'", other)),
    }
    let mut name = Vec::new();
    let mut value = None;
    for word in words {
        if word == "value" {
            let end = word.as_ptr() as usize + word.len() - line.as_ptr() as usize;
            value = Some(line[end..].trim_ascii().to_owned());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(expected("setoption", "the name of an option", None));
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

fn parse_position(words: &mut Words<'_>) -> Result<Placement, Malformed> {
    let fen = match words.next() {
        Some("startpos") => None,
        Some("fen") => {
            let mut fen = Vec::new();
            while let Some(word) = words.next_if(|word| *word != "moves") {
                fen.push(word);
            }
            Some(fen.join(" "))
        }
        other => return Err(expected("position", "'startpos' or 'fen'", other)),
    };
    match words.next() {
        None | Some("moves") => Ok(Placement { fen, moves: words.map(str::to_owned).collect() }),
        other => Err(expected("position", "'moves' after the position", other)),
    }
}

/// The parameters of `go`, in any order. Words that mean nothing are ignored, as the protocol asks; a parameter whose
/// value is no number counts as the least there is, so that no search is without end by mistake.
fn parse_go(mut words: Words<'_>) -> Result<Command, Malformed> {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                let moves = go.root_moves.get_or_insert_default();
                while let Some(word) = words.next_if(|word| !is_parameter(word)) {
                    moves.push(word.to_owned());
                }
            }
            "perft" => return Ok(Command::Perft(plies("go perft", words.next())?)),
            _ if is_parameter(word) => go.set(word, &mut words),
            _ => go.ignored.push(shown(word)),
        }
    }
    // Nothing after `searchmoves` restricts nothing.
    go.root_moves = go.root_moves.filter(|moves| !moves.is_empty());
    Ok(Command::Go(Box::new(go)))
}

impl Go {
    /// The clock of a side. One that is not given shows what the other one shows: a search with any clock has an end.
    pub fn clock(&self, color: Color) -> Option<Duration> {
        self.clocks[color].or(self.clocks[!color])
    }

    /// Sets a parameter that is a number.
    fn set(&mut self, parameter: &str, words: &mut Words<'_>) {
        let value = words.next_if(|word| !is_parameter(word));
        let number = value.and_then(number).unwrap_or_else(|| {
            let value = value.map_or_else(|| "nothing".to_owned(), shown);
            self.ignored.push(format!("{parameter} {value}"));
            0
        });
        let time = Duration::from_millis(number.min(MOST_MILLISECONDS));
        let count = u32::try_from(number).unwrap_or(u32::MAX);
        match parameter {
            "wtime" => self.clocks.white = Some(time),
            "btime" => self.clocks.black = Some(time),
            "winc" => self.increments.white = time,
            "binc" => self.increments.black = time,
            // None are left: some programs say so when there is no further time control.
            "movestogo" => self.moves_to_go = Some(count).filter(|&moves| moves > 0),
            "depth" => self.depth = Some(count.max(1)),
            "nodes" => self.nodes = Some(number.max(1)),
            "mate" => self.mate = Some(count.max(1)),
            _ => self.time = Some(time),
        }
    }
}

/// A whole number; below zero it is zero (clocks run on after the flag has fallen), and a huge one is as large as can be.
fn number(text: &str) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    Some(if negative { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        match parse(line).unwrap() {
            Some(Command::Go(go)) => *go,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_no_command() {
        for line in ["debug", "perft", "perft -1", "perft 101", "bench many", "go perft"] {
            assert!(parse(line).is_err(), "{line}");
        }
        for line in ["bench 16 1 many", "bench 0 1 5", "bench 16 0", "bench 16 1 5 file.fen"] {
            assert!(parse(line).is_err(), "{line}");
        }
        assert_eq!(
            parse("x\u{7}y").unwrap_err().to_string(),
            "unknown command 'x?y'; 'help' lists the commands"
        );
    }

    #[test]
    fn a_value_keeps_its_blanks() {
        let line = "value setoption  name Eval  File value \t a  value\tb \r\n";
        let (name, value) = ("Eval File".to_owned(), Some("a  value\tb".to_owned()));
        assert_eq!(parse(line).unwrap(), Some(Command::SetOption { name, value }));
    }

    #[test]
    fn both_ways_to_ask_for_a_bench() {
        let initial = Setup::default();
        for (line, setup) in [
            ("bench", initial),
            ("bench 5", Setup { depth: 5, ..initial }),
            ("bench 64 2", Setup { hash_mb: 64, threads: 2, ..initial }),
            ("bench 64 2 5", Setup { hash_mb: 64, threads: 2, depth: 5 }),
            ("bench 16 1 13 default depth", Setup { depth: 13, ..initial }),
        ] {
            assert_eq!(parse(line).unwrap(), Some(Command::Bench(setup)), "{line}");
        }
        assert_eq!(
            parse("bench 16 1 5 default movetime").unwrap_err().to_string(),
            "bench needs 'depth' there: a depth of the positions that are built in, not 'movetime'"
        );
    }

    #[test]
    fn bad_numbers_never_make_a_search_endless() {
        for (line, ignored) in [
            ("go movetime", "movetime nothing"),
            ("go movetime soon", "movetime 'soon'"),
            ("go movetime 1e3", "movetime '1e3'"),
        ] {
            let go = go(line);
            assert_eq!((go.time, &*go.ignored.join(";")), (Some(Duration::ZERO), ignored), "{line}");
        }
        assert_eq!(go("go depth infinite").depth, Some(1));
        assert!(go("go depth infinite").infinite);
        assert_eq!(go("go depth 0").depth, Some(1));
        assert_eq!(go("go nodes 99999999999999999999999").nodes, Some(u64::MAX));
        assert_eq!(go("go wtime -50").clocks.white, Some(Duration::ZERO));
        assert_eq!(
            go("go wtime 99999999999999999999999").clocks.white,
            Some(Duration::from_millis(MOST_MILLISECONDS))
        );
        assert_eq!(go("go movestogo 0").moves_to_go, None);
        assert_eq!(go("go fast depth 2").ignored, ["'fast'"]);
    }
}
