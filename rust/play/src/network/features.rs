//! What a network sees of a position.

use super::{BUCKETS, INPUTS};
use crate::evaluation::accumulator::PIECE_INDEX;
use betacut_core::board::{Code, FlippedBoard, Squares, flipped};
use shakmaty::Chess;

/// The most men that a position may have: those of a set-up position may be more than 32.
const MEN: usize = 64;

/// The inputs of a position that are there, and the output that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// What the side to move sees: the first [`Features::count`] numbers, in the order of the squares.
    pub us: [u16; MEN],
    /// What the other side sees, man by man in the same order.
    pub them: [u16; MEN],
    /// The number of men.
    pub count: usize,
    /// The output that counts.
    pub bucket: usize,
}

/// What turns squares so that a king, seen by its own side, stands on the files from a to d.
#[inline(always)]
pub fn mirror(king: u32) -> u32 {
    if king & 4 == 0 { 0 } else { 7 }
}

/// The first input of a kind of man for White, by code, for Black's men 8 further.
static FIRST_INPUTS: [u16; 16] = {
    let mut first = [0; 16];
    let mut code = 0;
    while code < 8 {
        first[code] = PIECE_INDEX[code] as u16 * 64;
        first[code + 8] = first[code] + INPUTS as u16 / 2;
        code += 1;
    }
    first
};

/// The input of a man on a square as a side sees it, `other` if it is not its own; `mirror` is that of its king.
#[inline(always)]
pub fn input(mirror: u32, other: bool, code: Code, at: u32) -> u16 {
    FIRST_INPUTS[(code | usize::from(other) << 3) & 15] + (at ^ mirror) as u16
}

/// The output that counts with so many men.
#[inline(always)]
pub fn bucket(men: usize) -> usize {
    (men.saturating_sub(2) / 4).min(BUCKETS - 1)
}

/// What a network sees of a position.
///
/// ```
/// use betacut_play::network::features;
/// let seen = features(&shakmaty::Chess::default());
/// // The king stands on e1: mirrored, it is on d1, and the first man is the rook of h1, seen on a1.
/// assert_eq!((seen.count, seen.bucket), (32, 7));
/// assert_eq!((seen.us[4], seen.us[7]), (5 * 64 + 3, 3 * 64));
/// ```
pub fn features(position: &Chess) -> Features {
    features_of(&FlippedBoard::read_keyless(position, |_| ()))
}

/// [`features`] of a board.
pub fn features_of<C>(board: &FlippedBoard<C>) -> Features {
    let (our_mirror, their_mirror) = (mirror(board.our_king()), mirror(board.their_king()));
    let mut seen = Features { us: [0; MEN], them: [0; MEN], count: 0, bucket: bucket(board.men.into()) };
    for at in Squares(board.occupied()) {
        let (code, theirs) = (board.code(at), board.ours >> at & 1 == 0);
        seen.us[seen.count] = input(our_mirror, theirs, code, at);
        seen.them[seen.count] = input(their_mirror, !theirs, code, flipped(at));
        seen.count += 1;
    }
    seen
}
