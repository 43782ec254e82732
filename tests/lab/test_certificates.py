"""Certificates: what is proved, and that nothing false is taken for a proof."""

import ast
import itertools
import json
import math
import re
import shutil
import sys
import time
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import pytest

from betacut import _betacut, certificates, engine, reference
from betacut.core.boards import parse_board
from betacut.core.positions import POSITIONS
from betacut.lab import fuzz
from betacut.lab.certificates import Certificate, CertificateError, checker
from lab.support import flat
from support.commands import ctrl_c_after, ran, run_python
from support.sampling import sample

P5 = POSITIONS["P5"]
BLACK_TO_MOVE = POSITIONS["P6"]

ROOK_AND_PAWNS = "4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1"
"""The rook can take a pawn, which costs it."""

CHECKER = Path(checker.__file__)
PAGE = Path(__file__).parents[2] / "docs" / "certificates.md"

PLAIN = certificates.make(P5, 3)
SHALLOW = certificates.make(P5, 2)
QUIET = certificates.make(P5, 2, quiescence=True)

plain_or_quiet = pytest.mark.parametrize("certificate", [PLAIN, QUIET], ids=["plain", "quiet"])


FIRST_LINE, HEADER, PACKED = PLAIN.to_bytes().split(b"\n", 2)


def file_of(certificate: Certificate, **changes: object) -> bytes:
    first_line, header, packed = certificate.to_bytes().split(b"\n", 2)
    changed = json.dumps({**json.loads(header), **changes}).encode()
    return b"\n".join([first_line, changed, packed])


def refused(data: Certificate | bytes) -> str:
    with pytest.raises(CertificateError) as caught:
        certificates.check(data)
    said = str(caught.value)
    assert len(said.splitlines()) == 1
    assert len(said) < 250, said
    return said


def unreadable(data: bytes) -> str:
    """Why a certificate is refused, by all alike, before its proof is looked at."""
    said = refused(data)
    for work in (Certificate.from_bytes, certificates.tree):
        with pytest.raises(CertificateError) as caught:
            work(data)
        assert str(caught.value) == said
    return said


@pytest.mark.sampled(6, every=["name", "depth", "quiescence"])
@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize(
    ("depth", "quiescence"), [(1, False), (2, False), (3, False), (4, False), (1, True), (2, True)]
)
def test_the_value_and_the_best_moves_are_those_of_the_search_and_hold(
    name: str, depth: int, quiescence: bool
) -> None:
    certificate = certificates.make(name, depth, quiescence=quiescence)
    found = engine.search(name, depth, quiescence=quiescence)
    assert certificate.value == found.score
    assert set(certificate.best_moves) == set(found.best_moves)
    proved = certificates.check(certificate)
    assert proved[:4] == (certificate.fen, depth, found.score, certificate.best_moves)
    assert proved.quiescence == certificate.quiescence == quiescence
    assert certificate.fen == chess.Board(POSITIONS[name]).fen()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", fuzz.KINDS)
def test_positions_from_the_corners_of_the_rules_are_proved(kind: str) -> None:
    for case in sample(range(12), 3):
        fen = _betacut.fuzz_position(kind, 14, case)
        for depth in (1, 2, 3):
            certificate = certificates.make(fen, depth)
            proved = certificates.check(certificate)
            assert proved.value == engine.search(fen, depth).score, fen
            # What the maker counts is what the checker looks at.
            positions = proved.positions
            assert certificates.make(fen, depth, max_positions=positions) == certificate
            if positions > 1:
                with pytest.raises(CertificateError, match=f"over {positions - 1} positions"):
                    certificates.make(fen, depth, max_positions=positions - 1)


