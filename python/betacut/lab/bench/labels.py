"""The benchmark behind `betacut bench --labels`: how good labels are, and how many a second.

A label is the value of a position and its best moves. A judge, an engine with a fixed number of
nodes, labels every position once; its answers are kept as EPD beside the positions (`bm`, and `ce`
as `betacut annotate` writes it), and a file that has them needs no judge. Then each labeller is set
beside it:

- *correlation*: of the expected scores from White's view; all values, the judge's too, become
  expected scores by the same logistic function, that of Lichess in python-chess;
- *move*: how often one of the labeller's best moves, drawn at random, is the judge's;
- *among*: how often the judge's move is among the labeller's best moves;
- *positions/s*: in CPU time of one thread; of another program in that of its process.
"""

import os
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from statistics import StatisticsError, correlation, fmean
from typing import TYPE_CHECKING, Any

import chess
from chess.engine import Cp, Limit, Mate, PovScore, Score

from betacut import engine
from betacut.core.arguments import as_board
from betacut.core.messages import shown_path
from betacut.lab.bench.playing import other_engine
from betacut.lab.bench.report import Goal, Report, Row, Section, Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DEPTH = 12  # labellers that search deeper are left out, unless another depth is asked for, in plies
NODES = 60_000  # the nodes of the judge's searches
HASH_MB = 4  # the size of the engines' tables, which are emptied for each position, in mebibytes

SECONDS = 60.0
"""A labeller begins no more positions when it has taken this long. Seconds of CPU time."""

CHUNK = 8  # positions that are labelled between two looks at the clock

MATE = 32_767
"""What `ce` says of a mate that is on the board."""

EXACT: Mapping[str, tuple[Mapping[str, Any], Sequence[int]]] = {
    "plain": ({}, (2, 4, 6)),
    "quiet": ({"quiescence": True}, range(1, 7)),
    "quiet, tapered": ({"quiescence": True, "evaluation": "tapered"}, range(1, 7)),
}
"""The exact searches: their arguments, and their depths."""

ENGINE_DEPTHS = (6, 8, 10, 12)
JUDGE_DEPTHS = (4, 6, 8)

MEASURED = "quiet, tapered, depth 4"  # the labeller that the goals speak of

RATIO = "positions/s / judge's, depth 6"

GOALS: Mapping[str, Goal] = {
    "correlation": Goal(0.91),
    "move": Goal(0.5),
    RATIO: Goal(10),
}
"""What its figures should be."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a labeller says of a position."""

    score: Score  # White's view
    moves: Sequence[chess.Move]


Position = tuple[chess.Board, Label]  # a position and the judge's label


def measure(path: Path, depth: int = DEPTH, *, judge: str | None = None) -> Report:
    """Measure all labellers; the judge's program is one of them, if it is named."""
    positions = _judged(path, judge)
    # So that those who take too long label a fair sample.
    random.Random(1).shuffle(positions)
    rows = {
        f"{family}, depth {deep}": _compared(label, positions)
        for family, deep, label in _in_process()
        if deep <= depth
    }
    figures = dict(rows.get(MEASURED, {}))
    for deep in JUDGE_DEPTHS:
        if judge is not None and deep <= depth:
            name, row = _program(judge, deep, positions)
            rows[f"{name}, depth {deep}"] = row
            if deep == 6 and figures:
                figures[RATIO] = figures["positions/s"] / row["positions/s"]
    verdicts = []
    for what, goal in GOALS.items():
        figure = figures.get(what)
        met = None if figure is None else goal.met_by(figure)
        verdicts.append(Verdict(f"{MEASURED}: {what}", goal, figure, met))
    title = f"Labels of {len(positions)} positions beside the judge's"
    note = f"Fewer positions: a sample, as many as were labelled in {SECONDS:g} s of CPU time."
    return Report(depth, {"labels": Section(title, rows, note, averaged=False)}, verdicts)


# The judge.


def _judged(path: Path, judge: str | None) -> list[Position]:
    """Read the positions with the judge's labels, and ask it for those that are missing."""
    kept = path.with_suffix(".judged.epd")
    known = dict(_read(kept)) if kept.is_file() else {}
    found = [(text, label or known.get(text)) for text, label in _read(path)]
    if not found:
        raise ValueError(f"no line of {shown_path(path)} is a position")
    missing = [text for text, label in found if label is None]
    if missing and judge is None:
        raise ValueError(
            f"{len(missing)} positions of {shown_path(path)} have no labels of a judge: name one, "
            "such as --judge uci:/usr/games/stockfish"
        )
    if missing:
        assert judge is not None
        limit = Limit(nodes=NODES)
        # Each answer is kept at once: a judge that is interrupted goes on where it was.
        with (
            other_engine("judge", judge, HASH_MB) as program,
            kept.open("a", encoding="utf-8") as file,
        ):
            for text in missing:
                known[text] = label = _of_engine(program, limit, _board(text))
                print(_line(text, label), file=file, flush=True)
        found = [(text, label or known.get(text)) for text, label in found]
    return [(_board(text), label) for text, label in found if label is not None]


