"""The tester of searches: right searches pass, and each planted bug is found and named."""

import itertools
import json
import math
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import chess
import numpy
import pytest

import betacut
from betacut import CheckReport, Recorder, SearchResult, check, engine
from betacut.core.positions import POSITIONS
from betacut.lab.checking import KINDS, CheckError, Model
from betacut.lab.checking.cases import CORNERS, ENDINGS, generated
from betacut.lab.checking.recorder import parting_of
from lab.student_searches import (
    bugs,
    minimax_with_table,
    mistakes,
    negamax,
    neighbours,
    quiet,
    with_recorder,
)
from lab.support import LONG, SHORT, difference_of, flat, refused
from support.commands import ran, run_python

HERE = Path(__file__).parent

BUGS = {
    "wrong_sign": ("sign", "The value of a leaf is White's"),
    "BothMaximise": ("sign", "Both sides maximise"),
    "stalemate_as_mate": ("draws", "Stalemate is scored as a mate"),
    "game_over": ("draws", "is that of board.is_game_over()"),
    "mate_without_distance": ("mate", "Every mate is worth 100,000"),
    "one_ply_short": ("horizon", "stops a ply too early"),
    "window_not_exchanged": ("window", "negated, but not exchanged"),
    "forgotten_pop": ("board", "The board is not left as it was"),
    "last_move": ("move", "last move generated"),
    "TableWithoutDepth": ("table", "mixes depths"),
    "TableWithoutSide": ("table", "forgets the side to move"),
    "BoundAsValue": ("table", "only a bound"),
}
"""What each student search is found to have: the kind of bug, and words of the explanation."""


def maker(name: str) -> Callable[[], Any]:
    """What makes a search anew: in this process, where a fork would tell no more."""
    found = getattr(bugs, name)
    return found if isinstance(found, type) else lambda: found


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", BUGS)
def test_bugs_are_found_and_named(name: str) -> None:
    report = check(make=maker(name), seconds=LONG, limit=None)
    kind, words = BUGS[name]
    assert difference_of(report).explanation.kind == kind
    assert words in flat(report)
    assert report.calls < 2000


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [name for name, (kind, _) in BUGS.items() if kind == "table"])
def test_a_table_that_can_be_made_anew(name: str) -> None:
    """The search alone is right: two questions are the smallest case."""
    found = difference_of(check(make=maker(name), seconds=LONG))
    assert found.explanation.kind == "table"
    assert BUGS[name][1] in found.explanation.text
    earlier, question = found.smallest.questions
    fresh = maker(name)()
    expected = engine.search(question.board, question.depth).score
    assert fresh(question.board, question.depth) == expected
    fresh(earlier.board, earlier.depth)
    assert maker(name)()(question.board, question.depth) == expected


