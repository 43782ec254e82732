"""The engines of the didactic introduction in plain Python. A mate is a million less its plies.

>>> import chess
>>> from betacut.originals.twins import didactic
>>> twin = didactic.DidacticTwin("prototype_v1")
>>> score, best_moves = twin.play(chess.Board("8/P7/8/8/8/4k3/8/K7 w - - 0 1"), 2)
>>> score, [move.uci() for move in best_moves], twin.counts["_value"]
(790, ['a7a8q'], 36)

One twin is one search of one engine, which `analyse` or `play` begins.
"""

# ruff: noqa: D102, D103 - the functions are the pages' own

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import chess

from betacut.originals.twins import VALUES, worth

__all__ = ["DidacticTwin", "check_endgame"]

MATE = 1_000_000
INFINITY = 2 * MATE

PAWNS = {
    chess.PAWN: 1,
    chess.KNIGHT: 3,
    chess.BISHOP: 3,
    chess.ROOK: 5,
    chess.QUEEN: 9,
    chess.KING: 0,
}


def is_mate(value: int) -> bool:
    return MATE // 2 < abs(value) <= MATE


def further(value: int, plies: int) -> int:
    """Increase the distance of a mate."""
    if not is_mate(value):
        return value
    return value - plies if value > 0 else value + plies


def check_endgame(board: chess.Board) -> bool:
    if not board.queens:
        return True
    for color in chess.COLORS:
        own = board.occupied_co[color]
        if own & board.queens:
            if chess.popcount(own & (board.queens | board.rooks)) > 1:
                return False
            if chess.popcount(own & (board.knights | board.bishops)) > 1:
                return False
    return True


def simplified(board: chess.Board, endgame: bool) -> int:
    """Value a board, the view of the side to move."""
    total = 0
    for square, piece in board.piece_map().items():
        value = worth(piece.piece_type, piece.color, square, endgame=endgame)
        total += value if piece.color == board.turn else -value
    return total


def standard(board: chess.Board) -> int:
    pieces = board.piece_map().values()
    return sum(PAWNS[p.piece_type] * (1 if p.color == board.turn else -1) for p in pieces)


def captured(board: chess.Board, move: chess.Move) -> int:
    if board.is_en_passant(move):
        return VALUES[chess.PAWN]
    piece = board.piece_type_at(move.to_square)
    return VALUES[piece] if piece else 0


def piece_at(board: chess.Board, square: chess.Square) -> chess.Piece:
    piece = board.piece_at(square)
    assert piece is not None
    return piece


