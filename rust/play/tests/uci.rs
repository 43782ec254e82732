//! The state machine of the protocol, driven in memory: lines in, lines out.

use std::io::{self, BufRead, BufReader, PipeWriter, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use betacut_play::network::{self, Network};
use betacut_play::uci;
use betacut_play::uci::others::{Choice, Others, Question};
use betacut_play::{Control, Verdict};

/// How long to wait for a line that must come. A loaded machine may need its time.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long nothing must come where nothing may.
const SILENCE: Duration = Duration::from_millis(150);

/// A program that talks to betacut; when it goes, betacut has ended without an error.
struct Client {
    /// There until the input ends.
    to: Option<PipeWriter>,
    from: Receiver<String>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Client {
    fn new() -> Client {
        let (input, to) = io::pipe().unwrap();
        let (output, written) = io::pipe().unwrap();
        let thread = thread::spawn(move || uci::run(&mut BufReader::new(input), written, Box::new(Players)));
        let (line, from) = mpsc::channel();
        thread::spawn(move || {
            for read in BufReader::new(output).lines() {
                line.send(read.unwrap()).unwrap_or_default();
            }
        });
        Client { to: Some(to), from, thread: Some(thread) }
    }

    fn send(&self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    fn send_bytes(&self, bytes: &[u8]) {
        self.to.as_ref().unwrap().write_all(bytes).unwrap();
    }

    fn line(&self) -> String {
        self.from.recv_timeout(PATIENCE).expect("a line")
    }

    /// The lines up to the one that begins so.
    fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().unwrap().starts_with(start) {
                return lines;
            }
        }
    }

    /// What is said before the answer to `isready`.
    fn said(&self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    fn is_silent(&self) -> bool {
        self.from.recv_timeout(SILENCE) == Err(RecvTimeoutError::Timeout)
    }

    /// No `bestmove` comes, whatever else does.
    fn holds_back(&self) -> bool {
        loop {
            match self.from.recv_timeout(SILENCE) {
                Ok(line) if line.starts_with("bestmove") => return false,
                Ok(_) => {}
                Err(_) => return true,
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.to = None;
        let ended = self.thread.take().unwrap().join();
        assert!(thread::panicking() || matches!(ended, Ok(Ok(()))), "{ended:?}");
    }
}

/// All that is said to some lines, each of which comes to its end.
fn transcript<const N: usize>(lines: [&str; N]) -> String {
    let (output, written) = io::pipe().unwrap();
    uci::execute(lines, written, Box::new(Players)).unwrap();
    io::read_to_string(output).unwrap()
}

/// The last line before the answer, and the answer.
fn answer(lines: &[String]) -> (&str, &str) {
    (&lines[lines.len() - 2], &lines[lines.len() - 1])
}

#[test]
fn introduction() {
    let client = Client::new();
    client.send("uci");
    let lines = client.until("uciok");
    assert!(lines[0].starts_with("id name betacut "), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("option name ")).count(), 20);
    client.send("quit");
}

#[test]
fn a_search_ends_with_an_exact_score_and_a_legal_move() {
    let client = Client::new();
    client.send("position startpos moves e2e4\ngo depth 2");
    let lines = client.until("bestmove");
    let (info, best) = answer(&lines);
    assert!(info.contains(" score cp ") && !info.contains("bound"), "{info}");
    let moves = format!("position startpos moves e2e4 {}", best.split(' ').nth(1).unwrap());
    assert!(transcript([&moves, "d"]).contains("Fen: "));
}

#[test]
fn nothing_is_answered_before_its_time() {
    let mated =
        "position fen 7k/5K2/6Q1/8/8/8/8/8 b - - 0 1 moves h8h7\nposition fen R6k/6pp/8/8/8/8/8/K7 b - - 0 1";
    for position in
        [mated, "position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "position fen k7/8/8/8/8/8/8/K7 w - -"]
    {
        for (go, then) in [("infinite", "stop"), ("ponder", "stop"), ("ponder wtime 100", "ponderhit")] {
            let client = Client::new();
            client.send(&format!("{position}\ngo {go}"));
            assert!(client.holds_back(), "{position}: {go}");
            client.send(then);
            client.until("bestmove");
            assert!(client.is_silent());
        }
    }
}

#[test]
fn ponderhit_does_not_end_an_infinite_search() {
    let client = Client::new();
    client.send("position startpos\ngo ponder infinite\nponderhit");
    assert!(client.holds_back());
    client.send("stop");
    client.until("bestmove");
}

#[test]
fn the_end_of_the_game() {
    let client = Client::new();
    for (fen, score) in [
        ("R6k/6pp/8/8/8/8/8/K7 b - - 0 1", "info depth 0 score mate 0"),
        ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "info depth 0 score cp 0"),
    ] {
        client.send(&format!("position fen {fen}\ngo depth 3"));
        let lines = client.until("bestmove");
        assert_eq!(answer(&lines), (score, "bestmove (none)"));
    }
}

#[test]
fn every_go_has_one_answer() {
    let mut client = Client::new();
    client.send(
        "stop\nponderhit\ngo depth 1\nstop\ngo infinite\nstop\nstop\ngo infinite\ngo infinite\ngo depth 1",
    );
    for _ in 0..5 {
        let lines = client.until("bestmove");
        assert!(lines.len() > 1 && answer(&lines).0.contains(" score "), "{lines:?}");
    }
    assert_eq!(client.said(), [""; 0]);
    client.send("go infinite");
    // The end of the input is the end of the search.
    client.to = None;
    assert!(client.from.iter().any(|line| line.starts_with("bestmove ")));
}

#[test]
fn what_comes_during_a_search() {
    let client = Client::new();
    client.send("position startpos\ngo infinite");
    client.send(
        "ucinewgame\nsetoption name Hash value 1\nposition fen R6k/6pp/8/8/8/8/8/K7 b - - 0 1\nisready",
    );
    let lines = client.until("readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    client.send("stop");
    assert_ne!(client.until("bestmove").last().unwrap(), "bestmove (none)");
    client.send("go depth 1");
    assert_eq!(client.until("bestmove").last().unwrap(), "bestmove (none)");
}

#[test]
fn isready_after_stop_waits_for_what_was_asked() {
    let client = Client::new();
    client.send("go infinite\nstop\nucinewgame\nisready");
    assert!(client.until("readyok").iter().any(|line| line.starts_with("bestmove")));
}

#[test]
fn a_search_that_nobody_hears_ends() {
    let (output, written) = io::pipe().unwrap();
    drop(output);
    assert!(uci::execute(["go infinite", "go infinite"], written, Box::new(Players)).is_err());
}

#[test]
fn malformed_lines_are_told_in_one_line_and_change_nothing() {
    let client = Client::new();
    let long = "x".repeat(3 << 20);
    for line in ["xyzzy", "debug maybe", "setoption name Hash value 0", "setoption name No value 1", &long] {
        client.send(line);
        let said = client.said();
        assert!(said.len() == 1 && said[0].starts_with("info string ") && said[0].len() < 300, "{said:?}");
    }
    for line in ["", "   ", "\t\r", "stop", "ponderhit", "register later", "ucinewgame"] {
        client.send(line);
        assert_eq!(client.said(), [""; 0], "{line}");
    }
    client.send_bytes(b"\xff\xfe\x00stop\n");
    assert_eq!(client.said().len(), 1);
}

#[test]
fn a_position_that_cannot_be_read_is_not_replaced_by_another() {
    let client = Client::new();
    client.send("position startpos moves e2e4 e2e4\ngo depth 1");
    let lines = client.until("bestmove");
    assert!(lines[0].contains("move 2 of the position, 'e2e4', is not legal"), "{lines:?}");
    assert_eq!(answer(&lines), ("info depth 0 score cp 0", "bestmove (none)"));
    for line in ["perft 1", "eval", "d"] {
        client.send(line);
        assert!(client.line().ends_with("there is no position"));
    }
    let long = format!("position startpos moves {}", "g1f3 ".repeat(300_000));
    for line in ["position", "joho position startpos e2e4", &long] {
        client.send(&format!("position startpos\n{line}\ngo depth 1"));
        assert_eq!(client.until("bestmove").last().unwrap(), "bestmove (none)");
    }
    client.send("position startpos\ngo depth 1");
    assert_ne!(client.until("bestmove").last().unwrap(), "bestmove (none)");
}

/// A file of a network that says that the side to move is a pawn ahead, whatever the position.
fn a_pawn_ahead() -> std::path::PathBuf {
    let network = Network {
        hidden: 16,
        note: "a pawn ahead".to_owned(),
        input_biases: vec![0; 16],
        input_weights: vec![0; 16 * network::INPUTS],
        output_weights: vec![0; 32 * network::BUCKETS],
        output_biases: [network::QA * network::QB / 4; network::BUCKETS],
    };
    let path = std::env::temp_dir().join(format!("betacut-{}.net", std::process::id()));
    std::fs::write(&path, network.to_bytes()).unwrap();
    path
}

#[test]
fn a_network_takes_the_place_of_the_evaluation() {
    let (client, path) = (Client::new(), a_pawn_ahead());
    let search = || {
        client.send("ucinewgame\ngo depth 1");
        let lines = client.until("bestmove");
        // A move without a capture or a pawn brings it nearer to a draw.
        let score = answer(&lines).0.split(" cp ").nth(1).and_then(|rest| rest.split(' ').next());
        assert!(matches!(score, Some("-100" | "-99")), "{lines:?}");
    };
    let evaluation = || {
        client.send("eval");
        client.until("Final evaluation")
    };
    client.send("position startpos moves e2e4");
    let built_in = evaluation();
    assert!(built_in.len() == 3 && built_in[1].starts_with("by the network in use: "), "{built_in:?}");
    // 1. What cannot be read changes nothing.
    client.send("setoption name EvalFile value /no/such.net");
    let said = client.line();
    assert!(said.starts_with("info string EvalFile stays as it was: no network in /no/such.net: "), "{said}");
    assert_eq!(evaluation(), built_in);
    // 2. What can is used, unless it is not to be.
    client.send(&format!("setoption name EvalFile value {}", path.display()));
    let used = evaluation();
    assert_eq!(used[0], built_in[0]);
    assert_eq!(used[1], "by the network in use: -100 centipawns for White, +100 for the side to move");
    assert_eq!(used[2], "Final evaluation       -1.00 (white side)");
    search();
    client.send("setoption name Hash value 1");
    search();
    client.send("setoption name Use NNUE value false");
    let by_hand = evaluation();
    assert!(by_hand.len() == 2 && by_hand[0] == built_in[0], "{by_hand:?}");
    client.send("setoption name Use NNUE value true");
    search();
    // 3. The other file is kept when the next one is damaged, and the file that was read may change.
    std::fs::write(&path, b"bcnet-2\n").unwrap();
    client.send(&format!("setoption name evalfile value {}\n", path.with_extension("other").display()));
    assert!(client.line().contains("EvalFile stays as it was"));
    assert_eq!(evaluation(), used);
    client.send(&format!(
        "setoption name EvalFile value <empty>\nsetoption name EvalFile value {}",
        path.display()
    ));
    let said = client.line();
    assert!(said.ends_with(": a network must have a multiple of 16 neurons, at most 512, not 0"), "{said}");
    assert_eq!(evaluation(), built_in);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn moves_to_choose_from() {
    let client = Client::new();
    client.send("position startpos\ngo depth 2 searchmoves a2a3 h7h5 a2a3");
    assert!(client.until("bestmove").last().unwrap().starts_with("bestmove a2a3"));
    client.send("go depth 2 searchmoves 0000");
    assert_eq!(client.until("bestmove").last().unwrap(), "bestmove (none)");
    client.send("go depth 2 searchmoves");
    assert_ne!(client.until("bestmove").last().unwrap(), "bestmove (none)");
}

#[test]
fn any_clock_ends_a_search() {
    let client = Client::new();
    for go in
        ["wtime 100", "btime 100", "wtime -3", "movetime", "movetime 20 wtime 60000 btime 60000", "nodes x"]
    {
        for moves in ["", " moves e2e4"] {
            client.send(&format!("position startpos{moves}\ngo {go}"));
            client.until("bestmove");
        }
    }
}

#[test]
fn several_lines() {
    let client = Client::new();
    client.send("setoption name MultiPV value 3\nsetoption name UCI_ShowWDL value true\ngo depth 2");
    let lines = client.until("bestmove");
    for (index, line) in lines[lines.len() - 4..lines.len() - 1].iter().enumerate() {
        assert!(line.contains(&format!(" multipv {} ", index + 1)) && line.contains(" wdl "), "{line}");
    }
}

#[test]
fn castling_as_it_is_asked_for() {
    let client = Client::new();
    let fen = "position fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1\ngo depth 1 searchmoves";
    client.send(&format!("{fen} e1h1"));
    assert!(client.until("bestmove").last().unwrap().starts_with("bestmove e1g1"));
    client.send(&format!("setoption name UCI_Chess960 value true\n{fen} e1g1"));
    assert!(client.until("bestmove").last().unwrap().starts_with("bestmove e1h1"));
}

#[test]
fn counting() {
    let text = transcript(["perft 3", "go perft 0", "debug on", "stop", "help"]);
    assert!(text.contains("g1f3: 440\n") && text.contains("\nNodes searched: 8902\n"), "{text}");
    assert!(text.contains("\nNodes searched: 1\n") && text.contains("info string debug: Stop\n"), "{text}");
    // No command stops the one before.
    let text = transcript(["perft 2", "perft 1", "go depth 2", "go depth 1"]);
    assert!(text.contains(": 400\n") && text.contains(": 20\n"), "{text}");
    let bench = || transcript(["bench 2"]);
    let nodes =
        |text: String| text.lines().last().unwrap().split(' ').next().unwrap().parse::<u64>().unwrap();
    assert_eq!(nodes(bench()), nodes(bench()));
    let client = Client::new();
    client.send("perft 9\nisready");
    client.until("readyok");
    client.send("stop");
    client.until("info string perft: stopped");
    client.send("bench 60");
    client.send("quit");
    client.until("info string bench: stopped");
}

/// Algorithms that do what their names say.
struct Players;

impl Others for Players {
    fn names(&self) -> Vec<String> {
        ["first", "illegal", "fails", "panics", "waits"].map(str::to_owned).to_vec()
    }

    fn select(&mut self, name: &str) -> Result<(), String> {
        if name == "fails" { Err("it never works".to_owned()) } else { Ok(()) }
    }

    fn choose(&mut self, question: Question, control: &Control) -> Result<Choice, String> {
        match question.name.as_str() {
            "fails" => Err("it never works".to_owned()),
            "panics" => panic!("on purpose"),
            "illegal" => Ok(Choice { best: "a1a8".to_owned(), ..Choice::default() }),
            _ => {
                while question.name == "waits" && !control.is_stopped() {
                    thread::sleep(Duration::from_millis(1));
                }
                let standing = question.standing;
                assert!(!standing.start.is_empty() && !standing.game.mode().is_chess960());
                let pv: Vec<String> = if standing.moves.is_empty() {
                    ["g1f3", "g8f6", "nonsense"].map(str::to_owned).to_vec()
                } else {
                    vec!["h7h5".to_owned()]
                };
                Ok(Choice {
                    best: pv[0].clone(),
                    ponder: pv.get(1).cloned(),
                    score: Some(Verdict::Cp(5)),
                    depth: Some(4),
                    nodes: Some(77),
                    pv,
                })
            }
        }
    }

    fn new_game(&mut self) {}
}

#[test]
fn other_algorithms() {
    let client = Client::new();
    client.send("setoption name Algorithm value first\nposition startpos\ngo depth 3");
    let lines = client.until("bestmove");
    assert_eq!(lines, ["info depth 4 score cp 5 nodes 77 pv g1f3 g8f6", "bestmove g1f3 ponder g8f6"]);
    client.send("position startpos moves e2e4\ngo depth 3");
    assert_eq!(client.until("bestmove").last().unwrap(), "bestmove h7h5");
    client.send("go depth 3 searchmoves a7a6");
    let lines = client.until("bestmove");
    assert!(lines[0].contains("none of searchmoves"), "{lines:?}");
    assert_eq!(answer(&lines), ("info depth 0 score cp 0 pv a7a6", "bestmove a7a6"));
    client.send("setoption name Algorithm value waits\ngo depth 3");
    assert!(client.holds_back());
    client.send("stop");
    assert_eq!(client.until("bestmove").last().unwrap(), "bestmove h7h5");
}

#[test]
fn other_algorithms_that_fail() {
    let client = Client::new();
    for (name, said) in [("illegal", "'a1a8' of illegal is not legal"), ("fails", "it never works")] {
        client.send(&format!("setoption name Algorithm value {name}\nposition startpos\ngo depth 1"));
        let lines = client.until("bestmove");
        assert!(lines[0].contains(said) && lines[lines.len() - 2].contains(" score cp 0 pv "), "{lines:?}");
        assert_ne!(lines.last().unwrap(), "bestmove (none)");
    }
    client.send("setoption name Algorithm value panics\ngo infinite");
    assert!(client.until("info string internal error").last().unwrap().ends_with("on purpose"));
    assert!(client.holds_back());
    client.send("stop");
    client.until("bestmove ");
    client.send("setoption name Algorithm value engine\ngo depth 1");
    client.until("bestmove ");
}
