"""Labels of other engines: what is in the rows, and what happens when engines crash or hang."""

import os
import re
import shlex
import signal
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import chess
import pytest

from betacut import datasets
from betacut.core.arguments import as_board
from betacut.datasets import DatasetError
from betacut.datasets.programs import IDLE, _variant
from datasets.support import batch_of, contents, kill, positions, start, table_of, write
from games.support import written
from support.commands import POSIX, ran, wait_for
from support.engines import STOCKFISH, lives

ENGINE = Path(__file__).parent / "uci_engine.py"


@pytest.fixture(autouse=True)
def _closed() -> Any:  # noqa: ANN401 - a generator
    yield
    IDLE.close()


def uci(folder: Path, *faults: str) -> str:
    folder.mkdir(exist_ok=True)
    return f"uci:{shlex.join([sys.executable, '-E', str(ENGINE), str(folder), *faults])}"


def processes(folder: Path) -> list[int]:
    return [int(one.name.split()[1]) for one in folder.glob("process *")]


def asked_in(folder: Path) -> int:
    return (folder / "said").read_text().count("go nodes")


def asked_since(folder: Path, before: int) -> bool:
    return asked_in(folder) > before + 50


def test_what_is_in_the_rows(tmp_path: Path) -> None:
    """Values are White's; of a bound the one before it; no engine sees a finished game."""
    white, black = chess.Board(), chess.Board()
    black.push_uci("e2e4")
    mated, stalemate = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "8/8/8/8/8/2k5/2p5/2K5 w - - 0 1"
    batch = batch_of(white.fen(), black.fen(), mated, stalemate, "x\nquit", None, white.epd())
    algorithm = f"{uci(tmp_path)},depth=3,Hash=4,tell all=yes"
    found = datasets.annotate_batch(batch, algorithm=algorithm).to_pylist()
    for row, sign in zip(found[:2], (1, -1), strict=True):
        value = sign * (crc32(row["fen"].encode()) % 1000 - 500 - 1)
        assert (row["cp"], row["mate"], row["depth"], row["nodes"]) == (value, None, 3, 25)
        best = min(map(chess.Move.uci, as_board(row["fen"]).legal_moves))
        assert (row["line"], row["best_moves"], row["algorithm"]) == (best, best, "Tiny 1")
    ended = [(row["mate"], row["cp"], row["best_moves"]) for row in found[2:4]]
    assert ended == [(0, None, ""), (None, 0, "")]
    assert [row["error"] is None for row in found] == [True] * 4 + [False] * 2 + [True]
    assert found[6]["cp"] == found[0]["cp"]
    said = (tmp_path / "said").read_text()
    assert said.count("ucinewgame\nisready\nposition") == said.count("go depth 3\n") == 3
    assert "setoption name Hash value 4\nsetoption name tell all value true\n" in said
    assert said.count("setoption name UCI_Chess960 value false\nucinewgame\n") == 3
    chess960 = "nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w KQkq - 0 1"
    datasets.annotate_batch(batch_of(chess960), algorithm=f"{uci(tmp_path)},depth=3,Hash=4")
    said = (tmp_path / "said").read_text()
    assert f"960 value true\nucinewgame\nisready\nposition fen {chess960}\n" in said
    IDLE.close()
    before = len(processes(tmp_path))
    # The process of the batch serves the next one; a start before each looks after the options.
    for number in (1, 2):
        datasets.annotate_batch(batch_of(chess960), algorithm=f"{uci(tmp_path)},depth=3")
        assert len(processes(tmp_path)) == before + 1 + number


