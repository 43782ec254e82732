//! Where a game stands: what `position` says, checked.

use shakmaty::{
    Castles, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position as _, PositionError,
    PositionErrorKinds, Role, Setup, Square,
};
use shakmaty::{fen::Fen, uci::UciMove, zobrist::Zobrist64};

use super::command::{Placement, shown};
use crate::Game;
use betacut_core::position::Position;

/// The greatest clock or move number of a FEN: small enough that no search overflows it.
const MOST_CLOCK: u32 = (1 << 30) - 1;

/// A game and where it began.
#[derive(Clone)]
pub struct Standing {
    /// The position at the beginning.
    pub start: String,
    /// The moves since, as the protocol writes them.
    pub moves: Vec<String>,
    /// The game.
    pub game: Game,
    /// What had to be left out of the FEN, for it is impossible: castling, en passant.
    pub dropped: Option<&'static str>,
}

impl Standing {
    /// The beginning of a game.
    pub fn initial(mode: CastlingMode) -> Standing {
        Standing::of(Chess::default(), mode, None)
    }

    fn of(position: Chess, mode: CastlingMode, dropped: Option<&'static str>) -> Standing {
        let start = Fen::from_position(&position, EnPassantMode::PseudoLegal).to_string();
        Standing { start, moves: Vec::new(), game: Game::new(position, mode), dropped }
    }

    /// What a `position` line says.
    /// Errors: what is wrong with it: the FEN cannot be read, the position cannot be played, or a move is not legal.
    pub fn read(placement: &Placement, mode: CastlingMode) -> Result<Standing, String> {
        let mut standing = match &placement.fen {
            None => Standing::initial(mode),
            Some(fen) => {
                let (position, dropped) = read_fen(fen, mode)?;
                Standing::of(position, mode, dropped)
            }
        };
        for (index, text) in placement.moves.iter().enumerate() {
            let m = read_move(text, standing.position()).ok_or_else(|| {
                format!("move {} of the position, {}, is not legal", index + 1, shown(text))
            })?;
            standing.moves.push(write_move(m, mode));
            standing.game.play(m);
        }
        Ok(standing)
    }

    /// Where the game stands.
    pub fn position(&self) -> &Chess {
        self.game.position()
    }

    /// A move as the other program expects it.
    pub fn write(&self, m: Move) -> String {
        write_move(m, self.game.mode())
    }

    /// The position drawn, and what identifies it.
    pub fn display(&self) -> String {
        let position = self.position();
        let edge = "+---+---+---+---+---+---+---+---+\n";
        let row = |rank: u32| {
            let piece = |file| position.board().piece_at(Square::new(8 * rank + file));
            let letters: Vec<String> =
                (0..8).map(|file| piece(file).map_or(' ', shakmaty::Piece::char).to_string()).collect();
            format!("| {} | {}\n{edge}", letters.join(" | "), rank + 1)
        };
        let rows: Vec<String> = (0..8).rev().map(row).collect();
        let checkers: Vec<String> =
            position.checkers().into_iter().map(|square| square.to_string()).collect();
        let key: Zobrist64 = position.zobrist_hash(EnPassantMode::PseudoLegal);
        format!(
            "{edge}{}  a   b   c   d   e   f   g   h\n\nFen: {}\nKey: {:016X}\nCheckers: {}",
            rows.concat(),
            Fen::from_position(position, EnPassantMode::PseudoLegal),
            key.0,
            checkers.join(" ")
        )
    }
}

/// A move in the notation of the protocol: castling as the king's move, or in Chess960 as the king taking its rook.
pub fn write_move(m: Move, mode: CastlingMode) -> String {
    m.to_uci(mode).to_string()
}

/// Reads a legal move. Both ways to write castling are understood, and capital letters for promotion.
pub fn read_move(text: &str, position: &Chess) -> Option<Move> {
    // A drop such as P@e4 is no move of chess.
    let m: UciMove = text.to_ascii_lowercase().parse().ok()?;
    m.to_move(position).ok()
}

