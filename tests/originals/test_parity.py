"""The command `betacut parity` and what it is made of."""

import json
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import chess
import pytest

from betacut.core.exceptions import InvalidPositionError, OriginalCrashError
from betacut.originals import parity
from betacut.originals.parity import Comparison, LeftAside, Row, tables
from support import originals_records
from support.commands import invoke

RECORD = {"id": "x", "algo": "A", "depth": 2, "params": {"ids": True}, "seconds": 2.0}

run = partial(invoke, "parity")


def test_a_table_on_a_terminal(tmp_path: Path) -> None:
    aside = json.dumps({**RECORD, "fen": "", "error": "timeout>12s"}).encode()
    result = run("cosc76", "--golden", golden(tmp_path, "cosc76", [good_line("cosc76"), aside]))
    assert result.exit_code == 0
    assert "eval" in result.output
    assert "Left aside" in result.output
    assert "Differences" not in result.output


def test_a_difference_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cosc76.jsonl").write_text(json.dumps(RECORD), encoding="utf-8")
    comparison = Comparison({"score": (1, 2), "move": ("e2e4", "e2e4")}, 0.5)
    monkeypatch.setattr(parity, "compare", lambda program, record: comparison)
    result = run("cosc76", "--golden", tmp_path, "--markdown")
    assert result.exit_code == 1
    assert "| A | 1 | 0 of 1 | 1 | 4 |" in result.output
    assert "| cosc76 | x A depth 2 ids=True | score | 1 | 2 |" in result.output


def test_a_row_adds_up() -> None:
    row = Row("p", "A")
    assert row.speed is None
    row.add(RECORD, Comparison({"score": (1, 1)}, 0.01))
    row.add({**RECORD, "seconds": 1.0}, Comparison({"score": (1, 2), "path": ([], [])}, 0.02))
    row.add({**RECORD, "seconds": 0.0}, Comparison({"score": (3, 3)}, 0.02))
    assert (row.compared, row.same) == (3, {"score": (2, 3), "path": (1, 1)})
    assert row.speed == pytest.approx(100)
    assert [one.aspect for one in row.differences] == ["score"]


def test_impossible_positions_and_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    from betacut.originals.parity import cosc76

    with pytest.raises(LeftAside, match="did not finish within 12s of CPU"):
        parity.compare("cosc76", {**RECORD, "error": "timeout>12s CPU"})
    monkeypatch.setattr(cosc76, "compare", Mock(side_effect=InvalidPositionError("no king")))
    assert parity.compare("cosc76", {**RECORD, "valid": False}).differences() == []
    monkeypatch.setattr(cosc76, "compare", lambda record: Comparison({}))
    assert parity.compare("cosc76", {**RECORD, "valid": False}).differences() == ["refused"]


def test_tables_without_anything_to_say() -> None:
    table = tables.markdown(parity.Report((Row("p", "A"),)))
    assert table.splitlines()[-1] == "| A | 0 | - |"


def golden(tmp_path: Path, program: str, lines: list[bytes]) -> Path:
    (tmp_path / f"{program}.jsonl").write_bytes(b"\n".join(lines))
    return tmp_path


def good_line(program: str) -> bytes:
    """A record that is answered in no time."""
    return json.dumps(originals_records.chosen(program, "eval")[0]).encode()


BAD_LINES = {
    b"{": "no JSON",
    b"\xff\xfe": "no JSON: 'utf-8' codec",
    b'{"id": "x", "id": "y", "algo": "z"}': "no JSON: the key 'id' is there twice",
    b"[" * 100_000: "no JSON",
    b"5": "a record must be an object, not int 5",
    b'["id"]': "a record must be an object, not list",
    b'{"algo": "AlphaBetaAI"}': "id must be a text, not NoneType None",
    b'{"id": "x", "algo": 5}': "algo must be a text, not int 5",
    b'{"id": "x", "algo": "AlphaBetaAI"}': "the record has no fen",
    b'{"id": "x", "algo": "deep-blue", "fen": "8/8"}': "x deep-blue: ValueError: expected 8 rows",
    b'{"id": "x", "algo": "eval", "fen": 5}': "fen must be a text, not int 5",
    b'{"id": "x", "algo": "eval", "fen": "' + b"8" * 100_000 + b'"}': "expected 8 rows",
    b'{"id": "x", "algo": "game", "fen": "8/8/8/8/8/2k5/2p5/2K5 w - - 0 1"}': "malformed record: ",
}
"""Lines that are no records, or bad ones, and what is said about them."""


