//! The thread that searches: it does one job after the other, while another thread reads.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender};

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Move, Position as _};

use super::bench;
use super::book::Book;
use super::command::{Go, shown};
use super::gate::Gate;
use super::options::ENGINE;
use super::others::{Others, Question};
use super::output::{self, Output};
use super::standing::{Standing, read_move, write_move};
use crate::{Engine, Error, Info, Limit, Outcome, Settings, Verdict};
use betacut_core::limits::Limits;
use betacut_core::perft;

/// Something to be done.
pub enum Job {
    /// Say that everything before is done.
    Ready,
    /// Say it to the thread that reads.
    Tell(Sender<()>),
    /// Use these settings.
    Configure(Box<Settings>),
    /// Use this book, or none.
    Book(Option<PathBuf>),
    /// An algorithm other than the engine is about to be used.
    Select(String),
    /// Forget what is known.
    Clear,
    /// Another game begins.
    NewGame,
    /// Search for a move.
    Search(Box<Search>),
    /// Count moves.
    Perft(Box<Standing>, u32, Arc<Gate>),
    /// Sign the engine.
    Bench(u32, Arc<Gate>),
}

/// A search for a move.
pub struct Search {
    /// Where the game stands; nothing if nobody could read it.
    pub standing: Option<Standing>,
    /// What ends the search.
    pub go: Go,
    /// Who searches.
    pub algorithm: String,
    /// Whether the book may answer.
    pub from_book: bool,
    /// Whether scores come with chances.
    pub show_wdl: bool,
    /// What holds the answer back.
    pub gate: Arc<Gate>,
}

/// The answer to a search, as the protocol writes it.
#[derive(Default)]
struct Answer {
    best: Option<String>,
    ponder: Option<String>,
}

/// The thread that searches, and what it owns.
pub struct Worker {
    output: Arc<Output>,
    others: Box<dyn Others>,
    settings: Settings,
    /// A folder for tablebases that cannot be read; the other program's options still name it.
    refused: Option<PathBuf>,
    /// Made when it is needed first: saying `uciok` does not wait for a table.
    engine: Option<Engine>,
    book: Option<Book>,
    /// How many jobs wait or run that may take long.
    busy: Arc<AtomicUsize>,
    /// Whether the job that runs is one of them.
    is_counted: bool,
}

impl Worker {
    /// A worker that writes to `output`, and counts down `busy` after each job that may take long.
    pub fn new(output: Arc<Output>, others: Box<dyn Others>, busy: Arc<AtomicUsize>) -> Worker {
        Worker {
            output,
            others,
            settings: Settings::default(),
            refused: None,
            engine: None,
            book: None,
            busy,
            is_counted: false,
        }
    }

