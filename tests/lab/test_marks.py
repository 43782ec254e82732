"""A file is checked and marked: points, JSON, JUnit, limits; and the assignment of the examples."""

import functools
import json
import shutil
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import chess
import pytest

from betacut import check, engine
from betacut.lab.checking import Marks
from betacut.lab.checking import marks as marks_of_files
from betacut.lab.checking.calls import Caller
from betacut.lab.checking.effort import measured
from betacut.lab.checking.subject import Subject
from games.support import written
from lab.student_searches import mistakes, negamax, neighbours
from lab.student_searches.neighbours import Negamax
from lab.support import difference_of, flat
from support.commands import ran, run_python

ASSIGNMENT = Path(__file__).parents[2] / "examples" / "assignment"

QUICK: dict[str, Any] = {"positions": ["P5", "P6"], "depths": [1, 2], "limit": None}

FILE = """
from betacut import engine

def value(board, depth):
    return helper(board, depth)

def helper(board, depth):
    return engine.search(board, depth).score

def wrong(board, depth):
    return -helper(board, depth)

class Kept:
    def __call__(self, board, depth):
        return helper(board, depth)

def evaluate(board):
    return 0
"""

SOLUTION = """
    best = None
    for move in board.legal_moves:
        board.push(move)
        value = {name}(board, depth - 1{window})
        board.pop()
        if best is None or (value > best if board.turn else value < best):
            best = value
        if board.turn:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if {cut}:
            break
    return best
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path / "mine.py", FILE)


def points_of(marks: Any) -> dict[str, float]:  # noqa: ANN401
    return {one.name: one.points for one in marks.exercises}


def test_all_that_looks_like_a_search(file: Path) -> None:
    marks = check(file, points=2, view="white", **QUICK)
    assert isinstance(marks, Marks)
    assert points_of(marks) == {"value": 2, "wrong": 0, "Kept": 2}
    assert (bool(marks), marks.points, marks.most) == (False, 4, 6)
    assert f"{file}: 4 of 6 points" in str(marks)
    assert "The search differs from minimax_no_memo" in str(marks)


def test_a_class_that_cannot_be_made_is_an_error_of_its_own(file: Path) -> None:
    """As an exception of a search is that is no `Exception`."""
    more = "class Bad:\n    def __init__(self):\n        {}['book']\n    __call__ = Kept.__call__\n"
    more += "class End(BaseException): pass\ndef ends(board, depth):\n    raise End('now')\n"
    more += "class Uncalled:\n    search = helper\n"
    file.write_text(f"print('hello')\n{FILE}\n{more}".replace("-helper(board, depth)", "'none'"))
    points = dict.fromkeys(["value", "wrong", "Kept", "Bad", "ends", "Uncalled"], 1)
    marks = check(file, points=points, **{**QUICK, "limit": 2.0})
    assert marks.exercises[-1].error == "Uncalled has no __call__(board, depth)"
    assert points_of(marks) == {
        "value": 1,
        "wrong": 0,
        "Kept": 1,
        "Bad": 0,
        "ends": 0,
        "Uncalled": 0,
    }
    assert "Bad: making it raised KeyError: 'book' (__init__, line" in str(marks)
    assert "End: now" in str(marks)
    # What it prints is no part of the JSON.
    done = run_python("-m", "betacut", "check", f"{file}:value", "--seconds", "0.1", "--json")
    assert json.loads(done.stdout)["most"] == 1
    assert "hello" in done.stderr
    with pytest.raises(ValueError, match="points name 'valeu', but not 'value'"):
        check(f"{file}:value", points={"valeu": 3}, **QUICK)


def test_a_file_that_does_not_end(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks_of_files, "IMPORT_SECONDS", 0.3)
    file.write_text(f"{FILE}\nwhile True:\n    pass\n")
    with pytest.raises(ValueError, match=r"it has not ended after 0\.3 s: is there a loop outside"):
        check(file, **{**QUICK, "limit": 1.0})


def test_names_that_xml_cannot_have(file: Path) -> None:
    text = Marks("caf\udce9.py", check(file, **QUICK).exercises).to_junit()
    assert ElementTree.fromstring(text).get("name") == "caf\N{REPLACEMENT CHARACTER}.py"


OTHERS = """
import functools
from betacut import engine

