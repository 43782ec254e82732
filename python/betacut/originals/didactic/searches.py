"""The searches: a function for each engine of the original.

They come in the original's order, each with what it adds to the one before. The docstring of the
package tells the original's classes.
"""

from collections.abc import Callable
from typing import Any, Protocol

import chess

from betacut import _betacut
from betacut.core.arguments import (
    BoardLike,
    Chooser,
    check_choice,
    check_depth,
    check_flag,
    check_rng,
    check_tablebase,
    described,
)
from betacut.core.catalogue import ORIGINALS
from betacut.originals.didactic.evaluators import (
    PieceEvaluator,
    PieceSquareEvaluator,
    standard_evaluator,
)
from betacut.originals.didactic.results import Result, score_of
from betacut.originals.shared import Tablebase, unpacked

__all__ = [
    "ALGORITHMS",
    "alpha_beta",
    "incremental_iterative_alpha_beta_cached",
    "iterative_alpha_beta",
    "iterative_alpha_beta_cached",
    "minimax",
    "move_ordering",
    "one_ply",
    "optimized_quiescence_move_ordering",
    "principal_variation_search",
    "prototype_v1",
    "prototype_v2",
    "quiescence",
    "quiescence_move_ordering",
]


class Shuffler(Protocol):
    """What is asked of `rng` by the engines that shuffle: `shuffle`, as `random.Random` has it."""

    def shuffle(self, x: list[Any], /) -> object:
        """Put a list into a random order."""


def one_ply(
    board: BoardLike, *, evaluator: PieceEvaluator = standard_evaluator, rng: Shuffler | None = None
) -> Result:
    """Look at the position after each move.

    Args:
        board: The position.
        evaluator: `standard_evaluator` or `simplified_evaluator`.
        rng: Shuffles moves of equal score, as the original does.

    Returns:
        Every root move with its score.

    Cost:
        An evaluation for each legal move.

    Examples:
        >>> one_ply("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2").move.uci()
        'e4d5'
    """
    return _analyse("one_ply", board, 1, rng, is_simplified(evaluator), core="minimax")


def minimax(
    board: BoardLike,
    depth: int,
    *,
    evaluator: PieceEvaluator = standard_evaluator,
    rng: Shuffler | None = None,
) -> Result:
    """Minimax to a fixed depth: all lines.

    The original evaluates each child twice, below the root's children, and the counts say so: twice
    the calls for each ply. The work is done once here.

    Args:
        board: The position.
        depth: Plies, the root move included.
        evaluator: `standard_evaluator` or `simplified_evaluator`.
        rng: Shuffles moves of equal score, as the original does.

    Returns:
        Every root move with its score.

    Cost:
        About w**depth leaves for w moves a position.

    Examples:
        >>> minimax(chess.Board(), 3).counts
        {'_value': 36428, 'evaluate': 36428, 'heuristic': 35608}
    """
    return _analyse("minimax", board, depth, rng, is_simplified(evaluator))


def alpha_beta(
    board: BoardLike,
    depth: int,
    *,
    evaluator: PieceEvaluator = standard_evaluator,
    negamax: bool = True,
    rng: Shuffler | None = None,
) -> Result:
    """Alpha-beta to a fixed depth: the scores of `minimax`, from fewer nodes.

    Every root move is searched in the whole window, so that each has its own score; nothing is cut
    at the root.

    Arguments and result are those of `minimax`. With `negamax` every node has the view of the side
    to move, as in the original's second form; without it White's, as in the first. Both look at the
    same nodes.

    Cost:
        A ninth of `minimax`'s lines at depth 3 of a middlegame.
    """
    core = "alpha_beta" if check_flag(negamax, "negamax") else "alpha_beta_white"
    return _analyse("alpha_beta", board, depth, rng, is_simplified(evaluator), core=core)


