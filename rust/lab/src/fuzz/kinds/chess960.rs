//! Chess960: kings and rooks that castle from anywhere, and games from its starting positions.

use shakmaty::{Bitboard, Color, File, Role, Square};

use super::frozen::castling_mate;
use super::sketch::{PIECES, Sketch, color, home, random_moves};
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
