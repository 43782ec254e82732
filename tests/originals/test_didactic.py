"""The didactic engines: published figures, a second implementation, laws, and rough treatment."""

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any
from unittest.mock import Mock

import chess
import chess.polyglot
import pytest
from chess.engine import Cp, Mate, MateGiven, PlayResult, PovScore
from hypothesis import given
from hypothesis import strategies as st

from betacut import OriginalCrashError
from betacut.originals import didactic
from betacut.originals.didactic.engines import book_move
from betacut.originals.didactic.results import score_of
from betacut.originals.didactic.suite import PUBLISHED as PUBLISHED_SOLVED
from betacut.originals.didactic.trees import PUBLISHED as PUBLISHED_TREES
from betacut.originals.parity.krk import RookEndgame
from betacut.originals.twins.didactic import DidacticTwin, captured, check_endgame
from support import originals_records
from support.boards import FINISHED, examples, sparse, standard_boards
from support.commands import invoke

SHUFFLING = list(didactic.ALGORITHMS)[:6]
"""The engines that analyse, and shuffle."""

PLAYING = list(didactic.ALGORITHMS)[6:]
"""The engines that search the root as a whole, or analyse."""


@pytest.mark.parametrize(("name", "see"), PUBLISHED_TREES)
def test_published_tree_counts(name: str, see: bool | None) -> None:
    """What is printed of the nodes of quiescence was a slip; the true figures are here."""
    nodes, printed = PUBLISHED_TREES[name, see]
    count = didactic.tree_count(name, use_static_exchange_evaluation=see)
    assert count.nodes_visited == nodes
    assert printed in (None, count.quiesce_nodes_as_printed)
    true = {"prototype_v1": 23489, "move_ordering": 16132}
    true["quiescence_move_ordering"] = 14649 if see else 8065
    assert true.get(name, count.quiesce_nodes) == count.quiesce_nodes


SOLVED = [
    (name, see, depth)
    for (name, see), published in PUBLISHED_SOLVED.items()
    for depth in range(1, min(len(published), 4 if name != "quiescence" else 3) + 1)
]


@pytest.mark.sampled(3, every="name")
@pytest.mark.parametrize(("name", "see", "depth"), SOLVED)
def test_published_bratko_kopec_scores(name: str, see: bool | None, depth: int) -> None:
    """Depth 5, and quiescence at depth 4, take too long here: `betacut didactic bratko-kopec`."""
    published = PUBLISHED_SOLVED[name, see][depth - 1]
    options = {} if see is None else {"use_static_exchange_evaluation": see}
    report = didactic.bratko_kopec(name, depth, **options)
    if (name, depth) == ("incremental_iterative_alpha_beta_cached", 1):
        # The published run follows another rule for the endgame in BK.08.
        assert (published, report.solved) == (1, 2)
        assert report.attempts[7].solved
        return
    assert report.solved_always <= published <= report.solved_with_luck
    assert report.solved_always <= report.solved <= report.solved_with_luck
    if name == "prototype_v2":
        assert report.solved == published


MATES = [
    (
        "3k4/6R1/8/4R3/8/8/8/7K w - - 0 1",
        Mate(3),
        {f"g7{file}7" for file in "hfba"}
        | {f"e5e{rank}" for rank in "764321"}
        | {"e5c5", "h1h2", "h1g2", "h1g1"},
    ),
    ("2q3k1/2p1npp1/8/3N4/8/8/2Q4R/1B4K1 w - - 0 1", Mate(3), {"h2h8"}),
    ("R1q3k1/2p1npp1/4P3/3N4/8/8/2Q5/1B4K1 w - - 0 1", Mate(5), {"a8c8", "c2h7"}),
    ("2k5/8/2K2R2/8/8/8/8/8 b - - 0 1", Mate(6), {"c8b8"}),
]


@pytest.mark.parametrize(("fen", "mate", "moves"), MATES)
def test_published_mates(fen: str, mate: Mate, moves: set[str]) -> None:
    score, move = didactic.prototype_v2(fen, 6)
    assert score == mate
    assert move.uci() in moves


