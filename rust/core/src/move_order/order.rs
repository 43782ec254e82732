//! The order of moves as a parameter: what alpha-beta's node counts depend on.
//!
//! An order is a list of criteria. Each gives every move a number; smaller ones come first, the next criterion decides
//! among equals, and what is still equal stays in canonical order. Some criteria are functions of the position; others
//! learn from the search, which tells an [`Orderer`] of its cutoffs and best moves.
//!
//! Sources: chessprogramming.org "MVV-LVA", "Static Exchange Evaluation", "Killer Heuristic" (B. Huberman 1968),
//! "Hash Move"; J. Schaeffer, "The History Heuristic" (1983); D. Knuth and R. Moore, "An Analysis of Alpha-Beta Pruning"
//! (1975) for the best order.

use std::{collections::HashMap, hash::BuildHasherDefault};

use shakmaty::{Move, Role};

use super::see::see;
use super::{move_code, sort_by_rank, written_target};
use crate::position::{Key, Position};
use crate::score::{Depth, Score};
use crate::{limits::Stopped, random::splitmix64};

/// What one move is preferred to another for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Nothing: canonical order.
    Generated,
    /// Captures before other moves.
    CapturesFirst,
    /// Most valuable victim first, then the least valuable attacker; captures before other moves.
    MvvLva,
    /// The best static exchange first.
    See,
    /// The moves that cut off most, weighted by the square of the depth, whatever the position.
    History,
    /// The last two quiet moves that cut off at the same ply.
    Killers,
    /// The move that was best when the position was searched last.
    HashMove,
    /// An order that looks like chance: a function of the position and this seed.
    Random(u64),
    /// A best move first.
    Best,
    /// The worst move first.
    Worst,
}

impl Criterion {
    /// The criterion of this name; `seed` is for the random one.
    pub fn from_name(name: &str, seed: u64) -> Option<Criterion> {
        Some(match name {
            "generated" => Criterion::Generated,
            "captures_first" => Criterion::CapturesFirst,
            "mvv_lva" => Criterion::MvvLva,
            "see" => Criterion::See,
            "history" => Criterion::History,
            "killers" => Criterion::Killers,
            "hash_move" => Criterion::HashMove,
            "random" => Criterion::Random(seed),
            "best" => Criterion::Best,
            "worst" => Criterion::Worst,
            _ => return None,
        })
    }

    /// Whether the values of all moves must be known beforehand.
    pub const fn asks_the_oracle(self) -> bool {
        matches!(self, Criterion::Best | Criterion::Worst)
    }
}

/// Knows the values that the search is looking for.
pub trait Oracle {
    /// The first best move in canonical order of a position that is not over, `depth` plies to go.
    fn best_move(&mut self, position: &Position, depth: Depth) -> Result<Move, Stopped>;

    /// Every legal move with its value; centipawns, White's view.
    fn values(&mut self, position: &Position, depth: Depth) -> Result<Vec<(Move, Score)>, Stopped>;
}

/// Keys are random enough.
#[derive(Default)]
pub struct Identity(u64);

impl std::hash::Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are words");
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }
}

/// Puts moves in order, and learns from the search which come first next time.
#[derive(Default)]
pub struct Orderer<'a> {
    criteria: Vec<Criterion>,
    oracle: Option<&'a mut dyn Oracle>,
    /// By colour, from and to; nothing as long as nothing was learned.
    history: Vec<i64>,
    /// By ply, as codes: a killer is two squares, whatever stands on them.
    killers: Vec<[Option<u16>; 2]>,
    hash_moves: HashMap<Key, Move, BuildHasherDefault<Identity>>,
}