def test_quiet_leaves_are_proved() -> None:
    every = list(itertools.product(fuzz.KINDS, range(6), (1, 2, 3)))
    cases = sample(every, 6, every=lambda case: [case[0]])
    proved = 0
    for kind, case, depth in cases:
        fen = _betacut.fuzz_position(kind, 14, case)
        found = engine.search(fen, depth, quiescence=True, nodes=500)
        if not found.complete or not found.best_moves:
            continue  # where many men stand, everything hangs
        certificate = certificates.make(fen, depth, quiescence=True)
        checked = certificates.check(certificate)
        assert (checked.value, set(checked.best_moves)) == (found.score, set(found.best_moves)), fen
        most = checked.positions
        assert certificates.make(fen, depth, quiescence=True, max_positions=most) == certificate
        proved += 1
    assert proved > len(cases) * 100 / len(every)


def test_a_proof_of_quiet_leaves_is_none_of_plain_ones() -> None:
    assert (QUIET.value, PLAIN.value, SHALLOW.value) == (135, 155, 95)
    assert refused(replace(QUIET, quiescence=False))
    assert refused(replace(SHALLOW, quiescence=True))
    for wrong in (False, None, 1, "captures"):
        assert "quiescence must be true" in unreadable(file_of(QUIET, quiescence=wrong))


def test_captures_are_no_duty_and_nothing_ends_where_they_are_played_out() -> None:
    """The tree of a proof: both stand pat, and a stalemate after a capture is none."""
    # After 1. Qxf2 or 1. Kg1 Black has no move left, which only a leaf of the plain search sees.
    fen = "7k/8/8/8/8/6q1/3p4/3K4 w - - 0 1"
    tree = certificates.tree(certificates.make(fen, 1, quiescence=True))
    assert tree.root.value == engine.search(fen, 1, quiescence=True).score
    leaves = [node for node in tree if node.end == "stand_pat"]
    assert leaves
    assert all(node.static == reference.evaluate_position(node.board) for node in leaves)
    taken = certificates.tree(certificates.make(ROOK_AND_PAWNS, 1, quiescence=True))["Rxd5"]
    assert (taken.end, [child.san for child in taken.children]) == ("cutoff", ["cxd5"])
    assert taken.children[0].end == "stand_pat"


def test_the_checker_and_the_twin_define_the_same_value() -> None:
    for kind in fuzz.KINDS:
        for case in range(40):
            board = parse_board(_betacut.fuzz_position(kind, 15, case))
            end = checker.ended(board, 0)
            score = checker.evaluate(board) if end is None else end
            assert score == reference.evaluate_position(board), board.fen()


@pytest.mark.parametrize(
    ("fen", "value", "end"),
    [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 100_003, "checkmate"),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90", 100_003, "checkmate"),  # before the clock
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3, "stalemate"),
        ("8/8/8/4k3/8/4K3/4P3/8 w - - 100 90", -3, "fifty_moves"),
        ("8/8/8/4k3/8/4K3/4P3/8 b - - 100 90", 3, "fifty_moves"),
        ("k7/8/8/8/8/8/8/r3K3 w - - 100 90", -3, "fifty_moves"),  # check, and no mate
        ("8/8/8/4k3/8/4K3/4N3/8 w - - 0 1", -3, "insufficient_material"),
    ],
)
def test_a_finished_game_needs_no_choices_and_one_node(fen: str, value: int, end: str) -> None:
    certificate = certificates.make(fen, 3)
    assert (certificate.value, certificate.best_moves, certificate.choices) == (value, (), b"")
    for one in (certificate, Certificate(fen, 3, value, (), b"")):
        assert certificates.check(one)[2:5] == (value, (), 1)
    tree = certificates.tree(certificate)
    assert (len(tree), tree.root.end, tree.root.value) == (1, end, value)
    assert "cannot be" in refused(replace(certificate, value=value + 1))
    assert "cannot be" in refused(replace(certificate, best_moves=(chess.Move(0, 1),)))


def test_a_certificate_comes_back_from_its_file(tmp_path: Path) -> None:
    """Which stays if a new one cannot be made."""
    file, whole = tmp_path / "proof", PLAIN.to_bytes()
    PLAIN.save(file)
    with pytest.raises(CertificateError):
        replace(PLAIN, value=10**5000).save(file)
    assert Certificate.load(file) == Certificate.from_bytes(whole) == PLAIN
    for data, reason in (
        (b"", "its header is cut off"),
        (whole[: whole.index(b"{") + 20], "its header is cut off"),
        (b"betacut certificate 2\n{}\n", "it is of another version, or its header is too long"),
        (whole[:-1], "the file does not end after "),
    ):
        with pytest.raises(CertificateError, match=f"cannot be read: {reason}"):
            Certificate.from_bytes(data)