def iterative_alpha_beta(
    board: BoardLike,
    depth: int,
    *,
    evaluator: PieceEvaluator = standard_evaluator,
    rng: Shuffler | None = None,
) -> Result:
    """Alpha-beta at depths 1, 2, … to the last, whose answer counts.

    Nothing is kept from one depth to the next, so the shallower ones are wasted.

    Arguments and result are those of `minimax`, but the depth is the last one.

    Cost:
        Somewhat more than `alpha_beta`.
    """
    return _analyse("iterative_alpha_beta", board, depth, rng, is_simplified(evaluator))


def iterative_alpha_beta_cached(
    board: BoardLike,
    depth: int,
    *,
    evaluator: PieceEvaluator = standard_evaluator,
    rng: Shuffler | None = None,
) -> Result:
    """Alpha-beta at depths 1, 2, … with a memory that root moves and depths share.

    An entry of at least the depth asked for answers, so that a position may get the score of a
    deeper search; a bound of the same depth is never refined; neither clocks nor repetitions are
    part of what is remembered.

    Arguments and result are those of `minimax`, but the depth is the last one.

    Cost:
        Between `alpha_beta`'s and a fraction of it, the more transpositions the less. 35 to 70
        bytes for each position looked at.
    """
    return _analyse("iterative_alpha_beta_cached", board, depth, rng, is_simplified(evaluator))


def incremental_iterative_alpha_beta_cached(
    board: BoardLike, depth: int, *, rng: Shuffler | None = None
) -> Result:
    """`iterative_alpha_beta_cached` with the Simplified Evaluation updated incrementally.

    The evaluator is started anew *after* each root move: whether the kings are in the endgame is
    settled there for all that follows, and may differ from one root move to the next, though they
    share the memory. Castling counts the king's squares only.

    Arguments and result are those of `iterative_alpha_beta_cached`.

    Cost:
        As `iterative_alpha_beta_cached`.
    """
    return _analyse("incremental_iterative_alpha_beta_cached", board, depth, rng)


def quiescence(board: BoardLike, depth: int, *, rng: Shuffler | None = None) -> Result:
    """`incremental_iterative_alpha_beta_cached` that goes on with captures where the depth ends.

    The side to move may always stand pat on the score it has. Unless it promotes, a capture is
    skipped if even with a margin of 200 it does not reach alpha (delta pruning), or if its exchange
    loses (`see_capture`). There is no test for the end of the game among the captures, and no care
    for checks.

    Arguments and result are those of `incremental_iterative_alpha_beta_cached`; captures go beyond
    the depth.

    Cost:
        One to five calls of `_quiescence` for each leaf.
    """
    return _analyse("quiescence", board, depth, rng)


def prototype_v1(
    board: BoardLike, depth: int, *, analyse: bool = False, rng: Chooser | None = None
) -> Result:
    """The first prototype: deepening, memory, quiescence, and mates that count plies.

    The root is searched at depths 0, 1, … as a whole, so that its moves share a window. Then its
    moves are looked up in the memory, and those whose entry is exact and equal to the root's score
    are the best moves; the original draws one. A mate found in the memory keeps the distance of its
    first visit.

    Args:
        board: The position.
        depth: The last depth: plies, the root move included, captures beyond not.
        analyse: Search each root move by itself instead, as the original's `analyse` does.
        rng: Draws among the best moves, as the original does; it plays no part in an analysis.

    Returns:
        The root's score and its best moves; with *analyse* every root move with its score.

    Cost:
        On a middlegame at depth 4 a fifth of the calls of its own analysis.

    Examples:
        >>> prototype_v1("R1q3k1/2p1npp1/4P3/3N4/8/8/2Q5/1B4K1 w - - 0 1", 6).score
        Mate(+5)
    """
    return _play("prototype_v1", board, depth, rng, analyse=analyse)


def move_ordering(
    board: BoardLike, depth: int, *, analyse: bool = False, rng: Chooser | None = None
) -> Result:
    """`prototype_v1` with the moves of each node ordered by their values in the memory.

    An entry counts if it is of at least the node's depth less two, exact or not; moves without one
    come last. The original forgets to count the distance of mates here: all of them are equal.

    Arguments and result are those of `prototype_v1`.

    Cost:
        Half of `prototype_v1`'s lines at depth 4 of a middlegame.
    """
    return _play("move_ordering", board, depth, rng, analyse=analyse)


