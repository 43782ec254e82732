"""`engine.compare`: its rows say what the searches say, its views say what the rows say."""

import csv
import dataclasses
import io
import json
import pickle
import re
import signal
import sys
import xml.etree.ElementTree as ElementTree
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import chess
import pytest

from betacut import Comparison, ComparisonRow, InvalidPositionError, SearchResult, engine
from betacut.core.positions import POSITIONS
from betacut.engine.refinements import ALGORITHMS
from betacut.evaluation import Evaluation
from betacut.results.comparison import branching_factor
from support.commands import invoke

P5 = POSITIONS["P5"]

ALPHA_BETA = ("alpha_beta_pruning_no_memo", "alpha_beta_pruning", "iterative_deepening")
NAMES = ("search", "minimax_no_memo", "minimax", *ALPHA_BETA)

MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


@pytest.fixture(scope="module")
def found() -> Comparison:
    return engine.compare("P5", [3, 1, 2], algorithms=NAMES)


run = partial(invoke, columns=1000)


def test_rows_are_what_the_searches_find(found: Comparison) -> None:
    assert [(row.depth, row.algorithm) for row in found] == [*product((1, 2, 3), NAMES)]
    for row in found:
        search = engine.search if row.algorithm == "search" else engine.ALGORITHMS[row.algorithm]
        result = search(P5, row.depth)
        counts = result.statistics
        assert row.result == result
        assert (row.score, row.best_moves) == (result.score, result.best_moves)
        assert row.total_nodes == counts.nodes
        for name in ("leaves", "cutoffs", "cache_hits", "cache_lookups"):
            assert getattr(row, name) == getattr(counts, name)
        assert (row.position, row.fen, row.place) == ("P5", P5, 0)
        assert (row.evaluation, row.not_run) == ("simplified", "")
        assert row.order == (None if row.algorithm == "search" else "generated")


def test_all_searches_unless_some_are_named() -> None:
    compared = engine.compare("P5", [1])
    assert [row.algorithm for row in compared] == ["search", *engine.ALGORITHMS]


def test_quiet_leaves() -> None:
    """They are compared with quiet leaves, by the searches that have them."""
    found = engine.compare("P5", [1, 2], quiescence=True)
    names = ("search", "minimax_no_memo", "alpha_beta_pruning_no_memo")
    expected = product((145, 135), names)
    assert [(row.score, row.algorithm) for row in found] == [*expected]
    assert all(row.agrees and row.minimal_nodes is None for row in found)
    assert not found.notes
    assert found[0].result == engine.search("P5", 1, quiescence=True)
    others = engine.compare("P5", [1], evaluations=["material", len_of_board], quiescence=True)
    assert {row.agrees for row in others if row.result} == {True}
    with pytest.raises(ValueError, match=r"^quiescence=True is for search, .*, not for negamax$"):
        engine.compare("P1", [1], algorithms=["negamax"], quiescence=True)
    with pytest.raises(TypeError, match="quiescence must be True or False, not str 'captures'"):
        engine.compare("P1", [1], quiescence="captures")  # type: ignore[arg-type]


def len_of_board(board: chess.Board) -> int:
    return len(board.piece_map()) * (7 if board.turn else -7)


def test_nodes_are_those_until_the_value_is_known(found: Comparison) -> None:
    """Those of a search that finds no best moves."""
    for depth in (1, 2, 3):
        values = {
            "minimax_no_memo": engine.max_value(P5, depth),
            "alpha_beta_pruning_no_memo": engine.alpha_beta_max(P5, depth),
        }
        for row in found.filter(depth=depth, algorithm=[*values]):
            assert row.nodes == values[row.algorithm].nodes < (row.total_nodes or 0)
    assert [row.nodes for row in found.filter(algorithm="minimax_no_memo")] == [25, 677, 14825]
    exact = found.filter(algorithm="search")[2]
    assert exact.nodes == exact.total_nodes == 196


