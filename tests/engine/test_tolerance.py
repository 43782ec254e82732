"""What programs for `chess.engine` may ask of an engine, `Engine` and `AsyncEngine` answer.

What is tolerated is asked of Debian's stockfish too, if it is there: it answers, so we do.
"""

from __future__ import annotations

import asyncio
import logging
import os
from itertools import product
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.variant
import numpy
import pytest
from chess.engine import INFO_ALL, EngineError, Limit

import betacut
from betacut import AsyncEngine, Engine, InvalidPositionError, PlayerError
from betacut import engine as searches
from betacut.core.exceptions import UnsupportedVariantError

START = chess.Board()
NOT_THERE = "/no/such/folder"

AnyEngine = Any
"""Of any kind that answers as a SimpleEngine does."""


LIMITS = [
    *(Limit(time=-0.05), Limit(time=0), Limit(depth=0), Limit(depth=-3), Limit(nodes=0)),
    *(Limit(white_clock=-1.0, black_clock=-2.0), Limit(white_clock=0.0)),
    Limit(white_clock=1.0, white_inc=-0.1, black_inc=-5.0),
    Limit(white_clock=1.0, remaining_moves=-1),
    Limit(white_clock=1.0, remaining_moves=2.0),  # type: ignore[arg-type]
    *(Limit(depth=3.0), Limit(depth=2.9), Limit(nodes=1e3)),  # type: ignore[arg-type]
]


@pytest.mark.sampled(3, every=["engine", "limit"])
@pytest.mark.parametrize("limit", LIMITS, ids=repr)
def test_limits_that_are_put_right(engine: AnyEngine, limit: Limit) -> None:
    assert engine.play(START, limit).move in START.legal_moves
    assert engine.analyse(START, limit)["score"]


def test_numbers_of_numpy(ours: Engine) -> None:
    assert ours.analyse(START, Limit(depth=numpy.int64(0)))["depth"] == 1
    for time in (numpy.int64(0), numpy.int64(-1), numpy.float64(-0.5)):
        for limit in (Limit(time=time), Limit(white_clock=time)):
            assert ours.play(START, limit).move
    assert searches.search(START, time=numpy.int32(0)).depth == 1


def test_what_limits_are_read_as(ours: Engine) -> None:
    for limit in (Limit(depth=0), Limit(depth=-(10**400)), Limit(depth=1.9)):  # type: ignore[arg-type]
        assert ours.analyse(START, limit)["depth"] == 1
    assert ours.analyse(START, Limit(time=-5))["time"] < 5.0
    mate = ours.play("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", Limit(mate=0)).move
    assert mate == chess.Move.from_uci("f1h1")
    with ours.analysis(START, Limit(depth=0)) as analysis:
        assert [info["depth"] for info in analysis] == [1]
    for name in ("time", "white_clock", "white_inc"):
        with pytest.raises(EngineError, match=f"limit.{name} must be .* not nan"):
            ours.play(START, Limit(**{"depth": 1, name: float("nan")}))  # type: ignore[arg-type]
    limit = Limit(depth=0, time=-1)
    ours.play(START, limit)
    assert (limit.depth, limit.time) == (0, -1)


def test_more_lines_than_there_are(engine: AnyEngine) -> None:
    most = engine.options["MultiPV"].max
    lines = engine.analyse(START, Limit(depth=2), multipv=most)
    moves = sorted(line["pv"][0].uci() for line in lines)
    assert moves == sorted(move.uci() for move in START.legal_moves)


def test_lines_beyond_the_most(either: AnyEngine) -> None:
    for multipv in (257, 500, 10**400, 300.0):
        assert len(either.analyse(START, Limit(depth=1), multipv=multipv)) == 20
    for multipv in (0, -1):
        with pytest.raises(EngineError, match="multipv must be between 1 and 256 lines, not"):
            either.analyse(START, Limit(depth=1), multipv=multipv)


BOGUS = {
    "no pawn has passed": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1",
    "on a rank where none can be": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e4 0 1",
    "no rooks": "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
    "some rooks": "r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1",
    "a king elsewhere": "4k3/8/8/8/8/8/3K4/R6R w KQ - 0 1",
    "both": "4k3/8/8/8/8/8/4P3/4K3 b KQkq d3 0 1",
}


@pytest.mark.parametrize("fen", BOGUS.values(), ids=list(BOGUS))
def test_what_cannot_be_is_dropped(engine: AnyEngine, fen: str) -> None:
    board = chess.Board(fen)
    before = board.copy()
    assert engine.play(board, Limit(depth=3)).move in board.legal_moves
    assert engine.analyse(board, Limit(depth=3))["score"]
    assert (board.castling_rights, board.ep_square) == (before.castling_rights, before.ep_square)
    assert board == before
    # Its moves are played on it.
    for move in list(board.legal_moves)[:1]:
        board.push(move)
        board.push(next(iter(board.legal_moves)))
    assert engine.play(board, Limit(depth=3)).move in board.legal_moves


def test_what_is_dropped_is_said(ours: Engine) -> None:
    both = "4k3/8/8/8/8/8/4P3/4K2R b KQ d3 0 1"
    said = "en passant square d3 is not used: no pawn has just passed it; castling rights KQ are "
    for board in (both, chess.Board(both)):
        told = ours.analyse(board, Limit(depth=2))["string"]
        assert told.startswith(f"{said}read as K: ")
        assert ours.play(board, Limit(depth=2), info=INFO_ALL).info["string"] == told
        assert ours.play(board, Limit(depth=2)).info == {}
        with ours.analysis(board, Limit(depth=2)) as analysis:
            assert analysis.get() == {"string": told}
            assert [info["depth"] for info in analysis] == [1, 2]
    assert "string" not in ours.analyse(START, Limit(depth=1))
    fischer = chess.Board("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", chess960=True)
    fischer.castling_rights |= chess.BB_C1
    assert "castling rights HCA are read as HA" in ours.analyse(fischer, Limit(depth=1))["string"]


