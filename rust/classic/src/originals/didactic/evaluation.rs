//! The evaluators: which side has won, and if neither has, what the position is worth.
//!
//! **Contract.** [`of_ending`] is `evaluate`: a checkmate is [`MATED`] for the side to move, every other end of the game
//! (python-chess's, without claims) 0. The evaluators are `heuristic`, in White's view:
//!
//! - [`Standard`]: pawn 1, knight and bishop 3, rook 5, queen 9. Its scores are called centipawns and are *pawns*.
//! - [`Simplified`]: the Simplified Evaluation; whether the kings are in the endgame is asked anew at every leaf.
//! - [`Incremental`]: the same by increments from where it is started. Two things differ. Whether the kings are in the
//!   endgame is settled at the start and never asked again. And **castling moves the king alone**: the rook's squares do
//!   not enter, which after queen side castling is 5 too little, after king side castling no difference.
//!
//! **Cost.** All three are kept by increments here; a leaf is valued without being made, unless it may be over.
//!
//! Source: the original's sections on evaluation, simplified evaluation and the endgame.

use shakmaty::{Bitboard, Board, CastlingSide, Color, Move, Role};

use super::score::{MATED, Value};
use crate::originals::material::{Material, gain, material};
use crate::originals::node::{Line, Node};
use crate::terminal_filter::TerminalFilter;
use betacut_core::evaluation::simplified::{self, Phased, piece_square};
use betacut_core::move_order::see::target;
use betacut_core::rules::Ending;

/// What `evaluate` makes of a finished game, seen by the side to move.
#[inline]
pub fn of_ending(ending: Ending) -> Value {
    match ending {
        Ending::Checkmate => MATED,
        _ => 0,
    }
}

/// A heuristic that is kept by increments.
pub trait Evaluator: Copy {
    /// What is kept.
    type Sum: Copy;

    /// Whether each leaf is a call of `heuristic`; otherwise only the start is.
    const AT_LEAVES: bool;

    /// The sum of a position.
    fn sum(self, board: &Board) -> Self::Sum;

    /// The sum after the legal move `m` of `turn`.
    fn sum_after(self, sum: Self::Sum, turn: Color, m: Move) -> Self::Sum;

    /// The heuristic of a position with this sum, White's view; `is_endgame` tells whether the kings are in the endgame there.
    fn heuristic(self, sum: Self::Sum, is_endgame: impl FnOnce() -> bool) -> Value;
}

/// `PieceEvaluator`.
#[derive(Clone, Copy, Debug)]
pub struct Standard;

impl Evaluator for Standard {
    type Sum = Material;
    const AT_LEAVES: bool = true;

    fn sum(self, board: &Board) -> Value {
        material(board)
    }

    #[inline(always)]
    fn sum_after(self, sum: Value, turn: Color, m: Move) -> Value {
        sum + gain(turn, m)
    }

    #[inline(always)]
    fn heuristic(self, sum: Value, _is_endgame: impl FnOnce() -> bool) -> Value {
        sum
    }
}

/// `PieceSquareEvaluator`.
#[derive(Clone, Copy, Debug)]
pub struct Simplified;

impl Evaluator for Simplified {
    type Sum = Phased;
    const AT_LEAVES: bool = true;

    fn sum(self, board: &Board) -> Phased {
        simplified::evaluate_board(board)
    }

    #[inline(always)]
    fn sum_after(self, sum: Phased, turn: Color, m: Move) -> Phased {
        sum + simplified::delta(turn, m)
    }

    #[inline(always)]
    fn heuristic(self, sum: Phased, is_endgame: impl FnOnce() -> bool) -> Value {
        sum.score(is_endgame())
    }
}

/// `IncrementalPieceSquareEvaluator`, started.
#[derive(Clone, Copy, Debug)]
pub struct Incremental {
    /// 1 if the kings are in the endgame, else 0.
    phase: usize,
}

impl Incremental {
    /// `init`: settles whether the kings are in the endgame.
    pub fn start(board: &Board) -> Incremental {
        Incremental::in_phase(is_endgame(board))
    }

    /// The evaluator with the kings in the endgame, or not.
    pub fn in_phase(endgame: bool) -> Incremental {
        Incremental { phase: usize::from(endgame) }
    }
}

impl Evaluator for Incremental {
    type Sum = Value;
    const AT_LEAVES: bool = false;

    fn sum(self, board: &Board) -> Value {
        simplified::evaluate_board(board).phase(self.phase)
    }

