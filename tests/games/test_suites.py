"""`betacut suite`: EPD read, problems judged, and what a player makes of them."""

import codecs
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import pytest
from chess.engine import Cp, Limit, Mate, PlayResult, PovScore

from betacut import engine
from betacut.cli import names
from betacut.games.match import read_openings
from betacut.games.players import Opinion
from betacut.games.review import read_games
from betacut.games.suites import FOLDER, SUITES, Attempt, Suite, read_suite, run_suite
from betacut.originals.didactic import PROBLEMS
from games.support import Handle, run, written
from support.players import Player

DEPTH_3 = Limit(depth=3)

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def suite_of(tmp_path: Path, *lines: str) -> Suite:
    return read_suite(written(tmp_path / "suite.epd", "\n".join(lines)))


def test_bratko_kopec_is_the_published_one() -> None:
    suite = read_suite("bratko-kopec")
    assert suite.errors == {}
    assert len(suite.problems) == 24
    for ours, theirs in zip(suite.problems, PROBLEMS, strict=True):
        board = chess.Board(theirs.fen)
        assert (ours.name, ours.fen) == (theirs.name, theirs.fen)
        assert set(ours.best) == {board.parse_san(san) for san in theirs.best}
        assert dict(ours.comments) == {"c0": theirs.kind}


def test_the_published_mates_are_proved_by_the_exact_search() -> None:
    """Mate in as many moves as `dm` says and no sooner, by the moves that `bm` has and no other."""
    suite = read_suite("published-mates")
    assert suite.errors == {}
    assert len(suite.problems) == 10
    for problem in suite.problems:
        depth = 2 * (problem.mate or 3) - 1 if problem.mate else 6
        result = engine.search(problem.fen, depth)
        assert set(result.best_moves) == set(problem.best), problem.name
        if problem.mate is not None:
            assert result.pov_score.relative.mate() == problem.mate
        if (problem.mate or 0) > 1:
            assert not engine.search(problem.fen, depth - 2).pov_score.is_mate()


@pytest.mark.parametrize("read", [read_suite, read_openings, lambda path: [*read_games(path)]])
def test_files_in_utf_16(tmp_path: Path, read: Callable[[str], object]) -> None:
    text = f"{START} bm e4;".encode("utf-16-be")
    path = written(tmp_path / "a.epd", codecs.BOM_UTF16_BE + text)
    with pytest.raises((ValueError, OSError), match=r"a\.epd.*UTF-16|UTF-16.*a\.epd"):
        read(str(path))


def test_every_suite_of_the_package_is_known_by_name() -> None:
    assert {f"{name}.epd" for name in SUITES} == {path.name for path in FOLDER.glob("*")}
    assert names.SUITES == SUITES
    for name in SUITES:
        assert read_suite(name).name == name


@pytest.mark.parametrize(
    ("operations", "moves"),
    [
        ("bm e4;", {"e4": True, "d4": False}),
        ("bm e4 d4;", {"e4": True, "d4": True, "c4": False}),
        ("am e4;", {"e4": False, "d4": True}),
        ("bm e4 d4; am e4;", {"e4": False, "d4": True}),
    ],
)
def test_moves_to_play_or_to_avoid(tmp_path: Path, operations: str, moves: dict[str, bool]) -> None:
    problem = suite_of(tmp_path, f"{START} {operations}").problems[0]
    for san, solved in moves.items():
        assert problem.is_solved_by(Opinion(chess.Board().parse_san(san))) is solved
    assert not problem.is_solved_by(Opinion(None))


def test_mates_are_proved_whatever_is_announced(tmp_path: Path) -> None:
    problem = suite_of(tmp_path, "1r2k3/2Q3P1/2p3Kb/6n1/8/8/8/8 w - - dm 2;").problems[0]
    right, wrong = map(chess.Board(problem.fen).parse_san, ("g8=N", "g8=Q+"))
    assert problem.is_solved_by(Opinion(right))
    assert not problem.is_solved_by(Opinion(wrong, PovScore(Mate(2), chess.WHITE)))


