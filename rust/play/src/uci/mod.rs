//! The Universal Chess Interface: how other programs play against betacut.
//!
//! Source: Stefan-Meyer Kahlen, "Description of the universal chess interface" (April 2006).
//!
//! # The map
//!
//! A line becomes a command ([`command`], [`options`]); the conversation ([`conversation`]) knows the position
//! ([`standing`]), and obeys at once or makes a job of it; the worker ([`worker`]) does the jobs in a thread of its own,
//! with a [`Session`](crate::session::Session), other algorithms ([`others`]), or [`mod@bench`], and holds each answer
//! back until it may be given; [`output`] writes whole lines.
//!
//! # Contract
//!
//! - Every `go` is answered by exactly one `bestmove`, after a line with an exact score; in the order of the `go`s. After
//!   `go infinite` not before `stop`, after `go ponder` not before `stop` or `ponderhit`: not for want of legal moves,
//!   nor because everything is searched, nor because of the book.
//! - Without a legal move to choose from the answer is `bestmove (none)`, after `score mate 0` if it is checkmate.
//! - A `go` during a search stops that search. A `position`, `setoption` or `ucinewgame` during a search holds for what
//!   comes after it. `stop` without a search and `ponderhit` without pondering are nothing.
//! - `isready` is answered at once during a search, else when what came before it is done.
//! - A line that is no command is answered by one line, `info string` and what is wrong, and changes nothing; but after a
//!   `position` that cannot be read there is no position, and `go` is answered by `bestmove (none)`, not by a move in
//!   some other position.
//! - The end of the input is `quit`. A search that runs then is stopped, and answered.

pub mod bench;
pub mod command;
pub mod conversation;
pub mod options;
pub mod others;
pub mod output;
pub mod standing;
pub mod worker;

use std::io::{self, BufRead, Read as _, Write};

use conversation::Conversation;
use others::Others;
use output::Output;

/// The longest line that is read; a game of six thousand moves is shorter. Bytes.
const LONGEST: usize = 1 << 20;

/// What was read.
enum Line {
    Read,
    TooLong,
    End,
}

/// Reads lines from `input` until it ends or says `quit`.
/// Errors: if reading or writing fails, or no thread can be started.
pub fn run(
    input: &mut impl BufRead,
    output: impl Write + Send + 'static,
    others: Box<dyn Others>,
) -> io::Result<()> {
    let mut conversation = Conversation::new(Output::new(output), others)?;
    let mut line = Vec::new();
    let ended = loop {
        match read_line(input, &mut line) {
            Ok(Line::End) => break Ok(()),
            Ok(Line::TooLong) => {
                conversation.output.remark(&format!("a line of more than {LONGEST} bytes: ignored"));
                if line.trim_ascii_start().starts_with(b"position ") {
                    conversation.standing = None;
                }
            }
            Ok(Line::Read) => {
                if !conversation.line(&String::from_utf8_lossy(&line)) {
                    break Ok(());
                }
            }
            Err(error) => break Err(error),
        }
        if let Some(error) = conversation.output.error() {
            break Err(error);
        }
    };
    let written = conversation.quit();
    ended.and(written)
}

/// Does what some lines ask for, and waits until it is done. Each comes to its end before the next one begins; but
/// `stop` and `ponderhit` wait for nothing, and end what runs.
/// Errors: if writing fails, or no thread can be started.
pub fn execute<'a>(
    lines: impl IntoIterator<Item = &'a str>,
    output: impl Write + Send + 'static,
    others: Box<dyn Others>,
) -> io::Result<()> {
    let mut conversation = Conversation::new(Output::new(output), others)?;
    conversation.is_patient = true;
    for line in lines {
        if !conversation.line(line) || conversation.output.is_broken() {
            break;
        }
    }
    conversation.finish()
}

/// Reads a line into `line`. Of one that is too long the rest is thrown away.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', line)?;
    Ok(match line.last() {
        None => Line::End,
        Some(b'\n') => Line::Read,
        _ if line.len() <= LONGEST => Line::Read,
        _ => {
            input.skip_until(b'\n')?;
            Line::TooLong
        }
    })
}
