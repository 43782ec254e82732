"""A class in a real browser: the lecturer, and two phones that follow and vote."""

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from support.web_server import ended, environment

pytest.importorskip("uvicorn", reason="uvicorn is not installed")


@pytest.fixture(scope="module")
def links(browser: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - playwright's
    """The addresses of a class and of its lecturer."""
    command = [sys.executable, "-m", "betacut", "web", "--class", "--host", "127.0.0.1"]
    process = subprocess.Popen(
        [*command, "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stdout is not None
    process.stdout.readline()
    line = process.stdout.readline()
    found = re.search(r"comes to (\S+/class), the lecturer to (\S+/class\?lead=\S+)", line)
    assert found, line
    yield found[1], found[2]
    assert ended(process) == (0, "")


def says(page: Any, words: str) -> None:  # noqa: ANN401
    page.wait_for_selector(f'main:has-text("{words}")')


def move(page: Any, start: str, end: str) -> None:  # noqa: ANN401
    for name in (start, end):
        page.locator(f'.bcb-square[data-square="{name}"]').click()


def test_a_class_follows_and_votes(browser: Any, links: tuple[str, str]) -> None:  # noqa: ANN401
    everybody, lecturer = links
    phone = {"viewport": {"width": 320, "height": 640}, "has_touch": True}
    contexts = [browser.new_context(viewport={"width": 1280, "height": 900})]
    contexts += [browser.new_context(**phone) for _ in range(2)]
    lead, first, second = (context.new_page() for context in contexts)
    complaints: list[str] = []
    for page in (lead, first, second):
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
    lead.goto(lecturer)
    says(lead, "You lead")
    assert lead.inner_text(".bw-entry figcaption") == everybody
    for page in (first, second):
        page.goto(everybody)
        says(page, "You follow")
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
    assert complaints == []
    for context in contexts:
        context.close()
