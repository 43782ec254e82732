"""The searches of the reference on games other than chess: one value, Knuth and Moore's counts."""

import operator
import pickle
from dataclasses import dataclass, replace
from functools import reduce
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from betacut import reference as checked_reference
from betacut import tree_diff
from betacut.reference import games
from betacut.reference.games import ConnectFour, ListTree, Nim, RandomTree, TicTacToe, compare
from betacut.reference.games.comparison import NAMES, OF_CHESS
from betacut.results.tree import Tree

reference: Any = checked_reference  # to type checkers its moves are those of chess

ALL: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in NAMES),
    ("sss_star", {"method": "list"}),
    ("sss_star", {"transpositions": False}),
    ("aspiration", {"guess": -700, "width": 3}),
]
ORDERS = ("generated", "history+killers", "hash_move", "random:7", "best", "worst")
LETTERS = {"B": {"C": 7, "D": [5, 6], "E": [9, 2]}, "F": {"G": 1, "H": 8}}


def minimax(tree: Any, maximises: bool = True) -> int:  # noqa: ANN401 - nested lists
    if isinstance(tree, int):
        return tree
    return (max if maximises else min)(minimax(child, not maximises) for child in tree)


def leaves(tree: Tree) -> int:
    return sum(1 for _ in tree.find(end="leaf"))


nested = st.recursive(st.integers(-9, 9), lambda below: st.lists(below, min_size=1, max_size=3))


@settings(max_examples=40, deadline=None)
@given(tree=nested.filter(lambda tree: isinstance(tree, list)), first=st.sampled_from([1, 2]))
def test_every_search_has_the_value_of_minimax(tree: Any, first: int) -> None:  # noqa: ANN401
    game = ListTree(tree, first=first)
    value = minimax(tree, first == 1)
    best = tuple(place for place, child in enumerate(tree) if minimax(child, first != 1) == value)
    for name, options in ALL:
        if name != "iterative_deepening":  # an inner node of a list has no value
            result = reference.ALGORITHMS[name](game, game.depth, **options)
            assert (name, result.score, result.best_moves) == (name, value, best)
    minimal = games.minimal_tree(game, game.depth)
    ours = reference.alpha_beta_pruning_no_memo(game, game.depth, order="best")
    assert minimal.nodes <= ours.statistics.root_nodes


@pytest.mark.parametrize("order", ORDERS)
def test_orders_change_the_counts_alone(order: str) -> None:
    for correlation in (0.0, 0.9):
        game = RandomTree(3, 4, seed=5, correlation=correlation)
        found = games.compare(game, [4], orders=iter([order]))
        assert len(found) == len(NAMES)
        assert all(row.agrees for row in found)
        assert all((row.minimal_share or 0) <= 1 for row in found if row.cache_hits == 0)


@pytest.mark.parametrize(("branching", "depth"), [(2, 1), (2, 6), (3, 4), (3, 5), (5, 3)])
def test_knuth_and_moore(branching: int, depth: int) -> None:
    game = RandomTree(branching, depth, seed=depth)
    least = branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1
    perfect = reference.tree(game, depth, order="best")
    assert leaves(perfect) == games.minimal_tree(game, depth).leaves == least
    assert len(perfect) == games.minimal_tree(game, depth).nodes
    assert leaves(reference.tree(game, depth, algorithm="minimax_no_memo")) == branching**depth
    # SSS* leaves out what alpha-beta leaves out, and more.
    best_first = reference.sss_star(game, depth, method="list").statistics.root_calls["sss_star"]
    assert best_first <= len(reference.tree(game, depth))


def test_letters() -> None:
    tree = reference.tree(ListTree(LETTERS), 3)
    assert [tree[line].value for line in ("B D", "B E", "F")] == [6, 9, 1]
    assert [tree[line].bound for line in ("B D", "B E", "F")] == ["exact", "lower", "upper"]
    assert (tree["B E"].pruned, tree["F"].pruned) == ((1,), ("H",))
    assert tree[["B", "D", 1]].board.state.value() == 6
    with pytest.raises(KeyError, match="ply 2: no H after F; searched there: G"):
        tree["F H"]
    with pytest.raises(ValueError, match=r"depth 2 ends at an inner node.*the tree is 3"):
        reference.minimax(ListTree(LETTERS), 2)
    with pytest.raises(ValueError, match="iterative_deepening asks for a value at every depth"):
        compare(ListTree(LETTERS), [3], algorithms=["iterative_deepening"])
    rows = compare(ListTree(LETTERS), [3])
    assert {row.algorithm for row in rows} == {*NAMES} - {"iterative_deepening"}
    assert all(row.agrees for row in rows)


def test_moves_are_any_texts() -> None:
    names = ("passnow", "pass now", "--", "take two")
    tree = reference.tree(ListTree({name: [4, 1] for name in names}), 2, algorithm="negamax")
    assert [tree[node.line] for node in tree] == [*tree]
    assert tree[["take two", 1]] == tree["taketwo 1"]


