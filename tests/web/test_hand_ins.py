"""What a class hands in, checked in processes of their own."""

import csv
import threading
from pathlib import Path
from typing import Any

import pytest

from betacut.web import hand_ins
from betacut.web.hand_ins import HandIns, examined, made
from betacut.web.marking import marked
from betacut.web.queue import Job
from betacut.web.server import _check_class
from support.commands import ENVIRONMENT, run_python, wait_for, wait_for_end

SEARCHES = Path(__file__).parents[1] / "lab" / "student_searches"
NAMES_THE_SIDE = """
import sys
print('{"ok": true}')
sys.stdout.write('{"ok": true}')
print(open("search.py").read()[:9], flush=True)

def search(board, depth):
    print("at depth", depth)
    return 0
"""

SPOILS = "import os\nopen('answer.json', 'w').write('{}')\nos._exit(0)\n"
ANSWER = '{"ok": false, "points": %s, "most": 1, "cause": "", "text": ""}'


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_ins, "SECONDS", 0.1)
    monkeypatch.setattr(hand_ins, "NICE", 0)


def job() -> Job:
    return Job("a tab", lambda *_: None, 60.0)


def test_a_right_file_and_why_one_is_wrong(brief: None, monkeypatch: pytest.MonkeyPatch) -> None:
    right = (SEARCHES / "negamax.py").read_text("utf-8")
    found = examined(right, job())
    assert (found["ok"], found["points"], found["cause"]) == (True, found["most"], "")
    wrong = right.replace("return score if board.turn == chess.WHITE else -score", "return score")
    assert wrong != right
    for name in ("SECONDS", "LIMIT"):  # a wrong one does not need them
        monkeypatch.setattr(hand_ins, name, 20.0)
    found = examined(wrong, job())
    assert (found["ok"], found["points"]) == (False, 0.0)
    name, *first = found["cause"].split()[:4]
    assert name == "search:"
    assert " ".join(first) in found["text"].partition("Why: ")[2]
    assert found["text"].startswith("the file: 0 of 1 points"), "where it lay is left out"
    assert found["trees"][0]["about"]["algorithm"] == "your search"


def test_what_a_file_prints_is_no_answer(brief: None) -> None:
    found = examined(NAMES_THE_SIDE, job())
    assert (found["ok"], found["most"]) == (False, 1.0)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("import os\nos._exit(7)\n", "The file has ended the check: exit status 7."),
        ("x = (\n", "SyntaxError"),
        ("x = 1\n", "the file has no function of a board and a depth"),
        (SPOILS.format("[1]"), "has spoilt"),
        *((SPOILS.format(ANSWER % points), "has spoilt") for points in ("NaN", "1e999", 10**400)),
        ("def search(board, depth):\n    return [0] * 2**33\n", "MemoryError"),
    ],
)
def test_a_file_that_cannot_be_checked(brief: None, text: str, cause: str) -> None:
    found = examined(text, job())
    assert not found["ok"]
    assert cause in found["cause"]


