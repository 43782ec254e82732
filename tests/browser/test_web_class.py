"""A class in a real browser: the lecturer's projector, and two phones that follow and vote."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import Watched
from browser.rooms import line, move
from support.commands import start_python
from support.web_server import ended, environment

pytest.importorskip("uvicorn", reason="uvicorn is not installed")

CODE = """
from betacut import cli
from betacut.web import hand_ins

vars(hand_ins).update(SECONDS=1, LIMIT=20, MOST_SECONDS=120, NICE=0)
cli.main()
"""
"""Runs the command; what is handed in is asked for fewer seconds, and explained for more."""

SEARCHES = Path(__file__).parents[1] / "lab" / "student_searches"


@pytest.fixture(scope="module")
def links(browser: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - playwright's
    """The addresses of a class and of its lecturer."""
    options = ["--class", "--hand-in", "--host=127.0.0.1", "--port=0"]
    process = start_python("-c", CODE, "web", *options, env=environment())
    assert process.stdout is not None
    process.stdout.readline()
    line = process.stdout.readline()
    found = re.search(r"comes to (\S+/class), the lecturer to (\S+/class\?lead=\S+)", line)
    assert found, line
    yield found[1], found[2]
    assert ended(process) == (0, "")


def says(page: Any, words: str) -> None:  # noqa: ANN401
    page.wait_for_selector(f'main:has-text("{words}")')


@pytest.fixture
def pages(browser: Any, links: tuple[str, str]) -> Iterator[list[Any]]:  # noqa: ANN401
    """The lecturer's page and two phones, which are quiet."""
    phone = {"viewport": {"width": 320, "height": 640}, "has_touch": True}
    projector = {"viewport": {"width": 1280, "height": 900}}
    watched = [Watched(browser.new_context(**device)) for device in (projector, phone, phone)]
    for one in watched:
        one.page.complaints = one.complaints
    pages = [one.page for one in watched]
    students, lecturer = links
    pages[0].goto(lecturer)
    says(pages[0], "You lead")
    for page in pages[1:]:
        page.goto(students)
        says(page, "You follow")
    yield pages
    for page in pages:
        assert page.complaints == []
        page.context.close()


def forward(page: Any, steps: int) -> None:  # noqa: ANN401
    for _ in range(steps):
        page.get_by_role("button", name="One step forward").click()


def at_step(page: Any, step: int) -> None:  # noqa: ANN401
    try:
        page.wait_for_selector(f'.bc-counter:has-text("step {step} of")')
    except Exception as error:
        pages = [one for context in page.context.browser.contexts for one in context.pages]
        counters = [one.locator(".bc-counter").all_inner_texts() for one in pages]
        raise AssertionError(f"page {pages.index(page)} is not at {step}: {counters}") from error


def lose_one(page: Any) -> None:  # noqa: ANN401
    """Let the network lose the next tree: it is fetched again."""
    page.route("**/betacut/data/*", lambda route: route.abort(), times=1)


def nodes(page: Any, other_than: int = 0) -> int:  # noqa: ANN401
    """How many nodes the tree has, once they are not so many."""
    others = f':not(:has-text("· {other_than:,} nodes"))'
    about = page.wait_for_selector(f'.bc-header p:has-text("nodes"){others}')
    found = re.search(r"([\d,]+) nodes", about.inner_text())
    assert found
    return int(found[1].replace(",", ""))


def test_the_link_of_the_class_does_not_give_the_lecturer_away(
    pages: list[Any], links: tuple[str, str]
) -> None:
    lecturer = pages[0]
    lecturer.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    lecturer.get_by_text("Copy link").click()
    lecturer.wait_for_function("window.copied")
    assert lecturer.evaluate("window.copied").partition("?")[0] == links[0]
    assert "lead" not in lecturer.evaluate("window.copied")