def search(board, depth):
    return 0

def reference(board, depth):
    return engine.search(board, depth).score

def deep(board, depth=3):
    return engine.search(board, depth).score

class Kept:
    def __call__(self, board, depth):
        return self.at(board, depth)

    @staticmethod
    def at(board, depth):
        return step(board, depth, 0)

def step(board, depth, ply):
    return helper(board, depth)

def helper(board, depth):
    return -1

bound = functools.partial(engine.search)
"""


def test_which_searches_are_marked(tmp_path: Path) -> None:
    """One that shares its name with a method that is called; no helper of a class."""
    path = written(tmp_path / "others.py", OTHERS)
    marks = check(path, view="white", **QUICK)
    assert points_of(marks) == {"search": 0, "reference": 1, "deep": 1, "Kept": 0}
    assert check(f"{path}:bound", view="white", **QUICK)


def test_a_file_is_a_module(tmp_path: Path) -> None:
    """A dataclass of annotations that are texts looks its module up; it is no other module."""
    path = written(
        tmp_path / "random.py",
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "import random as other\nfrom betacut import engine\n"
        "@dataclass\nclass Entry:\n    depth: int\n"
        "def search(board, depth):\n    return engine.search(board, Entry(depth).depth).score\n",
    )
    assert check(f"{path}:search", view="white", **QUICK)


def test_a_file_has_its_own_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those beside it, or in a folder that it adds, whenever it imports them; and its own cwd."""
    monkeypatch.chdir(tmp_path)
    modules, paths = {*sys.modules}, sys.path[:]
    text = (
        "import os, sys\nfrom pathlib import Path\nos.chdir('/')\n"
        "sys.path.insert(0, str(Path(__file__).parent / 'lib'))\n"
        "from betacut import engine\nfrom my_value import MORE\n"
        "def search(board, depth):\n    from my_package.later import worth\n"
        "    return worth(engine.search(board, depth).score) + MORE\n"
    )
    for folder, more in (("one", 0), ("other", 7), ("one", 70), ("one", 0)):
        package = tmp_path / folder / "lib" / "my_package"
        package.mkdir(parents=True, exist_ok=True)
        (package / "later.py").write_text("def worth(score):\n    return score\n", "utf-8")
        (tmp_path / folder / "search.py").write_text(text, "utf-8")
        (tmp_path / folder / "my_value.py").write_text(f"MORE = {more}{' ' * more}", "utf-8")
        marks = check(Path(folder) / "search.py", view="white", **QUICK)
        assert bool(marks) == (more == 0), str(marks)
        assert sys.path == paths
    assert not [name for name in {*sys.modules} - modules if name.startswith(("my_", "betacut_c"))]


