"""Mistakes that students make are found, and named when an experiment shows them."""

import math
import time
from pathlib import Path
from typing import Any

import chess
import pytest

from betacut import check, engine
from betacut.lab.checking import Model, trace
from betacut.lab.checking.trace import TracedBoard, recording
from betacut.reference.evaluation import balance_of
from lab.student_searches import mistakes, negamax, neighbours, unusual
from lab.student_searches.neighbours import Negamax
from lab.support import LONG, SHORT, difference_of, refused

MISTAKES = {
    "infinity_below_mate": ("mate", "Infinity is 50,000, which is less than a mate"),
    "aspiration_without_second_search": ("window", "is outside its window, and it is not"),
    "quiescence_at_the_leaves": ("quiescence", "played out where the depth ends, but promotions"),
    "sorted_while_iterated": ("moves", "the list is changed, or sorted, while a loop"),
    "removed_while_iterated": ("moves", "the list is changed, or sorted, while a loop"),
    "claims_draws": ("draws", "claim_draw=True"),
    "captures_cost_two_plies": ("horizon", "Captures cost two plies"),
    "null_window_without_second_search": ("window", "is not searched again with the full one"),
    "cut_at_alpha": ("moves", "not better than alpha; a cutoff is where a value reaches beta"),
    "pseudo_legal_moves": ("moves", "board.pseudo_legal_moves"),
    "colour_not_turned": ("sign", "that of the side to move at the root"),
    "returns_in_the_loop": ("moves", "a return inside the loop"),
    "generator_used_up": ("moves", "a slice leaves it out, or it was taken from an iterator"),
    "depth_reduced_in_the_loop": ("horizon", "the depth is reduced inside the loop"),
    "late_moves_reduced": ("horizon", "Later moves are searched less deep"),
    "null_move_in_an_exact_search": ("selective", "null moves"),
    "checks_extended": ("horizon", "leaves lie at different depths"),
    "previous_iteration": ("horizon", "stops a ply too early"),
    "stalemate_without_check": ("draws", "Stalemate is scored as a mate"),
    "pairs_compared": ("exception", "not supported between instances of 'Move' and 'Move'"),
    "root_always_maximises": ("sign", "The root takes the greatest of White's scores"),
    "best_begins_at_zero": ("sign", "The best score begins at 0"),
    "min_begins_at_minus_infinity": ("sign", "the minimum is never found"),
    "depth_counts_moves": ("horizon", "The depth counts moves of both sides"),
    "material_only": ("evaluation", "material only (100, 300, 300, 500, 900)"),
    "black_maximises_too": ("sign", "Both sides maximise White's score"),
    "MovesOfAllLevels": ("moves", "belong to other positions"),
    "SharedWindow": ("window", "cuts where no value reaches a bound"),
    "memo_without_depth": ("table", "The table mixes depths"),
    "memo_of_placements": ("table", "forgets the side to move"),
    "BoundOfTheWrongKind": ("table", "only a bound"),
    "MatesFromTheRoot": ("table", "mates by their plies from the root"),
    "stack_with_one_best": ("unknown", ""),
    "levels_in_lists": ("sign", "The side to move at the root is taken for White"),
}
"""What each mistake is found to be; `unknown` is found, and no experiment shows its cause."""

MAKERS = ("memo_without_depth", "memo_of_placements")
SECONDS = 10  # of the processor, from the first question to the cause


def maker(name: str) -> Any:  # noqa: ANN401 - a class or a function
    found = getattr(mistakes, name)
    return found if isinstance(found, type) or name in MAKERS else lambda: found


def test_there_are_thirty() -> None:
    assert len(MISTAKES) >= 30
    assert sum(kind != "unknown" for kind, _ in MISTAKES.values()) >= 22


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_and_named(name: str) -> None:
    # Those that are slow, or keep mates in another way, are asked as their authors would.
    options: dict[str, Any] = {"limit": 0.5 if name == "depth_counts_moves" else None}
    if name == "MatesFromTheRoot":
        options["against"] = Model(draw="zero", mate="distance")
    begun = time.process_time()
    report = check(make=maker(name), seconds=LONG, **options)
    assert time.process_time() - begun < SECONDS
    explanation = difference_of(report).explanation
    kind, words = MISTAKES[name]
    assert explanation.kind == kind, str(report)
    assert words in str(explanation)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", unusual.RIGHT)
def test_unusual_searches_pass(name: str) -> None:
    assert len(unusual.RIGHT) >= 6
    report = check(make=unusual.RIGHT[name], seconds=5 * SHORT, limit=None, view="mover")
    assert report, str(report)


