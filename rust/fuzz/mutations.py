"""Break the proofs of the exact search on purpose, one at a time, and see that the fuzzer finds it.

    python rust/fuzz/mutations.py [--seconds 30] [--seed 1] [--focus] [--write] [word ...]

Every mutation (`mutations.toml`) replaces a piece of a function, which is found by its name and by
its tokens. It is applied to a copy of the crates, in `target/mutations`, which is then compiled and
fuzzed. With words, only the mutations whose name or function contains one of them are run. What was
found goes into `mutations.md` with `--write`. The exit status is 1 if a mutation survives that is
not known to be harmless, or if a piece of the source is no longer there: then `mutations.toml` must
be updated.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

try:
    import tomllib
except ModuleNotFoundError:  # before Python 3.11
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
COPY = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "mutations"
TABLE = Path(__file__).with_suffix(".md")

CRATES = ("core/src", "exact/src")
"""Where functions are looked for."""

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*)
    | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])' | '?\w+
    | <<= | >>= | \.\.= | && | \|\| | == | != | <= | >= | << | >> | -> | => | :: | \.\.
    | [-+*/%&|^]= | .""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """A token and where it stands."""

    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """All tokens; comments and spaces are none."""
    found = TOKEN.finditer(text)
    return [Token(one[0], one.start(), one.end()) for one in found if one["skip"] is None]


@dataclass(frozen=True)
class Function:
    """A function with a body, or a constant."""

    file: Path
    name: str
    """With its type, if it has one: `Node::value`."""
    tokens: list[Token]

    def is_called(self, name: str) -> bool:
        """Whether the name is this one's, which the name of the file may precede."""
        return name in (self.name, f"{self.file.stem}::{self.name}")

    def places(self, piece: str) -> list[tuple[int, int]]:
        """Where a piece stands in the file: starts and ends."""
        wanted = [token.text for token in tokens(piece)]
        texts = [token.text for token in self.tokens]
        starts = range(len(texts) - len(wanted) + 1)
        found = [at for at in starts if texts[at : at + len(wanted)] == wanted]
        return [(self.tokens[at].start, self.tokens[at + len(wanted) - 1].end) for at in found]


def functions_of(file: Path) -> list[Function]:
    """The functions and constants of a file, without those of its tests."""
    listed = tokens(file.read_text(encoding="utf-8").partition("#[cfg(test)]")[0])
    found: list[Function] = []
    # For each open brace: what it belongs to, and where that begins.
    braces: list[tuple[str, int]] = []
    item, begin, end = "", 0, "{"
    for at, token in enumerate(listed):
        types = [name for name, _ in braces if name.startswith("impl ")]
        owner = types[-1][5:] + "::" if types else ""
        if item and token.text == end and (end == "{" or not _is_inside(listed[begin:at])):
            if end == ";":
                found.append(Function(file, owner + item, listed[begin : at + 1]))
            else:
                braces.append((item, begin))
            item = ""
        elif item and token.text == ";" and not _is_inside(listed[begin:at]):
            item = ""  # of a trait, without a body
        elif token.text == "{":
            braces.append(("", at))
        elif token.text == "}":
            name, start = braces.pop()
            if name.startswith("fn "):
                found.append(Function(file, owner + name[3:], listed[start : at + 1]))
        elif not item and token.text == "impl" and listed[at - 1].text in "};]":
            item, begin, end = f"impl {_type(listed[at + 1 :])}", at, "{"
        elif not item and token.text == "fn" and listed[at + 1].text.isidentifier():
            item, begin, end = f"fn {listed[at + 1].text}", at, "{"
        elif not item and _begins_constant(listed, at):
            item, begin, end = listed[at + 1].text, at, ";"
    return found


def _begins_constant(listed: list[Token], at: int) -> bool:
    """Whether a constant begins there, not a parameter of that kind."""
    begins = listed[at].text in ("const", "static") and listed[at + 1].text.isupper()
    return begins and listed[at - 1].text not in "<,"


def _is_inside(listed: list[Token]) -> bool:
    """Whether a bracket is open."""
    texts = [token.text for token in listed]
    return any(texts.count(left) > texts.count(right) for left, right in ("()", "[]", "{}"))


def _type(after: list[Token]) -> str:
    """The type of an `impl`."""
    depth, name = 0, ""
    for token in after:
        depth += {"<": 1, ">": -1, ">>": -2}.get(token.text, 0)
        if token.text == "{":
            break
        if depth == 0 and token.text.isidentifier():
            if token.text == "where":
                break
            name = "" if token.text == "for" else token.text
    return name


def all_functions(root: Path = ROOT) -> list[Function]:
    """The functions of the crates that are looked at."""
    files = sorted(file for crate in CRATES for file in (root / "rust" / crate).rglob("*.rs"))
    return [function for file in files for function in functions_of(file)]


@dataclass(frozen=True)
class Mutation:
    """A way to break a function, and perhaps others with it."""

    function: str
    name: str
    fields: dict[str, Any]

    @property
    def edits(self) -> list[list[str]]:
        """Functions, pieces of them, and what replaces the pieces."""
        first = [self.function, self.fields["was"], self.fields["is"]]
        return [first, *self.fields.get("also", [])]

    def apply(self, functions: Iterable[Function]) -> dict[Path, str]:
        """The files as they are with the mutation; a ValueError says why it cannot be made."""
        changes: dict[Path, list[tuple[int, int, str]]] = {}
        for name, was, becomes in self.edits:
            named = [function for function in functions if function.is_called(name)]
            if len(named) != 1:
                raise ValueError(f"{len(named)} functions are called {name}")
            places = named[0].places(was)
            if len(places) != 1:
                raise ValueError(f"not 1 but {len(places)} times in {name}: {was!r}")
            changes.setdefault(named[0].file, []).append((*places[0], becomes))
        files = {}
        for file, edits in changes.items():
            text = file.read_text(encoding="utf-8")
            for start, end, becomes in sorted(edits, reverse=True):
                text = text[:start] + becomes + text[end:]
            files[file] = text
        return files


