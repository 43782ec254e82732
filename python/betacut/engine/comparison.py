"""The comparison of searches, position by position and depth by depth.

`compare` is a name of `betacut.engine`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, cast

import chess

from betacut.core.arguments import (
    BoardLike,
    as_board,
    bounded,
    check_boards,
    check_callback,
    check_depth,
    check_flag,
    check_order,
    check_positive_seconds,
    check_several,
    check_stack,
    check_type,
)
from betacut.core.catalogue import ORDERS_NEEDING_DATA, QUIET_SEARCHES, SEARCHES
from betacut.core.exceptions import InvalidPositionError
from betacut.core.messages import described, one_line, shown
from betacut.core.positions import named_position
from betacut.engine.conditions import EvaluationLike, is_data
from betacut.engine.exact import search
from betacut.engine.refinements import ALGORITHMS
from betacut.evaluation import Evaluation, as_evaluation
from betacut.results import SearchResult
from betacut.results.comparison import Comparison, ComparisonRow

_T = TypeVar("_T")

MOST_COMPARED = 1_000  # how many depths, algorithms, orders or evaluations may be compared


def compare(
    board: BoardLike | Iterable[BoardLike],
    depths: Iterable[int],
    *,
    algorithms: Iterable[str] | None = None,
    orders: Iterable[str] = ("generated",),
    evaluations: Iterable[EvaluationLike | None] = (None,),
    quiescence: bool = False,
    minimal: bool = True,
    max_seconds: float | None = None,
    progress: Callable[[ComparisonRow], object] | None = None,
) -> Comparison:
    """Run several searches on one position or more, and set their figures side by side.

    Value and best moves of each are compared with those of minimax, which the exact search finds;
    for an evaluation given as a function, `alpha_beta_pruning_no_memo` does. Rows that differ are
    marked. Some searches may: those whose memo answers with values of greater depth, those that end
    in quiescence, and those that are no proofs.

    Every search starts with an empty memo. The exact search has no choice of move orders: it is
    run once for each evaluation and depth.

    Args:
        board: A position, or an iterable of positions: boards, FEN or EPD strings, or the names in
            `betacut.core.positions`, which are kept as names.
        depths: The depths to search, such as `range(1, 6)`; they are taken in ascending order.
            Plies.
        algorithms: Names: "search" for the exact search, and keys of `ALGORITHMS`. None for all
            that value leaves as `quiescence` says.
        orders: Move orders; see [the package][betacut.engine]. Rows have them in their shortest
            spelling.
        evaluations: Evaluations; see [the package][betacut.engine]. None is the default one.
        quiescence: Whether captures are played out at the last ply, by `search`,
            `minimax_no_memo` and `alpha_beta_pruning_no_memo`. There is no minimal tree then.
        minimal: Whether to count the nodes of the minimal tree too: those of
            `alpha_beta_pruning_no_memo` with the order "best".
        max_seconds: Do not run a search that is estimated to take longer than this, from how long
            the same search took less deep: the time of the last depth, times its growth in nodes
            for each further ply. What is not run is a row that says so. A search at the first of
            its depths is always run. None for no limit. Seconds.
        progress: Called with each row as soon as it is known.

    Returns:
        The rows: for each position, evaluation and depth, one for each algorithm and order. In
        `errors` are the exceptions of positions that cannot be searched, if an iterable was given;
        the others are searched.

    Raises:
        InvalidPositionError: If the only position cannot be searched.
        ValueError: If one is out of range, unknown, empty, or there twice.
        KeyboardInterrupt: On Ctrl-C, within 100 ms. The rows known by then have been given to
            `progress`; `Comparison(rows)` makes a comparison of them.

    What an evaluation or `progress` raises travels out unchanged.

    Cost:
        That of the searches. For minimax's answers, the exact search once for each position,
        evaluation and depth.

    Examples:
        >>> found = compare("P5", [4], algorithms=["alpha_beta_pruning", "iterative_deepening"])
        >>> [(row.algorithm, row.score, row.agrees) for row in found]
        [('alpha_beta_pruning', 105, True), ('iterative_deepening', 125, False)]
        >>> found[0].nodes, found[0].total_nodes
        (10001, 22590)
        >>> [(row.algorithm, row.score) for row in compare("P5", [2], quiescence=True)]
        [('search', 135), ('minimax_no_memo', 135), ('alpha_beta_pruning_no_memo', 135)]
    """
    plan = _Plan(
        depths=_check_depths(depths),
        algorithms=_check_algorithms(algorithms, check_flag(quiescence, "quiescence")),
        orders=_check_orders(orders),
        evaluations=_check_evaluations(evaluations),
        quiescence=quiescence,
        minimal=bool(minimal) and not quiescence,
        max_seconds=(
            None if max_seconds is None else check_positive_seconds(max_seconds, "max_seconds")
        ),
    )
    check_callback(progress, "progress", "a function of a row")
    rows: list[ComparisonRow] = []
    notes: list[str] = []
    errors: dict[int, Exception] = {}
    for place, given in enumerate(_positions(board)):
        if isinstance(given, Exception):
            errors[place] = given
            continue
        for name, evaluation in plan.evaluations:
            one = _Position(place, *given, name, evaluation, plan, notes)
            for row in one.rows():
                rows.append(row)
                if progress is not None:
                    progress(row)
    return Comparison(tuple(rows), errors, tuple(notes))


@dataclass(frozen=True)
class _Plan:
    """What is to be run on each position; evaluations have names."""

    depths: list[int]
    algorithms: list[str]
    orders: list[str]
    evaluations: list[tuple[str, Any]]
    quiescence: bool
    minimal: bool
    max_seconds: float | None


@dataclass(frozen=True)
class _Position:
    """A position with an evaluation, and what is to be run on it."""

    place: int
    name: str
    board: chess.Board
    evaluation_name: str
    evaluation: Any
    plan: _Plan
    notes: list[str]

    def rows(self) -> Iterator[ComparisonRow]:
        """Run all searches, depth by depth."""
        plan, evaluation, quiet = self.plan, self.evaluation, self.plan.quiescence
        exact, minimal = _Budget(plan.max_seconds), _Budget(plan.max_seconds)
        budgets = {
            (algorithm, order): _Budget(plan.max_seconds)
            for algorithm in plan.algorithms
            for order in ([None] if algorithm == "search" else plan.orders)
        }
        for depth in plan.depths:
            exact.run(depth, partial(_minimax, self.board, depth, evaluation, quiet))
            if plan.minimal:
                minimal.run(depth, partial(_minimal_tree, self.board, depth, evaluation))
            self._note(depth, exact, minimal)
            for (algorithm, order), budget in budgets.items():
                missing = _cannot(algorithm, order, evaluation)
                if algorithm == "search" and not missing:
                    budget = exact
                elif not missing:
                    run = partial(_search, algorithm, self.board, depth, order, evaluation, quiet)
                    budget.run(depth, run)
                yield ComparisonRow(
                    position=self.name,
                    fen=self.board.fen(),
                    place=self.place,
                    algorithm=algorithm,
                    order=order,
                    evaluation=self.evaluation_name,
                    depth=depth,
                    result=None if missing else budget.result,
                    exact=exact.result,
                    minimal_nodes=minimal.nodes.get(depth),
                    previous_nodes=budget.nodes.get(depth - 1),
                    not_run=missing or budget.reason,
                )

    def _note(self, depth: int, exact: "_Budget", minimal: "_Budget") -> None:
        """Say what the rows are not compared with."""
        where = f"{self.name}, evaluation {self.evaluation_name}, depth {depth}"
        if exact.reason:
            self.notes.append(f"Not compared with minimax: {where} ({exact.reason}).")
        if minimal.reason:
            self.notes.append(f"Minimal tree not counted: {where} ({minimal.reason}).")
        elif self.plan.minimal and not is_data(self.evaluation):
            self.notes.append(f"Minimal tree not counted: {where} ({NEEDS_DATA}).")


class _Budget:
    """What a search took at the depths done, and whether the next is worth a try."""

    def __init__(self, max_seconds: float | None) -> None:
        self.result: SearchResult | None = None  # of the last call of `run`
        self.reason = ""  # why there is none
        self.nodes: dict[int, int] = {}  # of each depth
        self._max_seconds = max_seconds
        self._seconds = 0.0

    def run(self, depth: int, search: Callable[[], SearchResult | None]) -> None:
        """Search one depth, greater than those before, unless it would take too long."""
        self.result, self.reason = None, ""
        estimate = self._estimate(depth)
        if self._max_seconds is not None and estimate > self._max_seconds:
            self.reason = f"estimated {_duration(estimate)}"
            return
        self.result = search()
        if self.result is not None:
            self.nodes[depth] = self.result.statistics.root_nodes
            self._seconds = self.result.statistics.seconds

    def _estimate(self, depth: int) -> float:
        """The seconds that a depth will take; 0.0 if unknown."""
        if not self.nodes:
            return 0.0
        # Over two plies, because odd and even depths of alpha-beta grow differently.
        *earlier, last = list(self.nodes)[-3:]
        if earlier:  # a finished game may have no nodes
            ratio = self.nodes[last] / max(self.nodes[earlier[0]], 1)
            growth = ratio ** (1 / (last - earlier[0]))
        else:
            growth = self.nodes[last] ** (1 / last)
        # A float has no room for the growth of a hundred plies of anything.
        return float(self._seconds * min(max(growth, 1.0), 1000.0) ** (depth - last))


def _duration(seconds: float) -> str:
    """Write an estimate, of which two digits are more than enough."""
    if seconds >= 3600:
        return f"{seconds / 3600:,.0f} h" if seconds < 1e9 else f"{seconds / 3600:.0e} h"
    if seconds >= 100:
        return f"{seconds / 60:.0f} min"
    return f"{seconds:.0f} s" if seconds >= 2 else f"{seconds:.2g} s"


def _search(
    algorithm: str,
    board: chess.Board,
    depth: int,
    order: str | None,
    evaluation: object,
    quiescence: bool,
) -> SearchResult:
    if algorithm == "search":
        data = cast("Evaluation | str | None", evaluation)
        return search(board, depth, evaluation=data, quiescence=quiescence)
    leaves = {"quiescence": "captures"} if quiescence else {}
    return ALGORITHMS[algorithm](
        board, depth, order=order or "generated", evaluation=evaluation, **leaves
    )


def _minimax(board: chess.Board, depth: int, evaluation: object, quiescence: bool) -> SearchResult:
    """The value and best moves of minimax, by the fastest search that has this evaluation."""
    fastest = "search" if is_data(evaluation) else "alpha_beta_pruning_no_memo"
    return _search(fastest, board, depth, None, evaluation, quiescence)


def _minimal_tree(board: chess.Board, depth: int, evaluation: object) -> SearchResult | None:
    """Search the minimal tree of Knuth and Moore; None if it cannot be known."""
    if not is_data(evaluation):
        return None
    return _search("alpha_beta_pruning_no_memo", board, depth, "best", evaluation, False)


NEEDS_DATA = "needs an evaluation as data"  # why some searches cannot use a function


def _cannot(algorithm: str, order: str | None, evaluation: object) -> str:
    """Say why a search cannot use this evaluation; "" if it can."""
    if is_data(evaluation):
        return ""
    if algorithm == "search":
        return NEEDS_DATA
    perfect = [key for key in (order or "").split("+") if key in ORDERS_NEEDING_DATA]
    return f"the order {perfect[0]!r} {NEEDS_DATA}" if perfect else ""


# What the user gave.


def _positions(board: object) -> Iterator[tuple[str, chess.Board] | Exception]:
    """Go through the positions: the name and a copy of each, or what is wrong with it."""
    if isinstance(board, (str, bytes, chess.Board)) or not isinstance(board, Iterable):
        yield _position(board)
        return
    for one in check_boards(board):
        try:
            yield _position(one)
        except (InvalidPositionError, TypeError) as error:
            yield error


def _position(board: object) -> tuple[str, chess.Board]:
    given = named_position(board) if isinstance(board, str) else board
    read = as_board(given)
    check_stack(read)
    name = str(board) if given is not board and given != board else read.fen()
    return name, read.copy()


def _check_depths(depths: object) -> list[int]:
    """Check the depths; return them in ascending order."""
    wanted = "of ints, such as range(1, 6)"
    return sorted(_each_once("depths", depths, wanted, lambda place, depth: check_depth(depth)))


def _check_algorithms(algorithms: object, quiescence: bool) -> list[str]:
    able = QUIET_SEARCHES if quiescence else SEARCHES

    def check(place: int, name: str) -> str:
        check_type(name, f"algorithms[{place}]", "a str", str)
        if name not in SEARCHES:
            raise ValueError(f"unknown algorithm {shown(name)}; choose from {', '.join(SEARCHES)}")
        if name not in able:
            raise ValueError(f"quiescence=True is for {', '.join(able)}, not for {name}")
        return name

    if algorithms is None:
        return [*able]
    return _each_once("algorithms", algorithms, "of names, such as ['search']", check)


def _check_orders(orders: object) -> list[str]:
    """Check move orders; return each in its shortest spelling."""

    def check(place: int, order: object) -> str:
        check_type(order, f"orders[{place}]", "a str", str)
        return check_order(order)[1]

    return _each_once("orders", orders, "of names, such as ['generated']", check)


def _check_evaluations(evaluations: object) -> list[tuple[str, Any]]:
    """Check evaluations; return the name of each, no two alike, and itself."""
    found: list[tuple[str, Any]] = []
    different: list[object] = []
    for index, given in enumerate(_each("evaluations", evaluations, "such as [None]")):
        evaluation = as_evaluation(given) if is_data(given) else given
        if not callable(evaluation):
            raise TypeError(
                f"evaluations[{index}] must be None, a name, an Evaluation or a function, "
                f"not {described(given)}"
            )
        name = _name_of(evaluation)
        # Data are equal if their rules and numbers are; functions are themselves.
        if any(
            evaluation is other or (is_data(given) and evaluation == other) for other in different
        ):
            raise ValueError(f"evaluations must not have {shown(name)} twice")
        different.append(evaluation)
        names = [other for other, _ in found]
        number = 1
        while (name if number == 1 else f"{name} ({number})") in names:
            number += 1
        found.append((name if number == 1 else f"{name} ({number})", given))
    return _not_empty("evaluations", found)


def _name_of(evaluation: object) -> str:
    if isinstance(evaluation, Evaluation):
        return one_line(evaluation.name or "evaluation", 40)
    name = getattr(evaluation, "__name__", None)
    return one_line(name if isinstance(name, str) and name else type(evaluation).__name__, 40)


def _each(name: str, values: object, wanted: str) -> Iterable[object]:
    """Make sure that an argument is an iterable, and no text."""
    return bounded(
        check_several(values, f"{name} must be an iterable {wanted}"), name, MOST_COMPARED
    )


def _each_once(name: str, values: object, wanted: str, check: Callable[[int, Any], _T]) -> list[_T]:
    """Check the members of an argument, of which no two may be alike."""
    found: list[_T] = []
    for place, value in enumerate(_each(name, values, wanted)):
        checked = check(place, value)
        if checked in found:
            raise ValueError(f"{name} must not have {shown(checked)} twice")
        found.append(checked)
    return _not_empty(name, found)


def _not_empty(name: str, values: list[_T]) -> list[_T]:
    if not values:
        raise ValueError(f"{name} must not be empty")
    return values
