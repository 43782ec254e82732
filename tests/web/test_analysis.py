"""The rooms that analyse and look inside as a person uses them, without a browser."""

import random
import re
from collections.abc import Callable
from typing import Any

import chess
import pytest

from betacut.web.game_tree import GameTree
from betacut.web.host import Caps
from betacut.web.queue import Job
from betacut.web.tasks import TASKS
from support.tabs import BACK_RANK, BACK_RANK_QUERY, SCHOLAR, Tab, out_of_time

REVIEW: dict[str, Any] = {"player": "search,quiescence=yes", "seconds": 0.02}
PATIENT = Caps(60.0, 200_000)
"""With so much time no search is left out, however busy the machine is."""


def test_both_searches_value_a_position() -> None:
    tab = Tab(f"/analyse?{BACK_RANK_QUERY}&lines=2", Caps(0.5, 100_000))
    assert tab.act("analyse")["running"]
    tab.think()
    tab.shows(running=False, bar={"expected": 1.0, "text": "#1"})
    first, value = tab.view["depths"][0], tab.view["values"][0]
    assert (first["depth"], first["exact"]["score"]) == (1, "#1")
    mate = {"playing": "#1", "exact": "#1", "san": ["Ra8#"], "moves": ["a1a8"]}
    assert value == {**value, **mate}
    assert tab.view["board"]["arrows"][0]["label"] == "#1"
    assert tab.act("line", moves=["a1a8"])["bar"] == {"expected": 1.0, "text": "1\N{EN DASH}0"}


def test_an_analysis_goes_along_until_it_is_stopped() -> None:
    tab = Tab("/analyse?moves=e2e4_e7e5", Caps(0.4, 20_000))
    assert tab.act("analyse")["live"]
    tab.think().shows(running=False, live=True)
    assert tab.view["values"][0]["playing"][0] in "+\N{MINUS SIGN}"
    assert tab.act("go", ply=0)["running"]
    assert tab.act("line", moves=["d2d4", "d7d5"])["running"]
    assert tab.address == "/analyse?moves=e2e4_(d2d4_d7d5)_e7e5&ply=3"
    for moves in (["d2d4"], ["c2c4"] * 99, [], "c2c4", None, [5]):
        assert tab.told_after("line", moves=moves)
    assert tab.address == "/analyse?moves=e2e4_(d2d4_d7d5)_e7e5&ply=3"
    tab.finish("go", ply=2)
    found = tab.view["values"]
    assert not tab.act("stop")["live"]
    assert tab.view["values"] == found, "what was found stays"
    assert not tab.act("go", ply=1)["running"]


@pytest.mark.timeout(60)
def test_nodes_limit_all_searches_of_an_analysis() -> None:
    said: list[dict[str, Any]] = []
    limits = {"seconds": 3600.0, "nodes": 1000, "lines": 1, "exact": True}
    moves = ["g2g4", "e7e5"]
    TASKS["analyse"](said.append, start=chess.STARTING_FEN, moves=moves, judged=False, **limits)
    assert [one["ply"] for one in said if one["by"] == "judge"] == [2]


def test_an_analysis_is_shorter_where_others_wait() -> None:
    tab = Tab("/analyse", Caps(8.0, 1000))
    for others, seconds in ((0, 8.0), (3, 2.0), (99, 1.0)):
        tab.others = others
        assert tab.act("analyse")["seconds"] == seconds
        assert len(tab.jobs) == 1


def test_moves_forth_and_back() -> None:
    tab = Tab("/analyse?moves=e2e4_e7e5_g1f3")
    tab.act("go", ply=1)
    assert tab.address == "/analyse?moves=e2e4_e7e5_g1f3&ply=1"
    assert Tab(tab.address).view == tab.view
    tab.act("move", move="e7e5")
    tab.shows(ply=2, moves=["e4", "e5", "Nf3"])
    tab.act("move", move="f1c4")
    tab.shows(ply=3, moves=["e4", "e5", "Bc4"])
    assert tab.told_after("go", ply=4)


