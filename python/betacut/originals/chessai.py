"""ChessAI, a chess program of students at DHBW Mannheim.

    >>> import chess
    >>> from betacut.originals import chessai
    >>> result = chessai.alpha_beta_pruning(chess.Board(), 4)
    >>> score, move, used_endgame, path = result
    >>> score, move.uci(), [move.uci() for move in path]
    (0, 'g1f3', ['g1f3', 'g8f6', 'b1c3', 'b8c6'])
    >>> result.nodes, result.evals
    (3155, 3154)

Six searches, and the `Game` in which they play. In the original they are the classes
`NegamaxSearch`, `NegamaxSearchMemo`, `AlphaBetaPruning`, `AlphaBetaPruningMemo`,
`AlphaBetaPruningPD` and `AlphaBetaPruningQuiescence`; the functions that look at one position are
methods that it adds to `chess.Board`.

What holds for all of them:

- Scores are centipawns **in the view of the side to move at the root**, which takes the greatest
  while the other side takes the smallest. (The original says negamax; it is minimax.)
- A leaf is worth the sum of what the moves on its path gained (`evaluate_move`), started from 0 at
  the root, not what its board is worth. The original counts a captured piece's material but not its
  square, so the sum is not a difference of board scores.
- A mate is worth plus or minus 10,000,000 with the remaining depth added, so that a quicker mate is
  better. **A draw costs the side that stands better half a million**, and is worth as much to the
  other: a losing side prefers it to everything but a mate.
- A node with one legal move costs no depth (the original's singular value extension).
- Of equally good moves the first one counts. Nothing is random.
- `nodes` counts the calls of the original's `get_best_move`: the root, leaves, and nodes that the
  memory answered too, but not moves that end the game. `evals` those of `evaluate_move`.
- On a finished game `move` is None and the score what the original makes of it: -10,000,000 minus
  the depth for a mate, a draw as above. The original then crashes with an `AttributeError`.

Arguments that all searches have:

- `use_heuristic`: False values all moves 0 that do not end the game: for mate problems.
- `ending`: whether the kings use their endgame table, in the whole search. The original decides it
  after each move of a game (`is_ending`; `Game` does it), never within a search, and not before the
  game's first move.
- `tablebase`: an object with python-chess's `probe_dtm(board)`, such as what
  `chess.gaviota.open_tablebase` returns. It is asked about the board after every move looked at
  that does not end the game (a new `chess.Board` without a move stack), if the *root* has at most
  five men: then the original's game has switched it on. A `KeyError`, which says that a table is
  missing, is not an error; any other exception ends the search. A win is worth 1,000,000 minus the
  plies to mate, a draw as above; both drop the path's sum. The search spends its time there, so no
  speed is promised.

The searches with a memory remember results by remaining depth and `get_state_repr`, which knows
neither en passant nor the path's sum: what they return may have been found on another path.

Source: github.com/MoritzMueller2508/ChessAI_Implementation.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import chess

from betacut import _betacut
from betacut.core.arguments import (
    BoardLike,
    as_standard_board,
    check_count,
    check_depth,
    check_flag,
    check_move,
    check_name,
    check_score,
    check_tablebase,
    described,
    shown,
)
from betacut.core.catalogue import ORIGINALS
from betacut.originals.random_mover import RandomMover
from betacut.originals.shared import TABLEBASE_MEN as TABLEBASE_MEN
from betacut.originals.shared import CanChoose, Tablebase, checked_move, name_of, unpacked

__all__ = [
    "ALGORITHMS",
    "CHECKMATE",
    "CHESS_PROBLEMS",
    "DRAW",
    "ENDGAME",
    "Extensions",
    "Game",
    "Ply",
    "RandomAlgorithm",
    "Result",
    "Tablebase",
    "alpha_beta_pruning",
    "alpha_beta_pruning_memo",
    "alpha_beta_pruning_pd",
    "alpha_beta_pruning_quiescence",
    "board_score",
    "evaluate_move",
    "get_best_move",
    "get_state_repr",
    "is_ending",
    "negamax_search",
    "negamax_search_memo",
]

CHECKMATE = 10_000_000
"""A mate, before the remaining depth is added. Centipawns."""

ENDGAME = 1_000_000
"""A win that a tablebase knows, before the plies to mate are taken away. Centipawns."""

DRAW = 500_000
"""What a draw costs the side that stands better. Centipawns."""

MAX_SCORE = 100_000_000
"""More than any score. Centipawns."""

CHESS_PROBLEMS: Mapping[str, tuple[str, int]] = {
    "AJW": ("7n/3NR3/1P3p2/1p1kbN1B/1p6/1K6/6b1/1Q6 w - - 0 1", 3),
    "AF": ("3KN3/2B2R2/6n1/8/4k2n/4p3/4B3/3R4 w - - 0 1", 3),
    "LE": ("2N5/7B/3R4/Rb2k1p1/3rpr2/2B5/1NP2P1Q/4K3 w - - 0 1", 5),
    "EK": ("8/8/5p2/5p2/2K5/2R2P2/2R2PN1/5Nk1 w - - 0 1", 7),
    "AD": ("8/3k1P2/1K3B2/3B4/8/8/8/8 w - - 0 1", 3),
    "BWS": ("1r2k3/2Q3P1/2p3Kb/6n1/8/8/8/8 w - - 0 1", 3),
}
"""The original's mate problems: FEN, and the plies after which White has mated."""

