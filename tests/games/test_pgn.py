"""The reader of games: faults, ways to write a move, files of all kinds."""

import html
import os
import threading
from pathlib import Path

import chess
import chess.pgn
import pyarrow as pa
import pytest
from chess.engine import Limit, PlayResult

from betacut import review
from betacut.datasets.formats.registry import open_source
from betacut.games.pgn import read_file, read_text
from betacut.games.review import GameReview
from datasets.support import rows_of
from games.support import games_in, run, written
from support.players import Scoring

TWELVE = {
    2: ("e5 2. Nf3 Nc6", "-- 2. d4 d5", "1... -- is not legal: it is a null move", "1. e4"),
    4: ("Nc6", "Nc9 3. Bb5 {nice} a6", '2... "Nc9" is no move that can be read', "2. Nf3"),
    6: ("2. Nf3 Nc6", "2. Nd4 Nc6", "2. Nd4 is not legal", "1... e5"),
    9: ("Nc6", "Nc6 {no end", "the comment that begins at byte 516 is never closed", "2... Nc6"),
    11: ("1. e4 e5", "1. e5", "1. e5 is not legal", ""),
}
"""Games of a file of twelve: what stands there instead, what is wrong, and the last good move."""


@pytest.fixture
def twelve(tmp_path: Path) -> Path:
    """A file in Latin-1; some of its games cannot be read to their end."""
    games = []
    for number in range(1, 13):
        moves = "1. e4 e5 2. Nf3 Nc6 *".replace(*TWELVE.get(number, ("", ""))[:2])
        games.append(f'[Event "{number}"]\n[White "St\xe5hlberg"]\n\n{moves}\n\n')
    return written(tmp_path / "twelve.pgn", "".join(games).encode("latin-1"))


