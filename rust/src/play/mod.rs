//! The playing floor: a stand-in with the interface of the engine, for the protocol to be written and tested against.
//!
//! Iterative deepening by plain alpha-beta with quiescence, on the Simplified Evaluation. One thread, no table.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position as _};

use crate::evaluation::presets;
use crate::position::InvalidPosition;

/// A position and the game that led to it.
#[derive(Clone, Debug)]
pub struct Game {
    position: Chess,
    mode: CastlingMode,
    /// The keys of the positions before, oldest first.
    history: Vec<u64>,
}

impl Game {
    /// A game that begins here.
    pub fn new(position: Chess, mode: CastlingMode) -> Game {
        Game { position, mode, history: Vec::new() }
    }

    /// A game that begins at a FEN.
    ///
    /// # Errors
    /// [`InvalidPosition`] if it cannot be read or played.
    pub fn from_fen(fen: &str, mode: CastlingMode) -> Result<Game, InvalidPosition> {
        let parsed: Fen = fen.parse().map_err(|error| InvalidPosition(format!("{fen:?}: {error}")))?;
        let position = parsed.into_position(mode).map_err(|error| InvalidPosition(error.to_string()))?;
        Ok(Game::new(position, mode))
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.history.push(key(&self.position));
        self.position.play_unchecked(m);
    }

    /// Where the game stands.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// How castling is written.
    pub fn mode(&self) -> CastlingMode {
        self.mode
    }
}

fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
}

/// What ends a search.
#[derive(Clone, Debug, Default)]
pub struct Limit {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// The time for this move.
    pub time: Option<Duration>,
    /// A mate in so many moves is enough.
    pub mate: Option<u32>,
    /// The clock of the side to move.
    pub clock: Option<Duration>,
    /// The other clock.
    pub opponent_clock: Option<Duration>,
    /// What the side to move gets for each move.
    pub increment: Duration,
    /// What the other side gets for each move.
    pub opponent_increment: Duration,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Never end before being stopped.
    pub infinite: bool,
    /// The moves to choose from.
    pub root_moves: Option<Vec<Move>>,
}

/// The parameters of the search and the evaluation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {}

/// How the engine plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Threads.
    pub threads: usize,
    /// The size of the table. Mebibytes.
    pub hash_mb: usize,
    /// Lines.
    pub multipv: usize,
    /// What is lost between engine and clock for each move.
    pub move_overhead: Duration,
    /// Where the tablebases are.
    pub syzygy_path: Option<PathBuf>,
    /// Play like a player with this rating.
    pub elo: Option<u32>,
    /// The parameters.
    pub parameters: Parameters,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            hash_mb: 16,
            multipv: 1,
            move_overhead: Duration::from_millis(10),
            syzygy_path: None,
            elo: None,
            parameters: Parameters::default(),
        }
    }
}

/// The engine cannot be made or configured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(pub String);

#[derive(Debug)]
struct Flags {
    pondering: bool,
    /// When the clock began to run, once it does.
    since: Option<Instant>,
}

/// Stops a search from another thread.
#[derive(Clone, Debug)]
pub struct Control(Arc<(AtomicBool, Mutex<Flags>, Condvar)>);

impl Default for Control {
    fn default() -> Control {
        Control::new()
    }
}

impl Control {
    /// For one search.
    pub fn new() -> Control {
        Control(Arc::new((
            AtomicBool::new(false),
            Mutex::new(Flags { pondering: false, since: None }),
            Condvar::new(),
        )))
    }

    /// Stops the search.
    pub fn stop(&self) {
        let _flags = self.0.1.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.0.store(true, Relaxed);
        self.0.2.notify_all();
    }

    /// The search is on the time of the opponent.
    pub fn ponder(&self) {
        self.0.1.lock().unwrap_or_else(PoisonError::into_inner).pondering = true;
    }

    /// The opponent has played the expected move.
    pub fn ponder_hit(&self) {
        let mut flags = self.0.1.lock().unwrap_or_else(PoisonError::into_inner);
        if flags.pondering {
            flags.pondering = false;
            flags.since = Some(Instant::now());
            self.0.2.notify_all();
        }
    }

    /// Whether the search is to stop.
    pub fn is_stopped(&self) -> bool {
        self.0.0.load(Relaxed)
    }

