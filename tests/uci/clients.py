"""Two programs that talk to an engine: one writes lines to a process, one is python-chess.

Both check whatever the engine says, line by line, against the grammar of the protocol.
"""

import asyncio
import queue
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from subprocess import PIPE, Popen

import chess
import chess.engine

__all__ = ["COMMAND", "PATIENCE", "SILENCE", "Answer", "ChessClient", "Client", "RawClient"]

COMMAND = [sys.executable, "-m", "betacut", "uci"]  # how the engine is started

PATIENCE = 60.0
"""How long to wait for a line that must come; only a fault takes so long. Seconds."""

SILENCE = 0.1  # how long nothing comes where nothing may, in seconds

MOVE = r"[a-h][1-8][a-h][1-8][nbrq]?"
SCORE = r"score (?:cp -?\d+|mate -?\d+)(?: lowerbound| upperbound)?(?: wdl \d+ \d+ \d+)?"
GRAMMAR = re.compile(
    rf"""
    id\ (name|author)\ \S.*
    | option\ name\ .+\ type\ (check|spin|combo|button|string)\b.*
    | uciok | readyok
    | bestmove\ (\(none\)|{MOVE}(\ ponder\ {MOVE})?)
    | info\ string\ .+
    | info\ depth\ \d+(\ seldepth\ \d+)?(\ multipv\ \d+)?\ {SCORE.replace(" ", "[ ]")}
      (\ nodes\ \d+)?(\ nps\ \d+)?(\ hashfull\ \d+)?(\ tbhits\ \d+)?(\ time\ \d+)?
      (\ pv(\ {MOVE})+)?
    """,
    re.VERBOSE,
)
"""Every line of the protocol that betacut may say."""