@dataclass
class DidacticTwin:
    """One search of one engine.

    Attributes:
        engine: The name of the function.
        see: Static exchange evaluation, for the engines that can do without.
        simplified: The evaluator, for the engines that take one.
    """

    engine: str
    see: bool = True
    simplified: bool = False
    tablebase: Any = None
    counts: Counter[str] = field(default_factory=Counter)
    cache: dict[Any, tuple[str, int, int]] = field(default_factory=dict)
    endgame: bool = False
    scores: list[int] = field(default_factory=list)
    root_ply: int = 0

    # The evaluators.

    def init(self, board: chess.Board) -> None:
        self.counts["heuristic"] += 1
        self.endgame = check_endgame(board)
        self.scores = [simplified(board, self.endgame)]

    def push(self, board: chess.Board, move: chess.Move) -> None:
        """Make a move, and keep the incremental score."""
        if self.scores:
            score, mover, square = self.scores[-1], board.turn, move.to_square
            kind = piece_at(board, move.from_square).piece_type
            score -= worth(kind, mover, move.from_square, endgame=self.endgame)
            score += worth(move.promotion or kind, mover, square, endgame=self.endgame)
            if board.is_capture(move):
                if board.is_en_passant(move):
                    file, rank = chess.square_file(square), chess.square_rank(move.from_square)
                    square = chess.square(file, rank)
                taken = piece_at(board, square).piece_type
                score += worth(taken, not mover, square, endgame=self.endgame)
            self.scores.append(-score)
        board.push(move)

    def pop(self, board: chess.Board) -> None:
        board.pop()
        if self.scores:
            self.scores.pop()

    def heuristic(self, board: chess.Board) -> int:
        if self.scores:
            return self.scores[-1]
        self.counts["heuristic"] += 1
        return simplified(board, check_endgame(board)) if self.simplified else standard(board)

    def evaluate(self, board: chess.Board) -> int | None:
        self.counts["evaluate"] += 1
        outcome = board.outcome()
        if outcome is not None:
            ended = -MATE if outcome.termination == chess.Termination.CHECKMATE else 0
            if self.engine != "prototype_v1" and not self.has_zero_width:
                return ended
            return further(ended, len(board.move_stack) - self.root_ply)
        if self.tablebase is not None and chess.popcount(board.occupied) <= 5:
            try:
                plies: int = self.tablebase.probe_dtm(board)
            except KeyError:
                return None
            if plies == 0:
                return 0
            mate = MATE - plies if plies > 0 else -MATE - plies
            return further(mate, len(board.move_stack) - self.root_ply)
        return None

    # `_value`.

    def minimax(self, board: chess.Board, depth: int) -> int:
        """Search with White's view, each child twice."""
        self.counts["_value"] += 1
        ended = self.evaluate(board)
        sign = 1 if board.turn == chess.WHITE else -1
        if ended is not None:
            return sign * ended
        if depth == 0:
            return sign * self.heuristic(board)
        values = []
        for move in list(board.legal_moves):
            for _ in range(2):
                self.push(board, move)
                value = self.minimax(board, depth - 1)
                self.pop(board)
            values.append(value)
        return max(values) if board.turn == chess.WHITE else min(values)

    def value(self, board: chess.Board, depth: int, alpha: int, beta: int) -> int:
        """Search with the view of the side to move, from memory if there is one."""
        self.counts["_value"] += 1
        if self.engine in ("alpha_beta", "iterative_alpha_beta"):
            return self.search(board, depth, alpha, beta)
        key = board._transposition_key()
        known = self.cache.get(key)
        if known is not None and known[2] >= depth:
            bound, value, _ = known
            if bound == "EXACT":
                return value
            if bound == "LOWER_BOUND":
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                return value
        value = self.search(board, depth, alpha, beta)
        if known is None or known[2] < depth:
            bound = "EXACT"
            if value <= alpha:
                bound = "UPPER_BOUND"
            elif value >= beta:
                bound = "LOWER_BOUND"
            self.cache[key] = (bound, value, depth)
        return value

    def search(self, board: chess.Board, depth: int, alpha: int, beta: int) -> int:
        """What `value` does where the memory does not answer."""
        ended = self.evaluate(board)
        if ended is not None:
            return ended
        if depth == 0:
            return self.leaf(board, alpha, beta)
        raised = False
        for move in self.ordered(board, depth):
            self.push(board, move)
            if self.has_zero_width and raised:
                value = -self.zero_width(board, depth - 1, -alpha)
                if alpha < value < beta:
                    value = -self.value(board, depth - 1, -beta, -alpha)
            else:
                value = -self.value(board, depth - 1, -beta, -alpha)
            self.pop(board)
            if value >= beta:
                return value
            if value > alpha:
                alpha = value
                raised = True
        return alpha

    def zero_width(self, board: chess.Board, depth: int, beta: int) -> int:
        self.counts["_zero_width_search"] += 1
        alpha = further(beta, 1) if is_mate(beta) else beta - 1
        ended = self.evaluate(board)
        if ended is not None:
            return ended
        if depth == 0:
            return self.quiescence(board, alpha, beta)
        for move in list(board.legal_moves):
            self.push(board, move)
            value = -self.zero_width(board, depth - 1, -alpha)
            self.pop(board)
            if value >= beta:
                return value
        return alpha

    def ordered(self, board: chess.Board, depth: int) -> list[chess.Move]:
        moves = list(board.legal_moves)
        if not self.has_ordering:
            return moves
        known = {}
        for move in moves:
            board.push(move)
            entry = self.cache.get(board._transposition_key())
            board.pop()
            if entry is not None and entry[2] >= depth - 2:
                known[move] = entry[1]
        first = sorted(known, key=lambda move: known[move])
        return first + [move for move in moves if move not in known]

    @property
    def has_zero_width(self) -> bool:
        return self.engine in ("principal_variation_search", "prototype_v2")

    @property
    def has_ordering(self) -> bool:
        return "ordering" in self.engine or self.has_zero_width

    # The captures.

    def leaf(self, board: chess.Board, alpha: int, beta: int) -> int:
        if "alpha_beta" in self.engine:
            return self.heuristic(board)
        return self.quiescence(board, alpha, beta)

    def quiescence(self, board: chess.Board, alpha: int, beta: int) -> int:
        self.counts["_quiescence"] += 1
        stand_pat = self.heuristic(board)
        if stand_pat >= beta:
            return beta
        alpha = max(alpha, stand_pat)
        captures = list(board.generate_legal_captures())
        filtered = self.has_ordering and self.engine != "move_ordering"
        if filtered:
            captures = [m for m in captures if self.is_worth_it(board, m, stand_pat, alpha)]
            captures.sort(key=lambda m: (-captured(board, m), self.risked(board, m)))
        for move in captures:
            if not filtered and not self.is_worth_it(board, move, stand_pat, alpha):
                continue
            self.push(board, move)
            value = -self.quiescence(board, -beta, -alpha)
            self.pop(board)
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return alpha

    def risked(self, board: chess.Board, move: chess.Move) -> int:
        return VALUES[piece_at(board, move.from_square).piece_type]

    def is_worth_it(self, board: chess.Board, move: chess.Move, score: int, alpha: int) -> bool:
        if move.promotion:
            return True
        gain = captured(board, move)
        if score + gain + 200 < alpha:
            return False
        if not self.has_ordering or self.engine == "move_ordering":
            return self.see_capture(board, move) >= 0
        if gain >= self.risked(board, move):
            return True
        if not self.see:
            return not board.is_attacked_by(not board.turn, move.to_square)
        if self.engine in ("optimized_quiescence_move_ordering", "prototype_v2"):
            return self.optimized_see_capture(board, move) >= 0
        return self.see_capture(board, move) >= 0

    def see_capture(self, board: chess.Board, move: chess.Move) -> int:
        self.counts["_see_capture"] += 1
        gain = captured(board, move)
        board.push(move)
        value = gain - self.exchange(board, move.to_square)
        board.pop()
        return value

    def exchange(self, board: chess.Board, square: chess.Square) -> int:
        self.counts["_see"] += 1
        attackers = [
            attacker
            for attacker in board.attackers(board.turn, square)
            if not board.is_pinned(board.turn, attacker)
        ]
        if not attackers:
            return 0
        cheapest = min(attackers, key=lambda one: VALUES[piece_at(board, one).piece_type])
        gain = VALUES[piece_at(board, square).piece_type]
        board.push(chess.Move(cheapest, square))
        value = max(0, gain - self.exchange(board, square))
        board.pop()
        return value

    def optimized_see_capture(self, board: chess.Board, move: chess.Move) -> int:
        self.counts["_see_capture"] += 1
        gain = captured(board, move)
        copy = board.copy(stack=False)
        moved = copy.remove_piece_at(move.from_square)
        assert moved is not None
        return gain - self.optimized_exchange(copy, move.to_square, moved, not board.turn)

    def optimized_exchange(
        self, board: chess.Board, square: chess.Square, target: chess.Piece, turn: chess.Color
    ) -> int:
        self.counts["_see"] += 1
        attackers = list(board.attackers(turn, square))
        if not attackers:
            return 0
        cheapest = min(attackers, key=lambda one: VALUES[piece_at(board, one).piece_type])
        attacker = board.remove_piece_at(cheapest)
        assert attacker is not None
        rest = self.optimized_exchange(board, square, attacker, not turn)
        return max(0, VALUES[target.piece_type] - rest)

    # The two ways to ask. Scores are those of the side to move.

    def analyse(self, board: chess.Board, max_depth: int) -> dict[chess.Move, int]:
        self.root_ply = len(board.move_stack)
        anew = self.engine in ("incremental_iterative_alpha_beta_cached", "quiescence")
        if self.engine != "minimax" and "alpha_beta" not in self.engine and not anew:
            self.init(board)
        scores = {}
        first = max_depth if self.engine in ("minimax", "alpha_beta") else 1
        for depth in range(first, max_depth + 1):
            for move in list(board.legal_moves):
                self.push(board, move)
                if anew:
                    self.init(board)
                if self.engine == "minimax":
                    white = self.minimax(board, depth - 1)
                    scores[move] = -white if board.turn == chess.WHITE else white
                else:
                    scores[move] = -self.value(board, depth - 1, -INFINITY, INFINITY)
                if anew:
                    board.pop()
                else:
                    self.pop(board)
        return scores

    def play(self, board: chess.Board, max_depth: int) -> tuple[int, list[chess.Move]]:
        self.root_ply = len(board.move_stack)
        self.init(board)
        for depth in range(max_depth + 1):
            score = self.value(board, depth, -INFINITY, INFINITY)
            few = chess.popcount(board.occupied) <= 5
            if self.engine == "prototype_v2" and is_mate(score) and few:
                scores = {}
                for move in list(board.legal_moves):
                    self.push(board, move)
                    scores[move] = -self.value(board, depth - 1, -INFINITY, INFINITY)
                    self.pop(board)
                best = max(scores.values(), default=score)
                return best, [move for move, value in scores.items() if value == best]
        moves = []
        for move in list(board.legal_moves):
            board.push(move)
            entry = self.cache.get(board._transposition_key())
            board.pop()
            if entry and entry[2] >= max_depth - 1 and entry[:2] == ("EXACT", -score):
                moves.append(move)
        return score, moves

    def cache_types(self) -> dict[str, int]:
        return dict(Counter(bound for bound, _, _ in self.cache.values()))