def test_a_position_is_set_up() -> None:
    tab = Tab("/analyse")
    assert tab.told_after("edit", fen="8/8/8/8/8/8/8/8 w - - 0 1") == "nothing is being set up"
    assert tab.act("editor", on=True)["board"]["edit"]
    tab.act("edit", fen="8/8/8/8/8/8/8/8 w - - 0 1")
    assert "KING" in tab.view["wrong"].upper()
    assert tab.told_after("editor", on=False)
    assert tab.view["editing"]
    assert tab.act("edit", fen="4k3/8/8/8/8/8/8/R3K3 b Q - 0 1")["wrong"] == ""
    assert "cannot read the position" in tab.told_after("edit", fen="nonsense")
    assert tab.act("editor", on=False)["board"]["fen"] == "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1"
    assert "fen=4k3" in tab.address
    tab.act("editor", on=True)
    assert tab.act("cancel")["board"]["fen"] == "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1"


def test_an_analysis_that_runs_out_of_time_is_done() -> None:
    """It takes all its time: what it has found is enough. Without anything found it has failed."""
    score = {"text": "+0.50", "expected": 0.55}
    line = {"moves": ["e2e4"], "move": "e2e4", "san": ["e4"], "score": score}
    found = {"by": "exact", "depth": 1, "nodes": 20, "lines": [line], "best": ["e4"]}

    def finds(task: str, arguments: object, job: Job, tell: Callable[[object], None]) -> None:
        tell(found)
        out_of_time(task, arguments, job, tell)

    for run, said in ((out_of_time, "took longer"), (finds, "")):
        tab = Tab("/analyse")
        assert tab.act("analyse")["running"]
        tab.think(run=run).shows(running=False)
        assert said in tab.notice
        assert bool(said) == bool(tab.notice)


def test_an_analysis_beside_a_paused_review_is_of_this_position() -> None:
    """What was asked for one position is not shown beside another, such as one that is over."""
    tab = Tab("/analyse?moves=f2f3_e7e5_g2g4_d8h4&ply=3", Caps(2.0, 100_000))
    tab.finish("review", **REVIEW)
    assert tab.act("analyse")["review"]["paused"]
    (turn,) = tab.jobs
    assert not tab.act("go", ply=4)["running"]
    assert turn.reason
    assert tab.jobs == []


def test_loading_that_is_given_up_is_over() -> None:
    tab = Tab("/analyse?moves=e2e4")
    for what in ("stop", "analyse"):
        assert tab.act("load", text=SCHOLAR)["loading"]
        for other in ("go", "move", "review", "editor", "export"):
            told = tab.told_after(other, ply=0, move="e7e5", on=True, **REVIEW)
            assert (told, tab.view["loading"]) == ("a game is being read", True)
        assert not tab.act(what)["loading"]


LONG = " ".join(["Nf3 Nf6 Ng1 Ng8"] * 151)


@pytest.mark.parametrize("text", ["8/8 w - - 0 1", "1. e4 Ke4", LONG, f"1. e4 ({LONG}) e5"])
def test_what_cannot_be_loaded_leaves_everything_as_it_was(text: str) -> None:
    tab = Tab("/analyse?moves=e2e4_e7e5", Caps(2.0, 10_000))
    tab.finish("review", 3, **REVIEW)
    tab.finish("analyse")
    before = tab.view
    tab.act("load", text=text)
    if is_read := tab.view["loading"]:
        tab.think()
    assert tab.notice
    tab.shows(loading=False, running=is_read, review=before["review"])  # it goes on
    tab.act("editor", on=True)
    edited = tab.act("edit", fen=BACK_RANK)["board"]
    tab.act("load", text=text)
    if is_read:
        tab.think()
    tab.shows(editing=True, board=edited)


