"""A search with altered rules: what a search with a known bug would answer.

An explanation of a difference is a model that predicts the values of the search which is tested.
"""

import functools
import math
import operator
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

import chess

from betacut import engine
from betacut.core.arguments import as_board, check_depth, check_flag
from betacut.core.constants import MATE
from betacut.core.messages import described, shown
from betacut.reference.evaluation import balance_of
from betacut.reference.rules import FIFTY_MOVES, GameEnd, game_end

Number = int | float  # a score, in centipawns


def number_of(value: Any) -> Number | None:  # noqa: ANN401 - anything
    """Read a number; None if it is none. A float that is an integer becomes one."""
    if isinstance(value, bool):
        return None
    with suppress(TypeError):
        return operator.index(value)
    if isinstance(value, float) or type(value).__name__.startswith("float"):
        number = float(value)
        return int(number) if number.is_integer() else number
    return None


@dataclass(frozen=True, kw_only=True)
class Model:
    """Minimax, with the rules that searches agree on least to be chosen.

    Called with a board and a depth it returns the value, so it can be what `betacut.check` checks
    against: for programs that score a draw 0, or a mate by its distance from the root.

    Args:
        mate: What a mate on the board is worth to the side that gives it: `"plies left"`,
            `mate_score` + the plies left to search; `"distance"`, `mate_score` - the plies from the
            root; `"flat"`, `mate_score`; `"static"`, nothing but the static score; `"reversed"`, as
            if the mated side had won; `"against White"`, always in Black's favour.
        mate_score: The constant of a mate. Centipawns.
        stalemate: What a stalemate is: a `"draw"`, a `"mate"` of the side to move, `"static"`.
        fifty_moves: Whether the game ends when the halfmove clock reaches 100.
        fifty_first: Whether it ends then even with a mate on the board.
        claims: Whether it ends a move before, as soon as a draw by this rule can be claimed.
        material: When it ends for want of material: by the rule of `"betacut"` (at most one minor
            piece on the board), by that of `"python-chess"`, with at most `"one a side"`, with
            `"bare kings"` only, with these or `"one knight"`, with these or `"one bishop"`, or
            never, `"none"`.
        draw: What a draw is worth to the side to move: `"plies left"`, minus the plies left to
            search, as in betacut; `"zero"`.
        leaf_first: Whether a position at depth 0 gets its static score even if the game is over.
        leaf_ends: Whether leaves of a game that is over are worth what `evaluate_position` says:
            ±100,000 for a mate, 0 for a draw.
        leaf: From whose view leaves are scored in a negamax: the `"mover"`'s, always `"White"`'s,
            or the `"opponent"`'s; `"root"`, of the side to move at the root.
        roles: The sides' choices: the `"right"` side; `"root maximises"`, White's greatest score is
            taken at the root whichever side is to move; `"root is White"`, the side to move there
            chooses White's greatest scores at all its nodes, the other side the least.
        begin: What the best score of a node is before a move was searched, where White and where
            Black is to move. Centipawns, the mover's view.
        choice: `"negamax"`, or `"max"`: the greatest of the children's values as they are.
        horizon: How many plies deeper than asked the search looks.
        least_depth: How deep it looks at least, whatever the horizon.
        fixed_depth: The depth that is searched whatever is asked; None for the depth that is asked.
        moves: Which moves are missing: `"all"` (none is), `"no underpromotion"`,
            `"no en passant"`, `"no castling"`; `"no short castling"`, `"no long castling"`, that on
            the king's or the queen's side; `"queens and knights"`, no other promotions;
            `"no rooks"`, `"no bishops"`, `"no knights"`, no promotions to these.
        window: What is handed to the children of an alpha-beta search: `"right"`, the negated
            and exchanged window; `"as it is"`; `"negated"` but not exchanged; `"exchanged"` but not
            negated.
        window_at_root: Whether the root hands on the wrong window too.
        best_cuts: Whether that search cuts where the best score reaches beta, not alpha.
        hard: Whether it returns the bound it fails at (fail-hard).
        captures_first: Whether it searches captures first; else the order is python-chess's.
        canonical: Whether it searches in the order of `engine.legal_moves` instead.
        root: Whose results are negated: `""` (none), `"White"`'s, `"Black"`'s, or `"both"`.
        quiescence: What is played out where the depth ends: `"none"`, a leaf gets its static score;
            `"captures"`, captures and promotions, as with `quiescence=True` of `engine.search`;
            `"no promotions"`, captures alone; `"no standing pat"`, captures and promotions, one of
            which must be made where there is any.
        evaluation: Scores a board. Centipawns, White's view. None is the Simplified Evaluation.

    Raises:
        TypeError, ValueError: If an argument is of the wrong type or out of range.

    Examples:
        >>> stalemate = "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1"
        >>> Model()(stalemate, 2), Model(mate="distance")(stalemate, 2)
        (100001, 99999)
    """

    mate: Literal["plies left", "distance", "flat", "static", "reversed", "against White"] = (
        "plies left"
    )
    mate_score: Number = MATE
    stalemate: Literal["draw", "mate", "static"] = "draw"
    fifty_moves: bool = True
    fifty_first: bool = False
    claims: bool = False
    material: Literal[
        "betacut", "python-chess", "one a side", "bare kings", "one knight", "one bishop", "none"
    ] = "betacut"
    draw: Literal["plies left", "zero"] = "plies left"
    leaf_first: bool = False
    leaf_ends: bool = False
    leaf: Literal["mover", "White", "opponent", "root"] = "mover"
    roles: Literal["right", "root maximises", "root is White"] = "right"
    begin: tuple[Number, Number] = (-math.inf, -math.inf)
    choice: Literal["negamax", "max"] = "negamax"
    horizon: int = 0
    least_depth: int = 0
    fixed_depth: int | None = None
    moves: Literal[
        "all",
        "no underpromotion",
        "queens and knights",
        "no rooks",
        "no bishops",
        "no knights",
        "no en passant",
        "no castling",
        "no short castling",
        "no long castling",
    ] = "all"
    window: Literal["right", "as it is", "negated", "exchanged"] = "right"
    window_at_root: bool = True
    best_cuts: bool = False
    hard: bool = False
    captures_first: bool = False
    canonical: bool = False
    root: Literal["", "White", "Black", "both"] = ""
    quiescence: Literal["none", "captures", "no promotions", "no standing pat"] = "none"
    evaluation: Callable[[chess.Board], int] | None = None

    def __post_init__(self) -> None:
        """Check the fields."""
        for name, kind in _types().items():
            value = getattr(self, name)
            if get_origin(kind) is Literal:
                if not isinstance(value, str) or value not in get_args(kind):
                    names = ", ".join(map(repr, get_args(kind)))
                    raise ValueError(f"{name} must be one of {names}, not {shown(value)}")
            elif kind is bool:
                check_flag(value, name)
            elif name in ("horizon", "least_depth", "fixed_depth", "mate_score"):
                kinds = (int, float) if name == "mate_score" else (int,)
                if name == "fixed_depth" and value is None:
                    continue
                if not isinstance(value, kinds) or isinstance(value, bool) or value != value:
                    raise TypeError(f"{name} must be a number, not {described(value)}")
        begin = self.begin
        is_pair = isinstance(begin, tuple) and len(begin) == 2
        if not is_pair or not all(number_of(one) == one is not None for one in begin):
            raise TypeError(f"begin must be a pair of numbers, not {described(begin)}")
        if self.evaluation is not None and not callable(self.evaluation):
            raise TypeError(
                f"evaluation must be a function of a board, not {described(self.evaluation)}"
            )

    def __call__(self, board: chess.Board | str, depth: int) -> Number:
        """Compute the value of a position.

        Args:
            board: The position, or its FEN or EPD. It is not changed.
            depth: Plies, from 1 to 100.

        Returns:
            The value in centipawns, White's view.

        Raises:
            InvalidPositionError: If the position is not valid.
            ValueError: If the depth is out of range.

        Cost:
            That of an alpha-beta search in Python, some 10,000 nodes a second; with other than the
            right choice or window, up to that of minimax.
        """
        return value_at(self, Node(as_board(board).copy(stack=False)), check_depth(depth))

    def _value(self, node: "Node", depth: int, ply: int, alpha: Number, beta: Number) -> Number:
        """Search a position, for the side to move unless the choice is "max"."""
        board = node.board
        is_right = self.window == "right"
        is_max = self.choice == "max" and is_right
        is_whole = self.begin != (-math.inf, -math.inf)
        if self.roles == "root maximises" and ply == 0 and board.turn == chess.BLACK:
            is_max = True
        # Where the sides are taken for each other everything that ends a line is.
        turned = self.roles == "root is White" and board.turn == (ply % 2 == 1)
        if (ended := self._end(node, depth, ply)) is not None:
            return -ended if turned else ended
        if depth <= 0:
            whole = is_max or not is_right
            quiet = self._quiet(node, *((-math.inf, math.inf) if whole else (alpha, beta)), ply)
            return -quiet if turned else quiet
        best: Number = self.begin[board.turn == chess.BLACK]
        for move in self._legal_moves(node):
            low, high = -beta, -alpha
            if is_max or is_whole:
                low, high = -math.inf, math.inf
            elif not is_right and (ply > 0 or self.window_at_root):
                low, high = {
                    "as it is": (alpha, beta),
                    "negated": (-alpha, -beta),
                    "exchanged": (beta, alpha),
                }[self.window]
            value = self._value(node.child(move), depth - 1, ply + 1, low, high)
            best = max(best, value if is_max else -value)
            alpha = max(alpha, best)
            if (best if self.best_cuts else alpha) >= beta and not is_max and not is_whole:
                return beta if self.hard else best
        if best == -math.inf and is_right and not is_whole:
            return self._static(node, None, ply)
        return alpha if self.hard else best

    def _end(self, node: "Node", depth: int, ply: int) -> Number | None:
        """Score a finished game or a leaf; None if the search goes on, or plays captures out."""
        board = node.board
        if self.leaf_first and depth == 0:
            return self._static(node, None, ply) if self.quiescence == "none" else None
        end = node.end
        if self.claims and end is None and board.can_claim_fifty_moves():
            end = GameEnd.FIFTY_MOVES
        if self.fifty_first and self.fifty_moves and board.halfmove_clock >= FIFTY_MOVES:
            end = GameEnd.FIFTY_MOVES
        if end is GameEnd.CHECKMATE:
            return self._mate(node, depth, ply)
        if end is GameEnd.STALEMATE:
            if self.stalemate == "mate":
                return self._mate(node, depth, ply)
            is_draw = self.stalemate == "draw"
            return self._draw(board, depth) if is_draw else self._static(node, end, ply)
        rule = DEAD.get(self.material)
        is_dead = end is GameEnd.INSUFFICIENT_MATERIAL if rule is None else rule(board)
        if (end is GameEnd.FIFTY_MOVES and self.fifty_moves) or is_dead:
            return self._draw(board, depth)
        goes_on = depth > 0 or (self.quiescence != "none" and end is None)
        return None if goes_on else self._static(node, end, ply)

    def _quiet(self, node: "Node", alpha: Number, beta: Number, ply: int) -> Number:
        """Play captures out; inside, nothing ends the game."""
        # 1. Stand pat: the balance of a game, finished or not.
        standing = self._static(node, GameEnd.STALEMATE, ply)
        best = -math.inf if self.quiescence == "no standing pat" else standing
        if best >= beta:
            return best

        # 2. Captures and promotions, those of the most valuable victim first.
        tactical = node.tactical
        if self.quiescence == "no promotions":
            tactical = {move: one for move, one in tactical.items() if node.board.is_capture(move)}
        moves = [move for move in tactical if not self._is_missing(node.board, move)]
        for move in sorted(moves, key=lambda move: tactical[move]):
            if best >= beta:
                break
            best = max(best, -self._quiet(node.child(move), -beta, -max(alpha, best), ply + 1))
        return best if moves else standing

    def _draw(self, board: chess.Board, depth: int) -> Number:
        return self._seen(board, -depth if self.draw == "plies left" else 0)

    def _seen(self, board: chess.Board, value: Number) -> Number:
        """Score the end of a game as White sees it if everything else is so too."""
        is_white = self.choice == "max" and self.leaf == "White"
        return -value if is_white and board.turn == chess.BLACK else value

    def _mate(self, node: "Node", depth: int, ply: int) -> Number:
        board = node.board
        if self.mate == "static":
            return self._static(node, GameEnd.CHECKMATE, ply)
        if self.mate == "flat":
            return self._seen(board, -self.mate_score)
        if self.mate == "distance":
            return self._seen(board, -(self.mate_score - ply))
        if self.mate == "against White" and board.turn == chess.BLACK:
            return self.mate_score + depth
        value = (self.mate_score + depth) * (1 if self.mate == "reversed" else -1)
        return self._seen(board, value)

    def _static(self, node: "Node", end: GameEnd | None, ply: int) -> Number:
        """Score a leaf, for the side that the field `leaf` says."""
        board = node.board
        if self.leaf_first:
            end = node.end  # which the search has not looked for
        if self.evaluation is not None:
            score = self.evaluation(board.copy(stack=False))
        elif end is None or self.leaf_ends:
            score = node.static
        else:
            score = node.balance
        if self.leaf == "White":
            return score
        if self.leaf == "root":
            return score if (board.turn == chess.WHITE) == (ply % 2 == 0) else -score
        return score if (board.turn == chess.WHITE) == (self.leaf == "mover") else -score

    def _legal_moves(self, node: "Node") -> Iterator[chess.Move]:
        # With the right window the value is the same in any order: this one is found soonest.
        is_right = self.window == "right"
        canonical, captures_first = self.canonical or is_right, self.captures_first or is_right
        for move in node.moves(canonical=canonical, captures_first=captures_first):
            if not self._is_missing(node.board, move):
                yield move

    def _is_missing(self, board: chess.Board, move: chess.Move) -> bool:
        return self.moves != "all" and _MISSING[self.moves](board, move)


