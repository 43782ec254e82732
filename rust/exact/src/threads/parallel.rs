//! Several threads, one answer: the simplified form of ABDADA, as `docs/exact.md` explains it. No thread waits, none is
//! master, and a position is marked by one word.
//!
//! **The price.** Threads do search some positions twice: the first moves of the path to a position not split yet, and
//! results that the table has lost. Starting threads costs some tens of microseconds, so small tasks are not shared.
//!
//! **What can go wrong.** Marks may be overwritten or left behind by a thread that was stopped; then work is done twice
//! or later, never wrongly. Values are exact for any timing because each depends on position, clock and remaining depth
//! alone; which thread is first decides node counts, nothing else.
//!
//! Sources: J.-C. Weill, "The ABDADA Distributed Minimax Search Algorithm" (1996); T. Kerrigan, "Simplified ABDADA"
//! (tckerrigan.com).

use std::{panic::resume_unwind, sync::Arc, thread};

use crate::root::{self, RootMove, Task};
use crate::search::{NODES_PER_LOOK, Searcher};
use crate::threads::team::Team;
use betacut_core::limits::{Limits, Stopped};
use betacut_core::score::Score;

/// A depth is shared if the depth two before took so many nodes: it then takes about two milliseconds or more.
pub const WORTH_SHARING: u64 = 600;

/// [`root::solve`] with `threads` threads, or with those that can be started; counts what all of them did.
pub fn solve(
    searcher: &mut Searcher<'_>,
    moves: &mut Vec<RootMove<'_>>,
    task: Task,
    threads: usize,
) -> Result<Score, Stopped> {
    if threads <= 1 {
        return root::solve(searcher, moves, task);
    }
    let team = Arc::new(Team::default());
    let work = |searcher: &mut Searcher<'_>, moves: &mut Vec<RootMove<'_>>| {
        searcher.set_team(Some(Arc::clone(&team)));
        let solved = root::solve(searcher, moves, task);
        team.finish();
        searcher.set_team(None);
        solved
    };
    thread::scope(|scope| {
        // 1. The other threads.
        let others: Vec<_> = (1..threads)
            .map_while(|_| {
                let Searcher { techniques, table, quiescence, .. } = *searcher;
                let (history, mut moves) = (searcher.history.clone(), moves.clone());
                let other = move || {
                    let mut never = || false;
                    let mut other = Searcher::new(
                        techniques,
                        table,
                        history,
                        Limits::new(&mut never).every(NODES_PER_LOOK),
                    )
                    .with_quiescence(quiescence);
                    let solved = work(&mut other, &mut moves);
                    (solved, moves, other.counts)
                };
                thread::Builder::new().name("betacut search".to_owned()).spawn_scoped(scope, other).ok()
            })
            .collect();
        // 2. This thread, which alone watches the limits.
        let mut solved = work(searcher, moves);
        // 3. The answer is that of the thread that was through.
        for other in others {
            let joined = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            let (others_solved, others_moves, counts) = joined;
            searcher.counts += counts;
            if solved == Err(Stopped::Overtaken) && others_solved.is_ok() {
                solved = others_solved;
                *moves = others_moves;
            }
        }
        solved
    })
}
