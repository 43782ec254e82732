"""The conformance driver: what an engine must do, asked by two clients.

All tests talk to one process of each client, one after the other; before each of them the options
are what they were at first. Docstrings say what goes wrong elsewhere.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import chess
import pytest

from games.support import book_entry, pushed, written
from support.boards import FINISHED
from uci.clients import Answer, ChessClient, Client, RawClient

START = chess.STARTING_FEN
MATED = FINISHED["Black is mated"]
STALEMATED = FINISHED["Black is stalemated"]
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1"
MATE_IN_TWO = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"
BEING_MATED = "7k/R7/8/8/8/8/8/1R4K1 b - - 0 1"
A_PAWN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
SHUFFLED = "1r3kr1/5pp1/8/8/8/8/5PP1/1R3KR1 w GBgb - 0 1"
EN_PASSANT = "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1 moves d2d4"
PROMOTES = "8/4P3/8/8/8/2k5/8/K7 w - - 0 1"
FEW_MOVES = "7k/8/8/8/8/8/1r6/K7 w - - 0 1"
TWO_KINGS = "k7/8/8/8/8/8/8/K7 w - - 0 1"
RUY_LOPEZ = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"
TO_AND_FRO = "g1f3 g8f6 f3g1 f6g8 "

CHESS960 = "UCI_Chess960 value true"


@pytest.fixture(scope="module", params=[RawClient, ChessClient])
def process(request: pytest.FixtureRequest) -> Iterator[Client]:
    with closing(request.param()) as one:
        yield one


@pytest.fixture
def client(process: Client, no_complaints: None) -> Iterator[Client]:
    process.reset()
    yield process
    assert process.said() == []


def after(position: str, *, chess960: bool = False) -> chess.Board:
    """The position of a FEN, and of the `moves` after it."""
    fen, _, moves = position.partition(" moves ")
    return pushed(moves, fen, chess960=chess960)


def is_one_remark(lines: Sequence[str]) -> bool:
    """Whether something was said in words, and nothing else."""
    return len(lines) == 1 and lines[0].startswith("info string ")


def is_move(answer: Answer) -> bool:
    return answer.best is not None


def configure(client: Client, *options: str) -> None:
    """Set options, about which nothing is said."""
    assert client.said(*(f"setoption name {option}" for option in options)) == []


def benched(client: Client, command: str) -> list[str]:
    """What a bench says."""
    client.send(command)
    with client.free_text():
        lines = [client.line()]
        while "nps" not in lines[-1]:
            lines.append(client.line())
    return lines


@contextmanager
def searching(client: Client, go: str = "go infinite") -> Iterator[None]:
    """A search of the initial position, which ends with a move when it is stopped."""
    client.send(client.place(chess.Board()), go)
    yield
    client.send("stop")
    assert is_move(client.answer())


class TestTheBeginning:
    @pytest.fixture
    def options(self, client: Client) -> dict[str, str]:
        """The options that are announced, by their names."""
        client.send("uci")
        name, author, *lines, _ = client.until("uciok")
        assert name.startswith("id name betacut ")
        assert author.startswith("id author ")
        return dict(line.removeprefix("option name ").split(" type ") for line in lines)

    def test_names_of_options(self, options: dict[str, str]) -> None:
        """Clients look for `name`, `type`, `default`, `min`, `max`, `var` anywhere in the line."""
        names = "Hash Threads MultiPV Ponder SyzygyPath OwnBook BookFile UCI_Chess960"
        names += " UCI_LimitStrength UCI_Elo UCI_ShowWDL UCI_AnalyseMode Algorithm"
        assert {*names.split()} | {"Move Overhead", "Clear Hash", "Skill Level"} <= options.keys()
        keywords = {"name", "type", "default", "min", "max", "var", "value"}
        for name in options:
            assert not {*name.lower().replace("_", " ").split()} & keywords, name

    def test_defaults_of_options_are_possible(self, options: dict[str, str]) -> None:
        """A default outside the range, or none of the combo's values."""
        seen = 0
        for line in options.values():
            words = line.split()
            if words[0] == "spin":
                at = dict(zip(words[1::2], map(int, words[2::2]), strict=True))
                assert at["min"] <= at["default"] <= at["max"], line
                seen += 1
            if words[0] == "combo":
                names = line.split(" var ")[1:]
                assert f" default {names[0]} " in line
                assert len({*names}) == len(names)
                seen += 1
        assert seen >= 5

    def test_one_answer_to_each_isready(self, client: Client) -> None:
        client.send("isready", "isready", "isready")
        assert [client.line() for _ in range(3)] == ["readyok"] * 3
        assert client.is_silent()

    @pytest.mark.parametrize(
        "lines",
        [("register later", "register name A B code 1"), ("stop", "stop"), ("ponderhit",)],
        ids=" ".join,
    )
    def test_nothing_is_said(self, client: Client, lines: tuple[str, ...]) -> None:
        assert client.said(*lines) == []

    @pytest.mark.parametrize("before", ["", "joho "])
    def test_debug(self, client: Client, before: str) -> None:
        """`joho debug on` is `debug on`, says the protocol; more is said, in words only."""
        said = client.said(f"{before}debug on", "stop")
        assert said
        assert all(line.startswith("info string ") for line in said)
        client.said(f"{before}debug off")
        assert client.said("stop") == []
        assert is_one_remark(client.said(f"{before}debug perhaps"))


