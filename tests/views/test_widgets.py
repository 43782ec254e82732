"""The widgets of notebooks without a notebook: what they keep, show and refuse."""

import threading
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

import chess
import pytest
from chess.engine import Limit, PlayResult
from traitlets import TraitError

import betacut
from betacut import engine
from betacut.views.widget import BoardWidget, ComparisonWidget, TreeWidget
from support.commands import run_python, wait_for

PROMOTION = "7k/P7/8/8/8/8/8/K7 w - - 0 1"


class Replies:
    """An opponent that answers with what it is told to, once it is allowed to."""

    name = "Replies"

    def __init__(self, *moves: str) -> None:
        self.moves = list(moves)
        self.limits: list[Limit | None] = []
        self.allowed = threading.Event()
        self.allowed.set()

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        self.limits.append(limit)
        assert self.allowed.wait(20)
        move = self.moves.pop(0)
        return PlayResult(chess.Move.from_uci(move) if move else None, None)


def hear(widget: Any, **content: object) -> None:  # noqa: ANN401 - any widget
    """Do what the page would ask for."""
    widget._hear(widget, content, [])


def act(widget: BoardWidget, *names: str) -> None:
    """Press the buttons of these names."""
    for name in names:
        hear(widget, type="action", name=name)


def play(widget: BoardWidget, move: str) -> None:
    widget.play(move)
    assert widget.wait(20)


def searched(*arguments: Any, **options: Any) -> BoardWidget:  # noqa: ANN401
    """A widget whose search has ended."""
    widget = engine.widget(*arguments, **options)
    assert widget.wait(60)
    return widget


@pytest.fixture
def widget() -> BoardWidget:
    """A board that does not search."""
    return engine.widget(depth=None)


def test_what_a_board_shows() -> None:
    board = chess.Board()
    widget = engine.widget(board, depth=None)
    assert widget.board == board
    assert widget.board is not board
    assert len(widget.legal) == 20
    assert widget.legal["g1f3"] == "Nf3"
    assert (widget.last, widget.check, widget.arrows, widget.moves) == (None, None, [], "")
    assert widget.caption == "White to move."
    for move in ("f3", "e5", "g4", chess.Move.from_uci("d8h4")):
        widget.play(move)
    assert (widget.last, widget.check, widget.legal) == ("d8h4", "e1", {})
    assert widget.moves == "1. f3 e5 2. g4 Qh4#"
    assert widget.caption == "Black wins: checkmate."
    assert widget.outcome == chess.Outcome(chess.Termination.CHECKMATE, chess.BLACK)
    assert board.ply() == 0, "the board that was given is not changed"


def test_the_arrows_are_the_best_moves() -> None:
    widget = searched(depth=2)
    found = engine.search(chess.STARTING_FEN, 2, quiescence=True)
    assert widget.result.best_moves == found.best_moves
    assert [arrow["move"] for arrow in widget.arrows] == [m.uci() for m in found.best_moves[:5]]
    assert [arrow["kind"] for arrow in widget.arrows].count("best") == 1
    assert all(arrow["label"] == f"{found.score / 100:+.2f}" for arrow in widget.arrows)
    assert "Best at depth 2, captures played out: " in widget.caption
    act(widget, "arrows")
    assert widget.wait(60)
    assert widget.arrows == []
    assert ("arrows", "Show arrows") in widget.actions


def test_values_reach_python() -> None:
    widget = engine.widget(depth=1)
    seen: list[str] = []
    widget.observe(lambda change: seen.append(change.new.peek().uci()), "board")
    found: list[Any] = []
    widget.observe(lambda change: found.append(change.new), "result")
    assert widget.wait(60)
    hear(widget, type="move", move="e2e4")
    assert widget.wait(60)
    assert seen == ["e2e4"]
    after = chess.Board()
    after.push_san("e4")
    assert found[-1] is widget.result
    assert widget.result.score == engine.search(after, 1, quiescence=True).score


def test_an_opponent_answers() -> None:
    opponent = Replies("e7e5", "b8c6")
    widget = engine.widget(opponent=opponent, depth=None, limit=Limit(depth=3))
    opponent.allowed.clear()
    hear(widget, type="move", move="e2e4")
    assert widget.caption == "Replies is thinking …"
    assert widget.legal == {}, "it is not the turn of the user"
    assert not widget.wait(0.01)
    opponent.allowed.set()
    assert widget.wait(20)
    assert widget.moves == "1. e4 e5"
    assert opponent.limits == [Limit(depth=3)]
    play(widget, "Nf3")
    widget.undo()
    assert widget.moves == "1. e4 e5", "the answer is taken back too"


def test_black_against_an_opponent() -> None:
    widget = searched(opponent=Replies("d2d4"), color=chess.BLACK, depth=None)
    assert (widget.orientation, widget.moves) == ("black", "1. d4")
    widget.undo()
    assert widget.moves == "1. d4", "there is nothing to take back"


