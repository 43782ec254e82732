"""The command `betacut`: what it prints, and how it ends."""

import json
import os
import re
import signal
import sys
import time
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import chess
import pytest

from betacut import __version__, datasets, engine, originals, players
from betacut.cli import names
from betacut.core.arguments import ORDERS
from betacut.core.catalogue import ALGORITHMS, SHORT_NAMES
from betacut.core.positions import POSITIONS
from betacut.evaluation import PRESETS
from betacut.lab import bench, fuzz
from betacut.lab.certificates import checker
from betacut.originals import didactic, parity
from support.commands import COMMAND, all_commands, invoke, on_a_terminal, run_python, start_python

P5 = POSITIONS["P5"]

run = partial(invoke, columns=1000)


def plain(output: str) -> str:
    """The text without colours, which some environments (FORCE_COLOR, GITHUB_ACTIONS) ask for."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", output)


def fields(output: str) -> dict[str, str]:
    """Read the two columns that the command prints."""
    pairs = (line.split("  ", 1) for line in output.splitlines())
    return {name: value.strip() for name, value in pairs}


def error_line(*arguments: str) -> str:
    """Run the command with a mistake in it; return the one line that it prints."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    line, *rest = result.output.splitlines()
    assert rest == []
    assert line.startswith("betacut: ")
    return line


def test_search() -> None:
    result = run("search", P5, "--depth", "4", "--algorithm", "alpha_beta_pruning")
    assert result.exit_code == 0
    shown = fields(result.output)
    nodes = f"{engine.alpha_beta_pruning(P5, 4).statistics.nodes:,}"
    expected = {"position": P5, "algorithm": "alpha_beta_pruning", "depth": "4", "nodes": nodes}
    assert shown == {**shown, **expected, "score": "+105"}
    assert shown["line"].startswith("83. Nd4 ")
    assert {"leaves", "cutoffs", "cache", "time", "nodes/s"} <= set(shown)


def test_search_shows_every_best_move_in_both_notations() -> None:
    expected = engine.minimax(chess.STARTING_FEN, 2)
    shown = fields(run("search", "-d", "2", "-a", "minimax").output)
    board = chess.Board()
    moves = [f"{board.san(move)} ({move.uci()})" for move in expected.best_moves]
    assert shown["best moves"] == " ".join(moves)
    assert shown["line"] == board.variation_san(expected.pv)


@pytest.mark.parametrize(
    ("position", "fen"),
    [
        (["startpos"], chess.STARTING_FEN),
        (["start"], chess.STARTING_FEN),
        ([], chess.STARTING_FEN),
        (chess.STARTING_FEN.split(), chess.STARTING_FEN),
        (["P5"], P5),
        ([P5], P5),
        (P5.split(), P5),
    ],
)
def test_ways_to_name_a_position(position: list[str], fen: str) -> None:
    assert fields(run("search", *position, "-d", "1").output)["position"] == fen
    assert json.loads(run("search", *position, "-d1", "--json").stdout)["fen"] == fen


def test_epd() -> None:
    shown = fields(run("search", '8/8/8/8/8/2k5/2p5/2K5 w - - id "stalemate";', "-d1").output)
    assert shown["best moves"] == "none: the game is over"


@pytest.mark.parametrize(
    ("name", "order"),
    [
        *((name, None) for name in engine.ALGORITHMS),
        *product(["alpha_beta_pruning", "negascout"], ["mvv_lva", "hash_move+killers+random:7"]),
    ],
)
def test_json_is_the_result(name: str, order: str | None) -> None:
    search, chosen = engine.ALGORITHMS[name], [] if order is None else ["--order", order]
    result = run("search", "P6", "--depth", "3", "--algorithm", name, "--json", *chosen)
    assert result.exit_code == 0
    written = timeless(json.loads(result.stdout))
    assert written.pop("mate") is None
    expected = search(POSITIONS["P6"], 3, **({} if order is None else {"order": order}))
    assert written == timeless(expected.to_dict())
    if order is not None:
        assert expected.statistics.nodes != search(POSITIONS["P6"], 3).statistics.nodes


