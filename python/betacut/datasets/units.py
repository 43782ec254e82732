"""Units: the work, cut into pieces that know everything they need.

A unit is a piece of one file and the question. It is plain data, so it can be pickled or written as
JSON and run anywhere that sees the files: by threads, by processes, by a cluster, by the hundred in
an array of jobs. Its part of the output has a name that depends on the unit alone.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from betacut.core.arguments import check_name, read_json
from betacut.core.messages import described, did_you_mean, one_line, shown, shown_path
from betacut.datasets.annotation import ON_ERROR, check_columns, fields_of
from betacut.datasets.configuration import Configuration
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import SHOWN, PathLike, Range, Source, cannot_read
from betacut.datasets.formats.csv import unfit_for_csv
from betacut.datasets.formats.filter import Filter
from betacut.datasets.formats.jsonl import unfit_for_jsonl
from betacut.datasets.formats.parquet import unfit_for_parquet
from betacut.datasets.formats.registry import (
    SINKS,
    WRITTEN,
    check_where,
    find_sources,
    format_of,
    open_source,
)
from betacut.datasets.packages import Arrow, pa, require
from betacut.datasets.parts import InputFile, Manifest, Output, inputs_digest, part_name
from betacut.datasets.places import is_distant, place_of
from betacut.datasets.programs import identified


@dataclass(frozen=True)
class Unit:
    """A piece of the work.

    Attributes:
        index: Its number, from 0, in the order of the input.
        piece: What is to be read.
        part: The name of the file that is to be written.
        out: The folder in which it is to be.
        configuration: What is asked.
        on_error: "skip" or "stop", at a row that cannot be read or searched.
        size: The size of the file that is read, in bytes.
        inputs: 16 hexadecimal digits that tell the files of the whole work from others.
        units: How many units the whole work has.
    """

    index: int
    piece: Range
    part: str
    out: str
    configuration: Configuration
    on_error: str
    size: int
    inputs: str
    units: int

    @property
    def rows(self) -> int:
        """About how many positions it has."""
        if self.piece.kind == "rows":
            return self.piece.stop - self.piece.start
        return self.configuration.unit_rows

    @property
    def path(self) -> Path:
        """Where its part is to be."""
        return place_of(self.out) / self.part

    @property
    def output(self) -> Output:
        """The folder in which it is to be."""
        return Output(self.path.parent, self.path.parent, self.path.suffix)

    @property
    def manifest(self) -> Manifest:
        """What the folder of the parts says of the work, as far as a unit knows."""
        return Manifest(self.configuration, self.inputs, self.units)

    def to_json(self) -> str:
        """Write it as JSON, on one line."""
        facts = {**asdict(self), "configuration": self.configuration.to_dict()}
        return json.dumps({**facts, "piece": self.piece.to_json()})

    @classmethod
    def from_json(cls, text: str) -> "Unit":
        """Read what `to_json` has written.

        Raises:
            DatasetError: If it is none.
        """
        try:
            facts: dict[str, Any] = read_json(text)
            facts["configuration"] = Configuration.from_dict(facts["configuration"])
            facts["piece"] = Range.from_json(facts["piece"])
            unit = cls(**facts)
            unit._check()
        except (ValueError, TypeError, KeyError) as error:
            raise DatasetError(
                f"not the JSON of a unit: {shown(text)} ({one_line(str(error), 200)})"
            ) from None
        return unit

    def _check(self) -> None:
        """Make sure that its values are of the right types."""
        for name in ("index", "size", "units"):
            value = getattr(self, name)
            if type(value) is not int or value < 0:
                raise TypeError(f"{name} must be an int of 0 or more, not {shown(value)}")
        for name in ("part", "out", "inputs"):
            if not isinstance(getattr(self, name), str):
                raise TypeError(f"{name} must be a str, not {shown(getattr(self, name))}")
        check_name(self.on_error, "on_error", ON_ERROR)


@dataclass(frozen=True)
class Plan:
    """The whole work."""

    units: list[Unit]
    manifest: Manifest
    output: Output
    source: Source  # the first file, whose columns an output that is one file has
    fresh: bool = False  # whether what earlier runs have done is thrown away


def units(
    src: PathLike | Iterable[PathLike],
    out: PathLike,
    *,
    on_error: str = "skip",
    **options: Any,  # noqa: ANN401 - the fields of Configuration
) -> list[Unit]:
    """Cut the work into units. Nothing is written.

    `run` does a unit, anywhere and in any order; a unit that is done already is not done again.
    `annotate`, which explains the arguments, finds with the same ones what was done, does what is
    missing, and joins the parts if the output is one file.

    Returns:
        The units, in the order of the input.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If one is out of range.
        DatasetError: If a file cannot be read, or the output would have two columns of one name.
        ImportError: If pyarrow is not installed.

    Examples:
        >>> import pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "a.fen").write_text("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1")
        >>> [unit.part for unit in units(folder / "a.fen", folder / "out", depth=2)]
        ['part-00000000.parquet']
    """
    return plan(src, out, on_error=on_error, **options).units


def plan(
    src: PathLike | Iterable[PathLike],
    out: PathLike,
    *,
    on_error: str = "skip",
    format: str | None = None,
    **options: Any,  # noqa: ANN401 - the fields of Configuration
) -> Plan:
    """Cut the work into units, and say where everything goes."""
    require("pyarrow")
    check_name(on_error, "on_error", ON_ERROR)
    _check_names(options)
    target = place_of(out, "out")
    if is_distant(target) and str(target).startswith(("http:", "https:")):
        raise DatasetError(f"cannot write {shown_path(target)}: http is for reading")
    written, single = _format_of(target, format)
    configuration = Configuration(format=written, **options)
    suffix = f".{written}"
    given = _paths(src)
    paths = [path.absolute() for path in find_sources(given)]
    if not is_distant(target) and not os.path.isdir(target.absolute().parent):
        raise DatasetError(f"cannot write to {shown_path(target)}: it has no directory to be in")
    place = target.absolute()
    folder = place.with_name(f"{place.name}.parts") if single else place
    output = Output(place, folder, suffix)
    _check_apart(given, paths, output)
    _check_games(paths, configuration)
    sources = [_open(path, configuration) for path in paths]
    for source in sources:
        check_columns(source.schema.names, configuration)
        _check_written(source, configuration)
        check_selection(configuration, source)
    if single:
        _check_alike(sources)
    configuration = identified(configuration)
    files = tuple(InputFile.of(path) for path in paths)
    digest = inputs_digest(files)
    pieces = [
        (file.size, piece)
        for file, source in zip(files, sources, strict=True)
        for piece in source.ranges(configuration.unit_rows)
    ]
    found = [
        Unit(
            index=index,
            piece=piece,
            part=part_name(index, suffix),
            out=str(output.folder),
            configuration=configuration,
            on_error=on_error,
            size=size,
            inputs=digest,
            units=len(pieces),
        )
        for index, (size, piece) in enumerate(pieces)
    ]
    return Plan(found, Manifest(configuration, digest, len(found), files), output, sources[0])


def open_piece(unit: Unit) -> Source:
    """Open the file of a unit."""
    path = place_of(unit.piece.path)
    try:
        size = path.stat().st_size
    except OSError as error:
        raise cannot_read(path, error) from None
    if size != unit.size:
        message = f"{shown_path(path)} has changed: it had {unit.size} bytes and has {size} now; "
        raise DatasetError(f"{message}give the old file back, or start again with --fresh")
    return _open(path, unit.configuration)


def output_schema(source: Source, configuration: Configuration) -> Arrow:
    """The columns of the output."""
    return pa.schema([*source.schema, *fields_of(configuration)])


def _open(path: Path, configuration: Configuration) -> Source:
    is_of_games = format_of(path) == "pgn"
    return open_source(
        path,
        fen_column=configuration.fen_column,
        every=configuration.every if is_of_games else 1,
        skip_book=configuration.skip_book if is_of_games else 0,
        where=None if where_after(configuration) else configuration.where,
        tags=configuration.tags if is_of_games else (),
    )


def where_after(configuration: Configuration) -> Filter | None:
    """The filter, if it names what a search finds."""
    found = None if configuration.where is None else Filter(configuration.where)
    return found if found and not found.names.isdisjoint(configuration.placed) else None


def check_selection(asked: Configuration, source: Source) -> None:
    """Make sure that there is what rows are chosen by."""
    if asked.sample is not None and not {"game", "ply"} <= set(source.schema.names):
        raise DatasetError("sample is of games: it needs the columns game and ply, as of PGN")
    if (where := where_after(asked)) is not None:
        check_where(where, output_schema(source, asked))
    names = {name for _, name in asked.placed.values()}
    for option, needed in (("quiet_only", ("best_moves",)), ("balance", ("cp", "mate"))):
        if getattr(asked, option) and not names.issuperset(needed):
            message = f"{option} goes by {' and '.join(needed)}: name them in columns, too"
            raise DatasetError(message)


def _check_names(options: Mapping[str, object]) -> None:
    """Make sure that the configuration has such options."""
    known = [one.name for one in fields(Configuration)]
    for name in options:
        if name not in known:
            hint = did_you_mean(name, known, f"they are {', '.join(known)}")
            raise TypeError(f"there is no option {shown(name)}{hint}")


def _check_games(paths: list[Path], configuration: Configuration) -> None:
    """Make sure that there are games, if something is asked of games."""
    if configuration.every == 1 and not configuration.skip_book and not configuration.tags:
        return
    if not any(format_of(path) == "pgn" for path in paths):
        message = "every, skip_book and tags (--every, …) are about games, and there are none "
        raise DatasetError(f"{message}in {shown_path(paths[0])}")


def _paths(src: object) -> list[Path]:
    if isinstance(src, (str, bytes, bytearray, os.PathLike)) or hasattr(src, "protocol"):
        return [place_of(src, "src")]
    if not isinstance(src, Iterable):
        raise TypeError(f"src must be a path or some of them, not {described(src)}")
    return [place_of(one, "src") for one in src]


def _format_of(out: Path, given: object) -> tuple[str, bool]:
    """The format of the output, and whether it is one file."""
    chosen = None if given is None else check_name(given, "format", SINKS)
    suffix = out.suffix.lower()
    is_here = not is_distant(out)
    if not suffix or (is_here and os.path.isdir(out)):
        if is_here and os.path.lexists(out) and not os.path.isdir(out):
            message = f"{shown_path(out)} is a file, and a name without a dot is one of a folder: "
            raise DatasetError(f"{message}take another name")
        return chosen or "parquet", False
    by_suffix = WRITTEN.get(suffix)
    if by_suffix is None:
        known = ", ".join(WRITTEN)
        message = f"cannot write {shown_path(out)}: end the name with {known}, or take a folder, "
        raise DatasetError(f"{message}whose name has no dot")
    if chosen not in (None, by_suffix):
        raise DatasetError(f"format {chosen!r} does not go with the name of {shown_path(out)}")
    return by_suffix, True


def _check_written(source: Source, configuration: Configuration) -> None:
    """Make sure that the format of the output can hold what is found."""
    if configuration.format == "pgn" and source.format != "pgn":
        message = f"PGN is for games, and {shown_path(source.path)} has none: write Parquet, CSV "
        raise DatasetError(f"{message}or EPD")
    if configuration.format in SHOWN:
        if len(configuration.questions) > 1:
            raise DatasetError(
                f"{configuration.format.upper()} has room for one search: write Parquet or CSV"
            )
        needed = SHOWN[configuration.format]
        if not {*needed} & {*configuration.added}:
            message = "there is no result to be written: ask for at least one of the columns "
            raise DatasetError(f"{message}{', '.join(needed)}")
    tests = {"csv": unfit_for_csv, "parquet": unfit_for_parquet, "jsonl": unfit_for_jsonl}
    test = tests.get(configuration.format)
    if test is not None and (reason := test(source.schema)) is not None:
        name = {"csv": "CSV", "parquet": "Parquet", "jsonl": "JSON lines"}[configuration.format]
        raise DatasetError(f"cannot write {shown_path(source.path)} as {name}: {reason}")


def _check_apart(given: list[Path], paths: list[Path], output: Output) -> None:
    """Make sure that nothing is written into what is read, whatever links lead there."""
    place, parts = output.path.resolve(), output.folder.resolve()
    for folder in given:
        if folder.resolve() in place.parents:
            message = f"{shown_path(output.path)} would be in {shown_path(folder)}, which is read"
            raise DatasetError(f"{message}: write to another place")
    for path in paths:
        found = path.resolve()
        if found == place:
            raise DatasetError(f"{shown_path(path)} is a file that is read: write to another one")
        if parts in found.parents:
            message = f"{shown_path(path)} is read, and {shown_path(output.path)}, its folder, "
            raise DatasetError(f"{message}is where the results would go: take another one")


def _check_alike(sources: list[Source]) -> None:
    """Make sure that several files can become one."""
    first = sources[0]
    for other in sources[1:]:
        if not first.schema.equals(other.schema):
            message = f"{shown_path(first.path)} and {shown_path(other.path)} have other columns: "
            raise DatasetError(f"{message}take a folder for the results, a name without a dot")


def shard_of(units: list[Unit], shard: object) -> Iterator[Unit]:
    """Choose the units of one of several jobs."""
    if shard is None:
        yield from units
        return
    pair = tuple(shard) if isinstance(shard, (tuple, list)) else ()
    if len(pair) != 2 or not all(type(one) is int for one in pair):
        raise TypeError(f"shard must be a pair of int, (i, n), not {described(shard)}")
    number, count = pair
    if not 1 <= number <= count < 2**32:
        raise ValueError(f"shard must be (i, n) with i from 1 to n, not {shown(shard)}")
    yield from (unit for unit in units if unit.index % count == number - 1)
