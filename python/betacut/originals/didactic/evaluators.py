"""The evaluators, and the exchanges on one square.

All have the original's two methods: `evaluate` knows finished games, `heuristic` values the rest.
Their values and tables are those of the core, and cannot be set.
"""

import chess
from chess.engine import Cp, Mate, PovScore

from betacut import _betacut
from betacut.core.arguments import (
    BoardLike,
    as_standard_board,
    check_flag,
    check_move,
    check_plies_to_mate,
    check_score,
    check_tablebase,
)
from betacut.originals.didactic.results import score_of
from betacut.originals.shared import TABLEBASE_MEN, Tablebase

__all__ = [
    "IncrementalEndgamePieceSquareEvaluator",
    "IncrementalPieceSquareEvaluator",
    "PieceEvaluator",
    "PieceSquareEvaluator",
    "Tablebase",
    "can_delta_prune",
    "check_endgame",
    "incremental_simplified_evaluator",
    "is_bad_capture",
    "quiescence_moves",
    "see_capture",
    "simplified_evaluator",
    "standard_evaluator",
]


class PieceEvaluator:
    """The standard evaluator: pawn 1, knight and bishop 3, rook 5, queen 9.

    Its `Cp` are pawns, though their name says centipawns.

    Source:
        The original's section on evaluation.

    Examples:
        >>> board = chess.Board("8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - -")
        >>> standard_evaluator.heuristic(board)
        PovScore(Cp(+2), BLACK)
    """

    __slots__ = ()
    _simplified = False

    def evaluate(self, board: BoardLike) -> PovScore | None:
        """Tell what a finished game is worth.

        Returns:
            `Mate(-0)` for the side to move if it is checkmated; `Cp(0)` for stalemate,
            insufficient material, 75 moves and fivefold repetition; None if the game goes on.
        """
        board = as_standard_board(board)
        value = _betacut.didactic_evaluate(board)
        return None if value is None else PovScore(score_of(value), board.turn)

    def heuristic(self, board: BoardLike) -> PovScore:
        """Value a position by its pieces, in the view of the side to move."""
        board = as_standard_board(board)
        value = _betacut.didactic_heuristic(board, simplified=self._simplified)
        return PovScore(Cp(value), board.turn)


class PieceSquareEvaluator(PieceEvaluator):
    """The Simplified Evaluation: values and square tables, in centipawns.

    Whether the kings use their endgame table is asked anew at every position (`check_endgame`).

    Source:
        The original's section on the simplified evaluation.

    Examples:
        >>> simplified_evaluator.heuristic("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1")
        PovScore(Cp(+120), WHITE)
    """

    __slots__ = ()
    _simplified = True


class IncrementalPieceSquareEvaluator(PieceSquareEvaluator):
    """The Simplified Evaluation, updated incrementally.

    Two things differ from `PieceSquareEvaluator`. Whether the kings are in the endgame is settled
    by `init` and never asked again. And castling moves the king alone: the rook's squares do not
    enter, so that after queen side castling the score is 5 less.

    Source:
        The original's section on the simplified evaluation.

    Examples:
        >>> board = chess.Board("r3k3/p7/8/8/8/8/P7/R3K3 w Q - 0 1")
        >>> evaluator = IncrementalPieceSquareEvaluator()
        >>> evaluator.init(board)
        >>> castle = chess.Move.from_uci("e1c1")
        >>> evaluator.push(board, castle)
        >>> board.push(castle)
        >>> evaluator.get_score().white(), evaluator.heuristic(board).white()
        (Cp(0), Cp(+5))
    """

    __slots__ = ("_endgame", "_scores")

    def __init__(self) -> None:
        self._scores: list[PovScore] = []
        self._endgame = False

    def init(self, board: BoardLike) -> None:
        """Start at a position."""
        self._endgame = check_endgame(board)
        self._scores = [self.heuristic(board)]

    def push(self, board: BoardLike, move: chess.Move) -> None:
        """Follow a move.

        Args:
            board: The position *before* the move.
            move: A legal move.

        Raises:
            ValueError: Also if `init` was not called.
        """
        last = self.get_score()
        gain = _betacut.didactic_increment(board, move, endgame=self._endgame)
        relative = last.relative.score()
        self._scores.append(PovScore(Cp(-((relative or 0) + gain)), not last.turn))

    def pop(self) -> None:
        """Take the last move back; a `ValueError` says that there is none."""
        if len(self._scores) < 2:
            raise ValueError("there is no move to take back")
        self._scores.pop()

    def get_score(self) -> PovScore:
        """Tell the score of the side to move; a `ValueError` says that `init` was not called."""
        if not self._scores:
            raise ValueError("call init(board) first")
        return self._scores[-1]