def timeless(data: dict[str, Any]) -> dict[str, Any]:
    """The same without what the clock says."""
    data["statistics"] |= {"seconds": 0, "nodes_per_second": 0}
    return data


def test_exact() -> None:
    arguments = ("search", "P5", "-d", "6", "-a", "alpha_beta_pruning")
    assert fields(run(*arguments).output)["score"] == "+95"
    exact = fields(run(*arguments, "--exact").output)
    assert (exact["algorithm"], exact["score"]) == ("alpha_beta_pruning", "+85")


def test_the_exact_search() -> None:
    expected = engine.search(P5, 6)
    for arguments in ([], ["--exact"], ["--algorithm", "search"], ["--exact", "-asearch"]):
        shown = fields(run("search", P5, *arguments).output)
        assert (shown["algorithm"], shown["depth"]) == ("search", "6")
        assert shown["score"] == f"{expected.score:+d}"
        assert shown["line"] == expected.board.variation_san(expected.pv)
        assert "leaves" not in shown


def test_limits_of_the_exact_search() -> None:
    arguments = ("search", P5, "--nodes", "5000", "--threads", "1")
    expected = engine.search(P5, nodes=5000)
    assert fields(run(*arguments).output)["depth"] == f"{expected.depth}, the last one completed"
    written = json.loads(run(*arguments, "--json").stdout)
    assert (written["score"], written["complete"]) == (expected.score, False)
    assert json.loads(run("search", P5, "--time", "0.05", "--json").stdout)["depth"] > 1


def test_lines_of_the_exact_search() -> None:
    board = chess.Board(P5)
    lines = engine.search(P5, 3, multipv="all").lines
    shown = [f"{board.san(line.move)} {line.score:+d}" for line in lines]
    arguments = ("search", P5, "-d3", "--exact", "--multipv")
    assert fields(run(*arguments, "all").output)["all moves"] == ", ".join(shown)
    assert fields(run(*arguments, "4").output)["moves"] == ", ".join(shown[:4])


@pytest.mark.parametrize("algorithm", names.QUIET_SEARCHES)
def test_quiet_leaves(algorithm: str) -> None:
    arguments = ("search", "P5", "-d2", "-a", algorithm, "--quiet")
    assert fields(run(*arguments).output)["score"] == "+135"
    assert fields(run(*arguments).output)["nodes"].endswith("% of them in quiescence")
    calls = json.loads(run(*arguments, "--json").stdout)["statistics"]["calls"]
    assert sum(count for name, count in calls.items() if name.startswith("quiesce")) > 0


def test_a_comparison_of_quiet_leaves_has_no_minimal_tree() -> None:
    assert "minimal" not in run("compare", "P5", "-d1", "--quiet").output.splitlines()[1]


def test_no_quiescence() -> None:
    arguments = ("search", "P5", "-d", "3", "-a", "iterative_deepening")
    calm = json.loads(run(*arguments, "--no-quiescence", "--json").stdout)
    assert not any(name.startswith("quiesce") for name in calm["statistics"]["calls"])
    assert json.loads(run(*arguments, "--json").stdout)["statistics"]["calls"]["quiesce_min"] > 0


@pytest.mark.parametrize(
    ("fen", "score", "mate"),
    [
        ("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", "White mates in 1", 1),
        ("7k/8/8/3K4/8/8/5R2/6R1 b - - 0 1", "White mates in 1", 1),
        ("5r2/8/6r1/8/3k4/8/8/7K b - - 0 1", "Black mates in 1", -1),
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 1 1", "Black is checkmated", 0),
        ("8/8/8/8/8/2k5/2p5/2K5 w - - 0 1", "-3", None),
    ],
)
def test_mates(fen: str, score: str, mate: int | None) -> None:
    assert fields(run("search", fen, "-d", "3").output)["score"] == score
    assert json.loads(run("search", fen, "-d", "3", "--json").stdout)["mate"] == mate


