"""A board drawn with letters or chess pieces, for terminals.

What the colours say, the characters say too: `[ ]` stands around the squares of the last move and
`!` beside a king in check, so that nothing is lost where there are no colours.
"""

from collections.abc import Iterator, Sequence

import chess

from betacut.views.palette import (
    BLACK_PIECE,
    CHECKED_SQUARE,
    DARK_SQUARE,
    LAST_MOVE_DARK,
    LAST_MOVE_LIGHT,
    LIGHT_SQUARE,
    WHITE_PIECE,
)

BOARD_WIDTH = 28  # how wide a board is, in characters
MARKS = {"check": ("!", "!"), "move": ("[", "]"), "": (" ", " ")}  # to both sides of a piece
RESET = "\x1b[0m"


def board_lines(
    board: chess.Board,
    *,
    flipped: bool = False,
    last_move: chess.Move | None = None,
    colour: bool = False,
    pieces: bool = True,
) -> list[str]:
    """Draw a board in ten lines, three characters a square, with coordinates; the last is empty.

    The squares of the last move are marked. Colours need a terminal of 256; without `pieces` the
    men are letters, White's in capitals.
    """
    checked = board.king(board.turn) if board.is_check() else None
    marked = () if not last_move else (last_move.from_square, last_move.to_square)
    ranks = range(8) if flipped else range(7, -1, -1)
    files = range(7, -1, -1) if flipped else range(8)
    lines = []
    for rank in ranks:
        cells = []
        for file in files:
            square = chess.square(file, rank)
            state = "check" if square == checked else "move" if square in marked else ""
            piece = board.piece_at(square)
            draw = _coloured if colour else _plain
            cells.append(draw(piece, square, state, pieces))
        lines.append(f"{rank + 1} {''.join(cells)}  ")
    names = "".join(f" {chess.FILE_NAMES[file]} " for file in files)
    return [*lines, f"  {names}  ", " " * BOARD_WIDTH]


def _plain(piece: chess.Piece | None, _square: chess.Square, state: str, pieces: bool) -> str:
    """Draw a square with characters alone."""
    text = "·" if pieces else "."
    if piece is not None:
        text = piece.unicode_symbol() if pieces else piece.symbol()
    left, right = MARKS[state]
    return left + text + right


def _coloured(piece: chess.Piece | None, square: chess.Square, state: str, pieces: bool) -> str:
    """Draw a square in colours. All pieces are drawn filled: the colour says whose they are."""
    light = bool(chess.BB_SQUARES[square] & chess.BB_LIGHT_SQUARES)
    ground = LIGHT_SQUARE if light else DARK_SQUARE
    if state == "move":
        ground = LAST_MOVE_LIGHT if light else LAST_MOVE_DARK
    elif state == "check":
        ground = CHECKED_SQUARE
    left, right = MARKS[state]
    front, text = BLACK_PIECE, " "
    if piece is not None:
        front = WHITE_PIECE if piece.color == chess.WHITE else BLACK_PIECE
        filled = chess.Piece(piece.piece_type, chess.BLACK)
        text = filled.unicode_symbol() if pieces else piece.symbol()
    return f"\x1b[48;5;{ground};38;5;{front}m{left}{text}{right}{RESET}"


def beside(board: Sequence[str], panel: Sequence[str], width: int) -> Iterator[str]:
    """Put lines of text to the right of a board, or below it if there is no room."""
    room = width - BOARD_WIDTH - 2
    if panel and max(map(len, panel)) <= room and len(panel) <= len(board):
        texts = [*panel, *[""] * (len(board) - len(panel))]
        for line, text in zip(board, texts, strict=True):
            if line.strip() or text:
                yield f"{line}  {text}".rstrip()
        return
    yield from (line.rstrip() for line in board if line.strip())
    yield from panel
