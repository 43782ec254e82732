//! The tuner at a prompt: games of the engine against itself, weights, matches between settings.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{collections::HashSet, ffi::OsString, fs, process::ExitCode, sync::Arc};

use betacut_lab::tuning::archive::{self, StoredGame};
use betacut_lab::tuning::arguments::Arguments;
use betacut_lab::tuning::network::{self, Positions};
use betacut_lab::tuning::queue::{self, Log};
use betacut_lab::tuning::spsa::{self, State};
use betacut_lab::tuning::{
    Adjudication, Dataset, Error, Fitted, GamesPlan, HASH_MB, Losses, MatchPlan, Options, Progress, Pull,
    Split, Standing, Terms, Verdict, contest, fit, generate, of_evaluation, read_epd, settings, show, start,
    tables, weights_file,
};
use betacut_play::evaluation::{WEIGHTS, Weights, terms::TERMS};
use betacut_play::network::{MAX_NOTE, Network};
use betacut_play::{Limit, Parameters, Settings};

const HELP: &str = "\
betacut-tune games --games N --nodes N [--soft-nodes N] [--threads 2] [--seed 1] [--hash 8] [--set name=value,…]
        [--weights FILE] [--eval FILE] OUT
    Plays games until OUT has N of them, and keeps their quiet positions. May be stopped and started again. After the
    soft nodes the search finishes its depth and begins no other. --eval is a network; none: the hand-written evaluation.
betacut-tune fit FILE… --out FILE [--start FILE] [--epochs 40] [--rate 1] [--lambda 0.5] [--batch 16384] [--seed 1]
        [--threads 2] [--constant K] [--pull-kinds 1000] [--pull 20] [--validation 20]
    Finds the weights that foretell the results of these games best. One game in 20 is only tested by.
betacut-tune tables FILE… --out FILE [--symmetric] [the options of fit but --start]
    Finds an evaluation of pieces on squares alone in the same way, and writes it for `betacut.Evaluation`.
betacut-tune train FILE… --out FILE [--hidden 64] [--epochs 3] [--lambda 0.1] [--batch 4096] [--rate 0.001]
        [--decay 0.1] [--pretrain 40] [--pretrain-rate 0.01] [--mix 0.25] [--seed 1] [--threads 2] [--constant K]
        [--start FILE] [--validation 20]
    Trains a network on these games; before, on 40 million lessons: positions near theirs, with the values of the weights.
    --mix adds so many lessons to each position of the games. --start goes on with a network, which may have fewer
    neurons, without lessons before.
betacut-tune network FILE
    Prints how a network was made.
betacut-tune start OUT
    Writes the weights that tuning begins with.
betacut-tune match --a name=value,… --b name=value,… --games N (--nodes N | --soft-nodes N | --depth N | --time MS)
        [--threads 2] [--seed 1] [--hash 8] [--sprt ELO0,ELO1] [--weights-a FILE] [--weights-b FILE] [--eval-a FILE] [--eval-b FILE]
        [--openings FILE] [--no-adjudication]
    Plays A against B. The differences of --sprt are of normalized Elo. elo=N plays at a rating; where both do, no
    limit is needed.
betacut-tune queue FILE [--threads N] [--log FILE]
    Plays the matches of a file, each a line of a name, a colon and the options of match; # begins a comment. A result is
    added to the log (tests.log beside FILE), and not played again. May be stopped and started again.
betacut-tune techniques --games N --nodes N [--soft-nodes N] [--threads 2] [--seed 1] [--hash 8] [NAME…]
    Plays the engine against itself without each technique, or those named, and prints what it is worth.
betacut-tune spsa [PARAMETERS] --iterations N (--nodes N | --soft-nodes N) --out FILE [--pairs 8] [--threads 2] [--seed 1]
        [--hash 8] [--eval FILE]
    Tunes parameters of the search by SPSA. May be stopped and started again. --list prints the parameters instead, as a
    file to edit; --show FILE prints what a run has found so far. FILE.lock keeps a second run away.
