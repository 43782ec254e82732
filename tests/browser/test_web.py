"""The page as a person uses it: in a real browser, from the start of the server to its end."""

import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from browser.rooms import line, move, press, square
from support.web_server import ended, running, started

pytest.importorskip("uvicorn", reason="uvicorn is not installed")

BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
YOUR_MOVE = '.bw-status:has-text("Your move.")'
FEW_MEN = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
BACK_RANK_GAME = f"/play?vs=random&fen={quote(BACK_RANK)}"


def moves(page: Any) -> list[str]:  # noqa: ANN401
    return [str(text) for text in page.locator(".bw-moves .bw-move").all_inner_texts()]


def wait_for_moves(page: Any, count: int) -> None:  # noqa: ANN401
    page.locator(".bw-moves .bw-move").nth(count - 1).wait_for(state="attached")


def says(page: Any, words: str) -> None:  # noqa: ANN401
    page.wait_for_selector(f'.bw-status:has-text("{words}")')


def test_a_game_is_won_by_mate_against_a_random_player(visit: Callable[..., Any]) -> None:
    page = visit(BACK_RANK_GAME, YOUR_MOVE)
    move(page, "a1", "a8")
    says(page, "White wins: checkmate.")
    assert moves(page) == ["Ra8#"]
    assert page.get_by_role("button", name="Resign").is_disabled()


def test_a_whole_game_from_the_start(visit: Callable[..., Any]) -> None:
    page = visit("/play")
    page.get_by_label("Against").select_option("random")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/play?vs=random")
    always_legal = [("e2", "e4"), ("a2", "a3"), ("b2", "b3")]  # no two replies check or block
    for count, (start, end) in enumerate(always_legal):
        says(page, "Your move.")
        move(page, start, end)
        wait_for_moves(page, 2 * count + 2)
    assert moves(page)[0] == "e4"
    page.get_by_role("button", name="Resign").click()
    says(page, "Black wins: White resigns.")


def test_the_next_game_has_the_same_opponent(visit: Callable[..., Any]) -> None:
    page = visit("/play?vs=engine,depth%3D3&moves=e2e4_e7e5", YOUR_MOVE)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/play?vs=engine,depth%3D3")


def test_moves_are_taken_back(visit: Callable[..., Any]) -> None:
    page = visit("/play?vs=random&moves=e2e4_e7e5_g1f3_b8c6", YOUR_MOVE)
    page.get_by_role("button", name="Take back").click()
    page.wait_for_function("() => document.querySelectorAll('.bw-moves .bw-move').length === 2")
    assert page.url.endswith("moves=e2e4_e7e5")
    move(page, "f1", "c4")
    wait_for_moves(page, 4)


def test_hint_flip_and_arrows(visit: Callable[..., Any]) -> None:
    page = visit(BACK_RANK_GAME, YOUR_MOVE)
    page.get_by_role("button", name="Hint").focus()
    page.keyboard.press("Enter")
    says(page, "Hint: Ra8# (#1).")
    assert page.evaluate("document.activeElement.textContent") == "Hint"
    assert page.locator(".bcb-arrow-best").count() == 1
    before = square(page, "a1").bounding_box()
    page.get_by_role("button", name="Flip").click()
    page.wait_for_url("**flip=1**")
    assert square(page, "a1").bounding_box()["y"] < before["y"]
    page.get_by_role("button", name="Best moves").click()
    page.wait_for_selector(".bcb-arrow-other")


def test_a_reload_in_the_middle(visit: Callable[..., Any]) -> None:
    page = visit("/play?vs=random&clock=5%2B3", YOUR_MOVE)
    move(page, "e2", "e4")
    wait_for_moves(page, 2)
    says(page, "Your move.")
    page.wait_for_url("**moves=e2e4**")
    before = moves(page)
    left = page.locator(".bw-clock").first.inner_text()
    assert re.fullmatch(r"[45]:\d\d", left)
    assert page.locator(".bw-clock.bw-running").count() == 1
    page.reload()
    says(page, "Your move.")
    assert moves(page) == before
    assert page.locator(".bw-clock").first.inner_text() == left
    move(page, "d2", "d4")
    wait_for_moves(page, 4)


