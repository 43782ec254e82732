"""Values moves by the game so far: repetitions and the fifty-move rule, for all players alike.

A search values a position by itself, whatever came before; a player has to look at the game:

- A move after which a position stands on the board again counts as a **draw**, as does one that
  ends the fiftieth move without capture or pawn move: 0, whatever the search says. So a player that
  is better plays something else, and one that is worse takes the draw.
- A move that lets the *other side* claim a draw with its reply is worth what the search says, but
  not more than 0.
- All other moves are worth what the search says.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

import chess
from chess.engine import Cp, Score

DRAW = Cp(0)  # a draw, in either view
FIFTY_MOVES = 100  # half-moves without capture or pawn move after which a draw can be claimed


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a search proposes, for the side to move; `best` have that score, `ranking` are all."""

    move: chess.Move
    score: Score
    best: tuple[chess.Move, ...] = ()
    pv: tuple[chess.Move, ...] = ()
    depth: int | None = None
    nodes: int | None = None
    ranking: tuple[tuple[chess.Move, Score], ...] = ()


@dataclass(frozen=True, slots=True)
class RootMoves:
    """The legal moves; after risky ones the other side may make a draw, drawn ones count as one."""

    free: tuple[chess.Move, ...]
    risky: tuple[chess.Move, ...] = ()
    drawn: tuple[chess.Move, ...] = ()


def root_moves(board: chess.Board) -> RootMoves:
    """Sort the legal moves by what the game so far makes of them."""
    legal = tuple(board.legal_moves)
    reversible = min(board.halfmove_clock, len(board.move_stack))
    if reversible < 3 and board.halfmove_clock < FIFTY_MOVES - 2:
        return RootMoves(legal)
    after = board.copy()
    seen = _occurrences(after)
    # A position that occurred twice is one move away from a third time.
    twice = {key for key, times in seen.items() if times >= 2}
    free, risky, surely, perhaps = [], [], [], []
    for move in legal:
        after.push(move)
        times = seen[after._transposition_key()]
        if after.is_checkmate():
            free.append(move)
        elif times >= 2 or after.halfmove_clock >= FIFTY_MOVES:
            surely.append(move)
        elif times == 1:
            perhaps.append(move)
        elif _can_be_drawn(after, twice):
            risky.append(move)
        else:
            free.append(move)
        after.pop()
    return RootMoves(tuple(free), tuple(risky), (*surely, *perhaps))


def _occurrences(board: chess.Board) -> Counter[Hashable]:
    """How often each position that can still come again stood on the board."""
    back = board.copy()
    seen = Counter([back._transposition_key()])
    while back.move_stack:
        move = back.pop()
        if back.is_irreversible(move):
            break
        seen[back._transposition_key()] += 1
    return seen


def _can_be_drawn(board: chess.Board, twice: set[Hashable]) -> bool:
    """Whether the side to move has a move after which it can claim a draw."""
    if board.halfmove_clock < FIFTY_MOVES - 1 and not twice:
        return False
    for reply in list(board.legal_moves):
        board.push(reply)
        claims = board._transposition_key() in twice or (
            board.halfmove_clock >= FIFTY_MOVES and not board.is_checkmate()
        )
        board.pop()
        if claims:
            return True
    return False


Pick = Callable[[Sequence[chess.Move]], chess.Move]

first_of = itemgetter(0)


def choose(
    roots: RootMoves,
    found: Proposal,
    best_of: Callable[[Sequence[chess.Move]], Proposal | None],
    pick: Pick = first_of,
) -> Proposal:
    """Choose the move of greatest worth in the light of the game; of a draw and a 0, the move."""
    if not (roots.risky or roots.drawn) or found.score < DRAW:
        drawn = roots.drawn and found.score < DRAW
        return _draw(roots.drawn[0], found) if drawn else _picked(found, found.best, pick)
    free = set(roots.free)
    among = [move for move in found.best if move in free]
    if among:
        return _picked(found, among, pick)
    if found.score == DRAW:
        return found
    other = best_of(roots.free) if roots.free else None
    if other is not None and (other.score >= DRAW or not (roots.drawn or roots.risky)):
        return _picked(other, other.best, pick)
    return _draw((*roots.drawn, found.move)[0], found)


def _picked(found: Proposal, moves: Sequence[chess.Move], pick: Pick) -> Proposal:
    """The same with one of its moves; the line is that of the first."""
    move = pick(moves) if moves else found.move
    if move == found.move:
        return found
    pv = found.pv if found.pv[:1] == (move,) else (move,)
    return replace(found, move=move, pv=pv)


def _draw(move: chess.Move, found: Proposal) -> Proposal:
    """A move that counts as a draw."""
    return replace(found, move=move, score=DRAW, best=(move,), pv=(move,), ranking=())


class GameTracker:
    """Tells games apart: a board goes on with the last one's start and moves, some taken back."""

    def __init__(self) -> None:
        self._game: object = None
        self._start = ""
        self._moves: list[chess.Move] = []

    def game_of(self, board: chess.Board) -> object:
        """Find the game of a board."""
        start, moves = board.root().fen(), list(board.move_stack)
        common = min(len(moves), len(self._moves))
        same = start == self._start and moves[:common] == self._moves[:common]
        if self._game is None or not same or not moves:
            self._game = object()
        self._start, self._moves = start, moves
        return self._game