def test_long_mates_must_be_announced(tmp_path: Path) -> None:
    problem = suite_of(tmp_path, f"{START} dm 9;").problems[0]
    move = chess.Move.from_uci("e2e4")
    for moves, solved in [(9, True), (1, True), (10, False), (-1, False)]:
        assert problem.is_solved_by(Opinion(move, PovScore(Mate(moves), chess.WHITE))) is solved
    assert not problem.is_solved_by(Opinion(move))


def test_lines_that_cannot_be_read_are_reported_and_the_others_are_read(tmp_path: Path) -> None:
    suite = suite_of(
        tmp_path,
        "# a comment",
        f'{START} bm e4; id "first";',
        "nonsense",
        "",
        f"{START} bm e5;",
        f"{START} bm;",
        f'{START} id "asks nothing";',
        f"{START} dm 0;",
        f"{START} dm soon;",
        "8/8/8/8/8/8/8/k7 w - - bm Ka2;",
        f"{START} 7 12 bm d2d4;",
        f'{START} bm Nf3; c0 "one"; c7 "two"; acd 5; ',
        "\ufffd\0" * 1000,
        f"{START} 99999999999999999999 1 bm e4;",
        f"{START} bm --;",
    )
    assert [problem.line for problem in suite.problems] == [2, 11, 12]
    first, clocks, comments = suite.problems
    assert (first.name, first.task) == ("first", "bm e4")
    assert clocks.fen.endswith(" 7 12")
    assert clocks.task == "bm d4"
    assert (comments.name, comments.comments) == ("line 12", (("c0", "one"), ("c7", "two")))
    assert set(suite.errors) == {3, 5, 6, 7, 8, 9, 10, 13, 14, 15}
    assert "halfmove_clock must be an int from 0" in suite.errors[14]
    assert "an operand is neither a move nor a number" in suite.errors[15]
    assert "illegal san: 'e5'" in suite.errors[5]
    assert "bm must be followed by moves" in suite.errors[6]
    assert "there is no bm, no am and no dm" in suite.errors[7]
    assert "dm must be a number of moves, 1 or more, not 0" in suite.errors[8]
    assert "NO_WHITE_KING" in suite.errors[10]
    assert all(text.isprintable() and len(text) <= 200 for text in suite.errors.values())


def test_chess960(tmp_path: Path) -> None:
    start = "nrk1bqrn/pppppppp/8/8/8/8/PPPPPPPP/NRK1BQRN w KQkq -"
    castling = "4k3/8/8/8/8/8/8/1R1K3R w HB -"
    suite = suite_of(tmp_path, f"{start} bm Ng3;", f"{castling} bm O-O;")
    assert not suite.errors
    assert [problem.fen for problem in suite.problems] == [
        f"{start} 0 1",
        "4k3/8/8/8/8/8/8/1R1K3R w KQ - 0 1",
    ]
    castled = chess.Board(suite.problems[1].fen, chess960=True).parse_san("O-O")
    assert suite.problems[1].is_solved_by(Opinion(castled))


def test_a_file_without_problems(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"there is no problem in .*suite.epd'; line 1: cannot"):
        suite_of(tmp_path, "nonsense")
    with pytest.raises(ValueError, match=r"there is no problem in"):
        suite_of(tmp_path, "")


def test_the_exact_search_on_the_mates() -> None:
    seen: list[Attempt] = []
    report = run_suite("published-mates", player="search", limit=DEPTH_3, progress=seen.append)
    assert [attempt.problem for attempt in seen] == [*report.suite.problems]
    for attempt in report.attempts:
        mate = attempt.problem.mate
        if mate is not None:
            assert attempt.solved == (2 * mate - 1 <= 3), attempt.problem.name
        if attempt.solved:
            assert attempt.solved_after is not None
            assert 0 <= attempt.solved_after <= attempt.seconds
    assert report.solved == 8
    assert report.summary.startswith("published-mates: 8 of 10 solved by search, depth 3 a ")


