"""Many fast games of an engine against itself, under a runner that is python-chess alone.

    python tests/uci/fast_games.py [--games 500] [--skip 0] [--base 1] [--increment 0.01]
        [--at-once 1] [COMMAND…]

Without a command it is `python -m betacut uci`. python-chess speaks the protocol, says what is
legal and when a game is over; this program holds the clocks, without any margin. So many games are
played at once, each by two engines of its own. It counts

- crashes and answers that are no legal move,
- losses on time,
- announced mates that were not kept: an engine that says "mate in N" must mate with its N-th move
  from there on at the latest, whatever the other one plays.

It ends with status 1 if it has counted anything.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import cycle, islice

import chess
from chess.engine import INFO_SCORE, EngineError, Limit, SimpleEngine

from betacut.games.openings import Opening, balanced

MOVES = 400  # a game that takes more plies than these is left

CLOCKS = {chess.WHITE: ("white_clock", "white_inc"), chess.BLACK: ("black_clock", "black_inc")}
"""The names of the time that a side has left, and of its increment."""


def is_over(board: chess.Board) -> bool:
    """Tell whether a game is over: repetitions and fifty moves are claimed when they are there.

    python-chess's `claim_draw` is another question: whether the side to move, which may be about
    to mate, *could* claim one with its next move.
    """
    return board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves()


@dataclass
class Played:
    """A game that was played."""

    board: chess.Board
    ending: str
    wrong: str
    """What was wrong, if anything was."""


def play(
    engines: Mapping[bool, SimpleEngine], board: chess.Board, limit: Limit, margin: float
) -> tuple[str, str]:
    """Play a game, clocks overdrawn by the margin at most: how it ended, and what was wrong."""
    game = object()
    due: dict[chess.Color, int] = {}  # the moves in which a side has said that it will mate
    while not is_over(board) and board.ply() < MOVES:
        turn = board.turn
        start = time.perf_counter()
        try:
            result = engines[turn].play(board, limit, info=INFO_SCORE, game=game)
        except EngineError as error:
            return "broken off", str(error)
        clock, increment = CLOCKS[turn]
        before, taken = getattr(limit, clock), time.perf_counter() - start
        left = before - taken
        limit = replace(limit, **{clock: left + getattr(limit, increment)})
        if result.move is None or not board.is_legal(result.move):
            return "broken off", f"{result.move} is no legal move"
        if left < -margin:
            return "time", f"{before * 1000:.0f} ms were left, the move took {taken * 1000:.0f} ms"
        score = result.info.get("score")
        mate = score.pov(turn).mate() if score is not None else None
        if mate is not None and mate > 0:
            due[turn] = min(due.get(turn, mate), mate)
        elif turn in due:
            return "mate not kept", f"mate in {due[turn]} was promised, not {score}"
        board.push(result.move)
        if turn in due:
            due[turn] -= 1
            if due[turn] == 0 and not board.is_checkmate():
                return "mate not kept", "this was to be mate"
    if due and not board.is_checkmate():
        return "mate not kept", "mate was promised, and this is the end"
    outcome = board.outcome(claim_draw=True)
    ending = outcome.termination.name.lower() if outcome else "left"
    return (f"{ending}, announced" if due else ending), ""


def games(
    command: Sequence[str], openings: Iterable[Opening], limit: Limit, margin: float
) -> Iterator[Played]:
    """Play games with two engines, one after the other."""
    with SimpleEngine.popen_uci([*command]) as white, SimpleEngine.popen_uci([*command]) as black:
        engines = {chess.WHITE: white, chess.BLACK: black}
        for opening in openings:
            board = opening.board()
            yield Played(board, *play(engines, board, limit, margin))


def games_at_once(
    command: Sequence[str],
    openings: Sequence[Opening],
    limit: Limit,
    count: int,
    margin: float = 0.0,
) -> Iterator[Played]:
    """Play games, so many at once; the openings are dealt out."""
    dealt = [openings[first::count] for first in range(count)]
    with ThreadPoolExecutor(count) as pool:
        done = pool.map(lambda dealt_out: [*games(command, dealt_out, limit, margin)], dealt)
        for played in done:
            yield from played


def main() -> int:
    """Play the games, print how they ended, and tell whether all is well."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--skip", type=int, default=0, help="openings to leave out first")
    parser.add_argument("--base", type=float, default=1.0, help="seconds a game")
    parser.add_argument("--increment", type=float, default=0.01, help="seconds a move")
    parser.add_argument("--at-once", type=int, default=1, help="games that are played at once")
    parser.add_argument("command", nargs="*", help="the engine and its arguments")
    arguments = parser.parse_args()
    command = arguments.command or [sys.executable, "-m", "betacut", "uci"]
    openings = [*islice(cycle(balanced()), arguments.skip, arguments.skip + arguments.games)]
    base, increment = arguments.base, arguments.increment
    limit = Limit(white_clock=base, black_clock=base, white_inc=increment, black_inc=increment)
    endings: Counter[str] = Counter()
    faults = plies = 0
    played = games_at_once(command, openings, limit, arguments.at_once)
    for number, game in enumerate(played, start=1):
        endings[game.ending] += 1
        plies += game.board.ply()
        if game.wrong:
            faults += 1
            print(f"game {number}: {game.board.fen()}: {game.wrong}", flush=True)
        if number % 50 == 0:
            print(f"{number} games: {dict(endings)}", flush=True)
    for ending, count in endings.most_common():
        print(f"{count:5} {ending}")
    print(f"{arguments.games} games, {plies} plies, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