def test_mates_among_the_lines() -> None:
    fen = "7k/8/8/8/8/8/RR6/K7 w - - 0 1"
    shown = fields(run("search", fen, "-d", "3", "--multipv", "3").output)["moves"]
    assert shown == "Ra7 (White mates in 2), Rb7 (White mates in 2), Kb1 +1025"
    deepened = fields(run("search", fen, "-d", "3", "-a", "iterative_deepening").output)
    assert deepened["score"] == "White mates in at most 2"


SMALL = "7k/P7/8/8/8/8/8/K7 w - - 0 1"
DEEP = ["tree", "-d", "100", "--max-nodes", "4000000000"]


def test_tree() -> None:
    result = run("tree", SMALL, "-d", "2", columns=80)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == engine.tree(SMALL, 2).to_text(width=80) + "\n"
    title, head, *rows = result.stdout.splitlines()
    assert title == "alpha_beta_pruning_no_memo, depth 2, order generated, 14 nodes"
    assert head.split() == ["move", "value", "window", "kind", "end", "nodes"]
    assert rows[4].split() == ["a8=R+", "<=+480", "(+860,", "+inf)", "CUT", "cutoff", "+1", "2"]
    assert max(map(len, rows)) <= 80
    assert {len(row) for row in rows[:14]} == {80}, "numbers are right-aligned"


def test_tree_on_narrow_terminals() -> None:
    lines = run("tree", "P5", "-d", "2", columns=40).stdout.splitlines()
    assert max(map(len, lines)) <= 40
    assert lines[:2] == ["alpha_beta_pruning_no_memo, depth 2,", "order generated, 327 nodes"]
    assert lines[3].split() == ["root", f"{engine.tree(P5, 2).root.value:+d}", "PV"]


def test_tree_with_options() -> None:
    chosen = ["-a", "negascout", "-o", "see+random:7", "-e", "material", "--max-ply", "2"]
    written = json.loads(run("tree", "P5", "-d3", *chosen, "--best-moves", "--json").stdout)
    options: Any = {"algorithm": "negascout", "order": "see+random:7", "evaluation": "material"}
    found = engine.tree(P5, 3, max_ply=2, best_moves=True, **options)
    assert written == json.loads(found.to_json())
    without = json.loads(run("tree", "P5", "-d3", *chosen, "--json").stdout)
    assert len(without["columns"]["value"]) < len(written["columns"]["value"])


@pytest.mark.parametrize("line", ["Nd4 Qc5", "e2d4 d5c5", "Nd4 d5c5"])
def test_tree_below_a_line(line: str) -> None:
    moves = [chess.Move.from_uci("e2d4"), chess.Move.from_uci("d5c5")]
    expected = engine.tree(P5, 3, line=moves).to_text(width=100)
    assert run("tree", "P5", "--line", line).stdout == expected + "\n"


def test_a_line_that_the_search_never_came_to() -> None:
    result = run("tree", "-d", "3", "--line", "e4 e5 Nf3 Nc6")
    assert (result.exit_code, result.stderr) == (0, "The search never came to 'e4 e5 Nf3 Nc6'.\n")


def test_files_of_trees(tmp_path: Path) -> None:
    html, svg, dot = (tmp_path / f"tree.{end}" for end in ("html", "svg", "dot"))
    files = ["--html", str(html), "--svg", str(svg), "--dot", str(dot)]
    result = run("tree", SMALL, "-d2", *files)
    assert (result.exit_code, result.stdout) == (0, "14 nodes\n")
    found = engine.tree(SMALL, 2)
    assert svg.read_text(encoding="utf-8") == found.to_svg()
    assert dot.read_text(encoding="utf-8") == found.to_dot()
    assert html.read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    both = run("tree", SMALL, "-d2", "--dot", str(dot), "--text", columns=80)
    assert both.stdout == found.to_text(width=80) + "\n"


def test_a_tree_too_large_to_draw(tmp_path: Path) -> None:
    svg = tmp_path / "tree.svg"
    line = error_line("tree", "P5", "-d3", "--svg", str(svg))
    assert "--svg draws 400 nodes at most, and there are 2,797" in line
    assert not svg.exists()
    assert run("tree", "P5", "-d3", "--max-ply=1", "--svg", str(svg)).exit_code == 0
    assert svg.exists()


