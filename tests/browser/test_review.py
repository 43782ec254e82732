"""The page of a review in a browser: it fits, its links lead somewhere, it makes no request."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess.engine
import pytest

from betacut import review

GAME = Path(__file__).parents[2] / "examples" / "opera.pgn"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("review") / "opera.html"
    text = GAME.read_text(encoding="utf-8")
    review.review(text, player="search", limit=chess.engine.Limit(depth=2)).to_html(path)
    return path


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits(open_page: Callable[..., Any], file: Path, width: int, scheme: str) -> None:
    page = open_page(file, ".card", width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for card in page.query_selector_all(".card"):
        box = card.query_selector("svg").bounding_box()
        assert box["width"] == pytest.approx(box["height"])
        assert 200 < box["width"] <= width


def test_a_mark_of_the_graph_leads_to_its_board(open_page: Callable[..., Any], file: Path) -> None:
    page = open_page(file, ".card", width=800, height=600)
    mark = page.query_selector(".advantage a")
    target = mark.get_attribute("href")
    mark.click()
    page.wait_for_function("document.querySelector(':target') !== null")
    assert f"#{page.evaluate('document.querySelector(`:target`).id')}" == target
