"""The page as a person uses it, without a browser: addresses, games, matches."""

import chess
import chess.engine
import pytest

from betacut.web import state
from betacut.web.host import Caps
from support.tabs import BACK_RANK, BACK_RANK_QUERY, SCHOLAR, Tab, out_of_time


def test_a_game_begins_and_the_player_answers() -> None:
    tab = Tab("/play?vs=search,depth%3D2")
    tab.shows(yours=True)
    assert tab.view["board"]["legal"]["g1f3"] == "Nf3"
    assert tab.act("move", move="e2e4")["thinking"] == "player"
    assert tab.view["board"]["legal"] == {}
    tab.think().shows(yours=True)
    assert (len(tab.view["moves"]), tab.view["last"]["depth"]) == (2, 2)
    assert tab.view["board"]["last"] is not None
    assert tab.address.startswith("/play?vs=search,depth%3D2&moves=e2e4_")


def test_a_game_is_won_by_mate() -> None:
    tab = Tab(f"/play?vs=random&{BACK_RANK_QUERY}")
    assert tab.act("move", move="Ra8")["end"] == {"text": "White wins: checkmate.", "result": "1-0"}
    assert (tab.view["board"]["check"], tab.jobs) == ("g8", [])
    assert tab.told_after("move", move="e2e4") == "it is not your move"


@pytest.mark.parametrize("move", ["e2e5", "Ke2", "nonsense", "", "e7e5", 5, None, "x" * 5000])
def test_illegal_moves_are_refused_and_change_nothing(move: object) -> None:
    tab = Tab("/play")
    before = tab.view
    assert tab.told_after("move", move=move)
    assert tab.view == before


def test_black_waits_for_the_player() -> None:
    tab = Tab("/play")
    assert tab.act("new", vs="random", side="black", clock="", fen="")["thinking"] == "player"
    assert tab.view["board"]["orientation"] == "black"
    tab.think().shows(yours=True)
    assert len(tab.view["moves"]) == 1


def test_moves_are_taken_back_while_the_player_thinks_too() -> None:
    tab = Tab("/play?vs=random")
    assert tab.told_after("undo") == "There is no move of yours to take back."
    tab.shows(undoable=False)
    assert tab.act("move", move="e2e4")["undoable"]
    tab.act("undo")
    assert (tab.view["moves"], tab.view["thinking"], tab.jobs) == ([], "", [])
    tab.finish("move", move="d2d4")
    assert tab.act("undo")["moves"] == []
    assert tab.address == "/play?vs=random"


def test_a_promotion() -> None:
    tab = Tab("/play?vs=random&fen=8/P6k/8/8/8/8/8/K7+w+-+-+0+1")
    assert {"a7a8q", "a7a8n"} <= tab.view["board"]["legal"].keys()
    tab.act("move", move="a7a8n")
    tab.shows(moves=["a8=N"], captured={"white": "", "black": "", "ahead": 3})


def test_captured_men() -> None:
    tab = Tab("/play?moves=e2e4_d7d5_e4d5_d8d5_b1c3_d5g2_f1g2")
    tab.shows(captured={"white": "qp", "black": "pp", "ahead": 8})


def test_hints_and_arrows() -> None:
    tab = Tab(f"/play?vs=random&{BACK_RANK_QUERY}", Caps(0.2, 100_000))
    assert tab.act("hint")["thinking"] == "hint"
    tab.think().shows(said="Hint: Ra8# (#1).")
    assert tab.view["board"]["arrows"] == [{"move": "a1a8", "kind": "best", "label": "#1"}]
    tab.finish("arrows", on=True)
    assert [one["kind"] for one in tab.view["board"]["arrows"]] == ["best", "other", "other"]
    assert tab.act("arrows", on=False)["board"]["arrows"] == []
    tab.act("arrows", on=True)
    tab.act("arrows", on=False)
    assert tab.jobs == [], "nor do they come later"
    tab.act("hint")
    assert tab.act("arrows", on=True)["thinking"] == "hint", "it comes with them"
    tab.think().shows(said="Hint: Ra8# (#1).")
    assert len(tab.view["board"]["arrows"]) == 3


@pytest.mark.parametrize(("text", "plies"), [("1. e4 e5 2. Nf3 Nc6", 4), ("1. Ke2", 0)])
def test_the_best_moves_come_when_a_game_has_been_read(text: str, plies: int) -> None:
    tab = Tab("/play?vs=random", Caps(0.2, 100_000))
    tab.act("load", text=text)
    assert tab.act("arrows", on=True)["thinking"] == "load"
    tab.think(2)
    assert (len(tab.view["moves"]), len(tab.view["board"]["arrows"])) == (plies, 3)


