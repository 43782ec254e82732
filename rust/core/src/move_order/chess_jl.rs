//! The move order of Chess.jl 0.7.6, the canonical order of the textbook floor.
//!
//! Alpha-beta's node counts depend on the order of moves, so the order is part of the result. Squares are
//! ordered file by file, each from rank 8 to rank 1: a8 a7 … a1 b8 … h1; "by square" below means this order.
//! Promotions always come as queen, rook, bishop, knight.
//!
//! Out of check: pawn pushes, pawn captures, knights, bishops, rooks, queens, the king, castling, en passant.
//! In check: the king, then captures of the checker and interpositions, in an order that depends on the
//! checker. Chess.jl forgets en passant captures that block a slider's check; they are legal chess, so betacut
//! appends them.
//!
//! The moves themselves are those of shakmaty's generator (a test compares the two on every position it can
//! find); listing them in order directly is several times cheaper than sorting shakmaty's list.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, File, Move, MoveList, Position as _, Rank, Role, Square,
    attacks,
};

use super::python_chess::legal_en_passant;
use super::{PROMOTIONS, Sink, castling_rook, safe_for_king, step_back};
use crate::checks::{king, pawn_pushes, pinned};

/// The legal moves of a position in canonical order, generated one stage at a time.
///
/// After an early cutoff the rest is never generated. The end of the game plays no part: a position drawn by the
/// fifty-move rule or by material has moves.
///
/// `S` receives the moves of a stage: a list of moves, unless the caller wants to process them at once.
pub struct LegalMoves<'a, S = MoveList> {
    chess: &'a Chess,
    board: &'a Board,
    us: Color,
    king: Square,
    ours: Bitboard,
    theirs: Bitboard,
    checkers: Bitboard,
    pinned: Bitboard,
    stage: Stage,
    /// The moves of the current stage, and how many of them have been taken.
    moves: S,
    taken: usize,
}

/// What is listed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// All moves of a side in check; there are few.
    Evasions,
    PawnPushes,
    PawnCaptures,
    Pieces(Role),
    KingAndRest,
    Done,
}