DOCS = ["wrong_sign", "stalemate_as_mate", "mate_without_distance", "window_not_exchanged"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", [*DOCS, "TableWithoutSide"])
def test_the_five_of_the_docs_whatever_the_seed(name: str, seed: int) -> None:
    report = check(make=maker(name), seconds=LONG, limit=None, seed=seed)
    assert difference_of(report).explanation.kind == BUGS[name][0], str(report)


@pytest.mark.parametrize(
    ("search", "view"), [(negamax.search, "mover"), (minimax_with_table.search, "white")]
)
def test_right_searches_pass(search: Any, view: str) -> None:  # noqa: ANN401
    for seconds in (0.25, 1, 2, 4, 60):  # on a busy machine the first is not enough
        report = check(search, seconds=seconds)
        assert report, str(report)
        if report.positions > 10 and all(report.depths.values()):
            break
    assert (report.view, report.view_found) == (view, True)
    assert report.positions > 10
    assert set(report.depths) == {1, 2, 3}
    assert all(report.depths.values())
    report.raise_for_difference()


@pytest.mark.parametrize("name", ["minimax", "alpha_beta_pruning_no_memo"])
def test_the_engine_passes(name: str) -> None:
    assert check(engine.ALGORITHMS[name], seconds=SHORT)
    assert check(engine.ALGORITHMS[name], seconds=SHORT, seed=7, depths=[1, 2, 3, 4])


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_corners_are_asked_soon(seed: int) -> None:
    """In both colours, by any search within the first second."""
    asked = itertools.islice(generated(seed, (1, 2, 3), again=True), 300)
    mirrored = {f"{name}, mirrored" for name in ENDINGS}
    assert {*CORNERS, *ENDINGS, *mirrored} <= {name for name, _ in asked}


def test_a_seed_repeats_a_run() -> None:
    one, same, other = (str(refused(bugs.wrong_sign, seed=seed)[0]) for seed in (0, 0, 9))
    assert one == same != other


def test_the_smallest_case_shows_the_difference() -> None:
    smallest = refused(bugs.stalemate_as_mate)[1].smallest
    assert smallest.board.is_valid()
    assert len(smallest.board.piece_map()) <= 4
    result = engine.search(smallest.board, smallest.depth)
    score, move = bugs.stalemate_as_mate(smallest.board, smallest.depth)
    assert score != result.score or move not in result.best_moves
    assert smallest.expected.score == result.score


def test_views() -> None:
    def of_mover(board: chess.Board, depth: int) -> int:
        return neighbours.sign(board) * engine.search(board, depth).score

    assert check(of_mover, seconds=SHORT).view == "mover"
    assert check(of_mover, seconds=SHORT, view="mover")
    report, found = refused(of_mover, view="white")
    assert found.explanation.kind == "sign"
    assert "when Black is to move" in flat(report)


def fields_of(value: object) -> str:
    """Name the fields of a model that are not the default."""
    known = fields(value) if isinstance(value, Model) else ()
    return "-".join(sorted(one.name for one in known if getattr(value, one.name) != one.default))


@pytest.mark.sampled(6, every="kind")
@pytest.mark.parametrize(
    ("model", "kind", "words"),
    [
        (Model(root="both"), "sign", "wrong sign"),
        (Model(leaf="opponent"), "sign", "not to move"),
        (Model(stalemate="static"), "draws", "Stalemate is not seen"),
        (Model(fifty_moves=False), "draws", "fifty-move rule"),
        (Model(fifty_first=True), "draws", "looked for before mate"),
        (Model(material="none"), "draws", "A draw by insufficient material"),
        (Model(material="bare kings"), "draws", "only that of bare kings"),
        (Model(material="one knight"), "draws", "with a lone bishop is not seen"),
        (Model(material="one bishop"), "draws", "with a lone knight is not seen"),
        (Model(material="one a side"), "draws", "at most one minor piece a side"),
        (Model(material="python-chess"), "draws", "is_insufficient_material"),
        (Model(draw="zero"), "draws", "Draws are worth 0"),
        (Model(mate="static"), "mate", "Mates are not seen"),
        (Model(mate="reversed"), "mate", "wrong sign"),
        (Model(mate="distance", mate_score=30_000), "mate", "30,000 minus"),
        (Model(mate_score=20_000), "mate", "20,000 plus"),
        (Model(leaf_first=True), "mate", "At depth 0"),
        (Model(horizon=1), "horizon", "a ply too far"),
        (Model(fixed_depth=0), "horizon", "The depth is not used"),
        (Model(moves="no underpromotion"), "moves", "queens only"),
        (Model(moves="queens and knights"), "moves", "queens and knights only"),
        (Model(moves="no rooks"), "moves", "do not promote to rooks"),
        (Model(moves="no bishops"), "moves", "do not promote to bishops"),
        (Model(moves="no knights"), "moves", "do not promote to knights"),
        (Model(moves="no en passant"), "moves", "En passant"),
        (Model(moves="no castling"), "moves", "Castling is"),
        (Model(moves="no short castling"), "moves", "Castling on the king's side"),
        (Model(moves="no long castling"), "moves", "Castling on the queen's side"),
        (Model(window="exchanged", captures_first=True), "window", "must be (-beta, -alpha)"),
        (Model(window="as it is", hard=True), "window", "as they are"),
    ],
    ids=fields_of,
)
def test_altered_searches_are_recognised(model: Model, kind: str, words: str) -> None:
    report, found = refused(model, view="white")
    assert found.explanation.kind == kind, str(report)
    assert words in str(found.explanation)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Model(), "Captures are not played out"),
        (Model(quiescence="no promotions"), "promotions are not"),
        (Model(quiescence="no standing pat"), "may not stand pat"),
        (Model(quiescence="captures", leaf_ends=True), "sees mates and draws"),
        (Model(quiescence="captures", stalemate="static"), "Stalemate is not seen"),
    ],
    ids=fields_of,
)
def test_quiescence_is_checked(model: Model, words: str) -> None:
    report, found = refused(model, view="white", quiescence=True)
    assert words in found.explanation.text, str(report)
    assert report.against == "minimax_no_memo with quiescence"


