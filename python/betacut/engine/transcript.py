"""What is asked of the engine and what it answers, in the words of UCI, for the log.

It is written to the logger `chess.engine`, as python-chess writes the lines of a subprocess.
"""

import logging
from collections.abc import Iterable

import chess

from betacut import _betacut
from betacut.core.messages import one_line, shown
from betacut.engine.limits import CheckedLimit

LOGGER = logging.getLogger("chess.engine")

LONGEST = 4000
"""The greatest length of a line, in characters: a game is long, and is worth reading whole."""

LONGEST_TIME = 1e9  # seconds, for a time without an end


def is_read() -> bool:
    """Whether the log is kept; without it no line is made."""
    return LOGGER.isEnabledFor(logging.DEBUG)


def asked(engine: object, text: str) -> None:
    """Write down a line that the engine is given."""
    LOGGER.debug("%s: << %s", engine, one_line(text, LONGEST))


def answered(engine: object, text: str) -> None:
    """Write down a line that the engine gives."""
    LOGGER.debug("%s: >> %s", engine, one_line(text, LONGEST))


def position(board: chess.Board) -> str:
    """Write the command that sets up a board, with the moves that led there."""
    moves = board.move_stack if all(board.move_stack) else []
    root = board.root() if moves else board
    fen = root.fen(shredder=board.chess960, en_passant="fen")
    start = "startpos" if fen == chess.STARTING_FEN else f"fen {fen}"
    return f"position {start} moves {_joined(moves)}" if moves else f"position {start}"


def go(
    limit: CheckedLimit, turn: chess.Color, moves: Iterable[chess.Move] | None, kind: str
) -> str:
    """Write the command that starts a search; `kind` is `ponder`, `infinite` or empty."""
    clock, increment = ("wtime", "winc") if turn else ("btime", "binc")
    milliseconds = {"movetime": limit.time, clock: limit.clock, increment: limit.increment or None}
    counts = {"movestogo": limit.moves_to_go, "depth": limit.depth, "nodes": limit.nodes}
    words = ["go", kind] if kind else ["go"]
    for name, seconds in milliseconds.items():
        if seconds is not None:
            words.append(f"{name} {round(min(max(seconds, 0.0), LONGEST_TIME) * 1000)}")
    for name, count in {**counts, "mate": limit.mate}.items():
        if count is not None:
            words.append(f"{name} {count}")
    if moves is not None:
        words.append(f"searchmoves {_joined(moves)}")
    return " ".join(words)


def option(name: str, value: object) -> str:
    """Write the command that sets an option."""
    if value is None:
        return f"setoption name {name}"
    text = str(value).lower() if isinstance(value, bool) else value
    return f"setoption name {name} value {text if isinstance(text, str) else shown(text)}"


def info(line: "_betacut._PlayInfo") -> str:
    """Write what a search has said."""
    score = f"cp {line['cp'] or 0}" if line["mate"] is None else f"mate {line['mate']}"
    wins, draws, losses = line["wdl"]
    return (
        f"info depth {line['depth']} seldepth {line['seldepth']} multipv {line['multipv']} "
        f"score {score} wdl {wins} {draws} {losses} nodes {line['nodes']} nps {line['nps']} "
        f"hashfull {line['hashfull']} tbhits {line['tbhits']} time {round(line['time'] * 1000)} "
        f"pv {_joined(line['pv'])}"
    )


def best(move: chess.Move | None, reply: chess.Move | None) -> str:
    """Write what a search has found in the end."""
    found = f"bestmove {move.uci() if move else '(none)'}"
    return f"{found} ponder {reply.uci()}" if reply else found


def _joined(moves: Iterable[chess.Move]) -> str:
    return " ".join(move.uci() for move in moves)
