//! Two plies before the leaves: replies refute moves, where leaves are valued by quiescence.

use crate::bounds;
use crate::leaves::one_ply_before::finished;
use crate::leaves::quiescence::table::Question;
use crate::leaves::two_plies_before;
use crate::ordering::greatest_first;
use crate::search::Searcher;
use betacut_core::board::{Board, CLOCK_LIMIT, Move};
use betacut_core::limits::Stopped;
use betacut_core::score::Score;

impl Searcher<'_> {
    /// Whether the value at depth 2 of a position that is not drawn is at least `beta`, for the side to move.
    pub fn quiet_reaches_in_two(
        &mut self,
        board: &Board,
        beta: Score,
        checkers: u64,
    ) -> Result<bool, Stopped> {
        if board.clock >= CLOCK_LIMIT - 2 {
            return self.find_quiet_move(board, beta, checkers);
        }
        let question = Question::value(board, 2);
        if let Some((reached, best)) = self.quiet.look_up(board, question, beta) {
            self.held = best;
            return Ok(reached);
        }
        let reached = self.find_quiet_move(board, beta, checkers)?;
        self.quiet.store(board, question, beta, reached, if reached { self.held } else { Move::NONE });
        Ok(reached)
    }

    /// The same, whether the answer is known or not.
    ///
    /// A reply that refuted one move is tried against the next ones: after it not even our greatest capture may bring
    /// enough.
    fn find_quiet_move(&mut self, board: &Board, beta: Score, checkers: u64) -> Result<bool, Stopped> {
        let mut replies = Replies::default();
        // 1. Moves that held at nodes nearby.
        let mut tried = [Move::NONE; 2];
        if self.techniques.refutation_moves && checkers == 0 && board.need(beta) <= 0 {
            for (index, m) in self.history.refutations(board).into_iter().enumerate() {
                if m != Move::NONE && board.is_legal_ordinary(m) {
                    tried[index] = m;
                    if self.quiet_holds(&board.make_keyless(m), beta, &mut replies)? {
                        self.held = m;
                        return Ok(true);
                    }
                }
            }
        }
        // 2. All others, the greatest gain first.
        let first = self.scored.len();
        let mut reached = false;
        if self.techniques.replies && two_plies_before::applies(board, checkers) {
            two_plies_before::list_unrefuted_quiet(board, beta, &mut self.scored);
            reached = self.scored.len() == first && finished(false, 2) >= beta && !board.has_legal_move(0);
        } else if !two_plies_before::list_all(board, checkers, &mut self.scored) {
            reached = finished(checkers != 0, 2) >= beta;
        }
        for index in first..self.scored.len() {
            let m = greatest_first(&mut self.scored[index..]);
            if !tried.contains(&m) && self.quiet_holds(&board.make_keyless(m), beta, &mut replies)? {
                self.held = m;
                self.history.learn_refutation(board, m);
                reached = true;
                break;
            }
        }
        self.scored.truncate(first);
        Ok(reached)
    }

    /// Whether a move at depth 2, after which `child` stands on the board, leaves the other side nothing that brings the value
    /// below `beta`.
    pub fn quiet_holds(
        &mut self,
        child: &Board,
        beta: Score,
        replies: &mut Replies,
    ) -> Result<bool, Stopped> {
        let checkers = child.checkers();
        let sure = child.clock < CLOCK_LIMIT - 1 && child.men > 5;
        let refuted = if sure { replies.refute(child, checkers, beta) } else { Refuted::Not };
        let hint = match refuted {
            Refuted::Surely => return Ok(false),
            Refuted::Perhaps(reply) => reply,
            Refuted::Not => Move::NONE,
        };
        let refuted = self.quiet_reaches(child, 1 - beta, checkers, hint)?;
        if refuted {
            replies.add(self.reply);
        }
        Ok(!refuted)
    }
}

/// Replies that refuted moves of a node, the latest first.
#[derive(Default)]
pub struct Replies {
    list: [Move; REPLIES],
    count: usize,
}

/// How many replies are kept.
const REPLIES: usize = 2;

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
    fn refute(&mut self, child: &Board, checkers: u64, beta: Score) -> Refuted {
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
    let need = after.need(beta);
    if need <= 0 {
        Refuted::Not
    } else if bounds::may_gain(&after, need) {
        Refuted::Perhaps(reply)
    } else if beta > 0 || after.has_legal_move(after.checkers()) {
        Refuted::Surely
    } else {
        Refuted::Not
    }
}
