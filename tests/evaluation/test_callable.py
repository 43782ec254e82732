"""The argument `evaluation` with a function of the user's: every test runs on both packages."""

from types import ModuleType

import chess
import pytest

from betacut import reference
from faults.values import Index
from support.boards import SMALL
from support.searches import every_package, found, minimax

PAWNS = SMALL["pawns"]
MATES = "7k/8/5K2/8/8/8/8/6R1 w - - 0 1"
LITTLE = SMALL["little material"]


def mobility(board: chess.Board) -> int:
    """A score that has nothing to do with the built-in one."""
    moves = board.legal_moves.count()
    return 10 * moves if board.turn == chess.WHITE else -10 * moves


class Asked:
    """An evaluation that writes down about what it was asked."""

    def __init__(self) -> None:
        self.boards: list[chess.Board] = []

    def __call__(self, board: chess.Board) -> int:
        self.boards.append(board)
        return mobility(board)


@pytest.mark.sampled(2, every=["package", "name", "fen"])
@every_package
@pytest.mark.parametrize("name", reference.ALGORITHMS)
@pytest.mark.parametrize("fen", [PAWNS, MATES])
def test_the_built_in_evaluation_as_a_function(package: ModuleType, name: str, fen: str) -> None:
    search = package.ALGORITHMS[name]
    for evaluation in (package.evaluate_position, None, "simplified"):
        assert search(fen, 2, evaluation=evaluation) == search(fen, 2)


@every_package
@pytest.mark.parametrize("fen", [PAWNS, MATES])
def test_the_value_is_that_of_minimax(package: ModuleType, fen: str) -> None:
    expected = minimax(chess.Board(fen), 2, mobility)
    plain = package.minimax_no_memo(fen, 2, evaluation=mobility)
    assert plain.score == expected
    pruned = package.alpha_beta_pruning_no_memo(fen, 2, evaluation=mobility, order="killers")
    assert (found(pruned), pruned.pv) == (found(plain), plain.pv)
    assert package.minimax(fen, 2, evaluation=mobility).score == expected
    memo = package.Cache(exact_depth=True)
    assert package.alpha_beta_pruning(fen, 2, evaluation=mobility, cache=memo).score == expected


@every_package
def test_it_is_asked_once_for_each_leaf_where_the_game_goes_on(package: ModuleType) -> None:
    asked = Asked()
    package.minimax_no_memo(MATES, 2, evaluation=asked)
    tree = package.tree(MATES, 2, algorithm="minimax_no_memo")
    leaves = [node.board for node in tree if not node.children]
    going_on = [board.fen() for board in leaves if not board.is_game_over()]
    assert len(going_on) < len(leaves)
    assert sorted(board.fen() for board in asked.boards[: len(going_on)]) == sorted(going_on)
    assert not any(board.is_game_over() for board in asked.boards)
    assert all(board.move_stack == [] for board in asked.boards)
    assert len({id(board) for board in asked.boards}) == len(asked.boards)


@every_package
def test_it_may_change_the_board(package: ModuleType) -> None:
    def destroy(board: chess.Board) -> int:
        score = mobility(board)
        board.clear()
        return score

    expected = package.alpha_beta_pruning_no_memo(PAWNS, 2, evaluation=mobility)
    assert package.alpha_beta_pruning_no_memo(PAWNS, 2, evaluation=destroy) == expected


@every_package
def test_a_finished_game_is_never_asked_about(package: ModuleType) -> None:
    asked = Asked()
    result = package.iterative_deepening("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 2, evaluation=asked)
    assert result.score == 0
    assert asked.boards == []


@every_package
def test_any_integer_will_do(package: ModuleType) -> None:
    assert package.minimax_no_memo(PAWNS, 1, evaluation=lambda board: Index(30)).score == 30
    assert package.minimax_no_memo(PAWNS, 1, evaluation=lambda board: 89_999).score == 89_999


@every_package
def test_errors_travel_out(package: ModuleType) -> None:
    mine = LookupError("mine")

    def fail(board: chess.Board) -> int:
        raise mine

    memo = package.Cache()
    with pytest.raises(LookupError) as caught:
        package.alpha_beta_pruning(PAWNS, 2, evaluation=fail, cache=memo)
    assert caught.value is mine
    memo.clear()  # no search holds it any more


@every_package
def test_a_search_in_an_evaluation_is_not_recorded(package: ModuleType) -> None:
    def quiet(board: chess.Board) -> int:
        return int(package.alpha_beta_pruning(board, 1).score)

    values: dict[str, int] = {}

    def remember(board: chess.Board) -> int:
        return values.setdefault(board.epd(), quiet(board))

    package.minimax_no_memo(LITTLE, 2, evaluation=remember)
    expected = package.tree(LITTLE, 2, evaluation=lambda board: values[board.epd()])
    tree = package.tree(LITTLE, 2, evaluation=quiet)
    assert len(tree) == len(expected) == tree.result.statistics.root_nodes
    assert [node.value for node in tree] == [node.value for node in expected]