def quiescence_move_ordering(
    board: BoardLike,
    depth: int,
    *,
    use_static_exchange_evaluation: bool = False,
    analyse: bool = False,
    rng: Chooser | None = None,
) -> Result:
    """`move_ordering` with bad captures left out and the others in MVV-LVA order.

    Unless it promotes, a capture that takes less than it risks is left out if its exchange loses
    (`see_capture`) or, without static exchange evaluation, if the other side attacks the square.

    The other arguments and the result are those of `prototype_v1`.

    Raises:
        OriginalCrashError: If a promotion by capture meets a mate, where the original calls a
            method that does not exist.

    Cost:
        Somewhat less than `move_ordering`.
    """
    see = use_static_exchange_evaluation
    return _play("quiescence_move_ordering", board, depth, rng, analyse=analyse, see=see)


def optimized_quiescence_move_ordering(
    board: BoardLike,
    depth: int,
    *,
    use_static_exchange_evaluation: bool = True,
    analyse: bool = False,
    rng: Chooser | None = None,
) -> Result:
    """`quiescence_move_ordering` with exchanges that are not played out on the board.

    They differ where pieces are pinned, pawns promote or capture en passant (see
    `see_capture`), so the nodes differ too.

    Arguments and result are those of `quiescence_move_ordering`, whose search it is without
    exchanges.

    Raises:
        OriginalCrashError: As in `quiescence_move_ordering`.

    Cost:
        As `quiescence_move_ordering`.
    """
    name, see = "optimized_quiescence_move_ordering", use_static_exchange_evaluation
    return _play(name, board, depth, rng, analyse=analyse, see=see)


def principal_variation_search(
    board: BoardLike,
    depth: int,
    *,
    use_static_exchange_evaluation: bool = False,
    analyse: bool = False,
    rng: Chooser | None = None,
) -> Result:
    """`quiescence_move_ordering` that only tests most moves for being better.

    Once a move has raised alpha, each other one is searched in a window of zero width, and in full
    only if it proves better. The zero-width search has neither memory nor move ordering. Mates
    count their plies again. For a mate that is received the original's zero-width window is
    inverted, its alpha above its beta.

    Arguments and result are those of `quiescence_move_ordering`.

    Raises:
        OriginalCrashError: As in `quiescence_move_ordering`.

    Cost:
        Few entries in the memory; many calls of `_zero_width_search`, which starts from nothing
        each time.
    """
    see = use_static_exchange_evaluation
    return _play("principal_variation_search", board, depth, rng, analyse=analyse, see=see)


def prototype_v2(
    board: BoardLike,
    depth: int,
    *,
    use_static_exchange_evaluation: bool = False,
    tablebase: Tablebase | None = None,
    analyse: bool = False,
) -> Result:
    """The second prototype: `principal_variation_search`, quick exchanges, a tablebase.

    With at most five men on the board the tablebase is asked about every position that is not over.
    If after some depth the score is a mate and at most five men are left, every root move is
    searched at that depth, and the first of the best is played; otherwise the first of the moves
    with the root's score. Nothing is drawn. (The opening book is `PrototypeV2Engine`'s.)

    `tablebase` is an object with `probe_dtm`, such as `chess.gaviota.open_tablebase(directory)`. It
    is given boards without a move stack; where it raises an exception a position is not known. The
    other arguments and the result are those of `optimized_quiescence_move_ordering`.

    Raises:
        OriginalCrashError: If the tablebase calls the root a mate and does not know a position one
            move on, where the original searches below depth 0 and never returns.

    Cost:
        As `principal_variation_search`, and some microseconds for each question to the tablebase.
    """
    table, see = check_tablebase(tablebase), use_static_exchange_evaluation
    return _play("prototype_v2", board, depth, None, analyse=analyse, see=see, tablebase=table)


