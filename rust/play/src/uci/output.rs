//! What is said to the other program: whole lines, from any thread, each sent at once.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

use shakmaty::CastlingMode;

use super::standing::write_move;
use crate::{Info, Verdict};

/// A place to write lines to. After the first error nothing more is written.
pub struct Output {
    writer: Mutex<(Box<dyn Write + Send>, Option<io::Error>)>,
    is_broken: AtomicBool,
}

impl Output {
    /// Lines go to `writer`.
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        Output { writer: Mutex::new((Box::new(writer), None)), is_broken: AtomicBool::new(false) }
    }

    /// Sends a line, or several.
    pub fn line(&self, text: &str) {
        let mut guard = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let (writer, error) = &mut *guard;
        if !self.is_broken() {
            let written = writer.write_all(format!("{text}\n").as_bytes()).and_then(|()| writer.flush());
            *error = written.err();
            self.is_broken.store(error.is_some(), SeqCst);
        }
    }

    /// Whether a line could not be written: nobody hears what follows.
    pub fn is_broken(&self) -> bool {
        self.is_broken.load(SeqCst)
    }

    /// Sends a remark, which is one line whatever it says.
    pub fn remark(&self, text: &str) {
        let text: String =
            text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        self.line(&format!("info string {text}"));
    }

    /// What went wrong with writing, once.
    pub fn error(&self) -> Option<io::Error> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).1.take()
    }
}

/// A score as the protocol writes it.
pub fn score(verdict: Verdict) -> String {
    match verdict {
        Verdict::Cp(centipawns) => format!("cp {centipawns}"),
        Verdict::Mate(moves) => format!("mate {moves}"),
    }
}

/// A line of a search as the protocol writes it.
pub fn info(info: &Info, mode: CastlingMode, show_wdl: bool) -> String {
    let [wins, draws, losses] = info.wdl;
    let wdl = if show_wdl { format!(" wdl {wins} {draws} {losses}") } else { String::new() };
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{wdl} nodes {} nps {} hashfull {} tbhits {} time {}",
        info.depth,
        info.selective_depth,
        info.multipv,
        score(info.score),
        info.nodes,
        info.nodes_per_second,
        info.hash_full,
        info.tablebase_hits,
        info.time.as_millis(),
    );
    if !info.pv.is_empty() {
        line.push_str(" pv");
        for m in &info.pv {
            line.push(' ');
            line.push_str(&write_move(*m, mode));
        }
    }
    line
}

/// What is said about parts of a line that do not count: the first, and how many more; nothing if there are none.
pub fn left_out(why: &str, parts: &[String]) -> Option<String> {
    let more = if parts.len() > 1 { format!(" and {} more", parts.len() - 1) } else { String::new() };
    Some(format!("{why}: {}{more}", parts.first()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::uci::UciMove;
    use shakmaty::{Chess, Position as _};
    use std::time::Duration;

    #[test]
    fn lines_of_a_search() {
        let m = UciMove::from_ascii(b"e2e4").unwrap().to_move(&Chess::default()).unwrap();
        let mut line = Info {
            depth: 7,
            selective_depth: 12,
            multipv: 1,
            score: Verdict::Cp(-34),
            nodes: 1000,
            time: Duration::from_micros(12_900),
            nodes_per_second: 77_519,
            hash_full: 3,
            tablebase_hits: 0,
            wdl: [200, 500, 300],
            pv: vec![m],
        };
        let mode = Chess::default().castles().mode();
        assert_eq!(
            info(&line, mode, false),
            "info depth 7 seldepth 12 multipv 1 score cp -34 nodes 1000 nps 77519 hashfull 3 tbhits 0 time 12 pv e2e4"
        );
        line.score = Verdict::Mate(-2);
        line.pv.clear();
        assert_eq!(
            info(&line, mode, true),
            "info depth 7 seldepth 12 multipv 1 score mate -2 wdl 200 500 300 nodes 1000 nps 77519 \
             hashfull 3 tbhits 0 time 12"
        );
    }
}
