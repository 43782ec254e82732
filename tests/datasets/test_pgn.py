"""Positions of PGN files, compared with python-chess; games in error; evaluations written."""

import io
import random
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, count, pairwise
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pyarrow as pa
import pytest

from betacut import _betacut
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import Range, Source
from betacut.datasets.formats.evaluations import annotated as annotated_text
from betacut.datasets.formats.registry import open_source
from datasets.support import WAYS, compressed, rows_of, sunk
from games.support import written
from support.sampling import IS_EXHAUSTIVE

FIXED = ["fen", "game", "ply", "move", "white", "black", "result", "date", "event", "site", "eco"]

STARTS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/PPP4k/8/8/8/8/4Kppp/8 b - - 7 60",
    "nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w KQkq - 0 1",
)


def random_game(number: int, seed: int) -> chess.pgn.Game:
    """A game with comments, NAGs and variations; some begin elsewhere, one of four is Chess960."""
    chance = random.Random(seed)
    game = chess.pgn.Game()
    if number % 3 == 0:
        fen = STARTS[number // 3 % len(STARTS)]
        game.setup(chess.Board(fen, chess960=fen == STARTS[-1]))
    elif number % 7 == 0:
        game.setup(chess.Board.from_chess960_pos(chance.randrange(960)))
    game.headers["White"] = f'Player "{number}" \\ {chance.randrange(10)}'
    game.headers["WhiteElo"] = str(1500 + number)
    node: chess.pgn.GameNode = game
    board = game.board()
    for _ in range(chance.randrange(120)):
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        if not moves:
            break
        castling = [move for move in moves if board.is_castling(move)]
        rare = [move for move in moves if move.promotion or board.is_en_passant(move)]
        move = chance.choice(castling or rare or moves)
        if chance.random() < 0.2:
            other = node.add_variation(chance.choice(moves), comment="1. e4 (not this)")
            other.nags.add(chess.pgn.NAG_MISTAKE)
        node = node.add_variation(move)
        node.parent.promote_to_main(node)
        if chance.random() < 0.2:
            node.comment = "; 12. Qh5 } "[: chance.randrange(9)] + "\n\n[x] [%eval 0.3]"
        board.push(move)
    game.headers["Result"] = board.result()
    return game


def expected(games: list[chess.pgn.Game]) -> list[tuple[str, int, int, str | None]]:
    """The rows of the games: position, game, ply, and the move that follows."""
    rows: list[tuple[str, int, int, str | None]] = []
    for number, game in enumerate(games, 1):
        board = game.board()
        for ply, move in enumerate([*game.mainline_moves(), None]):
            rows.append((board.fen(), number, ply, move and move.uci()))
            if move:
                board.push(move)
    return rows


def facts_of(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(row["fen"], row["game"], row["ply"], row["move"]) for row in rows]


def kinds_of(games: list[chess.pgn.Game]) -> set[str]:
    """What there is in the games that is not in all games."""
    kinds = set()
    for game in games:
        board = game.board()
        for node in game.mainline():
            is_there = {
                "castling": board.is_castling(node.move),
                "en passant": board.is_en_passant(node.move),
                "promotion": bool(node.move.promotion),
                "variation": len(node.parent.variations) > 1,
                "comment": bool(node.comment),
            }
            kinds |= {kind for kind, is_so in is_there.items() if is_so}
            board.push(node.move)
    return kinds


def texts(games: list[chess.pgn.Game]) -> str:
    return "\n\n".join(map(str, games)) + "\n"


def rows_in(path: Path, piece: Range) -> list[dict[str, Any]]:
    return [row for batch in open_source(path).read(piece) for row in batch.to_pylist()]


def read_text(folder: Path, text: str | bytes) -> list[dict[str, Any]]:
    return rows_of(open_source(written(folder / "text.pgn", text)))


@pytest.fixture(scope="module")
def games() -> list[chess.pgn.Game]:
    return [random_game(number, seed=number) for number in range(60)]


@pytest.fixture(scope="module")
def path(games: list[chess.pgn.Game], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("pgn") / "games.pgn", texts(games))


def test_positions_are_those_of_python_chess(games: list[chess.pgn.Game], path: Path) -> None:
    assert kinds_of(games) == {"castling", "en passant", "promotion", "variation", "comment"}
    source = open_source(path, tags=["WhiteElo"])
    assert (source.format, source.fen_column) == ("pgn", "fen")
    assert source.schema.names == [*FIXED, "white_elo"]
    found = rows_of(source)
    assert facts_of(found) == expected(games)
    assert {row["error"] for row in found} == {None}
    for row in found:
        headers = games[row["game"] - 1].headers
        assert row["white"] == headers["White"].replace('\\"', '"').replace("\\\\", "\\")
        assert row["result"] == headers["Result"]
        assert row["white_elo"] == int(headers["WhiteElo"])
        assert row["eco"] is None


@pytest.mark.parametrize(("every", "skip"), [(2, 0), (5, 3), (1, 10), (1000, 0)])
def test_every_and_skip_book(
    games: list[chess.pgn.Game], path: Path, every: int, skip: int
) -> None:
    found = rows_of(open_source(path, every=every, skip_book=skip))
    wanted = [row for row in expected(games) if row[2] >= skip and (row[2] - skip) % every == 0]
    assert facts_of(found) == wanted


@pytest.mark.parametrize("rows", [1, 7, 100, 1000, 10**6])
@pytest.mark.parametrize("frames", [0, 1, 5])
def test_ranges_are_the_file(path: Path, tmp_path: Path, rows: int, frames: int) -> None:
    whole = rows_of(open_source(path), 10**9)
    if frames:
        path = compressed(tmp_path / "games.pgn.zst", path.read_bytes(), frames)
    source = open_source(path)
    pieces = list(source.ranges(rows))
    assert list(open_source(path).ranges(rows)) == pieces
    assert {piece.kind for piece in pieces} == {"games" if frames else "bytes"}
    assert [Range.from_json(piece.to_json()) for piece in pieces] == pieces
    assert all(a.stop == b.start for a, b in pairwise(pieces))
    assert rows_of(source, rows) == whole
    if rows in (1, 10**6):
        assert len(pieces) == (60 if rows == 1 else 1)
    # A piece can be read without those before it.
    last = rows_in(path, pieces[-1])
    assert last == whole[len(whole) - len(last) :]
    assert last


@pytest.mark.parametrize("way", WAYS)
def test_compressed_pieces_in_any_order(path: Path, tmp_path: Path, way: str) -> None:
    whole = rows_of(open_source(path))
    file = compressed(tmp_path / f"games.pgn{way}", path.read_bytes(), 3)
    pieces = list(open_source(file).ranges(100))
    assert len(pieces) > 10
    chance = random.Random(1)
    for _ in range(3):
        chance.shuffle(pieces)
        with ThreadPoolExecutor(4) as pool:
            read = pool.map(lambda piece: (piece.start, rows_in(file, piece)), pieces)
        assert [row for _, rows in sorted(read) for row in rows] == whole
    # Another file of the same name is another file.
    compressed(file, b"1. e4 *\n\n1. d4 d5 2. c4 *\n")
    assert [row["move"] for row in rows_of(open_source(file), 1)][-2:] == ["c2c4", None]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("share", [0.3, 0.9, 0.999])
def test_a_compressed_file_that_is_cut_short_is_an_error(
    path: Path, tmp_path: Path, share: float, way: str
) -> None:
    file = compressed(tmp_path / f"cut.pgn{way}", path.read_bytes())
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(DatasetError, match=rf"cut\.pgn{way}.*is cut short.*get the whole file"):
        list(open_source(file).ranges(100))
    piece = Range(str(file), 1, 1000, "games")
    with pytest.raises(DatasetError, match=r"is cut short after game \d+ .*get the whole file"):
        list(open_source(file).read(piece))


@pytest.mark.parametrize("way", WAYS)
def test_what_is_not_compressed_is_an_error(tmp_path: Path, way: str) -> None:
    file = written(tmp_path / f"plain.pgn{way}", "1. e4 *\n")
    with pytest.raises(DatasetError, match="its compression is damaged"):
        list(open_source(file).ranges(100))


BROKEN = [
    ("1. e4 e5 2. Nf6 Nc6 *", "e2e4 e7e5", "2. Nf6 is not legal"),
    ("1. e4 e5 2. Nf9 Nc6 *", "e2e4 e7e5", '2. "Nf9" is no move that can be read'),
    ("1. e4 e5 2. Nf3 Nc6 3. Qx9 *", "e2e4 e7e5 g1f3 b8c6", '3. "Qx9" is no move that can be read'),
    ("1. e2-e4x e7-e5 *", "", '1. "e2-e4x" is no move that can be read'),
    (
        "1. Nc3 d6 2. Nf3 d5 3. Ne4 dxe4 4. Ng5 e5 5. Nd2 *",
        "b1c3 d7d6 g1f3 d6d5 c3e4 d5e4 f3g5 e7e5",
        "5. Nd2 is not legal",
    ),
    ("1. Nf3 d6 2. d3 d5 3. Nd2 *", "g1f3 d7d6 d2d3 d6d5", "3. Nd2 stands for more than one move"),
    ("1. e4 -- *", "e2e4", "1... -- is not legal"),
    ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*', "", "is no position of chess"),
    ('[FEN "nonsense"]\n\n1. e4 *', "", 'cannot read the FEN "nonsense"'),
    ('[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1]\n\n1. Kd1 *', "", "the tag .* cannot be read"),
    ('[Variant "Atomic"]\n\n1. e4 *', "", 'the variant "Atomic" is not chess'),
    ("1. e4 {no end\n\n", "e2e4", r"the comment that begins at byte \d+ is never closed"),
    ("1. e4 (1. d4 d5 2. c4 e5 *", "e2e4", "a variation is never closed"),
    ("this is no game", "", "there is neither a tag nor a move in it"),
    ("2. Nf3 Nc6 *", "", "moves without tags that begin with number 2"),
    (f'[White "{"x" * 5000}"]\n\n1. e4 *', "", "the tag White has 5000 bytes"),
]
"""Games, the moves before the error, and what is said."""


@pytest.mark.parametrize(("text", "moves", "reason"), BROKEN)
def test_a_broken_game_is_read_up_to_its_error(
    tmp_path: Path, text: str, moves: str, reason: str
) -> None:
    before = '[Event "before"]\n\n1. e4 *\n\n'
    after = '\n\n[Event "after"]\n\n1. d4 *\n'
    found = read_text(tmp_path, f"{before}{text}{after}")
    good = moves.split()
    positions = len(good) + bool(good)
    assert [row["game"] for row in found] == [1, 1, *[2] * positions, 2, 3, 3]
    played = [row["move"] for row in found]
    assert played == ["e2e4", None, *good, *[None] * bool(good), None, "d2d4", None]
    assert [at for at, row in enumerate(found) if row["error"] is not None] == [2 + positions]
    bad = found[2 + positions]
    assert (bad["fen"], bad["ply"]) == (None, len(good))
    if good:
        number = f"{(len(good) + 1) // 2}{'.' if len(good) % 2 else '...'}"
        assert f"; it is read up to {number} " in bad["error"]
    with pytest.raises(DatasetError, match=rf"^game 2 \(at byte {len(before)}\): .*{reason}"):
        raise DatasetError(bad["error"])


@pytest.mark.parametrize(
    "end",
    [
        '[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf',
        '[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 {a comm',
        '[Event "x"]\n[Result "1-0"]\n\n',
        '[Event "x"]\n[Resu',
    ],
)
def test_a_file_that_ends_inside_a_game(tmp_path: Path, end: str) -> None:
    found = read_text(tmp_path, f"1. e4 *\n\n{end}")
    moves = ["e2e4", "e7e5", "g1f3"][: 3 if "Nf3" in end else 2 if "e4" in end else 0]
    last = [*moves, None] if moves else []
    assert [row["game"] for row in found] == [1, 1, *[2] * len(last), 2]
    assert [row["move"] for row in found] == ["e2e4", None, *last, None]
    assert [row["error"] is None for row in found] == [True] * (2 + len(last)) + [False]
    said = found[-1]["error"]
    assert "the file ends inside this game" in said or "is never closed" in said


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1.e4 e5 2.Nf3", ["e2e4", "e7e5", "g1f3"]),
        ('\ufeff[Event "x"]\r\n\r\n1. e4\r\n e5 *\r\n', ["e2e4", "e7e5"]),
        ("% a\n; b\n1. e4 ; no e5\n% d5\nc5 1-0", ["e2e4", "c7c5"]),
        ("1. e4 (1. d4 (1. c4 {)} c5) d5) 1... e5 $1 $139! *", ["e2e4", "e7e5"]),
        ("1. e4 N d6 = 2. d4 +- 1/2-1/2", ["e2e4", "d7d6", "d2d4"]),
        ("1. f4 e5 2. g4 Qh4# 0-1", ["f2f4", "e7e5", "g2g4", "d8h4"]),
        ("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 O-O *", ["e1g1", "e8g8"]),
        (
            "1. e2-e4 d7d5 2. ed5 Qd8xd5 3. Ng1-f3 Qf3= *",
            ["e2e4", "d7d5", "e4d5", "d8d5", "g1f3", "d5f3"],
        ),
        ('[Event "a"] [Site "b"]\n1. e4 *', ["e2e4"]),
        ('[Event "a"]\n\n\n\n1. e4 *', ["e2e4"]),
        ('[Event "a"] 1. e4 {a\n\nb} e5 *', ["e2e4", "e7e5"]),
        ('[Black "O"Neil"]\n\n1. e4 *', ["e2e4"]),
        ('[Event "a"]\n\n[Site "b"]\n\n1. e4 *', ["e2e4"]),
        ('[A "a"]\r\r\n[A "b"]\r\r\n\r\r\n1. e4\r\r\ne5 *\r\r\n', ["e2e4", "e7e5"]),
    ],
)
def test_ways_to_write_a_game(tmp_path: Path, text: str, moves: list[str]) -> None:
    found = read_text(tmp_path, text)
    assert [row["error"] for row in found] == [None] * len(found)
    assert [row["move"] for row in found][-len(moves) - 1 :] == [*moves, None]
    assert {row["game"] for row in found} == {1}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"])
