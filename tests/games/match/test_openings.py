"""Openings: those in the package are what the recipe says; files are read, faults are told."""

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import chess
import pytest

from betacut import engine, openings
from betacut.games.match import OpeningBook, read_openings
from betacut.games.openings import Opening, balanced
from games.support import book_entry, pushed, written


def test_there_are_500_different_ones_that_repeat_no_position() -> None:
    assert len(balanced()) == openings.COUNT == 500
    assert len({opening.board().epd() for opening in balanced()}) == 500
    for opening in balanced():
        assert opening.fen == chess.STARTING_FEN
        assert len(opening.moves) == openings.PLIES
        board = opening.board()
        assert board.is_valid()
        assert not board.is_check()
        assert not board.is_game_over()
        while board.move_stack:
            assert not board.is_repetition(2)
            board.pop()


def test_they_begin_in_many_ways() -> None:
    first = Counter(opening.moves[0] for opening in balanced())
    both = Counter(opening.moves[:2] for opening in balanced())
    assert len(first) >= 15
    assert len(both) >= 100
    assert max(first.values()) <= 500 / 5 + 1
    assert max(both.values()) <= 500 / 25 + 1


sampled = pytest.mark.parametrize("number", range(0, 500, 50))


@sampled
def test_a_sample_is_made_again(number: int) -> None:
    opening = balanced()[number]
    assert openings.walk(int(opening.name.removeprefix("walk "))) == opening


@sampled
def test_a_sample_is_balanced_and_quiet(number: int) -> None:
    """By the exact search, with another number of threads."""
    board = balanced()[number].board()
    scores = [engine.search(board, depth, threads=2).score for depth in (6, 7)]
    assert abs(sum(scores) / 2) <= openings.BALANCE
    assert abs(engine.evaluate_position(board)) <= openings.BALANCE
    for move in board.legal_moves:
        if board.is_capture(move):
            assert engine.see(board, move) <= 0


def test_the_file_begins_as_it_is_made() -> None:
    assert openings.make(12) == balanced()[:12]


@pytest.mark.skipif(
    os.environ.get("HYPOTHESIS_PROFILE") != "slow", reason="a minute: with the slow profile only"
)
def test_the_file_is_what_is_made() -> None:
    assert openings.make() == balanced()


def test_another_seed_makes_others() -> None:
    mine = openings.make(5, seed=7)
    assert len(mine) == 5
    assert not {*mine} & {*balanced()[:20]}


def test_the_file_is_small_and_plain() -> None:
    path = Path(openings.__file__).parent / "data" / "openings.epd"
    text = path.read_bytes()
    assert len(text) < 60_000
    assert text.isascii()
    assert [opening.epd() for opening in balanced()] == text.decode().splitlines()


def test_moves_are_read_in_any_notation() -> None:
    wanted = Opening(chess.STARTING_FEN, [chess.Move.from_uci("e2e4"), chess.Move.from_uci("c7c5")])
    assert Opening(chess.STARTING_FEN, ["e4", "c7c5"]) == wanted
    assert Opening("start", ["e2e4", "c5"]) == wanted
    assert wanted.board().move_stack == list(wanted.moves)
    assert wanted.san() == ["e4", "c5"]


def test_an_opening_from_a_position() -> None:
    opening = Opening("8/8/8/8/8/2k5/2p5/K7 w - - 0 1", ["Ka2"], name="ending")
    assert opening.epd() == '8/8/8/8/8/2k5/K1p5/8 b - - id "ending";'
    assert str(opening) == "1. Ka2"
    assert replace(opening, name="mate") == Opening(opening.fen, ["a1a2"], name="mate")


def test_epd(tmp_path: Path) -> None:
    path = written(
        tmp_path / "mine.epd",
        "# a comment\n"
        'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - c0 "e4"; id "king";\n'
        "\n"
        "nonsense\n"
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n"
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n"
        "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1\n"
        'rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - c0 "e4";\n'
        '1k6/p7/8/8/8/8/8/1K2R3 w E - bm O-O; id "nine";\n',
    )
    book = read_openings(path)
    assert str(book[0]) == "1. e4"
    assert book[0].name == "king"
    assert [len(opening.moves) for opening in book] == [1, 0, 0, 0]
    assert (book[3].name, book[3].board().chess960) == ("nine", True)
    assert book.source == "mine.epd"
    assert book.notes[1:] == ("line 6: the same position as line 2", "line 7: the game is over")
    assert book.notes[0].startswith("line 4: cannot read FEN 'nonsense'")


def test_own_openings_are_read_as_they_are(tmp_path: Path) -> None:
    own = balanced()[:20]
    path = written(tmp_path / "own.epd", "".join(f"{opening.epd()}\n" for opening in own))
    assert list(read_openings(path)) == list(own)


