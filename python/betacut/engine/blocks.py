"""What the searches of the textbooks are built of: moves, evaluation, exchanges, ends of games.

Everything here is a name of `betacut.engine`, which says what holds for all of it.
"""

import chess

from betacut import _betacut
from betacut.core.arguments import BoardLike, as_board, check_depth, not_over
from betacut.engine.conditions import compiled
from betacut.evaluation import Evaluation

__all__ = [
    "evaluate_move",
    "evaluate_position",
    "is_endgame",
    "is_terminal",
    "legal_moves",
    "perft",
    "see",
    "terminal_evaluation",
]


def see(board: BoardLike, move: chess.Move) -> int:
    """Static exchange evaluation: what a move wins if both sides go on capturing on its target.

    Args:
        board: The position.
        move: A legal move.

    Returns:
        The gain in pawns (1 3 3 5 10 100 from pawn to king), the mover's point of view. Pins are
        ignored, en passant counts 0, a promoting pawn stays a pawn.

    Raises:
        TypeError, ValueError: For bad arguments, as [all searches][betacut.engine] do.

    Cost:
        A few microseconds.

    Source:
        The original Julia program, after Chess.jl; chessprogramming.org "Static Exchange
        Evaluation".

    Examples:
        >>> import chess
        >>> see("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", chess.Move.from_uci("d1d5"))
        -4
    """
    return _betacut.see(board, move)


def evaluate_position(board: BoardLike, evaluation: Evaluation | str | None = None) -> int:
    """The static evaluation: Michniewski's Simplified Evaluation Function, or another.

    Args:
        board: The position.
        evaluation: Data; see [the package][betacut.engine].

    Returns:
        Centipawns, White's view; ±100000 for a checkmate, 0 for a game drawn by stalemate, fifty
        moves or insufficient material.

    Raises:
        TypeError, ValueError: For bad arguments, as [all searches][betacut.engine] do.

    Cost:
        About a microsecond.

    Source:
        chessprogramming.org "Simplified Evaluation Function"; the original Julia program's
        `evaluate_position`.

    Examples:
        >>> evaluate_position("startpos")
        0
        >>> evaluate_position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "material")
        100
    """
    return _betacut.evaluate_position(board, compiled(evaluation))


def evaluate_move(
    board: BoardLike, move: chess.Move, evaluation: Evaluation | str | None = None
) -> int:
    """The evaluation after a move, computed from the evaluation before it.

    Args:
        board: The position before the move.
        move: A legal move.
        evaluation: Data; see [the package][betacut.engine].

    Returns:
        Exactly `evaluate_position` of the position after the move: centipawns, White's view.

    Raises:
        TypeError, ValueError: For bad arguments, as [all searches][betacut.engine] do.

    Cost:
        About a microsecond.

    Source:
        The original Julia program's `evaluate_move`.

    Examples:
        >>> import chess
        >>> evaluate_move(chess.STARTING_FEN, chess.Move.from_uci("e2e4"))
        40
    """
    return _betacut.evaluate_move(board, move, compiled(evaluation))


def is_endgame(board: BoardLike) -> bool:
    """Whether the kings use their endgame table.

    Returns:
        True if each side has no queen, or has no rook and at most one knight or bishop.

    Raises:
        TypeError, ValueError: For bad arguments, as [all searches][betacut.engine] do.

    Cost:
        Less than a microsecond.

    Source:
        chessprogramming.org "Simplified Evaluation Function"; the original Julia program.

    Examples:
        >>> is_endgame("startpos"), is_endgame("P6")
        (False, True)
    """
    return _betacut.is_endgame(board)


def is_terminal(board: BoardLike) -> bool:
    """Whether the game is over: by mate, stalemate, the fifty-move rule or lack of material.

    Repetition does not end it here: see `terminal_evaluation`.

    Raises:
        TypeError: If `board` is none.
        ValueError: If it cannot be searched.

    Cost:
        Less than a microsecond.

    Source:
        Chess.jl's `isterminal`, which the original Julia program calls.

    Examples:
        >>> is_terminal("startpos"), is_terminal("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
        (False, True)
    """
    return _betacut.terminal(board)[0]


def terminal_evaluation(board: BoardLike) -> int:
    """What the end of the game is worth, without a depth term.

    Args:
        board: The position; its move stack counts.

    Returns:
        Centipawns, White's view: ±100000 for a mate; 0 for a draw, and where the position has
        occurred three times. (The original gives 0 also if another position has.)

    Raises:
        TypeError: If `board` is none.
        ValueError: If it cannot be searched, or the game is not over and the position has not
            occurred three times; the original returns `nothing`.

    Cost:
        About a microsecond.

    Source:
        The original Julia program's `terminal_evaluation`.

    Examples:
        >>> terminal_evaluation("R5k1/5ppp/8/8/8/8/8/K7 b - - 1 1")
        100000
    """
    _, value = _betacut.terminal(board)
    if value is None:
        raise not_over(as_board(board))
    return value


def legal_moves(board: BoardLike) -> list[chess.Move]:
    """The legal moves in canonical order: that of Chess.jl, in which every search looks at them.

    Returns:
        The same moves as `board.legal_moves`, in canonical order.

    Raises:
        TypeError, ValueError: For bad arguments, as [all searches][betacut.engine] do.

    Cost:
        Some microseconds, most of them for building `chess.Move` objects.

    Source:
        Chess.jl 0.7.6.

    Examples:
        >>> [move.uci() for move in legal_moves("startpos")][:3]
        ['a2a3', 'b2b3', 'c2c3']
    """
    return _betacut.legal_moves(board)


def perft(board: BoardLike, depth: int) -> int:
    """The number of sequences of `depth` legal moves, through betacut's own move list.

    Args:
        board: The position.
        depth: Plies, 0 or more. The end of the game by rule (fifty moves, material) is ignored.

    Raises:
        TypeError, ValueError: For bad arguments, as [all searches][betacut.engine] do.

    Cost:
        About ten nanoseconds a sequence.

    Source:
        chessprogramming.org "Perft".

    Examples:
        >>> perft("startpos", 4)
        197281
    """
    return _betacut.perft(board, check_depth(depth, 0))
