"""Evaluations in files: JSON and TOML, one row of the board on a line."""

import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from betacut.core.arguments import check_type, read_json
from betacut.core.messages import one_line, shown


def json_text(arguments: Mapping[str, Any]) -> str:
    """Write the arguments of an evaluation as JSON."""
    import json

    fields = []
    for key, value in arguments.items():
        if key.endswith("squares"):
            tables = [f'    "{piece}": {_rows(table, 6)}' for piece, table in value.items()]
            fields.append(f'  "{key}": {{\n' + ",\n".join(tables) + "\n  }")
        else:
            fields.append(f'  "{key}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(fields) + "\n}\n"


def toml_text(arguments: Mapping[str, Any]) -> str:
    """Write them as TOML."""
    import json

    lines = []
    for key, value in arguments.items():
        if isinstance(value, str):
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
            continue
        lines += ["", f"[{key}]"]
        for piece, number in value.items():
            lines.append(f"{piece} = {_rows(number, 2) if isinstance(number, list) else number}")
    return "\n".join(lines) + "\n"


def fields_of_json(source: str | os.PathLike[str]) -> Any:  # noqa: ANN401 - whatever it holds
    """Read JSON from a text, which begins with a brace, or from a file."""
    text, where = _text_of(source, lambda text: text.lstrip().startswith("{"))
    try:
        return read_json(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{where} is no JSON of an evaluation: {one_line(str(error), 200)}"
        ) from None


def fields_of_toml(source: str | os.PathLike[str]) -> dict[str, Any]:
    """Read TOML from a text, which has a line break or an equals sign, or from a file."""
    try:
        toml: Any = import_module("tomllib")
    except ImportError:
        toml = import_module("tomli")
    text, where = _text_of(source, lambda text: "=" in text or "\n" in text)
    try:
        fields: dict[str, Any] = toml.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where} is no TOML: {error}") from None
    return fields


def _rows(table: Sequence[int], indent: int) -> str:
    """A table as a list, each row on a line."""
    lines = (", ".join(map(str, table[start : start + 8])) for start in range(0, 64, 8))
    return (
        "[\n" + ",\n".join(" " * indent + line for line in lines) + "\n" + " " * (indent - 2) + "]"
    )


def _text_of(source: str | os.PathLike[str], is_text: Callable[[str], bool]) -> tuple[str, str]:
    """The text itself, or that of a file, and how to name it."""
    if isinstance(source, str) and is_text(source):
        return source, shown(source)
    check_type(source, "source", "a text or the path of a file", (str, os.PathLike))
    path = os.fspath(source)
    if "\0" in path:
        raise ValueError(f"source is no path of a file: {shown(path)}")
    with open(source, encoding="utf-8-sig") as file:
        try:
            return file.read(), f"the file {shown(path)}"
        except UnicodeDecodeError as error:
            raise ValueError(f"the file {shown(path)} must be in UTF-8: {error}") from None