@pytest.mark.parametrize(
    "line",
    [
        *("é\u4e16\u754c", "go\u00a0depth", "stop\x00", "\x1b[A"),  # no byte is taken for a letter
        *("position", "position e2e4", "position startpos e2e4"),
        *("setoption name Nonsense value 1", "setoption name", "setoption Hash value 1"),
        *("setoption", "setoption value 1", "xyzzy plugh"),
    ],
    ids=ascii,
)
def test_a_line_of_which_something_is_said(client: Client, line: str) -> None:
    """It ends nothing and changes nothing."""
    assert is_one_remark(client.said(line))
    assert is_move(client.search(START, "depth 1"))


class TestOddLines:
    def test_blanks(self, client: Client) -> None:
        """Blank lines, blanks around words, line ends of Windows."""
        client.send("", "   ", "\t", "  isready \t\r")
        assert client.line() == "readyok"
        assert is_move(client.search(START, "  depth\t 1 \r"))

    def test_a_long_line(self, client: Client) -> None:
        said = client.said("x" * 3_000_000)
        assert is_one_remark(said)
        assert len(said[0]) < 300


class TestPositions:
    @pytest.mark.parametrize(
        ("position", "board"),
        [
            (f"startpos moves {RUY_LOPEZ}", pushed(RUY_LOPEZ)),
            # An EPD has four fields; some send fewer.
            *((f"fen {A_PAWN.rsplit(maxsplit=n)[0]}", chess.Board(A_PAWN)) for n in (2, 3, 4, 5)),
            (f"fen {PROMOTES} moves e7e8Q", pushed("e7e8q", PROMOTES)),
        ],
    )
    def test_ways_to_write_them(self, client: Client, position: str, board: chess.Board) -> None:
        client.board = board
        client.send(f"position {position}", "go depth 2")
        assert is_move(client.answer())

    @pytest.mark.parametrize("text", ["e1g1", "e1h1"])
    def test_castling_in_both_notations(self, client: Client, text: str) -> None:
        """The king's move, and the king taking its rook, are understood as castling."""
        client.send(f"position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 moves {text}", "d")
        with client.free_text():
            assert any("R4RK1 b - - " in line for line in client.until("Checkers"))

    @pytest.mark.parametrize(
        ("position", "said"),
        [
            ("startpos moves e2e5", "is not legal"),
            ("startpos moves e2e4 e2e4", "is not legal"),
            ("startpos moves 0000", "is not legal"),
            ("startpos moves e2e4 xyz", "is not legal"),
            ("startpos moves P@e4", "is not legal"),
            (f"fen {PROMOTES} moves e7e8", "is not legal"),
            ("", "position needs 'startpos' or 'fen'"),
            ("startpos e2e4", "position needs 'moves'"),
            pytest.param(
                f"startpos moves {TO_AND_FRO * 60_000}", "more than 1048576 bytes", id="too long"
            ),
            ("fen ", ""),
            ("fen nonsense", ""),
            ("fen 8/8/8/8/8/8/8/8 w - - 0 1", ""),
            ("fen k7/8/8/8/8/8/8/K6r b - - 0 1", ""),
        ],
    )
    def test_what_cannot_be_played(self, client: Client, position: str, said: str) -> None:
        """No move is answered that is meant for another position; the next one is read."""
        client.send(f"position {position}", "go depth 1")
        answer = client.answer()
        assert not is_move(answer)
        assert said in answer.remarks()[0]
        assert is_move(client.search(START, "depth 1"))

    def test_impossible_castling_rights(self, client: Client) -> None:
        """Many FENs allow castling that is impossible: that is left out."""
        assert is_one_remark(client.said("position fen 4k3/8/8/8/8/8/8/4K1R1 w KQkq - 0 1"))
        client.board = chess.Board("4k3/8/8/8/8/8/8/4K1R1 w - - 0 1")
        client.send("go depth 1")
        assert is_move(client.answer())