betacut-tune show [--weights FILE] [TERM…]
    Prints the weights.";

/// Prints a line. No failure ends the work.
macro_rules! say {
    ($($words:tt)*) => {
        note_failure(writeln!(io::stdout(), $($words)*))
    };
}

/// Prints a line about what is wrong. No failure ends the work.
macro_rules! warn {
    ($($words:tt)*) => {
        drop(writeln!(io::stderr(), $($words)*))
    };
}

/// Whether a line of the output was lost.
static IS_OUTPUT_LOST: AtomicBool = AtomicBool::new(false);

/// Tells of the first line that could not be written. That a reader left is no fault.
fn note_failure(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
        && !IS_OUTPUT_LOST.swap(true, Ordering::Relaxed)
    {
        warn!("betacut-tune: cannot write the output: {error}");
    }
}

/// What the lines about a training take of a network's note at most.
const RESULT_LENGTH: usize = 1024;
/// Seconds between two lines about what is going on.
const PAUSE: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    match run() {
        Ok(()) if !IS_OUTPUT_LOST.load(Ordering::Relaxed) => ExitCode::SUCCESS,
        done => {
            if let Err(error) = done {
                warn!("betacut-tune: {error}");
            }
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Error> {
    let words: Result<Vec<String>, _> = std::env::args_os().skip(1).map(OsString::into_string).collect();
    let words =
        words.map_err(|word| Error::new(format!("an argument must be UTF-8, not {}", word.display())))?;
    let is_asked_for_help = words.first().is_some_and(|word| word == "help")
        || words.iter().any(|word| ["--help", "-h"].contains(&word.as_str()));
    let mut words = words.into_iter();
    let command = words.next().filter(|_| !is_asked_for_help).unwrap_or_default();
    match command.as_str() {
        "games" => games(words),
        "fit" | "tables" => fit_files(&command, words),
        "train" => train_network(words),
        "network" => show_network(words),
        "match" => play_match(words),
        "queue" => play_queue(words),
        "techniques" => measure_techniques(words),
        "spsa" => tune_parameters(words),
        "show" => show_weights(words),
        "start" => write_start(words),
        "" => {
            say!("{HELP}");
            Ok(())
        }
        other => Err(Error::new(format!(
            "there is no command {other:?}; there are start, games, fit, tables, train, network, match, queue, techniques, spsa, show"
        ))),
    }
}

/// Says when the next line about progress is due.
struct Clock(Instant);

impl Clock {
    fn is_due(&mut self) -> bool {
        let due = self.0.elapsed() >= PAUSE;
        if due {
            self.0 = Instant::now();
        }
        due
    }
}

fn tell(problem: Option<&str>) {
    if let Some(problem) = problem {
        warn!("{problem}");
    }
}

/// What all games have: threads, a seed, the table's mebibytes.
fn usual(arguments: &Arguments) -> Result<(usize, u64, usize), Error> {
    let threads = arguments.number("threads", 1, 1024)?.unwrap_or(2);
    let seed = arguments.number("seed", 0, u64::MAX)?.unwrap_or(1);
    Ok((threads, seed, arguments.number("hash", 1, 65_536)?.unwrap_or(HASH_MB)))
}

/// The text of a file, without the byte order mark that some editors write before it.
fn read_text(path: &Path) -> Result<String, Error> {
    let text = fs::read_to_string(path).map_err(|error| Error::of_file(path, error))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

/// The weights of a file, or those that are built in.
fn weights(path: Option<&str>) -> Result<Arc<Weights>, Error> {
    let Some(path) = path else { return Ok(Arc::new(WEIGHTS)) };
    let parsed = weights_file::parse(&read_text(path.as_ref())?);
    parsed.map(Arc::from).map_err(|error| Error::of_file(Path::new(path), error))
}

/// The same settings with the network of a file; with the hand-written evaluation for `none`, or if a file of weights is
/// named and no network.
fn by_network(settings: Settings, path: Option<&str>, weights: Option<&str>) -> Result<Settings, Error> {
    let network = match path {
        None if weights.is_none() => return Ok(settings),
        None | Some("none") => None,
        Some(path) => Some(Network::load(Path::new(path)).map_err(|error| Error::new(error.to_string()))?),
    };
    Ok(Settings { network: network.map(Arc::new), ..settings })
}

fn only_word(arguments: &Arguments) -> Result<&Path, Error> {
    match arguments.words.as_slice() {
        [word] => Ok(Path::new(word)),
        words => Err(Error::new(format!("one file must be named, not {}", words.len()))),
    }
}

fn no_words(arguments: &Arguments) -> Result<(), Error> {
    match arguments.words.first() {
        None => Ok(()),
        Some(word) => Err(Error::new(format!("{word:?} is neither an option nor the value of one"))),
    }
}

fn games(words: impl Iterator<Item = String>) -> Result<(), Error> {
    let arguments = Arguments::read(words, "games nodes soft-nodes threads seed hash set weights eval", "")?;
    let out = only_word(&arguments)?;
    let (threads, seed, hash) = usual(&arguments)?;
    let changes = arguments.text("set").unwrap_or_default();
    let weights = weights(arguments.text("weights"))?;
    let plan = GamesPlan {
        games: arguments.needed("games", 1, u32::MAX)?,
        nodes: arguments.needed("nodes", 1, u32::MAX)?,
        soft_nodes: arguments.number("soft-nodes", 1, u32::MAX)?.unwrap_or(0),
        threads,
        seed,
        settings: by_network(
            settings(changes, Some(weights), hash)?,
            arguments.text("eval"),
            arguments.text("weights"),
        )?,
    };
    let mut clock = Clock(Instant::now());
    let line = |progress: &Progress| {
        let [lost, drawn, won] = progress.results;
        let speed = progress.new_positions as f64 / progress.seconds.max(1e-9);
        let Progress { games, positions, .. } = progress;
        say!("{games} games, {positions} positions; {speed:.0} positions/s; White +{won} ={drawn} -{lost}");
    };
    let done = generate(&plan, out, &mut |progress, problem| {
        tell(problem);
        if clock.is_due() {
            line(progress);
        }
    })?;
    line(&done);
    match done.faults {
        0 => Ok(()),
        faults => Err(Error::new(format!("{faults} of {} games could not be played", plan.games))),
    }
}

fn write_start(words: impl Iterator<Item = String>) -> Result<(), Error> {
    let arguments = Arguments::read(words, "", "")?;
    let out = only_word(&arguments)?;
    let text = weights_file::format(&start(), &["The Simplified Evaluation, and guesses.".to_owned()]);
    fs::write(out, text).map_err(|error| Error::of_file(out, error))
}

/// The games of all files; what is wrong with a file is told, and the rest read. No game may be read twice: it would be
/// learned from and tested by.
fn read_games(paths: &[String]) -> Result<(Vec<StoredGame>, Vec<String>), Error> {
    let (mut games, mut origins, mut read) = (Vec::new(), Vec::new(), HashSet::new());
    for path in paths {
        let contents = archive::read(Path::new(path))?;
        if let Some(damage) = &contents.damage {
            warn!("{path}: {damage}; the {} games before are read", contents.games.len());
        }
        if let Some(game) = contents.games.iter().find(|game| !read.insert((contents.origin, game.number))) {
            let twice = format!("game {} by {} stands in another file, too", game.number, contents.origin);
            return Err(Error::of_file(Path::new(path), twice));
        }
        let (positions, count) = (contents.positions(), contents.games.len());
        origins.push(format!("{positions} positions of {count} games by {}", contents.origin));
        games.extend(contents.games);
    }
    Ok((games, origins))
}

fn fit_options(arguments: &Arguments) -> Result<Options, Error> {
    let usual = Options::default();
    Ok(Options {
        epochs: arguments.number("epochs", 1, 100_000)?.unwrap_or(usual.epochs),
        rate: arguments.number("rate", 0.0, 1000.0)?.unwrap_or(usual.rate),
        lambda: arguments.number("lambda", 0.0, 1.0)?.unwrap_or(usual.lambda),
        batch: arguments.number("batch", 1, 1 << 30)?.unwrap_or(usual.batch),
        seed: arguments.number("seed", 0, u64::MAX)?.unwrap_or(usual.seed),
        threads: arguments.number("threads", 1, 1024)?.unwrap_or(usual.threads),
        constant: arguments.number("constant", 1e-5, 1.0)?,
        pull: Pull {
            kinds: arguments.number("pull-kinds", 0.0, 1e9)?.unwrap_or(usual.pull.kinds),
            others: arguments.number("pull", 0.0, 1e9)?.unwrap_or(usual.pull.others),
        },
    })
}

/// Makes sure that the file of an option, to be written, is none that is read.
fn check_other(option: &str, out: &Path, read: &[String]) -> Result<(), Error> {
    let file = fs::canonicalize(out); // a pipe has no such name
    if file.is_ok_and(|file| read.iter().any(|read| fs::canonicalize(read).is_ok_and(|read| read == file))) {
        return Err(Error::of_file(out, format!("is a file that is read: {option} must be another")));
    }
    Ok(())
}

/// Makes sure that a file can be written, and is none that is read: that must be told before hours of work. None is left
/// behind.
fn check_writable(out: &str, read: &[String]) -> Result<(), Error> {
    let fault = |error| Error::of_file(Path::new(out), error);
    let is_new = fs::metadata(out).is_err();
    fs::OpenOptions::new().append(true).create(true).open(out).map_err(fault)?;
    if is_new {
        return fs::canonicalize(out).and_then(fs::remove_file).map_err(fault);
    }
    check_other("--out", Path::new(out), read)
}

fn fit_files(command: &str, words: impl Iterator<Item = String>) -> Result<(), Error> {
    let is_tables = command == "tables";
    let names = "out epochs rate lambda batch seed threads constant pull-kinds pull validation";
    let names = if is_tables { names.to_owned() } else { format!("{names} start") };
    let words: Vec<String> = words.collect();
    let command = command_line(command, &words);
    let arguments = Arguments::read(words, &names, if is_tables { "symmetric" } else { "" })?;
    let symmetric = arguments.has("symmetric");
    if arguments.words.is_empty() {
        return Err(Error::new("no file of games is named"));
    }
    let out = arguments.text("out").ok_or_else(|| Error::new("--out must be given"))?;
    if is_tables && Path::new(out).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
        return Err(Error::new(format!("{out}: tables are written as TOML: name a file that ends in .toml")));
    }
    let options = fit_options(&arguments)?;
    let start = if is_tables { Arc::from(start()) } else { weights(arguments.text("start"))? };
    let one_in = arguments.number("validation", 2, 1_000_000)?.unwrap_or(20);
    check_writable(out, &arguments.words)?;
    let (games, origins) = read_games(&arguments.words)?;
    let clock = Instant::now();
    let of_tables: Terms = &|position, counter| tables::of_tables(position, symmetric, counter);
    let terms = if is_tables { of_tables } else { &of_evaluation };
    let (dataset, split) = Dataset::of_games(&games, options.seed, one_in, options.threads, terms);
    for problem in &split.problems {
        warn!("{problem}");
    }
    say!(
        "{} positions to learn from, {} to test by; {} MB, counted in {:.1} s",
        split.training.len(),
        split.validation.len(),
        dataset.bytes() >> 20,
        clock.elapsed().as_secs_f64()
    );
    let clock = Instant::now();
    let fitted = fit(&dataset, &split, &start, &options, &mut |losses: &Losses| {
        say!(
            "epoch {:3}: loss {:.6}, validation {:.6}; {:.1} s",
            losses.epoch,
            losses.training,
            losses.validation,
            clock.elapsed().as_secs_f64()
        );
    })?;
    let notes = notes(&origins, &split, &command, &fitted);
    for note in &notes {
        say!("{note}");
    }
    let text = if is_tables {
        tables::format(&fitted.weights, symmetric, &notes)
    } else {
        weights_file::format(&fitted.weights, &notes)
    };
    fs::write(out, text).map_err(|error| Error::of_file(Path::new(out), error))
}

/// The command, with files named as they are called, wherever they are.
fn command_line(command: &str, words: &[String]) -> String {
    let short = |word: &String| {
        let (option, value) = word.split_once('=').map_or(("", word.as_str()), |(a, b)| (a, b));
        let name = Path::new(value).file_name().map_or(value.into(), |name| name.to_string_lossy());
        if option.is_empty() { name.into_owned() } else { format!("{option}={name}") }
    };
    let words: Vec<String> = words.iter().map(short).collect();
    format!("betacut-tune {command} {}", words.join(" "))
}

/// Where the weights come from.
fn notes(origins: &[String], split: &Split, command: &str, fitted: &Fitted) -> Vec<String> {
    let mut notes = origins.to_vec();
    notes.push(format!("`{command}`"));
    notes.push(format!(
        "Learned from {} positions, tested by {} of other games: loss {:.6} after {} epochs ({:.6} at the start),",
        split.training.len(),
        split.validation.len(),
        fitted.rounded,
        fitted.best.epoch,
        fitted.start
    ));
    notes.push(format!("with the constant {:.6} of the logistic function.", fitted.constant));
    notes
}

fn read_network(path: &Path) -> Result<Network, Error> {
    let bytes = fs::read(path).map_err(|error| Error::of_file(path, error))?;
    Network::read(&bytes).map_err(|error| Error::of_file(path, error))
}

fn train_options(arguments: &Arguments, start: Option<&Network>) -> Result<network::Options, Error> {
    let usual = network::Options::default();
    let (hidden, lessons) = start.map_or((usual.hidden, usual.lessons), |start| (start.hidden, 0));
    let millions: Option<f64> = arguments.number("pretrain", 0.0, 1e6)?;
    Ok(network::Options {
        hidden: arguments.number("hidden", 1, 512)?.unwrap_or(hidden),
        epochs: arguments.number("epochs", 0, 100_000)?.unwrap_or(usual.epochs),
        lessons: millions.map_or(lessons, |millions| (millions * 1e6) as u64),
        share: arguments.number("mix", 0.0, 100.0)?.unwrap_or(usual.share),
        lambda: arguments.number("lambda", 0.0, 1.0)?.unwrap_or(usual.lambda),
        batch: arguments.number("batch", 1, 1 << 30)?.unwrap_or(usual.batch),
        rate: arguments.number("rate", 1e-9, 1.0)?.unwrap_or(usual.rate),
        lesson_rate: arguments.number("pretrain-rate", 1e-9, 1.0)?.unwrap_or(usual.lesson_rate),
        decay: arguments.number("decay", 0.0, 100.0)?.unwrap_or(usual.decay),
        seed: arguments.number("seed", 0, u64::MAX)?.unwrap_or(usual.seed),
        threads: arguments.number("threads", 1, 1024)?.unwrap_or(usual.threads),
        constant: arguments.number("constant", 1e-5, 1.0)?,
    })
}

fn train_network(words: impl Iterator<Item = String>) -> Result<(), Error> {
    let names = "out hidden epochs lambda batch rate decay pretrain pretrain-rate mix seed threads constant start validation";
    let words: Vec<String> = words.collect();
    let command = command_line("train", &words);
    let arguments = Arguments::read(words, names, "")?;
    if arguments.words.is_empty() {
        return Err(Error::new("no file of games is named"));
    }
    let out = arguments.text("out").ok_or_else(|| Error::new("--out must be given"))?;
    let start = arguments.text("start").map(|path| read_network(Path::new(path))).transpose()?;
    let options = train_options(&arguments, start.as_ref())?;
    let one_in = arguments.number("validation", 2, 1_000_000)?.unwrap_or(20);
    let (games, mut note) = read_games(&arguments.words)?;
    note.push(command);
    let length = note.join("\n").len() + RESULT_LENGTH;
    if length > MAX_NOTE {
        return Err(Error::new(format!(
            "the note of the network, a line a file, would have {length} bytes, more than {MAX_NOTE}: \
             fewer files must be named"
        )));
    }
    check_writable(out, &arguments.words)?;
    let mut positions = Positions::of_games(games, options.seed, one_in, options.threads);
    for problem in &positions.problems {
        warn!("{problem}");
    }
    let counts = [positions.training.len(), positions.validation.len()];
    say!("{} positions to learn from, {} to test by", counts[0], counts[1]);
    let clock = Instant::now();
    let trained = network::train(&mut positions, start.as_ref(), &options, &mut |report| {
        say!("{report}; {:.1} s", clock.elapsed().as_secs_f64());
    })?;
    note.push(format!("{} positions to learn from, {} to test by", counts[0], counts[1]));
    note.push(trained.to_string());
    let network = Network { note: note.join("\n"), ..trained.network };
    say!("{}", network.note);
    fs::write(out, network.to_bytes()).map_err(|error| Error::of_file(Path::new(out), error))
}

fn show_network(words: impl Iterator<Item = String>) -> Result<(), Error> {
    let arguments = Arguments::read(words, "", "")?;
    let network = read_network(only_word(&arguments)?)?;
    say!("{}\n{} neurons of a side", network.note, network.hidden);
    Ok(())
}

/// The options for A and for B: parameters, a file of weights, a network.
const PLAYERS: [[&str; 3]; 2] = [["a", "weights-a", "eval-a"], ["b", "weights-b", "eval-b"]];

/// The games of a match.
fn games_in_pairs(arguments: &Arguments) -> Result<u64, Error> {
    let games = arguments.needed("games", 2, u64::MAX)?;
    if !games.is_multiple_of(2) {
        let wrong = format!("--games must be an even number, each opening being played twice, not {games}");
        return Err(Error::new(wrong));
    }
    Ok(games)
}

/// What the options of `match` say, and the options.
fn match_plan(words: impl Iterator<Item = String>) -> Result<(MatchPlan, Arguments), Error> {
    let options = "a b games nodes soft-nodes depth time threads seed hash sprt weights-a weights-b \
                   eval-a eval-b openings";
    let arguments = Arguments::read(words, options, "no-adjudication")?;
    no_words(&arguments)?;
    let limit = Limit {
        nodes: arguments.number("nodes", 1, u64::MAX)?,
        soft_nodes: arguments.number("soft-nodes", 1, u64::MAX)?,
        depth: arguments.number("depth", 1, 1000)?,
        time: arguments.number("time", 1, 3_600_000)?.map(Duration::from_millis),
        ..Limit::default()
    };
    let openings = match arguments.text("openings") {
        None => Vec::new(),
        Some(path) => {
            let (openings, problems) = read_epd(&read_text(path.as_ref())?);
            for problem in problems {
                warn!("{path}: {problem}");
            }
            if openings.is_empty() {
                return Err(Error::of_file(Path::new(path), "no line is a position to start from"));
            }
            openings
        }
    };
    let (threads, seed, hash) = usual(&arguments)?;
    let player = |[changes, file, network]: [&str; 3]| {
        let changes = arguments.text(changes).unwrap_or_default();
        let (file, network) = (arguments.text(file), arguments.text(network));
        by_network(settings(changes, Some(weights(file)?), hash)?, network, file)
    };
    let players = [player(PLAYERS[0])?, player(PLAYERS[1])?];
    let is_limited =
        limit.nodes.or(limit.soft_nodes).is_some() || limit.depth.is_some() || limit.time.is_some();
    if !is_limited && players.iter().any(|player| player.elo.is_none()) {
        return Err(Error::new("--nodes, --soft-nodes, --depth or --time must be given"));
    }
    let plan = MatchPlan {
        players,
        limit,
        games: games_in_pairs(&arguments)?,
        threads,
        seed,
        openings,
        adjudication: if arguments.has("no-adjudication") { Adjudication::NONE } else { Adjudication::USUAL },
        sprt: arguments.text("sprt").map(hypotheses).transpose()?,
    };
    Ok((plan, arguments))
}

/// Prints how a match stands from time to time, and what goes wrong at once.
fn watch() -> impl FnMut(&Standing, Option<&str>) + Send {
    let mut clock = Clock(Instant::now());
    move |standing, problem| {
        tell(problem);
        if clock.is_due() && standing.verdict() == Verdict::Open {
            say!("{standing}");
        }
    }
}

fn play_match(words: impl Iterator<Item = String>) -> Result<(), Error> {
    let (plan, arguments) = match_plan(words)?;
    let standing = contest(&plan, Standing::default(), &mut watch())?.if_played()?;
    let name = |[changes, file, network]: [&str; 3]| {
        let of_file = |file| {
            let name = Path::new(arguments.text(file)?).file_name()?;
            Some(name.display().to_string())
        };
        let words = [arguments.text(changes).map(str::to_owned), of_file(file), of_file(network)];
        let words: Vec<String> = words.into_iter().flatten().filter(|word| !word.is_empty()).collect();
        if words.is_empty() { "default".to_owned() } else { words.join(" ") }
    };
    say!("{} against {}: {standing}", name(PLAYERS[0]), name(PLAYERS[1]));
    Ok(())
}

/// Plays the tests of a file that its log lacks. What is wrong with a line is told before the others are played.
fn play_queue(words: impl Iterator<Item = String>) -> Result<(), Error> {
    let arguments = Arguments::read(words, "threads log", "")?;
    let file = only_word(&arguments)?;
    let threads = arguments.number("threads", 1, 1024)?;
    let path = arguments.text("log").map_or_else(|| file.with_file_name("tests.log"), PathBuf::from);
    let text = read_text(file)?;
    check_other("--log", &path, &arguments.words)?;
    let mut log = Log::open(&path)?;
    let mut bad = 0;
    let mut fault = |number: usize, error: Error| {
        warn!("{}, line {number}: {error}", file.display());
        bad += 1;
    };
    let mut tests = Vec::new();
    for (number, test) in queue::lines(&text) {
        match queue::options(&test).and_then(match_plan) {
            Ok((plan, _)) => tests.push((number, test, plan)),
            Err(error) => fault(number, error),
        }
    }
    for (number, test, mut plan) in tests {
        if log.has(&test) {
            say!("{test}: stands in {}", path.display());
            continue;
        }
        say!("{test}");
        plan.threads = threads.unwrap_or(plan.threads);
        match log.play(&test, &plan, &mut watch()) {
            Ok(standing) => say!("{standing}"),
            Err(error) => fault(number, error),
        }
    }
    if bad > 0 { Err(Error::new(format!("{bad} of the tests could not be played"))) } else { Ok(()) }
}

fn measure_techniques(words: impl Iterator<Item = String>) -> Result<(), Error> {
    let arguments = Arguments::read(words, "games nodes soft-nodes threads seed hash", "")?;
    let limit = Limit {
        nodes: Some(arguments.needed("nodes", 1, u64::MAX)?),
        soft_nodes: arguments.number("soft-nodes", 1, u64::MAX)?,
        ..Limit::default()
    };
    let games = games_in_pairs(&arguments)?;
    let (threads, seed, hash) = usual(&arguments)?;
    let switches: Vec<&str> = Parameters::switches().collect();
    let words = &arguments.words;
    if let Some(name) = words.iter().find(|name| !switches.contains(&name.as_str())) {
        let known = switches.join(", ");
        return Err(Error::new(format!("there is no technique {name:?}; there are {known}")));
    }
    for name in switches.iter().filter(|name| words.is_empty() || words.iter().any(|word| word == *name)) {
        let plan = MatchPlan {
            players: [settings("", None, hash)?, settings(&format!("{name}=0"), None, hash)?],
            limit: limit.clone(),
            games,
            threads,
            seed,
            openings: Vec::new(),
            adjudication: Adjudication::USUAL,
            sprt: None,
        };
        let standing = contest(&plan, Standing::default(), &mut |_, problem| tell(problem))?.if_played()?;
        say!("{name}: {standing}");
    }
    Ok(())
}

fn tune_parameters(words: impl Iterator<Item = String>) -> Result<(), Error> {
    let options = "iterations pairs nodes soft-nodes threads seed hash eval out show";
    let arguments = Arguments::read(words, options, "list")?;
    if let Some(path) = arguments.text("show") {
        say!("{}", State::read(Path::new(path))?);
        return Ok(());
    }
    let tuned = if arguments.words.is_empty() {
        spsa::all_parameters()?
    } else {
        let path = only_word(&arguments)?;
        spsa::parameters(&read_text(path)?).map_err(|error| Error::of_file(path, error))?
    };
    if arguments.has("list") {
        say!("# name, start, min, max, c_end, r_end");
        for parameter in &tuned {
            say!("{parameter}");
        }
        return Ok(());
    }
    let limit = Limit {
        nodes: arguments.number("nodes", 1, u64::MAX)?,
        soft_nodes: arguments.number("soft-nodes", 1, u64::MAX)?,
        ..Limit::default()
    };
    if limit.nodes.or(limit.soft_nodes).is_none() {
        return Err(Error::new("--nodes or --soft-nodes must be given"));
    }
    let (threads, seed, hash) = usual(&arguments)?;
    let plan = spsa::Plan {
        settings: by_network(settings("", None, hash)?, arguments.text("eval"), None)?,
        limit,
        iterations: arguments.needed("iterations", 1, 1_000_000_000)?,
        pairs: arguments.number("pairs", 1, 1_000_000)?.unwrap_or(8),
        threads,
        seed,
    };
    let out = Path::new(arguments.text("out").ok_or_else(|| Error::new("--out must be given"))?);
    let _lock = spsa::lock(out)?;
    let mut state = State::open(&plan, tuned, out)?;
    let mut clock = Clock(Instant::now());
    while state.play(&plan, out, tell)? {
        if clock.is_due() {
            say!("{} of {} iterations", state.iteration, plan.iterations);
        }
    }
    say!("{state}");
    Ok(())
}

/// The two differences of a sequential test.
fn hypotheses(text: &str) -> Result<[f64; 2], Error> {
    let parsed = text.split_once(',').and_then(|(low, high)| {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.abs() <= 1000.0);
        Some([number(low)?, number(high)?])
    });
    parsed.filter(|[low, high]| low < high).ok_or_else(|| {
        Error::new(format!("--sprt must be two numbers, the smaller one first, such as 0,5, not {text:?}"))
    })
}

fn show_weights(words: impl Iterator<Item = String>) -> Result<(), Error> {
    let arguments = Arguments::read(words, "weights", "")?;
    let is_term = |word: &&String| TERMS.iter().any(|(name, ..)| word.eq_ignore_ascii_case(name));
    if let Some(word) = arguments.words.iter().find(|word| !is_term(word)) {
        let known: Vec<&str> = TERMS.iter().map(|&(name, ..)| name).collect();
        return Err(Error::new(format!("there is no term {word:?}; there are {}", known.join(", "))));
    }
    let text = show(&*weights(arguments.text("weights"))?, &arguments.words);
    say!("{}", text.trim_end());
    Ok(())
}
