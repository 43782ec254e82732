//! The thread that searches: it does one job after the other, while another thread reads.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position as _};

use super::bench::{self, Setup};
use super::command::{Go, shown};
use super::options::{Change, ENGINE};
use super::others::{self, Others};
use super::output::{self, Output};
use super::standing::{Standing, read_move, write_move};
use crate::network::Network;
use crate::session::{Session, Value};
use crate::{Control, Limit, Outcome, Verdict};
use betacut_core::limits::Limits;
use betacut_core::{perft, random};

/// Something to be done.
pub enum Job {
    /// Say that everything before is done.
    Ready,
    /// Say it to the thread that reads.
    Tell(Sender<()>),
    /// An option changes.
    Change(Change),
    /// Another game begins.
    NewGame,
    /// Search for a move.
    Search(Box<Question>),
    /// Count moves.
    Perft(Box<Standing>, u32, Control),
    /// Sign the engine.
    Bench(Setup, Control),
}

/// A `go`.
pub struct Question {
    /// Where the game stands; none if it could not be read.
    pub standing: Option<Standing>,
    /// What is asked.
    pub go: Go,
    /// What ends the search, and holds the answer back.
    pub control: Control,
}

/// The answer to a search, as the protocol writes it.
#[derive(Default)]
struct Answer {
    best: Option<String>,
    ponder: Option<String>,
}

/// The network that evaluates, if one does, for the thread that reads.
pub type InUse = Arc<Mutex<Option<Arc<Network>>>>;

/// The thread that searches, and what it owns.
pub struct Worker {
    output: Arc<Output>,
    session: Session,
    others: Box<dyn Others>,
    /// The player that chooses the moves.
    algorithm: String,
    /// The state of the generator that draws moves of the book.
    random: u64,
    /// How many jobs wait or run that may take long.
    busy: Arc<AtomicUsize>,
    in_use: InUse,
    /// Whether the job that runs is one of them.
    is_counted: bool,
}

