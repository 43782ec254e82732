"""`betacut.Engine` does what `chess.engine.SimpleEngine` does, and the programs of its users run.

The first half are programs as python-chess's documentation of engines has them: they play, analyse,
follow an analysis, set options. Each runs with `betacut.Engine()`, with `betacut.AsyncEngine()`,
whose coroutines are waited for, and with `popen_uci` on Debian's stockfish and on `betacut uci`, as
far as these are there.
"""

import asyncio
import gc
import math
import os
import random
import struct
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.polyglot
import chess.syzygy
import pytest
from chess.engine import (
    INFO_ALL,
    INFO_BASIC,
    INFO_NONE,
    INFO_PV,
    INFO_SCORE,
    AnalysisComplete,
    Cp,
    EngineError,
    EngineTerminatedError,
    Limit,
    Mate,
    PovScore,
    PovWdl,
)

import betacut
from betacut import Engine
from support.commands import check_interrupts, needs_sigint, printed, wait_for, wait_for_threads
from support.engines import STOCKFISH
from support.programs import LIMITS, needs_linux
from support.searches import Spy, Waiting

MATE_IN_ONE = "7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1"
ROOK_ENDING = "8/8/8/4k3/8/8/7R/4K3 w - - 0 1"
LONG = Limit(time=60)

AnyEngine = Any
"""A SimpleEngine or an Engine: they have no type in common."""


# Programs as the documentation has them.


def test_a_mate_is_not_looked_for_beyond_the_time() -> None:
    """The clock is looked at as soon as one depth is done: 20,000 nodes would take 50 ms."""
    limit = Limit(time=0.001, mate=5)
    with betacut.Engine() as player:
        assert player.analyse(chess.Board(), limit)["nodes"] < 20_000


def test_a_game_is_played_to_its_end(engine: AnyEngine) -> None:
    board = chess.Board(ROOK_ENDING)
    while not board.is_game_over(claim_draw=True) and board.ply() < 30:
        result = engine.play(board, Limit(nodes=5000))
        assert result.move in board.legal_moves
        assert (result.resigned, result.draw_offered) == (False, False)
        board.push(result.move)
    assert len(board.move_stack) >= 10


def test_positions_are_analysed(engine: AnyEngine) -> None:
    info = engine.analyse(chess.Board(), Limit(time=0.1))
    assert isinstance(info["score"], PovScore)
    assert info["score"].turn == chess.WHITE
    assert abs(info["score"].white().score(mate_score=100_000)) < 300
    board = chess.Board(MATE_IN_ONE)
    info = engine.analyse(board, Limit(depth=5))
    assert info["score"] == PovScore(Mate(+1), chess.WHITE)
    assert info["score"].black() == Mate(-1)
    assert info["pv"][0] == chess.Move.from_uci("f1h1")
    assert str(board.fen()) == MATE_IN_ONE
    black = chess.Board("4k3/8/8/8/8/8/4r3/K2q4 w - - 0 1").mirror()
    assert engine.analyse(black, Limit(depth=3))["score"].turn == chess.BLACK


def test_an_endless_analysis_is_followed(engine: AnyEngine) -> None:
    scores = []
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            scores.append((info.get("score"), info.get("pv")))
            if info.get("depth", 0) >= 4:
                break
    assert any(isinstance(score, PovScore) and pv for score, pv in scores)
    best = analysis.wait()
    assert best.move in chess.Board().legal_moves
    assert analysis.info["depth"] >= 4
    list(analysis)
    with pytest.raises(AnalysisComplete):
        analysis.get()


