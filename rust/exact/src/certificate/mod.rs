//! Certificates: the value of a position and its best moves, with a proof for those who trust no search.
//!
//! # The idea
//!
//! That a side gets at least some value is proved by one move where that side chooses, all moves where the other does,
//! and the static evaluation at the leaves. So a proof is the list of the choices, and nothing else: a checker
//! plays the game along, with rules and an evaluation of its own.
//!
//! **Contract.** [`make`] proves, for every move of the root, White's view:
//!
//! - of a best move, that it is worth at least the value (White chooses), then that it is worth at most the value (Black
//!   chooses);
//! - of any other, that it is worth less to the side to move: at most `score - 1` with White to move (Black chooses), at
//!   least `score + 1` with Black to move (White chooses).
//!
//! Wherever moves are listed, at the root too, they stand in the order of the alphabet by their names in UCI. The proofs
//! follow each other in this order, each in preorder: a choice is one byte, the index of the move in the list. A finished
//! game and depth 0 end a line. A finished root has no moves, so nothing is to be proved with choices.
//!
//! Where leaves are valued by quiescence, the proof goes on beyond them with captures and promotions. The side that makes
//! the claim stands pat if that is enough, which needs no choice; else it chooses. The other side stands pat too, and every
//! capture of it is answered.
//!
//! # Small proofs
//!
//! Any move that holds the claim will do, so the one with the smallest proof is the best. Every reply to a choice needs
//! a proof of its own: a check, which leaves few replies, makes a small one. So checks come first: all of them from depth 4
//! on, and at depth 3 those that an officer gives from its new square, which are found without a list of moves. Then comes
//! what the table remembers from the search, and at depth 2, where it remembers nothing, what was chosen lately. One ply
//! before the leaves, where nearly all choices are made, each takes one byte anyway: any move that gains enough will do.
//!
//! # The price
//!
//! A proof of depth `d` has about as many choices as there are leaves in the minimal tree: some ten thousands at depth 6,
//! thirty times as many two plies deeper. Each is found by asking the exact search for one bit, which its table mostly
//! knows; one ply before the leaves, by looking for a move that gains enough ([`leaves`]), without a list of moves ([`names`]). Mostly one
//! such move answers many replies, which are not even made ([`premove`]).
//!
//! **What can go wrong.** Nothing that would make a false certificate pass: who checks it uses nothing of this page. A
//! wrong value of the search shows as a claim for which no choice is left; the proof then has a choice that does not
//! hold, and is refused.

mod leaves;
pub mod names;
mod premove;

use self::leaves::{first_gain, reaches};
use self::names::{any_piece, count, index_by_name, list_by_name};
use self::premove::Premove;
use crate::ordering::{History, gain, greatest_first, move_of, with_score};
use crate::search::{NODES_PER_LOOK, Searcher};
use crate::{Question, Table, Techniques, bounds, search};
use crate::{leaves::checks::Checks, table::LEAST_DEPTH};
use betacut_core::board::{Board, CLOCK_LIMIT, EMPTY, Move, PAWN, Squares, attacks, bit, line};
use betacut_core::limits::{Limits, Poll, Stopped, is_to_be_had};
use betacut_core::position::Position;
use betacut_core::score::{Depth, Score};

/// A value, the best moves, and the choices that prove them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The value, White's view.
    pub score: Score,
    /// All best moves, in canonical order; none if the game is over.
    pub best_moves: Vec<shakmaty::Move>,
    /// The choices.
    pub choices: Vec<u8>,
}

/// The depth from which the table is asked for moves: below, the search stores none.
const REMEMBERED: Depth = 3;

/// The depth from which all checks are tried before the move that the search remembers.
const CHECKS_FIRST: Depth = 4;

/// What is to remain for others whenever the list of choices grows. Bytes.
const SPARE: usize = 16 << 20;

/// Room for choices to begin with.
const FIRST_CHOICES: usize = 1 << 10;

/// How large a certificate may be.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// What a checker looks at.
    pub positions: u64,
    /// The choices.
    pub choices: usize,
}

impl Most {
    /// Any size.
    pub const ANY: Most = Most { positions: u64::MAX, choices: usize::MAX };
}

/// Why there is no certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    /// The search was stopped, or there is no memory.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A checker would have to look at more positions than that.
    #[error("the proof has over {0} positions: raise max_positions, or ask for a lesser depth")]
    MostPositions(u64),
    /// No file may have more choices.
    #[error("the proof has over {0} choices, the most that a file may have: ask for a lesser depth")]
    MostChoices(usize),
}

