//! Positions as the tuner needs them, each counted once: its terms with their counts, its phase, and the scale of the
//! endgame for either side, the one part of the evaluation that is not linear in the weights.

use shakmaty::{Chess, Position as _};

use super::archive::StoredGame;
use super::packed::Record;
use super::threads::share;
use betacut_core::random;
use betacut_play::evaluation::terms::{COUNT, TEMPO};
use betacut_play::evaluation::{FULL_PHASE, Pair, Trace, Untraced, Weights, board_of, parts, parts_of_all};

/// Positions of a block.
const BLOCK: usize = 1 << 16;

/// What is known of a position beside its terms; points of view are those of the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// What part of the value the middlegame has, 0 to 1.
    pub middlegame: f32,
    /// What the endgame's part is multiplied with if we are ahead there, and if they are: the rest times the scale.
    pub endgame: [f32; 2],
    /// The result of the game, 0 to 1.
    pub result: f32,
    /// The score of the search. Centipawns.
    pub score: f32,
}

/// Some of the positions.
#[derive(Debug, Default)]
struct Block {
    /// Where the terms of each position begin, and where the last one's end.
    starts: Vec<u32>,
    terms: Vec<u16>,
    times: Vec<i8>,
    facts: Vec<Facts>,
}

/// Positions, numbered from 0.
#[derive(Debug, Default)]
pub struct Dataset {
    blocks: Vec<Block>,
    /// The number of positions.
    pub len: usize,
}

/// A position: its terms with their counts, and what else is known.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The terms that count.
    pub terms: &'a [u16],
    /// How often each does.
    pub times: &'a [i8],
    /// The rest.
    pub facts: &'a Facts,
}

/// Counts terms, and remembers which.
#[derive(Debug)]
pub struct Counter {
    counts: Vec<i32>,
    touched: Vec<u16>,
}

impl Trace for Counter {
    fn count(&mut self, term: usize, times: i32) {
        self.counts[term] += times;
        self.touched.push(term as u16);
    }
}

/// The shares of the middlegame and of the endgame in a value, as in [`Facts`].
pub type Shares = (f32, [f32; 2]);

/// Counts the terms of a position.
pub type Terms<'a> = &'a (dyn Fn(&Chess, &mut Counter) -> Shares + Sync);

/// The terms of the playing evaluation.
pub fn of_evaluation(position: &Chess, counter: &mut Counter) -> Shares {
    let ahead = parts_of_all(&board_of(position, &AHEAD), counter);
    let behind = parts(&board_of(position, &BEHIND), &mut Untraced);
    let middlegame = ahead.phase.min(FULL_PHASE) as f32 / FULL_PHASE as f32;
    (middlegame, [ahead.scale, behind.scale].map(|scale| (1.0 - middlegame) * scale as f32 / 64.0))
}

/// Weights with nothing but a value for the move, which decides whose lead is scaled.
static AHEAD: Weights = tempo(1);
/// See [`AHEAD`].
static BEHIND: Weights = tempo(-1);

#[allow(clippy::large_stack_arrays)] // when it is compiled
const fn tempo(endgame: i32) -> Weights {
    let mut weights = [Pair::new(0, 0); COUNT];
    weights[TEMPO] = Pair::new(0, endgame);
    weights
}

impl Counter {
    fn new() -> Counter {
        Counter { counts: vec![0; COUNT], touched: Vec::new() }
    }

    fn add(&mut self, terms: Terms, position: &Chess, score: i32, result: u8, block: &mut Block) {
        self.touched.clear();
        let (middlegame, endgame) = terms(position, self);
        for &term in &self.touched {
            let times = std::mem::take(&mut self.counts[term as usize]);
            if times != 0 {
                block.terms.push(term);
                // No position has more than 32 pieces on 64 squares.
                block.times.push(times.clamp(-128, 127) as i8);
            }
        }
        let white = position.turn().is_white();
        block.facts.push(Facts {
            middlegame,
            endgame,
            result: f32::from(if white { result } else { 2 - result }) / 2.0,
            score: (if white { score } else { -score }) as f32,
        });
        block.starts.push(block.terms.len() as u32);
    }
}