/// Reads a FEN that may be short of fields; impossible castling and en passant captures are left out.
fn read_fen(fen: &str, mode: CastlingMode) -> Result<(Chess, Option<&'static str>), String> {
    let fail = |what: &str| format!("cannot read the FEN {}: {what}", shown(fen));
    let parsed: Fen = fen.parse().map_err(|error: shakmaty::fen::ParseFenError| fail(&error.to_string()))?;
    let mut setup = parsed.into_setup();
    if setup.halfmoves > MOST_CLOCK || setup.fullmoves.get() > MOST_CLOCK {
        return Err(fail(&format!("its clocks go to {MOST_CLOCK}")));
    }
    let mut dropped = None;
    if let Err(castles) = Castles::from_setup(&setup, mode) {
        setup.castling_rights = castles.castling_rights();
        dropped = Some("castling");
    }
    let kinds = Chess::from_setup(setup.clone(), mode).err().map(|error: PositionError<Chess>| error.kinds());
    if kinds.is_some_and(|kinds| kinds.contains(PositionErrorKinds::INVALID_EP_SQUARE)) {
        setup.ep_square = None;
        dropped = Some(if dropped.is_some() { "castling and en passant" } else { "en passant" });
    }
    let position = checked(setup, mode).map_err(|what| fail(&what))?;
    Ok((position, dropped))
}

/// The position of a setup, if it can be played: what the other floors ask for, in either way to castle.
fn checked(setup: Setup, mode: CastlingMode) -> Result<Chess, String> {
    if mode == CastlingMode::Standard {
        return Ok(Position::from_setup_in(setup, mode).map_err(|error| error.to_string())?.chess().clone());
    }
    for color in Color::ALL {
        let pieces = setup.board.by_color(color);
        let pawns = pieces & setup.board.by_role(Role::Pawn);
        if pieces.count() > 16 || pawns.count() > 8 {
            return Err(format!("{color:?} has {} pieces and {} pawns", pieces.count(), pawns.count()));
        }
    }
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use CastlingMode::{Chess960, Standard};

    fn read(fen: Option<&str>, moves: &str, mode: CastlingMode) -> Result<Standing, String> {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        Standing::read(&Placement { fen: fen.map(str::to_owned), moves }, mode)
    }

    fn fen(standing: &Standing) -> String {
        Fen::from_position(standing.position(), EnPassantMode::PseudoLegal).to_string()
    }

    #[test]
    fn what_is_not_legal() {
        assert!(read(None, "\u{e9}2e4", Standard).is_err());
        for bad in
            ["4k3/8/8/8/8/8/8/4K3 w - - 4000000000 1", "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/8/K6k w - - 0 1"]
        {
            for mode in [Standard, Chess960] {
                assert!(read(Some(bad), "", mode).is_err(), "{bad}");
            }
        }
    }

    #[test]
    fn sloppy_positions() {
        // Castling without a rook, en passant without a pawn, fields left out.
        let sloppy = read(Some("4k3/8/8/8/8/8/8/4K2R w KQkq e3"), "", Standard).unwrap();
        assert_eq!(fen(&sloppy), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(sloppy.dropped, Some("castling and en passant"));
        let bare = read(Some("4k3/8/8/8/8/8/8/4K2R"), "", Standard).unwrap();
        assert_eq!((fen(&bare), bare.dropped), ("4k3/8/8/8/8/8/8/4K2R w - - 0 1".to_owned(), None));
        // Nine queens, and eight pawns left.
        assert!(read(Some("4k3/8/8/8/8/8/PPPPPPPP/QQQQK3 w - - 0 1"), "", Chess960).is_ok());
    }

    #[test]
    fn a_game_of_chess960() {
        let start = "1r3kr1/5pp1/8/8/8/8/5PP1/1R3KR1 w GBgb - 0 1";
        let standing = read(Some(start), "f1g1 f8b8", Chess960).unwrap();
        assert_eq!(standing.moves, ["f1g1", "f8b8"]);
        assert!(fen(&standing).starts_with("2kr2r1/5pp1/8/8/8/8/5PP1/1R3RK1 w - - "));
        assert_eq!(standing.dropped, None);
        // Its rights mean nothing where the other way to castle is spoken.
        assert_eq!(read(Some(start), "", Standard).unwrap().dropped, Some("castling"));
    }

    #[test]
    fn a_drawing() {
        let text = Standing::initial(Standard).display();
        assert!(text.contains("| r | n | b | q | k | b | n | r | 8\n"), "{text}");
        assert!(text.contains("\nKey: 463B96181691FC9C\nCheckers: "), "{text}");
    }
}
