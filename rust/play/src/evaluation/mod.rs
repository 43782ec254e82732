//! The evaluation of the playing floor: what a quiet position is worth to the side to move, in centipawns.
//!
//! `docs/playing.md` says how [`terms`] are counted for a [`View`], multiplied with [`WEIGHTS`] and scaled ([`scale`]).
//!
//! **The price.** Material and squares travel with the board ([`accumulator`]); the rest is counted anew, some hundreds
//! of instructions a side.
//!
//! Sources of the terms: chessprogramming.org "Tapered Eval", "Mobility", "Pawn Structure", "Passed Pawn", "King Safety",
//! "Evaluation of Pieces".

pub mod accumulator;
mod king;
mod pair;
mod passers;
mod pawn_cache;
mod pawns;
mod pieces;
mod scale;
mod sheet;
pub mod terms;
mod threats;
mod view;
pub mod weights;

pub use accumulator::{Accumulator, Board, FULL_PHASE, board_of};
pub use pair::Pair;
pub(crate) use passers::distance;
pub use pawn_cache::PawnCache;
pub use sheet::{Trace, Untraced};
pub use terms::Weights;
pub use weights::WEIGHTS;

use accumulator::{PIECE_INDEX, king_view, square_terms};
use betacut_core::board::{EMPTY, KING, Squares, flipped};
use betacut_core::score::Score;
use sheet::Sheet;
use view::View;

/// What the evaluation of a position consists of, before it becomes one number.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// The sum of all terms, for the side to move.
    pub sum: Pair,
    /// [`FULL_PHASE`] at the start, 0 in a pawn ending.
    pub phase: i32,
    /// What part of the endgame's value counts, in 64ths.
    pub scale: i32,
}

