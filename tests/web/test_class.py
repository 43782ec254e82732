"""A class without a browser: what each role may do, and what the others see."""

from typing import Any

import chess
import pytest

from betacut.web.classroom import Classroom, network_address, qr_code, qr_lines
from betacut.web.hand_ins import HandIns
from support.tabs import BACK_RANK_QUERY, SCHOLAR, Tab

WRONG = {"ok": False, "points": 0.0, "most": 1.0, "cause": "A sign is wrong.", "text": "the report"}
CHECKED = {
    "\nright": {**WRONG, "ok": True, "points": 1.0, "cause": ""},
    "\nwrong": {**WRONG, "trees": ["mine", "right"], "line": "e2e4"},
}


ADDRESS = "http://192.168.1.5:8080"


def joined(followers: int, hand_ins: HandIns | None = None) -> list[Any]:
    """A class, the tab of its lecturer, and those of so many others."""
    shared = Classroom(ADDRESS, hand_ins)
    lead = Tab(f"/class?lead={shared.key}", classroom=shared)
    return [shared, lead, *(Tab("/class", classroom=shared) for _ in range(followers))]


def board_of(tab: Tab) -> Any:  # noqa: ANN401
    return tab.view["handIn"]["board"]


def mine_of(tab: Tab) -> Any:  # noqa: ANN401
    return tab.view["handIn"]["mine"]


def trees_of(tab: Tab) -> Any:  # noqa: ANN401
    return tab.view["trees"]


def test_the_lecturer_leads_and_the_others_follow() -> None:
    shared, lead, one, two = joined(2)
    lead.shows(people=2)
    lead.act("move", move="e2e4")
    lead.finish("load", text=SCHOLAR)
    lead.act("go", ply=6)
    assert one.view["board"]["fen"] == two.view["board"]["fen"] == lead.view["board"]["fen"]
    assert one.view["board"]["legal"] == {}
    before = shared.tree.query(), shared.tree.number
    for action in ("go", "load", "ask", "reveal", "end"):
        told = one.told_after(action, ply=0, text=SCHOLAR, kind="move")
        assert told == "the lecturer does that"
    assert one.told_after("move", move="h5f7") == "there is no such vote now"
    assert (shared.tree.query(), shared.tree.number) == before
    assert Tab(lead.address, classroom=shared).view["leads"]
    wrong = Tab("/class?lead=guessed", classroom=shared)
    assert (wrong.view["leads"], "lead" in wrong.address) == (False, False)
    assert "not the key" in wrong.notice
    assert "not the key" in Tab("/class?lead=\ud800", classroom=shared).notice


def test_a_vote() -> None:
    shared, lead, *tabs = joined(3)
    assert lead.told_after("reveal") == "nothing was asked"
    lead.act("ask", kind="move")
    for tab, move in zip(tabs, ("e2e4", "d2d4", "d2d4"), strict=True):
        assert "e2e4" in tab.view["board"]["legal"]
        tab.act("move", move=move)
    assert tabs[0].told_after("answer", answer="cut") == "there is no such vote now"
    assert (lead.view["vote"]["answered"], lead.view["vote"]["answers"]) == (3, [])
    assert tabs[0].view["vote"]["mine"] == "e4"
    lead.act("reveal")
    answers = [{"text": "d4", "count": 2}, {"text": "e4", "count": 1}]
    assert tabs[0].view["vote"]["answers"] == answers
    assert [arrow["label"] for arrow in lead.view["board"]["arrows"]] == ["2", "1"]
    assert tabs[0].told_after("move", move="d2d4") == "there is no such vote now"
    tabs.pop().session.close()
    assert lead.view["vote"]["answers"] == answers, "what was shown stays"
    lead.act("ask", kind="cut")
    assert lead.told_after("answer", answer="cut") == "those who lead do not vote"
    tabs[0].act("answer", answer="not")
    tabs[1].act("answer", answer="cut")
    tabs[1].session.close()
    assert (lead.view["people"], lead.view["vote"]["answered"]) == (1, 1)
    tabs[0].act("present", ticket="1-2")
    assert (tabs[0].view["vote"]["mine"], lead.view["vote"]["answered"]) == (None, 0)
    tabs[0].act("answer", answer="not")
    tabs.pop(0).session.close()
    assert lead.view["vote"]["answered"] == 0
    back = Tab("/class?flip=7", classroom=shared)
    back.act("present", ticket="1-2")
    assert (back.view["vote"]["mine"], lead.view["vote"]["answered"]) == ("no cut", 1)
    assert back.notice == "flip must be 1 or 0, not '7'", "what a page does of itself leaves it"
    tabs[0] = back
    for action in ("go", "load", "ask"):
        assert lead.told_after(action, ply=9, kind="which", text="")
    lead.act("load", text="1. e5")
    lead.think()
    assert tabs[0].view["vote"], "what was refused ends no vote"
    lead.act("move", move="d2d4")
    assert tabs[0].view["vote"] is None, "the question was about another position"


