"""The engines as classes, with the original's names, arguments and two methods.

Each keeps its arguments only, as attributes that may be set; its memory starts empty with every
search, as the original's does.
"""

from abc import ABC, abstractmethod
from typing import Any, Protocol

import chess
from chess.engine import Cp, PlayResult

from betacut.core.arguments import (
    BoardLike,
    Chooser,
    as_standard_board,
    check_depth,
    check_flag,
    check_move,
    check_rng,
    described,
)
from betacut.originals.didactic import searches
from betacut.originals.didactic.evaluators import (
    IncrementalEndgamePieceSquareEvaluator,
    IncrementalPieceSquareEvaluator,
    PieceEvaluator,
    incremental_simplified_evaluator,
    standard_evaluator,
)
from betacut.originals.didactic.results import Result, ScoredMove
from betacut.originals.didactic.searches import Shuffler, check_shuffler
from betacut.originals.random_mover import RandomMover
from betacut.originals.shared import check_method, checked_move, name_of

__all__ = [
    "AlphaBetaEngine",
    "Engine",
    "EvaluationEngine",
    "IncrementalIterativeAlphaBetaCached",
    "IterativeAlphaBeta",
    "IterativeAlphaBetaCached",
    "MiniMaxEngine",
    "MoveOrderingEngine",
    "OptimizedQuiescenceMoveOrderingEngine",
    "PrincipalVariationSearch",
    "PrototypeV1Engine",
    "PrototypeV2Engine",
    "QuiescenceEngine",
    "QuiescenceMoveOrderingEngine",
    "RandomEngine",
    "play_game",
]


class Engine(ABC):
    """What every engine can do."""

    @abstractmethod
    def play(self, board: BoardLike) -> PlayResult:
        """Choose a move, None if there is none; nothing to ponder."""

    @abstractmethod
    def analyse(self, board: BoardLike) -> list[ScoredMove]:
        """Score every legal move, White's view, the best for the side to move first."""


class RandomEngine(Engine):
    """Plays any legal move.

    Args:
        seed: Makes the moves the same every time; None for others each time.

    Examples:
        >>> RandomEngine(seed=42).play(chess.Board()).move.uci()
        'b1a3'
    """

    def __init__(self, seed: int | None = None) -> None:
        self._mover = RandomMover(seed)

    def play(self, board: BoardLike) -> PlayResult:
        """Draw a move."""
        return PlayResult(self._mover.choose_move(board), None)

    def analyse(self, board: BoardLike) -> list[ScoredMove]:
        """Score every legal move 0, in python-chess's order."""
        return [ScoredMove(Cp(0), move) for move in as_standard_board(board).legal_moves]


class _Searching(Engine):
    """An engine that plays the first move of what its search finds.

    Its attributes are the arguments that it was made with; each search goes by what they are then.
    """

    _algorithm: str
    _depth = "max_look_ahead_depth"
    _options: tuple[str, ...] = ("evaluator",)
    _evaluators: tuple[type, ...] = (IncrementalPieceSquareEvaluator,)

    def __init__(self, evaluator: PieceEvaluator, depth: int, rng: Any) -> None:  # noqa: ANN401
        self.evaluator = evaluator
        self.rng = rng
        setattr(self, self._depth, depth)
        self._settings()

    def _settings(self) -> dict[str, Any]:
        """The arguments of the search, but for the board."""
        settings = {name: getattr(self, name) for name in self._options}
        if "evaluator" in settings:
            searches.is_simplified(self.evaluator)
        else:
            _check_incremental(self.evaluator, self._evaluators)
        settings["depth"] = check_depth(getattr(self, self._depth), name=self._depth)
        return settings if self.rng is None else {**settings, "rng": self.rng}

    def search(self, board: BoardLike) -> Result:
        """Search, and tell all about it."""
        return searches.ALGORITHMS[self._algorithm](board, **self._settings())

    def play(self, board: BoardLike) -> PlayResult:
        """Choose the first of the best moves, or the one that is drawn."""
        return PlayResult(self.search(board).move, None)

    def analyse(self, board: BoardLike) -> list[ScoredMove]:
        """Score every legal move."""
        return list(self.search(board).scores)


class EvaluationEngine(_Searching):
    """The engine of `one_ply`.

    Args:
        evaluator: `standard_evaluator` or `simplified_evaluator`.
        rng: Shuffles moves of equal score.
    """

    def __init__(
        self, evaluator: PieceEvaluator = standard_evaluator, *, rng: Shuffler | None = None
    ) -> None:
        searches.is_simplified(evaluator)
        self.evaluator = evaluator
        self.rng = check_shuffler(rng)

    def search(self, board: BoardLike) -> Result:
        """Search, and tell all about it."""
        return searches.one_ply(board, evaluator=self.evaluator, rng=self.rng)


