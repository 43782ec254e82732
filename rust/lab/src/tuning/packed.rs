//! A position in 32 bytes, with its score and the result of its game.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | the occupied squares, a1 first |
//! | 16 | what stands on them, in the same order, half a byte each: kind, a rook that may castle being one of its own, and colour |
//! | 1 | the side to move; the file of the square for en passant |
//! | 1 | plies since the last capture or pawn move |
//! | 2 | the score of the search, from White's view |
//! | 2 | the plies before, those of the opening included |
//! | 1 | White's half points |
//! | 1 | nothing |

use std::num::NonZeroU32;

use bytemuck::{Pod, Zeroable};
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Piece, Position as _, Rank, Role,
    Setup, Square,
};

use super::error::Error;

/// The code of a rook that may castle.
const CASTLING_ROOK: u8 = 6;
/// What is added to the code of a black piece.
const BLACK: u8 = 8;
/// The file of no square.
const NO_FILE: u8 = 8;

/// A position, its score, and the result of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Record {
    occupied: [u8; 8],
    pieces: [u8; 16],
    state: u8,
    clock: u8,
    score: [u8; 2],
    ply: [u8; 2],
    result: u8,
    spare: u8,
}

impl Record {
    /// The bytes of a record.
    pub const SIZE: usize = size_of::<Record>();

    /// A position with its score from White's view; the result is not known yet and taken for a draw.
    pub fn pack(position: &Chess, score: i16, ply: u16) -> Record {
        let setup = position.to_setup(EnPassantMode::PseudoLegal);
        let mut pieces = [0; 16];
        for (index, (square, piece)) in setup.board.iter().enumerate() {
            let mut code = piece.role as u8 - 1;
            if setup.castling_rights.contains(square) {
                code = CASTLING_ROOK;
            }
            code |= piece.color.fold_wb(0, BLACK);
            pieces[index / 2] |= code << (index % 2 * 4);
        }
        let file = setup.ep_square.map_or(NO_FILE, |square| square.file() as u8);
        Record {
            occupied: setup.board.occupied().0.to_le_bytes(),
            pieces,
            state: setup.turn.is_black() as u8 | file << 1,
            clock: setup.halfmoves.min(255) as u8,
            score: score.to_le_bytes(),
            ply: ply.to_le_bytes(),
            result: 1,
            spare: 0,
        }
    }

    /// The same record with a result: White's half points.
    #[must_use]
    pub fn with_result(self, result: u8) -> Record {
        Record { result, ..self }
    }

    /// The position, if a game leads to it.
    pub fn unpack(&self) -> Result<Chess, Error> {
        let mut setup = Setup::empty();
        let squares = Bitboard(u64::from_le_bytes(self.occupied));
        if squares.count() > 32 {
            return Err(Error::new(format!("{} pieces are more than 32", squares.count())));
        }
        for (index, square) in squares.into_iter().enumerate() {
            let code = self.pieces[index / 2] >> (index % 2 * 4) & 15;
            let kind = code & 7;
            let color = Color::from_white(code & BLACK == 0);
            let role = match kind {
                CASTLING_ROOK => {
                    setup.castling_rights.add(square);
                    Role::Rook
                }
                _ => Role::ALL
                    .get(kind as usize)
                    .copied()
                    .ok_or_else(|| Error::new(format!("there is no piece with the number {kind}")))?,
            };
            setup.board.set_piece_at(square, Piece { color, role });
        }
        setup.turn = Color::from_white(self.state & 1 == 0);
        if self.state >> 1 < NO_FILE {
            let rank = setup.turn.fold_wb(Rank::Sixth, Rank::Third);
            setup.ep_square = Some(Square::from_coords(File::new(u32::from(self.state >> 1)), rank));
        }
        setup.halfmoves = self.clock.into();
        setup.fullmoves = NonZeroU32::MIN.saturating_add(u32::from(self.ply()) / 2);
        let mode = CastlingMode::detect(&setup);
        Chess::from_setup(setup, mode).map_err(|error| Error::new(error.to_string()))
    }

    /// The men in the order of their squares, each as square, kind from 0 (pawn) to 5 (king), and whether it is black.
    pub fn men(&self) -> impl Iterator<Item = (u32, u32, bool)> {
        Bitboard(u64::from_le_bytes(self.occupied)).into_iter().zip(0..32).map(|(square, index)| {
            let code = self.pieces[index / 2] >> (index % 2 * 4) & 15;
            let kind = match code & 7 {
                CASTLING_ROOK => Role::Rook as u8 - 1,
                kind => kind,
            };
            (u32::from(square), kind.into(), code & BLACK != 0)
        })
    }

    /// Whether Black is to move.
    pub fn is_black_to_move(&self) -> bool {
        self.state & 1 != 0
    }

    /// The score of the search, from White's view. Centipawns.
    pub fn score(&self) -> i16 {
        i16::from_le_bytes(self.score)
    }

    /// The plies before.
    pub fn ply(&self) -> u16 {
        u16::from_le_bytes(self.ply)
    }

    /// White's half points.
    pub fn result(&self) -> u8 {
        self.result
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    #[test]
    fn packing_loses_nothing() {
        let more = [
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "r3k2r/8/8/8/8/8/8/1R2K1R1 w GBha - 99 80",
        ];
        let mut seen = 0;
        for fen in betacut_support::fens().chain(more) {
            let setup = fen.parse::<Fen>().unwrap().into_setup();
            let mode = CastlingMode::detect(&setup);
            let Ok(mut position) = Chess::from_setup(setup, mode) else { continue };
            for ply in 0..4 {
                let record = Record::pack(&position, -1234, 2 * ply).with_result(2);
                assert_eq!((record.score(), record.ply(), record.result()), (-1234, 2 * ply, 2));
                let unpacked = record.unpack().unwrap();
                assert_eq!(unpacked.clone().to_setup(EnPassantMode::PseudoLegal), {
                    let mut setup = position.to_setup(EnPassantMode::PseudoLegal);
                    setup.fullmoves = NonZeroU32::new(u32::from(ply) + 1).unwrap();
                    setup
                });
                assert_eq!(unpacked.legal_moves(), position.legal_moves());
                seen += 1;
                let Some(&m) = position.legal_moves().last() else { break };
                position.play_unchecked(m);
            }
        }
        assert!(seen > 80, "only {seen}");
        assert_eq!(Record::SIZE, 32);
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let good = Record::pack(&Chess::default(), 0, 0);
        assert!(
            Record { occupied: [255; 8], ..good }.unpack().unwrap_err().to_string().contains("64 pieces")
        );
        assert!(Record { pieces: [0x77; 16], ..good }.unpack().is_err());
        assert!(Record { pieces: [0; 16], ..good }.unpack().is_err());
    }
}
