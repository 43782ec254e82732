"""The example notebook in JupyterLab: the widgets live, and what is done with them reaches Python.

JupyterLab is the program `jupyter-lab` on the path, or what JUPYTER_LAB names. The kernel is this
Python.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser.rooms import move
from support.commands import ENVIRONMENT, wait_for

EXAMPLE = Path(__file__).parents[2] / "examples" / "notebook.ipynb"

SLOW = 120_000
"""How long a kernel may take to start on a busy machine. Milliseconds."""


def find_lab() -> str | None:
    folders = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return os.environ.get("JUPYTER_LAB") or shutil.which("jupyter-lab", path=folders)


def settings(folder: Path) -> None:
    """Write settings: all cells are drawn, whether they are in view or not; no news."""
    values = {
        "notebook-extension/tracker": {"windowingMode": "none"},
        "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    }
    for name, content in values.items():
        path = folder / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What a running JupyterLab says of itself, such as its address and its token."""
    program = find_lab()
    if program is None:
        pytest.skip("NOTEBOOK TESTS SKIPPED: no jupyter-lab (install it, or set JUPYTER_LAB)")
    folder = tmp_path_factory.mktemp("lab")
    spec = pytest.importorskip("ipykernel.kernelspec", reason="ipykernel is not installed")
    spec.write_kernel_spec(folder / "data" / "kernels" / "python3")
    settings(folder / "config" / "lab" / "user-settings")
    notebooks = folder / "notebooks"
    notebooks.mkdir()
    shutil.copy(EXAMPLE, notebooks)
    environment = {
        **ENVIRONMENT,
        "JUPYTER_PATH": f"{folder / 'data'}{os.pathsep}{Path(sys.prefix) / 'share' / 'jupyter'}",
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
    }
    options = ["--no-browser", "--allow-root", "--port=0", "--LabApp.expose_app_in_browser=True"]
    said = folder / "log"
    with said.open("w", encoding="utf-8") as log:
        server = subprocess.Popen(
            [program, *options, str(notebooks)], env=environment, stdout=log, stderr=log
        )
    try:
        about = folder / "runtime" / f"jpserver-{server.pid}.json"

        def is_ready() -> bool:
            whole = about.exists() and about.read_text(encoding="utf-8").rstrip().endswith("}")
            return whole or server.poll() is not None

        wait_for(is_ready, "a JupyterLab", 120)
        assert server.poll() is None, said.read_text(encoding="utf-8")
        yield json.loads(about.read_text(encoding="utf-8"))
    finally:
        server.terminate()
        server.wait(30)


class Notebook:
    """A notebook open in JupyterLab."""

    def __init__(self, page: Any) -> None:  # noqa: ANN401 - playwright's
        self.page = page
        page.set_default_timeout(30_000)

    def cell(self, number: int) -> Any:  # noqa: ANN401
        """A code cell, from 0."""
        return self.page.locator(".jp-Notebook .jp-CodeCell").nth(number)

    def outputs(self, number: int) -> str:
        return "\n".join(self.cell(number).locator("pre").all_inner_texts())

    def run(self, source: str) -> str:
        """Run a new cell at the end, and return what it prints."""
        count = self.page.locator(".jp-Notebook .jp-CodeCell").count()
        self.page.evaluate(
            """async (source) => {
              const { commands, shell } = window.jupyterapp;
              const notebook = shell.currentWidget.content;
              notebook.activeCellIndex = notebook.widgets.length - 1;
              await commands.execute("notebook:insert-cell-below");
              notebook.activeCell.model.sharedModel.setSource(source);
              await commands.execute("notebook:run-cell");
            }""",
            source + "\nprint('done')",
        )
        try:
            self.cell(count).locator("pre", has_text="done").wait_for()
        except Exception:
            raise AssertionError(self.cell(count).inner_text()) from None
        return self.outputs(count).strip().removesuffix("done").strip()


