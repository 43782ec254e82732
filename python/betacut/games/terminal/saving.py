"""Games of a person in PGN: written so that they can be gone on with, and read again."""

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import chess
import chess.engine
import chess.pgn

from betacut.core.arguments import as_board, check_count, check_type
from betacut.core.files import replace_files
from betacut.core.messages import one_line, shown, shown_path
from betacut.games.clock import Clock
from betacut.games.limits import check_game_limit, limit_fields
from betacut.games.pgn import Exporter, cannot_read, is_compressed, read_bytes, read_file
from betacut.games.terminal.game import Game, Ply

COLOR, AGAINST, LIMIT = "BetacutColor", "BetacutAgainst", "BetacutLimit"
"""The tags that say how to go on."""

PROGRAMS = ("uci:", "xboard:")  # how the names of opponents begin that are programs


@dataclass(frozen=True, slots=True)
class Place:
    """Where a game is in a file."""

    path: Path
    number: int
    text: bytes = field(repr=False, compare=False)  # the game as it stands there


@dataclass(frozen=True, slots=True)
class Saved:
    """A game that was read, and how it was played, as far as the file says so."""

    board: chess.Board
    plies: list[Ply]
    place: Place | None  # where it can be saved
    color: chess.Color | None = None
    against: str | None = None
    limit: chess.engine.Limit | None = None
    clock: Clock | None = None
    result: str = "*"
    text: bytes = field(default=b"", repr=False)  # the game as it was read

    @property
    def own_place(self) -> Place | None:
        """Where the game is gone on with: in its place, if it is one of ours that is not over."""
        return self.place if self.color is not None and self.result == "*" else None

    def opponent(self) -> str | None:
        """Whom the game was played against. What a file names is not run: no program."""
        if self.against is not None and self.against.startswith(PROGRAMS):
            raise ValueError(
                f"the opponent is the program {shown(self.against)}, which a file does not start: "
                "name it with --against"
            )
        return self.against


def to_pgn(game: Game, place: Place | None = None) -> chess.pgn.Game:
    """Write a game as PGN, with the clocks and the player's scores in comments.

    What stands in its place, or where it was loaded from, stays: names, other tags, comments, signs
    and variations.
    """
    text = game.text if place is None else place.text
    pgn = next(read_bytes(text)).game() if text else chess.pgn.Game()
    old = dict(pgn.headers) if text else {}
    _set_moves(pgn, game.board)
    side = chess.COLOR_NAMES[game.color]
    person = old.get(side.capitalize()) if old.get(COLOR) == side else None
    players = [person or "Human", game.name]
    white, black = players if game.color == chess.WHITE else reversed(players)
    for name in ("TimeControl", LIMIT, "Termination"):
        pgn.headers.pop(name, None)
    pgn.headers.update(
        {
            "Event": old.get("Event", "betacut play"),
            "Date": old.get("Date", date.today().strftime("%Y.%m.%d")),
            "White": white,
            "Black": black,
            "Result": game.end.result if game.end else "*",
            COLOR: side,
            AGAINST: game.name,
        }
    )
    if game.clock is not None:
        pgn.headers["TimeControl"] = f"{game.clock.seconds:g}+{game.clock.increment:g}"
    elif game.limit is not None:
        limits = limit_fields(game.limit).items()
        pgn.headers[LIMIT] = ",".join(f"{name}={value}" for name, value in limits if value)
    if game.end is not None:
        pgn.headers["Termination"] = game.end.reason
    for node, ply in zip(pgn.mainline(), game.plies, strict=True):
        if ply.score is not None:
            node.set_eval(ply.score, ply.depth)
        if ply.times is not None:
            node.set_clock(max(ply.times[0 if node.turn() == chess.BLACK else 1], 0.0))
    return pgn


def _set_moves(pgn: chess.pgn.Game, board: chess.Board) -> None:
    """Make the moves of a board the main line; what stands beside those that are there stays."""
    pgn.setup(board.root())
    node: chess.pgn.GameNode = pgn
    for move in board.move_stack:
        following = node.next()
        if following is None or following.move != move:
            del node.variations[:1]
            following = node.add_main_variation(move)
        node = following
    node.variations.clear()


def check_plain(path: Path) -> None:
    """Make sure that a game can be added to a file."""
    if is_compressed(path):
        raise ValueError(f"{shown_path(path)} is compressed: games are saved as plain PGN")


