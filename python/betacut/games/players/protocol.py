"""What a player is, what it thinks of a position, and what all of betacut's have in common."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol, runtime_checkable

import chess
from chess.engine import Cp, InfoDict, Limit, Mate, PlayResult, PovScore, Score

from betacut.core.arguments import as_board, check_move
from betacut.core.exceptions import PlayerError, PlayerInUseError
from betacut.core.messages import one_line
from betacut.games.limits import check_limit


@dataclass(frozen=True, slots=True)
class Opinion:
    """What is thought of a position.

    Attributes:
        move: The best move; None if the game is over.
        score: The value of the position; None if the player does not say.
        line: What is expected to be played, the best move first.
        depth: How deep was searched, in plies; None if the player does not say.
        nodes: How many nodes were searched, likewise.
        seconds: How long it took.
    """

    move: chess.Move | None
    score: PovScore | None = None
    line: tuple[chess.Move, ...] = ()
    depth: int | None = None
    nodes: int | None = None
    seconds: float = 0.0


def opinion_in(
    info: InfoDict, move: chess.Move | None = None, seconds: float | None = None
) -> Opinion:
    """What an engine or a player says in `info`, where it has no line, of a move."""
    line = tuple(info.get("pv") or ())
    return Opinion(
        move or (line[0] if line else None),
        info.get("score"),
        line or (() if move is None else (move,)),
        info.get("depth"),
        info.get("nodes"),
        (info.get("time") or 0.0) if seconds is None else seconds,
    )


def end_score(board: chess.Board) -> PovScore | None:
    """The value of a position without a legal move, or with too few men to mate; None of others."""
    if board.is_checkmate():
        return PovScore(Mate(0), board.turn)
    if board.is_stalemate() or board.is_insufficient_material():
        return PovScore(Cp(0), board.turn)
    return None


def one_ply_before(score: Score) -> Score:
    """What a score after a move is worth before it, in the view of the side that makes the move."""
    moves = score.mate()
    return Mate(moves + 1) if moves is not None and score > Cp(0) else score


class ChoosesMoves(Protocol):
    """The least that a match, a game at the terminal or a review asks of a player.

    A name in `name`, and `close()`, are used if they are there.
    """

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        """Choose a move; the board is the player's own copy."""


@runtime_checkable
class Player(ChoosesMoves, AbstractContextManager["Player"], Protocol):
    """Whatever can choose a move: a search, an engine, a book, a human.

    A player serves one game at a time; give every game its own. It is a context manager that closes
    itself. `choose` returns, as far as the player knows them, `score`, `pv`, `depth`, `nodes` and
    `time` in `info`.

    Attributes:
        name: What it is called, with its settings.
    """

    name: str

    def close(self) -> None:
        """Give back what the player holds: processes, files. It chooses no more moves then."""

    def __exit__(self, *details: object) -> None:
        """Close."""


