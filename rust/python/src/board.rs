//! Reading a `chess.Board`, through its bitboards and never through FEN.

use std::convert::identity;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyList, PyString, PyType};
use pyo3::{exceptions::PyValueError, intern, sync::PyOnceLock};
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, Castles, CastlingMode, Chess, Color, Move, Position as _, Setup, Square,
};

use super::errors::{checks, described, raised};
use betacut_core::position::{InvalidPosition, Key, Position};
use betacut_core::{fen, move_order::written_target};
use betacut_play::Game;

static BOARD_TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static MOVE_TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// A position read from a board, and the board it was read from.
pub struct ReadBoard<'py> {
    /// The checked position.
    pub position: Position<'static>,
    /// The board or the text that was read.
    argument: Bound<'py, PyAny>,
}

impl<'py> ReadBoard<'py> {
    /// Reads a `chess.Board`, or a FEN or EPD string; errors have the text of `betacut.core.arguments`.
    pub fn new(argument: &Bound<'py, PyAny>) -> PyResult<ReadBoard<'py>> {
        let py = argument.py();
        let board_type = BOARD_TYPE.import(py, "chess", "Board")?;
        // A subclass may play a variant.
        let plays_chess = argument.is_exact_instance(board_type)
            || (argument.is_instance(board_type)?
                && argument.getattr(intern!(py, "uci_variant"))?.eq(intern!(py, "chess"))?);
        if plays_chess {
            let position = read_board(argument)?;
            return Ok(ReadBoard { position, argument: argument.clone() });
        }
        if let Ok(text) = argument.cast::<PyString>()
            && let Some(position) = text.to_cow().ok().and_then(|text| fen::read_canonical(&text))
        {
            return Ok(ReadBoard { position, argument: argument.clone() });
        }
        let board = checks(py)?.call_method1("as_board", (argument,))?;
        let position = read_board(&board)?;
        Ok(ReadBoard { position, argument: board })
    }

    /// The `chess.Board` that was read, or one with the position of the text.
    pub fn board(&self) -> PyResult<Bound<'py, PyAny>> {
        if self.argument.is_instance_of::<PyString>() {
            checks(self.argument.py())?.call_method1("as_board", (&self.argument,))
        } else {
            Ok(self.argument.clone())
        }
    }

    /// The `key` of each position the board has passed through since the last capture or pawn move, oldest first.
    pub fn history(&self, key: impl Fn(&Setup) -> Key) -> PyResult<Vec<Key>> {
        if self.argument.is_instance_of::<PyString>() {
            return Ok(Vec::new());
        }
        let impossible = || impossible_stack(&self.argument);
        let (stack, _) = stacks(&self.argument).ok_or_else(impossible)?;
        let now = self.position.board();
        let mut keys = Vec::new();
        for index in (0..stack.len()).rev() {
            let setup = read_past(&stack, index, self.position.mode()).map_err(|_| impossible())?;
            let then = &setup.board;
            if then.pawns() != now.pawns() || then.occupied().count() != now.occupied().count() {
                break;
            }
            keys.push(key(&setup));
        }
        keys.reverse();
        Ok(keys)
    }

    /// The legal move that a `chess.Move` stands for; castling may be written as king takes rook.
    pub fn legal_move(&self, argument: &Bound<'py, PyAny>) -> PyResult<Move> {
        let py = argument.py();
        if argument.is_instance(MOVE_TYPE.import(py, "chess", "Move")?)? {
            // What cannot be read is no legal move; the check says why.
            if let Ok(Some(wanted)) = WantedMove::read(argument)
                && let Some(m) = wanted.find(self.position.chess(), self.position.mode())
            {
                return Ok(m);
            }
        }
        checks(py)?.call_method1("check_move", (self.board()?, argument))?;
        Err(PyValueError::new_err(format!("the move {} was not found", described(argument))))
    }
}

/// What a `chess.Move` says.
struct WantedMove {
    from: Square,
    to: Square,
    promotion: Option<u32>,
}

impl WantedMove {
    /// Reads a `chess.Move`; none if it drops a piece.
    fn read(argument: &Bound<'_, PyAny>) -> PyResult<Option<WantedMove>> {
        let py = argument.py();
        let from = square(&argument.getattr(intern!(py, "from_square"))?)?;
        let to = square(&argument.getattr(intern!(py, "to_square"))?)?;
        let promotion = argument.getattr(intern!(py, "promotion"))?.extract::<Option<u32>>()?;
        let moves = argument.getattr(intern!(py, "drop"))?.is_none();
        Ok(moves.then_some(WantedMove { from, to, promotion }))
    }

    /// The legal move that is meant. In Chess960 castling is written as king takes rook, and nothing else is.
    fn find(&self, position: &Chess, mode: CastlingMode) -> Option<Move> {
        position.legal_moves().into_iter().find(|&m| {
            m.from() == Some(self.from)
                && (written_target(m, mode) == self.to || (m.is_castle() && m.to() == self.to))
                && m.promotion().map(u32::from) == self.promotion
        })
    }
}

