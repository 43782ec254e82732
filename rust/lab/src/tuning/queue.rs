//! A queue of matches and the log of their results.
//!
//! The log has a line a test: the UTC date, the commit, the signature of what plays, the result, the line of the queue;
//! tabs separate them. `LOG.state` has how the tests stand that were stopped, a line each.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
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
        let words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
        Some(words.collect::<Vec<_>>().join(" ")).filter(|test| !test.is_empty())
    };
    (1..).zip(text.lines()).filter_map(move |(number, line)| Some((number, test(line)?)))
}

/// The options of a test: what follows its name.
pub fn options(test: &str) -> Result<impl Iterator<Item = String>, Error> {
    let named = test.split_once(':').filter(|(name, _)| !name.is_empty() && !name.contains(' '));
    let wrong =
        || format!("{test:?}: a test must be a name without blanks, a colon, and the options of match");
    let (_, options) = named.ok_or_else(|| Error::new(wrong()))?;
    Ok(options.split_whitespace().map(str::to_owned))
}

/// A number that changes with what a test plays: its settings, weights and openings, and how the first pair goes.
fn signature(plan: &Plan) -> Result<String, Error> {
    let by_nodes = || Limit { nodes: Some(SIGNATURE_NODES), ..Limit::default() };
    let limit = if plan.limit.time.is_some() { by_nodes() } else { plan.limit.clone() };
    let first = Plan { limit, games: 2, threads: 1, sprt: None, ..plan.clone() };
    let standing = contest(&first, Standing::default(), &mut |_, _| ())?.without_times();
    let networks = first.players.each_ref().map(|player| Some(player.network.as_ref()?.checksum()));
    let text = format!("{first:?} {networks:?} {standing:?}");
    Ok(format!("{:016x}", text.bytes().fold(0, |number, byte| splitmix64(number ^ u64::from(byte)))))
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
    let (&games, rest) = numbers.split_first_chunk()?;
    let (&pairs, rest) = rest.split_first_chunk()?;
    let (&[plies, faults], rest) = rest.split_first_chunk()?;
    let ([a, b], []) = rest.as_chunks() else { return None };
    let efforts = [a, b].map(|&[moves, depth, nodes, time]| {
        let time = Duration::from_nanos(time);
        Effort { moves, depth, nodes, time }
    });
    Some(Standing { tally: Tally { games, pairs }, efforts, plies, faults, sprt: None })
}