def test_quiescence_is_told_from_minimax() -> None:
    assert "check with quiescence=True" in str(refused(quiet.search)[1].explanation)


def test_quiescence_may_be_right() -> None:
    for against in ("search", "minimax_no_memo", "alpha_beta_pruning_no_memo"):
        report = check(quiet.search, against=against, quiescence=True, view="mover", seconds=SHORT)
        assert report, str(report)
    for fen in POSITIONS.values():
        assert Model(quiescence="captures")(fen, 1) == engine.search(fen, 1, quiescence=True).score
    with pytest.raises(ValueError, match=r"needs one of search, .* in against, not 'minimax'"):
        check(quiet.search, against="minimax", quiescence=True)
    with pytest.raises(TypeError, match="quiescence must be True or False, not str 'captures'"):
        check(quiet.search, quiescence="captures")  # type: ignore[call-overload]


def test_two_causes_together() -> None:
    """Draws worth 0 and mates by distance: what many programs mean."""
    model = Model(draw="zero", mate="distance")
    explanation = refused(model)[1].explanation
    assert (explanation.kind, explanation.agreed) == ("draws", explanation.asked)
    assert "minus its plies from the root" in explanation.others[0]
    assert check(model, against=model, seconds=SHORT)


def test_the_model_is_minimax() -> None:
    for fen in POSITIONS.values():
        for depth in (1, 2):
            assert Model()(fen, depth) == engine.search(fen, depth).score


def test_another_evaluation() -> None:
    def count(board: chess.Board) -> int:
        return neighbours.sign(board) * neighbours.material(board, 0, 0)

    assert refused(Model(evaluation=count))[1].explanation.kind == "evaluation"


def test_what_goes_wrong_at_once() -> None:
    def fails(board: chess.Board, depth: int) -> int:
        raise LookupError("no such square")

    def pops(board: chess.Board, depth: int) -> int:
        board.push(next(iter(board.legal_moves)))
        return 0

    draws = random.Random(1)

    def dice(board: chess.Board, depth: int) -> int:
        return engine.search(board, depth).score + draws.choice([0, 5])

    class NamelessError(Exception):
        def __str__(self) -> str:
            raise LookupError

    def nameless(board: chess.Board, depth: int) -> int:
        raise NamelessError

    def yields(board: chess.Board, depth: int) -> Iterator[float]:
        yield 1 / 0

    def leaves(board: chess.Board, depth: int) -> int:
        board.ep_square = 99
        return 0

    answers: list[tuple[Any, str, str]] = [
        (nameless, "exception", "raised NamelessError (nameless, line"),
        (yields, "exception", "ZeroDivisionError: division by zero (yields, line"),
        (lambda board, depth: itertools.count(), "type", "it returned count"),
        (leaves, "board", "no position: IndexError"),
        (fails, "exception", "LookupError: no such square (fails, line"),
        (pops, "board", "1 move left on the board"),
        (dice, "repeat", "Asked the same again"),
        (lambda board, depth: "e4", "type", "it returned str 'e4'"),
        (lambda board, depth: None, "type", "it returned NoneType None"),
        (lambda board, depth: True, "type", "bool True"),
        (lambda board, depth: float("nan"), "type", "nan"),
        (lambda board, depth: 10**400, "type", "it returned about 10**400"),
        (lambda board, depth: (0, "x9"), "type", "the move is 'x9'"),
        (lambda board, depth: (0, chess.Move.null()), "illegal move", "'0000'"),
        (lambda board, depth: (*engine.search(board, depth), "9"), "type", "third value"),
    ]
    for search, kind, words in answers:
        report, found = refused(search, view="white")
        assert found.explanation.kind == kind, str(report)
        assert words in flat(report)
        assert set(KINDS) >= {kind}