    fn clock_start(&self, start: Instant) -> Option<Instant> {
        let flags = self.0.1.lock().unwrap_or_else(PoisonError::into_inner);
        (!flags.pondering).then(|| flags.since.unwrap_or(start))
    }

    fn wait(&self, infinite: bool) {
        let mut flags = self.0.1.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (infinite || flags.pondering) {
            flags = self.0.2.wait(flags).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate: positive if the side to move mates, else it is mated; 0 if it is mated now.
    Mate(i32),
}

/// What a score means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is this or more.
    Lower,
    /// The value is this or less.
    Upper,
}

/// A line of a finished depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Plies.
    pub depth: u32,
    /// The longest line looked at. Plies.
    pub selective_depth: u32,
    /// Which line, from 1.
    pub multipv: usize,
    /// The score.
    pub score: Verdict,
    /// What it means.
    pub bound: Bound,
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// Speed.
    pub nodes_per_second: u64,
    /// How full the table is. Per mille.
    pub hash_full: u32,
    /// Positions found in tablebases.
    pub tablebase_hits: u64,
    /// Wins, draws and losses expected, per mille.
    pub wdl: [u32; 3],
    /// The line.
    pub pv: Vec<Move>,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The move to play, if there is one.
    pub best: Option<Move>,
    /// The answer to expect.
    pub ponder: Option<Move>,
    /// The lines, best first, exact.
    pub lines: Vec<Info>,
}

const MATE: i32 = 30_000;
const MOST_PLIES: u32 = 64;

/// The static evaluation, from the side to move. Centipawns.
pub fn evaluate(game: &Game) -> i32 {
    score(&game.position)
}

fn score(position: &Chess) -> i32 {
    let white = presets::simplified().score(position.board());
    position.turn().fold_wb(white, -white)
}

/// The engine.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
}

struct Run<'a> {
    limit: &'a Limit,
    control: &'a Control,
    overhead: Duration,
    start: Instant,
    nodes: u64,
    selective: u32,
    history: Vec<u64>,
    stopped: bool,
    /// The first depth is always finished.
    first: bool,
}

impl Engine {
    /// An engine.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(settings: Settings) -> Result<Engine, Error> {
        Ok(Engine { settings })
    }

    /// Its settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings.
    ///
    /// # Errors
    /// If there is no memory for the table.
    #[allow(clippy::unnecessary_wraps)] // the interface
    pub fn configure(&mut self, settings: Settings) -> Result<(), Error> {
        self.settings = settings;
        Ok(())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let _ = self;
    }

    /// Searches; with `limit.infinite`, or while `control` ponders, it does not return before it is stopped.
    pub fn search(
        &mut self,
        game: &Game,
        limit: &Limit,
        control: &Control,
        report: &mut dyn FnMut(&Info),
    ) -> Outcome {
        let mut run = Run {
            limit,
            control,
            overhead: self.settings.move_overhead,
            start: Instant::now(),
            nodes: 0,
            selective: 0,
            history: game.history.clone(),
            stopped: false,
            first: true,
        };
        let lines = self.deepen(game, &mut run, report);
        control.wait(limit.infinite);
        let first = lines.first().map_or(&[][..], |line| &line.pv);
        Outcome { best: first.first().copied(), ponder: first.get(1).copied(), lines: lines.clone() }
    }

    fn deepen(&self, game: &Game, run: &mut Run<'_>, report: &mut dyn FnMut(&Info)) -> Vec<Info> {
        let mut moves: Vec<Move> = match &run.limit.root_moves {
            Some(moves) => moves.clone(),
            None => game.position.legal_moves().to_vec(),
        };
        let mut lines: Vec<Info> = Vec::new();
        let most = run.limit.depth.or(run.limit.mate.map(|mate| 2 * mate)).unwrap_or(MOST_PLIES);
        for depth in 1..=most.min(MOST_PLIES) {
            let mut found: Vec<Info> = Vec::new();
            let mut left = moves.clone();
            for multipv in 1..=self.settings.multipv.min(moves.len()) {
                let Some((value, pv)) = run.root(&game.position, depth, &left) else { break };
                left.retain(|m| *m != pv[0]);
                moves.retain(|m| *m != pv[0]);
                moves.insert(multipv - 1, pv[0]);
                let time = run.start.elapsed();
                found.push(Info {
                    depth,
                    selective_depth: run.selective,
                    multipv,
                    score: verdict(value),
                    bound: Bound::Exact,
                    nodes: run.nodes,
                    time,
                    nodes_per_second: (run.nodes as f64 / time.as_secs_f64().max(1e-6)) as u64,
                    hash_full: 0,
                    tablebase_hits: 0,
                    wdl: [0, 1000, 0],
                    pv,
                });
            }
            if run.stopped {
                break;
            }
            run.first = false;
            found.iter().for_each(&mut *report);
            lines = found;
            let mate =
                |wanted: u32| matches!(lines[0].score, Verdict::Mate(n) if n > 0 && n as u32 <= wanted);
            if lines.is_empty() || run.limit.mate.is_some_and(mate) || run.is_over() {
                break;
            }
        }
        lines
    }
}