impl Block {
    fn new() -> Block {
        Block { starts: vec![0], ..Block::default() }
    }
}

/// Which positions are learned from and which only tested by, and what was left out.
#[derive(Debug, Default)]
pub struct Split {
    /// Numbers of positions to learn from.
    pub training: Vec<u32>,
    /// Numbers of positions of other games.
    pub validation: Vec<u32>,
    /// Positions that could not be read.
    pub problems: Vec<String>,
}

/// Whether the game with this index is tested by only: one in so many.
pub fn is_for_validation(index: usize, seed: u64, one_in: u64) -> bool {
    random::splitmix64(seed ^ random::splitmix64(index as u64)).is_multiple_of(one_in)
}

impl Dataset {
    /// Counts the terms of positions of games. One game in `one_in` is kept for validation, by the seed.
    pub fn of_games(
        games: &[StoredGame],
        seed: u64,
        one_in: u64,
        threads: usize,
        terms: Terms,
    ) -> (Dataset, Split) {
        let mut split = Split::default();
        let mut records: Vec<(u32, &Record)> = Vec::new();
        for (index, game) in games.iter().enumerate() {
            let kept = is_for_validation(index, seed, one_in);
            let list = if kept { &mut split.validation } else { &mut split.training };
            list.extend((records.len()..records.len() + game.records.len()).map(|row| row as u32));
            records.extend(game.records.iter().map(|record| (game.number, record)));
        }
        let mut counted = Vec::new();
        counted.resize_with(records.len().div_ceil(BLOCK), Default::default);
        share(threads, records.chunks(BLOCK).zip(&mut counted), |(part, counted)| {
            *counted = Counter::new().block(terms, part);
        });
        let mut dataset = Dataset { blocks: Vec::new(), len: records.len() };
        let mut bad = Vec::new();
        for (index, (block, faults)) in counted.into_iter().enumerate() {
            bad.extend(faults.iter().map(|&(at, _)| (BLOCK * index + at) as u32));
            split.problems.extend(faults.into_iter().map(|(_, reason)| reason));
            dataset.blocks.push(block);
        }
        split.training.retain(|row| bad.binary_search(row).is_err());
        split.validation.retain(|row| bad.binary_search(row).is_err());
        (dataset, split)
    }

    /// A position by its number.
    pub fn row(&self, number: u32) -> Row<'_> {
        let (block, at) = (&self.blocks[number as usize / BLOCK], number as usize % BLOCK);
        let terms = block.starts[at] as usize..block.starts[at + 1] as usize;
        Row { terms: &block.terms[terms.clone()], times: &block.times[terms], facts: &block.facts[at] }
    }

    /// How often each term counts in some positions, whichever side it counts for.
    pub fn occurrences(&self, rows: &[u32]) -> Vec<u64> {
        let mut occurrences = vec![0; COUNT];
        for &number in rows {
            let row = self.row(number);
            for (&term, &times) in row.terms.iter().zip(row.times) {
                occurrences[term as usize] += u64::from(times.unsigned_abs());
            }
        }
        occurrences
    }

    /// The memory for all positions, in bytes.
    pub fn bytes(&self) -> usize {
        let of = |block: &Block| {
            block.terms.len() * 3 + block.starts.len() * 4 + block.facts.len() * size_of::<Facts>()
        };
        self.blocks.iter().map(of).sum()
    }
}