@pytest.mark.parametrize("form", [numpy.int64, lambda score: (numpy.float32(score), None)])
def test_what_is_right_may_be_numpys(form: Callable[[int], Any]) -> None:
    def against(*asked: Any) -> Any:  # noqa: ANN401
        return form(engine.search(*asked).score)

    assert check(engine.search, against=against, positions=["P5"], depths=[1], limit=None)


def test_infinity_in_json() -> None:
    report, _ = refused(lambda board, depth: -math.inf)
    found = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert found["difference"]["smallest"]["got"] == "-inf"


def test_answers_in_many_forms() -> None:
    forms: list[Callable[[SearchResult], object]] = [
        lambda found: float(found.score),
        lambda found: found,
        lambda found: (found.move, found.score),
        lambda found: (found.score, found.best_moves[-1].uci()),
    ]
    for form in forms:
        report = check(lambda *asked, form=form: form(engine.search(*asked)), seconds=SHORT)
        assert report, str(report)
    report, _ = refused(lambda board, depth: (engine.search(board, depth).score, None))
    assert "no move is returned" in flat(report)


def test_castling_in_the_other_notation() -> None:
    """A board takes the king's move and the move onto the rook, with and without Chess960."""
    for uci, is_960 in (("e1h1", False), ("e1g1", True)):

        def search(board: chess.Board, depth: int, uci: str = uci) -> tuple[int, str]:
            return engine.search(board, depth).score, uci

        board = chess.Board(CORNERS["castling"], chess960=is_960)
        report = check(search, positions=[board], depths=[1], view="white")
        assert report, str(report)


def test_the_board_is_its_own() -> None:
    board = chess.Board(POSITIONS["P5"])
    check(lambda given, depth: given.clear() or 0, positions=[board], seconds=SHORT, limit=None)  # type: ignore[func-returns-value]
    assert board.fen() == POSITIONS["P5"]


def counted(board: chess.Board, depth: int) -> tuple[int, chess.Move | None, int]:
    result = engine.alpha_beta_pruning_no_memo(board, depth)
    return result.score, result.move, sum(result.statistics.root_calls.values())


def test_counts() -> None:
    name = "alpha_beta_pruning_no_memo"
    assert check(counted, against=name, counts=True, seconds=SHORT)

    def without_root(board: chess.Board, depth: int) -> Any:  # noqa: ANN401
        score, move, nodes = counted(board, depth)
        return score, move, nodes - 1

    report, found = refused(without_root, against=name, counts=True)
    assert found.explanation.kind == "counts"
    assert "The root is not counted" in flat(report)
    report, _ = refused(counted, against="minimax", counts=True)
    assert "in the order of engine.legal_moves" in flat(report)
    report, _ = refused(negamax.search, against=name, counts=True)
    assert "No count was returned" in flat(report)


def test_recorded_nodes() -> None:
    recorder = with_recorder.recorder
    options: Any = {"counts": True, "against": "alpha_beta_pruning_no_memo", "seconds": SHORT}
    assert check(with_recorder.search, recorder=recorder, **options)
    report = check(with_recorder.wrong_search, recorder=recorder, seconds=LONG, limit=None)
    found = difference_of(report)
    assert found.explanation.kind == "window"
    assert found.parting is not None
    assert found.parting.value != found.parting.expected
    assert found.parting.child is not None
    assert f"First wrong node: {found.parting}" in flat(report)


def test_a_recorded_tree() -> None:
    board = chess.Board(POSITIONS["P5"])
    recorder = with_recorder.recorder
    recorder.clear()
    score = with_recorder.search(board, 2)
    tree = recorder.tree(board)
    result = engine.alpha_beta_pruning_no_memo(board, 2)
    assert tree.root.value == score == result.score
    assert len(recorder.nodes) == sum(result.statistics.root_calls.values())
    assert parting_of(recorder, board, lambda *_: 0) is not None

    def exact(at: chess.Board, left: int) -> int:
        return engine.search(at, left).score if left else engine.evaluate_position(at)

    assert parting_of(recorder, board, exact) is None


