//! What each line does. Nothing here takes long: what does is a job for the thread that searches, which does them in
//! their order. `stop` and `ponderhit` go past that order, and so does `isready` while a search is running.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::{env, io};

use shakmaty::{CastlingMode, Position as _};

use super::command::{Command, Go, Placement, parse};
use super::options::{self, Change, announcements};
use super::output::{self, Output};
use super::worker::{InUse, Job, Question, Worker};
use super::{others::Others, standing::Standing};
use crate::{Control, network::Network, session::Value};
use betacut_core::score::Score;

/// The stack of the thread that searches. Bytes.
const STACK: usize = 16 << 20;

const HELP: &str = "\
betacut speaks the Universal Chess Interface: uci, debug, isready, setoption, ucinewgame, position, go, stop, ponderhit,
quit. Beside those:
  bench [depth]    count the nodes of a fixed set of positions: the signature of the engine;
                   also: bench hash threads [depth [default depth]]
  perft depth      count the sequences of legal moves; also: go perft depth
  eval             what the position is worth without search
  d                show the position
  compiler         what this program was made with, and for
  help             this";

/// What the program was made with, and for.
fn compiler() -> String {
    let known = [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("debug", cfg!(debug_assertions)),
    ];
    let is_on = known.into_iter().filter_map(|(name, is_on)| is_on.then_some(name));
    let settings = [format!("{}bit", usize::BITS)].into_iter().chain(is_on.map(str::to_owned));
    let settings: Vec<String> = settings.collect();
    let (rustc, processor, system) = (env!("RUSTC_VERSION"), env::consts::ARCH, env::consts::OS);
    format!(
        "Compiled by {rustc} for {processor} on {system}\nCompilation settings include: {}",
        settings.join(" ")
    )
}

/// A conversation with another program.
pub struct Conversation {
    pub(super) output: Arc<Output>,
    /// The algorithms beside the engine.
    others: Vec<String>,
    chess960: bool,
    /// Where the game stands; none after a `position` that could not be read.
    pub(super) standing: Option<Standing>,
    debug: bool,
    /// Whether what runs comes to its end before the next line is looked at.
    pub(super) is_patient: bool,
    /// What ends the last search. Each has its own, so a `stop` reaches it before it has begun, and never the next one.
    control: Option<Control>,
    /// How many jobs wait or run that may take long.
    busy: Arc<AtomicUsize>,
    in_use: InUse,
    jobs: Sender<Job>,
    worker: JoinHandle<()>,
}

impl Conversation {
    /// A conversation that writes to `output`.
    pub fn new(output: Output, others: Box<dyn Others>) -> io::Result<Conversation> {
        let (output, busy) = (Arc::new(output), Arc::new(AtomicUsize::new(0)));
        let names = others.names();
        let in_use = InUse::new(Mutex::new(Some(Network::built_in())));
        let worker = Worker::new(Arc::clone(&output), others, Arc::clone(&busy), Arc::clone(&in_use));
        let (jobs, queue) = mpsc::channel();
        let builder = thread::Builder::new().name("uci search".to_owned()).stack_size(STACK);
        Ok(Conversation {
            output,
            others: names,
            chess960: false,
            standing: Some(Standing::initial(CastlingMode::Standard)),
            debug: false,
            is_patient: false,
            control: None,
            busy,
            in_use,
            jobs,
            worker: builder.spawn(move || worker.work(&queue))?,
        })
    }

    /// Does what a line asks for; false after `quit`. A malformed line is answered by one line that says what is wrong.
    pub fn line(&mut self, line: &str) -> bool {
        let command = match parse(line) {
            Ok(None) => return true,
            Ok(Some(command)) => command,
            Err(error) => {
                self.output.remark(&error.to_string());
                if error.is_position {
                    self.standing = None;
                }
                return true;
            }
        };
        if self.debug {
            let text: String = format!("debug: {command:?}").chars().take(400).collect();
            self.output.remark(&text);
        }
        if self.is_patient && !matches!(command, Command::Stop | Command::PonderHit | Command::IsReady) {
            self.wait();
        }
        self.obey(command)
    }

