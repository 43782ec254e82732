//! Quiescence: what a leaf is worth once every capture has been answered.
//!
//! # The value
//!
//! A leaf is worth what a finished game is, if the plain search sees it as finished; else `Q`, for the side to move:
//!
//! ```text
//! Q(p) = max(score of p, -Q(child) over captures and promotions)
//! ```
//!
//! The side to move may always stand pat, in check too. En passant is a capture, and a pawn promotes to four pieces.
//! Inside, neither the clock nor the end of the game plays a part, so `Q` depends on the men, on castling rights that do
//! not matter, and on the en passant square alone.
//!
//! **Contract.** Fail-soft: [`Searcher::quiet_leaf`] and [`Searcher::quiesce`] return the exact value if it lies inside
//! `(alpha, beta)`; a result `<= alpha` is an upper bound and a result `>= beta` a lower bound.
//!
//! Sources: C. Shannon, "Programming a Computer for Playing Chess" (1950); chessprogramming.org "Quiescence Search".

use super::one_ply_before::{self, Candidate, Least, Node, finished};
use super::two_plies_before;
use std::cell::Cell;

use crate::bounds;
use crate::ordering::{gain, greatest_first, is_ordinary, move_of, with_score};
use crate::search::Searcher;
use betacut_core::board::{
    Board, CLOCK_LIMIT, Code, EMPTY, KING, Move, NO_SQUARE, PAWN, SEVENTH_RANK, Squares, beside,
    bishop_lines, bit, flipped, king_attacks, line, pawns_attack_down, rook_lines,
};
use betacut_core::limits::Stopped;
use betacut_core::score::{MATE, Score};

