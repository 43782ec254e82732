"""Evaluations as data: what they compute, how they are read, and the searches that use them."""

import json
import pickle
import random
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import chess
import pytest

from betacut import engine
from betacut.core.exceptions import CacheMismatchError
from betacut.core.positions import MIDDLEGAMES, POSITIONS, named_position
from betacut.engine.conditions import compiled
from betacut.evaluation import PHASES, PRESETS, Evaluation, as_evaluation, presets
from betacut.reference import evaluation as simplified
from betacut.reference.rules import game_end, value_of_end
from support.commands import invoke
from support.searches import found, minimax

FENS = [*POSITIONS.values(), *MIDDLEGAMES.values()]

ENDINGS = [
    "8/8/8/8/8/2k5/2p5/K7 w - - 0 1",
    "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "3qk3/pppp4/8/8/8/8/PPPP4/3QKN2 w - - 0 1",
    "4k3/8/8/2KpP3/8/8/8/8 w - d6 0 2",
]


def random_evaluation(seed: int) -> Evaluation:
    """Tables by chance: of any step and phase rule, with pawns worth more than rooks at times."""
    rng = random.Random(seed)
    phase = PHASES[seed % 3]
    step = rng.choice([1, 2, 3, 5, 10])

    def tables(pieces: str) -> dict[str, list[int]]:
        most = rng.choice([0, 1, 8, 20])
        return {piece: [step * rng.randint(-most, most) for _ in range(64)] for piece in pieces}

    options: dict[str, Any] = {"phase": phase}
    if phase != "constant":
        options["endgame_squares"] = tables("K" if seed % 2 else "PNBRQK")
    if phase == "tapered":
        options["endgame_values"] = [rng.randint(50, 900) for _ in range(5)]
    return Evaluation([rng.randint(50, 900) for _ in range(5)], tables("PNBRQK"), **options)


EVALUATIONS = [*map(Evaluation.preset, PRESETS), *map(random_evaluation, range(12))]

every_evaluation = pytest.mark.parametrize("evaluation", EVALUATIONS, ids=repr)


def boards() -> Iterator[chess.Board]:
    for fen in [*FENS, *ENDINGS]:
        board = chess.Board(fen)
        yield board
        for move in board.legal_moves:
            child = board.copy()
            child.push(move)
            yield child


def test_the_presets_are_what_they_say() -> None:
    preset = Evaluation.preset("simplified")
    for board in boards():
        assert preset(board) == simplified.balance_of(board)
    values = {"P": 100, "N": 300, "B": 300, "R": 500, "Q": 900}
    assert Evaluation.preset("material").piece_values == values
    assert Evaluation.preset("tapered").phase == "tapered"


def test_the_core_reads_the_numbers_of_tapered_in_this_order() -> None:
    """`rust/core/src/evaluation/presets.rs` takes every number of the file that is no comment."""
    preset = Evaluation.preset("tapered")
    path = Path(presets.__file__).with_name("tapered.toml")
    lines = path.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    numbers = [int(number) for number in re.findall(r"-?\d+", text)]
    assert len(numbers) == 2 * (5 + 6 * 64)
    tables = [numbers[start : start + 64] for start in range(10, len(numbers), 64)]
    endgame: Any = {"endgame_values": numbers[5:10], "endgame_squares": tables[6:]}
    assert preset == Evaluation(numbers[:5], tables[:6], **endgame, phase="tapered")
    # A mean pawn is worth a hundred centipawns.
    assert numbers[0] + numbers[5] == pytest.approx(200, abs=1)
    # The tests of the core have the same figures.
    assert [preset(POSITIONS[name]) for name in ("P1", "P6")] == [-5, -137]
    assert Evaluation.preset("formula")(POSITIONS["P6"]) == -106


