"""The openings of a match: read from files of EPD, FEN, PGN or from a polyglot book, and ordered.

Every opening is played twice, with colours changed. Which one pair number n gets depends on the
openings, the seed and n alone, so a match can be interrupted and can be made longer.
"""

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from os import PathLike, fspath
from pathlib import Path

import chess
import chess.polyglot

from betacut.core.arguments import (
    check_between,
    check_file,
    check_iterable,
    check_seed,
    check_type,
)
from betacut.core.boards import epd_lines, read_epd
from betacut.core.messages import one_line, shown
from betacut.games.openings import Opening, balanced, drawn
from betacut.games.pgn import GameText, read_file

PLIES = 8  # how much of a game of a PGN, or of a walk through a book, is an opening, in plies
MOST_NOTES = 5  # how many bad lines of a file are told one by one


class OpeningBook(Sequence[Opening]):
    """The openings of a match, in the order in which they are played.

    `digest` is a short text that differs if any opening differs.

    Args:
        openings: The openings, at least one.
        source: Where they come from, for people.
        notes: What was left out, and why.

    Raises:
        TypeError, ValueError: If there is no opening, or an argument is of the wrong type.

    Examples:
        >>> from betacut import openings
        >>> book = OpeningBook(openings.make(2), source="two")
        >>> print(book.for_pair(3))
        1. Nh3 d6 2. Ng5 h6 3. Nf3 Nc6 4. d4 Bg4
    """

    def __init__(
        self, openings: Iterable[Opening], *, source: str = "list", notes: Iterable[str] = ()
    ) -> None:
        check_iterable(openings, "openings", "Opening")
        self._openings = tuple(openings)
        for index, opening in enumerate(self._openings):
            check_type(opening, f"openings[{index}]", "an Opening", Opening)
        if not self._openings:
            raise ValueError("openings must have at least one opening")
        check_type(source, "source", "a str", str)
        check_iterable(notes, "notes", "texts")
        self.source, self.notes = source, tuple(map(str, notes))
        digest = hashlib.sha256()
        for opening in self._openings:
            moves = " ".join(move.uci() for move in opening.moves)
            digest.update(f"{opening.fen}|{moves}\n".encode())
        self.digest = digest.hexdigest()[:16]

    def __len__(self) -> int:
        return len(self._openings)

    def __getitem__(self, index: int) -> Opening:  # type: ignore[override]
        """The opening of a place in the order."""
        return self._openings[index]

    def for_pair(self, number: int, *, seed: int | None = None) -> Opening:
        """The opening of a pair of games.

        Args:
            number: The number of the pair, from 0.
            seed: None for the order as it is; else the openings are shuffled, and shuffled anew
                each time all have been played.

        Returns:
            The opening.

        Raises:
            TypeError, ValueError: If a number is no integer or less than 0.
        """
        number = check_between(number, "number", "pairs", 0, 2**32 - 1)
        turn, place = divmod(number, len(self))
        if seed is not None:
            seed = check_seed(seed)
            order = list(range(len(self)))
            rng = random.Random(f"openings {seed} {turn}")
            # Fisher's and Yates's shuffle, with `random()` alone, whose numbers stay what they are.
            for last in range(len(order) - 1, 0, -1):
                other = int(rng.random() * (last + 1))
                order[last], order[other] = order[other], order[last]
            place = order[place]
        return self[place]


ENDINGS = (".epd", ".fen", ".txt", ".pgn", ".bin")  # how the names of files end that are read