def test_the_page_has_the_tables_of_the_checker() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert "a king 20,000" in page
    (shown,) = re.findall(r'--8<-- "(.*\.json)"', page)
    published = json.loads((PAGE.parents[1] / shown).read_text(encoding="utf-8"))
    values = dict(zip("PNBRQKE", [*published["piece_values"], 20_000, 20_000], strict=True))
    squares = {**published["squares"], "E": published["endgame_squares"]["K"]}
    assert {name: [values[name], *table] for name, table in squares.items()} == checker.EVALUATION
    assert values == {"P": 100, "N": 320, "B": 330, "R": 500, "Q": 900, "K": 20_000, "E": 20_000}


@pytest.mark.parametrize(
    ("white", "black", "is_endgame"),
    [
        ("", "", True),
        ("RRBBNN", "RRBBNN", True),  # no queen
        ("QQPPP", "QPPP", True),  # no rook
        ("QQN", "QB", True),  # and one minor piece
        ("QNN", "", False),
        ("", "QBB", False),
        ("QNB", "QN", False),
        ("QR", "", False),
        ("", "QR", False),
        ("RRNN", "QRP", False),  # it must hold for both
    ],
)
def test_when_kings_use_the_table_of_the_endgame(white: str, black: str, is_endgame: bool) -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    for first, symbols in ((chess.A3, white), (chess.A5, black.lower())):
        for square, symbol in enumerate(symbols, first):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    before = checker.evaluate(board)
    board.set_piece_at(chess.E1, None)
    board.set_piece_at(chess.E2, chess.Piece.from_symbol("K"))
    # From e1 to e2 the one table has -30 and 0, the other 0 and 0.
    assert checker.evaluate(board) - before == (30 if is_endgame else 0)
    assert reference.is_endgame(board) == is_endgame


@pytest.mark.parametrize(
    "fen", ["8/1P2k3/8/8/8/8/4K3/8 w - - 0 1", "4k3/8/8/8/8/8/1p2K3/8 b - - 0 1"]
)
def test_proofs_follow_each_other_in_the_order_of_the_names(fen: str) -> None:
    """The root's moves too: not in the order in which python-chess lists them."""
    names = [move.uci() for move in chess.Board(fen).legal_moves]
    assert [name[4] for name in sorted(names) if len(name) == 5] == ["b", "n", "q", "r"]
    assert sorted(names) != names
    proofs = certificates.tree(certificates.make(fen, 2)).root.children
    assert [*dict.fromkeys(str(node.move) for node in proofs)] == sorted(names)


def test_an_en_passant_square_may_be_written_or_not() -> None:
    """It is a square that a pawn has crossed, whether it can be taken there or not."""
    for black, square in itertools.product(("pppppppp/8/8/4P3", "ppp1pppp/8/8/3pP3"), ("e3", "-")):
        fen = f"rnbqkbnr/{black}/8/PPPP1PPP/RNBQKBNR b KQkq {square} 0 3"
        certificate = replace(certificates.make(fen, 1), fen=fen)
        assert certificates.check(certificate).fen == fen
        if " e3 " in fen:
            assert "no valid FEN" in refused(replace(certificate, fen=fen.replace("e3", "d3")))


@pytest.mark.parametrize(
    "certificate", [PLAIN, SHALLOW, QUIET, certificates.make(BLACK_TO_MOVE, 4)], ids=range(4)
)
def test_another_value_is_refused_with_the_line(certificate: Certificate) -> None:
    for by in (-40, -1, 1, 10, -1_000, -100_000 - certificate.value):
        said = refused(replace(certificate, value=certificate.value + by))
        assert "is claimed, but" in said
        assert said.startswith("after "), said


