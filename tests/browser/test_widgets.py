"""The widgets in a browser, with the Python side in this process in place of a kernel."""

import base64
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from betacut import engine
from betacut.results.tree import Tree
from browser.conftest import Watched
from browser.rooms import move, press
from support.commands import wait_for

POSITION = "7k/P7/8/8/8/8/8/K7 w - - 0 1"

MODEL = """{
const listeners = {}, values = {};
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const decoded = (text) => new DataView(bytes(text).buffer);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const tell = (name, ...more) => (listeners[name] ?? []).forEach((listener) => listener(...more));
const take = ({ state, messages }) => {
  const changed = Object.entries(state).filter(([name, value]) => !same(values[name], value));
  for (const [name, value] of changed) values[name] = name === "payload" ? decoded(value) : value;
  for (const [name] of changed) tell(`change:${name}`);
  for (const { content, buffers } of messages) tell("msg:custom", content, buffers.map(decoded));
};
const model = {
  get: (name) => values[name],
  set: (name, value) => { values[name] = value; tell(`change:${name}`); },
  save_changes: async () => {
    const { payload, data, ...state } = values;
    take(await python({ type: "state", state }));
  },
  send: async (content) => take(await python({ type: "message", content })),
  on: (name, listener) => (listeners[name] ??= []).push(listener),
  off: (name, listener) => { listeners[name] = listeners[name].filter((one) => one !== listener); },
};
window.refresh = async () => take(await python({ type: "look" }));
const el = document.getElementById("here");
window.refresh().then(() => { window.end = render({ model, el }); });
}"""
"""A model such as notebooks have: traits that both sides set, and messages."""


class Kernel:
    """The Python side of a widget: it takes what the page says, and tells what has changed."""

    def __init__(self, widget: Any) -> None:  # noqa: ANN401 - any of them
        self.widget = widget
        self.messages: list[dict[str, Any]] = []
        widget.send = self._send

    def _send(self, content: object, buffers: list[bytes] | None = None) -> None:
        encoded = [base64.b64encode(part).decode() for part in buffers or []]
        self.messages.append({"content": content, "buffers": encoded})

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Do what the page asks for; return the state and the messages."""
        if asked["type"] == "state":
            for name, value in asked["state"].items():
                if name in ("line", "position", "selected"):
                    setattr(self.widget, name, value)
        elif asked["type"] == "message":
            content = asked["content"]
            if content["type"] == "deeper":  # in no thread: the answer is to come now
                self.widget._answer(content["line"], content["id"])
            else:
                self.widget._hear(self.widget, content, [])
        if hasattr(self.widget, "wait"):
            assert self.widget.wait(60)
        known = self.widget.get_state().items()
        state = {name: value for name, value in known if not name.startswith("_")}
        if "payload" in state:
            state["payload"] = base64.b64encode(state["payload"]).decode()
        messages, self.messages = self.messages, []
        return {"state": state, "messages": messages}


@pytest.fixture
def show(open_page: Callable[..., Any], watched: Watched, tmp_path: Path) -> Iterator[Any]:
    """Show a widget; at the end it is taken away."""

    def open_widget(widget: Any, **options: Any) -> Any:  # noqa: ANN401
        watched.page.evaluate("window.end?.()")
        watched.python = Kernel(widget).answer
        file = tmp_path / "widget.html"
        file.write_text(
            f"""<!doctype html><meta charset="utf-8"><title>A widget</title>