def test_agreement_with_minimax() -> None:
    """A memo that answers with deeper values finds 95 where minimax has 85."""
    compared = engine.compare("P5", [6], algorithms=["search", "alpha_beta_pruning"])
    exact, memo = compared
    assert (exact.score, exact.agrees) == (85, True)
    assert (memo.score, memo.exact and memo.exact.score) == (95, 85)
    assert (memo.same_score, memo.same_best_moves, memo.agrees) == (False,) * 3
    assert list(compared.disagreements) == [memo]
    assert "+95*" in compared.to_markdown()
    assert "another value than minimax's" in str(compared)


def test_everything_that_must_agree_does(found: Comparison) -> None:
    for row in found:
        if row.algorithm != "iterative_deepening":
            assert row.agrees is True, row
    assert {row.algorithm for row in found.disagreements} == {"iterative_deepening"}


def test_the_same_value_with_other_best_moves() -> None:
    """The memo of the original finds a second best move in P6 at depth 5 that is none."""
    (row,) = compared = engine.compare("P6", [5], algorithms=["alpha_beta_pruning"])
    exact = engine.minimax_no_memo(POSITIONS["P6"], 5)
    assert row.score == exact.score == -180
    assert row.best_moves != exact.best_moves
    assert (row.same_score, row.same_best_moves, row.agrees) == (True, False, False)
    assert "-180~" in str(compared)
    assert "~ minimax's value, but other best moves" in str(compared)
    assert "*" not in str(compared).replace("b*", "")


def test_growth_and_branching(found: Comparison) -> None:
    rows = found.filter(algorithm="minimax_no_memo")
    assert [row.growth for row in rows] == [None, 677 / 25, 14825 / 677]
    factor = rows[2].branching_factor or 0
    assert sum(factor**ply for ply in range(4)) == pytest.approx(14825)
    assert engine.compare("P5", [3], algorithms=["minimax_no_memo"])[0].growth is None


@pytest.mark.parametrize("factor", [1, 2, 3, 35])
@pytest.mark.parametrize("depth", [1, 2, 7, 12])
def test_branching_factor_of_uniform_trees(factor: int, depth: int) -> None:
    nodes = sum(factor**ply for ply in range(depth + 1))
    assert branching_factor(nodes, depth) == pytest.approx(factor, rel=1e-9)


def test_branching_factor_at_the_ends() -> None:
    assert branching_factor(1, 5) == 0.0
    assert 0.0 < branching_factor(2, 100) < 1.0
    assert branching_factor(2**64 - 1, 1) == pytest.approx(2.0**64)


def test_a_finished_game() -> None:
    for row in engine.compare(MATED, [2], algorithms=NAMES):
        assert row.best_moves == ()
        assert row.nodes is not None
        assert row.agrees is (row.algorithm != "iterative_deepening")
    rows = engine.compare([MATED, "P5"], range(1, 4), algorithms=["search"], max_seconds=60)
    assert [row.nodes for row in rows][:3] == [0, 0, 0]
    assert all(row.nodes for row in rows[3:])


def test_the_board_is_not_changed() -> None:
    board = chess.Board(P5)
    board.push_uci("e2d4")
    before = board.fen(), list(board.move_stack)
    compared = engine.compare(board, [1, 2], algorithms=["alpha_beta_pruning"])
    assert (board.fen(), board.move_stack) == before
    assert compared[0].fen == compared[0].position == board.fen()


def test_repetitions_on_the_move_stack_count() -> None:
    board = chess.Board()
    for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        board.push_uci(move)
    (row,) = engine.compare(board, [2], algorithms=["alpha_beta_pruning"])
    assert row.result == engine.alpha_beta_pruning(board, 2)
    assert row.result is not None
    assert row.result.statistics.repetitions > 0


