"""The scripts in examples/ run as their docstrings say, and the notebook shows what it keeps.

`python tests/docs/test_examples.py` runs the notebook and keeps what it shows now.
"""

import io
import re
import runpy
import shlex
import shutil
import sys
from contextlib import redirect_stdout
from copy import deepcopy
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from betacut import engine
from betacut.views.palette import LINES
from docs.test_course import chapters
from support.commands import run_python
from support.sampling import IS_EXHAUSTIVE

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOK = EXAMPLES / "notebook.ipynb"
PICTURE = EXAMPLES.parent / "docs" / "images" / "result.svg"


def printed_by(script: Path, *arguments: object) -> str:
    """Run a script in this process, where what it draws with is imported; return what it prints."""
    printed = io.StringIO()
    with patch("sys.argv", [*map(str, (script, *arguments))]), redirect_stdout(printed):
        runpy.run_path(str(script), run_name="__main__")
    return printed.getvalue()


def texts(svg: str) -> list[str]:
    return re.findall(r"<text [^>]*>([^<]*)</text>", svg)


@pytest.mark.parametrize("arguments", [[], ["8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83", "3"]])
def test_count_the_savings(arguments: list[str]) -> None:
    done = run_python(EXAMPLES / "count_the_savings.py", *arguments, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) == 4
    assert len({score for _, score, *_ in lines}) == 1, "all of them find the same value"
    nodes = [int(line[2].replace(",", "")) for line in lines]
    assert nodes == sorted(nodes, reverse=True)


def test_the_picture_of_a_result() -> None:
    """The picture in the docs is what `to_svg` draws: its figures, and as many arrows."""
    result = engine.search("P1", 6, multipv=3)

    def figures(svg: str) -> list[str]:
        return [*texts(svg), *re.findall(r'class="arrow"', svg)]

    drawn = figures(result.to_svg())
    assert drawn == figures(PICTURE.read_text(encoding="utf-8"))
    assert "-80" in drawn
    assert drawn.count('class="arrow"') == 3


def test_plot_comparison(tmp_path: Path) -> None:
    """The plot in the docs has the lines that the script draws, by their names."""
    drawn, kept = tmp_path / "compare.svg", PICTURE.with_name("compare.svg")
    printed_by(EXAMPLES / "plot_comparison.py", drawn, *([] if IS_EXHAUSTIVE else ["P6"]))
    *names, title = texts(drawn.read_text(encoding="utf-8"))
    assert texts(kept.read_text(encoding="utf-8")) == [*names, "3 positions"]
    assert title == ("3 positions" if IS_EXHAUSTIVE else "P6")
    shown = {"search (leaves not counted)", "minimax_no_memo", "alpha_beta_pruning_no_memo"}
    assert shown <= set(names)
    assert kept.stat().st_size < 200_000


def test_odd_and_even(tmp_path: Path) -> None:
    """Odd depths think well of the side to move, even ones of its opponent."""
    picture = tmp_path / "picture.svg"
    options = ["--games", "4" if IS_EXHAUSTIVE else "2", "--depth", "4"]
    lines = printed_by(EXAMPLES / "odd_and_even.py", picture, *options).splitlines()
    rows = [re.fullmatch(r"depth (\d): (\d+) positions in [\d.]+ s", line) for line in lines[:4]]
    assert [row and row.group(1) for row in rows] == ["1", "2", "3", "4"]
    assert len({row.group(2) for row in rows if row}) == 1, "the same positions at each depth"
    means = [int(line.split()[2]) for line in lines[4:8]]
    assert all(mean > 0 for mean in means[::2])
    assert all(mean < 0 for mean in means[1::2])
    pairs = [f"depth {depth} and depth {depth + 1}" for depth in (1, 2, 3)]
    assert [line.partition(":")[0] for line in lines[8:]] == pairs
    for line in lines[8:]:
        changed, disjoint = map(int, re.findall(r"(\d+)%", line))
        assert 0 < disjoint <= changed <= 100
    assert "Mean score for the side to move" in texts(picture.read_text(encoding="utf-8"))


TRAINED = """\
constant 0.007183; validation of the hand-written evaluation 0.009856 (results alone 0.110080, \
scores alone 0.005462), of the score 0.004132 (results alone 0.103312, scores alone 0.000000); 0.1 s
2000896 lessons: loss 0.003648; 0.8 s
4000000 lessons: loss 0.001766; 1.6 s
lessons: loss 0.001766, 36.4 centipawns off between -300 and 300; validation 0.010325 \
(results alone 0.127740, scores alone 0.005244); 1.7 s
epoch   1: loss 0.006055, validation 0.009951 (results alone 0.1, scores alone 0.005); 2.1 s
epoch   2: loss 0.005642, validation 0.009632 (results alone 0.1, scores alone 0.005); 2.4 s
epoch 2: validation 0.009632 (results alone 0.1, scores alone 0.005), in whole numbers 0.009633
"""