@pytest.mark.parametrize(
    ("arguments", "path", "words"),
    [
        ([*DEEP, "--html"], "", "it is a directory"),
        ([*DEEP, "--html"], "none/tree.html", "it has no directory to be in"),
        (["compare", "-d", "30", "--plot"], "none/x.svg", "it has no directory to be in"),
    ],
)
def test_files_that_cannot_be_written_are_refused_before_the_search(
    tmp_path: Path, arguments: list[str], path: str, words: str
) -> None:
    assert words in error_line(*arguments, str(tmp_path / path))


def test_of_several_files_all_are_written_or_none(tmp_path: Path) -> None:
    html, svg, dot = (tmp_path / f"x.{end}" for end in ("html", "svg", "dot"))
    files = ["--html", str(html), "--dot", str(dot), "--svg"]
    assert "--svg draws 400 nodes at most" in error_line("tree", "P6", "-d3", *files, str(svg))
    assert list(tmp_path.iterdir()) == [], "it is found out before the first is written"
    if Path("/dev/full").exists():
        dot.write_text("of before", encoding="utf-8")
        failed = run_python("-m", "betacut", "tree", SMALL, "-d2", *files, "/dev/full")
        assert (failed.returncode, failed.stdout) == (1, "")
        assert "No space left on device" in failed.stderr
        assert list(tmp_path.iterdir()) == [dot], "what was new is taken back"
        assert dot.read_text(encoding="utf-8") == "of before"
    assert run("tree", SMALL, "-d2", *files, str(svg)).exit_code == 0
    assert len(list(tmp_path.iterdir())) == 3
    link = tmp_path / "link"
    link.symlink_to(dot)
    dot.chmod(0o600)
    assert run("tree", SMALL, "-d1", "--dot", str(link)).exit_code == 0
    assert link.is_symlink()
    assert "digraph" in dot.read_text(encoding="utf-8")
    assert dot.stat().st_mode & 0o777 == 0o600


def test_two_files_of_one_name_are_refused_before_the_search(tmp_path: Path) -> None:
    page, link = tmp_path / "x", tmp_path / "link"
    link.symlink_to(page)
    for other in (page, tmp_path / ".." / tmp_path.name / "x", link):
        line = error_line(*DEEP, "--html", str(page), "--dot", str(other))
        assert "is to be written twice: name another file" in line
    null = ["--html", os.devnull, "--dot", os.devnull]
    assert run("tree", SMALL, "-d2", *null).stdout == "14 nodes\n"


def test_a_file_that_may_not_be_written_is_refused_before_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "x.html"
    monkeypatch.setattr("os.access", lambda path, mode: (Path(path), mode) != (tmp_path, os.W_OK))
    for arguments in (
        [*DEEP, "--html"],
        ["certify", "P1", "-d", "30", "--out"],
        ["compare", "-d", "30", "--plot"],
    ):
        assert "it may not be written" in error_line(*arguments, str(page))


def test_a_tree_that_is_not_complete() -> None:
    arguments = ("tree", "P5", "-d3", "--max-nodes", "50")
    text, data = run(*arguments), run(*arguments, "--json")
    said = "The search was stopped after 50 nodes; --max-nodes allows more.\n"
    assert {(result.exit_code, result.stderr) for result in (text, data)} == {(0, said)}
    assert "50 nodes, not complete" in text.stdout
    assert json.loads(data.stdout)["complete"] is False


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (["startpos", "4"], "197,281"),
        (["startpos", "0"], "1"),
        (["startpos", "0", "--divide"], "1"),
        ([*POSITIONS["kiwipete"].split(), "3"], "97,862"),
    ],
)
def test_perft(arguments: list[str], count: str) -> None:
    result = run("perft", *arguments)
    assert result.exit_code == 0
    shown = fields(result.output)
    assert shown["count"] == count
    assert list(shown) == ["count", "time", "nodes/s"]


