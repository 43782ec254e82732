"""The conformance driver: what an engine must do, one named step each.

A step is a function of a client; its docstring says what goes wrong elsewhere. All steps talk to
one process, one after the other; before each of them the options are what they were at first.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import chess
import chess.polyglot

from uci.clients import Answer, Client

__all__ = ["STEPS", "Step"]

Step: TypeAlias = Callable[[Client, Path], None]

STEPS: dict[str, Step] = {}
"""The steps by name. Each is given a client and a directory to write to."""

MATED = "R5k1/5ppp/8/8/8/8/8/K7 b - - 1 1"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1"
MATE_IN_TWO = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
FEW_MOVES = "7k/8/8/8/8/8/1r6/K7 w - - 0 1"


def step(function: Step) -> Step:
    STEPS[function.__name__] = function
    return function


def is_one_remark(lines: Sequence[str]) -> bool:
    """Whether something was said in words, and nothing else."""
    return len(lines) == 1 and lines[0].startswith("info string ")


def is_move(answer: Answer) -> bool:
    """Whether there is a move."""
    return answer.best is not None


def answered(name: str, why: str, *searches: str) -> None:
    """Add a step: each of these searches of the initial position ends with a move."""

    def run(client: Client, _: Path) -> None:
        for go in searches:
            assert is_move(client.search(chess.Board(), go)), go

    run.__doc__ = why
    STEPS[name] = run


def expected(name: str, why: str, fen: str, go: str, best: str | None = None, **last: str) -> None:
    """Add a step: this search ends with a move, with this one, or `none`, and this last line."""

    def run(client: Client, _: Path) -> None:
        answer = client.search(fen, go)
        assert is_move(answer) == (best != "none")
        assert best in (None, "none", str(answer.best))
        assert {key: answer.last[key] for key in last} == last

    run.__doc__ = why
    STEPS[name] = run


def remarked(name: str, why: str, *lines: str) -> None:
    """Add a step: of each of these lines something is said in words, and nothing else."""

    def run(client: Client, _: Path) -> None:
        for line in lines:
            assert is_one_remark(client.said(line)), line

    run.__doc__ = why
    STEPS[name] = run


@contextmanager
def searching(client: Client, go: str = "go infinite") -> Iterator[None]:
    """A search of the initial position, which ends with a move when it is stopped."""
    client.send(client.place(chess.Board()), go)
    yield
    client.send("stop")
    assert is_move(client.answer())


def held_back(
    name: str,
    why: str,
    go: str,
    *,
    ends: Sequence[str] = ("stop",),
    fens: Sequence[str] = (chess.STARTING_FEN,),
    moves: bool = True,
) -> None:
    """Add a step: there is no `bestmove` before one of these ends, and then with a move or not."""

    def run(client: Client, _: Path) -> None:
        for fen in fens:
            for end in ends:
                client.send(client.place(chess.Board(fen)), go)
                assert client.holds_back(), fen
                client.send(end)
                assert is_move(client.answer()) == moves, fen

    run.__doc__ = why
    STEPS[name] = run


# The beginning.


@step
def uci_introduces(client: Client, _: Path) -> None:
    """`id` and `option` lines, then `uciok`."""
    client.send("uci")
    lines = client.until("uciok")
    assert lines[0].startswith("id name betacut ")
    assert lines[1].startswith("id author ")
    names = "Hash Threads MultiPV Ponder SyzygyPath OwnBook BookFile UCI_Chess960 UCI_LimitStrength"
    names += " UCI_Elo UCI_ShowWDL UCI_AnalyseMode Algorithm"
    announced = [line.split(" type ")[0].removeprefix("option name ") for line in lines]
    assert {*names.split(), "Move Overhead", "Clear Hash"} <= {*announced}


@step
def option_names_have_no_keyword(client: Client, _: Path) -> None:
    """Clients look for `name`, `type`, `default`, `min`, `max`, `var` anywhere in the line."""
    client.send("uci")
    keywords = {"name", "type", "default", "min", "max", "var", "value"}
    for line in client.until("uciok"):
        if line.startswith("option name "):
            name = line.split(" type ")[0].removeprefix("option name ")
            assert not {*name.lower().replace("_", " ").split()} & keywords, name


@step
def option_defaults_are_possible(client: Client, _: Path) -> None:
    """A default outside the range, or none of the combo's values."""
    client.send("uci")
    seen = 0
    for line in client.until("uciok"):
        words = line.split()
        if " type spin " in line:
            at = {word: int(words[words.index(word) + 1]) for word in ("default", "min", "max")}
            assert at["min"] <= at["default"] <= at["max"], line
            seen += 1
        if " type combo " in line:
            names = line.split(" var ")[1:]
            assert f" default {names[0]} " in line
            assert len({*names}) == len(names)
            seen += 1
    assert seen >= 5


