"""Players with an opening book: by itself (`book:FILE`), or before any other (`book=FILE`)."""

import random
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import chess
import chess.polyglot
from chess.engine import Limit, PlayResult

from betacut.core.arguments import check_file
from betacut.core.exceptions import PlayerError
from betacut.core.messages import shown
from betacut.games.players.history import root_moves
from betacut.games.players.protocol import BasePlayer, Player
from betacut.games.players.settings import A_SEED, Setting, choice, given, integer


def _is_open(value: object) -> bool:
    return callable(getattr(value, "find_all", None))


def open_book(value: Any) -> AbstractContextManager[Any]:  # noqa: ANN401 - a path, or find_all
    """Open a book; one that was given open stays open."""
    if _is_open(value):
        return nullcontext(value)
    path = fspath(value)
    check_file(path, "book: ")
    size = Path(path).stat().st_size
    if size == 0 or size % 16:
        raise ValueError(
            f"book: {shown(path)} is no polyglot book: entries have 16 bytes, it has {size}"
        )
    return chess.polyglot.open_reader(path)


CHOICE = Setting(
    "choice",
    choice("best", "weighted", "uniform"),
    "How a move is chosen: the one of greatest weight, by weight, or any.",
    "weighted",
)
MIN_WEIGHT = Setting(
    "min_weight", integer(0, 65535, "weight"), "Entries of less weight are not played.", 1
)

OWN = (CHOICE, MIN_WEIGHT, Setting("seed", A_SEED, "Draws the same moves every time."))
"""The settings of `book:FILE`, but for the fallback."""


def before_any(chosen: str = "weighted", min_weight: int = 1) -> tuple[Setting, ...]:
    """The settings of any other player that has a book."""
    what = "the path of a polyglot file"
    kind = given(what, what, lambda book: isinstance(book, str | PathLike) or _is_open(book))
    return (
        Setting("book", kind, "Play from a book first."),
        replace(CHOICE, name="book_choice", default=chosen),
        replace(MIN_WEIGHT, name="book_min_weight", default=min_weight),
        Setting("book_seed", A_SEED, "Draws the same book moves every time."),
    )


class BookPlayer(BasePlayer):
    """Plays from a book as long as it knows the position, but no draw by the game so far."""

    def __init__(
        self,
        name: str,
        book: Any,  # noqa: ANN401 - whatever has find_all
        settings: Mapping[str, Any],
        after: Player | None = None,
    ) -> None:
        super().__init__(name)
        self._book = self._held.enter_context(open_book(book))
        self._choice, self._min_weight = settings["choice"], settings["min_weight"]
        self._random = random.Random(settings["seed"])
        self._after = after
        if after is not None:
            self._held.callback(after.close)

    def _choose(self, board: chess.Board, limit: Limit | None) -> PlayResult:
        drawn = root_moves(board).drawn
        entries: list[chess.polyglot.Entry] = [
            entry
            for entry in self._book.find_all(board, minimum_weight=self._min_weight)
            if board.is_legal(entry.move) and entry.move not in drawn
        ]
        if entries:
            return PlayResult(self._draw(entries), None, {"string": "book move"})
        if self._after is not None:
            return self._after.choose(board, limit)
        raise PlayerError(f"{self._title} has no move in {board.fen()}: give it a fallback=PLAYER")

    def _draw(self, entries: list[chess.polyglot.Entry]) -> chess.Move:
        if self._choice == "best":
            return max(entries, key=lambda entry: entry.weight).move
        weights = [entry.weight for entry in entries]
        if self._choice == "uniform" or not any(weights):
            return self._random.choice(entries).move
        return self._random.choices(entries, weights)[0].move