class Answer:
    """What a search said."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.infos = [fields(line) for line in lines if line.startswith("info depth")]
        _, best, *others = lines[-1].split()
        self.best = None if best == "(none)" else chess.Move.from_uci(best)
        self.ponder = chess.Move.from_uci(others[1]) if others else None

    @property
    def last(self) -> dict[str, str]:
        return self.infos[-1]

    def remarks(self) -> list[str]:
        """What was said in words."""
        start = "info string "
        return [line.removeprefix(start) for line in self.lines if line.startswith(start)]


def fields(line: str) -> dict[str, str]:
    """Take an `info` line apart: each keyword with what follows it."""
    keywords = ["depth", "seldepth", "multipv", "score", "wdl", "nodes", "nps", "hashfull"]
    keywords += ["tbhits", "time", "pv"]
    parts = re.split(rf" ({'|'.join(keywords)}) ", line.replace(" ", "  ") + " ")
    return {
        name: " ".join(text.split()) for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }


class Client:
    """A program that talks to an engine."""

    def __init__(self) -> None:
        self.board = chess.Board()
        self._lines: queue.Queue[str] = queue.Queue()
        self._free_text = False
        self._search: list[str] = []

    def send(self, *lines: str) -> None:
        """Send lines, all at once."""
        raise NotImplementedError

    def close(self) -> None:
        """End the engine."""
        raise NotImplementedError

    def line(self, timeout: float | None = None) -> str:
        """Read a line and check its form; without a time it must come."""
        try:
            line = self._lines.get(timeout=PATIENCE if timeout is None else timeout)
        except queue.Empty:
            assert timeout is not None, f"nothing is said after {PATIENCE} s; {self._search=}"
            raise
        assert self._free_text or GRAMMAR.fullmatch(line), f"no line of the protocol: {line!r}"
        if line.startswith(("info", "bestmove")):
            self._search.append(line)
        return line

    @contextmanager
    def free_text(self) -> Iterator[None]:
        """A block in which the engine may say what is no line of the protocol."""
        self._free_text = True
        yield
        self._free_text = False

    def until(self, start: str) -> list[str]:
        """Read the lines up to the first one that begins so."""
        lines = [self.line()]
        while not lines[-1].startswith(start):
            lines.append(self.line())
        return lines

    def said(self, *lines: str) -> list[str]:
        """Send lines; return what is said, scores apart, before the engine is ready again."""
        self.send(*lines, "isready")
        return [line for line in self.until("readyok")[:-1] if not line.startswith("info depth")]

    def is_silent(self) -> bool:
        """Whether nothing is said for a while."""
        with suppress(queue.Empty):
            self.line(SILENCE)
            return False
        return True

    def holds_back(self) -> bool:
        """Whether no `bestmove` comes for a while, whatever else does."""
        end = time.monotonic() + SILENCE
        with suppress(queue.Empty):
            while (left := end - time.monotonic()) > 0:
                if self.line(left).startswith("bestmove"):
                    return False
        return True

    def place(self, board: chess.Board) -> str:
        self.board = board.copy()
        fen = board.root().fen(en_passant="fen", shredder=board.chess960)
        moves = " ".join(["", "moves", *(move.uci() for move in board.move_stack)])
        return f"position fen {fen}{moves if board.move_stack else ''}"

    def answer(self) -> Answer:
        """Read what a search says, and check that it makes sense in the position sent last."""
        if not (self._search and self._search[-1].startswith("bestmove")):
            self.until("bestmove")
        answer, self._search = Answer(self._search), []
        assert answer.infos, f"no score before {answer.lines[-1]!r}"
        assert "bound" not in answer.last["score"], answer.last
        for info in answer.infos:
            after = self.board.copy(stack=False)
            for text in info.get("pv", "").split():
                after.push(after.parse_uci(text))
        if answer.best is not None:
            # Not only legal, but written as it should be in this kind of chess.
            assert answer.best in self.board.legal_moves or self._castles(answer.best)
            if answer.ponder is not None:
                after = self.board.copy(stack=False)
                after.push(answer.best)
                assert after.is_legal(answer.ponder), answer.lines[-1]
        return answer

    def _castles(self, move: chess.Move) -> bool:
        text = self.board.uci(self.board.parse_uci(move.uci()), chess960=self.board.chess960)
        return text == move.uci()

    def search(self, board: chess.Board | str, go: str) -> Answer:
        position = chess.Board(board) if isinstance(board, str) else board
        self.send(self.place(position), f"go {go}".strip())
        return self.answer()

    def reset(self) -> None:
        """Bring all options back to what they were, and begin another game."""
        switches = "OwnBook UCI_ShowWDL UCI_Chess960 Ponder UCI_AnalyseMode UCI_LimitStrength"
        options = [f"{name} value false" for name in switches.split()]
        options += ["Hash value 16", "Threads value 1", "MultiPV value 1", "Skill Level value 20"]
        options += ["BookFile value <empty>", "Algorithm value engine"]
        lines = [f"setoption name {option}" for option in options]
        assert self.said("stop", "debug off", *lines, "ucinewgame", "position startpos") == []
        self._search.clear()
        self.board = chess.Board()


class RawClient(Client):
    """Lines to and from a process."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        super().__init__()
        self.process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self._lines.put(line.decode().rstrip("\r\n"))

    def send(self, *lines: str) -> None:
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, text: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def wait(self) -> tuple[int, str]:
        """Wait for the end; return the exit status and what was written to the standard error."""
        assert self.process.stdin is not None
        assert self.process.stderr is not None
        status = self.process.wait(PATIENCE)
        said = self.process.stderr.read().decode()
        for stream in (self.process.stdin, self.process.stderr):
            stream.close()
        self._reader.join(PATIENCE)
        return status, said

    def close(self) -> None:
        self.send("quit")
        assert self.wait() == (0, "")


class _Listening(chess.engine.BaseCommand[None]):
    """A command of python-chess that passes on whatever the engine says."""

    def __init__(self, engine: chess.engine.Protocol, lines: queue.Queue[str]) -> None:
        super().__init__(engine)
        self._lines = lines

    def start(self) -> None:
        self.result.set_result(None)

    def line_received(self, line: str) -> None:
        self._lines.put(line)

    def cancel(self) -> None:
        self.set_finished()


class ChessClient(Client):
    """python-chess: its `SimpleEngine`, and the same process line by line."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        super().__init__()
        self.engine = chess.engine.SimpleEngine.popen_uci([*command], timeout=PATIENCE)
        self._protocol = self.engine.protocol
        self.listen()

    def listen(self) -> None:
        """Read lines again after python-chess has read them."""
        command = self._protocol.communicate(lambda engine: _Listening(engine, self._lines))
        asyncio.run_coroutine_threadsafe(command, self._protocol.loop).result(PATIENCE)

    def send(self, *lines: str) -> None:
        for line in lines:
            self._protocol.loop.call_soon_threadsafe(self._protocol.send_line, line)

    def close(self) -> None:
        self.engine.quit()
