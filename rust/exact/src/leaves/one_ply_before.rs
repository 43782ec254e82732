//! One ply before the leaves: whether the side to move has a move that is worth enough.
//!
//! # The idea
//!
//! Nine nodes of ten are leaves, and nearly all of them are asked for one bit: does *some* move reach the value `beta`?
//! A leaf's value is the parent's score plus what the move gains, so no leaf needs to be made. Quiet moves are
//! answered by sets: among the squares a piece attacks, those that gain enough are one lookup away
//! ([`Values::at_least`](betacut_core::evaluation::Values::at_least)). Captures are few and added up one by one. Only a move that gives check must be made, to
//! see whether it mates.
//!
//! # The price
//!
//! The common case stands apart from the rules' corners: with the clock near its end or with little material the node
//! is answered by [`value`], which makes every move; promotions, castling and en passant captures are made too.
//!
//! # What can go wrong
//!
//! A leaf is not worth its score if it ends the game. Checkmate is looked for among the moves that give check. A
//! stalemate is worth 0: where `beta > 0` a move that reaches `beta` must leave a reply, and where `beta <= 0` a move that
//! gains too little might still stalemate. See [`bounds`] for the proofs that it does not.

use crate::bounds;
use betacut_core::board::{
    BISHOP, Board, CLOCK_LIMIT, Code, EMPTY, FIRST_RANK, KING, KNIGHT, LAST_RANK, Move, NO_SQUARE, PAWN,
    PROMOTIONS, QUEEN, ROOK, SEVENTH_RANK, Squares, THIRD_RANK, attacks, bishop_attacks, bishop_lines, bit,
    king_attacks, knight_attacks, line, pawns_attack_down, pawns_attack_up, rook_attacks, rook_lines,
};
use betacut_core::evaluation::values::king_code;
use betacut_core::score::{Depth, MATE, Score};

/// The value of a finished game with `depth` plies left, for the side to move.
#[inline(always)]
pub const fn finished(in_check: bool, depth: Depth) -> Score {
    if in_check { -MATE - depth } else { -depth }
}

/// The value of a leaf for the side to move.
#[inline]
pub fn leaf(board: &Board) -> Score {
    let checkers = board.checkers();
    if !board.has_legal_move(checkers) {
        finished(checkers != 0, 0)
    } else if board.clock >= CLOCK_LIMIT || board.is_dead() {
        0
    } else {
        board.score()
    }
}

/// The value at depth 1 for the side to move, exact below `beta`: every move is made until one reaches `beta`.
pub fn value(board: &Board, beta: Score) -> (Score, Move) {
    let mut best = (-MATE * 2, Move::NONE);
    let checkers = board.checkers();
    board.any_legal_move(checkers, |m| {
        let value = -leaf(&board.make_keyless(m));
        if value > best.0 {
            best = (value, m);
        }
        best.0 >= beta
    });
    if best.1 == Move::NONE {
        return (finished(checkers != 0, 1), Move::NONE);
    }
    if board.clock >= CLOCK_LIMIT || board.is_dead() { (finished(false, 1), Move::NONE) } else { best }
}

/// Whether the value at depth 1 for the side to move is at least `beta`; `checkers` are the pieces that give check.
#[inline(never)]
pub fn reaches(board: &Board, beta: Score, checkers: u64) -> bool {
    // Mating is worth MATE, being mated -MATE - 1.
    if !(-MATE..=MATE).contains(&beta) {
        return beta < 0;
    }
    if board.clock >= CLOCK_LIMIT - 1 || board.men <= 4 {
        return value(board, beta).0 >= beta;
    }
    if board.values.tapers().is_some() {
        return reaches_with(board, beta, checkers, AtOnce::<true>);
    }
    Node::new(board, beta, checkers, AtOnce::<false>).reaches()
}

/// The same with candidates of another kind, for positions where neither fifty moves nor dead positions are near.
#[inline(never)]
pub fn reaches_with(board: &Board, beta: Score, checkers: u64, candidate: impl Candidate) -> bool {
    Node::new(board, beta, checkers, candidate).reaches()
}

