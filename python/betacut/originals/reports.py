"""What a published report prints, beside what its program finds here.

    >>> from betacut.originals import reports
    >>> found = reports.cosc76()
    >>> len(found), [item.what for item in found if not item.same]
    (28, ['Enhanced(7, 4) against AlphaBeta(3)'])

The report of the COSC 76 program (`betacut.originals.cosc76`) prints boards, the players' logs and
the tables of a profiler. What follows from a position or a game without chance is run again. The
positions are those before the boards printed; a piece that was captured was found by its score.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import chess

from betacut.originals import cosc76 as program
from betacut.originals.cosc76 import Choice

__all__ = ["Item", "cosc76"]


@dataclass(frozen=True)
class Item:
    """Something that a report prints.

    Attributes:
        what: What it is.
        published: What the report says.
        found: What betacut finds; "" if that is not run.
        reason: Why it is another, or is not run.
    """

    what: str
    published: str
    found: str
    reason: str = ""

    @property
    def same(self) -> bool:
        """Whether both are the same."""
        return self.published == self.found


_Search = Callable[[str, int], Choice]

_LOGS: tuple[tuple[str, _Search, int, str, str], ...] = (
    (
        "section 2, White",
        program.minimax_ai,
        2,
        "1k6/7R/2P2P2/P2P4/1B2PPQ1/8/6P1/RN2KBN1 w Q -",
        "first 0, 0 to 38, 38 to inf; g4g8",
    ),
    (
        "section 2, Black",
        program.minimax_ai,
        2,
        "rnbqk1nr/3p1ppp/8/p4P2/6qP/b1P1p3/8/7K b kq -",
        "first -43, -43 to -inf; d8h4",
    ),
    (
        "section 2, the last move",
        program.minimax_ai,
        2,
        "8/8/8/k7/8/N7/1BK5/5QN1 w - -",
        "first 18, 18 to inf; f1b5",
    ),
    (
        "section 2, depth 1",
        program.minimax_ai,
        1,
        "1Q2QQ2/8/3B4/3P4/7k/7P/8/1N2KBNR w K -",
        "first 46, 46 to inf; g1f3",
    ),
    (
        "section 3, better moves",
        program.alpha_beta_ai,
        3,
        "3Q1Br1/4p2p/p1n5/5p2/PPkP4/8/4PPPP/RN1QKBNR w KQ -",
        "first 26, 26 to 27, 27 to 34, 34 to 35; d4d5",
    ),
    (
        "section 3, checkmate",
        program.alpha_beta_ai,
        3,
        "3Q1Br1/8/p1P5/4pp1p/PPk5/8/4PPPP/RN1QKBNR w KQ -",
        "first 37, 37 to inf; e2e4",
    ),
    (
        "section 3, 42 moves",
        program.alpha_beta_ai,
        3,
        "Q2Q1Q2/1B6/8/3Pk3/7B/7P/R2N4/1K4NR w - -",
        "first 42, 42 to 51, 51 to inf; g1f3",
    ),
    (
        "transposition table, checkmate",
        lambda board, depth: program.enhanced_alpha_beta_ai(board, depth, move_count=7),
        5,
        "4kBr1/1P3p1p/2P1p3/2R3p1/1P1P4/3P4/5PPP/1N1QKBNR w K -",
        "first inf; b7b8q",
    ),
)
"""Positions: where they are in the report, the search, its depth, the position, the log."""

_TESTS = (
    (
        "r2qkb1r/pb1p3p/1p4pn/1P1nP1p1/2P1P3/NP3N2/5PPP/R2QKB1R w - -",
        "first 0, 0 to 2; c4d5",
        2064,
    ),
    ("r3kb1r/p2p3p/1p4pn/1P2P1q1/2P1b3/NPQ5/5PPP/R3KB1R w - -", "first 8; g2g4", 2575),
    ("r4r2/pb1pk2p/1p4p1/1P6/2PR4/1P3n2/4BP1P/3K4 w - -", "first -7, -7 to -5; e2f3", 955),
    ("r4r2/p6p/1p4p1/1Pk5/b4P2/R7/7P/2K5 w - -", "first -6; a3a4", 652),
)
"""The four tests of section 3: the position, the log, the cutoffs of alpha-beta at depth 3."""

_BETTER = "1nbqk1nr/rp1p2bp/5pP1/p1p1p1P1/P3P3/7B/1PPP3P/RNBQK1NR w KQk -"
_BETTER_LOG = (
    "first 2; 1: g5f6 2; g5f6 2 to 3, 3 to 7; 2: g6h7 7; 3: g6h7 7; 4: g6h7 7; 5: g6h7 7; "
    "g6h7 7 to 10; 6: g6h7 10"
)
_TIMEOUT = 100  # more root moves than the player of that log has searched

_NOT_OURS = (
    "19 moves by the published text; 102 by a heap ordered for each side, as its argument max_heap "
    "suggests. The run was probably of an earlier program"
)


def cosc76() -> list[Item]:
    """Run again what the report of COSC 76 prints, as far as chance has no part in it.

    Returns:
        The items, in the order of the report: twelve positions with the logs of the players, the
        cutoffs, two games of minimax against itself with the calls that its profiler counted, the
        log of BetterAI; and a game that is not reproduced, with the reason.

    Cost:
        About a second.

    Source:
        github.com/lostflux/artificial-intelligence, 03-ChessAI/report.md.
    """
    return [*_positions(), *_games(), *_deepening()]


def _positions() -> Iterator[Item]:
    for where, search, depth, fen, published in _LOGS:
        yield Item(f"{where}: log", published, _log(search(fen, depth), fen))
    for number, (fen, published, cutoffs) in enumerate(_TESTS, start=1):
        pruned = program.alpha_beta_ai(fen, 3)
        yield Item(f"test {number}, Minimax: log", published, _log(program.minimax_ai(fen, 3), fen))
        yield Item(f"test {number}, AlphaBeta: log", published, _log(pruned, fen))
        yield Item(f"test {number}: cutoffs", f"{cutoffs:,}", f"{pruned.pruned:,}")


def _games() -> Iterator[Item]:
    board, calls = _play(2)
    name = "Minimax(2) against itself"
    yield Item(f"{name}: end", "1-0 in 46 moves", _end(board))
    yield Item(f"{name}: calls of minimax", "2,559", f"{calls['minimax']:,}")
    yield Item(f"{name}: evaluations", "1,461,657", f"{calls['evaluate']:,}")
    # Of a recursive function the profiler's table has the calls from other functions alone.
    yield Item(f"{name}: calls of max_value", "23,675", f"{calls['max_value']:,}")
    yield Item(f"{name}: calls of min_value", "25,229", f"{calls['min_value']:,}")
    board, _ = _play(1)
    yield Item("Minimax(1) against itself: end", "1/2-1/2 in 33 moves", _end(board))
    yield Item("Enhanced(7, 4) against AlphaBeta(3)", "1-0 in 96 moves", "", _NOT_OURS)


def _deepening() -> Iterator[Item]:
    choice = program.better_ai(_BETTER, 7, timeout=_TIMEOUT)
    yield Item("BetterAI(7): log", _BETTER_LOG, _deepening_log(choice))


def _play(depth: int) -> tuple[chess.Board, Counter[str]]:
    """Let minimax play against itself; count calls as the report's profiler does."""
    players = (program.MinimaxAI(depth), program.MinimaxAI(depth, False))
    game = program.ChessGame(*players)
    calls: Counter[str] = Counter()
    while not game.is_game_over():
        board, white = game.board, game.board.turn
        choice = players[0 if white else 1].search(board)
        calls["minimax"] += choice.calls["minimax"]
        calls["evaluate"] += choice.calls["evaluate"]
        # A child where the game is over is evaluated at once. Of every other child one function is
        # called, which calls the other; calls below these are recursive, and not in the table.
        first, second = ("max_value", "min_value") if white else ("min_value", "max_value")
        calls[first] += sum(not _ends(board, search.move) for search in choice.root_searches)
        calls[second] += choice.calls.get(second, 0)
        assert choice.move is not None, "the game is not over"
        board.push(choice.move)
    return game.board, calls


