//! A position as the programs written on python-chess see it, and the line that led there.
//!
//! What they share is python-chess: its move order, its end of the game without claims, its idea of a repetition.
//! What a position is worth is each program's own business.
//!
//! Two positions are the same in three ways, each with a key of 128 bits ([`betacut_core::position::Key`]): by placement alone
//! ([`Node::placement_key`]); with side to move and castling rights ([`Node::state_key`]); and as in python-chess's
//! repetitions, with the en passant square too if a legal capture exists there ([`Node::transposition_key`]).

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position as _, Rank, Role, Setup, Square, attacks};

use crate::terminal_filter::TerminalFilter;
use betacut_core::move_order::python_chess::{LegalMoves, legal_en_passant};
use betacut_core::position::{Key, captured_key, en_passant_file_key, moved_key, piece_key, white_turn_key};
use betacut_core::rules::{Ending, automatic_ending, is_far_from_automatic_draws};

/// A legal position with the keys that python-chess programs need.
#[derive(Clone, Debug)]
pub struct Node {
    chess: Chess,
    placement: Key,
    /// Plies since the last capture or pawn move, as far back as the history goes.
    reversible: u32,
}

impl Node {
    /// A position with no known history.
    pub fn new(chess: Chess) -> Node {
        let placement = placement_key(chess.board());
        Node { chess, placement, reversible: 0 }
    }

    /// shakmaty's view of the position.
    #[inline]
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// The pieces.
    #[inline]
    pub fn board(&self) -> &Board {
        self.chess.board()
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.chess.turn()
    }

    /// The legal moves in python-chess's order.
    #[inline]
    pub fn legal_moves(&self) -> LegalMoves<'_> {
        LegalMoves::new(&self.chess)
    }

    /// The legal captures, en passant included, in the order of python-chess's `generate_legal_captures`.
    #[inline]
    pub fn legal_captures(&self) -> LegalMoves<'_> {
        LegalMoves::captures(&self.chess)
    }

    /// The position after the legal move `m`.
    #[must_use]
    #[inline(always)]
    pub fn play(&self, m: Move) -> Node {
        let mut child = self.clone();
        child.placement = self.placement_key_after(m);
        child.reversible = if m.is_zeroing() { 0 } else { self.reversible + 1 };
        child.chess.play_unchecked(m);
        child
    }

    /// The key of the placement alone.
    #[inline]
    pub fn placement_key(&self) -> Key {
        self.placement
    }

    /// [`Node::placement_key`] after the legal move `m`, without making it.
    #[inline]
    pub fn placement_key_after(&self, m: Move) -> Key {
        let us = self.turn();
        self.placement ^ moved_key(us, m) ^ captured_key(us, m)
    }

    /// The key of placement, side to move and castling rights.
    #[inline]
    pub fn state_key(&self) -> Key {
        state_key(self.placement, self.turn(), self.chess.castles().castling_rights())
    }

    /// [`Node::state_key`] together with a number.
    #[inline]
    pub fn state_key_with(&self, number: u32) -> Key {
        // Rights are the corners of the board, so the ranks between them are free.
        let number = Bitboard(u64::from(number) << 8);
        state_key(self.placement, self.turn(), self.chess.castles().castling_rights() | number)
    }

    /// [`Node::state_key`] with the en passant square, if a legal capture exists there: python-chess's transpositions.
    #[inline]
    pub fn transposition_key(&self) -> Key {
        self.state_key() ^ en_passant_key(self.board(), self.turn(), self.chess.maybe_ep_square())
    }

    /// [`Node::transposition_key`] after the legal move `m`, which is made only if it touches castling rights or steps
    /// past a pawn.
    #[inline]
    pub fn transposition_key_after(&self, m: Move) -> Key {
        let rights = self.chess.castles().castling_rights();
        match m {
            Move::Normal { role, from, to, promotion: None, .. }
                if rights.is_empty()
                    || (role != Role::King && !rights.contains(from) && !rights.contains(to)) =>
            {
                if role == Role::Pawn && self.may_be_passed(from, to) {
                    self.play(m).transposition_key()
                } else {
                    state_key(self.placement_key_after(m), !self.turn(), rights)
                }
            }
            _ => self.play(m).transposition_key(),
        }
    }

    /// Whether a pawn's double step lets the other side's pawns capture it in passing, legally or not.
    #[inline]
    fn may_be_passed(&self, from: Square, to: Square) -> bool {
        let us = self.turn();
        let passed = Square::from_coords(from.file(), self.turn().relative_rank(Rank::Third));
        let theirs = self.board().pawns() & self.board().by_color(!us);
        from.abs_diff(to) == 16 && (attacks::pawn_attacks(us, passed) & theirs).any()
    }

    /// Whether and why the game is over without a claim, at the end of `line`.
    #[inline]
    pub fn ending(&self, line: &Line) -> Option<Ending> {
        self.ending_knowing(line, !self.legal_moves().is_empty())
    }

    /// [`Node::ending`] where it is known whether the side to move has a legal move.
    #[inline]
    pub fn ending_knowing(&self, line: &Line, has_legal_move: bool) -> Option<Ending> {
        automatic_ending(&self.chess, has_legal_move, || line.is_fivefold(self))
    }

    /// What tells which moves cannot end the game.
    #[inline]
    pub fn terminal_filter(&self) -> TerminalFilter {
        let far = is_far_from_automatic_draws(&self.chess) && self.reversible + 1 < FIRST_FIFTH_OCCURRENCE;
        TerminalFilter::new(&self.chess, far)
    }
}

