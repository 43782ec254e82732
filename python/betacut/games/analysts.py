"""What a player thinks of a position: its value, its line, and what it thought on the way.

A player chooses moves and nothing more. To review a game, to give a hint, or to see when a problem
was solved, one has to know more: what the position is worth, what one certain move is worth by the
same search, and what was thought at each depth. An `Analyst` says that, as well as its player can:

- the exact search (`search`, without a book or tables) searches a single move to the very depth of
  the search that found the best one;
- an engine with the conventions of `chess.engine` (`betacut.Engine`, a UCI engine) searches a
  single move under the limit of the search before (`root_moves`);
- any other player is asked about the position after the move, with one ply less. That is the same
  search only if the depth alone limits it, so nothing else is accepted.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import chess
import chess.engine

from betacut import engine
from betacut.core.arguments import check_depth, check_nodes, check_seconds
from betacut.core.exceptions import BetacutError
from betacut.core.messages import described, one_line, shown
from betacut.games.players import ChoosesMoves
from betacut.games.players.exact import SearchPlayer
from betacut.results import SearchResult

__all__ = [
    "DEFAULT_LIMIT",
    "Analyst",
    "Opinion",
    "check_limit",
    "open_analyst",
]

DEFAULT_LIMIT = chess.engine.Limit(time=0.5)
"""The limit of a search if nothing else is said."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What is thought of a position.

    Attributes:
        move: The best move; None if the game is over.
        score: The value of the position; None if the player does not say.
        line: What is expected to be played, the best move first.
        depth: How deep was searched, in plies; None if the player does not say.
        nodes: How many nodes were searched, likewise.
        seconds: How long it took.
    """

    move: chess.Move | None
    score: chess.engine.PovScore | None = None
    line: tuple[chess.Move, ...] = ()
    depth: int | None = None
    nodes: int | None = None
    seconds: float = 0.0


class Analyst(ABC):
    """Somebody who can be asked about positions; what `open_analyst` returns.

    A context manager, which closes it at the end.

    Attributes:
        name: What it is called.
    """

    name: str

    @abstractmethod
    def iterations(self, board: chess.Board, limit: chess.engine.Limit) -> Iterator[Opinion]:
        """Think about a position, and say what is thought after each depth.

        Args:
            board: The position, which is not over, with the moves that led to it.
            limit: When to stop.

        Yields:
            The opinions; the last one is what was thought at the end, and there is always one.
        """

    def compare(
        self, board: chess.Board, move: chess.Move, limit: chess.engine.Limit
    ) -> tuple[Opinion, Opinion]:
        """Think about a position and about one of its moves, by the same search.

        Args:
            board: The position, with the moves that led to it.
            move: A legal move.
            limit: The limit of each search.

        Returns:
            What is thought of the position, and what of the move; both from the view of the side
            to move, and the same if it is the best move.

        Raises:
            ValueError: If the player cannot search in the same way.
        """
        best = self.analyse(board, limit)
        return best, best if best.move == move else self.of_move(board, move, best, limit)

    @abstractmethod
    def of_move(
        self, board: chess.Board, move: chess.Move, best: Opinion, limit: chess.engine.Limit
    ) -> Opinion:
        """Think about one move, by the same search that found the best one.

        Args:
            board: The position.
            move: The move.
            best: What `analyse` found there.
            limit: The limit of that search.

        Returns:
            What the move is worth, from the view of the side that makes it.

        Raises:
            ValueError: If the player cannot search in the same way.
        """

    def analyse(self, board: chess.Board, limit: chess.engine.Limit) -> Opinion:
        """Think about a position.

        Args:
            board: The position, with the moves that led to it.
            limit: When to stop.

        Returns:
            What is thought of it. If the game is over there is no move.
        """
        last = Opinion(None, _score_of_end(board))
        if any(board.generate_legal_moves()):
            for opinion in self.iterations(board, limit):
                last = opinion
        return last

    def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Let go of whatever runs."""

    def __enter__(self) -> Analyst:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()