impl Parts {
    /// Mixed by phase: centipawns for the side to move.
    pub fn score(&self) -> Score {
        let phase = self.phase.min(FULL_PHASE);
        let endgame = self.sum.endgame() * self.scale / 64;
        (self.sum.middlegame() * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

/// The value of a position for the side to move, in centipawns, without regard to checks and captures that are due.
pub fn evaluate(board: &Board) -> Score {
    parts(board, &mut Untraced).score()
}

/// [`evaluate`] with a memory for the structures of pawns.
pub fn evaluate_with(board: &Board, cache: &mut PawnCache) -> Score {
    let weights = board.carried.weights;
    let pawns = cache.get(board, |views| pawns::count_both(views, &mut Sheet::new(weights, &mut Untraced)));
    let [us, them] = View::both(board);
    parts_of([us, them], board, &mut Untraced, |_, sheet| {
        sheet.add_sum(pawns.sum);
        pawns.passed
    })
    .score()
}

/// The evaluation, with a look at what is counted.
pub fn parts<T: Trace>(board: &Board, trace: &mut T) -> Parts {
    parts_of(View::both(board), board, trace, |views, sheet| pawns::count_both(views, sheet).passed)
}

/// The evaluation; `count_pawns` adds the terms of the pawns alone and returns those that are passed.
#[inline(always)]
fn parts_of<T: Trace>(
    [mut us, mut them]: [View; 2],
    board: &Board,
    trace: &mut T,
    count_pawns: impl FnOnce(&[View; 2], &mut Sheet<'_, T>) -> [u64; 2],
) -> Parts {
    let mut sheet = Sheet::new(board.carried.weights, trace);
    sheet.add(terms::TEMPO);
    let passed = count_pawns(&[us, them], &mut sheet);
    // 1. What needs to be known of both sides first: what is attacked.
    pieces::count(&mut us, &mut sheet);
    sheet.turn();
    pieces::count(&mut them, &mut sheet);
    sheet.turn();
    us.see_attacks_of(&them);
    them.see_attacks_of(&us);
    // 2. The rest, side by side.
    count_side(&us, passed[0], &mut sheet);
    sheet.turn();
    count_side(&them, passed[1], &mut sheet);
    sheet.turn();
    // 3. Material and squares, which the board has brought along.
    let sum = sheet.sum() + board.carried.sum;
    Parts { sum, phase: board.carried.phase as i32, scale: scale::scale(board, sum.endgame()) }
}

/// The terms of one side that need the attacks of both.
#[inline(always)]
fn count_side<T: Trace>(view: &View, passed: u64, sheet: &mut Sheet<'_, T>) {
    passers::count(view, passed, sheet);
    threats::count(view, sheet);
    king::count_shelter(view, sheet);
    king::count_attack(view, sheet);
}

/// [`parts`] with the terms that the board brings along counted too: for the tuner, and for tables of terms.
pub fn parts_of_all<T: Trace>(board: &Board, trace: &mut T) -> Parts {
    let (us, them) = (king_view(board.our_king()), king_view(flipped(board.their_king())));
    for at in Squares(board.occupied()) {
        let code = board.code(at);
        debug_assert_ne!(code, EMPTY);
        let ours = board.ours >> at & 1 != 0;
        let (sign, own, other, at) = if ours { (1, us, them, at) } else { (-1, them, us, flipped(at)) };
        let (first, second) = square_terms(own, other, code, at);
        trace.count(first, sign);
        trace.count(second, sign);
        if code != KING {
            trace.count(terms::MATERIAL + PIECE_INDEX[code], sign);
        }
    }
    parts(board, trace)
}

#[cfg(test)]
mod tests {
    use super::accumulator::is_consistent;
    use shakmaty::{CastlingMode, Chess, FromSetup, Position as _, fen::Fen};

    use super::*;

    fn boards(mut visit: impl FnMut(&Board)) {
        for position in betacut_support::positions() {
            visit(&board_of(position.chess(), &WEIGHTS));
        }
    }

    /// The counts of all terms.
    struct Counts(Vec<i32>);

    impl Trace for Counts {
        fn count(&mut self, term: usize, times: i32) {
            self.0[term] += times;
        }
    }

    #[test]
    fn the_counts_times_the_weights_are_the_value() {
        boards(|board| {
            let mut counts = Counts(vec![0; terms::COUNT]);
            let parts = parts_of_all(board, &mut counts);
            let sum = counts.0.iter().zip(&WEIGHTS).fold(Pair::default(), |sum, (&n, &w)| sum + w * n);
            assert_eq!(sum, parts.sum);
            assert_eq!(parts.score(), evaluate(board));
        });
    }

    #[test]
    fn pawns_that_were_met_count_the_same() {
        let mut cache = PawnCache::default();
        for _ in 0..2 {
            boards(|board| {
                assert_eq!(evaluate_with(board, &mut cache), evaluate(board));
                if board.checkers() == 0 {
                    let passed = board.pass();
                    assert_eq!(evaluate_with(&passed, &mut cache), evaluate(&passed));
                }
            });
        }
    }

    #[test]
    fn both_sides_are_counted_alike() {
        boards(|board| {
            if board.checkers() != 0 {
                return;
            }
            // Passing turns every term but the one of the side to move.
            let (ours, theirs) = (parts(board, &mut Untraced), parts(&board.pass(), &mut Untraced));
            let tempo = WEIGHTS[terms::TEMPO];
            assert_eq!(ours.sum - tempo, -(theirs.sum - tempo));
        });
    }

    #[test]
    fn what_the_board_carries_is_brought_up_to_date() {
        fn visit(board: &Board, depth: u32) {
            assert!(is_consistent(board), "{board:?}");
            for m in board.legal_moves().into_iter().filter(|_| depth > 0) {
                visit(&board.make(m), depth - 1);
            }
        }
        boards(|board| visit(board, 2));
    }

    #[test]
    fn chess960_is_played_by_the_rules() {
        fn visit(board: &Board, chess: &Chess, depth: u32) -> u64 {
            assert!(is_consistent(board));
            let mut total = 0;
            let listed = board.legal_moves();
            assert_eq!(listed.len(), chess.legal_moves().len());
            for m in listed {
                assert!(board.is_legal(m, board.checkers()));
                let child = board.make(m);
                let after = chess.clone().play(board.to_shakmaty(m)).unwrap();
                assert_eq!(child.key, board_of(&after, &WEIGHTS).key);
                total += if depth == 1 { 1 } else { visit(&child, &after, depth - 1) };
            }
            total
        }
        for (fen, expected) in [
            // Where the kings castle over each other's corners; counts are those of shakmaty's own generator.
            ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3),
            ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 3),
            ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", 3),
            ("nrk1brnb/pp1ppppp/2p5/3q4/5P2/PP6/1KPPP1PP/NR2BRQN w fb - 3 9", 3),
            ("r3k2r/8/8/8/8/8/8/1R2K1R1 w GBha - 0 1", 3),
            ("1rk4r/8/8/8/8/8/8/RK5R w AHbh - 0 1", 3),
        ] {
            let setup = fen.parse::<Fen>().unwrap().into_setup();
            let chess = Chess::from_setup(setup, CastlingMode::Chess960).unwrap();
            let board = board_of(&chess, &WEIGHTS);
            assert_eq!(visit(&board, &chess, expected), shakmaty::perft(&chess, expected));
        }
    }
}