def test_a_best_move_left_out_or_added_is_refused() -> None:
    best = SHALLOW.best_moves
    assert len(best) > 1
    for index in range(len(best)):
        assert refused(replace(SHALLOW, best_moves=best[:index] + best[index + 1 :]))
    for move in {*chess.Board(P5).legal_moves} - {*best}:
        more = tuple(sorted([*best, move], key=chess.Move.uci))
        assert refused(replace(SHALLOW, best_moves=more))
    for wrong in (best + best[:1], best[::-1], (), (*best, chess.Move.from_uci("a1a8"))):
        assert "cannot be" in refused(replace(SHALLOW, best_moves=wrong))


@pytest.mark.parametrize(("fen", "depth"), [(P5, 3), (P5, 4), (BLACK_TO_MOVE, 4)])
def test_a_depth_a_position_or_an_evaluation_of_its_own_is_refused(fen: str, depth: int) -> None:
    certificate = certificates.make(fen, depth)
    for other in (depth - 1, depth + 1, depth + 2):
        assert refused(replace(certificate, depth=other))
    board = chess.Board(fen)
    board.turn = not board.turn
    others = [board.fen(), POSITIONS["P1"], "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", 5, None]
    others += [fen.replace(" 1 83", " 99 83").replace(" 4 50", " 98 50")]
    others += [fen.replace("4NK2", "5KN1").replace("1p4p1", "1p3p2")]
    for other_fen in others:
        assert refused(file_of(certificate, fen=other_fen))
    for name, index in itertools.product(checker.EVALUATION, (0, 1, 28, 64)):
        table = list(checker.EVALUATION[name])
        table[index] += 1
        tables = {**checker.EVALUATION, name: table}
        assert "another evaluation" in refused(file_of(certificate, evaluation=tables))


@plain_or_quiet
def test_a_choice_that_is_changed_is_refused_or_proves_the_same(certificate: Certificate) -> None:
    """Several moves may hold a claim, so another choice is no lie; but it never helps one."""
    choices = certificate.choices
    others = {*range(30), 255} if certificate.quiescence else {0, 7, 255}
    every = [(index, other) for index, was in enumerate(choices) for other in others - {was}]
    found: list[int | None] = []
    for index, other in sample(every, 8):
        broken = bytes([*choices[:index], other, *choices[index + 1 :]])
        try:
            found.append(certificates.check(replace(certificate, choices=broken)).value)
        except CertificateError:
            found.append(None)
    assert set(found) <= {None, certificate.value}
    assert found.count(None) > len(found) / 2


@plain_or_quiet
def test_choices_that_are_missing_or_too_many_are_refused(certificate: Certificate) -> None:
    choices = certificate.choices
    for length in sample(range(len(choices)), 4):
        assert "is claimed, but" in refused(replace(certificate, choices=choices[:length]))
    for more in (b"\0", b"\xff", choices):
        assert "does not end" in refused(replace(certificate, choices=choices + more))


def test_a_file_that_is_damaged_is_refused() -> None:
    data = PLAIN.to_bytes()
    start = data.index(b"\n", data.index(b"\n") + 1) + 1
    for length in [*range(0, start, 97), *range(start, len(data))]:
        assert refused(data[:length])
    assert "does not end" in refused(data + b"x")
    padding = []
    for index in range(start, len(data)):
        for bit in range(8):
            broken = bytearray(data)
            broken[index] ^= 1 << bit
            try:
                same = zlib.decompress(broken[start:]) == zlib.decompress(data[start:])
            except zlib.error:
                same = False
            if same:  # up to seven bits fill the last byte before the sum
                padding.append((index, bit))
            else:
                assert refused(bytes(broken))
    assert len(padding) <= 7
    assert len({index for index, _ in padding}) <= 1
    for index in range(len(checker.FIRST_LINE) + 1):
        broken = bytearray(data)
        broken[index] ^= 1
        assert refused(bytes(broken))


