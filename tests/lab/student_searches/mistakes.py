"""Classic mistakes, as students make them: searches of every form, each with one step wrong.

The values of leaves and finished games are given, as in the course; what is wrong is the search.
"""

import functools
from collections.abc import Callable, Iterator
from typing import Any

import chess

from betacut import engine
from lab.student_searches.negamax import INFINITY, MATE, is_drawn
from lab.student_searches.neighbours import VALUES, over, sign

Score = Any  # an int, or a float where a student writes float("inf")


def white_over(board: chess.Board, depth: int) -> int | None:
    """What `over` says, from White's view."""
    value = over(board, depth)
    return None if value is None else sign(board) * value


def static(board: chess.Board) -> int:
    return sign(board) * engine.evaluate_position(board)


def leaf(board: chess.Board, depth: int) -> int | None:
    """The value of a position where the search ends, to the side to move; None if it goes on."""
    value = over(board, max(depth, 0))
    return static(board) if value is None and depth <= 0 else value


def white_leaf(board: chess.Board, depth: int) -> int | None:
    """The same from White's view."""
    value = leaf(board, depth)
    return None if value is None else sign(board) * value


def child(board: chess.Board, move: chess.Move) -> chess.Board:
    made = board.copy()
    made.push(move)
    return made


# Negamax: scores are the mover's.


def infinity_below_mate(
    board: chess.Board, depth: int, alpha: int = -50_000, beta: int = 50_000
) -> int:
    if (value := leaf(board, depth)) is not None:
        return value
    for move in board.legal_moves:
        board.push(move)
        score = -infinity_below_mate(board, depth - 1, -beta, -alpha)
        board.pop()
        if score >= beta:
            return beta
        alpha = max(alpha, score)
    return alpha


def alpha_beta(board: chess.Board, depth: int, alpha: Score, beta: Score) -> Score:
    """Right: what some mistakes need below them."""
    if (value := leaf(board, depth)) is not None:
        return value
    best = -INFINITY
    for move in board.legal_moves:
        board.push(move)
        best = max(best, -alpha_beta(board, depth - 1, -beta, -max(alpha, best)))
        board.pop()
        if best >= beta:
            break
    return best


def aspiration_without_second_search(board: chess.Board, depth: int) -> int:
    score = alpha_beta(board, 1, -INFINITY, INFINITY)
    for now in range(2, depth + 1):
        low, high = score - 50, score + 50
        score = min(max(alpha_beta(board, now, low, high), low), high)
    return int(score)


def quiescence_at_the_leaves(board: chess.Board, depth: int) -> int:
    def quiet(alpha: int, beta: int) -> int:
        best = static(board)
        alpha = max(alpha, best)
        for move in list(board.generate_legal_captures()):
            if alpha >= beta:
                break
            board.push(move)
            best = max(best, -quiet(-beta, -alpha))
            board.pop()
            alpha = max(alpha, best)
        return best

    def search(depth: int, alpha: int, beta: int) -> int:
        if (value := over(board, depth)) is not None:
            return value
        if depth == 0:
            return quiet(alpha, beta)
        for move in board.legal_moves:
            board.push(move)
            alpha = max(alpha, -search(depth - 1, -beta, -alpha))
            board.pop()
            if alpha >= beta:
                break
        return alpha

    return search(depth, -INFINITY, INFINITY)


def sorted_while_iterated(board: chess.Board, depth: int) -> int:
    if (value := leaf(board, depth)) is not None:
        return value
    best, scores = -INFINITY, {}
    moves = list(board.legal_moves)
    for move in moves:
        board.push(move)
        scores[move] = -sorted_while_iterated(board, depth - 1)
        board.pop()
        best = max(best, scores[move])
        moves.sort(key=lambda one: scores.get(one, 0), reverse=True)
    return best


def removed_while_iterated(board: chess.Board, depth: int) -> int:
    if (value := leaf(board, depth)) is not None:
        return value
    best = -INFINITY
    moves = list(board.legal_moves)
    for move in moves:
        board.push(move)
        best = max(best, -removed_while_iterated(board, depth - 1))
        board.pop()
        moves.remove(move)
    return best


def claims_draws(board: chess.Board, depth: int) -> int:
    if board.is_game_over(claim_draw=True):
        return -MATE - depth if board.is_checkmate() else -depth
    if depth == 0:
        return static(board)
    return max(-claims_draws(child(board, move), depth - 1) for move in board.legal_moves)


