//! The conditions under which a page runs: moves in another order, another evaluation, an observer.
//!
//! Every page of this floor is written once, for any [`Lab`]. If the search is [`Unobserved`] and nothing is unusual, each hook
//! compiles to nothing, and the shortcuts of [`super::frontier`] are taken. [`Equipped`] makes every position and asks
//! its [`Instruments`]. With no instrument but a recorder, values and counts are those of the bare search.

use std::time::Instant;
use std::{hint::black_box, vec};

use shakmaty::Move;

use super::profile::{Stopwatch, Work};
use super::trace::Tracer;
use crate::Result;
use crate::observer::{NO_MOVE, Observer, Recorder, Unobserved};
use betacut_core::move_order::chess_jl::LegalMoves;
use betacut_core::move_order::order::Orderer;
use betacut_core::position::{Key, Position};
use betacut_core::score::{Depth, Score};
use betacut_core::window::Window;

/// The conditions of a search. What is not the usual has a hook; each does nothing unless there is an instrument for it.
pub trait Lab: Observer {
    /// Whether the conditions are the usual ones.
    const BARE: bool;

    /// The moves of a node.
    type Moves<'a>: Moves;

    /// The legal moves of a node in canonical order.
    fn canonical<'a>(position: &'a Position<'a>) -> Self::Moves<'a>;

    /// Puts moves into the order in which they are to be searched.
    #[inline(always)]
    fn sort(&mut self, _position: &Position, _depth: Depth, _moves: &mut Self::Moves<'_>) -> Result<()> {
        Ok(())
    }

    /// [`Lab::sort`] for a list.
    #[inline(always)]
    fn sort_list(&mut self, _position: &Position, _depth: Depth, _moves: &mut [Move]) -> Result<()> {
        Ok(())
    }

    /// What a position is worth in which the game is not over: centipawns, White's view.
    /// Errors: [`Stopped`](betacut_core::limits::Stopped) if the evaluation fails.
    #[inline(always)]
    fn score(&mut self, position: &Position) -> Result<Score> {
        Ok(position.score())
    }

    /// The position after the legal move `m`.
    #[inline(always)]
    fn play<'v>(&mut self, position: &Position<'v>, m: Move) -> Position<'v> {
        position.play(m)
    }

    /// Begins to measure how long something takes, if that is asked for.
    #[inline(always)]
    fn start(&self) -> Option<Instant> {
        None
    }

    /// Ends it.
    #[inline(always)]
    fn stop(&mut self, _work: Work, _start: Option<Instant>) {}

    /// The static score, for the record, if no function of the caller must be asked for it.
    #[inline(always)]
    fn known_score(&self, _position: &Position) -> Option<Score> {
        None
    }

    /// A move cut off a node.
    #[inline(always)]
    fn cut_off(&mut self, _position: &Position, _m: Move, _depth: Depth) {}

    /// A move was the best of a node, if any was better than what the window asked for.
    #[inline(always)]
    fn was_best(&mut self, _position: &Position, _m: Option<Move>) {}

    /// The recorder and what else goes by the ply: a node is entered.
    /// Errors: [`Stopped::LimitReached`](betacut_core::limits::Stopped::LimitReached) if no more can be recorded.
    #[inline(always)]
    fn enter(&mut self, _m: u16, _depth: Depth, _window: Window) -> Result<()> {
        Ok(())
    }

    /// The node is left, with its value unless the search was stopped.
    /// Errors: [`Stopped`](betacut_core::limits::Stopped) if a listener ends the search.
    #[inline(always)]
    fn leave(&mut self, _value: Option<Score>) -> Result<()> {
        Ok(())
    }

    /// The value of the root is known; what follows starts at its children.
    #[inline(always)]
    fn second_step(&mut self) {}
}

/// The moves of a node in the order in which they are tried.
pub trait Moves: Iterator<Item = Move> {
    /// Whether none is left.
    fn none_left(&mut self) -> bool;

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool;
}

impl Moves for LegalMoves<'_> {
    #[inline(always)]
    fn none_left(&mut self) -> bool {
        self.listed().is_empty()
    }

    #[inline(always)]
    fn is_check(&self) -> bool {
        LegalMoves::is_check(self)
    }
}

impl Lab for Unobserved {
    const BARE: bool = true;

    type Moves<'a> = LegalMoves<'a>;

    #[inline(always)]
    fn canonical<'a>(position: &'a Position<'a>) -> LegalMoves<'a> {
        position.legal_moves()
    }
}

/// Says what a position is worth in which the game is not over.
pub trait Evaluate {
    /// Centipawns, White's view.
    /// Errors: [`Stopped`](betacut_core::limits::Stopped) if it cannot say.
    fn score(&mut self, position: &Position) -> Result<Score>;
}

/// What a lab is equipped with.
#[derive(Default)]
pub struct Instruments<'a> {
    /// The order of moves.
    pub order: Orderer<'a>,
    /// What positions are worth, if not what they say themselves.
    pub evaluation: Option<&'a mut dyn Evaluate>,
    /// Who looks.
    pub recorder: Option<Recorder>,
    /// What the search is told to.
    pub tracer: Option<Tracer<'a>>,
    /// What measures the time.
    pub stopwatch: Option<Stopwatch>,
    /// What the evaluation said, by ply and position, about the root and about the position it was asked of last: a
    /// search may come back to the root, and look twice at a move.
    asked: [Option<(usize, Key, Score)>; 2],
    /// Plies below the root of the nodes from the root to the current one.
    plies: Vec<usize>,
    /// Plies below the root where the search starts now.
    base: usize,
}

