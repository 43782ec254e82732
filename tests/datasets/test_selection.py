"""Which rows are kept: unique, drawn, quiet, balanced, by what a search finds."""

import errno
from collections import Counter
from pathlib import Path
from typing import Any

import chess
import pytest
from pyarrow import parquet as pq

from betacut import datasets
from betacut.datasets import DatasetError, parts, selection
from betacut.datasets.stats import bar_of
from datasets.support import contents, parquet_of, positions, table_of
from games.support import written
from support.commands import ran

MATE = "7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1"


@pytest.fixture
def doubles(tmp_path: Path) -> Path:
    """Positions that come again, with other clocks, an impossible one, and none."""
    fens: list[str | None] = [*positions(60), *positions(90)[30:], MATE, None, None, "x", "x"]
    fens += [f"{' '.join(fen.split()[:4])} 7 77" for fen in positions(20)]
    return parquet_of(tmp_path / "in.parquet", 40, id=range(len(fens)), fen=fens)


def kept_of(path: Path) -> list[int]:
    """The rows that remain if each position is kept once, by python-chess."""
    seen, kept = set(), []
    for row in pq.read_table(path).to_pylist():
        fen = row["fen"]
        key = None if fen in (None, "x") else chess.Board(fen).epd()
        if key is None or key not in seen:
            kept.append(row["id"])
        seen.add(key)
    return kept


@pytest.mark.sampled(3)
@pytest.mark.parametrize("out", ["out.parquet", "out", "out.csv"])
def test_unique(tmp_path: Path, doubles: Path, monkeypatch: pytest.MonkeyPatch, out: str) -> None:
    """The first one remains, wherever the units are run, and however few keys fit into memory."""
    asked: dict[str, Any] = {"depth": 1, "unit_rows": 40, "unique": True}
    monkeypatch.setattr(selection, "WAITING", 50)
    place = tmp_path / out
    report = datasets.annotate(doubles, place, threads=2, **asked)
    kept = kept_of(doubles)
    assert table_of(place)["id"].to_pylist() == kept
    assert report.dropped == {"unique": 145 - len(kept)}
    assert report.rows == len(kept)
    again = tmp_path / "again" / out
    again.parent.mkdir()
    assert len(datasets.units(doubles, again, **asked)) == 4
    for number in (1, 2):
        report = datasets.annotate(doubles, again, shard=(number, 2), **asked)
        assert report.complete == (number == 2)
    assert contents(again) == contents(place)
    assert not [*again.parent.rglob(parts.AGAIN)]
    # A row that cannot be read stands for no other.
    broken = written(tmp_path / "in.csv", f"id,fen\n1,{MATE},x\n2,{MATE}\n3,{MATE}\n")
    datasets.annotate(broken, tmp_path / "broken.csv", depth=1, unique=True)
    assert table_of(tmp_path / "broken.csv")["id"].to_pylist() == [1, 2]
    mated, bad = " ".join(MATE.split()[:4]), "8/8/8/8/8/8/8/8 w - - 0 1"
    fens = [f"{mated} x 1", f"{mated} {2**40} 1", f"{mated} 0", MATE, f"{mated} 5 9", bad, bad]
    source = parquet_of(tmp_path / "clocks.parquet", id=range(len(fens)), fen=fens)
    datasets.annotate(source, tmp_path / "clocks.csv", depth=1, unique=True)
    assert table_of(tmp_path / "clocks.csv")["id"].to_pylist() == [0, 1, 2, 5, 6]
    (alone,) = datasets.units(doubles, tmp_path / "alone", depth=1, unit_rows=999, unique=True)
    with pytest.raises(DatasetError, match=r"which run\(\) does not make: let annotate\(\) do"):
        datasets.run(alone)


