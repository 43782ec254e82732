"""Where the time of a search went: `Profile`."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from betacut.core.arguments import check_kind, check_name
from betacut.core.messages import shown


class Spent(NamedTuple):
    """A row of a profile.

    Attributes:
        calls: How often there was such work.
        seconds: How long it took in all.
    """

    calls: int
    seconds: float


class Profile(Mapping[str, Spent]):
    """Where the time of a search went: names of kinds of work, each with what was spent on it.

    The kinds are "move generation", "making moves", "evaluation", "end of the game" (at leaves),
    "ordering" and "table", as far as the search has them, and "search": all that is left, with the
    nodes as its calls.

    Args:
        rows: Calls and seconds by name.

    Raises:
        TypeError: If they are no such mapping.

    Examples:
        >>> profile = Profile({"evaluation": (20, 0.25), "search": (21, 0.75)})
        >>> print(profile)
                    calls   seconds  share    a call
        evaluation     20  0.250000  25.0%  12.50 ms
        search         21  0.750000  75.0%  35.71 ms
        >>> profile.share("evaluation")
        0.25
    """

    __slots__ = ("_rows",)

    def __init__(self, rows: Mapping[str, tuple[int, float]]) -> None:
        check_kind("rows", rows, Mapping)
        self._rows: dict[str, Spent] = {}
        for name, row in rows.items():
            where = f"rows[{shown(name)}]"
            check_kind(where, row, tuple)
            if len(row) != 2:
                raise TypeError(f"{where} must be calls and seconds, not {shown(row)}")
            check_kind(f"{where}[0]", row[0], int)
            check_kind(f"{where}[1]", row[1], float, int)
            self._rows[name] = Spent(*row)

    def __getitem__(self, name: str) -> Spent:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def seconds(self) -> float:
        """The time of all rows: that of the search without its looks at the clock."""
        return sum(row.seconds for row in self._rows.values())

    def share(self, name: str) -> float:
        """The part of the time that was spent on a kind of work, from 0.0 to 1.0.

        Raises:
            TypeError: If the name is no str.
            ValueError: If the search had no such work.
        """
        seconds = self._rows[check_name(name, "name", self._rows)].seconds
        return seconds / self.seconds if seconds else 0.0

    def as_dict(self) -> dict[str, dict[str, float]]:
        """Return calls and seconds by name, as a dictionary that `json.dumps` accepts."""
        return {name: row._asdict() for name, row in self._rows.items()}

    def __repr__(self) -> str:
        return f"Profile({', '.join(f'{name} {self.share(name):.0%}' for name in self)})"

    def _table(self) -> list[list[str]]:
        rows = []
        for name, (calls, seconds) in self._rows.items():
            each = seconds / calls if calls else 0.0
            factor, unit = next(one for one in _UNITS if each * one[0] >= 1 or one is _UNITS[-1])
            share, time = f"{self.share(name):.1%}", f"{each * factor:.2f} {unit}"
            rows.append([name, f"{calls:,}", f"{seconds:.6f}", share, time])
        return rows

    def __str__(self) -> str:
        rows = [["", *_COLUMNS], *self._table()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join(
                cell.rjust(width) if at else cell.ljust(width)
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        )

    def _repr_html_(self) -> str:
        from betacut import views

        return views.grid(["", *_COLUMNS], self._table(), numbers=len(_COLUMNS))


_UNITS = ((1e3, "ms"), (1e6, "µs"), (1e9, "ns"))
_COLUMNS = ("calls", "seconds", "share", "a call")