@pytest.fixture(scope="module")
def notebook(browser: Any, lab: dict[str, Any]) -> Iterator[Notebook]:  # noqa: ANN401
    """The example, with all cells run."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(f"{lab['url']}lab/tree/{EXAMPLE.name}?token={lab['token']}", timeout=SLOW)
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=SLOW)
    page.wait_for_function(
        "window.jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'",
        timeout=SLOW,
    )
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_selector(".bcc-table tbody tr", timeout=SLOW)
    yield Notebook(page)
    page.close()
    here = re.compile(r"(http|ws)://(localhost|127\.0\.0\.1):|data:|blob:")
    assert [url for url in requests if not here.match(url)] == []


@pytest.mark.exhaustive
def test_the_example_runs(notebook: Notebook) -> None:
    board = notebook.cell(0).locator(".bcb-widget")
    assert board.locator(".bcb-square").count() == 64
    board.locator(".bcb-caption", has_text="Best at depth 3").wait_for()
    assert "seen: ['1. Qxf7+']" in notebook.outputs(1)
    assert "1. e4 Nc6" in notebook.outputs(3)
    assert "a8=Q+" in notebook.cell(4).locator(".bc-line").inner_text()
    assert notebook.cell(6).locator(".bcc-selected").inner_text().startswith("3")
    for picture in notebook.page.locator(".bc-static").all():
        assert not picture.is_visible(), "the widget lives: its picture is hidden"


@pytest.mark.exhaustive
def test_a_click_reaches_the_kernel(notebook: Notebook) -> None:
    board = notebook.cell(2).locator(".bcb-widget")
    move(board, "g1", "f3")
    board.locator(".bcb-moves", has_text="2. Nf3 ").wait_for()
    moves = notebook.run("game.wait()\nprint(game.moves)")
    assert moves.startswith("1. e4 Nc6 2. Nf3 ")
    assert len(moves.split()) == 6, "the opponent has answered"


@pytest.mark.exhaustive
def test_what_is_typed_on_the_board_is_no_command_of_the_notebook(notebook: Notebook) -> None:
    cells = notebook.page.locator(".jp-Notebook .jp-Cell").count()
    board = notebook.cell(2).locator(".bcb-widget")
    board.locator("[data-square=a1]").focus()
    notebook.page.keyboard.type("Bb5")
    board.locator(".bcb-moves", has_text="3. Bb5 ").wait_for()
    notebook.run("game.wait()")
    board.locator("[data-square=a1]").focus()
    notebook.page.keyboard.type("dd")
    board.get_by_role("button", name="Take back").click()
    board.locator(".bcb-caption", has_text="White to move").wait_for()
    assert notebook.run("print(game.board.ply())") == "4"
    assert notebook.page.locator(".jp-Notebook .jp-Cell").count() == cells + 2, "those run here"


@pytest.mark.exhaustive
def test_python_moves_the_board(notebook: Notebook) -> None:
    notebook.run("board.restart()\nboard.wait()\nboard.play(board.result.move)\nboard.wait()")
    board = notebook.cell(0).locator(".bcb-widget")
    board.locator("[data-square=f7][aria-label='f7, white queen']").wait_for()
    assert board.locator(".bcb-arrow").count() == 0 or board.locator(".bcb-arrow-best").count() == 1


@pytest.mark.exhaustive
def test_the_tree_is_searched_deeper_where_one_clicks(notebook: Notebook) -> None:
    tree = notebook.cell(4)
    assert "14 nodes · of 181" in tree.locator(".bc-header p").first.inner_text()
    tree.locator(".bc-row", has_text="a8=Q+").locator(".bc-twisty").click()
    tree.locator(".bc-row", has_text="Kh7").first.locator(".bc-twisty").click()
    tree.locator("button.bc-scissors").first.click()
    tree.locator(".bc-row[aria-level='4']").first.wait_for()
    after = tree.locator(".bc-header p").first.inner_text()
    assert int(re.findall(r"(\d+) nodes", after)[0]) > 14
    assert tree.locator(".bc-status").inner_text() == ""
    assert notebook.run("print(explorer.line)").startswith("['a7a8q', 'h8h7'")


@pytest.mark.exhaustive
def test_a_row_is_selected(notebook: Notebook) -> None:
    table = notebook.cell(6).locator(".bcc")
    table.get_by_role("button", name="nodes", exact=True).click()
    counts = table.locator("tbody td:nth-child(5)").all_inner_texts()
    assert counts == sorted(counts, key=lambda text: int(text.replace(",", "")))
    table.locator("tbody tr").first.click()
    assert notebook.run("print(table.row.nodes)") == counts[0].replace(",", "")
    notebook.run("table.selected = 2")
    table.locator(".bcc-selected[data-row='2']").wait_for()


@pytest.mark.exhaustive
def test_the_theme_of_the_notebook(notebook: Notebook) -> None:
    change = "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"
    square = notebook.cell(0).locator(".bcb")
    for theme, name in (("JupyterLab Dark", "dark"), ("JupyterLab Light", "light")):
        notebook.page.evaluate(change, theme)
        notebook.page.wait_for_selector(f".bcb-widget[data-theme={name}]")
        assert square.evaluate("e => getComputedStyle(e).colorScheme") == name


def test_what_nbconvert_makes_of_it(browser: Any, tmp_path: Path) -> None:  # noqa: ANN401
    """Without a kernel and without a network the pictures remain."""
    program = find_lab()
    nbconvert = program and Path(program).with_name("jupyter-nbconvert")
    if not nbconvert or not nbconvert.exists():
        pytest.skip("NOTEBOOK TEST SKIPPED: no jupyter-nbconvert beside jupyter-lab")
    command = [str(nbconvert), "--to", "html", f"--output-dir={tmp_path}", str(EXAMPLE)]
    subprocess.run(command, check=True, capture_output=True, env=ENVIRONMENT)
    page = browser.new_page(viewport={"width": 1280, "height": 900}, offline=True)
    page.route(re.compile("^https?:"), lambda route: route.abort())
    page.goto((tmp_path / "notebook.html").as_uri())
    pictures = page.locator(".bc-static")
    assert pictures.count() == 4
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        assert picture.is_visible()
        assert picture.bounding_box()["height"] > 150
    assert pictures.nth(0).locator("svg").count() == 1
    inside = pictures.nth(2).frame_locator("iframe")
    inside.locator(".bc-row", has_text="a8=R+").locator(".bc-move").click()
    assert inside.locator(".bc-line [aria-current]").inner_text() == "a8=R+"
    assert "negascout" in pictures.nth(3).inner_text()
    page.close()