@pytest.mark.parametrize(
    ("fen", "move", "value"),
    [
        ("6k1/6b1/8/4p3/3P4/8/8/1K4R1 w - - 0 1", "d4e5", 100),
        ("6k1/6b1/5p2/4q3/3P4/8/8/1K2Q3 w - - 0 1", "d4e5", 800),
    ],
)
def test_published_exchanges(fen: str, move: str, value: int) -> None:
    assert didactic.see_capture(fen, chess.Move.from_uci(move)) == value


def test_published_evaluations() -> None:
    shirov = "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 1"
    vladimirov = "r4k1r/1b2bPR1/p4n2/3p4/4P2P/1q2B2B/PpP5/1K4R1 w - - 0 1"
    assert didactic.standard_evaluator.heuristic(shirov).relative == Cp(2)
    assert didactic.standard_evaluator.heuristic(vladimirov).relative == Cp(-10)


def check(board: chess.Board, name: str, depth: int, **options: Any) -> None:  # noqa: ANN401
    twin = DidacticTwin(
        name,
        see=options.get("use_static_exchange_evaluation", True),
        simplified=options.get("evaluator") is didactic.simplified_evaluator,
        tablebase=options.get("tablebase"),
    )
    sign = 1 if board.turn == chess.WHITE else -1
    searches = options.pop("analyse", name in SHUFFLING)
    if name in PLAYING:
        options["analyse"] = searches
    result = didactic.ALGORITHMS[name](board, depth, **options)
    if searches:
        scores = twin.analyse(board.copy(), depth)
        expected = {move: score_of(sign * value) for move, value in scores.items()}
        assert {one.move: one.score for one in result.scores} == expected
        best = max(scores.values(), default=None)
        moves = [move for move, value in scores.items() if value == best]
    else:
        value, moves = twin.play(board.copy(), depth)
        assert result.score == score_of(sign * value)
    assert list(result.best_moves) == moves
    assert result.move == (moves[0] if moves else None)
    assert dict(result.counts) == {name: n for name, n in twin.counts.items() if n}
    if result.cache_types is not None:
        assert dict(result.cache_types) == twin.cache_types()


def depth_for(board: chess.Board) -> int:
    return 3 if board.legal_moves.count() <= 8 else 2


@given(board=standard_boards(), name=st.sampled_from(SHUFFLING[:4]), simplified=st.booleans())
@examples(3)
def test_engines_with_an_evaluator(board: chess.Board, name: str, simplified: bool) -> None:
    evaluator = didactic.simplified_evaluator if simplified else didactic.standard_evaluator
    check(board, name, 2, evaluator=evaluator)


@given(board=standard_boards(), name=st.sampled_from(SHUFFLING[4:]))
@examples(2)
def test_engines_that_start_anew(board: chess.Board, name: str) -> None:
    check(board, name, 2)


@given(board=standard_boards(), name=st.sampled_from(PLAYING[:2]), analyse=st.booleans())
@examples(1, exhaustive=2)
def test_prototype_v1_and_move_ordering(board: chess.Board, name: str, analyse: bool) -> None:
    check(board, name, 2 if analyse else depth_for(board), analyse=analyse)


@given(
    board=standard_boards(),
    name=st.sampled_from(PLAYING[2:]),
    see=st.booleans(),
    analyse=st.booleans(),
)
@examples(2)
def test_engines_sort_captures(board: chess.Board, name: str, see: bool, analyse: bool) -> None:
    options = {"use_static_exchange_evaluation": see, "analyse": analyse}
    try:
        check(board, name, 2 if analyse else depth_for(board), **options)
    except OriginalCrashError:
        # The twin goes on where the original crashes: a promotion by capture beside a mate.
        assert board.pawns
        assert name != "prototype_v2"


@given(board=sparse("R", max_pieces=1), depth=st.integers(1, 3))
@examples(1)
def test_the_tablebase(board: chess.Board, depth: int) -> None:
    options = {"tablebase": RookEndgame(), "use_static_exchange_evaluation": False}
    check(board, "prototype_v2", depth, **options)


@given(board=standard_boards())
@examples(2)
def test_exchanges(board: chess.Board) -> None:
    twin = DidacticTwin("quiescence")
    for move in board.generate_legal_captures():
        assert didactic.see_capture(board, move) == twin.see_capture(board, move)
        optimized = didactic.see_capture(board, move, optimized=True)
        assert optimized == twin.optimized_see_capture(board, move)