def test_options_are_listed_and_set(engine: AnyEngine) -> None:
    option = engine.options["Hash"]
    assert option == engine.options["hash"]
    assert (option.name, option.type, option.is_managed()) == ("Hash", "spin", False)
    assert option.min <= option.default <= option.max
    assert "MultiPV" in engine.options
    assert engine.options["MultiPV"].is_managed()
    assert "no such option" not in engine.options
    engine.configure({"Hash": 2})
    engine.configure({"hash": "4", "Clear Hash": None})
    board = chess.Board()
    assert engine.play(board, Limit(depth=2), options={"Hash": 1}).move in board.legal_moves
    assert engine.id["name"]
    opponent = chess.engine.Opponent("Deep Thought", None, 2500, True)
    engine.send_opponent_information(opponent=opponent)
    engine.send_game_result(board)
    assert engine.play(board, Limit(depth=1)).move


def test_several_lines(engine: AnyEngine) -> None:
    lines = engine.analyse(chess.Board(), Limit(depth=3), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    firsts = [line["pv"][0] for line in lines]
    assert len(set(firsts)) == 3
    values = [line["score"].relative for line in lines]
    assert values == sorted(values, reverse=True)
    one = engine.analyse(chess.Board(), Limit(depth=3), multipv=1)
    assert (type(one), len(one)) == (list, 1)
    assert isinstance(engine.analyse(chess.Board(), Limit(depth=3)), dict)


def test_moves_and_what_is_told_can_be_chosen(engine: AnyEngine) -> None:
    board = chess.Board()
    moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    assert engine.play(board, Limit(depth=3), root_moves=moves).move in moves
    assert engine.analyse(board, Limit(depth=3), root_moves=moves[:1])["pv"][0] == moves[0]
    assert engine.play(board, Limit(depth=2)).info == {}
    told = engine.play(board, Limit(depth=2), info=INFO_ALL).info
    assert {"depth", "nodes", "time", "score", "pv"} <= set(told)
    assert engine.analyse(board, Limit(depth=2), info=INFO_NONE) == {}
    basic = engine.analyse(board, Limit(depth=2), info=INFO_BASIC)
    assert {"depth", "nodes"} <= set(basic)
    assert not {"score", "pv"} & set(basic)
    assert "pv" not in engine.analyse(board, Limit(depth=2), info=INFO_SCORE)
    assert "score" not in engine.analyse(board, Limit(depth=2), info=INFO_PV)


@pytest.mark.parametrize(
    "limit",
    [
        *(Limit(time=0.05), Limit(depth=2), Limit(nodes=500), Limit(mate=1), Limit(white_clock=1)),
        Limit(white_clock=0.05, time=30),
        Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01),
        Limit(white_clock=1, black_clock=1, remaining_moves=5, clock_id="first"),
        Limit(depth=50, nodes=100),
    ],
    ids=repr,
)
def test_every_limit_ends_a_search(engine: AnyEngine, limit: Limit) -> None:
    board = chess.Board(MATE_IN_ONE)
    assert engine.play(board, limit).move in board.legal_moves


def test_the_nodes_of_the_depth_that_was_not_finished_count(ours: Engine) -> None:
    lone = "8/8/8/8/8/2k5/2p5/K7 w - - 0 1"
    for multipv in (1, 2):
        found = ours.analyse(lone, Limit(nodes=2000), multipv=multipv, game=object())
        assert {one["nodes"] for one in found} == {2000}
        assert all(one["nps"] == pytest.approx(2000 / one["time"], rel=0.2) for one in found)


def test_the_first_field_that_is_reached_ends_the_search(ours: Engine) -> None:
    for limit in (Limit(time=60, white_clock=1), Limit(time=0.1, white_clock=6000)):
        assert ours.analyse("startpos", limit)["time"] < 10  # on a busy machine; meant is 0.6
    lone = "8/8/4k3/8/3PK3/8/8/8 w - - 0 1"
    assert ours.analyse(lone, Limit(time=0.3, white_clock=600))["time"] > 0.25


