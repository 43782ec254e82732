//! Pieces at random around a corner case.

use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};

use super::frozen::castling_mate;
use super::sketch::{CENTRE, MAJORS, OFFICERS, PIECES, Sketch, color, near, ranks, seen};
use crate::fuzz::random::Random;
use betacut_core::position::Position;

pub(super) fn sparse(random: &mut Random<'_>) -> Option<Position<'static>> {
    let mut sketch = Sketch::new(color(random));
    sketch.kings(random)?;
    sketch.scatter(random, 1, 6, &PIECES);
    sketch.finish()
}

pub(super) fn promotion(random: &mut Random<'_>) -> Option<Position<'static>> {
    let mut sketch = Sketch::new(color(random));
    sketch.kings(random)?;
    for color in Color::ALL {
        for _ in 0..random.between(0, 3) {
            let low = random.between(4, 7) as u32;
            sketch.put(random, color, Role::Pawn, ranks(color, low, 7));
        }
    }
    sketch.scatter(random, 0, 4, &OFFICERS);
    sketch.finish()
}

pub(super) fn under_promotion(random: &mut Random<'_>) -> Option<Position<'static>> {
    let us = color(random);
    let mut sketch = Sketch::new(if random.once_in(4) { !us } else { us });
    let king = sketch.put(random, !us, Role::King, ranks(us, 5, 8))?;
    sketch.put(random, us, Role::King, near(king) | ranks(us, 6, 6))?;
    for _ in 0..random.between(1, 3) {
        sketch.put(random, us, Role::Pawn, ranks(us, 7, 7));
    }
    for _ in 0..random.below(4) {
        // What stands on the last rank may be taken by the pawn; the rest shuts the king in.
        let (role, among) = if random.once_in(2) {
            (random.pick(&OFFICERS), ranks(us, 8, 8))
        } else {
            (random.pick(&PIECES), near(king))
        };
        sketch.put(random, !us, role, among);
    }
    if random.once_in(3) {
        sketch.put_one(random, us, &PIECES, Bitboard::FULL);
    }
    sketch.finish()
}

pub(super) fn en_passant(random: &mut Random<'_>) -> Option<Position<'static>> {
    let us = color(random);
    let mut sketch = Sketch::new(us);
    // 1. The pawn that has just made its double step, and one or two that may take it.
    let file = File::new(random.below(8) as u32);
    let on = |file: File, rank: Rank| Square::from_coords(file, us.relative_rank(rank));
    let (victim, target) = (on(file, Rank::Fifth), on(file, Rank::Sixth));
    let origin = on(file, Rank::Seventh);
    sketch.set(victim, !us, Role::Pawn);
    let mut takers = Bitboard::EMPTY;
    for beside in [file.offset(-1), file.offset(1)].into_iter().flatten() {
        if takers.is_empty() || random.once_in(3) {
            takers.add(on(beside, Rank::Fifth));
        }
    }
    if takers.more_than_one() && random.once_in(2) {
        takers.discard_first();
    }
    for taker in takers {
        sketch.set(taker, us, Role::Pawn);
    }
    let reserved = Bitboard::from(target) | Bitboard::from(origin);
    // 2. Our king: on the rank, on a diagonal of a pawn that goes, in check by the pawn, or anywhere.
    let taker = takers.first()?;
    let gone = random.pick(&[victim, taker, origin]);
    let king_squares = match random.below(5) {
        0 => Bitboard::from(us.relative_rank(Rank::Fifth)),
        1 => attacks::bishop_attacks(gone, Bitboard::EMPTY),
        2 => attacks::pawn_attacks(!us, victim),
        3 => attacks::rook_attacks(gone, Bitboard::EMPTY),
        _ => Bitboard::FULL,
    };
    let king = sketch.put(random, us, Role::King, king_squares & !reserved)?;
    // 3. Their slider on the other side of a pawn that goes, seen from the king.
    if random.below(4) > 0 {
        let line = attacks::ray(king, gone);
        let beyond = line & !attacks::between(king, gone) & !reserved;
        let straight = king.file() == gone.file() || king.rank() == gone.rank();
        let slider = if straight { Role::Rook } else { Role::Bishop };
        let role = if random.once_in(2) { Role::Queen } else { slider };
        sketch.put(random, !us, role, beyond);
    }
    // 4. Guards around the king, so that the capture may be the only move; the rest.
    for _ in 0..random.below(4) {
        sketch.put_one(random, !us, &OFFICERS, !reserved);
    }
    let their_king = if random.once_in(3) { near(target) } else { Bitboard::FULL };
    sketch.put(random, !us, Role::King, their_king & !reserved)?;
    for _ in 0..random.below(3) {
        let color = color(random);
        sketch.put_one(random, color, &PIECES, !reserved);
    }
    // 5. Before the double step or after it.
    if random.once_in(3) {
        sketch.setup.board.discard_piece_at(victim);
        sketch.set(origin, !us, Role::Pawn);
        sketch.setup.turn = !us;
    } else {
        sketch.setup.ep_square = Some(target);
    }
    sketch.finish()
}

pub(super) fn castling(random: &mut Random<'_>) -> Option<Position<'static>> {
    if random.once_in(3) {
        return castling_mate(random, false);
    }
    let us = color(random);
    let mut sketch = Sketch::new(if random.once_in(3) { !us } else { us });
    // 1. Both sides at home, or only ours.
    let both = random.once_in(2);
    for color in [us, !us] {
        if color == us || both {
            sketch.set(seen(color, Square::E1), color, Role::King);
            for corner in [Square::A1, Square::H1] {
                if random.below(4) > 0 {
                    let corner = seen(color, corner);
                    sketch.set(corner, color, Role::Rook);
                    if random.below(4) > 0 {
                        sketch.setup.castling_rights.add(corner);
                    }
                }
            }
        }
    }
    if !both {
        // On the files where the rook arrives, or on the first rank, it may be in check.
        let files = Bitboard::from(File::D) | Bitboard::from(File::F);
        let squares = random.pick(&[files, ranks(us, 1, 2), Bitboard::FULL]);
        sketch.put(random, !us, Role::King, squares)?;
    }
    // 2. What attacks, blocks and is attacked; the squares between mostly stay free.
    let paths = Bitboard::from(us.backrank()) | Bitboard::from((!us).backrank());
    for _ in 0..random.below(9) {
        let color = color(random);
        let role = random.pick(&PIECES);
        let among = if random.once_in(6) { Bitboard::FULL } else { !paths };
        sketch.put(random, color, role, among);
    }
    sketch.finish()
}

pub(super) fn phase(random: &mut Random<'_>) -> Option<Position<'static>> {
    let mut sketch = Sketch::new(color(random));
    for color in Color::ALL {
        // The two tables of the king differ most in the centre and on its first rank.
        let among = if random.once_in(2) { CENTRE } else { ranks(color, 1, 2) };
        sketch.put(random, color, Role::King, among)?;
        // A queen with next to nothing, or pieces without a queen.
        let roles: &[Role] = match random.below(8) {
            0 => &[Role::Queen],
            1 => &[Role::Queen, Role::Rook],
            2 => &[Role::Queen, Role::Knight],
            3 => &[Role::Queen, Role::Bishop, Role::Knight],
            4 => &[Role::Queen, Role::Rook, Role::Bishop],
            5 => &[Role::Queen, Role::Queen, Role::Bishop, Role::Bishop],
            6 => &[Role::Rook, Role::Knight],
            _ => &[Role::Rook, Role::Rook, Role::Bishop],
        };
        for &role in roles {
            sketch.put(random, color, role, Bitboard::FULL);
        }
        for _ in 0..random.below(3) {
            let among = if random.once_in(3) { ranks(color, 7, 7) } else { Bitboard::FULL };
            sketch.put(random, color, Role::Pawn, among);
        }
    }
    sketch.finish()
}

pub(super) fn forced(random: &mut Random<'_>) -> Option<Position<'static>> {
    let us = color(random);
    let mut sketch = Sketch::new(us);
    sketch.kings(random)?;
    for _ in 0..random.between(1, 4) {
        sketch.put_one(random, !us, &[Role::Queen, Role::Rook, Role::Bishop, Role::Knight], Bitboard::FULL);
    }
    for _ in 0..random.below(5) {
        sketch.put_one(random, us, &PIECES, Bitboard::FULL);
    }
    for _ in 0..random.below(3) {
        sketch.put(random, !us, Role::Pawn, Bitboard::FULL);
    }
    sketch.finish().filter(|position| position.is_check() || position.legal_moves().count() <= 5)
}

pub(super) fn queens(random: &mut Random<'_>) -> Option<Position<'static>> {
    let mut sketch = Sketch::new(color(random));
    sketch.kings(random)?;
    for _ in 0..random.between(2, 6) {
        let (color, role) =
            (color(random), if random.once_in(4) { random.pick(&MAJORS) } else { Role::Queen });
        sketch.put(random, color, role, Bitboard::FULL);
    }
    sketch.scatter(random, 0, 5, &PIECES);
    sketch.finish()
}

pub(super) fn dead_material(random: &mut Random<'_>) -> Option<Position<'static>> {
    let mut sketch = Sketch::new(color(random));
    sketch.kings(random)?;
    let roles = [Role::Knight, Role::Bishop, Role::Knight, Role::Bishop, Role::Pawn, Role::Rook];
    sketch.scatter(random, 0, 4, &roles);
    sketch.finish()
}

pub(super) fn pins(random: &mut Random<'_>) -> Option<Position<'static>> {
    let mut sketch = Sketch::new(color(random));
    sketch.kings(random)?;
    for color in Color::ALL {
        for _ in 0..random.between(1, 3) {
            sketch.pin(random, color);
        }
    }
    sketch.scatter(random, 0, 5, &PIECES);
    sketch.finish()
}