def captures_cost_two_plies(board: chess.Board, depth: int) -> int:
    if (value := leaf(board, depth)) is not None:
        return value
    return max(
        -captures_cost_two_plies(child(board, move), depth - (2 if board.is_capture(move) else 1))
        for move in board.legal_moves
    )


def null_window_without_second_search(
    board: chess.Board, depth: int, alpha: int = -INFINITY, beta: int = INFINITY
) -> int:
    if (value := leaf(board, depth)) is not None:
        return value
    for number, move in enumerate(board.legal_moves):
        board.push(move)
        low = -beta if number == 0 else -alpha - 1
        score = -null_window_without_second_search(board, depth - 1, low, -alpha)
        board.pop()
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return alpha


def cut_at_alpha(
    board: chess.Board, depth: int, alpha: int = -INFINITY, beta: int = INFINITY
) -> int:
    if (value := leaf(board, depth)) is not None:
        return value
    best = -INFINITY
    for move in board.legal_moves:
        board.push(move)
        score = -cut_at_alpha(board, depth - 1, -beta, -alpha)
        board.pop()
        best = max(best, score)
        if score <= alpha:
            break
        alpha = max(alpha, score)
    return best


def pseudo_legal_moves(board: chess.Board, depth: int) -> int:
    if (value := leaf(board, depth)) is not None:
        return value
    moves = board.pseudo_legal_moves
    return max(-pseudo_legal_moves(child(board, move), depth - 1) for move in moves)


def colour_not_turned(board: chess.Board, depth: int, colour: int = 0) -> int:
    colour = colour or sign(board)
    if (value := over(board, depth)) is not None:
        return value
    if depth == 0:
        return colour * engine.evaluate_position(board)
    best = -INFINITY
    for move in board.legal_moves:
        board.push(move)
        best = max(best, -colour_not_turned(board, depth - 1, colour))
        board.pop()
    return best


def returns_in_the_loop(board: chess.Board, depth: int) -> int:
    if (value := leaf(board, depth)) is not None:
        return value
    best = -INFINITY
    for move in board.legal_moves:
        board.push(move)
        best = max(best, -returns_in_the_loop(board, depth - 1))
        board.pop()
        return best
    return best


def generator_used_up(board: chess.Board, depth: int) -> int:
    moves = (move for move in board.legal_moves)
    if not any(moves):  # takes the first one
        return -MATE - depth if board.is_check() else -depth
    if is_drawn(board):
        return -depth
    if depth == 0:
        return static(board)
    best = -INFINITY
    for move in moves:
        board.push(move)
        best = max(best, -generator_used_up(board, depth - 1))
        board.pop()
    return best


def depth_reduced_in_the_loop(board: chess.Board, depth: int) -> int:
    if (value := leaf(board, depth)) is not None:
        return value
    best = -INFINITY
    for move in board.legal_moves:
        depth -= 1
        board.push(move)
        best = max(best, -depth_reduced_in_the_loop(board, depth))
        board.pop()
    return best


def late_moves_reduced(board: chess.Board, depth: int) -> int:
    if (value := leaf(board, depth)) is not None:
        return value
    return max(
        -late_moves_reduced(child(board, move), depth - (1 if number < 3 else 2))
        for number, move in enumerate(board.legal_moves)
    )


def null_move_in_an_exact_search(
    board: chess.Board, depth: int, alpha: int = -INFINITY, beta: int = INFINITY
) -> int:
    if (value := leaf(board, depth)) is not None:
        return value
    if not board.is_check() and beta < INFINITY:
        board.push(chess.Move.null())
        score = -null_move_in_an_exact_search(board, depth - 2, -beta, -beta + 1)
        board.pop()
        if score >= beta:
            return beta
    for move in board.legal_moves:
        board.push(move)
        alpha = max(alpha, -null_move_in_an_exact_search(board, depth - 1, -beta, -alpha))
        board.pop()
        if alpha >= beta:
            break
    return alpha


def checks_extended(board: chess.Board, depth: int) -> int:
    if (value := leaf(board, depth)) is not None:
        return value
    best = -INFINITY
    for move in board.legal_moves:
        board.push(move)
        left = depth if board.is_check() and len(board.move_stack) < 4 else depth - 1
        best = max(best, -checks_extended(board, left))
        board.pop()
    return best


def previous_iteration(board: chess.Board, depth: int) -> int:
    score = static(board)
    for now in range(1, depth):
        score = alpha_beta(board, now, -INFINITY, INFINITY)
    return int(score)