@step
def uci_twice(client: Client, _: Path) -> None:
    """Some clients ask again, even during a search."""
    client.send("go infinite", "uci")
    lines = client.until("uciok")
    assert not [line for line in lines if line.startswith("bestmove")]
    client.send("stop")
    assert is_move(client.answer())


@step
def isready(client: Client, _: Path) -> None:
    """One `readyok` for each `isready`."""
    client.send("isready", "isready", "isready")
    assert [client.line() for _ in range(3)] == ["readyok"] * 3
    assert client.is_silent()


@step
def register_is_ignored(client: Client, _: Path) -> None:
    """There is nothing to register."""
    assert client.said("register later", "register name A B code 1") == []


@step
def debug(client: Client, _: Path) -> None:
    """`debug on` may say more, in `info string` lines only."""
    said = client.said("debug on", "stop")
    assert said
    assert all(line.startswith("info string ") for line in said)
    client.said("debug off")
    assert client.said("stop") == []
    assert is_one_remark(client.said("debug perhaps"))


# Lines that are odd.


@step
def unknown_command(client: Client, _: Path) -> None:
    """It ends nothing and changes nothing."""
    assert is_one_remark(client.said("xyzzy plugh"))
    assert is_move(client.search(chess.Board(), "depth 1"))


@step
def unknown_words_before_a_command(client: Client, _: Path) -> None:
    """The protocol's own example: `joho debug on` is `debug on`."""
    assert client.said("joho debug on", "stop") != []
    client.said("joho debug off")
    assert client.said("stop") == []


@step
def blanks(client: Client, _: Path) -> None:
    """Blank lines, blanks around words, line ends of Windows."""
    client.send("", "   ", "\t", "  isready \t\r")
    assert client.line() == "readyok"
    assert is_move(client.search(chess.Board(), "  depth\t 1 \r"))


@step
def long_line(client: Client, _: Path) -> None:
    """More than any buffer holds."""
    said = client.said("x" * 3_000_000)
    assert is_one_remark(said)
    assert len(said[0]) < 300


remarked(
    "letters_of_the_world",
    "No byte is taken for a letter.",
    *("é\u4e16\u754c", "go\u00a0depth", "stop\x00", "\x1b[A"),
)

# Positions.

remarked(
    "malformed_position_line",
    "Without `startpos` or `fen` it says nothing about a position.",
    *("position", "position e2e4", "position startpos e2e4"),
)
expected(
    "castling_is_written_as_the_king_moves",
    "Without UCI_Chess960.",
    *(CASTLES, "depth 1 searchmoves e1h1", "e1g1"),
)


@step
def moves_from_the_start(client: Client, _: Path) -> None:
    """`startpos` with moves."""
    client.board = chess.Board()
    for text in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]:
        client.board.push_uci(text)
    moves = " ".join(move.uci() for move in client.board.move_stack)
    client.send(f"position startpos moves {moves}", "go depth 2")
    assert is_move(client.answer())


@step
def moves_from_a_fen(client: Client, _: Path) -> None:
    """`fen` with moves."""
    board = chess.Board(CASTLES)
    board.push_uci("a1a8")
    assert is_move(client.search(board, "depth 2"))


@step
def fen_without_counters(client: Client, _: Path) -> None:
    """An EPD has four fields; some send fewer."""
    client.board = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    for count in (4, 3, 2, 1):
        fen = " ".join(client.board.fen().split()[:count])
        client.send(f"position fen {fen}", "go depth 2")
        assert is_move(client.answer())


