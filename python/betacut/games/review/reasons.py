"""Reasons: what a bad move allows or misses, where the exact search proves it.

A reason is about a mate or about material, and comes with a line. It is given only if it holds:

- A mate is found by the exact search, to the depth at which it is given. It is allowed if the mover
  had a move after which no mate comes as soon; it is missed if the best move begins it, and the
  move that was made does not even keep one that takes a move more.
- Material is what pieces are worth by the preset `material` (1, 3, 3, 5 and 9 pawns), captures
  played out at the last ply. It is lost if the side has less in the end than it had, and another
  move keeps at least half of that; it is missed if the best move wins some, and the move that was
  made gets at most half of it. So say all searches from the depth that is named to the greatest, of
  7 plies after the move (6 where the limit ends them), with the same amount. The judge agrees that
  the move costs at least half of that, and so does the simplified evaluation, by which certificates
  are made. Along the line just these pieces go, and what is there when it ends is what the search
  says will remain.

What a move misses is told of the best move that the judge has found, and of no other. All searches
are limited by nodes; one that does not end in time proves nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import chess

from betacut import engine
from betacut.core.constants import MATE
from betacut.results.search import SearchResult

MATES = (1, 3, 5)  # the depths at which mates are looked for, in plies
DEPTHS = range(1, 8)  # the depths at which material is, after the move, in plies
SHOWN = 4  # the least depth of the search that is named, and whose value a certificate proves
SURE = 6  # the least depth to which what it says must hold, if the limit ends the searches there
NODES = 1_000_000  # the limit of each search
TABLE_MB = 4  # what the searches for the material of a move and of the best one share
CAPTURES = 2000  # the limit of positions for the captures at the end of a line
LEAST = 100  # the least material worth a reason. Centipawns

VALUES = {
    chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900,
}  # fmt: skip
"""What pieces are worth by the preset `material`. Centipawns."""

PIECE = 0  # a knight or a bishop, where it does not matter which
WORTH = {**VALUES, PIECE: 300}
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}


@dataclass(frozen=True, slots=True)
class Reason:
    """What a move allows or misses.

    Attributes:
        kind: `allows mate`, `misses mate`, `loses material` or `misses material`.
        text: A sentence with the line in algebraic notation.
        line: The moves after the move, or in its place for what is missed.
        fen: The position that was searched: the one after the move, or before it.
        depth: The depth of that search. Plies.
        quiescence: Whether it played captures out at the last ply.
    """

    kind: str
    text: str
    line: tuple[chess.Move, ...]
    fen: str
    depth: int
    quiescence: bool

    @property
    def mate(self) -> int | None:
        """In how many moves it mates; None if it is about material."""
        return (self.depth + 1) // 2 if self.kind.endswith("mate") else None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts."""
        return {**asdict(self), "line": [move.uci() for move in self.line]}


def reason_for(board: chess.Board, move: chess.Move, best: chess.Move, loss: int) -> Reason | None:
    """Find what speaks against a move that lost so many centipawns; None if nothing is proved."""
    before = board.copy(stack=False)
    after = before.copy(stack=False)
    after.push(move)
    question = _Question(before, move, after, best, loss, engine.Table(mb=TABLE_MB))
    for look in (_mate_allowed, _mate_missed, _material):
        found = look(question)
        if found is not None:
            return found
    return None


class _Question(NamedTuple):
    """A move, the positions before it and after it, the best move, what was lost, and a table."""

    before: chess.Board
    move: chess.Move
    after: chess.Board
    best: chess.Move
    loss: int
    table: engine.Table

    @property
    def san(self) -> str:
        """The move in algebraic notation."""
        return self.before.san(self.move)


def _mate_allowed(asked: _Question) -> Reason | None:
    """Whether the move lets itself be mated, and another does not."""
    before, after = asked.before, asked.after
    for depth in MATES:
        found = _search(after, depth)
        if found is None:
            return None
        if _mates(found, after.turn):
            best = _search(before, depth + 1)
            if best is None or _mates(best, after.turn):
                return None
            said = f"{asked.san} allows mate in {(depth + 1) // 2}"
            return _reason("allows mate", said, after, tuple(found.pv), depth)
    return None