def test_a_player_goes_on_after_a_game_that_cannot_be_read() -> None:
    tab = Tab("/play?vs=random&moves=e2e4")
    tab.finish("load", text="1. Ke2")
    assert "1. Ke2 is not legal" in tab.notice
    tab.shows(thinking="player")


def test_a_game_that_is_too_long_to_go_on_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "LONGEST_GAME", 2)
    tab = Tab("/play?vs=random&side=black&moves=e2e4")
    assert tab.act("move", move="e7e5")["said"].startswith("A game has up to 2 plies here")
    assert tab.jobs == []
    assert Tab(tab.address).view == tab.view


def test_resigning_and_draws() -> None:
    tab = Tab("/play?vs=random&moves=e2e4_e7e5")
    assert tab.act("draw")["said"] == "No draw: it has given no score yet."
    assert tab.act("resign")["end"] == {"text": "Black wins: White resigns.", "result": "0-1"}
    assert tab.address.endswith("&end=resigned")
    assert Tab(tab.address).view["end"] == tab.view["end"]


def test_a_reload_keeps_a_draw_and_the_players_resignation() -> None:
    tab = Tab("/play?vs=random&clock=5%2B3&moves=e2e4_e7e5")
    tab.room.game.offered = True
    assert tab.act("draw")["end"] == {"text": "Draw: agreed.", "result": "1/2-1/2"}
    assert Tab(tab.address).view["end"] == tab.view["end"]
    tab = Tab("/play?vs=random&clock=5%2B3&moves=e2e4_e7e5")
    tab.act("move", move="d2d4")
    tab.room.game.start_clock()
    resigns = chess.engine.PlayResult(None, None, resigned=True)
    tab.think(run=lambda *_: {"score": None, "depth": None, "nodes": None, "result": resigns})
    assert tab.view["end"] == {"text": "White wins: random resigns.", "result": "1-0"}
    assert tab.view["clock"]["running"] is None
    assert Tab(tab.address).view["end"] == tab.view["end"]


def test_a_search_that_time_has_ended_says_how_deep_it_should_go() -> None:
    tab = Tab("/play?vs=search,depth%3D9")
    tab.act("move", move="e2e4")
    result = chess.engine.PlayResult(chess.Move.from_uci("e7e5"), None)
    tab.think(run=lambda *_: {"score": None, "depth": 5, "nodes": 9, "result": result})
    assert tab.view["last"]["reached"] == "depth 5 of 9"


def test_the_clock() -> None:
    tab = Tab("/play?vs=random&clock=5%2B3&moves=e2e4_e7e5&left=100.0-200.0")
    clock = tab.view["clock"]
    assert clock["running"] == "white"
    assert 90 < clock["white"] <= 100
    assert clock["black"] == 200
    assert 93 < tab.act("move", move="g1f3")["clock"]["white"] <= 103
    assert tab.think().view["clock"]["running"] == "white"
    white = tab.act("undo")["clock"]["white"]
    assert white == pytest.approx(100, abs=5), "as it was at the reload"
    assert tab.act("undo")["clock"]["white"] == 300, "no move has been made"
    earlier = Tab("/play?vs=random&clock=5%2B3&moves=e2e4_e7e5_g1f3_b8c6&left=100.0-200.0")
    assert earlier.act("undo")["clock"]["white"] == pytest.approx(100, abs=5)
    fallen = Tab("/play?vs=random&clock=5%2B3&moves=e2e4_e7e5&left=0.0-200.0")
    fallen.shows(end={"text": "Black wins: White's time is over.", "result": "0-1"})


def test_a_clock_that_has_grown_is_read_again() -> None:
    tab = Tab("/play?vs=random&clock=5%2B180&left=9000.0-9000.0")
    assert (tab.notice, "left=9000.0-9000.0" in tab.address) == ("", True)


def test_a_long_name_goes_to_analyse() -> None:
    player = "late_move_reductions,depth=4,order=captures_first,evaluation=simplified"
    for address in (f"/play?vs={player}&moves=e2e4", f"/watch?black={player}&moves=e2e4"):
        tab = Tab(address)
        tab.act("open", address=tab.view["links"]["analyse"])
        assert tab.notice == ""
        assert "late_move_reductions, depth 4" in tab.view["title"]


