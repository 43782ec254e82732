//! Lines into commands.
//!
//! Every line is one of three: a command, nothing (a blank one), or malformed, and then a sentence says why. Nothing here
//! panics, whatever the line holds.
//!
//! As the protocol asks, words before the first known command are skipped: `joho debug on` is `debug on`. The commands
//! that are betacut's own (`bench`, `d`, `eval`, `help`, `perft`) are understood as first word only.

use std::time::Duration;

use shakmaty::{ByColor, Color};

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
    /// `bench [depth]`.
    Bench(Option<u32>),
    /// `perft depth`, and `go perft depth`.
    Perft(u32),
    /// `eval`: what the position is worth without search.
    Eval,
    /// `d`: show the position.
    Display,
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
#[error("{0}")]
pub struct Malformed(pub String);

/// The words of a line.
type Words<'a> = std::iter::Peekable<std::str::SplitAsciiWhitespace<'a>>;

/// The parameters of `go`.
const GO_WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

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
/// ```
pub fn parse(line: &str) -> Result<Option<Command>, Malformed> {
    let mut words = line.split_ascii_whitespace().peekable();
    let Some(&first) = words.peek() else { return Ok(None) };
    if let Some(own) = parse_own(&words)? {
        return Ok(Some(own));
    }
    while let Some(word) = words.next() {
        let command = match word {
            "uci" => Command::Uci,
            "debug" => match words.next() {
                Some("on") => Command::Debug(true),
                Some("off") => Command::Debug(false),
                other => return Err(expected("debug", "on or off", other)),
            },
            "isready" => Command::IsReady,
            "setoption" => parse_option(&mut words)?,
            "register" => Command::Register,
            "ucinewgame" => Command::NewGame,
            "position" => Command::Position(parse_position(&mut words)?),
            "go" => parse_go(words)?,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            // Unknown words before a command are skipped.
            _ => continue,
        };
        return Ok(Some(command));
    }
    Err(Malformed(format!("unknown command {}; 'help' lists the commands", shown(first))))
}

/// The commands that are betacut's own; `None` if the first word is none of them.
fn parse_own(words: &Words<'_>) -> Result<Option<Command>, Malformed> {
    let mut words = words.clone();
    let command = match words.next() {
        Some("d") => Command::Display,
        Some("eval") => Command::Eval,
        Some("help") => Command::Help,
        Some("perft") => Command::Perft(plies("perft", words.next())?),
        Some("bench") => match words.next() {
            None => Command::Bench(None),
            word => Command::Bench(Some(plies("bench", word)?.max(1))),
        },
        _ => return Ok(None),
    };
    Ok(Some(command))
}

fn expected(command: &str, what: &str, found: Option<&str>) -> Malformed {
    let found = found.map_or_else(|| "nothing".to_owned(), shown);
    Malformed(format!("{command} needs {what}, not {found}"))
}

fn plies(command: &str, word: Option<&str>) -> Result<u32, Malformed> {
    let number = word.and_then(|word| word.parse().ok()).filter(|&number| number <= MOST_PLIES);
    number.ok_or_else(|| expected(command, &format!("a depth of {MOST_PLIES} at most"), word))
}