def test_line_ends_and_what_begins_a_file(tmp_path: Path, end: str) -> None:
    """Files that were appended to each other may each begin with a BOM."""
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    first = f'\ufeff[FEN "{fen}"]\n[White "a"]\n\n1. O-O\nKd7 *\n'.replace("\n", end)
    found = read_text(tmp_path, first + '\ufeff[White "b"]\n\n1. e4 *\n'.replace("\n", end))
    assert [(row["game"], row["white"], row["move"]) for row in found] == [
        *((1, "a", move) for move in ("e1g1", "e8d7", None)),
        *((2, "b", move) for move in ("e2e4", None)),
    ]
    assert not any(row["error"] for row in found)
    starts = [piece[0] for piece in _betacut.pgn_pieces(tmp_path / "text.pgn", False, 1, 1, 0)]
    assert starts == [0, len(first.encode())]


def test_games_without_empty_lines_between_them(tmp_path: Path) -> None:
    text = '[Event "a"]\n1. e4 *\n[Event "b"]\n[Site "c"]\n\n[Event "d"]\n1. d4 *\n'
    assert [(row["event"], row["site"], row["move"]) for row in read_text(tmp_path, text)] == [
        ("a", None, "e2e4"),
        ("a", None, None),
        ("b", "c", None),
        ("d", None, "d2d4"),
        ("d", None, None),
    ]