def place_in(path: Path, known: Place | Path | None) -> Place | Path:
    """Where a game is to be saved in a file: in its place, if that is known and in the file."""
    if isinstance(known, Place):
        with suppress(OSError, ValueError):
            if path == known.path or path.samefile(known.path):
                return known
    return path


def save_game(game: Game, place: Path | Place) -> Place:
    """Write a game to a file. Other games in it stay as they are."""
    path, known = (place, None) if isinstance(place, Path) else (place.path, place)
    text = f"{to_pgn(game, known).accept(Exporter(columns=100))}\n\n".encode()
    check_plain(path)
    old, games = (path.read_bytes(), [*read_file(path)]) if path.exists() else (b"", [])
    number = len(games) + 1
    if isinstance(place, Place):  # others may have taken games out, or changed this one
        same = [at for at, one in enumerate(games, 1) if one.text.strip() == place.text.strip()]
        number = min(same, key=lambda at: abs(at - place.number), default=number)
    cut = [*(one.offset for one in games), len(old), len(old)]
    before, after = old[: cut[number - 1]], old[cut[number] :]
    if before and not before.endswith(b"\n\n"):
        before = before.rstrip(b"\r\n") + b"\n\n"
    replace_files((path, before + text + after))
    return Place(path, number, text)


def load_game(path: Path, number: int | None = None) -> Saved:
    """Read a game of a file.

    Raises:
        TypeError, ValueError: If the file cannot be read, or has no such game.

    Examples:
        >>> load_game(Path("examples/opera.pgn")).result
        '1-0'
    """
    check_type(path, "path", "a Path", Path)
    where = shown_path(path)
    try:
        games = list(read_file(path))
    except OSError as error:
        raise cannot_read(path, error) from None
    if not games:
        raise ValueError(f"there is no game in {where}")
    number = len(games) if number is None else check_count(number, "game", "games", 1)
    if not 1 <= number <= len(games):
        raise ValueError(f"game must be 1 to {len(games)}, as many as {where} has, not {number}")
    pgn = games[number - 1].game()
    as_board(pgn.board())
    if pgn.errors:
        raise ValueError(f"game {number} of {where} is broken: {one_line(str(pgn.errors[0]), 150)}")
    headers = pgn.headers
    board = as_board(pgn.end().board())
    clock = _clock(headers.get("TimeControl", "")) if COLOR in headers else None
    color = {"white": chess.WHITE, "black": chess.BLACK}.get(headers.get(COLOR, ""))
    return Saved(
        board,
        _plies(pgn, clock),
        None if is_compressed(path) else Place(path, number, games[number - 1].text),
        color,
        headers.get(AGAINST),
        _limit(headers.get(LIMIT, "")),
        clock,
        headers.get("Result", "*"),
        games[number - 1].text,
    )


def _plies(pgn: chess.pgn.Game, clock: Clock | None) -> list[Ply]:
    """What the comments say about the moves; the clock is set to what they say last."""
    plies: list[Ply] = []
    for node in pgn.mainline():
        times = None
        if clock is not None and (left := node.clock()) is not None:
            white, black = clock.times()
            times = (left, black) if node.turn() == chess.BLACK else (white, left)
            clock.set_times(times)
        plies.append(Ply(node.eval(), node.eval_depth(), times))
    return plies


def _clock(text: str) -> Clock | None:
    """Read a clock as it was written; None if it cannot be read."""
    seconds, _, increment = text.partition("+")
    try:
        limit = chess.engine.Limit(white_clock=float(seconds), white_inc=float(increment))
    except ValueError:
        return None
    limit.black_clock, limit.black_inc = limit.white_clock, limit.white_inc
    return Clock.of(_checked("TimeControl", text, limit))


def _limit(text: str) -> chess.engine.Limit | None:
    """Read a limit as it was written; None if it cannot be read."""
    kinds = {"depth": int, "nodes": int, "time": float}
    fields = dict(part.partition("=")[::2] for part in text.split(","))
    try:
        known = {name: kinds[name](value) for name, value in fields.items() if name in kinds}
    except ValueError:
        return None
    return _checked(LIMIT, text, chess.engine.Limit(**known)) if known else None


def _checked(tag: str, text: str, limit: chess.engine.Limit) -> chess.engine.Limit:
    """Check what a tag says."""
    try:
        return check_game_limit(limit)
    except ValueError as error:
        raise ValueError(f"{tag} {shown(text)}: {error}") from None
