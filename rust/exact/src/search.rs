//! The recursion: alpha-beta with null windows, the form known as principal variation search.
//!
//! # The idea
//!
//! A node is asked for its value within a window; most are asked only whether their value reaches a number `beta` (the
//! window `(beta - 1, beta)`). From depth 3 on this page is the textbook's: end of the game, table, moves in a good order,
//! cutoff, store. The last two plies, where nearly all the work is, have pages of their own: [`two_plies_before`] and
//! [`one_ply_before`].
//!
//! **Contract.** [`Searcher::node`] returns, for the side to move, the exact value if it lies inside `(alpha, beta)`;
//! a result `<= alpha` is an upper bound and a result `>= beta` a lower bound (fail-soft). The value is that of
//! textbook minimax: it depends on the position, its halfmove clock and the remaining depth, on nothing else.
//!
//! Sources: D. Knuth and R. Moore, "An Analysis of Alpha-Beta Pruning" (1975); T. Marsland and M. Campbell, "Parallel
//! Search of Strongly Ordered Game Trees" (1982); chessprogramming.org "Principal Variation Search".

use std::sync::Arc;

use super::bounds::{self, TableKey};
use super::leaves::{futility, one_ply_before, two_plies_before};
use super::ordering::{History, Picker, greatest_first};
use super::question::{Counts, Techniques};
use super::table::{Entry, Table, UNKNOWN};
use crate::leaves::quiescence::table::QuietTable;
use crate::leaves::three_plies_before::{self, Refuters};
use crate::threads::team::{PutOff, Team};
use betacut_core::board::{Board, CLOCK_LIMIT, Move};
use betacut_core::limits::{Limits, Stopped};
use betacut_core::score::{Depth, Score};

/// Nodes at depth 2 and more between two looks at the clock and the caller: less than a millisecond.
pub const NODES_PER_LOOK: u32 = 64;

/// Nodes of this depth and more share their moves with the other threads.
const SHARED_DEPTH: Depth = 5;

/// The remaining depth from which the table is asked: below, asking takes longer than searching.
const TABLE_DEPTH: Depth = 3;

const FEW_MEN: u8 = 16;

/// What the table says about a node.
enum Probed {
    /// A value, or a bound that lies outside the window.
    Answer(Score),
    /// The best move known, or [`Move::NONE`].
    Best(Move),
}

/// One thread's search.
pub struct Searcher<'a> {
    /// What the search may use.
    pub(crate) techniques: Techniques,
    /// The table that is asked, if any.
    pub(crate) table: Option<&'a Table>,
    /// The team this thread searches with, if any.
    pub(crate) team: Option<Arc<Team>>,
    /// Nodes when the team was joined, and those of them and since that the team knows of.
    joined_at: u64,
    reported: u64,
    pub(crate) history: History,
    /// Whether leaves are valued by quiescence.
    pub(crate) quiescence: bool,
    /// The move lists of the nodes of the path.
    pub(crate) scored: Vec<u64>,
    /// Moves that wait because another thread searches them, of the nodes of the path.
    put_off: Vec<Move>,
    /// The move that made the last node at depth 2 fail high, if it was asked for one bit.
    pub(crate) held: Move,
    /// The move that made the last node at depth 1 fail high, if it is known; with quiescence alone.
    pub(crate) reply: Move,
    /// What quiescence found.
    pub(crate) quiet: QuietTable,
    /// What was counted so far.
    pub counts: Counts,
    /// What ends the search.
    pub limits: Limits<'a>,
}

