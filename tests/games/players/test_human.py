"""The player at the terminal."""

from collections.abc import Callable

import chess
import pytest

import betacut
from betacut import PlayerError
from games.support import pushed


def answering(*answers: str) -> tuple[Callable[[str], str], list[str]]:
    """A user who gives these answers, and the list of questions."""
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        if len(asked) > len(answers):
            raise EOFError
        return answers[len(asked) - 1]

    return ask, asked


def test_asks_until_there_is_a_move() -> None:
    ask, asked = answering("e5", "castle", "e4")
    told: list[str] = []
    with betacut.player("human", ask=ask, tell=told.append) as player:
        assert player.choose(chess.Board()).move == chess.Move.from_uci("e2e4")
    assert asked == ["White to move: "] * 3
    assert told == [
        "e5 is illegal: a pawn does not move from e2 to e5",
        "cannot read 'castle': write a move like a3 or b1a3",
    ]


def test_resigns_and_ends() -> None:
    board = pushed("e4")
    ask, _ = answering("resign")
    with betacut.player("human", ask=ask, tell=print) as player:
        played = player.choose(board)
        assert (played.move, played.resigned) == (None, True)
        with pytest.raises(PlayerError, match="human: no more input, and Black is to move"):
            player.choose(board)


def test_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ask, asked = answering("Ke2", "d4")
    monkeypatch.setattr("builtins.input", ask)
    with betacut.player("human") as player:
        assert str(player.choose(chess.Board()).move) == "d2d4"
    assert asked == ["White to move: "] * 2
    assert capsys.readouterr().out == "Ke2 is illegal: your own pawn is on e2\n"


def test_ctrl_c_passes() -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    with betacut.player("human", ask=interrupted) as player:
        with pytest.raises(KeyboardInterrupt):
            player.choose(chess.Board())
        with pytest.raises(KeyboardInterrupt):  # not busy for ever
            player.choose(chess.Board())


def test_prompts_are_functions() -> None:
    with pytest.raises(TypeError, match="human: ask must be a function"):
        betacut.player("human", ask=5)
