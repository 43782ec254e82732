//! Positions that make a search stumble, by kind.
//!
//! # The idea
//!
//! Positions of real games hardly ever meet the corners that a proof overlooks: a stalemate by the capture of the last
//! piece that can move, a rook that castles into a check, a capture that changes the table of both kings. So each kind
//! puts pieces on the board at random, but close to its corner case, and lets the rules decide whether the position is
//! valid. A position one or two plies from the corner case is worth as much as the corner case itself.
//!
//! # What can go wrong
//!
//! A kind that drifts away from its corner case still yields valid positions, and finds no difference. The check in
//! `docs/verification.md` shows that the kinds do their work: break a proof on purpose, and see it found.

use shakmaty::{Bitboard, Color, File, Piece, Rank, Role, Setup, Square, attacks};

use super::random::Random;
use betacut_core::checks::pawn_pushes;
use betacut_core::position::Position;
use betacut_core::score::Score;

/// What a position is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Random moves from the positions that the tests search.
    RandomPlay,
    /// A few pieces anywhere.
    Sparse,
    /// Pawns about to promote, on both sides.
    Promotion,
    /// Pawns about to promote where a knight, a rook or a bishop may be better than a queen.
    UnderPromotion,
    /// En passant: pinned along a rank or a diagonal, and as the only way out of check.
    EnPassant,
    /// Castling through, out of and into attack, with some of the rights.
    Castling,
    /// Any other kind with a halfmove clock from 90 to 100.
    Clock,
    /// A king in the corner, and pieces to mate or stalemate it.
    Mate,
    /// Pieces that can hardly move: blocked pawns, shut-in pieces.
    Stalemate,
    /// One capture or promotion away from the endgame, or from the middlegame again.
    Phase,
    /// A side in check or with few moves.
    Forced,
    /// Many queens.
    Queens,
    /// At most five men, most of them minor pieces.
    DeadMaterial,
    /// Pins and discovered checks on all lines of both kings.
    Pins,
    /// Any other kind with more men, for what is proved only where many are left.
    Crowded,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 15] = [
        Kind::RandomPlay,
        Kind::Sparse,
        Kind::Promotion,
        Kind::UnderPromotion,
        Kind::EnPassant,
        Kind::Castling,
        Kind::Clock,
        Kind::Mate,
        Kind::Stalemate,
        Kind::Phase,
        Kind::Forced,
        Kind::Queens,
        Kind::DeadMaterial,
        Kind::Pins,
        Kind::Crowded,
    ];

    /// All kinds but the crowded one.
    const UNCROWDED: &[Kind] = Kind::ALL.split_at(Kind::ALL.len() - 1).0;

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::RandomPlay => "random-play",
            Kind::Sparse => "sparse",
            Kind::Promotion => "promotion",
            Kind::UnderPromotion => "under-promotion",
            Kind::EnPassant => "en-passant",
            Kind::Castling => "castling",
            Kind::Clock => "clock",
            Kind::Mate => "mate",
            Kind::Stalemate => "stalemate",
            Kind::Phase => "phase",
            Kind::Forced => "forced",
            Kind::Queens => "queens",
            Kind::DeadMaterial => "dead-material",
            Kind::Pins => "pins",
            Kind::Crowded => "crowded",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

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

const PIECES: [Role; 6] = [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
const OFFICERS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
const MAJORS: [Role; 2] = [Role::Rook, Role::Queen];
const EDGE: Bitboard = Bitboard(0xff81_8181_8181_81ff);
const CENTRE: Bitboard = Bitboard(0x003c_3c3c_3c3c_3c00);

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
        Kind::Crowded => crowded(random),
    }
}