def test_many_bad_lines_are_counted(tmp_path: Path) -> None:
    book = read_openings(written(tmp_path / "bad.epd", "x\n" * 50 + chess.STARTING_FEN))
    assert (len(book), len(book.notes)) == (1, 6)
    assert book.notes[-1] == "and 45 more were left out"


def test_pgn(tmp_path: Path) -> None:
    path = written(
        tmp_path / "games.pgn",
        '[ECO "C50"]\n[Opening "Italian"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 *\n\n'
        '[White "x"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n'
        '[White "y"]\n\n1. e4 e5 2. Ke3 *\n\n'
        '[FEN "8/8/8/8/8/2k5/2p5/K7 w - - 0 1"]\n[SetUp "1"]\n\n1. Ka2 *\n\n',
    )
    book = read_openings(path, plies=5)
    common = "1. e4 e5 2. Nf3 Nc6 3. "
    assert [*map(str, book)] == [f"{common}Bc4", f"{common}Bb5", "1. Ka2"]
    assert book[0].name == "C50 Italian"
    assert book.notes == ("game 3: 2. Ke3 is not legal; it is read up to 1... e5",)
    # What comes after the opening does not matter.
    assert len(read_openings(path, plies=2)) == 2
    # Four plies of the first two are the same.
    assert len(read_openings(path, plies=4)) == 2


def test_polyglot(tmp_path: Path) -> None:
    entries = [
        ("", "e2e4", 3),
        ("", "d2d4", 1),
        ("", "a2a3", 0),
        ("e2e4", "e7e5", 1),
        ("e2e4", "c7c5", 1),
        ("d2d4", "d7d5", 1),
    ]
    book = sorted(book_entry(pushed(before), move, weight) for before, move, weight in entries)
    path = written(tmp_path / "book.bin", b"".join(book))
    found = read_openings(path, plies=2, walks=3, seed=1)
    assert {str(opening) for opening in found} == {"1. e4 e5", "1. e4 c5", "1. d4 d5"}
    assert read_openings(path, plies=2, walks=3, seed=1).digest == found.digest
    fewer = read_openings(path, plies=2, walks=5)
    assert len(fewer) == 3
    assert fewer.notes == ("50 walks of 2 plies found no more than 3 openings",)
    # No move has no weight, and the book ends after two plies.
    assert len(read_openings(path, plies=9, walks=3)) == 3
    books = (read_openings(path, plies=1, walks=1, seed=seed) for seed in range(200))
    firsts = [book[0].moves[0].uci() for book in books]
    assert 130 <= firsts.count("e2e4") <= 170


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.epd", "", "x.epd has no opening that can be played"),
        ("x.epd", "nonsense", "has no opening that can be played: line 1: cannot read FEN"),
        ("x.pgn", "", "x.pgn has no opening that can be played"),
        ("x.bin", "", "x.bin has no opening that can be played"),
        ("x.doc", "", "a file that ends in .epd, .fen, .txt, .pgn, .bin, not"),
    ],
)
def test_nothing_to_play(name: str, text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said.replace(".", r"\.")):
        read_openings(written(tmp_path / name, text))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("kind", ["epd", "pgn", "bin"])
def test_a_pipe_is_no_file(kind: str, tmp_path: Path) -> None:
    """It would wait for its other end."""
    path = tmp_path / f"pipe.{kind}"
    os.mkfifo(path)
    held = os.open(path, os.O_RDWR)  # so that a fault fails and does not wait
    os.write(held, b"\0")
    try:
        with pytest.raises(OSError, match="is no regular file"):
            read_openings(path)
    finally:
        os.close(held)


def test_in_order_and_again() -> None:
    first = balanced()[:3]
    book = OpeningBook(first)
    assert [book.for_pair(number) for number in range(7)] == [*first, *first, book[0]]


def test_shuffled_by_seed() -> None:
    book = OpeningBook(balanced()[:10])
    rounds = [[book.for_pair(10 * turn + n, seed=4) for n in range(10)] for turn in range(3)]
    assert all(set(one) == set(balanced()[:10]) for one in rounds)
    assert rounds[0] != rounds[1]
    assert rounds[0] == [book.for_pair(number, seed=4) for number in range(10)]
    assert rounds[0] != [book.for_pair(number, seed=5) for number in range(10)]


def test_the_digest_knows_every_opening() -> None:
    one, other = OpeningBook(balanced()[:10]), OpeningBook([*balanced()[:9], balanced()[10]])
    assert one.digest != other.digest
    assert one.digest == OpeningBook(balanced()[:10], source="elsewhere").digest
