"""PGN: a row for each position of the games, and games with evaluations in their comments.

Read, plain or compressed: the columns `fen`, `game` (its number in the file), `ply`, `move` (the
move played next), `white`, `black`, `result`, `date`, `event`, `site`, `eco`, and the tags and the
columns of `moves` that are asked for. A game that cannot be read to its end gives the positions up
to there, and one row with an error.

Written: the games of the input as they are, with `[%eval 0.30,12]` or `[%eval #-3]`, White's view,
after each move of the main line whose position was searched, in place of the evaluation that was
there. Games of which no row is written are left out.
"""

import re
from collections.abc import Generator, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, cast

from betacut import _betacut
from betacut.core.messages import described, shown, shown_path
from betacut.datasets import places
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats import moves
from betacut.datasets.formats.base import (
    BATCH_ROWS,
    Metadata,
    PathLike,
    Range,
    ResultFile,
    Source,
    cannot_read,
    cannot_write,
    check_names,
    with_errors,
)
from betacut.datasets.formats.evaluations import annotated
from betacut.datasets.formats.text import COMPRESSIONS, READERS, file_size
from betacut.datasets.packages import Arrow, compute, pa
from betacut.datasets.places import is_distant
from betacut.games import pgn


def _column(tag: object) -> str:
    """The column of a tag: `TimeControl` is `time_control`, `UTCDate` is `utc_date`."""
    if not isinstance(tag, str):
        raise TypeError(f"tags must be strings, not {described(tag)}")
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_+#=:-]*", tag) is None:
        raise DatasetError(f"tags must be names of PGN such as TimeControl, not {shown(tag)}")
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", tag).lower()


def _columns(tags: str) -> dict[str, str]:
    """The columns of tags, and the tags."""
    return {_column(tag): tag for tag in tags.split()}


TAGS = _columns("White Black Result Date Event Site ECO")  # those that are always there
# Columns of numbers; null where the tag is none.
NUMBERS = _columns("WhiteElo BlackElo WhiteRatingDiff BlackRatingDiff PlyCount")

# Columns that a condition may name without asking for their tags.
MORE_TAGS = _columns(
    "Round TimeControl Termination Opening Variation Variant Annotator Mode Time UTCDate "
    "UTCTime EventDate WhiteTitle BlackTitle WhiteTeam BlackTeam WhiteType BlackType WhiteFideId "
    "BlackFideId"
)


ABOUT = {
    "fen": "the position, after so many plies",
    "game": "the number of the game in the file, from 1",
    "ply": "how many plies were played before, from 0",
    "move": "the move played next, UCI; null after the last one",
}

TAG = re.compile(rb"^\[([A-Za-z0-9][A-Za-z0-9_+#=:-]*)\s", re.MULTILINE)


