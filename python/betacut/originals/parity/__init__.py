"""Parity: what the other published programs answered, next to what betacut answers.

The golden records are JSON lines, one for each position, algorithm and depth: what the original
program answered, what it counted and how long it took. `run` puts betacut's answers next to them:

    >>> from betacut.originals import parity
    >>> parity.Comparison({"score": (2, 2), "move": ("c4d5", "c4d5")}).differences()
    []

A program takes part by a module with a function `compare(record) -> Comparison` and an entry in
`PROGRAMS`. The function answers the record with betacut, or raises `LeftAside` with the reason why
this record cannot be compared. What is the same for all programs is done here: impossible
positions must be refused, searches that the original did not finish and those of an opening book,
whose file is not betacut's, are left aside, and where the original crashed, `OriginalCrashError` is
the right answer. A record that cannot be read or answered is reported with its place (`Fault`), and
the others are compared all the same.

The functions raise `TypeError` for what is no record or path, and `ValueError` for a program that
there is not, or a record that lacks something or is wrong.
"""

import importlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any, TypeVar

import chess

from betacut.core.arguments import described, one_line, read_json, shown
from betacut.core.catalogue import ORIGINALS
from betacut.core.exceptions import InvalidPositionError, OriginalCrashError
from betacut.originals.shared import uci

__all__ = [
    "PROGRAMS",
    "Comparison",
    "Difference",
    "Fault",
    "LeftAside",
    "Record",
    "Report",
    "Row",
    "board_of",
    "compare",
    "label",
    "moves_of",
    "records",
    "run",
    "timed",
]

PROGRAMS: Mapping[str, str] = {name: f"{__name__}.{name}" for name in ORIGINALS}
"""The programs: name (and name of the file of records) to the module with its `compare`."""

REFUSED = "refused"  # the aspect of an impossible position: it raises `InvalidPositionError`
CRASHED = "crashed"  # the aspect of a crash: whether the original crashes here
LABEL = 160  # the length of a record's name, in characters

SHORT = 0.01
"""A search that took less is repeated, and the best of three counts. CPU seconds."""

Record = Mapping[str, Any]
"""One golden record: a line of the file."""

_T = TypeVar("_T")


class LeftAside(Exception):  # noqa: N818 - no error: a record that cannot be compared
    """A record is not compared; the text says why."""


@dataclass(frozen=True)
class Comparison:
    """One record, answered.

    Attributes:
        aspects: What is compared (`"score"`, `"move"`, `"calls"`, …): the original's, betacut's.
        seconds: What betacut's search took. CPU seconds; 0.0 if there is nothing to compare.
    """

    aspects: Mapping[str, tuple[object, object]]
    seconds: float = 0.0

    def differences(self) -> list[str]:
        """The aspects that are not the same."""
        return [name for name, (theirs, ours) in self.aspects.items() if theirs != ours]


@dataclass(frozen=True)
class Difference:
    """One aspect of one record that is not the same: the original's, betacut's."""

    record: str
    aspect: str
    original: object
    betacut: object


@dataclass(frozen=True)
class Fault:
    """A record that could not be read or answered.

    Attributes:
        program: The program.
        place: The file and the line.
        reason: What is wrong.
    """

    program: str
    place: str
    reason: str


@dataclass
class Row:
    """One algorithm of one program.

    Attributes:
        program: The program.
        algorithm: The algorithm, as the records name it.
        compared: The number of records compared.
        same: For each aspect, in how many records it is the same, and in how many it was compared.
        differences: What is not the same.
        left_aside: Records that were not compared: their labels and the reasons.
        original_seconds: What the original took for the records with a time. CPU seconds.
        seconds: What betacut took for the same records. CPU seconds.
    """

    program: str
    algorithm: str
    compared: int = 0
    same: dict[str, tuple[int, int]] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    left_aside: list[tuple[str, str]] = field(default_factory=list)
    original_seconds: float = 0.0
    seconds: float = 0.0

    @property
    def speed(self) -> float | None:
        """How many times faster betacut is; None if no record has a time."""
        return self.original_seconds / self.seconds if self.seconds else None

    def add(self, record: Record, comparison: Comparison) -> None:
        """Count one record."""
        different = comparison.differences()
        theirs_took = record.get("seconds") or 0.0
        if not isinstance(theirs_took, (int, float)):
            raise TypeError(f"seconds must be a number, not {described(theirs_took)}")
        self.compared += 1
        for aspect, (theirs, ours) in comparison.aspects.items():
            same, looked_at = self.same.get(aspect, (0, 0))
            self.same[aspect] = (same + (aspect not in different), looked_at + 1)
            if aspect in different:
                self.differences.append(Difference(label(record), aspect, theirs, ours))
        if comparison.seconds and theirs_took:
            self.original_seconds += theirs_took
            self.seconds += comparison.seconds


