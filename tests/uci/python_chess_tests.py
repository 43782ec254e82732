"""python-chess's own tests of engines, as they are, with betacut where they start Stockfish.

    python tests/uci/python_chess_tests.py [--sdist FILE] [COMMAND…]

Without a command it is `python -m betacut uci`. The tests are in the source distribution of
python-chess only: pip gets the one of the version that is installed here, unless there is a file.
They look for a program `stockfish`; a folder that comes first in `PATH` has one, which is the
command. Nothing else is changed. The status is that of the tests. (Not for Windows.)
"""

import argparse
import os
import shlex
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.source_distribution import download

CASES = "EngineTestCase"  # the tests of python-chess that are about engines


def main() -> int:
    """Run the tests, and return their status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sdist", type=Path, help="the source distribution of python-chess")
    parser.add_argument("command", nargs="*", help="the engine and its arguments")
    arguments = parser.parse_args()
    command = arguments.command or [sys.executable, "-m", "betacut", "uci"]
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        with tarfile.open(arguments.sdist or download(folder)) as archive:
            archive.extractall(folder, filter="data")
        (tests,) = folder.glob("*/test.py")
        stand_in = folder / "stockfish"
        stand_in.write_text(f"#!/bin/sh\nexec {shlex.join(command)}\n", encoding="utf-8")
        stand_in.chmod(0o755)
        environment = {**os.environ, "PATH": f"{directory}{os.pathsep}{os.environ['PATH']}"}
        script = [sys.executable, tests.name, "--verbose", CASES]
        return subprocess.run(script, cwd=tests.parent, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