def test_no_path_of_the_server_is_told(
    brief: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor one with backslashes, or one that messages cut."""
    folder = tmp_path / f"Local\\Temp{'o' * 80}"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    for text in ("import none\n", "def search(board, depth):\n    return board.none\n"):
        found = examined(text, job())
        assert "the file" in found["text"]
        assert not any("Temp" in found[name] for name in ("cause", "text"))


def test_a_file_that_does_not_end_is_ended(brief: None, tmp_path: Path) -> None:
    sign = tmp_path / "child"
    text = f"""
import os, time
if not (child := os.fork()):
    time.sleep(500)
open({str(sign)!r} + "-now", "w").write(str(child))
os.rename({str(sign)!r} + "-now", {str(sign)!r})
while True:
    pass
"""
    endless = job()
    done: list[Any] = []
    thread = threading.Thread(target=lambda: done.append(examined(text, endless)))
    thread.start()
    wait_for(sign.exists, "a child")
    endless.stop("time")
    thread.join(60)
    assert done[0]["cause"] == "The check took longer than 30 s, and was ended."
    wait_for_end(int(sign.read_text()))  # nor does what it began go on


def test_secrets_of_the_server_are_kept(brief: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "1234")
    text = "import os\nraise ValueError(sorted(set(os.environ) & {'SECRET_TOKEN', 'PATH'}))\n"
    assert "ValueError: ['PATH']" in examined(text, job())["cause"]


@pytest.mark.skipif(not Path("/proc").exists(), reason="another system")
def test_the_code_of_the_class_ends_with_the_server_whatever_ends_that(tmp_path: Path) -> None:
    signs = [tmp_path / "parent", tmp_path / "child"]
    text = f"""
import os, time
sign = {[*map(str, signs)]}[not os.fork()]
open(sign + "-now", "w").write(str(os.getpid()))
os.rename(sign + "-now", sign)
time.sleep(500)
"""
    script = f"""if True:
        import os, threading, time
        from betacut.web.hand_ins import examined
        from betacut.web.queue import Job
        arguments = {text!r}, Job("a tab", print, 60.0)
        threading.Thread(target=examined, args=arguments, daemon=True).start()
        while not all(map(os.path.exists, {[*map(str, signs)]})):
            time.sleep(0.01)
        os._exit(1)
    """
    run_python("-c", script, env={**ENVIRONMENT, "TMPDIR": str(tmp_path)})
    for sign in signs:
        wait_for_end(int(sign.read_text()))


def test_a_check_that_fails_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def full(*_: object) -> Any:  # noqa: ANN401
        raise OSError(28, "No space left on device")

    for examine, text, cause in ((full, "x", "No space left"), (None, "'\ud800'", "surrogates")):
        found, done = HandIns(1, tmp_path, examine), threading.Event()
        found.take(1, "Ada", text, lambda call: call(), done.set)
        assert done.wait(20)
        found.close()
        result = found.found[1].result
        assert result is not None
        assert result["cause"].startswith("The file could not be checked: ")
        assert cause in result["cause"]
    assert "betacut: cannot keep a file: 'utf-8' codec" in capsys.readouterr().err


def test_nothing_is_kept_unless_asked(tmp_path: Path) -> None:
    result = {"ok": False, "points": 0.0, "most": 1.0, "cause": "=1+1", "text": ""}
    folder = made(tmp_path / "kept" / "here")
    found = HandIns(1, folder, lambda *_: result)
    for sender, name in enumerate(("Ada L.", "../../x", "", "=2+2"), start=1):
        done = threading.Event()
        found.take(sender, name, "x = 1\n", lambda call: call(), done.set)
        assert done.wait(20)
    found.close()
    assert folder is not None
    kept = ["001-Ada-L.py", "002-x.py", "003-file.py", "004-2-2.py", "results.csv"]
    assert sorted(path.name for path in folder.iterdir()) == kept
    assert (folder / "001-Ada-L.py").read_text("utf-8") == "x = 1\n"
    with (folder / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["001-Ada-L.py", "Ada L.", "1", "False", "0.0", "1.0", "1+1"]
    assert rows[3][1] == "2+2"


def test_wrong_folders(tmp_path: Path) -> None:
    assert made(None) is None
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match=r"keep: cannot make .*file"):
        made(str(tmp_path / "file" / "below"))
    with pytest.raises(TypeError, match="keep must be the path of a folder or None, not int 7"):
        _check_class(True, True, 7)  # type: ignore[arg-type]


def test_marks_name_the_exercise_that_fails(tmp_path: Path) -> None:
    file = tmp_path / "two.py"
    file.write_text("def one(board, depth):\n    1 / 0\ndef two(board, depth):\n    1 / 0\n")
    found = marked(str(file), 0.1, 1.0)
    assert found["cause"].startswith("one: ")
    assert "ZeroDivisionError" in found["cause"]
