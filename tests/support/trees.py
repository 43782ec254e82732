"""Trees for tests: of a small alpha-beta, and large ones that nobody searched."""

from array import array

import chess

from betacut.core.constants import INFINITY
from betacut.reference.move_order import ordered_moves
from betacut.reference.position import Position
from betacut.results.tree import COLUMNS, Builder, Tree

__all__ = ["KIWIPETE", "large_tree", "searched_tree"]

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


class _Search:
    """Fail-soft alpha-beta or minimax, which tells a builder what it does."""

    def __init__(self, fen: str, builder: Builder, prune: bool) -> None:
        self.position = Position(chess.Board(fen))
        self.builder = builder
        self.prune = prune

    def value(self, depth: int, alpha: int, beta: int, move: chess.Move | None) -> int:
        builder, position = self.builder, self.position
        builder.enter(move, depth, alpha, beta)
        white = position.board.turn
        if position.is_over:
            value = position.score + (-depth if white else depth)
            mate = position.board.is_checkmate()
            builder.leave(value, "checkmate" if mate else "stalemate")
            return value
        if depth == 0:
            builder.static(position.score)
            builder.leave(position.score, "leaf")
            return position.score
        return self.best(depth, alpha, beta)

    def best(self, depth: int, alpha: int, beta: int) -> int:
        """Search the children of a node that was entered, and leave it."""
        position = self.position
        white = position.board.turn
        moves = list(position.legal_moves())
        best = -INFINITY if white else INFINITY
        for move in moves:
            position.push(move)
            value = self.value(depth - 1, alpha, beta, move)
            position.pop()
            best = max(best, value) if white else min(best, value)
            if self.prune:
                alpha, beta = (max(alpha, best), beta) if white else (alpha, min(beta, best))
                if alpha >= beta:
                    self.builder.leave(best, "cutoff", len(moves))
                    return best
        self.builder.leave(best, "searched", len(moves))
        return best


def searched_tree(
    fen: str, depth: int, *, prune: bool = True, builder: Builder | None = None, passes: int = 1
) -> Tree:
    builder = builder or Builder()
    for _ in range(passes):
        _Search(fen, builder, prune).value(depth, -INFINITY, INFINITY, None)
    name = "alpha_beta" if prune else "minimax"
    return builder.build(fen=fen, algorithm=name, depth=depth, legal_moves=ordered_moves)


def _pawn_moves(color: chess.Color) -> list[tuple[int, int]]:
    """Every pawn's first moves, as the pawn's file and the code of the move."""
    origin = 8 if color else 48
    steps = (8, 16) if color else (-8, -16)
    return [
        (file, origin + file | origin + file + step << 6) for file in range(8) for step in steps
    ]


def large_tree(first_moves: int = 13) -> Tree:
    """Make a tree of more than a million nodes: two passes in which pawns step, five plies deep."""
    moves, plies = array("H"), array("B")
    white, black = _pawn_moves(chess.WHITE), _pawn_moves(chess.BLACK)

    def grow(ply: int, used: frozenset[int], theirs: frozenset[int]) -> None:
        options = [pair for pair in (white if ply % 2 else black) if pair[0] not in used]
        if ply == 5:
            moves.extend(code for _, code in options)
            plies.extend([5] * len(options))
            return
        for file, code in options[: first_moves if ply == 1 else None]:
            moves.append(code)
            plies.append(ply)
            grow(ply + 1, theirs, used | {file})

    for _ in range(2):
        moves.append(0xFFFF)
        plies.append(0)
        grow(1, frozenset(), frozenset())
    return _tree_of(moves, plies)


def _tree_of(moves: "array[int]", plies: "array[int]") -> Tree:
    count = len(moves)
    columns = {name: array(code, [0]) * count for name, code in COLUMNS.items()}
    columns["move"], columns["ply"] = moves, plies
    columns["parent"], columns["first_child"] = array("i", [-1]) * count, array("i", [-1]) * count
    columns["size"] = array("I", [1]) * count
    columns["alpha"], columns["beta"] = (
        array("i", [-INFINITY]) * count,
        array("i", [INFINITY]) * count,
    )
    columns["depth"] = array("b", [5 - ply for ply in plies])
    columns["end"] = array("B", [ply == 5 for ply in plies])
    columns["kind"] = array("B", [index % 3 for index in range(count)])
    columns["value"] = array("i", [index * 7919 % 401 - 200 for index in range(count)])
    columns["pruned"] = array("H", [0 if ply == 5 else 1 + ply for ply in plies])
    latest = [-1] * 7
    parents, sizes = columns["parent"], columns["size"]
    for index, ply in enumerate(plies):
        parents[index] = latest[ply]
        latest[ply + 1] = index
        if ply and columns["first_child"][latest[ply]] < 0:
            columns["first_child"][latest[ply]] = index
        if ply:
            columns["children"][latest[ply]] += 1
    for index in range(count - 1, -1, -1):
        if plies[index]:
            sizes[parents[index]] += sizes[index]
    return Tree(columns, fen=chess.STARTING_FEN, algorithm="made up", depth=5)