@step
def castling_in_both_notations(client: Client, _: Path) -> None:
    """The king's move, and the king taking its rook, are understood as castling."""
    for text in ("e1g1", "e1h1"):
        fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
        client.send(f"position fen {fen} moves {text}", "d")
        with client.free_text():
            drawn = client.until("Checkers")
        assert any("R4RK1 b - - " in line for line in drawn), text


@step
def promotion_in_capitals(client: Client, _: Path) -> None:
    """`e7e8Q` is `e7e8q`; `e7e8` is no move."""
    fen = "8/4P3/8/8/8/2k5/8/K7 w - - 0 1"
    client.board = chess.Board(fen)
    client.board.push_uci("e7e8q")
    client.send(f"position fen {fen} moves e7e8Q", "go depth 1")
    assert is_move(client.answer())
    client.send(f"position fen {fen} moves e7e8", "go depth 1")
    assert not is_move(client.answer())


@step
def en_passant(client: Client, _: Path) -> None:
    """The capture is found, and understood."""
    board = chess.Board("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1")
    board.push_uci("d2d4")
    answer = client.search(board, "depth 1 searchmoves e4d3")
    assert answer.best == chess.Move.from_uci("e4d3")
    board.push_uci("e4d3")
    assert is_move(client.search(board, "depth 1"))


@step
def illegal_move_in_a_position(client: Client, _: Path) -> None:
    """No move is answered that is meant for another position."""
    for moves in ("e2e5", "e2e4 e2e4", "0000", "e2e4 xyz", "P@e4"):
        client.send(f"position startpos moves {moves}", "go depth 1")
        answer = client.answer()
        assert not is_move(answer)
        assert "is not legal" in answer.remarks()[0]


@step
def unreadable_position(client: Client, _: Path) -> None:
    """The next one is read as if nothing had happened."""
    for fen in ("", "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", "k7/8/8/8/8/8/8/K6r b - - 0 1"):
        client.send(f"position fen {fen}", "go depth 1")
        assert not is_move(client.answer())
    assert is_move(client.search(chess.Board(), "depth 1"))


@step
def impossible_castling_rights(client: Client, _: Path) -> None:
    """Many FENs allow castling that nobody can do: that is left out."""
    client.board = chess.Board("4k3/8/8/8/8/8/8/4K2R w - - 0 1")
    assert is_one_remark(client.said("position fen 4k3/8/8/8/8/8/8/4K1R1 w KQkq - 0 1"))
    client.board = chess.Board("4k3/8/8/8/8/8/8/4K1R1 w - - 0 1")
    client.send("go depth 1")
    assert is_move(client.answer())


@step
def long_game(client: Client, _: Path) -> None:
    """More moves than fit into a small buffer."""
    board = chess.Board()
    for index in range(1200):
        board.push_uci(("g1f3", "g8f6", "f3g1", "f6g8")[index % 4])
    assert is_move(client.search(board, "depth 1"))


# Searches that end by themselves.

HUGE = "9" * 40
CLOCKS = "wtime 300 btime 200 winc 10 binc 10"