@dataclass(frozen=True)
class Report:
    """All rows, and the records that could not be read or answered."""

    rows: tuple[Row, ...]
    faults: tuple[Fault, ...] = ()

    @property
    def differences(self) -> list[tuple[str, Difference]]:
        """Everything that is not the same, with its program."""
        return [(row.program, one) for row in self.rows for one in row.differences]


def records(program: str, golden: Path) -> Iterator[Record]:
    """Read the records of a program, in the order of its file; an error names the place."""
    for place, record in _lines(program, golden):
        if isinstance(record, ValueError):
            raise ValueError(f"{place}: {record}") from record
        yield record


def _lines(program: str, golden: Path) -> Iterator[tuple[str, Record | ValueError]]:
    """Read the lines of a program's file: the place of each, and the record or what is wrong."""
    _check_program(program)
    if not isinstance(golden, Path):
        raise TypeError(f"golden must be a pathlib.Path, not {described(golden)}")
    file = golden / f"{program}.jsonl"
    where = one_line(str(golden))
    try:
        opened = file.open("rb")
    except (OSError, ValueError) as error:
        reason = one_line(getattr(error, "strerror", None) or str(error))
        message = f"there are no golden records in {where} ({file.name}: {reason}): name "
        message += "their directory with --golden, such as tests/golden of a checkout"
        raise ValueError(message) from None
    is_empty = True
    with opened as lines:
        for number, line in enumerate(lines, start=1):
            if not line.isspace():
                is_empty = False
                yield f"{file.name}:{number}", _read(line)
    if is_empty:
        raise ValueError(f"there are no golden records in {where} ({file.name} is empty)")


def _check_program(program: object) -> None:
    if not isinstance(program, str) or program not in PROGRAMS:
        raise ValueError(f"unknown program {shown(program)}; there are {', '.join(PROGRAMS)}")


def _read(line: bytes) -> Record | ValueError:
    """Read a line, or say what is wrong with it."""
    try:
        record = read_json(line.decode())
    except (ValueError, RecursionError) as error:
        return ValueError(f"no JSON: {one_line(str(error))}")
    if not isinstance(record, dict):
        return ValueError(f"a record must be an object, not {described(record)}")
    for name in ("id", "algo"):
        if not isinstance(record.get(name), str):
            return ValueError(f"{name} must be a text, not {described(record.get(name))}")
    return record


def board_of(record: Record) -> chess.Board:
    """Set up the position of a record, even an impossible one, its history on the move stack."""
    fen, moves = _field(record, "fen"), record.get("moves", ())
    if not isinstance(fen, str):
        raise ValueError(f"fen must be a text, not {described(fen)}")
    if not isinstance(moves, (list, tuple)) or not all(isinstance(move, str) for move in moves):
        raise ValueError(f"moves must be a list of moves in UCI notation, not {described(moves)}")
    try:
        board = chess.Board(fen)
        for move in moves:
            board.push_uci(move)
    except ValueError as error:
        raise ValueError(one_line(str(error), 2 * LABEL)) from None
    return board


def _field(record: Record, name: str) -> Any:  # noqa: ANN401 - it may be anything
    """Read a field that every record must have."""
    if not isinstance(record, Mapping):
        raise TypeError(f"record must be a mapping, not {described(record)}")
    if name not in record:
        raise ValueError(f"the record has no {name}")
    return record[name]


def label(record: Record) -> str:
    """Name a record: its id, algorithm, mode, depth and parameters."""
    parts = [str(_field(record, "id")), str(_field(record, "algo"))]
    if record.get("mode") is not None:
        parts.append(str(record["mode"]))
    if record.get("depth") is not None:
        parts.append(f"depth {record['depth']}")
    others = record.get("params")
    if isinstance(others, Mapping):
        parts += [f"{name}={value}" for name, value in others.items()]
    return one_line(" ".join(parts), LABEL)


def moves_of(record: Record) -> list[str | None]:
    """The moves of a game in UCI notation, and None at the end if the original crashed there."""
    plies = _field(record, "plies")
    if not isinstance(plies, list) or not all(isinstance(ply, list) and ply for ply in plies):
        raise ValueError(f"plies must be a list of lists, not {described(plies)}")
    moves = [ply[0] for ply in plies]
    return [*moves, None] if "error" in record and None not in moves[-1:] else moves


def replayed(
    record: Record, choose: Callable[[chess.Board], tuple[chess.Move | None, Any]]
) -> tuple[list[tuple[str | None, Any]], chess.Board]:
    """Play as many plies as the record has, to the first without a move: moves, scores, board."""
    board = board_of(record)
    plies: list[tuple[str | None, Any]] = []
    for _ in moves_of(record):
        move, score = choose(board)
        plies.append((uci(move), score))
        if move is None:
            break
        board.push(move)
    return plies, board


