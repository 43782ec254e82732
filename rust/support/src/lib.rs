//! Positions and random games for the tests and the benches.

mod positions;

use std::process::{Command, Stdio};

use betacut_core::position::Position;
pub use positions::POSITIONS;

/// The positions of `tests/positions/searched.fen`, which the Python tests read too.
pub fn fens() -> impl Iterator<Item = &'static str> {
    without_comments(include_str!("../../../tests/positions/searched.fen"))
}

/// Positions of Chess960 from `tests/positions/chess960.epd`.
pub fn chess960_fens() -> impl Iterator<Item = &'static str> {
    include_str!("../../../tests/positions/chess960.epd").lines().filter_map(|line| line.split(" ;").next())
}

/// The positions of [`fens`], read.
pub fn positions() -> Vec<Position<'static>> {
    fens().map(|fen| Position::from_fen(fen).unwrap()).collect()
}

/// Positions of games, of `tests/positions/games.fen`.
pub fn games() -> Vec<Position<'static>> {
    let fens = without_comments(include_str!("../../../tests/positions/games.fen"));
    fens.map(|fen| Position::from_fen(fen).unwrap()).collect()
}

fn without_comments(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// How much is tried: `some` by `make test`, `all` by `make test-all`, which sets `BETACUT_TEST_ALL`.
pub fn sampled<T>(some: T, all: T) -> T {
    let asked = std::env::var("BETACUT_TEST_ALL").unwrap_or_default();
    if ["", "0"].contains(&asked.as_str()) { some } else { all }
}

/// What a bench is called with; none where `cargo test --benches` and the like only want to know that it builds.
pub fn bench_arguments() -> Option<Vec<String>> {
    let (bench, others): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|argument| argument == "--bench");
    (!bench.is_empty()).then_some(others)
}

/// A small random number generator (xorshift64), so that every run plays the same games.
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Calls `visit` with every position of `games` random games of at most `plies` plies from each start.
pub fn random_games(games: u64, plies: usize, mut visit: impl FnMut(&Position)) {
    for (index, start) in positions().into_iter().enumerate() {
        for game in 0..games {
            let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (index as u64 * 1000 + game + 1));
            let mut position = start.clone();
            for _ in 0..plies {
                visit(&position);
                let moves: Vec<_> = position.legal_moves().collect();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[random.below(moves.len())]);
            }
        }
    }
}

/// Makes glibc fill and copy memory by vectors. Valgrind counts `rep stosb` as an instruction for each byte.
const STRINGS_BY_VECTORS: &str =
    "glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu.x86_rep_movsb_threshold=1000000000";

/// Runs this program under callgrind, with these arguments; what that wrote.
pub fn callgrind(arguments: &[&str]) -> String {
    let program = std::env::current_exe().expect("this program");
    let file = std::env::temp_dir().join(format!("betacut-callgrind-{}", std::process::id()));
    let status = Command::new("valgrind")
        .args(["--quiet", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no"])
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(program)
        .args(arguments)
        .env("GLIBC_TUNABLES", STRINGS_BY_VECTORS)
        .stdout(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()), "valgrind failed or is not installed");
    let profile = std::fs::read_to_string(&file).expect("what callgrind wrote");
    std::fs::remove_file(&file).expect("a file of ours");
    profile
}