@pytest.mark.parametrize("program", parity.PROGRAMS)
def test_a_bad_record_does_not_end_a_run(program: str, tmp_path: Path) -> None:
    """Each is told with its place, and those between them are compared."""
    good = good_line(program)
    lines = [line for bad in BAD_LINES for line in (bad, good, b"  ")]
    report = parity.run(golden(tmp_path, program, lines), [program])
    assert [(row.compared, row.differences) for row in report.rows] == [(len(BAD_LINES), [])]
    places = [f"{program}.jsonl:{3 * number + 1}" for number in range(len(BAD_LINES))]
    assert [fault.place for fault in report.faults] == places
    for fault, said in zip(report.faults, BAD_LINES.values(), strict=True):
        assert said in fault.reason
        assert len(fault.reason) < 400
    result = run(program, "--golden", tmp_path, "--markdown")
    assert result.exit_code == 1
    assert "### Bad records" in result.output
    assert f"| {program} | {program}.jsonl:1 | no JSON" in result.output
    with pytest.raises(ValueError, match=rf"^{program}.jsonl:1: no JSON"):
        list(parity.records(program, tmp_path))


@pytest.mark.parametrize("lines", [[], [b"  "]])
def test_a_file_without_records_is_an_error(lines: list[bytes], tmp_path: Path) -> None:
    result = run("cosc76", "--golden", golden(tmp_path, "cosc76", lines))
    assert result.exit_code == 2
    assert "there are no golden records in" in result.output
    assert "(cosc76.jsonl is empty)" in " ".join(result.output.split())


def test_a_program_that_is_named_twice_is_compared_once(tmp_path: Path) -> None:
    where = golden(tmp_path, "cosc76", [good_line("cosc76")])
    assert parity.run(where, ["cosc76"] * 2).rows[0].compared == 1


def test_whatever_goes_wrong_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(parity, "compare", Mock(side_effect=MemoryError("too\nlarge")))
    report = parity.run(golden(tmp_path, "cosc76", [json.dumps(RECORD).encode()] * 2), ["cosc76"])
    assert report.rows == ()
    reason = "x A depth 2 ids=True: MemoryError: too large"
    assert [fault.reason for fault in report.faults] == [reason] * 2


