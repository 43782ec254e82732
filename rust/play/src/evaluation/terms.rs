//! What the evaluation counts: the names of its terms, and where the weights of each stand.
//!
//! The evaluation is linear in its weights: each is a [`Pair`], and a position says how often it counts, for the side to
//! move less for the other. So one list of weights serves the search, and the tuner, which only needs the counts.

use super::pair::Pair;

/// The kinds of king squares that tables of squares distinguish.
pub const KING_KINDS: usize = 7;
/// Entries of a table of squares: by kind of piece and square.
pub const SQUARES: usize = 6 * 64;

/// Names the terms in order: each starts where the one before it ends.
macro_rules! terms {
    ($($(#[$doc:meta])* $name:ident[$len:expr];)*) => {
        terms!(@starts 0; $($(#[$doc])* $name[$len];)*);
        /// All terms: name, first index, number of weights.
        pub const TERMS: &[(&str, usize, usize)] = &[$((stringify!($name), $name, $len)),*];
    };
    (@starts $start:expr; $(#[$doc:meta])* $name:ident[$len:expr]; $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: usize = $start;
        terms!(@starts $name + $len; $($rest)*);
    };
    (@starts $start:expr;) => {
        /// Number of weights.
        pub const COUNT: usize = $start;
    };
}

terms! {
    /// A pawn, a knight, a bishop, a rook, a queen.
    MATERIAL[5];
    /// A piece on a square, by the kind of square of its own king: `[kind][piece][square]`.
    OWN_KING_SQUARES[KING_KINDS * SQUARES];
    /// A piece on a square, by the kind of square of the other king: `[kind][piece][square]`.
    OTHER_KING_SQUARES[KING_KINDS * SQUARES];
    /// The side to move.
    TEMPO[1];
    /// Two bishops.
    BISHOP_PAIR[1];
    /// By number of safe squares that a knight attacks.
    KNIGHT_MOBILITY[9];
    /// By number of safe squares that a bishop attacks.
    BISHOP_MOBILITY[14];
    /// By number of safe squares that a rook attacks.
    ROOK_MOBILITY[15];
    /// By number of safe squares that a queen attacks.
    QUEEN_MOBILITY[28];
    /// A pawn with no pawn of its side on the files beside it, by file from the edge.
    ISOLATED_PAWN[4];
    /// A pawn behind another one of its side.
    DOUBLED_PAWN[1];
    /// A pawn that no other can support any more and that cannot step without being taken.
    BACKWARD_PAWN[1];
    /// A pawn beside another one, by rank.
    PHALANX[8];
    /// A pawn that a pawn defends, by rank.
    DEFENDED_PAWN[8];
    /// A pawn that no pawn can stop, by rank.
    PASSED_PAWN[8];
    /// A passed pawn with a piece in front of it, by rank.
    BLOCKED_PASSER[8];
    /// A passed pawn whose way no piece of the other side attacks, by rank.
    FREE_PASSER[8];
    /// A passed pawn that is defended by a pawn, by rank.
    DEFENDED_PASSER[8];
    /// A passed pawn from its fourth rank on, by rank and the distance of its own king to the square in front of it.
    PASSER_OWN_KING[32];
    /// The same for the other king.
    PASSER_OTHER_KING[32];
    /// A rook behind a passed pawn of its side.
    ROOK_BEHIND_PASSER[1];
    /// A pawn with nothing but pawns it can beat in front of it, by rank.
    CANDIDATE_PASSER[8];
    /// A rook on a file without pawns; without pawns of its side.
    ROOK_OPEN_FILE[2];
    /// A queen on such files.
    QUEEN_OPEN_FILE[2];
    /// A rook on the seventh rank.
    ROOK_SEVENTH[1];
    /// A knight, a bishop on a square that a pawn defends and no pawn can attack.
    OUTPOST[2];
    /// A knight, a bishop directly behind a pawn.
    BEHIND_PAWN[2];
    /// A bishop, by number of own pawns on squares of its colour.
    BISHOP_PAWNS[9];
    /// A bishop that attacks both squares in the centre.
    LONG_DIAGONAL[1];
    /// A rook shut in by its own king that may not castle.
    TRAPPED_ROOK[1];
    /// A pawn attacks a knight, a bishop, a rook, a queen.
    PAWN_THREAT[4];
    /// A safe step of a pawn will attack a piece.
    PUSH_THREAT[1];
    /// A knight attacks a pawn, a knight, a bishop, a rook, a queen.
    KNIGHT_THREAT[5];
    /// A bishop does.
    BISHOP_THREAT[5];
    /// A rook does.
    ROOK_THREAT[5];
    /// A king attacks a piece that is not defended.
    KING_THREAT[1];
    /// A piece that is attacked and not defended: a pawn, or any other.
    HANGING[2];
    /// A pawn before its king, by distance of files and by rank; rank 0: there is none.
    SHELTER[3 * 8];
    /// A pawn of the other side before the king, by distance of files and by rank; rank 0: there is none.
    STORM[3 * 8];
    /// The king on a file without pawns; without pawns of its side.
    KING_OPEN_FILE[2];
    /// Attacks on the squares about the other king, by their sum of units.
    KING_ATTACK[32];
    /// Pieces that attack squares about the other king, by number.
    KING_ATTACKERS[8];
    /// Squares about the other king that are attacked and defended by nothing but king or queen, by number.
    WEAK_RING[9];
    /// Safe squares from which a knight, a bishop, a rook, a queen gives check.
    SAFE_CHECK[4];
    /// No queen is left to attack with.
    NO_ATTACKING_QUEEN[1];
    /// The danger that the other king is in: attacks, attackers, weak squares and safe checks taken together, in twos.
    KING_DANGER[64];
    /// A square that both sides attack, that no pawn of theirs defends, and that they do not attack twice and we once.
    RESTRICTED[1];
    /// A knight, by number of all pawns.
    KNIGHT_PAWNS[17];
    /// A bishop, by number of all pawns.
    BISHOP_ALL_PAWNS[17];
    /// A rook, by number of all pawns.
    ROOK_PAWNS[17];
    /// The nearest pawn of theirs on a file about our king, when a pawn of ours blocks it, by rank.
    BLOCKED_STORM[8];
    /// An isolated pawn, a backward one, with no pawn of theirs before it.
    WEAK_UNOPPOSED[2];
    /// A passed pawn whose next square is empty and not attacked, by rank.
    SAFE_STEP_PASSER[8];
    /// Squares we attack on their king's side of the board, one attacked twice being two, by number.
    FLANK_ATTACK[41];
    /// Squares there that they attack, by number.
    FLANK_DEFENCE[21];
    /// No pawn is left on that side of the board.
    PAWNLESS_FLANK[1];
    /// A safe square from which a knight, a bishop or rook of ours could attack their queen.
    QUEEN_THREAT[2];
    /// Squares on our side of the centre that no pawn of theirs attacks, by number.
    SPACE[17];
}

/// The weights of all terms.
pub type Weights = [Pair; COUNT];
