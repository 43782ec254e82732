//! The evaluation: bare material.
//!
//! **Contract.** White's view, in pawns: pawn 1, knight and bishop 3, rook 5, queen 9. A finished game is worth plus
//! infinity if White won, minus infinity if Black did, 0 if it is drawn: all mates are equal, so a quick one is no better
//! than a slow one. The game is over as python-chess says without claims.
//!
//! **Cost.** A leaf is valued without being made, unless it may be over ([`crate::terminal_filter`]).
//!
//! Source: the original's `evaluate`.

use shakmaty::{Color, Move};

use crate::originals::WIN;
use crate::originals::material::{gain, material};
use crate::originals::node::{Line, Node};
use crate::terminal_filter::TerminalFilter;
use betacut_core::rules::Ending;
use betacut_core::score::Score;

/// A value: pawns from White's view, or one of [`INFINITY`] and its negative.
pub type Value = i32;

/// What a game White has won is worth; more than any material.
pub const INFINITY: Value = 1_000_000;

/// The worst value for White, or for Black.
pub(super) const fn worst_for(white: bool) -> Value {
    if white { -INFINITY } else { INFINITY }
}

/// A value in the columns of a recorded tree: pawns stay pawns, a game won or lost is ±[`WIN`].
pub fn recorded(value: Value) -> Score {
    if value.abs() == INFINITY { value.signum() * WIN } else { value }
}

/// What a position is worth, and whether the game is over there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// White's view.
    pub value: Value,
    /// Whether the game is over.
    pub over: bool,
}

/// The value of a position at the end of `line`.
#[inline]
pub fn evaluate(position: &Position, line: &Line) -> Evaluation {
    match position.node.ending(line) {
        Some(ending) => Evaluation { value: value_of_ending(ending, position.turn()), over: true },
        None => Evaluation { value: position.material, over: false },
    }
}

/// What an ending is worth with `turn` to move.
#[inline]
pub fn value_of_ending(ending: Ending, turn: Color) -> Value {
    match ending {
        Ending::Checkmate => turn.fold_wb(-INFINITY, INFINITY),
        _ => 0,
    }
}

/// A node that knows enough about itself to value its children without making them.
pub struct Leaves<'a> {
    pub(super) parent: &'a Position,
    terminal_filter: TerminalFilter,
}

impl<'a> Leaves<'a> {
    /// The children of `parent`.
    #[inline]
    pub fn of(parent: &'a Position) -> Leaves<'a> {
        Leaves { parent, terminal_filter: parent.node.terminal_filter() }
    }

    /// [`evaluate`] after the legal move `m`; `line` ends with the parent.
    #[inline(always)]
    pub fn evaluate(&self, m: Move, line: &Line) -> Evaluation {
        if self.terminal_filter.cannot_end_the_game(m) {
            Evaluation { value: self.parent.material + gain(self.parent.turn(), m), over: false }
        } else {
            evaluate_made(self.parent, m, line)
        }
    }
}

#[inline(never)]
fn evaluate_made(parent: &Position, m: Move, line: &Line) -> Evaluation {
    evaluate(&parent.play(m), line)
}

/// A position with its material.
#[derive(Clone, Debug)]
pub struct Position {
    pub(super) node: Node,
    pub(super) material: Value,
}

impl Position {
    /// Counts the material.
    pub fn new(node: Node) -> Position {
        let material = material(node.board());
        Position { node, material }
    }

    #[inline]
    pub(super) fn turn(&self) -> Color {
        self.node.turn()
    }

    /// The position after the legal move `m`.
    #[inline(always)]
    pub(super) fn play(&self, m: Move) -> Position {
        Position { node: self.node.play(m), material: self.material + gain(self.turn(), m) }
    }
}