/// The stacks of a board: the states before its moves, and the moves; none if they do not fit.
fn stacks<'py>(board: &Bound<'py, PyAny>) -> Option<(Bound<'py, PyList>, Bound<'py, PyList>)> {
    let list = |name| board.getattr(name).ok()?.cast_into::<PyList>().ok();
    let stacks = list(intern!(board.py(), "_stack"))?;
    let moves = list(intern!(board.py(), "move_stack"))?;
    (stacks.len() == moves.len()).then_some((stacks, moves))
}

/// What is wrong with the move stack.
#[cold]
fn impossible_stack(board: &Bound<'_, PyAny>) -> PyErr {
    match checks(board.py()).and_then(|checks| checks.call_method1("check_stack", (board,))) {
        Ok(_) => raised(InvalidPosition("the move stack cannot be read".to_owned())),
        Err(error) => error,
    }
}

fn square(value: &Bound<'_, PyAny>) -> PyResult<Square> {
    let index: u32 = value.extract()?;
    Square::try_from(index).map_err(|_| impossible(value))
}

/// Reads a board, Chess960 too, and the moves since the last capture, pawn or null move, if they lead to it.
pub fn read_game(board: &Bound<'_, PyAny>) -> PyResult<Game> {
    let position = read_board(board)?;
    let (chess, mode) = (position.chess(), position.mode());
    Ok(past_of(board, chess, mode)?.unwrap_or_else(|| Game::new(chess.clone(), mode)))
}

/// The game that led to a position; none if the moves of the board do not lead there.
fn past_of(board: &Bound<'_, PyAny>, position: &Chess, mode: CastlingMode) -> PyResult<Option<Game>> {
    let py = board.py();
    let (stack, moves) = stacks(board).ok_or_else(|| impossible_stack(board))?;
    let reversible = usize::try_from(position.halfmoves()).unwrap_or(usize::MAX);
    let mut wanted = Vec::new();
    for index in (0..moves.len()).rev().take(reversible) {
        match WantedMove::read(&moves.get_item(index)?) {
            Ok(Some(m)) if m.from != m.to => wanted.push(m),
            _ => break,
        }
    }
    if wanted.is_empty() {
        return Ok(None);
    }
    let Ok(start) = read_past(&stack, moves.len() - wanted.len(), mode) else {
        checks(py)?.call_method1("check_stack", (board,))?;
        return Ok(None);
    };
    let Ok(start) = Position::from_setup_in(start, mode) else { return Ok(None) };
    let mut game = Game::new(start.chess().clone(), mode);
    for m in wanted.iter().rev() {
        let Some(m) = m.find(game.position(), mode) else { return Ok(None) };
        game.play(m);
    }
    let end = game.position();
    let is_here = end.board() == position.board()
        && end.turn() == position.turn()
        && end.castles().castling_rights() == position.castles().castling_rights();
    Ok(is_here.then_some(game))
}

/// The move of a position that a `chess.Move` stands for; `ValueError` if it is not legal there.
pub fn read_move(position: &Chess, mode: CastlingMode, argument: &Bound<'_, PyAny>) -> PyResult<Move> {
    let wanted = WantedMove::read(argument)?;
    wanted
        .and_then(|wanted| wanted.find(position, mode))
        .ok_or_else(|| PyValueError::new_err(format!("the move {} was not found", described(argument))))
}

/// A value that no board can have; `betacut.core.arguments` says which.
#[cold]
fn impossible(value: &Bound<'_, PyAny>) -> PyErr {
    raised(InvalidPosition(format!("the board has {}", described(value))))
}

/// An `int`, which `bool` is not here.
#[inline]
fn int<'py, T: FromPyObjectOwned<'py>>(value: &Bound<'py, PyAny>) -> PyResult<T> {
    if !value.is_exact_instance_of::<PyInt>()
        && (!value.is_instance_of::<PyInt>() || value.is_instance_of::<PyBool>())
    {
        return Err(impossible(value));
    }
    value.extract().map_err(|_| impossible(value))
}