def test_a_small_file_with_endless_choices_takes_little_memory() -> None:
    bomb = zlib.compress(bytes(checker.MOST_CHOICES + 1), 9)
    assert "67,108,864 choices or less" in unreadable(b"\n".join([FIRST_LINE, HEADER, bomb]))


CLOCKS = [" 1 \uff18\uff13", " \u0661 83", " 1\n83", "\t1 83", "  1 83", " 1 83 ", " 1 83\n"]
CLOCKS += [" +1 83", " 01 83", " 1 8_3", " 1", "", " 1 0", " 1 83;", f" 1 {2**30}", f" {2**30} 83"]
CLOCKS += [f" 1 {'9' * 4300}"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # Integers.
        *itertools.product(
            ("depth", "value"), ("3", "\uff11", "1_0", 1.9, 3.0, True, None, [3], 10**30)
        ),
        *(("depth", depth) for depth in (0, -1, 101)),
        *(("value", value) for value in (10**4299, -(10**4299), math.nan, math.inf)),
        # A position, in another form.
        *(("fen", P5.replace(" 1 83", clocks)) for clocks in CLOCKS),
        ("fen", P5.replace("5P2", "23P2")),
        ("fen", P5.replace("R7", "R~7")),
        ("fen", P5.replace(" w - ", " W - ")),
        ("fen", P5.replace(" w - ", " w q - ").replace(" - - ", " - ")),  # no king, no rook there
        ("fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"),
        ("fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 1"),
        ("fen", "startpos"),
        # Lists.
        *(("best_moves", [move]) for move in ("E2C3", "e2c3 ", 5, None, ["e2c3"])),
        *(("best_moves", moves) for moves in ("e2c3", None, 5, {"e2c3": 1})),
        *(("best_moves", ["e2c3"] * times) for times in (2, 1000)),
        *itertools.product(["made_by"], (None, ["betacut"])),
        ("evaluation", {**checker.EVALUATION, "P": [100.0, *checker.EVALUATION["P"][1:]]}),
        ("evaluation", {**checker.EVALUATION, "P": [100, False, *checker.EVALUATION["P"][2:]]}),
        ("evaluation", list(checker.EVALUATION.items())),
        ("evaluation", {**checker.EVALUATION, "X": []}),
        ("evaluation", 5),
        ("more", 5),
    ],
    ids=lambda text: ascii(text)[:40],
)
def test_a_header_in_another_form_is_refused(name: str, value: object) -> None:
    said = unreadable(file_of(PLAIN, **{name: value}))
    assert "cannot be" in said or said.endswith("is no valid FEN")


def test_a_header_that_is_no_plain_object_of_six_names_is_refused() -> None:
    def of(other: bytes) -> str:
        return unreadable(b"\n".join([FIRST_LINE, other, PACKED]))

    for twin in (b'{"depth": 7, ', b'{"depth": 3, ', b'{"\\u0064epth": 3, '):
        assert "each once" in of(HEADER.replace(b"{", twin, 1))
    assert "another evaluation" in of(HEADER.replace(b'"P":', b'"P": [], "P":', 1))
    assert "each once" in of(HEADER.replace(b"{", b'{"quiet": true, ', 1))
    for name in (*checker.NAMES, "P"):
        assert of(HEADER.replace(f'"{name}"'.encode(), b'"other"'))
    assert "each once" in of(json.dumps(list(json.loads(HEADER).items())).encode())
    for other in (b"", b"null", b"[]", b"{}", b"5", HEADER[:-1], HEADER + b"}", b"\xff" + HEADER):
        assert "it cannot be read" in of(other)
    assert "it cannot be read" in of(HEADER.decode().encode("utf-16-le"))
    for long in (b"[" * 200_000, b"9" * 200_000, HEADER + b" " * 20_000):
        assert "its header is too long" in of(long)
    assert "recursion" in of(b"[" * 16_000)
    most = "(4300 digits)" if sys.version_info >= (3, 11) else "(4300)"
    assert most in of(b"9" * 16_000)


