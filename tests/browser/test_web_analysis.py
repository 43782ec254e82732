"""Analyse as a person uses it in a real browser: keys, variations, lines, what is drawn."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from browser.rooms import move, press, square

pytest.importorskip("uvicorn", reason="uvicorn is not installed")

from betacut.web.files import HOME

ITALIAN = "/analyse?moves=e2e4_e7e5_g1f3_b8c6_f1c4"


def is_at(page: Any, san: str) -> None:  # noqa: ANN401
    """Wait until a move is the current one; nothing for the beginning."""
    if san:
        page.wait_for_selector(f'.bw-moves [aria-current]:has-text("{san}")')
    else:
        page.wait_for_selector(".bw-moves [aria-current]", state="detached")


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
    press("F")  # f begins a move on the board
    page.wait_for_url("**flip=1**")
    assert square(page, "a8").bounding_box()["y"] > top
    page.get_by_role("button", name="Keys and mouse").focus()
    press("f")
    page.wait_for_url(lambda url: "flip" not in url)


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
    square(page, "g8").click()
    for key in "Nf6":
        page.keyboard.press(key)
    is_at(page, "Nf6")
    assert "flip" not in page.url
    square(page, "h4").click()
    page.keyboard.press("ArrowLeft")
    is_at(page, "Bc4")
    square(page, "f7").click()
    for key in "f6":
        page.keyboard.press(key)
    is_at(page, "f6")
    assert "flip" not in page.url
    page.keyboard.press("ArrowLeft")
    is_at(page, "Bc4")
    page.get_by_role("button", name="e5", exact=True).press("Enter")
    is_at(page, "e5")
    assert page.evaluate("document.activeElement.innerText") == "e5", "the focus stays"
    page.get_by_role("button", name="Bc4", exact=True).press("Enter")
    is_at(page, "Bc4")
    page.get_by_role("button", name="Keys and mouse").focus()
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    assert "one move back" in page.inner_text("dialog[open]")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
    is_at(page, "Bc4")


def moves_of(page: Any) -> str:  # noqa: ANN401
    """The moves as they are read."""
    return " ".join(str(page.inner_text(".bw-moves")).split())


def test_variations(visit: Callable[..., Any]) -> None:
    page = visit(ITALIAN)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    is_at(page, "e4")
    for start, end, san in (("c7", "c5", "c5"), ("g1", "f3", "Nf3"), ("d7", "d6", "d6")):
        move(page, start, end)
        is_at(page, san)
    page.keyboard.press("ArrowLeft")
    is_at(page, "Nf3")
    move(page, "b8", "c6")
    is_at(page, "Nc6")
    words = "1. e4 e5 variation: 1… c5 2. Nf3 d6 ( 2… Nc6 ) 2. Nf3 Nc6 3. Bc4"
    assert moves_of(page) == words
    page.reload()
    is_at(page, "Nc6")
    assert moves_of(page) == words
    promote, delete = (page.get_by_role("button", name=name) for name in ("Promote", "Delete from"))
    promote.click()
    page.wait_for_selector('.bw-variation:has-text("2… d6")')
    promote.click()
    page.wait_for_url("**moves=e2e4_c7c5_(e7e5**")
    assert promote.is_disabled()
    page.get_by_text("PGN and FEN").click()
    page.get_by_role("button", name="Show PGN").click()
    page.wait_for_function("() => document.querySelector('textarea').value.includes('( 1... e5')")
    page.locator(".bw-variation .bw-move", has_text="e5").click()
    is_at(page, "e5")
    delete.click()
    is_at(page, "e4")
    assert moves_of(page) == "1. e4 c5 2. Nf3 Nc6 variation: 2… d6"


def test_the_engine_goes_along_until_it_is_switched_off(visit: Callable[..., Any]) -> None:
    page = visit(ITALIAN)
    engine = page.get_by_role("button", name="Analyse")
    bar = page.get_by_role("meter", name="White's expected score")
    assert bar.get_attribute("aria-valuetext") == "not known yet"
    engine.click()
    page.wait_for_selector(".bw-values .bw-line .bw-move")
    value, words = page.evaluate(  # at one moment: both go along with the engine
        """() => [".bw-value", "[role=meter]"].map((place) => document.querySelector(place))
            .map((found) => found.getAttribute("aria-valuetext") ?? found.innerText)"""
    )
    assert re.fullmatch(r"[+−]\d+\.\d\d", value)
    assert value in words
    assert engine.get_attribute("aria-pressed") == "true"
    page.wait_for_selector('.bw-values th:has-text("depth ")')
    page.keyboard.press("ArrowLeft")
    is_at(page, "Nc6")
    page.wait_for_selector(".bw-values .bw-line .bw-number:has-text('3.')")
    page.wait_for_selector(".bw-depths tbody tr:nth-child(3)")
    engine.click()
    page.wait_for_selector('[aria-pressed="false"]:has-text("Analyse")')
    found = page.inner_text(".bw-values")
    page.wait_for_timeout(300)
    assert page.inner_text(".bw-values") == found, "what was found stays"


def test_the_moves_of_a_line_are_pointed_at_and_played(visit: Callable[..., Any]) -> None:
    page = visit(ITALIAN + "&ply=4", width=1280)
    page.get_by_role("button", name="Analyse").click()
    line = page.locator(".bw-values tbody tr").first.locator(".bw-move")
    page.wait_for_selector(".bw-depths tbody tr:nth-child(9)")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector('[aria-pressed="false"]:has-text("Analyse")')
    assert line.count() > 4
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".bw-line, .bw-line .bw-move, .bw-depths td")]
          .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""
    )
    assert cut == []
    men = "() => [...document.querySelectorAll('.bcb-square')].map((s) => s.ariaLabel).join()"
    before = page.evaluate(men)
    line.nth(2).hover()
    page.wait_for_function(f"men => ({men})() !== men", arg=before)
    is_at(page, "Nc6")
    page.mouse.move(2, 2)
    page.wait_for_function(f"men => ({men})() === men", arg=before)
    line.nth(1).focus()
    page.wait_for_function(f"men => ({men})() !== men", arg=before)
    sans = line.all_inner_texts()[:3]
    line.nth(2).click()
    is_at(page, sans[2])
    assert moves_of(page).endswith(" ".join(["3.", *sans[:2], "4.", sans[2]])) or (
        sans[0] != "Bc4" and page.locator(".bw-variation .bw-move").all_inner_texts() == sans
    )


def test_a_game_and_its_position_go_from_room_to_room(visit: Callable[..., Any]) -> None:
    page = visit("/watch?white=random&black=negamax&moves=e2e4_e7e5_g1f3")
    page.keyboard.press("ArrowLeft")
    is_at(page, "e5")
    page.get_by_role("link", name="Analyse this game").click()
    page.wait_for_selector('.bw-title:text-is("random - negamax")')
    assert page.url.endswith("/analyse?moves=e2e4_e7e5_g1f3&white=random&black=negamax&ply=2")
    is_at(page, "e5")
    page.get_by_role("link", name="Look inside this position").click()
    page.wait_for_selector(".bc-row")
    assert "/inside?fen=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR+w" in page.url
    assert re.search(r"[+−]\d\.\d\d", page.inner_text(".bc-facts")), "pawns, as everywhere"
    page.locator("[role=tree]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**at=**")
    first = page.locator(".bc-current .bc-move").inner_text()
    page.get_by_role("link", name="Analyse the position in the tree").click()
    page.wait_for_selector(f'.bw-moves .bw-move:has-text("{first.split()[-1]}")')
    page.go_back()
    page.wait_for_selector(".bc-row")
    page.go_back()
    is_at(page, "e5")
    page.get_by_role("link", name="Play from here").click()
    page.wait_for_selector('.bw-status:has-text("Your move.")')
    move(page, "g1", "f3")
    page.wait_for_selector('.bw-moves .bw-move:has-text("Nf3")')
    answer = page.locator(".bw-moves .bw-move").nth(1).inner_text()
    page.get_by_role("link", name="Analyse this game").click()
    page.wait_for_selector('.bw-title:has-text("You - engine")')
    is_at(page, answer)
    page.keyboard.press("ArrowLeft")
    is_at(page, "Nf3")


def test_a_blunder_has_its_reason(visit: Callable[..., Any]) -> None:
    page = visit("/analyse?moves=e2e4_e7e5_g1f3_f7f6_f3e5")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".bw-values .bw-line .bw-move")
    move(page, "g7", "g5")
    page.wait_for_selector(".bw-moves .bw-blunder")
    said = page.inner_text(".bw-remark")
    assert said.startswith("3... g5 ")
    assert said.endswith("g5 loses the exchange: 4. Qh5+ Ke7 5. Ng6+ hxg6 6. Qxh8.")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".bw-remark:not(:has-text('3... g5'))", state="attached")


def test_a_line_of_chess960_is_shown(visit: Callable[..., Any]) -> None:
    page = visit("/analyse")
    fen = page.evaluate(
        """async (script) => {
          const { afterMoves } = await import(script);
          const fen = "1r2k2r/8/8/8/8/8/8/1R2K1R1 w GBhb - 0 1";
          return afterMoves({ fen }, ["e1g1", "e8b8"]).fen;
        }""",
        f"{HOME}/web/page/lines.js",
    )
    assert fen.startswith("2kr3r/8/8/8/8/8/8/1R3RK1 w")


HELD_ANSWERS = """
  window.held = null; // a list: answers wait in it
  const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
  const later = (receive) => (event) => held ? held.push(() => receive(event)) : receive(event);
  Object.defineProperty(WebSocket.prototype, "onmessage", {
    set(receive) { set.call(this, later(receive)); }
  });
  window.lost = false; // whether edits get lost on their way
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    if (!lost || !text.includes('"edit"')) send.call(this, text);
  };
