"""python-chess's source distribution, which has files that its wheels have not."""

import subprocess
import sys
from pathlib import Path

import chess


def download(directory: Path) -> Path:
    """Get the source distribution of the python-chess that is installed here."""
    options = ["--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(directory)]
    pip = [sys.executable, "-m", "pip", "download", *options, f"chess=={chess.__version__}"]
    subprocess.run(pip, check=True)
    (file,) = directory.glob("chess-*.tar.gz")
    return file
