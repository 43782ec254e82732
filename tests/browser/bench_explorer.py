"""How long the explorer takes to open a tree of a million nodes, and to answer a click.

    python tests/browser/bench_explorer.py [FILE]

Without a file, which to_html() has written, it takes the tree of a search.
The times are those of the browser: from the request to the first picture, and from a click to the
end of the next frame. They are no test: a busy machine takes longer.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser.conftest import find_chromium
from support.trees import large_tree

OPENED = """() => new Promise((done) => {
  const look = () => document.querySelector(".bc-row") ? requestAnimationFrame(() =>
    done(performance.now())) : setTimeout(look, 1);
  look();
})"""

CLICKED = """(selector) => new Promise((done) => {
  const targets = document.querySelectorAll(selector);
  const target = targets[Math.floor(targets.length / 2)];
  const start = performance.now();
  target.click();
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})"""


def clicks(page: Any, selector: str) -> list[float]:  # noqa: ANN401 - playwright's
    return [page.evaluate(CLICKED, selector) for _ in range(20)]


def main() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(*(sys.argv[1:] or [folder, "tree.html"])).resolve()
        if not sys.argv[1:]:
            tree, start = large_tree(), time.perf_counter()
            tree.to_html(file)
            print(f"{len(tree):,} nodes written in {time.perf_counter() - start:.2f} s")
        print(f"{file.name}, {file.stat().st_size / 1e6:.1f} MB")
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        opened = []
        for _ in range(5):
            page = browser.new_page()
            page.goto(file.as_uri(), wait_until="commit")
            opened.append(page.evaluate(OPENED) / 1000)
        print(f"first picture   {statistics.median(opened):6.2f} s, at most {max(opened):.2f} s")
        for name, selector in (
            ("a row", ".bc-row[data-node] .bc-move"),
            ("open or close", ".bc-row[data-node] .bc-twisty"),
            ("a step", "[aria-label='One step forward']"),
        ):
            times = clicks(page, selector)
            middle, most = statistics.median(times), max(times)
            print(f"{name:15} {middle:6.0f} ms, at most {most:.0f} ms")
        browser.close()


if __name__ == "__main__":
    main()