def all_mutations() -> list[Mutation]:
    """The mutations of `mutations.toml`, in its order."""
    listed = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return [
        Mutation(function, name, fields)
        for function, mutations in listed.items()
        for name, fields in mutations.items()
    ]


def fuzz(seconds: int, seed: int, focus: list[Any]) -> tuple[str, str]:
    """Compile and fuzz the copy; return after how many seconds it showed, if it did, and how.

    The focus is the name of a kind of positions, or a position, and the depth; or nothing.
    """
    environment = os.environ | {
        "CARGO_TARGET_DIR": str(COPY / "target"),
        "BETACUT_FUZZ_SECONDS": str(seconds),
        "BETACUT_FUZZ_SEED": str(seed),
        # To be compiled sooner: a tenth of the time, for half of the speed.
        "CARGO_PROFILE_RELEASE_LTO": "off",
        "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "64",
        "CARGO_PROFILE_RELEASE_OPT_LEVEL": "1",
        "CARGO_PROFILE_RELEASE_INCREMENTAL": "true",
        "RUST_BACKTRACE": "0",
    }
    if focus:
        what, environment["BETACUT_FUZZ_DEPTH"] = map(str, focus)
        environment["BETACUT_FUZZ_FEN" if "/" in what else "BETACUT_FUZZ_KIND"] = what

    def cargo(*arguments: str) -> subprocess.CompletedProcess[str]:
        # A broken search may not end.
        test = "cargo test --release --quiet --package betacut-exact --test exact"
        command = ["timeout", str(600 + 2 * seconds), *test.split(), *arguments]
        return subprocess.run(command, cwd=COPY, env=environment, capture_output=True, text=True)

    built = cargo("--no-run")
    if built.returncode:
        return "", "does not compile: " + built.stderr[-600:]
    ran = cargo("--", "--ignored", "--nocapture")
    if ran.returncode == 124:
        return str(seconds), "a search that does not end"
    if ran.returncode == 0:
        return "", "not found"
    output = ran.stdout + ran.stderr
    met = re.search(r"positions in ([\d.]+) s", output)
    kind = re.search(r"case \d+ \((.*?)\)", output)
    smallest = output.split("smallest:\n")[-1].split("):\n", 1)[-1].splitlines()[0]
    if "after the tables have seen" in output:
        smallest += " (from the table's memory)"
    return met.group(1) if met else "?", f"{kind.group(1) if kind else '?'}: {smallest}"


def run(
    mutation: Mutation, functions: list[Function], arguments: argparse.Namespace
) -> tuple[str, str]:
    """Make one mutation and fuzz it; return after how many seconds it showed, and how."""
    try:
        files = mutation.apply(functions)
    except ValueError as error:
        return "", str(error)
    for file, text in files.items():
        (COPY / file.relative_to(ROOT)).write_text(text, encoding="utf-8")
    # All kinds of positions; if that is not enough, those that are made for it.
    tries = [mutation.fields[key] for key in ("focus", "position") if key in mutation.fields]
    if not (arguments.focus and tries):
        tries.insert(0, [])
    seconds = text = ""
    for focus in tries:
        if not seconds:
            seconds, text = fuzz(arguments.seconds, arguments.seed, focus)
            if seconds and focus:
                seconds += f" ({focus[0]}, depth {focus[1]})"
    for file in files:
        shutil.copy(file, COPY / file.relative_to(ROOT))
    return seconds, text


def write(rows: dict[tuple[str, str], str]) -> None:
    """Put new rows into the table, which has one for each mutation."""
    head, old = [], {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        cells = line.split(" | ")
        if len(cells) < 3 or "`" not in cells[0]:
            head.append(line)
        else:
            old[cells[0].strip("| `"), cells[1]] = line
    rows = old | rows
    keys = [(mutation.function, mutation.name) for mutation in all_mutations()]
    lines = head + [rows[key] for key in keys if key in rows]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    """Run all mutations, or those that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=30, help="how long to fuzz each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write what is found into the table")
    parser.add_argument("--focus", action="store_true", help="the made-for positions at once")
    parser.add_argument("words", nargs="*", help="only mutations whose name or function holds one")
    arguments = parser.parse_args()
    COPY.mkdir(parents=True, exist_ok=True)
    for name in ("Cargo.toml", "Cargo.lock"):
        shutil.copy(ROOT / name, COPY / name)
    for name in ("rust", "tests/positions", "python/betacut/evaluation"):
        shutil.rmtree(COPY / name, ignore_errors=True)
        shutil.copytree(ROOT / name, COPY / name)
    functions, survivors = all_functions(), 0
    for mutation in all_mutations():
        name, function = mutation.name, mutation.function
        if arguments.words and not any(
            word in name or word in function for word in arguments.words
        ):
            continue
        seconds, text = run(mutation, functions, arguments)
        if not seconds and "harmless" in mutation.fields:
            text = f"changes no answer: {mutation.fields['harmless']}"
        elif not seconds:
            survivors += 1
        print(f"{seconds or '-':>6}  {function:28} {name}: {text}", flush=True)
        if arguments.write:
            write({(function, name): f"| `{function}` | {name} | {text} | {seconds} |"})
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
