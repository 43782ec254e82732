//! A queue of matches and the log of their results.
//!
//! The log has a line a test: the UTC date, the commit, the [`signature`], the result, the line of the queue; tabs
//! separate them. Beside it, `LOG.state` has how the tests stand that were stopped, a line each.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::contest::{Plan, Report, Standing, Tally, contest};
use super::{error::Error, players::Effort};
use betacut_core::random::splitmix64;
use betacut_play::Limit;

/// The nodes of a move that a test by time is recognized by.
const SIGNATURE_NODES: u64 = 10_000;

/// The tests of a queue with the numbers of their lines; comments and needless blanks are taken off.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, String)> {
    let test = |line: &str| {
        let line = line.split('#').next().unwrap_or_default();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    (1..).zip(text.lines().map(test)).filter(|(_, test)| !test.is_empty())
}

/// The options of a test: what follows its name.
pub fn options(test: &str) -> Result<impl Iterator<Item = &str>, Error> {
    let named = test.split_once(':').filter(|(name, _)| !name.is_empty() && !name.contains(' '));
    let (_, options) = named.ok_or_else(|| {
        Error::new(format!(
            "{test:?}: a test must be a name without blanks, a colon, and the options of match"
        ))
    })?;
    Ok(options.split_whitespace())
}

/// A number that changes with what a test plays: its settings, weights and openings, and how the first pair goes.
fn signature(plan: &Plan) -> Result<u64, Error> {
    let by_nodes = || Limit { nodes: Some(SIGNATURE_NODES), ..Limit::default() };
    let limit = if plan.limit.time.is_some() { by_nodes() } else { plan.limit.clone() };
    let first = Plan { limit, games: 2, threads: 1, sprt: None, ..plan.clone() };
    let mut standing = contest(&first, Standing::default(), &mut |_, _| ())?;
    standing.efforts.iter_mut().for_each(|effort| effort.time = Duration::ZERO);
    let networks = first.players.each_ref().map(|player| Some(player.network.as_ref()?.checksum()));
    let text = format!("{first:?} {networks:?} {standing:?}");
    Ok(text.bytes().fold(0, |number, byte| splitmix64(number ^ u64::from(byte))))
}

/// A standing as the file of states has it, but for the hypotheses.
fn written(Standing { tally, efforts, plies, faults, .. }: &Standing) -> String {
    let [a, b] = efforts.map(|effort| {
        let Effort { moves, depth, nodes, time } = effort;
        [moves, depth, nodes, time.as_nanos() as u64]
    });
    let numbers = [&tally.games[..], &tally.pairs, &[*plies, *faults], &a, &b].concat();
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}

/// Reads what [`written`] wrote.
fn standing(text: &str) -> Option<Standing> {
    let numbers: Vec<u64> = text.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
    let (games, rest) = numbers.split_first_chunk::<3>()?;
    let (pairs, rest) = rest.split_first_chunk::<5>()?;
    let &[plies, faults, ref rest @ ..] = rest else { return None };
    let [a, b] = rest.as_chunks::<4>().0 else { return None };
    let efforts = [a, b].map(|&[moves, depth, nodes, time]| {
        let time = Duration::from_nanos(time);
        Effort { moves, depth, nodes, time }
    });
    let whole = rest.len() == 8 && games.iter().sum::<u64>() == 2 * pairs.iter().sum::<u64>();
    let tally = Tally { games: *games, pairs: *pairs };
    whole.then_some(Standing { tally, efforts, plies, faults, sprt: None })
}

/// A day as `2026-11-22`, by its number from 1970-01-01.
fn date(mut day: u64) -> String {
    let mut year = 1970;
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}

/// The commit of the repository that a folder is in; the version if there is none.
fn commit(folder: &Path) -> String {
    let git =
        std::process::Command::new("git").args(["rev-parse", "--short", "HEAD"]).current_dir(folder).output();
    let said = git.ok().filter(|output| output.status.success());
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    said.unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_owned())
}