    /// Does all jobs, until there can be no more.
    pub fn work(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            self.is_counted = matches!(job, Job::Search(_) | Job::Perft(..) | Job::Bench(..));
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.complete(job))) {
                self.recover(&*panic);
            }
            self.count_down();
        }
    }

    /// A job that may take long is done. To be called before its last line: whoever has read that finds nobody busy.
    fn count_down(&mut self) {
        if std::mem::take(&mut self.is_counted) {
            self.busy.fetch_sub(1, SeqCst);
        }
    }

    fn complete(&mut self, job: Job) {
        match job {
            Job::Ready => self.output.line("readyok"),
            // Whoever asked may be gone.
            Job::Tell(reader) => drop(reader.send(())),
            Job::Configure(settings) => self.configure(*settings),
            Job::Book(path) => self.open_book(path),
            Job::Select(name) => {
                if let Err(error) = self.others.select(&name) {
                    self.output.remark(&format!("Algorithm {name}: {error}"));
                }
            }
            Job::Clear => self.engine.iter_mut().for_each(Engine::clear),
            Job::NewGame => {
                self.engine.iter_mut().for_each(Engine::clear);
                self.others.new_game();
            }
            Job::Search(search) => self.answer(&search),
            Job::Perft(standing, depth, gate) => self.perft(&standing, depth, &gate),
            Job::Bench(depth, gate) => self.bench(depth, &gate),
        }
    }

    /// After a fault of our own the engine is made anew; the game goes on.
    fn recover(&mut self, panic: &(dyn Any + Send)) {
        let said = panic.downcast_ref::<&str>().copied();
        let said =
            said.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        self.output.remark(&format!("internal error: {said}"));
        self.engine = None;
    }

    /// Changes the settings. What cannot be had stays as it was, and the rest is done: whoever has a wrong folder for
    /// tablebases wants to play all the same.
    fn configure(&mut self, mut settings: Settings) {
        if self.refused.is_some() && settings.syzygy_path == self.refused {
            settings.syzygy_path.clone_from(&self.settings.syzygy_path);
        } else {
            self.refused = None;
        }
        loop {
            let done = match &mut self.engine {
                Some(engine) => engine.configure(settings.clone()),
                None => Engine::new(settings.clone()).map(|engine| self.engine = Some(engine)),
            };
            let Err(error) = done else { break };
            let name = match error {
                Error::NoTablebases(_) if settings.syzygy_path != self.settings.syzygy_path => {
                    self.refused = settings.syzygy_path.clone();
                    settings.syzygy_path.clone_from(&self.settings.syzygy_path);
                    "SyzygyPath"
                }
                Error::OutOfMemory(_) if settings.hash_mb != self.settings.hash_mb => {
                    settings.hash_mb = self.settings.hash_mb;
                    "Hash"
                }
                _ => return self.output.remark(&error.to_string()),
            };
            self.output.remark(&format!("{name} stays as it was: {error}"));
        }
        self.settings = settings;
    }

    fn engine(&mut self) -> Result<&mut Engine, Error> {
        if self.engine.is_none() {
            self.engine = Some(Engine::new(self.settings.clone())?);
        }
        Ok(self.engine.as_mut().expect("an engine"))
    }

    fn open_book(&mut self, path: Option<PathBuf>) {
        self.book = path.and_then(|path| match Book::open(&path) {
            Ok(book) => Some(book),
            Err(error) => {
                let path = shown(&path.to_string_lossy());
                self.output.remark(&format!("cannot read the book {path}: {error}"));
                None
            }
        });
    }

    /// Answers `go`: exactly one `bestmove`, whatever happens, and not before its time.
    fn answer(&mut self, search: &Search) {
        let answer = catch_unwind(AssertUnwindSafe(|| self.search(search))).unwrap_or_else(|panic| {
            self.recover(&*panic);
            let standing = search.standing.as_ref();
            standing.map_or_else(Answer::default, |standing| {
                self.any(standing, &candidates(standing, &search.go))
            })
        });
        search.gate.wait(search.go.infinite);
        self.count_down();
        let ponder = answer.ponder.map_or_else(String::new, |m| format!(" ponder {m}"));
        self.output.line(&format!("bestmove {}{ponder}", answer.best.as_deref().unwrap_or("(none)")));
    }

    fn search(&mut self, search: &Search) -> Answer {
        // 1. Nothing to choose from.
        let Some(standing) = &search.standing else {
            self.output.remark("there is no position to search: the last one could not be read");
            self.output.line("info depth 0 score cp 0");
            return Answer::default();
        };
        let moves = candidates(standing, &search.go);
        if moves.is_empty() {
            let is_mate = standing.position().is_checkmate();
            self.output.line(&format!("info depth 0 score {}", if is_mate { "mate 0" } else { "cp 0" }));
            return Answer::default();
        }
        // 2. The book.
        if let Some(answer) = self.look_up(search, standing) {
            return answer;
        }
        // 3. Somebody searches.
        if search.algorithm == ENGINE {
            self.search_by_engine(search, standing, &moves)
        } else {
            self.search_by_other(search, standing, &moves)
        }
    }

    /// The first move that may be played, for want of a better one.
    fn any(&self, standing: &Standing, moves: &[Move]) -> Answer {
        let Some(m) = moves.first() else { return Answer::default() };
        let best = standing.write(*m);
        self.output.line(&format!("info depth 0 score cp 0 pv {best}"));
        Answer { best: Some(best), ponder: None }
    }

    fn look_up(&mut self, search: &Search, standing: &Standing) -> Option<Answer> {
        let go = &search.go;
        if !search.from_book || go.infinite || go.ponder || go.mate.is_some() || go.root_moves.is_some() {
            return None;
        }
        match self.book.as_mut()?.choose(standing.position()) {
            Ok(found) => {
                let best = standing.write(found?);
                self.output.remark(&format!("{best} is from the book"));
                self.output.line(&format!("info depth 0 score cp 0 pv {best}"));
                Some(Answer { best: Some(best), ponder: None })
            }
            Err(error) => {
                self.output.remark(&format!("cannot read the book: {error}"));
                None
            }
        }
    }

    fn search_by_engine(&mut self, search: &Search, standing: &Standing, moves: &[Move]) -> Answer {
        let limit = limit(&search.go, standing, moves);
        let (mode, output) = (standing.game.mode(), Arc::clone(&self.output));
        let engine = match self.engine() {
            Ok(engine) => engine,
            Err(error) => {
                output.remark(&format!("there is no engine: {error}"));
                return self.any(standing, moves);
            }
        };
        let mut shown: Vec<Info> = Vec::new();
        let outcome = engine.search(&standing.game, &limit, &search.gate.control, &mut |info| {
            if info.multipv <= shown.len() {
                shown.clear();
            }
            shown.push(info.clone());
            output.line(&output::info(info, mode, search.show_wdl));
        });
        let Outcome { best, ponder, lines } = outcome;
        // What stands last is what the answer goes by, whole and exact.
        if !is_same(&shown, &lines) {
            for line in &lines {
                output.line(&output::info(line, mode, search.show_wdl));
            }
        }
        match best.filter(|best| moves.contains(best)) {
            None => self.any(standing, moves),
            Some(best) => {
                let write = |m: Move| write_move(m, mode);
                if shown.is_empty() && lines.is_empty() {
                    output.line(&format!("info depth 0 score cp 0 pv {}", write(best)));
                }
                Answer { best: Some(write(best)), ponder: ponder.map(write) }
            }
        }
    }

    fn search_by_other(&mut self, search: &Search, standing: &Standing, moves: &[Move]) -> Answer {
        let question = Question {
            name: &search.algorithm,
            start: &standing.start,
            moves: &standing.moves,
            chess960: standing.game.mode() == CastlingMode::Chess960,
            limit: &search.go,
        };
        let choice = match self.others.choose(&question, &search.gate.control) {
            Ok(choice) => choice,
            Err(error) => {
                self.output.remark(&format!("{} has no move: {error}", search.algorithm));
                return self.any(standing, moves);
            }
        };
        let best = read_move(&choice.best, standing.position());
        let Some(best) = best.filter(|best| moves.contains(best)) else {
            let why = if search.go.root_moves.is_some() { "is none of searchmoves" } else { "is not legal" };
            self.output.remark(&format!("{} of {} {why}", shown(&choice.best), search.algorithm));
            return self.any(standing, moves);
        };
        let best = standing.write(best);
        let (depth, score) = (choice.depth.unwrap_or(0), choice.score.unwrap_or(Verdict::Cp(0)));
        let nodes = choice.nodes.map_or_else(String::new, |nodes| format!(" nodes {nodes}"));
        let pv = legal_line(&choice.pv, standing);
        let pv = if pv.first() == Some(&best) { pv } else { vec![best.clone()] };
        let line = format!("info depth {depth} score {}{nodes} pv {}", output::score(score), pv.join(" "));
        self.output.line(&line);
        let after = legal_line(&[&[best.clone()][..], choice.ponder.as_slice()].concat(), standing);
        Answer { best: Some(best), ponder: after.into_iter().nth(1) }
    }

    fn perft(&mut self, standing: &Standing, depth: u32, gate: &Gate) {
        let mut poll = || gate.is_stopped();
        let mut limits = Limits::new(&mut poll);
        let position = standing.position();
        let mut total = u64::from(depth == 0);
        for m in position.legal_moves().into_iter().take_while(|_| depth > 0) {
            let mut child = position.clone();
            child.play_unchecked(m);
            let Ok(count) = perft::bulk(&child, depth - 1, &mut limits) else {
                self.count_down();
                self.output.remark("perft: stopped");
                return;
            };
            self.output.line(&format!("{}: {count}", standing.write(m)));
            total += count;
        }
        self.count_down();
        self.output.line(&format!("\nNodes searched: {total}\n"));
    }

    fn bench(&mut self, depth: u32, gate: &Gate) {
        let count = bench::POSITIONS.len();
        let mut report = |number, nodes| {
            self.output.remark(&format!("bench: position {number} of {count}, {nodes} nodes"));
        };
        let found = bench::run(depth, &gate.control, &mut report);
        self.count_down();
        match found {
            Ok(Some(found)) => {
                let speed = found.nodes as f64 / found.time.as_secs_f64().max(1e-9);
                self.output.line(&format!("{} nodes {speed:.0} nps", found.nodes));
            }
            Ok(None) => self.output.remark("bench: stopped"),
            Err(error) => self.output.remark(&format!("bench: {error}")),
        }
    }
}

