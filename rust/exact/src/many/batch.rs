//! Many questions, some threads: answers come in the order of the questions, which are put into a queue as *parts*; [`Pace`]
//! says when to get more of them.
//!
//! **What can go wrong.** A thread that panics over a question answers it with the panic's text and goes on. A thread
//! that cannot be started is no fault: others answer, or, if there is none at all, the caller does
//! ([`Batch::answer_here`]). After a fork a child has no threads but the one that forked, and locks may be held for
//! ever: [`Batch::is_inherited`] says so, and nothing else may be called then.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{any::Any, collections::VecDeque, process, thread};

use betacut_core::limits::{Poll, Stopped, check_memory};
use betacut_core::score::Depth;

/// How many parts are put in ahead for each worker, for answers come in order and one may take long.
pub const PARTS_AHEAD: usize = 128;

/// Positions that a worker takes at once at a depth: enough that taking them costs nothing beside searching them.
pub fn part_size(depth: Depth) -> usize {
    match depth {
        1 | 2 => 64,
        3 => 16,
        4 => 4,
        _ => 1,
    }
}

/// How a question is answered. The function that is passed along says whether the batch was closed meanwhile.
pub type Solver<Q, A> = dyn Fn(Q, Poll<'_>) -> Result<A, Stopped> + Send + Sync;

/// An answer, or why there is none.
pub type Solved<A> = Result<A, Unsolved>;

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// There was no memory.
    Stopped(Stopped),
    /// It caused a panic with this text.
    Panic(String),
}

/// Questions that are answered together, and then their answers.
pub struct Part<Q, A> {
    /// And room for the answers: a thread may find none where memory is short.
    questions: Mutex<(Vec<Q>, Vec<Solved<A>>)>,
    answers: Mutex<Option<Vec<Solved<A>>>>,
    /// Whether the caller sleeps until there are answers.
    awaited: AtomicBool,
}

impl<Q, A> Part<Q, A> {
    /// Whether there are answers to take.
    pub fn is_solved(&self) -> bool {
        lock(&self.answers).is_some()
    }

    /// The answers, once and as soon as they are there.
    pub fn take(&self) -> Option<Vec<Solved<A>>> {
        lock(&self.answers).take()
    }
}

impl Unsolved {
    /// What is said about a question whose answer caused a panic with this text.
    pub fn report(text: &str) -> String {
        format!("a search failed; please report this position: {text}")
    }
}

/// What the caller and the threads share.
struct Shared<Q, A> {
    solver: Box<Solver<Q, A>>,
    queue: Mutex<VecDeque<Arc<Part<Q, A>>>>,
    /// There is something in the queue, or it is time to stop.
    queued: Condvar,
    /// A part that was awaited is solved; locked together with the queue.
    solved: Condvar,
    stop: AtomicBool,
}

/// A queue of questions and the threads that answer them.
pub struct Batch<Q, A> {
    shared: Arc<Shared<Q, A>>,
    /// How many threads there may be.
    workers: AtomicUsize,
    /// How many were started: one for each part, until there are enough.
    started: AtomicUsize,
    /// Whether none can be started.
    is_alone: AtomicBool,
    /// The process that started them.
    process: u32,
}

/// No panic leaves what these locks guard half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<Q: Send + 'static, A: Send + 'static> Batch<Q, A> {
    /// A batch with at most so many threads; none is started yet.
    pub fn new(workers: usize, solver: Box<Solver<Q, A>>) -> Batch<Q, A> {
        let shared = Shared {
            solver,
            queue: Mutex::default(),
            queued: Condvar::new(),
            solved: Condvar::new(),
            stop: AtomicBool::new(false),
        };
        Batch {
            shared: Arc::new(shared),
            workers: AtomicUsize::new(workers.max(1)),
            started: AtomicUsize::new(0),
            is_alone: AtomicBool::new(false),
            process: process::id(),
        }
    }

    /// Puts in questions that are answered together, and starts a thread if there are not enough.
    pub fn put(&self, questions: Vec<Q>) -> Arc<Part<Q, A>> {
        self.put_at(false, questions)
    }

    /// The same for questions that are to be answered before all others.
    pub fn put_first(&self, questions: Vec<Q>) -> Arc<Part<Q, A>> {
        self.put_at(true, questions)
    }

    fn put_at(&self, front: bool, questions: Vec<Q>) -> Arc<Part<Q, A>> {
        self.start();
        let room = Vec::with_capacity(questions.len());
        let (questions, answers) = (Mutex::new((questions, room)), Mutex::default());
        let part = Arc::new(Part { questions, answers, awaited: AtomicBool::new(false) });
        let (mut queue, added) = (lock(&self.shared.queue), Arc::clone(&part));
        if front {
            queue.push_front(added);
        } else {
            queue.push_back(added);
        }
        drop(queue);
        self.shared.queued.notify_one();
        part
    }

    /// Starts a thread if there are not enough.
    fn start(&self) {
        let started = self.started.load(Relaxed);
        if started < self.workers() && !self.is_alone() {
            let shared = Arc::clone(&self.shared);
            let builder = thread::Builder::new().name("betacut batch".to_owned());
            if builder.spawn(move || shared.work()).is_ok() {
                self.started.store(started + 1, Relaxed);
            } else {
                // There will be no more of them.
                self.is_alone.store(started == 0, Relaxed);
                self.workers.store(started.max(1), Relaxed);
            }
        }
    }

    /// Answers the part that comes next, where no thread does; it stays the next once `poll` returns true.
    pub fn answer_here(&self, poll: Poll<'_>)
    where
        Q: Clone,
    {
        let Some(part) = lock(&self.shared.queue).pop_front() else { return };
        let questions = lock(&part.questions).0.clone();
        let room = Vec::with_capacity(questions.len());
        if let Some(answers) = self.shared.answer(questions, room, poll) {
            *lock(&part.answers) = Some(answers);
        } else {
            lock(&self.shared.queue).push_front(part);
        }
    }
}

