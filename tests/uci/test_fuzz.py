"""Ten thousand random and mutated lines: no crash, no missing `bestmove`, `isready` answered.

The lines are the same in every run. What each of them is, a few lines of Python say once more:
whether it is a `go`, and whether it must be left out because it ends the engine or asks for more
memory or threads than a test may take.

`isready` is to be answered within 100 ms. On a machine that does other things at the same time a
process may have to wait for its turn; so it is the median that has to keep to that, and 99 of 100
answers to ten times as much. On an idle machine the median is below a millisecond.
"""

import random
import re
import statistics
import time
from collections.abc import Iterator

from uci.clients import RawClient

LINES = 10_000
SEED = 20_260_401

READY = 0.1
"""Within this the median of the answers to `isready` has to come. Seconds."""

MARGIN = 10  # how many times as long the slowest but one of a hundred may take

STANDARD = b"uci debug isready setoption register ucinewgame position go stop ponderhit".split()
STANDARD += [b"quit"]
OWN = b"bench perft eval d compiler help".split()

GOOD = """
uci
debug on
debug off
setoption name Hash value 8
setoption name MultiPV value 3
setoption name MultiPV value 1
setoption name Ponder value true
setoption name UCI_ShowWDL value true
setoption name UCI_Chess960 value true
setoption name UCI_Chess960 value false
setoption name Move Overhead value 20
setoption name Skill Level value 20
setoption name Clear Hash
setoption name SyzygyPath value /nowhere at all
setoption name OwnBook value true
setoption name BookFile value <empty>
setoption name Algorithm value engine
register later
ucinewgame
position startpos
position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6
position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
position fen R5k1/5ppp/8/8/8/8/8/K7 b - - 1 1
position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
position fen 4k3/8/8/8/8/8/4P3/4K2R w K - 99 90 moves e1g1
position fen 1r3kr1/5pp1/8/8/8/8/5PP1/1R3KR1 w GBgb - 0 1
go
go infinite
go depth 2
go depth 3 searchmoves e2e4 d2d4
go nodes 500
go movetime 5
go mate 2
go ponder wtime 100 btime 100
go wtime 100 btime 100 winc 5 binc 5 movestogo 3
go searchmoves 0000
stop
ponderhit
perft 2
go perft 2
bench 1
bench 1 1 1
d
eval
compiler
help
""".strip().splitlines()

WORDS = [*{word for line in GOOD for word in line.split()}, "-1", "9" * 30, "0", "é", "quit"]


def words(line: bytes) -> list[bytes]:
    return [word for word in re.split(rb"[ \t\n\r\x0c]+", line) if word]


def command(line: bytes) -> bytes:
    """The command that a line is; nothing if it is none."""
    found = words(line)
    if found and found[0] in OWN:
        return found[0]
    return next((word for word in found if word in STANDARD), b"")


def is_search(line: bytes) -> bool:
    """Whether a line is to be answered by `bestmove`."""
    if command(line) != b"go":
        return False
    found = words(line)
    return b"perft" not in found[found.index(b"go") :]


def is_harmless(line: bytes) -> bool:
    if command(line) == b"setoption":
        is_size = re.search(rb"hash|threads", line, re.IGNORECASE)
        return not is_size or all(int(number) <= 8 for number in re.findall(rb"\d+", line))
    return command(line) not in (b"quit", b"isready")


def mutated(line: str, chance: random.Random) -> bytes:
    """A line with something wrong."""
    text = line.encode()
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(text) + 1)
        kind = chance.randrange(6)
        if kind == 0:
            text = text[:at] + text[at + chance.randint(1, 4) :]
        elif kind == 1:
            text = text[:at] + bytes([chance.randrange(256)]) + text[at:]
        elif kind == 2:
            text = text[:at] + text[at : at + 6] * chance.randint(2, 40) + text[at + 6 :]
        elif kind in (3, 4):
            parts = text.split(b" ")
            if kind == 3:
                parts.insert(chance.randrange(len(parts) + 1), chance.choice(WORDS).encode())
            else:
                chance.shuffle(parts)
            text = b" ".join(parts)
        elif at < len(text):
            text = text[:at] + bytes([text[at] ^ 1 << chance.randrange(8)]) + text[at + 1 :]
    return text.replace(b"\n", b" ")


def lines() -> Iterator[bytes]:
    chance = random.Random(SEED)
    count = 0
    while count < LINES:
        kind = chance.random()
        if kind < 0.35:
            line = chance.choice(GOOD).encode()
        elif kind < 0.8:
            line = mutated(chance.choice(GOOD), chance)
        elif kind < 0.92:
            line = " ".join(chance.choices(WORDS, k=chance.randrange(9))).encode()
        else:
            line = chance.randbytes(chance.randrange(60)).replace(b"\n", b"")
        if is_harmless(line):
            count += 1
            yield line


def test_ten_thousand_lines() -> None:
    client = RawClient()
    asked = answered = commands = 0
    delays: list[float] = []
    with client.free_text():
        for number, line in enumerate(lines(), start=1):
            client.send_bytes(line + b"\n")
            asked += is_search(line)
            commands += command(line) != b""
            if number % 10 == 0:
                start = time.perf_counter()
                client.send("isready")
                said = client.until("readyok")
                delays.append(time.perf_counter() - start)
                answered += sum(text.startswith("bestmove ") for text in said)
                # No search is answered twice.
                assert answered <= asked, line
        # The last search comes after whatever else is still being done.
        client.send("stop", "debug off", "position startpos", "go depth 1")
        asked += 1
        while answered < asked:
            answered += client.until("bestmove")[-1].startswith("bestmove ")
    assert client.said() == []
    # The lines were what they are meant to be: searches, other commands, and neither.
    assert asked > LINES / 10
    assert LINES / 3 < commands < LINES * 0.9
    assert statistics.median(delays) < READY
    assert sorted(delays)[len(delays) * 99 // 100] < READY * MARGIN
    client.close()


def test_what_the_lines_are() -> None:
    assert is_search(b"please go depth 3")
    assert not is_search(b"go perft 3")
    assert not is_search(b"d go")
    assert command(b"\xff \x00") == b""
    assert not is_harmless(b"setoption name hash value 64")
    assert not is_harmless(b"x quit")
    assert len({*lines()}) > LINES / 2
