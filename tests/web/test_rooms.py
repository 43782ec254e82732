"""The rooms as a person uses them, without a browser."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from betacut.web.apart import StoppedError
from betacut.web.sessions import Caps
from support.tabs import Tab

BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
SCHOLAR = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0"


# Play.


def test_a_game_begins_and_the_player_answers() -> None:
    tab = Tab("/play?vs=search,depth%3D2")
    assert tab.view["yours"]
    assert tab.view["board"]["legal"]["g1f3"] == "Nf3"
    tab.act("move", move="e2e4")
    assert tab.view["thinking"] == "player"
    assert tab.view["board"]["legal"] == {}
    tab.think()
    assert tab.view["yours"]
    assert len(tab.view["moves"]) == 2
    assert tab.view["last"]["depth"] == 2
    assert tab.view["board"]["last"] is not None
    assert tab.address.startswith("/play?vs=search,depth%3D2&moves=e2e4_")


def test_a_game_is_won_by_mate() -> None:
    tab = Tab(f"/play?vs=random&fen={BACK_RANK.replace(' ', '+')}")
    tab.act("move", move="Ra8")
    assert tab.view["end"] == {"text": "White wins: checkmate.", "result": "1-0"}
    assert tab.view["board"]["check"] == "g8"
    assert tab.turns == []
    tab.act("move", move="e2e4")
    assert tab.notice == "it is not your move"


@pytest.mark.parametrize("move", ["e2e5", "Ke2", "nonsense", "", "e7e5", 5, None, "x" * 5000])
def test_illegal_moves_are_refused_and_change_nothing(move: object) -> None:
    tab = Tab("/play")
    before = tab.view
    tab.act("move", move=move)
    assert tab.notice
    assert tab.view == before


def test_black_waits_for_the_player() -> None:
    tab = Tab("/play")
    tab.act("new", vs="random", side="black", clock="", fen="")
    assert tab.view["thinking"] == "player"
    assert tab.view["board"]["orientation"] == "black"
    tab.think()
    assert tab.view["yours"]
    assert len(tab.view["moves"]) == 1


def test_moves_are_taken_back_while_the_player_thinks_too() -> None:
    tab = Tab("/play?vs=random")
    tab.act("undo")
    assert tab.notice == "There is no move of yours to take back."
    tab.act("move", move="e2e4")
    tab.act("undo")
    assert (tab.view["moves"], tab.view["thinking"], tab.turns) == ([], "", [])
    tab.act("move", move="d2d4")
    tab.think()
    tab.act("undo")
    assert tab.view["moves"] == []
    assert tab.address == "/play?vs=random"


def test_a_promotion() -> None:
    tab = Tab("/play?vs=random&fen=8/P6k/8/8/8/8/8/K7+w+-+-+0+1")
    assert {"a7a8q", "a7a8n"} <= tab.view["board"]["legal"].keys()
    tab.act("move", move="a7a8n")
    assert tab.view["moves"] == ["a8=N"]
    assert tab.view["captured"] == {"white": "", "black": "", "ahead": 3}


def test_captured_men() -> None:
    tab = Tab("/play?moves=e2e4_d7d5_e4d5_d8d5_b1c3_d5g2_f1g2")
    assert tab.view["captured"] == {"white": "qp", "black": "pp", "ahead": 8}


def test_hints_and_arrows() -> None:
    tab = Tab(f"/play?vs=random&fen={BACK_RANK.replace(' ', '+')}", Caps(0.2, 100_000))
    tab.act("hint")
    assert tab.view["thinking"] == "hint"
    tab.think()
    assert tab.view["said"] == "Hint: Ra8# (#1)."
    assert tab.view["board"]["arrows"] == [{"move": "a1a8", "kind": "best", "label": "#1"}]
    tab.act("arrows", on=True)
    tab.think()
    arrows = tab.view["board"]["arrows"]
    assert [arrow["kind"] for arrow in arrows] == ["best", "other", "other"]
    tab.act("arrows", on=False)
    assert tab.view["board"]["arrows"] == []


def test_resigning_and_draws() -> None:
    tab = Tab("/play?vs=random&moves=e2e4_e7e5")
    tab.act("draw")
    assert tab.view["said"] == "No draw: it has given no score yet."
    tab.act("resign")
    assert tab.view["end"] == {"text": "Black wins: White resigns.", "result": "0-1"}
    assert tab.address.endswith("&end=resigned")
    assert Tab(tab.address).view["end"] == tab.view["end"]


def test_the_clock() -> None:
    tab = Tab("/play?vs=random&clock=5%2B3&moves=e2e4_e7e5&left=100.0-200.0")
    clock = tab.view["clock"]
    assert clock["running"] == "white"
    assert 90 < clock["white"] <= 100
    assert clock["black"] == 200
    tab.act("move", move="g1f3")
    assert 93 < tab.view["clock"]["white"] <= 103
    tab.think()
    assert tab.view["clock"]["running"] == "white"
    fallen = Tab("/play?vs=random&clock=5%2B3&moves=e2e4_e7e5&left=0.0-200.0")
    assert fallen.view["end"] == {"text": "Black wins: White's time is over.", "result": "0-1"}


def test_a_flag_falls_while_the_player_thinks() -> None:
    tab = Tab("/play?vs=random&clock=5%2B3&moves=e2e4_e7e5&left=100.0-200.0")
    room = tab.session.room
    room.game.clock.set_times((-1.0, 200.0))  # type: ignore[attr-defined]
    room.game.clock.start(chess.WHITE)  # type: ignore[attr-defined]
    tab.wait()
    assert tab.view["end"]["text"] == "Black wins: White's time is over."


def test_a_game_in_and_out() -> None:
    tab = Tab("/play?vs=random")
    tab.act("load", text=SCHOLAR)
    assert tab.view["thinking"] == "load"
    tab.think()
    assert tab.view["moves"][-1] == "Qxf7#"
    assert tab.view["end"]["result"] == "1-0"
    tab.act("export")
    sent = next(message for message in tab.sent if message["kind"] == "export")
    found = tab.store[sent["data"]]
    assert "Qxf7# 1-0" in found["pgn"]
    assert found["fen"].startswith("r1bqkb1r/pppp1Qpp/")
    tab.act("load", text="kiwipete")
    assert tab.view["board"]["fen"].startswith("r3k2r/p1ppqpb1/")
    tab.act("load", text="8/8/8/8/8/8/8/8 w - - 0 1")
    assert "KING" in tab.notice
    tab.act("load", text="1. e4 e5 2. Ke3")
    tab.think()
    assert "illegal" in tab.notice
    assert tab.view["board"]["fen"].startswith("r3k2r/p1ppqpb1/")
    tab.act("load", text="x" * 200_000)
    assert tab.notice == "text must have up to 100,000 characters, not 200,000"


def test_a_search_that_fails_is_told_and_the_game_goes_on() -> None:
    tab = Tab("/play?vs=didactic.minimax,faithful%3Dyes")
    tab.act("move", move="e2e4")
    tab.turns[0].stop("time")
    turn = tab.turns[0]

    class Slow:
        def run(self, *_: object) -> None:
            raise StoppedError

    turn.work(turn, Slow())
    tab._calls.pop()()
    assert "took longer than the 2 s" in tab.notice
    assert tab.view["thinking"] == ""
    tab.act("undo")
    assert tab.view["yours"]


def test_a_process_that_cannot_be_started_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    tab = Tab("/analyse?moves=e2e4")
    tab.act("analyse")
    turn = tab.turns[0]

    class Broken:
        def run(self, *_: object) -> None:
            raise OSError("too many processes")

    turn.work(turn, Broken())
    tab._calls.pop()()
    assert tab.notice == "the search could not be run: too many processes"
    assert not tab.view["running"]
    assert "too many processes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("address", "wrong"),
    [
        ("/play?vs=uci:/bin/sh", "not offered"),
        ("/play?vs=book:/etc/passwd", "not offered"),
        ("/play?vs=engine,SyzygyPath%3D/etc", "not offered"),
        ("/play?vs=human", "not offered"),
        ("/play?side=green", "side must be one of"),
        ("/play?clock=soon", "time must be minutes"),
        ("/play?moves=e2e5", "no legal move at ply 1"),
        ("/play?clock=5%2B3&left=nan-1", "white must be a number"),
        ("/play?end=won", "end must be"),
        ("/watch?white=xboard:x", "not offered"),
        ("/watch?results=xyz&games=9", "results must be"),
        ("/watch?games=0", "games must be an integer from 1"),
        ("/analyse?lines=99", "lines must be"),
        ("/analyse?moves=e2e4&ply=7", "ply must be"),
        ("/inside?a=nonsense", "a must be one of"),
        ("/inside?depth=40", "depth must be"),
        ("/inside?at=e2e5", "no legal move in that line"),
        ("/inside?order=nonsense", "nonsense"),
        ("/inside?compare=nonsense", "compare must be one of"),
        ("/nowhere", "there is no room"),
    ],
)
def test_bad_addresses_open_the_room_as_usual_and_say_why(address: str, wrong: str) -> None:
    tab = Tab(address)
    assert wrong in tab.notice
    assert tab.view["board"]["fen"] == chess.STARTING_FEN


@pytest.mark.parametrize(
    "message", [None, 5, {}, {"do": 5}, {"do": "nonsense"}, {"do": "__init__"}]
)
def test_nonsense_is_refused(message: object) -> None:
    tab = Tab("/play?moves=e2e4_e7e5")
    tab.session.act(message)
    assert tab.view["moves"] == ["e4", "e5"]


def test_a_tab_that_asks_without_end_is_not_heard() -> None:
    tab = Tab("/play")
    for _ in range(1000):
        tab.act("flip")
    assert len(tab.sent) < 300


# Watch.


def test_a_match() -> None:
    tab = Tab("/watch")
    start = BACK_RANK
    tab.act("start", white="search,depth=2", black="random", games="2", time="0.5", fen=start)
    assert tab.view["running"]
    tab.think()
    assert tab.view["end"]["text"] == "White wins: checkmate."
    assert tab.view["table"][0] == {
        "name": "search, depth 2",
        "points": 1.0,
        "wins": 1,
        "draws": 0,
        "losses": 0,
        "elo": "",
    }
    assert tab.view["value"].startswith("#1")
    assert (tab.view["number"], tab.view["white"]) == (1, 0)
    again = Tab(tab.address)
    assert (again.view["number"], again.view["table"]) == (1, tab.view["table"])
    assert "games=2" in tab.address
    assert "results=w" in tab.address
    tab.wait()
    assert tab.view["number"] == 2
    assert tab.view["white"] == 1
    assert tab.view["moves"], "the second game begins with an opening"


def test_pause_step_and_go_on() -> None:
    tab = Tab("/watch?white=random&black=random&moves=e2e4_e7e5_g1f3")
    assert not tab.view["running"]
    tab.act("resume")
    tab.think()
    assert len(tab.view["moves"]) == 4
    tab.act("pause")
    tab.wait()
    assert tab.turns == []
    tab.act("step", ply=1)
    assert tab.view["ply"] == 1
    assert tab.view["board"]["fen"].startswith("rnbqkbnr/pppppppp/8/8/4P3")
    assert tab.view["board"]["last"] == "e2e4"
    assert len(tab.view["moves"]) == 4
    tab.act("step", ply=9)
    assert "ply must be an integer from 0 to 4" in tab.notice
    tab.act("resume")
    assert tab.view["ply"] == 4


def test_the_graph_follows_the_values() -> None:
    tab = Tab("/watch?white=search,depth%3D1&black=search,depth%3D1")
    tab.act("resume")
    flat = tab.view["graph"]
    tab.think()
    tab.wait()
    tab.think()
    assert tab.view["graph"] != flat
    assert tab.view["graph"].startswith("<svg")


def test_leaving_pauses_and_coming_back_finds_it() -> None:
    tab = Tab("/watch?white=random&black=random")
    tab.act("resume")
    tab.think()
    tab.session.open("/play")
    tab.wait()
    assert tab.turns == []
    tab.session.open("/watch")
    assert len(tab.view["moves"]) == 1
    assert not tab.view["running"]


def test_a_reload_in_the_middle_of_a_match() -> None:
    tab = Tab("/watch?white=random&black=search,depth%3D2&games=4&results=wd&moves=e2e4_e7e5")
    again = Tab(tab.address)
    assert again.view == tab.view
    assert [row["points"] for row in tab.view["table"]] == [1.5, 0.5]


# Analyse.


def test_both_searches_value_a_position() -> None:
    tab = Tab(f"/analyse?fen={BACK_RANK.replace(' ', '+')}&lines=2", Caps(0.5, 100_000))
    tab.act("analyse")
    assert tab.view["running"]
    tab.think()
    assert not tab.view["running"]
    first = tab.view["depths"][0]
    assert first["depth"] == 1
    assert first["exact"]["score"] == "#1"
    assert tab.view["values"][0]["playing"] == tab.view["values"][0]["exact"] == "#1"
    assert tab.view["values"][0]["san"] == "Ra8#"
    assert tab.view["board"]["arrows"][0]["label"] == "#1"


def test_an_analysis_is_shorter_where_others_wait() -> None:
    tab = Tab("/analyse", Caps(8.0, 1000))
    for others, seconds in ((0, 8.0), (3, 2.0), (99, 1.0)):
        tab.others = others
        assert tab.act("analyse")["seconds"] == seconds
        assert len(tab.turns) == 1


def test_moves_forth_and_back() -> None:
    tab = Tab("/analyse?moves=e2e4_e7e5_g1f3")
    tab.act("go", ply=1)
    assert tab.address == "/analyse?moves=e2e4_e7e5_g1f3&ply=1"
    assert Tab(tab.address).view == tab.view
    tab.act("move", move="e7e5")
    assert (tab.view["ply"], len(tab.view["moves"])) == (2, 3)
    tab.act("move", move="f1c4")
    assert (tab.view["ply"], tab.view["moves"]) == (3, ["e4", "e5", "Bc4"])
    tab.act("go", ply=4)
    assert tab.notice


def test_a_position_is_set_up() -> None:
    tab = Tab("/analyse")
    tab.act("edit", fen="8/8/8/8/8/8/8/8 w - - 0 1")
    assert tab.notice == "nothing is being set up"
    tab.act("editor", on=True)
    assert tab.view["board"]["edit"]
    tab.act("edit", fen="8/8/8/8/8/8/8/8 w - - 0 1")
    assert "KING" in tab.view["edited"]["wrong"].upper()
    tab.act("editor", on=False)
    assert tab.notice
    assert tab.view["editing"]
    tab.act("edit", fen="4k3/8/8/8/8/8/8/R3K3 b Q - 0 1")
    assert tab.view["edited"]["wrong"] == ""
    tab.act("edit", fen="nonsense")
    assert "cannot read the position" in tab.notice
    tab.act("editor", on=False)
    assert tab.view["board"]["fen"] == "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1"
    assert "fen=4k3" in tab.address
    tab.act("editor", on=True)
    tab.act("cancel")
    assert tab.view["board"]["fen"] == "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1"


def test_an_analysis_that_runs_out_of_time_is_done() -> None:
    """It takes all its time: what it has found is enough. Without anything found it has failed."""

    class Slow:
        def __init__(self, turn: Any) -> None:  # noqa: ANN401
            self.turn = turn

        def run(self, _task: str, _arguments: object, _turn: object, tell: Any) -> None:  # noqa: ANN401
            for found in self.found:
                tell(found)
            self.turn.stop("time")
            raise StoppedError

        found: tuple[dict[str, object], ...] = ()

    for found, said in [((), "took longer"), (({"by": "exact", "depth": 1, "nodes": 20},), "")]:
        tab = Tab("/analyse")
        assert tab.act("analyse")["running"]
        turn = tab.turns.pop()
        slow = Slow(turn)
        score = {"text": "+0.50"}
        line = {"move": "e2e4", "san": ["e4"], "score": score}
        slow.found = tuple({**one, "lines": [line], "best": ["e4"]} for one in found)
        turn.work(turn, slow)
        while tab._calls:
            tab._calls.pop(0)()
        assert said in tab.notice
        assert bool(said) == bool(tab.notice)
        assert not tab.view["running"]


def test_a_game_that_is_over_is_not_analysed() -> None:
    tab = Tab("/analyse?moves=f2f3_e7e5_g2g4_d8h4")
    tab.act("analyse")
    assert "the game is over here" in tab.notice
    assert tab.view["over"] == "checkmate"


def test_a_review() -> None:
    tab = Tab("/analyse", Caps(2.0, 100_000))
    tab.act("review", player="search", seconds=0.02)
    assert "there is no game yet" in tab.notice
    tab.act("load", text=SCHOLAR)
    tab.think()
    tab.act("review", player="search", seconds=0.02)
    tab.think(3)
    assert tab.view["review"]["judged"] == 3
    tab.act("stop")
    assert tab.view["review"]["paused"]
    assert tab.turns == []
    tab.act("resume")
    tab.think(5)
    review = tab.view["review"]
    assert review["done"]
    assert review["verdicts"][5] == "blunder"
    assert [one["name"] for one in review["mistakes"]][-1] == "3... Nf6"
    assert review["report"]["graph"].startswith("<svg")
    assert "accuracy" in review["report"]["white"]
    tab.act("export")
    sent = next(message for message in tab.sent if message["kind"] == "export")
    assert "[%eval" in tab.store[sent["data"]]["pgn"]


# Look inside.


def tree(tab: Tab) -> dict[str, object]:
    found: dict[str, object] = tab.store[tab.view["trees"][0]["data"]]
    return found


def test_a_tree_is_recorded_when_somebody_comes_in() -> None:
    tab = Tab("/inside?a=alpha_beta_pruning_no_memo&depth=3&fen=P5")
    assert tab.view["busy"] == "tree"
    tab.think()
    assert tab.view["busy"] == ""
    found = tree(tab)
    assert found["about"]["algorithm"] == "alpha_beta_pruning_no_memo"  # type: ignore[index]
    assert any(column[0] == "size" for column in found["columns"])  # type: ignore[attr-defined]


def test_two_trees_side_by_side_and_deeper() -> None:
    tab = Tab("/inside?a=minimax_no_memo&b=didactic.alpha_beta&depth=3")
    tab.think(2)
    assert [one["name"] for one in tab.view["trees"]] == ["minimax_no_memo", "didactic.alpha_beta"]
    tab.act("deeper", side=1, line=["a2a3"], request=7)
    tab.think()
    sent = tab.sent[-2]
    assert (sent["kind"], sent["request"], sent["side"]) == ("subtree", 7, 1)
    below = tab.store[sent["data"]]
    assert below["count"] > 1
    tab.act("deeper", side=0, line=["a2a5"], request=8)
    assert "no legal move in that line" in tab.notice


def test_where_somebody_looks_is_in_the_address() -> None:
    tab = Tab("/inside?depth=2")
    tab.think()
    tab.act("select", line=["e2e4", "e7e5"])
    assert tab.address == "/inside?a=alpha_beta_pruning&depth=2&at=e2e4_e7e5"
    assert Tab(tab.address).view["at"] == ["e2e4", "e7e5"]
    for line in ("e2e4", ["e7e5"], ["e2e4"] * 99, [5], None):
        tab.act("select", line=line)
        assert tab.notice
    assert tab.view["at"] == ["e2e4", "e7e5"]


def test_a_comparison() -> None:
    tab = Tab("/inside?depth=2")
    tab.think()
    tab.act("compare", names=[], depth=2)
    assert "choose the searches" in tab.notice
    tab.act("compare", names=["search", "negamax"], depth=2)
    tab.think()
    table = tab.view["comparison"]["table"]
    assert table.count("negamax") == 2
    assert "</svg>" in tab.view["comparison"]["plot"]
    assert "compare=search,negamax" in tab.address


def test_closing_forgets_what_could_be_fetched() -> None:
    tab = Tab("/inside?depth=2")
    tab.think()
    assert len(tab.store) == 1
    for _ in range(9):
        tab.act("record", a="minimax", b="", depth=1, ply=1, order="generated", fen="")
        tab.think()
    assert len(tab.store) == 6
    tab.session.close()
    assert tab.store == {}
    sent = len(tab.sent)
    tab.session.show()
    assert len(tab.sent) == sent


def test_a_clock_stands_still_in_another_room() -> None:
    tab = Tab("/play?vs=random&clock=1%2B0&moves=e2e4_e7e5&left=4-60")
    assert [timer.cancelled for timer in tab.timers] == [False]
    tab.act("open", address="/analyse")
    assert all(timer.cancelled for timer in tab.timers), "nothing waits for a flag to fall"
    tab.act("open", address="/play")
    assert tab.view["end"] is None


def test_a_player_is_done_before_its_turn_is_ended() -> None:
    for seconds in (0.2, 1.0, 10.0):
        assert 0.5 * seconds < Caps(seconds).thinking < seconds
