"""The checks of numbers: depths, windows, counts, sizes, seconds."""

import math
import operator
from collections.abc import Callable
from functools import partial
from numbers import Integral
from typing import TypeGuard

from betacut.core.constants import INFINITY, MAX_DEPTH, MAX_TABLE_MB, MAX_THREADS
from betacut.core.messages import described, shown


def as_int(value: object, wanted: str) -> int:
    """Turn an integer of any kind (numpy's too, but no bool) into an `int`."""
    if not isinstance(value, bool):
        try:
            return operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            pass
    raise TypeError(f"{wanted}, not {described(value)}")


def _as_int(value: object, name: str, unit: str) -> int:
    return as_int(value, f"{name} must be an int ({unit})" if unit else f"{name} must be int")


def check_between(number: object, name: str, unit: str, least: int, most: int) -> int:
    """Check a number that has a range."""
    value = _as_int(number, name, unit)
    if not least <= value <= most:
        ends = f"between {least} and {most} {unit}".rstrip()
        raise ValueError(f"{name} must be {ends}, not {shown(value)}")
    return value


def _range(name: str, unit: str, least: int, most: int) -> Callable[[object], int]:
    """Make the check of an argument that has this range wherever it is taken."""
    return lambda number: check_between(number, name, unit, least, most)


check_width = _range("width", "centipawns", 1, INFINITY)  # half of an aspiration window
check_reduction = _range("reduction", "plies", 1, MAX_DEPTH)
check_mate_moves = _range("moves", "moves", 1, MAX_DEPTH // 2)
check_table_mb = _range("table_mb", "mebibytes", 1, MAX_TABLE_MB)
check_mb = _range("mb", "mebibytes", 1, MAX_TABLE_MB)
check_tree_size = _range("nodes", "nodes", 1, 2**64 - 1)
check_line_length = _range("width", "characters", 30, 10_000)


def check_score(score: object, name: str, limit: int) -> int:
    """Check a score."""
    return check_between(score, name, "centipawns", -limit, limit)


def check_guess(guess: object) -> int | None:
    """Check the score at which a search begins to look, or None."""
    return None if guess is None else check_score(guess, "guess", INFINITY)


def check_count(count: object, name: str, unit: str, least: int = 0) -> int:
    """Check a number of things."""
    number = _as_int(count, name, unit)
    if not least <= number < 2**32:
        raise ValueError(
            f"{name} must be {least} or more and less than 2**32 ({unit}), not {shown(number)}"
        )
    return number


check_full_moves = partial(check_count, name="full_moves", unit="moves", least=1)


def check_depth(depth: object, least: int = 1, name: str = "depth") -> int:
    """Check a search depth in plies."""
    return check_between(depth, name, "plies", least, MAX_DEPTH)


def check_search_depth(depth: object) -> int:
    """Check the depth of a search that can be limited in other ways."""
    if depth is None:
        raise TypeError("a search needs a limit: give depth (plies), nodes or time (seconds)")
    return check_depth(depth)


def check_quiescence_depth(depth: object) -> int:
    """Check the depth at which a quiescence search starts: 0, -1, -2, …."""
    plies = _as_int(depth, "depth", "plies")
    if not -MAX_DEPTH <= plies <= 0:
        raise ValueError(
            f"depth must be between -{MAX_DEPTH} and 0 plies in quiescence, not {shown(plies)}"
        )
    return plies


def check_window(alpha: object = None, beta: object = None) -> tuple[int, int]:
    """Check a window of scores."""
    low = -INFINITY if alpha is None else check_score(alpha, "alpha", INFINITY)
    high = INFINITY if beta is None else check_score(beta, "beta", INFINITY)
    if low >= high:
        raise ValueError(f"alpha must be less than beta, not alpha={low}, beta={high}")
    return low, high


def _check_limit(limit: object, name: str, unit: str) -> int:
    """Check what can be a limit, where None is another way to say that there is none."""
    number = _as_int(limit, name, unit)
    if number < 1:
        raise ValueError(f"{name} must be 1 or more, or None for no limit, not {shown(number)}")
    return number


check_nodes = partial(_check_limit, name="nodes", unit="nodes")


def check_max_entries(max_entries: object) -> int | None:
    """Check the size limit of a cache."""
    return None if max_entries is None else _check_limit(max_entries, "max_entries", "positions")


def check_threads(threads: object) -> int:
    """Check a number of threads."""
    count = _as_int(threads, "threads", "threads")
    if not 1 <= count <= MAX_THREADS:
        raise ValueError(f"threads must be between 1 and {MAX_THREADS}, not {shown(count)}")
    return count


def check_multipv(multipv: object) -> int:
    """Check a number of lines."""
    if isinstance(multipv, str):
        if multipv == "all":
            return 1 << 16
        raise ValueError(f"multipv must be 1 or more (moves) or 'all', not {shown(multipv)}")
    lines = _as_int(multipv, "multipv", "moves, or 'all'")
    if lines < 1:
        raise ValueError(f"multipv must be 1 or more (moves) or 'all', not {shown(lines)}")
    return lines


def check_seed(seed: object) -> int:
    """Check the seed of a fuzz."""
    number = _as_int(seed, "seed", "0 or more")
    if not 0 <= number < 2**64:
        raise ValueError(f"seed must be between 0 and {2**64 - 1}, not {shown(number)}")
    return number


def is_seconds(value: object) -> TypeGuard[float]:
    """Whether a value is a number that durations may be given as, NumPy's among them."""
    return isinstance(value, (float, Integral)) and not isinstance(value, bool)


def check_seconds(seconds: object, name: str) -> float:
    """Check a duration."""
    if not is_seconds(seconds):
        raise TypeError(f"{name} must be a number (seconds), not {described(seconds)}")
    if not seconds >= 0:
        raise ValueError(f"{name} must be 0.0 or more seconds, not {shown(seconds)}")
    try:
        return float(seconds)
    except OverflowError:
        return math.inf


def check_positive_seconds(seconds: object, name: str) -> float:
    """Check a duration that is to come to an end, but not at once."""
    if is_seconds(seconds) and not seconds > 0:
        raise ValueError(f"{name} must be greater than 0, not {shown(seconds)}")
    duration = check_seconds(seconds, name)
    if math.isinf(duration):
        raise ValueError(f"{name} must be finite, not {shown(seconds)}")
    return duration