impl<'a> Orderer<'a> {
    /// By these criteria; `oracle` is for those that ask one.
    pub fn new(criteria: Vec<Criterion>, oracle: Option<&'a mut dyn Oracle>) -> Orderer<'a> {
        Orderer { criteria, oracle, ..Orderer::default() }
    }

    /// Puts `moves` of a node, in canonical order, into the order in which they are to be searched. The node is `ply`
    /// plies below the root, with `depth` plies to go.
    pub fn sort(
        &mut self,
        position: &Position,
        depth: Depth,
        ply: usize,
        moves: &mut [Move],
    ) -> Result<(), Stopped> {
        // The last criterion first: every sort keeps the order of equals.
        for index in (0..self.criteria.len()).rev() {
            let ranks = self.ranks(self.criteria[index], position, depth, ply, moves)?;
            if let Some(mut ranks) = ranks {
                sort_by_rank(&mut ranks);
                for (place, (_, m)) in moves.iter_mut().zip(ranks) {
                    *place = m;
                }
            }
        }
        Ok(())
    }

    /// Each move with its number, or none if all are equal.
    fn ranks(
        &mut self,
        criterion: Criterion,
        position: &Position,
        depth: Depth,
        ply: usize,
        moves: &[Move],
    ) -> Result<Option<Vec<(i64, Move)>>, Stopped> {
        let ranked = |rank: &dyn Fn(Move) -> i64| Some(moves.iter().map(|&m| (rank(m), m)).collect());
        Ok(match criterion {
            Criterion::Generated => None,
            Criterion::CapturesFirst => ranked(&|m| i64::from(!m.is_capture())),
            Criterion::MvvLva => ranked(&mvv_lva),
            Criterion::See => ranked(&|m| -i64::from(see(position, m))),
            Criterion::History => ranked(&|m| -self.history.get(counter(position, m)).copied().unwrap_or(0)),
            Criterion::Killers => {
                let killers = self.killers.get(ply).copied().unwrap_or_default();
                ranked(&|m| {
                    killers
                        .iter()
                        .position(|&killer| killer == Some(move_code(m, position.mode())))
                        .map_or(2, |index| index as i64)
                })
            }
            Criterion::HashMove => {
                let known = self.hash_moves.get(&position.key().whole).copied();
                ranked(&|m| i64::from(known != Some(m)))
            }
            Criterion::Random(seed) => {
                let key = position.key().whole.low ^ splitmix64(seed);
                // Signed numbers in the order of the unsigned ones.
                ranked(&|m| (random(key, move_code(m, position.mode())) ^ 1 << 63) as i64)
            }
            Criterion::Best | Criterion::Worst if depth <= 0 || moves.len() < 2 => None,
            Criterion::Best => match &mut self.oracle {
                Some(oracle) => {
                    let best = oracle.best_move(position, depth)?;
                    ranked(&|m| i64::from(m != best))
                }
                None => None,
            },
            Criterion::Worst => match &mut self.oracle {
                Some(oracle) => {
                    let values: HashMap<Move, Score> = oracle.values(position, depth)?.into_iter().collect();
                    let sign = if position.turn().is_white() { 1 } else { -1 };
                    ranked(&|m| i64::from(sign * values.get(&m).copied().unwrap_or(0)))
                }
                None => None,
            },
        })
    }

    /// A move cut off a node.
    pub fn cut_off(&mut self, position: &Position, m: Move, depth: Depth, ply: usize) {
        if m.is_capture() || m.is_promotion() {
            return;
        }
        let weight = i64::from(depth.max(1));
        if self.history.is_empty() {
            self.history = vec![0; COUNTERS];
        }
        self.history[counter(position, m)] += weight * weight;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let [first, second] = &mut self.killers[ply];
        let code = move_code(m, position.mode());
        if *first != Some(code) {
            *second = first.replace(code);
        }
    }

    /// A move was the best of a node.
    pub fn was_best(&mut self, position: &Position, m: Move) {
        if self.criteria.contains(&Criterion::HashMove) {
            self.hash_moves.insert(position.key().whole, m);
        }
    }
}

/// The counters of the history: for two colours, 64 squares to come from and 64 to go to.
const COUNTERS: usize = 2 << 12;

fn counter(position: &Position, m: Move) -> usize {
    let from = m.from().map_or(0, usize::from);
    let to = written_target(m, position.mode());
    from | usize::from(to) << 6 | usize::from(position.turn().is_white()) << 12
}

fn mvv_lva(m: Move) -> i64 {
    let attacker = m.role() as i64;
    match m {
        Move::EnPassant { .. } => attacker - 8 * Role::Pawn as i64,
        Move::Normal { capture: Some(victim), .. } => attacker - 8 * victim as i64,
        _ => 8,
    }
}

/// A number for a move in a position.
fn random(key: u64, code: u16) -> u64 {
    splitmix64(key ^ u64::from(code).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