    fn obey(&mut self, command: Command) -> bool {
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.ready(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Register => {}
            Command::NewGame => self.send(Job::NewGame),
            Command::Position(placement) => self.set_position(&placement),
            Command::Go(go) => self.go(*go),
            Command::Stop => self.stop(),
            Command::PonderHit => self.control.iter().for_each(Control::ponder_hit),
            Command::Quit => return false,
            Command::Bench(setup) => {
                let control = self.begin();
                self.send(Job::Bench(setup, control));
            }
            Command::Perft(depth) => match self.standing.clone() {
                Some(standing) => {
                    let control = self.begin();
                    self.send(Job::Perft(Box::new(standing), depth, control));
                }
                None => self.output.remark("perft: there is no position"),
            },
            Command::Eval => self.output.line(&self.evaluation()),
            Command::Display => {
                let text = self.standing.as_ref().map(Standing::display);
                self.output.line(text.as_deref().unwrap_or("there is no position"));
            }
            Command::Compiler => self.output.line(&compiler()),
            Command::Help => self.output.line(HELP),
        }
        true
    }

    /// The worker is there as long as the session is.
    fn send(&self, job: Job) {
        let _ = self.jobs.send(job);
    }

    /// Waits until what was asked before is done.
    fn wait(&self) {
        let (done, wait) = mpsc::channel();
        self.send(Job::Tell(done));
        let _ = wait.recv();
    }

    fn introduce(&self) {
        let version = env!("CARGO_PKG_VERSION");
        self.output.line(&format!("id name betacut {version}\nid author the authors of betacut"));
        for line in announcements(&self.others) {
            self.output.line(&line);
        }
        self.output.line("uciok");
    }

    /// Answers at once while a search runs that is not stopped; else when what was asked before is done.
    fn ready(&self) {
        let is_stopped = self.control.as_ref().is_none_or(Control::is_stopped);
        if self.busy.load(SeqCst) > 0 && !is_stopped {
            self.output.line("readyok");
        } else {
            self.send(Job::Ready);
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match options::read(name, value, &self.others) {
            Err(error) => self.output.remark(&error),
            Ok(change) => {
                if let Change::Set("UCI_Chess960", Value::Check(on)) = change {
                    self.chess960 = on;
                }
                self.send(Job::Change(change));
            }
        }
    }

    fn set_position(&mut self, placement: &Placement) {
        let mode = if self.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let read = Standing::read(placement, mode);
        match &read {
            Ok(Standing { dropped: Some(dropped), .. }) => {
                let hint = if self.chess960 { "" } else { "; Chess960 needs UCI_Chess960" };
                let text = format!("the FEN allows {dropped} that is not possible: left out{hint}");
                self.output.remark(&text);
            }
            Ok(_) => {}
            Err(error) => self.output.remark(error),
        }
        self.standing = read.ok();
    }

    /// Begins something that may take long; what runs already ends.
    fn begin(&mut self) -> Control {
        self.stop();
        self.busy.fetch_add(1, SeqCst);
        let control = self.control.insert(Control::new());
        control.start();
        control.clone()
    }

    fn go(&mut self, go: Go) {
        if let Some(text) = output::left_out("go: not understood", &go.ignored) {
            self.output.remark(&text);
        }
        let control = self.begin();
        if go.ponder {
            control.ponder();
        }
        self.send(Job::Search(Box::new(Question { standing: self.standing.clone(), go, control })));
    }

    fn stop(&self) {
        self.control.iter().for_each(Control::stop);
    }

    /// What the hand-written evaluation says, and the network that is used in its place.
    fn evaluation(&self) -> String {
        let Some(standing) = &self.standing else { return "there is no position".to_owned() };
        if self.busy.load(SeqCst) == 0 {
            // Options that were set just before.
            self.wait();
        }
        let is_white = standing.position().turn().is_white();
        let white = |own: Score| if is_white { own } else { -own };
        let said = |own| format!("{:+} centipawns for White, {own:+} for the side to move", white(own));
        let mut used = crate::evaluate(&standing.game);
        let mut text = format!("evaluation without search: {}", said(used));
        if let Some(network) = &*self.in_use.lock().unwrap_or_else(PoisonError::into_inner) {
            used = network.evaluate(standing.position());
            text = format!("{text}\nby the network in use: {}", said(used));
        }
        let used = f64::from(white(used)) / 100.0;
        format!("{text}\nFinal evaluation       {used:+.2} (white side)")
    }

    /// Ends the session at once: a search that runs is stopped, and its answer is still given.
    pub fn quit(self) -> io::Result<()> {
        self.stop();
        self.finish()
    }

    /// Ends the session when everything that was asked for is done.
    pub fn finish(self) -> io::Result<()> {
        drop(self.jobs);
        // What panics in there has been caught in there.
        let _ = self.worker.join();
        self.output.error().map_or(Ok(()), Err)
    }
}
