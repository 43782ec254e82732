"""Generated boards: hypothesis strategies for the kinds of positions that searches stumble over.

Every strategy yields valid boards, all but `chess960()` of standard chess. They shrink towards
fewer pieces and shorter games. `boards()` draws from all of them, `standard_boards()` from those of
standard chess.
"""

import random
from collections.abc import Callable
from typing import TypeVar

import chess
from hypothesis import assume, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from betacut.core.positions import POSITIONS
from support.sampling import IS_EXHAUSTIVE

_Test = TypeVar("_Test", bound=Callable[..., object])

FINISHED = {
    "White is mated": "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "Black is mated": "R5k1/5ppp/8/8/8/8/8/K7 b - - 1 1",
    "mate on move fifty": "R5k1/5ppp/8/8/8/8/8/K7 b - - 100 80",
    "White is stalemated": "8/8/8/8/8/2k5/2p5/2K5 w - - 0 1",
    "Black is stalemated": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "fifty moves, White to move": "4k3/8/8/8/8/8/4P3/4K2R w K - 100 90",
    "fifty moves, Black to move": "4k3/8/8/8/8/8/4P3/4K2R b K - 120 90",
    "bare kings": "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "a lone bishop": "4k3/8/8/8/8/8/8/4KB2 b - - 3 1",
    "a lone knight": "4k1n1/8/8/8/8/8/8/4K3 w - - 3 1",
}
"""Games that are over, by the reason."""

SMALL = {
    "pawns": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "promotion": "2r3k1/1P6/8/8/8/8/8/4K2R w K - 0 1",
    "black to move": "8/8/1p2k3/p1p5/P1Pn1p2/1P3P2/3B1K2/8 b - - 0 1",
    "mate in two": "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "fifty moves": "8/8/2p5/4k3/8/4K3/4P3/R7 b - - 97 90",
    "little material": "8/8/8/3k4/3p4/3K4/8/8 w - - 0 1",
    "en passant": "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "exchanges": "3r2k1/pp3ppp/2n5/3q4/3P4/2N5/PP3PPP/3R2K1 w - - 0 1",
}
"""Positions that the reference searches quickly, by what is special about them."""

BISHOPS_OF_ONE_COLOUR = "4k1b1/8/8/8/8/8/8/4KB2 w - - 0 1"
"""A draw for python-chess, but not over here: only one minor piece may be left for that."""

CLOCKS = st.sampled_from([0, 0, 0, 50, *range(93, 100), 100, 130])
"""Halfmove clocks, with a liking for the last plies before the fifty-move draw."""

NUMBERS = st.integers(0, 959)
"""Starting positions of Chess960."""

OTHERS = "PNBRQ"
"""Letters of the pieces other than kings."""


def examples(factor: float, exhaustive: float | None = None) -> Callable[[_Test], _Test]:
    """Try this many times as many examples as the profile says, or as many in a run of all."""
    factor = exhaustive if exhaustive is not None and IS_EXHAUSTIVE else factor
    return settings(max_examples=max(1, round(settings().max_examples * factor)))


@st.composite
def games(draw: DrawFn, max_plies: int = 100, start: chess.Board | None = None) -> chess.Board:
    """A board after random legal moves from a known position, with the moves on its stack."""
    board = start or chess.Board(POSITIONS[draw(st.sampled_from(["start", *POSITIONS]))])
    # One seed for all moves: hypothesis would draw short games, and nearly always the first moves.
    player = random.Random(draw(st.integers(0, 2**32 - 1)))
    for _ in range(draw(st.sampled_from(range(max_plies + 1)))):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(player.choice(moves))
    return board


@st.composite
def sparse(draw: DrawFn, letters: str = OTHERS, max_pieces: int = 5) -> chess.Board:
    """A few pieces anywhere: endgames, some of them over."""
    return _completed(draw, _kings(draw), letters, max_pieces)