answered("depth_zero", "It is not without end.", "depth 0")
answered("nodes", "About so many nodes.", "nodes 2000", "nodes 1")
answered(
    "movetime",
    "So long, and shorter than nothing.",
    *(f"movetime {milliseconds}" for milliseconds in (50, 1, 0, -5)),
)
answered(
    "clocks",
    "Both of them, with increments and moves to go.",
    *(CLOCKS, f"{CLOCKS} movestogo 1", f"{CLOCKS} movestogo 0"),
)
answered(
    "clocks_that_have_run_out",
    "Zero, and below zero.",
    *("wtime 0 btime 0", "wtime -300 btime -1", "wtime 1 btime 1 winc 0 binc 0"),
)
answered(
    "movetime_with_clocks",
    "Whatever ends first ends it.",
    *("movetime 30 wtime 9000000 btime 9000000", "movetime 9000000 wtime 200 btime 200"),
)
answered("searchmoves_without_moves", "Nothing is asked for.", "depth 2 searchmoves")
answered(
    "huge_numbers",
    "They are as large as can be.",
    f"wtime {HUGE} btime {HUGE} winc {HUGE} movestogo {HUGE} nodes {HUGE} mate {HUGE} depth 1",
)
expected("mate", "It is found and announced.", MATE_IN_ONE, "mate 1", "b1b8", score="mate 1")
expected("mate_in_two", "With the number of moves.", MATE_IN_TWO, "mate 2", score="mate 2")
expected("no_mate", "The search for none has an end.", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "mate 1")
expected(
    "being_mated",
    "A negative number of moves.",
    *("7k/R7/8/8/8/8/8/1R4K1 b - - 0 1", "depth 4"),
    score="mate -1",
)
expected("mated_root", "And `bestmove (none)`.", MATED, "depth 3", "none", score="mate 0")
expected("stalemated_root", "And `bestmove (none)`.", STALEMATED, "depth 3", "none", score="cp 0")
expected("one_legal_move", "It has a score too.", FEW_MOVES, "wtime 1000 btime 1000", "a1b2")
expected(
    "searchmoves_some_of_them_legal",
    "The others are left out.",
    *(chess.STARTING_FEN, "depth 2 searchmoves e7e5 a2a3 a2a3", "a2a3"),
)
expected(
    "unknown_words_in_go",
    "They are ignored.",
    *(chess.STARTING_FEN, "fast depth 2 please"),
    depth="2",
)


@step
def depth(client: Client, _: Path) -> None:
    """So deep, and no deeper."""
    answer = client.search(chess.Board(), "depth 3")
    assert answer.last["depth"] == "3"
    depths = [int(info["depth"]) for info in answer.infos]
    assert depths == sorted(depths)


@step
def one_clock_only(client: Client, _: Path) -> None:
    """`go wtime 100` without `btime`, with either side to move."""
    board = chess.Board()
    for clock in ("wtime", "btime"):
        assert is_move(client.search(board, f"{clock} 100"))
    board.push_uci("e2e4")
    for clock in ("wtime", "btime"):
        assert is_move(client.search(board, f"{clock} 100"))


# Searches that are stopped.

held_back("bare_go", "It searches until it is stopped.", "go")
held_back("infinite", "No `bestmove` before `stop`.", "go infinite")
held_back(
    "infinite_at_the_end_of_the_game",
    "Not even at mate or stalemate.",
    "go infinite",
    fens=(MATED, STALEMATED),
    moves=False,
)
held_back(
    "infinite_when_nothing_is_left_to_search",
    "Not even at the greatest depth, with a mate found, or with one move only.",
    "go infinite depth 1",
    fens=(FEW_MOVES, MATE_IN_ONE, "k7/8/8/8/8/8/8/K7 w - - 0 1"),
)


@step
def go_and_stop_together(client: Client, _: Path) -> None:
    """The search has hardly begun when it has to end."""
    client.place(chess.Board())
    for go in ("go infinite", "go", "go ponder", "go depth 30", "go movetime 60000"):
        for _round in range(5):
            client.send("position startpos", go, "stop")
            assert is_move(client.answer())
    assert client.is_silent()


@step
def stop_without_search(client: Client, _: Path) -> None:
    """It is nothing."""
    assert client.said("stop", "stop") == []
    assert is_move(client.search(chess.Board(), "depth 1"))
    client.send("stop")
    assert client.is_silent()


@step
def stop_twice(client: Client, _: Path) -> None:
    """One `bestmove`."""
    client.send(client.place(chess.Board()), "go infinite", "stop", "stop", "stop")
    assert is_move(client.answer())
    assert client.is_silent()


# Pondering.

