"""All players by name: each plays, their settings are checked, and texts are read."""

import re
from pathlib import Path

import chess
import pytest
from chess.engine import Limit, PovScore

import betacut
from betacut import Player, engine, players
from betacut.games.players.catalogue import entry_of
from betacut.games.players.settings import settings_in, title_of
from betacut.originals import chessai, cosc76, didactic
from games.players.support import BY_THEMSELVES, chosen
from support.boards import FINISHED

MIDDLEGAME = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 1 5"
MATE_IN_1 = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"
MATED = FINISHED["White is mated"]


def test_every_algorithm_and_every_class_of_the_originals_has_a_player() -> None:
    names = set(players.names())
    assert set(engine.ALGORITHMS) <= names
    for program, classes in ((chessai, 0), (cosc76, 5), (didactic, 12)):
        prefix = program.__name__.rpartition(".")[2]
        assert {f"{prefix}.{name}" for name in program.ALGORITHMS} <= names
        public = [getattr(program, name) for name in program.__all__]
        found = {f"{prefix}.{one._algorithm}" for one in public if hasattr(one, "_algorithm")}
        assert len(found) == classes
        assert found <= names
    assert {"engine", "search", "random", "human", "didactic.one_ply"} <= names
    assert {"book:FILE", "uci:COMMAND", "xboard:COMMAND"} <= names


@pytest.mark.parametrize("name", BY_THEMSELVES)
@pytest.mark.parametrize("fen", [chess.STARTING_FEN, MIDDLEGAME, MATE_IN_1])
def test_each_plays(name: str, fen: str) -> None:
    board = chess.Board(fen)
    before = board.copy()
    with betacut.player(name) as player:
        assert isinstance(player, Player)
        assert player.name == name
        played = player.choose(board, Limit(depth=2))
        assert played.move is not None
        assert played.move in board.legal_moves
        assert board == before
        assert board.move_stack == before.move_stack
        if name != "random":
            assert isinstance(played.info["score"], PovScore)
            assert played.info["score"].turn == board.turn
            assert played.info["pv"][0] == played.move
        assert player.choose(chess.Board(MATED)).move is None


WEAK = {"cosc76.iterative_deepening_ai", "cosc76.better_ai", "random"}
"""Players that do not see a mate in one, or not always."""


@pytest.mark.parametrize("name", [name for name in BY_THEMSELVES if name not in WEAK])
@pytest.mark.parametrize("turned", [False, True])
def test_each_mates_in_one(name: str, turned: bool) -> None:
    board = chess.Board(MATE_IN_1)
    board = board.mirror() if turned else board
    played = chosen(name, board, Limit(depth=1))
    board.push(played.move)
    assert board.is_checkmate(), played
    if not name.startswith("cosc76."):
        assert played.info["score"].relative.mate() == 1


@pytest.mark.parametrize("name", players.names())
def test_each_is_described(name: str) -> None:
    lines = players.describe(name).splitlines()
    assert lines[0].startswith(f"{name}: ")
    entry, _ = entry_of(name.replace("FILE", "x").replace("COMMAND", "x"))
    for setting in entry.settings:
        assert any(line.startswith(f"  {setting} (") for line in lines)
    assert all(setting.help.endswith(".") for setting in entry.settings.values())


@pytest.mark.parametrize("name", [*BY_THEMSELVES, "human"])
def test_no_other_setting_is_taken(name: str) -> None:
    with pytest.raises(TypeError, match="has no setting 'colour'"):
        betacut.player(name, colour="red")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("search,depth=4, threads=2", "search,depth=4,threads=2"),
        (" minimax , evaluation = material ", "minimax,evaluation=material"),
        ("iterative_deepening,quiescence=no", "iterative_deepening,quiescence=no"),
        ("cosc76.better_ai,faithful=YES", "cosc76.better_ai,faithful=yes"),
        ("negascout,order=hash_move+mvv_lva,seed=7", "negascout,order=hash_move+mvv_lva,seed=7"),
    ],
)
def test_texts(text: str, name: str) -> None:
    """The name of a player makes the same player."""
    for written in (text, name):
        with players.parse(written) as player:
            assert player.name == name


def test_settings_reach_the_search() -> None:
    board = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    scores = set()
    for evaluation in ("simplified", "material", lambda board: 17):
        played = chosen("minimax", board, depth=1, evaluation=evaluation)
        assert played.info["score"] == engine.minimax(board, 1, evaluation=evaluation).pov_score
        scores.add(played.info["score"].relative.score())
    assert 17 in scores
    assert len(scores) == 3


def test_quiet_leaves_are_those_of_the_search() -> None:
    """`quiescence` is a switch of `search`; the textbook's rule is no setting."""
    board = chess.Board(MIDDLEGAME)
    found = {quiet: engine.search(board, 2, quiescence=quiet).pov_score for quiet in (False, True)}
    assert found[False] != found[True]
    for quiet, text in ((False, "search,depth=2"), (True, "search,depth=2,quiescence=yes")):
        with players.parse(text) as player:
            assert player.choose(board).info["score"] == found[quiet]
    for name in ("minimax_no_memo", "alpha_beta_pruning_no_memo"):
        with pytest.raises(TypeError, match=f"{name} has no setting 'quiescence'"):
            betacut.player(name, quiescence="captures")


def test_seeds() -> None:
    """A seed draws among the best moves; without one it is always the first."""
    board = chess.Board()
    best = engine.search(board, 3).best_moves
    assert len(best) > 1
    for name in ("search", "minimax"):
        drawn = []
        for settings in ({}, {"seed": 1}, {"seed": 1}):
            with betacut.player(name, depth=3, **settings) as player:
                drawn.append([player.choose(board).move for _ in range(16)])
        assert set(drawn[0]) == {best[0]}
        assert set(drawn[1]) == set(best)
        assert drawn[1] == drawn[2]


@pytest.mark.parametrize(
    ("text", "name", "settings"),
    [
        ("a", "a", {}),
        ("a,b=1,c=x=y", "a", {"b": "1", "c": "x=y"}),
        ("a,b='1,2',c=\"3, '4'\"", "a", {"b": "1,2", "c": "3, '4'"}),
        ("uci:'/opt/a, b/x' -c,Hash=1", "uci:'/opt/a, b/x' -c", {"Hash": "1"}),
        ("uci:/x,Move Overhead=5", "uci:/x", {"Move Overhead": "5"}),
        ("book:/home/o'brien/a.bin,seed=1", "book:/home/o'brien/a.bin", {"seed": "1"}),
        (title_of("book:a,b.bin", {"seed": 1}), "book:a,b.bin", {"seed": "1"}),
    ],
)
def test_quotes(text: str, name: str, settings: dict[str, str]) -> None:
    assert settings_in(text) == (name, settings)


def test_the_page_names_players_that_there_are() -> None:
    page = (Path(__file__).parents[3] / "docs" / "players.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:chessai|cosc76|didactic)\.[a-z]\w*", page))
    assert len(named) > 15
    assert named - set(players.names()) == {"didactic.bratko_kopec"}  # a function