def test_who_waits_sees_the_others_go() -> None:
    tab = Tab("/play?vs=random")
    tab.before = 2
    tab.act("hint")
    for before in (2, 1, 1, 0):
        tab.before = before
        tab.wait()
        tab.shows(waiting=before)
    assert tab.timers == []


def test_a_flag_falls_while_the_player_thinks() -> None:
    tab = Tab("/play?vs=random&clock=5%2B3&moves=e2e4_e7e5&left=100.0-200.0")
    tab.room.game.clock.set_times((-1.0, 200.0))
    tab.room.game.clock.start(chess.WHITE)
    tab.wait()
    assert tab.view["end"]["text"] == "Black wins: White's time is over."


def test_a_game_in_and_out() -> None:
    tab = Tab("/play?vs=random")
    assert tab.act("load", text=SCHOLAR)["thinking"] == "load"
    for action in ("undo", "resign", "draw"):
        assert tab.told_after(action) == "a game is being read"
    tab.think()
    assert (tab.view["moves"][-1], tab.view["end"]["result"]) == ("Qxf7#", "1-0")
    found = tab.export()
    assert "Qxf7# 1-0" in found["pgn"]
    assert found["fen"].startswith("r1bqkb1r/pppp1Qpp/")
    assert tab.act("load", text="kiwipete")["board"]["fen"].startswith("r3k2r/p1ppqpb1/")
    assert "KING" in tab.told_after("load", text="8/8/8/8/8/8/8/8 w - - 0 1")
    tab.finish("load", text="1. e4 e5 2. Ke3")
    assert "2. Ke3 is not legal; it is right up to 1... e5" in tab.notice
    assert tab.view["board"]["fen"].startswith("r3k2r/p1ppqpb1/")
    told = tab.told_after("load", text="x" * 200_000)
    assert told == "text must have up to 100,000 characters, not 200,000"


def test_a_search_that_fails_is_told_and_the_game_goes_on() -> None:
    tab = Tab("/play?vs=didactic.minimax,faithful%3Dyes")
    tab.act("move", move="e2e4")
    tab.think(run=out_of_time).shows(thinking="")
    assert "took longer than the 2 s" in tab.notice
    assert tab.act("undo")["yours"]


def test_a_process_that_cannot_be_started_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    tab = Tab("/analyse?moves=e2e4")
    tab.act("analyse")

    def broken(*_: object) -> None:
        raise OSError("too many processes")

    tab.think(run=broken).shows(running=False)
    assert tab.notice == "the search could not be run: too many processes"
    assert "too many processes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("address", "wrong"),
    [
        ("/play?vs=uci:/bin/sh", "not offered"),
        ("/play?side=green", "side must be one of"),
        ("/play?clock=soon", "time must be minutes"),
        ("/play?moves=e2e5", "no legal move at ply 1"),
        ("/play?clock=5%2B3&left=nan-1", "left of White must be a number"),
        ("/play?end=won&side=green", "end must be"),
        ("/inside?b=nonsense", "b must be one of minimax"),
        ("/watch?white=xboard:x", "not offered"),
        ("/watch?results=xyz", "results must be"),
        ("/watch?games=0", "games must be an integer from 1"),
        ("/analyse?lines=99", "lines must be"),
        ("/analyse?ply=7", "ply must be"),
        ("/inside?a=nonsense", "a must be one of"),
        ("/inside?depth=40", "depth must be"),
        ("/inside?at=e2e5", "no legal move in that line"),
        ("/inside?order=nonsense", "nonsense"),
        ("/inside?compare=nonsense", "compare must be one of"),
        ("/inside?compare_depth=3", "compare names no search"),
        ("/inside?fen=banana", "cannot read FEN 'banana'"),
        ("/watch?fen=banana", "cannot read FEN 'banana'"),
        ("/play?left=9-9", "left is the time on the clocks, and this game has none"),
        ("/play?banana=1", "the address of play has no key 'banana'"),
        ("/nowhere", "there is no room"),
    ],
)
def test_bad_addresses_open_the_room_as_usual_and_say_why(address: str, wrong: str) -> None:
    tab = Tab(address)
    assert wrong in tab.notice
    view = tab.view
    assert (view["fen"] if "fen" in view else view["board"]["fen"]) == chess.STARTING_FEN