class MiniMaxEngine(_Searching):
    """The engine of `minimax`.

    Args:
        evaluator: `standard_evaluator` or `simplified_evaluator`.
        look_ahead_depth: Plies, the root move included.
        rng: Shuffles moves of equal score.
    """

    _algorithm = "minimax"
    _depth = "look_ahead_depth"
    look_ahead_depth: int

    def __init__(
        self, evaluator: PieceEvaluator, look_ahead_depth: int, *, rng: Shuffler | None = None
    ) -> None:
        super().__init__(evaluator, look_ahead_depth, check_shuffler(rng))


class AlphaBetaEngine(_Searching):
    """The engine of `alpha_beta`, in either form; other arguments as for `MiniMaxEngine`."""

    _algorithm = "alpha_beta"
    _depth = "look_ahead_depth"
    _options = ("evaluator", "negamax")
    look_ahead_depth: int

    def __init__(
        self,
        evaluator: PieceEvaluator,
        look_ahead_depth: int,
        *,
        negamax: bool = True,
        rng: Shuffler | None = None,
    ) -> None:
        self.negamax = check_flag(negamax, "negamax")
        super().__init__(evaluator, look_ahead_depth, check_shuffler(rng))


class IterativeAlphaBeta(_Searching):
    """The engine of `iterative_alpha_beta`; arguments as for `MiniMaxEngine`."""

    _algorithm = "iterative_alpha_beta"
    max_look_ahead_depth: int

    def __init__(
        self, evaluator: PieceEvaluator, max_look_ahead_depth: int, *, rng: Shuffler | None = None
    ) -> None:
        super().__init__(evaluator, max_look_ahead_depth, check_shuffler(rng))


class IterativeAlphaBetaCached(IterativeAlphaBeta):
    """The engine of `iterative_alpha_beta_cached`; arguments as for `MiniMaxEngine`."""

    _algorithm = "iterative_alpha_beta_cached"


class IncrementalIterativeAlphaBetaCached(_Searching):
    """The engine of `incremental_iterative_alpha_beta_cached`; arguments as for `MiniMaxEngine`.

    The evaluator is `incremental_simplified_evaluator`.
    """

    _algorithm = "incremental_iterative_alpha_beta_cached"
    _options = ()
    max_look_ahead_depth: int

    def __init__(
        self,
        evaluator: IncrementalPieceSquareEvaluator,
        max_look_ahead_depth: int,
        *,
        rng: Shuffler | None = None,
    ) -> None:
        super().__init__(evaluator, max_look_ahead_depth, check_shuffler(rng))


class QuiescenceEngine(IncrementalIterativeAlphaBetaCached):
    """The engine of `quiescence`; arguments as for `IncrementalIterativeAlphaBetaCached`."""

    _algorithm = "quiescence"


class PrototypeV1Engine(_Searching):
    """The engine of `prototype_v1`.

    Args:
        evaluator: `incremental_simplified_evaluator`.
        max_look_ahead_depth: Plies, the root move included.
        rng: Draws among the best moves.
    """

    _algorithm = "prototype_v1"
    _options: tuple[str, ...] = ()
    max_look_ahead_depth: int

    def __init__(
        self,
        evaluator: IncrementalPieceSquareEvaluator = incremental_simplified_evaluator,
        max_look_ahead_depth: int = 4,
        *,
        rng: Chooser | None = None,
    ) -> None:
        super().__init__(evaluator, max_look_ahead_depth, check_rng(rng))

    def search(self, board: BoardLike, *, analyse: bool = False) -> Result:
        """Search, and tell all about it."""
        return searches.ALGORITHMS[self._algorithm](board, analyse=analyse, **self._settings())

    def analyse(self, board: BoardLike) -> list[ScoredMove]:
        """Score every legal move."""
        return list(self.search(board, analyse=True).scores)


class MoveOrderingEngine(PrototypeV1Engine):
    """The engine of `move_ordering`; arguments as for `PrototypeV1Engine`."""

    _algorithm = "move_ordering"


class QuiescenceMoveOrderingEngine(PrototypeV1Engine):
    """The engine of `quiescence_move_ordering`; other arguments as for `PrototypeV1Engine`."""

    _algorithm = "quiescence_move_ordering"
    _options = ("use_static_exchange_evaluation",)

    def __init__(
        self,
        evaluator: IncrementalPieceSquareEvaluator = incremental_simplified_evaluator,
        max_look_ahead_depth: int = 4,
        use_static_exchange_evaluation: bool = False,
        *,
        rng: Chooser | None = None,
    ) -> None:
        self.use_static_exchange_evaluation = check_flag(
            use_static_exchange_evaluation, "use_static_exchange_evaluation"
        )
        super().__init__(evaluator, max_look_ahead_depth, rng=rng)