/// What becomes of a legal move that gains enough.
pub trait Candidate: Copy {
    /// Whether the tapered rule may be in use; else what it takes costs nothing.
    const MAY_TAPER: bool;
    /// What a move must gain to be looked at: of a piece on this square, or of a pawn or the king.
    #[inline(always)]
    fn least(self, node: &Node<'_, Self>, _from: Option<u32>) -> Least {
        node.least
    }
    /// Whether it surely reaches `beta`, where it changes two squares.
    fn is_enough(self, node: &Node<'_, Self>, from: u32, to: u32) -> bool;
    /// Whether any move does, enough or not.
    fn made_reaches(self, node: &Node<'_, Self>, m: Move) -> bool;
}

/// The leaf is worth its score, by the tapered rule or by another.
#[derive(Clone, Copy)]
struct AtOnce<const TAPERED: bool>;

impl<const TAPERED: bool> Candidate for AtOnce<TAPERED> {
    const MAY_TAPER: bool = TAPERED;

    #[inline(always)]
    fn is_enough(self, node: &Node<'_, Self>, from: u32, to: u32) -> bool {
        node.leaves_a_reply(from, to)
    }

    #[inline(always)]
    fn made_reaches(self, node: &Node<'_, Self>, m: Move) -> bool {
        -leaf(&node.board.make_keyless(m)) >= node.beta
    }
}

/// What a move must gain, and what that means for quiet moves and for captures.
#[derive(Clone, Copy, Default)]
pub struct Least {
    need: Score,
    level: usize,
    /// What may be captured.
    victims: u64,
}

impl Least {
    /// At least so much.
    #[inline(always)]
    pub fn new(board: &Board, need: Score) -> Least {
        Least { need, level: board.values.level(need), victims: bounds::victims(board, need) }
    }

    /// Or a capture of one of these.
    #[inline(always)]
    #[must_use]
    pub fn or_of(self, victims: u64) -> Least {
        Least { victims: self.victims | victims, ..self }
    }
}

/// A node one ply before the leaves, far from the fifty-move rule and from dead positions.
pub struct Node<'a, C> {
    candidate: C,
    pub(super) board: &'a Board<'a>,
    pub(super) beta: Score,
    checkers: u64,
    /// Where a piece other than the king must go: anywhere, or between the king and the piece that gives check.
    targets: u64,
    /// What a move must gain.
    pub(super) need: Score,
    pub(super) least: Least,
    occupied: u64,
    theirs: u64,
    king: u32,
    their_king: u32,
}

impl<'a, C: Candidate> Node<'a, C> {
    #[inline(always)]
    fn new(board: &'a Board<'a>, beta: Score, checkers: u64, candidate: C) -> Node<'a, C> {
        let need = if C::MAY_TAPER { board.need(beta) } else { beta - board.quick_score() };
        Node {
            candidate,
            board,
            beta,
            checkers,
            targets: board.targets(checkers),
            need,
            least: Least::new(board, need),
            occupied: board.occupied(),
            theirs: board.theirs(),
            king: board.our_king(),
            their_king: board.their_king(),
        }
    }

