"""The engine for lichess-bot, against stand-ins of lichess-bot with the signatures it has had."""

import sys
from collections.abc import Iterator
from importlib import reload
from pathlib import Path
from types import ModuleType
from typing import Any

import chess
import pytest
from chess.engine import Cp, Limit, PlayResult, PovScore

import betacut
from betacut import lichess

E4 = chess.Move.from_uci("e2e4")
D4 = chess.Move.from_uci("d2d4")


class FillerEngine:
    """What lichess-bot calls in place of an engine's methods."""

    def __init__(self, main_engine: Any, name: str) -> None:  # noqa: ANN401 - an engine
        self.id = {"name": name}
        self.main_engine = main_engine

    def __getattr__(self, method_name: str) -> Any:  # noqa: ANN401 - a function
        return lambda *args, **kwargs: self.main_engine.notify(method_name, *args, **kwargs)


class EngineWrapper:
    """lichess-bot's base class of all engines, with what it does around a search."""

    def __init__(self, options: dict[str, Any], draw_or_resign: dict[str, Any]) -> None:
        self.scores: list[PovScore] = []
        self.draw_or_resign = draw_or_resign
        self.go_commands = options.pop("go_commands", {}) or {}
        assert options == {}
        self.engine_name = self.__class__.__name__
        self.engine = FillerEngine(self, self.engine_name)

    def add_go_commands(self, time_limit: Limit) -> Limit:
        time_limit.depth = self.go_commands.get("depth")
        return time_limit

    def offer_draw_or_resign(self, result: PlayResult, board: chess.Board) -> PlayResult:
        result.resigned = self.scores[-1].relative < Cp(self.draw_or_resign["resign_score"])
        return result

    def name(self) -> str:
        return self.engine.id["name"]

    def __enter__(self) -> "EngineWrapper":
        self.engine.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.engine.ping()
        self.engine.quit()
        self.engine.__exit__(*error)


class MinimalEngine(EngineWrapper):
    """The base class of homemade engines since December 2025."""

    def __init__(
        self,
        commands: list[str],
        options: dict[str, Any],
        stderr: int | None,
        draw_or_resign: dict[str, Any],
        game: object,
        debug: bool,
        **popen_args: str,
    ) -> None:
        super().__init__(options, draw_or_resign)


class OlderEngine(EngineWrapper):
    """The one before: it knows no debugging, and gives its engines names."""

    def __init__(
        self,
        commands: list[str],
        options: dict[str, Any],
        stderr: int | None,
        draw_or_resign: dict[str, Any],
        game: object = None,
        name: str | None = None,
        **popen_args: str,
    ) -> None:
        super().__init__(options, draw_or_resign)
        self.engine = FillerEngine(self, name or self.engine_name)


MADE_WITH = {MinimalEngine: (None, False), OlderEngine: (None,)}
"""What the versions of lichess-bot make an engine with, after what all of them do."""


class StandIn:
    """A player and an engine of betacut that note how they are used."""

    def __init__(self, name: str = "engine", **settings: object) -> None:
        self.calls: list[object] = [name, settings]
        self.result = PlayResult(E4, None, {"score": PovScore(Cp(-50), chess.WHITE)})
        self.engine = self

    def limits_for(self, limit: Limit, turn: chess.Color) -> Limit:
        return limit

    def play(self, board: chess.Board, limit: Limit, **others: object) -> PlayResult:
        self.calls += [limit, others]
        return self.result

    def choose(self, board: chess.Board, limit: Limit) -> PlayResult:
        self.calls.append(limit)
        return self.result

    def close(self) -> None:
        self.calls.append("close")


@pytest.fixture(params=MADE_WITH)
def base(request: pytest.FixtureRequest) -> type[EngineWrapper]:
    found: type[EngineWrapper] = request.param
    return found


@pytest.fixture
def bot(base: type[EngineWrapper], monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Any]]:
    package, wrapper = ModuleType("lib"), ModuleType("lib.engine_wrapper")
    vars(wrapper)["MinimalEngine"] = base
    monkeypatch.setitem(sys.modules, "lib", package)
    monkeypatch.setitem(sys.modules, "lib.engine_wrapper", wrapper)
    monkeypatch.setattr(betacut, "player", StandIn, raising=False)
    yield reload(lichess).BetacutEngine
    monkeypatch.undo()
    reload(lichess)


def make(bot: type[Any], **options: object) -> Any:  # noqa: ANN401 - a class made here
    """An engine, made as lichess-bot makes it."""
    settings = {"resign_score": -1000}
    (others,) = (MADE_WITH[base] for base in MADE_WITH if issubclass(bot, base))
    return bot(["/bots/BetacutEngine"], options, None, settings, *others, cwd="/bots")


