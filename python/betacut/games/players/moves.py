"""Moves as people type them, and what is wrong with those that cannot be played."""

import re
from collections.abc import Collection, Iterable

import chess

from betacut.core.arguments import BoardLike, as_board, check_type
from betacut.core.messages import nearest, shown

SHAPES = {"♔": "K", "♕": "Q", "♖": "R", "♗": "B", "♘": "N", "♙": ""}
SHAPES |= {"♚": "K", "♛": "Q", "♜": "R", "♝": "B", "♞": "N", "♟": ""}

LONGEST = 20  # more characters than any move has

SAN = re.compile(r"([KQRBN])?([a-h])?([1-8])?[-x]?([a-h][1-8])(?:=?([QRBNqrbn]))?")
UCI = re.compile(r"([a-h][1-8])-?([a-h][1-8])=?([qrbn])?", re.IGNORECASE)
CASTLING = re.compile(r"[o0]-?[o0](-?[o0])?", re.IGNORECASE)


class MoveError(ValueError):
    """The text is no legal move; the message says why."""


def read_move(board: BoardLike, text: str, words: Collection[str] = ()) -> chess.Move:
    """Read a move in algebraic notation or UCI's, a little sloppily if need be.

    Args:
        board: The position.
        text: Such as `Nf3`, `nf3`, `g1f3`, `♘f3`, `exd5`, `ed5`, `O-O`, `0-0`, `e8=Q`, `e8q`.
        words: What else may have been meant, for "did you mean".

    Returns:
        The legal move.

    Raises:
        TypeError: If an argument is of the wrong type.
        InvalidPositionError: If the position is impossible.
        MoveError: If it is none.

    Examples:
        >>> board = chess.Board()
        >>> read_move(board, "nf3").uci()
        'g1f3'
        >>> read_move(board, "Bc4")
        Traceback (most recent call last):
        ...
        betacut.games.players.moves.MoveError: Bc4 is illegal: the way from f1 to c4 is blocked on e2
        >>> read_move(board, "castle")
        Traceback (most recent call last):
        ...
        betacut.games.players.moves.MoveError: cannot read 'castle': write a move like a3 or b1a3
    """  # noqa: E501 - an error is one line
    board = as_board(board)
    check_type(text, "text", "a str", str)
    word = "".join(SHAPES.get(letter, letter) for letter in text.strip())
    word = re.sub(r"(\s*e\.?p\.?|[+#!?]+)+$", "", word)
    if not 0 < len(word) <= LONGEST:
        raise MoveError(_unreadable(board, text, words))
    found = _found(board, word)
    if len(found) == 1:
        return found[0]
    if found:
        sans = map(board.san, found)
        if len({(move.from_square, move.to_square) for move in found}) == 1:
            raise MoveError(f"{word} promotes the pawn: write {_or(sans)}")
        raise MoveError(f"{word} can be several moves: write {_or(sorted(sans))}")
    raise MoveError(_why_not(board, word) or _unreadable(board, text, words))


def _found(board: chess.Board, word: str) -> list[chess.Move]:
    """The legal moves that the word may be: those that it is to the letter, or the others."""
    legal = list(board.legal_moves)
    if castling := CASTLING.fullmatch(word):
        is_meant = board.is_queenside_castling if castling[1] else board.is_kingside_castling
        return [move for move in legal if is_meant(move)]
    if exact := _by_san(board, legal, word):
        return exact
    if uci := UCI.fullmatch(word):
        start, end = (chess.parse_square(uci[n].lower()) for n in (1, 2))
        kind = uci[3] and uci[3].lower()
        moves = [move for move in legal if (move.from_square, move.to_square) == (start, end)]
        return [m for m in moves if kind is None or kind == chess.piece_symbol(m.promotion or 1)]
    loose = _loose(word)
    found = [move for move in legal if _loose(board.san(move)) == loose]
    return found or _by_san(board, legal, word[:1].upper() + word[1:])


