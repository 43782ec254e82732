"""Trees: their columns, their nodes, what is recorded, and what can be made of them."""

import json
import pickle
import re
from array import array
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import chess
import numpy as np
import pytest

import betacut
from betacut import engine, reference
from betacut.reference.move_order import ordered_moves
from betacut.results.tree import COLUMNS, ENDS, Builder, Tree, TreeFullError, tree_diff
from betacut.results.tree.columns import (
    BYTES_PER_NODE,
    NO_VALUE,
    NULL_MOVE,
    decode_move,
    encode_move,
)
from betacut.results.tree.text import value_text
from support.trees import KIWIPETE

START = chess.STARTING_FEN
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
OPEN = (-200_000, 200_000)


@pytest.fixture(scope="module")
def pruned() -> Tree:
    return reference.tree(KIWIPETE, 2)


@pytest.fixture(scope="module")
def full() -> Tree:
    return reference.tree(KIWIPETE, 2, algorithm="minimax_no_memo")


def by_hand(line: str, below: Sequence[str] = ()) -> Tree:
    """A tree of the starting position with a line, and with moves below it, all of value 0."""
    builder, board = Builder(), chess.Board()
    builder.enter(None, 3, *OPEN)
    for move in line.split():
        builder.enter(board.push_san(move), 2, *OPEN)
    for move in below:
        builder.enter(board.parse_san(move), 0, *OPEN)
        builder.leave(0, "leaf")
    for _ in board.move_stack:
        builder.leave(0, "cutoff", 29)
    builder.leave(0, "searched", 20)
    return builder.build(fen=START, algorithm="by hand", depth=3)


def test_a_node_has_forty_bytes(pruned: Tree) -> None:
    assert BYTES_PER_NODE == 40
    assert sum(column.nbytes for column in pruned.columns.values()) == 40 * len(pruned)
    assert list(pruned.columns) == list(COLUMNS)


def test_columns_are_not_copied() -> None:
    buffers = {name: array(code, [1]) for name, code in COLUMNS.items()}
    buffers["parent"][0] = buffers["first_child"][0] = -1
    tree = Tree(buffers, fen=START, algorithm="x", depth=1)
    buffers["value"][0] = 77
    assert tree.root.value == 77
    assert np.asarray(tree.columns["value"]).ctypes.data == buffers["value"].buffer_info()[0]
    with pytest.raises(TypeError, match="read-only"):
        tree.columns["value"][0] = 1


def test_columns_as_bytes_and_as_numpy(pruned: Tree) -> None:
    for convert in (bytes, np.asarray):
        columns = {name: convert(column) for name, column in pruned.columns.items()}
        again = Tree(columns, fen=KIWIPETE, algorithm="x", depth=2)
        assert again == pruned
        assert again.columns["alpha"].format == "i"


@pytest.mark.parametrize(
    ("name", "data", "error", "text"),
    [
        ("alpha", array("q", [0]), ValueError, "must be int32 .4 bytes an item., not items of 'q'"),
        ("alpha", array("I", [0]), ValueError, "must be int32"),
        ("alpha", array("f", [0]), ValueError, "must be int32"),
        ("alpha", b"123", ValueError, "3 bytes are no multiple"),
        ("alpha", np.zeros(8, "i4")[::2], ValueError, "must be contiguous"),
        ("alpha", [0], TypeError, "buffer protocol, as bytes and arrays do, not list"),
        ("alpha", array("i", [0, 0]), ValueError, r"\['alpha'\] has 2 items, .*parent'\] 1"),
        ("parent", array("i", [0]), ValueError, "must begin with -1, a root, not 0"),
        ("size", array("I", [0]), ValueError, "'size'. must be 1 or more"),
        ("gamma", array("i", [0]), ValueError, "has an unknown 'gamma'"),
    ],
)
def test_columns_that_are_wrong(name: str, data: object, error: type[Exception], text: str) -> None:
    columns: dict[str, object] = {key: array(code, [1]) for key, code in COLUMNS.items()}
    columns |= {"parent": array("i", [-1]), name: data}
    with pytest.raises(error, match=text):
        Tree(columns, fen=START, algorithm="x", depth=1)


