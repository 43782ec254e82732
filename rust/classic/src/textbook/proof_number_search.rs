//! Proof-number search: is there a mate in so many moves?
//!
//! **Contract.** [`find_mate`] tells whether the side to move mates in at most so many moves against any defence, and
//! finds the shortest mate, for mates are looked for in one move, in two, and so on. Every position has two numbers: how
//! many leaves must at least be proven to prove the mate, and how many must be disproven to disprove it. The search (df-pn)
//! goes where the least is left to be shown, depth first, and stays below a position as long as its numbers do not exceed
//! limits. As in negamax one function does for both sides:
//!
//! * *phi*: what is left for the side to move to reach its aim, the least delta of the children;
//! * *delta*: what is left for the other side to reach its own, the sum of the phis of the children.
//!
//! What is known belongs to a position and a number of plies, so no line comes back to where it was. Stalemate, the
//! fifty-move rule and too little material end the game without a mate ([`CHESS_JL`]).
//!
//! **Memory.** A table of fixed size, in which the entry that took least work makes room. The numbers of the children of
//! the nodes on the path are kept apart from it, so an entry that is lost costs time and nothing else: what is stored
//! is true of its position forever, and every look below a child ends with larger numbers of that child.
//!
//! **Stack.** Less than a KiB a ply, a ply for each half of a move.
//!
//! Source: L. V. Allis, "Searching for Solutions in Games and Artificial Intelligence" (1994); A. Nagai, "Df-pn Algorithm
//! for Searching AND/OR Trees and Its Applications" (2002); chessprogramming.org "Proof-Number Search".

use shakmaty::Move;

use betacut_core::checks::CheckInfo;
use betacut_core::limits::{Limits, Stopped, is_to_be_had};
use betacut_core::position::{Key, Position};
use betacut_core::rules::{CHESS_JL, Ending};

/// The outcome of a search for a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MateSearch {
    /// In how many moves the side to move mates, the fewest.
    pub mate: Option<u32>,
    /// Whether the question is settled; if not, the search ran out of nodes.
    pub is_proven: bool,
    /// A mate that takes so many moves.
    pub line: Vec<Move>,
    /// Positions whose moves were looked at, those for the line left out.
    pub nodes: u64,
}

/// Looks for a mate by the side to move in 1 to `moves` moves, with a table of `table_mb` mebibytes, until `nodes`
/// positions have been looked at.
/// Errors: [`Stopped::Interrupted`] if the limits' poll asks for it; [`Stopped::NoMemory`] if there is none for
/// the table.
///
/// ```
/// use betacut_core::limits::Limits;
/// use betacut_core::position::Position;
/// use betacut_classic::textbook::proof_number_search::find_mate;
/// let position = Position::from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1").unwrap();
/// let mut never = || false;
/// let found = find_mate(&position, 3, 1, None, Limits::new(&mut never)).unwrap();
/// assert_eq!((found.mate, found.line.len()), (Some(2), 3));
/// ```
pub fn find_mate(
    position: &Position,
    moves: u32,
    table_mb: usize,
    nodes: Option<u64>,
    limits: Limits<'_>,
) -> Result<MateSearch, Stopped> {
    let mut prover =
        Prover { table: Table::new(table_mb)?, nodes: 0, most_nodes: nodes.unwrap_or(u64::MAX), limits };
    // 1. In one move, in two, …; the mate that is found first is the shortest.
    let mut mate = None;
    for number in 1..=moves {
        match prover.proves(position, 2 * number - 1) {
            Ok(false) => {}
            Ok(true) => {
                mate = Some(number);
                break;
            }
            Err(Stopped::LimitReached) => {
                let nodes = prover.nodes;
                return Ok(MateSearch { mate, is_proven: false, line: Vec::new(), nodes });
            }
            Err(stopped) => return Err(stopped),
        }
    }
    // 2. A line; most of its positions are in the table.
    let nodes = prover.nodes;
    prover.most_nodes = u64::MAX;
    let line = match mate {
        Some(mate) => prover.line(position, mate)?,
        None => Vec::new(),
    };
    Ok(MateSearch { mate, is_proven: true, line, nodes })
}

/// More than any number of leaves: what this side wants cannot be reached.
const NEVER: u32 = 1_000_000_000;

/// What is left to be shown about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    /// For the side to move: 0 if it has reached its aim, [`NEVER`] if it cannot.
    phi: u32,
    /// The same for the other side.
    delta: u32,
}

/// The side to move has its aim: the attacker the mate, the defender no mate.
const REACHED: Numbers = Numbers { phi: 0, delta: NEVER };

/// The other side has its aim.
const MISSED: Numbers = Numbers { phi: NEVER, delta: 0 };

/// A child of a node of the path.
struct Child {
    m: Move,
    numbers: Numbers,
}

