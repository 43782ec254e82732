"""What all searches do around the recursion: arguments, best moves at the root, the line of play.

A search finds the value of a position. Afterwards the functions of this file find out which moves
reach it, and how the game would go on. For the moves the original program searches every child once
more, with the full window; these searches are counted, and a memo makes them cheaper.
"""

from collections.abc import Callable, Sized
from dataclasses import replace
from typing import TypeAlias

import chess

from betacut.core.arguments import (
    BoardLike,
    Chooser,
    Trace,
    check_choice,
    check_depth,
    check_flag,
    check_rng,
    check_trace,
    check_unrecorded,
    check_window,
)
from betacut.evaluation import Evaluation
from betacut.reference.adapter import Game, as_position
from betacut.reference.order import MoveOrder, as_order
from betacut.reference.position import Position
from betacut.reference.profile import Stopwatch
from betacut.reference.scoring import as_evaluation
from betacut.reference.statistics import Tally, make_result
from betacut.reference.trace import Tracer
from betacut.results import SearchResult

Playable: TypeAlias = BoardLike | Game
"""What the searches take as `board`: a position of chess, or one of any other game."""

OrderLike: TypeAlias = str | MoveOrder
"""What the searches take as `order`."""

EvaluationLike: TypeAlias = Evaluation | str | Callable[[chess.Board], int]
"""What the searches take as `evaluation`."""

WindowSearch: TypeAlias = Callable[[Position, int, int, int, Tally], int]
"""A search with a window: position, depth, alpha, beta, tally."""


class Root:
    """The root of a search that finds a move, made from the arguments that all of them take."""

    def __init__(
        self,
        board: Playable,
        depth: int,
        order: OrderLike,
        evaluation: EvaluationLike | None,
        rng: Chooser | None,
        trace: Trace | None,
        profile: bool,
    ) -> None:
        """Check the arguments, and start the clock."""
        self.scoring = as_evaluation(evaluation)
        self.position = as_position(board, self.scoring)
        self.depth = check_depth(depth)
        self._rng = check_rng(rng)
        self.order = as_order(order, self.scoring)
        self.position.check_order(self.order.text)
        self.tracer: Tracer | None = None
        self.watch: Stopwatch | None = None
        if check_trace(trace) is not None or check_flag(profile, "profile"):
            check_unrecorded(self.order.visits is not None, "profile" if trace is None else "trace")
        if trace is not None:
            self.tracer = self.order.visits = Tracer(trace)
        if check_flag(profile, "profile"):
            self.watch = Stopwatch()
            self.watch.watch(self.position, "legal_moves", "move generation")
            self.watch.watch(self.position, "push pop", "making moves")
            self.watch.watch(self.position, "ask", "evaluation")
            self.watch.watch(self.order, "sort learn_cutoff learn_best", "ordering")
        self.tally = Tally(self.order)

    def best_moves(
        self, score: int, value_of_child: Callable[[Position], int], memo: Sized = ()
    ) -> tuple[chess.Move, ...]:
        """Keep the counts of the root's value, and find every move that reaches it."""
        self.tally.root_is_known(len(memo))
        if self.position.is_over:
            return ()
        best_moves = []
        for move in self.position.legal_moves():
            self.position.push(move)
            if value_of_child(self.position) == score:
                best_moves.append(move)
            self.position.pop()
        return tuple(best_moves)

    def line(
        self,
        score: int,
        best_moves: tuple[chess.Move, ...],
        value_of: Callable[[Position, int], int | None],
        depth: int | None = None,
    ) -> tuple[chess.Move, ...]:
        """Find the line of best play, at the depth reached if that is another.

        The line begins with the first best move. After that, at every ply, it takes the first move
        in the canonical order whose value is that of its parent, which is the score of the root.
        It ends when the game or the depth does, or when no move is known to have that value.

        `value_of` tells the value of a position at a depth; None, or any other value than the
        score, if it is not known to be the score. Without a memo this is a search, with a memo a
        look into it; neither is counted.
        """
        position, plies = self.position, self.depth if depth is None else depth
        line: list[chess.Move] = []
        move = best_moves[0] if best_moves else None
        while move is not None:
            # 1. Play the move.
            position.push(move)
            line.append(move)
            move = None
            left = plies - len(line)
            if left == 0 or position.is_over:
                break
            # 2. Look for the next one.
            for candidate in position.legal_moves():
                position.push(candidate)
                value = value_of(position, left - 1)
                position.pop()
                if value == score:
                    move = candidate
                    break
        for _ in line:
            position.pop()
        return tuple(line)

    def result(
        self,
        algorithm: str,
        score: int,
        best_moves: tuple[chess.Move, ...],
        pv: tuple[chess.Move, ...],
        memo: Sized = (),
        depth: int | None = None,
    ) -> SearchResult:
        """Put the result together, with the depth reached if that is another."""
        statistics = self.tally.freeze(len(memo))
        if self.watch is not None:
            statistics = replace(statistics, profile=self.watch.read(statistics.nodes))
        drawn = None
        if self._rng is not None and best_moves:
            drawn = self._rng.choice(best_moves)
            check_choice(drawn, best_moves)
        result: SearchResult = self.position.result_type(
            algorithm=algorithm,
            score=score,
            best_moves=best_moves,
            pv=pv,
            depth=self.depth if depth is None else depth,
            statistics=statistics,
            position=self.position,
            move=drawn,
        )
        if self.tracer is not None:
            self.tracer.found(algorithm, score, result.move)
        return result


def value_in_window(
    algorithm: str,
    search: WindowSearch,
    board: Playable,
    depth: int,
    alpha: int | None,
    beta: int | None,
    check: Callable[[object], int] = check_depth,
    memo: Sized = (),
) -> SearchResult:
    """Search a position with a window: a result with the value and the counts alone."""
    position = as_position(board)
    plies = check(depth)
    low, high = check_window(alpha, beta)
    tally = Tally()
    score = search(position, plies, low, high, tally)
    tally.root_is_known(len(memo))
    return make_result(algorithm, position, tally, score=score, depth=plies, memo=memo)