impl<'a> Searcher<'a> {
    /// A search by one thread.
    pub fn new(
        techniques: Techniques,
        table: Option<&'a Table>,
        history: History,
        limits: Limits<'a>,
    ) -> Searcher<'a> {
        Searcher {
            quiescence: false,
            techniques,
            table: table.filter(|_| techniques.table),
            team: None,
            joined_at: 0,
            reported: 0,
            history,
            scored: Vec::with_capacity(512),
            put_off: Vec::new(),
            held: Move::NONE,
            reply: Move::NONE,
            quiet: QuietTable::default(),
            counts: Counts::default(),
            limits,
        }
    }

    /// The same, whose leaves are valued by quiescence or not.
    #[must_use]
    pub fn with_quiescence(self, quiescence: bool) -> Searcher<'a> {
        Searcher { quiescence, ..self }
    }

    /// Joins a team, or leaves it.
    pub fn set_team(&mut self, team: Option<Arc<Team>>) {
        (self.joined_at, self.reported) = (self.counts.nodes, self.counts.nodes);
        self.team = team;
    }

    /// Counts a node of depth 2 or more, and stops the search if it is time.
    #[inline]
    fn enter(&mut self) -> Result<(), Stopped> {
        self.counts.nodes += 1;
        self.pause()
    }

    /// Stops the search if it is time.
    #[inline]
    pub fn pause(&mut self) -> Result<(), Stopped> {
        let done = self.team.as_ref().is_some_and(|team| team.is_done());
        if self.limits.is_time_to_look(self.counts.nodes) || done { self.look(done) } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self, done: bool) -> Result<(), Stopped> {
        let mut nodes = self.counts.nodes;
        if let Some(team) = &self.team {
            nodes = self.joined_at + team.report(self.counts.nodes - self.reported);
            self.reported = self.counts.nodes;
        }
        let looked = self.limits.look(nodes);
        if done { Err(Stopped::Overtaken) } else { looked }
    }

    /// The value of a position at `depth >= 1` within the window `(alpha, beta)`, for the side to move.
    pub fn node(
        &mut self,
        board: &Board,
        depth: Depth,
        mut alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        // 1. One ply before the leaves.
        if depth == 1 {
            return if self.quiescence {
                self.quiet_depth_one(board, alpha, beta)
            } else {
                Ok(self.frontier(board, alpha, beta))
            };
        }
        self.enter()?;
        // 2. A finished game: checkmate first, then the draws.
        let checkers = board.checkers();
        if board.clock >= CLOCK_LIMIT || board.is_dead() {
            let mated = checkers != 0 && !board.has_legal_move(checkers);
            return Ok(one_ply_before::finished(mated, depth));
        }
        // 3. No value lies beyond the quickest mate.
        let (worst, best) = bounds::of_node(depth);
        if alpha >= best || beta <= worst {
            return Ok(if alpha >= best { best } else { worst });
        }
        // 4. The table.
        let table = self.table.filter(|_| depth >= TABLE_DEPTH || board.men <= FEW_MEN);
        let table = table.map(|table| (table, bounds::table_key(board, depth, self.quiescence)));
        let mut table_move = Move::NONE;
        if let Some((table, key)) = table {
            match self.probe(table, key, depth, alpha, beta) {
                Probed::Answer(value) => return Ok(value),
                Probed::Best(m) => table_move = m,
            }
        }
        // 5. Two to four plies before the leaves, if asked for one bit.
        if depth <= 4
            && beta - alpha == 1
            && let Some((value, best)) = self.one_bit(board, depth, beta, checkers, table_move)?
        {
            let (lower, upper) = if value >= beta { (value, UNKNOWN) } else { (-UNKNOWN, value) };
            self.remember(table, Entry { lower, upper, depth, best });
            return Ok(value);
        }
        // 6. The moves, best first.
        let window_alpha = alpha;
        let mut best = -UNKNOWN;
        let mut best_move = Move::NONE;
        let mut picker = Picker::new(depth, checkers, table_move, &self.history, &self.scored);
        let mut searched = 0;
        let mut put_off = PutOff::new(&self.put_off);
        loop {
            let listed = picker.next(board, &self.history, &mut self.scored);
            let Some(m) = listed.or_else(|| put_off.next(&self.put_off)) else { break };
            let child = board.make(m);
            let shared = depth >= SHARED_DEPTH && searched > 0;
            if let Some(team) = self.team.as_ref().filter(|_| shared && put_off.is_open())
                && !team.take(child.key, depth)
            {
                self.put_off.push(m);
                continue;
            }
            let value = self.child(&child, depth, alpha, beta, searched == 0)?;
            if let Some(team) = self.team.as_ref().filter(|_| shared) {
                team.give_back(child.key, depth);
            }
            searched += 1;
            best = best.max(value);
            if value > alpha {
                best_move = m;
                alpha = value;
                if value >= beta {
                    self.counts.cutoffs += 1;
                    self.counts.first_move_cutoffs += u64::from(searched == 1);
                    if self.techniques.history {
                        self.history.learn(board, depth, m, picker.tried(&self.scored));
                    }
                    break;
                }
            }
        }
        put_off.done(&mut self.put_off);
        picker.done(&mut self.scored);
        if searched == 0 {
            return Ok(one_ply_before::finished(checkers != 0, depth));
        }
        // 7. Remember.
        let lower = if best > window_alpha { best } else { -UNKNOWN };
        let upper = if best < beta { best } else { UNKNOWN };
        self.remember(table, Entry { lower, upper, depth, best: best_move });
        Ok(best)
    }

    /// Stores what is known about a node, if there is a table for it.
    #[inline(always)]
    fn remember(&mut self, table: Option<(&Table, TableKey)>, entry: Entry) {
        if let Some((table, key)) = table {
            self.counts.table_stores += 1;
            table.store(key, entry);
        }
    }

    /// Asks the table about a node.
    #[inline(always)]
    fn probe(&mut self, table: &Table, key: TableKey, depth: Depth, alpha: Score, beta: Score) -> Probed {
        self.counts.table_lookups += 1;
        let found = table.find(key, depth);
        let answer = if found.lower >= beta || found.lower == found.upper {
            found.lower
        } else if found.upper <= alpha {
            found.upper
        } else {
            return Probed::Best(found.best);
        };
        self.counts.table_hits += 1;
        Probed::Answer(answer)
    }

    /// The value of a child of a node at `depth`, for the side to move at the node.
    #[inline]
    fn child(
        &mut self,
        child: &Board,
        depth: Depth,
        alpha: Score,
        beta: Score,
        first: bool,
    ) -> Result<Score, Stopped> {
        if !first && self.techniques.null_windows {
            let value = -self.node(child, depth - 1, -alpha - 1, -alpha)?;
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        Ok(-self.node(child, depth - 1, -beta, -alpha)?)
    }

    /// Whether a node one ply before the leaves is asked by [`Searcher::quiet_reaches`], if asked for one bit.
    pub fn asks_for_quiet_replies(&self, board: &Board) -> bool {
        self.quiescence && self.techniques.frontier && self.has_quiet_bounds(board)
    }

    /// Depth 1 where leaves are valued by quiescence.
    fn quiet_depth_one(&mut self, board: &Board, alpha: Score, beta: Score) -> Result<Score, Stopped> {
        if !self.techniques.frontier {
            return self.quiet_frontier(board, alpha, beta);
        }
        if beta - alpha > 1 {
            return self.quiet_value(board, alpha, beta);
        }
        Ok(if self.quiet_reaches(board, beta, board.checkers(), Move::NONE)? { beta } else { alpha })
    }

    #[inline]
    fn frontier(&mut self, board: &Board, alpha: Score, beta: Score) -> Score {
        self.counts.nodes += 1;
        self.counts.frontier_nodes += 1;
        if beta - alpha > 1 || !self.techniques.frontier {
            return one_ply_before::value(board, beta).0;
        }
        if one_ply_before::reaches(board, beta, board.checkers()) { beta } else { alpha }
    }

    /// Whether a position that is not drawn is worth at least `beta` at depth 2, 3 or 4: a bound of its value, and the move
    /// that reaches `beta`, if it is to be remembered. None if it is to be searched like any other.
    #[inline]
    fn one_bit(
        &mut self,
        board: &Board,
        depth: Depth,
        beta: Score,
        checkers: u64,
        table_move: Move,
    ) -> Result<Option<(Score, Move)>, Stopped> {
        if self.quiescence && depth != 3 {
            if depth == 4 || !self.has_quiet_bounds(board) {
                return Ok(None);
            }
            let reached = self.quiet_reaches_in_two(board, beta, checkers)?;
            return Ok(Some((if reached { beta } else { beta - 1 }, Move::NONE)));
        }
        if depth == 2 {
            let reached = self.pre_frontier::<false>(board, beta, checkers);
            return Ok(Some((if reached { beta } else { beta - 1 }, Move::NONE)));
        }
        if depth == 4 {
            let futile = self.techniques.futility
                && self.techniques.sibling_replies
                && futility::is_worth_asking(board, beta)
                && self.is_futile(board, beta, checkers, table_move)?;
            return Ok(futile.then_some((beta - 1, Move::NONE)));
        }
        if self.techniques.sibling_replies && three_plies_before::applies(board, beta, checkers) {
            return self.three_plies::<false>(board, beta, table_move).map(Some);
        }
        Ok(None)
    }

    /// Whether a position that is not drawn is surely worth less than `beta` at depth 4, because it is worth much less at
    /// depth 3; see [`futility`].
    pub fn is_futile(
        &mut self,
        board: &Board,
        beta: Score,
        checkers: u64,
        table_move: Move,
    ) -> Result<bool, Stopped> {
        let less = beta - board.values.most_lost;
        if !futility::applies(board, 4) || !three_plies_before::applies(board, less, checkers) {
            return Ok(false);
        }
        let (value, _) = if beta <= 0 {
            self.three_plies::<true>(board, less, table_move)?
        } else {
            self.three_plies::<false>(board, less, table_move)?
        };
        Ok(value < less)
    }

    /// Whether a position that is not drawn, where the proof of [`three_plies_before`] applies, is worth at least `beta` at
    /// depth 3: a bound of its value, and the move that reaches `beta`. If the answer is to be `LASTING`, a value below `beta`
    /// says too that we keep a move after one more reply.
    fn three_plies<const LASTING: bool>(
        &mut self,
        board: &Board,
        beta: Score,
        table_move: Move,
    ) -> Result<(Score, Move), Stopped> {
        let alpha = beta - 1;
        let mut best = -UNKNOWN;
        let mut cut = Move::NONE;
        let mut refuters = Refuters::new(LASTING);
        let mut picker = Picker::new(3, 0, table_move, &self.history, &self.scored);
        let mut searched = 0;
        while let Some(m) = picker.next(board, &self.history, &mut self.scored) {
            if refuters.refute(board, m) {
                best = best.max(alpha);
                continue;
            }
            self.held = Move::NONE;
            // Without a key, if no table will be asked for it.
            let value = if LASTING {
                let child = board.make_keyless(m);
                self.enter()?;
                if self.pre_frontier::<true>(&child, -alpha, child.checkers()) { alpha } else { beta }
            } else {
                let child = if board.men > FEW_MEN + 1 { board.make_keyless(m) } else { board.make(m) };
                -self.node(&child, 2, -beta, -alpha)?
            };
            searched += 1;
            best = best.max(value);
            if value >= beta {
                cut = m;
                self.counts.cutoffs += 1;
                self.counts.first_move_cutoffs += u64::from(searched == 1);
                if self.techniques.history {
                    self.history.learn(board, 3, m, picker.tried(&self.scored));
                }
                break;
            }
            // What held here, and what held nearby.
            let [first, second] = self.history.their_refutations(board);
            for reply in [self.held, first, second] {
                refuters.add(board, beta, reply);
            }
        }
        picker.done(&mut self.scored);
        if best == -UNKNOWN {
            best = one_ply_before::finished(false, 3);
        }
        Ok((best, cut))
    }

    /// Whether a position that is not drawn is worth at least `beta` at depth 2; if `LASTING`, by a move after which the
    /// other side keeps a move whatever it does and we reply.
    fn pre_frontier<const LASTING: bool>(&mut self, board: &Board, beta: Score, checkers: u64) -> bool {
        // 1. Far behind, any reply will do.
        if self.techniques.futility
            && futility::is_worth_asking(board, beta)
            && futility::applies(board, 2)
            && futility::is_futile(board, beta, checkers)
        {
            return false;
        }
        // 2. Moves that held at nodes nearby.
        let mut tried = [Move::NONE; 2];
        // If we are behind, none is likely to be good enough.
        if self.techniques.refutation_moves && checkers == 0 && board.need(beta) <= 0 {
            for (index, m) in self.history.refutations(board).into_iter().enumerate() {
                if m != Move::NONE && board.is_legal_ordinary(m) {
                    if self.fails_high::<LASTING>(board, m, beta) {
                        self.counts.cutoffs += 1;
                        self.counts.first_move_cutoffs += u64::from(index == 0);
                        self.held = m;
                        return true;
                    }
                    tried[index] = m;
                }
            }
        }
        // 3. Moves that no simple reply refutes, the greatest gain first.
        let first = self.scored.len();
        let proof = self.techniques.replies && two_plies_before::applies(board, checkers);
        let any = if proof {
            two_plies_before::list_unrefuted(board, beta, &mut self.scored)
        } else {
            two_plies_before::list_all(board, checkers, &mut self.scored)
        };
        let mut reached = !any && one_ply_before::finished(checkers != 0, 2) >= beta;
        for index in first..self.scored.len() {
            let m = greatest_first(&mut self.scored[index..]);
            if !tried.contains(&m) && self.fails_high::<LASTING>(board, m, beta) {
                self.counts.cutoffs += 1;
                self.counts.first_move_cutoffs += u64::from(index == first);
                self.history.learn_refutation(board, m);
                self.held = m;
                reached = true;
                break;
            }
        }
        self.scored.truncate(first);
        reached
    }

    /// Whether a move at depth 2 leaves the other side nothing that brings the value below `beta`; if `LASTING`, and if that
    /// side keeps a move whatever it does and we reply.
    #[inline]
    fn fails_high<const LASTING: bool>(&mut self, board: &Board, m: Move, beta: Score) -> bool {
        let child = board.make_keyless(m);
        -self.frontier(&child, -beta, 1 - beta) >= beta && (!LASTING || futility::keeps_a_move(&child))
    }
}
