"""What labels of another engine cost, and what they survive: measured by hand, quoted in the docs.

    PYTHONPATH=tests python -m datasets.costs overhead|memory|kills|room|scale [ENGINE]

`overhead` compares CPU time with the engine's own and with a script of python-chess; `memory` reads
a PGN of 500 MB; `kills` kills the engine or the whole run, over and over; `room` lets a run find no
room for a file; `scale` says what rows take beside their searches.
"""

import os
import random
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import chess
import chess.engine

from betacut import datasets
from betacut.datasets.parts import AGAIN
from betacut.datasets.selection import FILES, _again_in, list_again
from datasets.support import contents, kill, positions, start, write
from support.commands import COMMAND, run_python

ENGINE = "/usr/games/stockfish"
NODES, HASH = 1000, 4

Cost = tuple[float, float]  # CPU seconds of this process, and of the engine


def cost_of(work: Callable[[], object]) -> Cost:
    """Measure CPU time; the engine has to end with the work."""
    before = os.times()
    work()
    after = os.times()
    own = after.user - before.user + after.system - before.system
    theirs = after.children_user - before.children_user
    return own, theirs + after.children_system - before.children_system


def by_hand(engine: str, fens: tuple[str, ...]) -> None:
    """What one would write with python-chess."""
    with chess.engine.SimpleEngine.popen_uci(engine) as running:
        running.configure({"Hash": HASH})
        for number, fen in enumerate(fens):
            limit = chess.engine.Limit(nodes=NODES)
            running.analyse(chess.Board(fen), limit, game=number)
    time.sleep(1)  # the engine ends in a moment


def overhead(engine: str, folder: Path) -> None:
    """CPU time beside that of the engine, in turns."""
    fens = positions(3000)
    source, asked = write(folder / "in.parquet", 3000), f"uci:{engine},Hash={HASH},nodes={NODES}"
    for turn in range(3):
        out = folder / f"{turn}.parquet"
        ways: dict[str, Callable[[], object]] = {
            "annotate": partial(datasets.annotate, source, out, algorithm=asked),
            "python-chess": partial(by_hand, engine, fens),
        }
        for name, work in ways.items():
            own, theirs = cost_of(work)
            rate = len(fens) / (own + theirs)
            print(f"{name:12} own {own:.2f} s, engine {theirs:.2f} s, {own / theirs:.1%}", end="")
            print(f"; {rate:.0f} positions a CPU second")


def memory(engine: str, folder: Path) -> None:
    """The greatest memory of a run over games of 500 MB, of which it does one share in 2,000."""
    board, sans = chess.Board(), list[str]()
    rng = random.Random(3)
    while board.ply() < 80 and (moves := list(board.legal_moves)):
        move = rng.choice(moves)
        sans.append(f"{board.san(move)} {{ [%clk 0:03:00] }}")
        board.push(move)
    game = f'[Event "memory"]\n[WhiteElo "2000"]\n\n{" ".join(sans)} *\n\n'.encode()
    source = folder / "games.pgn"
    with source.open("wb") as file:
        while file.tell() < 500_000_000:
            file.write(game * 1000)
    search = f"sf=uci:{engine},Hash={HASH},nodes={NODES}"
    arguments: list[Any] = [source, folder, "--search", search, "--shard=1/2000", "--threads=2"]
    for more in ([], ["--unique"]):
        arguments[1] = folder / f"out{len(more)}"
        done = run_python("-c", COMMAND, "annotate", *arguments, *more, timeout=3600)
        assert done.returncode == 0, done.stderr
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{source.stat().st_size / 1e6:.0f} MB, {more}: at most {peak:.0f} MiB")
        print(done.stdout)


