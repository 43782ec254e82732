"""What a search returns, and what it can be turned into."""

import copy
import dataclasses
import json
import pickle
import random
import re
from typing import Any

import chess
import pytest
from chess.engine import Cp, Mate, PovScore

from betacut import engine, reference
from betacut.results import Iteration, Line, ResultList, SearchResult, Statistics

D4 = chess.Move.from_uci("d2d4")
E4 = chess.Move.from_uci("e2e4")
E5 = chess.Move.from_uci("e7e5")
ANY_MOVE = "8/5k2/8/8/8/2R5/3K4/8 w - - 99 80"


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


def test_counts_and_rates() -> None:
    """Questions to a cache are no nodes; what was not called is left out."""
    calls = {"alpha_beta_max": 3, "alpha_beta_min": 4, "quiesce_max": 5, "evaluate": 100}
    assert Statistics(calls, {}).nodes == 12
    counts = Statistics({"max_value": 3, "min_value": 0}, {"evaluate": 0})
    assert (counts.calls, counts.root_calls) == ({"max_value": 3}, {})
    counts = Statistics({"max_value": 10}, {}, cutoffs=4, first_move_cutoffs=3, seconds=0.5)
    assert counts.first_move_cutoff_rate == 0.75
    assert counts.nodes_per_second == 20.0
    nothing = Statistics({}, {})
    assert (nothing.first_move_cutoff_rate, nothing.nodes_per_second) == (0.0, 0.0)


def test_statistics_are_equal_whatever_the_time() -> None:
    counts, slower = (Statistics({"max_value": 10}, {}, seconds=time) for time in (0.5, 1.5))
    assert (counts, hash(counts)) == (slower, hash(slower))
    assert counts != Statistics({"max_value": 11}, {}, seconds=0.5)


def test_statistics_as_dict() -> None:
    iteration = Iteration(depth=1, score=40, cache_size=21, calls={"max_value": 1})
    told: Any = {"iterations": (iteration,), "best_moves_recalculated": True}
    counts = Statistics({"max_value": 10}, {"max_value": 1}, **told)
    written = json.loads(json.dumps(counts.as_dict()))
    assert written == counts.as_dict()
    fields = {field.name for field in dataclasses.fields(Statistics)}
    assert set(written) == fields | {"nodes", "nodes_per_second", "first_move_cutoff_rate"}
    expected = {"depth": 1, "score": 40, "cache_size": 21, "calls": {"max_value": 1}}
    assert written["iterations"] == [expected]


def test_the_move_is_the_first_best_move() -> None:
    assert result_with(move=None).move == D4
    assert result_with(move=None, best_moves=()).move is None


def test_immutable() -> None:
    result = result_with()
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.score = 3  # type: ignore[misc]
    assert not hasattr(result, "__dict__")
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.statistics.leaves = 3  # type: ignore[misc]
    board = chess.Board()
    kept = result_with(position=board)
    board.push_san("e4")
    assert (kept.board, repr(kept)) == (chess.Board(), repr(result))


def test_counts_cannot_be_changed() -> None:
    result = engine.mtd_f("P5", 2)
    expected = {**result.statistics.calls}
    changes = """calls["x"] = 1; calls["evaluate"] = 0; del calls["evaluate"]; calls |= {"x": 1}
        calls.clear(); calls.pop("evaluate"); calls.popitem(); calls.setdefault("x", 1)
        calls.update(x=1)""".replace("\n", ";")
    statistics = result.statistics
    for counts in (statistics.calls, statistics.root_calls, statistics.iterations[0].calls):
        for change in changes.split(";"):
            with pytest.raises(TypeError, match=r"^the counts of a search cannot be changed; "):
                exec(change.strip(), {"calls": counts})
    calls: Any = statistics.calls
    assert calls == expected
    assert (repr(calls), json.dumps(calls)) == (repr(expected), json.dumps(expected))
    for again in (pickle.loads(pickle.dumps(calls)), copy.copy(calls), copy.deepcopy(calls)):
        assert (again, type(again)) == (calls, type(calls))
    for own in (calls.copy(), dict(calls), statistics.iterations[0].as_dict()["calls"]):
        own["x"] = 1


