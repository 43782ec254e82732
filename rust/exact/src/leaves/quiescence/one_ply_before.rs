//! One ply before the leaves: which moves reach a value, where leaves are valued by quiescence.
//!
//! After our move the other side may stand pat, so a move that gains too little is refuted unmade, as in the plain search
//! ([`crate::leaves::one_ply_before`]). After their capture we may stand pat: a move that reaches `beta` still does if no
//! single capture or promotion of theirs gains enough. What is left is searched.

use std::cell::Cell;

use crate::bounds;
use crate::leaves::one_ply_before::{self, Candidate, Least, Node, finished};
use crate::leaves::quiescence::table::Question;
use crate::ordering::{gain, greatest_first, is_ordinary, with_score};
use crate::search::Searcher;
use betacut_core::board::{
    Board, CLOCK_LIMIT, Code, EMPTY, KING, Move, PAWN, SEVENTH_RANK, beside, bit, king_attacks,
    pawns_attack_down,
};
use betacut_core::limits::Stopped;
use betacut_core::score::{MATE, Score};

impl Searcher<'_> {
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
        // 2. What is known, by another order of moves.
        let question = Question::value(board, 1);
        if let Some((reached, best)) = self.quiet.look_up(board, question, beta) {
            self.reply = best;
            return Ok(reached);
        }
        let reached = self.find_quiet_reply(board, beta, checkers, hint)?;
        self.quiet.store(board, question, beta, reached, self.reply);
        Ok(reached)
    }

    /// The same, far from the corners.
    fn find_quiet_reply(
        &mut self,
        board: &Board,
        beta: Score,
        checkers: u64,
        hint: Move,
    ) -> Result<bool, Stopped> {
        self.reply = Move::NONE;
        self.counts.nodes += 1;
        self.counts.frontier_nodes += 1;
        self.pause()?;
        // 1. A move after which no capture brings enough, or that ends the game.
        let mut candidates = Candidates::new(board, board.need(beta));
        let reached = one_ply_before::reaches_with(board, beta, checkers, &candidates);
        self.reply = candidates.safe.get();
        if reached {
            return Ok(true);
        }
        // 2. The others that reach beta if the other side stands pat are searched: the hint, then the most promising first.
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
            let m = greatest_first(&mut self.scored[index..]);
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
            let child = board.make_keyless(greatest_first(&mut self.scored[index..]));
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
            let (diagonal, straight) = (board.diagonal_sliders(), board.straight_sliders());
            let kinds = [
                (diagonal & straight & attacked, values.most_by_queen),
                (straight & attacked, values.most_by_rook),
                ((diagonal | board.knights()) & attacked, values.most_by_minor),
                (board.pawns() & attacked, values.most_by_pawn),
            ];
            let (most, cost) = kinds.into_iter().find(|&(kind, _)| kind != 0).unwrap_or((0, 0));
            let one = most.is_power_of_two();
            attacked &= if one { !most } else { !0 };
            // A piece that is worth less than nothing may hang.
            (one.then(|| most.trailing_zeros()), cost.max(0))
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
    const MAY_TAPER: bool = true;

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
            self.decide(board, node.beta, m, margin(&board.make_keyless(m), node.beta), || None)
        }
    }

    #[inline(never)]
    fn made_reaches(self, node: &Node<'_, Self>, m: Move) -> bool {
        let child = node.board.make_keyless(m);
        let margin = margin(&child, node.beta);
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
        let by_sliders = bounds::attacked_by_sliders(board, theirs, board.occupied());
        let attacked = by_sliders
            | bounds::attacked_by_knights(theirs & board.knights())
            | by_pawns
            | king_attacks(board.their_king());
        Danger { attacked, by_sliders, by_pawns, promotes: pawns & SEVENTH_RANK.swap_bytes() != 0 }
    }

    /// Whether a legal move changes nothing but two squares, and no phase; then [`Danger::loses`] may know.
    #[inline(always)]
    fn sees(&self, board: &Board, code: Code, m: Move) -> bool {
        !self.promotes
            && is_ordinary(board, code, m)
            && (code != PAWN || m.to().abs_diff(m.from()) != 16 || !may_take_en_passant(board, m))
            && !board.changes_phase(board.theirs(), m.to())
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
            loss += if self.by_pawns & to == 0 { value / 2 } else { value };
        }
        loss
    }
}

/// By how much the score of a position reaches `beta`, for the side that is not to move; in the units of the values.
#[inline(always)]
fn margin(child: &Board, beta: Score) -> Score {
    -child.quick_score() - child.values.least(beta)
}

/// Whether the side to move has a move or is in check.
fn leaves_a_reply(board: &Board) -> bool {
    let checkers = board.checkers();
    checkers != 0 || board.has_legal_move(checkers)
}

/// Whether a pawn of theirs stands beside the square where a double step ends.
#[inline(always)]
fn may_take_en_passant(board: &Board, m: Move) -> bool {
    beside(bit(m.to())) & board.theirs() & board.pawns() != 0
}
