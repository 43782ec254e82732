"""Break the proofs of the exact search on purpose, one at a time, and see that the fuzzer finds it.

    python rust/fuzz/mutations.py [--seconds 30] [--seed 1] [--focus] [--markdown] [word ...]

Every mutation (`mutations.toml`) is a piece of the source and its replacement. It is applied to a
copy of the crate, in `target/mutations`, which is then compiled and fuzzed. With words, only the
mutations whose name or file contains one of them are run. The exit status is 1 if a mutation
survives that is not known to be harmless, or if a piece of the source is no longer there: then
`mutations.toml` must be updated. Needs Python 3.11.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import tomllib

ROOT = Path(__file__).resolve().parents[2]
COPY = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "mutations"
SOURCE = Path("rust")


def apply(mutation: dict[str, Any]) -> str:
    """Make the mutation in the copy; tell what is wrong with it, if anything."""
    name = mutation["file"]
    text = (ROOT / SOURCE / name).read_text()
    for old, new in mutation["changes"]:
        if text.count(old) != 1:
            return f"not 1 but {text.count(old)} times in {name}: {old!r}"
        text = text.replace(old, new)
    (COPY / SOURCE / name).write_text(text)
    return ""


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
        command = [
            "cargo",
            "test",
            "--release",
            "--quiet",
            "--package",
            "betacut-exact",
            "--test",
            "exact",
            *arguments,
        ]
        return subprocess.run(command, cwd=COPY, env=environment, capture_output=True, text=True)

    built = cargo("--no-run")
    if built.returncode:
        return "", "does not compile: " + built.stderr[-600:]
    ran = cargo("--", "--ignored", "--nocapture")
    if ran.returncode == 0:
        return "", "not found"
    output = ran.stdout + ran.stderr
    met = re.search(r"positions in ([\d.]+) s", output)
    kind = re.search(r"case \d+ \((.*?)\)", output)
    smallest = output.split("smallest:\n")[-1].split("):\n", 1)[-1].splitlines()[0]
    if "after the tables have seen" in output:
        smallest += " (from the table's memory)"
    return met.group(1) if met else "?", f"{kind.group(1) if kind else '?'}: {smallest}"


def main() -> int:
    """Run all mutations, or those that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=30, help="how long to fuzz each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--markdown", action="store_true", help="print a table for the docs")
    parser.add_argument("--focus", action="store_true", help="the made-for positions at once")
    parser.add_argument("words", nargs="*", help="only mutations whose name or file holds one")
    arguments = parser.parse_args()
    COPY.mkdir(parents=True, exist_ok=True)
    for name in ("Cargo.toml", "Cargo.lock"):
        shutil.copy(ROOT / name, COPY / name)
    for name in ("rust", "tests/positions"):
        shutil.rmtree(COPY / name, ignore_errors=True)
        shutil.copytree(ROOT / name, COPY / name)
    mutations = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())["mutation"]
    survivors = 0
    for mutation in mutations:
        name, file = mutation["name"], mutation["file"]
        if arguments.words and not any(word in name or word in file for word in arguments.words):
            continue
        trouble = apply(mutation)
        seconds, text = "", trouble
        # All kinds of positions; if that is not enough, those that are made for it.
        tries = [mutation[key] for key in ("focus", "position") if key in mutation]
        if not (arguments.focus and tries):
            tries.insert(0, [])
        for focus in tries:
            if not trouble and not seconds:
                seconds, text = fuzz(arguments.seconds, arguments.seed, focus)
                if seconds and focus:
                    seconds += f" ({focus[0]}, depth {focus[1]})"
        shutil.copy(ROOT / SOURCE / file, COPY / SOURCE / file)
        if not seconds and "harmless" in mutation:
            text = f"harmless: {mutation['harmless']}"
        elif not seconds:
            survivors += 1
        if arguments.markdown:
            print(f"| `{file}` | {name} | {text} | {seconds} |", flush=True)
        else:
            print(f"{seconds or '-':>6}  {file:20} {name}: {text}", flush=True)
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