def _has_one(board: chess.Board, side: chess.Bitboard, minors: chess.Bitboard) -> bool:
    """Tell whether these men are kings, and at most one of these minor pieces."""
    others = side & ~board.kings
    return not others & ~minors and chess.popcount(others) <= 1


# When there is too little material, where betacut's rule is not meant.
DEAD: dict[str, Callable[[chess.Board], bool]] = {
    "python-chess": chess.Board.is_insufficient_material,
    "one a side": lambda board: all(
        _has_one(board, side, board.knights | board.bishops) for side in board.occupied_co
    ),
    "bare kings": lambda board: _has_one(board, board.occupied, chess.BB_EMPTY),
    "one knight": lambda board: _has_one(board, board.occupied, board.knights),
    "one bishop": lambda board: _has_one(board, board.occupied, board.bishops),
    "none": lambda _: False,
}

# Which moves are missing.
_MISSING: dict[str, Callable[[chess.Board, chess.Move], bool]] = {
    "no underpromotion": lambda _, move: move.promotion not in (None, chess.QUEEN),
    "queens and knights": lambda _, move: move.promotion in (chess.ROOK, chess.BISHOP),
    "no rooks": lambda _, move: move.promotion == chess.ROOK,
    "no bishops": lambda _, move: move.promotion == chess.BISHOP,
    "no knights": lambda _, move: move.promotion == chess.KNIGHT,
    "no en passant": chess.Board.is_en_passant,
    "no castling": chess.Board.is_castling,
    "no short castling": chess.Board.is_kingside_castling,
    "no long castling": chess.Board.is_queenside_castling,
}