def kills(engine: str, folder: Path, times: int = 100) -> None:
    """Kill the engine or all at once at random moments: the same bytes in the end."""
    source, rng = write(folder / "in.parquet", 6000), random.Random(1)
    asked = f"uci:{engine},Hash={HASH},nodes={NODES}"
    datasets.annotate(source, folder / "plain.parquet", algorithm=asked, unit_rows=100, threads=2)
    engines = runs = whole = 0
    while engines + runs < times:
        out = folder / "out.parquet"
        run = start(source, out, "--engine", asked, "--unit-rows=100", "--threads=2", "-q")
        while run.poll() is None and engines + runs < times:
            time.sleep(rng.uniform(0.2, 2.0))
            found = _children(run.pid)
            if found and rng.random() < 0.6:
                os.kill(rng.choice(found), signal.SIGKILL)
                engines += 1
            elif run.poll() is None and rng.random() < 0.5:
                kill(run)
                for one in found:  # in sessions of their own, as when a machine loses its power
                    with suppress(ProcessLookupError):
                        os.kill(one, signal.SIGKILL)
                runs += 1
        run.wait()
        if run.returncode == 0:
            assert (folder / "plain.parquet").read_bytes() == out.read_bytes()
            assert set(contents(out)) == {out.name}
            out.unlink()
            whole += 1
    print(f"{engines} engines and {runs} runs were killed; {whole} outputs, all the same bytes")


def _children(process: int) -> list[int]:
    try:
        found = [path.read_text() for path in Path(f"/proc/{process}/task").glob("*/children")]
    except OSError:
        return []
    return sorted(map(int, " ".join(found).split()))


def room(engine: str, folder: Path) -> None:
    """No file may have more than 40 kB; then there is room."""
    source, out = write(folder / "in.parquet", 2000), folder / "out.csv"
    arguments: list[Any] = ["annotate", source, out, "--unit-rows=300", "-q"]
    arguments += ["--engine", f"uci:{engine},Hash={HASH},nodes={NODES}"]
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (40_000,) * 2)\n"
    ignore = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    done = run_python("-c", ignore + limit + COMMAND, *arguments)
    print(done.returncode, done.stderr.strip().replace(str(folder), "…"))
    again = run_python("-c", COMMAND, *arguments)
    datasets.annotate(
        source, folder / "plain.csv", algorithm=str(arguments[-1]), unit_rows=300, threads=2
    )
    same = out.read_bytes() == (folder / "plain.csv").read_bytes()
    print(f"{again.returncode}, the same bytes: {same}")


def scale(_: str, folder: Path) -> None:
    """What a million rows take of everything but searches; and a file of keys as of 10⁹ rows."""
    rng = random.Random(1)
    with (folder / "in.fen").open("w") as file:
        for _row in range(1_000_000):
            file.write(f"{rng.randrange(1_500_000)}/8/8/8/8/8/8/8 w - - 0 1\n")
    began = time.process_time()
    units = datasets.units(folder / "in.fen", folder / "out", depth=1, unique=True, unit_rows=1000)
    print(f"plan: {time.process_time() - began:.1f} s, {len(units)} units")
    (folder / "out").mkdir()
    began = time.process_time()
    list_again(units)
    place = folder / "out" / AGAIN
    print(f"--unique: {time.process_time() - began:.1f} s, a list of {place.stat().st_size} bytes")
    print(f"so far at most {_peak():.0f} MiB")
    rows = 10**9 // FILES
    with (folder / "keys").open("wb") as file:
        for row in range(rows):
            key = rng.randrange(rows * 3 // 2).to_bytes(16, "little")
            file.write(key + row.to_bytes(8, "big"))
    before = _peak()
    again = len(_again_in(str(folder / "keys")))
    print(f"{rows} keys, {again} again: at most {_peak():.0f} MiB, before {before:.0f}")
    write(folder / "some.parquet", 20_000)
    datasets.annotate(folder / "some.parquet", folder / "found.parquet", depth=3)
    sizes = [(folder / name).stat().st_size for name in ("some.parquet", "found.parquet")]
    print(f"Parquet: {sizes[0] / 20_000:.0f} bytes a row become {sizes[1] / 20_000:.0f}")


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    what, *rest = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        globals()[what](rest[0] if rest else ENGINE, Path(folder))


if __name__ == "__main__":
    main()