/// The search, with its table. The attacker, who moves at the root, has the move where the number of plies left is odd.
struct Prover<'l> {
    table: Table,
    /// The positions whose moves were looked at.
    nodes: u64,
    most_nodes: u64,
    limits: Limits<'l>,
}

impl Prover<'_> {
    /// Whether the attacker, who is to move, mates within so many plies.
    fn proves(&mut self, position: &Position, plies: u32) -> Result<bool, Stopped> {
        let mut numbers = self.look(position, plies);
        if numbers.phi != 0 && numbers.phi != NEVER {
            numbers = self.search(position, plies, NEVER, NEVER)?;
        }
        Ok(numbers.phi == 0)
    }

    /// Looks below a position, in which the game is not over, until one of its numbers reaches its limit.
    fn search(
        &mut self,
        position: &Position,
        plies: u32,
        phi_limit: u32,
        delta_limit: u32,
    ) -> Result<Numbers, Stopped> {
        // 1. Look at every child once.
        if self.nodes >= self.most_nodes {
            return Err(Stopped::LimitReached);
        }
        self.limits.node()?;
        let before = self.nodes;
        self.nodes += 1;
        let mut children = self.children(position, plies);
        loop {
            // 2. The numbers follow from those of the children. Remember the most promising child, the first of them, and
            //    what the second best has to offer.
            let mut numbers = Numbers { phi: NEVER, delta: 0 };
            let (mut second, mut best) = (NEVER, 0);
            for (index, child) in children.iter().enumerate() {
                numbers.delta = (numbers.delta + child.numbers.phi).min(NEVER);
                if child.numbers.delta < numbers.phi {
                    second = numbers.phi;
                    (numbers.phi, best) = (child.numbers.delta, index);
                } else if child.numbers.delta < second {
                    second = child.numbers.delta;
                }
            }
            // 3. Enough is known.
            if numbers.phi >= phi_limit || numbers.delta >= delta_limit {
                self.table.store(key(position, plies), numbers, self.nodes - before);
                return Ok(numbers);
            }
            // 4. Go on below the best child: as long as it stays the best, and this position within its own limits.
            let child = &mut children[best];
            child.numbers = self.search(
                &position.play(child.m),
                plies - 1,
                (delta_limit - numbers.delta).saturating_add(child.numbers.phi).min(NEVER),
                phi_limit.min(second + 1),
            )?;
        }
    }

    /// The children of a position with so many plies left, and what is known of them.
    fn children(&self, position: &Position, plies: u32) -> Vec<Child> {
        let checks = (plies == 1).then(|| CheckInfo::new(position.chess()));
        let child = |m| {
            // At the last ply nothing but a mate counts, and so nothing but a check.
            let quiet = checks.as_ref().is_some_and(|checks| checks.gives_check(m) == Some(false));
            let numbers = if quiet { REACHED } else { self.look(&position.play(m), plies - 1) };
            Child { m, numbers }
        };
        position.legal_moves().map(child).collect()
    }

    /// What is known about a position: what the table says, or else, for a position seen for the first time, those of its
    /// end if the game or the plies are over; otherwise both numbers are 1, except that a defender with n moves has n
    /// positions after it to be proven.
    fn look(&self, position: &Position, plies: u32) -> Numbers {
        let attacks = plies % 2 == 1;
        // 1. Without plies left: a mate of the defender, or else no mate at all.
        if plies == 0 {
            return if position.is_check() && !position.has_legal_move() { MISSED } else { REACHED };
        }
        // 2. It has been looked at before.
        if let Some(known) = self.table.get(key(position, plies)) {
            return known;
        }
        // 3. It is the end of the game, or it is new.
        match CHESS_JL.ending(position) {
            Some(ending) if attacks || ending == Ending::Checkmate => MISSED,
            Some(_) => REACHED,
            None if attacks => Numbers { phi: 1, delta: 1 },
            None => Numbers { phi: 1, delta: position.legal_moves().count() as u32 },
        }
    }

    /// A line that takes as long as the mate, which has been proven: the attacker plays the first move that is known to
    /// mate in time, the defender the first that is not mated sooner.
    fn line(&mut self, root: &Position, mate: u32) -> Result<Vec<Move>, Stopped> {
        let mut line = Vec::new();
        let mut position = root.clone();
        for left in (1..=mate).rev() {
            // 1. The attacker's move.
            let m = self.mating_move(&position, 2 * left - 1)?;
            position = position.play(m);
            line.push(m);
            // 2. The defender's reply.
            let replies: Vec<Move> = position.legal_moves().collect();
            for m in replies {
                let after = position.play(m);
                if left == 2 || !self.proves(&after, 2 * left - 5)? {
                    position = after;
                    line.push(m);
                    break;
                }
            }
        }
        Ok(line)
    }

    /// The first move that the table knows to mate within so many plies, or the first that does.
    fn mating_move(&mut self, position: &Position, plies: u32) -> Result<Move, Stopped> {
        let moves: Vec<Move> = position.legal_moves().collect();
        let known = moves.iter().find(|&&m| self.look(&position.play(m), plies - 1).delta == 0);
        if let Some(&m) = known {
            return Ok(m);
        }
        for m in moves {
            let after = position.play(m);
            let numbers = self.look(&after, plies - 1);
            if numbers.phi != 0 && self.search(&after, plies - 1, NEVER, NEVER)?.delta == 0 {
                return Ok(m);
            }
        }
        unreachable!("the mate has been proven")
    }
}