def test_a_game_in_and_out(visit: Callable[..., Any]) -> None:
    page = visit("/play?vs=random")
    page.get_by_text("PGN and FEN").click()
    field = page.get_by_label("Game or position")
    field.fill("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0")
    press(page, "Load")
    says(page, "White wins: checkmate.")
    press(page, "Show FEN")
    begins = "() => document.querySelector('textarea').value.startsWith('r1bqkb1r/pppp1Qpp')"
    page.wait_for_function(begins)
    field.fill("1. e4 e5 2. Ke4")
    page.get_by_role("button", name="Load").click()
    page.wait_for_selector('.bw-notice:has-text("broken")')


def test_a_match_is_watched(visit: Callable[..., Any]) -> None:
    page = visit("/watch?delay=0.2")
    for side in ("White", "Black"):
        page.get_by_label(side, exact=True).select_option("random")
    press(page, "Start")
    wait_for_moves(page, 6)
    press(page, "Pause")
    says(page, "Paused.")
    seen = moves(page)
    page.get_by_role("button", name="First position").click()
    says(page, "Move 0 of")
    assert "white pawn" in str(square(page, "e2").get_attribute("aria-label"))
    page.evaluate(
        """() => {
          const { send } = WebSocket.prototype;
          WebSocket.prototype.send = function (text) { send.call(this, window.sent = text); };
        }"""
    )
    page.get_by_role("button", name="Last position").click()
    says(page, "Paused.")
    assert '"ply":null' in page.evaluate("window.sent"), "however many moves there are by now"
    page.locator(".bw-moves button").nth(1).click()
    page.wait_for_selector(".bw-moves [aria-current]:has-text('" + seen[1] + "')")
    page.reload()
    says(page, "Paused.")
    assert moves(page) == seen
    page.get_by_role("button", name="Go on").click()
    wait_for_moves(page, len(seen) + 2)
    assert page.locator(".bw-graph .course").count() == 0, "no player has said what it thinks"
    assert "as soon as a player says" in page.inner_text(".bw-graph")


def test_a_reload_keeps_the_moves_that_the_address_has_not_yet(visit: Callable[..., Any]) -> None:
    player = "random,seed%3D2"  # against itself it plays 400 plies
    page = visit(f"/watch?white={player}&black={player}&delay=0")
    page.evaluate(  # what comes too fast is to be written in half a second: here the match pauses
        """() => {
            const later = window.setTimeout, buttons = document.getElementsByTagName("button");
            const pause = () => [...buttons].find((one) => one.textContent === "Pause").click();
            window.setTimeout = (call, wait, ...rest) =>
                wait === 500 ? later(pause) : later(call, wait, ...rest);
        }"""
    )
    page.get_by_role("button", name="Go on").click()
    says(page, "Paused.")
    seen = moves(page)
    assert page.url.count("_") < len(seen) - 1
    page.reload()
    says(page, "Paused.")
    assert (moves(page), page.url.count("_")) == (seen, len(seen) - 1)
    page.goto(page.url.partition("_")[0])
    says(page, "Paused.")
    assert moves(page) == seen[:1], "another address is another game"


def test_a_match_of_two_games_has_a_table(visit: Callable[..., Any]) -> None:
    # Both games are long decided: the first is over in a move, the second is not waited for.
    match = "white=search,depth%3D2&black=random&games=2&delay=0"
    page = visit(f"/watch?{match}&fen={quote(BACK_RANK)}")
    page.get_by_role("button", name="Go on").click()
    says(page, "Game 1 of 2. White wins: checkmate.")
    cells = page.locator(".bw-table tbody tr").first.locator("td").all_inner_texts()
    assert cells[:4] == ["1", "1", "0", "0"]
    says(page, "Game 2 of 2.")


