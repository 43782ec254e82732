"""Other programs that label positions: UCI engines, each a process that serves one thread.

A search of some thousand nodes takes an engine a few milliseconds, and python-chess, which reads
every line that the engine writes, nearly as long. So the engine is asked here with one write, and
of what it says only the last lines are read. python-chess starts it once at the beginning of a
run, to find out its name and to check the options.
"""

import os
import re
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from time import monotonic, sleep
from typing import Any

from betacut import _betacut
from betacut.core.arguments import as_board
from betacut.core.exceptions import PlayerError
from betacut.core.messages import shown
from betacut.datasets.configuration import UCI, Configuration
from betacut.datasets.errors import DatasetError
from betacut.games.players.engines import (
    GROUPS,
    end_engine,
    kill_group,
    option_of,
    start_engine,
    words_of,
)

START_SECONDS = 10.0  # how long an engine may take to start
SILENT_SECONDS = 60.0  # how long one may say nothing, beyond its time limit, if not told
LONGEST_NAP = 0.005  # how long an answer is waited for before it is read, at most
MOST_IDLE = 64  # how many engines wait for the next unit

FEN = re.compile(r"[\w/]+ [wb] [\w-]+ [\w-]+ \d+ \d+", re.ASCII)
SCORE = re.compile(rb" score (cp|mate) (-?\d+)(?: wdl \d+ \d+ \d+)?(?: (lower|upper)bound)?")
OPTION = re.compile(r"^option name (.+) type (\w+)(?: default (.*))?", re.MULTILINE)
NAME = re.compile(r"^id name (.*)", re.MULTILINE)
MOVES = re.compile(r"(?:[a-h][1-8][a-h][1-8][nbrq]?(?:\s+|$))*")
# The greatest numbers that the columns hold.
MOST = {"cp": 2**31 - 1, "mate": 2**31 - 1, "depth": 2**15 - 1, "nodes": 2**63 - 1}
# The digits of FENs, square by square.
EMPTY = {ord(str(number)): "." * number for number in range(1, 9)}

Row = tuple[Any, ...]  # cp, mate, depth, nodes, line, best moves


class ProgramEndedError(Exception):
    """An engine has ended, or was ended because it did not answer."""


def identified(asked: Configuration) -> Configuration:
    """Start each engine of a configuration once, check its options, and note which one it is."""
    found = {}
    for name, one in asked.questions.items():
        if not one.algorithm.startswith(UCI):
            continue
        try:
            engine = start_engine("uci", one.algorithm.removeprefix(UCI), START_SECONDS)
        except PlayerError as error:
            raise DatasetError(str(error)) from None
        try:
            for key, value in one.options.items():
                option_of(engine.options, key, value)
            network = engine.options.get("EvalFile")
            title = engine.id.get("name", "")
        except (TypeError, ValueError) as error:
            raise type(error)(f"{shown(one.algorithm)}: {error}") from None
        finally:
            end_engine(engine)
        found[name] = _about(title, None if network is None else network.default)
    return replace(asked, programs=found) if found else asked


def _about(name: str, network: object) -> dict[str, str]:
    """What is kept of an engine, to know it again."""
    return {"name": name.strip(), **({"network": str(network)} if network else {})}