RandomAlgorithm = RandomMover
"""The original's name for the random mover."""


class Extensions(NamedTuple):
    """Nodes that have the depth of their parent.

    Attributes:
        single: Because their move was the only legal one.
        quiescence: Because their move was a capture. A node may be among both.
    """

    single: int
    quiescence: int


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found; unpacks into `score, move, used_endgame, path`, as the original's does.

    Attributes:
        algorithm: The name of the function.
        depth: The depth asked for. Plies.
        score: Centipawns, in the view of the side to move at the root.
        move: The best move; None if the game is over.
        path: The expected line, the best move first.
        used_endgame: Whether a tablebase valued a move of the expected line.
        nodes: Calls of the original's `get_best_move`.
        evals: Calls of the original's `evaluate_move`.
        extensions: Nodes as deep as their parent.
        max_ply: How far from the root the farthest node lies. Plies.
        cache_size: Entries of the memory; None without one.
        cache_hits: Nodes that the memory answered; None without one.
        seconds: Duration by the wall clock. Not compared by `==`.
    """

    algorithm: str
    depth: int
    score: int
    move: chess.Move | None
    path: tuple[chess.Move, ...]
    used_endgame: bool
    nodes: int
    evals: int
    extensions: Extensions
    max_ply: int
    cache_size: int | None = None
    cache_hits: int | None = None
    seconds: float = field(default=0.0, compare=False)

    def __iter__(self) -> Iterator[Any]:
        """Unpack into score, move, use of the tablebase and path."""
        yield self.score
        yield self.move
        yield self.used_endgame
        yield self.path


def negamax_search(
    board: BoardLike,
    depth: int,
    *,
    use_heuristic: bool = True,
    ending: bool = False,
    tablebase: Tablebase | None = None,
) -> Result:
    """Minimax to a fixed depth: all lines.

    Args:
        board: The position.
        depth: Plies, extensions apart.
        use_heuristic: Whether anything but the end of the game counts.
        ending: Whether the kings use their endgame table.
        tablebase: What is asked if the board has at most five men.

    Returns:
        Score, move and line, with what was counted.

    Cost:
        About w**depth evaluations for w moves a position.

    Examples:
        >>> negamax_search(chess.Board(), 3).evals
        9322
    """
    return _search("negamax_search", board, depth, use_heuristic, ending, tablebase)


def negamax_search_memo(
    board: BoardLike,
    depth: int,
    *,
    use_heuristic: bool = True,
    ending: bool = False,
    tablebase: Tablebase | None = None,
) -> Result:
    """Minimax that remembers: every node but the leaves, by depth and `get_state_repr`.

    A remembered score was found on another path, and is returned as it is: it may differ from that
    of `negamax_search`.

    Arguments and result are those of `negamax_search`. (The original does not count cache hits.)

    Cost:
        At depth 4 about 0.6 times the evaluations of `negamax_search`; 50 to 100 bytes an entry.
    """
    return _search("negamax_search_memo", board, depth, use_heuristic, ending, tablebase)


def alpha_beta_pruning(
    board: BoardLike,
    depth: int,
    *,
    use_heuristic: bool = True,
    ending: bool = False,
    tablebase: Tablebase | None = None,
) -> Result:
    """Alpha-beta to a fixed depth: score, move and line of `negamax_search`, from fewer nodes.

    Fail-soft; a score that equals the bound cuts. The root shares its window with its moves.

    Arguments and result are those of `negamax_search`.

    Cost:
        At depth 4 a fifteenth to a sixtieth of the evaluations of `negamax_search`.

    Examples:
        >>> alpha_beta_pruning(chess.Board(), 3).evals
        777
    """
    return _search("alpha_beta_pruning", board, depth, use_heuristic, ending, tablebase)


def alpha_beta_pruning_memo(
    board: BoardLike,
    depth: int,
    *,
    use_heuristic: bool = True,
    ending: bool = False,
    tablebase: Tablebase | None = None,
) -> Result:
    """Alpha-beta that remembers exact scores and bounds, by depth and `get_state_repr`.

    A bound outside the window answers, one inside narrows it; the narrowed window then says whether
    the new score is stored as exact or as a bound. The last one stored stands. As in
    `negamax_search_memo`, what is remembered was found on another path.

    Arguments and result are those of `negamax_search`.

    Cost:
        At depths 4 and 5 a tenth to a quarter fewer evaluations than `alpha_beta_pruning`; 50 to
        100 bytes an entry.
    """
    return _search("alpha_beta_pruning_memo", board, depth, use_heuristic, ending, tablebase)


def alpha_beta_pruning_pd(
    board: BoardLike,
    depth: int,
    *,
    use_heuristic: bool = True,
    ending: bool = False,
    tablebase: Tablebase | None = None,
) -> Result:
    """Progressive deepening: `alpha_beta_pruning_memo` to depth 1, 2, … with one memory.

    At nodes with depth 3 and more the moves are ordered by what the limit before found for their
    children, bounds as if they were exact and 0 where nothing was found. Of equally good moves the
    first in that order counts, so the move may differ from that of `alpha_beta_pruning`.

    A limit that finds a mate for the side to move ends the search, with the score corrected to what
    the full depth would have given: 10,000,001 + `depth` - limit, which supposes that the limit
    found the mate with its last ply. A mate against the side to move ends nothing.

    Arguments and result are those of `negamax_search`, but the depth is the last limit, and the
    counts are those of all limits.

    Cost:
        At depths 4 and 5 between 0.6 and 1.1 times the evaluations of `alpha_beta_pruning_memo`.
    """
    return _search("alpha_beta_pruning_pd", board, depth, use_heuristic, ending, tablebase)


def alpha_beta_pruning_quiescence(
    board: BoardLike,
    depth: int,
    *,
    use_heuristic: bool = True,
    ending: bool = False,
    tablebase: Tablebase | None = None,
) -> Result:
    """Progressive deepening that does not stop at captures.

    A capture as the last move costs no depth: all replies to it are searched, and captures among
    them go on. There is no standing pat, so a side may have to answer with a move that loses; and
    the tree may explode: a tactical position may take millions of evaluations at depth 1.

    Arguments and result are those of `negamax_search`, but the depth is the last limit, and the
    counts are those of all limits.

    Cost:
        From little more than `alpha_beta_pruning_pd` to thousands of times as much; Ctrl-C stops
        it.

    Examples:
        >>> fork = "k7/8/8/4p3/3n4/8/3Q4/K7 w - - 0 1"
        >>> for search in alpha_beta_pruning_pd, alpha_beta_pruning_quiescence:
        ...     result = search(fork, 1)
        ...     print(result.score, result.move)
        325 d2d4
        10 a1b1
    """
    return _search("alpha_beta_pruning_quiescence", board, depth, use_heuristic, ending, tablebase)


def get_best_move(
    board: BoardLike,
    depth: int,
    *,
    alpha: int = -MAX_SCORE,
    beta: int = MAX_SCORE,
    ai_turn: bool = True,
    last_eval: int = 0,
    algorithm: str = "alpha_beta_pruning",
    use_heuristic: bool = True,
    ending: bool = False,
    tablebase: Tablebase | None = None,
) -> Result:
    """Call the original's recursive method by itself, as one of its nodes does.

    The searches are such calls with the widest window; progressive deepening is several, with one
    memory, which is empty here.

    Args:
        board: The position.
        depth: Plies, extensions apart.
        alpha: What the side that started the search is sure of. Centipawns.
        beta: What the other side is sure of. Centipawns. Minimax looks at neither.
        ai_turn: Whether the side that started the search is to move; scores are in its view.
        last_eval: What the path to the position is worth. Centipawns.
        algorithm: Whose method it is: one of `ALGORITHMS`.
        use_heuristic: Whether anything but the end of the game counts.
        ending: Whether the kings use their endgame table.
        tablebase: What is asked if the board has at most five men.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If one is out of range, the window is empty, or there is no such algorithm.

    Cost:
        That of the search, or less.

    Source:
        The original's `get_best_move(alpha, beta, ai_turn, depth, last_eval_score)`.

    Examples:
        >>> reply = get_best_move(chess.Board(), 3, ai_turn=False, last_eval=100, beta=60)
        >>> reply.score, reply.move.uci(), reply.evals
        (50, 'g1f3', 735)
    """
    name = check_name(algorithm, "algorithm", ALGORITHMS)
    low = check_score(alpha, "alpha", MAX_SCORE)
    high = check_score(beta, "beta", MAX_SCORE)
    if low >= high:
        raise ValueError(f"alpha must be less than beta, not {low} and {high}")
    path = check_score(last_eval, "last_eval", MAX_SCORE)
    call = (low, high, check_flag(ai_turn, "ai_turn"), path)
    return _search(name, board, depth, use_heuristic, ending, tablebase, call)


def evaluate_move(
    board: BoardLike,
    move: chess.Move,
    *,
    is_opponent: bool = False,
    prev_score: int = 0,
    depth: int = 0,
    use_heuristic: bool = True,
    ending: bool = False,
    tablebase: Tablebase | None = None,
) -> tuple[int, bool]:
    """Value a move, as the searches do.

    In this order: a move that ends the game is worth a mate plus `depth`, or a draw by who stands
    better before the move; without the heuristic every other move is worth 0; the tablebase answers
    if it can, a draw by who stands better after the move; and else the move's gain is added to the
    path's score: the captured piece without the bonus of its square, the change of the bonuses of
    the pieces that move, and what a pawn becomes.

    Args:
        board: The position before the move.
        move: A legal move.
        is_opponent: Whether the mover is not the side that the score is for.
        prev_score: What the path to the position is worth. Centipawns.
        depth: Plies left, the move included; 0 to 100.
        use_heuristic: Whether anything but the end of the game counts.
        ending: Whether the kings use their endgame table.
        tablebase: What is asked, however many men there are.

    Returns:
        The score in centipawns, in the view of the side that searches, and whether it is the
        tablebase's.

    Cost:
        Some microseconds.

    Examples:
        >>> evaluate_move(chess.Board(), chess.Move.from_uci("e2e4"))
        (40, False)
    """
    return _betacut.chessai_evaluate_move(
        board,
        move,
        is_opponent=check_flag(is_opponent, "is_opponent"),
        prev_score=check_score(prev_score, "prev_score", MAX_SCORE),
        depth=check_depth(depth, 0),
        use_heuristic=check_flag(use_heuristic, "use_heuristic"),
        ending=check_flag(ending, "ending"),
        tablebase=check_tablebase(tablebase),
    )


def board_score(board: BoardLike, color: chess.Color, *, ending: bool = False) -> int:
    """Sum the pieces up, each with the bonus of its square; no regard to the end of the game.

    Args:
        board: The position.
        color: For which side.
        ending: Whether the kings use their endgame table.

    Returns:
        Centipawns: that side's pieces minus the other's. A side stands better if this is 0 or more,
        so at equality both do.

    Cost:
        About a microsecond.

    Examples:
        >>> board_score("4k3/8/8/8/8/8/4P3/4K3 w - -", chess.WHITE)
        80
    """
    color, ending = check_flag(color, "color"), check_flag(ending, "ending")
    return _betacut.chessai_board_score(board, color, ending=ending)


def is_ending(board: BoardLike) -> bool:
    """Tell whether so few pieces are left that the kings use their endgame table.

    They are if each side has no queen, or no rook and at most one knight or bishop.

    Cost:
        About a microsecond.

    Source:
        The original's `check_and_set_ending`, which `Game` asks after each move.
    """
    return _betacut.is_endgame(board)


def get_state_repr(board: BoardLike) -> tuple[int, ...]:
    """What the searches with a memory know a position by.

    Returns:
        The bitboards of pawns, knights, bishops, rooks, queens, kings, White's and Black's men and
        the castling rights, and whether White is to move. En passant and clocks are not among them.

    Cost:
        Some microseconds. (The searches keep 128 bits instead, by increments.)
    """
    board = as_standard_board(board)
    kinds = board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    return *kinds, white, black, board.castling_rights, board.turn


ALGORITHMS: dict[str, Callable[..., Result]] = {
    name: globals()[name] for name in ORIGINALS["chessai"]
}
"""The searches, by name."""


Algorithm: TypeAlias = Callable[..., Result] | CanChoose
"""A search, or anything that chooses moves."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A move of a game.

    Attributes:
        move: The move.
        result: What the search found; None if the move was pushed or its chooser does not search.
        ending: Whether the kings use their endgame table from now on.
        board_score: The score of the board after the move, for the side that moved. Centipawns.
    """

    move: chess.Move
    result: Result | None
    ending: bool
    board_score: int


class Game:
    """A game of two searches, or of one against moves that are pushed.

    Two things stay once they are so, and are decided after each move only, not before the first:
    `ending`, and whether the tablebase is asked (at most five men).

    Args:
        algorithm_white: One of the searches, or anything with a method `choose_move(board)`, such
            as `RandomAlgorithm(seed=1)`; None for a player whose moves are pushed.
        algorithm_black: The same for Black.
        search_depth_white: White's depth. Plies.
        search_depth_black: Black's depth. Plies.
        use_heuristic: Whether anything but the end of the game counts.
        tablebase: What the searches ask once few men are left.
        fen: Where to start; the start of the game if left out.

    Attributes:
        board: The board, with all moves on its stack.
        ending: Whether the kings use their endgame table.
        check_endgame_tablebase: Whether the tablebase is asked.

    Raises:
        ValueError: Also if neither side has an algorithm.

    Source:
        The original's `Game`; without its book, its pictures and its files.

    Examples:
        >>> problem, plies = CHESS_PROBLEMS["AD"]
        >>> search = alpha_beta_pruning_pd
        >>> game = Game(search, search, plies, plies, fen=problem)
        >>> [(ply.move.uci(), ply.result.score) for ply in game.play()]
        [('f7f8r', 10000002), ('d7d6', -10000003), ('f8d8', 10000003)]
    """

    def __init__(
        self,
        algorithm_white: Algorithm | None = None,
        algorithm_black: Algorithm | None = None,
        search_depth_white: int = 4,
        search_depth_black: int = 4,
        *,
        use_heuristic: bool = True,
        tablebase: Tablebase | None = None,
        fen: str = chess.STARTING_FEN,
    ) -> None:
        if algorithm_white is None and algorithm_black is None:
            raise ValueError("a game needs an algorithm for White or Black; both are None")
        self._algorithms = {
            chess.WHITE: _check_algorithm(algorithm_white, "algorithm_white"),
            chess.BLACK: _check_algorithm(algorithm_black, "algorithm_black"),
        }
        self._depths = {
            chess.WHITE: check_depth(search_depth_white, name="search_depth_white"),
            chess.BLACK: check_depth(search_depth_black, name="search_depth_black"),
        }
        self._use_heuristic = check_flag(use_heuristic, "use_heuristic")
        self._tablebase = check_tablebase(tablebase)
        self.board = as_standard_board(fen).copy()
        self.ending = False
        self.check_endgame_tablebase = False

    def is_game_over(self) -> bool:
        """Tell whether the game is over, without claims."""
        return self.board.is_game_over()

    def push(self, move: chess.Move) -> Ply:
        """Make a legal move for the side whose turn it is, and tell what became of the game."""
        return self._push(check_move(self.board, move), None)

    def make_move(self) -> Ply:
        """Let the algorithm whose turn it is make a move; tell what was found, and what came of it.

        Raises:
            ValueError: If the game is over (the original crashes), or the side to move has no
                algorithm, or the algorithm finds no move or an illegal one.
            TypeError: If what it finds is no move.
        """
        turn = self.board.turn
        if self.is_game_over():
            raise ValueError(f"the game is over: {self.board.result()} in {self.board.fen()}")
        algorithm = self._algorithms[turn]
        if algorithm is None:
            raise ValueError(
                f"{chess.COLOR_NAMES[turn].capitalize()} has no algorithm: push its moves"
            )
        if not callable(algorithm):
            move = algorithm.choose_move(self.board)
            return self._push(checked_move(self.board, algorithm, move), None)
        result = algorithm(
            self.board,
            self._depths[turn],
            use_heuristic=self._use_heuristic,
            ending=self.ending,
            tablebase=self._tablebase if self.check_endgame_tablebase else None,
        )
        if not isinstance(result, Result):
            raise TypeError(f"{name_of(algorithm)} must return a Result, not {described(result)}")
        return self._push(checked_move(self.board, algorithm, result.move), result)

    def play(self, max_plies: int | None = None) -> list[Ply]:
        """Let the algorithms play until the game is over or it is the turn of a side without one.

        `max_plies` is the most moves of both sides together; None for as many as it takes.
        """
        most = None if max_plies is None else check_count(max_plies, "max_plies", "plies")
        plies: list[Ply] = []
        while len(plies) != most and not self.is_game_over():
            if self._algorithms[self.board.turn] is None:
                break
            plies.append(self.make_move())
        return plies

    def _push(self, move: chess.Move, result: Result | None) -> Ply:
        mover = self.board.turn
        self.board.push(move)
        self.ending = self.ending or is_ending(self.board)
        few = chess.popcount(self.board.occupied) <= TABLEBASE_MEN
        self.check_endgame_tablebase |= few and self._tablebase is not None
        score = board_score(self.board, mover, ending=self.ending)
        return Ply(move, result, self.ending, score)


def _search(
    algorithm: str,
    board: BoardLike,
    depth: int,
    use_heuristic: bool,
    ending: bool,
    tablebase: Tablebase | None,
    call: tuple[int, int, bool, int] | None = None,
) -> Result:
    """Run one of the searches, or a call of its recursive method."""
    plies = check_depth(depth)
    board, record = unpacked(board)
    score, used_endgame, path, counts, cache_size, seconds = _betacut.chessai_search(
        algorithm,
        board,
        plies,
        call=call,
        use_heuristic=check_flag(use_heuristic, "use_heuristic"),
        ending=check_flag(ending, "ending"),
        tablebase=check_tablebase(tablebase),
        record=record,
    )
    nodes, evals, extensions, max_ply, cache_hits = counts
    return Result(
        algorithm=algorithm,
        depth=plies,
        score=score,
        move=path[0] if path else None,
        path=tuple(path),
        used_endgame=used_endgame,
        nodes=nodes,
        evals=evals,
        extensions=Extensions(*extensions),
        max_ply=max_ply,
        cache_size=cache_size,
        cache_hits=None if cache_size is None else cache_hits,
        seconds=seconds,
    )


def _check_algorithm(algorithm: Algorithm | None, name: str) -> Algorithm | None:
    if (
        algorithm is None
        or callable(algorithm)
        or callable(getattr(algorithm, "choose_move", None))
    ):
        return algorithm
    raise TypeError(
        f"{name} must be a search or have a method choose_move(), not {shown(algorithm)}"
    )
