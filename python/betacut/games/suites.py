"""Suites of problems: positions with the moves that solve them, and how a player does on them.

A suite is a file in EPD, one position a line, with the opcodes

- `bm`: the best moves; one of them solves the problem,
- `am`: moves to avoid; any other solves it,
- `dm`: mate in so many moves; a move after which the mate is still in time solves it,
- `id`, `c0` … `c9`: its name, and comments; everything else is kept and not looked at.

What is given together must hold together. Two suites are in the package and are known by name:

    >>> suite = read_suite("bratko-kopec")
    >>> len(suite.problems), suite.problems[0].name, suite.problems[0].task
    (24, 'BK.01', 'bm Qd1+')
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import takewhile
from os import PathLike
from pathlib import Path
from typing import Any

import chess
import chess.engine

from betacut import engine
from betacut.core.arguments import as_board, check_callback, check_type, parse_board
from betacut.core.boards import epd_lines, read_epd
from betacut.core.catalogue import SUITES
from betacut.core.exceptions import BetacutError
from betacut.core.messages import nearest, one_line, shown
from betacut.games.limits import check_analysis_limit, limit_fields, limit_words
from betacut.games.players import BasePlayer, Opinion, opened

__all__ = ["SUITES", "Attempt", "Problem", "Suite", "SuiteReport", "read_suite", "run_suite"]

FOLDER = Path(__file__).parents[1] / "core" / "suites"  # the suites in the package

PROVED = 4  # mates in up to so many moves are proved by the exact search; longer ones are announced
MOVES_SHOWN = 4  # the number of moves that a table has of those that solve a problem


@dataclass(frozen=True, slots=True)
class Problem:
    """A position, and what solves it.

    Attributes:
        line: Its line in the file, from 1.
        name: Its `id`, or `line 7`.
        fen: The position.
        best: The best moves (`bm`), none if any but `avoid` will do.
        avoid: The moves to avoid (`am`).
        mate: Mate in so many moves (`dm`), or None.
        comments: The operands of `c0` to `c9`, by opcode.
    """

    line: int
    name: str
    fen: str
    best: tuple[chess.Move, ...] = ()
    avoid: tuple[chess.Move, ...] = ()
    mate: int | None = None
    comments: tuple[tuple[str, str], ...] = ()

    @property
    def task(self) -> str:
        """What is asked, as EPD writes it."""
        return self._task(None)

    @property
    def short_task(self) -> str:
        """The same, with a few of many moves."""
        return self._task(MOVES_SHOWN)

    def _task(self, most: int | None) -> str:
        board = parse_board(self.fen)
        parts = []
        for opcode, moves in (("bm", self.best), ("am", self.avoid)):
            if moves:
                sans = [board.san(move) for move in moves]
                more = [] if most is None or len(sans) <= most else [f"+{len(sans) - most}"]
                parts.append(" ".join([opcode, *sans[:most], *more]))
        if self.mate is not None:
            parts.append(f"dm {self.mate}")
        return "; ".join(parts)

    def is_solved_by(self, opinion: Opinion) -> bool:
        """Tell whether a move solves it, with the score that the player gives it.

        Args:
            opinion: The move and its score. A mate in up to 4 moves is proved by the exact search,
                whatever the score; one in more must be announced.

        Returns:
            Whether everything that is asked holds.
        """
        move = opinion.move
        if move is None or move in self.avoid or (self.best and move not in self.best):
            return False
        if self.mate is None:
            return True
        board = parse_board(self.fen)
        score, plies = opinion.score, 2 * self.mate - 1
        if self.mate <= PROVED:
            score = engine.search(board, plies, root_moves=[move], best_moves=False).pov_score
        found = None if score is None else score.pov(board.turn).mate()
        return found is not None and 0 < found <= self.mate


@dataclass(frozen=True, slots=True)
class Suite:
    """The problems of a file.

    Attributes:
        name: The name of the suite or of the file.
        problems: The problems, in order.
        errors: What is wrong with other lines, by their numbers.
    """

    name: str
    problems: tuple[Problem, ...]
    errors: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a player answered.

    Attributes:
        problem: The problem.
        opinion: The move, its score and depth; None if there was an error.
        solved: Whether that solves it.
        seconds: How long the player thought.
        solved_after: When it had found the solution and kept it from then on, in seconds; None if
            it is not solved, or the player does not tell what it thinks on the way.
        error: What went wrong.
    """

    problem: Problem
    opinion: Opinion | None
    solved: bool
    seconds: float
    solved_after: float | None = None
    error: str | None = None

    @property
    def san(self) -> str:
        """The move that was chosen; nothing if there is none."""
        if self.opinion is None or self.opinion.move is None:
            return ""
        return parse_board(self.problem.fen).san(self.opinion.move)

    @property
    def score(self) -> str:
        """Its score from the view of the side to move: `+0.35`, `#3`; nothing if unknown."""
        if self.opinion is None or self.opinion.score is None:
            return ""
        score = self.opinion.score.pov(parse_board(self.problem.fen).turn)
        mate = score.mate()
        return f"#{mate}" if mate is not None else f"{(score.score() or 0) / 100:+.2f}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts."""
        opinion = self.opinion or Opinion(None)
        return {
            "line": self.problem.line,
            "id": self.problem.name,
            "fen": self.problem.fen,
            "task": self.problem.task,
            "comments": dict(self.problem.comments),
            "move": opinion.move and opinion.move.uci(),
            "san": self.san,
            "solved": self.solved,
            "score": self.score,
            "depth": opinion.depth,
            "nodes": opinion.nodes,
            "seconds": round(self.seconds, 6),
            "solved_after": self.solved_after and round(self.solved_after, 6),
            "error": self.error,
        }


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """How a player did on a suite.

    Attributes:
        suite: The suite.
        player: The name of the player.
        limit: The limit of each search.
        attempts: The answers, in the order of the problems; after Ctrl-C not all of them.
    """

    suite: Suite
    player: str
    limit: chess.engine.Limit
    attempts: tuple[Attempt, ...]

    @property
    def solved(self) -> int:
        """How many problems are solved."""
        return sum(attempt.solved for attempt in self.attempts)

    @property
    def summary(self) -> str:
        """One line: what was solved, by whom, under which limit."""
        seconds = sum(attempt.seconds for attempt in self.attempts)
        count = len(self.suite.problems)
        done = len(self.attempts)
        tried = "" if done == count else f" ({done} tried)"
        return (
            f"{self.suite.name}: {self.solved} of {count} solved{tried} by {self.player}, "
            f"{limit_words(self.limit)} a position, {seconds:.1f} s in all"
        )

    @property
    def rows(self) -> list[list[str]]:
        """A table: problem, task, move, solved, after, depth, score."""
        return [
            [
                attempt.problem.name,
                attempt.problem.short_task,
                attempt.error or attempt.san,
                "yes" if attempt.solved else "no",
                "" if attempt.solved_after is None else f"{attempt.solved_after:.2f} s",
                str((attempt.opinion and attempt.opinion.depth) or ""),
                attempt.score,
            ]
            for attempt in self.attempts
        ]

    COLUMNS = ("problem", "task", "move", "solved", "after", "depth", "score")

    def to_markdown(self) -> str:
        """Write the table and the summary in Markdown."""
        rows = [list(self.COLUMNS), ["---"] * len(self.COLUMNS), *self.rows]
        lines = [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows]
        errors = [f"- line {line}: {text}" for line, text in self.suite.errors.items()]
        return "\n".join([*lines, "", self.summary, *([""] if errors else []), *errors])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts."""
        return {
            "suite": self.suite.name,
            "player": self.player,
            "limit": limit_fields(self.limit),
            "problems": len(self.suite.problems),
            "solved": self.solved,
            "seconds": round(sum(attempt.seconds for attempt in self.attempts), 6),
            "attempts": [attempt.to_dict() for attempt in self.attempts],
            "errors": {str(line): text for line, text in self.suite.errors.items()},
        }

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json.dumps(self.to_dict(), indent=2)


def read_suite(source: str | PathLike[str]) -> Suite:
    """Read a suite. Lines that cannot be read do not stop it.

    Args:
        source: A file in EPD, or the name of a suite in the package. Empty lines, and lines that
            begin with `#`, are passed over.

    Returns:
        The problems, and what is wrong with the other lines.

    Raises:
        TypeError: If it is neither text nor a path.
        ValueError: If there is no such suite or file, or nothing in it can be read.
        OSError: If the file cannot be read.

    Examples:
        >>> [problem.task for problem in read_suite("published-mates").problems][:2]
        ['bm Qf1; dm 2', 'bm Bb8; dm 2']
    """
    check_type(source, "source", "a str or a path", (str, PathLike))
    text = str(source)
    path = FOLDER / f"{text}.epd" if text in SUITES else Path(source)
    try:
        exists = path.is_file()
    except (OSError, ValueError):  # too long, or with a null character
        exists = False
    if not exists:
        near = nearest(text, SUITES)
        hint = f"; did you mean {near!r}?" if near else f", and the suites are {', '.join(SUITES)}"
        raise ValueError(f"source: there is no file {shown(text)}{hint}")
    problems, errors = [], {}
    for number, line in epd_lines(path):
        try:
            problems.append(_problem(number, line))
        except ValueError as error:
            errors[number] = one_line(str(error), 200)
    if not problems:
        reason = "".join(f"; line {line}: {why}" for line, why in [*errors.items()][:1])
        raise ValueError(f"there is no problem in {shown(text)}{reason}")
    return Suite(text if text in SUITES else path.name, tuple(problems), errors)


def _problem(number: int, line: str) -> Problem:
    # Some files have whole FENs, with the clocks, in front of the opcodes.
    with_clocks = re.match(r"((?:\S+\s+){4})(\d+)\s+(\d+)(?=\s|;|$)\s*", line)
    clocks = ("0", "1")
    if with_clocks:
        clocks = (with_clocks[2], with_clocks[3])
        line = with_clocks[1] + line[with_clocks.end() :]
    try:
        rights = as_board(" ".join(line.split()[:4]))
        board, operations = read_epd(line)
    except (ValueError, IndexError) as error:
        why = str(error)
        if why.startswith("invalid literal"):  # Python's words for a number
            why = "an operand is neither a move nor a number"
        raise ValueError(f"cannot read EPD {shown(line)}: {why}") from None
    board.chess960 = rights.chess960
    board.halfmove_clock, board.fullmove_number = map(int, clocks)
    as_board(board)  # with the clocks
    for opcode in ("bm", "am"):
        found = operations.setdefault(opcode, ())
        if found != () and not (isinstance(found, list) and found):
            raise ValueError(f"{opcode} must be followed by moves, not by {shown(found)}")
    mate = operations.get("dm")
    if "dm" in operations and not (isinstance(mate, int) and mate > 0):
        raise ValueError(f"dm must be a number of moves, 1 or more, not {shown(mate)}")
    if not operations["bm"] and not operations["am"] and mate is None:
        raise ValueError("nothing is asked: there is no bm, no am and no dm")
    texts = {key: str(value) for key, value in operations.items() if value is not None}
    return Problem(
        number,
        texts.get("id", f"line {number}"),
        board.fen(),
        tuple(operations["bm"]),
        tuple(operations["am"]),
        mate,
        tuple((key, texts[key]) for key in sorted(texts) if re.fullmatch(r"c\d", key)),
    )


def run_suite(
    suite: Suite | str | PathLike[str],
    *,
    player: object = "engine",
    limit: chess.engine.Limit | None = None,
    progress: Callable[[Attempt], object] | None = None,
) -> SuiteReport:
    """Let a player solve the problems of a suite.

    An engine that fails in one position is reported there, and goes on with the next.

    Args:
        suite: The suite, or its name or file.
        player: The player: a text, a player or an engine, as in `betacut.games.players.opened`.
        limit: The limit of each search: a depth, nodes, a time, or several; half a second if left
            out.
        progress: Called with each answer.

    Returns:
        The answers.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If there is no such suite or player, or the limit ends nothing.
        OSError: If the file cannot be read.

    Examples:
        >>> report = run_suite(
        ...     "published-mates", player="search", limit=chess.engine.Limit(depth=3)
        ... )
        >>> report.solved, [one.san for one in report.attempts if not one.solved]
        (8, ['Nfe3', 'Nxe7+'])
    """
    check_type(suite, "suite", "a Suite, a str or a path", (Suite, str, PathLike))
    check_callback(progress, "progress", "a function of an attempt")
    found = suite if isinstance(suite, Suite) else read_suite(suite)
    limit = check_analysis_limit(limit)
    attempts = []
    with opened(player) as solver:
        for problem in found.problems:
            attempt = _attempt(solver, problem, limit)
            attempts.append(attempt)
            if progress is not None:
                progress(attempt)
        return SuiteReport(found, solver.name, limit, tuple(attempts))


def _attempt(player: BasePlayer, problem: Problem, limit: chess.engine.Limit) -> Attempt:
    board = parse_board(problem.fen)
    thoughts: list[Opinion] = []
    try:
        if not any(board.generate_legal_moves()):
            raise RuntimeError("the game is over")
        thoughts.extend(player.analysis(board.copy(), limit))
        last = thoughts[-1]
        if last.move is not None and not board.is_legal(last.move):
            raise RuntimeError(f"made an illegal move: {last.move}")
    except Exception as error:  # a player may do anything
        is_known = isinstance(error, (RuntimeError, BetacutError))
        said = str(error) if is_known else f"{type(error).__name__}: {error}"
        return Attempt(problem, None, False, 0.0, error=one_line(said, 200))
    seconds = max(thought.seconds for thought in thoughts)
    solved = problem.is_solved_by(last)
    after = None
    if solved and len(thoughts) > 1:
        after = last.seconds
        # Those at the end that have the last one's move, from the last backwards.
        for thought in takewhile(lambda one: one.move == last.move, reversed(thoughts)):
            if problem.mate is not None and not problem.is_solved_by(thought):
                break
            after = thought.seconds
    return Attempt(problem, last, solved, seconds, after)