def _mate_missed(asked: _Question) -> Reason | None:
    """Whether the best move mates, and the move that was made lets the mate go."""
    before, mover = asked.before, asked.before.turn
    for depth in MATES:
        found = _search(before, depth)
        if found is None:
            return None
        if _mates(found, mover):
            # A mate that is a move slower is none that was missed.
            kept = _search(asked.after, depth + 1)
            if asked.best not in found.best_moves or asked.move in found.best_moves:
                return None
            if kept is not None and _mates(kept, mover):
                return None
            line = tuple(engine.search(before, depth, root_moves=[asked.best]).pv)
            said = f"{asked.san} misses mate in {(depth + 1) // 2}"
            return _reason("misses mate", said, before, line, depth)
    return None


def _material(asked: _Question) -> Reason | None:
    """Whether the move loses material, or lets some go; the greater of both amounts is told."""
    lost: list[int] = []
    missed: list[int] = []
    stands = _balance(asked.before, asked.before.turn)
    for depth in DEPTHS:
        values = _values(asked, depth)
        if values is None:
            break
        played, best = (value - stands for value in values)
        # No other reason may weigh more: such as that all moves lose something.
        lost.append(-played if played < 0 and 2 * (best - played) >= -played else 0)
        missed.append(best if best > 0 and 2 * (best - played) >= best else 0)
        if depth > SHOWN and not any(lost[-2:] + missed[-2:]):
            return None
    if len(lost) < SURE:
        return None
    looks = [(lost, _material_lost), (missed, _material_missed)]
    for amounts, look in sorted(looks, key=lambda pair: -pair[0][-1]):
        settled = _settled(asked, amounts)
        found = None if settled is None else look(asked, settled, stands)
        if found is not None:
            return found
    return None


def _values(asked: _Question, depth: int) -> tuple[int, int] | None:
    """The material after the move and after the best one; None if a search settles nothing."""
    played = _material_value(asked, asked.after, depth)
    best = None if played is None else _material_value(asked, asked.before, depth + 1)
    return None if played is None or best is None else (played, best)


def _material_lost(asked: _Question, settled: _Settled, stands: int) -> Reason | None:
    """What the move loses."""
    mover = asked.before.turn
    line = _line(asked.after, None, settled.first, stands - settled.amount, mover)
    what = line and _exchanged(asked.before, (asked.move, *line), mover)
    if not line or not what:
        return None
    said = f"{asked.san} loses {what}"
    return _reason("loses material", said, asked.after, line, settled.depth, quiescence=True)


def _material_missed(asked: _Question, settled: _Settled, stands: int) -> Reason | None:
    """What the best move wins."""
    mover, depth = asked.before.turn, settled.depth + 1
    line = _line(asked.before, asked.best, settled.first + 1, stands + settled.amount, mover)
    what = line and _exchanged(asked.before, line, not mover)
    if not line or not what:
        return None
    said = f"{asked.san} misses {asked.before.san(asked.best)}, which wins {what}"
    return _reason("misses material", said, asked.before, line, depth, quiescence=True)


class _Settled(NamedTuple):
    """So much material, at this depth after the move, and at all from the first one."""

    amount: int
    depth: int
    first: int


def _settled(asked: _Question, amounts: list[int]) -> _Settled | None:
    """Find a depth from which on a move costs so much material at every depth."""
    if not LEAST <= amounts[-1] <= 2 * asked.loss:
        return None
    first = len(amounts)
    while first > 1 and amounts[first - 2] == amounts[-1]:
        first -= 1
    depth = max(first, SHOWN)
    if depth == len(amounts):
        return None
    cost = _simplified_cost(asked.before, asked.after, depth)
    return None if cost is None or amounts[-1] > 2 * cost else _Settled(amounts[-1], depth, first)


def _material_value(asked: _Question, board: chess.Board, depth: int) -> int | None:
    """The material that the mover has in the end; None if a mate decides or nothing is proved."""
    options = {"evaluation": "material", "quiescence": True, "best_moves": False}
    found = _search(board, depth, table=asked.table, **options)
    if found is None or abs(found.score) >= MATE:
        return None
    return found.score if asked.before.turn == chess.WHITE else -found.score


def _simplified_cost(before: chess.Board, after: chess.Board, depth: int) -> int | None:
    """What a move costs by the evaluation of the certificates. Centipawns."""
    best = _search(before, depth + 1, quiescence=True)
    played = _search(after, depth, quiescence=True)
    if best is None or played is None:
        return None
    return (best.score - played.score) * (1 if before.turn == chess.WHITE else -1)


def _search(board: chess.Board, depth: int, **options: Any) -> SearchResult | None:  # noqa: ANN401
    """Search a position; None if it is finished, or the search takes too long."""
    if board.is_game_over():
        return None
    found = engine.search(board, depth, nodes=NODES, **options)
    return found if found.complete else None