EXACT = "info depth 5 score cp 5 nodes 7 pv"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (f"{EXACT} e2e4 e7e5 g1f3\nbestmove e2e4", (5, None, 5, 7, "e2e4 e7e5 g1f3", "e2e4")),
        (f"{EXACT} e2e4 e7e4 g1f3\nbestmove e2e4", (5, None, 5, 7, "e2e4", "e2e4")),
        (f"{EXACT} e2e4 x e7e5\nbestmove e2e4", (5, None, 5, 7, "e2e4", "e2e4")),
        (f"{EXACT} e2e4 e7e5\nbestmove d2d4", (5, None, 5, 7, "d2d4", "d2d4")),
        (f"{EXACT} \nbestmove d2d4", (5, None, 5, 7, "d2d4", "d2d4")),
        (f"{EXACT} e2e5\nbestmove e2e5", "the engine's move 'e2e5' is not legal"),
        (f"{EXACT} e2e4\nbestmove e2e5", "the engine's move 'e2e5' is not legal"),
        (f"{EXACT} 0000\nbestmove 0000", "the engine's move '0000' is not legal"),
        (f"{EXACT} e2e4\nbestmove (none)", "the engine's move '(none)' is not legal"),
        (f"{EXACT} e2e4\nbestmove ", "the engine's move '' is not legal"),
        ("bestmove e2e4", "the engine says no value; its move is e2e4"),
        (
            f"{EXACT} e2e4\n{EXACT.replace('cp 5', 'cp 9 lowerbound')} d2d4\nbestmove d2d4",
            (5, None, 5, 7, "d2d4", "d2d4"),
        ),
        (
            f"{EXACT.replace('cp 5', 'cp 9 upperbound')} d2d4\nbestmove d2d4",
            (None, None, 5, 7, "d2d4", "d2d4"),
        ),
        (
            f"{EXACT.replace('cp 5', 'cp 9 wdl 1 998 1 lowerbound')} d2d4\nbestmove d2d4",
            (None, None, 5, 7, "d2d4", "d2d4"),
        ),
        *(
            (
                f"info depth {depth} score {score} nodes {nodes} pv e2e4\nbestmove e2e4",
                f"the engine says {said} is kept",
            )
            for depth, score, nodes, said in [
                (5, "cp 99999999999", 7, "cp 99999999999; at most 2147483647"),
                (5, "mate -2147483648", 7, "mate -2147483648; at most 2147483647"),
                (99999, "cp 5", 7, "depth 99999; at most 32767"),
                (5, "cp 5", 2**63, "nodes 9223372036854775808; at most 9223372036854775807"),
            ]
        ),
    ],
)
def test_answers_are_checked(tmp_path: Path, reply: str, expected: object) -> None:
    """Moves are legal and numbers fit, or the row is in error; a bound alone is no value."""
    algorithm = uci(tmp_path)
    (tmp_path / "reply").write_text(reply)
    batch = batch_of(chess.STARTING_FEN)
    (row,) = datasets.annotate_batch(batch, nodes=9, algorithm=algorithm).to_pylist()
    names = ("cp", "mate", "depth", "nodes", "line", "best_moves")
    found = tuple(row[name] for name in names) if row["error"] is None else row["error"]
    assert found == expected


def test_positions_that_no_game_reaches(tmp_path: Path) -> None:
    """Two pawns that check: moves are legal all the same, until one is not."""
    batch, algorithm = batch_of("4k3/3P1P2/8/8/8/8/8/4K3 b - - 0 1"), uci(tmp_path)
    (tmp_path / "reply").write_text(f"{EXACT} e8d7 e1e2 e2e3\nbestmove e8d7")
    (row,) = datasets.annotate_batch(batch, nodes=9, algorithm=algorithm).to_pylist()
    assert (row["line"], row["error"]) == ("e8d7 e1e2", None)
    (tmp_path / "reply").write_text(f"{EXACT} e8e7\nbestmove e8a8")
    (row,) = datasets.annotate_batch(batch, nodes=9, algorithm=algorithm).to_pylist()
    assert row["error"] == "the engine's move 'e8a8' is not legal"


