"""A position as the searches see it: board, score, key and history.

Everything a search asks about a position more than once is worked out when a move is played and
put back when it is taken back. The rules of chess themselves are python-chess's.
"""

from collections import Counter
from collections.abc import Hashable
from typing import Any, ClassVar

import chess
import chess.polyglot

from betacut.core.arguments import check_stack
from betacut.reference.evaluation import balance_of, play
from betacut.reference.move_order import ordered_moves
from betacut.reference.rules import FIFTY_MOVES, GameEnd, game_end, value_of_end
from betacut.reference.scoring import Scoring
from betacut.results import MateSearch, SearchResult


def en_passant_square(board: chess.Board) -> chess.Square | None:
    """Tell the en passant square if a pawn of the side to move attacks it, legally or not."""
    if board.ep_square is None:
        return None
    attackers = board.attackers_mask(board.turn, board.ep_square) & board.pawns
    return board.ep_square if attackers else None


def position_key(board: chess.Board) -> tuple[Hashable, ...]:
    """Build the key under which a position is stored and its occurrences are counted."""
    # The move clocks are not part of it.
    return (
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.turn,
        board.clean_castling_rights(),
        en_passant_square(board),
    )


class Position:
    """A position with its score and its history, changed by `push` and `pop`.

    Of games other than chess there is `adapter.GamePosition`, with the same names.
    """

    has_captures = True  # whether quiescence has something to play out
    result_type: ClassVar[Any] = SearchResult
    mate_type: ClassVar[Any] = MateSearch

    def __init__(self, board: chess.Board, scoring: Scoring | None = None) -> None:
        """Start from a copy of a valid board, counting the positions on its move stack."""
        self.board = board.copy(stack=False)  # its stack reaches back to the root of the search
        self.ply = 0  # how many moves have been played since the root
        self._scoring = scoring
        self._counts = _count_history(board)
        self._balance = balance_of(board)
        self._taken_back: list[tuple[int, tuple[Hashable, ...], GameEnd | None, int | None]] = []
        self._look()

    def _look(self) -> None:
        """Work out what follows from the board and the balance."""
        self.key = position_key(self.board)
        self.end = game_end(self.board)
        # The score of a finished game is what its end is worth; the balance is kept all the
        # same, because quiescence goes on from a draw by material.
        self._score: int | None
        if self.end is not None:
            self._score = value_of_end(self.end, self.board.turn)
        elif self._scoring is None:
            self._score = self._balance
        else:
            self._score = None

    @property
    def score(self) -> int:
        """The static score; an evaluation other than the built-in one is asked for it once."""
        if self._score is None:
            self._score = self.ask()
        return self._score

    def ask(self) -> int:
        """Ask an evaluation other than the built-in one for the score."""
        assert self._scoring is not None, "the built-in score is always known"
        return self._scoring.score(self.board)

    @property
    def standing_score(self) -> int:
        """The static score as if the game went on; the same unless it is over."""
        if not self.is_over:
            return self.score
        return self._balance if self._scoring is None else self.ask()

    @property
    def known_score(self) -> int | None:
        """The static score if no function has to be asked; None for a finished game, too."""
        if self.is_over:
            return None
        is_data = self._scoring is not None and self._scoring.is_data
        return self.score if is_data else self._score

    @property
    def guess(self) -> int:
        """What the value may be, before any search."""
        return self.score

    @property
    def turn(self) -> chess.Color:
        """The side to move."""
        return self.board.turn

    def turned(self, score: int) -> int:
        """Turn a score from White's view to that of the side to move, or back."""
        return score if self.turn == chess.WHITE else -score

    @property
    def is_over(self) -> bool:
        """Whether the game is over (repetition not considered)."""
        return self.end is not None

    @property
    def verdict(self) -> int:
        """-1 if the side to move has lost, else 0; in other games it may have won, too: 1."""
        return -1 if self.end is GameEnd.CHECKMATE else 0

    @property
    def occurrences(self) -> int:
        """How often the position has occurred in the game and the line, this time included."""
        return self._counts[self.key]

    def haste(self, depth: int) -> int:
        """Tell what a quick end of the game is worth besides: the depth that is left."""
        return depth

    def key_within(self, plies: int) -> Hashable:
        """The key, joined by the clock if the fifty-move rule can end the game in so many plies."""
        clock = self.board.halfmove_clock
        return (self.key, clock) if clock + plies >= FIFTY_MOVES else self.key

    def legal_moves(self) -> list[chess.Move]:
        """List the legal moves in the canonical order; also when the game is drawn."""
        return ordered_moves(self.board)

    def count_moves(self) -> int:
        """Count the legal moves."""
        return self.board.legal_moves.count()

    def push(self, move: chess.Move) -> None:
        """Play a legal move, or the null move: then only the side to move changes."""
        self._taken_back.append((self._balance, self.key, self.end, self._score))
        if move:
            self._balance = play(self.board, move, self._balance)
        else:
            self.board.push(move)
        self.ply += 1
        self._look()
        self._counts[self.key] += 1

    def pop(self) -> None:
        """Take the last move back."""
        self._counts[self.key] -= 1
        self.board.pop()
        self.ply -= 1
        self._balance, self.key, self.end, self._score = self._taken_back.pop()

    def fen(self) -> str:
        """Write the position as a FEN, with the en passant square that the board has."""
        return self.board.fen(en_passant="fen")

    # What the orders of moves and the records ask for.

    def last_move(self) -> chess.Move:
        """The move that led here."""
        return self.board.peek()

    def is_quiet(self, move: chess.Move) -> bool:
        """Tell whether a move is no capture and no promotion."""
        return move.promotion is None and not self.board.is_capture(move)

    def way(self, move: chess.Move) -> Hashable:
        """Tell by what the history heuristic knows a move: colour, origin, target."""
        return self.turn, move.from_square, move.to_square

    def number(self) -> int:
        """Compute a number of 64 bits from the position."""
        return chess.polyglot.zobrist_hash(self.board)

    def number_of(self, move: chess.Move) -> int:
        """Write a move as a number: origin, target and promotion, 6 bits each at most."""
        return move.from_square | move.to_square << 6 | (move.promotion or 0) << 12

    def snapshot(self) -> chess.Board:
        """Return a board of its own for a function of the user's."""
        return self.board.copy(stack=False)

    def check_order(self, text: str) -> None:
        """Check that an order is one for this game: all are for chess."""


def _count_history(board: chess.Board) -> Counter[tuple[Hashable, ...]]:
    """Count how often each position occurred, from the oldest one on the move stack to now."""
    check_stack(board)
    replay = board.copy()
    counts = Counter([position_key(replay)])
    while replay.move_stack:
        replay.pop()
        counts[position_key(replay)] += 1
    return counts