def test_codes_of_moves() -> None:
    board = chess.Board("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1")
    for move in [*board.legal_moves, chess.Move.null(), None]:
        assert decode_move(encode_move(move)) == move
    assert encode_move(chess.Move.from_uci("b7b8q")) == 49 | 57 << 6 | 5 << 12
    for code in (1 << 12, 6 << 12, -1, 0x10000):
        with pytest.raises(ValueError, match="is no code of a move"):
            decode_move(code)


@pytest.mark.parametrize("algorithm", ["minimax_no_memo", "alpha_beta_pruning_no_memo"])
@pytest.mark.parametrize("fen", [KIWIPETE, START, MATE_IN_ONE])
def test_laws(fen: str, algorithm: str) -> None:
    tree = reference.tree(fen, 2, algorithm=algorithm)
    assert tree.root.size == len(tree)
    for index, node in enumerate(tree):
        assert node.index == index
        children = node.children
        assert node.size == 1 + sum(child.size for child in children)
        assert len(children) == tree.columns["children"][index]
        first = children[0].index if children else -1
        assert tree.columns["first_child"][index] == first
        for child in children:
            assert child.parent == node
            assert child.line == (*node.line, child.move)
            assert child.ply == node.ply + 1
        if node.end in ("searched", "cutoff"):
            board = node.board
            assert {*node.pruned} | {child.move for child in children} == {*board.legal_moves}
            assert len(node.pruned) == node.pruned_count
            values = [child.value for child in children if child.value is not None]
            assert node.value == (max if board.turn else min)(values)
        else:
            assert node.pruned == ()
        assert node.end != "cutoff" or (node.kind == "CUT" and node.pruned_count >= 0)


def test_kinds_and_bounds(pruned: Tree) -> None:
    for node in pruned:
        alpha, beta = node.window
        assert node.value is not None
        assert (node.bound == "upper") == (node.value <= alpha)
        assert (node.bound == "lower") == (node.value >= beta)
        assert (node.kind == "PV") == (node.bound == "exact")
        high = "lower" if node.board.turn else "upper"
        assert (node.kind == "CUT") == (node.bound == high)
    assert {node.kind for node in pruned} == {"PV", "CUT", "ALL"}


def test_lines(pruned: Tree) -> None:
    node = pruned.root.children[0].children[1]
    assert pruned[node.line_san] == pruned[list(node.line)] == pruned[node.index] == node
    assert pruned[" ".join(move.uci() for move in node.line)] == node
    assert pruned[""] == pruned[[]] == pruned.root
    assert pruned[-1].index == len(pruned) - 1
    assert pruned[np.int64(3)] == pruned[3]
    assert node.board.move_stack == list(node.line)
    assert node.san == node.line_san.split()[1]
    assert f"Node({node.line_san}, window=" in repr(node)