HUGE = "wtime btime winc movestogo nodes mate".replace(" ", f" {'9' * 40} ") + f" {'9' * 40}"
CLOCKS = "wtime 300 btime 200 winc 10 binc 10"


@pytest.mark.parametrize(
    ("position", "go"),
    [
        *((START, f"movetime {milliseconds}") for milliseconds in (50, 1, 0, -5)),
        *((START, f"{CLOCKS}{more}") for more in ("", " movestogo 1", " movestogo 0")),
        (START, "wtime 0 btime 0"),
        (START, "wtime -300 btime -1"),
        (START, "wtime 1 btime 1 winc 0 binc 0"),
        (START, "movetime 30 wtime 9000000 btime 9000000"),
        (START, "movetime 9000000 wtime 200 btime 200"),
        *((START, f"{clock} 100") for clock in ("wtime", "btime")),
        *((f"{START} moves e2e4", f"{clock} 100") for clock in ("wtime", "btime")),
        (START, "depth 0"),
        (START, "nodes 2000"),
        (START, "nodes 1"),
        (START, "depth 2 searchmoves"),
        (START, f"{HUGE} depth 1"),
        (A_PAWN, "mate 1"),
        (f"{CASTLES} moves a1a8", "depth 2"),
        (f"{EN_PASSANT} e4d3", "depth 1"),
        (f"{START} moves {TO_AND_FRO * 300}", "depth 1"),
        # A draw that was not claimed is played on.
        (f"{START} moves {TO_AND_FRO * 3}", "depth 2"),
        ("4k3/8/8/8/8/8/4P3/4K2R w K - 100 90", "depth 2"),
        (TWO_KINGS, "depth 2"),
    ],
    ids=lambda text: str(text)[:50],
)
def test_a_search_that_ends_with_a_move(client: Client, position: str, go: str) -> None:
    assert is_move(client.search(after(position), go))