class Node:
    """A position of a tree; one that keeps its children is quick to search by many models."""

    def __init__(self, board: chess.Board, *, keeps: bool = False) -> None:
        self.board = board
        self._keeps = keeps
        self._children: dict[chess.Move, Node] = {}
        self._moves: dict[tuple[bool, bool], list[chess.Move]] = {}

    def child(self, move: chess.Move) -> "Node":
        """Make a move."""
        found = self._children.get(move)
        if found is None:
            board = self.board.copy(stack=False)
            board.push(move)
            found = Node(board, keeps=self._keeps)
            if self._keeps:
                self._children[move] = found
        return found

    def moves(self, *, canonical: bool, captures_first: bool) -> list[chess.Move]:
        """List the legal moves in an order."""
        order = canonical, captures_first
        if order not in self._moves:
            moves = engine.legal_moves(self.board) if canonical else self.board.legal_moves
            self._moves[order] = in_order(self.board, moves, captures_first=captures_first)
        return self._moves[order]

    @functools.cached_property
    def end(self) -> GameEnd | None:
        """How the game ended; where the score is neither a draw's nor a mate's it did not."""
        return None if 0 < abs(self.static) < MATE else game_end(self.board)

    @functools.cached_property
    def static(self) -> int:
        """The static score."""
        return engine.evaluate_position(self.board)

    @functools.cached_property
    def balance(self) -> int:
        """The static score without mates and draws."""
        return balance_of(self.board)

    @functools.cached_property
    def tactical(self) -> dict[chess.Move, tuple[int, int]]:
        """The captures and promotions, and what orders them."""
        board = self.board
        near = board.pawns & (chess.BB_RANK_2 | chess.BB_RANK_7)
        promotions = [move for move in board.generate_legal_moves(near) if move.promotion]
        return {
            move: _victim(board, move) for move in (*board.generate_legal_captures(), *promotions)
        }


