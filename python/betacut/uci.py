"""The Universal Chess Interface: the command `betacut uci`, for graphical interfaces and matches.

Everything but the algorithms of Python is in the compiled module. Nothing that takes time is
imported before an algorithm is chosen: a program that starts betacut hears `uciok` within some
hundredths of a second.
"""

from __future__ import annotations

from itertools import takewhile

from betacut import _betacut
from betacut.core.catalogue import RECORDABLE_ORIGINALS, SEARCHES

TYPE_CHECKING = False  # what typing's means, without loading typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    import chess
    import chess.engine

__all__ = ["ALGORITHMS", "main"]

ALGORITHMS = (*SEARCHES, *RECORDABLE_ORIGINALS, "random")
"""The values of the option `Algorithm` beside `engine`: players by name, none of them loaded."""


def main(
    commands: Iterable[str] | None = None, write: Callable[[str], object] | None = None
) -> None:
    """Speak the protocol until `quit`, or until the input ends.

    `stop` and a clock end an algorithm of Python in the main thread only; elsewhere it goes on to
    its own end.

    Args:
        commands: Lines to be obeyed, one after the other, instead of those of the standard input;
            each is done before the next one begins.
        write: A function to be called with each line, instead of the standard output.

    Raises:
        TypeError: If `commands` is no iterable of strings, or `write` no function.
        KeyboardInterrupt: After Ctrl-C.
        OSError: If the standard input or output fails.

    Examples:
        >>> written = []
        >>> main(["position startpos moves e2e4 e7e5", "perft 1"], written.append)
        >>> "".join(written).split()[-3:]
        ['Nodes', 'searched:', '29']
    """
    lines = None if commands is None else _checked(commands)
    if write is not None and not callable(write):
        raise _wrong("write", "a function or None", write)
    _betacut.uci_main([*ALGORITHMS], _Players(), lines, write)


def _checked(commands: Iterable[str]) -> list[str]:
    if not isinstance(commands, str):
        try:
            lines = [*commands]
        except TypeError:
            raise _wrong("commands", "an iterable of strings or None", commands) from None
        for line in lines:
            if not isinstance(line, str):
                raise _wrong("commands", "strings", line)
        return lines
    raise _wrong("commands", "an iterable of strings or None", commands)


def _wrong(name: str, what: str, value: object) -> TypeError:
    from betacut.core.messages import described

    return TypeError(f"{name} must be {what}, not {described(value)}")


class _Players:
    """The players behind the option `Algorithm`. The compiled side calls, in the main thread."""

    def __init__(self) -> None:
        self._name = ""
        self._player: Any = None

    def select(self, name: str) -> None:
        """Make the player of this name."""
        if name == self._name:
            return
        import betacut

        make: Callable[[str], Any] = getattr(betacut, "player")  # noqa: B009 - loaded only now
        self.new_game()
        self._player, self._name = make(name), name

    def new_game(self) -> None:
        """Forget the player, and whatever it has learnt."""
        player, self._name, self._player = self._player, "", None
        if player is not None:
            player.close()

    def choose(
        self, name: str, fen: str, moves: Sequence[str], chess960: bool, limit: Mapping[str, Any]
    ) -> tuple[Any, ...]:
        """Let a player choose a move."""
        import signal
        import threading

        import chess
        import chess.engine

        self.select(name)
        board = chess.Board(fen, chess960=chess960)
        for move in moves:
            board.push_uci(move)
        if board.is_game_over() and any(board.legal_moves):
            # An unclaimed draw is played on, from the position alone.
            board = board.copy(stack=False)
            board.halfmove_clock = 0
        wanted = chess.engine.Limit(**limit) if limit else None
        if threading.current_thread() is not threading.main_thread():
            return _told(self._player.choose(board, wanted), board)
        # By SIGINT `stop` ends an algorithm, in the background too, where it is ignored.
        before = signal.getsignal(signal.SIGINT)
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            result = self._player.choose(board, wanted)
        finally:
            if before is not None:  # None if it was not set by Python
                signal.signal(signal.SIGINT, before)
        return _told(result, board)


def _told(result: chess.engine.PlayResult, board: chess.Board) -> tuple[Any, ...]:
    """What a player found: move, reply, centipawns, moves to mate, depth, nodes, line."""
    move, info = result.move, result.info or {}
    if move is None:
        over = ", for the game is drawn" if board.is_insufficient_material() else ""
        raise ValueError("it resigns" if result.resigned else f"it chose none{over}")
    pv = info.get("pv", [])
    if result.ponder is not None and pv[:2] != [move, result.ponder]:
        pv = [move, result.ponder]
    line = _written(pv, board)
    reply = line[1] if result.ponder is not None and len(line) > 1 else None
    score = info["score"].pov(board.turn) if "score" in info else None
    worth = (None, None) if score is None else (score.score(), score.mate())
    return board.uci(move), reply, *worth, info.get("depth"), info.get("nodes"), line


def _written(moves: Sequence[chess.Move], board: chess.Board) -> list[str]:
    """Write a line of moves, as far as it is legal."""
    after, line = board.copy(stack=False), []
    for move in takewhile(after.is_legal, moves):
        line.append(after.uci(move))
        after.push(move)
    return line