def test_perft_divide() -> None:
    shown = fields(run("perft", "kiwipete", "2", "--divide").output)
    moves = [move.uci() for move in engine.legal_moves(POSITIONS["kiwipete"])]
    assert list(shown) == [*moves, "count", "time", "nodes/s"]
    assert sum(int(shown[move]) for move in moves) == 2039
    assert shown["count"] == "2,039"


def test_version() -> None:
    result = run("--version")
    assert (result.exit_code, result.output) == (0, f"betacut {__version__}\n")


ABLE = ", ".join(names.QUIET_SEARCHES)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["search", "--quiet", "-a", "negamax"], f"--quiet is for {ABLE}, not for negamax\n"),
        (["compare", "P5", "--quiet", "-a", "negamax"], ABLE),
        (["tree", P5, "--line=Nd4 e5"], "--line: 'e5' is no legal move after '83. Nd4'"),
        (["tree", P5, "--line=xx"], "--line: 'xx' is no legal move\n"),
    ],
)
def test_mistakes(arguments: list[str], words: str) -> None:
    assert words in f"{error_line(*arguments)}\n"


@pytest.mark.parametrize("command", ["search", "compare", "tree"])
def test_what_could_have_been_meant_is_listed(command: str) -> None:
    line = error_line(command, "--algorithm", "deep-blue")
    assert "'deep-blue'" in line
    assert ", ".join(engine.ALGORITHMS) in line
    assert all(name in error_line(command, "-a", "negamax", "-o", "mvvlva") for name in ORDERS)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["search", "--depth", "four"], "'four'"),
        (["perft"], "Missing argument"),
        (["perft", "startpos"], "'DEPTH': 'startpos' is not a valid integer"),
        (["perft", "3"], "Missing argument 'POSITION'"),
        (["perft", *chess.STARTING_FEN.split()], "Missing argument 'DEPTH'"),
        (["serach"], "Did you mean 'search'?"),
        (["didactic", "tree"], "Did you mean 'tree-count'?"),
        (["pref"], "Did you mean 'perft'?"),
        (["search", "--dpeth", "3"], "--depth"),
        (["compare", "--algoritm=minimax"], "--algorithm"),
        (["--verison"], "--version"),
    ],
)
def test_usage_errors(arguments: list[str], words: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in plain(result.stderr)
    assert "Traceback" not in result.stderr


def test_json_of_perft() -> None:
    written = json.loads(run("perft", "kiwipete", "2", "--divide", "--json").stdout)
    assert (written["fen"], written["depth"]) == (POSITIONS["kiwipete"], 2)
    assert written["count"] == sum(written["moves"].values()) == 2039
    assert "moves" not in json.loads(run("perft", "kiwipete", "2", "--json").stdout)


def test_json_of_the_other_commands() -> None:
    fuzzed = json.loads(run("fuzz", "-s0.05", "--seed=5", "-d2", "--json").stdout)
    assert (fuzzed["seed"], fuzzed["difference"]) == (5, None)
    assert fuzzed["total"] == sum(fuzzed["positions"].values()) > 0
    counted = json.loads(run("didactic", "tree-count", "alpha_beta", "-d3", "--json").stdout)
    (tree,) = counted["trees"]
    expected = didactic.tree_count("alpha_beta", depth=3)
    assert (tree["nodes"], tree["pruned"]) == (expected.nodes_visited, expected.paths_pruned)
    assert (counted["fen"], tree["published"]) == (didactic.MIDDLEGAME, None)
    tested = json.loads(run("didactic", "bratko-kopec", "prototype_v2", "-d1", "--json").stdout)
    first = tested["engines"][0]
    assert (first["engine"], first["static_exchange_evaluation"]) == ("prototype_v2", True)
    solved = {"solved_always": 2, "solved_with_luck": 2, "published": 2}
    assert first["solved"] == [{"depth": 1, **solved}]


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (["search", "--json", "nonsense"], "InvalidPositionError", "cannot read FEN 'nonsense'"),
        (["search", "-d0", "--json"], "ValueError", "depth must be between 1 and 100 plies"),
        (["search", "--json", "-dfour"], "UsageError", "'--depth'"),
        (["perft", "startpos", "3", "--json", "--fast"], "UsageError", "--fast"),
        (["serach", "--json"], "UsageError", "'search'"),
        (["didactic", "tree-count", "--json", "chess"], "ValueError", "unknown algorithm 'chess'"),
        (["search", "--json", "true"], "UsageError", "takes no value: leave out 'true'"),
    ],
)
def test_errors_as_json(arguments: list[str], kind: str, message: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    error = json.loads(result.stderr)["error"]
    assert (error["type"], error["status"]) == (kind, 2)
    assert message in error["message"]
    # It is not remembered.
    assert error_line("search", "nonsense").startswith("betacut: cannot read")


def test_names_are_those_of_their_sources() -> None:
    assert names.MAX_DEPTH == engine.MAX_DEPTH
    assert names.MAX_POSITIONS == checker.MAX_POSITIONS
    assert tuple(engine.ALGORITHMS) == names.ALGORITHMS
    assert tuple(parity.PROGRAMS) == names.PROGRAMS
    assert datasets.configuration.NAMES == names.ANNOTATORS
    assert names.KINDS == fuzz.KINDS
    assert tuple(didactic.ALGORITHMS) == names.ENGINES
    assert tuple(originals.RECORDABLE) == names.RECORDABLE
    assert names.EVALUATIONS == PRESETS
    assert names.ORDERS == ORDERS
    assert sorted(names.PLAYERS) == sorted(re.sub(":.*", ":", name) for name in players.names())


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["search", "-a", "alphabeta"], "alpha_beta_pruning"),
        (["search", "-a", "Alpha-Beta-Pruning-no-memo"], "alpha_beta_pruning_no_memo"),
        (["search", "-a", "minmax"], "minimax"),
        (["tree", "-a", "negascuot"], "negascout"),
        (["compare", "-e", "materiel"], "material"),
        (["search", "kiwi"], "kiwipete"),
        (["perft", "itallian", "3"], "italian"),
        (["didactic", "tree-count", "-p", "londn"], "london"),
        (["didactic", "tree-count", "pvs", "quiesence"], None),
        (["didactic", "tree-count", "quiesence"], "quiescence"),
        (["parity", "chesai"], "chessai"),
        (["fuzz", "-k", "stale-mate"], "stalemate"),
    ],
)
def test_did_you_mean(arguments: list[str], meant: str | None) -> None:
    line = error_line(*arguments)
    assert (f"did you mean '{meant}'?" in line) == (meant is not None)
    assert ("did you mean" in line) == (meant is not None)


