"""The board in a real browser: played on with mouse, touch and keys, and set up."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

from betacut.views.assets import bundle, styles
from betacut.views.board import SCRIPT, STYLE
from browser.conftest import Watched

PROMOTES = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"

HOST = """{
const { parseFen, legalMoves, san, uci, play, toFen, inCheck, squareName } = betacut_chess;
let position, last = null;
const name = (code) => [uci(code), san(position, code)];
const legal = () => Object.fromEntries(legalMoves(position).map(name));
const state = () => ({ fen: toFen(position), legal: legal(), last,
  check: inCheck(position) ? squareName(position.board.indexOf(6 * position.turn)) : null });
const on = (event) => {
  events.push(event);
  if (event.type !== "move" || window.refuses) return window.board.update({});
  position = play(position, legalMoves(position).find((code) => uci(code) === event.move));
  last = event.move;
  if (!window.silent) window.board.update(state());
};
window.start = (fen, more = {}) => {
  window.events = [];
  window.silent = window.refuses = false;
  document.activeElement.blur();
  position = parseFen(fen);
  window.board?.destroy();
  const first = more.edit ? { fen } : state();
  window.board = mount(document.getElementById("here"), { ...first, ...more }, on);
};
window.answer = (move) => on({ type: "move", move });
}"""
"""A host that knows the rules: it answers every move with the next state."""

PAGE = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A board</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>{styles(STYLE)} body {{ margin: 8px; background: var(--bc-paper) }}</style></head>
<body><div id="here"></div><button id="after">after</button>
<script type="module">{bundle(SCRIPT)}{HOST} start({json.dumps(chess.STARTING_FEN)});</script>
</body></html>"""
"""A page with a board on it, and nothing from anywhere else."""