class IncrementalEndgamePieceSquareEvaluator(IncrementalPieceSquareEvaluator):
    """The incremental evaluator with an endgame tablebase, for `PrototypeV2Engine`.

    The original opens the directory of tables at every call; here the open tablebase is given.

    Args:
        tablebase: An object with `probe_dtm`, such as `chess.gaviota.open_tablebase(directory)`.

    Source:
        The original's section on the second prototype.
    """

    __slots__ = ("tablebase",)

    def __init__(self, tablebase: Tablebase) -> None:
        super().__init__()
        self.tablebase = check_tablebase(tablebase)

    def evaluate(self, board: BoardLike) -> PovScore | None:
        """Tell what a finished game or a position in the tablebase is worth, mates in plies.

        None if the game goes on and the tablebase does not know how. What it answers must be plies
        to mate, else a `ValueError` is raised.
        """
        board = as_standard_board(board)
        score = super().evaluate(board)
        if score is not None or self.tablebase is None:
            return score
        if chess.popcount(board.occupied) > TABLEBASE_MEN:
            return None
        try:
            answer = self.tablebase.probe_dtm(board)
        except Exception:
            # As in the original, whatever it is, it means "not known".
            return None
        plies = check_plies_to_mate(answer, board)
        return PovScore(Mate(plies) if plies else Cp(0), board.turn)


standard_evaluator = PieceEvaluator()
"""The original's instance of `PieceEvaluator`."""

simplified_evaluator = PieceSquareEvaluator()
"""The original's instance of `PieceSquareEvaluator`."""

incremental_simplified_evaluator = IncrementalPieceSquareEvaluator()
"""The original's instance of `IncrementalPieceSquareEvaluator`."""


def check_endgame(board: BoardLike) -> bool:
    """Tell whether the kings use their endgame table.

    They do if each side has no queen, or one queen, no rook and at most one minor piece. (The
    textbook floor also lets a side with two queens pass.)

    Source:
        The original's `check_endgame`.
    """
    return _betacut.didactic_is_endgame(board)


def see_capture(board: BoardLike, move: chess.Move, *, optimized: bool = False) -> int:
    """Tell what a capture wins if both sides go on capturing on its square.

    The cheapest piece captures first, either side stops when it pays. Played out on the board,
    pieces pinned to their king do not join in, and a promotion by the first capture counts.
    *optimized*, without moves, pins do not count, a promoting pawn stays a pawn, and a pawn taken
    en passant stays and may hide a slider.

    Args:
        board: The position.
        move: A legal capture.
        optimized: Which of the original's two ways.

    Returns:
        Centipawns, the view of the side that captures.

    Raises:
        ValueError: Also if the move is no capture.

    Cost:
        About a microsecond, plus what reading the board takes.

    Source:
        The original's `see_capture` of its sections on quiescence and on enhanced algorithms.

    Examples:
        >>> pinned_bishop = "6k1/6b1/8/4p3/3P4/8/8/1K4R1 w - - 0 1"
        >>> capture = chess.Move.from_uci("d4e5")
        >>> see_capture(pinned_bishop, capture), see_capture(pinned_bishop, capture, optimized=True)
        (100, 0)
    """
    optimized = check_flag(optimized, "optimized")
    value, _steps = _betacut.didactic_see_capture(board, move, optimized=optimized)
    return value


