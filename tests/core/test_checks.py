"""What the checks of arguments return and say, asked directly."""

import itertools
from collections.abc import Callable

import chess
import chess.engine
import pytest

from betacut.core import arguments, messages
from betacut.core.exceptions import InvalidPositionError
from betacut.engine import conditions, limits, session, table


def halfmove_clock(clock: int) -> chess.Board:
    """A board with a clock that it cannot have."""
    board = chess.Board()
    board.halfmove_clock = clock
    return board


MATED = "8/8/8/8/8/2k5/2p5/K7 w - - 0 1"
TWO = ["minimax", "alpha_beta_pruning"]


@pytest.mark.parametrize(
    ("call", "found"),
    [
        (
            lambda: arguments.check_order("hash_move+random:7"),
            ((("hash_move", 0), ("random", 7)), "hash_move+random:7"),
        ),
        (
            lambda: conditions.order_of("hash_move+random:7", with_data=True),
            [("hash_move", 0), ("random", 7)],
        ),
        (lambda: arguments.as_board("8/8/8/8/8/2k5/2p5/2K5 w - -").turn, True),
        (lambda: arguments.as_board("kiwipete").legal_moves.count(), 48),
        (lambda: messages.shown("e2e4"), "'e2e4'"),
        (lambda: messages.shown(10**400), "about 10**400"),
        (lambda: len(messages.shown("8" * 1_000_000)), 80),
        (lambda: messages.shown_path("a folder/games.pgn"), "'a folder/games.pgn'"),
        (lambda: len(messages.shown_path("x" * 10**6)), 256),
        (lambda: messages.described("4"), "str '4'"),
        (lambda: messages.did_you_mean("alphabeta", TWO), "alpha_beta_pruning"),
        (lambda: messages.did_you_mean("minmax", TWO), "minimax"),
        (lambda: arguments.check_window(10, None), (10, 200000)),
        (lambda: table.check_columns(["nodes", "cp"]), ["nodes", "cp"]),
        (lambda: round(limits.clock_share(60), 2), 2.14),
        (lambda: round(limits.clock_share(60, 1), 2), 2.89),
        (lambda: round(limits.clock_share(60, 0, 1), 2), 53.98),
        (
            lambda: (
                limits.check_limit(
                    chess.engine.Limit(white_clock=60, white_inc=1), chess.WHITE
                ).clock
            ),
            60.0,
        ),
        (lambda: session.parse_value(session.list_options()["Hash"], "64"), 64),
    ],
)
def test_what_is_returned(call: Callable[[], object], found: object) -> None:
    assert call() == found


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: arguments.read_json('{"N": 320, "N": 300}'),
            ValueError,
            "the key 'N' is there twice",
        ),
        (
            lambda: arguments.check_method("heap", ("table", "list")),
            ValueError,
            "method must be 'table' or 'list', not 'heap'",
        ),
        (
            lambda: arguments.check_flag("captures", "quiescence"),
            TypeError,
            "quiescence must be True or False, not str 'captures'",
        ),
        (
            lambda: arguments.check_quiescence("checks"),
            ValueError,
            "quiescence must be 'captures' or None, not 'checks'",
        ),
        (
            lambda: arguments.check_order("mvvlva"),
            ValueError,
            "order must be one of generated, captures_first, mvv_lva, see, history, killers, "
            "hash_move, random, best, worst, or several joined by '+', not 'mvvlva'",
        ),
        (
            lambda: conditions.order_of(sorted, with_data=True),
            TypeError,
            "order must be a str such as 'mvv_lva' or 'hash_move+killers', not "
            "builtin_function_or_method <built-in function sorted>: functions are for "
            "betacut.reference",
        ),
        (
            lambda: arguments.check_evaluation_score(0.5),
            TypeError,
            "evaluation must return an int (centipawns, White's view), not float 0.5",
        ),
        (
            lambda: arguments.check_sss_cache(object(), "list", transpositions=True),
            ValueError,
            "cache needs method='table' and transpositions=True, not method='list'",
        ),
        (
            lambda: arguments.as_board("8/8/8/8/8/2k5/2p5/8 w - -"),
            InvalidPositionError,
            "invalid position: NO_WHITE_KING; FEN 8/8/8/8/8/2k5/2p5/8 w - - 0 1",
        ),
        (
            lambda: arguments.check_status(halfmove_clock(-1)),
            InvalidPositionError,
            "invalid position: halfmove_clock must be an int from 0 to 1073741823, not int -1",
        ),
        (
            lambda: list(arguments.bounded(itertools.repeat(1), "depths", 100)),
            ValueError,
            "depths must have 100 members at most",
        ),
        (
            lambda: arguments.check_move(chess.Board(), chess.Move.from_uci("e2e5")),
            ValueError,
            f"illegal move e2e5 in {chess.STARTING_FEN}",
        ),
        (
            lambda: arguments.check_move(chess.Board(), chess.Move(12, 99)),
            ValueError,
            "move.to_square must be an int from 0 (a1) to 63 (h8), not int 99",
        ),
        (
            lambda: arguments.check_root_moves(chess.Board(MATED), [chess.Move.from_uci("a1b1")]),
            ValueError,
            f"illegal root move a1b1 in {MATED}; legal are: a1a2",
        ),
        (
            lambda: arguments.check_depth(0),
            ValueError,
            "depth must be between 1 and 100 plies, not 0",
        ),
        (
            lambda: arguments.check_window(10, 10),
            ValueError,
            "alpha must be less than beta, not alpha=10, beta=10",
        ),
        (
            lambda: limits.check_limit(chess.engine.Limit(nodes=0), chess.WHITE),
            ValueError,
            "limit.nodes must be an int of 1 or more, or None, not 0",
        ),
    ],
)
def test_what_is_said(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message