class _Exact(Analyst):
    """The exact search, as its player searches: to its depth, with its table."""

    def __init__(self, name: str, player: SearchPlayer) -> None:
        self.name = name
        self.depth = player.depth
        self.options = player.options

    def iterations(self, board: chess.Board, limit: chess.engine.Limit) -> Iterator[Opinion]:
        last = None
        for last in self._depths(board, limit, None):
            yield _opinion_of(last)
        assert last is not None
        yield _opinion_of(last, with_line=True)

    def _depths(
        self, board: chess.Board, limit: chess.engine.Limit, move: chess.Move | None
    ) -> Iterator[SearchResult]:
        """Search to depth 1, 2, … within the limit, one ply at least, or until there is a mate.

        Deeper searches find the same mate: it is the shortest.
        """
        depths = [depth for depth in (limit.depth, self.depth) if depth is not None]
        depth = min(depths, default=None)
        moves = None if move is None else [move]
        result = None
        for result in engine.analysis(
            board,
            depth,
            nodes=limit.nodes,
            time=limit.time,
            root_moves=moves,
            **self.options,
        ):
            yield result
            if result.pov_score.is_mate():
                return
        if result is None:
            yield engine.search(board, 1, root_moves=moves, **self.options)

    def compare(
        self, board: chess.Board, move: chess.Move, limit: chess.engine.Limit
    ) -> tuple[Opinion, Opinion]:
        best = {result.depth: result for result in self._depths(board, limit, None)}
        deepest = max(best)
        found = best[deepest]
        if found.move == move:
            return (_opinion_of(found, with_line=True),) * 2
        # A mate is worth the same at any greater depth: then the move may be searched to the limit.
        if not found.pov_score.is_mate():
            limit = dataclasses.replace(limit, depth=deepest)
        *_, played = self._depths(board, limit, move)
        mate = found.pov_score.is_mate() or played.pov_score.is_mate()
        if played.depth < deepest and not mate:
            found = best[played.depth]
        return _opinion_of(found, with_line=True), _opinion_of(played, with_line=True)

    def of_move(
        self, board: chess.Board, move: chess.Move, best: Opinion, limit: chess.engine.Limit
    ) -> Opinion:
        return self.compare(board, move, limit)[1]


def _opinion_of(result: SearchResult, *, with_line: bool = False) -> Opinion:
    # The line is searched for when it is asked for, which takes time.
    line = tuple(result.pv) if with_line else () if result.move is None else (result.move,)
    counts = result.statistics
    return Opinion(result.move, result.pov_score, line, result.depth, counts.nodes, counts.seconds)


class _Engine(Analyst):
    """An engine with the conventions of `chess.engine`."""

    def __init__(self, name: str, engine: Any, owned: Any = None) -> None:  # noqa: ANN401
        self.name = name
        self.engine = engine
        self.owned = owned

    def iterations(self, board: chess.Board, limit: chess.engine.Limit) -> Iterator[Opinion]:
        last: Opinion | None = None
        info: chess.engine.InfoDict
        with self._errors(), self.engine.analysis(board, limit) as analysis:
            for info in analysis:
                if info.get("pv") and not (info.get("lowerbound") or info.get("upperbound")):
                    last = _opinion_in(info)
                    yield last
            best = analysis.wait()
        if last is None or (best.move is not None and best.move != last.move):
            if best.move is None:
                raise BetacutError(f"{self.name} has no move in {board.fen()}")
            # It changed its mind, and says no more about it.
            rest = (None, None, 0.0) if last is None else (last.depth, last.nodes, last.seconds)
            yield Opinion(best.move, None if last is None else last.score, (best.move,), *rest)

    def of_move(
        self, board: chess.Board, move: chess.Move, best: Opinion, limit: chess.engine.Limit
    ) -> Opinion:
        with self._errors():
            return _opinion_in(self.engine.analyse(board, limit, root_moves=[move]), move)

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """Say which engine it was that failed."""
        try:
            yield
        except (chess.engine.EngineError, asyncio.TimeoutError) as error:
            raise BetacutError(
                f"{self.name}: {one_line(str(error) or 'no answer', 200)}"
            ) from error

    def close(self) -> None:
        if self.owned is not None:
            self.owned.close()


def _opinion_in(info: chess.engine.InfoDict, move: chess.Move | None = None) -> Opinion:
    line = tuple(info.get("pv") or ())
    return Opinion(
        line[0] if line else move,
        info.get("score"),
        line or (() if move is None else (move,)),
        info.get("depth"),
        info.get("nodes"),
        info.get("time") or 0.0,
    )


class _Chooser(Analyst):
    """A player that can do nothing but choose a move."""

    def __init__(self, name: str, player: ChoosesMoves, *, owned: bool = False) -> None:
        self.name = name
        self.player = player
        self.owned = owned

    def iterations(self, board: chess.Board, limit: chess.engine.Limit) -> Iterator[Opinion]:
        yield self._ask(board, limit)

    def of_move(
        self, board: chess.Board, move: chess.Move, best: Opinion, limit: chess.engine.Limit
    ) -> Opinion:
        if limit.depth is None or limit.nodes is not None or limit.time is not None:
            raise ValueError(
                f"{self.name} cannot search a single move under a limit of nodes or time: "
                "give a depth alone"
            )
        after = board.copy()
        after.push(move)
        score = _score_of_end(after)
        if score is None and limit.depth > 1:
            score = self._ask(after, chess.engine.Limit(depth=limit.depth - 1)).score
        elif score is None:
            raise ValueError(
                f"{self.name} needs a depth of 2 or more to compare moves, not {limit.depth}"
            )
        before = None if score is None else _one_ply_before(score, board.turn)
        return Opinion(move, before, (move,), limit.depth)

    def _ask(self, board: chess.Board, limit: chess.engine.Limit) -> Opinion:
        started = time.perf_counter()
        result = self.player.choose(board, limit)
        info = result.info
        line = tuple(info.get("pv") or ()) or (() if result.move is None else (result.move,))
        return Opinion(
            result.move,
            info.get("score"),
            line,
            info.get("depth"),
            info.get("nodes"),
            time.perf_counter() - started,
        )

    def close(self) -> None:
        if self.owned:
            self.player.close()  # type: ignore[attr-defined]


