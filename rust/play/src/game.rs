//! A position and the game that led to it.

use shakmaty::{CastlingMode, Chess, FromSetup, Move, Position as _, fen::Fen};

use super::evaluation::{Board, Weights, board_of};
use super::repetition::Path;
use betacut_core::{board::FlippedBoard, position::InvalidPosition};

/// A game: where it stands, and the positions it has passed through.
#[derive(Clone, Debug)]
pub struct Game {
    position: Chess,
    mode: CastlingMode,
    /// Keys of the positions since the last capture or pawn move, the present one last.
    keys: Vec<u64>,
}

/// A capture en passant that is not legal makes no other position, as article 9.2 of the laws has it.
fn key(position: &Chess) -> u64 {
    let board = FlippedBoard::read(position, |_| ());
    if position.legal_ep_square().is_some() { board.key } else { board.key ^ board.en_passant_key() }
}

impl Game {
    /// A game that begins here.
    pub fn new(position: Chess, mode: CastlingMode) -> Game {
        let keys = vec![key(&position)];
        Game { position, mode, keys }
    }

    /// A game that begins with a FEN.
    ///
    /// ```
    /// use betacut_play::Game;
    /// use shakmaty::CastlingMode;
    /// assert!(Game::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1", CastlingMode::Standard).is_ok());
    /// assert!(Game::from_fen("4k3/8/8/8/8/8/8/8 w - - 0 1", CastlingMode::Standard).is_err());
    /// ```
    pub fn from_fen(fen: &str, mode: CastlingMode) -> Result<Game, InvalidPosition> {
        let read: Fen = fen.parse().map_err(|error| InvalidPosition(format!("{fen:?}: {error}")))?;
        let position = Chess::from_setup(read.into_setup(), mode)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .map_err(|error| InvalidPosition(error.to_string()))?;
        Ok(Game::new(position, mode))
    }

    /// Makes a legal move.
    pub fn play(&mut self, m: Move) {
        self.position.play_unchecked(m);
        if self.position.halfmoves() == 0 {
            self.keys.clear();
        }
        self.keys.push(key(&self.position));
    }

    /// Where the game stands.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Whether castling is that of standard chess or of Chess960.
    pub fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// How often the present position has occurred.
    pub fn occurrences(&self) -> usize {
        self.keys.iter().filter(|&key| Some(key) == self.keys.last()).count()
    }

    /// The board the search begins with.
    pub fn board<'w>(&self, weights: &'w Weights) -> Board<'w> {
        board_of(&self.position, weights)
    }

    /// The positions that led here.
    pub fn path(&self) -> Path {
        Path { keys: self.keys.clone(), root: self.keys.len() - 1, first: 0 }
    }
}