class _Iterates:
    """An engine that tells what it thinks: e4, d4, then e4 until the end."""

    id = {"name": "iterates"}  # noqa: RUF012

    def analyse(self, board: chess.Board, limit: Limit, **options: Any) -> Any:  # noqa: ANN401
        raise NotImplementedError

    def analysis(self, board: chess.Board, limit: Limit) -> Any:  # noqa: ANN401
        score = PovScore(Cp(10), board.turn)
        infos: list[Any] = [
            {"depth": depth, "pv": [board.parse_san(san)], "score": score, "time": float(depth)}
            for depth, san in enumerate(["e4", "d4", "e4", "e4"], start=1)
        ]
        infos.insert(3, {"string": "no line"})
        return Handle(infos)


def test_the_time_to_the_solution_is_when_it_was_kept(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, f"{START} bm e4;", f"{START} bm d4;")
    report = run_suite(suite, player=_Iterates(), limit=Limit(nodes=9))
    first, second = report.attempts
    assert (first.solved, first.solved_after, first.seconds) == (True, 3.0, 4.0)
    assert (second.solved, second.solved_after) == (False, None)
    assert report.player == "iterates"


class _Fails(Player):
    """Fails on its first moves."""

    def choose(self, board: chess.Board, limit: Limit | None = None) -> Any:  # noqa: ANN401
        self.limits.append(limit)
        if len(self.limits) == 1:
            raise RuntimeError("the engine\nhas died")
        if len(self.limits) == 2:
            raise KeyError("e4")
        if len(self.limits) == 3:
            board.push_san("e4")
            return PlayResult(chess.Move.from_uci("e7e5"), None)
        if len(self.limits) == 4:
            return 5
        return PlayResult(next(iter(board.legal_moves)), None)


def test_a_failure_is_reported_where_it_happens(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, *[f"{START} bm Nh3;"] * 5, f"{START} am a3;")
    report = run_suite(suite, player=_Fails(), limit=DEPTH_3)
    assert [attempt.error for attempt in report.attempts] == [
        "the engine has died",
        "KeyError: 'e4'",
        "made an illegal move: e7e5",
        "AttributeError: 'int' object has no attribute 'info'",
        None,
        None,
    ]
    assert [attempt.solved for attempt in report.attempts] == [False] * 4 + [True, True]
    assert "| made an illegal move: e7e5 |" in report.to_markdown()
    assert json.loads(report.to_json())["attempts"][0]["error"] == "the engine has died"
    with pytest.raises(ValueError, match="there is no problem"):
        suite_of(tmp_path, "7k/8/6Q1/8/8/8/8/K7 b - - am Kg8;")  # stalemate


def test_the_command_and_its_forms() -> None:
    arguments = ("suite", "published-mates", "-p", "search", "-d", "3")
    text = run(*arguments)
    assert text.exit_code == 0, text.output
    assert "published-mates: 8 of 10 solved by search, depth 3 a position" in text.output
    written = json.loads(run(*arguments, "--json").stdout)
    assert (written["solved"], written["problems"]) == (8, 10)
    assert written["limit"] == {"depth": 3}
    assert written["attempts"][0]["san"] == "Qf1"
    markdown = run(*arguments, "--markdown").stdout
    rows = [line for line in markdown.splitlines() if line.startswith("|")]
    assert len(rows) == 12
    assert len({line.count("|") for line in rows}) == 1


@pytest.mark.parametrize("columns", [40, 80])
def test_the_command_in_a_narrow_terminal(columns: int) -> None:
    result = run("suite", "bratko-kopec", "-p", "search", "-d", "1", columns=columns)
    assert max(map(len, result.output.splitlines())) <= columns
    assert "BK.24" in result.output


def test_the_command_on_a_file_with_errors(tmp_path: Path) -> None:
    path = written(tmp_path / "mine.epd", f"nonsense\n{START} bm e4 d4 Nc3 Nf3;\n")
    result = run("suite", str(path), "-p", "search", "-d", "2")
    assert result.exit_code == 1
    assert "betacut: mine.epd, line 1: cannot read EPD 'nonsense'" in result.stderr
    assert "mine.epd: 1 of 1 solved" in result.stdout
