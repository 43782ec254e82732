"""Which module reads and writes which file."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from pathlib import Path
from types import NoneType
from typing import Any

from betacut.core.arguments import check_type
from betacut.core.messages import described, one_line, shown, shown_path
from betacut.core.positions import named_position
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats import moves
from betacut.datasets.formats.base import (
    PathLike,
    Range,
    Sink,
    Source,
    cannot_read,
    is_folder,
    without_errors,
)
from betacut.datasets.formats.csv import CsvSink, CsvSource
from betacut.datasets.formats.epd import EpdSink, EpdSource
from betacut.datasets.formats.filter import Filter
from betacut.datasets.formats.jsonl import JsonSink, JsonSource
from betacut.datasets.formats.parquet import ArrowSink, ArrowSource, ParquetSink, ParquetSource
from betacut.datasets.formats.pgn import ABOUT, PgnSink, PgnSource
from betacut.datasets.formats.text import COMPRESSIONS, FenSource
from betacut.datasets.packages import Arrow, compute, pa
from betacut.datasets.places import place_of

# The format of a file by the end of its name.
SUFFIXES = {".parquet": "parquet", ".csv": "csv", ".tsv": "csv", ".epd": "epd"}
SUFFIXES |= {".fen": "fen", ".txt": "fen", ".jsonl": "jsonl", ".ndjson": "jsonl"}
SUFFIXES |= {".arrow": "arrow", ".feather": "arrow", ".pgn": "pgn"}

SOME_GAMES = 1000  # in how many games tags are looked for

TEXTS = ("csv", "epd", "fen", "jsonl", "pgn")  # the formats that may be compressed

# What reads and writes files, by their format; PGN is read by `PgnSource`, which takes more.
SOURCES: dict[str, Callable[[Path, str | None], Source]]
SOURCES = {"parquet": ParquetSource, "csv": CsvSource, "epd": EpdSource, "fen": FenSource}
SOURCES |= {"jsonl": JsonSource, "arrow": ArrowSource}
SINKS: dict[str, Callable[..., Sink]]
SINKS = {"parquet": ParquetSink, "csv": CsvSink, "epd": EpdSink, "pgn": PgnSink}
SINKS |= {"jsonl": JsonSink, "arrow": ArrowSink}
WRITTEN = {end: kind for end, kind in SUFFIXES.items() if kind in SINKS and end != ".tsv"}


def format_of(path: Path) -> str | None:
    """The format of a file by its name."""
    name = path.name.lower()
    found = next((SUFFIXES[suffix] for suffix in SUFFIXES if name.endswith(suffix)), None)
    if found is None and path.suffix.lower() in COMPRESSIONS:
        found = SUFFIXES.get(Path(path.stem).suffix.lower())
        return found if found in TEXTS else None
    return found


def _unknown(path: Path, folder: Path | None = None) -> DatasetError:
    known = f"{', '.join(SUFFIXES)}; of texts and games also {', '.join(COMPRESSIONS)}"
    hint = ""
    if path.suffix.lower() in (".gz", ".bz2", ".xz", ".zip", ".zst", ".7z"):
        hint = "; unpack it first, or into a pipe: xzcat games.pgn.xz | betacut annotate - OUT"
    elif folder is not None:
        hint = "; let its name begin with a dot or _ to have it passed over, or name the files"
    return cannot_read(path, f"what is in it? the names of files end in {known}{hint}")


def find_sources(paths: Iterable[PathLike]) -> list[Path]:
    """Find the files of positions, each once, in folders by name; passed over are `.…` and `_…`."""
    found: dict[Path, Path] = {}
    for path in map(place_of, paths):
        if not is_folder(path):
            if format_of(path) is None:
                raise _unknown(path)
            found.setdefault(path.absolute(), path)
            continue
        files = list(_files(path))
        if not files:
            raise cannot_read(path, f"no file in it ends in {', '.join(SUFFIXES)}")
        others = [file for file in files if format_of(file) is None]
        if others:
            raise _unknown(others[0], path)
        for file in files:
            found.setdefault(file.absolute(), file)
    if not found:
        raise DatasetError("there is no file to read: give files or folders")
    return [*found.values()]


def _files(folder: Path) -> Iterator[Path]:
    """The files of a folder and of the folders in it, in the order of their names."""
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    except OSError as error:
        raise cannot_read(folder, error) from None
    for entry in entries:
        if entry.name.startswith((".", "_")):
            continue
        if entry.is_dir():
            yield from _files(entry)
        else:
            yield entry


def open_source(
    path: PathLike,
    *,
    fen_column: str | None = None,
    every: int = 1,
    skip_book: int = 0,
    where: str | None = None,
    tags: Iterable[str] = (),
) -> Source:
    """Open a file that positions are read from.

    `where` compares columns, joined with and, or, not, such as `"white_elo >= 2000 and result ==
    '1-0'"`; of PGN it may use names of tags such as `time_control`, which become columns, as those
    of `tags` do ("TimeControl" is `time_control`). Rows with an error are kept unless the condition
    is surely false for them. The other arguments are those of `Configuration`.
    """
    path = place_of(path)
    for name, number, least in (("every", every, 1), ("skip_book", skip_book, 0)):
        if isinstance(number, bool) or not isinstance(number, int):
            raise TypeError(f"{name} must be an int, not {described(number)}")
        if not least <= number < 1 << 31:
            raise DatasetError(f"{name} must be at least {least}, not {shown(number)}")
    check_type(fen_column, "fen_column", "a str", (str, NoneType))
    kind = format_of(path)
    if kind is None:
        raise _unknown(path)
    wanted = None if where is None else Filter(where)
    tags = [*tags]
    if kind == "pgn":
        names = frozenset() if wanted is None else wanted.names
        source: Source = PgnSource(path, fen_column, every, skip_book, tags, names)
    elif every != 1 or skip_book or tags:
        raise DatasetError(
            f"every, skip_book and tags are about games, and {shown_path(path)} has none"
        )
    else:
        source = SOURCES[kind](path, fen_column)
    if wanted is None:
        return source
    check_where(wanted, source.schema, [*getattr(source, "on_request", ()), *MATERIAL])
    return Filtered(source, wanted)


def columns_of(path: PathLike) -> list[tuple[str, str, str]]:
    """List the columns that a file of positions offers: name, type, and what is to be known of it.

    Of games, these are the usual ones, those of tags that the first games have, and those that
    `tags` adds besides. A column of tags is asked for by the name of the tag.
    """
    source = open_source(path)
    about = {source.fen_column: "the positions"}
    if isinstance(source, PgnSource):
        tags = source.tags_of(SOME_GAMES)
        about |= ABOUT
        about |= {column: f"on request, {tag}" for column, tag in tags.items()}
        about |= {name: f"on request: {text}" for name, text in moves.ABOUT.items()}
        source = open_source(path, tags=[*tags, *moves.ABOUT])
    return [(field.name, str(field.type), about.get(field.name, "")) for field in source.schema]


MATERIAL = {"phase": {"[NBnb]": 1, "[Rr]": 2, "[Qq]": 4}, "men": {"[A-Za-z]": 1}}
"""Numbers that a filter may name: of which letters of a FEN they are sums."""


def _material(wanted: Filter, names: Sequence[str]) -> list[str]:
    """Which of these numbers a filter asks for, and means no column."""
    return [name for name in MATERIAL if name in wanted.names and name not in names]


def check_where(wanted: Filter, schema: Arrow, others: Sequence[str] = ()) -> None:
    """Make sure that a filter fits columns, and what is counted."""
    counted = [(name, pa.int32()) for name in _material(wanted, schema.names)]
    wanted.check_columns(pa.schema([*schema, *counted]), others)


def with_material(batch: Arrow, wanted: Filter, fen_column: str) -> Arrow:
    """The columns that a filter sees: those of rows, and what it counts."""
    for name in _material(wanted, batch.schema.names):
        fens = batch.column(batch.schema.names.index(fen_column)).cast(pa.string())
        board = compute.replace_substring_regex(compute.utf8_trim_whitespace(fens), r"\s.*", "")
        if not compute.all(compute.match_substring(board, "/")).as_py():
            boards = [one and named_position(one).split()[0] for one in board.to_pylist()]
            board = pa.array(boards, pa.string())
        parts = [
            compute.multiply(compute.count_substring_regex(board, letters), worth)
            for letters, worth in MATERIAL[name].items()
        ]
        batch = batch.append_column(name, reduce(compute.add, parts).cast(pa.int32()))
    return batch


class Filtered:
    """A file of which some rows are read."""

    def __init__(self, source: Source, wanted: Filter) -> None:
        self.inner = source
        self.path, self.format = source.path, source.format
        self.schema, self.fen_column = source.schema, source.fen_column
        self._wanted = wanted
        self.dropped = 0  # how many rows were left out

    def ranges(self, rows: int) -> Iterator[Range]:
        """Cut the file, as if all rows were read."""
        return self.inner.ranges(rows)

    def read(self, piece: Range) -> Iterator[Any]:
        """Read a piece."""
        for batch in self.inner.read(piece):
            own = without_errors(batch)
            try:
                seen = with_material(own, self._wanted, self.fen_column)
                rows = self._wanted.apply(batch, seen)
            except pa.ArrowException as error:
                raise cannot_read(self.path, f"where: {one_line(str(error), 200)}") from None
            self.dropped += batch.num_rows - rows.num_rows
            if rows.num_rows:
                yield rows


def open_sink(
    path: PathLike,
    schema: Arrow,
    *,
    format: str,
    metadata: dict[str, str],
    source: Source | None,
    prefix: str,
) -> Sink:
    """Begin a file that rows are written to. What it holds is lost.

    The metadata is what the file is to say of itself: the footer of Parquet, comment lines of EPD
    and PGN; CSV has no place for it. The source is what the rows are from; PGN needs it, for its
    games are written. The prefix stands before the names of the columns that a search has added.
    """
    if format not in SINKS:
        raise DatasetError(f"format must be one of {', '.join(SINKS)}, not {shown(format)}")
    return SINKS[format](path, schema, metadata, source, prefix)
