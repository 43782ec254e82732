//! The children of a depth-1 node, valued without making a move.
//!
//! Nine nodes in ten are leaves, and all a leaf needs is its score and whether the game is over there. The score
//! is the parent's plus the move's delta. The game is hardly ever over, and mostly that can be proved from the
//! parent:
//!
//! 1. A move that gives no check cannot mate. It can only stalemate, and it does not while the other side keeps
//!    a piece that can move. Count those pieces once at the parent (no king, nothing pinned). A single move of
//!    ours takes away at most three of them: one by capturing it or by standing in front of it, one by pinning it
//!    with the moved slider, and one by opening the line on which another slider pins it. The three are looked at
//!    one by one ([`Frontier::cannot_end_the_game`]); with more movers than losses the other side has a move. And a
//!    slider that no slider of ours can pin across its lines (a queen always) can only be captured: pinned, it can
//!    still take the pinning piece.
//! 2. The fifty-move rule cannot strike while the parent's clock is short of it by two or more.
//! 3. Material cannot become insufficient while five men are left after a capture.
//!
//! Whatever is not proved (checks, promotions, castling, en passant, few pieces, a late clock) is made and asked.
//! The values, and so every count, are those of the plain search; only the time differs.

use shakmaty::{Bitboard, Board, Move, Position as _, Role, Square, attacks};

use crate::cache::Cache;
use crate::move_order::chess_jl::Sink;
use crate::position::{CheckInfo, Increments, Position, PositionKey, pawn_pushes};
use crate::rules::{CHESS_JL, Ending};
use crate::score::Score;

/// A depth-1 node that knows enough about itself to value its children.
pub struct Frontier<'a> {
    parent: &'a Position,
    checks: CheckInfo,
    /// Their pieces, without the king and pinned ones, that have a move.
    movers: u32,
    /// Those of them that only a capture can stop.
    steady: Bitboard,
    /// Squares where our arrival may cost them a mover: the movers' own, and those in front of movable pawns.
    sensitive: Bitboard,
    /// Squares from which a departure may open a line to their king.
    lines_to_king: Bitboard,
    /// Neither the fifty-move rule nor insufficient material is within one ply.
    far_from_draws: bool,
}

impl<'a> Frontier<'a> {
    /// Looks once at the position whose children are to be valued.
    #[inline]
    pub fn new(parent: &'a Position) -> Frontier<'a> {
        let board = parent.board();
        let checks = CheckInfo::new(parent);
        let king = parent.king(!parent.turn());
        let (movers, steady, sensitive) = movers(parent, board, checks.pinned);
        Frontier {
            parent,
            checks,
            movers,
            steady,
            sensitive,
            lines_to_king: attacks::queen_attacks(king, Bitboard::EMPTY),
            far_from_draws: parent.halfmove_clock() + 1 < CHESS_JL.halfmove_limit
                && board.occupied().count() > 5,
        }
    }

    /// The position whose children are valued.
    #[inline]
    pub fn parent(&self) -> &'a Position {
        self.parent
    }

    /// The value at depth 0 of the child after the legal move `m`: the terminal value if the game is over there,
    /// else the score. Centipawns, White's view.
    #[inline(always)]
    pub fn value(&self, m: Move) -> Score {
        if self.cannot_end_the_game(m) { self.parent.score_after(m) } else { evaluate_move(self.parent, m) }
    }

    #[inline(always)]
    fn cannot_end_the_game(&self, m: Move) -> bool {
        match m {
            Move::Normal { role, from, to, promotion: None, .. } => self.is_harmless(role, from, to),
            _ => false,
        }
    }

    /// [`Frontier::cannot_end_the_game`] for a move that is no promotion, castling or en passant capture.
    #[inline(always)]
    fn is_harmless(&self, role: Role, from: Square, to: Square) -> bool {
        if !self.far_from_draws || self.checks.is_check_after(role, from, to) {
            return false;
        }
        if self.movers >= ENOUGH {
            return true;
        }
        if self.steady.without(to).any() {
            return true;
        }
        let lost = u32::from(self.sensitive.contains(to))
            + u32::from(matches!(role, Role::Bishop | Role::Rook | Role::Queen))
            + u32::from(self.lines_to_king.contains(from));
        self.movers > lost
    }
}

/// The leaves of one stage of a node's move list, as the memo is asked about them.
///
/// With a memo a leaf costs its lookup and little else, so everything about it is found out as its move is listed,
/// when most of that is in registers, and the memo reads ahead for all leaves of a stage.
pub(super) struct Leaves<'a> {
    frontier: Frontier<'a>,
    increments: Increments<'a>,
    announced: Vec<Announced>,
}

/// A leaf that will be looked at unless there is a cutoff before.
#[derive(Clone, Copy)]
pub(super) struct Announced {
    pub(super) m: Move,
    /// Whether the game cannot be over there, so that its value at depth 0 is the score. If not, the rest means
    /// nothing.
    pub(super) quick: bool,
    pub(super) score: Score,
    pub(super) key: PositionKey,
    /// Where the memo keeps it.
    pub(super) table: Option<usize>,
}

