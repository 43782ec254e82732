"""A headless Chromium, and pages that may make no request."""

import os
import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.web_server import running

PATIENCE = 90_000
"""How long a page may take to show what is waited for, in milliseconds: the machine may be busy."""

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first takes two thirds of the processor time of the others, for it has no windows to draw."""

AS_NEW = """if (window.name === "new") {
  window.name = "";
  for (const storage of [sessionStorage, localStorage]) storage.clear();
}"""
"""Runs before a page that is opened: what the one before it kept is forgotten."""


def find_chromium() -> str | None:
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


# Of the package: while playwright is there, no other test of the process can call asyncio.run.
@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    path = find_chromium()
    if path is None:
        pytest.skip("BROWSER TESTS SKIPPED: no chromium (install it, or set CHROMIUM)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    arguments = ["--no-sandbox", "--disable-gpu"]
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=arguments)
        yield chromium
        chromium.close()


class Watched:
    """A page, and everything it complained about or asked for."""

    def __init__(self, context: Any) -> None:  # noqa: ANN401 - playwright's
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.python: Callable[[Any], object] = lambda _: None
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.expose_function("python", lambda asked: self.python(asked))


@pytest.fixture(scope="package")
def watched(browser: Any) -> Iterator[Watched]:  # noqa: ANN401
    """One page for all tests: a new one takes a second of processor time."""
    context = browser.new_context()
    context.add_init_script(AS_NEW)
    yield Watched(context)
    context.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:  # noqa: ANN401
    """A page of its own, which may complain."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    page.close()


@pytest.fixture(scope="package")
def server(browser: Any) -> Iterator[str]:  # noqa: ANN401 - no browser, no server
    """The address of a server."""
    with running("--max-seconds", "20") as address:
        yield address


@pytest.fixture
def visit(open_page: Callable[..., Any], server: str) -> Callable[..., Any]:
    return lambda address, ready=".bw-status", **size: open_page(server + address, ready, **size)


@pytest.fixture
def open_page(watched: Watched) -> Iterator[Callable[..., Any]]:
    """Open an address or a file as if for the first time; at the end see that the page was quiet.

    A file may ask for nothing else; what comes from a server, for what else that has.
    """
    opened: list[str] = []
    homes: list[str] = []
    page = watched.page

    def open_address(
        address: str | Path,
        ready: str = ".bc-row",
        *,
        width: int = 1280,
        height: int = 900,
        scheme: str = "light",
    ) -> Any:  # noqa: ANN401 - playwright's
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.mouse.move(0, 0)
        page.evaluate("window.name = 'new'")
        if not opened:
            watched.complaints.clear()
            watched.requests.clear()
        if isinstance(address, Path):
            opened.append(address.as_uri())
        else:
            opened.append(address)
            homes.extend(["/".join(address.split("/")[:3]), "data:", "blob:"])
        page.goto(opened[-1])
        page.wait_for_selector(ready)
        return page

    yield open_address
    assert watched.complaints == []
    assert set(opened) <= set(watched.requests)
    others = [url for url in watched.requests if url not in opened]
    assert [url for url in others if not url.startswith(tuple(homes))] == []