def can_delta_prune(stand_pat: int, alpha: int, captured_value: int) -> bool:
    """Tell whether delta pruning leaves a capture out, as `_can_delta_prune` does.

    Args:
        stand_pat: The score of the side to move if it captures nothing. Centipawns.
        alpha: What it is sure of. Centipawns.
        captured_value: What the captured piece is worth. Centipawns.

    Returns:
        Whether the score with that piece and 200 more is less than alpha.

    Raises:
        TypeError: If an argument is no int.
        ValueError: If it is out of range.

    Cost:
        Less than a microsecond.

    Examples:
        >>> can_delta_prune(0, 420, 220), can_delta_prune(0, 421, 220)
        (False, True)
    """
    score = check_score(stand_pat, "stand_pat", MAX_SCORE)
    gain = check_score(captured_value, "captured_value", MAX_SCORE)
    return score + gain + DELTA < check_score(alpha, "alpha", MAX_SCORE)


def quiescence_moves(
    board: BoardLike,
    stand_pat: int,
    alpha: int,
    *,
    use_static_exchange_evaluation: bool = False,
    optimized: bool = False,
) -> list[chess.Move]:
    """List the captures that quiescence searches, the best first: `_get_quiescence_detailed_moves`.

    Unless it promotes, a capture is left out that delta pruning leaves out (`can_delta_prune`), or
    that takes less than it risks and loses its exchange (`see_capture`), or without exchanges is on
    a square that the other side attacks (`is_bad_capture`). The others come by what they take, the
    most first, then by what takes it, the least first, then in python-chess's order.

    Args:
        board: The position.
        stand_pat: Its score, in the view of the side to move. Centipawns.
        alpha: What that side is sure of, `stand_pat` at least. Centipawns.
        use_static_exchange_evaluation: Whether exchanges are computed.
        optimized: Whether without making moves, as from `OptimizedQuiescenceMoveOrderingEngine` on.

    Returns:
        The moves.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If the board cannot be searched, or a score is out of range.

    Cost:
        Some microseconds a capture.

    Examples:
        >>> forks = "4k3/8/8/3q1r2/4P3/2N5/8/4K3 w - - 0 1"
        >>> [move.uci() for move in quiescence_moves(forks, -730, -730)]
        ['e4d5', 'c3d5', 'e4f5']
    """
    position = as_standard_board(board)
    can_delta_prune(stand_pat, alpha, 0)
    exchanges = check_flag(use_static_exchange_evaluation, "use_static_exchange_evaluation")
    by_copy = check_flag(optimized, "optimized")

    def is_bad(move: chess.Move) -> bool:
        if exchanges:
            return see_capture(position, move, optimized=by_copy) < 0
        return is_bad_capture(position, move)

    captures = []
    for move in position.generate_legal_captures():
        # Without a piece on its square a capture is en passant.
        taken = _VALUES[position.piece_type_at(move.to_square) or chess.PAWN]
        risked = _VALUES[position.piece_type_at(move.from_square) or chess.PAWN]
        is_pruned = can_delta_prune(stand_pat, alpha, taken) or (taken < risked and is_bad(move))
        if move.promotion is not None or not is_pruned:
            captures.append((-taken, risked, move))
    captures.sort(key=lambda capture: capture[:2])
    return [move for *_, move in captures]


def is_bad_capture(board: BoardLike, move: chess.Move) -> bool:
    """Tell whether a capture is bad by the rule without exchanges.

    It is if it takes less than it risks and the other side attacks the square now. Arguments and
    errors are those of `see_capture`.

    Source:
        The original's `_bad_capture` without static exchange evaluation.
    """
    board = as_standard_board(board)
    move = check_move(board, move)
    if not board.is_capture(move):
        raise ValueError(f"move must be a capture, not {move.uci()} in {board.fen()}")
    victim = _VALUES[board.piece_type_at(move.to_square) or chess.PAWN]
    attacker = _VALUES[board.piece_type_at(move.from_square) or chess.PAWN]
    return victim < attacker and board.is_attacked_by(not board.turn, move.to_square)


MAX_SCORE = 100_000_000
"""More than any score. Centipawns."""

DELTA = 200
"""What a position may gain besides the captured piece. Centipawns."""

_VALUES = dict(zip(chess.PIECE_TYPES, _betacut.tables()[0], strict=True))
"""The values of the Simplified Evaluation by piece type."""