def test_what_equality_looks_at() -> None:
    result = result_with()
    for name, value in {
        "score": 41,
        "best_moves": (E4, D4),
        "move": D4,
        "pv": (E4,),
        "depth": 3,
        "statistics": Statistics({"max_value": 1}, {}),
    }.items():
        assert result != result_with(**{name: value}), name
    slower = dataclasses.replace(result.statistics, seconds=9.0)
    other = result_with(algorithm="minimax_no_memo", statistics=slower)
    assert result == other
    assert hash(result) == hash(other)
    first, again = (reference.alpha_beta_pruning(chess.Board(), 2) for _ in range(2))
    assert first == again != reference.minimax(chess.Board(), 2)


def test_board_is_new_each_time() -> None:
    board = chess.Board()
    board.push(E4)
    result = reference.alpha_beta_pruning(board, 1)
    assert result.board == board
    assert result.board.move_stack == []
    result.board.push(E5)
    board.push(E5)
    assert result.board.turn == chess.BLACK
    # The en passant square stays.
    fen = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"  # the capture is illegal
    assert reference.alpha_beta_pruning(fen, 1).board.fen(en_passant="fen") == fen


def test_pickle() -> None:
    result = reference.iterative_deepening(chess.Board(), 2)
    copy = pickle.loads(pickle.dumps(result))
    assert (copy, copy.algorithm, copy.board) == (result, result.algorithm, result.board)