def test_bad_positions_are_told_and_the_others_searched() -> None:
    boards: list[Any] = ["P5", "nonsense", chess.Board(None), 42, chess.Board()]
    compared = engine.compare(boards, [1], algorithms=["search"])
    assert [(row.position, row.place) for row in compared] == [("P5", 0), (chess.STARTING_FEN, 4)]
    kinds = {place: type(error) for place, error in compared.errors.items()}
    assert kinds == {1: InvalidPositionError, 2: InvalidPositionError, 3: TypeError}
    for text in (str(compared), compared.to_markdown(), compared._repr_html_()):
        assert "Position 1: cannot read FEN" in text
        assert "Position 2: invalid position: NO_WHITE_KING" in text
    assert "3 errors" in repr(compared)
    assert set(compared.to_dict()["errors"]) == {"1", "2", "3"}


def test_names_of_positions_are_taken_from_a_mapping() -> None:
    compared = engine.compare(POSITIONS, [1], algorithms=["search"])
    assert [(row.position, row.fen) for row in compared] == list(POSITIONS.items())


def test_orders() -> None:
    names = ["search", "alpha_beta_pruning_no_memo", "iterative_deepening"]
    orders = ["generated", "random:07+see", "hash_move"]
    compared = engine.compare("P5", [3], algorithms=names, orders=orders)
    told = product(names[1:], ["generated", "random:7+see", "hash_move"])
    assert [(row.algorithm, row.order) for row in compared] == [("search", None), *told]
    for row in compared[1:]:
        assert row.order is not None
        assert row.result == ALGORITHMS[row.algorithm](P5, 3, order=row.order)
    assert "alpha_beta_pruning_no_memo random:7+see" in str(compared)


def test_an_order_in_two_spellings_is_there_twice() -> None:
    for one, other in (("random", "random:0"), ("see+random:7", "see+random:007")):
        said = re.escape(f"orders must not have {one!r} twice")
        with pytest.raises(ValueError, match=f"^{said}$"):
            engine.compare("P5", [1], orders=[one, other])


@pytest.mark.parametrize("evaluation", [None, "material"])
def test_the_minimal_tree(evaluation: str | None) -> None:
    compared = engine.compare("P5", [3], algorithms=["search", "minimax"], evaluations=[evaluation])
    best = engine.alpha_beta_pruning_no_memo(P5, 3, order="best", evaluation=evaluation)
    minimal = best.statistics.root_nodes
    assert {row.minimal_nodes for row in compared} == {minimal}
    usual = engine.alpha_beta_pruning_no_memo(P5, 3, evaluation=evaluation)
    assert minimal < usual.statistics.root_nodes
    for row in compared:
        assert row.minimal_share == minimal / (row.nodes or 0)
    without = engine.compare("P5", [2], algorithms=["search"], minimal=False)
    assert without[0].minimal_nodes is None


def test_evaluations_that_are_data() -> None:
    mine = Evaluation([100, 300, 300, 500, 900], name="material")
    other = Evaluation([1, 3, 3, 5, 9])
    evaluations: list[Any] = [None, "material", mine, other]
    both = ["search", "negamax"]
    compared = engine.compare("P5", [2], algorithms=both, evaluations=evaluations, minimal=False)
    names = ["simplified", "material", "material (2)", "evaluation"]
    assert [row.evaluation for row in compared[::2]] == names
    for row, evaluation in zip(compared[1::2], evaluations, strict=True):
        assert row.result == engine.negamax(P5, 2, evaluation=evaluation)
        assert row.agrees is True
    with pytest.raises(ValueError, match=r"^evaluations must not have 'material' twice$"):
        engine.compare("P5", [1], evaluations=["material", Evaluation.preset("material")])


def test_unknown_evaluations_are_refused_before_anything_is_run() -> None:
    seen: list[ComparisonRow] = []
    with pytest.raises(ValueError, match=r"^no evaluation is called 'matter'; there are simpl"):
        engine.compare("P5", [1], evaluations=[None, "matter"], progress=seen.append)
    assert not seen