def test_several_searches(tmp_path: Path) -> None:
    """Each has columns of its own, all share `config`; the manifest knows the engine."""
    source, out = write(tmp_path / "in.csv", 20), tmp_path / "out.parquet"
    command = uci(tmp_path / "engine")
    searches = [f"sf={command},nodes=100,multipv=3", "quiet=search,depth=1,quiescence=yes"]
    arguments = [f"--search={text}" for text in searches] + ["--columns=cp,best_moves,config"]
    ran("annotate", source, out, *arguments, columns=1000)
    rows = table_of(out).to_pylist()
    names = ["id", "fen", "sf_cp", "sf_best_moves", "quiet_cp", "quiet_best_moves", "config"]
    assert list(rows[0]) == names
    for row in rows:
        moves = sorted(map(chess.Move.uci, chess.Board(row["fen"]).legal_moves))
        assert row["sf_best_moves"].split() == moves[:3]
    plain = datasets.annotate_batch(batch_of(*positions(20)), 1, quiescence=True)
    for name in ("cp", "best_moves"):
        assert [row[f"quiet_{name}"] for row in rows] == plain[name].to_pylist()
    (one, other), (apart,) = datasets.summarize(out)
    assert (one.path, other.path) == (f"{out}, sf", f"{out}, quiet")
    assert (apart.rows, apart.disjoint, one.scores.total()) == (20, 20, 20)
    (about,) = datasets.units(source, tmp_path / "x", searches={"sf": f"{command},nodes=1"})
    assert about.configuration.programs == {"sf": {"name": "Tiny 1", "network": "nn-tiny.nnue"}}
    assert datasets.Unit.from_json(about.to_json()) == about
    # An update of the engine is another question.
    newer = replace(about.configuration, programs={"sf": {"name": "Tiny 2"}})
    (refused,) = newer.differences(about.configuration)
    assert re.fullmatch("programs: .*Tiny 2.*, not .*Tiny 1.*", refused)
    said = r"is 'Tiny 1' with 'nn-tiny.nnue' here, and the run was"
    with pytest.raises(DatasetError, match=said):
        datasets.run(replace(about, configuration=newer))


def test_line_ends_of_windows(tmp_path: Path) -> None:
    source = write(tmp_path / "in.csv", 5)
    rows = []
    for name, faults in (("plain", []), ("windows", ["crlf", "0"])):
        out, engine = tmp_path / f"{name}.parquet", uci(tmp_path / name, *faults)
        asked: dict[str, Any] = {"multipv": 2, "columns": ["cp", "line", "best_moves", "error"]}
        datasets.annotate(source, out, algorithm=engine, depth=3, **asked)
        rows.append(table_of(out).to_pylist())
    assert rows[0] == rows[1]


def test_crashes(tmp_path: Path) -> None:
    """One that crashes or hangs is started again; a position that ends it twice is a bad record."""
    fens = [f"{' '.join(fen.split()[:4])} 0 {number}" for number, fen in enumerate(positions(9), 1)]
    source = written(tmp_path / "in.fen", "\n".join(fens))
    asked: dict[str, Any] = {"timeout": 0.2, "nodes": 5}
    engine = uci(tmp_path / "sound")
    plain = datasets.annotate(source, tmp_path / "plain.csv", algorithm=engine, **asked)
    assert (plain.restarts, plain.errors, plain.varies) == ((), 0, None)
    engine = uci(tmp_path / "engine", "dies-once", "2", "dies", "4", "hangs", "6")
    report = datasets.annotate(source, tmp_path / "out.csv", algorithm=engine, **asked)
    rows, sound = (table_of(tmp_path / name).to_pylist() for name in ("out.csv", "plain.csv"))
    bad = {at: row["error"] for at, row in enumerate(rows) if row["error"]}
    assert bad == {
        3: "the engine was ended by SIGKILL, twice at this position",
        5: "the engine said nothing for 0.2 s, twice at this position",
    }
    assert report.errors == 2
    for row, other in zip(rows, sound, strict=True):
        assert row["error"] or row["cp"] == other["cp"]
    places = [re.sub(r": '.*': ", ": ", place) for place in report.restarts]
    for place, number in zip(places[:2], (2, 4), strict=True):
        assert place == f"in.fen, record {number} after line 0: the engine was ended by SIGKILL"
    assert len(places) == 5
    assert not any(map(lives, processes(tmp_path / "engine")))


def test_all_engines_are_killed(tmp_path: Path) -> None:
    """Those that wait, too: a position is not to blame if two of them have ended."""
    asked: dict[str, Any] = {"algorithm": uci(tmp_path), "nodes": 5}
    (unit,) = datasets.units(write(tmp_path / "in.csv", 3), tmp_path / "out.csv", **asked)
    for one in [IDLE.take(unit.configuration) for _ in range(2)]:
        os.kill(one._process.pid, signal.SIGKILL)
        IDLE.leave(unit.configuration, one)
    report = datasets.run(unit)
    assert (report.rows, report.errors, len(report.restarts)) == (3, 0, 1)