def test_old_files_are_in_latin_1(tmp_path: Path) -> None:
    found = read_text(tmp_path, '[White "Müller"]\n\n1. e4 *'.encode("latin-1"))
    assert found[0]["white"] == "Müller"


@pytest.mark.parametrize(
    ("where", "wanted"),
    [
        ("white_elo >= 1530", lambda row: row["game"] > 30),
        (
            "result == '1-0' or not (ply < 50)",
            lambda row: row["result"] == "1-0" or row["ply"] > 49,
        ),
        ("game in (3, 5) and move is not None", lambda row: row["game"] in (3, 5) and row["move"]),
        ("10 < ply <= 12", lambda row: 10 < row["ply"] <= 12),
        ("time_control == '60'", lambda _: False),
    ],
)
def test_where(path: Path, where: str, wanted: Callable[[dict[str, Any]], object]) -> None:
    found = rows_of(open_source(path, where=where, tags=["WhiteElo"]))
    assert found == [row for row in rows_of(open_source(path, tags=["WhiteElo"])) if wanted(row)]


def mutations(data: bytes, count: int) -> Iterator[bytes]:
    """The data with some bytes changed, left out, doubled; and cut short."""
    chance = random.Random(7)
    special = b'{}()[];%"\\\n\r $*.0123456789-\x00\xff'
    for _ in range(count):
        changed = bytearray(data)
        for _ in range(chance.randrange(1, 8)):
            at = chance.randrange(len(changed))
            kind = chance.randrange(4)
            if kind == 0:
                changed[at] = chance.choice(special)
            elif kind == 1:
                del changed[at : at + chance.randrange(1, 40)]
            elif kind == 2:
                changed[at:at] = changed[at : at + chance.randrange(1, 40)]
            else:
                changed[at] = chance.randrange(256)
        yield bytes(changed[: chance.randrange(len(changed))] if chance.random() < 0.2 else changed)


