//! The neurons of both sides along a line of a search, brought up to date when a value is asked for.
//!
//! What is kept for a ply is what the neurons have seen: the men, and what these add up to. A position is reached from the
//! men of a ply before, or of the one that stood there last: those that differ are taken off and put on. So it does not
//! matter by which moves a position has come about, nor which positions on the way had a value; a pass changes nothing. A
//! side whose king has crossed to the other half of the board sees all men elsewhere: it starts from a ply where it saw
//! them as it does now, or from the empty board.

use super::Network;
use super::features::{bucket, input, mirror};
use betacut_core::board::{EMPTY, FlippedBoard, Squares, flipped};
use betacut_core::score::Score;

/// How many plies back the men are looked at. More are hardly ever nearer.
const LOOK_BACK: usize = 4;

/// The men of a position as White sees them: their kinds in three planes, and which are White's.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Men([u64; 4]);

impl Men {
    #[inline(always)]
    fn of<C>(board: &FlippedBoard<C>) -> Men {
        let [a, b, c, ours] = board.men_by_plane();
        if board.black {
            Men([a.swap_bytes(), b.swap_bytes(), c.swap_bytes(), board.theirs().swap_bytes()])
        } else {
            Men([a, b, c, ours])
        }
    }

    /// The squares on which not the same man stands.
    #[inline(always)]
    fn differing(&self, other: &Men) -> u64 {
        self.0.iter().zip(other.0).fold(0, |all, (a, b)| all | (a ^ b))
    }

    /// What turns the squares of a side by where its king stands.
    #[inline(always)]
    fn mirror(&self, black: bool) -> u32 {
        let [_, straight, stepping, white] = self.0;
        let side = if black { !white } else { white };
        mirror((straight & stepping & side).trailing_zeros() & 63)
    }

    /// The input of the man on a square as a side sees it, if there is one.
    #[inline(always)]
    fn input(&self, black: bool, mirror: u32, at: u32) -> Option<usize> {
        let [a, b, c, white] = self.0.map(|plane| (plane >> at & 1) as usize);
        let code = a | b << 1 | c << 2;
        let seen = if black { flipped(at) } else { at };
        (code != EMPTY).then(|| input(mirror, black == (white != 0), code, seen))
    }
}

/// The neurons along a line.
pub struct Accumulators<'n> {
    network: &'n Network,
    /// By ply: the men that its neurons have seen; at first none.
    men: Vec<Men>,
    /// By ply: White's neurons, then Black's.
    neurons: Vec<i16>,
}

impl<'n> Accumulators<'n> {
    /// Neurons for so many plies.
    pub fn new(network: &'n Network, plies: usize) -> Accumulators<'n> {
        let neurons = network.input_biases.repeat(2 * plies);
        Accumulators { network, men: vec![Men::default(); plies], neurons }
    }

    /// What a position is worth to the side to move, in centipawns.
    pub fn evaluate<C>(&mut self, board: &FlippedBoard<C>, ply: usize) -> Score {
        let men = Men::of(board);
        if self.men[ply] != men {
            self.see(&men, false, ply);
            self.see(&men, true, ply);
            self.men[ply] = men;
        }
        let hidden = self.network.hidden;
        let (white, black) = self.neurons[2 * hidden * ply..][..2 * hidden].split_at(hidden);
        let [us, them] = if board.black { [black, white] } else { [white, black] };
        self.network.output(us, them, bucket(board.men.into()))
    }

    /// Brings the neurons of a side up to date.
    fn see(&mut self, men: &Men, black: bool, ply: usize) {
        let mirror = men.mirror(black);
        // 1. Where it is nearest from.
        let (source, differing) = self.nearest(men, black, mirror, ply);
        let old = source.map_or(Men::default(), |source| self.men[source]);
        // 2. What goes and what comes.
        let (mut going, mut coming) = (Inputs::new(), Inputs::new());
        for at in Squares(differing) {
            going.push(old.input(black, mirror, at));
            coming.push(men.input(black, mirror, at));
        }
        // 3. The sums.
        let network = self.network;
        let hidden = network.hidden;
        let begin = |ply: usize| (2 * ply + usize::from(black)) * hidden;
        let (before, after) = self.neurons.split_at_mut(begin(ply));
        let neurons = &mut after[..hidden];
        let (going, coming) = (going.all(), coming.all());
        match source {
            Some(source) if source < ply => {
                network.replace(&before[begin(source)..][..hidden], neurons, going, coming);
            }
            Some(_) => network.replace_here(neurons, going, coming),
            None => network.replace(&network.input_biases, neurons, going, coming),
        }
    }

    /// The ply whose men differ the least of those where a side sees them with the same mirror, and on which squares they
    /// do; none for the empty board.
    #[inline(always)]
    fn nearest(&self, men: &Men, black: bool, mirror: u32, ply: usize) -> (Option<usize>, u64) {
        let (mut nearest, mut differing) = (None, men.differing(&Men::default()));
        let mut least = differing.count_ones();
        let before = (ply.saturating_sub(LOOK_BACK)..ply).rev();
        for at in before.chain([ply]) {
            let found = men.differing(&self.men[at]);
            if self.men[at].mirror(black) == mirror && found.count_ones() < least {
                (nearest, differing, least) = (Some(at), found, found.count_ones());
                // No move changes more squares.
                if least <= 4 {
                    break;
                }
            }
        }
        (nearest, differing)
    }
}

/// The inputs of some men.
struct Inputs {
    all: [u16; 64],
    count: usize,
}

impl Inputs {
    #[inline(always)]
    fn new() -> Inputs {
        Inputs { all: [0; 64], count: 0 }
    }

    #[inline(always)]
    fn push(&mut self, input: Option<usize>) {
        if let Some(input) = input {
            self.all[self.count & 63] = input as u16;
            self.count += 1;
        }
    }

    #[inline(always)]
    fn all(&self) -> &[u16] {
        &self.all[..self.count.min(64)]
    }
}
