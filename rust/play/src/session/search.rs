//! A search in a thread of its own, for which other threads can wait.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Session;
use crate::{Control, Game, Info, Limit, Outcome};

/// What became of a search.
#[derive(Debug)]
pub enum End {
    /// It has its answer.
    Found(Outcome),
    /// There was no engine, or a fault of its own.
    Failed,
}

/// What a search has found until now.
#[derive(Debug, Default)]
pub struct Found {
    /// The lines that it has reported.
    pub infos: Vec<Info>,
    /// How it ended.
    pub end: Option<End>,
}

/// A search that runs, or has ended.
#[derive(Debug, Default)]
pub struct Search {
    /// What ends it.
    pub control: Control,
    found: Mutex<Found>,
    changed: Condvar,
}

impl Search {
    /// Searches, once the session is free; keeps what is found, and the end, whatever it is.
    pub fn run(&self, session: &Mutex<Session>, game: &Game, limit: &Limit) {
        let searched = catch_unwind(AssertUnwindSafe(|| {
            let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
            session.search(game, limit, &self.control, &mut |info| {
                self.found().infos.push(info.clone());
                self.changed.notify_all();
            })
        }));
        let mut found = self.found();
        found.end = Some(match searched {
            Ok(Ok(outcome)) => {
                found.infos.extend(outcome.last_lines(self.control.start().elapsed()));
                End::Found(outcome)
            }
            _ => End::Failed,
        });
        drop(found);
        self.changed.notify_all();
    }

    /// What it has found until now.
    pub fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until what is found is enough, but not longer than `timeout`: whether it is.
    pub fn wait(&self, timeout: Duration, is_enough: impl Fn(&Found) -> bool) -> bool {
        let waited = self.changed.wait_timeout_while(self.found(), timeout, |found| !is_enough(found));
        is_enough(&waited.unwrap_or_else(PoisonError::into_inner).0)
    }
}