@st.composite
def promotions(draw: DrawFn) -> chess.Board:
    """Pawns about to promote, by a push or by a capture."""
    board = _kings(draw)
    for _ in range(draw(st.integers(1, 3))):
        color = draw(st.booleans())
        file = draw(st.integers(0, 7))
        square = chess.square(file, 6 if color else 1)
        if board.piece_type_at(square) != chess.KING:
            board.set_piece_at(square, chess.Piece(chess.PAWN, color))
        target = chess.square(min(7, file + 1), 7 if color else 0)
        if draw(st.booleans()) and board.piece_at(target) is None:
            board.set_piece_at(target, chess.Piece(draw(st.sampled_from([2, 3, 4, 5])), not color))
    _scatter(draw, board, "NBRQ", 2)
    board.turn = draw(st.booleans())
    return _valid(board)


@st.composite
def en_passant(draw: DrawFn) -> chess.Board:
    """A pawn has just advanced two squares beside one or two others; kings and pieces anywhere.

    The capture may be pinned, along the rank too, may be the only way out of check, or may be
    impossible because no pawn stands there. The move may be the last one or come from a FEN.
    """
    board = chess.Board(None)
    mover = draw(st.booleans())
    file = draw(st.integers(0, 7))
    start = chess.square(file, 1 if mover else 6)
    passed = chess.square(file, 2 if mover else 5)
    target = chess.square(file, 3 if mover else 4)
    board.set_piece_at(start, chess.Piece(chess.PAWN, mover))
    for neighbour in (file - 1, file + 1):
        if 0 <= neighbour <= 7 and draw(st.integers(0, 3)):
            square = chess.square(neighbour, chess.square_rank(target))
            board.set_piece_at(square, chess.Piece(chess.PAWN, not mover))
    free = [square for square in chess.SQUARES if square not in (passed, target)]
    # The king that would be uncovered likes to stand on the rank of the pawns.
    rank = [square for square in free if chess.square_rank(square) == chess.square_rank(target)]
    where = draw(st.sampled_from([rank, free]))
    _place(draw, board, chess.KING, not mover, where)
    _place(draw, board, chess.KING, mover, free)
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from([chess.ROOK, chess.BISHOP, chess.QUEEN, chess.KNIGHT]))
        _place(draw, board, kind, draw(st.booleans()), draw(st.sampled_from([rank, free])))
    board.turn = mover
    board = _valid(board)
    move = chess.Move(start, target)
    assume(board.is_legal(move))
    board.push(move)
    return board if draw(st.booleans()) else _valid(chess.Board(board.fen(en_passant="fen")))


@st.composite
def castling(draw: DrawFn) -> chess.Board:
    """Kings and rooks at home with some of the rights, pieces that stand in the way or attack."""
    board = chess.Board(None)
    for rank, color in ((0, chess.WHITE), (7, chess.BLACK)):
        board.set_piece_at(chess.square(4, rank), chess.Piece(chess.KING, color))
        for file in (0, 7):
            if draw(st.integers(0, 3)):
                board.set_piece_at(chess.square(file, rank), chess.Piece(chess.ROOK, color))
                if draw(st.integers(0, 3)):
                    board.castling_rights |= chess.BB_SQUARES[chess.square(file, rank)]
    return _completed(draw, board, OTHERS, 4)


@st.composite
def chess960(draw: DrawFn) -> chess.Board:
    """Chess960: kings between rooks anywhere at home, some of which may castle; or a game of it."""
    if draw(st.integers(0, 3)) == 0:
        return draw(games(max_plies=30, start=chess.Board.from_chess960_pos(draw(NUMBERS))))
    board = chess.Board(None, chess960=True)
    for home, color in ((0, chess.WHITE), (56, chess.BLACK)):
        files = draw(st.lists(st.integers(0, 7), min_size=2, max_size=4, unique=True))
        king = files.pop()
        board.set_piece_at(home + king, chess.Piece(chess.KING, color))
        for file in files:
            board.set_piece_at(home + file, chess.Piece(chess.ROOK, color))
        for side in ([f for f in files if f < king], [f for f in files if f > king]):
            if draw(st.integers(0, 3)) and side:
                rook = home + draw(st.sampled_from(side))
                board.castling_rights |= chess.BB_SQUARES[rook]
    return _completed(draw, board, OTHERS, 4)