def test_a_position_is_analysed(page: Any) -> None:  # noqa: ANN401
    with running("--max-nodes", "200000", "--max-seconds", "10") as address:
        page.goto(f"{address}/analyse?moves=e2e4_e7e5")
        top = page.locator(".bw-depths").bounding_box()["y"]
        page.get_by_role("button", name="Analyse").click()
        page.wait_for_selector(".bw-depths tbody tr:nth-child(6)")
        assert page.locator(".bw-depths").bounding_box()["y"] == top, "nothing jumps"
        page.wait_for_selector(".bcb-arrow-best")
        says(page, "Done.")
    cell = ".bw-depths tbody td:nth-child({})"
    exact = [page.locator(cell.format(column)).all_inner_texts() for column in (1, 2)]
    depths, values = ([text for text in column if text.strip()] for column in exact)
    assert depths[-1] == "1", "the latest is on top"
    assert len(values) >= len(depths)
    heads = page.locator(".bw-depths thead tr").first.locator("th").all_inner_texts()
    assert heads == ["Exact search", "Engine"]
    first = page.locator(".bw-values tbody tr").first.locator("td").all_inner_texts()
    assert re.fullmatch(r"[+−]\d+\.\d\d", first[1])
    assert re.fullmatch(r"[+−]\d+\.\d\d|–", first[0]), "no cell of a move is empty"
    empty = page.locator(".bw-values td", has_text="–").first
    if empty.count():
        assert "ask for more lines" in str(empty.get_attribute("title"))


def test_a_review_has_the_time_that_there_is(page: Any) -> None:  # noqa: ANN401
    for seconds, times in ((0.5, ["0.05 s", "0.1 s"]), (0.1, ["0.025 s"])):
        with running("--max-seconds", str(seconds)) as address:
            page.goto(f"{address}/analyse?moves=e2e4")
            page.get_by_text("Review of the game").click()
            assert page.get_by_label("Time a move").inner_text().split("\n") == times
            page.get_by_role("button", name="Review", exact=True).click()
            page.wait_for_selector('.bw-detail:has-text("moves judged")')


def test_a_game_is_reviewed(visit: Callable[..., Any]) -> None:
    page = visit("/analyse?moves=e2e4_e7e5_f1c4_b8c6_d1h5_g8f6_h5f7")
    page.get_by_text("Review of the game").click()
    page.get_by_label("Time a move").select_option("0.05")
    height = "document.documentElement.scrollHeight"
    page.get_by_role("button", name="Review", exact=True).click()
    page.wait_for_selector('.bw-detail:has-text("of 7 moves judged")')
    before = page.evaluate(height)
    page.wait_for_selector(".bw-graph circle.blunder")
    assert page.evaluate(height) <= before + 50, "no more than the words of the result"
    page.locator(".bw-graph a").last.click()
    page.wait_for_url("**ply=6**")
    assert page.locator(".bw-mistakes li").last.inner_text().startswith("3... Nf6")
    marked = page.locator(".bw-moves .bw-blunder")
    assert marked.count() == 1
    title = page.get_by_text("Review of the game")
    title.click()
    page.get_by_role("button", name="One move back").click()
    page.wait_for_url("**ply=5**")
    assert page.locator(".bw-graph").is_hidden(), "what was folded stays so"
    title.click()
    move(page, "g7", "g6")
    page.wait_for_url(re.compile(r"g8f6_\(g7g6\)_h5f7&ply=7"))
    other = page.locator(".bw-variation .bw-move")
    assert other.all_inner_texts() == ["g6"], "another move is no blunder"
    assert marked.count() == 1
    page.locator(".bw-mistakes button").last.click()
    page.wait_for_url(re.compile("h5f7.*ply=6"))
    assert marked.count() == 1


