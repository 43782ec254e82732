"""A hook of MkDocs: the package's typeface, and on the front page the explorer for its picture.

There it may load the typeface, which a page of one file does not bring along.
"""

from typing import Any

POSITION = "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83"

PICTURE = "![The explorer](images/explorer.png)"
FACES = '<link rel="stylesheet" href="fonts/inter.css">\n'
FRAME = '<iframe class="explorer" src="explorer.html" title="The explorer" loading="lazy"></iframe>'


def on_files(files: Any, config: Any) -> Any:  # noqa: ANN401, D103 - MkDocs calls it
    from mkdocs.structure.files import File

    from betacut import engine
    from betacut.views.assets import FONTS

    page = engine.tree(POSITION, 4, algorithm="negascout").to_html()
    page = page.replace("style-src ", "font-src 'self'; style-src 'self' ", 1)
    page = page.replace("<style>", f"{FACES}<style>", 1)
    files.append(File.generated(config, "explorer.html", content=page))
    for file in sorted(FONTS.iterdir()):
        files.append(File.generated(config, f"fonts/{file.name}", abs_src_path=str(file)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:  # noqa: ANN401, D103 - as above
    if not page.is_homepage:
        return markdown
    page.meta["hide"] = ["navigation", "toc"]
    return markdown.replace(PICTURE, FRAME)