/// Conditions of one's own.
pub struct Equipped<'i, 'a>(pub &'i mut Instruments<'a>);

impl Equipped<'_, '_> {
    fn ply(&self) -> usize {
        self.0.plies.last().copied().unwrap_or(self.0.base)
    }
}

impl Observer for Equipped<'_, '_> {
    fn recorder(&mut self) -> Option<&mut Recorder> {
        self.0.recorder.as_mut()
    }
}

impl Lab for Equipped<'_, '_> {
    const BARE: bool = false;

    type Moves<'a> = Listed;

    fn canonical<'a>(position: &'a Position<'a>) -> Listed {
        let moves: Vec<Move> = position.legal_moves().collect();
        Listed { moves: moves.into_iter(), is_check: position.is_check() }
    }

    fn sort(&mut self, position: &Position, depth: Depth, moves: &mut Listed) -> Result<()> {
        let mut list: Vec<Move> = moves.collect();
        self.sort_list(position, depth, &mut list)?;
        moves.moves = list.into_iter();
        Ok(())
    }

    fn sort_list(&mut self, position: &Position, depth: Depth, moves: &mut [Move]) -> Result<()> {
        let (ply, start) = (self.ply(), self.start());
        let sorted = self.0.order.sort(position, depth, ply, moves);
        self.stop(Work::Ordering, start);
        sorted
    }

    fn score(&mut self, position: &Position) -> Result<Score> {
        let (ply, start) = (self.ply(), self.start());
        let Some(evaluation) = &mut self.0.evaluation else {
            return Ok(position.score());
        };
        let score = evaluation.score(position);
        self.stop(Work::Evaluation, start);
        let score = score?;
        self.0.asked[usize::from(ply > 0)] = Some((ply, position.key().whole, score));
        Ok(score)
    }

    fn play<'v>(&mut self, position: &Position<'v>, m: Move) -> Position<'v> {
        let is_asked = self.0.evaluation.is_some();
        let Some(watch) = &mut self.0.stopwatch else {
            return position.play(m);
        };
        // The score is a part of making a move. What it takes is found out by doing it twice.
        if !is_asked {
            watch.evaluates_moves = true;
            let start = Instant::now();
            black_box(position.score_after(m));
            watch.stop(Work::Evaluation, start);
        }
        let start = Instant::now();
        let child = position.play(m);
        watch.stop(Work::Play, start);
        child
    }

    fn start(&self) -> Option<Instant> {
        self.0.stopwatch.as_ref().map(|_| Instant::now())
    }

    fn stop(&mut self, work: Work, start: Option<Instant>) {
        if let (Some(watch), Some(start)) = (&mut self.0.stopwatch, start) {
            watch.stop(work, start);
        }
    }

    fn known_score(&self, position: &Position) -> Option<Score> {
        if self.0.evaluation.is_none() {
            return Some(position.score());
        }
        let is_asked =
            |&(ply, key, _): &(usize, Key, Score)| (ply, key) == (self.ply(), position.key().whole);
        self.0.asked.into_iter().flatten().find(is_asked).map(|(_, _, score)| score)
    }

    fn cut_off(&mut self, position: &Position, m: Move, depth: Depth) {
        let (ply, start) = (self.ply(), self.start());
        self.0.order.cut_off(position, m, depth, ply);
        self.stop(Work::Ordering, start);
    }

    fn was_best(&mut self, position: &Position, m: Option<Move>) {
        if let Some(m) = m {
            self.0.order.was_best(position, m);
        }
    }

    fn enter(&mut self, m: u16, depth: Depth, window: Window) -> Result<()> {
        // Quiescence begins in the same position.
        let ply = match self.0.plies.last() {
            None => {
                self.0.asked[1] = None;
                self.0.base
            }
            Some(&ply) if m == NO_MOVE => ply,
            Some(&ply) => ply + 1,
        };
        if let Some(recorder) = &mut self.0.recorder {
            recorder.enter(m, depth, window)?;
        }
        if let Some(tracer) = self.0.tracer.as_mut().filter(|_| self.0.base == 0) {
            match self.0.plies.len() {
                0 => tracer.begins(depth),
                1 => tracer.tries(m),
                _ => {}
            }
        }
        self.0.plies.push(ply);
        Ok(())
    }

    fn leave(&mut self, value: Option<Score>) -> Result<()> {
        self.0.plies.pop();
        self.tell(|recorder| recorder.leave(value));
        match (&mut self.0.tracer, value, self.0.plies.len()) {
            (Some(tracer), Some(_), 0) if self.0.base == 0 => tracer.ends(),
            (Some(tracer), Some(value), 1) if self.0.base == 0 => tracer.tried(value),
            _ => Ok(()),
        }
    }

    fn second_step(&mut self) {
        self.0.base = 1;
        self.tell(Recorder::second_step);
    }
}

/// A list of moves.
pub struct Listed {
    moves: vec::IntoIter<Move>,
    is_check: bool,
}

impl Iterator for Listed {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        self.moves.next()
    }
}

impl Moves for Listed {
    fn none_left(&mut self) -> bool {
        self.moves.len() == 0
    }

    fn is_check(&self) -> bool {
        self.is_check
    }
}