@st.composite
def repetitions(draw: DrawFn) -> chess.Board:
    """Both sides have moved a piece back and forth, so positions have occurred two to four times.

    The board stands somewhere on that round trip, or one move beside it.
    """
    board = draw(st.one_of(games(max_plies=12), sparse("PRQN"), castling()))
    if board.halfmove_clock > 60:
        board.halfmove_clock = 0
    cycle = draw(st.sampled_from(_cycles(board) or [()]))
    assume(cycle)
    for move in cycle * draw(st.sampled_from([1, 2, 3])):
        board.push(move)
    for move in cycle[: draw(st.sampled_from([0, 1, 2, 3]))]:
        board.push(move)
    aside = draw(st.sampled_from([None, None, *board.legal_moves]))
    if aside is not None:
        board.push(aside)
    return board


def played(count: int) -> list[chess.Board]:
    """So many boards from games in which both sides move at random, always the same."""
    player = random.Random(5)
    found: list[chess.Board] = []
    while len(found) < count:
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 120 and len(found) < count:
            board.push(player.choice(list(board.legal_moves)))
            found.append(board.copy(stack=1))
    return found


def finished() -> SearchStrategy[chess.Board]:
    return st.sampled_from(sorted(FINISHED.values())).map(chess.Board)


def standard_boards() -> SearchStrategy[chess.Board]:
    kinds = (sparse, games, promotions, en_passant, castling, repetitions, finished)
    return st.one_of([kind() for kind in kinds])


def _place(
    draw: DrawFn,
    board: chess.Board,
    kind: chess.PieceType,
    color: chess.Color,
    squares: list[chess.Square] | None = None,
) -> None:
    free = [s for s in (squares or chess.SQUARES) if board.piece_at(s) is None]
    assume(free)
    board.set_piece_at(draw(st.sampled_from(free)), chess.Piece(kind, color))


def _kings(draw: DrawFn) -> chess.Board:
    board = chess.Board(None)
    for color in (chess.WHITE, chess.BLACK):
        _place(draw, board, chess.KING, color)
    return board


def _completed(draw: DrawFn, board: chess.Board, letters: str, max_pieces: int) -> chess.Board:
    """Add some pieces, the side to move and a clock."""
    _scatter(draw, board, letters, max_pieces)
    board.turn = draw(st.booleans())
    board.halfmove_clock = draw(CLOCKS)
    return _valid(board)


def _scatter(draw: DrawFn, board: chess.Board, letters: str, max_pieces: int) -> None:
    """Put some pieces of either colour anywhere, pawns not on the first and last rank."""
    kinds = st.sampled_from([chess.Piece.from_symbol(letter).piece_type for letter in letters])
    inner = [square for square in chess.SQUARES if 1 <= chess.square_rank(square) <= 6]
    for _ in range(draw(st.sampled_from(range(max_pieces + 1)))):
        kind = draw(kinds)
        _place(draw, board, kind, draw(st.booleans()), inner if kind == chess.PAWN else None)


def _valid(board: chess.Board) -> chess.Board:
    assume(board.is_valid())
    return board


def _cycles(board: chess.Board) -> list[tuple[chess.Move, ...]]:
    """Find round trips of four plies that lead back to the position; a dozen at most."""
    board = board.copy(stack=False)
    found: list[tuple[chess.Move, ...]] = []
    for there in _reversible(board)[:4]:
        board.push(there)
        for answer in _reversible(board)[:4]:
            board.push(answer)
            if board.is_legal(_back(there)):
                board.push(_back(there))
                if board.is_legal(_back(answer)):
                    found.append((there, answer, _back(there), _back(answer)))
                board.pop()
            board.pop()
        board.pop()
    return found


def _reversible(board: chess.Board) -> list[chess.Move]:
    return [move for move in board.legal_moves if not board.is_irreversible(move)]


def _back(move: chess.Move) -> chess.Move:
    return chess.Move(move.to_square, move.from_square)


def boards() -> SearchStrategy[chess.Board]:
    return st.one_of(standard_boards(), chess960())