def test_damaged_files_are_read_to_the_end(tmp_path: Path, path: Path) -> None:
    data, path = path.read_bytes()[:6000], tmp_path / "damaged.pgn"
    seen: set[str] = set()
    for changed in filter(None, mutations(data, 400 if IS_EXHAUSTIVE else 100)):
        path.write_bytes(changed)
        whole = rows_of(open_source(path), 10**9)
        assert rows_of(open_source(path), 40) == whole
        numbers = [row["game"] for row in whole]
        assert sorted(set(numbers)) == list(range(1, max(numbers, default=0) + 1))
        for row in whole:
            assert (row["fen"] is None) == (row["error"] is not None)
            if row["fen"] and row["fen"] not in seen:
                seen.add(row["fen"])
                assert chess.Board(row["fen"]).fen() == row["fen"]


@pytest.mark.parametrize("way", WAYS)
def test_damaged_compression_is_told(tmp_path: Path, path: Path, way: str) -> None:
    data = compressed(tmp_path / f"good.pgn{way}", path.read_bytes()[:6000]).read_bytes()
    file, told = tmp_path / f"bad.pgn{way}", []
    for changed in filter(None, mutations(data, 200)):
        try:
            rows_of(open_source(written(file, changed)))
        except DatasetError as error:
            told.append("get the whole file" in str(error))
    assert len(told) > 50
    assert all(told)