def test_a_finished_game_is_no_error(engine: AnyEngine) -> None:
    mated = chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    result = engine.play(mated, Limit(time=0.05), info=INFO_ALL)
    assert (result.move, result.ponder) == (None, None)
    assert result.info["score"] == PovScore(Mate(-0), chess.BLACK)
    assert engine.analyse(mated, Limit(depth=2))["score"] == PovScore(Mate(-0), chess.BLACK)
    with engine.analysis(mated) as analysis:  # at once, though it goes on
        scores = (info["score"] for info in analysis if "score" in info)
        assert next(scores) == PovScore(Mate(-0), chess.BLACK)
    stalemate = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    info = engine.analyse(stalemate, Limit(depth=3))
    assert info["score"] == PovScore(Cp(0), chess.BLACK)


def test_a_new_command_ends_the_running_one(engine: AnyEngine) -> None:
    analysis = engine.analysis(chess.Board())
    assert analysis.next() is not None
    engine.ping()
    assert analysis.wait().move in chess.Board().legal_moves
    second = engine.analysis(chess.Board(ROOK_ENDING))
    third = engine.analysis(chess.Board())
    assert second.wait().move in chess.Board(ROOK_ENDING).legal_moves
    third.stop()
    assert third.wait().move in chess.Board().legal_moves
    with ThreadPoolExecutor() as pool:
        playing = pool.submit(engine.play, chess.Board(), LONG)
        wait_for(lambda: engine.ping() or playing.done(), "an end of the move")
        with pytest.raises(CancelledError):
            playing.result(60)
        analysing = pool.submit(engine.analyse, chess.Board(), LONG)
        time.sleep(0.2)
        wait_for(lambda: engine.configure({}) or analysing.done(), "an end of the analysis")
        assert analysing.result(60)["pv"]


def test_the_handle_of_an_analysis(engine: AnyEngine) -> None:
    with engine.analysis(chess.Board(), Limit(depth=4), multipv=2) as analysis:
        analysis.wait()
        assert not analysis.would_block()
        assert not analysis.empty()
        assert [line["multipv"] for line in analysis.multipv] == [1, 2]
        assert analysis.info == analysis.multipv[0]
        assert analysis.get()
        assert len(list(iter(analysis))) > 2
        assert analysis.empty()
        assert not analysis.would_block()
        assert analysis.next() is None
        with pytest.raises(AnalysisComplete):
            analysis.get()
        with pytest.raises(StopIteration):
            next(analysis)
    analysis.stop()


def test_what_is_managed_cannot_be_set(engine: AnyEngine) -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        *(
            ({name: 1}, "which is automatically managed")
            for name in ("MultiPV", "ponder", "UCI_Chess960")
        ),
        *(({name: 1}, "does not support option") for name in ("Colour", "No such option")),
        ({"Hash": "much"}, "expected integer for spin option 'Hash'"),
        ({"Hash": 0}, "'Hash' to be at least"),
    ]
    for options, said in refused:
        with pytest.raises(EngineError, match=said):
            engine.configure(options)
        with pytest.raises(EngineError, match=said):
            engine.play(chess.Board(), Limit(depth=1), options=options)
    assert engine.play(chess.Board(), Limit(depth=1)).move


def test_after_the_end(engine: AnyEngine) -> None:
    analysis = engine.analysis(chess.Board())
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(list, analysis)
        time.sleep(0.1)
        engine.close()
        with pytest.raises(EngineTerminatedError):
            waiting.result(60)
    engine.close()
    board = chess.Board()
    kept = isinstance(engine, Waiting)  # as in python-chess, where there are coroutines
    for use in (
        lambda: engine.play(board, Limit(depth=1)),
        lambda: engine.analyse(board, Limit(depth=1)),
        lambda: engine.analysis(board),
        lambda: engine.configure({}),
        *(lambda: engine.options, lambda: engine.id, engine.ping, engine.quit),
        *(analysis.wait, analysis.get, analysis.next, analysis.empty, analysis.would_block),
        *(() if kept else (analysis.stop, lambda: analysis.info, lambda: analysis.multipv)),
    ):
        with pytest.raises(EngineTerminatedError):
            use()
    if kept:
        analysis.stop()
        assert analysis.multipv


