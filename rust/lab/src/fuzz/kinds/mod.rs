//! Positions that make a search stumble, by kind: each puts pieces on the board at random, but close to its corner case,
//! and lets the rules decide whether the position is valid.
//!
//! **What can go wrong.** A kind that drifts away from its corner case still yields valid positions, and finds no
//! difference. The check in `docs/verification.md` (break a proof, and see it found) shows that the kinds do their work.

mod chess960;
mod frozen;
mod scattered;
mod sketch;

use shakmaty::{Bitboard, Color, Rank, Role};

use super::random::Random;
use betacut_core::position::Position;

use chess960::chess960;
use frozen::{mate, stalemate};
use scattered::{
    castling, dead_material, en_passant, forced, phase, pins, promotion, queens, sparse, under_promotion,
};
use sketch::{PIECES, Sketch, near, one_of, random_moves, ranks, some};

pub use sketch::setup_of;

betacut_core::named! {
    /// What a position is made for; the names are those of the command line.
    pub enum Kind {
        /// Random moves from the positions that the tests search.
        RandomPlay = "random-play",
        /// A few pieces anywhere.
        Sparse = "sparse",
        /// Pawns about to promote, on both sides.
        Promotion = "promotion",
        /// Pawns about to promote where a knight, a rook or a bishop may be better than a queen.
        UnderPromotion = "under-promotion",
        /// En passant: pinned along a rank or a diagonal, and as the only way out of check.
        EnPassant = "en-passant",
        /// Castling through, out of and into attack, with some of the rights.
        Castling = "castling",
        /// Any other kind with a halfmove clock from 90 to 100.
        Clock = "clock",
        /// A king in the corner, and pieces to mate or stalemate it.
        Mate = "mate",
        /// Pieces that can hardly move: blocked pawns, shut-in pieces.
        Stalemate = "stalemate",
        /// One capture or promotion away from the endgame, or from the middlegame again.
        Phase = "phase",
        /// A side in check or with few moves.
        Forced = "forced",
        /// Many queens.
        Queens = "queens",
        /// At most five men, most of them minor pieces.
        DeadMaterial = "dead-material",
        /// Pins and discovered checks on all lines of both kings.
        Pins = "pins",
        /// Castling of any king with any rook, and games from the starting positions of Chess960.
        Chess960 = "chess960",
        /// Any other kind with more men, for what is proved only where many are left.
        Crowded = "crowded",
    }
}

/// All kinds of standard chess but the crowded one.
const UNCROWDED: &[Kind] = Kind::ALL.split_at(Kind::ALL.len() - 2).0;

/// Where random play starts: the positions of `tests/positions/searched.fen`, in its order.
const STARTS: [&str; 23] = [
    "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1",
    "rnbqkb1r/pppppp1p/5np1/8/2PP4/2N5/PP2PPPP/R1BQKBNR b KQkq - 1 3",
    "4r1k1/p1p1r1pp/1p2Pp1q/2pP1n1b/2P2p2/2Q2B1P/P2NRPP1/4R1K1 w - - 3 26",
    "2bqk1nr/1p1p1pbp/6p1/1pp1p3/1P2P3/5N2/2PP1PPP/BN1QR1K1 b k - 0 10",
    "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83",
    "8/p5R1/1p4p1/4k3/r6P/6K1/5P2/8 b - - 4 50",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "7k/P7/8/8/8/8/8/K7 w - - 0 1",
    "8/1P4k1/8/8/8/6K1/1p4p1/8 b - - 0 1",
    "5k2/5P2/4K3/8/8/8/8/8 w - - 0 1",
    "k7/P7/8/K7/8/8/8/1q6 b - - 0 1",
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/7B/8/8/8/8/1b6/R3K2R b Kq - 0 1",
    "8/8/8/4k3/8/4K3/4P3/8 w - - 98 90",
    "4rrk1/1b3ppp/p2p4/8/3QP3/1q3P2/6PP/R3R1K1 b - - 99 60",
    "8/3k4/8/8/4B3/1n6/2K5/8 b - - 0 1",
    "2b2N2/1p3r2/1k5p/3pp2P/4P1n1/8/1n3K2/5B2 w - - 0 33",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1",
];

/// How often a kind may fail to make a valid position before random play stands in.
const ATTEMPTS: usize = 200;