/// Makes the certificate of a position at `depth >= 1`, with leaves that are valued by `quiescence` or not, no larger than
/// `most`.
/// Errors: [`Unproved::Stopped`] if `poll` returns true, or if there is no memory; the others as soon as the
/// proof is too large.
///
/// ```
/// use betacut_exact::certificate::{self, Most};
/// use betacut_core::position::Position;
///
/// let position = Position::from_fen("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83").unwrap();
/// let certificate = certificate::make(&position, 4, false, Most::ANY, &mut || false).unwrap();
/// assert_eq!(certificate.score, 105);
/// assert_eq!(certificate.best_moves.len(), 1);
/// // At depth 1 there is nothing to choose: all moves are looked at, and they lead to leaves.
/// assert!(certificate::make(&position, 1, false, Most::ANY, &mut || false).unwrap().choices.is_empty());
/// ```
pub fn make(
    position: &Position,
    depth: Depth,
    quiescence: bool,
    most: Most,
    poll: Poll<'_>,
) -> Result<Certificate, Unproved> {
    // 1. The value and the best moves. The proofs ask the table, so there is one for a shorter search, too.
    let size = if depth > REMEMBERED { depth.max(LEAST_DEPTH) } else { depth };
    let table = Table::for_search(size, None).map_err(Stopped::from)?;
    let question = Question { quiescence, ..Question::new(depth) };
    let answer = search(position, &question, table.as_ref(), poll)?;
    let mut certificate =
        Certificate { score: answer.score, best_moves: answer.best_moves, choices: Vec::new() };
    if certificate.best_moves.is_empty() {
        return Ok(certificate);
    }
    // 2. The proofs, over the table that the search has filled.
    let board = Board::new(position);
    let searcher = Searcher::new(
        bounds::that_hold(Techniques::ALL, board.values),
        table.as_ref(),
        History::default(),
        Limits::new(poll).every(NODES_PER_LOOK),
    )
    .with_quiescence(quiescence);
    let mut maker = Maker {
        searcher,
        listed: Vec::new(),
        ranked: Vec::new(),
        lately: [Move::NONE; 2],
        choices: Vec::new(),
        room: 0,
        positions: 1,
        most,
    };
    let proved = maker
        .prove_all(&board, depth, answer.score, |m| certificate.best_moves.contains(&board.to_shakmaty(m)));
    match proved {
        Err(Stopped::LimitReached) if maker.positions > most.positions => {
            return Err(Unproved::MostPositions(most.positions));
        }
        Err(Stopped::LimitReached) => return Err(Unproved::MostChoices(most.choices)),
        proved => proved?,
    }
    certificate.choices = maker.choices;
    Ok(certificate)
}

/// Makes proofs, one after the other.
struct Maker<'a> {
    searcher: Searcher<'a>,
    /// The moves of the nodes of the path where all are looked at.
    listed: Vec<Move>,
    /// The moves of the nodes of the path where one is chosen, with their ranks.
    ranked: Vec<u64>,
    /// What was chosen lately two plies before the leaves.
    lately: [Move; 2],
    choices: Vec<u8>,
    /// For how many choices there is memory.
    room: usize,
    /// What a checker has to look at so far.
    positions: u64,
    most: Most,
}