class Played:
    """A page with a board, and what a person sees and does there."""

    def __init__(self, page: Any) -> None:  # noqa: ANN401 - playwright's
        self.page = page

    def start(self, fen: str = chess.STARTING_FEN, **state: object) -> None:
        self.page.evaluate("([fen, state]) => start(fen, state)", [fen, state])

    def square(self, name: str) -> Any:  # noqa: ANN401
        return self.page.locator(f"[data-square={name}]")

    def label(self, name: str) -> str:
        """What a screen reader reads of a square."""
        return str(self.square(name).get_attribute("aria-label"))

    def count(self, selector: str) -> int:
        return int(self.page.locator(selector).count())

    @property
    def words(self) -> str:
        return str(self.page.locator(".bcb-status").inner_text())

    @property
    def events(self) -> list[dict[str, str]]:
        return list(self.page.evaluate("events"))

    @property
    def moves(self) -> list[str]:
        return [event["move"] for event in self.events if event["type"] == "move"]

    @property
    def focus(self) -> str:
        return str(self.page.evaluate("document.activeElement.dataset.square ?? ''"))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def middle(self, place: Any) -> tuple[float, float]:  # noqa: ANN401
        """The middle of a square or of another part of the page."""
        part = self.square(place) if isinstance(place, str) else place
        box = part.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, start: Any, end: str | tuple[float, float]) -> None:  # noqa: ANN401
        """Drag from a square or a part of the page to a square or a point."""
        mouse = self.page.mouse
        mouse.move(*self.middle(start))
        mouse.down()
        mouse.move(*(self.middle(end) if isinstance(end, str) else end), steps=4)
        mouse.up()

    def type(self, text: str, *keys: str) -> None:
        """Type a move, as on any square."""
        self.square("a1").focus()
        self.page.keyboard.type(text)
        self.press(*keys)

    def update(self, **state: object) -> None:
        self.page.evaluate("(state) => board.update(state)", state)

    def click(self, *squares: str) -> None:
        for name in squares:
            self.square(name).click()


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("board") / "board.html"
    file.write_text(PAGE, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def shared(browser: Any, file: Path) -> Iterator[Watched]:  # noqa: ANN401
    """A page for all tests that start with no other window and no other touch."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    watched = Watched(context)
    watched.page.goto(file.as_uri())
    watched.page.wait_for_selector(".bcb-square")
    yield watched
    context.close()
    assert watched.requests == [file.as_uri()]


@pytest.fixture
def board(shared: Watched) -> Iterator[Played]:
    """The page with the starting position, at the end as quiet as at the start."""
    played = Played(shared.page)
    played.page.mouse.move(0, 0)
    played.start()
    yield played
    assert shared.complaints == []


def test_every_square_says_what_is_on_it(board: Played) -> None:
    expected = {name: name for name in chess.SQUARE_NAMES}
    for square, piece in chess.Board().piece_map().items():
        words = f"{chess.COLOR_NAMES[piece.color]} {chess.piece_name(piece.piece_type)}"
        expected[chess.square_name(square)] += f", {words}"
    assert {name: board.label(name) for name in expected} == expected
    assert board.page.get_by_role("grid", name="Chess board").get_by_role("button").count() == 64
    assert board.page.get_by_role("grid").get_by_role("row").count() == 8
    assert board.page.locator(".bcb-square").first.get_attribute("data-square") == "a8"


def test_a_null_move_is_told(board: Played) -> None:
    board.update(fen=chess.STARTING_FEN.replace(" w ", " b "), last="0000", legal={})
    assert board.words == "White passes."
    assert board.count(".bcb-last") == 0


def test_two_clicks_move(board: Played) -> None:
    board.click("e2")
    assert board.label("e2") == "e2, white pawn, picked up"
    assert (board.label("e4"), board.count(".bcb-target")) == ("e4, a legal target", 2)
    board.click("e4")
    assert (board.moves, board.words) == (["e2e4"], "White: e4")
    assert (board.label("e2"), board.label("e4")) == ("e2", "e4, white pawn")
    board.click("g8", "b8")
    assert board.count(".bcb-target") == 2, "another piece is picked up instead"
    board.click("c6")
    assert (board.moves, board.count(".bcb-last")) == (["e2e4", "b8c6"], 2)


def test_what_cannot_be_clicked(board: Played) -> None:
    board.click("a1")
    assert board.words == "white rook on a1 cannot move."
    board.click("e7")
    assert board.words == "black pawn on e7 cannot move."
    board.click("e2", "e5")
    assert board.words == "e2 to e5 is not a legal move."
    assert board.count(".bcb-picked") == 0
    board.click("e2", "e2")
    assert (board.count(".bcb-target"), board.moves) == (0, [])
    board.start(legal={})
    board.click("e2")
    assert board.count(".bcb-picked, .bcb-target") == 0


def test_the_keyboard_alone(board: Played) -> None:
    board.press("Tab")
    assert board.focus == "e1"
    board.press("ArrowUp", "Enter")
    assert board.label("e2") == "e2, white pawn, picked up"
    board.press("ArrowUp", "ArrowUp", "Space")
    assert (board.moves, board.focus) == (["e2e4"], "e4")
    board.press("Home", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight")
    assert board.focus == "b7"
    board.press("Enter", "Escape")
    assert (board.words, board.count(".bcb-picked")) == ("Let go.", 0)
    board.press("ArrowUp", "ArrowUp", "ArrowUp")
    assert board.focus == "b8", "the edge of the board"
    board.press("Tab")
    assert board.page.evaluate("document.activeElement.id") == "after", "one stop for all squares"


@pytest.mark.parametrize(
    ("fen", "typed", "move"),
    [
        (chess.STARTING_FEN, "Nf3", "g1f3"),
        (chess.STARTING_FEN, "nf3", "g1f3"),
        (chess.STARTING_FEN, "e2e4", "e2e4"),
        (chess.STARTING_FEN, "e4", "e2e4"),
        ("4k3/8/8/8/3p4/2B5/1P6/4K3 w - - 0 1", "Bxd4", "c3d4"),
        ("4k3/8/8/8/8/2p5/1P4B1/4K3 w - - 0 1", "bxc3", "b2c3"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "0-0-0", "e1c1"),
        (PROMOTES, "e8N+", "e7e8n"),
        (PROMOTES, "e8=q", "e7e8q"),
    ],
)
def test_moves_are_typed(board: Played, fen: str, typed: str, move: str) -> None:
    board.start(fen)
    board.type(typed)
    assert board.moves == [move]
    assert board.page.locator(".bcb-typed").inner_text() == ""


def test_what_is_typed_wrongly(board: Played) -> None:
    board.type("Nf")
    assert board.page.locator(".bcb-typed").inner_text() == "Nf"
    board.page.keyboard.type("6")
    assert board.words == "No legal move begins with “Nf6”."
    board.page.keyboard.type("Nc")
    board.press("Backspace", "f", "Escape")
    assert board.page.locator(".bcb-typed").inner_text() == ""
    assert board.moves == []
    board.start("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    board.type("O-O")
    assert board.moves == [], "it may go on"
    board.press("Enter")
    assert board.moves == ["e1g1"]
    board.start("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    board.type("Ra", "Enter")
    assert board.words.startswith("“Ra” could be Ra2, Ra3")


def test_a_drag(board: Played) -> None:
    board.drag("g1", "f3")
    assert (board.moves, board.count(".bcb-ghost")) == (["g1f3"], 0)
    assert board.label("f3") == "f3, white knight"
    box = board.square("e7").bounding_box()
    board.drag("e7", (box["x"] + 8, box["y"] + 8))
    assert board.count(".bcb-picked") == 0
    board.drag("e7", (5.0, 790.0))
    assert board.label("e7") == "e7, black pawn", "dropped beside the board: nothing"
    assert board.moves == ["g1f3"]


def test_an_illegal_drag_goes_back_and_says_so(board: Played) -> None:
    box = board.page.locator(".bcb-frame").bounding_box()
    board.drag("g1", "g3")
    assert board.words == "g1 to g3 is not a legal move."
    board.page.wait_for_selector(".bcb-ghost", state="detached")
    assert (board.label("g1"), board.count(".bcb-lifted")) == ("g1, white knight", 0)
    assert board.moves == []
    assert board.page.locator(".bcb-frame").bounding_box() == box, "nothing jumps"
    board.drag("e7", "e5")
    assert board.moves == [], "Black is not to move"


def test_a_finger(browser: Any, file: Path) -> None:  # noqa: ANN401
    phone = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
    board = Played(Watched(browser.new_context(**phone)).page)
    board.page.goto(file.as_uri())
    board.square("d2").tap()
    board.square("d4").tap()
    assert board.moves == ["d2d4"]
    session = board.page.context.new_cdp_session(board.page)
    points = [board.square(name).bounding_box() for name in ("d7", "d6", "d5")]
    touches = [{"x": box["x"] + 15, "y": box["y"] + 15} for box in points]
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": touches[:1]})
    for touch in touches[1:]:
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [touch]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    board.page.wait_for_function("events.length === 2")
    assert board.moves == ["d2d4", "d7d5"]
    board.page.context.close()


def test_a_promotion_by_mouse(board: Played) -> None:
    board.start(PROMOTES)
    board.drag("e7", "e8")
    dialog = board.page.get_by_role("dialog", name="Promote the pawn to")
    names = [button.get_attribute("aria-label") for button in dialog.get_by_role("button").all()]
    assert names == ["queen", "rook", "bishop", "knight"]
    frame, choices = (
        board.page.locator(part).bounding_box() for part in (".bcb-frame", ".bcb-choices")
    )
    assert choices["y"] + choices["height"] <= frame["y"] + frame["height"]
    dialog.get_by_role("button", name="rook").click()
    assert (board.moves, board.label("e8")) == (["e7e8r"], "e8, white rook")
    board.start(PROMOTES)
    board.click("e7", "e8")
    dialog.click(position={"x": 5, "y": 5})
    assert (dialog.count(), board.words, board.moves) == (0, "No move was made.", [])


def test_values_that_stream_in_leave_the_choice(board: Played) -> None:
    """An analysis goes on while the user chooses what a pawn becomes."""
    board.start(PROMOTES)
    board.drag("e7", "e8")
    dialog = board.page.get_by_role("dialog", name="Promote the pawn to")
    board.update(arrows=[{"move": "e7e8q", "kind": "best", "label": "+9.00"}])
    board.page.wait_for_selector(".bcb-arrow-best")
    dialog.get_by_role("button", name="knight").click()
    assert board.moves == ["e7e8n"]


def test_values_that_stream_in_leave_a_drag(board: Played) -> None:
    """What is in the hand stays lifted meanwhile; another position ends the drag."""
    mouse, (x, y) = board.page.mouse, board.middle("g1")
    mouse.move(x, y)
    mouse.down()
    mouse.move(x, y - 80, steps=4)
    board.update(arrows=[{"move": "e2e4", "kind": "best", "label": "+0.30"}])
    board.page.wait_for_selector(".bcb-arrow-best")
    assert (board.count(".bcb-lifted"), board.count(".bcb-ghost")) == (1, 1)
    board.page.evaluate("answer('e2e4')")
    assert board.count(".bcb-lifted, .bcb-ghost") == 0
    mouse.up()
    assert board.moves == ["e2e4"]


def test_a_promotion_by_keyboard(board: Played) -> None:
    board.start("4k3/8/8/8/8/8/4p1K1/8 b - - 0 1")
    board.square("e2").focus()
    board.press("Enter", "ArrowDown", "Enter")
    active = "document.activeElement.getAttribute('aria-label')"
    assert board.page.evaluate(active) == "queen"
    board.press("ArrowDown")
    assert board.page.evaluate(active) == "rook"
    board.press("Tab", "Tab", "Tab")
    assert board.page.evaluate(active) == "queen"
    board.press("Escape")
    assert (board.moves, board.focus) == ([], "e2")
    board.press("Enter", "ArrowDown", "Enter", "n")
    assert (board.moves, board.focus) == (["e2e1n"], "e1")


def test_arrows_with_labels(board: Played) -> None:
    arrows = [
        {"move": "e2e4", "kind": "best", "label": "+0.31"},
        {"move": "d2d4", "kind": "other", "label": "+0.28"},
        {"move": "g1f3", "kind": "line", "label": ""},
        {"move": "f2f3", "kind": "played", "label": "−0.80"},
    ]
    board.start(arrows=arrows)
    drawn = board.page.locator(".bcb-arrow").all()
    order = [arrow.get_attribute("data-move") for arrow in drawn]
    assert order == ["g1f3", "d2d4", "f2f3", "e2e4"]
    assert board.page.locator(".bcb-label").all_text_contents() == ["+0.31", "−0.80", "+0.28"]
    spoken = "Arrows: e2 to e4, best, +0.31; d2 to d4, other, +0.28; g1 to f3, line"
    assert board.page.locator(".bcb-hidden").inner_text().startswith(spoken)
    for move in ("e2e4", "d2d4"):
        arrow = board.page.locator(f".bcb-arrow[data-move={move}]")
        start, end = board.square(move[:2]), board.square(move[2:])
        assert board.middle(arrow)[0] == pytest.approx(board.middle(start)[0], abs=1)
        end_y, y, start_y = (part.bounding_box()["y"] for part in (end, arrow, start))
        assert end_y < y < start_y
    board.click("e2", "e4")
    assert board.moves == ["e2e4"], "arrows are not in the way"


def test_a_short_arrow_lies_over_a_longer_one(board: Played) -> None:
    moves = {"f1b5": "best", "f1c4": "other", "f1d3": "other", "b1c3": "other"}
    board.start(arrows=[{"move": move, "kind": kind, "label": ""} for move, kind in moves.items()])
    drawn = board.page.locator(".bcb-arrow").all()
    order = [arrow.get_attribute("data-move") for arrow in drawn]
    assert order == ["b1c3", "f1b5", "f1c4", "f1d3"]


def test_labels_do_not_cover_each_other(board: Played) -> None:
    arrows = [
        {"move": f"{start}d4", "kind": "other", "label": f"+{number}.50"}
        for number, start in enumerate(("d1", "d2", "d8", "a4", "h4", "h8", "a7"))
    ]
    board.start(arrows=arrows)
    boxes = [box.bounding_box() for box in board.page.locator(".bcb-label rect").all()]
    assert len(boxes) == 7
    frame = board.page.locator(".bcb-frame").bounding_box()
    for place, one in enumerate(boxes):
        assert frame["x"] <= one["x"]
        assert one["x"] + one["width"] <= frame["x"] + frame["width"]
        for other in boxes[:place]:
            assert any(
                first[start] + first[size] <= second[start] + 1
                for first, second in ((one, other), (other, one))
                for start, size in (("x", "width"), ("y", "height"))
            )


def test_black_at_the_bottom(board: Played) -> None:
    board.square("e4").focus()
    board.update(orientation="black")
    assert board.focus == "e4", "the focus stays on its square"
    assert board.page.locator(".bcb-square").first.get_attribute("data-square") == "h1"
    white, black = (board.square(name).bounding_box() for name in ("e1", "e8"))
    assert white["y"] < black["y"]
    board.press("ArrowUp")
    assert board.focus == "e3"
    board.press("ArrowLeft")
    assert board.focus == "f3"
    board.drag("d2", "d4")
    assert board.moves == ["d2d4"]


def test_the_answer_of_the_host(board: Played) -> None:
    board.page.evaluate("window.silent = true")
    board.click("e2", "e4")
    assert board.label("e4") == "e4, white pawn", "shown before the host has answered"
    board.click("d2")
    assert board.count(".bcb-picked") == 0, "but nothing moves until then"
    board.page.evaluate("window.silent = false; answer('g8f6')")
    assert board.words == "Black: g8 to f6", "two moves later"
    board.click("d2", "d4")
    board.page.evaluate("answer('f6e4')")
    assert board.words == "Black: Nxe4"
    board.page.evaluate("window.refuses = true")
    board.click("a2", "a4")
    assert board.label("a4") == "a4", "a move that is refused is taken back"
    board.page.evaluate("window.refuses = false")
    board.drag("a2", "a3")
    assert board.moves == ["e2e4", "g8f6", "d2d4", "f6e4", "a2a4", "a2a3"]


def test_check_and_mate_are_said(board: Played) -> None:
    for move in ("f2f3", "e7e5", "g2g4", "d8h4"):
        board.click(move[:2], move[2:])
    assert (board.words, board.label("e1")) == ("Black: Qh4#", "e1, white king, in check")
    assert board.count(".bcb-movable") == 0


def test_a_position_is_set_up(board: Played) -> None:
    board.start(chess.Board.empty().fen(), edit=True)
    tools = board.page.get_by_role("toolbar")
    assert tools.get_by_role("button").count() == 13
    tools.get_by_role("button", name="white king").click()
    board.click("e1")
    tools.get_by_role("button", name="white king").click()
    board.square("a8").focus()
    board.press("k")
    board.square("h2").focus()
    board.press("R", "ArrowLeft", "P")
    board.drag(tools.get_by_role("button", name="black queen"), "d8")
    assert board.events[-1] == {"type": "edit", "fen": "k2q4/8/8/8/8/8/6PR/4K3 w - - 0 1"}
    board.drag("h2", "h1")
    board.drag("g2", (1100.0, 20.0))
    tools.get_by_role("button", name="bin").click()
    board.click("d8")
    tools.get_by_role("button", name="bin").click()
    board.click("a8", "e8")
    board.page.get_by_label("White O-O", exact=True).check()
    board.page.get_by_role("button", name="White to move").click()
    assert board.events[-1]["fen"] == "4k3/8/8/8/8/8/8/4K2R b K - 0 1"
    assert board.page.get_by_label("Black O-O", exact=True).is_disabled()
    board.drag("e1", "d1")
    assert board.events[-1]["fen"] == "4k3/8/8/8/8/8/8/3K3R b - - 0 1", "no right without a king"
    board.page.get_by_role("button", name="Starting position").click()
    assert board.events[-1]["fen"] == chess.STARTING_FEN
    board.square("e4").focus()
    board.press("q", "Delete")
    assert board.label("e4") == "e4"
    board.page.get_by_role("button", name="Empty board").click()
    assert board.events[-1]["fen"] == "8/8/8/8/8/8/8/8 w - - 0 1"


def test_a_position_of_chess960_keeps_its_rights(board: Played) -> None:
    board.start("1k5r/8/8/8/8/8/P7/RK4RR w GQ - 0 1", edit=True)
    board.drag("a2", "a3")
    assert board.events[-1]["fen"] == "1k5r/8/8/8/8/P7/8/RK4RR w GQ - 0 1"
    board.drag("g1", "g2")
    board.page.get_by_label("White O-O-O").uncheck()
    fens = [event["fen"] for event in board.events[-2:]]
    assert fens == [f"1k5r/8/8/8/8/P7/6R1/RK5R w {rights} - 0 1" for rights in ("Q", "-")]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone(open_page: Callable[..., Any], file: Path, scheme: str) -> None:
    board = Played(open_page(file, ".bcb-square", width=320, height=700, scheme=scheme))
    assert board.page.evaluate("document.documentElement.scrollWidth") <= 320
    boxes = [button.bounding_box() for button in board.page.locator(".bcb-square").all()]
    assert {(round(box["width"]), round(box["height"])) for box in boxes} == {(38, 38)}
    height = board.page.evaluate("document.documentElement.scrollHeight")
    board.drag("e2", "e5")
    board.page.wait_for_selector(".bcb-ghost", state="detached")
    assert board.page.evaluate("document.documentElement.scrollHeight") == height
    board.start(edit=True)
    assert board.page.evaluate("document.documentElement.scrollWidth") <= 320


def test_light_and_dark(open_page: Callable[..., Any], file: Path) -> None:
    colours = {}
    for scheme in ("light", "dark"):
        board = Played(open_page(file, ".bcb-square", scheme=scheme))
        for theme in ("", "light", "dark"):
            colours[scheme, theme] = board.page.evaluate(
                """(theme) => {
                  const { dataset } = document.getElementById("here");
                  if (theme) dataset.theme = theme; else delete dataset.theme;
                  return getComputedStyle(document.querySelector(".bcb-light")).backgroundColor;
                }""",
                theme,
            )
    assert colours["light", ""] == colours["light", "light"] == colours["dark", "light"]
    assert colours["dark", ""] == colours["dark", "dark"] == colours["light", "dark"]
    assert colours["light", ""] != colours["dark", ""]


KINDS = "must be line, other, played, best"
FIELDS = "must be fen, orientation, legal, last, check, arrows, edit"


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"fen": 5}, "fen must be a FEN, not 5"),
        ({"fen": "e4"}, 'fen must be a FEN, not "e4"'),
        ({"orientation": "up"}, 'orientation must be "white" or "black", not "up"'),
        ({"legal": None}, "legal must be an object of moves, not null"),
        ({"arrows": "e2e4"}, 'arrows must be an array, not "e2e4"'),
        ({"arrows": [{"move": "e2e4", "kind": "worst"}]}, f'arrows[].kind {KINDS}, not "worst"'),
        ({"moves": {}}, f'state {FIELDS}, not "moves"'),
    ],
)
def test_wrong_states_are_refused(board: Played, state: dict[str, Any], words: str) -> None:
    attempt = "(state) => { try { board.update(state); } catch (error) { return error.message; } }"
    assert board.page.evaluate(attempt, state) == words
    board.click("e2", "e4")
    assert board.moves == ["e2e4"], "the board stays as it was"


def drawn(board: Played) -> set[tuple[str, str]]:
    """The shapes that a person sees: the squares and the colour of each."""
    shapes = board.page.locator(".bcb-arrows > [class*=drawn]").all()
    classes = ((one.get_attribute("data-move"), one.get_attribute("class")) for one in shapes)
    return {(move, name.rpartition("-")[2]) for move, name in classes}


def draw(board: Played, start: str, end: str, *keys: str) -> None:
    """Draw with the right button, while keys are held."""
    mouse = board.page.mouse
    for key in keys:
        board.page.keyboard.down(key)
    mouse.move(*board.middle(start))
    mouse.down(button="right")
    mouse.move(*board.middle(end), steps=3)
    mouse.up(button="right")
    for key in keys:
        board.page.keyboard.up(key)


def test_arrows_and_circles_are_drawn(board: Played) -> None:
    draw(board, "e2", "e4")
    draw(board, "g1", "f3", "Shift")
    draw(board, "d5", "d5", "Alt")
    draw(board, "a1", "a8", "Shift", "Alt")
    shapes = {("e2e4", "green"), ("g1f3", "red"), ("d5d5", "blue"), ("a1a8", "yellow")}
    assert (drawn(board), board.count("circle.bcb-circle")) == (shapes, 1)
    assert "d5, drawn blue" in board.page.locator(".bcb-hidden").first.inner_text()
    draw(board, "e2", "e4")
    draw(board, "d5", "d5")
    assert drawn(board) == {*shapes - {("e2e4", "green"), ("d5d5", "blue")}, ("d5d5", "green")}
    assert board.moves == []
    board.click("e2")
    assert drawn(board) == set()
    board.click("e4")
    assert board.moves == ["e2e4"]
    draw(board, "e7", "e5")
    board.page.evaluate("answer('e7e5')")
    assert drawn(board) == set(), "they belong to a position"