def test_quit(engine: AnyEngine) -> None:
    engine.quit()
    for use in (engine.ping, lambda: engine.play(chess.Board(), Limit(depth=3))):
        with pytest.raises(EngineTerminatedError):
            use()


def test_pondering(engine: AnyEngine) -> None:
    """What was expected is played, and something else; then a command comes in between."""
    game = object()
    board = chess.Board()
    limit = Limit(white_clock=2, black_clock=2)
    for hit in (True, False):
        result = engine.play(board, limit, ponder=True, game=game)
        assert result.move is not None
        board.push(result.move)
        assert result.ponder in board.legal_moves
        others = [move for move in board.legal_moves if move != result.ponder]
        board.push(result.ponder if hit else others[0])
    result = engine.play(board, limit, ponder=True, game=game, info=INFO_ALL)
    assert result.move in board.legal_moves
    assert result.info["score"].turn == board.turn
    assert engine.analyse(board, Limit(depth=2))["pv"]


def test_chess960(engine: AnyEngine) -> None:
    """Castling is written as the board writes it."""
    fischer = chess.Board("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", chess960=True)
    for board, uci in ((fischer, "b1h1"), (chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "e1g1")):
        castling = chess.Move.from_uci(uci)
        assert castling in board.legal_moves
        assert engine.play(board, Limit(depth=2), root_moves=[castling]).move == castling


@pytest.mark.parametrize("seed", range(5))
def test_moves_of_both_kinds_of_boards_are_understood(seed: int, ours: Engine) -> None:
    """Each legal move, castling above all, is read and written as the board writes it."""
    numbers = random.Random(seed)
    start = numbers.randrange(960)
    board = chess.Board.from_chess960_pos(start) if seed else chess.Board()
    assert board.chess960 == bool(seed)
    castled = 0
    for _ in range(60):
        moves = list(board.legal_moves)
        if not moves:
            break
        castling = [move for move in moves if board.is_castling(move)]
        castled += len(castling)
        for move in castling + numbers.sample(moves, min(2, len(moves))):
            told = ours.play(board, Limit(depth=1), root_moves=[move], info=INFO_ALL)
            assert told.move == move
            assert told.info["pv"][0] == move
        # Neither side castles, so that it stays possible.
        quiet = [move for move in moves if move not in castling]
        calm = [move for move in quiet if board.piece_type_at(move.from_square) != chess.KING]
        board.push(numbers.choice(calm or quiet or moves))
    assert castled > 0


@pytest.mark.skipif(STOCKFISH is None, reason="stockfish IS NOT HERE to compare with")
def test_the_information_has_the_types_of_a_subprocess() -> None:
    with chess.engine.SimpleEngine.popen_uci(STOCKFISH or "") as theirs, Engine() as ours:
        told = theirs.analyse(chess.Board(), Limit(depth=5), options={"UCI_ShowWDL": True})
        told_by_us = ours.analyse(chess.Board(), Limit(depth=5))
    types = {key: type(value) for key, value in told.items() if key != "string"}
    assert types == {key: type(value) for key, value in told_by_us.items()}
    assert {"wdl", "seldepth", "nps", "hashfull", "tbhits"} <= set(types)


# What is ours alone.


def test_a_changed_game_clears_the_state(ours: Engine) -> None:
    spy = Spy(ours)
    board = chess.Board()
    for game in ("first", "first", "second", None, None):
        ours.play(board, Limit(depth=1), game=game)
        ours.analyse(board, Limit(depth=1), game=game)
    assert spy.calls.count("clear") == 3
    assert spy.calls[:2] == ["configure", "clear"]