impl<Q, A> Batch<Q, A> {
    /// How many threads answer, as far as is known.
    pub fn workers(&self) -> usize {
        self.workers.load(Relaxed)
    }

    /// Whether no thread can be started, so that the caller has to answer.
    pub fn is_alone(&self) -> bool {
        self.is_alone.load(Relaxed)
    }

    /// Whether the threads will soon have nothing left to take.
    pub fn is_short_of_work(&self) -> bool {
        lock(&self.shared.queue).len() < 2 * self.workers()
    }

    /// Waits until a part is solved, but not longer than `most`.
    pub fn wait(&self, part: &Part<Q, A>, most: Duration) {
        let end = Instant::now() + most;
        let mut queue = lock(&self.shared.queue);
        part.awaited.store(true, Relaxed);
        while !self.is_closed() && !part.is_solved() {
            let Some(left) = end.checked_duration_since(Instant::now()) else {
                return;
            };
            queue = self.shared.solved.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Ends the threads at their next look, and does not wait: they touch nothing but what they share.
    pub fn close(&self) {
        self.shared.stop.store(true, Relaxed);
        if !self.is_inherited() {
            // Who holds the lock has looked at `stop` before it was set, and sleeps by now or has it yet to see.
            let _queue = lock(&self.shared.queue);
            self.shared.queued.notify_all();
        }
    }

    /// Whether it was closed.
    pub fn is_closed(&self) -> bool {
        self.shared.stop.load(Relaxed)
    }

    /// Whether this process is a child of the one that started the threads, and so has none.
    pub fn is_inherited(&self) -> bool {
        self.process != process::id()
    }
}

impl<Q, A> Drop for Batch<Q, A> {
    fn drop(&mut self) {
        self.close();
    }
}

impl<Q, A> Shared<Q, A> {
    /// What a thread does until it is told to stop.
    fn work(&self) {
        while let Some(part) = self.take() {
            let (questions, room) = std::mem::take(&mut *lock(&part.questions));
            // If it was stopped, no result is waited for.
            let Some(answers) = self.answer(questions, room, &mut || false) else { return };
            *lock(&part.answers) = Some(answers);
            let _queue = lock(&self.queue);
            if part.awaited.load(Relaxed) {
                self.solved.notify_all();
            }
        }
    }

    /// The answers, in the room that there is for them; None if the batch was closed meanwhile, or `poll` has returned true.
    fn answer(
        &self,
        questions: Vec<Q>,
        mut answers: Vec<Solved<A>>,
        poll: Poll<'_>,
    ) -> Option<Vec<Solved<A>>> {
        let memory = check_memory();
        let mut stop = || self.stop.load(Relaxed) || poll();
        for question in questions {
            answers.push(match caught(|| memory.and_then(|()| (self.solver)(question, &mut stop))) {
                Err(Unsolved::Stopped(Stopped::Interrupted)) => return None,
                answer => answer,
            });
        }
        Some(answers)
    }

    fn take(&self) -> Option<Arc<Part<Q, A>>> {
        let mut queue = lock(&self.queue);
        loop {
            if self.stop.load(Relaxed) {
                return None;
            }
            match queue.pop_front() {
                Some(part) => return Some(part),
                None => queue = self.queued.wait(queue).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

/// Runs `work`; if it panics, the panic's text is the error.
pub fn caught<A>(work: impl FnOnce() -> Result<A, Stopped>) -> Solved<A> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(answer) => answer.map_err(Unsolved::Stopped),
        Err(panic) => Err(Unsolved::Panic(text_of(&*panic))),
    }
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// A question that takes longer to come than this does not come quickly.
const QUICK: Duration = Duration::from_millis(1);

/// An answer is waited for so long at least, in which a thread can be started.
const PATIENCE: Duration = Duration::from_millis(5);

/// So many questions that came quickly, one after the other, and the next is expected to.
const ENOUGH: u32 = 16;

/// When to get the next question, and when to wait for an answer instead.
///
/// Questions come from somewhere that may take its time, and while they are waited for no answer can be handed over. So
/// as long as it is not known that they come quickly, answers that are on their way are waited for first: until there
/// is one if all threads have something to do, else as long as the last question took to come, so that neither costs
/// more than the other.
#[derive(Debug)]
pub struct Pace {
    /// Questions that came quickly since one did not.
    quick: u32,
    /// How long the last one took to come.
    last: Duration,
    /// When it came.
    came: Instant,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Get a question.
    Get,
    /// Wait for an answer, for so long.
    Wait(Duration),
}

impl Pace {
    /// Questions that are all there already, or about which nothing is known.
    pub fn new(are_there: bool) -> Pace {
        let quick = if are_there { u32::MAX } else { 0 };
        Pace { quick, last: PATIENCE, came: Instant::now() }
    }

    /// Whether the next question is expected to come quickly.
    pub fn is_quick(&self) -> bool {
        self.quick >= ENOUGH
    }

    /// A question that was asked for at `start` has come.
    pub fn came(&mut self, start: Instant) {
        self.came = Instant::now();
        let took = self.came - start;
        self.last = took.max(PATIENCE);
        if self.quick != u32::MAX {
            self.quick = if took < QUICK { (self.quick + 1).min(ENOUGH) } else { 0 };
        }
    }

    /// What to do while so many parts are on their way to so many workers and none is to be handed over; `most` is how
    /// long it may be waited at a time.
    pub fn next(&self, on_their_way: usize, workers: usize, most: Duration) -> Next {
        if on_their_way == 0 || self.is_quick() {
            Next::Get
        } else if on_their_way >= workers {
            Next::Wait(most)
        } else {
            let left = self.last.saturating_sub(self.came.elapsed());
            if left.is_zero() { Next::Get } else { Next::Wait(left.min(most)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Longer than anything here takes.
    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn a_failure_is_the_answer_to_its_question_alone() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let batch: Batch<u64, u64> = Batch::new(
            1,
            Box::new(|number, _| {
                assert!(number != 2, "number {number}");
                if number == 3 { Err(Stopped::NoMemory) } else { Ok(number) }
            }),
        );
        let part = batch.put(vec![1, 2, 3, 4]);
        batch.wait(&part, LONG);
        std::panic::set_hook(hook);
        let panic = Unsolved::Panic("number 2".to_owned());
        let expected = vec![Ok(1), Err(panic), Err(Unsolved::Stopped(Stopped::NoMemory)), Ok(4)];
        assert_eq!(part.take(), Some(expected));
    }

    #[test]
    fn slow_questions_wait_for_answers_and_quick_ones_do_not() {
        let mut pace = Pace::new(false);
        assert!(!pace.is_quick());
        assert_eq!(pace.next(0, 2, LONG), Next::Get);
        assert_eq!(pace.next(2, 2, LONG), Next::Wait(LONG));
        // Not all threads are busy: wait as long as the last question took.
        let start = Instant::now().checked_sub(Duration::from_secs(10)).unwrap();
        pace.came(start);
        let Next::Wait(wait) = pace.next(1, 2, LONG) else { panic!("a slow question") };
        assert!(wait > Duration::from_secs(9) && wait < Duration::from_secs(11));
        assert_eq!(pace.next(1, 2, QUICK), Next::Wait(QUICK));
        for _ in 0..ENOUGH {
            assert!(!pace.is_quick());
            pace.came(Instant::now());
        }
        assert!(pace.is_quick());
        assert_eq!(pace.next(2, 2, LONG), Next::Get);
        // One that takes long, and everything starts again.
        pace.came(start);
        assert!(!pace.is_quick());
        assert_eq!(pace.next(0, 2, LONG), Next::Get);
        // What is there cannot be slow.
        let mut pace = Pace::new(true);
        pace.came(start);
        assert_eq!(pace.next(2, 2, LONG), Next::Get);
    }
}