held_back(
    "ponderhit",
    "No `bestmove` before it, and then by the clock.",
    "go ponder wtime 200 btime 200",
    ends=("ponderhit",),
)
held_back("stop_while_pondering", "The opponent has played something else.", "go ponder movetime 1")
held_back(
    "pondering_with_nothing_left_to_search",
    "The depth is reached long before the opponent moves.",
    "go ponder depth 1",
    ends=("ponderhit",),
)
held_back(
    "pondering_at_the_end_of_the_game",
    "`go ponder` on a finished position.",
    "go ponder wtime 100 btime 100",
    ends=("ponderhit", "stop"),
    fens=(MATED, STALEMATED),
    moves=False,
)


@step
def ponderhit_without_pondering(client: Client, _: Path) -> None:
    """It is nothing, during a search or not."""
    assert client.said("ponderhit") == []
    with searching(client):
        client.send("ponderhit")
        assert client.holds_back()


# During a search.


@step
def isready_during_a_search(client: Client, _: Path) -> None:
    """It is answered while the search goes on."""
    with searching(client):
        for _round in range(3):
            client.send("isready")
            assert not [line for line in client.until("readyok") if line.startswith("bestmove")]


@step
def new_game_during_a_search(client: Client, _: Path) -> None:
    """`ucinewgame` neither ends the search nor waits for it."""
    with searching(client):
        client.said("ucinewgame")
        assert client.holds_back()


@step
def options_during_a_search(client: Client, _: Path) -> None:
    """They hold for the next one."""
    with searching(client):
        client.said("setoption name MultiPV value 2", "setoption name Hash value 1")
    assert client.search(chess.Board(), "depth 2").last["multipv"] == "2"


@step
def position_during_a_search(client: Client, _: Path) -> None:
    """It holds for the next one."""
    with searching(client):
        client.said(f"position fen {MATED}")
    client.board = chess.Board(MATED)
    client.send("go depth 1")
    assert not is_move(client.answer())


@step
def go_during_a_search(client: Client, _: Path) -> None:
    """It ends the one before, and both are answered in their order."""
    client.place(chess.Board(CASTLES))
    client.send(f"position fen {CASTLES}", "go infinite searchmoves a1b1")
    client.send("go depth 1 searchmoves h1g1")
    assert client.answer().best == chess.Move.from_uci("a1b1")
    assert client.answer().best == chess.Move.from_uci("h1g1")


# Which moves.


