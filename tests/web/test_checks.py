"""What comes in is checked: players, addresses, positions, numbers."""

import chess
import pytest

from betacut import players
from betacut.games.players import catalogue
from betacut.web import choices, state

PLAYERS = ["uci:/bin/sh", "'uci:/bin/sh'", " uci:/bin/sh ", "xboard:gnuchess", "book:/etc/passwd"]
PLAYERS += ["human", "deep-blue", ""]

SETTINGS = """
book=/etc/passwd tablebase=/ SyzygyPath=/ syzygypath=/ BookFile=/etc/passwd OwnBook=yes Hash=65536
Threads=64 timeout=0.1 book_seed=1 no=1
"""


@pytest.mark.parametrize(
    ("player", "wrong"),
    [
        *((player, "not offered") for player in PLAYERS),
        *((f"engine,{setting}", "not offered") for setting in SETTINGS.split()),
        ("x" * 300, "must be a text"),
        ("engine:foo", "the player 'engine' takes nothing after a colon, not 'engine:foo'"),
        ("search,depth=0", "depth"),
        ("search,depth=deep", "depth must be plies"),
        ("search,depth=4,depth=5", "twice"),
        ("search,'depth", "quotation"),
        ("engine,UCI_Elo=9999", "UCI_Elo"),
        ("minimax,evaluation=/etc/passwd", "no evaluation is called"),
        ("minimax,order=nonsense", "nonsense"),
    ],
)
def test_players_that_are_refused(player: str, wrong: str) -> None:
    """Such as name something of the server, use the machine up, or are none."""
    with pytest.raises(ValueError, match=wrong):
        choices.check_player(player)


def test_every_setting_is_offered_or_known_to_be_none_for_clients() -> None:
    refused = {"book", "book_choice", "book_min_weight", "book_seed", "mb", "tablebase"}
    refused |= {"threads", "timeout", "increase_depth_below"}
    found: set[str] = set()
    for name in choices.offered():
        found |= catalogue.entry_of(name)[0].settings.keys()
    assert found - choices.SETTINGS == refused
    assert found >= choices.SETTINGS


def test_all_that_live_in_this_process_are_offered() -> None:
    expected = [name for name in players.names() if ":" not in name and name != "human"]
    assert list(choices.offered()) == expected
    assert [entry["name"] for entry in choices.players()] == expected
    assert all(choices.check_player(name) == name for name in expected)


@pytest.mark.parametrize(
    ("address", "wrong"),
    [
        ("/nowhere", "there is no room 'nowhere'"),
        ("/wach", "did you mean 'watch'"),
        ("/etc/passwd", "no room"),
        (5, "an address is a text"),
        ("/play?" + "&".join(f"a{i}=1" for i in range(50)), "up to 40 keys, not 50"),
        ("/play?" + "x" * 30_000, "up to 20000 characters"),
    ],
)
def test_bad_addresses(address: object, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        state.read_address(address)


def test_addresses_are_read_as_they_were_written() -> None:
    query = {"vs": "search,depth=4", "fen": "k7/8/8/8/8/8/8/K7 w - - 0 1", "end": "ü&=+"}
    room, fields = state.read_address(state.write_address("play", query))
    assert (room, fields.query, fields.wrong) == ("play", query, [])


@pytest.mark.parametrize(
    ("address", "query", "wrong"),
    [
        ("/play?vs=random&sied=black", {"vs": "random"}, "play has no key 'sied'; did you mean"),
        ("/play?FEN=P5", {}, "no key 'FEN'; did you mean 'fen'?"),
        ("/watch?a=minimax", {}, "watch has no key 'a'; it has white, black, games, delay"),
        ("/analyse?banana", {}, "analyse has no key 'banana'"),
        ("/inside?x=1&y=2&z=3&u=4&v=5", {}, "no key 'x', 'y', 'z' and 2 more;"),
        ("/inside?depth=3&a=minimax&depth=5", {"a": "minimax"}, "has 'depth' more than once"),
        ("/inside?depth=3&depth=", {}, "has 'depth' more than once"),
    ],
)
def test_wrong_keys_are_named(address: str, query: dict[str, str], wrong: str) -> None:
    _, fields = state.read_address(address)
    assert fields.query == query
    (said,) = fields.wrong
    assert wrong in said


@pytest.mark.parametrize("address", ["/play?", "/play?fen=&moves=", "/play?fen", "//play"])
def test_empty_keys_say_nothing(address: str) -> None:
    room, fields = state.read_address(address)
    assert (room, fields.query, fields.wrong) == ("play", {}, [])


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ({"moves": "e2e4_e2e4"}, "moves: 'e2e4' is no legal move at ply 2"),
        ({"moves": "nonsense"}, "'nonsense'"),
        ({"moves": "0000"}, "'0000'"),
        ({"moves": "e2e4_" * 2000}, "up to 600 moves"),
        ({"moves": "_".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 151)}, "up to 600 moves"),
        ({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "KING"),
        ({"fen": "x" * 300}, "up to 200 characters"),
        ({"fen": 7}, "not 7"),
    ],
)
def test_bad_games(query: dict[str, object], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        state.game_of(query)


def test_games_are_read_as_they_were_written() -> None:
    board = chess.Board("4k3/P7/8/8/8/8/8/4K3 w - - 3 9")
    board.push_san("a8=N")
    board.push_san("Kd7")
    knights = ["g1f3", "g8f6", "f3g1", "f6g8"] * 150
    assert len(state.game_of({"moves": "_".join(knights)}).move_stack) == 600
    again = state.game_of(state.game_query(board))
    assert (again, again.move_stack) == (board, board.move_stack)
    assert state.game_query(chess.Board()) == {"fen": "", "moves": ""}


@pytest.mark.parametrize(
    "value", [True, None, 1.5, "x", "", "-1", "99999999999", -1, 101, [], "\uff11"]
)
def test_bad_integers(value: object) -> None:
    with pytest.raises(ValueError, match="depth must be an integer from 0 to 100"):
        state.integer({"depth": value}, "depth", 0, 100)


@pytest.mark.parametrize("value", [True, None, "nan", "inf", "x", "", -1, 11, []])
def test_bad_numbers(value: object) -> None:
    with pytest.raises(ValueError, match="delay must be a number from 0 to 10"):
        state.number({"delay": value}, "delay", 0, 10)


def test_numbers_and_names() -> None:
    assert state.integer({"depth": "7"}, "depth", 0, 100) == 7
    assert state.number({"delay": "0.5"}, "delay", 0, 10) == 0.5
    assert state.flag({"on": True}, "on") is state.flag({"on": "1"}, "on") is True
    with pytest.raises(ValueError, match="did you mean 'white'"):
        state.choice({"side": "wite"}, "side", ("white", "black"))
    with pytest.raises(ValueError, match="on must be 1 or 0"):
        state.flag({"on": "yes"}, "on")
    with pytest.raises(ValueError, match="up to 5 characters, not 6"):
        state.text({"text": "123456"}, "text", 5)
