"""The benchmark of labels, with betacut's own engine as the judge."""

import json
from pathlib import Path

import chess
import pytest
from chess.engine import Cp, Mate

from betacut.core.positions import POSITIONS
from betacut.lab.bench import labels
from games.support import written
from lab.support import BETACUT
from support.commands import ran


@pytest.fixture
def positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A list of positions, and short searches of the judge and of the engine."""
    monkeypatch.setattr(labels, "NODES", 200)
    monkeypatch.setattr(labels, "ENGINE_DEPTHS", (1,))
    monkeypatch.setattr(labels, "JUDGE_DEPTHS", (2,))
    return written(tmp_path / "positions.fen", "\n".join(["# some", "", *POSITIONS.values()]))


def run(*arguments: object) -> str:
    return ran("bench", "--labels", *arguments).stdout


def test_report(positions: Path) -> None:
    picture = positions.with_name("labels.svg")
    told = run(positions, "--judge", BETACUT, "--depth", "2", "--plot", picture, "--json")
    rows = json.loads(told)["sections"]["labels"]["rows"]
    own = ["plain, depth 2", *(f"{kind}, depth {deep}" for kind in QUIET for deep in (1, 2))]
    assert list(rows)[:-1] == [*own, "engine, depth 1"]
    assert list(rows)[-1].startswith("betacut")
    for row in rows.values():
        assert row["positions"] == len(POSITIONS)
        assert -1 <= row["correlation"] <= 1
        assert 0 <= row["move"] <= row["among"] <= 1
        assert row["positions/s"] > 0
    drawn = picture.read_text(encoding="utf-8")
    for family in ("plain", *QUIET, "engine"):
        assert f">{family}<" in drawn
    # The judge is not asked again, and its labels may stand in the file itself.
    judged = positions.with_suffix(".judged.epd")
    before = judged.read_text(encoding="utf-8")
    assert before.count(" bm ") == len(POSITIONS)
    for path in (positions, judged):
        table = run(path, "--depth", "1")
        assert "quiet, tapered, depth 1" in table
        assert "correlation" in table
    assert judged.read_text(encoding="utf-8") == before


QUIET = ["quiet", "quiet, tapered"]


def test_slow_labellers_label_a_sample(positions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(positions, "--judge", BETACUT, "--depth", "1")
    monkeypatch.setattr(labels, "CHUNK", 3)
    monkeypatch.setattr(labels, "SECONDS", 1e-9)
    rows = labels.measure(positions, 1).sections["labels"].rows
    assert {row["positions"] for row in rows.values()} == {3}


def test_a_labeller_that_is_the_judge_agrees_with_it() -> None:
    boards = [chess.Board(fen) for fen in POSITIONS.values()]
    label = labels._exact(2, {})
    row = labels._compared(label, list(zip(boards, label(boards), strict=True)))
    assert row["correlation"] == pytest.approx(1)
    assert row["among"] == 1
    assert row["move"] < 1  # several moves may be best


@pytest.mark.parametrize("score", [Cp(31), Cp(-900), Mate(1), Mate(3), Mate(-1), Mate(-4)])
@pytest.mark.parametrize("turn", "wb")
def test_labels_are_kept(tmp_path: Path, score: Cp | Mate, turn: str) -> None:
    text = f"4k3/8/8/3N4/3n4/8/8/4K3 {turn} - -"
    board = chess.Board(f"{text} 0 1")
    label = labels.Label(score, [next(iter(board.legal_moves))])
    ((read, again),) = labels._read(written(tmp_path / "one.epd", labels._line(text, label)))
    assert again is not None
    assert (read, again.score, again.moves) == (text, score, label.moves)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["# nothing"], "no line of .* is a position"),
        ([POSITIONS["P1"], "nonsense"], "line 2: "),
        (["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"], "line 1: the game is over"),
        ([POSITIONS["P1"]], "1 positions of .* have no labels of a judge"),
    ],
)
def test_mistakes(tmp_path: Path, lines: list[str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        labels.measure(written(tmp_path / "positions.fen", "\n".join(lines)))
