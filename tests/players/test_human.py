"""The player at the terminal."""

from __future__ import annotations

from collections.abc import Callable

import chess
import pytest

import betacut
from betacut import PlayerError
from betacut.players import NoMoveError, read_move

PROMOTES = "8/4P2k/8/8/8/8/8/K7 w - - 0 1"
TWO_KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        (chess.STARTING_FEN, "Nf3", "g1f3"),
        (chess.STARTING_FEN, " g1f3\n", "g1f3"),
        (chess.STARTING_FEN, "G1F3", None),
        (chess.STARTING_FEN, "e4", "e2e4"),
        (TWO_KNIGHTS, "Nbd2", "b1d2"),
        (PROMOTES, "e8=Q", "e7e8q"),
        (PROMOTES, "e7e8n", "e7e8n"),
        (PROMOTES, "e7e8N", "e7e8n"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "e1g1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "0-0", "e1g1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "e1g1"),
    ],
)
def test_moves(fen: str, text: str, uci: str | None) -> None:
    if uci is None:
        with pytest.raises(NoMoveError):
            read_move(chess.Board(fen), text)
    else:
        assert read_move(chess.Board(fen), text).uci() == uci


@pytest.mark.parametrize(
    ("fen", "text", "says"),
    [
        (chess.STARTING_FEN, "", "write a move, such as Nf3 or g1f3"),
        (chess.STARTING_FEN, "hello", "'hello' is no move: write it like Nf3 or g1f3"),
        (chess.STARTING_FEN, "e5", "e5 is not legal here"),
        (chess.STARTING_FEN, "e4e5", "e4e5 is not legal: e4 is empty"),
        (chess.STARTING_FEN, "e7e5", "e7e5 is not legal: the piece on e7 is Black's"),
        (TWO_KNIGHTS, "Nd2", "Nd2 can mean Nfd2 or Nbd2"),
        (PROMOTES, "e7e8", "e7e8 is a promotion: write e7e8q, r, b or n"),
        (PROMOTES, "e8", "e8 is a promotion if it is legal: write e8=Q, R, B or N"),
        ("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", "O-O", "O-O is not legal: your king is in check"),
        (chess.STARTING_FEN, "--", "passing is not allowed"),
        (chess.STARTING_FEN, "0000", "passing is not allowed"),
    ],
)
def test_what_is_wrong(fen: str, text: str, says: str) -> None:
    with pytest.raises(NoMoveError) as caught:
        read_move(chess.Board(fen), text)
    assert str(caught.value) == says


def answering(*answers: str) -> tuple[Callable[[str], str], list[str]]:
    """Somebody who gives these answers, and what was asked."""
    rest = list(answers)
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        if not rest:
            raise EOFError
        return rest.pop(0)

    return ask, asked


def test_asks_until_there_is_a_move() -> None:
    ask, asked = answering("e5", "castle", "e4")
    told: list[str] = []
    with betacut.player("human", ask=ask, tell=told.append) as player:
        played = player.choose(chess.Board())
    assert played.move == chess.Move.from_uci("e2e4")
    assert asked == ["White to move: "] * 3
    assert told == ["e5 is not legal here", "'castle' is no move: write it like Nf3 or g1f3"]


def test_resigns_and_ends() -> None:
    board = chess.Board()
    board.push_san("e4")
    ask, _ = answering("resign")
    with betacut.player("human", ask=ask, tell=print) as player:
        played = player.choose(board)
        assert (played.move, played.resigned) == (None, True)
        with pytest.raises(PlayerError, match="human: no more input, and Black is to move"):
            player.choose(board)


def test_at_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask, asked = answering("Ke2", "d4")
    monkeypatch.setattr("builtins.input", ask)
    with betacut.player("human") as player:
        assert str(player.choose(chess.Board()).move) == "d2d4"
    assert asked == ["White to move: "] * 2
    assert capsys.readouterr().out == "Ke2 is not legal here\n"


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