class BasePlayer(AbstractContextManager["BasePlayer"]):
    """A player of betacut; what is common to all of them.

    In its methods `board` is the position, with the game so far on its move stack, which is not
    changed, and `limit` says how long to think; None is the player's own measure. A player of your
    own that defines `_choose(board, limit)` has all of them.

    Args:
        name: What it is called, with its settings.
    """

    _user: object = None  # what stands for the call that thinks now

    def __init__(self, name: str) -> None:
        self.name = name
        self._title = one_line(name, 120)
        self._closed = False
        self._held = ExitStack()

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        """Choose a move.

        Returns:
            The move, None if the game is over without claims; in `info`, as far as the player knows
            them, `score`, `pv`, `depth`, `nodes` and `time`.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If the limit makes no sense; `InvalidPositionError` if the position is
                impossible.
            PlayerInUseError: If the player is choosing a move already, in another thread.
            PlayerError: If the player cannot go on: it is closed, its engine died, and the like.
        """
        with self._thinking(board, limit) as position:
            return self._chosen(position, limit)

    def analyse(self, board: chess.Board, limit: Limit | None = None) -> Opinion:
        """Think about a position; the errors are those of `choose`.

        Returns:
            What is thought of it. If there is no legal move it has none.
        """
        *_, last = self.analysis(board, limit)
        return last

    def analysis(self, board: chess.Board, limit: Limit | None = None) -> Iterator[Opinion]:
        """Think about a position, and say what is thought after each depth.

        Yields:
            The opinions; the last one is what `analyse` returns. A player that can do nothing but
            choose a move has only that one.
        """
        with self._thinking(board, limit) as position:
            if any(position.generate_legal_moves()):
                yield from self._opinions(position, limit)
            else:
                yield Opinion(None, end_score(position))

    def compare(
        self, board: chess.Board, move: chess.Move, limit: Limit | None = None
    ) -> tuple[Opinion, Opinion]:
        """Think about a position and about one of its moves, by the same search.

        `search` searches the move to the very depth of the search that found the best one, an
        engine under the same limit (`root_moves`). Any other player is asked about the position
        after the move, with one ply less, which is the same search only under a limit of depth.

        Returns:
            What is thought of the position, and what of the move; both from the view of the side
            to move, and the same if it is the best move.

        Raises:
            ValueError: If the move is not legal, or the player cannot search in the same way.
        """
        with self._thinking(board, limit) as position:
            return self._compare(position, check_move(position, move), limit)

    @contextmanager
    def _thinking(self, board: chess.Board, limit: Limit | None) -> Iterator[chess.Board]:
        """Check what was given, and let no other thread in."""
        position = as_board(board)
        check_limit(limit)
        if self._closed:
            raise PlayerError(f"{self._title} is closed: make a new player")
        mine = object()
        try:
            # A step that no thread and no Ctrl-C divides: what is set is given back below.
            if vars(self).setdefault("_user", mine) is not mine:
                raise PlayerInUseError(
                    f"{self._title} is choosing a move already: give every game its own player"
                )
            yield position
        finally:
            if self._user is mine:
                del self._user

    def _chosen(self, board: chess.Board, limit: Limit | None) -> PlayResult:
        """Choose a move, if the game is not over."""
        return PlayResult(None, None) if board.is_game_over() else self._choose(board, limit)

    def _choose(self, board: chess.Board, limit: Limit | None) -> PlayResult:
        """Choose a move where there is one."""
        raise NotImplementedError

    def _opinions(self, board: chess.Board, limit: Limit | None) -> Iterator[Opinion]:
        """What is thought after each depth; by a player that only chooses, of its choice."""
        begin = perf_counter()
        played = self._chosen(board, limit)
        yield opinion_in(played.info, played.move, perf_counter() - begin)

    def _compare(
        self, board: chess.Board, move: chess.Move, limit: Limit | None
    ) -> tuple[Opinion, Opinion]:
        """Think about a position, and about the move if another one is best."""
        *_, best = self._opinions(board, limit)
        return best, best if best.move == move else self._of_move(board, move, limit)

    def _of_move(self, board: chess.Board, move: chess.Move, limit: Limit | None) -> Opinion:
        """Think about one move: about the position after it, a ply less deeply."""
        limited = limit is not None and (limit.nodes is not None or limit.time is not None)
        if limit is None or limit.depth is None or limited:
            raise ValueError(
                f"{self.name} cannot search a single move under a limit of nodes or time: "
                "give a depth alone"
            )
        after = board.copy()
        after.push(move)
        score = end_score(after)
        if score is None and limit.depth < 2:
            raise ValueError(
                f"{self.name} needs a depth of 2 or more to compare moves, not {limit.depth}"
            )
        if score is None:
            *_, reply = self._opinions(after, Limit(depth=limit.depth - 1))
            score = reply.score
        before = None if score is None else one_ply_before(score.pov(board.turn))
        worth = None if before is None else PovScore(before, board.turn)
        return Opinion(move, worth, (move,), limit.depth)

    def close(self) -> None:
        """Give back what the player holds. It chooses no more moves then; closing twice is fine."""
        self._closed = True
        self._held.close()

    def __exit__(self, *details: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<player {self._title}>"