def test_a_search_about_another_position_is_ended() -> None:
    """It would take years."""
    widget = engine.widget(opponent=Replies("e7e5"), depth=40)
    assert not widget.wait(0.2)
    widget.play("e4")
    wait_for(lambda: widget.moves == "1. e4 e5", "an answer", 20)
    assert not widget.wait(0.2)
    widget.close()
    assert widget.wait(20)


def test_boards_are_copies(widget: BoardWidget) -> None:
    board = widget.board
    board.push_san("e4")
    widget.board.push_san("d4")
    assert (widget.moves, widget.board) == ("", chess.Board())
    widget.board = board
    assert (widget.moves, len(widget.legal)) == ("1. e4", 20)
    board.push_san("e5")
    assert widget.moves == "1. e4"
    board = chess.Board(board.fen())
    for move in ("Nf3", "Nf6", "Ng1", "Ng8"):
        board.push_san(move)
    shown = engine.widget(chess.Board(board.fen()), depth=None)
    shown.board = board
    assert shown.moves.endswith("Nf3 Nf6 3. Ng1 Ng8"), "the position is equal, the moves are not"


def test_when_there_is_no_move_to_make() -> None:
    opponent = Replies("e7e5")
    widget = engine.widget(opponent=opponent, depth=None)
    opponent.allowed.clear()
    widget.play("e4")
    with pytest.raises(ValueError, match="no move to make now: Replies is thinking"):
        widget.play("e5")
    opponent.allowed.set()
    assert widget.wait(20)
    widget.edit = True
    with pytest.raises(ValueError, match="no move to make now: Set up a position"):
        widget.play("Nf3")
    hear(widget, type="edit", fen="7k/8/8/8/8/8/8/K7 w - - 0 1")
    widget.edit = False
    assert widget.moves == "1. e4 e5", "only Done keeps what was set up"
    mated = engine.widget("8/8/8/8/8/k7/8/K6r w - - 0 1", depth=None)
    with pytest.raises(ValueError, match="no move to make now: Black wins: checkmate"):
        mated.play("Kb1")
    with pytest.raises(TypeError, match="timeout must be seconds or None, not str 'x'"):
        mated.wait("x")  # type: ignore[arg-type]
    for color in ("black", None, 5):
        with pytest.raises(TypeError, match="color must be True or False, not "):
            engine.widget(opponent=opponent, color=color)  # type: ignore[arg-type]


def test_an_opponent_that_leaves() -> None:
    class Leaves:
        def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
            raise SystemExit("I give up")

    widget = engine.widget(opponent=Leaves(), depth=None)
    play(widget, "e4")
    assert widget.caption == "SystemExit: I give up"


def test_an_opponent_that_returns_a_bare_move() -> None:
    class Bare:
        def choose(self, board: chess.Board, limit: Limit | None = None) -> chess.Move:
            return next(iter(board.legal_moves))

    widget = engine.widget(opponent=Bare(), depth=None)  # type: ignore[arg-type]
    play(widget, "e4")
    said = "TypeError: choose must return a chess.engine.PlayResult, not Move "
    assert widget.caption.startswith(said)


def test_an_answer_that_comes_too_late() -> None:
    opponent = Replies("e7e5", "d7d5")
    widget = engine.widget(opponent=opponent, depth=None)
    opponent.allowed.clear()
    widget.play("e4")
    widget.undo()
    widget.play("d4")
    opponent.allowed.set()
    assert widget.wait(20)
    assert widget.moves == "1. d4 d5", "what was thought about 1. e4 is forgotten"


@pytest.mark.parametrize(
    ("answer", "words"),
    [("e2e4", "ValueError: move must be legal in"), ("", "ValueError: Replies chose no move")],
)
def test_an_opponent_that_fails(answer: str, words: str) -> None:
    widget = engine.widget(opponent=Replies(answer, "e7e5"), depth=None)
    play(widget, "e4")
    assert widget.caption.startswith(words)
    assert str(widget.error) in widget.caption or len(str(widget.error)) > 150
    widget.undo()
    assert widget.error is None
    play(widget, "e4")
    assert widget.moves == "1. e4 e5"


def test_other_opponents() -> None:
    with betacut.player("random", seed=1) as opponent:
        widget = engine.widget("8/8/8/8/8/k7/8/K6r w - - 0 1", opponent=opponent, depth=None)
        assert widget.outcome is not None, "mate already"
        widget.board = chess.Board()
        play(widget, "a3")
        assert widget.board.ply() == 2