def test_a_file_of_another_version_is_refused() -> None:
    data = PLAIN.to_bytes()
    for first_line in (b"betacut certificate 2", b"betacut certificate 1\r", b" " * 4, b""):
        assert "another version" in unreadable(first_line + data[len(checker.FIRST_LINE) :])


def test_a_certificate_that_cannot_be_written_says_so() -> None:
    wrong: list[dict[str, Any]] = [{"value": 10**5000}, {"depth": 1j}, {"choices": "text"}]
    wrong += [{"best_moves": moves} for moves in (("e2c3",), None)]
    for attributes in wrong:
        assert "it cannot be written" in refused(replace(PLAIN, **attributes))


@pytest.mark.parametrize(
    ("fen", "depth", "greatest", "least"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 3, 995, -90),
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", 100, 995, -100),  # a draw, late
        (chess.STARTING_FEN, 1, 13_665, -13_665),
    ],
)
def test_a_value_lies_within_what_is_on_the_board_or_is_a_mate(
    fen: str, depth: int, greatest: int, least: int
) -> None:
    certificate = Certificate(fen, depth, 0, certificates.make(fen, 1).best_moves, b"")
    mate = 100_000 + depth - 1
    for value in (greatest, least, mate, -mate, 100_000, -100_000):
        assert "is claimed, but" in refused(replace(certificate, value=value))
    for value in (greatest + 1, least - 1, mate + 1, -mate - 1, 99_999, -99_999, -1_000_000):
        assert refused(replace(certificate, value=value)) == f"the value {value} cannot be"


def test_a_file_that_asks_for_endless_work_is_refused() -> None:
    board = chess.Board()
    best = tuple(sorted(board.legal_moves, key=chess.Move.uci))
    forged = Certificate(board.fen(), 100, -1_000_000, best, bytes(1 << 20))
    assert len(forged.to_bytes()) < 5_000
    assert refused(forged) == "the value -1000000 cannot be"
    forged = replace(forged, value=-100_099)
    for work in (certificates.check, certificates.tree):
        with pytest.raises(CertificateError, match="over 2,000 positions: raise max_positions"):
            work(forged, max_positions=2_000)


def test_the_limits_are_exact() -> None:
    certificate = certificates.make(P5, 4)
    positions = certificates.check(certificate).positions
    for work in (certificates.check, certificates.tree):
        for most in (positions, None):
            work(certificate, max_positions=most)
        with pytest.raises(CertificateError, match="over 903 positions: raise max_positions"):
            work(certificate, max_positions=positions - 1)
    with pytest.raises(CertificateError, match="over 903 positions: raise max_positions, or ask"):
        certificates.make(P5, 4, max_positions=903)


def test_a_file_holds_what_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = certificates.make("P1", 6)
    most, data = len(certificate.choices), certificate.to_bytes()
    monkeypatch.setattr(checker, "MOST_CHOICES", most)
    assert certificates.make("P1", 6) == Certificate.from_bytes(data)
    monkeypatch.setattr(checker, "MOST_CHOICES", most - 1)
    with pytest.raises(CertificateError, match=f"over {most - 1} choices, the most that a file"):
        certificates.make("P1", 6, max_positions=None)
    assert f"after {most - 1:,} choices or less" in unreadable(data)


def test_the_usual_limit_lets_pass_what_is_usually_made() -> None:
    for name in POSITIONS:
        for depth in (7, 8):
            certificates.make(name, depth)


def test_the_checker_is_short_and_stands_on_python_chess_alone() -> None:
    text = CHECKER.read_text()
    assert len(text.splitlines()) < 200
    nodes = [*ast.walk(ast.parse(text))]
    imported = {alias.name for one in nodes if isinstance(one, ast.Import) for alias in one.names}
    imported |= {one.module or "" for one in nodes if isinstance(one, ast.ImportFrom)}
    assert "chess" in imported
    assert imported - {"chess"} <= set(sys.stdlib_module_names) | {"collections.abc"}


