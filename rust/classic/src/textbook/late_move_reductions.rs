//! Late move reductions: look less closely at moves that come late.
//!
//! **Contract.** Fail-soft alpha-beta ([`super::alpha_beta_fail_soft`]) of the tree that is left. From the move number
//! `full_moves` on, counted from 0, a quiet move (no capture, no promotion, no check), of a side that is not in check and
//! with three plies left or more, is searched `reduction` plies less deeply first, with a null window. Only if it turns
//! out to be better than alpha it gets the full depth. That is no proof, and worth as much as the order of the moves.
//!
//! Source: T. Romstad, "An Introduction to Late Move Reductions"; chessprogramming.org "Late Move Reductions".

use super::prelude::*;
use crate::observer::Recorder;
use betacut_core::checks::CheckInfo;

/// Moves are reduced where so many plies are left, or more.
const LEAST_DEPTH: Depth = 3;

/// Which moves are searched less deeply, and by how much.
#[derive(Clone, Copy, Debug)]
struct Reductions {
    /// How many moves of each position are searched in full at once.
    full_moves: u32,
    /// Plies by which the others are searched less deeply first.
    reduction: Depth,
}

impl<L: Lab> Search<'_, '_, L> {
    /// Alpha-beta with late move reductions: the value, and the first move that reached it. In each position `full_moves`
    /// are searched in full at once, the others `reduction` plies less deeply first.
    pub(super) fn late_move_reductions(
        &mut self,
        root: &Position,
        depth: Depth,
        full_moves: u32,
        reduction: Depth,
    ) -> Result<SearchResult> {
        let reductions = Reductions { full_moves, reduction };
        self.one_best_move(root, depth, |search, best| {
            search.reduced(root, depth, Window::FULL, reductions, best)
        })
    }

    /// The value of `position` at `depth >= 1` in `window` for the side to move, whose window it is. `best` becomes the
    /// last move that was better than alpha and the moves before.
    fn reduced(
        &mut self,
        position: &Position,
        depth: Depth,
        window: Window,
        reductions: Reductions,
        best: &mut Option<Move>,
    ) -> Result<Score> {
        // 1. Count the call; 2. a finished game.
        self.enter(Function::LateMoveReductions)?;
        let mut children = self.children(position, depth);
        if let Some(value) = self.finished(&mut children, depth)? {
            return Ok(view_of(position.turn(), value) - depth);
        }
        // 3. The children, some of them with less depth.
        let quiet = Quiet::new(position, depth);
        let (value, found) = self.best_child(&mut children, depth, window, |search, children, m, left| {
            let late = children.looked_at > reductions.full_moves;
            let less = late && quiet.as_ref().is_some_and(|quiet| quiet.contains(m));
            search.reduced_move(children, m, depth, left, less, reductions)
        })?;
        *best = found;
        Ok(value)
    }

    /// The value of the move `m` in `window`, both for the side that moves. `depth` is that of the parent; `less` says
    /// whether the move is searched less deeply first.
    fn reduced_move(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
        window: Window,
        less: bool,
        reductions: Reductions,
    ) -> Result<Score> {
        // 1. Less deeply, but not beyond the leaves: is it better than what there is?
        if less {
            self.lab.tell(Recorder::reduce);
            let shallow = (depth - 1 - reductions.reduction).max(0);
            let null = Window { beta: window.alpha + 1, ..window };
            let value = -self.reduced_child(children, m, shallow, null.turned(), reductions)?;
            if value <= window.alpha {
                return Ok(value);
            }
        }
        // 2. If so, or if it is not reduced: to the full depth.
        Ok(-self.reduced_child(children, m, depth - 1, window.turned(), reductions)?)
    }

    /// The value of the child after `m` in `window`, both for the side to move there.
    fn reduced_child(
        &mut self,
        children: &Children<'_, L>,
        m: Move,
        depth: Depth,
        window: Window,
        reductions: Reductions,
    ) -> Result<Score> {
        let function = Function::LateMoveReductions;
        self.child_as(function, children, m, depth, window, |search, child| {
            if depth == 0 {
                return Ok(view_of(child.turn(), search.leaf_at(function, child)?));
            }
            search.reduced(child, depth, window, reductions, &mut None)
        })
    }
}

/// The quiet moves of a position, where they may be reduced.
struct Quiet<'a> {
    position: &'a Position<'a>,
    checks: CheckInfo,
}

impl<'a> Quiet<'a> {
    /// None where no move may be reduced.
    fn new(position: &'a Position<'a>, depth: Depth) -> Option<Quiet<'a>> {
        (depth >= LEAST_DEPTH && !position.is_check())
            .then(|| Quiet { position, checks: CheckInfo::new(position.chess()) })
    }

    /// Whether `m` is none of captures, promotions and checks.
    fn contains(&self, m: Move) -> bool {
        !m.is_capture()
            && !m.is_promotion()
            && !self.checks.gives_check(m).unwrap_or_else(|| self.position.play(m).is_check())
    }
}