def test_crashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the original crashed, `OriginalCrashError` is right, and nowhere else."""
    from betacut.originals.parity import didactic

    monkeypatch.setattr(didactic, "compare", Mock(side_effect=OriginalCrashError("no _rise_mate")))
    crashed = parity.compare("didactic", {**RECORD, "error": "AttributeError: _rise_mate"})
    assert (crashed.aspects, crashed.differences()) == ({"crashed": (True, True)}, [])
    assert parity.compare("didactic", RECORD).aspects == {"crashed": (False, True)}
    assert parity.compare("didactic", {**RECORD, "valid": False}).differences() == ["crashed"]


def test_a_valid_position_that_is_refused() -> None:
    refused = parity.compare("cosc76", {**RECORD, "algo": "eval", "fen": "8/8/8/8/8/8/8/8 w - -"})
    assert refused.aspects == {"refused": (False, True)}


# Games in which the original crashed, or whose player keeps no memory.

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/r4PPP/1r4K1 w - - 0 1"
"""White is mated: a player that is asked for a move has none."""


def game(fen: str, plies: list[Any], **fields: object) -> parity.Record:
    black = ["EnhancedAlphaBetaAI", 1, {"memoized": False}]
    players = {"white": ["AlphaBetaAI", 1], "black": black}
    counts = dict.fromkeys(("pruned", "remembered", "tt_len", "tt_size"))
    end: dict[str, Any] = {"prev_moves": [], **counts}
    ends = {"end_white": end, "end_black": end}
    return {"id": "g", "algo": "game", "fen": fen, "plies": plies, **players, **ends, **fields}


def test_a_game_in_which_the_original_crashed() -> None:
    crashed = parity.compare("cosc76", game(MATE_IN_ONE, [], error="UnboundLocalError: move"))
    assert crashed.aspects == {"move": ([None], [None]), "score": ([], [])}
    named = parity.compare("cosc76", game(MATE_IN_ONE, [[None, "-inf"]], error="AttributeError"))
    assert named.aspects == crashed.aspects
    # It did not crash where betacut finds a move, and not where the record goes on.
    at_the_start = game(chess.STARTING_FEN, [], error="UnboundLocalError: move")
    assert parity.compare("cosc76", at_the_start).differences() == ["move", "score"]
    ends = {"final_fen": MATE_IN_ONE, "result": "0-1"}
    goes_on = parity.compare("cosc76", game(MATE_IN_ONE, [["g1h1", 0]], **ends))
    assert goes_on.aspects["move"] == (["g1h1"], [None])


def test_a_game_whose_player_keeps_no_memory() -> None:
    end = {"prev_moves": ["None"], "pruned": 0, "remembered": 0, "tt_len": None, "tt_size": None}
    fields = {"final_fen": MATE_IN_ONE, "result": "0-1", "end_black": end}
    comparison = parity.compare("cosc76", game(MATE_IN_ONE, [], **fields))
    assert comparison.aspects["memory"] == ([(0, None, None)], [(0, None, None)])
    assert comparison.aspects["end"] == ((MATE_IN_ONE, "0-1"), (MATE_IN_ONE, "0-1"))


@pytest.mark.parametrize("program", ["chessai", "didactic"])
def test_games_of_the_other_programs_in_which_the_original_crashed(program: str) -> None:
    player = {"chessai": ["AlphaBetaPruning", 1], "didactic": ["PrototypeV1Engine", 1]}[program]
    record = {"id": "g", "algo": "game", "fen": MATE_IN_ONE, "plies": [], "seed": 1}
    record |= {"white": player, "black": player, "error": "AttributeError: 'NoneType' object"}
    comparison = parity.compare(program, record)
    assert (comparison.aspects["move"], comparison.differences()) == (([None], [None]), [])
    record["fen"] = chess.STARTING_FEN
    assert parity.compare(program, record).differences()[0] == "move"


@pytest.mark.parametrize(
    ("accepted", "passes"),
    [([["h2h8", 3]], True), ([["h2h8", 5]], False), ([["h2h7", 3]], False), ([], False)],
)
def test_solved_is_the_move_and_the_length_of_the_mate(accepted: list[Any], passes: bool) -> None:
    """As in the original's own test of mates."""
    record = {"id": "m", "algo": "PrototypeV2Engine/nosee", "mode": "play", "depth": 4}
    record |= {"fen": "2q3k1/2p1npp1/8/3N4/8/8/2Q4R/1B4K1 w - - 0 1", "move": "h2h8"}
    record |= {"counts": {}, "cache_size": None}
    record |= {"accepted_by_test": accepted, "test_passes": passes}
    aspects = parity.compare("didactic", record).aspects
    assert (aspects["move"], aspects["solved"]) == (("h2h8", "h2h8"), (passes, passes))


@pytest.mark.parametrize("algorithm", ["PrototypeV1Engine", "PrototypeV2Engine/nosee"])
@pytest.mark.parametrize(("mate", "passes"), [(6, True), (-6, False), (4, False)])
def test_solved_is_told_from_whites_view(algorithm: str, mate: int, passes: bool) -> None:
    """As in the original's own test of a mate that Black, to move, can only put off."""
    record: dict[str, Any] = {"id": "dh_matetest_3", "algo": algorithm, "depth": 6}
    record |= {"mode": "analyse"}
    record |= {"fen": "2k5/8/2K2R2/8/8/8/8/8 b - - 0 1", "counts": {}, "cache_size": None}
    record |= {"scores": [["c8b8", {"mate": 6}], ["c8d8", {"mate": 4}]], "best": {"mate": 6}}
    record |= {"sorted_moves": ["c8b8", "c8d8"], "ties": ["c8b8"], "move": "c8b8"}
    record |= {"accepted_by_test": [["c8b8", mate]], "test_passes": passes}
    comparison = parity.compare("didactic", record)
    assert comparison.aspects["solved"] == (passes, passes)
    assert comparison.differences() == ["calls"], "which are not told here"