@pytest.mark.parametrize(
    ("position", "go", "best", "last"),
    [
        (MATE_IN_ONE, "mate 1", "b1b8", {"score": "mate 1"}),
        (MATE_IN_TWO, "mate 2", None, {"score": "mate 2"}),
        (BEING_MATED, "depth 4", None, {"score": "mate -1"}),
        (MATED, "depth 3", "none", {"score": "mate 0"}),
        (STALEMATED, "depth 3", "none", {"score": "cp 0"}),
        (FEW_MOVES, "wtime 1000 btime 1000", "a1b2", {}),
        (START, "fast depth 2 please", None, {"depth": "2"}),
        # The legal ones are chosen from, and are written as the king moves.
        (START, "depth 2 searchmoves e7e5 a2a3 a2a3", "a2a3", {}),
        (CASTLES, "depth 1 searchmoves e1h1", "e1g1", {}),
        (EN_PASSANT, "depth 1 searchmoves e4d3", "e4d3", {}),
        # python-chess sends `searchmoves 0000` for an empty list.
        (START, "depth 2 searchmoves 0000", "none", {}),
        (START, "depth 2 searchmoves e2e5", "none", {}),
        (START, "depth 2 searchmoves nonsense", "none", {}),
        (START, "depth 2 searchmoves e7e5 0000", "none", {}),
    ],
)
def test_how_a_search_ends(
    client: Client, position: str, go: str, best: str | None, last: dict[str, str]
) -> None:
    answer = client.search(after(position), go)
    assert is_move(answer) == (best != "none")
    assert best in (None, "none", str(answer.best))
    assert {key: answer.last[key] for key in last} == last


class TestSearches:
    def test_so_deep_and_no_deeper(self, client: Client) -> None:
        answer = client.search(START, "depth 3")
        assert answer.last["depth"] == "3"
        depths = [int(info["depth"]) for info in answer.infos]
        assert depths == sorted(depths)

    @pytest.mark.parametrize(
        "limits", ["movetime", "movetime soon", "depth infinity", "nodes 1e6", "wtime x btime y"]
    )
    def test_numbers_that_are_none(self, client: Client, limits: str) -> None:
        """No search is without end by mistake."""
        answer = client.search(START, limits)
        assert is_move(answer)
        assert len(answer.remarks()) == 1

    @pytest.mark.parametrize(
        "go", ["depth 2 searchmoves a2a3 h2h3", "searchmoves a2a3 h2h3 depth 2"]
    )
    def test_moves_to_choose_from(self, client: Client, go: str) -> None:
        assert str(client.search(START, go).best) in ("a2a3", "h2h3")

    def test_moves_that_are_none(self, client: Client) -> None:
        """They are left out, and not in silence."""
        remarks = client.search(START, "depth 1 searchmoves e7e5 a2a3 a1a5 h2h3").remarks()
        assert remarks == ["searchmoves: not legal here, left out: 'e7e5' and 1 more"]
        assert client.search(START, "depth 1 searchmoves a2a3").remarks() == []

    @pytest.mark.parametrize("nodes", [1, 2, 200, 1024, 1025, 5000])
    def test_so_many_nodes(self, client: Client, nodes: int) -> None:
        """One thread visits just as many, and the last line counts them all."""
        for _round in range(2):
            assert client.search(CASTLES, f"nodes {nodes}").last["nodes"] == str(nodes)

    @pytest.mark.parametrize("nodes", [1, 1000, 20_000])
    def test_so_many_nodes_of_two_threads(self, client: Client, nodes: int) -> None:
        """Never more: one of them may not have come to the last it took."""
        configure(client, "Threads value 2")
        assert nodes - 1024 <= int(client.search(CASTLES, f"nodes {nodes}").last["nodes"]) <= nodes

    def test_the_last_line_counts_all(self, client: Client) -> None:
        """Also what came after the last depth that was finished, of each of the lines."""
        configure(client, "MultiPV value 2")
        infos = client.search(CASTLES, "nodes 30000").infos
        assert [info["nodes"] for info in infos[-2:]] == ["30000", "30000"]
        assert [info["multipv"] for info in infos[-2:]] == ["1", "2"]
        last, before = infos[-2], infos[-4]
        if last["depth"] == before["depth"]:
            assert (last["score"], last["pv"]) == (before["score"], before["pv"])


