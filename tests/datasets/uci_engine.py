"""A UCI engine of few lines, which starts fast, answers by the FEN alone, and fails when told to.

Arguments: a folder in which it keeps its process numbers and what it has done; then faults, each
with the move number of the positions at which it happens: `dies 7`, `dies-once 7`, `hangs 7`; with
`crlf 0` its lines end as on Windows. If there is a file `reply` in the folder, it answers that.
"""

import os
import signal
import sys
import time
from pathlib import Path
from zlib import crc32

import chess

FOLDER = Path(sys.argv[1])
FAULTS = dict(zip(sys.argv[3::2], sys.argv[2::2], strict=True))

LOG = (FOLDER / "said").open("ab", buffering=0)

OPTIONS = """\
option name Hash type spin default 16 min 1 max 64
option name Threads type spin default 1 min 1 max 8
option name Tell All type check default false
option name EvalFile type string default nn-tiny.nnue
option name UCI_Chess960 type check default false
option name MultiPV type spin default 1 min 1 max 5
"""


def go(fen: str, lines: int) -> None:
    words = fen.split()
    fault = FAULTS.get(words[5])
    once = FOLDER / f"once {words[5]}"
    if fault == "dies" or (fault == "dies-once" and not once.exists()):
        once.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "hangs":
        time.sleep(60)
    reply = FOLDER / "reply"
    if reply.exists():
        print(reply.read_text())
        return
    value = crc32(fen.encode()) % 1000 - 500
    moves = sorted(map(chess.Move.uci, chess.Board(" ".join(words[:6])).legal_moves))
    for depth in (1, 2):
        for line, move in enumerate(moves[:lines], 1):
            more = f"nodes {depth * 10} pv {move} a1a1"
            print(f"info depth {depth} multipv {line} score cp {value - line} {more}")
    print(f"info depth 3 multipv 1 score cp 999 lowerbound nodes 25 pv {moves[0]}")
    print(f"bestmove {moves[0]}")


def main() -> None:
    (FOLDER / f"process {os.getpid()}").touch()
    fen, lines, known = "", 1, ""
    if "crlf" in FAULTS.values():
        sys.stdout.reconfigure(newline="\r\n")  # type: ignore[union-attr]
    for line in map(str.strip, sys.stdin):
        LOG.write(f"{line}\n".encode())
        if line == "uci":
            print(f"id name Tiny 1\n{OPTIONS}uciok")
        elif line == "isready":
            print("readyok")
        elif line == "ucinewgame":
            known = ""
        elif line.startswith("setoption name MultiPV value "):
            lines = int(line.split()[-1])
        elif line.startswith("position fen "):
            fen = line.removeprefix("position fen ") + known
        elif line.startswith("go"):
            go(fen, lines)
            known = " after another"  # an engine that is not told to forget answers otherwise
        elif line == "quit":
            return
        sys.stdout.flush()


main()