def test_setting_up_nothing_keeps_the_game() -> None:
    tab = Tab("/analyse?moves=e2e4_e7e5_g1f3&ply=2")
    tab.act("editor", on=True)
    for what in ("go", "line", "move", "promote", "delete"):
        asked = tab.told_after(what, ply=1, moves=["b8c6"], move="b8c6")
        assert asked == "a position is being set up: take it first, or cancel"
    tab.act("editor", on=False)
    tab.shows(ply=2, moves=["e4", "e5", "Nf3"], editing=False)


def test_the_names_of_a_game_are_kept() -> None:
    tab = Tab("/analyse", Caps(2.0, 100_000))
    tab.finish("load", text=f'[White "Anna"]\n[Black "Bert"]\n[Event "Club"]\n\n{SCHOLAR}')
    tab.shows(title="Anna - Bert, 1-0, Club")
    assert '[White "Anna"]' in tab.export()["pgn"]
    assert '[Event "Club"]' in tab.export()["pgn"]
    again = Tab(tab.address)
    again.shows(title="Anna - Bert")
    assert '[Black "Bert"]' in again.export()["pgn"]
    tab.finish("review", 8, **REVIEW)
    assert '[White "Anna"]' in tab.export()["pgn"]
    tab.act("go", ply=1)
    assert tab.act("move", move="c7c5")["title"] == "Anna - Bert, 1-0, Club", "in its game"
    tab.finish("export")
    pgn = tab.store[tab.message("export")["data"]]["pgn"]
    assert "[%eval" in pgn
    assert "( 1... c5 )" in pgn
    tab.finish("load", text='[White "\u05d3\u05d5\u05d3"]\n[Black "b\u202ea"]\n\n1. e4 *')
    names = ("\u2068\u05d3\u05d5\u05d3\u2069", "\u2068b\u202ea\u2069")
    assert tab.view["title"] == " - ".join(names), ascii(tab.view["title"])
    assert tab.act("load", text=BACK_RANK)["title"] == ""
    assert "Anna" not in tab.export()["pgn"]


@pytest.mark.parametrize(("rank", "castles"), [("RNBBKQNR", "e1g1"), ("BRNBKQNR", "e1h1")])
def test_a_game_of_chess960_is_one_where_its_position_is(rank: str, castles: str) -> None:
    tab = Tab("/analyse")
    fen = f'[FEN "{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1"]'
    tab.finish("load", text=f'[Variant "Chess960"]\n{fen}\n\n1. Nf3 Nf6 2. g3 g6 3. Qg2 Qg7 *')
    assert tab.act("go", ply=6)["board"]["legal"][castles] == "O-O"
    tab.act("move", move=castles)
    assert (tab.notice, tab.view["moves"][-1]) == ("", "O-O")
    assert ("Chess960" in tab.export()["pgn"]) == (castles == "e1h1")


def test_a_position_in_a_pgn_needs_no_moves() -> None:
    tab = Tab("/analyse")
    tab.finish("load", text=f'[White "Anna"]\n[SetUp "1"]\n[FEN "{BACK_RANK}"]\n\n*')
    assert (tab.view["board"]["fen"], tab.notice) == (BACK_RANK, "")
    for text in ("no game at all.", '[White "Anna"]\n\n*', '[FEN "8/8 w - - 0 1"]\n\n*'):
        tab.finish("load", text=text)
        assert tab.notice, text
        assert tab.view["board"]["fen"] == BACK_RANK


def test_the_marks_of_a_review_are_for_its_moves_alone() -> None:
    tab = Tab("/analyse", Caps(2.0, 100_000))
    tab.finish("load", text=SCHOLAR)
    tab.finish("review", 8, **REVIEW)
    marks = tab.view["marks"]
    assert marks[6] == "blunder"
    tab.act("go", ply=5)
    tab.act("move", move="g7g6")
    tab.shows(at=7, varies=True, marks=marks)  # it is no blunder, and the game keeps its marks
    assert not tab.view["review"]["other"]
    assert tab.act("promote")["review"]["other"]
    tab.shows(marks={**{k: v for k, v in marks.items() if k < 6}, 7: "blunder"})
    assert "[%eval" not in tab.export()["pgn"]
    tab.act("go", ply=5)
    assert tab.act("delete")["moves"] == ["e4", "e5", "Bc4", "Nc6"]
    assert not tab.act("go", ply=6, reviewed=True)["review"]["other"]
    tab.shows(moves=["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"], ply=6, marks=marks)
    assert "[%eval" in tab.export()["pgn"]