def test_the_checker_runs_on_its_own(tmp_path: Path) -> None:
    shutil.copy(CHECKER, tmp_path / "checker.py")
    PLAIN.save(tmp_path / "good")
    replace(PLAIN, value=PLAIN.value + 1).save(tmp_path / "bad")
    good, bad = (run_python("checker.py", name, cwd=tmp_path) for name in ("good", "bad"))
    assert (good.returncode, bad.returncode) == (0, 1)
    assert f"3 {PLAIN.value} ['e2c3']" in good.stdout
    assert "'at least 156' is claimed" in bad.stderr


def test_the_tree_holds_the_claims_and_what_they_rest_on() -> None:
    for fen, depth in [(P5, 3), (P5, 4), (P5, 2), (BLACK_TO_MOVE, 4)]:  # at 2 several are best
        certificate = certificates.make(fen, depth)
        tree = certificates.tree(certificate)
        root, value = tree.root, certificate.value
        assert (tree.fen, tree.depth, tree.complete) == (certificate.fen, depth, True)
        assert (root.value, root.kind) == (value, "PV")
        assert len(tree) == root.size == certificates.check(certificate).positions
        # The claims, in their order.
        white = chess.Board(fen).turn
        at_least, at_most = ((value - 1, value), "lower"), ((value, value + 1), "upper")
        worse = ((value - 1, value), "upper") if white else ((value, value + 1), "lower")
        claims = []
        for name in sorted(move.uci() for move in chess.Board(fen).legal_moves):
            is_best = chess.Move.from_uci(name) in certificate.best_moves
            claims += [(name, *claim) for claim in ([at_least, at_most] if is_best else [worse])]
        assert [(str(node.move), node.window, node.bound) for node in root.children] == claims
        # Each node rests on its children, and the choices are those of the certificate.
        chosen = bytearray()
        for node in list(tree)[1:]:
            moves = sorted(move.uci() for move in node.board.legal_moves)
            values = [child.value for child in node.children]
            claimed = node if node.ply == 1 else node.parent
            assert claimed is not None
            assert (node.bound, node.window) == (claimed.bound, claimed.window)
            if node.end == "cutoff":
                assert [node.value] == values
                assert node.pruned_count == len(moves) - 1
                chosen.append(moves.index(str(node.children[0].move)))
            elif node.end == "searched":
                assert [str(child.move) for child in node.children] == moves
                best = max if node.board.turn else min
                assert node.value == best(value for value in values if value is not None)
            else:
                assert node.value == node.static == reference.evaluate_position(node.board)
        assert bytes(chosen) == certificate.choices


def test_a_tree_says_what_it_leaves_out() -> None:
    data = PLAIN.to_bytes()
    whole = certificates.tree(data)
    assert whole.complete
    top = certificates.tree(data, max_ply=1)
    assert top.root.size == len(whole) > len(top) == 1 + len(top.root.children)
    assert not any(child.is_recorded for child in top.root.children)
    part = certificates.tree(data, max_nodes=50)
    assert (len(part), part.complete, part.root.value) == (50, False, None)
    assert [node.value for node in part if node.value is not None]


@pytest.mark.parametrize("most", [None, 5])
def test_what_is_refused_has_no_tree(most: int | None) -> None:
    """Nor has it one up to `max_nodes`, where the fault comes later."""
    ended = certificates.make("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3)
    start = Certificate(chess.STARTING_FEN, 1, 99_999, (), b"")
    choices = PLAIN.choices
    broken = (choices[:-1], b"\xff" + choices[1:], choices + b"\0")
    all_forged: list[Certificate | bytes] = [
        *(start, replace(start, value=995)),
        *(replace(PLAIN, value=PLAIN.value + by) for by in (-1, 1, 10)),
        *(replace(PLAIN, choices=one) for one in broken),
        *(replace(ended, value=77), replace(ended, choices=b"\0")),
        *(file_of(PLAIN, evaluation={}), file_of(PLAIN, depth=3.9)),
    ]
    for forged in all_forged:
        with pytest.raises(CertificateError) as caught:
            certificates.tree(forged, max_nodes=most)
        assert str(caught.value) == refused(forged)


@pytest.mark.parametrize("part", ["make", "check"])
def test_ctrl_c_ends_it_at_once(part: str) -> None:
    proof = certificates.make("kiwipete", 6)
    work: Callable[[], object] = {
        "make": lambda: certificates.make("kiwipete", 12),
        "check": lambda: certificates.check(proof),
    }[part]
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt), ctrl_c_after(0.2) as sent:
        work()
    assert time.process_time() - sent[0] < 0.4  # by the processor's time: the machine may be busy
    assert time.monotonic() - start < 30
    assert certificates.check(SHALLOW).value == 95