def test_moves_that_are_not_legal(widget: BoardWidget) -> None:
    sent: list[object] = []
    widget.send = lambda content, buffers=None: sent.append(content)
    for wrong in ("e2e5", "e7e5", "nonsense", 5, None, ["e2e4"] * 2):
        hear(widget, type="move", move=str(wrong))
    hear(widget, type="nothing")
    widget._hear(widget, "e2e4", [])
    assert sent == [{"type": "refresh"}] * 8, "the page is told to take it back"
    assert widget.board.ply() == 0
    for bad in ("e5", "e2e5", "", "--", "0000"):
        with pytest.raises(ValueError, match=r"move must be legal in .*, not '"):
            widget.play(bad)
    with pytest.raises(ValueError, match=r"not Move\.from_uci"):
        widget.play(chess.Move.from_uci("e7e5"))
    with pytest.raises(TypeError, match=r"a chess\.Move or its name, not int 5"):
        widget.play(5)  # type: ignore[arg-type]


def test_boards_that_are_none(widget: BoardWidget) -> None:
    with pytest.raises(betacut.InvalidPositionError):
        widget.board = chess.Board.empty()
    for none in (5, None):
        with pytest.raises((TypeError, TraitError), match="board"):
            widget.board = none
    assert widget.board == chess.Board()
    widget.board = PROMOTION
    assert sorted(widget.legal)[:2] == ["a1a2", "a1b1"]


def test_a_position_is_set_up(widget: BoardWidget) -> None:
    hear(widget, type="edit", fen=PROMOTION)
    assert widget.fen == chess.STARTING_FEN, "only after Set up"
    act(widget, "edit")
    assert (widget.edit, widget.legal) == (True, {})
    hear(widget, type="edit", fen="8/8/8/8/8/8/8/8 w - - 0 1")
    act(widget, "done")
    assert widget.edit
    assert "NO_WHITE_KING" in widget.caption
    hear(widget, type="edit", fen="no fen")
    assert "expected" in widget.caption
    hear(widget, type="edit", fen=PROMOTION)
    act(widget, "done")
    assert not widget.edit
    assert widget.board == chess.Board(PROMOTION)
    widget.play("a8=Q+")
    act(widget, "edit", "done")
    assert (widget.moves, widget.last) == ("1. a8=Q+", "a7a8q"), "nothing was changed"
    widget.undo()
    assert widget.fen == PROMOTION
    widget.play("a8=Q+")
    widget.restart()
    assert widget.fen == PROMOTION


def test_the_moves_begin_after_a_null_move() -> None:
    board = chess.Board()
    board.push_san("e4")
    board.push(chess.Move.null())
    widget = searched(board, depth=1)
    assert (widget.moves, widget.last, len(widget.legal)) == ("", None, 30)
    play(widget, "d4")
    assert (widget.moves, widget.last) == ("2. d4", "d2d4")
    widget.undo()
    widget.undo()
    assert widget.moves == "1. e4"


def test_draws(widget: BoardWidget) -> None:
    for move in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        widget.play(move)
    assert widget.caption == "Draw: threefold repetition."
    assert widget.legal == {}
    widget.undo()
    assert widget.outcome is None


def test_actions(widget: BoardWidget) -> None:
    assert [name for name, _ in widget.actions] == ["undo", "restart", "flip", "edit"]
    widget.play("e4")
    act(widget, "flip", "undo")
    assert (widget.orientation, widget.board.ply()) == ("black", 0)
    act(widget, "close")
    assert widget.comm is not None, "only what stands on the buttons can be asked for"


def test_the_pictures() -> None:
    widget = searched(depth=2)
    widget.flip()
    picture = widget._repr_html_()
    assert picture.count("<svg") == 1
    assert "Best at depth 2" in picture
    assert "script" not in picture
    tree = engine.tree(PROMOTION, 2)
    assert tree.widget()._repr_html_() == tree._repr_html_()
    comparison = engine.compare(PROMOTION, [1])
    assert comparison.widget()._repr_html_() == comparison._repr_html_()
    shown = [repr(one) for one in (widget, tree.widget(), comparison.widget())]
    assert shown[1] == "TreeWidget(alpha_beta_pruning_no_memo, line='')"
    assert shown[2].startswith("ComparisonWidget(")
    assert "0x" not in "".join(shown)


def subtree(widget: TreeWidget, *line: str) -> dict[str, Any]:
    """What a widget sends when a reader wants to look deeper."""
    sent: list[dict[str, Any]] = []
    widget.send = lambda content, buffers=None: sent.append({**content, "buffers": buffers})
    widget._answer(list(line), 7)
    return sent[0]


