//! Sides that can hardly move: mates and stalemates, and how they come about.

use shakmaty::{Bitboard, Color, File, Piece, Role, Setup, Square, attacks};

use super::sketch::{EDGE, PIECES, Sketch, color, home, near, one_of, ranks, seen};
use crate::fuzz::random::Random;
use betacut_core::{checks::pawn_pushes, position::Position, score::Score};

/// A king that can hardly move, where the rook arrives.
pub(super) fn castling_mate(random: &mut Random<'_>, chess960: bool) -> Option<Position<'static>> {
    let us = color(random);
    let mut sketch = Sketch::new(!us);
    let file = if chess960 {
        home(&mut sketch, us, random)?;
        random.pick(&[File::D, File::F])
    } else {
        sketch.set(seen(us, Square::E1), us, Role::King);
        let (rook, file) = random.pick(&[(Square::A1, File::D), (Square::H1, File::F)]);
        let rook = seen(us, rook);
        sketch.set(rook, us, Role::Rook);
        sketch.setup.castling_rights.add(rook);
        file
    };
    let first = Bitboard::from(us.backrank());
    let among = if random.once_in(4) { first } else { Bitboard::from(file) & !first };
    let king = sketch.put(random, !us, Role::King, among)?;
    for _ in 0..random.below(6) {
        sketch.put_one(random, !us, &PIECES, near(king) & !first & !Bitboard::from(file));
    }
    for _ in 0..random.below(3) {
        sketch.put_one(random, us, &PIECES, !first & !Bitboard::from(file));
    }
    let few = random.below(3);
    let mut setup = freeze(sketch.setup, few, random)?;
    setup.turn = us;
    Position::from_setup(setup).ok()
}

pub(super) fn mate(random: &mut Random<'_>) -> Option<Position<'static>> {
    if random.once_in(3) {
        return mate_in_one(random);
    }
    let us = color(random);
    let mut sketch = Sketch::new(if random.once_in(3) { !us } else { us });
    let among = if random.once_in(3) { Bitboard::CORNERS } else { EDGE };
    let king = sketch.put(random, !us, Role::King, among)?;
    let among = if random.once_in(2) { near(king) } else { Bitboard::FULL };
    sketch.put(random, us, Role::King, among)?;
    for _ in 0..random.between(1, 4) {
        let roles = [Role::Queen, Role::Rook, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
        sketch.put_one(random, us, &roles, Bitboard::FULL);
    }
    // Their own pieces are in the king's way.
    for _ in 0..random.below(4) {
        let role = random.pick(&PIECES);
        let among = if random.once_in(3) { Bitboard::FULL } else { near(king) };
        sketch.put(random, !us, role, among);
    }
    sketch.finish()
}

/// A side that can hardly move is mated by whatever gives check.
fn mate_in_one(random: &mut Random<'_>) -> Option<Position<'static>> {
    let us = color(random);
    let mut sketch = Sketch::new(!us);
    let among = random.pick(&[EDGE, Bitboard::FULL]);
    let king = sketch.put(random, !us, Role::King, among)?;
    sketch.kings(random)?;
    for _ in 0..random.below(6) {
        sketch.put_one(random, !us, &PIECES, near(king));
    }
    for _ in 0..random.between(1, 5) {
        let role = random.pick(&PIECES);
        let among = if random.once_in(3) { ranks(us, 2, 3) } else { Bitboard::FULL };
        sketch.put(random, us, role, among);
    }
    let few = random.below(3);
    let mut setup = freeze(sketch.setup, few, random)?;
    setup.turn = us;
    Position::from_setup(setup).ok()
}

pub(super) fn stalemate(random: &mut Random<'_>) -> Option<Position<'static>> {
    let them = color(random);
    let mut sketch = Sketch::new(them);
    // 1. Their king, mostly at the edge, among pinned pieces and others of its own; a few of ours.
    let among = random.pick(&[EDGE, EDGE, Bitboard::CORNERS, Bitboard::FULL]);
    let king = sketch.put(random, them, Role::King, among)?;
    sketch.kings(random)?;
    // What is pinned can move as little as what is shut in.
    for _ in 0..random.pick(&[0, 0, 1, 1, 2, 3]) {
        sketch.pin(random, them);
    }
    let roles = [Role::Pawn, Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    for _ in 0..random.below(8) {
        let role = random.pick(&roles);
        let among = if random.once_in(3) { Bitboard::FULL } else { near(king) };
        sketch.put(random, them, role, among);
    }
    for _ in 0..random.below(3) {
        sketch.put_one(random, !them, &PIECES, Bitboard::FULL);
    }
    if random.once_in(5) {
        sketch.shut_in_knight(random, them);
    }
    // 2. Take their moves away, one by one.
    let few = if random.once_in(3) { random.between(1, 2) } else { 0 };
    let mut setup = freeze(sketch.setup, few, random)?;
    // 3. A draw is worth most to a side that is far behind, and counts most where the score is near 0.
    let small = 10 * random.between(0, 20) as Score - 100;
    let goal = random.pick(&[None, Some(3000), Some(3000), Some(small), Some(small), Some(-3000)]);
    if let Some(goal) = goal {
        setup = weigh(setup, goal, few, random);
    }
    // 4. A move or some moves earlier.
    if random.once_in(3) {
        // A reply that freezes, after a quiet move of a piece that cannot move again.
        setup = rewind(&setup, Rewound::Any, random)?;
        setup = rewind(&setup, Rewound::QuietOfficer, random)?;
    } else {
        for _ in 0..random.pick(&[0, 1, 1, 1, 2, 3]) {
            setup = rewind(&setup, Rewound::Any, random)?;
        }
    }
    Position::from_setup(setup).ok()
}

/// Changes a position until its side to move, which is not in check, has at most `few` moves; none if that fails.
fn freeze(mut setup: Setup, few: usize, random: &mut Random<'_>) -> Option<Setup> {
    let them = setup.turn;
    let mut moves = quiet_moves(&setup)?;
    for _ in 0..40 {
        if moves.len() <= few {
            return Some(setup);
        }
        let m = random.pick(&moves);
        let (Some(from), to) = (m.from(), m.to()) else { continue };
        let mut other = setup.clone();
        if m.role() == Role::King {
            // Guard the square, or stand on it.
            if random.once_in(4) && !m.is_capture() {
                let role = random.pick(&PIECES);
                if role != Role::Pawn || ranks(them, 2, 7).contains(to) {
                    other.board.set_piece_at(to, Piece { color: them, role });
                }
            } else {
                let role = random.pick(&PIECES);
                let at = one_of(guards(role, !them, to) & !other.board.occupied(), random);
                let Some(at) = at else { continue };
                other.board.set_piece_at(at, Piece { color: !them, role });
            }
        } else if random.once_in(4) {
            other.board.discard_piece_at(from);
            other.castling_rights.discard(from);
        } else if m.is_capture() {
            other.board.discard_piece_at(to);
        } else {
            // Stand in the way: a piece of theirs, or one of ours before a pawn.
            let color = if m.role() == Role::Pawn && random.below(3) > 0 { !them } else { them };
            let role = if random.once_in(3) { random.pick(&PIECES) } else { Role::Pawn };
            if role == Role::Pawn && !ranks(color, 2, 7).contains(to) {
                continue;
            }
            other.board.set_piece_at(to, Piece { color, role });
        }
        if let Some(left) = quiet_moves(&other) {
            // Rarely a step back.
            if left.len() <= moves.len() || random.once_in(4) {
                (setup, moves) = (other, left);
            }
        }
    }
    None
}

/// Exchanges and takes away pieces, as long as what is frozen stays so, to bring its score near a goal.
fn weigh(mut setup: Setup, goal: Score, few: usize, random: &mut Random<'_>) -> Setup {
    let distance = |setup: &Setup| {
        let position = Position::from_setup(setup.clone()).ok()?;
        let frozen = !position.is_check() && position.legal_moves().count() <= few;
        let sign = setup.turn.fold_wb(1, -1);
        frozen.then(|| (sign * position.score() - goal).abs())
    };
    let mut least = distance(&setup).unwrap_or(Score::MAX);
    for _ in 0..24 {
        let Some(at) = one_of(setup.board.occupied() & !setup.board.kings(), random) else { break };
        let Some(piece) = setup.board.piece_at(at) else { break };
        let mut other = setup.clone();
        other.board.discard_piece_at(at);
        other.castling_rights.discard(at);
        if random.below(4) > 0 {
            let role = random.pick(&PIECES);
            if role == Role::Pawn && !ranks(piece.color, 2, 7).contains(at) {
                continue;
            }
            other.board.set_piece_at(at, Piece { role, ..piece });
        }
        if let Some(distance) = distance(&other)
            && distance < least
        {
            (setup, least) = (other, distance);
        }
    }
    setup
}

/// The legal moves, if the position is valid and the side to move is not in check.
fn quiet_moves(setup: &Setup) -> Option<Vec<shakmaty::Move>> {
    let position = Position::from_setup(setup.clone()).ok()?;
    if position.is_check() { None } else { Some(position.legal_moves().collect()) }
}

/// The squares from which a piece may guard a square, if nothing is between.
fn guards(role: Role, color: Color, at: Square) -> Bitboard {
    match role {
        Role::Pawn => attacks::pawn_attacks(!color, at) & ranks(color, 2, 7),
        Role::Knight => attacks::knight_attacks(at),
        Role::Bishop => attacks::bishop_attacks(at, Bitboard::EMPTY),
        Role::Rook => attacks::rook_attacks(at, Bitboard::EMPTY),
        Role::Queen => attacks::queen_attacks(at, Bitboard::EMPTY),
        Role::King => attacks::king_attacks(at),
    }
}

/// Which moves are taken back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rewound {
    Any,
    QuietOfficer,
}

/// A position from which a move leads to this one, perhaps with a piece that the move took.
fn rewind(setup: &Setup, what: Rewound, random: &mut Random<'_>) -> Option<Setup> {
    let side = !setup.turn;
    for _ in 0..20 {
        let occupied = setup.board.occupied();
        let quiet = what == Rewound::QuietOfficer;
        let few = if quiet { setup.board.pawns() | setup.board.kings() } else { Bitboard::EMPTY };
        let mut movers = setup.board.by_color(side) & !few;
        // Rather what stands before a pawn of the side that is frozen.
        let frozen = if quiet { side } else { !side };
        let before = pawn_pushes(setup.board.by_piece(frozen.pawn()), frozen);
        if movers.intersects(before) && random.once_in(2) {
            movers &= before;
        }
        let to = one_of(movers, random)?;
        let role = setup.board.role_at(to)?;
        let back = side.fold_wb(-8, 8);
        let origins = match role {
            Role::Pawn => {
                let once = to.offset(back).map_or(Bitboard::EMPTY, Bitboard::from) & !occupied;
                let sides = attacks::pawn_attacks(!side, to);
                (once | sides) & ranks(side, 2, 6)
            }
            role => attacks::attacks(to, role.of(side), occupied),
        };
        let Some(from) = one_of(origins & !occupied, random) else { continue };
        let mut other = setup.clone();
        other.board.discard_piece_at(to);
        other.board.set_piece_at(from, Piece { color: side, role });
        other.turn = side;
        other.ep_square = None;
        let straight_pawn = role == Role::Pawn && from.file() == to.file();
        if !straight_pawn && !quiet && (role == Role::Pawn || random.once_in(2)) {
            let taken = random.pick(&PIECES);
            if taken == Role::Pawn && !ranks(!side, 2, 7).contains(to) {
                continue;
            }
            other.board.set_piece_at(to, Piece { color: !side, role: taken });
        }
        if Position::from_setup(other.clone()).is_ok() {
            // Rather a move that takes the last reply away than one among many.
            let mut before = other.clone();
            before.turn = !side;
            let changes = quiet_moves(&before).is_none_or(|moves| !moves.is_empty());
            if changes || random.once_in(3) {
                return Some(other);
            }
        }
    }
    None
}