def test_null_moves_are_recorded() -> None:
    recorder, null = Recorder(view="white"), chess.Move.null()
    with recorder.node(None, 1) as root:
        for move, value in ((null, 0), (chess.Move.from_uci("e2e4"), 40)):
            with recorder.node(move, 0) as node:
                node.value = value
        root.value = 40
    tree = recorder.tree("startpos")
    assert (tree["--"].value, tree.root.pruned_count) == (0, 19)

    def right(at: chess.Board, left: int) -> int:
        return 50 if left else engine.evaluate_position(at)

    # No bound for the moves that follow: the window of e4 is right, the value of the root is not.
    found = parting_of(recorder, chess.Board(), right)
    assert found is not None
    assert (found.line, found.expected, found.child) == ((), 50, None)
    with pytest.raises(ValueError, match="recorded move 0000 is not legal"):
        recorder.tree("4k3/8/8/8/8/8/8/K3r3 w - - 0 1")


def test_a_replay_with_null_moves() -> None:
    """They are tried in zugzwang, too."""
    asked: dict[str, Any] = {"positions": ["8/8/8/8/8/8/2P2K1p/7k w - - 0 1"], "depths": [3]}
    _, found = refused(mistakes.null_move_in_an_exact_search, **asked)
    assert found.replay is not None
    assert any(found.replay.trees.a.find(move="--"))


def test_a_recorder_after_an_exception() -> None:
    recorder = Recorder()
    failing: dict[str, int] = {}
    with pytest.raises(KeyError), recorder.node(None, 1):
        recorder.enter(chess.Move.from_uci("e2e4"), failing["depth"])
    with recorder.node(None, 1) as node:
        node.value = 3
    assert recorder.root is node
    assert (node.parent, node.children) == (None, [])
    assert not recorder.tree("startpos").complete
    recorder.clear()
    recorder.enter(None, 1).value = 3
    assert not recorder.tree("startpos").complete
    recorder.leave(3)
    assert recorder.tree("startpos").complete
    recorder.clear()
    with pytest.raises(ValueError, match="nothing was recorded"):
        _ = recorder.root
    with pytest.raises(ValueError, match="no node is open"):
        recorder.leave(3)


def test_a_record_that_is_none() -> None:
    """Nodes that are never left lie too deep to be sent; a value may be anything."""
    recorder = Recorder(view="white")

    def enters(board: chess.Board, depth: int) -> int:
        for _ in range(2_000):
            recorder.enter(None, depth, numpy.int64(-5), numpy.float32(5))
        return engine.search(board, depth).score

    asked: dict[str, Any] = {"recorder": recorder, "positions": ["P5"], "depths": [1]}
    with pytest.warns(UserWarning, match=r"record of the search is lost: .* leave\(\) for each"):
        assert check(enters, **asked)
    assert recorder.nodes == []
    with recorder.node(None, 1) as node:
        node.value = "7"  # type: ignore[assignment]
    assert parting_of(recorder, chess.Board(), lambda *_: 0) is None
    assert recorder.tree("startpos").root.value is None