@pytest.mark.sampled(3)
@every_evaluation
def test_the_core_and_python_compute_the_same(evaluation: Evaluation) -> None:
    core = compiled(evaluation)
    assert core is not None
    assert core is compiled(evaluation)
    assert evaluation.has_bounds == core.has_bounds
    for board in boards():
        end = game_end(board)
        score = evaluation(board) if end is None else value_of_end(end, board.turn)
        assert engine.evaluate_position(board, evaluation) == score
        if board.move_stack:
            move = board.pop()
            assert engine.evaluate_move(board, move, evaluation) == score


def test_presets_are_the_same_in_the_core() -> None:
    cores = [compiled(Evaluation.preset(name)) for name in PRESETS]
    assert len({core.hash for core in cores if core is not None}) == len(PRESETS)
    # The core's own default claims caches for the same evaluation.
    cache = engine.Cache()
    engine.minimax(ENDINGS[0], 1, cache=cache)
    engine.minimax(FENS[5], 1, cache=cache)
    engine.minimax(FENS[5], 1, cache=cache, evaluation="simplified")
    again = Evaluation.from_dict(Evaluation.preset("simplified").to_dict())
    engine.minimax(FENS[5], 1, cache=cache, evaluation=again)


@pytest.mark.sampled(3)
@every_evaluation
def test_searches_find_the_value_of_minimax(evaluation: Evaluation) -> None:
    for fen in [*FENS[4:6], *ENDINGS]:
        board = chess.Board(fen)
        expected = minimax(board, 2, evaluation)
        assert engine.minimax_no_memo(fen, 2, evaluation=evaluation).score == expected
        assert engine.search(fen, 2, evaluation=evaluation).score == expected


@pytest.mark.sampled(3)
@every_evaluation
def test_both_floors_agree(evaluation: Evaluation) -> None:
    for fen, depth in product([*FENS[:6], *ENDINGS], (1, 2, 3, 4)):
        plain = engine.alpha_beta_pruning_no_memo(fen, depth, evaluation=evaluation)
        exact = engine.search(fen, depth, evaluation=evaluation)
        assert found(exact) == found(plain)
        if depth < 4:
            assert engine.minimax(fen, depth, evaluation=evaluation).score == plain.score
        cache = engine.Cache(exact_depth=True)
        memo = engine.alpha_beta_pruning(fen, depth, evaluation=evaluation, cache=cache)
        assert found(memo) == found(plain)


def test_every_way_to_ask_the_exact_search_takes_an_evaluation() -> None:
    own = random_evaluation(3)
    expected = [engine.minimax_no_memo(FENS[5], depth, evaluation=own).score for depth in (1, 2, 3)]
    assert expected != [engine.minimax_no_memo(FENS[5], depth).score for depth in (1, 2, 3)]
    with engine.analysis(FENS[5], 3, evaluation=own) as depths:
        assert [result.score for result in depths] == expected
    (last,) = engine.search_many([FENS[5]], 3, evaluation=own)
    with engine.search_stream([FENS[5]], 3, evaluation=own) as results:
        assert [result.score for result in results] == [last.score] == expected[2:]
    # The line is searched for with the same evaluation.
    board = chess.Board(FENS[5])
    for move in last.pv:
        board.push(move)
    assert len(last.pv) == 3
    assert engine.evaluate_position(board, own) == last.score


@pytest.mark.sampled(3)
@every_evaluation
def test_an_explanation_sums_to_the_score(evaluation: Evaluation) -> None:
    for fen in [*FENS, *ENDINGS]:
        told = evaluation.explain(fen)
        assert told.score == evaluation(fen)
        assert int(round(sum(map(told.share, told.pieces)), 6)) == told.score
        if told.phase in ("middlegame", "endgame"):
            assert getattr(told, str(told.phase)) == told.score
        for width in (40, 80):
            lines = told.to_text(width).splitlines()
            assert max(map(len, lines)) <= width
            assert f"{told.score:+d}" in " ".join(lines[:2])
        assert json.loads(json.dumps(told.to_dict()))["score"] == told.score
        assert told._repr_html_().count("<text") == len(told.pieces)