class OptimizedQuiescenceMoveOrderingEngine(QuiescenceMoveOrderingEngine):
    """The engine of `optimized_quiescence_move_ordering`; by default without exchanges."""

    _algorithm = "optimized_quiescence_move_ordering"


class PrincipalVariationSearch(QuiescenceMoveOrderingEngine):
    """The engine of `principal_variation_search`."""

    _algorithm = "principal_variation_search"


class Book(Protocol):
    """What is asked of an opening book: `chess.polyglot.open_reader(path)` has it."""

    def find_all(self, board: chess.Board, minimum_weight: int = 1) -> Any:  # noqa: ANN401
        """Go through the entries of a position."""


class PrototypeV2Engine(PrototypeV1Engine):
    """The engine of `prototype_v2`, with an opening book.

    Args:
        evaluator: `incremental_simplified_evaluator`, or an
            `IncrementalEndgamePieceSquareEvaluator` with a tablebase.
        max_look_ahead_depth: Plies, the root move included.
        opening_book: An object with `find_all`, such as `chess.polyglot.open_reader(path)`; None
            for no book.
        use_static_exchange_evaluation: How bad captures are known.
    """

    _algorithm = "prototype_v2"
    _options = ("use_static_exchange_evaluation",)
    _evaluators = (IncrementalPieceSquareEvaluator, IncrementalEndgamePieceSquareEvaluator)

    def __init__(
        self,
        evaluator: IncrementalPieceSquareEvaluator = incremental_simplified_evaluator,
        max_look_ahead_depth: int = 4,
        opening_book: Book | None = None,
        use_static_exchange_evaluation: bool = False,
    ) -> None:
        self.use_static_exchange_evaluation = check_flag(
            use_static_exchange_evaluation, "use_static_exchange_evaluation"
        )
        super().__init__(evaluator, max_look_ahead_depth)
        if opening_book is not None and not callable(getattr(opening_book, "find_all", None)):
            raise TypeError(
                "opening_book must have a method find_all(), such as "
                f"chess.polyglot.open_reader(...), not {described(opening_book)}"
            )
        self.opening_book = opening_book

    def _settings(self) -> dict[str, Any]:
        tablebase = getattr(self.evaluator, "tablebase", None)
        return {**super()._settings(), "tablebase": tablebase}

    def play(self, board: BoardLike) -> PlayResult:
        """Choose the book's move, if it has one, or else the first of the best moves."""
        board = as_standard_board(board)
        move = None if self.opening_book is None else book_move(board, self.opening_book)
        return PlayResult(move, None) if move is not None else super().play(board)


def book_move(board: BoardLike, opening_book: Book) -> chess.Move | None:
    """Choose a move of an opening book."""
    board = as_standard_board(board)
    best = None
    for entry in opening_book.find_all(board):
        weight = getattr(entry, "weight", None)
        if not isinstance(weight, int) or not hasattr(entry, "move"):
            raise TypeError(
                "opening_book.find_all() must yield entries with a move and a weight, "
                f"not {described(entry)}"
            )
        if weight >= BOOK_WEIGHT and (best is None or weight > best.weight):
            best = entry
    return None if best is None else check_move(board, best.move, "the move of opening_book")


BOOK_WEIGHT = 50
"""Book moves of less weight are not played."""


def play_game(board: BoardLike, engine1: Engine, engine2: Engine) -> chess.Board:
    """Let two engines play until the game is over without claims.

    Args:
        board: Where to start; it is not changed.
        engine1: The engine of the side to move.
        engine2: The other one.

    Returns:
        The last position, with all moves on its stack.

    Raises:
        TypeError: If an engine is none.
        ValueError: If an engine finds no move in a game that is not over, where the original fails
            an assertion, or an illegal one.

    Source:
        The original's `play_game`.

    Examples:
        >>> play_game(chess.Board(), RandomEngine(seed=1), RandomEngine(seed=2)).is_game_over()
        True
    """
    board = as_standard_board(board).copy()
    check_method(engine1, "engine1", "play")
    check_method(engine2, "engine2", "play")
    engines = engine1, engine2
    while not board.is_game_over():
        played = engines[0].play(board)
        if not hasattr(played, "move"):
            name = name_of(engines[0])
            raise TypeError(f"{name}.play() must return a PlayResult, not {described(played)}")
        board.push(checked_move(board, engines[0], played.move))
        engines = engines[1], engines[0]
    return board


def _check_incremental(evaluator: PieceEvaluator, kinds: tuple[type, ...]) -> None:
    """Make sure that the evaluator is one that an engine keeps; it would not call another."""
    if type(evaluator) not in kinds:
        raise TypeError(
            f"evaluator must be an IncrementalPieceSquareEvaluator, not {described(evaluator)}"
        )
