//! Chess960: kings and rooks that castle from anywhere, and games from its starting positions.

use shakmaty::{Bitboard, Color, File, Role, Square};

use super::frozen::castling_mate;
use super::random_moves;
use super::sketch::{PIECES, Sketch, color, one_of};
use crate::fuzz::random::Random;
use betacut_core::position::Position;

pub(super) fn chess960(random: &mut Random<'_>) -> Option<Position<'static>> {
    match random.below(4) {
        0 => castling_mate(random, true),
        1 => Some(random_moves(start(random)?, 24, random)),
        _ => at_home(random),
    }
}

/// Kings and rooks on their first ranks, with some of the rights, and what attacks and blocks.
fn at_home(random: &mut Random<'_>) -> Option<Position<'static>> {
    let us = color(random);
    let mut sketch = Sketch::new(if random.once_in(3) { !us } else { us });
    let both = random.once_in(2);
    for color in [us, !us] {
        if color == us || both {
            home(&mut sketch, color, random)?;
        } else {
            let among = random.pick(&[Bitboard::from(us.backrank()), Bitboard::FULL]);
            sketch.put(random, color, Role::King, among)?;
        }
    }
    // The squares between mostly stay free.
    let paths = Bitboard::from(us.backrank()) | Bitboard::from((!us).backrank());
    let bound = random.pick(&[9, 9, 20]);
    for _ in 0..random.below(bound) {
        let color = color(random);
        let role = random.pick(&PIECES);
        let among = if random.once_in(6) { Bitboard::FULL } else { !paths };
        sketch.put(random, color, role, among);
    }
    if random.once_in(6) {
        sketch.setup.halfmoves = random.between(94, 100) as u32;
    }
    sketch.finish()
}

/// A king with up to three rooks, some of which may castle: of two on a side, either.
pub(super) fn home(sketch: &mut Sketch, color: Color, random: &mut Random<'_>) -> Option<Square> {
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

/// One of the 960.
fn start(random: &mut Random<'_>) -> Option<Position<'static>> {
    let mut rank = [Role::Pawn; 8];
    // 1. Bishops on squares of either colour, the queen and the knights anywhere.
    rank[2 * random.below(4)] = Role::Bishop;
    rank[2 * random.below(4) + 1] = Role::Bishop;
    for role in [Role::Queen, Role::Knight, Role::Knight] {
        let free: Vec<_> = (0..8).filter(|&file| rank[file] == Role::Pawn).collect();
        rank[random.pick(&free)] = role;
    }
    // 2. The king between the rooks.
    let left = rank.iter_mut().filter(|role| **role == Role::Pawn);
    for (place, role) in left.zip([Role::Rook, Role::King, Role::Rook]) {
        *place = role;
    }
    let mut sketch = Sketch::new(Color::White);
    for color in Color::ALL {
        for (file, role) in File::ALL.into_iter().zip(rank) {
            let home = Square::from_coords(file, color.backrank());
            sketch.set(home, color, role);
            if role == Role::Rook {
                sketch.setup.castling_rights.add(home);
            }
            sketch.set(
                Square::from_coords(file, color.relative_rank(shakmaty::Rank::Second)),
                color,
                Role::Pawn,
            );
        }
    }
    sketch.finish()
}
