"""The table and plot of a comparison in a notebook: an ES module, which is given plain cells."""

from pathlib import Path

_FOLDER = Path(__file__).parent

SCRIPT = _FOLDER / "comparison.js"  # `render` for notebooks
STYLE = _FOLDER / "comparison.css"  # all classes begin with `bcc`; the colours are the palette's