@pytest.mark.parametrize("fen", BOGUS.values(), ids=list(BOGUS))
def test_the_other_searches_stay_strict(fen: str) -> None:
    misplaced = "4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1"
    for wrong, given in ((fen, fen), (chess.Board(misplaced), misplaced)):
        with pytest.raises(InvalidPositionError) as raised:
            searches.search(wrong, 1)
        assert str(raised.value).endswith(f"; FEN {given}")
    with pytest.raises(InvalidPositionError):
        searches.search(chess.Board(fen), 1)
    with pytest.raises(InvalidPositionError), betacut.player("engine") as player:
        player.choose(chess.Board(fen), Limit(depth=1))
    with pytest.raises(ValueError, match="depth must be an int of 1 or more"):
        searches.search("P5", Limit(depth=0))


REFUSED = {
    "r3k2r/8/8/8/8/8/3K4/R3R2R w KQkq - 0 1": "BAD_CASTLING_RIGHTS | OPPOSITE_CHECK",
    "8/8/8/8/8/2k5/2p5/8 w KQ e4 0 1": "NO_WHITE_KING",
    "P3k3/8/8/8/8/8/8/4K3 w K - 0 1": "PAWNS_ON_BACKRANK",
}


@pytest.mark.parametrize("fen", REFUSED)
def test_a_position_that_is_refused_is_shown_as_it_was_given(fen: str, either: AnyEngine) -> None:
    commands = (either.play, either.analyse, either.analysis)
    for wrong, command in product((fen, chess.Board(fen)), commands):
        with pytest.raises(EngineError) as raised:
            command(wrong, Limit(depth=1))
        message = str(raised.value)
        assert message.startswith(f"invalid position: {REFUSED[fen]}")
        assert message.endswith(f"; FEN {fen}")
        assert isinstance(raised.value, InvalidPositionError)
    with pytest.raises(EngineError, match=f"NO_WHITE_KING.*; EPD {'8/' * 7}8 w - - id"):
        either.play(f'{"8/" * 7}8 w - - id "nothing";', Limit(depth=1))


def test_what_is_refused(ours: Engine) -> None:
    atomic = chess.variant.AtomicBoard()
    with pytest.raises(EngineError, match="atomic is not supported") as raised:
        ours.play(atomic, Limit(depth=1))
    assert isinstance(raised.value, UnsupportedVariantError)
    for wrong in ("no such position", "8/8"):
        with pytest.raises(EngineError, match="cannot read FEN"):
            ours.play(wrong, Limit(depth=1))
    with pytest.raises(EngineError, match="illegal root move e2e5"):
        ours.play(START, Limit(depth=1), root_moves=[chess.Move.from_uci("e2e5")])


def test_options_that_are_put_right(engine: AnyEngine, tmp_path: Path) -> None:
    paths = [{"SyzygyPath": path} for path in (None, NOT_THERE, tmp_path, "")]
    for options in ({"Hash": 32.0}, *paths):
        engine.configure(options)
        assert engine.play(START, Limit(depth=2)).move in START.legal_moves
        assert engine.play(START, Limit(depth=2), options=options).move in START.legal_moves


def test_what_options_are_read_as(ours: Engine) -> None:
    ours.configure({"Hash": 32.0, "SyzygyPath": None, "BookFile": None})  # type: ignore[dict-item]
    assert repr(ours) == "<betacut.Engine (Hash=32, SyzygyPath='', BookFile='')>"
    for value in (32.5, float("inf"), float("nan"), "32.0"):
        with pytest.raises(EngineError, match="expected integer for spin option 'Hash'"):
            ours.configure({"Hash": value})  # type: ignore[dict-item]


def test_tablebases_that_are_missing(
    ours: Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """They are told of, in the log once, and in each answer."""
    empty = tmp_path / "empty"
    empty.mkdir()
    missing = f"no tablebases in {NOT_THERE}"
    with caplog.at_level(logging.WARNING, "chess.engine"):
        ours.configure({"Hash": 2, "SyzygyPath": NOT_THERE})
        for _ in range(2):
            assert missing in ours.analyse(START, Limit(depth=2))["string"]
        (said,) = caplog.messages
        assert missing in said
        assert missing in ours.missing_tablebases
        both = {"SyzygyPath": os.pathsep.join([str(empty), NOT_THERE])}
        assert "empty" in ours.analyse(START, Limit(depth=1), options=both)["string"]
        assert missing in ours.analyse(START, Limit(depth=1))["string"]
        ours.configure({"SyzygyPath": ""})
        assert "string" not in ours.analyse(START, Limit(depth=1))
        assert not ours.missing_tablebases
    assert repr(ours) == "<betacut.Engine (Hash=2, SyzygyPath='')>"
    coroutines = AsyncEngine({"SyzygyPath": NOT_THERE})
    assert missing in coroutines.missing_tablebases
    assert missing in asyncio.run(coroutines.analyse(START, Limit(depth=1)))["string"]
    with pytest.raises(PlayerError, match=missing):
        betacut.player("engine", SyzygyPath=NOT_THERE)