def test_trees_are_kept_compared_and_shown() -> None:
    game = TicTacToe("xo.xo....")
    one, other = (reference.tree(game, 3, algorithm=name) for name in ("minimax", "negascout"))
    for tree in (one, reference.tree(Nim((1, 2)), 3)):
        again = pickle.loads(pickle.dumps(tree))
        assert again == tree
        assert again.result == tree.result
        assert again.to_json() == tree.to_json()
        assert [node.line for node in again] == [node.line for node in tree]
    diff = tree_diff(one, other)
    assert diff.contradictions == 0
    assert "<html" in diff.to_html(line=diff.line or ())
    packed = (reference.tree(game, 1).packed() for game in (game, Subtraction(2), Counter(3)))
    texts = [each["about"]["game"]["states"][0]["text"] for each in packed]
    assert texts == ["x o .\nx o .\n. . .", "Subtraction(left=2, player=1)", ""]
    assert ">=" in one.to_text() or "<=" in other.to_text()
    assert "<svg" in one.to_svg(max_ply=1)
    drawn = ElementTree.fromstring(reference.tree(ListTree({"\x01": 0, "\ud800": 0}), 1).to_svg())
    assert {r"\x01", r"\ud800"} < {element.text for element in drawn.iter()}


def test_trees_of_the_same_game_with_other_moves() -> None:
    """The codes of the moves are those of a tree: there is no end to the moves of all trees."""
    for start in (0, 30_000):
        names = map(str, range(start, start + 30_000))
        assert len(reference.tree(ListTree(dict.fromkeys(names, 0)), 1)) == 30_001
    # One position, whose moves are asked for in two orders.
    one, other, again = (
        reference.tree(ListTree({**dict.fromkeys(first, 5), "q": dict.fromkeys(second, 0)}), 2)
        for first, second in (("pr", "ab"), ("rp", "ba"), ("pr", "ab"))
    )
    assert one == again != other
    found = tree_diff(one, other)
    assert (found.common, found.first_only_a, found.first_only_b) == (4, one["q a"], other["q b"])
    assert found.b is other
    assert other["q b"].san == "b"
    assert '.jump("q a")' in found.to_html(line=found.line or ())
    # The pages of both follow the same line.
    assert other._coded_as(one).columns["move"][2] == one.columns["move"][1]


class Counter:
    """A game that has a text at most, and equals nothing but itself."""

    def __init__(self, left: int) -> None:
        self.left = left

    def moves(self) -> list[int]:
        return [1]

    def play(self, move: int) -> "Counter":
        return type(self)(self.left - move)

    def is_over(self) -> bool:
        return not self.left

    def value(self) -> int:
        return 0

    def to_move(self) -> int:
        return 1 + self.left % 2


class NamedCounter(Counter):
    def __str__(self) -> str:
        return f"{self.left} left"


class WrittenCounter(Counter):
    def __repr__(self) -> str:
        return f"WrittenCounter({self.left})"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (TicTacToe("xo......."), TicTacToe("ox.......")),
        (RandomTree(2, 3, 1), RandomTree(2, 3, 2)),
        (ListTree({"a": 0, "b": 0}), ListTree({"b": 0, "c": 0})),
        (NamedCounter(3), NamedCounter(5)),
        (WrittenCounter(3), WrittenCounter(5)),
    ],
)
def test_trees_of_two_positions_differ(one: Any, other: Any) -> None:  # noqa: ANN401
    mine, theirs = (reference.tree(game, 3) for game in (one, other))
    assert mine != theirs
    with pytest.raises(ValueError, match=r"must be of one position: GameBoard\(.* and GameBoard"):
        tree_diff(mine, theirs)


@pytest.mark.parametrize("game", [Counter, NamedCounter, WrittenCounter])
def test_trees_of_a_game_without_equality(game: type[Counter]) -> None:
    one, other = (reference.tree(game(3), 2) for _ in range(2))
    assert one == other == pickle.loads(pickle.dumps(one))
    assert tree_diff(one, other).contradictions == 0


def test_results_are_shown_and_not_drawn() -> None:
    result = reference.minimax(TicTacToe("x.o......"), 2)
    assert result.show() == result._repr_html_()
    for drawn in (result.to_svg, result.to_png):
        with pytest.raises(TypeError, match="a position of a game has no picture"):
            drawn()
    assert not hasattr(reference.find_mate(Nim((1, 2, 4)), 4), "board")


def test_growth_is_that_of_the_depth_before() -> None:
    rows = compare(RandomTree(4, 4), [3, 1, 2], algorithms=["negamax"])
    nodes = [row.nodes for row in rows]
    assert nodes == [5, 21, 85]
    assert [row.growth for row in rows] == [None, 21 / 5, 85 / 21]


@pytest.mark.parametrize("name", NAMES)
def test_a_trace_ends_with_the_value(name: str) -> None:
    for game in (RandomTree(4, 3, seed=2), ConnectFour(4, 4, "." * 15 + "x")):
        lines: list[str] = []
        result = reference.ALGORITHMS[name](game, 3, trace=lines.append)
        assert lines == reference.tree(game, 3, algorithm=name, max_ply=1).trace()
        assert lines[0].startswith("First move found")
        assert f" {result.score}." in lines[-2]
        end = f"{name} recommending move = {result.move}, move score = {result.score}"
        assert lines[-1] == end