def test_a_class_follows_and_votes(pages: list[Any], links: tuple[str, str]) -> None:
    lead, first, second = pages
    assert lead.inner_text(".bw-entry figcaption") == links[0]
    for page in (first, second):
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
    says(lead, "2 follow")
    move(lead, "e2", "e4")
    for page in (first, second):
        page.wait_for_selector('.bw-moves .bw-move:has-text("e4")')
        assert page.locator(".bcb-movable").count() == 0, "only the lecturer moves"
        assert page.get_by_role("button", name="Show the votes").count() == 0
    lead.get_by_role("button", name="Ask: which move?").click()
    for page, square in ((first, "e5"), (second, "c5")):
        says(page, "Make the move on the board.")
        move(page, square[0] + "7", square)
        says(page, f"Your answer: {square}.")
    says(lead, "2 of 2 answered")
    assert lead.locator(".bcb-arrow").count() == 0, "nothing is shown yet"
    move(second, "e7", "e5")
    says(second, "Your answer: e5.")
    lead.get_by_role("button", name="Show the votes").click()
    lead.wait_for_function("() => document.activeElement.textContent === 'End the vote'")
    for page in (lead, first, second):
        page.wait_for_selector(".bw-votes dd")
        assert page.inner_text(".bw-votes").split() == ["e5", "2"]
        assert page.locator(".bcb-arrow-best").count() == 1
    move(lead, "e7", "e5")
    first.wait_for_selector('.bw-moves .bw-move:has-text("e5")')
    lead.get_by_role("button", name="Ask: cut or not?").click()
    first.get_by_role("button", name="No cut").click()
    second.get_by_role("button", name="Cut", exact=True).click()
    says(lead, "2 of 2 answered")
    second.close()
    says(lead, "1 of 1 answered")
    lead.keyboard.press("ArrowLeft")
    says(first, "You follow")
    first.wait_for_selector('.bw-moves [aria-current]:has-text("e4")')


def test_a_lecture_about_a_tree(pages: list[Any]) -> None:
    lead, first, second = pages
    lose_one(second)
    lead.get_by_role("link", name="Look inside this position").click()
    lead.get_by_role("button", name="Show the class").click()
    for page in pages:
        says(page, "lecturer's tree" if page is not lead else "what you do on the tree")
        page.wait_for_selector(".bc-row")
        assert page.locator(".bcb-square").first.is_hidden()
        width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1]
    forward(lead, 3)
    for page in (first, second):
        at_step(page, 4)
        assert page.get_by_role("button", name="look deeper").count() == 0, "the lecturer does that"
    # One steps on alone, and comes back.
    forward(second, 2)
    says(second, "You step on your own.")
    forward(lead, 1)
    at_step(first, 5)
    at_step(second, 6)
    second.get_by_role("button", name="Follow the lecturer").click()
    at_step(second, 5)
    assert second.get_by_role("button", name="Follow the lecturer").is_hidden()
    # What is recorded deeper is deeper for all, and a place in the tree is the same for all, though
    # the lecturer's page, which steps on meanwhile, is the last to have it.
    lose_one(second)
    before, held = nodes(lead), list[Any]()
    lead.route("**/betacut/data/*", lambda route: held.append(route))
    lead.locator(".bc-list").focus()
    lead.keyboard.press("ArrowRight")
    lead.get_by_role("button", name="search again and look deeper").first.click()
    forward(lead, 2)
    more = nodes(first, other_than=before) - before
    at_step(lead, 7)
    for page in (first, second):
        at_step(page, 7 + more)
        assert line(page) == line(lead)
    held.pop().continue_()
    at_step(lead, 7 + more)
    assert len({page.inner_text(".bc-header p") for page in pages}) == 1
    forward(lead, 2)
    for page in (first, second):
        at_step(page, 9 + more)
        assert line(page) == line(lead)
    # While something is asked, the tree says what the search knows there, and no more.
    lead.get_by_role("button", name="Ask: cut or not?").click()
    for page in pages:
        page.wait_for_selector(".bc-veiled")
        assert page.locator(".bc-icicle").is_hidden()
        assert page.locator(".bc-row.bc-unknown .bc-value").first.is_hidden()
        known = page.locator(".bc-row:not(.bc-unknown):not(.bc-later):not(.bc-ghost) .bc-value")
        assert known.first.is_visible()
    forward(second, 3)
    at_step(second, 9 + more)
    first.get_by_role("button", name="No cut").click()
    second.get_by_role("button", name="Cut", exact=True).click()
    says(lead, "2 of 2 answered")
    lead.get_by_role("button", name="Show the votes").click()
    for page in pages:
        page.wait_for_selector(".bw-votes dd")
        page.wait_for_selector(".bc:not(.bc-veiled) .bc-icicle")
    # What is asked at once after a step is asked about where that leads to.
    forward(lead, 1)
    lead.get_by_role("button", name="Ask: which move?").click()
    at_step(first, 10 + more)
    first.wait_for_selector(".bw-votes:empty", state="attached")
    first.wait_for_timeout(400)
    assert "Make the move on the board." in first.inner_text("main")
    assert first.locator(".bcb-square").first.is_visible()
    lead.get_by_role("button", name="Back to the board").click()
    says(first, "You follow the lecturer's board.")
    assert second.inner_text(".bw-notice") == ""
    assert [text for text in second.complaints if "ERR_FAILED" in text] == second.complaints
    assert len(second.complaints) == 2
    second.complaints.clear()


