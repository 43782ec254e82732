//! Rows of positions as columns: plain buffers, laid out as Arrow's are.

use betacut_core::texts::Texts;

/// The columns of positions; all have the same number of rows once a game is in.
#[derive(Debug)]
pub struct Columns {
    /// The positions; null where there is an error.
    pub fen: Texts,
    /// The games' numbers in the file, from 1.
    pub game: Vec<i64>,
    /// Plies from the game's start.
    pub ply: Vec<i32>,
    /// The moves that were played, in UCI; null at the end.
    pub moves: Texts,
    /// The tags that were asked for; null where there is none.
    pub tags: Vec<Texts>,
    /// What is wrong with a game.
    pub error: Texts,
}

impl Columns {
    /// Empty columns, with so many of tags.
    pub fn new(tags: usize) -> Columns {
        Columns {
            fen: Texts::default(),
            game: Vec::new(),
            ply: Vec::new(),
            moves: Texts::default(),
            tags: (0..tags).map(|_| Texts::default()).collect(),
            error: Texts::default(),
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.game.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.game.is_empty()
    }

    /// How many bytes the tags and the FENs have.
    pub fn bytes(&self) -> usize {
        self.tags.iter().map(Texts::size).sum::<usize>() + self.fen.size()
    }

    /// Appends a row without a position.
    pub(super) fn push_error(&mut self, game: u64, ply: usize, reason: &str) {
        self.fen.push(None);
        self.moves.push(None);
        self.game.push(game as i64);
        self.ply.push(ply as i32);
        self.error.push(Some(reason));
    }

    /// Gives all rows that have no tags yet these.
    pub(super) fn repeat_tags(&mut self, values: &[Option<&str>]) {
        let rows = self.game.len();
        for (column, value) in self.tags.iter_mut().zip(values) {
            for _ in column.rows()..rows {
                column.push(*value);
            }
        }
    }
}