@pytest.mark.parametrize(
    ("go", "position", "end"),
    [
        ("", START, "stop"),
        ("infinite", START, "stop"),
        # Not even at the greatest depth, with a mate found, with one move only, or at the end.
        ("infinite depth 1", FEW_MOVES, "stop"),
        ("infinite depth 1", MATE_IN_ONE, "stop"),
        ("infinite depth 1", TWO_KINGS, "stop"),
        ("infinite", MATED, "stop"),
        ("infinite", STALEMATED, "stop"),
        ("ponder wtime 200 btime 200", START, "ponderhit"),
        ("ponder movetime 1", START, "stop"),
        ("ponder depth 1", START, "ponderhit"),
        *(
            ("ponder wtime 100 btime 100", position, end)
            for position in (MATED, STALEMATED)
            for end in ("ponderhit", "stop")
        ),
    ],
)
def test_no_bestmove_before_the_end(client: Client, go: str, position: str, end: str) -> None:
    client.send(client.place(chess.Board(position)), f"go {go}".strip())
    assert client.holds_back()
    client.send(end)
    assert is_move(client.answer()) == (position not in (MATED, STALEMATED))


class TestStop:
    def test_go_and_stop_together(self, client: Client) -> None:
        for go in ["go infinite", "go", "go ponder", "go depth 30", "go movetime 60000"] * 5:
            client.send("position startpos", go, "stop")
            assert is_move(client.answer())
        assert client.is_silent()

    @pytest.mark.parametrize("lines", [("go infinite", "stop", "stop", "stop"), ("go depth 1",)])
    def test_after_the_end(self, client: Client, lines: tuple[str, ...]) -> None:
        client.send(client.place(chess.Board()), *lines)
        assert is_move(client.answer())
        client.send("stop")
        assert client.is_silent()


class TestDuringASearch:
    @pytest.mark.parametrize("line", [(), ("uci",), ("ponderhit",), ("ucinewgame",)])
    def test_what_does_not_end_it(self, client: Client, line: tuple[str, ...]) -> None:
        """`isready`, which is always sent, and these; `ucinewgame` does not wait for it either."""
        with searching(client):
            for _round in range(3):
                assert not [one for one in client.said(*line) if one.startswith("bestmove")]
            assert client.holds_back()

    def test_options(self, client: Client) -> None:
        with searching(client):
            client.said("setoption name MultiPV value 2", "setoption name Hash value 1")
        assert client.search(START, "depth 2").last["multipv"] == "2"

    def test_options_that_are_none(self, client: Client) -> None:
        """They are refused at once, and the search goes on; so it does when a table is cleared."""
        with searching(client):
            assert is_one_remark(client.said("setoption name Hash value 0"))
            assert is_one_remark(client.said("setoption name Contempt value 10"))
            configure(client, "Clear Hash", "Skill Level value 0")
            assert client.holds_back()
        assert client.search(START, "nodes 4000").last["nodes"] == "266"

    def test_position(self, client: Client) -> None:
        with searching(client):
            client.said(f"position fen {MATED}")
        client.board = chess.Board(MATED)
        client.send("go depth 1")
        assert not is_move(client.answer())

    def test_go(self, client: Client) -> None:
        """It ends the one before, and both are answered in their order."""
        client.place(chess.Board(CASTLES))
        client.send(f"position fen {CASTLES}", "go infinite searchmoves a1b1")
        client.send("go depth 1 searchmoves h1g1")
        assert [str(client.answer().best) for _ in range(2)] == ["a1b1", "h1g1"]