def test_a_long_line(tmp_path: Path) -> None:
    text = '[Event "a"]\n\n1. e4 {' + "x" * 10_000_000 + "} e5 *\n\n1. d4 *\n"
    found = read_text(tmp_path, text)
    assert [row["move"] for row in found] == ["e2e4", "e7e5", None, "d2d4", None]


def test_no_game(tmp_path: Path) -> None:
    assert read_text(tmp_path, "\n\n") == []


def test_reader_checks_its_arguments(path: Path) -> None:
    with pytest.raises(ValueError, match="every must be at least 1"):
        _betacut.PgnReader(path, False, 0, 1, 0, 0, 0, [])
    with pytest.raises(FileNotFoundError):
        _betacut.PgnReader(path.with_name("not"), False, 0, 1, 0, 1, 0, [])


def annotated(source: Source, prefix: str = "") -> Iterator[pa.RecordBatch]:
    """Batches with made-up results: the number of the row, mates and errors among them."""
    kinds = {"cp": pa.int32(), "mate": pa.int32(), "depth": pa.int16(), "error": pa.string()}
    added = [pa.field(f"{prefix}{name}", kind) for name, kind in kinds.items()]
    numbers = count(1)
    for piece in source.ranges(500):
        for batch in source.read(piece):
            rows = batch.to_pylist()
            for row in rows:
                number = next(numbers)
                error = row.pop("error") or ("cannot" if number % 11 == 0 else None)
                mate = number % 9 - 4 if number % 5 == 0 else None
                cp = number if mate is None else None
                found = {"error": error} if error else {"cp": cp, "mate": mate, "depth": 3}
                row.update({f"{prefix}{name}": value for name, value in found.items()})
            schema = pa.schema([*batch.schema][:-1] + added)
            yield pa.RecordBatch.from_pylist(rows, schema=schema)