def test_texts_that_are_too_long(visit: Callable[..., Any]) -> None:
    """The server is not even sent what no game can be; of a long file only the first games."""
    page = visit("/analyse")
    page.get_by_text("PGN and FEN").click()
    field = page.get_by_label("Game or position")
    page.evaluate("document.querySelector('textarea').value = 'x'.repeat(1500000)")
    page.get_by_role("button", name="Load").click()
    page.wait_for_selector('.bw-notice:has-text("1,500,000 characters; up to 100,000")')
    field.fill("1. e4 e5 *")
    page.get_by_role("button", name="Load").click()
    wait_for_moves(page, 2)
    assert page.inner_text(".bw-notice") == ""
    game = '[White "Anna"]\n\n1. d4 d5 2. c4 *\n\n'
    files = page.locator("input[type=file]")
    long = {"name": "a.pgn", "mimeType": "text/plain", "buffer": game.encode() * 9999}
    files.set_input_files(long)
    wait_for_moves(page, 3)
    assert moves(page) == ["d4", "d5", "c4"]
    page.wait_for_selector('.bw-title:has-text("Anna")')
    files.set_input_files({**long, "name": "b.pgn", "buffer": b"1. e4 " + b"{x} " * 99_999})
    page.wait_for_selector('.bw-notice:has-text("b.pgn is too long")')
    assert moves(page) == ["d4", "d5", "c4"]


def test_a_file_may_be_in_latin_1_and_in_utf_8(visit: Callable[..., Any]) -> None:
    page = visit("/analyse")
    white, black = '[White "Müller"]\n'.encode("latin-1"), '[Black "García"]\n\n'.encode()
    file = {"name": "a.pgn", "mimeType": "text/plain", "buffer": white + black + b"1. d4 *"}
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_selector('.bw-title:has-text("Müller - García")')


def test_a_tree_is_opened_to_the_fifth_ply(visit: Callable[..., Any]) -> None:
    page = visit(f"/inside?fen={quote(FEW_MEN)}&a=alpha_beta_pruning_no_memo&depth=5", ".bc-row")
    assert "depth 5" in page.inner_text(".bc-header")
    page.locator("[role=tree]").focus()
    for ply in range(1, 6):
        if ply > 1:
            page.keyboard.press("ArrowRight")
        page.wait_for_selector('.bc-current[aria-expanded="true"]')
        if page.locator('.bc-current + .bc-ghost:has-text("look deeper")').count():
            page.keyboard.press("ArrowRight")
            page.wait_for_selector(".bc-current + .bc-row[data-node]")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f".bc-line button:nth-child({ply + 1})")
        assert len(line(page).split()) == ply + 1
    assert "A leaf" in page.inner_text(".bc-why")
    words = line(page)
    page.wait_for_url(re.compile(r"at=(\w{4,5}_){4}\w{4,5}$"))
    page.goto(page.url)
    page.wait_for_selector(".bc-row")
    page.wait_for_function(
        "words => [...document.querySelectorAll('.bc-line button')]"
        ".map((one) => one.innerText).join(' ') === words",
        arg=words,
    )


def test_two_searches_side_by_side(visit: Callable[..., Any]) -> None:
    both = ".bc-pair > .bc:nth-child(2) .bc-row"
    page = visit("/inside?a=minimax_no_memo&b=alpha_beta_pruning_no_memo&depth=3", both)
    names = page.locator(".bc h1").all_inner_texts()
    assert names == ["minimax_no_memo", "alpha_beta_pruning_no_memo"]
    page.set_viewport_size({"width": 760, "height": 900})  # here the second heading is a longer one
    tops = {one.bounding_box()["y"] for one in page.locator(".bc-board").all()}
    assert len(tops) == 1, "the boards stand in a line"
    assert page.locator(".bc-theme:visible").count() == 0, "the page has a switch already"
    for width in (1280, 800):  # large type needs the width for one tree
        page.set_viewport_size({"width": width, "height": 900})
        for button in page.get_by_role("button", name="Projector", pressed=False).all()[::-1]:
            button.click()
        wide = "all => all.filter((one) => one.scrollWidth > one.clientWidth).length"
        assert page.locator(".bc-list, .bc-left").evaluate_all(wide) == 0