def test_pondering_goes_on_when_the_expected_move_is_played(ours: Engine) -> None:
    spy = Spy(ours)
    board = chess.Board()
    clocks = Limit(white_clock=1, black_clock=1, white_inc=0.5, remaining_moves=1)
    began = time.perf_counter()
    result = ours.play(board, clocks, ponder=True)
    taken = time.perf_counter() - began
    assert spy.calls[-2:] == ["start", "ponder"]
    # The clock went on, the increment came, and these were the last moves of the control.
    assert 1.5 - taken <= spy.arguments[-1]["clock"] < 1.5
    assert spy.arguments[-1]["moves_to_go"] is None
    assert not spy.searches[-1].has_ended()
    assert result.move
    assert result.ponder
    board.push(result.move)
    board.push(result.ponder)
    count = len(spy.searches)
    hit = ours.play(board, clocks, ponder=True, info=INFO_ALL)
    assert hit.move in list(board.legal_moves)
    assert hit.info["pv"][0] == hit.move
    # Nothing was started for this move; another search may have been for the next one.
    assert spy.calls[-1] == "ponder"
    assert len(spy.searches) - count <= 1


@pytest.mark.parametrize("difference", ["move", "game", "options", "ponder", "root_moves"])
def test_pondering_is_given_up_when_something_differs(ours: Engine, difference: str) -> None:
    board = chess.Board()
    result = ours.play(board, Limit(depth=2), ponder=True, game=1)
    spy = Spy(ours)
    assert result.move
    assert result.ponder
    board.push(result.move)
    others = [move for move in board.legal_moves if move != result.ponder]
    board.push(others[0] if difference == "move" else result.ponder)
    ours.play(
        board,
        Limit(depth=1),
        game=2 if difference == "game" else 1,
        options={"Hash": 1} if difference == "options" else {},
        ponder=difference != "ponder",
        root_moves=list(board.legal_moves) if difference == "root_moves" else None,
    )
    assert "start" in spy.calls


def test_nothing_ends_the_search(ours: Engine) -> None:
    """A subprocess would run for ever."""
    endless = (Limit(time=math.inf), Limit(white_clock=math.inf))
    without = (Limit(), Limit(black_clock=1), Limit(white_inc=1), Limit(remaining_moves=3))
    for limit in without + endless:
        for command in (ours.play, ours.analyse):
            with pytest.raises(ValueError, match="limit must have a time, depth, nod") as raised:
                command(chess.Board(), limit)
            assert isinstance(raised.value, EngineError)
    with ours.analysis(chess.Board(), Limit()) as analysis:
        assert analysis.next()
        assert not analysis._running.search.has_ended()
    assert ours.play(chess.Board(), Limit(white_clock=-1)).move


def test_positions_are_read_in_every_way(ours: Engine) -> None:
    limit = Limit(depth=2)
    for board in (MATE_IN_ONE, '7k/8/8/3K4/8/6R1/8/5R2 w - - id "mate";'):
        assert ours.play(board, limit).move == chess.Move.from_uci("f1h1")
    assert ours.analyse("kiwipete", limit)["pv"]


@pytest.mark.parametrize("rights", ["-", "K"])  # the second do not exist
def test_the_moves_that_led_there_count(rights: str, ours: Engine) -> None:
    """A third occurrence is a draw, and so is the way to it."""
    board = chess.Board(f"7k/8/8/8/8/8/8/KR6 w {rights} - 0 1")
    for move in ("b1b2", "h8g8", "b2b1", "g8h8") * 2:
        board.push_uci(move)
    again = [chess.Move.from_uci("b1b2")]
    drawn = ours.analyse(board, Limit(depth=2), root_moves=again)
    assert drawn["score"].relative == Cp(0)
    fresh = ours.analyse(board.copy(stack=False), Limit(depth=2), root_moves=again)
    assert fresh["score"].relative > Cp(100)
    # A null move is none of the game: what came before it cannot be repeated.
    board.push(chess.Move.null())
    board.push(chess.Move.null())
    passed = ours.analyse(board, Limit(depth=2), root_moves=again)
    assert passed["score"].relative > Cp(100)