@given(board=standard_boards(), alpha=st.integers(-1500, 1500), stand_pat=st.integers(-900, 900))
@examples(2)
def test_the_captures_of_quiescence(board: chess.Board, alpha: int, stand_pat: int) -> None:
    """Filtered and sorted as in the twin, in each of the three ways."""
    captures = list(board.generate_legal_captures())
    for optimized, see in ((False, False), (False, True), (True, True)):
        twin = DidacticTwin("optimized_" * optimized + "quiescence_move_ordering", see=see)
        expected = [m for m in captures if twin.is_worth_it(board, m, stand_pat, alpha)]
        expected.sort(key=lambda m: (-captured(board, m), twin.risked(board, m)))
        options = {"use_static_exchange_evaluation": see, "optimized": optimized}
        found = didactic.quiescence_moves(board, stand_pat, alpha, **options)
        assert found == expected
        for move in set(captures) - set(found):
            value = captured(board, move)
            is_delta = didactic.can_delta_prune(stand_pat, alpha, value)
            assert is_delta or value < twin.risked(board, move)


@given(board=standard_boards())
@examples(2)
def test_evaluators(board: chess.Board) -> None:
    twin = DidacticTwin("alpha_beta", simplified=True)
    assert didactic.check_endgame(board) == check_endgame(board)
    assert didactic.simplified_evaluator.heuristic(board).relative == Cp(twin.heuristic(board))
    standard = didactic.standard_evaluator.heuristic(board).relative
    assert standard == Cp(DidacticTwin("alpha_beta").heuristic(board))
    value = twin.evaluate(board)
    found = didactic.standard_evaluator.evaluate(board)
    assert (found and found.relative) == (None if value is None else score_of(value))
    # The incremental evaluator, up and down a line.
    evaluator = didactic.IncrementalPieceSquareEvaluator()
    evaluator.init(board)
    twin.init(board)
    for move in list(board.legal_moves)[-2:]:
        evaluator.push(board, move)
        twin.push(board, move)
        assert evaluator.get_score() == PovScore(Cp(twin.scores[-1]), board.turn)
        twin.pop(board)
        evaluator.pop()
    assert evaluator.get_score().relative == Cp(twin.scores[-1])


@given(board=standard_boards())
@examples(2)
def test_one_value_four_ways(board: chess.Board) -> None:
    minimax = didactic.minimax(board, 2)
    for found in (
        didactic.alpha_beta(board, 2),
        didactic.alpha_beta(board, 2, negamax=False),
        didactic.iterative_alpha_beta(board, 2),
    ):
        assert (found.scores, found.best_moves) == (minimax.scores, minimax.best_moves)
    white, black = (didactic.alpha_beta(board, 2, negamax=one).counts for one in (True, False))
    assert white == black


@given(board=standard_boards(), name=st.sampled_from(list(didactic.ALGORITHMS)))
@examples(2)
def test_a_tree_has_at_most_a_node_for_each_call(board: chess.Board, name: str) -> None:
    try:
        tree = didactic.tree_count(name, board, 2)
        calls = didactic.ALGORITHMS[name](board, 2).counts
    except OriginalCrashError:
        return
    values = calls.get("_value", 0) + calls.get("_zero_width_search", 0)
    quiescence = calls.get("_quiescence", 0)
    assert tree.nodes_visited <= 1 + values + quiescence
    assert tree.quiesce_nodes <= quiescence
    if name == "alpha_beta":
        # Without a memory or depths before the last, a line is a call; the root is not called.
        assert tree.nodes_visited == 1 + values
        assert tree.quiesce_nodes == tree.quiesce_paths_pruned == 0


@pytest.mark.parametrize("name", SHUFFLING)
def test_shuffling_changes_the_order_of_equals_alone(name: str) -> None:
    function = didactic.ALGORITHMS[name]
    first = function(chess.Board(), 2)
    drawn = [function(chess.Board(), 2, rng=random.Random(seed)) for seed in range(8)]
    for one in drawn:
        assert [scored.score for scored in one.scores] == [scored.score for scored in first.scores]
        assert set(one.scores) == set(first.scores)
        assert one.move in first.best_moves
    assert (len({one.move for one in drawn}) > 1) == (len(first.best_moves) > 1)