impl Counter {
    /// A block of records, and what is wrong with some of them; those stand in it as empty rows.
    fn block(&mut self, terms: Terms, records: &[(u32, &Record)]) -> (Block, Vec<(usize, String)>) {
        let mut block = Block::new();
        let mut faults = Vec::new();
        for (at, &(number, record)) in records.iter().enumerate() {
            match record.unpack() {
                Ok(position) => {
                    self.add(terms, &position, i32::from(record.score()), record.result(), &mut block);
                }
                Err(error) => {
                    faults.push((at, format!("game {number}, ply {}: {error}", record.ply())));
                    block.facts.push(Facts { middlegame: 0.0, endgame: [0.0; 2], result: 0.5, score: 0.0 });
                    block.starts.push(block.terms.len() as u32);
                }
            }
        }
        block.terms.shrink_to_fit();
        block.times.shrink_to_fit();
        (block, faults)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::tuning::openings::{random_opening, stream};
    use betacut_play::evaluation::{WEIGHTS, evaluate};

    impl Dataset {
        /// Positions, of one block, with scores from White's view and White's half points.
        pub fn of_positions<'a>(given: impl Iterator<Item = (&'a Chess, i32, u8)>, terms: Terms) -> Dataset {
            let (mut block, mut counter) = (Block::new(), Counter::new());
            for (position, score, result) in given {
                counter.add(terms, position, score, result, &mut block);
            }
            Dataset { len: block.facts.len(), blocks: vec![block] }
        }
    }

    /// Positions of random play.
    pub fn positions(count: u64, plies: usize) -> Vec<Chess> {
        let of = |number| {
            let opening = random_opening(&mut stream(5, number), plies)?;
            Some(opening.moves.iter().fold(opening.start, |position, &m| position.play(m).unwrap()))
        };
        (0..count).filter_map(of).collect()
    }

    #[test]
    fn counts_times_weights_are_the_evaluation() {
        for (plies, least) in [(10, 90), (150, 60)] {
            let positions = positions(100, plies);
            let dataset =
                Dataset::of_positions(positions.iter().map(|position| (position, 10, 2)), &of_evaluation);
            assert!(dataset.len >= least);
            for (number, position) in positions.iter().enumerate() {
                let row = dataset.row(number as u32);
                let (mut middlegame, mut endgame) = (0, 0);
                for (&term, &times) in row.terms.iter().zip(row.times) {
                    middlegame += WEIGHTS[term as usize].middlegame() * i32::from(times);
                    endgame += WEIGHTS[term as usize].endgame() * i32::from(times);
                }
                let share = row.facts.endgame[(endgame < 0) as usize];
                let value = middlegame as f32 * row.facts.middlegame + endgame as f32 * share;
                let expected = evaluate(&board_of(position, &WEIGHTS)) as f32;
                assert!((value - expected).abs() < 2.0, "{value} {expected}");
                let white = position.turn().is_white();
                assert_eq!(
                    (row.facts.result, row.facts.score),
                    if white { (1.0, 10.0) } else { (0.0, -10.0) }
                );
            }
        }
    }

    #[test]
    fn games_are_split_as_wholes_and_bad_records_left_out() {
        let positions = positions(40, 12);
        let mut games: Vec<StoredGame> = positions
            .chunks(4)
            .enumerate()
            .map(|(number, positions)| StoredGame {
                number: number as u32,
                result: 1,
                records: positions.iter().map(|position| Record::pack(position, 0, 12)).collect(),
            })
            .collect();
        games[2].records[1] = bytemuck::Zeroable::zeroed();
        let (dataset, split) = Dataset::of_games(&games, 3, 3, 2, &of_evaluation);
        let (again, same) = Dataset::of_games(&games, 3, 3, 1, &of_evaluation);
        assert_eq!((&split.training, &split.validation), (&same.training, &same.validation));
        assert_eq!(split.problems.len(), 1);
        assert!(split.problems[0].starts_with("game 2, ply 0: "), "{:?}", split.problems);
        assert_eq!(split.training.len() + split.validation.len() + 1, dataset.len);
        assert!(!split.validation.is_empty() && !split.training.is_empty());
        let game_of =
            |rows: &[u32]| rows.iter().map(|row| row / 4).collect::<std::collections::BTreeSet<u32>>();
        assert!(game_of(&split.training).is_disjoint(&game_of(&split.validation)));
        for row in 0..dataset.len as u32 {
            assert_eq!(dataset.row(row).terms, again.row(row).terms);
        }
    }
}