def test_repr() -> None:
    assert repr(result_with()) == (
        "SearchResult(score=+40, move=e4, best_moves=[d4, e4], depth=2, nodes=12,345, "
        "algorithm='minimax')"
    )
    mate = reference.minimax_no_memo("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 3)
    assert repr(mate) == (
        "SearchResult(score=Black is checkmated, move=None, best_moves=[], depth=3, nodes=1, "
        "algorithm='minimax_no_memo')"
    )


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
    found = {"score": PovScore(Cp(40), chess.WHITE), "pv": [E4, E5], "depth": 2}
    assert result_with(statistics=counts).info() == {**found, "nodes": 10, "time": 0.5, "nps": 20}


def test_html() -> None:
    page = result_with(algorithm="<b>")._repr_html_()
    assert (page.count("<svg"), arrows(page)) == (1, 2)
    assert "&lt;b&gt;" in page
    assert "12,345" in page
    # Nothing is fetched from elsewhere.
    for text in ("<b>", "src=", "url(", "@import", 'href="http'):
        assert text not in page
    page = result_with(best_moves=(), pv=(), move=None)._repr_html_()
    assert arrows(page) == 0
    assert "none" in page


def arrows(page: str) -> int:
    """Count the arrows of a picture."""
    return page.count('class="arrow"')


def test_html_without_zeros() -> None:
    """A count that is zero has no row."""
    page = result_with()._repr_html_()
    for name in ("leaves", "cutoffs", "cache", "repetitions", "time"):
        assert f">{name}" not in page
    counts = Statistics({"max_value": 7}, {}, leaves=3, cutoffs=2, cache_lookups=5, seconds=0.5)
    page = result_with(statistics=counts)._repr_html_()
    for text in (">leaves<", ">cutoffs<", "2, 0% by the first move", "0 of 5 lookups", "0.500 s"):
        assert text in page


def test_many_best_moves() -> None:
    """21 moves are as good: four arrows, four names, and the others where one looks for them."""
    result = reference.minimax(ANY_MOVE, 1)
    assert len(result.best_moves) == 21
    page = result._repr_html_()
    assert arrows(page) == 4
    assert "Ra3 Rb3 Rc8 Rc7+ and 17 more" in page
    assert "all 21 best moves" in page
    names = [result.board.san(move) for move in result.best_moves]
    assert " ".join(names) in page
    assert f"best_moves=[{', '.join(names[:8])}, and 13 more]" in repr(result)
    text = str(result).splitlines()
    assert len(text) == 11
    assert text[1].split() == ["+0", "80.", "Ra3"]
    assert text[-2].strip() == "and 13 more"
    assert arrows(result.show(arrows=0)) == 0
    assert arrows(result.show(arrows=100)) == 21
    drawn = reference.minimax(ANY_MOVE, 1, rng=random.Random(1))
    assert drawn.move not in drawn.best_moves[:4]
    assert arrows(drawn._repr_html_()) == 5


def test_the_board_can_be_turned() -> None:
    """Which way it stands is seen by where the arrow of d2d4 begins: below, or above."""
    result = result_with(best_moves=(D4,), move=D4)
    white, black = result.show(), result.show(flipped=True)
    assert str(white) == white._repr_html_() == result._repr_html_()
    begin = re.compile(r'class="arrow" points="[0-9.]+,([0-9.]+) ')
    start, turned = (float(begin.findall(page)[0]) for page in (white, black))
    assert start > 200 > turned
    assert 'width="500"' in result.show(size=500)
    assert repr(white) == f"<HTML of {len(white):,} characters>"


def test_str_has_the_lines() -> None:
    result = engine.search("P2", 3, multipv=3)
    text = str(result).splitlines()
    assert text[0] == f"search, depth 3: {result.score:+d}"
    shown = [f"{line.score:+d} 3...{result.board.san(line.move)}" for line in result.lines]
    assert [" ".join(row.split()) for row in text[1:4]] == shown
    assert text[4].startswith(f"{result.statistics.nodes:,} nodes")
    whole = result.board.variation_san(result.pv)  # searched for now, and known from here on
    assert whole.startswith(f"3...{result.board.san(result.lines[0].move)} ")
    assert str(result).splitlines()[1].endswith(f"  {whole}")
    assert "(the last one completed)" in str(engine.search("P2", 9, nodes=2000))


def test_html_has_the_lines() -> None:
    result = engine.search("P2", 3, multipv="all")
    page = result._repr_html_()
    assert arrows(page) == 4
    for line in result.lines:
        assert f">{line.score:+d}</td>" in page
        assert f">{result.board.san(line.move)}</td>" in page
    assert f"and {len(result.lines) - 8} more" in page
    assert f"and {len(result.lines) - 8} more" in re.sub("<.*?>", " ", result.to_svg())
    lines = pickle.loads(pickle.dumps(result.lines))
    assert lines == result.lines == tuple(result.lines)
    assert lines._repr_html_() == result.lines._repr_html_()
    assert lines._repr_html_().count("<tr") == len(lines) + 1


def test_repr_of_counts() -> None:
    depths = (Iteration(1, -40, 21, {"max_value": 1}), Iteration(3, 100_000, 0, {}))
    counts = Statistics({"max_value": 1200, "evaluate": 3}, {}, cutoffs=5, iterations=depths)
    assert repr(counts) == (
        "Statistics(nodes=1,200, calls={max_value: 1,200, evaluate: 3}, cutoffs=5, "
        "iterations=[depth 1, 3])"
    )
    assert repr(counts.iterations) == (
        "(Iteration(depth=1, score=-40, nodes=1, cache_size=21), "
        "Iteration(depth=3, score=White mates, nodes=0))"
    )
    page = counts._repr_html_()
    for text in ("calls of max_value", ">1,200<", ">White mates<", ">-40<", ">cache size<"):
        assert text in page
    assert "leaves" not in page
    assert repr(Statistics({}, {})) == "Statistics(nodes=0)"


def test_list_of_results() -> None:
    """It is a list for everything, and shows what is in it."""
    results = engine.search_many(["P1", MATE_IN_TWO, "kiwipet"], 3, on_error="return")
    assert isinstance(results, list)
    assert results == list(results)
    for other in (results[:2], results[::-1], copy.copy(results)):
        assert type(other) is ResultList
    assert pickle.loads(pickle.dumps(results[:2])) == results[:2]
    text = repr(results).splitlines()
    assert text[:3] == [
        "ResultList of 3:",
        "  [0]  depth 3              +150  1. Nc3",
        "  [1]  depth 3  White mates in 2  1. Ra7",
    ]
    assert text[3].split()[:2] == ["[2]", "InvalidPositionError:"]
    page = results._repr_html_()
    for part in (">White mates in 2<", ">1. Ra7<", MATE_IN_TWO, "did you mean"):
        assert part in page
    long = ResultList(results[:1] * 25)
    assert len(repr(long).splitlines()) == 22
    assert repr(long).endswith("and 5 more")
    assert "and 5 more" in long._repr_html_()
    assert repr(ResultList[SearchResult]()) == "ResultList of 0"


def test_centipawns_for_the_side_to_move() -> None:
    result = result_with(score=-30, position=chess.Board("k7/8/8/8/8/8/8/K6R b - - 0 1"))
    assert result.pov_score == PovScore(Cp(30), chess.BLACK)
    assert result.pov_score.white() == Cp(-30)


MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
MATE_IN_TWO = "7k/8/8/8/8/8/RR6/K7 w - - 0 1"
MATED_IN_ONE = "7k/8/8/3K4/8/6R1/5R2/8 b - - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"


@pytest.mark.sampled(4, every=["name", "fen"])
@pytest.mark.parametrize("name", reference.ALGORITHMS)
@pytest.mark.parametrize(
    ("fen", "depth", "mate"),
    [
        *((MATE_IN_ONE, depth, Mate(1)) for depth in (1, 2, 3)),
        (MATE_IN_TWO, 3, Mate(2)),
        *((MATED_IN_ONE, depth, Mate(-1)) for depth in (2, 3)),
        (MATED, 3, Mate(-0)),
    ],
)
def test_mates(name: str, fen: str, depth: int, mate: Mate) -> None:
    boards = [chess.Board(fen), chess.Board(fen).mirror()]
    for board in boards[: 1 + (fen == MATE_IN_ONE)]:
        result: SearchResult = reference.ALGORITHMS[name](board, depth)
        assert result.pov_score == PovScore(mate, board.turn)
        assert result.pov_score.white() == (mate if board.turn else -mate)


def test_mate_found_by_quiescence_alone() -> None:
    """Depth 2 ends with White to move; the mating move is one ply further."""
    result = reference.iterative_deepening(MATE_IN_TWO, 2)
    assert (result.score, result.depth) == (reference.MATE, 2)
    assert result.pov_score.relative == Mate(2)
    assert result.score_text == "White mates in at most 2"
    lines = [(line.pov_score.relative, line.horizon) for line in result.lines]
    assert lines == [(Mate(2), 3)] * 2
    direct = reference.quiesce_max(MATE_IN_ONE)
    assert (direct.score, direct.pov_score.relative) == (reference.MATE, Mate(1))


def test_the_bound_of_a_window_is_not_a_mate() -> None:
    result = reference.alpha_beta_max(chess.Board(), 1, alpha=150_000)
    assert (result.score, result.score_text) == (150_000, "+150000")
    assert result.pov_score.relative == Cp(150_000)


SELECTIVE = frozenset({"null_move", "late_move_reductions"})
"""The searches that prove nothing, and miss mates that there are."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [name for name in reference.ALGORITHMS if name not in SELECTIVE])
def test_mates_in_words(name: str) -> None:
    """Mates are said by colour, whichever side is to move."""
    mates = f"mates in {'at most ' * (name == 'iterative_deepening')}2"
    search = getattr(reference, name)
    board = chess.Board(MATE_IN_TWO)
    for result, side in ((search(board.mirror(), 3), "Black"), (search(board, 3), "White")):
        assert result.score_text == f"{side} {mates}"
        assert {line.score_text for line in result.lines} == {f"{side} {mates}"}
        assert all(line.pov_score == result.pov_score for line in result.lines)
    assert search(MATED_IN_ONE, 2).score_text == "White mates in 1"
    assert search(MATED, 2).score_text == "Black is checkmated"
    assert search(chess.Board(MATED).mirror(), 2).score_text == "White is checkmated"
    for text in (repr(result), str(result), result._repr_html_()):
        assert mates in text
        assert "100000" not in text


def test_numbers_in_words() -> None:
    assert [result_with(score=score).score_text for score in (40, 0, -5)] == ["+40", "+0", "-5"]
    assert Line(-100_001, D4, 3, chess.WHITE).score_text == "Black mates in 1"


def test_a_result_is_a_pair() -> None:
    result = result_with()
    assert (len(result), result[0], result[-1], result[:]) == (2, 40, E4, (40, E4))
    assert (E4 in result, result.index(E4), list(reversed(result))) == (True, 1, [E4, 40])
    assert result != (40, E4)
    with pytest.raises(IndexError):
        result[2]  # type: ignore[misc]