def _mates(found: SearchResult, color: chess.Color) -> bool:
    """Whether a side mates by the depth of a search."""
    return (found.score if color == chess.WHITE else -found.score) >= MATE


def _balance(board: chess.Board, color: chess.Color) -> int:
    """The material of a side less that of the other. Centipawns."""
    return sum(
        value * (len(board.pieces(kind, color)) - len(board.pieces(kind, not color)))
        for kind, value in VALUES.items()
    )


def _line(
    board: chess.Board, first: chess.Move | None, depth: int, wanted: int, color: chess.Color
) -> tuple[chess.Move, ...] | None:
    """A line of best moves, perhaps with this first one, until the material stays as wanted."""
    # Of moves that are equal in material, the better one by the simplified evaluation.
    after = board.copy(stack=False)
    for left in range(depth, 0, -1):
        best = _search(after, left, evaluation="material", quiescence=True)
        if best is None:
            break
        if first is not None and left == depth:
            move = first if first in best.best_moves else None
        else:
            better = _search(after, left, quiescence=True, root_moves=best.best_moves)
            move = None if better is None else better.move
        if move is None:
            return None
        after.push(move)
    line = [*after.move_stack, *_captures(after)]
    after = board.copy(stack=False)
    balances = []
    for move in line:
        after.push(move)
        balances.append(_balance(after, color))
    if not balances or balances[-1] != wanted:
        return None
    while len(line) > 1 and balances[-2] == wanted:
        line.pop()
        balances.pop()
    return tuple(line)


def _captures(board: chess.Board) -> list[chess.Move]:
    """The captures that a search with quiescence plays after its last ply."""
    left = [CAPTURES]

    def best(board: chess.Board, alpha: int, beta: int) -> tuple[int, list[chess.Move]]:
        value = _balance(board, board.turn)
        line: list[chess.Move] = []
        left[0] -= 1
        if value >= beta or left[0] <= 0:
            return value, line
        alpha = max(alpha, value)
        for move in [one for one in board.legal_moves if board.is_capture(one) or one.promotion]:
            board.push(move)
            theirs, reply = best(board, -beta, -alpha)
            board.pop()
            if -theirs > value:
                value, line = -theirs, [move, *reply]
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        return value, line

    return best(board.copy(stack=False), -MATE, MATE)[1]


def _exchanged(board: chess.Board, line: tuple[chess.Move, ...], color: chess.Color) -> str | None:
    """Say what a side loses along a line, and for what; None if it cannot be said in brief."""
    after = board.copy(stack=False)
    for move in line:
        if move.promotion is not None:
            return None
        after.push(move)
    lost, won = (
        Counter(
            {kind: len(board.pieces(kind, side)) - len(after.pieces(kind, side)) for kind in VALUES}
        )
        for side in (color, not color)
    )
    minor_lost, minor_won = (one[chess.KNIGHT] + one[chess.BISHOP] for one in (lost, won))
    lost, won = lost - won, won - lost
    if minor_lost and minor_won:
        # A bishop for a knight, or the other way around, is no loss; what remains is a piece.
        for counts, rest in ((lost, minor_lost - minor_won), (won, minor_won - minor_lost)):
            del counts[chess.KNIGHT], counts[chess.BISHOP]
            counts[PIECE] = rest
        lost, won = +lost, +won
    if lost == {chess.ROOK: 1} and won in ({chess.KNIGHT: 1}, {chess.BISHOP: 1}, {PIECE: 1}):
        return "the exchange"
    if not lost:
        return None
    only = {kind for kind in VALUES if len(board.pieces(kind, color)) == 1}
    return _named(lost, only) + (f" for {_named(won, set())}" if won else "")


def _named(pieces: Counter[int], only: set[int]) -> str:
    """Write pieces, the greatest first; those that are the only ones are known."""
    names = []
    for kind in sorted(pieces, key=lambda kind: (WORTH[kind], kind), reverse=True):
        name, count = "piece" if kind == PIECE else chess.piece_name(kind), pieces[kind]
        if count > 1:
            names.append(f"{NUMBERS.get(count, count)} {name}s")
        else:
            names.append(f"{'the' if kind in only else 'a'} {name}")
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _reason(
    kind: str,
    said: str,
    board: chess.Board,
    line: tuple[chess.Move, ...],
    depth: int,
    *,
    quiescence: bool = False,
) -> Reason:
    text = f"{said}: {board.variation_san(line)}."
    return Reason(kind, text, line, board.fen(), depth, quiescence)
