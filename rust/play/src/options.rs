//! The options of the engine: one table for UCI and for Python. What a front end does itself (a book, Chess960) is
//! listed here too, and left alone by [`Choice::set`].

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use super::Settings;
use betacut_core::limits::processors;

/// What values an option takes.
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
    /// A text; UCI writes an empty one as `<empty>`.
    Text {
        /// What it is at first.
        default: &'static str,
    },
    /// Something to be done.
    Button,
}

impl Kind {
    /// What the option is at first; nothing for a button.
    pub fn initial(self) -> Option<Value> {
        match self {
            Kind::Check { default } => Some(Value::Check(default)),
            Kind::Spin { default, .. } => Some(Value::Spin(default)),
            Kind::Text { default } => Some(Value::Text(default.to_owned())),
            Kind::Button => None,
        }
    }
}

/// An option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// As UCI writes it.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
}

/// The range of `UCI_Elo`.
pub const ELO: (u64, u64) = (1350, 2850);

/// The most threads on a machine with few processors. More than there are processors only take turns; with as many as
/// these a search still ends in time on two of them.
const FEW_THREADS: usize = 32;

const fn check(name: &'static str, default: bool) -> Spec {
    Spec { name, kind: Kind::Check { default } }
}

const fn spin(name: &'static str, default: u64, min: u64, max: u64) -> Spec {
    Spec { name, kind: Kind::Spin { default, min, max } }
}

const fn text(name: &'static str) -> Spec {
    Spec { name, kind: Kind::Text { default: "" } }
}

/// All of them, in the order in which they are listed.
pub static OPTIONS: LazyLock<[Spec; 14]> = LazyLock::new(|| {
    let most_threads = processors().max(FEW_THREADS) as u64;
    [
        spin("Hash", 16, 1, 65_536),
        Spec { name: "Clear Hash", kind: Kind::Button },
        spin("Threads", 1, 1, most_threads),
        spin("MultiPV", 1, 1, 256),
        check("Ponder", false),
        spin("Move Overhead", 20, 0, 5000),
        text("SyzygyPath"),
        check("OwnBook", false),
        text("BookFile"),
        check("UCI_Chess960", false),
        check("UCI_LimitStrength", false),
        spin("UCI_Elo", ELO.0, ELO.0, ELO.1),
        check("UCI_ShowWDL", false),
        check("UCI_AnalyseMode", false),
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

/// Values of options, as far as the engine looks at them.
#[derive(Clone, Debug)]
pub struct Choice {
    settings: Settings,
    limit_strength: bool,
    elo: u32,
}

impl Default for Choice {
    fn default() -> Choice {
        let mut choice = Choice { settings: Settings::default(), limit_strength: false, elo: 0 };
        for Spec { name, kind } in OPTIONS.iter() {
            if let Some(value) = kind.initial() {
                choice.set(name, &value);
            }
        }
        choice
    }
}

impl Choice {
    /// Takes a value that is in its range; what the engine does not look at is left alone.
    pub fn set(&mut self, name: &str, value: &Value) {
        let settings = &mut self.settings;
        match (name, value) {
            ("Hash", &Value::Spin(mb)) => settings.hash_mb = small(mb),
            ("Threads", &Value::Spin(threads)) => settings.threads = small(threads),
            ("MultiPV", &Value::Spin(lines)) => settings.multipv = small(lines),
            ("Move Overhead", &Value::Spin(ms)) => settings.move_overhead = Duration::from_millis(ms),
            ("SyzygyPath", Value::Text(path)) => {
                settings.syzygy_path = (!path.is_empty()).then(|| PathBuf::from(path));
            }
            ("UCI_LimitStrength", &Value::Check(limit)) => self.limit_strength = limit,
            ("UCI_Elo", &Value::Spin(elo)) => self.elo = elo.try_into().unwrap_or(u32::MAX),
            _ => {}
        }
    }

    /// What the engine is set to.
    pub fn settings(&self) -> Settings {
        Settings { elo: self.limit_strength.then_some(self.elo), ..self.settings.clone() }
    }
}

fn small(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
