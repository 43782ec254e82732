"""The benchmarks: the signature, and that they run and say what they measured."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import chess.engine
import pytest

from betacut import _betacut, engine
from betacut.core.positions import MIDDLEGAMES, POSITIONS, named_position
from betacut.lab import bench
from betacut.lab.bench import data, exact, playing, record, textbook, timing
from games.support import written
from lab.support import BETACUT
from support.commands import ran

SIGNATURE_FILE = Path(__file__).parents[1] / "bench_signature.json"

RUST_POSITIONS = Path(__file__).parents[2] / "rust" / "support" / "src" / "positions.rs"


@pytest.fixture
def signature(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The signature from the file, so that it need not be counted, and short measurements."""
    signature: dict[str, int] = json.loads(SIGNATURE_FILE.read_text(encoding="utf-8"))
    for module in (bench, textbook):
        monkeypatch.setattr(module, "signature", lambda: signature)
    monkeypatch.setattr(timing, "MIN_SAMPLE", 0.0)
    return signature


def run(*arguments: object) -> str:
    return ran("bench", *arguments).stdout


def test_signature() -> None:
    """A change is meant; `betacut bench --signature-only --json` writes the new file."""
    assert run("--signature-only", "--json") == SIGNATURE_FILE.read_text(encoding="utf-8")


def test_signature_as_table(signature: dict[str, int]) -> None:
    table = run("--signature-only")
    assert all(name in table and f"{nodes:,}" in table for name, nodes in signature.items())


@pytest.mark.usefixtures("signature")
def test_figures_of_a_position() -> None:
    row = bench.measure_position(POSITIONS["P6"], 3, rounds=1)
    assert set(bench.GOALS) <= set(row)
    assert all(figure > 0 for figure in row.values())
    assert row["plain / perft"] == row["plain nodes/s"] / row["perft nodes/s"]


def test_report(signature: dict[str, int]) -> None:
    report = json.loads(run("--depth", "2", "--no-reference", "--json"))
    assert set(report["sections"]) == {"speed", "overhead"}
    for section in report["sections"].values():
        assert set(section["rows"]) == set(POSITIONS)
        assert set(section["geometric_mean"]) == set(section["rows"]["start"])
        assert "reference / plain" not in section["geometric_mean"]
    assert report["signature"] == signature
    assert report["signature_depths"] == bench.SIGNATURE_DEPTHS
    by_name = {goal["what"]: goal for goal in report["goals"]}
    assert list(by_name) == list(bench.GOALS)
    for what, goal in by_name.items():
        assert goal["met"] is None  # the goals speak of depth 5
        assert (goal["figure"] is None) == what.startswith("reference")


def test_rows_and_means_of_a_report() -> None:
    sections = {
        "speed": bench.Section("Speed", {"a": {"x / y": 1.0, "ms": 5.0}, "b": {"x / y": 4.0}}),
        "size": bench.Section("Size", {"a": {"z / y": 3.0}, "b": {"z / y": 3.0}}),
        "other": bench.Section("Other", {"c": {"w / y": 7.0}}, averaged=False),
    }
    report = bench.Report(5, sections)
    assert report.positions == {
        "a": {"x / y": 1.0, "ms": 5.0, "z / y": 3.0},
        "b": {"x / y": 4.0, "z / y": 3.0},
        "c": {"w / y": 7.0},
    }
    assert report.means == pytest.approx({"x / y": 2.0, "z / y": 3.0})
    assert sections["speed"].rows["a"] == {"x / y": 1.0, "ms": 5.0}
    assert "signature" not in report.as_dict()


@pytest.mark.usefixtures("signature")
def test_tables() -> None:
    tables = run("--depth", "1", "--no-reference")
    for name in [*POSITIONS, "geometric mean", "plain / perft", "search depth 1 / legal_moves"]:
        assert name in tables


@pytest.mark.usefixtures("quick")
def test_data_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data.measure, "__kwdefaults__", {"rounds": 1, "rows": 64})
    report = json.loads(run("--data", "--depth", "3", "--json"))
    rows = report["sections"]["rows"]["rows"]
    assert list(rows) == ["depth 1", "depth 2", "depth 3"]
    for row in rows.values():
        assert all(figure > 0 for figure in row.values())
        ratio = row["search_many µs"] / row["search µs"]
        assert row["search_many / search"] == pytest.approx(ratio)
    (goal,) = report["goals"]
    first = rows["depth 1"]
    assert goal["figure"] == first["search_table µs"] - first["search µs"]
    assert "search_table beyond the search" in run("--data", "--depth", "1")


def test_positions_of_the_data() -> None:
    fens = data._positions(200)
    assert len(set(fens)) == 200
    assert fens == data._positions(200)
    nodes = sum(engine.search(fen, 2).nodes for fen in fens)
    read = _betacut.ReadPositions(fens)
    assert read.search(2, True, False) == read.search(2, True, True) == nodes
    assert read.search(2, False, False) <= nodes


