//! The protocol on the standard input and output, with the algorithms that are Python's.
//!
//! Threads that know nothing of Python read and answer. The thread that called does what needs Python ([`PythonPlayers`]),
//! so Ctrl-C reaches an algorithm, and so do `stop` and a clock that has nearly run out: as `KeyboardInterrupt`, which
//! [`Stopping`] tells apart. A move that is wanted at once is then the algorithm's choice at depth 1.

use std::io::{self, BufReader, Write};
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use std::{sync::Arc, thread};

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use shakmaty::{Color, Position as _};

use super::interrupt::SIGNAL_INTERVAL;
use betacut_core::score::MAX_DEPTH;
use betacut_play::uci::others::{Choice, Others, Question};
use betacut_play::uci::{self, command::Go, standing::Standing};
use betacut_play::{Control, Verdict};

/// How often a search of an algorithm is asked whether it has been stopped.
const STOP_INTERVAL: Duration = Duration::from_millis(5);

/// The longest time that is told from a longer one: some months.
const LONGEST: Duration = Duration::from_secs(10_000_000);

/// How much of its clock an algorithm may use for one move before it is stopped. Per cent.
const MOST_OF_CLOCK: u32 = 80;

/// What has to be done in the thread that called from Python; an exception it returns ends the session.
type Job = Box<dyn FnOnce(Python<'_>) -> PyResult<()> + Send>;

/// What reaches the thread that called.
enum Message {
    Job(Job),
    /// The session is over.
    End(io::Result<()>),
}

/// Speaks the protocol by `commands` or the standard input; `players` chooses moves for the algorithms `names`.
#[pyfunction]
#[pyo3(signature = (names, players, commands=None, write=None))]
pub fn uci_main(
    py: Python<'_>,
    names: Vec<String>,
    players: Py<PyAny>,
    commands: Option<Vec<String>>,
    write: Option<Py<PyAny>>,
) -> PyResult<()> {
    let (messages, received) = mpsc::channel();
    let others: Box<dyn Others> =
        Box::new(PythonPlayers { names, players: Arc::new(players), messages: messages.clone() });
    let session = move || {
        let output: Box<dyn Write + Send> = match write {
            Some(write) => Box::new(PythonWriter(write)),
            None => Box::new(io::stdout()),
        };
        let ended = match commands {
            Some(lines) => uci::execute(lines.iter().map(String::as_str), output, others),
            None => uci::run(&mut BufReader::new(io::stdin()), output, others),
        };
        // The caller may be gone.
        let _ = messages.send(Message::End(ended));
    };
    thread::Builder::new().name("uci".to_owned()).spawn(session)?;
    py.detach(move || serve(&received))
}

/// Why a line is no command of the protocol; none if it is one, or blank.
#[pyfunction]
pub fn uci_fault(line: &str) -> Option<String> {
    uci::command::parse(line).err().map(|error| error.to_string())
}

/// Does what the session needs of Python until it is over, and looks for signals meanwhile.
fn serve(messages: &Receiver<Message>) -> PyResult<()> {
    loop {
        match messages.recv_timeout(SIGNAL_INTERVAL) {
            Ok(Message::Job(job)) => Python::attach(job)?,
            Ok(Message::End(ended)) => return ended.map_err(PyErr::from),
            Err(RecvTimeoutError::Timeout) => {
                #[allow(clippy::redundant_closure_for_method_calls)]
                // the method alone is not general enough
                Python::attach(|py| py.check_signals())?;
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the thread that speaks the protocol has ended"));
            }
        }
    }
}

/// A function of Python's to which text is written.
struct PythonWriter(Py<PyAny>);

impl Write for PythonWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let written = Python::attach(|py| self.0.call1(py, (text,)).map(drop));
        written.map(|()| bytes.len()).map_err(io::Error::from)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether an algorithm runs, and whether it is being stopped by us.
#[derive(Default)]
struct Stopping(AtomicU8);

impl Stopping {
    const IDLE: u8 = 0;
    const RUNNING: u8 = 1;
    const BEGUN: u8 = 2;
    const DONE: u8 = 3;

    fn start(&self) {
        self.0.store(Stopping::RUNNING, SeqCst);
    }

    /// Makes the running algorithm end, as Ctrl-C would.
    fn interrupt(&self) {
        if self.0.compare_exchange(Stopping::RUNNING, Stopping::BEGUN, SeqCst, SeqCst).is_ok() {
            let raised = Python::attach(|py| {
                // Where SIGINT is ignored, nothing hears it before the player has begun.
                let signal = py.import("_signal")?;
                let handler = signal.call_method1("getsignal", (signal.getattr("SIGINT")?,))?;
                if handler.is_callable() {
                    py.import("_thread")?.call_method0("interrupt_main")?;
                }
                PyResult::Ok(handler.is_callable())
            });
            // After an error, the algorithm goes on to its own end.
            let state = if raised.unwrap_or(true) { Stopping::DONE } else { Stopping::RUNNING };
            self.0.store(state, SeqCst);
        }
    }

    /// The algorithm has ended: whether we made it end. No interrupt of ours is under way after that.
    fn end(&self, py: Python<'_>) -> bool {
        loop {
            match self.0.compare_exchange(Stopping::RUNNING, Stopping::IDLE, SeqCst, SeqCst) {
                Ok(_) | Err(Stopping::IDLE) => return false,
                Err(Stopping::BEGUN) => py.detach(|| thread::sleep(Duration::from_millis(1))),
                Err(_) => {
                    self.0.store(Stopping::IDLE, SeqCst);
                    // The interrupt came too late for the algorithm, perhaps: it must not reach another caller.
                    let _ = py.check_signals();
                    return true;
                }
            }
        }
    }
}

/// The algorithms, asked for moves in the thread that called from Python.
struct PythonPlayers {
    names: Vec<String>,
    /// `betacut.uci.Players`, or what looks like it.
    players: Arc<Py<PyAny>>,
    messages: Sender<Message>,
}

impl PythonPlayers {
    /// Runs `work` in the thread that called; `waiting` is called now and then until it is done.
    fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(Python<'_>, &Py<PyAny>) -> PyResult<T> + Send + 'static,
        mut waiting: impl FnMut(),
    ) -> Result<T, String> {
        let (answer, answered) = mpsc::sync_channel(1);
        let players = Arc::clone(&self.players);
        let job: Job = Box::new(move |py| {
            let done = work(py, &players);
            let (done, ends) = match done {
                Ok(found) => (Ok(found), Ok(())),
                // Ctrl-C, and no `stop`: the session is over.
                Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
                    (Err("interrupted".to_owned()), Err(error))
                }
                Err(error) => (Err(error.to_string()), Ok(())),
            };
            // The thread that asks waits for the answer.
            let _ = answer.send(done);
            ends
        });
        let gone = || "the session is over".to_owned();
        self.messages.send(Message::Job(job)).map_err(|_| gone())?;
        loop {
            match answered.recv_timeout(STOP_INTERVAL) {
                Ok(done) => return done,
                Err(RecvTimeoutError::Timeout) => waiting(),
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            }
        }
    }
}

