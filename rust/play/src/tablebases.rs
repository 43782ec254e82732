//! Endings that are solved: Syzygy tablebases. A question takes some microseconds, so it is not asked at every node.
//!
//! In the search a table says which side wins, after captures and pawn moves only: there the answer holds whatever the halfmove
//! clock would have been. At the root only moves that keep the result are searched, and others after them where more lines are
//! wanted; a won position is played by the table's own move, so that it makes progress.
//!
//! Source: chessprogramming.org "Syzygy Bases"; the tables are read by `shakmaty-syzygy`.

use std::path::{Path, PathBuf};
use std::{env, io};

use shakmaty::{
    Bitboard, ByColor, ByRole, CastlingMode, Chess, Color, FromSetup, Move, Position as _, Setup,
};
use shakmaty_syzygy::Tablebase;

use super::evaluation::Board;
use betacut_core::board::{NO_SQUARE, code, square};

/// A folder of tablebases cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("no tablebases in {folder}: {error}")]
pub struct NoTablebases {
    folder: PathBuf,
    error: io::Error,
}

/// Tables of solved endings.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    men: u32,
}

impl Tablebases {
    /// The tables in some folders, with colons between them, or semicolons on Windows.
    pub fn open(folders: &Path) -> Result<Tablebases, NoTablebases> {
        let mut tables = Tablebase::new();
        for folder in env::split_paths(folders) {
            let failed = |error| NoTablebases { folder: folder.clone(), error };
            if tables.add_directory(&folder).map_err(failed)? == 0 {
                return Err(failed(io::Error::new(io::ErrorKind::NotFound, "no .rtbw and .rtbz files")));
            }
        }
        let men = tables.max_pieces() as u32;
        Ok(Tablebases { tables, men })
    }

    /// The greatest number of men of a table.
    pub fn men(&self) -> u32 {
        self.men
    }

    /// After a capture or pawn move: 2 for a win, -2 for a loss, 1 and -1 if the fifty moves spoil it, 0 for a draw.
    pub fn wdl(&self, board: &Board<'_>) -> Option<i32> {
        self.tables.probe_wdl_after_zeroing(&chess(board)?).ok().map(i32::from)
    }

    /// The moves of a root and their ranks: 2 for the table's own move in a won or lost position, else 1, 0 and -1 for wins,
    /// draws and losses. None if there is no table.
    pub fn ranks(&self, position: &Chess) -> Option<Vec<(Move, i32)>> {
        if position.board().occupied().count() > self.men as usize || position.castles().any() {
            return None;
        }
        let (best, _) = self.tables.best_move(position).ok()??;
        let rank = |m: Move| {
            let mut after = position.clone();
            after.play_unchecked(m);
            Some(-self.tables.probe_dtz(&after).ok()?.signum())
        };
        let is_drawn = rank(best)? == 0;
        let moves = position.legal_moves().into_iter();
        let ranks = moves.map(|m| Some((m, if m == best && !is_drawn { 2 } else { rank(m)? })));
        ranks.collect()
    }
}

/// The position of a board without castling rights.
fn chess(board: &Board<'_>) -> Option<Chess> {
    let flip = |bits: u64| Bitboard(if board.black { bits.swap_bytes() } else { bits });
    let turn = Color::from_black(board.black);
    let roles = ByRole::new_with(|role| flip(board.pieces(code(role))));
    let colors = ByColor::new_with(|color| flip(if color == turn { board.ours } else { board.theirs() }));
    let mut setup = Setup { turn, ..Setup::empty() };
    setup.board = shakmaty::Board::try_from_bitboards(roles, colors).ok()?;
    if board.en_passant != NO_SQUARE {
        setup.ep_square = Some(square(u32::from(board.en_passant) ^ if board.black { 56 } else { 0 }));
    }
    // What a search reaches is legal, whatever material it has.
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .ok()
}
