"""Players with an opening book."""

from collections import Counter
from pathlib import Path

import chess
import chess.polyglot
import pytest

import betacut
from betacut import PlayerError, players
from games.players.support import move_of
from games.support import book_entry, pushed, written

ENTRIES = {"e2e4": 60, "d2d4": 30, "g1f3": 10, "a2a3": 0, "e2e5": 99}
"""The last one is illegal."""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    entries = (book_entry(chess.Board(), *one) for one in ENTRIES.items())
    return written(tmp_path / "moves, and more.bin", b"".join(entries))


def drawn(name: str, times: int = 200, **settings: object) -> Counter[str]:
    with betacut.player(name, **settings) as player:
        return Counter(str(player.choose(chess.Board()).move) for _ in range(times))


def test_choices(book: Path) -> None:
    name = f"book:{book}"
    assert drawn(name, choice="best") == {"e2e4": 200}
    weighted = drawn(name, choice="weighted", seed=1)
    assert set(weighted) == {"e2e4", "d2d4", "g1f3"}
    assert weighted["e2e4"] > weighted["d2d4"] > weighted["g1f3"]
    assert weighted == drawn(name, seed=1)  # as it is if nothing is said
    uniform = drawn(name, choice="uniform", seed=1)
    assert set(uniform) == {"e2e4", "d2d4", "g1f3"}
    assert min(uniform.values()) > 40
    assert set(drawn(name, choice="uniform", min_weight=0)) == {"e2e4", "d2d4", "g1f3", "a2a3"}
    assert set(drawn(name, min_weight=30)) == {"e2e4", "d2d4"}


def test_the_book_ends(book: Path) -> None:
    board = pushed("e4")
    with betacut.player(f"book:{book}") as player:
        with pytest.raises(PlayerError, match=r"has no move in .*: give it a fallback=PLAYER"):
            player.choose(board)
        assert player.choose(chess.Board()).move is not None
    with players.parse(f"book:'{book}',fallback='minimax,depth=1'") as player:
        assert player.choose(board).info["depth"] == 1
        assert player.choose(chess.Board()).info == {"string": "book move"}
    fallback = betacut.player("random")
    with betacut.player(f"book:{book}", fallback=fallback) as player:
        move_of(player, board)
    with pytest.raises(PlayerError, match="random is closed"):
        fallback.choose(board)


def test_books_of_other_players(book: Path) -> None:
    """As the originals use them: ChessAI draws any entry, the prototype plays the heaviest."""
    assert {*drawn("chessai.alpha_beta_pruning", depth=1, book=book)} == {"e2e4", "d2d4", "g1f3"}
    assert drawn("didactic.prototype_v2", book=book, depth=1) == {"e2e4": 200}
    light = drawn("didactic.prototype_v2", book=book, depth=1, book_min_weight=61, times=1)
    assert light == drawn("didactic.prototype_v2", depth=1, times=1)
    assert drawn("search", book=book, book_choice="best", times=3) == {"e2e4": 3}
    with chess.polyglot.open_reader(str(book)) as reader:
        assert drawn("random", book=reader, book_choice="best", times=3) == {"e2e4": 3}
        assert len(reader) == 5  # still open


def test_no_repetition_by_the_book(tmp_path: Path) -> None:
    board = pushed("g1f3 g8f6 f3g1 f6g8")
    path = written(tmp_path / "b.bin", book_entry(board, "g1f3", 90) + book_entry(board, "e2e4", 1))
    with betacut.player(f"book:{path}", choice="best") as player:
        assert str(player.choose(board).move) == "e2e4"
        assert str(player.choose(chess.Board()).move) == "g1f3"


@pytest.mark.parametrize(
    ("content", "text"),
    [(b"", "no polyglot book: entries have 16 bytes, it has 0"), (b"x" * 40, "it has 40")],
)
def test_bad_books(tmp_path: Path, content: bytes, text: str) -> None:
    path = written(tmp_path / "b.bin", content)
    for name, settings in ((f"book:{path}", {}), ("search", {"book": path})):
        with pytest.raises(ValueError, match=text):
            betacut.player(name, **settings)
    with pytest.raises(FileNotFoundError, match="there is no file"):
        betacut.player("search", book=tmp_path / "c.bin")
    with pytest.raises(OSError, match="is no regular file"):
        betacut.player("search", book=tmp_path)
    with pytest.raises(TypeError, match="book must be the path of a polyglot file, not int 5"):
        betacut.player("search", book=5)
    with pytest.raises(ValueError, match="choice must be best, weighted or uniform, not 'worst'"):
        betacut.player(f"book:{path}", choice="worst")
