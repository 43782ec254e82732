//! Quiet leaves: what a leaf is worth once every capture has been answered.
//!
//! **Contract.** A leaf is worth what a finished game is, if the game is over there; else `Q`, for the side to move:
//!
//! ```text
//! Q(p) = max(static score of p, -Q(child) over captures and promotions)
//! ```
//!
//! There is no last depth. The side to move may stand pat, in check too. En passant is a capture, and a pawn promotes to
//! four pieces. Inside `Q` nothing ends the game: mate, stalemate, fifty moves, repetition and material play no part.
//!
//! For minimax, without `CUTS`, [`Search::quiet`] is the rule as it stands. For alpha-beta it has the contract of
//! [`super::alpha_beta`], from the view of the side to move: no better than alpha, it is alpha; at a cutoff it is the
//! score, or the value of the capture, that brought it about. Both take the moves in the order of the search, and are
//! counted as the calls of [`super::quiescence`] are, which follows the rule of the published program.
//!
//! Source: C. Shannon, "Programming a Computer for Playing Chess" (1950); chessprogramming.org "Quiescence Search".

use super::prelude::*;
use crate::observer::code;

impl<L: Lab> Search<'_, '_, L> {
    /// [`Children::new`], but a leaf that is to be searched on is made: it is a node of depth 0.
    #[inline(always)]
    pub(super) fn children<'a>(&mut self, parent: &'a Position<'a>, depth: Depth) -> Children<'a, L> {
        let start = self.lab.start();
        let mut children = Children::new(parent, depth);
        self.lab.stop(Work::Moves, start);
        if self.captures {
            children.frontier = None;
        }
        children
    }

    /// The value of a leaf in `window`, White's view: that of its end if the game is over, else `Q`. Without `CUTS` all captures
    /// are looked at, and the window is to be the full one.
    pub(super) fn quiet_leaf<const CUTS: bool>(&mut self, leaf: &Position, window: Window) -> Result<Score> {
        let turn = leaf.turn();
        let ending = self.ending(leaf);
        self.statistics.leaves += 1;
        self.lab.mark(ending.map_or(End::Leaf, End::from));
        if let Some(ending) = ending {
            return Ok(ending.value(turn));
        }
        self.observe_score(leaf);
        // A call of its own, in the same position.
        let window = window.seen_by(turn);
        let value =
            self.visit_as(turn, NO_MOVE, 0, window, |search| search.quiet::<CUTS>(leaf, 0, window))?;
        Ok(view_of(turn, value))
    }

    /// `Q` of `position` in `window`, both for its side to move.
    fn quiet<const CUTS: bool>(
        &mut self,
        position: &Position,
        depth: Depth,
        mut window: Window,
    ) -> Result<Score> {
        // 1. Count the call; stand pat.
        let score = self.stand_pat(position)?;
        if score >= window.beta {
            self.lab.mark(End::StandPat);
            return Ok(score);
        }
        window = window.raise_alpha(score);
        // 2. Captures and promotions, as long as the other side would let the game come here.
        let mut best = None;
        for (index, m) in self.captures_in_order(position, depth)?.into_iter().enumerate() {
            let below = if CUTS { window.turned() } else { Window::FULL };
            let value = -self.visit_as(!position.turn(), code(Some(m)), depth - 1, below, |search| {
                let child = search.lab.play(position, m);
                search.quiet::<CUTS>(&child, depth - 1, below)
            })?;
            if value >= window.beta {
                self.cutoff(position, m, depth, index == 0);
                return Ok(value);
            }
            best = if value > window.alpha { Some(m) } else { best };
            window = window.raise_alpha(value);
        }
        self.lab.was_best(position, best);
        Ok(window.alpha)
    }

    /// Counts a call, and finds the score that the side to move may stand pat on.
    fn stand_pat(&mut self, position: &Position) -> Result<Score> {
        let turn = position.turn();
        self.enter(if turn.is_white() { Function::QuiesceMax } else { Function::QuiesceMin })?;
        let score = self.lab.score(position)?;
        self.lab.tell(|recorder| {
            recorder.has_moves(position.legal_moves().count());
            recorder.scored(score);
        });
        Ok(view_of(turn, score))
    }

    /// Captures and promotions in the order of the search.
    fn captures_in_order(&mut self, position: &Position, depth: Depth) -> Result<Vec<Move>> {
        let start = self.lab.start();
        let mut moves: Vec<Move> =
            position.legal_moves().filter(|m| m.is_capture() || m.is_promotion()).collect();
        self.lab.stop(Work::Moves, start);
        self.lab.sort_list(position, depth, &mut moves)?;
        Ok(moves)
    }
}