/// The moves that may be played: all legal ones, or those of them that `go` names.
fn candidates(standing: &Standing, go: &Go) -> Vec<Move> {
    let position = standing.position();
    match &go.root_moves {
        None => position.legal_moves().to_vec(),
        Some(names) => {
            let mut moves: Vec<Move> = Vec::new();
            for m in names.iter().filter_map(|name| read_move(name, position)) {
                if !moves.contains(&m) {
                    moves.push(m);
                }
            }
            moves
        }
    }
}

/// What ends a search of the engine. A clock that is not given is taken to show what the other one shows: a search
/// with any clock has an end. A time that the clock does not have is no limit.
fn limit(go: &Go, standing: &Standing, moves: &[Move]) -> Limit {
    let white = (go.white_clock.or(go.black_clock), go.white_increment);
    let black = (go.black_clock.or(go.white_clock), go.black_increment);
    let (own, other) = match standing.position().turn() {
        Color::White => (white, black),
        Color::Black => (black, white),
    };
    Limit {
        depth: go.depth,
        nodes: go.nodes,
        time: go.time.filter(|time| own.0.is_none_or(|clock| *time < clock)),
        mate: go.mate,
        clock: own.0,
        opponent_clock: other.0,
        increment: own.1,
        opponent_increment: other.1,
        moves_to_go: go.moves_to_go,
        infinite: go.infinite,
        root_moves: go.root_moves.is_some().then(|| moves.to_vec()),
    }
}

/// Whether lines say the same, times and nodes apart.
fn is_same(shown: &[Info], lines: &[Info]) -> bool {
    shown.len() == lines.len()
        && shown.iter().zip(lines).all(|(a, b)| {
            (a.depth, a.multipv, a.score, a.bound, &a.pv) == (b.depth, b.multipv, b.score, b.bound, &b.pv)
        })
}

/// The beginning of a line, as far as it is legal.
fn legal_line(moves: &[String], standing: &Standing) -> Vec<String> {
    let mut position: Chess = standing.position().clone();
    let mode = standing.game.mode();
    let mut line = Vec::new();
    for text in moves {
        let Some(m) = text.parse().ok().and_then(|m: UciMove| m.to_move(&position).ok()) else { break };
        position.play_unchecked(m);
        line.push(write_move(m, mode));
    }
    line
}
