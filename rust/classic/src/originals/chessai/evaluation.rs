//! `evaluate_move` and `board_score`: what a move makes of the path that led to it.
//!
//! **Contract.** Scores are centipawns in the view of the side that started the search. A position has no value of its
//! own: a path has, the sum of what its moves gained ([`gain`]), started from 0 at the root. Three things are absolute,
//! and drop the sum of the path before them: a finished game, an answer of a [`Tablebase`], and every move if the
//! heuristic is off (0 then).
//!
//! **Quirks.** A capture gains the piece, but not its bonus for the square it stood on, so the sum is not a difference of
//! board scores, and depends on the path. A draw is worth half a million to the side that stood worse on the board *before* the
//! move (after it, if a tablebase says so), and costs the other as much; at equality both stand better. The kings' table
//! is chosen once, before the search.
//!
//! **Cost.** A leaf is valued without being made, unless it may be over ([`crate::terminal_filter`]) or a tablebase is asked.
//!
//! Source: the original's `Evaluation`, methods it adds to `chess.Board`.

use shakmaty::{Board, Color, Move, Role};

use crate::Result;
use crate::originals::material::captured;
use crate::originals::node::{Line, Node};
use crate::originals::tablebase::Tablebase;
use betacut_core::evaluation::simplified::{PIECE_VALUES, delta, evaluate_board, piece_square};
use betacut_core::rules::Ending;
use betacut_core::score::{INFINITY, MATE, Score, view_of};
use betacut_core::window::Window;

/// More than any score: where the search for the best begins.
pub const MAX_SCORE: Score = 100_000_000;

/// The window that contains every score.
pub(super) const FULL: Window = Window { alpha: -MAX_SCORE, beta: MAX_SCORE };

/// A checkmate, before the remaining depth is added.
pub const CHECKMATE: Score = 10_000_000;

/// A position that a tablebase knows to be won, before the plies to mate are taken away.
pub const ENDGAME: Score = 1_000_000;

/// What a draw costs the side that stands better.
pub const DRAW: Score = 500_000;

/// Where a search stands when it looks at the moves of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Whether the side that started the search is to move.
    pub ai_turn: bool,
    /// Plies left to search, the move included.
    pub depth: u32,
    /// Plies from the root.
    pub ply: u32,
    /// What the path to the node is worth: centipawns, in the view of the side that started the search.
    pub score: Score,
}

impl Place {
    /// The root of a search.
    pub fn root(depth: u32) -> Place {
        Place { ai_turn: true, depth, ply: 0, score: 0 }
    }

    /// One move on, with `depth` plies left, at the end of a path worth `score`.
    #[inline]
    #[must_use]
    pub fn next(self, depth: u32, score: Score) -> Place {
        Place { ai_turn: !self.ai_turn, depth, ply: self.ply + 1, score }
    }

    /// A score in the mover's view, in the view of the side that started the search.
    #[inline(always)]
    fn signed(self, score: Score) -> Score {
        if self.ai_turn { score } else { -score }
    }
}

/// What a move is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// In the view of the side that started the search.
    pub score: Score,
    /// Whether a tablebase said so.
    pub used_endgame: bool,
    /// Whether the move ends the game.
    pub over: bool,
}

/// How moves are valued.
pub struct Evaluator<'a> {
    /// Whether anything but the end of the game counts.
    pub use_heuristic: bool,
    /// Whether the kings use their endgame table.
    pub ending: bool,
    /// What is asked about positions with few men.
    pub tablebase: Option<&'a mut dyn Tablebase>,
}

