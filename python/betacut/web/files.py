"""The files of the page, and their address, which tells what they hold."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from betacut import __version__
from betacut.views import board, explorer
from betacut.views.assets import FONTS, modules, styles

PACKAGE = Path(__file__).parents[1]
PAGE = Path(__file__).parent / "page"
ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<rect width="16" height="16" rx="3" fill="#2c6e63"/>
<path d="M3 12 8 4l5 8M5.500 8h5" fill="none" stroke="#fff" stroke-width="1.500"/>
</svg>
"""


def _files() -> Mapping[str, tuple[bytes, str]]:
    """What is handed out, and its type, by the path below the home. Nothing else is."""
    scripts = [*modules(board.SCRIPT), *modules(explorer.SCRIPT), *sorted(PAGE.glob("*.js"))]
    sources = {path.relative_to(PACKAGE).as_posix(): path.read_bytes() for path in scripts}
    fonts = FONTS.glob("*.woff2")
    style = styles(board.STYLE, explorer.STYLE, PAGE / "page.css")
    return {
        **{name: (source, "text/javascript") for name, source in sources.items()},
        **{f"fonts/{font.name}": (font.read_bytes(), "font/woff2") for font in fonts},
        "fonts/inter.css": ((FONTS / "inter.css").read_bytes(), "text/css"),
        "style.css": (style.encode(), "text/css"),
        "nowhere.css": (b"body { font: 16px/1.6 system-ui, sans-serif; margin: 2em }", "text/css"),
        "icon.svg": (ICON.encode(), "image/svg+xml"),
    }


FILES = _files()
DIGEST = hashlib.sha256(b"".join(content for content, _ in FILES.values())).hexdigest()
HOME = f"/betacut/{__version__}-{DIGEST[:12]}"  # what lies below never changes
