"""No files of a Rust crate import each other in a circle; the compiler holds the crates apart."""

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

CRATES = sorted(path.parent for path in (Path(__file__).parent.parent / "rust").glob("*/src"))

Module = tuple[str, ...]


def leaves(tree: str) -> list[str]:
    """Tell the paths of a tree of imports: of `a::{b, c::d}` they are `a::b` and `a::c::d`."""
    while inner := re.search(r"([\w:]*)\{([^{}]*)\}", tree):
        parts = [part.split(" as ")[0].strip() for part in inner[2].split(",")]
        flat = ",".join(inner[1] + part for part in parts if part)
        tree = tree[: inner.start()] + flat + tree[inner.end() :]
    return tree.split(",")


def imports(crate: Path) -> dict[Module, set[Module]]:
    """Tell which modules import which: those of `crate`, `super` and siblings, outside of tests."""
    files = {
        path: path.relative_to(crate / "src").with_suffix("").parts
        for path in crate.rglob("src/**/*.rs")
    }
    names = {
        path: name[:-1] if name[-1] in ("mod", "lib") else name for path, name in files.items()
    }
    graph: dict[Module, set[Module]] = {name: set() for name in names.values()}
    for path, name in names.items():
        text = re.sub(r"//.*", "", path.read_text(encoding="utf-8").partition("#[cfg(test)]")[0])
        # What a module re-exports of its children makes the map and uses nothing.
        text = re.sub(r"pub use [^;]*;", "", text)
        for found in re.finditer(r"\b(?:use (\w+::[^;]+)|((?:crate|super)(?:::\w+)+))", text):
            for leaf in leaves(re.sub(r"\s+", " ", found[1] or found[2])):
                first, *rest = leaf.strip().split("::")
                at = {"crate": (), "super": name[:-1], "self": name}.get(first, (*name, first))
                for part in rest:
                    at = at[:-1] if part == "super" else (*at, part) if (*at, part) in graph else at
                if at in graph and at not in ((), name):
                    graph[name].add(at)
    return graph


@pytest.mark.parametrize("crate", CRATES, ids=lambda crate: str(crate.name))
def test_no_files_import_each_other(crate: Path) -> None:
    graph = imports(crate)
    assert (
        crate.name in ("support", "files", "module")
        or sum(map(len, graph.values())) > len(graph) / 2
    )
    TopologicalSorter(graph).prepare()


def test_paths_are_read_as_the_compiler_reads_them() -> None:
    assert leaves("a::{b, c::{d as e, f}, self}") == ["a::b", "a::c::d", "a::c::f", "a::self"]


def test_a_circle_is_found(tmp_path: Path) -> None:
    for name, text in {
        "lib": "mod a;\nmod b;\npub use a::A;",
        "a/mod": "mod c;\nuse c::C;",
        "a/c": "use crate::{b::B, other};",
        "b": "fn b() -> super::a::A { }\n#[cfg(test)]\nuse super::a::c::C;",
    }.items():
        file = tmp_path / "src" / f"{name}.rs"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    graph = imports(tmp_path)
    assert graph == {(): set(), ("a",): {("a", "c")}, ("a", "c"): {("b",)}, ("b",): {("a",)}}
    with pytest.raises(CycleError):
        TopologicalSorter(graph).prepare()
