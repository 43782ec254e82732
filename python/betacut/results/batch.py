"""What a search of many positions returns: `ResultList`; and `BatchError` where some are bad."""

from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex, TypeVar, overload

from betacut.core.exceptions import BetacutError
from betacut.results.search import SearchResult

RESULTS_SHOWN = 20  # the number of results of a list that are written

_Entry = TypeVar("_Entry", bound=SearchResult | Exception)


class ResultList(list[_Entry]):
    """The results of many positions: a list that shows itself as a table.

    `engine.search_many` returns one. Where boards could not be searched and the exceptions were
    asked for, they are among the results.

    Examples:
        >>> from betacut import engine
        >>> results = engine.search_many(["P1", "P5", "7k/8/8/8/8/8/RR6/K7 w - - 0 1"], 3)
        >>> results
        ResultList of 3:
          [0]  depth 3              +150  1. Nc3
          [1]  depth 3              +155  83. Nc3
          [2]  depth 3  White mates in 2  1. Ra7
        >>> results[1:]
        ResultList of 2:
          [0]  depth 3              +155  83. Nc3
          [1]  depth 3  White mates in 2  1. Ra7
        >>> results == list(results)
        True
    """

    __slots__ = ()

    @overload
    def __getitem__(self, index: SupportsIndex, /) -> _Entry: ...
    @overload
    def __getitem__(self, index: slice, /) -> "ResultList[_Entry]": ...
    def __getitem__(self, index: SupportsIndex | slice, /) -> "_Entry | ResultList[_Entry]":
        found = super().__getitem__(index)
        return ResultList(found) if isinstance(index, slice) else found  # type: ignore[arg-type,return-value]

    def __repr__(self) -> str:
        if not self:
            return "ResultList of 0"
        rows = [_entry(one) for one in self[:RESULTS_SHOWN]]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        text = [f"ResultList of {len(self):,}:"]
        last = len(str(len(rows) - 1)) + 2
        for index, (depth, score, move) in enumerate(rows):
            depth = f"depth {depth:{widths[0]}}" if depth else " " * (6 + widths[0])
            text.append(f"  {f'[{index}]':>{last}}  {depth}  {score:>{widths[1]}}  {move}")
        if len(self) > RESULTS_SHOWN:
            text.append(f"  and {len(self) - RESULTS_SHOWN:,} more")
        return "\n".join(text)

    def _repr_html_(self) -> str:
        from betacut import views

        rows = []
        for index, one in enumerate(self[:RESULTS_SHOWN]):
            depth, score, last = _entry(one)
            if isinstance(one, Exception):
                rows.append([str(index), depth, score, "", last])
            else:
                rows.append([str(index), depth, score, last, one._source.fen()])
        more = len(self) - RESULTS_SHOWN
        return views.stacked(
            views.grid(["", "depth", "score", "move", "position"], rows, numbers=3),
            f"and {more:,} more" if more > 0 else "",
        )


class BatchError(BetacutError, ValueError):
    """Some of the positions of a batch cannot be searched; the others were.

    Attributes:
        errors: What is wrong with each bad board, by its index in the input.
        results: What was found for each board, in order; None at the bad ones. Empty when results
            were streamed: they have been delivered one by one.

    Raises:
        TypeError, ValueError: If `errors` is no mapping of indices to exceptions, or is empty.

    Examples:
        >>> from betacut import engine
        >>> try:
        ...     engine.search_many(["P5", "x"], 2)
        ... except BatchError as error:
        ...     list(error.errors), error.results[0].score
        ([1], 95)
    """

    errors: Mapping[int, Exception]
    results: Sequence[SearchResult | None]

    def __init__(
        self, errors: Mapping[int, Exception], results: Sequence[SearchResult | None] = ()
    ) -> None:
        if not isinstance(errors, Mapping):
            kind = type(errors).__name__[:40]
            raise TypeError(f"errors must be a mapping of indices to exceptions, not {kind}")
        if not errors:
            raise ValueError("errors must have at least one exception")
        index, error = next(iter(errors.items()))
        others = f" (and {len(errors) - 1} more bad boards)" if len(errors) > 1 else ""
        super().__init__(f"boards[{index}]: {error}{others}")
        self.errors = errors
        self.results = results

    def __reduce__(self) -> tuple[Any, ...]:
        return BatchError, (self.errors, self.results)


def _entry(one: SearchResult | Exception) -> tuple[str, str, str]:
    """Write the depth, the score and the move of a result; of an exception, its text."""
    if isinstance(one, Exception):
        return "", "", f"{type(one).__name__}: {one}"
    move = "none" if one.move is None else one.board.variation_san([one.move])
    return str(one.depth), one.score_text, move
