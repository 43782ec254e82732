"""The mutations of `rust/fuzz/mutations.toml` can be made: the source has what they replace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tomli

from betacut.cli.names import KINDS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "rust"
FILE = ROOT / "rust" / "fuzz" / "mutations.toml"

WORDS = {14: "fourteen", 15: "fifteen", 16: "sixteen", 17: "seventeen"}

MUTATIONS: list[dict[str, Any]] = tomli.loads(FILE.read_text(encoding="utf-8"))["mutation"]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: str(mutation["name"]))
def test_a_mutation_applies(mutation: dict[str, Any]) -> None:
    """Each text to be replaced is there exactly once, and the result is another program."""
    original = text = (SOURCE / mutation["file"]).read_text(encoding="utf-8")
    for old, new in mutation["changes"]:
        assert text.count(old) == 1, f"{text.count(old)} times in {mutation['file']}: {old}"
        text = text.replace(old, new)
    assert text != original


def test_the_pages_count_them() -> None:
    harmless = sum("harmless" in mutation for mutation in MUTATIONS)
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"in {len(MUTATIONS)} ways: {harmless} change no answer" in readme
    assert f"positions of {WORDS[len(KINDS)]} kinds" in readme
    page = " ".join((ROOT / "docs" / "verification.md").read_text(encoding="utf-8").split())
    assert f"in {len(MUTATIONS)} ways:" in page
    assert f"{harmless} change no answer" in page
    assert f"There are {WORDS[len(KINDS)]} kinds" in page


def test_names_are_unique() -> None:
    names = [(mutation["file"], mutation["name"]) for mutation in MUTATIONS]
    assert len(names) == len(set(names))
    assert len(names) >= 275, "mutations have been lost"