def _by_san(board: chess.Board, legal: Iterable[chess.Move], word: str) -> list[chess.Move]:
    """The legal moves that the parts of a SAN describe, with the promotion left open or not."""
    match = SAN.fullmatch(word)
    if match is None:
        return []
    piece = chess.PIECE_SYMBOLS.index((match[1] or "p").lower())
    return [
        move
        for move in legal
        if board.piece_type_at(move.from_square) == piece
        and chess.square_name(move.to_square) == match[4]
        and _may_start(match, move.from_square)
        and (not match[5] or chess.piece_symbol(move.promotion or 1) == match[5].lower())
    ]


def _may_start(match: re.Match[str], square: chess.Square) -> bool:
    """Whether a SAN allows its piece to come from there; a pawn stays on its file unless told."""
    start = chess.square_name(square)
    file = match[2] or (start[0] if match[1] else match[4][0])
    return start[0] == file and match[3] in (None, start[1])


def _loose(word: str) -> str:
    return re.sub(r"[x+#=-]", "", word).lower()


def _why_not(board: chess.Board, word: str) -> str | None:
    """Say why a move is illegal; None if it does not look like one."""
    if castling := CASTLING.fullmatch(word):
        return f"{word} is illegal: {_why_no_castling(board, castling[1] is not None)}"
    if uci := UCI.fullmatch(word):
        start, end = (chess.parse_square(uci[n].lower()) for n in (1, 2))
        return f"{word} is illegal: {_why_illegal(board, start, end)}"
    match = SAN.fullmatch(word) or SAN.fullmatch(word[:1].upper() + word[1:])
    if match is None:
        return None
    piece = chess.PIECE_SYMBOLS.index((match[1] or "p").lower())
    end, name = chess.parse_square(match[4]), chess.piece_name(piece)
    squares = [square for square in board.pieces(piece, board.turn) if _may_start(match, square)]
    if not squares:
        file = match[2] or ("" if match[1] else match[4][0])
        where = f" on the {file} file" if file else ""
        where = f" on {file}{match[3]}" if match[2] and match[3] else where
        return f"{word} is illegal: you have no {name}{where}"
    going = [square for square in squares if _is_pseudo_legal(board, square, end)]
    near = going or [s for s in squares if end in _attacks_of(board.piece_at(s), s)] or squares
    if going or len(near) == 1 or board.color_at(end) == board.turn:
        return f"{word} is illegal: {_why_illegal(board, near[0], end)}"
    return f"{word} is illegal: none of your {name}s can go to {match[4]}"


def _is_pseudo_legal(board: chess.Board, start: chess.Square, end: chess.Square) -> bool:
    return any(board.is_pseudo_legal(chess.Move(start, end, promotion)) for promotion in (None, 5))


def _why_illegal(board: chess.Board, start: chess.Square, end: chess.Square) -> str:
    name, goal = chess.square_name(start), chess.square_name(end)
    piece, other = board.piece_at(start), board.piece_at(end)
    if piece is None:
        return f"there is no piece on {name}"
    kind = chess.piece_name(piece.piece_type)
    if piece.color != board.turn:
        return f"the {kind} on {name} is your opponent's"
    if other is not None and other.color == board.turn:
        return f"your own {chess.piece_name(other.piece_type)} is on {goal}"
    if piece.piece_type == chess.KING and start ^ end < 8 and abs(start - end) == 2:
        return _why_no_castling(board, end < start)
    if _is_pseudo_legal(board, start, end):
        return _why_check(board, kind, start, goal)
    if piece.piece_type == chess.PAWN:
        return _why_no_pawn(board, start, end)
    between = chess.SquareSet(chess.between(start, end))
    blocked = [square for square in between if board.piece_at(square)]
    if end in _attacks_of(piece, start) and blocked:
        first = min(blocked, key=lambda square: chess.square_distance(start, square))
        return f"the way from {name} to {goal} is blocked on {chess.square_name(first)}"
    return f"a {kind} does not move from {name} to {goal}"


