//! A side's view of the board: its pieces move up.

use super::accumulator::Board;
use betacut_core::board::{
    BISHOP, KNIGHT, PAWN, QUEEN, ROOK, flipped, king_attacks, pawns_attack_down, pawns_attack_up,
};

/// What one side sees, and what it attacks.
#[derive(Clone, Copy)]
pub struct View {
    pub pawns: u64,
    pub knights: u64,
    pub bishops: u64,
    pub rooks: u64,
    pub queens: u64,
    pub king: u32,
    pub ours: u64,
    pub theirs: u64,
    pub their_pawns: u64,
    /// Their pieces by kind: knights, bishops, rooks, queens.
    pub their_pieces: [u64; 4],
    pub their_king: u32,
    pub occupied: u64,
    pub pawn_attacks: u64,
    pub their_pawn_attacks: u64,
    pub may_castle: bool,
    /// Squares that our knights, bishops, rooks, queens attack.
    pub attacks_by: [u64; 4],
    pub attacks: u64,
    pub attacks_twice: u64,
    /// Squares about their king that count as near it.
    pub their_ring: u64,
    /// How strongly our pieces attack that ring, in units.
    pub ring_units: u32,
    /// How many of our pieces do.
    pub ring_attackers: u32,
    pub their_attacks: u64,
    pub their_attacks_twice: u64,
    /// Squares that their king attacks, and their queens.
    pub their_king_queen_attacks: u64,
}

impl View {
    /// The views of the side to move and of the other side.
    #[inline(always)]
    pub fn both(board: &Board) -> [View; 2] {
        let theirs = board.theirs();
        // Written out: arrays that are mapped take twice the instructions.
        let of = |side: u64| {
            [
                board.pieces(PAWN) & side,
                board.pieces(KNIGHT) & side,
                board.pieces(BISHOP) & side,
                board.pieces(ROOK) & side,
                board.pieces(QUEEN) & side,
            ]
        };
        let turned = |[a, b, c, d, e]: [u64; 5]| {
            [a.swap_bytes(), b.swap_bytes(), c.swap_bytes(), d.swap_bytes(), e.swap_bytes()]
        };
        let (ours, others) = (of(board.ours), of(theirs));
        let us = View::new(ours, others, [board.our_king(), board.their_king()], board.castling & 3 != 0);
        let them = View::new(
            turned(others),
            turned(ours),
            [flipped(board.their_king()), flipped(board.our_king())],
            board.castling >> 2 != 0,
        );
        [us, them]
    }

    #[inline(always)]
    fn new(ours: [u64; 5], theirs: [u64; 5], kings: [u32; 2], may_castle: bool) -> View {
        let [pawns, knights, bishops, rooks, queens] = ours;
        let [their_pawns, their_knights, their_bishops, their_rooks, their_queens] = theirs;
        let all = |kinds: [u64; 5], king: u32| kinds.iter().fold(1 << king, |all, kind| all | kind);
        let (ours, theirs) = (all(ours, kings[0]), all(theirs, kings[1]));
        let king_ring = king_attacks(kings[1]) | 1 << kings[1];
        let pawn_attacks = pawns_attack_up(pawns);
        let king_attacks = king_attacks(kings[0]);
        View {
            pawns,
            knights,
            bishops,
            rooks,
            queens,
            king: kings[0],
            ours,
            theirs,
            their_pawns,
            their_pieces: [their_knights, their_bishops, their_rooks, their_queens],
            their_king: kings[1],
            occupied: ours | theirs,
            pawn_attacks,
            their_pawn_attacks: pawns_attack_down(their_pawns),
            may_castle,
            attacks_by: [0; 4],
            attacks: pawn_attacks | king_attacks,
            attacks_twice: pawn_attacks & king_attacks,
            their_ring: king_ring | king_ring >> 8,
            ring_units: 0,
            ring_attackers: 0,
            their_attacks: 0,
            their_attacks_twice: 0,
            their_king_queen_attacks: 0,
        }
    }

    /// Takes over what the other side attacks.
    pub fn see_attacks_of(&mut self, them: &View) {
        self.their_attacks = them.attacks.swap_bytes();
        self.their_attacks_twice = them.attacks_twice.swap_bytes();
        self.their_king_queen_attacks = king_attacks(self.their_king) | them.attacks_by[3].swap_bytes();
    }
}