def test_reports() -> None:
    good = check(engine.minimax, positions=["P5"], depths=[1])
    assert str(good) == (
        "No difference from minimax_no_memo in 1 position (2 at depth 1); "
        "scores from White's view (found out), seed 0."
    )
    bad, _ = refused(bugs.wrong_sign)
    assert (bool(good), bool(bad)) == (True, False)
    with pytest.raises(CheckError, match="The value of a leaf is White's"):
        bad.raise_for_difference()
    assert issubclass(CheckError, AssertionError)
    assert "<svg" in bad._repr_html_()
    assert "&lt;" not in good._repr_html_()
    assert bad.difference is not None
    assert bad.difference.position == bad.difference.first.position
    assert bad.difference.expected == engine.search(bad.difference.position, 2).score
    assert max(map(len, str(bad).splitlines()[:-1])) < 160
    assert betacut.check is check
    assert isinstance(bad, CheckReport)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give search or make, not neither"),
        ({"search": engine.search, "make": lambda: engine.search}, "give search or make, not both"),
        ({"search": 5}, "search must be a function, not int 5"),
        ({"search": bugs.BoundAsValue}, "not a class: give make=BoundAsValue"),
        ({"make": lambda: 5}, "make() must return a function of a board and a depth, not int 5"),
        ({"search": engine.search, "against": lambda *_: "e4"}, "against() must return a score"),
    ],
)
def test_mistakes(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        check(**arguments)


def test_chess960() -> None:
    positions: list[chess.Board | str] = ["4k3/8/8/8/8/8/8/1R1K3R w HB - 0 1"]
    positions.append(chess.Board.from_chess960_pos(1))
    assert check(engine.minimax, positions=positions, depths=[1, 2], again=False)
    assert not check(lambda *_: 7, positions=positions, depths=[1], again=False, limit=None)


@pytest.mark.parametrize(
    ("text", "said"),
    [("def search(:", "SyntaxError"), ("raise SystemExit", "SystemExit"), ("quit()", "SystemExit")],
)
def test_a_module_that_cannot_be_imported(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "my_broken_search", raising=False)
    (tmp_path / "my_broken_search.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    result = ran("check", "my_broken_search:search", status=2)
    assert f"cannot import 'my_broken_search': {said}" in result.output


def test_deeper_entries_may_be_meant() -> None:
    """A table whose deeper entries answer passes if nothing is asked less deep afterwards."""
    cache = engine.Cache()

    def search(board: chess.Board, depth: int) -> int:
        return engine.alpha_beta_pruning(board, depth, cache=cache).score

    positions = ["P5", "P6", "start"]
    assert check(search, positions=positions, depths=[1, 2], again=False)
    report = check(search, positions=positions, depths=[1, 3], seconds=LONG)
    assert not report
    assert "a deeper search stored" in flat(report)


def test_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(HERE / "student_searches")
    monkeypatch.setattr(sys, "path", [*sys.path])  # to which the command adds
    options = ["--seconds", "0.1", "-d", "1", "-d", "2", "--against", "search"]
    for name in ("negamax:search", "negamax.py:search"):
        assert "No difference from search " in ran("check", name, *options).output
    page = tmp_path / "page.html"
    options = ["-d", "1", "-d", "2", "--seconds", "60", "--html", str(page)]
    bad = ran("check", "bugs:wrong_sign", *options, status=1)
    assert "Why: The value of a leaf is White's" in bad.stdout
    page.unlink()
    none = ran("check", "bugs.py:none", *options, status=1)
    assert not page.exists()
    assert none.stderr.strip() == "the search could not be made: there is no page to write"
    whole = ran("check", "bugs.py", *options, status=2)
    assert "--html is for one search: name it, bugs.py:FUNCTION" in flat(whole.stderr)
    options = ["--seconds", "60", "--view", "white", "--json"]
    found = ran("check", "bugs:TableWithoutDepth", *options, status=1)
    made = json.loads(found.stdout)["difference"]
    assert made["kind"] == "table"
    assert "mixes depths" in made["explanation"]
    assert made["smallest"]["expected"] != made["smallest"]["got"]


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("never_ends:leaves", 1, "nothing to replay: the search raised an exception"),
        ("never_ends:exits", 1, "nothing to replay: the process of the search ended"),
        ("negamax:search", 0, "nothing to replay: the search is right"),
    ],
)
def test_command_without_a_replay(name: str, status: int, said: str, tmp_path: Path) -> None:
    """The report is printed all the same."""
    page = tmp_path / "page.html"
    options = ["-d", "1", "--seconds", "0.1", "--html", page]
    found = ran("check", f"lab.student_searches.{name}", *options, status=status)
    assert found.stderr.strip() == said
    assert "minimax_no_memo" in found.stdout
    assert not page.exists()


def test_the_fixture_loads_nothing() -> None:
    loaded = "{'chess', 'betacut._betacut'} & {*sys.modules}"
    done = run_python("-c", f"import sys, betacut.pytest_plugin; print({loaded})")
    assert done.stdout == "set()\n"