def read_openings(
    path: str | PathLike[str],
    *,
    plies: int = PLIES,
    walks: int = 500,
    seed: int = 0,
) -> OpeningBook:
    """Read openings.

    Args:
        path: "builtin" for the 500 of `betacut.games.openings`, "start" for the starting position
            alone, or a file, by how its name ends: `.epd`, `.fen` or `.txt` has an EPD or a FEN on
            each line, of `.pgn` the first moves of every game are taken, `.bin` is a polyglot book.
        plies: How many moves of each game, or of a walk through the book, are taken. A game that is
            shorter is taken whole.
        walks: How many different openings are walked to in a book, at most.
        seed: Where the walks begin. Each move is drawn by its weight in the book.

    Returns:
        The openings. A line or game that cannot be read is left out and told of in `notes`; so is a
        position that came before.

    Raises:
        ValueError: If the file has no opening that can be played.
        OSError: If the file cannot be read.

    Examples:
        >>> len(read_openings("builtin")), len(read_openings("start"))
        (500, 1)
    """
    check_type(path, "path", "a str or a path", (str, PathLike))
    plies = check_between(plies, "plies", "plies", 0, 1000)
    walks = check_between(walks, "walks", "openings", 1, 100_000)
    seed = check_seed(seed)
    if path == "builtin":
        return OpeningBook(balanced(), source="builtin")
    if path == "start":
        return OpeningBook([Opening(chess.STARTING_FEN)], source="start")
    name = str(fspath(path))
    ending = Path(name).suffix.lower()
    if ending not in ENDINGS:
        raise ValueError(
            f"openings must be 'builtin', 'start' or a file that ends in {', '.join(ENDINGS)}, "
            f"not {shown(name)}"
        )
    check_file(name)
    notes: list[str] = []
    if ending == ".bin":
        found = _of_book(name, plies, walks, seed, notes)
    else:
        found = _kept(_games(name, plies) if ending == ".pgn" else _lines(name), notes)
    if not found:
        why = "".join(f": {note}" for note in notes[:1])
        raise ValueError(f"{one_line(name)} has no opening that can be played{why}")
    others = len(notes) - MOST_NOTES
    more = [f"and {others} more were left out"] if others > 0 else []
    return OpeningBook(found, source=Path(name).name, notes=[*notes[:MOST_NOTES], *more])


Place = tuple[str, Callable[[], Opening]]
"""The name of a place in a file, and what reads the opening that is there."""


def _kept(openings: Iterable[Place], notes: list[str]) -> list[Opening]:
    """Make openings; leave out the bad ones and those that come again."""
    kept: list[Opening] = []
    places: dict[str, str] = {}
    for place, make in openings:
        try:
            opening = make()
        except ValueError as error:
            notes.append(f"{place}: {one_line(str(error), 200)}")
            continue
        board = opening.board()
        position = board.epd()
        if board.is_game_over():
            notes.append(f"{place}: the game is over")
        elif position in places:
            notes.append(f"{place}: the same position as {places[position]}")
        else:
            places[position] = place
            kept.append(opening)
    return kept


def _lines(path: str) -> Iterator[Place]:
    """Go through a file of EPD or FEN."""
    for number, line in epd_lines(path):
        yield f"line {number}", partial(_of_line, line)


def _of_line(line: str) -> Opening:
    """Read a line; the moves that ours have in `c0` are played, if they lead there."""
    opening = Opening(line)
    if ";" not in line:
        return opening
    board, operations = read_epd(line)
    name = one_line(str(operations.get("id", "")), 100)
    with suppress(ValueError):
        played = Opening(chess.STARTING_FEN, str(operations.get("c0", "")).split(), name=name)
        if played.board().epd() == board.epd():
            return played
    return Opening(line, name=name)


def _games(path: str, plies: int) -> Iterator[Place]:
    for one in read_file(path):
        yield f"game {one.number}", partial(_of_game, one, plies)


def _of_game(text: GameText, plies: int) -> Opening:
    """Take the first moves of a game; what is wrong after them does not matter."""
    game = text.game()
    moves = list(game.mainline_moves())[:plies]
    if game.errors and len(moves) < plies:
        raise ValueError(str(game.errors[0]))
    names = (game.headers.get(tag, "") for tag in ("ECO", "Opening", "Variation"))
    name = one_line(" ".join(name for name in names if name not in ("", "?")), 100)
    return Opening(game.board(), moves, name=name)


def _of_book(path: str, plies: int, walks: int, seed: int, notes: list[str]) -> list[Opening]:
    """Walk through a polyglot book until there are enough openings, or hardly any new ones."""
    kept: list[Opening] = []
    ends: set[str] = set()
    with chess.polyglot.open_reader(path) as book:
        for number in range(10 * walks):
            if len(kept) == walks:
                break
            board = chess.Board()
            rng = random.Random(f"book {seed} {number}")
            for _ in range(plies):
                if (move := _drawn(book, board, rng)) is None:
                    break
                board.push(move)
            if board.move_stack and board.epd() not in ends and not board.is_game_over():
                ends.add(board.epd())
                kept.append(Opening(chess.STARTING_FEN, board.move_stack, name=f"walk {number}"))
    if kept and len(kept) < walks:
        notes.append(f"{10 * walks} walks of {plies} plies found no more than {len(kept)} openings")
    return kept


def _drawn(
    book: chess.polyglot.MemoryMappedReader, board: chess.Board, rng: random.Random
) -> chess.Move | None:
    """Draw a move by the weights of a book; None where it ends."""
    known = [(one.move, one.weight) for one in book.find_all(board) if one.weight > 0]
    return drawn(sorted(known, key=lambda one: one[0].uci()), rng) if known else None