def value_at(model: Model, node: Node, depth: int) -> Number:
    """Compute the value of a node, which may know what it was asked before."""
    depth = max(depth + model.horizon, model.least_depth)
    depth = depth if model.fixed_depth is None else model.fixed_depth
    value = model._value(node, depth, 0, -math.inf, math.inf)
    turns = model.choice == "negamax" and model.roles != "root maximises"
    is_white = node.board.turn == chess.WHITE
    if turns and not is_white:
        value = -value
    return -value if model.root in ("both", "White" if is_white else "Black") else value


def _victim(board: chess.Board, move: chess.Move) -> tuple[int, int]:
    """Order captures: the most valuable victim first, then the least valuable attacker."""
    victim = board.piece_type_at(move.to_square) or 0
    return -victim - (move.promotion or 0), board.piece_type_at(move.from_square) or 0


def in_order(
    board: chess.Board, moves: Iterable[chess.Move] | None = None, *, captures_first: bool
) -> list[chess.Move]:
    """Order moves, all legal ones unless told, as they come or captures first."""
    moves = board.legal_moves if moves is None else moves
    return sorted(moves, key=board.is_capture, reverse=True) if captures_first else list(moves)


@functools.cache
def _types() -> dict[str, Any]:
    return get_type_hints(Model)