def test_drawing_among_the_best_moves() -> None:
    board = "8/8/8/8/8/1k6/8/K6R b - - 0 1"
    first = didactic.prototype_v1(board, 1)
    assert first.move == first.best_moves[0]
    drawn = {didactic.prototype_v1(board, 1, rng=random.Random(seed)).move for seed in range(20)}
    assert drawn == set(first.best_moves)


def test_mates_count_plies_in_the_prototypes_only() -> None:
    fen = MATES[1][0]
    assert didactic.prototype_v1(fen, 4).score == Mate(3)
    assert didactic.principal_variation_search(fen, 4).score == Mate(3)
    assert didactic.move_ordering(fen, 4).score == MateGiven
    assert didactic.quiescence(fen, 3).score == MateGiven
    mirrored = chess.Board(fen).mirror()
    assert didactic.prototype_v1(mirrored, 4).score == Mate(-3)
    assert didactic.move_ordering(mirrored, 4).score == Mate(-0)


def test_what_a_result_has() -> None:
    one = didactic.prototype_v1(chess.Board(), 2)
    assert one.cache_size == sum((one.cache_types or {}).values())
    assert (one.scores, one.pov_score.turn) == ((), chess.WHITE)
    assert didactic.minimax(chess.Board(), 1).cache_size is None


def test_scored_moves_are_ordered_by_score() -> None:
    scores = didactic.quiescence(MATES[1][0], 3).scores
    assert list(scores) == sorted(scores, reverse=True)
    assert max(scores).move.uci() == "h2h8"


def engines(rng: random.Random | None = None) -> list[didactic.Engine]:
    evaluator = didactic.standard_evaluator
    incremental = didactic.incremental_simplified_evaluator
    return [
        didactic.RandomEngine(seed=1),
        didactic.EvaluationEngine(evaluator, rng=rng),
        didactic.MiniMaxEngine(evaluator, 2, rng=rng),
        didactic.AlphaBetaEngine(evaluator, 2, rng=rng),
        didactic.AlphaBetaEngine(evaluator, look_ahead_depth=2, negamax=False, rng=rng),
        didactic.IterativeAlphaBeta(evaluator, 2, rng=rng),
        didactic.IterativeAlphaBetaCached(evaluator, max_look_ahead_depth=2, rng=rng),
        didactic.IncrementalIterativeAlphaBetaCached(incremental, 2, rng=rng),
        didactic.QuiescenceEngine(incremental, 2, rng=rng),
        didactic.PrototypeV1Engine(incremental, 2, rng=rng),
        didactic.MoveOrderingEngine(incremental, 2, rng=rng),
        didactic.QuiescenceMoveOrderingEngine(incremental, 2, True, rng=rng),
        didactic.OptimizedQuiescenceMoveOrderingEngine(incremental, 2, True, rng=rng),
        didactic.PrincipalVariationSearch(incremental, 2, rng=rng),
        didactic.PrototypeV2Engine(incremental, 2, use_static_exchange_evaluation=True),
    ]


@pytest.mark.parametrize("index", range(len(engines())))
def test_engines(index: int) -> None:
    board = chess.Board(didactic.MIDDLEGAME)
    engine = engines()[index]
    played = engine.play(board)
    assert isinstance(played, PlayResult)
    assert played.move in list(board.legal_moves)
    scores = engine.analyse(board)
    assert {one.move for one in scores} == set(board.legal_moves)
    if not isinstance(engine, didactic.RandomEngine):
        assert scores == sorted(scores, reverse=True)
    assert engines(random.Random(3))[index].play(board).move in list(board.legal_moves)
    for fen in FINISHED["White is mated"], FINISHED["Black is stalemated"]:
        assert (engine.play(fen).move, engine.analyse(fen)) == (None, [])