impl Worker {
    /// A worker that writes to `output`, counts down `busy` after each job that may take long, and keeps `in_use` true.
    pub fn new(
        output: Arc<Output>,
        others: Box<dyn Others>,
        busy: Arc<AtomicUsize>,
        in_use: InUse,
    ) -> Worker {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Worker {
            output,
            session: Session::default(),
            others,
            algorithm: ENGINE.to_owned(),
            random: now.map_or(0, |now| now.as_nanos() as u64),
            busy,
            in_use,
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

    /// A job that may take long is done. To be called before its last line, after which nothing is busy.
    fn count_down(&mut self) {
        if std::mem::take(&mut self.is_counted) {
            self.busy.fetch_sub(1, SeqCst);
        }
    }

    fn complete(&mut self, job: Job) {
        match job {
            Job::Ready => self.output.line("readyok"),
            // The reader may be gone.
            Job::Tell(reader) => drop(reader.send(())),
            Job::Change(Change::Set(name, value)) => self.set(name, value),
            Job::Change(Change::Press(_)) => self.session.clear(),
            Job::Change(Change::Algorithm(name)) => self.select(name),
            Job::NewGame => {
                self.session.clear();
                self.others.new_game();
            }
            Job::Search(question) => self.answer(&question),
            Job::Perft(standing, depth, control) => self.perft(&standing, depth, &control),
            Job::Bench(setup, control) => self.bench(setup, &control),
        }
    }

    /// After a fault of our own the engine is made anew; the game goes on.
    fn recover(&mut self, panic: &(dyn Any + Send)) {
        let said = panic.downcast_ref::<&str>().copied();
        let said =
            said.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        self.output.remark(&format!("internal error: {said}"));
        self.session.renew();
    }

    /// Sets an option. One that cannot be set stays as it was, and the others can be set all the same.
    fn set(&mut self, name: &'static str, value: Value) {
        let options = self.session.options().clone().with(name, value);
        if let Err(error) = self.session.configure(options, &[name]) {
            self.output.remark(&format!("{name} stays as it was: {error}"));
        }
        *self.in_use.lock().unwrap_or_else(PoisonError::into_inner) = self.session.network();
    }

    fn select(&mut self, name: String) {
        if name != self.algorithm
            && name != ENGINE
            && let Err(error) = self.others.select(&name)
        {
            self.output.remark(&format!("Algorithm {name}: {error}"));
        }
        self.algorithm = name;
    }

    /// Answers `go`: exactly one `bestmove`, whatever happens, and not before its time.
    fn answer(&mut self, question: &Question) {
        let Question { standing, go, control } = question;
        let answer = catch_unwind(AssertUnwindSafe(|| self.search(question))).unwrap_or_else(|panic| {
            self.recover(&*panic);
            let standing = standing.as_ref();
            standing.map_or_else(Answer::default, |standing| self.any(standing, &candidates(standing, go)))
        });
        control.wait(go.infinite);
        self.count_down();
        let ponder = answer.ponder.map_or_else(String::new, |m| format!(" ponder {m}"));
        self.output.line(&format!("bestmove {}{ponder}", answer.best.as_deref().unwrap_or("(none)")));
    }

    fn search(&mut self, Question { standing, go, control }: &Question) -> Answer {
        let Some(standing) = standing else {
            self.output.remark("there is no position to search: the last one could not be read");
            self.output.line("info depth 0 score cp 0");
            return Answer::default();
        };
        let moves = candidates(standing, go);
        if let Some(names) = &go.root_moves {
            let illegal = names.iter().filter(|name| read_move(name, standing.position()).is_none());
            let illegal: Vec<String> = illegal.map(|name| shown(name)).collect();
            if let Some(text) = output::left_out("searchmoves: not legal here, left out", &illegal) {
                self.output.remark(&text);
            }
        }
        if moves.is_empty() {
            let is_mate = standing.position().is_checkmate();
            self.output.line(&format!("info depth 0 score {}", if is_mate { "mate 0" } else { "cp 0" }));
            return Answer::default();
        }
        if let Some(answer) = self.look_up(standing, go) {
            return answer;
        }
        if self.algorithm == ENGINE {
            self.search_by_engine(standing, go, control, &moves)
        } else {
            self.search_by_other(standing, go, control, &moves)
        }
    }

    /// The first move that may be played, for want of a better one.
    fn any(&self, standing: &Standing, moves: &[Move]) -> Answer {
        moves.first().map_or_else(Answer::default, |m| self.unsearched(standing.write(*m)))
    }

    fn unsearched(&self, best: String) -> Answer {
        self.output.line(&format!("info depth 0 score cp 0 pv {best}"));
        Answer { best: Some(best), ponder: None }
    }

    fn look_up(&mut self, standing: &Standing, go: &Go) -> Option<Answer> {
        if go.infinite || go.ponder || go.mate.is_some() || go.root_moves.is_some() {
            return None;
        }
        match self.session.book_move(standing.position(), random::next(&mut self.random)) {
            Ok(found) => {
                let best = standing.write(found?);
                self.output.remark(&format!("{best} is from the book"));
                Some(self.unsearched(best))
            }
            Err(error) => {
                self.output.remark(&format!("cannot read the book: {error}"));
                None
            }
        }
    }

    fn search_by_engine(
        &mut self,
        standing: &Standing,
        go: &Go,
        control: &Control,
        moves: &[Move],
    ) -> Answer {
        let show_wdl = self.session.options().is_on("UCI_ShowWDL");
        let (mode, output) = (standing.game.mode(), Arc::clone(&self.output));
        let limit = limit(go, standing, moves);
        let searched = self.session.search(&standing.game, &limit, control, &mut |info| {
            output.line(&output::info(info, mode, show_wdl));
            if output.is_broken() {
                control.stop();
            }
        });
        if let Err(error) = &searched {
            self.output.remark(&format!("there is no engine: {error}"));
        }
        match searched {
            Ok(outcome @ Outcome { best: Some(best), ponder, .. }) => {
                for line in outcome.last_lines(control.start().elapsed()) {
                    self.output.line(&output::info(&line, mode, show_wdl));
                }
                Answer { best: Some(standing.write(best)), ponder: ponder.map(|m| standing.write(m)) }
            }
            _ => self.any(standing, moves),
        }
    }

    fn search_by_other(&mut self, standing: &Standing, go: &Go, control: &Control, moves: &[Move]) -> Answer {
        let (name, limit) = (self.algorithm.clone(), go.clone());
        let question = others::Question { name, standing: standing.clone(), limit };
        let choice = match self.others.choose(question, control) {
            Ok(choice) => choice,
            Err(error) => {
                self.output.remark(&format!("{} has no move: {error}", self.algorithm));
                return self.any(standing, moves);
            }
        };
        let best = read_move(&choice.best, standing.position());
        let Some(best) = best.filter(|best| moves.contains(best)) else {
            let why = if go.root_moves.is_some() { "is none of searchmoves" } else { "is not legal" };
            self.output.remark(&format!("{} of {} {why}", shown(&choice.best), self.algorithm));
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

    fn perft(&mut self, standing: &Standing, depth: u32, control: &Control) {
        let output = Arc::clone(&self.output);
        let mut poll = || control.is_stopped() || output.is_broken();
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

    fn bench(&mut self, setup: Setup, control: &Control) {
        let count = bench::POSITIONS.len();
        let mut report = |number, nodes| {
            self.output.remark(&format!("bench: position {number} of {count}, {nodes} nodes"));
        };
        let found = bench::run(setup, control, &mut report);
        self.count_down();
        match found {
            Ok(Some(found)) => {
                let (nodes, seconds) = (found.nodes, found.time.as_secs_f64());
                let speed = nodes as f64 / seconds.max(1e-9);
                // The words of Stockfish, which scripts look for, and those of its line for match runners.
                self.output.line(&format!(
                    "\nTotal time (ms) : {:.0}\nNodes searched  : {nodes}\nNodes/second    : {speed:.0}\n\
                     {nodes} nodes {speed:.0} nps",
                    seconds * 1e3
                ));
            }
            Ok(None) => self.output.remark("bench: stopped"),
            Err(error) => self.output.remark(&format!("bench: {error}")),
        }
    }
}

/// The moves that may be played: all legal ones, or those of them that `go` names.
fn candidates(standing: &Standing, go: &Go) -> Vec<Move> {
    let position = standing.position();
    let Some(names) = &go.root_moves else { return position.legal_moves().to_vec() };
    let mut moves: Vec<Move> = Vec::new();
    for m in names.iter().filter_map(|name| read_move(name, position)) {
        if !moves.contains(&m) {
            moves.push(m);
        }
    }
    moves
}

/// What ends a search of the engine: a time, unless the clock does not have it, or the clock.
fn limit(go: &Go, standing: &Standing, moves: &[Move]) -> Limit {
    let turn = standing.position().turn();
    let clock = go.clock(turn);
    let time = go.time.filter(|time| clock.is_none_or(|clock| *time < clock));
    Limit {
        depth: go.depth,
        nodes: go.nodes,
        soft_nodes: None,
        time,
        mate: go.mate,
        clock: clock.filter(|_| time.is_none()),
        increment: go.increments[turn],
        moves_to_go: go.moves_to_go,
        infinite: go.infinite,
        root_moves: go.root_moves.is_some().then(|| moves.to_vec()),
    }
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
