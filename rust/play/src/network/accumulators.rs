//! The neurons of both sides along a line of a search, brought up to date with each move, or when a value is asked for.
//!
//! What is kept for a ply is what the neurons have seen: the men, and what these add up to. A position is reached from the
//! men of a ply before, or of what stood there last: those that differ are taken off and put on. So it does not matter by
//! which moves a position has come about, nor which positions on the way had a value; a pass changes nothing. A side whose
//! king has crossed to the other half of the board sees all men elsewhere: it starts from a ply where it saw them as it
//! does now, or from the empty board.

use std::ops::Range;

use fearless_simd::{Level, Simd, dispatch};

use super::features::{bucket, input, mirror};
use super::{Network, STEP};
use betacut_core::board::{FlippedBoard, Squares, flipped};
use betacut_core::score::Score;

/// How many plies back the men are looked at, those first that are the likeliest to be near.
const LOOKS: [usize; 5] = [1, 0, 2, 3, 4];
/// How many squares are brought up to date at once: no move changes more.
const AT_ONCE: usize = 4;
/// Beyond so many squares each side looks for its own start.
const FAR: u32 = 8;

/// The men of a position, as the neurons have seen them.
#[derive(Clone, Copy, Default)]
struct Men {
    /// As White sees them: their kinds in three planes, and which are White's.
    planes: [u64; 4],
    /// What turns the squares of White, and of Black, by where the king stands.
    mirrors: [u32; 2],
}

impl Men {
    #[inline(always)]
    fn of<C>(board: &FlippedBoard<C>) -> Men {
        let [a, b, c, ours] = board.men_by_plane();
        let mirrors = [mirror(board.our_king()), mirror(board.their_king())];
        if !board.black {
            return Men { planes: [a, b, c, ours], mirrors };
        }
        let planes = [a.swap_bytes(), b.swap_bytes(), c.swap_bytes(), board.theirs().swap_bytes()];
        Men { planes, mirrors: [mirrors[1], mirrors[0]] }
    }

    /// The squares on which not the same man stands.
    #[inline(always)]
    fn differing(&self, other: &Men) -> u64 {
        self.planes.iter().zip(other.planes).fold(0, |all, (a, b)| all | (a ^ b))
    }

    /// The inputs of the man on a square as White sees it and as Black does.
    #[inline(always)]
    fn inputs(&self, at: u32, mirrors: [u32; 2]) -> [u16; 2] {
        let [a, b, c, white] = self.planes.map(|plane| (plane >> at & 1) as usize);
        let (code, black) = (a | b << 1 | c << 2, white == 0);
        [input(mirrors[0], black, code, at), input(mirrors[1], !black, code, flipped(at))]
    }

    #[inline(always)]
    fn occupied(&self) -> u64 {
        self.planes[0] | self.planes[1] | self.planes[2]
    }
}

/// Where a position is reached from.
#[derive(Clone, Copy)]
struct Start {
    /// The ply; none for the empty board.
    ply: Option<usize>,
    /// The squares that differ.
    differing: u64,
}

/// The neurons along a line.
pub struct Accumulators<'n> {
    network: &'n Network,
    /// The vectors of the processor.
    level: Level,
    /// The steps of a side's neurons.
    steps: usize,
    /// By ply: the men that its neurons have seen; at first none.
    men: Vec<Men>,
    /// By ply: White's neurons, then Black's.
    neurons: Vec<[i16; STEP]>,
    /// What a side's neurons were.
    old: Vec<[i16; STEP]>,
}