def test_a_tree_can_be_searched_again() -> None:
    whole = engine.tree(PROMOTION, 5)
    tree = engine.tree(PROMOTION, 5, max_ply=2)
    widget = tree.widget()
    assert widget.live
    assert not whole.widget().live, "there is nothing deeper"
    answer = subtree(widget, "a7a8q", "h8g7")
    assert answer["id"] == 7
    assert len(answer["buffers"][0]) > 20
    assert tree.again is not None
    for node in whole.find(ply=2):
        below = tree.again(node.line)
        visits = [root for root in below.roots if root.line == node.line]
        same = [n for n in whole.find(ply=2) if n.line == node.line]
        root = visits[same.index(node)]
        facts = attrgetter("size", "value", "kind", "end")
        assert facts(root) == facts(node)
    assert "illegal move a1a2" in subtree(widget, "a7a8q", "a1a2")["error"]
    assert "nonsense" in subtree(widget, "nonsense")["error"]
    assert "cannot be searched again" in subtree(whole.widget(), "a7a8q")["error"]


def test_what_lies_below_a_null_move_can_be_searched_again() -> None:
    tree = engine.tree("P5", 5, algorithm="null_move", max_ply=2)
    widget, node = tree.widget(), tree["Ra8 --"]
    below = engine.tree("P5", 5, algorithm="null_move", line=node.line)
    assert len(below) == below["Ra8 --"].size == node.size == 25
    assert subtree(widget, *(move.uci() for move in node.line))["data"]["count"] == 25
    # A side in check may not pass.
    assert "illegal move 0000" in subtree(widget, "a7g7", "0000")["error"]


def test_trees_that_cannot_be_searched_again() -> None:
    assert engine.tree(PROMOTION, 3).again is None
    cache = engine.Cache()
    remembered = engine.tree(PROMOTION, 3, algorithm="alpha_beta_pruning", cache=cache, max_ply=1)
    assert remembered.again is None, "the table would know the answers"
    ordered = engine.tree(PROMOTION, 3, order="mvv_lva", evaluation="material", max_ply=1)
    assert ordered.again is not None
    again = ordered.again([chess.Move.from_uci("a7a8q")])
    assert (again.order, again.evaluation_name) == (ordered.order, ordered.evaluation_name)


def test_the_node_that_is_looked_at() -> None:
    tree = engine.tree(PROMOTION, 2)
    widget = tree.widget()
    assert widget.node == tree.root
    widget.line = ["a7a8r"]
    assert widget.node.san == "a8=R+"
    widget.line = ["a7a8r", "h8g8"]
    with pytest.raises(KeyError, match="no legal move after a8=R"):
        _ = widget.node


def test_the_row_that_is_selected() -> None:
    comparison = engine.compare([PROMOTION, "P5"], [1, 2], algorithms=["search", "minimax"])
    widget = comparison.widget()
    assert [one["name"] for one in widget.data["positions"]] == [PROMOTION, "P5"]
    assert widget.row is None
    rows: list[object] = []
    widget.observe(lambda _: rows.append(widget.row), "selected")
    widget.selected = 5
    assert rows == [comparison[5]]
    for name, value in (("selected", 8), ("selected", -2), ("position", 2), ("position", -1)):
        with pytest.raises(TraitError, match=rf"{name} must be -?\d to \d, not {value}"):
            setattr(widget, name, value)
    assert widget.selected == 5
    empty = comparison[:0].widget()
    assert (empty.selected, empty.position, empty.row) == (-1, 0, None)


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: engine.widget(depth=None), BoardWidget),
        (lambda: engine.tree(PROMOTION, 1).widget(), TreeWidget),
        (lambda: engine.compare(PROMOTION, [1]).widget(), ComparisonWidget),
    ],
)
def test_what_a_notebook_shows(
    make: Callable[[], Any], kind: type[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The widget, and below it a picture that the widget's own style hides."""
    display = pytest.importorskip("IPython.display")
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr(display, "display", lambda data, **_: shown.append(data))
    widget = make()
    assert issubclass(type(widget), kind)
    widget._ipython_display_()
    assert "application/vnd.jupyter.widget-view+json" in shown[0]
    assert "text/html" not in shown[0]
    assert shown[1]["text/html"].startswith('<div class="bc-static">')
    assert ".bc-static { display: none; }" in str(widget._css)
    text = str(widget._esm)
    assert "import {" not in text
    # A `render` that is exported by name is deprecated, and the notebook warns of it.
    assert text.count("\nexport ") == 1
    assert "\nexport default { render };" in text


def test_without_anywidget(tmp_path: Path) -> None:
    """One clear line says what is missing; nothing else needs it."""
    script = """if True:
        import sys
        sys.modules["anywidget"] = None
        from betacut import engine
        tree = engine.tree("P5", 1)
        for make in (engine.widget, tree.widget, engine.compare("P5", [1]).widget):
            try:
                make()
            except ImportError as error:
                print(error)
        """
    done = run_python("-c", script, check=True, cwd=tmp_path)
    assert (
        done.stdout.splitlines() == ['widgets need anywidget: pip install "betacut[notebook]"'] * 3
    )
    assert done.stderr == ""