class TestOptions:
    def test_multipv(self, client: Client) -> None:
        """So many lines, the best first, each with another move."""
        configure(client, "MultiPV value 3")
        infos = client.search(START, "depth 2").infos[-3:]
        assert [info["multipv"] for info in infos] == ["1", "2", "3"]
        assert len({info["pv"].split()[0] for info in infos}) == 3

    def test_show_wdl(self, client: Client) -> None:
        """Only if asked for; they add up to a thousand."""
        assert "wdl" not in client.search(START, "depth 2").last
        configure(client, "UCI_ShowWDL value true")
        assert sum(map(int, client.search(START, "depth 2").last["wdl"].split())) == 1000

    @pytest.mark.parametrize(
        ("position", "castling"),
        [
            (SHUFFLED, "f1g1"),
            (CASTLES, "e1a1"),
            (f"{START} moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7", "e1h1"),  # it is position 518
        ],
    )
    def test_chess960(self, client: Client, position: str, castling: str) -> None:
        """Castling is the king taking its rook, in both directions."""
        configure(client, CHESS960)
        board = after(position, chess960=True)
        assert str(client.search(board, f"depth 1 searchmoves {castling}").best) == castling
        board.push_uci(castling)
        assert is_move(client.search(board, "depth 1"))

    @pytest.mark.parametrize(
        "value",
        [
            *("MultiPV value 0", "MultiPV value -1", "MultiPV value many", "MultiPV value"),
            *("MultiPV", "MultiPV value 99999999999999999999", "Hash value 0", "Ponder value 1"),
            *("Algorithm value deep blue", "UCI_Elo value 10"),
        ],
    )
    def test_impossible_values(self, client: Client, value: str) -> None:
        """They are refused, not taken for something near."""
        configure(client, "MultiPV value 2")
        assert is_one_remark(client.said(f"setoption name {value}"))
        assert client.search(START, "depth 1").last["multipv"] == "2"

    def test_empty_texts(self, client: Client) -> None:
        """`<empty>` is no path, nor is nothing."""
        for name in ("SyzygyPath", "BookFile"):
            configure(client, f"{name} value <empty>", f"{name} value", f"{name} value  ")
        assert is_move(client.search(START, "depth 1"))

    @pytest.mark.parametrize(("hash_mb", "threads"), [(1, 2), (64, 1), (16, 2)])
    def test_table_and_threads(self, client: Client, hash_mb: int, threads: int) -> None:
        configure(client, f"Hash value {hash_mb}", f"Threads value {threads}", "Clear Hash")
        assert is_move(client.search(START, "depth 2"))

    def test_tablebases_that_are_none(self, client: Client) -> None:
        """XBoard names a folder that is hardly ever there: the engine plays all the same."""
        (line,) = client.said("setoption name SyzygyPath value /nowhere at all")
        said = "SyzygyPath stays as it was: no tablebases in /nowhere at all"
        assert line.startswith(f"info string {said}")
        configure(client, "Hash value 2", "Threads value 2")
        found = client.search(MATE_IN_ONE, "depth 4")
        assert (str(found.best), found.last["score"]) == ("b1b8", "mate 1")

    def test_no_more_lines_than_moves(self, client: Client) -> None:
        configure(client, "mULTIpv value 100", "clear hash")  # in any case
        assert client.search(FEW_MOVES, "depth 2").last["multipv"] == "1"

    def test_limited_strength(self, client: Client) -> None:
        configure(client, "UCI_LimitStrength value true", "UCI_Elo value 1500")
        assert is_move(client.search(START, "movetime 30"))

    def test_level_of_skill(self, client: Client) -> None:
        """A low one takes few nodes, and the greatest is no limit; a rating comes before both."""
        nodes = {}
        for level in (0, 1, 20):
            configure(client, f"Skill Level value {level}", "Clear Hash")
            nodes[level] = int(client.search(START, "nodes 4000").last["nodes"])
        assert nodes == {0: 266, 1: 343, 20: 4000}
        configure(client, "UCI_LimitStrength value true", "UCI_Elo value 1700")
        assert client.search(START, "nodes 4000").last["nodes"] == "512"
        (said,) = client.said("setoption name Skill Level value 21")
        assert said == "info string Skill Level must be a number from 0 to 20, not '21'"