def stalemate_without_check(board: chess.Board, depth: int) -> int:
    best = -MATE - depth
    if is_drawn(board) and any(board.legal_moves):
        return -depth
    if depth == 0 and any(board.legal_moves):
        return static(board)
    for move in board.legal_moves:
        best = max(best, -stalemate_without_check(child(board, move), depth - 1))
    return best


def pairs_compared(board: chess.Board, depth: int) -> tuple[int, Any]:
    """Where values are equal Python compares the moves, which have no order."""
    if (value := over(board, depth)) is not None:
        return value, None
    if depth == 0:
        return static(board), None
    return max(
        (-pairs_compared(child(board, move), depth - 1)[0], move) for move in board.legal_moves
    )


# Two functions, or one with both branches: scores are White's.


def root_always_maximises(board: chess.Board, depth: int) -> Score:
    def value(board: chess.Board, depth: int, alpha: float, beta: float) -> Score:
        if (ended := white_leaf(board, depth)) is not None:
            return ended
        if board.turn == chess.WHITE:
            for move in board.legal_moves:
                alpha = max(alpha, value(child(board, move), depth - 1, alpha, beta))
                if alpha >= beta:
                    break
            return alpha
        for move in board.legal_moves:
            beta = min(beta, value(child(board, move), depth - 1, alpha, beta))
            if alpha >= beta:
                break
        return beta

    inf = float("inf")
    return max(value(child(board, move), depth - 1, -inf, inf) for move in board.legal_moves)


def best_begins_at_zero(board: chess.Board, depth: int) -> int:
    if (value := white_leaf(board, depth)) is not None:
        return value
    best = 0
    for move in board.legal_moves:
        value = best_begins_at_zero(child(board, move), depth - 1)
        best = max(best, value) if board.turn else min(best, value)
    return best


def min_begins_at_minus_infinity(board: chess.Board, depth: int) -> Score:
    if (value := white_leaf(board, depth)) is not None:
        return value
    best = float("-inf")
    for move in board.legal_moves:
        value = min_begins_at_minus_infinity(child(board, move), depth - 1)
        if (value > best) if board.turn == chess.WHITE else (value < best):
            best = value
    return best


def depth_counts_moves(board: chess.Board, depth: int) -> int:
    def max_value(depth: int) -> int:
        if (value := white_leaf(board, depth)) is not None:
            return value
        best = -INFINITY
        for move in board.legal_moves:
            board.push(move)
            best = max(best, min_value(depth))
            board.pop()
        return best

    def min_value(depth: int) -> int:
        if (value := white_leaf(board, depth)) is not None:
            return value
        best = INFINITY
        for move in board.legal_moves:
            board.push(move)
            best = min(best, max_value(depth - 1))
            board.pop()
        return best

    return max_value(depth) if board.turn == chess.WHITE else min_value(depth)


def material_only(board: chess.Board, depth: int) -> int:
    if (value := white_over(board, depth)) is not None:
        return value
    if depth == 0:
        return sum(
            VALUES.get(piece.piece_type, 0) * (1 if piece.color else -1)
            for piece in board.piece_map().values()
        )
    values = [material_only(child(board, move), depth - 1) for move in board.legal_moves]
    return max(values) if board.turn else min(values)


def black_maximises_too(board: chess.Board, depth: int) -> int:
    def values() -> Iterator[int]:
        for move in board.legal_moves:
            yield black_maximises_too(child(board, move), depth - 1)

    if (value := white_over(board, depth)) is not None:
        return value
    return engine.evaluate_position(board) if depth == 0 else max(values())


# Classes, closures, and what they keep.


class MovesOfAllLevels:
    def __init__(self) -> None:
        self.moves: list[chess.Move] = []

    def __call__(self, board: chess.Board, depth: int) -> int:
        self.moves.clear()
        return self.search(board, depth)

    def search(self, board: chess.Board, depth: int) -> int:
        if (value := leaf(board, depth)) is not None:
            return value
        best = -INFINITY
        self.moves.extend(board.legal_moves)
        for move in list(self.moves):
            if board.color_at(move.from_square) == board.turn:
                best = max(best, -self.search(child(board, move), depth - 1))
        return best


class SharedWindow:
    """Alpha and beta are attributes: what one branch learns holds for all others."""

    def __call__(self, board: chess.Board, depth: int) -> Score:
        self.alpha, self.beta = float("-inf"), float("inf")
        return self.value(board, depth)

    def value(self, board: chess.Board, depth: int) -> Score:
        if (ended := white_leaf(board, depth)) is not None:
            return ended
        white = board.turn == chess.WHITE
        best = float("-inf") if white else float("inf")
        for move in board.legal_moves:
            board.push(move)
            value = self.value(board, depth - 1)
            board.pop()
            if white:
                best = max(best, value)
                self.alpha = max(self.alpha, best)
            else:
                best = min(best, value)
                self.beta = min(self.beta, best)
            if self.alpha >= self.beta:
                break
        return best