@pytest.mark.parametrize(
    ("line", "error", "text"),
    [
        ("e4 e5 Nf3", KeyError, "ply 3: no Nf3 after e4 e5; searched there: Nc3 Bc4"),
        ("d4", KeyError, "ply 1: no d4 after the root; searched there: e4"),
        ("e4 e5 Bc4 a6", KeyError, r"ply 4: no a6 after e4 e5 Bc4; nothing .* there \(leaf\)"),
        ("e4 Qh4", KeyError, "ply 2: 'Qh4' is no legal move after e4"),
        ([chess.Move.from_uci("e2e5")], KeyError, "ply 1: no e2e5 after .* where it is not legal"),
        (5, IndexError, "the tree has nodes 0 to 4, not 5"),
        (-6, IndexError, "not -6"),
        (2.0, TypeError, "a line must be a str such as 'e4 e5 Nf3' or a list.*, not float 2.0"),
        (True, TypeError, "not bool True"),
        ([chess.E4], TypeError, "a line must be"),
    ],
)
def test_lines_that_are_not_there(line: object, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        by_hand("e4 e5", below=("Nc3", "Bc4"))[line]  # type: ignore[index]


def test_find(pruned: Tree) -> None:
    cuts = list(pruned.find(kind="CUT", ply=1))
    assert cuts == [node for node in pruned.root.children if node.kind == "CUT"] != []
    assert all(node.end == "cutoff" for node in pruned.find(end="cutoff"))
    assert pruned.root in list(pruned.find(value=pruned.root.value))
    assert [node.index for node in pruned.find(min_size=len(pruned))] == [0]
    castled = list(pruned.find(move="O-O"))
    assert {(node.san, str(node.move)) for node in castled} == {("O-O", "e1g1"), ("O-O", "e8g8")}
    ours = [node for node in castled if not node.board.turn]
    assert pruned["O-O"] in ours
    for move in ("e1g1", chess.Move.from_uci("e1g1")):
        assert ours == list(pruned.find(move=move))
    # Castling has two names, and one of them may be that of another move.
    both = engine.tree("r3k2r/8/8/8/8/8/8/4K2R w Kq - 0 1", 2, algorithm="minimax_no_memo")
    for other, name in (("e8a8", "e8c8"), (chess.Move.from_uci("e1h1"), "e1g1")):
        assert list(both.find(move=other)) == list(both.find(move=name)) != []
    rook = engine.tree("3k4/8/8/8/8/8/8/4R1K1 w - - 0 1", 1, algorithm="minimax_no_memo")
    assert [node.san for node in rook.find(move="e1c1")] == ["Rc1"]
    assert list(pruned.find(value=12345)) == []


def test_children_are_a_sequence(pruned: Tree) -> None:
    children = pruned.root.children
    assert children[-1] == list(children)[-1]
    assert [node.san for node in children[:2]] == [node.san for node in children][:2]
    assert children[0] in children
    assert repr(children).startswith(f"Children({children[0].san} ")
    assert not pruned[-1].children


def test_equality(pruned: Tree) -> None:
    assert pruned == reference.tree(KIWIPETE, 2)
    assert pruned != reference.tree(KIWIPETE, 1)
    assert pruned != 3
    assert pickle.loads(pickle.dumps(pruned)) == pruned
    assert len({pruned.root, pruned[0], pruned[1]}) == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(pruned)


def test_passes_and_searches_for_the_best_moves() -> None:
    tree = reference.tree(START, 2, algorithm="iterative_deepening")
    assert [root.ply for root in tree.roots] == [0, 0]
    assert tree["e4"].parent == tree.root == tree.roots[1]
    builder = Builder()
    builder.enter(None, 1, *OPEN)
    builder.leave(0, "cutoff", 20)
    builder.enter(chess.Move.from_uci("e2e4"), 0, *OPEN)
    builder.leave(40, "leaf")
    tree = builder.build(fen=START, algorithm="x", depth=1)
    assert [root.ply for root in tree.roots] == [0, 1]
    assert tree.root.index == 0
    assert tree["e4"].value == 40
    assert tree["e4"].line_san == "e4"


@pytest.mark.parametrize("options", [{"best_moves": True}, {"algorithm": "iterative_deepening"}])
def test_a_line_stands_for_its_last_visit(options: dict[str, Any]) -> None:
    tree = engine.tree("P6", 2, **options)
    # Quiescence begins in the position of a leaf, which stands for it.
    last = {node.line: node for node in tree if node.parent is None or node.move is not None}
    assert [tree[line] for line in last] == [*last.values()]
    assert len(last) < len(tree)


def test_a_full_record() -> None:
    builder = Builder(max_nodes=2)
    builder.enter(None, 2, *OPEN)
    builder.enter(1804, 1, *OPEN)
    with pytest.raises(TreeFullError, match="2 nodes"):
        builder.enter(chess.Move.from_uci("e7e5"), 0, *OPEN)
    tree = builder.build(fen=START, algorithm="x", depth=2)
    assert (len(tree), tree.complete) == (2, False)
    unfinished = list(tree.find(end="unfinished"))
    assert [node.ply for node in unfinished] == [0, 1]
    assert {(node.value, node.kind, node.bound) for node in unfinished} == {(None, None, None)}
    assert "complete=False" in repr(tree)
    assert "not complete" in str(tree)
    assert len(builder.columns["parent"]) == 0


def test_only_some_plies() -> None:
    fen = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"
    whole = reference.tree(fen, 3)
    tree = reference.tree(fen, 3, max_ply=1)
    assert len(tree) == 7
    kept = [(node.size, node.pruned_count) for node in tree]
    assert kept == [(node.size, node.pruned_count) for node in whole if node.ply < 2]
    node = tree["Kd2"]
    assert (node.is_recorded, tree.root.is_recorded) == (False, True)
    assert not node.children
    with pytest.raises(
        ValueError, match=r"after Kd2 was not recorded: 4 were not \(pruned_count\)"
    ):
        _ = node.pruned
    with pytest.raises(KeyError, match="what was searched there was not recorded"):
        tree["Kd2 e5"]


def test_only_below_a_line() -> None:
    board = chess.Board("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1")
    whole = reference.tree(board, 3, algorithm="minimax_no_memo")
    moves = board.copy()
    line = [moves.push_san(move) for move in ("e4", "e5")]
    tree = reference.tree(board, 3, algorithm="minimax_no_memo", line=line)
    assert len(tree) == whole["e4 e5"].size == 6
    assert tree.root.line_san == "e4 e5"
    below = whole["e4 e5"].index
    assert [node.value for node in tree] == [whole[below + place].value for place in range(6)]
    assert tree["e4 e5 Kd2"].board.fen() == whole["e4 e5 Kd2"].board.fen()
    for other in ("e4", "Kd2 Kd7", "e4 Kd7", ""):
        with pytest.raises(KeyError, match="only what follows e4 e5 was recorded"):
            tree[other]
    with pytest.raises(ValueError, match="a trace begins at the root, but only what follows e4 e5"):
        tree.trace()


def test_searched_again_reduced_and_null_moves() -> None:
    builder = Builder()
    builder.enter(None, 3, *OPEN)
    for move, reduced in ((NULL_MOVE, False), (1804, True), (1804, False)):
        builder.enter(move, 1, 0, 1, reduced=reduced)
        builder.narrow(-5, 5)
        builder.static(33)
        builder.leave(3, "table")
    builder.leave(3, "searched", 20)
    tree = builder.build(fen=START, algorithm="x", depth=3)
    null, first, second = tree.root.children
    assert [node.is_research for node in tree.root.children] == [False, False, True]
    assert [node.is_reduced for node in tree.root.children] == [False, True, False]
    assert (tree["--"], tree["e4"]) == (null, second)
    assert tree.root.pruned_count == len(tree.root.pruned) == 19
    assert (null.san, null.board.turn, first.window, first.static) == ("--", False, (-5, 5), 33)


def test_mistakes_in_recording() -> None:
    builder = Builder()
    with pytest.raises(ValueError, match="no node is open"):
        builder.leave(0, "leaf")
    builder.enter(None, 1, *OPEN)
    builder.enter(1804, 0, *OPEN)
    builder.leave(0, ENDS.index("leaf"))
    with pytest.raises(ValueError, match="at least the 1 moves searched, not 0"):
        builder.leave(0, "searched")


def test_a_builder_keeps_what_it_has_if_an_argument_is_bad() -> None:
    builder = Builder()
    builder.enter(None, 1, *OPEN)
    builder.enter(chess.Move.from_uci("e2e4"), 0, *OPEN)
    with pytest.raises(TypeError, match="depth must be an int"):
        builder.build(fen=START, algorithm="x", depth="2")  # type: ignore[arg-type]
    kept = None
    try:
        builder.build(fen=START, algorithm=5, depth=2)  # type: ignore[arg-type]
    except TypeError as error:
        kept = error  # a shell keeps the last error, and so what its frames hold
    builder.enter(chess.Move.from_uci("e7e5"), -1, *OPEN)
    builder.leave(0, "leaf")
    assert "algorithm must be a str" in str(kept)
    tree = builder.build(fen=START, algorithm="x", depth=2)
    assert (len(tree), tree.complete, tree[1].san, tree[1].end) == (3, False, "e4", "unfinished")
    assert len(builder.build(fen=START, algorithm="x", depth=2)) == 0


def test_moves_that_are_none() -> None:
    builder = Builder()
    builder.enter(None, 2, *OPEN)
    for name in ("e2e5", "e2e4"):
        builder.enter(chess.Move.from_uci(name), 1, *OPEN)
    tree = builder.build(fen=START, algorithm="x", depth=2)
    with pytest.raises(ValueError, match=r"e2e4 is no move in rnbqkbnr/.*, but was recorded"):
        _ = tree[2].board


def test_quiescence_stands_below_its_leaf() -> None:
    tree = engine.tree("P5", 2, algorithm="iterative_deepening")
    check: Any = tree["Re7 Kh6 Re6+"]
    quiet = check.parent
    leaf = quiet.parent
    assert (leaf.line_san, quiet.move, quiet.line_san) == ("Re7 Kh6", None, "Re7 Kh6")
    assert (check.line_san, check.ply, tree.levels[check.index]) == ("Re7 Kh6 Re6+", 3, 4)
    with pytest.raises(KeyError, match=r"no Ng1 after Re7 Kh6; searched there: Re6\+ Rh7\+"):
        tree["Re7 Kh6 Ng1"]
    small = engine.tree("k7/8/8/4p3/3n4/8/3Q4/K7 w - - 0 1", 1, algorithm="iterative_deepening")
    places = re.findall(r'<rect x="(\d+)" y="([\d.]+)" width="150"', small.to_svg())
    assert len(places) == len({*places}) == len(small) == 46
    rows = small.to_text().splitlines()
    assert rows[2].split()[:4] == ["root", "+460", "(-mate,", "+mate)"]
    assert [row.split()[0] for row in rows[3:5]] == ["Qa5+", "quiescence"]
    assert [len(row) - len(row.lstrip()) for row in rows[3:5]] == [2, 4]


def test_an_empty_tree() -> None:
    tree = Builder().build(fen=START, algorithm="x", depth=1)
    assert (len(tree), list(tree), tree.roots) == (0, [], ())
    with pytest.raises(ValueError, match="the tree is empty"):
        _ = tree.root
    assert tree.to_html().count("<script") == 2
    with pytest.raises(ValueError, match="the tree a is empty"):
        tree_diff(tree, tree)


def test_text() -> None:
    tree = reference.tree(MATE_IN_ONE, 2)
    for width in (40, 80, 100):
        lines = tree.to_text(width=width).splitlines()
        title = lines[: -len(tree) - 2]
        assert " ".join(title) == "alpha_beta_pruning_no_memo, depth 2, order generated, 67 nodes"
        assert len(title) == (2 if width == 40 else 1)
        assert max(len(line) for line in lines) <= width
    text = tree.to_text(max_ply=1)
    assert text.splitlines()[2].split() == ["root", "#1", "(-inf,", "+inf)", "PV", "67"]
    assert re.search(r"^  Ra8# +mate +\(\+500, \+inf\) +PV +checkmate +1$", text, re.MULTILINE)
    assert re.search(r"^  f4 +<=\+490 +\(\+500, \+inf\) +CUT +cutoff \+5 +4$", text, re.MULTILINE)
    short = tree.to_text(max_lines=3).splitlines()
    assert (len(short), short[-1]) == (6, "only 3 lines are shown: see max_ply and max_lines")
    assert str(tree).startswith("alpha_beta_pruning_no_memo, depth 2, order generated, 67 nodes\n")


def test_mates_whose_distance_the_score_does_not_tell() -> None:
    texts = {
        value_text(node).strip("<>=")
        for mate in (MATE_IN_ONE, chess.Board(MATE_IN_ONE).mirror())
        for node in reference.tree(mate, 2, algorithm="iterative_deepening")
    }
    assert {text for text in texts if not re.fullmatch(r"[+-]?\d+", text)} == {"#", "#-", "mate"}
    quiet = engine.tree("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", 0, algorithm="quiesce_max")
    assert [value_text(node) for node in (quiet.root, quiet["Rg8+"])] == ["#", "<=#"]


def test_drawings(tmp_path: Path) -> None:
    tree = reference.tree(MATE_IN_ONE, 2)
    minimax = reference.tree(MATE_IN_ONE, 2, algorithm="minimax_no_memo")
    kinds = [row[40:].split()[2] for row in minimax.to_text(max_ply=1).splitlines()[2:]]
    assert kinds == ["MAX"] + ["MIN"] * 20
    svg = tree.to_svg(tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == svg
    words = [element.text for element in ElementTree.fromstring(svg).iter()]
    assert (words.count("Ra8#"), words.count("+7")) == (1, 13)
    assert svg.count("<rect") == 1 + 2 * len(tree)
    large = reference.tree(MATE_IN_ONE, 3)
    with pytest.raises(ValueError, match=r"400 nodes at most, and there are 687: .* max_ply="):
        large.to_svg()
    assert large.to_svg(max_ply=1).count("<rect") == 1 + 2 * 21
    dot = tree.to_dot()
    assert dot.count(" -> n") == len(tree) - 1
    assert '[label="Ra8#\\nmate"' in dot


def test_json(pruned: Tree, tmp_path: Path) -> None:
    data = json.loads(pruned.to_json(tmp_path / "tree.json"))
    assert (data["fen"], data["nodes"], data["complete"]) == (KIWIPETE, len(pruned), True)
    assert data["columns"]["move"][0] is None
    columns = data["columns"]
    for node in list(pruned)[1:50]:
        told = tuple(columns[name][node.index] for name in ("move", "end", "static"))
        assert told == (node.line[-1].uci(), node.end, node.static)
    assert json.loads(by_hand("e4").to_json())["columns"]["static"] == [None, None]


def test_arrow_has_the_very_buffers(pruned: Tree) -> None:
    table = pruned.to_arrow()
    for name, column in pruned.columns.items():
        assert table[name].to_pylist() == column.tolist()
        buffer = table[name].chunk(0).buffers()[1]
        assert buffer.address == np.asarray(column).ctypes.data
    assert json.loads(table.schema.metadata[b"betacut.tree"])["fen"] == KIWIPETE


def test_pandas(pruned: Tree) -> None:
    frame = pruned.to_pandas()
    assert frame["kind"].value_counts().to_dict() == Counter(node.kind for node in pruned)
    assert frame["static"].tolist() == [node.static for node in pruned]
    assert by_hand("e4").to_pandas()["static"].isna().all()
    assert frame["move"][1] == pruned[1].line[0].uci()


def test_notebooks(pruned: Tree, full: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pruned._repr_html_().startswith("<iframe srcdoc=")
    assert tree_diff(pruned, full)._repr_html_().count("<iframe") == 1
    monkeypatch.setattr("betacut.results.tree.tree.MOST_EMBEDDED", 10)
    assert "<iframe" not in pruned._repr_html_()
    assert "to_html(file)" in pruned._repr_html_()


def test_the_page_makes_no_request(pruned: Tree, tmp_path: Path) -> None:
    page = pruned.to_html(tmp_path / "tree.html")
    assert "default-src 'none'" in page
    requests = r"""(src|href)=["']|https?://(?!www\.w3\.org/2000/svg)|@import|url\("""
    assert not re.search(requests, page)
    assert not re.search(r"<[^>]* on\w+=", page)
    with pytest.raises(FileNotFoundError):
        pruned.to_html(tmp_path / "no" / "tree.html")


def test_diff(pruned: Tree, full: Tree) -> None:
    diff = betacut.tree_diff(full, pruned)
    assert (diff.common, diff.only_b, diff.contradictions) == (len(pruned), 0, 0)
    assert diff.only_a == len(full) - len(pruned) > 0
    first: Any = diff.first_only_a
    assert diff.line == first.line
    assert f"first only in a: {first.line_san}" in repr(diff)
    with pytest.raises(KeyError, match="no "):
        pruned[first.line_san]
    backwards = tree_diff(pruned, full)
    assert (backwards.only_a, backwards.only_b) == (0, diff.only_a)
    same = tree_diff(full, full)
    assert (same.common, same.same_values, same.line) == (len(full), len(full), None)
    assert "no difference" in repr(same)
    with pytest.raises(ValueError, match=r"must be of one position: r3k2r/.* and rnbqkbnr/"):
        tree_diff(full, by_hand("e4"))


def test_the_first_contradiction(full: Tree) -> None:
    """A wrong leaf is found, though every value above it may be wrong too."""
    values = array("i", full.columns["value"])
    wrong = full[17]
    assert wrong.end == "leaf"
    for index in (0, wrong.index):
        values[index] -= 5000
    other = Tree({**full.columns, "value": values}, fen=full.fen, algorithm="wrong", depth=2)
    diff = tree_diff(full, other)
    assert diff.contradictions == 2
    assert diff.first_contradiction == (wrong, other[17])
    assert diff.line == wrong.line
    assert "first contradiction" in repr(diff)


def test_what_was_not_recorded_is_no_difference() -> None:
    diff = tree_diff(reference.tree(START, 2), reference.tree(START, 2, max_ply=1))
    assert (diff.common, diff.only_a, diff.only_b) == (21, 0, 0)


def test_the_generated_order(pruned: Tree) -> None:
    for node in pruned.find(end="cutoff"):
        order = ordered_moves(node.board)
        assert list(node.pruned) == [move for move in order if move in node.pruned]
    assert by_hand("e4").columns["static"][0] == NO_VALUE
