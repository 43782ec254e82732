"""What a search returns, and what it can be turned into."""

from __future__ import annotations

import dataclasses
import json
import pickle
from typing import Any

import chess
import pytest
from chess.engine import Cp, Mate, MateGiven, PovScore

from betacut import reference
from betacut.results import Iteration, SearchResult, Statistics

D4 = chess.Move.from_uci("d2d4")
E4 = chess.Move.from_uci("e2e4")
E5 = chess.Move.from_uci("e7e5")


def result_with(**changes: object) -> SearchResult:
    """Make up a result for the starting position."""
    fields: dict[str, Any] = {
        "algorithm": "minimax",
        "score": 40,
        "best_moves": (D4, E4),
        "pv": (E4, E5),
        "depth": 2,
        "statistics": Statistics({"max_value": 12_000, "min_value": 345}, {"max_value": 1}),
        "position": chess.Board(),
        "move": E4,
    }
    return SearchResult(**{**fields, **changes})


# Statistics.


def test_nodes_leave_out_cache_questions() -> None:
    counts = Statistics(
        {"alpha_beta_max": 3, "alpha_beta_min": 4, "quiesce_max": 5, "evaluate": 100}, {}
    )
    assert counts.nodes == 12


def test_only_functions_that_were_called() -> None:
    counts = Statistics({"max_value": 3, "min_value": 0}, {"evaluate": 0})
    assert counts.calls == {"max_value": 3}
    assert counts.root_calls == {}


def test_rates() -> None:
    counts = Statistics({"max_value": 10}, {}, cutoffs=4, first_move_cutoffs=3, seconds=0.5)
    assert counts.first_move_cutoff_rate == 0.75
    assert counts.nodes_per_second == 20.0
    nothing = Statistics({}, {})
    assert nothing.first_move_cutoff_rate == 0.0
    assert nothing.nodes_per_second == 0.0


def test_statistics_are_equal_whatever_the_time() -> None:
    counts = Statistics({"max_value": 10}, {}, seconds=0.5)
    assert counts == Statistics({"max_value": 10}, {}, seconds=1.5)
    assert counts != Statistics({"max_value": 11}, {}, seconds=0.5)
    assert hash(counts) == hash(Statistics({"max_value": 10}, {}, seconds=1.5))


def test_statistics_as_dict() -> None:
    iteration = Iteration(depth=1, score=40, cache_size=21, calls={"max_value": 1})
    counts = Statistics(
        {"max_value": 10}, {"max_value": 1}, iterations=(iteration,), best_moves_recalculated=True
    )
    written = json.loads(json.dumps(counts.as_dict()))
    assert written == counts.as_dict()
    fields = {field.name for field in dataclasses.fields(Statistics)}
    figures = {"nodes", "nodes_per_second", "first_move_cutoff_rate"}
    assert set(written) == fields | figures
    assert written["iterations"] == [
        {"depth": 1, "score": 40, "cache_size": 21, "calls": {"max_value": 1}}
    ]


def test_statistics_are_immutable() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Statistics({}, {}).leaves = 3  # type: ignore[misc]


# SearchResult as a value.


def test_unpacking() -> None:
    score, move = result_with()
    assert score == 40
    assert move == E4


def test_the_move_is_the_first_best_move() -> None:
    assert result_with(move=None).move == D4
    assert result_with(move=None, best_moves=()).move is None


def test_immutable() -> None:
    result = result_with()
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.score = 3  # type: ignore[misc]
    assert not hasattr(result, "__dict__")


@pytest.mark.parametrize(
    "change",
    [
        {"score": 41},
        {"best_moves": (E4, D4)},
        {"move": D4},
        {"pv": (E4,)},
        {"depth": 3},
        {"statistics": Statistics({"max_value": 1}, {})},
    ],
)
def test_what_equality_looks_at(change: dict[str, Any]) -> None:
    assert result_with() != result_with(**change)


def test_what_equality_does_not_look_at() -> None:
    counts = result_with().statistics
    slower = dataclasses.replace(counts, seconds=9.0)
    other = result_with(algorithm="minimax_no_memo", statistics=slower)
    assert result_with() == other
    assert hash(result_with()) == hash(other)


def test_equal_searches_have_equal_results() -> None:
    first = reference.alpha_beta_pruning(chess.Board(), 2)
    assert first == reference.alpha_beta_pruning(chess.Board(), 2)
    assert first != reference.minimax(chess.Board(), 2)


def test_board_is_new_each_time() -> None:
    board = chess.Board()
    board.push(E4)
    result = reference.alpha_beta_pruning(board, 1)
    assert result.board == board
    assert result.board.move_stack == []
    result.board.push(E5)
    board.push(E5)
    assert result.board.turn == chess.BLACK


def test_board_keeps_the_en_passant_square() -> None:
    fen = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"  # the capture is illegal
    assert reference.alpha_beta_pruning(fen, 1).board.fen(en_passant="fen") == fen


def test_pickle() -> None:
    result = reference.iterative_deepening(chess.Board(), 2)
    copy = pickle.loads(pickle.dumps(result))
    assert copy == result
    assert copy.algorithm == result.algorithm
    assert copy.board == result.board


