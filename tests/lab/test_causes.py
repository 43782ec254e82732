"""A cause is named after the experiment that tells it from its neighbours, else it is not named."""

import random
from collections.abc import Callable
from typing import Any

import chess
import pytest

from betacut import CheckReport, check, engine
from betacut.core.positions import POSITIONS
from betacut.lab.checking import Model
from lab.student_searches import minimax_with_table, negamax, neighbours, table_keys
from lab.student_searches.bugs import BoundAsValue
from lab.student_searches.neighbours import Negamax
from lab.support import LONG, SHORT, difference_of, refused

Search = Callable[[chess.Board, int], Any]


def asked(make: Callable[[], Search], way: str, **options: Any) -> CheckReport:  # noqa: ANN401
    """Check a search that is made anew, or is one, in a process of its own or here."""
    limit = 5.0 if way == "search" else None
    asking: dict[str, Any] = {"make": make} if way == "make" else {"search": make(), "limit": limit}
    report: CheckReport = check(**asking, **options)
    return report


def said_of(report: CheckReport) -> tuple[str, str]:
    """The kind and the text of the explanation."""
    explanation = difference_of(report).explanation
    return explanation.kind, str(explanation)


def explained(search: Search, **options: Any) -> tuple[str, str]:  # noqa: ANN401
    return said_of(refused(search, **options)[0])


FORGOTTEN: dict[type[Any], str] = {
    table_keys.WithoutClock: "forgets the halfmove clock:",
    table_keys.Zobrist: "forgets the halfmove clock:",
    table_keys.PlainMemo: "forgets the halfmove clock:",
    table_keys.WithoutCastling: "forgets the castling rights:",
    table_keys.WithoutEnPassant: "forgets the en passant square:",
    table_keys.WithoutRights: "forgets the castling rights and the en passant square:",
    BoundAsValue: "only a bound",
}


@pytest.mark.sampled(8, every="way")
@pytest.mark.parametrize("search", FORGOTTEN, ids=lambda search: search.__name__)
@pytest.mark.parametrize("way", ["search", "make", "no process"])
def test_what_a_key_forgets(search: type[Any], way: str) -> None:
    """What is named is what the key lacks, and nothing else, however the search is given."""
    kind, text = said_of(asked(search, way, seconds=LONG))
    assert kind == "table"
    assert FORGOTTEN[search] in text
    assert not [said for said in FORGOTTEN.values() if said in text and said != FORGOTTEN[search]]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("search", [table_keys.Occupied, table_keys.LastAnswer])
def test_what_no_experiment_shows_is_not_named(search: type[Any]) -> None:
    kind, text = said_of(check(make=search, seconds=LONG, limit=None))
    assert kind in ("table", "repeat")
    assert not [word for word in ("forgets", "depths", "bound") if word in text]


NEIGHBOURS: dict[str, tuple[Search, str, str]] = {
    "ties": (Negamax(choice="lot"), "move", "only a bound"),
    "not less": (Negamax(choice="not less"), "move", "only a bound"),
    "not less, soft": (Negamax(choice="not less", hard=False), "move", "only a bound"),
    "last": (Negamax(choice="last"), "move", "last move generated"),
    "material": (Negamax(neighbours.material), "evaluation", "worth their material only"),
    "tempo": (Negamax(neighbours.tempo), "evaluation", "The static evaluation differs"),
    "quiescence": (
        Negamax(neighbours.quiescence),
        "quiescence",
        "promotions are not. Also: The evaluation",
    ),
    "beam": (Negamax(moves=neighbours.best_eight), "moves", "Moves are left out"),
    "beam, twice": (neighbours.twice, "moves", "Moves are left out: not every legal move"),
    "captures": (Negamax(moves=neighbours.captures_at_last), "unknown", ""),
    "list": (Negamax(moves=neighbours.changed_while_read), "moves", "Moves are left out"),
    "castling": (Negamax(moves=neighbours.black_castles_short), "unknown", ""),
    "pinned pieces": (
        Negamax(neighbours.material_and_checks, moves=neighbours.pinned_pieces_too),
        "evaluation",
        "worth their material only",
    ),
    "claims": (Negamax(neighbours.checks, end=neighbours.claimed), "unknown", ""),
    "set anew": (neighbours.set_anew, "unknown", ""),
    "turned round": (neighbours.turned_round, "unknown", ""),
    "reductions": (Negamax(reduces=True), "unknown", "leaves moves out"),
    "two plies": (
        lambda board, depth: Negamax()(board, min(depth, 2)),
        "horizon",
        "The search stops 2 plies deep at depth 3.",
    ),
    "null moves": (
        Negamax(
            neighbours.after_passing,
            moves=neighbours.threatened_first,
            window=lambda alpha, beta: (-beta, -alpha - 40),
        ),
        "unknown",
        "leaves moves out",
    ),
}
"""Searches whose wrong answers look like those of other bugs; what is said of them."""


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", NEIGHBOURS)
def test_neighbours(name: str) -> None:
    search, kind, words = NEIGHBOURS[name]
    found, text = explained(search, depths=[1, 2, 3])
    assert found == kind, text
    assert words in text
    assert "worst" not in text
    assert "window" not in text or kind == "move"