    /// Whether a move reaches `beta`. The moves that need least to be looked at come first.
    #[inline(always)]
    fn reaches(&self) -> bool {
        let &Node { board, beta, occupied, theirs, their_king, targets, .. } = self;
        let ours = board.ours;
        let empty = !occupied;
        let pawns = ours & board.pawns();
        let steps = pawns << 8 & empty;
        let doubles = (steps & THIRD_RANK) << 8 & empty & targets;
        let steps = steps & targets;
        let takes = pawns_attack_up(pawns) & targets & theirs;
        // What knights, what moves like a bishop, what moves like a rook, and what queens attack.
        let (mut by_knights, mut by_diagonals, mut by_straights, mut by_queens) = (0, 0, 0, 0);

        if targets != 0 {
            // 1. Pawns.
            if self.pawns_reach([steps, doubles, takes]) {
                return true;
            }
            // 2. Knights, what moves like a bishop, what moves like a rook.
            for from in Squares(ours & board.knights()) {
                let attacked = knight_attacks(from);
                if self.hits(KNIGHT, from, attacked) {
                    return true;
                }
                by_knights |= attacked;
            }
            let (diagonal, straight) = (board.diagonal_sliders(), board.straight_sliders());
            for from in Squares(ours & diagonal) {
                let attacked = bishop_attacks(from, occupied);
                let code = BISHOP + 2 * (straight >> from & 1) as usize;
                if self.hits(code, from, attacked) {
                    return true;
                }
                by_diagonals |= attacked;
                by_queens |= if code == QUEEN { attacked } else { 0 };
            }
            for from in Squares(ours & straight) {
                let attacked = rook_attacks(from, occupied);
                let code = ROOK + (diagonal >> from & 1) as usize;
                if self.hits(code, from, attacked) {
                    return true;
                }
                by_straights |= attacked;
                by_queens |= if code == QUEEN { attacked } else { 0 };
            }
        }
        // 3. The king.
        if self.king_reaches() {
            return true;
        }
        // 4. Castling, if it gains enough or may give check.
        let diagonal_checks = bishop_attacks(their_king, occupied);
        let straight_checks = rook_attacks(their_king, occupied);
        if board.castling & 3 != 0 && self.checkers == 0 && self.castling_reaches(straight_checks) {
            return true;
        }
        // 5. Checkmate: moves that give check, directly or by leaving a line.
        let checks = [
            pawns_attack_down(bit(their_king)) & (steps | doubles | takes) & !LAST_RANK,
            by_knights & knight_attacks(their_king) & targets & !ours,
            (by_diagonals | by_queens) & diagonal_checks & targets & !ours,
            (by_straights | by_queens) & straight_checks & targets & !ours,
        ];
        let discoverers = board.discoverers();
        if (checks[0] | checks[1] | checks[2] | checks[3] | discoverers) != 0
            && self.mates(checks, discoverers)
        {
            return true;
        }
        // 6. A stalemate, theirs after a move of ours or ours now.
        beta <= 0 && self.stalemate_reaches()
    }

    /// Whether a pawn's step, double step or capture, which end on these squares, gains enough.
    #[inline(always)]
    fn pawns_reach(&self, [steps, doubles, takes]: [u64; 3]) -> bool {
        let board = self.board;
        let Least { need, level, victims } = self.candidate.least(self, None);
        let pawns = board.ours & board.pawns();
        let hits = steps & board.values.step_at_least(level) & !LAST_RANK;
        if hits != 0
            && Squares(hits).any(|to| self.gains(PAWN, to - 8, to, need) && self.is_good_quiet(to - 8, to))
        {
            return true;
        }
        let hits = doubles & board.values.double_at_least(level);
        if hits != 0
            && Squares(hits).any(|to| self.gains(PAWN, to - 16, to, need) && self.is_good_quiet(to - 16, to))
        {
            return true;
        }
        for to in Squares(takes & victims & !LAST_RANK) {
            let takers = pawns_attack_down(bit(to)) & pawns;
            if Squares(takers).any(|from| self.is_good_capture(PAWN, from, to)) {
                return true;
            }
        }
        if board.en_passant != NO_SQUARE && board.any_en_passant(|m| self.made_reaches(m)) {
            return true;
        }
        pawns & SEVENTH_RANK != 0 && self.promotion_reaches((steps | takes) & LAST_RANK)
    }