def test_each_program_has_its_own_unit(visit: Callable[..., Any]) -> None:
    """COSC 76 counts pawns; the textbook's centipawns are shown as pawns."""
    rook_ahead = quote("6k1/5pp1/7p/8/8/8/5PPP/3R2K1 w - - 0 1")
    both = ".bc-pair > .bc:nth-child(2) .bc-row"
    page = visit(f"/inside?a=cosc76.alpha_beta_ai&b=minimax_no_memo&depth=1&fen={rook_ahead}", both)
    rows = [page.locator(f".bc-pair > .bc:nth-child({at}) .bc-row").first for at in (1, 2)]
    values = [row.inner_text() for row in rows]
    assert re.search(r"\+\d$|\+\d\n", values[0]), values
    assert re.search(r"\+\d\.\d\d", values[1]), values


def test_a_node_that_is_not_opened_after_all_says_so(visit: Callable[..., Any]) -> None:
    page = visit("/inside?a=minimax_no_memo&depth=4", ".bc-row")
    page.locator(".bc-row .bc-twisty").nth(3).click()
    page.wait_for_selector('.bc-row[aria-level="3"]')
    page.locator(".bc-row[aria-level='3'] .bc-twisty").first.click()
    page.wait_for_selector(".bc-scissors")
    page.get_by_label("To depth").fill("2")
    page.evaluate(
        """() => {
          document.querySelector("button.bc-scissors").click();
          document.querySelector(".bw-compare button.bw-primary").click();
        }"""
    )
    page.wait_for_selector('.bc-status:has-text("This search was stopped.")')
    page.wait_for_selector(".bw-comparison td")
    page.locator("button.bc-scissors").first.click()
    page.wait_for_selector(".bc-row[aria-level='4']")


def test_a_node_of_a_tree_that_goes_is_not_looked_at_any_more(visit: Callable[..., Any]) -> None:
    page = visit("/inside?fen=P5&a=minimax_no_memo&depth=2", ".bc-row")
    page.get_by_role("textbox", name="Position").fill("kiwipete")
    page.get_by_label("Depth", exact=True).fill("5")
    page.evaluate(
        """() => {
          document.querySelectorAll(".bc-row")[1].click();
          document.querySelector(".bw-wide-form .bw-primary").click();
        }"""
    )
    says(page, "Searching and recording")
    page.wait_for_timeout(300)
    assert page.inner_text(".bw-notice") == ""
    page.get_by_role("button", name="Stop").click()


def test_what_is_said_can_be_seen_where_one_is(visit: Callable[..., Any]) -> None:
    page = visit("/inside?a=negamax&depth=4", ".bc-row")
    part = page.locator(".bw-compare")
    while part.locator("input:checked").count():
        part.locator("input:checked").first.uncheck()
    compare = part.get_by_role("button", name="Compare")
    compare.scroll_into_view_if_needed()
    compare.click()
    page.wait_for_selector('.bw-notice:has-text("choose the searches")')
    assert 0 <= page.locator(".bw-notice").bounding_box()["y"] < 900
    for name in ("minimax_no_memo", "minimax", "negamax"):
        part.get_by_label(name, exact=True).check()
    page.get_by_label("To depth").fill("6")
    compare.click()
    stop = part.get_by_role("button", name="Stop")
    stop.wait_for()
    assert "Comparing" in part.locator(".bw-status").inner_text()
    assert page.get_by_role("button", name="Stop").count() == 1
    stop.click()
    stop.wait_for(state="hidden")


def test_trees_that_are_gone_are_recorded_again(page: Any, server: str) -> None:  # noqa: ANN401
    lost: list[str] = []

    def lose(route: Any) -> None:  # noqa: ANN401
        lost.append(route.request.url)
        route.fulfill(status=404)

    page.route("**/betacut/data/*", lose, times=1)
    page.goto(f"{server}/inside?a=negamax&depth=2")
    page.wait_for_selector(".bc-row")
    assert len(lost) == 1


def test_what_could_not_be_fetched_is_fetched_later(page: Any, server: str) -> None:  # noqa: ANN401
    page.route("**/betacut/data/*", lambda route: route.abort(), times=2)
    page.goto(f"{server}/analyse")
    page.get_by_text("PGN and FEN").click()
    press(page, "Show FEN")
    page.wait_for_selector('.bw-notice:has-text("Failed to fetch")')
    page.goto(f"{server}/inside?a=negamax&depth=2")
    page.wait_for_selector('.bw-notice:has-text("Failed to fetch")')
    press(page, "Compare")
    page.wait_for_selector(".bc-row")