ELSEWHERE = {what for what, goal in exact.GOALS.items() if goal.note}
"""What another command measures."""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "MIN_SAMPLE", 0.0)
    monkeypatch.setattr(exact, "LONG_SOLVE", 0.002)
    monkeypatch.setattr(exact, "SHORT_ROUNDS", 1)
    defaults = {**(exact.measure.__kwdefaults__ or {}), "rounds": 1}
    monkeypatch.setattr(exact.measure, "__kwdefaults__", defaults)


def test_positions() -> None:
    """The benches in Rust and in Python measure the same positions."""
    rust = re.findall(r'\("(\w+)", "([^"]+)"\)', RUST_POSITIONS.read_text(encoding="utf-8"))
    assert rust == list(exact.TEN_POSITIONS.items())
    assert exact.TEN_POSITIONS == {**POSITIONS, **MIDDLEGAMES}
    assert named_position("Italian") == MIDDLEGAMES["italian"]


@pytest.mark.parametrize("name", exact.TEN_POSITIONS)
def test_yardsticks(name: str) -> None:
    fen = exact.TEN_POSITIONS[name]
    for depth in (1, 2, 3):
        result = engine.search(fen, depth)
        score, best_moves, nodes = _betacut.yardstick_search(fen, depth)
        assert (score, best_moves) == (result.score, len(result.best_moves))
        assert len(engine.legal_moves(fen)) < nodes
        assert _betacut.yardstick_bulk_perft(fen, depth) == engine.perft(fen, depth)
    assert _betacut.yardstick_bulk_perft(fen, 0) == 1
    # Every move of the root is looked at once at least, and no more nodes than minimax has.
    moves = len(engine.legal_moves(fen))
    nodes = engine.minimax_no_memo(fen, 3).statistics.nodes
    assert moves <= _betacut.left_first_minimal_graph(fen, 3) < nodes


@pytest.mark.parametrize("technique", [None, *_betacut.techniques()])
def test_techniques_change_no_answer(technique: str | None) -> None:
    for fen in exact.TEN_POSITIONS.values():
        found, expected = _betacut.search_without(fen, 4, technique), engine.search(fen, 4)
        assert (found.score, found.best_moves) == (expected.score, expected.best_moves)
        if technique is None:
            assert found.statistics.nodes == expected.statistics.nodes


def test_unknown_technique() -> None:
    with pytest.raises(ValueError, match='unknown technique "luck"'):
        _betacut.search_without(POSITIONS["P5"], 2, "luck")


@pytest.mark.usefixtures("quick")
def test_exact_report() -> None:
    report = json.loads(run("--exact", "--depth", "2", "--json"))
    sections = report["sections"]
    assert set(sections) == {"speed", "trees", "threads", "batch", "reference"}
    for name, section in sections.items():
        rows = ["depth 1", "depth 2"] if name == "batch" else list(exact.TEN_POSITIONS)
        assert list(section["rows"]) == rows
        for row in (*section["rows"].values(), section["geometric_mean"]):
            assert all(figure > 0 for figure in row.values())
    by_name = {goal["what"]: goal for goal in report["goals"]}
    assert list(by_name) == list(exact.GOALS)
    for what, goal in by_name.items():
        assert goal["met"] is None  # the goals speak of depth 6
        assert (goal["figure"] is None) == (what in ELSEWHERE)
    speed = sections["speed"]["geometric_mean"]["yardstick / search"]
    assert by_name["yardstick / search"]["figure"] == speed


@pytest.mark.usefixtures("quick")
def test_exact_verdicts() -> None:
    position = {"P6": POSITIONS["P6"]}
    sections = exact.measure(2, rounds=1, with_reference=False, positions=position).sections
    assert "reference" not in sections
    for verdict in exact._verdicts(sections, judged=True):
        is_elsewhere = verdict.what in ELSEWHERE
        assert (verdict.figure is None) == (is_elsewhere or verdict.what == "reference / search")
        if not verdict.what.endswith("/ capacity"):  # that depends on what else is running
            assert (verdict.met is None) == (verdict.figure is None)


def test_goals() -> None:
    at_least, at_most = bench.Goal(300), bench.Goal(1.6, at_least=False)
    assert (str(at_least), str(at_most)) == ("at least 300", "at most 1.6")
    assert [at_least.met_by(figure) for figure in (299.0, 300.0, 301.0)] == [False, True, True]
    assert [at_most.met_by(figure) for figure in (1.5, 1.6, 1.7)] == [True, True, False]


@pytest.mark.usefixtures("quick")
def test_reference_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "LONGEST_REFERENCE", 0.0)
    table = run("--exact", "--depth", "1")
    assert "not run, but estimated from its speed" in table
    for name in [*exact.TEN_POSITIONS, "geometric mean", "depth 1 / legal_moves"]:
        assert name in table
    assert "make instructions" in table


