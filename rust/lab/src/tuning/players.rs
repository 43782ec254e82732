//! The engine as a player of games, and how its settings are written.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use std::{collections::HashSet, ops::AddAssign, sync::Arc, thread};

use super::{error::Error, game::Thought};
use betacut_play::evaluation::Weights;
use betacut_play::{Control, Engine, Game, Limit, RATINGS, Settings, Verdict};

/// The table of a player if none is asked for. Mebibytes.
pub const HASH_MB: usize = 8;
/// What a mate is worth; less one for each move.
pub const MATE: i32 = 32_000;

/// Reads `name=value,…`, and changes parameters of the search by it, or its rating: `elo`.
pub fn settings(changes: &str, weights: Option<Arc<Weights>>, hash_mb: usize) -> Result<Settings, Error> {
    let mut settings = Settings { threads: 1, hash_mb, weights, ..Settings::default() };
    let mut names = HashSet::new();
    for change in changes.split(',').map(str::trim).filter(|change| !change.is_empty()) {
        let (name, value) = change
            .split_once('=')
            .ok_or_else(|| Error::new(format!("{change:?}: a change must be written as name=value")))?;
        if !names.insert(name.trim()) {
            return Err(Error::new(format!("{change:?}: {} is changed twice", name.trim())));
        }
        let value = value
            .trim()
            .parse()
            .map_err(|_| Error::new(format!("{change:?}: the value of a parameter must be an integer")))?;
        if name.trim() == "elo" {
            let (least, most) = RATINGS;
            let elo = u32::try_from(value).ok().filter(|elo| (least..=most).contains(elo));
            let wrong = || Error::new(format!("{change:?}: a rating must be from {least} to {most}"));
            settings.elo = Some(elo.ok_or_else(wrong)?);
            continue;
        }
        settings.parameters.set(name.trim(), value).map_err(|error| Error::new(error.to_string()))?;
    }
    Ok(settings)
}

/// What a player has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    pub moves: u64,
    /// The sum of their depths.
    pub depth: u64,
    pub nodes: u64,
    pub time: Duration,
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Effort) {
        self.moves += other.moves;
        self.depth += other.depth;
        self.nodes += other.nodes;
        self.time += other.time;
    }
}

impl Effort {
    /// The mean depth.
    pub fn mean_depth(&self) -> f64 {
        self.depth as f64 / self.moves.max(1) as f64
    }

    /// Nodes a second.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// An engine with a limit for each move.
pub struct Player {
    engine: Engine,
    limit: Limit,
    effort: Effort,
}

impl Player {
    /// A player with an engine of its own.
    pub fn new(settings: Settings, limit: Limit) -> Result<Player, Error> {
        let engine = Engine::new(settings).map_err(|error| Error::new(error.to_string()))?;
        Ok(Player { engine, limit, effort: Effort::default() })
    }

    /// Forgets all games before.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// What was spent since the last call.
    pub fn take_effort(&mut self) -> Effort {
        std::mem::take(&mut self.effort)
    }

    /// The move to play.
    pub fn think(&mut self, game: &Game) -> Result<Thought, String> {
        let start = Instant::now();
        let outcome = self.engine.search(game, &self.limit, &Control::new(), &mut |_| {});
        let time = start.elapsed();
        let best = outcome.best.ok_or("the engine has no move")?;
        let line = outcome.lines.first();
        let turn = shakmaty::Position::turn(game.position());
        let score = line.map(|line| turn.fold_wb(centipawns(line.score), -centipawns(line.score)));
        if let Some(line) = line {
            let depth = u64::from(line.depth);
            self.effort += Effort { moves: 1, depth, nodes: line.nodes, time };
        }
        Ok(Thought { best, score })
    }
}

/// A score as a number, mates included.
fn centipawns(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Cp(score) => score,
        Verdict::Mate(moves) if moves > 0 => MATE - moves,
        Verdict::Mate(moves) => -MATE - moves,
    }
}

/// What `next` numbers, played by threads with players of their own, until there is no more or `note` says that it is over.
/// A panic ends the players and what they played, not the run; an error of `new` or `note` ends all threads.
pub fn play_all<P, N: Copy, T>(
    threads: usize,
    panicked: &str,
    next: impl Fn() -> Option<N> + Sync,
    new: impl Fn() -> Result<P, Error> + Sync,
    play: impl Fn(&mut P, N) -> Result<T, String> + Sync,
    note: impl Fn(N, Result<T, String>) -> Result<bool, Error> + Sync,
) -> Result<(), Error> {
    let over = AtomicBool::new(false);
    let work = || {
        let mut players = None;
        while !over.load(Relaxed)
            && let Some(number) = next()
        {
            let mut with = players.take().map_or_else(&new, Ok)?;
            let played = catch_unwind(AssertUnwindSafe(|| (play(&mut with, number), with)));
            let (played, kept) = played
                .map_or_else(|_| (Err(panicked.to_owned()), None), |(played, kept)| (played, Some(kept)));
            players = kept;
            if note(number, played)? {
                over.store(true, Relaxed);
            }
        }
        Ok(())
    };
    let watched = || work().inspect_err(|_| over.store(true, Relaxed));
    thread::scope(|scope| {
        let started: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(watched)).collect();
        started.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