def test_a_node_whose_question_was_lost_is_opened_again(page: Any, server: str) -> None:  # noqa: ANN401
    asked: list[str] = []

    def carry(socket: Any) -> None:  # noqa: ANN401
        far = socket.connect_to_server()
        socket.on_message(lambda text: pass_on(socket, far, text))

    def pass_on(socket: Any, far: Any, text: str) -> None:  # noqa: ANN401
        if '"deeper"' in text:
            asked.append(text)
            if len(asked) == 1:  # the connection is lost with it
                far.close(code=4000)
                socket.close(code=1011)
                return
        far.send(text)

    page.route_web_socket(re.compile("/betacut/socket"), carry)
    page.goto(f"{server}/inside?a=minimax_no_memo&depth=4")
    page.wait_for_selector(".bc-row")
    page.locator(".bc-row .bc-twisty").nth(3).click()
    page.wait_for_selector('.bc-row[aria-level="3"]')
    page.locator(".bc-row[aria-level='3'] .bc-twisty").first.click()
    page.locator("button.bc-scissors").first.click()
    page.wait_for_selector('.bc-status:has-text("the connection was lost")')
    page.locator("button.bc-scissors").first.click()
    page.wait_for_selector(".bc-row[aria-level='4']")


LEAVES = """() => {
  const status = document.querySelector(".bc-status");
  if (!status?.textContent.startsWith("Searching again")) return false;
  [...document.querySelectorAll(".bw-nav a")].find((link) => link.textContent === "Play").click();
  return true;
}"""


def test_nothing_more_is_opened_after_one_leaves(visit: Callable[..., Any]) -> None:
    name = "alpha_beta_pruning_no_memo"
    page = visit(f"/inside?a={name}&b={name}&depth=5&at=e2e4_e7e5_g1f3_b8c6")
    page.wait_for_function(LEAVES)
    says(page, "Your move.")
    page.wait_for_timeout(300)
    assert page.inner_text(".bw-notice") == ""


def test_a_link_compares(visit: Callable[..., Any]) -> None:
    address = "/inside?a=negamax&depth=2&compare=search,negamax&compare_depth=3"
    page = visit(address, ".bw-comparison td")
    part = page.locator(".bw-compare")
    checked = part.locator("input:checked").all()
    assert [box.get_attribute("value") for box in checked] == ["search", "negamax"]
    assert page.get_by_label("To depth").input_value() == "3"
    assert part.locator("tr:has-text('negamax')").count() == 3


def test_a_comparison_is_of_the_position_in_the_field(visit: Callable[..., Any]) -> None:
    page = visit("/inside?depth=2", ".bc-row")
    part, position = page.locator(".bw-compare"), page.get_by_role("textbox", name="Position")
    page.get_by_label("To depth").fill("2")
    compare = part.get_by_role("button", name="Compare")
    position.fill("banana")
    compare.click()
    page.wait_for_selector(".bw-notice:has-text(\"cannot read FEN 'banana'\")")
    assert (position.input_value(), part.locator("td").count()) == ("banana", 0)
    position.fill("P5")
    page.get_by_label("Beside it").select_option("negamax")
    compare.click()
    part.locator("td").first.wait_for()
    page.wait_for_url("**/inside?fen=8/R7/6k1/3q3p/**compare=**")
    assert page.locator(".bw-notice").inner_text() == ""
    page.wait_for_selector(".bc-row:has-text('Ra6')")
    assert position.input_value().startswith("8/R7/6k1/3q3p/")
    assert page.get_by_label("Beside it").input_value() == "negamax", "chosen, not yet asked for"


