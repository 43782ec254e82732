//! The options of a session: one table, from which UCI's lines and Python's options follow.

use std::sync::{Arc, LazyLock};
use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use crate::handicap::{FULL_SKILL, FULL_VIEW, RATINGS, rating_of_skill};
use crate::{Settings, network::Network};
use betacut_core::limits::processors;

/// What values an option takes, and which it has at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On or off.
    Check {
        /// What it is at first.
        default: bool,
    },
    /// A number.
    Spin {
        /// What it is at first.
        default: u64,
        /// The least that it takes.
        min: u64,
        /// The greatest.
        max: u64,
    },
    /// A text, empty at first.
    Text,
    /// Something to be done.
    Button,
}

/// An option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// As UCI writes it.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
}

/// The most threads on a machine with few processors. More than there are processors only take turns; with as many as
/// these a search still ends in time on two of them.
const FEW_THREADS: usize = 32;

/// The greatest seed that every program can send.
const GREATEST_SEED: u64 = i32::MAX as u64;

/// All of them, in the order in which they are listed.
pub static OPTIONS: LazyLock<[Spec; 19]> = LazyLock::new(|| {
    let check = |name| Spec { name, kind: Kind::Check { default: false } };
    let spin = |name, default, min, max| Spec { name, kind: Kind::Spin { default, min, max } };
    let text = |name| Spec { name, kind: Kind::Text };
    [
        spin("Hash", 16, 1, 65_536),
        Spec { name: "Clear Hash", kind: Kind::Button },
        spin("Threads", 1, 1, processors().max(FEW_THREADS) as u64),
        spin("MultiPV", 1, 1, 256),
        check("Ponder"),
        spin("Move Overhead", 20, 0, 5000),
        spin("nodestime", 0, 0, 10_000),
        text("SyzygyPath"),
        text("EvalFile"),
        Spec { name: "Use NNUE", kind: Kind::Check { default: true } },
        check("OwnBook"),
        text("BookFile"),
        check("UCI_Chess960"),
        check("UCI_LimitStrength"),
        spin("UCI_Elo", FULL_VIEW.into(), RATINGS.0.into(), RATINGS.1.into()),
        spin("Seed", 0, 0, GREATEST_SEED),
        spin("Skill Level", FULL_SKILL.into(), 0, FULL_SKILL.into()),
        check("UCI_ShowWDL"),
        check("UCI_AnalyseMode"),
    ]
});

/// A value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of a [`Kind::Check`].
    Check(bool),
    /// Of a [`Kind::Spin`].
    Spin(u64),
    /// Of a [`Kind::Text`].
    Text(String),
}

/// The option of this name, in capitals or not.
pub fn find(name: &str) -> Option<&'static Spec> {
    OPTIONS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name))
}

/// The option whose name this may have been meant for: at most two letters are wrong, missing or too many.
pub fn nearest(name: &str) -> Option<&'static str> {
    let close = |spec: &Spec| Some((distance(name, spec.name)?, spec.name));
    OPTIONS.iter().filter_map(close).min().map(|(_, name)| name)
}

/// How many letters tell two names apart, capitals or not, if at most two do and more than these agree.
///
/// Source: V. I. Levenshtein, "Binary codes capable of correcting deletions, insertions and reversals" (1966).
fn distance(a: &str, b: &str) -> Option<usize> {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    if a.len().abs_diff(b.len()) > 2 {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let changed = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    let distance = row[b.len()];
    (distance <= 2 && 2 * distance <= b.len()).then_some(distance)
}

/// The values of all options.
///
/// ```
/// use betacut_play::session::{Options, Value};
/// let options = Options::default().with("Hash", Value::Spin(64));
/// assert_eq!((options.settings().hash_mb, options.settings().multipv), (64, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options(BTreeMap<&'static str, Value>);

impl Default for Options {
    fn default() -> Options {
        let initial = |spec: &Spec| match spec.kind {
            Kind::Check { default } => Some((spec.name, Value::Check(default))),
            Kind::Spin { default, .. } => Some((spec.name, Value::Spin(default))),
            Kind::Text => Some((spec.name, Value::Text(String::new()))),
            Kind::Button => None,
        };
        Options(OPTIONS.iter().filter_map(initial).collect())
    }
}

impl Options {
    /// The same with another value, which the option takes.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: Value) -> Options {
        self.0.insert(name, value);
        self
    }

    /// Whether an option is on.
    pub fn is_on(&self, name: &str) -> bool {
        self.0.get(name) == Some(&Value::Check(true))
    }

    fn number(&self, name: &str) -> usize {
        match self.0.get(name) {
            Some(&Value::Spin(number)) => usize::try_from(number).unwrap_or(usize::MAX),
            _ => 0,
        }
    }

    /// The path that an option names, if it names one.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        match self.0.get(name) {
            Some(Value::Text(path)) if !path.is_empty() => Some(PathBuf::from(path)),
            _ => None,
        }
    }

    /// The rating to play like: by `UCI_Elo`, or else by `Skill Level`; none for full strength.
    fn rating(&self) -> Option<u32> {
        if self.is_on("UCI_LimitStrength") {
            return Some(self.number("UCI_Elo") as u32);
        }
        rating_of_skill(self.number("Skill Level") as u32)
    }

    /// The network to evaluate by, if any: `loaded` is that of `EvalFile`.
    pub fn network(&self, loaded: Option<&Arc<Network>>) -> Option<Arc<Network>> {
        self.is_on("Use NNUE").then(|| loaded.cloned().unwrap_or_else(Network::built_in))
    }

    /// What the engine is set to, but for the file of a network.
    pub fn settings(&self) -> Settings {
        Settings {
            hash_mb: self.number("Hash"),
            threads: self.number("Threads"),
            multipv: self.number("MultiPV"),
            move_overhead: Duration::from_millis(self.number("Move Overhead") as u64),
            syzygy_path: self.path("SyzygyPath"),
            nodes_per_ms: self.number("nodestime") as u64,
            elo: self.rating(),
            seed: self.number("Seed") as u64,
            network: self.network(None),
            ..Settings::default()
        }
    }
}