/// `name` and `value`, each of several words.
fn parse_option(words: &mut Words<'_>) -> Result<Command, Malformed> {
    match words.next() {
        Some("name") => {}
        other => return Err(expected("setoption", "'name'", other)),
    }
    let mut name = Vec::new();
    let mut value = None;
    for word in words {
        match &mut value {
            None if word == "value" => value = Some(Vec::new()),
            None => name.push(word),
            Some(value) => value.push(word),
        }
    }
    if name.is_empty() {
        return Err(expected("setoption", "the name of an option", None));
    }
    Ok(Command::SetOption { name: name.join(" "), value: value.map(|words| words.join(" ")) })
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
                while let Some(word) = words.next_if(|word| !GO_WORDS.contains(word)) {
                    moves.push(word.to_owned());
                }
            }
            "perft" => return Ok(Command::Perft(plies("go perft", words.next())?)),
            _ if GO_WORDS.contains(&word) => go.set(word, &mut words),
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
        let value = words.next_if(|word| !GO_WORDS.contains(word));
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
            // None are left: that is what some say who have no further time control.
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

    fn command(line: &str) -> Command {
        parse(line).unwrap().unwrap()
    }

    fn go(line: &str) -> Go {
        match command(line) {
            Command::Go(go) => *go,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn commands_without_arguments() {
        for (line, expected) in [
            ("uci", Command::Uci),
            ("isready", Command::IsReady),
            ("ucinewgame", Command::NewGame),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("quit", Command::Quit),
            ("register later", Command::Register),
            ("register name Somebody code 4359874324", Command::Register),
            ("d", Command::Display),
            ("eval", Command::Eval),
            ("help", Command::Help),
            ("bench", Command::Bench(None)),
            ("bench 3", Command::Bench(Some(3))),
            ("perft 3", Command::Perft(3)),
            ("go perft 3", Command::Perft(3)),
            ("debug off", Command::Debug(false)),
        ] {
            assert_eq!(command(line), expected, "{line}");
            assert_eq!(command(&format!("  {line}\t \r")), expected, "{line} with blanks");
        }
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(command("joho debug on"), Command::Debug(true));
        assert_eq!(command("please stop now"), Command::Stop);
        // Own commands are no part of the protocol.
        assert!(parse("please help me").is_err());
    }

    #[test]
    fn what_is_no_command() {
        for line in [
            "xyzzy",
            "debug",
            "debug maybe",
            "setoption",
            "setoption Hash",
            "setoption name",
            "setoption name value 3",
            "position",
            "position e2e4",
            "position startpos e2e4",
            "perft",
            "perft -1",
            "perft 101",
            "bench many",
            "go perft",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
        let long = parse(&"x".repeat(100_000)).unwrap_err().to_string();
        assert!(long.len() < 200, "{long}");
        assert_eq!(
            parse("x\u{7}y").unwrap_err().to_string(),
            "unknown command 'x?y'; 'help' lists the commands"
        );
    }

    #[test]
    fn options() {
        let option = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        assert_eq!(command("setoption name Hash value 32"), option("Hash", Some("32")));
        assert_eq!(command("setoption name Clear Hash"), option("Clear Hash", None));
        assert_eq!(command("setoption name Move Overhead value 5"), option("Move Overhead", Some("5")));
        assert_eq!(command("setoption name BookFile value"), option("BookFile", Some("")));
        assert_eq!(
            command("setoption name SyzygyPath value /a b/value of c"),
            option("SyzygyPath", Some("/a b/value of c"))
        );
    }

    #[test]
    fn positions() {
        let position = |line: &str| match command(line) {
            Command::Position(placement) => (placement.fen, placement.moves.join(" ")),
            other => panic!("{other:?}"),
        };
        assert_eq!(position("position startpos"), (None, String::new()));
        assert_eq!(position("position startpos moves"), (None, String::new()));
        assert_eq!(position("position startpos moves e2e4 e7e5"), (None, "e2e4 e7e5".to_owned()));
        assert_eq!(
            position("position fen 8/8/8/8/8/2k5/2p5/K7   w - - moves a1a2"),
            (Some("8/8/8/8/8/2k5/2p5/K7 w - -".to_owned()), "a1a2".to_owned())
        );
        assert_eq!(position("position fen"), (Some(String::new()), String::new()));
    }

    #[test]
    fn limits_of_a_search() {
        assert_eq!(go("go"), Go::default());
        let all =
            go("go wtime 1000 btime 2000 winc 10 binc 20 movestogo 3 depth 4 nodes 5 mate 6 movetime 7");
        let milliseconds = Duration::from_millis;
        let [white, black] = [1000, 2000].map(|time| Some(milliseconds(time)));
        assert_eq!(all.clocks, ByColor { white, black });
        assert_eq!(all.increments, ByColor { white: milliseconds(10), black: milliseconds(20) });
        assert_eq!((all.moves_to_go, all.depth, all.nodes, all.mate), (Some(3), Some(4), Some(5), Some(6)));
        assert_eq!(all.time, Some(milliseconds(7)));
        assert!(go("go ponder").ponder && go("go infinite").infinite);
    }

    #[test]
    fn moves_to_choose_from() {
        let moves = |line: &str| go(line).root_moves.map(|moves| moves.join(" "));
        assert_eq!(moves("go searchmoves e2e4 d2d4 depth 3"), Some("e2e4 d2d4".to_owned()));
        assert_eq!(moves("go depth 3 searchmoves e2e4"), Some("e2e4".to_owned()));
        // What python-chess sends for an empty list; and what others do.
        assert_eq!(moves("go searchmoves 0000"), Some("0000".to_owned()));
        assert_eq!(moves("go searchmoves"), None);
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

    #[test]
    fn no_line_is_too_odd() {
        let mut state = 11;
        let words =
            "uci debug on setoption name value position startpos fen moves go depth -1 \u{0} é e2e4 perft";
        let words: Vec<&str> = words.split(' ').collect();
        let (mut commands, mut others) = (0, 0);
        for _ in 0..5000 {
            let length = betacut_core::random::next(&mut state) % 8;
            let line: Vec<&str> = (0..length)
                .map(|_| words[(betacut_core::random::next(&mut state) % words.len() as u64) as usize])
                .collect();
            match parse(&line.join(" ")) {
                Ok(Some(_)) => commands += 1,
                _ => others += 1,
            }
        }
        assert!(commands > 1000 && others > 1000, "{commands} {others}");
    }
}