@pytest.mark.parametrize("what", ["promote", "delete"])
def test_a_review_goes_on_when_its_game_is_no_more_the_main_line(what: str) -> None:
    tab = Tab("/analyse?moves=e2e4_(d2d4_d7d5)_e7e5_g1f3&ply=3", Caps(2.0, 100_000))
    tab.finish("review", **REVIEW)
    tab.act("go", node=2 if what == "promote" else 1)
    tab.act(what)
    tab.think(3)
    assert tab.notice == ""
    assert (tab.view["review"]["done"], tab.view["review"]["other"]) == (True, True)
    assert tab.act("go", ply=3, reviewed=True)["moves"] == ["e4", "e5", "Nf3"]


def test_variations() -> None:
    tab = Tab("/analyse?moves=e2e4_e7e5_g1f3&ply=1")
    tab.act("move", move="c7c5")
    tab.act("move", move="g1f3")
    tab.act("go", ply=2)
    assert tab.act("move", move="b1c3")["moves"] == ["e4", "c5", "Nc3"]
    assert tab.address == "/analyse?moves=e2e4_e7e5_(c7c5_g1f3_(b1c3))_g1f3&ply=5"
    assert Tab(tab.address).view == tab.view
    assert "1. e4 e5 ( 1... c5 2. Nf3 ( 2. Nc3 ) ) 2. Nf3 *" in tab.export()["pgn"]
    tab.act("promote")
    tab.act("promote")
    assert tab.address == "/analyse?moves=e2e4_c7c5_(e7e5_g1f3)_b1c3_(g1f3)"
    assert "main line" in tab.told_after("promote")
    tab.act("go", node=3)
    tab.act("delete")
    tab.shows(at=1, moves=["e4", "c5", "Nc3"])
    tab.act("go", node=0)
    assert "no move to delete" in tab.told_after("delete")
    text = "1. e4 e5 (1... c5 2. Nf3 -- (2... d6)) 2. Nf3 (2. f4 exf4) (2. Nc3) 2... Nc6 *"
    tab.finish("load", text=f"{text}\n\n1. d4 *")
    assert "e2e4_e7e5_(c7c5_g1f3_d7d6)_g1f3_(f2f4_e5f4)_(b1c3)_b8c6" in tab.address
    lost = "Of a variation, not read: a null move, and what follows."
    assert tab.notice == f"What follows the first game was not read. {lost}"


def test_what_of_the_variations_is_left_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    tab = Tab("/analyse")
    for text, said, moves in (
        ("1. e4 (1. d4 d5 2. Ke4) e5", "variation, not read: illegal san: 'Ke4'", 4),
        ("1. e4 (1. Ke4 e5) e5", "variation, not read: illegal san: 'Ke4'", 2),
        ("1. e4 (1. d4 {fine} d5) e5", "", 4),
    ):
        tab.finish("load", text=text)
        assert (said in tab.notice, len(tab.view["tree"])) == (True, moves)
        assert bool(said) == bool(tab.notice)
    monkeypatch.setattr("betacut.web.tasks.MOST_MOVES", 3)
    tab.finish("load", text="1. e4 (1. d4 d5) e5")
    assert "the game has 4 moves with them, and may have 3 here" in tab.notice
    assert tab.view["moves"] == ["e4", "e5"]