@pytest.mark.usefixtures("quick")
def test_techniques() -> None:
    report = json.loads(run("--techniques", "--depth", "2", "--json"))
    rows = report["sections"]["techniques"]["rows"]
    assert list(rows) == _betacut.techniques()
    for row in rows.values():
        assert [figure > 0 for figure in row.values()] == [True] * 4
    table = run("--techniques", "--depth", "1")
    assert "null_windows" in table
    assert "geometric mean" not in table


@pytest.mark.usefixtures("quick")
def test_against(tmp_path: Path) -> None:
    # A module is loaded once from one file.
    assert _betacut.__file__ is not None
    other = shutil.copy(_betacut.__file__, tmp_path)
    report = json.loads(run("--against", other, "--depth", "2", "--json"))
    for row in report["sections"]["cores"]["rows"].values():
        assert row["other / this"] == row["other ms"] / row["this ms"]


def test_engine() -> None:
    """Beside itself, in another process, the engine is told to be as fast as it says."""
    position = {"P6": POSITIONS["P6"]}
    report = playing.measure(4, opponent=BETACUT, seconds=0.05, rounds=1, positions=position)
    with engine.Engine() as player:
        nodes = player.analyse(POSITIONS["P6"], chess.engine.Limit(depth=4))["nodes"]
    assert report.sections["speed"].rows["P6"]["nodes"] == nodes
    row = report.sections["opponent"].rows["P6"]
    assert row["engine / opponent"] == row["engine nodes/s"] / row["opponent nodes/s"]
    assert "betacut" in report.sections["opponent"].title
    assert [verdict.what for verdict in report.verdicts] == list(playing.GOALS)
    without = playing.measure(1, rounds=1, positions=position)
    assert "opponent" not in without.sections
    assert without.verdicts[0].met is None


def recorded(path: Path, monkeypatch: pytest.MonkeyPatch, section: bench.Section) -> str:
    """Have a run record a section, and return what it complained of."""
    report = bench.Report(6, {"speed": bench.Section("Speed", {"a": {"x / y": 3}}), "two": section})
    monkeypatch.setattr(exact, "measure", lambda *_, **_more: report)
    return ran("bench", "--exact", "--record", path).stderr


def test_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sections replace those of the same name; a busy machine's threads do not."""
    monkeypatch.setattr("os.getloadavg", lambda: (0.5, 0.5, 0.5), raising=False)
    path = tmp_path / "figures.json"
    idle = bench.Section("Two", {"a": {"capacity": 1.91234, "z / y": 1234.567}})
    busy = bench.Section("Two", {"a": {"capacity": 1.2, "z / y": 5.0}})
    assert recorded(path, monkeypatch, idle) == ""
    first = record.read(path)
    assert list(first) == ["exact/speed", "exact/two"]
    assert first["exact/two"]["rows"] == {
        "a": {"capacity": 1.912, "z / y": 1235.0},
        "geometric mean": {"z / y": 1235.0},
    }
    measured = first["exact/speed"]["measured"]
    assert measured["command"] == "betacut bench --exact"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", measured["date"])
    assert re.fullmatch(r"[0-9a-f]{8,}(-dirty)?|None", str(measured["commit"]))
    path.write_text(record.text({"textbook/x": first["exact/speed"], **first}), encoding="utf-8")
    assert recorded(path, monkeypatch, busy).endswith("other programs are running: exact/two\n")
    assert record.read(path) == {**first, "textbook/x": first["exact/speed"]}


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_commit_is_dirty_by_other_files_than_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*command: str) -> None:
        subprocess.run(["git", *command], cwd=tmp_path, check=True, capture_output=True)

    monkeypatch.setattr(record, "__file__", str(tmp_path / "a/b/c/d/record.py"))
    figures, code = tmp_path / "figures.json", tmp_path / "Cargo.toml"
    figures.write_text("{}", encoding="utf-8")
    code.write_text("", encoding="utf-8")
    git("init", "--quiet")
    git("add", ".")
    git("-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "--message", "x")
    figures.write_text("{ }", encoding="utf-8")
    commit = record.circumstances("x", figures)["commit"]
    assert re.fullmatch(r"[0-9a-f]{8,}", commit)
    code.write_text("x", encoding="utf-8")
    assert record.circumstances("x", figures)["commit"] == f"{commit}-dirty"


@pytest.mark.parametrize("content", ["", "[]", '{"exact/speed": 3}', '{"exact/speed": {}}'])
def test_record_into_another_file(content: str, tmp_path: Path) -> None:
    """It is refused before anything is measured, and stays as it is."""
    path = written(tmp_path / "figures.json", content)
    assert f"'{path}' is no file of figures" in ran("bench", "--record", path, status=2).stderr
    assert path.read_text(encoding="utf-8") == content


@pytest.mark.parametrize("options", [["--signature-only"], ["--exact", "--depth", "5"]])
def test_what_is_not_recorded(options: list[str], tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    assert "--record goes with" in ran("bench", *options, "--record", path, status=2).stderr
    assert not path.exists()