impl Others for PythonPlayers {
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    fn select(&mut self, name: &str) -> Result<(), String> {
        let name = name.to_owned();
        self.ask(move |py, players| players.call_method1(py, "select", (name,)).map(drop), || ())
    }

    fn choose(&mut self, question: Question, control: &Control) -> Result<Choice, String> {
        let stopping = Arc::new(Stopping::default());
        let deadline = deadline(&question);
        let work = {
            let (stopping, control) = (Arc::clone(&stopping), control.clone());
            move |py: Python<'_>, players: &Py<PyAny>| {
                if !control.is_stopped() {
                    // No other thread than the main one can be interrupted.
                    let threading = py.import("threading")?;
                    let main = threading.call_method0("main_thread")?;
                    if threading.call_method0("current_thread")?.is(&main) {
                        stopping.start();
                    }
                    let found = ask(py, players, &question, false);
                    if !stopping.end(py) || found.is_ok() {
                        return found;
                    }
                }
                // There is no time left: a move found quickly.
                ask(py, players, &question, true)
            }
        };
        let waiting = || {
            if control.is_stopped() || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                stopping.interrupt();
            }
        };
        self.ask(work, waiting)
    }

    fn new_game(&mut self) {
        // A player that cannot forget goes on as it is.
        let _ = self.ask(|py, players| players.call_method0(py, "new_game").map(drop), || ());
    }
}

/// When an algorithm has used so much of its clock that any move is better than none.
fn deadline(question: &Question) -> Option<Instant> {
    let go = &question.limit;
    let clock = go.clock(question.standing.position().turn());
    let clock = clock.filter(|_| !go.ponder && !go.infinite)?;
    Instant::now().checked_add(clock.min(LONGEST) * MOST_OF_CLOCK / 100)
}

/// Lets a player choose; `quickly` if what takes no time will do.
fn ask(py: Python<'_>, players: &Py<PyAny>, question: &Question, quickly: bool) -> PyResult<Choice> {
    let quick = Go { depth: Some(1), ..Go::default() };
    let limit = limit(py, if quickly { &quick } else { &question.limit })?;
    let Standing { start, moves, game, .. } = &question.standing;
    let arguments = (&question.name, start, moves, game.mode().is_chess960(), limit);
    let (best, ponder, cp, mate, depth, nodes, pv) =
        players.bind(py).call_method1("choose", arguments)?.extract()?;
    let score = Option::map(mate, Verdict::Mate).or_else(|| Option::map(cp, Verdict::Cp));
    Ok(Choice { best, ponder, score, depth, nodes, pv })
}

/// The arguments of `chess.engine.Limit`, those that are given.
fn limit<'py>(py: Python<'py>, go: &Go) -> PyResult<Bound<'py, PyDict>> {
    let limit = PyDict::new(py);
    // What may go on for ever, or is on the opponent's time, has no end of its own; the player has one.
    if go.infinite {
        return Ok(limit);
    }
    // A limit beyond what players take is no limit.
    let seconds = |name, time: Option<Duration>| match time {
        Some(time) => limit.set_item(name, time.min(LONGEST).as_secs_f64()),
        None => Ok(()),
    };
    seconds("time", go.time)?;
    seconds("white_clock", go.clock(Color::White))?;
    seconds("black_clock", go.clock(Color::Black))?;
    seconds("white_inc", Some(go.increments.white).filter(|time| !time.is_zero()))?;
    seconds("black_inc", Some(go.increments.black).filter(|time| !time.is_zero()))?;
    for (name, number) in [("depth", go.depth), ("mate", go.mate), ("remaining_moves", go.moves_to_go)] {
        if let Some(number) = number {
            limit.set_item(name, number.min(MAX_DEPTH as u32))?;
        }
    }
    if let Some(nodes) = go.nodes {
        limit.set_item("nodes", nodes.min(i64::MAX as u64))?;
    }
    Ok(limit)
}
