//! What the evaluation counts: the names of its terms, and where the weights of each stand, each a [`Pair`]. A position says
//! how often a term counts, for the side to move less for the other. The search and the tuner share the one list.

use super::pair::Pair;

/// The kinds of king squares that tables of squares distinguish.
pub const KING_KINDS: usize = 7;
/// Entries of a table of squares: by kind of piece and square.
pub const SQUARES: usize = 6 * 64;

/// Names the terms in order: each starts where the one before it ends.
macro_rules! terms {
    ($($name:ident[$len:expr], $doc:literal;)*) => {
        terms!(@starts 0; $($name[$len], $doc;)*);
        /// All terms: name, first index, number of weights.
        pub const TERMS: &[(&str, usize, usize)] = &[$((stringify!($name), $name, $len)),*];
    };
    (@starts $start:expr; $name:ident[$len:expr], $doc:literal; $($rest:tt)*) => {
        #[doc = $doc]
        pub const $name: usize = $start;
        terms!(@starts $name + $len; $($rest)*);
    };
    (@starts $start:expr;) => {
        /// Number of weights.
        pub const COUNT: usize = $start;
    };
}

terms! {
    MATERIAL[5], "A pawn, a knight, a bishop, a rook, a queen.";
    OWN_KING_SQUARES[KING_KINDS * SQUARES],
        "A piece on a square, by the kind of square of its own king: `[kind][piece][square]`.";
    OTHER_KING_SQUARES[KING_KINDS * SQUARES],
        "A piece on a square, by the kind of square of the other king: `[kind][piece][square]`.";
    TEMPO[1], "The side to move.";
    BISHOP_PAIR[1], "Two bishops.";
    KNIGHT_MOBILITY[9], "By number of safe squares that a knight attacks.";
    BISHOP_MOBILITY[14], "By number of safe squares that a bishop attacks.";
    ROOK_MOBILITY[15], "By number of safe squares that a rook attacks.";
    QUEEN_MOBILITY[28], "By number of safe squares that a queen attacks.";
    ISOLATED_PAWN[4], "A pawn with no pawn of its side on the files beside it, by file from the edge.";
    DOUBLED_PAWN[1], "A pawn behind another one of its side.";
    BACKWARD_PAWN[1], "A pawn that no other can support any more and that cannot step without being taken.";
    PHALANX[8], "A pawn beside another one, by rank.";
    DEFENDED_PAWN[8], "A pawn that a pawn defends, by rank.";
    PASSED_PAWN[8], "A pawn that no pawn can stop, by rank.";
    BLOCKED_PASSER[8], "A passed pawn with a piece in front of it, by rank.";
    FREE_PASSER[8], "A passed pawn whose way no piece of the other side attacks, by rank.";
    DEFENDED_PASSER[8], "A passed pawn that is defended by a pawn, by rank.";
    PASSER_OWN_KING[32],
        "A passed pawn from its fourth rank on, by rank and the distance of its own king to the square in front of it.";
    PASSER_OTHER_KING[32], "The same for the other king.";
    ROOK_BEHIND_PASSER[1], "A rook behind a passed pawn of its side.";
    CANDIDATE_PASSER[8], "A pawn with nothing but pawns it can beat in front of it, by rank.";
    ROOK_OPEN_FILE[2], "A rook on a file without pawns; without pawns of its side.";
    QUEEN_OPEN_FILE[2], "A queen on such files.";
    ROOK_SEVENTH[1], "A rook on the seventh rank.";
    OUTPOST[2], "A knight, a bishop on a square that a pawn defends and no pawn can attack.";
    BEHIND_PAWN[2], "A knight, a bishop directly behind a pawn.";
    BISHOP_PAWNS[9], "A bishop, by number of own pawns on squares of its colour.";
    LONG_DIAGONAL[1], "A bishop that attacks both squares in the centre.";
    TRAPPED_ROOK[1], "A rook shut in by its own king that may not castle.";
    PAWN_THREAT[4], "A pawn attacks a knight, a bishop, a rook, a queen.";
    PUSH_THREAT[1], "A safe step of a pawn will attack a piece.";
    KNIGHT_THREAT[5], "A knight attacks a pawn, a knight, a bishop, a rook, a queen.";
    BISHOP_THREAT[5], "A bishop does.";
    ROOK_THREAT[5], "A rook does.";
    KING_THREAT[1], "A king attacks a piece that is not defended.";
    HANGING[2], "A piece that is attacked and not defended: a pawn, or any other.";
    SHELTER[3 * 8], "A pawn before its king, by distance of files and by rank; rank 0: there is none.";
    STORM[3 * 8],
        "A pawn of the other side before the king, by distance of files and by rank; rank 0: there is none.";
    KING_OPEN_FILE[2], "The king on a file without pawns; without pawns of its side.";
    KING_ATTACK[32], "Attacks on the squares about the other king, by their sum of units.";
    KING_ATTACKERS[8], "Pieces that attack squares about the other king, by number.";
    WEAK_RING[9],
        "Squares about the other king that are attacked and defended by nothing but king or queen, by number.";
    SAFE_CHECK[4], "Safe squares from which a knight, a bishop, a rook, a queen gives check.";
    NO_ATTACKING_QUEEN[1], "No queen is left to attack with.";
    KING_DANGER[64],
        "The danger that the other king is in: attacks, attackers, weak squares and safe checks taken together, in twos.";
    RESTRICTED[1],
        "A square that both sides attack, that no pawn of theirs defends, and that they do not attack twice and we once.";
    KNIGHT_PAWNS[17], "A knight, by number of all pawns.";
    BISHOP_ALL_PAWNS[17], "A bishop, by number of all pawns.";
    ROOK_PAWNS[17], "A rook, by number of all pawns.";
    BLOCKED_STORM[8],
        "The nearest pawn of theirs on a file about our king, when a pawn of ours blocks it, by rank.";
    WEAK_UNOPPOSED[2], "An isolated pawn, a backward one, with no pawn of theirs before it.";
    SAFE_STEP_PASSER[8], "A passed pawn whose next square is empty and not attacked, by rank.";
    FLANK_ATTACK[41],
        "Squares we attack on their king's side of the board, one attacked twice being two, by number.";
    FLANK_DEFENCE[21], "Squares there that they attack, by number.";
    PAWNLESS_FLANK[1], "No pawn is left on that side of the board.";
    QUEEN_THREAT[2], "A safe square from which a knight, a bishop or rook of ours could attack their queen.";
    SPACE[17], "Squares on our side of the centre that no pawn of theirs attacks, by number.";
}

/// The weights of all terms.
pub type Weights = [Pair; COUNT];
