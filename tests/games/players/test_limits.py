"""How long players think: depths, nodes, times, clocks."""

import math

import chess
import pytest
from chess.engine import Limit

import betacut
from betacut import engine
from betacut.engine.limits import check_limit as engine_limit
from betacut.engine.limits import clock_share
from betacut.games.limits import Budget, budget_of, check_limit
from betacut.games.players.searching import Pace
from games.players.support import chosen, move_of

BOARD = chess.Board("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 1 5")
STEPWISE = ["alpha_beta_pruning", "negascout", "chessai.alpha_beta_pruning_pd"]
STEPWISE += ["didactic.prototype_v2", "cosc76.alpha_beta_ai", "search"]


@pytest.mark.parametrize(
    ("limit", "error", "text"),
    [
        (5, TypeError, "limit must be a chess.engine.Limit or None, not int 5"),
        (Limit(depth=0), ValueError, "limit.depth must be between 1 and 100"),
        (Limit(depth="4"), TypeError, "limit.depth"),  # type: ignore[arg-type]
        (Limit(nodes=0), ValueError, "limit.nodes must be 1 or more"),
        (Limit(time=-1), ValueError, "limit.time must be 0.0 or more seconds, not -1"),
        (Limit(time=math.nan), ValueError, "limit.time"),
        (Limit(white_clock=-0.5), ValueError, "limit.white_clock"),
        (Limit(black_inc="1"), TypeError, "limit.black_inc"),  # type: ignore[arg-type]
        (Limit(mate=-1), ValueError, "limit.mate"),
        (Limit(remaining_moves=1.5), TypeError, "limit.remaining_moves"),  # type: ignore[arg-type]
    ],
)
def test_bad_limits(limit: Limit, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text.replace(".", r"\.")):
        check_limit(limit)
    with pytest.raises(error):
        chosen("random", BOARD, limit)


def test_depths() -> None:
    """The least of the limit and the setting; else the default."""
    for given, own, depth in [(2, None, 2), (3, 2, 2), (2, 3, 2), (None, 2, 2), (None, None, 4)]:
        limit = None if given is None else Limit(depth=given)
        settings = {} if own is None else {"depth": own}
        played = chosen("alpha_beta_pruning", BOARD, limit, **settings)
        assert played.info["depth"] == depth
        assert played.move == engine.alpha_beta_pruning(BOARD, depth).move


@pytest.mark.parametrize("name", STEPWISE)
def test_one_ply_always(name: str) -> None:
    with betacut.player(name) as player:
        for limit in (Limit(time=0), Limit(nodes=1), Limit(white_clock=0.001)):
            move_of(player, BOARD, limit)


@pytest.mark.parametrize("name", STEPWISE)
def test_nodes(name: str) -> None:
    """More nodes, more depth; the setting is the greatest depth even so."""
    few, many = (chosen(name, BOARD, Limit(nodes=nodes)) for nodes in (100, 100_000))
    assert few.info["depth"] < many.info["depth"]
    assert chosen(name, BOARD, Limit(nodes=100_000), depth=2).info["depth"] <= 3


def test_nodes_do_not_depend_on_the_clock() -> None:
    found = [chosen("negascout", BOARD, Limit(nodes=20_000)) for _ in range(3)]
    assert len({(played.move, played.info["depth"]) for played in found}) == 1


def test_a_single_move_takes_no_time() -> None:
    board = chess.Board("6k1/8/8/8/8/6n1/r7/7K w - - 0 1")
    assert board.legal_moves.count() == 1
    for name in ("negascout", "search"):
        assert chosen(name, board, Limit(time=60)).info["depth"] == 1


def test_a_mate_ends_the_search() -> None:
    board = chess.Board("7k/8/8/8/8/8/RR6/K7 w - - 0 1")
    for name in ("negascout", "search", "didactic.prototype_v1"):
        played = chosen(name, board, Limit(time=60))
        assert played.info["score"].relative.mate() == 2
        assert played.info["depth"] == 3


def test_mates_in_n_moves() -> None:
    assert chosen("negascout", BOARD, Limit(mate=2)).info["depth"] == 3


@pytest.mark.parametrize(
    ("limit", "turn", "seconds"),
    [
        (Limit(white_clock=30), chess.WHITE, 29.98 / 28),
        (Limit(black_clock=30, black_inc=1), chess.BLACK, 29.98 / 28 + 0.75),
        (Limit(white_clock=30, remaining_moves=10), chess.WHITE, 29.98 / 10),
        (Limit(white_clock=30, remaining_moves=100), chess.WHITE, 29.98 / 28),
        (Limit(white_clock=30, remaining_moves=1), chess.WHITE, 0.9 * 29.98),
        (Limit(white_clock=30, remaining_moves=0), chess.WHITE, 29.98 / 28),
        (Limit(white_clock=1, white_inc=10), chess.WHITE, 0.6 * 0.98),
        (Limit(white_clock=0.01), chess.WHITE, 0.001),
        (Limit(white_clock=30), chess.BLACK, None),
    ],
)
def test_clocks(limit: Limit, turn: chess.Color, seconds: float | None) -> None:
    """Players and the functions of the engine share a clock in the same way."""
    expected = None if seconds is None else pytest.approx(seconds)
    assert budget_of(limit, turn, Budget(), Budget()).seconds == expected
    assert engine_limit(limit, turn).seconds() == expected


def test_a_clock_lasts() -> None:
    """A hundred moves, each with its share, and there is time left; with increments more."""
    clock = 10.0
    for _ in range(100):
        clock -= clock_share(clock)
    assert clock > 0


def test_budgets() -> None:
    limit = Limit(time=3, nodes=500, white_clock=60)
    assert budget_of(limit, chess.BLACK, Budget(), Budget(4)) == Budget(None, 500, 3)
    assert budget_of(limit, chess.BLACK, Budget(2, 100, 1), Budget(4)) == Budget(2, 100, 1)
    assert budget_of(limit, chess.WHITE, Budget(), Budget(4)).seconds == pytest.approx(59.98 / 28)
    for nothing in (Limit(), Limit(time=math.inf), Limit(white_clock=math.inf, white_inc=1)):
        assert budget_of(nothing, chess.WHITE, Budget(), Budget(4)) == Budget(4)


def test_the_next_depth_is_predicted() -> None:
    pace = Pace(Budget(nodes=1000))
    # After six times as many nodes 360 are to come, at last 1500.
    for nodes, another in ((10, True), (60, True), (300, False)):
        pace.finished(0.0, nodes)
        assert pace.allows_another() == another
    pace = Pace(Budget(seconds=1.0))
    pace.finished(0.2, 0)  # eight times at first
    assert not pace.allows_another()