def test_one_that_is_named_and_what_is_missing(file: Path) -> None:
    assert check(f"{file}:helper", **QUICK)
    marks = check(str(file), points={"helper": 3, "absent": 1}, **QUICK)
    assert [(one.points, one.most, one.error) for one in marks.exercises] == [
        (3, 3, ""),
        (0, 1, f"{file} has no absent"),
    ]
    asked: dict[str, Any] = {"points": {"search": 3}, **QUICK}
    (broken,) = check(written(file, "def search(:"), **asked).exercises
    assert "SyntaxError" in broken.error
    with pytest.raises(ValueError, match=r"cannot import .* SyntaxError"):
        check(file)
    marks = check(written(file, "import sys\nsys.exit('\\x1b[31mbad\\0')"), **asked)
    assert "SystemExit: \x1b[31mbad\0" in marks.exercises[0].error
    said = ElementTree.fromstring(marks.to_junit()).findtext("testcase/failure") or ""
    assert said.endswith("SystemExit: \ufffd[31mbad\ufffd")
    written(file, "import pytest\npytest.skip('later', allow_module_level=True)")
    (skipped,) = check(file, **asked).exercises
    assert skipped.error.endswith("Skipped: later")
    written(file, "x = 1")
    (number,) = check(f"{file}:x", **QUICK).exercises
    assert number.error == f"{file} has no x that can be called: it is int 1"
    refused: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
        (f"{file}:", {}, ValueError, r"named after the colon, not '.*\.py:'"),
        (file, {"make": dict}, TypeError, "give search or make, not both"),
        (file, {}, ValueError, "no function of a board and a depth"),
        (file, {"points": {}}, ValueError, r"points must name .* exercise, not \{\}"),
        ("absent.py", {}, ValueError, "there is no file"),
    ]
    for search, options, error, words in refused:
        with pytest.raises(error, match=words):
            check(search, **options)


@pytest.mark.parametrize("name", ["points", "nodes"])
def test_numbers_that_are_none(name: str) -> None:
    options: dict[str, Any] = {name: 0}
    with pytest.raises(ValueError, match=f"^{name} must be greater than 0, and below 1e9, not 0"):
        check(engine.search, **options)
    options[name] = "x"
    with pytest.raises(TypeError, match=f"{name} must be a number, not str 'x'"):
        check(engine.search, **options)


def test_other_programs_read_the_marks(file: Path, tmp_path: Path) -> None:
    junit = tmp_path / "marks.xml"
    options = ["--view=white", "--json", "-d", "1"]
    points = ["--points=value=2", "--points=wrong=3", "--seconds=0.1", "--limit=60"]
    found = json.loads(ran("check", file, *options, *points, "--junit", junit, status=1).stdout)
    assert (found["points"], found["most"], found["ok"]) == (2, 5, False)
    assert found["exercises"][1]["report"]["difference"]["kind"] == "sign"
    suite = ElementTree.parse(junit).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.get("name") for case in suite] == ["value", "wrong"]
    assert "wrong sign" in flat(suite.findtext("testcase/failure"))
    drive = tmp_path / "C:x"
    drive.mkdir()
    again = drive / file.name
    again.write_text(FILE.split("def wrong")[0])
    for name in (again, f"{again}:value"):
        found = json.loads(ran("check", name, *options, "--seconds=0.1").stdout)
        assert found["exercises"][0]["name"] == "value"
    assert [one.get("value") for one in suite.iter("property")] == ["2", "2", "0", "3"]


def test_files_in_threads_and_streams_of_their_own(tmp_path: Path) -> None:
    """Each imports from its folder, and what it prints to is its own."""
    files = [tmp_path / name / "search.py" for name in "ab"]
    for file in files:
        file.parent.mkdir()
        name = file.parent.name
        file.with_name("helper.py").write_text(f"NAME = {name!r}\n")
        file.write_text(
            "import io, sys, time\nsys.stdout = io.StringIO()\ntime.sleep(0.05)\nimport helper\n"
            f"assert helper.NAME == {name!r}\n{FILE.split('def wrong')[0]}"
        )
    before = sys.stdout, sys.path[:]
    with ThreadPoolExecutor(2) as pool:
        assert all(pool.map(functools.partial(check, view="white", **QUICK), map(str, files)))
    assert (sys.stdout, sys.path) == before


