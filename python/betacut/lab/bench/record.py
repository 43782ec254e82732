"""The file of figures that README and docs quote, which `betacut bench --record` writes.

Each section of a report is an entry with its date, commit and machine, so that one can be measured
again without the others.
"""

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

from betacut import _betacut
from betacut.core.messages import shown_path
from betacut.lab.bench.exact import LEAST_CAPACITY
from betacut.lab.bench.report import Report, Section, geometric_mean

Figures = dict[str, dict[str, Any]]
"""By `run/section`: its title, when and where it was measured, and its rows."""


def read(path: Path) -> Figures:
    """Read a file of figures; one that is not there has none.

    Raises:
        ValueError: If the file cannot be read or holds something else.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ValueError(f"{shown_path(path)} is no file of figures: {error}") from error
    if not isinstance(found, dict) or not all(
        isinstance(entry, dict) and isinstance(entry.get("rows"), dict) for entry in found.values()
    ):
        raise ValueError(f"{shown_path(path)} is no file of figures: entries with rows are missing")
    return found


def added(kept: Figures, run: str, report: Report, measured: Mapping[str, Any]) -> Figures:
    """Put what a run measured in place of what was kept of its sections.

    Sections that use two threads stay as they were if the machine was too busy to measure them.
    """
    sections = {
        f"{run}/{name}": {"measured": dict(measured), **_entry(section)}
        for name, section in report.sections.items()
        if not is_disturbed(section)
    }
    return kept | sections


def is_disturbed(section: Section) -> bool:
    """Whether other programs took so much of the machine that two threads say little."""
    capacities = [row["capacity"] for row in section.rows.values() if "capacity" in row]
    return bool(capacities) and geometric_mean(capacities) < LEAST_CAPACITY


def _entry(section: Section) -> dict[str, Any]:
    rows = {name: _rounded(row) for name, row in section.rows.items()}
    if section.means:
        rows["geometric mean"] = _rounded(section.means)
    return {"title": section.title, "rows": rows}


def _rounded(row: Mapping[str, float]) -> dict[str, float]:
    """Keep four digits: more are noise, and change with every run."""
    return {
        name: figure if isinstance(figure, int) else float(f"{figure:.4g}")
        for name, figure in row.items()
    }


def circumstances(command: str, path: Path) -> dict[str, Any]:
    """Say when, where and of which commit something is measured, and how busy the machine is.

    `path`, to which it is written, may differ from the commit.
    """
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    return {
        "command": command,
        "date": datetime.now(timezone.utc).date().isoformat(),
        "version": _betacut.__version__,
        "commit": _commit(path),
        "machine": f"{_processor()}, {os.cpu_count()} cores, {platform.system()}",
        "python": platform.python_version(),
        "load": load,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return " ".join([platform.machine(), *models[:1]])


def _commit(path: Path) -> str | None:
    """The commit of this source tree, with `-dirty` if files but `path` differ; None in a wheel."""
    root = Path(__file__).parents[4]
    if not (root / "Cargo.toml").is_file():
        return None
    git = partial(subprocess.check_output, cwd=root, stderr=subprocess.DEVNULL, text=True)
    try:
        commit = git(["git", "describe", "--always", "--abbrev=8"]).strip()
        differing = git(["git", "diff", "--name-only", "HEAD"]).splitlines()
    except (OSError, subprocess.CalledProcessError):
        return None
    is_dirty = any((root / name).resolve() != path.resolve() for name in differing)
    return f"{commit}-dirty" if is_dirty else commit


def text(figures: Figures) -> str:
    """Write figures as JSON, a row a line."""
    entries = []
    for name, entry in sorted(figures.items()):
        lines = [f"  {_json(key)}: {_json(entry[key])}" for key in entry if key != "rows"]
        rows = ",\n".join(
            f"   {_json(row)}: {_json(cells)}" for row, cells in entry["rows"].items()
        )
        lines.append(f'  "rows": {{\n{rows}\n  }}')
        entries.append(f" {_json(name)}: {{\n" + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(entries) + "\n}\n"


_json = partial(json.dumps, ensure_ascii=False)
