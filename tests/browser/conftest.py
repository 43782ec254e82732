"""A headless Chromium, and pages that may ask nobody for anything."""

import os
import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_chromium() -> str | None:
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


# Of the package: while playwright is there, no other test of the process can call asyncio.run.
@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """The browser, started once."""
    path = find_chromium()
    if path is None:
        pytest.skip("BROWSER TESTS SKIPPED: no chromium (install it, or set CHROMIUM)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


class Watched:
    """A page, and everything it complained about or asked for."""

    def __init__(self, context: Any) -> None:  # noqa: ANN401 - playwright's
        self.page = context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:  # noqa: ANN401
    """Open a file; at the end see that the page was quiet and asked for that file alone."""
    opened = []

    def open_file(file: Path, ready: str = ".bc-row", **options: Any) -> Any:  # noqa: ANN401
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        watched = Watched(context)
        watched.page.goto(file.as_uri())
        watched.page.wait_for_selector(ready)
        opened.append((context, watched, file.as_uri()))
        return watched.page

    yield open_file
    for context, watched, uri in opened:
        context.close()
        assert watched.complaints == []
        assert watched.requests == [uri]