def test_evaluations_that_are_functions() -> None:
    def nothing(board: chess.Board) -> int:
        return 0

    compared = engine.compare(
        "P5",
        [1],
        algorithms=["search", "alpha_beta_pruning_no_memo"],
        orders=["generated", "worst"],
        evaluations=[None, nothing, lambda board: 1, lambda board: 2],
    )
    names = ["simplified", "nothing", "<lambda>", "<lambda> (2)"]
    assert [row.evaluation for row in compared[::3]] == names
    assert [row.score for row in compared[1::3]] == [150, 0, 1, 2]
    assert compared[3].not_run == "needs an evaluation as data"
    assert compared[5].not_run == "the order 'worst' needs an evaluation as data"
    assert compared[3].agrees is None
    assert compared[4].agrees is True
    assert compared[4].minimal_nodes is None
    assert any("Minimal tree not counted" in note for note in compared.notes)


def test_what_an_evaluation_raises_travels_out() -> None:
    def fails(board: chess.Board) -> int:
        raise LookupError("no table")

    with pytest.raises(LookupError, match=r"^no table$"):
        engine.compare("P5", [1], algorithms=["minimax"], evaluations=[fails])


def test_what_takes_too_long_is_not_run_and_said() -> None:
    both = ["search", "minimax_no_memo"]
    compared = engine.compare("P1", [1, 2, 3, 9], algorithms=both, max_seconds=1.0)
    last = compared[-1]
    assert (last.algorithm, last.depth) == ("minimax_no_memo", 9)
    assert last.result is None
    assert re.fullmatch(r"estimated [\d,]+ (s|min|h)", last.not_run)
    assert (last.score, last.nodes, last.agrees, last.seconds) == (None,) * 4
    assert list(compared.not_run)[-1] is last
    for text in (str(compared), compared.to_markdown(), compared._repr_html_()):
        assert f"not run: {last.not_run}" in text
    assert compared.to_dict()["rows"][-1]["not_run"] == last.not_run
    assert not engine.compare("P5", [3], max_seconds=1e-9).not_run, "the first depth is always run"


def test_progress_sees_each_row(found: Comparison) -> None:
    seen: list[ComparisonRow] = []
    compared = engine.compare("P5", [1, 2], algorithms=NAMES, progress=seen.append)
    assert tuple(seen) == compared.rows
    assert compared.rows == found[: len(compared)].rows


@pytest.mark.usefixtures("ctrl_c")
def test_an_interrupt_keeps_what_progress_has_seen() -> None:
    seen: list[ComparisonRow] = []

    def stop(row: ComparisonRow) -> None:
        seen.append(row)
        if len(seen) == 3:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        engine.compare("P5", [1, 2], algorithms=NAMES, progress=stop)
    assert len(Comparison(tuple(seen))) == 3
    assert engine.compare("P5", [1], algorithms=NAMES)[:3].rows == tuple(seen)


def test_sequence(found: Comparison) -> None:
    assert next(iter(found)) is found[0]
    assert found[-1] is found.rows[-1]
    assert isinstance(found[1:3], Comparison)
    assert list(found[1:3]) == [found[1], found[2]]
    assert found[4] in found


def test_filter(found: Comparison) -> None:
    some = found.filter(depth=range(2, 4), algorithm=["search", "minimax"])
    expected = product((2, 3), ("search", "minimax"))
    assert [(row.depth, row.algorithm) for row in some] == [*expected]
    assert len(some.filter(lambda row: row.depth == 3, order="generated")) == 1
    with pytest.raises(ValueError, match=r"no row has algorithm 'minmax'; there are \['search'"):
        found.filter(algorithm="minmax")
    with pytest.raises(TypeError, match="rows have no field 'algoritm'; choose by position"):
        found.filter(algoritm="minimax")


def test_rows_put_together(found: Comparison, tmp_path: Path) -> None:
    """Positions of several comparisons stay apart; those of one keep their places."""
    more = engine.compare(["P6", "P5", "no", "P6"], [1, 2, 3], algorithms=NAMES)
    both = Comparison(found.rows + more.rows, more.errors)
    known = dict.fromkeys((row.place, row.position) for row in both)
    assert [*known] == [(0, "P5"), (4, "P6"), (1, "P5"), (3, "P6")]
    assert repr(both).startswith("<Comparison: 72 rows, 4 positions, 6 algorithms")
    assert [one["name"] for one in both.widget().data["positions"]] == ["P5", "P6", "P5", "P6"]
    both.plot(tmp_path / "both.svg")
    assert {*ALPHA_BETA} < {*texts(tmp_path / "both.svg")}
    assert pickle.loads(pickle.dumps(both)) == both == Comparison(both.rows)
    assert both[18:].rows == both.rows[18:]
    assert Comparison(found.rows + found.rows).rows == found.rows * 2
    assert more.filter(place=3).rows == tuple(row for row in more if row.place == 3)