# Other forms.


def test_repr() -> None:
    assert repr(result_with()) == (
        "SearchResult(score=+40, move=e4, best_moves=[d4, e4], depth=2, nodes=12,345, "
        "algorithm='minimax')"
    )
    mate = reference.minimax_no_memo("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 3)
    assert repr(mate) == (
        "SearchResult(score=+100003, move=None, best_moves=[], depth=3, nodes=1, "
        "algorithm='minimax_no_memo')"
    )
    assert repr(result_with(score=0)).startswith("SearchResult(score=+0, ")
    assert repr(result_with(score=-5)).startswith("SearchResult(score=-5, ")


def test_to_dict() -> None:
    written = json.loads(json.dumps(result_with().to_dict()))
    assert written.pop("statistics")["nodes"] == 12_345
    assert written == {
        "score": 40,
        "move": "e2e4",
        "best_moves": ["d2d4", "e2e4"],
        "best_moves_san": ["d4", "e4"],
        "pv": ["e2e4", "e7e5"],
        "pv_san": ["e4", "e5"],
        "depth": 2,
        "complete": True,
        "lines": [{"move": "d2d4", "score": 40}, {"move": "e2e4", "score": 40}],
        "algorithm": "minimax",
        "fen": chess.STARTING_FEN,
    }
    assert result_with(best_moves=(), pv=(), move=None).to_dict()["move"] is None


def test_info() -> None:
    counts = Statistics({"max_value": 10, "evaluate": 5}, {}, seconds=0.5)
    info = result_with(statistics=counts).info()
    assert info == {
        "score": PovScore(Cp(40), chess.WHITE),
        "pv": [E4, E5],
        "depth": 2,
        "nodes": 10,
        "time": 0.5,
        "nps": 20,
    }


def test_html() -> None:
    page = result_with(algorithm="<b>")._repr_html_()
    assert page.count("<svg") == 1
    assert page.count('class="arrow"') == 4  # two arrows, each a line and a head
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "12,345" in page
    # Nothing is fetched from elsewhere.
    for attribute in ("src=", "url(", "@import", 'href="http'):
        assert attribute not in page


def test_html_without_a_move() -> None:
    page = result_with(best_moves=(), pv=(), move=None)._repr_html_()
    assert 'class="arrow"' not in page
    assert "none" in page


# Scores in the words of python-chess.


def pov_score(fen: str, depth: int, name: str = "alpha_beta_pruning") -> PovScore:
    """Search, and return the score from the view of the side to move."""
    result: SearchResult = getattr(reference, name)(fen, depth)
    return result.pov_score


def test_centipawns_for_the_side_to_move() -> None:
    result = result_with(score=-30, position=chess.Board("k7/8/8/8/8/8/8/K6R b - - 0 1"))
    assert result.pov_score.turn == chess.BLACK
    assert result.pov_score.relative == Cp(30)
    assert result.pov_score.white() == Cp(-30)


MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
MATE_IN_TWO = "7k/8/8/8/8/8/RR6/K7 w - - 0 1"
MATED_IN_ONE = "7k/8/8/3K4/8/6R1/5R2/8 b - - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("name", list(reference.ALGORITHMS))
def test_mate_in_one(name: str, depth: int) -> None:
    assert pov_score(MATE_IN_ONE, depth, name) == PovScore(Mate(1), chess.WHITE)
    mirrored = chess.Board(MATE_IN_ONE).mirror().fen()
    score = pov_score(mirrored, depth, name)
    assert score.turn == chess.BLACK
    assert score.relative == Mate(1)
    assert score.white() == Mate(-1)


@pytest.mark.parametrize("name", list(reference.ALGORITHMS))
def test_mate_in_two(name: str) -> None:
    assert pov_score(MATE_IN_TWO, 3, name).relative == Mate(2)


@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize("name", list(reference.ALGORITHMS))
def test_mated_in_one(name: str, depth: int) -> None:
    score = pov_score(MATED_IN_ONE, depth, name)
    assert score.turn == chess.BLACK
    assert score.relative == Mate(-1)


@pytest.mark.parametrize("name", list(reference.ALGORITHMS))
def test_mated_already(name: str) -> None:
    score = pov_score(MATED, 3, name)
    assert score.relative == Mate(-0)
    assert score.white() == MateGiven


def test_mate_found_by_quiescence_alone() -> None:
    """Depth 2 ends with White to move; the mating move is one ply further."""
    result = reference.iterative_deepening(MATE_IN_TWO, 2)
    assert (result.score, result.depth) == (reference.MATE, 2)
    assert result.pov_score.relative == Mate(2)
    direct = reference.quiesce_max(MATE_IN_ONE)
    assert direct.score == reference.MATE
    assert direct.pov_score.relative == Mate(1)


def test_the_bound_of_a_window_is_not_a_mate() -> None:
    result = reference.alpha_beta_max(chess.Board(), 1, alpha=150_000)
    assert result.score == 150_000
    assert result.pov_score.relative == Cp(150_000)