def test_short_names_of_searches() -> None:
    for command in ("search", "compare", "tree"):
        assert "alpha_beta_pruning" in run(command, "-d2", "-a", "alpha_beta").output
    assert {*SHORT_NAMES.values()} <= {*ALGORITHMS}
    assert not {*SHORT_NAMES} & {*ALGORITHMS}


COMMANDS = [
    ["search", "start", "-d", "3", "--multipv", "all"],
    ["search", "P5", "-a", "alpha_beta_pruning", "-d", "3"],
    ["didactic", "tree-count", "alpha_beta", "prototype_v2", "-d", "3"],
    ["didactic", "bratko-kopec", "prototype_v2", "-d", "2"],
    ["eval", "P5"],
    ["bench", "--signature-only"],
    ["fuzz", "--seed", "1", "-s", "0.02", "-d", "1"],
    ["parity", "cosc76", "--golden", str(Path(__file__).parents[1] / "golden")],
]


@pytest.mark.sampled(2, every=["columns", "arguments"])
@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: " ".join(arguments[:2]))
@pytest.mark.parametrize("columns", [80, 40])
def test_narrow_terminals(
    columns: int, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines fit, but for a word that is longer; no number is cut, and no word is broken."""
    monkeypatch.setattr(bench, "signature", lambda: dict.fromkeys(engine.ALGORITHMS, 1_234_567))
    narrow = plain(run(*arguments, columns=columns).stdout)
    for line in narrow.splitlines():
        assert len(line) <= columns or len(line.split()) == 1, line
    assert "…" not in narrow

    def words(text: str) -> set[str]:
        """What the table says, without its lines and without what the clock says."""
        clock = r"\d[\d,.]* m?s\b|nodes/s +\S+|positions/s +\S+"
        return set(re.sub("[\u2500-\u257f]", " ", re.sub(clock, "", text)).split())

    if arguments[0] not in ("fuzz", "parity"):
        wide = plain(run(*arguments).stdout)
        assert words(narrow) <= words(wide)
        assert words(wide) - words(narrow) <= {"engine"}  # not told row by row


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("name", [name for name, _ in all_commands()])
def test_help_on_narrow_terminals(name: str, columns: int) -> None:
    """Lines fit, and of no option or text anything is cut."""
    narrow = plain(run(*name.split(), "-h", columns=columns).output)
    wide = plain(run(*name.split(), "-h").output)
    assert max(map(len, narrow.splitlines())) <= columns
    assert narrow.count("…") == wide.count("…")
    options = re.compile(r"--[a-z-]+")
    assert {*options.findall(wide)} <= {*options.findall(narrow)}


def test_all_commands_read_times_alike() -> None:
    times = {
        (name, parameter.name): parameter.type.convert("500ms", parameter, None)
        for name, command in all_commands()
        for parameter in command.params
        if parameter.metavar == "SECONDS" or "seconds" in parameter.name
    }
    assert len(times) >= 11
    assert {*times.values()} == {0.5}


@pytest.mark.parametrize(("name", "command"), [*all_commands()])
def test_help_of_every_command(name: str, command: Any) -> None:  # noqa: ANN401 - click's
    """Flags take no value; the terminal alone breaks paragraphs; extras have their names."""
    result = run(*name.split(), "--help")
    shown = plain(result.output)
    assert result.exit_code == 0
    assert {"Usage:", "--help"} <= set(shown.split())
    assert "bool" not in shown.lower()
    for paragraph in (command.help or "").split("\n\n"):
        assert " ".join(paragraph.split()) in shown
    for parameter in command.params:  # what is in brackets is no markup
        for extra in re.findall(r"betacut\\?(\[\w+\])", getattr(parameter, "help", None) or ""):
            assert f"betacut{extra}" in shown


def test_process() -> None:
    """Nothing but the result is written when the output is no terminal."""
    done = run_python("-m", "betacut", "search", "-d", "3", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["score"] == engine.search(chess.Board(), 3).score


@pytest.mark.sampled(2)
@pytest.mark.skipif(sys.platform == "win32", reason="no Ctrl-C to one other process alone")
@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "-d", "40"],
        ["search", "-a", "alpha_beta_pruning", "-d", "40"],
        ["search", "-a", "negascout", "-o", "hash_move+killers", "-d", "40"],
        ["tree", "-d", "40", "--max-ply", "1", "--max-nodes", "4000000000"],
        ["perft", "startpos", "30"],
    ],
)
def test_ctrl_c(arguments: list[str]) -> None:
    loaded = COMMAND.replace("\nmain()", "\nprint('loaded', file=sys.stderr, flush=True)\nmain()")
    with start_python("-c", loaded, *arguments) as child:
        assert child.stderr is not None
        assert child.stderr.readline() == "loaded\n"
        time.sleep(0.5)  # until it searches
        child.send_signal(signal.SIGINT)
        written = child.communicate(timeout=60)
    assert (child.returncode, *written) == (130, "", "betacut: interrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_progress_on_a_terminal() -> None:
    """It goes to the standard error, and is wiped out at the end."""
    output, shown = on_a_terminal("-m", "betacut", "search", "-d", "3", "--json")
    assert json.loads(output)["depth"] == 3
    assert "search, depth 3" in shown
    assert "0:00:00" in shown
    assert shown.rstrip().endswith("\x1b[2K")