def test_equal_and_pickled(found: Comparison) -> None:
    again = engine.compare("P5", [1, 2, 3], algorithms=NAMES)
    assert again == found
    assert again[:5] != found
    copy = pickle.loads(pickle.dumps(found))
    assert copy == found
    assert copy.to_dict() == found.to_dict()
    assert repr(found) == "<Comparison: 18 rows, 1 position, 6 algorithms, 3 disagreements>"


def test_nothing() -> None:
    nothing = Comparison(())
    assert (str(nothing), len(nothing)) == ("no rows", 0)
    assert nothing.to_csv().startswith("position,fen,")
    with pytest.raises(ValueError, match="nothing to plot"):
        nothing.plot()


def test_text_fits(found: Comparison) -> None:
    for width, counts in product((30, 40, 80, 200), (False, True)):
        text = found.to_text(width, counts=counts)
        assert max(map(len, text.splitlines())) <= width
        assert "14,825" in text
        assert ("lookups" in text) is counts
    heads = [line for line in str(found).splitlines() if line.startswith("P5")]
    scores = ("1: minimax +150", "2: minimax +95", "3: minimax +155")
    assert heads == [f"P5, depth {score}" for score in scores]
    assert re.search(r"^ *minimax_no_memo +\+155 +Nc3 +14,825 ", str(found), re.MULTILINE)
    assert "+95  Nc3 +2" in str(found)


@pytest.mark.parametrize("width", [30, 40, 80])
def test_text_of_what_was_not_run_fits(width: int) -> None:
    order = "hash_move+mvv_lva+killers+history"
    (row,) = engine.compare("P5", [1], algorithms=["alpha_beta_pruning_no_memo"], orders=[order])
    not_run = "the order 'worst' needs an evaluation as data"
    row = dataclasses.replace(row, position=P5, result=None, depth=3, not_run=not_run)
    text = Comparison((row, *engine.compare("P5", [1], algorithms=["search"]))).to_text(width)
    assert max(map(len, text.splitlines())) <= width
    squeezed = "".join(text.split())
    assert order in squeezed
    assert "notrun:theorder'worst'needsanevaluationasdata" in squeezed
    assert "+150" in text


def test_markdown(found: Comparison) -> None:
    lines = found.to_markdown().splitlines()
    columns, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert columns[:5] == ["depth", "algorithm", "value", "best", "nodes"]
    for cells, row in zip(rows, found, strict=False):
        named = dict(zip(columns, cells, strict=True))
        assert named["algorithm"] == row.algorithm
        assert named["nodes"] == f"{row.nodes:,}"
        assert named["value"].rstrip("*~") == f"{row.score:+d}"
        assert named["hits"] == (f"{row.cache_hits:,}" if row.cache_hits else "")


def test_json_and_csv(found: Comparison) -> None:
    rows = json.loads(found.to_json())["rows"]
    assert rows == found.to_dict()["rows"]
    assert rows[13]["nodes"] == found[13].nodes == 14825
    assert rows[13]["best_moves"] == ["e2c3"]
    read = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert len(read) == len(found)
    assert read[13]["nodes"] == "14825"
    assert read[7]["best_moves"] == " ".join(rows[7]["best_moves"])
    assert list(read[0]) == list(rows[0])


def test_pandas(found: Comparison) -> None:
    pytest.importorskip("pandas")
    frame = found.to_pandas()
    assert list(frame["nodes"]) == [row.nodes for row in found]
    assert str(frame["nodes"].dtype) == "Int64"
    assert str(frame["same_score"].dtype) == "boolean"
    counts = frame.pivot(index="depth", columns="algorithm", values="nodes")
    assert counts.loc[3, "minimax_no_memo"] == 14825