    /// Whether a step or a capture by the king gains enough.
    #[inline(always)]
    fn king_reaches(&self) -> bool {
        let Least { level, victims, .. } = self.candidate.least(self, None);
        let &Node { board, occupied, king, .. } = self;
        let table = king_code(board.endgame());
        let hits = king_attacks(king) & (!occupied & board.values.at_least(table, king, level) | victims);
        Squares(hits).any(|to| {
            ((bit(to) & occupied == 0 && !self.is_coarse())
                || bounds::gain_of_capture(self.board, KING, king, to) >= self.need)
                && board.their_attackers(to, occupied ^ bit(king)) == 0
                && self.candidate.is_enough(self, king, to)
        })
    }

    /// Whether a piece that attacks these squares has a move that gains enough.
    #[inline(always)]
    fn hits(&self, code: Code, from: u32, attacked: u64) -> bool {
        let values = self.board.values;
        let Least { need, level, victims } = self.candidate.least(self, Some(from));
        if need <= values.most_by_quiet(code) {
            let quiet = attacked & !self.occupied & self.targets & values.at_least(code, from, level);
            if quiet != 0
                && Squares(quiet).any(|to| self.gains(code, from, to, need) && self.is_good_quiet(from, to))
            {
                return true;
            }
        }
        let captures = attacked & victims & self.targets;
        captures != 0 && Squares(captures).any(|to| self.is_good_capture(code, from, to))
    }

    /// Whether sets that are named by their level have moves that gain less.
    #[inline(always)]
    fn is_coarse(&self) -> bool {
        C::MAY_TAPER && self.board.values.is_coarse
    }

    /// Whether a quiet move of a set that is named by its level gains enough. Not for the king.
    #[inline(always)]
    fn gains(&self, code: Code, from: u32, to: u32, need: Score) -> bool {
        let values = self.board.values;
        !self.is_coarse() || values.piece(code, to) - values.piece(code, from) >= need
    }

    /// Whether a quiet move that gains enough is legal and leaves a reply.
    #[inline(always)]
    fn is_good_quiet(&self, from: u32, to: u32) -> bool {
        self.is_unpinned(from, to) && self.candidate.is_enough(self, from, to)
    }

    /// Whether a capture gains enough, is legal and leaves a reply. Not for the king.
    #[inline(always)]
    fn is_good_capture(&self, code: Code, from: u32, to: u32) -> bool {
        bounds::gain_of_capture(self.board, code, from, to) >= self.need
            && self.is_unpinned(from, to)
            && self.candidate.is_enough(self, from, to)
    }

    /// Whether a piece may move to `to` without leaving its king in check.
    #[inline(always)]
    fn is_unpinned(&self, from: u32, to: u32) -> bool {
        let lines = rook_lines(self.king) | bishop_lines(self.king);
        lines & bit(from) == 0 || self.board.pinned() & bit(from) == 0 || line(self.king, from) & bit(to) != 0
    }

    /// Whether a move does not stalemate, where that matters.
    #[inline(always)]
    fn leaves_a_reply(&self, from: u32, to: u32) -> bool {
        // A stalemate is worth 0, which may be enough.
        self.beta <= 0
            || bounds::a_pawn_can_step(self.board, to)
            || self.leaves_a_reply_on_the_board(from, to)
    }

    #[cold]
    #[inline(never)]
    fn leaves_a_reply_on_the_board(&self, from: u32, to: u32) -> bool {
        // Mostly their king can step away.
        if self.king_can_flee(self.board.code(from), from, to) {
            return true;
        }
        let child = self.board.make_keyless(Move::new(from, to, EMPTY));
        let checkers = child.checkers();
        checkers != 0 || child.has_legal_move(checkers)
    }

    /// Whether castling reaches `beta`; a rook that arrives may give check, along its file or the first rank. That of
    /// Chess960, after which king and rook may stand where they stood, is made.
    #[inline(always)]
    fn castling_reaches(&self, straight_checks: u64) -> bool {
        // Most often something stands between.
        (self.occupied & 0x60 == 0 || self.occupied & 0x0e == 0 || self.board.is_chess960())
            && self.free_castling_reaches(straight_checks)
    }