def _ends(board: chess.Board, move: chess.Move) -> bool:
    """Tell whether a move ends the game."""
    board.push(move)
    is_over = board.is_game_over()
    board.pop()
    return is_over


def _end(board: chess.Board) -> str:
    """Write how a game ended, with the number of moves that the original prints."""
    return f"{board.result()} in {len(board.move_stack) // 2 + 1} moves"


def _log(choice: Choice, fen: str) -> str:
    """Write a player's log: the first score, the scores that were better, the move."""
    sign = 1 if chess.Board(f"{fen} 0 1").turn == chess.WHITE else -1
    best: float = -math.inf
    steps = []
    for search in choice.root_searches:
        if sign * search.score > best:
            steps.append(_step(sign * best, search.score))
            best = sign * search.score
    return f"{', '.join(steps)}; {choice.move}"


def _deepening_log(choice: Choice) -> str:
    """Write the log of BetterAI: after each depth its number, the best move and the score."""
    best, cost, steps, parts = None, -math.inf, list[str](), list[str]()
    depth: int | None = None
    for search in [*choice.root_searches, None]:
        if search is None or search.depth != depth:
            if depth is not None:
                parts += [*([", ".join(steps)] if steps else []), f"{depth}: {best} {_score(cost)}"]
                steps = []
            if search is None:
                break
            depth = search.depth
            if best is not None:  # the best move so far is searched again
                if search.score != cost:
                    steps.append(f"{best} {_step(cost, search.score)}")
                    cost = search.score
                continue
        if search.score != cost and search.score > cost:
            steps.append(_step(cost, search.score))
        if search.score >= cost:
            best, cost = search.move, search.score
    return "; ".join(parts)


def _step(before: float, after: float) -> str:
    """Write how a score changed."""
    is_first = math.isinf(before)
    return f"first {_score(after)}" if is_first else f"{_score(before)} to {_score(after)}"


def _score(score: float) -> str:
    return str(score) if math.isinf(score) else str(int(score))