impl Maker<'_> {
    /// Adds the choices for all moves of the root, which is worth `score`, White's view.
    fn prove_all(
        &mut self,
        board: &Board,
        depth: Depth,
        score: Score,
        is_best: impl Fn(Move) -> bool,
    ) -> Result<(), Stopped> {
        let white = !board.black;
        let value = if white { score } else { -score };
        let mut listed = Vec::new();
        list_by_name(board, &mut listed);
        for m in listed {
            let child = board.make(m);
            let mut ask = |by_mover: bool, bound| self.prove(&child, depth - 1, by_mover, bound);
            if is_best(m) {
                // "At least" is White's claim and comes first.
                ask(white, if white { value } else { -value })?;
                ask(!white, if white { -value } else { value })?;
            } else {
                ask(false, 1 - value)?;
            }
        }
        Ok(())
    }

    /// Adds the choices which prove that a side, with `theirs` the one that is not to move, gets at least `bound`.
    fn prove(&mut self, board: &Board, depth: Depth, theirs: bool, bound: Score) -> Result<(), Stopped> {
        self.look_at(1)?;
        let quiet = self.searcher.quiescence;
        if depth == 0 && !quiet || board.clock >= CLOCK_LIMIT || board.is_dead() {
            return Ok(());
        }
        if depth == 1 && !quiet {
            // All moves of the other side lead to leaves.
            return if theirs { self.look_at_all(board) } else { self.choose_leaf(board, bound) };
        }
        if !board.has_legal_move(board.checkers()) {
            return Ok(());
        }
        if depth == 0 {
            return self.prove_quiet(board, theirs, bound);
        }
        if !theirs {
            let m = self.choose(board, depth, bound)?;
            self.push(index_by_name(board, m))?;
            return self.prove(&board.make(m), depth - 1, true, bound);
        }
        if depth == 2 && !quiet {
            return self.prove_replies(board, bound);
        }
        let first = self.listed.len();
        list_by_name(board, &mut self.listed);
        for at in first..self.listed.len() {
            let child = board.make(self.listed[at]);
            self.prove(&child, depth - 1, false, bound)?;
        }
        self.listed.truncate(first);
        Ok(())
    }

    /// [`Maker::prove`] where captures are played out.
    fn prove_quiet(&mut self, board: &Board, theirs: bool, bound: Score) -> Result<(), Stopped> {
        let first = self.listed.len();
        if theirs || board.score() < bound {
            list_by_name(board, &mut self.listed);
            let mut kept = first;
            for at in first..self.listed.len() {
                if is_tactical(board, self.listed[at]) {
                    self.listed[kept] = self.listed[at];
                    kept += 1;
                }
            }
            self.listed.truncate(kept);
        }
        let mut answered = first..self.listed.len();
        if !theirs && !answered.is_empty() {
            let mut chosen = first;
            for at in answered {
                let child = board.make_keyless(self.listed[at]);
                if -self.searcher.quiesce(&child, -bound, 1 - bound)? >= bound {
                    chosen = at;
                    break;
                }
            }
            self.push((chosen - first) as u8)?;
            answered = chosen..chosen + 1;
        }
        for at in answered {
            self.look_at(1)?;
            let child = board.make_keyless(self.listed[at]);
            self.prove_quiet(&child, !theirs, bound)?;
        }
        self.listed.truncate(first);
        Ok(())
    }

    /// [`Maker::prove`] two plies before the leaves, where the other side replies.
    fn prove_replies(&mut self, board: &Board, bound: Score) -> Result<(), Stopped> {
        let premove = Premove::new(board, bound);
        let mut done = Ok(());
        any_piece(board, |piece| {
            let answered = premove.as_ref().map_or(0, |premove| premove.answered(board, piece));
            piece.any_move(board, |m| {
                done = match &premove {
                    Some(premove) if answered & bit(m.to()) != 0 => {
                        self.look_at(1).and_then(|()| self.push_leaf(premove.index))
                    }
                    // The key of a position one ply before the leaves is never used.
                    _ => self.prove(&board.make_keyless(m), 1, false, bound),
                };
                done.is_err()
            })
        });
        done
    }

    /// A move that is worth at least `bound` to the side to move.
    fn choose(&mut self, board: &Board, depth: Depth, bound: Score) -> Result<Move, Stopped> {
        self.searcher.pause()?;
        // 1. What is at hand.
        let mut remembered = Move::NONE;
        if depth < REMEMBERED {
            for m in self.lately {
                if board.is_legal(m, board.checkers()) && self.holds(board, m, depth, bound)? {
                    return Ok(m);
                }
            }
        } else {
            if depth < CHECKS_FIRST
                && let Some(m) = self.choose_check(board, depth, bound)?
            {
                return Ok(m);
            }
            remembered = self.remembered(board, depth, bound)?;
            if depth < CHECKS_FIRST && remembered != Move::NONE {
                return Ok(remembered);
            }
        }
        // 2. All moves.
        let first = self.ranked.len();
        list_by_hope(board, depth, remembered, &mut self.ranked);
        let mut chosen = move_of(self.ranked[first]);
        for at in first..self.ranked.len() {
            let m = greatest_first(&mut self.ranked[at..]);
            if m == remembered || self.holds(board, m, depth, bound)? {
                chosen = m;
                break;
            }
        }
        self.ranked.truncate(first);
        if depth < REMEMBERED && chosen != self.lately[0] {
            self.lately = [chosen, self.lately[0]];
        }
        Ok(chosen)
    }

    /// Whether a move is worth at least `bound`.
    fn holds(&mut self, board: &Board, m: Move, depth: Depth, bound: Score) -> Result<bool, Stopped> {
        let child = board.make(m);
        let value = if depth == 1 {
            self.searcher.quiet_leaf(&child, -bound, 1 - bound)?
        } else {
            self.searcher.node(&child, depth - 1, -bound, 1 - bound)?
        };
        Ok(-value >= bound)
    }

    /// A check that is worth at least `bound`, of those that [`list_checks`] finds.
    fn choose_check(&mut self, board: &Board, depth: Depth, bound: Score) -> Result<Option<Move>, Stopped> {
        let first = self.ranked.len();
        list_checks(board, &mut self.ranked);
        let mut chosen = None;
        for at in first..self.ranked.len() {
            let m = move_of(self.ranked[at]);
            if self.holds(board, m, depth, bound)? {
                chosen = Some(m);
                break;
            }
        }
        self.ranked.truncate(first);
        Ok(chosen)
    }

    /// Adds a choice, as nearly all are, that leads to a leaf worth at least `bound`, if there is a move at all.
    fn choose_leaf(&mut self, board: &Board, bound: Score) -> Result<(), Stopped> {
        self.searcher.pause()?;
        if let Some(index) = first_gain(board, bound) {
            return self.push_leaf(index);
        }
        // A mate, a stalemate, castling, an en passant capture, a lesser promotion, or what begins an endgame.
        let first = self.listed.len();
        list_by_name(board, &mut self.listed);
        let any = self.listed.len() > first;
        let index = self.listed[first..].iter().position(|&m| reaches(board, m, bound));
        self.listed.truncate(first);
        if any { self.push_leaf(index.unwrap_or(0) as u8) } else { Ok(()) }
    }

    /// The move by which the search reaches `bound`, if its table has it.
    fn remembered(&mut self, board: &Board, depth: Depth, bound: Score) -> Result<Move, Stopped> {
        let known = |searcher: &Searcher<'_>| {
            let found = searcher.table?.find(bounds::table_key(board, depth, searcher.quiescence), depth);
            (found.lower >= bound).then_some(found.best)
        };
        if let Some(m) = known(&self.searcher) {
            return Ok(m);
        }
        self.searcher.node(board, depth, bound - 1, bound)?;
        Ok(known(&self.searcher).unwrap_or(Move::NONE))
    }

    /// Adds a choice that leads to a leaf.
    fn push_leaf(&mut self, index: u8) -> Result<(), Stopped> {
        self.look_at(1)?;
        self.push(index)
    }

    /// Adds a choice.
    fn push(&mut self, index: u8) -> Result<(), Stopped> {
        if self.choices.len() == self.room {
            self.grow()?;
        }
        self.choices.push(index);
        Ok(())
    }

    /// Makes room for more choices.
    #[cold]
    fn grow(&mut self) -> Result<(), Stopped> {
        let more = self.room.max(FIRST_CHOICES).min(self.most.choices - self.room);
        if more == 0 {
            return Err(Stopped::LimitReached);
        }
        if !is_to_be_had(self.room + more + SPARE) {
            return Err(Stopped::NoMemory);
        }
        self.choices.reserve_exact(more);
        self.room += more;
        Ok(())
    }

    /// Counts the leaves after all moves, unless any number will do.
    fn look_at_all(&mut self, board: &Board) -> Result<(), Stopped> {
        if self.most.positions == u64::MAX { Ok(()) } else { self.look_at(count(board)) }
    }

    /// Counts what a checker looks at.
    fn look_at(&mut self, positions: u64) -> Result<(), Stopped> {
        self.positions += positions;
        if self.positions <= self.most.positions { Ok(()) } else { Err(Stopped::LimitReached) }
    }
}