def test_html(found: Comparison) -> None:
    html = found._repr_html_()
    table = ElementTree.fromstring(html[: html.index("</table>") + len("</table>")])
    rows = table.findall("tbody/tr")
    marked = [row.get("style") != "background:none" for row in rows]
    assert marked == [row.agrees is False for row in found]
    assert [cell.text for cell in rows[13]][:5] == ["3", "minimax_no_memo", "+155", "Nc3", "14,825"]


@pytest.mark.parametrize(
    ("module", "use", "message"),
    [
        ("pandas", "to_pandas", 'to_pandas() needs pandas: pip install "betacut[pandas]"'),
        ("matplotlib", "plot", 'plots need matplotlib: pip install "betacut[plot]"'),
        ("matplotlib.figure", "plot", 'plots need matplotlib: pip install "betacut[plot]"'),
    ],
)
def test_what_is_not_installed(
    module: str, use: str, message: str, found: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"):
        getattr(found, use)()


def texts(svg: Path) -> list[str]:
    return re.findall(r"<text [^>]*>([^<]*)</text>", svg.read_text(encoding="utf-8"))


def test_plot(found: Comparison, tmp_path: Path) -> None:
    path = tmp_path / "nodes.svg"
    ax = found.plot(path)
    lines = {line.get_label(): line for line in ax.get_lines()}
    names = {"search (leaves not counted)" if name == "search" else name: name for name in NAMES}
    assert set(names) <= set(lines) <= {*names, "minimal tree"}
    for label, name in names.items():
        line: Any = lines[label]
        depths, nodes = line.get_data()
        assert [*depths] == [1, 2, 3]
        assert [*nodes] == pytest.approx([row.nodes for row in found.filter(algorithm=name)])
    assert ax.get_yscale() == "log"
    assert set(names) <= set(texts(path)), "each line has its name beside it"
    found.plot(tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == path.read_bytes()


def test_search_below_the_minimal_tree_is_explained() -> None:
    remark = "search counts no leaves: it can have fewer nodes than the minimal tree"
    compared = engine.compare("P5", [1], algorithms=["search", "minimax"])
    assert compared.filter(algorithm="search")[0].minimal_share == 25
    assert compared.to_text().endswith(remark)
    assert remark not in compared.filter(algorithm="minimax").to_text()


def test_dollars_are_no_mathematics(tmp_path: Path) -> None:
    def costs(board: chess.Board) -> int:
        return 0

    costs.__name__ = "a$_$b"
    compared = engine.compare("P5", [1, 2], algorithms=["minimax"], evaluations=[None, costs])
    compared.plot(tmp_path / "nodes.svg")
    assert "a$_$b" in (tmp_path / "nodes.svg").read_text(encoding="utf-8")


def test_plot_of_several_positions(tmp_path: Path) -> None:
    compared = engine.compare(["P5", "P6"], [1, 2], algorithms=["search", "minimax_no_memo"])
    ax = compared.plot(tmp_path / "nodes.png")
    assert (tmp_path / "nodes.png").read_bytes().startswith(b"\x89PNG")
    line: Any = next(line for line in ax.get_lines() if line.get_label() == "minimax_no_memo")
    nodes = [row.nodes or 0 for row in compared.filter(algorithm="minimax_no_memo", depth=2)]
    assert line.get_ydata()[1] == pytest.approx(geometric_mean(nodes))
    assert len(ax.collections) >= 1, "a band from the least to the greatest"
    assert ax.get_title() == "2 positions"


def test_a_finished_game_does_not_take_a_line_away() -> None:
    mated = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
    ax = engine.compare(["P5", mated], [1, 2], algorithms=["search", "minimax"]).plot()
    names = {line.get_label() for line in ax.get_lines()}
    assert names >= {"search (leaves not counted)", "minimax"}


def test_plot_on_given_axes(found: Comparison) -> None:
    figure = pytest.importorskip("matplotlib.figure").Figure()
    left, right = figure.subplots(1, 2)
    assert found.plot(ax=right) is right
    assert right.get_lines()
    assert not left.get_lines()


def test_names_of_lines_do_not_overlap(found: Comparison, tmp_path: Path) -> None:
    ax = found.plot(tmp_path / "nodes.png")
    figure = ax.get_figure(root=True)
    assert figure is not None
    figure.canvas.draw()
    # Without the lines that lead to them, which are part of their extents.
    boxes = [type(text).__mro__[1].get_window_extent(text) for text in ax.texts]  # type: ignore[attr-defined]
    boxes.sort(key=lambda box: box.y0)
    assert len(boxes) >= 6
    for lower, upper in pairwise(boxes):
        assert lower.y1 <= upper.y0 + 1


def test_command(tmp_path: Path) -> None:
    path = tmp_path / "nodes.svg"
    result = run("compare", "P5", "--depth", "3", "--plot", str(path))
    assert result.exit_code == 0, result.output
    expected = engine.compare("P5", range(1, 4)).to_text(1000)
    shown, wanted = (
        re.sub(" +", " ", re.sub(r" +[\d.]+ m?s$", "", text, flags=re.MULTILINE)).strip()
        for text in (result.output, expected)
    )
    assert shown == wanted
    assert "minimax_no_memo" in texts(path)


def test_command_with_names_and_forms() -> None:
    chosen = ["compare", *P5.split(), "-d2", "-a", "minimax", "-a", "search"]
    rows = json.loads(run(*chosen, "--json").stdout)["rows"]
    found = [(row["algorithm"], row["depth"], row["nodes"]) for row in rows]
    assert found[::2] == [("minimax", 1, 25), ("minimax", 2, 677)]
    assert found[1::2] == [("search", 1, 1), ("search", 2, 26)]
    assert {row["position"] for row in rows} == {P5}
    assert run(*chosen, "--markdown").stdout.startswith("| depth | algorithm |")
    assert len(run(*chosen, "--csv").stdout.splitlines()) == 5


def test_command_with_orders_and_evaluations(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text('{"name": "mine", "piece_values": [1, 3, 3, 5, 9]}', encoding="utf-8")
    chosen = ["compare", "P5", "-d1", "-a", "negamax", "-o", "see", "-o", "random:7"]
    rows = json.loads(run(*chosen, "-e", "material", "-e", str(file), "--json").stdout)["rows"]
    expected = product(("material", "mine"), ("see", "random:7"))
    assert [(row["evaluation"], row["order"]) for row in rows] == [*expected]
    mine = Evaluation([1, 3, 3, 5, 9])
    assert rows[2]["score"] == engine.negamax(P5, 1, evaluation=mine).score


@pytest.mark.parametrize("columns", [30, 40, 80])
def test_command_on_narrow_terminals(columns: int) -> None:
    result = run("compare", "P5", "-d3", "--counts", columns=columns)
    assert max(map(len, result.output.splitlines())) <= columns
    assert "14,825" in result.output


def test_command_says_what_it_leaves_out() -> None:
    result = run("compare", "P1", "-d9", "-a", "minimax_no_memo", "--max-seconds=0.01")
    assert result.exit_code == 0
    assert "not run: estimated" in result.output


def test_command_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run("compare", "P5", "-d1", "--plot=nodes.svg")
    assert result.exit_code == 1
    assert result.output == 'betacut: plots need matplotlib: pip install "betacut[plot]"\n'


def test_command_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(board: chess.Board, depth: int, **options: object) -> SearchResult:
        if depth == 2:
            raise KeyboardInterrupt
        return engine.minimax(board, depth)

    monkeypatch.setitem(ALGORITHMS, "minimax", interrupted)
    result = run("compare", "P5", "-d3", "-a", "minimax")
    assert result.exit_code == 130
    assert "P5, depth 1: minimax +150" in result.output
    assert "betacut: interrupted" in result.output
