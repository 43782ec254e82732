//! Rows of positions as columns: plain buffers, laid out as Arrow's are.

/// A column of texts: where each ends, and which are null.
#[derive(Debug)]
pub struct Texts {
    data: Vec<u8>,
    offsets: Vec<i32>,
    nulls: Vec<bool>,
}

impl Default for Texts {
    fn default() -> Texts {
        Texts { data: Vec::new(), offsets: vec![0], nulls: Vec::new() }
    }
}

impl Texts {
    /// Appends what `write` appends to the data.
    pub fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.data);
        self.end(false);
    }

    /// Appends a null.
    pub fn push_null(&mut self) {
        self.end(true);
    }

    fn end(&mut self, is_null: bool) {
        self.offsets.push(self.data.len() as i32);
        self.nulls.push(is_null);
    }

    fn repeat(&mut self, value: Option<&str>, count: usize) {
        for _ in 0..count {
            match value {
                Some(value) => self.push(|text| text.extend_from_slice(value.as_bytes())),
                None => self.push_null(),
            }
        }
    }

    fn truncate(&mut self, rows: usize) {
        self.offsets.truncate(rows + 1);
        self.nulls.truncate(rows);
        self.data.truncate(self.offsets[rows] as usize);
    }

    /// How many bytes the texts have.
    pub fn bytes(&self) -> usize {
        self.data.len()
    }

    /// A text; none if it is null.
    pub fn get(&self, row: usize) -> Option<&[u8]> {
        let range = self.offsets[row] as usize..self.offsets[row + 1] as usize;
        (!self.nulls[row]).then(|| &self.data[range])
    }

    /// The buffers: validity (a bit a row, none if nothing is null), offsets, data.
    pub fn buffers(&self) -> (Option<Vec<u8>>, Vec<u8>, &[u8]) {
        let validity = self.nulls.contains(&true).then(|| {
            let bits = |rows: &[bool]| {
                rows.iter().enumerate().fold(0, |bits, (at, &null)| bits | (u8::from(!null) << at))
            };
            self.nulls.chunks(8).map(bits).collect()
        });
        (validity, self.offsets.iter().flat_map(|offset| offset.to_le_bytes()).collect(), &self.data)
    }
}

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

    /// How many bytes the texts have.
    pub fn bytes(&self) -> usize {
        self.tags.iter().map(Texts::bytes).sum::<usize>() + self.fen.bytes()
    }

    /// Takes back the rows from `rows` on.
    pub(super) fn truncate(&mut self, rows: usize) {
        self.fen.truncate(rows);
        self.moves.truncate(rows);
        self.error.truncate(rows);
        self.game.truncate(rows);
        self.ply.truncate(rows);
    }

    /// Appends a row without a position.
    pub(super) fn push_error(&mut self, game: u64, ply: usize, reason: &str) {
        self.fen.push_null();
        self.moves.push_null();
        self.game.push(game as i64);
        self.ply.push(ply as i32);
        self.error.push(|text| text.extend_from_slice(reason.as_bytes()));
    }

    /// Gives all rows that have no tags yet these.
    pub(super) fn repeat_tags(&mut self, values: &[Option<&str>]) {
        let rows = self.game.len();
        for (column, value) in self.tags.iter_mut().zip(values) {
            column.repeat(*value, rows - column.nulls.len());
        }
    }
}
