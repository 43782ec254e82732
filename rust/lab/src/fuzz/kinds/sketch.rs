//! A position in the making, and sets of squares.

use shakmaty::{Bitboard, Color, File, Piece, Rank, Role, Setup, Square, attacks};

use crate::fuzz::random::Random;
use betacut_core::position::Position;

pub const PIECES: [Role; 6] = [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
pub const OFFICERS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
pub const MAJORS: [Role; 2] = [Role::Rook, Role::Queen];
pub const EDGE: Bitboard = Bitboard(0xff81_8181_8181_81ff);
pub const CENTRE: Bitboard = Bitboard(0x003c_3c3c_3c3c_3c00);
/// What a position was made of.
pub fn setup_of(position: &Position) -> Setup {
    shakmaty::Position::to_setup(position.chess(), shakmaty::EnPassantMode::PseudoLegal)
}

pub fn one_of(squares: Bitboard, random: &mut Random<'_>) -> Option<Square> {
    squares.into_iter().nth(random.below(squares.count().max(1)))
}

pub fn some(squares: Bitboard, random: &mut Random<'_>) -> Bitboard {
    squares.into_iter().filter(|_| random.once_in(2)).collect()
}

pub fn color(random: &mut Random<'_>) -> Color {
    Color::from_white(random.once_in(2))
}

/// The squares of these ranks as `color` counts them, its own back rank being 1.
pub fn ranks(color: Color, low: u32, high: u32) -> Bitboard {
    (low..=high)
        .fold(Bitboard::EMPTY, |all, rank| all | Bitboard::from(color.relative_rank(Rank::new(rank - 1))))
}

/// A square as White sees it, for `color`.
pub fn seen(color: Color, square: Square) -> Square {
    color.fold_wb(square, square.flip_vertical())
}

/// Squares within two king's steps.
pub fn near(square: Square) -> Bitboard {
    let once = attacks::king_attacks(square);
    once.into_iter().fold(once, |all, at| all | attacks::king_attacks(at))
}

/// A position less than so many random moves later.
pub fn random_moves(
    mut position: Position<'static>,
    bound: usize,
    random: &mut Random<'_>,
) -> Position<'static> {
    for _ in 0..random.below(bound) {
        let moves: Vec<_> = position.legal_moves().collect();
        if moves.is_empty() {
            break;
        }
        let mut chosen = random.pick(&moves);
        if !chosen.is_capture() && random.once_in(4) {
            chosen = random.pick(&moves);
        }
        position = position.play(chosen);
    }
    position
}

/// A position in the making.
pub struct Sketch {
    pub setup: Setup,
}

impl Sketch {
    pub fn new(turn: Color) -> Sketch {
        let mut setup = Setup::empty();
        setup.turn = turn;
        Sketch { setup }
    }

    pub fn free(&self) -> Bitboard {
        !self.setup.board.occupied()
    }

    /// Puts a piece on one of these squares, if one is free.
    pub fn put(&mut self, random: &mut Random, color: Color, role: Role, among: Bitboard) -> Option<Square> {
        let allowed = if role == Role::Pawn { ranks(color, 2, 7) } else { Bitboard::FULL };
        let at = one_of(among & allowed & self.free(), random)?;
        self.set(at, color, role);
        Some(at)
    }

    /// Puts one of these pieces.
    pub fn put_one(
        &mut self,
        random: &mut Random<'_>,
        color: Color,
        roles: &[Role],
        among: Bitboard,
    ) -> Option<Square> {
        let role = random.pick(roles);
        self.put(random, color, role, among)
    }

    pub fn set(&mut self, at: Square, color: Color, role: Role) {
        self.setup.board.set_piece_at(at, Piece { color, role });
    }

    /// Puts some pieces of either colour anywhere, at least `least` and less than `bound` more.
    pub fn scatter(&mut self, random: &mut Random, least: usize, bound: usize, roles: &[Role]) {
        for _ in 0..least + random.below(bound) {
            let color = color(random);
            self.put_one(random, color, roles, Bitboard::FULL);
        }
    }

    /// Puts a slider of the other side on a line of `color`'s king, and a piece of either colour between the two.
    pub fn pin(&mut self, random: &mut Random<'_>, color: Color) {
        let Some(king) = self.setup.board.king_of(color) else { return };
        let straight = random.once_in(2);
        let (lines, sniper) = if straight {
            (attacks::rook_attacks(king, Bitboard::EMPTY), Role::Rook)
        } else {
            (attacks::bishop_attacks(king, Bitboard::EMPTY), Role::Bishop)
        };
        let sniper = if random.once_in(3) { Role::Queen } else { sniper };
        if let Some(at) = self.put(random, !color, sniper, lines & !attacks::king_attacks(king)) {
            let side = if random.once_in(3) { !color } else { color };
            let role = random.pick(&PIECES);
            let between = attacks::between(king, at);
            self.put(random, side, role, between);
            // A second piece: when it leaves the line, the first is pinned.
            if random.once_in(3) {
                self.put_one(random, !side, &OFFICERS, between);
            }
        }
    }

    /// Puts a knight at the edge among pieces of its own.
    pub fn shut_in_knight(&mut self, random: &mut Random<'_>, color: Color) {
        let among = random.pick(&[Bitboard::CORNERS, EDGE]);
        if let Some(at) = self.put(random, color, Role::Knight, among) {
            for to in attacks::knight_attacks(at) & self.free() {
                let roles = [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook];
                self.put_one(random, color, &roles, Bitboard::from(to));
            }
        }
    }

    pub fn kings(&mut self, random: &mut Random<'_>) -> Option<()> {
        for color in Color::ALL {
            if self.setup.board.king_of(color).is_none() {
                self.put(random, color, Role::King, Bitboard::FULL)?;
            }
        }
        Some(())
    }

    pub fn finish(self) -> Option<Position<'static>> {
        Position::from_setup(self.setup).ok()
    }
}

/// A king with up to three rooks, some of which may castle: of two on a side, either.
pub fn home(sketch: &mut Sketch, color: Color, random: &mut Random<'_>) -> Option<Square> {
    let rank = color.backrank();
    let king = Square::from_coords(random.pick(&File::ALL), rank);
    if sketch.setup.board.piece_at(king).is_some() {
        return None;
    }
    sketch.set(king, color, Role::King);
    for _ in 0..random.between(1, 3) {
        sketch.put(random, color, Role::Rook, Bitboard::from(rank));
    }
    let rooks = sketch.setup.board.by_piece(color.rook()) & rank;
    let (left, right) = rooks.into_iter().partition::<Bitboard, _>(|rook| *rook < king);
    for side in [left, right] {
        if random.below(4) > 0 {
            sketch.setup.castling_rights.extend(one_of(side, random));
        }
    }
    Some(king)
}
