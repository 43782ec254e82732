"""The script of the documentation's pages."""

import json
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).parents[2] / "docs" / "javascripts" / "theme.js"

LOOP = """>>> for depth in (1, 2):
...     print(depth)
...
...     print()
1
...
>>> call(
...     1,
... )
3
>>> with it:
...     pass
"""


def test_the_copy_button_takes_what_one_types(page: Any) -> None:  # noqa: ANN401
    page.set_content(
        "<script>const document$ = { subscribe: (call) => call() };</script>"
        "<pre id=a><code>&gt;&gt;&gt; 1 + 1\n2\n</code></pre>"
        "<button data-clipboard-target='#a > code'>Copy</button>"
    )
    page.add_script_tag(content=SCRIPT.read_text(encoding="utf-8"))
    cases = {
        LOOP: "for depth in (1, 2):\n    print(depth)\n\n    print()\n\ncall(\n    1,\n)\n"
        "with it:\n    pass\n\n",
        "$ betacut annotate a \\\n    --depth 4\nrows 3\n$ betacut uci\n...\n": (
            "betacut annotate a \\\n    --depth 4\nbetacut uci\n"
        ),
        "pip install .": "pip install .",
    }
    for shown, typed in cases.items():
        assert page.evaluate(f"typed({json.dumps(shown)})") == typed
    page.click("button")
    assert page.get_attribute("button", "data-clipboard-text") == "1 + 1\n"
