//! What a weak player sees of a position: less than there is, as people do.
//!
//! The search looks at each move, and at all replies, two plies deep. Of that the player overlooks what is not plain: a
//! move of its own, if it goes far, and above all a reply. A capture that takes back is seldom overlooked, one from afar
//! often, a quiet move most often. What a piece can do is overlooked before every move that would allow it, not now and
//! then. Where the reply is overlooked, the move is worth what the position is after it, with what it has captured: so
//! exchanges are judged by their first capture, and pieces are left to be taken.
//!
//! Everything depends on the position, the rating and the seed alone.

use crate::evaluation::{Board, distance, evaluate};
use crate::limit::{Info, Verdict};
use betacut_core::board::{EMPTY, Move};
use betacut_core::random::splitmix64;

/// What a move that is overlooked seems to be worth: less than being mated.
const UNSEEN: f64 = -200_000.0;
/// From a square, as one side sees it, to the same as the other does.
const OTHER_SIDE: u32 = 56;

/// How much a player sees at a position.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The chance that a move is overlooked whose plainness is 1.
    pub blindness: f64,
    /// What all is drawn by.
    pub draw: u64,
}

impl View {
    /// What a line looks like, in centipawns: as the search values it, or as the position does after its first move.
    pub fn value(&self, board: &Board<'_>, line: &Info) -> f64 {
        let Some(m) = line.pv.first().map(|m| board.of_shakmaty(m)) else { return value(line.score) };
        if self.overlooks(m, 0, length(m) / 10.0) {
            return UNSEEN;
        }
        let after = board.make(m);
        match line.pv.get(1).map(|reply| after.of_shakmaty(reply)) {
            Some(reply) if self.overlooks(reply, 64, effort(&after, reply, m)) => {
                -f64::from(evaluate(&after))
            }
            _ => value(line.score),
        }
    }

    /// Whether a move is overlooked, and with it all of the same piece that take as much effort to see, or more.
    fn overlooks(&self, m: Move, side: u64, effort: f64) -> bool {
        let drawn = chance(self.draw.wrapping_add(side + u64::from(m.from())));
        drawn < 1.0 - (1.0 - self.blindness).powf(effort)
    }
}

/// How far a move goes: in steps of a king.
fn length(m: Move) -> f64 {
    distance(m.from(), m.to()) as f64
}

/// How hard a reply is to see: 1 is a capture by a piece that stands two squares away.
fn effort(board: &Board<'_>, reply: Move, last: Move) -> f64 {
    let far = 0.5 + length(reply) / 4.0;
    if reply.to() == last.to() ^ OTHER_SIDE {
        0.25
    } else if board.code(reply.to()) != EMPTY {
        far
    } else {
        2.0 * far
    }
}

/// A number from 0 to 1, drawn by another.
pub fn chance(index: u64) -> f64 {
    (splitmix64(index) >> 11) as f64 / (1_u64 << 53) as f64
}

/// What a score is worth to a player, in centipawns.
pub fn value(score: Verdict) -> f64 {
    match score {
        Verdict::Cp(score) => f64::from(score),
        Verdict::Mate(moves) => 100_000.0 * if moves > 0 { 1.0 } else { -1.0 },
    }
}