@pytest.mark.parametrize("heaps", [(1, 2, 3), (1, 2, 4), (3, 3), (5,), (1, 1, 1)])
def test_nim_is_won_by_the_formula(heaps: tuple[int, ...]) -> None:
    sum_of_bits = reduce(operator.xor, heaps)
    assert reference.minimax(Nim(heaps), sum(heaps)).score == (1 if sum_of_bits else -1)
    proof = reference.find_mate(Nim(heaps), (sum(heaps) + 1) // 2)
    assert (proof.mate is not None, proof.proven) == (sum_of_bits != 0, True)


def test_grids() -> None:
    assert reference.alpha_beta_pruning(TicTacToe(), 9).score == 0
    assert reference.find_mate(TicTacToe("xx.oo...."), 1).line == (2,)
    assert reference.alpha_beta_pruning(ConnectFour(), 3).move == 3
    men = {**dict.fromkeys((38, 31, 24), "x"), **dict.fromkeys((37, 30, 36), "o")}
    drop = "".join(men.get(place, ".") for place in range(42))
    assert reference.negamax(ConnectFour(squares=drop), 1).score == 1000


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        (TicTacToe("x........"), [0, -1, 9, 99, "b2", None]),
        (ConnectFour(4, 4, "x..." "o..." "x..." "o..."), [0, -1, 4, 9, "b"]),
        (RandomTree(2, 2), [-1, 2, 7, "0"]),
        (Nim((1, 2)), ["a0", "a-1", "a2", "b3", "c1", "z9", "A1", "a", "", 1]),
        (ListTree(LETTERS), ["Z", 0, []]),
        (ListTree(5), [0]),
    ],
)  # fmt: skip
def test_a_move_must_be_one_of_those_listed(game: Any, moves: list[Any]) -> None:  # noqa: ANN401
    for move in moves:
        with pytest.raises(ValueError, match=r"^move must be one of \[.*\], not ") as error:
            game.play(move)
        assert str(error.value).endswith(f"not {move!r}")


@dataclass(frozen=True)
class Subtraction:
    """A game of a reader's: take 1 or 2 of some; the last one wins."""

    left: int
    player: int = 1

    def moves(self) -> list[int]:
        return [count for count in (1, 2) if count <= self.left]

    def play(self, move: int) -> "Subtraction":
        return replace(self, left=self.left - move, player=3 - self.player)

    def is_over(self) -> bool:
        return self.left == 0

    def value(self) -> int:
        return 0 if self.left else (-5 if self.player == 1 else 5)

    def to_move(self) -> int:
        return self.player


class AlwaysFirst(Subtraction):
    def to_move(self) -> int:
        return 1


class Passing(Subtraction):
    def moves(self) -> list[Any]:
        return [1, None]


class Half(Subtraction):
    def value(self) -> int:
        return 0.5  # type: ignore[return-value]


def test_what_a_game_must_be() -> None:
    found = reference.alpha_beta_pruning(Subtraction(7), 7)
    assert (found.score, found.best_moves) == (5, (1,))
    assert repr(found).startswith("SearchResult(score=+5, move=1, best_moves=[1], depth=7")
    one, two = Nim((1,)), Nim((2,))
    by_see, own = {"order": "see"}, {"evaluation": "material"}
    plays = {"quiescence": "captures"}
    partial = SimpleNamespace(moves=list, play=list, is_over=bool)  # it lacks two of the five names
    refused: list[tuple[type[Exception], str, Any]] = [
        (ValueError, "must move by turns", lambda: reference.negamax(AlwaysFirst(2), 2)),
        (TypeError, "value.. must return an int", lambda: reference.negamax(Half(2), 2)),
        (ValueError, "name see, which is of chess", lambda: reference.minimax(one, 1, **by_see)),
        (ValueError, "evaluation must be None", lambda: reference.minimax(one, 1, **own)),
        (ValueError, "leave quiescence out", lambda: reference.minimax_no_memo(two, 1, **plays)),
        (TypeError, "a game must have the methods", lambda: reference.minimax(partial, 1)),
        (ValueError, r"a child or more, not list \[\]", lambda: ListTree([1, []])),
        (TypeError, "a move must not be None", lambda: ListTree([1, {None: 9, "ab": 2}])),
        (TypeError, "a move must not be None", lambda: reference.minimax(Passing(3), 2)),
        (TypeError, "not str 'x'", lambda: ListTree(["x"])),
        (ValueError, "correlation must be from 0 to 1, not 2", lambda: RandomTree(2, 2, 0, 2)),
        (ValueError, "nine letters", lambda: TicTacToe("xxx......")),
        (ValueError, "line is for chess", lambda: reference.tree(one, 1, line=["a1"])),
        (TypeError, "not Nim", lambda: reference.quiesce_max(one)),
        *(
            (TypeError, "not Nim", lambda name=name: reference.ALGORITHMS[name](one, 1))
            for name in OF_CHESS
        ),
    ]  # fmt: skip
    for error, words, call in refused:
        with pytest.raises(error, match=words):
            call()
