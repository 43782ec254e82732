//! One game: two players think in turn, the rules and the adjudication end it.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position as _, fen::Fen};

use super::openings::Opening;
use betacut_play::Game;

/// A game that has reached so many plies is a draw.
const MOST_PLIES: u32 = 800;

/// What a player made of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The move.
    pub best: Move,
    /// What the position is worth to White, in centipawns, if the player says so; mates are far from zero.
    pub score: Option<i32>,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move.
    Stalemate,
    /// Neither side can mate.
    Material,
    /// The position occurred for the third time.
    Repetition,
    /// No capture and no pawn move for fifty moves of each side.
    FiftyMoves,
    /// Both sides have agreed for some plies that one of them wins.
    Lead,
    /// Late in the game, both sides have agreed for some plies that neither does.
    Level,
    /// It has become too long.
    TooLong,
}

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// White's half points.
    pub result: u8,
    /// Why.
    pub ending: Ending,
    /// Its plies, those of the opening included.
    pub plies: u32,
}

/// A game that could not be played to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason} in {place}")]
pub struct Fault {
    /// Where: a FEN.
    pub place: String,
    /// What happened.
    pub reason: String,
}

/// When games are ended before the rules end them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// A lead of so many centipawns wins...
    pub lead: i32,
    /// ... if it has lasted for so many plies. 0: never.
    pub lead_plies: u32,
    /// A lead of at most so many centipawns is a draw...
    pub level: i32,
    /// ... if it has lasted for so many plies. 0: never.
    pub level_plies: u32,
    /// ... and the game for so many.
    pub level_from: u32,
}

impl Adjudication {
    /// What the rules say is all that counts.
    pub const NONE: Adjudication =
        Adjudication { lead: 0, lead_plies: 0, level: 0, level_plies: 0, level_from: 0 };

    /// What saves time and changes few results.
    pub const USUAL: Adjudication =
        Adjudication { lead: 1000, lead_plies: 4, level: 8, level_plies: 10, level_from: 80 };
}

/// For how long the scores have agreed.
#[derive(Default)]
struct Agreement {
    /// Plies of a lead: positive for White, negative for Black.
    lead: i32,
    level: u32,
}

impl Agreement {
    /// Takes note of a score, and says whether and how the game is over.
    fn judge(&mut self, rules: &Adjudication, score: Option<i32>, plies: u32) -> Option<(u8, Ending)> {
        let score = score.unwrap_or(rules.level + 1);
        self.lead = match score {
            _ if score >= rules.lead => self.lead.max(0) + 1,
            _ if score <= -rules.lead => self.lead.min(0) - 1,
            _ => 0,
        };
        self.level = if score.abs() <= rules.level { self.level + 1 } else { 0 };
        if rules.lead_plies > 0 && self.lead.unsigned_abs() >= rules.lead_plies {
            return Some((if self.lead > 0 { 2 } else { 0 }, Ending::Lead));
        }
        let late = plies >= rules.level_from && self.level >= rules.level_plies;
        (rules.level_plies > 0 && late).then_some((1, Ending::Level))
    }
}

/// How the rules end a game that has come through the positions with these keys; the last is the present one.
fn by_rule(position: &Chess, keys: &[u64]) -> Option<(u8, Ending)> {
    if position.legal_moves().is_empty() {
        let lost = position.turn().fold_wb(0, 2);
        let mated = position.is_check();
        return Some(if mated { (lost, Ending::Checkmate) } else { (1, Ending::Stalemate) });
    }
    let reach = (position.halfmoves() as usize).min(keys.len() - 1);
    let now = keys.len() - 1;
    let earlier = (2..=reach).step_by(2).filter(|back| keys[now - back] == keys[now]).count();
    let ending = if position.is_insufficient_material() {
        Ending::Material
    } else if earlier >= 2 {
        Ending::Repetition
    } else if position.halfmoves() >= 100 {
        Ending::FiftyMoves
    } else {
        return None;
    };
    Some((1, ending))
}

fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

/// The game at the end of an opening.
pub fn after(opening: &Opening) -> Game {
    let mut game = Game::new(opening.start.clone(), opening.mode);
    for &m in &opening.moves {
        game.play(m);
    }
    game
}

