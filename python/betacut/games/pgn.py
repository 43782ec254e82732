"""The games of PGN, from files and texts: one reader for all that takes games.

The compiled module cuts the games and reads tags and main lines, as it does for
`betacut.datasets`; python-chess adds comments and variations. Text is UTF-8 or else Latin-1, which
the standard of PGN asks for. A game that cannot be read to its end is read as far as it can be.
"""

import bz2
import gzip
import io
import re
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import chess
import chess.pgn

from betacut import _betacut
from betacut.core.arguments import check_type
from betacut.core.messages import one_line, shown_path

TOKEN = re.compile(rb"(\{[^}]*\})|;[^\r\n]*|(?<![^\r\n])%[^\r\n]*|[()]")
"""What has to be known to find the comments of a line: comments, escaped lines, variations."""

LINE_END = re.compile(rb"\r*\n|\r")
"""How a line may end; CR CR LF ends one."""

STANDARD_INPUT = "-"  # the name under which games are read from the standard input

NOT_READ = "Of a variation, not read"
"""How the comment begins that stands in place of the rest of a variation."""


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Keeps the errors of the main line in the game, and those of variations in comments."""

    # After an error in a variation python-chess reads the main line on a wrong board; so the rest
    # of that variation is passed over here.

    def begin_game(self) -> None:
        super().begin_game()
        self._lost = 0  # how deep the variation is that cannot be read on; 0 if there is none

    def begin_variation(self) -> chess.pgn.SkipType | None:  # type: ignore[override]
        if not self._lost:
            super().begin_variation()
            return None
        self.variation_stack.append(self.variation_stack[-1])
        return chess.pgn.SKIP

    def end_variation(self) -> None:
        super().end_variation()
        if len(self.variation_stack) < self._lost:
            self._lost = 0
        self.in_variation = True  # what follows is said of the move before, not of the next one

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType | None:
        depth = len(self.variation_stack)
        if depth > 1 and not self._lost:
            try:
                self.parse_san(board, san)
            except ValueError as error:
                self._lost = depth
                node = self.variation_stack[-1 if self.in_variation else -2]
                remark = f"{NOT_READ}: {_reason(error)}."
                node.comment = f"{node.comment} {remark}".strip()
        return chess.pgn.SKIP if self._lost else None

    def visit_nag(self, nag: int) -> None:
        if not self._lost:
            super().visit_nag(nag)

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


class Exporter(chess.pgn.StringExporter):
    """Writes the escapes of tags, which python-chess leaves out."""

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Write a tag."""
        super().visit_header(tagname, escaped(tagvalue))


def escaped(value: str) -> str:
    """The value of a tag as it is written."""
    return re.sub(r'(["\\])', r"\\\1", value)


def parsed(text: str) -> chess.pgn.Game | None:
    """Parse a game that was written by python-chess."""
    return chess.pgn.read_game(io.StringIO(text), Visitor=_Builder)


class GameText(NamedTuple):
    """A game as it stands in a file; `rest_at` is the byte from which it cannot be read."""

    number: int
    offset: int
    text: bytes
    tags: list[tuple[str, str]]
    moves_at: int
    moves: list[str]
    fault: str | None
    rest_at: int

    def game(self) -> chess.pgn.Game:
        """Make a game of it; what could not be read is in its `errors` and its last comment."""
        # python-chess knows no escapes in tags.
        head = "".join(f'[{name} "{value}"]\n' for name, value in _known(self.tags))
        moves = LINE_END.sub(b"\n", self.text[self.moves_at : self.rest_at])
        game = parsed(f"{head}\n{decoded(TOKEN.sub(_in_braces, moves))}\n")
        game = chess.pgn.Game() if game is None else game
        read = _cut(game, self.moves)
        if self.fault is not None:
            game.errors.insert(0, ValueError(self.fault))
        elif read < len(self.moves) and not game.errors:
            game.errors.append(ValueError(f"ply {read + 1} can be read in more than one way"))
        rest = decoded(self.text[self.rest_at :]).strip()
        if rest and self.moves:
            last = game.end()
            last.comment = f"{last.comment} Not read: {_plain(rest)}".strip()
        return game

    def with_remark(self, remark: str) -> str:
        """Write the game as it stands there, with a remark before its moves."""
        head = decoded(self.text[: self.moves_at]).strip()
        moves = decoded(closed(self.text, self.moves_at)[self.moves_at :]).strip()
        between = "\n\n" if head else ""
        return f"{head}{between}{{ {_plain(remark)} }}\n{moves}".rstrip()


MARKS = {b"(\xb5/\xfd": ".zst", b"\x1f\x8b": ".gz", b"BZh": ".bz2"}
"""How compressed files begin, and what may follow `.pgn` in their names."""

COMPRESSED = (*MARKS.values(),)


def is_compressed(path: str | PathLike[str]) -> bool:
    """Whether a file is a compressed one, by its name."""
    return Path(path).suffix.lower() in COMPRESSED


def opened(path: str | PathLike[str]) -> Any:  # noqa: ANN401 - a path or a stream
    """What the compiled module reads a file by: its path, or the stream of what is in it."""
    openers: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open}
    opener = openers.get(Path(path).suffix.lower())
    return path if opener is None else opener(path)