class Program:
    """The process of a UCI engine."""

    def __init__(self, asked: Configuration) -> None:
        """Start it, and set its options; make sure that it is the one that it was."""
        self._silence = asked.timeout or SILENT_SECONDS
        self._allowed = 0.0  # seconds that it may say nothing, 0 while nothing is asked
        self._reads = 0  # how often it has said something
        self._usual = 0.0  # about how many seconds an answer takes
        self._hung = False
        self._closed = threading.Event()
        words = words_of(asked.algorithm.removeprefix(UCI))
        pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
        try:
            # In a session of its own Ctrl-C does not reach it.
            self._process = subprocess.Popen(
                words, stdin=pipe, stdout=pipe, stderr=quiet, bufsize=0, start_new_session=True
            )
        except OSError as error:
            raise DatasetError(f"cannot start {shown(words[0])}: {error.strerror}") from None
        GROUPS.add(self._process.pid)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        threading.Thread(target=self._watch, name="engine watch", daemon=True).start()
        try:
            said = self.ask(b"uci\n", b"uciok", START_SECONDS).decode(errors="replace")
            said = said.replace("\r\n", "\n")
            self.ask(f"{_settings(asked, said)}isready\n".encode(), b"readyok", START_SECONDS)
        except ProgramEndedError as error:
            raise DatasetError(f"cannot start {shown(words[0])}: {error}") from None
        networks = (default for name, _, default in OPTION.findall(said) if name == "EvalFile")
        title = NAME.search(said)
        about = _about("" if title is None else title[1], next(networks, None))
        if asked.program not in ({}, about):
            self.close()
            raise DatasetError(
                f"{shown(asked.algorithm)} is {_told(about)} here, and the run was begun with "
                f"{_told(asked.program)}: install that one, or start again with --fresh"
            )

    def ask(self, text: bytes, last: bytes, seconds: float = 0.0) -> bytes:
        """Write a text, and read all that is said until the end of the line that begins so."""
        mark = b"\n" + last
        self._allowed = self._silence + seconds
        try:
            began = monotonic()
            os.write(self._in, text)
            # Each line that is read as it comes wakes this process up.
            sleep(min(self._usual / 2, LONGEST_NAP))
            said = b"\n"
            while not (said.endswith(b"\n") and mark in said):
                more = os.read(self._out, 1 << 16)
                self._reads += 1
                if not more:
                    raise self._ended()
                said += more
        except OSError:
            raise self._ended() from None
        finally:
            self._allowed = 0.0
        self._usual += (monotonic() - began - self._usual) / 8
        return said

    def _ended(self) -> ProgramEndedError:
        """Say why there is no answer."""
        with suppress(subprocess.TimeoutExpired):  # what has ended by itself has a status
            self._process.wait(1.0)
        self.close()
        if self._hung:
            return ProgramEndedError(f"the engine said nothing for {self._silence:g} s")
        status = self._process.returncode
        with suppress(ValueError):
            if status < 0:
                return ProgramEndedError(f"the engine was ended by {signal.Signals(-status).name}")
        return ProgramEndedError(f"the engine ended with exit status {status}")

    def _watch(self) -> None:
        """End the process when it hangs."""
        reads, since = 0, monotonic()
        while not self._closed.wait(min(self._silence / 4, 1.0)):
            if self._reads != reads or not self._allowed:
                reads, since = self._reads, monotonic()
            elif monotonic() - since > self._allowed:
                self._hung = True
                self._kill()

    def _kill(self) -> None:
        kill_group(self._process.pid)
        with suppress(OSError):
            self._process.kill()

    def close(self) -> None:
        """End the process."""
        if self._closed.is_set():
            return
        self._closed.set()
        self._kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()


def _told(about: Mapping[str, str]) -> str:
    return " with ".join(map(shown, about.values()))


def _settings(asked: Configuration, said: str) -> str:
    kinds = {name.lower(): kind for name, kind, _ in OPTION.findall(said)}
    options = {**asked.options, **({"MultiPV": asked.multipv} if asked.multipv else {})}
    lines = []
    for name, value in options.items():
        kind = kinds.get(name.lower())
        text = "" if kind == "button" else f" value {value}"
        if kind == "check":
            text = f" value {'true' if str(value).lower() in ('true', 'yes', 'on') else 'false'}"
        lines.append(f"setoption name {name}{text}\n")
    return "".join(lines)


class _Idle:
    """Engines that wait for the next unit of their question; forks have none."""

    def __init__(self) -> None:
        self._begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._programs: list[tuple[Configuration, Program]] = []

    def take(self, asked: Configuration) -> Program:
        """Take one that waits, or start one."""
        with self._lock:
            for entry in self._programs:
                if entry[0] == asked:
                    self._programs.remove(entry)
                    return entry[1]
        return Program(asked)

    def leave(self, asked: Configuration, program: Program) -> None:
        """Keep one, and end the one that waits longest if there are too many."""
        with self._lock:
            self._programs.append((asked, program))
            ended = [self._programs.pop(0)] if len(self._programs) > MOST_IDLE else []
        for _, one in ended:
            one.close()

    def close(self) -> None:
        """End all that wait."""
        with self._lock:
            ended, self._programs = self._programs, []
        for _, one in ended:
            one.close()


IDLE = _Idle()  # those of this process