def moves_and_scores(
    record: Record, plies: list[tuple[str | None, Any]], read: Callable[[Any], object]
) -> dict[str, tuple[object, object]]:
    """Compare the moves of a replayed game, and their scores, which `read` reads."""
    return {
        "move": (moves_of(record), [move for move, _ in plies]),
        "score": (
            [read(score) for move, score in record["plies"] if move is not None],
            [score for move, score in plies if move is not None],
        ),
    }


def outcome_of(board: chess.Board) -> list[Any] | None:
    """How a game ended, as the records tell it: the reason and the winner."""
    outcome = board.outcome()
    return [outcome.termination.name, outcome.winner] if outcome else None


def aspects(
    record: Record, answer: object, table: Mapping[str, tuple[str, str]]
) -> dict[str, tuple[object, object]]:
    """Compare fields of a record with attributes of an answer, by a table of both for each aspect.

    Examples:
        >>> aspects({"size": 3, "hits": 5}, 3 + 4j, {"memory": ("size hits", "real imag")})
        {'memory': ((3, 5), (3.0, 4.0))}
    """
    return {
        name: (itemgetter(*fields.split())(record), _plain(attrgetter(*attributes.split())(answer)))
        for name, (fields, attributes) in table.items()
    }


def _plain(value: object) -> object:
    """Write moves and mappings as the records do."""
    if isinstance(value, chess.Move):
        return value.uci()
    if isinstance(value, tuple):
        plain = tuple(map(_plain, value))
        return list(plain) if all(isinstance(one, chess.Move) for one in value) else plain
    return dict(value) if isinstance(value, Mapping) else value


def timed(search: Callable[[], _T]) -> tuple[_T, float]:
    """Run a search, a short one three times; what it returned, and the best CPU seconds."""
    start = time.process_time()
    result = search()
    best = time.process_time() - start
    if best < SHORT:
        for _ in range(2):
            start = time.process_time()
            search()
            best = min(best, time.process_time() - start)
    return result, best


def compare(program: str, record: Record) -> Comparison:
    """Answer one record of a program; `LeftAside` says that it cannot be compared."""
    _check_program(program)
    _field(record, "algo")
    error = str(record.get("error", ""))
    if error.startswith("timeout"):
        limit = one_line(error.removeprefix("timeout>").removesuffix(" CPU"))
        raise LeftAside(f"the original did not finish within {limit} of CPU time")
    if record["algo"] == "opening_book":
        book = _field(record, "book")
        raise LeftAside(f"it needs the opening book {book}, whose file is not betacut's")
    valid = bool(record.get("valid", True))
    answer: Callable[[Record], Comparison] = importlib.import_module(PROGRAMS[program]).compare
    try:
        comparison = answer(record)
    except InvalidPositionError:
        return Comparison({REFUSED: (not valid, True)})
    except OriginalCrashError:
        return Comparison({CRASHED: ("error" in record, True)})
    except (LookupError, AttributeError, TypeError, ArithmeticError) as error:
        raise ValueError(
            f"malformed record: {type(error).__name__}: {one_line(str(error), LABEL)}"
        ) from error
    return comparison if valid else Comparison({REFUSED: (True, False)})


def run(
    golden: Path,
    programs: Iterable[str] = tuple(PROGRAMS),
    *,
    seen: Callable[[str], object] = lambda label: None,
) -> Report:
    """Answer all records, telling `seen` the label of each before: a row for each algorithm."""
    rows: dict[tuple[str, str], Row] = {}
    faults = []
    for program in dict.fromkeys(programs):
        for place, record in _lines(program, golden):
            if isinstance(record, ValueError):
                faults.append(Fault(program, place, str(record)))
                continue
            name = label(record)
            seen(f"{program}: {name}")
            try:
                _add(rows, program, record)
            except Exception as error:  # whatever it is, the other records are to be compared
                reason = one_line(f"{type(error).__name__}: {error}", 2 * LABEL)
                faults.append(Fault(program, place, f"{name}: {reason}"))
    return Report(tuple(rows.values()), tuple(faults))


def _add(rows: dict[tuple[str, str], Row], program: str, record: Record) -> None:
    """Answer a record, and count it in its row."""
    try:
        answered: Comparison | LeftAside = compare(program, record)
    except LeftAside as reason:
        answered = reason
    algorithm = one_line(record["algo"])
    row = rows.setdefault((program, algorithm), Row(program, algorithm))
    if isinstance(answered, LeftAside):
        row.left_aside.append((label(record), str(answered)))
    else:
        row.add(record, answered)