def test_a_tree_is_stepped_by_the_lecturer_and_followed() -> None:
    shared, lead, follower = joined(1)
    lead.act("open", address=f"/inside?{BACK_RANK_QUERY}&a=minimax&b=negascout&depth=4")
    assert lead.told_after("share", lead=shared.key) == "there is no tree to show yet"
    lead.think(2)
    assert lead.told_after("share", lead="guessed") == "the lecturer of a class does that"
    assert trees_of(follower) is None
    lead.act("share", lead=shared.key)
    assert lead.message("shared")["room"] == "inside"
    names = trees_of(follower)["data"]
    packed = [shared.store[name]["about"]["algorithm"] for name in names]
    assert packed == ["minimax", "negascout"]
    lead.act("open", address=f"/class?lead={shared.key}")
    lead.act("step", data=names, at=[3, 2], line=["a1a8"])
    assert trees_of(follower)["at"] == [3, 2]
    assert follower.view["board"]["fen"].startswith("R5k1/5ppp/8")
    for wrong in ({"data": ["x"]}, {"at": [1]}, {"at": [1, -1]}, {"line": ["a1a9"]}):
        assert lead.told_after("step", **{"data": names, "at": [4, 4], "line": [], **wrong})
    assert trees_of(follower)["at"] == [3, 2]
    for action in ("step", "deeper", "close"):
        told = follower.told_after(action, data=names, at=[0, 0], line=[])
        assert told == "the lecturer does that"
    lead.act("ask", kind="move")
    assert follower.view["board"]["legal"] == {}, "Black is mated there: the vote was refused"
    assert "the game is over here" in lead.notice
    lead.finish("deeper", data=names, side=1, node=2, line=["a1a2", "g8f8"], request=7)
    graft = trees_of(follower)["grafts"][0]
    assert (graft["side"], graft["node"], graft["request"]) == (1, 2, 7)
    assert trees_of(follower)["grafted"] == 0, "the lecturer went there before"
    lead.act("step", data=names, at=[3, 2], grafted=1, line=["a1a8"])
    assert trees_of(follower)["grafted"] == 1
    assert lead.told_after("step", data=names, at=[3, 2], grafted=2, line=["a1a8"])
    assert trees_of(Tab("/class", classroom=shared)) == trees_of(follower)
    assert len({*names, graft["data"]} & {*shared.store}) == 3
    lead.act("close")
    assert trees_of(follower) is None
    assert not {*names, graft["data"]} & {*shared.store}, "what is not shown is not kept"
    assert lead.told_after("step", data=names, at=[0, 0], line=[]).startswith("the class does not")


def test_a_vote_about_a_tree() -> None:
    shared, lead, follower = joined(1)
    shared.share([{"fen": chess.STARTING_FEN}], [{}])
    data = shared.trees.data
    lead.act("step", data=data, at=[5], line=["e2e4"])
    lead.act("ask", kind="move")
    follower.act("move", move="e7e5")
    for action in ("move", "go"):  # a key or the wheel goes through the moves of the board
        told = lead.told_after(action, move="e7e5", ply=0)
        assert told == "the tree says which moves there are: step it"
    assert follower.view["vote"]["mine"] == "e5"
    lead.act("step", data=data, at=[5], line=["e2e4"])
    assert follower.view["vote"] is not None, "the lecturer has not gone on"
    lead.act("step", data=data, at=[6], line=["e2e4", "a7a6"])
    assert follower.view["vote"] is None


def test_a_tree_of_chess960_is_stepped() -> None:
    shared, lead = joined(0)
    shared.share([{"fen": "1k5r/8/8/8/8/8/8/RK5R w KQ - 0 1"}], [{}])
    lead.act("step", data=shared.trees.data, at=[5], line=["b1h1"])
    assert (lead.notice, lead.view["board"]["fen"][:30]) == ("", "1k5r/8/8/8/8/8/8/R4RK1 b - - 1")


def test_who_passed() -> None:
    hand_ins = HandIns(1, examine=lambda text, _: CHECKED[text])
    shared, lead, ada, other = joined(2, hand_ins)
    assert board_of(lead) == []
    ada.act("present", ticket="ada's browser")
    assert ada.told_after("hand_in", name="Ada", text=" ") == "choose a file, or paste one, first"
    assert "half a surrogate pair" in ada.told_after("hand_in", name="Ada", text="x = '\ud800'")
    assert "up to 40 characters" in ada.told_after("hand_in", name="A" * 41, text="right")
    for tab, name, text in ((ada, "Ada", "\nwrong"), (other, "", "\nright")):
        tab.act("hand_in", name=name, text=text)
        assert mine_of(tab)["ok"] is None
        tab.hear()
    rows = [(row["name"], row["ok"], row["cause"]) for row in board_of(lead)]
    assert rows == [("Ada", False, "A sign is wrong."), ("", True, "")]
    assert [ada.store[name] for name in mine_of(ada)["trees"]] == ["mine", "right"]
    assert board_of(ada) == [], "the lecturer has the board"
    ada.session.close()
    again = Tab("/class", classroom=shared)
    assert mine_of(again) is None
    again.act("present", ticket="ada's browser")
    assert mine_of(again)["text"] == "the report"
    again.act("hand_in", name="\u202e👩\u200d💻 Ada", text="\nright")
    again.hear()
    assert board_of(lead)[0]["name"] == "\\u202e👩\u200d💻 Ada", "what joins letters stays"
    assert [row["tries"] for row in board_of(lead)] == [2, 1]
    assert again.told_after("clear") == "the lecturer does that"
    lead.act("clear")
    assert (board_of(lead), mine_of(again)) == ([], None)
    hand_ins.close()
    _, _, none = joined(1)
    none.shows(handIn=None)
    assert "--hand-in takes files" in none.told_after("hand_in", name="", text="x = 1")


def test_without_a_class_there_is_none() -> None:
    tab = Tab("/class")
    assert "betacut web --class begins one" in tab.notice
    assert tab.address == "/play"


def test_codes_and_addresses() -> None:
    assert network_address().count(".") == 3
    pytest.importorskip("segno", reason="segno is not installed")
    assert qr_code(f"{ADDRESS}/class").startswith("<svg viewBox")
    assert len(qr_lines(f"{ADDRESS}/class").splitlines()) > 12