def test_draw_network(tmp_path: Path) -> None:
    """The pictures in the docs have the titles, names and rows that the script draws."""
    shutil.copy(EXAMPLES / "network.bin", tmp_path / "net.bin")
    log = tmp_path / "train.log"
    log.write_text("betacut-tune: no file of games is named\n")
    with pytest.raises(SystemExit, match=r"^train\.log has no losses: it "):
        printed_by(EXAMPLES / "draw_network.py", tmp_path)
    log.write_text(TRAINED)
    printed_by(EXAMPLES / "draw_network.py", tmp_path)

    kept = [PICTURE.parent / f"network-{name}.svg" for name in ("neurons", "loss")]
    pictures = (*kept, tmp_path / "neurons.svg", tmp_path / "loss.svg")
    told = [texts(picture.read_text(encoding="utf-8")) for picture in pictures]
    assert told[0] == told[2]
    assert {text for text in told[1] if re.search("[a-z]", text)} <= {*told[3]}
    assert all(picture.stat().st_size < 100_000 for picture in kept)
    losses = (tmp_path / "loss.svg").read_text(encoding="utf-8")
    points = [len(re.findall(f"<use .*fill: {colour}", losses)) for colour in LINES[:2]]
    # Lessons; twice the losses before and after each epoch, and the legend.
    assert points == [2, 2 * (3 + 1)]


OWN_UCI = shlex.join([sys.executable, "-m", "betacut", "uci"])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("engine", ["", OWN_UCI, "stockfish"], ids=["here", "uci", "stockfish"])
def test_play_and_analyse(engine: str) -> None:
    """One program, whichever the engine is."""
    if engine == "stockfish":
        found = shutil.which(engine) or shutil.which(engine, path="/usr/games")
        if found is None:
            pytest.skip("stockfish IS NOT HERE: the program did not run with it")
        engine = found
    options = ["--engine", engine, "--plies", "4", "--depth", "4"]
    done = run_python(EXAMPLES / "play_and_analyse.py", *options, check=True)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0].startswith("engine: Stockfish" if "stockfish" in engine else "engine: betacut")
    told = [line.split(" (was ")[0] for line in lines[1:3]]
    assert told == ["option: Hash = 32", "option: Threads = 1"]
    game = [re.fullmatch(r"(\d+): (\S+) ?(\(.*\))?", line) for line in lines[3:7]]
    assert [one and one.group(1) for one in game] == ["6", "7", "8", "9"]
    assert re.fullmatch(r"game: 4 plies, \d of them expected; \*", lines[7])
    *depths, best = [line for line in lines[8:] if line.startswith(("depth ", "best: "))]
    assert best.startswith("best: ")
    assert {line.partition(":")[0] for line in depths} >= {
        f"depth {depth}, line {line}" for depth in (1, 2, 3) for line in (1, 2)
    }
    assert lines[-4].startswith("a mate: Rh1# (#+1)")
    names = ["a mate", "an ending", "an opening", "a middlegame"]
    assert [line.partition(":")[0] for line in lines[-4:]] == names
    assert all(line.endswith("), stopped") for line in lines[-3:])


def executed(kept: Any) -> Any:  # noqa: ANN401 - nbformat has no types
    """Run a notebook in a new kernel, and return it with its outputs."""
    made = deepcopy(kept)
    chapters.execute(made)
    for cell in made.cells:
        cell.metadata.pop("execution", None)  # when it ran
    return made


def test_notebook() -> None:
    """The outputs that are kept are those of today, but for times and the explorer's page."""
    import nbformat

    kept = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(kept)
    made = executed(kept)

    def shown(cell: Any) -> list[str]:  # noqa: ANN401
        texts = []
        for output in cell.outputs:
            texts.append(output.get("text", ""))
            texts += [output.data[kind] for kind in output.get("data", {}) if "text/" in kind]
        return [re.sub(r'[\d.]+ m?s\b|srcdoc="[^"]*"', "", text) for text in texts]

    cells = [(a, b) for a, b in zip(kept.cells, made.cells, strict=True) if a.cell_type == "code"]
    assert len(cells) == 8
    for before, now in cells:
        assert before.outputs
        assert shown(before) == shown(now)
    assert sum("bc-static" in text for cell, _ in cells for text in shown(cell)) == 4
    assert NOTEBOOK.stat().st_size < 300_000


def test_every_script_and_notebook_is_run_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    scripts = {script.name for script in EXAMPLES.glob("*.py")}
    assert scripts == set(re.findall(r'EXAMPLES / "(\w+\.py)"', text))
    folders = (EXAMPLES, EXAMPLES.parent / "docs")
    notebooks = [path for folder in folders for path in folder.rglob("*.ipynb")]
    assignment = EXAMPLES / "assignment" / "assignment.ipynb"  # test_marks marks it
    found = {path for path in notebooks if ".ipynb_checkpoints" not in path.parts}
    assert found == {assignment, NOTEBOOK}


if __name__ == "__main__":  # run the notebook, and keep its outputs
    import nbformat

    nbformat.write(executed(nbformat.read(NOTEBOOK, as_version=4)), NOTEBOOK)  # type: ignore[no-untyped-call]