def test_every_game_of_a_file_is_accounted_for(twelve: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "out.pgn", tmp_path / "out.html"
    result = run("review", twelve, "-p", "search", "-d", "1", "--pgn", out, "--html", page)
    assert result.exit_code == 1
    said = {}
    for number, (_, _, reason, last) in TWELVE.items():
        until = f"; it is read up to {last}" if last else ""
        said[number] = f"{'reviewed in part' if last else 'not reviewed'}: {reason}{until}"
    sums = result.stdout.splitlines()[-6:]
    assert sums[0] == "games    12: 7 reviewed, 4 in part, 1 not"
    assert sums[1:] == [f"{f'game {number}':<9}{text}" for number, text in said.items()]
    errors = [f"betacut: game {number}: {text}" for number, text in said.items()]
    assert result.stderr.splitlines() == errors
    written = list(read_file(out))
    assert [len(one.moves) for one in written] == [4, 1, 4, 3, 4, 2, 4, 4, 4, 4, 0, 4]
    assert [dict(one.tags)["Event"] for one in written] == [str(n) for n in range(1, 13)]
    assert {dict(one.tags)["White"] for one in written} == {"St\xe5hlberg"}
    texts = [" ".join(one.text.decode().split()) for one in written]
    for number, (_, _, reason, _) in TWELVE.items():
        assert reason in texts[number - 1]
        assert reason in html.unescape(page.read_text(encoding="utf-8"))
    # What was not read is there too.
    assert "Not read: -- 2. d4 d5 *" in texts[1]
    assert "Not read: Nc9 3. Bb5 (nice) a6 *" in texts[3]
    assert texts[10].endswith("{ Not reviewed: 1. e5 is not legal. } 1. e5 2. Nf3 Nc6 *")
    with out.open(encoding="utf-8") as file:  # for other readers, too
        assert sum(chess.pgn.skip_game(file) for _ in range(13)) == 12


def test_the_datasets_read_what_a_review_reads(twelve: Path) -> None:
    rows = rows_of(open_source(twelve), 100)
    for one in read_file(twelve):
        of_game = [row for row in rows if row["game"] == one.number]
        fault = f"game {one.number} (at byte {one.offset}): {one.fault}"
        assert [row["move"] for row in of_game if row["move"]] == one.moves
        assert [row["error"] for row in of_game if row["error"]] == [fault] * bool(one.fault)
    assert {row["game"] for row in rows} == {*range(1, 13)}
    assert {row["white"] for row in rows} == {"St\xe5hlberg"}


def test_a_player_that_fails_at_one_game_does_not_end_the_others(tmp_path: Path) -> None:
    path = written(tmp_path / "games.pgn", "1. d4 *\n\n1. e4 e5 *\n\n1. c4 *\n")

    class Moody(Scoring):
        def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
            if board.piece_at(chess.E4):
                raise ValueError("not after e4")
            return super().choose(board, limit)

    found = list(review.review_file(path, player=Moody(0), limit=Limit(depth=2)))
    assert [isinstance(one, GameReview) for one in found] == [True, False, True]
    assert "not after e4" in found[1].problem
    written(path, "1. e4 *\n\n1. e4 e5 *\n\n1. c4 *\n")
    with pytest.raises(ValueError, match="not after e4"):
        list(review.review_file(path, player=Moody(0), limit=Limit(depth=2)))


def test_a_null_move_ends_the_review_of_a_game() -> None:
    (game,) = games_in("1. e4 -- 2. d4 d5 *")
    found = review.review(game, player="search", limit=Limit(depth=1))
    assert [move.san for move in found.moves] == ["e4"]
    reason = "1... -- is not legal: it is a null move; it is read up to 1. e4"
    assert found.ends == reason
    assert found.to_dict()["ends"] == reason
    assert f"\nreviewed in part: {reason}\n" in str(found)
    pgn = found.to_pgn().replace("\n", " ")
    assert f"The review ends here: {reason}." in pgn
    assert "1... -- 2. d4 d5 *" in pgn
    assert len(list(game.mainline())) == 4  # the game itself is as it was


def test_moves_are_read_in_long_notation() -> None:
    """The compiled reader and python-chess, which adds the comments, read the same."""
    text = "1. e2-e4 {a} d7d5 2. ed5 {b} Qd8xd5 3. Ng1-f3 {c} Qf3= 4. Qd1xf3 *"
    found = review.review(text, player="search", limit=Limit(depth=1))
    assert [move.san for move in found.moves] == ["e4", "d5", "exd5", "Qxd5", "Nf3", "Qxf3", "Qxf3"]
    assert not found.ends
    assert all(comment in found.to_pgn() for comment in ("{ a ", "{ b ", "{ c "))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"])
def test_comments_up_to_the_end_of_the_line_are_kept(end: str) -> None:
    text = "1. e4 ; best {by} (test\n{so\nlid ; } e5 ({x} 1... c5 ; or so\n) ;\n2. Nf3 *"
    (game,) = (one.game() for one in read_text(text.replace("\n", end)))
    assert not game.errors
    assert [node.comment for node in game.mainline()] == ["best (by) (test so\nlid ;", "", ""]
    assert game.next() is not None
    assert game.variations[0].variations[1].comment == "or so"


@pytest.mark.parametrize("variant", ["?", "-", "", "fromposition", " Standard "])
@pytest.mark.parametrize("moves", ["1. e4 e5 *", "1. e4 Ke7 *"])
def test_ways_to_write_that_it_is_chess(variant: str, moves: str) -> None:
    (one,) = read_text(f'[Variant "{variant}"]\n\n{moves}')
    game = one.game()
    assert [move.uci() for move in game.mainline_moves()] == one.moves != []
    assert "Variant" not in game.headers
    assert [str(error) for error in game.errors] == ([one.fault] if one.fault else [])


@pytest.mark.parametrize("variant", ["chess-960", "Fischer-Random", " Chess960 "])
def test_ways_to_write_that_it_is_chess960(variant: str) -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    (one,) = read_text(f'[Variant "{variant}"]\n[FEN "{fen}"]\n\n1. O-O *')
    assert one.game().board().chess960
    assert [move.uci() for move in one.game().mainline_moves()] == one.moves == ["e1h1"]


def test_a_broken_variation_harms_nothing_else() -> None:
    text = "1. e4 e5 (1... Nf5 2. Nf3) 2. Nf3 $2 (2. f4 exf4 3. Qh6 $1 (3. Nf3)) {so} Nc6 *"
    found = review.review(text, player="search", limit=Limit(depth=1))
    assert [move.san for move in found.moves] == ["e4", "e5", "Nf3", "Nc6"]
    assert not found.ends
    pgn = " ".join(found.to_pgn().split())
    assert "Of a variation, not read: illegal san: 'Nf5'." in pgn
    assert "2. f4 exf4 { Of a variation, not read: illegal san: 'Qh6'. }" in pgn
    assert "so" in pgn


def test_games_from_a_pipe_and_compressed(tmp_path: Path) -> None:
    path, pipe = tmp_path / "games.pgn.zst", tmp_path / "pipe"
    with pa.CompressedOutputStream(path, "zstd") as stream:
        stream.write(b"1. e4 e5 *\n\n1. d4 *\n")
    assert [one.moves for one in read_file(path)] == [["e2e4", "e7e5"], ["d2d4"]]
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(ValueError, match=r"cannot read .*its compression is cut short"):
        list(review.read_games(path))
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_text, args=("1. e4 e5 *\n",))
        writer.start()
        assert [one.moves for one in read_file(pipe)] == [["e2e4", "e7e5"]]
        writer.join()