def test_what_is_set_holds_for_the_next_search() -> None:
    """As in the original: what an engine is made with are its attributes."""
    board = chess.Board(didactic.MIDDLEGAME)
    for made in engines()[1:]:
        engine: Any = made
        depth = next((name for name in vars(engine) if name.endswith("look_ahead_depth")), None)
        before = engine.search(board)
        if depth is not None:
            setattr(engine, depth, 1)
            assert engine.search(board).depth == 1
        if hasattr(engine, "use_static_exchange_evaluation"):
            assert "_see" in before.counts or not engine.use_static_exchange_evaluation
            engine.use_static_exchange_evaluation = not engine.use_static_exchange_evaluation
            assert ("_see" in engine.search(board).counts) != ("_see" in before.counts)
        engine.rng = 5
        with pytest.raises(TypeError, match="rng"):
            engine.search(board)
        engine.rng, engine.evaluator = None, 5
        with pytest.raises(TypeError, match="evaluator must be"):
            engine.search(board)


def test_a_tree_is_counted_by_what_its_search_takes() -> None:
    for name, options in (
        ("minimax", {"negamax": False}),
        ("move_ordering", {"use_static_exchange_evaluation": True}),
        ("quiescence", {"evaluator": didactic.simplified_evaluator}),
    ):
        with pytest.raises(TypeError, match=f"{name} takes no {next(iter(options))}"):
            didactic.tree_count(name, depth=1, **options)


@pytest.mark.parametrize("name", PLAYING[2:])
def test_exchanges_are_computed_or_not(name: str) -> None:
    """None is for `tree_count` alone."""
    search: Any = didactic.ALGORITHMS[name]
    with pytest.raises(TypeError, match="use_static_exchange_evaluation must be True or False"):
        search(chess.Board(), 1, use_static_exchange_evaluation=None)


def test_only_the_second_prototype_asks_a_tablebase() -> None:
    ending = didactic.IncrementalEndgamePieceSquareEvaluator(RookEndgame())
    for kind in (didactic.QuiescenceEngine, didactic.PrototypeV1Engine):
        with pytest.raises(TypeError, match="evaluator must be an IncrementalPieceSquareEvaluator"):
            kind(ending, 1)


@pytest.mark.parametrize("kind", [didactic.PrototypeV1Engine, didactic.MoveOrderingEngine])
def test_an_engine_refuses_arguments_that_it_has_not(kind: Any) -> None:  # noqa: ANN401
    for arguments in ({"foo": 3}, {"use_static_exchange_evaluation": True}, {"rng": 5}):
        with pytest.raises(TypeError, match=next(iter(arguments))):
            kind(**arguments)


def test_a_game() -> None:
    first, second = engines()[9], engines()[0]
    board = didactic.play_game(chess.Board("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"), first, second)
    assert board.is_game_over()
    start = chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    one = didactic.play_game(start, didactic.RandomEngine(1), didactic.RandomEngine(2))
    other = didactic.play_game(start, didactic.RandomEngine(1), didactic.RandomEngine(2))
    assert (one.move_stack, start.move_stack) == (other.move_stack, [])

    class Lazy(didactic.RandomEngine):
        def play(self, board: chess.Board | str) -> PlayResult:
            return PlayResult(None, None)

    with pytest.raises(ValueError, match="Lazy found no move in"):
        didactic.play_game(start, Lazy(), Lazy())


class Book:
    """An opening book with one position."""

    def __init__(self, entries: list[list[Any]]) -> None:
        self.entries = entries

    def find_all(self, board: chess.Board, minimum_weight: int = 1) -> Any:  # noqa: ANN401
        for uci, weight in self.entries:
            if weight >= minimum_weight:
                yield chess.polyglot.Entry(0, 0, weight, 0, chess.Move.from_uci(uci))


@pytest.mark.parametrize("record", originals_records.chosen("didactic", "opening_book"))
def test_the_opening_book(record: Any) -> None:  # noqa: ANN401 - a record
    """The book's file is not ours, but the record has its entries."""
    book = Book(record["entries"])
    move = book_move(record["fen"], book)
    assert (move and move.uci()) == record["dhbw_choice_max_weight_ge50"]
    engine = didactic.PrototypeV2Engine(max_look_ahead_depth=1, opening_book=book)
    assert engine.play(record["fen"]).move == (move or didactic.prototype_v2(record["fen"], 1).move)


def unwilling(error: BaseException) -> Any:  # noqa: ANN401
    return Mock(probe_dtm=Mock(side_effect=error))


ROOK_ENDING = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"