def test_what_is_refused(tmp_path: Path) -> None:
    source, command = write(tmp_path / "in.csv", 2), uci(tmp_path / "engine")
    hush = {"algorithm": f"{command},nodes=1,hush=3"}
    cases: list[tuple[dict[str, Any], type[Exception], str]] = [
        (hush, TypeError, "no option 'hush'; did you mean 'Hash'"),
        ({"algorithm": f"{command},nodes=1,Hash=99"}, ValueError, "Hash"),
        ({"algorithm": "uci:/none", "depth": 1}, DatasetError, "cannot start '/none': No such"),
        ({"algorithm": "uci:", "depth": 1}, ValueError, "needs a command"),
        ({"algorithm": "search,depth=2", "depth": 1}, ValueError, "depth is given twice"),
        ({"algorithm": "search,dept=2"}, TypeError, "search has no setting 'dept'; it has depth"),
        ({"searches": {"a": "search"}}, ValueError, "the search a: nothing ends a search"),
        ({"searches": {"a": "search,depth=1"}, "depth": 2}, ValueError, "only one of depth and"),
        ({"searches": {"a b": "search,depth=1"}}, ValueError, "named by letters and digits"),
        ({"algorithm": command, "nodes": 1, "table_mb": 2}, ValueError, "an engine has an option"),
    ]
    for options, error, said in cases:
        with pytest.raises(error, match=re.escape(said)):
            datasets.annotate(source, tmp_path / "out.csv", **options)
    two = {"a": "search,depth=1", "b": "search,depth=2"}
    with pytest.raises(DatasetError, match="EPD has room for one search"):
        datasets.annotate(source, tmp_path / "out.epd", searches=two)
    varying = datasets.Configuration(searches={"a": f"{command},nodes=1,Threads=2"})
    assert varying.varies == "the search a has an engine of several threads"
    assert datasets.Configuration(time=1).varies == "the search ends after a time"


@POSIX
def test_kills(tmp_path: Path) -> None:
    """The engine is killed, and then all at once: the same bytes, and no engine is left."""
    source, folder = write(tmp_path / "in.parquet", 600), tmp_path / "engine"
    plain, out, engine = tmp_path / "plain.csv", tmp_path / "out.csv", uci(folder)
    datasets.annotate(source, plain, unit_rows=100, algorithm=engine, nodes=5)
    arguments = [source, out, "--engine", engine, "--nodes=5"]
    for whole in (True, False):
        before = asked_in(folder)
        run = start(*arguments, "--unit-rows=100", "--json", "--threads=2")
        wait_for(partial(asked_since, folder, before), "searches")
        if whole:
            kill(run)
            continue
        for pid in filter(lives, processes(folder)):
            os.kill(pid, signal.SIGKILL)
        _, errors = run.communicate(timeout=60)
        assert (run.returncode, errors) == (0, "")
    assert out.read_bytes() == plain.read_bytes()
    assert set(contents(out)) == {"out.csv", "out.csv.betacut.json"}
    wait_for(lambda: not any(map(lives, processes(folder))), "the end of the engines")


@pytest.mark.skipif(STOCKFISH is None, reason="needs Stockfish")
def test_stockfish_repeats_itself() -> None:
    """A position has the same labels wherever it stands among others."""
    fens = positions(12, seed=5)
    asked: dict[str, Any] = {"algorithm": f"uci:{STOCKFISH},nodes=1000,Hash=1"}
    there = datasets.annotate_batch(batch_of(*fens), **asked).to_pylist()
    back = datasets.annotate_batch(batch_of(*fens[::-1]), **asked).to_pylist()
    assert there == back[::-1]
    for row in there:
        board = chess.Board(row["fen"])
        for word in row["line"].split():
            board.push_uci(word)
        assert row["line"].split()[0] == row["best_moves"]
        assert 900 < row["nodes"] < 1500
        assert (row["cp"] is None) != (row["mate"] is None)


@pytest.mark.parametrize(
    "fen",
    [
        chess.STARTING_FEN,
        "r3k2r/8/8/8/8/8/8/1R2K2R w Kkq - 0 1",
        "r3k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
        "4k3/8/8/8/8/8/8/R3K1R1 w KQ - 0 1",
        "4k3/8/8/8/8/8/8/RK5R w KQ - 0 1",
        "nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w KQkq - 0 1",
    ],
)
def test_variant(fen: str) -> None:
    """What is told of castling is what reading the whole position says."""
    expected = str(as_board(fen).chess960).lower()
    assert _variant(fen) == f"setoption name UCI_Chess960 value {expected}\n"