class PgnSource:
    """A file of PGN."""

    format = "pgn"

    def __init__(
        self,
        path: Path,
        fen_column: str | None,
        every: int,
        skip_book: int,
        tags: list[str],
        wanted: frozenset[str],
    ) -> None:
        self.path = path
        file_size(path)
        self._compressed = path.suffix.lower() in COMPRESSIONS
        self._every, self._skip_book = every, skip_book
        self._tags = dict(TAGS)
        for tag in tags:
            if tag in moves.ABOUT:
                continue
            if (column := _column(tag)) in ABOUT:
                raise DatasetError(
                    f"{column} is a column of all games: the tag {tag} cannot be one"
                )
            self._tags.setdefault(column, tag)
        known = {**NUMBERS, **MORE_TAGS}
        self._tags |= {name: known[name] for name in known if name in wanted}
        own = {"fen": pa.string(), "game": pa.int64(), "ply": pa.int32(), "move": pa.string()}
        own |= {name: pa.int32() if name in NUMBERS else pa.string() for name in self._tags}
        self._told = pa.schema(own.items())  # what the reader tells
        self._more = [name for name in moves.ABOUT if name in wanted or name in tags]
        kinds = moves.kinds()
        self.schema = pa.schema([*self._told, *((name, kinds[name]) for name in self._more)])
        self.fen_column = check_names(path, self.schema.names, fen_column)
        self._piece = self._whole

    @property
    def _whole(self) -> Range:
        """All of the file, however long it is."""
        start = 1 if self._compressed else 0
        return Range(str(self.path), start, 1 << 62, "games" if self._compressed else "bytes")

    def ranges(self, rows: int) -> Iterator[Range]:
        """Cut the file between games."""
        try:
            pieces = _betacut.pgn_pieces(
                self._bytes(), self._compressed, max(rows, 1), self._every, self._skip_book
            )
        except (OSError, EOFError) as error:
            raise self._damaged(error) from None
        for start, stop, before in pieces:
            yield Range(str(self.path), start, stop, self._whole.kind, before)

    def _bytes(self) -> Any:  # noqa: ANN401 - a path or a stream
        """What the compiled module reads."""
        if not is_distant(self.path):
            return pgn.opened(self.path)
        stream = places.opened(self.path)
        way = COMPRESSIONS.get(self.path.suffix.lower())
        return stream if way is None else pa.input_stream(stream, way, buffer_size=1 << 20)

    def _damaged(self, error: Exception, number: int | None = None) -> DatasetError:
        """The error of a file that cannot be read on."""
        if isinstance(error, OSError) and (error.errno is not None or not self._compressed):
            return cannot_read(self.path, error)
        where = "" if number is None else f" after game {number}"
        how = "is cut short" if isinstance(error, EOFError) else "is damaged"
        reason = f"its compression {how}{where} ({error}); get the whole file"
        return cannot_read(self.path, reason)

    def _key(self) -> tuple[object, ...]:
        """What readers that can stand in for each other have in common."""
        about = self.path.stat()
        file = (str(self.path.absolute()), about.st_size, about.st_mtime_ns, about.st_ino)
        return (*file, self._every, self._skip_book, *self._tags.values())

    def _reader(self, piece: Range) -> _betacut.PgnReader:
        try:
            if self._compressed:
                reader = READERS.take(self._key(), piece.start, piece.stop)
                if reader is not None:
                    return cast(_betacut.PgnReader, reader)
            return _betacut.PgnReader(
                self._bytes(),
                self._compressed,
                piece.start,
                piece.stop,
                piece.first,
                self._every,
                self._skip_book,
                list(self._tags.values()),
            )
        except (OSError, EOFError) as error:
            raise self._damaged(error) from None

    def read(self, piece: Range) -> Iterator[Any]:
        """Read a piece."""
        self._piece = piece
        schema = pa.schema([*self._told, pa.field("error", pa.string())])
        more = moves.Moves(self._more, self.texts(piece.first + 1))
        reader = self._reader(piece)
        while True:
            try:
                found = reader.read(BATCH_ROWS)
            except (OSError, EOFError) as error:
                raise self._damaged(error, reader.number) from None
            if found is None:
                self._leave(reader)
                return
            rows, columns = found
            arrays = [
                self._array(rows, field, *buffers)
                for field, buffers in zip(schema, columns, strict=True)
            ]
            batch = pa.RecordBatch.from_arrays(arrays, schema=schema)
            if self._more:
                own = [*batch.columns[:-1], *more.of(batch)]
                errors = batch.column(batch.num_columns - 1)
                batch = with_errors(pa.RecordBatch.from_arrays(own, schema=self.schema), errors)
            yield batch

    def tags_of(self, games: int) -> dict[str, str]:
        """The tags of the first games that are no columns yet, by the names of their columns."""
        found: dict[str, str] = {}
        for _, text, ends in islice(self.texts(1), games):
            for tag in TAG.findall(text[: ends[0]]):
                found.setdefault(_column(tag.decode()), tag.decode())
        known = {*self._tags, *ABOUT, *moves.ABOUT, _column("SetUp")}
        return {column: tag for column, tag in found.items() if column not in known}

    @property
    def on_request(self) -> list[str]:
        """Columns that a condition may name, or that `tags` adds."""
        names = [*list(NUMBERS)[:2], *moves.ABOUT, *NUMBERS, *MORE_TAGS]
        return [name for name in dict.fromkeys(names) if name not in self.schema.names]

    def _leave(self, reader: _betacut.PgnReader) -> None:
        """Keep a reader for the pieces that come after this one."""
        if self._compressed:
            with suppress(OSError):
                READERS.leave(self._key(), reader)

    def _array(
        self, rows: int, field: Arrow, validity: bytes | None, offsets: bytes | None, data: bytes
    ) -> Arrow:
        if offsets is None:
            return pa.Array.from_buffers(field.type, rows, [None, pa.py_buffer(data)])
        buffers = [None if validity is None else pa.py_buffer(validity)]
        buffers += [pa.py_buffer(offsets), pa.py_buffer(data)]
        texts = pa.Array.from_buffers(pa.string(), rows, buffers)
        if field.name not in NUMBERS:
            return texts
        is_number = compute.match_substring_regex(texts, r"^\s*[+-]?\d{1,5}\s*$")
        numbers = compute.if_else(is_number, texts, pa.scalar(None, pa.string()))
        return compute.utf8_ltrim(compute.utf8_trim_whitespace(numbers), "+").cast(pa.int32())

    def texts(self, game: int) -> Generator[tuple[int, bytes, list[int]]]:
        """The games as they stand in the file."""
        begins = self._piece if self._piece.first < game else self._whole
        if self._compressed:
            begins = Range(begins.path, game, 1 << 62, "games", game - 1)
        reader = self._reader(Range(begins.path, begins.start, 1 << 62, begins.kind, begins.first))
        while True:
            try:
                found = reader.text()
            except (OSError, EOFError) as error:
                raise self._damaged(error, reader.number) from None
            if found is None:
                return
            try:
                yield found
            except GeneratorExit:
                self._leave(reader)
                raise