@pytest.mark.parametrize("prefix", ["", "betacut_"])
def test_evaluations_are_written_into_the_games(
    games: list[chess.pgn.Game], path: Path, tmp_path: Path, prefix: str
) -> None:
    broken = '\n\n[Event "bad"]\n[Result "*"]\n\n1. e4 e4 *\n\n'
    text = texts(games[:20]) + broken + texts(games[20:40])
    source = open_source(written(tmp_path / "in.pgn", text))
    batches = list(annotated(source, prefix))
    pieces = [batch.slice(start, 37) for batch in batches for start in range(0, batch.num_rows, 37)]
    text = sunk(tmp_path / "out.pgn", pieces, source, {"a": "b"}, prefix).decode()
    assert text.startswith("% a: b\n")
    assert "% game 21 (at byte" in text
    assert re.search(r"\n\n(\{ [^}]* \} )?1\. e4 (\{ [^}]* \} )?e4 \*\n", text)
    bad = chess.pgn.read_game(io.StringIO(broken.strip()))
    assert bad is not None
    file = io.StringIO(text)
    rows = [row for batch in batches for row in batch.to_pylist()]
    for number, original in enumerate([*games[:20], bad, *games[20:40]], 1):
        game = chess.pgn.read_game(file)
        assert game is not None
        assert game.headers["White"] == original.headers["White"]
        mine = {row["ply"]: row for row in rows if row["game"] == number and row["fen"]}
        for ply, (node, before) in enumerate(
            zip([game, *game.mainline()], [original, *original.mainline()], strict=True)
        ):
            assert [n.move for n in node.variations] == [n.move for n in before.variations]
            row = mine[ply]
            if row[f"{prefix}cp"] is not None:
                score: chess.engine.Score = chess.engine.Cp(row[f"{prefix}cp"])
            elif row[f"{prefix}mate"]:
                score = chess.engine.Mate(row[f"{prefix}mate"])
            else:
                assert node.eval() is None  # not that of the input either
                continue
            assert node.eval() == chess.engine.PovScore(score, chess.WHITE)
            assert node.eval_depth() == 3
    assert chess.pgn.read_game(file) is None


def test_evaluations_of_a_piece(path: Path, tmp_path: Path) -> None:
    """Parts one after the other are the whole; each has the same head."""
    batches = list(annotated(open_source(path)))
    assert len(batches) > 2

    def write(name: str, batches: list[pa.RecordBatch]) -> bytes:
        return sunk(tmp_path / name, batches, open_source(path), {"x": "y"})

    head = write("empty.pgn", [batches[0].slice(0, 0)])
    parts = [write(f"{at}.pgn", [batch]) for at, batch in enumerate(batches)]
    assert write("whole.pgn", batches) == head + b"".join(part[len(head) :] for part in parts)


def test_pgn_is_written_from_pgn_alone(tmp_path: Path) -> None:
    source = open_source(written(tmp_path / "list.fen", chess.STARTING_FEN + "\n"))
    for given in (source, None):
        with pytest.raises(DatasetError, match="PGN holds games, and the positions are from"):
            sunk(tmp_path / "x.pgn", [pa.RecordBatch.from_pylist([], source.schema)], given)
    assert not (tmp_path / "x.pgn").exists()


def places_of(text: str) -> list[int]:
    """Where the moves begin, and where each ends, by marks: `^`, which are left out."""
    return list(accumulate(map(len, text.encode().split(b"^")[:-1])))


