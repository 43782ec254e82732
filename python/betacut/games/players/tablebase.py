"""Endgame tables: before any player (`tablebase=DIRECTORY`), or within an original's search.

Syzygy tables know who wins and how far the next capture or pawn move is, Gaviota tables how far the
mate is. In a won or lost position the table chooses the move; in a drawn one the player does, and
its move is kept if it keeps the draw.
"""

from contextlib import AbstractContextManager, nullcontext
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

import chess
import chess.syzygy
from chess.engine import InfoDict, Limit, Mate, PlayResult, PovScore

from betacut.core.arguments import check_type
from betacut.core.messages import shown_path
from betacut.games.players.history import root_moves
from betacut.games.players.protocol import BasePlayer, Player
from betacut.games.players.settings import Kind, Setting, given


class Verdict(NamedTuple):
    """A win (1), draw (0) or loss (-1), and the plies to the mate, a capture or a pawn move."""

    result: int
    distance: int


def _is_gaviota(value: object) -> bool:
    return callable(getattr(value, "probe_dtm", None))


def _is_syzygy(value: object) -> bool:
    return callable(getattr(value, "probe_wdl", None))


def _directory(value: Any) -> Path:  # noqa: ANN401 - it may be anything
    check_type(value, "tablebase", "the path of a directory", (str, PathLike))
    path = Path(fspath(value))
    if not path.is_dir():
        raise NotADirectoryError(f"tablebase: there is no directory {shown_path(path)}")
    return path


def open_gaviota(value: Any) -> AbstractContextManager[Any]:  # noqa: ANN401 - it may be anything
    """Open Gaviota tables for an original's search; what was given open stays open."""
    if value is None or _is_gaviota(value):
        return nullcontext(value)
    path = _directory(value)
    if not any(path.glob("*.gtb.cp4")):
        raise ValueError(f"tablebase: {shown_path(path)} has no Gaviota tables (*.gtb.cp4)")
    from chess.gaviota import open_tablebase  # computes tables of its own when it is loaded

    return open_tablebase(str(path))


def open_tables(value: Any) -> tuple[AbstractContextManager[Any], bool]:  # noqa: ANN401
    """Open tables of either kind, likewise; True for Gaviota's, which count to the mate."""
    if _is_gaviota(value) or _is_syzygy(value):
        return nullcontext(value), _is_gaviota(value)
    path = _directory(value)
    if any(path.glob("*.rtbw")) and any(path.glob("*.rtbz")):
        return chess.syzygy.open_tablebase(str(path)), False
    if any(path.glob("*.gtb.cp4")):
        return open_gaviota(path), True
    raise ValueError(
        f"tablebase: {shown_path(path)} has neither Syzygy tables (*.rtbw with *.rtbz) "
        "nor Gaviota tables (*.gtb.cp4)"
    )


def _kind(which: str) -> Kind:
    """Tables as they are given; they are opened when the player is made."""
    return given(
        f"a directory of {which} tables",
        "the path of a directory with endgame tables",
        lambda value: isinstance(value, str | PathLike) or _is_gaviota(value) or _is_syzygy(value),
    )


GAVIOTA = Setting(
    "tablebase", _kind("Gaviota"), "What the original's search asks, with five men or fewer."
)

BEFORE_ANY = Setting(
    "tablebase", _kind("Syzygy or Gaviota"), "Play won and lost endgames by the tables."
)


class TablebasePlayer(BasePlayer):
    """Plays endgames by tables, and leaves the rest to another player."""

    def __init__(self, name: str, tables: Any, player: Player) -> None:  # noqa: ANN401
        super().__init__(name)
        opened, self._counts_to_mate = open_tables(tables)
        self._tables = self._held.enter_context(opened)
        self._held.callback(player.close)
        self._player = player

    def _choose(self, board: chess.Board, limit: Limit | None) -> PlayResult:
        known = self._verdicts(board)
        if not known:
            return self._player.choose(board, limit)
        best = max(verdict.result for verdict in known.values())
        if best == 0:
            played = self._player.choose(board, limit)
            if played.move in known and known[played.move].result == 0:
                return played
            kept = next(move for move, verdict in known.items() if verdict.result == 0)
            return PlayResult(kept, None, {"string": "tablebase move"})
        drawn = [move for move in root_moves(board).drawn if best < 0]
        if drawn:
            return PlayResult(drawn[0], None, {"string": "draw by repetition or fifty moves"})
        # The quickest of the wins, or the longest of the losses.
        among = [move for move in known if known[move].result == best]
        move = (min if best > 0 else max)(among, key=lambda move: known[move].distance)
        info: InfoDict = {"string": "tablebase move", "tbhits": len(known)}
        if self._counts_to_mate:
            plies = known[move].distance
            mate = Mate((plies + 1) // 2) if best > 0 else Mate(-(plies // 2))
            info["score"] = PovScore(mate, board.turn)
        return PlayResult(move, None, info)

    def _verdicts(self, board: chess.Board) -> dict[chess.Move, Verdict]:
        """What each legal move leads to, for its mover; empty if the tables do not know all."""
        men = 5 if self._counts_to_mate else 7
        if chess.popcount(board.occupied) > men or board.castling_rights:
            return {}
        after = board.copy()
        verdicts = {}
        for move in board.legal_moves:
            zeroing = board.is_zeroing(move)
            after.push(move)
            try:
                verdicts[move] = self._after(after, zeroing)
            except KeyError:
                return {}
            after.pop()
        return verdicts

    def _after(self, board: chess.Board, zeroing: bool) -> Verdict:
        """What a position is worth to the side that has just moved."""
        if board.is_checkmate():
            return Verdict(1, 1 if self._counts_to_mate else 0)
        if board.is_stalemate() or board.is_insufficient_material():
            return Verdict(0, 0)
        if self._counts_to_mate:
            plies = self._tables.probe_dtm(board)
            return Verdict((plies < 0) - (plies > 0), abs(plies) + 1)
        # A win that takes over fifty moves is a draw.
        result, distance = self._tables.probe_wdl(board), abs(self._tables.probe_dtz(board))
        return Verdict((result == -2) - (result == 2), 1 if zeroing else distance + 1)