impl<'n> Accumulators<'n> {
    /// Neurons for so many plies.
    pub fn new(network: &'n Network, plies: usize) -> Accumulators<'n> {
        let old = network.input_biases.as_chunks().0.to_vec();
        let (steps, men, neurons) = (old.len(), vec![Men::default(); plies], old.repeat(2 * plies));
        Accumulators { network, level: Level::new(), steps, men, neurons, old }
    }

    /// What a position is worth to the side to move, in centipawns.
    pub fn evaluate<C>(&mut self, board: &FlippedBoard<C>, ply: usize) -> Score {
        self.follow(board, ply);
        let steps = self.steps;
        let (white, black) = self.neurons[2 * steps * ply..][..2 * steps].split_at(steps);
        let [us, them] = if board.black { [black, white] } else { [white, black] };
        let bucket = bucket(board.men.into());
        dispatch!(self.level, simd => self.network.output(simd, us, them, bucket))
    }

    /// Lets the neurons of a ply see a position, before its value is asked for.
    pub fn follow<C>(&mut self, board: &FlippedBoard<C>, ply: usize) {
        let men = Men::of(board);
        if self.men[ply].differing(&men) != 0 {
            self.catch_up(&men, ply);
        }
    }

    /// [`Accumulators::see`] by the processor's vectors; once in the program, for all of its callers.
    #[inline(never)]
    fn catch_up(&mut self, men: &Men, ply: usize) {
        dispatch!(self.level, simd => self.see(simd, men, ply));
    }

    /// Brings the neurons of a ply up to date.
    #[inline(always)]
    fn see<S: Simd>(&mut self, simd: S, men: &Men, ply: usize) {
        let start = self.nearest(men, ply, |old| old.mirrors == men.mirrors);
        if start.differing.count_ones() <= FAR {
            self.update(simd, men, ply, start, 0..2);
        } else {
            for side in 0..2 {
                let start = self.nearest(men, ply, |old| old.mirrors[side] == men.mirrors[side]);
                self.update(simd, men, ply, start, side..side + 1);
            }
        }
        self.men[ply] = *men;
    }

    /// The ply whose men differ the least, of those that will do.
    #[inline(always)]
    fn nearest(&self, men: &Men, ply: usize, will_do: impl Fn(&Men) -> bool) -> Start {
        let (mut start, mut least) = (Start { ply: None, differing: men.occupied() }, u32::MAX);
        for back in LOOKS {
            let Some(at) = ply.checked_sub(back) else { continue };
            let old = &self.men[at];
            if !will_do(old) {
                continue;
            }
            let differing = men.differing(old);
            let count = differing.count_ones();
            if count < least {
                (start, least) = (Start { ply: Some(at), differing }, count);
                if count <= AT_ONCE as u32 {
                    return start;
                }
            }
        }
        // Not nearer than the empty board.
        if least >= men.occupied().count_ones() {
            Start { ply: None, differing: men.occupied() }
        } else {
            start
        }
    }

    /// Takes off and puts on what differs, for White, for Black, or for both.
    #[inline(always)]
    fn update<S: Simd>(&mut self, simd: S, men: &Men, ply: usize, start: Start, sides: Range<usize>) {
        let old = start.ply.map_or(Men::default(), |start| self.men[start]);
        let mut going = Squares(start.differing & old.occupied());
        let mut coming = Squares(start.differing & men.occupied());
        let mut from = start.ply;
        loop {
            let off = Batch::of(&mut going, &old, men.mirrors);
            let on = Batch::of(&mut coming, men, men.mirrors);
            for side in sides.clone() {
                self.replace(simd, ply, side, from, off.seen_by(side), on.seen_by(side));
            }
            if going.0 | coming.0 == 0 {
                return;
            }
            from = Some(ply);
        }
    }

    /// A side's neurons of a ply, from those of this ply or one before, or of the empty board.
    #[inline(always)]
    fn replace<S: Simd>(
        &mut self,
        simd: S,
        ply: usize,
        side: usize,
        from: Option<usize>,
        going: &[u16],
        coming: &[u16],
    ) {
        let (network, steps) = (self.network, self.steps);
        let begin = |ply: usize| (2 * ply + side) * steps;
        let (before, after) = self.neurons.split_at_mut(begin(ply));
        let neurons = &mut after[..steps];
        let from = match from {
            None => network.input_biases.as_chunks().0,
            Some(from) if from < ply => &before[begin(from)..][..steps],
            Some(_) => {
                let old = &mut self.old[..steps];
                old.copy_from_slice(neurons);
                old
            }
        };
        network.replace(simd, from, neurons, going, coming);
    }
}

/// Some inputs, as White sees them and as Black does.
#[derive(Clone, Copy)]
struct Batch {
    inputs: [[u16; AT_ONCE]; 2],
    count: usize,
}

impl Batch {
    /// Those of the first squares, which are taken.
    #[inline(always)]
    fn of(squares: &mut Squares, men: &Men, mirrors: [u32; 2]) -> Batch {
        let mut batch = Batch { inputs: [[0; AT_ONCE]; 2], count: 0 };
        for at in squares.by_ref() {
            let index = batch.count & (AT_ONCE - 1);
            [batch.inputs[0][index], batch.inputs[1][index]] = men.inputs(at, mirrors);
            batch.count += 1;
            if batch.count == AT_ONCE {
                break;
            }
        }
        batch
    }

    #[inline(always)]
    fn seen_by(&self, side: usize) -> &[u16] {
        &self.inputs[side][..self.count.min(AT_ONCE)]
    }
}
