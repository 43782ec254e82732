"""One game: the referee asks the players, keeps the clocks, and says when it is over."""

import math
import queue
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import NoneType
from typing import Any

import chess
import chess.engine
import chess.pgn
from chess.engine import Limit, PlayResult

from betacut.core.arguments import BoardLike, as_board, check_seconds, check_stack, check_type
from betacut.core.messages import described, one_line, shown
from betacut.games.clock import Clock
from betacut.games.limits import check_game_limit
from betacut.games.match.adjudication import Adjudication, verdict
from betacut.games.match.records import GameRecord, MoveRecord, Termination
from betacut.games.players import ChoosesMoves
from betacut.games.players.engines import IllegalMoveError

MARGIN = 0.1  # by how many seconds a move may exceed its time if nothing else is said


def play_game(
    white: ChoosesMoves,
    black: ChoosesMoves,
    *,
    board: BoardLike = chess.STARTING_FEN,
    limit: Limit | None = None,
    adjudication: Adjudication | None = None,
    margin: float = MARGIN,
    tags: Mapping[str, str] | None = None,
) -> GameRecord:
    """Let two players play a game.

    The game ends by the rules of chess, threefold repetition and fifty moves being claimed as soon
    as they are there. A player loses that resigns, oversteps its time, makes an illegal move, or
    raises an exception: whatever a player does, a game is returned. A player that does not
    answer in its time is closed and left alone; one that has no time limit is waited for.

    Args:
        white: The player with the white pieces.
        black: The other.
        board: Where they begin. The moves on a board's stack are the opening.
        limit: The clocks at the beginning and what a move may take: a `chess.engine.Limit`. The
            players get the clocks as they stand. `remaining_moves` are the moves until the time of
            the beginning is added again. None for no limits: each player uses its own.
        adjudication: How the game may end early; None for not at all.
        margin: By how much a move may exceed its time. Seconds.
        tags: More tags for the PGN.

    Returns:
        The game.

    Raises:
        TypeError, ValueError: If `tags` is no mapping, or has a name that no tag can have.
        InvalidPositionError: If the position cannot be played from.

    Examples:
        >>> class First:
        ...     name = "first"
        ...     def choose(self, board, limit=None):
        ...         return chess.engine.PlayResult(min(board.legal_moves, key=str), None)
        ...     def close(self):
        ...         pass
        >>> game = play_game(First(), First(), board="7k/8/8/8/8/5K2/8/6R1 w - - 0 1")
        >>> game.result, game.reason
        ('1/2-1/2', 'insufficient material')
    """
    position = as_board(board)
    check_stack(position)
    for player, name in ((white, "white"), (black, "black")):
        check_player(player, name)
    rules = Rules.of(limit, adjudication, margin)
    check_type(tags, "tags", "a mapping of tags to texts or None", (Mapping, NoneType))
    for name in tags or {}:
        if not chess.pgn.TAG_NAME_REGEX.match(str(name)):
            raise ValueError(
                f"tags must have names of letters and digits, such as MyTag, not {shown(name)}"
            )
    found = referee((white, black), position, rules, tags or {})
    assert found is not None  # only a game that may be stopped is none
    return found


@dataclass(frozen=True)
class Rules:
    """What holds for a game, all of it checked."""

    limit: Limit
    adjudication: Adjudication
    margin: float

    @classmethod
    def of(cls, limit: Limit | None, adjudication: Adjudication | None, margin: float) -> "Rules":
        """Check what holds for a game."""
        adjudication = Adjudication() if adjudication is None else adjudication
        check_type(adjudication, "adjudication", "an Adjudication or None", Adjudication)
        return cls(check_game_limit(limit), adjudication, check_seconds(margin, "margin"))

    def told(self, clock: Clock | None, turn: chess.Color) -> Limit | None:
        """What the side to move is told; None if there are no limits."""
        if clock is not None:
            return clock.limit(turn)
        return None if self.limit == Limit() else self.limit

    def allowed(self, clock: Clock | None, turn: chess.Color) -> float:
        """How long a move may take before the game is lost, infinite without clocks. Seconds."""
        left = math.inf if clock is None else clock.left(turn)
        return min(left, math.inf if self.limit.time is None else self.limit.time) + self.margin


def referee(
    players: tuple[ChoosesMoves, ChoosesMoves],
    position: chess.Board,
    rules: Rules,
    tags: Mapping[str, str],
    stopped: Callable[[], bool] = lambda: False,
) -> GameRecord | None:
    """Let two players play a game, everything having been checked."""
    white, black = players
    game = _Game(
        {chess.WHITE: white, chess.BLACK: black},
        position.copy(),
        rules,
        None if rules.limit.white_clock is None else Clock.of(rules.limit),
    )
    ending = game.play(stopped)
    if ending is None:
        return None
    return GameRecord(
        name_of(white),
        name_of(black),
        *ending,
        position.root().fen(),
        tuple(position.move_stack),
        tuple(game.moves),
        {str(name): str(value) for name, value in tags.items()},
    )


def check_player(player: object, name: str) -> None:
    """Refuse what is no player."""
    if isinstance(player, type) or not callable(getattr(player, "choose", None)):
        raise TypeError(f"{name} must be a player, with a method choose(), not {described(player)}")


