"""The checks of arguments, shared by `betacut.engine` and `betacut.reference`.

Each function takes what the user gave, and returns it in the form that the searches need, or
raises. Both packages call the same functions, so their error messages are the same text.
A message names the argument, what is allowed, and the value that was given, shortened to
`SHORT` characters (`shown`), for a value can be of any length.

The checks of positions, moves and numbers are in `boards`, `moves` and `numbers`, and names of this
module too.
"""

import os
from collections.abc import Callable, Iterable
from itertools import islice
from os import PathLike
from types import MethodType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import chess

from betacut.core.boards import *  # noqa: F403
from betacut.core.catalogue import ORDERS as ORDERS
from betacut.core.catalogue import ORDERS_NEEDING_DATA
from betacut.core.constants import LONGEST_LINE, MAX_PLIES_TO_MATE
from betacut.core.constants import MATE as MATE
from betacut.core.constants import MAX_DEPTH as MAX_DEPTH
from betacut.core.messages import described as described
from betacut.core.messages import one_line as one_line
from betacut.core.messages import shown as shown
from betacut.core.messages import shown_path
from betacut.core.moves import *  # noqa: F403
from betacut.core.moves import check_several
from betacut.core.numbers import *  # noqa: F403
from betacut.core.numbers import as_int

if TYPE_CHECKING:
    from pathlib import Path

_T = TypeVar("_T")


def check_kind(name: str, value: object, *kinds: type) -> None:
    """Make sure that a field has a value of one of these types."""
    if not isinstance(value, kinds):
        wanted = " or ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
        raise TypeError(f"{name} must be {wanted}, not {described(value)}")


def check_type(value: object, name: str, wanted: str, kinds: type | tuple[type, ...]) -> None:
    """Make sure that an argument is of one of these types; `wanted` says which they are."""
    if not isinstance(value, kinds):
        raise TypeError(f"{name} must be {wanted}, not {described(value)}")


def check_iterable(values: object, name: str, members: str) -> None:
    """Make sure that an argument is an iterable, and no text."""
    check_several(values, f"{name} must be an iterable of {members}")


def check_callback(function: object, name: str, wanted: str = "a function") -> None:
    """Make sure that an argument can be called, or is None."""
    if function is not None and not callable(function):
        raise TypeError(f"{name} must be {wanted} or None, not {described(function)}")


def tuple_of(name: str, values: Iterable[_T], kind: type[_T]) -> tuple[_T, ...]:
    """Make a tuple of values of one type."""
    check_kind(name, values, Iterable)
    values = tuple(islice(values, LONGEST_LINE + 1))
    if len(values) > LONGEST_LINE:
        raise ValueError(f"{name} must have {LONGEST_LINE:,} members at most")
    for index, value in enumerate(values):
        check_kind(f"{name}[{index}]", value, kind)
    return values


def read_json(text: str | bytes) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Read JSON in which no object has a key twice."""
    import json

    return json.loads(text, object_pairs_hook=_object)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {shown(key)} is there twice")
        found[key] = value
    return found


def check_name(name: object, argument: str, names: Iterable[str]) -> str:
    """Check a name against those that there are."""
    if not isinstance(name, str):
        raise TypeError(f"{argument} must be a str, not {described(name)}")
    if name not in names:
        raise ValueError(f"{argument} must be one of {', '.join(names)}, not {shown(name)}")
    return name


def check_method(method: object, choices: tuple[str, ...]) -> str:
    """Check which of the ways to do the same was chosen."""
    if isinstance(method, str) and method in choices:
        return method
    names = " or ".join(repr(choice) for choice in choices)
    raise ValueError(f"method must be {names}, not {shown(method)}")


def check_flag(value: object, name: str) -> bool:
    """Check an argument that is True or False, and nothing that Python takes for one of them."""
    if value is True or value is False:
        return value
    raise TypeError(f"{name} must be True or False, not {described(value)}")


def check_quiescence(quiescence: object) -> bool:
    """Check how leaves are valued, and tell whether captures are played out there."""
    if quiescence is None or (isinstance(quiescence, str) and quiescence == "captures"):
        return quiescence is not None
    wanted = "quiescence must be 'captures' or None"
    if isinstance(quiescence, str):
        raise ValueError(f"{wanted}, not {shown(quiescence)}")
    raise TypeError(f"{wanted}, not {described(quiescence)}")


def check_on_error(on_error: object) -> None:
    """Check what is to be done about bad boards."""
    if not isinstance(on_error, str) or on_error not in ("raise", "return"):
        raise ValueError(f"on_error must be 'raise' or 'return', not {shown(on_error)}")


def check_order(
    order: object, *, with_data: bool = True
) -> tuple[tuple[tuple[str, int], ...], str]:
    """Check the `order` argument of a search: its keys with their seeds, and how it is written."""
    if not isinstance(order, str):
        raise TypeError(
            f"order must be a str such as 'mvv_lva' or 'hash_move+killers', not {described(order)}"
        )
    keys: list[tuple[str, int]] = []
    for part in order.split("+"):
        name, colon, digits = part.partition(":")
        if name not in ORDERS:
            where = "" if part == order else f" in {shown(order)}"
            raise ValueError(
                f"order must be one of {', '.join(ORDERS)}, or several joined by '+', "
                f"not {shown(part)}{where}"
            )
        if any(name == known for known, _ in keys):
            raise ValueError(f"order must not name {name} twice, as {shown(order)} does")
        if name in ORDERS_NEEDING_DATA and not with_data:
            raise ValueError(f"order '{name}' needs an evaluation as data, not a callable")
        keys.append((name, _seed_of_order(name, digits) if colon else 0))
    text = "+".join(f"{name}:{seed}" if seed else name for name, seed in keys)
    return tuple(keys), text


def _seed_of_order(name: str, digits: str) -> int:
    if name != "random":
        raise ValueError(f"order {name!r} takes no seed, not {shown(f'{name}:{digits}')}")
    # int() takes signs, spaces, underscores and digits of other scripts, too.
    seed = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 20 else -1
    if not 0 <= seed < 2**64:
        raise ValueError(
            f"the seed of order 'random' must be between 0 and {2**64 - 1}, "
            f"not as in {shown(f'random:{digits}')}"
        )
    return seed


MAX_EVALUATION = 89_999
"""The greatest static score, won or lost, that an evaluation may give. Centipawns.

