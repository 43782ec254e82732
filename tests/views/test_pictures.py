"""Pictures as SVG, and as PNG: the pixels are where the shapes are said to be."""

import io
from pathlib import Path
from typing import Any

import chess
import pytest

from betacut import engine
from betacut.views import board_picture
from betacut.views.palette import BOARD_COLOURS
from betacut.views.picture import _path, png

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


def pixels(drawn: bytes) -> Any:  # noqa: ANN401 - numpy's
    from matplotlib.image import imread

    return imread(io.BytesIO(drawn), format="png")


def svg(inside: str) -> str:
    head = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100"'
    return f"<svg {head}>{inside}</svg>"


def colour_at(picture: Any, x: float, y: float) -> str:  # noqa: ANN401
    at = picture[int(2 * y), int(2 * x)]
    return "#" + "".join(f"{round(255 * part):02x}" for part in at[:3])


@pytest.mark.parametrize(
    "shape",
    [
        '<rect x="20" y="20" width="60" height="60" fill="#ff0000"/>',
        '<path d="M20 20h60v60h-60z" fill="#ff0000"/>',
        '<g transform="translate(20, 20) scale(2)" fill="#f00">'
        '<path d="M0 0L30,0 30 30 0 30Z"/></g>',
        '<polygon points="20,20 80,20 80,80 20,80" style="fill:#ff0000"/>',
        '<line x1="20" y1="50" x2="80" y2="50" stroke="#ff0000" stroke-width="60"/>',
        '<svg x="20" y="20" width="60" height="60" viewBox="0 0 6 6" fill="#f00">'
        '<rect width="6" height="6"/></svg>',
        '<defs><g id="a"><rect width="60" height="60"/></g></defs>'
        '<use href="#a" fill="#f00" transform="translate(20,20)"/>',
        '<path fill="#f00" d="M20 20C20 20 80 20 80 20S80 80 80 80Q50 80 20 80z"/>',
    ],
)
def test_shapes(shape: str) -> None:
    picture = pixels(png(svg(shape)))
    assert picture.shape[:2] == (200, 200)
    inside = [(22, 22), (78, 22), (22, 78), (78, 78), (50, 50)]
    outside = [(18, 50), (82, 50), (50, 18), (50, 82)]
    assert {colour_at(picture, *at) for at in inside} == {"#ff0000"}
    assert {colour_at(picture, *at) for at in outside} == {"#ffffff"}


def test_round_shapes() -> None:
    for shape in (
        '<circle cx="50" cy="50" r="30"/>',
        '<path d="M20 50a30 30 0 1 1 60 0a30,30 0 11-60 0z"/>',
        '<path d="M80 50A30 30 0 0 1 20 50A30 30 0 0 1 80 50z"/>',
        '<path d="M50 20A30 30 0 1 0 80 50A30 30 0 0 0 50 20z"/>',
    ):
        picture = pixels(png(svg(shape)))
        assert abs((picture[..., 0] < 0.5).mean() - 0.09 * 3.14159) < 0.004, shape


def test_the_ends_of_arcs_are_where_they_are_said_to_be() -> None:
    for large in "01":
        for sweep in "01":
            points, codes = _path(f"M10 20A30 15 0 {large} {sweep} 40 30")
            assert (codes[0], {*codes[1:]}) == (1, {4})
            assert points[-1] == pytest.approx((40, 30))
            assert len(points) % 3 == 1
    assert _path("M0 0Q1 1 2 0T4 0")[0] == [(0, 0), (1, 1), (2, 0), (3, -1), (4, 0)]
    assert _path("M0 0a1 1 0 0 0 30 0")[0][-1] == pytest.approx((30, 0)), "radii that are too small"


def test_texts_and_glows() -> None:
    picture = pixels(png(svg('<text x="50" y="60" font-size="40" text-anchor="middle">$M$</text>')))
    dark = (picture[..., 0] < 0.5).nonzero()
    assert 30 < dark[1].mean() / 2 < 70
    assert dark[1].max() - dark[1].min() > 140, "a dollar is a dollar"
    assert 20 < dark[0].min() / 2 < dark[0].max() / 2 < 70, "letters stand on their line"
    mated = chess.Board("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    picture = pixels(png(board_picture(mated, size=390)))
    assert colour_at(picture, 15 + 45 * 0.5, 15 + 45 * 2.5) == BOARD_COLOURS["square light"]
    assert colour_at(picture, 15 + 45 * 1.5, 15 + 45 * 2.5) == BOARD_COLOURS["square dark"]
    red = picture[int(2 * (15 + 45 * 7.1)), int(2 * (15 + 45 * 4.9))]
    assert red[0] > red[1] + 0.3, "the king in check"


def test_results_and_trees(tmp_path: Path) -> None:
    result = engine.search("kiwipete", 2, multipv=3)
    drawn = result.to_svg(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text("utf-8") == drawn == result.to_svg()
    assert result.board.san(result.best_moves[0]) in drawn
    assert drawn.count('class="arrow"') == 3
    assert result.to_svg(arrows=0).count('class="arrow"') == 0
    assert result.to_svg(flipped=True) != drawn
    made = result.to_png(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes() == made
    assert made.startswith(b"\x89PNG")
    tree = engine.tree("7k/8/P7/8/8/8/8/K7 w - - 0 1", 2)
    assert pixels(tree.to_png(tmp_path / "tree.png")).shape[1] == 2 * (2 * 188 + 150 + 20)
    for wrong, error in (({"arrows": -1}, ValueError), ({"flipped": 1}, TypeError)):
        with pytest.raises(error):
            result.to_svg(**wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="file must be a path or None, not int 1"):
        result.to_png(1)  # type: ignore[arg-type]


def test_a_board(tmp_path: Path) -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    board = engine.widget("7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1", depth=1)
    assert board.wait()
    assert board.to_svg(tmp_path / "board.svg").count('class="arrow"') == 1
    assert pixels(board.to_png(tmp_path / "board.png")).shape[:2] == (800, 800)