class PgnSink(ResultFile):
    """Games with evaluations that are being written."""

    format = "pgn"
    mark = "%"

    def __init__(
        self, path: PathLike, schema: Arrow, metadata: Metadata, source: Source | None, prefix: str
    ) -> None:
        source = getattr(source, "inner", source)
        if not isinstance(source, PgnSource):
            kind = "nothing" if source is None else f"{shown_path(source.path)}, {source.format}"
            reason = f"PGN holds games, and the positions are from {kind}; write Parquet, CSV or "
            raise cannot_write(path, f"{reason}EPD, or read PGN")
        super().__init__(path, schema, metadata, source, prefix)
        self._file_of_games = source
        self._texts: Generator[tuple[int, bytes, list[int]]] | None = None
        self._game = 0
        self._rows: list[dict[str, Any]] = []
        if metadata:
            self.put("\n")

    def write(self, batch: Arrow) -> None:
        """Write the games that end in these rows."""
        names = ("game", "ply", "fen")
        for found, own in self.rows(batch, *names):
            row = {**found, **dict(zip(names, own, strict=True))}
            if row["game"] != self._game:
                self._put_game()
                self._game, self._rows = row["game"], []
            self._rows.append(row)

    def finish(self) -> None:
        """Write the last game, make sure that all is on the disk, and close the file."""
        try:
            self._put_game()
            self._rows = []
        finally:
            if self._texts is not None:
                self._texts.close()
            super().finish()

    def _put_game(self) -> None:
        if not self._rows:
            return
        if self._texts is None:
            self._texts = self._file_of_games.texts(self._game)
        for number, text, ends in self._texts:
            if number == self._game:
                self.put(annotated(text, ends, self._rows))
                return
        reason = f"game {self._game} is not there any more"
        raise cannot_read(self._file_of_games.path, reason)