Greater ones are those of mates.
"""


Trace: TypeAlias = Callable[[str], object]
"""What the searches take as `trace`: it is called with each line."""


def not_over(board: chess.Board) -> ValueError:
    """Say that a game has no end to be valued."""
    return ValueError(f"the game is not over in {board.fen()}, which has not occurred three times")


def check_trace(trace: Trace | None) -> Trace | None:
    """Check the `trace` argument of a search."""
    check_callback(trace, "trace", "a function such as print,")
    return trace


def check_unrecorded(recorded: bool, name: str) -> None:
    """Refuse what a search that is recorded cannot do besides."""
    if recorded:
        hint = ": Tree.trace() tells it" if name == "trace" else ""
        raise TypeError(f"{name} is for a search that is not recorded{hint}")


def check_evaluation(evaluation: object) -> Callable[[chess.Board], object]:
    """Check an `evaluation` that is to be called."""
    if callable(evaluation):
        return evaluation
    wanted = "evaluation must be an Evaluation, its name, a callable (chess.Board) -> int, or None"
    if isinstance(evaluation, str):
        raise ValueError(f"{wanted}, not {shown(evaluation)}")
    raise TypeError(f"{wanted}, not {described(evaluation)}")


def is_same_function(one: object, other: object) -> bool:
    """Tell whether two functions are one; a method is a new object each time it is looked up."""
    if type(one) is type(other) is MethodType:
        return one.__self__ is other.__self__ and one.__func__ is other.__func__
    return one is other


def check_evaluation_score(score: object) -> int:
    """Check what an evaluation has returned."""
    wanted = "evaluation must return an int (centipawns, White's view)"
    number = as_int(score, wanted)
    if abs(number) > MAX_EVALUATION:
        raise ValueError(
            f"evaluation must return centipawns between -{MAX_EVALUATION} and "
            f"{MAX_EVALUATION}, not {shown(number)}"
        )
    return number


def check_cache(cache: object, cache_type: type[_T]) -> _T | None:
    """Check the `cache` argument of a search."""
    if cache is None or isinstance(cache, cache_type):
        return cache
    wanted, kind = cache_type.__name__, one_line(type(cache).__name__, 40)
    if kind == wanted:
        wanted, kind = f"{cache_type.__module__}.{wanted}", f"{type(cache).__module__}.{kind}"
    raise TypeError(f"cache must be a {wanted} or None, not {kind}")


def check_sss_cache(cache: object, method: str, transpositions: bool) -> None:
    """Refuse a cache that SSS* would not use."""
    if cache is None or (method == "table" and transpositions):
        return
    given = "method='list'" if method == "list" else "transpositions=False"
    raise ValueError(f"cache needs method='table' and transpositions=True, not {given}")


def check_table(table: object) -> None:
    """Refuse what is no table."""
    raise TypeError(f"table must be a betacut.engine.Table or None, not {described(table)}")


def check_tablebase(tablebase: _T | None) -> _T | None:
    """Check the `tablebase` argument of a search."""
    if tablebase is None or callable(getattr(tablebase, "probe_dtm", None)):
        return tablebase
    raise TypeError(f"tablebase must have a method probe_dtm(), not {described(tablebase)}")


def check_plies_to_mate(plies: object, board: chess.Board) -> int:
    """Check the answer of a tablebase."""
    try:
        count = as_int(plies, "")
    except TypeError:
        count = None
    if count is None or abs(count) > MAX_PLIES_TO_MATE:
        raise ValueError(
            f"probe_dtm must return the plies to mate, an int, not {shown(plies)} for "
            f"{board.fen(en_passant='fen')} (at most {MAX_PLIES_TO_MATE}, won or lost)"
        )
    return count


def check_writable(path: "Path", name: str = "write") -> None:
    """Make sure, before any work is done, that a file can be where it is wanted."""
    try:
        is_directory, has_place = path.is_dir(), path.parent.is_dir()
        is_allowed = os.access(path if path.exists() else path.parent, os.W_OK)
    except (OSError, ValueError):  # too long, or with a null character
        is_directory = has_place = is_allowed = False
    if is_directory or not has_place or not is_allowed:
        reason = "may not be written" if has_place else "has no directory to be in"
        reason = "is a directory" if is_directory else reason
        raise ValueError(f"cannot {name} to {shown_path(path)}: it {reason}")


def check_file(path: str | PathLike[str], prefix: str = "") -> None:
    """Make sure that a path leads to a file: to open a pipe or a device may take for ever."""
    from pathlib import Path

    if "\0" in os.fsdecode(path):
        raise OSError(f"{prefix}{shown_path(path)} has a null character in it")
    if not Path(path).exists():
        raise FileNotFoundError(f"{prefix}there is no file {shown_path(path)}")
    if not Path(path).is_file():
        raise OSError(f"{prefix}{shown_path(path)} is no regular file")