def test_look_inside_at_its_usual_width(visit: Callable[..., Any]) -> None:
    page = visit("/inside?a=alpha_beta_pruning_no_memo&depth=2", ".bc-row")
    first, last = (
        page.locator(part).first.bounding_box()
        for part in (".bw-wide-form input", ".bw-wide-form button")
    )
    assert abs(first["y"] - last["y"]) < 8, "a single row"
    left = page.locator(".bc-left")
    assert left.evaluate("one => one.scrollHeight <= one.clientHeight"), "all facts are seen"


@pytest.mark.parametrize("beside", ["", "late_move_reductions"])
@pytest.mark.parametrize("width", [320, 800, 1280])
def test_the_moves_of_a_tree_are_seen(visit: Callable[..., Any], beside: str, width: int) -> None:
    address = f"/inside?fen={quote(FEW_MEN)}&a=negamax&b={beside}&depth=5&ply=5"
    page = visit(address, ".bc-row", width=width)
    for _ in range(5):
        page.get_by_role("button", name="One step forward").first.click()
    page.wait_for_selector('.bc-row[aria-level="6"]')
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".bc-move, .bc-notes, .bc-header p")]
          .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""
    )
    assert cut == []
    heights = page.locator(".bc-list").evaluate_all("all => all.map((one) => one.clientHeight)")
    assert max(heights) < 600, "a list that is long scrolls"
    tops = {round(one.bounding_box()["y"]) for one in page.locator(".bc-board").all()}
    assert len(tops) == 1 or width < 700, "the boards stand in a line"


def test_a_comparison(visit: Callable[..., Any]) -> None:
    page = visit("/inside?depth=2", ".bc-row")
    page.get_by_label("To depth").fill("2")
    page.get_by_role("button", name="Compare").click()
    page.wait_for_selector(".bw-comparison td")
    assert page.locator(".bw-comparison tr:has-text('mtd_f')").count() == 2
    last = page.locator(".bw-comparison tr > :last-child")
    ends = "all => all.map((one) => getComputedStyle(one).paddingRight)"
    assert set(last.evaluate_all(ends)) == {"0px"}, "the heading stands above its figures"
    page.wait_for_function("() => document.querySelector('.bw-plot').naturalWidth > 0")
    plot = page.locator(".bw-plot")
    light = plot.get_attribute("src")
    page.get_by_role("button", name="Light or dark").click()
    assert plot.get_attribute("src") != light
    page.evaluate("() => delete document.documentElement.dataset.theme")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(100)
        assert (plot.get_attribute("src") == light) == (scheme == "light")
    page.wait_for_function("() => document.querySelector('.bw-plot').naturalWidth > 0")


def test_rooms_links_and_the_way_back(visit: Callable[..., Any]) -> None:
    page = visit("/")
    assert page.title() == "Play · betacut"
    says(page, "Your move.")
    page.get_by_role("link", name="Analyse", exact=True).click()
    page.wait_for_url("**/analyse")
    page.wait_for_selector(".bw-depths")
    assert page.locator(".bw-nav [aria-current]").inner_text() == "Analyse"
    page.go_back()
    says(page, "Your move.")
    assert page.locator(".bw-nav [aria-current]").inner_text() == "Play"


def test_the_way_back_finds_what_was_found(visit: Callable[..., Any]) -> None:
    page = visit("/analyse?moves=e2e4_e7e5_g1f3_b8c6&lines=1")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".bw-depths tbody tr:nth-child(3)")
    page.get_by_role("link", name="Watch").click()
    says(page, "Choose two players")
    page.go_back()
    page.wait_for_selector(".bw-depths tbody tr:nth-child(3)")


def test_a_browser_that_lets_no_address_be_written(visit: Callable[..., Any]) -> None:
    """Safari lets a page do that 100 times in 30 seconds, and throws then."""
    page = visit("/play?vs=random", YOUR_MOVE)
    count = "window.writes = 0; const write = history.replaceState.bind(history);"
    counted = f"{count} history.replaceState = (...all) => {{ writes += 1; write(...all); }};"
    page.evaluate(f"() => {{ {counted} }}")
    began = time.monotonic()
    page.get_by_role("button", name="Flip").evaluate(
        """async (button) => {
          for (let i = 0; i < 61; i++) {
            button.click();
            await new Promise((resolve) => setTimeout(resolve, 25));
          }
        }"""
    )
    page.get_by_role("button", name="Best moves").click()  # the last thing that is answered
    page.wait_for_url("**flip=1&arrows=1")
    assert 5 < page.evaluate("writes") <= 31 + 2 * (time.monotonic() - began)
    page.evaluate("() => { history.replaceState = () => { throw new Error('too often'); }; }")
    move(page, "e2", "e4")
    wait_for_moves(page, 2)