/// Reads a board of standard chess, or of Chess960 if it says so.
fn read_board(board: &Bound<'_, PyAny>) -> PyResult<Position<'static>> {
    let chess960 = board.getattr_opt(intern!(board.py(), "chess960"))?;
    let chess960 = chess960.map_or(Ok(false), |chess960| chess960.is_truthy())?;
    let mode = CastlingMode::from_chess960(chess960);
    let read = read_setup(board, false);
    match read.and_then(|setup| Position::from_setup_in(setup, mode).map_err(raised)) {
        Ok(position) => Ok(position),
        Err(error) => {
            // python-chess names what is wrong; where it sees nothing wrong, the error stands.
            checks(board.py())?.call_method1("check_status", (board,))?;
            Err(error)
        }
    }
}

/// Reads an entry of a stack; the castling rights of the first may be more than there are, as python-chess knows.
fn read_past(stack: &Bound<'_, PyList>, index: usize, mode: CastlingMode) -> PyResult<Setup> {
    let mut setup = read_setup(&stack.get_item(index)?, true)?;
    if index == 0 {
        setup.castling_rights = Castles::from_setup(&setup, mode).unwrap_or_else(identity).castling_rights();
    }
    Ok(setup)
}

/// Reads the pieces and the state of a board, or of an entry of its stack.
fn read_setup(board: &Bound<'_, PyAny>, stacked: bool) -> PyResult<Setup> {
    let py = board.py();
    let bitboard = |name| int(&board.getattr(name)?).map(Bitboard);
    let roles = ByRole {
        pawn: bitboard(intern!(py, "pawns"))?,
        knight: bitboard(intern!(py, "knights"))?,
        bishop: bitboard(intern!(py, "bishops"))?,
        rook: bitboard(intern!(py, "rooks"))?,
        queen: bitboard(intern!(py, "queens"))?,
        king: bitboard(intern!(py, "kings"))?,
    };
    let colors = if stacked {
        ByColor { white: bitboard(intern!(py, "occupied_w"))?, black: bitboard(intern!(py, "occupied_b"))? }
    } else {
        // By colour, and False comes before True.
        let occupied = board.getattr(intern!(py, "occupied_co"))?.cast_into::<PyList>()?;
        let of = |color: usize| int(&occupied.get_item(color)?).map(Bitboard);
        ByColor { black: of(0)?, white: of(1)? }
    };
    let contradiction = || raised(InvalidPosition("the board's bitboards contradict each other".to_owned()));
    let pieces = Board::try_from_bitboards(roles, colors).map_err(|_| contradiction())?;
    if bitboard(intern!(py, "occupied"))? != pieces.occupied() {
        return Err(contradiction());
    }
    let mut setup = Setup::empty();
    setup.board = pieces;
    let turn = board.getattr(intern!(py, "turn"))?;
    setup.turn = Color::from_white(match turn.cast_exact::<PyBool>() {
        Ok(turn) => turn.is_true(),
        Err(_) => match int(&turn)? {
            0 => false,
            1 => true,
            _ => return Err(impossible(&turn)),
        },
    });
    setup.castling_rights = bitboard(intern!(py, "castling_rights"))?;
    let ep_square = board.getattr(intern!(py, "ep_square"))?;
    setup.ep_square = if ep_square.is_none() {
        None
    } else {
        Some(Square::try_from(int::<u32>(&ep_square)?).map_err(|_| impossible(&ep_square))?)
    };
    setup.halfmoves = clock(&board.getattr(intern!(py, "halfmove_clock"))?)?;
    let fullmoves = board.getattr(intern!(py, "fullmove_number"))?;
    setup.fullmoves = clock(&fullmoves)?.try_into().map_err(|_| impossible(&fullmoves))?;
    Ok(setup)
}

/// The greatest counter of a board: small enough that no search can overflow it.
const MAX_CLOCK: u32 = (1 << 30) - 1;

/// A counter of the board.
fn clock(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    int(value).ok().filter(|&count| count <= MAX_CLOCK).ok_or_else(|| impossible(value))
}

/// A new `chess.Board` of the position, without a move stack.
pub fn python_board<'py>(py: Python<'py>, chess: &Chess) -> PyResult<Bound<'py, PyAny>> {
    let board = BOARD_TYPE.import(py, "chess", "Board")?.call1((py.None(),))?;
    board.setattr(intern!(py, "chess960"), chess.castles().mode().is_chess960())?;
    let pieces = chess.board();
    for (name, bitboard) in [
        (intern!(py, "pawns"), pieces.pawns()),
        (intern!(py, "knights"), pieces.knights()),
        (intern!(py, "bishops"), pieces.bishops()),
        (intern!(py, "rooks"), pieces.rooks()),
        (intern!(py, "queens"), pieces.queens()),
        (intern!(py, "kings"), pieces.kings()),
        (intern!(py, "occupied"), pieces.occupied()),
        (intern!(py, "castling_rights"), chess.castles().castling_rights()),
    ] {
        board.setattr(name, bitboard.0)?;
    }
    let occupied_co = board.getattr(intern!(py, "occupied_co"))?;
    for color in Color::ALL {
        occupied_co.set_item(color.is_white(), pieces.by_color(color).0)?;
    }
    board.setattr(intern!(py, "turn"), chess.turn().is_white())?;
    board.setattr(intern!(py, "ep_square"), chess.maybe_ep_square().map(u32::from))?;
    board.setattr(intern!(py, "halfmove_clock"), chess.halfmoves())?;
    board.setattr(intern!(py, "fullmove_number"), chess.fullmoves().get())?;
    Ok(board)
}

/// A `chess.Move` of a game: in Chess960 castling is king takes rook.
pub fn python_move(py: Python<'_>, mode: CastlingMode, m: Move) -> PyResult<Bound<'_, PyAny>> {
    let (from, promotion) = (m.from().map(u32::from), m.promotion().map(u32::from));
    MOVE_TYPE.import(py, "chess", "Move")?.call1((from, u32::from(written_target(m, mode)), promotion))
}