/// The key of a position with so many plies left. The halfmove clock joins it where the fifty-move rule can end the game
/// within the plies.
fn key(position: &Position, plies: u32) -> Key {
    let clock = position.halfmove_clock();
    let clock = if clock + plies >= CHESS_JL.halfmove_limit { u64::from(clock) + 1 } else { 0 };
    // One number, so that no clock makes up for a number of plies.
    position.key().whole.with(clock << 8 | u64::from(plies))
}

/// An entry: both halves of the key, the numbers, and the work they took. Without work it is empty. (Plain words, so that
/// the memory of a new table is touched only where it is used.)
type Row = [u64; 4];

/// The entries of one place.
const PLACES: usize = 4;

/// What is known about positions, as many as there is room for.
struct Table {
    rows: Vec<[Row; PLACES]>,
}

impl Table {
    fn new(mb: usize) -> Result<Table, Stopped> {
        let bytes = mb.saturating_mul(1 << 20);
        if !is_to_be_had(bytes) {
            return Err(Stopped::NoMemory);
        }
        Ok(Table { rows: vec![[[0; 4]; PLACES]; bytes / size_of::<[Row; PLACES]>()] })
    }

    /// Where a key belongs.
    fn place(&self, key: Key) -> usize {
        // The numbers joined to a key change its middle bits most.
        let mixed = (key.low ^ key.high.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mixed) * self.rows.len() as u128) >> u64::BITS) as usize
    }

    fn get(&self, key: Key) -> Option<Numbers> {
        let rows = &self.rows[self.place(key)];
        let row = rows.iter().find(|row| row[3] > 0 && [row[0], row[1]] == [key.low, key.high])?;
        Some(Numbers { phi: (row[2] >> 32) as u32, delta: row[2] as u32 })
    }

    /// Stores what took so many nodes to find out.
    fn store(&mut self, key: Key, numbers: Numbers, work: u64) {
        let place = self.place(key);
        let rows = &mut self.rows[place];
        let known = rows.iter().position(|row| row[3] > 0 && [row[0], row[1]] == [key.low, key.high]);
        let least = (0..PLACES).min_by_key(|&index| rows[index][3]).unwrap_or(0);
        let row = &mut rows[known.unwrap_or(least)];
        let work = if known.is_some() { row[3] + work } else { work };
        *row = [key.low, key.high, u64::from(numbers.phi) << 32 | u64::from(numbers.delta), work];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(fen: &str, moves: u32, nodes: Option<u64>) -> MateSearch {
        let position = Position::from_fen(fen).unwrap();
        find_mate(&position, moves, 1, nodes, Limits::new(&mut || false)).unwrap()
    }

    #[test]
    fn a_table_that_forgets_everything_costs_time_only() {
        for (fen, moves) in [
            ("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", 3),
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 2),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let full = found(fen, moves, None);
            let poll = &mut || false;
            let table = Table { rows: vec![[[0; 4]; PLACES]; 1] };
            let mut prover = Prover { table, nodes: 0, most_nodes: u64::MAX, limits: Limits::new(poll) };
            let mate = (1..=moves).find(|&number| prover.proves(&position, 2 * number - 1).unwrap());
            assert_eq!(mate, full.mate, "{fen}");
            if let Some(mate) = mate {
                assert_eq!(prover.line(&position, mate).unwrap().len() as u32, 2 * mate - 1, "{fen}");
            }
        }
    }

    #[test]
    fn the_deepest_search_fits_the_stack() {
        // Locked pawns keep the kings apart: little to search, as deep as allowed.
        let deep = || found("7k/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1", 50, None);
        let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(deep).unwrap();
        assert_eq!(thread.join().unwrap().mate, None);
    }

    #[test]
    fn plies_and_clocks_are_told_apart() {
        let at = |clock: u32, plies| {
            key(&Position::from_fen(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 90")).unwrap(), plies)
        };
        assert_eq!(at(3, 5), at(4, 5));
        assert_ne!(at(3, 5), at(3, 7));
        assert_ne!(at(97, 5), at(98, 5));
    }
}