impl Searcher<'_> {
    /// The value of a leaf within the window, for the side to move.
    pub fn quiet_leaf(&mut self, board: &Board, alpha: Score, beta: Score) -> Result<Score, Stopped> {
        let checkers = board.checkers();
        if !board.has_legal_move(checkers) {
            Ok(finished(checkers != 0, 0))
        } else if board.clock >= CLOCK_LIMIT || board.is_dead() {
            Ok(0)
        } else {
            self.quiesce(board, alpha, beta)
        }
    }

    /// `Q` within the window, for the side to move.
    fn quiesce(&mut self, board: &Board, mut alpha: Score, beta: Score) -> Result<Score, Stopped> {
        self.counts.nodes += 1;
        self.counts.quiescence_nodes += 1;
        self.pause()?;
        // 1. Stand pat.
        let standing = board.score();
        if standing >= beta {
            return Ok(standing);
        }
        alpha = alpha.max(standing);
        if !self.has_quiet_bounds(board) || board.en_passant != NO_SQUARE || bounds::any_promotion(board) {
            return self.take_all(board, standing, alpha, beta);
        }
        // 2. Captures, the most valuable victim and the least valuable taker first. After one the other side may stand pat,
        // so those that gain too little are worth alpha at most.
        let mut victims = bounds::victims(board, alpha + 1 - standing);
        if victims == 0 {
            return Ok(alpha);
        }
        if let Some(known) = self.quiet.look_up(board, alpha, beta) {
            return Ok(known);
        }
        let window = (alpha, beta);
        let occupied = board.occupied();
        victims &= bounds::attacked_by_us(board);
        let mut targets = None;
        for at in kinds(board).into_iter().rev().flat_map(|kind| Squares(victims & kind)) {
            let takers = board.our_attackers(at, occupied);
            for from in kinds(board).into_iter().flat_map(|kind| Squares(takers & kind)) {
                let code = board.code(from);
                if standing + bounds::gain_of_capture(board, code, from, at) <= alpha {
                    continue;
                }
                let targets = *targets.get_or_insert_with(|| board.targets(board.checkers()));
                if !may_take(board, code, from, at, targets) {
                    continue;
                }
                let child = board.make_keyless(Move::new(from, at, EMPTY));
                alpha = alpha.max(-self.quiesce(&child, -beta, -alpha)?);
                if alpha >= beta {
                    self.quiet.store(board, alpha, window);
                    return Ok(alpha);
                }
            }
        }
        if targets.is_some() {
            self.quiet.store(board, alpha, window);
        }
        Ok(alpha)
    }

    /// The same after standing pat, with every capture and promotion.
    #[inline(never)]
    fn take_all(
        &mut self,
        board: &Board,
        standing: Score,
        mut alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        let bounded = self.has_quiet_bounds(board);
        let first = self.scored.len();
        board.any_legal_move_to(board.checkers(), board.theirs(), true, |m| {
            self.scored.push(with_score(rank(board, m), m));
            false
        });
        for index in first..self.scored.len() {
            greatest_first(&mut self.scored[index..]);
            let m = move_of(self.scored[index]);
            let code = board.code(m.from());
            let gains = !bounded
                || !is_ordinary(board, code, m)
                || standing + bounds::gain_of_capture(board, code, m.from(), m.to()) > alpha;
            if gains {
                alpha = alpha.max(-self.quiesce(&board.make_keyless(m), -beta, -alpha)?);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.scored.truncate(first);
        Ok(alpha)
    }

    /// Whether the proofs hold that need bounds of what captures gain.
    #[inline(always)]
    pub fn has_quiet_bounds(&self, board: &Board) -> bool {
        self.techniques().quiet_bounds && board.values.has_bounds()
    }

    /// Whether the value at depth 1 is at least `beta`, for the side to move; `hint` may be a move that reaches it.
    pub fn quiet_reaches(
        &mut self,
        board: &Board,
        beta: Score,
        checkers: u64,
        hint: Move,
    ) -> Result<bool, Stopped> {
        // 1. Corners.
        if !(-MATE..=MATE).contains(&beta) {
            return Ok(beta < 0);
        }
        if board.clock >= CLOCK_LIMIT - 1 || board.men <= 4 {
            return Ok(self.quiet_frontier(board, beta - 1, beta)? >= beta);
        }
        self.reply = Move::NONE;
        self.counts.nodes += 1;
        self.counts.frontier_nodes += 1;
        self.pause()?;
        // 2. A move after which no capture brings enough, or that ends the game.
        let mut candidates = Candidates::new(board, beta - board.quick_score());
        let reached = one_ply_before::reaches_with(board, beta, checkers, &candidates);
        self.reply = candidates.safe.get();
        if reached {
            return Ok(true);
        }
        // 3. The others that reach beta if the other side stands pat are searched: the hint, then the most promising first.
        if hint != Move::NONE && self.quiet_move_reaches(board, hint, beta)? {
            return Ok(true);
        }
        let first = self.scored.len();
        candidates.hanging = None;
        candidates.list.set(Some(std::mem::take(&mut self.scored)));
        one_ply_before::reaches_with(board, beta, checkers, &candidates);
        self.scored = candidates.list.take().expect("the list that was set");
        let mut reached = false;
        for index in first..self.scored.len() {
            greatest_first(&mut self.scored[index..]);
            let m = move_of(self.scored[index]);
            if m != hint && self.quiet_move_reaches(board, m, beta)? {
                reached = true;
                break;
            }
        }
        self.scored.truncate(first);
        Ok(reached)
    }

    /// Whether the leaf after a move is worth `beta`, for the side that moves.
    fn quiet_move_reaches(&mut self, board: &Board, m: Move, beta: Score) -> Result<bool, Stopped> {
        let reached = -self.quiet_leaf(&board.make_keyless(m), -beta, 1 - beta)? >= beta;
        if reached {
            self.reply = m;
        }
        Ok(reached)
    }

    /// Whether the value at depth 2 of a position that is not drawn is at least `beta`, for the side to move.
    ///
    /// A reply that refuted one move is tried against the next ones: after it not even our greatest capture may bring
    /// enough.
    pub fn quiet_reaches_in_two(
        &mut self,
        board: &Board,
        beta: Score,
        checkers: u64,
    ) -> Result<bool, Stopped> {
        let sure = board.clock < CLOCK_LIMIT - 2 && board.men > 5;
        let mut replies = Replies::default();
        // 1. Moves that held at nodes nearby.
        let mut tried = [Move::NONE; 2];
        if self.techniques().refutation_moves && checkers == 0 && beta <= board.quick_score() {
            for (index, m) in self.history.refutations(board).into_iter().enumerate() {
                if m != Move::NONE && board.is_legal_ordinary(m) {
                    tried[index] = m;
                    if self.quiet_holds(board, m, beta, sure, &mut replies)? {
                        return Ok(true);
                    }
                }
            }
        }
        // 2. All others, the greatest gain first.
        let first = self.scored.len();
        let mut reached = false;
        if self.techniques().replies && two_plies_before::applies(board, checkers) {
            two_plies_before::list_unrefuted_quiet(board, beta, &mut self.scored);
            reached = self.scored.len() == first && finished(false, 2) >= beta && !board.has_legal_move(0);
        } else if !two_plies_before::list_all(board, checkers, &mut self.scored) {
            reached = finished(checkers != 0, 2) >= beta;
        }
        for index in first..self.scored.len() {
            greatest_first(&mut self.scored[index..]);
            let m = move_of(self.scored[index]);
            if !tried.contains(&m) && self.quiet_holds(board, m, beta, sure, &mut replies)? {
                self.history.learn_refutation(board, m);
                reached = true;
                break;
            }
        }
        self.scored.truncate(first);
        Ok(reached)
    }

    /// Whether a move at depth 2 leaves the other side nothing that brings the value below `beta`.
    fn quiet_holds(
        &mut self,
        board: &Board,
        m: Move,
        beta: Score,
        sure: bool,
        replies: &mut Replies,
    ) -> Result<bool, Stopped> {
        let child = board.make_keyless(m);
        let refuted = if sure { replies.refute(&child, beta) } else { Refuted::Not };
        let hint = match refuted {
            Refuted::Surely => return Ok(false),
            Refuted::Perhaps(reply) => reply,
            Refuted::Not => Move::NONE,
        };
        if self.quiet_reaches(&child, 1 - beta, child.checkers(), hint)? {
            replies.add(self.reply);
            return Ok(false);
        }
        self.held = m;
        Ok(true)
    }

    /// The value at depth 1 within a window of any width, for the side to move: asked whether it reaches more, again and
    /// again.
    pub fn quiet_value(&mut self, board: &Board, alpha: Score, beta: Score) -> Result<Score, Stopped> {
        let checkers = board.checkers();
        if !self.has_quiet_bounds(board) || board.clock >= CLOCK_LIMIT - 1 || board.men <= 4 || alpha >= MATE
        {
            return self.quiet_frontier(board, alpha, beta);
        }
        // 1. Some value, if none is known: that of the move that gains most, if the other side takes back.
        let mut best = alpha;
        if alpha < -MATE {
            let (mut first, mut most) = (Move::NONE, Score::MIN);
            board.any_legal_move(checkers, |m| {
                let code = board.code(m.from());
                let risk =
                    if board.code(m.to()) == EMPTY { 0 } else { board.values.piece(code, m.from()) / 2 };
                let promising = gain(board, code, m) - risk;
                if promising > most {
                    (first, most) = (m, promising);
                }
                false
            });
            if first == Move::NONE {
                return Ok(finished(checkers != 0, 1));
            }
            best = -self.quiet_leaf(&board.make_keyless(first), -beta, -alpha)?;
        }
        // 2. More.
        while best < beta && best < MATE && self.quiet_reaches(board, best + 1, checkers, Move::NONE)? {
            if self.reply == Move::NONE {
                return self.quiet_frontier(board, best, beta);
            }
            best = -self.quiet_leaf(&board.make_keyless(self.reply), -beta, -best)?;
        }
        Ok(best)
    }

    /// The value at depth 1 within the window, for the side to move.
    pub fn quiet_frontier(&mut self, board: &Board, mut alpha: Score, beta: Score) -> Result<Score, Stopped> {
        self.counts.nodes += 1;
        self.counts.frontier_nodes += 1;
        self.pause()?;
        // 1. A finished game.
        let checkers = board.checkers();
        let first = self.scored.len();
        board.any_legal_move(checkers, |m| {
            self.scored.push(with_score((gain(board, board.code(m.from()), m) + MATE) as u64, m));
            false
        });
        if self.scored.len() == first {
            return Ok(finished(checkers != 0, 1));
        }
        if board.clock >= CLOCK_LIMIT || board.is_dead() {
            self.scored.truncate(first);
            return Ok(finished(false, 1));
        }
        // 2. The moves, the greatest gain first.
        let mut best = -MATE * 2;
        for index in first..self.scored.len() {
            greatest_first(&mut self.scored[index..]);
            let child = board.make_keyless(move_of(self.scored[index]));
            let value = -self.quiet_leaf(&child, -beta, -alpha)?;
            best = best.max(value);
            alpha = alpha.max(value);
            if value >= beta {
                break;
            }
        }
        self.scored.truncate(first);
        Ok(best)
    }
}

/// Replies that refuted moves of a node, the latest first.
#[derive(Default)]
struct Replies {
    list: [Move; REPLIES],
    count: usize,
}

/// How many replies are kept.
const REPLIES: usize = 4;

impl Replies {
    /// Keeps a reply, if it is one.
    fn add(&mut self, reply: Move) {
        if let Some(index) = self.list[..self.count].iter().position(|&known| known == reply) {
            self.list[..=index].rotate_right(1);
        } else if reply != Move::NONE {
            self.count = (self.count + 1).min(REPLIES);
            self.list[..self.count].rotate_right(1);
            self.list[0] = reply;
        }
    }

    /// What they do to a position where they are to move and the others want `beta`.
    fn refute(&mut self, child: &Board, beta: Score) -> Refuted {
        let checkers = child.checkers();
        let mut perhaps = Refuted::Not;
        for index in 0..self.count {
            let reply = self.list[index];
            match refutes(child, checkers, reply, beta) {
                Refuted::Surely => {
                    self.list[..=index].rotate_right(1);
                    return Refuted::Surely;
                }
                Refuted::Perhaps(reply) if matches!(perhaps, Refuted::Not) => {
                    perhaps = Refuted::Perhaps(reply);
                }
                _ => {}
            }
        }
        perhaps
    }
}

/// Whether a reply refutes a move.
enum Refuted {
    Surely,
    /// A capture after it may bring enough.
    Perhaps(Move),
    Not,
}

/// Whether a reply brings the value, for the other side, below `beta`: it is legal, and no single capture or promotion
/// after it reaches `beta`; neither does a stalemate.
fn refutes(child: &Board, checkers: u64, reply: Move, beta: Score) -> Refuted {
    if !child.is_legal(reply, checkers) {
        return Refuted::Not;
    }
    let after = child.make_keyless(reply);
    let score = after.score();
    if score >= beta {
        Refuted::Not
    } else if bounds::may_gain(&after, beta - score) {
        Refuted::Perhaps(reply)
    } else if beta > 0 || after.has_legal_move(after.checkers()) {
        Refuted::Surely
    } else {
        Refuted::Not
    }
}

/// Whether the side to move has a move or is in check.
fn leaves_a_reply(board: &Board) -> bool {
    let checkers = board.checkers();
    checkers != 0 || board.has_legal_move(checkers)
}

/// Moves one ply before the leaves that reach `beta` if the other side stands pat. Is one asked for that surely does, one that
/// leaves nothing hanging is enough; or all are listed, ranked: what leaves the least hanging comes first.
#[derive(Default)]
struct Candidates {
    danger: Danger,
    /// Where it is not enough to gain what is needed.
    hanging: Option<Hanging>,
    /// The one that surely reaches `beta`.
    safe: Cell<Move>,
    list: Cell<Option<Vec<u64>>>,
}

/// The most valuable piece of ours that they attack. Of two of the same kind, none.
struct Hanging {
    at: Option<u32>,
    /// What its moves must gain, lest something else is taken.
    own: Least,
    /// What other moves must gain, lest it is taken; or they capture what attacks it.
    others: Least,
}

impl Hanging {
    fn new(board: &Board, danger: &Danger, need: Score) -> Hanging {
        let mut attacked = board.ours & danger.attacked & !board.kings();
        let mut costs = || {
            let values = board.values;
            let [pawns, knights, bishops, rooks, queens, _] = kinds(board).map(|kind| kind & attacked);
            let kinds = [
                (queens, values.most_by_queen),
                (rooks, values.most_by_rook),
                (knights | bishops, values.most_by_minor),
                (pawns, values.most_by_pawn),
            ];
            let (most, cost) = kinds.into_iter().find(|&(kind, _)| kind != 0).unwrap_or((0, 0));
            let one = most.is_power_of_two();
            attacked &= if one { !most } else { !0 };
            (one.then(|| most.trailing_zeros()), cost)
        };
        let (at, cost) = costs();
        let (_, others) = costs();
        let attackers = at.map_or(0, |at| board.their_attackers(at, board.occupied()));
        Hanging {
            at,
            own: Least::new(board, need + others),
            others: Least::new(board, need + cost).or_of(attackers & bounds::victims(board, need)),
        }
    }
}

impl Candidates {
    fn new(board: &Board, need: Score) -> Candidates {
        let danger = Danger::new(board);
        let hanging = Some(Hanging::new(board, &danger, need));
        Candidates { danger, hanging, ..Candidates::default() }
    }

    /// Whether a move that reaches `beta` by so much surely does; false if it is listed.
    #[inline(always)]
    fn decide(
        &self,
        board: &Board,
        beta: Score,
        m: Move,
        margin: Score,
        loses: impl FnOnce() -> Option<bool>,
    ) -> bool {
        if let Some(mut list) = self.list.take() {
            let loss = self.danger.loss(board, board.code(m.from()), m);
            list.push(with_score((margin - loss + MATE) as u64, m));
            self.list.set(Some(list));
            return false;
        }
        let safe = !loses().unwrap_or_else(|| bounds::may_gain(&board.make_keyless(m), margin + 1))
            && (beta <= 0 || leaves_a_reply(&board.make_keyless(m)));
        if safe {
            self.safe.set(m);
        }
        safe
    }
}

impl Candidate for &Candidates {
    #[inline(always)]
    fn least(self, node: &Node<'_, Self>, from: Option<u32>) -> Least {
        match &self.hanging {
            Some(hanging) if from.is_some() && from == hanging.at => hanging.own,
            Some(hanging) => hanging.others,
            None => node.least,
        }
    }

    #[inline(always)]
    fn is_enough(self, node: &Node<'_, Self>, from: u32, to: u32) -> bool {
        let (board, m) = (node.board, Move::new(from, to, EMPTY));
        let code = board.code(from);
        if self.danger.sees(board, code, m) {
            let margin = gain(board, code, m) - node.need;
            self.decide(board, node.beta, m, margin, || self.danger.loses(board, m, margin + 1))
        } else {
            self.decide(board, node.beta, m, -board.make_keyless(m).score() - node.beta, || None)
        }
    }

    #[inline(never)]
    fn made_reaches(self, node: &Node<'_, Self>, m: Move) -> bool {
        let child = node.board.make_keyless(m);
        let margin = -child.score() - node.beta;
        if margin >= 0 {
            return self.decide(node.board, node.beta, m, margin, || None);
        }
        let checkers = child.checkers();
        !child.has_legal_move(checkers) && -finished(checkers != 0, 0) >= node.beta
    }
}

/// What the other side attacks.
#[derive(Default)]
struct Danger {
    attacked: u64,
    by_sliders: u64,
    by_pawns: u64,
    /// A pawn of theirs may promote.
    promotes: bool,
}

impl Danger {
    fn new(board: &Board) -> Danger {
        let theirs = board.theirs();
        let pawns = theirs & board.pawns();
        let by_pawns = pawns_attack_down(pawns);
        let by_sliders = bounds::attacked_by_sliders(board, theirs);
        let attacked =
            bounds::attacked_by_pieces(board, theirs) | by_pawns | king_attacks(board.their_king());
        Danger { attacked, by_sliders, by_pawns, promotes: pawns & SEVENTH_RANK.swap_bytes() != 0 }
    }

    /// Whether a legal move changes nothing but two squares, and no phase; then [`Danger::loses`] may know.
    #[inline(always)]
    fn sees(&self, board: &Board, code: Code, m: Move) -> bool {
        !self.promotes
            && is_ordinary(board, code, m)
            && (code != PAWN || m.to().abs_diff(m.from()) != 16 || !may_take_en_passant(board, m))
            && !board.becomes_low(board.theirs(), m.to())
    }

    /// Whether they may capture something that gains them so much after such a move, if that is plain.
    ///
    /// They attack no more after it than before, unless it opens a line. True is likely, false is certain.
    #[inline(always)]
    fn loses(&self, board: &Board, m: Move, need: Score) -> Option<bool> {
        let (from, to) = (bit(m.from()), bit(m.to()));
        let exposed = bounds::exposed(board, need) & !board.kings();
        if exposed & self.attacked & !from != 0 {
            return (board.code(m.to()) == EMPTY).then_some(true);
        }
        let moved = if exposed & from == 0 { 0 } else { to };
        if moved & self.attacked != 0 {
            return (board.code(m.to()) == EMPTY).then_some(true);
        }
        (self.by_sliders & from == 0).then_some(false)
    }

    /// About what a move leaves hanging.
    #[inline(always)]
    fn loss(&self, board: &Board, code: Code, m: Move) -> Score {
        let (from, to) = (bit(m.from()), bit(m.to()));
        let value = if code == KING { 0 } else { board.values.piece(code, m.from()) };
        let mut loss = 0;
        if self.attacked & from != 0 {
            loss -= value / 2;
        }
        if code != KING && self.attacked & to != 0 {
            let held = board.our_attackers(m.to(), board.occupied() ^ from) & !from != 0;
            loss += if held && self.by_pawns & to == 0 { value / 2 } else { value };
        }
        loss
    }
}

/// What quiescence found about positions, the latest of each place.
#[derive(Default)]
pub struct QuietTable {
    entries: Vec<Known>,
}

/// A position's men as the side to move sees them, and bounds of its value.
#[derive(Clone, Copy, Default)]
struct Known {
    men: [u64; 4],
    least: Score,
    most: Score,
}

/// How many positions a [`QuietTable`] holds.
const PLACES: usize = 1 << 13;

impl QuietTable {
    #[inline(always)]
    fn place(board: &Board) -> usize {
        board.products() as usize & (PLACES - 1)
    }

    #[inline(always)]
    fn look_up(&self, board: &Board, alpha: Score, beta: Score) -> Option<Score> {
        let known = self.entries.get(QuietTable::place(board))?;
        if known.men != board.men_by_plane() {
            return None;
        }
        if known.least >= beta || known.least == known.most {
            Some(known.least)
        } else {
            (known.most <= alpha).then_some(known.most)
        }
    }

    fn store(&mut self, board: &Board, value: Score, (alpha, beta): (Score, Score)) {
        if self.entries.is_empty() {
            self.entries = vec![Known::default(); PLACES];
        }
        let least = if value > alpha { value } else { -INFINITE };
        let most = if value < beta { value } else { INFINITE };
        self.entries[QuietTable::place(board)] = Known { men: board.men_by_plane(), least, most };
    }
}

/// More than any value.
const INFINITE: Score = MATE * 2;

/// Whether a pawn of theirs stands beside the square where a double step ends.
#[inline(always)]
fn may_take_en_passant(board: &Board, m: Move) -> bool {
    beside(bit(m.to())) & board.theirs() & board.pawns() != 0
}

/// The men of both sides, by kind; the least valuable first.
#[inline(always)]
fn kinds(board: &Board) -> [u64; 6] {
    let (diagonal, straight) = (board.diagonal_sliders(), board.straight_sliders());
    [
        board.pawns(),
        board.knights(),
        diagonal & !straight,
        straight & !diagonal,
        diagonal & straight,
        board.kings(),
    ]
}

/// Whether a capture is legal; out of check, only onto `targets`, but for the king.
#[inline(always)]
fn may_take(board: &Board, code: Code, from: u32, at: u32, targets: u64) -> bool {
    let king = board.our_king();
    if code == KING {
        return board.their_attackers(at, board.occupied() ^ bit(king)) == 0;
    }
    targets & bit(at) != 0
        && ((rook_lines(king) | bishop_lines(king)) & bit(from) == 0
            || board.pinned() & bit(from) == 0
            || line(king, from) & bit(at) != 0)
}

/// The most valuable victim first, the least valuable attacker first among those that take it.
fn rank(board: &Board, m: Move) -> u64 {
    let value =
        |code: Code, at: u32| if code == KING { MATE / 100 } else { board.values.piece(code, at).max(0) };
    let promoted = if m.promotion() == EMPTY { 0 } else { value(m.promotion(), m.to()) };
    let won = value(board.code(m.to()), flipped(m.to())) + promoted;
    (64 * won + MATE - value(board.code(m.from()), m.from())).max(0) as u64
}