    #[inline(never)]
    fn free_castling_reaches(&self, straight_checks: u64) -> bool {
        let board = self.board;
        if board.we_castle_as_in_chess960() {
            return board.castling_moves().into_iter().flatten().any(|m| self.made_reaches(m));
        }
        let may_check = |rook: u32| (straight_checks & bit(rook)) | (bit(self.their_king) & FIRST_RANK) != 0;
        [(0x60, self.king + 2, 7, 5), (0x0e, self.king.wrapping_sub(2), 0, 3)].into_iter().any(
            |(path, to, rook_from, rook_to)| {
                let gain = board.values.king(board.endgame(), to)
                    - board.values.king(board.endgame(), self.king)
                    + board.values.piece(ROOK, rook_to)
                    - board.values.piece(ROOK, rook_from);
                path & self.occupied == 0
                    && (gain >= self.need || may_check(rook_to))
                    && board
                        .castling_moves()
                        .into_iter()
                        .flatten()
                        .any(|m| m.to() == to && self.made_reaches(m))
            },
        )
    }

    /// Whether a promotion to one of these squares reaches `beta`.
    #[inline(never)]
    fn promotion_reaches(&self, to: u64) -> bool {
        let pawns = self.board.ours & self.board.pawns();
        Squares(to).any(|to| {
            let step = if bit(to) & self.occupied == 0 { bit(to - 8) } else { pawns_attack_down(bit(to)) };
            Squares(step & pawns).any(|from| {
                self.is_unpinned(from, to)
                    && PROMOTIONS.into_iter().any(|code| self.made_reaches(Move::new(from, to, code)))
            })
        })
    }

    /// Whether a legal move reaches `beta`, by making it.
    #[inline(never)]
    fn made_reaches(&self, m: Move) -> bool {
        self.candidate.made_reaches(self, m)
    }

    /// Whether one of the moves that give check mates; promotions, castling and en passant aside. `checks` are the
    /// squares from which a pawn, a knight, what moves like a bishop, what moves like a rook may give check; any move
    /// of a piece that stands `discoverers` does, if it leaves the line.
    #[inline(never)]
    fn mates(&self, checks: [u64; 4], discoverers: u64) -> bool {
        let &Node { board, occupied, king, targets, .. } = self;
        let ours = board.ours;
        let [by_pawn, by_knight, by_diagonal, by_straight] = checks;
        let direct = Squares(by_pawn | by_knight | by_diagonal | by_straight).any(|to| {
            // Who can go there and give check.
            let at = bit(to);
            let mut from = 0;
            if by_pawn & at != 0 {
                let pawns = ours & board.pawns();
                from |= match (occupied & at, at >> 8 & pawns) {
                    (0, 0) => at >> 16,
                    (0, step) => step,
                    _ => pawns_attack_down(at) & pawns,
                };
            }
            if by_knight & at != 0 {
                from |= knight_attacks(to) & board.knights();
            }
            if (by_diagonal | by_straight) & at != 0 {
                let (diagonal, straight) = (board.diagonal_sliders(), board.straight_sliders());
                let queens = diagonal & straight;
                let bishops = if by_diagonal & at == 0 { queens } else { diagonal };
                let rooks = if by_straight & at == 0 { queens } else { straight };
                from |= bishop_attacks(to, occupied) & bishops | rook_attacks(to, occupied) & rooks;
            }
            Squares(from & ours)
                .any(|from| self.is_unpinned(from, to) && self.mates_by(board.code(from), from, to))
        });
        direct
            || Squares(discoverers).any(|from| {
                let code = board.code(from);
                let to = match code {
                    PAWN => board.pawn_targets(from, occupied) & targets & !LAST_RANK,
                    KING => king_attacks(from),
                    _ => board.piece_attacks(from, occupied) & targets,
                };
                Squares(to & !ours).any(|to| {
                    let legal = if code == KING {
                        board.their_attackers(to, occupied ^ bit(king)) == 0
                    } else {
                        self.is_unpinned(from, to)
                    };
                    legal && self.mates_by(code, from, to)
                })
            })
    }

