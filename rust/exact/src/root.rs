//! One depth of the root: its value, and every move that reaches it. `docs/exact.md` says how it is asked for.
//!
//! **What can go wrong.** A move refused against an earlier, smaller best value is below the final one too, so nothing need
//! be asked twice; ties found earlier fall away when a better move turns up. With several threads the best value so far may
//! be another thread's: a move that does not reach it is refused, and the move that has it is still to come here, as it is
//! asked whether it reaches that value, not whether it exceeds it.

use std::collections::VecDeque;

use super::question::Wanted;
use super::search::Searcher;
use crate::leaves::one_ply_before;
use crate::leaves::quiescence::two_plies_before::Replies;
use betacut_core::board::{Board, Move};
use betacut_core::limits::Stopped;
use betacut_core::score::{Depth, MATE, Score};

/// A window edge beyond every value.
const OPEN: Score = MATE + 500;
/// Half the width of the first window around a guess, in centipawns.
const ASPIRATION: Score = 30;

#[derive(Clone)]
pub struct RootMove<'v> {
    pub m: Move,
    pub board: Board<'v>,
    /// Rank in canonical order.
    pub rank: usize,
    /// Its value for the side that makes it, if it is one of the wanted, else an upper bound.
    pub value: Score,
    /// Whether its value is wanted: it is one of the best moves, or of as many as were asked for.
    pub wanted: bool,
}

#[derive(Clone, Copy)]
pub struct Task {
    pub depth: Depth,
    /// What the value may be, for the side to move.
    pub guess: Option<Score>,
    pub wanted: Wanted,
}

/// Solves the root at one depth: the value for the side to move. `wanted` marks the best moves and those whose values
/// were wanted; their `value` is exact.
pub fn solve(searcher: &mut Searcher<'_>, moves: &mut [RootMove<'_>], task: Task) -> Result<Score, Stopped> {
    let Task { depth, guess, wanted } = task;
    let lines = match wanted {
        Wanted::Lines(lines) => lines.clamp(1, moves.len()),
        _ => 1,
    };
    if depth == 1 {
        // The root is the only node; its moves lead to leaves.
        searcher.counts.nodes += 1;
        searcher.counts.frontier_nodes += 1;
    }
    // Replies that refuted moves, two plies before quiet leaves.
    let mut replies = Replies::default();
    // Values of the wanted moves, greatest first.
    let mut values: Vec<Score> = Vec::with_capacity(lines + 1);
    // Moves that another thread searches come last: by then the table knows them.
    let mut order: VecDeque<(usize, bool)> = (0..moves.len()).map(|index| (index, false)).collect();
    while let Some((index, deferred)) = order.pop_front() {
        let root = &mut moves[index];
        let team = searcher.team.as_ref().filter(|_| !values.is_empty()).cloned();
        if let Some(team) = &team
            && !deferred
            && !team.take(root.board.key, depth)
        {
            order.push_back((index, true));
            continue;
        }
        searcher.pause()?;
        let mut ask = |alpha: Score, beta: Score| {
            if depth == 1 {
                if searcher.quiescence {
                    return searcher.quiet_leaf(&root.board, -beta, -alpha).map(|value| -value);
                }
                Ok(-one_ply_before::leaf(&root.board))
            } else if depth == 2 && beta - alpha == 1 && searcher.asks_for_quiet_replies(&root.board) {
                let holds = searcher.quiet_holds(&root.board, beta, &mut replies)?;
                Ok(if holds { beta } else { alpha })
            } else {
                searcher.node(&root.board, depth - 1, -beta, -alpha).map(|value| -value)
            }
        };
        (root.value, root.wanted) = if values.len() < lines {
            // 1. The first moves: their values, from a window around the guess.
            (around(guess.filter(|_| values.is_empty()), &mut ask)?, true)
        } else {
            // 2. Does it reach the least of the wanted values? Then its value.
            let own = values[lines - 1];
            let reached = || team.as_ref().map_or(own, |team| own.max(team.reached()));
            let mut least = reached();
            loop {
                let beaten = if wanted == Wanted::Value && least == own { own + 1 } else { least };
                let bound = ask(beaten - 1, beaten)?;
                if bound < beaten {
                    break (bound, false);
                }
                if least == reached() {
                    break (ask(beaten - 1, OPEN)?, true);
                }
                least = reached();
            }
        };
        if let Some(team) = &team {
            team.give_back(root.board.key, depth);
        }
        if root.wanted {
            let place = values.partition_point(|&value| value >= root.value);
            values.insert(place, root.value);
            values.truncate(lines);
            if let Some(team) = searcher.team.as_ref().filter(|_| values.len() == lines) {
                team.report_reached(values[lines - 1]);
            }
        }
    }
    let least = values[lines - 1];
    for root in moves.iter_mut() {
        root.wanted &= root.value >= least;
    }
    Ok(values[0])
}

/// An exact value, asked for with a window around a guess that opens on the side where it fails.
fn around(
    guess: Option<Score>,
    ask: &mut impl FnMut(Score, Score) -> Result<Score, Stopped>,
) -> Result<Score, Stopped> {
    let Some(guess) = guess else {
        return ask(-OPEN, OPEN);
    };
    let (mut low, mut high) = (guess - ASPIRATION, guess + ASPIRATION);
    let mut width = ASPIRATION;
    loop {
        let value = ask(low, high)?;
        width = if width > 8 * ASPIRATION { 2 * OPEN } else { width * 4 };
        if value <= low {
            (low, high) = ((value - width).max(-OPEN), value + 1);
        } else if value >= high {
            (low, high) = (value - 1, (value + width).min(OPEN));
        } else {
            return Ok(value);
        }
    }
}