fn verdict(value: i32) -> Verdict {
    if value > MATE - 1000 {
        Verdict::Mate((MATE + 1 - value) / 2)
    } else if value < 1000 - MATE {
        Verdict::Mate(-i32::midpoint(MATE, value))
    } else {
        Verdict::Cp(value)
    }
}

impl Run<'_> {
    fn is_over(&mut self) -> bool {
        if self.control.is_stopped() {
            return true;
        }
        let Some(start) = self.control.clock_start(self.start) else { return false };
        let limit = self.limit;
        if limit.nodes.is_some_and(|nodes| self.nodes >= nodes) {
            return true;
        }
        let used = start.elapsed();
        let moves = limit.moves_to_go.unwrap_or(30).clamp(1, 30);
        let share = |clock: Duration| {
            let free = clock.saturating_sub(self.overhead);
            (free / (moves + 1) + limit.increment / 2).min(free * 3 / 4)
        };
        limit.time.is_some_and(|time| used + self.overhead >= time)
            || limit.clock.is_some_and(|clock| used >= share(clock))
    }

    fn root(&mut self, position: &Chess, depth: u32, moves: &[Move]) -> Option<(i32, Vec<Move>)> {
        let mut best: Option<(i32, Vec<Move>)> = None;
        self.history.push(key(position));
        for m in moves {
            let mut child = position.clone();
            child.play_unchecked(*m);
            let mut pv = Vec::new();
            let alpha = best.as_ref().map_or(-MATE, |best| best.0);
            let value = -self.node(&child, depth as i32 - 1, 1, -MATE, -alpha, &mut pv);
            if self.stopped {
                break;
            }
            if best.as_ref().is_none_or(|best| value > best.0) {
                pv.insert(0, *m);
                best = Some((value, pv));
            }
        }
        self.history.pop();
        if self.stopped { None } else { best }
    }

    fn node(
        &mut self,
        position: &Chess,
        depth: i32,
        ply: u32,
        mut alpha: i32,
        beta: i32,
        pv: &mut Vec<Move>,
    ) -> i32 {
        self.nodes += 1;
        self.selective = self.selective.max(ply);
        if self.nodes.is_multiple_of(256) && !self.first && self.is_over() {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return if position.is_check() { ply as i32 - MATE } else { 0 };
        }
        let own = key(position);
        if position.halfmoves() >= 100 || position.is_insufficient_material() || self.history.contains(&own) {
            return 0;
        }
        if depth <= 0 {
            let value = score(position);
            if value >= beta || ply > MOST_PLIES {
                return value;
            }
            alpha = alpha.max(value);
            moves.retain(|m| m.is_capture());
        }
        moves.sort_by_key(|m| {
            let victim = m.capture().map_or(0, |role| 10 * role as i32);
            m.role() as i32 - victim
        });
        self.history.push(own);
        for m in &moves {
            let mut child = position.clone();
            child.play_unchecked(*m);
            let mut line = Vec::new();
            let value = -self.node(&child, depth - 1, ply + 1, -beta, -alpha, &mut line);
            if value > alpha {
                alpha = value;
                line.insert(0, *m);
                *pv = line;
                if alpha >= beta {
                    break;
                }
            }
        }
        self.history.pop();
        alpha
    }
}