class TestTheBook:
    def use(self, client: Client, directory: Path, fen: str = START, move: str = "h2h4") -> None:
        """Play by a book of one entry."""
        path = written(directory / "a book.bin", book_entry(chess.Board(fen), move, 1))
        configure(client, f"BookFile value {path}", "OwnBook value true")

    def test_its_move_is_played_at_once(self, client: Client, tmp_path: Path) -> None:
        self.use(client, tmp_path)
        for go in ("movetime 60000", "depth 30", "wtime 9000000 btime 9000000"):
            assert str(client.search(START, go).best) == "h2h4"

    def test_castling(self, client: Client, tmp_path: Path) -> None:
        """Books write castling as the king taking its rook."""
        self.use(client, tmp_path, CASTLES, "e1h1")
        assert str(client.search(CASTLES, "depth 30").best) == "e1g1"

    @pytest.mark.parametrize("go", ["infinite", "ponder"])
    def test_nothing_is_answered_before_stop(self, client: Client, tmp_path: Path, go: str) -> None:
        self.use(client, tmp_path)
        with searching(client, f"go {go}"):
            assert client.holds_back()

    def test_analysis_looks_for_itself(self, client: Client, tmp_path: Path) -> None:
        self.use(client, tmp_path)
        configure(client, "UCI_AnalyseMode value true")
        assert client.search(START, "depth 2").last["depth"] == "2"

    def test_the_book_before_stays(self, client: Client, tmp_path: Path) -> None:
        self.use(client, tmp_path)
        late = tmp_path / "late.bin"
        for _ in range(2):
            assert is_one_remark(client.said(f"setoption name BookFile value {late}"))
        assert str(client.search(START, "depth 30").best) == "h2h4"

    def test_what_is_none(self, client: Client, tmp_path: Path) -> None:
        """It is told, and the engine plays without."""
        configure(client, "OwnBook value true")
        for name in (written(tmp_path / "no book.bin", "nonsense"), tmp_path / "nothing", tmp_path):
            assert is_one_remark(client.said(f"setoption name BookFile value {name}")), name
            assert is_move(client.search(START, "depth 1"))


class TestWhatIsNotOfTheProtocol:
    def test_perft(self, client: Client) -> None:
        client.send("position startpos", "go perft 3", "isready")
        with client.free_text():
            assert client.until("Nodes searched")[-1] == "Nodes searched: 8902"
        client.send("perft 1")
        with client.free_text():
            client.until("Nodes searched: 20")
            client.line()

    def test_perft_is_stopped(self, client: Client) -> None:
        client.send("position startpos", "perft 12")
        client.said()
        client.send("stop")
        assert "stopped" in client.line()

    def test_display_and_evaluation(self, client: Client) -> None:
        client.send("position startpos", "d", "eval", "help")
        with client.free_text():
            text = client.until("  help")
        assert f"Fen: {START}" in text
        assert any(line.startswith("evaluation ") for line in text)
        (final,) = (line for line in text if line.startswith("Final evaluation "))
        assert final.endswith(" (white side)")

    def test_compiler(self, client: Client) -> None:
        with client.free_text():
            made, settings = client.said("compiler")
        assert made.startswith("Compiled by rustc")
        assert settings.startswith("Compilation settings include: ")

    def test_bench(self, client: Client) -> None:
        """The same number of nodes twice, whatever was searched before."""
        found = []
        for _round in range(2):
            found.append(benched(client, "bench 1")[-1].split()[0])
            client.search(START, "depth 2")
        assert found[0] == found[1]
        assert int(found[0]) > 0

    def test_bench_as_stockfish_has_it(self, client: Client) -> None:
        """The table, the threads, the depth; and words that scripts look for."""
        lines = [benched(client, command) for command in ("bench 2", "bench 16 1 2 default depth")]
        for said in lines:
            (nodes,) = (line for line in said if line.startswith("Nodes searched  : "))
            assert said[-1].startswith(f"{nodes.split()[-1]} nodes ")
        assert lines[0][:16] == lines[1][:16]
        assert is_one_remark(client.said("bench 16 1 2 openings.epd"))