impl<'a> Leaves<'a> {
    /// The leaves below `parent`, with room for them from the node before.
    pub(super) fn new(parent: &'a Position, room: Vec<Announced>) -> Leaves<'a> {
        Leaves { frontier: Frontier::new(parent), increments: Increments::new(parent), announced: room }
    }

    /// The value of the leaf after `m`, whatever kind of move it is.
    pub(super) fn value(&self, m: Move) -> Score {
        self.frontier.value(m)
    }

    /// Tells `cache` of the leaves of the stage.
    #[inline(always)]
    pub(super) fn announce(&mut self, cache: &Cache) {
        let quiet = self.increments.quiet_placement();
        let quiet_table = cache.table_of(quiet);
        let mut read = 0;
        for leaf in &mut self.announced {
            leaf.table =
                if leaf.key.placement == quiet { quiet_table } else { cache.table_of(leaf.key.placement) };
            read ^= cache.peek(leaf.table, leaf.key);
        }
        std::hint::black_box(read);
    }

    /// The leaves of the stage in order.
    pub(super) fn announced(&self) -> impl Iterator<Item = &Announced> {
        self.announced.iter()
    }

    /// The room for the next node.
    pub(super) fn room(&mut self) -> Vec<Announced> {
        std::mem::take(&mut self.announced)
    }
}

impl Sink for Leaves<'_> {
    #[inline(always)]
    fn push_normal(&mut self, role: Role, from: Square, to: Square, capture: Option<Role>) {
        let m = Move::Normal { role, from, capture, to, promotion: None };
        if let Some((key, score)) = self.increments.after(role, from, to, capture)
            && self.frontier.is_harmless(role, from, to)
        {
            self.announced.push(Announced { m, quick: true, score, key, table: None });
        } else {
            self.push_rare(m);
        }
    }

    #[inline]
    fn push_rare(&mut self, m: Move) {
        let key = PositionKey { whole: 0, placement: self.increments.quiet_placement() };
        self.announced.push(Announced { m, quick: false, score: 0, key, table: None });
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.announced.clear();
    }
}

/// The score after the legal move `m`: the terminal value if the game is over, else the score by increments.
/// Always equal to the full evaluation of the position after the move.
#[inline(never)]
pub fn evaluate_move(position: &Position, m: Move) -> Score {
    terminal_or_score(&position.play(m))
}

/// What a position is worth at depth 0: its terminal value if the game is over, else its score.
pub fn terminal_or_score(position: &Position) -> Score {
    let ending = CHESS_JL.ending(position);
    ending.map_or_else(|| position.score(), |ending: Ending| ending.value(position.turn()))
}

/// More movers than a single move can take away.
const ENOUGH: u32 = 4;

/// The other side's movable pieces, counted up to what any proof needs; the steady ones of them; and the squares they
/// can be lost on.
#[inline]
fn movers(position: &Position, board: &Board, pinned: Bitboard) -> (u32, Bitboard, Bitboard) {
    let them = !position.turn();
    let free = position.chess().them() & !pinned;
    // 1. Pawns with an empty square ahead.
    let pushes = pawn_pushes(free & board.pawns(), them) & !board.occupied();
    let mut count = pushes.count() as u32;
    let mut sensitive = pushes | pawn_pushes(pushes, !them);
    // 2. Pieces with a step onto a square that is not their own.
    // A pinned slider can still go along its pin, if that is how it moves.
    let diagonal = position.chess().us() & board.bishops_and_queens();
    let straight = position.chess().us() & board.rooks_and_queens();
    let mut unpinnable = board.queens();
    if diagonal.is_empty() {
        unpinnable |= board.rooks();
    }
    if straight.is_empty() {
        unpinnable |= board.bishops();
    }
    let mut steady = Bitboard::EMPTY;
    for square in free & !board.pawns() & !board.kings() {
        if count >= ENOUGH {
            break;
        }
        if (first_steps(board, square) & !position.chess().them()).any() {
            count += 1;
            sensitive.add(square);
            if unpinnable.contains(square) {
                steady.add(square);
            }
        }
    }
    (count, steady, sensitive)
}

/// The squares one step away in each direction the piece moves in.
#[inline]
fn first_steps(board: &Board, square: Square) -> Bitboard {
    let around = attacks::king_attacks(square);
    match board.role_at(square) {
        Some(Role::Knight) => attacks::knight_attacks(square),
        Some(Role::Bishop) => around & attacks::bishop_attacks(square, Bitboard::EMPTY),
        Some(Role::Rook) => around & attacks::rook_attacks(square, Bitboard::EMPTY),
        Some(Role::Queen) => around,
        _ => Bitboard::EMPTY,
    }
}
