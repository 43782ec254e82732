//! What the playing floor's board carries: the sum of material and squares, and keys of parts of the position. Squares count
//! by where both kings stand ([`KingView`]): the sum is made anew when a king changes the tables that hold.

use shakmaty::Chess;

use super::pair::Pair;
use super::terms::{MATERIAL, OTHER_KING_SQUARES, OWN_KING_SQUARES, SQUARES, Weights};
use betacut_core::board::{
    BISHOP, Carried, Change, Code, EMPTY, FlippedBoard, KING, KNIGHT, PAWN, QUEEN, ROOK, Squares, flipped,
};

/// The board of the playing floor.
pub type Board<'w> = FlippedBoard<Accumulator<'w>>;

/// Pieces in the order of the weights, by code.
pub const PIECE_INDEX: [usize; 8] = {
    let mut index = [0; 8];
    index[KNIGHT] = 1;
    index[BISHOP] = 2;
    index[ROOK] = 3;
    index[QUEEN] = 4;
    index[KING] = 5;
    index
};

/// What a piece adds to the phase, by code.
pub const PHASE: [u8; 8] = {
    let mut phase = [0; 8];
    phase[KNIGHT] = 1;
    phase[BISHOP] = 1;
    phase[ROOK] = 2;
    phase[QUEEN] = 4;
    phase
};

/// The phase of all pieces of the start of the game.
pub const FULL_PHASE: i32 = 24;

/// Which tables of squares a king's place chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KingView {
    /// The first entry of its table.
    pub table: u16,
    /// What turns squares so that the king stands on the files from a to d.
    pub mirror: u8,
}

/// By the king's square as its side sees it.
static KING_VIEWS: [KingView; 64] = {
    let mut views = [KingView { table: 0, mirror: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let mirror = if square % 8 >= 4 { 7 } else { 0 };
        let (file, rank) = ((square ^ mirror) % 8, square / 8);
        let kind = match (rank, file) {
            (0, 0 | 1) => 0,
            (0, 2) => 1,
            (0, _) => 2,
            (1, 0 | 1) => 3,
            (1, _) => 4,
            (2 | 3, _) => 5,
            _ => 6,
        };
        views[square] = KingView { table: (kind * SQUARES) as u16, mirror: mirror as u8 };
        square += 1;
    }
    views
};

/// The view of a king, by its square as its side sees it.
pub fn king_view(king: u32) -> KingView {
    KING_VIEWS[(king & 63) as usize]
}

/// Where the weights of a piece on a square stand: for the own king and for the other one.
pub fn square_terms(own: KingView, other: KingView, code: Code, square: u32) -> (usize, usize) {
    let at =
        |view: KingView| view.table as usize + PIECE_INDEX[code] * 64 + (square as u8 ^ view.mirror) as usize;
    (OWN_KING_SQUARES + at(own), OTHER_KING_SQUARES + at(other))
}

/// What is kept beside the pieces.
#[derive(Clone, Copy, Debug)]
pub struct Accumulator<'w> {
    /// The weights in use.
    pub weights: &'w Weights,
    /// Material and squares, for the side to move; only if they are counted.
    pub sum: Pair,
    /// Whether they are: where a network evaluates, nothing asks for them.
    pub is_counted: bool,
    /// A key of the pawns.
    pub pawn_key: u64,
    /// Keys of the other pieces, ours and theirs.
    pub piece_keys: [u64; 2],
    /// The phase: [`FULL_PHASE`] at the start of the game, 0 with nothing but pawns.
    pub phase: u8,
}

impl PartialEq for Accumulator<'_> {
    fn eq(&self, other: &Self) -> bool {
        let of = |a: &Self| (a.sum, a.pawn_key, a.piece_keys, a.phase);
        of(self) == of(other)
    }
}

/// What a piece on a square counts, its material included.
#[inline(always)]
fn worth(weights: &Weights, own: KingView, other: KingView, code: Code, square: u32) -> Pair {
    if code == EMPTY {
        return Pair::default();
    }
    let (own, other) = square_terms(own, other, code, square);
    let material = if code == KING { Pair::default() } else { weights[MATERIAL + PIECE_INDEX[code]] };
    material + weights[own] + weights[other]
}