    #[inline(always)]
    fn sum_after(self, sum: Value, turn: Color, m: Move) -> Value {
        let on = |color, role, square| piece_square(color, role, square).phase(self.phase);
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                let taken = capture.map_or(0, |role| on(!turn, role, to));
                sum - on(turn, role, from) + on(turn, promotion.unwrap_or(role), to) - taken
            }
            Move::Castle { king, rook } => {
                let to = CastlingSide::from_king_side(king < rook).king_to(turn);
                sum - on(turn, Role::King, king) + on(turn, Role::King, to)
            }
            _ => sum + simplified::delta(turn, m).phase(self.phase),
        }
    }

    #[inline(always)]
    fn heuristic(self, sum: Value, _is_endgame: impl FnOnce() -> bool) -> Value {
        sum
    }
}

/// `check_endgame`: as the Simplified Evaluation's, but that two queens are not thin.
pub fn is_endgame(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| thin(board, board.by_color(color), None))
}

/// [`is_endgame`] after the legal move `m` of `turn`.
#[inline]
fn is_endgame_after(board: &Board, turn: Color, m: Move) -> bool {
    let mut theirs = board.by_color(!turn);
    if m.is_capture() {
        theirs.discard(target(m));
    }
    thin(board, board.by_color(turn), m.promotion()) && thin(board, theirs, None)
}

/// Whether the pieces of one side and a pawn's promotion, if there is one, are few enough for the endgame.
#[inline]
fn thin(board: &Board, side: Bitboard, promotion: Option<Role>) -> bool {
    let count = |roles: Bitboard, added: bool| (side & roles).count() + usize::from(added);
    let queens = count(board.queens(), promotion == Some(Role::Queen));
    let rooks = count(board.rooks(), promotion == Some(Role::Rook));
    let minors = board.knights() | board.bishops();
    let minors = count(minors, matches!(promotion, Some(Role::Knight | Role::Bishop)));
    queens == 0 || (queens + rooks <= 1 && minors <= 1)
}

/// A position with an evaluator's sum.
#[derive(Clone, Debug)]
pub struct Position<E: Evaluator> {
    /// The position.
    pub node: Node,
    /// What the evaluator keeps of it.
    pub sum: E::Sum,
}

impl<E: Evaluator> Position<E> {
    /// Sums up.
    pub fn new(node: Node, evaluator: E) -> Position<E> {
        let sum = evaluator.sum(node.board());
        Position { node, sum }
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.node.turn()
    }

    /// The position after the legal move `m`.
    #[must_use]
    #[inline]
    pub fn play(&self, m: Move, evaluator: E) -> Position<E> {
        Position { node: self.node.play(m), sum: evaluator.sum_after(self.sum, self.turn(), m) }
    }

    /// The heuristic, the view of the side to move.
    #[inline]
    pub fn heuristic(&self, evaluator: E) -> Value {
        relative(self.turn(), evaluator.heuristic(self.sum, || is_endgame(self.node.board())))
    }
}

/// A position that knows enough about itself to value its children without making them.
pub struct Leaves<'a, E: Evaluator> {
    /// The position.
    pub parent: &'a Position<E>,
    terminal_filter: TerminalFilter,
}

impl<'a, E: Evaluator> Leaves<'a, E> {
    /// The children of `parent`.
    #[inline]
    pub fn of(parent: &'a Position<E>) -> Leaves<'a, E> {
        Leaves { parent, terminal_filter: parent.node.terminal_filter() }
    }

    /// What `evaluate` says after the legal move `m`, the view of the side to move then; `line` ends with the parent.
    #[inline(always)]
    pub fn ended(&self, m: Move, line: &Line) -> Option<Value> {
        if self.terminal_filter.cannot_end_the_game(m) {
            None
        } else {
            ended_made(&self.parent.node, m, line)
        }
    }

    /// The heuristic after the legal move `m`, the view of the side to move then.
    #[inline(always)]
    pub fn heuristic(&self, m: Move, evaluator: E) -> Value {
        let Position { node, sum } = self.parent;
        let (board, turn) = (node.board(), node.turn());
        let sum = evaluator.sum_after(*sum, turn, m);
        relative(!turn, evaluator.heuristic(sum, || is_endgame_after(board, turn, m)))
    }
}

#[inline(never)]
fn ended_made(parent: &Node, m: Move, line: &Line) -> Option<Value> {
    parent.play(m).ending(line).map(of_ending)
}

/// A value from White's view to that of `turn`, or back.
#[inline(always)]
pub fn relative(turn: Color, value: Value) -> Value {
    turn.fold_wb(value, -value)
}
