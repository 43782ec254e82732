//! `NegamaxSearch`, every line to a fixed depth, `AlphaBetaPruning`, the same result from fewer nodes, and both with a memo.
//!
//! **Contract.** Scores stay in the view of the side that started the search, which takes the greatest while the other
//! takes the smallest: minimax, whatever its name. Of equal moves the first one counts. A node with a single legal move
//! costs no depth (the singular extension). A move that ends the game is valued and not entered. Alpha-beta's window starts as
//! wide as scores are and is shared by all the nodes of the tree, the root included. Fail-soft; a value that equals the
//! bound cuts.
//!
//! **With a memo** a node is looked up before anything else and stored when it is done; leaves are not stored. An exact entry answers; a bound answers if it lies outside
//! the window, and else narrows it. The narrowed window is what is searched with, and what says whether the result is
//! stored as exact or as a bound. An upper bound that reaches beta changes nothing.
//!
//! **Quirk.** What is remembered was found on another path, whose score is part of it.
//!
//! **Captures** (`AlphaBetaPruningQuiescence` only): a capture as the last move costs no depth, so that *all* replies are
//! searched, and captures among them go on. No standing pat: a side may have to answer with a move that loses.
//!
//! **Cost.** Of negamax all nodes: about w^depth leaves for w moves a position, none of them made unless it may be over.
//!
//! Source: the original's `NegamaxAlgorithm` and `AlphaBetaAlgorithm`.

use shakmaty::Move;

use super::evaluation::Place;
use super::memo::{Entry, NodeResult};
use super::{Best, Search, Step, fitted, is_single};
use crate::Result;
use crate::observer::{End, Observer as _};
use crate::originals::node::Node;
use betacut_core::position::Key;
use betacut_core::window::{Bound, Window};

impl Search<'_, '_, '_> {
    /// The best of the moves of `node`, with `place.depth >= 1`; with `CUTS` as far as the window lets it matter.
    pub(super) fn alpha_beta<const CUTS: bool>(
        &mut self,
        node: &Node,
        place: Place,
        mut window: Window,
    ) -> Result<NodeResult> {
        self.enter(place)?;
        // 1. What was found at this depth before: an answer, or a narrower window.
        let key = self.memo.is_some().then(|| node.state_key_with(place.depth));
        if let Some(found) = self.look_up(key, &mut window) {
            return Ok(found);
        }
        // 2. The moves, in an order that earlier limits may have taught.
        let found = match self.ordered_moves(node, place) {
            Some(moves) => self.evaluate_moves::<CUTS>(node, place, window, moves.into_iter())?,
            None => self.evaluate_moves::<CUTS>(node, place, window, node.legal_moves())?,
        };
        // 3. What the window it was searched with proves.
        if let (Some(memo), Some(key)) = (&mut self.memo, key) {
            memo.store(key, Entry { found, bound: window.proves(found.score) })?;
        }
        Ok(found)
    }

    /// The best of these moves; with `CUTS` until one is too good for the other side to allow.
    fn evaluate_moves<const CUTS: bool>(
        &mut self,
        node: &Node,
        place: Place,
        mut window: Window,
        moves: impl Iterator<Item = Move>,
    ) -> Result<NodeResult> {
        // 1. A single move costs no depth.
        let single = is_single(&node.legal_moves());
        let quiet_depth = if single { place.depth } else { place.depth - 1 };
        let extend_captures = self.extend_captures && place.depth == 1;
        // 2. Each move: a leaf, or searched on.
        let terminal_filter = self.terminal_filter(node, quiet_depth == 0);
        let mut best = Best::new(place.ai_turn);
        self.line.push(node);
        self.observer.tell(|recorder| recorder.has_moves(node.legal_moves().count()));
        for m in moves {
            let lines = self.lines.len();
            let capture = extend_captures && m.is_capture();
            let found = if quiet_depth == 0 && !capture {
                self.visit(Some(m), 0, window, |search| {
                    search.leaf(node, m, place, terminal_filter.as_ref())
                })?
            } else {
                let depth = if capture { place.depth } else { quiet_depth };
                self.visit(Some(m), depth, window, |search| {
                    let step = Step { depth, single, capture };
                    search.child(node, m, place, step, |search, child, place| {
                        search.alpha_beta::<CUTS>(child, place, window)
                    })
                })?
            };
            if !best.offer(m, found) {
                self.forget_lines(lines);
            }
            if !CUTS {
                continue;
            }
            // 3. Good enough: cut. Otherwise the window shrinks to what this side now has.
            let cuts = if place.ai_turn { best.score >= window.beta } else { best.score <= window.alpha };
            if cuts {
                self.observer.mark(End::Cutoff);
                break;
            }
            let sure = if place.ai_turn { Bound::Lower } else { Bound::Upper };
            window = window.narrowed(sure, best.score);
        }
        self.line.pop();
        best.found(self.lines)
    }

    /// What the memo knows under a key, if that answers; else the window may become narrower.
    #[inline]
    fn look_up(&mut self, key: Option<Key>, window: &mut Window) -> Option<NodeResult> {
        let Entry { found, bound } = self.memo.as_ref()?.get(key?)?;
        if bound.settles(found.score, *window) {
            self.counts.cache_hits += 1;
            self.observer.mark(End::Table);
            return Some(found);
        }
        *window = window.narrowed(bound, found.score);
        self.observer.tell(|recorder| recorder.narrowed(fitted(recorder.root, *window)));
        None
    }
}