def _read(path: Path) -> Iterator[tuple[str, Label | None]]:
    """Read the positions of a file, four fields each, with the labels they have."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            board = as_board(line)
            said = board.set_epd(line) if ";" in line else {}
            if not any(board.legal_moves):
                raise ValueError("the game is over")
        except ValueError as error:
            raise ValueError(f"{shown_path(path)}, line {number}: {error}") from None
        moves, value = said.get("bm"), said.get("ce")
        label = None
        if isinstance(moves, list) and isinstance(value, int):
            plies = MATE - abs(value)
            score: Score = Cp(value)
            if plies < 1000:
                score = Mate((plies + 1) // 2 if value > 0 else -(plies // 2))
            label = Label(PovScore(score, board.turn).white(), moves)
        yield board.epd(), label


def _board(text: str) -> chess.Board:
    """Set up a position of four fields."""
    return chess.Board(f"{text} 0 1")


def _line(text: str, label: Label) -> str:
    board = _board(text)
    score = label.score if board.turn else -label.score
    mate = score.mate()
    value = score.score()
    if mate is not None:
        value = MATE - 2 * mate + 1 if mate > 0 else -MATE - 2 * mate
    return board.epd(bm=label.moves, ce=value)


# The labellers.

Labelling = Callable[[Sequence[chess.Board]], Iterable[Label]]


def _in_process() -> Iterator[tuple[str, int, Labelling]]:
    """The labellers of betacut: family, depth, function."""
    for family, (options, depths) in EXACT.items():
        for depth in depths:
            yield family, depth, _exact(depth, options)
    for depth in ENGINE_DEPTHS:
        with closing(engine.Engine({"Hash": HASH_MB})) as own:
            yield "engine", depth, _of_boards(own, depth)


def _exact(depth: int, options: Mapping[str, Any]) -> Labelling:
    def label(boards: Sequence[chess.Board]) -> Iterator[Label]:
        for found in engine.search_many(boards, depth, threads=1, **options):
            yield Label(found.pov_score.white(), found.best_moves)

    return label


def _of_boards(program: Any, depth: int) -> Labelling:  # noqa: ANN401 - SimpleEngine or Engine
    limit = Limit(depth=depth)
    return lambda boards: [_of_engine(program, limit, board) for board in boards]


def _of_engine(program: Any, limit: Limit, board: chess.Board) -> Label:  # noqa: ANN401
    info = program.analyse(board, limit, game=object())
    return Label(info["score"].white(), info["pv"][:1])


def _program(judge: str, depth: int, positions: Sequence[Position]) -> tuple[str, Row]:
    """Compare the judge's program at a depth; its start is not counted."""
    before = _ended()
    with other_engine("judge", judge, HASH_MB) as program:
        name = program.id.get("name", judge)
    start = _ended() - before
    with other_engine("judge", judge, HASH_MB) as program:
        row = _compared(_of_boards(program, depth), positions)
    row["positions/s"] = row["positions"] / max(_ended() - before - 2 * start, 0.01)
    return name, row


def _ended() -> float:
    """CPU time of the processes that were started and have ended. Seconds."""
    times = os.times()
    return times.children_user + times.children_system


def _compared(label: Labelling, positions: Sequence[Position]) -> Row:
    """Label positions, and compare the labels with those of the judge."""
    labels: list[Label] = []
    start = time.process_time()
    while not labels or (len(labels) < len(positions) and time.process_time() - start < SECONDS):
        chunk = positions[len(labels) : len(labels) + CHUNK]
        labels += label([board for board, _ in chunk])
    seconds = time.process_time() - start
    pairs = [(own, judged) for own, (_, judged) in zip(labels, positions, strict=False)]
    hits = [(judged.moves[0] in own.moves, len(own.moves)) for own, judged in pairs]
    try:
        related = correlation(*zip(*((_expected(a), _expected(b)) for a, b in pairs), strict=True))
    except StatisticsError:  # one position, or all alike
        related = 0.0
    return {
        "positions": len(labels),
        "correlation": related,
        "move": fmean(hit / many for hit, many in hits),
        "among": fmean(hit for hit, _ in hits),
        "positions/s": len(labels) / max(seconds, 1e-6),
    }


def _expected(label: Label) -> float:
    """The score that White can expect."""
    return label.score.wdl(model="lichess").expectation()


# The picture.


def plot(report: Report, path: Path) -> "Axes":
    """Draw correlation over positions a second, a curve for each family."""
    from betacut.views.plot import trade_off

    rows = report.sections["labels"].rows
    curves = {
        family: [
            (row["positions/s"], row["correlation"], name.rpartition(" ")[2]) for name, row in group
        ]
        for family, group in groupby(rows.items(), lambda item: item[0].rpartition(", depth ")[0])
    }
    title = "How labels agree with the judge, and how many a second; the numbers are depths"
    axes = ("positions a second of CPU time", "correlation of expected scores")
    return trade_off(curves, title=title, axes=axes, path=path)