def memo_without_depth() -> Callable[[chess.Board, int], int]:
    memo: dict[str, int] = {}

    def search(board: chess.Board, depth: int) -> int:
        if (value := leaf(board, depth)) is not None:
            return value
        key = board.fen()
        if key not in memo:
            memo[key] = max(-search(child(board, move), depth - 1) for move in board.legal_moves)
        return memo[key]

    return search


def memo_of_placements() -> Callable[[chess.Board, int], int]:
    @functools.cache
    def value(placement: str, depth: int) -> int:
        return max(-search(child(known[placement], move), depth - 1) for move in moves(placement))

    def moves(placement: str) -> list[chess.Move]:
        return list(known[placement].legal_moves)

    def search(board: chess.Board, depth: int) -> int:
        if (ended := leaf(board, depth)) is not None:
            return ended
        known[board.board_fen()] = board.copy()
        return value(board.board_fen(), depth)

    known: dict[str, chess.Board] = {}
    return search


class BoundOfTheWrongKind:
    """Null windows, and a table that takes what they return for exact: alpha has moved."""

    def __init__(self) -> None:
        self.table: dict[str, dict[int, int]] = {}

    def __call__(self, board: chess.Board, depth: int) -> int:
        return self.search(board, depth, -INFINITY, INFINITY)

    def search(self, board: chess.Board, depth: int, alpha: int, beta: int) -> int:
        if (value := leaf(board, depth)) is not None:
            return value
        entry = self.table.setdefault(board.fen(), {})
        if depth in entry:
            return entry[depth]
        best = -INFINITY
        for number, move in enumerate(list(board.legal_moves)):
            board.push(move)
            low = -beta if number == 0 else -alpha - 1
            score = -self.search(board, depth - 1, low, -alpha)
            if alpha < score < beta and number:
                score = -self.search(board, depth - 1, -beta, -alpha)
            board.pop()
            best = max(best, score)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        if best <= alpha:
            entry[depth] = best
        return best


class MatesFromTheRoot:
    """A mate is worth less the farther it is from the root, and the table keeps it so."""

    def __init__(self) -> None:
        self.table: dict[tuple[str, int], int] = {}

    def __call__(self, board: chess.Board, depth: int) -> int:
        return self.search(board, depth, 0)

    def search(self, board: chess.Board, depth: int, ply: int) -> int:
        if not any(board.legal_moves):
            return -(MATE - ply) if board.is_check() else 0
        if is_drawn(board):
            return 0
        if depth == 0:
            return static(board)
        key = board.fen(), depth
        if key not in self.table:
            values = [
                -self.search(child(board, move), depth - 1, ply + 1) for move in board.legal_moves
            ]
            self.table[key] = max(values)
        return self.table[key]


# Without recursion.


def stack_with_one_best(board: chess.Board, depth: int) -> int:
    """A stack of iterators; the best score of a level is not forgotten for the next node."""
    best = [-INFINITY] * (depth + 1)
    stack = [iter(list(board.legal_moves))]
    while stack:
        ply = len(stack) - 1
        move = next(stack[-1], None)
        if move is None:
            stack.pop()
            if ply:
                board.pop()
                best[ply - 1] = max(best[ply - 1], -best[ply])
            continue
        board.push(move)
        left = depth - ply - 1
        value = leaf(board, left)
        if value is None:
            stack.append(iter(list(board.legal_moves)))
        else:
            board.pop()
            best[ply] = max(best[ply], -value)
    return best[0]


def levels_in_lists(board: chess.Board, depth: int) -> int:
    """Breadth first: the levels are lists, and every level takes the greatest."""
    levels = [[(board.copy(), -1)]]
    for _ in range(depth):
        levels.append(
            [
                (child(parent, move), index)
                for index, (parent, _) in enumerate(levels[-1])
                if over(parent, 1) is None
                for move in parent.legal_moves
            ]
        )
    values: list[int] = []
    for ply in range(depth, -1, -1):
        below, values = values, []
        for index, (node, _) in enumerate(levels[ply]):
            ended = white_leaf(node, depth - ply)
            if ended is None:
                pairs = zip(levels[ply + 1], below, strict=True)
                children = [value for (_, parent), value in pairs if parent == index]
                ended = max(children) if ply % 2 == 0 else min(children)
            values.append(ended)
    return values[0]