def test_a_line_that_does_not_fit_is_left_where_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    tab = Tab("/analyse", Caps(0.4, 100_000))
    tab.finish("analyse")
    monkeypatch.setattr("betacut.web.game_tree.MOST_MOVES", 2)
    assert "up to 2 moves" in tab.told_after("line", moves=["e2e4", "e7e5", "g1f3"])
    tab.shows(ply=2, depths=[], running=True)


def test_any_tree_of_moves_comes_back_from_its_address() -> None:
    draw = random.Random(5)
    tree = GameTree(chess.Board())
    for _ in range(300):
        if draw.random() < 0.3:
            tree.go(tree.numbered(draw.randrange(len(tree.order) + 1)))
        moves = list(tree.board.legal_moves)
        if moves:
            tree.play(draw.choice(moves))
    again = GameTree.read(tree.query())
    assert (again.query(), again.rows(), again.pgn()) == (tree.query(), tree.rows(), tree.pgn())
    for move in range(len(tree.order)):
        node = tree.numbered(move)
        tree.go(node)
        assert tree.number == move
        assert tree.line[: len(tree.board.move_stack)][-1:] == ([node] if move else [])


LOSES = "/analyse?moves=e2e4_e7e5_g1f3_f7f6_f3e5_g7g5"
WHY = "g5 loses the exchange: 4. Qh5+ Ke7 5. Ng6+ hxg6 6. Qxh8."


def test_a_bad_move_that_is_analysed_has_its_reason() -> None:
    tab = Tab(LOSES, Caps(2.0, 50_000))
    tab.finish("analyse")
    assert tab.view["remark"]["reason"] == WHY
    assert tab.view["marks"] == {6: "blunder"}
    tab.finish("go", ply=1)
    assert tab.view["remark"]["text"] == ""
    asked: list[Any] = []
    tab.act("go", ply=6)
    tab.think(run=lambda _task, arguments, *_: asked.append(arguments["judged"]))
    assert asked == [True], "once is enough"
    assert tab.view["remark"]["reason"] == WHY


def test_a_review_has_reasons() -> None:
    tab = Tab(LOSES, Caps(2.0, 50_000))
    tab.finish("review", 7, player="engine", seconds=0.05)
    assert tab.view["review"]["mistakes"][-1]["reason"] == WHY
    assert tab.view["remark"]["reason"] == WHY
    assert "loses the exchange" in " ".join(tab.export()["pgn"].split())


def test_a_game_that_is_over_is_not_analysed() -> None:
    tab = Tab("/analyse?moves=f2f3_e7e5_g2g4_d8h4")
    assert "the game is over here" in tab.told_after("analyse")
    assert tab.view["over"] == "checkmate"


def test_a_review() -> None:
    tab = Tab("/analyse", Caps(2.0, 100_000))
    assert "there is no game yet" in tab.told_after("review", **REVIEW)
    tab.finish("load", text=SCHOLAR)
    tab.finish("review", 3, **REVIEW)
    assert tab.view["review"]["judged"] == 3
    assert tab.act("stop")["review"]["paused"]
    assert tab.jobs == []
    tab.finish("resume", 5)
    review = tab.view["review"]
    assert review["done"]
    assert tab.view["marks"][6] == "blunder"
    assert [one["name"] for one in review["mistakes"]][-1] == "3... Nf6"
    assert review["report"]["graph"].startswith("<svg")
    assert "accuracy" in review["report"]["white"]
    assert "[%eval" in tab.export()["pgn"]
    tab.act("go", ply=1)
    tab.act("move", move="c7c5")  # the report must be written anew, with the variation
    tab.act("export")
    assert tab.told_after("go", ply=0) == "a game is being written"
    tab.think()
    pgn = tab.store[tab.message("export")["data"]]["pgn"]
    assert "[%eval" in pgn
    assert "1... c5" in pgn
    tab.act("go", ply=0)


def tree(tab: Tab) -> dict[str, Any]:
    found: dict[str, Any] = tab.store[tab.view["trees"][0]["data"]]
    return found