/// A valid position of a kind.
pub fn position(kind: Kind, random: &mut Random<'_>) -> Position<'static> {
    (0..ATTEMPTS).find_map(|_| attempt(kind, random)).unwrap_or_else(|| random_play(random))
}

fn attempt(kind: Kind, random: &mut Random<'_>) -> Option<Position<'static>> {
    match kind {
        Kind::RandomPlay => Some(random_play(random)),
        Kind::Sparse => sparse(random),
        Kind::Promotion => promotion(random),
        Kind::UnderPromotion => under_promotion(random),
        Kind::EnPassant => en_passant(random),
        Kind::Castling => castling(random),
        Kind::Clock => clock(random),
        Kind::Mate => mate(random),
        Kind::Stalemate => stalemate(random),
        Kind::Phase => phase(random),
        Kind::Forced => forced(random),
        Kind::Queens => queens(random),
        Kind::DeadMaterial => dead_material(random),
        Kind::Pins => pins(random),
        Kind::Chess960 => chess960(random),
        Kind::Crowded => crowded(random),
    }
}

/// Positions that differ from one in what a table may forget: clock, rights, en passant, side, a pawn's first step.
pub fn relatives(position: &Position, random: &mut Random<'_>) -> Vec<Position<'static>> {
    let setup = setup_of(position);
    let mut found = Vec::new();
    for _ in 0..random.between(1, 3) {
        let mut other = setup.clone();
        match random.below(7) {
            0 => other.halfmoves = if random.once_in(3) { 0 } else { random.between(90, 100) as u32 },
            1 if setup.castling_rights.any() => {
                other.castling_rights = some(setup.castling_rights, random);
                // The right of another rook.
                let home = setup.castling_rights & Bitboard::from(setup.turn.backrank());
                let rooks = setup.board.by_piece(setup.turn.rook()) & Bitboard::from(setup.turn.backrank());
                if home.any() && (rooks & !home).any() {
                    other.castling_rights.extend(one_of(rooks & !home, random));
                }
            }
            2 if setup.ep_square.is_some() => other.ep_square = None,
            3 => {
                other.turn = !other.turn;
                other.ep_square = None;
            }
            4 => {
                // A king that goes where it might have castled to.
                let Some(king) = other.board.king_of(other.turn) else { continue };
                let home = Bitboard::from(other.turn.backrank());
                let Some(rook) = one_of(setup.castling_rights & home, random) else { continue };
                let beside = king.offset(if rook > king { 1 } else { -1 }).unwrap_or(king);
                if other.board.piece_at(beside).is_some() {
                    continue;
                }
                other.board.discard_piece_at(king);
                other.board.set_piece_at(beside, other.turn.king());
                other.castling_rights.discard(home);
            }
            5 | 6 => {
                // One step or two: only the latter can be taken en passant.
                let second = Bitboard::from(other.turn.relative_rank(Rank::Second));
                let pawns = other.board.by_piece(other.turn.pawn()) & second;
                let Some(from) = one_of(pawns, random) else { continue };
                let to = from.offset(other.turn.fold_wb(8, -8)).unwrap_or(from);
                if other.board.piece_at(to).is_some() {
                    continue;
                }
                other.board.discard_piece_at(from);
                other.board.set_piece_at(to, other.turn.pawn());
                other.ep_square = None;
            }
            _ => continue,
        }
        found.extend(Position::from_setup(other));
    }
    found
}

fn random_play(random: &mut Random<'_>) -> Position<'static> {
    let start = random.pick(&STARTS);
    random_moves(Position::from_fen(start).unwrap_or_else(|_| Position::initial()), 40, random)
}

fn clock(random: &mut Random<'_>) -> Option<Position<'static>> {
    let kind = random.pick(UNCROWDED);
    if kind == Kind::Clock {
        return None;
    }
    let position = attempt(kind, random)?;
    let mut setup = setup_of(&position);
    // At 98 the game ends within two plies, the depth at which most is proved.
    setup.halfmoves = random.pick(&[90, 92, 94, 95, 96, 97, 97, 98, 98, 98, 98, 99, 99, 100]);
    Position::from_setup(setup).ok()
}

/// A position of another kind with more men.
fn crowded(random: &mut Random<'_>) -> Option<Position<'static>> {
    let kind = random.pick(UNCROWDED);
    let mut sketch = Sketch { setup: setup_of(&attempt(kind, random)?) };
    for color in Color::ALL {
        // Pawns that do not promote soon, and what stands around the king.
        for _ in 0..random.below(4) {
            sketch.put(random, color, Role::Pawn, ranks(color, 2, 5));
        }
        let king = sketch.setup.board.king_of(color)?;
        for _ in 0..random.below(3) {
            sketch.put_one(random, color, &PIECES, near(king));
        }
    }
    sketch.scatter(random, 0, 6, &PIECES);
    sketch.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_play_starts_from_the_positions_of_the_tests() {
        assert!(betacut_support::fens().eq(STARTS));
        for fen in STARTS {
            assert!(Position::from_fen(fen).is_ok(), "{fen}");
        }
    }
}
