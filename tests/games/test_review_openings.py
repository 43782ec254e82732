"""The openings of reviewed games: the table, and how it is used."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

import chess
import pytest
from chess.engine import Cp, Limit, PovScore

from betacut import review
from betacut.games.review import MoveReview, OpeningName, names
from games.support import games_in, pushed

TABLE = files("betacut.games").joinpath(names.FILE).read_text(encoding="utf-8").splitlines()
ROWS = [line.split("\t") for line in TABLE[1:]]

DEPTH_1 = Limit(depth=1)


CARO_KANN = "rnbqkbnr/pp2pppp/2p5/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3"
OTHER = "rnbqkbnr/pp2pppp/2p5/3p4/3PP3/8/1PP2PPP/RNBQKBNR w KQkq - 0 3"


def test_the_table() -> None:
    """Every line is legal, no position has two names, and no code or name is malformed."""
    assert TABLE[0] == "eco\tname\tmoves"
    assert len(ROWS) >= 150
    assert set(Counter(pushed(moves).epd() for _, _, moves in ROWS).values()) == {1}
    for eco, name, moves in ROWS:
        assert re.fullmatch(r"[A-E]\d\d", eco)
        assert name == name.strip()
        assert name.isprintable()
        board = chess.Board()
        for san in moves.split():  # as it is written by python-chess, too
            assert board.san_and_push(board.parse_san(san)) == san
    assert [eco for eco, _, _ in ROWS] == sorted(eco for eco, _, _ in ROWS)
    assert {eco[0] for eco, _, _ in ROWS} == set("ABCDE")


@pytest.mark.parametrize(
    ("game", "eco", "name", "plies"),
    [
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4", "C70", "Ruy Lopez: Morphy Defense", 7),
        ("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. h3", "B90",
         "Sicilian Defense: Najdorf Variation", 10),
        ("1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5", "D30", "Queen's Gambit Declined", 4),
        # By another order of moves.
        ("1. c4 e6 2. d4 d5", "D30", "Queen's Gambit Declined", 4),
        ("1. Nf3 d5 2. d4 Nf6 3. c4 e6 4. Nc3", "D37",
         "Queen's Gambit Declined: Three Knights Variation", 7),
        ("1. Nc3 e5 2. e4", "C25", "Vienna Game", 3),
        ("1. h4 e5", None, None, None),
        # The tags of a game come first.
        ('[ECO "C20"]\n[Opening "King\'s Pawn, my way"]\n\n1. e4 e5', "C20",
         "King's Pawn, my way", None),
        ('[ECO "?"]\n[Opening "?"]\n\n1. e4 e5', "C20", "King's Pawn Game", 2),
        ('[ECO "C20"]\n\n1. h4 e5', None, None, None),
        # A position is named wherever the game began; one that is not in the table is not.
        (f'[FEN "{CARO_KANN}"]\n\n3. e5', "B12", "Caro-Kann Defense: Advance Variation", 1),
        (f'[FEN "{OTHER}"]\n\n3. e5', None, None, None),
    ],
)  # fmt: skip
def test_names_are_found_by_position(
    game: str, eco: str | None, name: str | None, plies: int | None
) -> None:
    found = review.review(f"{game} *", player="search", limit=DEPTH_1).opening
    assert found == (OpeningName(eco, name, plies) if eco and name else None)
    assert found is None or str(found) == f"{eco} {name}"


def test_moves_of_the_book_have_no_verdict() -> None:
    def judged(moves: str, move: str) -> MoveReview:
        board = pushed(moves)
        best = next(one for one in board.legal_moves if board.san(one) != move)
        score, best_score = PovScore(Cp(-100), board.turn), PovScore(Cp(100), board.turn)
        played = board.parse_san(move)
        return MoveReview(1, board.fen(), played, best, score, best_score, (best,), 1, False)

    book = judged("e4 e5 Nf3", "f6")
    assert (book.book, book.verdict, book.nag, book.remark) == (True, "", None, "")
    # A position on the way to a named one is known, too.
    assert judged("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6", "Nc3").book
    other = judged("e4 e5 Nf3", "g5")
    assert (other.book, other.verdict) == (False, "blunder")
    assert book.to_dict()["book"]
    assert not other.to_dict()["book"]


def test_the_opening_is_in_every_form() -> None:
    found = review.review("1. e4 e5 2. Nf3 d6 3. d4 h6 *", player="search", limit=DEPTH_1)
    assert "\nC41 Philidor Defense\n" in str(found)
    assert found.to_dict()["opening"] == {"eco": "C41", "name": "Philidor Defense", "plies": 4}
    assert "<p>C41 Philidor Defense</p>" in found.to_html()
    (written,) = games_in(found.to_pgn())
    assert (written.headers["ECO"], written.headers["Opening"]) == ("C41", "Philidor Defense")
    assert [move.book for move in found.moves] == [True] * 5 + [False]
    kept = review.review('[ECO "C99"]\n\n1. e4 e5 *', player="search", limit=DEPTH_1).to_pgn()
    assert '[ECO "C99"]' in kept