def name_of(player: object) -> str:
    """The name of a player; that of its class if it has none."""
    name = getattr(player, "name", None)
    return one_line(name if isinstance(name, str) and name else type(player).__name__, 200)


Ending = tuple[str, str, str]  # the result of a game, the reason, and the termination


@dataclass
class _Answer:
    """What came of asking a player."""

    result: object = None
    error: BaseException | None = None
    seconds: float = 0.0
    cpu: float = 0.0


@dataclass
class _Game:
    players: Mapping[chess.Color, ChoosesMoves]
    board: chess.Board
    rules: Rules
    clock: Clock | None
    moves: list[MoveRecord] = field(default_factory=list)
    offers: list[bool] = field(default_factory=list)

    def play(self, stopped: Callable[[], bool]) -> Ending | None:
        """Play to the end, or until the game is to be given up."""
        while not stopped():
            ending = self._finished() or self._move()
            if ending is not None:
                return ending
        return None

    def _finished(self) -> Ending | None:
        """Tell whether the game is over as it stands."""
        outcome = self.board.outcome()
        if outcome is not None:
            reason = outcome.termination.name.lower().replace("_", " ")
            return outcome.result(), reason, Termination.NORMAL
        if self.board.is_repetition(3):
            return "1/2-1/2", "threefold repetition", Termination.NORMAL
        if self.board.is_fifty_moves():
            return "1/2-1/2", "fifty moves", Termination.NORMAL
        if self.offers[-2:] == [True, True]:
            return "1/2-1/2", "draw by agreement", Termination.NORMAL
        early = verdict(self.rules.adjudication, self.board, self.moves)
        return None if early is None else (*early, Termination.ADJUDICATION)

    def _move(self) -> Ending | None:
        turn = self.board.turn
        side = "White" if turn else "Black"
        lost = "0-1" if turn else "1-0"
        player, allowed = self.players[turn], self.rules.allowed(self.clock, turn)
        board, limit = self.board.copy(), self.rules.told(self.clock, turn)
        answer = _asked(lambda: player.choose(board, limit), allowed)
        if isinstance(answer.error, KeyboardInterrupt):
            raise answer.error
        if isinstance(answer.error, IllegalMoveError):
            reason = one_line(f"{side} made an illegal move: {answer.error}", 200)
            return lost, reason, Termination.RULES
        if answer.error is not None:
            kind = type(answer.error).__name__
            reason = one_line(f"{side} crashed: {kind}: {answer.error}", 200)
            return lost, reason, Termination.ABANDONED
        if answer.seconds > allowed:
            close_quietly(player)
            return lost, f"{side} lost on time", Termination.TIME
        result = answer.result
        if getattr(result, "resigned", False) is True:
            return lost, f"{side} resigned", Termination.NORMAL
        move = getattr(result, "move", None)
        if not isinstance(move, chess.Move) or not self.board.is_legal(move):
            said = described(result) if not isinstance(result, PlayResult) else str(move)
            reason = one_line(f"{side} made an illegal move: {said}", 200)
            return lost, reason, Termination.RULES
        left = None if self.clock is None else self.clock.spend(turn, answer.seconds)
        self.moves.append(_record(move, answer, left))
        self.offers.append(getattr(result, "draw_offered", False) is True)
        self.board.push(move)
        return None


def _record(move: chess.Move, answer: _Answer, left: float | None) -> MoveRecord:
    """Take what a player says about its move, as far as that is what it should be."""
    found = getattr(answer.result, "info", None)
    info: Mapping[str, Any] = found if isinstance(found, Mapping) else {}
    score = info.get("score")
    score = score if isinstance(score, chess.engine.PovScore) else None
    depth, nodes = _count(info.get("depth")), _count(info.get("nodes"))
    return MoveRecord(move, answer.seconds, score, depth, nodes, answer.cpu, left)


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 2**64 else None


def _asked(choose: Callable[[], object], allowed: float) -> _Answer:
    """Ask a player; if it has only so much time, in a thread that may be left behind."""
    if math.isinf(allowed):
        return _timed(choose)
    answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
    thread = threading.Thread(
        target=lambda: answers.put(_timed(choose)), name="betacut player", daemon=True
    )
    thread.start()
    try:
        return answers.get(timeout=min(allowed, threading.TIMEOUT_MAX))
    except queue.Empty:
        return _Answer(seconds=math.inf)


def _timed(choose: Callable[[], object]) -> _Answer:
    """Ask a player, with a watch in hand."""
    answer = _Answer()
    begun, cpu = time.perf_counter(), time.thread_time()
    try:
        answer.result = choose()
    except BaseException as error:  # a player may do anything, and loses by it
        answer.error = error
    answer.seconds = time.perf_counter() - begun
    answer.cpu = time.thread_time() - cpu
    return answer


def close_quietly(*players: ChoosesMoves, seconds: float = 0.0) -> None:
    """Close players, which may still be thinking, all at once, and whatever that does."""

    def close(player: ChoosesMoves) -> None:
        with suppress(BaseException):  # the game is over, and it need not have the method
            player.close()  # type: ignore[attr-defined]

    threads = [
        threading.Thread(target=close, args=[player], name="betacut closing", daemon=True)
        for player in players
    ]
    for thread in threads:
        thread.start()
    end = time.monotonic() + seconds
    for thread in threads:
        thread.join(max(end - time.monotonic(), 0.0))
