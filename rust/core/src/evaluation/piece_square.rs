//! Evaluations as data: material and squares for two phases, and the rule that tells the phases apart.
//!
//! A position is worth White's pieces minus Black's. Both sums, that of the middlegame and that of the endgame, follow a
//! move by what it changes, whatever the tables hold; so every search takes any evaluation at the same speed as the
//! built-in one. What the exact search proves with is derived from the tables too: see [`Values`].

use std::array;
use std::fmt;
use std::sync::OnceLock;

use shakmaty::{Board, Color, Move, Role, Square};

use super::phase::{Phase, PhaseRule};
use super::phased::{self, Phased, PieceSquare};
use super::values::Values;
use crate::key::{Key, piece_key};
use crate::random::splitmix64;
use crate::score::Score;

/// No evaluation comes near the value of a mate: this is more than any position may be worth. Centipawns.
pub const LIMIT: Score = 90_000;

/// The tables of an evaluation would let a position be worth too much.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidEvaluation {
    /// A piece on a square.
    #[error("a {0:?} on {1} is worth {2} centipawns; at most {max} either way are allowed", max = i16::MAX)]
    Entry(Role, Square, Score),
    /// Fifteen pieces and the kings.
    #[error(
        "a position could be worth {0} centipawns; it must stay below {LIMIT}, out of reach of a mate's value"
    )]
    Sum(Score),
}

/// What a piece on a square adds to the key and to the score in the middlegame and in the endgame, White's view.
#[derive(Clone, Copy)]
pub struct OnSquare {
    pub(crate) key: Key,
    pub(crate) value: [Score; 2],
}

impl OnSquare {
    /// Both values.
    pub(crate) const fn phased(&self) -> Phased {
        let [middlegame, endgame] = self.value;
        Phased { middlegame, endgame }
    }
}

/// What a position is worth without looking ahead.
pub struct Evaluation {
    tables: PieceSquare,
    /// The same with the pieces' keys.
    pub(crate) on_square: Box<[[[OnSquare; 64]; 6]; 2]>,
    rule: PhaseRule,
    /// Made when they are asked for.
    values: OnceLock<Box<Values>>,
    name: Option<String>,
    hash: u64,
}

impl Evaluation {
    /// An evaluation by what each piece is worth on each square, from pawn to king and from a1 to h8, as White sees it;
    /// Black's pieces are worth as much on the squares mirrored top to bottom. A pawn's entries on the first and the last
    /// rank mean nothing.
    /// Errors: [`InvalidEvaluation`] if a position could be worth [`LIMIT`] or more.
    ///
    /// ```
    /// use betacut_core::position::Position;
    /// use betacut_core::evaluation::{Evaluation, PhaseRule, Phased};
    ///
    /// let mut tables = [[Phased::default(); 64]; 6];
    /// tables[0] = [Phased { middlegame: 100, endgame: 120 }; 64];
    /// let pawns = Evaluation::new(None, PhaseRule::Tapered, &tables).unwrap();
    /// let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
    /// assert_eq!(position.with_evaluation(&pawns).score(), 120);
    /// ```
    pub fn new(
        name: Option<String>,
        rule: PhaseRule,
        pieces: &[[Phased; 64]; 6],
    ) -> Result<Evaluation, InvalidEvaluation> {
        // 1. What counts: not the pawns where none can stand, nor an endgame that never comes.
        let mut pieces = Box::new(*pieces);
        for (role, squares) in Role::ALL.into_iter().zip(&mut *pieces) {
            for (square, worth) in Square::ALL.into_iter().zip(squares) {
                if role == Role::Pawn && !(8..56).contains(&square.to_usize()) {
                    *worth = Phased::default();
                }
                if rule == PhaseRule::Constant {
                    worth.endgame = worth.middlegame;
                }
                for entry in [worth.middlegame, worth.endgame] {
                    if i16::try_from(entry).is_err() || entry == Score::from(i16::MIN) {
                        return Err(InvalidEvaluation::Entry(role, square, entry));
                    }
                }
            }
        }
        let most = most(&pieces);
        if most >= LIMIT {
            return Err(InvalidEvaluation::Sum(most));
        }
        // 2. Both colours.
        let mut tables = [[[Phased::default(); 64]; 6]; 2];
        let mut hash = rule as u64;
        for role in 0..6 {
            for square in 0..64 {
                let worth = pieces[role][square];
                tables[1][role][square] = worth;
                tables[0][role][square ^ 0x38] = Phased::default() - worth;
                hash = splitmix64(hash ^ (worth.middlegame as u64) << 32 ^ u64::from(worth.endgame as u32));
            }
        }
        let on_square = |color: Color, role: usize, square: usize| {
            let Phased { middlegame, endgame } = tables[usize::from(color.is_white())][role][square];
            let key = piece_key(color, Role::ALL[role], Square::new(square as u32));
            OnSquare { key, value: [middlegame, endgame] }
        };
        let on_square = Box::new(
            [Color::Black, Color::White]
                .map(|color| array::from_fn(|role| array::from_fn(|square| on_square(color, role, square)))),
        );
        Ok(Evaluation { on_square, name, rule, values: OnceLock::new(), tables, hash })
    }

    /// Its name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// How it tells the phases apart.
    #[inline]
    pub const fn rule(&self) -> PhaseRule {
        self.rule
    }

    /// 64 bits of what it computes: evaluations that agree in them agree in every score.
    #[inline]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The same numbers as the exact search needs them.
    #[inline]
    pub fn values(&self) -> &Values {
        self.values.get_or_init(|| Values::new(self.rule, self.pieces()))
    }

    /// What each piece is worth on each square, from pawn to king and from a1 to h8, as White sees it.
    pub const fn pieces(&self) -> &[[Phased; 64]; 6] {
        &self.tables[1]
    }

    /// The sums over all pieces, from scratch.
    pub fn sum(&self, board: &Board) -> Phased {
        phased::sum(&self.tables, board)
    }

    /// The change of the sums by a move of `color`.
    #[inline(always)]
    pub fn delta(&self, color: Color, m: Move) -> Phased {
        phased::delta(&self.tables, color, m)
    }

    /// The score of a position from scratch: centipawns, White's view, without regard to the end of the game.
    pub fn score(&self, board: &Board) -> Score {
        Phase::of(board, self.rule).score(self.sum(board))
    }
}

/// More than any position can be worth: fifteen pieces of the most valuable kind against the least valuable, and the
/// kings.
fn most(pieces: &[[Phased; 64]; 6]) -> Score {
    let range = |tables: &[[Phased; 64]]| {
        let entries = tables.iter().flatten().flat_map(|worth| [worth.middlegame, worth.endgame]);
        entries.fold((Score::MAX, Score::MIN), |(least, most), entry| (least.min(entry), most.max(entry)))
    };
    let ((least, most), (kings_least, kings_most)) = (range(&pieces[..5]), range(&pieces[5..]));
    15 * (most.max(0) - least.min(0)) + kings_most - kings_least
}

impl PartialEq for Evaluation {
    /// Whether both compute the same; names do not matter.
    fn eq(&self, other: &Evaluation) -> bool {
        self.rule == other.rule && self.tables == other.tables
    }
}

impl Eq for Evaluation {}

impl fmt::Debug for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Evaluation({self})")
    }
}

impl fmt::Display for Evaluation {
    /// The name, or what is known without one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => f.write_str(name),
            None => write!(f, "#{:016x}", self.hash),
        }
    }
}