def test_right_but_useless() -> None:
    def min_never_cuts(board: Any, depth: int, alpha: float = -1e9, beta: float = 1e9) -> Any:  # noqa: ANN401
        if (value := mistakes.white_over(board, depth)) is not None:
            return value
        if depth == 0:
            return engine.evaluate_position(board)
        best: float = -1e9 if board.turn else 1e9
        for move in board.legal_moves:
            board.push(move)
            value = min_never_cuts(board, depth - 1, alpha, beta)
            board.pop()
            if board.turn:
                best = alpha = max(best, value)
                if best >= beta:
                    break
            else:
                best = min(best, value)
                beta = min(beta, best)
        return best

    report = check(min_never_cuts, seconds=0.2, limit=None, view="white")
    assert report
    assert report.effort is not None
    assert report.effort.never_cuts == ("Min",)
    assert f"Right; visits {report.effort.ratio:.1f} times the nodes" in str(report)
    assert str(report).endswith("the Min branch never cuts.")
    report = check(min_never_cuts, limit=None, view="white", nodes=1.5, points=4, **QUICK_ONLY)
    assert (report.points, report.most) == (0, 4)
    assert difference_of(report).explanation.kind == "nodes"
    assert check(negamax.search, limit=None, view="mover", nodes=1.3, **QUICK_ONLY)


both_depths = pytest.mark.parametrize("depth", [2, pytest.param(3, marks=pytest.mark.exhaustive)])


def never_cut(search: Callable[..., object], depth: int) -> tuple[str, ...]:
    effort = measured(Subject(Caller(search, None, None), None), depth)
    assert effort is not None
    return effort.never_cuts


@both_depths
@pytest.mark.parametrize("moves", [neighbours.checks_first, neighbours.last_first])
def test_moves_made_to_put_them_in_order_are_not_searched(
    moves: neighbours.Moves, depth: int
) -> None:
    def minimax(board: chess.Board, depth: int) -> int:
        search = Negamax(moves=moves, window=neighbours.whole)
        return search.value(board, depth, *neighbours.whole(0, 0))

    assert never_cut(Negamax(moves=moves), depth) == ()
    assert never_cut(minimax, depth) == ("Max", "Min")


@both_depths
@pytest.mark.parametrize(
    "order",
    [
        pytest.param(lambda moves: [*moves, *moves[1:2]], id="at the end"),
        pytest.param(lambda moves: [*moves[:1], *sorted(moves[1:] * 2, key=str)], id="at once"),
    ],
)
def test_moves_that_are_searched_again_are_searched(order: Callable[..., Any], depth: int) -> None:
    def minimax(board: chess.Board, depth: int) -> int:
        if (value := mistakes.leaf(board, depth)) is not None:
            return value
        values = []
        for move in order(list(board.legal_moves)):
            board.push(move)
            values.append(-minimax(board, depth - 1))
            board.pop()
        return max(values)

    assert never_cut(minimax, depth) == ("Max", "Min")


@both_depths
def test_a_search_less_deep_puts_moves_in_order(depth: int) -> None:
    def sooner(board: chess.Board, depth: int) -> list[chess.Move]:
        def value(move: chess.Move) -> int:
            board.push(move)
            value = search.value(board, depth - 2, *neighbours.whole(0, 0))
            board.pop()
            return value

        return sorted(board.legal_moves, key=value)

    search = Negamax(moves=sooner)
    assert never_cut(search, depth) == ()


@both_depths
@pytest.mark.parametrize("search", [Negamax(end=neighbours.third_time), neighbours.set_anew])
def test_an_alpha_beta_is_not_said_to_cut_never(search: Callable[..., object], depth: int) -> None:
    assert never_cut(search, depth) == ()


def test_the_moves_are_counted_however_they_are_made() -> None:
    """By all methods of python-chess; those on boards of the search's own are not seen."""

    def minimax(board: chess.Board, depth: int, push: str) -> int:
        if (value := mistakes.white_over(board, depth)) is not None:
            return value
        if depth == 0:
            return engine.evaluate_position(board)
        values = []
        for move in board.legal_moves:
            child = chess.Board(board.fen()) if push == "fen" else board
            make = getattr(child, "push" if push == "fen" else push)
            make({"push_uci": move.uci(), "push_san": board.san(move)}.get(push, move))
            values.append(minimax(child, depth - 1, push))
            child.pop()
        return max(values) if board.turn else min(values)

    efforts = []
    for push in ("push", "push_uci", "push_san", "san_and_push", "fen"):
        search = functools.partial(minimax, push=push)
        report = check(search, nodes=1.5, view="white", **QUICK)
        assert difference_of(report).explanation.kind == "nodes"
        efforts.append(report.effort)
    assert efforts[0] is not None
    assert efforts == [efforts[0]] * 4 + [None]
    assert "the moves could not be counted" in flat(report)


