//! Positions as the trainer needs them: what the network sees of each, and what it is to say.

use betacut_play::evaluation::{WEIGHTS, board_of, evaluate};
use betacut_play::network::{BUCKETS, features};
use shakmaty::{Chess, Position as _};

use crate::tuning::logistic::Aim;
use crate::tuning::openings::{below, stream};
use crate::tuning::packed::Record;

pub use betacut_play::network::Features as Seen;

/// The most moves at random before a position of a lesson.
const MOVES: usize = 3;

/// The kind of a king.
const KING: u32 = 5;

/// A position to learn from.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What the network sees.
    pub seen: Seen,
    /// The result that it is to promise the side to move, 0 to 1.
    pub target: f32,
}

impl Aim {
    /// What the score of a record promises the side to move, and the result of its game.
    pub fn parts(self, record: &Record) -> [f32; 2] {
        let (score, result) = (f32::from(record.score()), f32::from(record.result()) / 2.0);
        let parts = [self.promised(score), result];
        if record.is_black_to_move() { parts.map(|part| 1.0 - part) } else { parts }
    }

    /// A record as a sample.
    pub fn sample(self, record: &Record) -> Sample {
        let [promised, result] = self.parts(record);
        Sample { seen: seen(record), target: self.target(promised, result) }
    }
}

/// [`features`] of a record: without the position in between, since this is done for each position in each epoch.
fn seen(record: &Record) -> Seen {
    let (mut men, mut kings) = ([(0, 0, false); 32], [0; 2]);
    let mut count = 0;
    for (man, place) in record.men().zip(&mut men) {
        *place = man;
        let (square, kind, black) = man;
        kings[usize::from(black)] = if kind == KING { square } else { kings[usize::from(black)] };
        count += 1;
    }
    let black_moves = record.is_black_to_move();
    // What turns squares as a side sees them: for Black upside down, and so that its king stands on the files from a to d.
    let [white, black] = kings.map(|king| if king & 4 == 0 { 0 } else { 7 });
    let turns = [white, 0o70 ^ black];
    let [us, them] = if black_moves { [turns[1], turns[0]] } else { turns };
    let bucket = (count.max(2) - 2) / 4;
    let mut seen = Seen { us: [0; _], them: [0; _], count, bucket: bucket.min(BUCKETS - 1) };
    for (at, &(square, kind, black)) in men[..count].iter().enumerate() {
        let theirs = u32::from(black != black_moves);
        seen.us[at] = ((theirs * 6 + kind) * 64 + (square ^ us)) as u16;
        seen.them[at] = (((1 - theirs) * 6 + kind) * 64 + (square ^ them)) as u16;
    }
    seen
}

/// What the hand-written evaluation says to the side to move. Centipawns.
pub fn static_value(position: &Chess) -> f32 {
    evaluate(&board_of(position, &WEIGHTS)) as f32
}

/// Positions near those of games, without end: each from a record, after up to [`MOVES`] moves at random. No check is due in
/// any. They are the same for the same seed and number.
pub fn lessons(records: &[Record], seed: u64, number: u64) -> impl Iterator<Item = Chess> {
    let mut numbers = stream(seed, number);
    std::iter::repeat_with(move || lesson(records, &mut numbers)).flatten()
}

fn lesson(records: &[Record], numbers: &mut u64) -> Option<Chess> {
    let mut position = records[below(numbers, records.len())].unpack().ok()?;
    for _ in 0..below(numbers, MOVES + 1) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        position.play_unchecked(legal[below(numbers, legal.len())]);
    }
    (!position.is_check()).then_some(position)
}

/// [`lessons`] as samples: what the hand-written evaluation says is to be said.
pub fn lesson_samples(records: &[Record], seed: u64, number: u64, aim: Aim) -> impl Iterator<Item = Sample> {
    lessons(records, seed, number).map(move |position| Sample {
        seen: features(&position),
        target: aim.promised(static_value(&position)),
    })
}