def test_a_move_stack_that_leads_elsewhere(ours: Engine) -> None:
    board = chess.Board()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
        board.push_uci(move)
    board.set_piece_at(chess.A2, chess.Piece.from_symbol("N"))
    board.move_stack[:] = [chess.Move.from_uci("a2a5")] * len(board.move_stack)
    assert ours.play(board, Limit(depth=1)).move in list(board.legal_moves)


def test_options_for_one_command_are_restored(ours: Engine) -> None:
    def told(**options: bool) -> Any:  # noqa: ANN401
        return ours.analyse(chess.Board(), Limit(depth=1), options=options)

    assert isinstance(told()["wdl"], PovWdl)
    assert "wdl" not in told(UCI_ShowWDL=False)
    assert "wdl" in told()
    ours.configure({"uci_showwdl": "false"})
    assert "wdl" not in told()
    assert "wdl" in told(UCI_ShowWDL=True)
    assert "wdl" not in told()


def test_all_options_are_set_or_none(ours: Engine) -> None:
    for name, value, said in (
        ("Threads", 10**6, "'Threads' to be at most"),
        ("UCI_Elo", 10**6, "'UCI_Elo' to be at most"),
        ("BookFile", "/no/such/book", "cannot read BookFile '/no/such/book'"),
    ):
        with pytest.raises(EngineError, match=said):
            ours.configure({"UCI_ShowWDL": False, name: value})
    assert "wdl" in ours.analyse(chess.Board(), Limit(depth=1))
    assert repr(ours) == "<betacut.Engine>"
    ours.configure({"hash": 8})
    assert repr(ours) == "<betacut.Engine (Hash=8)>"
    assert repr(Engine({"Hash": 8, "Threads": 2})) == "<betacut.Engine (Hash=8, Threads=2)>"


BAD_OPTIONS = [
    ({"Hash": True}, "expected integer for spin option 'Hash', got: True"),
    ({"Hash": 1.5}, "got: 1.5"),
    ({"Hash": None}, "got: None"),
    ({"Hash": 10**5000}, "at most 65536, got: about 10"),
    ({"Hash": "9" * 10**6}, "got: '999"),
    ({"OwnBook": "yes"}, "expected True or False for 'OwnBook', got: 'yes'"),
    ({"OwnBook": 2}, "got: 2"),
    ({"OwnBook": None}, "got: None"),
    ({"SyzygyPath": "a\nb"}, "invalid line-break in string option 'SyzygyPath'"),
    ({"SyzygyPath": 5}, "expected a string for option 'SyzygyPath', got: 5"),
    ({"x" * 10**6: 5}, "does not support option 'xxx"),
    ({"": 5}, "does not support option ''"),
    ({"UCI_Elo": 499}, "'UCI_Elo' to be at least 500"),
    ({"Hahs": 32}, r"support option 'Hahs'; did you mean 'Hash'\?"),
]


@pytest.mark.parametrize(("options", "text"), BAD_OPTIONS, ids=[text for _, text in BAD_OPTIONS])
def test_bad_values_of_options(options: dict[str, Any], text: str, ours: Engine) -> None:
    board = chess.Board()
    for use in (
        lambda: ours.configure(options),
        lambda: Engine(options),
        lambda: ours.play(board, Limit(depth=1), options=options),
        lambda: ours.analyse(board, Limit(depth=1), options=options),
        lambda: ours.analysis(board, options=options),
    ):
        with pytest.raises(EngineError, match=text) as raised:
            use()
        assert len(str(raised.value)) < 400
        assert str(raised.value).isprintable()
    assert ours.play(board, Limit(depth=1)).move


@pytest.mark.parametrize("options", [5, "Hash", ["Hash"], {5: 5}])
def test_options_are_a_mapping(options: Any, ours: Engine) -> None:  # noqa: ANN401
    for use in (ours.configure, Engine):
        with pytest.raises(TypeError, match="options must"):
            use(options)