/// Positions that differ from one in something easily forgotten: the clock, a castling right, the en passant square,
/// the side to move, a pawn's first step. A table that confuses them gives a wrong value.
pub fn relatives(position: &Position, random: &mut Random<'_>) -> Vec<Position<'static>> {
    let setup = setup_of(position);
    let mut found = Vec::new();
    for _ in 0..random.between(1, 3) {
        let mut other = setup.clone();
        match random.below(7) {
            0 => other.halfmoves = if random.once_in(3) { 0 } else { random.between(90, 100) as u32 },
            1 if setup.castling_rights.any() => {
                other.castling_rights = some(setup.castling_rights, random);
            }
            2 if setup.ep_square.is_some() => other.ep_square = None,
            3 => {
                other.turn = !other.turn;
                other.ep_square = None;
            }
            4 => {
                // A king that goes where it might have castled to.
                let king = seen(other.turn, Square::E1);
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

/// What a position was made of.
pub fn setup_of(position: &Position) -> Setup {
    shakmaty::Position::to_setup(position.chess(), shakmaty::EnPassantMode::PseudoLegal)
}

fn one_of(squares: Bitboard, random: &mut Random<'_>) -> Option<Square> {
    squares.into_iter().nth(random.below(squares.count().max(1)))
}

fn some(squares: Bitboard, random: &mut Random<'_>) -> Bitboard {
    squares.into_iter().filter(|_| random.once_in(2)).collect()
}

fn color(random: &mut Random<'_>) -> Color {
    Color::from_white(random.once_in(2))
}

/// The squares of these ranks as `color` counts them, its own back rank being 1.
fn ranks(color: Color, low: u32, high: u32) -> Bitboard {
    (low..=high)
        .fold(Bitboard::EMPTY, |all, rank| all | Bitboard::from(color.relative_rank(Rank::new(rank - 1))))
}

/// A square as White sees it, for `color`.
fn seen(color: Color, square: Square) -> Square {
    color.fold_wb(square, square.flip_vertical())
}

/// Squares within two king's steps.
fn near(square: Square) -> Bitboard {
    let once = attacks::king_attacks(square);
    once.into_iter().fold(once, |all, at| all | attacks::king_attacks(at))
}

/// A position in the making.
struct Sketch {
    setup: Setup,
}

impl Sketch {
    fn new(turn: Color) -> Sketch {
        let mut setup = Setup::empty();
        setup.turn = turn;
        Sketch { setup }
    }

    fn free(&self) -> Bitboard {
        !self.setup.board.occupied()
    }

    /// Puts a piece on one of these squares, if one is free.
    fn put(&mut self, random: &mut Random<'_>, color: Color, role: Role, among: Bitboard) -> Option<Square> {
        let allowed = if role == Role::Pawn { ranks(color, 2, 7) } else { Bitboard::FULL };
        let at = one_of(among & allowed & self.free(), random)?;
        self.set(at, color, role);
        Some(at)
    }

    fn set(&mut self, at: Square, color: Color, role: Role) {
        self.setup.board.set_piece_at(at, Piece { color, role });
    }

    /// Puts some pieces of either colour anywhere.
    fn scatter(&mut self, random: &mut Random<'_>, count: usize, roles: &[Role]) {
        for _ in 0..count {
            let (color, role) = (color(random), random.pick(roles));
            self.put(random, color, role, Bitboard::FULL);
        }
    }

    /// Puts a slider of the other side on a line of `color`'s king, and a piece of either colour between the two.
    fn pin(&mut self, random: &mut Random<'_>, color: Color) {
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
                let role = random.pick(&OFFICERS);
                self.put(random, !side, role, between);
            }
        }
    }

    /// Puts a knight at the edge among pieces of its own.
    fn shut_in_knight(&mut self, random: &mut Random<'_>, color: Color) {
        let among = random.pick(&[Bitboard::CORNERS, EDGE]);
        if let Some(at) = self.put(random, color, Role::Knight, among) {
            for to in attacks::knight_attacks(at) & self.free() {
                let role = random.pick(&[Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook]);
                self.put(random, color, role, Bitboard::from(to));
            }
        }
    }

    fn kings(&mut self, random: &mut Random<'_>) -> Option<()> {
        for color in Color::ALL {
            if self.setup.board.king_of(color).is_none() {
                self.put(random, color, Role::King, Bitboard::FULL)?;
            }
        }
        Some(())
    }

    fn finish(self) -> Option<Position<'static>> {
        Position::from_setup(self.setup).ok()
    }
}

fn random_play(random: &mut Random<'_>) -> Position<'static> {
    let start = random.pick(&STARTS);
    let mut position = Position::from_fen(start).unwrap_or_else(|_| Position::initial());
    for _ in 0..random.below(40) {
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

fn sparse(random: &mut Random<'_>) -> Option<Position<'static>> {
    let mut sketch = Sketch::new(color(random));
    sketch.kings(random)?;
    let count = random.between(1, 6);
    sketch.scatter(random, count, &PIECES);
    sketch.finish()
}

fn promotion(random: &mut Random<'_>) -> Option<Position<'static>> {
    let mut sketch = Sketch::new(color(random));
    sketch.kings(random)?;
    for color in Color::ALL {
        for _ in 0..random.between(0, 3) {
            let low = random.between(4, 7) as u32;
            sketch.put(random, color, Role::Pawn, ranks(color, low, 7));
        }
    }
    let count = random.below(4);
    sketch.scatter(random, count, &OFFICERS);
    sketch.finish()
}

fn under_promotion(random: &mut Random<'_>) -> Option<Position<'static>> {
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
        let role = random.pick(&PIECES);
        sketch.put(random, us, role, Bitboard::FULL);
    }
    sketch.finish()
}

fn en_passant(random: &mut Random<'_>) -> Option<Position<'static>> {
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
        let role = if random.once_in(2) {
            Role::Queen
        } else if straight {
            Role::Rook
        } else {
            Role::Bishop
        };
        sketch.put(random, !us, role, beyond);
    }
    // 4. Guards around the king, so that the capture may be the only move; the rest.
    for _ in 0..random.below(4) {
        let role = random.pick(&OFFICERS);
        sketch.put(random, !us, role, !reserved);
    }
    let their_king = if random.once_in(3) { near(target) } else { Bitboard::FULL };
    sketch.put(random, !us, Role::King, their_king & !reserved)?;
    for _ in 0..random.below(3) {
        let (color, role) = (color(random), random.pick(&PIECES));
        sketch.put(random, color, role, !reserved);
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

fn castling(random: &mut Random<'_>) -> Option<Position<'static>> {
    if random.once_in(3) {
        return castling_mate(random);
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

/// A king that can hardly move, where the rook arrives.
fn castling_mate(random: &mut Random<'_>) -> Option<Position<'static>> {
    let us = color(random);
    let mut sketch = Sketch::new(!us);
    sketch.set(seen(us, Square::E1), us, Role::King);
    let (rook, file) = random.pick(&[(Square::A1, File::D), (Square::H1, File::F)]);
    let rook = seen(us, rook);
    sketch.set(rook, us, Role::Rook);
    sketch.setup.castling_rights.add(rook);
    let first = Bitboard::from(us.backrank());
    let among = if random.once_in(4) { first } else { Bitboard::from(file) & !first };
    let king = sketch.put(random, !us, Role::King, among)?;
    for _ in 0..random.below(6) {
        let role = random.pick(&PIECES);
        sketch.put(random, !us, role, near(king) & !first & !Bitboard::from(file));
    }
    for _ in 0..random.below(3) {
        let role = random.pick(&PIECES);
        sketch.put(random, us, role, !first & !Bitboard::from(file));
    }
    let few = random.below(3);
    let mut setup = freeze(sketch.setup, few, random)?;
    setup.turn = us;
    Position::from_setup(setup).ok()
}

fn clock(random: &mut Random<'_>) -> Option<Position<'static>> {
    let kind = random.pick(Kind::UNCROWDED);
    if kind == Kind::Clock {
        return None;
    }
    let position = attempt(kind, random)?;
    let mut setup = setup_of(&position);
    // At 98 the game ends within two plies, the depth at which most is proved.
    setup.halfmoves = random.pick(&[90, 92, 94, 95, 96, 97, 97, 98, 98, 98, 98, 99, 99, 100]);
    Position::from_setup(setup).ok()
}

fn mate(random: &mut Random<'_>) -> Option<Position<'static>> {
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
        let role =
            random.pick(&[Role::Queen, Role::Rook, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn]);
        sketch.put(random, us, role, Bitboard::FULL);
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
        let role = random.pick(&PIECES);
        sketch.put(random, !us, role, near(king));
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

fn stalemate(random: &mut Random<'_>) -> Option<Position<'static>> {
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
        let role = random.pick(&PIECES);
        sketch.put(random, !them, role, Bitboard::FULL);
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

fn phase(random: &mut Random<'_>) -> Option<Position<'static>> {
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

fn forced(random: &mut Random<'_>) -> Option<Position<'static>> {
    let us = color(random);
    let mut sketch = Sketch::new(us);
    sketch.kings(random)?;
    for _ in 0..random.between(1, 4) {
        let role = random.pick(&[Role::Queen, Role::Rook, Role::Bishop, Role::Knight]);
        sketch.put(random, !us, role, Bitboard::FULL);
    }
    for _ in 0..random.below(5) {
        let role = random.pick(&PIECES);
        sketch.put(random, us, role, Bitboard::FULL);
    }
    for _ in 0..random.below(3) {
        sketch.put(random, !us, Role::Pawn, Bitboard::FULL);
    }
    sketch.finish().filter(|position| position.is_check() || position.legal_moves().count() <= 5)
}

fn queens(random: &mut Random<'_>) -> Option<Position<'static>> {
    let mut sketch = Sketch::new(color(random));
    sketch.kings(random)?;
    for _ in 0..random.between(2, 6) {
        let (color, role) =
            (color(random), if random.once_in(4) { random.pick(&MAJORS) } else { Role::Queen });
        sketch.put(random, color, role, Bitboard::FULL);
    }
    let count = random.below(5);
    sketch.scatter(random, count, &PIECES);
    sketch.finish()
}

fn dead_material(random: &mut Random<'_>) -> Option<Position<'static>> {
    let mut sketch = Sketch::new(color(random));
    sketch.kings(random)?;
    let count = random.between(0, 3);
    sketch.scatter(
        random,
        count,
        &[Role::Knight, Role::Bishop, Role::Knight, Role::Bishop, Role::Pawn, Role::Rook],
    );
    sketch.finish()
}

fn pins(random: &mut Random<'_>) -> Option<Position<'static>> {
    let mut sketch = Sketch::new(color(random));
    sketch.kings(random)?;
    for color in Color::ALL {
        for _ in 0..random.between(1, 3) {
            sketch.pin(random, color);
        }
    }
    let count = random.below(5);
    sketch.scatter(random, count, &PIECES);
    sketch.finish()
}

/// A position of another kind with more men.
fn crowded(random: &mut Random<'_>) -> Option<Position<'static>> {
    let kind = random.pick(Kind::UNCROWDED);
    let mut sketch = Sketch { setup: setup_of(&attempt(kind, random)?) };
    for color in Color::ALL {
        // Pawns that do not promote soon, and what stands around the king.
        for _ in 0..random.below(4) {
            sketch.put(random, color, Role::Pawn, ranks(color, 2, 5));
        }
        let king = sketch.setup.board.king_of(color)?;
        for _ in 0..random.below(3) {
            let role = random.pick(&PIECES);
            sketch.put(random, color, role, near(king));
        }
    }
    let count = random.below(6);
    sketch.scatter(random, count, &PIECES);
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