def test_a_node_is_opened_again_after_too_much_was_asked(pages: list[Any]) -> None:
    lead, *_ = pages
    lead.get_by_role("link", name="Look inside this position").click()
    lead.get_by_role("button", name="Show the class").click()
    says(lead, "what you do on the tree")
    forward(lead, 4)
    lead.locator(".bc-list").focus()
    lead.keyboard.press("ArrowRight")
    deeper = lead.get_by_role("button", name="search again and look deeper").first
    before = nodes(lead)
    flip = lead.get_by_role("button", name="Flip", include_hidden=True)
    too_much = "(flip, deeper) => { for (let i = 0; i < 300; i++) flip.click(); deeper.click(); }"
    flip.evaluate(too_much, deeper.element_handle())
    lead.wait_for_selector('.bc-status:has-text("too much at once")')
    deeper.click()
    nodes(lead, other_than=before)
    lead.get_by_role("button", name="Back to the board").click()
    says(lead, "You lead: what you do on the board")


def test_searches_are_handed_in(pages: list[Any], tmp_path: Path) -> None:
    lead, first, second = pages
    says(lead, "What the class hands in will be here.")
    right = SEARCHES.joinpath("negamax.py").read_text("utf-8")
    wrong = tmp_path / "mine.py"
    wrong.write_text(
        "# " + "я" * 30_000 + "\n" + right.replace("if board.turn == chess.WHITE else -score", ""),
        "utf-8",
    )
    second.get_by_label("Name").fill("Blaise")
    latin = {"name": "a.py", "mimeType": "text/x-python", "buffer": "# café".encode("latin-1")}
    second.locator("input[type=file]").last.set_input_files(latin)
    second.wait_for_selector('.bw-notice:has-text("a.py is not written in UTF-8")')
    second.locator("input[type=file]").last.set_input_files(wrong)
    second.wait_for_selector(".bw-hand-in textarea:not(:placeholder-shown)")
    text = second.locator(".bw-hand-in textarea").input_value()
    assert text == wrong.read_text("utf-8"), "the whole file, by characters"
    second.get_by_role("button", name="Hand in", exact=True).dblclick()
    says(second, "It is being checked")
    lead.wait_for_selector('.bw-checking th[title="Blaise"]')
    first.locator(".bw-hand-in textarea").fill(right)
    first.get_by_role("button", name="Hand in", exact=True).click()
    lead.wait_for_selector('.bw-failed th[title="Blaise"]')  # not twice
    says(second, "Not yet.")
    cause = lead.inner_text(".bw-failed .bw-cause")
    assert cause, "in a line why not"
    assert cause in second.inner_text(".bw-hand-in .bw-status")
    assert first.get_by_text("Blaise").count() == 0, "the board is the lecturer's"
    lead.wait_for_selector('.bw-passed:has-text("no name"):has-text("passed")')
    assert lead.inner_text(".bw-count") == "1 of 2"
    says(first, "Passed.")
    second.get_by_role("button", name="Show where it goes wrong").click()
    second.wait_for_selector(".bw-hand-in .bc + .bc .bc-row")
    names = second.locator(".bw-hand-in .bc-header h1").all_inner_texts()
    assert names == ["your search", "minimax_no_memo"]
    values = second.locator(".bw-hand-in .bc-facts dd:nth-of-type(1)").all_inner_texts()
    assert values[0] != values[1], "both stop where the values differ"
    assert second.evaluate("document.documentElement.scrollWidth") <= 320
    second.reload()
    says(second, "Not yet.")
    lead.get_by_role("button", name="Clear").click()
    says(lead, "What the class hands in will be here.")