    /// Whether a legal move mates.
    #[inline(always)]
    fn mates_by(&self, code: Code, from: u32, to: u32) -> bool {
        !self.king_can_flee(code, from, to) && self.made_mates(Move::new(from, to, EMPTY))
    }

    #[inline(never)]
    fn made_mates(&self, m: Move) -> bool {
        let child = self.board.make_keyless(m);
        let checkers = child.checkers();
        checkers != 0 && !child.has_legal_move(checkers)
    }

    /// Whether their king has a square to go to after a move of ours; pieces they could take with it are left out.
    #[inline(always)]
    fn king_can_flee(&self, code: Code, from: u32, to: u32) -> bool {
        let board = self.board;
        let after = self.occupied & !bit(from) & !bit(self.their_king) | bit(to);
        // The moved piece guards some squares around; it is asked first.
        let guarded = attacks(code, to, after);
        let flights = king_attacks(self.their_king) & !self.occupied & !guarded & !bit(to);
        Squares(flights).any(|at| board.our_attackers(at, after) & !bit(from) == 0)
    }

    /// Whether a stalemate makes the node worth `beta <= 0`, every other move having failed.
    #[inline(always)]
    fn stalemate_reaches(&self) -> bool {
        // A stalemate of ours is worth -1, one of theirs 0.
        if self.beta < 0 && self.checkers == 0 && !self.board.has_legal_move(0) {
            return true;
        }
        let ends = bounds::stalemating_ends(self.board);
        ends != 0 && self.some_move_stalemates(ends)
    }

    /// Whether a move that ends on one of `ends`, or castles if it may end anywhere, stalemates. Promotions and en passant
    /// captures have been made already.
    #[cold]
    #[inline(never)]
    fn some_move_stalemates(&self, ends: u64) -> bool {
        let board = self.board;
        let closing = Closing::new(self);
        let stalemates = |m: Move| {
            let child = board.make_keyless(m);
            let checkers = child.checkers();
            checkers == 0 && !child.has_legal_move(checkers)
        };
        let squares = ends & closing.squares();
        let some_move_does = squares != 0
            && board.any_legal_move_to(self.checkers, squares, false, |m| {
                let (from, to) = (bit(m.from()), bit(m.to()));
                (closing.leaving & from != 0 || closing.ends[board.code(m.from())] & to != 0) && stalemates(m)
            });
        some_move_does
            || (ends == !0
                && self.checkers == 0
                && board.castling & 3 != 0
                && board.castling_moves().into_iter().flatten().any(stalemates))
    }
}

/// What a move must do to take all steps from their king: end where it guards each square that the king can step to now, or
/// leave a square where the piece stands in another's way to one of them. On such a square itself nothing guards the piece.
/// Promotions, castling and en passant captures may do more.
struct Closing {
    /// Where such moves end, by piece.
    ends: [u64; 7],
    /// Where they start, wherever they end.
    leaving: u64,
}

impl Closing {
    #[inline(always)]
    fn new<C>(node: &Node<'_, C>) -> Closing {
        let board = node.board;
        let occupied = node.occupied;
        let steps = king_attacks(node.their_king) & !occupied;
        let mut closing = Closing { ends: [!0; 7], leaving: 0 };
        for at in Squares(steps).filter(|&at| board.our_attackers(at, occupied) == 0) {
            for (code, ends) in closing.ends.iter_mut().enumerate().skip(1) {
                *ends &= if code == PAWN { pawns_attack_down(bit(at)) } else { attacks(code, at, occupied) };
            }
            closing.leaving |= board.blockers(at, board.ours);
        }
        closing
    }

    /// All squares where such a move may end; every square if a line may be opened.
    #[inline(always)]
    fn squares(&self) -> u64 {
        let all = |found: u64, ends: &u64| found | ends;
        if self.leaving == 0 { self.ends[1..].iter().fold(0, all) } else { !0 }
    }
}