ALGORITHMS: dict[str, Callable[..., Result]] = {
    name: globals()[name] for name in ORIGINALS["didactic"]
}
"""The functions that search to a depth, by name, each after the one it builds upon."""


def is_simplified(evaluator: PieceEvaluator) -> bool:
    """Tell which of the two evaluators it is; the search would not call another one."""
    if type(evaluator) in (PieceEvaluator, PieceSquareEvaluator):
        return evaluator._simplified
    raise TypeError(
        f"evaluator must be a PieceEvaluator or PieceSquareEvaluator, not {described(evaluator)}"
    )


def check_shuffler(rng: Shuffler | None) -> Shuffler | None:
    """Check the `rng` argument of a search that shuffles."""
    if rng is None or callable(getattr(rng, "shuffle", None)):
        return rng
    raise TypeError(
        f"rng must have a method shuffle(), such as random.Random(1), not {described(rng)}"
    )


def captures_of(name: str, see: bool) -> str:
    """How the core tells bad captures, for a function with or without exchanges."""
    optimized = name in ("optimized_quiescence_move_ordering", "prototype_v2")
    see = check_flag(see, "use_static_exchange_evaluation")
    return ("optimized" if optimized else "exchange") if see else "defended"


def core_name(name: str) -> str:
    """The core's name for a function: exchanges without moves are no engine of their own."""
    return name.removeprefix("optimized_")


def _analyse(
    name: str,
    board: BoardLike,
    depth: int,
    rng: Shuffler | None,
    simplified: bool = False,
    core: str | None = None,
) -> Result:
    """Search as the engines before the first prototype do: every root move by itself."""
    check_shuffler(rng)
    return _run(name, core or name, board, depth, shuffler=rng, analyse=True, simplified=simplified)


def _play(
    name: str,
    board: BoardLike,
    depth: int,
    rng: Chooser | None,
    *,
    analyse: bool,
    see: bool = False,
    tablebase: Tablebase | None = None,
) -> Result:
    """Search as the engines from the first prototype on do: the root as a whole."""
    check_rng(rng)
    chooser = None if analyse else rng
    return _run(
        name,
        core_name(name),
        board,
        depth,
        chooser=chooser,
        analyse=check_flag(analyse, "analyse"),
        captures=captures_of(name, see),
        tablebase=tablebase,
    )


def _run(
    name: str,
    core: str,
    board: BoardLike,
    depth: int,
    *,
    shuffler: Shuffler | None = None,
    chooser: Chooser | None = None,
    **options: Any,  # noqa: ANN401 - the core's
) -> Result:
    """Run a search of the core, and shuffle or draw as the engine does."""
    plies = check_depth(depth)
    board, record = unpacked(board)
    score, scores, best, counts, types, seconds = _betacut.didactic_search(
        core, board, plies, record=record, **options
    )
    if shuffler is not None:
        scores = _shuffled(scores, shuffler)
    # Which side moves, the best score tells: it is the greatest for White, the least for Black.
    greatest_first = bool(scores) and max(value for _, value in scores) == score
    ranking = sorted(scores, key=lambda scored: scored[1], reverse=greatest_first)
    moves = tuple(best)
    move = next(iter([move for move, _ in ranking] or moves), None)
    if chooser is not None and moves:
        move = chooser.choice(moves)
        check_choice(move, moves)
    if name == "one_ply":
        counts.pop("_value", None)
    return Result(name, plies, score_of(score), move, moves, counts, types, seconds, tuple(ranking))


def _shuffled(
    scores: list[tuple[chess.Move, int]], shuffler: Shuffler
) -> list[tuple[chess.Move, int]]:
    shuffled = list(scores)
    shuffler.shuffle(shuffled)
    if len(shuffled) != len(scores) or any(shuffled.count(scored) != 1 for scored in scores):
        raise ValueError("rng.shuffle() must change the order of a list and nothing else in it")
    return shuffled
