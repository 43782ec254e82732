//! Instructions of a depth-1 node, counted by valgrind: `cargo bench --bench frontier`, or `make instructions`.
//!
//! Nearly all nodes are depth-1 nodes, and [`betacut_exact::leaves::one_ply_before::reaches`] answers nearly all of those. Its
//! instructions are counted in real searches, so with the positions and the questions that searches have: each of the
//! ten positions at depth 6, value and all best moves, on one thread. The count is the same on a busy machine as on an
//! idle one. What it includes: everything that `reaches` calls; what it does not: making the position that it is asked
//! about and looking whether its king is in check.
//!
//! The program starts itself under callgrind and reads what that wrote. `cargo bench --bench frontier -- 5` takes
//! another depth.

#![allow(clippy::print_stdout)]

use betacut_core::position::Position;
use betacut_exact::{Question, search};
use betacut_support::{POSITIONS, bench_arguments, callgrind};

const DEPTH: i32 = 6;

/// The function whose instructions are counted.
const COUNTED: &str = "betacut_exact::leaves::one_ply_before::reaches";

/// What callgrind counted in one search.
#[derive(Default)]
struct Counted {
    calls: u64,
    /// Instructions of the calls, with all that they call.
    instructions: u64,
    /// Instructions of the whole program.
    total: u64,
}

/// Reads a file of callgrind: after `cfn=` comes a function that is called, after `calls=` how often, and in the next
/// line a position and the instructions that the calls took.
fn read(profile: &str) -> Counted {
    let mut counted = Counted::default();
    let (mut concerns_it, mut cost_follows) = (false, false);
    for line in profile.lines() {
        if let Some(name) = line.strip_prefix("cfn=") {
            concerns_it =
                name.strip_prefix(COUNTED).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
        } else if let Some(calls) = line.strip_prefix("calls=") {
            if concerns_it {
                counted.calls += number(calls, 0);
                cost_follows = true;
            }
            concerns_it = false;
        } else if let Some(total) = line.strip_prefix("totals: ") {
            counted.total = number(total, 0);
        } else if cost_follows {
            counted.instructions += number(line, 1);
            cost_follows = false;
        }
    }
    counted
}

fn number(text: &str, index: usize) -> u64 {
    text.split_whitespace().nth(index).and_then(|word| word.parse().ok()).expect("a number from callgrind")
}

/// Runs this program under callgrind, for one search.
fn count(index: usize, depth: i32) -> Counted {
    read(&callgrind(&["--search", &index.to_string(), &depth.to_string()]))
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    // 1. Under callgrind: one search.
    if let [option, index, depth] = &arguments[..]
        && option == "--search"
    {
        let (_, fen) = POSITIONS[index.parse::<usize>().expect("an index")];
        let position = Position::from_fen(fen).expect("a valid position");
        let question = Question::new(depth.parse().expect("a depth"));
        println!("{}", search(&position, &question, None, &mut || false).expect("nothing stops it").score);
        return;
    }
    let Some(arguments) = bench_arguments() else { return };
    // 2. All searches, and what was counted.
    let depth = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(DEPTH);
    println!("depth {depth}   depth-1 nodes  instructions each  of all instructions");
    let (mut all, mut sum) = (Counted::default(), 0.0);
    for (index, (name, _)) in POSITIONS.into_iter().enumerate() {
        let Counted { calls, instructions, total } = count(index, depth);
        assert!(calls > 0, "no call of {COUNTED} was seen: has it been renamed or inlined?");
        let each = instructions as f64 / calls as f64;
        (all.calls, all.instructions) = (all.calls + calls, all.instructions + instructions);
        sum += each;
        println!("{name:9} {calls:13} {each:18.1} {:19.1}%", 100.0 * instructions as f64 / total as f64);
    }
    println!("mean of all nodes: {:.1} instructions", all.instructions as f64 / all.calls as f64);
    println!("mean of the positions: {:.1} instructions", sum / POSITIONS.len() as f64);
}