def test_empty_parts_say_what_will_be_there(visit: Callable[..., Any]) -> None:
    words = {
        "/play": ["exact values, all best moves", "tree of any search"],
        "/watch": ["choose two players", "Here comes White's expected score"],
        "/analyse": ["Switch Analyse on", "A row for each depth", "begins a variation"],
    }
    for address, expected in words.items():
        text = visit(address, ".bcb-square").inner_text("main")
        assert [part for part in expected if part not in text] == []


def test_the_player_sits_at_the_board(visit: Callable[..., Any]) -> None:
    for address in ("/play", "/watch"):
        page = visit(address, ".bcb-square")
        places = (".bcb-frame", ".bw-player >> nth=-1", ".bcb-words")
        board, bar, words = (page.locator(place).bounding_box() for place in places)
        assert 0 <= bar["y"] - board["y"] - board["height"] < 12
        assert words["y"] >= bar["y"] + 30


@pytest.mark.sampled(2, every=["address", "scheme"])
@pytest.mark.parametrize("address", ["/play", "/watch", "/analyse", "/inside?depth=2"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_room_fits_a_phone(visit: Callable[..., Any], address: str, scheme: str) -> None:
    ready = ".bc-row" if "inside" in address else ".bcb-square"
    page = visit(address, ready, width=375, height=800, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    results = page.locator(".bw-room-watch .bw-scroll")
    assert all(results.evaluate_all("all => all.map((one) => one.scrollWidth <= one.clientWidth)"))
    ground = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(ground)
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate(ground) != before


def test_every_field_and_button_has_a_name(visit: Callable[..., Any]) -> None:
    for address in ("/play", "/watch", "/analyse", "/inside?depth=2"):
        page = visit(address, ".bc-row" if "inside" in address else ".bcb-square")
        nameless = page.evaluate(
            """() => [...document.querySelectorAll(".bw :is(button, select, input, textarea)")]
              .filter((one) => !one.hidden && !(one.textContent || one.getAttribute("aria-label") ||
                one.labels?.length || one.title)).map((one) => one.outerHTML.slice(0, 90))"""
        )
        assert nameless == []


def test_a_page_outlives_its_server(page: Any) -> None:  # noqa: ANN401
    """It says that the connection is lost, and goes on where it was when there is a server."""
    process, address = started()
    page.goto(f"{address}/play?vs=random")
    says(page, "Your move.")
    move(page, "e2", "e4")
    wait_for_moves(page, 2)
    page.wait_for_url("**moves=e2e4**")
    before = moves(page)
    assert ended(process) == (0, "")
    page.wait_for_selector('.bw-notice:has-text("connection to the server is lost")')
    move(page, "d2", "d4")
    process, _ = started("--port", address.rpartition(":")[2])
    wait_for_moves(page, 4)
    assert moves(page)[:3] == [*before, "d4"], "what was done meanwhile is done now"
    assert page.inner_text(".bw-notice") == ""
    assert ended(process) == (0, "")


def test_a_closed_tab_ends_its_search(page: Any, browser: Any) -> None:  # noqa: ANN401
    with running("--threads", "1", "--max-seconds", "600") as address:
        page.goto(f"{address}/inside?a=minimax_no_memo&depth=9")
        page.wait_for_selector('.bw-status:has-text("Searching")')
        page.wait_for_timeout(200)
        page.close()
        other = browser.new_page()
        other.goto(f"{address}/play?vs=random")
        says(other, "Your move")
        move(other, "e2", "e4")
        wait_for_moves(other, 2)
        other.close()