def test_a_tree_is_recorded_when_a_tab_comes_in() -> None:
    tab = Tab("/inside?a=alpha_beta_pruning_no_memo&depth=3&fen=P5")
    assert tab.view["busy"] == "tree"
    tab.think().shows(busy="")
    assert tree(tab)["about"]["algorithm"] == "alpha_beta_pruning_no_memo"
    assert "size" in [column[0] for column in tree(tab)["columns"]]


def test_two_trees_side_by_side_and_deeper() -> None:
    tab = Tab("/inside?a=minimax_no_memo&b=didactic.alpha_beta&depth=3").think(2)
    assert [one["name"] for one in tab.view["trees"]] == ["minimax_no_memo", "didactic.alpha_beta"]
    tab.finish("deeper", side=1, line=["a2a3"], request=7)
    sent = tab.message("subtree")
    assert sent["request"] == 7
    assert tab.store[sent["data"]]["count"] > 1
    told = tab.told_after("deeper", side=0, line=["a2a5"], request=8)
    assert "no legal move in that line" in told
    sent = tab.message("subtree")
    assert sent["request"] == 8
    assert "no legal move" in sent["failed"]


@pytest.mark.parametrize("what", ["stop", "compare", "record", "again", "deeper", "open"])
def test_a_node_that_is_not_opened_any_more_is_told_so(what: str) -> None:
    tab = Tab("/inside?a=minimax_no_memo&depth=3").think()
    assert tab.act("deeper", side=0, line=["a2a3"], request=7)["busy"] == "deeper"
    data: dict[str, Any] = {"side": 0, "line": ["b2b3"], "request": 8}
    tab.act(what, names=["search"], address="/play", **data)
    (told,) = (message for message in tab.sent if message["kind"] == "subtree")
    stopped = {"request": 7, "failed": "This search was stopped.", "room": "inside"}
    assert told == {**told, **stopped}
    busy = {"compare": "compare", "record": "tree", "again": "tree", "deeper": "deeper"}
    assert tab.view.get("busy", "") == busy.get(what, "")


def test_trees_stay_as_long_as_they_are_shown() -> None:
    tab = Tab("/inside?a=minimax_no_memo&b=negamax&depth=2").think(2)
    names = [one["data"] for one in tab.view["trees"]]
    for request in range(20):
        tab.finish("deeper", side=0, line=["a2a3"], request=request)
    tab.act("open", address="/analyse?moves=e2e4")
    for _ in range(20):
        tab.act("export")
    assert set(names) <= tab.store.keys()
    assert len(tab.store) == 8
    tab.act("open", address="/inside")
    tab.store.clear()
    tab.finish("again", 2)
    assert {one["data"] for one in tab.view["trees"]} == tab.store.keys()


def test_a_second_tree_that_was_left_is_recorded_later() -> None:
    tab = Tab("/inside?a=minimax_no_memo&b=negamax&depth=2").think()
    tab.act("open", address="/analyse")
    assert tab.act("open", address="/inside")["busy"] == "tree"
    tab.think().shows(busy="")
    assert [one["name"] for one in tab.view["trees"]] == ["minimax_no_memo", "negamax"]


def test_the_node_in_view_is_in_the_address() -> None:
    tab = Tab("/inside?depth=2").think()
    tab.act("select", line=["e2e4", "e7e5"])
    assert tab.address == "/inside?a=alpha_beta_pruning&depth=2&at=e2e4_e7e5"
    assert Tab(tab.address).view["at"] == ["e2e4", "e7e5"]
    for line in ("e2e4", ["e7e5"], ["e2e4"] * 99, [5], None):
        assert tab.told_after("select", line=line)
    assert tab.view["at"] == ["e2e4", "e7e5"]