def test_a_certificate_is_made_and_checked_by_commands(tmp_path: Path) -> None:
    file = str(tmp_path / "proof")
    made = ran("certify", "P5", "--depth", "3", "--out", file).output
    assert "155" in made
    assert "Nc3 (e2c3)" in made
    assert "155, proved" in ran("check", file).output
    assert json.loads(ran("check", file, "--json").output)["value"] == 155
    quiet = ran("certify", "P5", "--depth", "3", "--out", file + "2", "--quiet").output
    assert "125, captures played out" in quiet
    assert "125, captures played out, proved" in ran("check", file + "2").output
    assert json.loads(ran("check", file + "2", "--json").output)["quiescence"] is True
    replace(Certificate.load(file), value=156).save(file)
    refusal = ran("check", file, status=1).output
    assert "refused: after 1. " in refusal.replace("83. ", "1. ")
    assert json.loads(ran("check", file, "--json", status=1).output)["ok"] is False


def test_the_explorer_of_a_certificate_is_written(tmp_path: Path) -> None:
    file, page = tmp_path / "proof", tmp_path / "page.html"
    PLAIN.save(file)
    assert "155, proved" in ran("check", file, "--html", page).output
    assert page.read_text() == certificates.tree(PLAIN).to_html()
    replace(PLAIN, value=156).save(file)
    page.unlink()
    ran("check", file, "--html", page, status=1)
    assert not page.exists()
    before = file.read_bytes()
    over = ran("check", file, "--html", file, status=2).output
    assert "is the file that is read: write to another one" in over
    assert file.read_bytes() == before


def test_options_of_searches_are_refused_for_a_certificate(tmp_path: Path) -> None:
    """And that of certificates for a search, which has no proof to look at."""
    file = tmp_path / "proof"
    SHALLOW.save(file)
    # The first is what it would be without the option, too.
    options = ["--against minimax_no_memo", "--depth 3", "--seconds 5.0", "--seed 0"]
    for option in [*options, "--view white", "--make", "--counts"]:
        found = ran("check", file, "--json", *option.split(), status=2).output
        assert f"is a certificate: {option.split()[0]} must be left out" in found
    both = ran("check", file, "--make", "--counts", status=2).output
    assert "is a certificate: --make and --counts must be left out" in both
    search = ran("check", "betacut.engine:minimax_no_memo", "--max-positions", "5", status=2).output
    assert "is no certificate: --max-positions must be left out" in search


def test_the_commands_have_limits(tmp_path: Path) -> None:
    file, page = tmp_path / "proof", tmp_path / "page.html"
    said = "over 600 positions: raise max_positions"
    for arguments, written, status, words in [
        (["certify", "P5", "-d3", "--out", file], file, 2, f"{said}, or ask for a lesser depth"),
        (["check", file, "--html", page], page, 1, f"refused: {said}"),
    ]:
        assert words in ran(*arguments, "--max-positions", "600", status=status).output
        assert not written.exists()
        ran(*arguments, "--max-positions", "612")


def test_what_is_no_certificate(tmp_path: Path) -> None:
    """What is no file may have been meant for a function."""
    (tmp_path / "text").write_text("nothing")
    for name in ("text", "none"):
        found = flat(ran("check", tmp_path / name, status=2).output)
        assert "is no certificate and no file of Python" in found
        assert "MODULE:FUNCTION" in found
    (tmp_path / "newer").write_text("betacut certificate 2\n{}\n")
    found = flat(ran("check", tmp_path / "newer", status=1).output)
    assert "it is of another version, or its header is too long" in found
