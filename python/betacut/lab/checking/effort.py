"""Counts the moves that a search makes, beside alpha-beta and minimax: right may be useless."""

import functools
import math
from dataclasses import dataclass

import chess

from betacut import engine
from betacut.core.boards import parse_board
from betacut.lab.checking.calls import Question
from betacut.lab.checking.subject import Subject
from betacut.reference.rules import game_end

# Few moves, for both sides, so that a minimax without a window answers at once.
_POSITIONS = (
    "8/8/2p1k3/1p1p4/1P1P1n2/2P2K2/6P1/8 b - - 0 1",
    "3r2k1/5pp1/8/8/8/8/5PP1/2R3K1 w - - 0 1",
)
MOST_DEPTH = 3
MANY = 1.5  # from which multiple of alpha-beta's nodes on a report speaks of them


@dataclass(frozen=True)
class Effort:
    """How many moves a search makes on the board that it is given.

    Attributes:
        moves: The moves that it made in some small positions.
        alpha_beta: Those of alpha-beta, in the order of python-chess.
        minimax: Those of minimax.
        never_cuts: The sides, of "Max" (White) and "Min" (Black), at whose nodes it always makes
            all moves, though alpha-beta would cut.
    """

    moves: int
    alpha_beta: int
    minimax: int
    never_cuts: tuple[str, ...]

    @property
    def ratio(self) -> float:
        """How many times the nodes of alpha-beta it visits."""
        return self.moves / self.alpha_beta

    def __str__(self) -> str:
        """Say so in words."""
        text = f"visits {self.ratio:.1f} times the nodes of alpha-beta"
        if len(self.never_cuts) == 2:
            return f"{text}, it never cuts"
        return f"{text}, the {self.never_cuts[0]} branch never cuts" if self.never_cuts else text


@functools.cache
def _moves_of_alpha_beta(fen: str, depth: int) -> int:
    """Count the moves of alpha-beta, in the order of python-chess."""
    made = 0
    board = parse_board(fen)

    def value(depth: int, alpha: float, beta: float) -> float:
        nonlocal made
        if depth == 0 or game_end(board) is not None:
            return engine.evaluate_position(board) * (1 if board.turn else -1)
        best = -math.inf
        for move in board.legal_moves:
            made += 1
            board.push(move)
            best = max(best, -value(depth - 1, -beta, -max(alpha, best)))
            board.pop()
            if best >= beta:
                break
        return best

    value(depth, -math.inf, math.inf)
    return made


def measured(subject: Subject, depth: int) -> Effort | None:
    """Count the moves of a search; None if it makes none on its board, or fails."""
    depth = min(depth, MOST_DEPTH)
    moves = alpha_beta = minimax = 0
    is_seen = depth > 1
    cuts = {chess.WHITE: 0, chess.BLACK: 0}
    for fen in _POSITIONS:
        question = Question(fen, depth)
        answer = subject.last_of([question], "moves")
        if answer.fault is not None or not answer.trace or not answer.trace.pushes:
            return None
        moves += answer.trace.pushes
        alpha_beta += _moves_of_alpha_beta(fen, depth)
        minimax += engine.minimax_no_memo(fen, depth).statistics.root_nodes - 1
        is_seen = is_seen and answer.trace.is_faithful(question.board)
        if is_seen and answer.trace.repeats:  # why, its calls tell; to see them takes time
            answer = subject.last_of([question], "values")
            is_seen = answer.fault is None
        if is_seen and answer.trace:
            for node, board in answer.trace.cuts(question.board):
                cuts[board.turn] += node.move is not None and game_end(board) is None
    never = [name for name, side in (("Max", True), ("Min", False)) if not cuts[side]]
    return Effort(moves, alpha_beta, minimax, tuple(never) if is_seen else ())
