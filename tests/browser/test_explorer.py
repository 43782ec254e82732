"""The explorer in a real browser: it opens, steps, jumps, and names moves as python-chess does."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import chess
import pytest
from hypothesis import given

from betacut import CheckReport, check, reference
from betacut.core.boards import parse_board
from betacut.reference.games import ListTree, RandomTree, minimal_tree
from betacut.results.tree import Builder, Tree, TreeDiff, tree_diff
from betacut.views.explorer import SCRIPT
from browser.rooms import line, press
from lab.student_searches.mistakes import colour_not_turned
from support.boards import boards, examples
from support.trees import KIWIPETE, large_tree

Named = Callable[[str], dict[str, str]]

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"


@pytest.fixture
def show(open_page: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """Open the page of a tree, of two, or of a report."""

    def open_tree(tree: Tree | TreeDiff | CheckReport, **options: object) -> Any:  # noqa: ANN401
        tree.to_html(tmp_path / "tree.html")
        return open_page(tmp_path / "tree.html", **options)

    return open_tree


@pytest.fixture
def small(show: Callable[..., Any]) -> Any:  # noqa: ANN401
    """A page with a tree of 67 nodes."""
    return show(reference.tree(MATE_IN_ONE, 2))


def pieces(page: Any) -> str:  # noqa: ANN401
    return str(page.locator(".bc-board").get_attribute("aria-label"))


def jump(page: Any, words: str) -> str:  # noqa: ANN401
    """Type something into the field, and return what the page says."""
    page.locator(".bc-jump").fill(words)
    page.locator(".bc-jump").press("Enter")
    return str(page.locator(".bc-status").inner_text())


def found(page: Any, words: str) -> tuple[str, str]:  # noqa: ANN401
    """Jump, and return what the page says and the line to where one is."""
    return jump(page, words), line(page)


def test_it_opens(small: Any) -> None:  # noqa: ANN401
    assert small.inner_text("h1") == "alpha_beta_pruning_no_memo"
    assert "67 nodes" in small.inner_text("header")
    assert line(small) == "root"
    first = small.locator(".bc-row").first.inner_text()
    assert " ".join(first.split()) == "PV ▲ root #1 −∞ … +∞ 67"
    assert "White: king g1, rook a1, pawn f2 g2 h2. Black: king g8" in pieces(small)
    assert "+5 never searched" in small.locator(".bc-row", has_text="f4").inner_text()
    assert small.locator("[role=tree] [role=treeitem][aria-selected=true]").count() == 1


def test_a_mate_whose_distance_is_not_known(show: Callable[..., Any]) -> None:
    page = show(reference.tree(MATE_IN_ONE, 2, algorithm="iterative_deepening"))
    page.locator(".bc-row").first.click()
    assert " # " in " ".join(page.locator(".bc-row").first.inner_text().split())


def test_quiescence_stands_below_its_leaf(show: Callable[..., Any]) -> None:
    tree = reference.tree("P5", 2, algorithm="iterative_deepening")
    page = show(tree)
    below = [node for node in tree if node.depth < 0][:120:8]
    assert len({node.ply for node in below}) > 1
    for node in below:
        jump(page, f"#{node.index + 1}")
        words = line(page).replace("pass 2, depth 2 ", "").replace("quiescence ", "")
        assert words == node.line_san
        row = page.locator(".bc-row[aria-selected=true]").inner_text()
        assert row.split()[-1] == str(node.size)
    jump(page, "Re7 Kh6 Re6")
    assert line(page) == "pass 2, depth 2 Re7 Kh6 quiescence Re6+"


def test_a_node_is_expanded_and_the_board_changes(small: Any) -> None:  # noqa: ANN401
    before = pieces(small)
    row = small.locator(".bc-row", has_text="f4").first
    assert row.get_attribute("aria-expanded") == "false"
    row.locator(".bc-twisty").click()
    row = small.locator(".bc-row", has_text="f4").first
    assert row.get_attribute("aria-expanded") == "true"
    ghost = small.locator(".bc-ghost").first.inner_text()
    assert ghost.startswith("+5 never searched")
    assert {*ghost.split()[3:]} == {"f5", "g5", "h5", "Kf8", "Kh8"}
    assert pieces(small) == before
    # What is folded away is current no more.
    small.locator("[role=tree]").focus()
    for key in ("ArrowDown", "ArrowDown"):
        small.keyboard.press(key)
    deep = line(small)
    top = small.locator(".bc-row").first
    top.locator(".bc-twisty").click()
    assert line(small) != deep
    assert small.locator(".bc-row[aria-selected=true]").count() == 1
    top.locator(".bc-twisty").click()
    small.keyboard.press("ArrowDown")
    assert small.locator(".bc-row[aria-selected=true]").count() == 1
    row.locator(".bc-move").click()
    assert line(small) == "root f4"
    assert "pawn g2 h2 f4" in pieces(small)
    assert "Cutoff: +490 ≤ α (+500)" in small.inner_text(".bc-why")
    assert "5 legal moves were never searched" in small.inner_text(".bc-why")


def test_steps(small: Any) -> None:  # noqa: ANN401
    tree = reference.tree(MATE_IN_ONE, 2)
    for place in range(1, 15):
        press(small, "One step forward")
        assert line(small) == f"root {tree[place].line_san}"
        assert small.inner_text(".bc-counter") == f"step {place + 1} of 67"
    for place, button in ((13, "One step back"), (12, "One step back"), (-1, "Last step")):
        press(small, button)
        assert line(small) == f"root {tree[place].line_san}"
    press(small, "First step")
    assert line(small) == "root"
    small.get_by_role("slider").fill("40")
    assert line(small) == f"root {tree[40].line_san}"


def test_play(small: Any) -> None:  # noqa: ANN401
    small.get_by_label("Speed").select_option("40/s")
    press(small, "Play")
    while int(small.get_by_role("slider").input_value()) < 5:
        small.wait_for_timeout(20)
    press(small, "Pause")
    stopped = small.inner_text(".bc-counter")
    small.wait_for_timeout(200)
    assert small.inner_text(".bc-counter") == stopped != "step 1 of 67"


def test_keys(small: Any) -> None:  # noqa: ANN401
    small.locator("[role=tree]").focus()

    def after(*keys: str) -> str:
        for key in keys:
            small.keyboard.press(key)
        return line(small)

    assert after("ArrowDown") == "root f3"
    assert after("ArrowRight", "ArrowRight") == "root f3 f6"
    assert after("ArrowDown", "ArrowDown", "ArrowUp") == "root f3 g6"
    assert after("ArrowLeft") == "root f3"
    assert after("ArrowLeft", "ArrowLeft") == "root"
    assert after("End") == "root Kh1"
    assert after("Home") == "root"
    assert after("n", "n") == "root f3 f6"
    assert after("p") == "root f3"
    small.keyboard.press("/")
    small.keyboard.type("Ra8")
    assert after("Enter") == "root Ra8#"
    assert "mate" in small.inner_text(".bc-facts")
    small.keyboard.press("Escape")
    squares = small.locator(".bc-marked").first.get_attribute("y")
    small.keyboard.press("f")
    assert small.locator(".bc-marked").first.get_attribute("y") != squares
    small.keyboard.press("Home")
    assert after("ArrowDown", "ArrowRight", "ArrowRight") == "root f3 f6"
    small.get_by_label("Line").get_by_text("f3").press("Enter")
    assert line(small) == "root f3"
    assert after("n") == "root f3 f6", "the focus stays in the line, and keys are heard"
    rows = small.locator("[role=treeitem]").evaluate_all("rows => rows.map((row) => row.ariaLabel)")
    assert any(label.endswith(", 1 node") for label in rows)


def test_jumps(small: Any) -> None:  # noqa: ANN401
    assert found(small, "1. f4 g6") == ("", "root f4 g6")
    assert found(small, "a1a8") == ("", "root Ra8#")
    never = "Kf8 was never searched after f4; searched: f6 g6 h6"
    assert found(small, "f4 Kf8") == (never, "root f4")
    assert jump(small, "f4 Kd8") == "“Kd8” is no legal move after f4."
    assert jump(small, "=500") == ""
    first = line(small)
    jump(small, "=500")
    assert line(small) != first
    assert small.inner_text(".bc-facts dd >> nth=0").endswith("+500")
    assert jump(small, "=12345") == "No node has the value +12345."
    assert jump(small, "#12") == ""
    assert small.inner_text(".bc-counter") == "step 12 of 67"
    assert jump(small, "#68") == "There are steps 1 to 67."
    assert found(small, "") == ("", "root")


def test_a_click_on_the_icicle(small: Any) -> None:  # noqa: ANN401
    box = small.locator(".bc-icicle").bounding_box()
    small.mouse.click(box["x"] + 60, box["y"] + 0.375 * box["height"])
    assert line(small) == "root f3"
    # The overview stays as it is while the search goes on, unless it is told to follow.
    small.mouse.click(box["x"] + box["width"] - 8, box["y"] + 0.375 * box["height"])
    assert line(small) == "root Kh1"
    small.get_by_role("button", name="Zoom").click()
    small.mouse.click(box["x"] + 60, box["y"] + 0.25 * box["height"])
    assert line(small) == "root Kh1"


def test_light_dark_and_narrow(show: Callable[..., Any]) -> None:
    tree = reference.tree(MATE_IN_ONE, 2)
    colour = "getComputedStyle(document.body).backgroundColor"
    seen = set()
    for scheme in ("light", "dark"):
        page = show(tree, scheme=scheme, width=390)
        before = page.evaluate(colour)
        page.get_by_role("button", name="Switch between light and dark").click()
        assert page.evaluate(colour) != before
        seen.add(before)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        row = page.locator(".bc-row", has_text="f4").first
        box = row.locator(".bc-pruned").bounding_box()
        assert box["x"] + box["width"] <= 390, "the number of what was pruned is in view"
        assert row.locator(".bc-window").is_visible()
    assert len(seen) == 2


LETTERS = {"B": {"C": 7, "D": [5, 6], "E": [9, 2]}, "F": {"G": 1, "H": 8}}


def test_a_game_has_labels_instead_of_a_board(show: Callable[..., Any]) -> None:
    page = show(reference.tree(ListTree(LETTERS), 3))
    names = page.locator(".bc-row .bc-move").all_inner_texts()
    assert names == ["root", "B", "C", "D", "0", "1", "E", "0", "F", "G"]
    assert jump(page, "B E") == ""
    assert page.inner_text(".bc-state") == "[9, 2]"
    assert "Cutoff: +9 ≥ β (+6), so Min will not" in page.inner_text(".bc-why")
    assert page.inner_text(".bc-runs").strip() == "MAX: if v ≥ β: return v"
    assert jump(page, "F H") == "H was never searched after F; searched: G"
    assert page.inner_text(".bc-runs").strip() == "MIN: if v ≤ α: return v"
    assert [*map(str.split, page.locator(".bc-ghost").all_inner_texts())] == [
        ["+1", "never", "searched", name] for name in ("1", "H")
    ]
    page.locator("[role=tree]").focus()
    page.keyboard.press("f")


def test_the_minimal_tree_is_that_of_knuth_and_moore(show: Callable[..., Any]) -> None:
    game = RandomTree(3, 3, seed=4)
    page = show(reference.tree(game, 3, algorithm="minimax_no_memo"), height=1800)
    kinds = page.locator(".bc-row[data-node] .bc-kind").all_inner_texts()
    assert kinds.count("MAX") + kinds.count("MIN") == len(kinds)
    page.get_by_role("button", name="Minimal tree").click()
    needed = minimal_tree(game, 3).nodes
    assert page.inner_text(".bc-status").startswith(f"{needed} nodes of 40 prove the value")
    assert page.locator(".bc-needed").count() + page.locator(".bc-faint").count() == 40
    assert page.locator(".bc-needed").count() == needed
    page.get_by_role("button", name="Minimal tree").click()
    assert page.locator(".bc-needed").count() == 0


def test_what_is_seen_is_saved(small: Any) -> None:  # noqa: ANN401
    small.get_by_role("button", name="Projector").click()
    with small.expect_download() as svg:
        small.get_by_role("button", name="SVG").click()
    drawn = ElementTree.parse(svg.value.path()).getroot()
    words = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    rows = small.locator(".bc-row .bc-move").all_inner_texts()
    assert {"PV", "▲ root", f"▼ {rows[1]}", "−∞ … +∞"} <= {*words}
    with small.expect_download() as png:
        small.get_by_role("button", name="PNG").click()
    assert png.value.suggested_filename == "alpha_beta_pruning_no_memo.png"
    assert Path(png.value.path()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_a_million_nodes(show: Callable[..., Any]) -> None:
    tree = large_tree()
    assert len(tree) > 1_000_000
    page = show(tree)
    assert f"{len(tree):,} nodes" in page.inner_text("header")
    assert page.locator(".bc-row").count() < 100, "only what is in view is drawn"
    leaf = next(tree[place] for place in range(500_000, len(tree)) if tree[place].end == "leaf")
    leaf = tree[leaf.line]  # a search for the best moves came to it again
    next_move = leaf.board.san(next(iter(leaf.board.legal_moves)))
    assert jump(page, f"{leaf.line_san} {next_move}").startswith(f"{next_move} was never searched")
    place = leaf.line_san.replace(" ", " again ", 1)
    assert found(page, leaf.line_san) == ("", place)
    assert page.inner_text(".bc-counter") == f"step {leaf.index + 1:,} of {len(tree):,}"
    page.get_by_role("button", name="One step forward").click()
    assert line(page) == tree[leaf.index + 1].line_san.replace(" ", " again ", 1)
    page.locator("[role=tree]").focus()
    page.keyboard.press("ArrowUp")
    assert line(page) == place
    page.get_by_role("button", name="Last step").click()
    assert line(page).endswith(f"again {tree[-1].line_san.partition(' ')[2]}")


def test_two_trees_stay_in_step(show: Callable[..., Any]) -> None:
    minimax = reference.tree(MATE_IN_ONE, 2, algorithm="minimax_no_memo")
    both = ".bc-pair > .bc + .bc .bc-row"
    page = show(tree_diff(minimax, reference.tree(MATE_IN_ONE, 2)), ready=both)
    left, right = page.locator(".bc-pair > .bc").all()
    assert found(left, "f3 g6") == ("", "root f3 g6")
    assert line(right) == "root f3 g6"
    jump(left, "f4 Kf8")
    assert (line(left), line(right)) == ("root f4 Kf8", "root f4")
    assert right.locator(".bc-status").inner_text() == "Kf8 was never searched here."
    right.locator(".bc-row", has_text="Ra8#").locator(".bc-move").click()
    assert (line(left), line(right)) == ("root Ra8#", "root Ra8#")
    assert pieces(left) == pieces(right)


def test_the_replay_of_a_check(show: Callable[..., Any]) -> None:
    """The report of `check` is opened at the first node that differs, the right tree beside it."""
    report = check(colour_not_turned, seconds=60, limit=None)
    page = show(report, ready=".bc-pair > .bc + .bc .bc-current")
    left, right = page.locator(".bc-pair > .bc").all()
    assert report.difference is not None
    assert report.difference.replay is not None
    (move,) = report.difference.replay.line
    name = report.difference.smallest.board.san(move)
    assert (line(left), line(right)) == (f"root {name}", f"root {name}")
    assert left.locator("h1").inner_text() == "your search"
    values = [side.locator(".bc-current .bc-value").inner_text() for side in (left, right)]
    assert values[0].replace("\N{MINUS SIGN}", "+") == values[1], "a sign is wrong"
    for side in (left, right):
        row = side.locator(".bc-current")
        assert row.is_visible(), "the list is beside the board, in sight"
        assert row.locator(".bc-move").evaluate("e => e.scrollWidth <= e.clientWidth"), "whole"
        assert side.locator(".bc-layout").evaluate("e => e.clientHeight") <= 900


def test_what_was_not_recorded(show: Callable[..., Any]) -> None:
    page = show(reference.tree(MATE_IN_ONE, 2, max_ply=1))
    assert "21 nodes · of 67" in page.inner_text("header")
    page.locator(".bc-row", has_text="f4").locator(".bc-twisty").click()
    assert page.locator(".bc-ghost").inner_text() == "children not recorded"
    page = show(reference.tree("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", 1))
    assert page.inner_text("header p").endswith("\N{MIDDLE DOT} 1 node")


def test_below_a_line(show: Callable[..., Any]) -> None:
    moves = [chess.Move.from_uci(move) for move in ("f2f4", "g7g6")]
    page = show(reference.tree(MATE_IN_ONE, 3, line=moves))
    assert "pawn g6 f7 h7" in pieces(page)
    assert found(page, "f4 g6 Ra7") == ("", "g6 Ra7")
    assert jump(page, "f3") == "Only what follows f4 g6 was recorded."


def test_passes_and_searches_for_the_best_moves(show: Callable[..., Any]) -> None:
    builder = Builder()
    for depth in (1, 2):
        builder.enter(None, depth, -200_000, 200_000)
        builder.enter(chess.Move.from_uci("e2e4"), depth - 1, -200_000, 200_000)
        if depth == 1:
            builder.enter(chess.Move.from_uci("e7e5"), 0, -200_000, 200_000)
            builder.leave(40, "leaf")
        builder.leave(40, "table")
        builder.leave(40, "cutoff", 20)
    for move in ("e2e4", "d2d4"):
        builder.enter(chess.Move.from_uci(move), 1, -200_000, 200_000)
        builder.leave(50, "leaf")
    page = show(builder.build(fen=chess.STARTING_FEN, algorithm="<b>two & more</b>", depth=2))
    assert page.inner_text("h1") == "<b>two & more</b>"
    names = page.locator(".bc-row[data-node] .bc-move").all_inner_texts()
    assert names == ["pass 1, depth 1", "pass 2, depth 2", "e4", "e4 again", "d4 again"]
    assert line(page) == "pass 2, depth 2"
    jump(page, "#5")
    assert (line(page), page.inner_text(".bc-counter")) == ("pass 2, depth 2 e4", "step 5 of 7")
    assert page.inner_text(".bc-why") == "The table answered +40."
    # The last visit to a line is shown, though its moves may have been searched before alone.
    assert found(page, "e4") == ("", "e4 again")
    assert page.inner_text(".bc-counter") == "step 6 of 7"
    assert found(page, "e4 e5") == ("", "pass 1, depth 1 e4 e5")
    jump(page, "d4")
    assert line(page) == "d4 again"
    assert "pawn a2 b2 c2 e2 f2 g2 h2 d4" in pieces(page)


def test_an_empty_tree(show: Callable[..., Any]) -> None:
    tree = Builder().build(fen=chess.STARTING_FEN, algorithm="none", depth=1)
    page = show(tree, ready=".bc-status:not(:empty)")
    assert page.inner_text(".bc-status") == "The tree is empty."
    page.locator("[role=tree]").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowLeft", "End", "n", "p", "f", "Enter"):
        page.keyboard.press(key)


def test_in_a_notebook(page: Any, tmp_path: Path) -> None:  # noqa: ANN401
    """Within a frame, as notebooks show it, it works too."""
    file = tmp_path / "notebook.html"
    frame = reference.tree(MATE_IN_ONE, 2)._repr_html_()
    file.write_text(f"<!doctype html><meta charset=utf-8>{frame}", encoding="utf-8")
    page.goto(file.as_uri())
    inside = page.frame_locator("iframe")
    inside.locator(".bc-row", has_text="Ra8#").locator(".bc-move").click()
    assert line(inside) == "root Ra8#"


@pytest.fixture(scope="module")
def named(browser: Any) -> Iterator[Named]:  # noqa: ANN401
    """The moves of a FEN as the page has them: each by its name, and the position after it."""
    page = browser.new_page()
    page.evaluate(
        """async (source) => {
          const file = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
          window.chess = await import(file);
        }""",
        (SCRIPT.parent.parent / "chess.js").read_text(encoding="utf-8"),
    )
    script = """(fen) => {
      const { parseFen, legalMoves, san, uci, play, toFen } = window.chess;
      const position = parseFen(fen);
      return Object.fromEntries(legalMoves(position).map((code) =>
        [uci(code), `${san(position, code)} ${toFen(play(position, code))}`]));
    }"""
    yield lambda fen: page.evaluate(script, fen)
    page.close()


PROBLEMS = (
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "7k/6pp/8/8/8/2Q1Q3/8/K1Q1Q3 w - - 0 1",
    "2R2R2/8/k7/8/2R5/8/7K/2R2R2 w - - 0 1",
    "7k/8/1N1N4/N3N3/8/N3N3/1N1N4/4K3 w - - 0 1",
    "4k3/8/4r3/3pP3/8/8/8/4K3 w - d6 0 2",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",
    "4k3/4r3/8/8/4N3/8/8/N3K3 w - - 0 1",
    "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
    "1rk2r2/8/8/8/8/8/8/RR2K2R w HBf - 0 1",
    "2k4r/8/8/8/8/8/8/r1R1K3 w C - 0 1",
)
"""Pins, castling, en passant, names that need a file, a rank or both; Chess960."""


@pytest.mark.parametrize("fen", PROBLEMS)
def test_names_of_moves_in_positions_full_of_problems(named: Named, fen: str) -> None:
    check_moves(named, parse_board(fen))


@examples(20)
@given(board=boards())
def test_moves_and_their_names_are_those_of_python_chess(named: Named, board: chess.Board) -> None:
    check_moves(named, parse_board(board.fen(en_passant="fen")))


def check_moves(named: Named, board: chess.Board) -> None:
    expected = {}
    for move in board.legal_moves:
        after = board.copy(stack=False)
        after.push(move)
        placement = after.fen(en_passant="fen").split(" ")[:4]
        expected[move.uci()] = " ".join([board.san(move), *placement, "0 1"])
    assert named(board.fen(en_passant="fen")) == expected