@pytest.mark.parametrize(
    ("address", "wrong"),
    [
        ("/play?{}side=black&clock=5%2B3&moves=e2e4&left=9-9&flip=1", "vs=unknown&"),
        ("/watch?white=random{}&delay=1", "&black=human"),
        ("/analyse?moves=e2e4_e7e5&ply=1{}", "&lines=99"),
        ("/inside?fen=P5&a=minimax{}&ply=3", "&depth=99"),
        ("/inside?fen=P5{}&ply=3", "&deph=3"),
    ],
)
def test_one_wrong_field_of_an_address_leaves_the_others(address: str, wrong: str) -> None:
    tab, other = Tab(address.format(wrong)), Tab(address.format(""))
    assert tab.notice
    assert not other.notice
    assert tab.address.partition("&left")[0] == other.address.partition("&left")[0]


@pytest.mark.parametrize(
    "address",
    [
        "/play?vs=random&side=black&clock=5%2B3&flip=1&arrows=1&fen=P5&moves=g3g4&left=9-9"
        "&end=resigned",
        "/watch?white=random&black=random&games=2&delay=1&time=0.5&results=w&fen=P5&moves=g3g4",
        "/analyse?fen=P5&moves=g3g4_d5a8&white=A&black=B&ply=1&lines=2&flip=1",
        "/inside?fen=P5&a=minimax&b=negamax&depth=2&ply=1&order=captures_first&at=g3g4&compare=search"
        "&compare_depth=3",
    ],
)
def test_each_key_of_an_address_is_read_and_written(address: str) -> None:
    keys = [pair.partition("=")[0] for pair in address.partition("?")[2].split("&")]
    room, fields = state.read_address(address)
    assert sorted(keys) == sorted(state.KEYS[room])
    tab = Tab(address)
    assert tab.notice == ""
    written = state.read_address(tab.address)[1].query
    as_it_was = {key: value for key, value in fields.query.items() if key not in ("fen", "left")}
    assert {**written, **as_it_was} == written
    assert written.keys() == fields.query.keys()


def test_a_room_is_left_as_it_was_by_an_address_that_says_nothing_it_knows() -> None:
    tab = Tab("/analyse?moves=e2e4")
    assert "no key 'banana'" in tab.told_after("open", address="/analyse?banana=1")
    assert tab.view["moves"] == ["e4"]


@pytest.mark.parametrize("room", ["play", "analyse"])
def test_what_cannot_be_loaded_is_refused_and_a_position_is_always_seen(room: str) -> None:
    tab = Tab(f"/{room}?moves=d2d4_d7d5")
    for text in ("banana", "hello. world", "1. banana", '[Event "x"]', "[FEN]\n", "e2e4 e7e5"):
        tab.act("load", text=text)
        if tab.jobs:
            tab.think()
        assert "cannot read" in tab.notice
        assert tab.view["moves"] == ["d4", "d5"]
    tab.finish("load", text='[Variant "Atomic"]\n\n1. e4 e5 *')
    assert tab.notice.endswith(': the variant "Atomic" is not chess')
    assert tab.told_after("load", text=f'{BACK_RANK[:-4]} bm Ra8#; id "no. 1 [mate]";') == ""
    assert tab.view["board"]["fen"].startswith("6k1/5ppp/")


def test_a_link_from_a_server_with_more_time() -> None:
    tab = Tab("/watch?time=60")
    assert (tab.view["time"], tab.notice) == (2.0, "")


@pytest.mark.parametrize(
    "message", [None, 5, {}, {"do": 5}, {"do": "nonsense"}, {"do": "__init__"}]
)
def test_nonsense_is_refused(message: object) -> None:
    tab = Tab("/play?moves=e2e4_e7e5")
    tab.session.act(message)
    assert tab.view["moves"] == ["e4", "e5"]


def test_a_tab_that_asks_without_end_is_not_heard_and_told_so_once() -> None:
    tab = Tab("/play")
    for _ in range(1000):
        tab.act("flip")
    assert len(tab.sent) < 300
    before = len(tab.sent)
    tab.wait()
    assert [message["kind"] for message in tab.sent[before:]] == ["refused", "view"]
    assert "too much at once" in tab.notice
    other = Tab("/play")
    for _ in range(1000):
        other.act("open", address="/analyse")
    assert len(other.sent) < 80, "an address costs more"