/// Lists all legal moves with their ranks: the move that is known to hold, then those that gain most.
fn list_by_hope(board: &Board, depth: Depth, remembered: Move, listed: &mut Vec<u64>) {
    board.any_legal_move(board.checkers(), |m| {
        let hope = (gain(board, board.code(m.from()), m) + HIGH) as u64;
        let gives_check = depth >= CHECKS_FIRST && board.make_keyless(m).checkers() != 0;
        let known = m == remembered;
        listed.push(with_score(hope | u64::from(known) << 20 | u64::from(gives_check) << 21, m));
        false
    });
}

/// Whether a move is one that quiescence looks at.
fn is_tactical(board: &Board, m: Move) -> bool {
    let is_en_passant = board.code(m.from()) == PAWN && m.to() == board.en_passant as u32;
    m.promotion() != EMPTY || board.theirs() & bit(m.to()) != 0 || is_en_passant
}

/// Lists the moves by which an officer gives check from its new square.
fn list_checks(board: &Board, listed: &mut Vec<u64>) {
    let (king, occupied, checks) = (board.our_king(), board.occupied(), Checks::new(board));
    let targets = board.targets(board.checkers()) & !board.ours;
    for from in Squares(board.ours & !board.pawns() & !bit(king)) {
        let code = board.code(from);
        let to = checks.squares(code) & targets & attacks(code, from, occupied);
        if to != 0 {
            let on_line = if board.pinned() & bit(from) != 0 { line(king, from) } else { !0 };
            listed.extend(Squares(to & on_line).map(|to| with_score(0, Move::new(from, to, EMPTY))));
        }
    }
}

/// Makes a gain positive.
const HIGH: Score = 1 << 18;