impl Evaluator<'_> {
    /// Values the legal move `m` of `node`, which leads to `child`; `line` ends with the node.
    pub fn evaluate_move(
        &mut self,
        node: &Node,
        m: Move,
        child: &Node,
        line: &Line,
        place: Place,
    ) -> Result<Evaluation> {
        let mover = node.turn();
        let absolute =
            |score: Score, over: bool| Evaluation { score: place.signed(score), used_endgame: !over, over };
        // 1. A finished game: mate is the better the more depth is left, a draw what the mover deserves.
        match child.ending(line) {
            Some(Ending::Checkmate) => return Ok(absolute(CHECKMATE + place.depth as Score, true)),
            Some(_) => return Ok(absolute(self.draw(node.board(), mover), true)),
            None => {}
        }
        // 2. The tablebase, whose answer is in the view of the other side.
        if self.use_heuristic
            && let Some(tablebase) = self.tablebase.as_mut()
            && let Some(dtm) = tablebase.probe_dtm(child.chess())?
        {
            let score = match dtm.saturating_neg() {
                0 => self.draw(child.board(), mover),
                plies if plies > 0 => ENDGAME - plies,
                plies => -ENDGAME - plies,
            };
            return Ok(absolute(score, false));
        }
        // 3. What the move gains, on top of the path.
        Ok(self.path_score(mover, m, place))
    }

    /// The path's score with the gain of a move that neither ends the game nor is known to a tablebase.
    #[inline(always)]
    pub fn path_score(&self, mover: Color, m: Move, place: Place) -> Evaluation {
        let score =
            if self.use_heuristic { place.score + place.signed(gain(mover, m, self.ending)) } else { 0 };
        Evaluation { score, used_endgame: false, over: false }
    }

    /// What a game that is over at the root is worth.
    pub fn finished(&self, node: &Node, ending: Ending, root: Place) -> Score {
        match ending {
            Ending::Checkmate => root.signed(-CHECKMATE - root.depth as Score),
            _ => self.draw(node.board(), if root.ai_turn { node.turn() } else { !node.turn() }),
        }
    }

    /// What a draw is worth to `color`: a loss if it stands better on this board.
    fn draw(&self, board: &Board, color: Color) -> Score {
        if board_score(board, color, self.ending) >= 0 { -DRAW } else { DRAW }
    }
}

/// A score in the columns of a recorded tree. What evaluations reach stays as it is. A mate is 100,000 and the depth left
/// where it stands; a draw ±500,000 becomes ±40,000, and a won endgame 1,000,000 becomes 80,000, with what is gained
/// after it or taken away for its plies.
pub fn recorded(score: Score) -> Score {
    const WIDTH: Score = 20_000;
    let band = |size: Score, from: Score, to: Score| to + (size - from).clamp(1 - WIDTH, WIDTH - 1);
    let size = match score.saturating_abs() {
        size if size >= MAX_SCORE => INFINITY,
        size if size > ENDGAME * 2 => MATE + size - CHECKMATE - 1,
        size if size > DRAW + DRAW / 2 => band(size, ENDGAME, 4 * WIDTH),
        size if size > DRAW / 2 => band(size, DRAW, 2 * WIDTH),
        size => size.min(WIDTH),
    };
    if score < 0 { -size } else { size }
}

/// The pieces of `color` minus the other side's, each with its bonus for its square. No regard to the end of the game.
pub fn board_score(board: &Board, color: Color, ending: bool) -> Score {
    view_of(color, evaluate_board(board).score(ending))
}

/// What a move gains its side: the captured piece, the change of the moved pieces' bonuses, what a pawn becomes.
#[inline(always)]
pub fn gain(mover: Color, m: Move, ending: bool) -> Score {
    let bonus = |role, square| piece_square(mover, role, square);
    let moved = match m {
        Move::Normal { role, from, to, promotion, .. } => {
            bonus(promotion.unwrap_or(role), to) - bonus(role, from)
        }
        Move::EnPassant { from, to } => bonus(Role::Pawn, to) - bonus(Role::Pawn, from),
        _ => delta(mover, m),
    };
    // Bonuses are in White's view.
    view_of(mover, moved.score(ending)) + captured(m).map_or(0, |role| PIECE_VALUES[role as usize - 1])
}
