"""A class without a browser: who may do what, and what the others see."""

import pytest

from betacut.web.classroom import Classroom, network_address, qr_code, qr_lines
from support.tabs import SCHOLAR, Tab


def test_the_lecturer_leads_and_the_others_follow() -> None:
    shared = Classroom("http://192.168.1.5:8080")
    lead = Tab(f"/class?lead={shared.key}", classroom=shared)
    one, two = (Tab("/class", classroom=shared) for _ in range(2))
    assert lead.view["people"] == 2
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


def test_a_vote() -> None:
    shared = Classroom("http://192.168.1.5:8080")
    lead = Tab(f"/class?lead={shared.key}", classroom=shared)
    tabs = [Tab("/class", classroom=shared) for _ in range(3)]
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
    lead.act("ask", kind="cut")
    tabs[0].act("answer", answer="not")
    tabs[1].act("answer", answer="cut")
    tabs[1].session.close()
    assert (lead.view["people"], lead.view["vote"]["answered"]) == (2, 1)
    lead.act("move", move="d2d4")
    assert tabs[0].view["vote"] is None, "the question was about another position"


def test_without_a_class_there_is_none() -> None:
    tab = Tab("/class")
    assert "betacut web --class begins one" in tab.notice
    assert tab.address == "/play"


def test_codes_and_addresses() -> None:
    assert network_address().count(".") == 3
    pytest.importorskip("segno", reason="segno is not installed")
    assert qr_code("http://192.168.1.5:8080/class").startswith("<svg viewBox")
    assert len(qr_lines("http://192.168.1.5:8080/class").splitlines()) > 12