"""


def test_a_position_is_set_up_before_the_answers_come(page: Any, server: str) -> None:  # noqa: ANN401
    page.add_init_script(HELD_ANSWERS)
    page.goto(f"{server}/analyse")
    page.get_by_role("button", name="Set up a position").click()
    page.wait_for_selector(".bw-editor")
    page.evaluate("() => { held = []; }")
    page.get_by_role("button", name="Empty board").click()
    for name, place in (("White king", "e1"), ("Black king", "e8"), ("White rook", "a1")):
        page.locator(".bcb").get_by_role("button", name=re.compile(f"^{name}", re.I)).first.click()
        square(page, place).click()
    page.wait_for_function("() => held.length === 4")
    shown = "() => document.querySelectorAll('.bcb-square > :first-child').length"
    for wrong in ("WHITE_KING", "BLACK_KING", "", ""):
        page.evaluate("() => held.shift()()")
        assert wrong in page.locator(".bw-wrong").inner_text()
        assert page.evaluate(shown) == 3
    page.evaluate("() => { held = null; lost = true; }")
    page.locator(".bcb").get_by_role("button", name=re.compile("^White pawn", re.I)).first.click()
    square(page, "a2").click()
    page.evaluate("() => { lost = false; }")
    page.get_by_role("button", name="Take this position").click()
    page.wait_for_selector(".bw-editor", state="hidden")
    assert "fen=4k3/8/8/8/8/8/P7/R3K3" in page.url


def test_another_game_is_not_set_up_where_the_last_one_was(visit: Callable[..., Any]) -> None:
    page = visit("/analyse")
    press(page, "Set up a position", "Empty board")
    page.wait_for_selector('.bw-wrong:has-text("EMPTY")')
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_selector(".bcb-tray", state="hidden")  # the page writes its address no more
    assert page.evaluate("document.activeElement.textContent") == "Set up a position"
    page.evaluate("history.pushState(null, '', '/analyse?moves=e2e4')")
    page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    page.locator(".bw-moves .bw-move").first.wait_for(state="attached")
    page.get_by_role("button", name="Set up a position").click()
    page.wait_for_selector(".bcb-tray:visible")
    assert page.locator(".bcb-square > :first-child").count() == 32
