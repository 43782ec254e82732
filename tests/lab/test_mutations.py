"""The mutations of `rust/fuzz/mutations.toml` can be made: the source has what they replace."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from betacut.cli.names import KINDS

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "rust" / "fuzz" / "mutations.py"))

WORDS = {14: "fourteen", 15: "fifteen", 16: "sixteen", 17: "seventeen"}

MUTATIONS: list[Any] = SCRIPT["all_mutations"]()


def test_each_applies() -> None:
    """Each piece is in its function exactly once, and the result is another program."""
    functions = SCRIPT["all_functions"]()
    for mutation in MUTATIONS:
        for file, text in mutation.apply(functions).items():
            assert text != file.read_text(encoding="utf-8"), (mutation.function, mutation.name)


def test_pieces_are_found_whatever_their_place(tmp_path: Path) -> None:
    file = tmp_path / "guard.rs"
    file.write_text(
        "impl<'a> Guard<'a> for Rook {\n    fn holds(&self) -> bool {\n        self.most\n"
        "            // Not all of them.\n            <  3 && { 3 < self.most }\n    }\n}\n"
        "const MOST: [u8; 2] = [1, 2];\n#[cfg(test)]\nmod tests {\n    fn holds() {}\n}\n"
    )
    rook, most = SCRIPT["functions_of"](file)
    assert (rook.name, most.name) == ("Rook::holds", "MOST")
    assert rook.is_called("guard::Rook::holds")
    assert not rook.is_called("holds")
    text = file.read_text()
    assert [text[start:end] for start, end in rook.places("self.most < 3")] == [
        "self.most\n            // Not all of them.\n            <  3"
    ]
    assert len(rook.places("self . most")) == 2
    assert rook.places("<= 3") == most.places("3") == []
    with pytest.raises(ValueError, match=r"^not 1 but 2 times in Rook::holds: '3'$"):
        SCRIPT["Mutation"]("Rook::holds", "three", {"was": "3", "is": "4"}).apply([rook, most])
    with pytest.raises(ValueError, match=r"^0 functions are called hold$"):
        SCRIPT["Mutation"]("hold", "three", {"was": "3", "is": "4"}).apply([rook, most])


def test_the_pages_count_them() -> None:
    harmless = sum("harmless" in mutation.fields for mutation in MUTATIONS)
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"in {len(MUTATIONS)} ways: {harmless} change no answer" in readme
    assert f"positions of {WORDS[len(KINDS)]} kinds" in readme
    page = " ".join((ROOT / "docs" / "verification.md").read_text(encoding="utf-8").split())
    assert f"in {len(MUTATIONS)} ways:" in page
    assert f"{harmless} change no answer" in page
    assert f"There are {WORDS[len(KINDS)]} kinds" in page


def test_the_table_has_all_of_them() -> None:
    """`python rust/fuzz/mutations.py --write` writes the rows."""
    lines = (ROOT / "rust" / "fuzz" / "mutations.md").read_text(encoding="utf-8").splitlines()
    rows = [line.strip("|").split(" | ") for line in lines if line.startswith("| `")]
    assert [(function.strip(" `"), name) for function, name, *_ in rows] == [
        (mutation.function, mutation.name) for mutation in MUTATIONS
    ]
    for (*_, found, seconds), mutation in zip(rows, MUTATIONS, strict=True):
        reason = mutation.fields.get("harmless")
        assert reason is None or (found, seconds.strip()) == (f"changes no answer: {reason}", "")


def test_names_are_unique() -> None:
    names = [(mutation.function, mutation.name) for mutation in MUTATIONS]
    assert len(names) == len(set(names))
    assert len(names) >= 275, "mutations have been lost"
