"""Marks: the searches of a file, each with its points, for people and for other programs."""

import contextlib
import dis
import functools
import importlib.util
import inspect
import json
import math
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any
from xml.etree import ElementTree

from betacut.core.messages import described, shown
from betacut.lab.checking.calls import raised
from betacut.lab.checking.process import TimeUpError, limited
from betacut.lab.checking.report import CheckReport

Asking = Callable[..., CheckReport]  # `check`, with the options for all searches

IMPORT_SECONDS = 60.0  # how long a file may run before its searches are called
MOST = 1e9  # which points, and multiples, stay below

_BOARDS = ("board", "position", "pos", "b", "state", "game", "node")
_DEPTHS = ("depth", "max_depth", "maxdepth", "depth_left", "d", "plies", "left", "remaining", "n")


@dataclass(frozen=True)
class Exercise:
    """A search of a file, and what it got.

    Attributes:
        name: Its name.
        most: The points for a right one.
        report: What `check` found; None if it is missing.
        error: Why there is no report.
    """

    name: str
    most: float
    report: CheckReport | None
    error: str = ""

    @property
    def points(self) -> float:
        """All points if it is right, else none."""
        return self.most if self.report else 0.0


@dataclass(frozen=True)
class Marks:
    """The marks of a file; true if every search in it is right.

    Attributes:
        file: The file.
        exercises: Its searches, with their reports and points.
    """

    file: str
    exercises: tuple[Exercise, ...]

    def __bool__(self) -> bool:
        """Return whether every search is right."""
        return all(one.report for one in self.exercises)

    @property
    def points(self) -> float:
        """The points reached."""
        return sum(one.points for one in self.exercises)

    @property
    def most(self) -> float:
        """The points that there are."""
        return sum(one.most for one in self.exercises)

    def __str__(self) -> str:
        """Write a line an exercise, then the reports."""
        lines = [f"{one.name:<24}{one.points:g} of {one.most:g}" for one in self.exercises]
        reports = [f"{one.name}: {one.error or one.report}" for one in self.exercises]
        total = f"{self.file}: {self.points:g} of {self.most:g} points"
        return "\n\n".join(["\n".join([total, *lines]), *reports])

    def to_dict(self) -> dict[str, Any]:
        """Return the marks as data: `file`, `ok`, `points`, `most` and `exercises`."""
        exercises = [
            {
                "name": one.name,
                "ok": bool(one.report),
                "points": one.points,
                "most": one.most,
                "error": one.error or None,
                "report": None if one.report is None else one.report.to_dict(),
            }
            for one in self.exercises
        ]
        same = {"file": self.file, "ok": bool(self), "points": self.points, "most": self.most}
        return {**same, "exercises": exercises}

    def to_json(self) -> str:
        """Write the marks as JSON."""
        return json.dumps(self.to_dict(), indent=2)

    def to_junit(self) -> str:
        """Write the marks as JUnit's XML, a test case an exercise."""
        failed = sum(not one.report for one in self.exercises)
        file = _in_xml(self.file)
        suite = ElementTree.Element(
            "testsuite", name=file, tests=str(len(self.exercises)), failures=str(failed)
        )
        for one in self.exercises:
            case = ElementTree.SubElement(suite, "testcase", classname=file, name=_in_xml(one.name))
            properties = ElementTree.SubElement(case, "properties")
            for name, value in (("points", one.points), ("most", one.most)):
                ElementTree.SubElement(properties, "property", name=name, value=f"{value:g}")
            if not one.report:
                said = _in_xml(one.error or str(one.report))
                failure = ElementTree.SubElement(case, "failure", message=said.partition("\n")[0])
                failure.text = said
        ElementTree.indent(suite)
        return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _in_xml(text: str) -> str:
    """Put a sign in the place of characters that XML cannot have."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def mark(
    file: str, points: float | Mapping[str, float], ask: Asking, *, is_limited: bool = True
) -> Marks:
    """Check the searches of a file, or the one that is named, with `ask(search=…)` or `make=`.

    If `is_limited`, the file may run `IMPORT_SECONDS` before.
    """
    path, _, name = (
        file.rpartition(":") if file.rpartition(":")[0].endswith(".py") else (file, "", "")
    )
    if not Path(path).is_file():
        raise ValueError(f"there is no file {shown(path)}")
    if file.endswith(":"):
        raise ValueError(f"a function must be named after the colon, not {shown(file)}")
    if points == {}:
        raise ValueError("points must name at least one exercise, not {}")
    with _importing(Path(path).parent.resolve()):
        return _marked(path, name, points, ask, IMPORT_SECONDS if is_limited else math.inf)


def _marked(
    path: str, name: str, points: float | Mapping[str, float], ask: Asking, seconds: float
) -> Marks:
    """Check the searches of a file that may import what it needs, and run so long for that."""
    module, error = _loaded(Path(path), seconds)
    wanted = dict(points) if isinstance(points, Mapping) else {}
    if name:
        if others := [one for one in wanted if one != name]:
            raise ValueError(f"points name {', '.join(map(shown, others))}, but not {shown(name)}")
        wanted = {name: wanted.get(name, 1.0 if isinstance(points, Mapping) else points)}
    found = {} if module is None else {k: v for k, v in vars(module).items() if callable(v)}
    if not wanted:
        if module is None:
            raise ValueError(error)
        names = _searches(found, module.__name__)
        if not names:
            raise ValueError(f"{path} has no function of a board and a depth: name it, {path}:NAME")
        wanted = dict.fromkeys(names, float(points))  # type: ignore[arg-type]
    exercises = []
    for one, most in wanted.items():
        if one not in found:
            there = getattr(module, one, None)
            what = "" if there is None else f" that can be called: it is {described(there)}"
            exercises.append(Exercise(one, most, None, error or f"{path} has no {one}{what}"))
            continue
        try:
            if isinstance(found[one], type):
                report = ask(make=functools.partial(_make, found[one]))
            else:
                report = ask(search=found[one])
        except _MakeError as failed:
            exercises.append(Exercise(one, most, None, str(failed)))
        else:
            exercises.append(Exercise(one, most, report))
    return Marks(path, tuple(exercises))


class _MakeError(Exception):
    """A class cannot make a search; the text says why."""


def _make(kind: type[Any]) -> Any:  # noqa: ANN401 - a search
    try:
        search = kind()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _MakeError(f"making it raised {raised(error).text}") from None
    if not callable(search):
        raise _MakeError(f"{kind.__name__} has no __call__(board, depth)")
    return search


_IMPORTING = threading.RLock()


@contextlib.contextmanager
def _importing(folder: Path) -> Iterator[None]:
    """Let a file import from its folder; forget afterwards what came from there.

    The next file may have other modules of the same names, or the same ones mended; a folder that
    the file makes the current one is so for it alone, and so are streams. Other threads wait.
    """
    with _IMPORTING:
        modules, paths, here = {*sys.modules}, sys.path[:], Path.cwd()
        streams = sys.stdout, sys.stderr
        sys.path.insert(0, str(folder))
        try:
            yield
        finally:
            sys.stdout, sys.stderr = streams
            _forget(folder, modules, paths, here)


def _forget(folder: Path, modules: set[str], paths: list[str], here: Path) -> None:
    """Put back what there was before a file was imported from a folder."""
    os.chdir(here)
    added = [one for one in sys.path if isinstance(one, str) and one not in paths]
    folders = {folder, *(Path(one).resolve() for one in added)}
    sys.path[:] = paths
    new = {name for name in sys.modules if name.partition(".")[0] not in modules}
    for name in [name for name in new if _home(name) in folders]:
        del sys.modules[name]


def _home(name: str) -> Path | None:
    """Name the folder in which a module, or the package that it is in, was found."""
    module = sys.modules.get(name.partition(".")[0])
    place = next(iter(getattr(module, "__path__", ())), None) or getattr(module, "__file__", None)
    return Path(place).parent.resolve() if place else None


def _loaded(path: Path, seconds: float) -> tuple[ModuleType | None, str]:
    """Run a file as a module, for so long; if that fails, say why."""
    name = f"betacut_check_{path.stem}"  # no other module's
    spec = importlib.util.spec_from_file_location(name, path.absolute())
    if spec is None or spec.loader is None:
        raise ValueError(f"the file must be one of Python, NAME.py, not {shown(str(path))}")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    run = functools.partial(spec.loader.exec_module, module)
    try:
        run() if math.isinf(seconds) else limited(run, seconds)
    except TimeUpError:
        reason = f"it has not ended after {seconds:g} s: is there a loop outside functions?"
        return None, f"cannot import {shown(str(path))}: {reason}"
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever the user's file raises, pytest.skip as well
        return None, f"cannot import {shown(str(path))}: {type(error).__name__}: {error}"
    return module, ""


def _searches(found: Mapping[str, Any], module: str) -> list[str]:
    """Choose what looks like a search: what takes a board and a depth, and no other such calls."""
    own = {name: one for name, one in found.items() if getattr(one, "__module__", "") == module}
    likely = [name for name, value in own.items() if name[:1] != "_" and _is_search(value)]
    helpers = set().union(*(_helpers(name, own) for name in likely))
    return [name for name in likely if name not in helpers] or likely


def _is_search(value: Any) -> bool:  # noqa: ANN401 - a function or a class
    """Tell whether a function, or the instances of a class, take a board and a depth."""
    try:
        if isinstance(value, type):
            if any(map(_is_required, _arguments(value))):
                return False
            _, board, depth, *others = _arguments(value.__call__)
        else:
            board, depth, *others = _arguments(value)
    except (TypeError, ValueError):  # it takes fewer, or does not say what
        return False
    is_named = board.name.lower() in _BOARDS and depth.name.lower() in _DEPTHS
    return is_named and not any(map(_is_required, others))


def _arguments(function: Any) -> list[inspect.Parameter]:  # noqa: ANN401 - as above
    various = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        one for one in inspect.signature(function).parameters.values() if one.kind not in various
    ]


def _is_required(argument: inspect.Parameter) -> bool:
    return argument.default is argument.empty


def _helpers(name: str, own: Mapping[str, Any]) -> set[str]:
    """Name what a function or a class of a file calls, by itself or by what it calls."""
    known: set[str] = set()
    new = {name}
    while new:
        known |= new
        new = {one for caller in new for one in _names_in(own[caller])} & own.keys() - known
    return known - {name}


def _names_in(value: Any) -> set[str]:  # noqa: ANN401 - a function, a class or a code
    """Name the globals that a function uses, or the methods of a class, and what is inside it."""
    if isinstance(value, type):
        inside = [one for one in vars(value).values() if not isinstance(one, type)]
        return set().union(*map(_names_in, inside))
    code = (
        value if isinstance(value, CodeType) else getattr(inspect.unwrap(value), "__code__", None)
    )
    if code is None:
        return set()
    names = {
        one.argval
        for one in dis.get_instructions(code)
        if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    return names.union(*(_names_in(one) for one in code.co_consts if isinstance(one, CodeType)))


def check_points(points: object) -> float | dict[str, float]:
    """Check the points: a number, or one for each name."""
    if isinstance(points, Mapping):
        return {
            str(name): check_multiple(value, f"points[{name!r}]") for name, value in points.items()
        }
    return check_multiple(points, "points")


def check_multiple(value: object, name: str) -> float:
    """Check a number above 0."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, not {described(value)}")
    if not 0 < value < MOST:
        raise ValueError(f"{name} must be greater than 0, and below 1e9, not {shown(value)}")
    return float(value)