impl<'a> LegalMoves<'a> {
    /// Looks at checks and pins; lists nothing yet.
    pub fn new(chess: &'a Chess) -> LegalMoves<'a> {
        LegalMoves::into_sink(chess, MoveList::new())
    }

    /// The moves that are listed but not yet taken; not empty as long as there are moves at all.
    pub fn listed(&mut self) -> &[Move] {
        while self.taken == self.moves.len() && self.stage != Stage::Done {
            self.taken = 0;
            self.next_stage();
        }
        &self.moves[self.taken..]
    }
}

impl<'a, S: Sink> LegalMoves<'a, S> {
    /// [`LegalMoves::new`] for moves that go into `sink`.
    #[inline(always)]
    pub fn into_sink(chess: &'a Chess, sink: S) -> LegalMoves<'a, S> {
        let board = chess.board();
        let us = chess.turn();
        let king = king(board, us);
        let checkers = chess.checkers();
        LegalMoves {
            chess,
            board,
            us,
            king,
            ours: board.by_color(us),
            theirs: board.by_color(!us),
            checkers,
            pinned: pinned(board, king, us),
            stage: if checkers.is_empty() { Stage::PawnPushes } else { Stage::Evasions },
            moves: sink,
            taken: 0,
        }
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// Lists the next stage, which may be empty. Returns whether there was one.
    #[inline(always)]
    pub fn another_stage(&mut self) -> bool {
        let more = self.stage != Stage::Done;
        if more {
            self.next_stage();
        }
        more
    }

    /// What the moves of the stage went into.
    pub fn sink(&mut self) -> &mut S {
        &mut self.moves
    }

    fn next_stage(&mut self) {
        self.moves.clear();
        let pawns = self.ours & self.board.pawns();
        self.stage = match self.stage {
            Stage::Evasions => {
                self.evasions();
                Stage::Done
            }
            Stage::PawnPushes => {
                // Unpinned pawns, and those on the king's file, which no pin along the file stops.
                let movable = pawns & (!self.pinned | Bitboard::from_file(self.king.file()));
                self.pushes(movable, Bitboard::FULL);
                Stage::PawnCaptures
            }
            Stage::PawnCaptures => {
                // Unpinned pawns, first toward the a-file; then the pinned along their pin.
                self.captures_of_free_pawns(pawns & !self.pinned);
                for from in by_square(pawns & self.pinned) {
                    let along = attacks::ray(self.king, from);
                    for to in by_square(attacks::pawn_attacks(self.us, from) & self.theirs & along) {
                        self.pawn_move(from, to);
                    }
                }
                Stage::Pieces(Role::Knight)
            }
            Stage::Pieces(role) => {
                // The unpinned, then the pinned along their pin; a pinned knight has no move.
                self.pieces(role, !self.ours);
                if role != Role::Knight {
                    for from in by_square(self.board.by_role(role) & self.ours & self.pinned) {
                        self.piece_moves(role, from, !self.ours & attacks::ray(self.king, from));
                    }
                }
                match role {
                    Role::Knight => Stage::Pieces(Role::Bishop),
                    Role::Bishop => Stage::Pieces(Role::Rook),
                    Role::Rook => Stage::Pieces(Role::Queen),
                    _ => Stage::KingAndRest,
                }
            }
            Stage::KingAndRest => {
                self.king_moves();
                self.castling();
                self.en_passant(|_| true);
                Stage::Done
            }
            Stage::Done => Stage::Done,
        };
    }

    /// The moves of a side in check.
    fn evasions(&mut self) {
        // 1. The king steps away; the only way out of a double check.
        self.king_moves();
        let Some(checker) = self.checkers.single_square() else {
            return;
        };
        let free_pawns = self.ours & self.board.pawns() & !self.pinned;
        // 2. Pawns capture the checker.
        for from in by_square(attacks::pawn_attacks(!self.us, checker) & free_pawns) {
            self.pawn_move(from, checker);
        }
        if self.board.sliders().contains(checker) {
            // 3. Pawns interpose, then the pieces capture the checker or interpose.
            let between = attacks::between(self.king, checker);
            self.pushes(free_pawns, between);
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                self.pieces(role, between.with(checker));
            }
            // 4. An en passant capture may also interpose.
            self.en_passant(|_| true);
        } else {
            // 3. En passant captures a checking pawn; then the pieces capture the checker, those on diagonals
            //    (bishops and queens together) before those on lines (rooks and queens together).
            self.en_passant(|captured| captured == checker);
            let free = self.ours & !self.pinned;
            let occupied = self.board.occupied();
            let knights = attacks::knight_attacks(checker) & free & self.board.knights();
            let diagonal =
                attacks::bishop_attacks(checker, occupied) & free & self.board.bishops_and_queens();
            let straight = attacks::rook_attacks(checker, occupied) & free & self.board.rooks_and_queens();
            for (takers, role) in [(knights, Role::Knight), (diagonal, Role::Bishop), (straight, Role::Rook)]
            {
                for from in by_square(takers) {
                    let role = if self.board.queens().contains(from) { Role::Queen } else { role };
                    self.piece_moves(role, from, checker.into());
                }
            }
        }
    }

    /// Pushes of `pawns` onto `targets`: promotions, single steps, double steps, each by target.
    fn pushes(&mut self, pawns: Bitboard, targets: Bitboard) {
        let empty = !(self.ours | self.theirs);
        let (forward, last, third) =
            self.us.fold_wb((8, Rank::Eighth, Rank::Third), (-8, Rank::First, Rank::Sixth));
        let last = Bitboard::from_rank(last);
        let single = pawn_pushes(pawns, self.us) & empty;
        let double = pawn_pushes(single & Bitboard::from_rank(third), self.us) & empty & targets;
        for to in by_square(single & last & targets) {
            self.promotions(step_back(to, forward), to, None);
        }
        for to in by_square(single & !last & targets) {
            self.push(Role::Pawn, step_back(to, forward), to, None);
        }
        for to in by_square(double) {
            self.push(Role::Pawn, step_back(to, 2 * forward), to, None);
        }
    }

    /// Captures of unpinned pawns: toward the a-file, then toward the h-file; promotions before the others.
    fn captures_of_free_pawns(&mut self, pawns: Bitboard) {
        let last = Bitboard::from_rank(self.us.fold_wb(Rank::Eighth, Rank::First));
        let toward_a = (pawns & !Bitboard::from_file(File::A), self.us.fold_wb(7, -9));
        let toward_h = (pawns & !Bitboard::from_file(File::H), self.us.fold_wb(9, -7));
        for (pawns, step) in [toward_a, toward_h] {
            let targets = pawns.shift(step) & self.theirs;
            for to in by_square(targets & last) {
                self.promotions(step_back(to, step), to, self.board.role_at(to));
            }
            for to in by_square(targets & !last) {
                self.push(Role::Pawn, step_back(to, step), to, self.board.role_at(to));
            }
        }
    }

    /// One pawn capture, as four promotions on the last rank.
    fn pawn_move(&mut self, from: Square, to: Square) {
        let captured = self.board.role_at(to);
        if to.rank() == self.us.fold_wb(Rank::Eighth, Rank::First) {
            self.promotions(from, to, captured);
        } else {
            self.push(Role::Pawn, from, to, captured);
        }
    }

    fn promotions(&mut self, from: Square, to: Square, capture: Option<Role>) {
        for role in PROMOTIONS {
            self.moves.push_rare(Move::Normal { role: Role::Pawn, from, capture, to, promotion: Some(role) });
        }
    }

    fn push(&mut self, role: Role, from: Square, to: Square, capture: Option<Role>) {
        self.moves.push_normal(role, from, to, capture);
    }

    /// The moves of all unpinned pieces of one kind onto `targets`, by origin, then target.
    fn pieces(&mut self, role: Role, targets: Bitboard) {
        for from in by_square(self.board.by_role(role) & self.ours & !self.pinned) {
            self.piece_moves(role, from, targets);
        }
    }

    /// The moves of one piece onto `targets`.
    fn piece_moves(&mut self, role: Role, from: Square, targets: Bitboard) {
        let reach = attacks::attacks(from, role.of(self.us), self.board.occupied());
        self.moves_to(role, from, reach & targets);
    }

    #[inline(always)]
    fn moves_to(&mut self, role: Role, from: Square, targets: Bitboard) {
        for to in by_square(targets) {
            let capture = if self.theirs.contains(to) { self.board.role_at(to) } else { None };
            self.push(role, from, to, capture);
        }
    }

    /// King steps onto squares the other side does not attack once the king has left.
    fn king_moves(&mut self) {
        let targets = attacks::king_attacks(self.king) & !self.ours;
        self.moves_to(Role::King, self.king, safe_for_king(self.board, self.us, self.king, targets));
    }

    /// Castling, queenside first.
    fn castling(&mut self) {
        for side in [CastlingSide::QueenSide, CastlingSide::KingSide] {
            if let Some(rook) = castling_rook(self.chess, self.king, side) {
                self.moves.push_rare(Move::Castle { king: self.king, rook });
            }
        }
    }

    /// En passant captures of a `wanted` pawn that leave the king safe, by origin.
    fn en_passant(&mut self, wanted: impl Fn(Square) -> bool) {
        let target = self.chess.maybe_ep_square();
        let Some(to) = target else { return };
        for from in by_square(legal_en_passant(self.board, self.us, target)) {
            if wanted(Square::from_coords(to.file(), from.rank())) {
                self.moves.push_rare(Move::EnPassant { from, to });
            }
        }
    }
}

impl Iterator for LegalMoves<'_> {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let m = self.listed().first().copied();
        self.taken += usize::from(m.is_some());
        m
    }
}

