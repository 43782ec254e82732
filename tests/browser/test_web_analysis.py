"""Analyse as a person uses it in a real browser: keys, variations, lines, what is drawn."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support.web_server import running

pytest.importorskip("uvicorn", reason="uvicorn is not installed")

ITALIAN = "/analyse?moves=e2e4_e7e5_g1f3_b8c6_f1c4"


@pytest.fixture(scope="module")
def server(browser: Any) -> Iterator[str]:  # noqa: ANN401 - playwright's; no browser, no server
    """The address of a server."""
    with running("--max-seconds", "5") as address:
        yield address


@pytest.fixture
def visit(open_page: Callable[..., Any], server: str) -> Callable[..., Any]:
    """Open an address of the server."""
    return lambda address, ready=".bcb-square", **size: open_page(server + address, ready, **size)


def is_at(page: Any, san: str) -> None:  # noqa: ANN401
    """Wait until a move is the current one; nothing for the beginning."""
    if san:
        page.wait_for_selector(f'.bw-moves [aria-current]:has-text("{san}")')
    else:
        page.wait_for_selector(".bw-moves [aria-current]", state="detached")


def square(page: Any, name: str) -> Any:  # noqa: ANN401
    return page.locator(f'.bcb-square[data-square="{name}"]')


def test_keys_and_wheel_go_through_the_moves(visit: Callable[..., Any]) -> None:
    page = visit(ITALIAN)
    press = page.keyboard.press
    is_at(page, "Bc4")
    for keys, san in (("ArrowLeft", "Nc6"), ("ArrowUp", ""), ("ArrowRight", "e4")):
        press(keys)
        is_at(page, san)
    for _ in range(3):
        press("ArrowRight")
    is_at(page, "Nc6")
    square(page, "g8").click()
    press("ArrowDown")
    is_at(page, "Bc4")
    page.mouse.wheel(0, -100)
    is_at(page, "Nc6")
    page.mouse.wheel(0, 100)
    is_at(page, "Bc4")
    top = square(page, "a8").bounding_box()["y"]
    press("f")
    page.wait_for_url("**flip=1**")
    assert square(page, "a8").bounding_box()["y"] > top


def test_keys_are_left_to_fields_and_to_the_board(visit: Callable[..., Any]) -> None:
    page = visit(ITALIAN)
    page.get_by_text("PGN and FEN").click()
    field = page.get_by_label("Game or position")
    field.fill("ab")
    for key in ("ArrowLeft", "f", "?", "ArrowUp"):
        field.press(key)
    assert field.input_value() == "af?b"
    page.keyboard.press("Escape")
    page.locator('.bcb-square[tabindex="0"]').focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    before = page.evaluate("document.activeElement.dataset.square")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.square") != before
    is_at(page, "Bc4")
    page.get_by_role("button", name="Keys and mouse").focus()
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    assert "one move back" in page.inner_text("dialog[open]")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
    is_at(page, "Bc4")