/// The results of tests, and how those stand that were stopped.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    /// Locked, so that no test is played twice.
    file: File,
    commit: String,
    finished: HashSet<String>,
    /// By their tests: the signature and the standing.
    stopped: BTreeMap<String, String>,
}

impl Log {
    /// Opens a log, or begins one. Fails if another program has it open.
    pub fn open(path: &Path) -> Result<Log, Error> {
        let fault = |error| Error::of_file(path, error);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(fault)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(Error::of_file(path, "another queue writes to it; another log must be named"));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(fault)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(fault)?;
        }
        let last =
            |line: &str| line.rsplit_once('\t').map(|(before, test)| (test.to_owned(), before.to_owned()));
        let finished: HashSet<String> = text.lines().filter_map(last).map(|(test, _)| test).collect();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut log =
            Log { path: path.to_owned(), file, commit: commit(folder), finished, stopped: BTreeMap::new() };
        let states = fs::read_to_string(log.state_path()).unwrap_or_default();
        log.stopped = states.lines().filter_map(last).filter(|(test, _)| !log.has(test)).collect();
        Ok(log)
    }

    /// Whether a test has its result.
    pub fn has(&self, test: &str) -> bool {
        self.finished.contains(test)
    }

    /// Plays a test, or the rest of it, and adds its result. `report` is told of each pair.
    pub fn play(&mut self, test: &str, plan: &Plan, report: Report<'_>) -> Result<Standing, Error> {
        let signature = format!("{:016x}", signature(plan)?);
        let state = self.stopped.get(test).and_then(|state| state.split_once(' '));
        let from = match state.map(|(by, text)| (by == signature, standing(text))) {
            None => Standing::default(),
            Some((true, Some(from))) => {
                report(&from, Some(&format!("goes on after {} pairs", from.counted())));
                from
            }
            Some(_) => {
                let from = Standing::default();
                report(&from, Some("begins again: other players, or damage, have made its state useless"));
                from
            }
        };
        let done = contest(plan, from, &mut |now, problem| {
            report(now, problem);
            self.stopped.insert(test.to_owned(), format!("{signature} {}", written(now)));
            if let Err(error) = self.save() {
                report(now, Some(&error.to_string()));
            }
        })?;
        let day = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 86_400);
        let line = format!("{}\t{}\t{signature}\t{done}\t{test}\n", date(day), self.commit);
        let wrote = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        wrote.map_err(|error| Error::of_file(&self.path, error))?;
        self.finished.insert(test.to_owned());
        self.stopped.remove(test);
        self.save()?;
        Ok(done)
    }

    fn state_path(&self) -> PathBuf {
        self.path.with_added_extension("state")
    }

    /// Writes the states at once or not at all; no file if there are none.
    fn save(&self) -> Result<(), Error> {
        let (path, new) = (self.state_path(), self.path.with_added_extension("state-new"));
        let lines = self.stopped.iter().map(|(test, state)| format!("{state}\t{test}\n"));
        let text = lines.collect::<Vec<_>>().concat();
        let wrote = fs::write(&new, &text).and_then(|()| fs::rename(&new, &path));
        let wrote = wrote.and_then(|()| if text.is_empty() { fs::remove_file(&path) } else { Ok(()) });
        wrote.map_err(|error| Error::of_file(&path, error))
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::tuning::{Adjudication, archive::tests::temporary, settings};

    fn plan(a: &str) -> Plan {
        Plan {
            players: [a, ""].map(|changes| settings(changes, None, 1).unwrap()),
            limit: Limit { nodes: Some(100), ..Limit::default() },
            games: 6,
            threads: 1,
            seed: 5,
            openings: Vec::new(),
            adjudication: Adjudication::USUAL,
            sprt: None,
        }
    }

    #[test]
    fn lines_have_names_and_options() {
        let text = "# all\n\nnull:  --a null_move=0\t--games 4 # why\n --games 4: 5\n: 5\n";
        let tests: Vec<_> = lines(text).collect();
        assert_eq!(tests[0], (3, "null: --a null_move=0 --games 4".to_owned()));
        assert_eq!(options(&tests[0].1).unwrap().collect::<Vec<_>>(), ["--a", "null_move=0", "--games", "4"]);
        assert_eq!(tests[1..].iter().map(|(number, _)| *number).collect::<Vec<_>>(), [4, 5]);
        assert!(tests[1..].iter().all(|(_, test)| options(test).is_err()));
    }

    #[test]
    fn days_have_dates() {
        let dates =
            [(0, "1970-01-01"), (11_016, "2000-02-29"), (20_819, "2027-01-01"), (47_540, "2100-02-28")];
        for (day, expected) in dates {
            assert_eq!(date(day), expected);
        }
        assert_eq!(date(47_541), "2100-03-01");
    }

    #[test]
    fn a_signature_is_of_what_plays() {
        let of = |plan: &Plan| signature(plan).unwrap();
        let usual = plan("");
        assert_eq!(of(&usual), of(&Plan { threads: 3, games: 40, sprt: Some([0.0, 8.0]), ..plan("") }));
        let mut weights = betacut_play::evaluation::WEIGHTS;
        weights.swap(0, 1);
        let mut heavier = plan("");
        heavier.players[1].weights = Some(weights.into());
        let openings = super::super::read_epd("4k3/8/8/8/8/8/4P3/4K3 w - -").0;
        let others =
            [plan("null_move=0"), heavier, Plan { seed: 6, ..plan("") }, Plan { openings, ..plan("") }];
        assert!(others.iter().all(|other| of(other) != of(&usual)));
    }

    #[test]
    fn a_test_that_crashed_goes_on_and_is_logged_once() {
        let path = temporary("log");
        let result = |log: &mut Log, test: &str, plan: &Plan| {
            let mut told = Vec::new();
            let done =
                log.play(test, plan, &mut |_, problem| told.extend(problem.map(str::to_owned))).unwrap();
            (
                Standing {
                    efforts: done.efforts.map(|effort| Effort { time: Duration::ZERO, ..effort }),
                    ..done
                },
                told,
            )
        };
        let mut log = Log::open(&path).unwrap();
        let (whole, _) = result(&mut log, "a: 1", &plan("quiescence=0"));
        for threads in [1, 3] {
            let (test, plan) = (format!("b: {threads}"), Plan { threads, ..plan("quiescence=0") });
            let crash = catch_unwind(AssertUnwindSafe(|| {
                log.play(&test, &plan, &mut |now, _| assert!(now.counted() < 2, "a crash"))
            }));
            assert!(crash.is_err() && log.state_path().exists());
            assert!(Log::open(&path).unwrap_err().to_string().contains("another queue"));
            drop(log);
            log = Log::open(&path).unwrap();
            assert_eq!(result(&mut log, &test, &plan), (whole, vec!["goes on after 1 pairs".to_owned()]));
            assert!(!log.state_path().exists());
        }
        let state = format!("0 {}\tc: 1\n{}\ta: 1\n", written(&whole), "0 0");
        fs::write(log.state_path(), state).unwrap();
        drop(log);
        // The line of the log was cut off after its last letter.
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.trim_end()).unwrap();
        let mut log = Log::open(&path).unwrap();
        assert!(log.has("b: 3") && !log.has("c: 1"));
        let (other, told) = result(&mut log, "c: 1", &plan("quiescence=0"));
        assert!(other == whole && told[0].starts_with("begins again"));
        let text = fs::read_to_string(&path).unwrap();
        let tests: Vec<_> = text.lines().map(|line| line.rsplit_once('\t').unwrap().1).collect();
        assert_eq!(tests, ["a: 1", "b: 1", "b: 3", "c: 1"]);
        fs::remove_file(&path).unwrap();
    }
}
