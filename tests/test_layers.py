"""What `lint-imports` cannot see of the layers, and how long functions may be."""

import ast
from collections.abc import Iterator
from pathlib import Path

import betacut
from betacut.reference import ALGORITHMS
from support.commands import run_python

PACKAGE = Path(betacut.__file__).parent

PLAIN = ["core", "originals/twins", "reference", "results/tree", "views"]
"""What is written in plain Python and stands on nothing else."""

IMPORT_NOTHING = ("__init__.py", "catalogue.py", "constants.py", "exceptions.py")


def files(*names: str) -> Iterator[Path]:
    for name in names:
        path = PACKAGE / name
        found = [path] if path.is_file() else sorted(path.rglob("*.py"))
        assert found, name
        yield from found


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_plain_python_imports_no_compiled_module() -> None:
    for path in files(*PLAIN):
        names = list(imported(ast.parse(path.read_text(encoding="utf-8"))))
        assert names or path.name in IMPORT_NOTHING
        assert not [name for name in names if "_betacut" in name.split(".")], path


def test_the_reference_and_the_twins_work_without_the_compiled_module() -> None:
    script = """if True:
        import sys
        sys.modules["betacut._betacut"] = None  # importing it fails now
        from betacut import reference
        from betacut.originals.twins import chessai, cosc76, didactic
        fen = "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83"
        print(*(search(fen, 2).score for search in reference.ALGORITHMS.values()))
        result = reference.alpha_beta_pruning(fen, 2)
        assert result.pv and result.lines and result.to_dict() and result._repr_html_()
        """
    done = run_python("-c", script)
    assert done.stderr == ""
    assert len(done.stdout.split()) == len(ALGORITHMS)


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function from its first statement to its last.

    The docstring does not count. Nor do the arguments: those of a command are the description of
    its options.
    """
    statements = function.body
    if ast.get_docstring(function, clean=False) is not None:
        statements = statements[1:]
    if not statements:
        return 0
    last = statements[-1].end_lineno
    assert last is not None
    return last - statements[0].lineno + 1


def test_no_function_is_long() -> None:
    lengths = {
        f"{path.relative_to(PACKAGE)}: {node.name}": body_lines(node)
        for path in files(".")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert max(lengths.values()) > 20  # they are counted
    assert {name: lines for name, lines in lengths.items() if lines > 80} == {}