@pytest.mark.parametrize(
    ("text", "row", "expected"),
    [
        ("^1. e4^ e5 *", {"cp": 30}, "1. e4 { [%eval 0.30] } e5 *"),
        ("^1. e4^!? $1 e5 *", {"cp": -5, "depth": 4}, "1. e4!? $1 { [%eval -0.05,4] } e5 *"),
        ("^1. e4^\n$1 $14\n{x} e5", {"cp": 3}, "1. e4\n$1 $14\n{ [%eval 0.03] x} e5"),
        ("^1. e4^ {x}\n$1 e5", {"cp": 3}, "1. e4 { [%eval 0.03] x}\n$1 e5"),
        ("^1. e4^\n$1\n%$2\n ! e5", {"cp": 3}, "1. e4\n$1 { [%eval 0.03] }\n%$2\n ! e5"),
        ("^1. e4^ {best} e5", {"mate": -3}, "1. e4 { [%eval #-3] best} e5"),
        ("^1. e4^ ({x} d4 {[%eval 9]})", {"cp": 0}, "1. e4 { [%eval 0.00] } ({x} d4 {[%eval 9]})"),
        ("^1. e4^ { [%eval 0.2] [%clk 1] } *", {"cp": 1}, "1. e4 { [%eval 0.01] [%clk 1] } *"),
        ("^1. e4^ { [%eval 0.2] [%clk 1] } *", {"mate": 0}, "1. e4 { [%clk 1] } *"),
        ("^1. e4^ { [%eval 0.2] } *", {"error": "bad"}, "1. e4 *"),
        ("^1. e4^ {a} (1. d4) {[%eval 0.2]} *", {"cp": 7}, "1. e4 {a} (1. d4) { [%eval 0.07]} *"),
        ("^1. e4^ ; (a {\n%{\n{b} *", {"cp": 7}, "1. e4 { [%eval 0.07] } ; (a {\n%{\n{b} *"),
        ("^1. e4^ ; (\r{b} *", {"cp": 7}, "1. e4 { [%eval 0.07] } ; (\r{b} *"),
        ("^1. Qa8#^", {"mate": 0}, "1. Qa8#"),
    ],
)
def test_what_changes_in_the_text_of_a_game(text: str, row: dict[str, Any], expected: str) -> None:
    row = {"ply": 1, "fen": "x", "cp": None, "mate": None, "error": None, **row}
    head = '[White "ü"]  \n\n'
    places = [len(head.encode()) + place for place in places_of(text)]
    given = (head + text.replace("^", "")).encode()
    assert annotated_text(given, places, [row]).decode() == f"{head}{expected}\n\n"
    latin = given.decode().encode("latin-1")
    places = [place - 1 for place in places]
    assert annotated_text(latin, places, [row]).decode() == f"{head}{expected}\n\n"


def test_the_position_before_the_first_move() -> None:
    row = {"ply": 0, "fen": "x", "cp": 10}
    for text, expected in (
        ("^1. e4^ *", "{ [%eval 0.10] } 1. e4 *"),
        ("^{x} 1. e4^ {y} *", "{ [%eval 0.10] x} 1. e4 {y} *"),
        ("^{[%eval 1]}\n1. e4^ *", "{ [%eval 0.10]}\n1. e4 *"),
        ("[White]\n^", "[White]\n\n\n{ [%eval 0.10] }"),
    ):
        given = text.replace("^", "").encode()
        assert annotated_text(given, places_of(text), [row]).decode() == f"{expected}\n\n"


def test_only_evaluations_are_written(tmp_path: Path) -> None:
    """A game whose variation has an illegal move is whole, and so is everything that is said."""
    text = (
        '[Event  "x"]\r\n[White "a"]\r\n\r\n'
        "1. e4 (1. Nf6 {[%eval 1.0]}) 1... e5 ; to the end {\r\n"
        "% escaped (\r\n2.Nf3 $6 {a\r\n\r\nb} Nc6 1-0"
    )
    source = open_source(written(tmp_path / "in.pgn", f"{text}\r\n"))
    batch = next(source.read(next(source.ranges(10))))
    columns = [*batch.columns[:-1], pa.array([10] * 5), batch.columns[-1]]
    batch = pa.RecordBatch.from_arrays(columns, names=[*source.schema.names, "cp", "error"])
    found = sunk(tmp_path / "out.pgn", [batch], source, {}).decode()
    assert found.count("[%eval 0.10]") == 5
    without = found.replace("{ [%eval 0.10] } ", "").replace(" { [%eval 0.10] }", "")
    assert without.replace(" [%eval 0.10] a", "a") == text + "\r\n\r\n"
    again = rows_of(open_source(tmp_path / "out.pgn"))
    assert [row["move"] for row in again] == [row["move"] for row in rows_of(source)]