def test_the_engine(bot: type[Any]) -> None:
    engine = make(bot, Hash=64, go_commands={"depth": 5})
    assert engine.name() == engine.engine_name == "betacut (engine)"
    stand_in = engine._engine
    limit = Limit(white_clock=60, black_clock=60, clock_id="real time")
    result = engine.search(chess.Board(), limit, True, False, PlayResult(None, None))
    assert (result.move, result.resigned) == (E4, False)
    assert engine.scores == [PovScore(Cp(-50), chess.WHITE)]
    name, settings, limit, others = stand_in.calls
    assert (name, settings, limit.depth) == ("engine", {"Hash": 64}, 5)
    assert (others["root_moves"], others["ponder"], others["draw_offered"]) == (None, True, False)


def test_moves_to_choose_from(bot: type[Any]) -> None:
    engine = make(bot)
    engine.search(chess.Board(), Limit(time=1), False, False, [D4, E4])
    assert engine._engine.calls[-1]["root_moves"] == [D4, E4]
    engine.search(chess.Board(), Limit(time=1), False, False, [])
    assert engine._engine.calls[-1]["root_moves"] is None
    player = make(bot, player="minimax", depth=3)
    with pytest.raises(ValueError, match=r"root_moves must be legal in .*, not e2e5"):
        player.search(chess.Board(), Limit(time=1), False, False, [chess.Move.from_uci("e2e5")])
    assert player._player.calls == ["minimax", {"depth": 3}]
    for moves, expected in (([D4, E4], E4), ([D4], D4), (PlayResult(None, None), E4)):
        assert player.search(chess.Board(), Limit(time=1), False, False, moves).move == expected


def test_resigning_by_the_rules_of_lichess_bot(bot: type[Any]) -> None:
    engine = make(bot, player="minimax")
    engine._player.result.info["score"] = PovScore(Cp(-2000), chess.WHITE)
    assert engine.search(chess.Board(), Limit(time=1), False, False, []).resigned
    engine._player.result = PlayResult(E4, None)
    for turn in chess.COLORS:
        board = chess.Board()
        board.turn = turn
        assert not engine.search(board, Limit(time=1), False, False, []).resigned


def test_the_end(bot: type[Any]) -> None:
    for options in ({}, {"player": "minimax"}):
        with make(bot, **options) as engine:
            held = engine._player
            engine.engine.send_game_result(chess.Board())
            assert "close" not in held.calls
        assert "close" in held.calls


@pytest.mark.parametrize("base", [OlderEngine], indirect=True)
def test_older_versions(bot: type[Any]) -> None:
    """They know no game, and one may be called otherwise."""
    assert bot([], {}, None, {}, cwd="/bots").name() == "betacut (engine)"
    assert bot([], {}, None, {}, name="a bot", cwd="/bots").name() == "a bot"


@pytest.mark.parametrize("base", [MinimalEngine], indirect=True)
def test_what_a_version_asks_for_by_name(bot: type[Any]) -> None:
    """All that it is made with reaches the base class, which may ask for anything."""
    settings: dict[str, Any] = {"commands": [], "stderr": None, "draw_or_resign": {}, "game": None}
    assert bot(options={}, debug=True, **settings).name() == "betacut (engine)"
    with pytest.raises(TypeError, match="debug"):
        bot(options={}, **settings)


def test_without_lichess_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does another program's package `lib` matter."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "engine_wrapper.py").write_text("x = 1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(betacut, "player", StandIn, raising=False)
    bot = reload(lichess).BetacutEngine([], {"player": "random"}, None, None)
    result = bot.search(chess.Board(), Limit(time=1), False, True, [])
    assert result.move == E4
    bot.notify("quit")
    for name in ("lib", "lib.engine_wrapper"):
        sys.modules.pop(name, None)


def test_with_players_of_betacut() -> None:
    """As soon as a game begins, without any stand-in."""
    pytest.importorskip("betacut.games.players")
    board = chess.Board()
    clocks = Limit(white_clock=10, black_clock=10)
    for player in ("minimax", "engine"):
        bot = lichess.BetacutEngine([], {"player": player, "depth": 2}, None, None)
        found = bot.search(board, clocks, False, False, PlayResult(None, None))
        assert found.move in [*board.legal_moves]
        bot.close()


OWN = [{}, {"depth": 4}, {"time": 0.2}, {"player": "engine", "nodes": 5000}]


@pytest.mark.parametrize("options", OWN, ids=str)
def test_the_engine_chooses_within_its_own_limits(options: dict[str, Any]) -> None:
    """The queen that takes is worth a queen, the one that steps beside its opponent is lost."""
    board = chess.Board("3qk3/8/8/8/8/8/8/3QK3 w - - 0 1")
    bad, good = chess.Move.from_uci("d1d7"), chess.Move.from_uci("d1d8")
    bot = lichess.BetacutEngine([], options, None, None)
    result = bot.search(board, Limit(time=30, depth=6), False, False, [bad, good])
    assert (result.move, result.info["depth"] <= options.get("depth", 6)) == (good, True)
    bot.close()


def test_a_rating_is_played_by() -> None:
    """As by the player of that name."""
    bot = lichess.BetacutEngine([], {"UCI_Elo": 1500}, None, None)
    found = bot.search(chess.Board(), Limit(depth=20), False, False, [])
    assert found.info["depth"] < 10
    bot.close()