def _score_of_end(board: chess.Board) -> chess.engine.PovScore | None:
    """The value of a position without a legal move, or where nobody can mate; None of any other."""
    if board.is_checkmate():
        return chess.engine.PovScore(chess.engine.Mate(0), board.turn)
    if board.is_stalemate() or board.is_insufficient_material():
        return chess.engine.PovScore(chess.engine.Cp(0), board.turn)
    return None


def _one_ply_before(score: chess.engine.PovScore, turn: chess.Color) -> chess.engine.PovScore:
    """The value of a position whose best move leads to a position of this value.

    A mate is a move further away for the side that gives it; the other side's is as far away.
    """
    value = score.pov(turn)
    mate = value.mate()
    if value == chess.engine.MateGiven:
        value = chess.engine.Mate(1)
    elif mate is not None and mate > 0:
        value = chess.engine.Mate(mate + 1)
    return chess.engine.PovScore(value, turn)


def check_limit(limit: object) -> chess.engine.Limit:
    """Make sure that a limit ends a search of a position.

    Args:
        limit: A `chess.engine.Limit` with a depth, a number of nodes, a time, or several of them.

    Returns:
        The limit.

    Raises:
        TypeError: If it is something else.
        ValueError: If it limits nothing, or by something that is out of range.

    Examples:
        >>> check_limit(chess.engine.Limit(depth=4)).depth
        4
    """
    if not isinstance(limit, chess.engine.Limit):
        raise TypeError(f"limit must be a chess.engine.Limit, not {described(limit)}")
    if limit.depth is None and limit.nodes is None and limit.time is None:
        raise ValueError(f"limit must have a depth, nodes or a time, and {shown(limit)} has none")
    if limit.depth is not None:
        check_depth(limit.depth)
    if limit.nodes is not None:
        check_nodes(limit.nodes)
    if limit.time is not None:
        check_seconds(limit.time, "time")
    return limit


def open_player(player: str | ChoosesMoves) -> tuple[str, Any, bool]:
    """Find a player by its text."""
    if isinstance(player, str):
        from betacut.games.players import parse

        return player, parse(player), True
    if not callable(getattr(player, "choose", None)):
        raise TypeError(f"player must be a str or have a method choose, not {described(player)}")
    return str(getattr(player, "name", type(player).__name__)), player, False


def open_analyst(player: object) -> Analyst:
    """Find somebody to ask about positions.

    Args:
        player: A text as `betacut.games.players.parse` understands it, such as `engine`, `search`
            or `uci:/usr/games/stockfish`; a player; an engine with the conventions of
            `chess.engine.SimpleEngine`; or an analyst, which is returned as it is.

    Returns:
        The analyst.

    Raises:
        TypeError: If it is nothing of the kind, or has no such setting.
        ValueError: If there is no such player.

    Examples:
        >>> with open_analyst("search") as analyst:
        ...     opinion = analyst.analyse(chess.Board(), chess.engine.Limit(depth=4))
        >>> opinion.move.uci(), opinion.depth, opinion.score
        ('b1c3', 4, PovScore(Cp(0), WHITE))
    """
    if isinstance(player, Analyst):
        return player
    if _is_engine(player):
        return _Engine(_name_of_engine(player), player)
    name, found, owned = open_player(player)  # type: ignore[arg-type]
    if isinstance(found, SearchPlayer):
        return _Exact(name, found)
    inner = getattr(found, "engine", None)
    if _is_engine(inner):
        return _Engine(name, inner, found if owned else None)
    return _Chooser(name, found, owned=owned)


def _is_engine(player: object) -> bool:
    """Whether it has the conventions of `chess.engine`."""
    return all(callable(getattr(player, name, None)) for name in ("analyse", "analysis"))


def _name_of_engine(player: object) -> str:
    with contextlib.suppress(Exception):  # a class of the user's may do anything
        return str(player.id["name"])  # type: ignore[attr-defined]
    return type(player).__name__
