//! A memory for structures of pawns: they change with few moves, so most are met again and again.
//!
//! Source: chessprogramming.org "Pawn Hash Table".

use super::{accumulator::Board, pair::Pair, view::View};

/// Structures that are kept; a power of two.
const SIZE: usize = 1 << 13;

/// What a structure of pawns counts, and which pawns are passed, each side's as it sees them.
#[derive(Clone, Copy, Default)]
pub struct PawnTerms {
    /// The terms of the pawns alone, for the side to move.
    pub sum: Pair,
    /// Passed pawns, ours and theirs.
    pub passed: [u64; 2],
}

impl PawnTerms {
    /// The same with the other side to move.
    fn turned(self) -> PawnTerms {
        let [ours, theirs] = self.passed;
        PawnTerms { sum: -self.sum, passed: [theirs, ours] }
    }
}

/// What was counted before.
pub struct PawnCache(Box<[(u64, PawnTerms)]>);

impl Default for PawnCache {
    fn default() -> PawnCache {
        // No pawns at all have the key 0, and count nothing.
        PawnCache(vec![(0, PawnTerms::default()); SIZE].into_boxed_slice())
    }
}

impl PawnCache {
    /// The terms of a board's pawns, counted if they are not known.
    pub fn get(&mut self, board: &Board, count: impl FnOnce(&[View; 2]) -> PawnTerms) -> PawnTerms {
        let key = board.carried.pawn_key;
        let (known, terms) = &mut self.0[key as usize & (SIZE - 1)];
        if *known != key {
            let counted = count(&View::both(board));
            (*known, *terms) = (key, if board.black { counted.turned() } else { counted });
        }
        if board.black { terms.turned() } else { *terms }
    }
}