def test_unique_on_a_full_disk(
    tmp_path: Path, doubles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the list of rows that come again cannot be written; another try finds nothing of it."""

    def write(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "Error writing bytes to file")

    with monkeypatch.context() as full:
        full.setattr(pq.ParquetWriter, "write_table", write)
        with pytest.raises(OSError, match="; nothing was searched yet") as raised:
            datasets.annotate(doubles, tmp_path / "out", depth=1, unique=True)
    assert raised.value.filename == str(tmp_path / "out" / parts.AGAIN)
    assert datasets.annotate(doubles, tmp_path / "out", depth=1, unique=True).complete


def test_keys() -> None:
    """Clocks make no difference; an en passant square does only if a pawn can take there."""
    board = chess.Board()
    board.push_uci("e2e4")
    with_square = board.fen(en_passant="fen")
    assert " e3 " in with_square
    assert selection.key_of(with_square) == selection.key_of(board.epd())
    real = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
    assert selection.key_of(real) != selection.key_of(real.replace("f6", "-"))
    assert selection.key_of("x") is None
    start = selection.key_of(chess.STARTING_FEN)
    for castling, same in (("QKkq", True), ("HAha", True), ("KQk", False), ("-", False)):
        assert (selection.key_of(chess.STARTING_FEN.replace("KQkq", castling)) == start) == same


GAMES = '[Event "a"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[Event "b"]\n\n1. d4 d5 2. Ke8 *\n\n1. a4 *\n'


def test_sample(tmp_path: Path) -> None:
    """So many of each game, and games that end in an error still say so."""
    asked: dict[str, Any] = {"depth": 1, "sample": 2}
    source = written(tmp_path / "in.pgn", GAMES)
    for rows in (1, 100):
        out = tmp_path / f"{rows}.csv"
        report = datasets.annotate(source, out, columns=["error"], unit_rows=rows, **asked)
        found = table_of(out).to_pylist()
        assert [row["game"] for row in found] == [1, 1, 2, 2, 2, 3, 3]
        assert found[4]["error"]
        assert report.dropped == {"sample": 4}
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "100.csv").read_bytes()
    written(source, '[Event "b"]\n\n1. d4 d5 2. Ke8 *\n\n' * 9)
    datasets.annotate(source, tmp_path / "many.csv", **asked)
    drawn = [row["game"] for row in table_of(tmp_path / "many.csv").to_pylist() if row["fen"]]
    assert drawn == sorted([*range(1, 10)] * 2), "the row in error takes no place"
    with pytest.raises(DatasetError, match="needs the columns game and ply"):
        datasets.annotate(written(tmp_path / "in.fen", MATE), tmp_path / "x.csv", **asked)


def test_quiet_only(tmp_path: Path) -> None:
    fens = {
        "a rook hangs": "4k3/8/8/3r4/8/8/8/3RK3 w - - 0 1",
        "check": "4k3/8/8/8/8/8/4r3/4K2R w - - 0 1",
        "promotes": "8/P7/8/8/8/8/5k2/7K w - - 0 1",
        "quiet": "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1",
        "bad": "x",
    }
    source, out = tmp_path / "in.parquet", tmp_path / "out.csv"
    parquet_of(source, name=list(fens), fen=list(fens.values()))
    done = ran("annotate", source, out, "-d2", "--quiet-only", columns=999)
    assert table_of(out)["name"].to_pylist() == ["quiet", "bad"]
    assert "left out       3 by quiet" in done.output
    # Qg5 is best; axb3 is the third of three lines.
    fen = "rn2k2r/p3bp1p/6pn/1NPppb2/p5q1/1R1PP2P/2P1BP2/1NBQ1K1R b kq - 5 15"
    source, out = written(tmp_path / "in.fen", fen), tmp_path / "lines.csv"
    datasets.annotate(source, out, depth=2, quiet_only=True, multipv=3)
    assert table_of(out)["best_moves"].to_pylist() == ["g4g5 g4h4 a4b3"]


def test_balance_and_where(tmp_path: Path, doubles: Path) -> None:
    """By what was found; bad rows stay where the filter does not know."""
    out = tmp_path / "out.parquet"
    report = datasets.annotate(doubles, out, depth=1, balance=3, unit_rows=1000)
    found = [row for row in table_of(out).to_pylist() if row["error"] is None]
    bars = Counter("mate" if row["cp"] is None else bar_of(row["cp"]) for row in found)
    assert max(bars.values()) == 3
    assert report.dropped["balance"] == 145 - report.rows
    plain = datasets.annotate_batch(pq.read_table(doubles), 1).to_pylist()
    best = tmp_path / "best.parquet"
    report = datasets.annotate(doubles, best, depth=1, where="cp > 100 and id < 60")
    wanted = [row["id"] for row in plain if (row["cp"] or 0) > 100 and row["id"] < 60]
    assert [row["id"] for row in table_of(best).to_pylist() if row["fen"]] == wanted
    mated = ["7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "7K/5kq1/8/8/8/8/8/8 w - - 0 1"] * 4
    out = tmp_path / "m.parquet"
    place = parquet_of(tmp_path / "mated.parquet", fen=[*mated, MATE, MATE])
    datasets.annotate(place, out, depth=2, balance=3)
    (summary,), _ = datasets.summarize(out)
    assert (summary.white_mates, summary.black_mates) == (3, 3)
    place = written(tmp_path / "in.csv", f"fen\n  startpos\n{MATE}\nx\n")
    wheres = ["phase == 24", "phase == 4 and men == 4", "men == 32", "cp > -5000 and phase == 24"]
    for where in wheres:
        out = tmp_path / f"{len(where)}.csv"
        assert datasets.annotate(place, out, depth=1, where=where).rows == 1
    for columns in (None, ["cp"]):
        out = tmp_path / f"bad{columns is None}.csv"
        datasets.annotate(place, out, depth=1, where="cp > -5000", columns=columns)
        assert table_of(out)["fen"].to_pylist() == ["  startpos", "x"]
    cases: list[tuple[dict[str, Any], str]] = [
        ({"where": "cp > 3 and colour == 2"}, "there is no column 'colour'"),
        ({"balance": 2, "columns": ["line"]}, "balance goes by cp and mate"),
    ]
    for options, said in cases:
        with pytest.raises(DatasetError, match=said):
            datasets.annotate(doubles, tmp_path / "x.csv", depth=1, **options)