/// Plies from a first occurrence to a fifth, at least: two for each return, with null moves; four by the rules.
const FIRST_FIFTH_OCCURRENCE: u32 = 8;

/// The transposition keys of the game before the root and of the search's line down to the current node, without that.
#[derive(Clone, Debug, Default)]
pub struct Line(Vec<Key>);

impl Line {
    /// A root, and the line of the keys since the last capture or pawn move, oldest first.
    pub fn new(chess: Chess, history: Vec<Key>) -> (Node, Line) {
        let mut root = Node::new(chess);
        root.reversible = history.len() as u32;
        (root, Line(history))
    }

    /// Makes `node` part of the line, before its children are looked at.
    #[inline]
    pub fn push(&mut self, node: &Node) {
        self.0.push(node.transposition_key());
    }

    /// Undoes the last [`Line::push`].
    #[inline]
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// Whether `node`, at the end of the line, occurs for the fifth time.
    #[inline]
    pub fn is_fivefold(&self, node: &Node) -> bool {
        node.reversible >= FIRST_FIFTH_OCCURRENCE && self.occurrences(node) >= 4
    }

    #[cold]
    fn occurrences(&self, node: &Node) -> usize {
        let key = node.transposition_key();
        self.0.iter().rev().take(node.reversible as usize).filter(|&&earlier| earlier == key).count()
    }
}

/// The transposition key of a setup that need not be a valid position, such as one a game has passed through.
pub fn transposition_key_of_setup(setup: &Setup) -> Key {
    let state = state_key(placement_key(&setup.board), setup.turn, setup.castling_rights);
    state ^ en_passant_key(&setup.board, setup.turn, setup.ep_square)
}

fn placement_key(board: &Board) -> Key {
    board.iter().fold(Key::default(), |key, (square, piece)| key ^ piece_key(piece.color, piece.role, square))
}

#[inline]
fn state_key(placement: Key, turn: Color, castling_rights: Bitboard) -> Key {
    let turn = if turn.is_white() { white_turn_key() } else { Key::default() };
    (placement ^ turn).with(castling_rights.0)
}

#[inline]
fn en_passant_key(board: &Board, turn: Color, ep_square: Option<Square>) -> Key {
    match ep_square {
        Some(square) if legal_en_passant(board, turn, ep_square).any() => en_passant_file_key(square.file()),
        _ => Key::default(),
    }
}
