"""ChessAI in plain Python: the searches of `betacut.originals.chessai`.

>>> import chess
>>> from betacut.originals.twins import chessai
>>> (score, _, line), twin = chessai.search("alpha_beta_pruning", chess.Board(), 3)
>>> score, line[0].uci(), twin.evals
(50, 'g1f3', 777)

Each search is set up by what it has: a memory, ordered moves, extended captures.
"""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import chess

from betacut.originals.twins import VALUES, worth

__all__ = ["ChessaiTwin", "search", "state", "twin_of"]

MAX_SCORE, CHECKMATE, ENDGAME, DRAW = 100_000_000, 10_000_000, 1_000_000, 500_000

Answer: TypeAlias = tuple[int, bool, list[chess.Move]]
"""Score, whether it is the tablebase's, line of play."""


@dataclass
class ChessaiTwin:
    """One search, and what it counts.

    Attributes:
        use_heuristic: Whether anything but the end of the game counts.
        ending: Whether the kings use their endgame table.
        tablebase: What is asked about every move that does not end the game.
        memory: Scores by depth and position, exact ("=") or bounds; None for none.
        cuts: Whether it is alpha-beta, and not minimax.
        order: Whether the memory orders the moves.
        captures: Whether captures as the last move cost no depth.
        nodes: Calls of `get_best_move`.
        evals: Calls of `evaluate_move`.
        hits: Answers of the memory.
        extensions: Nodes extended because of a single move, and because of a capture.
    """

    use_heuristic: bool = True
    ending: bool = False
    tablebase: Any = None
    memory: dict[Any, tuple[str, Answer]] | None = None
    cuts: bool = True
    order: bool = False
    captures: bool = False
    nodes: int = 0
    evals: int = 0
    hits: int = 0
    extensions: list[int] = field(default_factory=lambda: [0, 0])

    def worth(self, kind: chess.PieceType, color: chess.Color, square: chess.Square) -> int:
        """Value a piece on a square."""
        return worth(kind, color, square, endgame=self.ending)

    def stands_better(self, board: chess.Board, color: chess.Color) -> bool:
        """Whether a draw is a loss for a side."""
        total = 0
        for square, piece in board.piece_map().items():
            value = self.worth(piece.piece_type, piece.color, square)
            total += value if piece.color == color else -value
        return total >= 0

    def evaluate_move(
        self, board: chess.Board, move: chess.Move, ai_turn: bool, depth: int, score: int
    ) -> tuple[int, bool]:
        """Value a move."""
        self.evals += 1
        sign = 1 if ai_turn else -1
        mover = board.turn
        before = board.copy(stack=False)
        board.push(move)
        outcome = board.outcome()
        try:
            if outcome is not None and outcome.winner is None:
                return sign * (-DRAW if self.stands_better(before, mover) else DRAW), False
            if outcome is not None:
                return sign * (CHECKMATE + depth), False
            if not self.use_heuristic:
                return 0, False
            if self.tablebase is not None:
                try:
                    plies = -self.tablebase.probe_dtm(board)
                except KeyError:
                    pass
                else:
                    draw = -DRAW if self.stands_better(board, mover) else DRAW
                    win = ENDGAME - plies if plies > 0 else -ENDGAME - plies
                    return sign * (win if plies else draw), True
        finally:
            board.pop()
        return score + sign * self.gain(board, move), False

    def gain(self, board: chess.Board, move: chess.Move) -> int:
        """The mover's gain, when nothing is over."""
        mover = board.turn
        kind = board.piece_type_at(move.from_square)
        assert kind is not None
        change = self.worth(move.promotion or kind, mover, move.to_square)
        change -= self.worth(kind, mover, move.from_square)
        if board.is_en_passant(move):
            change += VALUES[chess.PAWN]
        elif captured := board.piece_type_at(move.to_square):
            change += VALUES[captured]
        if board.is_castling(move):
            files = (7, 5) if board.is_kingside_castling(move) else (0, 3)
            corner, beside = (chess.square(f, chess.square_rank(move.to_square)) for f in files)
            change += self.worth(chess.ROOK, mover, beside) - self.worth(chess.ROOK, mover, corner)
        return change

    def finished(self, board: chess.Board, depth: int) -> Answer | None:
        """What a game that is over at the root is worth."""
        outcome = board.outcome()
        if outcome is None:
            return None
        if outcome.winner is None:
            return (-DRAW if self.stands_better(board, board.turn) else DRAW), False, []
        return -CHECKMATE - depth, False, []

    def children(self, board: chess.Board, depth: int, ai_turn: bool) -> list[chess.Move]:
        """The moves in order."""
        moves = list(board.legal_moves)
        if not self.order or self.memory is None:
            return moves
        scores = {}
        for move in moves:
            board.push(move)
            _, (scores[move], *_) = self.memory.get((depth - 2, state(board)), ("", (0, False, [])))
            board.pop()
        return sorted(moves, key=scores.__getitem__, reverse=ai_turn)

    def alpha_beta(
        self,
        board: chess.Board,
        depth: int,
        alpha: int = -MAX_SCORE,
        beta: int = MAX_SCORE,
        ai_turn: bool = True,
        score: int = 0,
    ) -> Answer:
        """Alpha-beta, or minimax."""
        self.nodes += 1
        key = (depth, state(board))
        if self.memory is not None and key in self.memory:
            flag, found = self.memory[key]
            value = found[0]
            if flag == "=" or (flag == "<=" and value <= alpha) or (flag == ">=" and value >= beta):
                self.hits += 1
                return found
            if flag == "<=" and value < beta:
                beta = value
            if flag == ">=" and value > alpha:
                alpha = value
        if depth == 0:
            return score, False, []
        best = self.best_child(board, depth, alpha, beta, ai_turn, score)
        if self.memory is not None:
            flag = "<=" if best[0] <= alpha else "=" if best[0] < beta else ">="
            self.memory[key] = flag, best
        return best

    def best_child(
        self, board: chess.Board, depth: int, alpha: int, beta: int, ai_turn: bool, score: int
    ) -> Answer:
        """The loop over the moves."""
        single = board.legal_moves.count() == 1
        best: Answer = (-MAX_SCORE if ai_turn else MAX_SCORE), False, []
        for move in self.children(board, depth, ai_turn):
            capture = self.captures and depth == 1 and board.is_capture(move)
            value, used = self.evaluate_move(board, move, ai_turn, depth, score)
            path: list[chess.Move] = []
            board.push(move)
            if not board.is_game_over():
                self.extensions[0] += single
                self.extensions[1] += capture
                left = depth if single or capture else depth - 1
                value, below, path = self.alpha_beta(board, left, alpha, beta, not ai_turn, value)
                used = used or below
            board.pop()
            if value > best[0] if ai_turn else value < best[0]:
                best = value, used, [move, *path]
            if not self.cuts:
                continue
            if ai_turn:
                alpha = max(alpha, best[0])
            else:
                beta = min(beta, best[0])
            if (best[0] >= beta) if ai_turn else (best[0] <= alpha):
                break
        return best

    def deepen(self, board: chess.Board, depth: int) -> Answer:
        """Progressive deepening."""
        found: Answer = 0, False, []
        for limit in range(1, depth + 1):
            found = self.alpha_beta(board, limit)
            if found[0] >= CHECKMATE:
                return CHECKMATE + depth - limit + 1, found[1], found[2]
        return found


def state(board: chess.Board) -> Any:  # noqa: ANN401 - a key
    """What the memory knows a position by."""
    return board.board_fen(), board.turn, board.castling_rights


def twin_of(name: str, **options: Any) -> ChessaiTwin:  # noqa: ANN401
    """Set up the search with a function's name."""
    deepens = name.endswith(("_pd", "_quiescence"))
    return ChessaiTwin(
        memory={} if deepens or name.endswith("_memo") else None,
        cuts=not name.startswith("negamax"),
        order=deepens,
        captures=name.endswith("_quiescence"),
        **options,
    )


def search(name: str, board: chess.Board, depth: int, **options: Any) -> tuple[Answer, ChessaiTwin]:  # noqa: ANN401
    """Run the search with a function's name."""
    if chess.popcount(board.occupied) > 5:
        options.pop("tablebase", None)
    model, board = twin_of(name, **options), board.copy()
    found = model.finished(board, depth)
    if found is not None:
        model.nodes = depth if model.order else 1
    elif model.order:
        found = model.deepen(board, depth)
    else:
        found = model.alpha_beta(board, depth)
    return found, model