def test_the_book(ours: Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    book = tmp_path / "book.bin"
    board = chess.Board()
    unlikely = chess.Move.from_uci("a2a4")
    code = unlikely.to_square | unlikely.from_square << 6
    book.write_bytes(struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), code, 1, 0))
    own: dict[str, Any] = {"OwnBook": True, "BookFile": book}
    result = ours.play(board, Limit(depth=1), options=own, info=INFO_ALL)
    assert (result.move, result.ponder, result.info) == (unlikely, None, {"string": "book"})
    assert ours.play(board, Limit(depth=1), options=own).info == {}
    assert ours.play(board, Limit(depth=3)).move != unlikely
    ours.configure({"BookFile": str(book)})
    assert ours.play(board, Limit(depth=3)).move != unlikely
    ours.configure({"OwnBook": True})
    assert ours.play(board, Limit(depth=3)).move == unlikely
    assert ours.play(ROOK_ENDING, Limit(depth=1)).move
    for options in ({"UCI_AnalyseMode": True}, {"BookFile": "<empty>"}):
        assert ours.play(board, Limit(depth=3), options=options).move != unlikely
    others = [move for move in board.legal_moves if move != unlikely]
    assert ours.play(board, Limit(depth=1), root_moves=others).move in others
    assert ours.analyse(board, Limit(depth=3))["pv"][0] != unlikely
    os.truncate(book, 0)
    assert ours.play(board, Limit(depth=3)).move != unlikely
    assert "cannot read the book" in caplog.text


def test_a_command_that_takes_too_long() -> None:
    with Engine(timeout=0.1) as ours:
        core = ours._core

        class Endless(Spy):
            def start(self, board: chess.Board, **arguments: Any) -> Any:  # noqa: ANN401
                return self._core.start(board, infinite=True)

        Endless(ours)
        for command in (ours.play, ours.analyse):
            with pytest.raises(asyncio.TimeoutError):
                command(chess.Board(), Limit(time=0.01))
            assert ours._running is not None
            assert ours._running.search.wait_for_end(60)
        ours._core = core
        ours.timeout = None
        assert ours.play(chess.Board(), Limit(time=0.01)).move


INTERRUPTED = """
import chess
from chess.engine import Limit

playing, board, limit = Engine(), chess.Board(), Limit(time=600)
for wait in (
    lambda: playing.play(board, limit),
    lambda: playing.analyse(board, limit),
    lambda: playing.analysis(board).wait(),
    lambda: list(playing.analysis(board)),
):
    interrupted(wait)
    print(playing.play(board, Limit(depth=1)).move in board.legal_moves, flush=True)
"""


@needs_sigint
def test_ctrl_c() -> None:
    """It ends the wait, and the engine can be used on."""
    check_interrupts(INTERRUPTED, *["True"] * 4)


@needs_linux
def test_an_engine_without_references_stops() -> None:
    gc.collect()
    wait_for_threads("betacut", 0, 0)
    gc.disable()  # no circle keeps it
    try:
        engine = Engine()
        analysis = engine.analysis(chess.Board())
        wait_for_threads("betacut", 1, 1)
        del engine
        assert analysis.next()
        del analysis
        wait_for_threads("betacut", 0, 0)
        engine = Engine()
        assert engine.play(chess.Board(), Limit(depth=5), ponder=True).ponder
        wait_for_threads("betacut", 1, 99)
        del engine
        wait_for_threads("betacut", 0, 0)
    finally:
        gc.enable()


def test_the_process_ends_while_an_engine_searches() -> None:
    script = """
        import chess
        from betacut import Engine
        engine = Engine()
        analysis = engine.analysis(chess.Board())
        print(analysis.next()["depth"])
    """
    assert printed(script) == ["1"]


