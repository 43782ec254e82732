"""The originals with real Gaviota files: those of three men that python-chess is tested with.

pip gets them, once for each checkout; without a network the tests are skipped, and say so.
"""

import random
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import chess
import chess.gaviota
import pytest

from betacut.originals import chessai, didactic, parity
from betacut.originals.parity import chessai as chessai_records
from betacut.originals.parity import didactic as didactic_records
from betacut.originals.parity.krk import RookEndgame
from originals.test_chessai import check as check_chessai
from originals.test_didactic import check as check_didactic
from support.originals_records import GOLDEN
from support.source_distribution import download

FILES = ("kbk", "knk", "kpk", "kqk", "krk")

ENDGAMES = (
    "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",  # a won pawn, whose promotion another file knows
    "4k3/4P3/3K4/8/8/8/8/8 w - - 0 1",
    "8/8/8/3k4/8/8/p7/K7 w - - 0 1",
    "8/8/8/8/8/2k5/8/KQ6 b - - 0 1",
    "8/3k4/8/3K2R1/8/8/8/8 w - - 0 1",
)


@pytest.fixture(scope="module")
def tables(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[chess.gaviota.PythonTablebase]:
    cache = pytestconfig.cache
    kept = cache.mkdir("gaviota") if cache else tmp_path_factory.mktemp("gaviota")
    files = [kept / f"{name}.gtb.cp4" for name in FILES]
    if not all(file.exists() for file in files):
        try:
            archive = download(tmp_path_factory.mktemp("sdist"))
        except subprocess.CalledProcessError:
            pytest.skip("NO NETWORK: REAL GAVIOTA FILES ARE NOT PROBED")
        unpack(archive, kept)
    if not all(file.exists() for file in files):
        pytest.skip(f"PYTHON-CHESS {chess.__version__} COMES WITHOUT GAVIOTA FILES")
    with chess.gaviota.PythonTablebase() as tables:
        tables.add_directory(str(kept))
        yield tables


def unpack(archive: Path, directory: Path) -> None:
    with tarfile.open(archive) as files:
        for member in files:
            if member.name.endswith(".gtb.cp4"):
                content = files.extractfile(member)
                assert content is not None
                (directory / Path(member.name).name).write_bytes(content.read())


def test_the_rook_endgame_is_as_solved_here(tables: chess.gaviota.PythonTablebase) -> None:
    solved, rng, compared = RookEndgame(), random.Random(1), 0
    while compared < 500:
        board = chess.Board(None)
        pieces = ("K", "k", rng.choice("Rr"))
        for square, piece in zip(rng.sample(chess.SQUARES, 3), pieces, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            assert tables.probe_dtm(board) == solved.probe_dtm(board), board.fen()
            compared += 1


@pytest.mark.parametrize(
    ("program", "records"), [("chessai", chessai_records), ("didactic", didactic_records)]
)
def test_the_records_with_a_table(
    tables: chess.gaviota.PythonTablebase,
    program: str,
    records: Any,  # noqa: ANN401
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They were made with the file, in whose place `RookEndgame` answers elsewhere."""
    real = Mock(probe_dtm=Mock(side_effect=tables.probe_dtm))
    monkeypatch.setattr(records, "RookEndgame", lambda: real)
    if program == "didactic":
        monkeypatch.setitem(records.VARIANTS, "tb", {"tablebase": real})
    monkeypatch.setattr(parity, "SHORT", 0.0)
    compared = 0
    for record in parity.records(program, GOLDEN):
        if record.get("tablebase") or record["algo"].endswith("/tb"):
            assert records.compare(record).differences() == [], record["id"]
            compared += 1
    assert compared == {"chessai": 18, "didactic": 4}[program]
    assert real.probe_dtm.call_count > 50


@pytest.mark.parametrize("fen", ENDGAMES)
def test_chessai(tables: chess.gaviota.PythonTablebase, fen: str) -> None:
    """As the twin, and every move is worth what the file says."""
    board = chess.Board(fen)
    for name, algorithm in chessai.ALGORITHMS.items():
        result = algorithm(board, 2, tablebase=tables)
        check_chessai(result, name, board, 2, {"tablebase": tables})
        assert result.used_endgame
    for move in board.legal_moves:
        value, used = chessai.evaluate_move(board, move, tablebase=tables)
        board.push(move)
        over, plies = board.is_game_over(), 0 if board.is_game_over() else -tables.probe_dtm(board)
        board.pop()
        assert used == (not over)
        if plies:
            assert value == (chessai.ENDGAME if plies > 0 else -chessai.ENDGAME) - plies


@pytest.mark.parametrize("fen", ENDGAMES)
def test_didactic(tables: chess.gaviota.PythonTablebase, fen: str) -> None:
    """The evaluator answers with the distance to mate; the second prototype is as its twin."""
    board = chess.Board(fen)
    found = didactic.IncrementalEndgamePieceSquareEvaluator(tables).evaluate(board)
    assert found is not None
    assert found.relative.mate() == (tables.probe_dtm(board) or None)
    for exchanges in (False, True):
        options = {"tablebase": tables, "use_static_exchange_evaluation": exchanges}
        check_didactic(board, "prototype_v2", 2, **options)