/// A day as `2026-11-22`, by its number from 1970-01-01.
fn date(mut day: u64) -> String {
    let (mut year, mut month) = (1970_u64, 1);
    loop {
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let length = match month {
            2 => 28 + u64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        if day < length {
            return format!("{year}-{month:02}-{:02}", day + 1);
        }
        day -= length;
        (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    }
}

/// The commit of the repository that a file is in; the version if there is none.
fn commit(path: &Path) -> String {
    let folder = Path::new(".").join(path.parent().unwrap_or(path));
    let git = Command::new("git").args(["rev-parse", "--short", "HEAD"]).current_dir(folder).output();
    let said = git.ok().filter(|git| git.status.success()).and_then(|git| String::from_utf8(git.stdout).ok());
    said.map_or_else(|| env!("CARGO_PKG_VERSION").to_owned(), |said| said.trim().to_owned())
}

/// The results of tests, and how those stand that were stopped.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    /// Locked, so that no test is played twice.
    file: File,
    text: String,
    /// By their tests: the signature and the standing.
    stopped: BTreeMap<String, String>,
}

impl Log {
    /// Opens a log, or begins one. Fails if another queue has it open.
    pub fn open(path: &Path) -> Result<Log, Error> {
        let fault = |error| Error::of_file(path, error);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(fault)?;
        Error::if_locked(&file, path, "queue", "log")?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(fault)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(fault)?;
            text.push('\n');
        }
        let mut log = Log { path: path.to_owned(), file, text, stopped: BTreeMap::new() };
        let states = fs::read_to_string(log.state_path()).unwrap_or_default();
        let states = states.lines().filter_map(|line| line.rsplit_once('\t'));
        let states = states.map(|(state, test)| (test.to_owned(), state.to_owned()));
        log.stopped = states.filter(|(test, _)| !log.has(test)).collect();
        Ok(log)
    }

    /// Whether a test has its result.
    pub fn has(&self, test: &str) -> bool {
        self.text.lines().any(|line| line.rsplit_once('\t').is_some_and(|(_, of)| of == test))
    }

    /// Plays a test, or the rest of it, and adds its result. `report` is told of each pair.
    pub fn play(&mut self, test: &str, plan: &Plan, report: Report<'_>) -> Result<Standing, Error> {
        let (commit, signature) = (commit(&self.path), signature(plan)?);
        let state = self.stopped.get(test).and_then(|state| state.split_once(' '));
        let found = state.filter(|(of, _)| *of == signature).and_then(|(_, text)| standing(text));
        let from = found.unwrap_or_default();
        if found.is_some() {
            report(&from, Some(&format!("goes on after {} pairs", from.counted())));
        } else if state.is_some() {
            report(&from, Some("begins again: what played so far is not what plays now"));
        }
        let done = contest(plan, from, &mut |now, problem| {
            report(now, problem);
            self.stopped.insert(test.to_owned(), format!("{signature} {}", written(now)));
            if let Err(error) = self.save() {
                report(now, Some(&error.to_string()));
            }
        })?
        .if_played()?;
        let day = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 86_400);
        let line = format!("{}\t{commit}\t{signature}\t{done}\t{test}\n", date(day));
        let wrote = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        wrote.map_err(|error| Error::of_file(&self.path, error))?;
        self.text.push_str(&line);
        self.stopped.remove(test);
        self.save()?;
        Ok(done)
    }

    fn state_path(&self) -> PathBuf {
        self.path.with_added_extension("state")
    }

    /// Writes the states, all or none; no file if there are none.
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
    use super::*;
    use crate::tuning::{archive::tests::temporary, contest, read_epd};

    fn plan(a: &str) -> Plan {
        Plan { sprt: Some([0.0, 8.0]), ..contest::tests::plan(a, 8, 1) }
    }

    #[test]
    fn lines_have_names_and_options() {
        let text =
            "# all\n\nnull:  --a null_move=0\t--games 4 # why\nnet: --eval-a net#1\n --games 4: 5\n: 5\n";
        let (numbers, mut tests): (Vec<_>, Vec<_>) = lines(text).unzip();
        assert_eq!(numbers, [3, 4, 5, 6]);
        assert_eq!(tests.remove(1), "net: --eval-a net#1");
        assert_eq!(tests[0], "null: --a null_move=0 --games 4");
        assert!(options(&tests[0]).unwrap().eq(["--a", "null_move=0", "--games", "4"]));
        assert!(tests[1..].iter().all(|test| options(test).is_err()));
    }

    #[test]
    fn days_have_dates() {
        let days = [0, 11_016, 20_818, 20_819, 47_540, 47_541].map(date);
        assert_eq!(days[..3], ["1970-01-01", "2000-02-29", "2026-12-31"]);
        assert_eq!(days[3..], ["2027-01-01", "2100-02-28", "2100-03-01"]);
    }

    #[test]
    fn a_signature_is_of_what_plays() {
        let of = |plan: &Plan| signature(plan).unwrap();
        let usual = of(&plan(""));
        assert_eq!(usual, of(&Plan { threads: 3, games: 40, sprt: None, ..plan("") }));
        let (mut weights, mut swapped) = (betacut_play::evaluation::WEIGHTS, plan(""));
        weights.swap(0, 1);
        swapped.players[1].weights = Some(weights.into());
        let openings = read_epd("4k3/8/8/8/8/8/4P3/4K3 w - -").0;
        let others =
            [plan("null_move=0"), swapped, Plan { seed: 6, ..plan("") }, Plan { openings, ..plan("") }];
        assert!(others.iter().all(|other| of(other) != usual));
    }

    #[test]
    fn a_test_goes_on_from_its_state_and_is_logged_once() {
        let path = temporary("log");
        let mut log = Log::open(&path).unwrap();
        let (plan, mut stood) = (plan("quiescence=0"), Vec::new());
        let whole = log.play("0", &plan, &mut |now, _| stood.push(*now)).unwrap();
        assert_eq!(stood.len(), 4);
        assert!(Log::open(&path).unwrap_err().to_string().contains("another queue"));
        let right = signature(&plan).unwrap();
        let rests = [(&right[..], 1, 0, 3), (&right, 3, 1, 2), (&right, 1, 3, 0), ("another", 3, 1, 4)];
        for (test, (signature, threads, at, rest)) in ["1", "2", "3", "4"].into_iter().zip(rests) {
            fs::write(log.state_path(), format!("{signature} {}\t{test}\n", written(&stood[at]))).unwrap();
            drop(log);
            log = Log::open(&path).unwrap();
            let mut pairs = 0;
            let plan = Plan { threads, ..plan.clone() };
            let done =
                log.play(test, &plan, &mut |_, problem| pairs += i32::from(problem.is_none())).unwrap();
            assert_eq!((done.without_times(), pairs), (whole.without_times(), rest), "{test}");
            assert!(!log.state_path().exists());
        }
        drop(log);
        // As if its last letter had not been written.
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.trim_end()).unwrap();
        let mut log = Log::open(&path).unwrap();
        assert!(log.has("4") && !log.has("5"));
        log.play("5", &plan, &mut |_, _| ()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let tests = text.lines().map(|line| line.rsplit_once('\t').unwrap().1);
        assert!(tests.eq(["0", "1", "2", "3", "4", "5"]), "{text}");
        fs::remove_file(&path).unwrap();
    }
}
