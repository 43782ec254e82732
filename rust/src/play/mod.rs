//! The playing floor: a stand-in with the interface of the engine, until the engine is here. Alpha-beta on material,
//! depth after depth, quiescence by captures; it honours everything that a caller can ask for.
#![allow(missing_docs)]

pub mod options;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, MoveList, Position as _, Role};

use crate::position::InvalidPosition;

/// A position and the game that led to it.
#[derive(Clone, Debug)]
pub struct Game {
    position: Chess,
    mode: CastlingMode,
    /// Keys of the positions before, oldest first.
    past: Vec<Zobrist64>,
}

impl Game {
    /// A game that starts here.
    pub fn new(position: Chess, mode: CastlingMode) -> Game {
        Game { position, mode, past: Vec::new() }
    }

    /// Reads a FEN.
    ///
    /// # Errors
    /// [`InvalidPosition`] if it is none.
    pub fn from_fen(fen: &str, mode: CastlingMode) -> Result<Game, InvalidPosition> {
        let setup: Fen = fen.parse().map_err(|error| InvalidPosition(format!("{fen:?}: {error}")))?;
        let position =
            setup.into_position(mode).map_err(|error| InvalidPosition(format!("{fen:?}: {error}")))?;
        Ok(Game::new(position, mode))
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.past.push(self.position.zobrist_hash(EnPassantMode::Legal));
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

/// What ends a search; nothing: it goes on until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limit {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
    pub mate: Option<u32>,
    pub clock: Option<Duration>,
    pub opponent_clock: Option<Duration>,
    pub increment: Duration,
    pub opponent_increment: Duration,
    pub moves_to_go: Option<u32>,
    pub infinite: bool,
    pub root_moves: Option<Vec<Move>>,
}

/// How the engine is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub threads: usize,
    pub hash_mb: usize,
    pub multipv: usize,
    pub move_overhead: Duration,
    pub syzygy_path: Option<PathBuf>,
    pub elo: Option<u32>,
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
        }
    }
}

/// The engine cannot be set so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(pub String);

/// What another thread tells a search.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    pondering: AtomicBool,
    hit: Mutex<Option<Instant>>,
}

impl Control {
    /// Nothing is told yet.
    pub fn new() -> Control {
        Control::default()
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// The clock does not run: the opponent is to move.
    pub fn ponder(&self) {
        self.pondering.store(true, Relaxed);
    }

    /// The opponent played what was expected: the clock runs from now on.
    pub fn ponder_hit(&self) {
        if let Ok(mut hit) = self.hit.lock() {
            *hit = Some(Instant::now());
        }
        self.pondering.store(false, Relaxed);
    }

    /// Whether it was told to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }
}

/// A value from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Centipawns.
    Cp(i32),
    /// Moves: above 0 the mover mates, else it is mated; 0: it is mated now.
    Mate(i32),
}

/// What a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    Lower,
    Upper,
}

/// A line of a finished depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    pub depth: u32,
    pub selective_depth: u32,
    pub multipv: usize,
    pub score: Verdict,
    pub bound: Bound,
    pub nodes: u64,
    pub time: Duration,
    pub nodes_per_second: u64,
    pub hash_full: u32,
    pub tablebase_hits: u64,
    pub wdl: [u32; 3],
    pub pv: Vec<Move>,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub best: Option<Move>,
    pub ponder: Option<Move>,
    pub lines: Vec<Info>,
}

/// The engine.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
}

impl Engine {
    /// An engine.
    ///
    /// # Errors
    /// [`Error`] if it cannot be set so.
    pub fn new(settings: Settings) -> Result<Engine, Error> {
        let mut engine = Engine { settings: Settings::default() };
        engine.configure(settings)?;
        Ok(engine)
    }

    /// How it is set.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets it.
    ///
    /// # Errors
    /// [`Error`] if it cannot be set so.
    pub fn configure(&mut self, settings: Settings) -> Result<(), Error> {
        if let Some(path) = settings.syzygy_path.as_ref().filter(|path| !path.is_dir()) {
            return Err(Error(format!("SyzygyPath {} is no directory", path.display())));
        }
        self.settings = settings;
        Ok(())
    }