impl<'w> Accumulator<'w> {
    /// What the board of a position carries.
    fn from_scratch<C>(weights: &'w Weights, board: &FlippedBoard<C>) -> Accumulator<'w> {
        let sum = sum(weights, board);
        let mut accumulator =
            Accumulator { weights, sum, is_counted: true, pawn_key: 0, piece_keys: [0; 2], phase: 0 };
        for at in Squares(board.occupied()) {
            let code = board.code(at);
            let theirs = board.ours >> at & 1 == 0;
            let key = board.piece_key(board.black ^ theirs, code, at);
            if code == PAWN {
                accumulator.pawn_key ^= key;
            } else {
                accumulator.piece_keys[theirs as usize] ^= key;
            }
            accumulator.phase += PHASE[code];
        }
        accumulator
    }

    /// The same as the other side sees it.
    #[inline(always)]
    fn turned(self) -> Accumulator<'w> {
        let [ours, theirs] = self.piece_keys;
        Accumulator { sum: -self.sum, piece_keys: [theirs, ours], ..self }
    }
}

/// Material and squares of both sides, for the side to move.
fn sum<C>(weights: &Weights, board: &FlippedBoard<C>) -> Pair {
    let (us, them) = (king_view(board.our_king()), king_view(flipped(board.their_king())));
    let mut sum = Pair::default();
    for at in Squares(board.ours) {
        sum += worth(weights, us, them, board.code(at), at);
    }
    for at in Squares(board.theirs()) {
        sum -= worth(weights, them, us, board.code(at), flipped(at));
    }
    sum
}

impl Carried for Accumulator<'_> {
    const KING_TAKES_ROOK: bool = true;

    #[inline(always)]
    fn moved(before: &FlippedBoard<Self>, after: &FlippedBoard<Self>, change: &Change) -> Self {
        let Change { from, to, code, placed, captured, victim, rook } = *change;
        let mut next = after.carried;
        let weights = next.weights;
        // 1. Material and squares.
        let (us, them) = (king_view(before.our_king()), king_view(flipped(before.their_king())));
        if !next.is_counted {
            // Nothing asks for them.
        } else if code == KING && king_view(to) != us {
            next.sum = sum(weights, after);
        } else {
            next.sum += worth(weights, us, them, placed, to) - worth(weights, us, them, code, from);
            if captured != EMPTY {
                next.sum += worth(weights, them, us, captured, flipped(victim));
            }
            if let Some((rook_from, rook_to)) = rook {
                next.sum +=
                    worth(weights, us, them, ROOK, rook_to) - worth(weights, us, them, ROOK, rook_from);
            }
        }
        // 2. The phase.
        next.phase = next.phase + PHASE[placed] - PHASE[code] - PHASE[captured];
        // 3. Keys.
        let key = |code: Code, at: u32| before.piece_key(before.black, code, at);
        if code == PAWN {
            next.pawn_key ^= key(PAWN, from);
            if placed == PAWN {
                next.pawn_key ^= key(PAWN, to);
            } else {
                next.piece_keys[0] ^= key(placed, to);
            }
        } else {
            next.piece_keys[0] ^= key(code, from) ^ key(code, to);
        }
        if captured != EMPTY {
            let key = before.piece_key(!before.black, captured, victim);
            if captured == PAWN {
                next.pawn_key ^= key;
            } else {
                next.piece_keys[1] ^= key;
            }
        }
        if let Some((rook_from, rook_to)) = rook {
            next.piece_keys[0] ^= key(ROOK, rook_from) ^ key(ROOK, rook_to);
        }
        next.turned()
    }

    fn passed(before: &FlippedBoard<Self>) -> Self {
        before.carried.turned()
    }
}

/// The board of a position, standard chess or Chess960.
pub fn board_of<'w>(chess: &Chess, weights: &'w Weights) -> Board<'w> {
    FlippedBoard::read(chess, |board| Accumulator::from_scratch(weights, board))
}

/// Whether what is carried is what the pieces say.
#[cfg(test)]
pub fn is_consistent(board: &Board) -> bool {
    Accumulator::from_scratch(board.carried.weights, board) == board.carried
}
