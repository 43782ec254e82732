"""A program for a chess engine: it plays, watches, and asks about many positions at once.

It is written for python-chess's `chess.engine` and knows no engine. `ENGINE` says which one it
talks to: betacut in this process, or any program that speaks UCI. That line is all there is to
change:

    python examples/play_and_analyse.py
    python examples/play_and_analyse.py --engine "betacut uci"
    python examples/play_and_analyse.py --engine stockfish

Needs `pip install betacut`, and takes some seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import shlex
import time
from collections.abc import Iterable

import chess
import chess.engine
from chess.engine import INFO_SCORE, Limit

from betacut import AsyncEngine, AsyncEngineLike, Engine, EngineLike

ENGINE = ""
"""The command of an engine, such as "stockfish"; empty for betacut, in this process."""

START = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"

TO_ASK = {
    "a mate": "7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1",
    "an ending": "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83",
    "an opening": START,
    "a middlegame": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
}
"""Positions to ask about, by what they are."""


def start(command: str) -> EngineLike:
    """Start an engine."""
    if command:
        return chess.engine.SimpleEngine.popen_uci(shlex.split(command))
    return Engine()


async def start_async(command: str) -> AsyncEngineLike:
    """Start an engine for coroutines."""
    if command:
        _, engine = await chess.engine.popen_uci(shlex.split(command))
        return engine
    return AsyncEngine()


def set_up(engine: EngineLike, wanted: dict[str, int | bool]) -> None:
    """Set the options that the engine has, and show them."""
    known = {name: value for name, value in wanted.items() if name in engine.options}
    engine.configure(known)
    for name in known:
        option = engine.options[name]
        span = f", {option.min} to {option.max}" if option.type == "spin" else ""
        print(f"option: {option.name} = {known[name]} (was {option.default}{span})")


def play(white: EngineLike, black: EngineLike, plies: int, seconds: float) -> chess.Board:
    """Let two engines play with clocks; each thinks on while the other is to move."""
    board, game = chess.Board(START), object()
    clocks = {chess.WHITE: seconds, chess.BLACK: seconds}
    expected: chess.Move | None = None
    hits = 0
    while len(board.move_stack) < plies and not board.is_game_over(claim_draw=True):
        limit = Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=0.05,
            black_inc=0.05,
        )
        engine = white if board.turn == chess.WHITE else black
        begin = time.monotonic()
        result = engine.play(board, limit, game=game, ponder=True, info=INFO_SCORE)
        clocks[board.turn] += 0.05 - (time.monotonic() - begin)
        if result.move is None or result.resigned:
            break
        hits += result.move == expected
        expected = result.ponder
        score = result.info.get("score")
        print(f"{board.ply() + 1}: {board.san(result.move)} {written(score)}")
        board.push(result.move)
    print(f"game: {len(board.move_stack)} plies, {hits} of them expected; {board.result()}")
    return board


def written(score: chess.engine.PovScore | None) -> str:
    """A score from White's view; a move from a book has none."""
    return "" if score is None else f"({score.white()})"


def watch(engine: EngineLike, board: chess.Board, depth: int) -> None:
    """Follow an analysis of several lines, until it is deep enough."""
    with engine.analysis(board, multipv=2) as analysis:
        for info in analysis:
            if "pv" not in info or "score" not in info:
                continue
            line = board.variation_san(info["pv"][:3])
            print(f"depth {info['depth']}, line {info['multipv']}: {line} {written(info['score'])}")
            if info["depth"] >= depth:
                break
    best = analysis.wait().move
    assert best is not None
    print(f"best: {board.san(best)}")


async def ask(command: str, name: str, seconds: float) -> str:
    """Ask an engine of its own about a position, but wait for a limited time only."""
    board = chess.Board(TO_ASK[name])
    engine = await start_async(command)
    try:
        info = await engine.analyse(board, Limit(depth=4))
        answer = f"{name}: {board.san(info['pv'][0])} {written(info['score'])}"
        try:  # much deeper than there is time for
            await asyncio.wait_for(engine.analyse(board, Limit(depth=100)), seconds)
        except asyncio.TimeoutError:
            answer += ", stopped"
        # Whatever was stopped, the engine answers.
        result = await engine.play(board, Limit(nodes=1000))
        assert result.move is not None
        assert result.move in board.legal_moves
        return answer
    finally:
        await engine.quit()


async def ask_all(command: str, names: Iterable[str], seconds: float) -> None:
    """Ask about all positions at the same time, and say how long it took."""
    for answer in await asyncio.gather(*(ask(command, name, seconds) for name in names)):
        print(answer)


def main() -> None:
    """Read the arguments, and do one thing after another."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--engine", default=ENGINE, help='such as "stockfish"; empty for betacut')
    parser.add_argument("--plies", type=int, default=12, help="how long the game is at the most")
    parser.add_argument("--depth", type=int, default=6, help="how deep the analysis is followed")
    given = parser.parse_args()
    with start(given.engine) as white, start(given.engine) as black:
        print(f"engine: {white.id['name']}")
        set_up(white, {"Hash": 32, "Threads": 1, "No such option": True})
        board = play(white, black, given.plies, seconds=3.0)
        watch(black, board, given.depth)
    asyncio.run(ask_all(given.engine, TO_ASK, seconds=0.3))


if __name__ == "__main__":
    main()