def test_the_tapered_rule_rounds_towards_zero_for_both_sides() -> None:
    own = Evaluation([100] * 5, endgame_values=[0] * 5, phase="tapered")
    for fen, score in (
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", 100 // 24),
        ("4kn2/8/8/8/8/8/8/4K3 w - - 0 1", -(100 // 24)),
    ):
        assert own(fen) == score == own.explain(fen).score


@every_evaluation
def test_what_is_written_is_read_again(evaluation: Evaluation, tmp_path: Path) -> None:
    for suffix, write, read in (
        ("json", evaluation.to_json, Evaluation.from_json),
        ("toml", evaluation.to_toml, Evaluation.from_toml),
    ):
        file = tmp_path / f"own.{suffix}"
        file.write_text(write(), encoding="utf-8-sig")  # as programs of Windows do
        for source in (write(), file, str(file)):
            again = read(source)
            assert again == evaluation
            assert (again.name, hash(again)) == (evaluation.name, hash(evaluation))
    assert pickle.loads(pickle.dumps(evaluation)) == evaluation


def test_tables_are_read_in_any_form() -> None:
    table = list(range(64))
    rows = [table[start : start + 8] for start in range(0, 64, 8)]
    own = Evaluation([1, 3, 3, 5, 9], {"N": table})
    for tables in ({"n": rows}, {chess.KNIGHT: tuple(table)}, [[0] * 64, table, *[[0] * 64] * 4]):
        assert Evaluation({"P": 1, "N": 3, "B": 3, "r": 5, chess.QUEEN: 9}, tables) == own
    # a8 first, and Black's table upside down.
    assert own("N3k3/8/8/8/8/8/8/4K3 w - - 0 1") == 3
    assert own("4k3/8/8/8/8/8/8/N3K3 w - - 0 1") == 3 + 56
    assert own("4k3/8/8/8/8/8/8/n3K3 w - - 0 1") == -3
    assert own != Evaluation([1, 3, 3, 5, 9])
    # The sum of value and table counts, and the rule, even where it makes no difference.
    assert Evaluation([1, 4, 3, 5, 9]) == Evaluation([1, 3, 3, 5, 9], {"N": [1] * 64})
    assert own != Evaluation([1, 3, 3, 5, 9], {"N": table}, phase="constant")
    assert own != 1


def test_numpy_arrays_are_tables() -> None:
    numpy = pytest.importorskip("numpy")
    table = numpy.arange(64)
    own = Evaluation(numpy.array([1, 3, 3, 5, 9]), {"N": table})
    assert own == Evaluation([1, 3, 3, 5, 9], {"N": table.reshape(8, 8)})
    assert own == Evaluation([1, 3, 3, 5, 9], numpy.array([[0] * 64, table, *[[0] * 64] * 4]))


def test_a_memory_holds_the_values_of_one_evaluation() -> None:
    cache, table = engine.Cache(), engine.Table(1)
    own = Evaluation([100, 300, 300, 500, 901], name="mine")
    engine.alpha_beta_pruning(FENS[5], 2, cache=cache, evaluation=own)
    engine.search(FENS[5], 3, table=table, evaluation=own)
    same = Evaluation([100, 300, 300, 500, 901], name="the same")
    engine.alpha_beta_pruning(FENS[5], 2, cache=cache, evaluation=same)
    engine.search_many([FENS[5]], 3, table=table, evaluation=same)
    held = "holds values by the evaluation mine, not by"
    with pytest.raises(CacheMismatchError, match=f"cache {held} simplified: use another Cache"):
        engine.alpha_beta_pruning(FENS[5], 2, cache=cache)
    said = f"this table {held} material: use another Table"
    for ask in (engine.search, engine.analysis):
        with pytest.raises(CacheMismatchError, match=said):
            ask(FENS[5], 3, table=table, evaluation="material")
    with pytest.raises(CacheMismatchError, match="this table holds values by another evaluation"):
        engine.search(FENS[5], 3, table=table, evaluation=Evaluation([1, 3, 3, 5, 9], name="mine"))
    cache.clear()
    table.clear()
    engine.alpha_beta_pruning(FENS[5], 2, cache=cache)
    engine.search(FENS[5], 3, table=table, evaluation="material")


def test_iterative_deepening_takes_an_evaluation() -> None:
    own = random_evaluation(1)
    result = engine.iterative_deepening(FENS[5], 3, quiescence=False, evaluation=own)
    assert result.score == engine.search(FENS[5], 3, evaluation=own).score


def test_a_constant_phase_has_no_endgame() -> None:
    with pytest.raises(ValueError, match="leave out endgame_values"):
        Evaluation([1, 3, 3, 5, 9], phase="constant", endgame_values=[1] * 5)
    with pytest.raises(ValueError, match=r"endgame_squares has no piece ''"):
        Evaluation([1, 3, 3, 5, 9], endgame_squares={"": []})


def test_an_endgame_states_what_changes() -> None:
    values = [100, 310, 340, 500, 950]
    partial = Evaluation(values, endgame_values={"P": 120, "R": 530}, phase="tapered")
    assert partial == Evaluation(values, endgame_values=[120, 310, 340, 530, 950], phase="tapered")
    assert dict(partial.endgame_values) == {"P": 120, "N": 310, "B": 340, "R": 530, "Q": 950}
    assert Evaluation.from_json(partial.to_json()) == partial
    none = Evaluation(values, endgame_values={}, endgame_squares={}, phase="tapered")
    assert none == Evaluation(values, phase="tapered")
    with pytest.raises(ValueError, match="5 numbers, for P N B R Q, not 2"):
        Evaluation(values, endgame_values=[120, 310])
    with pytest.raises(ValueError, match="piece_values must be 5 numbers, for P N B R Q; N is mis"):
        Evaluation({"P": 100}, endgame_values=values)


def test_no_more_is_read_than_wanted() -> None:
    numbers = iter([100, 310, 340, 500, 950, 0, 7, 8])
    with pytest.raises(ValueError, match="5 numbers, for P N B R Q, not 6 or more"):
        Evaluation(numbers)  # type: ignore[arg-type]
    assert list(numbers) == [7, 8]


def test_mistakes_in_files_are_told() -> None:
    for text, said in {
        "{": "is no JSON",
        '{"phase": "tapered", "phase": 1}': "the key 'phase' is there twice",
        '{"piece_values": {"P": 1, "N": 3, "N": 4}}': "the key 'N' is there twice",
        "phase = 'tapered'\nphase = 'constant'": "is no TOML",
        '{"values": []}': "an evaluation has no 'values'",
        '{"phase": "tapered"}': "needs piece_values",
        "phase = ": "is no TOML",
        "piece_values = [1]": "5 numbers",
    }.items():
        read = Evaluation.from_json if text.startswith("{") else Evaluation.from_toml
        with pytest.raises(ValueError, match=said):
            read(text)


def test_a_file_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(Evaluation.preset("material").to_json(), encoding="utf-16")
    with pytest.raises(ValueError, match=r"the file '.*mine\.json' must be in UTF-8"):
        Evaluation.from_json(path)


def test_what_is_no_data() -> None:
    assert as_evaluation(None) is as_evaluation("simplified") is Evaluation.preset("simplified")
    with pytest.raises(TypeError, match="evaluation must be an Evaluation, one of simplified"):
        as_evaluation(5)


def test_the_command_explains_and_searches(tmp_path: Path) -> None:
    own = random_evaluation(4)
    file = tmp_path / "own.json"
    file.write_text(own.to_json(), encoding="utf-8")
    shown = invoke("eval", "P6", "--evaluation", file, columns=None).output
    assert shown == f"{own.explain(POSITIONS['P6'])}\n"
    written = json.loads(invoke("eval", "kiwipete", "-e", "tapered", "--json").output)
    assert written == Evaluation.preset("tapered").explain(named_position("kiwipete")).to_dict()
    result = json.loads(invoke("search", "P6", "-d3", "-e", file, "--json").output)
    assert result["score"] == engine.search(POSITIONS["P6"], 3, evaluation=own).score