def test_a_tablebase_that_knows_nothing() -> None:
    without = didactic.prototype_v2(ROOK_ENDING, 3)
    for error in (KeyError("no table"), OSError("gone")):
        assert didactic.prototype_v2(ROOK_ENDING, 3, tablebase=unwilling(error)) == without
    for ending in (KeyboardInterrupt, SystemExit):
        with pytest.raises(ending):
            didactic.prototype_v2(ROOK_ENDING, 3, tablebase=unwilling(ending()))


def test_where_the_original_does_not_come_back() -> None:
    """The tablebase calls the root a mate, and knows none of the positions one move on."""

    class RootOnly:
        def probe_dtm(self, board: chess.Board) -> int:
            if board.turn == chess.WHITE:
                return 9
            raise KeyError

    with pytest.raises(OriginalCrashError, match="does not come back"):
        didactic.prototype_v2(ROOK_ENDING, 2, tablebase=RootOnly())


def test_the_evaluator_with_a_tablebase() -> None:
    evaluator = didactic.IncrementalEndgamePieceSquareEvaluator(RookEndgame())
    won = chess.Board("8/8/8/8/8/1k6/7r/K7 b - - 0 1")
    assert evaluator.evaluate(won) == PovScore(Mate(1), chess.BLACK)
    assert evaluator.evaluate(chess.Board()) is None
    drawn = evaluator.evaluate("8/8/8/8/8/1k6/1r6/K7 w - - 0 1")
    assert drawn is None or drawn.relative == Cp(0)
    unknown = didactic.IncrementalEndgamePieceSquareEvaluator(unwilling(OSError()))
    assert unknown.evaluate(won) is None
    move = didactic.PrototypeV2Engine(evaluator, 2).play(won).move
    assert move is not None
    won.push(move)
    assert won.is_checkmate()


def test_where_the_original_misses_a_method() -> None:
    """A promotion by capture beside a mate that is known already."""
    crashing = "1n4k1/P4ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1"
    crashes = []
    for name, depth in product(("quiescence_move_ordering", "principal_variation_search"), (2, 3)):
        try:
            didactic.ALGORITHMS[name](crashing, depth)
        except OriginalCrashError as error:  # it need not crash at both depths
            crashes.append("_rise_mate" in str(error))
    assert {*crashes} == {True}
    assert didactic.prototype_v2(crashing, 3).score > Cp(0)


@pytest.mark.parametrize("name", didactic.ALGORITHMS)
@pytest.mark.parametrize("reason", FINISHED)
def test_finished_games(name: str, reason: str) -> None:
    board = chess.Board(FINISHED[reason])
    outcome = board.outcome()
    result = didactic.ALGORITHMS[name](board, 3)
    if not list(board.legal_moves):
        assert (result.move, result.best_moves) == (None, ())
    if outcome is not None and outcome.winner is not None:
        assert result.score == (MateGiven if outcome.winner else Mate(0))
    elif outcome is not None:
        assert result.score == Cp(0)
        assert (result.move is None) == (name in PLAYING or not list(board.legal_moves))


@pytest.mark.parametrize("function", [didactic.see_capture, didactic.is_bad_capture])
def test_what_is_no_capture(function: Any) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match="move must be a capture, not e2e4"):
        function(chess.Board(), chess.Move.from_uci("e2e4"))


def test_an_evaluator_that_has_not_begun() -> None:
    evaluator = didactic.IncrementalPieceSquareEvaluator()
    with pytest.raises(ValueError, match="call init"):
        evaluator.get_score()
    with pytest.raises(ValueError, match="no move to take back"):
        evaluator.pop()


def test_threads_search_at_the_same_time() -> None:
    expected = didactic.prototype_v1(didactic.MIDDLEGAME, 3)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(didactic.prototype_v1, [didactic.MIDDLEGAME] * 4, [3] * 4))
    assert results == [expected] * 4


COMMANDS = {
    "tree-count move_ordering": ["12,911", "513,446", "16,132"],
    "tree-count principal_variation_search --depth 2 -p P6": ["no SEE"],
    "bratko-kopec prototype_v2 minimax --depth 2": ["3 (published: 3)", "0 to 8 (published: 0)"],
}
"""And what they say."""


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(command: str) -> None:
    result = invoke("didactic", *command.split())
    assert result.exit_code == 0
    assert [words for words in COMMANDS[command] if words not in result.output] == []
