"""The Bratko-Kopec test, with which the original measures its engines: 24 positions, best moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import chess

from betacut.originals.didactic.results import Result
from betacut.originals.didactic.searches import ALGORITHMS
from betacut.originals.didactic.trees import check_algorithm

__all__ = ["PROBLEMS", "Attempt", "Problem", "TestReport", "bratko_kopec"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A position of the test.

    Attributes:
        name: BK.01 to BK.24.
        kind: Whether the solution is tactical or a pawn lever.
        fen: The position.
        best: The moves that solve it, in SAN.
    """

    name: str
    kind: Literal["tactical", "lever"]
    fen: str
    best: tuple[str, ...]

    def is_solved_by(self, move: chess.Move | None) -> bool:
        """Tell whether a move solves the problem."""
        board = chess.Board(self.fen)
        return move in [board.parse_san(san) for san in self.best]


_LEVERS = {2, 3, 4, 6, 8, 9, 11, 13, 17, 20, 23, 24}

_EPDS = """\
1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+;
3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - bm d5;
2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - bm f5;
rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - bm e6;
r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - bm Nd5 a4;
2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - bm g6;
1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - bm Nf6;
4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - bm f5;
2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - bm f5;
3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - bm Ne5;
2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - bm f4;
r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - bm Bf5;
r2q1rk1/4bppp/p2p4/2pP4/3pP3/3Q4/PP1B1PPP/R3R1K1 w - - bm b4;
rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - - bm Qd2 Qe1;
2r3k1/1p2q1pp/2b1pr2/p1pp4/6Q1/1P1PP1R1/P1PN2PP/5RK1 w - - bm Qxg7+;
r1bqkb1r/4npp1/p1p4p/1p1pP1B1/8/1B6/PPPN1PPP/R2Q1RK1 w kq - bm Ne4;
r2q1rk1/1ppnbppp/p2p1nb1/3Pp3/2P1P1P1/2N2N1P/PPB1QP2/R1B2RK1 b - - bm h5;
r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - bm Nb3;
3rr3/2pq2pk/p2p1pnp/8/2QBPP2/1P6/P5PP/4RRK1 b - - bm Rxe4;
r4k2/pb2bp1r/1p1qp2p/3pNp2/3P1P2/2N3P1/PPP1Q2P/2KRR3 w - - bm g4;
3rn2k/ppb2rpp/2ppqp2/5N2/2P1P3/1P5Q/PB3PPP/3RR1K1 w - - bm Nh6;
2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - bm Bxe4;
r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - bm f6;
r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - - bm f4;
"""


def _problems() -> tuple[Problem, ...]:
    problems = []
    for number, line in enumerate(_EPDS.splitlines(), start=1):
        fields, _, best = line.rstrip(";").partition(" bm ")
        kind: Literal["tactical", "lever"] = "lever" if number in _LEVERS else "tactical"
        problems.append(Problem(f"BK.{number:02}", kind, f"{fields} 0 1", tuple(best.split())))
    return tuple(problems)


PROBLEMS: Sequence[Problem] = _problems()
"""The 24 problems. Source: D. Kopec and I. Bratko, 1982; which are levers: Marsland, 1990."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An engine's answer to a problem."""

    problem: Problem
    result: Result

    @property
    def solved(self) -> bool:
        """Whether the move solves it."""
        return self.problem.is_solved_by(self.result.move)


@dataclass(frozen=True, slots=True)
class TestReport:
    """An engine's answers to the whole test.

    Attributes:
        algorithm: The name of the function.
        depth: The depth in plies.
        attempts: The answers, in the order of the problems.
    """

    __test__ = False  # no test of pytest's

    algorithm: str
    depth: int
    attempts: tuple[Attempt, ...]

    @property
    def solved(self) -> int:
        """Problems solved by the first of the best moves, or by the one that `rng` drew."""
        return sum(attempt.solved for attempt in self.attempts)

    @property
    def solved_always(self) -> int:
        """Problems that are solved whichever of the best moves is drawn."""
        return sum(
            bool(attempt.result.best_moves)
            and all(map(attempt.problem.is_solved_by, attempt.result.best_moves))
            for attempt in self.attempts
        )

    @property
    def solved_with_luck(self) -> int:
        """Problems that are solved if the right one of the best moves is drawn."""
        return sum(
            any(map(attempt.problem.is_solved_by, attempt.result.best_moves))
            for attempt in self.attempts
        )


def bratko_kopec(algorithm: str, depth: int, **options: object) -> TestReport:
    """Let an engine try the Bratko-Kopec test.

    Args:
        algorithm: A key of `ALGORITHMS`.
        depth: The depth in plies.
        **options: More arguments for that function.

    Returns:
        The answers.

    Cost:
        24 searches.

    Source:
        The original's section on performance.

    Examples:
        >>> bratko_kopec("prototype_v2", 2).solved
        1
    """
    function = ALGORITHMS[check_algorithm(algorithm)]
    attempts = tuple(Attempt(one, function(one.fen, depth, **options)) for one in PROBLEMS)
    return TestReport(algorithm, depth, attempts)


PUBLISHED: Mapping[tuple[str, bool | None], tuple[int, ...]] = {
    ("minimax", None): (1, 0, 3, 1),
    ("iterative_alpha_beta_cached", None): (0, 0, 2, 3, 3),
    ("incremental_iterative_alpha_beta_cached", None): (1, 1, 2, 2, 5),
    ("quiescence", None): (2, 3, 3, 5),
    ("prototype_v1", None): (2, 3, 3, 5, 7),
    ("prototype_v2", False): (1, 1, 2, 5, 6),
    ("prototype_v2", True): (2, 3, 4, 5, 6),
}
"""How many the original solves, at depths 1, 2, …, by algorithm and static exchange evaluation.

All but the second prototype draw among equal moves. One number is not reproduced: at depth 1 the
published run of `incremental_iterative_alpha_beta_cached` answers BK.08, an endgame without queens,
by the kings' middlegame table (e3f2); by the original's own rule for the endgame it is solved.
"""