def test_many_engines_in_many_threads() -> None:
    fens = (MATE_IN_ONE, ROOK_ENDING) * 8
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(one_search, fens, timeout=100))
    assert found == [one_search(fen) for fen in fens]


def one_search(fen: str) -> tuple[chess.Move, PovScore]:
    with Engine({"Hash": 1}) as engine:
        info = engine.analyse(fen, Limit(depth=3))
        return info["pv"][0], info["score"]


def test_an_analysis_is_read_by_several_threads(ours: Engine) -> None:
    """Each line goes to one of them."""
    with ours.analysis(chess.Board(), Limit(depth=4)) as analysis, ThreadPoolExecutor(4) as pool:
        read = [pool.submit(list, analysis) for _ in range(4)]
        lines = [info for reader in read for info in reader.result(60)]
    assert sorted(info["depth"] for info in lines) == [1, 2, 3, 4]


def test_boards_are_not_changed_and_are_read_at_once(ours: Engine) -> None:
    board = chess.Board()
    board.push_uci("e2e4")
    before = board.copy()
    analysis = ours.analysis(board)
    ours.play(board, Limit(depth=2), ponder=True)
    assert board == before
    assert board.move_stack == before.move_stack
    analysis = ours.analysis(board)
    board.reset()
    analysis.stop()
    assert analysis.wait().move in list(before.legal_moves)


@needs_linux
def test_no_memory_for_an_engine() -> None:
    code = """
    from betacut import Engine
    Engine().close()
    limit_memory(8)
    print(outcome(Engine))
    """
    assert printed(LIMITS, code) == ["MemoryError: no memory for a table of 16 MiB"]


def test_names() -> None:
    assert betacut.Engine is betacut.engine.Engine is Engine
    analysis = Engine().analysis("P5", Limit(depth=1))
    assert isinstance(analysis, betacut.engine.EngineAnalysis)
    with pytest.raises(AttributeError, match="has no attribute 'Motor'"):
        betacut.engine.Motor  # type: ignore[attr-defined] # noqa: B018
    script = "import sys, betacut.engine; print('chess.engine' in sys.modules)"
    assert printed(script) == ["False"]


SYZYGY = Path(__file__).parents[1] / "positions" / "syzygy"
"""King and rook against king."""


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/3k4/8/8/3KR3/8 w - - 0 1",
        "8/8/8/8/3k4/8/1R6/3K4 w - - 0 1",
        "8/8/8/8/8/1k6/3R4/K7 w - - 0 1",
        "8/8/8/8/8/4k3/3R4/3K4 b - - 0 1",
        "8/8/8/8/4k3/8/3KR3/8 b - - 0 1",
        "8/8/8/3k4/8/8/3KR3/8 b - - 0 1",
    ],
)
@pytest.mark.parametrize("depth", [1, 6])
def test_lines_in_the_order_of_the_tablebase(fen: str, depth: int) -> None:
    """Wins come before draws, draws before losses; one line is the first of many."""
    board = chess.Board(fen)
    limit, options = Limit(depth=depth), {"SyzygyPath": str(SYZYGY)}

    def rank(move: chess.Move) -> int:
        board.push(move)
        wdl = tables.probe_wdl(board)
        board.pop()
        return -wdl

    with chess.syzygy.open_tablebase(str(SYZYGY)) as tables, Engine() as engine:
        ranks = sorted(map(rank, board.legal_moves), reverse=True)
        best = engine.play(board, limit, options=options).move
        lines = engine.analyse(board, limit, multipv=99, options=options)
        moves = [line["pv"][0] for line in lines]
        assert [rank(move) for move in moves] == ranks
        assert best is not None
        assert rank(best) == ranks[0]
        worst = engine.play(board, limit, options=options, root_moves=moves[-1:]).move
        assert worst == moves[-1]
        assert engine.play(board, limit, options=options, root_moves=reversed(moves)).move == best