def test_the_replay_stops_at_the_first_node_that_differs(tmp_path: Path) -> None:
    """The tree is recorded without the search's help; values and windows are its own."""
    report, found = refused(mistakes.colour_not_turned)
    assert found.replay is not None
    trees, line = found.replay.trees, found.replay.line
    assert [move.uci() for move in line] == ["d4e5"]
    assert (trees.a["Ke5"].value, trees.b["Ke5"].value) == (-830, 830)
    page = report.to_html(tmp_path / "replay.html")
    assert '.jump("d4e5")' in page
    assert (tmp_path / "replay.html").read_text(encoding="utf-8") == page
    assert "iframe" in report._repr_html_()
    _, found = refused(mistakes.cut_at_alpha)
    assert found.replay is not None
    root = found.replay.trees.a.root
    windows = [child.window for child in root.children]
    assert windows == [(-200_000, 200_000), (-200_000, root.value)]
    assert root.pruned_count > 0
    assert found.replay.trees.b.root.pruned_count == 0
    with pytest.raises(ValueError, match="nothing to replay: the search is right"):
        check(engine.search, positions=["P5"], depths=[1]).to_html()


@pytest.mark.parametrize(("most", "is_complete"), [(trace.MOST_NODES, True), (20, False)])
@pytest.mark.parametrize("moves", [neighbours.every, neighbours.checks_first])
def test_a_replay_is_complete_unless_the_record_was_full(
    moves: neighbours.Moves, most: int, is_complete: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though moves that are only made to put them in order have no value."""
    monkeypatch.setattr(trace, "MOST_NODES", most)
    search = Negamax(lambda *asked: -neighbours.static(*asked), moves)
    _, found = refused(search, positions=["P5"], depths=[2])
    assert found.replay is not None
    assert found.replay.trees.a.complete == is_complete


def stands_as_white(board: chess.Board, alpha: int, beta: int) -> int:
    """Quiescence whose stand pat is White's score, for both sides."""
    best = balance_of(board)
    for move in [move for move in board.legal_moves if board.is_capture(move)]:
        if best >= beta:
            break
        board.push(move)
        best = max(best, -stands_as_white(board, -beta, -max(alpha, best)))
        board.pop()
    return best


def test_the_replay_of_quiescence_stops_within_it() -> None:
    """Where it stands pat wrongly, in a tree in which captures are played out."""
    report, found = refused(Negamax(stands_as_white, hard=False), quiescence=True, limit=0.3)
    smallest, replay = found.smallest, found.replay
    assert smallest.got.score is not None
    got = smallest.got.score * (1 if smallest.board.turn else -1)
    assert report.view == "mover"
    assert got != smallest.expected.score, "the smallest case is wrong, from the view found out"
    assert replay is not None
    mine, right = replay.trees.a, replay.trees.b
    assert right.root.value == smallest.expected.score
    assert mine.root.value == got
    board = smallest.board
    for move in replay.line:
        assert len(board.move_stack) < smallest.depth or board.is_capture(move) or move.promotion
        board.push(move)
    words = " ".join(move.uci() for move in replay.line)
    one, other = (tree[words].value or 0 for tree in (mine, right))
    assert one == -other != 0, "a sign is wrong there"


def test_values_are_known_though_the_root_has_a_function_of_its_own() -> None:
    board = TracedBoard("8/5Q2/8/4k3/8/8/8/3K4 w - - 0 1")
    with recording(with_values=True) as trace:
        score, _ = negamax.search(board, 1)
    recorder = trace.record(chess.Board(board.fen()), 1, "mover")
    assert len(recorder.nodes) > 20
    assert recorder.root.value == score == max(-(one.value or 0) for one in recorder.root.children)
    assert {one.depth for one in recorder.root.children} == {0}


def test_what_python_chess_takes_back_is_made_again() -> None:
    """It goes back to look for repetitions; the moves then stand where they were made."""
    board = TracedBoard()
    with recording(with_values=False) as trace:
        board.push_san("e4")
        board.copy().is_game_over(claim_draw=True)
        board.can_claim_threefold_repetition()
        board.is_repetition(2)
        board.push_san("e5")
        board.pop()
        board.push_san("c5")
    assert [(node.parent, node.ply) for node in trace.nodes[1:]] == [(0, 1), (1, 2), (1, 2)]
    assert trace.is_faithful(chess.Board())


def test_moves_on_other_positions_are_no_evidence() -> None:
    def set_up(board: chess.Board) -> chess.Board:
        board.set_fen(chess.STARTING_FEN)
        return board

    for change in (set_up, chess.Board.mirror):
        board = TracedBoard()
        with recording(with_values=False) as trace:
            board.push_san("e4")
            change(board).push_san("e4")
        assert not trace.is_faithful(chess.Board())


@pytest.mark.parametrize("said", [math.inf, math.nan, 1_000])
def test_a_depth_that_no_tree_has(said: float) -> None:
    """Quiescence may be given any: then the plies from the root tell it."""

    def quiet(board: chess.Board, depth: float) -> int:
        return balance_of(board)

    def search(board: chess.Board, depth: int) -> None:
        for move in board.legal_moves:
            board.push(move)
            quiet(board, said)
            board.pop()

    with recording(with_values=True) as trace:
        search(TracedBoard(), 1)
    nodes = trace.record(chess.Board(), 1, "mover").root.children
    assert [node.depth for node in nodes] == [0] * 20
