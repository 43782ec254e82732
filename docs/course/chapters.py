"""The chapters of the course: one Markdown file each, which is a page and a notebook.

In a chapter a fenced block of Python is a cell. A fenced block of text right after a cell shows
what the cell prints, and an image after that is a picture that it draws. Neither is part of the
notebook, for there the cells make them. Everything else is text.

    python docs/course/chapters.py FOLDER            # write the notebooks
    python docs/course/chapters.py FOLDER --student  # without the solutions, a key beside each
    python docs/course/chapters.py --update [NAME]…  # run the cells, and write what they show

MkDocs uses this file as a hook, which puts the notebooks beside the pages.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent

CHAPTERS = sorted(FOLDER.glob("[1-9]_*.md"))
"""The files of the chapters, in order."""

_CELL = re.compile(
    r"^```python\n(?P<code>.*?)^```\n"
    r"(?:\n*^```text\n(?P<output>.*?)^```\n)?"
    r"(?P<pictures>(?:\n*^!\[[^\]]*\]\([^)]*\)\n)*)",
    re.MULTILINE | re.DOTALL,
)

_PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]*)\)")

_LOCAL_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:)[^)]*\)")

# Pictures by matplotlib are to be vector graphics, and as equal as its versions allow.
_SETTINGS = """\
%config InlineBackend.figure_formats = ["svg"]
import matplotlib
matplotlib.rcParams["svg.hashsalt"] = "betacut"
"""


@dataclass(frozen=True)
class Cell:
    """A cell of a chapter, of code or of text.

    Attributes:
        source: The code, or Markdown.
        is_code: Which of the two.
        output: What the page says that it prints.
        pictures: The files of the pictures that it draws, relative to the folder of the course.
    """

    source: str
    is_code: bool = False
    output: str = ""
    pictures: tuple[str, ...] = ()


@dataclass
class Shown:
    """What a cell showed when it was run.

    Attributes:
        text: What it printed, and what its last line is.
        pictures: The pictures it drew, as SVG.
    """

    text: str = ""
    pictures: list[str] = field(default_factory=list)


def cells(text: str) -> Iterator[Cell]:
    """Go through the cells of a chapter.

    Args:
        text: The chapter as Markdown.

    Yields:
        The cells, in order.
    """
    end = 0
    for found in _CELL.finditer(text):
        if text[end : found.start()].strip():
            yield Cell(text[end : found.start()].strip())
        pictures = tuple(_PICTURE.findall(found["pictures"]))
        yield Cell(found["code"].rstrip("\n"), True, found["output"] or "", pictures)
        end = found.end()
    if text[end:].strip():
        yield Cell(text[end:].strip())


def notebook(text: str) -> dict[str, Any]:
    """Make a notebook of a chapter.

    Args:
        text: The chapter as Markdown.

    Returns:
        The notebook without outputs, in the form of nbformat 4.5. Links to other pages are text.
    """
    made: list[dict[str, Any]] = []
    for number, cell in enumerate(cells(text), start=1):
        source = cell.source if cell.is_code else _LOCAL_LINK.sub(r"\1", cell.source)
        kind = "code" if cell.is_code else "markdown"
        one: dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}}
        one["source"] = source
        if cell.is_code:
            one |= {"execution_count": None, "outputs": []}
        made.append(one)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def without_solution(text: str) -> str:
    """Leave the solution out of a chapter.

    Args:
        text: The chapter as Markdown.

    Returns:
        The chapter up to its solution, and its sources.
    """
    exercise, solution, rest = text.partition("\n## A solution\n")
    _, sources, rest = rest.partition("\n## Sources\n")
    if not solution or not sources:
        raise ValueError("the chapter has no solution, or no sources after it")
    return exercise + sources + rest


def run(text: str) -> list[Shown]:
    """Run the cells of a chapter in a new kernel.

    Args:
        text: The chapter as Markdown.

    Returns:
        What each cell of code showed.

    Raises:
        nbclient.exceptions.CellExecutionError: If a cell fails.
    """
    import nbformat

    made = nbformat.from_dict(notebook(text))  # type: ignore[no-untyped-call]
    # Chapters without plots need not load matplotlib.
    settings = _SETTINGS if "plot" in text else ""
    first = nbformat.v4.new_code_cell(settings)  # type: ignore[no-untyped-call]
    made.cells.insert(0, first)
    execute(made)
    return [_shown(cell.outputs) for cell in made.cells[1:] if cell.cell_type == "code"]


def execute(made: Any) -> None:  # noqa: ANN401 - nbformat has no types
    """Run a notebook in a new kernel, without its widgets' state; its outputs are written into it.

    Args:
        made: The notebook, as nbformat reads it.

    Raises:
        nbclient.exceptions.CellExecutionError: If a cell fails.
    """
    from nbclient import NotebookClient
    from traitlets.config import Config

    with tempfile.TemporaryDirectory() as folder:
        settings = {"transport": "tcp"}
        if os.name == "posix":
            # Sockets are files. Without a name of their own all kernels of a folder share them.
            settings = {"transport": "ipc", "ip": f"{folder}/kernel"}
        config = Config(KernelManager=settings)
        client = NotebookClient(made, timeout=120, kernel_name="python3", config=config)
        client.store_widget_state = False
        client.execute()


def _shown(outputs: list[Any]) -> Shown:
    """Gather the outputs of a cell: of each the picture, if there is one, else the text."""
    shown = Shown()
    for output in outputs:
        if output.output_type == "stream":
            shown.text += output.text
        elif "image/svg+xml" in output.data:
            shown.pictures.append(output.data["image/svg+xml"])
        else:
            shown.text += output.data["text/plain"] + "\n"
    shown.text = re.sub(r" +$", "", shown.text, flags=re.MULTILINE)
    return shown


def updated(text: str, results: list[Shown]) -> str:
    """Write what the cells show into a chapter.

    Args:
        text: The chapter as Markdown.
        results: What each cell of code showed.

    Returns:
        The chapter with new outputs.
    """
    remaining = iter(results)

    def with_output(found: re.Match[str]) -> str:
        shown = next(remaining)
        output = f"\n```text\n{shown.text}```\n" if shown.text else ""
        pictures = found["pictures"].strip()
        return f"```python\n{found['code']}```\n{output}" + (f"\n{pictures}\n" if pictures else "")

    return _CELL.sub(with_output, text)


def update(path: Path) -> None:
    """Run a chapter, and write what its cells show into its file and its pictures.

    Args:
        path: The file of the chapter.

    Raises:
        ValueError: If a cell draws more pictures, or fewer, than the chapter has behind it.
    """
    text = path.read_text(encoding="utf-8")
    results = run(text)
    for cell, shown in zip((cell for cell in cells(text) if cell.is_code), results, strict=True):
        if len(cell.pictures) != len(shown.pictures):
            message = f"{path.name}: {len(shown.pictures)} pictures drawn by\n{cell.source}"
            raise ValueError(message)
        for name, picture in zip(cell.pictures, shown.pictures, strict=True):
            (FOLDER / name).write_text(picture, encoding="utf-8")
    path.write_text(updated(text, results), encoding="utf-8")


def on_files(files: Any, config: Any) -> Any:  # noqa: ANN401, D103 - MkDocs calls it
    from mkdocs.structure.files import File

    for path in CHAPTERS:
        content = json.dumps(notebook(path.read_text(encoding="utf-8")), indent=1)
        files.append(File.generated(config, f"course/{path.stem}.ipynb", content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:  # noqa: ANN401, D103 - as above
    path = Path(page.file.src_path)
    if FOLDER / path.name not in CHAPTERS:
        return markdown
    title, rest = markdown.split("\n", 1)
    return f"{title}\n\n[Download as a notebook]({path.stem}.ipynb){{ .md-button }}\n{rest}"


def main(arguments: list[str]) -> None:
    """Write the notebooks, or run the chapters.

    Args:
        arguments: A folder, and perhaps `--student`; or `--update` and the beginnings of names of
            chapters.
    """
    if arguments[:1] == ["--update"]:
        names = tuple(arguments[1:]) or ("",)
        for path in CHAPTERS:
            if path.name.startswith(names):
                update(path)
        return
    folders = [one for one in arguments if one != "--student"]
    if len(folders) != 1 or folders[0].startswith("-"):
        raise SystemExit("usage: chapters.py FOLDER [--student], or chapters.py --update [NAME]…")
    target = Path(folders[0])
    target.mkdir(parents=True, exist_ok=True)
    for path in CHAPTERS:
        texts = {path.stem: path.read_text(encoding="utf-8")}
        if "--student" in arguments:
            whole = texts[path.stem]
            texts = {path.stem: without_solution(whole), f"{path.stem}-key": whole}
        for name, text in texts.items():
            content = json.dumps(notebook(text), indent=1)
            (target / f"{name}.ipynb").write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