class Labeller:
    """Asks an engine about positions; one that ends is started again."""

    def __init__(self, asked: Configuration) -> None:
        self._asked = asked
        self._program: Program | None = None
        limits = (("depth", asked.depth), ("nodes", asked.nodes))
        self._go = "".join(f" {name} {limit}" for name, limit in limits if limit is not None)
        if asked.time is not None:
            self._go += f" movetime {max(round(asked.time * 1000), 1)}"

    def label(self, fens: Sequence[str]) -> Iterator[tuple[Row | ValueError, list[str]]]:
        """Ask about positions that are not finished: what was found, or why there is nothing.

        Yields:
            Rows, or errors of positions that end the engine twice or have no value; and why it was
            started again, each time.
        """
        fens = [fen if FEN.fullmatch(fen) else as_board(fen).fen() for fen in fens]
        texts = [
            f"{_variant(fen)}ucinewgame\nisready\nposition fen {fen}\ngo{self._go}\n"
            for fen in fens
        ]
        # Reading the answers together is faster: between two searches the caches are the engine's.
        answers = [self._answer(text.encode()) for text in texts]
        for fen, (said, ends) in zip(fens, answers, strict=True):
            if said is None:
                yield ValueError(f"{ends[-1]}, twice at this position"), ends
                continue
            try:
                yield _row(said, fen, self._asked.multipv), ends
            except ValueError as error:
                yield error, ends

    def _answer(self, text: bytes) -> tuple[bytes | None, list[str]]:
        """What the engine says of a position, and why it was started again."""
        ends: list[str] = []
        while len(ends) < 2:
            if self._program is None:  # one that waits may have ended as well
                self._program = Program(self._asked) if ends else IDLE.take(self._asked)
            try:
                return self._program.ask(text, b"bestmove ", self._asked.time or 0.0), ends
            except ProgramEndedError as error:
                self._program = None
                ends.append(str(error))
            except BaseException:  # Ctrl-C: it is still searching
                self._program.close()
                self._program = None
                raise
        return None, ends

    def close(self) -> None:
        """Leave the engine to others."""
        if self._program is not None:
            IDLE.leave(self._asked, self._program)
            self._program = None


def _variant(fen: str) -> str:
    """The command that says whether castling is that of Chess960; only where one may castle."""
    board, _, rights = fen.split()[:3]
    if rights == "-":
        return ""
    is_960 = not _castles_as_usual(board, rights) and as_board(fen).chess960
    return f"setoption name UCI_Chess960 value {str(is_960).lower()}\n"


def _castles_as_usual(board: str, rights: str) -> bool:
    """Whether kings and rooks that may castle stand where they do in standard chess."""
    ranks = board.translate(EMPTY).split("/")
    files = {"K": 7, "Q": 0, "k": 7, "q": 0}
    for right in rights:
        rank, men = (ranks[-1], "KR") if right.isupper() else (ranks[0], "kr")
        if right not in files or rank[4] + rank[files[right]] != men:
            return False
    return True


def _row(said: bytes, fen: str, multipv: int | None) -> Row:
    *lines, end = said[: said.index(b"\n", said.index(b"\nbestmove ") + 1)].splitlines()
    best = [*end.decode().split(), ""][1]
    last: dict[bytes, bytes] = {}  # the last of each line that is looked for
    value: re.Match[bytes] | None = None  # the last one of the first line that is no bound
    for line in reversed(lines):
        score = SCORE.search(line)
        if score is None or b" pv " not in line:
            continue
        number = _after(line, b"multipv") or b"1"
        last.setdefault(number, line)
        if number == b"1" and value is None and not score[3]:
            value = score
        if not multipv and value is not None:
            break
    first = last.get(b"1")
    if first is None:
        raise ValueError(f"the engine says no value; its move is {best}")
    numbers = {name: int(_after(first, name.encode()) or 0) for name in ("depth", "nodes")}
    if value is not None:
        numbers[value[1].decode()] = int(value[2]) if fen.split()[1] == "w" else -int(value[2])
    for name, count in numbers.items():
        if abs(count) > MOST[name]:
            raise ValueError(f"the engine says {name} {count}; at most {MOST[name]} is kept")
    pvs = [last[key].partition(b" pv ")[2].decode() for key in sorted(last, key=int)]
    if not multipv:
        pvs = [pvs[0] if pvs[0].split()[:1] == [best] else best]
    played = [_played(fen, pv) for pv in pvs]
    found = [numbers.get(name) for name in ("cp", "mate", "depth", "nodes")]
    return *found, " ".join(played[0]), " ".join(moves[0] for moves in played)


def _played(fen: str, pv: str) -> list[str]:
    """The moves of a line before the first one that is not legal, of which there must be some."""
    words = MOVES.match(pv)
    assert words is not None
    game = _betacut.PgnReader.of_text(f'[FEN "{fen}"]\n\n{words[0]}'.encode()).game()
    if game is not None and game[5]:
        return game[5]
    # A position that no game can reach is not read there.
    board, played = as_board(fen).copy(), list[str]()
    with suppress(ValueError):
        for word in words[0].split():
            board.push_uci(word)
            played.append(word)
    if not played:
        raise ValueError(f"the engine's move {shown(''.join(pv.split()[:1]))} is not legal")
    return played


def _after(line: bytes, name: bytes) -> bytes | None:
    """The word after another one."""
    found = line.partition(b" " + name + b" ")[2].split(maxsplit=1)
    return found[0] if found else None