    /// Forgets what it learned.
    pub fn clear(&mut self) {}

    /// Searches, and reports each line of each finished depth.
    pub fn search(
        &mut self,
        game: &Game,
        limit: &Limit,
        control: &Control,
        report: &mut dyn FnMut(&Info),
    ) -> Outcome {
        let mut search = Search {
            limit,
            control,
            start: Instant::now(),
            nodes: 0,
            selective_depth: 0,
            path: game.past.clone(),
            ended: false,
            unstoppable: true,
        };
        let lines = search.deepen(game, self.settings.multipv, report);
        while !control.is_stopped() && (limit.infinite || control.is_pondering()) {
            thread::sleep(Duration::from_millis(1));
        }
        let pv = lines.first().map_or(&[][..], |line| &line.pv);
        Outcome { best: pv.first().copied(), ponder: pv.get(1).copied(), lines: lines.clone() }
    }
}

const MATE: i32 = 32_000;
const MOST: u32 = 100;

struct Search<'a> {
    limit: &'a Limit,
    control: &'a Control,
    start: Instant,
    nodes: u64,
    selective_depth: u32,
    path: Vec<Zobrist64>,
    ended: bool,
    /// The first depth is always finished.
    unstoppable: bool,
}

impl Search<'_> {
    fn deepen(&mut self, game: &Game, multipv: usize, report: &mut dyn FnMut(&Info)) -> Vec<Info> {
        let position = &game.position;
        let legal = position.legal_moves();
        let roots: Vec<Move> = match &self.limit.root_moves {
            Some(wanted) => legal.iter().copied().filter(|m| wanted.contains(m)).collect(),
            None => legal.to_vec(),
        };
        if roots.is_empty() {
            let score = if position.is_check() { -MATE } else { 0 };
            let info = self.info(0, 1, score, Vec::new());
            report(&info);
            return vec![info];
        }
        let mut best = Vec::new();
        for depth in 1..=self.limit.depth.unwrap_or(MOST).min(MOST) {
            let mut lines: Vec<Info> = Vec::new();
            let mut left = roots.clone();
            while lines.len() < multipv && !left.is_empty() {
                let Some((score, pv)) = self.root(position, depth, &left) else { return best };
                left.retain(|m| Some(m) != pv.first());
                lines.push(self.info(depth, lines.len() + 1, score, pv));
            }
            lines.iter().for_each(&mut *report);
            self.unstoppable = false;
            let mates = matches!((lines.first().map(|line| line.score), self.limit.mate),
                (Some(Verdict::Mate(moves)), Some(most)) if moves > 0 && moves.unsigned_abs() <= most);
            best = lines;
            if mates || self.is_over() {
                break;
            }
        }
        best
    }

    fn root(&mut self, position: &Chess, depth: u32, moves: &[Move]) -> Option<(i32, Vec<Move>)> {
        let (mut alpha, mut best) = (-MATE - 1, Vec::new());
        self.path.push(position.zobrist_hash(EnPassantMode::Legal));
        for &m in moves {
            let mut next = position.clone();
            next.play_unchecked(m);
            let mut line = Vec::new();
            let value = -self.value(&next, depth - 1, 1, -MATE - 1, -alpha, &mut line);
            if self.ended {
                self.path.pop();
                self.ended = false;
                return None;
            }
            if value > alpha {
                alpha = value;
                best = vec![m];
                best.append(&mut line);
            }
        }
        self.path.pop();
        Some((alpha, best))
    }

    fn value(
        &mut self,
        position: &Chess,
        depth: u32,
        ply: u32,
        mut alpha: i32,
        beta: i32,
        line: &mut Vec<Move>,
    ) -> i32 {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(256) && !self.unstoppable && self.is_over() {
            self.ended = true;
        }
        if self.ended {
            return 0;
        }
        let key = position.zobrist_hash(EnPassantMode::Legal);
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return if position.is_check() { ply.cast_signed() - MATE } else { 0 };
        }
        if position.halfmoves() >= 100 || position.is_insufficient_material() || self.path.contains(&key) {
            return 0;
        }
        if depth == 0 {
            return quiet(position, alpha, beta, &mut self.nodes);
        }
        moves.sort_unstable_by_key(|m| std::cmp::Reverse(gain(*m)));
        self.path.push(key);
        for m in moves {
            let mut next = position.clone();
            next.play_unchecked(m);
            let mut below = Vec::new();
            let value = -self.value(&next, depth - 1, ply + 1, -beta, -alpha, &mut below);
            if value > alpha {
                alpha = value;
                *line = vec![m];
                line.append(&mut below);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.path.pop();
        alpha
    }

    fn is_over(&self) -> bool {
        if self.control.is_stopped() {
            return true;
        }
        if self.control.is_pondering() {
            return false;
        }
        let limit = self.limit;
        let since = self.control.hit.lock().ok().and_then(|hit| *hit).unwrap_or(self.start);
        let share = limit.clock.map(|clock| {
            let moves = limit.moves_to_go.unwrap_or(30).max(1);
            (clock / moves + limit.increment / 2).min(clock / 2)
        });
        let time = limit.time.into_iter().chain(share).min();
        limit.nodes.is_some_and(|nodes| self.nodes >= nodes)
            || time.is_some_and(|time| since.elapsed() >= time)
    }

    fn info(&self, depth: u32, multipv: usize, score: i32, pv: Vec<Move>) -> Info {
        let left = MATE - score.abs();
        let score = if left > 1000 {
            Verdict::Cp(score)
        } else if score > 0 {
            Verdict::Mate((left + 1) / 2)
        } else {
            Verdict::Mate(-(left / 2))
        };
        let wdl = match score {
            Verdict::Cp(value) => {
                let wins = u32::try_from((400 + value).clamp(0, 800)).unwrap_or(0);
                [wins, 200, 800 - wins]
            }
            Verdict::Mate(moves) if moves > 0 => [1000, 0, 0],
            Verdict::Mate(_) => [0, 0, 1000],
        };
        let time = self.start.elapsed();
        let nodes_per_second = u128::from(self.nodes) * 1_000_000 / time.as_micros().max(1);
        Info {
            depth,
            selective_depth: self.selective_depth.max(depth),
            multipv,
            score,
            bound: Bound::Exact,
            nodes: self.nodes,
            time,
            nodes_per_second: u64::try_from(nodes_per_second).unwrap_or(u64::MAX),
            hash_full: 0,
            tablebase_hits: 0,
            wdl,
            pv,
        }
    }
}

fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

fn gain(m: Move) -> i32 {
    m.capture().map_or(0, |role| 10 * worth(role) - worth(m.role())) + m.promotion().map_or(0, worth)
}

fn quiet(position: &Chess, mut alpha: i32, beta: i32, nodes: &mut u64) -> i32 {
    let (ours, theirs) = (position.our(Role::Pawn).count(), position.their(Role::Pawn).count());
    let mut value = 100 * (ours.cast_signed_() - theirs.cast_signed_());
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        let more = position.our(role).count().cast_signed_() - position.their(role).count().cast_signed_();
        value += worth(role) * more;
    }
    value += 2 * position.legal_moves().len().cast_signed_();
    alpha = alpha.max(value);
    let mut captures: MoveList = position.capture_moves();
    captures.sort_unstable_by_key(|m| std::cmp::Reverse(gain(*m)));
    for m in captures {
        if alpha >= beta {
            break;
        }
        *nodes += 1;
        let mut next = position.clone();
        next.play_unchecked(m);
        alpha = alpha.max(-quiet(&next, -beta, -alpha, nodes));
    }
    alpha
}

/// A small count as a signed number.
trait Signed {
    fn cast_signed_(self) -> i32;
}

impl Signed for usize {
    fn cast_signed_(self) -> i32 {
        i32::try_from(self).unwrap_or(i32::MAX)
    }
}