def _attacks_of(piece: chess.Piece | None, square: chess.Square) -> chess.SquareSet:
    """The squares that a piece attacks on a board without others."""
    empty = chess.Board(None)
    empty.set_piece_at(square, piece)
    return empty.attacks(square)


def _why_check(board: chess.Board, kind: str, start: chess.Square, goal: str) -> str:
    """Say why a move that would leave the king in check is illegal."""
    if kind == "king":
        return f"{goal} is attacked, and the king must not go there"
    if board.is_check():
        names = (
            f"the {chess.piece_name(board.piece_type_at(one) or 1)} on {chess.square_name(one)}"
            for one in board.checkers()
        )
        return f"you are in check from {' and '.join(names)}"
    return f"the {kind} on {chess.square_name(start)} is pinned: your king would be in check"


def _why_no_pawn(board: chess.Board, start: chess.Square, end: chess.Square) -> str:
    name, goal = chess.square_name(start), chess.square_name(end)
    forward = 1 if board.turn == chess.WHITE else -1
    ranks = (chess.square_rank(end) - chess.square_rank(start)) * forward
    files = abs(chess.square_file(end) - chess.square_file(start))
    if files == 1 and ranks == 1:
        return f"there is nothing to capture on {goal}"
    first = chess.square_rank(start) == (1 if board.turn == chess.WHITE else 6)
    if files == 0 and (ranks == 1 or (ranks == 2 and first)):
        blocked = end if board.piece_at(end) else start + 8 * forward
        return f"the pawn on {name} is blocked on {chess.square_name(blocked)}"
    if files == 0 and ranks == 2:
        return f"the pawn on {name} has moved before, so it goes one square only"
    return f"a pawn does not move from {name} to {goal}"


def _why_no_castling(board: chess.Board, long: bool) -> str:
    side = "queenside" if long else "kingside"
    rights = board.has_queenside_castling_rights if long else board.has_kingside_castling_rights
    king = board.king(board.turn)
    if king is None or not rights(board.turn):
        return f"you may not castle {side} any more: the king or the rook has moved"
    if board.is_check():
        return "you cannot castle while you are in check"
    rooks = board.clean_castling_rights() & chess.BB_RANKS[chess.square_rank(king)]
    rook = chess.lsb(rooks) if long else chess.msb(rooks)
    for square in chess.SquareSet(chess.between(king, rook)):
        if piece := board.piece_type_at(square):
            name = chess.piece_name(piece)
            return f"the {name} on {chess.square_name(square)} stands between king and rook"
    goal = chess.square(2 if long else 6, chess.square_rank(king))
    passed = [*chess.SquareSet(chess.between(king, goal)), goal]
    attacked = [square for square in passed if board.is_attacked_by(not board.turn, square)]
    if attacked:
        return f"the king would cross or reach {chess.square_name(attacked[0])}, which is attacked"
    return "you cannot castle here"


def _unreadable(board: chess.Board, text: str, words: Collection[str]) -> str:
    """Say that a text is no move, and what may have been meant."""
    text, sans = text.strip(), [board.san(move) for move in board.legal_moves]
    near = nearest(text, [*words, *sans]) if text else None
    if near is not None:
        return f"cannot read {shown(text)}: did you mean {near}?"
    if not sans:
        return f"cannot read {shown(text)}: the game is over"
    legal = sorted(board.legal_moves, key=chess.Move.uci)
    knights = [move for move in legal if board.piece_type_at(move.from_square) == chess.KNIGHT]
    san, uci = min(sans, key=lambda san: (len(san), san)), (knights or legal)[0].uci()
    return f"cannot read {shown(text)}: write a move like {san} or {uci}"


def _or(texts: Iterable[str]) -> str:
    """Join texts by commas and "or"."""
    *first, last = texts
    return f"{', '.join(first)} or {last}" if first else last