@step
def searchmoves(client: Client, _: Path) -> None:
    """One of them is chosen, wherever they stand in the line."""
    for go in ("depth 2 searchmoves a2a3 h2h3", "searchmoves a2a3 h2h3 depth 2"):
        answer = client.search(chess.Board(), go)
        assert answer.best in (chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3"))


@step
def searchmoves_without_a_legal_one(client: Client, _: Path) -> None:
    """python-chess sends `searchmoves 0000` for an empty list."""
    for moves in ("0000", "e2e5", "nonsense", "e7e5 0000"):
        assert not is_move(client.search(chess.Board(), f"depth 2 searchmoves {moves}"))


@step
def drawn_root(client: Client, _: Path) -> None:
    """A draw that nobody has claimed is played on."""
    for fen in ("4k3/8/8/8/8/8/4P3/4K2R w K - 100 90", "k7/8/8/8/8/8/8/K7 w - - 0 1"):
        assert is_move(client.search(fen, "depth 2"))
    board = chess.Board()
    for text in ("g1f3 g8f6 f3g1 f6g8 " * 3).split():
        board.push_uci(text)
    assert is_move(client.search(board, "depth 2"))


# Options.


@step
def multipv(client: Client, _: Path) -> None:
    """So many lines, the best first, each with another move."""
    client.send("setoption name MultiPV value 3")
    infos = client.search(chess.Board(), "depth 2").infos[-3:]
    assert [info["multipv"] for info in infos] == ["1", "2", "3"]
    assert len({info["pv"].split()[0] for info in infos}) == 3


@step
def multipv_beyond_the_moves(client: Client, _: Path) -> None:
    """There are no more lines than moves."""
    client.send("setoption name MultiPV value 100")
    assert client.search(FEW_MOVES, "depth 2").last["multipv"] == "1"


@step
def show_wdl(client: Client, _: Path) -> None:
    """Only if asked for; they add up to a thousand."""
    assert "wdl" not in client.search(chess.Board(), "depth 2").last
    client.send("setoption name UCI_ShowWDL value true")
    chances = client.search(chess.Board(), "depth 2").last["wdl"]
    assert sum(map(int, chances.split())) == 1000


@step
def chess960(client: Client, _: Path) -> None:
    """Castling is the king taking its rook, in both directions."""
    client.send("setoption name UCI_Chess960 value true")
    board = chess.Board("1r3kr1/5pp1/8/8/8/8/5PP1/1R3KR1 w GBgb - 0 1", chess960=True)
    answer = client.search(board, "depth 1 searchmoves f1g1")
    assert answer.best == chess.Move.from_uci("f1g1")
    board.push_uci("f1g1")
    assert is_move(client.search(board, "depth 1"))
    board = chess.Board(CASTLES, chess960=True)
    assert client.search(board, "depth 1 searchmoves e1a1").best == chess.Move.from_uci("e1a1")


@step
def chess960_from_the_usual_start(client: Client, _: Path) -> None:
    """Position 518 is the initial position."""
    client.send("setoption name UCI_Chess960 value true")
    board = chess.Board(chess960=True)
    for text in ["g1f3", "g8f6", "g2g3", "g7g6", "f1g2", "f8g7"]:
        board.push_uci(text)
    assert client.search(board, "depth 1 searchmoves e1h1").best == chess.Move.from_uci("e1h1")


remarked(
    "unknown_option",
    "It is told, and changes nothing.",
    *(
        f"setoption {line}".strip()
        for line in ("name Nonsense value 1", "name", "Hash value 1", "", "value 1")
    ),
)


@step
def impossible_values(client: Client, _: Path) -> None:
    """They are refused, not taken for something near."""
    client.send("setoption name MultiPV value 2")
    values = ["MultiPV value 0", "MultiPV value -1", "MultiPV value many", "MultiPV value"]
    values += ["MultiPV", "MultiPV value 99999999999999999999", "Hash value 0", "Ponder value 1"]
    values += ["Algorithm value deep blue", "UCI_Elo value 10"]
    for value in values:
        assert is_one_remark(client.said(f"setoption name {value}")), value
    assert client.search(chess.Board(), "depth 1").last["multipv"] == "2"


@step
def names_of_options_in_any_case(client: Client, _: Path) -> None:
    """The protocol says so."""
    assert client.said("setoption name mULTIpv value 2", "setoption name clear hash") == []
    assert client.search(chess.Board(), "depth 1").last["multipv"] == "2"


@step
def empty_texts(client: Client, _: Path) -> None:
    """`<empty>` is no path, nor is nothing."""
    for name in ("SyzygyPath", "BookFile"):
        assert client.said(f"setoption name {name} value <empty>") == []
        assert client.said(f"setoption name {name} value") == []
        assert client.said(f"setoption name {name} value  ") == []
    assert is_move(client.search(chess.Board(), "depth 1"))


@step
def table_and_threads(client: Client, _: Path) -> None:
    """They change between searches."""
    for hash_mb, threads in ((1, 2), (64, 1), (16, 2)):
        lines = (f"Hash value {hash_mb}", f"Threads value {threads}", "Clear Hash")
        assert client.said(*(f"setoption name {line}" for line in lines)) == []
        assert is_move(client.search(chess.Board(), "depth 2"))


@step
def tablebases_that_are_none(client: Client, _: Path) -> None:
    """XBoard names a folder that is hardly ever there: the engine plays all the same."""
    (line,) = client.said("setoption name SyzygyPath value /nowhere at all")
    assert line.startswith(
        "info string SyzygyPath stays as it was: no tablebases in /nowhere at all"
    )
    assert client.said("setoption name Hash value 2", "setoption name Threads value 2") == []
    found = client.search(MATE_IN_ONE, "depth 4")
    assert (found.best, found.last["score"]) == (chess.Move.from_uci("b1b8"), "mate 1")


@step
def limited_strength(client: Client, _: Path) -> None:
    """Weaker, but legal."""
    lines = ("UCI_LimitStrength value true", "UCI_Elo value 1500")
    assert client.said(*(f"setoption name {line}" for line in lines)) == []
    assert is_move(client.search(chess.Board(), "movetime 30"))


# The book.


def use_book(
    client: Client, directory: Path, fen: str = chess.STARTING_FEN, move: str = "h2h4"
) -> None:
    """Play by a book of one entry."""
    parsed = chess.Move.from_uci(move)
    code = parsed.from_square << 6 | parsed.to_square
    key = chess.polyglot.zobrist_hash(chess.Board(fen))
    path = directory / "a book.bin"
    path.write_bytes(key.to_bytes(8, "big") + code.to_bytes(2, "big") + b"\0\1\0\0\0\0")
    lines = (f"BookFile value {path}", "OwnBook value true")
    assert client.said(*(f"setoption name {line}" for line in lines)) == []


@step
def book(client: Client, directory: Path) -> None:
    """Its move is played, at once, with a score before it."""
    use_book(client, directory)
    for go in ("movetime 60000", "depth 30", "wtime 9000000 btime 9000000"):
        assert client.search(chess.Board(), go).best == chess.Move.from_uci("h2h4")


@step
def book_castles(client: Client, directory: Path) -> None:
    """Books write castling as the king taking its rook."""
    use_book(client, directory, CASTLES, "e1h1")
    assert client.search(CASTLES, "depth 30").best == chess.Move.from_uci("e1g1")


@step
def book_during_infinite(client: Client, directory: Path) -> None:
    """Not even a book hit is answered before `stop`."""
    use_book(client, directory)
    for go in ("infinite", "ponder"):
        with searching(client, f"go {go}"):
            assert client.holds_back()


@step
def book_while_analysing(client: Client, directory: Path) -> None:
    """Analysis looks for itself."""
    use_book(client, directory)
    client.said("setoption name UCI_AnalyseMode value true")
    assert client.search(chess.Board(), "depth 2").last["depth"] == "2"


@step
def book_that_is_none(client: Client, directory: Path) -> None:
    """It is told, and the engine plays without."""
    path = directory / "no book.bin"
    path.write_text("nonsense", encoding="utf-8")
    client.said("setoption name OwnBook value true")
    for name in (path, directory / "nothing", directory):
        assert is_one_remark(client.said(f"setoption name BookFile value {name}")), name
        assert is_move(client.search(chess.Board(), "depth 1"))


# What is not of the protocol.


@step
def perft(client: Client, _: Path) -> None:
    """The number of moves, as everybody counts them."""
    client.send("position startpos", "go perft 3", "isready")
    with client.free_text():
        lines = client.until("Nodes searched")
    assert lines[-1] == "Nodes searched: 8902"
    client.send("perft 1")
    with client.free_text():
        client.until("Nodes searched: 20")
        client.line()


@step
def perft_is_stopped(client: Client, _: Path) -> None:
    """It takes long, and need not."""
    client.send("position startpos", "perft 12")
    client.said()
    client.send("stop")
    assert "stopped" in client.line()


@step
def display_and_evaluation(client: Client, _: Path) -> None:
    """The position in words."""
    client.send("position startpos", "d", "eval", "help")
    with client.free_text():
        text = client.until("  help")
    assert f"Fen: {chess.STARTING_FEN}" in text
    assert any(line.startswith("evaluation ") for line in text)


@step
def bench(client: Client, _: Path) -> None:
    """The same number of nodes twice, whatever was searched before."""
    found = []
    for _round in range(2):
        client.send("bench 1")
        with client.free_text():
            lines = [client.line()]
            while "nps" not in lines[-1]:
                lines.append(client.line())
        found.append(lines[-1].split()[0])
        client.search(chess.Board(), "depth 2")
    assert found[0] == found[1]
    assert int(found[0]) > 0


# Numbers.


@step
def numbers_that_are_none(client: Client, _: Path) -> None:
    """No search is without end by mistake."""
    for limits in ("movetime", "movetime soon", "depth infinity", "nodes 1e6", "wtime x btime y"):
        answer = client.search(chess.Board(), limits)
        assert is_move(answer)
        assert len(answer.remarks()) == 1