def test_the_way_back_finds_a_room_as_it_was() -> None:
    tab = Tab("/analyse?moves=e2e4_e7e5", Caps(0.2, 100_000))
    tab.finish("analyse")
    here, depths = tab.address, tab.view["depths"]
    assert depths
    tab.act("open", address="/play?vs=random&clock=5%2B3&moves=e2e4_e7e5&left=100.0-200.0")
    there, room = tab.address, tab.room
    assert tab.act("open", address=here)["depths"] == depths
    room.game.clock.set_times((50.0, 200.0))
    tab.act("open", address=there)
    assert tab.room is room
    assert tab.view["clock"]["white"] <= 50
    tab.act("open", address="/analyse?moves=d2d4")
    tab.shows(depths=[], moves=["d4"])


def test_a_match() -> None:
    tab = Tab("/watch")
    match = {"white": "search,depth=2", "black": "random", "games": "2", "time": "0.5"}
    assert tab.act("start", fen=BACK_RANK, **match)["running"]
    tab.think().shows(number=1, white=0)
    assert tab.view["end"]["text"] == "White wins: checkmate."
    first = {"name": "search, depth 2", "points": 1.0, "elo": ""}
    assert tab.view["table"][0] == {**first, "wins": 1, "draws": 0, "losses": 0}
    assert tab.view["value"].startswith("#1")
    Tab(tab.address).shows(number=1, table=tab.view["table"])
    assert "games=2" in tab.address
    assert "results=w" in tab.address
    tab.wait()
    tab.shows(number=2, white=1)
    assert tab.view["moves"], "the second game begins with an opening"


def test_pause_step_and_go_on() -> None:
    tab = Tab("/watch?white=random&black=random&moves=e2e4_e7e5_g1f3")
    assert not tab.view["running"]
    tab.finish("resume")
    assert len(tab.view["moves"]) == 4
    tab.act("pause")
    tab.wait()
    assert tab.jobs == []
    assert tab.act("step", ply=1)["ply"] == 1
    assert tab.view["board"]["fen"].startswith("rnbqkbnr/pppppppp/8/8/4P3")
    assert (tab.view["board"]["last"], len(tab.view["moves"])) == ("e2e4", 4)
    assert "ply must be an integer from 0 to 4" in tab.told_after("step", ply=9)
    assert tab.act("resume")["ply"] == 4
    tab.act("step", ply=1)
    assert tab.think().act("step", ply=None)["ply"] == 5, "however many there are by now"


def test_the_graph_follows_the_values() -> None:
    tab = Tab("/watch?white=search,depth%3D1&black=search,depth%3D1")
    flat = tab.act("resume")["graph"]
    tab.think().wait()
    tab.think()
    assert tab.view["graph"] != flat
    assert tab.view["graph"].startswith("<svg")


def test_the_graph_shows_no_value_that_was_not_given() -> None:
    tab = Tab("/watch?white=random&black=random&moves=e2e4_e7e5")
    assert "course" not in tab.view["graph"]
    tab.finish("resume")
    assert "course" not in tab.view["graph"]
    assert not tab.view["valued"]
    tab = Tab("/watch?white=search,depth%3D1&black=random&moves=e2e4_e7e5")
    tab.finish("resume")
    assert tab.view["valued"]
    drawn = tab.view["graph"].partition('class="course" points="')[2].partition('"')[0]
    assert len(drawn.split()) == 2, "the piece of the last move alone"


def test_leaving_pauses_and_coming_back_finds_it() -> None:
    tab = Tab("/watch?white=random&black=random")
    tab.finish("resume")
    tab.act("open", address="/play")
    tab.wait()
    assert tab.jobs == []
    assert not tab.act("open", address="/watch")["running"]
    assert len(tab.view["moves"]) == 1


def test_a_reload_in_the_middle_of_a_match() -> None:
    tab = Tab("/watch?white=random&black=search,depth%3D2&games=4&results=wd&moves=e2e4_e7e5")
    assert Tab(tab.address).view == tab.view
    assert [row["points"] for row in tab.view["table"]] == [1.5, 0.5]


def test_a_clock_stands_still_in_another_room() -> None:
    tab = Tab("/play?vs=random&clock=1%2B0&moves=e2e4_e7e5&left=4-60")
    assert [timer.cancelled for timer in tab.timers] == [False]
    tab.act("open", address="/analyse")
    assert all(timer.cancelled for timer in tab.timers), "nothing waits for a flag to fall"
    assert tab.act("open", address="/play")["end"] is None


def test_a_player_is_done_before_its_turn_is_ended() -> None:
    for seconds in (0.2, 1.0, 10.0):
        assert 0.5 * seconds < Caps(seconds).thinking < seconds