def test_a_comparison() -> None:
    tab = Tab("/inside?depth=2", PATIENT).think()
    assert "choose the searches" in tab.told_after("compare", names=[], depth=2)
    tab.finish("compare", names=["search", "negamax"], depth=2)
    assert tab.view["comparison"]["table"].count("negamax") == 2
    plots = tab.store[tab.view["comparison"]["plots"]]
    assert all("</svg>" in plots[theme] for theme in ("light", "dark"))
    assert plots["light"] != plots["dark"]
    assert "compare=search,negamax" in tab.address


@pytest.mark.usefixtures("no_plots")
def test_a_link_compares() -> None:
    tab = Tab("/inside?depth=2").think()
    tab.act("compare", names=["search", "negamax"], depth=3)
    assert tab.address.endswith("&compare_depth=3")
    again = Tab(tab.address, PATIENT).think()
    again.shows(busy="compare")
    again.think().shows(compared_depth=3)
    assert again.view["comparison"]["table"].count("negamax") == 3
    again.act("record", fen="kiwipete", depth=2)
    assert "compare" not in again.address, "it is not of this position"


@pytest.fixture
def no_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is drawn: that takes a second each time."""
    monkeypatch.setattr("betacut.web.tasks._plotted", lambda _: {})


@pytest.mark.usefixtures("no_plots")
def test_a_comparison_is_of_the_position_in_the_field() -> None:
    tab = Tab("/inside?depth=2&at=e2e4", PATIENT).think()
    before = tab.address
    for wrong in ("banana", "8/8/8/8/8/8/8/8 w - - 0 1", 0, "x" * 300):
        assert tab.told_after("compare", names=["search"], depth=2, fen=wrong, order="generated")
        assert (tab.view["busy"], tab.address) == ("", before)
    search: dict[str, Any] = {"names": ["search"], "depth": 2, "fen": "P5"}
    assert "nonsense" in tab.told_after("compare", **search, order="nonsense")
    assert tab.address == before
    trees = tab.act("compare", **search, order="captures_first")["trees"]
    assert trees == [], "those of the start position"
    tab.think()
    assert "8/R7/6k1/3q3p" in tab.address
    assert "order=captures_first" in tab.address
    assert "at=" not in tab.address
    link = Tab(tab.address, PATIENT).think(2)
    tables = [re.sub(r"[\d.]+ m?s\b", "", one.view["comparison"]["table"]) for one in (link, tab)]
    assert tables[0] == tables[1] != ""
    tab.shows(busy="tree")
    assert tree(tab.think()) == tree(link)
    tab.finish("compare", names=["negamax"], depth=2, fen=tab.view["fen"], order="captures_first")
    assert tab.view["busy"] == "", "the tree is that of this position already"


def test_an_empty_field_is_the_start_of_the_game() -> None:
    tab = Tab("/inside?fen=P5&depth=2").think()
    assert tab.act("record", a="minimax", depth=2, fen="")["fen"] == chess.STARTING_FEN


@pytest.mark.usefixtures("no_plots")
def test_a_comparison_that_runs_out_of_time_shows_what_it_has() -> None:
    tab = Tab("/inside?depth=2").think()
    tab.act("compare", names=["search", "negamax"], depth=2)

    def slow(task: str, arguments: dict[str, object], job: Job, tell: object) -> None:
        TASKS[task](tell, **{**arguments, "depth": 1})
        out_of_time(task, arguments, job, tell)

    tab.think(run=slow).shows(busy="compare")
    tab.think().shows(busy="")
    assert tab.view["comparison"]["cut"]
    assert tab.view["comparison"]["table"].count("negamax") == 1
    assert tab.notice == ""


def test_closing_forgets_what_could_be_fetched() -> None:
    tab = Tab("/inside?depth=2").think()
    assert len(tab.store) == 1
    for _ in range(9):
        tab.finish("record", a="minimax", b="", depth=1, ply=1, order="generated", fen="")
    assert len(tab.store) == 6
    tab.session.close()
    assert tab.store == {}
    sent = len(tab.sent)
    tab.session.show()
    assert len(tab.sent) == sent