/// Plays a game; `think` chooses each move, and `see` is told of it before it is made, with the plies so far.
pub fn play(
    opening: &Opening,
    adjudication: &Adjudication,
    think: &mut dyn FnMut(&Game) -> Result<Thought, String>,
    see: &mut dyn FnMut(&Chess, &Thought, u32),
) -> Result<Finished, Fault> {
    let mut game = Game::new(opening.start.clone(), opening.mode);
    let mut keys = vec![key(game.position())];
    for &m in &opening.moves {
        game.play(m);
        keys.push(key(game.position()));
    }
    let mut agreement = Agreement::default();
    loop {
        let plies = keys.len() as u32 - 1;
        if let Some((result, ending)) = by_rule(game.position(), &keys) {
            return Ok(Finished { result, ending, plies });
        }
        if plies >= MOST_PLIES {
            return Ok(Finished { result: 1, ending: Ending::TooLong, plies });
        }
        let fault = |reason| Fault {
            place: Fen::from_position(game.position(), EnPassantMode::Legal).to_string(),
            reason,
        };
        let thought = think(&game).map_err(fault)?;
        if !game.position().is_legal(thought.best) {
            return Err(fault(format!("{} is no legal move", thought.best.to_uci(game.mode()))));
        }
        see(game.position(), &thought, plies);
        if let Some((result, ending)) = agreement.judge(adjudication, thought.score, plies) {
            return Ok(Finished { result, ending, plies });
        }
        game.play(thought.best);
        keys.push(key(game.position()));
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, uci::UciMove};

    use super::*;
    use crate::tuning::openings::read_epd;

    /// Plays the moves of a text again and again, with a score each.
    fn scripted(fen: &str, moves: &str, score: i32, adjudication: Adjudication) -> Result<Finished, Fault> {
        let opening = read_epd(fen).0.remove(0);
        let mut script = moves.split_whitespace().cycle();
        let mut think = |game: &Game| {
            let m: UciMove = script.next().unwrap().parse().unwrap();
            Ok(Thought { best: m.to_move(game.position()).map_err(|e| e.to_string())?, score: Some(score) })
        };
        play(&opening, &adjudication, &mut think, &mut |_, _, _| {})
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const ROOKS: &str = "r3k3/8/8/8/8/8/8/4K2R w - - 96 80";

    #[test]
    fn the_rules_end_games() {
        let none = Adjudication::NONE;
        let ended = |fen, moves| {
            let finished = scripted(fen, moves, 5000, none).unwrap();
            (finished.ending, finished.result, finished.plies)
        };
        assert_eq!(ended(START, "f2f3 e7e5 g2g4 d8h4"), (Ending::Checkmate, 0, 4));
        assert_eq!(ended(START, "g1f3 g8f6 f3g1 f6g8"), (Ending::Repetition, 1, 8));
        assert_eq!(ended(ROOKS, "h1h2 a8a7 h2h3 a7a6"), (Ending::FiftyMoves, 1, 4));
        assert_eq!(ended("8/8/8/8/8/1k6/p7/K7 b - - 0 1", "b3c3 a1a2"), (Ending::Material, 1, 2));
        assert_eq!(ended("8/8/8/8/8/k7/p7/1K6 w - - 0 1", "b1a1 a3b3"), (Ending::Stalemate, 1, 2));
        // Mate comes before the fifty moves.
        let mate = "k7/8/1K6/8/8/8/8/7R w - - 99 80";
        assert_eq!(ended(mate, "h1h8"), (Ending::Checkmate, 2, 1));
    }

    #[test]
    fn a_position_with_another_right_is_another_position() {
        // The rights are lost with the first move of the king, so the first position does not occur again.
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let finished = scripted(fen, "e1e2 e8e7 e2e1 e7e8", 0, Adjudication::NONE).unwrap();
        assert_eq!((finished.ending, finished.plies), (Ending::Repetition, 9));
    }

    #[test]
    fn leads_that_last_win_and_level_games_are_drawn_late() {
        let usual = Adjudication { level_from: 6, level_plies: 3, ..Adjudication::USUAL };
        let ended = |score| {
            let finished = scripted(START, "a2a3 a7a6 h2h3 h7h6 b2b3 b7b6 g2g3 g7g6", score, usual).unwrap();
            (finished.ending, finished.result, finished.plies)
        };
        assert_eq!(ended(1000), (Ending::Lead, 2, 3));
        assert_eq!(ended(-31_000), (Ending::Lead, 0, 3));
        assert_eq!(ended(8), (Ending::Level, 1, 6));
        let mut agreement = Agreement::default();
        let mut judge = |score| agreement.judge(&usual, score, 0);
        for score in
            [Some(1200), Some(1200), Some(1200), None, Some(1200), Some(1200), Some(-1200), Some(1200)]
        {
            assert_eq!(judge(score), None);
        }
    }

    #[test]
    fn a_move_that_is_not_legal_is_told_with_its_place() {
        let opening = read_epd(START).0.remove(0);
        let e4 = "e2e4".parse::<UciMove>().unwrap().to_move(&opening.start).unwrap();
        let mut think = |_: &Game| Ok(Thought { best: e4, score: None });
        let fault = play(&opening, &Adjudication::NONE, &mut think, &mut |_, _, _| {}).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "e2e4 is no legal move in rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
        );
        assert_eq!(opening.mode, CastlingMode::Standard);
    }
}
