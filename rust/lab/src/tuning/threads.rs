//! Work that several threads do.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does work on several threads, the present one included; each item is taken by one of them.
pub fn share<T: Send>(threads: usize, items: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
    let items = Mutex::new(items);
    let take = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some(item) = take() {
            work(item);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}