def read_file(path: str | PathLike[str]) -> Iterator[GameText]:
    """Read the games of a file, plain or as `.pgn.zst`, `.pgn.gz` or `.pgn.bz2`."""
    check_type(path, "path", "a str or a path", (str, PathLike))
    compressed = is_compressed(path)
    start, stop = (1, 1 << 62) if compressed else (0, 1 << 62)
    try:
        reader = _betacut.PgnReader(opened(path), compressed, start, stop, 0, 1, 0, [])
        yield from _games(reader)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
    except EOFError as error:
        raise OSError(None, f"its compression is cut short ({error})", str(path)) from None


def cannot_read(path: str | PathLike[str], error: OSError) -> ValueError:
    """Build the error for a file that cannot be read, or not to its end."""
    reason = re.sub(r" \(os error \d+\)$", "", str(error.strerror))  # as Rust adds it
    return ValueError(f"cannot read {shown_source(path)}: {reason}")


def shown_source(path: str | PathLike[str]) -> str:
    """Write as messages do where games are read from."""
    return "the standard input" if path == STANDARD_INPUT else shown_path(path)


def read_text(text: str) -> Iterator[GameText]:
    """Read the games of a text."""
    return read_bytes(text.encode("utf-8", "replace"))


def read_bytes(text: bytes) -> Iterator[GameText]:
    """Read the games of a text as files have it."""
    return _games(_betacut.PgnReader.of_text(text))


def _games(reader: _betacut.PgnReader) -> Iterator[GameText]:
    while (found := reader.game()) is not None:
        yield GameText(*found)


def move_number(board: chess.Board) -> str:
    """The number before the move that is to be made: `12.`, or `12...` of Black."""
    return f"{board.fullmove_number}{'.' if board.turn == chess.WHITE else '...'}"


def moves_until_fault(game: chess.pgn.Game) -> tuple[list[chess.Move], str]:
    """The legal moves of a main line, and why they end before the game does; else nothing."""
    board, until = game.board(), ""
    moves: list[chess.Move] = []
    for move in game.mainline_moves():
        number = move_number(board)
        if not board.is_legal(move):
            kind = "" if move else ": it is a null move"
            return moves, f"{number} {board.uci(move) if move else '--'} is not legal{kind}{until}"
        until = f"; it is read up to {number} {board.san(move)}"
        moves.append(move)
        board.push(move)
    reason = _reason(game.errors[0]) if game.errors else ""
    return moves, reason if not reason or "it is read up to" in reason else f"{reason}{until}"


def without_illegal(game: chess.pgn.Game) -> chess.pgn.Game:
    """Copy a game; its illegal moves, and what follows them, cannot be written but in comments."""
    found = chess.pgn.Game(game.headers)
    found.comment, found.errors = game.comment, game.errors
    waiting: list[tuple[chess.pgn.GameNode, chess.pgn.GameNode, chess.Board]]
    waiting = [(game, found, game.board())]
    while waiting:
        node, twin, board = waiting.pop()
        for number, child in enumerate(node.variations):
            # Without the main move, a variation would be taken for it.
            is_lost = number > 0 and not twin.variations
            if is_lost or (child.move and not board.is_legal(child.move)):
                line = " ".join(move.uci() for move in (child.move, *child.mainline_moves()))
                twin.comment = f"{twin.comment} Not read: {line}".strip()
                continue
            following = twin.add_variation(
                child.move,
                comment=child.comment,
                starting_comment=child.starting_comment,
                nags=child.nags,
            )
            after = board.copy(stack=False)
            after.push(child.move)
            waiting.append((child, following, after))
    return found


def _known(tags: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The tags, with a variant as python-chess writes it; without one that it does not know."""
    for name, value in tags:
        if name == "Variant":
            value = re.sub(".*(960|fischer).*", "Chess960", value, flags=re.IGNORECASE | re.DOTALL)
            try:
                chess.pgn.Headers({name: value}).variant()
            except ValueError:  # standard chess, or the reader has found the fault
                continue
        yield name, value


def _in_braces(token: re.Match[bytes]) -> bytes:
    """A comment that ends with its line as one in braces, which python-chess keeps."""
    found = token.group()
    if found[:1] != b";":
        return found
    return b"{ " + found[1:].replace(b"{", b"(").replace(b"}", b")").strip() + b" }"


def _cut(game: chess.pgn.Game, moves: list[str]) -> int:
    """Cut a main line off where it leaves these moves; return how many of them it has."""
    node: chess.pgn.GameNode = game
    try:
        board = game.board()
    except ValueError:  # there is no such position
        return 0
    read = 0
    for uci in moves:
        following = node.next()
        if following is None or board.parse_uci(uci) != following.move:
            break
        node, read = following, read + 1
        board.push(following.move)
    node.variations.clear()
    return read


def decoded(text: bytes) -> str:
    """Decode the text of a game: each line is in UTF-8, or else in Latin-1."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        lines = text.split(b"\n")
    return "\n".join(map(decoded, lines)) if len(lines) > 1 else text.decode("latin-1")


def closed(text: bytes, moves_at: int) -> bytes:
    """Close the last comment of a game if it is open, for it would swallow the games after it."""
    is_open = b"{" in TOKEN.sub(b"", text[moves_at:])
    return text.rstrip() + b" }" if is_open else text


def _plain(text: str) -> str:
    """Text as it may stand in a comment."""
    return " ".join(text.replace("{", "(").replace("}", ")").split())


def _reason(error: Exception) -> str:
    """What python-chess says is wrong, without the position; or what this reader says."""
    return one_line(re.sub(r"^(\w+ san: '.*') in .*", r"\1", str(error)), 200)
