"""Whatever a user gives as a player: a text, a player, an engine, an object that chooses moves."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext, suppress

import chess
from chess.engine import Limit, PlayResult

from betacut.core.messages import described
from betacut.games.players.catalogue import parse
from betacut.games.players.engines import ENGINE_SETTINGS, EnginePlayer
from betacut.games.players.protocol import BasePlayer, ChoosesMoves


def opened(player: object) -> AbstractContextManager[BasePlayer]:
    """Find a player; one that is made here is closed at the end.

    Args:
        player: A text as `parse` understands it, such as `engine`, `search` or
            `uci:/usr/games/stockfish`; a player; an engine with the conventions of
            `chess.engine.SimpleEngine`; or anything with a method `choose(board, limit)`.

    Returns:
        A context manager of the player.

    Raises:
        TypeError: If it is nothing of the kind, or has no such setting.
        ValueError: If there is no such player.

    Examples:
        >>> with opened("search") as found:
        ...     opinion = found.analyse(chess.Board(), Limit(depth=4))
        >>> opinion.move.uci(), opinion.depth, opinion.score
        ('b1c3', 4, PovScore(Cp(0), WHITE))
    """
    if isinstance(player, str):
        return parse(player)
    if isinstance(player, BasePlayer):
        return nullcontext(player)
    if all(callable(getattr(player, name, None)) for name in ("analyse", "analysis")):
        return _GivenEngine(player)
    if callable(getattr(player, "choose", None)):
        return _Chooser(player)  # type: ignore[arg-type]
    raise TypeError(f"player must be a str or have a method choose, not {described(player)}")


class _GivenEngine(EnginePlayer):
    """Plays with an engine that stays open."""

    def __init__(self, engine: object) -> None:
        name = type(engine).__name__
        with suppress(Exception):  # a class of the user's may do anything
            name = str(engine.id["name"])  # type: ignore[attr-defined]
        settings = {one.name: one.default for one in ENGINE_SETTINGS}
        super().__init__(name, engine, settings, {}, owned=False)


class _Chooser(BasePlayer):
    """A player that can do nothing but choose a move, and stays open."""

    def __init__(self, player: ChoosesMoves) -> None:
        super().__init__(str(getattr(player, "name", type(player).__name__)))
        self._player = player

    def _choose(self, board: chess.Board, limit: Limit | None) -> PlayResult:
        return self._player.choose(board, limit)
