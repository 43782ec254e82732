"""Scripts and style sheets as web pages and notebooks need them.

The scripts are ES modules that import each other by relative paths. A server can hand them out as
they are, all of `modules(script)`; a page of one file and a notebook get `bundle(script)`, one
module that imports nothing.
"""

import os
import re
from pathlib import Path

from betacut.views.palette import css

FONTS = Path(__file__).parent / "fonts"  # Inter's Latin letters, under licenses/inter-OFL.txt

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]*)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|class|function|async function)\b)", re.MULTILINE)
_DEFAULT = re.compile(r"^export default .*;\n", re.MULTILINE)
_EXPORTED = re.compile(r"^export (?:const|class|function|async function) ([\w$]+)", re.MULTILINE)


def modules(script: Path) -> list[Path]:
    """List a module and those it needs, each after those that it imports."""
    found: list[Path] = []
    for _, path in _IMPORT.findall(script.read_text(encoding="utf-8")):
        needed = modules(Path(os.path.normpath(script.parent / path)))  # links stay as they are
        found += [one for one in needed if one not in found]
    return [*found, script]


def bundle(script: Path, *, names: bool = True) -> str:
    """Put a module and those it needs into one that imports nothing.

    It has the same exports; without `names` the default one alone, as anywidget wants it.
    """
    *needed, own = modules(script)
    parts = []
    for path in needed:
        source = path.read_text(encoding="utf-8")
        exported = ", ".join(_EXPORTED.findall(source))
        inner = _EXPORT.sub("", _DEFAULT.sub("", _linked(source)))
        parts.append(f"const {_name(path)} = (() => {{\n{inner}return {{ {exported} }};\n}})();\n")
    linked = _linked(own.read_text(encoding="utf-8"))
    return "".join([*parts, linked if names else _EXPORT.sub("", linked)])


def _linked(source: str) -> str:
    """Take what a module imports from where `bundle` has put it."""

    def taken(match: re.Match[str]) -> str:
        return f"const {{{match[1]}}} = {_name(Path(match[2]))};\n"

    return _IMPORT.sub(taken, source)


def _name(path: Path) -> str:
    return f"betacut_{path.stem}"


def styles(*sheets: Path) -> str:
    """Put the colours and the style sheets that take them into one."""
    return "".join([css(), *(sheet.read_text(encoding="utf-8") for sheet in sheets)])