/// Puts some of the legal moves of a position into canonical order.
pub fn sort(moves: &mut [Move], chess: &Chess) {
    if moves.len() < 2 {
        return;
    }
    let of_piece = |m: &Move| matches!(m, Move::Normal { role, .. } if *role != Role::Pawn);
    let (board, us) = (chess.board(), chess.turn());
    let is_unrestricted = !chess.is_check() && pinned(board, king(board, us), us).is_empty();
    if is_unrestricted && moves.iter().all(of_piece) {
        // By kind of piece, origin and target.
        let place = |square: Square| square.file() as u32 * 8 + 7 - square.rank() as u32;
        moves.sort_unstable_by_key(|m| (m.role(), m.from().map(place), place(m.to())));
        return;
    }
    let mut sorted = 0;
    let mut canonical = LegalMoves::new(chess);
    while sorted + 1 < moves.len()
        && let Some(next) = canonical.next()
    {
        if let Some(at) = moves[sorted..].iter().position(|&m| m == next) {
            moves.swap(sorted, sorted + at);
            sorted += 1;
        }
    }
}

/// The squares of a set in Chess.jl's order.
fn by_square(set: Bitboard) -> impl Iterator<Item = Square> {
    // Turned by 270 degrees the set has a8 first and h1 last.
    let turned = if set.is_empty() { set } else { set.rotate_270() };
    turned.into_iter().map(|square| TURNED_BACK[square.to_usize()])
}

/// The squares in Chess.jl's order.
const TURNED_BACK: [Square; 64] = {
    let mut squares = [Square::A1; 64];
    let mut index = 0;
    while index < 64 {
        squares[index as usize] = Square::new(index).rotate_90();
        index += 1;
    }
    squares
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn sorting_gives_the_order_of_the_list() {
        let positions = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83",
            "4k3/4r3/8/8/1b6/8/3BQ3/4KR2 w - - 0 1",
            "7k/P7/8/8/8/8/4r3/K2BQ3 w - - 0 1",
        ];
        for fen in positions {
            let position = Position::from_fen(fen).unwrap();
            let list: Vec<_> = position.legal_moves().collect();
            for count in 0..=list.len() {
                for skip in 1..5 {
                    let some: Vec<_> = list.iter().copied().step_by(skip).take(count).collect();
                    let mut sorted: Vec<_> = some.iter().rev().copied().collect();
                    sort(&mut sorted, position.chess());
                    assert_eq!(sorted, some, "{fen}");
                }
            }
            let pieces = |m: &Move| m.role() != Role::Pawn && !m.is_castle();
            let some: Vec<_> = list.iter().copied().filter(pieces).collect();
            let mut sorted: Vec<_> = some.iter().rev().copied().collect();
            sort(&mut sorted, position.chess());
            assert_eq!(sorted, some, "{fen}");
        }
    }
}