def test_a_move_by_lot_is_not_something_that_is_kept() -> None:
    random.seed(1)
    kind, text = explained(Negamax(choice="lot", hard=False))
    assert kind == "move"
    assert "kept" not in text


def test_what_stays_large_is_not_predicted() -> None:
    """Models would search it for hours, and keep its tree."""
    fen = POSITIONS["kiwipete"]

    def collides(board: chess.Board, depth: int) -> int:
        return engine.search(board, depth).score + 7 * (depth == 5 and board.fen() == fen)

    kind, text = explained(collides, positions=[fen], depths=[5], seconds=20, view="white")
    assert kind == "unknown"
    assert "each of the 48 children has the right value" in text


def test_a_child_that_ends_the_game_cannot_be_asked() -> None:
    """Its value may be the wrong one, so nothing is said to be cut."""

    def end(board: chess.Board, depth: int) -> int | None:
        return -8 * depth if negamax.is_drawn(board) else neighbours.over(board, depth)

    fen = "8/8/8/4k3/4P3/8/8/4KB2 b - - 0 1"
    kind, text = explained(Negamax(end=end), positions=[fen], depths=[2])
    assert (kind, "cuts" in text) == ("unknown", False), text
    assert "at which the game goes on has the right value at depth 1; after Kxe4 it is over" in text


def test_rules_that_choose_a_move() -> None:
    def first(board: chess.Board, depth: int) -> tuple[int, chess.Move]:
        return engine.search(board, depth).score, next(iter(board.legal_moves))

    def shallow(board: chess.Board, depth: int) -> tuple[int, chess.Move | None]:
        return engine.search(board, depth).score, engine.search(board, max(depth - 1, 1)).move

    def worst(board: chess.Board, depth: int) -> tuple[int, chess.Move]:
        lines = engine.search(board, depth, multipv="all").lines
        return lines[0].score, lines[-1].move

    for search, words in (
        (first, "always the first move generated"),
        (shallow, "a ply less deep"),
        (worst, "always a move with the worst value"),
    ):
        kind, text = explained(search)
        assert (kind, words in text) == ("move", True), text


@pytest.mark.sampled(6)
@pytest.mark.parametrize("leaf", [neighbours.material, neighbours.tempo, neighbours.quiescence])
@pytest.mark.parametrize("is_mover", [True, False])
def test_the_view_of_a_search_that_evaluates_otherwise(leaf: Any, is_mover: bool) -> None:  # noqa: ANN401
    search = Negamax(leaf)

    def of_white(board: chess.Board, depth: int) -> int:
        return neighbours.sign(board) * search(board, depth)[0]

    report, _ = refused(search if is_mover else of_white, seconds=10)
    assert report.view == ("mover" if is_mover else "white")
    assert report.view_is_decided
    assert "found out" in str(report)


def test_a_view_that_the_answers_do_not_decide() -> None:
    report, _ = refused(lambda board, depth: 0, seconds=1)
    assert not report.view_is_decided
    assert "a guess" in str(report)
    report, _ = refused(lambda board, depth: 0, seconds=1, view="mover")
    assert report.view_is_decided


@pytest.mark.parametrize("way", ["search", "make", "no process"])
def test_right_searches_pass(way: str) -> None:
    for search in (minimax_with_table.Search, lambda: negamax.search, lambda: Negamax()):
        view = "white" if search is minimax_with_table.Search else "mover"
        report = asked(search, way, seconds=SHORT, view=view)
        assert report, str(report)


def test_a_model_that_explains_one_case_only_is_no_cause() -> None:
    """Wrong in one position, as a search that does not castle would be."""
    corner = "4k3/8/8/8/8/8/3Q4/4K2R w K - 0 1"
    without = Model(moves="no castling")(corner, 1)

    def search(board: chess.Board, depth: int) -> int:
        if board.fen() == corner and depth == 1:
            return int(without)
        return engine.search(board, depth).score

    kind, _ = explained(search, positions=[corner], depths=[1], view="white")
    assert kind == "unknown"