<style>{widget._css}</style><body><div id="here"></div>
<script type="module">{widget._esm}
{MODEL}</script>""",
            encoding="utf-8",
        )
        page = open_page(file, "#here", **options)
        page.wait_for_function("window.end !== undefined")
        return page

    yield open_widget
    watched.page.evaluate("window.end()")


def until(page: Any, condition: Callable[[], object]) -> None:  # noqa: ANN401
    """Wait until Python has heard something of the page, which speaks when it is asked."""
    wait_for(lambda: page.title() and condition(), "news from the page")


def rows(page: Any) -> list[str]:  # noqa: ANN401
    found = page.locator(".bc-row[data-node]").evaluate_all(
        "rows => rows.map((row) => row.getAttribute('aria-label'))"
    )
    return [str(row) for row in found]


def open_all(page: Any) -> None:  # noqa: ANN401
    page.evaluate(
        """() => {
          const closed = () => document.querySelector(".bc-row .bc-closed");
          for (let twisty = closed(); twisty; twisty = closed()) twisty.click();
        }"""
    )


def test_a_board(show: Callable[..., Any]) -> None:
    widget = engine.widget(POSITION, depth=3)
    page = show(widget)
    caption = "White to move. Best at depth 3, captures played out: a8=Q+"
    page.locator(".bcb-caption", has_text=caption).wait_for()
    assert page.locator(".bcb-arrow-best").get_attribute("data-move") == "a7a8q"
    move(page, "a7", "a8")
    page.get_by_role("button", name="queen").click()
    page.locator(".bcb-moves", has_text="1. a8=Q+").wait_for()
    assert widget.board.peek().uci() == "a7a8q"
    page.get_by_role("button", name="Take back").click()
    page.locator("[data-square=a7][aria-label='a7, white pawn']").wait_for()
    page.get_by_role("button", name="Hide arrows").click()
    page.get_by_role("button", name="Show arrows").wait_for()
    assert page.locator(".bcb-arrow").count() == 0
    press(page, "Set up", "black queen")
    page.locator("[data-square=d5]").click()
    press(page, "Done")
    until(page, lambda: widget.board.fen().startswith("7k/P7/8/3q4/8/8/8/K7 w"))
    page.locator(".bcb-caption", has_text="White to move.").wait_for()


def test_both_sides_move(show: Callable[..., Any]) -> None:
    widget = engine.widget(depth=None)
    page = show(widget)
    move(page, "e2", "e4")
    page.locator("[data-square=e7].bcb-movable").click()
    assert widget.moves == "1. e4"
    page.locator("[data-square=e5]").click()
    page.locator("[data-square=d2].bcb-movable").wait_for()
    assert widget.moves == "1. e4 e5"


@pytest.mark.parametrize("ground", ["#111111", "rgb(20 20 60 / 90%)", "oklch(20% 0.02 200)"])
def test_the_theme_is_that_of_the_ground(show: Callable[..., Any], ground: str) -> None:
    page = show(engine.widget(depth=None))
    page.wait_for_selector(".bcb-widget[data-theme=light]")
    page.evaluate("(ground) => { document.body.style.background = ground; }", ground)
    page.wait_for_selector(".bcb-widget[data-theme=dark]")
    page.evaluate("document.body.style.background = 'white'")
    page.wait_for_selector(".bcb-widget[data-theme=light]")


def test_python_sets_a_board(show: Callable[..., Any]) -> None:
    widget = engine.widget(depth=None)
    page = show(widget)
    widget.play("e4")
    widget.flip()
    page.evaluate("window.refresh()")
    page.locator("[data-square=e4][aria-label='e4, white pawn']").wait_for()
    assert page.locator(".bcb-square").first.get_attribute("data-square") == "h1"


def test_a_tree_is_opened_to_its_leaves(show: Callable[..., Any]) -> None:
    """Whatever is recorded where one clicks is what would have been recorded at once."""
    pawns = "7k/7p/8/8/8/8/7P/K7 w - - 0 1"  # few nodes have children: the page is quick
    page = show(engine.tree(pawns, 3, max_ply=1).widget(), height=4000)
    page.evaluate("document.querySelector('.bc').style.setProperty('--bc-height', '3900px')")
    open_all(page)
    while page.locator("button.bc-scissors").count():
        page.locator("button.bc-scissors").first.evaluate("button => button.click()")
        page.wait_for_function("document.querySelector('.bc-status').textContent === ''")
        open_all(page)
    assert "110 nodes" in page.locator(".bc-header p").inner_text()
    assert "of" not in page.locator(".bc-header p").inner_text().split()
    found = rows(page)
    assert len(found) > 100
    show(engine.tree(pawns, 3).widget(), height=4000)
    page.evaluate("document.querySelector('.bc').style.setProperty('--bc-height', '3900px')")
    open_all(page)
    assert found == rows(page)
    assert "button" not in page.locator(".bc-ghost").first.inner_html()


def test_where_one_is_reaches_python(show: Callable[..., Any]) -> None:
    widget = engine.tree(POSITION, 3).widget()
    page = show(widget)
    page.locator(".bc-row", has_text="a8=R+").locator(".bc-move").click()
    until(page, lambda: widget.line == ["a7a8r"])
    assert widget.node.san == "a8=R+"
    widget.line = ["a7a8q", "h8g7"]
    page.evaluate("window.refresh()")
    page.locator(".bc-line [aria-current]", has_text="Kg7").wait_for()


def test_the_keyboard_looks_deeper(show: Callable[..., Any]) -> None:
    page = show(engine.tree(POSITION, 3, max_ply=1).widget())
    page.locator(".bc-row", has_text="a8=R+").locator(".bc-move").click()
    page.locator("[role=tree]").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.locator(".bc-row[aria-level='3']").first.wait_for()


def test_a_search_that_varies(show: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    tree = engine.tree(POSITION, 3, max_ply=1)
    monkeypatch.setattr(tree, "again", engine.tree(POSITION, 4, max_ply=1).again)
    page = show(tree.widget())
    for words in ("Kb1", "a8=Q+"):
        page.locator(".bc-row", has_text=words).locator(".bc-twisty").click()
        page.locator("button.bc-scissors").first.click()
        page.locator(".bc-status", has_text="the search went another way this time").wait_for()
    assert page.locator(".bc-row[aria-level='3'][data-node]").count() == 0

    def fails(line: object) -> Tree:
        raise ValueError("there is no memory left")

    monkeypatch.setattr(tree, "again", fails)
    page = show(tree.widget())
    page.locator(".bc-row", has_text="Kb1").locator(".bc-twisty").click()
    page.locator("button.bc-scissors").first.click()
    page.locator(".bc-status", has_text="there is no memory left").wait_for()


def test_a_comparison(show: Callable[..., Any]) -> None:
    algorithms = ["minimax_no_memo", "alpha_beta_pruning_no_memo", "negascout"]
    comparison = engine.compare([POSITION, "P5"], [1, 2, 3], algorithms=algorithms)
    widget = comparison.widget()
    page = show(widget)
    body = page.locator(".bcc-table tbody tr")
    assert (body.count(), page.locator(".bcc-plot polyline").count()) == (9, 3)
    assert {"nodes", "depth"} <= {*page.locator(".bcc-plot text").all_text_contents()}
    column = [one["name"] for one in widget.data["columns"]].index("nodes")

    def counts() -> list[int]:
        cells = body.evaluate_all(f"rows => rows.map((row) => row.cells[{column}].innerText)")
        return [int(cell.replace(",", "")) for cell in cells]

    assert counts() != sorted(counts())
    heading = page.get_by_role("button", name="nodes", exact=True)
    heading.click()
    assert counts() == sorted(counts())
    heading.press("Enter")
    assert counts() == sorted(counts(), reverse=True)
    growth = [one["name"] for one in widget.data["columns"]].index("growth")
    for _ in range(2):  # up, then down
        page.keyboard.press("Tab")
        page.get_by_role("button", name="growth", exact=True).press("Enter")
        cells = body.evaluate_all(f"rows => rows.map((row) => row.cells[{growth}].innerText)")
        assert cells[-3:] == [""] * 3
        assert "" not in cells[:-3]
    heading.click()
    heading.click()
    body.nth(0).click()
    until(page, lambda: widget.row and widget.row.nodes == counts()[0])
    assert page.locator(".bcc-plot polyline.bcc-strong").count() == 1
    page.keyboard.press("Tab")
    body.nth(0).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    until(page, lambda: widget.row and widget.row.nodes == counts()[1])
    page.get_by_label("Position").select_option("P5")
    until(page, lambda: widget.position == 1)
    assert set(counts()) == {row.nodes for row in comparison.filter(position="P5")}
    ends = page.locator(".bcc-name").evaluate_all(
        "names => names.map((name) => name.getBoundingClientRect().right)"
    )
    box = page.locator(".bcc-plot").bounding_box()
    assert max(ends) <= box["x"] + box["width"], "the names of the lines are in the picture"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone(show: Callable[..., Any], scheme: str) -> None:
    comparison = engine.compare(POSITION, [1, 2])
    for widget in (engine.widget(), engine.tree(POSITION, 2).widget(), comparison.widget()):
        page = show(widget, width=320, height=700, scheme=scheme)
        page.wait_for_selector(".bcb-square, .bc-row, .bcc-table")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, widget