QUICK_ONLY: dict[str, Any] = {"positions": ["P5"], "depths": [1, 3]}


def solved(text: str, cut: str) -> str:
    """Put the solutions in the place of what the students are given."""
    minimax = "    if depth == 0:\n        return engine.evaluate_position(board)"
    minimax += "\n    alpha, beta = -MATE, MATE"
    minimax += SOLUTION.format(name="minimax", window="", cut=False)
    alpha_beta = "    finished = value_if_finished(board, depth)\n    if finished is not None:\n"
    alpha_beta += "        return finished\n    if depth == 0:\n        return minimax(board, 0)"
    alpha_beta += SOLUTION.format(name="alpha_beta", window=", alpha, beta", cut=cut)
    for given, mine in {
        "other positions have moves.\n    return engine.evaluate_position(board)\n": minimax,
        "this is minimax, and cuts nothing.\n    return minimax(board, depth)\n": alpha_beta,
    }.items():
        part = f"    # Your code: {given}"
        assert part in text
        text = text.replace(part, mine)
    return text


def test_the_assignment_is_marked(tmp_path: Path) -> None:
    """As it is given, solved without a cut, and solved: 0, 4 and 10 points."""
    given = (ASSIGNMENT / "search.py").read_text(encoding="utf-8")
    options: dict[str, Any] = {"view": "white", "limit": None, **QUICK_ONLY}
    texts = {0: given, 4: solved(given, "False"), 10: solved(given, "alpha >= beta")}
    for points, text in texts.items():
        path = written(tmp_path / "search.py", text)
        found = check(f"{path}:minimax", points=4, **options).points
        found += check(f"{path}:alpha_beta", points=6, nodes=1.5, **options).points
        assert found == points


PLUGIN_TEST = """
from betacut import engine

def test_right(betacut_check):
    assert betacut_check(engine.minimax, positions=["P5"], depths=[1]).positions == 1

def test_wrong(betacut_check):
    betacut_check(lambda *asked: -engine.search(*asked).score, view="white", seconds=60)
"""


def test_the_fixture_and_the_tests_of_the_assignment(tmp_path: Path) -> None:
    shutil.copytree(ASSIGNMENT, tmp_path, dirs_exist_ok=True)
    (tmp_path / "test_mine.py").write_text(PLUGIN_TEST, encoding="utf-8")
    installed = any(one.value == "betacut.pytest_plugin" for one in entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", "betacut.pytest_plugin"]
    options = ["-q", "--assert=plain", "-p", "no:cacheprovider", *plugin]
    tests = ("test_mine.py", "test_search.py::test_minimax")
    done = run_python("-m", "pytest", *options, *tests, cwd=tmp_path)
    assert "2 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "Why: Scores are returned with the wrong sign." in done.stdout
    assert "The depth is not used" in flat(done.stdout)


def test_the_notebook_of_the_assignment() -> None:
    """Its cells are those of the file, with points for nbgrader."""
    import nbformat  # takes half a second, and every process that runs tests loads this file

    notebook = nbformat.read(ASSIGNMENT / "assignment.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    marks = [cell.metadata.get("nbgrader", {}) for cell in notebook.cells]
    assert [one["points"] for one in marks if one.get("grade")] == [4, 6]
    source = (ASSIGNMENT / "search.py").read_text(encoding="utf-8")
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            kept = [line for line in cell.source.splitlines() if "###" not in line]
            assert "\n".join(kept) in source
